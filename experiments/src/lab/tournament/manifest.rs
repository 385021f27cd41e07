//! What identifies a tournament, and what has been asked of it so far.

use std::path::Path;
use std::str::FromStr;

use sandtable_ai::AgentSpec;
use sandtable_stats::sprt::Sprt;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::files;
use crate::run::folder::write_atomically;
use crate::run::manifest::{MANIFEST, SCHEMA_VERSION, Shard};
use crate::system::AnyScenario;
use crate::table::Format;

/// Who meets whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Layout {
    /// Everybody meets everybody.
    #[default]
    RoundRobin,
    /// The first agent meets everybody else.
    Gauntlet,
}

/// When a pairing ends before all its pairs are played.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Stopping {
    /// Never.
    Never,
    /// As soon as this test is decided.
    Sprt(Sprt),
}

impl FromStr for Stopping {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "none" => Ok(Stopping::Never),
            _ => text
                .parse()
                .map(Stopping::Sprt)
                .map_err(|error: sandtable_stats::Error| format!("{error}; or none")),
        }
    }
}

/// A scenario of a tournament.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ScenarioEntry {
    /// Its identifier or path.
    pub id: String,
    /// The hash of its data.
    pub hash: String,
}

impl ScenarioEntry {
    /// The entry of an opened scenario.
    pub fn of(scenario: &dyn AnyScenario) -> Self {
        ScenarioEntry { id: scenario.id().to_owned(), hash: format!("{:016x}", scenario.hash()) }
    }
}

/// The file `manifest.json` of a tournament's folder.
///
/// Version, commit, seed, tables and shard never change; scenarios and agents are only added; the rest is what the last
/// command asked for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// `tournament`.
    pub kind: String,
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The version of the program.
    pub sandtable_version: String,
    /// The commit it was built from.
    pub sandtable_commit: String,
    /// The seed.
    pub seed: u64,
    /// The format of the tables.
    pub format: String,
    /// The share of the tournament that is in this folder; all of it if missing.
    pub shard: Option<Shard>,
    /// The scenarios, in the order in which they were added.
    pub scenarios: Vec<ScenarioEntry>,
    /// The agents, in canonical form, in the order in which they were added.
    pub agents: Vec<String>,
    /// Who meets whom.
    pub layout: Layout,
    /// How many pairs each pairing plays in each scenario.
    pub pairs: u64,
    /// `elo0,elo1,alpha,beta` of the test that ends a pairing.
    pub sprt: Option<String>,
    /// The command line that began the tournament.
    pub command: Vec<String>,
    /// When it began, in seconds since 1970.
    pub started_unix: u64,
}

/// What [`Manifest::kind`] says.
pub const KIND: &str = "tournament";

impl Manifest {
    /// The manifest of a tournament that nobody has entered yet.
    pub fn new(seed: u64, format: Format, shard: Option<Shard>) -> Self {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        Manifest {
            kind: KIND.to_owned(),
            schema_version: SCHEMA_VERSION,
            sandtable_version: env!("CARGO_PKG_VERSION").to_owned(),
            sandtable_commit: env!("SANDTABLE_COMMIT").to_owned(),
            seed,
            format: format.extension().to_owned(),
            shard,
            scenarios: Vec::new(),
            agents: Vec::new(),
            layout: Layout::default(),
            pairs: DEFAULT_PAIRS,
            sprt: None,
            command: crate::run::manifest::command_line(),
            started_unix: now.map_or(0, |since| since.as_secs()),
        }
    }

    /// Whether there is a tournament in the folder.
    pub fn is_in(folder: &Path) -> bool {
        let value = files::read_text(folder.join(MANIFEST))
            .ok()
            .and_then(|text| serde_json::from_str::<serde_json::Value>(&text).ok());
        value.is_some_and(|value| value.get("kind").is_some_and(|kind| kind == KIND))
    }

    /// Reads the manifest in a folder.
    ///
    /// # Errors
    /// If there is none, it cannot be understood, or the tournament was played by another version of the program.
    pub fn read(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join(MANIFEST);
        let text = files::read_text(&path).map_err(|error| {
            Failure::input(format!("{}: cannot read {MANIFEST}: {error}", folder.display()))
        })?;
        if !Manifest::is_in(folder) {
            return Err(Failure::input(format!("{} is not the manifest of a tournament", path.display())));
        }
        let manifest: Manifest = serde_json::from_str(&text)
            .map_err(|error| Failure::input(format!("{} is damaged: {error}", path.display())))?;
        let ours = Manifest::new(0, Format::default(), None);
        let versions = |manifest: &Manifest| {
            format!(
                "version {}, commit {}, layout {}",
                manifest.sandtable_version, manifest.sandtable_commit, manifest.schema_version
            )
        };
        if versions(&manifest) != versions(&ours) {
            return Err(Failure::input(format!(
                "{}: the tournament there was played by another sandtable ({}) than this one ({}): results of different \
                 versions are not put together; use another --out",
                folder.display(),
                versions(&manifest),
                versions(&ours)
            )));
        }
        Ok(manifest)
    }

    /// Writes the manifest into a folder.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, folder: &Path) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(self)?;
        write_atomically(&folder.join(MANIFEST), |out| Ok(writeln!(out, "{text}")?))?;
        Ok(())
    }

    /// The format of the tables.
    ///
    /// # Errors
    /// If the manifest was edited by hand.
    pub fn table_format(&self) -> Result<Format, Failure> {
        self.format.parse().map_err(|_| damaged(&format!("format \"{}\"", self.format)))
    }

    /// The test that ends a pairing.
    ///
    /// # Errors
    /// If the manifest was edited by hand.
    pub fn stopping(&self) -> Result<Option<Sprt>, Failure> {
        self.sprt
            .as_deref()
            .map(str::parse)
            .transpose()
            .map_err(|error: sandtable_stats::Error| damaged(&error.to_string()))
    }

    /// The agents.
    ///
    /// # Errors
    /// If the manifest was edited by hand.
    pub fn specs(&self) -> Result<Vec<AgentSpec>, Failure> {
        self.agents
            .iter()
            .map(|text| text.parse().map_err(|error: sandtable_ai::SpecError| damaged(&error.to_string())))
            .collect()
    }

    /// Whether agent `a` meets those with higher numbers.
    pub fn meets(&self, a: usize) -> bool {
        match self.layout {
            Layout::RoundRobin => true,
            Layout::Gauntlet => a == 0,
        }
    }
}

/// Pairs of a pairing in a scenario, if nobody says otherwise.
pub const DEFAULT_PAIRS: u64 = 100;

fn damaged(what: &str) -> Failure {
    Failure::input(format!("{MANIFEST} is damaged: {what}"))
}
