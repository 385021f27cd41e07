//! Die roll modifiers of combat (10.61), each on its own and their limited sum.

use super::{Battle, Kind, Role};
use crate::game::RoadsToMoscow;
use crate::state::State;

/// What each rule adds to the die of a combat.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Modifiers {
    /// Terrain of the Defender hex: the best for the defender (10.22a).
    pub hex: i8,
    /// Stream sides, if all attack across one (10.22b).
    pub stream: i8,
    /// Slopes, if all attack uphill (10.22b).
    pub slope: i8,
    /// Fortified Position or Line (14.12c).
    pub works: i8,
    /// Efficiency of the leads (10.61c).
    pub efficiency: i8,
    /// Air units of both sides (13.25).
    pub air: i8,
    /// No-Retreat marker (9.46a).
    pub no_retreat: i8,
    /// Combined arms (10.61f).
    pub combined_arms: i8,
    /// Failed ground coordination (10.61g).
    pub coordination: i8,
    /// Attacking engineers (10.61h).
    pub engineers: i8,
}

impl Modifiers {
    /// All of them together, before the limit.
    pub fn sum(&self) -> i8 {
        self.hex
            + self.stream
            + self.slope
            + self.works
            + self.efficiency
            + self.air
            + self.no_retreat
            + self.combined_arms
            + self.coordination
            + self.engineers
    }
}

impl RoadsToMoscow {
    /// The modifiers of the combat at hand.
    pub fn modifiers(&self, state: &State) -> Modifiers {
        let battle = &state.combat.battle;
        let numbers = &self.rules().combat;
        let (attackers, target) = (battle.attackers, battle.target);
        let all = |across: &dyn Fn(crate::Hex) -> bool| self.all_across(state, attackers, target, across);
        let defender = self.enemy_of(battle.attacker);

        let line = all(&|from| self.is_line(state, from, target));
        let position = self.has_position_of(state, target, defender);
        let town = self.is_town(target);
        let works = match () {
            () if line => numbers.fortified_line,
            () if position => numbers.fortified_position,
            () => 0,
        };
        let engineers =
            attackers.iter().any(|unit| self.is_engineer(unit) && !self.is_disorganised(state, unit));
        Modifiers {
            hex: self.hex_modifier(target),
            stream: if all(&|from| self.is_stream(from, target)) { numbers.stream } else { 0 },
            slope: if all(&|from| self.is_uphill(from, target)) { numbers.slope } else { 0 },
            works,
            efficiency: self.er(state, battle.lead[1]) as i8 - self.er(state, battle.lead[0]) as i8,
            air: self.air_modifier(battle, Role::Defender) - self.air_modifier(battle, Role::Attacker),
            no_retreat: if battle.kind == Kind::Attack && self.is_no_retreat(state, target) {
                numbers.no_retreat
            } else {
                0
            },
            combined_arms: if !town && works == 0 && self.arms_combine(state) { numbers.combined_arms } else { 0 },
            coordination: if battle.uncoordinated { numbers.failed_ground } else { 0 },
            engineers: if engineers && (town || works > 0) { numbers.engineers } else { 0 },
        }
    }

    fn air_modifier(&self, battle: &Battle, role: Role) -> i8 {
        battle.air[role as usize].iter().map(|air| self.air_unit(air).cas as i8).sum()
    }

    /// Whether the attack has armour and troops that work with it, and nothing in the hex stops them (10.61f); where the
    /// defender stands is asked elsewhere.
    fn arms_combine(&self, state: &State) -> bool {
        let battle = &state.combat.battle;
        let counts = |unit| {
            !self.is_disorganised(state, unit) && !self.is_bridged_river(state.hex(unit), battle.target)
        };
        let any = |is: &dyn Fn(crate::Unit) -> bool| battle.attackers.iter().any(|unit| is(unit) && counts(unit));
        !battle.defenders.iter().any(|unit| self.is_red_defence(unit))
            && any(&|unit| self.is_armoured(unit))
            && any(&|unit| self.is_combined_arms_partner(unit))
    }
}
