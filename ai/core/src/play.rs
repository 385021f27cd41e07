//! One game between agents.

use sandtable_core::{Dice, Game, MAX_SIDES, Outcome, PlayContext, Rng64, Side, Sink, Turn};

use crate::agent::{Agent, SearchFigures, View};

/// The random streams of one game: they depend on the seed and the game's number alone.
#[derive(Clone, Debug)]
pub struct Streams<D = Rng64> {
    /// The game's dice: stream 0.
    pub dice: D,
    /// Each side's own stream, for its agent: stream 1 + side.
    pub agents: Vec<Rng64>,
}

impl Streams {
    /// The streams of game number `game` of the run with this seed.
    pub fn new(seed: u64, game: u64, sides: usize) -> Self {
        Streams {
            dice: Rng64::stream(seed, game, 0),
            agents: (0..sides as u64).map(|side| Rng64::stream(seed, game, 1 + side)).collect(),
        }
    }
}

/// A decision that has been made and not yet carried out.
pub struct Decision<'a, G: Game> {
    /// The true state.
    pub state: &'a G::State,
    /// Who decided.
    pub side: Side,
    /// What was legal.
    pub legal: &'a [G::Action],
    /// What was chosen.
    pub action: G::Action,
    /// What the search found, if the agent searched.
    pub figures: Option<SearchFigures>,
}

/// Told of every decision of a game.
pub trait Observer<G: Game> {
    /// A decision has been made.
    fn decided(&mut self, decision: &Decision<'_, G>);
}

impl<G: Game> Observer<G> for () {
    fn decided(&mut self, _: &Decision<'_, G>) {}
}

impl<G: Game, F: FnMut(&Decision<'_, G>)> Observer<G> for F {
    fn decided(&mut self, decision: &Decision<'_, G>) {
        self(decision);
    }
}

/// Plays a whole game; agent `i` plays side `i` with `streams.agents[i]`. Facts go to `sink`. The agents are used up:
/// the next game has new ones.
///
/// # Panics
/// If there are fewer agents or streams than sides, or the game breaks its contract by ending without an outcome.
pub fn play_game<G: Game, D: Dice, S: Sink<G::Event>>(
    game: &G,
    agents: impl IntoIterator<Item = Box<dyn Agent<G>>>,
    streams: &mut Streams<D>,
    sink: S,
    observer: &mut impl Observer<G>,
) -> Outcome {
    let mut context = PlayContext { dice: &mut streams.dice, sink };
    let mut state = game.initial(&mut context);
    let mut legal = Vec::new();
    let mut by_side = [const { None }; MAX_SIDES];
    for (place, agent) in by_side.iter_mut().zip(agents) {
        *place = Some(agent);
    }
    if let Turn::Decide(_) = game.turn_of(&state) {
        game.legal_actions(&state, &mut legal);
    }
    while let Turn::Decide(side) = game.turn_of(&state) {
        let agent = by_side[side.index()].as_mut().expect("every side has an agent");
        let action = agent.choose(&View::new(game, &state, side, &legal), &mut streams.agents[side.index()]);
        let figures = agent.figures();
        observer.decided(&Decision { state: &state, side, legal: &legal, action, figures });
        game.apply_listing(&mut state, action, &mut context, &mut legal, |_| true);
    }
    game.outcome(&state).expect("a game that is over has an outcome")
}
