//! The folder of a sweep.
//!
//! ```text
//! DIR/manifest.json               what identifies the sweep, written first, and anew when games are added
//! DIR/sweep_games/scenario=…/part-00000.parquet  table `sweep_games`: one row a game; see [`crate::table::partition`]
//! DIR/parts/part-00000.json       the receipt of part 0, written after it: size and checksum
//! DIR/points.parquet …            the other tables, once all parts are there
//! DIR/sweep.json                  effects and indices in one file
//! ```
//!
//! A part is written whole or not at all and never changes; one without a receipt does not exist, and is played again.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use anyhow::Context;
use sandtable_core::SideInfo;
use serde::{Deserialize, Serialize};

use super::file::SCENARIO;
use super::games::GamesTable;
use super::manifest::Manifest;
use super::plan::Plan;
use crate::failure::Failure;
use crate::files::{self, write_atomically};
use crate::lab::store::Lock;
use crate::run::folder::{RunFolder, TableReceipt, table_file};
use crate::system::GameResult;
use crate::table::partition::{self, Share};
use crate::table::{Format, Rows};

const PARTS: &str = "parts";

/// The receipt of a part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Receipt {
    part: u64,
    games: TableReceipt,
}

/// The games of a sweep in their folder.
#[derive(Debug)]
pub struct Store<'a> {
    root: PathBuf,
    manifest: &'a Manifest,
    plan: &'a Plan,
    table: GamesTable,
    format: Format,
    /// Held as long as this process may write the folder; none for a folder that is only read.
    _lock: Option<Lock>,
}

impl<'a> Store<'a> {
    /// The locked folder; what a crash has left half written is removed.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn open(
        root: &Path,
        lock: Lock,
        manifest: &'a Manifest,
        plan: &'a Plan,
        table: GamesTable,
    ) -> Result<Self, Failure> {
        // Games may have been added.
        if !Manifest::is_in(root) || Manifest::read(root)? != *manifest {
            manifest.write(root)?;
        }
        let store = Store { _lock: Some(lock), ..Self::read_only(root, manifest, plan, table)? };
        for folder in [&*store.games_folder(), PARTS] {
            partition::create(root, folder)?;
            RunFolder::sweep(&root.join(folder));
        }
        RunFolder::sweep(root);
        Ok(store)
    }

    /// A folder whose parts are only read.
    ///
    /// # Errors
    /// If the manifest was edited by hand.
    pub fn read_only(
        root: &Path,
        manifest: &'a Manifest,
        plan: &'a Plan,
        table: GamesTable,
    ) -> Result<Self, Failure> {
        let format = manifest.table_format()?;
        Ok(Store { root: root.to_owned(), manifest, plan, table, format, _lock: None })
    }

    /// Where it is.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What is played.
    pub fn plan(&self) -> &Plan {
        self.plan
    }

    /// The sides.
    pub fn sides(&self) -> &[SideInfo] {
        self.table.sides()
    }

    /// The format of the tables.
    pub fn format(&self) -> Format {
        self.format
    }

    fn receipt_path(&self, part: u64) -> PathBuf {
        self.root.join(PARTS).join(format!("part-{part:05}.json"))
    }

    fn part_file(&self, part: u64) -> String {
        table_file(&self.games_folder(), part, self.format)
    }

    /// The folder of the games: those of a sweep are all of one scenario.
    fn games_folder(&self) -> String {
        let scenario = partition::folder_of(SCENARIO, &self.plan.experiment.scenario);
        format!("{}/{scenario}", self.table.schema.name)
    }

    /// The bytes of a part if it is there, compared with its receipt.
    ///
    /// # Errors
    /// Names the file that is damaged or missing, and says what to do.
    pub fn bytes(&self, part: u64) -> Result<Option<Vec<u8>>, Failure> {
        let path = self.receipt_path(part);
        let text = match files::read_text(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(Failure::file("read", &path, &error)),
        };
        let receipt: Receipt =
            serde_json::from_str(&text).map_err(|error| self.damaged(&path, part, &error.to_string()))?;
        let known = &receipt.games;
        if known.file != self.part_file(part) {
            return Err(self.damaged(&path, part, "it is the receipt of another file"));
        }
        let bytes = known.read(&self.root);
        bytes.map(Some).map_err(|what| self.damaged(&self.root.join(&known.file), part, &what))
    }

    /// The results in the bytes of a part, in the order of its jobs.
    ///
    /// # Errors
    /// Says what does not fit the sweep.
    pub fn results(&self, part: u64, bytes: Vec<u8>) -> Result<Vec<GameResult>, Failure> {
        let file = self.part_file(part);
        let jobs = self.manifest.part_jobs(self.plan, part);
        partition::read(self.format, &self.table.schema, &file, bytes)
            .and_then(|frame| self.table.parse(&frame, self.plan, jobs))
            .map_err(|error| self.damaged(&self.root.join(&file), part, &format!("{error:#}")))
    }

    fn damaged(&self, file: &Path, part: u64, what: &str) -> Failure {
        Failure::input(format!(
            "{} is damaged: {what}; delete {} and its games are played again",
            file.display(),
            self.receipt_path(part).display()
        ))
    }

    /// Writes a part, then its receipt.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write_part(&self, part: u64, results: &[GameResult]) -> Result<(), Failure> {
        let mut rows = Rows::new(&self.table.schema);
        for (job, result) in self.manifest.part_jobs(self.plan, part).zip(results) {
            self.table.add(&mut rows, self.plan, job, result);
        }
        let share = partition::split(&self.table.schema, self.format, rows).pop();
        let Share { schema, rows, .. } = share.context("a part has games")?;
        let games = TableReceipt::write(&self.root, self.part_file(part), self.format, &schema, rows)?;
        self.write_receipt(part, games)
    }

    /// Takes over a part of a shard, as it is.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn copy_part(&self, part: u64, bytes: &[u8]) -> Result<(), Failure> {
        let file = self.part_file(part);
        let written = write_atomically(&self.root.join(&file), |out| Ok(out.write_all(bytes)?))?;
        let jobs = self.manifest.part_jobs(self.plan, part);
        self.write_receipt(part, TableReceipt::new(file, jobs.end - jobs.start, written))
    }

    fn write_receipt(&self, part: u64, games: TableReceipt) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(&Receipt { part, games }).map_err(anyhow::Error::from)?;
        write_atomically(&self.receipt_path(part), |out| Ok(writeln!(out, "{text}")?))?;
        Ok(())
    }
}
