//! What the tables of Europe Engulfed hold.

use sandtable_europe_engulfed::EuropeEngulfed;
use sandtable_europe_engulfed::ids::Nation;

use sandtable_experiments::system::data::{count, words};
use sandtable_experiments::table::{Column, Kind, Schema};

pub(super) const BATTLES: usize = 0;
pub(super) const PURCHASES: usize = 1;
pub(super) const SPECIAL_ACTIONS: usize = 2;

const TEAMS: [&str; 2] = ["first", "second"];

/// What is bought, in the order of the rules.
const PURCHASE: [&str; 11] = [
    "new_block",
    "step",
    "field_fort",
    "heavy_fort",
    "special_action",
    "fleet",
    "strategic_asset",
    "fleet_maintenance",
    "ally",
    "pause",
    "port_disabled",
];

/// What Special Actions are spent on, in the order of the rules.
const SPENT_ON: [&str; 17] = [
    "airborne",
    "breakthrough_move",
    "breakthrough_strategic",
    "breakthrough_combat",
    "withdrawal",
    "abandonment",
    "reinforcement",
    "counterattack",
    "replacements",
    "limited_supply",
    "amphibious",
    "war",
    "pause",
    "overlord",
    "carpet_bombing",
    "repair",
    "beachhead",
];

/// The columns of table `turns` that are the system's own.
pub(super) fn turn_columns() -> Vec<Column> {
    vec![
        count("areas", "areas", "areas the side controls at the end of the turn"),
        count("resource_areas", "areas", "of these, resource areas (20.4)"),
        count("land_units", "units", "land units on the map"),
        count("land_steps", "steps", "their steps"),
        count("armour_steps", "steps", "of these, steps of armour"),
        count("air_units", "units", "air support units on the map"),
        count("special_actions", "Special Actions", "in hand"),
        count("fleet_points", "points", "Fleet Points on all seas (8.0)"),
        count("income", "WERP", "WERP of the turn (4.1)"),
        count("unspent", "WERP", "WERP left at the end of production and lost"),
        count("lost_fire", "steps", "land steps lost to fire in the turn"),
        count("lost_supply", "steps", "land steps lost for want of supply (3.5)"),
        count("lost_air", "units", "air support units lost, to whatever cause"),
        count("lost_withdrawal", "steps", "land steps lost for want of an exit in a withdrawal (7.51)"),
        count("lost_sea", "steps", "land steps that went down with their ships (8.2)"),
        count("lost_winter", "steps", "land steps lost in the First Winter (9.13)"),
        count(
            "lost_yielded",
            "steps",
            "land steps of Vichy France that yielded to Americans without a fight (9.5)",
        ),
        count("battles", "rounds", "rounds of combat in which the side attacked"),
        count("assaults", "rounds", "of these, assaults"),
    ]
}

/// The tables of facts.
pub(super) fn fact_tables(game: &EuropeEngulfed) -> Vec<Schema> {
    let rules = &game.rules;
    let areas = || words(rules.areas.iter().map(|area| &area.id));
    let nations = || words(Nation::ALL.map(Nation::id));
    let turn = || count("turn", "turns", "game turn");
    vec![
        Schema {
            name: "battles",
            doc: "one row a round of combat with its counterattack, in the order fought",
            columns: vec![
                turn(),
                Column::new("area", areas(), "", "the area fought over"),
                Column::new("attacker", words(TEAMS), "", "the team that attacked"),
                Column::new("assault", Kind::Flag, "", "two dice a step on both sides (6.0)"),
                Column::new("first_round", Kind::Flag, "", "whether the area was newly disputed"),
                count("attacker_steps", "steps", "land steps of the attacker when blocks were revealed"),
                count("defender_steps", "steps", "of the defender"),
                count("attacker_lost", "steps", "land steps lost by the attacker"),
                count("defender_lost", "steps", "by the defender"),
                Column::new("counterattacked", Kind::Flag, "", "whether the defender counterattacked (7.7)"),
                Column::new("won", Kind::Flag, "", "whether the attacker alone was left"),
            ],
        },
        Schema {
            name: "purchases",
            doc: "one row a purchase (4.0)",
            columns: vec![
                turn(),
                Column::new("power", nations(), "", "who bought"),
                Column::new("what", words(PURCHASE), "", "what was bought"),
                count("cost", "WERP", "WERP that it cost"),
            ],
        },
        Schema {
            name: "special_actions",
            doc: "one row a Special Action spent (7.0)",
            columns: vec![
                turn(),
                Column::new("power", nations(), "", "who spent it"),
                Column::new("on", words(SPENT_ON), "", "what it was spent on"),
            ],
        },
    ]
}
