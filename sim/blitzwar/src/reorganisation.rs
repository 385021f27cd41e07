//! Reorganisation (11.10): counters are exchanged for others with the same units.
//!
//! At the end of the Reinforcement Phase land counters are combined and divided only where the stacking limit forces it
//! phases 4 and 5 do not depend on how they are packed, and phases 6 and 7 offer the rest.

use std::ops::ControlFlow::Continue;

use crate::Rolls;
use crate::action::Action;
use crate::game::{BlitzWar, Counters};
use crate::naval::PassFirst;
use crate::phase::Phase;
use crate::rules::{Kind, MAX_ZONES};
use crate::sequence::{Flow, Offer};
use crate::state::{State, mark};

impl BlitzWar {
    /// Whether a counter of the side in turn may still be reorganised in this phase.
    fn is_loose(&self, state: &State, counter: u8) -> bool {
        self.kind(counter) != Kind::Air
            && !state.is_turned(counter)
            && !state.has_mark(counter, mark::REORGANISED)
    }

    /// Own counters that the phase lets combine or divide.
    fn reorganisable(&self, state: &State) -> Counters {
        let own = self.counters_of(state, state.active).minus(self.of_kind(Kind::Air));
        if state.phase != Phase::Reorganisation {
            return own;
        }
        let ships = self.of_kind(Kind::Fleet).or(self.of_kind(Kind::Submarine));
        let crowded = self.crowded_zones(state);
        let held = own.minus(&ships).iter().filter(|&counter| {
            let place = state.location(counter);
            (place as usize) < MAX_ZONES && crowded.has(place)
        });
        if crowded.is_empty() { own.and(&ships) } else { own.and(&ships).or(&held.collect()) }
    }

    /// Combinations and divisions open to the side in turn in phases 3 (where R-71 leaves them), 6 and 7 (11.10). Interchangeable counters are
    /// offered once; a counter made or changed in the phase is not changed again, so that phases end.
    pub(crate) fn reorganisation_offers(&self, state: &State, out: &mut impl Offer) -> Flow {
        let own = self.reorganisable(state);
        let twin = |counter: u8, other: u8| {
            self.counter_type(counter) == self.counter_type(other) && state.look(counter) == state.look(other)
        };
        for a in own {
            let place = state.location(a);
            let partners = || state.stack_from(state.next[a as usize]);
            if partners().next().is_none() || !self.is_loose(state, a) || self.has_twin_before(state, a) {
                continue;
            }
            for b in partners().filter(|&b| self.nation(b) == self.nation(a) && self.is_loose(state, b)) {
                if self.merged(state, a, b).is_some() {
                    let mut before = state.stack(place).take_while(|&other| other < b);
                    if !before.any(|other| other != a && twin(other, b)) {
                        out.offer(Action::Merge(a, b))?;
                    }
                }
            }
        }
        // Counters of one type and strength divide alike, but for the zones where restricted ones may be formed.
        let mut last = None;
        let mut parts = [false; 2];
        for counter in own {
            let units = state.strength(counter);
            if units < 2 || !self.is_loose(state, counter) || self.has_twin_before(state, counter) {
                continue;
            }
            let kind = self.kind(counter);
            if kind == Kind::Supply {
                if self.split_parts(state, counter, kind).is_some() {
                    out.offer(Action::Split(counter, kind))?;
                }
            } else if kind.is_corps() {
                let site = self.formation_site(state.location(counter));
                let alike = Some((self.counter_type(counter), units, site));
                if last != alike {
                    last = alike;
                    parts = [Kind::Infantry, Kind::Armour]
                        .map(|part| self.split_parts(state, counter, part).is_some());
                }
                for (part, open) in [Kind::Infantry, Kind::Armour].into_iter().zip(parts) {
                    if open {
                        out.offer(Action::Split(counter, part))?;
                    }
                }
            }
        }
        Continue(())
    }

    /// Carries out a reorganisation (11.10).
    pub(crate) fn reorganise(&self, state: &mut State, action: Action, table: &mut impl Rolls) {
        match action {
            Action::Merge(a, b) => self.merge(state, a, b),
            Action::Split(counter, kind) => self.split(state, counter, kind),
            Action::Discard(counter) => self.eliminate(state, counter, table),
            Action::Unfortify(counter) => state.turn_face(counter, false),
            _ => {}
        }
    }

    /// Reorganisation at the end of the Reinforcement Phase (11.10). Own counters may be eliminated at any time; it can
    /// only help where the pool has no other counter of the type. Fortified corps may be turned back at any time (15.1).
    pub(crate) fn reorganisation_phase_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        let mut out = PassFirst::new(out);
        self.reorganisation_offers(state, &mut out)?;
        let mut last = (u8::MAX, false);
        for counter in self.counters_of(state, state.active).minus(self.of_kind(Kind::Air)) {
            let kind = self.counter_type(counter);
            if kind != last.0 {
                last = (kind, self.in_pool(state, kind).is_none());
            }
            if last.1 && self.is_loose(state, counter) && !self.has_twin_before(state, counter) {
                out.offer(Action::Discard(counter))?;
            }
        }
        for counter in self.tables.corps.and(&self.counters_of(state, state.active)) {
            if state.is_turned(counter) && !self.has_twin_before(state, counter) {
                out.offer(Action::Unfortify(counter))?;
            }
        }
        Continue(())
    }

    /// Plays a decision of the reorganisation at the end of the Reinforcement Phase (11.10).
    pub(crate) fn reorganisation_phase_apply(
        &self,
        state: &mut State,
        action: Action,
        table: &mut impl Rolls,
    ) {
        match action {
            Action::Pass => self.end_phase(state, table),
            _ => self.reorganise(state, action, table),
        }
    }

    /// A phase with reorganisation begins: every counter may be changed again (11.10).
    pub(crate) fn forget_reorganisation(state: &mut State) {
        for counter in state.on_map {
            state.clear_mark(counter, mark::REORGANISED);
        }
    }
}
