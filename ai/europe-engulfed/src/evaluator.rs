//! What a position is worth: the chance that the first team wins, by power, ground and what counts for victory.

use std::sync::Arc;

use sandtable_core::{MAX_SIDES, PerSide, Side};
use sandtable_europe_engulfed::rules::Victory;
use sandtable_europe_engulfed::{Action, EuropeEngulfed, Nation, State, Team};

use sandtable_ai::policy::Evaluator;

use super::battle::Army;
use super::map_tables::MapTables;

/// What the evaluator looks at. Balances are of the first team against the second, from -1 to 1; shares are of what counts for
/// victory and the first team controls; `left` is the share of the turns that are still to come.
pub const FEATURES: [&str; 9] = [
    "one",
    "power",
    "power * left",
    "ground",
    "aims",
    "aims * (1 - left)",
    "income",
    "Special Actions",
    "left",
];

/// Their weights in logits, set by judgement (the example `appraise` fits them), by how a scenario is won: by areas (16.1), by points (16.2, 16.3), by conquest.
const WEIGHTS: [[f32; FEATURES.len()]; 3] = [
    [0.0, 3.0, 2.0, 1.0, 3.0, 3.0, 0.0, 0.0, 0.0],
    [0.0, 3.0, 2.0, 1.0, 3.0, 3.0, 0.0, 0.0, 0.0],
    [0.0, 3.0, 2.0, 1.0, 3.0, 3.0, 0.0, 0.0, 0.0],
];

/// The weights of a game.
fn weights(game: &EuropeEngulfed) -> &'static [f32; FEATURES.len()] {
    match game.rules.victory {
        Victory::Areas { .. } => &WEIGHTS[0],
        Victory::Points { .. } => &WEIGHTS[1],
        Victory::Conquest => &WEIGHTS[2],
    }
}

/// Values positions by power, ground and aims.
#[derive(Debug)]
pub(super) struct Material(Arc<MapTables>);

impl Material {
    pub fn new(map: Arc<MapTables>) -> Material {
        Material(map)
    }
}

fn balance([first, second]: [f32; 2]) -> f32 {
    (first - second) / (first + second + 1.0)
}

pub(super) fn features(map: &MapTables, game: &EuropeEngulfed, state: &State) -> [f32; FEATURES.len()] {
    let power = Team::ALL.map(|team| {
        let units =
            game.unit_ids().filter(|unit| game.team_of(state, *unit) == Some(team) && state.is_on_map(*unit));
        Army::of(game, state, &units.collect()).power()
    });
    let ground = Team::ALL.map(|team| {
        state.held(team).and(&game.areas()).iter().map(|area| map.worth[area.0 as usize]).sum::<f32>()
    });
    let of_powers = |worth: &dyn Fn(Nation) -> f32| {
        Team::ALL.map(|team| Nation::members(state.nations(team)).map(worth).sum::<f32>())
    };
    let income = of_powers(&|nation| f32::from(game.income(state, nation)));
    let actions = of_powers(&|nation| f32::from(state.power(nation).special_actions));
    let turns = f32::from(game.rules.setup.turns.max(1));
    let left = f32::from(game.rules.setup.turns.saturating_sub(state.turn)) / turns;
    let aims = Team::ALL.map(|team| state.held(team).and(&map.aims).len() as f32);
    [
        1.0,
        balance(power),
        balance(power) * left,
        balance(ground),
        balance(aims),
        balance(aims) * (1.0 - left),
        balance(income),
        balance(actions),
        left,
    ]
}

impl Evaluator<EuropeEngulfed> for Material {
    fn weigh(&mut self, _: &EuropeEngulfed, _: &State, _: Side, legal: &[Action], out: &mut Vec<f32>) {
        out.extend(legal.iter().map(|_| 1.0));
    }

    fn evaluate(&mut self, game: &EuropeEngulfed, state: &State) -> PerSide<f32> {
        let features = features(&self.0, game, state);
        let logit: f32 = features.iter().zip(weights(game)).map(|(feature, weight)| feature * weight).sum();
        let first = 1.0 / (1.0 + (-logit).exp());
        let mut value = PerSide([0.0; MAX_SIDES]);
        for (index, player) in game.rules.setup.players.iter().enumerate() {
            value.0[index] = if player.team == Team::First { first } else { 1.0 - first };
        }
        value
    }

    fn is_uniform(&self) -> bool {
        true
    }
}
