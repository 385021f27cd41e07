//! The rules of *Europe Engulfed*, a block game on areas of the whole European war: turns of two months, Special Actions that buy
//! moves, attacks and answers inside them, combat by classes, hidden blocks.
//!
//! Numbers in brackets are rule numbers; `A..` are rulings. The source is the play book (sections 11 to 23). The rule book
//! (sections 1 to 10) is lost and **reconstructed** from what the play book shows and cites: a rule says *play book* or
//! *reconstructed*.
//!
//! ```text
//!  a turn                                                             module
//!     weather, dated events                                           weather, setup
//!  a player turn, the first team's, then the second's
//!     dated reinforcements                                            setup
//!  1  Initial Supply                                                  supply
//!  2  Production                                                      production
//!  3  Initial Operational Movement                                    movement
//!  4  Initial Strategic Movement                                      strategic
//!  5  Initial Combat: area by area a round                            combat (responses, air, fire)
//!  6  Breakthrough, as often as Special Actions pay for it            breakthrough
//!  7  Final Supply                                                    supply
//!     victory                                                         victory
//! ```
//!
//! [`phase`] holds the sequence as an enumeration, `sequence` drives it; [`odds`] weighs battles, [`editor`] puts positions together.
//!
//! Built so far: what the scenario *Patton's Fantasy* (16.1) needs. Not built: fleets and all movement by sea, strategic
//! warfare, politics, the optional rules.
//!
//! # Departures
//!
//! * Which blocks a nation has on the map, and their steps, count as known; hidden is where each of them stands (17, A116).
//! * American volunteers that are lost come in again with the other Americans, not in Germany alone (16.13).
//! * Fortification counters do not run out (4.0).

pub mod action;
mod breakthrough;
mod check;
pub mod combat;
mod control;
mod describe;
pub mod editor;
pub mod event;
mod explain;
pub mod game;
mod game_impl;
mod hidden;
pub mod ids;
mod movement;
pub mod odds;
pub mod phase;
mod production;
pub mod rules;
mod sequence;
mod setup;
pub mod state;
mod strategic;
pub mod supply;
mod tables;
pub mod victory;
mod weather;

pub use action::Action;
pub use event::Event;
pub use game::EuropeEngulfed;
pub use ids::{Area, KindId, Nation, Team, UnitId};
pub use phase::{Mode, Pending, Phase};
pub use rules::Rules;
pub use state::State;

/// The dice the rules roll and the sink they report to.
pub(crate) trait Rolls: sandtable_core::Context<Event> {}
impl<T: sandtable_core::Context<Event>> Rolls for T {}
