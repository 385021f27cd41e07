//! The phase kernel: a game told as phases, and the loop that plays it.
//!
//! A system says for each phase what may be done ([`Phases::generate`], the one statement of legality), what an
//! action does ([`Phases::play`]), and what follows when nothing is left to decide ([`Phases::end_phase`]). The
//! kernel plays forced moves, passes over empty phases, lists actions, and draws one without listing them; every such
//! machine is a [`Game`].
//!
//! ```text
//!            +------------ play <-- the only action --+
//!            v                                        |
//!  play --> prepare --> generate --> none: end_phase -+-> over
//!                           |
//!                           +------> several: a decision
//! ```

use crate::actions::{ActionSink, Choice, Flow, Sampler};
use crate::context::{Context, Dice, RandomDraw};
use crate::game::{Game, Outcome, Side, SideInfo, Turn};

/// A game as a machine of phases. What the methods that [`Game`] has too must keep is said there.
pub trait Phases: Send + Sync {
    /// A game in progress: see [`Game::State`].
    type State: Clone + Send + Sync;
    /// One small decision: see [`Game::Action`].
    type Action: Copy + Eq + Ord + std::hash::Hash + Send + Sync + std::fmt::Debug;
    /// What is reported: see [`Game::Event`].
    type Event: Clone + Send + std::fmt::Debug;

    /// The sides: see [`Game::sides`].
    fn sides(&self) -> &[SideInfo];

    /// The position before anything is decided or forced.
    fn set_up<T: Context<Self::Event>>(&self, context: &mut T) -> Self::State;

    /// Whether the game has ended.
    fn is_over(&self, state: &Self::State) -> bool;

    /// The side that decides; only asked while the game runs.
    fn decider(&self, state: &Self::State) -> Side;

    /// Offers the legal actions of the decision at hand in ascending order; nothing if the phase has nothing left to
    /// decide.
    ///
    /// Breaks off when the sink does.
    fn generate<O: ActionSink<Self::Action>>(&self, state: &Self::State, out: &mut O) -> Flow;

    /// Plays one legal action and nothing that follows of itself.
    fn play<T: Context<Self::Event>>(&self, state: &mut Self::State, action: Self::Action, context: &mut T);

    /// Nothing is left to decide: ends the phase and starts what comes next.
    fn end_phase<T: Context<Self::Event>>(&self, state: &mut Self::State, context: &mut T);

    /// Brings up to date what the generator of the phase at hand reads and the state keeps.
    fn prepare(&self, state: &mut Self::State) {
        let _ = state;
    }

    /// The result: see [`Game::outcome`].
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;

    /// Whether anything is ever hidden: see [`Game::has_hidden_information`].
    fn has_hidden_information(&self) -> bool {
        true
    }

    /// A state that `viewer` cannot tell from this one: see [`Game::determinize`].
    fn determinize<D: Dice>(&self, state: &Self::State, viewer: Side, dice: &mut D) -> Self::State;

    /// A hash of what `viewer` sees: see [`Game::observation`].
    fn observation(&self, state: &Self::State, viewer: Side) -> u64;

    /// A hash of the state: see [`Game::hash`].
    fn hash(&self, state: &Self::State) -> u64;

    /// A hash after all caches have been made anew: see [`Game::recomputed_hash`].
    fn recomputed_hash(&self, state: &Self::State) -> u64;

    /// The invariants: see [`Game::check`].
    ///
    /// # Errors
    /// Names the first that does not hold.
    fn check(&self, state: &Self::State) -> Result<(), String>;

    /// The game turn, from 1: see [`Game::turn_number`].
    fn turn_number(&self, state: &Self::State) -> u32;

    /// The action in words: see [`Game::describe`].
    fn describe(&self, state: &Self::State, action: Self::Action) -> String;
}

/// Play that halts where a phase ends, for those who look at positions in between: worked examples and tests.
pub trait Stepwise: Phases {
    /// Plays one action without the forced moves and empty phases after it, which [`Game::apply`] would play too.
    /// [`Stepwise::forced`] and [`Stepwise::end_idle_phase`] go on.
    fn apply_alone<T: Context<Self::Event>>(
        &self,
        state: &mut Self::State,
        action: Self::Action,
        context: &mut T,
    ) {
        self.play(state, action, context);
        self.prepare(state);
    }

    /// The actions of the decision at hand; none if the phase has nothing to decide.
    fn open_actions(&self, state: &Self::State) -> Vec<Self::Action> {
        let mut open = Vec::new();
        let _ = self.generate(state, &mut open);
        open
    }

    /// The one action there is, if there is but one.
    fn forced(&self, state: &Self::State) -> Option<Self::Action> {
        let open = self.open_actions(state);
        (open.len() == 1).then(|| open[0])
    }

    /// Ends a phase in which there is nothing to decide; does nothing if there is.
    fn end_idle_phase<T: Context<Self::Event>>(&self, state: &mut Self::State, context: &mut T) {
        if !self.is_over(state) && self.open_actions(state).is_empty() {
            self.end_phase(state, context);
            self.prepare(state);
        }
    }
}

impl<P: Phases> Stepwise for P {}

/// Plays forced moves and empty phases until there is a decision or the game is over.
pub fn settle<P: Phases, T: Context<P::Event>>(game: &P, state: &mut P::State, context: &mut T) {
    settle_listing(game, state, context, &mut Vec::new(), |_| false);
}

/// The same, and leaves the actions of the decision in `legal`: none if the game is over, or if they are not `wanted`.
#[inline]
fn settle_listing<P: Phases, T: Context<P::Event>>(
    game: &P,
    state: &mut P::State,
    context: &mut T,
    legal: &mut Vec<P::Action>,
    wanted: impl Fn(&P::State) -> bool,
) {
    loop {
        legal.clear();
        if game.is_over(state) {
            return;
        }
        game.prepare(state);
        let (first, many) = if wanted(state) {
            let _ = game.generate(state, legal);
            (legal.first().copied(), legal.len() > 1)
        } else {
            let mut choice = Choice::new(legal);
            let _ = game.generate(state, &mut choice);
            let (first, many) = (choice.first, choice.many);
            legal.clear();
            (first, many)
        };
        match first {
            _ if many => return,
            Some(only) => game.play(state, only, context),
            None => game.end_phase(state, context),
        }
    }
}

/// The same, and draws an action of the decision; `None` if the game is over. `buffer` is scratch space.
#[inline]
fn settle_drawing<P: Phases, T: Context<P::Event>>(
    game: &P,
    state: &mut P::State,
    context: &mut T,
    draw: RandomDraw,
    buffer: &mut Vec<P::Action>,
) -> Option<P::Action> {
    while !game.is_over(state) {
        game.prepare(state);
        match (draw_one(game, state, draw, buffer), buffer.first()) {
            (Some(drawn), _) => return Some(drawn),
            (None, Some(&only)) => game.play(state, only, context),
            (None, None) => game.end_phase(state, context),
        }
    }
    None
}

/// Draws one of at least two legal actions. If there is only one, leaves it in `buffer`, which else is empty.
#[inline]
fn draw_one<P: Phases>(
    game: &P,
    state: &P::State,
    draw: RandomDraw,
    buffer: &mut Vec<P::Action>,
) -> Option<P::Action> {
    let mut sampler = Sampler::new(draw, buffer);
    let _ = game.generate(state, &mut sampler);
    sampler.finish()
}

impl<P: Phases> Game for P {
    type State = P::State;
    type Action = P::Action;
    type Event = P::Event;

    fn sides(&self) -> &[SideInfo] {
        Phases::sides(self)
    }

    fn initial<T: Context<P::Event>>(&self, context: &mut T) -> P::State {
        let mut state = self.set_up(context);
        settle(self, &mut state, context);
        state
    }

    #[inline]
    fn turn_of(&self, state: &P::State) -> Turn {
        if self.is_over(state) { Turn::Over } else { Turn::Decide(self.decider(state)) }
    }

    fn outcome(&self, state: &P::State) -> Option<Outcome> {
        Phases::outcome(self, state)
    }

    fn legal_actions(&self, state: &P::State, out: &mut Vec<P::Action>) {
        let _ = self.generate(state, out);
    }

    fn apply<T: Context<P::Event>>(&self, state: &mut P::State, action: P::Action, context: &mut T) {
        self.apply_listing(state, action, context, &mut Vec::new(), |_| false);
    }

    fn apply_listing<T: Context<P::Event>>(
        &self,
        state: &mut P::State,
        action: P::Action,
        context: &mut T,
        legal: &mut Vec<P::Action>,
        wanted: impl Fn(&P::State) -> bool,
    ) {
        debug_assert!(
            {
                let mut legal = Vec::new();
                self.legal_actions(state, &mut legal);
                legal.contains(&action)
            },
            "illegal action {action:?}"
        );
        self.play(state, action, context);
        settle_listing(self, state, context, legal, wanted);
    }

    fn sample_action(&self, state: &P::State, draw: RandomDraw, buffer: &mut Vec<P::Action>) -> P::Action {
        draw_one(self, state, draw, buffer).unwrap_or_else(|| buffer[0])
    }

    fn apply_sampling<T: Context<P::Event>>(
        &self,
        state: &mut P::State,
        action: P::Action,
        context: &mut T,
        draw: RandomDraw,
        buffer: &mut Vec<P::Action>,
    ) -> Option<P::Action> {
        self.play(state, action, context);
        settle_drawing(self, state, context, draw, buffer)
    }

    fn has_hidden_information(&self) -> bool {
        Phases::has_hidden_information(self)
    }

    fn determinize<D: Dice>(&self, state: &P::State, viewer: Side, dice: &mut D) -> P::State {
        Phases::determinize(self, state, viewer, dice)
    }

    fn observation(&self, state: &P::State, viewer: Side) -> u64 {
        Phases::observation(self, state, viewer)
    }

    fn hash(&self, state: &P::State) -> u64 {
        Phases::hash(self, state)
    }

    fn recomputed_hash(&self, state: &P::State) -> u64 {
        Phases::recomputed_hash(self, state)
    }

    fn check(&self, state: &P::State) -> Result<(), String> {
        Phases::check(self, state)
    }

    fn turn_number(&self, state: &P::State) -> u32 {
        Phases::turn_number(self, state)
    }

    fn describe(&self, state: &P::State, action: P::Action) -> String {
        Phases::describe(self, state, action)
    }
}
