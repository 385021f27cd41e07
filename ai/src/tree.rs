//! The search tree: an arena in four parallel arrays, addressed by entry number.
//!
//! An entry is an action below some node, with the node that it leads to. The children of a node lie side by side,
//! sorted by side and action, so that they are matched with a sorted list of legal actions in one pass and scored in
//! one sweep over memory. An entry takes 40 bytes and its action.
//!
//! ```text
//! hot: 8 bytes, eight children to a cache line; all that selection reads of a child
//!   0         4         8
//!   +---------+---------+
//!   | mean    | spread  |    mean   f32  mean utility to the side that took the action; 1000 before the first visit
//!   +---------+---------+    spread f32  what exploration is multiplied with: 1/sqrt(visits) or prior/(1+visits)
//!
//! nodes: 16 bytes; all that the way down and the booking need besides
//!   0         4         8         12    14   15   16
//!   +---------+---------+---------+-----+----+----+
//!   | visits  | next    | first   | len |side|flag|
//!   +---------+---------+---------+-----+----+----+
//!   visits    u32  simulations that went through this entry
//!   next      u32  the child to select next time, 0 while unknown
//!   first     u32  first child entry
//!   len       u16  number of children
//!   side      u8   the side that takes the action
//!   flags     u8   COMPLETE, ROLLED, COUNTED, VARIED, REMEMBERED
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
//! A mean is kept instead of a sum. Its rounding error grows as 2e-8 sqrt(visits), far below the sampling error of
//! 0.5/sqrt(visits) for any number of visits that a search reaches.
//!
//! How often an action was available is the passes of its parent less those it missed: while all children have always
//! been legal, as at most nodes, they share one number, and a visit writes nothing to them but to the one it takes.

use std::hint::select_unpredictable;
use std::ops::Range;

use sandtable_core::Rng64;
use wide::f32x4;

/// The children are exactly the legal actions, at every visit: nobody need ask the game again.
pub(crate) const COMPLETE: u8 = 1;
/// In some simulation, dice fell between the root and here.
pub(crate) const ROLLED: u8 = 2;
/// Passes are counted here, and actions compete by how often they were available.
const COUNTED: u8 = 4;
/// The state at this node is remembered.
const REMEMBERED: u8 = 16;
/// Some child may not have been available in every pass.
const VARIED: u8 = 8;

/// What selection reads of an entry: its [`MEAN`] and its [`SPREAD`].
type Hot = [f32; 2];
const MEAN: usize = 0;
const SPREAD: usize = 1;

/// An entry that was never tried.
const NEW: Hot = [UNTRIED, 0.0];

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

const _: () = assert!(size_of::<Hot>() == 8 && size_of::<Node>() == 16 && size_of::<Cold>() == 16);

/// No child: the root is nobody's.
const NONE: u32 = ROOT as u32;

impl Node {
    /// Entries set aside for the children: a complete node never grows; others double.
    fn capacity(&self) -> usize {
        match self.len {
            0 => 0,
            len if self.flags & COMPLETE != 0 => usize::from(len),
            len => usize::from(len).next_power_of_two(),
        }
    }
}

impl Cold {
    const NEW: Cold = Cold { passes: 0, missed: 0, prior: 0.0, own: 0.5 };
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

    /// Whether selection reads or writes the cold part of entries even where all children are always legal.
    #[inline]
    fn needs_cold(&self) -> bool {
        self.rule == Rule::Puct || self.first_play.is_some()
    }

    /// What a spread is multiplied with after so many visits, at least one.
    #[inline]
    fn factor(&self, n: u32) -> f32 {
        let bits = (n as f32).to_bits().wrapping_sub(1f32.to_bits());
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
    (if hot[MEAN] >= UNTRIED { first_play } else { hot[MEAN] }) + factor * hot[SPREAD]
}

/// The scores of four children, whose means count as `worth` says.
#[inline]
fn scores(four: &[Hot; 4], factor: f32, worth: &impl Fn(f32x4) -> f32x4) -> f32x4 {
    let [a, b, c, d] = *four;
    let (front, back) = (f32x4::from([a[0], a[1], b[0], b[1]]), f32x4::from([c[0], c[1], d[0], d[1]]));
    let (even, odd) = (front.unpack_lo(back), front.unpack_hi(back));
    let (mean, spread) = (even.unpack_lo(odd), even.unpack_hi(odd));
    worth(mean) + f32x4::splat(factor) * spread
}

/// The largest of four numbers.
#[inline]
fn largest(four: f32x4) -> f32 {
    let [a, b, c, d] = four.to_array();
    let larger = |a: f32, b: f32| if a > b { a } else { b };
    larger(larger(a, c), larger(b, d))
}

/// The place of the best score; of equal scores the first wins. Up to eight children, no branch depends on the scores:
/// which child wins cannot be predicted.
#[inline]
fn best_place(children: &[Hot], factor: f32, worth: impl Fn(f32x4) -> f32x4) -> usize {
    let (Some(head), Some(tail)) = (children.first_chunk(), children.last_chunk()) else {
        let mut best = Best::NONE;
        for (place, hot) in children.iter().enumerate() {
            best.offer(scores(&[*hot; 4], factor, &worth).to_array()[0], place);
        }
        return best.place;
    };
    // Fours from the front, and four at the end that may overlap them.
    let after = children.len() - 4;
    let (head, tail) = (scores(head, factor, &worth), scores(tail, factor, &worth));
    let mut top = head.fast_max(tail);
    let fours = children.as_chunks().0;
    for four in &fours[1..] {
        top = top.fast_max(scores(four, factor, &worth));
    }
    let top = f32x4::splat(largest(top));
    if after <= 4 {
        return (head.simd_eq(top).to_bitmask() | tail.simd_eq(top).to_bitmask() << after).trailing_zeros()
            as usize;
    }
    for (turn, four) in fours.iter().enumerate() {
        let equal = scores(four, factor, &worth).simd_eq(top).to_bitmask();
        if equal != 0 {
            return 4 * turn + equal.trailing_zeros() as usize;
        }
    }
    after + tail.simd_eq(top).to_bitmask().trailing_zeros() as usize
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
    hot: Vec<Hot>,
    nodes: Vec<Node>,
    /// As long as the others, or empty.
    cold: Vec<Cold>,
    /// The numbers of remembered states; no longer than the others.
    worlds: Vec<u32>,
    actions: Vec<A>,
}

/// The entry of the root.
pub(crate) const ROOT: usize = 0;

impl<A: Copy + Ord> Tree<A> {
    /// A tree without even a root; see [`Self::reset`].
    pub fn new(selection: Selection) -> Self {
        Tree {
            selection,
            hot: Vec::new(),
            nodes: Vec::new(),
            cold: Vec::new(),
            worlds: Vec::new(),
            actions: Vec::new(),
        }
    }

    /// Empties the tree, but for a root. `filler` stands in where there is no action.
    pub fn reset(&mut self, filler: A) {
        self.hot.clear();
        self.nodes.clear();
        self.cold.clear();
        self.worlds.clear();
        self.actions.clear();
        self.reserve(1, filler);
    }

    /// The number of entries, those set aside included.
    #[inline]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Adds a node without a parent.
    pub fn add_root(&mut self) -> usize {
        let filler = self.actions[ROOT];
        self.reserve(1, filler)
    }

    /// A node that nobody has visited.
    #[inline]
    fn new_node(&self, side: u8) -> Node {
        Node { visits: 0, next: NONE, first: 0, len: 0, side, flags: 0 }
    }

    fn reserve(&mut self, entries: usize, filler: A) -> usize {
        let first = self.len();
        let node = self.new_node(0);
        self.hot.resize(first + entries, NEW);
        self.nodes.resize(first + entries, node);
        self.actions.resize(first + entries, filler);
        if self.selection.needs_cold() || !self.cold.is_empty() {
            self.keep_cold();
        }
        first
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
        // As good as the visits, and selection has just read it.
        self.hot[entry][MEAN] >= UNTRIED
    }

    /// The number of the state remembered at this node.
    #[inline]
    pub fn world(&self, node: usize) -> Option<usize> {
        (self.nodes[node].flags & REMEMBERED != 0).then(|| self.worlds[node] as usize)
    }

    /// The state at this complete node is always the same and has been remembered under this number.
    pub fn remember(&mut self, node: usize, world: usize) {
        if self.worlds.len() <= node {
            self.worlds.resize(self.len(), 0);
        }
        self.worlds[node] = world as u32;
        self.set_flag(node, REMEMBERED);
    }

    #[inline]
    pub fn mean(&self, entry: usize) -> f32 {
        self.hot[entry][MEAN]
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
        let node = &self.nodes[node];
        let first = node.first as usize;
        first..first + usize::from(node.len)
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
        let opening = Opening::new(self.selection.rule, shares, legal.len());
        let first = self.len();
        let parent = &mut self.nodes[node];
        parent.first = first as u32;
        parent.len = legal.len() as u16;
        if complete {
            parent.flags |= COMPLETE;
        }
        let end = first + parent.capacity();
        let child = self.new_node(side);
        self.nodes.resize(end, child);
        self.hot.resize(end, NEW);
        if self.selection.needs_cold() || !self.cold.is_empty() {
            self.cold.resize(end, Cold { prior: opening.equal, ..Cold::NEW });
        }
        self.actions.extend_from_slice(legal);
        self.actions.resize(end, legal[0]);
        for (batch, children) in self.hot[first..first + legal.len()].chunks_mut(Opening::BATCH).enumerate() {
            let mut bits = rng.next();
            for (place, child) in children.iter_mut().enumerate() {
                child[SPREAD] = opening.spread(batch * Opening::BATCH + place, bits);
                bits = Opening::next(bits);
            }
        }
        if let Some(shares) = shares
            && !self.cold.is_empty()
        {
            for (cold, share) in self.cold[first..].iter_mut().zip(shares) {
                cold.prior = *share;
            }
        }
        let best = self.select(node);
        if !complete {
            self.pass(node);
        }
        best
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
        if len > self.nodes[node].capacity() {
            let moved = self.reserve(len.next_power_of_two(), self.actions[node]);
            self.hot.copy_within(start..end, moved);
            self.nodes.copy_within(start..end, moved);
            if !self.cold.is_empty() {
                self.cold.copy_within(start..end, moved);
            }
            self.actions.copy_within(start..end, moved);
            self.nodes[node].first = moved as u32;
            self.nodes[node].next = NONE;
        }
    }

    /// Adds these positions of the list of legal actions as children, the first to be tried first.
    pub fn widen(
        &mut self,
        node: usize,
        side: u8,
        legal: &[A],
        positions: &[u32],
        shares: Option<&[f32]>,
        rng: &mut Rng64,
    ) {
        let opening = Opening::new(self.selection.rule, shares, legal.len());
        self.keep_cold();
        self.make_room(node, positions.len());
        for batch in positions.chunks(Opening::BATCH) {
            let mut bits = rng.next();
            for &position in batch {
                let position = position as usize;
                let hot = [UNTRIED, opening.spread(position, bits)];
                bits = Opening::next(bits);
                self.place(node, side, legal[position], hot, opening.share(position));
            }
        }
    }

    /// Adds one child in its place, for which there is room, and says where.
    fn place(&mut self, node: usize, side: u8, action: A, hot: Hot, prior: f32) -> usize {
        let end = self.children(node).end;
        let (Ok(at) | Err(at)) = self.position(node, side, action);
        self.hot.copy_within(at..end, at + 1);
        self.nodes.copy_within(at..end, at + 1);
        self.cold.copy_within(at..end, at + 1);
        self.actions.copy_within(at..end, at + 1);
        self.hot[at] = hot;
        self.nodes[at] = self.new_node(side);
        // Available once: now.
        let missed = self.cold[node].passes.wrapping_sub(1);
        self.cold[at] = Cold { missed, prior, ..Cold::NEW };
        self.actions[at] = action;
        let parent = &mut self.nodes[node];
        parent.len += 1;
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
        self.place(node, side, action, NEW, 0.0)
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
            NONE => self.select_by(node, self.selection.factor(self.nodes[node].visits.max(1))),
            next => next as usize,
        }
    }

    /// Selects for the next visit of a node whose children have been booked. Whoever goes down the tree must know the
    /// child before the next node can be looked at; here, the nodes of a path do not wait for each other. Best done after
    /// all have been booked: what has just been written is slow to read in fours.
    #[inline]
    pub fn settle(&mut self, node: usize) {
        let Node { visits, flags, .. } = self.nodes[node];
        if flags & (COMPLETE | VARIED) == VARIED {
            return;
        }
        let n = if flags & COUNTED == 0 { visits } else { self.cold[node].passes + 1 };
        self.nodes[node].next = self.select_by(node, self.selection.factor(n)) as u32;
    }

    /// The child with the best score, where all have the same factor.
    #[inline]
    fn select_by(&self, node: usize, factor: f32) -> usize {
        let Range { start, end } = self.children(node);
        let children = &self.hot[start..end];
        start
            + if self.selection.first_play.is_none() {
                best_place(children, factor, |mean| mean)
            } else {
                let first_play = f32x4::splat(self.selection.first_play(self.cold[node].own));
                best_place(children, factor, |mean| {
                    mean.simd_ge(f32x4::splat(UNTRIED)).select(first_play, mean)
                })
            }
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
    #[inline]
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
        let (hot, cold) = (&self.hot[range.clone()], &mut self.cold[range.clone()]);
        let (nodes, actions) = (&self.nodes[range.clone()], &self.actions[range]);
        let mut best = Best::NONE;
        let mut step = |place: usize, hot: Hot, cold: &Cold| {
            let available = passes.wrapping_sub(cold.missed);
            let factor = selection.factor(if flags & COUNTED == 0 { visits.max(1) } else { available });
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
                step(place, hot[place], cold);
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

    /// Books a simulation at the root.
    #[inline]
    pub fn visit(&mut self, root: usize) {
        let node = &mut self.nodes[root];
        node.visits += 1;
        node.next = NONE;
    }

    /// Books a simulation that was worth `utility` to the side that took this entry's action.
    #[inline]
    pub fn credit(&mut self, entry: usize, utility: f32) {
        let (hot, node) = (&mut self.hot[entry], &mut self.nodes[entry]);
        node.visits += 1;
        let share = 1.0 / node.visits as f32;
        hot[MEAN] = if node.visits == 1 { utility } else { hot[MEAN] + (utility - hot[MEAN]) * share };
        hot[SPREAD] = match self.selection.rule {
            Rule::Ucb1 => share.sqrt(),
            Rule::Puct => self.cold[entry].prior / (1 + node.visits) as f32,
        };
        node.next = NONE;
    }

    /// Books what a simulation was worth to the side that decided at this node, which has been visited already.
    #[inline]
    pub fn credit_own(&mut self, node: usize, utility: f32) {
        let own = &mut self.cold[node].own;
        *own += (utility - *own) / self.nodes[node].visits.max(1) as f32;
    }

    /// Copies all below `node` to `into`, where the node becomes the root. States are forgotten.
    pub fn extract(&self, node: usize, into: &mut Tree<A>) {
        into.reset(self.actions[node]);
        into.hot[ROOT] = self.hot[node];
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
                let old = parent.first as usize..parent.first as usize + usize::from(parent.len);
                let first = into.len();
                into.hot.extend_from_slice(&self.hot[old.clone()]);
                into.nodes.extend_from_slice(&self.nodes[old.clone()]);
                if !self.cold.is_empty() {
                    into.cold.extend_from_slice(&self.cold[old.clone()]);
                }
                into.actions.extend_from_slice(&self.actions[old]);
                into.reserve(parent.capacity() - usize::from(parent.len), self.actions[node]);
                into.nodes[entry].first = first as u32;
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
    /// What a share is multiplied with in the spread.
    scale: f32,
}

impl<'a> Opening<'a> {
    /// So many children are told apart by the bits of one random word.
    const BATCH: usize = 7;

    /// For `legal` legal actions with these shares, or equal ones.
    #[inline]
    fn new(rule: Rule, shares: Option<&'a [f32]>, legal: usize) -> Self {
        let count = legal as f32;
        let scale = match rule {
            Rule::Ucb1 => count,
            Rule::Puct => 1.0,
        };
        Opening { shares, equal: 1.0 / count, scale }
    }

    /// The bits for the next child of a batch: nine are new.
    #[inline]
    fn next(bits: u64) -> u64 {
        bits.rotate_left(9)
    }

    #[inline]
    fn share(&self, position: usize) -> f32 {
        self.shares.map_or(self.equal, |shares| shares[position])
    }

    /// The spread of an action never tried, at this place of the legal ones: larger shares are tried first, equal ones in
    /// the random order of their bits.
    #[inline]
    fn spread(&self, position: usize, bits: u64) -> f32 {
        let jitter = 1.0 + (bits >> 48) as f32 * (0.01 / 65_536.0);
        self.share(position) * self.scale * jitter
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
    fn only_legal_children_of_the_side_are_selected_and_the_others_named() {
        let mut tree = Tree::new(ucb1());
        tree.reset(0);
        for (side, action) in [(0, 1), (1, 1), (1, 3), (1, 4)] {
            let at = tree.insert(ROOT, side, action);
            tree.visit(ROOT);
            tree.credit(at, if action == 3 { 1.0 } else { 0.0 });
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
    fn the_child_settled_on_has_the_first_of_the_best_scores() {
        let mut rng = rng();
        for first_play in [None, Some(0.2)] {
            for count in (1..=13).chain([40, 100]) {
                let selection = Selection::new(Rule::Ucb1, 0.7, first_play);
                let mut tree = Tree::new(selection.clone());
                tree.reset(0);
                let actions: Vec<usize> = (0..count).collect();
                let mut taken = tree.open(ROOT, 0, &actions, None, true, &mut rng);
                for visits in 1..300 {
                    tree.visit(ROOT);
                    tree.credit(taken, (rng.next() % 3) as f32 / 2.0);
                    if first_play.is_some() {
                        tree.credit_own(ROOT, 0.5);
                    }
                    tree.settle(ROOT);
                    let (factor, untried) = (
                        selection.factor(visits),
                        selection.first_play(tree.cold.first().map_or(0.0, |cold| cold.own)),
                    );
                    let mut best = Best::NONE;
                    for child in tree.children(ROOT) {
                        best.offer(score(tree.hot[child], factor, untried), child);
                    }
                    taken = tree.select(ROOT);
                    assert_eq!(taken, best.place, "{count} children, {visits} visits, {first_play:?}");
                }
            }
        }
    }

    #[test]
    fn a_settled_child_is_taken_only_where_exactly_the_children_are_legal() {
        let mut tree = Tree::new(ucb1());
        tree.reset(0);
        let child = tree.open(ROOT, 1, &[1, 2, 3], None, false, &mut rng());
        tree.visit(ROOT);
        tree.credit(child, 1.0);
        assert_eq!(tree.select_settled(ROOT, 1, &[1, 2, 3]), None, "nothing is settled yet");
        tree.settle(ROOT);
        let settled = tree.select(ROOT);
        assert_eq!(tree.select_settled(ROOT, 1, &[1, 2]), None);
        assert_eq!(tree.select_settled(ROOT, 1, &[1, 2, 4]), None);
        assert_eq!(tree.select_settled(ROOT, 0, &[1, 2, 3]), None);
        assert_eq!(tree.select_settled(ROOT, 1, &[1, 2, 3]), Some(settled));
        assert_eq!(tree.cold[ROOT].passes, 2, "the opening and this one");
        // Once a child has missed a pass, it competes by how often it was there.
        let mut missing = Vec::new();
        tree.select_among(ROOT, 1, &[1, 2], true, &mut missing);
        tree.settle(ROOT);
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
                tree.visit(ROOT);
                tree.credit(entry, 1.0);
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
        tree.credit(two, 0.5);
        let three = tree.insert(two, 1, 3);
        tree.credit(three, 0.25);
        let five = tree.insert(two, 1, 5);
        tree.insert(five, 0, 6);
        let mut copy = Tree::new(ucb1());
        tree.extract(two, &mut copy);
        assert_eq!((copy.node(ROOT).visits, copy.children(ROOT).len()), (1, 2));
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
