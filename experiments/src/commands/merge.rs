//! `sandtable merge`

use std::fs;
use std::io::{Write, stdout};
use std::path::Path;

use super::{play, tournament};
use crate::cli::MergeArgs;
use crate::failure::Failure;
use crate::run::folder::{Receipt, RunFolder, verified_receipt, write_atomically};
use crate::run::manifest::{Manifest, Shard};
use crate::run::summary::Summary;
use crate::run::tally::Tally;
use crate::system::{AnySystem, open};

pub(super) fn run(systems: &[Box<dyn AnySystem>], args: &MergeArgs) -> Result<(), Failure> {
    if args.shards.iter().any(|folder| tournament::is_in(folder)) {
        return tournament::merge(systems, args);
    }
    let manifests: Vec<Manifest> =
        args.shards.iter().map(|folder| Manifest::read(folder)).collect::<Result<_, _>>()?;
    check_family(&args.shards, &manifests)?;
    let first = &manifests[0];
    let identity = &first.identity;
    let scenario = open(systems, &identity.scenario, &identity.parsed_overrides()?)?;
    let sides = scenario.sides();
    // Everything is read and verified before anything is written.
    let mut parts: Vec<(&Path, Receipt)> = Vec::new();
    for (folder, manifest) in args.shards.iter().zip(&manifests) {
        for part in manifest.parts() {
            match verified_receipt(folder, part, identity, sides)? {
                Some(receipt) => parts.push((folder, receipt)),
                None => {
                    return Err(Failure::input(format!(
                        "{} is not finished: part {part} is missing; go on with it with: sandtable play --resume --out {}",
                        folder.display(),
                        folder.display()
                    )));
                }
            }
        }
    }
    parts.sort_by_key(|(_, receipt)| receipt.part);
    let run = RunFolder::create(&args.out, Manifest { shard: None, ..first.clone() })
        .map_err(|failure| failure.within(&args.out.display().to_string()))?;
    let mut tally = Tally::new(sides);
    for (folder, receipt) in &parts {
        for table in &receipt.tables {
            let bytes = fs::read(folder.join(&table.file))
                .map_err(|error| Failure::file("read", &folder.join(&table.file), &error))?;
            write_atomically(&run.root().join(&table.file), |out| Ok(out.write_all(&bytes)?))?;
        }
        run.write_receipt(receipt)?;
        tally.merge(&receipt.tally);
    }
    let summary = Summary::new(run.manifest(), sides, &tally);
    play::write_summary(run.root(), &summary)?;
    let mut out = stdout().lock();
    writeln!(out, "{summary}\n{}", Summary::where_to_look(run.root(), &identity.format))?;
    Ok(())
}

/// Fails unless the folders are the shards of one run, each once.
fn check_family(folders: &[std::path::PathBuf], manifests: &[Manifest]) -> Result<(), Failure> {
    let first = &manifests[0];
    let mut seen: Vec<Option<&Path>> = Vec::new();
    for (folder, manifest) in folders.iter().zip(manifests) {
        if let Some((what, here, there)) = manifest.identity.difference(&first.identity) {
            return Err(Failure::input(format!(
                "{} is of another run than {}: its {what} is {here} and not {there}",
                folder.display(),
                folders[0].display()
            )));
        }
        let Some(Shard { index, of }) = manifest.shard else {
            return Err(Failure::input(format!("{} is a whole run and not a shard", folder.display())));
        };
        if first.shard.is_some_and(|shard| shard.of != of) {
            return Err(Failure::input(format!(
                "{} is one of {of} shards, unlike {}",
                folder.display(),
                folders[0].display()
            )));
        }
        seen.resize(of as usize, None);
        let place = seen.get_mut((index as usize).wrapping_sub(1)).ok_or_else(|| {
            Failure::input(format!("{}: manifest.json is damaged: shard {index}/{of}", folder.display()))
        })?;
        if let Some(other) = place.replace(folder) {
            return Err(Failure::input(format!(
                "{} and {} are both shard {index}/{of}",
                other.display(),
                folder.display()
            )));
        }
    }
    match seen.iter().position(Option::is_none) {
        Some(missing) => Err(Failure::input(format!("shard {}/{} is missing", missing + 1, seen.len()))),
        None => Ok(()),
    }
}
