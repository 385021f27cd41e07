//! What a position is worth: the chance that the first team wins, by power, ground and what counts for victory.

use std::sync::Arc;

use sandtable_core::{Game, PerSide, Side};
use sandtable_europe_engulfed::rules::Victory;
use sandtable_europe_engulfed::{EuropeEngulfed, Nation, State, Team};

use sandtable_ai::policy::Evaluator;
use sandtable_ai::{Feature, LogisticValue};

use super::battle::Army;
use super::map_tables::MapTables;

/// What the evaluator looks at. Balances are of the first team against the second, from -1 to 1.
const FEATURES: &[Feature] = &[
    Feature { name: "power", summary: "balance of combat power", sign: 1 },
    Feature { name: "power_left", summary: "power * left", sign: 0 },
    Feature { name: "ground", summary: "balance of areas by their worth", sign: 0 },
    Feature { name: "aims", summary: "balance of what counts for victory", sign: 1 },
    Feature { name: "aims_late", summary: "aims * share of the turns gone by", sign: 0 },
    Feature { name: "income", summary: "balance of WERPs a turn", sign: 0 },
    Feature { name: "special_actions", summary: "balance of Special Actions at hand", sign: 0 },
    Feature { name: "left", summary: "share of the turns still to come", sign: 0 },
];

/// The value that comes with the player, by how a scenario is won: by areas (16.1), by points (16.2, 16.3), by conquest.
fn of_scenario(victory: &Victory) -> LogisticValue {
    let (id, file) = match victory {
        Victory::Areas { .. } => ("europe-engulfed/areas", include_str!("../value/areas.toml")),
        Victory::Points { .. } => ("europe-engulfed/points", include_str!("../value/points.toml")),
        Victory::Conquest => ("europe-engulfed/conquest", include_str!("../value/conquest.toml")),
    };
    LogisticValue::shipped(id, FEATURES, file)
}

/// Values positions by power, ground and aims.
#[derive(Clone, Debug)]
pub(super) struct Material {
    map: Arc<MapTables>,
    value: LogisticValue,
}

impl Material {
    pub fn new(map: Arc<MapTables>, game: &EuropeEngulfed) -> Material {
        Material { map, value: of_scenario(&game.rules.victory) }
    }
}

fn balance([first, second]: [f32; 2]) -> f32 {
    (first - second) / (first + second + 1.0)
}

fn features(map: &MapTables, game: &EuropeEngulfed, state: &State) -> [f32; FEATURES.len()] {
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

/// A side of the first team.
fn first_side(game: &EuropeEngulfed) -> Side {
    let players = &game.rules.setup.players;
    Side(players.iter().position(|player| player.team == Team::First).unwrap_or(0) as u8)
}

impl Evaluator<EuropeEngulfed> for Material {
    fn evaluate(&mut self, game: &EuropeEngulfed, state: &State) -> PerSide<f32> {
        self.value.worth(game.sides(), first_side(game), &features(&self.map, game, state))
    }

    fn value(&mut self) -> Option<&mut LogisticValue> {
        Some(&mut self.value)
    }

    fn features(&mut self, game: &EuropeEngulfed, state: &State, out: &mut Vec<f32>) -> Option<Side> {
        out.extend(features(&self.map, game, state));
        Some(first_side(game))
    }

    fn is_uniform(&self) -> bool {
        true
    }
}
