//! The ways to play *Roads to Moscow* between which a search chooses.

use std::sync::Arc;

use sandtable_ai::policy::{Policy, Portfolio, names_of, varied};
use sandtable_core::{Index, PerSide, Side};
use sandtable_roads_to_moscow::{Phase, Player, RoadsToMoscow, State};

use super::map_tables::MapTables;
use super::scripted::Scripted;
use super::weights::{FIELDS, Weights};

/// Weights from the usual ones.
type Change = fn(Weights) -> Weights;

/// How a turn may be played, from the usual weights: the usual way first, then the others, those that do best when played all
/// through before those for special moments. First for the side that must take objectives, then for the side
/// that holds them. They are few: each simulation that goes to one is lost to the others.
const ATTACK: [(&str, Change); 4] = [
    ("the usual way", |usual| usual),
    ("only attacks that pay well", |usual| Weights { gain: usual.gain + 0.4, loss: 1.2, ..usual }),
    ("speed", |usual| Weights { assault: -1.0, pull: 2.0 * usual.pull, stay: 0.0, ..usual }),
    ("deliberate attacks", |usual| Weights { assault: 1.0, gain: usual.gain + 0.2, ..usual }),
];
const HOLD: [(&str, Change); 4] = [
    ("the usual way", |usual| usual),
    // The enemy's objectives are taken from him before he has taken all.
    ("counteroffensive", |usual| Weights { pull: 0.12, forward: 1.0, ..usual }),
    ("objectives held and taken back", |usual| Weights { prize: 2.0, pull: 0.05, stay: 0.1, ..usual }),
    ("a stand in the enemy's way", |usual| Weights {
        block: 2.0 * usual.block,
        stand: 0.6,
        fear: 0.7 * usual.fear,
        ..usual
    }),
];
const ATTACK_NAMES: [&str; 4] = names_of(&ATTACK);
const HOLD_NAMES: [&str; 4] = names_of(&HOLD);

/// A fresh portfolio: the scripted player, then players of other weights.
pub(super) fn portfolio(tables: &Arc<MapTables>) -> Portfolio<RoadsToMoscow> {
    let attacker = tables.attacker;
    let usual = Player::ALL.map(|player| Weights::of(player, player == attacker));
    let plan = {
        let tables = tables.clone();
        move |weights| {
            Box::new(Scripted::new(tables.clone(), weights, false)) as Box<dyn Policy<RoadsToMoscow>>
        }
    };
    let way = |((_, attack), (_, hold)): ((&str, Change), (&str, Change))| {
        plan(
            Player::ALL.map(|player| (if player == attacker { attack } else { hold })(usual[player.index()])),
        )
    };
    let mut names = PerSide::default();
    for player in Player::ALL {
        names[Side(player.index() as u8)] =
            if player == tables.attacker { &ATTACK_NAMES[..] } else { &HOLD_NAMES };
    }
    let plans = ATTACK.into_iter().zip(HOLD).map(way).collect();
    let vary = move |number| plan(usual.map(|usual| varied(&FIELDS.iter(), usual, number)));
    // The player knows no operations.
    let objective_name = |_: &RoadsToMoscow, _| String::new();
    Portfolio { plans, stage, stages_a_turn: 1, event, names, objective_name, vary: Some(Box::new(vary)) }
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
            let plans = [ATTACK, HOLD][side].map(|(_, change)| change(usual));
            assert_eq!(plans[0], usual);
            for (at, plan) in plans.iter().enumerate() {
                assert!(!plans[..at].contains(plan), "plan {at}: {plan:?}");
            }
        }
    }
}
