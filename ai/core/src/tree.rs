//! The search tree: an arena of nodes, addressed by number.
//!
//! A node is an action below its parent and the decision that it leads to. The children of a node lie side by side,
//! sorted by side and action, so that one pass matches them with a sorted list of legal actions and scores them. A node
//! that may still get children has room for them to double.

use std::ops::Range;

use sandtable_core::{MAX_SIDES, PerSide, Rng64};

/// The children are exactly the legal actions, at every visit: nobody need ask the game again.
pub(crate) const COMPLETE: u8 = 1;
/// In some simulation, dice fell as the action was played.
pub(crate) const ROLLED: u8 = 2;
/// Legal actions vary from visit to visit here: children compete by how often they were available.
const VARYING: u8 = 4;

/// An action below a node, and the statistics of the simulations that took it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<A> {
    action: A,
    /// Simulations that took the action.
    pub visits: u32,
    /// Mean utility, 0 to 1, to the side that took the action.
    mean: f32,
    /// What the exploration term is multiplied with: `1/sqrt(visits)` or `prior/(1+visits)`; before the first visit the
    /// order in which actions are first tried, larger first.
    exploration: f32,
    /// Share of the evaluator's weights, 0 to 1.
    prior: f32,
    /// Mean utility, 0 to 1, to the side that decides at the node.
    own: f32,
    /// Simulations that could have taken the action, where legal actions vary.
    availability: u32,
    /// The first child.
    first: u32,
    /// Number of children.
    pub len: u16,
    /// The side that takes the action.
    pub side: u8,
    /// [`COMPLETE`], [`ROLLED`], [`VARYING`].
    pub flags: u8,
}

impl<A> Node<A> {
    /// A node that no simulation has gone through.
    fn new(side: u8, action: A, prior: f32, exploration: f32) -> Self {
        Node {
            action,
            visits: 0,
            mean: 0.0,
            exploration,
            prior,
            own: 0.5,
            availability: 1,
            first: 0,
            len: 0,
            side,
            flags: 0,
        }
    }

    /// Children that there is room for: a complete node never grows; others double.
    fn capacity(&self) -> usize {
        let len = usize::from(self.len);
        if len == 0 || self.flags & COMPLETE != 0 { len } else { len.next_power_of_two() }
    }

    fn children(&self) -> Range<usize> {
        let first = self.first as usize;
        first..first + usize::from(self.len)
    }
}

/// How a child is scored: its mean utility plus an exploration term.
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
    /// `c sqrt(ln(1 + n))` or `c sqrt(n)` after n visits, by the leading bits of n as a float: its exponent and
    /// [`MANTISSA`] bits. Exact up to 63 visits, within 2% beyond: where legal actions vary, every child has its own n,
    /// and a logarithm each would cost more than all the rest of selection.
    factors: Box<[f32]>,
}

/// Bits of the mantissa by which factors are tabled.
const MANTISSA: u32 = 5;

/// Where in the table the factor after so many visits is.
#[inline]
fn factor_index(n: f32) -> usize {
    (n.to_bits().wrapping_sub(1f32.to_bits()) >> (23 - MANTISSA)) as usize
}

/// The least score of an action never tried, if all are to be tried once first: above any other.
const UNTRIED: f32 = 1000.0;

/// The least share of a visit in the mean: a smaller one would be lost in rounding. The mean is then one over the last
/// 131,072 visits or so, off by about a thousandth.
const LEAST_SHARE: f32 = 1.0 / 131_072.0;

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

    /// What the exploration of a child is multiplied with after so many visits, at least one.
    #[inline]
    fn factor(&self, n: u32) -> f32 {
        self.factors[factor_index(n.max(1) as f32)]
    }

    /// What the children of this node that were never tried count as, before exploration.
    #[inline]
    fn untried<A>(&self, parent: &Node<A>) -> f32 {
        self.first_play.map_or(UNTRIED, |reduction| parent.own - reduction)
    }

    /// The score of a child.
    #[inline]
    fn score<A>(&self, child: &Node<A>, factor: f32, untried: f32) -> f32 {
        match child.visits {
            // The order alone tells actions apart that all come first.
            0 if self.first_play.is_none() => untried + child.exploration,
            0 => untried + factor * child.exploration,
            _ => child.mean + factor * child.exploration,
        }
    }

    /// Backs up the utility of a simulation that took this child.
    #[inline]
    fn back_up<A>(&self, child: &mut Node<A>, utility: f32) {
        child.visits += 1;
        let visits = child.visits as f32;
        child.mean += (utility - child.mean) * (1.0 / visits).max(LEAST_SHARE);
        child.exploration = match self.rule {
            Rule::Ucb1 => visits.sqrt().recip(),
            Rule::Puct => child.prior / (1.0 + visits),
        };
    }
}

/// The best score so far and whose it is; of equal scores the first wins.
#[derive(Clone, Copy)]
struct Best {
    score: f32,
    child: usize,
}

impl Best {
    /// Nothing yet.
    const NONE: Best = Best { score: f32::NEG_INFINITY, child: usize::MAX };

    /// Takes the child if it is better.
    #[inline]
    fn offer(&mut self, score: f32, child: usize) {
        if score > self.score {
            *self = Best { score, child };
        }
    }
}

/// The arena.
#[derive(Clone, Debug)]
pub(crate) struct Tree<A> {
    selection: Selection,
    nodes: Vec<Node<A>>,
    /// Nodes that are more than room for others.
    known: usize,
}

/// The number of the root.
pub(crate) const ROOT: usize = 0;

impl<A: Copy + Ord> Tree<A> {
    /// A tree without even a root; see [`Self::reset`].
    pub fn new(selection: Selection) -> Self {
        Tree { selection, nodes: Vec::new(), known: 0 }
    }

    /// Empties the tree, but for a root. `filler` stands in where there is no action.
    pub fn reset(&mut self, filler: A) {
        self.nodes.clear();
        self.known = 0;
        self.push_root(filler);
    }

    /// The number of nodes, room for others included.
    #[inline]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The number of nodes: the roots, and every action known below some node.
    pub fn known(&self) -> usize {
        self.known
    }

    /// Adds a node without a parent.
    pub fn add_root(&mut self) -> usize {
        self.push_root(self.nodes[ROOT].action)
    }

    fn push_root(&mut self, filler: A) -> usize {
        self.nodes.push(Node::new(0, filler, 0.0, 0.0));
        self.known += 1;
        self.nodes.len() - 1
    }

    #[inline]
    pub fn node(&self, node: usize) -> &Node<A> {
        &self.nodes[node]
    }

    /// Whether no simulation has gone through this node.
    #[inline]
    pub fn is_new(&self, node: usize) -> bool {
        self.nodes[node].visits == 0
    }

    /// Mean utility, 0 to 1, to the side that took the action; 0 before the first visit.
    #[inline]
    pub fn mean(&self, node: usize) -> f32 {
        self.nodes[node].mean
    }

    #[inline]
    pub fn action(&self, node: usize) -> A {
        self.nodes[node].action
    }

    /// Notes that dice fell as the action was played.
    #[inline]
    pub fn set_rolled(&mut self, node: usize) {
        self.nodes[node].flags |= ROLLED;
    }

    /// Declares that the children are all that will ever be legal at the node.
    pub fn set_complete(&mut self, node: usize) {
        self.nodes[node].flags |= COMPLETE;
    }

    #[inline]
    pub fn children(&self, node: usize) -> Range<usize> {
        self.nodes[node].children()
    }

    /// Gives a childless node all of these children; `complete` if there will never be others. Returns the child with
    /// the best score.
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
        parent.first = first as u32;
        parent.len = legal.len() as u16;
        parent.flags |= if complete { COMPLETE } else { VARYING };
        let end = first + parent.capacity();
        self.known += legal.len();
        let mut best = Best::NONE;
        self.nodes.reserve(end - first);
        for (position, &action) in legal.iter().enumerate() {
            let child = opening.child(side, action, position, rng);
            best.offer(child.exploration, first + position);
            self.nodes.push(child);
        }
        self.nodes.resize(end, Node::new(side, legal[0], 0.0, 0.0));
        best.child
    }

    /// Makes sure that so many more children can be [placed](Self::place). All children of the node may move. A node
    /// has at most `u16::MAX` children.
    fn make_room(&mut self, node: usize, more: usize) {
        let children = self.children(node);
        let len = children.len() + more;
        if len > self.nodes[node].capacity() {
            let moved = self.len();
            self.nodes.extend_from_within(children);
            self.nodes
                .resize(moved + len.next_power_of_two(), Node::new(0, self.nodes[node].action, 0.0, 0.0));
            self.nodes[node].first = moved as u32;
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
        let opening = Opening::new(&self.selection, shares, legal.len());
        self.make_room(node, positions.len());
        for &position in positions {
            let position = position as usize;
            self.place(node, opening.child(side, legal[position], position, rng));
        }
    }

    /// Adds one child in its place, for which there is room, and says where.
    fn place(&mut self, node: usize, child: Node<A>) -> usize {
        let end = self.children(node).end;
        let (Ok(at) | Err(at)) = self.position(node, child.side, child.action);
        self.nodes.copy_within(at..end, at + 1);
        self.nodes[at] = child;
        self.nodes[node].len += 1;
        self.known += 1;
        at
    }

    /// Adds a child whose weight does not matter, and says where.
    pub fn insert(&mut self, node: usize, side: u8, action: A) -> usize {
        self.make_room(node, 1);
        self.place(node, Node::new(side, action, 0.0, 0.0))
    }

    /// Where a child is, or where it would be inserted.
    pub fn position(&self, node: usize, side: u8, action: A) -> Result<usize, usize> {
        let Range { start, end } = self.children(node);
        let found =
            self.nodes[start..end].binary_search_by_key(&(side, action), |child| (child.side, child.action));
        found.map(|place| start + place).map_err(|place| start + place)
    }

    /// The child with the best score, where all children have always been legal.
    #[inline]
    pub fn select(&self, node: usize) -> usize {
        let parent = &self.nodes[node];
        let (factor, untried) = (self.selection.factor(parent.visits), self.selection.untried(parent));
        let mut best = Best::NONE;
        let children = parent.children();
        for (place, child) in self.nodes[children.clone()].iter().enumerate() {
            best.offer(self.selection.score(child, factor, untried), children.start + place);
        }
        best.child
    }

    /// The child with the best score among the legal ones. The positions in `legal` of actions that are not children
    /// go to `missing`. With `count`, this is a visit at which the legal children were available.
    pub fn select_among(
        &mut self,
        node: usize,
        side: u8,
        legal: &[A],
        count: bool,
        missing: &mut Vec<u32>,
    ) -> Option<usize> {
        if count {
            self.nodes[node].flags |= VARYING;
        }
        let parent = &self.nodes[node];
        let varying = parent.flags & VARYING != 0;
        let (steady, untried) = (self.selection.factor(parent.visits), self.selection.untried(parent));
        let children = parent.children();
        let mut best = Best::NONE;
        let mut position = 0;
        for (place, child) in self.nodes[children.clone()].iter_mut().enumerate() {
            if child.side != side {
                continue;
            }
            while position < legal.len() && legal[position] < child.action {
                missing.push(position as u32);
                position += 1;
            }
            if position < legal.len() && legal[position] == child.action {
                position += 1;
                child.availability += u32::from(count);
                let factor = if varying { self.selection.factor(child.availability) } else { steady };
                best.offer(self.selection.score(child, factor, untried), children.start + place);
            }
        }
        missing.extend(position as u32..legal.len() as u32);
        (best.child != usize::MAX).then_some(best.child)
    }

    /// Backs up a simulation that went from the root through these nodes and was worth so much to each side.
    #[inline]
    pub fn back_up(&mut self, root: usize, path: &[u32], utility: &PerSide<f32>) {
        self.nodes[root].visits += 1;
        let (track_own, mut parent) = (self.selection.first_play.is_some(), root);
        for &node in path {
            let child = &mut self.nodes[node as usize];
            let utility = utility.0[usize::from(child.side) % MAX_SIDES];
            debug_assert!((0.0..=1.0).contains(&utility));
            self.selection.back_up(child, utility);
            if track_own {
                self.credit_own(parent, utility);
            }
            parent = node as usize;
        }
        #[cfg(test)]
        self.audit(root);
    }

    /// Backs up what a simulation was worth to the side that decided at this node, whose visit has been counted
    /// already.
    #[inline]
    pub fn credit_own(&mut self, node: usize, utility: f32) {
        let node = &mut self.nodes[node];
        node.own += (utility - node.own) / node.visits as f32;
    }

    /// Copies all below `node` to `into`, where the node becomes the root.
    pub fn extract(&self, node: usize, into: &mut Tree<A>) {
        into.reset(self.nodes[node].action);
        into.nodes[ROOT] = self.nodes[node];
        into.nodes[ROOT].flags &= !ROLLED;
        // A copied node keeps pointing at its children in the old arena until its own turn comes.
        let mut next = ROOT;
        while next < into.len() {
            let parent = into.nodes[next];
            if parent.len > 0 {
                let first = into.len();
                into.nodes.extend_from_slice(&self.nodes[parent.children()]);
                into.nodes.resize(first + parent.capacity(), Node::new(0, parent.action, 0.0, 0.0));
                into.nodes[next].first = first as u32;
                into.known += usize::from(parent.len);
            }
            next += 1;
        }
    }
}

/// Makes the children of a node: their shares of the evaluator's weights and the order in which they are first tried.
struct Opening<'a> {
    /// The shares of the legal actions; `None` if they are all equal.
    shares: Option<&'a [f32]>,
    /// An equal share.
    equal: f32,
    /// What a share is multiplied with in the order.
    scale: f32,
}

impl<'a> Opening<'a> {
    /// For `legal` legal actions with these shares, or equal ones.
    fn new(selection: &Selection, shares: Option<&'a [f32]>, legal: usize) -> Self {
        let count = legal as f32;
        let scale = match selection.rule {
            // It must stand out beside `UNTRIED`.
            _ if selection.first_play.is_none() => 64.0 * count,
            Rule::Ucb1 => count,
            Rule::Puct => 1.0,
        };
        Opening { shares, equal: 1.0 / count, scale }
    }

    /// The child for the action at this position of the legal ones. Larger shares are tried first, equal ones in random
    /// order.
    #[inline]
    fn child<A>(&self, side: u8, action: A, position: usize, rng: &mut Rng64) -> Node<A> {
        let prior = self.shares.map_or(self.equal, |shares| shares[position]);
        let jitter = 1.0 + f32::from((rng.next() >> 48) as u16) * (0.01 / 65_536.0);
        Node::new(side, action, prior, prior * self.scale * jitter)
    }
}

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
        tree.back_up(ROOT, &[child as u32], &PerSide([utility; MAX_SIDES]));
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
    fn children_keep_their_statistics_when_others_come() {
        let mut tree = Tree::new(ucb1());
        tree.reset(0);
        let before = tree.insert(ROOT, 0, 1_000);
        tree.insert(before, 1, 7);
        let mut missing = Vec::new();
        for number in 1..60 {
            // Only the newest is available.
            let action = number * 37 % 60;
            let child = tree.insert(ROOT, 0, action);
            tree.select_among(ROOT, 0, &[action], true, &mut missing).unwrap();
            simulate(&mut tree, child, action as f32 / 60.0);
            for earlier in 1..=number {
                let action = earlier * 37 % 60;
                let child = tree.position(ROOT, 0, action).unwrap();
                let off = (tree.mean(child) - action as f32 / 60.0).abs();
                assert!(tree.node(child).visits == 1 && off < 1e-6, "{off}");
                assert_eq!(tree.node(child).availability, 2, "once new, once chosen");
            }
        }
        let moved = tree.position(ROOT, 0, 1_000).unwrap();
        assert_eq!((tree.children(moved).len(), tree.node(moved).visits), (1, 0), "grandchildren stay");
    }

    #[test]
    fn means_are_those_of_what_was_backed_up_and_never_stand_still() {
        let mut rng = rng();
        let selection = ucb1();
        for (count, tolerance) in [(1, 0.0), (2, 1e-7), (100_000, 2e-5), (3_000_000, 3e-3)] {
            let (mut node, mut sum) = (Node::new(0, (), 1.0, 7.0), 0.0);
            for _ in 0..count {
                let utility = (rng.next() >> 33 & 3).min(2) as f32 / 2.0;
                selection.back_up(&mut node, utility);
                sum += f64::from(utility);
            }
            let off = (f64::from(node.mean) - sum / f64::from(count)).abs();
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
        let node = tree.node(first);
        assert!((node.mean - 0.5).abs() < 1e-6 && (node.exploration - 0.6 / 3.0).abs() < 1e-6, "{node:?}");
        assert!((tree.node(ROOT).own - 0.5).abs() < 1e-6);
        // Of 2 visits: 0.5 + 2 sqrt(2) 0.2 = 1.07, but untried 0.25 + 2 sqrt(2) 0.3 = 1.10 and 0.25 + 2 sqrt(2) 0.1 =
        // 0.53.
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
            tree.children(ROOT).map(|child| tree.node(child).availability).collect::<Vec<_>>(),
            [1, 2, 1, 2]
        );
    }

    #[test]
    fn the_selected_child_has_the_best_score() {
        let mut rng = rng();
        for (rule, first_play) in
            [Rule::Ucb1, Rule::Puct].into_iter().flat_map(|r| [(r, None), (r, Some(0.2))])
        {
            for count in (1..=13).chain([40, 100]) {
                let c = 0.7f32;
                let mut tree = Tree::new(Selection::new(rule, c, first_play));
                tree.reset(0);
                let actions: Vec<usize> = (0..count).collect();
                let mut taken = tree.open(ROOT, 0, &actions, None, true, &mut rng);
                for visits in 1..300u16 {
                    simulate(&mut tree, taken, (rng.next() % 3) as f32 / 2.0);
                    let n = f32::from(visits);
                    let (own, prior) = (tree.node(ROOT).own, 1.0 / count as f32);
                    let score = |child: usize| {
                        let node = tree.node(child);
                        let tried = node.visits as f32;
                        let spread = match rule {
                            Rule::Ucb1 => (n.ln_1p() / tried).sqrt(),
                            Rule::Puct => prior * n.sqrt() / (1.0 + tried),
                        };
                        match first_play {
                            _ if node.visits > 0 => node.mean + c * spread,
                            None => f32::INFINITY,
                            // The order among untried actions is random by a hundredth.
                            Some(reduction) if rule == Rule::Puct => own - reduction + c * spread,
                            Some(reduction) => own - reduction + c * n.ln_1p().sqrt(),
                        }
                    };
                    let best = tree.children(ROOT).map(score).fold(f32::NEG_INFINITY, f32::max);
                    taken = tree.select(ROOT);
                    assert!(tree.children(ROOT).contains(&taken));
                    // Factors are tabled to 2%.
                    assert!(
                        score(taken) >= best - 0.03 * best.abs().min(10.0),
                        "{count} children, {visits} visits, {rule:?}, {first_play:?}: {} of {best}",
                        score(taken)
                    );
                }
            }
        }
    }

    #[test]
    fn where_legal_actions_vary_children_compete_by_how_often_they_were_available() {
        let mut tree = Tree::new(ucb1());
        tree.reset(0);
        let mut missing = Vec::new();
        let first = tree.open(ROOT, 0, &[1, 2], None, false, &mut rng());
        simulate(&mut tree, first, 0.5);
        let second = tree.select_among(ROOT, 0, &[1, 2], true, &mut missing).unwrap();
        simulate(&mut tree, second, 0.5);
        // One is there a hundred times more; the other, tried as often and as good, was hardly ever there.
        let (one, two) = (tree.children(ROOT).start, tree.children(ROOT).start + 1);
        for _ in 0..100 {
            assert_eq!(tree.select_among(ROOT, 0, &[1], true, &mut missing), Some(one));
        }
        assert_eq!((tree.node(one).availability, tree.node(two).availability), (102, 2));
        assert_eq!(tree.select_among(ROOT, 0, &[1, 2], true, &mut missing), Some(one));
        assert!(missing.is_empty());
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
        tree.back_up(ROOT, &[two as u32, three as u32], &PerSide([0.25; MAX_SIDES]));
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
