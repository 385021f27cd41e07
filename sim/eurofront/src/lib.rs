#![allow(clippy::doc_markdown)] // the name of the game is no path

//! The rules of *EuroFront*: Europe 1936 to 1945 in fortnights, blocks with hidden steps and headquarters that spend
//! themselves to command, on hexes.
//!
//! Numbers in brackets are rule numbers of the rulebook; `1936 rule n` are the special rules of the Spanish Civil War.
//!
//! ```text
//!  a month                                                                   module
//!  M1  Production                                                            sequence
//!      recognition, end of intervention, foreign aid                         civil_war
//!      income, arrivals, building: unseen, then all at once                  production
//!  a fortnight
//!  F0  weather, F1 order                                                     sequence
//!  a player turn
//!  T1  Command: headquarters activate and deploy                             headquarters
//!  T2  Movement: moves                                                       movement
//!      by sea; invasions and evacuations; drops                              voyage, invasion, paradrop
//!      rearguards and pursuit                                                retreat
//!      headquarters mobilise, or stay to support                             headquarters
//!      interception of what has sailed                                       voyage
//!  T3  Combat: airstrikes, active battles, rounds, losses                    combat
//!  T4  Blitz Movement, T5 Blitz Combat: the same again, by Blitz headquarters
//!  T6  Supply: invaders recover, paratroops regroup                          paradrop
//!      beachheads are placed                                                 beachhead
//!      interception of the enemy's sea lines                                 sea_supply
//!      supply of the enemy's units, with attrition                           supply
//!
//!  below all: control (control, zones, stacking, hexside limits), sea (control of seas, straits, storms, supremacy), tables
//! ```
//!
//! [`phase`] holds the sequence as an enumeration, `sequence` drives it.
//!
//! # What is built
//!
//! The scenario of 1936, the Spanish Civil War. [`Rules`] hold the data of all twelve; [`EuroFront::new`] refuses those
//! that need more. Not yet:
//!
//! * at sea: the marker that names a second hex for a second wave (15.541), support of invasions into the areas of the map's
//!   edge (18.2);
//! * map-edge areas (18), the Desert and Arctic Zones, acclimatisation, MF and NF rules (21.3, 21.4);
//! * control that persists (8.34), national supply (10.21), isolation, bases and fortress supply (10.7);
//! * fortresses (7.5), mountain and desert fire (2.2), forts, SS and siege artillery (2.28, 2.33, 2.34);
//! * more than one nationality under command (5.34), supreme headquarters' fronts (5.72), Axis logistics (5.33);
//! * road moves (21.352);
//! * fronts, base production, allotments, transfers, surcharges (11.31 to 11.736), early arrival (11.82), disbanding
//!   (11.84), grounding by choice (14.7);
//! * diplomacy, declarations of war, events, politics (16), objectives (17), the order of three factions (4.22), victory of
//!   the campaign (19);
//! * of 1936: the free set-up, and the continuity with the campaign (1936 rule 10).
//!
//! # Departures
//!
//! * A unit may end its move only where stacking allows it as things stand (6.2): who wants to march in column moves the
//!   units in front first. The rulebook judges at the end of the phase.
//! * Productions are decided one camp after the other, unseen (11.2): what the first has ordered appears when the second
//!   has decided.
//! * A naval move takes the shortest way or the one with the least interception, not any way (15.3); an invasion the safest
//!   within its range. The passive side intercepts whatever it can (15.72, 15.73). The last unit of a battle that is evacuated
//!   takes pursuit fire as it goes, not after all other moves (15.55).
//! * Against a fortress an assault from the air combined with another has the smaller of their numbers, for all (14.42).
//! * Ties of attrition and overstacking, which the owner would break, fall on the first block of the roster (6.22, 10.6).
//! * The steps of all hidden enemy units together, and of hidden headquarters together, count as known ([`hidden`]).

pub mod action;
mod beachhead;
mod belligerency;
mod check;
mod civil_war;
mod combat;
pub mod conditions;
mod control;
mod costs;
mod declarations;
mod describe;
pub mod diplomacy;
pub mod diplomatic_odds;
pub mod editor;
pub mod event;
mod explain;
mod france;
pub mod game;
mod game_impl;
mod headquarters;
pub mod hidden;
pub mod ids;
mod income;
mod invasion;
mod movement;
pub mod nations;
mod objectives;
pub mod odds;
mod paradrop;
pub mod phase;
mod politics;
mod production;
mod retreat;
pub mod rules;
pub mod sea;
mod sea_supply;
mod sequence;
mod setup;
pub mod state;
mod supply;
pub mod tables;
pub mod victory;
mod voyage;
mod winter_war;

pub use action::Action;
pub use event::Event;
pub use game::EuroFront;
pub use ids::{BlockId, Camp, Faction, Front};
pub use phase::{Mode, Phase};
pub use rules::Rules;
pub use state::{Mark, State};

/// The table the rules roll on and report to.
pub(crate) trait Rolls: sandtable_core::Context<Event> {}
impl<T: sandtable_core::Context<Event>> Rolls for T {}
