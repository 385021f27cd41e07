//! Reorganisation (11.10): counters are exchanged for others with the same units.

use std::ops::ControlFlow::Continue;

use crate::Rolls;
use crate::action::Action;
use crate::game::{BlitzWar, Counters};
use crate::naval::PassFirst;
use crate::rules::Kind;
use crate::sequence::{Flow, Offer};
use crate::state::{BOMBING_BOX, State, mark};

/// The most corps a counter shows (3).
const LARGEST: u8 = 3;

impl BlitzWar {
    /// Counters of the side in turn that may still be reorganised in this phase.
    fn loose_counters(&self, state: &State) -> Counters {
        let mut loose = Counters::EMPTY;
        for counter in 0..self.counters() {
            if state.location(counter) < BOMBING_BOX
                && self.kind(counter) != Kind::Air
                && !state.is_turned(counter)
                && !state.has_mark(counter, mark::REORGANISED)
                && self.force(state, counter) == Some(state.active)
            {
                loose.insert(counter);
            }
        }
        loose
    }

    /// Combinations and divisions open to the side in turn in phases 3, 6 and 7 (11.10). Interchangeable counters are
    /// offered once; a counter made or changed in the phase is not changed again, so that phases end.
    pub(crate) fn reorganisation_offers(&self, state: &State, out: &mut impl Offer) -> Flow {
        let loose = self.loose_counters(state);
        let twin = |counter: u8, other: u8| {
            self.counter_type(counter) == self.counter_type(other) && state.look(counter) == state.look(other)
        };
        let size = |counter: u8| if self.kind(counter).is_corps() { state.strength(counter) } else { 0 };
        for a in loose {
            let stack = || state.stack(state.location(a));
            if stack().take_while(|&other| other < a).any(|other| twin(other, a)) {
                continue;
            }
            for b in stack().filter(|&b| b > a && loose.has(b) && self.nation(b) == self.nation(a)) {
                let repeated =
                    stack().take_while(|&other| other < b).any(|other| other != a && twin(other, b));
                if !repeated && size(a) + size(b) <= LARGEST && self.merged(state, a, b).is_some() {
                    out.offer(Action::Merge(a, b))?;
                }
            }
        }
        for counter in loose {
            let units = state.strength(counter);
            if units < 2 || self.has_twin_before(state, counter) {
                continue;
            }
            for kind in [Kind::Infantry, Kind::Armour, Kind::Supply] {
                let apt = (kind == Kind::Supply) == (self.kind(counter) == Kind::Supply);
                if apt && self.split_parts(state, counter, kind).is_some() {
                    out.offer(Action::Split(counter, kind))?;
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
        let loose = self.loose_counters(state);
        for counter in loose {
            if self.in_pool(state, self.counter_type(counter)).is_none()
                && !self.has_twin_before(state, counter)
            {
                out.offer(Action::Discard(counter))?;
            }
        }
        for counter in 0..self.counters() {
            if state.is_turned(counter)
                && self.kind(counter).is_corps()
                && self.force(state, counter) == Some(state.active)
                && !self.has_twin_before(state, counter)
            {
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
    pub(crate) fn forget_reorganisation(&self, state: &mut State) {
        for counter in 0..self.counters() {
            state.clear_mark(counter, mark::REORGANISED);
        }
    }
}
