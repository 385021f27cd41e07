//! `sandtable learn`

use std::io::{Write, stdout};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use sandtable_ai::AgentSpec;
use sandtable_core::{Dice, Rng64};

use super::play::threads;
use crate::cli::LearnArgs;
use crate::failure::Failure;
use crate::files::write_atomically;
use crate::lab::learn::{HELD_OUT, Learned, Lessons};
use crate::lab::progress::{Progress, ProgressReport};
use crate::lab::words::with_sets;
use crate::system::learning::Lesson;
use crate::system::{AnyScenario, AnySystem, open, read_agent};

/// The stream from which it is drawn who plays which side.
const SEATS: u64 = u64::MAX;

pub(super) fn run(systems: &[Box<dyn AnySystem>], args: &LearnArgs) -> Result<(), Failure> {
    check_file(args.out.as_deref())?;
    if args.games < HELD_OUT as u64 {
        return Err(Failure::input(format!(
            "--games {}: expected at least {HELD_OUT}, of which one is held out to see how well the others foretell it",
            args.games
        )));
    }
    let mut scenarios = Vec::new();
    for name in &args.scenarios {
        scenarios.push(open(systems, name, &args.set)?);
    }
    let value = scenarios[0].known_value()?;
    for scenario in &scenarios[1..] {
        // Also those that are won in another way, and so have another value.
        if scenario.known_value()? != value {
            return Err(Failure::input(format!(
                "{} and {} do not share a value; expected scenarios of one system whose value is the same now",
                scenarios[0].id(),
                scenario.id()
            )));
        }
    }
    let mut agents = Vec::new();
    for text in &args.agents {
        let refused = |failure: Failure| failure.within(&format!("--agent {text}"));
        let agent = read_agent(text).map_err(|error| refused(Failure::input(error.to_string())))?;
        for scenario in &scenarios {
            scenario.check_agent(&agent).map_err(refused)?;
        }
        agents.push(agent);
    }
    let sets: Vec<String> = args.set.iter().map(ToString::to_string).collect();
    let names = scenarios.iter().map(|scenario| with_sets(scenario.id(), &sets)).collect();
    let said = agents.iter().map(ToString::to_string).collect();
    let lessons = Lessons::new(value.evaluator, names, said, args.games, args.seed);
    let games = play(&scenarios, &agents, args)?;
    let learned = Learned::new(lessons, &value, &games)?;
    if let Some(path) = &args.out {
        let text = learned.file()?;
        write_atomically(path, |out| Ok(out.write_all(text.as_bytes())?))?;
    }
    let mut out = stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&learned).map_err(anyhow::Error::from)?)?;
    } else {
        write!(out, "{learned}")?;
        if let Some(path) = &args.out {
            writeln!(out, "written to {0}: agents take it as value={0}", path.display())?;
        }
    }
    Ok(())
}

/// Fails before any work if what is learned could not be used under this name.
fn check_file(path: Option<&Path>) -> Result<(), Failure> {
    match path {
        Some(path) if path.extension().is_none_or(|ending| ending != "toml") => {
            Err(Failure::input(format!("--out {}: expected a file that ends in .toml", path.display())))
        }
        _ => Ok(()),
    }
}

/// Plays the games of all scenarios, in order.
fn play(
    scenarios: &[Box<dyn AnyScenario + '_>],
    agents: &[AgentSpec],
    args: &LearnArgs,
) -> Result<Vec<Lesson>, Failure> {
    let pool =
        ThreadPoolBuilder::new().num_threads(threads(args.threads)).build().map_err(anyhow::Error::from)?;
    let meter = Progress::new(args.quiet || args.json, "games", 0);
    let (done, total) = (AtomicU64::new(0), scenarios.len() as u64 * args.games);
    let one = |number: u64| -> Result<Lesson, Failure> {
        let (scenario, game) = (&scenarios[(number / args.games) as usize], number % args.games);
        let mut draw = Rng64::stream(args.seed, game, SEATS);
        let seats: Vec<AgentSpec> = scenario
            .sides()
            .iter()
            .map(|_| agents[draw.below(agents.len() as u32) as usize].clone())
            .collect();
        let lesson = scenario.lesson(&seats, (args.seed, game));
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        meter.show(|| ProgressReport { done, total, estimate: scenario.id().to_owned() });
        lesson
    };
    let games = pool.install(|| (0..total).into_par_iter().map(one).collect());
    meter.finish();
    games
}
