//! At which values of a parameter is the game fair? The roots of a score that is known only by playing.
//!
//! The expected score is some function of the parameter; each unit played (a game, or better a pair with swapped
//! dice) gives one noisy score from 0 to 1 at one value. [`RootFinder`] says where to play next
//! ([`RootFinder::ask`]), takes the scores ([`RootFinder::tell`]) in any order and from any number of machines, and
//! ends when the interval of every root is as narrow as wanted, the budget is used up, or the score is on one side of
//! the target over the whole range.
//!
//! Method: the first look, a third of the budget, is spread evenly over the whole range and shows its shape. Then the
//! play concentrates on both sides of every crossing, where a unit tells the most. A logistic curve is fitted by
//! quasi-likelihood, with the dispersion estimated, as draws and pairs vary less than wins and losses do; once there
//! is enough play near the root, the curve is fitted there alone. Whether it fits is tested, by the means of
//! neighbouring values and by its bends. If it does, the interval is that of its profile likelihood. If it does not,
//! nothing is assumed but that the score goes one way between its turns, which are those that the play shows beyond
//! doubt, and each such piece has a crossing of its own, with the interval of [`monotone`]. On whole numbers a score
//! between two of them is on the line from one to the other.
//!
//! Literature: Wu (1985), *JASA* 80, 974 (sequential design by fitted logistic curves); Silvapulle and Burridge
//! (1986) and Finney, *Probit Analysis*, on Fieller's and likelihood intervals; `McCullagh` and Nelder, *Generalized
//! Linear Models* (1989), on quasi-likelihood; Hosmer and Lemeshow, *Applied Logistic Regression*, on the test of the
//! fit.

mod monotone;

use serde::{Deserialize, Serialize};
use statrs::distribution::{ChiSquared, ContinuousCDF};

use crate::Error;
use crate::interval::{Estimate, LEVEL, Moments, student_reach};
use monotone::{Monotone, Piece, Place, pieces};

/// When to stop.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Goal {
    /// The width of the interval of the root that is enough, in units of the parameter; 0 to use the whole budget.
    pub width: f64,
    /// How many units may be played.
    pub budget: u64,
}

/// The search for the value of a parameter at which the expected score is a target. Its state can be stored and taken
/// up again.
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
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Root {
    /// All values of the parameter at which the score crosses the target, in ascending order, as far as the play
    /// shows them.
    pub crossings: Vec<Crossing>,
    /// The one crossing, or the first of several; where there is none, that of the logistic curve, which then lies
    /// outside of the range or is not told by the play. An end is infinite when the play does not bound it, and all
    /// is unknown before two values of the parameter have been played.
    pub value: Estimate,
    /// The probability of scores so far from a logistic curve over the whole range if it were one; none before there
    /// is enough play to tell.
    pub misfit: Option<f64>,
    /// Where the search stands.
    pub status: Status,
    /// How many units have been played.
    pub units: u64,
    /// The expected score at the lower end of the range with its interval: by the logistic curve through all that was
    /// played, or, where that does not fit, by the units played there.
    pub score_low: Estimate,
    /// The expected score at the upper end.
    pub score_high: Estimate,
}

/// A value of the parameter at which the score crosses the target.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Crossing {
    /// The value, not rounded to whole numbers, with its interval; an end is infinite when the play does not bound it.
    pub value: Estimate,
    /// Whether the score rises there with the parameter.
    pub rising: bool,
    /// How it was found.
    pub method: Method,
}

/// How a crossing was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// By a logistic curve, which fits.
    Logistic,
    /// By the order of the scores alone.
    Monotone,
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
/// Over how many values the first look is spread: as many as it can play some times each.
const SPREADS: [u64; 3] = [17, 9, 5];
/// How often it plays each of them at least.
const TIMES: u64 = 12;
/// A curve is not used if scores so far from it would come by luck in fewer than so many cases. It is no small
/// number, as what a wrong curve does to the interval is worse than what is lost without a right one.
const FITS: f64 = 0.2;
/// How far on either side of the root the play is, in logits of the score, in turn. Near the root a unit tells more
/// of the root, farther away more of the slope; and if the curve is steeper at the root than it looked, only near
/// play finds that out.
const OFFSETS: [f64; 3] = [0.9, 0.45, 0.2];
/// How far from the root, in logits, play counts once there is enough of it.
const NEAR: f64 = 1.25;
/// Values of a continuous parameter are on a grid of so many parts.
const PARTS: f64 = 256.0;

impl RootFinder {
    /// A search from `low` to `high` for the value at which the expected score is `target`; on whole numbers if
    /// `integer`.
    ///
    /// # Errors
    /// Unless the ends are finite and in order (and whole for `integer`), the target is between 0 and 1, the width is
    /// not negative and the budget is not 0.
    pub fn new(low: f64, high: f64, integer: bool, target: f64, goal: Goal) -> Result<Self, Error> {
        if !(low.is_finite() && high.is_finite() && low < high) {
            let range = format!("{low}..{high}");
            return Err(Error::setting(
                "the range of the parameter",
                range,
                "two finite numbers, the lower first",
            ));
        }
        if integer && (low.fract() != 0.0 || high.fract() != 0.0) {
            return Err(Error::setting(
                "the range of the parameter",
                format!("{low}..{high}"),
                "whole numbers",
            ));
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

    /// Values to play a unit at each: at most `most`, and no more than the budget allows. Empty when the search has
    /// ended.
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
        let centres = self.centres(&root);
        let bounded =
            !root.crossings.is_empty() && root.crossings.iter().all(|crossing| crossing.value.is_bounded());
        (units..units + most)
            .map(|unit| {
                // While the play does not bound every crossing, every other unit still looks at the whole range.
                if unit >= self.first_look() && !centres.is_empty() && (bounded || unit % 2 == 0) {
                    let turn = if bounded { unit } else { unit / 2 };
                    let many = centres.len() as u64;
                    self.beside(centres[(turn % many) as usize], turn / many)
                } else {
                    let turn = if unit >= self.first_look() { unit / 2 } else { unit };
                    let spread = self.spread();
                    self.on_grid(2.0 * (turn % spread) as f64 / (spread - 1) as f64 - 1.0)
                }
            })
            .collect()
    }

    /// Around which places to play, in the coordinate z, and how far on either side.
    fn centres(&self, root: &Root) -> Vec<(f64, f64)> {
        let by_curve = |curve: &Curve| (self.crossing(curve).clamp(-1.0, 1.0), 1.0 / curve.slope.abs());
        let curve = self.curve().map(|(_, curve)| curve);
        if root.crossings.is_empty() {
            return curve.iter().map(by_curve).collect();
        }
        let centre = |crossing: &Crossing| {
            if let (Method::Logistic, Some(curve)) = (crossing.method, &curve) {
                return by_curve(curve);
            }
            let value = &crossing.value;
            let half = if value.is_bounded() { value.width() / (self.high - self.low) } else { 1.0 };
            (self.z(value.value), half.max(4.0 / PARTS))
        };
        root.crossings.iter().map(centre).collect()
    }

    /// Takes the score of a unit played at a value of the parameter.
    ///
    /// # Errors
    /// With a value outside of the range or a score not from 0 to 1; nothing is counted then.
    pub fn tell(&mut self, x: f64, score: f64) -> Result<(), Error> {
        if !(self.low..=self.high).contains(&x) {
            let expected = format!("a number from {} to {}", self.low, self.high);
            return Err(Error::setting("the value of the parameter", x, expected));
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
            return Root {
                crossings: Vec::new(),
                value: Estimate::UNKNOWN,
                misfit: None,
                status: unfinished,
                units,
                score_low: unknown,
                score_high: unknown,
            };
        };
        let shape = self.shape();
        let fits = shape.pieces.len() == 1
            && units >= self.first_look()
            && misfit(&samples, &curve).is_some_and(|p| p >= FITS);
        let extrapolated = self.interval(&samples, &curve).map(|z| self.x(z));
        let crossings = if fits || units < self.first_look() {
            let inside = (self.low..=self.high).contains(&extrapolated.value);
            let rising = curve.slope > 0.0;
            let crossing = Crossing { value: extrapolated, rising, method: Method::Logistic };
            inside.then_some(crossing).into_iter().collect()
        } else {
            self.crossings(&shape)
        };
        let narrow = |crossing: &Crossing| crossing.value.width() <= self.goal.width;
        let outside = if self.has_looked(units) { self.outside(&shape) } else { None };
        let status = if let Some(outside) = outside {
            outside
        } else if units < self.first_look() {
            unfinished
        } else if units >= 2 * self.first_look() && !crossings.is_empty() && crossings.iter().all(narrow) {
            Status::Found
        } else {
            unfinished
        };
        // The ends are far from the root, where its neighbourhood tells less than all play does.
        let all = self.samples_with_ends();
        let whole = self.fit(&all).unwrap_or(curve);
        let misfit = misfit(&self.samples(), &whole).filter(|_| units >= self.first_look());
        let [score_low, score_high] = if misfit.is_some_and(|p| p < 0.01) || shape.pieces.len() > 1 {
            [self.cells.first(), self.cells.last()]
                .map(|cell| cell.map_or(unknown, |cell| cell.scores.mean_on(0.0, 1.0)))
        } else {
            [-1.0, 1.0].map(|z| score(&all, &whole, z))
        };
        let value = crossings.first().map_or(extrapolated, |crossing| crossing.value);
        Root { crossings, value, misfit, status, units, score_low, score_high }
    }

    /// The expected score at a value with its interval, by the units played there; if nobody has played there, by
    /// those of its neighbours on either side.
    pub fn score_at(&self, x: f64) -> Estimate {
        let mut scores = Moments::default();
        let at = self.cells.partition_point(|cell| cell.x < x);
        match self.cells.get(at) {
            Some(cell) if cell.x == x => scores = cell.scores,
            after => {
                for cell in
                    at.checked_sub(1).and_then(|before| self.cells.get(before)).into_iter().chain(after)
                {
                    scores.merge(&cell.scores);
                }
            }
        }
        scores.mean_on(0.0, 1.0)
    }

    /// The expected score about a crossing with its interval, by all units played within that of the crossing.
    pub fn score_about(&self, crossing: &Crossing) -> Estimate {
        let mut scores = Moments::default();
        let near = |cell: &&Cell| crossing.value.contains(cell.x);
        self.cells.iter().filter(near).for_each(|cell| scores.merge(&cell.scores));
        if scores.n == 0 { self.score_at(crossing.value.value) } else { scores.mean_on(0.0, 1.0) }
    }

    /// Where the score goes which way.
    fn shape(&self) -> Shape {
        let places: Vec<Place> = self
            .cells
            .iter()
            .map(|cell| Place { x: cell.x, n: cell.scores.n as f64, mean: cell.scores.mean })
            .collect();
        // Draws and pairs vary less than wins and losses with the same mean.
        let seen: f64 = self.cells.iter().map(|cell| cell.scores.deviations).sum();
        let most: f64 = places.iter().map(|place| place.n * place.mean * (1.0 - place.mean)).sum();
        let dispersion = if most > 0.0 { (seen / most).clamp(0.05, 1.0) } else { 1.0 };
        let pieces = pieces(&places, dispersion);
        Shape { places, pieces, dispersion }
    }

    fn monotone<'s>(&self, shape: &'s Shape, piece: Piece) -> Monotone<'s> {
        let step = self.integer.then_some(1.0);
        Monotone::new(&shape.places, piece, self.target, shape.dispersion, step)
    }

    /// The crossings of a score that goes one way in each of its pieces, and where one piece ends and the next begins.
    fn crossings(&self, shape: &Shape) -> Vec<Crossing> {
        let method = Method::Monotone;
        let mut all: Vec<Crossing> = Vec::new();
        let mut last: Option<&Place> = None;
        for &piece in &shape.pieces {
            let monotone = self.monotone(shape, piece);
            // Between the last place of a piece and the first of the next one the score may cross as well.
            if let Some(before) = last {
                let after = &shape.places[piece.from];
                let (one, other) = (before.mean - self.target, monotone.score(after.x) - self.target);
                if one * other < 0.0 {
                    let value = before.x + one / (one - other) * (after.x - before.x);
                    let value = Estimate { value, low: before.x, high: after.x };
                    all.push(Crossing { value, rising: other > 0.0, method });
                }
            }
            if let Some(value) = monotone.crossing() {
                let value = monotone.interval(value);
                all.push(Crossing { value, rising: piece.rising, method });
            }
            last = shape.places.get(piece.to - 1);
        }
        all
    }

    /// How many units the first look takes: a third of all or, where a narrow interval ends the search, no more than
    /// it needs.
    fn first_look(&self) -> u64 {
        let third = (self.goal.budget / 3).max(2 * SPREADS[2]);
        if self.goal.width > 0.0 { third.min(TIMES * self.spread()) } else { third }
    }

    /// Over how many values the first look is spread.
    fn spread(&self) -> u64 {
        let fits = |spread: u64| TIMES * spread <= self.goal.budget / 3;
        let most = if self.integer { (self.high - self.low) as u64 + 1 } else { u64::MAX };
        if most <= SPREADS[0] && fits(most) {
            return most;
        }
        SPREADS.into_iter().find(|&spread| fits(spread)).unwrap_or(SPREADS[2])
    }

    /// Whether every value of the first look has been played some times.
    fn has_looked(&self, units: u64) -> bool {
        units >= self.first_look().min(TIMES * self.spread())
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

    /// Where to play next: on both sides of a place by turns, so many units of its own from it, on neighbouring
    /// values at least.
    fn beside(&self, (centre, unit): (f64, f64), turn: u64) -> f64 {
        let offset = (OFFSETS[(turn / 2 % 3) as usize] * unit).min(1.0);
        let sides = [self.on_grid(centre - offset), self.on_grid(centre + offset)];
        let upper = turn % 2 == 1;
        if self.integer && sides[0] == sides[1] {
            return self.x(centre).floor().min(self.high - 1.0) + f64::from(u8::from(upper));
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

    /// All samples, and a unit more at either end that scored one half. Without them the curve is a little too steep
    /// where few units are, as it is the likeliest one, and its scores at the ends are too sure.
    fn samples_with_ends(&self) -> Vec<Sample> {
        let half = |z: f64| Sample { z, n: 1.0, mean: 0.5, deviations: 0.25 };
        let mut all = self.samples();
        all.extend([half(-1.0), half(1.0)]);
        all
    }

    /// The curve and the samples that it was fitted to: all, or those near the root where they are enough. `None`
    /// before two values have been played.
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

    /// Whether the score is on one side of the target over the whole range, beyond doubt: as the question is asked
    /// again and again while the search goes on, at the level of 1 in 10,000.
    fn outside(&self, shape: &Shape) -> Option<Status> {
        /// The square of the normal quantile.
        const DOUBT: f64 = 15.14;
        let &[piece] = &shape.pieces[..] else { return None };
        let best = self.monotone(shape, piece);
        let beyond = |rising: bool| {
            let way = self.monotone(shape, Piece { rising, ..piece });
            way.doubt() + 2.0 * (best.likelihood() - way.likelihood()) / shape.dispersion > DOUBT
        };
        if !(beyond(true) && beyond(false)) {
            return None;
        }
        let above = shape.places.iter().map(|place| place.n * (place.mean - self.target)).sum::<f64>() > 0.0;
        Some(if above { Status::Above } else { Status::Below })
    }
}

/// What is known of the score without a curve.
struct Shape {
    places: Vec<Place>,
    pieces: Vec<Piece>,
    dispersion: f64,
}

/// The probability of scores so far from the curve if it is right: by the means of neighbouring values together, and by
/// whether it should bend, or bend twice; corrected for the three looks. `None` where there is too little play to tell.
fn misfit(samples: &[Sample], curve: &Curve) -> Option<f64> {
    /// Into how many groups, and how many units make one.
    const GROUPS: f64 = 8.0;
    const GROUP: f64 = 15.0;
    let total: f64 = samples.iter().map(|sample| sample.n).sum();
    let size = (total / GROUPS).max(GROUP);
    let expected = |sample: &Sample| {
        let p = logistic(curve.intercept + curve.slope * sample.z).clamp(1e-9, 1.0 - 1e-9);
        (sample.n * (sample.mean - p), sample.n * p * (1.0 - p))
    };
    // The dispersion about the curve holds the misfit itself: here it is that within the values.
    let within: f64 = samples.iter().map(|sample| sample.deviations).sum();
    let largest: f64 = samples.iter().map(|sample| sample.n * sample.mean * (1.0 - sample.mean)).sum();
    let dispersion = if largest > 0.0 { (within / largest).clamp(0.05, 1.0) } else { 1.0 };
    let (mut groups, mut squares) = (0.0, 0.0);
    let (mut n, mut residual, mut variance) = (0.0, 0.0, 0.0);
    let mut left = total;
    for sample in samples {
        let (r, v) = expected(sample);
        (n, residual, variance) = (n + sample.n, residual + r, variance + v);
        left -= sample.n;
        if left == 0.0 || n >= size && left >= size {
            squares += residual * residual / variance / dispersion;
            groups += 1.0;
            (n, residual, variance) = (0.0, 0.0, 0.0);
        }
    }
    let tail = |square: f64, freedom: f64| {
        ChiSquared::new(freedom).map_or(1.0, |distribution| 1.0 - distribution.cdf(square.max(0.0)))
    };
    if groups < 3.0 {
        return None;
    }
    let mut least = tail(squares, groups - 2.0);
    for power in [2, 3] {
        if samples.len() > power as usize {
            least = least.min(tail(bend(samples, power, expected) / dispersion, 1.0));
        }
    }
    Some((3.0 * least).min(1.0))
}

/// The score test of a further term of the curve, a power of z: a square that is chi-squared if there is none.
fn bend(samples: &[Sample], power: i32, expected: impl Fn(&Sample) -> (f64, f64)) -> f64 {
    // Sums of the weights with 1, z, the term.
    let (mut slope, mut term) = (0.0, [0.0; 3]);
    let mut own = [0.0; 3];
    for sample in samples {
        let (residual, weight) = expected(sample);
        let extra = sample.z.powi(power);
        slope += residual * extra;
        own = [own[0] + weight, own[1] + weight * sample.z, own[2] + weight * sample.z * sample.z];
        term =
            [term[0] + weight * extra, term[1] + weight * extra * sample.z, term[2] + weight * extra * extra];
    }
    let determinant = own[0] * own[2] - own[1] * own[1];
    // What intercept and slope tell of the term already.
    let known = (own[2] * term[0] * term[0] - 2.0 * own[1] * term[0] * term[1] + own[0] * term[1] * term[1])
        / determinant;
    let left = term[2] - known;
    if left > 1e-9 * term[2] { slope * slope / left } else { 0.0 }
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

    /// The interval of a figure of the curve by the profile likelihood: all values of which `profile`, the likelihood
    /// of the best curve with that value, is close enough to that of this curve. `guess` is about how far it reaches.
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
        // A third of the play looks at the whole range.
        assert!(distance < 0.6 && units == 600.0, "{distance} {units}");
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

    /// A line from point to point.
    fn line(points: &'static [(f64, f64)]) -> impl Fn(f64) -> f64 {
        move |x| {
            let after = points.partition_point(|point| point.0 <= x).clamp(1, points.len() - 1);
            let ((x0, y0), (x1, y1)) = (points[after - 1], points[after]);
            y0 + (x - x0) / (x1 - x0) * (y1 - y0)
        }
    }

    /// How a search for one of several crossings went, over many: in what share an interval holds it, how wide it was
    /// in the median, and in what share as many crossings were told as there are.
    fn told(runs: u64, finder: &RootFinder, truths: &[f64], curve: &dyn Fn(f64) -> f64) -> Vec<[f64; 3]> {
        let mut widths = vec![Vec::new(); truths.len()];
        let (mut covered, mut all) = (vec![0.0; truths.len()], 0.0);
        for run in 0..runs {
            let root = search(finder.clone(), &mut generator(run), |x, rng| win(curve(x), rng));
            all += f64::from(u8::from(root.crossings.len() == truths.len()));
            for (place, &truth) in truths.iter().enumerate() {
                let near = |a: &&Crossing, b: &&Crossing| {
                    (a.value.value - truth).abs().total_cmp(&(b.value.value - truth).abs())
                };
                let Some(crossing) = root.crossings.iter().min_by(near) else { continue };
                covered[place] += f64::from(u8::from(crossing.value.contains(truth)));
                widths[place].push(crossing.value.width());
            }
        }
        let runs = runs as f64;
        let line = |(covered, widths): (f64, Vec<f64>)| {
            let mut widths = widths;
            widths.sort_by(f64::total_cmp);
            [covered / runs, widths.get(widths.len() / 2).copied().unwrap_or(f64::NAN), all / runs]
        };
        covered.into_iter().zip(widths).map(line).collect()
    }

    /// An interval about each crossing holds it in 93% of searches or more, and is none the less of use.
    #[test]
    fn intervals_cover_whatever_the_curve() {
        type Case = (&'static str, f64, RootFinder, Vec<f64>, Box<dyn Fn(f64) -> f64>);
        let continuous = |budget| finder(-10.0, 10.0, false, 0.0, budget);
        // What is turned in a war game often does nothing for a while and then everything: 2.34 steps in.
        let steps = RootFinder::new(0.0, 3.0, true, 0.3, Goal { width: 0.0, budget: 2000 }).unwrap();
        let cases: Vec<Case> = vec![
            ("logistic", 1.5, continuous(800), vec![2.0], Box::new(|x| logistic(0.3 * (x - 2.0)))),
            ("plateau, then a drop, on whole numbers", 0.2, steps.clone(), vec![2.34], {
                // 0.42 at 2, and the line to 3 crosses 0.3 at 2.34.
                Box::new(line(&[(0.0, 0.47), (1.0, 0.46), (2.0, 0.42), (3.0, 0.42 - 0.12 / 0.34)]))
            }),
            (
                "a rise with a dip, on whole numbers",
                0.4,
                steps,
                vec![2.377],
                Box::new(line(&[(0.0, 0.103), (1.0, 0.286), (2.0, 0.234), (3.0, 0.409)])),
            ),
            (
                "plateau, then a drop",
                0.7,
                continuous(1500),
                vec![4.5],
                Box::new(line(&[(-10.0, 0.7), (4.0, 0.68), (5.0, 0.32), (10.0, 0.3)])),
            ),
            (
                "kinked at its root",
                1.2,
                continuous(800),
                vec![3.0],
                Box::new(|x| {
                    if x < 3.0 {
                        0.5 - 0.25 * (1.0 - (0.8 * (x - 3.0)).exp())
                    } else {
                        0.5 + 0.3 * (1.0 - (-0.66 * (x - 3.0)).exp())
                    }
                }),
            ),
            (
                "bent",
                10.0,
                continuous(1500),
                vec![-2.0],
                Box::new(line(&[(-10.0, 0.1), (-2.0, 0.5), (10.0, 0.6)])),
            ),
            ("steep", 0.4, continuous(600), vec![1.7], Box::new(|x| logistic(6.0 * (x - 1.7)))),
            ("flat", 6.0, continuous(1500), vec![1.0], Box::new(|x| 0.5 + 0.012 * (x - 1.0))),
            (
                "up and down",
                5.0,
                continuous(2000),
                vec![-4.0, 5.0],
                Box::new(line(&[(-10.0, 0.2), (-4.0, 0.5), (0.0, 0.7), (5.0, 0.5), (10.0, 0.3)])),
            ),
            (
                "up and down on whole numbers",
                0.6,
                finder(0.0, 10.0, true, 0.0, 3000),
                vec![2.5, 7.5],
                Box::new(line(&[
                    (0.0, 0.3),
                    (2.0, 0.42),
                    (3.0, 0.58),
                    (5.0, 0.65),
                    (7.0, 0.58),
                    (8.0, 0.42),
                    (10.0, 0.3),
                ])),
            ),
        ];
        for (name, widest, finder, truths, curve) in cases {
            for (truth, [covered, width, all]) in truths.iter().zip(told(200, &finder, &truths, &curve)) {
                assert!(covered >= 0.93 && all >= 0.95, "{name} at {truth}: {covered} covered, {all} told");
                assert!(width < widest, "{name} at {truth}: {width} wide in the median");
            }
        }
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
        // One search in five goes by the order of the scores alone, and this is one.
        assert!(root.value.contains(truth) && root.value.width() < 1.0, "{root:?}");
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
        assert!(root.status == Status::Above && root.units <= 240, "{root:?}");
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
