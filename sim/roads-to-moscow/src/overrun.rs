//! Overruns (8.5): who may, what they cost, and what follows. The fight is in [`crate::combat`].

use sandtable_core::{Direction, Hex, Index};

use crate::Rolls;
use crate::game::RoadsToMoscow;
use crate::ids::{Player, Units};
use crate::phase::{Phase, Sequence};
use crate::rules::{Water, Weather};
use crate::state::{Mark, State, is_hex};
use crate::tables::price_index;

impl RoadsToMoscow {
    /// Whether the stack on the move, which may have entered the map in this phase (R71), may overrun at all (8.51, 8.52,
    /// 8.53, 8.55a): in a Mobile Sequence, not in Rain, red
    /// boxes and cavalry in good order, with supply and fuel, armour, armoured cars or cavalry among them.
    pub fn could_overrun(&self, state: &State) -> bool {
        let (sets, units) = (self.sets(), &state.moving);
        state.sequence == Sequence::Mobile
            && !state.reacting
            && !state.burdened
            && state.weather != Weather::Rain
            && units.intersects(&sets.leads_overrun)
            && units.difference(&sets.red_or_cavalry).is_empty()
            && !self.any_ineligible(state, units)
            && units.first().is_some_and(|unit| {
                // 8.53: with all that stands in the hex it overruns from, where it stays if it fails (8.57).
                is_hex(state.at(unit)) && self.may_end_in(state, units, state.at(unit), state.decider)
            })
    }

    /// Whether one of these could not take part in an overrun, whatever its type: disorganised, unsupplied or low on fuel
    /// (8.52).
    pub(crate) fn any_ineligible(&self, state: &State, units: &Units) -> bool {
        units.intersects(state.marked(Mark::Disorganised))
            || units.intersects(state.marked(Mark::Unsupplied))
            || units.iter().any(|unit| self.is_low_on_fuel(state, unit))
    }

    /// Price of overrunning the next hex; `None` if it is not allowed or too dear. For a stack that
    /// [`RoadsToMoscow::could_overrun`].
    pub fn overrun_price(&self, state: &State, from: Hex, way: Direction) -> Option<u8> {
        let to = self.neighbour(from, way);
        let player = state.decider;
        let enemy = player.enemy();
        let side = self.side(from, way);
        // 8.55b, c: over no river even at a bridge, over no Fortified Line, into no town or Fortified Position.
        let line = player == Player::German && self.is_active_line(state, from, way);
        if !state.occupied[enemy.index()].contains(to)
            || side.water == Water::River
            || line
            || self.map().towns.contains(to)
            || state.positions[enemy.index()].contains(to)
        {
            return None;
        }
        // 8.55d, R21: no other enemy hex projects into the hex overrun from.
        if self.projecting_into(state, from, enemy).any(|hex| hex != to) {
            return None;
        }
        // 8.54, 8.55e: the rate of the path even from zone to zone; no other zone costs anything.
        let rain = state.weather == Weather::Rain;
        let motorised = !state.moving.difference(&self.sets().foot).is_empty();
        let price = self.map().prices[price_index(motorised, rain)][from.at()].best[way as usize];
        let price = price.checked_add(self.rules.terrain.overrun)?;
        if price > state.movement_left || !self.may_end_in_after_overrun(state, to, player) {
            return None;
        }
        // 8.56a: odds of 1-4 or better.
        let (attack, defence) = self.overrun_strengths(state, to);
        (attack > 0 && 4 * attack >= defence).then_some(price)
    }

    fn may_end_in_after_overrun(&self, state: &State, to: Hex, player: Player) -> bool {
        self.stacking(&state.moving) <= self.rules.numbers.stacking && !self.is_protected(state, to, player)
    }

    /// Strengths of an overrun before support (8.56a): `(attack, defence)`.
    pub fn overrun_strengths(&self, state: &State, target: Hex) -> (u32, u32) {
        let defenders = self.combat_units(state, target, state.decider.enemy());
        let attack = state.moving.iter().map(|unit| u32::from(self.offence(state, unit))).sum();
        let defence = defenders.iter().map(|unit| u32::from(self.defence(state, unit))).sum();
        (attack, defence)
    }

    pub(crate) fn overrun(&self, state: &mut State, target: Hex, context: &mut impl Rolls) {
        let Some(from) = state.moving.first().map(|unit| state.at(unit)) else { return };
        let price = self.board().direction(from, target).and_then(|way| self.overrun_price(state, from, way));
        state.movement_left = state.movement_left.saturating_sub(price.unwrap_or(u8::MAX));
        self.set_out(state, context);
        self.begin_overrun(state, target, context);
    }

    /// The fight is over. Cleared: the stack must enter, and may go on; in an enemy zone it must overrun or stop (8.56h,
    /// i). Not cleared: it stops (8.57).
    pub(crate) fn overrun_fought(&self, state: &mut State, cleared: bool, context: &mut impl Rolls) {
        let target = state.battle.target;
        state.battle = crate::battle::Battle::NONE;
        state.phase = Phase::Stack;
        state.decider = state.active;
        let units: Units = state.moving;
        if !cleared || !units.intersects(&self.sets().combat) {
            return self.stop(state);
        }
        self.put_all(state, &units, target, context);
        state.has_entered = true;
        state.must_overrun = state.zoc[state.active.enemy().index()].contains(target);
        if state.movement_left == 0 {
            self.stop(state);
        }
    }
}
