//! Odds of Roads to Moscow.

mod combat;
mod initiative;
mod weather;

pub(super) use combat::combat;
pub(super) use initiative::initiative;
pub(super) use weather::weather;

/// The scenario of odds that names none.
const USUAL: &str = "roads-to-moscow/mozhaysk";
