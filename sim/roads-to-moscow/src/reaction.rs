//! Reaction Movement (9.3): the rules of 9.31 to 9.36 are lost and reconstructed (R7).

use sandtable_core::{ActionSink, Flow};

use crate::Rolls;
use crate::action::Action;
use crate::event::Check;
use crate::game::RoadsToMoscow;
use crate::ids::{UnitId, Units};
use crate::phase::Phase;
use crate::state::{Mark, Stage, State};

impl RoadsToMoscow {
    /// O9b: after all refusals (R74).
    pub(crate) fn begin_reaction(&self, state: &mut State) {
        state.phase = Phase::Reaction;
        state.decider = state.active.enemy();
        state.unit = UnitId::NONE;
    }

    /// Whether a unit may try to react (R7): a red box near a declared attack, out of enemy zones, in good order, with
    /// supply and fuel, not in Reserve, not tried in this sequence.
    fn may_react(&self, state: &State, unit: UnitId) -> bool {
        let hex = state.at(unit);
        let range = u32::from(self.rules.numbers.reaction_range);
        let near = state.attacks().iter().any(|attack| {
            attack.stage == Stage::Declared && (range == 0 || self.distance(hex, attack.target) <= range)
        });
        near && !self.in_zoc(state, hex, state.active)
            && self
                .formation(unit)
                .is_none_or(|formation| !state.in_reserve(formation) && !state.unfuelled.contains(formation))
    }

    pub(crate) fn reaction_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        let sets = self.sets();
        let mut ready = sets.red.and(&sets.combat).and(self.units_of(state.decider)).and(&state.on_map);
        for mark in [Mark::Reacted, Mark::Disorganised, Mark::Unsupplied, Mark::LowFuel] {
            ready = ready.difference(state.marked(mark));
        }
        out.rest(Some(Action::Pass), [ready], |_, unit| {
            self.may_react(state, unit).then_some(Action::Unit(unit))
        })
    }

    pub(crate) fn reaction_apply(&self, state: &mut State, action: Action) {
        let Action::Unit(unit) = action else { return self.begin_no_retreat(state) };
        state.mark(unit, Mark::Reacted);
        state.unit = unit;
        state.phase = Phase::ReactionPoints;
    }

    /// One HQ of its formation in range, a leader with one, or both (15.23a); none for Army units (R77).
    pub(crate) fn reaction_points_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        self.offer_points(state, &self.helping(state, state.unit), out)
    }

    /// Headquarters and leaders whose points may help a unit that checks for itself (R76, R100).
    pub(crate) fn helping(&self, state: &State, unit: UnitId) -> Units {
        if unit.is_none() {
            return Units::EMPTY;
        }
        self.formation(unit).map_or(Units::EMPTY, |formation| {
            let hex = state.at(unit);
            self.headquarters_ready(state, formation, Some(hex))
                .or(&self.leaders_ready(state, formation, hex))
        })
    }

    pub(crate) fn reaction_points_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let points = match action {
            Action::Points(headquarters, leader) => self.spend_points(state, headquarters, leader, context),
            _ => 0,
        };
        self.try_reaction(state, points, context);
    }

    /// The check, and with success the move: half the allowance (3.57).
    pub(crate) fn try_reaction(&self, state: &mut State, points: u8, context: &mut impl Rolls) {
        let unit = state.unit;
        state.unit = UnitId::NONE;
        state.phase = Phase::Reaction;
        if unit.is_none() {
            return;
        }
        let modifier = self.points_modifier(points);
        if !self.check_efficiency(state, Check::Reaction, unit, modifier, context) {
            return;
        }
        state.moving = Units::one(unit);
        state.newly_low = Units::EMPTY;
        state.movement_left = self.allowance(state, unit, true);
        state.under_way = false;
        state.has_entered = false;
        state.must_overrun = false;
        state.reacting = true;
        state.phase = Phase::Stack;
    }
}
