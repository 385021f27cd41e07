//! The strength of many agents: a ladder by maximum likelihood, the intransitive cycles that no ladder can show, and
//! a ranking that does not need strength to be transitive.
//!
//! - [`BradleyTerry`] rates agents on the Elo scale from any mixture of pairings, with draws and, for asymmetric
//!   games, what the first side is worth in each scenario.
//! - [`cycles`] names the triples where A beats B, B beats C and C beats A, and how sure that is.
//! - [`AlphaRank`] ranks agents by how often evolution would stay with them; it takes cycles as they are, and the two
//!   sides of an asymmetric game as two populations.

mod alpha_rank;
mod bradley_terry;
mod cycles;

pub use alpha_rank::AlphaRank;
pub use bradley_terry::{BradleyTerry, Fit, Games, Pairing, Rating, Sides, Unit};
pub use cycles::{Cycle, cycles};
