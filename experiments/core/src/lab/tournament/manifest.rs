//! What identifies a tournament, and what has been asked of it so far.

use std::str::FromStr;

use sandtable_ai::AgentSpec;
use sandtable_stats::sprt::Sprt;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::manifest::{self, Work, damaged};
use crate::system::AnyScenario;

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

/// The manifest of a tournament.
///
/// Version, commit, seed, tables and shard never change; scenarios and agents are only added; the rest is what the last
/// command asked for.
pub type Manifest = manifest::Manifest<Entries>;

/// Who plays what in a tournament.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Entries {
    /// The seed.
    pub seed: u64,
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
}

/// What the manifest of a tournament says it is.
pub const KIND: &str = "tournament";

impl Work for Entries {
    const KIND: &'static str = KIND;
}

impl Entries {
    /// A tournament that nobody has entered yet.
    pub fn new(seed: u64) -> Self {
        Entries {
            seed,
            scenarios: Vec::new(),
            agents: Vec::new(),
            layout: Layout::default(),
            pairs: DEFAULT_PAIRS,
            sprt: None,
        }
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
