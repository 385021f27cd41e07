//! The files of a run.
//!
//! ```text
//! RUN/manifest.json              what identifies the run, written first
//! RUN/TABLE/part-00000.parquet   the rows of the games of part 0, one folder a table
//! RUN/parts/part-00000.json      the receipt of part 0, written after all its tables: sizes, checksums, results
//! RUN/summary.json               the results, once all parts are there
//! RUN/timing.json                how long the sessions took that wrote the run
//! ```
//!
//! A file is written under another name, flushed to the disk and then renamed, so that a file under its own name is
//! whole. A part without a receipt does not exist: it is played again. A part with a receipt never changes.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use sandtable_core::SideInfo;
use serde::{Deserialize, Serialize};

use super::lock::{LOCK, Lock};
use super::manifest::Manifest;
use super::tally::Tally;
use crate::failure::Failure;
use crate::files::{self, is_temporary, write_atomically};
use crate::system::Batch;
use crate::table::write::write;
use crate::table::{Format, Rows, Schema};

/// The receipt of a part.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Receipt {
    /// The number of the part.
    pub part: u64,
    /// Its first game.
    pub first_game: u64,
    /// Its tables.
    pub tables: Vec<TableReceipt>,
    /// Its results.
    pub tally: Tally,
}

/// What is known of one file of a part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TableReceipt {
    /// The file, from the run folder.
    pub file: String,
    /// Rows.
    pub rows: u64,
    /// Size.
    pub bytes: u64,
    /// CRC-32 of the bytes, in hexadecimal digits.
    pub crc32: String,
}

impl TableReceipt {
    /// Writes a table into a file of the folder.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(
        root: &Path,
        file: String,
        format: Format,
        schema: &Schema,
        rows: Rows,
    ) -> anyhow::Result<Self> {
        let count = rows.len() as u64;
        let written = write_atomically(&root.join(&file), |out| write(format, schema, rows, out))?;
        Ok(Self::new(file, count, written))
    }

    /// What is known of a file that [`write_atomically`] has written.
    pub fn new(file: String, rows: u64, (bytes, crc): (u64, u32)) -> Self {
        TableReceipt { file, rows, bytes, crc32: format!("{crc:08x}") }
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// If it cannot be read or is not what was written.
    pub fn read(&self, root: &Path) -> Result<Vec<u8>, String> {
        let bytes = files::read_bytes(root.join(&self.file)).map_err(|error| error.to_string())?;
        let crc = format!("{:08x}", crc32fast::hash(&bytes));
        if bytes.len() as u64 == self.bytes && crc == self.crc32 {
            return Ok(bytes);
        }
        Err(format!(
            "expected {} bytes with checksum {}, found {} with {crc}",
            self.bytes,
            self.crc32,
            bytes.len()
        ))
    }
}

/// A run folder that this process writes.
#[derive(Debug)]
pub struct RunFolder {
    root: PathBuf,
    manifest: Manifest,
    _lock: Lock,
}

/// The name of a part's file without its ending.
fn part_name(part: u64) -> String {
    format!("part-{part:05}")
}

/// The file of a part in a folder of its table.
pub fn part_file(part: u64, format: Format) -> String {
    format!("{}.{}", part_name(part), format.extension())
}

/// The file of a table's part, from the run folder.
pub fn table_file(table: &str, part: u64, format: Format) -> String {
    format!("{table}/{}", part_file(part, format))
}

impl RunFolder {
    /// Makes the folder of a new run.
    ///
    /// # Errors
    /// If the folder exists and is not empty, or cannot be written. The message does not name the folder.
    pub fn create(root: &Path, manifest: Manifest) -> Result<RunFolder, Failure> {
        Self::require_empty(root)?;
        let lock = Lock::take(root, "run")?;
        // Another process may have come and gone since.
        Self::require_empty(root)?;
        manifest.write(root).map_err(|error| match Failure::from(error) {
            Failure::Internal(error) => Failure::input(format!("cannot write there: {error:#}")),
            full => full,
        })?;
        Self::prepare(root, manifest, lock)
    }

    /// Fails if there is anything in a folder, which is made if it is not there.
    fn require_empty(root: &Path) -> Result<(), Failure> {
        let refused = |error: io::Error| Failure::unwritable(root, &error);
        let entries = match fs::read_dir(root) {
            Ok(entries) => entries,
            Err(error) if error.kind() == ErrorKind::NotFound => {
                return fs::create_dir_all(root).map_err(refused);
            }
            Err(error) => return Err(refused(error)),
        };
        for entry in entries {
            let name = entry.map_err(refused)?.file_name();
            if name != LOCK && !is_temporary(&name.to_string_lossy()) {
                Lock::check(root, "run")?;
                return Err(Failure::input(
                    "the folder is not empty; expected a new or empty folder (play --resume goes on with the run in a \
                     folder)",
                ));
            }
        }
        Ok(())
    }

    /// Opens the folder of a run to go on with it.
    ///
    /// # Errors
    /// If another process writes it, or it cannot be written. The message does not name the folder.
    pub fn reopen(root: &Path, manifest: Manifest) -> Result<RunFolder, Failure> {
        Self::prepare(root, manifest, Lock::take(root, "run")?)
    }

    fn prepare(root: &Path, manifest: Manifest, lock: Lock) -> Result<RunFolder, Failure> {
        let folder = RunFolder { root: root.to_owned(), manifest, _lock: lock };
        let refused = |error: io::Error| Failure::unwritable(root, &error);
        for table in folder.manifest.identity.tables.iter().map(String::as_str).chain([PARTS]) {
            let table = root.join(table);
            fs::create_dir_all(&table).map_err(refused)?;
            Self::sweep(&table);
        }
        Self::sweep(root);
        File::open(root).and_then(|root| root.sync_all()).map_err(refused)?;
        Ok(folder)
    }

    /// Removes what a crash has left half written.
    pub(crate) fn sweep(folder: &Path) {
        let Ok(entries) = fs::read_dir(folder) else { return };
        for entry in entries.flatten() {
            if is_temporary(&entry.file_name().to_string_lossy()) {
                // A leftover does no harm.
                let _ = fs::remove_file(entry.path());
            }
        }
    }

    /// Where it is.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// What identifies the run.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Writes the tables of a part, then its receipt.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn write_part(
        &self,
        part: u64,
        schemas: &[Schema],
        format: Format,
        batch: Batch,
    ) -> anyhow::Result<Receipt> {
        let mut tables = Vec::new();
        for (schema, rows) in schemas.iter().zip(batch.tables) {
            let file = table_file(schema.name, part, format);
            tables.push(TableReceipt::write(&self.root, file, format, schema, rows)?);
        }
        let first_game = self.manifest.identity.part_range(part).start;
        let receipt = Receipt { part, first_game, tables, tally: batch.tally };
        self.write_receipt(&receipt)?;
        Ok(receipt)
    }

    /// Writes the receipt of a part whose tables are there.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write_receipt(&self, receipt: &Receipt) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(receipt)?;
        write_atomically(&receipt_path(&self.root, receipt.part), |out| Ok(writeln!(out, "{text}")?))?;
        Ok(())
    }
}

const PARTS: &str = "parts";

fn receipt_path(root: &Path, part: u64) -> PathBuf {
    root.join(PARTS).join(format!("{}.json", part_name(part)))
}

/// The receipt of a part, if the part is there. The files it names are read and compared with it.
///
/// # Errors
/// Names the file that is damaged or missing, and says what to do.
pub fn verified_receipt(
    root: &Path,
    part: u64,
    manifest: &Manifest,
    sides: &[SideInfo],
) -> Result<Option<Receipt>, Failure> {
    let identity = &manifest.identity;
    let path = receipt_path(root, part);
    let text = match files::read_text(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(damaged(&path, &path, &error.to_string())),
    };
    let receipt: Receipt =
        serde_json::from_str(&text).map_err(|error| damaged(&path, &path, &error.to_string()))?;
    let games = identity.part_range(part);
    let empty = Tally::new(sides);
    let format = manifest.table_format()?;
    let fits = receipt.part == part
        && receipt.first_game == games.start
        && receipt.tally.games == games.end - games.start
        && receipt.tally.wins.len() == empty.wins.len()
        && receipt.tally.points.len() == empty.points.len()
        && receipt.tally.utility.len() == empty.utility.len()
        && receipt
            .tables
            .iter()
            .map(|table| table.file.as_str())
            .eq(identity.tables.iter().map(|table| table_file(table, part, format)));
    if !fits {
        return Err(damaged(&path, &path, "it does not fit the manifest"));
    }
    for table in &receipt.tables {
        table.read(root).map_err(|what| damaged(&root.join(&table.file), &path, &what))?;
    }
    Ok(Some(receipt))
}

fn damaged(file: &Path, receipt: &Path, what: &str) -> Failure {
    Failure::input(format!(
        "{} is damaged: {what}; delete {} and --resume plays the games of this part again",
        file.display(),
        receipt.display()
    ))
}
