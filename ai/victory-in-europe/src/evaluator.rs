//! What a position is worth: the chance that the Axis wins, by logistic regression over scripted games.

use std::sync::Arc;

use sandtable_core::{Game, Index, PerSide, Side};
use sandtable_victory_in_europe::rules::{Areas, Arm};
use sandtable_victory_in_europe::{Force, Place, State, Team, VictoryInEurope};

use super::map_tables::MapTables;
use sandtable_ai::policy::Evaluator;
use sandtable_ai::{Feature, LogisticValue};

/// What the evaluator looks at. Balances are of the Axis against the Allies, from -1 to 1; ways are land areas to the nearest one
/// of the enemy, as a share of [`FAR`].
const FEATURES: &[Feature] = &[
    Feature { name: "armies", summary: "balance of army steps by their price", sign: 1 },
    Feature { name: "air", summary: "balance of air steps by their price", sign: 1 },
    Feature { name: "ground", summary: "balance of land areas by their worth", sign: 0 },
    Feature { name: "factories", summary: "balance of factory steps", sign: 1 },
    Feature { name: "axis_aims", summary: "share of the aims by which the Axis wins that it holds", sign: 1 },
    Feature {
        name: "allied_aims",
        summary: "share of the aims by which the Allies win that they hold",
        sign: -1,
    },
    Feature {
        name: "way_to_berlin",
        summary: "areas between Berlin and the enemy, as a share of eight",
        sign: 1,
    },
    Feature {
        name: "way_to_moscow",
        summary: "areas between Moscow and the enemy, as a share of eight",
        sign: 0,
    },
    Feature { name: "left", summary: "turns still to come, as a share of those of a full war", sign: 0 },
    Feature { name: "armies_left", summary: "armies * left", sign: 0 },
];

/// Areas beyond which the enemy is no danger.
const FAR: u8 = 8;
/// Turns of a full war.
const WAR: f32 = 26.0;

/// Values positions by aims, ground, steps, factories and the way to Berlin.
#[derive(Debug)]
pub(super) struct Material {
    map_tables: Arc<MapTables>,
    value: LogisticValue,
}

impl Material {
    pub fn new(map_tables: Arc<MapTables>) -> Material {
        Material {
            map_tables,
            value: LogisticValue::shipped("victory-in-europe", FEATURES, include_str!("../value.toml")),
        }
    }
}

fn balance(axis: f32, allies: f32) -> f32 {
    (axis - allies) / (axis + allies + 1.0)
}

/// Areas by land to the nearest one of a set.
fn way(map_tables: &MapTables, from: Place, to: &Areas) -> f32 {
    let mut seen = Areas::one(from);
    let mut far = 0;
    while far < FAR && !seen.intersects(to) {
        seen = seen.or(&seen.neighbours(&map_tables.neighbours));
        far += 1;
    }
    f32::from(far) / f32::from(FAR)
}

fn features(map_tables: &MapTables, game: &VictoryInEurope, state: &State) -> [f32; FEATURES.len()] {
    let victory = &game.rules.victory;
    let held = Team::ALL.map(|team| state.held_by(team));
    let share =
        |aims: &Areas, team: Team| aims.and(&held[team.index()]).len() as f32 / aims.len().max(1) as f32;
    let (mut armies, mut air) = ([0.0f32; 2], [0.0f32; 2]);
    for force in Force::ALL {
        let team = force.team().index();
        for unit in game.units_of(state, force) {
            let worth = f32::from(state.steps(unit)) * f32::from(game.unit_type(unit).cost);
            match game.arm(unit) {
                Arm::Army => armies[team] += worth,
                Arm::Air => air[team] += worth,
                Arm::Naval => {}
            }
        }
    }
    let sum =
        |of: &dyn Fn(Place) -> f32| Team::ALL.map(|team| held[team.index()].iter().map(of).sum::<f32>());
    let ground = sum(&|area| map_tables.worth[area.at()]);
    let factories = sum(&|area| f32::from(state.factory(area)));
    let left = f32::from(game.rules.setup.last_turn.saturating_sub(state.turn)) / WAR;
    let balances = [armies, air, ground, factories].map(|[axis, allies]| balance(axis, allies));
    let places = &game.rules.places;
    [
        balances[0],
        balances[1],
        balances[2],
        balances[3],
        victory.axis_any.iter().map(|aims| share(aims, Team::Axis)).fold(0.0, f32::max),
        share(&victory.allies_all, Team::Allies),
        way(map_tables, victory.last, &held[1]),
        way(map_tables, places.moscow, &held[0]),
        left,
        balances[0] * left,
    ]
}

impl Evaluator<VictoryInEurope> for Material {
    fn evaluate(&mut self, game: &VictoryInEurope, state: &State) -> PerSide<f32> {
        self.value.worth(game.sides(), game.side_of(Force::Axis), &features(&self.map_tables, game, state))
    }

    fn value(&mut self) -> Option<&mut LogisticValue> {
        Some(&mut self.value)
    }

    fn features(&mut self, game: &VictoryInEurope, state: &State, out: &mut Vec<f32>) -> Option<Side> {
        out.extend(features(&self.map_tables, game, state));
        Some(game.side_of(Force::Axis))
    }

    fn is_uniform(&self) -> bool {
        true
    }
}
