//! 1. Initial Supply and 7. Final Supply (3.0).
//!
//! A line of supply runs over land to a source, or over land to a port, by sea to a port that a source feeds, and no further by
//! sea. By land it feeds any number of units, by sea as many as the Fleet Points of each zone crossed (3.2).

use std::cmp::Reverse;

use sandtable_core::{Board, Index, IndexSet};

use crate::Rolls;
use crate::action::Action;
use crate::event::{Event, LossCause, SpecialAction};
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Areas, MAX_AREAS, MAX_SEAS, NATIONS, Nation, Nations, Sea, Team, UnitId, Units};
use crate::naval::routes::{Seas, bit};
use crate::state::{Route, State, happened, mark};

/// What the ships of a zone can feed.
#[derive(Clone, Copy)]
struct SeaLine {
    /// The zones from the source's ports on, this one last.
    route: Route,
    /// Areas with a line to a port on it.
    ports: Areas,
    /// Areas with a line to a beachhead on it (5.4).
    beaches: Areas,
}

impl SeaLine {
    const NONE: SeaLine = SeaLine { route: Route::NONE, ports: Areas::EMPTY, beaches: Areas::EMPTY };
}

/// Lines of supply of a nation.
struct Lines {
    /// Areas fed by land.
    land: Areas,
    /// By sea zone.
    sea: [SeaLine; MAX_SEAS],
    /// Areas fed around the Cape.
    cape: Areas,
    /// Areas through which lines run; those that are friendly.
    open: Areas,
    held: Areas,
}

/// What the ships of a team can still feed: by who shares them (all in the war, then each neutral) and sea zone, and around the Cape.
struct Ships {
    left: [[u16; MAX_SEAS]; 1 + NATIONS],
    cape: u16,
}

/// How many more units of a nation could be fed in which areas (3.0): over land, from ports on its lines and around the Cape. Beachheads
/// (5.4) are not counted, nor how many a port takes (13.32), nor that who was out of supply and has moved traces through no disputed area
/// (A103).
#[derive(Clone, Copy, Debug)]
pub struct Room {
    land: Areas,
    /// By sea zone: the zones crossed, areas with a line to a port on it.
    sea: [(Route, Areas); MAX_SEAS],
    left: [u16; MAX_SEAS],
    cape: (Areas, u16),
}

impl Room {
    /// Whether any number of units is fed in an area.
    pub fn is_by_land(&self, area: Area) -> bool {
        self.land.contains(area)
    }

    /// Whether one more unit is fed in an area.
    pub fn feeds(&self, area: Area) -> bool {
        self.is_by_land(area) || self.by_sea(area) > 0
    }

    /// Units more that ships could feed in an area.
    fn by_sea(&self, area: Area) -> u16 {
        let cape = if self.cape.0.contains(area) { self.cape.1 } else { 0 };
        cape + self.best(area).map_or(0, |(_, room)| room)
    }

    /// Units more that ships could feed on a route.
    fn on(&self, route: Route) -> u16 {
        route.seas().iter().map(|sea| self.left[sea.at()]).min().unwrap_or(0)
    }

    /// One more unit is to be fed in an area.
    pub fn take(&mut self, area: Area) {
        if self.is_by_land(area) {
            return;
        }
        match self.best(area) {
            Some((route, _)) => {
                route.seas().iter().for_each(|sea| self.left[sea.at()] -= 1);
            }
            None => self.cape.1 = self.cape.1.saturating_sub(u16::from(self.cape.0.contains(area))),
        }
    }

    /// The route by which one more is fed in an area, and how many: the shortest on which there is room, of these the one with most (A81).
    fn best(&self, area: Area) -> Option<(Route, u16)> {
        let lines = self.sea.iter().filter(|(route, ports)| !route.is_empty() && ports.contains(area));
        let rooms = lines.map(|(route, _)| (*route, self.on(*route))).filter(|(_, room)| *room > 0);
        rooms.min_by_key(|(route, room)| (route.seas().len(), Reverse(*room)))
    }
}

impl EuropeEngulfed {
    /// Areas from which a line of supply of a nation runs to a source, through friendly or disputed areas (play book, L653; A82).
    /// What ships can feed is not counted.
    pub fn supplied_areas(&self, state: &State, nation: Nation) -> Areas {
        if state.cache.known & nation.bit() != 0 {
            return state.cache.supplied[nation.index()];
        }
        let lines = self.lines_of_supply(state, nation, true);
        lines.sea.iter().fold(lines.land.or(&lines.cape), |all, line| all.or(&line.ports).or(&line.beaches))
    }

    /// Works out the areas in supply of some nations of the mover, if they are not known.
    pub(crate) fn keep_supplied_areas(&self, state: &mut State, nations: Nations) {
        for nation in Nation::members(nations & state.nations(state.mover) & !state.cache.known) {
            state.cache.supplied[nation.index()] = self.supplied_areas(state, nation);
            state.cache.known |= nation.bit();
        }
    }

    /// Areas from which a line runs to a source over land alone.
    pub(crate) fn areas_fed_by_land(&self, state: &State, nation: Nation) -> Areas {
        self.lines_by_land(state, nation, true).0
    }

    /// Areas fed over land; areas through which lines run; those of them that are friendly.
    fn lines_by_land(&self, state: &State, nation: Nation, through_disputed: bool) -> (Areas, Areas, Areas) {
        let held = self.friendly(state, nation);
        let disputed = state.disputed();
        let open = if through_disputed { held.or(&disputed) } else { held.difference(&disputed) };
        let nation = if self.is_exile(state, nation) { self.host(state) } else { nation };
        let mut sources = self.tables.sources[nation.index()];
        if state.affairs.adopted & nation.bit() != 0 {
            // As a minor from its patron's too (A82).
            sources = sources.or(&self.tables.sources[self.sponsor(state, nation).index()]);
        }
        let sources = sources.and(&held);
        (self.land().fill(sources, &open), open, held)
    }

    fn lines_of_supply(&self, state: &State, nation: Nation, through_disputed: bool) -> Lines {
        let none = Areas::EMPTY;
        let mut lines =
            Lines { land: none, sea: [SeaLine::NONE; MAX_SEAS], cape: none, open: none, held: none };
        let Some(team) = state.team(nation) else { return lines };
        let (land, open, held) = self.lines_by_land(state, nation, through_disputed);
        (lines.land, lines.open, lines.held) = (land, open, held);
        if !self.rules.setup.fleets_used {
            return lines;
        }
        // What is fed by land needs no ships.
        let unfed = open.difference(&lines.land);
        let served = |sea: Sea| {
            let ports = self.ports_at(state, sea).and(&held);
            ports.intersects(&unfed) || !self.beachheads_at(state, team, sea).is_empty()
        };
        if self.seas_with(served) == 0 {
            return self.with_cape(state, nation, lines, &open);
        }
        let (from, usable) = self.ends_of_routes(state, nation, &lines.land.and(&held));
        for sea in self.sea_zones() {
            if !served(sea) {
                continue;
            }
            let route = self.route(state, team, from, 1 << sea.0, usable);
            if !route.is_empty() {
                let fed = |from: &Areas| self.land().fill(from.and(&open), &open);
                let beachheads = self.beachheads_at(state, team, sea);
                lines.sea[sea.at()] = SeaLine {
                    route,
                    ports: fed(&self.ports_at(state, sea).and(&held)),
                    beaches: fed(&beachheads),
                };
            }
        }
        self.with_cape(state, nation, lines, &open)
    }

    /// Zones in which routes of supply begin, at ports that are fed by land; zones through which they may run.
    fn ends_of_routes(&self, state: &State, nation: Nation, fed: &Areas) -> (Seas, Seas) {
        let usable = self.seas_with(|sea| self.sea_capacity(state, nation, sea) > 0);
        (self.seas_of_ports(state, fed), usable)
    }

    /// Adds what is fed around the Cape.
    fn with_cape(&self, state: &State, nation: Nation, mut lines: Lines, open: &Areas) -> Lines {
        if let Some(cape) = self.cape_of(state, nation) {
            lines.cape = self.land().fill(IndexSet::one(cape), open);
        }
        lines
    }

    /// The area in which what sails around the Cape for a nation arrives.
    fn cape_of(&self, state: &State, nation: Nation) -> Option<Area> {
        let cape = self.rules.supply.cape.0?;
        let open = self.friendly(state, nation).contains(cape) && !state.is_disputed(cape);
        (open && self.country_of(cape).owner == self.sponsor(state, nation)).then_some(cape)
    }

    /// Units of a nation and of who shares its ships that Fleet Points in a zone feed, used ones too (3.2, 3.33; A117).
    pub fn sea_capacity(&self, state: &State, nation: Nation, sea: Sea) -> u16 {
        let Some(team) = state.team(nation) else { return 0 };
        let patron = self.sponsor(state, nation);
        // Without its island a team feeds one unit less with each point (3.33, reconstructed).
        let less = || {
            let island = self.rules.supply.islands[team.index()];
            let lost = |island: Area| {
                self.tables.ports[sea.at()].contains(island) && !state.held(team).contains(island)
            };
            u8::from(island.is_some_and(lost))
        };
        let mut fed = 0;
        for nation in Nation::members(state.nations(team) & state.carriers_for(patron)) {
            let fleet = &state.fleets[nation.index()];
            let points = u16::from(fleet.ready[sea.at()] + fleet.used[sea.at()]);
            if points > 0 {
                fed += points
                    * u16::from(self.rules.nations[nation.index()].fleet_supply.saturating_sub(less()));
            }
        }
        fed
    }

    /// Whether a unit is in supply. One that was out of it and has moved since traces no line through disputed areas; it may
    /// stand in one (A103).
    pub fn is_supplied(&self, state: &State, unit: UnitId) -> bool {
        self.team_of(state, unit).is_none_or(|team| !self.unsupplied(state, team).contains(unit))
    }

    /// Units of a team without a line, by land or by what its ships can feed.
    pub fn unsupplied(&self, state: &State, team: Team) -> Units {
        let wanting = self.unfed_by_land(state, team);
        if wanting.is_empty() || !self.rules.setup.fleets_used {
            return wanting;
        }
        self.unfed_by_sea(state, team, wanting, &mut self.ships(state, team))
    }

    /// How many more units of a nation could be fed in which areas, besides those that its team has.
    pub fn room(&self, state: &State, nation: Nation) -> Room {
        let lines = self.lines_of_supply(state, nation, true);
        let sea = lines.sea.map(|line| (line.route, line.ports));
        let mut room = Room { land: lines.land, sea, left: [0; MAX_SEAS], cape: (lines.cape, 0) };
        if let Some(team) = state.team(nation).filter(|_| self.rules.setup.fleets_used) {
            let mut ships = self.ships(state, team);
            self.unfed_by_sea(state, team, self.unfed_by_land(state, team), &mut ships);
            (room.left, room.cape.1) = (ships.left[self.share_of(state, nation)], ships.cape);
        }
        room
    }

    /// How many more units of a nation ships could feed in a zone, on the route from its sources, whether it serves a port there yet or
    /// not; none where no route leads there. `room` is the nation's.
    pub fn room_in_zone(&self, state: &State, nation: Nation, room: &Room, sea: Sea) -> u16 {
        let (known, _) = room.sea[sea.at()];
        if !known.is_empty() {
            return room.on(known);
        }
        let Some(team) = state.team(nation).filter(|_| self.rules.setup.fleets_used) else { return 0 };
        let held = self.friendly(state, nation);
        let (from, usable) = self.ends_of_routes(state, nation, &room.land.and(&held));
        room.on(self.route(state, team, from, bit(sea), usable))
    }

    /// Units of a team without a line by land.
    fn unfed_by_land(&self, state: &State, team: Team) -> Units {
        let on_map = state.of_team[team.index()].and(&state.on_map);
        let mut wanting = Units::EMPTY;
        for nation in Nation::members(state.nations(team)) {
            let units = self.tables.of_nation[nation.index()].and(&on_map);
            if units.is_empty() || self.is_partisan(state, nation) {
                continue;
            }
            for (group, strict) in Self::by_strictness(state, &units) {
                if !group.is_empty() {
                    let land = self.lines_by_land(state, nation, !strict).0;
                    wanting = wanting.or(&group.filter(|unit| !self.is_fed(state, unit, &land)));
                }
            }
        }
        wanting
    }

    /// Whose ships feed a nation: those in the war share theirs; a neutral has its own alone.
    fn share_of(&self, state: &State, nation: Nation) -> usize {
        if self.is_at_war(state, nation) { 0 } else { 1 + nation.index() }
    }

    /// What the ships of a team can feed.
    fn ships(&self, state: &State, team: Team) -> Ships {
        let mut left = [[0; MAX_SEAS]; 1 + NATIONS];
        for nation in Nation::members(state.nations(team)) {
            let shared = &mut left[self.share_of(state, nation)];
            if shared.iter().all(|units| *units == 0) {
                self.sea_zones().for_each(|sea| shared[sea.at()] = self.sea_capacity(state, nation, sea));
            }
        }
        Ships { left, cape: u16::from(self.rules.supply.cape.1) }
    }

    /// Units that trace through disputed areas, and those that do not, as they were out of supply and have moved (A103).
    fn by_strictness(state: &State, units: &Units) -> [(Units, bool); 2] {
        let strict = units.and(&state.marked(mark::UNSUPPLIED_MOVED));
        [(units.difference(&strict), false), (strict, true)]
    }

    /// Whether a unit stands in fed country; one that must not trace through disputed areas may stand in one beside it.
    fn is_fed(&self, state: &State, unit: UnitId, fed: &Areas) -> bool {
        let at = state.location(unit);
        fed.contains(at)
            || state.has_mark(unit, mark::UNSUPPLIED_MOVED) && self.land().neighbours(at).intersects(fed)
    }

    /// Of units without a line by land those that ships do not feed either: first come those on beachheads, which need more, then
    /// the others (A81).
    fn unfed_by_sea(&self, state: &State, team: Team, wanting: Units, ships: &mut Ships) -> Units {
        let mut left = wanting;
        // Each port supplies so many (13.32).
        let limited = self.rules.options.ports && self.rules.supply.port_limit > 0;
        let mut berths = [self.rules.supply.port_limit; MAX_AREAS];
        let beachheads = !state.beachheads[team.index()].is_empty();
        for on_beaches in [true, false] {
            for nation in Nation::members(state.nations(team)) {
                if on_beaches && !beachheads && self.cape_of(state, nation).is_none() {
                    continue;
                }
                let units = self.tables.of_nation[nation.index()].and(&left);
                let capacity = &mut ships.left[self.share_of(state, nation)];
                for (group, strict) in Self::by_strictness(state, &units) {
                    if group.is_empty() {
                        continue;
                    }
                    let lines = self.lines_of_supply(state, nation, !strict);
                    for unit in group {
                        let berth = |sea: Sea, berths: &[u8; MAX_AREAS]| {
                            let fed = |fed: &Areas| self.is_fed(state, unit, fed);
                            self.berth(state, (&lines.open, &lines.held), fed, (sea, &berths[..]))
                        };
                        let by_port = |line: &SeaLine| self.is_fed(state, unit, &line.ports);
                        let full = |at: usize| limited && berth(Sea::nth(at), &berths).is_none();
                        let mut ports = lines.sea.iter().enumerate();
                        let beached = !ports.any(|(at, line)| by_port(line) && !full(at));
                        // For whom the ports have no berth left a beachhead may have room.
                        let crowded_out = limited && beached && !on_beaches;
                        if beached != on_beaches && !crowded_out {
                            continue;
                        }
                        let cost = if beached { u16::from(self.rules.supply.beachhead_units) } else { 1 };
                        let serves = |at: usize, line: &SeaLine| {
                            if !beached && full(at) {
                                return false;
                            }
                            let fed = if beached { &line.beaches } else { &line.ports };
                            self.is_fed(state, unit, fed)
                                && line.route.seas().iter().all(|sea| capacity[sea.at()] >= cost)
                        };
                        let served = lines.sea.iter().enumerate().filter(|(at, line)| serves(*at, line));
                        let best = served.min_by_key(|(_, line)| {
                            let room = line.route.seas().iter().map(|sea| capacity[sea.at()]).min();
                            (line.route.seas().len(), Reverse(room))
                        });
                        if let Some((at, line)) = best {
                            if limited
                                && !beached
                                && let Some(port) = berth(Sea::nth(at), &berths)
                            {
                                berths[port.at()] -= 1;
                            }
                            for sea in line.route.seas() {
                                capacity[sea.at()] -= cost;
                            }
                            left.remove(unit);
                        } else if ships.cape > 0 && self.is_fed(state, unit, &lines.cape) {
                            ships.cape -= 1;
                            left.remove(unit);
                        }
                    }
                }
            }
        }
        left
    }

    /// Initial Supply: units without a line are marked (play book, L549, L651).
    pub(crate) fn initial_supply(&self, state: &mut State) {
        let team = state.of_team[state.mover.index()];
        state.unmark_these(&team, mark::UNSUPPLIED | mark::UNSUPPLIED_MOVED);
        for unit in self.unsupplied(state, state.mover) {
            state.mark(unit, mark::UNSUPPLIED);
        }
    }

    /// Units of the mover without a line.
    pub(crate) fn unsupplied_now(&self, state: &State) -> Units {
        state.cache.unsupplied.unwrap_or_else(|| self.unsupplied(state, state.mover))
    }

    /// Works out the units of the mover without a line, if they are not known.
    pub(crate) fn keep_unsupplied(&self, state: &mut State) {
        state.cache.unsupplied = Some(self.unsupplied_now(state));
    }

    /// Unsupplied units that no Special Action has been spent on.
    fn starving(&self, state: &State) -> Units {
        self.unsupplied_now(state).difference(&state.marked(mark::MOVED))
    }

    /// Limited Supply (7.9): one Special Action of the nation whose units they are, for each area (play book, L689).
    pub(crate) fn final_supply_actions(&self, state: &State, out: &mut Vec<Action>) {
        out.push(Action::Pass);
        if self.may_renounce(state) {
            out.push(Action::Renounce);
        }
        self.paid_landings(state, out);
        for unit in self.starving(state) {
            let nation = self.sponsor(state, self.nation(unit));
            let action = Action::LimitedSupply(nation, state.location(unit));
            if state.power(nation).special_actions > 0 && !out.contains(&action) {
                out.push(action);
            }
        }
    }

    pub(crate) fn final_supply_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        match action {
            Action::LimitedSupply(nation, area) => {
                self.spend(state, nation, SpecialAction::LimitedSupply, context);
                let here = self.starving(state).filter(|unit| {
                    state.location(unit) == area && self.sponsor(state, self.nation(unit)) == nation
                });
                for unit in here {
                    state.mark(unit, mark::MOVED);
                    self.lose_step(state, unit, LossCause::Supply, context);
                }
                self.settle_area(state, area, context);
            }
            Action::Beachhead(nation, area) => self.pay_for_beachhead(state, nation, area, context),
            Action::Renounce => state.affairs.happened |= happened::AIRBORNE_RENOUNCED,
            _ => self.end_phase(state, context),
        }
    }

    /// The end of Final Supply: who is still without a line is eliminated (play book, L689); the others need no mark any more.
    pub(crate) fn final_supply_ends(&self, state: &mut State, context: &mut impl Rolls) {
        let mut emptied = Areas::EMPTY;
        for unit in self.starving(state) {
            emptied.insert(state.location(unit));
            self.eliminate(state, unit, LossCause::Supply, context);
        }
        for area in emptied {
            self.settle_area(state, area, context);
        }
        let supplied = state.of_team[state.mover.index()].difference(&self.unsupplied_now(state));
        state.unmark_these(&supplied, mark::UNSUPPLIED | mark::UNSUPPLIED_MOVED);
        state.cache.unsupplied = None;
    }

    /// A counter loses a step; a cadre is eliminated and goes back to the pool (8.5).
    pub(crate) fn lose_step(
        &self,
        state: &mut State,
        unit: UnitId,
        cause: LossCause,
        context: &mut impl Rolls,
    ) {
        let area = state.location(unit);
        context.emit(|| Event::Loss { unit, area, cause });
        if state.steps(unit) > 1 {
            state.steps[unit.at()] -= 1;
        } else {
            let to = self.grave(state, unit, cause);
            self.send(state, unit, to);
        }
    }

    /// A counter loses all its steps.
    pub(crate) fn eliminate(
        &self,
        state: &mut State,
        unit: UnitId,
        cause: LossCause,
        context: &mut impl Rolls,
    ) {
        for _ in 0..state.steps(unit) {
            self.lose_step(state, unit, cause, context);
        }
    }
}
