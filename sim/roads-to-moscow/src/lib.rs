//! The rules of *Roads to Moscow*: battalions in half-day turns around Mtsensk and Mozhaysk in October 1941, on hexes,
//! with formations activated by markers drawn from a cup, a ten-sided die and two combat tables.
//!
//! Numbers in brackets are rule numbers of the rulebook; `Rn` are rulings where it is silent (listed with the scenario
//! data).
//!
//! ```text
//!  a turn                                                                 module
//!  A  Strategic Segment
//!     weather, fuel receipt, reinforcements, optional groups, Reserve     strategic, fuel
//!     aircraft back to Ready, supply                                      strategic, supply
//!     initiative, the cups are filled                                     initiative
//!  B  Operations Segment: the players in turn, until the cups are empty
//!     draw a marker, play it, the pool, combine, Mobile / Assault / Pass  activation
//!     fuel, Army units                                                    fuel, army
//!     Assault: dig                                                        engineering
//!     move, overrun, enter                                                movement (prices: crossing), overrun
//!     declare attacks                                                     declaring
//!     the enemy: refuses, reacts, does not retreat                        refusal, reaction, no_retreat
//!     combat: leads, aircraft, artillery, coordination, odds, result,     combat
//!     losses, retreat, advance
//!  C  Reorganisation Segment
//!     engineering, recovery, victory, next turn                           engineering, reorganisation, victory
//!
//!  below all: control (places, zones of control, control, stacking), units (efficiency, allowance, losses),
//!             command (command points), tables (geometry, prices, sets)
//! ```
//!
//! [`phase`] holds the sequence as an enumeration, `sequence` drives it. On turn 1 the German plays one marker of his choice
//! before the cups are filled (R10).
//!
//! # Departures
//!
//! * A stack may end its move only where stacking allows it as things stand (3.32): who wants to march in column moves the
//!   units in front first. The rulebook judges at the end of the phase.
//! * A hex whose roads do not meet (8.33) is not on the maps: all paths of a hex are joined.
//! * A No-Retreat marker is taken off by its owner only while an attack on its hex awaits the declaration of No Retreat
//!   (9.45): it matters nowhere else.
//! * An empty Fortified Position is taken off by its owner only in the Engineering Phase of his own Assault Sequences
//!   (14.34, "at any moment").
//! * Fuel beyond the first is spent as the formation is activated, not when a unit turns out not to trace a route to it
//!   (6.43a); a unit or fuel still off the map counts at each of its entry hexes (6.45, R112).
//! * Recovery checks go in a fixed order, the German's before the Soviet's, headquarters before others (3.75b): who has
//!   recovered may help the next.

pub mod action;
mod activation;
mod army;
pub mod battle;
mod check;
pub mod combat;
mod command;
mod control;
pub mod crossing;
mod declaring;
mod describe;
pub mod editor;
mod engineering;
pub mod event;
mod explain;
mod fuel;
pub mod game;
mod game_impl;
mod hidden;
pub mod ids;
mod initiative;
mod movement;
mod no_retreat;
pub mod odds;
pub mod order;
mod overrun;
pub mod phase;
mod reaction;
mod refusal;
mod reorganisation;
pub mod rules;
mod sequence;
mod setup;
pub mod state;
mod strategic;
mod supply;
pub mod tables;
mod units;
pub mod victory;

pub use action::Action;
pub use event::Event;
pub use game::RoadsToMoscow;
pub use ids::{AirId, FormationId, Marker, Player, UnitId};
pub use phase::{Phase, Sequence};
pub use rules::Rules;
pub use state::{Mark, State};

/// The table the rules roll on and report to.
pub(crate) trait Rolls: sandtable_core::Context<Event> {}
impl<T: sandtable_core::Context<Event>> Rolls for T {}
