//! Combat, from the first declared attack that is fought to the last advance (10 to 13, 16.1, 16.3), and the fight of an
//! overrun (8.5); retreats and advances after a refusal too (9.2).
//!
//! # What comes in
//!
//! * [`RoadsToMoscow::begin_combat_phase`]: all declared attacks stand in [`State::attacks`], in stage `Declared`; the
//!   active player picks one after the other in [`Phase::Combat`]. When none is left, the module calls
//!   [`RoadsToMoscow::end_operations_sequence`].
//! * [`RoadsToMoscow::begin_overrun`]: the stack [`State::moving`] overruns a hex; movement points are paid. When all is
//!   done, the module calls [`RoadsToMoscow::overrun_fought`], which lets the stack enter or stops it.
//! * [`RoadsToMoscow::begin_refusal_retreat`]: units of a hex retreat in refusal. When they stand, the module lets the
//!   attackers advance (R23), and calls [`RoadsToMoscow::refusal_over`].
//!
//! # What the rest of the crate gives
//!
//! * `units`: efficiency, checks, strengths, [`RoadsToMoscow::lose_step`], [`RoadsToMoscow::eliminate`],
//!   [`RoadsToMoscow::disorganise`]; `control`: [`RoadsToMoscow::put`], zones, stacking; `command`: who may spend points,
//!   [`RoadsToMoscow::offer_points`]; `crossing`: which sides bar whom.
//! * Every change of place through `put`, every loss through `lose_step` or `eliminate`: they keep what is derived, count
//!   victory points and take lost units out of attacks.
//!
//! # How it is played
//!
//! Each step is a [`Phase`] between `Combat` and `AdvanceTo`; [`State::decider`] says whose decision it is and must be
//! set on entering a step. Generators offer actions in ascending order and offer nothing if nothing is to be decided;
//! then `combat_end` goes on to the next step. A list that is made piece by piece (air units, artillery) is closed by
//! [`Action::Pass`].

use sandtable_core::{ActionSink, Flow, Hex};

use crate::Rolls;
use crate::action::Action;
use crate::battle::{Battle, Occasion};
use crate::game::RoadsToMoscow;
use crate::ids::Units;
use crate::phase::Phase;
use crate::state::{Stage, State};

impl RoadsToMoscow {
    // ---- what comes in ----

    /// The Combat Phase begins: refusals, reactions and No-Retreat declarations are over.
    pub(crate) fn begin_combat_phase(&self, state: &mut State, context: &mut impl Rolls) {
        let _ = context;
        state.phase = Phase::Combat;
        state.decider = state.active;
    }

    /// The stack on the move overruns a hex (8.56).
    pub(crate) fn begin_overrun(&self, state: &mut State, target: Hex, context: &mut impl Rolls) {
        state.battle = Battle { occasion: Occasion::Overrun, target, ..Battle::NONE };
        self.overrun_fought(state, false, context);
    }

    /// Units of a hex retreat because they refuse combat (9.23a): two hexes, no vacant zone of control (R22).
    pub(crate) fn begin_refusal_retreat(
        &self,
        state: &mut State,
        units: &Units,
        from: Hex,
        context: &mut impl Rolls,
    ) {
        let _ = (units, from);
        self.refusal_over(state, context);
    }

    /// Whether all units of a hex could retreat as a refusal asks (R22).
    pub(crate) fn could_refuse(&self, state: &State, units: &Units, from: Hex) -> bool {
        let _ = (state, units, from);
        false
    }

    /// Odds of an attack as 10.53a looks at them: offence after halvings against defence, without artillery, air units and
    /// reactions (R45). `(attack, defence)`.
    pub fn declared_strengths(&self, state: &State, attackers: &Units, target: Hex) -> (u32, u32) {
        let defenders = self.combat_units(state, target, state.active.enemy());
        let attack = attackers.iter().map(|unit| u32::from(self.offence(state, unit))).sum();
        let defence = defenders.iter().map(|unit| u32::from(self.defence(state, unit))).sum();
        (attack, defence)
    }

    // ---- the steps ----

    /// Legal actions of the combat step at hand.
    pub(crate) fn combat_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        match state.phase {
            Phase::Combat => {
                let declared = state.attacks().iter().filter(|attack| attack.stage == Stage::Declared);
                let targets: crate::ids::Hexes = declared.map(|attack| attack.target).collect();
                out.all([targets], |_, hex| Action::Target(hex))
            }
            _ => Flow::Continue(()),
        }
    }

    /// Plays an action of the combat step at hand.
    pub(crate) fn combat_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let _ = context;
        if let (Phase::Combat, Action::Target(hex)) = (state.phase, action)
            && let Some(attack) = state.attack_on(hex)
        {
            state.attacks[attack].stage = Stage::Done;
        }
    }

    /// Nothing is to be decided in the combat step at hand: goes on to the next.
    pub(crate) fn combat_end(&self, state: &mut State, context: &mut impl Rolls) {
        if state.phase == Phase::Combat {
            self.end_operations_sequence(state, context);
        }
    }
}
