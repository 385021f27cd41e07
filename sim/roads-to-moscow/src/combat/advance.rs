//! Advance after combat and after a refusal (11.6, 9.23b).
//!
//! Attackers go one at a time, all of one hex before the next hex's; then leaders and fuel follow the troops of their hex.

use sandtable_core::{ActionSink, Direction, Flow, Hex};

use crate::Rolls;
use crate::action::Action;
use crate::battle::Occasion;
use crate::event::Event;
use crate::game::RoadsToMoscow;
use crate::ids::{Hexes, UnitId, Units};
use crate::phase::Phase;
use crate::rules::Crt;
use crate::state::{Mark, State, is_hex};

impl RoadsToMoscow {
    /// The attackers may advance, if the Defender hex is empty (11.6) and they have not retreated.
    pub(super) fn begin_advance(&self, state: &mut State) {
        let battle = &state.battle;
        let back = battle.result.attacker.retreat;
        let moving = if back {
            Units::EMPTY
        } else {
            battle.attackers.filter(|unit| self.advance_distance(state, unit) > 0)
        };
        let battle = &mut state.battle;
        battle.moving = moving;
        battle.moved = Units::EMPTY;
        battle.group = Units::EMPTY;
        battle.walker = UnitId::NONE;
        if let Some(first) = moving.first() {
            battle.start = state.places.of(first);
        }
        state.phase = Phase::Advance;
        state.decider = state.active;
        self.next_to_advance(state);
    }

    /// Hexes that a unit may advance (11.61): red boxes two on the Mobile table and after a refusal (R23) unless disorganised;
    /// artillery, antitank and antiaircraft units in orange circles none; all others one.
    fn advance_distance(&self, state: &State, unit: UnitId) -> u8 {
        let sets = self.sets();
        let traits = &self.rules.kinds[self.kind(unit) as usize];
        if sets.artillery.contains(unit) || sets.orange.contains(unit) && !traits.orange_advances {
            return 0;
        }
        let far = state.battle.crt == Crt::Mobile || state.battle.occasion == Occasion::Refusal;
        if far && sets.red.contains(unit) && !state.has(unit, Mark::Disorganised) { 2 } else { 1 }
    }

    /// Whether a unit can go into the next hex in advance (11.6, 11.64): zones of control do not matter.
    fn can_advance(&self, state: &State, unit: UnitId, from: Hex, way: Direction) -> bool {
        let to = self.neighbour(from, way);
        is_hex(to)
            && !state.occupied[state.active.enemy().index()].contains(to)
            && !self.is_barred(&Units::one(unit), from, way)
    }

    /// Hexes beyond the Defender hex where the advance of a unit may end (11.61b, 11.65, R92).
    fn beyond(&self, state: &State, unit: UnitId) -> Hexes {
        let target = state.battle.target;
        if self.advance_distance(state, unit) < 2 {
            return Hexes::EMPTY;
        }
        Direction::ALL
            .into_iter()
            .filter(|&way| self.can_advance(state, unit, target, way))
            .map(|way| self.neighbour(target, way))
            .filter(|&hex| self.may_end_in(state, &Units::one(unit), hex, state.active))
            .collect()
    }

    fn may_stay(&self, state: &State, unit: UnitId) -> bool {
        self.may_end_in(state, &Units::one(unit), state.battle.target, state.active)
    }

    /// Takes the next unit that can advance.
    pub(super) fn next_to_advance(&self, state: &mut State) {
        loop {
            let (start, target) = (state.battle.start, state.battle.target);
            let next = state.battle.moving.iter().find(|&unit| state.at(unit) == start);
            if let Some(unit) = next {
                state.battle.moving.remove(unit);
                let enters = self
                    .board()
                    .direction(start, target)
                    .is_some_and(|way| self.can_advance(state, unit, start, way))
                    && (self.may_stay(state, unit) || !self.beyond(state, unit).is_empty());
                if enters {
                    (state.battle.walker, state.battle.gone) = (unit, 0);
                    return;
                }
                continue;
            }
            // Leaders and fuel may go with them (15.33, 16.22), asked once each.
            if !state.battle.moved.is_empty() {
                let helpers = state.stack(start).difference(&self.sets().combat);
                let helpers = helpers.and(self.units_of(state.active)).difference(&state.battle.group);
                if let Some(unit) = helpers.first() {
                    state.battle.group.insert(unit);
                    (state.battle.walker, state.battle.gone) = (unit, 0);
                    return;
                }
            }
            let battle = &mut state.battle;
            (battle.moved, battle.walker) = (Units::EMPTY, UnitId::NONE);
            let Some(next) = battle.moving.first() else { return self.advance_ends(state) };
            battle.start = state.places.of(next);
        }
    }

    /// What the unit at hand may do: stay, go into the Defender hex, go on.
    pub(super) fn advance_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        let battle = &state.battle;
        let unit = battle.walker;
        if unit.is_none() {
            return Flow::Continue(());
        }
        if !self.sets().combat.contains(unit) {
            out.offer(Action::Pass)?;
            let ways: Hexes = battle.moved.iter().map(|other| state.at(other)).collect();
            return out.all([ways], |_, hex| Action::Go(hex));
        }
        if battle.gone == 0 {
            out.offer(Action::Pass)?;
            return out.offer(Action::Go(battle.target));
        }
        if self.may_stay(state, unit) {
            out.offer(Action::Pass)?;
        }
        out.all([self.beyond(state, unit)], |_, hex| Action::Go(hex))
    }

    /// The unit at hand goes one hex, or no further.
    pub(super) fn walk_on(&self, state: &mut State, to: Option<Hex>, context: &mut impl Rolls) {
        let unit = state.battle.walker;
        let combat = self.sets().combat.contains(unit);
        if let Some(to) = to {
            self.put(state, unit, to, context);
            state.battle.gone += 1;
            if combat && state.battle.gone == 1 && !self.beyond(state, unit).is_empty() {
                return;
            }
        }
        let (from, to) = (state.battle.start, state.at(unit));
        if to != from {
            context.emit(|| Event::Advanced { unit, from, to });
            if combat {
                state.battle.moved.insert(unit);
                state.battle.far |= self.distance(from, to) > 1;
            }
            state.no_retreat.remove(to); // 9.45
        }
        self.next_to_advance(state);
    }
}
