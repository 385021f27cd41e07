//! The sequence of play: which module decides what in which phase, and what follows when nothing is left to decide (3).

use sandtable_core::{ActionSink, Flow};

use crate::Rolls;
use crate::action::Action;
use crate::game::RoadsToMoscow;
use crate::phase::Phase;
use crate::state::State;

impl RoadsToMoscow {
    /// The one generator of legal actions. Offers nothing if the phase has nothing left to decide.
    #[inline]
    pub(crate) fn actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        match state.phase {
            Phase::OptionalGroups => self.group_actions(state, out),
            Phase::Reserve => self.reserve_actions(state, out),
            Phase::FillingCup => self.cup_actions(state, out),
            Phase::Marker => self.marker_actions(state, out),
            Phase::CombinePoints => self.combine_actions(state, out),
            Phase::Sequence => self.sequence_actions(state, out),
            Phase::Formation => self.formation_actions(state, out),
            Phase::Fuel => self.fuel_actions(state, out),
            Phase::ArmyUnits => self.army_actions(state, out),
            Phase::ArmyPoints => self.army_points_actions(state, out),
            Phase::Engineering => self.digging_actions(state, out),
            Phase::Movement => self.movement_actions(state, out),
            Phase::Stack => self.stack_actions(state, out),
            Phase::Declaring => self.declaring_actions(state, out),
            Phase::Attackers => self.attacker_actions(state, out),
            Phase::Refusal => self.refusal_actions(state, out),
            Phase::RefusalLead => self.refusal_lead_actions(state, out),
            Phase::Reaction => self.reaction_actions(state, out),
            Phase::ReactionPoints => self.reaction_points_actions(state, out),
            Phase::NoRetreat => self.no_retreat_actions(state, out),
            Phase::NoRetreatLead => self.no_retreat_lead_actions(state, out),
            Phase::NoRetreatPoints => self.no_retreat_points_actions(state, out),
            Phase::Recovery => self.recovery_actions(state, out),
            Phase::Over => Flow::Continue(()),
            _ => self.combat_actions(state, out),
        }
    }

    /// Plays one action without looking for the next decision.
    pub(crate) fn act(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        match state.phase {
            Phase::OptionalGroups => self.group_apply(state, action, context),
            Phase::Reserve => self.reserve_apply(state, action, context),
            Phase::FillingCup => self.cup_apply(state, action, context),
            Phase::Marker => self.marker_apply(state, action),
            Phase::CombinePoints => self.combine_apply(state, action, context),
            Phase::Sequence => self.sequence_apply(state, action, context),
            Phase::Formation => self.formation_apply(state, action, context),
            Phase::Fuel => self.fuel_apply(state, action, context),
            Phase::ArmyUnits => self.army_apply(state, action, context),
            Phase::ArmyPoints => self.army_points_apply(state, action, context),
            Phase::Engineering => self.digging_apply(state, action, context),
            Phase::Movement => self.movement_apply(state, action, context),
            Phase::Stack => self.stack_apply(state, action, context),
            Phase::Declaring => self.declaring_apply(state, action, context),
            Phase::Attackers => self.attacker_apply(state, action, context),
            Phase::Refusal => self.refusal_apply(state, action),
            Phase::RefusalLead => self.refusal_lead_apply(state, action, context),
            Phase::Reaction => self.reaction_apply(state, action),
            Phase::ReactionPoints => self.reaction_points_apply(state, action, context),
            Phase::NoRetreat => self.no_retreat_apply(state, action),
            Phase::NoRetreatLead => self.no_retreat_lead_apply(state, action, context),
            Phase::NoRetreatPoints => self.no_retreat_points_apply(state, action, context),
            Phase::Recovery => self.recovery_apply(state, action, context),
            Phase::Over => {}
            _ => self.combat_apply(state, action, context),
        }
    }

    /// Nothing is left to decide: ends the phase and starts what follows.
    pub(crate) fn finish_phase(&self, state: &mut State, context: &mut impl Rolls) {
        match state.phase {
            Phase::OptionalGroups => self.end_groups(state),
            Phase::Reserve => self.end_reserve(state, context),
            Phase::FillingCup => self.begin_operations(state, context),
            // A pool and a drawn marker always leave a choice or a forced one.
            Phase::Marker | Phase::Sequence => self.end_operations_sequence(state, context),
            Phase::CombinePoints => self.combine(state, 0, context),
            Phase::Formation => self.begin_fuel(state),
            Phase::Fuel => self.end_fuel(state),
            Phase::ArmyUnits => self.end_army_units(state),
            Phase::ArmyPoints => self.try_army_unit(state, 0, context),
            Phase::Engineering => self.end_digging(state, context),
            Phase::Movement => self.end_movement(state, context),
            Phase::Stack => self.stop(state),
            Phase::Declaring => self.end_declaring(state, context),
            Phase::Attackers => self.drop_declaration(state),
            Phase::Refusal => self.begin_reaction(state),
            Phase::RefusalLead => state.phase = Phase::Refusal,
            Phase::Reaction => self.begin_no_retreat(state),
            Phase::ReactionPoints => self.try_reaction(state, 0, context),
            Phase::NoRetreat => self.begin_combat_phase(state),
            Phase::NoRetreatLead => state.phase = Phase::NoRetreat,
            Phase::NoRetreatPoints => self.try_no_retreat(state, 0, context),
            Phase::Recovery => self.end_recovery(state, context),
            Phase::Over => {}
            _ => self.combat_end(state, context),
        }
    }
}
