//! What a position is worth: the utility each side is heading for.

use std::sync::Arc;

use sandtable_ai::policy::Evaluator;
use sandtable_core::{MAX_SIDES, PerSide, Side};
use sandtable_eurofront::ids::Camp;
use sandtable_eurofront::{Action, EuroFront, State};

use super::map_tables::MapTables;
use super::production::level;

/// What the evaluator looks at, from the side of the Axis: places held, strength, command, and how late it is.
const FEATURES: [&str; 7] =
    ["one", "late", "level", "level * late", "strength", "strength * late", "command"];

/// Their weights in logits, found by the test `fit`: logistic regression over the positions at the beginning of the
/// fortnights of a hundred scripted games of 1936.
const WEIGHTS: [f32; FEATURES.len()] = [0.06, -1.05, 1.06, -0.78, 1.27, -0.40, 0.17];

/// Values positions by the places held and the strength of both sides.
#[derive(Debug)]
pub(super) struct Standing(Arc<MapTables>);

impl Standing {
    pub fn new(tables: Arc<MapTables>) -> Standing {
        Standing(tables)
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
    let level = level(tables, game, state) / 4.0;
    let strength = (steps[0] - steps[1]) / (steps[0] + steps[1]).max(1.0);
    let command = (command[0] - command[1]) / 4.0;
    [1.0, late, level, level * late, strength, strength * late, command]
}

impl Evaluator<EuroFront> for Standing {
    fn weigh(&mut self, _: &EuroFront, _: &State, _: Side, legal: &[Action], out: &mut Vec<f32>) {
        out.extend(legal.iter().map(|_| 1.0));
    }

    fn evaluate(&mut self, game: &EuroFront, state: &State) -> PerSide<f32> {
        let features = features(&self.0, game, state);
        let logit: f32 = features.iter().zip(WEIGHTS).map(|(feature, weight)| feature * weight).sum();
        let axis = 1.0 / (1.0 + (-logit).exp());
        let mut value = PerSide([1.0 - axis; MAX_SIDES]);
        for faction in game.factions().filter(|faction| faction.camp() == Camp::Axis) {
            value[game.side_of(faction)] = axis;
        }
        value
    }

    fn is_uniform(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use sandtable_ai::{AgentSpec, Decision, Streams, play_game};

    use super::*;
    use crate::EuroKnowledge;

    const N: usize = FEATURES.len();

    /// A position, and what the Axis got out of its game.
    struct Position {
        features: [f64; N],
        utility: f64,
    }

    /// Positions at the beginning of the fortnights of games between scripted players.
    fn positions(seed: u64, games: u64) -> Vec<Position> {
        let opened = sandtable_scenarios_eurofront::open("eurofront/1936", &[]).unwrap();
        let game = EuroFront::new(opened.into_rules()).unwrap();
        let knowledge = EuroKnowledge::new(&game);
        let mut positions: Vec<Position> = Vec::new();
        for number in 0..games {
            let agents =
                [(); 2].map(|()| "scripted".parse::<AgentSpec>().unwrap().build(&knowledge).unwrap());
            let (start, mut moment) = (positions.len(), (0, 0));
            let outcome = play_game(
                &game,
                agents,
                &mut Streams::new(seed, number, 2),
                (),
                &mut |decision: &Decision<'_, EuroFront>| {
                    let now = (decision.state.month, decision.state.fortnight);
                    if now != moment {
                        moment = now;
                        let features = features(&knowledge.tables, &game, decision.state).map(f64::from);
                        positions.push(Position { features, utility: 0.0 });
                    }
                },
            );
            let utility = f64::from(outcome.utility[Side(0)]);
            positions[start..].iter_mut().for_each(|position| position.utility = utility);
        }
        positions
    }

    fn value(weights: &[f64; N], features: &[f64; N]) -> f64 {
        let logit: f64 = weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum();
        1.0 / (1.0 + (-logit).exp())
    }

    /// Mean squared error of what is foretold, and of the mean utility alone.
    fn errors(weights: &[f64; N], positions: &[Position]) -> [f64; 2] {
        let count = positions.len() as f64;
        let mean = positions.iter().map(|position| position.utility).sum::<f64>() / count;
        let error = |guess: &dyn Fn(&Position) -> f64| {
            positions.iter().map(|position| (position.utility - guess(position)).powi(2)).sum::<f64>() / count
        };
        [error(&|position| value(weights, &position.features)), error(&|_| mean)]
    }

    #[test]
    #[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
    fn it_predicts_who_wins() {
        let [error, of_mean] = errors(&WEIGHTS.map(f64::from), &positions(12, 80));
        assert!(error < 0.95 * of_mean, "error {error:.3}, of the mean alone {of_mean:.3}");
    }

    /// `cargo test --release -p sandtable-ai-eurofront --lib fit -- --ignored --nocapture`
    #[test]
    #[ignore = "fits the weights and prints them"]
    fn fit() {
        /// Strength of the prior that weights are small, in positions.
        const RIDGE: f64 = 2.0;
        let positions = positions(11, 100);
        let mut weights = [0.0; N];
        for _ in 0..4_000 {
            let mut slope = weights.map(|weight| -RIDGE * weight);
            for position in &positions {
                let error = position.utility - value(&weights, &position.features);
                slope
                    .iter_mut()
                    .zip(position.features)
                    .for_each(|(slope, feature)| *slope += error * feature);
            }
            let count = positions.len() as f64;
            weights.iter_mut().zip(slope).for_each(|(weight, slope)| *weight += 0.5 * slope / count);
        }
        println!("{FEATURES:?} {weights:.2?}");
        let [fitted, of_mean] = errors(&weights, &positions);
        let [shipped, _] = errors(&WEIGHTS.map(f64::from), &positions);
        println!("fitted {fitted:.4}, shipped {shipped:.4}, mean {of_mean:.4}");
    }
}
