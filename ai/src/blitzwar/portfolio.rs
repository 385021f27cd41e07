//! The ways to play `BlitzWar` between which a search chooses.

use std::sync::Arc;

use sandtable_blitzwar::{BlitzWar, Force, Phase, State};
use sandtable_core::Side;

use super::atlas::Atlas;
use super::scripted::{Effort, Scripted};
use super::strategy::Tuning;
use crate::policy::{Policy, Portfolio};

/// Tastes that differ from the usual ones each in a way of its own.
const VARIANTS: [fn(Tuning) -> Tuning; 8] = [
    |usual| usual,
    // Ground before lives and supply.
    |usual| Tuning {
        prize: 1.6 * usual.prize,
        fight: 2.0 * usual.fight,
        thrift: 0.7 * usual.thrift,
        ..usual
    },
    // Few, good attacks.
    |usual| Tuning { prize: 0.6 * usual.prize, kill: 0.8 * usual.kill, thrift: 1.5 * usual.thrift, ..usual },
    // Attrition.
    |usual| Tuning { kill: 1.6 * usual.kill, ..usual },
    // A thick line.
    |usual| Tuning { plug: 2.0 * usual.plug, cover: 0.8, pull: 0.5 * usual.pull, ..usual },
    // Supply is saved, or spent.
    |usual| Tuning { thrift: 2.5 * usual.thrift, ..usual },
    |usual| Tuning { thrift: 0.4 * usual.thrift, ..usual },
    // All reserves forward.
    |usual| Tuning { pull: 2.0 * usual.pull, march: 0.05, rail: 0.05, ..usual },
];

/// A fresh portfolio: the scripted player, then players of other tastes.
pub(crate) fn portfolio(atlas: &Arc<Atlas>) -> Portfolio<BlitzWar> {
    let player = |variant: &fn(Tuning) -> Tuning| {
        let tastes = Force::ALL.map(|force| variant(Tuning::of(force)));
        Box::new(Scripted::new(atlas.clone(), Effort::Full).with(tastes)) as Box<dyn Policy<BlitzWar>>
    };
    Portfolio { plans: VARIANTS.iter().map(player).collect(), stage }
}

/// Plans are made as a side's reinforcements, its air and naval part, and its movement begin. Combat carries out what
/// movement has prepared, and the enemy's part of the turn asks for answers only.
fn stage(_: &BlitzWar, world: &State, side: Side) -> Option<u64> {
    let part = match world.phase() {
        Phase::Minors | Phase::PowerLosses | Phase::LendLease | Phase::Placement | Phase::Reorganisation => 0,
        Phase::NavalMovement
        | Phase::NavalCombat
        | Phase::Bombing
        | Phase::BattleOfBritain
        | Phase::TacticalAir
        | Phase::Beachheads
        | Phase::StrategicAir
        | Phase::SeaTransport => 1,
        Phase::Fortification | Phase::StrategicMovement | Phase::TacticalMovement => 2,
        _ => return None,
    };
    (world.active() == Force::of(side)).then(|| 3 * u64::from(world.turn()) + part)
}
