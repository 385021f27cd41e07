//! What every Sandtable system shares.
//!
//! * [`Game`]: the one interface between rules and everything that plays them.
//! * [`context`]: where chance comes from and where facts go (sampled, scripted, recorded dice; event sinks).
//! * [`phases`]: the phase kernel, which plays games told as phases.
//! * [`actions`]: generators of legal actions, listed, drawn from, or asked for a forced move.
//! * [`board`]: what all boards can tell; [`area`]: boards of areas; [`bits`]: the sets of both.
//! * [`hex`]: boards of hexes, with hexsides, fills, movement and lines of supply.
//! * [`units`]: who stands where, without a list for every place.
//! * [`cup`]: cups of chits.
//! * [`pmf`]: exact distributions of dice and of what rules make of them.
//! * [`enumerate`]: dice that fall in every way there is; [`weather`]: the exact distribution of a weather, rolled or
//!   fixed.
//! * [`digest`]: state hashes that are the same on every run.
//! * [`kit`]: the invariants every game must keep, tried in random play; [`playout`]: random play at full speed.
//!
//! Nothing here reads a file, prints, spawns a thread or looks at a clock.

pub mod actions;
pub mod area;
pub mod bits;
pub mod board;
pub mod context;
pub mod cup;
pub mod digest;
pub mod enumerate;
pub mod game;
pub mod hex;
pub mod kit;
pub mod phases;
pub mod playout;
pub mod pmf;
pub mod units;
pub mod weather;

pub use actions::{ActionSink, Flow};
pub use area::AreaBoard;
pub use bits::{Index, IndexSet, PerIndex};
pub use board::Board;
pub use context::{Context, Dice, PlayContext, RandomDraw, Rng64, Sampled, Scripted, Sink};
pub use cup::Cup;
pub use digest::Digest;
pub use game::{Game, MAX_SIDES, Outcome, PerSide, Side, SideInfo, Turn};
pub use hex::{Direction, Hex, HexBoard, HexSet, Hexsides};
pub use phases::{Phases, Stepwise};
pub use playout::play_out_random;
pub use pmf::Pmf;
