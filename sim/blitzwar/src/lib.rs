//! The rules of *BlitzWar*, a strategic game of the Second World War in Europe: 47 turns of six weeks, three sides
//! (Axis, Allied, Soviet), area movement, supply that nearly every action consumes, production cards chosen three turns
//! ahead.
//!
//! Numbers in brackets are rule numbers of the rulebook; `R-nn` are rulings where it is silent (listed with the
//! scenario data).
//!
//! ```text
//!  a turn                                                      module
//!  1  diplomacy: surrenders, activations          all sides    diplomacy
//!  2  reinforcement cards                         all sides    cards
//!  3  reinforcements, lend-lease, placement       all sides    reinforcement, reorganisation
//!     then for Axis, Allied, Soviet in turn:
//!  4  naval movement and combat                                naval
//!  5  bombing, Battle of Britain, tactical air,   others may   air
//!     beachheads, strategic air movement          respond
//!  6  sea transport                                            transport
//!  7  fortification, strategic and tactical                    movement
//!     movement, activation
//!  8  Blitz combat, advance, one-zone move        defender     combat
//!  9  normal combat, retreat, advance,            loses and
//!     one-zone move, units out of supply          retreats
//! ```
//!
//! [`phase`] holds the sequence as an enumeration, `sequence` drives it; [`supply`] and `counters`
//! serve all phases; `victory` scores; [`odds`] tells how a battle will go.

pub mod action;
mod air;
mod cards;
mod check;
mod combat;
mod counters;
mod describe;
mod determinize;
mod diplomacy;
pub mod editor;
pub mod event;
pub mod explain;
#[cfg(test)]
mod fixture;
pub mod game;
mod game_impl;
pub mod location;
mod movement;
pub mod nation;
mod naval;
pub mod odds;
pub mod phase;
mod reinforcement;
mod reorganisation;
mod restrictions;
pub mod rules;
mod sequence;
mod setup;
mod stacking;
pub mod state;
pub mod supply;
mod tables;
mod transport;
mod victory;

pub use action::Action;
pub use combat::Assessment;
pub use event::{Battle, Event};
pub use game::BlitzWar;
pub use location::{Counter, Location, Sea, Zone};
pub use movement::Tactics;
pub use nation::{Country, Force, Nation};
pub use phase::{Pending, Phase};
pub use rules::{Kind, Rules};
pub use state::{State, Status};

/// The table the rules of BlitzWar roll on and report to.
pub(crate) trait Rolls: sandtable_core::Context<Event> {}
impl<T: sandtable_core::Context<Event>> Rolls for T {}
