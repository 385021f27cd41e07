//! Odds of diplomacy: the exact distribution of a chain of reactions (16.5), and the chances of events (16.6), from the rules'
//! own code.

use sandtable_core::context::Dice;
use sandtable_core::enumerate::distribution;
use sandtable_core::{Index, PlayContext, Pmf};

use crate::game::EuroFront;
use crate::ids::{EventId, Faction, NationId};
use crate::state::State;

/// Who has joined whom at the end of a chain of reactions, by nation.
pub type Alignment = Vec<(NationId, Faction)>;

impl EuroFront {
    /// The exact distribution of who joins whom if a faction declares war on a nation now (16.51, 16.52): the victim, and
    /// those who react.
    ///
    /// # Errors
    /// If the nation is not neutral.
    pub fn reaction_odds(&self, state: &State, by: Faction, on: NationId) -> Result<Pmf<Alignment>, String> {
        if !self.is_neutral(state, on) {
            return Err(format!("{} is not neutral", self.nation_name(on)));
        }
        let mut declared = *state;
        self.open_war(
            &mut declared,
            by,
            on,
            &mut PlayContext::silent(&mut sandtable_core::Rng64::stream(0, 0, 0)),
        );
        Ok(distribution(|dice| {
            let mut after = declared;
            let mut context = PlayContext::silent(dice);
            // A die matters by whether it lets the neutral react.
            let reacts = |context: &mut PlayContext<_>, up_to: u8| {
                if context.hits(1, 6, u32::from(up_to)) > 0 { 1 } else { 7 }
            };
            self.run_chain(&mut after, &mut context, reacts);
            let nations = (0..self.rules.nations.len()).map(NationId::nth);
            let joined = nations.filter(|&nation| self.is_neutral(state, nation));
            joined.filter_map(|nation| Some((nation, self.faction_of(&after, nation)?))).collect()
        }))
    }

    /// The chance of each event that a camp may try now, with one attempt (16.6).
    pub fn event_odds(&self, state: &State, faction: Faction) -> Vec<(EventId, f64)> {
        let events = self.possible_events(state, faction.camp());
        let chance = |event| f64::from(self.chance_of(state, event).unwrap_or(0).min(6)) / 6.0;
        events.map(|event| (event, chance(event))).collect()
    }
}
