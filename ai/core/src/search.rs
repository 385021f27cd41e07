//! Monte Carlo tree search.
//!
//! One simulation walks down the tree, lets a policy play on from the first node that is new, and books the utility of
//! the end at every action on the way, to the side that took it: max^n for any number of sides, where sides of a team
//! share their utility.
//!
//! **Chance is open-loop.** A node stands for a sequence of actions. Each simulation starts from a copy of the root and
//! rolls its own dice, so a node meets many states; what is legal there may differ from one visit to the next. Children
//! are therefore matched with the legal actions of the visit, and an action competes by how often it was available.
//! Where no dice have fallen on the way the state is always the same, and the game is not asked again.
//!
//! **Hidden information.** `mcts` draws one determinization for its side at each decision and plans in it. `ismcts`
//! draws a new determinization for each simulation (Cowling, Powley, Whitehouse 2012). With *shared* opponents there
//! is one tree, as its side sees the game: cheap, right for large games, but opponents in it act on the average of
//! their secrets. With *informed* opponents each side has a tree of its own, rooted in what it knows, and all trees
//! are walked side by side: opponents use what they know. That needs few enough secrets to meet each one often.
//!
//! A search that cheats starts from the true state instead: no fair player, but the measure of what fog costs.
//!
//! **Reuse.** If the next decision follows from the chosen action without dice or foreign decisions, the tree below
//! that action is kept. It is: the determinization after the action must look to the side exactly as the game does.

use std::mem::swap;

use sandtable_core::{Context, Dice, Game, MAX_SIDES, PerSide, Rng64, Side, Turn};

use crate::agent::{Agent, SearchFigures, View};
use crate::budget::{ACTION_PARTS, Budget};
pub use crate::policy::Depth;
use crate::policy::{Evaluator, Horizon, Policy};
pub use crate::tree::Rule;
use crate::tree::{COMPLETE, ROLLED, ROOT, Selection, Tree};

/// What a search takes for the true state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Determinizations {
    /// One determinization a decision (`mcts`).
    One,
    /// The true state, whatever is hidden (`cheat=on`).
    Seen,
    /// A new determinization each simulation, one tree for all sides (`ismcts`).
    Shared,
    /// A new determinization each simulation, a tree for each side by what it knows (`ismcts:opponents=informed`).
    Informed,
}

/// How a node's actions are opened up over its visits.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Widening {
    /// How many actions are open at the first visit.
    pub breadth: f32,
    /// `breadth * visits^exponent` actions are open, best weights first.
    pub exponent: f32,
}

/// How to search.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchOptions {
    /// What is taken for the true state.
    pub determinizations: Determinizations,
    /// How actions are selected.
    pub rule: Rule,
    /// The exploration constant of the rule, for utilities between 0 and 1.
    pub exploration: f32,
    /// An action never tried counts as its node's mean less this; `None` tries every action once first.
    pub first_play: Option<f32>,
    /// Progressive widening; `None` opens all actions at once.
    pub widening: Option<Widening>,
    /// Where rollouts are cut short.
    pub depth: Depth,
    /// Whether to keep the tree between decisions of one chain.
    pub reuse: bool,
    /// The tree stops growing at this many nodes (36 bytes and an action each), room for more children included.
    pub max_nodes: u32,
}

/// The utility of a finished game, or the evaluator's estimate.
pub(crate) fn utility_of<G: Game>(
    game: &G,
    determinization: &G::State,
    evaluator: &mut dyn Evaluator<G>,
) -> PerSide<f32> {
    match game.outcome(determinization) {
        Some(outcome) => outcome.utility,
        None => evaluator.evaluate(game, determinization),
    }
}

/// A table on which dice fall and are noticed.
#[derive(Debug)]
pub struct Noticing<'a, D = Rng64> {
    /// The dice.
    pub dice: &'a mut D,
    /// Set once a die has been thrown.
    pub rolled: &'a mut bool,
}

impl<D: Dice> Dice for Noticing<'_, D> {
    #[inline]
    fn below(&mut self, n: u32) -> u32 {
        *self.rolled = true;
        self.dice.below(n)
    }
}

impl<E, D: Dice> Context<E> for Noticing<'_, D> {
    #[inline(always)]
    fn emit(&mut self, _: impl FnOnce() -> E) {}
}

/// No tree, or no longer in it.
const NOWHERE: usize = usize::MAX;

/// The tree search agent.
pub struct TreeSearch<G: Game> {
    options: SearchOptions,
    budget: Budget,
    policy: Box<dyn Policy<G>>,
    evaluator: Box<dyn Evaluator<G>>,
    uniform: bool,
    tree: Tree<G::Action>,
    spare: Tree<G::Action>,
    /// The determinization of the last decision and the entry chosen there.
    last: Option<(G::State, usize)>,
    /// With informed opponents: their roots, by side and what they see.
    roots: Vec<(Side, u64, u32)>,
    legal: Vec<G::Action>,
    missing: Vec<u32>,
    weights: Vec<f32>,
    /// The nodes that the simulation at hand went through, a list for each tree.
    paths: [Vec<u32>; MAX_SIDES],
    longest: usize,
    figures: Option<SearchFigures>,
}

impl<G: Game> TreeSearch<G> {
    /// An agent that searches so, within this budget, with these rollouts and this evaluator.
    pub fn new(
        options: SearchOptions,
        budget: Budget,
        policy: Box<dyn Policy<G>>,
        evaluator: Box<dyn Evaluator<G>>,
    ) -> Self {
        let tree = Tree::new(Selection::new(options.rule, options.exploration, options.first_play));
        TreeSearch {
            options,
            budget,
            uniform: evaluator.is_uniform(),
            policy,
            evaluator,
            spare: tree.clone(),
            tree,
            last: None,
            roots: Vec::new(),
            legal: Vec::new(),
            missing: Vec::new(),
            weights: Vec::new(),
            paths: [const { Vec::new() }; MAX_SIDES],
            longest: 0,
            figures: None,
        }
    }

    /// The root determinization, with the tree below it: kept from the last decision if this one follows from it,
    /// else new.
    fn plant(&mut self, view: &View<'_, G>, rng: &mut Rng64) -> G::State {
        if let Some((mut determinization, chosen)) = self.last.take() {
            let game = view.game();
            let mut rolled = self.tree.node(chosen).flags & ROLLED != 0;
            let action = self.tree.action(chosen);
            game.apply(&mut determinization, action, &mut Noticing { dice: rng, rolled: &mut rolled });
            if !rolled
                && game.turn_of(&determinization) == Turn::Decide(view.side())
                && game.observation(&determinization, view.side()) == view.observation()
                && (self.options.determinizations != Determinizations::Seen
                    || game.hash(&determinization) == game.hash(view.truth()))
                && self.tree.children(chosen).all(|child| {
                    self.tree.node(child).side == view.side().0
                        && view.legal().binary_search(&self.tree.action(child)).is_ok()
                })
            {
                self.tree.extract(chosen, &mut self.spare);
                swap(&mut self.tree, &mut self.spare);
                return determinization;
            }
        }
        self.tree.reset(view.legal()[0]);
        if self.options.determinizations == Determinizations::Seen {
            view.truth().clone()
        } else {
            view.determinize(rng)
        }
    }

    /// How many actions may be open at a node with so many visits.
    #[inline]
    fn width(&self, visits: u32) -> usize {
        match self.options.widening {
            None => usize::from(u16::MAX),
            Some(Widening { breadth, exponent }) => {
                (breadth * (visits.max(1) as f32).powf(exponent)).clamp(1.0, f32::from(u16::MAX)) as usize
            }
        }
    }

    /// Fills `weights` with the share of each legal action.
    fn weigh(&mut self, game: &G, determinization: &G::State, side: Side) {
        self.weights.clear();
        self.evaluator.weigh(game, determinization, side, &self.legal, &mut self.weights);
        debug_assert_eq!(self.weights.len(), self.legal.len());
        let total: f32 = self.weights.iter().sum();
        debug_assert!(total > 0.0, "weights are positive");
        self.weights.iter_mut().for_each(|weight| *weight /= total);
    }

    /// The child to go to from `node`, opened if need be; `None` if the tree is full. `stable` promises that the node
    /// meets this one state alone.
    #[inline]
    fn descend(
        &mut self,
        game: &G,
        determinization: &G::State,
        node: usize,
        side: Side,
        stable: bool,
        rng: &mut Rng64,
    ) -> Option<usize> {
        let parent = self.tree.node(node);
        if stable
            && (parent.flags & COMPLETE != 0
                || (parent.len > 0 && usize::from(parent.len) >= self.width(parent.visits)))
        {
            return Some(self.tree.select(node));
        }
        self.descend_asking(game, determinization, node, side, stable, rng)
    }

    /// As [`Self::descend`], by asking the game what is legal.
    #[inline(never)]
    fn descend_asking(
        &mut self,
        game: &G,
        determinization: &G::State,
        node: usize,
        side: Side,
        stable: bool,
        rng: &mut Rng64,
    ) -> Option<usize> {
        self.legal.clear();
        game.legal_actions(determinization, &mut self.legal);
        // Children are counted in 16 bits; actions beyond are not searched.
        self.legal.truncate(usize::from(u16::MAX) / 2);
        let full = self.tree.len() >= self.options.max_nodes as usize;
        let visits = self.tree.node(node).visits;
        let children = self.tree.children(node).len();
        if children == 0 && !full && self.legal.len() <= self.width(visits) {
            if !self.uniform {
                self.weigh(game, determinization, side);
            }
            let shares = (!self.uniform).then_some(&self.weights[..]);
            return Some(self.tree.open(node, side.0, &self.legal, shares, stable, rng));
        }
        self.missing.clear();
        let best = self.tree.select_among(node, side.0, &self.legal, !stable, &mut self.missing);
        let known = self.legal.len() - self.missing.len();
        let room = self.width(visits).min(usize::from(u16::MAX) - children + known).saturating_sub(known);
        let wanted = room.min(self.missing.len());
        if full || wanted == 0 {
            return best;
        }
        if !self.uniform {
            self.weigh(game, determinization, side);
            let weights = &self.weights;
            self.missing.sort_by(|&a, &b| weights[b as usize].total_cmp(&weights[a as usize]));
        } else if wanted < self.missing.len() {
            for place in 0..wanted {
                let other = place + rng.below((self.missing.len() - place) as u32) as usize;
                self.missing.swap(place, other);
            }
        }
        let shares = (!self.uniform).then_some(&self.weights[..]);
        self.tree.widen(node, side.0, &self.legal, &self.missing[..wanted], shares, rng);
        if stable {
            if known + wanted == self.legal.len() {
                self.tree.set_complete(node);
            }
            return Some(self.tree.select(node));
        }
        self.missing.clear();
        self.tree.select_among(node, side.0, &self.legal, false, &mut self.missing)
    }

    /// Whether the tree ends here: a node that no simulation has gone through.
    #[inline]
    fn is_new(&self, node: usize) -> bool {
        node != ROOT && self.tree.is_new(node)
    }

    /// One simulation in one tree, from this state; `known` says that it is the state of every simulation.
    fn simulate(
        &mut self,
        game: &G,
        mut determinization: G::State,
        mut known: bool,
        horizon: Horizon,
        rng: &mut Rng64,
    ) {
        let by_history = game.legal_by_history();
        let end = if let Horizon::Turn(turn) = horizon { turn } else { u32::MAX };
        let mut node = ROOT;
        let mut decider = None;
        self.paths[0].clear();
        while let Turn::Decide(side) = game.turn_of(&determinization) {
            if end != u32::MAX && game.turn_number(&determinization) >= end {
                break;
            }
            let child = if self.is_new(node) {
                None
            } else {
                self.descend(game, &determinization, node, side, known || by_history, rng)
            };
            let Some(child) = child else {
                decider = Some(side);
                self.policy.play_out(game, &mut determinization, horizon, &mut self.legal, rng);
                break;
            };
            self.paths[0].push(child as u32);
            let action = self.tree.action(child);
            let mut rolled = false;
            game.apply(&mut determinization, action, &mut Noticing { dice: rng, rolled: &mut rolled });
            if rolled {
                known = false;
                self.tree.set_rolled(child);
            }
            node = child;
        }
        let utility = utility_of(game, &determinization, &mut *self.evaluator);
        self.tree.back_up(ROOT, &self.paths[0], &utility);
        self.longest = self.longest.max(self.paths[0].len());
        if let Some(side) = decider
            && self.options.first_play.is_some()
        {
            self.tree.credit_own(node, utility[side]);
        }
    }

    /// The root of a side's own tree; [`NOWHERE`] if there is no more room for one.
    fn root_of(&mut self, side: Side, seen: u64) -> usize {
        match self.roots.binary_search_by_key(&(side, seen), |&(side, seen, _)| (side, seen)) {
            Ok(at) => self.roots[at].2 as usize,
            Err(_) if self.tree.len() >= self.options.max_nodes as usize => NOWHERE,
            Err(at) => {
                let root = self.tree.add_root();
                self.roots.insert(at, (side, seen, root as u32));
                root
            }
        }
    }

    /// One simulation in the trees of all sides.
    fn simulate_informed(
        &mut self,
        game: &G,
        mut determinization: G::State,
        viewer: Side,
        horizon: Horizon,
        rng: &mut Rng64,
    ) {
        let mut at = [NOWHERE; MAX_SIDES];
        for side in (0..game.sides().len()).map(|side| Side(side as u8)) {
            at[side.index()] = if side == viewer {
                ROOT
            } else {
                self.root_of(side, game.observation(&determinization, side))
            };
        }
        let roots = at;
        self.paths.iter_mut().for_each(Vec::clear);
        let by_history = game.legal_by_history();
        let end = if let Horizon::Turn(turn) = horizon { turn } else { u32::MAX };
        let mut decisions = 0;
        while let Turn::Decide(side) = game.turn_of(&determinization) {
            if end != u32::MAX && game.turn_number(&determinization) >= end {
                break;
            }
            let node = at[side.index()];
            let child = if node == NOWHERE || self.is_new(node) {
                None
            } else {
                self.descend(game, &determinization, node, side, by_history, rng)
            };
            let Some(child) = child else {
                self.policy.play_out(game, &mut determinization, horizon, &mut self.legal, rng);
                break;
            };
            let action = self.tree.action(child);
            for (tree, node) in at.iter_mut().enumerate() {
                if tree == side.index() || *node == NOWHERE {
                    continue;
                }
                let entry = match self.tree.position(*node, side.0, action) {
                    Ok(entry) => entry,
                    Err(_) if self.tree.len() >= self.options.max_nodes as usize => NOWHERE,
                    Err(_) => self.tree.insert(*node, side.0, action),
                };
                if entry != NOWHERE {
                    self.paths[tree].push(entry as u32);
                }
                *node = entry;
            }
            self.paths[side.index()].push(child as u32);
            at[side.index()] = child;
            decisions += 1;
            let mut rolled = false;
            game.apply(&mut determinization, action, &mut Noticing { dice: rng, rolled: &mut rolled });
            if rolled {
                self.tree.set_rolled(child);
            }
        }
        let utility = utility_of(game, &determinization, &mut *self.evaluator);
        for (root, path) in roots.into_iter().zip(&self.paths) {
            if root != NOWHERE {
                self.tree.back_up(root, path, &utility);
            }
        }
        self.longest = self.longest.max(decisions);
    }

    /// The root's most visited legal child; of equals, the better.
    fn best(&self, legal: &[G::Action]) -> Option<usize> {
        let tree = &self.tree;
        tree.children(ROOT)
            .filter(|&child| tree.node(child).visits > 0 && legal.binary_search(&tree.action(child)).is_ok())
            .max_by(|&a, &b| {
                let visits = tree.node(a).visits.cmp(&tree.node(b).visits);
                visits.then(tree.mean(a).total_cmp(&tree.mean(b)))
            })
    }

    /// What the evaluator weighs most, at random among equals: the choice of a search that has no budget left.
    fn best_unsearched(
        &mut self,
        view: &View<'_, G>,
        determinization: &G::State,
        rng: &mut Rng64,
    ) -> G::Action {
        self.legal.clear();
        self.legal.extend_from_slice(view.legal());
        self.weigh(view.game(), determinization, view.side());
        let top = self.weights.iter().copied().fold(0.0, f32::max);
        let mut equals = (0..self.legal.len()).filter(|&position| self.weights[position] >= top);
        let pick = rng.below(equals.clone().count().max(1) as u32) as usize;
        self.legal[equals.nth(pick).unwrap_or(0)]
    }
}

impl<G: Game> Agent<G> for TreeSearch<G> {
    fn choose(&mut self, view: &View<'_, G>, rng: &mut Rng64) -> G::Action {
        self.figures = None;
        if let [only] = view.legal() {
            return *only;
        }
        let game = view.game();
        let turn = view.turn_number();
        let horizon = self.options.depth.horizon(turn);
        let root = self.plant(view, rng);
        self.roots.clear();
        self.longest = 0;
        // Where nothing is hidden all determinizations are the state itself, and all sides know the same.
        let determinizations =
            if game.has_hidden_information() { self.options.determinizations } else { Determinizations::One };
        let allotment = self.budget.allot(turn, ACTION_PARTS);
        let spent = match determinizations {
            Determinizations::One | Determinizations::Seen => {
                allotment.run(|| self.simulate(game, root.clone(), true, horizon, rng))
            }
            Determinizations::Shared => {
                allotment.run(|| self.simulate(game, view.determinize(rng), false, horizon, rng))
            }
            Determinizations::Informed => allotment.run(|| {
                let determinization = view.determinize(rng);
                self.simulate_informed(game, determinization, view.side(), horizon, rng);
            }),
        };
        self.budget.spend(spent);
        let Some(best) = self.best(view.legal()) else { return self.best_unsearched(view, &root, rng) };
        self.figures = Some(SearchFigures {
            iterations: spent.iterations,
            nodes: self.tree.known() as u32,
            depth: self.longest as u32,
            value: self.tree.mean(best),
            best_share: self.tree.node(best).visits as f32 / self.tree.node(ROOT).visits.max(1) as f32,
        });
        if self.options.reuse {
            self.last = Some((root, best));
        }
        self.tree.action(best)
    }

    fn figures(&self) -> Option<SearchFigures> {
        self.figures
    }
}

#[cfg(test)]
mod tests;
