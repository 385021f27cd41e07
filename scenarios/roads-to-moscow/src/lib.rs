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
pub use example::Examples;
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
        ("partner", Cell::Flag),
        ("engineer", Cell::Flag),
        ("leads_overrun", Cell::Flag),
        ("mobile", Cell::Flag),
        ("swims", Cell::Flag),
        ("bridge_zoc", Cell::Flag),
        ("slips", Cell::Flag),
        ("follows", Cell::Flag),
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
