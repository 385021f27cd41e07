//! How far a scenario's score is from a target.

use sandtable_ai::AgentSpec;
use sandtable_stats::design::Point;
use sandtable_stats::optimise::Trial;
use sandtable_stats::pairs::{GameResults, Outcome};

use super::rounds::RoundPlayer;
use super::{Looks, Measure, Objective, Space};
use crate::failure::Failure;
use crate::lab::arena::Job;
use crate::lab::study::{Arm, RoundEntrants};
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
    /// Where the games are played.
    pub rounds: RoundPlayer<'a>,
}

impl Fairness<'_> {
    /// The overrides of a point.
    pub fn overrides(&self, point: &Point) -> Vec<Override> {
        let own = self.space.named(point).into_iter().map(|(path, value)| Override::new(path, &value));
        self.overrides.iter().cloned().chain(own).collect()
    }
}

impl Objective for Fairness<'_> {
    fn cost(&self) -> u64 {
        1
    }

    /// The response is the squared distance of the score from the target, less what chance adds to it, as a negative
    /// number.
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
        let arm = |(scenario, (point, looks)): (usize, &(Point, Looks))| {
            let values: Vec<String> =
                self.space.named(point).into_iter().map(|(path, value)| format!("{path}={value}")).collect();
            let name = format!("{}: {}", looks.purpose(), values.join(", "));
            Arm { name, scenario, agents: self.agents.clone(), parameter: None }
        };
        let arms: Vec<Arm> = questions.iter().enumerate().map(arm).collect();
        let scenarios = scenarios.iter().map(AsRef::as_ref).collect();
        let mut jobs = Vec::new();
        for (assignment, (_, looks)) in questions.iter().enumerate() {
            let seed = looks.seed(self.seed);
            jobs.extend((looks.first..looks.first + looks.count).map(|game| Job { assignment, seed, game }));
        }
        let results = self.rounds.play(&RoundEntrants { scenarios, arms: &arms }, &jobs)?;
        let mut outcomes = results.iter().map(|result| match result.winner {
            None => Outcome::Draw,
            Some(winner) if winner == self.team => Outcome::Win,
            Some(_) => Outcome::Loss,
        });
        Ok(questions
            .iter()
            .map(|(_, looks)| {
                let mut seen = GameResults::default();
                for outcome in outcomes.by_ref().take(looks.count as usize) {
                    seen.add(outcome);
                }
                let (n, score) = (seen.n(), seen.score());
                let chance = if n > 1 { seen.variance() / n as f64 } else { 0.0 };
                let response = chance - (score.value - self.target).powi(2);
                Measure { response, score, standard_error: seen.standard_error(), games: n }
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
