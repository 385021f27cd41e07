//! Tuning: which values of an agent's weights are strongest, or which values of a scenario are fair?
//!
//! Several short runs of an optimiser go side by side, each with dice of its own; their answers and the values that held before
//! meet in a play-off with the same fresh dice for all; the winner is then proven against the old values with dice that
//! nobody has seen. Three fifths of the budget go to the runs, a fifth to the play-off, the rest to the proof.
//!
//! * [`search`]: runs and play-off over any [`Objective`]. [`matches`]: agents against each other.
//!   [`fairness`]: a scenario's score against a target. [`protocol`]: questions of an optimiser outside.
//! * [`report`]: what came out. [`tables`]: the same, and the search, as tables.

pub mod fairness;
pub mod matches;
pub mod protocol;
pub mod report;
pub mod search;
pub mod tables;

use sandtable_core::Digest;
use sandtable_stats::design::{Factor, Point, Range, Value, number};
use sandtable_stats::interval::{Estimate, normal_quantile};
use sandtable_stats::optimise::Trial;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;
use crate::lab::columns::or_nan;

/// What may be changed, and where it stands now.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Space {
    /// The values that may be taken.
    pub factors: Vec<Factor>,
    /// The values that hold now.
    pub start: Point,
}

impl Space {
    /// A value as it is written: whole numbers as such, others to four decimals, so that what is tried can be written down.
    pub fn text(&self, factor: usize, value: Value) -> String {
        match self.factors[factor].range {
            Range::Real { .. } => {
                let rounded = (number(value) * 1e4).round() / 1e4;
                // Not -0.
                (rounded + 0.0).to_string()
            }
            _ => self.factors[factor].label(value),
        }
    }

    /// All values of a point, by name.
    pub fn named(&self, point: &Point) -> Vec<(String, String)> {
        let named =
            |(factor, &value): (usize, &Value)| (self.factors[factor].name.clone(), self.text(factor, value));
        point.iter().enumerate().map(named).collect()
    }
}

/// Which games a look is made of: numbers from `first` on, under the seed of a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Looks {
    /// What tells the dice of runs, play-off and proof apart.
    pub stream: u64,
    /// The number of the first look.
    pub first: u64,
    /// How many looks.
    pub count: u64,
}

impl Looks {
    /// The seed of the games.
    pub fn seed(&self, seed: u64) -> u64 {
        Digest::of(&("tune", seed, self.stream))
    }
}

/// What was seen at a point.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Measure {
    /// What is to be as large as possible.
    #[serde(deserialize_with = "or_nan")]
    pub response: f64,
    /// The mean score seen.
    #[serde(deserialize_with = "or_nan")]
    pub score: f64,
    /// The standard error of the score.
    #[serde(deserialize_with = "or_nan")]
    pub standard_error: f64,
    /// How many games it took.
    pub games: u64,
}

impl Measure {
    /// The score with its interval.
    pub fn interval(&self) -> Estimate {
        Estimate::symmetric(self.score, normal_quantile(0.975) * self.standard_error)
    }
}

/// Something that can be looked at, with noise. Questions come in lists, so that all threads have work.
pub trait Objective {
    /// Games of one look at a point.
    fn cost(&self) -> u64;

    /// What is seen at each point.
    ///
    /// # Errors
    /// If games cannot be played, or [`Failure::Interrupted`].
    fn measure(&mut self, questions: &[(Point, Looks)]) -> Result<Vec<Measure>, Failure>;

    /// For each trial the response at `plus` less that at `minus`, with the same dice. A look at a trial takes two games.
    ///
    /// # Errors
    /// As [`Objective::measure`].
    fn compare(&mut self, questions: &[(Trial, Looks)]) -> Result<Vec<f64>, Failure>;
}
