//! What a position is worth: the chance that each side wins, by the score it is heading for.

use std::sync::Arc;

use sandtable_ai::policy::Evaluator;
use sandtable_ai::{Feature, LogisticValue};
use sandtable_core::{Game, PerSide, Side};
use sandtable_roads_to_moscow::{RoadsToMoscow, State};

use super::map_tables::MapTables;

/// What the evaluator looks at: how the score, the objectives within reach and the strength of both sides stand against an
/// even game at that time. The first team is the attacker in Scenarios 1 to 4.
const FEATURES: &[Feature] = &[
    Feature { name: "margin", summary: "points - those of an even game", sign: 0 },
    Feature { name: "margin_late", summary: "margin * share of the turns gone by", sign: 1 },
    Feature { name: "near", summary: "objectives within reach - those of an even game", sign: 0 },
    Feature { name: "near_late", summary: "near * share of the turns gone by", sign: 0 },
    Feature { name: "strength", summary: "balance of strength, -1 to 1, - that of the start", sign: 1 },
    Feature { name: "strength_late", summary: "strength * share of the turns gone by", sign: 0 },
];

/// Values positions by the score, the objectives within reach and the strength of both sides.
#[derive(Debug)]
pub(super) struct Standing {
    tables: Arc<MapTables>,
    value: LogisticValue,
}

impl Standing {
    pub fn new(tables: Arc<MapTables>) -> Standing {
        Standing {
            tables,
            value: LogisticValue::shipped("roads-to-moscow", FEATURES, include_str!("../value.toml")),
        }
    }
}

fn features(tables: &MapTables, game: &RoadsToMoscow, state: &State) -> [f32; FEATURES.len()] {
    let (start, now) = (&tables.start, tables.count(game, state));
    let left = tables.left(state);
    let late = 1.0 - left;
    // An even game gains by equal steps what is wanting at its start.
    let margin = now.margin - left * start.margin;
    let near = now.near - left * start.near;
    let balance = now.balance - start.balance;
    [margin, margin * late, near, near * late, balance, balance * late]
}

impl Evaluator<RoadsToMoscow> for Standing {
    fn evaluate(&mut self, game: &RoadsToMoscow, state: &State) -> PerSide<f32> {
        self.value.worth(game.sides(), self.tables.attacker.side(), &features(&self.tables, game, state))
    }

    fn value(&mut self) -> Option<&mut LogisticValue> {
        Some(&mut self.value)
    }

    fn features(&mut self, game: &RoadsToMoscow, state: &State, out: &mut Vec<f32>) -> Option<Side> {
        out.extend(features(&self.tables, game, state));
        Some(self.tables.attacker.side())
    }

    fn is_uniform(&self) -> bool {
        true
    }
}
