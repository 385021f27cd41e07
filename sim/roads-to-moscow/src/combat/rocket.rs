//! The Special Retreat of Soviet rocket artillery (16.3).
//!
//! Each hex lies one farther from where the unit started and no nearer to the Defender hex, none is vacant in an enemy zone of
//! control. The unit goes as far as it can, up to six hexes; on a way that brings it nearer to its closest source with every
//! hex, if one of two hexes at least exists. Without two hexes it is eliminated.

use sandtable_core::{ActionSink, Context, Flow, Side};

use super::retreat::{Ways, battle_ways};
use super::{NOBODY, Role, Stage};
use crate::action::Action;
use crate::event::Event;
use crate::game::RoadsToMoscow;
use crate::state::State;
use crate::{Hex, Unit};

/// A Special Retreat under way.
#[derive(Clone, Copy)]
struct Flight {
    unit: Unit,
    side: Side,
    start: Hex,
    target: Hex,
    /// The source that must come nearer, if there is a way.
    source: Option<Hex>,
}

impl RoadsToMoscow {
    /// Rockets that must, retreat one after the other, the defender's first.
    pub(super) fn begin_special_retreats<T: Context<Event>>(&self, state: &mut State, context: &mut T) {
        state.combat.battle.stage = Stage::Special;
        self.next_rocket(state, context);
    }

    fn next_rocket<T: Context<Event>>(&self, state: &mut State, context: &mut T) {
        let (least, further) = self.rules().combat.special_retreat;
        while let Some(unit) = state.combat.battle.rockets.first() {
            state.combat.battle.rockets.remove(unit);
            let start = state.hex(unit);
            let flight = self.flight(state, unit, start, true);
            let mut length = self.longest(state, flight, start, 0, least + further);
            let towards_source = length >= least;
            if !towards_source {
                let flight = self.flight(state, unit, start, false);
                length = self.longest(state, flight, start, 0, least + further);
            }
            if length < least {
                self.perish(state, unit, context); // 16.35
                continue;
            }
            let battle = &mut state.combat.battle;
            (battle.walker, battle.walked, battle.ahead, battle.start) = (unit, 0, length, start);
            battle.route = u8::from(towards_source);
            battle.role = if self.side_of(unit) == battle.attacker { Role::Attacker } else { Role::Defender };
            battle.asked = self.side_of(unit);
            return;
        }
        state.combat.battle.walker = NOBODY;
        self.combat_is_resolved(state, context);
    }

    fn flight(&self, state: &State, unit: Unit, start: Hex, towards_source: bool) -> Flight {
        let side = self.side_of(unit);
        let nearest = || self.live_sources(state, side).min_by_key(|&hex| self.board().distance(start, hex));
        let source = if towards_source { nearest() } else { None };
        Flight { unit, side, start, target: state.combat.battle.target, source }
    }

    /// Whether the flight may go from a hex, so many steps from its start, to the next.
    fn flies_on(&self, state: &State, flight: Flight, from: Hex, walked: u8, to: Hex) -> bool {
        let board = self.board();
        board.distance(flight.start, to) == u32::from(walked) + 1
            && flight.source.is_none_or(|source| board.distance(to, source) < board.distance(from, source))
            && self.can_fall_back(state, flight.side, from, to, flight.target)
            && !self.is_hot(state, to, flight.side, flight.unit)
    }

    /// The most hexes, up to `most`, that a flight can have gone in all when it ends in a hex with room; 0 if it cannot.
    fn longest(&self, state: &State, flight: Flight, at: Hex, walked: u8, most: u8) -> u8 {
        let ends = walked > 0
            && self.has_room(state, at, flight.unit)
            && !self.is_closed_entry(state, flight.side, at);
        let mut best = if ends { walked } else { 0 };
        if walked < most {
            for (_, next) in self.board().neighbours(at) {
                if best < most && self.flies_on(state, flight, at, walked, next) {
                    best = best.max(self.longest(state, flight, next, walked + 1, most));
                }
            }
        }
        best
    }

    /// Where the rocket unit at hand may go on.
    pub(super) fn special_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        let battle = &state.combat.battle;
        let unit = battle.walker;
        if unit == NOBODY {
            return Flow::Continue(());
        }
        let flight = self.flight(state, unit, battle.start, battle.route == 1);
        let at = state.hex(unit);
        let mut ways = Ways::default();
        for (_, next) in self.board().neighbours(at) {
            if self.flies_on(state, flight, at, battle.walked, next)
                && self.longest(state, flight, next, battle.walked + 1, battle.ahead) == battle.ahead
            {
                ways.add(next);
            }
        }
        battle_ways(&ways, out)
    }

    /// The rocket unit at hand goes one hex.
    pub(super) fn fly_back<T: Context<Event>>(&self, state: &mut State, to: Hex, context: &mut T) {
        let battle = state.combat.battle;
        let unit = battle.walker;
        self.relocate(state, unit, to, context);
        state.combat.battle.walked += 1;
        if battle.walked + 1 < battle.ahead {
            return;
        }
        context.emit(|| Event::Retreated { unit, from: battle.start, to });
        self.joins_defence(state, unit);
        self.next_rocket(state, context);
    }
}
