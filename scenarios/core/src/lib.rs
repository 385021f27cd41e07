//! What the scenarios of all systems share: finding, overriding, validating and exporting their data, and running their
//! worked examples.
//!
//! A system's data are TOML and CSV files, embedded in a crate of its own. That crate describes them by one
//! [`System`]: which files there are, what overrides may add, and how the tree of values becomes rules.
//! [`System::open`] takes the name of an embedded scenario or the folder of an exported and edited one, builds one
//! [`Tree`](tree::Tree) of values from its files, applies [`Override`]s to it, maps it to the rules of the system and
//! checks that everything agrees. Whatever is wrong is a [`LoadError`] that names the file, line or path, the value,
//! and what was expected.
//!
//! Whoever knows several systems holds them as [`AnySystem`]s, which hide the types of their rules. Nothing here
//! names one.
//!
//! Layers: [`SourceFile`]s, [`tree`] (typed values with paths and lines), overrides, provenance, coverage, [`example`];
//! [`kit`] has what every system's data must keep, for their tests.

use std::path::Path;

use include_dir::Dir;
use sandtable_core::digest::Digest;

mod coverage;
mod error;
pub mod example;
pub mod files;
pub mod kit;
mod overrides;
mod provenance;
mod source;
pub mod tree;

pub use coverage::{RuleCoverage, Ruling};
pub use error::{LoadError, Problem, nearest};
pub use example::ExampleReport;
pub use overrides::{Override, Template};
pub use provenance::ProvenanceCount;
pub use source::SourceFile;

use tree::{Sheet, Tree};

/// A data file of a system.
#[derive(Clone, Copy, Debug)]
pub struct DataFile {
    name: &'static str,
    /// `None` for TOML.
    sheet: Option<Sheet>,
    /// As embedded; `None` for files of a set-up, of which each scenario has its own.
    text: Option<&'static str>,
}

impl DataFile {
    /// A TOML file that all scenarios of a system share, with its embedded text.
    pub const fn toml(name: &'static str, text: &'static str) -> DataFile {
        DataFile { name, sheet: None, text: Some(text) }
    }
    /// A CSV file that all scenarios of a system share, with its embedded text.
    pub const fn sheet(sheet: Sheet, text: &'static str) -> DataFile {
        DataFile { name: sheet.file, sheet: Some(sheet), text: Some(text) }
    }
    /// The set-up: `setups/<id>.toml` of a scenario. It comes before its tables, which lie below it in the tree.
    pub const SETUP: DataFile = DataFile { name: SETUP, sheet: None, text: None };
    /// A table of the set-up: `setups/<id>/<file>.csv` of a scenario; the sheet's file is `setup/<file>.csv`.
    pub const fn setup_sheet(sheet: Sheet) -> DataFile {
        DataFile { name: sheet.file, sheet: Some(sheet), text: None }
    }
}

/// The data of a system and what turns them into its rules, `R`.
#[derive(Clone, Copy)]
pub struct System<R: 'static> {
    /// Identifier, the first part of a scenario's name.
    pub id: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// Its data files; they come into the tree in this order.
    pub files: &'static [DataFile],
    /// Text of `rules.csv`, the coverage table.
    pub coverage: &'static str,
    /// Embedded folder of set-ups, one `<id>.toml` a scenario.
    pub setups: &'static Dir<'static>,
    /// Embedded folder of worked examples.
    pub examples: &'static Dir<'static>,
    /// Adds values that files may leave out.
    pub complete: fn(&mut toml::Table),
    /// What overrides may add.
    pub template: Template,
    /// Maps the tree to rules and checks that they agree with themselves.
    pub build: fn(&Tree) -> Result<R, LoadError>,
    /// Rules in figures, for people: the title of the scenario first, then turns, map, forces.
    pub describe: fn(&R) -> String,
    /// Runs a file of worked examples, given its name and text: [`example::run`] with the vocabulary of the system.
    pub run_examples: fn(&str, &str) -> Result<Vec<ExampleReport>, LoadError>,
}

/// The file of a scenario's set-up, and the one that keeps the overrides of an exported scenario.
const SETUP: &str = "setup.toml";
const OVERRIDES: &str = "overrides.toml";

/// An embedded scenario.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScenarioListing {
    /// Name that [`System::open`] takes: identifiers of the system and of the scenario, joined by `/`.
    pub name: String,
    /// Name for people.
    pub title: String,
    /// What it is, in a sentence.
    pub summary: String,
}

/// A loaded and checked scenario with the rules of its system.
#[derive(Clone, Debug)]
pub struct Scenario<R> {
    name: String,
    system: &'static str,
    files: Vec<SourceFile>,
    overrides: Vec<Override>,
    hash: u64,
    provenance: Vec<ProvenanceCount>,
    rules: R,
}

impl<R> Scenario<R> {
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
    /// Its rules, map and set-up.
    pub fn rules(&self) -> &R {
        &self.rules
    }
    /// The same as [`Scenario::rules`], by value.
    pub fn into_rules(self) -> R {
        self.rules
    }
    /// A number that is equal for equal play: of all values after overrides, but not of names, notes and provenance.
    pub fn content_hash(&self) -> u64 {
        self.hash
    }
    /// Facts of each file by provenance.
    pub fn provenance_counts(&self) -> &[ProvenanceCount] {
        &self.provenance
    }
    /// Writes the scenario as a folder that [`System::open`] takes: all its data files, to be edited, and the
    /// overrides in force.
    ///
    /// # Errors
    /// If the folder exists and is not empty, or cannot be written. Nothing that exists is changed.
    pub fn export(&self, folder: &Path) -> Result<(), LoadError> {
        let mut files = self.files.clone();
        if !self.overrides.is_empty() {
            let table: toml::Table =
                self.overrides.iter().map(|edit| (edit.path.clone(), edit.value.clone())).collect();
            let text = format!("# Values that replace those of the other files, by path.\n{table}");
            files.push(SourceFile::new(OVERRIDES, text));
        }
        source::write_folder(folder, &files)
    }
}

impl<R> System<R> {
    /// Opens an embedded scenario by name (`<system>/<scenario>`), or the folder of an exported one, with overrides.
    ///
    /// # Errors
    /// If there is no such scenario, or its data or the overrides are wrong.
    pub fn open(&self, name: &str, overrides: &[Override]) -> Result<Scenario<R>, LoadError> {
        if let Some(id) = name.strip_prefix(self.id).and_then(|rest| rest.strip_prefix('/'))
            && source::setups(self.setups).contains(&id)
        {
            return self.load(name, self.embedded_files(id), overrides);
        }
        let path = Path::new(name);
        if path.is_dir() {
            named_system(path, &[self.id])?;
            return self.load(name, source::read_folder(path, &self.file_names(), OVERRIDES)?, overrides);
        }
        let names: Vec<String> = self.scenarios().into_iter().map(|scenario| scenario.name).collect();
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
    pub fn load(
        &self,
        name: &str,
        files: Vec<SourceFile>,
        overrides: &[Override],
    ) -> Result<Scenario<R>, LoadError> {
        system_of(files.iter().find(|file| file.name == SETUP), &[self.id])?;
        let mut tree = Tree::default();
        for spec in self.files {
            let file = files.iter().find(|file| file.name == spec.name).ok_or_else(|| {
                let near = nearest(spec.name, files.iter().map(|file| file.name.as_str()));
                LoadError::in_file(spec.name, None, Problem::MissingFile { near })
            })?;
            match &spec.sheet {
                None => tree.add_toml(file)?,
                Some(sheet) => tree.add_csv(sheet, file)?,
            }
        }
        let names = self.file_names();
        let provenance = provenance::count(&tree, &names)?;
        (self.complete)(&mut tree.root);
        let mut edits = match files.iter().find(|file| file.name == OVERRIDES) {
            Some(file) => Override::from_table(&parse_table(file)?),
            None => Vec::new(),
        };
        edits.extend_from_slice(overrides);
        overrides::apply(&mut tree, &mut edits, self.template)?;
        let rules = (self.build)(&tree)?;
        let files = files.into_iter().filter(|file| names.contains(&file.name.as_str())).collect();
        let hash = Digest::of(tree.canonical().as_bytes());
        Ok(Scenario { name: name.into(), system: self.id, files, overrides: edits, hash, provenance, rules })
    }

    /// Names of the files of a scenario's folder.
    fn file_names(&self) -> Vec<&'static str> {
        self.files.iter().map(|spec| spec.name).collect()
    }

    /// The files of an embedded scenario.
    fn embedded_files(&self, id: &str) -> Vec<SourceFile> {
        let text = |spec: &DataFile| {
            spec.text.or_else(|| {
                // A set-up's files lie at `setups/<id>.toml` and in `setups/<id>/`.
                let rest = spec.name.strip_prefix("setup")?;
                source::embedded(self.setups, &format!("{id}{rest}"))
            })
        };
        self.files.iter().filter_map(|spec| Some(SourceFile::new(spec.name, text(spec)?))).collect()
    }
}

/// A system whose type of rules is hidden: what can be asked of any system's data.
pub trait AnySystem: Sync {
    /// Identifier, the first part of a scenario's name.
    fn id(&self) -> &'static str;
    /// The embedded scenarios.
    fn scenarios(&self) -> Vec<ScenarioListing>;
    /// The coverage table, in the order of the rulebook, with the rulings on each rule.
    ///
    /// # Errors
    /// If the table is malformed.
    fn coverage(&self) -> Result<Vec<RuleCoverage>, LoadError>;
    /// The rulings, in the order of their file; none of a system without one.
    ///
    /// # Errors
    /// If the file is malformed.
    fn rulings(&self) -> Result<Vec<Ruling>, LoadError>;
    /// The example files that come with the system: name and text, by name.
    fn examples(&self) -> Vec<(&'static str, &'static str)>;
    /// Runs the examples of a file at hand, under a name for reports.
    ///
    /// # Errors
    /// If the file is malformed, or names a scenario that cannot be opened. An example that does not hold is no error
    /// but a report.
    fn run_examples(&self, name: &str, text: &str) -> Result<Vec<ExampleReport>, LoadError>;
    /// Facts of each file of a scenario by provenance.
    ///
    /// # Errors
    /// As [`System::open`].
    fn provenance_counts(&self, scenario: &str) -> Result<Vec<ProvenanceCount>, LoadError>;
    /// Writes a scenario as a folder.
    ///
    /// # Errors
    /// As [`System::open`] and [`Scenario::export`].
    fn export(&self, scenario: &str, folder: &Path) -> Result<(), LoadError>;
}

impl<R> AnySystem for System<R> {
    fn id(&self) -> &'static str {
        self.id
    }

    fn scenarios(&self) -> Vec<ScenarioListing> {
        let listing = |id: &str| {
            let text = source::embedded(self.setups, &format!("{id}.toml")).unwrap_or_default();
            let table: toml::Table = toml::from_str(text).unwrap_or_default();
            let get = |key: &str| table.get(key).and_then(toml::Value::as_str).unwrap_or_default().to_owned();
            ScenarioListing {
                name: format!("{}/{id}", self.id),
                title: get("title"),
                summary: get("summary"),
            }
        };
        source::setups(self.setups).into_iter().map(listing).collect()
    }

    fn coverage(&self) -> Result<Vec<RuleCoverage>, LoadError> {
        let (mut rules, rulings) = (coverage::parse(self.coverage)?, self.rulings()?);
        for rule in &mut rules {
            rule.rulings =
                rulings.iter().filter(|ruling| ruling.rules.contains(&rule.rule)).cloned().collect();
        }
        Ok(rules)
    }

    fn rulings(&self) -> Result<Vec<Ruling>, LoadError> {
        let file = self.files.iter().find(|file| file.name == coverage::RULINGS);
        file.and_then(|file| file.text).map_or(Ok(Vec::new()), coverage::parse_rulings)
    }

    fn examples(&self) -> Vec<(&'static str, &'static str)> {
        let files = self.examples.files();
        let mut files: Vec<_> = files
            .filter_map(|file| Some((file.path().to_str()?, file.contents_utf8()?)))
            .filter(|(name, _)| Path::new(name).extension().is_some_and(|ending| ending == "toml"))
            .collect();
        files.sort_unstable();
        files
    }

    fn run_examples(&self, name: &str, text: &str) -> Result<Vec<ExampleReport>, LoadError> {
        (self.run_examples)(name, text)
    }

    fn provenance_counts(&self, scenario: &str) -> Result<Vec<ProvenanceCount>, LoadError> {
        Ok(self.open(scenario, &[])?.provenance)
    }

    fn export(&self, scenario: &str, folder: &Path) -> Result<(), LoadError> {
        self.open(scenario, &[])?.export(folder)
    }
}

/// Whether a folder is meant as a scenario's: it has a set-up, of whatever kind.
pub fn is_scenario_folder(folder: &Path) -> bool {
    folder.join(SETUP).symlink_metadata().is_ok()
}

/// Which of the systems of these identifiers the set-up in a folder names.
///
/// # Errors
/// If the set-up is missing, cannot be read, or names none of them.
pub fn named_system<'a>(folder: &Path, ids: &[&'a str]) -> Result<&'a str, LoadError> {
    let setup = source::read_folder(folder, &[SETUP], OVERRIDES)?;
    system_of(setup.iter().find(|file| file.name == SETUP), ids)
}

/// Which of these systems a set-up names.
fn system_of<'a>(setup: Option<&SourceFile>, ids: &[&'a str]) -> Result<&'a str, LoadError> {
    let setup = setup.ok_or_else(|| LoadError::in_file(SETUP, None, Problem::MissingFile { near: None }))?;
    let table = parse_table(setup)?;
    let wrong = |problem| LoadError::in_file(SETUP, None, problem);
    let value = table.get("system").ok_or_else(|| wrong(Problem::MissingKey { key: "system".into() }))?;
    let id = value.as_str().unwrap_or_default();
    ids.iter().copied().find(|&known| known == id).ok_or_else(|| {
        let near = nearest(id, ids.iter().copied());
        // A loader that knows itself alone cannot tell another system from none.
        let what = match (ids, &near) {
            (&[own], None) => format!("the system `{own}`"),
            _ => "a system".to_owned(),
        };
        wrong(Problem::UnknownName { value: value.to_string(), what, near })
    })
}

fn parse_table(file: &SourceFile) -> Result<toml::Table, LoadError> {
    toml::from_str(&file.text).map_err(|error| {
        let line = error.span().map(|span| 1 + file.text[..span.start].matches('\n').count() as u32);
        LoadError::in_file(&file.name, line, Problem::Syntax(error.message().trim().to_owned()))
    })
}
