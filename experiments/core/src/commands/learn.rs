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
use crate::lab::learn::{HELD_OUT, Learned, LearningRun};
use crate::lab::progress::{Progress, ProgressReport};
use crate::lab::words::with_sets;
use crate::system::learning::GameSample;
use crate::system::{AnyScenario, AnySystem, open, read_agent};

/// The stream from which it is drawn who plays which side.
const ASSIGNMENT: u64 = u64::MAX;

pub(super) fn run(systems: &[Box<dyn AnySystem>], args: &LearnArgs) -> Result<(), Failure> {
    check_file(args.out.as_deref())?;
    if args.games < HELD_OUT as u64 {
        return Err(Failure::input(format!(
            "--games {}: expected at least {HELD_OUT}, of which one is held out to see how well the others predict it",
            args.games
        )));
    }
    let mut scenarios: Vec<Box<dyn AnyScenario>> = Vec::new();
    for name in &args.scenarios {
        let scenario = open(systems, name, &args.set)?;
        // Its games would count twice, and those held out stand in the fit as well.
        if let Some(same) = scenarios.iter().find(|other| other.hash() == scenario.hash()) {
            return Err(Failure::input(format!(
                "{name}: expected another scenario, {} is given already",
                same.id()
            )));
        }
        scenarios.push(scenario);
    }
    let value = scenarios[0].known_value()?;
    for scenario in &scenarios[1..] {
        // Those of one system that are won in other ways have other values.
        if scenario.known_value()?.id != value.id {
            return Err(Failure::input(format!(
                "{} and {} do not share a value; expected scenarios of one system that are won in the same way",
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
    let run = LearningRun::new(&value, names, said, (args.games, args.seed));
    let games = play(&scenarios, &agents, args)?;
    let learned = Learned::new(run, &value, &games)?;
    let mut out = stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&learned).map_err(anyhow::Error::from)?)?;
    } else {
        write!(out, "{learned}")?;
    }
    if let Some(path) = &args.out {
        let text = learned.file()?;
        write_atomically(path, |out| Ok(out.write_all(text.as_bytes())?))?;
        if !args.json {
            writeln!(out, "written to {0}: agents take it as value={0}", path.display())?;
        }
    }
    Ok(())
}

/// Fails before any work if what is learned could not be written or used under this name.
fn check_file(path: Option<&Path>) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    let refuse =
        |expected: &str| Err(Failure::input(format!("--out {}: expected {expected}", path.display())));
    if path.extension().is_none_or(|ending| ending != "toml") {
        return refuse("a file that ends in .toml");
    }
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() && !folder.is_dir() => {
            refuse("a file in a folder that exists")
        }
        _ => Ok(()),
    }
}

/// Plays the games of all scenarios, in order.
fn play(
    scenarios: &[Box<dyn AnyScenario + '_>],
    agents: &[AgentSpec],
    args: &LearnArgs,
) -> Result<Vec<GameSample>, Failure> {
    let pool =
        ThreadPoolBuilder::new().num_threads(threads(args.threads)).build().map_err(anyhow::Error::from)?;
    let meter = Progress::new(args.quiet || args.json, "games", 0);
    let (done, total) = (AtomicU64::new(0), scenarios.len() as u64 * args.games);
    let one = |number: u64| -> Result<GameSample, Failure> {
        let (scenario, game) = (&scenarios[(number / args.games) as usize], number % args.games);
        let mut draw = Rng64::stream(args.seed, game, ASSIGNMENT);
        let seats: Vec<AgentSpec> = scenario
            .sides()
            .iter()
            .map(|_| agents[draw.below(agents.len() as u32) as usize].clone())
            .collect();
        let sample = scenario.game_sample(&seats, (args.seed, game));
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        meter.show(|| ProgressReport { done, total, estimate: scenario.id().to_owned() });
        sample
    };
    let games = pool.install(|| (0..total).into_par_iter().map(one).collect());
    meter.finish();
    games
}
