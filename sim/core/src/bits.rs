//! Fixed-size sets of areas, the boards of the area games.

/// A set of up to `64 * W` areas (zones, hexes, counters), one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct AreaSet<const W: usize>(pub [u64; W]);

impl<const W: usize> Default for AreaSet<W> {
    #[inline]
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const W: usize> AreaSet<W> {
    /// The set without members.
    pub const EMPTY: Self = AreaSet([0; W]);

    /// The sets with one member.
    const SINGLES: [Self; 256] = {
        let mut singles = [Self::EMPTY; 256];
        let mut area = 0;
        while area < 64 * W && area < 256 {
            singles[area].0[area / 64] = 1 << (area % 64);
            area += 1;
        }
        singles
    };

    #[inline]
    fn single(area: u8) -> &'static Self {
        &Self::SINGLES[..64 * W][area as usize]
    }

    /// The set with one member.
    #[inline]
    pub fn one(area: u8) -> Self {
        *Self::single(area)
    }

    /// Adds an area.
    #[inline]
    pub fn insert(&mut self, area: u8) {
        self.0[(area >> 6) as usize] |= 1 << (area & 63);
    }

    /// Takes an area out.
    #[inline]
    pub fn remove(&mut self, area: u8) {
        // By the whole set, as floods do at every step: a word written alone would hold up whoever reads the set right after,
        // for a processor hands on what was stored only to loads that lie within it.
        *self = self.minus(Self::single(area));
    }

    /// Adds or takes out an area.
    #[inline]
    pub fn set(&mut self, area: u8, member: bool) {
        if member {
            self.insert(area);
        } else {
            self.remove(area);
        }
    }

    /// Whether the area is a member.
    #[inline]
    pub fn has(&self, area: u8) -> bool {
        self.0[(area >> 6) as usize] >> (area & 63) & 1 != 0
    }

    /// Whether there is no member.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// How many members there are.
    #[inline]
    pub fn len(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Members of either set.
    #[inline]
    #[must_use]
    pub fn or(mut self, other: &Self) -> Self {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a |= b;
        }
        self
    }

    /// Members of both sets.
    #[inline]
    #[must_use]
    pub fn and(mut self, other: &Self) -> Self {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a &= b;
        }
        self
    }

    /// Members of this set that are not in the other.
    #[inline]
    #[must_use]
    pub fn minus(mut self, other: &Self) -> Self {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a &= !b;
        }
        self
    }

    /// Whether the sets share a member.
    #[inline]
    pub fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// The members that are `wanted`, which are asked in ascending order.
    #[inline]
    #[must_use]
    pub fn filter(mut self, mut wanted: impl FnMut(u8) -> bool) -> Self {
        for (index, word) in self.0.iter_mut().enumerate() {
            let mut left = *word;
            while left != 0 {
                let area = index as u32 * 64 + left.trailing_zeros();
                let lowest = left & left.wrapping_neg();
                *word ^= if wanted(area as u8) { 0 } else { lowest };
                left ^= lowest;
            }
        }
        self
    }

    /// The smallest member.
    #[inline]
    pub fn first(&self) -> Option<u8> {
        self.iter().next()
    }

    /// The member with this many smaller ones, if there are so many.
    #[inline]
    pub fn nth(&self, mut nth: u32) -> Option<u8> {
        for (index, &word) in self.0.iter().enumerate() {
            let members = word.count_ones();
            if nth < members {
                return Some(index as u8 * 64 + nth_bit(word, u64::from(nth)));
            }
            nth -= members;
        }
        None
    }

    /// How many members there are in each word.
    #[inline]
    pub fn sizes(&self) -> [u64; W] {
        let mut sizes = self.0;
        for word in &mut sizes {
            *word = u64::from(word.count_ones());
        }
        sizes
    }

    /// As [`AreaSet::nth`], for numbers that are drawn: without a jump that would depend on the number. `sizes` must be the
    /// [`AreaSet::sizes`] of the set as it is now.
    #[inline]
    pub fn drawn(&self, sizes: &[u64; W], nth: u64) -> Option<u8> {
        let (mut word, mut below, mut sum) = (0, 0, 0);
        for &size in sizes {
            sum += size;
            let passed = nth >= sum;
            word += usize::from(passed);
            below = if passed { sum } else { below };
        }
        let bits = *self.0.get(word)?;
        Some(word as u8 * 64 + nth_bit(bits, nth - below))
    }

    /// The members in ascending order.
    #[inline]
    pub fn iter(&self) -> Areas<W> {
        Areas { bits: self.0[0], word: 0, set: *self }
    }

    /// The areas that can be reached from `start` through `open` areas, `start` included whether open or not.
    /// `neighbours[a]` is the set of areas that touch area `a`.
    #[inline]
    #[must_use]
    pub fn flood(start: Self, open: &Self, neighbours: &[Self]) -> Self {
        let mut left = open.minus(&start);
        let mut frontier = start;
        while !frontier.is_empty() {
            frontier = frontier.fringe(neighbours).and(&left);
            left = left.minus(&frontier);
        }
        start.or(&open.minus(&left))
    }

    /// All areas that touch a member (members themselves only if they touch another).
    #[inline]
    #[must_use]
    pub fn fringe(&self, neighbours: &[Self]) -> Self {
        self.iter().fold(Self::EMPTY, |next, area| next.or(&neighbours[area as usize]))
    }
}

/// Position of the set bit with `nth` set bits below it, of which the word has more than `nth`: first its byte, then the bit.
#[inline]
fn nth_bit(word: u64, nth: u64) -> u8 {
    let up_to = members_up_to(word);
    // The top bit of every byte up to which there are not more than `nth` stays set.
    let tops = 0x80 * EACH_BYTE;
    let passed = ((nth.wrapping_mul(EACH_BYTE) | tops) - up_to) & tops;
    let byte = 8 * ((passed >> 7).wrapping_mul(EACH_BYTE) >> 56);
    let rest = nth as usize - usize::from((up_to << 8 >> byte) as u8);
    byte as u8 + NTH_OF_BYTE[usize::from((word >> byte) as u8)][rest & 7]
}

/// A one in each byte.
const EACH_BYTE: u64 = 0x0101_0101_0101_0101;

/// For each byte of a word, how many bits are set in it and in those below it.
#[inline]
fn members_up_to(word: u64) -> u64 {
    let pairs = word - ((word >> 1) & (0x55 * EACH_BYTE));
    let nibbles = (pairs & (0x33 * EACH_BYTE)) + ((pairs >> 2) & (0x33 * EACH_BYTE));
    ((nibbles + (nibbles >> 4)) & (0x0f * EACH_BYTE)).wrapping_mul(EACH_BYTE)
}

/// Positions of the set bits of a byte, in ascending order.
static NTH_OF_BYTE: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut nth) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 != 0 {
                table[byte][nth] = bit;
                nth += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

impl<const W: usize> FromIterator<u8> for AreaSet<W> {
    fn from_iter<I: IntoIterator<Item = u8>>(areas: I) -> Self {
        let mut set = Self::EMPTY;
        areas.into_iter().for_each(|area| set.insert(area));
        set
    }
}

impl<const W: usize> IntoIterator for AreaSet<W> {
    type Item = u8;
    type IntoIter = Areas<W>;
    fn into_iter(self) -> Areas<W> {
        self.iter()
    }
}

impl<const W: usize> IntoIterator for &AreaSet<W> {
    type Item = u8;
    type IntoIter = Areas<W>;
    fn into_iter(self) -> Areas<W> {
        self.iter()
    }
}

/// Members of an [`AreaSet`] in ascending order.
#[derive(Clone, Debug)]
pub struct Areas<const W: usize> {
    /// What is left of the word at hand.
    bits: u64,
    word: usize,
    set: AreaSet<W>,
}

impl<const W: usize> Iterator for Areas<W> {
    type Item = u8;
    #[inline]
    fn next(&mut self) -> Option<u8> {
        while self.bits == 0 {
            self.word += 1;
            self.bits = *self.set.0.get(self.word)?;
        }
        let area = self.word as u32 * 64 + self.bits.trailing_zeros();
        self.bits &= self.bits - 1;
        Some(area as u8)
    }

    /// Sums, filters and collections run through here: word by word.
    #[inline]
    fn fold<B, F: FnMut(B, u8) -> B>(mut self, init: B, mut each: F) -> B {
        let mut result = init;
        loop {
            while self.bits != 0 {
                let area = self.word as u32 * 64 + self.bits.trailing_zeros();
                self.bits &= self.bits - 1;
                result = each(result, area as u8);
            }
            self.word += 1;
            let Some(&bits) = self.set.0.get(self.word) else { return result };
            self.bits = bits;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn sets_behave_as_sets(a in prop::collection::btree_set(0u8..192, 0..60),
                               b in prop::collection::btree_set(0u8..192, 0..60)) {
            let (x, y): (AreaSet<3>, AreaSet<3>) = (a.iter().copied().collect(), b.iter().copied().collect());
            let areas = |set: AreaSet<3>| set.iter().collect::<BTreeSet<u8>>();
            prop_assert!(x.iter().eq(a.iter().copied()), "ascending and complete");
            prop_assert_eq!(areas(x.or(&y)), &a | &b);
            prop_assert_eq!(areas(x.and(&y)), &a & &b);
            prop_assert_eq!(areas(x.minus(&y)), &a - &b);
            prop_assert_eq!(x.meets(&y), !a.is_disjoint(&b));
            prop_assert_eq!((x.len() as usize, x.is_empty(), x.first()), (a.len(), a.is_empty(), a.first().copied()));
            prop_assert!((0..=a.len()).all(|nth| x.nth(nth as u32) == a.iter().nth(nth).copied()), "in order");
            prop_assert_eq!(x.iter().skip(3).fold(0, |sum, area| sum + u32::from(area)),
                            a.iter().skip(3).map(|&area| u32::from(area)).sum::<u32>());
            prop_assert_eq!(areas(x.filter(|area| area % 3 == 0)), a.iter().copied().filter(|area| area % 3 == 0).collect());
            prop_assert!((0..=a.len()).all(|nth| x.drawn(&x.sizes(), nth as u64) == a.iter().nth(nth).copied()), "drawn");
            let mut emptied = x;
            for &area in &a {
                prop_assert!(emptied.has(area));
                emptied.set(area, false);
            }
            prop_assert_eq!(emptied, AreaSet::EMPTY);
        }
    }

    #[test]
    fn floods_and_fringes_follow_the_neighbours() {
        // 0 - 1 - 2 - 3, and 4 alone.
        let neighbours: Vec<AreaSet<1>> =
            [vec![1], vec![0, 2], vec![1, 3], vec![2], vec![]].into_iter().map(AreaSet::from_iter).collect();
        let open = AreaSet::from_iter([1, 3, 4]);
        assert_eq!(AreaSet::flood(AreaSet::one(0), &open, &neighbours), AreaSet::from_iter([0, 1]));
        assert_eq!(AreaSet::from_iter([0, 1]).fringe(&neighbours), AreaSet::from_iter([0, 1, 2]));
        assert_eq!(AreaSet::one(4).fringe(&neighbours), AreaSet::EMPTY);
    }
}
