//! What identifies a run: everything that its tables depend on.

use std::collections::BTreeMap;

use sandtable_ai::AgentSpec;
use sandtable_core::Digest;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::manifest::{self, Work, damaged};
use crate::system::{AnyScenario, Extras, Override, Setup};

/// The manifest of a run.
pub type Manifest = manifest::Manifest<Identity>;

/// What the values of the tables depend on, and how they are laid out in parts.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Identity {
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
    ) -> Self {
        let overrides: Vec<String> = overrides.iter().map(ToString::to_string).collect();
        Identity {
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
            part_games,
            tables: scenario.tables(setup.extras).iter().map(|table| table.name.to_owned()).collect(),
        }
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

impl Work for Identity {
    const KIND: &'static str = "run";

    fn check(&self) -> Result<(), String> {
        if self.part_games == 0 { Err("part_games is 0".to_owned()) } else { Ok(()) }
    }
}

impl Manifest {
    /// The parts that this folder is to hold.
    pub fn parts(&self) -> impl Iterator<Item = u64> + '_ {
        (0..self.identity.parts()).filter(|&part| self.shard.is_none_or(|shard| shard.plays(part)))
    }
}
