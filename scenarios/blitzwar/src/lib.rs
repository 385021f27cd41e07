//! The scenarios of `BlitzWar`: its data, how they become [`Rules`], and the words of its worked examples.
//!
//! ```
//! use sandtable_scenarios_blitzwar::{Override, open};
//!
//! let edit = Override::parse("combat.modifiers.air_superiority=1")?;
//! let scenario = open("blitzwar/campaign-1939", &[edit])?;
//! assert_eq!(scenario.rules().charts.shifts.attacker_air, 1);
//! # Ok::<(), sandtable_scenarios_blitzwar::LoadError>(())
//! ```

mod charts;
mod check;
mod counters;
mod describe;
mod diplomacy;
mod example;
mod map;
mod setup;

use include_dir::{Dir, include_dir};
use sandtable_blitzwar::nation::{Country, Force, Nation};
use sandtable_blitzwar::rules::Rules;
use toml::{Table, Value};

pub use describe::{Description, NationUnits};
pub use example::{Battle, Examples};
pub use sandtable_scenarios::example::battle::{BattleText, Battles, battles_in, example_battle};
pub use sandtable_scenarios::{AnySystem, LoadError, Override, Problem, Scenario, SourceFile};

use sandtable_scenarios::tree::{Cell, Names, Node, Sheet, Tree};
use sandtable_scenarios::{DataFile, System, example as examples};

/// Kinds of unit a set-up entry may hold.
const UNIT_KINDS: [&str; 7] = ["infantry", "armour", "air", "fleet", "submarine", "supply", "fortified"];

const ZONES: Sheet = Sheet::of_facts(
    "map/zones.csv",
    &["id"],
    &[
        ("id", Cell::Text),
        ("name", Cell::Text),
        ("country", Cell::Text),
        ("eastern_poland", Cell::Flag),
        ("terrain", Cell::Text),
        ("fortress", Cell::Flag),
        ("port", Cell::Flag),
        ("naval_base", Cell::Flag),
        ("capital", Cell::Flag),
        ("supply_zone", Cell::Text),
        ("general_point", Cell::Flag),
        ("side_point", Cell::Text),
        ("vichy", Cell::Flag),
        ("snow", Cell::Flag),
        ("corps_limit", Cell::Integer),
        ("unlimited", Cell::Flag),
        ("latitude", Cell::Float),
        ("longitude", Cell::Float),
    ],
);

const LINKS: Sheet = Sheet::of_facts(
    "map/links.csv",
    &["a", "b"],
    &[
        ("a", Cell::Text),
        ("b", Cell::Text),
        ("kind", Cell::Text),
        ("river", Cell::Text),
        ("fortified", Cell::Text),
    ],
);

const COASTS: Sheet = Sheet::of_facts(
    "map/coasts.csv",
    &["zone", "sea"],
    &[("zone", Cell::Text), ("sea", Cell::Text), ("port", Cell::Flag), ("beach", Cell::Flag)],
);

const SEAS: Sheet = Sheet::of_facts(
    "map/seas.csv",
    &["id"],
    &[
        ("id", Cell::Text),
        ("name", Cell::Text),
        ("basin", Cell::Text),
        ("neighbours", Cell::Text),
        ("straits", Cell::Text),
    ],
);

const CALENDAR: Sheet = Sheet::of_facts(
    "calendar.csv",
    &["turn"],
    &[
        ("turn", Cell::Integer),
        ("year", Cell::Integer),
        ("season", Cell::Text),
        ("half", Cell::Integer),
        ("weather", Cell::Text),
        ("snow_blitz_axis", Cell::Flag),
        ("snow_blitz_allied", Cell::Flag),
        ("snow_blitz_soviet", Cell::Flag),
        ("mark1", Cell::Flag),
        ("mark2", Cell::Flag),
        ("bombing", Cell::Integer),
        ("naval", Cell::Text),
    ],
);

const CARDS: Sheet = Sheet::of_facts(
    "cards.csv",
    &["id"],
    &[
        ("id", Cell::Text),
        ("side", Cell::Text),
        ("kind", Cell::Text),
        ("name", Cell::Text),
        ("infantry", Cell::Integer),
        ("armour", Cell::Integer),
        ("air", Cell::Integer),
        ("fleet", Cell::Integer),
        ("submarine", Cell::Integer),
        ("supply", Cell::Integer),
        ("development", Cell::Integer),
    ],
);

static SETUPS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/setups");
static EXAMPLES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/examples");

/// The system's data and loader.
pub static SYSTEM: System<Rules> = System {
    id: "blitzwar",
    title: "BlitzWar",
    files: &[
        DataFile::sheet(ZONES, include_str!("../map/zones.csv")),
        DataFile::sheet(LINKS, include_str!("../map/links.csv")),
        DataFile::sheet(COASTS, include_str!("../map/coasts.csv")),
        DataFile::sheet(SEAS, include_str!("../map/seas.csv")),
        DataFile::toml("map/areas.toml", include_str!("../map/areas.toml")),
        DataFile::toml("counters.toml", include_str!("../counters.toml")),
        DataFile::sheet(CALENDAR, include_str!("../calendar.csv")),
        DataFile::toml("combat.toml", include_str!("../combat.toml")),
        DataFile::sheet(CARDS, include_str!("../cards.csv")),
        DataFile::toml("diplomacy.toml", include_str!("../diplomacy.toml")),
        DataFile::toml("costs.toml", include_str!("../costs.toml")),
        DataFile::toml("limits.toml", include_str!("../limits.toml")),
        DataFile::toml("victory.toml", include_str!("../victory.toml")),
        DataFile::toml("options.toml", include_str!("../options.toml")),
        DataFile::toml("rulings.toml", include_str!("../rulings.toml")),
        DataFile::SETUP,
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
    let counters = counters::read(whole)?;
    let charts = charts::read(whole)?;
    let diplomacy = diplomacy::read(whole, &map)?;
    let setup = setup::read(whole, &map, &counters)?;
    let rules = Rules {
        zones: map.zones,
        links: map.links,
        coasts: map.coasts,
        seas: map.seas,
        counter_types: counters.types,
        calendar: charts.calendar,
        charts: charts.combat,
        decks: charts.decks,
        costs: charts.costs,
        countries: diplomacy.countries,
        dates: diplomacy.dates,
        limits: charts.limits,
        options: charts.options,
        victory_surrender: charts.victory_surrender,
        victory_points: charts.victory_points,
        regions: map.regions,
        landmarks: map.landmarks,
        setup,
    };
    check::check(whole, &rules)?;
    Ok(rules)
}

/// Adds the zeros that set-ups leave out, so that every unit kind and timer has a path.
fn complete(root: &mut Table) {
    let Some(Value::Table(setup)) = root.get_mut("setup") else { return };
    if let Some(Value::Table(nations)) = setup.get_mut("units") {
        for (_, nation) in nations.iter_mut() {
            let Value::Table(nation) = nation else { continue };
            for (_, units) in nation.iter_mut() {
                if let Value::Table(units) = units {
                    fill_units(units);
                }
            }
        }
    }
    for key in ["timers", "released", "control", "countries", "units"] {
        setup.entry(key).or_insert_with(|| Value::Table(Table::new()));
    }
    for side in Force::ALL {
        if let Some(Value::Table(control)) = setup.get_mut("control")
            && let Value::Table(control) =
                control.entry(side.id()).or_insert_with(|| Value::Table(Table::new()))
        {
            for key in ["countries", "zones"] {
                control.entry(key).or_insert_with(|| Value::Array(Vec::new()));
            }
        }
    }
    if let Some(Value::Table(timers)) = setup.get_mut("timers") {
        for (key, value) in setup::timer_defaults() {
            timers.entry(key).or_insert(value);
        }
    }
    for key in ["broken_lines", "free", "later", "victory"] {
        setup.entry(key).or_insert_with(|| Value::Array(Vec::new()));
    }
}

fn fill_units(units: &mut Table) {
    for kind in UNIT_KINDS {
        units.entry(kind).or_insert(if kind == "supply" { Value::Float(0.0) } else { Value::Integer(0) });
    }
}

/// Entries an override may add: units of a nation in a place, released counters.
fn template(root: &Table, path: &[&str]) -> Option<Value> {
    let knows = |file: [&str; 2], id: &str| {
        let table = root.get(file[0])?.as_table()?;
        let table = if file[1].is_empty() { table } else { table.get(file[1])?.as_table()? };
        table.get(id).map(|_| ())
    };
    match path {
        ["setup", "units", nation] => {
            Nation::from_id(nation)?;
            Some(Value::Table(Table::new()))
        }
        ["setup", "units", nation, place] => {
            Nation::from_id(nation)?;
            knows(["map", "zones"], place).or_else(|| knows(["map", "seas"], place))?;
            let mut units = Table::new();
            fill_units(&mut units);
            Some(Value::Table(units))
        }
        ["setup", "released", counter] => {
            knows(["counters", ""], counter)?;
            Some(Value::Integer(0))
        }
        _ => None,
    }
}

/// Identifiers of countries.
fn country_names() -> Names {
    Names::new("a country", Country::ALL.iter().map(|country| country.id().to_owned()))
}

/// Identifiers of nations.
fn nation_names() -> Names {
    Names::new("a nation", Nation::ALL.iter().map(|nation| nation.id().to_owned()))
}

fn country(node: &Node<'_>) -> Result<Country, LoadError> {
    Ok(Country::ALL[country_names().read(node)? as usize])
}

fn side(node: &Node<'_>) -> Result<Force, LoadError> {
    node.choose("a side", &Force::ALL.map(|force| (force.id(), force)))
}

/// A side or `none`.
fn side_or_none(node: &Node<'_>) -> Result<Option<Force>, LoadError> {
    let [axis, allied, soviet] = Force::ALL.map(|force| (force.id(), Some(force)));
    node.choose("a side", &[("none", None), axis, allied, soviet])
}
