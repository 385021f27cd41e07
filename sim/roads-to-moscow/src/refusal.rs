//! Refusal of combat (9.2), the first of the enemy's reactions.

use sandtable_core::{ActionSink, Flow};

use crate::Rolls;
use crate::action::Action;
use crate::event::{Check, Event};
use crate::game::RoadsToMoscow;
use crate::ids::{Hexes, UnitId, Units, place};
use crate::phase::Phase;
use crate::state::{Mark, Stage, State};

impl RoadsToMoscow {
    /// O9a: all refusals, each with its advance, before any reaction (R74).
    pub(crate) fn begin_refusal(&self, state: &mut State) {
        state.phase = Phase::Refusal;
        state.decider = state.active.enemy();
    }

    /// Hexes attacked, still to be fought over, that have not been asked.
    pub(crate) fn unasked(&self, state: &State) -> Hexes {
        state
            .attacks()
            .iter()
            .filter(|attack| attack.stage == Stage::Declared && !attack.asked)
            .map(|attack| attack.target)
            .collect()
    }

    /// Whether an attacked hex may try to refuse (9.21, R22): all red boxes or cavalry, none disorganised, none in Reserve
    /// (5.32), and a two-hex retreat without a vacant enemy zone.
    fn may_refuse(&self, state: &State, hex: sandtable_core::Hex) -> bool {
        let units = state.stack(hex).and(self.units_of(state.active.enemy()));
        units.difference(&self.sets().red_or_cavalry).is_empty()
            && units.intersects(&self.sets().combat)
            && !units.intersects(state.marked(Mark::Disorganised))
            && !self.any_in_reserve(state, &units)
            && self.could_refuse(state, &units, hex)
    }

    pub(crate) fn refusal_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        out.rest(Some(Action::Pass), [self.unasked(state)], |_, hex| {
            self.may_refuse(state, hex).then_some(Action::Target(hex))
        })
    }

    pub(crate) fn refusal_apply(&self, state: &mut State, action: Action) {
        let Action::Target(hex) = action else { return self.begin_reaction(state) };
        state.hex = hex;
        state.phase = Phase::RefusalLead;
    }

    /// Units that may be the lead of a hex (3.43, 15.12, R83): no HQ unless there is nothing else, artillery only with
    /// nothing but HQs.
    pub fn possible_leads(&self, units: &Units) -> Units {
        let sets = self.sets();
        let combat = units.and(&sets.combat);
        let without_headquarters = combat.difference(&sets.headquarters);
        let ground = without_headquarters.difference(&sets.artillery);
        [ground, without_headquarters].into_iter().find(|set| !set.is_empty()).unwrap_or(combat)
    }

    pub(crate) fn refusal_lead_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        let units = self.combat_units(state, state.hex, state.decider);
        out.all([self.possible_leads(&units)], |_, unit| Action::Lead(unit))
    }

    /// 9.23: the lead's check, without command points (R22). Passed: all retreat two hexes, then the attackers advance.
    pub(crate) fn refusal_lead_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let Action::Lead(lead) = action else { return };
        let at = state.hex;
        let success = self.check_efficiency(state, Check::Refusal, lead, 0, context);
        context.emit(|| Event::Refused { at, success });
        let Some(attack) = state.attack_on(at) else { return };
        state.attacks[attack].asked = true;
        if success {
            let units = state.stack(at).and(self.units_of(state.decider));
            self.begin_refusal_retreat(state, &units, at, context);
        } else {
            state.attacks[attack].refusal_failed = true;
            state.phase = Phase::Refusal;
        }
    }

    /// The units that refused stand, and the attackers have advanced: the attack is off (9.23c). They attack no other hex,
    /// for all attacks have been declared.
    pub(crate) fn refusal_over(&self, state: &mut State) {
        if let Some(attack) = state.attack_on(state.hex) {
            state.attacks[attack].stage = Stage::Done;
        }
        state.hex = place::OUT;
        state.unit = UnitId::NONE;
        state.phase = Phase::Refusal;
        state.decider = state.active.enemy();
    }
}
