//! What the data must say whatever else changes.

use sandtable_core::Index;
use sandtable_europe_engulfed::Rules;
use sandtable_europe_engulfed::rules::{Branch, EdgeKind};
use sandtable_scenarios::LoadError;
use sandtable_scenarios::tree::Whole;

pub(super) fn check(whole: Whole<'_>, rules: &Rules) -> Result<(), LoadError> {
    fortresses(whole, rules)?;
    placements(whole, rules)?;
    pools(whole, rules)?;
    submarines(whole, rules)?;
    garrisons(whole, rules)
}

/// Pools of Special Actions follow the war from its beginning (14.2): not in a scenario that starts after what changes them.
fn pools(whole: Whole<'_>, rules: &Rules) -> Result<(), LoadError> {
    let options = &rules.options;
    let follow = options.german_reductions || options.soviet_increases || options.american_increases;
    if follow && rules.setup.first_turn.year > 1941 {
        let text = "german_reductions, soviet_increases and american_increases are for scenarios that begin before 1942 (14.2)";
        return Err(whole.at("options")?.inconsistent(text));
    }
    Ok(())
}

/// The table of losses has a column for each number of submarines (20.5).
fn submarines(whole: Whole<'_>, rules: &Rules) -> Result<(), LoadError> {
    let (found, most) = (rules.setup.strategic.submarines, rules.strategic.submarines);
    if found > most {
        let levels = whole.at("setup")?.get("strategic_levels")?.get("submarines")?;
        return Err(levels.inconsistent(format!(
            "found {found} submarines, and there are at most {most} (strategic_war.submarines.most)"
        )));
    }
    Ok(())
}

/// A fortress is reached by land from the area around it alone.
fn fortresses(whole: Whole<'_>, rules: &Rules) -> Result<(), LoadError> {
    let rows = whole.at("borders")?;
    for (edge, row) in rules.edges.iter().zip(rows.members()?) {
        let inside = |from: usize, to| rules.areas[from].host == Some(to);
        let fortress = inside(edge.a.at(), edge.b) || inside(edge.b.at(), edge.a);
        if fortress != (edge.kind == EdgeKind::Fortress) {
            return Err(row
                .inconsistent("a border of kind fortress joins a fortress and its host, and no other does"));
        }
    }
    Ok(())
}

/// No more counters stand on the map than there are, and none outside the areas in play.
fn placements(whole: Whole<'_>, rules: &Rules) -> Result<(), LoadError> {
    let rows = whole.at("setup.units")?;
    let mut left: Vec<u16> = rules.kinds.iter().map(|kind| u16::from(kind.counters)).collect();
    for (kind, count) in &rules.setup.withheld {
        left[usize::from(*kind)] -= u16::from(*count);
    }
    for placement in &rules.setup.placements {
        if placement.zone.iter().any(|area| !rules.setup.in_play.contains(area)) {
            return Err(rows.inconsistent("a counter stands in an area that is not in play"));
        }
        let left = &mut left[usize::from(placement.kind)];
        let Some(rest) = left.checked_sub(u16::from(placement.count)) else {
            let kind = &rules.kinds[usize::from(placement.kind)];
            return Err(rows.inconsistent(format!(
                "more {} {} counters of {} steps stand on the map than pools.csv has",
                kind.nation.id(),
                kind.branch.id(),
                kind.max
            )));
        };
        *left = rest;
    }
    Ok(())
}

/// Where the set-up fixes every land unit of a team, its garrisons stand (16.11); else its player places them.
fn garrisons(whole: Whole<'_>, rules: &Rules) -> Result<(), LoadError> {
    let rows = whole.at("setup.units")?;
    for &(team, area, least) in &rules.setup.minimum {
        let players = rules.setup.players.iter().filter(|player| player.team == team);
        let nations = players.fold(0, |all, player| all | player.nations);
        let own = rules.setup.placements.iter().filter(|placement| {
            let kind = &rules.kinds[usize::from(placement.kind)];
            nations & kind.nation.bit() != 0 && kind.branch != Branch::Air
        });
        let there = own.filter(|placement| placement.zone.contains(area));
        let units: u32 = there.map(|placement| u32::from(placement.count)).sum();
        if units < u32::from(least) {
            return Err(rows.inconsistent(format!(
                "{units} land units may stand in {}, and {least} must (16.11)",
                rules.areas[area.at()].id
            )));
        }
    }
    Ok(())
}
