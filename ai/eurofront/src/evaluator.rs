//! What a position is worth: the utility each side is heading for.

use std::sync::Arc;

use sandtable_ai::policy::Evaluator;
use sandtable_ai::{Feature, LogisticValue};
use sandtable_core::{Game, PerSide, Side};
use sandtable_eurofront::ids::{Camp, Faction};
use sandtable_eurofront::rules::Goal;
use sandtable_eurofront::{EuroFront, State};

use super::map_tables::MapTables;
use super::production::level;

/// What the evaluator looks at, from the side of the Axis: places held, strength, command, and how late it is.
const FEATURES: &[Feature] = &[
    Feature { name: "late", summary: "the share of the months gone by", sign: 0 },
    Feature {
        name: "level",
        summary: "what is held of what counts for victory, more than the others hold",
        sign: 1,
    },
    Feature { name: "level_late", summary: "level * late", sign: 0 },
    Feature { name: "strength", summary: "balance of steps, -1 to 1", sign: 1 },
    Feature { name: "strength_late", summary: "strength * late", sign: 0 },
    Feature {
        name: "command",
        summary: "steps of headquarters more than the others have, in quarters",
        sign: 1,
    },
];

/// Points of Victory Cities that count as one.
const POINTS: f32 = 10.0;

/// The value that comes with the player, by how a scenario is won: by Victory Cities (19.5), or else as in 1936.
fn of_scenario(goal: Goal) -> LogisticValue {
    let (id, file) = match goal {
        Goal::VictoryCities { .. } => ("eurofront/cities", include_str!("../value/cities.toml")),
        _ => ("eurofront/recognition", include_str!("../value/recognition.toml")),
    };
    LogisticValue::shipped(id, FEATURES, file)
}

/// Values positions by the places held and the strength of both sides.
#[derive(Debug)]
pub(super) struct Standing {
    tables: Arc<MapTables>,
    value: LogisticValue,
}

impl Standing {
    pub fn new(tables: Arc<MapTables>) -> Standing {
        let value = of_scenario(tables.goal);
        Standing { tables, value }
    }
}

fn features(tables: &MapTables, game: &EuroFront, state: &State) -> [f32; FEATURES.len()] {
    let (mut steps, mut command) = ([0.0f32; 2], [0.0f32; 2]);
    for camp in Camp::ALL {
        for block in state.standing[camp.index()] {
            let headquarters = game.brief(block).kind.is_headquarters();
            let sum = if headquarters { &mut command } else { &mut steps };
            sum[camp.index()] += f32::from(state.steps[block]);
        }
    }
    let late = f32::from(state.month) / game.rules.calendar.len() as f32;
    let level = match tables.goal {
        Goal::VictoryCities { .. } => {
            let [axis, allies, soviets] =
                Faction::ALL.map(|faction| f32::from(game.victory_points(state, faction)));
            (2.0 * axis - allies - soviets) / POINTS
        }
        _ => level(tables, game, state) / 4.0,
    };
    let strength = (steps[0] - steps[1]) / (steps[0] + steps[1]).max(1.0);
    let command = (command[0] - command[1]) / 4.0;
    [late, level, level * late, strength, strength * late, command]
}

/// A side of the Axis.
fn axis_side(game: &EuroFront) -> Side {
    game.factions()
        .find(|faction| faction.camp() == Camp::Axis)
        .map_or(Side(0), |faction| game.side_of(faction))
}

impl Evaluator<EuroFront> for Standing {
    fn evaluate(&mut self, game: &EuroFront, state: &State) -> PerSide<f32> {
        self.value.worth(game.sides(), axis_side(game), &features(&self.tables, game, state))
    }

    fn value(&mut self) -> Option<&mut LogisticValue> {
        Some(&mut self.value)
    }

    fn features(&mut self, game: &EuroFront, state: &State, out: &mut Vec<f32>) -> Option<Side> {
        out.extend(features(&self.tables, game, state));
        Some(axis_side(game))
    }

    fn is_uniform(&self) -> bool {
        true
    }
}
