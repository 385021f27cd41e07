//! Reorganisation (11.10).

use crate::Rolls;
use crate::action::Action;
use crate::game::BlitzWar;
use crate::sequence::{Flow, Offer};
use crate::state::State;

impl BlitzWar {
    pub(crate) fn reorganisation_phase_actions(&self, _state: &State, _out: &mut impl Offer) -> Flow {
        Flow::Continue(())
    }
    pub(crate) fn reorganisation_phase_apply(&self, _state: &mut State, _action: Action, _table: &mut impl Rolls) {}

    pub(crate) fn forget_reorganisation(&self, _state: &mut State) {}
}
