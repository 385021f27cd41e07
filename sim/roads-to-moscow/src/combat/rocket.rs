//! The Special Retreat of Soviet rocket artillery (16.3).
//!
//! Each hex lies one farther from where the unit started and no nearer to the Defender hex; none is vacant in an enemy zone of
//! control. The unit goes as far as it can, two hexes and up to four more; with every hex nearer to its closest live source, if
//! such a way of two hexes exists. Without two hexes it is eliminated.

use sandtable_core::{ActionSink, Direction, Flow, Hex};

use crate::Rolls;
use crate::action::Action;
use crate::battle::{Occasion, Role};
use crate::event::{Cause, Event};
use crate::game::RoadsToMoscow;
use crate::ids::{Hexes, Player, UnitId, Units};
use crate::phase::Phase;
use crate::state::{State, is_hex};

/// Hexes that a rocket unit must go (16.32a).
const OBLIGATORY: u8 = 2;

/// A Special Retreat under way.
#[derive(Clone, Copy)]
struct Flight {
    unit: UnitId,
    player: Player,
    start: Hex,
    /// The source that must come nearer with every hex.
    source: Option<Hex>,
}

impl RoadsToMoscow {
    /// Takes the next rocket unit that must make its Special Retreat; eliminates those that cannot.
    pub(super) fn next_rocket(&self, state: &mut State, context: &mut impl Rolls) {
        let most = OBLIGATORY + self.rules.numbers.rocket_hexes;
        while let Some(unit) = state.battle.rockets.first() {
            state.battle.rockets.remove(unit);
            let start = state.at(unit);
            let flight = Flight { unit, player: self.player(unit), start, source: None };
            let longest = |source| self.longest(state, Flight { source, ..flight }, start, 0, most);
            let nearer = self
                .nearest_sources(state, flight)
                .iter()
                .map(|source| longest(Some(source)))
                .max()
                .unwrap_or(0);
            let length = if nearer >= OBLIGATORY { nearer } else { longest(None) };
            if length < OBLIGATORY {
                self.perish(state, unit, Cause::Retreat, context); // 16.35
                continue;
            }
            let battle = &mut state.battle;
            (battle.walker, battle.gone, battle.length, battle.start) = (unit, 0, length, start);
            battle.route = u8::from(nearer >= OBLIGATORY);
            state.phase = Phase::SpecialRetreat;
            let owner = self.player(unit);
            state.decider = if state.battle.occasion == Occasion::Overrun { state.active } else { owner };
            return;
        }
        state.battle.walker = UnitId::NONE;
        self.combat_resolved(state, context);
    }

    /// Live sources of which none lies nearer to the start (16.33): the owner chooses among equals (R37).
    fn nearest_sources(&self, state: &State, flight: Flight) -> Hexes {
        let Flight { player, start, .. } = flight;
        let live = self.map().sources[player.index()].filter(|source| state.controller(source) == player);
        let least = live.iter().map(|source| self.distance(start, source)).min();
        live.filter(|source| Some(self.distance(start, source)) == least)
    }

    /// Whether the flight may go on from a hex, so many hexes from its start.
    fn flies_on(&self, state: &State, flight: Flight, from: Hex, gone: u8, way: Direction) -> bool {
        let to = self.neighbour(from, way);
        is_hex(to)
            && self.distance(flight.start, to) == u32::from(gone) + 1
            && flight.source.is_none_or(|source| self.distance(to, source) < self.distance(from, source))
            && self.can_fall_back(state, flight.player, from, way, state.battle.target)
            && !self.is_hot(state, to, flight.player, flight.unit)
    }

    /// The most hexes, up to `most`, that a flight can have gone in all when it ends in a hex with room; 0 if it cannot.
    fn longest(&self, state: &State, flight: Flight, at: Hex, gone: u8, most: u8) -> u8 {
        let ends =
            gone > 0 && self.has_room(state, at, flight.unit) && !self.is_protected(state, at, flight.player);
        let mut best = if ends { gone } else { 0 };
        if gone < most {
            for way in Direction::ALL {
                if best < most && self.flies_on(state, flight, at, gone, way) {
                    best = best.max(self.longest(state, flight, self.neighbour(at, way), gone + 1, most));
                }
            }
        }
        best
    }

    /// Where the rocket unit at hand may go on.
    pub(super) fn special_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        let battle = &state.battle;
        let unit = battle.walker;
        if unit.is_none() {
            return Flow::Continue(());
        }
        let flight = Flight { unit, player: self.player(unit), start: battle.start, source: None };
        let (at, gone) = (state.at(unit), battle.gone);
        let ways = |source: Option<Hex>| -> Hexes {
            let flight = Flight { source, ..flight };
            Direction::ALL
                .into_iter()
                .filter(|&way| self.flies_on(state, flight, at, gone, way))
                .map(|way| self.neighbour(at, way))
                .filter(|&next| self.longest(state, flight, next, gone + 1, battle.length) == battle.length)
                .collect()
        };
        if battle.route == 0 {
            return out.all([ways(None)], |_, hex| Action::Go(hex));
        }
        // Those to which every hex so far has come nearer.
        let towards = self.nearest_sources(state, flight).filter(|source| {
            self.distance(at, source) + u32::from(gone) == self.distance(battle.start, source)
        });
        let all = towards.iter().fold(Hexes::EMPTY, |all, source| all.or(&ways(Some(source))));
        out.all([all], |_, hex| Action::Go(hex))
    }

    /// The rocket unit at hand goes one hex.
    pub(super) fn fly_back(&self, state: &mut State, to: Hex, context: &mut impl Rolls) {
        let unit = state.battle.walker;
        self.put(state, unit, to, context);
        state.battle.gone += 1;
        if state.battle.gone < state.battle.length {
            return;
        }
        let from = state.battle.start;
        context.emit(|| Event::Retreated { unit, from, to });
        self.stands_anew(state, unit, to);
        if self.combatant(state, Role::Defender) == self.player(unit) {
            self.rout(state, &Units::one(unit), context);
        }
        self.next_rocket(state, context);
    }
}
