//! The folder of long work.

use std::fs::{self, File};
use std::io::ErrorKind;
use std::path::Path;

use crate::failure::Failure;
use crate::run::folder::is_temporary;

const LOCK: &str = ".lock";

/// A folder that no other process writes, as long as this value lives.
#[derive(Debug)]
pub struct Lock {
    /// The system releases it even after a crash.
    _file: File,
}

impl Lock {
    /// Locks a folder that holds such work already; `kind` is what it is called (`tournament`).
    ///
    /// # Errors
    /// If another process writes it, or nobody can.
    pub fn existing(root: &Path, kind: &str) -> Result<Self, Failure> {
        let path = root.join(LOCK);
        let refused = |error: &dyn std::fmt::Display| {
            Failure::input(format!("--out {}: cannot write there: {error}", root.display()))
        };
        let file = File::create(&path).map_err(|error| refused(&error))?;
        match file.try_lock() {
            Ok(()) => Ok(Lock { _file: file }),
            Err(fs::TryLockError::WouldBlock) => {
                Err(Failure::input(format!("{}: another sandtable is writing this {kind}", root.display())))
            }
            Err(fs::TryLockError::Error(error)) => Err(refused(&error)),
        }
    }

    /// Makes and locks a new folder.
    ///
    /// # Errors
    /// If the folder exists and is not empty, or cannot be written.
    pub fn new(root: &Path, kind: &str) -> Result<Self, Failure> {
        let refused = |error: std::io::Error| {
            Failure::input(format!("--out {}: cannot write there: {error}", root.display()))
        };
        match fs::read_dir(root) {
            Ok(entries) => {
                for entry in entries {
                    let name = entry.map_err(refused)?.file_name();
                    if name != LOCK && !is_temporary(&name.to_string_lossy()) {
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
