//! Decisions.

use sandtable_core::Hex;

use crate::ids::{AirId, FormationId, Marker, UnitId};
use crate::rules::Crt;

/// One small decision. What it means depends on the [`crate::Phase`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// No more of what the phase is about. In [`crate::Phase::Sequence`]: Pass (7.21C).
    Pass,
    /// A Mobile Sequence (7.21A).
    Mobile,
    /// An Assault Sequence (7.21B).
    Assault,
    /// Takes an optional group (R81), by index.
    Group(u8),
    /// Puts a formation into Reserve (5.31), or names the one of "Activate any Formation" (4.25).
    Formation(FormationId),
    /// Leaves a marker out of the cup (7.14).
    LeaveOut(Marker),
    /// Plays this marker (7.22).
    Marker(Marker),
    /// Tries to combine, and reveals this marker (7.33).
    Combine(Marker),
    /// Spends the command points of a headquarters and of the leader with it ([`UnitId::NONE`]: without one) (15.2). A
    /// leader alone spends as the first.
    Points(UnitId, UnitId),
    /// This unit: fuel to be spent, Army unit to be activated, digger, attacker, supporting artillery, step lost,
    /// group member, unit that recovers, as the phase says.
    Unit(UnitId),
    /// This unit is the lead (3.43).
    Lead(UnitId),
    /// This air unit is committed, or leads (13).
    Air(AirId),
    /// Joins the stack that is about to move (8.12).
    Join(UnitId),
    /// Is left behind by the stack (8.12).
    Drop(UnitId),
    /// Goes on into this hex: movement, entry, retreat, advance.
    Go(Hex),
    /// Overruns this hex (8.5).
    Overrun(Hex),
    /// This hex: attacked, refusing combat, not retreating; the declared attack to be fought next.
    Target(Hex),
    /// The attack is declared as it stands, on this table (9.12).
    Declare(Crt),
}

const _: () = assert!(size_of::<Action>() <= 8);
