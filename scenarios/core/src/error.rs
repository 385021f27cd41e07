//! What can be wrong with scenario data, said so that the reader can mend it.

use std::fmt;

/// Why data could not be loaded: where, what was found, what was expected and the nearest valid name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LoadError {
    /// File, relative to the scenario's folder, if the fault lies in one.
    pub file: Option<String>,
    /// Line of the file, from 1, where known.
    pub line: Option<u32>,
    /// Dotted path of the datum, as an override names it.
    pub path: Option<String>,
    /// The fault.
    pub problem: Box<Problem>,
}

/// A fault in the data.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Problem {
    /// A file or folder cannot be read or written.
    Io(String),
    /// The text is not valid TOML or CSV.
    Syntax(String),
    /// There is no such system or scenario.
    UnknownScenario {
        /// What was asked for.
        name: String,
        /// Nearest name there is.
        near: Option<String>,
    },
    /// A file of the scenario is missing.
    MissingFile {
        /// Nearest file that is there.
        near: Option<String>,
    },
    /// A key or column is missing.
    MissingKey {
        /// Its name.
        key: String,
    },
    /// A key that means nothing.
    UnknownKey {
        /// Its name.
        key: String,
        /// Nearest name that means something.
        near: Option<String>,
    },
    /// The path of an override does not exist.
    UnknownPath {
        /// Nearest path that exists.
        near: Option<String>,
    },
    /// A value of the wrong type.
    WrongType {
        /// What was found.
        found: String,
        /// What was expected.
        expected: String,
    },
    /// A name that is not defined.
    UnknownName {
        /// What was found.
        value: String,
        /// What it should name.
        what: String,
        /// Nearest defined name.
        near: Option<String>,
    },
    /// A number outside its range.
    OutOfRange {
        /// What was found.
        value: String,
        /// What was expected.
        expected: String,
    },
    /// Data that contradict each other or the limits of the game.
    Inconsistent(String),
    /// There is no room on the disk for a file of an export.
    DiskFull,
    /// The target folder of an export is not empty.
    NotEmpty,
}

impl LoadError {
    /// A fault of no particular datum.
    pub fn new(problem: Problem) -> Self {
        LoadError { file: None, line: None, path: None, problem: Box::new(problem) }
    }
    /// A fault in a file.
    pub fn in_file(file: impl Into<String>, line: Option<u32>, problem: Problem) -> Self {
        LoadError { file: Some(file.into()), line, path: None, problem: Box::new(problem) }
    }
    /// A fault of the datum at a path that no file can be blamed for, as in an override.
    pub fn at_path(path: impl Into<String>, problem: Problem) -> Self {
        LoadError { file: None, line: None, path: Some(path.into()), problem: Box::new(problem) }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}")?;
            if let Some(line) = self.line {
                write!(f, ":{line}")?;
            }
            write!(f, ": ")?;
        }
        if let Some(path) = &self.path {
            write!(f, "{path}: ")?;
        }
        write!(f, "{}", self.problem)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let near = match self {
            Problem::Io(text) | Problem::Syntax(text) | Problem::Inconsistent(text) => {
                write!(f, "{text}")?;
                &None
            }
            Problem::UnknownScenario { name, near } => {
                write!(f, "there is no scenario `{name}`, built in or as a folder")?;
                near
            }
            Problem::MissingFile { near } => {
                write!(f, "the file is missing")?;
                near
            }
            Problem::MissingKey { key } => {
                write!(f, "`{key}` is missing")?;
                &None
            }
            Problem::UnknownKey { key, near } => {
                write!(f, "`{key}` means nothing here")?;
                near
            }
            Problem::UnknownPath { near } => {
                write!(f, "there is no such value")?;
                near
            }
            Problem::WrongType { found, expected } => {
                write!(f, "found {found}, expected {expected}")?;
                &None
            }
            Problem::UnknownName { value, what, near } => {
                write!(f, "`{value}` is not {what}")?;
                near
            }
            Problem::OutOfRange { value, expected } => {
                write!(f, "found {value}, expected {expected}")?;
                &None
            }
            Problem::DiskFull => {
                write!(f, "the disk is full")?;
                &None
            }
            Problem::NotEmpty => {
                write!(f, "the folder is not empty; nothing was written")?;
                &None
            }
        };
        if let Some(near) = near {
            write!(f, "; did you mean `{near}`?")?;
        }
        Ok(())
    }
}

impl std::error::Error for LoadError {}

/// The candidate most like a name, if any is like it at all; the first of equals.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let mut best = (0.6, None);
    for candidate in candidates {
        let score = strsim::jaro_winkler(name, candidate);
        if score > best.0 {
            best = (score, Some(candidate));
        }
    }
    best.1.map(str::to_owned)
}
