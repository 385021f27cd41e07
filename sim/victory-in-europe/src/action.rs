//! Decisions: small, one at a time.

use crate::place::{Place, UnitId};

/// One decision. Which ones are open follows from the phase and the pending decision of the state.
///
/// `u8` values are indices of cards and nations, coasts, or numbers of steps.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// Decline, stop, stay, or end the phase.
    Pass,
    /// Exchange two units in the free deployment of a scenario.
    Exchange(UnitId, UnitId),
    /// Lay this card face down (3.2).
    Card(u8),
    /// Pick a unit to move.
    Select(UnitId),
    /// Move the picked unit: an army to a neighbouring area, a ship or an air unit to its goal; the second number is the
    /// coast a ship ends on.
    Go(Place, u8),
    /// Move the picked unit by Strategic Movement (4.7, 6.13, 7.26, 8.7).
    Strategic(Place, u8),
    /// Declare a sea invasion of an area (7.5).
    Invade(Place),
    /// The unit joins it.
    Join(UnitId),
    /// Move a step of a factory from one area to another (11.32).
    MoveFactory(Place, Place),
    /// Keep this unit pinned (4.3).
    Pin(UnitId),
    /// Place a neutral's unit in an area (10.2).
    Deploy(UnitId, Place),
    /// Name a battle for the event of the card (3.3), or an area for another event.
    Name(Place),
    /// Fight this battle next (5.1).
    Fight(Place),
    /// Fire at this kind of target (5.4).
    Fire(crate::rules::Target),
    /// Announce this kind of target for the round (6.3).
    Announce(crate::rules::Target),
    /// A submarine in its base takes Double Defence instead of firing (7.33).
    Shelter,
    /// Retreat, withdraw, go on, or land: to this place, on this coast.
    Retreat(Place, u8),
    /// This unit takes the hit or the loss.
    Take(UnitId),
    /// The leader orders another round (5.61).
    Extend,
    /// The leader opens an exploitation (5.61).
    Exploit,
    /// Move a victorious unit to an area: regroup (5.8) or exploitation (5.61).
    Move(UnitId, Place),
    /// Roll for a country (10.3).
    Roll(u8),
    /// The Soviets ally with Poland (13).
    AllyPoland,
    /// Add a step to a unit (11.4).
    Build(UnitId),
    /// Build a new unit with one step in an area (11.4).
    Raise(UnitId, Place),
    /// Add a step to a factory, or build its first, in an area (11.31).
    BuildFactory(Place),
    /// The USA gives up the steps of a convoy (7.71).
    CutConvoy(UnitId),
    /// Germany gives Italy a production point (13).
    Subsidy,
}

const _: () = assert!(std::mem::size_of::<Action>() <= 8);
