//! What a position is worth: the chance that each side wins, by the score it is heading for.

use std::sync::Arc;

use sandtable_ai::policy::Evaluator;
use sandtable_core::{MAX_SIDES, PerSide, Side};
use sandtable_roads_to_moscow::{Action, RoadsToMoscow, State};

use super::map_tables::MapTables;

/// What the evaluator looks at, from the side of the attacker: how the score, the objectives within reach and the strength
/// of both sides stand against an even game at that time.
const FEATURES: [&str; 7] =
    ["one", "margin", "margin * late", "near", "near * late", "strength", "strength * late"];

/// Their weights in logits: logistic regression over the positions at the beginning of the turns of 100 games between
/// scripted players in each of the four scenarios, all together, from seed 11, by the test `fit`.
const WEIGHTS: [f32; FEATURES.len()] = [-0.52, 0.03, 0.36, 0.21, -0.36, 1.78, 0.92];

/// Values positions by the score, the objectives within reach and the strength of both sides.
#[derive(Debug)]
pub(super) struct Standing(Arc<MapTables>);

impl Standing {
    pub fn new(tables: Arc<MapTables>) -> Standing {
        Standing(tables)
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

#[cfg(test)]
mod tests {
    use sandtable_ai::{AgentSpec, Decision, Streams, play_game};

    use super::*;
    use crate::MoscowKnowledge;

    const SCENARIOS: [&str; 4] = ["pervyy-voin", "road-to-mtsensk", "borodino-field", "mozhaysk"];
    const N: usize = FEATURES.len();

    /// A position, and whether the attacker won.
    struct Position {
        features: [f64; N],
        won: f64,
    }

    /// Positions at the beginning of the turns of games between scripted players.
    fn positions(scenario: &str, seed: u64, games: u64) -> Vec<Position> {
        let name = format!("roads-to-moscow/{scenario}");
        let opened = sandtable_scenarios_roads_to_moscow::open(&name, &[]).unwrap();
        let game = RoadsToMoscow::new(opened.into_rules()).unwrap();
        let knowledge = MoscowKnowledge::new(&game);
        let tables = &knowledge.tables;
        let mut positions: Vec<Position> = Vec::new();
        for number in 0..games {
            let agents =
                [(); 2].map(|()| "scripted".parse::<AgentSpec>().unwrap().build(&knowledge).unwrap());
            let (start, mut turn) = (positions.len(), 0);
            let outcome = play_game(
                &game,
                agents,
                &mut Streams::new(seed, number, 2),
                (),
                &mut |decision: &Decision<'_, RoadsToMoscow>| {
                    if decision.state.turn != turn {
                        turn = decision.state.turn;
                        let features = features(tables, &game, decision.state).map(f64::from);
                        positions.push(Position { features, won: 0.0 });
                    }
                },
            );
            let won = f64::from(u8::from(outcome.winner == Some(tables.attacker as u8)));
            positions[start..].iter_mut().for_each(|position| position.won = won);
        }
        positions
    }

    fn chance(weights: &[f64; N], features: &[f64; N]) -> f64 {
        let logit: f64 = weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum();
        1.0 / (1.0 + (-logit).exp())
    }

    /// Mean squared error of what is foretold, and of the share of wins alone.
    fn errors(weights: &[f64; N], positions: &[Position]) -> [f64; 2] {
        let count = positions.len() as f64;
        let share = positions.iter().map(|position| position.won).sum::<f64>() / count;
        let mean = |guess: &dyn Fn(&Position) -> f64| {
            positions.iter().map(|position| (position.won - guess(position)).powi(2)).sum::<f64>() / count
        };
        [mean(&|position| chance(weights, &position.features)), mean(&|_| share)]
    }

    #[test]
    #[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
    fn it_foretells_who_wins() {
        let weights = WEIGHTS.map(f64::from);
        let errors = SCENARIOS.map(|scenario| errors(&weights, &positions(scenario, 12, 20)));
        // Of all scenarios: twenty games of one say little.
        let [error, of_share] = [0, 1].map(|which| errors.iter().map(|errors| errors[which]).sum::<f64>());
        assert!(error < 0.95 * of_share, "errors, and of the share of wins alone: {errors:.3?}");
    }

    /// `cargo test --release -p sandtable-ai-roads-to-moscow --lib fit -- --ignored --nocapture`
    #[test]
    #[ignore = "fits the weights and prints them"]
    fn fit() {
        const GAMES: u64 = 100;
        /// Strength of the prior that weights are small, in positions.
        const RIDGE: f64 = 2.0;
        let parts = SCENARIOS.map(|scenario| positions(scenario, 11, GAMES));
        let count = parts.iter().map(Vec::len).sum::<usize>() as f64;
        let mut weights = [0.0; N];
        for _ in 0..10_000 {
            let mut slope = weights.map(|weight| -RIDGE * weight);
            for position in parts.iter().flatten() {
                let error = position.won - chance(&weights, &position.features);
                slope
                    .iter_mut()
                    .zip(position.features)
                    .for_each(|(slope, feature)| *slope += error * feature);
            }
            weights.iter_mut().zip(slope).for_each(|(weight, slope)| *weight += 0.02 * slope / count);
        }
        println!("{FEATURES:?} {weights:.2?}");
        for (scenario, part) in SCENARIOS.iter().zip(&parts) {
            let [fitted, of_share] = errors(&weights, part);
            let [shipped, _] = errors(&WEIGHTS.map(f64::from), part);
            println!("{scenario}: fitted {fitted:.4}, shipped {shipped:.4}, share {of_share:.4}");
        }
    }
}
