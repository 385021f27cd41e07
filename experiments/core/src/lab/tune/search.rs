//! Runs of an optimiser side by side, and the play-off between their answers.

use sandtable_stats::design::Point;
use sandtable_stats::optimise::{Ntbea, NtbeaSettings, Spsa, SpsaSettings, Trial};
use serde::{Deserialize, Serialize};

use super::{Looks, Measure, Objective, Space};
use crate::failure::Failure;

/// Which optimiser.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, clap::ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Simultaneous perturbation: follows a slope, all values at once; for many values.
    #[default]
    Spsa,
    /// The n-tuple bandit evolutionary algorithm: levels of each value and their pairs; for a few.
    Ntbea,
}

/// How much is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Budget {
    /// Games of all runs, the play-off and the proof together.
    pub games: u64,
    /// Runs.
    pub runs: u64,
    /// Looks at each question of a run.
    pub batch: u64,
}

impl Budget {
    /// Games that the runs share.
    pub fn search(&self) -> u64 {
        self.games * 3 / 5
    }

    /// Games that the candidates of the play-off share.
    pub fn play_off(&self) -> u64 {
        self.games / 5
    }

    /// Iterations of each run, and looks at each candidate of the play-off, where a look at a point takes `cost` games.
    ///
    /// # Errors
    /// If the games are too few.
    pub fn shares(&self, method: Method, cost: u64) -> Result<(u64, u64), Failure> {
        let trial = self.trial(method, cost);
        let iterations = self.search() / (trial * self.runs).max(1);
        let looks = self.play_off() / ((self.runs + 1) * cost);
        if iterations < 4 || looks < 2 {
            return Err(Failure::input(format!(
                "--budget {}: too little for {} runs of batches of {}; expected at least {}",
                self.games,
                self.runs,
                self.batch,
                (trial * self.runs * 20 / 3 + 5).max((self.runs + 1) * cost * 10)
            )));
        }
        Ok((iterations, looks))
    }

    /// Games of an iteration of a run.
    fn trial(&self, method: Method, cost: u64) -> u64 {
        self.batch * if method == Method::Spsa { 2 } else { cost }
    }

    /// Games left for the proof.
    pub fn proof(&self) -> u64 {
        self.games - self.search() - self.play_off()
    }
}

/// The dice of the play-off; those of run `r` are stream `r`.
pub const PLAY_OFF: u64 = u64::MAX;
/// The dice of the proof.
pub const PROOF: u64 = u64::MAX - 1;

/// A setting in the play-off.
#[derive(Clone, PartialEq, Debug)]
pub struct Candidate {
    /// The run that found it; none for the values that held before.
    pub run: Option<u64>,
    /// Its values.
    pub point: Point,
    /// What was seen in the play-off.
    pub measure: Measure,
}

/// One run of an optimiser.
enum Run {
    Spsa(Box<Spsa>),
    Ntbea(Box<Ntbea>),
}

/// Runs the optimisers, then the play-off; the first of the candidates is the best, and the old values are among them.
/// `told` hears how many games have been played, and the current best settings.
///
/// # Errors
/// If the budget is too small for the runs, or as [`Objective`].
pub fn search(
    objective: &mut impl Objective,
    space: &Space,
    method: Method,
    budget: Budget,
    seed: u64,
    mut told: impl FnMut(u64, &[Point]),
) -> Result<Vec<Candidate>, Failure> {
    let (iterations, looks) = budget.shares(method, objective.cost())?;
    let cost = budget.trial(method, objective.cost());
    let start = Some(&space.start);
    let mut runs = (0..budget.runs)
        .map(|run| {
            let seed = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(run);
            let factors = space.factors.clone();
            Ok(match method {
                Method::Spsa => {
                    Run::Spsa(Box::new(Spsa::new(factors, start, SpsaSettings::new(iterations, seed))?))
                }
                Method::Ntbea => {
                    Run::Ntbea(Box::new(Ntbea::new(factors, start, NtbeaSettings::new(iterations, seed))?))
                }
            })
        })
        .collect::<Result<Vec<Run>, sandtable_stats::Error>>()
        .map_err(|error| Failure::input(error.to_string()))?;

    for iteration in 0..iterations {
        let looks =
            |run: usize| Looks { stream: run as u64, first: iteration * budget.batch, count: budget.batch };
        let refused = |error: sandtable_stats::Error| Failure::Internal(error.into());
        let mut trials: Vec<(Trial, Looks)> = Vec::new();
        let mut points: Vec<(Point, Looks)> = Vec::new();
        for (index, run) in runs.iter().enumerate() {
            match run {
                Run::Spsa(spsa) => trials.extend(spsa.ask().map(|trial| (trial, looks(index)))),
                Run::Ntbea(ntbea) => points.extend(ntbea.ask().map(|point| (point, looks(index)))),
            }
        }
        let differences = if trials.is_empty() { Vec::new() } else { objective.compare(&trials)? };
        let measures = if points.is_empty() { Vec::new() } else { objective.measure(&points)? };
        let (mut differences, mut measures) = (differences.into_iter(), measures.into_iter());
        for run in &mut runs {
            match run {
                Run::Spsa(spsa) => {
                    differences.next().map_or(Ok(()), |difference| spsa.tell(difference)).map_err(refused)?;
                }
                Run::Ntbea(ntbea) => {
                    let response = measures.next().map(|measure| measure.response);
                    response.map_or(Ok(()), |response| ntbea.tell(response)).map_err(refused)?;
                }
            }
        }
        told((iteration + 1) * cost * budget.runs, &bests(&runs));
    }

    let points: Vec<Point> = std::iter::once(space.start.clone()).chain(bests(&runs)).collect();
    let looks = Looks { stream: PLAY_OFF, first: 0, count: looks };
    let questions: Vec<(Point, Looks)> = points.iter().map(|point| (point.clone(), looks)).collect();
    let measures = objective.measure(&questions)?;
    let mut candidates: Vec<Candidate> = points
        .into_iter()
        .zip(measures)
        .enumerate()
        .map(|(index, (point, measure))| Candidate { run: (index as u64).checked_sub(1), point, measure })
        .collect();
    // Of equals the old values, then the first run.
    candidates.sort_by(|a, b| b.measure.response.total_cmp(&a.measure.response));
    told(budget.search() + budget.play_off(), &[candidates[0].point.clone()]);
    Ok(candidates)
}

fn bests(runs: &[Run]) -> Vec<Point> {
    let best = |run: &Run| match run {
        Run::Spsa(spsa) => spsa.best(),
        Run::Ntbea(ntbea) => ntbea.best(),
    };
    runs.iter().map(best).collect()
}

#[cfg(test)]
mod tests {
    use sandtable_core::{Dice, Rng64};
    use sandtable_stats::design::{Factor, Value, number};
    use sandtable_stats::interval::Estimate;

    use super::*;

    /// A hill with its top at 0.7 and 3, seen through noise that the dice of a look fix.
    struct Hill {
        games: u64,
    }

    impl Hill {
        fn look(&mut self, point: &Point, looks: Looks, own: u64) -> f64 {
            let (x, n) = (number(point[0]), number(point[1]));
            let top = -(x - 0.7).powi(2) - 0.02 * (n - 3.0).powi(2);
            let noise = (0..looks.count).map(|look| {
                let mut dice = Rng64::stream(looks.seed(own), looks.first + look, 0);
                0.3 * (f64::from(dice.below(2001)) / 1000.0 - 1.0)
            });
            self.games += looks.count;
            top + noise.sum::<f64>() / looks.count as f64
        }
    }

    impl Objective for Hill {
        fn cost(&self) -> u64 {
            1
        }

        fn measure(&mut self, questions: &[(Point, Looks)]) -> Result<Vec<Measure>, Failure> {
            let one = |(point, looks): &(Point, Looks)| {
                let response = self.look(point, *looks, 1);
                Measure {
                    response,
                    score: Estimate::symmetric(response, 0.2),
                    standard_error: 0.1,
                    games: looks.count,
                }
            };
            Ok(questions.iter().map(one).collect())
        }

        fn compare(&mut self, questions: &[(Trial, Looks)]) -> Result<Vec<f64>, Failure> {
            let one = |(trial, looks): &(Trial, Looks)| {
                // Dice of their own: the harder case.
                self.look(&trial.plus, *looks, 2) - self.look(&trial.minus, *looks, 3)
            };
            Ok(questions.iter().map(one).collect())
        }
    }

    /// Far from the top.
    fn space() -> Space {
        let factors = vec![Factor::real("x", 0.0, 1.0), Factor::integer("n", 0, 6)];
        Space { factors, start: vec![Value::Real(0.1), Value::Integer(0)] }
    }

    #[test]
    fn both_methods_find_the_top_of_a_hill() {
        let space = space();
        for method in [Method::Spsa, Method::Ntbea] {
            let mut hill = Hill { games: 0 };
            let budget = Budget { games: 12_000, runs: 3, batch: 4 };
            let mut heard = 0;
            let found = search(&mut hill, &space, method, budget, 5, |games, _| heard = games).unwrap();
            let (x, n) = (number(found[0].point[0]), number(found[0].point[1]));
            assert!((x - 0.7).abs() < 0.15 && (n - 3.0).abs() <= 1.0, "{method:?}: {x} {n}");
            assert!(found[0].run.is_some());
            assert_eq!(found.len(), 4);
            assert!(found.iter().any(|candidate| candidate.point == space.start));
            assert!(hill.games <= budget.search() + budget.play_off(), "{} games", hill.games);
            assert_eq!(heard, budget.search() + budget.play_off());
        }
    }

    #[test]
    fn a_budget_that_is_too_small_is_refused() {
        let space = space();
        let small = Budget { games: 50, runs: 4, batch: 8 };
        let mut hill = Hill { games: 0 };
        let failure = search(&mut hill, &space, Method::Spsa, small, 1, |_, _| {}).unwrap_err().to_string();
        let least: u64 = failure.rsplit(' ').next().unwrap().parse().unwrap();
        let enough = Budget { games: least, ..small };
        assert!(search(&mut hill, &space, Method::Spsa, enough, 1, |_, _| {}).is_ok(), "{failure}");
    }
}
