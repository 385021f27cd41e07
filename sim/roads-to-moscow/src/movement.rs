//! The Movement Phase: which stack moves, and where to (8); entry of reinforcements (5.22). Reaction Movement goes the
//! same way (9.3).

use sandtable_core::{ActionSink, Flow, Hex, Index};

use crate::Rolls;
use crate::action::Action;
use crate::crossing::Mover;
use crate::event::Event;
use crate::game::RoadsToMoscow;
use crate::ids::{UnitId, Units, place};
use crate::phase::Phase;
use crate::state::{Mark, State, is_hex};
use crate::tables::WAYS;

impl RoadsToMoscow {
    /// O7.
    pub(crate) fn begin_movement(&self, state: &mut State) {
        state.clear(Mark::Moved);
        state.moving = Units::EMPTY;
        state.reacting = false;
        state.phase = Phase::Movement;
        state.decider = state.active;
    }

    // ---- which unit ----

    /// Whether a unit may begin to move: on the map with points to spend, or off it on its turn with an entry hex that
    /// the enemy does not hold.
    fn may_begin(&self, state: &State, unit: UnitId) -> bool {
        if !is_hex(state.at(unit))
            && (self.sets().entry_turn[unit.at()] > state.turn
                || self
                    .entry_hexes(unit)
                    .all(|hex| state.occupied[self.player(unit).enemy().index()].contains(hex)))
        {
            return false;
        }
        self.allowance(state, unit, self.is_assault(state)) > 0
    }

    pub(crate) fn movement_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        let ready = state.marked(Mark::Active).difference(state.marked(Mark::Moved));
        out.rest(Some(Action::Pass), [ready], |_, unit| {
            self.may_begin(state, unit).then_some(Action::Unit(unit))
        })
    }

    pub(crate) fn movement_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let Action::Unit(unit) = action else { return self.end_movement(state, context) };
        state.moving = Units::EMPTY;
        state.newly_low = Units::EMPTY;
        state.movement_left = u8::MAX;
        state.under_way = false;
        state.has_entered = false;
        state.must_overrun = false;
        self.take_along(state, unit);
        state.phase = Phase::Stack;
    }

    /// A unit becomes part of the stack, which has the lowest allowance in it (8.12).
    fn take_along(&self, state: &mut State, unit: UnitId) {
        state.moving.insert(unit);
        self.fuel_up(state, unit);
        let allowance = self.allowance(state, unit, self.is_assault(state));
        state.movement_left = state.movement_left.min(allowance);
    }

    pub(crate) fn end_movement(&self, state: &mut State, context: &mut impl Rolls) {
        self.use_up_fuel(state, context);
        self.begin_declaring(state);
    }

    // ---- the stack at hand ----

    /// What of the stack at hand prices depend on.
    pub(crate) fn moving(&self, state: &State) -> Mover {
        self.mover(&state.moving, state.decider, state.reacting, !state.under_way)
    }

    /// Whether a stack that would come into a hex with so many points left could end its phase there, or go on from there
    /// to a hex where it could (3.32, 5.21, R89, R92).
    fn has_end(&self, state: &State, mover: Mover, to: Hex, left: u8) -> bool {
        if self.may_end_in(state, &state.moving, to, mover.player) {
            return true;
        }
        // Who stops there cannot go on.
        if state.zoc[mover.player.enemy().index()].contains(to) && (!mover.red || mover.reacting) {
            return false;
        }
        let mover = Mover { fresh: false, ..mover };
        WAYS.into_iter().any(|way| {
            let next = self.neighbour(to, way);
            is_hex(next)
                && self.step_price(state, mover, to, way, left).is_some()
                && self.may_end_in(state, &state.moving, next, mover.player)
                && !self.strands_slow(state, mover, next)
        })
    }

    /// A stack with others than red boxes leaves these behind in an enemy zone: then all must find room there.
    fn strands_slow(&self, state: &State, mover: Mover, to: Hex) -> bool {
        !mover.red
            && state.zoc[mover.player.enemy().index()].contains(to)
            && !self.may_end_in(state, &state.moving, to, mover.player)
    }

    pub(crate) fn stack_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        let Some(first) = state.moving.first() else { return Flow::Continue(()) };
        let from = state.at(first);
        let mover = self.moving(state);
        if !is_hex(from) {
            return self.entering_actions(state, mover, out);
        }
        let may_end = !state.under_way || self.may_end_in(state, &state.moving, from, mover.player);
        if may_end {
            out.offer(Action::Pass)?;
        }
        if !state.reacting {
            if !state.under_way {
                self.join_actions(state, from, out)?;
            } else if may_end && state.movement_left > 0 && state.moving.len() > 1 {
                for unit in state.moving {
                    if self.may_drop(state, unit, from, mover) {
                        out.offer(Action::Drop(unit))?;
                    }
                }
            }
        }
        if !state.must_overrun {
            for way in WAYS {
                let to = self.neighbour(from, way);
                if !is_hex(to) {
                    continue;
                }
                if let Some(price) = self.step_price(state, mover, from, way, state.movement_left)
                    && self.has_end(state, mover, to, state.movement_left - price)
                {
                    out.offer(Action::Go(to))?;
                }
            }
        }
        if self.could_overrun(state) {
            for way in WAYS {
                let to = self.neighbour(from, way);
                if is_hex(to) && self.overrun_price(state, from, way).is_some() {
                    out.offer(Action::Overrun(to))?;
                }
            }
        }
        Flow::Continue(())
    }

    /// Units that may join before the stack sets out: of its hex, not moved, each stack told in one order.
    fn join_actions(&self, state: &State, from: Hex, out: &mut impl ActionSink<Action>) -> Flow {
        let last = state.moving.iter().last();
        let ready = state.stack(from).and(state.marked(Mark::Active)).difference(state.marked(Mark::Moved));
        for unit in ready {
            if Some(unit) > last && self.may_begin(state, unit) && self.shares_entry(state, unit) {
                out.offer(Action::Join(unit))?;
            }
        }
        Flow::Continue(())
    }

    /// Off the map, a stack enters by a hex that all its units may use.
    fn shares_entry(&self, state: &State, unit: UnitId) -> bool {
        is_hex(state.at(unit)) || self.common_entries(state) & self.sets().entries[unit.at()] != 0
    }

    fn common_entries(&self, state: &State) -> u32 {
        state.moving.iter().fold(u32::MAX, |common, unit| common & self.sets().entries[unit.at()])
    }

    /// Whether a unit may be left behind here: leaders and fuel not alone beside the enemy (8.15).
    fn may_drop(&self, state: &State, unit: UnitId, at: Hex, mover: Mover) -> bool {
        let sets = self.sets();
        if sets.combat.contains(unit) {
            return true;
        }
        let staying = self.combat_units(state, at, mover.player).difference(&state.moving);
        !staying.is_empty()
            || !sandtable_core::Direction::ALL.into_iter().any(|way| {
                let next = self.neighbour(at, way);
                is_hex(next) && state.occupied[mover.player.enemy().index()].contains(next)
            })
    }

    /// Off the map: joins, stays off it, or enters by one of its hexes (5.2).
    fn entering_actions(&self, state: &State, mover: Mover, out: &mut impl ActionSink<Action>) -> Flow {
        out.offer(Action::Pass)?;
        self.join_actions(state, place::AWAITING, out)?;
        let common = self.common_entries(state);
        let mut hexes = [place::OUT; crate::tables::MAX_ENTRIES];
        let mut count = 0;
        for (at, &hex) in self.map().entries.iter().enumerate() {
            if common >> at & 1 != 0
                && let Some(price) = self.entry_price(state, mover, hex)
                && price <= state.movement_left
                && self.has_end(state, mover, hex, state.movement_left - price)
            {
                hexes[count] = hex;
                count += 1;
            }
        }
        let hexes = &mut hexes[..count];
        hexes.sort_unstable();
        hexes.iter().try_for_each(|&hex| out.offer(Action::Go(hex)))
    }

    pub(crate) fn stack_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        match action {
            Action::Join(unit) => self.take_along(state, unit),
            Action::Drop(unit) => {
                state.moving.remove(unit);
                self.come_to_rest(state, &Units::one(unit));
            }
            Action::Go(to) => self.go(state, to, context),
            Action::Overrun(to) => self.overrun(state, to, context),
            _ => self.stop(state),
        }
    }

    /// The stack has left its place for good: leaders and fuel have used one of their activations (15.31, 16.21).
    /// Who has no fuel is low on it from now on (6.43b).
    pub(crate) fn set_out(&self, state: &mut State, context: &mut impl Rolls) {
        if !state.under_way {
            for unit in state.newly_low {
                context.emit(|| Event::LowFuel { unit });
            }
            state.under_way = true;
            for unit in state.moving.and(state.marked(Mark::Fuelled)) {
                state.unmark(unit, Mark::LowFuel);
            }
            state.burdened = !state.moving.difference(&self.sets().red_or_cavalry).is_empty()
                || self.any_ineligible(state, &state.moving);
            for unit in state.moving.difference(&self.sets().combat) {
                if !state.reacting {
                    self.count_use(state, unit);
                }
            }
        }
    }

    fn go(&self, state: &mut State, to: Hex, context: &mut impl Rolls) {
        let Some(first) = state.moving.first() else { return };
        let (from, mover) = (state.at(first), self.moving(state));
        let price = if is_hex(from) {
            self.board()
                .direction(from, to)
                .and_then(|way| self.step_price(state, mover, from, way, state.movement_left))
        } else {
            self.entry_price(state, mover, to)
        };
        state.movement_left = state.movement_left.saturating_sub(price.unwrap_or(u8::MAX));
        self.set_out(state, context);
        let units = state.moving;
        self.put_all(state, &units, to, context);
        state.has_entered = true;
        let reaction = state.reacting;
        for unit in units {
            if is_hex(from) {
                context.emit(|| Event::Moved { unit, from, to, reaction });
            } else {
                context.emit(|| Event::Entered { unit, at: to });
            }
        }
        if state.zoc[mover.player.enemy().index()].contains(to) {
            // 8.22: all but red boxes stop; in reaction all do (R7).
            let stopping = if reaction { units } else { units.difference(&self.sets().red) };
            self.come_to_rest(state, &stopping);
            state.moving = state.moving.difference(&stopping);
        }
        if state.moving.is_empty() || state.movement_left == 0 {
            self.stop(state);
        }
    }

    /// Units end their move where they are. A No-Retreat marker goes where units have entered and stay (9.45).
    pub(crate) fn come_to_rest(&self, state: &mut State, units: &Units) {
        for unit in units {
            state.mark(unit, Mark::Moved);
            if state.has_entered {
                state.no_retreat.remove(state.at(unit));
            }
        }
    }

    /// The stack stops.
    pub(crate) fn stop(&self, state: &mut State) {
        let units = state.moving;
        if !state.under_way {
            self.unfuel(state, &units);
        }
        self.come_to_rest(state, &units);
        state.moving = Units::EMPTY;
        state.newly_low = Units::EMPTY;
        state.must_overrun = false;
        state.under_way = false;
        state.has_entered = false;
        state.burdened = false;
        state.movement_left = 0;
        state.phase = if state.reacting { Phase::Reaction } else { Phase::Movement };
        state.reacting = false;
    }
}
