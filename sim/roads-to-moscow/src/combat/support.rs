//! Air and artillery units committed to a combat (12, 13).

use super::{Battle, Kind, NOBODY, Role};
use crate::game::RoadsToMoscow;
use crate::rules::SequenceKind;
use crate::state::State;
use crate::{Airs, GERMAN, SOVIET, Unit, Units};

impl RoadsToMoscow {
    // ---- air (13.2) ----

    /// Whether air units of a side may fly to the combat: an HQ that may call them stands within Command Range of the Defender
    /// hex and is not disorganised (13.21, R33).
    fn may_call_air(&self, state: &State, battle: &Battle, role: Role) -> bool {
        let formation = self.formation(battle.lead[1]);
        self.staff_of(self.side_in(battle, role)).iter().any(|hq| {
            let eligible = match (role, self.formation(hq)) {
                (Role::Attacker, of) => of.is_some_and(|of| state.is_active(of)),
                (Role::Defender, of) => formation.is_none() || of == formation,
            };
            eligible
                && self.is_any_hq(hq)
                && self.is_on_map(state, hq)
                && !self.is_disorganised(state, hq)
                && self.board().distance(state.hex(hq), battle.target) <= self.rules().combat.command_range
        })
    }

    /// Air units that the side at hand may still commit. Units are named in ascending order, so that each set comes in one
    /// way; of units that are alike the first is taken.
    pub(super) fn air_available(&self, state: &State) -> Airs {
        let battle = &state.combat.battle;
        let (role, numbers) = (battle.role, &self.rules().combat);
        let side = self.side_in(battle, role);
        let most = match battle.kind {
            Kind::Overrun if role == Role::Defender => 0, // 13.26b
            Kind::Overrun if side == GERMAN => numbers.air_units_overrun_german,
            Kind::Overrun => numbers.air_units_overrun_soviet,
            _ => numbers.air_units,
        };
        let committed = battle.air[role as usize];
        let ready = state.ready_air(side).difference(&committed);
        if committed.len() >= u32::from(most) || ready.is_empty() || !self.may_call_air(state, battle, role) {
            return Airs::EMPTY;
        }
        let last = committed.iter().last();
        ready.filter(|air| {
            let alike = |other: u8| {
                let (a, b) = (self.air_unit(air), self.air_unit(other));
                (a.cas, a.er) == (b.cas, b.er)
            };
            last.is_none_or(|last| air > last) && !ready.iter().take_while(|&other| other < air).any(alike)
        })
    }

    /// Air units that may be the lead: one of each efficiency.
    pub(super) fn air_leads(&self, state: &State) -> Airs {
        let air = state.combat.battle.air[state.combat.battle.role as usize];
        let er = |unit| self.air_unit(unit).er;
        air.filter(|unit| !air.iter().take_while(|&other| other < unit).any(|other| er(other) == er(unit)))
    }

    // ---- artillery (12.1, 12.2) ----

    /// Whether an artillery unit can fire at all for the hex: it has support, is neither fired nor disorganised, and within
    /// range (12.13a, d; 3.54c).
    fn can_fire(&self, state: &State, unit: Unit, battle: &Battle) -> bool {
        self.is_on_map(state, unit)
            && !state.is_fired(unit)
            && !self.is_disorganised(state, unit)
            && self.board().distance(state.hex(unit), battle.target) <= u32::from(self.range(unit))
            && self.support_given(state, unit, battle.target, super::Fire::Full) > 0
    }

    /// Artillery that may still be named for the attack (12.13b, 7.35, 7.48, 12.14).
    fn attacking_artillery(&self, state: &State, battle: &Battle) -> Units {
        let (named, target) = (battle.support[0], battle.target);
        let last = named.iter().last();
        self.artillery_of(battle.attacker).filter(|unit| {
            let hex = state.hex(unit);
            let adjacent = self.board().distance(hex, target) == 1;
            last.is_none_or(|last| unit > last)
                && self.can_fire(state, unit, battle)
                && self.may_support_attack(state, unit, battle)
                && (adjacent || !self.in_zoc(state, hex, self.enemy_of(battle.attacker)))
                && (adjacent || self.has_room_for_distant(state, battle, Role::Attacker, unit))
        })
    }

    /// Whether the unit's formation may support the attack: an active one, if two are active in a Mobile Sequence only with
    /// non-artillery units of both stacked in an attacking hex, or if it attacks alone (7.35, R58); the Army's if activated.
    fn may_support_attack(&self, state: &State, unit: Unit, battle: &Battle) -> bool {
        let Some(of) = self.formation(unit) else { return state.is_activated(unit) };
        if !state.is_active(of) {
            return false;
        }
        if state.sequence == SequenceKind::Assault || state.active_formations() < 2 {
            return true;
        }
        let mut attackers = battle.attackers.iter().filter_map(|unit| self.formation(unit));
        attackers.all(|other| other == of) || self.formations_stacked(state, battle.attackers)
    }

    /// Whether units of two formations attack from one hex (7.35).
    pub(crate) fn formations_stacked(&self, state: &State, attackers: Units) -> bool {
        attackers.iter().any(|one| {
            attackers.iter().any(|other| {
                state.hex(one) == state.hex(other)
                    && self.formation(one).is_some()
                    && self.formation(other).is_some()
                    && self.formation(one) != self.formation(other)
            })
        })
    }

    /// Whether one more non-adjacent unit may be named (12.13f2): an Arko lifts the limit for a German attack, if it has all
    /// of them within its range (16.12, R78).
    fn has_room_for_distant(&self, state: &State, battle: &Battle, role: Role, unit: Unit) -> bool {
        let named = battle.support[role as usize];
        let distant = named.iter().filter(|&other| self.board().distance(state.hex(other), battle.target) > 1);
        if (distant.count() as u8) < self.rules().combat.distant_artillery {
            return true;
        }
        let mut all = named;
        all.insert(unit);
        role == Role::Attacker
            && battle.attacker == GERMAN
            && self.staff_of(GERMAN).iter().any(|arko| {
                self.is_arko(arko) && self.is_on_map(state, arko) && self.arko_serves(state, arko, all)
            })
    }

    /// Artillery that may still be named for the defence: of the lead's formation, the Army's near an HQ of it, one unit of the
    /// Defender hex beside a unit that is not artillery (12.13c, 12.14, 12.23, 12.25); none that fires in attack alone.
    fn defending_artillery(&self, state: &State, battle: &Battle) -> Units {
        let (named, target) = (battle.support[1], battle.target);
        let side = self.enemy_of(battle.attacker);
        let last = named.iter().last();
        let formation = self.formation(battle.lead[1]);
        let inside_named = named.iter().any(|unit| state.hex(unit) == target);
        let escorted = battle.defenders.iter().any(|unit| !self.is_artillery(unit));
        self.artillery_of(side).filter(|unit| {
            if last.is_some_and(|last| unit <= last)
                || self.fires_in_attack_only(unit)
                || !self.can_fire(state, unit, battle)
            {
                return false;
            }
            if state.hex(unit) == target {
                return escorted && !inside_named && battle.defenders.contains(unit);
            }
            battle.kind == Kind::Attack
                && formation.is_some_and(|formation| match self.formation(unit) {
                    Some(of) => of == formation,
                    None => self.is_near_hq_of(state, unit, formation),
                })
                && !state.combat.pinned.contains(unit)
                && !self.in_zoc(state, state.hex(unit), battle.attacker)
                && (self.board().distance(state.hex(unit), target) <= 1
                    || self.has_room_for_distant(state, battle, Role::Defender, unit))
        })
    }

    fn is_near_hq_of(&self, state: &State, unit: Unit, formation: crate::Formation) -> bool {
        self.staff_of(self.side_of(unit)).iter().any(|hq| {
            self.formation(hq) == Some(formation)
                && self.is_hq(hq)
                && self.is_on_map(state, hq)
                && self.board().distance(state.hex(hq), state.hex(unit)) <= self.rules().combat.command_range
        })
    }

    /// Artillery that the side at hand may still name.
    pub(super) fn artillery_available(&self, state: &State) -> Units {
        let battle = &state.combat.battle;
        match (battle.role, battle.kind) {
            (Role::Attacker, Kind::Attack) => self.attacking_artillery(state, battle),
            (Role::Attacker, _) => Units::EMPTY,
            (Role::Defender, _) => self.defending_artillery(state, battle),
        }
    }

    /// Units of which one is coordinated without a check (12.17): adjacent to the Defender hex in attack, in it in defence.
    pub(super) fn sure_candidates(&self, state: &State, role: Role) -> Units {
        let battle = &state.combat.battle;
        let near = match role {
            Role::Attacker => 1,
            Role::Defender => 0,
        };
        battle.support[role as usize]
            .filter(|unit| self.board().distance(state.hex(unit), battle.target) == near)
    }

    /// Whether a side's artillery must be checked: not if its only unit is sure (R35).
    pub(super) fn must_coordinate_artillery(battle: &Battle, role: Role) -> bool {
        let at = role as usize;
        battle.support[at].len() > u32::from(battle.sure[at] != NOBODY)
    }

    /// The side that commits its air units first, and the other (13.22).
    pub(super) fn air_roles(&self, battle: &Battle) -> [Role; 2] {
        if self.side_in(battle, Role::Attacker) == SOVIET {
            [Role::Attacker, Role::Defender]
        } else {
            [Role::Defender, Role::Attacker]
        }
    }

    /// The side of a part.
    pub(super) fn side_in(&self, battle: &Battle, role: Role) -> sandtable_core::Side {
        match role {
            Role::Attacker => battle.attacker,
            Role::Defender => self.enemy_of(battle.attacker),
        }
    }
}
