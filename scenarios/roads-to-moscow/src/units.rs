//! Types of unit, formations, ground and air units of a map (2.2, 3.14, 4.2, 13.0).

use sandtable_core::Index;
use sandtable_roads_to_moscow::ids::{FormationId, MAX_FORMATIONS, MAX_UNITS, Player, UnitId};
use sandtable_roads_to_moscow::rules::{
    AirUnit, Belongs, Face, Formation, Kind, KindTraits, MoveClass, Unit,
};

use sandtable_scenarios::LoadError;
use sandtable_scenarios::tree::{Names, Node, Whole};

/// Sides by their names in the data.
pub(super) const PLAYERS: [(&str, Player); 2] = [("german", Player::German), ("soviet", Player::Soviet)];

/// Sizes by the marks of the counters.
const SIZES: [(&str, ()); 6] = [("none", ()), ("I", ()), ("II", ()), ("III", ()), ("X", ()), ("XX", ())];

const CLASSES: [(&str, MoveClass); 3] =
    [("foot", MoveClass::Foot), ("orange_circle", MoveClass::Orange), ("red_box", MoveClass::Red)];

/// Greatest value on a counter.
const MOST: u8 = 30;

/// Counters of the map of a scenario.
pub(super) struct Counters {
    pub kinds: [KindTraits; 20],
    pub formations: Vec<Formation>,
    pub formation_names: Names<FormationId>,
    /// Markers that each formation has (4.24).
    pub markers: Vec<u8>,
    pub units: Vec<Unit>,
    pub unit_names: Names<UnitId>,
    /// Air units of the map, whether or not the scenario has them.
    pub air: Vec<AirUnit>,
}

/// Reads the counters of a map.
pub(super) fn read(whole: Whole<'_>, map: &str) -> Result<Counters, LoadError> {
    let kinds = kinds(whole)?;
    let of_map = |rows: Node<'_>| -> Result<_, LoadError> {
        let mut own = Vec::new();
        for row in rows.members()? {
            let of = row.get("map")?;
            if whole.at("maps")?.find(of.text()?)?.is_none() {
                let near = sandtable_scenarios::nearest(of.text()?, ["mozhaysk", "mtsensk"]);
                let (value, what) = (of.text()?.into(), "a map".into());
                return Err(of.error(sandtable_scenarios::Problem::UnknownName { value, what, near }));
            }
            if of.text()? == map {
                own.push(row.key().to_owned());
            }
        }
        Ok(own)
    };
    let rows = whole.at("formations")?;
    let own = of_map(whole.at("formations")?)?;
    let (mut formations, mut markers) = (Vec::new(), Vec::new());
    for id in &own {
        let row = rows.get(id)?;
        markers.push(row.get("markers")?.byte(1..=8)?);
        formations.push(Formation {
            id: id.clone(),
            name: row.get("name")?.text()?.to_owned(),
            player: row.get("side")?.choose("a side", &PLAYERS)?,
            combination: row.get("value")?.byte(0..=10)?,
            any: row.get("kind")?.choose("a kind of marker", &[("formation", false), ("any", true)])?,
        });
    }
    room(&rows, formations.len(), MAX_FORMATIONS, "formations")?;
    let formation_names = Names::new("a formation of this map", own);
    let rows = whole.at("units")?;
    let own = of_map(whole.at("units")?)?;
    room(&rows, own.len(), MAX_UNITS, "units")?;
    let mut units = Vec::new();
    for id in &own {
        units.push(unit(whole, &rows.get(id)?, &formation_names, &formations)?);
    }
    let rows = whole.at("air_units")?;
    let mut air = Vec::new();
    for id in of_map(whole.at("air_units")?)? {
        let row = rows.get(&id)?;
        air.push(AirUnit {
            name: row.get("name")?.text()?.to_owned(),
            player: row.get("side")?.choose("a side", &PLAYERS)?,
            cas: row.get("cas")?.byte(0..=5)?,
            efficiency: row.get("er")?.byte(1..=10)?,
            turn: 1,
            id,
        });
    }
    let unit_names = Names::new("a unit of this map", own);
    Ok(Counters { kinds, formations, formation_names, markers, units, unit_names, air })
}

fn room(rows: &Node<'_>, count: usize, most: usize, what: &str) -> Result<(), LoadError> {
    if (1..=most).contains(&count) {
        return Ok(());
    }
    Err(rows.inconsistent(format!("a map has {count} {what}; the engine takes 1 to {most}")))
}

/// Types in the order of their numbers: each stands there once.
fn kinds(whole: Whole<'_>) -> Result<[KindTraits; 20], LoadError> {
    let rows = whole.at("unit_types")?;
    let ids = Kind::ALL.map(Kind::id);
    rows.only(&ids)?;
    let mut kinds = [KindTraits::default(); 20];
    for kind in Kind::ALL {
        let row = rows.get(kind.id())?;
        let flag = |key: &str| row.get(key)?.flag();
        kinds[kind as usize] = KindTraits {
            combat: flag("combat")?,
            digs: flag("digs")?,
            digs_in_winter: flag("digs_in_winter")?,
            combined_arms: flag("combined_arms")?,
            engineer: flag("engineer")?,
            leads_overrun: flag("leads_overrun")?,
            enables_mobile: flag("mobile")?,
            crosses_river: flag("crosses_river")?,
            zoc_needs_bridge: flag("bridge_zoc")?,
            retreats_through_zoc: flag("retreats_through_zoc")?,
            orange_advances: flag("orange_advances")?,
        };
    }
    Ok(kinds)
}

fn unit(
    whole: Whole<'_>,
    row: &Node<'_>,
    names: &Names<FormationId>,
    formations: &[Formation],
) -> Result<Unit, LoadError> {
    let player = row.get("side")?.choose("a side", &PLAYERS)?;
    let kinds: Vec<(&str, Kind)> = Kind::ALL.map(|kind| (kind.id(), kind)).to_vec();
    let kind = row.get("type")?.choose("a type of unit", &kinds)?;
    let formation = row.get("formation")?;
    let belongs = match formation.text()? {
        "army" => Belongs::Army,
        "leader" | "fuel" => Belongs::Nobody,
        _ => Belongs::Formation(names.read(&formation)?),
    };
    if let Belongs::Formation(of) = belongs
        && (formations[of.at()].player != player || formations[of.at()].any)
    {
        return Err(formation.inconsistent("it is no formation of the unit's side"));
    }
    if matches!(kind, Kind::Leader | Kind::Fuel) != (belongs == Belongs::Nobody) {
        return Err(formation.inconsistent("leaders and fuel units, and no others, belong to nobody (3.14)"));
    }
    let steps = row.get("steps")?.byte(0..=2)?;
    let face = |prefix: &str| -> Result<Face, LoadError> {
        let value = |key: &str| row.get(&format!("{prefix}{key}"))?.byte(0..=MOST);
        Ok(Face {
            efficiency: value("er")?,
            offence: value("attack")?,
            defence: value("defence")?,
            movement: value("move")?,
        })
    };
    let full = face("")?;
    let reduced = if steps == 2 { face("reduced_")? } else { full };
    let worse = reduced.efficiency <= full.efficiency
        && reduced.offence <= full.offence
        && reduced.defence <= full.defence
        && reduced.movement <= full.movement;
    if !worse {
        return Err(row.get("reduced_er")?.inconsistent("the reduced face is better than the full one"));
    }
    if steps > 0 && (full.defence == 0 || reduced.defence == 0 || full.efficiency == 0) {
        return Err(row.get("defence")?.inconsistent("every combat unit has a defence and a rating (R-86)"));
    }
    let (support, range) = (row.get("support")?.byte(0..=MOST)?, row.get("range")?.byte(0..=MOST)?);
    let artillery = matches!(kind, Kind::Artillery | Kind::RocketArtillery);
    if artillery != (range > 0) || (support > 0) != (range > 0) {
        return Err(row
            .get("range")?
            .inconsistent("artillery, and nothing else, has support and range (12.0)"));
    }
    let armoured = row.get("armoured")?.flag()?;
    if armoured != (kind == Kind::Armour) {
        return Err(row.get("armoured")?.inconsistent("armour, and nothing else, is armoured (3.14)"));
    }
    let mut unit = Unit {
        id: row.key().to_owned(),
        designation: row.get("name")?.text()?.to_owned(),
        player,
        belongs,
        kind,
        size: size(row)?,
        steps,
        stacking: row.get("stack")?.byte(0..=9)?,
        full,
        reduced,
        support,
        range,
        support_attack_only: row.get("offensive_only")?.flag()?,
        class: row.get("class")?.choose("how it moves", &CLASSES)?,
        vehicle: row.get("vehicle")?.flag()?,
        armoured,
        red_defence: row.get("red_defence")?.flag()?,
        limited_zoc: row.get("limited_zoc")?.flag()?,
        command: row.get("command")?.byte(0..=5)?,
        elimination_points: 0,
        step_points: 0,
    };
    (unit.elimination_points, unit.step_points) = victory_points(whole, &unit)?;
    Ok(unit)
}

fn size(row: &Node<'_>) -> Result<String, LoadError> {
    let node = row.get("size")?;
    node.choose("a size", &SIZES)?;
    let text = node.text()?;
    Ok(if text == "none" { String::new() } else { text.to_owned() })
}

/// Points that the enemy gets if the unit is eliminated, and for each step it loses (victory.toml).
fn victory_points(whole: Whole<'_>, unit: &Unit) -> Result<(u8, u8), LoadError> {
    let points = |path: &str| -> Result<u8, LoadError> {
        let node = whole.at(&format!("victory.{path}"))?;
        node.only(&["points"])?;
        node.get("points")?.byte(0..=MOST)
    };
    Ok(match (unit.player, unit.kind) {
        (Player::Soviet, Kind::RocketArtillery) => (points("soviet.rockets")?, 0),
        (Player::Soviet, Kind::Headquarters | Kind::Arko) => (points("soviet.headquarters")?, 0),
        (Player::Soviet, Kind::Leader) => (points("soviet.leader")?, 0),
        (Player::Soviet, Kind::Armour) => (points("soviet.armour")?, 0),
        (Player::German, Kind::Armour) => (0, points("german.armour_step")?),
        (Player::German, Kind::Headquarters | Kind::Arko) => (points("german.headquarters")?, 0),
        (Player::German, Kind::Leader) => (points("german.leader")?, 0),
        (Player::German, _) if unit.steps == 2 => (points("german.battalion")?, 0),
        _ => (0, 0),
    })
}
