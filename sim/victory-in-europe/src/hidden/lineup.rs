//! What shows of each counter while it is hidden, and the order in which hidden ones are dealt.

use crate::place::UnitId;
use sandtable_core::{Index, IndexSet};

use super::{RUNS, Silhouette};
use crate::nation::Nation;
use crate::rules::{MAX_UNITS, Rules};

/// What shows of a hidden counter; in this order they are dealt.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Face {
    /// For whom it fights.
    pub nation: Nation,
    pub silhouette: Silhouette,
    /// Of a step.
    pub price: u8,
    pub unit: UnitId,
}

impl Face {
    pub(super) const NONE: Face =
        Face { nation: Nation::Germany, silhouette: Silhouette::Army, price: 0, unit: UnitId(0) };

    /// Whether counters with these faces are dealt together.
    pub(super) fn looks_like(self, other: Face) -> bool {
        (self.nation, self.silhouette) == (other.nation, other.silhouette)
    }
}

/// The most faces; what may change its nation has two.
const FACES: usize = 256;
/// A set of faces, by rank.
pub(super) type Ranks = IndexSet<u8, { FACES / 64 }>;

/// All faces in order.
#[derive(Clone, Debug)]
pub(crate) struct Lineup {
    pub(super) faces: [Face; FACES],
    /// The rank of each unit among them.
    pub(super) home: [u8; MAX_UNITS],
    /// The same of free forces once their own nation has fallen (11.42).
    pub(super) abroad: [u8; MAX_UNITS],
}

impl Lineup {
    /// `told` if leaders and paratroops are told from other armies.
    pub(crate) fn new(rules: &Rules, told: bool) -> Result<Lineup, String> {
        let mut faces = Vec::new();
        for (unit, counter) in (0..).map(UnitId).zip(&rules.units) {
            let sheet = &rules.unit_types[counter.kind as usize];
            let silhouette = Silhouette::of(sheet.arm, sheet.kind, told);
            let nations = [counter.nation].into_iter().chain(counter.free_for);
            faces.extend(nations.map(|nation| Face { nation, silhouette, price: sheet.cost, unit }));
        }
        if faces.len() > FACES {
            let units = faces.len();
            return Err(format!(
                "{units} units, free forces counted twice; the engine takes at most {FACES}"
            ));
        }
        faces.sort_unstable();
        let runs = faces.chunk_by(|&a, &b| a.looks_like(b)).count();
        if runs > RUNS {
            return Err(format!(
                "the blocks of all nations are of {runs} kinds that look different; the engine takes at most {RUNS}"
            ));
        }
        let mut lineup = Lineup { faces: [Face::NONE; FACES], home: [0; MAX_UNITS], abroad: [0; MAX_UNITS] };
        for (rank, face) in faces.into_iter().enumerate() {
            let at_home = face.nation == rules.units[face.unit.at()].nation;
            let ranks = if at_home { &mut lineup.home } else { &mut lineup.abroad };
            ranks[face.unit.at()] = rank as u8;
            lineup.faces[rank] = face;
        }
        Ok(lineup)
    }

    /// What shows of a unit.
    pub(super) fn silhouette(&self, unit: UnitId) -> Silhouette {
        self.faces[self.home[unit.at()] as usize].silhouette
    }
}
