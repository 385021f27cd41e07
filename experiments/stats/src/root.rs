//! At which value of a knob is the game fair? The root of a score that is known only by playing.
//!
//! The expected score is a monotone function of the knob, rising or falling; each unit played (a game, or better a pair with
//! swapped dice) gives one noisy score from 0 to 1 at one value. [`RootFinder`] says where to play next
//! ([`RootFinder::ask`]), takes the scores ([`RootFinder::tell`]) in any order and from any number of machines, and ends when
//! the interval of the root is as narrow as wanted, the budget is used up, or the root is not in the range.
//!
//! Method: after a look at the whole range the play concentrates on both sides of the estimated root, where a unit tells the
//! most. A logistic curve is fitted by quasi-likelihood, with the dispersion estimated, as draws and pairs vary less than
//! wins and losses do; once there is enough play near the root, the curve is fitted there alone, so that it need not be
//! logistic over the whole range. The interval is that of the profile likelihood, which stays right when the curve is steep
//! or hardly slopes. It covers the root in 95% of searches on a logistic curve, and in a few percent fewer on a curve that
//! flattens out far from 0 and 1.
//!
//! Literature: Wu (1985), *JASA* 80, 974 (sequential design by fitted logistic curves); Silvapulle and Burridge (1986) and
//! Finney, *Probit Analysis*, on Fieller's and likelihood intervals; `McCullagh` and Nelder, *Generalized Linear Models*
//! (1989), on quasi-likelihood.

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::interval::{Estimate, LEVEL, Moments, student_reach};

/// When to stop.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Goal {
    /// The width of the interval of the root that is enough, in units of the knob; 0 to use the whole budget.
    pub width: f64,
    /// How many units may be played.
    pub budget: u64,
}

/// The search for the value of a knob at which the expected score is a target. Its state can be stored and taken up again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct RootFinder {
    low: f64,
    high: f64,
    integer: bool,
    target: f64,
    goal: Goal,
    /// The scores at each value played, in ascending order.
    cells: Vec<Cell>,
}

#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
struct Cell {
    x: f64,
    scores: Moments,
}

/// Where a search stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// More play is wanted.
    Searching,
    /// The interval is as narrow as wanted.
    Found,
    /// The budget is used up; the interval is what it is.
    Exhausted,
    /// The score is above the target over the whole range.
    Above,
    /// The score is below the target over the whole range.
    Below,
}

/// The answer so far.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Root {
    /// The value of the knob, not rounded to whole numbers, with its interval. It may lie outside of the range, where
    /// it is an extrapolation; an end is infinite when the play does not bound it, and all is unknown before two values of
    /// the knob have been played.
    pub value: Estimate,
    /// Where the search stands.
    pub status: Status,
    /// How many units have been played.
    pub units: u64,
    /// The expected score at the lower end of the range, by the logistic curve through all that was played, with its interval:
    /// right as far as the score is logistic over the whole range.
    pub score_low: Estimate,
    /// The expected score at the upper end.
    pub score_high: Estimate,
}

/// A fitted curve in the coordinate z, which is -1 and 1 at the ends of the range.
#[derive(Clone, Copy)]
struct Curve {
    intercept: f64,
    slope: f64,
    /// The inverse of the information: variances of intercept and slope, and their covariance.
    covariance: [f64; 3],
    likelihood: f64,
    dispersion: f64,
    freedom: u64,
}

/// The scores at one value, in the coordinate z.
#[derive(Clone, Copy)]
struct Sample {
    z: f64,
    n: f64,
    mean: f64,
    deviations: f64,
}

/// The precision of the prior on intercept and slope: a curve fifty logits steep is a step.
const PRECISION: f64 = 1.0 / 2500.0;
/// How many values the first look spreads over the range.
const SPREAD: u64 = 5;
/// How far on either side of the root the play is, in logits of the score, in turn. Near the root a unit tells more of the root,
/// farther away more of the slope; and if the curve is steeper at the root than it looked, only near play finds that out.
const OFFSETS: [f64; 3] = [0.9, 0.45, 0.2];
/// How far from the root, in logits, play counts once there is enough of it.
const NEAR: f64 = 1.25;
/// Values of a continuous knob are on a grid of so many parts.
const PARTS: f64 = 256.0;

impl RootFinder {
    /// A search from `low` to `high` for the value at which the expected score is `target`; on whole numbers if `integer`.
    ///
    /// # Errors
    /// Unless the ends are finite and in order (and whole for `integer`), the target is between 0 and 1, the width is not
    /// negative and the budget is not 0.
    pub fn new(low: f64, high: f64, integer: bool, target: f64, goal: Goal) -> Result<Self, Error> {
        if !(low.is_finite() && high.is_finite() && low < high) {
            let range = format!("{low}..{high}");
            return Err(Error::setting(
                "the range of the knob",
                range,
                "two finite numbers, the lower first",
            ));
        }
        if integer && (low.fract() != 0.0 || high.fract() != 0.0) {
            return Err(Error::setting("the range of the knob", format!("{low}..{high}"), "whole numbers"));
        }
        if !(target > 0.0 && target < 1.0) {
            return Err(Error::setting("the target score", target, "a number between 0 and 1"));
        }
        if !(goal.width >= 0.0 && goal.width.is_finite()) {
            return Err(Error::setting("the width wanted", goal.width, "a number of at least 0"));
        }
        if goal.budget == 0 {
            return Err(Error::setting("the budget", 0, "at least 1"));
        }
        Ok(RootFinder { low, high, integer, target, goal, cells: Vec::new() })
    }

    /// How many units have been played.
    pub fn units(&self) -> u64 {
        self.cells.iter().map(|cell| cell.scores.n).sum()
    }

    /// Values to play a unit at each: at most `most`, and no more than the budget allows. Empty when the search has ended.
    ///
    /// Asking twice without telling in between gives the same values.
    pub fn ask(&self, most: usize) -> Vec<f64> {
        let units = self.units();
        let most = (most as u64).min(self.goal.budget.saturating_sub(units));
        if most == 0 {
            return Vec::new();
        }
        let root = self.root();
        if root.status != Status::Searching {
            return Vec::new();
        }
        let bounded = root.value.low.is_finite() && root.value.high.is_finite();
        let local = self.curve();
        (units..units + most)
            .map(|unit| match local {
                // While the play does not bound the root, every other unit still looks at the whole range.
                Some((_, curve)) if unit >= self.first_look() && (bounded || unit % 2 == 0) => {
                    self.beside(&curve, if bounded { unit } else { unit / 2 })
                }
                _ => {
                    let step = if unit >= self.first_look() { unit / 2 } else { unit } % SPREAD;
                    self.on_grid(2.0 * step as f64 / (SPREAD - 1) as f64 - 1.0)
                }
            })
            .collect()
    }

    /// Takes the score of a unit played at a value of the knob.
    ///
    /// # Errors
    /// With a value outside of the range or a score not from 0 to 1; nothing is counted then.
    pub fn tell(&mut self, x: f64, score: f64) -> Result<(), Error> {
        if !(self.low..=self.high).contains(&x) {
            let expected = format!("a number from {} to {}", self.low, self.high);
            return Err(Error::setting("the value of the knob", x, expected));
        }
        if !(0.0..=1.0).contains(&score) {
            return Err(Error::setting("the score", score, "a number from 0 to 1"));
        }
        let place = match self.cells.binary_search_by(|cell| cell.x.total_cmp(&x)) {
            Ok(place) => place,
            Err(place) => {
                self.cells.insert(place, Cell { x, scores: Moments::default() });
                place
            }
        };
        self.cells[place].scores.add(score);
        Ok(())
    }

    /// The answer so far.
    pub fn root(&self) -> Root {
        let units = self.units();
        let exhausted = units >= self.goal.budget;
        let unfinished = if exhausted { Status::Exhausted } else { Status::Searching };
        let unknown = Estimate { value: f64::NAN, low: 0.0, high: 1.0 };
        let Some((samples, curve)) = self.curve() else {
            let value = Estimate::UNKNOWN;
            return Root { value, status: unfinished, units, score_low: unknown, score_high: unknown };
        };
        let value = self.interval(&samples, &curve).map(|z| self.x(z));
        let status = if units < self.first_look() {
            unfinished
        } else if let Some(outside) = self.outside(&samples, &curve) {
            outside
        } else if units >= 2 * self.first_look() && value.width() <= self.goal.width {
            Status::Found
        } else {
            unfinished
        };
        // The ends are far from the root, where its neighbourhood tells less than all play does.
        let all = self.samples_with_ends();
        let whole = self.fit(&all).unwrap_or(curve);
        let [score_low, score_high] = [-1.0, 1.0].map(|z| score(&all, &whole, z));
        Root { value, status, units, score_low, score_high }
    }

    /// How many units the first look takes.
    fn first_look(&self) -> u64 {
        (self.goal.budget / 10).clamp(2 * SPREAD, 8 * SPREAD)
    }

    fn z(&self, x: f64) -> f64 {
        2.0 * (x - self.low) / (self.high - self.low) - 1.0
    }

    fn x(&self, z: f64) -> f64 {
        self.low + f64::midpoint(z, 1.0) * (self.high - self.low)
    }

    fn on_grid(&self, z: f64) -> f64 {
        let z = z.clamp(-1.0, 1.0);
        let x =
            if self.integer { self.x(z).round() } else { self.x((z * PARTS / 2.0).round() / (PARTS / 2.0)) };
        x.clamp(self.low, self.high)
    }

    /// Where to play next: on both sides of the root by turns, on neighbouring values at least.
    fn beside(&self, curve: &Curve, turn: u64) -> f64 {
        let root = self.crossing(curve).clamp(-1.0, 1.0);
        let offset = (OFFSETS[(turn / 2 % 3) as usize] / curve.slope.abs()).min(1.0);
        let sides = [self.on_grid(root - offset), self.on_grid(root + offset)];
        let upper = turn % 2 == 1;
        if self.integer && sides[0] == sides[1] {
            return self.x(root).floor().min(self.high - 1.0) + f64::from(u8::from(upper));
        }
        sides[usize::from(upper)]
    }

    fn target_logit(&self) -> f64 {
        (self.target / (1.0 - self.target)).ln()
    }

    /// Where the curve crosses the target.
    fn crossing(&self, curve: &Curve) -> f64 {
        (self.target_logit() - curve.intercept) / curve.slope
    }

    fn samples(&self) -> Vec<Sample> {
        self.cells
            .iter()
            .map(|Cell { x, scores }| Sample {
                z: self.z(*x),
                n: scores.n as f64,
                mean: scores.mean,
                deviations: scores.deviations,
            })
            .collect()
    }

    /// All samples, and a unit more at either end that scored one half. Without them the curve is a little too steep where few
    /// units are, as it is the likeliest one, and its scores at the ends are too sure.
    fn samples_with_ends(&self) -> Vec<Sample> {
        let half = |z: f64| Sample { z, n: 1.0, mean: 0.5, deviations: 0.25 };
        let mut all = self.samples();
        all.extend([half(-1.0), half(1.0)]);
        all
    }

    /// The curve and the samples that it was fitted to: all, or those near the root where they are enough. `None` before two
    /// values have been played.
    fn curve(&self) -> Option<(Vec<Sample>, Curve)> {
        let all = self.samples();
        let total: f64 = all.iter().map(|sample| sample.n).sum();
        let mut curve = self.fit(&all)?;
        let mut used = all.clone();
        // The nearer play may show a steeper curve, which brings what is near still nearer.
        for _ in 0..8 {
            let distance = |sample: &Sample| curve.intercept + curve.slope * sample.z - self.target_logit();
            let near: Vec<Sample> =
                all.iter().filter(|sample| distance(sample).abs() <= NEAR).copied().collect();
            let count: f64 = near.iter().map(|sample| sample.n).sum();
            let below = near.iter().any(|sample| distance(sample) < 0.0);
            let above = near.iter().any(|sample| distance(sample) > 0.0);
            if near.len() >= used.len() || !(below && above) || count < (0.3 * total).max(50.0) {
                break;
            }
            curve = self.fit(&near)?;
            used = near;
        }
        Some((used, curve))
    }

    /// The likeliest logistic curve, with a prior so weak that it matters only where the likelihood has no maximum.
    fn fit(&self, samples: &[Sample]) -> Option<Curve> {
        let n: f64 = samples.iter().map(|sample| sample.n).sum();
        if samples.len() < 2 || n < 3.0 {
            return None;
        }
        let value = |a: f64, b: f64| likelihood(samples, |z| a + b * z) - PRECISION / 2.0 * (a * a + b * b);
        let (mut a, mut b) = (self.target_logit(), 0.0);
        let mut at = value(a, b);
        let mut covariance = [0.0; 3];
        for _ in 0..100 {
            let (mut slope, mut information) =
                ([-PRECISION * a, -PRECISION * b], [PRECISION, 0.0, PRECISION]);
            for sample in samples {
                let p = logistic(a + b * sample.z);
                let (residual, weight) = (sample.n * (sample.mean - p), sample.n * p * (1.0 - p));
                slope[0] += residual;
                slope[1] += residual * sample.z;
                information[0] += weight;
                information[1] += weight * sample.z;
                information[2] += weight * sample.z * sample.z;
            }
            let determinant = information[0] * information[2] - information[1] * information[1];
            covariance =
                [information[2] / determinant, -information[1] / determinant, information[0] / determinant];
            let step = [
                covariance[0] * slope[0] + covariance[1] * slope[1],
                covariance[1] * slope[0] + covariance[2] * slope[1],
            ];
            let mut share = 1.0;
            let mut gained = 0.0;
            while share > 1e-6 {
                let next = value(a + share * step[0], b + share * step[1]);
                if next >= at {
                    gained = next - at;
                    (a, b, at) = (a + share * step[0], b + share * step[1], next);
                    break;
                }
                share /= 2.0;
            }
            if gained < 1e-10 {
                break;
            }
        }
        // Pearson's statistic, by the scores within each value and the distance of their mean from the curve. Where the
        // curve is close to 0 or 1 a single upset would make too much of it.
        let pearson: f64 = samples
            .iter()
            .map(|sample| {
                let p = logistic(a + b * sample.z).clamp(0.02, 0.98);
                (sample.deviations + sample.n * (sample.mean - p).powi(2)) / (p * (1.0 - p))
            })
            .sum();
        let dispersion = (pearson / (n - 2.0)).max(0.05);
        Some(Curve { intercept: a, slope: b, covariance, likelihood: at, dispersion, freedom: n as u64 - 2 })
    }

    /// The root in z and its interval by the profile likelihood.
    fn interval(&self, samples: &[Sample], curve: &Curve) -> Estimate {
        let value = self.crossing(curve);
        let [intercept, both, slope] = curve.covariance;
        let variance = intercept + 2.0 * both * value + slope * value * value;
        let guess = curve.reach() * (variance.max(0.0) * curve.dispersion).sqrt() / curve.slope.abs();
        curve.interval(value, guess, |z| profile(samples, self.target_logit(), z, curve.slope))
    }

    /// Whether the score is on one side of the target over the whole range, beyond doubt: as the question is asked again and
    /// again while the search goes on, at the level of 1 in 10,000.
    fn outside(&self, samples: &[Sample], curve: &Curve) -> Option<Status> {
        const DOUBT: f64 = 1e-4;
        const LOOKS: i32 = 16;
        if self.crossing(curve).abs() <= 1.0 {
            return None;
        }
        let best = (-LOOKS..=LOOKS)
            .map(|look| {
                profile(samples, self.target_logit(), f64::from(look) / f64::from(LOOKS), curve.slope)
            })
            .fold(f64::NEG_INFINITY, f64::max);
        let reach = student_reach(1.0 - DOUBT, curve.freedom);
        if curve.likelihood - best <= reach * reach * curve.dispersion / 2.0 {
            return None;
        }
        Some(if curve.intercept > self.target_logit() { Status::Above } else { Status::Below })
    }
}

/// The likelihood of the best curve that has this logit at `z`; the search for its slope begins at `start`.
fn profile(samples: &[Sample], logit: f64, z: f64, start: f64) -> f64 {
    let value = |b: f64| {
        // The prior is on the intercept at the middle and the slope, as in the fit.
        let a = logit - b * z;
        likelihood(samples, |sample_z| logit + b * (sample_z - z)) - PRECISION / 2.0 * (a * a + b * b)
    };
    let mut b = start;
    let mut at = value(b);
    for _ in 0..60 {
        let a = logit - b * z;
        let mut slope = PRECISION * (a * z - b);
        let mut information = PRECISION * (1.0 + z * z);
        for sample in samples {
            let distance = sample.z - z;
            let p = logistic(logit + b * distance);
            slope += sample.n * (sample.mean - p) * distance;
            information += sample.n * p * (1.0 - p) * distance * distance;
        }
        let mut step = slope / information;
        let mut next = value(b + step);
        while next < at && step.abs() > 1e-9 {
            step /= 2.0;
            next = value(b + step);
        }
        if next <= at + 1e-10 {
            break;
        }
        (b, at) = (b + step, next);
    }
    at
}

/// The expected score at z with its interval by the profile likelihood.
fn score(samples: &[Sample], curve: &Curve, z: f64) -> Estimate {
    let logit = curve.intercept + curve.slope * z;
    let [intercept, both, slope] = curve.covariance;
    let variance = (intercept + 2.0 * both * z + slope * z * z) * curve.dispersion;
    let guess = curve.reach() * variance.max(0.0).sqrt();
    curve.interval(logit, guess, |logit| profile(samples, logit, z, curve.slope)).map(logistic)
}

impl Curve {
    /// How many standard errors an interval reaches.
    fn reach(&self) -> f64 {
        student_reach(LEVEL, self.freedom)
    }

    /// The interval of a figure of the curve by the profile likelihood: all values of which `profile`, the likelihood of the best
    /// curve with that value, is close enough to that of this curve. `guess` is about how far it reaches.
    fn interval(&self, value: f64, guess: f64, profile: impl Fn(f64) -> f64) -> Estimate {
        // What is farther away than this is as good as infinite.
        const FAR: f64 = 64.0;
        if !value.is_finite() {
            return Estimate::UNKNOWN;
        }
        let allowed = self.reach().powi(2) * self.dispersion / 2.0;
        // How far the likelihood there is below what is allowed.
        let excess = |at: f64| self.likelihood - profile(at) - allowed;
        let end = |side: f64| {
            let mut step = guess.clamp(1e-3, 1.0);
            let (mut inside, mut lack) = (value, -allowed);
            loop {
                let next = value + side * step;
                let over = excess(next);
                if over > 0.0 {
                    return crossing_between((inside, lack), (next, over), 1e-5, excess);
                }
                if step > FAR {
                    return side * f64::INFINITY;
                }
                (inside, lack) = (next, over);
                step *= 2.0;
            }
        };
        Estimate { value, low: end(-1.0), high: end(1.0) }
    }
}

/// Where a function between two points of different sign is zero, within a tolerance (regula falsi, Illinois rule).
fn crossing_between(
    mut one: (f64, f64),
    mut other: (f64, f64),
    tolerance: f64,
    function: impl Fn(f64) -> f64,
) -> f64 {
    let mut middle = one.0;
    for _ in 0..60 {
        let last = middle;
        middle = (one.0 * other.1 - other.0 * one.1) / (other.1 - one.1);
        let value = function(middle);
        if value == 0.0 || (middle - last).abs() <= tolerance * (1.0 + middle.abs()) {
            break;
        }
        if value.is_sign_positive() == other.1.is_sign_positive() {
            one.1 /= 2.0;
        } else {
            one = other;
        }
        other = (middle, value);
    }
    middle
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The quasi-likelihood of the scores under a curve of logits.
fn likelihood(samples: &[Sample], curve: impl Fn(f64) -> f64) -> f64 {
    samples
        .iter()
        .map(|sample| {
            let logit = curve(sample.z);
            // ln(1 + e^logit) without overflow.
            let softplus = logit.max(0.0) + (-logit.abs()).exp().ln_1p();
            sample.n * (sample.mean * logit - softplus)
        })
        .sum()
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::random::{Generator, close, generator};

    /// Plays a search to its end with scores drawn from a curve.
    fn search(
        mut finder: RootFinder,
        rng: &mut Generator,
        mut play: impl FnMut(f64, &mut Generator) -> f64,
    ) -> Root {
        loop {
            let points = finder.ask(40);
            if points.is_empty() {
                return finder.root();
            }
            for x in points {
                finder.tell(x, play(x, rng)).unwrap();
            }
        }
    }

    fn win(p: f64, rng: &mut Generator) -> f64 {
        f64::from(u8::from(rng.random_bool(p)))
    }

    /// Runs many searches; gives the share of intervals that hold the truth, the mean distance, and the mean units.
    fn trials(
        runs: u64,
        finder: &RootFinder,
        truth: f64,
        play: impl Fn(f64, &mut Generator) -> f64,
    ) -> (f64, f64, f64) {
        let (mut covered, mut distance, mut units) = (0.0, 0.0, 0.0);
        for run in 0..runs {
            let root = search(finder.clone(), &mut generator(run), &play);
            covered += f64::from(u8::from(root.value.contains(truth)));
            distance += (root.value.value - truth).abs();
            units += root.units as f64;
        }
        let runs = runs as f64;
        (covered / runs, distance / runs, units / runs)
    }

    fn finder(low: f64, high: f64, integer: bool, width: f64, budget: u64) -> RootFinder {
        RootFinder::new(low, high, integer, 0.5, Goal { width, budget }).unwrap()
    }

    #[test]
    fn intervals_cover_with_a_budget() {
        // A handicap of 0 to 20, worth 0.15 logits a point, fair at 7.3.
        let logistic_game = |x: f64, rng: &mut Generator| win(logistic(0.15 * (x - 7.3)), rng);
        let (coverage, distance, units) =
            trials(400, &finder(0.0, 20.0, false, 0.0, 600), 7.3, logistic_game);
        assert!((0.93..=0.97).contains(&coverage), "{coverage}");
        // The best any design could do is a deviation of 2 / 0.15 / sqrt(600) = 0.54, a mean distance of 0.43.
        assert!(distance < 0.55 && units == 600.0, "{distance} {units}");
    }

    #[test]
    fn intervals_cover_on_whole_numbers_with_draws_and_a_width() {
        // A falling score of pairs: wins, draws and losses, fair at 4.6 of 0 to 12.
        let pair = |x: f64, rng: &mut Generator| {
            let p = logistic(0.5 * (4.6 - x));
            let game = |rng: &mut Generator| {
                if rng.random_bool(0.3) { 0.5 } else { win(((p - 0.15) / 0.7).clamp(0.0, 1.0), rng) }
            };
            f64::midpoint(game(rng), game(rng))
        };
        let (coverage, distance, units) = trials(400, &finder(0.0, 12.0, true, 0.8, 5000), 4.6, pair);
        assert!((0.93..=0.97).contains(&coverage), "{coverage}");
        assert!(distance < 0.2, "{distance}");
        assert!(units > 50.0 && units < 400.0, "{units}");
    }

    #[test]
    fn intervals_cover_when_the_curve_is_not_logistic() {
        // A score between 0.25 and 0.8 that is steep on one side of its root at 3 and flat on the other.
        let curve = |x: f64| {
            if x < 3.0 {
                0.5 - 0.25 * (1.0 - (0.8 * (x - 3.0)).exp())
            } else {
                0.5 + 0.3 * (1.0 - (-0.66 * (x - 3.0)).exp())
            }
        };
        let (coverage, ..) =
            trials(400, &finder(-10.0, 10.0, false, 0.0, 800), 3.0, |x, rng| win(curve(x), rng));
        assert!((0.88..=0.98).contains(&coverage), "{coverage}");
    }

    #[test]
    fn scores_at_the_ends_cover_and_are_not_wide() {
        const RUNS: u64 = 400;
        // Each with the mean widths that the neighbourhood of the root alone would give.
        for (finder, slope, draws, near) in [
            (finder(0.0, 20.0, false, 0.0, 600), 0.15, 0.0, [0.140, 0.134]),
            (finder(0.0, 20.0, false, 0.0, 600), 0.15, 0.2, [0.122, 0.117]),
            (finder(0.0, 20.0, true, 0.0, 200), 0.3, 0.0, [0.274, 0.201]),
        ] {
            let curve = |x: f64| logistic(slope * (x - 7.3));
            let (mut covered, mut widths) = ([0; 2], [0.0; 2]);
            for run in 0..RUNS {
                let root = search(finder.clone(), &mut generator(run), |x, rng| {
                    if rng.random_bool(draws) {
                        0.5
                    } else {
                        win(((curve(x) - draws / 2.0) / (1.0 - draws)).clamp(0.0, 1.0), rng)
                    }
                });
                for (end, (score, x)) in
                    [(root.score_low, 0.0), (root.score_high, 20.0)].into_iter().enumerate()
                {
                    covered[end] += u64::from(score.contains(curve(x)));
                    widths[end] += score.width() / RUNS as f64;
                }
            }
            let coverage = covered.map(|count| count as f64 / RUNS as f64);
            assert!(coverage.iter().all(|share| (0.93..=0.975).contains(share)), "{coverage:?}");
            assert!(widths.iter().zip(near).all(|(width, near)| *width < 0.97 * near), "{widths:?}");
        }
    }

    #[test]
    fn a_step_is_caught_between_two_values() {
        let root = search(finder(0.0, 100.0, true, 1.0, 400), &mut generator(1), |x, _| {
            f64::from(u8::from(x > 41.0))
        });
        assert!(root.value.low >= 40.5 && root.value.high <= 42.5, "{root:?}");
        assert_eq!(root.status, Status::Found);
    }

    #[test]
    fn another_target_is_another_root() {
        let finder = RootFinder::new(-4.0, 4.0, false, 0.7, Goal { width: 0.0, budget: 3000 }).unwrap();
        let root = search(finder, &mut generator(5), |x, rng| win(logistic(x), rng));
        let truth = (0.7f64 / 0.3).ln();
        assert!(root.value.contains(truth) && root.value.width() < 0.5, "{root:?}");
        close(root.score_low.value, logistic(-4.0), 0.05);
        assert!(root.score_high.contains(logistic(4.0)), "{root:?}");
        assert_eq!(root.status, Status::Exhausted);
    }

    #[test]
    fn a_root_outside_of_the_range_is_said_to_be_there() {
        let (mut right, mut units) = (0, 0);
        for run in 0..100 {
            let far = |x: f64, rng: &mut Generator| win(logistic(0.2 * (x - 14.0)), rng);
            let root = search(finder(0.0, 10.0, true, 0.5, 3000), &mut generator(run), far);
            right += u32::from(root.status == Status::Below);
            units += root.units;
            assert!(root.status != Status::Above && root.status != Status::Found, "{root:?}");
        }
        assert!(right >= 97 && units / 100 < 1000, "{right} {units}");
        // A game that is always won.
        let root = search(finder(0.0, 10.0, false, 0.1, 3000), &mut generator(1), |_, _| 1.0);
        assert!(root.status == Status::Above && root.units <= 200, "{root:?}");
        // A root just inside is not taken for one outside.
        let wrong = (0..100)
            .filter(|&run| {
                let edge = |x: f64, rng: &mut Generator| win(logistic(0.2 * (x - 9.9)), rng);
                let root = search(finder(0.0, 10.0, false, 0.0, 1000), &mut generator(run), edge);
                matches!(root.status, Status::Below | Status::Above)
            })
            .count();
        assert!(wrong <= 1, "{wrong}");
    }

    #[test]
    fn a_flat_score_has_no_bounded_root() {
        let root = search(finder(0.0, 1.0, false, 0.1, 300), &mut generator(2), |_, rng| win(0.5, rng));
        assert_eq!(root.status, Status::Exhausted);
        assert!(root.value.width().is_infinite() || root.value.width() > 1.0, "{root:?}");
    }

    #[test]
    fn a_search_can_be_stored_and_told_in_any_order() {
        let mut one = finder(0.0, 8.0, true, 0.0, 200);
        let points = one.ask(1000);
        assert_eq!(points.len(), 200);
        assert_eq!(points, one.ask(1000));
        assert_eq!(points[..6], [0.0, 2.0, 4.0, 6.0, 8.0, 0.0]);
        let mut other = one.clone();
        for (index, &x) in points[..40].iter().enumerate() {
            one.tell(x, (index % 3) as f64 / 2.0).unwrap();
        }
        for (index, &x) in points[..40].iter().enumerate().rev() {
            other.tell(x, (index % 3) as f64 / 2.0).unwrap();
        }
        assert_eq!(one.ask(9), other.ask(9));
        let stored: RootFinder = serde_json::from_str(&serde_json::to_string(&one).unwrap()).unwrap();
        assert_eq!(stored, one);
        assert_eq!(one.units(), 40);
        assert!(one.ask(10_000).len() == 160);
    }

    #[test]
    fn bad_questions_are_refused() {
        let goal = Goal { width: 1.0, budget: 10 };
        assert!(RootFinder::new(2.0, 1.0, false, 0.5, goal).is_err());
        assert!(RootFinder::new(0.5, 3.0, true, 0.5, goal).is_err());
        assert!(RootFinder::new(0.0, 1.0, false, 1.0, goal).is_err());
        assert!(RootFinder::new(0.0, 1.0, false, 0.5, Goal { budget: 0, ..goal }).is_err());
        assert!(RootFinder::new(0.0, 1.0, false, 0.5, Goal { width: f64::NAN, ..goal }).is_err());
        let mut finder = RootFinder::new(0.0, 1.0, false, 0.5, goal).unwrap();
        assert!(finder.tell(1.5, 0.5).is_err() && finder.tell(0.5, 1.5).is_err());
        assert!(finder.tell(f64::NAN, 0.5).is_err());
        assert_eq!(finder.units(), 0);
        assert!(finder.root().value.value.is_nan());
    }
}
