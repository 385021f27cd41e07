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

use std::ops::Range;

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
    /// UCB1: `mean + c sqrt(ln n / visits)`.
    Ucb1,
    /// PUCT: `mean + c prior sqrt(n) / (1 + visits)`.
    Puct,
}

/// The parameters of selection.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Selection {
    pub rule: Rule,
    /// The constant c.
    pub exploration: f32,
    /// An action never tried counts as the node's own mean less this; `None` tries every action once first.
    pub first_play: Option<f32>,
}

/// The mean before the first visit: above any score that a visited child can have, and small enough to leave room for
/// the order among new children.
const UNTRIED: f32 = 1000.0;

/// The natural logarithm of `n` >= 1 within 0.04, never negative: exponent and mantissa read as one number. The same
/// on every machine, and a tenth of the cost of the library's.
#[inline]
fn ln(n: u32) -> f32 {
    ((n as f32).to_bits() as f32 * (1.0 / (1 << 23) as f32) - 126.942_695) * std::f32::consts::LN_2
}

impl Selection {
    #[inline]
    fn factor(&self, n: u32) -> f32 {
        match self.rule {
            Rule::Ucb1 => self.exploration * ln(n.max(1)).sqrt(),
            Rule::Puct => self.exploration * (n.max(1) as f32).sqrt(),
        }
    }

    /// What an untried child counts as. Never below zero: scores are compared by their bits.
    #[inline]
    fn first_play(&self, own: f32) -> f32 {
        self.first_play.map_or(UNTRIED, |reduction| (own - reduction).max(0.0))
    }
}

#[inline]
fn score(hot: Hot, factor: f32, first_play: f32) -> f32 {
    (if hot.mean >= UNTRIED { first_play } else { hot.mean }) + factor * hot.spread
}

/// Score and place as one number, so that the best child is a maximum without branches. The bits of floats that are
/// not negative are in the floats' order. Of equal scores the first place wins.
#[inline]
fn rank(score: f32, place: usize) -> u64 {
    u64::from(score.to_bits()) << 32 | u64::from(!(place as u32))
}

/// The place in a rank.
#[inline]
fn place(rank: u64) -> usize {
    !(rank as u32) as usize
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

    /// Gives a childless node exactly these children, for good.
    pub fn open_complete(&mut self, node: usize, side: u8, legal: &[A], child: impl FnMut(usize) -> Child) {
        debug_assert!(self.cold[node].len == 0 && legal.len() <= usize::from(u16::MAX));
        let first = self.len();
        self.actions.extend_from_slice(legal);
        for new in (0..legal.len()).map(child) {
            self.hot.push(new.hot());
            self.cold.push(new.cold(side));
        }
        let cold = &mut self.cold[node];
        cold.first = first as u32;
        cold.len = legal.len() as u16;
        cold.flags |= COMPLETE;
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
    pub fn place(&mut self, node: usize, side: u8, action: A, new: Child) -> usize {
        let end = self.children(node).end;
        let (Ok(at) | Err(at)) = self.position(node, side, action);
        self.hot.copy_within(at..end, at + 1);
        self.cold.copy_within(at..end, at + 1);
        self.actions.copy_within(at..end, at + 1);
        self.hot[at] = new.hot();
        self.cold[at] = new.cold(side);
        self.actions[at] = action;
        self.cold[node].len += 1;
        at
    }

    /// Adds one child and says where.
    pub fn insert(&mut self, node: usize, side: u8, action: A, new: Child) -> usize {
        self.make_room(node, 1);
        self.place(node, side, action, new)
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
        let best = if selection.first_play.is_none() {
            let ranks = children.iter().enumerate();
            ranks.map(|(index, hot)| rank(hot.mean + factor * hot.spread, index)).fold(0, u64::max)
        } else {
            let first_play = selection.first_play(cold.own);
            let ranks = children.iter().enumerate();
            ranks.map(|(index, &hot)| rank(score(hot, factor, first_play), index)).fold(0, u64::max)
        };
        first + place(best)
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
        let mut best = 0;
        let mut next = 0;
        while next < cold.len() && cold[next].side < side {
            next += 1;
        }
        for (position, action) in legal.iter().enumerate() {
            while next < cold.len() && cold[next].side == side && actions[next] < *action {
                next += 1;
            }
            if next < cold.len() && cold[next].side == side && actions[next] == *action {
                cold[next].available += u32::from(count);
                let factor = selection.factor(cold[next].available);
                best = best.max(rank(score(hot[next], factor, first_play), next));
                next += 1;
            } else {
                missing.push(position as u32);
            }
        }
        (best > 0).then(|| first + place(best))
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

/// A new child: the guide's share of weights, and its place in the order in which actions are first tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Child {
    pub prior: f32,
    pub spread: f32,
}

impl Child {
    fn hot(self) -> Hot {
        Hot { mean: UNTRIED, spread: self.spread }
    }

    fn cold(self, side: u8) -> Cold {
        Cold { side, prior: self.prior, available: 1, ..Cold::NEW }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULE: Selection = Selection { rule: Rule::Ucb1, exploration: 1.0, first_play: None };

    fn child(spread: f32) -> Child {
        Child { prior: 0.25, spread }
    }

    #[test]
    fn the_cheap_logarithm_is_close_and_never_negative() {
        for n in (1..5_000).chain([1 << 20, u32::MAX]) {
            let error = f64::from(ln(n)) - f64::from(n).ln();
            assert!(error.abs() < 0.041 && ln(n) >= 0.0, "ln {n} is off by {error}");
        }
    }

    #[test]
    fn children_stay_sorted_however_they_come() {
        let mut tree = Tree::new();
        tree.reset(0);
        for (side, action) in [(1, 5), (0, 9), (1, 2), (1, 7), (0, 1), (1, 6)] {
            let at = tree.insert(ROOT, side, action, child(0.0));
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
            let at = tree.insert(ROOT, side, action, child(0.0));
            tree.visit(ROOT);
            tree.credit(at, if action == 3 { 1.0 } else { 0.0 }, Rule::Ucb1);
        }
        let mut missing = Vec::new();
        let best = tree.select_among(ROOT, 1, &[1, 2, 4, 8], &RULE, true, &mut missing).unwrap();
        assert_eq!((tree.cold(best).side, tree.action(best)), (1, 1), "3 is better but not legal");
        assert_eq!(missing, [1, 3]);
        assert_eq!(tree.children(ROOT).map(|e| tree.cold(e).available).collect::<Vec<_>>(), [1, 2, 1, 2]);
    }

    #[test]
    fn new_children_are_tried_in_the_order_of_their_spread() {
        let mut tree = Tree::new();
        tree.reset(0);
        tree.open_complete(ROOT, 0, &[10, 11, 12], |i| child([1.0, 3.0, 2.0][i]));
        let order: Vec<i32> = (0..3)
            .map(|_| {
                let entry = tree.select(ROOT, &RULE);
                tree.visit(ROOT);
                tree.credit(entry, 1.0, Rule::Ucb1);
                tree.action(entry)
            })
            .collect();
        assert_eq!(order, [11, 12, 10]);
    }

    #[test]
    fn an_extracted_subtree_is_the_same_tree() {
        let mut tree = Tree::new();
        tree.reset(0);
        tree.open_complete(ROOT, 0, &[1, 2], |_| child(1.0));
        let two = tree.children(ROOT).start + 1;
        tree.credit(two, 0.5, Rule::Ucb1);
        let three = tree.insert(two, 1, 3, child(1.0));
        tree.credit(three, 0.25, Rule::Ucb1);
        let five = tree.insert(two, 1, 5, child(1.0));
        tree.insert(five, 0, 6, child(1.0));
        let mut copy = Tree::new();
        tree.extract(two, &mut copy);
        assert_eq!((copy.cold(ROOT).visits, copy.children(ROOT).len()), (1, 2));
        let [three, five] = [3, 5].map(|action| copy.position(ROOT, 1, action).unwrap());
        assert_eq!((copy.mean(three), copy.cold(three).visits), (0.25, 1));
        assert!(copy.position(five, 0, 6).is_ok());
        // It grows without disturbing its neighbours.
        let four = copy.insert(ROOT, 1, 4, child(1.0));
        assert_eq!(copy.action(four), 4);
        let five = copy.position(ROOT, 1, 5).unwrap();
        assert!(copy.position(five, 0, 6).is_ok());
    }
}
