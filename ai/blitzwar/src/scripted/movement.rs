//! Strategic and tactical movement, fortification, the steps after the battles.

use sandtable_blitzwar::location::{Counter, Zone};
use sandtable_blitzwar::rules::{MAX_ZONES, Zones};
use sandtable_blitzwar::{Action, BlitzWar, Force, State};
use sandtable_core::{Board as _, Index};

use super::super::map_tables::FAR;
use super::{Scripted, best_by, finds_room, is_full, land_counters};

/// What it costs to step after the battles into a zone that is held: the same supply would have gone three zones before.
const LATE_STEP: f32 = 0.4;

/// How much a step nearer to supply counts for those out of it, against all else; what speaks against a zone that is full, and
/// against one where nobody should go.
const STEP_BACK: f32 = 10.0;
const NO_ROOM: f32 = 1000.0;
const NO_GROUND: f32 = 2000.0;

impl Scripted {
    /// The first offered counter that has a destination by strategic movement, else the pass.
    pub(super) fn entrain(&mut self, game: &BlitzWar, state: &State, legal: &[Action]) -> Action {
        for &action in legal {
            let Action::Select(counter) = action else { continue };
            self.take_over_order(game, state, counter);
            let order = self.plan.rail.of(counter);
            if order.is_some_and(|to| {
                to != state.location(counter) && finds_room(game, state, to, state.strength(counter))
            }) {
                return action;
            }
        }
        legal[0]
    }

    pub(super) fn march(&mut self, game: &BlitzWar, state: &State, legal: &[Action]) -> Action {
        for &action in legal {
            let (counter, activating) = match action {
                Action::Select(counter) => (counter, false),
                Action::Activate(counter) => (counter, true),
                _ => continue,
            };
            self.take_over_order(game, state, counter);
            let Some(to) = self.plan.march.of(counter) else { continue };
            let here = state.location(counter) == to;
            // Those who are to make room go first.
            if !here && !finds_room(game, state, to, state.strength(counter)) {
                continue;
            }
            if here == activating {
                if activating {
                    self.plan.march.cancel(counter);
                }
                return action;
            }
        }
        legal[0]
    }

    /// Orders are given to counters by index, but of identical counters only the first is offered: it takes over the orders
    /// of another.
    fn take_over_order(&mut self, game: &BlitzWar, state: &State, counter: Counter) {
        let plan = &self.plan;
        let ordered = |counter: Counter| plan.march.contains(counter) || plan.rail.contains(counter);
        if ordered(counter) {
            return;
        }
        let (place, kind, strength) =
            (state.location(counter), game.counter_type(counter), state.strength(counter));
        let identical = state.stack(place).find(|&other| {
            other > counter
                && ordered(other)
                && game.counter_type(other) == kind
                && state.strength(other) == strength
                && state.moved(other) == state.moved(counter)
                && state.is_activated(other) == state.is_activated(counter)
        });
        if let Some(other) = identical {
            self.plan.march.swap(counter, other);
            self.plan.target.swap(counter, other);
            self.plan.rail.swap(counter, other);
        }
    }

    pub(super) fn march_on(
        &mut self,
        game: &BlitzWar,
        state: &State,
        counter: Counter,
        legal: &[Action],
    ) -> Action {
        let Some(to) = self.plan.march.of(counter).filter(|&to| to != state.location(counter)) else {
            self.plan.march.cancel(counter);
            return legal[0];
        };
        let go = Action::Go(to);
        if legal.contains(&go) {
            return go;
        }
        // A zone on the way has to be taken first: the one nearest to the goal.
        let ground = self.plan.board.open.or(&self.plan.board.hostile);
        let closer = best_by(legal, |action| match action {
            Action::Go(zone) if !ground.contains(zone) => f32::MIN,
            Action::Go(zone) if is_full(game, state, zone) => f32::MIN,
            Action::Go(zone) => -f32::from(self.map_tables.steps(zone, to)),
            _ => -f32::from(self.map_tables.steps(state.location(counter), to)) + 0.5,
        });
        if closer == legal[0] || !matches!(closer, Action::Go(_)) {
            self.plan.march.cancel(counter);
        }
        closer
    }

    pub(super) fn fortify(&self, game: &BlitzWar, state: &State, force: Force, legal: &[Action]) -> Action {
        if force != Force::Axis || state.turn() < 24 || self.plan.board.budget < 24 {
            return legal[0];
        }
        let board = &self.plan.board;
        best_by(legal, |action| match action {
            Action::Fortify(counter) => {
                let zone = state.location(counter);
                let idle = !self.plan.march.contains(counter) && !self.plan.rail.contains(counter);
                let coast = game.coast(zone) != 0 && board.threat[zone.at()] > 0.0;
                if idle && coast { board.threat[zone.at()] } else { -1.0 }
            }
            Action::Pass => 0.5,
            _ => -1.0,
        })
    }

    /// The best zone for a counter to step to after the battles, with the gain less the price.
    pub(super) fn step(&self, game: &BlitzWar, state: &State, counter: Counter) -> Option<(f32, Zone)> {
        let board = &self.plan.board;
        let from = state.location(counter);
        let corps = state.strength(counter);
        let cost = i32::from(game.tactical_cost(state, counter));
        if !from.is_zone() || cost > board.budget {
            return None;
        }
        let least = board.weights.march + board.price * cost as f32 / 2.0;
        let near = game.adjacent(from).and(&board.open).difference(&board.hostile);
        let area = &self.map_tables.areas[game.nation(counter).index()];
        let near = board.without_other_minors(game, counter, near.and(area));
        let mut best: Option<(f32, Zone)> = None;
        for zone in near {
            if is_full(game, state, zone) || !board.has_room(game, zone, corps) {
                continue;
            }
            // The same price would have carried it three zones: only what the battles have opened is worth it now.
            let late = if board.counters[zone.at()] == 0 { 0.0 } else { LATE_STEP };
            let gain = board.gain(&self.map_tables, from, zone, corps) - least - late;
            if gain > best.map_or(0.0, |best| best.0) {
                best = Some((gain, zone));
            }
        }
        best
    }

    /// Brings up what has not moved yet, where the battles have made room.
    pub(super) fn follow_up(&self, game: &BlitzWar, state: &State, legal: &[Action]) -> Action {
        best_by(legal, |action| match action {
            Action::Select(counter) => self.step(game, state, counter).map_or(-1.0, |(gain, _)| gain),
            _ => 0.0,
        })
    }

    /// Lets counters out of supply go back to where there is some, a zone a turn. The last of a place of worth stays.
    pub(super) fn escape(&self, game: &BlitzWar, state: &State, legal: &[Action]) -> Action {
        let board = &self.plan.board;
        let lines = game.supplied(state, board.force, true).zones;
        let ways = self.ways_back(game, state, &lines);
        let goes = |counter: Counter| {
            let zone = state.location(counter);
            let garrison = board.key[zone.at()] > 0.0 && land_counters(game, state, zone) == 1;
            let nearer = |near: Zone| ways[near.at()] < ways[zone.at()];
            let room = |near: Zone| finds_room(game, state, near, state.strength(counter));
            !lines.contains(zone)
                && !garrison
                && game.adjacent(zone).iter().any(nearer)
                && game.one_zone_targets(state, counter).iter().any(|near| nearer(near) && room(near))
        };
        let leaves = |action: &Action| matches!(*action, Action::Select(counter) if goes(counter));
        legal.iter().copied().find(leaves).unwrap_or(legal[0])
    }

    /// Steps from each zone to those with a line of supply, through own zones and empty ones of the enemy.
    fn ways_back(&self, game: &BlitzWar, state: &State, lines: &Zones) -> [u8; MAX_ZONES] {
        let board = &self.plan.board;
        let field = board.open.or(&board.hostile).difference(&game.foes(state, board.force));
        let mut ways = [FAR; MAX_ZONES];
        let mut ring = lines.and(&board.open);
        let mut seen = ring;
        let mut steps = 0;
        while !ring.is_empty() && steps < FAR {
            for zone in ring {
                ways[zone.at()] = steps;
            }
            ring = game.land().neighbours_of(&ring).and(&field).difference(&seen);
            seen = seen.or(&ring);
            steps += 1;
        }
        ways
    }

    /// Takes the step for which a counter has been picked after the battles.
    pub(super) fn step_to(
        &mut self,
        game: &BlitzWar,
        state: &State,
        counter: Counter,
        legal: &[Action],
    ) -> Action {
        let step = self.step(game, state, counter).map(|(_, zone)| zone);
        let go = step.map(Action::Go).filter(|go| legal.contains(go)).unwrap_or_else(|| {
            // Who has been picked must go: where there is room.
            best_by(legal, |action| match action {
                Action::Go(zone) if is_full(game, state, zone) => -100.0,
                Action::Go(zone) => self.plan.board.gain(
                    &self.map_tables,
                    state.location(counter),
                    zone,
                    state.strength(counter),
                ),
                _ => 0.0,
            })
        });
        if let Action::Go(zone) = go {
            let cost = i32::from(game.tactical_cost(state, counter));
            self.plan.board.shift(state.location(counter), zone, state.strength(counter));
            self.plan.board.budget -= cost;
        }
        go
    }

    /// Where strategic movement takes a counter: as ordered, else to where it does most good.
    pub(super) fn entrain_to(
        &mut self,
        game: &BlitzWar,
        state: &State,
        counter: Counter,
        legal: &[Action],
    ) -> Action {
        let order = self.plan.rail.of(counter).map(Action::Go);
        self.plan.rail.cancel(counter);
        order.filter(|go| legal.contains(go)).unwrap_or_else(|| {
            let board = &self.plan.board;
            best_by(legal, |action| match action {
                Action::Go(zone) if is_full(game, state, zone) => -100.0,
                Action::Go(zone) => board.enter(&self.map_tables, zone, state.strength(counter)),
                _ => 0.0,
            })
        })
    }

    /// Where a counter out of supply goes: nearer to supply, into zones of its side, the one best held.
    pub(super) fn escape_to(
        &self,
        game: &BlitzWar,
        state: &State,
        counter: Counter,
        legal: &[Action],
    ) -> Action {
        let board = &self.plan.board;
        let ways = self.ways_back(game, state, &game.supplied(state, board.force, true).zones);
        best_by(legal, |action| {
            let Action::Go(zone) = action else { return f32::MIN };
            if !board.open.or(&board.hostile).contains(zone) {
                return -NO_GROUND;
            }
            if !finds_room(game, state, zone, state.strength(counter)) {
                return -NO_ROOM;
            }
            let own = if board.open.contains(zone) { 1.0 } else { 0.0 };
            own + board.hold(&self.map_tables, zone, board.strength[zone.at()] + 1)
                - STEP_BACK * f32::from(ways[zone.at()])
        })
    }
}
