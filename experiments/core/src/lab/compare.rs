//! Comparisons: what difference does a change make?
//!
//! Two arms, A and B, which differ in their scenarios, in values of one scenario, or in their agents, play the same
//! numbers of games under the same seed: game *n* of either arm has the same dice. So luck cancels in the difference
//! of the two games of a pair, as far as the arms play alike.
//!
//! * [`report`]: the differences. [`tables`]: the same as tables.

pub mod report;
pub mod tables;

use std::collections::BTreeMap;
use std::str::FromStr;

use sandtable_ai::AgentSpec;
use sandtable_core::{MAX_SIDES, SideInfo};
use sandtable_stats::power::{Paired, PairedCounts};
use sandtable_stats::shape::{Winner, shape};
use serde::{Deserialize, Serialize};

use super::arena::Job;
use super::balance::LEVEL;
use super::progress::ProgressReport;
use super::study::{self, Arm, Entrants, Plan, ResultSink};
use super::tournament::manifest::ScenarioEntry;
use super::words::percent_more;
use crate::failure::Failure;
use crate::system::{AnyScenario, AnySystem, GameResult, Override, open, team_labels};

/// What the manifest of such a study says it is.
pub const KIND: &str = "comparison";

/// What a comparison asks.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Question {
    /// The arm that is compared with.
    pub a: ArmQuestion,
    /// The arm that is compared.
    pub b: ArmQuestion,
    /// Games of each arm.
    pub games: u64,
}

impl study::Question for Question {
    const KIND: &'static str = KIND;

    fn games(&mut self) -> Option<&mut u64> {
        Some(&mut self.games)
    }
}

/// An arm of a comparison.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ArmQuestion {
    /// The scenario, with its overrides.
    pub scenario: ScenarioEntry,
    /// The overrides, `path=value`.
    pub overrides: Vec<String>,
    /// The agent of each side.
    pub agents: Vec<String>,
}

/// A difference that one would want to see.
#[derive(Clone, PartialEq, Debug)]
pub struct Effect {
    /// The measure, or the first word of several (`points`); none for all shares.
    pub measure: Option<String>,
    /// How large, in the unit of the measure.
    pub size: f64,
}

impl FromStr for Effect {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (measure, size) = match text.split_once('=') {
            Some((measure, size)) => (Some(measure.trim().to_owned()), size.trim()),
            None => (None, text.trim()),
        };
        let size = size.parse().ok().filter(|size: &f64| *size > 0.0 && size.is_finite());
        let size = size.filter(|size| measure.is_some() || *size < 1.0);
        size.map(|size| Effect { measure, size }).ok_or_else(|| {
            "expected a share below 1, such as 0.05, or MEASURE=SIZE, such as points=0.5".to_owned()
        })
    }
}

/// The comparison at work.
pub struct Comparison {
    question: Question,
    seed: u64,
    timed: bool,
    sides: Vec<SideInfo>,
    teams: Vec<String>,
    /// The last game of A.
    first: Option<GameResult>,
    pairs: u64,
    /// By team.
    wins: Vec<PairedCounts>,
    draws: PairedCounts,
    /// Pairs in which games ended by this end reason: both, A alone, B alone.
    end_reasons: BTreeMap<String, [u64; 3]>,
    score: Paired,
    points: [Paired; MAX_SIDES],
    utility: [Paired; MAX_SIDES],
    turns: Paired,
    decisions: Paired,
    lead_changes: Paired,
}

impl Comparison {
    /// The comparison, and who plays in it.
    ///
    /// # Errors
    /// If an agent does not fit its scenario, or the scenarios have different sides.
    pub fn new(
        systems: &[Box<dyn AnySystem>],
        question: Question,
        seed: u64,
    ) -> Result<(Self, Entrants<'_>), Failure> {
        let mut entrants = Entrants::default();
        for (index, (name, arm)) in [("A", &question.a), ("B", &question.b)].into_iter().enumerate() {
            let overrides: Result<Vec<Override>, Failure> = arm
                .overrides
                .iter()
                .map(|text| text.parse().map_err(|error| Failure::input(format!("--set {text}: {error}"))))
                .collect();
            let scenario = open(systems, &arm.scenario.id, &overrides?)?;
            let agents: Result<Vec<AgentSpec>, _> = arm.agents.iter().map(|text| text.parse()).collect();
            let agents = agents.map_err(|error| Failure::input(format!("arm {name}: {error}")))?;
            for agent in &agents {
                scenario.check_agent(agent).map_err(|failure| failure.within(&format!("arm {name}")))?;
            }
            entrants.scenarios.push(scenario);
            entrants.arms.push(Arm { name: name.to_owned(), scenario: index, agents, parameter: None });
        }
        let [a, b] = [&entrants.scenarios[0], &entrants.scenarios[1]];
        check_sides(a.as_ref(), b.as_ref())?;
        // What points can be, they may be in either arm.
        let either = |(a, b): (&SideInfo, &SideInfo)| {
            let points = (a.points.0.min(b.points.0), a.points.1.max(b.points.1));
            SideInfo { points, ..a.clone() }
        };
        let sides: Vec<SideInfo> = a.sides().iter().zip(b.sides()).map(either).collect();
        let teams = team_labels(&sides);
        let comparison = Comparison {
            timed: (0..2).any(|arm| entrants.setup(arm).is_timed()),
            seed,
            first: None,
            pairs: 0,
            wins: vec![PairedCounts::default(); teams.len()],
            draws: PairedCounts::default(),
            end_reasons: BTreeMap::new(),
            score: Paired::default(),
            points: [Paired::default(); MAX_SIDES],
            utility: [Paired::default(); MAX_SIDES],
            turns: Paired::default(),
            decisions: Paired::default(),
            lead_changes: Paired::default(),
            question,
            sides,
            teams,
        };
        Ok((comparison, entrants))
    }

    /// The sides, which both scenarios have.
    pub fn sides(&self) -> &[SideInfo] {
        &self.sides
    }

    fn add(&mut self, a: &GameResult, b: &GameResult) {
        self.pairs += 1;
        for (team, counts) in self.wins.iter_mut().enumerate() {
            counts.add(a.winner == Some(team as u8), b.winner == Some(team as u8));
        }
        self.draws.add(a.winner.is_none(), b.winner.is_none());
        if a.end_reason == b.end_reason {
            self.end_reasons.entry(a.end_reason.to_string()).or_default()[0] += 1;
        } else {
            self.end_reasons.entry(a.end_reason.to_string()).or_default()[1] += 1;
            self.end_reasons.entry(b.end_reason.to_string()).or_default()[2] += 1;
        }
        let score = |result: &GameResult| match result.winner {
            Some(0) => 1.0,
            Some(_) => 0.0,
            None => 0.5,
        };
        self.score.add(score(a), score(b));
        for side in 0..self.sides.len() {
            self.points[side].add(f64::from(a.points[side]), f64::from(b.points[side]));
            self.utility[side].add(f64::from(a.utility[side]), f64::from(b.utility[side]));
        }
        self.turns.add(f64::from(a.turns), f64::from(b.turns));
        self.decisions.add(f64::from(a.decisions), f64::from(b.decisions));
        if let (Some(a), Some(b)) = (lead_changes(a), lead_changes(b)) {
            self.lead_changes.add(a, b);
        }
    }
}

/// How often the lead changed; `None` if the system cannot tell.
fn lead_changes(result: &GameResult) -> Option<f64> {
    let leads: Vec<f64> = result.course.iter().map(|&worth| f64::from(worth) / 10_000.0 - 0.5).collect();
    let changes = shape(&leads, Winner::Nobody, LEVEL).lead_changes;
    (!leads.is_empty()).then(|| f64::from(changes))
}

/// Fails unless both scenarios have the same sides.
fn check_sides(a: &dyn AnyScenario, b: &dyn AnyScenario) -> Result<(), Failure> {
    let shape = |scenario: &dyn AnyScenario| {
        scenario.sides().iter().map(|side| (side.id, side.team)).collect::<Vec<_>>()
    };
    if shape(a) == shape(b) {
        return Ok(());
    }
    let names = |scenario: &dyn AnyScenario| {
        scenario.sides().iter().map(|side| side.id).collect::<Vec<_>>().join(", ")
    };
    Err(Failure::input(format!(
        "the sides of {} are {}, those of {} are {}; only scenarios with the same sides can be compared",
        b.id(),
        names(b),
        a.id(),
        names(a)
    )))
}

impl<'s> Plan<'s> for Comparison {
    fn next(&mut self, _: &mut Entrants<'s>) -> Result<Vec<Job>, Failure> {
        if self.pairs > 0 {
            return Ok(Vec::new());
        }
        let seed = self.seed;
        let pair = |game| [0, 1].map(|assignment| Job { assignment, seed, game });
        Ok((0..self.question.games).flat_map(pair).collect())
    }
}

impl ResultSink for Comparison {
    fn take(&mut self, job: &Job, result: &GameResult) -> Result<(), Failure> {
        if job.assignment == 0 {
            self.first = Some(result.clone());
        } else if let Some(first) = self.first.take() {
            self.add(&first, result);
        }
        Ok(())
    }

    fn progress_report(&self) -> ProgressReport {
        let difference = sandtable_stats::power::paired_rates(&self.wins[0]).difference;
        ProgressReport {
            done: 2 * self.pairs + u64::from(self.first.is_some()),
            total: 2 * self.question.games,
            estimate: format!("{} wins {}", self.teams[0], percent_more(&difference)),
        }
    }
}
