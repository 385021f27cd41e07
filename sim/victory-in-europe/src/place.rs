//! Units and places as numbers: the blocks of the order of battle, and where they can be.

/// No index at all: said where a byte numbers a card, a nation or a sea zone, and there is none.
pub const NO_INDEX: u8 = 255;

/// The most areas a map may have.
pub const MAX_AREAS: usize = 160;
/// The most sea zones.
pub const MAX_SEAS: usize = 32;

/// Places that hold units: areas first, then sea zones.
pub const PLACES: usize = MAX_AREAS + MAX_SEAS;

sandtable_core::index! {
    /// A unit counter, as an index into [`crate::rules::Rules::units`].
    pub struct UnitId(u8);

    /// Where a unit can be: an area, as an index into [`crate::rules::Rules::areas`]; a sea zone, numbered after the areas
    /// there is room for; or off the map.
    pub struct Place(u8);
}

impl UnitId {
    /// No unit.
    pub const NONE: UnitId = UnitId(255);
}

impl Place {
    /// No place.
    pub const NONE: Place = Place(255);
    /// Where units are that may be built (2.1).
    pub const POOL: Place = Place(254);
    /// Where units are that are out of the game.
    pub const GONE: Place = Place(253);

    /// The place of a sea zone.
    #[inline]
    pub const fn sea(zone: u8) -> Place {
        Place(MAX_AREAS as u8 + zone)
    }
    /// The sea zone of a place, if it is one.
    #[inline]
    pub const fn sea_zone(self) -> Option<u8> {
        if self.is_on_map() && !self.is_area() { Some(self.0 - MAX_AREAS as u8) } else { None }
    }
    /// Whether it is an area.
    #[inline]
    pub const fn is_area(self) -> bool {
        self.0 < MAX_AREAS as u8
    }
    /// Whether it is on the map: an area or a sea zone.
    #[inline]
    pub const fn is_on_map(self) -> bool {
        self.0 < PLACES as u8
    }
}
