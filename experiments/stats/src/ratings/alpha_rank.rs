//! α-Rank: who stays when strategies compete by evolution.

use serde::{Deserialize, Serialize};

use crate::Error;

/// The ranking of S. Omidshafiei et al., *α-Rank: Multi-Agent Evaluation by Evolution* (Scientific Reports 9, 2019).
///
/// A finite population plays one strategy; now and then a mutant with another appears and takes over or dies out, the
/// more surely the better it does against the residents. The share of time that evolution spends with each strategy
/// is its rank. Strategies that beat each other in a cycle share; a strategy beaten by one that nobody beats gets
/// nothing.
///
/// The stationary distribution is computed from logarithms by the state reduction of Grassmann, Taksar and Heyman
/// (1985), which subtracts nowhere: it is exact to rounding for any intensity, however small the probabilities.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct AlphaRank {
    /// The intensity of selection, a payoff difference of one being the unit: small values rank by chance, large ones
    /// by strict domination. `None` for the limit of infinity, to be preferred unless payoffs are noisy.
    pub alpha: Option<f64>,
    /// The size of each population.
    pub population: u32,
}

impl Default for AlphaRank {
    fn default() -> Self {
        AlphaRank { alpha: None, population: 50 }
    }
}

impl AlphaRank {
    /// The share of each of `n` strategies in a symmetric game; `payoff(a, b)` is what `a` gets against `b`.
    ///
    /// # Errors
    /// Without strategies, with a population below two, an intensity that is not positive, or a payoff that is not
    /// finite.
    pub fn single(&self, n: usize, payoff: impl Fn(usize, usize) -> f64) -> Result<Vec<f64>, Error> {
        let gains = self.gains(n, |from, to| Some(payoff(to, from) - payoff(from, to)))?;
        Ok(self.stationary(n, &gains))
    }

    /// The share of each profile `(a, b)` in an asymmetric game of two sides with `n.0` and `n.1` strategies,
    /// `payoff(a, b)` being what each of the two gets; profile `(a, b)` stands at `a * n.1 + b`. A strategy's share
    /// is the sum over the profiles it is in.
    ///
    /// # Errors
    /// As [`AlphaRank::single`].
    pub fn two_sided(
        &self,
        n: (usize, usize),
        payoff: impl Fn(usize, usize) -> (f64, f64),
    ) -> Result<Vec<f64>, Error> {
        let profiles = n.0 * n.1;
        let profile = |state: usize| (state / n.1, state % n.1);
        let gains = self.gains(profiles, |from, to| {
            let (before, after) = (profile(from), profile(to));
            let (was, is) = (payoff(before.0, before.1), payoff(after.0, after.1));
            if before.1 == after.1 {
                Some(is.0 - was.0)
            } else if before.0 == after.0 {
                Some(is.1 - was.1)
            } else {
                None
            }
        })?;
        Ok(self.stationary(profiles, &gains))
    }

    /// What the mutant gains in each step from one state to another; `None` where there is no such step.
    fn gains(&self, n: usize, gain: impl Fn(usize, usize) -> Option<f64>) -> Result<Vec<Option<f64>>, Error> {
        if n == 0 {
            return Err(Error::setting("the number of strategies", n, "at least 1"));
        }
        if self.population < 2 {
            return Err(Error::setting("the population", self.population, "at least 2"));
        }
        if let Some(alpha) = self.alpha
            && !(alpha > 0.0 && alpha.is_finite())
        {
            return Err(Error::setting("alpha", alpha, "a number above 0"));
        }
        let mut gains = Vec::with_capacity(n * n);
        for from in 0..n {
            for to in 0..n {
                let gain = if from == to { None } else { gain(from, to) };
                if let Some(gain) = gain
                    && !gain.is_finite()
                {
                    return Err(Error::setting("a payoff", gain, "a finite number"));
                }
                gains.push(gain);
            }
        }
        Ok(gains)
    }

    /// The logarithm of the probability that one mutant takes the population over.
    fn fixation(&self, gain: f64, alpha: f64) -> f64 {
        let (u, m) = (alpha * gain, f64::from(self.population));
        if u == 0.0 {
            -m.ln()
        } else if u > 0.0 {
            (-(-u).exp_m1()).ln() - (-(-m * u).exp_m1()).ln()
        } else {
            log_expm1(-u) - log_expm1(-m * u)
        }
    }

    fn stationary(&self, n: usize, gains: &[Option<f64>]) -> Vec<f64> {
        // In the limit the smallest difference that there is decides as surely as the largest.
        let alpha = self.alpha.unwrap_or_else(|| {
            let largest = gains.iter().flatten().fold(0.0, |most: f64, gain| most.max(gain.abs()));
            // Differences of rounding are none.
            let smallest = gains
                .iter()
                .flatten()
                .map(|gain| gain.abs())
                .filter(|&gain| gain > 1e-9 * largest)
                .fold(f64::INFINITY, f64::min);
            if smallest.is_finite() { 100.0 / smallest } else { 1.0 }
        });
        let floor = if self.alpha.is_none() { 1.0 / alpha } else { 0.0 };
        // The rate of mutants is the same everywhere, so it does not matter here.
        let mut rates: Vec<f64> = gains
            .iter()
            .map(|gain| match gain {
                None => f64::NEG_INFINITY,
                Some(gain) if gain.abs() < floor => self.fixation(0.0, alpha),
                Some(gain) => self.fixation(*gain, alpha),
            })
            .collect();
        // State reduction: the last state is taken out and the ways through it are added to the others.
        let mut outflow = vec![0.0; n];
        for last in (1..n).rev() {
            outflow[last] = log_sum((0..last).map(|to| rates[last * n + to]));
            for from in 0..last {
                for to in 0..last {
                    let through = rates[from * n + last] + rates[last * n + to] - outflow[last];
                    rates[from * n + to] = log_add(rates[from * n + to], through);
                }
            }
        }
        let mut shares = vec![0.0; n];
        for state in 1..n {
            shares[state] =
                log_sum((0..state).map(|from| shares[from] + rates[from * n + state])) - outflow[state];
        }
        let total = log_sum(shares.iter().copied());
        shares.iter().map(|share| (share - total).exp()).collect()
    }
}

/// ln(exp(x) - 1) for x above 0.
fn log_expm1(x: f64) -> f64 {
    if x > 30.0 { x } else { x.exp_m1().ln() }
}

fn log_add(a: f64, b: f64) -> f64 {
    let (most, least) = if a > b { (a, b) } else { (b, a) };
    if least == f64::NEG_INFINITY { most } else { most + (least - most).exp().ln_1p() }
}

fn log_sum(terms: impl Iterator<Item = f64> + Clone) -> f64 {
    let most = terms.clone().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        most
    } else {
        most + terms.map(|term| (term - most).exp()).sum::<f64>().ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::close;

    fn limit() -> AlphaRank {
        AlphaRank::default()
    }

    #[test]
    fn a_circle_shares_and_the_dominated_get_nothing() {
        // Rock, paper, scissors, and a strategy that loses to all.
        let payoff = |a: usize, b: usize| match (a, b) {
            (3, 3) => 0.0,
            (3, _) => -1.0,
            (_, 3) => 1.0,
            _ => [0.0, 1.0, -1.0][(a + 3 - b) % 3],
        };
        let shares = limit().single(4, payoff).unwrap();
        for share in &shares[..3] {
            close(*share, 1.0 / 3.0, 1e-9);
        }
        close(shares[3], 0.0, 1e-9);
        // A biased cycle: the published ranking is uniform all the same in the limit.
        let biased = [[0.0, -0.5, 1.0], [0.5, 0.0, -0.1], [-1.0, 0.1, 0.0]];
        for share in limit().single(3, |a, b| biased[a][b]).unwrap() {
            close(share, 1.0 / 3.0, 1e-9);
        }
        let best = limit().single(3, |a, b| a as f64 - b as f64).unwrap();
        close(best[2], 1.0, 1e-9);
        assert_eq!(limit().single(1, |_, _| 0.0).unwrap(), [1.0]);
        for share in limit().single(3, |_, _| 0.5).unwrap() {
            close(share, 1.0 / 3.0, 1e-12);
        }
    }

    /// The stationary distribution by brute force: the chain itself, stepped.
    fn stepped(
        n: usize,
        rank: &AlphaRank,
        gain: impl Fn(usize, usize) -> Option<f64>,
        ways: f64,
    ) -> Vec<f64> {
        let (alpha, m) = (rank.alpha.unwrap(), f64::from(rank.population));
        let step = |from: usize, to: usize| {
            gain(from, to).map_or(0.0, |gain| {
                let u = alpha * gain;
                if u == 0.0 { 1.0 / m } else { (1.0 - (-u).exp()) / (1.0 - (-m * u).exp()) }
            }) / ways
        };
        let mut shares = vec![1.0 / n as f64; n];
        for _ in 0..20_000 {
            let mut next = shares.clone();
            for from in 0..n {
                for to in (0..n).filter(|&to| to != from) {
                    let moved = shares[from] * step(from, to);
                    next[from] -= moved;
                    next[to] += moved;
                }
            }
            shares = next;
        }
        shares
    }

    #[test]
    fn finite_intensity_is_the_chain_itself() {
        let rank = AlphaRank { alpha: Some(0.4), population: 10 };
        let table =
            [[0.5, 0.7, 0.2, 0.6], [0.3, 0.5, 0.55, 0.9], [0.8, 0.45, 0.5, 0.5], [0.4, 0.1, 0.5, 0.5]];
        let shares = rank.single(4, |a, b| table[a][b]).unwrap();
        let brute = stepped(4, &rank, |from, to| Some(table[to][from] - table[from][to]), 3.0);
        for (share, brute) in shares.iter().zip(&brute) {
            close(*share, *brute, 1e-9);
        }
        assert!(shares.iter().all(|&share| share > 0.01), "{shares:?}");
        // Two populations.
        let payoff = |a: usize, b: usize| (table[a][b], 1.0 - table[a][b] + 0.1 * b as f64);
        let shares = rank.two_sided((3, 2), payoff).unwrap();
        let gain = |from: usize, to: usize| {
            let (was, is) = (payoff(from / 2, from % 2), payoff(to / 2, to % 2));
            match (from / 2 == to / 2, from % 2 == to % 2) {
                (false, true) => Some(is.0 - was.0),
                (true, false) => Some(is.1 - was.1),
                _ => None,
            }
        };
        for (share, brute) in shares.iter().zip(stepped(6, &rank, gain, 3.0)) {
            close(*share, brute, 1e-9);
        }
    }

    #[test]
    fn asymmetric_games() {
        // Matching pennies: nobody can stay.
        let pennies = |a: usize, b: usize| if a == b { (1.0, -1.0) } else { (-1.0, 1.0) };
        for share in limit().two_sided((2, 2), pennies).unwrap() {
            close(share, 0.25, 1e-9);
        }
        // Battle of the sexes: the two strict equilibria share (Omidshafiei et al., figure 5).
        let sexes = |a: usize, b: usize| match (a, b) {
            (0, 0) => (3.0, 2.0),
            (1, 1) => (2.0, 3.0),
            _ => (0.0, 0.0),
        };
        let shares = limit().two_sided((2, 2), sexes).unwrap();
        close(shares[0], 0.5, 1e-9);
        close(shares[3], 0.5, 1e-9);
        // A dominant strategy on either side.
        let shares = limit().two_sided((2, 3), |a, b| (a as f64, -(b as f64))).unwrap();
        close(shares[3], 1.0, 1e-9);
    }

    #[test]
    fn large_intensities_neither_overflow_nor_cancel() {
        let rank = AlphaRank { alpha: Some(1e8), population: 100 };
        let shares = rank.single(3, |a, b| a as f64 - b as f64).unwrap();
        assert_eq!(shares, [0.0, 0.0, 1.0]);
    }

    #[test]
    fn bad_settings_are_refused() {
        assert!(limit().single(0, |_, _| 0.0).is_err());
        assert!(limit().single(2, |_, _| f64::NAN).is_err());
        assert!(AlphaRank { alpha: Some(0.0), ..limit() }.single(2, |_, _| 0.0).is_err());
        assert!(AlphaRank { population: 1, ..limit() }.single(2, |_, _| 0.0).is_err());
    }
}
