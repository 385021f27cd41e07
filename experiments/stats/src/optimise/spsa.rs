//! Simultaneous perturbation stochastic approximation.

use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::design::{self, Factor, Point, Range};
use crate::random::{Generator, generator};

/// How an [`Spsa`] run goes about.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct SpsaSettings {
    /// How many trials there will be; the steps are planned for it.
    pub iterations: u64,
    /// How far the two settings of the first trial are from the current one, as a share of each range. It shrinks
    /// slowly. Large enough that the response differs visibly.
    pub perturbation: f64,
    /// How long the first steps are, as a share of each range.
    pub first_step: f64,
    /// The seed of the directions.
    pub seed: u64,
}

impl SpsaSettings {
    /// Perturbations of a tenth and first steps of a thirtieth of each range.
    pub fn new(iterations: u64, seed: u64) -> Self {
        SpsaSettings { iterations, perturbation: 0.1, first_step: 1.0 / 30.0, seed }
    }
}

/// SPSA: every trial moves all factors at once in a random direction and its opposite; the difference of the two
/// responses is a noisy slope along it, and the current setting takes a step up that slope.
///
/// The gains are Spall's: steps fall with the power 0.602 of the iteration after a tenth of the run, perturbations
/// with 0.101. Steps are scaled by the mean size of the differences seen, so the unit of the response does not
/// matter. The answer is the mean of the settings of the second half of the run, which is steadier than the last one.
///
/// Literature: J. C. Spall (1992), *IEEE Transactions on Automatic Control* 37, 332, and (1998), *IEEE Transactions on
/// Aerospace and Electronic Systems* 34, 817; Polyak and Juditsky (1992) on averaging.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Spsa {
    factors: Vec<Factor>,
    settings: SpsaSettings,
    iteration: u64,
    /// The current setting, in shares of the ranges.
    current: Vec<f64>,
    /// The direction of the trial that is out: whether each factor goes up.
    up: Vec<bool>,
    /// The sum of the sizes of all differences.
    sizes: f64,
    /// The sum of the settings of the second half.
    tail: Vec<f64>,
    rng: Generator,
}

/// Two settings to compare.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Trial {
    /// One setting.
    pub plus: Point,
    /// The other.
    pub minus: Point,
}

impl Spsa {
    /// A run from `start`, or from the middle of all ranges.
    ///
    /// # Errors
    /// Without factors, with a bad range or with categories, which have no slope; with a start of another length;
    /// without iterations, or with a perturbation or step that is not above 0 and at most ½.
    pub fn new(factors: Vec<Factor>, start: Option<&Point>, settings: SpsaSettings) -> Result<Self, Error> {
        design::check(&factors)?;
        if let Some(factor) = factors.iter().find(|factor| matches!(factor.range, Range::Categories(_))) {
            let what = format!("the range of {}", factor.name);
            return Err(Error::setting(what, "a list of categories", "numbers, as SPSA follows a slope"));
        }
        if settings.iterations == 0 {
            return Err(Error::setting("the number of iterations", 0, "at least 1"));
        }
        for (what, share) in
            [("the perturbation", settings.perturbation), ("the first step", settings.first_step)]
        {
            if !(share > 0.0 && share <= 0.5) {
                return Err(Error::setting(what, share, "a share of the range above 0 and at most 0.5"));
            }
        }
        let current = match start {
            None => vec![0.5; factors.len()],
            Some(start) if start.len() != factors.len() => {
                let (given, expected) = (start.len(), factors.len());
                return Err(Error::Length { what: "values of the start", given, expected });
            }
            Some(start) => factors.iter().zip(start).map(|(factor, &value)| factor.share(value)).collect(),
        };
        let tail = vec![0.0; factors.len()];
        let up = Vec::new();
        let rng = generator(settings.seed);
        let mut spsa = Spsa { factors, settings, iteration: 0, current, up, sizes: 0.0, tail, rng };
        spsa.turn();
        Ok(spsa)
    }

    /// Draws the next direction.
    fn turn(&mut self) {
        self.up = self.factors.iter().map(|_| self.rng.random()).collect();
    }

    /// How many trials have been told.
    pub fn iteration(&self) -> u64 {
        self.iteration
    }

    /// The next trial, the same until it is told; `None` when the run is over.
    pub fn ask(&self) -> Option<Trial> {
        if self.iteration >= self.settings.iterations {
            return None;
        }
        let point = |towards: f64| {
            self.factors
                .iter()
                .enumerate()
                .map(|(index, factor)| {
                    let sign = if self.up[index] { towards } else { -towards };
                    factor.at(self.current[index] + sign * self.reach(index))
                })
                .collect()
        };
        Some(Trial { plus: point(1.0), minus: point(-1.0) })
    }

    /// The perturbation of a factor, as a share of its range: at least so much that whole numbers differ.
    fn reach(&self, index: usize) -> f64 {
        let plain = self.settings.perturbation / (self.iteration as f64 + 1.0).powf(0.101);
        self.factors[index].count().map_or(plain, |count| plain.max(0.51 / count as f64))
    }

    /// Takes the answer of a trial: the response at `plus` less that at `minus`, more being better. For a match of
    /// the two settings against each other that is the points of `plus` less those of `minus`.
    ///
    /// # Errors
    /// With a difference that is not finite; nothing changes then. After the end of the run answers are not used.
    pub fn tell(&mut self, difference: f64) -> Result<(), Error> {
        if !difference.is_finite() {
            return Err(Error::setting("the difference of a trial", difference, "a finite number"));
        }
        if self.iteration >= self.settings.iterations {
            return Ok(());
        }
        self.sizes += difference.abs();
        let stability = self.settings.iterations as f64 / 10.0;
        let k = self.iteration as f64;
        let gain = ((stability + 1.0) / (stability + k + 1.0)).powf(0.602);
        let mean = self.sizes / (k + 1.0);
        let slope = if mean > 0.0 { difference / mean } else { 0.0 };
        for index in 0..self.factors.len() {
            let along = if self.up[index] { slope } else { -slope };
            // The slope is the difference over the distance of the two settings, which shrinks.
            let scale = self.settings.perturbation / self.reach(index);
            let step = (self.settings.first_step * gain * scale * along).clamp(-0.25, 0.25);
            // A whole number stands in the middle of its share, so that there is room on both sides.
            let margin = self.factors[index].count().map_or(0.0, |count| 0.5 / count as f64);
            self.current[index] = (self.current[index] + step).clamp(margin, 1.0 - margin);
        }
        self.iteration += 1;
        if self.in_tail() {
            self.tail.iter_mut().zip(&self.current).for_each(|(sum, share)| *sum += share);
        }
        self.turn();
        Ok(())
    }

    fn in_tail(&self) -> bool {
        2 * self.iteration > self.settings.iterations
    }

    /// The current setting.
    pub fn current(&self) -> Point {
        self.factors.iter().zip(&self.current).map(|(factor, &share)| factor.at(share)).collect()
    }

    /// The best setting by what has been told: the mean over the second half of the run, before that the current one.
    pub fn best(&self) -> Point {
        if !self.in_tail() {
            return self.current();
        }
        let n = (self.iteration - self.settings.iterations / 2) as f64;
        self.factors.iter().zip(&self.tail).map(|(factor, sum)| factor.at(sum / n)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::design::{Value, number};
    use crate::random::normal;

    fn factors() -> Vec<Factor> {
        (0..6).map(|index| Factor::real(format!("x{index}"), -5.0, 5.0)).collect()
    }

    /// A sphere, the best at (1, -1, 1, ...) with 0.
    fn sphere(point: &Point) -> f64 {
        let distance = |(index, value): (usize, &Value)| {
            (number(*value) - if index % 2 == 0 { 1.0 } else { -1.0 }).powi(2)
        };
        -point.iter().enumerate().map(distance).sum::<f64>()
    }

    #[test]
    fn it_finds_the_top_of_a_noisy_sphere_where_random_search_does_not() {
        const ITERATIONS: u64 = 400;
        let (mut spsa_loss, mut random_loss) = (0.0, 0.0);
        for seed in 0..30 {
            let mut noise = generator(1000 + seed);
            let corner = vec![Value::Real(-4.0); 6];
            let settings = SpsaSettings::new(ITERATIONS, seed);
            let mut spsa = Spsa::new(factors(), Some(&corner), settings).unwrap();
            while let Some(trial) = spsa.ask() {
                let both = sphere(&trial.plus) - sphere(&trial.minus) + 20.0 * normal(&mut noise);
                spsa.tell(both).unwrap();
            }
            spsa_loss -= sphere(&spsa.best()) / 30.0;
            // As many looks, each with its share of the noise.
            let mut best = (f64::NEG_INFINITY, Vec::new());
            for _ in 0..2 * ITERATIONS {
                let point: Point = factors().iter().map(|factor| factor.at(noise.random::<f64>())).collect();
                let seen = sphere(&point) + 20.0 / 2f64.sqrt() * normal(&mut noise);
                if seen > best.0 {
                    best = (seen, point);
                }
            }
            random_loss -= sphere(&best.1) / 30.0;
        }
        // The corner is at 102, a random point at 56.
        assert!(spsa_loss < 3.0 && spsa_loss < random_loss / 5.0, "{spsa_loss} {random_loss}");
    }

    #[test]
    fn whole_numbers_move_by_whole_steps() {
        let factors = vec![Factor::integer("n", 0, 3), Factor::integer("m", 0, 40)];
        let settings = SpsaSettings { perturbation: 0.02, ..SpsaSettings::new(300, 1) };
        let mut spsa = Spsa::new(factors, None, settings).unwrap();
        let mut noise = generator(9);
        let response = |point: &Point| -(number(point[0]) - 3.0).abs() - (number(point[1]) - 8.0).abs();
        while let Some(trial) = spsa.ask() {
            assert!(trial.plus[0] != trial.minus[0] && trial.plus[1] != trial.minus[1], "{trial:?}");
            spsa.tell(response(&trial.plus) - response(&trial.minus) + normal(&mut noise)).unwrap();
        }
        let best = spsa.best();
        assert!(number(best[0]) >= 2.0 && (number(best[1]) - 8.0).abs() <= 2.0, "{best:?}");
    }

    #[test]
    fn the_unit_of_the_response_does_not_matter() {
        let run = |unit: f64| {
            let mut spsa = Spsa::new(factors(), None, SpsaSettings::new(50, 4)).unwrap();
            while let Some(trial) = spsa.ask() {
                spsa.tell(unit * (sphere(&trial.plus) - sphere(&trial.minus))).unwrap();
            }
            spsa.best()
        };
        for (a, b) in run(1.0).iter().zip(run(1024.0)) {
            assert!((number(*a) - number(b)).abs() < 1e-9);
        }
    }

    #[test]
    fn a_stored_run_goes_on_as_it_would_have() {
        let mut whole = Spsa::new(factors(), None, SpsaSettings::new(40, 2)).unwrap();
        let mut parts = whole.clone();
        for step in 0..40 {
            if step % 7 == 3 {
                parts = serde_json::from_str(&serde_json::to_string(&parts).unwrap()).unwrap();
            }
            assert_eq!(whole.ask(), parts.ask());
            let difference = f64::from(step % 5) - 1.7;
            whole.tell(difference).unwrap();
            parts.tell(difference).unwrap();
        }
        assert_eq!(whole, parts);
        assert_eq!((whole.ask(), whole.iteration()), (None, 40));
        whole.tell(1.0).unwrap();
        assert_eq!(whole, parts);
        assert!(whole.tell(f64::NAN).is_err());
    }

    #[test]
    fn bad_runs_are_refused() {
        let settings = SpsaSettings::new(10, 1);
        assert!(Spsa::new(Vec::new(), None, settings).is_err());
        let message = Spsa::new(vec![Factor::categories("c", ["a"])], None, settings).unwrap_err();
        assert!(message.to_string().contains("follows a slope"));
        assert!(Spsa::new(factors(), Some(&vec![Value::Real(0.0)]), settings).is_err());
        assert!(Spsa::new(factors(), None, SpsaSettings { iterations: 0, ..settings }).is_err());
        assert!(Spsa::new(factors(), None, SpsaSettings { perturbation: 0.0, ..settings }).is_err());
        assert!(Spsa::new(factors(), None, SpsaSettings { first_step: f64::NAN, ..settings }).is_err());
    }
}
