//! Estimates as people read them.

use sandtable_stats::interval::Estimate;

/// What a report says of agents that think for so many milliseconds.
pub(crate) const NOT_REPRODUCIBLE: &str =
    "budgets in milliseconds: on another day or machine these agents play other games";

/// `[low, high]`; an open end is `..`.
pub(crate) fn ends(estimate: &Estimate, scale: f64, decimals: usize, signed: bool) -> String {
    let end = |value: f64| match (value.is_finite(), signed) {
        (false, _) => "..".to_owned(),
        (true, false) => format!("{:.decimals$}", scale * value),
        (true, true) => format!("{:+.decimals$}", scale * value),
    };
    format!("[{}, {}]", end(estimate.low), end(estimate.high))
}

pub(crate) fn percent(estimate: &Estimate) -> String {
    if estimate.value.is_nan() {
        return "no games".to_owned();
    }
    format!("{:.1}% {}", 100.0 * estimate.value, ends(estimate, 100.0, 1, false))
}

/// A share less another one, in per cent.
pub(crate) fn percent_more(estimate: &Estimate) -> String {
    if estimate.value.is_nan() {
        return "no games".to_owned();
    }
    format!("{:+.1}% {}", 100.0 * estimate.value, ends(estimate, 100.0, 1, true))
}

/// A value with its interval.
pub(crate) fn plain(estimate: &Estimate, decimals: usize) -> String {
    if estimate.value.is_finite() {
        format!("{:.decimals$} {}", estimate.value, ends(estimate, 1.0, decimals, false))
    } else {
        format!("unknown {}", ends(estimate, 1.0, decimals, false))
    }
}

/// A difference with its interval.
pub(crate) fn more(estimate: &Estimate, decimals: usize) -> String {
    format!("{:+.decimals$} {}", estimate.value, ends(estimate, 1.0, decimals, true))
}

/// A difference in Elo with its interval. Where the games bound it from one side only, nothing but that bound is
/// theirs.
pub(crate) fn elo(estimate: &Estimate) -> String {
    match (estimate.low.is_finite(), estimate.high.is_finite()) {
        (true, true) => more(estimate, 0),
        (true, false) => format!("at least {:+.0}", estimate.low),
        (false, true) => format!("at most {:+.0}", estimate.high),
        (false, false) => "not bounded".to_owned(),
    }
}

/// An interval of Elo wider than this tells next to nothing: somebody, or one side, wins nearly all games.
const HARDLY_KNOWN: f64 = 600.0;

/// Whether the games tell next to nothing of a difference in Elo.
pub(crate) fn is_hardly_known(elo: &Estimate) -> bool {
    elo.width() > HARDLY_KNOWN
}

/// `p = 0.012`, or that it is smaller than can be written so.
pub(crate) fn probability(p: f64) -> String {
    if p < 0.0005 { "p < 0.001".to_owned() } else { format!("p = {p:.3}") }
}

/// Who plays, in the order of the sides: one name if it is the same everywhere, else an agent a side.
pub(crate) fn assignment(sides: &[String], agents: &[String]) -> String {
    match agents {
        [first, rest @ ..] if rest.iter().all(|agent| agent == first) => first.clone(),
        _ => {
            let agents_by_side: Vec<String> =
                sides.iter().zip(agents).map(|(side, agent)| format!("{side}={agent}")).collect();
            agents_by_side.join(", ")
        }
    }
}

/// A scenario with its overrides, as a command line would have them.
pub(crate) fn with_sets(id: &str, overrides: &[String]) -> String {
    let sets: Vec<String> = overrides.iter().map(|set| format!(" --set {set}")).collect();
    format!("{id}{}", sets.concat())
}
