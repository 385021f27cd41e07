//! 5. Diplomacy: surrender of minors, rolls for neutrals, the Soviet alliance with Poland (10).

use crate::Rolls;
use crate::action::Action;
use crate::game::VictoryInEurope;
use crate::state::State;

impl VictoryInEurope {
    /// Surrenders of minors when the first player's diplomacy begins (10.2, R-76).
    pub(crate) fn diplomacy_begins(&self, state: &mut State, table: &mut impl Rolls) {
        let _ = (state, table);
    }
    pub(crate) fn diplomacy_actions(&self, state: &State, out: &mut Vec<Action>) {
        let _ = (state, out);
    }
    pub(crate) fn diplomacy_apply(&self, state: &mut State, action: Action, table: &mut impl Rolls) {
        let _ = (state, action, table);
    }
}
