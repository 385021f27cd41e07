//! The strength of one agent against another, from games in pairs: the same dice, the sides swapped.
//!
//! The two games of a pair depend on each other: what the side is worth cancels out, and lucky dice help both agents
//! once. The unit of observation is therefore the pair, with five results (0, ½, 1, 1½, 2 points: the *pentanomial*
//! counts), and its variance is that of pairs. Games that stand alone have three results (the *trinomial* counts).
//! Both are [`Results`], and everything is computed the same way from either.
//!
//! Scores are points per game, 0 to 1, of the agent in question; Elo differences are on the logistic scale of 400
//! points a decade.
//!
//! Literature: M. Van den Bergh, *Normalized Elo* and *Comments on Normalized Elo* (2019, 2020), the basis of
//! fishtest; fastchess and `OpenBench` report the same figures. The interval of the score is Wilson's (1927) with the
//! variance seen.

use serde::{Deserialize, Serialize};

use crate::interval::{Estimate, LEVEL, Moments, normal_reach, normal_share};

/// How a game ended for the agent in question.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Outcome {
    /// It lost.
    Loss,
    /// It neither won nor lost.
    Draw,
    /// It won.
    Win,
}

impl Outcome {
    /// Twice the points: 0, 1 or 2.
    pub fn half_points(self) -> usize {
        self as usize
    }

    /// The points: 0, ½ or 1.
    pub fn score(self) -> f64 {
        self as usize as f64 / 2.0
    }

    /// The outcome for the opponent.
    #[must_use]
    pub fn reversed(self) -> Self {
        match self {
            Outcome::Loss => Outcome::Win,
            Outcome::Draw => Outcome::Draw,
            Outcome::Win => Outcome::Loss,
        }
    }
}

/// How often each of `N` equally spaced results occurred, from no point to all of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(bound(serialize = "[u64; N]: serde::Serialize", deserialize = "[u64; N]: serde::Deserialize<'de>"))]
pub struct Results<const N: usize> {
    /// The number of units (pairs or games) with each result, the worst first.
    pub counts: [u64; N],
}

/// Pairs of games by points: 0, ½, 1, 1½, 2 (pentanomial).
pub type PairResults = Results<5>;

/// Games that stand alone by outcome: losses, draws, wins (trinomial).
pub type GameResults = Results<3>;

impl<const N: usize> Default for Results<N> {
    fn default() -> Self {
        Results { counts: [0; N] }
    }
}

impl PairResults {
    /// Adds a pair by its two outcomes.
    pub fn add(&mut self, one: Outcome, other: Outcome) {
        self.counts[one.half_points() + other.half_points()] += 1;
    }
}

impl GameResults {
    /// Adds a game.
    pub fn add(&mut self, outcome: Outcome) {
        self.counts[outcome.half_points()] += 1;
    }
}

impl<const N: usize> Results<N> {
    /// The games in a unit: two in a pair.
    pub const GAMES: usize = (N - 1) / 2;

    /// Adds other results.
    pub fn merge(&mut self, other: &Self) {
        for (mine, theirs) in self.counts.iter_mut().zip(other.counts) {
            *mine += theirs;
        }
    }

    /// The results for the opponent.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let mut counts = self.counts;
        counts.reverse();
        Results { counts }
    }

    /// How many units: pairs, or games that stand alone.
    pub fn n(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// How many games.
    pub fn games(&self) -> u64 {
        self.n() * Self::GAMES as u64
    }

    /// The score of a unit with the result `index`.
    pub(crate) fn score_of(index: usize) -> f64 {
        index as f64 / (N - 1) as f64
    }

    /// The moments of the score of a unit.
    pub fn moments(&self) -> Moments {
        let mut all = Moments::default();
        for (index, &n) in self.counts.iter().enumerate() {
            all.merge(&Moments { n, mean: Self::score_of(index), deviations: 0.0 });
        }
        all
    }

    /// The variance of the score of a unit: for pairs, of the mean of two games. Not a number below two units.
    pub fn variance(&self) -> f64 {
        self.moments().variance()
    }

    /// The score with its 95% interval.
    ///
    /// This is Wilson's interval for as many independent games as would have the variance seen: inside 0 to 1, and
    /// honest when one agent won everything. Without results, anything from 0 to 1.
    pub fn score(&self) -> Estimate {
        self.score_at(LEVEL)
    }

    /// [`Results::score`] at a level of choice.
    pub fn score_at(&self, level: f64) -> Estimate {
        self.moments().mean_on_at(0.0, 1.0, level)
    }

    /// The standard error of the score, never zero; infinite without results.
    pub fn standard_error(&self) -> f64 {
        let Moments { n, mean, .. } = self.moments();
        if n == 0 {
            return f64::INFINITY;
        }
        let n = n as f64;
        // Drawn towards ½ by a win and a loss, so that an agent that won everything has an error too.
        let p = (mean * n + 1.0) / (n + 2.0);
        (p * (1.0 - p) * self.moments().dispersion_on(0.0, 1.0) / n).sqrt()
    }

    /// The Elo difference to the opponent with its interval: the score on the logistic scale. Infinite where the score
    /// is 0 or 1.
    pub fn elo(&self) -> Estimate {
        self.score().map(elo_of_score)
    }

    /// The normalised Elo difference with its interval: the mean advantage of a game in standard deviations of a game,
    /// scaled so that it equals the Elo difference near 0 where every game is decided. Unlike Elo it does not
    /// shrink with draws, and it tells how many games a test needs.
    ///
    /// The interval is by the delta method, around results with half a one of each kind more. Without any variance it is
    /// unbounded.
    pub fn normalised_elo(&self) -> Estimate {
        let moments = self.moments();
        let n = moments.n as f64;
        let deviation = (moments.deviations / n).sqrt();
        if moments.n < 2 || deviation == 0.0 {
            let value = if moments.n == 0 { f64::NAN } else { (moments.mean - 0.5) / 0.0 };
            return Estimate { value, ..Estimate::UNKNOWN };
        }
        let t = (moments.mean - 0.5) / deviation;
        // The spread of each result's influence on t, with half a result of each kind more: where but two kinds have come,
        // in the proportion at which t is stationary, no result would have any influence, and the interval no width.
        let kinds = self.counts.iter().enumerate();
        let weighed = || kinds.clone().map(|(index, &count)| (Self::score_of(index), count as f64 + 0.5));
        let weight: f64 = weighed().map(|(_, weight)| weight).sum();
        let mean = weighed().map(|(score, weight)| score * weight).sum::<f64>() / weight;
        let square = weighed().map(|(score, weight)| (score - mean).powi(2) * weight).sum::<f64>() / weight;
        let around = (mean - 0.5) / square.sqrt();
        let variance: f64 = weighed()
            .map(|(score, weight)| {
                let z = (score - mean) / square.sqrt();
                weight * (z - around / 2.0 * (z * z - 1.0)).powi(2)
            })
            .sum::<f64>()
            / weight;
        let scale = Self::normalised_scale();
        Estimate::symmetric(t * scale, normal_reach(LEVEL) * (variance / n).sqrt() * scale)
    }

    /// Normalised Elo a standard deviation of a unit. The deviation of a game is that of a pair times √2.
    pub(crate) fn normalised_scale() -> f64 {
        800.0 / std::f64::consts::LN_10 / (Self::GAMES as f64).sqrt()
    }

    /// The likelihood of superiority: the probability that the agent is the stronger one, in the light of these results
    /// and with no opinion before them. ½ without results.
    pub fn likelihood_of_superiority(&self) -> f64 {
        if self.n() == 0 {
            return 0.5;
        }
        normal_share((self.moments().mean - 0.5) / self.standard_error())
    }
}

/// The Elo difference at which a score is expected.
pub fn elo_of_score(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The score expected at an Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{assert_coverage, category, close, generator};

    fn pairs(counts: [u64; 5]) -> PairResults {
        Results { counts }
    }

    #[test]
    fn a_pair_is_counted_by_its_points() {
        let mut results = PairResults::default();
        results.add(Outcome::Win, Outcome::Loss);
        results.add(Outcome::Draw, Outcome::Draw);
        results.add(Outcome::Win, Outcome::Draw);
        results.merge(&pairs([1, 0, 0, 0, 2]));
        assert_eq!(results.counts, [1, 0, 2, 1, 2]);
        assert_eq!((results.n(), results.games()), (6, 12));
        assert_eq!(results.reversed().counts, [2, 1, 2, 0, 1]);
        let mut games = GameResults::default();
        games.add(Outcome::Win.reversed());
        games.add(Outcome::Draw.reversed());
        assert_eq!(games.counts, [1, 1, 0]);
        assert_eq!((games.games(), Outcome::Draw.score()), (2, 0.5));
    }

    #[test]
    fn figures_are_those_of_the_test_benches() {
        // A match of 4,444 pairs. Reference: mean, variance and the formulas of fishtest in double precision.
        let results = pairs([40, 1021, 2230, 1101, 52]);
        close(results.score().value, 0.505_850_585_058_505_9, 1e-12);
        close(results.variance(), 0.034_992_771_728, 1e-12);
        let half = 1.96 * (results.variance() / 4444.0).sqrt();
        close(results.score().low, results.score().value - half, 2e-5);
        close(results.elo().value, 4.065_588, 1e-6);
        close(results.elo().high - results.elo().low, 7.643_9, 0.01);
        close(results.normalised_elo().value, 7.684_547, 1e-6);
        close(results.likelihood_of_superiority(), 0.981_474, 1e-4);
        // Where every game is decided, both scales agree near zero.
        let games = Results::<3> { counts: [4950, 0, 5050] };
        close(games.normalised_elo().value, games.elo().value, 0.01);
    }

    #[test]
    fn scores_cover() {
        for (weights, n) in [
            ([0.05, 0.2, 0.5, 0.2, 0.05], 15),
            ([0.1, 0.0, 0.7, 0.0, 0.2], 40),
            ([0.2, 0.1, 0.1, 0.2, 0.4], 25),
            ([0.01, 0.03, 0.2, 0.3, 0.46], 60),
        ] {
            let truth = (0..5).map(|i| weights[i] * i as f64 / 4.0).sum();
            assert_coverage(4000, truth, |run| {
                let mut rng = generator(run);
                let mut results = PairResults::default();
                (0..n).for_each(|_| results.counts[category(&weights, &mut rng)] += 1);
                results.score()
            });
        }
    }

    #[test]
    fn normalised_elo_covers() {
        // Far from equality, where the deviation is as uncertain as the mean.
        let weights = [0.0, 0.05, 0.1, 0.25, 0.6];
        let mean: f64 = (0..5).map(|i| weights[i] * i as f64 / 4.0).sum();
        let variance: f64 = (0..5).map(|i| weights[i] * (i as f64 / 4.0 - mean).powi(2)).sum();
        let truth = (mean - 0.5) / (2.0 * variance).sqrt() * 800.0 / 10f64.ln();
        assert_coverage(3000, truth, |run| {
            let mut rng = generator(run);
            let mut results = PairResults::default();
            (0..600).for_each(|_| results.counts[category(&weights, &mut rng)] += 1);
            results.normalised_elo()
        });
    }

    #[test]
    fn a_normalised_elo_has_width_where_no_result_has_influence() {
        // Two kinds of result, one twice as often as the other: the derivative vanishes.
        let estimate = pairs([0, 0, 0, 38, 19]).normalised_elo();
        assert!(estimate.width() > 20.0, "{estimate:?}");
    }

    #[test]
    fn a_whitewash_is_not_certainty() {
        let results = pairs([0, 0, 0, 0, 5]);
        let score = results.score();
        assert_eq!((score.value, score.high), (1.0, 1.0));
        assert!(score.low > 0.3 && score.low < 0.7, "{score:?}");
        assert!(results.elo().value.is_infinite() && results.elo().low.is_finite());
        assert!(results.normalised_elo().value.is_infinite());
        let los = results.likelihood_of_superiority();
        assert!(los > 0.97 && los < 0.9999, "{los}");
        let level = pairs([0, 0, 3, 0, 0]);
        assert!(level.score().width() > 0.2 && level.normalised_elo().value.is_nan());
        close(level.likelihood_of_superiority(), 0.5, 1e-12);
        let nothing = PairResults::default();
        assert_eq!((nothing.score().low, nothing.score().high), (0.0, 1.0));
        assert!(nothing.score().value.is_nan() && nothing.normalised_elo().value.is_nan());
        close(nothing.likelihood_of_superiority(), 0.5, 0.0);
    }

    #[test]
    fn elo_and_score_are_inverse() {
        close(score_of_elo(0.0), 0.5, 0.0);
        close(score_of_elo(400.0), 10.0 / 11.0, 1e-12);
        for elo in [-700.0, -3.0, 12.5] {
            close(elo_of_score(score_of_elo(elo)), elo, 1e-9);
        }
    }
}
