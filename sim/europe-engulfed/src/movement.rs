//! 3. Initial Operational Movement (5.1): units march area by area; airborne drops (7.3), departures without a rear guard (7.52).
//!
//! A unit is picked, then goes area by area or stops. Entering an area with enemy land units ends its move.

use sandtable_core::{ActionSink, Board, Flow, Index, IndexSet};

use crate::Rolls;
use crate::action::Action;
use crate::event::{Event, LossCause, SpecialAction, Way};
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Areas, Nation, Team, UnitId, Units};
use crate::phase::{Pending, Phase};
use crate::rules::{Branch, Terrain};
use crate::state::{State, mark};

impl EuropeEngulfed {
    /// Of counters that differ in nothing (kind, place, steps, these marks) the first.
    pub(crate) fn distinct(&self, state: &State, units: &Units, marks: u16) -> Units {
        units.filter(|unit| self.is_distinct(state, units, marks, unit))
    }

    /// Whether a counter is the first of those among some from which it differs in nothing.
    pub(crate) fn is_distinct(&self, state: &State, units: &Units, marks: u16, unit: UnitId) -> bool {
        let same = |other: UnitId| {
            state.location(unit) == state.location(other)
                && state.steps(unit) == state.steps(other)
                && (state.marks(unit) ^ state.marks(other)) & marks == 0
        };
        let mut before = self.counters(self.kind_of(unit)).take_while(|other| *other < unit);
        !before.any(|other| units.contains(other) && same(other))
    }

    /// What an enemy team's presence in an area is to a team.
    #[inline]
    fn is_enemy_occupied(&self, state: &State, team: Team, area: Area) -> bool {
        state.manned(team.other()).contains(area)
    }

    /// Whether a team has room for one more unit in an area (5.5; A98, 13.22).
    pub(crate) fn has_room(&self, state: &State, team: Team, unit: UnitId, area: Area) -> bool {
        self.has_room_beside(state, team, unit, area, &Units::EMPTY)
    }

    /// Whether a team has room for one more unit in an area beside others that are on their way there.
    pub(crate) fn has_room_beside(
        &self,
        state: &State,
        team: Team,
        unit: UnitId,
        area: Area,
        coming: &Units,
    ) -> bool {
        let limits = &self.rules.stacking;
        let terrain = self.rules.areas[area.at()].terrain;
        let air = self.is_air(unit);
        let soviet = self.nation(unit) == Nation::SovietUnion;
        let most = match (terrain, air) {
            (Terrain::Fortress, false) => limits.fortress_land,
            (Terrain::Fortress, true) => limits.fortress_air,
            _ if !self.rules.options.stacking => 0,
            (_, false) => limits.land[terrain as usize][usize::from(!soviet)],
            (Terrain::Rough | Terrain::Swamp, true) => limits.air,
            (_, true) => 0,
        };
        let there = if air { &self.tables.air_units } else { &self.tables.land_units };
        most == 0 || state.of_team_at(team, area).or(coming).and(there).len() < u32::from(most)
    }

    /// Whether an area is in the climate zone to which the scenario confines a nation (16.12, A7).
    pub(crate) fn is_home_zone(&self, nation: Nation, area: Area) -> bool {
        let scenario = &self.tables.scenario[nation.index()];
        scenario.as_ref().and_then(|data| data.confined).is_none_or(|zone| self.zone(area) == zone)
    }
    /// Whether a nation's units enter no disputed area of their own will (16.12).
    pub fn defends_only(&self, nation: Nation) -> bool {
        self.tables.scenario[nation.index()].as_ref().is_some_and(|data| data.defends_only)
    }

    /// Areas of an operational move of a unit (5.1): by branch, weather (reconstructed), supply (A103).
    pub fn moves_of(&self, state: &State, unit: UnitId) -> u8 {
        // Vichy units do not move (16.1, play book, L361).
        if self.nation(unit) == Nation::VichyFrance {
            return 0;
        }
        let mut moves = self.rules.branches[self.branch(unit) as usize].moves;
        if !self.is_air(unit) {
            moves = moves.min(self.weather_at(state, state.location(unit)).land_moves);
        }
        if state.has_mark(unit, mark::UNSUPPLIED) {
            moves = moves.min(self.rules.movement.unsupplied_moves);
        }
        moves
    }

    /// Whether a unit may leave where it is: a rear guard must stay in a disputed area, of at least as many steps as there are
    /// enemy blocks (play book, L667; A15), unless a Special Action is spent (7.52).
    pub fn may_leave(&self, state: &State, unit: UnitId) -> bool {
        let from = state.location(unit);
        if !state.is_disputed(from) || self.is_air(unit) {
            return true;
        }
        let Some(team) = self.team_of(state, unit) else { return false };
        if state.abandoned.covers(self.patron(self.nation(unit)), from) {
            return true;
        }
        let stay = self.steps_of(state, &self.land_units_at(state, team, from));
        let left = stay - u16::from(state.steps(unit));
        u32::from(left) >= self.land_units_at(state, team.other(), from).len()
    }

    /// Whether a unit may go from an area into the next one, or across an air link.
    pub fn may_enter(&self, state: &State, unit: UnitId, from: Area, to: Area) -> bool {
        let Some(team) = self.team_of(state, unit) else { return false };
        let nation = self.nation(unit);
        let friendly = state.held(team).contains(to);
        if !self.is_open_to(state, nation, to) || self.is_closed_border(state, from, to) {
            return false;
        }
        if !self.is_air(unit) && self.is_strait_shut(state, team, from, to) {
            return false;
        }
        let occupied = self.is_enemy_occupied(state, team, to);
        if self.is_air(unit) && !state.manned(team).contains(to) && (occupied || !friendly) {
            return false;
        }
        (!occupied || self.may_engage(state, unit, from, to)) && self.has_room(state, team, unit, to)
    }

    /// Whether a unit may go where enemy land units stand, by land or by sea.
    pub(crate) fn may_engage(&self, state: &State, unit: UnitId, from: Area, to: Area) -> bool {
        // From one battle to another (play book, L283).
        if state.is_disputed(from) || self.defends_only(self.nation(unit)) {
            return false;
        }
        let bog = self.rules.movement.no_armour_into_held_swamp
            && self.branch(unit) == Branch::Armour
            && self.tables.swamps.contains(to)
            && !self.weather_at(state, to).swamp_is_rough;
        if bog {
            return false;
        }
        // Infantry class needs steps to break through (play book, L283, L311; A52).
        !matches!(state.phase, Phase::Breakthrough | Phase::BreakthroughMove)
            || self.branch(unit) == Branch::Armour
            || self.is_air(unit)
            || state.steps(unit) >= self.rules.movement.breakthrough_steps
    }

    /// Whether a move ends on entry of an area (5.1; A101, A102).
    pub fn must_stop(&self, state: &State, unit: UnitId, from: Area, to: Area) -> bool {
        let Some(team) = self.team_of(state, unit) else { return true };
        let by_land = self.land().touch(from, to);
        !by_land
            || self.is_enemy_occupied(state, team, to)
            || !self.is_air(unit)
                && (self.tables.straits[to.at()].contains(from)
                    || self.tables.swamps.contains(to)
                    || self.rules.movement.stop_in_empty_enemy_area && !state.held(team).contains(to))
    }

    /// The areas a unit may enter next. Air links are a move of their own (play book, L331).
    pub fn ways(&self, state: &State, unit: UnitId, first: bool) -> Areas {
        let from = state.location(unit);
        let mut near = *self.land().neighbours(from);
        if first && self.is_air(unit) {
            near = near.or(&self.tables.links[from.at()]);
        }
        let near = near.filter(|to| self.may_enter(state, unit, from, to));
        if first { near.or(&self.sea_ways(state, unit)) } else { near }
    }

    /// Whether a unit has anywhere to go.
    fn has_way(&self, state: &State, unit: UnitId) -> bool {
        let from = state.location(unit);
        let enters = |areas: &Areas| areas.iter().any(|to| self.may_enter(state, unit, from, to));
        enters(self.land().neighbours(from))
            || self.is_air(unit) && enters(&self.tables.links[from.at()])
            || !self.sea_ways(state, unit).is_empty()
    }

    /// Whether a unit gets into the next area by land or across an air link, rather than by sea.
    pub(crate) fn goes_by_land(&self, state: &State, unit: UnitId, to: Area) -> bool {
        let from = state.location(unit);
        let near =
            self.land().touch(from, to) || self.is_air(unit) && self.tables.links[from.at()].contains(to);
        near && self.may_enter(state, unit, from, to)
    }

    /// Whether a strait is shut: the enemy alone has Fleet Points beside it, and not both shores are friendly (A102).
    pub(crate) fn is_strait_shut(&self, state: &State, team: Team, from: Area, to: Area) -> bool {
        if !self.tables.straits[to.at()].contains(from) {
            return false;
        }
        let shores = state.held(team).contains(from) && state.held(team).contains(to);
        !shores
            && self.sea_zones().any(|sea| {
                let coast = &self.tables.coasts[sea.at()];
                coast.contains(from)
                    && coast.contains(to)
                    && state.fleet_points(team.other(), sea) > 0
                    && state.fleet_points(team, sea) == 0
            })
    }

    /// A unit goes into the next area.
    pub(crate) fn march(
        &self,
        state: &mut State,
        unit: UnitId,
        to: Area,
        way: Way,
        context: &mut impl Rolls,
    ) {
        let from = state.location(unit);
        let stop = self.must_stop(state, unit, from, to);
        self.enter(state, unit, to, way, context);
        state.march = if stop { 0 } else { state.march.saturating_sub(1) };
    }

    /// A unit enters an area by whatever way: what it crosses, whether the area is newly disputed (A50), who controls it.
    pub(crate) fn enter(
        &self,
        state: &mut State,
        unit: UnitId,
        to: Area,
        way: Way,
        context: &mut impl Rolls,
    ) {
        let Some(team) = self.team_of(state, unit) else { return };
        let from = state.location(unit);
        self.vichy_yields(state, unit, to, context);
        // What it crossed before counts no more.
        state.marks[unit.at()] &= !(mark::CROSSED | mark::MAGINOT | mark::LANDED);
        let mut marks = mark::MOVED;
        if state.has_mark(unit, mark::UNSUPPLIED) {
            marks |= mark::UNSUPPLIED_MOVED;
        }
        if state.is_disputed(from) {
            marks |= mark::ENGAGED;
        }
        if !self.is_air(unit) && self.is_enemy_occupied(state, team, to) {
            marks |= mark::ENGAGED;
            if !state.manned(team).contains(to) && state.mover == team {
                state.newly_disputed.insert(to);
            }
            // The bonuses they give are those of the first round.
            if state.newly_disputed.contains(to) {
                marks |= match way {
                    Way::Drop | Way::Invasion => mark::LANDED,
                    _ => self.crossing(from, to),
                };
            }
        }
        state.mark(unit, marks);
        self.put(state, unit, to);
        context.emit(|| Event::Moved { unit, from, to, how: way });
        self.settle_area(state, from, context);
        self.settle_area(state, to, context);
        self.notice(state, to, self.nation(unit));
    }

    /// The marks of what a land unit crosses from one area into the next: a river or strait, the Maginot Line (20.1 f, g).
    pub fn crossing(&self, from: Area, to: Area) -> u16 {
        let crossed = |set: &Areas, bit| if set.contains(from) { bit } else { 0 };
        crossed(&self.tables.rivers[to.at()], mark::CROSSED)
            | crossed(&self.tables.maginot[to.at()], mark::MAGINOT)
    }

    // ---- the phase ----

    pub(crate) fn operational_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        out.offer(Action::Pass)?;
        match state.pending {
            Pending::None => {
                self.departures(state, out)?;
                self.drops(state, out)?;
                self.invasions(state, out)?;
                let ready = self.ready(state);
                out.rest(None, [ready], |_, unit| {
                    let goes = self.is_distinct(state, &ready, !0, unit)
                        && self.may_leave(state, unit)
                        && self.moves_of(state, unit) > 0
                        && self.has_way(state, unit);
                    goes.then_some(Action::Select(unit))
                })
            }
            Pending::Destination(unit) => out.all([self.ways(state, unit, true)], |_, to| Action::Go(to)),
            Pending::March(unit) => out.all([self.ways(state, unit, false)], |_, to| Action::Go(to)),
            Pending::Raise(_) => Flow::Continue(()),
        }
    }

    /// Counters of the mover on the map that have not moved.
    fn ready(&self, state: &State) -> Units {
        state.of_team[state.mover.index()]
            .filter(|unit| state.is_on_map(unit) && !state.has_mark(unit, mark::MOVED))
    }

    /// Disputed areas that a nation may pay to leave without a rear guard (7.52).
    fn departures(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        let disputed = state.disputed();
        if disputed.is_empty() {
            return Flow::Continue(());
        }
        for nation in Nation::members(state.nations(state.mover)) {
            if state.power(nation).special_actions == 0 || self.patron(nation) != nation {
                continue;
            }
            let units = self.attached(state, nation).and(&self.tables.land_units);
            for area in disputed.filter(|area| !state.abandoned.covers(nation, area)) {
                let mut here = state.at(area).and(&units).into_iter();
                if here.any(|unit| !state.has_mark(unit, mark::MOVED) && !self.may_leave(state, unit)) {
                    out.offer(Action::Abandon(nation, area))?;
                }
            }
        }
        Flow::Continue(())
    }

    /// Airborne drops (7.3; A106, A107).
    fn drops(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        let team = state.mover;
        let airborne = self.tables.airborne.and(&state.of_team[team.index()]);
        for unit in airborne {
            let from = state.location(unit);
            let nation = self.nation(unit);
            if !from.is_on_map()
                || state.has_mark(unit, mark::MOVED | mark::UNSUPPLIED)
                || state.is_disputed(from)
                || self.defends_only(nation)
            {
                continue;
            }
            let payer = self.patron(nation);
            let open = state.held(Team::First).or(state.held(Team::Second));
            let range = u32::from(self.rules.movement.drop_range);
            let near = self.land().within_open(IndexSet::one(from), range, &open);
            let near = near.or(&self.tables.links[from.at()]).and(&open);
            let hostile = state.held(team.other()).or(&state.disputed());
            for to in near.and(&hostile) {
                let paid = state.drops.covers(payer, to) || state.power(payer).special_actions > 0;
                let fits = self.is_open_to(state, nation, to) && self.has_room(state, team, unit, to);
                if paid && fits && self.weather_at(state, to).airborne {
                    out.offer(Action::Drop(unit, to))?;
                }
            }
        }
        Flow::Continue(())
    }

    pub(crate) fn operational_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        match (state.pending, action) {
            (Pending::None, Action::Pass) => self.end_phase(state, context),
            (Pending::None, Action::Select(unit)) => {
                state.march = self.moves_of(state, unit);
                state.pending = Pending::Destination(unit);
            }
            (Pending::None, Action::Abandon(nation, area)) => {
                self.spend(state, nation, SpecialAction::Abandonment, context);
                state.abandoned.add(nation, area);
            }
            (Pending::None, Action::Drop(unit, area)) => {
                let payer = self.patron(self.nation(unit));
                if !state.drops.covers(payer, area) {
                    self.spend(state, payer, SpecialAction::Airborne, context);
                    state.drops.add(payer, area);
                }
                self.enter(state, unit, area, Way::Drop, context);
            }
            (Pending::Destination(unit) | Pending::March(unit), Action::Pass) => {
                state.mark(unit, mark::MOVED);
                state.pending = Pending::None;
            }
            (Pending::None, Action::Invade(nation, area, sea)) => {
                self.invade(state, nation, area, sea, context);
            }
            (Pending::Destination(unit), Action::Go(to)) if !self.goes_by_land(state, unit, to) => {
                let route =
                    self.route_between(state, self.patron(self.nation(unit)), state.location(unit), to);
                state.pending = Pending::None;
                self.sail_to(state, unit, to, route, Way::Sea, context);
            }
            (Pending::Destination(unit) | Pending::March(unit), Action::Go(to)) => {
                self.march(state, unit, to, Way::Operational, context);
                let goes_on = state.march > 0 && !self.ways(state, unit, false).is_empty();
                state.pending = if goes_on { Pending::March(unit) } else { Pending::None };
            }
            _ => {}
        }
    }

    /// Vichy blocks do not fight Americans: where these come in they are removed (9.5; A87, play book, L361).
    fn vichy_yields(&self, state: &mut State, unit: UnitId, to: Area, context: &mut impl Rolls) {
        let american = self.patron(self.nation(unit)) == Nation::UnitedStates;
        let vichy = &self.tables.of_nation[Nation::VichyFrance.index()];
        if !american || state.team(Nation::VichyFrance) == self.team_of(state, unit) {
            return;
        }
        for block in state.at(to).and(vichy) {
            context.emit(|| Event::Loss { unit: block, area: to, cause: LossCause::Yielded });
            self.send(state, block, Area::GONE);
        }
    }

    /// A nation spends a Special Action.
    pub(crate) fn spend(
        &self,
        state: &mut State,
        nation: Nation,
        on: SpecialAction,
        context: &mut impl Rolls,
    ) {
        let hand = &mut state.powers[nation.index()].special_actions;
        debug_assert!(*hand > 0, "a Special Action");
        *hand -= 1;
        context.emit(|| Event::Spent { nation, on });
    }
}
