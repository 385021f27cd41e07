//! What a unit is worth as it stands: efficiency (3.4), strength, movement allowance (4.9); how steps and units are lost
//! (3.6), disorganisation (3.7).

use sandtable_core::Index;

use crate::Rolls;
use crate::event::{Cause, Check, Event};
use crate::game::RoadsToMoscow;
use crate::ids::{Player, UnitId, Units, place};
use crate::phase::Sequence;
use crate::rules::{Face, MoveClass};
use crate::state::{Mark, State};

impl RoadsToMoscow {
    /// The face that a unit shows.
    #[inline]
    pub fn face(&self, state: &State, unit: UnitId) -> &Face {
        let data = self.brief(unit);
        if state.has(unit, Mark::Reduced) { &data.reduced } else { &data.full }
    }

    /// Steps left (3.6): of HQs and artillery one, of leaders and fuel none.
    #[inline]
    pub fn steps(&self, state: &State, unit: UnitId) -> u8 {
        self.brief(unit).steps - u8::from(state.has(unit, Mark::Reduced))
    }

    /// Current efficiency rating (3.44, 3.72b, 6.14, 6.44).
    pub fn efficiency(&self, state: &State, unit: UnitId) -> u8 {
        let numbers = &self.rules.numbers;
        let mut loss = 0;
        if state.has(unit, Mark::Disorganised) {
            loss += numbers.disorganised_efficiency;
        }
        // 6.44c: low fuel adds nothing to a unit without supply, and one with fuel loses neither.
        if state.has(unit, Mark::Unsupplied) {
            if !state.has(unit, Mark::Fuelled) {
                loss += numbers.unsupplied_efficiency;
            }
        } else if self.is_low_on_fuel(state, unit) {
            loss += numbers.low_fuel_efficiency;
        }
        self.face(state, unit).efficiency.saturating_sub(loss).max(numbers.least_efficiency)
    }

    /// Whether a unit suffers from low fuel: a mark of an earlier sequence does not count once it moves with fuel (R5).
    #[inline]
    pub fn is_low_on_fuel(&self, state: &State, unit: UnitId) -> bool {
        state.has(unit, Mark::LowFuel) && !state.has(unit, Mark::Fuelled)
    }

    /// Rolls an efficiency check of a unit (3.42): the die plus modifiers must not exceed its rating; no roll succeeds or
    /// fails by itself (R87).
    pub(crate) fn check_efficiency(
        &self,
        state: &State,
        check: Check,
        unit: UnitId,
        modifier: i8,
        context: &mut impl Rolls,
    ) -> bool {
        let rating = self.efficiency(state, unit);
        let roll = context.die(10) as u8;
        let success = roll as i8 + modifier <= rating as i8;
        context.emit(|| Event::Checked { check, unit, roll, modifier, rating, success });
        success
    }

    /// Whether a unit is motorised: pays motorised prices (3.14, 8.17).
    #[inline]
    pub fn is_motorised(&self, unit: UnitId) -> bool {
        self.brief(unit).class != MoveClass::Foot
    }

    /// Movement allowance as the unit stands, in half points (3.57, 4.9, R15, R56). `halved`: in an Assault Sequence or in
    /// reaction.
    pub fn allowance(&self, state: &State, unit: UnitId, halved: bool) -> u8 {
        let numbers = &self.rules.numbers;
        let data = self.brief(unit);
        let mut points = 2 * self.face(state, unit).movement;
        // 5.14b: orange circles of both sides, red boxes of the German.
        let winter = self.calendar(state).winter
            && match data.class {
                MoveClass::Foot => false,
                MoveClass::Orange => true,
                MoveClass::Red => data.player == Player::German,
            };
        if winter {
            points = points.saturating_sub(numbers.winter_movement);
        }
        let motorised = data.class != MoveClass::Foot;
        let disorganised =
            if state.has(unit, Mark::Disorganised) { numbers.disorganised_movement } else { 0 };
        // 6.44c: fuel takes the loss of movement from an unsupplied unit.
        let unsupplied = state.has(unit, Mark::Unsupplied) && !state.has(unit, Mark::Fuelled);
        if unsupplied && motorised {
            // Halved once and for all (3.57), and only then the loss of disorganisation (6.14).
            return (points / 2).saturating_sub(disorganised);
        }
        if unsupplied {
            points = points.saturating_sub(numbers.unsupplied_foot_movement);
        }
        points = points.saturating_sub(disorganised);
        if halved || self.is_low_on_fuel(state, unit) { points / 2 } else { points }
    }

    /// Whether allowances are halved in the active player's Movement Phase (7.21B).
    #[inline]
    pub fn is_assault(&self, state: &State) -> bool {
        state.sequence == Sequence::Assault
    }

    /// Offence as the unit stands, before rivers (10.2): halved if unsupplied is the business of who adds up.
    #[inline]
    pub fn offence(&self, state: &State, unit: UnitId) -> u8 {
        self.face(state, unit).offence
    }

    /// Defence as the unit stands; never halved (3.51).
    #[inline]
    pub fn defence(&self, state: &State, unit: UnitId) -> u8 {
        self.face(state, unit).defence
    }

    // ---- losses ----

    /// A unit loses a step (3.61): flips, or is eliminated.
    pub(crate) fn lose_step(&self, state: &mut State, unit: UnitId, cause: Cause, context: &mut impl Rolls) {
        let data = self.unit(unit);
        state.points[data.player.enemy().index()] += i16::from(data.step_points);
        context.emit(|| Event::Lost { unit, cause });
        if self.steps(state, unit) > 1 {
            state.mark(unit, Mark::Reduced);
        } else {
            self.remove(state, unit, cause, context);
        }
    }

    /// A unit is eliminated, whatever steps it has left.
    pub(crate) fn eliminate(&self, state: &mut State, unit: UnitId, cause: Cause, context: &mut impl Rolls) {
        let data = self.unit(unit);
        let steps = i16::from(self.steps(state, unit));
        state.points[data.player.enemy().index()] += i16::from(data.step_points) * steps;
        self.remove(state, unit, cause, context);
    }

    fn remove(&self, state: &mut State, unit: UnitId, cause: Cause, context: &mut impl Rolls) {
        let data = self.unit(unit);
        let at = state.at(unit);
        state.points[data.player.enemy().index()] += i16::from(data.elimination_points);
        context.emit(|| Event::Eliminated { unit, at, cause });
        // Fuel is received anew (6.42); everybody else is gone.
        let to = if self.sets().fuel.contains(unit) { place::OUT } else { place::ELIMINATED };
        self.take_off(state, unit, to, context);
        for attack in &mut state.attacks[..state.attack_count as usize] {
            attack.attackers.remove(unit);
        }
        state.moving.remove(unit);
        self.retire_formation(state, unit);
    }

    /// 4.26, R93: with its last unit a formation loses its markers, wherever they lie.
    fn retire_formation(&self, state: &mut State, lost: UnitId) {
        let Some(formation) = self.formation(lost) else { return };
        let gone = state.places.at(place::ELIMINATED);
        let lives =
            self.units_in(formation).difference(&gone).iter().any(|unit| state.at(unit) != place::OUT);
        if lives {
            return;
        }
        let markers = self.marker_sets().of_formation[formation.at()];
        for set in [&mut state.in_play, &mut state.cup, &mut state.left_out, &mut state.played] {
            *set = set.difference(&markers);
        }
        for (pool, not) in state.pool.iter_mut().zip(&mut state.pool_not) {
            if pool.is_some_and(|marker| markers.contains(marker)) {
                (*pool, *not) = (None, crate::ids::Formations::EMPTY);
            }
        }
        state.reserve.remove(formation);
    }

    /// Disorganises units (3.7); leaders and fuel units never are (15.33, 16.22). Their digging ends (14.25).
    pub(crate) fn disorganise(&self, state: &mut State, units: &Units, context: &mut impl Rolls) {
        for unit in units.and(&self.sets().combat) {
            state.unmark(unit, Mark::Digging);
            if !state.has(unit, Mark::Disorganised) {
                state.mark(unit, Mark::Disorganised);
                context.emit(|| Event::Disorganised { unit });
            }
        }
    }

    /// Combat units of a player in a hex.
    #[inline]
    pub fn combat_units(&self, state: &State, hex: sandtable_core::Hex, player: Player) -> Units {
        state.stack(hex).and(&self.sets().combat).and(self.units_of(player))
    }
}
