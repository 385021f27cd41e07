//! Fixed-size sets of areas, hexes, units and whatever else is numbered from zero.

use std::fmt::Debug;
use std::hash::Hash;
use std::marker::PhantomData;

/// A number that says which of several things of one kind is meant: an area, a hex, a unit.
pub trait Index: Copy + Eq + Ord + Hash + Debug {
    /// The number, from 0.
    fn at(self) -> usize;

    /// The thing of this number. Only called with numbers that [`Index::at`] gave.
    fn nth(at: usize) -> Self;
}

impl Index for u8 {
    #[inline]
    fn at(self) -> usize {
        self as usize
    }
    #[inline]
    fn nth(at: usize) -> u8 {
        at as u8
    }
}

/// Declares index types: numbers of one kind of thing that cannot be taken for those of another.
///
/// ```
/// sandtable_core::index! {
///     /// A formation, as an index into the order of battle.
///     pub struct Formation(u8);
/// }
/// use sandtable_core::Index;
/// assert_eq!(Formation::nth(3).at(), 3);
/// ```
#[macro_export]
macro_rules! index {
    ($($(#[$doc:meta])* $seen:vis struct $name:ident($number:ty);)+) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        $seen struct $name(pub $number);

        /// Shows the number alone.
        impl ::core::fmt::Debug for $name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                ::core::fmt::Debug::fmt(&self.0, f)
            }
        }

        /// Hashes as the numbers would: a slice at once.
        impl ::core::hash::Hash for $name {
            #[inline]
            fn hash<H: ::core::hash::Hasher>(&self, hasher: &mut H) {
                self.0.hash(hasher);
            }
            #[inline]
            fn hash_slice<H: ::core::hash::Hasher>(slice: &[Self], hasher: &mut H) {
                for part in slice.chunks(256) {
                    let mut numbers: [$number; 256] = [0; 256];
                    for (number, index) in numbers.iter_mut().zip(part) {
                        *number = index.0;
                    }
                    <$number as ::core::hash::Hash>::hash_slice(&numbers[..part.len()], hasher);
                }
            }
        }

        impl $crate::Index for $name {
            #[inline]
            fn at(self) -> usize {
                self.0 as usize
            }
            #[inline]
            #[allow(clippy::cast_possible_truncation)]
            fn nth(at: usize) -> Self {
                $name(at as $number)
            }
        }
    )+};
}

/// A value for each of the first `N` things of one kind: an array that takes no other index.
///
/// ```
/// use sandtable_core::PerIndex;
/// sandtable_core::index! {
///     /// A zone of the map.
///     pub struct Zone(u8);
/// }
/// let mut corps: PerIndex<Zone, u32, 216> = PerIndex::new([0; 216]);
/// corps[Zone(3)] += 2;
/// assert_eq!(corps[Zone(3)], 2);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct PerIndex<I, T, const N: usize>(pub [T; N], PhantomData<I>);

impl<I, T, const N: usize> PerIndex<I, T, N> {
    /// These values, in the order of the indices.
    #[inline]
    pub const fn new(values: [T; N]) -> Self {
        PerIndex(values, PhantomData)
    }
}

impl<I, T: Debug, const N: usize> Debug for PerIndex<I, T, N> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl<I: Index, T, const N: usize> std::ops::Index<I> for PerIndex<I, T, N> {
    type Output = T;
    #[inline]
    fn index(&self, index: I) -> &T {
        &self.0[index.at()]
    }
}

impl<I: Index, T, const N: usize> std::ops::IndexMut<I> for PerIndex<I, T, N> {
    #[inline]
    fn index_mut(&mut self, index: I) -> &mut T {
        &mut self.0[index.at()]
    }
}

/// A set of up to `64 * W` things of one kind, one bit each.
///
/// The public field holds the bits, for rules that work on whole words.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct IndexSet<I, const W: usize>(pub [u64; W], PhantomData<I>);

impl<I: Index, const W: usize> Debug for IndexSet<I, W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_set().entries(self).finish()
    }
}

impl<I: Index, const W: usize> Default for IndexSet<I, W> {
    #[inline]
    fn default() -> Self {
        Self::EMPTY
    }
}

/// Words up to which the sets of one member are tabled, and members are taken out by whole sets.
pub(crate) const TABLED: usize = 4;
/// Words of a set that are looked at together.
const CHUNK: usize = 8;

/// The sets of one member, for sets of few words.
struct Singles<const W: usize>;

impl<const W: usize> Singles<W> {
    const TABLE: [[u64; W]; 64 * TABLED] = {
        let mut singles = [[0; W]; 64 * TABLED];
        let mut at = 0;
        while at < 64 * W && at < 64 * TABLED {
            singles[at][at / 64] = 1 << (at % 64);
            at += 1;
        }
        singles
    };
}

impl<I: Index, const W: usize> IndexSet<I, W> {
    /// The set without members.
    pub const EMPTY: Self = IndexSet([0; W], PhantomData);

    /// The set of these bits: member `n` is bit `n % 64` of word `n / 64`.
    #[inline]
    pub const fn from_words(words: [u64; W]) -> Self {
        IndexSet(words, PhantomData)
    }

    /// The set with one member.
    #[inline]
    pub fn one(member: I) -> Self {
        if W <= TABLED {
            return Self::from_words(Singles::<W>::TABLE[..64 * W][member.at()]);
        }
        let mut set = Self::EMPTY;
        set.insert(member);
        set
    }

    /// Adds a member.
    #[inline]
    pub fn insert(&mut self, member: I) {
        let at = member.at();
        self.0[at >> 6] |= 1 << (at & 63);
    }

    /// Takes a member out.
    #[inline]
    pub fn remove(&mut self, member: I) {
        if W <= TABLED {
            // By the whole set, as fills do at every step: a word written alone would hold up whoever reads the set
            // right after, for a processor hands on what was stored only to loads that lie within it.
            let single = &Singles::<W>::TABLE[..64 * W][member.at()];
            for (word, bit) in self.0.iter_mut().zip(single) {
                *word &= !bit;
            }
        } else {
            let at = member.at();
            self.0[at >> 6] &= !(1 << (at & 63));
        }
    }

    /// Adds something or takes it out.
    #[inline]
    pub fn set(&mut self, index: I, member: bool) {
        if member {
            self.insert(index);
        } else {
            self.remove(index);
        }
    }

    /// Whether this is a member.
    #[inline]
    pub fn contains(&self, index: I) -> bool {
        let at = index.at();
        self.0[at >> 6] >> (at & 63) & 1 != 0
    }

    /// Whether there is no member.
    #[inline]
    pub fn is_empty(&self) -> bool {
        // Several words at once, before it jumps.
        self.0.chunks(CHUNK).all(|words| words.iter().fold(0, |all, word| all | word) == 0)
    }

    /// How many members there are.
    #[inline]
    pub fn len(&self) -> u32 {
        if W <= TABLED {
            return self.0.iter().map(|word| word.count_ones()).sum();
        }
        // Most of many words are empty.
        let members = |word: &u64| if *word == 0 { 0 } else { word.count_ones() };
        let chunks = self.0.chunks(CHUNK).filter(|words| words.iter().fold(0, |all, word| all | word) != 0);
        chunks.map(|words| words.iter().map(members).sum::<u32>()).sum()
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
    pub fn difference(mut self, other: &Self) -> Self {
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            *a &= !b;
        }
        self
    }

    /// Whether the sets share a member.
    #[inline]
    pub fn intersects(&self, other: &Self) -> bool {
        let mut chunks = self.0.chunks(CHUNK).zip(other.0.chunks(CHUNK));
        chunks.any(|(a, b)| a.iter().zip(b).fold(0, |all, (a, b)| all | a & b) != 0)
    }

    /// The members that are `wanted`, which are asked in ascending order.
    #[inline]
    #[must_use]
    pub fn filter(mut self, mut wanted: impl FnMut(I) -> bool) -> Self {
        for (index, word) in self.0.iter_mut().enumerate() {
            let mut left = *word;
            while left != 0 {
                let at = index * 64 + left.trailing_zeros() as usize;
                let lowest = left & left.wrapping_neg();
                *word ^= if wanted(I::nth(at)) { 0 } else { lowest };
                left ^= lowest;
            }
        }
        self
    }

    /// The members from a number on.
    #[inline]
    #[must_use]
    pub fn from_number(mut self, first: usize) -> Self {
        let whole = (first / 64).min(W);
        self.0[..whole].fill(0);
        if let Some(word) = self.0.get_mut(whole) {
            *word &= u64::MAX << (first % 64);
        }
        self
    }

    /// The smallest member.
    #[inline]
    pub fn first(&self) -> Option<I> {
        self.iter().next()
    }

    /// The member with this many smaller ones, if there are so many.
    #[inline]
    pub fn nth(&self, mut nth: u32) -> Option<I> {
        for (index, &word) in self.0.iter().enumerate() {
            if W > TABLED && word == 0 {
                continue;
            }
            let members = word.count_ones();
            if nth < members {
                return Some(I::nth(index * 64 + usize::from(nth_bit(word, u64::from(nth)))));
            }
            nth -= members;
        }
        None
    }

    /// How many members are smaller than an index: the inverse of [`IndexSet::nth`].
    #[inline]
    pub fn rank(&self, index: I) -> u32 {
        let (word, bit) = (index.at() / 64, index.at() % 64);
        let below = self.0[word] & ((1 << bit) - 1);
        self.0[..word].iter().map(|word| word.count_ones()).sum::<u32>() + below.count_ones()
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

    /// As [`IndexSet::nth`], for numbers that are drawn: without a jump that would depend on the number. `sizes` must
    /// be the [`IndexSet::sizes`] of the set as it is now.
    #[inline]
    pub fn drawn(&self, sizes: &[u64], nth: u64) -> Option<I> {
        let (mut word, mut below, mut sum) = (0, 0, 0);
        for &size in sizes {
            sum += size;
            let passed = nth >= sum;
            word += usize::from(passed);
            below = if passed { sum } else { below };
        }
        let bits = *self.0.get(word)?;
        Some(I::nth(word * 64 + usize::from(nth_bit(bits, nth - below))))
    }

    /// The members in ascending order.
    #[inline]
    pub fn iter(&self) -> Members<I, W> {
        Members { bits: self.0[0], word: 0, set: *self }
    }

    /// The areas that can be reached from `start` through `open` areas, `start` included whether open or not.
    /// `neighbours[a]` is the set of areas that touch area `a`.
    #[inline]
    #[must_use]
    pub fn fill(start: Self, open: &Self, neighbours: &[Self]) -> Self {
        let mut left = open.difference(&start);
        let mut frontier = start;
        while !frontier.is_empty() {
            frontier = frontier.neighbours(neighbours).and(&left);
            left = left.difference(&frontier);
        }
        start.or(&open.difference(&left))
    }

    /// All areas that touch a member (members themselves only if they touch another).
    #[inline]
    #[must_use]
    pub fn neighbours(&self, neighbours: &[Self]) -> Self {
        self.iter().fold(Self::EMPTY, |next, area| next.or(&neighbours[area.at()]))
    }
}

/// Position of the set bit with `nth` set bits below it, of which the word has more than `nth`: first its byte, then
/// the bit.
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

impl<I: Index, const W: usize> FromIterator<I> for IndexSet<I, W> {
    fn from_iter<T: IntoIterator<Item = I>>(members: T) -> Self {
        let mut set = Self::EMPTY;
        members.into_iter().for_each(|member| set.insert(member));
        set
    }
}

impl<I: Index, const W: usize> IntoIterator for IndexSet<I, W> {
    type Item = I;
    type IntoIter = Members<I, W>;
    fn into_iter(self) -> Members<I, W> {
        self.iter()
    }
}

impl<I: Index, const W: usize> IntoIterator for &IndexSet<I, W> {
    type Item = I;
    type IntoIter = Members<I, W>;
    fn into_iter(self) -> Members<I, W> {
        self.iter()
    }
}

/// Members of an [`IndexSet`] in ascending order.
#[derive(Clone, Debug)]
pub struct Members<I: Index, const W: usize> {
    /// What is left of the word at hand.
    bits: u64,
    word: usize,
    set: IndexSet<I, W>,
}

impl<I: Index, const W: usize> Iterator for Members<I, W> {
    type Item = I;
    #[inline]
    fn next(&mut self) -> Option<I> {
        while self.bits == 0 {
            self.word += 1;
            self.bits = *self.set.0.get(self.word)?;
        }
        let at = self.word * 64 + self.bits.trailing_zeros() as usize;
        self.bits &= self.bits - 1;
        Some(I::nth(at))
    }

    /// Sums, filters and collections run through here: word by word.
    #[inline]
    fn fold<B, F: FnMut(B, I) -> B>(mut self, init: B, mut each: F) -> B {
        let mut result = init;
        loop {
            while self.bits != 0 {
                let at = self.word * 64 + self.bits.trailing_zeros() as usize;
                self.bits &= self.bits - 1;
                result = each(result, I::nth(at));
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
    use crate::Digest;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    type Bytes<const W: usize> = IndexSet<u8, W>;

    proptest! {
        #[test]
        fn sets_behave_as_sets(a in prop::collection::btree_set(0u8..192, 0..60),
                               b in prop::collection::btree_set(0u8..192, 0..60)) {
            let (x, y): (Bytes<3>, Bytes<3>) = (a.iter().copied().collect(), b.iter().copied().collect());
            let areas = |set: Bytes<3>| set.iter().collect::<BTreeSet<u8>>();
            prop_assert!(x.iter().eq(a.iter().copied()), "ascending and complete");
            prop_assert_eq!(areas(x.or(&y)), &a | &b);
            prop_assert_eq!(areas(x.and(&y)), &a & &b);
            prop_assert_eq!(areas(x.difference(&y)), &a - &b);
            prop_assert_eq!(x.intersects(&y), !a.is_disjoint(&b));
            prop_assert_eq!((x.len() as usize, x.is_empty(), x.first()), (a.len(), a.is_empty(), a.first().copied()));
            prop_assert!((0..=a.len()).all(|nth| x.nth(nth as u32) == a.iter().nth(nth).copied()), "in order");
            prop_assert!(a.iter().enumerate().all(|(rank, &index)| x.rank(index) == rank as u32), "rank");
            prop_assert_eq!(x.iter().skip(3).fold(0, |sum, area| sum + u32::from(area)),
                            a.iter().skip(3).map(|&area| u32::from(area)).sum::<u32>());
            prop_assert_eq!(areas(x.filter(|area| area % 3 == 0)), a.iter().copied().filter(|area| area % 3 == 0).collect());
            prop_assert!((0..200).all(|first| x.from_number(first).iter().eq(a.iter().copied().filter(|&area| usize::from(area) >= first))), "from");
            prop_assert!((0..=a.len()).all(|nth| x.drawn(&x.sizes(), nth as u64) == a.iter().nth(nth).copied()), "drawn");
            let mut emptied = x;
            for &area in &a {
                prop_assert!(emptied.contains(area));
                emptied.set(area, false);
            }
            prop_assert_eq!(emptied, Bytes::EMPTY);
        }
    }

    crate::index! {
        /// An area.
        struct Area(u8);
        /// A hex.
        struct Hex(u16);
    }

    #[test]
    fn indices_hash_and_show_as_their_numbers() {
        let bytes: [u8; 251] = std::array::from_fn(|at| at as u8);
        assert_eq!(Digest::of(&bytes.map(Area)), Digest::of(&bytes));
        assert_eq!(Digest::of(&PerIndex::<Area, _, 251>::new(bytes.map(Area))), Digest::of(&bytes));
        let words: [u16; 700] = std::array::from_fn(|at| at as u16 * 90);
        assert_eq!(Digest::of(&words.map(Hex)), Digest::of(&words));
        assert_eq!(format!("{:?}", Some(Hex(300))), "Some(300)");
    }

    #[test]
    fn floods_follow_the_neighbours() {
        // 0 - 1 - 2 - 3, and 4 alone.
        let neighbours: Vec<Bytes<1>> =
            [vec![1], vec![0, 2], vec![1, 3], vec![2], vec![]].into_iter().map(Bytes::from_iter).collect();
        let open = Bytes::from_iter([1, 3, 4]);
        assert_eq!(Bytes::fill(Bytes::one(0), &open, &neighbours), Bytes::from_iter([0, 1]));
        assert_eq!(Bytes::from_iter([0, 1]).neighbours(&neighbours), Bytes::from_iter([0, 1, 2]));
        assert_eq!(Bytes::one(4).neighbours(&neighbours), Bytes::EMPTY);
    }
}
