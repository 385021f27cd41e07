//! The scenarios of Victory in Europe: its data, how they become [`Rules`], and the words of its worked examples.

mod cards;
mod charts;
mod check;
mod describe;
mod example;
mod map;
mod setup;
mod units;

use include_dir::{Dir, include_dir};
use sandtable_core::Index;
use sandtable_victory_in_europe::Rules;
use sandtable_victory_in_europe::nation::Nation;
use toml::{Table, Value};

pub use describe::{Description, ForceFigures};

pub use example::{Battle, Examples, read_units};
pub use sandtable_scenarios::example::battle::{BattleText, Battles, battles_in, example_battle};
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
        ("home", Cell::Text),
        ("terrain", Cell::Text),
        ("stack", Cell::Integer),
        ("invadable", Cell::Flag),
        ("small_island", Cell::Flag),
        ("safe", Cell::Flag),
        ("latitude", Cell::Float),
        ("longitude", Cell::Float),
    ],
);

const BORDERS: Sheet = Sheet::of_facts(
    "borders.csv",
    &["a", "b"],
    &[
        ("a", Cell::Text),
        ("b", Cell::Text),
        ("terrain", Cell::Text),
        ("limit", Cell::Integer),
        ("limit_frozen", Cell::Integer),
    ],
);

const SEAS: Sheet = Sheet::of_facts(
    "seas.csv",
    &["id"],
    &[
        ("id", Cell::Text),
        ("name", Cell::Text),
        ("kind", Cell::Text),
        ("entry", Cell::Integer),
        ("freezes", Cell::Flag),
        ("latitude", Cell::Float),
        ("longitude", Cell::Float),
    ],
);

const SEA_LINKS: Sheet = Sheet::of_facts(
    "sea_links.csv",
    &["a", "b"],
    &[("a", Cell::Text), ("b", Cell::Text), ("gate", Cell::Text)],
);

const PORTS: Sheet = Sheet::of_facts(
    "ports.csv",
    &["area", "coast"],
    &[
        ("area", Cell::Text),
        ("coast", Cell::Integer),
        ("name", Cell::Text),
        ("port", Cell::Flag),
        ("seas", Cell::Text),
        ("base", Cell::Flag),
        ("red", Cell::Flag),
    ],
);

const CITIES: Sheet = Sheet::of_facts(
    "cities.csv",
    &["area"],
    &[
        ("area", Cell::Text),
        ("name", Cell::Text),
        ("factory_steps", Cell::Integer),
        ("markers", Cell::Integer),
    ],
);

const RESOURCES: Sheet = Sheet::of_facts(
    "resources.csv",
    &["area"],
    &[("area", Cell::Text), ("value", Cell::Integer), ("use", Cell::Text)],
);

const UNITS: Sheet = Sheet::of_facts(
    "units.csv",
    &["id"],
    &[
        ("id", Cell::Text),
        ("name", Cell::Text),
        ("nation", Cell::Text),
        ("type", Cell::Text),
        ("steps", Cell::Integer),
        ("year", Cell::Integer),
        ("home", Cell::Text),
        ("home_steps", Cell::Integer),
        ("first_step", Cell::Text),
        ("free_for", Cell::Text),
        ("special", Cell::Text),
    ],
);

const CALENDAR: Sheet = Sheet::of_facts(
    "calendar.csv",
    &["turn"],
    &[
        ("turn", Cell::Integer),
        ("year", Cell::Integer),
        ("quarter", Cell::Integer),
        ("season", Cell::Text),
        ("draw", Cell::Integer),
        ("winter", Cell::Flag),
        ("winter_east", Cell::Flag),
    ],
);

const SETUP_CONTROL: Sheet =
    Sheet::of_facts("setup/control.csv", &["area"], &[("area", Cell::Text), ("nation", Cell::Text)]);

const SETUP_UNITS: Sheet = Sheet::of_facts(
    "setup/units.csv",
    &["unit"],
    &[("unit", Cell::Text), ("place", Cell::Text), ("coast", Cell::Integer), ("steps", Cell::Integer)],
);

const SETUP_FACTORIES: Sheet =
    Sheet::of_facts("setup/factories.csv", &["area"], &[("area", Cell::Text), ("steps", Cell::Integer)]);

static SETUPS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/setups");
static EXAMPLES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/examples");

/// The system's data and loader.
pub static SYSTEM: System<Rules> = System {
    id: "victory-in-europe",
    title: "Victory in Europe",
    files: &[
        DataFile::sheet(AREAS, include_str!("../areas.csv")),
        DataFile::sheet(BORDERS, include_str!("../borders.csv")),
        DataFile::sheet(SEAS, include_str!("../seas.csv")),
        DataFile::sheet(SEA_LINKS, include_str!("../sea_links.csv")),
        DataFile::toml("gates.toml", include_str!("../gates.toml")),
        DataFile::sheet(PORTS, include_str!("../ports.csv")),
        DataFile::sheet(CITIES, include_str!("../cities.csv")),
        DataFile::sheet(RESOURCES, include_str!("../resources.csv")),
        DataFile::toml("regions.toml", include_str!("../regions.toml")),
        DataFile::toml("places.toml", include_str!("../places.toml")),
        DataFile::toml("unit_types.toml", include_str!("../unit_types.toml")),
        DataFile::sheet(UNITS, include_str!("../units.csv")),
        DataFile::toml("cards.toml", include_str!("../cards.toml")),
        DataFile::sheet(CALENDAR, include_str!("../calendar.csv")),
        DataFile::toml("powers.toml", include_str!("../powers.toml")),
        DataFile::toml("diplomacy.toml", include_str!("../diplomacy.toml")),
        DataFile::toml("charts.toml", include_str!("../charts.toml")),
        DataFile::toml("victory.toml", include_str!("../victory.toml")),
        DataFile::toml("options.toml", include_str!("../options.toml")),
        DataFile::toml("rulings.toml", include_str!("../rulings.toml")),
        DataFile::SETUP,
        DataFile::setup_sheet(SETUP_CONTROL),
        DataFile::setup_sheet(SETUP_UNITS),
        DataFile::setup_sheet(SETUP_FACTORIES),
    ],
    coverage: include_str!("../rules.csv"),
    setups: &SETUPS,
    examples: &EXAMPLES,
    complete,
    template,
    build,
    describe: |rules| Description::of(rules).to_string(),
    run_examples: examples::run::<Examples>,
};

/// Opens an embedded scenario by name, or the folder of an exported one: [`System::open`].
///
/// # Errors
/// If there is no such scenario, or its data or the overrides are wrong.
pub fn open(name: &str, overrides: &[Override]) -> Result<Scenario<Rules>, LoadError> {
    SYSTEM.open(name, overrides)
}

/// Maps the tree to rules and checks that they agree with themselves.
///
/// # Errors
/// Says what is missing, misspelt, out of range or contradictory, and where.
fn build(tree: &Tree) -> Result<Rules, LoadError> {
    let whole = tree.node();
    let map = map::read(whole)?;
    let counters = units::read(whole, &map)?;
    let cards = cards::read(whole, &map, &counters)?;
    let tables = charts::read(whole, &map)?;
    let (setup, options) = setup::read(whole, &map, &counters, tables.options)?;
    let mut rules = Rules {
        areas: map.areas,
        borders: map.borders,
        seas: map.seas,
        sea_links: map.sea_links,
        gates: map.gates,
        ports: map.ports,
        regions: map.regions,
        places: map.places,
        unit_types: counters.types,
        units: counters.units,
        cards,
        calendar: tables.calendar,
        capitals: tables.capitals,
        alternatives: tables.alternatives,
        resistance: tables.resistance,
        imports: tables.imports,
        charts: tables.charts,
        victory: tables.victory,
        setup,
        options,
    };
    if !rules.options.north_germany_closed {
        for area in map.north_germany {
            rules.areas[area.at()].invadable = true;
        }
    }
    check::check(whole, &rules)?;
    Ok(rules)
}

/// Adds what set-ups may leave out.
fn complete(root: &mut Table) {
    if let Some(Value::Table(setup)) = root.get_mut("setup") {
        setup.entry("patrons").or_insert_with(|| Value::Table(Table::new()));
    }
}

/// Entries an override may add: a unit or a factory on the map, a patron, a unit that mobilises, firepower of a unit type.
fn template(root: &Table, path: &[&str]) -> Option<Value> {
    let knows = |file: &str, id: &str| root.get(file)?.as_table()?.get(id).map(|_| ());
    match path {
        ["setup", "units", unit] => {
            knows("units", unit)?;
            let row = [
                ("place", Value::String(String::new())),
                ("coast", Value::Integer(0)),
                ("steps", Value::Integer(0)),
            ];
            Some(Value::Table(row.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()))
        }
        ["setup", "factories", area] => {
            knows("areas", area)?;
            let row = [("steps".to_owned(), Value::Integer(0))];
            Some(Value::Table(row.into_iter().collect()))
        }
        ["setup", "patrons", nation] => {
            Nation::by_id(nation)?;
            Some(Value::String((*nation).to_owned()))
        }
        ["setup", "usa", "mobilisation", unit] => {
            knows("units", unit)?;
            Some(Value::Integer(0))
        }
        ["unit_types", kind, "special", target] => {
            knows("unit_types", kind)?;
            units::TARGETS.iter().any(|(id, _)| id == target).then_some(Value::Integer(0))
        }
        _ => None,
    }
}

/// Identifiers of nations.
fn nation_names() -> Names {
    Names::new("a nation", Nation::ALL.iter().map(|nation| nation.id().to_owned()))
}

fn nation(node: &Node<'_>) -> Result<Nation, LoadError> {
    nation_names().read(node).map(Nation::of)
}

/// A nation or `none`.
fn nation_or_none(node: &Node<'_>) -> Result<Option<Nation>, LoadError> {
    Ok(nation_names().read_or_none(node)?.map(Nation::of))
}
