//! The opening position, deployment (16.1 to 18), counters that come by date (A94, A109).

use sandtable_core::Index;

use crate::Rolls;
use crate::action::Action;
use crate::event::{Event, Way};
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Areas, KindId, Nation, Nations, Team, UnitId};
use crate::phase::Phase;
use crate::rules::{NationKind, PoolChange, Standing};
use crate::state::{Draft, NOBODY, State, StrategicForces, built, happened};

impl EuropeEngulfed {
    /// The set-up on the map, before anything has been decided.
    pub(crate) fn position(&self) -> State {
        let setup = &self.rules.setup;
        let mut state = State::empty();
        for (area, nation) in setup.control.iter().enumerate() {
            let in_play = self.tables.in_play.contains(Area::nth(area));
            state.control[area] = if in_play { *nation as u8 } else { NOBODY };
        }
        for nation in Nation::ALL {
            if !state.control.contains(&(nation as u8)) {
                state.affairs.standing[nation.index()] = Standing::Absent;
            }
        }
        for data in &setup.nations {
            let player = setup.players.iter().find(|player| player.nations & data.nation.bit() != 0);
            let kind = self.rules.nations[data.nation.index()].kind;
            let leads = match data.standing {
                Standing::Belligerent => true,
                Standing::Neutral => kind == NationKind::Major,
                Standing::Conquered | Standing::Absent => false,
            };
            state.affairs.standing[data.nation.index()] = data.standing;
            let power = &mut state.powers[data.nation.index()];
            power.team = player.map(|player| player.team).filter(|_| leads);
            power.special_actions = data.special_actions;
            power.special_action_pool = data.special_action_pool;
            self.note_axis_minor(&mut state, data.nation);
        }
        self.opening_situation(&mut state);
        for (unit, start) in self.tables.starts.iter().enumerate() {
            state.places.put(UnitId::nth(unit), start.area);
            state.steps[unit] = if start.area.is_on_map() { start.steps } else { 0 };
        }
        for &(nation, sea, points) in &setup.fleets {
            state.fleets[nation.index()].ready[sea.at()] += points;
        }
        (state.field_forts, state.heavy_forts) = (setup.field_forts, setup.heavy_forts);
        self.begin_builds(&mut state);
        let levels = &setup.strategic;
        state.strategic = StrategicForces {
            fighters: levels.fighters,
            bombers: levels.bombers,
            flak: levels.flak,
            submarines: levels.submarines,
            asw: levels.asw,
            ..StrategicForces::default()
        };
        self.derive(&mut state);
        state
    }

    /// An Axis minor that is in the war on the Axis side from the start has joined it before (14.311).
    pub(crate) fn note_axis_minor(&self, state: &mut State, nation: Nation) {
        let fights = state.affairs.standing[nation.index()] == Standing::Belligerent
            && state.team(nation) == Some(Team::First);
        if fights && self.rules.nations[nation.index()].kind == NationKind::AxisMinor {
            state.affairs.joined |= nation.bit();
        }
    }

    /// By option restricted builds have been begun, for which there is something less (17.54).
    fn begin_builds(&self, state: &mut State) {
        if !self.rules.options.partial_builds {
            return;
        }
        for begun in &self.rules.optional.begun {
            let index = begun.nation.index();
            state.powers[index].begun = [begun.fleet, 0, begun.asw];
            let points = &mut state.fleets[index].ready[begun.sea.at()];
            *points = points.saturating_sub(1);
            let full = |unit: &UnitId| self.tables.starts[unit.at()].steps == self.max_steps(*unit);
            if let Some(unit) = begun.kind.and_then(|kind| self.counters(kind).find(full)) {
                state.places.put(unit, Area::POOL);
                state.steps[unit.at()] = 0;
            }
        }
    }

    /// The opening position, the first deployment begun.
    pub(crate) fn starting_state(&self, context: &mut impl Rolls) -> State {
        let mut state = self.position();
        state.mover = self.rules.setup.deploys_first.unwrap_or(Team::First);
        if let Some(&(team, _)) = self.rules.setup.deployments.first() {
            state.mover = team;
        }
        self.start_phase(&mut state, Phase::Deployment, context);
        state
    }

    /// Politics and the strategic war at the start.
    fn opening_situation(&self, state: &mut State) {
        let (setup, affairs) = (&self.rules.setup, &mut state.affairs);
        let situation = &setup.situation;
        let flags = [
            (situation.winter_passed, happened::FIRST_WINTER),
            (situation.france_fell, happened::FALL_OF_FRANCE),
            (situation.vichy, happened::VICHY),
            (situation.soviet_war, happened::WARSAW_FELL | happened::GERMANY_ATTACKED),
        ];
        for nation in Nation::members(situation.fleets_built) {
            state.powers[nation.index()].built |= built::FLEET;
        }
        affairs.happened = flags.iter().filter(|(has, _)| *has).fold(0, |all, (_, flag)| all | flag);
        affairs.soviet_war = u8::from(situation.soviet_war);
        affairs.draft = if situation.draft { Draft::Open } else { Draft::NotYet };
    }

    /// Nations whose counters are deployed now (17.0).
    fn deploying(&self, state: &State) -> Nations {
        let stage = self.rules.setup.deployments.get(usize::from(state.affairs.deploying));
        match stage {
            Some(&(_, nations)) if state.phase == Phase::Deployment => nations,
            _ => Nations::MAX,
        }
    }

    /// Who deploys.
    pub(crate) fn deployment_decider(&self, state: &State) -> u8 {
        let nation = self.waiting(state).map(|unit| self.nation(unit));
        nation.map_or_else(|| self.leader(state.mover), |nation| self.player(state, nation))
    }

    /// The counter that a team places next.
    fn waiting(&self, state: &State) -> Option<UnitId> {
        let waiting = state.at(Area::WAITING).and(&state.of_team[state.mover.index()]);
        let now = self.deploying(state);
        if now == Nations::MAX {
            return waiting.first();
        }
        waiting.into_iter().find(|unit| now & self.nation(*unit).bit() != 0)
    }

    /// Areas that a counter may not be deployed in because others of its nation have used the limit up (17.21, 17.61, 18.11,
    /// 18.21).
    fn full(&self, state: &State, unit: UnitId) -> Areas {
        let nation = self.nation(unit);
        let branch = 1 << self.branch(unit) as u8;
        let mut full = Areas::EMPTY;
        for limit in &self.rules.setup.limits {
            if limit.nation != nation || limit.branches & branch == 0 {
                continue;
            }
            let own = self.tables.of_nation[nation.index()];
            let counted = |unit: &UnitId| limit.branches & 1 << self.branch(*unit) as u8 != 0;
            let there: usize = limit
                .areas
                .iter()
                .map(|area| state.at(area).and(&own).into_iter().filter(counted).count())
                .sum();
            if there >= usize::from(limit.most) {
                full = full.or(&limit.areas);
            }
        }
        full
    }

    /// Where a counter that is being placed may go.
    fn zone_of(&self, state: &State, unit: UnitId) -> Areas {
        if state.phase == Phase::Deployment {
            return self.tables.starts[unit.at()].zone;
        }
        let kind = self.kind_of(unit).0;
        let mut zones = self.rules.setup.dated.iter().filter_map(|dated| match dated.change {
            PoolChange::Reinforce { kind: of, zone, early, .. }
                if of == kind && (early || dated.turn == state.turn) =>
            {
                Some(zone)
            }
            _ => None,
        });
        zones.next().unwrap_or(Areas::EMPTY).and(state.held(state.mover))
    }

    /// Areas of a zone in which land units are still missing of those that must stand there, with their number (16.11).
    fn unmet(&self, state: &State, zone: &Areas) -> (Areas, u32) {
        let (mut areas, mut units) = (Areas::EMPTY, 0);
        for &(team, area, least) in &self.rules.setup.minimum {
            let there = self.land_units_at(state, team, area).len();
            if team == state.mover && zone.contains(area) && there < u32::from(least) {
                areas.insert(area);
                units += u32::from(least) - there;
            }
        }
        (areas, units)
    }

    pub(crate) fn deployment_actions(&self, state: &State, out: &mut Vec<Action>) {
        let Some(unit) = self.waiting(state) else { return };
        let mut zone = self.zone_of(state, unit).filter(|area| self.has_room(state, state.mover, unit, area));
        if state.phase == Phase::Deployment && !self.rules.setup.limits.is_empty() {
            zone = zone.difference(&self.full(state, unit));
        }
        if state.phase == Phase::Deployment && !self.is_air(unit) {
            let (areas, units) = self.unmet(state, &zone);
            let ours = state.of_team[state.mover.index()].and(&self.tables.land_units);
            let waiting = state.at(Area::WAITING).and(&ours);
            let left = waiting.filter(|unit| self.tables.starts[unit.at()].zone.intersects(&areas)).len();
            if left <= units && zone.intersects(&areas) {
                zone = zone.and(&areas);
            }
        }
        out.extend(zone.iter().map(Action::Go));
    }

    pub(crate) fn deployment_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let (Some(unit), Action::Go(area)) = (self.waiting(state), action) else { return };
        let steps = match state.phase {
            Phase::Deployment => self.tables.starts[unit.at()].steps,
            _ => self.max_steps(unit),
        };
        state.steps[unit.at()] = steps;
        self.put(state, unit, area);
        context.emit(|| Event::Moved { unit, from: Area::WAITING, to: area, how: Way::Deployed });
    }

    /// Changes of the pools at the start of a turn (A109).
    pub(crate) fn change_pools(&self, state: &mut State) {
        let turn = state.turn;
        for dated in self.rules.setup.dated.iter().filter(|dated| dated.turn == turn) {
            match dated.change {
                PoolChange::Add { kind, count } => self.bring_in(state, kind, count, Area::POOL),
                PoolChange::SpecialActions { nation, .. } if self.pool_follows_war(nation) => {}
                PoolChange::SpecialActions { nation, by } => {
                    let pool = &mut state.powers[nation.index()].special_action_pool;
                    *pool = pool.saturating_add_signed(by);
                }
                PoolChange::Reinforce { .. } => {}
                PoolChange::Fighters { team, points } => {
                    state.strategic.fighters[team.index()] += points;
                }
                PoolChange::Fleets { nation, sea, points } => {
                    state.fleets[nation.index()].ready[sea.at()] += points;
                    state.cache.invalidate();
                }
            }
        }
    }

    /// Counters that the mover places at the start of his player turn.
    pub(crate) fn call_reinforcements(&self, state: &mut State) {
        let (turn, january) = (state.turn, self.is_early_january(state));
        for dated in &self.rules.setup.dated {
            let PoolChange::Reinforce { kind, count, early, .. } = dated.change else { continue };
            let nation = self.rules.kinds[kind as usize].nation;
            let comes = turn == dated.turn || early && january && turn < dated.turn;
            if comes && state.team(nation) == Some(state.mover) {
                // Those who came early are not kept any more.
                self.bring_in(state, kind, count, Area::WAITING);
            }
        }
    }

    /// Whether it is January and February of a war of Germany and the USSR, not the months in which it begins: then what it brings
    /// the Soviets comes, unless they were caught at war with a minor (A112, 14.322).
    fn is_early_january(&self, state: &State) -> bool {
        let began = state.affairs.soviet_war;
        let caught = state.affairs.has(happened::SOVIETS_CAUGHT) && self.do_benefits_wait(state);
        self.bimester(state.turn).nth == 1 && began > 0 && began < state.turn && !caught
    }

    /// Counters that were kept from the game come into it.
    fn bring_in(&self, state: &mut State, kind: u8, count: u8, to: Area) {
        for _ in 0..count {
            let mut kept = self.counters(KindId(kind));
            if let Some(unit) = kept.find(|unit| state.location(*unit) == Area::GONE) {
                state.places.put(unit, to);
            }
        }
    }
}
