//! The folder of a tournament: as [`crate::lab::store`] says, with these files beside the games.
//!
//! ```text
//! DIR/results/scenario=…/part-00000.parquet  table `results`: one row a game; see [`crate::table::partition`]
//! DIR/ratings.parquet …                      the other tables, written at the end of a session
//! DIR/tournament.json                        the same figures in one file
//! ```

use std::cell::Cell;
use std::path::Path;

use sandtable_core::SideInfo;

use super::manifest::{KIND, Manifest};
use super::report::Report;
use super::schedule::{Archive, PairSchedule};
use super::tables::{ResultsTable, of_report};
use super::{Field, PairRecord};
use crate::failure::Failure;
use crate::lab::store::{Lock, PartStore};

/// The results in the folder of a tournament.
#[derive(Debug)]
pub struct Store(PartStore<ResultsTable>);

impl Store {
    /// Opens the locked folder: writes the manifest, and enters all that has been played so far into the schedule.
    ///
    /// # Errors
    /// If a file is damaged (nothing is changed then) or cannot be written.
    pub fn open(
        lock: Lock,
        manifest: &Manifest,
        field: &Field<'_>,
        schedule: &mut PairSchedule,
    ) -> Result<Self, Failure> {
        let table = ResultsTable::new(&manifest.identity, field);
        let format = manifest.table_format()?;
        let played = Cell::new(0);
        let restore = |record: PairRecord| {
            played.set(played.get().max(record.pair + 1));
            schedule.restore(&record)
        };
        let write = |root: &Path| {
            let (asked, there) = (manifest.identity.pairs, played.get());
            if asked < there {
                return Err(Failure::input(format!(
                    "--pairs {asked}: the tournament there has played {there}, which can be more but not fewer"
                )));
            }
            Ok(manifest.write(root)?)
        };
        let (store, records) = PartStore::open(lock, format, table, restore, write)?;
        schedule.settle();
        let mut store = Store(store);
        let mut entered = Vec::new();
        for record in records {
            schedule.take(record, &mut entered);
        }
        store.enter(entered, schedule)?;
        Ok(store)
    }

    /// Where it is.
    pub fn root(&self) -> &Path {
        self.0.root()
    }

    /// Writes what is entered and in no part yet; the journal keeps what waits.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn close_part(&mut self, schedule: &PairSchedule) -> Result<(), Failure> {
        self.0.close_part(schedule.waiting())
    }

    /// Writes the report: the tables beside `results`, and `tournament.json`.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn publish(&self, report: &Report, sides: &[SideInfo]) -> Result<(), Failure> {
        self.0.publish(KIND, report, of_report(report, sides))
    }
}

impl Archive for Store {
    fn note(&mut self, records: &[PairRecord]) -> Result<(), Failure> {
        self.0.note(records)
    }

    fn enter(&mut self, records: Vec<PairRecord>, schedule: &PairSchedule) -> Result<(), Failure> {
        for record in &records {
            self.0.put(record);
        }
        if self.0.is_full() { self.close_part(schedule) } else { Ok(()) }
    }
}
