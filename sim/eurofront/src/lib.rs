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
//!  M2  Diplomacy: an event a side                                            diplomacy
//!  a fortnight
//!  F0  weather, F1 order                                                     sequence
//!  a player turn
//!  T1  Command: declarations of war, reactions                               declarations
//!      new belligerents arm and deploy                                       belligerency
//!      headquarters activate and deploy                                      headquarters
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
//!  T7  Politics: morale, armistices, uprisings, surrender, defeat, conquest  politics, france, winter_war
//!
//!  the end: victory; below all: nations, conditions, objectives, control (control, zones, stacking, hexside limits), sea
//!  (control of seas, straits, storms, supremacy), tables
//! ```
//!
//! [`phase`] holds the sequence as an enumeration, `sequence` drives it.
//!
//! # What is built
//!
//! All scenarios, from the Spanish Civil War of 1936 to 1944 with its three rivals. Of the rules not yet:
//!
//! * of 1936: a stalemate that lasts until September 1939 (1936 rule 10 C). There the Civil War goes on beside the campaign by rules
//!   of its own for control, supply and production, until it is decided or war is declared on Spain, whose two armies then
//!   join one side: two games with one clock. A state plays either the rules of 1936 or those of the campaign, and has room
//!   for the blocks of one Spain in both colours. Who has won (A, B) is chosen with `setup.absent`.
//!
//! # Departures
//!
//! * In the free set-up of 1936 the sides place their blocks in the order of the roster, not in one of their choice: who
//!   watches knows which block stands where when the game begins.
//! * A unit may end its move only where stacking allows it as things stand (6.2): who wants to march in column moves the
//!   units in front first. The rulebook judges at the end of the phase.
//! * Productions are decided one faction after the other, unseen (11.2): what the first has ordered appears when the last
//!   has decided. Allotments and transfers are decided in the open before them (11.5, 11.6).
//! * Near a base of the Mediterranean Front home pays first, the front when home's half is used up, not either by choice
//!   (21.383, 21.386).
//! * Units are disbanded where as many stand as may (11.84): for that the rule is meant.
//! * What a nation has saved up in peace it builds when it goes to war, not when it begins to cooperate (16.22).
//! * Who cannot be paid in the Desert Zone is disbanded in the order of the roster, not by choice (21.372).
//! * A naval move takes the shortest way or the one with the least interception, not any way (15.3); an invasion the safest
//!   within its range. The passive side intercepts whatever it can (15.72, 15.73). At most 14 voyages a Movement Phase go
//!   through enemy seas. The last unit of a battle that is evacuated takes pursuit fire as it goes, not after all other
//!   moves (15.55).
//! * Against a fortress an assault from the air combined with another has the smaller of their numbers, for all (14.42).
//! * Wars are declared one after the other, each with its reactions and deployments before the next (4.311, 4.312). New
//!   belligerents deploy block by block in the order of the roster (16.31). Who must leave neutral land goes to the nearest
//!   place (16.721). The limits of occupation keep units from entering (20.132, B19).
//! * Armies of resistance rise away from all Axis units, not from Germans alone, and the Axis says who of a nation that
//!   surrenders changes sides: the other side does not see which block is whose (16.731, 16.84). For the same reason Axis
//!   units in the land of an ally of theirs do not count for the Soviet Emergency (SE), nor any in Soviet land in the
//!   Winter War, while the Soviets are at war with Finland alone.
//! * Uprisings, surrenders and Solidarity are rolled for whenever they may be (A27). The Axis has its ore by sea while
//!   Narvik is not the enemy's and joined to Gallivare (17.2).
//! * Ties of attrition and overstacking, which the owner would break, fall on the first block of the roster (6.22, 10.6).
//! * The steps of all hidden enemy units together, and of hidden headquarters together, count as known ([`hidden`]).

pub mod action;
mod bases;
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
pub use movement::{Access, Orders, ROUTE_LIMIT};
pub use phase::{Haste, Mode, Phase};
pub use production::ArrivalRoom;
pub use rules::Rules;
pub use state::{Mark, State};

/// Chance and events, as the rules use them.
pub(crate) trait Rolls: sandtable_core::Context<Event> {}
impl<T: sandtable_core::Context<Event>> Rolls for T {}
