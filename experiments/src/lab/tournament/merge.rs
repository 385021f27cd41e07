//! The shards of a tournament put together.

use std::path::{Path, PathBuf};

use super::Field;
use super::ledger::{Archive, Ledger};
use super::manifest::{KIND, Manifest};
use super::report::Report;
use super::store::Store;
use super::tables::ResultsTable;
use crate::failure::Failure;
use crate::lab::store::{Lock, read_parts};
use crate::run::manifest::check_family;
use crate::system::AnyScenario;

/// Fails unless the folders are the shards of one tournament, each once; returns the manifest of the whole.
///
/// # Errors
/// Names the folder that does not fit, or the shard that is missing.
pub fn check(folders: &[PathBuf]) -> Result<Manifest, Failure> {
    let manifests: Vec<Manifest> =
        folders.iter().map(|folder| Manifest::read(folder)).collect::<Result<_, _>>()?;
    let first = &manifests[0];
    let shards: Vec<_> = manifests.iter().map(|manifest| manifest.shard).collect();
    check_family(KIND, folders, &shards, |index| difference(&manifests[index], first))?;
    Ok(Manifest { shard: None, ..first.clone() })
}

/// The first thing in which two shards of one tournament must not differ: its name, and the values here and there.
fn difference(one: &Manifest, other: &Manifest) -> Option<(String, String, String)> {
    let fields = |manifest: &Manifest| {
        let common = Manifest { shard: None, command: Vec::new(), started_unix: 0, ..manifest.clone() };
        serde_json::to_value(common).unwrap_or_default()
    };
    let (one, other) = (fields(one), fields(other));
    one.as_object()?
        .iter()
        .zip(other.as_object()?)
        .find(|((_, one), (_, other))| one != other)
        .map(|((name, one), (_, other))| (name.clone(), one.to_string(), other.to_string()))
}

/// Puts the shards together in a new folder; `manifest` is that of the whole, from [`check`].
///
/// # Errors
/// If a shard is damaged or not finished, before anything is written; or if the folder cannot be written.
pub fn merge<'a>(
    out: &Path,
    folders: &[PathBuf],
    manifest: &Manifest,
    scenarios: &'a [Box<dyn AnyScenario + 'a>],
) -> Result<(Store, Report), Failure> {
    let field = Field { scenarios, agents: manifest.specs()? };
    field.check()?;
    let table = ResultsTable::new(manifest, &field);
    let format = manifest.table_format()?;
    let mut ledger = Ledger::new(manifest)?;
    let mut entered = Vec::new();
    for folder in folders {
        let shard = Manifest::read(folder)?;
        let mut part = Ledger::new(&shard)?;
        read_parts(folder, format, &table, |record| {
            part.restore(&record)?;
            ledger.take(record, &mut entered);
            Ok(())
        })?;
        part.settle();
        if !part.is_complete() {
            return Err(Failure::input(format!(
                "{} is not finished; go on with it with: sandtable tournament --out {}",
                folder.display(),
                folder.display()
            )));
        }
    }
    let mut whole = Ledger::new(manifest)?;
    let mut store = Store::open(Lock::new(out, KIND)?, manifest, &field, &mut whole)?;
    store.enter(entered, &ledger)?;
    store.close_part(&ledger)?;
    let report = Report::new(manifest, &field, &ledger)?;
    store.publish(&report, field.sides())?;
    Ok((store, report))
}
