//! The folder of long work: finished games are safe as soon as they are played, and a stopped run goes on where it was.
//!
//! ```text
//! DIR/manifest.json             what identifies the work
//! DIR/TABLE/part-00000.parquet  the table of games, in their final order; see [`crate::table::partition`]
//! DIR/parts/part-00000.json     the receipt of part 0, written after it: size and checksum
//! DIR/parts/report.json         the receipt of the tables of the report, which are beside the table of games
//! DIR/journal                   records that are in no part yet, a line each, written as soon as they are played
//! ```
//!
//! Parts are written as those of a run (see [`crate::run::folder`]): whole or not at all, and never changed. What has
//! been played since the last part is in the journal, whose lines carry checksums: after a kill they are read back. A
//! power cut may tear off its last lines; the games in them are played again.

use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::files::{self, is_temporary, write_atomically};
use crate::run::folder::{RunFolder, TableReceipt, part_file};
use crate::run::lock::{self, LOCK};
use crate::table::partition::{self, Share};
use crate::table::read::read;
use crate::table::{Format, Frame, Rows, Schema};

/// Games in a part, but for the last one of a session.
const PART_GAMES: usize = 1 << 16;

const PARTS: &str = "parts";
const JOURNAL: &str = "journal";
/// The receipt of the tables of the report, in which their sizes and checksums are.
const REPORT_RECEIPT: &str = "parts/report.json";

/// The receipt of a part.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Receipt {
    part: u64,
    /// Its files: one, or one for each value by which the table is cut.
    files: Vec<TableReceipt>,
}

/// A folder that no other process writes, as long as this value lives.
#[derive(Debug)]
pub struct Lock {
    root: PathBuf,
    _lock: lock::Lock,
}

impl Lock {
    /// Locks a folder that holds such work already; `kind` is what it is called (`tournament`).
    ///
    /// # Errors
    /// If another process writes it, which the message names, or nobody can.
    pub fn existing(root: &Path, kind: &str) -> Result<Self, Failure> {
        let lock = lock::Lock::take(root, kind);
        let lock = lock.map_err(|failure| failure.within(&format!("--out {}", root.display())))?;
        Ok(Lock { root: root.to_owned(), _lock: lock })
    }

    /// Makes and locks a new folder.
    ///
    /// # Errors
    /// If the folder exists and is not empty, or cannot be written.
    pub fn new(root: &Path, kind: &str) -> Result<Self, Failure> {
        let flag = format!("--out {}", root.display());
        let refused = |error: std::io::Error| Failure::unwritable(root, &error).within(&flag);
        match fs::read_dir(root) {
            Ok(entries) => {
                for entry in entries {
                    let name = entry.map_err(refused)?.file_name();
                    if name != LOCK && !is_temporary(&name.to_string_lossy()) {
                        lock::Lock::check(root, kind).map_err(|failure| failure.within(&flag))?;
                        return Err(Failure::input(format!(
                            "--out {}: the folder is neither empty nor that of a {kind}",
                            root.display()
                        )));
                    }
                }
            }
            Err(error) if error.kind() == ErrorKind::NotFound => fs::create_dir_all(root).map_err(refused)?,
            Err(error) => return Err(refused(error)),
        }
        Self::existing(root, kind)
    }
}

/// The table of games: rows from records, and records from rows.
pub trait RecordTable {
    /// What is played as a whole: a game, or a pair of games.
    type Record: Serialize + DeserializeOwned;

    /// Its columns.
    fn schema(&self) -> &Schema;

    /// Adds the rows of a record.
    fn add(&self, rows: &mut Rows, record: &Self::Record);

    /// The records in a table that was read back.
    ///
    /// # Errors
    /// Names what does not fit.
    fn parse(&self, frame: &Frame) -> anyhow::Result<Vec<Self::Record>>;
}

/// The games in a folder.
#[derive(Debug)]
pub struct PartStore<T> {
    lock: Lock,
    table: T,
    format: Format,
    /// In their final order, and in no part yet.
    rows: Rows,
    next_part: u64,
    journal: File,
}

/// The receipt file of a part.
fn receipt_path(root: &Path, part: u64) -> PathBuf {
    root.join(PARTS).join(format!("part-{part:05}.json"))
}

fn damaged(file: &Path, what: impl std::fmt::Display) -> Failure {
    Failure::input(format!("{} is damaged: {what}", file.display()))
}

/// Reads the parts of a folder in their order and gives their records to `each`; returns how many parts there are.
///
/// # Errors
/// Names the file that is damaged or does not fit, and says what to do.
pub fn read_parts<T: RecordTable>(
    root: &Path,
    format: Format,
    table: &T,
    mut each: impl FnMut(T::Record) -> Result<(), String>,
) -> Result<u64, Failure> {
    let mut part = 0;
    loop {
        let path = receipt_path(root, part);
        let text = match files::read_text(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == ErrorKind::NotFound => break,
            Err(error) => return Err(Failure::file("read", &path, &error)),
        };
        let hint = |what: String| {
            format!("{what}; delete {} and those after it, and their games are played again", path.display())
        };
        let receipt: Receipt =
            serde_json::from_str(&text).map_err(|error| damaged(&path, hint(error.to_string())))?;
        for known in &receipt.files {
            let file = root.join(&known.file);
            let mut read = || {
                let bytes = known.read(root)?;
                let frame = partition::read(format, table.schema(), &known.file, bytes);
                let records =
                    frame.and_then(|frame| table.parse(&frame)).map_err(|error| format!("{error:#}"))?;
                records.into_iter().try_for_each(&mut each)
            };
            read().map_err(|what| damaged(&file, hint(what)))?;
        }
        part += 1;
    }
    // A hole in the numbers: somebody has deleted one part and not those after it.
    let later = fs::read_dir(root.join(PARTS)).into_iter().flatten().flatten().filter(|entry| {
        let name = entry.file_name();
        name.to_str()
            .and_then(|name| name.strip_prefix("part-")?.strip_suffix(".json")?.parse::<u64>().ok())
            .is_some_and(|number| number > part)
    });
    match later.map(|entry| entry.path()).min() {
        Some(path) => Err(damaged(
            &receipt_path(root, part),
            format!("it is missing, though {} is there; delete that and those after it", path.display()),
        )),
        None => Ok(part),
    }
}

/// Reads a table of the report in a folder, compared with its receipt; none if it is not there.
///
/// # Errors
/// Names the file that is damaged.
pub fn read_report_table(root: &Path, schema: &Schema) -> Result<Option<Frame>, Failure> {
    let files = Format::ALL.map(|format| (format, format!("{}.{}", schema.name, format.extension())));
    let Some((format, name)) = files.into_iter().find(|(_, name)| root.join(name).exists()) else {
        return Ok(None);
    };
    let file = root.join(&name);
    let hint =
        |what: String| damaged(&file, format!("{what}; the command that began the work writes it anew"));
    let receipts = root.join(REPORT_RECEIPT);
    let text = files::read_text(&receipts).map_err(|error| damaged(&receipts, error))?;
    let known: Vec<TableReceipt> = serde_json::from_str(&text).map_err(|error| damaged(&receipts, error))?;
    let known = known.iter().find(|known| known.file == name);
    let known = known.ok_or_else(|| damaged(&receipts, format!("it does not name {name}")))?;
    let bytes = known.read(root).map_err(hint)?;
    let frame = read(format, schema, bytes).map_err(|error| hint(format!("{error:#}")))?;
    Ok(Some(frame))
}

/// A record as a line of the journal.
fn line(record: &impl Serialize) -> anyhow::Result<String> {
    let text = serde_json::to_string(record)?;
    Ok(format!("{:08x} {text}\n", crc32fast::hash(text.as_bytes())))
}

/// The record in a line of the journal; none if the line is not whole.
fn unline<R: DeserializeOwned>(line: &str) -> Option<R> {
    let (crc, text) = line.split_once(' ')?;
    let whole = u32::from_str_radix(crc, 16).ok()? == crc32fast::hash(text.as_bytes());
    if whole { serde_json::from_str(text).ok() } else { None }
}

/// Writes the journal anew and opens it for more.
fn journal_of<'a, R: Serialize + 'a>(
    root: &Path,
    records: impl Iterator<Item = &'a R>,
) -> anyhow::Result<File> {
    let path = root.join(JOURNAL);
    write_atomically(&path, |out| {
        for record in records {
            out.write_all(line(record)?.as_bytes())?;
        }
        Ok(())
    })?;
    Ok(OpenOptions::new().append(true).open(&path)?)
}

impl<T: RecordTable> PartStore<T> {
    /// Opens the locked folder: gives the records in parts to `each`, in their order, then writes the manifest;
    /// returns the records in the journal too.
    ///
    /// # Errors
    /// If a file is damaged (nothing is changed then) or cannot be written.
    pub fn open(
        lock: Lock,
        format: Format,
        table: T,
        each: impl FnMut(T::Record) -> Result<(), String>,
        write_manifest: impl FnOnce(&Path) -> Result<(), Failure>,
    ) -> Result<(Self, Vec<T::Record>), Failure> {
        let root = lock.root.clone();
        let next_part = read_parts(&root, format, &table, each)?;
        let journal = match files::read_bytes(root.join(JOURNAL)) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(Failure::file("read", &root.join(JOURNAL), &error)),
        };
        let journal = String::from_utf8_lossy(&journal);
        let records: Vec<T::Record> = journal.lines().filter_map(unline).collect();

        write_manifest(&root)?;
        for folder in [table.schema().name, PARTS] {
            let folder = root.join(folder);
            fs::create_dir_all(&folder).map_err(|error| Failure::file("create", &folder, &error))?;
            RunFolder::sweep(&folder);
        }
        RunFolder::sweep(&root);
        // A part that a crash has left without its receipt; its games are in the journal.
        for folder in partition::folders(&root, table.schema()) {
            RunFolder::sweep(&folder);
            let orphan = folder.join(part_file(next_part, format));
            match fs::remove_file(&orphan) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(Failure::file("remove", &orphan, &error));
                }
                _ => {}
            }
        }
        let journal = journal_of(&root, records.iter())?;
        let rows = Rows::new(table.schema());
        Ok((PartStore { lock, table, format, rows, next_part, journal }, records))
    }

    /// Where it is.
    pub fn root(&self) -> &Path {
        &self.lock.root
    }

    /// Keeps records as they come in, so that nothing that was played is lost.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn note(&mut self, records: &[T::Record]) -> Result<(), Failure> {
        let mut lines = String::new();
        for record in records {
            lines.write_str(&line(record)?).map_err(anyhow::Error::from)?;
        }
        let path = self.lock.root.join(JOURNAL);
        self.journal.write_all(lines.as_bytes()).map_err(|error| Failure::file("write", &path, &error))
    }

    /// Takes the next record in the final order; it has been noted before.
    pub fn put(&mut self, record: &T::Record) {
        self.table.add(&mut self.rows, record);
    }

    /// Whether there is enough for a part.
    pub fn is_full(&self) -> bool {
        self.rows.len() >= PART_GAMES
    }

    /// Writes what is in no part yet; the journal keeps what waits.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn close_part<'a>(&mut self, waiting: impl Iterator<Item = &'a T::Record>) -> Result<(), Failure>
    where
        T::Record: 'a,
    {
        let root = &self.lock.root;
        if !self.rows.is_empty() {
            let part = self.next_part;
            let schema = self.table.schema();
            let rows = std::mem::replace(&mut self.rows, Rows::new(schema));
            let mut files = Vec::new();
            for Share { folder, schema, rows } in partition::split(schema, self.format, rows) {
                let file = format!("{folder}/{}", part_file(part, self.format));
                partition::create(root, &folder)?;
                files.push(TableReceipt::write(root, file, self.format, &schema, rows)?);
            }
            let receipt = serde_json::to_string_pretty(&Receipt { part, files });
            let receipt = receipt.map_err(anyhow::Error::from)?;
            write_atomically(&receipt_path(root, part), |out| Ok(writeln!(out, "{receipt}")?))?;
            self.next_part += 1;
        }
        self.journal = journal_of(root, waiting)?;
        Ok(())
    }

    /// Writes the report: tables beside that of the games with their receipt, and the file `KIND.json`.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn publish(
        &self,
        kind: &str,
        report: &impl Serialize,
        tables: Vec<(Schema, Rows)>,
    ) -> Result<(), Failure> {
        let root = &self.lock.root;
        let mut receipts = Vec::new();
        for (schema, rows) in tables {
            let file = format!("{}.{}", schema.name, self.format.extension());
            receipts.push(TableReceipt::write(root, file, self.format, &schema, rows)?);
        }
        let receipts = serde_json::to_string_pretty(&receipts).map_err(anyhow::Error::from)?;
        write_atomically(&root.join(REPORT_RECEIPT), |out| Ok(writeln!(out, "{receipts}")?))?;
        let text = serde_json::to_string_pretty(report).map_err(anyhow::Error::from)?;
        write_atomically(&root.join(kind).with_extension("json"), |out| Ok(writeln!(out, "{text}")?))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::tournament::PairRecord;
    use crate::system::GameResult;

    #[test]
    fn lines_that_are_not_whole_are_passed_over() {
        let leg = GameResult {
            winner: Some(1),
            points: [0.1, -3.25, f32::MAX, 0.0],
            utility: [1.0 / 3.0; 4],
            turns: 9,
            decisions: 4,
            end_reason: "last \"turn\" é".into(),
            course: vec![5000, 10_000],
        };
        let record = PairRecord { a: 0, b: 3, scenario: 1, pair: u64::MAX, legs: [leg.clone(), leg] };
        let text = line(&record).unwrap();
        assert_eq!(unline(text.trim_end()), Some(record));
        for cut in [0, 5, 9, 40, text.len() - 2] {
            let whole = text.char_indices().map(|(at, _)| at).filter(|&at| at <= cut).max().unwrap();
            assert_eq!(unline::<PairRecord>(&text[..whole]), None);
        }
        assert_eq!(unline::<PairRecord>(&text.trim_end().replace("\"turns\":9", "\"turns\":8")), None);
    }
}
