//! `sandtable merge`

use std::fs::{self, File};
use std::io::{ErrorKind, Write, stdout};
use std::path::{Path, PathBuf};
use std::process;

use super::{play, sweep, tournament};
use crate::cli::MergeArgs;
use crate::failure::Failure;
use crate::files::{self, write_atomically};
use crate::lab;
use crate::manifest::kind_of;
use crate::run::folder::{Receipt, RunFolder, verified_receipt};
use crate::run::manifest::Manifest;
use crate::run::summary::Summary;
use crate::run::tally::Tally;
use crate::system::{AnySystem, open};

pub(super) fn run(systems: &[Box<dyn AnySystem>], args: &MergeArgs) -> Result<(), Failure> {
    let workshop = Workshop::new(&args.out)?;
    let kinds: Vec<_> = args.shards.iter().filter_map(|folder| kind_of(folder)).collect();
    let is_there = |kind: &str| kinds.iter().any(|found| found == kind);
    let done = if is_there(lab::tournament::manifest::KIND) {
        tournament::merge(systems, args, &workshop.folder)?
    } else if is_there(lab::sweep::manifest::KIND) {
        sweep::merge(systems, args, &workshop.folder)?
    } else {
        merge(systems, args, &workshop.folder)?
    };
    workshop.publish()?;
    Ok(writeln!(stdout().lock(), "{done}")?)
}

/// A folder beside the one that is asked for, which takes its place once all is in it; what fails on the way leaves
/// nothing.
struct Workshop {
    folder: PathBuf,
    out: PathBuf,
}

impl Workshop {
    /// Chooses the folder's name; whoever works in it makes it.
    fn new(out: &Path) -> Result<Self, Failure> {
        let refused = |what: &dyn std::fmt::Display| Failure::input(format!("{}: {what}", out.display()));
        let name = out.file_name().ok_or_else(|| refused(&"expected the name of a new folder"))?;
        match fs::read_dir(out).map(|mut entries| entries.next().is_none()) {
            Ok(true) => {}
            Ok(false) => return Err(refused(&"the folder is not empty; expected a new or empty one")),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(refused(&format!("cannot write there: {error}"))),
        }
        let name = format!(".{}.{}.tmp", name.to_string_lossy(), process::id());
        Ok(Workshop { folder: out.with_file_name(name), out: out.to_owned() })
    }

    /// Puts the folder in its place.
    fn publish(self) -> Result<(), Failure> {
        fs::rename(&self.folder, &self.out).map_err(|error| Failure::file("write", &self.out, &error))?;
        let above = self.out.parent().filter(|above| !above.as_os_str().is_empty());
        let above = above.unwrap_or(Path::new("."));
        // The new name is only safe once the folder around it is on the disk.
        File::open(above)
            .and_then(|above| above.sync_all())
            .map_err(|error| Failure::file("write", above, &error))
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        // Nobody takes what is left for a run: names like this are ignored.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Puts the shards of a run together in a folder; returns what is said about it.
fn merge(systems: &[Box<dyn AnySystem>], args: &MergeArgs, work: &Path) -> Result<String, Failure> {
    let manifests = Manifest::read_shards(&args.shards)?;
    let first = &manifests[0];
    let identity = &first.identity;
    let scenario = open(systems, &identity.scenario, &identity.parsed_overrides()?)?;
    let sides = scenario.sides();
    // Everything is read and verified before anything is written.
    let mut parts: Vec<(&Path, Receipt)> = Vec::new();
    for (folder, manifest) in args.shards.iter().zip(&manifests) {
        for part in manifest.parts() {
            match verified_receipt(folder, part, manifest, sides)? {
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
    let run = RunFolder::create(work, first.whole())
        .map_err(|failure| failure.within(&args.out.display().to_string()))?;
    let mut tally = Tally::new(sides);
    for (folder, receipt) in &parts {
        for table in &receipt.tables {
            let bytes = files::read_bytes(folder.join(&table.file))
                .map_err(|error| Failure::file("read", &folder.join(&table.file), &error))?;
            write_atomically(&run.root().join(&table.file), |out| Ok(out.write_all(&bytes)?))?;
        }
        run.write_receipt(receipt)?;
        tally.merge(&receipt.tally);
    }
    let summary = Summary::new(run.manifest(), sides, &tally);
    play::write_summary(run.root(), &summary)?;
    Ok(format!("{summary}\n{}", Summary::where_to_look(&args.out, &first.format)))
}
