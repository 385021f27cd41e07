//! What a position is worth: the chance that the Axis wins, by logistic regression over scripted games.

use std::sync::Arc;

use sandtable_core::{Index, MAX_SIDES, PerSide, Side};
use sandtable_victory_in_europe::rules::{Areas, Arm};
use sandtable_victory_in_europe::{Action, Force, Place, State, Team, VictoryInEurope};

use super::map_tables::MapTables;
use sandtable_ai::policy::Evaluator;

/// What the evaluator looks at. Balances are of the Axis against the Allies, from -1 to 1; ways are land areas to the nearest one
/// of the enemy, as a share of [`FAR`]; `left` is the share of the turns of a full war that are still to come.
pub const FEATURES: [&str; 11] = [
    "one",
    "army steps",
    "air steps",
    "ground",
    "factories",
    "axis aims",
    "allied aims",
    "way to Berlin",
    "way to Moscow",
    "left",
    "army steps * left",
];

/// Their weights in logits, as the example `appraise` has found them.
const WEIGHTS: [f32; FEATURES.len()] = [0.83, 2.91, 2.17, -0.96, 0.68, 2.17, -0.47, 4.41, 1.42, -2.80, 0.80];

/// Areas beyond which the enemy is no danger.
const FAR: u8 = 8;
/// Turns of a full war.
const WAR: f32 = 26.0;

/// Values positions by aims, ground, steps, factories and the way to Berlin.
#[derive(Debug)]
pub(super) struct Material(Arc<MapTables>);

impl Material {
    pub fn new(map_tables: Arc<MapTables>) -> Material {
        Material(map_tables)
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

pub(super) fn features(
    map_tables: &MapTables,
    game: &VictoryInEurope,
    state: &State,
) -> [f32; FEATURES.len()] {
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
        1.0,
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
    fn weigh(&mut self, _: &VictoryInEurope, _: &State, _: Side, legal: &[Action], out: &mut Vec<f32>) {
        out.extend(legal.iter().map(|_| 1.0));
    }

    fn evaluate(&mut self, game: &VictoryInEurope, state: &State) -> PerSide<f32> {
        let features = features(&self.0, game, state);
        let logit: f32 = features.iter().zip(WEIGHTS).map(|(feature, weight)| feature * weight).sum();
        let axis = 1.0 / (1.0 + (-logit).exp());
        let mut value = PerSide([1.0 - axis; MAX_SIDES]);
        value[game.side_of(Force::Axis)] = axis;
        value
    }

    fn is_uniform(&self) -> bool {
        true
    }
}
