//! Agents that are denied something: what a part of a game is worth shows when a side does without it.
//!
//! A system's [`SystemKnowledge`](crate::SystemKnowledge) names its restrictions; an agent takes them with
//! `deny=air`, or several with `deny=air+navy`. Whatever the agent, it then chooses among the legal actions that are
//! left. Where nothing would be left, all legal actions are: a restriction never makes a game stop. A search knows
//! the restriction of its own next choice alone; in its simulations everybody plays on freely.

use sandtable_core::{Game, Rng64, Side};

use crate::agent::{Agent, SearchFigures, View};

/// Something that can be denied to an agent.
pub struct Restriction<G: Game> {
    /// As written in agent specifications: lower-case words joined by `-`.
    pub name: &'static str,
    /// What is denied, in a line.
    pub summary: &'static str,
    /// Whether this action of the side, which decides in this determinization, is denied. It must follow from what
    /// the side can see: the rest of the determinization is drawn at random.
    pub denies: fn(&G, &G::State, Side, G::Action) -> bool,
}

impl<G: Game> Clone for Restriction<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Restriction<G> {}

/// An agent that does without something.
pub struct Restricted<G: Game> {
    agent: Box<dyn Agent<G>>,
    restrictions: Vec<Restriction<G>>,
    left: Vec<G::Action>,
}

impl<G: Game> Restricted<G> {
    /// The agent, denied whatever one of the restrictions denies.
    pub fn new(agent: Box<dyn Agent<G>>, restrictions: Vec<Restriction<G>>) -> Self {
        Restricted { agent, restrictions, left: Vec::new() }
    }
}

impl<G: Game> Agent<G> for Restricted<G> {
    fn choose(&mut self, view: &View<'_, G>, rng: &mut Rng64) -> G::Action {
        // The agent draws the same numbers as one that is denied nothing.
        let determinization = view.determinize(&mut rng.clone());
        let (game, side) = (view.game(), view.side());
        self.left.clear();
        self.left.extend(view.legal().iter().filter(|&&action| {
            !self
                .restrictions
                .iter()
                .any(|restriction| (restriction.denies)(game, &determinization, side, action))
        }));
        if self.left.is_empty() {
            return self.agent.choose(view, rng);
        }
        self.agent.choose(&view.narrowed(&self.left), rng)
    }

    fn figures(&self) -> Option<SearchFigures> {
        self.agent.figures()
    }
}
