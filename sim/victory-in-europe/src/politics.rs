//! Who is at war, who is neutral, who has fallen: declarations of war, the Pact, entries, surrenders (10.1, 10.2, 10.4, 13).

use crate::Rolls;
use crate::game::VictoryInEurope;
use crate::nation::{Force, NATIONS, Nation};
use crate::rules::{Entry, Standing};
use crate::state::State;

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
    /// Turn in which France surrendered; 0 = not yet.
    pub french_fall: u8,
    /// Nations for which the Axis has +2 on its rolls, as bits (10.2).
    pub axis_claims: u32,
    /// The same for the Allies.
    pub allied_claims: u32,
    /// The country that refused Player 1 this turn (10.3), as an index.
    pub refused: u8,
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
            french_fall: 0,
            axis_claims: 0,
            allied_claims: 0,
            refused: crate::state::NONE,
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
    /// Whether command points are split between Western Allies and Soviets: from the turn after the Soviet entry (3.2).
    #[inline]
    pub fn splits_command(&self, turn: u8) -> bool {
        self.ussr == Entry::AtWar && turn > self.soviet_entry
    }
}

impl VictoryInEurope {
    /// Whether units of `nation` may enter (or attack in) an area that is neutral to them, which declares war: on its
    /// controller, or on the major it belongs to. Says no where the rules forbid it (USA, R-43, R-47, R-81, the Pact of a
    /// Soviet unit and a Western ally, a neutral Italy's own attacks).
    pub fn may_declare_war(&self, state: &State, nation: Nation, area: u8) -> bool {
        let _ = (state, nation, area);
        false
    }
    /// War is declared by entering an area (10.1): standings and entries change, [`VictoryInEurope::renew_held`] is called, and
    /// the neutral's units come on the map. If somebody is to place them, [`crate::phase::Pending::Neutral`] is left open.
    pub(crate) fn declare_war(&self, state: &mut State, nation: Nation, area: u8, table: &mut impl Rolls) {
        let _ = (state, nation, area, table);
    }
    pub(crate) fn neutral_actions(&self, state: &State, out: &mut Vec<crate::action::Action>) {
        let _ = (state, out);
    }
    /// Places a neutral's unit; clears the pending decision when all stand.
    pub(crate) fn neutral_apply(
        &self,
        state: &mut State,
        action: crate::action::Action,
        table: &mut impl Rolls,
    ) {
        let _ = (state, action, table);
    }
    /// A nation joins a force (10.3, R-44): standing, patron, areas, its units.
    pub(crate) fn join(
        &self,
        state: &mut State,
        nation: Nation,
        force: Force,
        patron: Nation,
        table: &mut impl Rolls,
    ) {
        let _ = (state, nation, force, patron, table);
    }
    /// Surrenders of majors at the end of the Supply Phase, and entries that captures bring about (13: France, Italy).
    pub(crate) fn political_checks(&self, state: &mut State, table: &mut impl Rolls) {
        let _ = (state, table);
    }
}
