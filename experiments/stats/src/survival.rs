//! How long a country lives, a front holds or a leader stays: survival curves with censoring.
//!
//! A game that ends before the event has happened does not tell when it would have: the observation is *censored* at
//! that turn. The Kaplan-Meier estimator uses what it does tell. Censoring must not depend on what is about to
//! happen; a game that ends because the country is about to fall breaks that.
//!
//! Time is in whole turns. An event at turn `t` comes before a censoring at `t`, so `survival` at `t` is the
//! probability to outlive turn `t`.
//!
//! Literature: Kaplan and Meier (1958), *JASA* 53, 457; Greenwood (1926); Borgan and Liestøl (1990), *Scandinavian
//! Journal of Statistics* 17, 35 (the log-log interval); Brookmeyer and Crowley (1982), *Biometrics* 38, 29 (the
//! median).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::interval::{Estimate, LEVEL, normal_reach, wilson};

/// The observations, counted by turn; adds and merges.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Survival {
    /// By turn, how many events and how many observations cut short.
    counts: BTreeMap<u32, (u64, u64)>,
}

/// A turn at which something happened.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Step {
    /// The turn.
    pub turn: u32,
    /// How many were still observed when the turn began.
    pub at_risk: u64,
    /// How many events it saw.
    pub events: u64,
    /// How many observations ended without.
    pub censored: u64,
    /// The probability to outlive the turn, with its pointwise interval.
    pub survival: Estimate,
}

impl Survival {
    /// Adds one observation: the event at this turn, or censored (`event` false) at it.
    pub fn add(&mut self, turn: u32, event: bool) {
        let (events, censored) = self.counts.entry(turn).or_default();
        *(if event { events } else { censored }) += 1;
    }

    /// Adds other observations.
    pub fn merge(&mut self, other: &Survival) {
        for (&turn, &(events, censored)) in &other.counts {
            let mine = self.counts.entry(turn).or_default();
            mine.0 += events;
            mine.1 += censored;
        }
    }

    /// How many observations.
    pub fn n(&self) -> u64 {
        self.counts.values().map(|(events, censored)| events + censored).sum()
    }

    /// The curve: a step for every turn with an event or a censoring. Before the first it is 1.
    ///
    /// The interval is Greenwood's on the scale of log(-log). That scale ends where the curve is 1 or 0: before the
    /// first event the interval is Wilson's for those at risk, and after the last survivor it reaches up to that of
    /// the step before.
    pub fn curve(&self) -> Vec<Step> {
        let z = normal_reach(LEVEL);
        let mut at_risk = self.n();
        let (mut survival, mut greenwood) = (1.0, 0.0);
        let mut last = Estimate { value: 1.0, low: 0.0, high: 1.0 };
        let mut steps = Vec::with_capacity(self.counts.len());
        for (&turn, &(events, censored)) in &self.counts {
            let (n, d) = (at_risk as f64, events as f64);
            survival *= 1.0 - d / n;
            if events < at_risk {
                greenwood += d / (n * (n - d));
            }
            let estimate = if survival >= 1.0 {
                Estimate { value: 1.0, ..wilson(at_risk, at_risk) }
            } else if events == at_risk {
                survival = 0.0;
                Estimate { value: 0.0, low: 0.0, high: last.high }
            } else {
                let log: f64 = survival.ln();
                let reach = z * greenwood.sqrt() / log;
                // The logarithm is negative, so the reach is too: the first end is the lower one.
                Estimate {
                    value: survival,
                    low: (log * (-reach).exp()).exp(),
                    high: (log * reach.exp()).exp(),
                }
            };
            steps.push(Step { turn, at_risk, events, censored, survival: estimate });
            last = estimate;
            at_risk -= events + censored;
        }
        steps
    }

    /// The probability to outlive a turn; 1 with unknown interval before the first observation's turn, and that of
    /// the last step after it.
    pub fn at(&self, turn: u32) -> Estimate {
        let steps = self.curve();
        steps
            .iter()
            .rev()
            .find(|step| step.turn <= turn)
            .map_or_else(|| Estimate { value: 1.0, ..wilson(self.n(), self.n()) }, |step| step.survival)
    }

    /// The first turn that half or fewer outlive, with its interval: the turns at which a survival of ½ is within the
    /// interval of the curve. `None` for what the observations do not reach.
    pub fn median(&self) -> (Option<u32>, Option<u32>, Option<u32>) {
        let steps = self.curve();
        let first = |end: fn(&Estimate) -> f64| {
            steps.iter().find(|step| step.events > 0 && end(&step.survival) <= 0.5).map(|step| step.turn)
        };
        (first(|s| s.value), first(|s| s.low), first(|s| s.high))
    }
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::random::{assert_coverage, close, generator};

    /// Freireich et al. (1963): weeks of remission under 6-MP; negative is censored.
    const REMISSION: [i32; 21] =
        [6, 6, 6, 7, 10, 13, 16, 22, 23, -6, -9, -10, -11, -17, -19, -20, -25, -32, -32, -34, -35];

    fn remission() -> Survival {
        let mut survival = Survival::default();
        for weeks in REMISSION {
            survival.add(weeks.unsigned_abs(), weeks > 0);
        }
        survival
    }

    #[test]
    fn the_curve_is_the_textbook_one() {
        // Kleinbaum and Klein; the intervals are those of R's survfit with conf.type = "log-log".
        let steps = remission().curve();
        for (turn, at_risk, value, low, high) in [
            (6, 21, 0.8571, 0.6197, 0.9516),
            (7, 17, 0.8067, 0.5631, 0.9228),
            (10, 15, 0.7529, 0.5032, 0.8894),
            (13, 12, 0.6902, 0.4316, 0.8491),
            (16, 11, 0.6275, 0.3675, 0.8049),
            (22, 7, 0.5378, 0.2678, 0.7468),
            (23, 6, 0.4482, 0.1881, 0.6801),
        ] {
            let step = steps.iter().find(|step| step.turn == turn).unwrap();
            assert_eq!(step.at_risk, at_risk);
            close(step.survival.value, value, 5e-5);
            close(step.survival.low, low, 2e-4);
            close(step.survival.high, high, 2e-4);
        }
        let survival = remission();
        assert_eq!(survival.median(), (Some(23), Some(13), None));
        close(survival.at(12).value, 0.7529, 5e-5);
        close(survival.at(99).value, 0.4482, 5e-5);
        assert_eq!(survival.at(3).value, 1.0);
    }

    #[test]
    fn without_censoring_it_is_the_share_left() {
        let mut survival = Survival::default();
        for turn in [1, 2, 2, 3, 5] {
            survival.add(turn, true);
        }
        let values: Vec<f64> = survival.curve().iter().map(|step| step.survival.value).collect();
        for (value, share) in values.iter().zip([0.8, 0.4, 0.2, 0.0]) {
            close(*value, share, 1e-12);
        }
        let last = survival.curve()[3].survival;
        assert!(last.low == 0.0 && last.high > 0.4 && last.high < 0.8, "{last:?}");
        assert_eq!(survival.median().0, Some(2));
        // Nothing ever happened.
        let mut peace = Survival::default();
        (0..20).for_each(|_| peace.add(9, false));
        let only = peace.curve()[0];
        assert_eq!((only.survival.value, only.survival.high, peace.median().0), (1.0, 1.0, None));
        close(only.survival.low, 1.0 - 0.1611, 1e-3);
        assert!(Survival::default().curve().is_empty());
    }

    #[test]
    fn intervals_cover_under_censoring() {
        // Geometric lifetimes of 10% a turn, games that end at a random turn from 5 to 25.
        assert_coverage(3000, 0.9f64.powi(8), |run| {
            let mut rng = generator(run);
            let (mut survival, mut other) = (Survival::default(), Survival::default());
            for i in 0..80 {
                let life = (1..=26).find(|_| rng.random_bool(0.1)).unwrap_or(26);
                let end = rng.random_range(5..=25);
                let half = if i % 2 == 0 { &mut survival } else { &mut other };
                half.add(life.min(end), life <= end);
            }
            survival.merge(&other);
            survival.at(8)
        });
    }
}
