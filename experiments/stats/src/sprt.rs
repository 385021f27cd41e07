//! Is B better than A? The generalised sequential probability ratio test on pairs of games, as chess engine test
//! benches run it.
//!
//! Two hypotheses on the Elo difference are weighed against each other, H0 (`elo0`) and H1 (`elo1`). After every pair
//! the log-likelihood ratio is compared with two bounds; the match ends when it leaves them. If H0 is exactly true,
//! H1 is accepted with a probability of about `alpha` at most; if H1 is exactly true, H0 with `beta` at most.
//! Differences beyond the two are decided sooner and more surely; between them either answer is possible and the
//! match is longest.
//!
//! The distribution of a pair has more parameters than the difference, so each likelihood is that of the multinomial
//! distribution that fits the counts best among those with the hypothetical difference. Counts of zero are taken for
//! a thousandth, as fishtest does.
//!
//! Literature: A. Wald, *Sequential Analysis* (1947); M. Van den Bergh, *A practical introduction to the GSPRT* and
//! *The generalized maximum likelihood ratio for the expectation value of a distribution* (2019).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::Error;
use crate::pairs::{Results, score_of_elo};

/// On which scale the two differences are meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scale {
    /// Elo: a difference fixes the expected score.
    #[default]
    Logistic,
    /// Normalised Elo: a difference fixes the expected advantage in standard deviations, whatever the share of draws.
    Normalised,
}

/// A sequential test.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    scale: Scale,
}

/// One of the two hypotheses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Hypothesis {
    /// The difference is `elo0`, or less.
    H0,
    /// The difference is `elo1`, or more.
    H1,
}

/// Where a test stands.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Verdict {
    /// The log-likelihood ratio of H1 against H0 (natural logarithm).
    pub llr: f64,
    /// At or below this H0 is accepted.
    pub lower: f64,
    /// At or above this H1 is accepted.
    pub upper: f64,
    /// What is accepted; `None` while the match goes on.
    pub accepted: Option<Hypothesis>,
}

impl Sprt {
    /// A test of `elo0` against the greater `elo1` with these probabilities of error, on the logistic scale.
    ///
    /// # Errors
    /// Unless the differences are finite, in order and below 4,000, and the probabilities above 0 and below ½.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64) -> Result<Self, Error> {
        const LARGEST: f64 = 4000.0;
        for (name, elo) in [("elo0", elo0), ("elo1", elo1)] {
            if !elo.is_finite() || elo.abs() >= LARGEST {
                return Err(Error::setting(name, elo, "a number between -4000 and 4000"));
            }
        }
        if elo0 >= elo1 {
            return Err(Error::setting("elo1", elo1, format!("more than elo0, which is {elo0}")));
        }
        for (name, error) in [("alpha", alpha), ("beta", beta)] {
            if !(error > 0.0 && error < 0.5) {
                return Err(Error::setting(name, error, "a probability above 0 and below 0.5"));
            }
        }
        Ok(Sprt { elo0, elo1, alpha, beta, scale: Scale::Logistic })
    }

    /// The same test with its differences on another scale.
    #[must_use]
    pub fn on(self, scale: Scale) -> Self {
        Sprt { scale, ..self }
    }

    /// The bounds of the log-likelihood ratio (Wald): ln(β/(1-α)) and ln((1-β)/α).
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of H1 against H0 after these results; 0 without any.
    pub fn llr<const N: usize>(&self, results: &Results<N>) -> f64 {
        if results.n() == 0 {
            return 0.0;
        }
        let total: f64 = results.counts.iter().map(|&count| regular(count)).sum();
        let seen: [Point; N] = std::array::from_fn(|index| Point {
            value: Results::<N>::score_of(index),
            share: regular(results.counts[index]) / total,
        });
        let fit = |elo: f64| match self.scale {
            Scale::Logistic => with_mean(&seen, score_of_elo(elo)),
            Scale::Normalised => with_advantage(&seen, 0.5, elo / Results::<N>::normalised_scale()),
        };
        let (h0, h1) = (fit(self.elo0), fit(self.elo1));
        (0..N).map(|i| total * seen[i].share * (h1[i].share / h0[i].share).ln()).sum()
    }

    /// Where the test stands after these results.
    pub fn verdict<const N: usize>(&self, results: &Results<N>) -> Verdict {
        let llr = self.llr(results);
        let (lower, upper) = self.bounds();
        let accepted = if llr >= upper {
            Some(Hypothesis::H1)
        } else if llr <= lower {
            Some(Hypothesis::H0)
        } else {
            None
        };
        Verdict { llr, lower, upper, accepted }
    }
}

impl Sprt {
    /// How many more units (pairs, or games that stand alone) the match is expected to take until the test is
    /// decided: 0 once it is. `None` below two units.
    ///
    /// The ratio is taken for a Brownian motion, whose mean time to a bound is known for any true strength (Wald),
    /// with Siegmund's correction for the overshoot; the mean is over what the true strength may be in the light of
    /// the results. A forecast for one match may be off by more than its own size.
    pub fn expected_remaining<const N: usize>(&self, results: &Results<N>) -> Option<f64> {
        /// Steps on either side of the strength seen, and how many make a standard error.
        const STEPS: i32 = 24;
        const STEPS_AN_ERROR: f64 = 6.0;
        /// How far a random walk with steps of deviation 1 goes beyond a bound, in the mean (Siegmund 1985).
        const OVERSHOOT: f64 = 0.583;
        let n = results.n() as f64;
        if results.n() < 2 {
            return None;
        }
        let verdict = self.verdict(results);
        if verdict.accepted.is_some() {
            return Some(0.0);
        }
        // Everything in standard deviations of a unit's score, above a score of one half.
        let deviation = results.standard_error() * n.sqrt();
        let advantage = |score: f64| (score - 0.5) / deviation;
        let [zero, one] = [self.elo0, self.elo1].map(|elo| match self.scale {
            Scale::Logistic => advantage(score_of_elo(elo)),
            Scale::Normalised => elo / Results::<N>::normalised_scale(),
        });
        let seen = advantage(results.moments().mean);
        let step = one - zero;
        let [below, above] =
            [verdict.llr - verdict.lower, verdict.upper - verdict.llr].map(|gap| gap + OVERSHOOT * step);
        let (mut sum, mut weights) = (0.0, 0.0);
        for place in -STEPS..=STEPS {
            let errors = f64::from(place) / STEPS_AN_ERROR;
            let truth = seen + errors / n.sqrt();
            let weight = (-errors * errors / 2.0).exp();
            sum += weight * exit_time(step * (truth - f64::midpoint(zero, one)), step * step, below, above);
            weights += weight;
        }
        Some(sum / weights)
    }
}

/// The mean time until a Brownian motion of this drift and variance a unit of time has gone down by `below` or up by
/// `above`.
fn exit_time(drift: f64, variance: f64, below: f64, above: f64) -> f64 {
    if drift < 0.0 {
        return exit_time(-drift, variance, above, below);
    }
    let pull = 2.0 * drift / variance;
    if pull * (below + above) < 1e-4 {
        return below * above / variance;
    }
    let up = (-pull * below).exp_m1() / (-pull * (below + above)).exp_m1();
    (up * (below + above) - below) / drift
}

impl FromStr for Sprt {
    type Err = Error;

    /// `elo0,elo1,alpha,beta`, such as `0,10,0.05,0.05`.
    fn from_str(text: &str) -> Result<Self, Error> {
        let syntax = || Error::Syntax {
            text: text.to_owned(),
            expected: "four numbers elo0,elo1,alpha,beta, such as 0,10,0.05,0.05".to_owned(),
        };
        let numbers: Vec<f64> = text
            .split(',')
            .map(|number| number.trim().parse().map_err(|_| syntax()))
            .collect::<Result<_, _>>()?;
        match numbers[..] {
            [elo0, elo1, alpha, beta] => Sprt::new(elo0, elo1, alpha, beta),
            _ => Err(syntax()),
        }
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{},{},{}", self.elo0, self.elo1, self.alpha, self.beta)
    }
}

/// A count that the likelihood can take the logarithm of.
fn regular(count: u64) -> f64 {
    if count == 0 { 1e-3 } else { count as f64 }
}

/// A value of a discrete distribution and its probability.
#[derive(Clone, Copy)]
struct Point {
    value: f64,
    share: f64,
}

/// The distribution with this mean that is likeliest to give the shares seen, which are above zero.
///
/// Its shares are `p / (1 + theta (a - mean))`, where theta is the one zero of a falling function.
fn with_mean<const N: usize>(seen: &[Point; N], mean: f64) -> [Point; N] {
    let least = seen.iter().map(|point| point.value).fold(f64::INFINITY, f64::min) - mean;
    let most = seen.iter().map(|point| point.value).fold(f64::NEG_INFINITY, f64::max) - mean;
    // A mean that no distribution on these values has: the nearest distribution is all at one end, and nothing can be
    // told apart.
    if least >= 0.0 || most <= 0.0 {
        return *seen;
    }
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let width = high - low;
    let mut theta = if low < 0.0 && high > 0.0 { 0.0 } else { low + width / 2.0 };
    // Newton steps, held between the poles by bisection.
    for _ in 0..200 {
        let (mut excess, mut slope) = (0.0, 0.0);
        for point in seen {
            let distance = point.value - mean;
            let ratio = distance / (1.0 + theta * distance);
            excess += point.share * ratio;
            slope -= point.share * ratio * ratio;
        }
        if excess > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
        let newton = theta - excess / slope;
        let next = if newton > low && newton < high { newton } else { low + (high - low) / 2.0 };
        let step = (next - theta).abs();
        theta = next;
        if step <= 1e-14 * width {
            break;
        }
    }
    seen.map(|point| Point { share: point.share / (1.0 + theta * (point.value - mean)), ..point })
}

/// The distribution whose mean is `t` of its own standard deviations above `reference` that is likeliest to give the
/// shares seen.
///
/// The constraint is linear in the shares but for the deviation; it is linearised at the last distribution until it
/// settles.
fn with_advantage<const N: usize>(seen: &[Point; N], reference: f64, t: f64) -> [Point; N] {
    let mut distribution = seen.map(|point| Point { share: 1.0 / N as f64, ..point });
    for _ in 0..50 {
        let mean: f64 = distribution.iter().map(|point| point.share * point.value).sum();
        let variance: f64 = distribution.iter().map(|point| point.share * (point.value - mean).powi(2)).sum();
        let deviation = variance.sqrt();
        let tangent = seen.map(|point| {
            let z = (mean - point.value) / deviation;
            Point { value: point.value - reference - t * deviation * (1.0 + z * z) / 2.0, ..point }
        });
        let next = with_mean(&tangent, 0.0);
        let change = (0..N).map(|i| (next[i].share - distribution[i].share).abs()).fold(0.0, f64::max);
        for (point, next) in distribution.iter_mut().zip(next) {
            point.share = next.share;
        }
        if change < 1e-9 {
            break;
        }
    }
    distribution
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::interval::Moments;
    use crate::pairs::PairResults;
    use crate::random::{category, close, generator};

    fn test(text: &str) -> Sprt {
        text.parse().unwrap()
    }

    #[test]
    fn the_ratio_is_that_of_the_likeliest_distributions() {
        // Reference: the likelihoods maximised under the constraint by sequential quadratic programming (scipy).
        for (counts, text, logistic, normalised) in [
            ([10789, 19328, 33806, 19402, 10543], "-3,1,0.05,0.05", 2.131_067_8, 0.300_869_8),
            ([40, 1021, 2230, 1101, 52], "-3,1,0.05,0.05", 5.325_017_8, 2.557_017_5),
            ([40, 1021, 2230, 1101, 52], "0,10,0.05,0.05", -2.452_109_5, 1.976_141_2),
            ([3, 20, 60, 30, 9], "0,10,0.05,0.05", 1.352_038_9, 0.905_256_5),
            ([3, 20, 60, 30, 9], "0,60,0.05,0.05", 0.522_713_6, 2.449_511_5),
            ([0, 1, 7, 5, 2], "0,60,0.05,0.05", 2.277_882_9, 1.537_468_3),
        ] {
            let (sprt, results) = (test(text), Results { counts });
            close(sprt.llr(&results), logistic, 1e-4);
            close(sprt.on(Scale::Normalised).llr(&results), normalised, 1e-4);
        }
        let games = Results { counts: [30, 20, 45] };
        close(test("0,10,0.05,0.05").llr(&games), 0.497_388_9, 1e-4);
        close(test("0,10,0.05,0.05").on(Scale::Normalised).llr(&games), 0.446_590_4, 1e-4);
        close(test("0,10,0.05,0.05").llr(&PairResults::default()), 0.0, 0.0);
    }

    #[test]
    fn the_likeliest_distributions_have_what_they_are_asked() {
        let seen: [Point; 5] =
            std::array::from_fn(|i| Point { value: i as f64 / 4.0, share: [0.1, 0.3, 0.3, 0.2, 0.1][i] });
        let mean = |distribution: &[Point; 5]| distribution.iter().map(|p| p.share * p.value).sum::<f64>();
        for target in [0.2, 0.475, 0.6, 0.9] {
            let distribution = with_mean(&seen, target);
            close(mean(&distribution), target, 1e-9);
            close(distribution.iter().map(|p| p.share).sum(), 1.0, 1e-9);
        }
        for t in [-0.4, 0.0, 0.15, 0.8] {
            let distribution = with_advantage(&seen, 0.5, t);
            let m = mean(&distribution);
            let deviation = distribution.iter().map(|p| p.share * (p.value - m).powi(2)).sum::<f64>().sqrt();
            close((m - 0.5) / deviation, t, 1e-6);
            close(distribution.iter().map(|p| p.share).sum(), 1.0, 1e-9);
        }
    }

    /// The share of matches that accept H1, and the mean number of pairs, when pairs have this distribution.
    fn matches(sprt: &Sprt, weights: &[f64; 5], runs: u64) -> (f64, f64) {
        let (mut accepted, mut pairs) = (0u64, 0u64);
        for run in 0..runs {
            let mut rng = generator(run);
            let mut results = PairResults::default();
            loop {
                results.counts[category(weights, &mut rng)] += 1;
                match sprt.verdict(&results).accepted {
                    None => {}
                    Some(hypothesis) => {
                        accepted += u64::from(hypothesis == Hypothesis::H1);
                        pairs += results.n();
                        break;
                    }
                }
            }
        }
        (accepted as f64 / runs as f64, pairs as f64 / runs as f64)
    }

    /// A distribution of pairs with this score: the base distribution, tilted.
    fn tilted(base: [f64; 5], score: f64) -> [f64; 5] {
        let seen: [Point; 5] = std::array::from_fn(|i| Point { value: i as f64 / 4.0, share: base[i] });
        with_mean(&seen, score).map(|point| point.share)
    }

    #[test]
    fn errors_stay_within_alpha_and_beta() {
        const RUNS: u64 = 2000;
        // Two standard errors of a share of 2,000.
        let within = |share: f64, bound: f64| {
            assert!(share <= bound + 2.0 * (bound / RUNS as f64).sqrt(), "{share} is more than {bound}");
        };
        for (base, text, alpha, beta) in [
            ([0.05, 0.2, 0.5, 0.2, 0.05], "0,30,0.05,0.05", 0.05, 0.05),
            ([0.2, 0.05, 0.5, 0.05, 0.2], "0,60,0.05,0.1", 0.05, 0.1),
            ([0.1, 0.1, 0.3, 0.2, 0.3], "50,120,0.1,0.05", 0.1, 0.05),
        ] {
            let sprt = test(text);
            let (h0, pairs) = matches(&sprt, &tilted(base, score_of_elo(sprt.elo0)), RUNS);
            let (h1, _) = matches(&sprt, &tilted(base, score_of_elo(sprt.elo1)), RUNS);
            within(h0, alpha);
            within(1.0 - h1, beta);
            // And they are not far below: the test does not waste games.
            assert!(h0 > alpha / 3.0 && 1.0 - h1 > beta / 3.0 && pairs > 20.0, "{h0} {h1} {pairs}");
        }
    }

    #[test]
    fn errors_stay_within_alpha_and_beta_on_the_normalised_scale() {
        let sprt = test("0,40,0.05,0.05").on(Scale::Normalised);
        let base = [0.05, 0.2, 0.5, 0.2, 0.05];
        let seen: [Point; 5] = std::array::from_fn(|i| Point { value: i as f64 / 4.0, share: base[i] });
        let distribution = |elo: f64| {
            with_advantage(&seen, 0.5, elo / PairResults::normalised_scale()).map(|point| point.share)
        };
        let (h0, _) = matches(&sprt, &distribution(0.0), 1000);
        let (h1, _) = matches(&sprt, &distribution(40.0), 1000);
        assert!(h0 < 0.065 && h1 > 0.935, "{h0} {h1}");
    }

    #[test]
    fn the_remaining_units_are_those_that_matches_take() {
        let base = [0.05, 0.2, 0.5, 0.2, 0.05];
        for (text, scale) in [("0,40,0.05,0.05", Scale::Logistic), ("0,60,0.05,0.1", Scale::Normalised)] {
            let sprt = test(text).on(scale);
            let (mut foretold, mut taken, mut first) = (0.0, Moments::default(), 0);
            for run in 0..1500 {
                let mut rng = generator(run);
                // Every strength is as likely, as the forecast has no opinion before the results.
                let distribution = tilted(base, score_of_elo(240.0 * (rng.random::<f64>() - 0.5)));
                let mut results = PairResults::default();
                let mut at_forty = None;
                while sprt.verdict(&results).accepted.is_none() {
                    if results.n() == 40 {
                        at_forty = sprt.expected_remaining(&results);
                    }
                    results.counts[category(&distribution, &mut rng)] += 1;
                }
                assert_eq!(sprt.expected_remaining(&results), Some(0.0));
                match at_forty {
                    None => first += 1,
                    Some(forecast) => {
                        foretold += forecast;
                        taken.add((results.n() - 40) as f64);
                    }
                }
            }
            foretold /= taken.n as f64;
            assert!(first > 200 && taken.n > 300, "{first} {}", taken.n);
            let doubt = 3.0 * taken.standard_error() + 0.05 * taken.mean;
            assert!(
                (foretold - taken.mean).abs() < doubt,
                "{text}: {foretold} foretold, {} taken",
                taken.mean
            );
        }
    }

    #[test]
    fn times_to_a_bound_are_those_of_brownian_motion() {
        close(exit_time(0.0, 0.25, 2.0, 3.0), 24.0, 1e-9);
        // Without a bound worth speaking of on one side, distance over speed.
        close(exit_time(0.5, 0.1, 1000.0, 3.0), 6.0, 1e-9);
        close(exit_time(-0.5, 0.1, 3.0, 1000.0), 6.0, 1e-9);
        // Little drift is close to none.
        close(exit_time(1e-5, 0.25, 2.0, 3.0), 24.0, 1e-2);
        close(exit_time(1e-3, 0.25, 2.0, 3.0), exit_time(-1e-3, 0.25, 3.0, 2.0), 1e-9);
        assert_eq!(test("0,10,0.05,0.05").expected_remaining(&Results { counts: [0, 0, 1, 0, 0] }), None);
    }

    #[test]
    fn verdicts_name_the_hypothesis() {
        let sprt = test("0, 10, 0.05, 0.05");
        let (lower, upper) = sprt.bounds();
        close(upper, 2.944, 1e-3);
        close(lower, -2.944, 1e-3);
        assert_eq!(sprt.verdict(&PairResults::default()).accepted, None);
        let strong = Results { counts: [0, 10, 100, 200, 90] };
        assert_eq!(sprt.verdict(&strong).accepted, Some(Hypothesis::H1));
        assert_eq!(sprt.verdict(&strong.reversed()).accepted, Some(Hypothesis::H0));
        // Games that stand alone.
        let games = Results { counts: [1000, 200, 1400] };
        assert_eq!(sprt.verdict(&games).accepted, Some(Hypothesis::H1));
    }

    #[test]
    fn bad_settings_say_what_is_expected() {
        for (text, part) in [
            ("0,10,0.05", "four numbers"),
            ("a,10,0.05,0.05", "elo0,elo1,alpha,beta"),
            ("10,0,0.05,0.05", "more than elo0, which is 10"),
            ("0,10,0,0.05", "alpha is 0; expected a probability"),
            ("0,10,0.05,0.7", "beta is 0.7"),
            ("nan,10,0.05,0.05", "elo0 is NaN"),
            ("0,9e9,0.05,0.05", "elo1"),
        ] {
            let message = text.parse::<Sprt>().unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
        assert_eq!(test(" 0,10,0.05,0.1").to_string(), "0,10,0.05,0.1");
    }
}
