//! Exact distributions of dice and of what rules make of them.
//!
//! A [`Pmf`] (probability mass function) lists every outcome that can happen with its probability, in ascending order.
//! Probabilities are `f64` and sum to 1 up to rounding; the operations keep that sum, they never renormalise away an
//! error.
//!
//! ```
//! use sandtable_core::Pmf;
//!
//! let two_dice = Pmf::die(6).convolve(&Pmf::die(6));
//! assert!((two_dice.probability(&7) - 1.0 / 6.0).abs() < 1e-15);
//! // A roll of ten or more costs two steps, any other one.
//! let steps = two_dice.map(|roll| if roll >= 10 { 2 } else { 1 });
//! assert!((steps.mean() - 7.0 / 6.0).abs() < 1e-15);
//! ```

use std::ops::Add;

/// A distribution over finitely many ordered outcomes, never empty.
#[derive(Clone, PartialEq, Debug)]
pub struct Pmf<T> {
    /// Strictly ascending outcomes with positive probabilities.
    masses: Vec<(T, f64)>,
}

impl<T: Ord> Pmf<T> {
    /// The outcome that is certain.
    pub fn point(outcome: T) -> Self {
        Pmf { masses: vec![(outcome, 1.0)] }
    }

    /// All outcomes alike; one listed twice is twice as likely.
    ///
    /// # Panics
    /// If there are none.
    pub fn uniform(outcomes: impl IntoIterator<Item = T>) -> Self {
        Pmf::weighted(outcomes.into_iter().map(|outcome| (outcome, 1.0)))
    }

    /// Outcomes with probabilities in proportion to their weights; weights of equal outcomes add up, and outcomes of
    /// weight 0 cannot happen.
    ///
    /// # Panics
    /// If a weight is negative or not finite, or all are 0.
    pub fn weighted(outcomes: impl IntoIterator<Item = (T, f64)>) -> Self {
        let mut pmf = Pmf::gather(outcomes);
        let total = pmf.masses.iter().fold(0.0, |sum, mass| sum + mass.1);
        assert!(total > 0.0 && total.is_finite(), "the weights sum to {total}");
        pmf.scale(total);
        pmf
    }

    /// One of several distributions, chosen by weight.
    ///
    /// # Panics
    /// If a weight is negative or not finite, or all are 0.
    pub fn mix(parts: impl IntoIterator<Item = (f64, Pmf<T>)>) -> Self {
        Pmf::weighted(parts.into_iter().flat_map(|(weight, pmf)| {
            pmf.masses.into_iter().map(move |(outcome, mass)| (outcome, weight * mass))
        }))
    }

    /// Sorts, and adds up the weights of equal outcomes.
    fn gather(outcomes: impl IntoIterator<Item = (T, f64)>) -> Self {
        let mut masses: Vec<(T, f64)> = outcomes
            .into_iter()
            .inspect(|mass| assert!(mass.1 >= 0.0 && mass.1.is_finite(), "a weight is {}", mass.1))
            .filter(|mass| mass.1 > 0.0)
            .collect();
        masses.sort_by(|a, b| a.0.cmp(&b.0));
        masses.dedup_by(|later, kept| {
            let equal = later.0 == kept.0;
            if equal {
                kept.1 += later.1;
            }
            equal
        });
        Pmf { masses }
    }

    fn scale(&mut self, total: f64) {
        for mass in &mut self.masses {
            mass.1 /= total;
        }
    }

    /// The outcomes that can happen with their probabilities, in ascending order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&T, f64)> {
        self.masses.iter().map(|mass| (&mass.0, mass.1))
    }

    /// How many outcomes can happen.
    pub fn support(&self) -> usize {
        self.masses.len()
    }

    /// The probability of an outcome.
    pub fn probability(&self, outcome: &T) -> f64 {
        self.masses.binary_search_by(|mass| mass.0.cmp(outcome)).map_or(0.0, |i| self.masses[i].1)
    }

    /// The probability that a condition holds.
    pub fn chance(&self, mut holds: impl FnMut(&T) -> bool) -> f64 {
        self.masses.iter().filter(|mass| holds(&mass.0)).map(|mass| mass.1).sum()
    }

    /// The probability of this outcome or a smaller one.
    pub fn cumulative(&self, outcome: &T) -> f64 {
        self.chance(|other| other <= outcome)
    }

    /// The smallest outcome that is reached or undercut with probability `p` at least; `p` is taken to lie in `0..=1`.
    /// Probabilities that differ by rounding (1e-12) count as equal.
    pub fn quantile(&self, p: f64) -> &T {
        let mut sum = 0.0;
        for (outcome, mass) in &self.masses {
            sum += mass;
            if sum >= p - 1e-12 {
                return outcome;
            }
        }
        self.max()
    }

    /// The smallest outcome that can happen.
    pub fn min(&self) -> &T {
        &self.masses[0].0
    }

    /// The greatest outcome that can happen.
    pub fn max(&self) -> &T {
        &self.masses[self.masses.len() - 1].0
    }

    /// The distribution of a function of the outcome.
    #[must_use]
    pub fn map<U: Ord>(&self, mut function: impl FnMut(T) -> U) -> Pmf<U>
    where
        T: Clone,
    {
        Pmf::gather(self.masses.iter().map(|(outcome, mass)| (function(outcome.clone()), *mass)))
    }

    /// The distribution of a further chance that depends on the outcome.
    #[must_use]
    pub fn then<U: Ord>(&self, mut further: impl FnMut(&T) -> Pmf<U>) -> Pmf<U> {
        Pmf::gather(self.masses.iter().flat_map(|(outcome, mass)| {
            further(outcome).masses.into_iter().map(move |(next, part)| (next, mass * part))
        }))
    }

    /// The distribution of a function of two independent outcomes.
    #[must_use]
    pub fn join<U: Ord, V: Ord>(&self, other: &Pmf<U>, mut function: impl FnMut(&T, &U) -> V) -> Pmf<V> {
        let mut masses = Vec::with_capacity(self.support() * other.support());
        for (a, p) in &self.masses {
            for (b, q) in &other.masses {
                masses.push((function(a, b), p * q));
            }
        }
        Pmf::gather(masses)
    }

    /// The distribution given that a condition holds, or `None` if it cannot.
    #[must_use]
    pub fn given(&self, mut holds: impl FnMut(&T) -> bool) -> Option<Self>
    where
        T: Clone,
    {
        let mut masses = self.masses.clone();
        masses.retain(|mass| holds(&mass.0));
        let total = masses.iter().map(|mass| mass.1).sum();
        let mut pmf = Pmf { masses };
        pmf.scale(total);
        (pmf.support() > 0).then_some(pmf)
    }

    /// The sum of two independent outcomes.
    #[must_use]
    pub fn convolve(&self, other: &Self) -> Self
    where
        T: Copy + Add<Output = T>,
    {
        self.join(other, |&a, &b| a + b)
    }

    /// The mean of outcomes that are numbers.
    pub fn mean(&self) -> f64
    where
        T: Copy + Into<f64>,
    {
        self.expectation(|&outcome| outcome.into())
    }

    /// The variance of outcomes that are numbers.
    pub fn variance(&self) -> f64
    where
        T: Copy + Into<f64>,
    {
        let mean = self.mean();
        self.expectation(|&outcome| (outcome.into() - mean).powi(2))
    }

    /// The mean of a function of the outcome.
    pub fn expectation(&self, mut function: impl FnMut(&T) -> f64) -> f64 {
        self.masses.iter().map(|(outcome, mass)| function(outcome) * mass).sum()
    }

    /// The total variation distance: the greatest difference of the probabilities of any one event, 0 to 1.
    pub fn distance(&self, other: &Self) -> f64 {
        let here: f64 =
            self.masses.iter().map(|(outcome, mass)| (mass - other.probability(outcome)).abs()).sum();
        let only_there = other.chance(|outcome| self.probability(outcome) == 0.0);
        f64::midpoint(here, only_there)
    }
}

impl Pmf<i32> {
    /// A die: `1..=faces`, all alike.
    ///
    /// # Panics
    /// If there are no faces.
    pub fn die(faces: i32) -> Self {
        Pmf::uniform(1..=faces)
    }

    /// The sum of several such dice; of none, 0.
    #[must_use]
    pub fn dice(count: u32, faces: i32) -> Self {
        let die = Pmf::die(faces);
        (0..count).fold(Pmf::point(0), |sum, _| sum.convolve(&die))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-9
    }

    fn pmfs() -> impl Strategy<Value = Pmf<i32>> {
        prop::collection::vec((-20..20, 0.01..10.0f64), 1..12).prop_map(Pmf::weighted)
    }

    fn sound<T: Ord>(pmf: &Pmf<T>) -> bool {
        close(pmf.iter().map(|mass| mass.1).sum(), 1.0)
            && pmf.masses.windows(2).all(|pair| pair[0].0 < pair[1].0)
            && pmf.masses.iter().all(|mass| mass.1 > 0.0)
    }

    #[test]
    fn dice_have_their_known_odds() {
        let dice = Pmf::dice(2, 6);
        for (sum, ways) in (2..=12).zip([1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]) {
            assert!(close(dice.probability(&sum), f64::from(ways) / 36.0), "{sum}");
        }
        assert!(close(dice.mean(), 7.0) && close(dice.variance(), 35.0 / 6.0));
        assert!(close(dice.cumulative(&4), 6.0 / 36.0) && close(dice.cumulative(&1), 0.0));
        assert_eq!((*dice.min(), *dice.quantile(0.5), *dice.max()), (2, 7, 12));
        assert_eq!(Pmf::dice(0, 6), Pmf::point(0));
        let even = dice.given(|sum| sum % 2 == 0).unwrap();
        assert!(close(even.probability(&2), 1.0 / 18.0));
        assert_eq!(dice.given(|&sum| sum > 12), None);
    }

    #[test]
    fn chains_of_chance_multiply() {
        // A one on the first die lets a second be rolled.
        let total = Pmf::die(6).then(|&first| if first == 1 { Pmf::die(6) } else { Pmf::point(0) });
        assert!(close(total.probability(&0), 5.0 / 6.0) && close(total.probability(&3), 1.0 / 36.0));
        let mixed = Pmf::mix([(1.0, Pmf::die(2)), (3.0, Pmf::point(2))]);
        assert!(close(mixed.probability(&1), 0.125) && close(mixed.probability(&2), 0.875));
    }

    #[test]
    #[should_panic(expected = "the weights sum to 0")]
    fn nothing_cannot_happen() {
        let _ = Pmf::<i32>::weighted([(1, 0.0)]);
    }

    #[test]
    #[should_panic(expected = "a weight is -1")]
    fn weights_are_not_negative() {
        let _ = Pmf::weighted([(1, -1.0), (2, 3.0)]);
    }

    proptest! {
        #[test]
        fn sums_add_means_and_variances(a in pmfs(), b in pmfs()) {
            let sum = a.convolve(&b);
            prop_assert!(sound(&sum));
            prop_assert!(close(sum.mean(), a.mean() + b.mean()));
            prop_assert!((sum.variance() - a.variance() - b.variance()).abs() < 1e-7);
            prop_assert!(sum.distance(&b.convolve(&a)) < 1e-12);
        }

        #[test]
        fn a_mixture_averages_its_parts(a in pmfs(), b in pmfs(), w in 0.0..1.0f64, event in -20..20) {
            let mixed = Pmf::mix([(w, a.clone()), (1.0 - w, b.clone())]);
            prop_assert!(sound(&mixed));
            let averaged = w * a.cumulative(&event) + (1.0 - w) * b.cumulative(&event);
            prop_assert!(close(mixed.cumulative(&event), averaged));
            prop_assert!(close(mixed.distance(&b), w * a.distance(&b)));
        }

        #[test]
        fn mapping_keeps_the_chance_of_what_it_maps(a in pmfs(), modulus in 1..5) {
            let mapped = a.map(|outcome| outcome.rem_euclid(modulus));
            prop_assert!(sound(&mapped));
            for rest in 0..modulus {
                let chance = a.chance(|outcome| outcome.rem_euclid(modulus) == rest);
                prop_assert!(close(mapped.probability(&rest), chance));
            }
        }

        #[test]
        fn conditions_divide(a in pmfs(), bound in -20..20) {
            let chance = a.cumulative(&bound);
            match a.given(|&outcome| outcome <= bound) {
                None => prop_assert!(chance == 0.0),
                Some(part) => {
                    prop_assert!(sound(&part));
                    for (outcome, mass) in part.iter() {
                        prop_assert!(close(mass * chance, a.probability(outcome)));
                    }
                }
            }
        }

        #[test]
        fn quantiles_invert_the_cumulative(a in pmfs(), p in 0.0..1.0f64) {
            let outcome = *a.quantile(p);
            prop_assert!(a.cumulative(&outcome) >= p - 1e-9);
            prop_assert!(a.chance(|&other| other < outcome) <= p + 1e-9);
            prop_assert_eq!(a.quantile(1.0), a.max());
        }

        #[test]
        fn distance_is_a_metric(a in pmfs(), b in pmfs(), c in pmfs()) {
            prop_assert!(a.distance(&a) == 0.0);
            prop_assert!(close(a.distance(&b), b.distance(&a)));
            prop_assert!((0.0..=1.0 + 1e-9).contains(&a.distance(&b)));
            prop_assert!(a.distance(&c) <= a.distance(&b) + b.distance(&c) + 1e-9);
        }
    }
}
