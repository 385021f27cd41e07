//! The opening position and the free deployment of the scenarios (14, R-73).

use crate::Rolls;
use crate::action::Action;
use crate::game::VictoryInEurope;
use crate::state::State;

impl VictoryInEurope {
    /// The opening position, up to the first decision.
    pub(crate) fn starting_state(&self, table: &mut impl Rolls) -> State {
        let mut state = self.position();
        self.begin_turn(&mut state, table);
        self.settle(&mut state, table, &mut Vec::new());
        state
    }
    /// The set-up on the map, before anything has been decided.
    pub(crate) fn position(&self) -> State {
        State::empty()
    }
    pub(crate) fn deployment_actions(&self, state: &State, out: &mut Vec<Action>) {
        let _ = (state, out);
    }
    pub(crate) fn deployment_apply(&self, state: &mut State, action: Action, table: &mut impl Rolls) {
        let _ = (state, action, table);
    }
}
