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
//!  2  Production; before it raids and submarines                      production, strategic_war
//!  3  Initial Operational Movement; before it declarations of war     movement, politics
//!     by sea, with interception; amphibious invasions                 naval (routes, crossing, landing)
//!  4  Initial Strategic Movement; fleets change zone                  strategic, naval (fleets)
//!  5  Initial Combat: area by area a round                            combat (responses, air, fire)
//!  6  Breakthrough, as often as Special Actions pay for it            breakthrough
//!  7  Final Supply                                                    supply
//!     victory                                                         victory
//! ```
//!
//! [`phase`] holds the sequence as an enumeration, `sequence` drives it; [`odds`] weighs battles, [`editor`] puts positions together.
//!
//! # Departures
//!
//! * Which blocks a nation has on the map, and their steps, count as known; hidden is where each of them stands (17, A116).
//! * American volunteers that are lost come in again with the other Americans, not in Germany alone (16.13).
//! * Blocks at sea lie face up for the enemy until they are ashore (8.0).
//! * Fortification counters do not run out (4.0).
//! * Wars are declared before anybody moves, in a phase of their own (9.0); so that minors deploy before the first move.
//! * Allied minors get replacement steps, no new blocks, and from Great Britain alone (A72).
//! * A pause in the East binds all the Axis there, and none of its units enter the eastern zone in it (14.41).
//! * Germany gives up airborne assaults as it produces, moves, chooses a battle or a breakthrough, or in Final Supply: not inside a battle
//!   nor in strategic movement (13.33).
//! * WERP are given to powers alone that produce later in the same phase, in the order of the nations (A73).
//! * The elite Soviet infantry of January 1942 may all be placed in one area (A112).
//! * Of three players the Western one moves the armies of all the Allies and fires for them; the Soviet one decides for his nations
//!   in Production, deployment and what single nations answer in battle (14.48, A36).
//! * Of southern France the Axis keeps what it has taken before the armistice (9.52).

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
mod naval;
pub mod odds;
pub mod phase;
mod politics;
mod pools;
mod production;
pub mod rules;
mod sequence;
mod setup;
pub mod state;
mod strategic;
mod strategic_war;
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
