//! Production being written (11), as a part of the state.

use crate::nation::{MAJORS, Nation};
use crate::place::{NO_INDEX, Place};
use crate::rules::{Areas, Units};

/// Factory steps a force may write in one turn; no force has the points for more.
const GROWTH: usize = 12;

/// What a force has written besides the marks of its units. Hidden from the enemy until all have written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Written {
    /// Areas whose factory grows, ascending, once for each step; then [`Place::NONE`].
    pub growing: [Place; GROWTH],
    /// Units with a free step of an event (3.3).
    pub free: Units,
    /// Steps given up of lend-lease convoys A and B (7.71).
    pub cut: [u8; 2],
}

impl Default for Written {
    fn default() -> Self {
        Written { growing: [Place::NONE; GROWTH], free: Units::EMPTY, cut: [0; 2] }
    }
}

impl Written {
    pub(crate) fn steps_in(&self, area: Place) -> u8 {
        self.growing.iter().map(|&growing| u8::from(growing == area)).sum()
    }
    pub(crate) fn fits(&self) -> bool {
        self.growing[GROWTH - 1] == Place::NONE
    }
    pub(crate) fn grow(&mut self, area: Place) {
        self.growing[GROWTH - 1] = area;
        self.growing.sort_unstable();
    }
}

/// Production being written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Budget {
    /// Points left, by major.
    pub points: [u8; MAJORS],
    /// Points of the Urals, for the Urals alone (13).
    pub urals: u8,
    /// Points of a Leningrad that lives by the Ladoga, for units there alone (1.9).
    pub leningrad: u8,
    /// The major that writes, as an index; [`NO_INDEX`] = nobody.
    pub major: u8,
    /// Its resources; of the USA without those that lend-lease ties up (7.71).
    pub resources: u8,
    /// Factory steps it may still add with its resources (11.31, R-90), and those of the Urals.
    pub growth: [u8; 2],
    /// Germany has given Italy its points (13).
    pub subsidised: bool,
    /// Areas with a line to the source of the major that writes.
    pub lines: Areas,
    /// Areas with a line to a red port (8.7).
    pub red: Areas,
    /// Units below full steps that stand where the major that writes can add one. Convoys are not among them, for what they
    /// may have changes while it writes; of units in Leningrad by the lake that is asked anew.
    pub growable: Units,
    /// What is written, by force.
    pub written: [Written; 3],
}

impl Default for Budget {
    fn default() -> Self {
        Budget {
            points: [0; MAJORS],
            urals: 0,
            leningrad: 0,
            major: NO_INDEX,
            resources: 0,
            growth: [0; 2],
            subsidised: false,
            lines: Areas::EMPTY,
            red: Areas::EMPTY,
            growable: Units::EMPTY,
            written: [Written::default(); 3],
        }
    }
}

impl Budget {
    /// The major that writes.
    pub fn major(&self) -> Option<Nation> {
        (self.major != NO_INDEX).then(|| Nation::of(self.major))
    }
}
