//! Tuning: which values of an agent's weights are strongest, or which values of a scenario are fair?
//!
//! Several short runs of an optimiser go side by side, each with dice of its own; their answers and the values that
//! held before meet in a play-off with the same fresh dice for all; the winner is then proven against the old values
//! with dice that nobody has seen. Three fifths of the budget go to the runs, a fifth to the play-off, the rest to
//! the proof.
//!
//! Every question depends on the answers to those before, so tuning cannot be cut into shards that know nothing of
//! each other. Its games are those of a study: they are kept in a folder as they are played, and tuning that was
//! stopped asks the same questions again and finds the answers there. An optimiser outside may put its questions to
//! as many programs as it likes.
//!
//! * [`search`]: runs and play-off over any [`Objective`]. [`matches`]: agents against each other.
//!   [`fairness`]: a scenario's score against a target. [`protocol`]: questions of an optimiser outside.
//! * [`rounds`]: where the games are played. [`report`]: what came out. [`tables`]: the same, and the search, as
//!   tables.

pub mod fairness;
pub mod matches;
pub mod protocol;
pub mod report;
pub mod rounds;
pub mod search;
pub mod tables;

use sandtable_core::{Digest, SideInfo};
use sandtable_stats::design::{Factor, Point, Range, Value, number};
use sandtable_stats::interval::Estimate;
use sandtable_stats::optimise::Trial;
use serde::{Deserialize, Serialize};

use self::search::{Budget, Method};
use super::store::RecordTable;
use super::study::{self, GamesTable};
use super::tournament::manifest::ScenarioEntry;
use crate::failure::Failure;
use crate::lab::columns::or_nan;
use crate::table::Schema;

/// What the manifest of such a study says it is.
pub const KIND: &str = "tune";

/// The name of the table of games.
pub const GAMES: &str = "tune_games";

/// All tables, documented.
pub fn schemas(sides: &[SideInfo]) -> Vec<Schema> {
    let mut schemas = vec![GamesTable::new(GAMES, sides).schema().clone()];
    schemas.extend(tables::schemas());
    schemas
}

/// What is to be tuned, and how. With the data of the scenario and the version of the program it fixes every game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Question {
    /// An agent, or `scenario`.
    pub tuned: String,
    /// The scenario, with its overrides.
    pub scenario: ScenarioEntry,
    /// The overrides, `path=value`.
    pub overrides: Vec<String>,
    /// The numbers that may be changed, `name=low..high`, and where each begins.
    pub space: Vec<(String, String)>,
    /// The score that a side is to have, `side=score`; none of an agent.
    pub target: Option<String>,
    /// Who plays all sides of a scenario that is tuned; none of an agent.
    pub agents: Option<String>,
    /// The optimiser.
    pub method: Method,
    /// How much is played.
    pub budget: Budget,
    /// The test by which an agent's new values are proven; none of a scenario.
    pub sprt: Option<String>,
}

impl study::Question for Question {
    const KIND: &'static str = KIND;

    /// How far the runs go was settled when they began.
    fn games(&mut self) -> Option<&mut u64> {
        None
    }
}

/// What may be changed, and where it stands now.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Space {
    /// The values that may be taken.
    pub factors: Vec<Factor>,
    /// The values that hold now.
    pub start: Point,
}

impl Space {
    /// A value as it is written: whole numbers as such, others to four decimals, so that what is tried can be written
    /// down.
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

    /// What may be changed and where it stands, as [`Question::space`] keeps it.
    pub fn lines(&self) -> Vec<(String, String)> {
        let line = |(factor, (range, &now)): (usize, (&Factor, &Value))| {
            let ends = match &range.range {
                Range::Real { low, high } => format!("{low:?}..{high:?}"),
                Range::Integer { low, high } => format!("{low}..{high}"),
                Range::Categories(words) => words.join("|"),
            };
            (format!("{}={ends}", range.name), self.text(factor, now))
        };
        self.factors.iter().zip(&self.start).enumerate().map(line).collect()
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
    /// What the games are for, in words.
    pub fn purpose(&self) -> String {
        match self.stream {
            search::PLAY_OFF => "play-off".to_owned(),
            search::PROOF => "proof".to_owned(),
            run => format!("run {run}"),
        }
    }

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
    /// The mean score seen, with its interval.
    pub score: Estimate,
    /// The standard error of the score.
    #[serde(deserialize_with = "or_nan")]
    pub standard_error: f64,
    /// How many games it took.
    pub games: u64,
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

    /// For each trial the response at `plus` less that at `minus`, with the same dice. A look at a trial takes two
    /// games.
    ///
    /// # Errors
    /// As [`Objective::measure`].
    fn compare(&mut self, questions: &[(Trial, Looks)]) -> Result<Vec<f64>, Failure>;
}
