//! Two agents against each other in a scenario of any wargame: the sides are swapped within each pair of games, and
//! both games of a pair share their dice.
//!
//! ```text
//! cargo run --release -p sandtable-benches --example duel SCENARIO AGENT OPPONENT [PAIRS [SEED]]
//! cargo run --release -p sandtable-benches --example duel blitzwar/france-1940 mcts:iterations=100 scripted 50 1
//! cargo run --release -p sandtable-benches --example duel victory-in-europe/bagration-1944 ismcts scripted 20
//! ```
//!
//! In the first game of a pair the agent plays the first side, in the second all others. Scores are those of the agent:
//! 1 for a win, one half for a draw. Intervals are of 95%, normal, over pairs. The score after each pair goes to
//! standard error, the result to standard output.

use std::process::ExitCode;
use std::time::Instant;

use sandtable_ai::{AgentSpec, Streams, SystemKnowledge, play_game};
use sandtable_ai_blitzwar::BlitzKnowledge;
use sandtable_ai_eurofront::EuroKnowledge;
use sandtable_ai_europe_engulfed::EngulfedKnowledge;
use sandtable_ai_roads_to_moscow::MoscowKnowledge;
use sandtable_ai_victory_in_europe::VictoryKnowledge;
use sandtable_benches::{eurofront, europe_engulfed};
use sandtable_blitzwar::BlitzWar;
use sandtable_core::{Game, Outcome};
use sandtable_roads_to_moscow::RoadsToMoscow;
use sandtable_victory_in_europe::VictoryInEurope;

/// Mean and half the width of its 95% interval.
fn mean(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    (mean, 1.96 * (variance / n).sqrt())
}

/// One game; `agents` play the first side and all others. Also tells how long it took, in seconds.
fn play<G: Game + 'static>(
    game: &G,
    knowledge: &dyn SystemKnowledge<G>,
    agents: [&AgentSpec; 2],
    streams: &mut Streams,
) -> Result<(Outcome, f64), String> {
    let mut players = Vec::new();
    for side in game.sides() {
        let spec = agents[usize::from(side.team != game.sides()[0].team)];
        players.push(spec.build(knowledge).map_err(|error| error.to_string())?);
    }
    let start = Instant::now();
    let outcome = play_game(game, players, streams, (), &mut ());
    Ok((outcome, start.elapsed().as_secs_f64()))
}

/// What is asked for on the command line, but for the scenario.
struct Duel {
    agent: AgentSpec,
    opponent: AgentSpec,
    pairs: u64,
    seed: u64,
}

impl Duel {
    fn fight<G: Game + 'static>(&self, game: &G, knowledge: &dyn SystemKnowledge<G>) -> Result<(), String> {
        let (agent, opponent) = (&self.agent, &self.opponent);
        let (mut scores, mut margins) = (Vec::new(), Vec::new());
        let (mut by_side, mut seconds) = ([0.0; 2], [0.0; 2]);
        for pair in 0..self.pairs {
            let (mut score, mut margin) = (0.0, 0.0);
            for (side, order) in [[agent, opponent], [opponent, agent]].into_iter().enumerate() {
                let mut streams = Streams::new(self.seed, pair, game.sides().len());
                let (outcome, time) = play(game, knowledge, order, &mut streams)?;
                let team = game.sides()[side].team;
                let won = outcome.winner.map_or(0.5, |winner| if winner == team { 1.0 } else { 0.0 });
                score += won / 2.0;
                by_side[side] += won;
                seconds[side] += time;
                margin += f64::from(outcome.utility.0[side]) / 2.0;
            }
            scores.push(score);
            margins.push(margin);
            let n = scores.len() as f64;
            let ((score, width), (utility, spread)) = (mean(&scores), mean(&margins));
            let line = format!(
                "{n} pairs: score {:.1}% +- {:.1} (first side {:.1}%, others {:.1}%), utility {utility:.4} +- {spread:.4}, \
                 {:.2} s a game on the first side, {:.2} s on the others",
                100.0 * score,
                100.0 * width,
                100.0 * by_side[0] / n,
                100.0 * by_side[1] / n,
                seconds[0] / n,
                seconds[1] / n,
            );
            if pair + 1 == self.pairs {
                println!("{line}");
            } else {
                eprintln!("{line}");
            }
        }
        Ok(())
    }
}

fn run(arguments: &[String]) -> Result<(), String> {
    let [name, agent, opponent, rest @ ..] = arguments else {
        return Err("usage: duel SCENARIO AGENT OPPONENT [PAIRS [SEED]]".to_owned());
    };
    let number = |at: usize, default: u64| {
        rest.get(at).map_or(Ok(default), |text| text.parse().map_err(|_| format!("not a number: {text}")))
    };
    let spec = |text: &String| {
        text.parse::<AgentSpec>()
            .and_then(|spec| spec.with_files(|path| std::fs::read_to_string(path)))
            .map_err(|error| error.to_string())
    };
    let duel =
        Duel { agent: spec(agent)?, opponent: spec(opponent)?, pairs: number(0, 20)?, seed: number(1, 1)? };
    match name.split('/').next() {
        Some("europe-engulfed") => {
            let game = europe_engulfed(name);
            duel.fight(&game, &EngulfedKnowledge::new(&game))
        }
        Some("eurofront") => {
            let game = eurofront(name);
            duel.fight(&game, &EuroKnowledge::new(&game))
        }
        Some("roads-to-moscow") => {
            let scenario =
                sandtable_scenarios_roads_to_moscow::open(name, &[]).map_err(|error| error.to_string())?;
            let game = RoadsToMoscow::new(scenario.into_rules())?;
            duel.fight(&game, &MoscowKnowledge::new(&game))
        }
        Some("blitzwar") => {
            let scenario =
                sandtable_scenarios_blitzwar::open(name, &[]).map_err(|error| error.to_string())?;
            let game = BlitzWar::new(scenario.into_rules())?;
            duel.fight(&game, &BlitzKnowledge::new(&game))
        }
        _ => {
            let scenario =
                sandtable_scenarios_victory_in_europe::open(name, &[]).map_err(|error| error.to_string())?;
            let game = VictoryInEurope::new(scenario.into_rules())?;
            duel.fight(&game, &VictoryKnowledge::new(&game))
        }
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
