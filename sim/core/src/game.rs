//! The one interface between the rules of a game and everything that plays it.

use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{Index, IndexMut};

use crate::context::{Context, Dice, RandomDraw};

/// The most sides any system has.
pub const MAX_SIDES: usize = 4;

/// A side of a game, as an index into [`Game::sides`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Side(pub u8);

impl Side {
    /// The side as an array index.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a side is called, and with whom it wins and loses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SideInfo {
    /// Short lower-case identifier, as used on the command line (`axis`).
    pub id: &'static str,
    /// Name for people (`Axis`).
    pub name: &'static str,
    /// Sides with the same team win and lose together.
    pub team: u8,
    /// The least and the most that [`Outcome::points`] of the side can be: statistics keep to it.
    pub points: (i16, i16),
}

/// One value for each side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PerSide<T>(pub [T; MAX_SIDES]);

impl<T> Index<Side> for PerSide<T> {
    type Output = T;
    #[inline]
    fn index(&self, side: Side) -> &T {
        &self.0[side.index()]
    }
}

impl<T> IndexMut<Side> for PerSide<T> {
    #[inline]
    fn index_mut(&mut self, side: Side) -> &mut T {
        &mut self.0[side.index()]
    }
}

/// Who decides next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// This side chooses one of the legal actions.
    Decide(Side),
    /// The game has ended; see [`Game::outcome`].
    Over,
}

/// The result of a finished game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome {
    /// Points in the game's own unit (victory points, pips, chips), per side.
    pub points: PerSide<f32>,
    /// Worth of the result to each side, 0 (worst) to 1 (best); teams share it. A draw is one half.
    pub utility: PerSide<f32>,
    /// The winning team, or `None` for a draw.
    pub winner: Option<u8>,
    /// Why the game ended, as a short lower-case word (`germany_surrenders`, `last_turn`).
    pub end_reason: &'static str,
}

/// The rules of a game: an immutable value shared by all threads. A game in progress is a small flat [`Game::State`].
///
/// The rules decide nothing by themselves: choices come as actions, chance comes from the [`Context`].
pub trait Game: Send + Sync {
    /// A game in progress. Flat (a clone is a copy of bytes); holds no random generator.
    type State: Clone + Send + Sync;
    /// One small decision.
    type Action: Copy + Eq + Ord + Hash + Send + Sync + Debug;
    /// A fact reported while actions are applied (a battle fought, a country fallen).
    type Event: Clone + Send + Debug;

    /// The sides, indexed by [`Side`].
    fn sides(&self) -> &[SideInfo];

    /// The opening position. Deals and random set-ups are drawn from the context. Never stops at a forced move.
    fn initial<T: Context<Self::Event>>(&self, context: &mut T) -> Self::State;

    /// Who decides, or that the game is over.
    fn turn_of(&self, state: &Self::State) -> Turn;

    /// The result, once [`Game::turn_of`] says the game is over.
    fn outcome(&self, state: &Self::State) -> Option<Outcome>;

    /// Appends every legal action to `out` (which the caller clears), in ascending order, without repetition.
    /// Never leaves it empty while the game runs.
    fn legal_actions(&self, state: &Self::State, out: &mut Vec<Self::Action>);

    /// Plays a legal action, and all that follows from it without a decision, up to the next decision or the end.
    /// Debug builds check legality, release builds trust it.
    fn apply<T: Context<Self::Event>>(&self, state: &mut Self::State, action: Self::Action, context: &mut T);

    /// The same, and leaves the legal actions of the next decision in `legal`: what [`Game::legal_actions`] would
    /// append if they are `wanted` in the new state, else none. Games that look for forced moves list the actions on
    /// the way; for them this costs less than two calls.
    fn apply_listing<T: Context<Self::Event>>(
        &self,
        state: &mut Self::State,
        action: Self::Action,
        context: &mut T,
        legal: &mut Vec<Self::Action>,
        wanted: impl Fn(&Self::State) -> bool,
    ) {
        self.apply(state, action, context);
        legal.clear();
        if self.turn_of(state) != Turn::Over && wanted(state) {
            self.legal_actions(state, legal);
        }
    }

    /// One of the legal actions, each with the same probability; equal draws give the same action. The game must not
    /// be over. `buffer` is scratch space. Games that can, draw without making the whole list.
    fn sample_action(
        &self,
        state: &Self::State,
        mut draw: RandomDraw,
        buffer: &mut Vec<Self::Action>,
    ) -> Self::Action {
        buffer.clear();
        self.legal_actions(state, buffer);
        buffer[draw.below(buffer.len() as u32) as usize]
    }

    /// Plays a legal action as [`Game::apply`] does and draws one of the next decision as [`Game::sample_action`]
    /// does, in one; `None` when the game is over.
    fn apply_sampling<T: Context<Self::Event>>(
        &self,
        state: &mut Self::State,
        action: Self::Action,
        context: &mut T,
        mut draw: RandomDraw,
        buffer: &mut Vec<Self::Action>,
    ) -> Option<Self::Action> {
        self.apply_listing(state, action, context, buffer, |_| true);
        if buffer.is_empty() { None } else { Some(buffer[draw.below(buffer.len() as u32) as usize]) }
    }

    /// Whether anything is ever hidden from a side. Of a game that says no, every determinized state is the state
    /// itself.
    fn has_hidden_information(&self) -> bool {
        true
    }

    /// Whether the actions played so far alone say who decides and what is legal, whatever is hidden and however dice
    /// fall: so it is with bets, not with cards played from a hidden hand. Searches then need not ask again at a node.
    fn legal_by_history(&self) -> bool {
        false
    }

    /// A state drawn at random from those that `viewer` cannot tell from this one. The draw depends on nothing that is
    /// hidden from `viewer`: two such states and the same dice give the same state.
    fn determinize<D: Dice>(&self, state: &Self::State, viewer: Side, dice: &mut D) -> Self::State;

    /// A hash of all that `viewer` can see: equal for states that `viewer` cannot tell apart.
    fn observation(&self, state: &Self::State, viewer: Side) -> u64;

    /// A hash of the whole state, caches included.
    fn hash(&self, state: &Self::State) -> u64;

    /// The hash of the state after every cached (derived) field has been computed anew: equals [`Game::hash`].
    fn recomputed_hash(&self, state: &Self::State) -> u64;

    /// Checks the invariants of a state (stacking, counter limits, conservation).
    ///
    /// # Errors
    /// Names the first invariant that does not hold.
    fn check(&self, state: &Self::State) -> Result<(), String>;

    /// The game turn (calendar turn, ply pair, hand), counted from 1; never decreases. Search depths are given in
    /// turns.
    fn turn_number(&self, state: &Self::State) -> u32;

    /// The action in words, as a player would say it.
    fn describe(&self, state: &Self::State, action: Self::Action) -> String;
}
