//! `sandtable play`

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::available_parallelism;

use sandtable_ai::AgentSpec;
use serde::{Deserialize, Serialize};

use crate::cli::PlayArgs;
use crate::failure::{Failure, expected};
use crate::files::{self, write_atomically};
use crate::manifest::{MANIFEST, Shard};
use crate::run::folder::{Receipt, RunFolder, verified_receipt};
use crate::run::manifest::{Identity, Manifest};
use crate::run::progress::{Progress, speed};
use crate::run::schedule::{self, Work};
use crate::run::summary::Summary;
use crate::run::tally::Tally;
use crate::system::{AnyScenario, AnySystem, Extras, Setup, open, read_agent, team_labels};
use crate::table::Format;

pub(super) fn run(systems: &[Box<dyn AnySystem>], args: &PlayArgs) -> Result<(), Failure> {
    let before = match (&args.out, args.resume) {
        (Some(out), true) => {
            Some(Manifest::read(out).map_err(|failure| failure.within(&format!("--out {}", out.display())))?)
        }
        _ => None,
    };
    let before_identity = before.as_ref().map(|manifest| &manifest.identity);
    let overrides = match before_identity {
        Some(identity) if args.set.is_empty() => identity.parsed_overrides()?,
        _ => args.set.clone(),
    };
    let name = args.scenario.as_deref().or(before_identity.map(|identity| identity.scenario.as_str()));
    let scenario = open(systems, name.unwrap_or_default(), &overrides)?;
    let scenario = scenario.as_ref();
    let request = Request::new(args, scenario, before.as_ref())?;
    let identity = Identity::new(scenario, &overrides, &request.setup, (request.games, request.part_games));
    let folder = open_folder(args, before, Manifest::new(request.format, args.shard, identity))?;

    // Ctrl-C must not catch a run between two parts without a word.
    let stop = stop_on_interrupt()?;
    let (mut receipts, mut missing, mut total) = (Vec::new(), Vec::new(), 0);
    for part in folder.manifest().parts() {
        let range = folder.manifest().identity.part_range(part);
        total += range.end - range.start;
        match verified_receipt(folder.root(), part, folder.manifest(), scenario.sides())? {
            Some(receipt) => receipts.push(receipt),
            None => missing.push(part),
        }
    }
    let tally = sum(scenario, &receipts);
    let progress = Progress::new(args.quiet || args.json, team_labels(scenario.sides()), total, tally);
    let threads = threads(args.threads);
    let work = Work {
        scenario,
        setup: &request.setup,
        folder: &folder,
        format: request.format,
        parts: &missing,
        threads,
        stop: &stop,
        progress: &progress,
    };
    let played = schedule::play(&work);
    progress.finish();
    let played = played?;
    note_session(&folder, &progress, threads)?;
    let is_whole = played.len() == missing.len();
    receipts.extend(played);
    receipts.sort_by_key(|receipt| receipt.part);
    let tally = sum(scenario, &receipts);
    if !is_whole {
        return Err(Failure::Interrupted(format!(
            "stopped after {} of {total} games; go on with: sandtable play --resume --out {}",
            tally.games,
            folder.root().display()
        )));
    }
    let summary = Summary::new(folder.manifest(), scenario.sides(), &tally);
    write_summary(folder.root(), &summary)?;
    report(args, &folder, &summary, &progress)
}

/// How many threads play: as many as asked for, else all that the machine has.
pub(super) fn threads(wanted: Option<u16>) -> usize {
    wanted.map_or_else(|| available_parallelism().map_or(1, usize::from), usize::from)
}

/// The results of all parts, added up in their order: sums of floating-point numbers depend on it.
fn sum(scenario: &dyn AnyScenario, receipts: &[Receipt]) -> Tally {
    let mut tally = Tally::new(scenario.sides());
    for receipt in receipts {
        tally.merge(&receipt.tally);
    }
    tally
}

/// What the command line asks for, completed from the manifest of the run that is to go on, or by defaults.
struct Request {
    setup: Setup,
    games: u64,
    part_games: u64,
    format: Format,
}

impl Request {
    fn new(
        args: &PlayArgs,
        scenario: &dyn AnyScenario,
        manifest: Option<&Manifest>,
    ) -> Result<Request, Failure> {
        let before = manifest.map(|manifest| &manifest.identity);
        let old = before.map(|identity| identity.setup(scenario)).transpose()?;
        let agents = match &old {
            Some(old) if args.sides.is_empty() && args.agents.is_none() => old.agents.clone(),
            _ => parse_agents(args, scenario)?,
        };
        let extras = old.as_ref().map(|old| old.extras).unwrap_or_default();
        let mut setup = Setup {
            agents,
            seed: args.seed.or(old.map(|old| old.seed)).unwrap_or(1),
            extras: Extras {
                decisions: args.decisions || extras.decisions,
                records: args.record || extras.records,
            },
        };
        setup.extras.records |= setup.is_timed();
        let part_games = if setup.searches() { SEARCHED_PART_GAMES } else { scenario.system().part_games };
        Ok(Request {
            setup,
            games: args.games.or(before.map(|identity| identity.games)).unwrap_or(1000),
            part_games: args.part_games.or(before.map(|identity| identity.part_games)).unwrap_or(part_games),
            format: match args.format {
                Some(format) => format,
                None => manifest.map(Manifest::table_format).transpose()?.unwrap_or_default(),
            },
        })
    }
}

/// A part of games with search is small: it may take minutes, and Ctrl-C waits for it.
const SEARCHED_PART_GAMES: u64 = 16;

/// The agent of each side from `--side` and `--agents`.
fn parse_agents(args: &PlayArgs, scenario: &dyn AnyScenario) -> Result<Vec<AgentSpec>, Failure> {
    let others = args.agents.as_deref().map(|text| ("--agents", text));
    let agents = agents_by_side(scenario, &[("--side", &args.sides)], others)?;
    let agents = scenario.sides().iter().zip(agents).map(|(side, agent)| {
        agent.ok_or_else(|| {
            Failure::input(format!(
                "side {} has no agent: add --side {}=AGENT, or --agents AGENT for all sides not named",
                side.id, side.id
            ))
        })
    });
    agents.collect()
}

/// The agent of each side: from lists of `SIDE=AGENT`, each with its flag, of which the first that names a side
/// decides; and from the flag and agent for sides that no list names.
pub(super) fn agents_by_side(
    scenario: &dyn AnyScenario,
    given: &[(&str, &[String])],
    others: Option<(&str, &str)>,
) -> Result<Vec<Option<AgentSpec>>, Failure> {
    let sides = scenario.sides();
    let parse = |flag: &str, text: &str| {
        let spec = read_agent(text).map_err(|error| Failure::input(format!("{flag}: {error}")))?;
        scenario.check_agent(&spec).map_err(|failure| failure.within(flag)).map(|()| spec)
    };
    let mut agents: Vec<Option<AgentSpec>> = vec![None; sides.len()];
    for (name, texts) in given {
        let mut named: Vec<Option<AgentSpec>> = vec![None; sides.len()];
        for text in *texts {
            let flag = format!("{name} {text}");
            let (id, spec) = text.split_once('=').ok_or_else(|| {
                Failure::input(format!("{flag}: expected SIDE=AGENT, such as {}=random", sides[0].id))
            })?;
            let side = sides.iter().position(|side| side.id == id).ok_or_else(|| {
                let ids = sides.iter().map(|side| side.id);
                Failure::input(format!("{flag}: unknown side \"{id}\": {}", expected(id, ids)))
            })?;
            if named[side].is_some() {
                return Err(Failure::input(format!("{flag}: side {id} is given twice")));
            }
            named[side] = Some(parse(&flag, spec)?);
        }
        for (agent, named) in agents.iter_mut().zip(named) {
            *agent = agent.take().or(named);
        }
    }
    let others = others.map(|(flag, text)| parse(&format!("{flag} {text}"), text)).transpose()?;
    Ok(agents.into_iter().map(|agent| agent.or_else(|| others.clone())).collect())
}

/// The folder of a new run, or of the one to go on with.
fn open_folder(args: &PlayArgs, before: Option<Manifest>, now: Manifest) -> Result<RunFolder, Failure> {
    let refused = |out: &Path| {
        let flag = format!("--out {}", out.display());
        move |failure: Failure| failure.within(&flag)
    };
    if let (Some(out), Some(before)) = (&args.out, before) {
        let different = now.difference(&before).or_else(|| {
            let shown = |shard: Option<Shard>| shard.map_or("none".to_owned(), |shard| shard.to_string());
            let given = args.shard.filter(|&shard| before.shard != Some(shard));
            given.map(|_| ("shard".to_owned(), shown(args.shard), shown(before.shard)))
        });
        return match different {
            None => RunFolder::reopen(out, before).map_err(refused(out)),
            Some((what, here, there)) => Err(Failure::input(format!(
                "--resume: the run in {} was begun with {what} {there}, as {MANIFEST} says, and not with {here}",
                out.display()
            ))),
        };
    }
    let out = match &args.out {
        Some(out) => out.clone(),
        None => new_folder(&now.identity.scenario)?,
    };
    RunFolder::create(&out, now).map_err(refused(&out))
}

/// A folder in `runs/` that does not exist yet.
pub(super) fn new_folder(name: &str) -> Result<PathBuf, Failure> {
    let name: String = name
        .chars()
        .map(|letter| if letter.is_alphanumeric() || letter == '.' || letter == '_' { letter } else { '-' })
        .collect();
    (1..100_000)
        .map(|number| Path::new("runs").join(format!("{name}-{number:03}")))
        .find(|path| !path.exists())
        .ok_or_else(|| Failure::input("runs/ is full: name a folder with --out"))
}

/// The first interrupt sets the flag, a second one ends the program at once.
pub(super) fn stop_on_interrupt() -> Result<Arc<AtomicBool>, Failure> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if flag.swap(true, Ordering::Relaxed) {
            process::exit(130);
        }
        eprintln!("stopping: the parts at hand are finished first; once more to stop at once");
    })
    .map_err(anyhow::Error::from)?;
    Ok(stop)
}

/// One session of a run.
#[derive(Serialize, Deserialize)]
struct Session {
    games: u64,
    seconds: f64,
    threads: usize,
}

/// Adds this session to `timing.json`, beside the results and not among them.
fn note_session(folder: &RunFolder, progress: &Progress, threads: usize) -> Result<(), Failure> {
    let path = folder.root().join("timing.json");
    // A file that is not there or not readable tells of no sessions.
    let mut sessions: Vec<Session> =
        files::read_text(&path).ok().and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    let (games, elapsed) = progress.session();
    sessions.push(Session { games, seconds: elapsed.as_secs_f64(), threads });
    let text = serde_json::to_string_pretty(&sessions).map_err(anyhow::Error::from)?;
    write_atomically(&path, |out| Ok(writeln!(out, "{text}")?))?;
    Ok(())
}

/// Writes `summary.json`.
pub(super) fn write_summary(folder: &Path, summary: &Summary) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(summary).map_err(anyhow::Error::from)?;
    write_atomically(&folder.join("summary.json"), |out| Ok(writeln!(out, "{text}")?))?;
    Ok(())
}

fn report(
    args: &PlayArgs,
    folder: &RunFolder,
    summary: &Summary,
    progress: &Progress,
) -> Result<(), Failure> {
    let mut out = stdout().lock();
    let (games, elapsed) = progress.session();
    let seconds = elapsed.as_secs_f64();
    if args.json {
        let value = serde_json::json!({
            "folder": folder.root().display().to_string(),
            "session": { "games": games, "seconds": seconds },
            "summary": summary,
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&value).map_err(anyhow::Error::from)?)?;
    } else if !args.quiet {
        writeln!(out, "{summary}")?;
        if let Some(speed) = speed(games, seconds) {
            writeln!(out, "{speed}")?;
        }
        writeln!(out, "{}", Summary::where_to_look(folder.root(), &folder.manifest().format))?;
        out.flush()?;
    }
    Ok(())
}
