//! The scenarios of Roads to Moscow: its data, how they become [`Rules`], and the words of its worked examples.

mod calendar;
mod charts;
mod check;
mod describe;
mod example;
mod map;
mod setup;
mod units;

use include_dir::{Dir, include_dir};
use sandtable_roads_to_moscow::Rules;
use toml::{Table, Value};

pub use describe::Description;
pub use example::{Battle, Examples};
pub use sandtable_scenarios::example::battle::{BattleText, Battles, battles_in, example_battle};
pub use sandtable_scenarios::{AnySystem, LoadError, Override, Problem, Scenario, SourceFile};

use sandtable_scenarios::tree::{Cell, Sheet, Tree};
use sandtable_scenarios::{DataFile, System, example as examples};

const HEX_COLUMNS: &[(&str, Cell)] =
    &[("hex", Cell::Text), ("terrain", Cell::Text), ("settlement", Cell::Text)];

const SIDE_COLUMNS: &[(&str, Cell)] = &[
    ("a", Cell::Text),
    ("b", Cell::Text),
    ("water", Cell::Text),
    ("bridge", Cell::Flag),
    ("slope", Cell::Text),
    ("fort_line", Cell::Text),
    ("paths", Cell::Text),
    ("names", Cell::Text),
];

const MOZHAYSK_HEXES: Sheet = Sheet::of_facts("maps/mozhaysk/hexes.csv", &["hex"], HEX_COLUMNS);
const MOZHAYSK_SIDES: Sheet = Sheet::of_facts("maps/mozhaysk/sides.csv", &["a", "b"], SIDE_COLUMNS);
const MTSENSK_HEXES: Sheet = Sheet::of_facts("maps/mtsensk/hexes.csv", &["hex"], HEX_COLUMNS);
const MTSENSK_SIDES: Sheet = Sheet::of_facts("maps/mtsensk/sides.csv", &["a", "b"], SIDE_COLUMNS);

const PLACES: Sheet = Sheet::of_facts(
    "places.csv",
    &["id"],
    &[("id", Cell::Text), ("name", Cell::Text), ("map", Cell::Text), ("hex", Cell::Text)],
);

const FORMATIONS: Sheet = Sheet::of_facts(
    "formations.csv",
    &["id"],
    &[
        ("id", Cell::Text),
        ("name", Cell::Text),
        ("side", Cell::Text),
        ("map", Cell::Text),
        ("kind", Cell::Text),
        ("markers", Cell::Integer),
        ("value", Cell::Integer),
    ],
);

const UNIT_TYPES: Sheet = Sheet::of_facts(
    "unit_types.csv",
    &["id"],
    &[
        ("id", Cell::Text),
        ("name", Cell::Text),
        ("combat", Cell::Flag),
        ("digs", Cell::Flag),
        ("digs_in_winter", Cell::Flag),
        ("combined_arms", Cell::Flag),
        ("engineer", Cell::Flag),
        ("leads_overrun", Cell::Flag),
        ("mobile", Cell::Flag),
        ("crosses_river", Cell::Flag),
        ("bridge_zoc", Cell::Flag),
        ("retreats_through_zoc", Cell::Flag),
        ("orange_advances", Cell::Flag),
    ],
);

const UNITS: Sheet = Sheet::of_facts(
    "units.csv",
    &["id"],
    &[
        ("id", Cell::Text),
        ("name", Cell::Text),
        ("side", Cell::Text),
        ("nation", Cell::Text),
        ("map", Cell::Text),
        ("formation", Cell::Text),
        ("type", Cell::Text),
        ("size", Cell::Text),
        ("steps", Cell::Integer),
        ("stack", Cell::Integer),
        ("er", Cell::Integer),
        ("attack", Cell::Integer),
        ("defence", Cell::Integer),
        ("move", Cell::Integer),
        ("reduced_er", Cell::Integer),
        ("reduced_attack", Cell::Integer),
        ("reduced_defence", Cell::Integer),
        ("reduced_move", Cell::Integer),
        ("support", Cell::Integer),
        ("range", Cell::Integer),
        ("offensive_only", Cell::Flag),
        ("class", Cell::Text),
        ("vehicle", Cell::Flag),
        ("armoured", Cell::Flag),
        ("red_defence", Cell::Flag),
        ("limited_zoc", Cell::Flag),
        ("command", Cell::Integer),
    ],
);

const AIR_UNITS: Sheet = Sheet::of_facts(
    "air_units.csv",
    &["id"],
    &[
        ("id", Cell::Text),
        ("name", Cell::Text),
        ("side", Cell::Text),
        ("map", Cell::Text),
        ("cas", Cell::Integer),
        ("er", Cell::Integer),
    ],
);

const CALENDAR: Sheet = Sheet::of_facts(
    "calendar.csv",
    &["map", "turn"],
    &[
        ("map", Cell::Text),
        ("turn", Cell::Text),
        ("date", Cell::Text),
        ("dry", Cell::Integer),
        ("overcast", Cell::Integer),
        ("historical", Cell::Text),
        ("winter", Cell::Flag),
    ],
);

/// Both tables have a column for each odds; the Mobile one has one more (10.53).
const ASSAULT: Sheet = Sheet::of_facts(
    "combat/assault.csv",
    &["roll"],
    &[
        ("roll", Cell::Integer),
        ("1-4", Cell::Text),
        ("1-3", Cell::Text),
        ("1-2", Cell::Text),
        ("1-1", Cell::Text),
        ("3-2", Cell::Text),
        ("2-1", Cell::Text),
        ("3-1", Cell::Text),
        ("4-1", Cell::Text),
        ("5-1", Cell::Text),
        ("6-1", Cell::Text),
        ("7-1", Cell::Text),
    ],
);
const MOBILE: Sheet = Sheet::of_facts(
    "combat/mobile.csv",
    &["roll"],
    &[
        ("roll", Cell::Integer),
        ("1-4", Cell::Text),
        ("1-3", Cell::Text),
        ("1-2", Cell::Text),
        ("1-1", Cell::Text),
        ("3-2", Cell::Text),
        ("2-1", Cell::Text),
        ("3-1", Cell::Text),
        ("4-1", Cell::Text),
        ("5-1", Cell::Text),
        ("6-1", Cell::Text),
        ("7-1", Cell::Text),
        ("8-1", Cell::Text),
    ],
);

const SETUP_UNITS: Sheet = Sheet::of_facts(
    "setup/units.csv",
    &["unit"],
    &[("unit", Cell::Text), ("place", Cell::Text), ("turn", Cell::Text), ("group", Cell::Text)],
);
const SETUP_OBJECTIVES: Sheet =
    Sheet::of_facts("setup/objectives.csv", &["hex"], &[("hex", Cell::Text), ("points", Cell::Integer)]);

static SETUPS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/setups");
static EXAMPLES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/examples");

/// The system's data and loader.
pub static SYSTEM: System<Rules> = System {
    id: "roads-to-moscow",
    title: "Roads to Moscow",
    files: &[
        DataFile::toml("maps.toml", include_str!("../maps.toml")),
        DataFile::sheet(MOZHAYSK_HEXES, include_str!("../maps/mozhaysk/hexes.csv")),
        DataFile::sheet(MOZHAYSK_SIDES, include_str!("../maps/mozhaysk/sides.csv")),
        DataFile::sheet(MTSENSK_HEXES, include_str!("../maps/mtsensk/hexes.csv")),
        DataFile::sheet(MTSENSK_SIDES, include_str!("../maps/mtsensk/sides.csv")),
        DataFile::sheet(PLACES, include_str!("../places.csv")),
        DataFile::toml("terrain.toml", include_str!("../terrain.toml")),
        DataFile::sheet(FORMATIONS, include_str!("../formations.csv")),
        DataFile::sheet(UNIT_TYPES, include_str!("../unit_types.csv")),
        DataFile::sheet(UNITS, include_str!("../units.csv")),
        DataFile::sheet(AIR_UNITS, include_str!("../air_units.csv")),
        DataFile::sheet(CALENDAR, include_str!("../calendar.csv")),
        DataFile::sheet(ASSAULT, include_str!("../combat/assault.csv")),
        DataFile::sheet(MOBILE, include_str!("../combat/mobile.csv")),
        DataFile::toml("coordination.toml", include_str!("../coordination.toml")),
        DataFile::toml("charts.toml", include_str!("../charts.toml")),
        DataFile::toml("fuel.toml", include_str!("../fuel.toml")),
        DataFile::toml("victory.toml", include_str!("../victory.toml")),
        DataFile::toml("options.toml", include_str!("../options.toml")),
        DataFile::toml("rulings.toml", include_str!("../rulings.toml")),
        DataFile::SETUP,
        DataFile::setup_sheet(SETUP_UNITS),
        DataFile::setup_sheet(SETUP_OBJECTIVES),
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
    let sheet = setup::sheet(whole)?;
    let map = map::read(whole, &sheet)?;
    let turns = calendar::read(whole, &sheet)?;
    let counters = units::read(whole, &sheet)?;
    let setup = setup::read(whole, &map, &turns, &counters)?;
    let rules = Rules {
        fuel: charts::fuel(whole, &setup)?,
        scenario: setup.scenario,
        terrain: charts::terrain(whole)?,
        results: charts::results(whole)?,
        coordination: charts::coordination(whole)?,
        calendar: turns.of_scenario(),
        kinds: counters.kinds,
        formations: counters.formations,
        markers: setup.markers,
        units: counters.units,
        air: setup.air,
        entries: setup.entries,
        groups: setup.groups,
        numbers: charts::numbers(whole)?,
        options: charts::options(whole)?,
        map: map.sheet,
    };
    check::check(whole, &rules)?;
    Ok(rules)
}

/// Tables of a set-up that most do without, each empty.
const OPTIONAL_TABLES: [&str; 1] = ["groups"];

/// Adds what set-ups may leave out.
fn complete(root: &mut Table) {
    if let Some(Value::Table(setup)) = root.get_mut("setup") {
        for table in OPTIONAL_TABLES {
            setup.entry(table).or_insert_with(|| Value::Table(Table::new()));
        }
    }
}

/// Entries an override may add: a unit of the map, an objective, a plain hexside.
fn template(root: &Table, path: &[&str]) -> Option<Value> {
    let knows = |file: &str, id: &str| root.get(file)?.as_table()?.get(id).map(|_| ());
    let text = |words: &[(&str, &str)]| {
        let row = words.iter().map(|&(key, word)| (key.to_owned(), Value::String(word.to_owned())));
        row.collect::<Table>()
    };
    match path {
        ["setup", "units", unit] => {
            knows("units", unit)?;
            Some(Value::Table(text(&[("place", ""), ("turn", "start"), ("group", "none")])))
        }
        ["setup", "objectives", hex] => {
            let map = root.get("setup")?.get("map")?.as_str()?;
            root.get("maps")?.get(map)?.get("hexes")?.get(hex)?;
            Some(Value::Table([("points".to_owned(), Value::Integer(0))].into_iter().collect()))
        }
        ["maps", map, "sides", side] => {
            let (a, b) = side.split_once('-')?;
            let hexes = root.get("maps")?.get(map)?.get("hexes")?;
            hexes.get(a)?;
            hexes.get(b)?;
            let plain = ["water", "slope", "fort_line", "paths", "names"].map(|key| (key, "none"));
            let mut row = text(&[("a", a), ("b", b)]);
            row.extend(text(&plain));
            row.insert("bridge".to_owned(), Value::Boolean(false));
            Some(Value::Table(row))
        }
        _ => None,
    }
}
