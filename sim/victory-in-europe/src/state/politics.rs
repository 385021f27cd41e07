//! Who is at war and who stands with whom (10, 13), as a part of the state.

use crate::nation::{NATIONS, Nation, Team};
use crate::place::NO_INDEX;
use crate::rules::{Entry, Standing};

/// The political part of a state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Politics {
    standing: [Standing; NATIONS],
    patron: [Nation; NATIONS],
    /// Italy: neutral, at war, surrendered (13).
    pub italy: Entry,
    /// The USSR: neutral under the Pact, or at war with Germany (13).
    pub ussr: Entry,
    /// The USA (13).
    pub usa: Entry,
    /// Whether the USA has mobilised.
    pub usa_mobilised: bool,
    /// Turn in which the USSR entered the war; 0 = not yet, or before the scenario if `ussr` says so.
    pub soviet_entry: u8,
    /// Whether the Axis has declared that war, by attacking the USSR (13, Urals).
    pub axis_attacked_ussr: bool,
    /// Turn in which France surrendered; 0 = not yet.
    pub french_fall: u8,
    /// Nations for which the Axis has +2 on its rolls, as bits (10.2).
    pub axis_claims: u32,
    /// The same for the Allies.
    pub allied_claims: u32,
    /// The country that refused Player 1 this turn (10.3), as an index; [`crate::place::NO_INDEX`] = none.
    pub refused: u8,
    /// Whether the diplomatic roll of the movers has been made or declined (10.3).
    pub rolled: bool,
    /// The first Axis occupation of London, the first cut of Moscow have taken their toll (13).
    pub london_lost: bool,
    /// See `london_lost`.
    pub moscow_cut: bool,
    /// Portugal joined Britain by diplomacy (13).
    pub portugal_joined: bool,
}

impl Default for Politics {
    fn default() -> Self {
        Politics {
            standing: [Standing::Neutral; NATIONS],
            patron: Nation::ALL,
            italy: Entry::Neutral,
            ussr: Entry::Neutral,
            usa: Entry::Neutral,
            usa_mobilised: false,
            soviet_entry: 0,
            axis_attacked_ussr: false,
            french_fall: 0,
            axis_claims: 0,
            allied_claims: 0,
            refused: NO_INDEX,
            rolled: false,
            london_lost: false,
            moscow_cut: false,
            portugal_joined: false,
        }
    }
}

impl Politics {
    /// Standing of a nation.
    #[inline]
    pub fn standing(&self, nation: Nation) -> Standing {
        self.standing[nation.index()]
    }
    /// The major a nation fights for: itself for majors.
    #[inline]
    pub fn patron(&self, nation: Nation) -> Nation {
        self.patron[nation.index()]
    }
    pub(crate) fn set_standing(&mut self, nation: Nation, standing: Standing) {
        self.standing[nation.index()] = standing;
    }
    pub(crate) fn set_patron(&mut self, nation: Nation, patron: Nation) {
        self.patron[nation.index()] = patron;
    }
    /// The claims of a team, as bits of nations (10.2).
    #[inline]
    pub fn claims(&self, team: Team) -> u32 {
        match team {
            Team::Axis => self.axis_claims,
            Team::Allies => self.allied_claims,
        }
    }
    /// Whether command points are split between Western Allies and Soviets: from the turn after the Soviet entry (3.2).
    #[inline]
    pub fn splits_command(&self, turn: u8) -> bool {
        self.ussr == Entry::AtWar && turn > self.soviet_entry
    }
}
