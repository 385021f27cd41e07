//! Sea invasions and what else a Movement Phase keeps in mind (4, 7.5), as a part of the state.

use std::hash::{Hash, Hasher};

use crate::place::{Place, UnitId};
use crate::rules::{Areas, Seas};

/// A sea invasion being put together, those of the turn (7.5), and what else a Movement Phase keeps in mind.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Invasion {
    /// Area being invaded; [`Place::NONE`] = none being put together.
    pub goal: Place,
    /// Areas invaded this turn, by force; [`Place::NONE`] = none.
    pub done: [Place; 3],
    /// The coast each came to, from 1.
    pub coast: [u8; 3],
    /// The sea zones each came through.
    pub chain: [Seas; 3],
    /// Whether the cost of a land attack beside the invasion has been paid, by force.
    pub joined: [bool; 3],
    /// Battles of the enemy that the mover has paid to reinforce (4.4).
    pub reinforced: Areas,
    /// The same of sea zones.
    pub reinforced_seas: Seas,
    /// Places that were entered over their stacking limit in this phase, and are still over it (4.5).
    pub squeezed: Areas,
    /// The unit that waits at the border of a neutral while its units are placed, if there is one.
    pub waiting: Waiting,
}

/// A unit at the border of a neutral, and where it goes (10.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Waiting {
    /// [`UnitId::NONE`] = nobody waits.
    pub unit: UnitId,
    /// The area of the neutral.
    pub goal: Place,
}

impl Waiting {
    /// Nobody waits.
    pub const NONE: Waiting = Waiting { unit: UnitId::NONE, goal: Place::NONE };
}

impl Hash for Waiting {
    #[inline]
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        [self.unit.0, self.goal.0].hash(hasher);
    }
}

impl Default for Invasion {
    fn default() -> Self {
        Invasion {
            goal: Place::NONE,
            done: [Place::NONE; 3],
            coast: [0; 3],
            chain: [0; 3],
            joined: [false; 3],
            reinforced: Areas::EMPTY,
            reinforced_seas: 0,
            squeezed: Areas::EMPTY,
            waiting: Waiting::NONE,
        }
    }
}
