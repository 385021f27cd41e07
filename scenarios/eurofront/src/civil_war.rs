//! The special rules of the Spanish Civil War (22.1936).

use sandtable_core::hex::Hex;
use sandtable_eurofront::ids::Faction;
use sandtable_eurofront::rules::{City, CivilWar, Cost, FrenchAid, Kind, Port};

use super::blocks::{cost, kind_words};
use super::calendar::Calendar;
use super::map::NamedMap;
use sandtable_scenarios::tree::{Node, Whole};
use sandtable_scenarios::{LoadError, Problem, nearest};

const KEYS: [&str; 15] = [
    "axis_capital",
    "allies_capital",
    "axis_rear",
    "allies_rear",
    "border_railheads",
    "major_city",
    "counted_countries",
    "blockade_from",
    "intervention_ends_from",
    "recognition_from",
    "blockade_ports",
    "aid",
    "costs",
    "own_costs",
    "militia",
];

/// Most points of aid a month.
const MOST_AID: u8 = 20;

/// Reads the rules of the Civil War, if the set-up has them.
pub(super) fn read(
    whole: Whole<'_>,
    named_map: &NamedMap,
    calendar: &Calendar,
) -> Result<Option<CivilWar>, LoadError> {
    let Some(node) = whole.at("setup")?.find("civil_war")? else { return Ok(None) };
    node.only(&KEYS)?;
    let mut counted = Vec::new();
    for item in node.get("counted_countries")?.items()? {
        counted.extend(named_map.country(&item)?);
    }
    let aid = node.get("aid")?;
    aid.only(&["french", "french_most", "french_table", "soviet", "axis", "axis_blockaded", "axis_after"])?;
    let points = |key: &str| aid.get(key)?.byte(0..=MOST_AID);
    let french_most = points("french_most")?;
    let costs = node.get("costs")?;
    let militia = node.get("militia")?;
    militia.only(&["axis", "allies"])?;
    let rear = |key: &str| named_map.countries_or_places(&node.get(key)?);
    let month = |key: &str| calendar.number(&node.get(key)?);
    Ok(Some(CivilWar {
        loyal: named_map.loyal.clone(),
        pacification: pacification(&node, named_map, &counted)?,
        capitals: [
            named_map.read(&node.get("axis_capital")?)?,
            named_map.read(&node.get("allies_capital")?)?,
        ],
        rear: [rear("axis_rear")?, rear("allies_rear")?],
        border_railheads: named_map.list(&node.get("border_railheads")?)?,
        militia: [
            militia_table(&militia.get("axis")?, named_map, Faction::Axis)?,
            militia_table(&militia.get("allies")?, named_map, Faction::Allies)?,
        ],
        french_aid: aid.get("french")?.byte(0..=french_most)?,
        french_most,
        french_table: french_table(&aid.get("french_table")?, french_most)?,
        soviet_aid: points("soviet")?,
        axis_aid: pair(&aid.get("axis")?)?,
        axis_blockaded: points("axis_blockaded")?,
        axis_aid_after: points("axis_after")?,
        blockade_from: month("blockade_from")?,
        blockade_ports: blockade_ports(&node, named_map, &counted)?,
        intervention_ends_from: month("intervention_ends_from")?,
        recognition_from: month("recognition_from")?,
        costs: unit_costs(&costs)?,
        double_supply: cost(&costs.get("double_supply")?)?,
        garrison: costs.get("garrison")?.byte(0..=20)?,
        free_theatre_steps: costs.get("free_theatre_steps")?.byte(0..=3)?,
    }))
}

fn pair(node: &Node<'_>) -> Result<[u8; 2], LoadError> {
    let items = node.items()?;
    let [land, sea] = items.as_slice() else {
        return Err(node.inconsistent("aid by land and aid by sea are expected, as in [1, 3]"));
    };
    Ok([land.byte(0..=MOST_AID)?, sea.byte(0..=MOST_AID)?])
}

/// Cities that count for the Pacification Level, each hex once, with the most that a place of it counts (9).
fn pacification(node: &Node<'_>, named_map: &NamedMap, counted: &[Hex]) -> Result<Vec<(Hex, u8)>, LoadError> {
    let major = node.get("major_city")?.byte(1..=9)?;
    let mut cities: Vec<(Hex, u8)> = Vec::new();
    for place in &named_map.map.places {
        let count = match place.city {
            City::Major | City::Open => major,
            City::Minor => 1,
            City::Town | City::None => continue,
        };
        if !counted.contains(&place.hex) {
            continue;
        }
        match cities.iter_mut().find(|(hex, _)| *hex == place.hex) {
            Some((_, most)) => *most = count.max(*most),
            None => cities.push((place.hex, count)),
        }
    }
    Ok(cities)
}

/// Ports that count against the blockade, with what they count (5).
fn blockade_ports(
    node: &Node<'_>,
    named_map: &NamedMap,
    counted: &[Hex],
) -> Result<Vec<(Hex, u8)>, LoadError> {
    let more = node.get("blockade_ports")?;
    let is_port = |hex: &Hex, port: Port| port != Port::None && counted.contains(hex);
    let mut ports: Vec<(Hex, u8)> = Vec::new();
    for place in named_map.map.places.iter().filter(|place| is_port(&place.hex, place.port)) {
        let count = match more.find(&place.id)? {
            Some(count) => count.byte(0..=6)?,
            None => 1,
        };
        ports.push((place.hex, count));
    }
    for item in more.members()? {
        let named = named_map.map.places.iter().find(|place| place.id == item.key());
        if !named.is_some_and(|place| is_port(&place.hex, place.port)) {
            let counting = named_map.map.places.iter().filter(|place| is_port(&place.hex, place.port));
            let near = nearest(item.key(), counting.map(|place| place.id.as_str()));
            let (value, what) = (item.key().into(), "a port of the countries that count".into());
            return Err(item.error(Problem::UnknownName { value, what, near }));
        }
    }
    Ok(ports)
}

/// The table of French aid by the die (3).
fn french_table(node: &Node<'_>, most: u8) -> Result<[FrenchAid; 6], LoadError> {
    let mut lines = Vec::new();
    for item in node.items()? {
        lines.push(match item.text()? {
            "unchanged" => FrenchAid::Unchanged,
            "less" => FrenchAid::Less,
            text => match text.parse() {
                Ok(points) if points <= most => FrenchAid::Points(points),
                _ => {
                    let text = format!("aid is `unchanged`, `less`, or 0 to {most} points");
                    return Err(item.inconsistent(text));
                }
            },
        });
    }
    <[FrenchAid; 6]>::try_from(lines)
        .map_err(|_| node.inconsistent("a line for each die, 1 to 6, is expected"))
}

/// Costs of types (7).
fn unit_costs(node: &Node<'_>) -> Result<[Option<Cost>; Kind::COUNT], LoadError> {
    let words = kind_words();
    let mut costs = [None; Kind::COUNT];
    for item in node.members()? {
        if ["double_supply", "garrison", "free_theatre_steps"].contains(&item.key()) {
            continue;
        }
        let Some(&(_, kind)) = words.iter().find(|(id, _)| *id == item.key()) else {
            let near = nearest(item.key(), words.iter().map(|&(id, _)| id));
            return Err(item.error(Problem::UnknownKey { key: item.key().into(), near }));
        };
        costs[kind as usize] = Some(cost(&item)?);
    }
    Ok(costs)
}

/// Six regions of six places, all loyal to the side (semi-historical game).
fn militia_table(
    node: &Node<'_>,
    named_map: &NamedMap,
    faction: Faction,
) -> Result<[[(Hex, u8); 6]; 6], LoadError> {
    let mut table = Vec::new();
    let mut number = 0;
    for region in node.members()? {
        let mut places = Vec::new();
        for item in region.items()? {
            let hex = named_map.place(&item)?.hex;
            if !named_map.loyal.contains(&(hex, faction)) {
                return Err(item.inconsistent("militia comes up in places loyal to its side"));
            }
            places.push((hex, number));
            number += 1;
        }
        let places = <[(Hex, u8); 6]>::try_from(places)
            .map_err(|_| region.inconsistent("a place for each die, 1 to 6, is expected"))?;
        table.push(places);
    }
    <[[(Hex, u8); 6]; 6]>::try_from(table)
        .map_err(|_| node.inconsistent("a region for each die, 1 to 6, is expected"))
}
