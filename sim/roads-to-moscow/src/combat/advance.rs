//! Advance after combat and after a refusal (11.6, 9.23b).
//!
//! Attackers go one at a time, hex by hex of those they attacked from; leaders and fuel follow the troops of their hex.

use sandtable_core::{ActionSink, Context, Flow};

use super::retreat::Ways;
use super::tables::Crt;
use super::{Battle, Kind, NOBODY, Stage};
use crate::action::Action;
use crate::event::Event;
use crate::game::RoadsToMoscow;
use crate::state::State;
use crate::{Hex, Unit, Units};

impl RoadsToMoscow {
    /// The attackers may advance, if the Defender hex is empty (11.6).
    pub(super) fn begin_advance<T: Context<Event>>(&self, state: &mut State, context: &mut T) {
        let battle = &state.combat.battle;
        let held = self.combat_units_at(state, battle.target, self.enemy_of(battle.attacker));
        let back = battle.kind == Kind::Attack && battle.result.attacker.retreats;
        let moving = if held.is_empty() && !back {
            battle.attackers.filter(|unit| self.is_on_map(state, unit) && self.advances(state, battle, unit) > 0)
        } else {
            Units::EMPTY
        };
        let battle = &mut state.combat.battle;
        battle.moving = moving;
        battle.moved = Units::EMPTY;
        battle.stage = Stage::Advance;
        battle.asked = battle.attacker;
        battle.walker = NOBODY;
        if let Some(first) = moving.first() {
            battle.start = state.places_of(first);
        }
        self.next_to_advance(state, context);
    }

    /// Hexes that a unit may advance (11.61): red box two on the Mobile table unless it is disorganised, artillery, antitank and
    /// antiaircraft units in orange circles none, all others one.
    fn advances(&self, state: &State, battle: &Battle, unit: Unit) -> u8 {
        let numbers = &self.rules().combat;
        if !self.may_advance(unit) {
            return 0;
        }
        let far = battle.crt == Crt::Mobile || battle.kind == Kind::Refusal; // R23
        if far && self.is_red_box(unit) && !self.is_disorganised(state, unit) {
            numbers.advance_red_box
        } else {
            numbers.advance_other
        }
    }

    /// Whether a unit can go into a hex in advance (11.6, 11.64): zones of control do not matter.
    fn can_advance(&self, state: &State, unit: Unit, from: Hex, to: Hex) -> bool {
        self.may_cross(state, unit, from, to)
            && self.is_in_play(to)
            && self.combat_units_at(state, to, self.enemy_of(self.side_of(unit))).is_empty()
    }

    /// Whether it may end there (11.65, R92).
    fn can_stay(&self, state: &State, unit: Unit, hex: Hex) -> bool {
        self.has_room(state, hex, unit) && !self.is_closed_entry(state, self.side_of(unit), hex)
    }

    /// Hexes beyond the Defender hex where an advance may end.
    fn beyond(&self, state: &State, unit: Unit) -> Ways {
        let battle = &state.combat.battle;
        let mut ways = Ways::default();
        if self.advances(state, battle, unit) > 1 {
            for (_, next) in self.board().neighbours(battle.target) {
                if self.can_advance(state, unit, battle.target, next) && self.can_stay(state, unit, next) {
                    ways.add(next);
                }
            }
        }
        ways
    }

    /// Takes the next unit that can advance.
    fn next_to_advance<T: Context<Event>>(&self, state: &mut State, context: &mut T) {
        loop {
            let battle = state.combat.battle;
            if let Some(unit) = battle.moving.iter().find(|&unit| state.hex(unit) == battle.start) {
                state.combat.battle.moving.remove(unit);
                let enters = self.can_advance(state, unit, battle.start, battle.target)
                    && (self.can_stay(state, unit, battle.target) || !self.beyond(state, unit).is_empty());
                if enters {
                    let battle = &mut state.combat.battle;
                    (battle.walker, battle.walked) = (unit, 0);
                    return;
                }
                continue;
            }
            // Each leader and fuel unit is asked once: those asked are noted in `group`.
            if !battle.moved.is_empty() {
                let others = self.others_at(state, battle.start, battle.attacker).difference(&battle.group);
                if let Some(unit) = others.first() {
                    let battle = &mut state.combat.battle;
                    battle.group.insert(unit);
                    (battle.walker, battle.walked) = (unit, 0);
                    return;
                }
            }
            let battle = &mut state.combat.battle;
            (battle.moved, battle.walker) = (Units::EMPTY, NOBODY);
            let Some(next) = battle.moving.first() else { break };
            battle.start = state.places_of(next);
        }
        self.advance_ends(state, context);
    }

    /// What the unit at hand may do: stay, go into the Defender hex, go on.
    pub(super) fn advance_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        let battle = &state.combat.battle;
        let unit = battle.walker;
        if unit == NOBODY {
            return Flow::Continue(());
        }
        if !self.is_combat_unit(unit) {
            out.offer(Action::Pass)?;
            let mut ways = Ways::default();
            for other in battle.moved {
                ways.add_if_room(state.hex(other));
            }
            return advance_ways(&ways, out);
        }
        if battle.walked == 0 {
            out.offer(Action::Pass)?;
            return out.offer(Action::Advance(battle.target));
        }
        if self.can_stay(state, unit, battle.target) {
            out.offer(Action::Pass)?;
        }
        advance_ways(&self.beyond(state, unit), out)
    }

    /// The unit at hand goes one hex, or no further.
    pub(super) fn walk_on<T: Context<Event>>(&self, state: &mut State, to: Option<Hex>, context: &mut T) {
        let battle = state.combat.battle;
        let unit = battle.walker;
        if let Some(to) = to {
            self.relocate(state, unit, to, context);
            state.combat.battle.walked += 1;
            if battle.walked == 0 && self.is_combat_unit(unit) && !self.beyond(state, unit).is_empty() {
                return;
            }
        }
        let hex = state.hex(unit);
        if hex != battle.start {
            context.emit(|| Event::Advanced { unit, from: battle.start, to: hex });
            if self.is_combat_unit(unit) {
                let far = self.board().distance(battle.start, hex) > 1;
                let battle = &mut state.combat.battle;
                battle.moved.insert(unit);
                battle.advanced = true;
                battle.far |= far;
            }
        }
        self.next_to_advance(state, context);
    }
}

fn advance_ways(ways: &Ways, out: &mut impl ActionSink<Action>) -> Flow {
    ways.as_slice().iter().try_for_each(|&hex| out.offer(Action::Advance(hex)))
}
