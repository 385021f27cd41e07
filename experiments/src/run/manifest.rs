//! What identifies a run: everything that its tables depend on.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use sandtable_ai::AgentSpec;
use sandtable_core::Digest;
use serde::{Deserialize, Serialize};

use super::folder::write_atomically;
use crate::failure::Failure;
use crate::files;
use crate::system::{AnyScenario, Extras, Override, Setup};
use crate::table::Format;

/// The version of the layout of run folders and tables.
pub const SCHEMA_VERSION: u32 = 3;

/// A share of a run: number `index`, from 1, of `of` shares.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Shard {
    /// Which share, from 1.
    pub index: u32,
    /// How many shares there are.
    pub of: u32,
}

impl Shard {
    /// Whether this share plays the part: parts are dealt out like cards.
    pub fn plays(self, part: u64) -> bool {
        part % u64::from(self.of) == u64::from(self.index - 1)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let shard = text
            .split_once('/')
            .and_then(|(index, of)| Some(Shard { index: index.parse().ok()?, of: of.parse().ok()? }));
        shard
            .filter(|shard| (1..=shard.of).contains(&shard.index))
            .ok_or_else(|| "expected i/n with 1 <= i <= n, such as 2/4".to_owned())
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.of)
    }
}

/// Fails unless the folders are the shards of one `kind` of work (`run`), each once; `difference` says in what a folder
/// differs from the first one: the name, and the values here and there.
///
/// # Errors
/// Names the folder that does not fit, or the shard that is missing.
pub fn check_family(
    kind: &str,
    folders: &[PathBuf],
    shards: &[Option<Shard>],
    difference: impl Fn(usize) -> Option<(String, String, String)>,
) -> Result<(), Failure> {
    let mut seen: Vec<Option<&Path>> = Vec::new();
    for (index, (folder, shard)) in folders.iter().zip(shards).enumerate() {
        if let Some((what, here, there)) = difference(index) {
            return Err(Failure::input(format!(
                "{} is of another {kind} than {}: its {what} is {here} and not {there}",
                folder.display(),
                folders[0].display()
            )));
        }
        let Some(Shard { index, of }) = *shard else {
            return Err(Failure::input(format!("{} is a whole {kind} and not a shard", folder.display())));
        };
        if shards[0].is_some_and(|shard| shard.of != of) {
            return Err(Failure::input(format!(
                "{} is one of {of} shards, unlike {}",
                folder.display(),
                folders[0].display()
            )));
        }
        seen.resize(of as usize, None);
        let place = seen.get_mut((index as usize).wrapping_sub(1)).ok_or_else(|| {
            Failure::input(format!("{}: manifest.json is damaged: shard {index}/{of}", folder.display()))
        })?;
        if let Some(other) = place.replace(folder) {
            return Err(Failure::input(format!(
                "{} and {} are both shard {index}/{of}",
                other.display(),
                folder.display()
            )));
        }
    }
    match seen.iter().position(Option::is_none) {
        Some(missing) => Err(Failure::input(format!("shard {}/{} is missing", missing + 1, seen.len()))),
        None => Ok(()),
    }
}

/// The file `manifest.json` of a run folder.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Manifest {
    /// What the tables depend on.
    #[serde(flatten)]
    pub identity: Identity,
    /// The share of the run that is in this folder; all of it if missing.
    pub shard: Option<Shard>,
    /// The command line that began the run.
    pub command: Vec<String>,
    /// When it began, in seconds since 1970.
    pub started_unix: u64,
}

/// What the values of the tables depend on, and how they are laid out in files.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Identity {
    /// [`SCHEMA_VERSION`].
    pub schema_version: u32,
    /// The version of the program.
    pub sandtable_version: String,
    /// The commit it was built from, with `-dirty` if the sources had been changed since; `unknown` outside a repository.
    pub sandtable_commit: String,
    /// The scenario, by identifier or path.
    pub scenario: String,
    /// The hash of its data, overrides included.
    pub scenario_hash: String,
    /// The overrides, `path=value`, in order.
    pub overrides: Vec<String>,
    /// The hash of the overrides alone.
    pub override_hash: String,
    /// The seed.
    pub seed: u64,
    /// How many games the whole run has.
    pub games: u64,
    /// The agent of each side.
    pub agents: BTreeMap<String, String>,
    /// `parquet` or `csv`.
    pub format: String,
    /// How many games fill a part.
    pub part_games: u64,
    /// The tables, by name.
    pub tables: Vec<String>,
}

impl Identity {
    /// The identity of a run.
    pub fn new(
        scenario: &dyn AnyScenario,
        overrides: &[Override],
        setup: &Setup,
        (games, part_games): (u64, u64),
        format: Format,
    ) -> Self {
        let overrides: Vec<String> = overrides.iter().map(ToString::to_string).collect();
        Identity {
            schema_version: SCHEMA_VERSION,
            sandtable_version: env!("CARGO_PKG_VERSION").to_owned(),
            sandtable_commit: env!("SANDTABLE_COMMIT").to_owned(),
            scenario: scenario.id().to_owned(),
            scenario_hash: format!("{:016x}", scenario.hash()),
            override_hash: format!("{:016x}", Digest::of(&overrides)),
            overrides,
            seed: setup.seed,
            games,
            agents: scenario
                .sides()
                .iter()
                .zip(&setup.agents)
                .map(|(side, agent)| (side.id.to_owned(), agent.to_string()))
                .collect(),
            format: format.extension().to_owned(),
            part_games,
            tables: scenario.tables(setup.extras).iter().map(|table| table.name.to_owned()).collect(),
        }
    }

    /// The first thing in which two runs differ: its name, and the values here and there.
    pub fn difference(&self, other: &Identity) -> Option<(String, String, String)> {
        let fields = |identity: &Identity| serde_json::to_value(identity).unwrap_or_default();
        let (mine, other) = (fields(self), fields(other));
        mine.as_object()?
            .iter()
            .zip(other.as_object()?)
            .find(|((_, mine), (_, other))| mine != other)
            .map(|((name, mine), (_, other))| (name.clone(), mine.to_string(), other.to_string()))
    }

    /// The format of the tables.
    ///
    /// # Errors
    /// If the manifest was edited by hand.
    pub fn table_format(&self) -> Result<Format, Failure> {
        self.format.parse().map_err(|_| damaged(&format!("format \"{}\"", self.format)))
    }

    /// How the games are played.
    ///
    /// # Errors
    /// If the manifest was edited by hand.
    pub fn setup(&self, scenario: &dyn AnyScenario) -> Result<Setup, Failure> {
        let agents = scenario.sides().iter().map(|side| {
            let text =
                self.agents.get(side.id).ok_or_else(|| damaged(&format!("no agent for side {}", side.id)))?;
            text.parse::<AgentSpec>().map_err(|error| damaged(&error.to_string()))
        });
        let has = |table: &str| self.tables.iter().any(|other| other == table);
        Ok(Setup {
            agents: agents.collect::<Result<_, _>>()?,
            seed: self.seed,
            extras: Extras { decisions: has("decisions"), records: has("records") },
        })
    }

    /// The overrides.
    ///
    /// # Errors
    /// If the manifest was edited by hand.
    pub fn parsed_overrides(&self) -> Result<Vec<Override>, Failure> {
        self.overrides.iter().map(|text| text.parse().map_err(|error: String| damaged(&error))).collect()
    }

    /// How many parts the whole run has.
    pub fn parts(&self) -> u64 {
        self.games.div_ceil(self.part_games)
    }

    /// The games of a part.
    pub fn part_range(&self, part: u64) -> std::ops::Range<u64> {
        let start = part * self.part_games;
        start..(start + self.part_games).min(self.games)
    }
}

fn damaged(what: &str) -> Failure {
    Failure::input(format!("manifest.json is damaged: {what}"))
}

/// The name of the file.
pub const MANIFEST: &str = "manifest.json";

/// The command line of this process. What is not UTF-8 in it, such as the name of a folder may be, is replaced.
pub fn command_line() -> Vec<String> {
    std::env::args_os().map(|argument| argument.to_string_lossy().into_owned()).collect()
}

impl Manifest {
    /// The parts that this folder is to hold.
    pub fn parts(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.identity.parts()).filter(|&part| self.shard.is_none_or(|shard| shard.plays(part)))
    }

    /// Reads the manifest of a run folder.
    ///
    /// # Errors
    /// If there is none, or it cannot be understood.
    pub fn read(folder: &Path) -> Result<Manifest, Failure> {
        let path = folder.join(MANIFEST);
        let text = files::read_text(&path).map_err(|error| {
            Failure::input(format!(
                "{} is not a run folder: cannot read {MANIFEST}: {error}",
                folder.display()
            ))
        })?;
        let manifest: Manifest = serde_json::from_str(&text).map_err(|error| {
            let value: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
            Failure::input(match value.get("kind").and_then(serde_json::Value::as_str) {
                Some(kind) => format!("{} is a {kind} and not a run of `sandtable play`", folder.display()),
                None => format!("{} is damaged: {error}", path.display()),
            })
        })?;
        if manifest.identity.part_games == 0 {
            return Err(damaged("part_games is 0"));
        }
        Ok(manifest)
    }

    /// Writes the manifest into a run folder.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, folder: &Path) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(self)?;
        write_atomically(&folder.join(MANIFEST), |out| Ok(writeln!(out, "{text}")?))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_deal_out_every_part_once() {
        for part in 0..100 {
            let takers = (1..=7).filter(|&index| Shard { index, of: 7 }.plays(part)).count();
            assert_eq!(takers, 1);
        }
        assert_eq!("2/4".parse(), Ok(Shard { index: 2, of: 4 }));
        for text in ["0/4", "5/4", "1/0", "1", "a/b", "-1/2", "1/2/3", ""] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
