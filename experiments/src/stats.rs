//! The figures of a summary: rates and means with their 95% intervals, quantiles.

use std::collections::BTreeMap;

/// The 97.5% quantile of the standard normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// An estimate with its interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// The lower end of its 95% interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The rate of `hits` in `n` trials with its Wilson score interval; without trials, anything from 0 to 1.
pub fn wilson(hits: u64, n: u64) -> Estimate {
    if n == 0 {
        return Estimate { value: f64::NAN, low: 0.0, high: 1.0 };
    }
    let (hits, n) = (hits as f64, n as f64);
    let p = hits / n;
    let z2 = Z * Z;
    let centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    Estimate { value: p, low: (centre - half).max(0.0), high: (centre + half).min(1.0) }
}

/// The number, sum and sum of squared deviations of a sample; adds and merges without loss of precision (Welford, Chan).
#[derive(Clone, Copy, PartialEq, Debug, Default, serde::Serialize, serde::Deserialize)]
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

    /// The standard deviation of the population, estimated.
    pub fn deviation(&self) -> f64 {
        if self.n < 2 { f64::NAN } else { (self.deviations / (self.n - 1) as f64).sqrt() }
    }

    /// The mean with its Student-t interval; unbounded below two values.
    pub fn mean(&self) -> Estimate {
        if self.n < 2 {
            let value = if self.n == 0 { f64::NAN } else { self.mean };
            return Estimate { value, low: f64::NEG_INFINITY, high: f64::INFINITY };
        }
        let half = student(self.n - 1) * self.deviation() / (self.n as f64).sqrt();
        Estimate { value: self.mean, low: self.mean - half, high: self.mean + half }
    }
}

/// The 97.5% quantile of Student's t distribution. From three degrees of freedom on by the Cornish-Fisher expansion
/// (Abramowitz and Stegun 26.7.5), which is within 0.4% there and better above.
fn student(freedom: u64) -> f64 {
    match freedom {
        0 => f64::INFINITY,
        1 => 12.706_204_736,
        2 => 4.302_652_730,
        _ => {
            let v = freedom as f64;
            let z = Z;
            let g1 = (z.powi(3) + z) / 4.0;
            let g2 = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
            let g3 = (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0;
            let g4 =
                (79.0 * z.powi(9) + 776.0 * z.powi(7) + 1482.0 * z.powi(5) - 1920.0 * z.powi(3) - 945.0 * z)
                    / 92_160.0;
            z + g1 / v + g2 / v.powi(2) + g3 / v.powi(3) + g4 / v.powi(4)
        }
    }
}

/// The smallest value that at least a share `q` of a counted sample does not exceed; `None` for an empty sample.
pub fn quantile(counts: &BTreeMap<u32, u64>, q: f64) -> Option<u32> {
    let n: u64 = counts.values().sum();
    let rank = ((q * n as f64).ceil() as u64).max(1);
    let mut below = 0;
    counts.iter().find_map(|(&value, &count)| {
        below += count;
        (below >= rank).then_some(value)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() < tolerance, "{a} is not {b}");
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
    }

    #[test]
    fn mean_intervals_use_student() {
        for (freedom, t) in
            [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (30, 2.042), (1000, 1.962)]
        {
            close(student(freedom), t, 0.004 * t);
        }
        let mut sample = Moments::default();
        for value in [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0] {
            sample.add(value);
        }
        close(sample.mean().value, 5.0, 1e-12);
        close(sample.deviation(), (32.0f64 / 7.0).sqrt(), 1e-12);
        close(sample.mean().high, 5.0 + 2.3646 * (32.0f64 / 7.0).sqrt() / 8f64.sqrt(), 1e-3);
    }

    #[test]
    fn merged_samples_equal_the_whole() {
        let values: Vec<f64> = (0..50).map(|i| f64::from(i * i % 17) - 3.5).collect();
        let of = |values: &[f64]| {
            let mut sample = Moments::default();
            for &value in values {
                sample.add(value);
            }
            sample
        };
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
}
