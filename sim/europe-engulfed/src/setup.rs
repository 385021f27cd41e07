//! The opening position, deployment (16.1 to 18), counters that come by date (A94, A109).

use sandtable_core::Index;

use crate::Rolls;
use crate::action::Action;
use crate::event::{Event, Way};
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Areas, KindId, Team, UnitId};
use crate::phase::Phase;
use crate::rules::PoolChange;
use crate::state::{NOBODY, State};

impl EuropeEngulfed {
    /// The set-up on the map, before anything has been decided.
    pub(crate) fn position(&self) -> State {
        let setup = &self.rules.setup;
        let mut state = State::empty();
        for (area, nation) in setup.control.iter().enumerate() {
            let in_play = self.tables.in_play.contains(Area::nth(area));
            state.control[area] = if in_play { *nation as u8 } else { NOBODY };
        }
        for data in &setup.nations {
            let player = setup.players.iter().find(|player| player.nations & data.nation.bit() != 0);
            let power = &mut state.powers[data.nation.index()];
            power.team = player.map(|player| player.team);
            power.special_actions = data.special_actions;
            power.special_action_pool = data.special_action_pool;
        }
        for (unit, start) in self.tables.starts.iter().enumerate() {
            state.places.put(UnitId::nth(unit), start.area);
            state.steps[unit] = if start.area.is_on_map() { start.steps } else { 0 };
        }
        self.derive(&mut state);
        state
    }

    /// The opening position, the first deployment begun.
    pub(crate) fn starting_state(&self, context: &mut impl Rolls) -> State {
        let mut state = self.position();
        state.mover = self.rules.setup.deploys_first.unwrap_or(Team::First);
        self.start_phase(&mut state, Phase::Deployment, context);
        state
    }

    /// The counter that a team places next.
    fn waiting(&self, state: &State) -> Option<UnitId> {
        state.at(Area::WAITING).and(&state.of_team[state.mover.index()]).first()
    }

    /// Where a counter that is being placed may go.
    fn zone_of(&self, state: &State, unit: UnitId) -> Areas {
        if state.phase == Phase::Deployment {
            return self.tables.starts[unit.at()].zone;
        }
        let kind = self.kind_of(unit).0;
        let dated = self.rules.setup.dated.iter().filter(|dated| dated.turn == state.turn);
        let mut zones = dated.filter_map(|dated| match dated.change {
            PoolChange::Reinforce { kind: of, zone, .. } if of == kind => Some(zone),
            _ => None,
        });
        zones.next().unwrap_or(Areas::EMPTY).and(state.held(state.mover))
    }

    /// Areas in which land units are still missing of those that must stand there, with their number (16.11).
    fn unmet(&self, state: &State) -> (Areas, u32) {
        let (mut areas, mut units) = (Areas::EMPTY, 0);
        for &(team, area, least) in &self.rules.setup.minimum {
            let there = self.land_units_at(state, team, area).len();
            if team == state.mover && there < u32::from(least) {
                areas.insert(area);
                units += u32::from(least) - there;
            }
        }
        (areas, units)
    }

    pub(crate) fn deployment_actions(&self, state: &State, out: &mut Vec<Action>) {
        let Some(unit) = self.waiting(state) else { return };
        let mut zone = self.zone_of(state, unit).filter(|area| self.has_room(state, state.mover, unit, area));
        if state.phase == Phase::Deployment && !self.is_air(unit) {
            let (areas, units) = self.unmet(state);
            let ours = state.of_team[state.mover.index()].and(&self.tables.land_units);
            let left = state.at(Area::WAITING).and(&ours).len();
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
                PoolChange::SpecialActions { nation, by } => {
                    let pool = &mut state.powers[nation.index()].special_action_pool;
                    *pool = pool.saturating_add_signed(by);
                }
                PoolChange::Reinforce { .. } => {}
            }
        }
    }

    /// Counters that the mover places at the start of his player turn.
    pub(crate) fn call_reinforcements(&self, state: &mut State) {
        let turn = state.turn;
        for dated in self.rules.setup.dated.iter().filter(|dated| dated.turn == turn) {
            if let PoolChange::Reinforce { kind, count, .. } = dated.change {
                let nation = self.rules.kinds[kind as usize].nation;
                if state.team(nation) == Some(state.mover) {
                    self.bring_in(state, kind, count, Area::WAITING);
                }
            }
        }
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
