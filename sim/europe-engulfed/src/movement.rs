//! 3. Initial Operational Movement (5.1): units march area by area; airborne drops (7.3), departures without a rear guard (7.52).
//!
//! A unit is picked, then goes area by area or stops. Entering an area with enemy land units ends its move.

use sandtable_core::{ActionSink, Board, Flow, Index};

use crate::Rolls;
use crate::action::Action;
use crate::event::{Event, LossCause, SpecialAction, Way};
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Areas, Nation, Nations, Team, UnitId, Units};
use crate::phase::{Pending, Phase};
use crate::rules::Terrain;
use crate::state::{State, happened, mark};

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
                && state.same_marks(unit, other, marks)
        };
        let mut before = self.counters(self.kind_of(unit)).take_while(|other| *other < unit);
        !before.any(|other| units.contains(other) && same(other))
    }

    /// Whether enemies of a team stand in an area.
    #[inline]
    fn is_enemy_occupied(&self, state: &State, team: Team, area: Area) -> bool {
        state.manned(team.other()).contains(area)
    }

    /// Of some areas those in which a team has room for one more unit, beside others that are on their way there (5.5; A98, 13.22).
    pub(crate) fn roomy_among(
        &self,
        state: &State,
        team: Team,
        unit: UnitId,
        areas: Areas,
        coming: &Units,
    ) -> Areas {
        let limits = &self.rules.stacking;
        let air = self.is_air(unit);
        let soviet = self.nation(unit) == Nation::SovietUnion;
        let there = if air { &self.tables.air_units } else { &self.tables.land_units };
        let limited = if self.rules.options.stacking { areas } else { areas.and(&self.tables.fortresses) };
        let full = limited.filter(|area| {
            let terrain = self.rules.areas[area.at()].terrain;
            let most = match (terrain, air) {
                (Terrain::Fortress, false) => limits.fortress_land,
                (Terrain::Fortress, true) => limits.fortress_air,
                (_, false) => limits.land[terrain as usize][usize::from(!soviet)],
                (Terrain::Rough | Terrain::Swamp, true) => limits.air,
                (_, true) => 0,
            };
            most > 0 && state.of_team_at(team, area).or(coming).and(there).len() >= u32::from(most)
        });
        areas.difference(&full)
    }

    /// Whether a team has room for one more unit in an area.
    pub(crate) fn has_room(&self, state: &State, team: Team, unit: UnitId, area: Area) -> bool {
        self.roomy_among(state, team, unit, Areas::one(area), &Units::EMPTY).contains(area)
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
        state.abandoned.covers(self.sponsor(state, self.nation(unit)), from)
            || self.spare_steps(state, team, from) >= i32::from(state.steps(unit))
    }

    /// Steps that a team has in an area beyond those of a rear guard; negative = it has too few for one.
    fn spare_steps(&self, state: &State, team: Team, area: Area) -> i32 {
        let land = state.at(area).and(&self.tables.land_units);
        let own = self.steps_of(state, &land.and(&state.of_team[team.index()]));
        i32::from(own) - land.and(&state.of_team[team.other().index()]).len() as i32
    }

    /// Of some areas those that a unit may enter from an area next to them, or at the other end of an air link.
    pub(crate) fn enterable_among(&self, state: &State, unit: UnitId, from: Area, areas: &Areas) -> Areas {
        let Some(team) = self.team_of(state, unit) else { return Areas::EMPTY };
        let open = self.open_among(state, self.nation(unit), areas);
        self.passable_among(state, team, unit, from, open)
    }

    /// Of some areas where a unit may be those into which it can go from one next to them, or at the other end of an air link.
    fn passable_among(&self, state: &State, team: Team, unit: UnitId, from: Area, mut open: Areas) -> Areas {
        open = open.difference(&self.paused_areas(state));
        if self.rules.setup.situation.closed_border.is_some() {
            open = open.filter(|to| !self.is_closed_border(state, from, to));
        }
        let (own, enemies) = (state.manned(team), state.manned(team.other()));
        if self.is_air(unit) {
            // Under friendly land units, or where nobody disputes what is friendly.
            open = open.and(&own.or(&state.held(team).difference(enemies)));
        } else {
            let across = open.and(&self.tables.straits[from.at()]);
            if !across.is_empty() {
                open = open.difference(&across.filter(|to| self.is_strait_shut(state, team, from, to)));
            }
        }
        let occupied = open.and(enemies);
        let refused = occupied.difference(&self.engageable_among(state, unit, from, occupied));
        self.roomy_among(state, team, unit, open.difference(&refused), &Units::EMPTY)
    }

    /// Whether a unit may go from an area into the next one, or across an air link.
    pub fn may_enter(&self, state: &State, unit: UnitId, from: Area, to: Area) -> bool {
        self.enterable_among(state, unit, from, &Areas::one(to)).contains(to)
    }

    /// Of some areas where enemy land units stand those into which a unit may go, by land or by sea.
    pub(crate) fn engageable_among(&self, state: &State, unit: UnitId, from: Area, areas: Areas) -> Areas {
        // From one battle to another (play book, L283).
        if areas.is_empty() || state.is_disputed(from) || self.tables.defends_only.contains(unit) {
            return Areas::EMPTY;
        }
        // Infantry class needs steps to break through (play book, L283, L311; A52).
        let armour = self.tables.armour.contains(unit);
        let breaks_through = armour
            || !matches!(state.phase, Phase::Breakthrough | Phase::BreakthroughMove)
            || self.is_air(unit)
            || state.steps(unit) >= self.rules.movement.breakthrough_steps;
        if !breaks_through {
            return Areas::EMPTY;
        }
        if armour { areas.filter(|to| !self.is_mired(state, unit, to)) } else { areas }
    }

    /// Whether a unit is armour that may not enter an area with enemy land units: a swamp, but in snow (A101).
    pub(crate) fn is_mired(&self, state: &State, unit: UnitId, area: Area) -> bool {
        self.rules.movement.no_armour_into_held_swamp
            && self.tables.armour.contains(unit)
            && self.tables.swamps.contains(area)
            && !self.weather_at(state, area).swamp_is_rough
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

    /// The areas next to a unit; on its first step with the other ends of the air links of an air unit (play book, L331).
    fn near(&self, state: &State, unit: UnitId, first: bool) -> Areas {
        let from = state.location(unit);
        let near = *self.land().neighbours(from);
        if first && self.is_air(unit) { near.or(&self.tables.links[from.at()]) } else { near }
    }

    /// The areas a unit may enter next. Air links are a move of their own (play book, L331).
    pub fn ways(&self, state: &State, unit: UnitId, first: bool) -> Areas {
        let Some(team) = self.team_of(state, unit) else { return Areas::EMPTY };
        let from = state.location(unit);
        let open = self.open_among(state, self.nation(unit), &self.tables.in_play);
        let mut near = self.near(state, unit, first).and(&open);
        if !first {
            near = near.difference(&self.hindered_by_resistance(state, from));
        }
        let near = self.passable_among(state, team, unit, from, near);
        if first { near.or(&self.sea_ways_among(state, team, unit, &open)) } else { near }
    }

    /// Whether a unit has anywhere to go.
    fn has_way(&self, state: &State, unit: UnitId) -> bool {
        let Some(team) = self.team_of(state, unit) else { return false };
        let from = state.location(unit);
        let open = self.open_among(state, self.nation(unit), &self.tables.in_play);
        let near = self.near(state, unit, true).and(&open);
        !self.passable_among(state, team, unit, from, near).is_empty()
            || !self.sea_ways_among(state, team, unit, &open).is_empty()
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
        self.note_resistance(state, from, to);
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
        // What it crossed before counts no more; what partisans have made it show stands up again.
        state.unmark(unit, mark::CROSSED | mark::MAGINOT | mark::LANDED | mark::REVEALED);
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
            Pending::None => self.operational_choices(state, out),
            Pending::Destination(unit) => out.all([self.ways(state, unit, true)], |_, to| Action::Go(to)),
            Pending::March(unit) => out.all([self.ways(state, unit, false)], |_, to| Action::Go(to)),
            Pending::Raise(_) | Pending::Converted(_) => Flow::Continue(()),
        }
    }

    /// What may be done while no unit is under way.
    fn operational_choices(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        self.repairs(state, out)?;
        self.departures(state, out)?;
        self.drops(state, out)?;
        self.invasions(state, out)?;
        if self.may_renounce(state) {
            out.offer(Action::Renounce)?;
        }
        let able = state.power(Nation::Germany).special_actions >= self.rules.politics.pause_actions;
        if able && self.may_pause(state) {
            out.offer(Action::Pause)?;
        }
        let ready = self.ready(state);
        out.rest(None, [ready], |_, unit| {
            let goes = self.is_distinct(state, &ready, !0, unit)
                && self.may_leave(state, unit)
                && self.moves_of(state, unit) > 0
                && self.has_way(state, unit);
            goes.then_some(Action::Select(unit))
        })
    }

    /// Whether Germany may say that its airborne make no more assaults: at any time of its player turn (13.33).
    pub(crate) fn may_renounce(&self, state: &State) -> bool {
        self.rules.options.paratroopers
            && state.mover == Team::First
            && !state.affairs.has(happened::AIRBORNE_RENOUNCED)
    }

    /// Counters of the mover on the map that have not moved.
    fn ready(&self, state: &State) -> Units {
        let ready = state.of_team[state.mover.index()].and(&state.on_map);
        let ready = ready.difference(&state.marked(mark::MOVED));
        let paused = self.paused_areas(state);
        if paused.is_empty() { ready } else { state.places.standing(&ready, |at: Area| !paused.contains(at)) }
    }

    /// Disputed areas that a nation may pay to leave without a rear guard (7.52).
    fn departures(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        let payers = self.payers(state);
        let disputed = if payers == 0 { Areas::EMPTY } else { state.disputed() };
        if disputed.is_empty() {
            return Flow::Continue(());
        }
        // Units that may not leave.
        let ready = self.ready(state).and(&self.tables.land_units);
        let mut bound = Units::EMPTY;
        for area in disputed {
            let spare = self.spare_steps(state, state.mover, area);
            let here = state.at(area).and(&ready);
            bound = bound.or(&here.filter(|unit| spare < i32::from(state.steps(unit))));
        }
        for nation in Nation::members(payers) {
            let own = bound.and(&self.attached(state, nation));
            if own.is_empty() {
                continue;
            }
            for area in state.places.occupied::<3>(&own) {
                if !state.abandoned.covers(nation, area) {
                    out.offer(Action::Abandon(nation, area))?;
                }
            }
        }
        Flow::Continue(())
    }

    /// Nations of the mover with Special Actions of their own in hand.
    pub(crate) fn payers(&self, state: &State) -> Nations {
        let own = state.nations(state.mover) & self.tables.patrons;
        let able = Nation::members(own).filter(|nation| state.power(*nation).special_actions > 0);
        able.fold(0, |mask, nation| mask | nation.bit())
    }

    /// Airborne drops (7.3; A106, A107).
    fn drops(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        let team = state.mover;
        let airborne = self.tables.airborne.and(&state.of_team[team.index()]).and(&state.on_map);
        let renounced = state.affairs.has(happened::AIRBORNE_RENOUNCED);
        let germans = &self.tables.of_nation[Nation::Germany.index()];
        let airborne = if renounced { airborne.difference(germans) } else { airborne };
        let airborne = airborne
            .difference(&state.marked(mark::MOVED | mark::UNSUPPLIED))
            .difference(&self.tables.defends_only);
        if airborne.is_empty() {
            return Flow::Continue(());
        }
        let open = state.held(Team::First).or(state.held(Team::Second));
        let hostile = state.held(team.other()).or(&state.disputed()).and(&open);
        let hostile = hostile.difference(&self.paused_areas(state));
        for unit in airborne {
            let (from, nation) = (state.location(unit), self.nation(unit));
            let payer = self.sponsor(state, nation);
            let able = state.power(payer).special_actions > 0;
            if state.is_disputed(from) || !able && !state.drops.any(payer) {
                continue;
            }
            let range = u32::from(self.rules.movement.drop_range);
            let near = self.land().within_open(Areas::one(from), range, &open);
            let near = near.or(&self.tables.links[from.at()]).and(&hostile);
            let near = self.open_among(state, nation, &near);
            let near = self.roomy_among(state, team, unit, near, &Units::EMPTY);
            for to in near {
                let paid = able || state.drops.covers(payer, to);
                if paid && self.weather_at(state, to).airborne {
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
                state.affairs.counts.overlord.hindered = false;
                state.pending = Pending::Destination(unit);
            }
            (Pending::None, Action::Pause) => {
                for _ in 0..self.rules.politics.pause_actions {
                    self.spend(state, Nation::Germany, SpecialAction::Pause, context);
                }
                state.affairs.happened |= happened::PAUSE;
            }
            (Pending::None, Action::Renounce) => state.affairs.happened |= happened::AIRBORNE_RENOUNCED,
            (Pending::None, Action::Repair(nation, area)) => self.repair(state, nation, area, context),
            (Pending::None, Action::Abandon(nation, area)) => {
                self.spend(state, nation, SpecialAction::Abandonment, context);
                state.abandoned.add(nation, area);
            }
            (Pending::None, Action::Drop(unit, area)) => {
                let payer = self.sponsor(state, self.nation(unit));
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
                self.go_by_sea(state, unit, to, Way::Sea, context);
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
