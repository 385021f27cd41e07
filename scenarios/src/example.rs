//! Worked examples: a position, decisions in words, the dice, and what must hold. The format is documented in
//! `examples/README.md` of each system.

use std::fs;
use std::path::Path;

use include_dir::{Dir, include_dir};

use crate::error::{LoadError, Problem};

static BLITZWAR: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/blitzwar/examples");

/// What came of one example.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExampleReport {
    /// File it stands in.
    pub file: String,
    /// Identifier, unique in a system.
    pub id: String,
    /// What it shows.
    pub title: String,
    /// Numbers of the rules it proves.
    pub rules: Vec<String>,
    /// `rulebook` with its number, or `derived`.
    pub provenance: String,
    /// Whether everything held.
    pub passed: bool,
    /// What did not hold, each with its step and what was expected and found.
    pub failures: Vec<String>,
}

/// Runs the examples of a file.
///
/// # Errors
/// If the file cannot be read, is malformed, or names a scenario that cannot be opened. An example that does not hold
/// is no error but a report.
pub fn run_examples(path: &Path) -> Result<Vec<ExampleReport>, LoadError> {
    let shown = path.display().to_string();
    let text = fs::read_to_string(path)
        .map_err(|error| LoadError::in_file(&*shown, None, Problem::Io(error.to_string())))?;
    run_example_text(&shown, &text)
}

/// Runs the examples of a file at hand, under a name for reports.
///
/// # Errors
/// As [`run_examples`].
pub fn run_example_text(name: &str, text: &str) -> Result<Vec<ExampleReport>, LoadError> {
    crate::blitzwar::example::run(name, text)
}

/// The example files that come with a system: name and text, by name.
pub fn embedded_examples(system: &str) -> Vec<(&'static str, &'static str)> {
    let mut files: Vec<_> = (system == "blitzwar")
        .then(|| BLITZWAR.files())
        .into_iter()
        .flatten()
        .filter_map(|file| Some((file.path().to_str()?, file.contents_utf8()?)))
        .filter(|(name, _)| Path::new(name).extension().is_some_and(|ending| ending == "toml"))
        .collect();
    files.sort_unstable();
    files
}
