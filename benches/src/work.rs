//! What is timed: one search from a position, and the playouts that a search is made of.

use std::hint::black_box;

use sandtable_ai::search::Depth;
use sandtable_ai::{AgentSpec, Evaluator, Policy, SystemKnowledge, UniformEvaluator, UniformPolicy, View};
use sandtable_core::{Game, Rng64, Side, Turn};

/// An agent before a decision. Every search is made by a new agent, with an empty tree: making it is timed with it.
pub struct Search<'g, G: Game> {
    game: &'g G,
    state: G::State,
    side: Side,
    legal: Vec<G::Action>,
    spec: AgentSpec,
    knowledge: &'g dyn SystemKnowledge<G>,
    rng: Rng64,
}

impl<'g, G: Game + 'static> Search<'g, G> {
    /// The agent that `spec` describes, at its decision in `state`.
    ///
    /// # Panics
    /// If the specification is wrong or nobody decides in `state`.
    pub fn new(game: &'g G, state: G::State, spec: &str, knowledge: &'g dyn SystemKnowledge<G>) -> Self {
        let spec = spec.parse().expect("a good specification");
        let (side, legal, rng) = (Side(0), Vec::new(), Rng64::stream(1, 0, 1));
        let mut search = Search { game, state, side, legal, spec, knowledge, rng };
        search.look();
        search
    }

    /// Goes to another position.
    pub fn set(&mut self, state: G::State) {
        self.state = state;
        self.look();
    }

    fn look(&mut self) {
        let Turn::Decide(side) = self.game.turn_of(&self.state) else { panic!("nobody decides here") };
        self.side = side;
        self.legal.clear();
        self.game.legal_actions(&self.state, &mut self.legal);
    }

    /// Searches once and returns the number of simulations.
    pub fn run(&mut self) -> u64 {
        let mut agent = self.spec.build(self.knowledge).expect("a good specification");
        let view = View::new(self.game, &self.state, self.side, &self.legal);
        black_box(agent.choose(&view, &mut self.rng));
        agent.figures().map_or(0, |figures| u64::from(figures.iterations))
    }
}

/// Playouts from a position: each a copy of the state, play to the horizon, and the worth of where it ends.
pub struct Playouts<'g, G: Game> {
    game: &'g G,
    state: G::State,
    depth: Depth,
    policy: Box<dyn Policy<G>>,
    evaluator: Box<dyn Evaluator<G>>,
    legal: Vec<G::Action>,
    rng: Rng64,
}

impl<'g, G: Game> Playouts<'g, G> {
    /// Random playouts to the end.
    pub fn random(game: &'g G, state: G::State) -> Self {
        Playouts::new(game, state, Depth::End, Box::new(UniformPolicy), Box::new(UniformEvaluator))
    }

    /// Playouts by `policy`, cut at `depth` and valued there by `evaluator`.
    pub fn new(
        game: &'g G,
        state: G::State,
        depth: Depth,
        policy: Box<dyn Policy<G>>,
        evaluator: Box<dyn Evaluator<G>>,
    ) -> Self {
        Playouts { game, state, depth, policy, evaluator, legal: Vec::new(), rng: Rng64::stream(1, 0, 2) }
    }

    /// Plays out so many times.
    pub fn run(&mut self, playouts: u64) {
        let horizon = self.depth.horizon(self.game.turn_number(&self.state));
        for _ in 0..playouts {
            let mut determinization = self.state.clone();
            self.policy.play_out(self.game, &mut determinization, horizon, &mut self.legal, &mut self.rng);
            black_box(match self.game.outcome(&determinization) {
                Some(outcome) => outcome.utility,
                None => self.evaluator.evaluate(self.game, &determinization),
            });
        }
    }
}
