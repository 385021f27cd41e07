//! Strengths (10.5): halvings, support and its caps.

use sandtable_core::Hex;

use crate::battle::{Fire, Role};
use crate::game::RoadsToMoscow;
use crate::ids::{UnitId, Units};
use crate::rules::Water;
use crate::state::{Mark, State};

impl RoadsToMoscow {
    /// Odds of an attack as 10.53a looks at them: offence after halvings against defence, without artillery, air units and
    /// reactions (R45). `(attack, defence)`.
    pub fn declared_strengths(&self, state: &State, attackers: &Units, target: Hex) -> (u32, u32) {
        let defenders = self.combat_units(state, target, state.active.enemy());
        let defence = self.defence_of(state, &defenders.difference(state.marked(Mark::Retreated)));
        (u32::from(self.attack_strength(state, attackers, target)), u32::from(defence))
    }

    /// Offensive strength of units that attack a hex, without artillery (3.56, 10.24): those unsupplied are halved first, then
    /// those across a River, each group together and rounded down.
    pub fn attack_strength(&self, state: &State, attackers: &Units, target: Hex) -> u16 {
        // By whether it is across a River: supplied, unsupplied.
        let mut sums = [[0u16; 2]; 2];
        for unit in attackers {
            let across = self.attacks_across(state, unit, target, Water::River);
            let unsupplied = state.has(unit, Mark::Unsupplied);
            sums[usize::from(across)][usize::from(unsupplied)] += u16::from(self.offence(state, unit));
        }
        let [near, across] = sums.map(|[supplied, unsupplied]| supplied + unsupplied / 2);
        near + across / 2
    }

    /// Whether a unit attacks a hex across water of a kind, bridge or not.
    pub(super) fn attacks_across(&self, state: &State, unit: UnitId, target: Hex, water: Water) -> bool {
        let from = state.at(unit);
        self.board().direction(from, target).is_some_and(|way| self.side(from, way).water == water)
    }

    fn defence_of(&self, state: &State, units: &Units) -> u16 {
        units.iter().map(|unit| u16::from(self.defence(state, unit))).sum()
    }

    /// Support of one artillery unit: halved for Swamp (10.25), and again when half coordinated (10.42c), each time rounded
    /// down (3.54a).
    pub(super) fn support_given(&self, unit: UnitId, target: Hex, fire: Fire) -> u16 {
        let support = u16::from(self.unit(unit).support) >> u8::from(self.map().swamp.contains(target));
        match fire {
            Fire::Full => support,
            Fire::Half => support / 2,
            Fire::None => 0,
        }
    }

    /// Final strengths, attacker and defender (10.51): support is added up to the strength of the units that are not artillery
    /// (12.13f1), and replaces the defence of the artillery unit in the Defender hex that gives it (12.23, R35).
    pub fn final_strengths(&self, state: &State) -> [u16; 2] {
        let battle = &state.battle;
        let support = |role: Role| -> u16 {
            let at = role.index();
            let each = battle.support[at].iter().map(|unit| {
                let fire = if battle.sure[at] == unit { Fire::Full } else { battle.fire[at] };
                self.support_given(unit, battle.target, fire)
            });
            each.sum()
        };
        let attack = self.attack_strength(state, &battle.attackers, battle.target);
        let guns = battle.defenders.and(&self.sets().artillery);
        let defence = self.defence_of(state, &battle.defenders.difference(&guns));
        let idle = self.defence_of(state, &guns.difference(&battle.support[1]));
        [attack + support(Role::Attacker).min(attack), defence + idle + support(Role::Defender).min(defence)]
    }
}
