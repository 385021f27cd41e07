//! The one generator of the crate.

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

pub(crate) type Generator = Xoshiro256PlusPlus;

pub(crate) fn generator(seed: u64) -> Generator {
    Generator::seed_from_u64(seed)
}

/// A resample of as many values as there are, drawn with replacement.
pub(crate) fn resample<T: Copy>(values: &[T], into: &mut Vec<T>, rng: &mut Generator) {
    into.clear();
    into.extend((0..values.len()).map(|_| values[rng.random_range(0..values.len())]));
}

#[cfg(test)]
pub(crate) use simulation::*;

/// Draws for the simulations of the tests.
#[cfg(test)]
mod simulation {
    use super::*;

    /// A standard normal draw (Box and Muller).
    pub(crate) fn normal(rng: &mut Generator) -> f64 {
        let radius = (-2.0 * (1.0 - rng.random::<f64>()).ln()).sqrt();
        radius * (std::f64::consts::TAU * rng.random::<f64>()).cos()
    }

    /// A draw from `0..weights.len()` with these probabilities.
    pub(crate) fn category(weights: &[f64], rng: &mut Generator) -> usize {
        let mut u = rng.random::<f64>() * weights.iter().sum::<f64>();
        for (index, weight) in weights.iter().enumerate() {
            u -= weight;
            if u < 0.0 {
                return index;
            }
        }
        weights.len() - 1
    }

    /// Asserts that a 95% interval covers the truth in 93% to 97% of `runs` simulated samples.
    #[track_caller]
    pub(crate) fn assert_coverage(
        runs: u64,
        truth: f64,
        mut interval: impl FnMut(u64) -> crate::interval::Estimate,
    ) {
        let covered = (0..runs).filter(|&run| interval(run).contains(truth)).count();
        let coverage = covered as f64 / runs as f64;
        assert!((0.93..=0.97).contains(&coverage), "the interval covers the truth in {coverage} of samples");
    }

    #[track_caller]
    pub(crate) fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b} within {tolerance}");
    }
}
