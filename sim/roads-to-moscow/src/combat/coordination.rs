//! Command points of combat and the three coordination checks (10.4, 15.2, 16.1).

use sandtable_core::Index;

use crate::Rolls;
use crate::battle::{Fire, Occasion, Role};
use crate::event::{Check, Event};
use crate::game::RoadsToMoscow;
use crate::ids::{Air, Player, UnitId, Units};
use crate::phase::{Phase, Sequence};
use crate::rules::{Crt, Weather};
use crate::state::{Mark, State};

impl RoadsToMoscow {
    // ---- command points (15.2) ----

    /// Whether a headquarters belongs to the formation of a side's ground lead (15.13): a lead of the Army belongs to the active
    /// formations when it attacks, to none when it defends (R76).
    fn serves_lead(&self, state: &State, role: Role, headquarters: UnitId) -> bool {
        let Some(of) = self.formation(headquarters) else { return false };
        match self.formation(state.battle.lead[role.index()]) {
            Some(formation) => formation == of,
            None => state.formations.contains(of),
        }
    }

    /// Headquarters and leaders that may give their points to the check at hand, beside those that have (15.13 to 15.15, 15.23,
    /// 15.32b, 16.11): one headquarters and one leader a check, in an enemy's combat a Defender hex; and the Arko.
    pub(super) fn points_available(&self, state: &State) -> Units {
        let (battle, sets) = (&state.battle, self.sets());
        if battle.occasion != Occasion::Declared {
            return Units::EMPTY; // R73
        }
        let role = battle.role;
        let given = if role == Role::Defender { battle.helped } else { battle.helping };
        let plain = sets.headquarters.difference(&sets.arko);
        let lead = state.at(battle.lead[role.index()]);
        // In ascending order, so that each set is spent in one way.
        let last = battle.helping.iter().last();
        sets.headquarters
            .or(&sets.leaders)
            .and(self.units_of(state.decider))
            .and(&state.on_map)
            .difference(state.marked(Mark::Disorganised))
            .difference(state.marked(Mark::Spent))
            .filter(|unit| {
                let ascending = last.is_none_or(|last| unit > last);
                ascending
                    && if sets.arko.contains(unit) {
                        self.arko_may_help(state, unit)
                    } else if sets.leaders.contains(unit) {
                        !given.intersects(&sets.leaders)
                            && self.in_command_range(state.at(unit), lead)
                            && self.leader_may_help(state, unit)
                    } else {
                        !given.intersects(&plain)
                            && self.in_command_range(state.at(unit), lead)
                            && self.serves_lead(state, role, unit)
                    }
            })
    }

    /// 15.32b: a leader is stacked with a headquarters of the lead's formation, or to help aircraft with any; a defending lead of
    /// the Army gets nothing (R76).
    fn leader_may_help(&self, state: &State, leader: UnitId) -> bool {
        let role = state.battle.role;
        let with = state.stack(state.at(leader)).and(&self.sets().headquarters);
        let takes = role == Role::Attacker || self.formation(state.battle.lead[role.index()]).is_some();
        takes
            && with.iter().any(|unit| state.phase == Phase::AirPoints || self.serves_lead(state, role, unit))
    }

    /// 16.11: the Arko helps in artillery coordination of a German attack alone.
    fn arko_may_help(&self, state: &State, arko: UnitId) -> bool {
        state.phase == Phase::ArtilleryPoints
            && state.battle.role == Role::Attacker
            && self.arko_directs(state, arko, &state.battle.support[0])
    }

    /// Whether the Arko, activated with the attack and in order, has all these artillery units in its range (16.11, 16.12, R78).
    pub(super) fn arko_directs(&self, state: &State, arko: UnitId, artillery: &Units) -> bool {
        self.is_active(state, arko)
            && state.on_map.contains(arko)
            && !state.has(arko, Mark::Disorganised)
            && artillery.iter().all(|unit| self.in_command_range(state.at(arko), state.at(unit)))
    }

    /// A headquarters or leader spends its points on the check at hand (15.22).
    pub(super) fn help(&self, state: &mut State, unit: UnitId, context: &mut impl Rolls) {
        self.spend_points(state, unit, UnitId::NONE, context);
        let battle = &mut state.battle;
        battle.helping.insert(unit);
        if battle.role == Role::Defender {
            battle.helped.insert(unit);
        }
        if self.sets().leaders.contains(unit) {
            battle.leaders.insert(unit);
        }
    }

    /// The modifier of the points that count for the check at hand (15.21).
    fn help_modifier(&self, state: &State) -> i8 {
        self.points_modifier(state.battle.helping.iter().map(|unit| self.unit(unit).command).sum())
    }

    // ---- air (10.41) ----

    /// Modifier of the check of air units.
    pub fn air_coordination(&self, state: &State) -> i8 {
        let table = &self.rules.coordination;
        let weather = match state.weather {
            Weather::Dry => 0,
            Weather::Overcast => table.cas_overcast,
            Weather::Rain => table.cas_rain,
        };
        let mobile = state.sequence == Sequence::Mobile; // overruns too
        weather
            + if mobile { table.cas_mobile } else { 0 }
            + if self.combatant(state, state.battle.role) == Player::Soviet { table.cas_soviet } else { 0 }
            + self.help_modifier(state)
    }

    /// The check of a side's air units; where it fails they fly home.
    pub(super) fn coordinate_air(&self, state: &mut State, context: &mut impl Rolls) {
        let modifier = self.air_coordination(state);
        let role = state.battle.role;
        let rating = self.rules.air[state.battle.air_lead[role.index()].at()].efficiency;
        let roll = context.die(10) as i8;
        let success = roll + modifier <= rating as i8;
        let player = self.combatant(state, role);
        context.emit(|| Event::Coordination {
            player,
            check: Check::Air,
            roll: roll as u8,
            modifier,
            success,
        });
        if !success {
            let home = std::mem::take(&mut state.battle.air[role.index()]);
            Self::fly_home(state, home);
        }
    }

    /// Air units go to the Flown box (13.16).
    pub(super) fn fly_home(state: &mut State, air: Air) {
        state.ready = state.ready.difference(&air);
        state.flown = state.flown.or(&air);
    }

    // ---- artillery (10.42) ----

    /// Modifier of the check of artillery.
    pub fn artillery_coordination(&self, state: &State) -> i8 {
        let (battle, table) = (&state.battle, &self.rules.coordination);
        let support = battle.support[battle.role.index()];
        let first = support.first().and_then(|unit| self.formation(unit));
        let mixed =
            support.iter().any(|unit| self.formation(unit).is_none() || self.formation(unit) != first);
        let mobile = match battle.role {
            _ if state.sequence != Sequence::Mobile => 0,
            Role::Attacker => table.artillery_mobile_attacker,
            Role::Defender => table.artillery_mobile_defender,
        };
        mobile
            + if state.weather == Weather::Rain { table.artillery_rain } else { 0 }
            + if mixed { table.artillery_mixed } else { 0 }
            + self.help_modifier(state)
    }

    /// The check of a side's artillery (10.42c).
    pub(super) fn coordinate_artillery(&self, state: &mut State, context: &mut impl Rolls) {
        let modifier = self.artillery_coordination(state);
        let role = state.battle.role;
        let rating = self.efficiency(state, state.battle.artillery_lead[role.index()]);
        let roll = context.die(10) as i8;
        let total = roll + modifier;
        let fire = match total {
            _ if total <= rating as i8 => Fire::Full,
            _ if total < self.rules.numbers.artillery_none_at as i8 => Fire::Half,
            _ => Fire::None,
        };
        state.battle.fire[role.index()] = fire;
        let (player, success) = (self.combatant(state, role), fire == Fire::Full);
        context.emit(|| Event::Coordination {
            player,
            check: Check::Artillery,
            roll: roll as u8,
            modifier,
            success,
        });
    }

    // ---- ground (10.43) ----

    /// Hexes attacked from and formations that attack. Units of the Army belong to an active formation (7.47): to one that
    /// attacks if there is one, else they add it.
    fn sources(&self, state: &State, attackers: &Units) -> (u8, u8) {
        let (mut hexes, mut formations, mut army, mut active) = (0, 0, false, false);
        for (nth, unit) in attackers.iter().enumerate() {
            let mut before = attackers.iter().take(nth);
            let mut earlier = attackers.iter().take(nth);
            hexes += u8::from(before.all(|other| state.at(other) != state.at(unit)));
            match self.formation(unit) {
                None => army = true,
                Some(of) => {
                    active |= state.formations.contains(of);
                    formations += u8::from(earlier.all(|other| self.formation(other) != Some(of)));
                }
            }
        }
        (hexes, formations + u8::from(army && !active))
    }

    /// Whether the attacker must check the coordination of his ground units (10.43b to d); never in an overrun (8.56a).
    pub fn must_coordinate_ground(&self, state: &State) -> bool {
        let battle = &state.battle;
        let (hexes, formations) = self.sources(state, &battle.attackers);
        match battle.crt {
            _ if battle.occasion != Occasion::Declared => false,
            _ if battle.attackers.intersects(state.marked(Mark::Disorganised)) => true,
            _ if hexes == 1 => false,
            Crt::Assault => formations > 1,
            Crt::Mobile => true,
        }
    }

    /// Modifier of that check.
    pub fn ground_coordination(&self, state: &State) -> i8 {
        let (battle, table) = (&state.battle, &self.rules.coordination);
        let (hexes, formations) = self.sources(state, &battle.attackers);
        let disorganised = battle.attackers.intersects(state.marked(Mark::Disorganised));
        (hexes as i8 - 1) * table.ground_each_hex
            + (formations as i8 - 1) * table.ground_each_formation
            + if state.sequence == Sequence::Mobile { table.ground_mobile } else { 0 }
            + if disorganised { table.ground_disorganised } else { 0 }
            + if state.weather == Weather::Rain { table.ground_rain } else { 0 }
            + self.help_modifier(state)
    }

    /// The check of the attacker's ground units (10.43a).
    pub(super) fn coordinate_ground(&self, state: &mut State, context: &mut impl Rolls) {
        let modifier = self.ground_coordination(state);
        let rating = self.efficiency(state, state.battle.lead[0]);
        let roll = context.die(10) as i8;
        let success = roll + modifier <= rating as i8;
        let player = state.active;
        context.emit(|| Event::Coordination {
            player,
            check: Check::Ground,
            roll: roll as u8,
            modifier,
            success,
        });
        state.battle.ground_failed = !success;
    }
}
