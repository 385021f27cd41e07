//! What an agent is, and what it may see.

use sandtable_core::{Game, Rng64, Side};

/// The game as one side may see it at a decision of its own.
///
/// The true state is inside, but out of reach of all agents but those that are told to cheat: an agent gets
/// determinizations that are drawn at random from those that its side cannot tell apart, and facts that its side
/// knows.
pub struct View<'a, G: Game> {
    game: &'a G,
    state: &'a G::State,
    side: Side,
    legal: &'a [G::Action],
}

impl<'a, G: Game> View<'a, G> {
    /// The view of the side that decides in `state`; `legal` are the legal actions there, in the game's order.
    pub fn new(game: &'a G, state: &'a G::State, side: Side, legal: &'a [G::Action]) -> Self {
        View { game, state, side, legal }
    }

    /// The same view with only some of the legal actions, in the same order.
    pub(crate) fn narrowed<'b>(&'b self, legal: &'b [G::Action]) -> View<'b, G> {
        View { game: self.game, state: self.state, side: self.side, legal }
    }

    /// The rules.
    pub fn game(&self) -> &'a G {
        self.game
    }

    /// The side that decides, and that sees.
    pub fn side(&self) -> Side {
        self.side
    }

    /// The legal actions, in ascending order.
    pub fn legal(&self) -> &'a [G::Action] {
        self.legal
    }

    /// A determinization drawn at random from those that this side cannot tell from the true one.
    #[inline]
    pub fn determinize(&self, rng: &mut Rng64) -> G::State {
        self.game.determinize(self.state, self.side, rng)
    }

    /// The true state, for searches that cheat to show what hidden information is worth, and for policies that read nothing hidden.
    pub(crate) fn truth(&self) -> &'a G::State {
        self.state
    }

    /// A hash of all that this side can see.
    pub fn observation(&self) -> u64 {
        self.game.observation(self.state, self.side)
    }

    /// The game turn, counted from 1.
    pub fn turn_number(&self) -> u32 {
        self.game.turn_number(self.state)
    }
}

/// A player of one side in one game.
///
/// There is no way to begin another game: each has agents of its own, so that nothing can be carried over. See
/// [`Assignment`](crate::Assignment), and [`kit`](crate::kit), which proves that nothing is.
pub trait Agent<G: Game>: Send {
    /// One of the legal actions. The choice depends on the views of this game so far and the generator alone (and, for
    /// budgets in milliseconds, on the clock).
    fn choose(&mut self, view: &View<'_, G>, rng: &mut Rng64) -> G::Action;

    /// What the search found at the last decision; `None` if the agent did not search there.
    fn figures(&self) -> Option<SearchFigures> {
        None
    }
}

/// What a search did and found at one decision.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SearchFigures {
    /// Simulations run for this decision.
    pub iterations: u32,
    /// Tree entries at the end (one a known action, and the root); root actions for flat Monte Carlo; plans and operations in a search
    /// over plans.
    pub nodes: u32,
    /// The longest line of decisions inside the tree; 1 for flat Monte Carlo.
    pub depth: u32,
    /// Mean utility of the chosen action to the deciding side, 0 to 1, in the simulations that chose it: somewhat too high, for the
    /// best of several leads by luck as well.
    pub value: f32,
    /// The share of all simulations through the root that went to the chosen action, 0 to 1.
    pub best_share: f32,
}
