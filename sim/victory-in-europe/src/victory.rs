//! Victory (9).

use sandtable_core::Outcome;

use crate::Rolls;
use crate::game::VictoryInEurope;
use crate::state::State;

impl VictoryInEurope {
    /// Whether somebody has won a decisive victory (9.1, 9.2), after the Supply Phase.
    pub(crate) fn check_victory(&self, state: &mut State, table: &mut impl Rolls) {
        let _ = (state, table);
    }
    /// The end of 1945: who holds Berlin (9.3).
    pub(crate) fn final_verdict(&self, state: &mut State, table: &mut impl Rolls) {
        let _ = table;
        state.phase = crate::phase::Phase::Over;
    }
    /// The result of a finished game.
    pub(crate) fn result(&self, state: &State) -> Option<Outcome> {
        let _ = state;
        None
    }
}
