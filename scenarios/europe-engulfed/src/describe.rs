//! A scenario in words and figures.

use std::fmt::Write;

use sandtable_core::Index;
use sandtable_europe_engulfed::Rules;
use sandtable_europe_engulfed::rules::Branch;
use sandtable_europe_engulfed::{Nation, Team};

/// How much of the game is known, for everybody who reads of it.
const KNOWN: &str = "What is known: the play book (11 to 23): scenarios, orders of battle, costs, bonuses, two examples of play, and \
                     the map as far as it is named.\n  Rules 1 to 10, the map and the counter mix are lost: they are \
                     reconstructed, and every value says so.\n";

/// Turns, players, map, forces.
pub(super) fn describe(rules: &Rules) -> String {
    let setup = &rules.setup;
    let mut text = format!(
        "{}: {} turns of two months from {}-{}, {} areas in play, {} counters\n",
        rules.name,
        setup.turns,
        setup.first_turn.year,
        setup.first_turn.nth,
        setup.in_play.len(),
        setup.placements.iter().map(|placement| u32::from(placement.count)).sum::<u32>(),
    );
    for player in &setup.players {
        let (mut areas, mut steps, mut armour, mut air) = (0, 0, 0, 0);
        let mine = |nation: Nation| player.nations & nation.bit() != 0;
        for area in setup.in_play {
            areas += u32::from(mine(setup.control[area.at()]));
        }
        for placement in &setup.placements {
            let kind = &rules.kinds[usize::from(placement.kind)];
            let strength = u32::from(placement.count) * u32::from(placement.steps);
            match kind.branch {
                _ if !mine(kind.nation) => {}
                Branch::Air => air += u32::from(placement.count),
                Branch::Armour => {
                    steps += strength;
                    armour += strength;
                }
                _ => steps += strength,
            }
        }
        let actions: u32 = setup
            .nations
            .iter()
            .filter(|data| mine(data.nation))
            .map(|data| u32::from(data.special_actions))
            .sum();
        let fleets: u32 =
            setup.fleets.iter().filter(|fleet| mine(fleet.0)).map(|fleet| u32::from(fleet.2)).sum();
        let ships = if setup.fleets_used { format!(", {fleets} Fleet Points") } else { String::new() };
        let first = if player.team == Team::First { "moves first" } else { "moves second" };
        // Writing to a string does not fail.
        let _ = writeln!(
            text,
            "{}: {first}, {areas} areas, {steps} land steps ({armour} armour), {air} air support units, {actions} Special Actions{ships}",
            player.id.name(),
        );
    }
    text + KNOWN
}
