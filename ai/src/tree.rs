//! The search tree: an arena in three parallel arrays, addressed by entry number.
//!
//! An entry is an action below some node, with the node that it leads to. The children of a node lie side by side,
//! sorted by side and action, so that they are matched with a sorted list of legal actions in one pass and scored in
//! one sweep over memory. An entry takes 32 bytes and its action.
//!
//! ```text
//! hot: 8 bytes, eight children to a cache line; all that selection reads
//!   0         4         8
//!   +---------+---------+
//!   | mean    | spread  |    mean   f32  mean utility to the side that took the action; 1000 before the first visit
//!   +---------+---------+    spread f32  what exploration is multiplied with: 1/sqrt(visits) or prior/(1+visits)
//!
//! cold: 24 bytes
//!   0         4         8         12        16        20    22   23   24
//!   +---------+---------+---------+---------+---------+-----+----+----+
//!   | visits  | avail.  | prior   | own     | first   | len |side|flag|
//!   +---------+---------+---------+---------+---------+-----+----+----+
//!   visits    u32  simulations that went through this entry
//!   available u32  simulations in which the action was legal at its node (kept where legal sets vary)
//!   prior     f32  share of the guide's weights, 0 to 1
//!   own       f32  mean utility to the side that decides at the node (kept if untried actions are measured by it)
//!   first     u32  first child entry
//!   len       u16  number of children
//!   side      u8   the side that takes the action
//!   flags     u8   COMPLETE, ROLLED
//!
//! actions: the game's own type
//! ```
//!
//! A mean is kept instead of a sum. Its rounding error grows as 2e-8 sqrt(visits), far below the sampling error of
//! 0.5/sqrt(visits) for any number of visits that a search reaches.

use std::cell::Cell;
use std::hint::select_unpredictable;
use std::ops::Range;

use sandtable_core::Rng64;

/// The children are exactly the legal actions, at every visit: nobody need ask the game again.
pub(crate) const COMPLETE: u8 = 1;
/// In some simulation, dice fell between the root and here.
pub(crate) const ROLLED: u8 = 2;

/// What selection reads of an entry.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Hot {
    pub mean: f32,
    pub spread: f32,
}

/// The rest of an entry.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Cold {
    pub visits: u32,
    pub available: u32,
    pub prior: f32,
    pub own: f32,
    pub first: u32,
    pub len: u16,
    pub side: u8,
    pub flags: u8,
}

const _: () = assert!(size_of::<Hot>() == 8 && size_of::<Cold>() == 24);

impl Hot {
    const NEW: Hot = Hot { mean: UNTRIED, spread: 0.0 };
}

impl Cold {
    const NEW: Cold =
        Cold { visits: 0, available: 0, prior: 0.0, own: 0.5, first: 0, len: 0, side: 0, flags: 0 };

    /// Entries set aside for the children: a complete node never grows; others double.
    fn capacity(&self) -> usize {
        match self.len {
            0 => 0,
            len if self.flags & COMPLETE != 0 => usize::from(len),
            len => usize::from(len).next_power_of_two(),
        }
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

/// The mean before the first visit: above any score that a visited child can have, and small enough to leave room for
/// the order among new children.
const UNTRIED: f32 = 1000.0;

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

    #[inline]
    fn factor(&self, n: u32) -> f32 {
        let bits = (n.max(1) as f32).to_bits() - 1f32.to_bits();
        self.factors[(bits >> (23 - MANTISSA)) as usize]
    }

    /// What an untried child counts as.
    #[inline]
    fn first_play(&self, own: f32) -> f32 {
        self.first_play.map_or(UNTRIED, |reduction| own - reduction)
    }
}

#[inline]
fn score(hot: Hot, factor: f32, first_play: f32) -> f32 {
    (if hot.mean >= UNTRIED { first_play } else { hot.mean }) + factor * hot.spread
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
    hot: Vec<Hot>,
    cold: Vec<Cold>,
    actions: Vec<A>,
}

/// The entry of the root.
pub(crate) const ROOT: usize = 0;

impl<A: Copy + Ord> Tree<A> {
    pub fn new() -> Self {
        Tree { hot: Vec::new(), cold: Vec::new(), actions: Vec::new() }
    }

    /// Empties the tree, but for a root. `filler` stands in where there is no action.
    pub fn reset(&mut self, filler: A) {
        self.hot.clear();
        self.cold.clear();
        self.actions.clear();
        self.reserve(1, filler);
    }

    /// The number of entries, those set aside included.
    #[inline]
    pub fn len(&self) -> usize {
        self.cold.len()
    }

    /// Adds a node without a parent.
    pub fn add_root(&mut self) -> usize {
        let filler = self.actions[ROOT];
        self.reserve(1, filler)
    }

    fn reserve(&mut self, entries: usize, filler: A) -> usize {
        let first = self.len();
        self.hot.resize(first + entries, Hot::NEW);
        self.cold.resize(first + entries, Cold::NEW);
        self.actions.resize(first + entries, filler);
        first
    }

    #[inline]
    pub fn cold(&self, entry: usize) -> &Cold {
        &self.cold[entry]
    }

    #[inline]
    pub fn mean(&self, entry: usize) -> f32 {
        self.hot[entry].mean
    }

    #[inline]
    pub fn action(&self, entry: usize) -> A {
        self.actions[entry]
    }

    #[inline]
    pub fn set_flag(&mut self, entry: usize, flag: u8) {
        self.cold[entry].flags |= flag;
    }

    /// Declares that the children are all that will ever be legal at the node.
    pub fn set_complete(&mut self, node: usize) {
        self.cold[node].flags |= COMPLETE;
    }

    #[inline]
    pub fn children(&self, node: usize) -> Range<usize> {
        let cold = &self.cold[node];
        let first = cold.first as usize;
        first..first + usize::from(cold.len)
    }

    /// Gives a childless node all of these children; `complete` if there will never be others.
    pub fn open(
        &mut self,
        node: usize,
        side: u8,
        legal: &[A],
        opening: &Opening,
        complete: bool,
        rng: &mut Rng64,
    ) {
        debug_assert!(self.cold[node].len == 0 && u16::try_from(legal.len()).is_ok());
        let first = self.len();
        self.actions.extend_from_slice(legal);
        self.hot.extend((0..legal.len()).map(|position| opening.hot(position, position, rng)));
        self.cold.extend((0..legal.len()).map(|position| opening.cold(position, side)));
        let cold = &mut self.cold[node];
        cold.first = first as u32;
        cold.len = legal.len() as u16;
        if complete {
            cold.flags |= COMPLETE;
        }
        let spare = cold.capacity() - legal.len();
        if spare > 0 {
            self.reserve(spare, legal[0]);
        }
    }

    /// Makes sure that this many more children can be [placed](Self::place). All children of the node may move.
    /// A node has at most `u16::MAX` children.
    pub fn make_room(&mut self, node: usize, more: usize) {
        let Range { start, end } = self.children(node);
        let len = end - start + more;
        if len > self.cold[node].capacity() {
            let moved = self.reserve(len.next_power_of_two(), self.actions[node]);
            self.hot.copy_within(start..end, moved);
            self.cold.copy_within(start..end, moved);
            self.actions.copy_within(start..end, moved);
            self.cold[node].first = moved as u32;
        }
    }

    /// Adds one child in its place, for which there is room, and says where.
    pub fn place(&mut self, node: usize, side: u8, action: A, hot: Hot, cold: Cold) -> usize {
        let end = self.children(node).end;
        let (Ok(at) | Err(at)) = self.position(node, side, action);
        self.hot.copy_within(at..end, at + 1);
        self.cold.copy_within(at..end, at + 1);
        self.actions.copy_within(at..end, at + 1);
        self.hot[at] = hot;
        self.cold[at] = cold;
        self.actions[at] = action;
        self.cold[node].len += 1;
        at
    }

    /// Adds a child whose weight does not matter, and says where.
    pub fn insert(&mut self, node: usize, side: u8, action: A) -> usize {
        self.make_room(node, 1);
        self.place(node, side, action, Hot::NEW, Cold { side, available: 1, ..Cold::NEW })
    }

    /// Where a child is, or where it would be inserted.
    pub fn position(&self, node: usize, side: u8, action: A) -> Result<usize, usize> {
        let Range { start, end } = self.children(node);
        let (mut low, mut high) = (start, end);
        while low < high {
            let middle = usize::midpoint(low, high);
            if (self.cold[middle].side, self.actions[middle]) < (side, action) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if low < end && self.cold[low].side == side && self.actions[low] == action {
            Ok(low)
        } else {
            Err(low)
        }
    }

    /// The child with the best score, where all children are legal.
    #[inline]
    pub fn select(&self, node: usize, selection: &Selection) -> usize {
        let cold = &self.cold[node];
        let factor = selection.factor(cold.visits);
        let first = cold.first as usize;
        let children = &self.hot[first..first + usize::from(cold.len)];
        let mut best = Best::NONE;
        if selection.first_play.is_none() {
            for (place, hot) in children.iter().enumerate() {
                best.offer(hot.mean + factor * hot.spread, place);
            }
        } else {
            let first_play = selection.first_play(cold.own);
            for (place, hot) in children.iter().enumerate() {
                best.offer(score(*hot, factor, first_play), place);
            }
        }
        first + best.place
    }

    /// The child with the best score among the legal ones. The positions in `legal` of actions that are not children
    /// go to `missing`. With `count`, the legal children are counted as available once more.
    #[inline]
    pub fn select_among(
        &mut self,
        node: usize,
        side: u8,
        legal: &[A],
        selection: &Selection,
        count: bool,
        missing: &mut Vec<u32>,
    ) -> Option<usize> {
        let first_play = selection.first_play(self.cold[node].own);
        let range = self.children(node);
        let first = range.start;
        let (hot, cold, actions) =
            (&self.hot[range.clone()], &mut self.cold[range.clone()], &self.actions[range]);
        let mut best = Best::NONE;
        let mut step = |place: usize, hot: Hot, cold: &mut Cold| {
            cold.available += u32::from(count);
            best.offer(score(hot, selection.factor(cold.available), first_play), place);
        };
        let all = actions == legal
            && cold.first().is_some_and(|child| child.side == side)
            && cold.last().is_some_and(|child| child.side == side);
        if all {
            for (place, (hot, cold)) in hot.iter().zip(cold).enumerate() {
                step(place, *hot, cold);
            }
            return Some(first + best.place);
        }
        let mut next = 0;
        while next < cold.len() && cold[next].side < side {
            next += 1;
        }
        for (position, action) in legal.iter().enumerate() {
            while next < cold.len() && cold[next].side == side && actions[next] < *action {
                next += 1;
            }
            if next < cold.len() && cold[next].side == side && actions[next] == *action {
                step(next, hot[next], &mut cold[next]);
                next += 1;
            } else {
                missing.push(position as u32);
            }
        }
        (best.place != usize::MAX).then(|| first + best.place)
    }

    /// Books a simulation at the root.
    #[inline]
    pub fn visit(&mut self, root: usize) {
        self.cold[root].visits += 1;
    }

    /// Books a simulation that was worth `utility` to the side that took this entry's action.
    #[inline]
    pub fn credit(&mut self, entry: usize, utility: f32, rule: Rule) {
        let (hot, cold) = (&mut self.hot[entry], &mut self.cold[entry]);
        cold.visits += 1;
        let share = 1.0 / cold.visits as f32;
        hot.mean = if cold.visits == 1 { utility } else { hot.mean + (utility - hot.mean) * share };
        hot.spread = match rule {
            Rule::Ucb1 => share.sqrt(),
            Rule::Puct => cold.prior / (1 + cold.visits) as f32,
        };
    }

    /// Books what a simulation was worth to the side that decided at this node, which has been visited already.
    #[inline]
    pub fn credit_own(&mut self, node: usize, utility: f32) {
        let cold = &mut self.cold[node];
        cold.own += (utility - cold.own) / cold.visits.max(1) as f32;
    }

    /// Copies all below `node` to `into`, where the node becomes the root.
    pub fn extract(&self, node: usize, into: &mut Tree<A>) {
        into.reset(self.actions[node]);
        into.hot[ROOT] = self.hot[node];
        into.cold[ROOT] = self.cold[node];
        into.cold[ROOT].flags &= !ROLLED;
        // A copied entry keeps pointing at its children in the old arena until its own turn comes.
        let mut entry = ROOT;
        while entry < into.len() {
            let cold = into.cold[entry];
            if cold.len > 0 {
                let old = cold.first as usize..cold.first as usize + usize::from(cold.len);
                let first = into.len();
                into.hot.extend_from_slice(&self.hot[old.clone()]);
                into.cold.extend_from_slice(&self.cold[old.clone()]);
                into.actions.extend_from_slice(&self.actions[old]);
                into.reserve(cold.capacity() - usize::from(cold.len), self.actions[node]);
                into.cold[entry].first = first as u32;
            }
            entry += 1;
        }
    }
}

/// Makes the children of a node: their shares of the guide's weights and the order in which they are first tried.
pub(crate) struct Opening<'a> {
    rule: Rule,
    /// The shares of the legal actions; `None` if they are all equal.
    shares: Option<&'a [f32]>,
    /// How many actions are legal.
    count: f32,
    /// Random bits, from which each child takes some; see [`Self::hot`].
    bits: Cell<u64>,
}

impl<'a> Opening<'a> {
    /// For `legal` legal actions with these shares, or equal ones.
    pub fn new(selection: &Selection, shares: Option<&'a [f32]>, legal: usize) -> Self {
        Opening { rule: selection.rule, shares, count: legal as f32, bits: Cell::new(0) }
    }

    #[inline]
    fn share(&self, position: usize) -> f32 {
        self.shares.map_or(1.0 / self.count, |shares| shares[position])
    }

    /// What selection sees of the action at this place of the legal ones: larger shares are tried first, equal ones in
    /// random order. `turn` counts the calls from 0.
    #[inline]
    pub fn hot(&self, position: usize, turn: usize, rng: &mut Rng64) -> Hot {
        // Nine new bits for each child.
        let bits = if turn.is_multiple_of(7) { rng.next() } else { self.bits.get().rotate_left(9) };
        self.bits.set(bits);
        let jitter = 1.0 + (bits >> 48) as f32 * (0.01 / 65_536.0);
        let spread = match self.rule {
            Rule::Ucb1 => self.share(position) * self.count * jitter,
            Rule::Puct => self.share(position) * jitter,
        };
        Hot { mean: UNTRIED, spread }
    }

    /// The rest of the action's entry.
    #[inline]
    pub fn cold(&self, position: usize, side: u8) -> Cold {
        Cold { side, prior: self.share(position), available: 1, ..Cold::NEW }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ucb1() -> Selection {
        Selection::new(Rule::Ucb1, 1.0, None)
    }

    fn rng() -> Rng64 {
        Rng64::stream(1, 0, 0)
    }

    #[test]
    fn tabled_factors_are_exact_for_few_visits_and_close_for_many() {
        for (rule, truth) in [(Rule::Ucb1, (|n| n.ln_1p().sqrt()) as fn(f64) -> f64), (Rule::Puct, f64::sqrt)]
        {
            let selection = Selection::new(rule, 2.0, None);
            for n in (1..10_000).chain([1 << 20, u32::MAX / 3, u32::MAX]) {
                let (tabled, exact) = (f64::from(selection.factor(n)), 2.0 * truth(f64::from(n)));
                let tolerance = if n < 64 { 1e-6 } else { 0.02 };
                assert!((tabled - exact).abs() <= tolerance * exact, "{rule:?}, {n}: {tabled}, not {exact}");
            }
        }
    }

    #[test]
    fn children_stay_sorted_however_they_come() {
        let mut tree = Tree::new();
        tree.reset(0);
        for (side, action) in [(1, 5), (0, 9), (1, 2), (1, 7), (0, 1), (1, 6)] {
            let at = tree.insert(ROOT, side, action);
            assert_eq!((tree.cold(at).side, tree.action(at)), (side, action));
        }
        let order: Vec<(u8, i32)> =
            tree.children(ROOT).map(|entry| (tree.cold(entry).side, tree.action(entry))).collect();
        assert_eq!(order, [(0, 1), (0, 9), (1, 2), (1, 5), (1, 6), (1, 7)]);
        assert_eq!(tree.position(ROOT, 1, 5), Ok(tree.children(ROOT).start + 3));
        assert_eq!(tree.position(ROOT, 1, 8), Err(tree.children(ROOT).end));
    }

    #[test]
    fn only_legal_children_of_the_side_are_selected_and_the_others_named() {
        let mut tree = Tree::new();
        tree.reset(0);
        for (side, action) in [(0, 1), (1, 1), (1, 3), (1, 4)] {
            let at = tree.insert(ROOT, side, action);
            tree.visit(ROOT);
            tree.credit(at, if action == 3 { 1.0 } else { 0.0 }, Rule::Ucb1);
        }
        let mut missing = Vec::new();
        let best = tree.select_among(ROOT, 1, &[1, 2, 4, 8], &ucb1(), true, &mut missing).unwrap();
        assert_eq!((tree.cold(best).side, tree.action(best)), (1, 1), "3 is better but not legal");
        assert_eq!(missing, [1, 3]);
        assert_eq!(tree.children(ROOT).map(|e| tree.cold(e).available).collect::<Vec<_>>(), [1, 2, 1, 2]);
    }

    #[test]
    fn new_children_are_tried_in_the_order_of_their_shares() {
        let mut tree = Tree::new();
        tree.reset(0);
        let opening = Opening::new(&ucb1(), Some(&[0.2, 0.5, 0.3]), 3);
        tree.open(ROOT, 0, &[10, 11, 12], &opening, true, &mut rng());
        let order: Vec<i32> = (0..3)
            .map(|_| {
                let entry = tree.select(ROOT, &ucb1());
                tree.visit(ROOT);
                tree.credit(entry, 1.0, Rule::Ucb1);
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
            let mut tree = Tree::new();
            tree.reset(0);
            let actions: Vec<usize> = (0..20).collect();
            tree.open(ROOT, 0, &actions, &Opening::new(&ucb1(), None, 20), true, &mut rng);
            firsts[tree.action(tree.select(ROOT, &ucb1()))] += 1;
        }
        assert!(firsts.iter().all(|first| (850..1150).contains(first)), "{firsts:?}");
    }

    #[test]
    fn an_extracted_subtree_is_the_same_tree() {
        let mut tree = Tree::new();
        tree.reset(0);
        tree.open(ROOT, 0, &[1, 2], &Opening::new(&ucb1(), None, 2), true, &mut rng());
        let two = tree.children(ROOT).start + 1;
        tree.credit(two, 0.5, Rule::Ucb1);
        let three = tree.insert(two, 1, 3);
        tree.credit(three, 0.25, Rule::Ucb1);
        let five = tree.insert(two, 1, 5);
        tree.insert(five, 0, 6);
        let mut copy = Tree::new();
        tree.extract(two, &mut copy);
        assert_eq!((copy.cold(ROOT).visits, copy.children(ROOT).len()), (1, 2));
        let [three, five] = [3, 5].map(|action| copy.position(ROOT, 1, action).unwrap());
        assert_eq!((copy.mean(three), copy.cold(three).visits), (0.25, 1));
        assert!(copy.position(five, 0, 6).is_ok());
        // It grows without disturbing its neighbours.
        let four = copy.insert(ROOT, 1, 4);
        assert_eq!(copy.action(four), 4);
        let five = copy.position(ROOT, 1, 5).unwrap();
        assert!(copy.position(five, 0, 6).is_ok());
    }
}
