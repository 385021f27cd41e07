//! How much each thing that the `material` evaluator of *Europe Engulfed* looks at says about who wins: logistic regression
//! over positions at the beginning of turns, from games between scripted players of various weights.
//!
//! ```text
//! cargo run --release -p sandtable-ai-europe-engulfed --example appraise [GAMES [SCENARIO...]]
//! ```
//!
//! Scenarios that are won in the same way share their weights: the campaigns by conquest, without names; give one of the others by its
//! name. Prints the weights in logits, in the order of the evaluator, and for each scenario how well the fitted evaluator foretells:
//! mean of the squared error of the probability, against that of the share of wins alone.

use std::process::ExitCode;

use sandtable_ai::{AgentSpec, Decision, Streams, play_game};
use sandtable_ai_europe_engulfed::{EngulfedKnowledge, FEATURES};
use sandtable_core::{Dice, Game, Rng64};
use sandtable_europe_engulfed::{EuropeEngulfed, Team};

const N: usize = FEATURES.len();
/// The players: the usual one, a bold, a cautious one.
const WEIGHTS: [&[(&str, f32)]; 3] =
    [&[], &[("odds", 0.2), ("prize", 1.6), ("kill", 1.5)], &[("odds", 0.5), ("loss", 1.6), ("fear", 1.2)]];
/// Strength of the prior that weights are small, in positions.
const RIDGE: f64 = 2.0;
const STEPS: usize = 4000;
const RATE: f64 = 1.0;

/// A position, and who won in the end: 1 = the first team.
struct Position {
    features: [f64; N],
    won: f64,
}

/// A scripted player of these weights.
fn player(game: &EuropeEngulfed, side: usize, weights: &[(&str, f32)]) -> Result<AgentSpec, String> {
    let id = game.sides()[side].id;
    let weights: Vec<String> = weights.iter().map(|(name, value)| format!("{id}.{name}:{value}")).collect();
    let spec = if weights.is_empty() {
        "scripted".to_owned()
    } else {
        format!("scripted:weights={}", weights.join("+"))
    };
    spec.parse::<AgentSpec>()
        .and_then(|spec| spec.with_files(|path| std::fs::read_to_string(path)))
        .map_err(|error| error.to_string())
}

fn play(game: &EuropeEngulfed, number: u64, positions: &mut Vec<Position>) -> Result<(), String> {
    let knowledge = EngulfedKnowledge::new(game);
    let mut choice = Rng64::stream(number, 0, 99);
    let mut agents = Vec::new();
    for side in 0..game.sides().len() {
        let weights = WEIGHTS[choice.below(WEIGHTS.len() as u32) as usize];
        agents.push(player(game, side, weights)?.build(&knowledge).map_err(|error| error.to_string())?);
    }
    let start = positions.len();
    let mut turn = (0, Team::First);
    let mut note = |decision: &Decision<'_, EuropeEngulfed>| {
        let state = decision.state;
        if (state.turn, state.mover) != turn {
            turn = (state.turn, state.mover);
            let features = knowledge.features(game, state).map(f64::from);
            positions.push(Position { features, won: 0.5 });
        }
    };
    let mut streams = Streams::new(77, number, agents.len());
    let outcome = play_game(game, agents, &mut streams, (), &mut note);
    let won = f64::from(outcome.utility.0[0]);
    positions[start..].iter_mut().for_each(|position| position.won = won);
    Ok(())
}

fn chance(weights: &[f64; N], features: &[f64; N]) -> f64 {
    let logit: f64 = weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum();
    1.0 / (1.0 + (-logit).exp())
}

fn fit(positions: &[Position]) -> [f64; N] {
    let mut weights = [0.0; N];
    let count = positions.len() as f64;
    for _ in 0..STEPS {
        let mut slope = weights.map(|weight| -RIDGE * weight);
        for position in positions {
            let error = position.won - chance(&weights, &position.features);
            slope.iter_mut().zip(position.features).for_each(|(slope, feature)| *slope += error * feature);
        }
        weights.iter_mut().zip(slope).for_each(|(weight, slope)| *weight += RATE * slope / count);
    }
    weights
}

fn run() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let games: u64 = arguments
        .next()
        .map_or(Ok(50), |games| games.parse().map_err(|_| format!("not a number: {games}")))?;
    let mut names: Vec<String> = arguments.collect();
    if names.is_empty() {
        names = ["campaign-1939", "campaign-1941"].map(str::to_owned).to_vec();
    }
    let mut positions = Vec::new();
    let mut parts = Vec::new();
    for name in &names {
        let scenario = sandtable_scenarios_europe_engulfed::open(&format!("europe-engulfed/{name}"), &[])
            .map_err(|error| error.to_string())?;
        let game = EuropeEngulfed::new(scenario.into_rules())?;
        let start = positions.len();
        for number in 0..games {
            play(&game, number, &mut positions)?;
        }
        parts.push(start..positions.len());
    }
    let weights = fit(&positions);
    for (name, weight) in FEATURES.iter().zip(weights) {
        println!("{name:<20} {weight:>8.3}");
    }
    println!("[{}]", weights.map(|weight| format!("{weight:.2}")).join(", "));
    for (name, part) in names.iter().zip(parts) {
        let part = &positions[part];
        let count = part.len() as f64;
        let share = part.iter().map(|position| position.won).sum::<f64>() / count;
        let error = |guess: &dyn Fn(&Position) -> f64| {
            part.iter().map(|position| (position.won - guess(position)).powi(2)).sum::<f64>() / count
        };
        println!(
            "{name:<20} {count:>6} positions, the first team won {:.1}%, error {:.4}, of the share alone {:.4}",
            100.0 * share,
            error(&|position| chance(&weights, &position.features)),
            error(&|_| share),
        );
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
