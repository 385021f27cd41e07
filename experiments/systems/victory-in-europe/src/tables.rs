//! What the tables of Victory in Europe hold.

use sandtable_victory_in_europe::VictoryInEurope;
use sandtable_victory_in_europe::nation::{Force, Nation};

use sandtable_experiments::system::data::{count, words};
use sandtable_experiments::system::waste;
use sandtable_experiments::table::{Column, Kind, Schema};

pub(super) const BATTLES: usize = 0;
pub(super) const COUNTRY_STATUS: usize = 1;
pub(super) const CARDS: usize = 2;
pub(super) const ROLLS: usize = 3;
pub(super) const WASTE: usize = 4;

/// What waste is called here. A turn is a quarter.
pub(super) const WASTE_TERMS: waste::Terms = waste::Terms {
    strength: "steps",
    units: "units",
    places: "areas",
    funds: "production points",
    stacking: "steps of units given up over the stacking limit (4.5) after the side's own movement",
    unsupplied: "steps lost to attrition (8.6)",
    unspent: "production points left when the side has written its production",
    unspent_lost: "of these, lost for good: all of them (11.1)",
    beside: "an enemy's army",
    capitals: "capitals of any country in the hands",
    sources: "sources of supply (capitals and their alternatives, 8.1, 1.8) of countries on the side in the hands",
    points: "areas that a decisive victory is made of (9.1, 9.2), in the hands",
    guarded: "a source of supply, a capital, an area of decisive victory, a factory or a port, nor were forbidden to move (13-URALS, 13-USA)",
    idle_after: 2,
};

/// Arms in the columns of strengths and losses, in the order of the rules.
pub(super) const ARMS: [(&str, &str); 3] =
    [("army", "military units"), ("air", "air units"), ("naval", "ships and convoys")];

/// Standings of a nation as the table names them, in the order of the rules.
pub(super) const STANDING: [&str; 6] = ["axis", "western", "soviet", "neutral", "defending", "gone"];

pub(super) const TEAMS: [&str; 2] = ["axis", "allies"];

/// The columns of table `turns` that are the system's own.
pub(super) fn turn_columns() -> Vec<Column> {
    let mut columns = vec![
        count("areas", "areas", "areas friendly to the side at the end of the turn"),
        count("victory_areas", "areas", "of these, areas that a decisive victory is made of"),
        count("factories", "steps", "factory steps in them"),
        count("resources", "points", "resource points in them"),
    ];
    for (name, what) in ARMS {
        columns.push(count(&format!("{name}_units"), "units", &format!("{what} on the map")));
        columns.push(count(&format!("{name}_steps"), "steps", &format!("steps of {what} on the map")));
    }
    for (name, what) in ARMS {
        let doc = format!("steps of {what} lost in the turn, for whatever reason");
        columns.push(count(&format!("lost_{name}"), "steps", &doc));
    }
    columns.push(count(
        "points",
        "production points",
        "production points of the turn (11.1), those that the Urals (13) and Leningrad (1.9) have for themselves among them",
    ));
    columns.push(count("battles", "battles", "battles in which the side attacked"));
    columns.extend(waste::columns(&WASTE_TERMS));
    columns
}

/// The tables of facts.
pub(super) fn fact_tables(game: &VictoryInEurope) -> Vec<Schema> {
    let rules = &game.rules;
    let places = || rules.areas.iter().map(|area| &area.id).chain(rules.seas.iter().map(|sea| &sea.id));
    let nations = || words(Nation::ALL.map(Nation::id));
    let of_both = |name: &str, unit: &'static str, doc: &str| {
        [("attacker", "attacker"), ("defender", "defender")]
            .map(|(side, whose)| count(&format!("{side}_{name}"), unit, &format!("{doc} of the {whose}")))
    };
    let turn = || count("turn", "turns", "game turn");
    let mut battles = vec![
        turn(),
        Column::new("place", words(places()), "", "area or sea zone"),
        Column::new("attacker", words(TEAMS), "", "who attacks"),
        count("rounds", "rounds", "rounds fought"),
    ];
    battles.extend(of_both("units", "units", "units at the start"));
    battles.extend(of_both("steps", "steps", "steps at the start"));
    battles.extend(of_both("firepower", "", "sum over all dice rolled of the number to hit"));
    battles.extend(of_both("hits", "hits", "hits"));
    battles.extend(of_both("lost", "steps", "steps lost"));
    battles.push(Column::new("won", Kind::Flag, "", "whether the attacker won"));
    battles.push(Column::new("exploitation", Kind::Flag, "", "whether it came of an exploitation"));
    battles.push(Column::new("winter", Kind::Flag, "", "whether it was winter there"));
    vec![
        Schema { name: "battles", doc: "one row a battle, in the order fought", columns: battles },
        Schema {
            name: "country_status",
            doc: "one row for every change in the standing of a nation: entries, alliances, surrenders",
            columns: vec![
                turn(),
                Column::new("nation", nations(), "", "the nation"),
                Column::new("standing", words(STANDING), "", "whom it is with from now on, or gone"),
            ],
        },
        Schema {
            name: "cards",
            doc: "one row a card played",
            columns: vec![
                turn(),
                Column::new("force", words(Force::ALL.map(Force::id)), "", "whose hand it came from"),
                Column::new("card", words(rules.cards.iter().map(|card| &card.id)), "", "the card"),
                count("command", "points", "its command points"),
                Column::new("first", Kind::Flag, "", "whether its player moved first"),
            ],
        },
        Schema {
            name: "rolls",
            doc: "one row a diplomatic roll",
            columns: vec![
                turn(),
                Column::new("force", words(Force::ALL.map(Force::id)), "", "who rolls"),
                Column::new("nation", nations(), "", "for which country"),
                count("dice", "", "sum of two dice"),
                count("bonus", "", "sum of the modifiers"),
                count("needed", "", "number to reach"),
                Column::new("joined", Kind::Flag, "", "whether the country joined"),
            ],
        },
        waste::schema(
            "force",
            words(Force::ALL.map(Force::id)),
            words(rules.units.iter().map(|unit| &unit.id)),
            words(places()),
        ),
    ]
}
