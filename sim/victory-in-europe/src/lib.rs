//! The rules of *Victory in Europe*, a card-driven block game of the Second World War in Europe: 26 quarters, two or three
//! players, area movement, battles by class and firepower, politics and production, fog of war.
//!
//! Numbers in brackets are rule numbers of the rulebook; `R-nn` are rulings where it is silent (listed with the
//! scenario data).
//!
//! ```text
//!  a turn                                                             module
//!  1  cards: one each, in secret; more command moves first            cards, events
//!  2  movement of Player 1, pinning, movement of Player 2             movement (land, air, naval, strategic, invasion)
//!     battles are named for events                                    events
//!  3  combat: battles one by one, in rounds of classes A to E;        battle (fire, retreat, regroup, exploitation)
//!     aircraft land
//!  4  supply: attrition, surrender of majors, victory                 supply, politics, victory
//!  5  diplomacy: surrender of minors, rolls                           diplomacy, politics
//!  6  production: points, steps, new units, factories                 production
//! ```
//!
//! [`phase`] holds the sequence as an enumeration, `sequence` drives it; [`board`] says who is friend and enemy.

pub mod action;
pub mod battle;
pub mod board;
pub mod cards;
mod check;
mod describe;
mod diplomacy;
pub mod draws;
pub mod editor;
pub mod event;
mod events;
mod explain;
pub mod game;
mod game_impl;
mod hidden;
pub mod movement;
pub mod nation;
pub mod odds;
pub mod phase;
pub mod place;
pub mod politics;
pub mod production;
pub mod rules;
mod sequence;
mod setup;
pub mod state;
pub mod supply;
mod tables;
pub mod victory;

pub use action::Action;
pub use event::Event;
pub use game::VictoryInEurope;
pub use nation::{Force, Nation, Team};
pub use phase::{Pending, Phase};
pub use place::{Place, UnitId};
pub use rules::Rules;
pub use state::State;

/// The table the rules roll on and report to.
pub(crate) trait Rolls: sandtable_core::Context<Event> {}
impl<T: sandtable_core::Context<Event>> Rolls for T {}
