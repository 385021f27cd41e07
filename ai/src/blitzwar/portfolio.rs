//! The ways to play `BlitzWar` between which a search chooses.

use std::sync::Arc;

use sandtable_blitzwar::{BlitzWar, Force, Pending, State};
use sandtable_core::Side;

use super::atlas::Atlas;
use super::scripted::{Effort, Scripted};
use super::strategy::{Dates, Tuning};
use crate::policy::{Policy, Portfolio};

/// A way to play, by side.
type Variant = fn(Force, Tuning) -> Tuning;

/// Dates that differ from the usual ones.
fn dated(usual: Tuning, set: impl FnOnce(&mut Dates)) -> Tuning {
    let mut dates = usual.dates;
    set(&mut dates);
    Tuning { dates, ..usual }
}

const NOW: Option<u8> = Some(1);
const NEVER: Option<u8> = Some(u8::MAX);

/// The usual way, then others that differ from it each in a way of its own.
const VARIANTS: [Variant; 8] = [
    |_, usual| usual,
    |_, usual| {
        dated(usual, |dates| {
            (dates.east, dates.overlord, dates.wake) = (NOW, NOW, NOW);
        })
    },
    |_, usual| {
        dated(usual, |dates| {
            (dates.east, dates.overlord, dates.wake) = (NEVER, NEVER, NEVER);
        })
    },
    |_, usual| {
        dated(usual, |dates| {
            (dates.west, dates.torch) = (NOW, NOW);
        })
    },
    |_, usual| {
        dated(usual, |dates| {
            (dates.west, dates.torch) = (NEVER, NEVER);
        })
    },
    |_, usual| Tuning { plug: 2.0 * usual.plug, cover: 0.8, ..usual },
    |_, usual| Tuning { prize: 1.6 * usual.prize, fight: 2.0 * usual.fight, kill: 1.4 * usual.kill, ..usual },
    |_, usual| Tuning { thrift: 2.5 * usual.thrift, ..usual },
];

/// The dates of the usual way.
const DATES: Dates = Dates {
    west: Some(7),
    east: Some(15),
    north: Some(5),
    balkans: Some(12),
    torch: Some(24),
    overlord: Some(37),
    wake: Some(29),
};

/// A fresh portfolio: the scripted player, then players of other tastes.
pub(crate) fn portfolio(atlas: &Arc<Atlas>) -> Portfolio<BlitzWar> {
    let player = |variant: &Variant| {
        let tastes = Force::ALL.map(|force| variant(force, Tuning { dates: DATES, ..Tuning::of(force) }));
        Box::new(Scripted::new(atlas.clone(), Effort::Full).with(tastes)) as Box<dyn Policy<BlitzWar>>
    };
    Portfolio { plans: VARIANTS.iter().map(player).collect(), stage, event }
}

/// A choice is made once a turn.
fn stage(_: &BlitzWar, world: &State, _: Side) -> Option<u64> {
    Some(u64::from(world.turn()))
}

/// Each battle is an event, and so is each phase of a side.
fn event(_: &BlitzWar, world: &State) -> u64 {
    let battle = match world.pending() {
        Pending::None => 0,
        _ => 1 + u64::from(world.combat().target),
    };
    let phase = u64::from(world.turn()) << 8 | (world.phase() as u64) << 2 | world.active().index() as u64;
    phase << 9 | battle
}
