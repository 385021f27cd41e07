//! Diplomacy (9).

use crate::Rolls;
use crate::action::Action;
use crate::game::BlitzWar;
use crate::sequence::{Flow, Offer};
use crate::state::State;

impl BlitzWar {
    pub(crate) fn diplomacy_begin(&self, _state: &mut State, _table: &mut impl Rolls) {}
    pub(crate) fn diplomacy_actions(&self, _state: &State, _out: &mut impl Offer) -> Flow {
        Flow::Continue(())
    }
    pub(crate) fn diplomacy_apply(&self, _state: &mut State, _action: Action, _table: &mut impl Rolls) {}

    /// Everything that follows when `attacker` attacks or moves into a zone, by land or air (9.3).
    pub(crate) fn provoke(&self, _state: &mut State, _attacker: crate::Force, _zone: u8, _table: &mut impl Rolls) {}
    /// Whether the movement restrictions let a land counter be in (or attack into) a zone (9.6).
    pub(crate) fn may_enter(&self, _state: &State, _counter: u8, _zone: u8) -> bool { true }
}
