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

/// How a turn may be played, from the usual weights: the usual way first, then the others, those that do best when played all
/// through before those for special moments. Each row: first for the side that must take objectives, then for the side
/// that holds them. They are few: each simulation that goes to one is lost to the others.
const PLANS: [[Change; 2]; 4] = [
    [|usual| usual, |usual| usual],
    [
        // Only attacks that pay well.
        |usual| Weights { gain: usual.gain + 0.4, loss: 1.2, ..usual },
        // Counteroffensive: the enemy's objectives are taken from him before he has taken all.
        |usual| Weights { pull: 0.12, forward: 1.0, ..usual },
    ],
    [
        // Speed.
        |usual| Weights { assault: -1.0, pull: 2.0 * usual.pull, stay: 0.0, ..usual },
        // Objectives are held and taken back.
        |usual| Weights { prize: 2.0, pull: 0.05, stay: 0.1, ..usual },
    ],
    [
        // Deliberate attacks.
        |usual| Weights { assault: 1.0, gain: usual.gain + 0.2, ..usual },
        // A stand in the enemy's way.
        |usual| Weights { block: 2.0 * usual.block, stand: 0.6, fear: 0.7 * usual.fear, ..usual },
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_plans_are_alike() {
        for (side, attacks) in [true, false].into_iter().enumerate() {
            let usual = Weights::of(Player::German, attacks);
            let plans = PLANS.map(|changes| changes[side](usual));
            assert_eq!(plans[0], usual);
            for (at, plan) in plans.iter().enumerate() {
                assert!(!plans[..at].contains(plan), "plan {at}: {plan:?}");
            }
        }
    }
}
