//! The scenarios of Europe Engulfed: its data, how they become [`Rules`], and the words of its worked examples.
//!
//! The rule book (1 to 10) is lost. `rulebook` as a provenance means the play book (11 to 23), with its rule numbers;
//! `reconstructed` gives the reason or the ruling.

mod charts;
mod check;
mod describe;
mod example;
mod map;
mod optional;
mod politics;
mod powers;
mod setup;
mod situation;

use include_dir::{Dir, include_dir};
use sandtable_europe_engulfed::Rules;
use sandtable_europe_engulfed::ids::Nation;
use toml::{Table, Value};

pub use example::{Battle, Examples};
pub use sandtable_scenarios::{AnySystem, LoadError, Override, Problem, Scenario, SourceFile};

use sandtable_scenarios::tree::{Cell, Names, Node, Sheet, Tree};
use sandtable_scenarios::{DataFile, System, example as examples};

const AREAS: Sheet = Sheet::of_facts(
    "areas.csv",
    &["id"],
    &[
        ("id", Cell::Text),
        ("name", Cell::Text),
        ("country", Cell::Text),
        ("zone", Cell::Text),
        ("terrain", Cell::Text),
        ("desert", Cell::Flag),
        ("resource", Cell::Integer),
        ("ports", Cell::Text),
        ("beaches", Cell::Text),
        ("host", Cell::Text),
        ("source_of", Cell::Text),
        ("heavy_fort", Cell::Flag),
        ("latitude", Cell::Float),
        ("longitude", Cell::Float),
    ],
);

const BORDERS: Sheet = Sheet::of_facts(
    "borders.csv",
    &["a", "b"],
    &[("a", Cell::Text), ("b", Cell::Text), ("kind", Cell::Text), ("maginot", Cell::Text)],
);

const AIR_LINKS: Sheet =
    Sheet::of_facts("air_links.csv", &["a", "b"], &[("a", Cell::Text), ("b", Cell::Text)]);

const SEAS: Sheet = Sheet::of_facts(
    "seas.csv",
    &["id"],
    &[
        ("id", Cell::Text),
        ("name", Cell::Text),
        ("powers", Cell::Text),
        ("latitude", Cell::Float),
        ("longitude", Cell::Float),
    ],
);

const PASSAGES: Sheet = Sheet::of_facts(
    "passages.csv",
    &["a", "b"],
    &[("a", Cell::Text), ("b", Cell::Text), ("first", Cell::Text), ("second", Cell::Text)],
);

const COUNTRIES: Sheet = Sheet::of_facts(
    "countries.csv",
    &["id"],
    &[
        ("id", Cell::Text),
        ("name", Cell::Text),
        ("owner", Cell::Text),
        ("kind", Cell::Text),
        ("capital", Cell::Text),
        ("home", Cell::Flag),
    ],
);

const POWERS: Sheet = Sheet::of_facts(
    "powers.csv",
    &["id"],
    &[
        ("id", Cell::Text),
        ("name", Cell::Text),
        ("kind", Cell::Text),
        ("base", Cell::Integer),
        ("area_value", Cell::Integer),
        ("strategic_moves", Cell::Integer),
        ("fleet_supply", Cell::Integer),
        ("patron", Cell::Text),
    ],
);

const UNIT_TYPES: Sheet = Sheet::of_facts(
    "unit_types.csv",
    &["id"],
    &[
        ("id", Cell::Text),
        ("name", Cell::Text),
        ("move", Cell::Integer),
        ("step", Cell::Integer),
        ("first_step_doubles", Cell::Flag),
    ],
);

const POOLS: Sheet = Sheet::of_facts(
    "pools.csv",
    &["id"],
    &[
        ("id", Cell::Text),
        ("power", Cell::Text),
        ("kind", Cell::Text),
        ("elite", Cell::Flag),
        ("steps", Cell::Integer),
        ("count", Cell::Integer),
    ],
);

const COMBAT_TABLES: Sheet = Sheet::of_facts(
    "combat_tables.csv",
    &["id"],
    &[
        ("id", Cell::Text),
        ("bonuses", Cell::Integer),
        ("sum", Cell::Integer),
        ("n12", Cell::Integer),
        ("n24", Cell::Integer),
        ("n36", Cell::Integer),
        ("n48", Cell::Integer),
        ("n60", Cell::Integer),
        ("n72", Cell::Integer),
        ("n84", Cell::Integer),
        ("n96", Cell::Integer),
        ("n108", Cell::Integer),
        ("n120", Cell::Integer),
    ],
);

const SETUP_CONTROL: Sheet =
    Sheet::of_facts("setup/control.csv", &["area"], &[("area", Cell::Text), ("power", Cell::Text)]);

const SETUP_UNITS: Sheet = Sheet::of_facts(
    "setup/units.csv",
    &["area", "counter"],
    &[("area", Cell::Text), ("counter", Cell::Text), ("steps", Cell::Text)],
);

static SETUPS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/setups");
static EXAMPLES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/examples");

/// The system's data and loader.
pub static SYSTEM: System<Rules> = System {
    id: "europe-engulfed",
    title: "Europe Engulfed",
    files: &[
        DataFile::sheet(AREAS, include_str!("../areas.csv")),
        DataFile::sheet(BORDERS, include_str!("../borders.csv")),
        DataFile::sheet(AIR_LINKS, include_str!("../air_links.csv")),
        DataFile::sheet(SEAS, include_str!("../seas.csv")),
        DataFile::sheet(PASSAGES, include_str!("../passages.csv")),
        DataFile::sheet(COUNTRIES, include_str!("../countries.csv")),
        DataFile::sheet(POWERS, include_str!("../powers.csv")),
        DataFile::sheet(UNIT_TYPES, include_str!("../unit_types.csv")),
        DataFile::sheet(POOLS, include_str!("../pools.csv")),
        DataFile::sheet(COMBAT_TABLES, include_str!("../combat_tables.csv")),
        DataFile::toml("charts.toml", include_str!("../charts.toml")),
        DataFile::toml("weather.toml", include_str!("../weather.toml")),
        DataFile::toml("strategic_war.toml", include_str!("../strategic_war.toml")),
        DataFile::toml("politics.toml", include_str!("../politics.toml")),
        DataFile::toml("victory.toml", include_str!("../victory.toml")),
        DataFile::toml("options.toml", include_str!("../options.toml")),
        DataFile::toml("option_numbers.toml", include_str!("../option_numbers.toml")),
        DataFile::toml("rulings.toml", include_str!("../rulings.toml")),
        DataFile::SETUP,
        DataFile::setup_sheet(SETUP_CONTROL),
        DataFile::setup_sheet(SETUP_UNITS),
    ],
    coverage: include_str!("../rules.csv"),
    setups: &SETUPS,
    examples: &EXAMPLES,
    complete: |_| (),
    template,
    build,
    describe: describe::describe,
    run_examples: examples::run::<Examples>,
};

/// Opens an embedded scenario by name, or the folder of an exported one.
///
/// # Errors
/// If there is no such scenario, or its data or the overrides are wrong.
pub fn open(scenario: &str, overrides: &[Override]) -> Result<Scenario<Rules>, LoadError> {
    SYSTEM.open(scenario, overrides)
}

/// Maps the tree to rules and checks that they agree with themselves.
///
/// # Errors
/// Says what is missing, misspelt, out of range or contradictory, and where.
fn build(tree: &Tree) -> Result<Rules, LoadError> {
    let whole = tree.node();
    let map = map::read(whole)?;
    let counters = powers::read(whole)?;
    let charts = charts::read(whole, &map)?;
    let mut rules = Rules {
        id: whole.at("setup.id")?.text()?.to_owned(),
        name: whole.at("setup.title")?.text()?.to_owned(),
        politics: politics::read(whole, &map, &counters)?,
        victory: setup::victory(whole, &map)?,
        setup: setup::read(whole, &map, &counters)?,
        optional: optional::read(whole, &map, &counters)?,
        options: charts::options(whole)?,
        areas: map.areas,
        edges: map.edges,
        air_links: map.air_links,
        seas: map.seas,
        passages: map.passages,
        countries: map.countries,
        nations: counters.nations,
        branches: counters.branches,
        kinds: counters.kinds,
        combat_table: counters.combat_table,
        costs: charts.costs,
        bonuses: charts.bonuses,
        movement: charts.movement,
        combat: charts.combat,
        stacking: charts.stacking,
        supply: charts.supply,
        production: charts.production,
        naval: charts.naval,
        weather: charts.weather,
        strategic: charts.strategic,
    };
    if rules.options.three_players {
        setup::divide_allies(&mut rules.setup.players);
    }
    check::check(whole, &rules)?;
    Ok(rules)
}

/// Entries an override may add: who controls an area, which comes into play by it.
fn template(root: &Table, path: &[&str]) -> Option<Value> {
    let knows = |file: &str, id: &str| root.get(file)?.as_table()?.get(id).map(|_| ());
    match path {
        ["setup", "control", area] => {
            knows("areas", area)?;
            let row = [("power".to_owned(), Value::String(String::new()))];
            Some(Value::Table(row.into_iter().collect()))
        }
        _ => None,
    }
}

/// Identifiers of powers.
fn nation_names() -> Names {
    Names::new("a power", Nation::ALL.iter().map(|nation| nation.id().to_owned()))
}

fn nation(node: &Node<'_>) -> Result<Nation, LoadError> {
    nation_names().read(node).map(Nation::of)
}
