//! The phase kernel: a game told as phases, and the loop that plays it.
//!
//! A system says for each phase what may be done ([`Phases::generate`], the one statement of legality), what an
//! action does ([`Phases::play`]), and what follows when nothing is left to decide ([`Phases::end_phase`]). The
//! kernel plays forced moves, passes over empty phases, lists actions, and draws one without listing them: that is how
//! such a machine is a [`Game`] ([`crate::played_by_phases`]).
//!
//! ```text
//!            +------------ play <-- the only action --+
//!            v                                        |
//!  play --> prepare --> generate --> none: end_phase -+-> over
//!                           |
//!                           +------> several: a decision
//! ```

use crate::actions::{ActionSink, Choice, Flow, Sampler};
use crate::context::{Context, RandomDraw};
use crate::game::{Game, Side, Turn};

/// A game as a machine of phases. By [`crate::played_by_phases`] such a machine is a [`Game`].
pub trait Phases: Game {
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

/// [`Game::initial`] of a machine of phases.
pub fn initial<P: Phases, T: Context<P::Event>>(game: &P, context: &mut T) -> P::State {
    let mut state = game.set_up(context);
    settle(game, &mut state, context);
    state
}

/// [`Game::turn_of`] of a machine of phases.
#[inline]
pub fn turn_of<P: Phases>(game: &P, state: &P::State) -> Turn {
    if game.is_over(state) { Turn::Over } else { Turn::Decide(game.decider(state)) }
}

/// [`Game::apply_listing`] of a machine of phases.
pub fn apply_listing<P: Phases, T: Context<P::Event>>(
    game: &P,
    state: &mut P::State,
    action: P::Action,
    context: &mut T,
    legal: &mut Vec<P::Action>,
    wanted: impl Fn(&P::State) -> bool,
) {
    debug_assert!(game.open_actions(state).contains(&action), "illegal action {action:?}");
    game.play(state, action, context);
    settle_listing(game, state, context, legal, wanted);
}

/// [`Game::sample_action`] of a machine of phases.
pub fn sample_action<P: Phases>(
    game: &P,
    state: &P::State,
    draw: RandomDraw,
    buffer: &mut Vec<P::Action>,
) -> P::Action {
    draw_one(game, state, draw, buffer).unwrap_or_else(|| buffer[0])
}

/// [`Game::apply_sampling`] of a machine of phases.
pub fn apply_sampling<P: Phases, T: Context<P::Event>>(
    game: &P,
    state: &mut P::State,
    action: P::Action,
    context: &mut T,
    draw: RandomDraw,
    buffer: &mut Vec<P::Action>,
) -> Option<P::Action> {
    game.play(state, action, context);
    settle_drawing(game, state, context, draw, buffer)
}

/// The methods of [`Game`] that play it, for the `impl Game` of a machine of [`Phases`]: the kernel's loop.
///
/// ```
/// use sandtable_core::{ActionSink, Context, Dice, Flow, Game, Outcome, PerSide, Phases, Side, SideInfo};
///
/// /// Blue says how far it counts; that is all.
/// struct Count([SideInfo; 1]);
///
/// impl Phases for Count {
///     fn set_up<T: Context<()>>(&self, _: &mut T) -> u8 {
///         0
///     }
///     fn is_over(&self, state: &u8) -> bool {
///         *state >= 3
///     }
///     fn decider(&self, _: &u8) -> Side {
///         Side(0)
///     }
///     fn generate<O: ActionSink<u8>>(&self, _: &u8, out: &mut O) -> Flow {
///         out.numbered(2, |nth| 1 + nth as u8)
///     }
///     fn play<T: Context<()>>(&self, state: &mut u8, action: u8, _: &mut T) {
///         *state += action;
///     }
///     fn end_phase<T: Context<()>>(&self, _: &mut u8, _: &mut T) {}
/// }
///
/// impl Game for Count {
///     type State = u8;
///     type Action = u8;
///     type Event = ();
///
///     sandtable_core::played_by_phases!();
///
///     fn sides(&self) -> &[SideInfo] {
///         &self.0
///     }
///     fn outcome(&self, state: &u8) -> Option<Outcome> {
///         let (points, utility) = (PerSide([f32::from(*state); 4]), PerSide([1.0; 4]));
///         self.is_over(state).then_some(Outcome { points, utility, winner: Some(0), end_reason: "counted" })
///     }
///     fn determinize<D: Dice>(&self, state: &u8, _: Side, _: &mut D) -> u8 {
///         *state
///     }
///     fn observation(&self, state: &u8, _: Side) -> u64 {
///         self.hash(state)
///     }
///     fn hash(&self, state: &u8) -> u64 {
///         u64::from(*state)
///     }
///     fn recomputed_hash(&self, state: &u8) -> u64 {
///         self.hash(state)
///     }
///     fn check(&self, _: &u8) -> Result<(), String> {
///         Ok(())
///     }
///     fn turn_number(&self, _: &u8) -> u32 {
///         1
///     }
///     fn describe(&self, _: &u8, action: u8) -> String {
///         format!("count {action} on")
///     }
/// }
///
/// let game = Count([SideInfo { id: "blue", name: "Blue", team: 0, points: (0, 4) }]);
/// let mut dice = sandtable_core::PlayContext::silent(sandtable_core::Rng64::stream(1, 0, 0));
/// let mut state = game.initial(&mut dice);
/// game.apply(&mut state, 2, &mut dice);
/// game.apply(&mut state, 1, &mut dice);
/// assert_eq!(game.outcome(&state).map(|outcome| outcome.end_reason), Some("counted"));
/// ```
#[macro_export]
macro_rules! played_by_phases {
    () => {
        fn initial<T: $crate::Context<Self::Event>>(&self, context: &mut T) -> Self::State {
            $crate::phases::initial(self, context)
        }

        #[inline]
        fn turn_of(&self, state: &Self::State) -> $crate::Turn {
            $crate::phases::turn_of(self, state)
        }

        fn legal_actions(&self, state: &Self::State, out: &mut Vec<Self::Action>) {
            let _ = $crate::Phases::generate(self, state, out);
        }

        fn apply<T: $crate::Context<Self::Event>>(
            &self,
            state: &mut Self::State,
            action: Self::Action,
            context: &mut T,
        ) {
            $crate::phases::apply_listing(self, state, action, context, &mut Vec::new(), |_| false);
        }

        fn apply_listing<T: $crate::Context<Self::Event>>(
            &self,
            state: &mut Self::State,
            action: Self::Action,
            context: &mut T,
            legal: &mut Vec<Self::Action>,
            wanted: impl Fn(&Self::State) -> bool,
        ) {
            $crate::phases::apply_listing(self, state, action, context, legal, wanted);
        }

        fn sample_action(
            &self,
            state: &Self::State,
            draw: $crate::RandomDraw,
            buffer: &mut Vec<Self::Action>,
        ) -> Self::Action {
            $crate::phases::sample_action(self, state, draw, buffer)
        }

        fn apply_sampling<T: $crate::Context<Self::Event>>(
            &self,
            state: &mut Self::State,
            action: Self::Action,
            context: &mut T,
            draw: $crate::RandomDraw,
            buffer: &mut Vec<Self::Action>,
        ) -> Option<Self::Action> {
            $crate::phases::apply_sampling(self, state, action, context, draw, buffer)
        }
    };
}
