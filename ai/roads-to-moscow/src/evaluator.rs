//! What a position is worth: the chance that each side wins, by the score it is heading for.

use std::sync::Arc;

use sandtable_ai::policy::Evaluator;
use sandtable_core::{Index, MAX_SIDES, PerSide, Side};
use sandtable_roads_to_moscow::{Action, Player, RoadsToMoscow, State};

use super::map_tables::{FAR, MapTables};

/// What the evaluator looks at, from the side of the attacker: how the score, the objectives within reach and the strength
/// of both sides stand against an even game at that time.
pub const FEATURES: [&str; 7] =
    ["one", "margin", "margin * late", "near", "near * late", "strength", "strength * late"];

/// Their weights in logits, fitted to the results of games between scripted players, all four scenarios together.
const WEIGHTS: [f32; FEATURES.len()] = [0.0, 0.11, 0.14, 0.33, -0.35, 2.1, 0.5];

/// Values positions by the score, the objectives within reach and the strength of both sides.
#[derive(Debug)]
pub(super) struct Standing(Arc<MapTables>);

impl Standing {
    pub fn new(tables: Arc<MapTables>) -> Standing {
        Standing(tables)
    }
}

/// What can be counted in a position, from the side of the attacker.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Count {
    /// The score above the threshold.
    margin: f32,
    /// Points still to be taken, by the way of the nearest attacker to them and the time that is left.
    near: f32,
    /// Strength of the attacker less that of the defender, as a part of both.
    balance: f32,
}

/// The part of the game that is left, 1 in the first turn.
fn left(tables: &MapTables, state: &State) -> f32 {
    f32::from(tables.turns + 1 - state.turn.min(tables.turns)) / f32::from(tables.turns)
}

pub(super) fn count(tables: &MapTables, game: &RoadsToMoscow, state: &State) -> Count {
    let attacker = tables.attacker;
    let mut strength = [0.0f32; 2];
    for player in Player::ALL {
        for unit in game.units_of(player).and(&game.sets().combat).and(&state.on_map) {
            strength[player.index()] += tables.worth(game, state, unit);
        }
    }
    let (own, other) = (strength[attacker.index()], strength[attacker.enemy().index()]);
    let reach = 4.0 + 4.0 * left(tables, state) * f32::from(tables.turns);
    let mut near = 0.0;
    for (at, aim) in tables.aims.iter().enumerate() {
        if aim.source.is_some() || state.controller(aim.hex) == attacker {
            continue;
        }
        let ways = state.occupied[attacker.index()].iter().map(|hex| tables.ways[hex.at()][at]);
        near += aim.points * (-f32::from(ways.min().unwrap_or(FAR)) / reach).exp();
    }
    Count {
        margin: f32::from(game.score(state) - game.rules.scenario.threshold) + 0.5,
        near,
        balance: (own - other) / (own + other + 1.0),
    }
}

pub(super) fn features(tables: &MapTables, game: &RoadsToMoscow, state: &State) -> [f32; FEATURES.len()] {
    let (start, now) = (&tables.start, count(tables, game, state));
    let left = left(tables, state);
    let late = 1.0 - left;
    // An even game gains by equal steps what is wanting at its start.
    let margin = now.margin - left * start.margin;
    let near = now.near - left * start.near;
    let balance = now.balance - start.balance;
    [1.0, margin, margin * late, near, near * late, balance, balance * late]
}

impl Evaluator<RoadsToMoscow> for Standing {
    fn weigh(&mut self, _: &RoadsToMoscow, _: &State, _: Side, legal: &[Action], out: &mut Vec<f32>) {
        out.extend(legal.iter().map(|_| 1.0));
    }

    fn evaluate(&mut self, game: &RoadsToMoscow, state: &State) -> PerSide<f32> {
        let features = features(&self.0, game, state);
        let logit: f32 = features.iter().zip(WEIGHTS).map(|(feature, weight)| feature * weight).sum();
        let attacker = 1.0 / (1.0 + (-logit).exp());
        let mut value = PerSide([1.0 - attacker; MAX_SIDES]);
        value[self.0.attacker.side()] = attacker;
        value
    }

    fn is_uniform(&self) -> bool {
        true
    }
}
