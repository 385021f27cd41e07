//! Odds of EuroFront.

mod combat;
mod diplomacy;
mod weather;

pub(super) use combat::combat;
pub(super) use diplomacy::{events, reactions};
pub(super) use weather::{basin_name, weather};
