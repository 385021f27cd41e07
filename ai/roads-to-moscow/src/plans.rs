//! The ways to play *Roads to Moscow* between which a search chooses.

use std::sync::Arc;

use sandtable_ai::policy::{Policy, Portfolio};
use sandtable_core::{Index, Side};
use sandtable_roads_to_moscow::{Phase, Player, RoadsToMoscow, State};

use super::map_tables::MapTables;
use super::scripted::Scripted;
use super::weights::Weights;

/// Weights from the usual ones.
type Change = fn(Weights) -> Weights;

/// How a turn may be played, from the usual weights: the usual way first, then the others. Each row: first for the
/// side that must take objectives, then for the side that holds them.
const PLANS: [[Change; 2]; 6] = [
    [|usual| usual, |usual| usual],
    [
        // Ground at any price.
        |usual| Weights {
            gain: usual.gain - 0.5,
            prize: 1.8,
            pull: 1.6 * usual.pull,
            loss: 0.7,
            fear: 0.5 * usual.fear,
            ..usual
        },
        // A stand in the enemy's way.
        |usual| Weights { block: 2.0 * usual.block, stand: 0.6, fear: 0.7 * usual.fear, ..usual },
    ],
    [
        // Nothing is risked.
        |usual| Weights {
            gain: usual.gain + 0.8,
            loss: 1.4,
            fear: 1.6 * usual.fear,
            stay: usual.stay + 0.4,
            ..usual
        },
        // Back in time.
        |usual| Weights { fear: 2.5 * usual.fear, stand: -0.5, block: 0.7 * usual.block, ..usual },
    ],
    [
        // Blood for blood.
        |usual| Weights { kill: 1.8, gain: usual.gain - 0.3, encircle: 1.8, ..usual },
        // Counterattack.
        |usual| Weights {
            gain: usual.gain - 0.6,
            kill: 1.5,
            prize: 1.5,
            fear: 0.7 * usual.fear,
            stay: 0.1,
            ..usual
        },
    ],
    [
        // Deliberate attacks.
        |usual| Weights { assault: 1.0, gain: usual.gain - 0.1, ..usual },
        // Dug in.
        |usual| Weights { assault: 1.0, stay: usual.stay + 0.4, stand: 0.3, ..usual },
    ],
    [
        // Speed.
        |usual| Weights { assault: -1.0, pull: 2.0 * usual.pull, stay: 0.0, ..usual },
        // Nothing is risked, nothing is attacked.
        |usual| Weights { gain: usual.gain + 0.8, loss: 1.4, fear: 1.4 * usual.fear, ..usual },
    ],
];

/// A fresh portfolio: the scripted player, then players of other weights.
pub(super) fn portfolio(tables: &Arc<MapTables>) -> Portfolio<RoadsToMoscow> {
    let plan = |[attack, hold]: [Change; 2]| {
        let weights = Player::ALL.map(|player| {
            let attacks = player == tables.attacker;
            let change = if attacks { attack } else { hold };
            change(Weights::of(player, attacks))
        });
        Box::new(Scripted::new(tables.clone(), weights, false)) as Box<dyn Policy<RoadsToMoscow>>
    };
    Portfolio { plans: PLANS.into_iter().map(plan).collect(), stage, stages_a_turn: 1, event }
}

/// A choice is made once a turn, at the side's first decision after the Strategic Segment.
fn stage(_: &RoadsToMoscow, state: &State, _: Side) -> Option<u64> {
    (state.phase > Phase::Reserve).then(|| u64::from(state.turn))
}

/// Each combat is an event, and so is each sequence.
fn event(_: &RoadsToMoscow, state: &State) -> u64 {
    let battle = if state.phase.is_combat() && state.battle.target.at() < 4096 {
        1 + state.battle.target.at() as u64
    } else {
        0
    };
    let sequence = u64::from(state.turn) << 8 | u64::from(state.played.len()) << 1 | state.active as u64;
    sequence << 13 | battle
}
