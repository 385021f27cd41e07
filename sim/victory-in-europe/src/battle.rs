//! 3. Combat: battles on land and at sea, in rounds of classes A to E (5, 6.2, 6.3, 7.3), retreats, regroup, exploitation, and
//! the landing of aircraft.

use crate::Rolls;
use crate::action::Action;
use crate::game::VictoryInEurope;
use crate::state::{NONE, State};

/// The battle being fought.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Battle {
    /// Where; [`NONE`] = no battle is on.
    pub place: u8,
}

impl Default for Battle {
    fn default() -> Self {
        Battle { place: NONE }
    }
}

impl VictoryInEurope {
    /// The Combat Phase begins: losses of events, then the list of battles (3.3, 5.1).
    pub(crate) fn combat_begins(&self, state: &mut State, table: &mut impl Rolls) {
        let _ = (state, table);
    }
    pub(crate) fn combat_actions(&self, state: &State, out: &mut Vec<Action>) {
        let _ = (state, out);
    }
    pub(crate) fn combat_apply(&self, state: &mut State, action: Action, table: &mut impl Rolls) {
        let _ = (state, action, table);
    }
    pub(crate) fn landing_begins(&self, state: &mut State, table: &mut impl Rolls) {
        let _ = (state, table);
    }
    pub(crate) fn landing_actions(&self, state: &State, out: &mut Vec<Action>) {
        let _ = (state, out);
    }
    pub(crate) fn landing_apply(&self, state: &mut State, action: Action, table: &mut impl Rolls) {
        let _ = (state, action, table);
    }
}
