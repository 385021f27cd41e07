//! Activation of Army units (7.4).

use sandtable_core::{ActionSink, Flow};

use crate::Rolls;
use crate::action::Action;
use crate::event::{Check, Event};
use crate::game::RoadsToMoscow;
use crate::ids::{UnitId, Units};
use crate::phase::{Phase, Sequence};
use crate::state::{Mark, State};

impl RoadsToMoscow {
    /// O5, before Engineering (R11).
    pub(crate) fn begin_army_units(&self, state: &mut State) {
        state.phase = Phase::ArmyUnits;
        state.army_attempts = 0;
    }

    /// Army units that may still be activated in this sequence: those with attempts left (7.42, 7.43) that have not
    /// been tried in it.
    fn army_candidates(&self, state: &State) -> Units {
        let sets = self.sets();
        let used_up = state.marked(Mark::UsedTwice).or(&state.marked(Mark::UsedOnce).and(&sets.foot));
        sets.army
            .and(self.units_of(state.active))
            .and(&state.on_map)
            .difference(state.marked(Mark::Active))
            .difference(state.marked(Mark::Moved))
            .difference(&used_up)
    }

    /// Headquarters of the active formations on the map.
    fn active_headquarters(&self, state: &State) -> Units {
        let of = |formation| *self.units_in(formation);
        let all = state.formations.iter().fold(Units::EMPTY, |all, formation| all.or(&of(formation)));
        all.and(&self.sets().headquarters).and(&state.on_map)
    }

    /// Whether an Army unit stands within Command Range of any HQ of an active formation (7.44).
    pub fn in_army_range(&self, state: &State, unit: UnitId) -> bool {
        self.active_headquarters(state)
            .iter()
            .any(|headquarters| self.in_command_range(state.at(headquarters), state.at(unit)))
    }

    pub(crate) fn army_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        let formations = state.formations.len();
        if formations == 0 {
            return Flow::Continue(());
        }
        let attempts = formations * u32::from(self.rules.numbers.army_attempts);
        let may_try = u32::from(state.army_attempts) < attempts;
        let candidates = self.army_candidates(state);
        out.rest(Some(Action::Pass), [candidates], |_, unit| {
            (may_try || self.in_army_range(state, unit)).then_some(Action::Unit(unit))
        })
    }

    pub(crate) fn army_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let Action::Unit(unit) = action else { return self.end_army_units(state) };
        // Every attempt counts, successful or not (7.42, 7.45).
        self.count_use(state, unit);
        if self.in_army_range(state, unit) {
            return self.army_result(state, unit, true, context);
        }
        state.army_attempts += 1;
        state.unit = unit;
        state.phase = Phase::ArmyPoints;
    }

    /// Counts an activation of a unit that may have one or two a turn (7.42, 15.31, 16.21).
    pub(crate) fn count_use(&self, state: &mut State, unit: UnitId) {
        let mark = if state.has(unit, Mark::UsedOnce) { Mark::UsedTwice } else { Mark::UsedOnce };
        state.mark(unit, mark);
    }

    /// One HQ of an active formation may help, at any distance (15.23d, R77), if it is on the map (5.27, R110).
    pub(crate) fn army_points_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        let ready = state.formations.iter().fold(Units::EMPTY, |ready, formation| {
            ready.or(&self.headquarters_ready(state, formation, None))
        });
        self.offer_points(state, &ready, out)
    }

    pub(crate) fn army_points_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let points = match action {
            Action::Points(headquarters, leader) => self.spend_points(state, headquarters, leader, context),
            _ => 0,
        };
        self.try_army_unit(state, points, context);
    }

    /// 7.45: an efficiency check.
    pub(crate) fn try_army_unit(&self, state: &mut State, points: u8, context: &mut impl Rolls) {
        let unit = state.unit;
        state.unit = UnitId::NONE;
        state.phase = Phase::ArmyUnits;
        if unit.is_none() {
            return;
        }
        let modifier = self.points_modifier(points);
        let success = self.check_efficiency(state, Check::ArmyUnit, unit, modifier, context);
        self.army_result(state, unit, success, context);
    }

    fn army_result(&self, state: &mut State, unit: UnitId, success: bool, context: &mut impl Rolls) {
        state.mark(unit, if success { Mark::Active } else { Mark::Moved });
        context.emit(|| Event::ArmyActivated { unit, success });
    }

    pub(crate) fn end_army_units(&self, state: &mut State) {
        match state.sequence {
            Sequence::Assault => self.begin_digging(state),
            _ => self.begin_movement(state),
        }
    }
}
