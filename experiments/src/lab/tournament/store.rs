//! The folder of a tournament: as [`crate::lab::store`] says, with these files beside the games.
//!
//! ```text
//! DIR/results/scenario=…/part-00000.parquet  table `results`: one row a game; see [`crate::table::partition`]
//! DIR/ratings.parquet …                      the other tables, written at the end of a session
//! DIR/tournament.json                        the same figures in one file
//! ```

use std::path::Path;

use sandtable_core::SideInfo;

use super::ledger::{Archive, Ledger};
use super::manifest::{KIND, Manifest};
use super::report::Report;
use super::tables::{ResultsTable, of_report};
use super::{Field, PairRecord};
use crate::failure::Failure;
use crate::lab::store::{Lock, Shelf};

/// The results in the folder of a tournament.
#[derive(Debug)]
pub struct Store(Shelf<ResultsTable>);

impl Store {
    /// Opens the locked folder: writes the manifest, and enters all that has been played so far into the ledger.
    ///
    /// # Errors
    /// If a file is damaged (nothing is changed then) or cannot be written.
    pub fn open(
        lock: Lock,
        manifest: &Manifest,
        field: &Field<'_>,
        ledger: &mut Ledger,
    ) -> Result<Self, Failure> {
        let table = ResultsTable::new(&manifest.identity, field);
        let format = manifest.table_format()?;
        let restore = |record| ledger.restore(&record);
        let (shelf, records) = Shelf::open(lock, format, table, restore, |root| manifest.write(root))?;
        ledger.settle();
        let mut store = Store(shelf);
        let mut entered = Vec::new();
        for record in records {
            ledger.take(record, &mut entered);
        }
        store.enter(entered, ledger)?;
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
    pub fn close_part(&mut self, ledger: &Ledger) -> Result<(), Failure> {
        self.0.close_part(ledger.waiting())
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

    fn enter(&mut self, records: Vec<PairRecord>, ledger: &Ledger) -> Result<(), Failure> {
        for record in &records {
            self.0.put(record);
        }
        if self.0.is_full() { self.close_part(ledger) } else { Ok(()) }
    }
}
