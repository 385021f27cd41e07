//! Combat, from the first declared attack that is fought to the last advance (10 to 13, 16.1, 16.3), and the fight of an
//! overrun (8.56); retreats and advances after a refusal too (9.23).
//!
//! ```text
//!  Combat            the attacker picks a declared attack                                     resolution
//!  AttackLead, DefenceLead                                          10.17, 10.44, 15.12       resolution
//!  Air               the Soviet commits aircraft, then the German   13.2                      support
//!  AirLead, AirPoints, check       of each                          10.41                     coordination
//!  Artillery         the defender names his, then the attacker      12.1, 12.2                support
//!  SureArtillery     which adjacent unit needs no check             12.17                     support
//!  ArtilleryLead, ArtilleryPoints, check   of each                  10.42                     coordination
//!  GroundPoints, check                                              10.43                     coordination
//!  strengths, odds, modifiers, the roll                             10.5, 10.6                strength, modifiers
//!  checks of aircraft and leaders on a red result                   13.17, 15.34b             losses
//!  Losses            the defender's, then the attacker's            11.2                      losses
//!  NoRetreatLoss     one more in place of a retreat                 11.4                      losses
//!  Retreat, Excess, MotorisedAdvantage, GroupLead
//!                    the defender, then the attacker                11.3, 11.5                retreat
//!  SpecialRetreat    of rockets                                     16.3                      rocket
//!  Advance                                                          11.6                      advance
//! ```
//!
//! An overrun has leads, the German's aircraft, the artillery of the hex, losses and the defender's retreat, which the attacker
//! leads; `FailedOverrun` takes the step of a stack that does not clear the hex (8.57). A refusal has the retreat and the advance.
//!
//! # What comes in
//!
//! * [`RoadsToMoscow::begin_combat_phase`]: all declared attacks stand in [`State::attacks`], in stage `Declared`; when none
//!   is left, the module calls [`RoadsToMoscow::end_operations_sequence`].
//! * [`RoadsToMoscow::begin_overrun`]: the stack [`State::moving`] overruns a hex; movement points are paid. When all is
//!   done, the module calls [`RoadsToMoscow::overrun_fought`], which lets the stack enter or stops it.
//! * [`RoadsToMoscow::begin_refusal_retreat`]: units of a hex retreat in refusal. When they stand, the module lets the
//!   attackers advance (R23), and calls [`RoadsToMoscow::refusal_over`].
//!
//! # How it is played
//!
//! Each step is a [`crate::Phase`] between `Combat` and `Advance`; [`State::decider`] says whose decision it is. Where nothing is
//! to be decided `combat_end` goes on to the next step. A list that is made piece by piece (air units, artillery, command
//! points) is closed by [`crate::Action::Pass`], and named in ascending order, so that each set is made in one way.

mod advance;
mod coordination;
mod losses;
pub mod modifiers;
mod resolution;
pub(crate) mod retreat;
mod rocket;
mod strength;
mod support;
mod table;
#[cfg(test)]
mod tests;

#[allow(unused_imports)] // for the words above
use crate::{RoadsToMoscow, State};

pub use modifiers::Modifiers;
pub use table::column_name;
