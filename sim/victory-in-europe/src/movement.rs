//! 2. Movement: armies, ships, aircraft, Strategic Movement, sea invasions, pinning (4, 6.1, 7.2, 7.5).

mod air;
mod ground;
mod naval;
mod stacking;

pub(crate) use naval::{Passage, Voyage};

use crate::Rolls;
use crate::action::Action;
use crate::game::VictoryInEurope;
use crate::state::{NONE, State};

/// A sea invasion being put together, and those of the turn (7.5).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Invasion {
    /// Area being invaded; [`NONE`] = none being put together.
    pub goal: u8,
    /// Areas invaded this turn, by force; [`NONE`] = none.
    pub done: [u8; 3],
    /// The coast each came to, from 1.
    pub coast: [u8; 3],
}

impl Default for Invasion {
    fn default() -> Self {
        Invasion { goal: NONE, done: [NONE; 3], coast: [0; 3] }
    }
}

impl VictoryInEurope {
    /// A Movement Phase of the movers begins: what was friendly at its start, marks cleared.
    pub(crate) fn movement_begins(&self, state: &mut State, table: &mut impl Rolls) {
        let _ = (state, table);
    }
    pub(crate) fn movement_actions(&self, state: &State, out: &mut Vec<Action>) {
        let _ = (state, out);
    }
    pub(crate) fn movement_apply(&self, state: &mut State, action: Action, table: &mut impl Rolls) {
        let _ = (state, action, table);
    }
    /// Ships in a freezing sea run to the nearest friendly port and lose a step; those that find none are lost (3.43, R-70).
    /// Called when a winter turn begins.
    pub(crate) fn leave_ice(&self, state: &mut State, table: &mut impl Rolls) {
        let _ = (state, table);
    }
    pub(crate) fn pinning_begins(&self, state: &mut State, table: &mut impl Rolls) {
        let _ = (state, table);
    }
    pub(crate) fn pinning_actions(&self, state: &State, out: &mut Vec<Action>) {
        let _ = (state, out);
    }
    pub(crate) fn pinning_apply(&self, state: &mut State, action: Action, table: &mut impl Rolls) {
        let _ = (state, action, table);
    }
}
