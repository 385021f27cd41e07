//! Naval power (15).

use sandtable_eurofront::ids::{MAX_SEAS, SeaId};
use sandtable_eurofront::rules::{Interception, Naval, NavalRoute};

use super::map::NamedMap;
use sandtable_scenarios::tree::{Names, Node, Whole};
use sandtable_scenarios::{LoadError, Problem, nearest};

/// Reads the tables and routes.
pub(super) fn read(whole: Whole<'_>, named_map: &NamedMap) -> Result<Naval, LoadError> {
    let node = whole.at("naval")?;
    node.only(&["interception", "supply", "ports", "range", "routes"])?;
    let seas: Names<SeaId> = Names::of_rows(&whole.at("map.seas")?, "a sea area", MAX_SEAS)?;
    let supply = table(whole, "supply", &["beachhead", "port", "siege_steps"])?;
    let ports = table(whole, "ports", &["minor", "major", "beachhead"])?;
    let range = table(
        whole,
        "range",
        &["move", "invasion", "long_invasion", "support", "evacuation_amphibious", "evacuation_other"],
    )?;
    Ok(Naval {
        interception: [interception(whole, "invasion")?, interception(whole, "move")?],
        supply_cut: [numbers(&supply.get("beachhead")?)?, numbers(&supply.get("port")?)?],
        port_capacity: [0, ports.get("minor")?.byte(0..=3)?, ports.get("major")?.byte(0..=3)?],
        beachhead_capacity: ports.get("beachhead")?.byte(0..=3)?,
        move_areas: numbers(&range.get("move")?)?,
        invasion_areas: [numbers(&range.get("invasion")?)?, numbers(&range.get("long_invasion")?)?],
        support_radius: numbers(&range.get("support")?)?,
        evacuation_speed: [
            range.get("evacuation_amphibious")?.byte(0..=6)?,
            range.get("evacuation_other")?.byte(0..=6)?,
        ],
        siege_steps: supply.get("siege_steps")?.byte(0..=4)?,
        routes: routes(whole, &seas, named_map)?,
    })
}

/// A table of the file, with no keys but these.
fn table<'t>(whole: Whole<'t>, path: &str, keys: &[&str]) -> Result<Node<'t>, LoadError> {
    let node = whole.at(&format!("naval.{path}"))?;
    node.only(keys)?;
    Ok(node)
}

/// As many small numbers as are wanted.
fn numbers<const N: usize>(node: &Node<'_>) -> Result<[u8; N], LoadError> {
    let list = node.items()?.iter().map(|item| item.byte(0..=6)).collect::<Result<Vec<u8>, _>>()?;
    <[u8; N]>::try_from(list).map_err(|_| node.inconsistent(format!("{N} numbers from 0 to 6 are expected")))
}

/// A line of the table of interception of movement.
fn interception(whole: Whole<'_>, what: &str) -> Result<[Interception; 3], LoadError> {
    let node = table(whole, &format!("interception.{what}"), &["repulse", "hit"])?;
    let (repulse, hit): ([u8; 3], [u8; 3]) = (numbers(&node.get("repulse")?)?, numbers(&node.get("hit")?)?);
    Ok([0, 1, 2].map(|at| Interception { repulses_up_to: repulse[at], hits_from: hit[at] }))
}

fn routes(whole: Whole<'_>, seas: &Names<SeaId>, named_map: &NamedMap) -> Result<Vec<NavalRoute>, LoadError> {
    let straits = whole.at("map.straits")?;
    let list = |node: &Node<'_>| -> Result<Vec<SeaId>, LoadError> {
        node.items()?.iter().map(|item| seas.read(item)).collect()
    };
    let mut routes = Vec::new();
    for route in whole.at("naval.routes")?.members()? {
        route.only(&["seas", "either", "straits", "axis"])?;
        let mut banks = Vec::new();
        for item in route.get("straits")?.items()? {
            let id = item.text()?;
            let Some(strait) = straits.find(id)? else {
                let near = nearest(id, straits.table()?.keys().map(String::as_str));
                let what = "a strait of straits.csv".into();
                return Err(item.error(Problem::UnknownName { value: id.into(), what, near }));
            };
            let places = strait.get("banks")?;
            for place in places.words()? {
                banks.push(named_map.find(place, &places)?);
            }
        }
        routes.push(NavalRoute {
            id: route.key().to_owned(),
            seas: list(&route.get("seas")?)?,
            either: route.get("either")?.items()?.iter().map(list).collect::<Result<_, _>>()?,
            banks,
            axis: route.get("axis")?.flag()?,
        });
    }
    Ok(routes)
}
