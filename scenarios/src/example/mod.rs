//! Worked examples: a position, decisions in words, the dice, and what must hold. The format is documented in
//! `examples/README.md` of each system.
//!
//! ```text
//! format  the file as it is read, but for positions and expectations, which are the system's
//! runner  builds positions, plays steps with the dice as written, compares
//! words   names, and what differs
//! ```

use std::path::Path;

use include_dir::{Dir, include_dir};

use crate::error::{LoadError, Problem, nearest};
use crate::files;

pub(crate) mod format;
pub(crate) mod runner;
pub(crate) mod words;

static BLITZWAR: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/blitzwar/examples");
static VICTORY_IN_EUROPE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/victory-in-europe/examples");

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
    let text = files::read_text(path)
        .map_err(|error| LoadError::in_file(&*shown, None, Problem::Io(error.to_string())))?;
    run_example_text(&shown, &text)
}

/// Runs the examples of a file at hand, under a name for reports. The scenario they name tells the system.
///
/// # Errors
/// As [`run_examples`].
pub fn run_example_text(name: &str, text: &str) -> Result<Vec<ExampleReport>, LoadError> {
    match system_of(name, text)? {
        "victory-in-europe" => runner::run::<crate::victory_in_europe::example::Kit>(name, text),
        _ => runner::run::<crate::blitzwar::example::Kit>(name, text),
    }
}

/// The system of the scenario that a file names first.
fn system_of(name: &str, text: &str) -> Result<&'static str, LoadError> {
    let table: toml::Table = format::parse(name, text)?;
    let named = |table: &toml::Table| Some(table.get("scenario")?.as_str()?.to_owned());
    let of_examples = || {
        let examples = table.get("example")?.as_array()?;
        examples.iter().find_map(|example| named(example.as_table()?))
    };
    let Some(scenario) = named(&table).or_else(of_examples) else {
        return Err(LoadError::in_file(name, None, Problem::MissingKey { key: "scenario".into() }));
    };
    let ids = || crate::SYSTEMS.iter().map(|system| system.id);
    let prefix = scenario.split('/').next().unwrap_or_default();
    if let Some(id) = ids().find(|&id| id == prefix) {
        return Ok(id);
    }
    match crate::open(&scenario, &[]) {
        Ok(opened) => Ok(opened.system()),
        // A misspelt system is told by its likeness, so that the message names the scenario meant.
        Err(error) => match nearest(prefix, ids()) {
            Some(near) if !Path::new(&scenario).exists() => {
                let near = scenario.replacen(prefix, &near, 1);
                let problem = Problem::UnknownScenario { name: scenario, near: Some(near) };
                Err(LoadError::in_file(name, None, problem))
            }
            _ => Err(LoadError::in_file(name, None, Problem::Inconsistent(error.to_string()))),
        },
    }
}

/// The example files that come with a system: name and text, by name.
pub fn embedded_examples(system: &str) -> Vec<(&'static str, &'static str)> {
    let folder = match system {
        "blitzwar" => &BLITZWAR,
        "victory-in-europe" => &VICTORY_IN_EUROPE,
        _ => return Vec::new(),
    };
    let mut files: Vec<_> = folder
        .files()
        .filter_map(|file| Some((file.path().to_str()?, file.contents_utf8()?)))
        .filter(|(name, _)| Path::new(name).extension().is_some_and(|ending| ending == "toml"))
        .collect();
    files.sort_unstable();
    files
}
