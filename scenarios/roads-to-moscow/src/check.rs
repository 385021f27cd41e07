//! Whether the data agree with themselves and with the limits of the game.

use std::collections::BTreeMap;

use sandtable_core::Index;
use sandtable_core::hex::Hex;
use sandtable_roads_to_moscow::ids::{Player, UnitId};
use sandtable_roads_to_moscow::rules::{Belongs, Entry};
use sandtable_roads_to_moscow::{RoadsToMoscow, Rules};

use super::map::number;
use super::setup::in_play;
use sandtable_scenarios::tree::{Node, Whole};
use sandtable_scenarios::{LoadError, Problem};

pub(super) fn check(whole: Whole<'_>, rules: &Rules) -> Result<(), LoadError> {
    hexes_in_play(whole, rules)?;
    stacks(whole, rules)?;
    markers(whole, rules)?;
    RoadsToMoscow::new(rules.clone()).map_err(|text| LoadError::new(Problem::Inconsistent(text)))?;
    Ok(())
}

/// What the set-up names lies within the line of the scenario (11.37).
fn hexes_in_play(whole: Whole<'_>, rules: &Rules) -> Result<(), LoadError> {
    let scenario = &rules.scenario;
    let setup = whole.at("setup")?;
    let lists = [
        (&scenario.sources[0], setup.get("german")?.get("sources")?),
        (&scenario.sources[1], setup.get("soviet")?.get("sources")?),
        (&scenario.soviet_positions, setup.get("fortified")?),
        (&scenario.automatic, setup.get("automatic")?.get("hexes")?),
    ];
    for (hexes, node) in lists {
        for (&hex, item) in hexes.iter().zip(node.items()?) {
            in_play(hex, scenario.columns, &item)?;
        }
    }
    for &(hex, _) in &scenario.objectives {
        in_play(hex, scenario.columns, &setup.get("objectives")?.get(&number(hex))?)?;
    }
    for (at, entry) in rules.entries.iter().enumerate() {
        let hexes = match entry {
            Entry::At(hex) => std::slice::from_ref(hex),
            Entry::From { hexes, .. } | Entry::Optional { hexes, .. } => hexes,
            Entry::Fuel { hexes } => {
                for &hex in hexes {
                    in_play(hex, scenario.columns, &setup.get("fuel_supply")?.get("hexes")?)?;
                }
                continue;
            }
            Entry::Never => continue,
        };
        for &hex in hexes {
            in_play(hex, scenario.columns, &place(whole, rules, UnitId::nth(at))?)?;
        }
    }
    Ok(())
}

/// Where the set-up says that a unit stands or enters.
fn place<'t>(whole: Whole<'t>, rules: &Rules, unit: UnitId) -> Result<Node<'t>, LoadError> {
    whole.at("setup.units")?.get(&rules.units[unit.at()].id)?.get("place")
}

/// Units at the start stand within the stacking limit, not with the enemy (3.32, 8.14).
fn stacks(whole: Whole<'_>, rules: &Rules) -> Result<(), LoadError> {
    let mut stacks: BTreeMap<Hex, (Player, u8)> = BTreeMap::new();
    for (at, entry) in rules.entries.iter().enumerate() {
        let &Entry::At(hex) = entry else { continue };
        let unit = &rules.units[at];
        let node = || place(whole, rules, UnitId::nth(at));
        let (player, points) = stacks.entry(hex).or_insert((unit.player, 0));
        if *player != unit.player {
            return Err(node()?.inconsistent(format!("the enemy stands in {} (8.14)", number(hex))));
        }
        *points += unit.stacking;
        let most = rules.numbers.stacking;
        if *points > most {
            let text =
                format!("{points} stacking points stand in {}, which takes {most} (3.32)", number(hex));
            return Err(node()?.inconsistent(text));
        }
    }
    Ok(())
}

/// A formation that has a marker in the scenario has units in it (4.26), and one that has units a marker (4.23).
fn markers(whole: Whole<'_>, rules: &Rules) -> Result<(), LoadError> {
    for (at, formation) in rules.formations.iter().enumerate().filter(|(_, formation)| !formation.any) {
        let own = |belongs: Belongs| matches!(belongs, Belongs::Formation(of) if of.at() == at);
        let units = rules.units.iter().zip(&rules.entries);
        let has_units = units.into_iter().any(|(unit, entry)| own(unit.belongs) && *entry != Entry::Never);
        let has_marker = rules.markers.iter().any(|marker| marker.formation.at() == at);
        let node = whole.at("setup")?.get(formation.player.id())?.get("markers")?;
        if has_marker && !has_units {
            return Err(node.inconsistent(format!("`{}` has a marker, but no units", formation.id)));
        }
        if has_units && !has_marker {
            return Err(node.inconsistent(format!("`{}` has units, but no marker (4.23)", formation.id)));
        }
    }
    Ok(())
}
