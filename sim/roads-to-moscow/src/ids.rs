//! What has a number: players, units, formations, activation markers, aircraft; and the sets of them.

use sandtable_core::{Hex, HexSet, IndexSet, Side};

/// Columns of a map: lines of the hex board.
pub const COLUMNS: usize = 42;
/// Most ground units of a scenario.
pub const MAX_UNITS: usize = 128;
/// Most formations of a scenario, of both sides, the markers "Activate any Formation" counted as one each (4.25).
pub const MAX_FORMATIONS: usize = 24;
/// Most activation markers of a scenario, of both sides.
pub const MAX_MARKERS: usize = 32;
/// Most air units of a scenario, of both sides.
pub const MAX_AIR: usize = 16;

sandtable_core::index! {
    /// A ground unit, as an index into [`crate::Rules::units`].
    pub struct UnitId(u8);
    /// A formation (4.2), as an index into [`crate::Rules::formations`].
    pub struct FormationId(u8);
    /// An activation marker (AM, 4.23), as an index into [`crate::Rules::markers`].
    pub struct Marker(u8);
    /// An air unit, as an index into [`crate::Rules::air`].
    pub struct AirId(u8);
}

impl UnitId {
    /// No unit.
    pub const NONE: UnitId = UnitId(u8::MAX);
    /// Whether there is none.
    #[inline]
    pub fn is_none(self) -> bool {
        self == UnitId::NONE
    }
}

/// A set of hexes of the map.
pub type Hexes = HexSet<COLUMNS>;
/// A set of units.
pub type Units = IndexSet<UnitId, 2>;
/// A set of formations.
pub type Formations = IndexSet<FormationId, 1>;
/// A set of activation markers.
pub type Markers = IndexSet<Marker, 1>;
/// A set of air units.
pub type Air = IndexSet<AirId, 1>;

/// Where units are that are in no hex: places of [`crate::state::State::places`] beyond every board.
pub mod place {
    use sandtable_core::Hex;

    /// Not in the game yet, or never: an optional group not taken, fuel not received.
    pub const OUT: Hex = Hex(0xfff0);
    /// Off the map, may enter when its turn has come (5.2).
    pub const AWAITING: Hex = Hex(0xfff1);
    /// Eliminated.
    pub const ELIMINATED: Hex = Hex(0xfff2);
    /// Smallest number of such a place.
    pub const FIRST: u16 = 0xfff0;
}

/// The hex with a printed number, column times a hundred plus row (2.1): `1822` is row 22 of column 18.
#[inline]
pub const fn hex(number: u16) -> Hex {
    Hex::new((number / 100 - 1) as u8, (number % 100 - 1) as u8)
}

/// The printed number of a hex (2.1).
#[inline]
pub const fn hex_number(hex: Hex) -> u16 {
    (hex.line() as u16 + 1) * 100 + hex.place() as u16 + 1
}

/// One of the two players.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Player {
    /// German.
    German,
    /// Soviet.
    Soviet,
}

impl Player {
    /// Both.
    pub const ALL: [Player; 2] = [Player::German, Player::Soviet];
    /// The opponent.
    #[inline]
    #[must_use]
    pub const fn enemy(self) -> Player {
        match self {
            Player::German => Player::Soviet,
            Player::Soviet => Player::German,
        }
    }
    /// As an array index.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
    /// As the kernel's side.
    #[inline]
    pub const fn side(self) -> Side {
        Side(self as u8)
    }
    /// From the kernel's side.
    #[inline]
    pub const fn of(side: Side) -> Player {
        if side.0 == 0 { Player::German } else { Player::Soviet }
    }
    /// Short identifier.
    pub const fn id(self) -> &'static str {
        match self {
            Player::German => "german",
            Player::Soviet => "soviet",
        }
    }
    /// Name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Player::German => "German",
            Player::Soviet => "Soviet",
        }
    }
}
