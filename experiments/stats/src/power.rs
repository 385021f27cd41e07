//! How many games it takes, and whether a change made a difference.
//!
//! Two arms of a comparison (two scenarios, two rule options, two agents) play the same seeds, so that luck is common
//! to both and cancels in the difference: the unit is a *pair*, one game of each arm. [`Paired`] estimates the
//! difference of a mean, [`paired_rates`] that of a rate. [`pairs_needed`] says how many pairs would show a
//! difference of interest, and [`smallest_effect`] what could have been seen with the pairs there were: without it
//! "no difference" means nothing.
//!
//! Effects and deviations are in units of the measure (points, turns, or a share for rates). All tests are two-sided.
//!
//! Literature: Guenther (1981), *American Statistician* 35, 243; Newcombe (1998), *Statistics in Medicine* 17, 2635
//! (method 10) and 873 (method 10 for independent samples); Fleiss, Levin and Paik (2003), *Statistical Methods for
//! Rates and Proportions*; `McNemar` (1947), *Psychometrika* 12, 153.

use serde::{Deserialize, Serialize};
use statrs::distribution::{Binomial, ContinuousCDF, DiscreteCDF, StudentsT};

use crate::Error;
use crate::interval::{Estimate, LEVEL, Moments, normal_quantile, normal_share, student_reach, wilson};

/// The pairs needed to see a mean difference of `effect` with probability `power` in a test at `alpha`, when the
/// difference within a pair has this standard deviation ([`Paired::difference`]'s deviation).
///
/// For a match of two agents the effect is the score above ½ and the deviation that of a pair's score.
///
/// # Errors
/// With an effect of zero, a deviation that is negative, or probabilities not between 0 and 1.
pub fn pairs_needed(effect: f64, deviation: f64, alpha: f64, power: f64) -> Result<u64, Error> {
    check(alpha, power)?;
    if !effect.is_finite() || effect == 0.0 {
        return Err(Error::setting("the effect", effect, "a number other than 0"));
    }
    check_deviation(deviation)?;
    let z = normal_quantile(1.0 - alpha / 2.0);
    let n = ((z + normal_quantile(power)) * deviation / effect).powi(2);
    // The second term makes up for the deviation being estimated; two pairs are needed to estimate it at all.
    Ok((n + z * z / 2.0).ceil().max(2.0) as u64)
}

/// The p-values of several tests, each raised so far that the probability of any false finding among all of them
/// together is no more than the level it is compared with (Holm 1979, *Scandinavian Journal of Statistics* 6, 65); in
/// the order given.
///
/// `tests` is how many were made: at least as many as are given, more if the largest p-values were not kept.
pub fn holm(p: &[f64], tests: usize) -> Vec<f64> {
    debug_assert!(tests >= p.len());
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut adjusted = vec![0.0; p.len()];
    let mut least = 0.0f64;
    for (rank, &index) in order.iter().enumerate() {
        least = least.max((tests - rank) as f64 * p[index]).min(1.0);
        adjusted[index] = least;
    }
    adjusted
}

/// The smallest mean difference that `n` pairs show with probability `power` in a test at `alpha`.
///
/// # Errors
/// With fewer than two pairs, a deviation that is negative, or probabilities not between 0 and 1.
pub fn smallest_effect(n: u64, deviation: f64, alpha: f64, power: f64) -> Result<f64, Error> {
    check(alpha, power)?;
    check_deviation(deviation)?;
    if n < 2 {
        return Err(Error::setting("the number of pairs", n, "at least 2"));
    }
    let z = normal_quantile(1.0 - alpha / 2.0);
    // Below Guenther's correction there is no answer; a single pair's worth is left there.
    let effective = (n as f64 - z * z / 2.0).max(1.0);
    Ok((z + normal_quantile(power)) * deviation / effective.sqrt())
}

/// The games in each of two independent arms needed to see that two rates differ, with probability `power` in a test
/// at `alpha`. An upper bound for arms with common dice; for those take [`pairs_needed`] with the deviation of a
/// pilot run.
///
/// # Errors
/// With equal rates, rates not from 0 to 1, or probabilities not between 0 and 1.
pub fn games_needed(rate: f64, other: f64, alpha: f64, power: f64) -> Result<u64, Error> {
    check(alpha, power)?;
    for rate in [rate, other] {
        if !(0.0..=1.0).contains(&rate) {
            return Err(Error::setting("a rate", rate, "a number from 0 to 1"));
        }
    }
    if rate == other {
        return Err(Error::setting("the second rate", other, "another than the first"));
    }
    let mean = f64::midpoint(rate, other);
    let equal = normal_quantile(1.0 - alpha / 2.0) * (2.0 * mean * (1.0 - mean)).sqrt();
    let apart = normal_quantile(power) * (rate * (1.0 - rate) + other * (1.0 - other)).sqrt();
    Ok(((equal + apart) / (rate - other)).powi(2).ceil().max(1.0) as u64)
}

fn check(alpha: f64, power: f64) -> Result<(), Error> {
    for (name, share) in [("alpha", alpha), ("the power", power)] {
        if !(share > 0.0 && share < 1.0) {
            return Err(Error::setting(name, share, "a probability between 0 and 1"));
        }
    }
    if power <= alpha / 2.0 {
        return Err(Error::setting("the power", power, format!("more than half of alpha, which is {alpha}")));
    }
    Ok(())
}

fn check_deviation(deviation: f64) -> Result<(), Error> {
    if deviation >= 0.0 && deviation.is_finite() {
        return Ok(());
    }
    Err(Error::setting("the standard deviation", deviation, "a number of at least 0"))
}

/// Two arms that played the same seeds; adds and merges.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Paired {
    /// The first arm.
    pub first: Moments,
    /// The second arm.
    pub second: Moments,
    /// The second less the first, pair by pair.
    pub difference: Moments,
}

impl Paired {
    /// Adds a pair: the measure in a game of either arm with the same seed.
    pub fn add(&mut self, first: f64, second: f64) {
        self.first.add(first);
        self.second.add(second);
        self.difference.add(second - first);
    }

    /// Adds other pairs.
    pub fn merge(&mut self, other: &Paired) {
        self.first.merge(&other.first);
        self.second.merge(&other.second);
        self.difference.merge(&other.difference);
    }

    /// The correlation of the two arms; not a number when one of them does not vary.
    pub fn correlation(&self) -> f64 {
        // Both sum of squares and the difference's, so the product follows.
        if !self.first.varies() || !self.second.varies() {
            return f64::NAN;
        }
        let (a, b) = (self.first.deviations, self.second.deviations);
        ((a + b - self.difference.deviations) / 2.0 / (a * b).sqrt()).clamp(-1.0, 1.0)
    }

    /// How many independent games of each arm tell as much as one pair: above 1 when common dice help. Infinite when
    /// the difference does not vary.
    pub fn gain(&self) -> f64 {
        if !self.difference.varies() {
            return f64::INFINITY;
        }
        (self.first.variance() + self.second.variance()) / self.difference.variance()
    }

    /// The two-sided p-value of no difference (paired t test; where all differences are the same, the sign test); 1
    /// below two pairs or when there never was a difference.
    pub fn p_value(&self) -> f64 {
        if self.difference.n < 2 || self.difference.mean == 0.0 {
            return 1.0;
        }
        if !self.difference.varies() {
            // Always the same difference has no deviation to hold it against: by its sign, as likely up as down.
            return 2.0 * 0.5f64.powf(self.difference.n as f64);
        }
        let t = self.difference.mean / self.difference.standard_error();
        StudentsT::new(0.0, 1.0, (self.difference.n - 1) as f64)
            .map_or(1.0, |student| 2.0 * student.cdf(-t.abs()))
    }
}

/// How often something happened in two arms that played the same seeds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PairedCounts {
    /// Pairs in which it happened in both arms.
    pub both: u64,
    /// In the first only.
    pub first: u64,
    /// In the second only.
    pub second: u64,
    /// In neither.
    pub neither: u64,
}

impl PairedCounts {
    /// Adds a pair.
    pub fn add(&mut self, first: bool, second: bool) {
        *match (first, second) {
            (true, true) => &mut self.both,
            (true, false) => &mut self.first,
            (false, true) => &mut self.second,
            (false, false) => &mut self.neither,
        } += 1;
    }

    /// How many pairs.
    pub fn n(&self) -> u64 {
        self.both + self.first + self.second + self.neither
    }
}

/// The difference of two rates.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct RateDifference {
    /// The rate of the first arm.
    pub first: Estimate,
    /// The rate of the second arm.
    pub second: Estimate,
    /// The second less the first.
    pub difference: Estimate,
    /// The two-sided p-value of equal rates.
    pub p_value: f64,
}

/// The difference of the rates of two arms with common dice: Newcombe's interval from the two Wilson intervals and
/// their correlation, and `McNemar`'s test, exact (mid-p).
pub fn paired_rates(counts: &PairedCounts) -> RateDifference {
    let n = counts.n();
    let first = wilson(counts.both + counts.first, n);
    let second = wilson(counts.both + counts.second, n);
    let [both, one, other, neither] =
        [counts.both, counts.first, counts.second, counts.neither].map(|count| count as f64);
    let margins = (both + one) * (other + neither) * (both + other) * (one + neither);
    // The correlation, with Newcombe's correction for continuity when it is positive.
    let excess = both * neither - one * other;
    let corrected = if excess > 0.0 { (excess - n as f64 / 2.0).max(0.0) } else { excess };
    let correlation = if margins > 0.0 { corrected / margins.sqrt() } else { 0.0 };
    let difference = between(&first, &second, correlation);
    RateDifference { first, second, difference, p_value: mcnemar(counts.first, counts.second) }
}

/// The difference of the rates of two arms that played independent games (Newcombe's hybrid score interval).
pub fn independent_rates(first: (u64, u64), second: (u64, u64)) -> RateDifference {
    let (one, other) = (wilson(first.0, first.1), wilson(second.0, second.1));
    let hits = (first.0 + second.0) as f64;
    let (n, m) = (first.1 as f64, second.1 as f64);
    let pooled = hits / (n + m);
    let error = (pooled * (1.0 - pooled) * (1.0 / n + 1.0 / m)).sqrt();
    let z = (other.value - one.value) / error;
    let p_value = if z.is_nan() { 1.0 } else { 2.0 * normal_share(-z.abs()) };
    RateDifference { first: one, second: other, difference: between(&one, &other, 0.0), p_value }
}

/// Newcombe's square-and-add interval of the second rate less the first.
fn between(first: &Estimate, second: &Estimate, correlation: f64) -> Estimate {
    let value = second.value - first.value;
    if value.is_nan() {
        return Estimate { value, low: -1.0, high: 1.0 };
    }
    let reach = |x: f64, y: f64| (x * x - 2.0 * correlation * x * y + y * y).max(0.0).sqrt();
    let low = value - reach(second.value - second.low, first.high - first.value);
    let high = value + reach(second.high - second.value, first.value - first.low);
    Estimate { value, low: low.max(-1.0), high: high.min(1.0) }
}

/// `McNemar`'s exact test with mid-p.
fn mcnemar(b: u64, c: u64) -> f64 {
    let Ok(distribution) = Binomial::new(0.5, b + c) else { return 1.0 };
    let less = b.min(c);
    let at_most = distribution.cdf(less);
    let below = if less == 0 { 0.0 } else { distribution.cdf(less - 1) };
    (at_most + below).min(1.0)
}

/// The difference of the means of two arms that played independent games, the second less the first (Welch's interval).
pub fn independent_means(first: &Moments, second: &Moments) -> Estimate {
    let value = second.mean - first.mean;
    if first.n < 2 || second.n < 2 {
        return Estimate { value, ..Estimate::UNKNOWN };
    }
    let (a, b) = (first.variance() / first.n as f64, second.variance() / second.n as f64);
    let freedom = (a + b).powi(2) / (a * a / (first.n - 1) as f64 + b * b / (second.n - 1) as f64);
    // Rounded down, which widens the interval by very little; without any variance there is nothing to widen.
    let freedom = if freedom.is_nan() { first.n + second.n - 2 } else { freedom as u64 };
    // Two arms in which nothing ever differed tell nothing of how far other games may.
    if !first.varies() && !second.varies() {
        return Estimate { value, ..Estimate::UNKNOWN };
    }
    Estimate::symmetric(value, student_reach(LEVEL, freedom) * (a + b).sqrt())
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::random::{assert_coverage, close, generator, normal};

    /// The rounding of the difference's sum of squares over a deviation of zero would be taken for perfect correlation.
    #[test]
    fn an_arm_that_does_not_vary_is_correlated_with_nothing() {
        let mut paired = Paired::default();
        for value in [0.8, 0.8, 0.3, 0.8, 0.7, 0.1, 0.0] {
            paired.add(value, 0.1);
        }
        assert!(paired.correlation().is_nan(), "{}", paired.correlation());
    }

    #[test]
    fn pairs_needed_are_those_of_the_t_test() {
        // The power of the noncentral t, solved for n and rounded up (statsmodels' TTestPower).
        for (effect, deviation, alpha, power, n) in [
            (0.5, 1.0, 0.05, 0.9, 44),
            (0.1, 0.35, 0.05, 0.8, 99),
            (-0.02, 0.3, 0.01, 0.95, 4012),
            (1.0, 0.0, 0.05, 0.9, 2),
        ] {
            let needed = pairs_needed(effect, deviation, alpha, power).unwrap();
            assert_eq!(needed, n);
            if deviation > 0.0 {
                close(
                    smallest_effect(needed, deviation, alpha, power).unwrap(),
                    effect.abs(),
                    0.02 * effect.abs(),
                );
            }
        }
        assert!(smallest_effect(2, 1.0, 0.05, 0.9).unwrap() >= 3.0);
    }

    #[test]
    fn the_power_promised_is_the_power_had() {
        let n = pairs_needed(0.3, 1.0, 0.05, 0.8).unwrap();
        let seen = (0..3000)
            .filter(|&run| {
                let mut rng = generator(run);
                let mut paired = Paired::default();
                for _ in 0..n {
                    let luck = 3.0 * normal(&mut rng);
                    paired.add(luck, luck + 0.3 + normal(&mut rng));
                }
                paired.p_value() < 0.05
            })
            .count();
        close(seen as f64 / 3000.0, 0.8, 0.025);
    }

    #[test]
    fn games_needed_are_the_textbook_ones() {
        // Fleiss: rates of 0.6 and 0.7 need 356 each for 80% (without correction for continuity).
        assert_eq!(games_needed(0.6, 0.7, 0.05, 0.8).unwrap(), 356);
        assert_eq!(games_needed(0.5, 0.55, 0.05, 0.9).unwrap(), 2095);
    }

    #[test]
    fn bad_questions_are_refused() {
        assert!(pairs_needed(0.0, 1.0, 0.05, 0.8).is_err());
        assert!(pairs_needed(0.1, -1.0, 0.05, 0.8).is_err());
        assert!(pairs_needed(0.1, 1.0, 0.0, 0.8).is_err());
        assert!(pairs_needed(0.1, 1.0, 0.05, 0.01).is_err());
        assert!(smallest_effect(1, 1.0, 0.05, 0.8).is_err());
        assert!(games_needed(0.5, 0.5, 0.05, 0.8).is_err() && games_needed(0.5, 1.5, 0.05, 0.8).is_err());
    }

    #[test]
    fn common_luck_cancels() {
        let mut paired = Paired::default();
        let mut rng = generator(1);
        let mut parts = [Paired::default(); 2];
        for i in 0..400 {
            let luck = 3.0 * normal(&mut rng);
            let (first, second) = (luck, luck + 0.5 + normal(&mut rng));
            paired.add(first, second);
            parts[i % 2].add(first, second);
        }
        close(paired.correlation(), 3.0 / 10f64.sqrt(), 0.02);
        close(paired.gain(), 19.0, 3.0);
        assert!(paired.difference.mean().low > 0.35 && paired.p_value() < 1e-9);
        let apart = independent_means(&paired.first, &paired.second);
        close(apart.value, paired.difference.mean, 1e-9);
        assert!(apart.width() > 3.0 * paired.difference.mean().width());
        let [mut merged, other] = parts;
        merged.merge(&other);
        close(merged.correlation(), paired.correlation(), 1e-9);
        assert_eq!(Paired::default().p_value(), 1.0);
    }

    #[test]
    fn welch() {
        // R: t.test(1:10, c(7:20)) has the interval -11.052802 to -6.947198 of the difference of first and second.
        let of = |range: std::ops::RangeInclusive<i32>| range.map(f64::from).collect::<Moments>();
        let estimate = independent_means(&of(1..=10), &of(7..=20));
        close(estimate.value, 8.0, 1e-12);
        close(estimate.low, 4.947, 0.01);
        close(estimate.high, 11.053, 0.01);
    }

    #[test]
    fn differences_of_rates_are_newcombes() {
        // Newcombe (1998), table II, method 10: the cells both, second, first, neither.
        for ((a, b, c, d), low, high) in [
            ((36, 12, 2, 0), 0.0569, 0.3404),
            ((20, 12, 2, 16), 0.0562, 0.3292),
            ((54, 0, 0, 0), -0.0664, 0.0664),
        ] {
            let counts = PairedCounts { both: a, first: c, second: b, neither: d };
            let difference = paired_rates(&counts).difference;
            close(difference.low, low, 6e-5);
            close(difference.high, high, 6e-5);
        }
        // Newcombe (1998), *Statistics in Medicine* 17, 873, table II, method 10: all examples.
        for (one, other, low, high) in [
            ((56, 70), (48, 80), 0.0524, 0.3339),
            ((9, 10), (3, 10), 0.1705, 0.8090),
            ((6, 7), (2, 7), 0.0582, 0.8062),
            ((5, 56), (0, 29), -0.0381, 0.1926),
            ((0, 10), (0, 20), -0.1611, 0.2775),
            ((0, 10), (0, 10), -0.2775, 0.2775),
            ((10, 10), (0, 20), 0.6791, 1.0),
            ((10, 10), (0, 10), 0.6075, 1.0),
        ] {
            let difference = independent_rates(other, one).difference;
            close(difference.low, low, 5.1e-5);
            close(difference.high, high, 5.1e-5);
            let reversed = independent_rates(one, other).difference;
            close(reversed.low, -high, 5.1e-5);
            close(reversed.high, -low, 5.1e-5);
        }
        let nothing = paired_rates(&PairedCounts::default());
        assert_eq!((nothing.difference.low, nothing.difference.high, nothing.p_value), (-1.0, 1.0, 1.0));
        assert_eq!(independent_rates((0, 0), (0, 5)).p_value, 1.0);
    }

    #[test]
    fn differences_of_paired_rates_at_the_ends_of_the_scale() {
        // By the formulas of method 10, worked out apart: cells both, second, first, neither.
        for ((both, second, first, neither), low, high) in [
            // Arms that always differ, or nearly so.
            ((0, 30, 0, 0), 0.8395, 1.0),
            ((0, 29, 1, 0), 0.6666, 0.9882),
            ((2, 97, 1, 0), 0.8721, 0.9854),
            ((1, 97, 1, 1), 0.8737, 0.9850),
            // Arms that never differ, or once.
            ((30, 0, 0, 0), -0.1135, 0.1135),
            ((0, 0, 0, 30), -0.1135, 0.1135),
            ((29, 1, 0, 0), -0.0834, 0.1667),
            // A correction for continuity larger than the excess leaves no correlation.
            ((2, 1, 1, 1), -0.4649, 0.4649),
        ] {
            let of = |first, second| paired_rates(&PairedCounts { both, first, second, neither }).difference;
            let (difference, reversed) = (of(first, second), of(second, first));
            close(difference.low, low, 5.1e-5);
            close(difference.high, high, 5.1e-5);
            close(reversed.low, -high, 5.1e-5);
            close(reversed.high, -low, 5.1e-5);
        }
        // The p-values of arms that differ once, and never.
        let p = |second| paired_rates(&PairedCounts { both: 5, second, ..PairedCounts::default() }).p_value;
        close(p(1), 0.5, 1e-12);
        close(p(0), 1.0, 1e-12);
    }

    #[test]
    fn differences_of_rates_cover() {
        assert_coverage(3000, 0.1, |run| {
            let mut rng = generator(run);
            let mut counts = PairedCounts::default();
            for _ in 0..120 {
                let luck = rng.random::<f64>();
                let turn = if rng.random_bool(0.3) { rng.random() } else { luck };
                counts.add(luck < 0.45, turn < 0.55);
            }
            paired_rates(&counts).difference
        });
    }

    #[test]
    fn holms_p_values_are_those_of_r() {
        // p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")
        for (mine, theirs) in holm(&[0.01, 0.04, 0.03, 0.005], 4).into_iter().zip([0.03, 0.06, 0.06, 0.02]) {
            close(mine, theirs, 1e-12);
        }
        // p.adjust(c(0.02, 0.3), "holm", n = 10)
        assert!(
            holm(&[0.02, 0.3], 10).iter().zip([0.2, 1.0]).all(|(mine, theirs)| (mine - theirs).abs() < 1e-12)
        );
        assert!(holm(&[], 0).is_empty());
    }

    #[test]
    fn mcnemars_test_is_exact() {
        // Fagerland, Lydersen and Laake (2013): 1 and 7 discordant pairs, mid-p 0.0391; 16 and 53 far below 0.001.
        close(mcnemar(1, 7), 0.0391, 5e-5);
        assert!(mcnemar(16, 53) < 1e-4);
        close(mcnemar(4, 4), 1.0, 1e-12);
        close(mcnemar(0, 0), 1.0, 1e-12);
    }
}
