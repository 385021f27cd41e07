//! Scenarios: the status of countries, control, units, factories, entries into the war (14).

use sandtable_core::Index;
use sandtable_victory_in_europe::nation::{Force, NATIONS, Nation, Team};
use sandtable_victory_in_europe::rules::{Arm, Entry, Handicap, Kind, Options, Setup, Standing};
use sandtable_victory_in_europe::{Place, UnitId};

use super::map::Map;
use super::units::Counters;
use super::{nation, nation_names};
use sandtable_scenarios::tree::{Node, Whole};
use sandtable_scenarios::{LoadError, Problem, nearest};

/// Keys of a set-up.
const KEYS: [&str; 21] = [
    "system",
    "id",
    "first_turn",
    "last_turn",
    "hand",
    "hand_allied",
    "hand_soviet",
    "free_deployment",
    "deploys_first",
    "axis",
    "western",
    "soviet",
    "country_status",
    "entry",
    "patrons",
    "usa",
    "late_usa",
    "gone",
    "control",
    "units",
    "factories",
];

/// The set-up, and the options as far as the scenario has them.
pub(super) fn read(
    whole: Whole<'_>,
    map: &Map,
    counters: &Counters,
    mut options: Options,
) -> Result<(Setup, Options), LoadError> {
    let node = whole.at("setup")?;
    node.only(&KEYS)?;
    options.free_deployment &= node.get("free_deployment")?.flag()?;
    let late = node.find("late_usa")?.filter(|_| options.late_usa_entry);
    options.late_usa_entry = late.is_some();
    let standing = country_status(&node.get("country_status")?)?;
    let entry = node.get("entry")?;
    entry.only(&["italy", "ussr", "usa"])?;
    let power = |key: &str| {
        let entries =
            [("neutral", Entry::Neutral), ("at_war", Entry::AtWar), ("surrendered", Entry::Surrendered)];
        entry.get(key)?.choose("how far a power is in the war", &entries)
    };
    let patron = patrons(&node.get("patrons")?)?;
    let usa = node.get("usa")?;
    let entry_of_usa = entry_of_usa(&usa, late.as_ref())?;
    let turn = |node: &Node<'_>, key: &str| node.get(key)?.byte(0..=99);
    let mobilisation = mobilisation(&usa.get("mobilisation")?, counters)?;
    let (units, mut gone) = units(&node.get("units")?, map, counters)?;
    add_gone(&node.get("gone")?, counters, &units, &mut gone)?;
    let setup = Setup {
        id: node.get("id")?.text()?.to_owned(),
        title: node.get("title")?.text()?.to_owned(),
        first_turn: node.get("first_turn")?.byte(1..=99)?,
        last_turn: node.get("last_turn")?.byte(1..=99)?,
        hand: node.get("hand")?.byte(1..=4)?,
        hands_of_three: (node.get("hand_allied")?.byte(1..=4)?, node.get("hand_soviet")?.byte(1..=4)?),
        control: control(&node.get("control")?, map)?,
        standing,
        patron,
        italy: power("italy")?,
        ussr: power("ussr")?,
        usa: if late.is_some() { Entry::Neutral } else { power("usa")? },
        units,
        gone,
        factories: factories(&node.get("factories")?, map)?,
        free_deployment: options.free_deployment,
        deploys_first: node
            .get("deploys_first")?
            .choose("who exchanges first", &[("axis", Team::Axis), ("allies", Team::Allies)])?,
        mobilisation,
        mobilisation_factory: usa.get("mobilisation_factory")?.byte(0..=16)?,
        mobilisation_turn: turn(&usa, "mobilisation_turn")?,
        usa_entry_turn: turn(entry_of_usa, "entry_turn")?,
        usa_roll: (
            entry_of_usa.get("roll")?.byte(0..=12)?,
            turn(entry_of_usa, "roll_first")?,
            turn(entry_of_usa, "roll_last")?,
        ),
        handicap: handicap(&node)?,
    };
    Ok((setup, options))
}

/// Who fights beside whom: of each nation the major power that commands it.
fn patrons(node: &Node<'_>) -> Result<[Nation; NATIONS], LoadError> {
    let mut patron = Nation::ALL;
    for member in node.members()? {
        let minor = nation_names().find(member.key(), &member)?;
        patron[minor as usize] = nation(&member)?;
        if !patron[minor as usize].is_major() {
            return Err(member.inconsistent("the patron of a nation is a major power"));
        }
    }
    Ok(patron)
}

/// Where it stands when the USA enters the war: in the rows of a late entry, if that is played.
fn entry_of_usa<'a, 'b>(usa: &'a Node<'b>, late: Option<&'a Node<'b>>) -> Result<&'a Node<'b>, LoadError> {
    usa.only(&[
        "mobilisation_turn",
        "mobilisation_factory",
        "mobilisation",
        "entry_turn",
        "roll",
        "roll_first",
        "roll_last",
    ])?;
    if let Some(late) = late {
        late.only(&["entry_turn", "roll", "roll_first", "roll_last"])?;
    }
    Ok(late.unwrap_or(usa))
}

/// Units with which the USA mobilises, and their steps.
fn mobilisation(node: &Node<'_>, counters: &Counters) -> Result<Vec<(UnitId, u8)>, LoadError> {
    let mut mobilisation = Vec::new();
    for member in node.members()? {
        let unit = counters.names.find(member.key(), &member)?;
        mobilisation.push((unit, steps(&member, counters, unit)?));
    }
    Ok(mobilisation)
}

/// Adds units that are out of the game from the first: none that stands on the map.
fn add_gone(
    node: &Node<'_>,
    counters: &Counters,
    placed: &[(UnitId, Place, u8, u8)],
    gone: &mut Vec<UnitId>,
) -> Result<(), LoadError> {
    node.only(&["units"])?;
    for item in node.get("units")?.items()? {
        let unit = counters.names.read(&item)?;
        if gone.contains(&unit) || placed.iter().any(|placed| placed.0 == unit) {
            return Err(item.inconsistent("the unit stands in the set-up twice"));
        }
        gone.push(unit);
    }
    Ok(())
}

/// The most points a turn that a handicap gives.
const MOST: u8 = 20;

/// What each force has beyond the rules.
fn handicap(setup: &Node<'_>) -> Result<[Handicap; 3], LoadError> {
    let mut handicap = [Handicap::default(); 3];
    for force in Force::ALL {
        let node = setup.get(force.id())?;
        node.only(&["extra_production", "extra_command", "provenance", "basis"])?;
        handicap[force.index()] = Handicap {
            production: node.get("extra_production")?.byte(0..=MOST)?,
            command: node.get("extra_command")?.byte(0..=MOST)?,
        };
    }
    Ok(handicap)
}

fn country_status(node: &Node<'_>) -> Result<[Standing; NATIONS], LoadError> {
    let lists = [
        ("axis", Standing::Axis),
        ("western", Standing::Western),
        ("soviet", Standing::Soviet),
        ("gone", Standing::Gone),
    ];
    node.only(&lists.map(|(key, _)| key))?;
    let mut standing = [Standing::Neutral; NATIONS];
    for (key, value) in lists {
        for item in node.get(key)?.items()? {
            let nation = nation(&item)?;
            if std::mem::replace(&mut standing[nation.index()], value) != Standing::Neutral {
                return Err(item.inconsistent("the nation stands there twice"));
            }
        }
    }
    Ok(standing)
}

fn control(node: &Node<'_>, map: &Map) -> Result<Vec<Nation>, LoadError> {
    let mut control = Vec::new();
    for area in &map.areas {
        control.push(nation(&node.get(&area.id)?.get("nation")?)?);
    }
    for row in node.members()? {
        map.area_names.find(row.key(), &row)?;
    }
    Ok(control)
}

/// Steps of a unit: a leader may have none (2.6).
fn steps(node: &Node<'_>, counters: &Counters, unit: UnitId) -> Result<u8, LoadError> {
    let counter = &counters.units[unit.at()];
    let leader = counters.types[counter.kind as usize].kind == Kind::Leader;
    node.byte(u8::from(!leader)..=counter.steps)
}

/// Units by place, coast and steps; and those that are gone.
type Placed = (Vec<(UnitId, Place, u8, u8)>, Vec<UnitId>);

fn units(node: &Node<'_>, map: &Map, counters: &Counters) -> Result<Placed, LoadError> {
    let (mut units, mut gone) = (Vec::new(), Vec::new());
    for row in node.members()? {
        row.only(&["place", "coast", "steps"])?;
        let unit = counters.names.find(row.key(), &row)?;
        let entry = row.get("place")?;
        let id = entry.text()?;
        let coast = row.get("coast")?.byte(0..=2)?;
        let place = match (map.area_names.index_of(id), map.sea_names.index_of(id)) {
            (Some(area), _) => area,
            (_, Some(zone)) => Place::sea(zone),
            _ if id == "pool" => continue,
            _ if id.is_empty() => {
                return Err(entry.inconsistent("the unit is not on the map: name its place, and its steps"));
            }
            _ if id == "gone" => {
                gone.push(unit);
                continue;
            }
            _ => {
                let known = map.areas.iter().map(|area| area.id.as_str());
                let near = nearest(id, known.chain(map.seas.iter().map(|sea| sea.id.as_str())));
                let what = "an area, a sea zone, `pool` or `gone`".into();
                return Err(entry.error(Problem::UnknownName { value: id.into(), what, near }));
            }
        };
        let arm = counters.types[counters.units[unit.at()].kind as usize].arm;
        let in_port = arm == Arm::Naval && place.is_area();
        let known =
            map.ports.iter().any(|port| port.area == place && port.coast == coast && !port.name.is_empty());
        if in_port && !known {
            let text = format!("a ship in `{id}` needs a coast of it that has a port (7.22)");
            return Err(row.get("coast")?.inconsistent(text));
        }
        if !in_port && coast != 0 {
            return Err(row.get("coast")?.inconsistent("only ships in port have a coast; 0 for all others"));
        }
        units.push((unit, place, coast, steps(&row.get("steps")?, counters, unit)?));
    }
    Ok((units, gone))
}

fn factories(node: &Node<'_>, map: &Map) -> Result<Vec<(Place, u8)>, LoadError> {
    let mut factories = Vec::new();
    for row in node.members()? {
        let area = map.area_names.find(row.key(), &row)?;
        let entry = row.get("steps")?;
        let steps = entry.byte(0..=60)?;
        let most = map.areas[area.at()].city;
        if steps > most {
            let text = format!("`{}` takes {most} factory steps at most (1.42)", row.key());
            return Err(entry.inconsistent(text));
        }
        if steps > 0 {
            factories.push((area, steps));
        }
    }
    Ok(factories)
}
