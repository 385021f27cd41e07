//! 6. Production: resources, factories, points, and what is built with them (11, 7.7, 13).

use crate::Rolls;
use crate::action::Action;
use crate::game::VictoryInEurope;
use crate::nation::MAJORS;
use crate::state::State;

/// Production being written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Budget {
    /// Points left, by major.
    pub points: [u8; MAJORS],
    /// Points of the Urals, for the Urals alone (13).
    pub urals: u8,
}

impl VictoryInEurope {
    /// Counts points when a team (or, with three players, a force) begins to write (11.1).
    pub(crate) fn production_begins(&self, state: &mut State, table: &mut impl Rolls) {
        let _ = (state, table);
    }
    pub(crate) fn production_actions(&self, state: &State, out: &mut Vec<Action>) {
        let _ = (state, out);
    }
    pub(crate) fn production_apply(&self, state: &mut State, action: Action, table: &mut impl Rolls) {
        let _ = (state, action, table);
    }
    /// All have written: steps are added, new units enter.
    pub(crate) fn place_production(&self, state: &mut State, table: &mut impl Rolls) {
        let _ = (state, table);
    }
}
