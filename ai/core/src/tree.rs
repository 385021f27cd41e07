//! The search tree: an arena in four parallel arrays, addressed by entry number.
//!
//! An entry is an action below some node, with the node that it leads to. The children of a node lie side by side,
//! sorted by side and action, so that they are matched with a sorted list of legal actions in one pass and scored in
//! one sweep over memory. They begin at a multiple of eight; what is left of their last eight is padding that scores less
//! than any child. An entry takes 40 bytes and its action.
//!
//! ```text
//! octets: 64 bytes, eight entries to a cache line; all that selection reads of a child
//!   0         4                   32        36                  64
//!   +---------+--  --  --  --  --  +---------+--  --  --  --  -- +
//!   | mean    | of seven more      | spread  | of seven more     |
//!   +---------+--  --  --  --  --  +---------+--  --  --  --  -- +
//!   mean      f32  mean utility to the side that took the action; before the first visit 1000 and more
//!   spread    f32  what exploration is multiplied with: 1/sqrt(visits) or prior/(1+visits)
//!
//! nodes: 16 bytes; all that the way down and the booking need besides
//!   0         4         8         12    14   15   16
//!   +---------+---------+---------+-----+----+----+
//!   | visits  | next    | first   | len |side|flag|
//!   +---------+---------+---------+-----+----+----+
//!   visits    u32  simulations that went through this entry
//!   next      u32  the child to select next time, 0 while unknown; during a simulation the child that it took
//!   first     u32  first octet of the children
//!   len       u16  number of children
//!   side      u8   the side that takes the action
//!   flags     u8   COMPLETE, ROLLED, COUNTED, VARIED, REMEMBERED, WIDE
//!
//! cold: 16 bytes; not kept before the first entry differs from a new one
//!   0         4         8         12        16
//!   +---------+---------+---------+---------+
//!   | passes  | missed  | prior   | own     |
//!   +---------+---------+---------+---------+
//!   passes    u32  simulations that chose among the children (kept where legal sets may vary)
//!   missed    u32  passes of the parent in which the action was not legal, or not yet here
//!   prior     f32  share of the guide's weights, 0 to 1
//!   own       f32  mean utility to the side that decides at the node (kept if untried actions are measured by it)
//!
//! actions: the game's own type
//! ```
//!
//! A mean is kept instead of a sum, and rounded at every visit. After so many visits that a share of them would be lost in
//! the rounding, each new one counts as the 131,072nd ([`LEAST_SHARE`]): the mean is then one over the last visits, and off
//! by about a thousandth, however many there are.
//!
//! How often an action was available is the passes of its parent less those it missed: while all children have always
//! been legal, as at most nodes, they share one number, and a visit writes nothing to them but to the one it takes.

use std::array::from_fn;
use std::hint::select_unpredictable;
use std::ops::Range;

use sandtable_core::{MAX_SIDES, PerSide, Rng64};
use wide::f32x4;

/// The children are exactly the legal actions, at every visit: nobody need ask the game again.
pub(crate) const COMPLETE: u8 = 1;
/// In some simulation, dice fell as the action was played.
pub(crate) const ROLLED: u8 = 2;
/// Passes are counted here, and actions compete by how often they were available.
const COUNTED: u8 = 4;
/// Some child may not have been available in every pass.
const VARIED: u8 = 8;
/// The state at this node is remembered.
pub(crate) const REMEMBERED: u8 = 16;
/// There are more than eight children.
const WIDE: u8 = 32;

/// What selection reads of eight entries.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
struct Octet {
    mean: [f32; OCTET],
    spread: [f32; OCTET],
}

/// Entries in an octet.
const OCTET: usize = 8;

/// What selection reads of one entry.
#[derive(Clone, Copy, Debug)]
struct Hot {
    mean: f32,
    spread: f32,
}

impl Hot {
    /// An entry that was never tried.
    const NEW: Hot = Hot { mean: UNTRIED, spread: 0.0 };
}

impl Octet {
    /// No entry at all: none scores less.
    const PADDING: Octet = Octet { mean: [NOBODY; OCTET], spread: [0.0; OCTET] };

    #[inline]
    fn get(&self, place: usize) -> Hot {
        Hot { mean: self.mean[place], spread: self.spread[place] }
    }

    #[inline]
    fn set(&mut self, place: usize, hot: Hot) {
        self.mean[place] = hot.mean;
        self.spread[place] = hot.spread;
    }

    /// The scores of its entries, whose means count as `worth` says.
    #[inline]
    fn scores(&self, factor: f32, worth: impl Fn(f32x4) -> f32x4) -> Eight {
        let factor = f32x4::splat(factor);
        let ([near, far], [wide, wider]) = (halves(&self.mean), halves(&self.spread));
        Eight([worth(near) + factor * wide, worth(far) + factor * wider])
    }
}

#[inline]
fn halves(eight: &[f32; OCTET]) -> [f32x4; 2] {
    from_fn(|half| f32x4::from(from_fn::<f32, 4, _>(|lane| eight[4 * half + lane])))
}

/// What the way down and the booking need of an entry.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(16))]
pub(crate) struct Node {
    pub visits: u32,
    next: u32,
    first: u32,
    pub len: u16,
    pub side: u8,
    pub flags: u8,
}

/// The rest of an entry.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
struct Cold {
    passes: u32,
    missed: u32,
    prior: f32,
    own: f32,
}

const _: () = assert!(size_of::<Octet>() == 64 && size_of::<Node>() == 16 && size_of::<Cold>() == 16);

/// No child: the root is nobody's.
const NONE: u32 = ROOT as u32;

impl Node {
    /// Octets set aside for the children: a complete node never grows; others double.
    fn capacity(&self) -> usize {
        let octets = usize::from(self.len).div_ceil(OCTET);
        if octets == 0 || self.flags & COMPLETE != 0 { octets } else { octets.next_power_of_two() }
    }

    /// The octets of the children.
    #[inline]
    fn octets(&self) -> Range<usize> {
        let first = self.first as usize;
        first..first + usize::from(self.len).div_ceil(OCTET)
    }

    /// The entries of the children.
    #[inline]
    fn children(&self) -> Range<usize> {
        let first = OCTET * self.first as usize;
        first..first + usize::from(self.len)
    }
}

impl Cold {
    const NEW: Cold = Cold { passes: 0, missed: 0, prior: 0.0, own: 0.5 };

    /// Books what the last of so many visits was worth to the side that decides here.
    #[inline]
    fn credit_own(&mut self, utility: f32, visits: f32) {
        self.own += (utility - self.own) / visits;
    }
}

/// How a child is scored: its mean plus exploration times its spread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rule {
    /// UCB1: `mean + c sqrt(ln(1 + n) / visits)`.
    Ucb1,
    /// PUCT: `mean + c prior sqrt(n) / (1 + visits)`.
    Puct,
}

/// The parameters of selection.
#[derive(Clone, Debug)]
pub(crate) struct Selection {
    rule: Rule,
    /// An action never tried counts as the node's own mean less this; `None` tries every action once first.
    first_play: Option<f32>,
    /// What a spread is multiplied with after n visits, `c sqrt(ln(1 + n))` or `c sqrt(n)`, by the leading bits of n as a
    /// float: its exponent and [`MANTISSA`] bits. Exact up to 63 visits, within 2% beyond. Selection is a chain of
    /// dependent steps down the tree; looking this up keeps a root and a logarithm out of it.
    factors: Box<[f32]>,
}

/// Bits of the mantissa by which factors are tabled.
const MANTISSA: u32 = 5;

/// Where in the table the factor after so many visits is.
#[inline]
fn factor_index(n: f32) -> usize {
    (n.to_bits().wrapping_sub(1f32.to_bits()) >> (23 - MANTISSA)) as usize
}

/// The least mean before the first visit: above any score that a visited child can have, and small enough to leave room for
/// the order among new children.
const UNTRIED: f32 = 1000.0;

/// The mean where there is no entry: below any score.
const NOBODY: f32 = -1e6;

impl Selection {
    /// Selection by this rule; `exploration` is its constant c.
    pub fn new(rule: Rule, exploration: f32, first_play: Option<f32>) -> Self {
        let factor = |bits: u32| {
            let n = f64::from(f32::from_bits((bits << (23 - MANTISSA)) + 1f32.to_bits()));
            let growth = match rule {
                Rule::Ucb1 => n.ln_1p().sqrt(),
                Rule::Puct => n.sqrt(),
            };
            (f64::from(exploration) * growth) as f32
        };
        Selection { rule, first_play, factors: (0..=32 << MANTISSA).map(factor).collect() }
    }

    /// Whether selection reads or writes the cold part of entries even where all children are always legal.
    #[inline]
    fn needs_cold(&self) -> bool {
        self.rule == Rule::Puct || self.first_play.is_some()
    }

    /// What a spread is multiplied with after so many visits, at least one.
    #[inline]
    fn factor(&self, n: f32) -> f32 {
        self.factors[factor_index(n)]
    }

    /// What an untried child counts as; `None` if more than any other.
    #[inline]
    fn first_play(&self, own: f32) -> Option<f32> {
        self.first_play.map(|reduction| own - reduction)
    }
}

#[inline]
fn score(hot: Hot, factor: f32, first_play: Option<f32>) -> f32 {
    let mean = match first_play {
        Some(worth) if hot.mean >= UNTRIED => worth,
        _ => hot.mean,
    };
    mean + factor * hot.spread
}

/// Eight scores.
#[derive(Clone, Copy)]
struct Eight([f32x4; 2]);

impl Eight {
    /// The same without the score in this place, which counts as nothing; the others are [marked](MARK).
    #[inline]
    fn marked_without(self, place: usize) -> Self {
        let ([near, far], [first, second]) = (halves(&OTHERS[place % OCTET].0), halves(&MARKS.0));
        Eight([self.0[0] & near | first, self.0[1] & far | second])
    }

    #[inline]
    fn larger(self, other: Self) -> Self {
        Eight([self.0[0].fast_max(other.0[0]), self.0[1].fast_max(other.0[1])])
    }

    #[inline]
    fn largest(self) -> f32 {
        let [a, b, c, d] = self.0[0].fast_max(self.0[1]).to_array();
        let larger = |a: f32, b: f32| if a > b { a } else { b };
        larger(larger(a, c), larger(b, d))
    }

    /// Where the scores are so large, a bit for each.
    #[inline]
    fn equal(self, score: f32) -> u32 {
        let [near, far] = self.0.map(|four| four.simd_eq(f32x4::splat(score)).to_bitmask());
        near | far << 4
    }
}

/// The lowest bits of a score, a millionth of it, make room for a mark, which says whose it is: the larger of two marked
/// scores, which must not be negative, is that of the better child. Which of equal scores wins is left open: here mostly the
/// last, where scores are not marked the first.
const MARK: u32 = OCTET as u32 - 1;

/// The entry whose mark the score bears, which is in the octet of this one.
#[inline]
fn bearer(marked: f32, sibling: u32) -> u32 {
    sibling ^ ((sibling ^ marked.to_bits()) & MARK)
}

/// Bits to be combined with eight scores.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct Bits([f32; OCTET]);

/// What is left of eight scores when the marks are taken out, and all of one of them.
const OTHERS: [Bits; OCTET] = {
    let mut others = [Bits([f32::from_bits(!MARK); OCTET]); OCTET];
    let mut place = 0;
    while place < OCTET {
        others[place].0[place] = 0.0;
        place += 1;
    }
    others
};

/// The marks of an octet.
const MARKS: Bits = {
    let mut marks = Bits([0.0; OCTET]);
    let mut place = 0;
    while place < OCTET {
        marks.0[place] = f32::from_bits(place as u32);
        place += 1;
    }
    marks
};

/// The place of the best score among the children of so many octets; of equal scores the first wins. Up to eight
/// children, no branch depends on the scores: which child wins cannot be predicted.
#[inline]
fn best_of(octets: &[Octet], scores: impl Fn(&Octet) -> Eight) -> usize {
    let place = |scores: Eight, top: f32| scores.equal(top).trailing_zeros() as usize;
    if let [only] = octets {
        let scores = scores(only);
        return place(scores, scores.largest());
    }
    let Some(all) = octets.iter().map(&scores).reduce(Eight::larger) else { return usize::MAX };
    let top = all.largest();
    let best = octets.iter().map(scores).enumerate().find(|(_, scores)| scores.equal(top) != 0);
    best.map_or(usize::MAX, |(octet, scores)| OCTET * octet + place(scores, top))
}

/// The least share of a visit in the mean: a smaller one is lost when the sum is rounded.
const LEAST_SHARE: f32 = 1.0 / 131_072.0;

/// The mean after a visit that was worth so much and is this share of all.
#[inline]
fn booked(mean: f32, utility: f32, share: f32) -> f32 {
    // At the first visit it does not matter what was there, as long as it is small enough to be taken away again.
    let before = if mean < 1.0 { mean } else { 1.0 };
    let share = if share > LEAST_SHARE { share } else { LEAST_SHARE };
    before + (utility - before) * share
}

/// Books the child that a simulation took at a node after `n` visits, in any case, and selects for the next visit.
// Not rare, but slower than a jump to it.
#[cold]
#[inline(never)]
fn book_generally(
    selection: &Selection,
    octets: &mut [Octet],
    nodes: &[Node],
    cold: &mut [Cold],
    at: usize,
    n: f32,
    utility: f32,
) -> u32 {
    let node = &nodes[at];
    let entry = node.next as usize;
    let visits = nodes[entry].visits as f32;
    let share = 1.0 / visits;
    let mean = booked(octets[entry / OCTET].mean[entry % OCTET], utility, share);
    let spread = match selection.rule {
        Rule::Ucb1 => share.sqrt(),
        Rule::Puct => cold[entry].prior / (1.0 + visits),
    };
    octets[entry / OCTET].set(entry % OCTET, Hot { mean, spread });
    if selection.first_play.is_some() {
        // What an untried child counts as changes with every booking.
        cold[at].credit_own(utility, n);
        return NONE;
    }
    if node.flags & (COMPLETE | VARIED) == VARIED {
        return NONE;
    }
    let n = if node.flags & COUNTED == 0 { n } else { (cold[at].passes + 1) as f32 };
    let factor = selection.factor(n);
    let best = best_of(&octets[node.octets()], |octet| octet.scores(factor, |mean| mean));
    (node.children().start + best) as u32
}

/// The best score so far and its place; of equal scores the first wins.
#[derive(Clone, Copy)]
struct Best {
    score: f32,
    place: usize,
}

impl Best {
    /// Nothing yet.
    const NONE: Best = Best { score: f32::NEG_INFINITY, place: usize::MAX };

    /// Takes the score if it is better, without a branch: which child wins cannot be predicted.
    #[inline]
    fn offer(&mut self, score: f32, place: usize) {
        self.place = select_unpredictable(score > self.score, place, self.place);
        self.score = if score > self.score { score } else { self.score };
    }
}

/// The arena.
#[derive(Clone, Debug)]
pub(crate) struct Tree<A> {
    selection: Selection,
    octets: Vec<Octet>,
    nodes: Vec<Node>,
    /// As long as the others, or empty.
    cold: Vec<Cold>,
    actions: Vec<A>,
    /// Entries that are not padding.
    known: usize,
}

/// The entry of the root.
pub(crate) const ROOT: usize = 0;

impl<A: Copy + Ord> Tree<A> {
    /// A tree without even a root; see [`Self::reset`].
    pub fn new(selection: Selection) -> Self {
        Tree {
            selection,
            octets: Vec::new(),
            nodes: Vec::new(),
            cold: Vec::new(),
            actions: Vec::new(),
            known: 0,
        }
    }

    /// Empties the tree, but for a root. `filler` stands in where there is no action.
    pub fn reset(&mut self, filler: A) {
        self.octets.clear();
        self.nodes.clear();
        self.cold.clear();
        self.actions.clear();
        self.known = 0;
        self.add_root_with(filler);
    }

    /// The number of entries, padding included.
    #[inline]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The number of entries that are not padding: the roots, and every action known below some node.
    pub fn known(&self) -> usize {
        self.known
    }

    /// Adds a node without a parent.
    pub fn add_root(&mut self) -> usize {
        self.add_root_with(self.actions[ROOT])
    }

    fn add_root_with(&mut self, filler: A) -> usize {
        let root = self.reserve(1, filler);
        self.set_hot(root, Hot::NEW);
        self.known += 1;
        root
    }

    #[inline]
    fn hot(&self, entry: usize) -> Hot {
        self.octets[entry / OCTET].get(entry % OCTET)
    }

    #[inline]
    fn set_hot(&mut self, entry: usize, hot: Hot) {
        self.octets[entry / OCTET].set(entry % OCTET, hot);
    }

    /// A node that nobody has visited.
    #[inline]
    fn new_node(side: u8) -> Node {
        Node { visits: 0, next: NONE, first: 0, len: 0, side, flags: 0 }
    }

    /// Sets aside padding for so many entries, in whole octets, and says where it begins.
    fn reserve(&mut self, entries: usize, filler: A) -> usize {
        let first = self.len();
        self.extend(self.octets.len() + entries.div_ceil(OCTET), filler);
        first
    }

    /// Sets aside padding up to so many octets.
    fn extend(&mut self, octets: usize, filler: A) {
        let node = Self::new_node(0);
        self.octets.resize(octets, Octet::PADDING);
        self.nodes.resize(OCTET * octets, node);
        self.actions.resize(OCTET * octets, filler);
        if self.selection.needs_cold() || !self.cold.is_empty() {
            self.keep_cold();
        }
    }

    /// From now on, the cold part of entries is kept.
    #[inline]
    fn keep_cold(&mut self) {
        self.cold.resize(self.nodes.len(), Cold::NEW);
    }

    #[inline]
    pub fn node(&self, entry: usize) -> &Node {
        &self.nodes[entry]
    }

    /// Whether no simulation has gone through this entry.
    #[inline]
    pub fn is_new(&self, entry: usize) -> bool {
        self.nodes[entry].visits == 0
    }

    /// The first octet of the node's children: a number that no other node with children has.
    #[inline]
    pub fn octet(&self, node: usize) -> usize {
        self.nodes[node].first as usize
    }

    #[inline]
    pub fn mean(&self, entry: usize) -> f32 {
        self.hot(entry).mean
    }

    #[inline]
    pub fn action(&self, entry: usize) -> A {
        self.actions[entry]
    }

    #[inline]
    pub fn set_flag(&mut self, entry: usize, flag: u8) {
        self.nodes[entry].flags |= flag;
    }

    /// Declares that the children are all that will ever be legal at the node.
    pub fn set_complete(&mut self, node: usize) {
        self.set_flag(node, COMPLETE);
    }

    #[inline]
    pub fn children(&self, node: usize) -> Range<usize> {
        self.nodes[node].children()
    }

    /// Gives a childless node all of these children; `complete` if there will never be others, else this is a pass.
    /// Returns the child with the best score.
    pub fn open(
        &mut self,
        node: usize,
        side: u8,
        legal: &[A],
        shares: Option<&[f32]>,
        complete: bool,
        rng: &mut Rng64,
    ) -> usize {
        debug_assert!(self.nodes[node].len == 0 && u16::try_from(legal.len()).is_ok());
        let opening = Opening::new(&self.selection, shares, legal.len());
        let first = self.len();
        let parent = &mut self.nodes[node];
        parent.first = (first / OCTET) as u32;
        parent.len = legal.len() as u16;
        if complete {
            parent.flags |= COMPLETE;
        }
        if legal.len() > OCTET {
            parent.flags |= WIDE;
        }
        self.known += legal.len();
        let end = first + OCTET * parent.capacity();
        let children = [Self::new_node(side); OCTET];
        let mut best = Best::NONE;
        for (turn, actions) in legal.chunks(OCTET).enumerate() {
            let octet = opening.octet(OCTET * turn, actions.len(), rng.next());
            let (first, place) = opening.first(&octet);
            best.offer(first, OCTET * turn + place);
            self.octets.push(octet);
            self.nodes.extend_from_slice(&children);
            self.actions.extend_from_slice(actions);
        }
        self.actions.resize(end, legal[0]);
        if self.nodes.len() < end {
            self.octets.resize(end / OCTET, Octet::PADDING);
            self.nodes.resize(end, children[0]);
        }
        if self.selection.needs_cold() || !self.cold.is_empty() {
            self.cold.resize(end, Cold { prior: opening.equal, ..Cold::NEW });
        }
        if let Some(shares) = shares
            && !self.cold.is_empty()
        {
            for (cold, share) in self.cold[first..].iter_mut().zip(shares) {
                cold.prior = *share;
            }
        }
        if !complete {
            self.pass(node);
        }
        first + best.place
    }

    /// Counts a pass.
    #[inline]
    fn pass(&mut self, node: usize) {
        if self.cold.is_empty() {
            self.keep_cold();
        }
        self.cold[node].passes += 1;
        self.nodes[node].flags |= COUNTED;
    }

    /// Makes sure that this many more children can be [placed](Self::place). All children of the node may move.
    /// A node has at most `u16::MAX` children.
    pub fn make_room(&mut self, node: usize, more: usize) {
        let Range { start, end } = self.children(node);
        let len = end - start + more;
        if len > OCTET * self.nodes[node].capacity() {
            let moved = self.reserve(len.next_power_of_two(), self.actions[node]);
            self.octets.copy_within(self.nodes[node].octets(), moved / OCTET);
            self.nodes.copy_within(start..end, moved);
            if !self.cold.is_empty() {
                self.cold.copy_within(start..end, moved);
            }
            self.actions.copy_within(start..end, moved);
            self.nodes[node].first = (moved / OCTET) as u32;
            self.nodes[node].next = NONE;
        }
    }

    /// Adds these positions of the list of legal actions as children, the first to be tried first.
    #[inline(never)]
    pub fn widen(
        &mut self,
        node: usize,
        side: u8,
        legal: &[A],
        positions: &[u32],
        shares: Option<&[f32]>,
        rng: &mut Rng64,
    ) {
        let opening = Opening::new(&self.selection, shares, legal.len());
        self.keep_cold();
        self.make_room(node, positions.len());
        for eight in positions.chunks(OCTET) {
            let bits = rng.next();
            for (place, &position) in eight.iter().enumerate() {
                let position = position as usize;
                let share = opening.share(position);
                let hot = opening.hot(opening.order(share, place, bits));
                self.place(node, side, legal[position], hot, share);
            }
        }
    }

    /// Adds one child in its place, for which there is room, and says where.
    fn place(&mut self, node: usize, side: u8, action: A, hot: Hot, prior: f32) -> usize {
        let end = self.children(node).end;
        let (Ok(at) | Err(at)) = self.position(node, side, action);
        for entry in (at..end).rev() {
            self.set_hot(entry + 1, self.hot(entry));
        }
        self.nodes.copy_within(at..end, at + 1);
        self.cold.copy_within(at..end, at + 1);
        self.actions.copy_within(at..end, at + 1);
        self.set_hot(at, hot);
        self.nodes[at] = Self::new_node(side);
        // Available once: now.
        let missed = self.cold[node].passes.wrapping_sub(1);
        self.cold[at] = Cold { missed, prior, ..Cold::NEW };
        self.actions[at] = action;
        self.known += 1;
        let parent = &mut self.nodes[node];
        parent.len += 1;
        if usize::from(parent.len) > OCTET {
            parent.flags |= WIDE;
        }
        parent.next = NONE;
        if missed != 0 {
            parent.flags |= VARIED;
        }
        at
    }

    /// Adds a child whose weight does not matter, and says where.
    pub fn insert(&mut self, node: usize, side: u8, action: A) -> usize {
        self.keep_cold();
        self.make_room(node, 1);
        self.set_flag(node, VARIED);
        self.place(node, side, action, Hot::NEW, 0.0)
    }

    /// Where a child is, or where it would be inserted.
    pub fn position(&self, node: usize, side: u8, action: A) -> Result<usize, usize> {
        let Range { start, end } = self.children(node);
        let (mut low, mut high) = (start, end);
        while low < high {
            let middle = usize::midpoint(low, high);
            if (self.nodes[middle].side, self.actions[middle]) < (side, action) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if low < end && self.nodes[low].side == side && self.actions[low] == action {
            Ok(low)
        } else {
            Err(low)
        }
    }

    /// The child with the best score, where all children have always been legal.
    #[inline]
    pub fn select(&self, node: usize) -> usize {
        match self.nodes[node].next {
            NONE => self.select_now(node),
            next => next as usize,
        }
    }

    #[inline(never)]
    fn select_now(&self, node: usize) -> usize {
        let parent = &self.nodes[node];
        let factor = self.selection.factor(parent.visits.max(1) as f32);
        let octets = &self.octets[parent.octets()];
        let own = self.cold.get(node).map_or(0.0, |cold| cold.own);
        let best = if let Some(worth) = self.selection.first_play(own) {
            let worth = |mean: f32x4| mean.simd_ge(f32x4::splat(UNTRIED)).select(f32x4::splat(worth), mean);
            best_of(octets, |octet| octet.scores(factor, worth))
        } else {
            best_of(octets, |octet| octet.scores(factor, |mean| mean))
        };
        parent.children().start + best
    }

    /// The child selected beforehand, if exactly the children are legal, as they always were; this is a pass then.
    #[inline]
    pub fn select_settled(&mut self, node: usize, side: u8, legal: &[A]) -> Option<usize> {
        let Node { next, flags, .. } = self.nodes[node];
        if next == NONE || flags & (COUNTED | VARIED) != COUNTED {
            return None;
        }
        let range = self.children(node);
        if self.nodes[range.start].side != side || self.actions[range] != *legal {
            return None;
        }
        self.cold[node].passes += 1;
        Some(next as usize)
    }

    /// The child with the best score among the legal ones. The positions in `legal` of actions that are not children
    /// go to `missing`. With `count`, this is a pass: the other children miss it.
    #[inline(never)]
    pub fn select_among(
        &mut self,
        node: usize,
        side: u8,
        legal: &[A],
        count: bool,
        missing: &mut Vec<u32>,
    ) -> Option<usize> {
        self.keep_cold();
        if count {
            self.pass(node);
        }
        let Node { visits, flags, .. } = self.nodes[node];
        let range = self.children(node);
        let first = range.start;
        let passes = self.cold[node].passes;
        let first_play = self.selection.first_play(self.cold[node].own);
        let selection = &self.selection;
        let (octets, cold) = (&self.octets[self.nodes[node].octets()], &mut self.cold[range.clone()]);
        let (nodes, actions) = (&self.nodes[range.clone()], &self.actions[range]);
        let mut best = Best::NONE;
        let mut step = |place: usize, hot: Hot, cold: &Cold| {
            let available = passes.wrapping_sub(cold.missed);
            let n = if flags & COUNTED == 0 { visits.max(1) } else { available };
            let factor = selection.factor(n as f32);
            best.offer(score(hot, factor, first_play), place);
        };
        let mut position = 0;
        let mut missed = false;
        for (place, cold) in cold.iter_mut().enumerate() {
            let (owner, action) = (nodes[place].side, actions[place]);
            while owner == side && position < legal.len() && legal[position] < action {
                missing.push(position as u32);
                position += 1;
            }
            if owner == side && position < legal.len() && legal[position] == action {
                step(place, octets[place / OCTET].get(place % OCTET), cold);
                position += 1;
            } else if count {
                cold.missed = cold.missed.wrapping_add(1);
                missed = true;
            }
        }
        missing.extend(position as u32..legal.len() as u32);
        if missed {
            self.nodes[node].flags |= VARIED;
        }
        (best.place != usize::MAX).then(|| first + best.place)
    }

    /// The simulation at hand takes the child with the best score, as [`Self::select`] says.
    #[inline]
    pub fn follow(&mut self, node: usize) -> usize {
        if self.nodes[node].next == NONE {
            self.nodes[node].next = self.select_now(node) as u32;
        }
        self.nodes[node].next as usize
    }

    /// The simulation at hand takes this child.
    #[inline]
    pub fn take(&mut self, node: usize, child: usize) {
        self.nodes[node].next = child as u32;
    }

    /// Books a simulation that has [taken](Self::take) children from the root to this leaf and was worth so much to each
    /// side, and selects for the next visit of the nodes on its way.
    ///
    /// Whoever goes down the tree must know the child before the next node can be looked at; here, the nodes do not wait
    /// for each other.
    #[expect(clippy::inline_always, reason = "in small games, a call costs a tenth of a simulation")]
    #[inline(always)]
    pub fn book(&mut self, root: usize, leaf: usize, utility: &PerSide<f32>) {
        let Tree { selection, octets, nodes, cold, .. } = self;
        let (octets, nodes, cold) = (&mut octets[..], &mut nodes[..], &mut cold[..]);
        let factors = &selection.factors[..];
        let plain = !selection.needs_cold();
        nodes[root].visits += 1;
        let mut n = nodes[root].visits as f32;
        let mut at = root;
        while at != leaf {
            let Node { next: taken, flags, .. } = nodes[at];
            let entry = taken as usize;
            let child = &mut nodes[entry];
            let utility = utility.0[usize::from(child.side) % MAX_SIDES];
            debug_assert!((0.0..=1.0).contains(&utility));
            child.visits += 1;
            let visits = child.visits as f32;
            if !plain || flags & (COUNTED | VARIED | WIDE) != 0 {
                nodes[at].next = book_generally(selection, octets, nodes, cold, at, n, utility);
                n = visits;
                at = entry;
                continue;
            }
            let share = 1.0 / visits;
            let spread = share.sqrt();
            let factor = factors[factor_index(n)];
            let octet = &mut octets[entry / OCTET];
            // What has just been written is slow to read in fours: the others come first.
            let rival = octet.scores(factor, |mean| mean).marked_without(entry).largest();
            let mean = booked(octet.mean[entry % OCTET], utility, share);
            octet.set(entry % OCTET, Hot { mean, spread });
            let stays = mean + factor * spread >= rival;
            nodes[at].next = select_unpredictable(stays, taken, bearer(rival, taken));
            n = visits;
            at = entry;
        }
        nodes[leaf].next = NONE;
        #[cfg(test)]
        self.audit(root);
    }

    /// Books what a simulation was worth to the side that decided at this node, which has been visited already.
    #[inline]
    pub fn credit_own(&mut self, node: usize, utility: f32) {
        self.cold[node].credit_own(utility, self.nodes[node].visits as f32);
    }

    /// Copies all below `node` to `into`, where the node becomes the root. States are forgotten.
    pub fn extract(&self, node: usize, into: &mut Tree<A>) {
        into.reset(self.actions[node]);
        into.set_hot(ROOT, self.hot(node));
        into.nodes[ROOT] = self.nodes[node];
        into.nodes[ROOT].flags &= !ROLLED;
        if !self.cold.is_empty() {
            into.keep_cold();
            into.cold[ROOT] = self.cold[node];
        }
        // A copied entry keeps pointing at its children in the old arena until its own turn comes.
        let mut entry = ROOT;
        while entry < into.len() {
            into.nodes[entry].flags &= !REMEMBERED;
            into.nodes[entry].next = NONE;
            let parent = into.nodes[entry];
            if parent.len > 0 {
                let old = parent.children();
                let first = into.octets.len();
                into.octets.extend_from_slice(&self.octets[parent.octets()]);
                into.nodes.extend_from_slice(&self.nodes[old.clone()]);
                if !self.cold.is_empty() {
                    into.cold.extend_from_slice(&self.cold[old.clone()]);
                }
                into.actions.extend_from_slice(&self.actions[old]);
                into.extend(first + parent.capacity(), self.actions[node]);
                into.nodes[entry].first = first as u32;
                into.known += usize::from(parent.len);
            }
            entry += 1;
        }
    }
}

/// Makes the children of a node: their shares of the guide's weights and the order in which they are first tried.
struct Opening<'a> {
    /// The shares of the legal actions; `None` if they are all equal.
    shares: Option<&'a [f32]>,
    /// An equal share.
    equal: f32,
    /// What a share is multiplied with in the order.
    scale: f32,
    /// Whether the order is part of the mean: where untried actions come before all others, exploration has no say in it.
    /// Else it is the spread.
    in_mean: bool,
}

impl<'a> Opening<'a> {
    /// For `legal` legal actions with these shares, or equal ones.
    #[inline]
    fn new(selection: &Selection, shares: Option<&'a [f32]>, legal: usize) -> Self {
        let count = legal as f32;
        let in_mean = selection.first_play.is_none();
        let scale = match selection.rule {
            // It must stand out beside `UNTRIED`.
            _ if in_mean => 64.0 * count,
            Rule::Ucb1 => count,
            Rule::Puct => 1.0,
        };
        Opening { shares, equal: 1.0 / count, scale, in_mean }
    }

    /// The share of the action at this position of the legal ones; zero beyond them.
    #[inline]
    fn share(&self, position: usize) -> f32 {
        self.shares.map_or(self.equal, |shares| shares.get(position).copied().unwrap_or_default())
    }

    /// The order of an action never tried that has this share: larger ones are tried first, those of equal shares in the
    /// random order of the bits for their places. Eight are told apart by one word.
    #[inline]
    fn order(&self, share: f32, place: usize, bits: u64) -> f32 {
        let jitter = 1.0 + f32::from((bits.rotate_left(8 * place as u32) >> 48) as u16) * (0.01 / 65_536.0);
        share * self.scale * jitter
    }

    /// The octet for so many actions, at most eight, from this position of the legal ones on.
    #[inline]
    fn octet(&self, position: usize, actions: usize, bits: u64) -> Octet {
        let shares = match self.shares {
            None => [self.equal; OCTET],
            Some(_) => from_fn(|place| self.share(position + place)),
        };
        let Octet { mean, spread } = NEW[actions.min(OCTET)];
        let order: [f32; OCTET] = from_fn(|place| spread[place] * self.order(shares[place], place, bits));
        if self.in_mean {
            Octet { mean: from_fn(|place| mean[place] + order[place]), spread: [0.0; OCTET] }
        } else {
            Octet { mean, spread: order }
        }
    }

    /// An entry with this order.
    fn hot(&self, order: f32) -> Hot {
        if self.in_mean {
            Hot { mean: UNTRIED + order, spread: 0.0 }
        } else {
            Hot { mean: UNTRIED, spread: order }
        }
    }

    /// The order of the first of these entries, and its place.
    #[inline]
    fn first(&self, octet: &Octet) -> (f32, usize) {
        let order = Eight(halves(if self.in_mean { &octet.mean } else { &octet.spread }));
        let largest = order.largest();
        (largest, order.equal(largest).trailing_zeros() as usize)
    }
}

/// So many entries that were never tried, whose spread is one.
const NEW: [Octet; OCTET + 1] = {
    let mut new = [Octet::PADDING; OCTET + 1];
    let mut count = 0;
    while count <= OCTET {
        let mut place = 0;
        while place < count {
            new[count].mean[place] = UNTRIED;
            new[count].spread[place] = 1.0;
            place += 1;
        }
        count += 1;
    }
    new
};

#[cfg(test)]
mod audit;

#[cfg(test)]
mod tests {
    use super::*;

    fn ucb1() -> Selection {
        Selection::new(Rule::Ucb1, 1.0, None)
    }

    fn rng() -> Rng64 {
        Rng64::stream(1, 0, 0)
    }

    /// A simulation of this worth to everybody that takes one child of the root and ends there.
    fn simulate<A: Copy + Ord>(tree: &mut Tree<A>, child: usize, utility: f32) {
        tree.take(ROOT, child);
        tree.book(ROOT, child, &PerSide([utility; MAX_SIDES]));
    }

    #[test]
    fn tabled_factors_are_exact_for_few_visits_and_close_for_many() {
        for (rule, truth) in [(Rule::Ucb1, (|n| n.ln_1p().sqrt()) as fn(f64) -> f64), (Rule::Puct, f64::sqrt)]
        {
            let selection = Selection::new(rule, 2.0, None);
            for n in (1..10_000).chain([1 << 20, u32::MAX / 3, u32::MAX]) {
                let (tabled, exact) = (f64::from(selection.factor(n as f32)), 2.0 * truth(f64::from(n)));
                let tolerance = if n < 64 { 1e-6 } else { 0.02 };
                assert!((tabled - exact).abs() <= tolerance * exact, "{rule:?}, {n}: {tabled}, not {exact}");
            }
        }
    }

    #[test]
    fn children_stay_sorted_however_they_come() {
        let mut tree = Tree::new(ucb1());
        tree.reset(0);
        for (side, action) in [(1, 5), (0, 9), (1, 2), (1, 7), (0, 1), (1, 6)] {
            let at = tree.insert(ROOT, side, action);
            assert_eq!((tree.node(at).side, tree.action(at)), (side, action));
        }
        let order: Vec<(u8, i32)> =
            tree.children(ROOT).map(|entry| (tree.node(entry).side, tree.action(entry))).collect();
        assert_eq!(order, [(0, 1), (0, 9), (1, 2), (1, 5), (1, 6), (1, 7)]);
        assert_eq!(tree.position(ROOT, 1, 5), Ok(tree.children(ROOT).start + 3));
        assert_eq!(tree.position(ROOT, 1, 8), Err(tree.children(ROOT).end));
    }

    #[test]
    fn children_keep_what_is_booked_to_them_when_others_come() {
        let mut tree = Tree::new(ucb1());
        tree.reset(0);
        let before = tree.insert(ROOT, 0, 1_000);
        tree.insert(before, 1, 7);
        let mut missing = Vec::new();
        for number in 1..60 {
            // Another pass, which all but the newest miss.
            let action = number * 37 % 60;
            let child = tree.insert(ROOT, 0, action);
            tree.select_among(ROOT, 0, &[action], true, &mut missing).unwrap();
            simulate(&mut tree, child, action as f32 / 60.0);
            for earlier in 1..=number {
                let action = earlier * 37 % 60;
                let child = tree.position(ROOT, 0, action).unwrap();
                let off = (tree.mean(child) - action as f32 / 60.0).abs();
                assert!(tree.node(child).visits == 1 && off < 1e-6, "{off}");
                assert_eq!(
                    tree.cold[ROOT].passes.wrapping_sub(tree.cold[child].missed),
                    2,
                    "once new, once chosen"
                );
            }
        }
        let moved = tree.position(ROOT, 0, 1_000).unwrap();
        assert_eq!((tree.children(moved).len(), tree.node(moved).visits), (1, 0), "grandchildren stay");
    }

    #[test]
    fn means_are_those_of_what_was_booked_and_never_stand_still() {
        let mut rng = rng();
        for (count, tolerance) in [(1, 0.0), (2, 1e-7), (100_000, 2e-5), (3_000_000, 3e-3)] {
            let (mut mean, mut sum) = (UNTRIED, 0.0);
            for visits in 1..=count {
                let utility = (rng.next() >> 33 & 3).min(2) as f32 / 2.0;
                mean = booked(mean, utility, 1.0 / visits as f32);
                sum += f64::from(utility);
            }
            let off = (f64::from(mean) - sum / f64::from(count)).abs();
            assert!(off <= tolerance, "{off} after {count} visits");
        }
    }

    #[test]
    fn puct_explores_by_shares_and_measures_the_untried_by_the_node() {
        let mut tree = Tree::new(Selection::new(Rule::Puct, 2.0, Some(0.25)));
        tree.reset(0);
        let shares = [0.1, 0.6, 0.3];
        let first = tree.open(ROOT, 0, &[10, 11, 12], Some(&shares), true, &mut rng());
        assert_eq!(tree.action(first), 11);
        simulate(&mut tree, first, 0.5);
        simulate(&mut tree, first, 0.5);
        let hot = tree.hot(first);
        assert!((hot.mean - 0.5).abs() < 1e-6 && (hot.spread - 0.6 / 3.0).abs() < 1e-6, "{hot:?}");
        assert!((tree.cold[ROOT].own - 0.5).abs() < 1e-6);
        // Of 2 visits: 0.5 + 2 sqrt(2) 0.2 = 1.07, but untried 0.25 + 2 sqrt(2) 0.3 = 1.10 and 0.25 + 2 sqrt(2) 0.1 = 0.53.
        assert_eq!(tree.action(tree.select(ROOT)), 12);
    }

    #[test]
    fn only_legal_children_of_the_side_are_selected_and_the_others_named() {
        let mut tree = Tree::new(ucb1());
        tree.reset(0);
        for (side, action) in [(0, 1), (1, 1), (1, 3), (1, 4)] {
            let at = tree.insert(ROOT, side, action);
            simulate(&mut tree, at, if action == 3 { 1.0 } else { 0.0 });
        }
        let mut missing = Vec::new();
        let best = tree.select_among(ROOT, 1, &[1, 2, 4, 8], true, &mut missing).unwrap();
        assert_eq!((tree.node(best).side, tree.action(best)), (1, 1), "3 is better but not legal");
        assert_eq!(missing, [1, 3]);
        assert_eq!(
            tree.children(ROOT)
                .map(|e| tree.cold[ROOT].passes.wrapping_sub(tree.cold[e].missed))
                .collect::<Vec<_>>(),
            [1, 2, 1, 2]
        );
    }

    #[test]
    fn the_child_settled_on_has_the_best_score() {
        let mut rng = rng();
        for first_play in [None, Some(0.2)] {
            for count in (1..=13).chain([40, 100]) {
                let selection = Selection::new(Rule::Ucb1, 0.7, first_play);
                let mut tree = Tree::new(selection.clone());
                tree.reset(0);
                let actions: Vec<usize> = (0..count).collect();
                let mut taken = tree.open(ROOT, 0, &actions, None, true, &mut rng);
                for visits in 1..300 {
                    simulate(&mut tree, taken, (rng.next() % 3) as f32 / 2.0);
                    assert_eq!(tree.nodes[ROOT].next != NONE, first_play.is_none());
                    let (factor, untried) = (
                        selection.factor(visits as f32),
                        selection.first_play(tree.cold.first().map_or(0.0, |cold| cold.own)),
                    );
                    let score = |child| score(tree.hot(child), factor, untried);
                    let best = tree.children(ROOT).map(score).fold(f32::NEG_INFINITY, f32::max);
                    taken = tree.select(ROOT);
                    assert!(tree.children(ROOT).contains(&taken));
                    assert!(
                        score(taken) >= best * (1.0 - 2e-6),
                        "{count} children, {visits} visits, {first_play:?}: {} of {best}",
                        score(taken)
                    );
                }
            }
        }
    }

    #[test]
    fn a_settled_child_is_taken_only_where_exactly_the_children_are_legal() {
        let mut tree = Tree::new(ucb1());
        tree.reset(0);
        let child = tree.open(ROOT, 1, &[1, 2, 3], None, false, &mut rng());
        assert_eq!(tree.select_settled(ROOT, 1, &[1, 2, 3]), None, "nothing is settled yet");
        simulate(&mut tree, child, 1.0);
        let settled = tree.select(ROOT);
        assert_eq!(tree.select_settled(ROOT, 1, &[1, 2]), None);
        assert_eq!(tree.select_settled(ROOT, 1, &[1, 2, 4]), None);
        assert_eq!(tree.select_settled(ROOT, 0, &[1, 2, 3]), None);
        assert_eq!(tree.select_settled(ROOT, 1, &[1, 2, 3]), Some(settled));
        assert_eq!(tree.cold[ROOT].passes, 2, "the opening and this one");
        // Once a child has missed a pass, it competes by how often it was there.
        let mut missing = Vec::new();
        let child = tree.select_among(ROOT, 1, &[1, 2], true, &mut missing).unwrap();
        simulate(&mut tree, child, 1.0);
        assert_eq!(tree.select_settled(ROOT, 1, &[1, 2, 3]), None);
        let missed: Vec<u32> = tree.children(ROOT).map(|entry| tree.cold[entry].missed).collect();
        assert_eq!((missing.len(), missed), (0, vec![0, 0, 1]));
    }

    #[test]
    fn new_children_are_tried_in_the_order_of_their_shares() {
        let mut tree = Tree::new(ucb1());
        tree.reset(0);
        tree.open(ROOT, 0, &[10, 11, 12], Some(&[0.2, 0.5, 0.3]), true, &mut rng());
        let order: Vec<i32> = (0..3)
            .map(|_| {
                let entry = tree.select(ROOT);
                simulate(&mut tree, entry, 1.0);
                tree.action(entry)
            })
            .collect();
        assert_eq!(order, [11, 12, 10]);
    }

    #[test]
    fn equal_children_are_tried_in_every_order() {
        let mut firsts = [0; 20];
        let mut rng = rng();
        for _ in 0..20_000 {
            let mut tree = Tree::new(ucb1());
            tree.reset(0);
            let actions: Vec<usize> = (0..20).collect();
            let first = tree.open(ROOT, 0, &actions, None, true, &mut rng);
            firsts[tree.action(first)] += 1;
        }
        assert!(firsts.iter().all(|first| (850..1150).contains(first)), "{firsts:?}");
    }

    #[test]
    fn an_extracted_subtree_is_the_same_tree() {
        let mut tree = Tree::new(ucb1());
        tree.reset(0);
        tree.open(ROOT, 0, &[1, 2], None, true, &mut rng());
        let two = tree.children(ROOT).start + 1;
        simulate(&mut tree, two, 0.5);
        let three = tree.insert(two, 1, 3);
        tree.take(ROOT, two);
        tree.take(two, three);
        tree.book(ROOT, three, &PerSide([0.25; MAX_SIDES]));
        let five = tree.insert(two, 1, 5);
        tree.insert(five, 0, 6);
        let mut copy = Tree::new(ucb1());
        tree.extract(two, &mut copy);
        assert_eq!((copy.node(ROOT).visits, copy.children(ROOT).len()), (2, 2));
        assert_eq!((tree.known(), copy.known()), (6, 4));
        let [three, five] = [3, 5].map(|action| copy.position(ROOT, 1, action).unwrap());
        assert_eq!((copy.mean(three), copy.node(three).visits), (0.25, 1));
        assert!(copy.position(five, 0, 6).is_ok());
        // It grows without disturbing its neighbours.
        let four = copy.insert(ROOT, 1, 4);
        assert_eq!(copy.action(four), 4);
        let five = copy.position(ROOT, 1, 5).unwrap();
        assert!(copy.position(five, 0, 6).is_ok());
    }
}
