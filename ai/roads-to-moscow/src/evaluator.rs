//! What a position is worth: the chance that each side wins, by the score it is heading for.

use std::sync::Arc;

use sandtable_ai::policy::Evaluator;
use sandtable_core::{MAX_SIDES, PerSide, Side};
use sandtable_roads_to_moscow::state::is_hex;
use sandtable_roads_to_moscow::{Action, Player, RoadsToMoscow, State};

use super::map_tables::{FAR, MapTables};

/// What the evaluator looks at, from the side of the attacker.
pub const FEATURES: [&str; 8] =
    ["one", "left", "margin", "margin * late", "near", "near * late", "strength", "strength * late"];

/// Their weights in logits.
const WEIGHTS: [f32; FEATURES.len()] = [0.0, 0.0, 0.45, 0.0, 0.35, 0.0, 2.0, 1.5];

/// Values positions by the score, the objectives within reach and the strength of both sides.
#[derive(Debug)]
pub(super) struct Standing(Arc<MapTables>);

impl Standing {
    pub fn new(tables: Arc<MapTables>) -> Standing {
        Standing(tables)
    }
}

pub(super) fn features(tables: &MapTables, game: &RoadsToMoscow, state: &State) -> [f32; FEATURES.len()] {
    let attacker = tables.attacker;
    let margin = f32::from(game.score(state) - game.rules.scenario.threshold) + 0.5;
    let left = f32::from(tables.turns + 1 - state.turn.min(tables.turns)) / f32::from(tables.turns);
    let mut strength = [0.0f32; 2];
    for player in Player::ALL {
        for unit in game.units_of(player).and(&game.sets().combat) {
            if is_hex(state.at(unit)) {
                strength[player.index()] += tables.worth(game, state, unit);
            }
        }
    }
    let (own, other) = (strength[attacker.index()], strength[attacker.enemy().index()]);
    // Objectives still to be taken, by the way of the nearest attacker to them and the time that is left.
    let mut near = 0.0;
    for (at, aim) in tables.aims.iter().enumerate() {
        if aim.source.is_some() || state.controller(aim.hex) == attacker {
            continue;
        }
        let way = state.occupied[attacker.index()]
            .iter()
            .map(|hex| tables.ways[sandtable_core::Index::at(hex)][at])
            .min()
            .unwrap_or(FAR);
        let reach = 4.0 * f32::from(tables.turns + 1 - state.turn.min(tables.turns));
        near += aim.points * (-f32::from(way) / (4.0 + reach)).exp();
    }
    let balance = (own - other) / (own + other + 1.0);
    let late = 1.0 - left;
    [1.0, left, margin, margin * late, near, near * late, balance, balance * late]
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
