//! What the tables of EuroFront hold.

use sandtable_core::Game as _;
use sandtable_eurofront::EuroFront;
use sandtable_eurofront::event::Cause;
use sandtable_eurofront::ids::Account;

use super::map::{id, shown};
use sandtable_experiments::system::data::{count, words};
use sandtable_experiments::table::{Column, Kind, Schema};

pub(super) const COMBATS: usize = 0;
pub(super) const LOSSES: usize = 1;
pub(super) const BUILDS: usize = 2;
pub(super) const CLAIMS: usize = 3;
pub(super) const PRODUCTION: usize = 4;
pub(super) const DIPLOMACY: usize = 5;
pub(super) const VOYAGES: usize = 6;

/// Weather as tables name it, in the order of the rules.
pub(super) const WEATHERS: [&str; 3] = ["dry", "mud", "snow"];
/// What may happen between nations, as the tables name it.
pub(super) const AFFAIRS: [&str; 14] = [
    "war_declared",
    "reaction",
    "joined",
    "cooperates",
    "event",
    "demoralised",
    "solidarity",
    "armistice",
    "uprising",
    "surrender",
    "defeated",
    "conquered",
    "peace_production",
    "supremacy",
];
/// Factions as tables name them: also those that nobody plays.
pub(super) const FACTIONS: [&str; 3] = ["axis", "allies", "soviets"];
/// What points of a production are.
pub(super) const POINTS: [&str; 5] = ["at_hand", "kept", "lost", "allotted", "transferred"];
/// What is built.
pub(super) const BUILT: [&str; 3] = ["step", "arrival", "garrison"];

/// The columns of table `turns` that are the system's own.
pub(super) fn turn_columns() -> Vec<Column> {
    vec![
        Column::new("weather", words(WEATHERS), "", "weather of the fortnight in the West (12.1)"),
        count(
            "level",
            "cities",
            "Pacification Level when it was last counted, from the side's point of view (1936.9)",
        ),
        count("cities", "cities", "cities controlled of those that count for pacification, major ones twice"),
        count("hexes", "hexes", "hexes and areas controlled by its camp (8.1)"),
        count("hexes_west", "hexes", "of these, on the West Front (1.12)"),
        count("hexes_east", "hexes", "on the East Front"),
        count("hexes_mediterranean", "hexes", "on the Mediterranean Front"),
        count("hexes_north", "hexes", "on the North Front"),
        count("units", "units", "units on the map, headquarters too"),
        count("steps", "steps", "combat values of units on the map"),
        count("steps_west", "steps", "of these, on the West Front"),
        count("steps_east", "steps", "on the East Front"),
        count("steps_mediterranean", "steps", "on the Mediterranean Front"),
        count("steps_north", "steps", "on the North Front"),
        count("command", "steps", "command values of headquarters on the map"),
        count("unsupplied", "units", "units on the map without supply (10.5)"),
        count("garrisons", "garrisons", "garrisons (1936.2)"),
        count("points", "points", "production points kept, in all accounts"),
        count("income", "points", "production points received in the fortnight's production"),
        count("points_lost", "points", "production points lost because others were spent (11.2)"),
        count("activations", "headquarters", "activations of headquarters (5.2)"),
        count("moved", "units", "moves of units by land"),
        count("rail_moves", "units", "rail moves (9.2)"),
        count("sea_moves", "units", "naval moves, invasions and evacuations (15.3, 15.5)"),
        count("attacks", "battles", "battles begun (7.11)"),
        count("rounds", "rounds", "rounds of combat fought as the active side (7.2)"),
        count("unsupported", "rounds", "of these, rounds without support (7.4)"),
        count("strikes", "strikes", "airstrikes (7.13)"),
        count("lost_steps", "steps", "steps lost to the enemy: in combat and pursuit"),
        count("starved", "steps", "steps lost to attrition (10.6)"),
        count("lost_units", "units", "units eliminated, for whatever reason"),
    ]
}

/// The tables of facts.
pub(super) fn fact_tables(game: &EuroFront) -> Vec<Schema> {
    let turn = || count("turn", "turns", "fortnight of the game, from 1");
    let sides = || words(game.sides().iter().map(|side| side.id));
    let hexes = || words(shown(game).iter().map(|hex| id(game, hex)));
    let blocks = || words(game.rules.blocks.iter().map(|block| &block.id));
    let nations = || words(game.rules.nations.iter().map(|nation| &nation.id));
    let events = || words(game.rules.events.iter().map(|event| &event.id));
    let accounts = || words(Account::ALL.map(Account::id));
    vec![
        Schema {
            name: "combats",
            doc: "one row a round of combat, in the order fought",
            columns: vec![
                turn(),
                Column::new("weather", words(WEATHERS), "", "weather in the West"),
                Column::new("active", sides(), "", "the side that is active (7.12)"),
                Column::new("hex", hexes(), "", "where: two digits of the column, two of the row"),
                Column::new("supported", Kind::Flag, "", "whether the active side is supported (7.4)"),
                Column::new("assault", Kind::Flag, "", "whether it is an assault across a river (7.62)"),
                count("air_dice", "dice", "dice of the airstrike"),
                count("air_hits", "hits", "its hits"),
                count("defence_dice", "dice", "dice of the passive side"),
                count("defence_hits", "hits", "its hits"),
                count("repulses", "repulses", "its repulses (7.61)"),
                count("offence_dice", "dice", "dice of the active side"),
                count("offence_hits", "hits", "its hits"),
                count("active_lost", "steps", "steps lost by the active side"),
                count("passive_lost", "steps", "steps lost by the passive side"),
                Column::new("ended", Kind::Flag, "", "whether the battle is over with it"),
            ],
        },
        Schema {
            name: "losses",
            doc: "one row a step lost",
            columns: vec![
                turn(),
                Column::new("side", sides(), "", "whose block"),
                Column::new("block", blocks(), "", "the block"),
                Column::new("cause", words(Cause::ALL.map(Cause::id)), "", "why the step was lost"),
                Column::new("eliminated", Kind::Flag, "", "whether it was the last one"),
            ],
        },
        Schema {
            name: "builds",
            doc: "one row for every step, cadre, reinforcement and garrison of a production",
            columns: vec![
                turn(),
                Column::new("side", sides(), "", "whose production it is"),
                Column::new("built", words(BUILT), "", "what: a step, a block that arrives, a garrison"),
                Column::new("block", blocks(), "", "the block; missing for garrisons").optional(),
                Column::new("hex", hexes(), "", "where it arrives; missing for steps").optional(),
            ],
        },
        Schema {
            name: "claims",
            doc: "one row a claim of foreign recognition (1936.9)",
            columns: vec![
                turn(),
                Column::new("side", sides(), "", "who claims"),
                count("level", "cities", "the Pacification Level"),
                count("nationalist_roll", "", "sum of the Nationalists' dice"),
                count("republican_roll", "", "sum of the Republicans' dice"),
                Column::new("granted", Kind::Flag, "", "whether it is granted"),
            ],
        },
        Schema {
            name: "production",
            doc: "one row for the points of every account, and for what becomes of them (11)",
            columns: vec![
                turn(),
                Column::new("side", sides(), "", "whose points"),
                Column::new("account", accounts(), "", "the account (11.3)").optional(),
                count("points", "points", "the points"),
                Column::new(
                    "what",
                    words(POINTS),
                    "",
                    "at hand; kept, or lost because others were spent (11.2); allotted a month (11.5); transferred to the account (11.6)",
                ),
            ],
        },
        Schema {
            name: "diplomacy",
            doc: "one row for everything that happens between nations (16)",
            columns: vec![
                turn(),
                Column::new("what", words(AFFAIRS), "", "what happened to the nation, or by the event"),
                Column::new("nation", nations(), "", "which nation; missing for events of sides").optional(),
                Column::new("other", nations(), "", "the other nation of a reaction").optional(),
                Column::new("side", words(FACTIONS), "", "the side that it joins, or that acts").optional(),
                Column::new("event", events(), "", "the diplomatic event (16.6)").optional(),
                count("roll", "", "the die; 0 without one"),
                count("needed", "", "what was needed"),
                Column::new("happens", Kind::Flag, "", "whether it comes about"),
            ],
        },
        Schema {
            name: "voyages",
            doc: "one row for every interception at sea, of units and of supply (15.7)",
            columns: vec![
                turn(),
                Column::new("side", sides(), "", "who sails; missing for supply").optional(),
                Column::new("block", blocks(), "", "the block; missing for supply").optional(),
                Column::new("hex", hexes(), "", "the port whose supply is cut; missing for units").optional(),
                count("dice", "dice", "dice of interception"),
                count("hits", "hits", "hits on the unit that sails"),
                Column::new("stopped", Kind::Flag, "", "whether the unit turns back, or the supply is cut"),
            ],
        },
    ]
}

#[cfg(test)]
mod tests {
    use super::Cause;

    /// A cell holds the number of the cause: the words stand in its order, and none is missing.
    #[test]
    fn causes_stand_in_their_order() {
        assert!(Cause::ALL.iter().enumerate().all(|(at, &cause)| cause as usize == at));
        assert_eq!(Cause::ALL.last(), Some(&Cause::Drop));
    }
}
