//! The shards of a tournament put together.

use std::path::{Path, PathBuf};

use super::Field;
use super::manifest::{KIND, Manifest};
use super::report::Report;
use super::schedule::{Archive, PairSchedule};
use super::store::Store;
use super::tables::ResultsTable;
use crate::failure::Failure;
use crate::lab::store::{Lock, read_parts};
use crate::system::AnyScenario;

/// Puts the shards together in a new folder; `manifest` is that of the whole, without a shard.
///
/// # Errors
/// If a shard is damaged or not finished, before anything is written; or if the folder cannot be written.
pub fn merge<'a>(
    out: &Path,
    folders: &[PathBuf],
    manifest: &Manifest,
    scenarios: &'a [Box<dyn AnyScenario + 'a>],
) -> Result<(Store, Report), Failure> {
    let field = Field { scenarios, agents: manifest.identity.specs()? };
    field.check()?;
    let table = ResultsTable::new(&manifest.identity, &field);
    let format = manifest.table_format()?;
    let mut schedule = PairSchedule::new(manifest)?;
    let mut entered = Vec::new();
    for folder in folders {
        let shard = Manifest::read(folder)?;
        let mut part = PairSchedule::new(&shard)?;
        read_parts(folder, format, &table, |record| {
            part.restore(&record)?;
            schedule.take(record, &mut entered);
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
    let mut whole = PairSchedule::new(manifest)?;
    let mut store = Store::open(Lock::new(out, KIND)?, manifest, &field, &mut whole)?;
    store.enter(entered, &schedule)?;
    store.close_part(&schedule)?;
    let report = Report::new(manifest, &field, &schedule)?;
    store.publish(&report, field.sides())?;
    Ok((store, report))
}
