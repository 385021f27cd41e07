//! Reorganisation (11.10): counters are exchanged for others with the same units.
//!
//! At the end of the Reinforcement Phase land counters are combined and divided only where the stacking limit forces it
//! phases 4 and 5 do not depend on how they are packed, and phases 6 and 7 offer the rest.

use std::ops::ControlFlow::Continue;

use crate::Rolls;
use crate::action::Action;
use crate::game::{BlitzWar, Counters};
use crate::location::{ByCode, Counter, Location};
use crate::nation::{Force, Nation};
use crate::phase::{Pending, Phase};
use crate::rules::Kind;
use crate::sequence::{FirstOnly, Flow, Offer};
use crate::state::{State, mark};

/// Exchanges by number, of which some can be made: pairs to be combined, then counters.
struct Candidates {
    /// How many counters come after each in its stack.
    later: ByCode<Counter, u8>,
    /// Pairs to be combined on plain counters and on Elite Armies.
    pairs: [u32; 2],
    /// The same by words of the set of the first ones.
    by_word: [u32; 4],
    /// The first ones of the pairs.
    pliant: Counters,
    /// Counters to be divided, mixed ones to be divided the other way, to be exchanged, to be eliminated or turned back.
    sets: [Counters; 4],
    /// How many are in each of them.
    sizes: [u32; 4],
}

impl Candidates {
    fn count(&self) -> u32 {
        self.pairs.iter().chain(&self.sizes).sum()
    }
}

impl BlitzWar {
    /// Whether a counter of the side in turn may still be divided or exchanged in this phase.
    fn is_loose(&self, state: &State, counter: Counter) -> bool {
        self.is_pliant(state, counter) && !state.has_mark(counter, mark::REORGANISED)
    }

    /// Whether a counter may be combined with others.
    fn is_pliant(&self, state: &State, counter: Counter) -> bool {
        self.kind(counter) != Kind::Air && !state.is_turned(counter)
    }

    /// Own counters that the phase lets combine or divide.
    fn reorganisable(&self, state: &State) -> Counters {
        let own = self.counters_of(state, state.active).difference(self.of_kind(Kind::Air));
        if state.phase != Phase::Reorganisation {
            return own;
        }
        // Stacks that have not grown are within the limit.
        let crowded = self.crowded(state, &state.piles().and(&state.corps[state.active.index()]));
        let mut loose = own.and(&self.tables.sheet.ships);
        for zone in crowded {
            loose = loose.or(&own.and(&state.members(zone)));
        }
        loose
    }

    /// Whether there is anything to combine or divide and the side has not just declined it.
    pub(crate) fn is_worth_reorganising(&self, state: &State) -> bool {
        if state.sorted {
            return false;
        }
        let own = self.reorganisable(state);
        let mut first = FirstOnly::default();
        // What is found soonest stands first.
        let _ = self.turned_back(state, &mut first);
        if !first.any {
            let _ = self.removals(state, &mut first);
        }
        if !first.any {
            let _ = self.divisions(state, own, &mut first);
        }
        if !first.any {
            let _ = self.combinations(state, own, &mut first);
        }
        if !first.any {
            let _ = self.exchanges(state, own, &mut first);
        }
        first.any
    }

    /// The exchanges of which one can be made (11.10). Own counters may be eliminated, which helps only where the pool has
    /// no other counter of the type, and fortified corps turned back at any time (15.1).
    pub(crate) fn reorganisation_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        out.offer(Action::Pass)?;
        let own = self.reorganisable(state);
        if out.draws() {
            let candidates = self.reorganisation_candidates(state, own);
            return out.candidates(candidates.count(), |nth| {
                let action = self.reorganisation_candidate(state, &candidates, nth)?;
                self.may_reorganise(state, action).then_some(action)
            });
        }
        self.turned_back(state, out)?;
        self.combinations(state, own, out)?;
        self.divisions(state, own, out)?;
        self.exchanges(state, own, out)?;
        self.removals(state, out)
    }

    /// All exchanges that can be made, and some that cannot: see [`Self::may_reorganise`].
    fn reorganisation_candidates(&self, state: &State, own: Counters) -> Candidates {
        let removable = self.counters_of(state, state.active).difference(self.of_kind(Kind::Air));
        // Nothing comes after the last of a stack: its successor counts as one too many.
        let (mut later_of, mut by_word) = (ByCode::new([0; 256]), [0; 4]);
        later_of[Counter::NONE] = u8::MAX;
        let mut pliant = own.difference(self.of_kind(Kind::Air));
        let mut divisible = Counters::EMPTY;
        // Upwards a stack goes from lower counters to higher ones: what comes after a counter is known before it.
        for word in (0..own.0.len()).rev() {
            let (mut left, mut turned, mut large) = (pliant.0[word], 0, 0);
            while left != 0 {
                let bit = left.ilog2();
                left ^= 1 << bit;
                let counter = Counter((word as u32 * 64 + bit) as u8);
                let next = state.places.next(counter).unwrap_or(Counter::NONE);
                let mut later = later_of[next].wrapping_add(1);
                if !((next == Counter::NONE) | own.contains(next)) {
                    later = state.places.after(counter).count() as u8;
                }
                later_of[counter] = later;
                let divides = state.strength(counter) > 1 && !state.has_mark(counter, mark::REORGANISED);
                by_word[word] += u32::from(later) * u32::from(!state.is_turned(counter));
                turned |= u64::from(state.is_turned(counter)) << bit;
                large |= u64::from(divides) << bit;
            }
            pliant.0[word] &= !turned;
            divisible.0[word] = large & !turned;
        }
        let pairs = by_word.iter().sum();
        let mixed = self.of_kind(Kind::White).or(self.of_kind(Kind::Elite));
        let elites = self.elites_at_hand(state);
        let changed = if elites { pliant.and(&mixed) } else { Counters::EMPTY };
        let sets = [divisible, divisible.and(&mixed), changed, removable];
        Candidates {
            later: later_of,
            pairs: [pairs, if elites { pairs } else { 0 }],
            by_word,
            pliant,
            sets,
            sizes: sets.map(|set| set.len()),
        }
    }

    /// The candidate of a number.
    fn reorganisation_candidate(
        &self,
        state: &State,
        candidates: &Candidates,
        mut nth: u32,
    ) -> Option<Action> {
        for (elite, &pairs) in candidates.pairs.iter().enumerate() {
            if nth < pairs {
                let mut word = 0;
                while nth >= candidates.by_word[word] {
                    nth -= candidates.by_word[word];
                    word += 1;
                }
                let mut left = candidates.pliant.0[word];
                let a = loop {
                    let counter = Counter((word as u32 * 64 + left.trailing_zeros()) as u8);
                    left &= left - 1;
                    let later = u32::from(candidates.later[counter]);
                    if nth < later {
                        break counter;
                    }
                    nth -= later;
                };
                let b = state.places.after(a).nth(nth as usize)?;
                let same = self.nation(a) == self.nation(b);
                return same.then_some(if elite == 1 {
                    Action::MergeElite(a, b)
                } else {
                    Action::Merge(a, b)
                });
            }
            nth -= pairs;
        }
        for (set, &size) in candidates.sizes.iter().enumerate() {
            if nth >= size {
                nth -= size;
                continue;
            }
            let counter = candidates.sets[set].drawn(&candidates.sets[set].sizes(), u64::from(nth))?;
            return match set {
                0 | 1 => self
                    .parts(state, counter)
                    .into_iter()
                    .flatten()
                    .nth(set)
                    .map(|part| Action::Split(counter, part)),
                2 => Some(Action::Exchange(counter)),
                _ if state.is_turned(counter) => Some(Action::Unfortify(counter)),
                _ => Some(Action::Discard(counter)),
            };
        }
        None
    }

    /// Whether one of the candidates can be made.
    fn may_reorganise(&self, state: &State, action: Action) -> bool {
        match action {
            Action::Merge(a, b) | Action::MergeElite(a, b) => {
                let elite = matches!(action, Action::MergeElite(..));
                !self.has_identical_before(state, a) && self.may_merge(state, a, b, elite)
            }
            Action::Split(counter, part) => {
                self.split_parts(state, counter, part).is_some() && !self.has_identical_before(state, counter)
            }
            Action::Exchange(counter) => self.may_exchange(state, counter),
            Action::Discard(counter) => {
                self.is_loose(state, counter)
                    && self.in_pool(state, self.counter_type(counter)).is_none()
                    && !self.has_identical_before(state, counter)
            }
            Action::Unfortify(counter) => {
                self.kind(counter).is_corps() && !self.has_identical_before(state, counter)
            }
            _ => false,
        }
    }

    /// What may be detached from a counter of two or more units: corps, or ships and supply of its own kind.
    fn parts(&self, state: &State, counter: Counter) -> [Option<Kind>; 2] {
        let kind = self.kind(counter);
        if !kind.is_corps() {
            return [Some(kind), None];
        }
        let (infantry, armour) = self.corps_of(state, counter);
        [(infantry > 0).then_some(Kind::Infantry), (armour > 0).then_some(Kind::Armour)]
    }

    /// Combinations open to the side in turn in phases 3 (where R-71 leaves them), 6 and 7. Interchangeable counters are
    /// offered once. Each leaves a counter less, so that phases end, though a counter changed before may be combined.
    fn combinations(&self, state: &State, own: Counters, out: &mut impl Offer) -> Flow {
        self.mergers(state, own, false, out)?;
        if self.elites_at_hand(state) {
            self.mergers(state, own.and(&self.tables.sheet.of_nation[Nation::Ger.index()]), true, out)
        } else {
            Continue(())
        }
    }

    /// Whether the side in turn has Elite Armies that have been released (11.7).
    fn elites_at_hand(&self, state: &State) -> bool {
        state.active == Force::Axis
            && self.of_kind(Kind::Elite).iter().any(|counter| state.location(counter) != Location::LOCKED)
    }

    /// Combinations on plain counters, or on Elite Armies.
    fn mergers(&self, state: &State, own: Counters, elite: bool, out: &mut impl Offer) -> Flow {
        for a in own {
            if state.places.next(a).is_none()
                || !self.is_pliant(state, a)
                || self.has_identical_before(state, a)
            {
                continue;
            }
            let partners = state.places.after(a);
            for b in partners.filter(|&b| self.nation(b) == self.nation(a)) {
                if self.may_merge(state, a, b, elite) {
                    out.offer(if elite { Action::MergeElite(a, b) } else { Action::Merge(a, b) })?;
                }
            }
        }
        Continue(())
    }

    /// Whether two counters can be combined, and none like the second one comes before it.
    fn may_merge(&self, state: &State, a: Counter, b: Counter, elite: bool) -> bool {
        let identical = |counter: Counter, other: Counter| {
            self.counter_type(counter) == self.counter_type(other) && state.look(counter) == state.look(other)
        };
        self.is_pliant(state, b)
            && self.merged(state, a, b, elite).is_some()
            && !state
                .stack(state.location(a))
                .take_while(|&other| other < b)
                .any(|other| other != a && identical(other, b))
    }

    /// Divisions open to the side in turn; a counter made or changed in the phase is not divided, so that phases end.
    fn divisions(&self, state: &State, own: Counters, out: &mut impl Offer) -> Flow {
        // Counters of one type and strength divide alike, but for the zones where restricted ones may be formed.
        let mut last = None;
        let mut parts = [None; 2];
        // A corps is detached on a counter from the pool.
        let mut singles: Option<(Nation, [bool; 2])> = None;
        for counter in own {
            let units = state.strength(counter);
            if units < 2 || !self.is_loose(state, counter) {
                continue;
            }
            let alike =
                Some((self.counter_type(counter), units, self.formation_site(state.location(counter))));
            if last != alike {
                last = alike;
                let nation = self.nation(counter);
                parts = self.parts(state, counter).map(|part| {
                    part.filter(|&part| {
                        let single = match part {
                            Kind::Infantry | Kind::Armour => {
                                let known = singles.filter(|&(known, _)| known == nation);
                                let known =
                                    known.map_or_else(|| self.singles(state, nation), |(_, known)| known);
                                singles = Some((nation, known));
                                known[usize::from(part == Kind::Armour)]
                            }
                            _ => true,
                        };
                        single && self.split_parts(state, counter, part).is_some()
                    })
                });
            }
            if parts == [None; 2] || self.has_identical_before(state, counter) {
                continue;
            }
            for part in parts.into_iter().flatten() {
                out.offer(Action::Split(counter, part))?;
            }
        }
        Continue(())
    }

    /// White counters that can become Elite Armies with the same corps, and the reverse (11.10).
    fn exchanges(&self, state: &State, own: Counters, out: &mut impl Offer) -> Flow {
        if !self.elites_at_hand(state) {
            return Continue(());
        }
        let mixed = self.of_kind(Kind::White).or(self.of_kind(Kind::Elite));
        for counter in own.and(&mixed) {
            if self.may_exchange(state, counter) {
                out.offer(Action::Exchange(counter))?;
            }
        }
        Continue(())
    }

    fn may_exchange(&self, state: &State, counter: Counter) -> bool {
        self.is_loose(state, counter)
            && !self.has_identical_before(state, counter)
            && self.counterpart(state, counter).is_some()
    }

    /// Own counters that can be eliminated with some effect.
    fn removals(&self, state: &State, out: &mut impl Offer) -> Flow {
        let own = self.counters_of(state, state.active);
        let mut last = (u8::MAX, false);
        for counter in own.difference(self.of_kind(Kind::Air)) {
            let kind = self.counter_type(counter);
            if kind != last.0 {
                last = (kind, self.in_pool(state, kind).is_none());
            }
            if last.1 && self.is_loose(state, counter) && !self.has_identical_before(state, counter) {
                out.offer(Action::Discard(counter))?;
            }
        }
        Continue(())
    }

    /// Carries out a reorganisation (11.10).
    pub(crate) fn reorganise(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        state.pending = Pending::None;
        match action {
            Action::Merge(a, b) => self.merge(state, a, b, false, context),
            Action::MergeElite(a, b) => self.merge(state, a, b, true, context),
            Action::Exchange(counter) => self.swap(state, counter, context),
            Action::Split(counter, kind) => self.split(state, counter, kind, context),
            Action::Discard(counter) => self.eliminate(state, counter, context),
            Action::Unfortify(counter) => state.turn_face(counter, false),
            _ => state.sorted = true,
        }
    }

    /// The reorganisation at the end of the Reinforcement Phase.
    pub(crate) fn reorganisation_phase_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        if self.is_worth_reorganising(state) {
            out.offer(Action::Pass)?;
            out.offer(Action::Reorganise)?;
        }
        Continue(())
    }

    /// Plays a decision of it.
    pub(crate) fn reorganisation_phase_apply(
        &self,
        state: &mut State,
        action: Action,
        context: &mut impl Rolls,
    ) {
        match action {
            Action::Reorganise => state.pending = Pending::Reorganisation,
            _ => self.end_phase(state, context),
        }
    }

    /// A phase with reorganisation begins: every counter may be changed again (11.10).
    pub(crate) fn forget_reorganisation(state: &mut State) {
        for marks in &mut state.marks.0 {
            *marks &= !mark::REORGANISED;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::*;

    #[test]
    fn activation_opens_reorganisation_again() {
        let game = game();
        let mut state = position(&game, 5, Phase::TacticalMovement, Force::Axis);
        put(&game, &mut state, Nation::Axis, Kind::Supply, 12, RUHR);
        let corps = [(); 2].map(|()| put(&game, &mut state, Nation::Ger, Kind::Infantry, 1, RUHR));
        put(&game, &mut state, Nation::Uk, Kind::Infantry, 1, CALAIS);
        let play = |state: &mut State, action| {
            assert!(legal(&game, state).contains(&action), "{action:?} is not legal");
            game.play(state, action, &mut scripted(&[]));
            game.refresh_supply(state);
        };
        play(&mut state, Action::Reorganise);
        play(&mut state, Action::Pass);
        assert!(!legal(&game, &state).contains(&Action::Reorganise), "declined");
        play(&mut state, Action::Activate(corps[0]));
        play(&mut state, Action::Reorganise);
        play(&mut state, Action::Merge(corps[0], corps[1]));
    }
}
