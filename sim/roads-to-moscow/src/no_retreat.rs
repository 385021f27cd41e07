//! No-Retreat declarations (9.4).

use sandtable_core::{ActionSink, Flow, Hex};

use crate::Rolls;
use crate::action::Action;
use crate::event::{Check, Event};
use crate::game::RoadsToMoscow;
use crate::ids::{UnitId, Units, place};
use crate::phase::Phase;
use crate::state::{Mark, State};

impl RoadsToMoscow {
    /// O9c: after all reactions (R74).
    pub(crate) fn begin_no_retreat(&self, state: &mut State) {
        state.phase = Phase::NoRetreat;
        state.decider = state.active.enemy();
        state.unit = UnitId::NONE;
        let count = state.attack_count as usize;
        for attack in &mut state.attacks[..count] {
            attack.asked = false;
        }
    }

    /// Whether an attacked hex may declare (9.41, 9.42, R84): three steps, no failed refusal, and a Fortified Position, a
    /// Fortified Line all attackers must cross, an HQ of a formation or a leader.
    fn may_declare_no_retreat(&self, state: &State, hex: Hex) -> bool {
        let player = state.active.enemy();
        let Some(attack) = state.attack_on(hex).map(|at| &state.attacks[at]) else { return false };
        let stack = state.stack(hex).and(self.units_of(player));
        let combat = stack.and(&self.sets().combat);
        let steps: u8 = combat.iter().map(|unit| self.steps(state, unit)).sum();
        let helped = state.positions[player.index()].contains(hex)
            || self.is_behind_line(state, hex, &attack.attackers)
            || stack.intersects(&self.sets().headquarters.difference(&self.sets().arko))
            || stack.intersects(&self.sets().leaders);
        steps >= self.rules.numbers.no_retreat_steps
            && !attack.refusal_failed
            && helped
            && !state.no_retreat.contains(hex)
            && !self.no_retreat_leads(state, hex).is_empty()
    }

    /// Leads that may declare: none in Reserve (5.32).
    fn no_retreat_leads(&self, state: &State, hex: Hex) -> Units {
        let units = self.combat_units(state, hex, state.active.enemy());
        self.possible_leads(&units)
            .filter(|unit| self.formation(unit).is_none_or(|formation| !state.in_reserve(formation)))
    }

    pub(crate) fn no_retreat_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        out.rest(Some(Action::Pass), [self.unasked(state)], |_, hex| {
            // 9.45: where a marker lies already its owner may take it off.
            (state.no_retreat.contains(hex) || self.may_declare_no_retreat(state, hex))
                .then_some(Action::Target(hex))
        })
    }

    pub(crate) fn no_retreat_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let Action::Target(hex) = action else { return self.begin_combat_phase(state, context) };
        if let Some(at) = state.attack_on(hex) {
            state.attacks[at].asked = true;
        }
        if state.no_retreat.contains(hex) {
            state.no_retreat.remove(hex);
            return;
        }
        state.hex = hex;
        state.phase = Phase::NoRetreatLead;
    }

    pub(crate) fn no_retreat_lead_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        out.all([self.no_retreat_leads(state, state.hex)], |_, unit| Action::Lead(unit))
    }

    pub(crate) fn no_retreat_lead_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let Action::Lead(lead) = action else { return };
        state.unit = lead;
        if self.holds_by_itself(state, state.hex, lead) {
            return self.no_retreat_result(state, true, context);
        }
        state.phase = Phase::NoRetreatPoints;
    }

    /// 9.44: an NKVD lead in good order, or an HQ in good order or a leader in the hex.
    fn holds_by_itself(&self, state: &State, hex: Hex, lead: UnitId) -> bool {
        let sets = self.sets();
        let disorganised = state.marked(Mark::Disorganised);
        let stack = state.stack(hex).and(self.units_of(state.active.enemy())).difference(disorganised);
        sets.nkvd.contains(lead) && !disorganised.contains(lead)
            || stack.intersects(&sets.headquarters)
            || stack.intersects(&sets.leaders)
    }

    pub(crate) fn no_retreat_points_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        self.offer_points(state, &self.helping(state, state.unit), out)
    }

    pub(crate) fn no_retreat_points_apply(
        &self,
        state: &mut State,
        action: Action,
        context: &mut impl Rolls,
    ) {
        let points = match action {
            Action::Points(headquarters, leader) => self.spend_points(state, headquarters, leader, context),
            _ => 0,
        };
        self.try_no_retreat(state, points, context);
    }

    /// 9.43a: the lead's check.
    pub(crate) fn try_no_retreat(&self, state: &mut State, points: u8, context: &mut impl Rolls) {
        if state.unit.is_none() {
            state.phase = Phase::NoRetreat;
            return;
        }
        let modifier = self.points_modifier(points);
        let success = self.check_efficiency(state, Check::NoRetreat, state.unit, modifier, context);
        self.no_retreat_result(state, success, context);
    }

    fn no_retreat_result(&self, state: &mut State, success: bool, context: &mut impl Rolls) {
        let at = state.hex;
        if success {
            state.no_retreat.insert(at);
        }
        context.emit(|| Event::NoRetreatDeclared { at, success });
        state.hex = place::OUT;
        state.unit = UnitId::NONE;
        state.phase = Phase::NoRetreat;
    }
}
