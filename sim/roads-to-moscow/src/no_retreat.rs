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

    /// Whether an attacked hex may declare (9.41, 9.42, R84, R111): three steps, no failed refusal, and a unit that may lead.
    fn may_declare_no_retreat(&self, state: &State, hex: Hex) -> bool {
        let player = state.active.enemy();
        let Some(attack) = state.attack_on(hex).map(|at| &state.attacks[at]) else { return false };
        let combat = self.combat_units(state, hex, player);
        let steps: u8 = combat.iter().map(|unit| self.steps(state, unit)).sum();
        steps >= self.rules.numbers.no_retreat_steps
            && !attack.refusal_failed
            && !state.no_retreat.contains(hex)
            && !self.no_retreat_leads(state, hex).is_empty()
    }

    /// Leads that may declare: none in Reserve (5.32), none that has retreated into the hex (11.36). Without a Fortified
    /// Position, a Fortified Line that all attackers must cross or a leader there, those with an HQ of their formation in the
    /// hex (9.42).
    fn no_retreat_leads(&self, state: &State, hex: Hex) -> Units {
        let player = state.active.enemy();
        let attackers = state.attack_on(hex).map_or(Units::EMPTY, |at| state.attacks[at].attackers);
        let stack = state.stack(hex).and(self.units_of(player));
        let all = state.positions[player.index()].contains(hex)
            || self.is_behind_line(state, hex, &attackers)
            || stack.intersects(&self.sets().leaders);
        let units = stack.and(&self.sets().combat).difference(state.marked(Mark::Retreated));
        self.possible_leads(&units).filter(|unit| match self.formation(unit) {
            Some(formation) if state.in_reserve(formation) => false,
            Some(formation) => {
                all || stack.and(self.units_in(formation)).intersects(&self.sets().headquarters)
            }
            None => all,
        })
    }

    pub(crate) fn no_retreat_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        out.rest(Some(Action::Pass), [self.unasked(state)], |_, hex| {
            // 9.45: where a marker lies already its owner may take it off.
            (state.no_retreat.contains(hex) || self.may_declare_no_retreat(state, hex))
                .then_some(Action::Target(hex))
        })
    }

    pub(crate) fn no_retreat_apply(&self, state: &mut State, action: Action) {
        let Action::Target(hex) = action else { return self.begin_combat_phase(state) };
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

    /// 9.44: an NKVD lead in good order, or an HQ in good order, but for an Arko (16.11, R111), or a leader in the hex.
    fn holds_by_itself(&self, state: &State, hex: Hex, lead: UnitId) -> bool {
        let sets = self.sets();
        let disorganised = state.marked(Mark::Disorganised);
        let stack = state.stack(hex).and(self.units_of(state.active.enemy())).difference(disorganised);
        sets.nkvd.contains(lead) && !disorganised.contains(lead)
            || stack.intersects(&sets.headquarters.difference(&sets.arko))
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
