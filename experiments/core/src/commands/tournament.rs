//! `sandtable tournament`

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};

use super::play;
use crate::cli::{MergeArgs, TournamentArgs};
use crate::failure::Failure;
use crate::lab::arena::Arena;
use crate::lab::progress::Progress;
use crate::lab::store::Lock;
use crate::lab::tournament::Field;
use crate::lab::tournament::manifest::{Entries, KIND, Layout, Manifest, ScenarioEntry, Stopping};
use crate::lab::tournament::report::Report;
use crate::lab::tournament::schedule::{PairJobs, PairSchedule};
use crate::lab::tournament::store::Store;
use crate::run::progress::speed;
use crate::system::{AnyScenario, AnySystem, open, read_agent};

pub(super) fn run(systems: &[Box<dyn AnySystem>], args: &TournamentArgs) -> Result<(), Failure> {
    // Whoever adds to a tournament holds its folder from before the manifest is read.
    let (lock, before) = match &args.lab.out {
        Some(out) if Manifest::is_in(out) => {
            let lock = Lock::existing(out, KIND)?;
            (Some(lock), Some(Manifest::read_to_go_on(out)?))
        }
        _ => (None, None),
    };
    let (manifest, scenarios) = enter(systems, args, before)?;
    let field = Field { scenarios: &scenarios, agents: manifest.identity.specs()? };
    field.check()?;
    let lock = match (lock, &args.lab.out) {
        (Some(lock), _) => lock,
        (None, Some(out)) => Lock::new(out, KIND)?,
        (None, None) => Lock::new(&play::new_folder(KIND)?, KIND)?,
    };
    let mut schedule = PairSchedule::new(&manifest)?;
    let store = Store::open(lock, &manifest, &field, &mut schedule)?;

    // Ctrl-C must not end the program between two pairs without a word.
    let stop = play::stop_on_interrupt()?;
    let before = schedule.pairs();
    let mut source = PairJobs {
        field: &field,
        seed: manifest.identity.seed,
        schedule,
        archive: store,
        progress: Progress::new(args.lab.quiet || args.lab.json, "pairs", before),
        slow: field.searches(),
        out: 0,
    };
    let arena = Arena::new(play::threads(args.lab.threads), &stop)?;
    let played = arena.serve(&field.assignments(), &mut source);
    let elapsed = source.progress.finish();
    let PairJobs { schedule, archive: mut store, .. } = source;
    store.close_part(&schedule)?;
    played?;
    let report = Report::new(&manifest, &field, &schedule)?;
    store.publish(&report, field.sides())?;
    if !schedule.is_complete() {
        return Err(Failure::Interrupted(format!(
            "stopped after {} of {} pairs; go on with: sandtable tournament --out {}",
            schedule.pairs(),
            schedule.planned(),
            store.root().display()
        )));
    }
    let games = 2 * (schedule.pairs() - before);
    print(args, &store, &report, (games, elapsed.as_secs_f64()))
}

/// What the tournament is once the command line has added to it, and its scenarios.
fn enter<'a>(
    systems: &'a [Box<dyn AnySystem>],
    args: &TournamentArgs,
    before: Option<Manifest>,
) -> Result<(Manifest, Vec<Box<dyn AnyScenario + 'a>>), Failure> {
    let is_new = before.is_none();
    let mut manifest = before.unwrap_or_else(|| {
        Manifest::new(args.lab.format.unwrap_or_default(), args.shard, Entries::new(args.seed.unwrap_or(1)))
    });
    let other = |flag: &str, given: &dyn std::fmt::Display, there: &dyn std::fmt::Display| {
        Err(Failure::input(format!("--{flag} {given}: the tournament there has {there}; use another --out")))
    };
    if let Some(seed) = args.seed.filter(|&seed| seed != manifest.identity.seed) {
        return other("seed", &seed, &format!("seed {}", manifest.identity.seed));
    }
    if let Some(format) = args.lab.format.filter(|format| format.extension() != manifest.format) {
        return other("format", &format.extension(), &format!("tables as {}", manifest.format));
    }
    if let Some(shard) = args.shard.filter(|&shard| manifest.shard != Some(shard)) {
        let there = manifest.shard.map_or("no shards".to_owned(), |shard| format!("shard {shard}"));
        return other("shard", &shard, &there);
    }
    if let Some(stopping) = args.sprt {
        let sprt = match stopping {
            Stopping::Never => None,
            Stopping::Sprt(sprt) => Some(sprt.to_string()),
        };
        // With a test whole pairings are dealt out to the shards, without one pairs are.
        if !is_new && manifest.shard.is_some() && sprt.is_some() != manifest.identity.sprt.is_some() {
            let given = sprt.as_deref().unwrap_or("none");
            let there = manifest.identity.sprt.as_deref().unwrap_or("no test");
            return other("sprt", &given, &format!("{there}, by which its shards were dealt out"));
        }
        manifest.identity.sprt = sprt;
    }
    // What has been played stays: a tournament grows.
    if let Some(layout) = args.layout {
        if !is_new && layout == Layout::Gauntlet && manifest.identity.layout != layout {
            return other("layout", &"gauntlet", &"everybody meet everybody");
        }
        manifest.identity.layout = layout;
    }
    manifest.identity.pairs = args.pairs.unwrap_or(manifest.identity.pairs);
    let named = add_agents(&mut manifest.identity, &args.agents)?;
    let order = |name: &String| manifest.identity.agents.iter().position(|agent| agent == name);
    let first_matters = manifest.identity.layout == Layout::Gauntlet || manifest.identity.sprt.is_some();
    if first_matters && let Some(late) = named.windows(2).find(|two| order(&two[0]) > order(&two[1])) {
        return other("agent", &late[0], &format!("{} before it", late[1]));
    }
    let scenarios = open_scenarios(systems, &mut manifest.identity, &args.scenarios)?;
    if scenarios.is_empty() {
        return Err(Failure::input("a tournament needs a scenario: add --scenario SCENARIO"));
    }
    if manifest.identity.agents.len() < 2 {
        return Err(Failure::input("a tournament needs two agents or more: add --agent AGENT for each"));
    }
    Ok((manifest, scenarios))
}

/// Enters those that are new; returns the names of all that were given.
fn add_agents(entries: &mut Entries, agents: &[String]) -> Result<Vec<String>, Failure> {
    let mut named: Vec<String> = Vec::new();
    for text in agents {
        let spec = read_agent(text).map_err(|error| Failure::input(format!("--agent {text}: {error}")))?;
        let name = spec.to_string();
        if named.contains(&name) {
            return Err(Failure::input(format!("--agent {text}: {name} is given twice")));
        }
        if !entries.agents.contains(&name) {
            entries.agents.push(name.clone());
        }
        named.push(name);
    }
    Ok(named)
}

/// Opens those of the tournament, which must be what they were, and adds those that are new.
fn open_scenarios<'a>(
    systems: &'a [Box<dyn AnySystem>],
    entries: &mut Entries,
    added: &[String],
) -> Result<Vec<Box<dyn AnyScenario + 'a>>, Failure> {
    let mut scenarios = Vec::new();
    for entry in &entries.scenarios {
        let scenario = open(systems, &entry.id, &[])?;
        let now = ScenarioEntry::of(scenario.as_ref());
        if now.hash != entry.hash {
            return Err(Failure::input(format!(
                "scenario {}: its data have changed since the tournament began (hash {} then, {} now): results of \
                 different scenarios are not put together; use another --out",
                entry.id, entry.hash, now.hash
            )));
        }
        scenarios.push(scenario);
    }
    let mut named: Vec<String> = Vec::new();
    for name in added {
        let scenario = open(systems, name, &[]).map_err(|failure| match failure {
            Failure::Input(message) => Failure::input(format!("--scenario {name}: {message}")),
            other => other,
        })?;
        let entry = ScenarioEntry::of(scenario.as_ref());
        if named.contains(&entry.id) {
            return Err(Failure::input(format!("--scenario {name}: it is given twice")));
        }
        named.push(entry.id.clone());
        if !entries.scenarios.iter().any(|known| known.id == entry.id) {
            entries.scenarios.push(entry);
            scenarios.push(scenario);
        }
    }
    Ok(scenarios)
}

fn print(
    args: &TournamentArgs,
    store: &Store,
    report: &Report,
    (games, seconds): (u64, f64),
) -> Result<(), Failure> {
    let mut out = stdout().lock();
    if args.lab.json {
        let value = serde_json::json!({
            "folder": store.root().display().to_string(),
            "session": { "games": games, "seconds": seconds },
            "tournament": report,
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&value).map_err(anyhow::Error::from)?)?;
    } else if !args.lab.quiet {
        writeln!(out, "{report}")?;
        if let Some(speed) = speed(games, seconds) {
            writeln!(out, "{speed}")?;
        }
        writeln!(out, "{}", where_to_look(store.root(), report))?;
    }
    Ok(())
}

fn where_to_look(folder: &Path, report: &Report) -> String {
    let folder = folder.display();
    let page = if report.shard.is_none() {
        format!("; a page of it: sandtable report {folder}")
    } else {
        // Shards are put together first.
        String::new()
    };
    format!("tables and tournament.json in {folder}; one row a game in {folder}/results{page}")
}

/// `sandtable merge` of shards of a tournament in a folder; returns what is said about it.
pub(super) fn merge(
    systems: &[Box<dyn AnySystem>],
    args: &MergeArgs,
    work: &Path,
) -> Result<String, Failure> {
    use crate::lab::tournament::merge;

    let shards: &[PathBuf] = &args.shards;
    let mut manifest = Manifest::read_shards(shards)?[0].whole();
    let scenarios = open_scenarios(systems, &mut manifest.identity, &[])?;
    let (_, report) = merge::merge(work, shards, &manifest, &scenarios)?;
    Ok(format!("{report}\n{}", where_to_look(&args.out, &report)))
}
