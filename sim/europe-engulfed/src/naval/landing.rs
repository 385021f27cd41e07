//! Amphibious invasions (7.2) and beachheads (22.0).

use sandtable_core::{ActionSink, Flow, Index};

use super::routes::{ready_in, seas_of};
use crate::Rolls;
use crate::action::Action;
use crate::event::{Event, SpecialAction, Way};
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Areas, MAX_SEAS, Nation, Sea, Team, UnitId, Units, WESTERN_POWERS};
use crate::phase::{Phase, Sailing};
use crate::state::{Crossing, Route, State, happened, mark};

impl EuropeEngulfed {
    /// Infantry of a nation, and of those attached to it, that can go on board for an invasion from a zone: in a friendly port on
    /// it, not moved, in supply, from no battle into another (7.2; play book, L107, L283, L667).
    fn invaders(&self, state: &State, nation: Nation, sea: Sea) -> Units {
        let ready = self.ready_to_embark(state, nation);
        let harbours = self.harbours_at(state, state.mover, sea);
        let ports = harbours.and(state.held(state.mover)).difference(&state.disputed());
        if ready.is_empty() || ports.is_empty() {
            return Units::EMPTY;
        }
        state.places.standing(&ready, |at: Area| ports.contains(at))
    }

    /// Infantry of a nation, and of those attached to it, that has not moved and is in supply, wherever it stands (7.2).
    fn ready_to_embark(&self, state: &State, nation: Nation) -> Units {
        self.attached(state, nation)
            .and(&self.tables.infantry)
            .and(&state.on_map)
            .difference(&state.marked(mark::MOVED | mark::UNSUPPLIED))
            .difference(&self.tables.defends_only)
    }

    /// Areas that can be invaded from a zone: hostile beaches in fit weather, once a phase (7.2, A107).
    fn hostile_beaches(&self, state: &State, sea: Sea) -> Areas {
        let team = state.mover;
        let hostile = state.held(team.other()).or(&state.disputed());
        self.tables.beaches[sea.at()]
            .and(&hostile)
            .difference(&state.invaded)
            .difference(&self.paused_areas(state))
            .filter(|area| self.weather_at(state, area).amphibious)
    }

    /// Nations that can pay for an invasion, and have somebody for it.
    fn invasion_payers(&self, state: &State, sea: Sea) -> impl Iterator<Item = (Nation, Units)> {
        let able = Nation::members(self.payers(state));
        able.map(move |nation| (nation, self.invaders(state, nation, sea)))
            .filter(|(_, units)| !units.is_empty())
    }

    /// Invasions that can be begun in the Initial Operational Movement Phase.
    pub(crate) fn invasions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        let payers = self.payers(state);
        if payers == 0 || !self.rules.setup.fleets_used {
            return Flow::Continue(());
        }
        let ships = ready_in(state, state.nations(state.mover) & state.belligerents);
        let mut targets = [Areas::EMPTY; MAX_SEAS];
        let mut any = false;
        for sea in seas_of(ships) {
            targets[sea.at()] = self.hostile_beaches(state, sea);
            any |= !targets[sea.at()].is_empty();
        }
        if !any {
            return Flow::Continue(());
        }
        for nation in Nation::members(payers) {
            if self.ready_to_embark(state, nation).is_empty() {
                continue;
            }
            let mut sites = [Areas::EMPTY; MAX_SEAS];
            let mut all = Areas::EMPTY;
            for sea in seas_of(ships) {
                if !targets[sea.at()].is_empty() {
                    let invaders = self.invaders(state, nation, sea);
                    sites[sea.at()] = self.landing_sites(state, &invaders, &targets[sea.at()]);
                    all = all.or(&sites[sea.at()]);
                }
            }
            for area in all {
                for sea in seas_of(ships).filter(|sea| sites[sea.at()].contains(area)) {
                    out.offer(Action::Invade(nation, area, sea))?;
                }
            }
        }
        Flow::Continue(())
    }

    /// Of some areas those where one of some infantry may go ashore. All of a nation may where one may.
    fn landing_sites(&self, state: &State, units: &Units, areas: &Areas) -> Areas {
        let (mut left, mut sites) = (*units, Areas::EMPTY);
        while let Some(unit) = left.first() {
            sites = sites.or(&self.landable_among(state, unit, areas));
            left = left.difference(&self.tables.of_nation[self.nation(unit).index()]);
        }
        sites
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

    // ---- Operation Overlord (13.46) ----

    /// Whether the invasion being prepared may be Overlord: one of France where the Axis holds it, once a game.
    fn may_be_overlord(&self, state: &State) -> bool {
        let to = state.crossing.to;
        self.rules.options.overlord
            && state.mover == Team::Second
            && !state.affairs.has(happened::OVERLORD)
            && self.tables.home[Nation::France.index()].contains(to)
            && state.held(Team::First).contains(to)
    }

    /// Whether the invasion being prepared is Overlord.
    fn is_overlord(&self, state: &State) -> bool {
        let overlord = &state.affairs.counts.overlord;
        overlord.turn == state.turn && overlord.area == state.crossing.to
    }

    /// Whether the Allied player turn in which Overlord goes ashore is under way (13.46 b).
    pub(crate) fn is_overlord_turn(&self, state: &State) -> bool {
        self.rules.options.overlord
            && state.mover == Team::Second
            && state.affairs.counts.overlord.turn == state.turn
    }

    /// Whether units move but one area within France: those of the Axis in the Initial Operational Movement after Overlord (13.46 c).
    fn does_resistance_hinder(&self, state: &State) -> bool {
        let turn = state.affairs.counts.overlord.turn;
        self.rules.options.overlord
            && state.phase == Phase::Operational
            && state.mover == Team::First
            && turn > 0
            && state.turn == turn + 1
    }

    /// A unit has gone from one area to another: within France the resistance lets it go no farther.
    pub(crate) fn note_resistance(&self, state: &mut State, from: Area, to: Area) {
        let france = &self.tables.home[Nation::France.index()];
        if self.does_resistance_hinder(state) && france.contains(from) && france.contains(to) {
            state.affairs.counts.overlord.hindered = true;
        }
    }

    /// Areas that the unit on the way does not enter from where it is, for the resistance: those of France, within it (13.46 c).
    pub(crate) fn hindered_by_resistance(&self, state: &State, from: Area) -> Areas {
        let france = &self.tables.home[Nation::France.index()];
        let hindered = state.affairs.counts.overlord.hindered && self.does_resistance_hinder(state);
        if hindered && france.contains(from) { *france } else { Areas::EMPTY }
    }

    pub(super) fn declare_overlord(&self, state: &mut State) {
        state.affairs.happened |= happened::OVERLORD;
        let overlord = &mut state.affairs.counts.overlord;
        (overlord.area, overlord.turn) = (state.crossing.to, state.turn);
    }

    pub(super) fn pay_for_armour(&self, state: &mut State, nation: Nation, context: &mut impl Rolls) {
        self.spend(state, nation, SpecialAction::Overlord, context);
        state.affairs.counts.overlord.armour |= nation.bit();
    }

    pub(super) fn embark(&self, state: &mut State, unit: UnitId) {
        state.crossing.cargo.insert(unit);
        if self.tables.armour.contains(unit) {
            state.affairs.counts.overlord.armour &= !self.nation(unit).bit();
        }
    }

    /// Armour that goes on board for Overlord, and powers that can pay for one of theirs (13.46 a).
    fn overlord_decisions(&self, state: &State, sea: Sea, out: &mut Vec<Action>) {
        if self.may_be_overlord(state) {
            out.push(Action::Overlord);
        }
        if !self.is_overlord(state) {
            return;
        }
        let here = Areas::one(state.crossing.to);
        let paid = state.affairs.counts.overlord.armour;
        for nation in WESTERN_POWERS {
            let armour = self.tables.of_nation[nation.index()].and(&self.tables.armour);
            let fit = armour
                .and(&state.on_map)
                .difference(&state.marked(mark::MOVED | mark::UNSUPPLIED))
                .difference(&state.crossing.cargo);
            let harbours = self.harbours_at(state, state.mover, sea);
            let ports = harbours.and(state.held(state.mover)).difference(&state.disputed());
            let fit = state.places.standing(&fit, |at: Area| ports.contains(at));
            let fit = fit.filter(|unit| !self.landable_among(state, unit, &here).is_empty());
            let one_on_board = state.crossing.cargo.intersects(&armour);
            if fit.is_empty() || one_on_board {
                continue;
            }
            if paid & nation.bit() != 0 {
                out.extend(self.distinct(state, &fit, !0).iter().map(Action::Embark));
            } else if state.landings.covers(nation, state.crossing.to)
                && state.power(nation).special_actions > 0
            {
                out.push(Action::LandArmour(nation));
            }
        }
    }

    /// Blocks that go on board: as many as the beach takes, and one a ready Fleet Point (play book, L107, L297); other nations join.
    pub(crate) fn embarkations(&self, state: &State, out: &mut Vec<Action>) {
        let crossing = &state.crossing;
        let (area, sea) = (crossing.to, crossing.route.seas()[0]);
        let carried = u32::from(state.ready_points(state.mover, sea)) * u32::from(self.rules.naval.carried);
        let beach = u32::from(self.rules.areas[area.at()].beaches[sea.at()]);
        let infantry = crossing.cargo.difference(&self.tables.armour).len();
        if !crossing.cargo.is_empty() {
            out.push(Action::Pass);
        }
        if crossing.cargo.len() < carried && self.rules.options.overlord {
            self.overlord_decisions(state, sea, out);
        }
        if crossing.cargo.len() < carried && infantry < beach {
            self.boarders(state, area, sea, out);
        }
        // Whoever finds nobody to go on board stays at home.
        if out.is_empty() {
            out.push(Action::Pass);
        }
    }

    /// Nations that join an invasion, and blocks that go on board.
    fn boarders(&self, state: &State, area: Area, sea: Sea, out: &mut Vec<Action>) {
        let here = Areas::one(area);
        for (nation, units) in self.invasion_payers(state, sea) {
            if !state.landings.covers(nation, area) && !self.landing_sites(state, &units, &here).is_empty() {
                out.push(Action::Invade(nation, area, sea));
            }
        }
        let paid =
            Nation::members(state.nations(state.mover)).filter(|nation| state.landings.covers(*nation, area));
        let units = paid.fold(Units::EMPTY, |all, nation| all.or(&self.invaders(state, nation, sea)));
        let lands = |unit| !self.landable_among(state, unit, &here).is_empty();
        let units = units.difference(&state.crossing.cargo).filter(lands);
        out.extend(self.distinct(state, &units, !0).iter().map(Action::Embark));
    }

    /// Of some areas those in which a block may go ashore, with all that are on board already (5.5).
    fn landable_among(&self, state: &State, unit: UnitId, areas: &Areas) -> Areas {
        let open = self.open_among(state, self.nation(unit), areas);
        self.roomy_among(state, state.mover, unit, open, &state.crossing.cargo)
    }

    // ---- beachheads ----

    /// Final Supply begins: a beachhead in each area invaded in this player turn and still held (22.0), unless a port serves it.
    pub(crate) fn place_beachheads(&self, state: &mut State, context: &mut impl Rolls) {
        let team = state.mover;
        let invaded = std::mem::replace(&mut state.invaded, Areas::EMPTY);
        for area in invaded.and(state.manned(team)) {
            if !self.port_serves(state, team, area) && !state.beachheads[team.index()].contains(area) {
                state.beachheads[team.index()].insert(area);
                state.cache.invalidate();
                context.emit(|| Event::Beachhead { team, area, placed: true });
            }
        }
    }

    /// Whether a team controls a port in an area or next to it, where no enemy stands.
    fn port_serves(&self, state: &State, team: Team, area: Area) -> bool {
        let ports = self.sea_zones().fold(Areas::EMPTY, |all, sea| all.or(&self.ports_at(state, sea)));
        let mut near = *self.land().neighbours(area);
        near.insert(area);
        ports.and(&near).and(state.held(team)).difference(&state.disputed()).first().is_some()
    }

    /// The end of a player turn: beachheads go where a port serves, or where nobody of their team is left and the area is lost.
    pub(crate) fn clear_beachheads(&self, state: &mut State, context: &mut impl Rolls) {
        for team in Team::ALL {
            for area in state.beachheads[team.index()] {
                let lost = !state.manned(team).contains(area) && !state.held(team).contains(area);
                // One that has been paid for stays beside a port too (13.32).
                let paid = state.paid_beachheads[team.index()].contains(area);
                if lost || !paid && self.port_serves(state, team, area) {
                    state.beachheads[team.index()].remove(area);
                    state.paid_beachheads[team.index()].remove(area);
                    state.cache.invalidate();
                    context.emit(|| Event::Beachhead { team, area, placed: false });
                    // Nor was it a landing that is repelled (A137).
                    if lost && !paid && self.counts_when_repelled(team, area) {
                        state.repelled += 1;
                    }
                }
            }
        }
    }
}
