//! Reinforcements (11).

use crate::Rolls;
use crate::action::Action;
use crate::game::BlitzWar;
use crate::sequence::{Flow, Offer};
use crate::state::State;

impl BlitzWar {
    pub(crate) fn minors_begin(&self, _state: &mut State, _table: &mut impl Rolls) {}
    pub(crate) fn minor_actions(&self, _state: &State, _out: &mut impl Offer) -> Flow {
        Flow::Continue(())
    }
    pub(crate) fn minor_apply(&self, _state: &mut State, _action: Action, _table: &mut impl Rolls) {}
    pub(crate) fn losses_begin(&self, _state: &mut State, _table: &mut impl Rolls) {}
    pub(crate) fn loss_actions(&self, _state: &State, _out: &mut impl Offer) -> Flow {
        Flow::Continue(())
    }
    pub(crate) fn loss_apply(&self, _state: &mut State, _action: Action, _table: &mut impl Rolls) {}
    pub(crate) fn lend_lease_begin(&self, _state: &mut State, _table: &mut impl Rolls) {}
    pub(crate) fn lend_lease_actions(&self, _state: &State, _out: &mut impl Offer) -> Flow {
        Flow::Continue(())
    }
    pub(crate) fn lend_lease_apply(&self, _state: &mut State, _action: Action, _table: &mut impl Rolls) {}
    pub(crate) fn placement_begin(&self, _state: &mut State, _table: &mut impl Rolls) {}
    pub(crate) fn placement_actions(&self, _state: &State, _out: &mut impl Offer) -> Flow {
        Flow::Continue(())
    }
    pub(crate) fn placement_apply(&self, _state: &mut State, _action: Action, _table: &mut impl Rolls) {}
}
