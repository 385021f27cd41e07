//! Amphibious invasions (7.2) and beachheads (22.0).

use sandtable_core::{ActionSink, Flow, Index};

use crate::Rolls;
use crate::action::Action;
use crate::event::{Event, SpecialAction, Way};
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Areas, MAX_SEAS, Nation, Sea, Team, Units};
use crate::phase::Sailing;
use crate::rules::Branch;
use crate::state::{Crossing, Route, State, mark};

impl EuropeEngulfed {
    /// Infantry of a nation, and of those attached to it, that can go on board for an invasion from a zone: in a friendly port on
    /// it, not moved, in supply, from no battle into another (7.2; play book, L107, L283, L667).
    fn invaders(&self, state: &State, nation: Nation, sea: Sea) -> Units {
        let ports = self.tables.ports[sea.at()].and(state.held(state.mover));
        self.attached(state, nation).filter(|unit| {
            let at = state.location(unit);
            at.is_on_map()
                && ports.contains(at)
                && self.branch(unit) == Branch::Infantry
                && !state.has_mark(unit, mark::MOVED | mark::UNSUPPLIED)
                && !self.defends_only(self.nation(unit))
                && !state.is_disputed(at)
        })
    }

    /// Areas that can be invaded from a zone: hostile beaches in fit weather, once a phase (7.2, A107).
    fn hostile_beaches(&self, state: &State, sea: Sea) -> Areas {
        let team = state.mover;
        let hostile = state.held(team.other()).or(&state.disputed());
        self.tables.beaches[sea.at()]
            .and(&hostile)
            .filter(|area| self.weather_at(state, area).amphibious && !state.invaded.contains(area))
    }

    /// Nations that can pay for an invasion, and have somebody for it.
    fn invasion_payers(&self, state: &State, sea: Sea) -> impl Iterator<Item = (Nation, Units)> {
        let able = Nation::members(state.nations(state.mover))
            .filter(|nation| state.power(*nation).special_actions > 0 && self.patron(*nation) == *nation);
        able.map(move |nation| (nation, self.invaders(state, nation, sea)))
            .filter(|(_, units)| !units.is_empty())
    }

    /// Invasions that can be begun in the Initial Operational Movement Phase.
    pub(crate) fn invasions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        let mut targets = [Areas::EMPTY; MAX_SEAS];
        let mut all = Areas::EMPTY;
        for sea in self.sea_zones().filter(|sea| state.ready_points(state.mover, *sea) > 0) {
            targets[sea.at()] = self.hostile_beaches(state, sea);
            all = all.or(&targets[sea.at()]);
        }
        if all.is_empty() {
            return Flow::Continue(());
        }
        let able = Nation::members(state.nations(state.mover))
            .filter(|nation| state.power(*nation).special_actions > 0 && self.patron(*nation) == *nation);
        for nation in able {
            let mut invaders = [Units::EMPTY; MAX_SEAS];
            for sea in self.sea_zones().filter(|sea| !targets[sea.at()].is_empty()) {
                invaders[sea.at()] = self.invaders(state, nation, sea);
            }
            for area in all {
                for sea in self.sea_zones().filter(|sea| targets[sea.at()].contains(area)) {
                    let mut units = invaders[sea.at()].into_iter();
                    if units.any(|unit| self.may_land(state, unit, area)) {
                        out.offer(Action::Invade(nation, area, sea))?;
                    }
                }
            }
        }
        Flow::Continue(())
    }

    /// A nation pays for its part in an invasion (play book, L107). Its airborne may drop on the area for the same Special Action
    /// (L297).
    pub(crate) fn invade(
        &self,
        state: &mut State,
        nation: Nation,
        area: Area,
        sea: Sea,
        context: &mut impl Rolls,
    ) {
        self.spend(state, nation, SpecialAction::Amphibious, context);
        state.landings.add(nation, area);
        if !state.drops.covers(nation, area) {
            state.drops.add(nation, area);
        }
        if !self.is_at_sea(state) {
            state.crossing = Crossing {
                stage: Sailing::Embarking,
                to: area,
                how: Way::Invasion,
                route: Route::within(sea),
                ..Crossing::NONE
            };
        }
    }

    /// Blocks that go on board: as many as the beach takes, and one a ready Fleet Point (play book, L107, L297); other nations join.
    pub(crate) fn embarkations(&self, state: &State, out: &mut Vec<Action>) {
        let crossing = &state.crossing;
        let (area, sea) = (crossing.to, crossing.route.seas()[0]);
        let carried = u32::from(state.ready_points(state.mover, sea)) * u32::from(self.rules.naval.carried);
        let most = carried.min(u32::from(self.rules.areas[area.at()].beaches[sea.at()]));
        if !crossing.cargo.is_empty() {
            out.push(Action::Pass);
        }
        if crossing.cargo.len() < most {
            self.boarders(state, area, sea, out);
        }
        // Whoever finds nobody to go on board stays at home.
        if out.is_empty() {
            out.push(Action::Pass);
        }
    }

    /// Nations that join an invasion, and blocks that go on board.
    fn boarders(&self, state: &State, area: Area, sea: Sea, out: &mut Vec<Action>) {
        for (nation, units) in self.invasion_payers(state, sea) {
            let fits = |units: &Units| units.iter().any(|unit| self.may_land(state, unit, area));
            if !state.landings.covers(nation, area) && fits(&units) {
                out.push(Action::Invade(nation, area, sea));
            }
        }
        let paid =
            Nation::members(state.nations(state.mover)).filter(|nation| state.landings.covers(*nation, area));
        let units = paid.fold(Units::EMPTY, |all, nation| all.or(&self.invaders(state, nation, sea)));
        let units = units.difference(&state.crossing.cargo).filter(|unit| self.may_land(state, unit, area));
        out.extend(self.distinct(state, &units, !0).iter().map(Action::Embark));
    }

    /// Whether a block may go ashore, with all that are on board already (5.5).
    fn may_land(&self, state: &State, unit: crate::ids::UnitId, area: Area) -> bool {
        self.is_open_to(state, self.nation(unit), area)
            && self.has_room_beside(state, state.mover, unit, area, &state.crossing.cargo)
    }

    // ---- beachheads ----

    /// Final Supply begins: a beachhead in each area invaded in this player turn and still held (22.0), unless a port serves it.
    pub(crate) fn place_beachheads(&self, state: &mut State, context: &mut impl Rolls) {
        let team = state.mover;
        let invaded = std::mem::replace(&mut state.invaded, Areas::EMPTY);
        for area in invaded.and(state.manned(team)) {
            if !self.port_serves(state, team, area) && !state.beachheads[team.index()].contains(area) {
                state.beachheads[team.index()].insert(area);
                context.emit(|| Event::Beachhead { team, area, placed: true });
            }
        }
    }

    /// Whether a team controls a port in an area or next to it, where no enemy stands.
    fn port_serves(&self, state: &State, team: Team, area: Area) -> bool {
        let ports = self.ports_on(!0);
        let mut near = *self.land().neighbours(area);
        near.insert(area);
        ports.and(&near).and(state.held(team)).difference(&state.disputed()).first().is_some()
    }

    /// The end of a player turn: beachheads go where a port serves, or where nobody of their team is left and the area is lost.
    pub(crate) fn clear_beachheads(&self, state: &mut State, context: &mut impl Rolls) {
        for team in Team::ALL {
            for area in state.beachheads[team.index()] {
                let lost = !state.manned(team).contains(area) && !state.held(team).contains(area);
                if lost || self.port_serves(state, team, area) {
                    state.beachheads[team.index()].remove(area);
                    context.emit(|| Event::Beachhead { team, area, placed: false });
                    if lost && self.counts_when_repelled(team, area) {
                        state.repelled += 1;
                    }
                }
            }
        }
    }
}
