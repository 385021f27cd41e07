//! What the rules number: counters, sea zones, and the locations a counter can be in.
//!
//! ```text
//! locations   0 ..= 215     land zones                216 ..= 233   sea zones
//!             234 ..= 243   beachheads                244           strategic bombing box
//!             253           pool                      254           locked
//! ```

use sandtable_core::{Index, IndexSet, PerIndex};

/// The most land zones a map may have.
pub const MAX_ZONES: usize = 216;
/// The most sea zones a map may have.
pub const MAX_SEAS: usize = 18;
/// The most counters a counter mix may have (3; the rulebook's sheet has 251).
pub const MAX_COUNTERS: usize = 251;

sandtable_core::index! {
    /// A counter, as an index into the counter sheet (3).
    pub struct Counter(u8);
    /// A sea zone, as an index into [`crate::Rules::seas`].
    pub struct Sea(u8);
    /// Where a counter can be: a land zone, a sea, a beachhead, the strategic bombing box, the pool, or locked.
    pub struct Location(u8);
}

/// A location that is a land zone: an index into [`crate::Rules::zones`]. Zones and the other locations share their numbers,
/// sets and tables, so that where a counter is can be asked without a jump.
pub type Zone = Location;

/// A set of land zones.
pub type Zones = IndexSet<Zone, 4>;
/// A set of locations.
pub type Locations = IndexSet<Location, 4>;
/// A set of counters.
pub type Counters = IndexSet<Counter, 4>;
/// A set of sea zones, bit `s` for sea `s`.
pub type Seas = u32;

/// A value for each location, counter or type of counter: any byte finds one.
pub(crate) type ByCode<I, T> = PerIndex<I, T, 256>;

/// The values of the first codes, and `rest` for the others.
pub(crate) fn by_code<I, T: Copy>(values: impl IntoIterator<Item = T>, rest: T) -> ByCode<I, T> {
    let mut table = [rest; 256];
    for (entry, value) in table.iter_mut().zip(values) {
        *entry = value;
    }
    PerIndex::new(table)
}

/// Beachheads (zone and sea pairs) that can be in use at once. An engine bound: 22 air units could open more, play does
/// not; while all are in use no new one is offered.
pub const SLOTS: usize = 10;

impl Counter {
    /// No counter.
    pub const NONE: Counter = Counter(u8::MAX);
}

impl Sea {
    /// No sea.
    pub const NONE: Sea = Sea(u8::MAX);

    /// The set of this sea alone.
    #[inline]
    pub const fn mask(self) -> Seas {
        1 << self.0
    }

    /// Whether the sea is one of these.
    #[inline]
    pub const fn is_in(self, seas: Seas) -> bool {
        seas >> self.0 & 1 != 0
    }
}

impl Location {
    /// The first beachhead.
    pub const FIRST_BEACHHEAD: Location = Location((MAX_ZONES + MAX_SEAS) as u8);
    /// The strategic bombing box (13.3).
    pub const BOMBING_BOX: Location = Location(Self::FIRST_BEACHHEAD.0 + SLOTS as u8);
    /// Where the counters are that can be taken as reinforcements.
    pub const POOL: Location = Location(253);
    /// Where counters are that are not yet available (11.7, 11.8).
    pub const LOCKED: Location = Location(254);
    /// Nowhere.
    pub const NONE: Location = Location(u8::MAX);
    /// All beachheads.
    pub(crate) const BEACHHEADS: Locations =
        IndexSet::from_words([0, 0, 0, ((1 << SLOTS) - 1) << (Self::FIRST_BEACHHEAD.0 - 192)]);

    /// The location of those at sea.
    #[inline]
    pub const fn of_sea(sea: Sea) -> Location {
        Location(MAX_ZONES as u8 + sea.0)
    }

    /// The location of those in a beachhead, by its number.
    #[inline]
    pub const fn of_beachhead(slot: usize) -> Location {
        Location(Self::FIRST_BEACHHEAD.0 + slot as u8)
    }

    /// The beachheads, in use or not.
    #[inline]
    pub fn beachheads() -> impl Iterator<Item = Location> + Clone {
        (Self::FIRST_BEACHHEAD.0..Self::BOMBING_BOX.0).map(Location)
    }

    /// Whether it is a land zone.
    #[inline]
    pub const fn is_zone(self) -> bool {
        (self.0 as usize) < MAX_ZONES
    }

    /// The sea it is, if it is one.
    #[inline]
    pub fn sea(self) -> Option<Sea> {
        (Self::of_sea(Sea(0)).0..Self::FIRST_BEACHHEAD.0)
            .contains(&self.0)
            .then(|| Sea(self.0 - MAX_ZONES as u8))
    }

    /// The number of the beachhead it is, if it is one.
    #[inline]
    pub fn slot(self) -> Option<usize> {
        self.at().checked_sub(Self::FIRST_BEACHHEAD.at()).filter(|&slot| slot < SLOTS)
    }

    /// Whether it is a beachhead.
    #[inline]
    pub const fn is_beachhead(self) -> bool {
        Self::FIRST_BEACHHEAD.0 <= self.0 && self.0 < Self::BOMBING_BOX.0
    }
}

/// The set of these seas.
pub(crate) fn seas_of(seas: impl Iterator<Item = Sea>) -> Seas {
    seas.fold(0, |seas, sea| seas | sea.mask())
}

/// Seas as an iterator of indices.
pub(crate) fn seas(mut mask: Seas) -> impl Iterator<Item = Sea> {
    std::iter::from_fn(move || {
        (mask != 0).then(|| {
            let sea = Sea(mask.trailing_zeros() as u8);
            mask &= mask - 1;
            sea
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_location_is_of_one_kind() {
        for location in (0..=Location::BOMBING_BOX.0).map(Location) {
            let kinds = [
                location.is_zone(),
                location.sea().is_some(),
                location.slot().is_some(),
                location == Location::BOMBING_BOX,
            ];
            assert_eq!(kinds.iter().filter(|&&kind| kind).count(), 1, "{location:?}");
            assert_eq!(location.is_beachhead(), location.slot().is_some());
            assert!(location.sea().is_none_or(|sea| Location::of_sea(sea) == location));
            assert!(location.slot().is_none_or(|slot| Location::of_beachhead(slot) == location));
        }
        assert!(Location::beachheads().eq(Location::BEACHHEADS));
    }
}
