//! Who loses steps (11.2, 11.4): lead units first, Armour Attrition, reduced losses, and what red results do to aircraft and
//! leaders.

use sandtable_core::{Context, Dice};

use super::{Battle, Kind, Role, Stage};
use crate::event::Event;
use crate::game::RoadsToMoscow;
use crate::state::State;
use crate::{Unit, Units};

impl RoadsToMoscow {
    /// Units of a side that results can touch and that are left: the attackers with the artillery that supports from beside
    /// the hex (12.16), the defenders.
    pub(super) fn force(&self, state: &State, role: Role) -> Units {
        let battle = &state.combat.battle;
        let all = match role {
            Role::Attacker => battle.attackers.or(&self.joined(state)),
            Role::Defender => battle.defenders,
        };
        all.filter(|unit| self.is_on_map(state, unit))
    }

    /// Supporting artillery of the attack that stands beside the Defender hex (12.16, R29).
    fn joined(&self, state: &State) -> Units {
        let battle = &state.combat.battle;
        battle.support[0].filter(|unit| {
            self.is_on_map(state, unit) && self.board().distance(state.hex(unit), battle.target) == 1
        })
    }

    fn steps_of(&self, state: &State, units: Units) -> u8 {
        units.iter().map(|unit| state.steps(unit)).sum()
    }

    /// Whether a unit makes a combat liable to Armour Attrition by its presence in the Defender hex (11.23a).
    fn is_liable(&self, unit: Unit) -> bool {
        self.is_armoured(unit) || self.is_red_defence(unit)
    }

    /// What the result costs each side, before anybody has lost anything (11.23 to 11.25, R95).
    pub(super) fn assess_losses(&self, state: &mut State) {
        let (attackers, defenders) = (self.force(state, Role::Attacker), self.force(state, Role::Defender));
        let late = state.combat.battle.late;
        let available = [self.steps_of(state, attackers), self.steps_of(state, defenders.or(&late))];
        let marker = state.combat.battle.kind == Kind::Attack
            && self.is_no_retreat(state, state.combat.battle.target);
        let battle = &mut state.combat.battle;
        let result = battle.result;
        battle.attrition = result.red
            && attackers.iter().any(|unit| self.is_armoured(unit))
            && defenders.iter().any(|unit| self.is_liable(unit));
        battle.firm = marker && result.defender.retreats;
        let (attack, defence) = (result.attacker.steps, result.defender.steps);
        let stand = u8::from(battle.firm);
        let reduced = [available[1] < defence + stand, available[0] < attack];
        battle.owed = [attack.saturating_sub(u8::from(reduced[0])), defence];
        battle.firm_steps = stand;
        if reduced[1] {
            match &mut battle.owed[1] {
                0 => battle.firm_steps = 0,
                numerical => *numerical -= 1,
            }
        }
        if battle.attrition && battle.owed[0] == 0 {
            battle.owed[0] = 1;
        }
    }

    /// Units of which one must lose the next step.
    pub(super) fn step_losers(&self, state: &State) -> Units {
        let battle = &state.combat.battle;
        let at = battle.role as usize;
        if battle.owed[at] == 0 {
            return Units::EMPTY;
        }
        let force = self.force(state, battle.role);
        if battle.attrition && (battle.role == Role::Defender || !battle.begun[0]) {
            let first = force.filter(|unit| match battle.role {
                Role::Attacker => self.is_armoured(unit),
                Role::Defender => self.is_liable(unit),
            });
            if !first.is_empty() {
                return first;
            }
        }
        if !battle.begun[at] && force.contains(battle.lead[at]) {
            return Units::one(battle.lead[at]);
        }
        match battle.role {
            // 11.36: what the proper defenders cannot bear.
            Role::Defender if force.is_empty() => battle.late.filter(|unit| self.is_on_map(state, unit)),
            _ => force,
        }
    }

    /// Units of which one loses the step of a defence without retreat (11.42b): the lead, else the most efficient.
    pub(super) fn firm_losers(&self, state: &State) -> Units {
        let battle = &state.combat.battle;
        let force = self.force(state, Role::Defender);
        if battle.firm_steps == 0 || force.is_empty() {
            return Units::EMPTY;
        }
        if force.contains(battle.lead[1]) {
            return Units::one(battle.lead[1]);
        }
        let best = force.iter().map(|unit| self.er(state, unit)).max();
        force.filter(|unit| Some(self.er(state, unit)) == best)
    }

    /// A unit in the combat loses a step.
    pub(super) fn bear_step<T: Context<Event>>(&self, state: &mut State, unit: Unit, context: &mut T) {
        let at = usize::from(self.side_of(unit) != state.combat.battle.attacker);
        self.lose_step(state, unit, context);
        state.combat.battle.lost[at] += 1;
        self.forget_the_dead(state, unit);
    }

    /// A unit in the combat is eliminated.
    pub(super) fn perish<T: Context<Event>>(&self, state: &mut State, unit: Unit, context: &mut T) {
        let at = usize::from(self.side_of(unit) != state.combat.battle.attacker);
        state.combat.battle.lost[at] += state.steps(unit);
        self.eliminate(state, unit, context);
        self.forget_the_dead(state, unit);
    }

    fn forget_the_dead(&self, state: &mut State, unit: Unit) {
        if self.is_on_map(state, unit) {
            return;
        }
        let at = usize::from(self.side_of(unit) != state.combat.battle.attacker);
        state.combat.late.remove(unit);
        let battle = &mut state.combat.battle;
        battle.gone[at] += 1;
        for set in [
            &mut battle.attackers,
            &mut battle.defenders,
            &mut battle.late,
            &mut battle.moving,
            &mut battle.moved,
            &mut battle.rockets,
            &mut battle.group,
        ] {
            set.remove(unit);
        }
        battle.through.iter_mut().for_each(|set| set.remove(unit));
    }

    /// All units of a side are eliminated (11.11, E).
    pub(super) fn wipe_out<T: Context<Event>>(&self, state: &mut State, role: Role, context: &mut T) {
        for unit in self.force(state, role) {
            self.perish(state, unit, context);
        }
    }

    /// A red result: every air unit still on the combat checks, the Soviet's first, and every leader whose points served
    /// coordination and who stands in the Defender hex or an attacking one (13.17, 15.34b, R94).
    pub(super) fn survive_red_result<T: Context<Event>>(&self, state: &mut State, context: &mut T) {
        let Battle { air, leaders, target, attackers, .. } = state.combat.battle;
        for role in self.air_roles(&state.combat.battle) {
            for unit in air[role as usize] {
                let er = self.air_unit(unit).er;
                let roll = context.die(10) as u8;
                if roll > er {
                    state.combat.battle.air[role as usize].remove(unit);
                    state.lose_air(unit);
                    context.emit(|| Event::AirLost { air: unit });
                }
            }
        }
        for leader in leaders {
            let hex = state.hex(leader);
            let near = hex == target || attackers.iter().any(|unit| state.hex(unit) == hex);
            if near && !self.check_er(state, leader, 0, context) {
                self.eliminate(state, leader, context);
            }
        }
    }

    /// Disorganises what the result says (11.11, d).
    pub(super) fn disorganise_force(&self, state: &mut State, role: Role) {
        let late = if role == Role::Defender { state.combat.battle.late } else { Units::EMPTY };
        for unit in self.force(state, role).or(&late) {
            self.disorganise(state, unit);
        }
    }

    /// The stack repulsed by an overrun loses a step of its owner's choice (8.57).
    pub(super) fn repulsed(&self, state: &State) -> Units {
        let battle = &state.combat.battle;
        if battle.stage == Stage::Repulse && battle.owed[0] > 0 {
            self.force(state, Role::Attacker)
        } else {
            Units::EMPTY
        }
    }
}
