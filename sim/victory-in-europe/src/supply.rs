//! 4. Supply: lines by land and sea, attrition, what the fall of London and the cut of Moscow do (8, 13).

use crate::Rolls;
use crate::game::VictoryInEurope;
use crate::nation::Nation;
use crate::rules::{Areas, Seas};
use crate::state::State;

/// What a line may pass through.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Line {
    /// Of units and factories: friendly areas alone (8.1, 8.5).
    Supply,
    /// Of resources: neutral areas and seas too (1.5).
    Resource,
}

impl VictoryInEurope {
    /// Sea zones that carry supply for a nation's force now: empty or friendly, not frozen (8.3, R-39).
    pub fn supply_seas(&self, state: &State, nation: Nation, line: Line) -> Seas {
        let _ = (state, nation, line);
        0
    }
    /// Areas from which a line of this kind reaches a source of the nation: its capital, or its alternative (8.1, 1.8); red
    /// ports count for Western units (8.7). For a minor its own capital.
    pub fn supplied_areas(&self, state: &State, nation: Nation, line: Line) -> Areas {
        let _ = (state, nation, line);
        Areas::EMPTY
    }
    /// The same from a major's capital for what it builds, minors' units too (11.5).
    pub fn building_areas(&self, state: &State, major: Nation) -> Areas {
        let _ = (state, major);
        Areas::EMPTY
    }
    /// Whether a unit on the map is in supply (8.1, 8.2, 8.4).
    pub fn is_supplied(&self, state: &State, unit: u8) -> bool {
        let _ = (state, unit);
        true
    }
    /// The Supply Phase: attrition of Player 1's units first, one-time losses before, surrenders, victory. Decides
    /// nothing; ends the game if somebody has won.
    pub(crate) fn supply_phase(&self, state: &mut State, table: &mut impl Rolls) {
        let _ = (state, table);
    }
}
