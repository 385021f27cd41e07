//! How far a scenario's score is from a target.

use std::sync::atomic::{AtomicBool, Ordering};

use sandtable_ai::AgentSpec;
use sandtable_stats::design::Point;
use sandtable_stats::interval::Moments;
use sandtable_stats::optimise::Trial;

use super::matches::stopped;
use super::{Looks, Measure, Objective, Space};
use crate::failure::Failure;
use crate::lab::arena::{Arena, Bout, LineUp};
use crate::system::{AnySystem, Override, open};

/// The score of a team, as the values of a scenario's data change.
pub struct Fairness<'a> {
    /// The systems.
    pub systems: &'a [Box<dyn AnySystem>],
    /// The scenario, by identifier or path.
    pub scenario: String,
    /// Overrides at every point.
    pub overrides: Vec<Override>,
    /// The values that may be changed, by path.
    pub space: Space,
    /// The agent of each side.
    pub agents: Vec<AgentSpec>,
    /// The team whose score it is.
    pub team: u8,
    /// What the score is to be.
    pub target: f64,
    /// The seed.
    pub seed: u64,
    /// The threads.
    pub arena: &'a Arena<'a>,
    /// Set when no more games are to be begun.
    pub stop: &'a AtomicBool,
}

impl Fairness<'_> {
    /// The overrides of a point.
    pub fn overrides(&self, point: &Point) -> Vec<Override> {
        let own = self.space.named(point).into_iter().map(|(path, value)| Override { path, value });
        self.overrides.iter().cloned().chain(own).collect()
    }
}

impl Objective for Fairness<'_> {
    fn cost(&self) -> u64 {
        1
    }

    /// The response is the squared distance of the score from the target, less what chance adds to it, as a negative number.
    fn measure(&mut self, questions: &[(Point, Looks)]) -> Result<Vec<Measure>, Failure> {
        let scenarios = questions
            .iter()
            .map(|(point, _)| {
                let overrides = self.overrides(point);
                let values: Vec<String> = overrides.iter().map(ToString::to_string).collect();
                open(self.systems, &self.scenario, &overrides)
                    .map_err(|failure| failure.within(&values.join(", ")))
            })
            .collect::<Result<Vec<_>, Failure>>()?;
        let line_ups: Vec<LineUp<'_>> = scenarios
            .iter()
            .map(|scenario| LineUp { scenario: scenario.as_ref(), agents: self.agents.clone() })
            .collect();
        let mut bouts = Vec::new();
        for (line_up, (_, looks)) in questions.iter().enumerate() {
            let seed = looks.seed(self.seed);
            bouts.extend((looks.first..looks.first + looks.count).map(|game| Bout { line_up, seed, game }));
        }
        let results = self.arena.play(&line_ups, &bouts)?;
        if results.len() < bouts.len() || self.stop.load(Ordering::Relaxed) {
            return Err(stopped());
        }
        let mut scores = results.iter().map(|result| match result.winner {
            None => 0.5,
            Some(winner) => f64::from(u8::from(winner == self.team)),
        });
        Ok(questions
            .iter()
            .map(|(_, looks)| {
                let seen: Moments = scores.by_ref().take(looks.count as usize).collect();
                let chance = if seen.n > 1 { seen.variance() / seen.n as f64 } else { 0.0 };
                Measure {
                    response: chance - (seen.mean - self.target).powi(2),
                    score: seen.mean,
                    standard_error: seen.standard_error(),
                    games: seen.n,
                }
            })
            .collect())
    }

    fn compare(&mut self, questions: &[(Trial, Looks)]) -> Result<Vec<f64>, Failure> {
        let both: Vec<(Point, Looks)> = questions
            .iter()
            .flat_map(|(trial, looks)| [(trial.plus.clone(), *looks), (trial.minus.clone(), *looks)])
            .collect();
        let measures = self.measure(&both)?;
        Ok(measures.chunks_exact(2).map(|pair| pair[0].response - pair[1].response).collect())
    }
}
