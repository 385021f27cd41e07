//! Combat (16, 17).

use crate::Rolls;
use crate::action::Action;
use crate::game::BlitzWar;
use crate::sequence::{Flow, Offer};
use crate::state::State;

impl BlitzWar {
    pub(crate) fn combat_actions(&self, _state: &State, _out: &mut impl Offer) -> Flow {
        Flow::Continue(())
    }
    pub(crate) fn combat_apply(&self, _state: &mut State, _action: Action, _table: &mut impl Rolls) {}

    pub(crate) fn combat_begins(&self, _state: &mut State) {}
}
