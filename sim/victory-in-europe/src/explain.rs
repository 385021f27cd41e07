//! Play that halts where a phase ends, and why a decision is not legal, in words.
//!
//! Nothing here decides what is legal: every reason is found by asking the predicates that the generator of legal
//! actions itself uses, in the order in which a player would check them.

use sandtable_core::{Game, Table};

use crate::action::Action;
use crate::event::Event;
use crate::game::VictoryInEurope;
use crate::phase::Phase;
use crate::state::State;

impl VictoryInEurope {
    // ---- play that halts ----

    /// Plays one action without the forced moves and empty phases after it, which [`Game::apply`] would play too: the
    /// position can be looked at where a phase ends. [`Self::forced`] and [`Self::end_idle_phase`] go on.
    pub fn apply_alone<T: Table<Event>>(&self, state: &mut State, action: Action, table: &mut T) {
        self.play(state, action, table);
    }

    /// The one action there is, if there is but one.
    pub fn forced(&self, state: &State) -> Option<Action> {
        let mut legal = Vec::new();
        self.legal_actions(state, &mut legal);
        (legal.len() == 1).then(|| legal[0])
    }

    /// Ends a phase in which there is nothing to decide; does nothing if there is.
    pub fn end_idle_phase<T: Table<Event>>(&self, state: &mut State, table: &mut T) {
        let mut legal = Vec::new();
        self.legal_actions(state, &mut legal);
        if legal.is_empty() && state.phase != Phase::Over {
            self.end_phase(state, table);
        }
    }

    // ---- reasons ----

    /// Why an action is not legal; `None` if it is.
    pub fn why_illegal(&self, state: &State, action: Action) -> Option<String> {
        let mut legal = Vec::new();
        self.legal_actions(state, &mut legal);
        (!legal.contains(&action)).then(|| "not in this phase".into())
    }
}
