//! Victory (18).

use crate::Rolls;
use crate::action::Action;
use crate::game::BlitzWar;
use crate::sequence::{Flow, Offer};
use crate::state::State;

impl BlitzWar {
    pub(crate) fn final_score(&self, _state: &mut State, _table: &mut impl Rolls) {}
}
