//! Who stands where, for boards of many places and few units.
//!
//! A unit knows its place; who stands in a place is found by comparing all units' places at once, so that a state
//! needs no list head for every hex and no order of arrival that would tell equal positions apart.

use std::hash::{Hash, Hasher};
use std::marker::PhantomData;

use wide::u16x16;

use crate::bits::{Index, IndexSet};

/// Units compared at once.
const LANES: usize = 16;

/// The places of `N` units; `W` is `N / 64`, words of a set of units. Places are numbers below 65,536: hexes of a board
/// and whatever boxes a game has beside it.
#[derive(Clone, Copy, Debug)]
pub struct UnitPlaces<U, P, const N: usize, const W: usize> {
    places: [u16; N],
    kinds: PhantomData<(U, P)>,
}

impl<U: Index, P: Index, const N: usize, const W: usize> UnitPlaces<U, P, N, W> {
    const FITS: () = assert!(N == 64 * W, "a set of units has 64 units a word");

    /// All units in one place, such as a box for those that have not come yet.
    pub fn all_in(place: P) -> Self {
        let () = Self::FITS;
        UnitPlaces { places: [place.at() as u16; N], kinds: PhantomData }
    }

    /// Where a unit is.
    #[inline]
    pub fn of(&self, unit: U) -> P {
        P::nth(self.places[unit.at()] as usize)
    }

    /// Puts a unit into a place.
    #[inline]
    pub fn put(&mut self, unit: U, place: P) {
        self.places[unit.at()] = place.at() as u16;
    }

    /// The units in a place.
    #[inline]
    pub fn at(&self, place: P) -> IndexSet<U, W> {
        let wanted = u16x16::splat(place.at() as u16);
        let mut words = [0u64; W];
        for (word, units) in words.iter_mut().zip(self.places.chunks_exact(64)) {
            for (nth, places) in units.as_chunks::<LANES>().0.iter().enumerate() {
                let found = u16x16::new(*places).simd_eq(wanted).to_bitmask();
                *word |= u64::from(found) << (LANES * nth);
            }
        }
        IndexSet::from_words(words)
    }

    /// The units among some whose place is `wanted`.
    #[inline]
    pub fn standing(&self, units: &IndexSet<U, W>, mut wanted: impl FnMut(P) -> bool) -> IndexSet<U, W> {
        units.filter(|unit| wanted(self.of(unit)))
    }

    /// The places in which these units are. All must be below `64 * L`.
    #[inline]
    pub fn occupied<const L: usize>(&self, units: &IndexSet<U, W>) -> IndexSet<P, L> {
        units.iter().map(|unit| self.of(unit)).collect()
    }
}

impl<U, P, const N: usize, const W: usize> PartialEq for UnitPlaces<U, P, N, W> {
    fn eq(&self, other: &Self) -> bool {
        self.places == other.places
    }
}

impl<U, P, const N: usize, const W: usize> Eq for UnitPlaces<U, P, N, W> {}

impl<U, P, const N: usize, const W: usize> Hash for UnitPlaces<U, P, N, W> {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.places.hash(hasher);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hex::{Hex, HexSet};
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    crate::index! {
        /// A counter.
        struct Counter(u8);
    }

    proptest! {
        #[test]
        fn units_are_found_where_they_were_put(
            moves in prop::collection::vec((0u8..128, 0u16..300), 0..200),
            some in prop::collection::btree_set(0u8..128, 0..40),
        ) {
            let elsewhere = Hex(500);
            let mut places = UnitPlaces::<Counter, Hex, 128, 2>::all_in(elsewhere);
            let mut plain: BTreeMap<Counter, Hex> = (0..128).map(|unit| (Counter(unit), elsewhere)).collect();
            for (unit, place) in moves {
                places.put(Counter(unit), Hex(place));
                plain.insert(Counter(unit), Hex(place));
            }
            for place in (0..300).map(Hex).chain([elsewhere, Hex(u16::MAX)]) {
                let there = plain.iter().filter(|&(_, &at)| at == place).map(|(&unit, _)| unit).collect();
                prop_assert_eq!(places.at(place), there);
            }
            let some: IndexSet<Counter, 2> = some.into_iter().map(Counter).collect();
            let occupied: HexSet<8> = some.iter().map(|unit| plain[&unit]).collect();
            prop_assert_eq!(places.occupied::<8>(&some), occupied);
            let low = places.standing(&some, |place| place < Hex(100));
            prop_assert_eq!(low, some.iter().filter(|unit| plain[unit] < Hex(100)).collect());
        }
    }
}
