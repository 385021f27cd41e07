//! Strengths and the table they are fought on (10.2, 10.3, 10.5): halvings, support and its caps, odds.

use super::tables::{Crt, column};
use super::{Battle, Fire, Role};
use crate::game::RoadsToMoscow;
use crate::rules::SequenceKind;
use crate::state::State;
use crate::{Hex, Unit, Units};

impl RoadsToMoscow {
    /// Offensive strength of units that attack a hex, without artillery (3.56, 10.24): those unsupplied are halved first, then
    /// those across a River, each group together and rounded down.
    pub fn attack_strength(&self, state: &State, attackers: Units, target: Hex) -> u16 {
        // By whether it is across a River: supplied, unsupplied.
        let mut sums = [[0u16; 2]; 2];
        for unit in attackers {
            let across = self.is_river(state.hex(unit), target);
            sums[usize::from(across)][usize::from(self.is_unsupplied(state, unit))] += self.offence(state, unit);
        }
        let [near, across] = sums.map(|[supplied, unsupplied]| supplied + unsupplied / 2);
        near + across / 2
    }

    /// Defensive strength of all units of a hex (10.51), artillery with its defence (12.21); those that retreated into it in
    /// this phase add nothing (11.36).
    pub fn defence_strength(&self, state: &State, target: Hex, by: sandtable_core::Side) -> u16 {
        let defenders = self.combat_units_at(state, target, by).difference(&state.combat.late);
        defenders.iter().map(|unit| self.defence(state, unit)).sum()
    }

    /// Whether units could declare an attack on a hex: their odds, before artillery and reactions, reach 1-4 (9.14, 10.53a).
    pub fn reaches_least_odds(&self, state: &State, attackers: Units, target: Hex, defender: sandtable_core::Side) -> bool {
        let attack = self.attack_strength(state, attackers, target);
        attack > 0 && column(attack, self.defence_strength(state, target, defender)).is_some()
    }

    /// The tables on which an attack may be declared (10.32, 10.33): Assault always or as the only one, Mobile too if an
    /// armoured unit, an armoured car or cavalry attacks and nothing makes the Assault table obligatory.
    pub fn may_use_mobile_table(&self, state: &State, attackers: Units, target: Hex) -> bool {
        let obliged = state.sequence == SequenceKind::Assault
            || self.is_rain(state)
            || self.is_town(target)
            || self.has_enemy_position(state, target, state.acting())
            || self.all_across(state, attackers, target, |from| self.is_river(from, target))
            || self.all_across(state, attackers, target, |from| self.is_line(state, from, target));
        !obliged && attackers.iter().any(|unit| self.enables_mobile_table(unit))
    }

    /// Whether all attackers attack across a kind of side (10.22b).
    pub(super) fn all_across(
        &self,
        state: &State,
        attackers: Units,
        _target: Hex,
        across: impl Fn(Hex) -> bool,
    ) -> bool {
        !attackers.is_empty() && attackers.iter().all(|unit| across(state.hex(unit)))
    }

    /// Support of one artillery unit: halved for Swamp (10.25), and again when half coordinated (10.42c), each time rounded
    /// down.
    pub(super) fn support_given(&self, state: &State, unit: Unit, target: Hex, fire: Fire) -> u16 {
        let support = self.support(unit) >> u8::from(self.is_swamp(target));
        let _ = state;
        match fire {
            Fire::Full => support,
            Fire::Half => support / 2,
            Fire::None => 0,
        }
    }

    /// Final strengths of both sides (10.51): support is added up to the strength of the units that are not artillery
    /// (12.13f1), and replaces the defence of the artillery unit in the Defender hex that gives it (12.23).
    pub(super) fn final_strengths(&self, state: &State) -> [u16; 2] {
        let battle = &state.combat.battle;
        let supports = |role: Role| -> u16 {
            let at = role as usize;
            let each = battle.support[at].iter().map(|unit| {
                let sure = battle.sure[at] == unit;
                self.support_given(state, unit, battle.target, if sure { Fire::Full } else { battle.fire[at] })
            });
            each.sum()
        };
        let attack = self.attack_strength(state, battle.attackers, battle.target);
        let attack = attack + supports(Role::Attacker).min(attack);
        let (mut defence, mut guns) = (0, 0);
        for unit in battle.defenders {
            if !self.is_artillery(unit) {
                defence += self.defence(state, unit);
            } else if !battle.support[Role::Defender as usize].contains(unit) {
                guns += self.defence(state, unit);
            }
        }
        [attack, defence + guns + supports(Role::Defender).min(defence)]
    }

    /// The column of the final odds (10.52).
    pub(super) fn final_column(&self, battle: &Battle) -> Option<u8> {
        column(battle.strength[0], battle.strength[1])
    }

    /// Hexes of a retreat on a table, least and most (11.31).
    pub(super) fn retreat_distance(&self, battle: &Battle) -> (u8, u8) {
        let numbers = &self.rules().combat;
        match (battle.kind, battle.crt) {
            (super::Kind::Attack, Crt::Assault) => numbers.retreat_assault,
            _ => numbers.retreat_mobile,
        }
    }
}
