//! Facts reported while actions are applied.

use sandtable_core::Hex;

use crate::combat::Modifiers;
use crate::ids::{AirId, FormationId, Marker, Player, UnitId, Units};
use crate::phase::Sequence;
use crate::rules::{CombatResult, Crt, Weather};

/// Why a unit was lost, or lost a step.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Cause {
    /// A numerical result (11.2).
    Combat,
    /// Armour Attrition (11.23).
    Attrition,
    /// No Retreat (11.24).
    NoRetreat,
    /// An overrun that failed (8.57).
    Overrun,
    /// A retreat that was barred (11.3), or past the enemy (11.5).
    Retreat,
    /// Too much in a hex (3.33, 11.34).
    Stacking,
    /// An enemy combat unit entered the hex (3.14g).
    Entered,
    /// A check on a red result (13.17, 15.34b).
    Red,
}

/// What an efficiency check was for (3.42).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Check {
    ArmyUnit,
    Refusal,
    Reaction,
    NoRetreat,
    Air,
    Artillery,
    Ground,
    Retreat,
    Survival,
    Recovery,
}

/// A fact. Whoever shows facts to a player leaves out the markers that [`Event::Drawn`], [`Event::Passed`] and a failed
/// [`Event::Combined`] tell of the opponent (19.2).
#[derive(Clone, Copy, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Event {
    /// A turn begins, from 1, with its weather (5.1).
    TurnBegins {
        turn: u8,
        weather: Weather,
        roll: u8,
    },
    /// Fuel units received (6.41).
    FuelReceived {
        units: u8,
        roll: u8,
    },
    GroupTaken {
        group: u8,
    },
    Reserved {
        formation: FormationId,
    },
    /// Rolls with modifiers, German and Soviet (7.11).
    Initiative {
        rolls: [u8; 2],
        totals: [u8; 2],
        first: Player,
    },
    CupFilled {
        player: Player,
        markers: u8,
    },
    /// A marker is drawn, face down: for its owner alone (7.21).
    Drawn {
        marker: Marker,
    },
    /// A Pass. The marker goes into the pool face down: it is for its owner alone (7.21C).
    Passed {
        player: Player,
        marker: Marker,
    },
    /// An attempt to combine. If it fails, the other marker stays hidden: it is for its owner alone (7.33e).
    Combined {
        revealed: Marker,
        other: Marker,
        roll: u8,
        total: u8,
        success: bool,
    },
    /// A formation becomes active.
    Activated {
        formation: FormationId,
        sequence: Sequence,
    },
    ArmyActivated {
        unit: UnitId,
        success: bool,
    },
    FuelSpent {
        unit: UnitId,
    },
    LowFuel {
        unit: UnitId,
    },
    PointsSpent {
        unit: UnitId,
    },
    /// An efficiency check: rolled plus modifier against the rating.
    Checked {
        check: Check,
        unit: UnitId,
        roll: u8,
        modifier: i8,
        rating: u8,
        success: bool,
    },
    Digging {
        unit: UnitId,
        at: Hex,
    },
    PositionBuilt {
        player: Player,
        at: Hex,
    },
    PositionGone {
        player: Player,
        at: Hex,
    },
    LineDestroyed {
        at: Hex,
    },
    Entered {
        unit: UnitId,
        at: Hex,
    },
    Moved {
        unit: UnitId,
        from: Hex,
        to: Hex,
        reaction: bool,
    },
    Declared {
        target: Hex,
        attackers: Units,
        crt: Crt,
    },
    Refused {
        at: Hex,
        success: bool,
    },
    NoRetreatDeclared {
        at: Hex,
        success: bool,
    },
    /// A combat begins.
    CombatBegins {
        target: Hex,
        attackers: Units,
        defenders: Units,
        crt: Crt,
        overrun: bool,
    },
    AirCommitted {
        unit: AirId,
    },
    AirLost {
        unit: AirId,
    },
    Supports {
        unit: UnitId,
        target: Hex,
    },
    Coordination {
        player: Player,
        check: Check,
        roll: u8,
        modifier: i8,
        success: bool,
    },
    /// The result: final strengths of attacker and defender, column of the table (none: below the first), each modifier and
    /// their limited sum, roll (0: none was made).
    Combat {
        target: Hex,
        strengths: [u16; 2],
        column: Option<u8>,
        modifiers: Modifiers,
        modifier: i8,
        roll: u8,
        result: CombatResult,
    },
    Lost {
        unit: UnitId,
        cause: Cause,
    },
    Eliminated {
        unit: UnitId,
        at: Hex,
        cause: Cause,
    },
    Disorganised {
        unit: UnitId,
    },
    Recovered {
        unit: UnitId,
    },
    Retreated {
        unit: UnitId,
        from: Hex,
        to: Hex,
    },
    Advanced {
        unit: UnitId,
        from: Hex,
        to: Hex,
    },
    /// A hex changes hands.
    Controlled {
        at: Hex,
        by: Player,
    },
    /// Supply of a unit changes (6.12): supplied, emergency or unsupplied.
    Supply {
        unit: UnitId,
        status: SupplyStatus,
    },
    TurnEnds {
        turn: u8,
        score: i16,
    },
}

/// Supply of a unit (6.12).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
pub enum SupplyStatus {
    /// Traces a route.
    #[default]
    Supplied,
    /// Failed once.
    Emergency,
    /// Failed again.
    Unsupplied,
}
