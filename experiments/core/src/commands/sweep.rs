//! `sandtable sweep`

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::play;
use crate::cli::{MergeArgs, SweepArgs};
use crate::failure::Failure;
use crate::lab::arena::Arena;
use crate::lab::progress::Progress;
use crate::lab::store::Lock;
use crate::lab::sweep::file::Experiment;
use crate::lab::sweep::games::GamesTable;
use crate::lab::sweep::manifest::{Asked, KIND, Manifest};
use crate::lab::sweep::plan::Plan;
use crate::lab::sweep::play::{Count, Session};
use crate::lab::sweep::report::Report;
use crate::lab::sweep::store::Store;
use crate::lab::sweep::tables::{publish, reserved};
use crate::run::progress::speed;
use crate::system::{AnyScenario, AnySystem, open};

pub(super) fn run(systems: &[Box<dyn AnySystem>], args: &SweepArgs) -> Result<(), Failure> {
    let (mut experiment, scenario) = Experiment::read(systems, &args.file)?;
    let place = args.file.display().to_string();
    check_names(&experiment, scenario.as_ref()).map_err(|failure| failure.within(&place))?;
    // Whoever goes on with a sweep holds its folder from before the manifest is read.
    let root = match &args.lab.out {
        Some(out) => out.clone(),
        None => play::new_folder(KIND)?,
    };
    let (lock, before) = if Manifest::is_in(&root) {
        (Some(Lock::existing(&root, KIND)?), Some(Manifest::read(&root)?))
    } else {
        (None, None)
    };
    if let Some(games) = args.games.or(before.as_ref().and_then(|before| begun_with(before, &experiment))) {
        experiment.games = games;
    }
    let plan = Plan::new(experiment).map_err(|failure| failure.within(&place))?;
    let manifest = enter(args, &root, &plan, scenario.as_ref(), before)?;
    let plan = plan.in_stages(manifest.identity.stages.clone());
    let stop = play::stop_on_interrupt()?;
    let no_stop = AtomicBool::new(false);
    let arena = Arena::new(play::threads(args.lab.threads), &no_stop)?;
    arena.install(|| plan.check(systems)).map_err(|failure| failure.within(&place))?;
    let lock = match lock {
        Some(lock) => lock,
        None => Lock::new(&root, KIND)?,
    };
    let table = GamesTable::new(scenario.sides());
    let store = Store::open(&root, lock, &manifest, &plan, table)?;

    let (mut missing, mut count) = (Vec::new(), Count::default());
    for part in manifest.own_parts(&plan) {
        match store.bytes(part)? {
            Some(bytes) => count.add(&store.results(part, bytes)?),
            None => missing.push(part),
        }
    }
    let before = count.games;
    let mut progress = Progress::new(args.lab.quiet || args.lab.json, "games", before);
    let session =
        Session { systems, manifest: &manifest, plan: &plan, store: &store, arena: &arena, stop: &stop };
    let played = session.play(&missing, &mut count, &mut progress);
    let elapsed = progress.finish();
    played?;
    let left = missing.iter().filter(|&&part| store.bytes(part).is_ok_and(|bytes| bytes.is_none())).count();
    if left > 0 && stop.load(Ordering::Relaxed) {
        return Err(Failure::Interrupted(format!(
            "stopped with {left} of {} parts missing; go on with: sandtable sweep {place} --out {}",
            manifest.own_parts(&plan).count(),
            root.display()
        )));
    }
    // What a share of the games shows by itself would mislead.
    let report = if manifest.shard.is_none() {
        let report = Report::new(&manifest, &plan, &store, scenario.sides())?;
        publish(&report, &store)?;
        Some(report)
    } else {
        None
    };
    print(args, &store, &manifest, report.as_ref(), (count.games - before, elapsed.as_secs_f64()))
}

/// Fails if a factor's column would have the name of another one.
fn check_names(experiment: &Experiment, scenario: &dyn AnyScenario) -> Result<(), Failure> {
    let reserved = reserved(scenario.sides());
    match experiment.factors.iter().position(|parameter| reserved.contains(&parameter.factor.name)) {
        None => Ok(()),
        Some(index) => Err(Failure::input(format!(
            "[[factor]] {}, path = \"{}\": name = \"{}\" is that of another column of the tables; expected another one",
            index + 1,
            experiment.factors[index].path,
            experiment.factors[index].factor.name
        ))),
    }
}

/// The games at each point of the sweep that is there, if games have been added to those of its file.
fn begun_with(before: &Manifest, experiment: &Experiment) -> Option<u64> {
    let begun = &before.identity;
    begun.stages.contains(&experiment.games).then_some(begun.experiment.games)
}

/// The manifest of the sweep that is there, which must be this one but for games that are added, or of a new one.
fn enter(
    args: &SweepArgs,
    root: &Path,
    plan: &Plan,
    scenario: &dyn AnyScenario,
    before: Option<Manifest>,
) -> Result<Manifest, Failure> {
    let Some(before) = before else {
        let asked = Asked::new(plan, scenario)?;
        return Ok(Manifest::new(args.lab.format.unwrap_or_default(), args.shard, asked));
    };
    let format = args.lab.format.map_or_else(|| before.table_format(), Ok)?;
    let refused = |what: String| {
        Failure::input(format!("the sweep in {} has another {what}; use another --out", root.display()))
    };
    let games = plan.experiment.games;
    let before = before.extended(games).map_err(|what| refused(format!("games: {what}")))?;
    // How games are dealt out to parts was settled when the sweep began.
    let Asked { part_games, stages, .. } = before.identity.clone();
    let asked = Asked { part_games, stages, ..Asked::new(plan, scenario)? };
    let now = Manifest::new(format, args.shard.or(before.shard), asked);
    let shown = |manifest: &Manifest| manifest.shard.map_or("none".to_owned(), |shard| shard.to_string());
    let different = now
        .difference(&before)
        .or_else(|| (now.shard != before.shard).then(|| ("shard".to_owned(), shown(&now), shown(&before))));
    match different {
        None => Ok(before),
        Some((what, here, there)) => Err(refused(format!("{what}: {there} there, {here} here"))),
    }
}

fn where_to_look(folder: &Path) -> String {
    let folder = folder.display();
    format!(
        "tables and sweep.json in {folder}; one row a game in {folder}/sweep_games; a page of it: sandtable report {folder}"
    )
}

fn print(
    args: &SweepArgs,
    store: &Store<'_>,
    manifest: &Manifest,
    report: Option<&Report>,
    (games, seconds): (u64, f64),
) -> Result<(), Failure> {
    let mut out = stdout().lock();
    if args.lab.json {
        let value = serde_json::json!({
            "folder": store.root().display().to_string(),
            "session": { "games": games, "seconds": seconds },
            "shard": manifest.shard.map(|shard| shard.to_string()),
            "sweep": report,
        });
        writeln!(out, "{}", serde_json::to_string_pretty(&value).map_err(anyhow::Error::from)?)?;
    } else if !args.lab.quiet {
        match (report, manifest.shard) {
            (Some(report), _) => writeln!(out, "{report}\n{}", where_to_look(store.root()))?,
            (None, shard) => writeln!(
                out,
                "shard {} is complete; once all are, put them together with: sandtable merge OUT SHARD...",
                shard.map_or_else(String::new, |shard| shard.to_string())
            )?,
        }
        if let Some(speed) = speed(games, seconds) {
            writeln!(out, "{speed}")?;
        }
    }
    Ok(())
}

/// `sandtable merge` of shards of a sweep in a folder; returns what is said about it.
pub(super) fn merge(
    systems: &[Box<dyn AnySystem>],
    args: &MergeArgs,
    work: &Path,
) -> Result<String, Failure> {
    let folders: &[PathBuf] = &args.shards;
    let manifests = Manifest::read_shards(folders)?;
    let manifest = manifests[0].whole();
    let asked = &manifest.identity;
    let plan = Plan::new(asked.experiment.clone())?.in_stages(asked.stages.clone());
    let scenario = open(systems, &plan.experiment.scenario, &plan.experiment.parsed_overrides()?)?;
    let table = GamesTable::new(scenario.sides());
    // Everything is read and verified before anything is written.
    let mut parts = Vec::new();
    for (folder, shard) in folders.iter().zip(&manifests) {
        let store = Store::read_only(folder, shard, &plan, table.clone())?;
        for part in shard.own_parts(&plan) {
            let bytes = store.bytes(part)?.ok_or_else(|| {
                Failure::input(format!(
                    "{} is not finished: part {part} is missing; go on with it with: sandtable sweep FILE --out {}",
                    folder.display(),
                    folder.display()
                ))
            })?;
            store.results(part, bytes)?;
        }
        parts.push(store);
    }
    let lock = Lock::new(work, KIND)?;
    let store = Store::open(work, lock, &manifest, &plan, table)?;
    for (shard, folder) in parts.iter().zip(&manifests) {
        for part in folder.own_parts(&plan) {
            let bytes = shard.bytes(part)?.ok_or_else(|| {
                Failure::input(format!("part {part} in {} has vanished", shard.root().display()))
            })?;
            store.copy_part(part, &bytes)?;
        }
    }
    let report = Report::new(&manifest, &plan, &store, scenario.sides())?;
    publish(&report, &store)?;
    Ok(format!("{report}\n{}", where_to_look(&args.out)))
}
