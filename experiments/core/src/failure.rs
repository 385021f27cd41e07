//! What can go wrong, by whose fault, and what the program then exits with.

use std::any::Any;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use sandtable_scenarios::{LoadError, Problem};

/// Why a command did not do what it was asked to.
#[derive(Debug)]
pub enum Failure {
    /// The user's input cannot be used: exit code 2. The message names the flag or file, the value, and what was
    /// expected.
    Input(String),
    /// The program or the machine failed: exit code 1.
    Internal(anyhow::Error),
    /// There is no room for what is to be written: exit code 1. The commands add how to go on.
    Full(Full),
    /// The user stopped the run: exit code 130. The message says how to go on.
    Interrupted(String),
    /// Whoever read the output has stopped reading: exit code 0, without a word.
    ClosedPipe,
}

/// What a panic says that was caught.
pub fn panic_message(panic: &(dyn Any + Send)) -> &str {
    let owned = panic.downcast_ref::<String>().map(String::as_str);
    owned.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("without a message")
}

/// There is no room for what is to be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Full {
    /// The file; none for standard output.
    pub file: Option<PathBuf>,
    /// How to go on once there is room, if there is more to say than to do the same again.
    pub go_on: Option<String>,
}

impl Full {
    /// Whether an error says so; `file` is what was to be written.
    pub fn of(error: &io::Error, file: Option<&Path>) -> Option<Full> {
        let full = matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded);
        full.then(|| Full { file: file.map(Path::to_owned), go_on: None })
    }
}

impl std::error::Error for Full {}

impl fmt::Display for Full {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "the disk is full: there is no room for {}", file.display())?,
            None => f.write_str("the disk is full: there is no room for the output")?,
        }
        match &self.go_on {
            Some(go_on) => write!(f, "; what was finished is safe: make room, then {go_on}"),
            None => f.write_str("; make room, then do the same again"),
        }
    }
}

/// The user's data are wrong, or there is no room for them.
impl From<LoadError> for Failure {
    fn from(error: LoadError) -> Self {
        if *error.problem == Problem::DiskFull {
            return Failure::Full(Full { file: error.file.map(PathBuf::from), go_on: None });
        }
        Failure::input(error.to_string())
    }
}

impl Failure {
    /// A mistake in the input.
    pub fn input(message: impl Into<String>) -> Self {
        Failure::Input(message.into())
    }

    /// The same mistake, said to be in this flag, file or folder.
    #[must_use]
    pub fn within(self, place: &str) -> Self {
        match self {
            Failure::Input(message) => Failure::Input(format!("{place}: {message}")),
            other => other,
        }
    }

    /// A failed operation on a file: the machine's fault.
    pub fn file(what: &str, path: &Path, error: &io::Error) -> Self {
        if let Some(full) = Full::of(error, Some(path)) {
            return Failure::Full(full);
        }
        Failure::Internal(anyhow::anyhow!("cannot {what} {}: {error}", path.display()))
    }

    /// A place that was named for files takes none: the user's mistake, unless it is full.
    pub fn unwritable(path: &Path, error: &io::Error) -> Self {
        match Full::of(error, Some(path)) {
            Some(full) => Failure::Full(full),
            None => Failure::input(format!("cannot write there: {error}")),
        }
    }

    /// The exit code of the program.
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::Input(_) => 2,
            Failure::Internal(_) | Failure::Full(_) => 1,
            Failure::Interrupted(_) => 130,
            Failure::ClosedPipe => 0,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Input(message) => write!(f, "error: {message}"),
            Failure::Internal(error) => write!(f, "internal error: {error:#}"),
            Failure::Full(full) => write!(f, "error: {full}"),
            Failure::Interrupted(message) => f.write_str(message),
            Failure::ClosedPipe => Ok(()),
        }
    }
}

impl std::error::Error for Failure {}

/// Writing to standard output failed.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Failure::ClosedPipe
        } else if let Some(full) = Full::of(&error, None) {
            Failure::Full(full)
        } else {
            Failure::Internal(error.into())
        }
    }
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        match error.downcast::<Full>() {
            Ok(full) => Failure::Full(full),
            Err(error) => Failure::Internal(error),
        }
    }
}

/// `expected a, b or c; did you mean "b"?`: what a message about an unknown name ends with.
pub fn expected<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    let list = match names.split_last() {
        None => return "there are none".to_owned(),
        Some((last, [])) => format!("expected {last}"),
        Some((last, rest)) => format!("expected {} or {last}", rest.join(", ")),
    };
    match nearest(given, names) {
        Some(name) => format!("{list}; did you mean \"{name}\"?"),
        None => list,
    }
}

/// The name that `given` was most likely meant to be, if any is close. `GROUP/NAME` may be given as `NAME`.
pub fn nearest<'a>(given: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let distance = |name: &str| strsim::damerau_levenshtein(given, name);
    names
        .into_iter()
        .map(|name| (name.rsplit('/').next().map_or(usize::MAX, distance).min(distance(name)), name))
        .min()
        .filter(|&(distance, name)| distance <= 1 + name.len() / 3)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name_is_offered_only_if_it_is_near() {
        assert_eq!(expected("axsi", ["axis", "allied"]), "expected axis or allied; did you mean \"axis\"?");
        assert_eq!(expected("zulu", ["axis", "allied"]), "expected axis or allied");
        assert_eq!(expected("fall", ["war/fal"]), "expected war/fal; did you mean \"war/fal\"?");
        assert_eq!(expected("x", []), "there are none");
    }
}
