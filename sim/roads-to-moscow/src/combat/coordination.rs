//! Command Points and the three coordination checks (10.4, 15.2, 16.1).

use sandtable_core::{Context, Dice};

use super::{Battle, Fire, Kind, Role, Stage};
use crate::event::Event;
use crate::game::RoadsToMoscow;
use crate::rules::{SequenceKind, Weather};
use crate::state::State;
use crate::{Unit, Units};

/// A coordination check.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Check {
    /// Close air support (10.41).
    Air,
    /// Artillery (10.42).
    Artillery,
    /// The attacker's ground units (10.43).
    Ground,
}

impl RoadsToMoscow {
    // ---- Command Points (15.2) ----

    /// The check that Command Points are being spent on.
    pub(super) fn check_at_hand(stage: Stage) -> Check {
        match stage {
            Stage::AirLead | Stage::AirPoints => Check::Air,
            Stage::ArtilleryLead | Stage::ArtilleryPoints => Check::Artillery,
            _ => Check::Ground,
        }
    }

    /// Whether an HQ belongs to the formation of the ground lead of a side's units in the combat: a lead of the Army belongs
    /// to the active formations when it attacks, to none when it defends (15.13, R76).
    fn is_staff_of_lead(&self, state: &State, role: Role, hq: Unit) -> bool {
        let lead = state.combat.battle.lead[role as usize];
        match (self.formation(lead), self.formation(hq)) {
            (Some(formation), Some(of)) => formation == of,
            (None, Some(of)) => role == Role::Attacker && state.is_active(of),
            (_, None) => false,
        }
    }

    /// HQs and leaders that may give their Command Points to the check at hand, after those that have.
    pub(super) fn staff_available(&self, state: &State) -> Units {
        let battle = &state.combat.battle;
        if battle.kind != Kind::Attack {
            return Units::EMPTY; // 8.5, R73
        }
        let (role, check) = (battle.role, Self::check_at_hand(battle.stage));
        let side = self.side_in(battle, role);
        // One HQ and one leader a check; in an enemy combat a Defender hex (15.23b2, 15.23c1).
        let given = if role == Role::Defender { battle.defending_staff } else { battle.staff };
        let has_hq = given.iter().any(|unit| self.is_hq(unit));
        let has_leader = given.iter().any(|unit| self.is_leader(unit));
        let lead = state.hex(battle.lead[role as usize]);
        // In ascending order, so that each set is spent in one way.
        let last = battle.staff.iter().last();
        self.staff_of(side).filter(|unit| {
            let hex = state.hex(unit);
            if !self.is_on_map(state, unit)
                || last.is_some_and(|last| unit <= last)
                || state.is_spent(unit)
                || self.is_disorganised(state, unit)
            {
                return false;
            }
            if self.is_arko(unit) {
                return check == Check::Artillery && role == Role::Attacker && self.arko_serves(state, unit, battle.support[0]);
            }
            if self.board().distance(hex, lead) > self.rules().combat.command_range {
                return false;
            }
            if self.is_hq(unit) {
                return !has_hq && self.is_staff_of_lead(state, role, unit);
            }
            let with = self.combat_units_at(state, hex, side);
            !has_leader
                && with.iter().any(|hq| self.is_hq(hq) && self.is_staff_of_lead(state, role, hq)
                    || check == Check::Air && self.is_any_hq(hq) && self.lead_takes_points(state, role))
        })
    }

    /// A defending lead of the Army gets no Command Points (R76).
    fn lead_takes_points(&self, state: &State, role: Role) -> bool {
        role == Role::Attacker || self.formation(state.combat.battle.lead[1]).is_some()
    }

    /// Whether the Arko, activated and in order, has all these artillery units within its range (16.11, 16.12, R78).
    pub(super) fn arko_serves(&self, state: &State, arko: Unit, artillery: Units) -> bool {
        state.is_activated(arko)
            && !self.is_disorganised(state, arko)
            && artillery.iter().all(|unit| {
                self.board().distance(state.hex(unit), state.hex(arko)) <= self.rules().combat.command_range
            })
    }

    /// An HQ or leader spends its points on the check at hand (15.22).
    pub(super) fn spend<T: Context<Event>>(&self, state: &mut State, unit: Unit, context: &mut T) {
        let _ = context;
        state.set_spent(unit, true);
        let battle = &mut state.combat.battle;
        battle.staff.insert(unit);
        if battle.role == Role::Defender && !self.is_arko(unit) {
            battle.defending_staff.insert(unit);
        }
        if self.is_leader(unit) {
            battle.leaders.insert(unit);
        }
    }

    /// The modifier of the points spent on the check at hand.
    fn points(&self, battle: &Battle) -> i8 {
        let points: u8 = battle.staff.iter().map(|unit| self.command_points(unit)).sum();
        points as i8 * self.rules().coordination.command_point
    }

    // ---- the checks ----

    /// Modifier of a side's check of its air units (10.41).
    pub(super) fn air_coordination(&self, state: &State) -> i8 {
        let (battle, table) = (&state.combat.battle, &self.rules().coordination);
        let weather = match state.weather {
            Weather::Dry => 0,
            Weather::Overcast => table.air_overcast,
            Weather::Rain => table.air_rain,
        };
        let mobile = battle.kind == Kind::Overrun || state.sequence == SequenceKind::Mobile;
        let soviet = self.side_in(battle, battle.role) == crate::SOVIET;
        weather
            + if mobile { table.air_mobile } else { 0 }
            + if soviet { table.air_soviet } else { 0 }
            + self.points(battle)
    }

    /// The check of a side's air units; where it fails they fly home.
    pub(super) fn coordinate_air<T: Context<Event>>(&self, state: &mut State, context: &mut T) {
        let drm = self.air_coordination(state);
        let battle = &mut state.combat.battle;
        let at = battle.role as usize;
        let er = self.air_unit(battle.air_lead[at]).er;
        let roll = context.die(10) as i8;
        let passed = roll + drm <= er as i8;
        let side = self.side_in(battle, battle.role);
        context.emit(|| Event::Coordination { side, check: Check::Air, roll: roll as u8, drm, er, passed });
        if !passed {
            let flown = std::mem::take(&mut battle.air[at]);
            state.fly(flown);
        }
    }

    /// Modifier of a side's check of its artillery (10.42).
    pub(super) fn artillery_coordination(&self, state: &State) -> i8 {
        let (battle, table) = (&state.combat.battle, &self.rules().coordination);
        let support = battle.support[battle.role as usize];
        let army = support.iter().any(|unit| self.formation(unit).is_none());
        let mut formations = support.iter().map(|unit| self.formation(unit));
        let first = formations.next().flatten();
        let mixed = army || formations.any(|formation| formation != first);
        let mobile = match battle.role {
            _ if state.sequence != SequenceKind::Mobile => 0,
            Role::Attacker => table.artillery_mobile_attacker,
            Role::Defender => table.artillery_mobile_defender,
        };
        mobile
            + if self.is_rain(state) { table.artillery_rain } else { 0 }
            + if mixed { table.artillery_mixed } else { 0 }
            + self.points(battle)
    }

    /// The check of a side's artillery (10.42c).
    pub(super) fn coordinate_artillery<T: Context<Event>>(&self, state: &mut State, context: &mut T) {
        let drm = self.artillery_coordination(state);
        let battle = &mut state.combat.battle;
        let at = battle.role as usize;
        let lead = battle.artillery_lead[at];
        let side = self.side_in(battle, battle.role);
        let er = self.er(state, lead);
        let roll = context.die(10) as i8;
        let modified = roll + drm;
        let fire = match modified {
            _ if modified <= er as i8 => Fire::Full,
            _ if modified < self.rules().combat.artillery_fails_at as i8 => Fire::Half,
            _ => Fire::None,
        };
        state.combat.battle.fire[at] = fire;
        let passed = fire == Fire::Full;
        context.emit(|| Event::Coordination { side, check: Check::Artillery, roll: roll as u8, drm, er, passed });
    }

    /// Hexes attacked from and formations that attack; a unit of the Army belongs to the active formation (10.43, 7.47).
    fn sources(&self, state: &State, attackers: Units) -> (u8, u8) {
        let (mut hexes, mut formations) = (0, 0);
        let mut army = false;
        for (nth, unit) in attackers.iter().enumerate() {
            let before = || attackers.iter().take(nth);
            hexes += u8::from(before().all(|other| state.hex(other) != state.hex(unit)));
            match self.formation(unit) {
                Some(of) => formations += u8::from(before().all(|other| self.formation(other) != Some(of))),
                None => army = true,
            }
        }
        (hexes, formations.max(u8::from(army)))
    }

    /// Whether the attacker must check the coordination of his ground units (10.43b-d).
    pub(super) fn must_coordinate_ground(&self, state: &State) -> bool {
        let battle = &state.combat.battle;
        if battle.kind != Kind::Attack {
            return false; // 8.56a
        }
        let (hexes, formations) = self.sources(state, battle.attackers);
        match battle.crt {
            _ if battle.attackers.iter().any(|unit| self.is_disorganised(state, unit)) => true,
            _ if hexes == 1 => false,
            super::Crt::Assault => formations > 1,
            super::Crt::Mobile => true,
        }
    }

    /// Modifier of that check.
    pub(super) fn ground_coordination(&self, state: &State) -> i8 {
        let (battle, table) = (&state.combat.battle, &self.rules().coordination);
        let (hexes, formations) = self.sources(state, battle.attackers);
        let disorganised = battle.attackers.iter().any(|unit| self.is_disorganised(state, unit));
        (hexes as i8 - 1) * table.ground_hex
            + (formations as i8 - 1) * table.ground_formation
            + if state.sequence == SequenceKind::Mobile { table.ground_mobile } else { 0 }
            + if disorganised { table.ground_disorganised } else { 0 }
            + if self.is_rain(state) { table.ground_rain } else { 0 }
            + self.points(battle)
    }

    /// The check of the attacker's ground units (10.43a).
    pub(super) fn coordinate_ground<T: Context<Event>>(&self, state: &mut State, context: &mut T) {
        let drm = self.ground_coordination(state);
        let lead = state.combat.battle.lead[0];
        let er = self.er(state, lead);
        let roll = context.die(10) as i8;
        let passed = roll + drm <= er as i8;
        let side = state.combat.battle.attacker;
        context.emit(|| Event::Coordination { side, check: Check::Ground, roll: roll as u8, drm, er, passed });
        state.combat.battle.uncoordinated = !passed;
    }
}
