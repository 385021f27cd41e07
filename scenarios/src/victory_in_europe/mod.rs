//! Victory in Europe: maps the data tree to [`Rules`].

mod cards;
mod charts;
mod check;
mod describe;
pub mod example;
mod map;
mod setup;
mod units;

use sandtable_core::AreaSet;
use sandtable_victory_in_europe::Rules;
use sandtable_victory_in_europe::nation::Nation;
use sandtable_victory_in_europe::rules::Areas;
use toml::{Table, Value};

pub use describe::{Description, ForceFigures};

use crate::error::LoadError;
use crate::tree::{Cell, Names, Node, Sheet, Tree};
use crate::{FileSpec, System, SystemRules};

const AREAS: Sheet = Sheet {
    file: "areas.csv",
    key: &["id"],
    columns: &[
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
        ("provenance", Cell::Text),
        ("basis", Cell::Text),
    ],
};

const BORDERS: Sheet = Sheet {
    file: "borders.csv",
    key: &["a", "b"],
    columns: &[
        ("a", Cell::Text),
        ("b", Cell::Text),
        ("terrain", Cell::Text),
        ("limit", Cell::Integer),
        ("limit_frozen", Cell::Integer),
        ("provenance", Cell::Text),
        ("basis", Cell::Text),
    ],
};

const SEAS: Sheet = Sheet {
    file: "seas.csv",
    key: &["id"],
    columns: &[
        ("id", Cell::Text),
        ("name", Cell::Text),
        ("kind", Cell::Text),
        ("entry", Cell::Integer),
        ("freezes", Cell::Flag),
        ("latitude", Cell::Float),
        ("longitude", Cell::Float),
        ("provenance", Cell::Text),
        ("basis", Cell::Text),
    ],
};

const SEA_LINKS: Sheet = Sheet {
    file: "sea_links.csv",
    key: &["a", "b"],
    columns: &[
        ("a", Cell::Text),
        ("b", Cell::Text),
        ("gate", Cell::Text),
        ("provenance", Cell::Text),
        ("basis", Cell::Text),
    ],
};

const PORTS: Sheet = Sheet {
    file: "ports.csv",
    key: &["area", "coast"],
    columns: &[
        ("area", Cell::Text),
        ("coast", Cell::Integer),
        ("name", Cell::Text),
        ("port", Cell::Flag),
        ("seas", Cell::Text),
        ("base", Cell::Flag),
        ("red", Cell::Flag),
        ("provenance", Cell::Text),
        ("basis", Cell::Text),
    ],
};

const CITIES: Sheet = Sheet {
    file: "cities.csv",
    key: &["area"],
    columns: &[
        ("area", Cell::Text),
        ("name", Cell::Text),
        ("factory_steps", Cell::Integer),
        ("markers", Cell::Integer),
        ("provenance", Cell::Text),
        ("basis", Cell::Text),
    ],
};

const RESOURCES: Sheet = Sheet {
    file: "resources.csv",
    key: &["area"],
    columns: &[
        ("area", Cell::Text),
        ("value", Cell::Integer),
        ("use", Cell::Text),
        ("provenance", Cell::Text),
        ("basis", Cell::Text),
    ],
};

const UNITS: Sheet = Sheet {
    file: "units.csv",
    key: &["id"],
    columns: &[
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
        ("provenance", Cell::Text),
        ("basis", Cell::Text),
    ],
};

const CALENDAR: Sheet = Sheet {
    file: "calendar.csv",
    key: &["turn"],
    columns: &[
        ("turn", Cell::Integer),
        ("year", Cell::Integer),
        ("quarter", Cell::Integer),
        ("season", Cell::Text),
        ("draw", Cell::Integer),
        ("winter", Cell::Flag),
        ("winter_east", Cell::Flag),
        ("provenance", Cell::Text),
        ("basis", Cell::Text),
    ],
};

const SETUP_CONTROL: Sheet = Sheet {
    file: "setup/control.csv",
    key: &["area"],
    columns: &[
        ("area", Cell::Text),
        ("nation", Cell::Text),
        ("provenance", Cell::Text),
        ("basis", Cell::Text),
    ],
};

const SETUP_UNITS: Sheet = Sheet {
    file: "setup/units.csv",
    key: &["unit"],
    columns: &[
        ("unit", Cell::Text),
        ("place", Cell::Text),
        ("coast", Cell::Integer),
        ("steps", Cell::Integer),
        ("provenance", Cell::Text),
        ("basis", Cell::Text),
    ],
};

const SETUP_FACTORIES: Sheet = Sheet {
    file: "setup/factories.csv",
    key: &["area"],
    columns: &[
        ("area", Cell::Text),
        ("steps", Cell::Integer),
        ("provenance", Cell::Text),
        ("basis", Cell::Text),
    ],
};

pub(crate) const SYSTEM: System = System {
    id: "victory-in-europe",
    title: "Victory in Europe",
    summary: "The Second World War in Europe in turns of a quarter: blocks in the fog of war, command cards, politics.",
    files: &[
        FileSpec::Sheet(AREAS),
        FileSpec::Sheet(BORDERS),
        FileSpec::Sheet(SEAS),
        FileSpec::Sheet(SEA_LINKS),
        FileSpec::Toml("gates.toml"),
        FileSpec::Sheet(PORTS),
        FileSpec::Sheet(CITIES),
        FileSpec::Sheet(RESOURCES),
        FileSpec::Toml("regions.toml"),
        FileSpec::Toml("places.toml"),
        FileSpec::Toml("unit_types.toml"),
        FileSpec::Sheet(UNITS),
        FileSpec::Toml("cards.toml"),
        FileSpec::Sheet(CALENDAR),
        FileSpec::Toml("powers.toml"),
        FileSpec::Toml("diplomacy.toml"),
        FileSpec::Toml("charts.toml"),
        FileSpec::Toml("victory.toml"),
        FileSpec::Toml("options.toml"),
        FileSpec::Toml("rulings.toml"),
        // The set-up's own file comes before its tables, which lie below it in the tree.
        FileSpec::Toml("setup.toml"),
        FileSpec::Sheet(SETUP_CONTROL),
        FileSpec::Sheet(SETUP_UNITS),
        FileSpec::Sheet(SETUP_FACTORIES),
    ],
    complete,
    template,
    build: |tree| build(tree).map(|rules| SystemRules::VictoryInEurope(Box::new(rules))),
};

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
            rules.areas[area as usize].invadable = true;
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
    if node.text()? == "none" { Ok(None) } else { nation(node).map(Some) }
}

/// A name or `none`.
fn name_or_none(node: &Node<'_>, names: &Names) -> Result<Option<u8>, LoadError> {
    if node.text()? == "none" { Ok(None) } else { names.read(node).map(Some) }
}

/// The areas of a list.
fn area_set(node: &Node<'_>, areas: &Names) -> Result<Areas, LoadError> {
    let mut set = AreaSet::EMPTY;
    for item in node.items()? {
        set.insert(areas.read(&item)?);
    }
    Ok(set)
}
