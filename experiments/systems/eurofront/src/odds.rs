//! Odds of EuroFront.

mod combat;
mod weather;

pub(super) use combat::combat;
pub(super) use weather::{basin_name, weather};
