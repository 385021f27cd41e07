//! Who stands where. A unit knows its place; who stands in a place is found in one of two ways.
//!
//! | | finds the units of a place by | bytes | for |
//! |---|---|---|---|
//! | [`UnitPlaces`] | comparing the places of all units at once, also where nobody stands | 2 a unit | hexes: thousands of places |
//! | [`UnitLists`] | walking a sorted list | 2 a unit, 1 a place | areas: at most 256 places, most of them asked for all the time |
//!
//! Neither keeps an order of arrival, which would tell equal positions apart: both give the units of a place in ascending
//! order.
//!
//! Random campaigns of `BlitzWar` (251 counters, 245 places) take 14% more instructions with its stacks found by comparison,
//! 16 bytes at a time, and its lists kept for all else (callgrind, six campaigns: 117.7 and 103.2 million without loading).

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
        for (word, places) in words.iter_mut().zip(self.places.as_chunks::<64>().0) {
            *word = Self::found(places, wanted);
        }
        IndexSet::from_words(words)
    }

    /// The units among some that are in a place.
    #[inline]
    pub fn among(&self, units: &IndexSet<U, W>, place: P) -> IndexSet<U, W> {
        let wanted = u16x16::splat(place.at() as u16);
        let mut words = units.0;
        for (word, places) in words.iter_mut().zip(self.places.as_chunks::<64>().0) {
            if *word != 0 {
                *word &= Self::found(places, wanted);
            }
        }
        IndexSet::from_words(words)
    }

    /// Those of 64 places that are the wanted one.
    #[inline]
    fn found(places: &[u16; 64], wanted: u16x16) -> u64 {
        let lanes = places.as_chunks::<LANES>().0.iter().enumerate();
        lanes.fold(0, |found, (nth, places)| {
            let lanes = u16x16::new(*places).simd_eq(wanted).to_bitmask();
            found | u64::from(lanes) << (LANES * nth)
        })
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

/// The places of `N` units, with a list of the units of each of the first `PLACES` places. Further places, such as a pool,
/// have no list.
///
/// Units and places are bytes. Units are numbered below 255, which ends a list.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct UnitLists<U, P, const N: usize, const PLACES: usize> {
    places: [P; N],
    /// The next unit of the same list; [`END`] for the last one, and for units in no list.
    next: [U; N],
    /// The first unit of each list; [`END`] if it is empty.
    heads: [U; PLACES],
}

/// What stands in a list after its last unit.
const END: usize = 255;

impl<U: Index, P: Index, const N: usize, const PLACES: usize> UnitLists<U, P, N, PLACES> {
    const FITS: () = {
        assert!(size_of::<U>() == 1 && size_of::<P>() == 1, "units and places are bytes");
        assert!(
            N <= END && PLACES <= 256,
            "units are numbered below what ends a list, places with a list by a byte"
        );
    };

    /// All units in one place that has no list, such as a pool.
    ///
    /// # Panics
    /// If the place has a list.
    pub fn all_in(place: P) -> Self {
        let () = Self::FITS;
        assert!(!Self::is_listed(place), "the place has a list");
        UnitLists { places: [place; N], next: [U::nth(END); N], heads: [U::nth(END); PLACES] }
    }

    /// Whether the units of a place are kept in a list.
    #[inline]
    fn is_listed(place: P) -> bool {
        place.at() < PLACES
    }

    /// Where a unit is.
    #[inline]
    pub fn of(&self, unit: U) -> P {
        self.places[unit.at()]
    }

    /// Where each unit is, by number.
    #[inline]
    pub fn all(&self) -> &[P; N] {
        &self.places
    }

    /// The units in a place that has a list.
    #[inline]
    pub fn at(&self, place: P) -> Stack<'_, U> {
        Stack { next: &self.next, unit: self.heads[place.at()] }
    }

    /// Whether nobody is in a place that has a list.
    #[inline]
    pub fn is_empty(&self, place: P) -> bool {
        self.heads[place.at()].at() == END
    }

    /// Whether more than this many units are in a place that has a list.
    #[inline]
    pub fn exceeds(&self, place: P, units: u8) -> bool {
        // Without a jump: how deep stacks are follows no pattern, and limits are a few units.
        let mut unit = self.heads[place.at()];
        for _ in 0..units {
            let next = self.next[unit.at().min(N - 1)];
            unit = if unit.at() == END { unit } else { next };
        }
        unit.at() != END
    }

    /// The first unit in a place that has a list.
    #[inline]
    pub fn first(&self, place: P) -> Option<U> {
        listed(self.heads[place.at()])
    }

    /// The next unit in the place of this one.
    #[inline]
    pub fn next(&self, unit: U) -> Option<U> {
        listed(self.next[unit.at()])
    }

    /// The units in the place of this one that come after it.
    #[inline]
    pub fn after(&self, unit: U) -> Stack<'_, U> {
        Stack { next: &self.next, unit: self.next[unit.at()] }
    }

    /// Puts a unit into a place.
    #[inline]
    pub fn put(&mut self, unit: U, place: P) {
        self.unlink(unit);
        self.places[unit.at()] = place;
        if Self::is_listed(place) {
            self.link(unit, place);
        }
    }

    /// Says where a unit is, but leaves it in the list in which it was, or in none: [`UnitLists::list_anew`] must follow.
    #[inline]
    pub fn put_unlisted(&mut self, unit: U, place: P) {
        self.places[unit.at()] = place;
    }

    /// Builds all lists anew from the places of the units.
    pub fn list_anew(&mut self) {
        // All places a byte can name get a head, also those without a list: no branch on which they are.
        let mut heads = [U::nth(END); 256];
        for (unit, (next, &place)) in self.next.iter_mut().zip(&self.places).enumerate().rev() {
            let head = &mut heads[place.at()];
            *next = *head;
            *head = U::nth(if Self::is_listed(place) { unit } else { END });
        }
        self.heads.copy_from_slice(&heads[..PLACES]);
    }

    /// Adds a unit that is in no list to that of a place.
    fn link(&mut self, unit: U, place: P) {
        let first = self.heads[place.at()];
        if first > unit {
            self.next[unit.at()] = first;
            self.heads[place.at()] = unit;
            return;
        }
        let mut before = first;
        while self.next[before.at()] < unit {
            before = self.next[before.at()];
        }
        self.next[unit.at()] = self.next[before.at()];
        self.next[before.at()] = unit;
    }

    /// Takes a unit out of the list of its place, if that has one.
    fn unlink(&mut self, unit: U) {
        let place = self.places[unit.at()];
        if !Self::is_listed(place) {
            return;
        }
        let after = self.next[unit.at()];
        self.next[unit.at()] = U::nth(END);
        if self.heads[place.at()] == unit {
            self.heads[place.at()] = after;
            return;
        }
        let mut before = self.heads[place.at()];
        while self.next[before.at()] != unit {
            before = self.next[before.at()];
        }
        self.next[before.at()] = after;
    }
}

/// What an entry of a list says: a unit, or that the list is over.
#[inline]
fn listed<U: Index>(entry: U) -> Option<U> {
    (entry.at() != END).then_some(entry)
}

/// Units of a [`UnitLists`] in one place, in ascending order.
#[derive(Clone, Debug)]
pub struct Stack<'a, U> {
    next: &'a [U],
    unit: U,
}

impl<U: Index> Iterator for Stack<'_, U> {
    type Item = U;
    #[inline]
    fn next(&mut self) -> Option<U> {
        let unit = listed(self.unit)?;
        self.unit = self.next[unit.at()];
        Some(unit)
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

    /// An area with a list, if below 9.
    const POOL: u8 = 200;

    proptest! {
        #[test]
        fn lists_are_those_of_a_plain_map(
            moves in prop::collection::vec((0u8..30, prop_oneof![0u8..9, Just(POOL), Just(255)]), 0..100),
        ) {
            let mut lists = UnitLists::<Counter, u8, 30, 9>::all_in(POOL);
            let mut unlisted = lists;
            let mut plain: BTreeMap<Counter, u8> = (0..30).map(|unit| (Counter(unit), POOL)).collect();
            for (unit, place) in moves {
                lists.put(Counter(unit), place);
                unlisted.put_unlisted(Counter(unit), place);
                plain.insert(Counter(unit), place);
            }
            for place in 0..9 {
                let there: Vec<Counter> =
                    plain.iter().filter(|&(_, &at)| at == place).map(|(&unit, _)| unit).collect();
                prop_assert_eq!(lists.at(place).collect::<Vec<_>>(), &there[..]);
                prop_assert_eq!(lists.first(place), there.first().copied());
                prop_assert_eq!(lists.is_empty(place), there.is_empty());
                for units in 0..4 {
                    prop_assert_eq!(lists.exceeds(place, units), there.len() > usize::from(units));
                }
                for (nth, &unit) in there.iter().enumerate() {
                    prop_assert_eq!(lists.after(unit).collect::<Vec<_>>(), &there[nth + 1..]);
                    prop_assert_eq!(lists.next(unit), there.get(nth + 1).copied());
                }
            }
            for (&unit, &place) in &plain {
                prop_assert_eq!(lists.of(unit), place);
                prop_assert!(place < 9 || lists.next(unit).is_none());
            }
            prop_assert_eq!(lists.all().to_vec(), plain.values().copied().collect::<Vec<_>>());
            unlisted.list_anew();
            prop_assert_eq!(unlisted, lists);
        }

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
                let units: IndexSet<Counter, 2> = some.iter().copied().map(Counter).collect();
                prop_assert_eq!(places.among(&units, place), there.and(&units));
            }
            let some: IndexSet<Counter, 2> = some.into_iter().map(Counter).collect();
            let occupied: HexSet<8> = some.iter().map(|unit| plain[&unit]).collect();
            prop_assert_eq!(places.occupied::<8>(&some), occupied);
            let low = places.standing(&some, |place| place < Hex(100));
            prop_assert_eq!(low, some.iter().filter(|unit| plain[unit] < Hex(100)).collect());
        }
    }
}
