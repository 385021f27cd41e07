//! Estimates as people read them.

use sandtable_stats::interval::Estimate;

/// `[low, high]`; an open end is `..`.
pub(super) fn ends(estimate: &Estimate, scale: f64, decimals: usize, signed: bool) -> String {
    let end = |value: f64| match (value.is_finite(), signed) {
        (false, _) => "..".to_owned(),
        (true, false) => format!("{:.decimals$}", scale * value),
        (true, true) => format!("{:+.decimals$}", scale * value),
    };
    format!("[{}, {}]", end(estimate.low), end(estimate.high))
}

pub(super) fn percent(estimate: &Estimate) -> String {
    if estimate.value.is_nan() {
        return "no games".to_owned();
    }
    format!("{:.1}% {}", 100.0 * estimate.value, ends(estimate, 100.0, 1, false))
}
