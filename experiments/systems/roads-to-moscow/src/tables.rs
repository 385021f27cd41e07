//! What the tables of Roads to Moscow hold.

use sandtable_core::Board as _;
use sandtable_roads_to_moscow::rules::Rules;
use sandtable_roads_to_moscow::{Player, RoadsToMoscow};

use super::map::number;
use super::roads::roads;
use sandtable_experiments::system::data::{count, words};
use sandtable_experiments::table::{Column, Kind, Schema};

pub(super) const COMBATS: usize = 0;
pub(super) const ACTIVATIONS: usize = 1;
pub(super) const SUPPLY: usize = 2;
pub(super) const FRONTS: usize = 3;
pub(super) const OBJECTIVES: usize = 4;
pub(super) const WASTE: usize = 5;

/// Weather as tables name it, in the order of the rules.
pub(super) const WEATHERS: [&str; 3] = ["dry", "overcast", "rain"];
/// What a player does with a marker (7.21).
pub(super) const SEQUENCES: [&str; 3] = ["pass", "mobile", "assault"];
/// How a combat is fought.
pub(super) const KINDS: [&str; 3] = ["assault", "mobile", "overrun"];
/// States of supply and fuel.
pub(super) const STATES: [&str; 4] = ["supplied", "emergency", "unsupplied", "low_fuel"];
/// Who holds an objective.
pub(super) const HOLDERS: [&str; 2] = ["attacker", "defender"];
/// How the hex attacked ends.
pub(super) const ENDS: [&str; 4] = ["held", "repulsed", "retreated", "eliminated"];

/// A kind of waste.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(usize)]
pub(super) enum Case {
    /// Without supply by its own move.
    UnsuppliedOwn,
    /// Without supply for another reason.
    UnsuppliedCut,
    /// Artillery that could have supported and did not fire.
    UnfiredArtillery,
    /// A formation that was not activated.
    IdleFormations,
    /// An attack below 1-1.
    LowOdds,
}

impl Case {
    /// All kinds, in the order of the columns.
    pub const ALL: [Case; 5] = [
        Case::UnsuppliedOwn,
        Case::UnsuppliedCut,
        Case::UnfiredArtillery,
        Case::IdleFormations,
        Case::LowOdds,
    ];

    /// The name of its column in `turns`, and its word in table `waste`.
    pub fn id(self) -> &'static str {
        ["unsupplied_own", "unsupplied_cut", "unfired_artillery", "idle_formations", "low_odds"]
            [self as usize]
    }

    fn column(self) -> Column {
        let (unit, doc) = match self {
            Case::UnsuppliedOwn => (
                "units",
                "units without supply (6.12) that moved or advanced out of a hex from which they could still trace it",
            ),
            Case::UnsuppliedCut => ("units", "all other units without supply: cut off by the enemy"),
            Case::UnfiredArtillery => (
                "units",
                "artillery units that could have supported a combat of the turn (12.1) when their side named no more, and supported none",
            ),
            Case::IdleFormations => (
                "formations",
                "formations with units on the map at the start of the turn, not in Reserve, that were not activated in it",
            ),
            Case::LowOdds => {
                ("combats", "attacks and overruns of the side with less final strength than the defence")
            }
        };
        count(self.id(), unit, doc)
    }
}

/// An objective as tables and texts name it: `Mozhaysk 2019`.
pub(super) fn objective(rules: &Rules, at: usize) -> String {
    let (hex, _) = rules.scenario.objectives[at];
    let named = rules.map.hexes.iter().find(|data| data.hex == hex);
    let name = named.map_or("", |data| data.name.split(" (").next().unwrap_or_default());
    format!("{name} {}", number(hex)).trim_start().to_owned()
}

/// The columns of table `turns` that are the system's own.
pub(super) fn turn_columns() -> Vec<Column> {
    let mut columns = vec![
        count("score", "points", "score of the attacker at the end of the turn (19.1)"),
        count("objectives", "points", "points of the objectives that the side controls"),
        count(
            "reach",
            "hexes",
            "how far the side holds along the main road, the one from a source of supply with most points of objectives, from \
             the German end: the German's farthest hex, the Soviet's nearest, the first being 1; 0 if none",
        ),
        Column::new("weather", words(WEATHERS), "", "weather of the turn (5.1)"),
        Column::new("first", Kind::Flag, "", "whether the side was the First Player (7.13)"),
        count("units", "units", "combat units on the map"),
        count("steps", "steps", "steps of combat units on the map"),
        count("armour", "steps", "steps of armoured units on the map"),
        count("unsupplied", "units", "units on the map marked Unsupplied (6.12)"),
        count("emergency", "units", "units on the map in Emergency supply (6.12)"),
        count("low_fuel", "units", "units that went low on fuel in the turn (6.43)"),
        count("disorganised", "units", "units on the map that are disorganised (3.7)"),
        count("fired", "units", "artillery units on the map on their Fired side (12.19)"),
        count("fuel", "units", "fuel units on the map (6.4)"),
        count("positions", "hexes", "completed Fortified Positions of the side (14.2)"),
        count("activations", "formations", "activations of formations"),
        count("passes", "passes", "Passes (7.21C)"),
        count("moved", "units", "units that moved in Operations Sequences of the side"),
        count("hexes_moved", "hexes", "hexes that units entered in Operations Sequences of the side"),
        count("attacks", "combats", "declared attacks that were fought"),
        count("overruns", "combats", "overruns"),
        count("cleared", "combats", "attacks and overruns that cleared the hex"),
        count("missions", "missions", "missions of air units (13)"),
        count("supports", "missions", "artillery units that supported a combat"),
        count("lost_steps", "steps", "steps lost by results, attrition, retreats and the like"),
        count("lost_units", "units", "units eliminated, non-combat units too"),
        count("lost_armour", "steps", "of the steps lost, those of armoured units"),
    ];
    columns.extend(Case::ALL.map(Case::column));
    columns
}

/// The tables of facts.
pub(super) fn fact_tables(game: &RoadsToMoscow) -> Vec<Schema> {
    let turn = || count("turn", "turns", "game turn");
    let sides = || words(Player::ALL.map(Player::id));
    let hexes = || words(game.board().places().iter().map(number));
    let units = || words(game.rules.units.iter().map(|unit| &unit.id));
    let formations = || words(game.rules.formations.iter().map(|formation| &formation.id));
    let objectives = (0..game.rules.scenario.objectives.len()).map(|at| objective(&game.rules, at));
    let mut waste = vec![turn(), Column::new("side", sides(), "", "whose waste it is")];
    waste.extend([
        Column::new("waste", words(Case::ALL.map(Case::id)), "", "what is wasted: a column of `turns`"),
        Column::new("hex", hexes(), "", "where; missing for formations").optional(),
        Column::new("unit", units(), "", "which unit; missing for attacks and formations").optional(),
        Column::new("formation", formations(), "", "which formation; missing for Army units and attacks")
            .optional(),
    ]);
    vec![
        Schema {
            name: "combats",
            doc: "one row a combat or overrun, in the order fought",
            columns: combats(game),
        },
        Schema {
            name: "activations",
            doc: "one row an Operations Sequence: which formation, when, and what it did",
            columns: activations(game),
        },
        Schema {
            name: "supply_states",
            doc: "one row for every change in the supply or fuel of a unit",
            columns: vec![
                turn(),
                Column::new("side", sides(), "", "whose unit"),
                Column::new("unit", units(), "", "the unit"),
                Column::new("hex", hexes(), "", "where it stood"),
                Column::new("state", words(STATES), "", "its state from now on (6.12, 6.44)"),
            ],
        },
        Schema {
            name: "fronts",
            doc: "one row a turn and road: how far along it each side holds, at the end of the turn",
            columns: vec![
                turn(),
                Column::new(
                    "road",
                    words(roads(game).iter().map(|road| &road.name)),
                    "",
                    "the road or railway, from its end nearest to a German source of supply",
                ),
                Column::new(
                    "german",
                    hexes(),
                    "",
                    "the farthest hex of it in German control; missing if none",
                )
                .optional(),
                count(
                    "german_reach",
                    "hexes",
                    "how many hexes from the start that is, the first being 1; 0 if none",
                ),
                Column::new(
                    "soviet",
                    hexes(),
                    "",
                    "the nearest hex of it in Soviet control; missing if none",
                )
                .optional(),
                count("soviet_reach", "hexes", "how many hexes from the start that is; 0 if none"),
                count("length", "hexes", "hexes of the road in play"),
            ],
        },
        Schema {
            name: "objectives",
            doc: "one row for every objective that changes hands",
            columns: vec![
                turn(),
                Column::new("objective", words(objectives), "", "name and hex"),
                Column::new(
                    "holder",
                    words(HOLDERS),
                    "",
                    "who holds it from now on, of the scenario's attacker and defender",
                ),
                Column::new("side", sides(), "", "the same by side"),
            ],
        },
        Schema {
            name: "waste",
            doc: "one row a case of waste: the columns of these names in `turns` one by one",
            columns: waste,
        },
    ]
}

fn combats(game: &RoadsToMoscow) -> Vec<Column> {
    let modifier = |name: &str, doc: &str| {
        Column::new(format!("drm_{name}"), Kind::Int, "", format!("{doc}; below 0 is good for the attacker"))
    };
    let results = game.rules.results.iter().max_by_key(|table| table.odds.len());
    let odds = results.into_iter().flat_map(|table| &table.odds).map(|(one, other)| format!("{one}-{other}"));
    let hexes = words(game.board().places().iter().map(number));
    let formations = words(game.rules.formations.iter().map(|formation| &formation.id));
    vec![
        count("turn", "turns", "game turn"),
        Column::new("weather", words(WEATHERS), "", "weather of the turn"),
        Column::new("kind", words(KINDS), "", "the table of a declared attack, or overrun"),
        Column::new("attacker", words(Player::ALL.map(Player::id)), "", "side that attacks"),
        Column::new("formation", formations, "", "active formation, the first of two combined").optional(),
        Column::new("target", hexes, "", "hex attacked"),
        count("attacking_units", "units", "attacking units, without artillery that supports"),
        count("attacking_steps", "steps", "their steps"),
        count("attacking_armour", "units", "of these, armoured units"),
        count("defending_units", "units", "defending units"),
        count("defending_steps", "steps", "their steps"),
        count("attacking_artillery", "units", "artillery units that support the attack"),
        count("defending_artillery", "units", "artillery units that support the defence"),
        count("attacking_air", "units", "air units of the attacker"),
        count("defending_air", "units", "air units of the defender"),
        count("attack", "strength", "final strength of the attack (10.5)"),
        count("defence", "strength", "final strength of the defence"),
        Column::new("odds", words(odds), "", "column of the combat table; missing below the first (10.53a)")
            .optional(),
        modifier("terrain", "terrain of the hex (10.22a)"),
        modifier("stream", "stream sides (10.22b)"),
        modifier("river", "river sides"),
        modifier("slope", "slopes"),
        modifier("works", "Fortified Position or Line (14.12c)"),
        modifier("efficiency", "efficiency of the leads (10.61c)"),
        modifier("air", "air units (13.25)"),
        modifier("no_retreat", "No-Retreat marker (9.46a)"),
        modifier("combined_arms", "combined arms (10.61f)"),
        modifier("uncoordinated", "failed ground coordination (10.61g)"),
        modifier("engineers", "attacking engineers (10.61h)"),
        count("drm", "", "net modifier within its limit (10.62)"),
        count("die", "", "the die, 1 to 10; 0 if none was rolled"),
        Column::new("result", Kind::Text, "", "result as the table prints it, * for red (11.11)"),
        count("attacker_lost", "steps", "steps lost by the attacker, for whatever reason"),
        count("defender_lost", "steps", "steps lost by the defender"),
        count("attacker_eliminated", "units", "units of the attacker eliminated"),
        count("defender_eliminated", "units", "units of the defender eliminated"),
        Column::new(
            "end",
            words(ENDS),
            "",
            "how it ends: the hex held, the attackers driven back, the hex empty by retreat or elimination",
        ),
        count("advanced", "units", "units that advanced after the combat, or entered by the overrun"),
    ]
}

fn activations(game: &RoadsToMoscow) -> Vec<Column> {
    let formations = || words(game.rules.formations.iter().map(|formation| &formation.id));
    vec![
        count("turn", "turns", "game turn"),
        count("order", "", "the number of the sequence in its turn, from 1"),
        Column::new("side", words(Player::ALL.map(Player::id)), "", "the active side"),
        Column::new(
            "formation",
            formations(),
            "",
            "the active formation; of a Pass, whose marker goes into the pool",
        ),
        Column::new("other", formations(), "", "the formation combined with it (7.3)").optional(),
        Column::new("sequence", words(SEQUENCES), "", "kind of the Operations Sequence (7.21)"),
        count("army_units", "units", "Army units activated with it (7.4)"),
        count("moved", "units", "units that moved"),
        count("hexes_moved", "hexes", "hexes that they entered together"),
        count("entered", "units", "of these, units that entered the map"),
        count("dug", "positions", "Fortified Positions begun (14.26)"),
        count("attacks", "combats", "declared attacks that were fought"),
        count("overruns", "combats", "overruns"),
        count("refused", "combats", "attacks that the enemy refused (9.2)"),
        count("cleared", "combats", "attacks and overruns that cleared the hex"),
        count("lost_steps", "steps", "steps the active side lost"),
        count("enemy_steps", "steps", "steps the enemy lost"),
    ]
}
