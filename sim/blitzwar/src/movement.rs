//! Movement (15).

use crate::Rolls;
use crate::action::Action;
use crate::game::BlitzWar;
use crate::sequence::{Flow, Offer};
use crate::state::State;

impl BlitzWar {
    pub(crate) fn movement_actions(&self, _state: &State, _out: &mut impl Offer) -> Flow {
        Flow::Continue(())
    }
    pub(crate) fn movement_apply(&self, _state: &mut State, _action: Action, _table: &mut impl Rolls) {}
    pub(crate) fn one_zone_actions(&self, _state: &State, _out: &mut impl Offer) -> Flow {
        Flow::Continue(())
    }
    pub(crate) fn one_zone_apply(&self, _state: &mut State, _action: Action, _table: &mut impl Rolls) {}
    pub(crate) fn side_begins(&self, _state: &mut State, _table: &mut impl Rolls) {}
    pub(crate) fn side_ends(&self, _state: &mut State, _table: &mut impl Rolls) {}

    pub(crate) fn mark_unsupplied(&self, _state: &mut State) {}
}
