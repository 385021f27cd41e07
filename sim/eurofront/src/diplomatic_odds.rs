//! Odds of diplomacy: the exact distribution of a chain of reactions (16.5), and the chances of events (16.6), from the rules'
//! own code.

use std::collections::HashMap;

use sandtable_core::context::Dice;
use sandtable_core::enumerate::distribution;
use sandtable_core::{Index, PlayContext, Pmf, Rng64};

use crate::game::EuroFront;
use crate::ids::{Camp, EventId, Faction, NationId, Nations};
use crate::state::State;

/// Who has joined whom at the end of a chain of reactions, by nation.
pub type Alignment = Vec<(NationId, Faction)>;

/// The events that each camp tries, by camp: every month the first of them that is possible then.
pub type Attempts<'a> = [&'a [EventId]; 2];

/// Events that have happened, a bit each by number.
pub type Happened = u64;

/// Different positions that are followed side by side at most.
const MOST_POSITIONS: usize = 3000;

impl EuroFront {
    /// The exact distribution of who joins whom if a faction declares war on a nation now (16.51, 16.52): the victim, and
    /// those who react.
    ///
    /// # Errors
    /// If the nation is not neutral.
    pub fn reaction_odds(&self, state: &State, by: Faction, on: NationId) -> Result<Pmf<Alignment>, String> {
        let declared = self.declared(state, by, on)?;
        Ok(distribution(|dice| {
            let mut after = declared;
            let mut context = PlayContext::silent(dice);
            // A die matters by whether it lets the neutral react.
            let reacts = |context: &mut PlayContext<_>, up_to: u8| {
                if context.hits(1, 6, u32::from(up_to)) > 0 { 1 } else { 7 }
            };
            self.run_chain(&mut after, &mut context, reacts);
            self.newly_joined(state, &after)
        }))
    }

    /// One chain of reactions, as it is played (16.51).
    ///
    /// # Errors
    /// If the nation is not neutral.
    pub fn react<D: Dice>(
        &self,
        state: &State,
        by: Faction,
        on: NationId,
        dice: D,
    ) -> Result<Alignment, String> {
        let mut after = self.declared(state, by, on)?;
        self.resolve_reactions(&mut after, &mut PlayContext::silent(dice));
        Ok(self.newly_joined(state, &after))
    }

    /// The position after a declaration of war, before anybody reacts: no dice are rolled in it.
    fn declared(&self, state: &State, by: Faction, on: NationId) -> Result<State, String> {
        if !self.is_neutral(state, on) {
            return Err(format!("{} is not neutral", self.nation_name(on)));
        }
        let mut declared = *state;
        self.open_war(&mut declared, by, on, &mut PlayContext::silent(&mut Rng64::stream(0, 0, 0)));
        Ok(declared)
    }

    /// The neutrals of a position that belong to a faction in a later one.
    fn newly_joined(&self, before: &State, after: &State) -> Alignment {
        let nations = (0..self.rules.nations.len()).map(NationId::nth);
        let joined = nations.filter(|&nation| self.is_neutral(before, nation));
        joined.filter_map(|nation| Some((nation, self.faction_of(after, nation)?))).collect()
    }

    /// The probability that each event has happened anew by the end of each of the next months, the position's own first
    /// (16.6): by month, then by event.
    ///
    /// Nothing but diplomacy and the calendar changes: no unit moves, new belligerents deploy none, and where an event lets
    /// a side choose nation or army nothing is chosen.
    ///
    /// # Errors
    /// If the calendar does not reach so far, or more comes of it than can be followed exactly.
    pub fn event_odds(
        &self,
        state: &State,
        attempts: Attempts<'_>,
        months: usize,
    ) -> Result<Vec<Vec<f64>>, String> {
        let left = self.rules.calendar.len() - usize::from(state.month);
        if months == 0 || months > left {
            return Err(format!(
                "{months} months: expected 1 to {left}, as many as the calendar has from here"
            ));
        }
        // A position, the events that have happened on the way to it, and its probability.
        let mut positions: Vec<((State, Happened), f64)> = vec![((*state, 0), 1.0)];
        let mut odds = Vec::new();
        for month in 0..months {
            // In the order in which they come up, so that sums are the same in every run.
            let mut next: Vec<((State, Happened), f64)> = Vec::new();
            let mut known: HashMap<(State, Happened), usize> = HashMap::new();
            for ((position, before), probability) in &positions {
                let mut plays = Vec::new();
                let ends = distribution(|dice| {
                    let mut after = *position;
                    after.month += u8::from(month > 0);
                    let now = self.diplomatic_month(&mut after, attempts, &mut PlayContext::silent(dice));
                    plays.push((after, before | now));
                    plays.len() - 1
                });
                for (&play, mass) in ends.iter() {
                    let at = *known.entry(plays[play]).or_insert(next.len());
                    if at == next.len() {
                        next.push((plays[play], 0.0));
                    }
                    next[at].1 += probability * mass;
                }
                if next.len() > MOST_POSITIONS {
                    return Err(format!(
                        "{months} months: more than {MOST_POSITIONS} positions come of {} months, expected fewer \
                         months or events",
                        month + 1
                    ));
                }
            }
            positions = next;
            let happened = |event: usize| {
                let masses = positions.iter().filter(|((_, on_the_way), _)| on_the_way >> event & 1 == 1);
                masses.map(|(_, mass)| mass).sum::<f64>().min(1.0)
            };
            odds.push((0..self.rules.events.len()).map(happened).collect());
        }
        Ok(odds)
    }

    /// The Diplomatic Phase of a month in which each camp tries the first of its events that is possible, the Coalition
    /// first (4.12, 16.6): which events happen. See [`EuroFront::event_odds`] for what is left out.
    pub fn diplomatic_month<T: sandtable_core::Context<crate::event::Event>>(
        &self,
        state: &mut State,
        attempts: Attempts<'_>,
        context: &mut T,
    ) -> Happened {
        self.update_control(state);
        self.age_diplomacy(state);
        let before = state.diplomacy.happened;
        for camp in [Camp::Coalition, Camp::Axis] {
            if camp == Camp::Axis
                && let Some(event) = self.follows_the_fall_of_france(state)
            {
                self.take_effect(state, event, context);
                continue;
            }
            let wanted = attempts[camp.index()];
            let possible =
                |wanted: &&EventId| self.possible_events(state, camp).any(|event| event == **wanted);
            let Some(&event) = wanted.iter().find(possible) else { continue };
            if let Some(event) = self.roll_for(state, event, context) {
                self.take_effect(state, event, context);
                (state.diplomacy.reacting, state.diplomacy.joining) = (Nations::EMPTY, Nations::EMPTY);
                self.update_control(state);
            }
        }
        let anew = (0..self.rules.events.len()).filter(|&event| {
            let event = EventId::nth(event);
            state.diplomacy.happened[event] > before[event]
        });
        anew.fold(0, |happened, event| happened | 1 << event)
    }
}
