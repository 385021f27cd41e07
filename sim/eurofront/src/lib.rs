#![allow(clippy::doc_markdown)] // the name of the game is no path

//! The rules of *EuroFront*: Europe 1936 to 1945 in fortnights, blocks with hidden steps and headquarters that spend
//! themselves to command, on hexes.
//!
//! Numbers in brackets are rule numbers of the rulebook.

pub mod ids;
pub mod rules;

pub use ids::{BlockId, Camp, Faction, Front};
pub use rules::Rules;
