//! Reorganisation (11.10): counters are exchanged for others with the same units.
//!
//! At the end of the Reinforcement Phase land counters are combined and divided only where the stacking limit forces it
//! phases 4 and 5 do not depend on how they are packed, and phases 6 and 7 offer the rest.

use std::ops::ControlFlow::Continue;

use crate::Rolls;
use crate::action::Action;
use crate::game::{BlitzWar, Counters};
use crate::nation::Nation;
use crate::phase::{Pending, Phase};
use crate::rules::Kind;
use crate::sequence::{FirstOnly, Flow, Offer, PassFirst};
use crate::state::{POOL, State, mark};

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
        let crowded = self.crowded(state, &state.corps[state.active.index()]);
        let mut loose = own.and(&self.tables.ships);
        for zone in crowded {
            loose = loose.or(&own.and(&state.members(zone)));
        }
        loose
    }

    /// Offers reorganisation if there is anything to combine or divide and the side has not just declined it.
    pub(crate) fn offer_reorganisation(&self, state: &State, out: &mut impl Offer) -> Flow {
        if state.sorted {
            return Continue(());
        }
        let own = self.reorganisable(state);
        let mut first = FirstOnly::default();
        let _ = self.divisions(state, own, &mut first);
        if !first.any {
            let _ = self.combinations(state, own, &mut first);
        }
        if first.any { out.offer(Action::Reorganise) } else { Continue(()) }
    }

    /// The exchanges of which one can be made (11.10). Own counters may be eliminated, which helps only where the pool has
    /// no other counter of the type, and fortified corps turned back at any time (15.1): phase 3 offers both.
    pub(crate) fn reorganisation_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        out.offer(Action::Pass)?;
        let own = self.reorganisable(state);
        self.combinations(state, own, out)?;
        self.divisions(state, own, out)?;
        if state.phase == Phase::Reorganisation { self.removals(state, out) } else { Continue(()) }
    }

    /// Combinations open to the side in turn in phases 3 (where R-71 leaves them), 6 and 7. Interchangeable counters are
    /// offered once; a counter made or changed in the phase is not changed again, so that phases end.
    fn combinations(&self, state: &State, own: Counters, out: &mut impl Offer) -> Flow {
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
        Continue(())
    }

    /// Divisions open to the side in turn, in the same way.
    fn divisions(&self, state: &State, own: Counters, out: &mut impl Offer) -> Flow {
        // A detached corps needs a counter of its own, and whether there is one is the same for the whole nation.
        let mut nation = None;
        let mut singles = [false; 2];
        // Counters of one type and strength divide alike, but for the zones where restricted ones may be formed.
        let mut last = None;
        let mut parts = [false; 2];
        for counter in own {
            let units = state.strength(counter);
            if units < 2 || !self.is_loose(state, counter) {
                continue;
            }
            let kind = self.kind(counter);
            if kind == Kind::Supply {
                if self.split_parts(state, counter, kind).is_some() && !self.has_twin_before(state, counter) {
                    out.offer(Action::Split(counter, kind))?;
                }
                continue;
            }
            if !kind.is_corps() {
                continue;
            }
            if nation != Some(self.nation(counter)) {
                nation = Some(self.nation(counter));
                singles = self.has_singles(state, self.nation(counter));
            }
            if singles == [false; 2] {
                continue;
            }
            let site = self.formation_site(state.location(counter));
            let alike = Some((self.counter_type(counter), units, site));
            if last != alike {
                last = alike;
                parts = [Kind::Infantry, Kind::Armour]
                    .map(|part| self.split_parts(state, counter, part).is_some());
            }
            if parts == [false; 2] || self.has_twin_before(state, counter) {
                continue;
            }
            for (part, open) in [Kind::Infantry, Kind::Armour].into_iter().zip(parts) {
                if open {
                    out.offer(Action::Split(counter, part))?;
                }
            }
        }
        Continue(())
    }

    /// Whether the pool has counters of a nation for single corps of infantry and of armour.
    fn has_singles(&self, state: &State, nation: Nation) -> [bool; 2] {
        [(1, 0), (0, 1)].map(|corps| self.free_counter(state, nation, corps, POOL, false).is_some())
    }

    /// Own counters that can be eliminated with some effect, and fortified corps that can be turned back.
    fn removals(&self, state: &State, out: &mut impl Offer) -> Flow {
        let own = self.counters_of(state, state.active);
        let mut last = (u8::MAX, false);
        for counter in own.minus(self.of_kind(Kind::Air)) {
            let kind = self.counter_type(counter);
            if kind != last.0 {
                last = (kind, self.in_pool(state, kind).is_none());
            }
            if last.1 && self.is_loose(state, counter) && !self.has_twin_before(state, counter) {
                out.offer(Action::Discard(counter))?;
            }
        }
        for counter in self.tables.corps.and(&own) {
            if state.is_turned(counter) && !self.has_twin_before(state, counter) {
                out.offer(Action::Unfortify(counter))?;
            }
        }
        Continue(())
    }

    /// Carries out a reorganisation (11.10).
    pub(crate) fn reorganise(&self, state: &mut State, action: Action, table: &mut impl Rolls) {
        state.pending = Pending::None;
        match action {
            Action::Merge(a, b) => self.merge(state, a, b),
            Action::Split(counter, kind) => self.split(state, counter, kind),
            Action::Discard(counter) => self.eliminate(state, counter, table),
            Action::Unfortify(counter) => state.turn_face(counter, false),
            _ => state.sorted = true,
        }
    }

    /// The reorganisation at the end of the Reinforcement Phase.
    pub(crate) fn reorganisation_phase_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        let mut out = PassFirst::new(out);
        self.offer_reorganisation(state, &mut out)?;
        let mut first = FirstOnly::default();
        let _ = self.removals(state, &mut first);
        if first.any && !out.has_offered() && !state.sorted {
            out.offer(Action::Reorganise)
        } else {
            Continue(())
        }
    }

    /// Plays a decision of it.
    pub(crate) fn reorganisation_phase_apply(
        &self,
        state: &mut State,
        action: Action,
        table: &mut impl Rolls,
    ) {
        match action {
            Action::Reorganise => state.pending = Pending::Reorganisation,
            _ => self.end_phase(state, table),
        }
    }

    /// A phase with reorganisation begins: every counter may be changed again (11.10).
    pub(crate) fn forget_reorganisation(state: &mut State) {
        for marks in &mut state.marks {
            *marks &= !mark::REORGANISED;
        }
    }
}
