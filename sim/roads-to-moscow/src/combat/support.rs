//! Air and artillery units committed to a combat (12, 13.2).

use sandtable_core::{Dice, Index};

use crate::battle::{Battle, Fire, Occasion, Role};
use crate::game::RoadsToMoscow;
use crate::ids::{Air, AirId, FormationId, Player, UnitId, Units};
use crate::phase::{Phase, Sequence};
use crate::state::{Mark, State};

impl RoadsToMoscow {
    /// The player of a part in the combat at hand.
    #[inline]
    pub(super) fn combatant(&self, state: &State, role: Role) -> Player {
        Battle::player(role, state.active)
    }

    // ---- air (13.2) ----

    /// The parts in the order in which they commit air units: the Soviet's first (13.22).
    pub(super) fn air_roles(state: &State) -> [Role; 2] {
        match state.active {
            Player::Soviet => [Role::Attacker, Role::Defender],
            Player::German => [Role::Defender, Role::Attacker],
        }
    }

    /// Whether air units of a side may fly to the combat: a headquarters in order that may call them stands within Command Range
    /// of the Defender hex (13.21, R33).
    fn may_call_air(&self, state: &State, role: Role) -> bool {
        let battle = &state.battle;
        let defending = self.formation(battle.lead[1]);
        self.sets()
            .headquarters
            .and(self.units_of(self.combatant(state, role)))
            .and(&state.on_map)
            .difference(state.marked(Mark::Disorganised))
            .iter()
            .any(|unit| {
                let of = self.formation(unit);
                let eligible = match role {
                    Role::Attacker => of.is_some_and(|of| state.formations.contains(of)),
                    Role::Defender => defending.is_none() || of == defending,
                };
                eligible && self.in_command_range(state.at(unit), battle.target)
            })
    }

    /// Air units that the side at hand may still commit. Of units that are alike the first is taken.
    pub(super) fn air_available(&self, state: &State) -> Air {
        let battle = &state.battle;
        let (role, numbers) = (battle.role, &self.rules.numbers);
        let player = self.combatant(state, role);
        let most = match battle.occasion {
            Occasion::Declared => numbers.air_units,
            // 8.56d: the German's own overruns alone; 13.26b: nobody in defence.
            Occasion::Overrun if role == Role::Attacker && player == Player::German => {
                numbers.overrun_air_units
            }
            _ => 0,
        };
        let committed = battle.air[role.index()];
        if committed.len() >= u32::from(most) {
            return Air::EMPTY;
        }
        let unit = |air: AirId| &self.rules.air[air.at()];
        let ready = state.ready.difference(&committed).filter(|air| unit(air).player == player);
        if ready.is_empty() || !self.may_call_air(state, role) {
            return Air::EMPTY;
        }
        let last = committed.iter().last();
        ready.filter(|air| {
            let alike = |other: AirId| {
                (unit(air).cas, unit(air).efficiency) == (unit(other).cas, unit(other).efficiency)
            };
            last.is_none_or(|last| air > last) && !ready.iter().take_while(|&other| other < air).any(alike)
        })
    }

    /// Air units that may be the lead: the first of each efficiency.
    pub(super) fn air_leads(&self, state: &State) -> Air {
        let committed = state.battle.air[state.battle.role.index()];
        let rating = |air: AirId| self.rules.air[air.at()].efficiency;
        committed.filter(|air| {
            !committed.iter().take_while(|&other| other < air).any(|other| rating(other) == rating(air))
        })
    }

    /// Whose committed air units are secret now, because the other has still to commit his own (10.41, optional).
    pub(crate) fn secret_air(&self, state: &State) -> Option<Player> {
        let [first, second] = Self::air_roles(state);
        let secret = self.rules.options.simultaneous_cas
            && state.phase == Phase::Air
            && state.battle.occasion == Occasion::Declared
            && state.battle.role == second;
        secret.then(|| self.combatant(state, first))
    }

    /// Takes back what is secret (10.41): the combat as the other player sees it.
    pub(crate) fn hide_air(state: &mut State) {
        let [first, _] = Self::air_roles(state);
        state.battle.air[first.index()] = Air::EMPTY;
    }

    /// Commits air units for the player whose choice is secret: any set that he could have committed, with the same probability.
    pub(crate) fn deal_air(&self, state: &mut State, dice: &mut impl Dice) {
        let [first, second] = Self::air_roles(state);
        state.battle.role = first;
        // Sets of one more unit come from those of one less.
        let mut sets = [Air::EMPTY; 64];
        let (mut at, mut count) = (0, 1);
        while at < count {
            state.battle.air[first.index()] = sets[at];
            for air in self.air_available(state) {
                if let Some(set) = sets.get_mut(count) {
                    *set = state.battle.air[first.index()];
                    set.insert(air);
                    count += 1;
                }
            }
            at += 1;
        }
        state.battle.air[first.index()] = sets[dice.below(count as u32) as usize];
        state.battle.role = second;
    }

    // ---- artillery (12.1, 12.2) ----

    /// Whether an artillery unit can fire at the Defender hex at all: neither fired nor disorganised, in range, with support
    /// left (12.13a, d; 3.54c).
    fn can_fire(&self, state: &State, unit: UnitId) -> bool {
        !state.has(unit, Mark::Fired)
            && !state.has(unit, Mark::Disorganised)
            && self.distance(state.at(unit), state.battle.target) <= u32::from(self.unit(unit).range)
            && self.support_given(unit, state.battle.target, Fire::Full) > 0
    }

    /// Artillery that may still be named for the attack (12.13b, 12.14): in an enemy zone only beside the Defender hex.
    fn attacking_artillery(&self, state: &State) -> Units {
        let named = &state.battle.support[0];
        let last = named.iter().last();
        let artillery = self.sets().artillery.and(self.units_of(state.active)).and(&state.on_map);
        artillery.filter(|unit| {
            let hex = state.at(unit);
            let beside = self.distance(hex, state.battle.target) == 1;
            last.is_none_or(|last| unit > last)
                && self.can_fire(state, unit)
                && self.may_support_attack(state, unit)
                && (beside
                    || !self.in_zoc(state, hex, state.active.enemy())
                        && self.has_room_for_distant(state, Role::Attacker, unit))
        })
    }

    /// Whether a unit may support the attack: active (12.13b, 7.48); if two formations are active in a Mobile Sequence, of the
    /// one that attacks alone, or with units of both stacked in an attacking hex (7.35, R58).
    fn may_support_attack(&self, state: &State, unit: UnitId) -> bool {
        if !self.is_active(state, unit) {
            return false;
        }
        let Some(own) = self.formation(unit) else { return true };
        let attackers = &state.battle.attackers;
        state.sequence != Sequence::Mobile
            || state.formations.len() < 2
            || attackers.iter().filter_map(|unit| self.formation(unit)).all(|of| of == own)
            || attackers.iter().any(|one| {
                attackers.iter().any(|other| {
                    state.at(one) == state.at(other)
                        && self.formation(one).is_some_and(|of| of == own)
                        && self.formation(other).is_some_and(|of| of != own)
                })
            })
    }

    /// Whether one more non-adjacent unit may be named (12.13f2): an Arko lifts the limit for a German attack if it has them all
    /// in its range (16.12, R78).
    fn has_room_for_distant(&self, state: &State, role: Role, unit: UnitId) -> bool {
        let named = &state.battle.support[role.index()];
        let distant = named.iter().filter(|&other| self.distance(state.at(other), state.battle.target) > 1);
        if distant.count() < usize::from(self.rules.numbers.artillery_units) {
            return true;
        }
        let mut all = *named;
        all.insert(unit);
        let mut arko = self.sets().arko.and(self.units_of(state.active)).iter();
        role == Role::Attacker && arko.any(|arko| self.arko_directs(state, arko, &all))
    }

    /// Artillery that may still be named for the defence (12.13c, 12.14, 12.23, 12.25): of the lead's formation, the Army's near a
    /// headquarters of it, and one unit of the Defender hex beside a unit that is not artillery; none that supports attacks alone.
    fn defending_artillery(&self, state: &State) -> Units {
        let (battle, player) = (&state.battle, state.active.enemy());
        let named = &battle.support[1];
        let last = named.iter().last();
        let formation = self.formation(battle.lead[1]);
        let inside_named = named.intersects(&battle.defenders);
        let escorted = !battle.defenders.difference(&self.sets().artillery).is_empty();
        let artillery = self.sets().artillery.and(self.units_of(player)).and(&state.on_map);
        artillery.filter(|unit| {
            if last.is_some_and(|last| unit <= last)
                || self.unit(unit).support_attack_only
                || !self.can_fire(state, unit)
            {
                return false;
            }
            let hex = state.at(unit);
            if !self.supports_in_reserve(state, unit) {
                return false;
            }
            if hex == battle.target {
                return escorted && !inside_named && battle.defenders.contains(unit);
            }
            battle.occasion == Occasion::Declared
                && formation.is_some_and(|formation| self.supports_formation(state, unit, formation))
                && !battle.pinned.contains(unit)
                && !self.in_zoc(state, hex, state.active)
                && (self.distance(hex, battle.target) == 1
                    || self.has_room_for_distant(state, Role::Defender, unit))
        })
    }

    /// 5.32: artillery of a formation in Reserve supports only if it is supplied, in its own hex as in others.
    fn supports_in_reserve(&self, state: &State, unit: UnitId) -> bool {
        let supplied = !state.has(unit, Mark::Emergency) && !state.has(unit, Mark::Unsupplied);
        supplied || self.formation(unit).is_none_or(|of| !state.in_reserve(of))
    }

    /// 12.13c: of the lead's formation; of the Army within Command Range of one of its headquarters.
    fn supports_formation(&self, state: &State, unit: UnitId, formation: FormationId) -> bool {
        if let Some(of) = self.formation(unit) {
            return of == formation;
        }
        let headquarters = self.units_in(formation).and(&self.sets().headquarters).and(&state.on_map);
        headquarters.iter().any(|hq| self.in_command_range(state.at(hq), state.at(unit)))
    }

    /// Artillery that the side at hand may still name.
    pub(super) fn artillery_available(&self, state: &State) -> Units {
        match (state.battle.role, state.battle.occasion) {
            (Role::Attacker, Occasion::Declared) => self.attacking_artillery(state),
            (Role::Attacker, _) => Units::EMPTY,
            (Role::Defender, _) => self.defending_artillery(state),
        }
    }

    /// Supporting units of which one is coordinated without a check (12.17): beside the Defender hex in attack, in it in defence.
    pub(super) fn sure_candidates(&self, state: &State, role: Role) -> Units {
        let near = match role {
            Role::Attacker => 1,
            Role::Defender => 0,
        };
        state.battle.support[role.index()]
            .filter(|unit| self.distance(state.at(unit), state.battle.target) == near)
    }

    /// Whether a side's artillery must be checked: not if its only unit is sure (R35).
    pub(super) fn must_coordinate_artillery(state: &State, role: Role) -> bool {
        let at = role.index();
        state.battle.support[at].len() > u32::from(!state.battle.sure[at].is_none())
    }
}
