//! Paired measurement: the ratio of two speeds on a machine whose speed wanders.
//!
//! Both sides work in turn, round by round, and the ratio is taken within each round. Time is the processor time of the
//! calling thread where the system tells it (Linux), so that other load counts as little as it can; else the clock's.

use std::fs;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// Processor time of this thread since it began, or time by the clock.
pub fn now() -> Duration {
    let scheduled = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = scheduled.as_deref().and_then(|text| text.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(
        || {
            static START: OnceLock<Instant> = OnceLock::new();
            START.get_or_init(Instant::now).elapsed()
        },
        Duration::from_nanos,
    )
}

/// Units of work a second, in one turn of at least `least`; `work` returns how many units it did.
pub fn rate(least: Duration, work: &mut dyn FnMut() -> u64) -> f64 {
    let start = now();
    let mut units = 0;
    loop {
        units += work();
        let spent = now().saturating_sub(start);
        if spent >= least {
            return units as f64 / spent.as_secs_f64();
        }
    }
}

/// Two speeds and their ratio.
#[derive(Clone, Copy, Debug)]
pub struct Comparison {
    /// Median units a second of the first.
    pub first: f64,
    /// Median units a second of the second.
    pub second: f64,
    /// First over second, within rounds: lowest, median, highest.
    pub ratio: [f64; 3],
}

/// Lets both work in turn for `rounds` rounds, after one to warm up.
///
/// # Panics
/// Without rounds.
pub fn compare(
    rounds: usize,
    turn: Duration,
    first: &mut dyn FnMut() -> u64,
    second: &mut dyn FnMut() -> u64,
) -> Comparison {
    let pairs: Vec<(f64, f64)> =
        (0..=rounds).map(|_| (rate(turn, first), rate(turn, second))).skip(1).collect();
    let sorted = |speed: fn(&(f64, f64)) -> f64| {
        let mut speeds: Vec<f64> = pairs.iter().map(speed).collect();
        speeds.sort_by(f64::total_cmp);
        speeds
    };
    let ratios = sorted(|pair| pair.0 / pair.1);
    Comparison {
        first: sorted(|pair| pair.0)[rounds / 2],
        second: sorted(|pair| pair.1)[rounds / 2],
        ratio: [ratios[0], ratios[rounds / 2], ratios[rounds - 1]],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_passes_while_a_thread_works() {
        let start = now();
        let mut sum = 0u64;
        while now().saturating_sub(start) < Duration::from_millis(2) {
            sum = std::hint::black_box(sum + 1);
        }
        assert!(sum > 0 && now() > start);
    }

    #[test]
    fn the_ratio_is_the_first_speed_over_the_second() {
        let spin = |units: u64| {
            let until = now() + Duration::from_micros(100);
            while now() < until {}
            units
        };
        let turn = Duration::from_micros(1);
        let faster = rate(turn, &mut || spin(1000));
        let slower = rate(turn, &mut || spin(1));
        assert!(faster > slower);
        let [low, middle, high] = compare(3, turn, &mut || 1_000_000_000_000, &mut || 1).ratio;
        assert!(1.0 < low && low <= middle && middle <= high);
    }
}
