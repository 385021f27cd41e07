//! What identifies a sweep: everything that its tables depend on.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::file::Experiment;
use super::plan::Plan;
use crate::failure::Failure;
use crate::manifest::{self, Work};
use crate::system::AnyScenario;

/// What the manifest of a sweep says it is.
pub const KIND: &str = "sweep";

/// The manifest of a sweep. It changes only when games are added.
pub type Manifest = manifest::Manifest<Asked>;

/// What is played in a sweep, and in which parts.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Asked {
    /// The hash of the scenario's data, with the overrides that hold at every point.
    pub scenario_hash: String,
    /// What is to be found out.
    #[serde(flatten)]
    pub experiment: Experiment,
    /// How many games fill a part.
    pub part_games: u64,
    /// See [`Plan::stages`].
    pub stages: Vec<u64>,
}

impl Work for Asked {
    const KIND: &'static str = KIND;

    fn check(&self) -> Result<(), String> {
        if self.part_games == 0 || self.experiment.games == 0 || self.experiment.assignments.is_empty() {
            return Err("it has no games".to_owned());
        }
        let stages = &self.stages;
        let grow =
            stages.first().is_some_and(|&first| first > 0) && stages.is_sorted_by(|one, next| one < next);
        if !grow || stages.last() != Some(&self.experiment.games) {
            return Err(format!("stages {stages:?}"));
        }
        Ok(())
    }
}

impl Asked {
    /// What a new sweep is; `scenario` is that of the experiment.
    ///
    /// # Errors
    /// If the experiment comes from a manifest that was edited by hand.
    pub fn new(plan: &Plan, scenario: &dyn AnyScenario) -> Result<Self, Failure> {
        Ok(Asked {
            scenario_hash: format!("{:016x}", scenario.hash()),
            experiment: plan.experiment.clone(),
            part_games: plan.part_games(scenario)?,
            stages: plan.stages.clone(),
        })
    }
}

impl Manifest {
    /// How many parts the whole sweep has.
    pub fn parts(&self, plan: &Plan) -> u64 {
        plan.stage_jobs().map(|jobs| self.parts_of(&jobs)).sum()
    }

    /// How many parts a stage with these jobs has.
    fn parts_of(&self, jobs: &Range<u64>) -> u64 {
        (jobs.end - jobs.start).div_ceil(self.identity.part_games)
    }

    /// The same sweep with so many games at each point.
    ///
    /// # Errors
    /// If there are more already.
    pub fn extended(&self, games: u64) -> Result<Self, String> {
        let there = self.identity.experiment.games;
        if games < there {
            return Err(format!("{there} there, {games} here: games can be added but not taken away"));
        }
        let mut more = self.clone();
        if games > there {
            more.identity.experiment.games = games;
            more.identity.stages.push(games);
        }
        Ok(more)
    }

    /// The parts that this folder is to hold.
    pub fn own_parts(&self, plan: &Plan) -> impl Iterator<Item = u64> + use<> {
        let shard = self.shard;
        (0..self.parts(plan)).filter(move |&part| shard.is_none_or(|shard| shard.plays(part)))
    }

    /// The jobs of a part. A part belongs to one stage.
    pub fn part_jobs(&self, plan: &Plan, part: u64) -> Range<u64> {
        let mut before = 0;
        for jobs in plan.stage_jobs() {
            let parts = self.parts_of(&jobs);
            if part < before + parts {
                let start = jobs.start + (part - before) * self.identity.part_games;
                return start..(start + self.identity.part_games).min(jobs.end);
            }
            before += parts;
        }
        plan.jobs()..plan.jobs()
    }
}
