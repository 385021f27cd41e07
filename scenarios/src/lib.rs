//! Scenarios of Sandtable: the data of each system, and the loader that finds, overrides, validates and exports it.
//!
//! The data of a system are TOML and CSV files (`scenarios/<system>/`), embedded in the program. [`open`] takes the
//! name of an embedded scenario or the folder of an exported and edited one, builds one tree of values from its files,
//! applies [`Override`]s to it, maps it to the rules of the system and checks that everything agrees. Whatever is
//! wrong is a [`LoadError`] that names the file, line or path, the value, and what was expected.
//!
//! ```
//! use sandtable_scenarios::{Override, open};
//!
//! let edit = Override::parse("combat.modifiers.air_superiority=1")?;
//! let scenario = open("blitzwar/campaign-1939", &[edit])?;
//! assert_eq!(scenario.blitzwar().charts.shifts.attacker_air, 1);
//! # Ok::<(), sandtable_scenarios::LoadError>(())
//! ```
//!
//! Layers: [`source`](SourceFile) files, `tree` typed values with paths and lines, `overrides`, `provenance`,
//! `coverage`, `example` serve every system; [`blitzwar`] and [`victory_in_europe`] know what their data mean.

use std::path::Path;

use sandtable_core::digest::Digest;

pub mod blitzwar;
mod coverage;
mod error;
mod example;
pub mod files;
mod overrides;
mod provenance;
mod source;
mod tree;
pub mod victory_in_europe;

pub use coverage::{RuleCoverage, rules_coverage};
pub use error::{LoadError, Problem};
pub use example::{ExampleReport, embedded_examples, run_example_text, run_examples};
pub use overrides::Override;
pub use provenance::ProvenanceCount;
pub use source::SourceFile;

use error::nearest;
use tree::{Sheet, Tree};

/// A data file of a system.
pub(crate) enum FileSpec {
    Toml(&'static str),
    Sheet(Sheet),
}

impl FileSpec {
    fn name(&self) -> &'static str {
        match self {
            FileSpec::Toml(name) => name,
            FileSpec::Sheet(sheet) => sheet.file,
        }
    }
}

/// What the loader has to know of a system.
pub(crate) struct System {
    id: &'static str,
    title: &'static str,
    summary: &'static str,
    files: &'static [FileSpec],
    /// Adds values that files may leave out.
    complete: fn(&mut toml::Table),
    /// What overrides may add.
    template: overrides::Template,
    /// Maps the tree to rules and checks them.
    build: fn(&Tree) -> Result<SystemRules, LoadError>,
}

static SYSTEMS: [System; 2] = [blitzwar::SYSTEM, victory_in_europe::SYSTEM];

/// The file of a scenario's set-up, and the one that keeps the overrides of an exported scenario.
const SETUP: &str = "setup.toml";
const OVERRIDES: &str = "overrides.toml";

/// A system with its embedded scenarios.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SystemListing {
    /// Identifier, the first part of a scenario's name.
    pub id: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// What it is, in a sentence.
    pub summary: &'static str,
    /// Its scenarios.
    pub scenarios: Vec<ScenarioListing>,
}

/// An embedded scenario.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScenarioListing {
    /// Name that [`open`] takes, as in `blitzwar/campaign-1939`.
    pub name: String,
    /// Name for people.
    pub title: String,
    /// What it is, in a sentence.
    pub summary: String,
}

/// The systems and their embedded scenarios.
pub fn list() -> Vec<SystemListing> {
    SYSTEMS
        .iter()
        .map(|system| SystemListing {
            id: system.id,
            title: system.title,
            summary: system.summary,
            scenarios: source::setups(system.id)
                .into_iter()
                .map(|id| {
                    let text = source::embedded(system.id, &format!("setups/{id}.toml")).unwrap_or_default();
                    let table: toml::Table = toml::from_str(text).unwrap_or_default();
                    let get = |key: &str| {
                        table.get(key).and_then(toml::Value::as_str).unwrap_or_default().to_owned()
                    };
                    ScenarioListing {
                        name: format!("{}/{id}", system.id),
                        title: get("title"),
                        summary: get("summary"),
                    }
                })
                .collect(),
        })
        .collect()
}

/// The rules of a scenario, in the form of its system.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum SystemRules {
    /// Of [`blitzwar`].
    BlitzWar(Box<sandtable_blitzwar::rules::Rules>),
    /// Of [`victory_in_europe`].
    VictoryInEurope(Box<sandtable_victory_in_europe::Rules>),
}

/// A loaded and checked scenario.
#[derive(Clone, Debug)]
pub struct Scenario {
    name: String,
    system: &'static str,
    files: Vec<SourceFile>,
    overrides: Vec<Override>,
    hash: u64,
    provenance: Vec<ProvenanceCount>,
    rules: SystemRules,
}

impl Scenario {
    /// The name or folder it was opened by.
    pub fn name(&self) -> &str {
        &self.name
    }
    /// Identifier of its system.
    pub fn system(&self) -> &'static str {
        self.system
    }
    /// Overrides in force, those kept in an exported folder first.
    pub fn overrides(&self) -> &[Override] {
        &self.overrides
    }
    /// Its rules, map and set-up, in the form of its system.
    pub fn rules(&self) -> &SystemRules {
        &self.rules
    }
    /// The same, by value.
    pub fn into_rules(self) -> SystemRules {
        self.rules
    }
    /// The rules of a `BlitzWar` scenario.
    ///
    /// # Panics
    /// If the scenario is of another system. A caller who does not choose the scenario asks [`Scenario::system`] first, or
    /// takes [`Scenario::rules`].
    pub fn blitzwar(&self) -> &sandtable_blitzwar::rules::Rules {
        match &self.rules {
            SystemRules::BlitzWar(rules) => rules,
            SystemRules::VictoryInEurope(_) => self.other_system(),
        }
    }
    /// The same, by value.
    ///
    /// # Panics
    /// As [`Scenario::blitzwar`].
    pub fn into_blitzwar(self) -> sandtable_blitzwar::rules::Rules {
        match self.rules {
            SystemRules::BlitzWar(rules) => *rules,
            SystemRules::VictoryInEurope(_) => self.other_system(),
        }
    }
    /// The rules of a scenario of Victory in Europe.
    ///
    /// # Panics
    /// As [`Scenario::blitzwar`].
    pub fn victory_in_europe(&self) -> &sandtable_victory_in_europe::Rules {
        match &self.rules {
            SystemRules::VictoryInEurope(rules) => rules,
            SystemRules::BlitzWar(_) => self.other_system(),
        }
    }
    /// The same, by value.
    ///
    /// # Panics
    /// As [`Scenario::blitzwar`].
    pub fn into_victory_in_europe(self) -> sandtable_victory_in_europe::Rules {
        match self.rules {
            SystemRules::VictoryInEurope(rules) => *rules,
            SystemRules::BlitzWar(_) => self.other_system(),
        }
    }
    fn other_system(&self) -> ! {
        panic!("`{}` is a scenario of the system {}", self.name, self.system)
    }
    /// A number that is equal for equal play: of all values after overrides, but not of names, notes and provenance.
    pub fn content_hash(&self) -> u64 {
        self.hash
    }
    /// Facts of each file by provenance.
    pub fn provenance_counts(&self) -> &[ProvenanceCount] {
        &self.provenance
    }
    /// The scenario in figures, for people: turns, map, forces. The figures themselves are in [`blitzwar::Description`] and
    /// [`victory_in_europe::Description`].
    pub fn describe(&self) -> String {
        match &self.rules {
            SystemRules::BlitzWar(rules) => blitzwar::Description::of(rules).to_string(),
            SystemRules::VictoryInEurope(rules) => victory_in_europe::Description::of(rules).to_string(),
        }
    }
}

/// Opens an embedded scenario by name (`blitzwar/campaign-1939`), or the folder of an exported one, with overrides.
///
/// # Errors
/// If there is no such scenario, or its data or the overrides are wrong.
pub fn open(name: &str, overrides: &[Override]) -> Result<Scenario, LoadError> {
    for system in &SYSTEMS {
        if let Some(id) = name.strip_prefix(system.id).and_then(|rest| rest.strip_prefix('/'))
            && source::setups(system.id).contains(&id)
        {
            return load(name, embedded_files(system, id), overrides);
        }
    }
    let path = Path::new(name);
    if path.is_dir() {
        return load(name, source::read_folder(path, &file_names(path)?, OVERRIDES)?, overrides);
    }
    let names: Vec<String> =
        list().into_iter().flat_map(|system| system.scenarios).map(|scenario| scenario.name).collect();
    let near = nearest(name, names.iter().map(String::as_str)).or_else(|| {
        let part = |full: &&String| full.rsplit('/').next() == Some(name);
        names.iter().find(part).cloned()
    });
    Err(LoadError::new(Problem::UnknownScenario { name: name.into(), near }))
}

/// Opens a scenario from files at hand, under a name for reports.
///
/// # Errors
/// If a file is missing, or the data or the overrides are wrong.
pub fn load(name: &str, files: Vec<SourceFile>, overrides: &[Override]) -> Result<Scenario, LoadError> {
    let system = system_of(files.iter().find(|file| file.name == SETUP))?;
    let mut tree = Tree::default();
    for spec in system.files {
        let file = files.iter().find(|file| file.name == spec.name()).ok_or_else(|| {
            let near = nearest(spec.name(), files.iter().map(|file| file.name.as_str()));
            LoadError::in_file(spec.name(), None, Problem::MissingFile { near })
        })?;
        match spec {
            FileSpec::Toml(_) => tree.add_toml(file)?,
            FileSpec::Sheet(sheet) => tree.add_csv(sheet, file)?,
        }
    }
    let names: Vec<&str> = system.files.iter().map(FileSpec::name).collect();
    let provenance = provenance::count(&tree, &names)?;
    (system.complete)(&mut tree.root);
    let mut edits = match files.iter().find(|file| file.name == OVERRIDES) {
        Some(file) => Override::from_table(&parse_table(file)?),
        None => Vec::new(),
    };
    edits.extend_from_slice(overrides);
    overrides::apply(&mut tree, &mut edits, system.template)?;
    let rules = (system.build)(&tree)?;
    let files = files.into_iter().filter(|file| names.contains(&file.name.as_str())).collect();
    let hash = Digest::of(tree.canonical().as_bytes());
    Ok(Scenario { name: name.into(), system: system.id, files, overrides: edits, hash, provenance, rules })
}

/// Writes a scenario as a folder that [`open`] takes: all its data files, to be edited, and the overrides in force.
///
/// # Errors
/// If the folder exists and is not empty, or cannot be written. Nothing that exists is changed.
pub fn export(scenario: &Scenario, folder: &Path) -> Result<(), LoadError> {
    let mut files = scenario.files.clone();
    if !scenario.overrides.is_empty() {
        let table: toml::Table =
            scenario.overrides.iter().map(|edit| (edit.path.clone(), edit.value.clone())).collect();
        let text = format!("# Values that replace those of the other files, by path.\n{table}");
        files.push(SourceFile::new(OVERRIDES, text));
    }
    source::write_folder(folder, &files)
}

/// The files of an embedded scenario.
fn embedded_files(system: &System, id: &str) -> Vec<SourceFile> {
    system
        .files
        .iter()
        .filter_map(|spec| {
            // A set-up's files lie at `setups/<id>.toml` and in `setups/<id>/`.
            let stored = match spec.name().strip_prefix("setup") {
                Some(rest) => format!("setups/{id}{rest}"),
                None => spec.name().to_owned(),
            };
            Some(SourceFile::new(spec.name(), source::embedded(system.id, &stored)?))
        })
        .collect()
}

/// The files that a scenario folder must have.
fn file_names(folder: &Path) -> Result<Vec<&'static str>, LoadError> {
    let setup = source::read_folder(folder, &[SETUP], OVERRIDES)?;
    let system = system_of(setup.iter().find(|file| file.name == SETUP))?;
    Ok(system.files.iter().map(FileSpec::name).collect())
}

/// The system that a set-up names.
fn system_of(setup: Option<&SourceFile>) -> Result<&'static System, LoadError> {
    let setup = setup.ok_or_else(|| LoadError::in_file(SETUP, None, Problem::MissingFile { near: None }))?;
    let table = parse_table(setup)?;
    let wrong = |problem| LoadError::in_file(SETUP, None, problem);
    let value = table.get("system").ok_or_else(|| wrong(Problem::MissingKey { key: "system".into() }))?;
    let id = value.as_str().unwrap_or_default();
    SYSTEMS.iter().find(|system| system.id == id).ok_or_else(|| {
        let near = nearest(id, SYSTEMS.iter().map(|system| system.id));
        wrong(Problem::UnknownName { value: value.to_string(), what: "a system".into(), near })
    })
}

fn parse_table(file: &SourceFile) -> Result<toml::Table, LoadError> {
    toml::from_str(&file.text).map_err(|error| {
        let line = error.span().map(|span| 1 + file.text[..span.start].matches('\n').count() as u32);
        LoadError::in_file(&file.name, line, Problem::Syntax(error.message().trim().to_owned()))
    })
}
