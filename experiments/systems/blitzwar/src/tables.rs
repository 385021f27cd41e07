//! What the tables of BlitzWar hold.

use sandtable_blitzwar::{BlitzWar, Country, Force};

use sandtable_experiments::system::data::{count, words};
use sandtable_experiments::system::waste;
use sandtable_experiments::table::{Column, Kind, Schema};

pub(super) const BATTLES: usize = 0;
pub(super) const COUNTRY_STATUS: usize = 1;
pub(super) const WASTE: usize = 2;

/// What waste is called here. A turn is six weeks.
pub(super) const WASTE_TERMS: waste::Terms = waste::Terms {
    strength: "corps",
    units: "counters",
    places: "zones",
    funds: "supply units",
    stacking: "corps given up over the stacking limit (4) after the side's own placement, transport or movement",
    unsupplied: "corps out of supply (17.5) at the end of the side's turn",
    unspent: "supply units on the map at the end of the side's turn: what its turn could have spent more",
    unspent_lost: "supply units of the side's card that found no place or no counter and are lost (11.5)",
    beside: "an enemy's army that may enter them",
    capitals: "capitals of any country, if their fall would matter, in the hands",
    sources: "Supply Zones and depots",
    points: "strategic points of any kind",
    guarded: "a Supply Zone, a capital, a strategic point or a port",
    idle_after: 4,
};

/// Standings of a country as the table names them, in the order of the rules.
pub(super) const STATUS: [&str; 7] =
    ["axis", "allied", "soviet", "neutral", "passage", "surrendered", "absent"];

/// Names of the odds by ladder index; column `c` of the combat table is entry `c`.
pub(super) const ODDS: [&str; 9] = ["2-3", "1-1", "3-2", "2-1", "3-1", "4-1", "5-1", "6-1", "7-1"];

/// The columns of table `turns` that are the system's own.
pub(super) fn turn_columns() -> Vec<Column> {
    let mut columns = vec![
        count(
            "axis_points",
            "strategic points",
            "strategic points of any kind under Axis control at the end of the side's turn",
        ),
        count(
            "strategic_points",
            "strategic points",
            "strategic points of any kind under the side's control",
        ),
        count("zones", "zones", "land zones under the side's control"),
        count("infantry", "corps", "infantry corps on the map"),
        count("armour", "corps", "armour corps on the map"),
        count("air", "units", "air units on the map"),
        count("fleet", "units", "fleet units on the map"),
        count("submarines", "units", "submarine units on the map"),
        Column::new("supply", Kind::Real, "supply units", "supply units on the map"),
    ];
    for (name, unit, what) in [
        ("infantry", "corps", "infantry corps"),
        ("armour", "corps", "armour corps"),
        ("air", "units", "air units"),
        ("fleet", "units", "fleet units"),
        ("submarines", "units", "submarine units"),
    ] {
        columns.push(count(
            &format!("lost_{name}"),
            unit,
            &format!("{what} lost in the turn, for whatever reason"),
        ));
    }
    columns.push(Column::new("supply_spent", Kind::Real, "supply units", "supply units spent on actions"));
    columns.push(count(
        "supply_lost",
        "supply units",
        "supply units due to blockade, bombing and side points in enemy hands",
    ));
    columns.push(count("battles", "combats", "land combats in which the side attacked"));
    columns.extend(waste::columns(&WASTE_TERMS));
    columns.push(count(
        "lost_unsupplied",
        "corps",
        "corps lost while they were marked out of supply, for whatever reason",
    ));
    columns.push(count(
        "unplaced",
        "units",
        "corps, ships and air units of the side's cards that found no place or no counter and are lost (11.5)",
    ));
    columns.push(Column::new(
        "lost_supply",
        Kind::Real,
        "supply units",
        "supply units lost on the map, with the zone they lay in",
    ));
    columns
}

/// The tables of facts.
pub(super) fn fact_tables(game: &BlitzWar) -> Vec<Schema> {
    let sides = || words(Force::ALL.map(Force::id));
    let shift = |name: &str, doc: &str| {
        Column::new(format!("shift_{name}"), Kind::Int, "columns", format!("{doc}; to the right is positive"))
    };
    vec![
        Schema {
            name: "battles",
            doc: "one row a land combat, in the order fought",
            columns: vec![
                count("turn", "turns", "game turn"),
                Column::new("phase", words(["blitz", "normal"]), "", "phase of combat"),
                Column::new("zone", words(game.rules.zones.iter().map(|zone| &zone.id)), "", "zone attacked"),
                Column::new("attacker", sides(), "", "side that attacks"),
                Column::new("defender", sides(), "", "side that defends"),
                count("attacking_infantry", "corps", "attacking infantry corps"),
                count("attacking_armour", "corps", "attacking armour corps"),
                count("defending_infantry", "corps", "defending infantry corps"),
                count("defending_armour", "corps", "defending armour corps"),
                count("fortified", "corps", "of the defenders, fortified corps"),
                count(
                    "odds_index",
                    "columns",
                    "odds before shifts as steps of the ladder: 0 is 2-3, 1 is 1-1, 2 is 3-2, n+1 is n-1",
                ),
                shift("german_attack", "German attack bonus"),
                shift("british_vs_italians", "British against Italians only"),
                shift("armour", "armour in the attack"),
                shift("attacker_air", "air superiority of the attacker"),
                shift("out_of_supply", "defender out of supply"),
                shift("german_defence", "German or Finnish corps in defence"),
                shift("all_fortified", "only fortified corps in defence"),
                shift("defender_air", "air superiority of the defender"),
                shift("terrain", "terrain, river or beachhead"),
                shift("fortress", "fortress"),
                shift("fortified_line", "attack across a fortified line only"),
                Column::new("column", words(ODDS), "", "column of the combat table that was read"),
                count("die", "", "the die, 1 to 6"),
                count("attacker_loss", "corps", "corps lost by the attacker by the table"),
                Column::new("attacker_loss_armour", Kind::Flag, "", "whether that loss is armour"),
                count("defender_loss", "corps", "corps lost by the defender by the table"),
            ],
        },
        Schema {
            name: "country_status",
            doc: "one row for every change in the standing of a country: entries, surrenders, free passage",
            columns: vec![
                count("turn", "turns", "game turn"),
                Column::new("country", words(Country::ALL.map(Country::id)), "", "the country"),
                Column::new(
                    "status",
                    words(STATUS),
                    "",
                    "its standing from now on: the side it fights on, or neutral, passage, surrendered, absent",
                ),
            ],
        },
        waste::schema(
            "side",
            sides(),
            words(game.rules.counter_types.iter().map(|sheet| &sheet.id)),
            words(
                game.rules.zones.iter().map(|zone| &zone.id).chain(game.rules.seas.iter().map(|sea| &sea.id)),
            ),
        ),
    ]
}
