//! `sandtable merge`

use std::fs;
use std::io::{Write, stdout};
use std::path::Path;

use super::{play, sweep, tournament};
use crate::cli::MergeArgs;
use crate::failure::Failure;
use crate::run::folder::{Receipt, RunFolder, verified_receipt, write_atomically};
use crate::run::manifest::{Manifest, check_family};
use crate::run::summary::Summary;
use crate::run::tally::Tally;
use crate::system::{AnySystem, open};

pub(super) fn run(systems: &[Box<dyn AnySystem>], args: &MergeArgs) -> Result<(), Failure> {
    if args.shards.iter().any(|folder| tournament::is_in(folder)) {
        return tournament::merge(systems, args);
    }
    if args.shards.iter().any(|folder| sweep::is_in(folder)) {
        return sweep::merge(systems, args);
    }
    let manifests: Vec<Manifest> =
        args.shards.iter().map(|folder| Manifest::read(folder)).collect::<Result<_, _>>()?;
    let shards: Vec<_> = manifests.iter().map(|manifest| manifest.shard).collect();
    check_family("run", &args.shards, &shards, |folder| {
        manifests[folder].identity.difference(&manifests[0].identity)
    })?;
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
