//! Sea transport (14).

use crate::Rolls;
use crate::action::Action;
use crate::game::BlitzWar;
use crate::sequence::{Flow, Offer};
use crate::state::State;

impl BlitzWar {
    pub(crate) fn transport_actions(&self, _state: &State, _out: &mut impl Offer) -> Flow {
        Flow::Continue(())
    }
    pub(crate) fn transport_apply(&self, _state: &mut State, _action: Action, _table: &mut impl Rolls) {}
}
