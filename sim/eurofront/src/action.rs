//! Decisions.

use sandtable_core::{Direction, Hex};

use crate::ids::{Account, BlockId, EventId, NationId};
use crate::phase::{Haste, Mode, SeaWay};

/// One small decision. What it means depends on the [`crate::Phase`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// No (more) of what the phase is about: a headquarters stays inactive, stays to support combat, does not strike.
    Pass,
    /// Claims foreign recognition (1936 rule 9); fights the battle at hand (7.14).
    Yes,
    /// Activates the headquarters at hand, which deploys into this hex (5.2, 5.21); its own hex: it does not deploy.
    Activate(Mode, Hex),
    /// This unit moves next; takes the hit; is repulsed.
    Unit(BlockId),
    /// This unit, the last in its battle, will retreat as rearguard (6.51).
    Rearguard(BlockId),
    /// Enters this hex, where the enemy stands, in this direction (6.31).
    Engage(Hex, Direction),
    /// Leaves its battle in this direction and goes on into this hex (6.32).
    Disengage(Direction, Hex),
    /// Goes into this hex by land, without leaving or entering a battle. A headquarters that mobilises may go into its
    /// own: it deactivates and stays.
    Go(Hex),
    /// Moves by rail into this hex (9.2).
    Rail(Hex),
    /// Marches, or double-marches, along a route of the map's edge to this place, whoever stands there (18.33).
    March(Hex),
    /// Moves along the roads of the Mediterranean Front into this hex (21.352).
    Road(Hex),
    /// Moves by sea into this port (15.3), by the shortest way, or by the one with the least interception.
    Sail(SeaWay, Hex),
    /// Invades this place from the sea (15.5).
    Invade(Hex),
    /// Is evacuated to this port (15.55).
    Evacuate(Hex),
    /// Is dropped from the air into this hex (14.2).
    Drop(Hex),
    /// Strikes this battle from the air (7.13).
    Strike(Hex),
    /// Buys a step for this unit (11.71).
    Build(BlockId),
    /// Buys this eliminated unit back as a cadre (11.72).
    Cadre(BlockId),
    /// Brings this reinforcement forward by a month (11.82): for the price of its cadre, or for a step less.
    Hasten(BlockId, Haste),
    /// Disbands this unit (11.84).
    Disband(BlockId),
    /// Allots so many points a month to the front at hand (11.5).
    Allot(u8),
    /// Sends a block of points to this account (11.6).
    Transfer(Account),
    /// Places what is at hand into this hex: railhead, port of aid, reinforcement, cadre.
    Place(Hex),
    /// Buys a garrison in this hex (1936 rule 2).
    Garrison(Hex),
    /// Declares war on this nation (16.4); the event concerns this nation (16.6).
    Nation(NationId),
    /// Tries this diplomatic event (16.6).
    Event(EventId),
}

const _: () = assert!(size_of::<Action>() <= 8);
