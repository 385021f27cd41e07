//! Estimates with their intervals: rates, means, quantiles, and by the bootstrap any other figure of a sample.
//!
//! The functions without a level give the 95% interval; those whose name ends in `_at` take the level, a number between
//! 0 and 1 (0.95 for 95%).
//!
//! Literature: Wilson (1927), *JASA* 22, 209; Chan et al. (1983), *American Statistician* 37, 242; Hyndman
//! and Fan (1996), *American Statistician* 50, 361; Efron (1987), *JASA* 82, 171; Efron and Tibshirani (1993), *An
//! Introduction to the Bootstrap*.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use statrs::distribution::{Binomial, ContinuousCDF, DiscreteCDF, Normal, StudentsT};

use crate::Error;
use crate::random::{generator, resample};

/// The level of every interval that does not name its own.
pub const LEVEL: f64 = 0.95;

/// An estimate with its interval.
///
/// As data, what is not finite is nothing (`null` in JSON): a value that is unknown, an end that is open.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
#[serde(from = "Ends", into = "Ends")]
pub struct Estimate {
    /// The estimate; not a number when there is nothing to estimate from.
    pub value: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// An estimate as data.
#[derive(Serialize, Deserialize)]
struct Ends {
    value: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
}

impl From<Ends> for Estimate {
    fn from(ends: Ends) -> Self {
        let Estimate { value, low, high } = Estimate::UNKNOWN;
        Estimate {
            value: ends.value.unwrap_or(value),
            low: ends.low.unwrap_or(low),
            high: ends.high.unwrap_or(high),
        }
    }
}

impl From<Estimate> for Ends {
    fn from(estimate: Estimate) -> Self {
        let finite = |x: f64| x.is_finite().then_some(x);
        Ends { value: finite(estimate.value), low: finite(estimate.low), high: finite(estimate.high) }
    }
}

impl Estimate {
    /// Nothing known: no value, and an interval without ends.
    pub const UNKNOWN: Estimate = Estimate { value: f64::NAN, low: f64::NEG_INFINITY, high: f64::INFINITY };

    /// The value with an interval of `half` on either side.
    pub fn symmetric(value: f64, half: f64) -> Self {
        Estimate { value, low: value - half, high: value + half }
    }

    /// Whether the interval holds `x`.
    pub fn contains(&self, x: f64) -> bool {
        self.low <= x && x <= self.high
    }

    /// The distance between the ends.
    pub fn width(&self) -> f64 {
        self.high - self.low
    }

    /// The standard error of which a 95% interval is 1.96 to either side.
    pub fn standard_error(&self) -> f64 {
        self.width() / (2.0 * normal_quantile(0.975))
    }

    /// Whether two independent estimates lie no more standard errors of their difference apart than `reach`; so they do where one has
    /// no value or no interval.
    pub fn agrees_with(&self, other: &Estimate, reach: f64) -> bool {
        let apart = (self.value - other.value).abs();
        let error = self.standard_error().hypot(other.standard_error());
        apart.is_nan() || error.is_nan() || apart <= reach * error
    }

    /// Two independent estimates of a share as one, each weighed by its precision; the other one if one is not known, this one if
    /// it is exact.
    #[must_use]
    pub fn pooled_with(self, other: &Estimate) -> Self {
        let [first, second] = [&self, other].map(|estimate| estimate.standard_error().powi(-2));
        let value = (first * self.value + second * other.value) / (first + second);
        if !value.is_finite() {
            return if self.value.is_nan() { *other } else { self };
        }
        let half = normal_quantile(0.975) * (first + second).powf(-0.5);
        Estimate::symmetric(value, half).within(0.0, 1.0)
    }

    /// The same interval about a value that it may miss by rounding, or by the luck of resamples: it is widened to
    /// hold it.
    #[must_use]
    pub fn around(self, value: f64) -> Self {
        if value.is_nan() {
            return Estimate { value, ..self };
        }
        Estimate { value, low: self.low.min(value), high: self.high.max(value) }
    }

    /// The estimate of a figure that cannot lie outside of these ends. What the sample has beyond an end is noise
    /// about it: an interval that lies there altogether reaches as far to the other side.
    #[must_use]
    pub fn within(self, low: f64, high: f64) -> Self {
        if self.value.is_nan() {
            return Estimate { value: self.value, low, high };
        }
        let value = self.value.clamp(low, high);
        let mut ends = Estimate { value, low: self.low.max(low), high: self.high.min(high) };
        if ends.high <= low {
            ends.high = (low + self.width()).min(high);
        }
        if ends.low >= high {
            ends.low = (high - self.width()).max(low);
        }
        ends.around(value)
    }

    /// Whether both ends are known.
    pub fn is_bounded(&self) -> bool {
        self.low.is_finite() && self.high.is_finite()
    }

    /// The estimate on another scale; `scale` must not decrease.
    #[must_use]
    pub fn map(&self, scale: impl Fn(f64) -> f64) -> Self {
        Estimate { value: scale(self.value), low: scale(self.low), high: scale(self.high) }
    }
}

/// The quantile of the standard normal distribution at `p` from 0 to 1.
pub fn normal_quantile(p: f64) -> f64 {
    if (0.0..=1.0).contains(&p) { Normal::standard().inverse_cdf(p) } else { f64::NAN }
}

/// The share of the standard normal distribution below `x`.
pub fn normal_share(x: f64) -> f64 {
    if x.is_nan() { x } else { Normal::standard().cdf(x) }
}

/// The share of Student's t distribution below `x`. Without a degree of freedom nothing is known of it.
pub fn student_share(x: f64, freedom: u64) -> f64 {
    match StudentsT::new(0.0, 1.0, freedom as f64) {
        Ok(distribution) if !x.is_nan() => distribution.cdf(x),
        _ => f64::NAN,
    }
}

/// The quantile of Student's t distribution at `p` from 0 to 1. Without a degree of freedom it has none but infinity.
pub fn student_quantile(p: f64, freedom: u64) -> f64 {
    // From here on the inverse of the beta function loses digits, and the expansion has all of them.
    const EXPANSION: u64 = 1000;
    if !(0.0..=1.0).contains(&p) {
        return f64::NAN;
    }
    if p < 0.5 {
        return -student_quantile(1.0 - p, freedom);
    }
    match freedom {
        0 => f64::INFINITY,
        EXPANSION.. => cornish_fisher(normal_quantile(p), freedom as f64),
        _ => StudentsT::new(0.0, 1.0, freedom as f64).map_or(f64::NAN, |student| student.inverse_cdf(p)),
    }
}

/// The quantile of Student's t from that of the normal distribution (Abramowitz and Stegun 26.7.5), to the third order.
fn cornish_fisher(z: f64, freedom: f64) -> f64 {
    let g1 = (z.powi(3) + z) / 4.0;
    let g2 = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
    let g3 = (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0;
    z + g1 / freedom + g2 / freedom.powi(2) + g3 / freedom.powi(3)
}

/// How many standard errors an interval of this level reaches to either side.
pub(crate) fn normal_reach(level: f64) -> f64 {
    normal_quantile(0.5 + level / 2.0)
}

/// The same with a deviation that was itself estimated.
pub(crate) fn student_reach(level: f64, freedom: u64) -> f64 {
    student_quantile(0.5 + level / 2.0, freedom)
}

/// The rate of `hits` in `n` trials with its Wilson score interval; without trials, anything from 0 to 1.
///
/// Assumes independent trials with one probability.
pub fn wilson(hits: u64, n: u64) -> Estimate {
    wilson_at(hits, n, LEVEL)
}

/// [`wilson`] at a level of choice.
pub fn wilson_at(hits: u64, n: u64, level: f64) -> Estimate {
    wilson_of_rate(hits as f64 / n as f64, n as f64, normal_reach(level))
}

/// The Wilson interval of a rate seen in a number of trials that need not be whole.
pub(crate) fn wilson_of_rate(p: f64, n: f64, z: f64) -> Estimate {
    if n <= 0.0 || !p.is_finite() {
        return Estimate { value: f64::NAN, low: 0.0, high: 1.0 };
    }
    let z2 = z * z;
    let centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = z / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    // At the ends of the scale the formula is exact but its rounding is not.
    let low = if p == 0.0 { 0.0 } else { (centre - half).max(0.0) };
    let high = if p == 1.0 { 1.0 } else { (centre + half).min(1.0) };
    Estimate { value: p, low, high }
}

/// The number, mean and sum of squared deviations of a sample; adds and merges without loss of precision (Welford,
/// Chan).
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Moments {
    /// How many values.
    pub n: u64,
    /// Their mean.
    pub mean: f64,
    /// The sum of their squared deviations from the mean.
    pub deviations: f64,
}

impl Moments {
    /// Adds a value.
    pub fn add(&mut self, value: f64) {
        self.n += 1;
        let delta = value - self.mean;
        self.mean += delta / self.n as f64;
        self.deviations += delta * (value - self.mean);
    }

    /// Adds another sample.
    pub fn merge(&mut self, other: &Moments) {
        if other.n == 0 {
            return;
        }
        let n = self.n + other.n;
        let delta = other.mean - self.mean;
        self.deviations += other.deviations + delta * delta * (self.n as f64 * other.n as f64 / n as f64);
        self.mean += delta * (other.n as f64 / n as f64);
        self.n = n;
    }

    /// The variance of the population, estimated without bias; not a number below two values.
    pub fn variance(&self) -> f64 {
        if self.n < 2 { f64::NAN } else { self.deviations / (self.n - 1) as f64 }
    }

    /// The standard deviation of the population, estimated; not a number below two values.
    pub fn deviation(&self) -> f64 {
        self.variance().sqrt()
    }

    /// The standard error of the mean; not a number below two values.
    pub fn standard_error(&self) -> f64 {
        self.deviation() / (self.n as f64).sqrt()
    }

    /// How often a sample of a population whose mean is zero or less, and whose values are `least` or more, would have at
    /// least this mean: Student's t, one-sided. Where all values are the same positive one, the most that it can be; 1 where
    /// they are not positive, or nothing is known.
    pub fn p_above_zero(&self, least: f64) -> f64 {
        if self.n == 0 || !self.varies() {
            // No more of the population can lie at this value than leaves its mean at zero.
            return if self.n > 0 && self.mean > 0.0 {
                (-least / (self.mean - least)).powf(self.n as f64)
            } else {
                1.0
            };
        }
        student_share(-self.mean / self.standard_error(), self.n - 1)
    }

    /// Whether any two values differ, by more than the rounding of their sum.
    pub fn varies(&self) -> bool {
        self.deviations > 1e-18 * self.n as f64 * self.mean * self.mean
    }

    /// The mean with its Student-t interval; unbounded below two values, and where all values are the same: such a
    /// sample tells nothing of how far others may lie. Where the values have bounds, see [`Moments::mean_from`].
    ///
    /// Assumes independent values whose mean is close to normal: any but the most lopsided from some thirty values on.
    pub fn mean(&self) -> Estimate {
        self.mean_at(LEVEL)
    }

    /// [`Moments::mean`] at a level of choice.
    pub fn mean_at(&self, level: f64) -> Estimate {
        self.mean_from_at(f64::NEG_INFINITY, f64::INFINITY, level)
    }

    /// The mean of an amount that lies between bounds, of which one or both may be infinite: [`Moments::mean`] within
    /// them.
    ///
    /// Where all values are the same, as many others may be unseen as Wilson's interval of none in `n` allows, and
    /// those may lie at the bounds: so the interval is never a point.
    pub fn mean_from(&self, low: f64, high: f64) -> Estimate {
        self.mean_from_at(low, high, LEVEL)
    }

    fn mean_from_at(&self, low: f64, high: f64, level: f64) -> Estimate {
        if self.n == 0 {
            return Estimate { value: f64::NAN, low, high };
        }
        let value = self.mean;
        if self.n < 2 || !self.varies() {
            let unseen = wilson_at(0, self.n, level).high;
            // No share of an infinite distance is finite.
            return Estimate {
                value,
                low: value - unseen * (value - low),
                high: value + unseen * (high - value),
            }
            .around(value);
        }
        let plain = Estimate::symmetric(value, student_reach(level, self.n - 1) * self.standard_error());
        Estimate { low: plain.low.max(low), high: plain.high.min(high), ..plain }.around(value)
    }

    /// The mean of a figure on a scale of its own, such as a score from 0 to 1 or a difference of two from -1 to 1:
    /// Wilson's interval for as many independent values of nothing or everything as would have the variance seen. As
    /// few values may agree by luck, that is at least what one value in all would make it.
    pub fn mean_on(&self, low: f64, high: f64) -> Estimate {
        self.mean_on_at(low, high, LEVEL)
    }

    /// [`Moments::mean_on`] at a level of choice.
    pub fn mean_on_at(&self, low: f64, high: f64, level: f64) -> Estimate {
        let span = high - low;
        if self.n == 0 {
            return Estimate { value: f64::NAN, low, high };
        }
        let share = ((self.mean - low) / span).clamp(0.0, 1.0);
        let effective = self.n as f64 / self.dispersion_on(low, high);
        let reach = student_reach(level, self.n.saturating_sub(1).max(1));
        wilson_of_rate(share, effective, reach).map(|share| low + span * share).around(self.mean)
    }

    /// The variance as a share of what it would be at this mean if there were no values but the ends of the scale; 1
    /// where all are at one end, and at least what one value in all would make it.
    pub(crate) fn dispersion_on(&self, low: f64, high: f64) -> f64 {
        let largest = (self.mean - low) * (high - self.mean);
        if self.n < 2 || largest <= 0.0 {
            return 1.0;
        }
        (self.deviations / largest / (self.n - 1) as f64).clamp(1.0 / self.n as f64, 1.0)
    }
}

impl Extend<f64> for Moments {
    fn extend<I: IntoIterator<Item = f64>>(&mut self, values: I) {
        for value in values {
            self.add(value);
        }
    }
}

impl FromIterator<f64> for Moments {
    fn from_iter<I: IntoIterator<Item = f64>>(values: I) -> Self {
        let mut moments = Moments::default();
        moments.extend(values);
        moments
    }
}

/// The smallest value that at least a share `q` of a counted sample does not exceed; `None` for an empty sample.
pub fn quantile(counts: &BTreeMap<u32, u64>, q: f64) -> Option<u32> {
    let n: u64 = counts.values().sum();
    at_rank(counts, ((q * n as f64).ceil() as u64).max(1))
}

/// The value of this rank, from 1, in a counted sample.
fn at_rank(counts: &BTreeMap<u32, u64>, rank: u64) -> Option<u32> {
    let mut below = 0;
    counts.iter().find_map(|(&value, &count)| {
        below += count;
        (below >= rank).then_some(value)
    })
}

/// The ends of the interval of a quantile of a counted sample, by the ranks of the binomial distribution, without any
/// assumption on the distribution; the cover is at least 95%. `None` where the sample is too small for an end to be
/// known.
pub fn quantile_interval(counts: &BTreeMap<u32, u64>, q: f64) -> (Option<u32>, Option<u32>) {
    let n: u64 = counts.values().sum();
    let Ok(distribution) = Binomial::new(q, n) else { return (None, None) };
    let tail = (1.0 - LEVEL) / 2.0;
    // The number of values below the quantile is binomial: the ends are the ranks that cut off its tails.
    let low = distribution.inverse_cdf(tail);
    let high = distribution.inverse_cdf(1.0 - tail) + 1;
    let at = |rank: u64| (1..=n).contains(&rank).then(|| at_rank(counts, rank)).flatten();
    (at(low), at(high))
}

/// The quantile at `q` of values in ascending order, linear between neighbours (type 7 of Hyndman and Fan); `None`
/// for an empty sample.
pub fn quantile_of(sorted: &[f64], q: f64) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let place = q.clamp(0.0, 1.0) * last as f64;
    let below = place.floor() as usize;
    let (a, b) = (sorted[below], sorted[(below + 1).min(last)]);
    // Equal neighbours may be infinite.
    Some(if a == b { a } else { a + (b - a) * (place - below as f64) })
}

/// The bootstrap: the interval of any figure of a sample, from resamples of its units.
///
/// The units must be independent of each other: whole pairs of games, not games, where pairs share their dice.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Bootstrap {
    /// How many resamples; a thousand for a 95% interval.
    pub resamples: usize,
    /// The level of the interval, between 0 and 1.
    pub level: f64,
    /// The seed of the draws.
    pub seed: u64,
}

impl Bootstrap {
    /// A thousand resamples for a 95% interval.
    pub fn new(seed: u64) -> Self {
        Bootstrap { resamples: 1000, level: LEVEL, seed }
    }

    /// Checks the settings.
    ///
    /// # Errors
    /// With less than ten resamples or a level not between 0 and 1.
    pub fn check(&self) -> Result<(), Error> {
        if self.resamples < 10 {
            return Err(Error::setting("the number of resamples", self.resamples, "at least 10"));
        }
        if self.level > 0.0 && self.level < 1.0 {
            return Ok(());
        }
        Err(Error::setting("the level of the interval", self.level, "a number between 0 and 1"))
    }

    /// The interval between the quantiles of the statistic over the resamples. Robust, but off where the statistic is
    /// biased or its spread depends on its value; see [`Bootstrap::bca`]. Unknown below two units.
    ///
    /// Resamples for which the statistic is not a number are left out.
    pub fn percentile<T: Copy>(&self, units: &[T], statistic: impl Fn(&[T]) -> f64) -> Estimate {
        if units.is_empty() {
            return Estimate::UNKNOWN;
        }
        self.percentile_all(units, |sample| vec![statistic(sample)])[0]
    }

    /// [`Bootstrap::percentile`] of several figures of at least one unit, from the same resamples; the statistic gives as
    /// many for any sample.
    pub fn percentile_all<T: Copy>(
        &self,
        units: &[T],
        statistics: impl Fn(&[T]) -> Vec<f64>,
    ) -> Vec<Estimate> {
        let values = statistics(units);
        let mut replicates = vec![Vec::with_capacity(self.resamples); values.len()];
        let mut rng = generator(self.seed);
        let mut sample = Vec::with_capacity(units.len());
        for _ in 0..if units.len() < 2 { 0 } else { self.resamples } {
            resample(units, &mut sample, &mut rng);
            for (replicates, value) in replicates.iter_mut().zip(statistics(&sample)) {
                if !value.is_nan() {
                    replicates.push(value);
                }
            }
        }
        let tail = (1.0 - self.level) / 2.0;
        values
            .into_iter()
            .zip(&mut replicates)
            .map(|(value, replicates)| {
                replicates.sort_by(f64::total_cmp);
                between(value, replicates, tail, 1.0 - tail)
            })
            .collect()
    }

    /// The bias-corrected and accelerated interval of Efron (1987): correct to second order for smooth statistics.
    /// Unknown below two units.
    ///
    /// The acceleration comes from the jackknife, over groups of units in samples of more than 400.
    pub fn bca<T: Copy>(&self, units: &[T], statistic: impl Fn(&[T]) -> f64) -> Estimate {
        const GROUPS: usize = 400;
        let value = if units.is_empty() { f64::NAN } else { statistic(units) };
        if units.len() < 2 {
            return Estimate { value, ..Estimate::UNKNOWN };
        }
        let groups = units.len().min(GROUPS);
        let mut rest = Vec::with_capacity(units.len());
        let left_out: Vec<f64> = (0..groups)
            .map(|group| {
                let (from, to) = (group * units.len() / groups, (group + 1) * units.len() / groups);
                rest.clear();
                rest.extend_from_slice(&units[..from]);
                rest.extend_from_slice(&units[to..]);
                statistic(&rest)
            })
            .filter(|x| x.is_finite())
            .collect();
        let mean = left_out.iter().sum::<f64>() / left_out.len() as f64;
        let power = |k: i32| left_out.iter().map(|x| (mean - x).powi(k)).sum::<f64>();
        let spread = power(2);
        let acceleration = if spread > 0.0 { power(3) / (6.0 * spread.powf(1.5)) } else { 0.0 };

        let replicates = self.replicates(units, statistic);
        // Ties count half, so that a lumpy statistic is not taken for a biased one.
        let below: f64 = replicates
            .iter()
            .map(|&x| if x < value { 1.0 } else { f64::from(u8::from(x == value)) / 2.0 })
            .sum();
        let share = below / replicates.len() as f64;
        let bias = if share > 0.0 && share < 1.0 { normal_quantile(share) } else { 0.0 };
        let adjusted = |q: f64| {
            let z = bias + normal_quantile(q);
            normal_share(bias + z / (1.0 - acceleration * z))
        };
        let tail = (1.0 - self.level) / 2.0;
        between(value, &replicates, adjusted(tail), adjusted(1.0 - tail))
    }

    /// The statistic of every resample, in ascending order.
    fn replicates<T: Copy>(&self, units: &[T], statistic: impl Fn(&[T]) -> f64) -> Vec<f64> {
        let mut rng = generator(self.seed);
        let mut sample = Vec::with_capacity(units.len());
        let mut replicates: Vec<f64> = (0..self.resamples)
            .map(|_| {
                resample(units, &mut sample, &mut rng);
                statistic(&sample)
            })
            .filter(|x| !x.is_nan())
            .collect();
        replicates.sort_by(f64::total_cmp);
        replicates
    }
}

/// The interval between two quantiles of the replicates, widened to the value if they miss it. Replicates that are
/// all the same tell nothing of the interval.
fn between(value: f64, sorted: &[f64], low: f64, high: f64) -> Estimate {
    let varied = sorted.first() != sorted.last();
    match (quantile_of(sorted, low), quantile_of(sorted, high)) {
        (Some(low), Some(high)) if varied => {
            let ends = Estimate { value, low, high }.around(value);
            if ends.width() > 0.0 {
                ends
            } else {
                Estimate { value, low: sorted[0], high: sorted[sorted.len() - 1] }
            }
        }
        _ => Estimate { value, ..Estimate::UNKNOWN },
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::random::{assert_coverage, close, normal};

    #[test]
    fn two_estimates_of_a_share_are_weighed_by_their_precision() {
        // 41 of 100 and 72 of 200 hold one half no more together, as the first alone does.
        let (fresh, searched) = (wilson(41, 100), wilson(72, 200));
        let both = fresh.pooled_with(&searched);
        assert!(fresh.contains(0.5) && !both.contains(0.5), "{both:?}");
        let all = wilson(113, 300);
        assert!((both.value - all.value).abs() < 0.003 && (both.high - all.high).abs() < 0.006, "{both:?}");
        assert_eq!(fresh.pooled_with(&Estimate::UNKNOWN), fresh);
        assert_eq!(Estimate::UNKNOWN.pooled_with(&fresh), fresh);
        // 41.0% and 36.0%, with errors of 4.9% and 3.4%, lie 0.84 errors of their difference apart.
        assert!(fresh.agrees_with(&searched, 0.9) && !fresh.agrees_with(&searched, 0.8));
        assert!(fresh.agrees_with(&Estimate::UNKNOWN, 0.0));
    }

    #[test]
    fn wilson_intervals_are_the_textbook_ones() {
        // Newcombe (1998), table I: 81/263 and 15/148; 0/20.
        for (hits, n, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let estimate = wilson(hits, n);
            close(estimate.low, low, 5e-5);
            close(estimate.high, high, 5e-5);
        }
        assert_eq!((wilson(0, 0).low, wilson(0, 0).high), (0.0, 1.0));
        assert_eq!((wilson(0, 9).low, wilson(9, 9).high), (0.0, 1.0));
    }

    #[test]
    fn students_shares_are_the_textbook_ones() {
        // Student's table: the 95% points of 1, 5 and 30 degrees of freedom.
        for (x, freedom) in [(6.3138, 1), (2.0150, 5), (1.6973, 30)] {
            close(student_share(x, freedom), 0.95, 1e-5);
            close(student_share(student_quantile(0.8, freedom), freedom), 0.8, 1e-9);
        }
        assert!(student_share(1.0, 0).is_nan());
        let sample: Moments = [1.0, 2.0, 3.0, 4.0].into_iter().collect();
        // t = 2.5 / (1.2910 / 2) = 3.873 with three degrees of freedom.
        close(sample.p_above_zero(-1.0), 0.015_2, 1e-4);
        let alike = |value: f64, n| std::iter::repeat_n(value, n).collect::<Moments>().p_above_zero(-1.0);
        close(alike(0.0, 9), 1.0, 1e-12);
        close(alike(1.0, 8), 1.0 / 256.0, 1e-12);
        close(alike(0.25, 2), 0.64, 1e-12);
    }

    #[test]
    fn wilson_covers() {
        for p in [0.07, 0.35, 0.5] {
            assert_coverage(4000, p, |run| {
                let mut rng = generator(run);
                wilson((0..150).filter(|_| rng.random_bool(p)).count() as u64, 150)
            });
        }
    }

    #[test]
    fn quantiles_of_student_and_normal() {
        for (freedom, t) in [
            (1, 12.706_204_736),
            (2, 4.302_652_730),
            (3, 3.182_446_305),
            (5, 2.570_581_836),
            (10, 2.228_138_852),
            (30, 2.042_272_456),
            (999, 1.962_341_461),
            (1000, 1.962_339_081),
            (1_000_000, 1.959_966_356_8),
            (1_000_000_000, 1.959_963_986_9),
        ] {
            close(student_quantile(0.975, freedom), t, 1e-8 * t);
            close(student_quantile(0.025, freedom), -t, 1e-8 * t);
        }
        close(student_quantile(0.999_95, 1000), 3.906_343_737, 1e-6);
        close(student_quantile(0.9, 4), 1.533_206_274, 1e-6);
        close(normal_quantile(0.975), 1.959_963_984_540_054, 1e-9);
        close(normal_share(-1.0), 0.158_655_253_931_457, 1e-10);
        assert!(student_quantile(0.975, 0).is_infinite() && normal_quantile(1.5).is_nan());
    }

    #[test]
    fn means_have_students_interval() {
        let sample: Moments = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter().collect();
        close(sample.mean().value, 5.0, 1e-12);
        close(sample.deviation(), (32.0f64 / 7.0).sqrt(), 1e-12);
        close(sample.mean().high, 5.0 + 2.364_624_25 * (32.0f64 / 7.0).sqrt() / 8f64.sqrt(), 1e-6);
        let one: Moments = [3.0].into_iter().collect();
        assert_eq!((one.mean().value, one.mean().high), (3.0, f64::INFINITY));
        for n in [5, 40] {
            assert_coverage(4000, 1.5, |run| {
                let mut rng = generator(run);
                (0..n).map(|_| 1.5 + 3.0 * normal(&mut rng)).collect::<Moments>().mean()
            });
        }
    }

    #[test]
    fn merged_samples_equal_the_whole() {
        let values: Vec<f64> = (0..50).map(|i| f64::from(i * i % 17) - 3.5).collect();
        let of = |values: &[f64]| values.iter().copied().collect::<Moments>();
        let mut merged = of(&values[..13]);
        merged.merge(&of(&values[13..]));
        merged.merge(&Moments::default());
        let whole = of(&values);
        assert_eq!(merged.n, whole.n);
        close(merged.mean, whole.mean, 1e-12);
        close(merged.deviations, whole.deviations, 1e-9);
    }

    #[test]
    fn quantiles_of_counts() {
        let counts = BTreeMap::from([(1, 1), (2, 2), (10, 1)]);
        assert_eq!(
            [0.0, 0.25, 0.5, 0.75, 0.76, 1.0].map(|q| quantile(&counts, q).unwrap()),
            [1, 1, 2, 2, 10, 10]
        );
        assert_eq!(quantile(&BTreeMap::new(), 0.5), None);
    }

    #[test]
    fn quantiles_of_values() {
        // R: quantile(c(1, 2, 4, 8), c(0, .1, .5, .9, 1)).
        for (q, value) in [(0.0, 1.0), (0.1, 1.3), (0.5, 3.0), (0.9, 6.8), (1.0, 8.0)] {
            close(quantile_of(&[1.0, 2.0, 4.0, 8.0], q).unwrap(), value, 1e-12);
        }
        assert_eq!(quantile_of(&[], 0.5), None);
        assert_eq!(quantile_of(&[f64::INFINITY; 3], 0.3), Some(f64::INFINITY));
    }

    #[test]
    fn the_interval_of_a_median_is_between_ranks() {
        // Conover (1999), 16 values: the ranks of the median's 95% interval are 4 and 13.
        let counts: BTreeMap<u32, u64> = (1..=16).map(|value| (value, 1)).collect();
        assert_eq!(quantile_interval(&counts, 0.5), (Some(4), Some(13)));
        assert_eq!(quantile_interval(&BTreeMap::from([(7, 3)]), 0.5), (None, None));
        let covered = (0..2000)
            .filter(|&run| {
                let mut rng = generator(run);
                let mut counts = BTreeMap::new();
                for _ in 0..60 {
                    *counts.entry(rng.random_range(0..1_000_001)).or_default() += 1;
                }
                let (low, high) = quantile_interval(&counts, 0.5);
                low.unwrap() <= 500_000 && high.unwrap() >= 500_000
            })
            .count();
        assert!((0.94..0.98).contains(&(covered as f64 / 2000.0)), "{covered}");
    }

    #[test]
    fn bootstraps_cover() {
        let settings = |seed| Bootstrap { resamples: 400, ..Bootstrap::new(seed) };
        // The log of the mean of a skewed distribution, where a plain interval would be lopsided.
        let sample = |run| {
            let mut rng = generator(run);
            (0..60).map(|_| -(1.0 - rng.random::<f64>()).ln()).collect::<Vec<f64>>()
        };
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
        assert_coverage(1500, 1.0, |run| settings(run).bca(&sample(run), mean));
        assert_coverage(1500, 1.0, |run| settings(run).percentile(&sample(run), mean));
    }

    #[test]
    fn bca_corrects_what_the_percentile_misses() {
        // Efron and Tibshirani (1993), table 14.2: the variance of the spatial test data, A values; the BCa interval at
        // 90% is (115.8, 259.6), the percentile interval (100.8, 233.9), the exact one (118.4, 305.2).
        let a = [
            48.0, 36.0, 20.0, 29.0, 42.0, 42.0, 20.0, 42.0, 22.0, 41.0, 45.0, 14.0, 6.0, 0.0, 33.0, 28.0,
            34.0, 4.0, 32.0, 24.0, 47.0, 41.0, 24.0, 26.0, 30.0, 41.0,
        ];
        let variance = |values: &[f64]| {
            let moments: Moments = values.iter().copied().collect();
            moments.deviations / moments.n as f64
        };
        let settings = Bootstrap { resamples: 20_000, level: 0.9, seed: 1 };
        let (bca, percentile) = (settings.bca(&a, variance), settings.percentile(&a, variance));
        close(bca.value, 171.5, 0.1);
        close(bca.low, 115.8, 3.0);
        close(bca.high, 259.6, 5.0);
        close(percentile.low, 100.8, 3.0);
        close(percentile.high, 233.9, 3.0);
    }

    #[test]
    fn open_ends_survive_as_data() {
        let open = Estimate { value: 3.5, low: 1.25, high: f64::INFINITY };
        let text = serde_json::to_string(&open).unwrap();
        assert_eq!(text, r#"{"value":3.5,"low":1.25,"high":null}"#);
        assert_eq!(serde_json::from_str::<Estimate>(&text).unwrap(), open);
        let unknown = serde_json::to_string(&Estimate::UNKNOWN).unwrap();
        let unknown: Estimate = serde_json::from_str(&unknown).unwrap();
        assert!(unknown.value.is_nan() && unknown.low.is_infinite());
    }

    #[test]
    fn a_bootstrap_is_its_seed() {
        let units = [1.0, 5.0, 2.0, 8.0];
        let run = |seed| Bootstrap::new(seed).percentile(&units, |sample| sample[0] + sample[1]);
        assert_eq!(run(3), run(3));
        let nothing = Bootstrap::new(1).bca(&[] as &[f64], |_| 0.0);
        assert!(nothing.value.is_nan() && nothing.high.is_infinite());
        assert!(Bootstrap { level: 1.0, ..Bootstrap::new(1) }.check().is_err());
        assert!(Bootstrap { resamples: 3, ..Bootstrap::new(1) }.check().is_err());
        assert!(Bootstrap::new(1).check().is_ok());
    }
}
