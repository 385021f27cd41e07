//! Who loses steps (11.2, 11.4): lead units first, Armour Attrition, reduced losses; what red results do to aircraft and leaders.

use sandtable_core::Index;

use crate::Rolls;
use crate::battle::{Occasion, Role};
use crate::event::{Cause, Check, Event};
use crate::game::RoadsToMoscow;
use crate::ids::{UnitId, Units};
use crate::state::State;

impl RoadsToMoscow {
    /// Units of a side that results can touch and that are left: the attackers with the artillery that supports from beside
    /// the hex (12.16, R29), the defenders.
    pub(super) fn force(&self, state: &State, role: Role) -> Units {
        let battle = &state.battle;
        match role {
            Role::Defender => battle.defenders,
            Role::Attacker => {
                let beside = |unit: UnitId| {
                    state.on_map.contains(unit) && self.distance(state.at(unit), battle.target) == 1
                };
                battle.attackers.or(&battle.support[0].filter(beside))
            }
        }
    }

    fn steps_of(&self, state: &State, units: &Units) -> u8 {
        units.iter().map(|unit| self.steps(state, unit)).sum()
    }

    /// Units whose presence in the Defender hex makes a combat liable to Armour Attrition (11.23a).
    fn liable(&self, units: &Units) -> Units {
        units.and(&self.sets().armoured.or(&self.sets().red_defence))
    }

    /// What the result costs each side, before anybody has lost anything (11.23 to 11.25, R95).
    pub(super) fn assess_losses(&self, state: &mut State) {
        let forces = Role::ALL.map(|role| self.force(state, role));
        let steps = [
            self.steps_of(state, &forces[0]),
            self.steps_of(state, &forces[1].or(&state.battle.late)), // 11.36
        ];
        let marker =
            state.battle.occasion == Occasion::Declared && state.no_retreat.contains(state.battle.target);
        let battle = &mut state.battle;
        let result = battle.result;
        battle.attrition =
            result.red && forces[0].intersects(&self.sets().armoured) && !self.liable(&forces[1]).is_empty();
        battle.stays = marker && result.defender.retreat;
        battle.stays_due = u8::from(battle.stays);
        battle.due = [result.attacker.steps, result.defender.steps];
        // 11.25: who cannot lose so many spares the other one step.
        let short = [steps[0] < battle.due[0], steps[1] < battle.due[1] + battle.stays_due];
        if short[1] {
            battle.due[0] = battle.due[0].saturating_sub(1);
        }
        if short[0] {
            match &mut battle.due[1] {
                0 => battle.stays_due = 0,
                numerical => *numerical -= 1,
            }
        }
        if battle.attrition {
            battle.due[0] = battle.due[0].max(1);
        }
    }

    /// Units of which one must lose the next step.
    pub(super) fn step_losers(&self, state: &State) -> Units {
        let battle = &state.battle;
        let at = battle.role.index();
        if battle.due[at] == 0 {
            return Units::EMPTY;
        }
        let force = self.force(state, battle.role);
        if battle.attrition {
            // 11.23: armour first; the defender's losses fall on what made the combat liable while it lasts (R30).
            let first = match battle.role {
                Role::Attacker if battle.begun[0] => Units::EMPTY,
                Role::Attacker => force.and(&self.sets().armoured),
                Role::Defender => self.liable(&force),
            };
            if !first.is_empty() {
                return first;
            }
        }
        if !battle.begun[at] && force.contains(battle.lead[at]) {
            return Units::one(battle.lead[at]);
        }
        // 11.36: what the proper defenders cannot bear falls on who came late.
        if battle.role == Role::Defender && force.is_empty() { battle.late } else { force }
    }

    /// A step is lost by the numerical result.
    pub(super) fn lose_numerical(&self, state: &mut State, unit: UnitId, context: &mut impl Rolls) {
        let battle = &mut state.battle;
        let at = battle.role.index();
        let cause = if battle.attrition && battle.role == Role::Attacker && !battle.begun[0] {
            Cause::Attrition
        } else {
            Cause::Combat
        };
        battle.due[at] -= 1;
        battle.begun[at] = true;
        self.bear(state, unit, cause, context);
    }

    /// Units of which one loses the step of a defence without retreat (11.42b): the lead, else the most efficient.
    pub(super) fn firm_losers(&self, state: &State) -> Units {
        let battle = &state.battle;
        if battle.stays_due == 0 || battle.defenders.is_empty() {
            return Units::EMPTY;
        }
        if battle.defenders.contains(battle.lead[1]) {
            return Units::one(battle.lead[1]);
        }
        let best = battle.defenders.iter().map(|unit| self.efficiency(state, unit)).max();
        battle.defenders.filter(|unit| Some(self.efficiency(state, unit)) == best)
    }

    /// A unit in the combat loses a step.
    pub(super) fn bear(&self, state: &mut State, unit: UnitId, cause: Cause, context: &mut impl Rolls) {
        self.lose_step(state, unit, cause, context);
        Self::forget_if_gone(state, unit);
    }

    /// A unit in the combat is eliminated.
    pub(super) fn perish(&self, state: &mut State, unit: UnitId, cause: Cause, context: &mut impl Rolls) {
        self.eliminate(state, unit, cause, context);
        Self::forget_if_gone(state, unit);
    }

    fn forget_if_gone(state: &mut State, unit: UnitId) {
        if state.on_map.contains(unit) {
            return;
        }
        let battle = &mut state.battle;
        let sets = [
            &mut battle.attackers,
            &mut battle.defenders,
            &mut battle.late,
            &mut battle.moving,
            &mut battle.moved,
            &mut battle.group,
            &mut battle.rockets,
        ];
        for set in sets.into_iter().chain(&mut battle.through) {
            set.remove(unit);
        }
    }

    /// All units of a side are eliminated (11.11, E).
    pub(super) fn wipe_out(&self, state: &mut State, role: Role, context: &mut impl Rolls) {
        for unit in self.force(state, role) {
            self.perish(state, unit, Cause::Combat, context);
        }
    }

    /// A red result: every air unit still on the combat checks, the Soviet's first (13.17, R94), and every leader whose points
    /// served coordination and who stands in the Defender hex or an attacking one (15.34b).
    pub(super) fn survive_red_result(&self, state: &mut State, context: &mut impl Rolls) {
        for role in Self::air_roles(state) {
            for unit in state.battle.air[role.index()] {
                let roll = context.die(10) as u8;
                if roll > self.rules.air[unit.at()].efficiency {
                    state.battle.air[role.index()].remove(unit);
                    state.ready.remove(unit);
                    context.emit(|| Event::AirLost { unit });
                }
            }
        }
        for leader in state.battle.leaders {
            let hex = state.at(leader);
            let near =
                hex == state.battle.target || state.battle.attackers.iter().any(|unit| state.at(unit) == hex);
            if near && !self.check_efficiency(state, Check::Survival, leader, 0, context) {
                self.eliminate(state, leader, Cause::Red, context);
            }
        }
    }
}
