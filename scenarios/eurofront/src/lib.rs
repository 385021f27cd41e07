#![allow(clippy::doc_markdown)] // the name of the game is no path

//! The scenarios of EuroFront: its data, how they become [`Rules`], and the words of its worked examples.
//!
//! Hexes are named by their number in the data, column and row in two digits each (`0922`), or by a place in them
//! (`madrid`); areas of the map's edge by their identifier.

mod blocks;
mod calendar;
mod charts;
mod civil_war;
mod describe;
mod diplomacy;
mod example;
mod map;
mod naval;
mod setup;
mod sheets;
mod situation;

use include_dir::{Dir, include_dir};
use sandtable_eurofront::{EuroFront, Rules};
use toml::{Table, Value};

pub use describe::Description;
pub use example::{Battle, Examples, with_airstrike};
pub use sandtable_scenarios::{AnySystem, LoadError, Override, Problem, Scenario, SourceFile};

use sandtable_scenarios::tree::Tree;
use sandtable_scenarios::{DataFile, System, example as examples};

static SETUPS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/setups");
static PREPARED_SETUPS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/prepared");
static EXAMPLES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/examples");

/// The system's data and loader.
pub static SYSTEM: System<Rules> = System {
    id: "eurofront",
    title: "EuroFront",
    files: &[
        DataFile::sheet(sheets::COUNTRIES, include_str!("../countries.csv")),
        DataFile::sheet(sheets::NATIONS, include_str!("../nations.csv")),
        DataFile::sheet(sheets::HEXES, include_str!("../map/hexes.csv")),
        DataFile::sheet(sheets::SIDES, include_str!("../map/sides.csv")),
        DataFile::sheet(sheets::WAYS, include_str!("../map/ways.csv")),
        DataFile::sheet(sheets::PLACES, include_str!("../map/places.csv")),
        DataFile::sheet(sheets::AREAS, include_str!("../map/areas.csv")),
        DataFile::sheet(sheets::ROUTES, include_str!("../map/routes.csv")),
        DataFile::sheet(sheets::SEAS, include_str!("../map/seas.csv")),
        DataFile::sheet(sheets::SEA_LINKS, include_str!("../map/sea_links.csv")),
        DataFile::sheet(sheets::STRAITS, include_str!("../map/straits.csv")),
        DataFile::sheet(sheets::TERRAIN, include_str!("../terrain.csv")),
        DataFile::sheet(sheets::UNIT_TYPES, include_str!("../unit_types.csv")),
        DataFile::sheet(sheets::COSTS, include_str!("../costs.csv")),
        DataFile::sheet(sheets::BLOCKS, include_str!("../blocks.csv")),
        DataFile::sheet(sheets::WEATHER, include_str!("../weather.csv")),
        DataFile::sheet(sheets::STORMS, include_str!("../storms.csv")),
        DataFile::sheet(sheets::SEASONS, include_str!("../seasons.csv")),
        DataFile::toml("charts.toml", include_str!("../charts.toml")),
        DataFile::toml("naval.toml", include_str!("../naval.toml")),
        DataFile::sheet(sheets::REACTIONS, include_str!("../reactions.csv")),
        DataFile::toml("events.toml", include_str!("../events.toml")),
        DataFile::toml("options.toml", include_str!("../options.toml")),
        DataFile::toml("rulings.toml", include_str!("../rulings.toml")),
        DataFile::SETUP,
        DataFile::setup_sheet(sheets::SETUP_UNITS),
    ],
    coverage: include_str!("../rules.csv"),
    setups: &SETUPS,
    examples: &EXAMPLES,
    complete: |_| {},
    template,
    build,
    describe: |rules| Description::of(rules).to_string(),
    run_examples: examples::run::<Examples>,
};

/// Scenarios whose data are here while rules they need are not yet: not offered to players.
pub static PREPARED: System<Rules> = System { setups: &PREPARED_SETUPS, build: prepare, ..SYSTEM };

/// Opens an embedded scenario by name, or the folder of an exported one: [`System::open`].
///
/// # Errors
/// If there is no such scenario, or its data or the overrides are wrong.
pub fn open(name: &str, overrides: &[Override]) -> Result<Scenario<Rules>, LoadError> {
    SYSTEM.open(name, overrides)
}

/// Maps the tree to rules and checks that they agree with themselves, and that the engine plays them.
///
/// # Errors
/// Says what is missing, misspelt, out of range or contradictory, and where.
fn build(tree: &Tree) -> Result<Rules, LoadError> {
    let rules = prepare(tree)?;
    EuroFront::new(rules.clone()).map_err(|text| LoadError::new(Problem::Inconsistent(text)))?;
    Ok(rules)
}

/// Maps the tree to rules, whether the engine plays all of them or not.
///
/// # Errors
/// Says what is missing, misspelt, out of range or contradictory, and where.
fn prepare(tree: &Tree) -> Result<Rules, LoadError> {
    let whole = tree.node();
    let mut named_map = map::read(whole)?;
    let calendar = calendar::read(whole)?;
    let nations = diplomacy::nations(whole, &named_map)?;
    let blocks = blocks::read(whole, &nations)?;
    let scenario = setup::read(whole, &named_map, &calendar, &nations, &blocks)?;
    setup::count_to_front(whole, &scenario.in_play, &mut named_map.map)?;
    let civil_war = civil_war::read(whole, &named_map, &calendar)?;
    Ok(Rules {
        scenario,
        civil_war,
        terrain: charts::terrain(whole)?,
        side_limits: charts::side_limits(whole)?,
        weather: charts::weather(whole)?,
        storms: calendar::storms(whole)?,
        calendar: calendar.months,
        reactions: diplomacy::reactions(whole, &nations)?,
        events: diplomacy::events(whole)?,
        nations: nations.list,
        kinds: blocks::kinds(whole)?,
        blocks: blocks.list,
        combat: charts::combat(whole)?,
        naval: naval::read(whole, &named_map)?,
        numbers: charts::numbers(whole)?,
        options: charts::options(whole)?,
        map: named_map.map,
    })
}

/// Entries an override may add: a block of the set-up, what a hexside carries, a railway or road.
fn template(root: &Table, path: &[&str]) -> Option<Value> {
    let knows = |file: &str, id: &str| root.get(file)?.as_table()?.get(id).map(|_| ());
    let text = |words: &[(&str, &str)]| {
        let row = words.iter().map(|&(key, word)| (key.to_owned(), Value::String(word.to_owned())));
        row.collect::<Table>()
    };
    match path {
        ["setup", "units", unit] => {
            knows("blocks", unit)?;
            let mut row = text(&[("place", "none"), ("month", "start"), ("arrival", "none")]);
            row.insert("steps".to_owned(), Value::Integer(1));
            Some(Value::Table(row))
        }
        ["setup", "civil_war", "blockade_ports", place] => {
            root.get("map")?.get("places")?.get(place)?;
            Some(Value::Integer(1))
        }
        ["map", table @ ("sides" | "ways"), pair] => {
            let (a, b) = pair.split_once('-')?;
            let hexes = root.get("map")?.get("hexes")?;
            hexes.get(a)?;
            hexes.get(b)?;
            let carried = if *table == "sides" { ("kinds", "river") } else { ("ways", "rail") };
            let mut row = text(&[("a", a), ("b", b), carried]);
            if *table == "sides" {
                row.extend(text(&[("name", "")]));
            }
            Some(Value::Table(row))
        }
        _ => None,
    }
}
