//! Why a decision is not legal, in words.

use sandtable_core::Game;

use crate::action::Action;
use crate::game::RoadsToMoscow;
use crate::phase::Phase;
use crate::state::State;

impl RoadsToMoscow {
    /// Why an action is not legal; `None` if it is.
    pub fn why_illegal(&self, state: &State, action: Action) -> Option<String> {
        let mut legal = Vec::new();
        self.legal_actions(state, &mut legal);
        if legal.contains(&action) {
            return None;
        }
        if state.phase == Phase::Over {
            return Some("the game is over".into());
        }
        Some("not now".into())
    }
}
