//! Combat: attacks declared, resolved one at a time; overruns; the retreat and advance of a refusal (8.5, 9.23, 10 to 13, 16).
//!
//! ```text
//! Choosing -> leads -> air (Soviet, German), their coordination -> artillery (defender, attacker), its coordination
//!   -> ground coordination -> the roll -> checks of a red result -> losses (defender, attacker)
//!   -> retreats (defender, attacker), Special Retreats -> advance -> Choosing ... -> the phase ends
//! ```
//!
//! Each stage offers its small decisions; where there is none the kernel passes on to the next. [`RoadsToMoscow::combat_moves_on`]
//! is that table of what follows what.

mod advance;
mod coordination;
mod field;
mod losses;
mod modifiers;
mod resolution;
mod retreat;
mod rocket;
mod strength;
mod support;
pub mod tables;

use sandtable_core::{ActionSink, Context, Flow, Index, Side};

use crate::action::Action;
use crate::event::Event;
use crate::game::RoadsToMoscow;
use crate::state::State;
use crate::{Airs, Hex, Unit, Units};
use tables::{CombatResult, Crt};

pub use resolution::CombatReport;

/// Attacks that may be declared in a phase.
pub const MAX_ATTACKS: usize = 16;
/// No unit.
pub(crate) const NOBODY: Unit = Unit(u8::MAX);

/// Which part a side has in a combat.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
pub enum Role {
    /// The acting player (10.0).
    #[default]
    Attacker,
    /// The other.
    Defender,
}

impl Role {
    /// Both, the attacker first.
    pub const ALL: [Role; 2] = [Role::Attacker, Role::Defender];
    /// The other one.
    pub fn other(self) -> Role {
        Role::ALL[1 - self as usize]
    }
}

/// What has become of a Declared Attack.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum AttackStatus {
    /// It stands.
    #[default]
    Declared,
    /// The defender refused combat (9.2): its markers are gone.
    Refused,
    /// It has been resolved, or fell away.
    Resolved,
}

/// A Declared Attack: the units that bear its marker and where its arrow points (9.12).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Attack {
    /// Units that attack.
    pub attackers: Units,
    /// The Defender hex.
    pub target: Hex,
    /// The table it will be resolved on (10.31).
    pub crt: Crt,
    /// What has become of it.
    pub status: AttackStatus,
}

impl Default for Attack {
    fn default() -> Self {
        Attack { attackers: Units::EMPTY, target: Hex(0), crt: Crt::Assault, status: AttackStatus::Declared }
    }
}

/// The combats of a phase (10), and the one at hand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Combat {
    /// Declared Attacks; only the first `count` are.
    pub attacks: [Attack; MAX_ATTACKS],
    /// How many were declared in this phase.
    pub count: u8,
    /// Units that retreated into a Defender hex whose combat is still to come (11.36).
    pub late: Units,
    /// Artillery of the inactive side that has stood in an enemy zone of control in this Combat Phase (12.25).
    pub pinned: Units,
    /// The combat at hand.
    pub battle: Battle,
}

/// What kind of combat is being resolved.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Kind {
    /// A Declared Attack (10).
    #[default]
    Attack,
    /// An Overrun (8.56).
    Overrun,
    /// A refusal: retreat and advance alone (9.23).
    Refusal,
}

/// Where a combat stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
pub enum Stage {
    /// None is being resolved; the attacker chooses the next.
    #[default]
    Choosing,
    /// The attacker names his lead (10.17).
    AttackLead,
    /// The defender names his (10.44).
    DefenceLead,
    /// The Soviet, then the German, commit air units (13.22).
    Air,
    /// A side names its lead air unit.
    AirLead,
    /// Command Points for its check (10.41).
    AirPoints,
    /// The defender, then the attacker, name supporting artillery (12.11).
    Artillery,
    /// The attacker says which adjacent unit is coordinated without a check (12.17).
    SureArtillery,
    /// A side names its lead artillery unit.
    ArtilleryLead,
    /// Command Points for its check (10.42).
    ArtilleryPoints,
    /// Command Points for ground coordination (10.43).
    GroundPoints,
    /// The die is about to be rolled (10.63).
    Roll,
    /// Steps are lost, the defender's first (11.2).
    Losses,
    /// One more step in place of a retreat (11.42).
    StandFirm,
    /// Units retreat, the defender's first (11.3).
    Retreat,
    /// Retreating units leave a hex that they overfill (11.34).
    Excess,
    /// A group that went through an enemy zone of control loses a step to motorised enemies (11.56d).
    Pursuit,
    /// Its lead for the check (11.56b).
    GroupLead,
    /// Rocket artillery makes its Special Retreat (16.3).
    Special,
    /// The stack that has not cleared an overrun hex loses a step (8.57).
    Repulse,
    /// Attackers advance (11.6).
    Advance,
}

/// How artillery was coordinated (10.42c).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Fire {
    /// Full support.
    #[default]
    Full,
    /// Half of it.
    Half,
    /// None.
    None,
}

/// The combat at hand. Arrays of two are by [`Role`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Battle {
    /// Its kind.
    pub kind: Kind,
    /// Where it stands.
    pub stage: Stage,
    /// Who decides.
    pub asked: Side,
    /// The part of the side that the stage is about.
    pub role: Role,
    /// The acting side.
    pub attacker: Side,
    /// The table.
    pub crt: Crt,
    /// Index of the Declared Attack.
    pub attack: u8,
    /// The Defender hex.
    pub target: Hex,
    /// Units with the marker, or the overrunning stack.
    pub attackers: Units,
    /// Units that defend.
    pub defenders: Units,
    /// Units in the Defender hex that retreated into it before (11.36).
    pub late: Units,
    /// Lead units.
    pub lead: [Unit; 2],
    /// Air units committed.
    pub air: [Airs; 2],
    /// Lead air units.
    pub air_lead: [u8; 2],
    /// Artillery units that support.
    pub support: [Units; 2],
    /// The one that is coordinated without a check (12.17).
    pub sure: [Unit; 2],
    /// Lead artillery units.
    pub artillery_lead: [Unit; 2],
    /// How the artillery was coordinated.
    pub fire: [Fire; 2],
    /// The ground check failed.
    pub uncoordinated: bool,
    /// HQs and leaders whose Command Points went into the check at hand.
    pub staff: Units,
    /// The defender's HQ, and leader, that have given theirs in this combat (15.23c1).
    pub defending_staff: Units,
    /// Leaders whose points went into a coordination check (15.34b).
    pub leaders: Units,
    /// Final strengths.
    pub strength: [u16; 2],
    /// Odds column; `None`: below 1-4.
    pub column: Option<u8>,
    /// Net die modifier.
    pub modifier: i8,
    /// What the die showed; 0: it was not rolled.
    pub roll: u8,
    /// The result.
    pub result: CombatResult,
    /// Steps still to be lost.
    pub owed: [u8; 2],
    /// Whether the first step has been lost.
    pub begun: [bool; 2],
    /// Armour Attrition applies (11.23).
    pub attrition: bool,
    /// The No-Retreat marker holds the defenders; a step is owed for it.
    pub firm: bool,
    /// Steps still owed for it.
    pub firm_steps: u8,
    /// Steps lost so far, for the report.
    pub lost: [u8; 2],
    /// Units eliminated so far, for the report.
    pub gone: [u8; 2],
    /// Units that have still to retreat or may still advance.
    pub moving: Units,
    /// The one that is at it.
    pub walker: Unit,
    /// Hexes it has gone.
    pub walked: u8,
    /// Hexes it may and must still go in a Special Retreat.
    pub ahead: u8,
    /// Where those at hand started.
    pub start: Hex,
    /// The first hex of the walker's retreat.
    pub via: Hex,
    /// How good its routes are: see [`retreat`].
    pub route: u8,
    /// Units that went from `start` through a vacant hex in an enemy zone of control, by direction.
    pub through: [Units; 6],
    /// The group among them that is being checked.
    pub group: Units,
    /// Units that have retreated or advanced from `start`.
    pub moved: Units,
    /// Rockets that must make their Special Retreat.
    pub rockets: Units,
    /// Somebody has advanced two hexes.
    pub far: bool,
    /// Somebody has advanced.
    pub advanced: bool,
}

impl Default for Battle {
    fn default() -> Self {
        Battle {
            kind: Kind::Attack,
            stage: Stage::Choosing,
            asked: Side(0),
            role: Role::Attacker,
            attacker: Side(0),
            crt: Crt::Assault,
            attack: 0,
            target: Hex(0),
            attackers: Units::EMPTY,
            defenders: Units::EMPTY,
            late: Units::EMPTY,
            lead: [NOBODY; 2],
            air: [Airs::EMPTY; 2],
            air_lead: [u8::MAX; 2],
            support: [Units::EMPTY; 2],
            sure: [NOBODY; 2],
            artillery_lead: [NOBODY; 2],
            fire: [Fire::Full; 2],
            uncoordinated: false,
            staff: Units::EMPTY,
            defending_staff: Units::EMPTY,
            leaders: Units::EMPTY,
            strength: [0; 2],
            column: None,
            modifier: 0,
            roll: 0,
            result: CombatResult::default(),
            owed: [0; 2],
            begun: [false; 2],
            attrition: false,
            firm: false,
            firm_steps: 0,
            lost: [0; 2],
            gone: [0; 2],
            moving: Units::EMPTY,
            walker: NOBODY,
            walked: 0,
            ahead: 0,
            start: Hex(0),
            via: Hex(0),
            route: 0,
            through: [Units::EMPTY; 6],
            group: Units::EMPTY,
            moved: Units::EMPTY,
            rockets: Units::EMPTY,
            far: false,
            advanced: false,
        }
    }
}
