//! Stacking (4).

use crate::Rolls;
use crate::action::Action;
use crate::game::BlitzWar;
use crate::sequence::{Flow, Offer};
use crate::state::State;

impl BlitzWar {
    pub(crate) fn excess_apply(&self, _state: &mut State, _action: Action, _table: &mut impl Rolls) {}

    pub(crate) fn excess_actions(&self, _state: &State, _owner: u8, _zone: u8, _out: &mut impl Offer) -> Flow { Flow::Continue(()) }
    pub(crate) fn first_excess(&self, _state: &State) -> Option<(crate::Force, u8)> { None }
}
