//! Unit types and counters (2).

use sandtable_victory_in_europe::UnitId;
use sandtable_victory_in_europe::rules::{Arm, Kind, MAX_UNITS, Target, Unit, UnitType};

use super::map::Map;
use super::{nation, nation_or_none};
use sandtable_scenarios::LoadError;
use sandtable_scenarios::tree::{Names, Node, Whole};

/// Targets by their names in the data (5.4).
pub(super) const TARGETS: [(&str, Target); 6] = [
    ("air", Target::Air),
    ("army", Target::Army),
    ("surface", Target::Surface),
    ("sub", Target::Sub),
    ("convoy", Target::Convoy),
    ("factory", Target::Factory),
];

pub(super) struct Counters {
    pub types: Vec<UnitType>,
    pub units: Vec<Unit>,
    pub names: Names<UnitId>,
}

pub(super) fn read(whole: Whole<'_>, map: &Map) -> Result<Counters, LoadError> {
    let type_rows = whole.at("unit_types")?;
    let type_names = Names::of_rows(&type_rows, "a type of unit", 64)?;
    let types = type_rows.members()?.iter().map(unit_type).collect::<Result<Vec<_>, _>>()?;
    let unit_rows = whole.at("units")?;
    let unit_names = Names::of_rows(&unit_rows, "a unit", MAX_UNITS)?;
    let units =
        unit_rows.members()?.iter().map(|row| unit(row, map, &type_names)).collect::<Result<Vec<_>, _>>()?;
    Ok(Counters { types, units, names: unit_names })
}

/// The kind of unit with an identifier.
pub(super) fn kinds() -> Vec<(&'static str, Kind)> {
    Kind::ALL.into_iter().map(|kind| (kind.id(), kind)).collect()
}

/// Land, air or sea, by kind (2.6).
pub(super) fn arm_of(kind: Kind) -> Arm {
    match kind {
        Kind::Fighter | Kind::HeavyBomber | Kind::MediumBomber | Kind::NavalBomber | Kind::DiveBomber => {
            Arm::Air
        }
        Kind::Carrier
        | Kind::Submarine
        | Kind::Battleship
        | Kind::Battlecruiser
        | Kind::Cruiser
        | Kind::Convoy => Arm::Naval,
        _ => Arm::Army,
    }
}

/// Most firepower: a die has six sides.
const FIRE: u8 = 6;

fn unit_type(entry: &Node<'_>) -> Result<UnitType, LoadError> {
    entry.only(&[
        "kind",
        "arm",
        "class",
        "fire",
        "primary",
        "secondary",
        "special",
        "moves",
        "cost",
        "rebuildable",
    ])?;
    let targets = |key: &str| {
        entry
            .get(key)?
            .items()?
            .iter()
            .try_fold(0, |set, item| Ok(set | item.choose("a target", &TARGETS)?.bit()))
    };
    let mut special = [0; 6];
    for member in entry.get("special")?.members()? {
        let target = target(member.key(), &member)?;
        special[target as usize] = member.byte(0..=FIRE)?;
    }
    Ok(UnitType {
        id: entry.key().to_owned(),
        name: entry.get("name")?.text()?.to_owned(),
        kind: entry.get("kind")?.choose("a kind of unit", &kinds())?,
        arm: entry
            .get("arm")?
            .choose("an arm", &[("army", Arm::Army), ("air", Arm::Air), ("naval", Arm::Naval)])?,
        class: entry.get("class")?.choose("a class", &[("A", 0), ("B", 1), ("C", 2), ("D", 3)])?,
        fire: entry.get("fire")?.byte(0..=FIRE)?,
        primary: targets("primary")?,
        secondary: targets("secondary")?,
        special,
        moves: entry.get("moves")?.byte(0..=20)?,
        cost: entry.get("cost")?.byte(1..=20)?,
        rebuildable: entry.get("rebuildable")?.flag()?,
    })
}

fn target(id: &str, node: &Node<'_>) -> Result<Target, LoadError> {
    let names: Names = Names::new("a target", TARGETS.iter().map(|(id, _)| (*id).to_owned()));
    names.find(id, node).map(|at| TARGETS[at as usize].1)
}

fn unit(row: &Node<'_>, map: &Map, types: &Names) -> Result<Unit, LoadError> {
    // The engine keeps steps in three bits.
    let steps = row.get("steps")?.byte(1..=7)?;
    let home = map.area_names.read_or_none(&row.get("home")?)?;
    let home_steps = row.get("home_steps")?.byte(0..=steps)?;
    if home.is_some() != (home_steps > 0) {
        return Err(row.get("home_steps")?.inconsistent("`home` and `home_steps` go together"));
    }
    let node = row.get("special")?;
    let mut special = [0; 6];
    for word in node.words()? {
        let pair = word.split_once('=').and_then(|(id, fire)| Some((id, fire.parse::<u8>().ok()?)));
        let Some((id, fire)) = pair.filter(|&(_, fire)| fire <= FIRE) else {
            return Err(node.inconsistent(format!(
                "`{word}` is not a target and its firepower, 0 to {FIRE}, as in `surface=3`"
            )));
        };
        special[target(id, &node)? as usize] = fire;
    }
    Ok(Unit {
        id: row.key().to_owned(),
        name: row.get("name")?.text()?.to_owned(),
        nation: nation(&row.get("nation")?)?,
        kind: types.read(&row.get("type")?)?,
        steps,
        year: row.get("year")?.integer(1900..=2100)? as u16,
        home: home.map(|area| (area, home_steps)),
        special,
        first_step: map.area_names.read_or_none(&row.get("first_step")?)?,
        free_for: nation_or_none(&row.get("free_for")?)?,
    })
}
