//! Phase 6, Breakthrough (7.4): for a Special Action each, operational movement into one area, strategic movement, or a round of
//! combat, as often as the mover pays.

use sandtable_core::{ActionSink, Flow, Index};

use crate::Rolls;
use crate::action::Action;
use crate::event::{SpecialAction, Way};
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Areas, Nation, Nations, Team, UnitId, Units};
use crate::naval::routes::ready_in;
use crate::phase::{Mode, Pending, Phase};
use crate::state::{State, happened, mark};

/// The most nations of a team with Special Actions at a time: the Major Powers and the minors that have one.
const PAYERS: usize = 8;

impl EuropeEngulfed {
    /// Nations that use the Special Actions of one.
    fn clients_of(&self, state: &State, nation: Nation) -> Nations {
        let others = match nation {
            Nation::UnitedStates if self.is_exile(state, Nation::France) => Nation::France.bit(),
            Nation::Germany => state.affairs.adopted & state.nations(Team::First),
            Nation::GreatBritain => state.affairs.adopted & state.nations(Team::Second),
            _ => 0,
        };
        self.tables.clients[nation.index()] | others
    }

    /// Units that use the Special Actions of a nation (A54, 10.5): its own and those attached to it.
    pub fn attached(&self, state: &State, nation: Nation) -> Units {
        let Some(team) = state.team(nation) else { return Units::EMPTY };
        let clients = Nation::members(self.clients_of(state, nation) & state.nations(team));
        clients.fold(Units::EMPTY, |all, client| all.or(&self.tables.of_nation[client.index()]))
    }

    /// The next areas of a unit on its way into an area, with so many areas left of its move (A14: it ends there).
    fn approaches(&self, state: &State, unit: UnitId, goal: Area, first: bool, left: u8) -> Areas {
        let from = state.location(unit);
        if self.rules.options.final_offensives && !self.weather_at(state, goal).breakthrough {
            // Into mud from next to it (13.34).
            let enters = left > 0 && self.land().touch(from, goal) && self.may_enter(state, unit, from, goal);
            return if enters { Areas::one(goal) } else { Areas::EMPTY };
        }
        let mut near = self.land().neighbours(from).and(self.land().neighbours(goal));
        if left < 2 {
            near = Areas::EMPTY;
        }
        let mut next = if near.is_empty() { near } else { self.enterable_among(state, unit, from, &near) };
        next = next
            .filter(|via| !self.must_stop(state, unit, from, via) && self.may_enter(state, unit, via, goal));
        let link = first && self.is_air(unit) && self.tables.links[from.at()].contains(goal);
        let direct = left > 0 && (link || self.land().touch(from, goal));
        // From port to port by the normal rules (play book, L311; A53).
        let sails = || first && left > 0 && self.sea_ways(state, unit).contains(goal);
        next.set(goal, direct && self.may_enter(state, unit, from, goal) || sails());
        next
    }

    /// Whether a unit can move into an area with a full move (5.42).
    fn can_reach(&self, state: &State, unit: UnitId, goal: Area) -> bool {
        state.location(unit) != goal
            && self.may_leave(state, unit)
            && !self.approaches(state, unit, goal, true, self.moves_of(state, unit)).is_empty()
    }

    /// Areas near enough to another to move from there into it.
    fn around(&self, state: &State, goal: Area) -> Areas {
        let near = self.tables.within_two[goal.at()].or(&self.tables.links[goal.at()]);
        let ports = self.zones_of(state, state.mover, goal);
        if ports == 0 || !state.held(state.mover).contains(goal) {
            return near;
        }
        let ships = if self.rules.setup.fleets_used { state.nations(state.mover) } else { 0 };
        let usable = ready_in(state, ships);
        let reached = self.seas_reached(state, state.mover, ports, usable);
        near.or(&self.harbours_on(state, state.mover, reached))
    }

    /// What Special Actions may be spent on, or none.
    pub(crate) fn breakthrough_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        out.offer(Action::Pass)?;
        if self.may_renounce(state) {
            out.offer(Action::Renounce)?;
        }
        let mut payers = [None; PAYERS];
        for (slot, nation) in payers.iter_mut().zip(Nation::members(self.payers(state))) {
            let units = self.attached(state, nation).and(&state.on_map);
            *slot = Some((nation, units, state.places.occupied(&units)));
        }
        for (nation, ..) in payers.iter().flatten() {
            if self.rules.nations[nation.index()].strategic_moves > 0 {
                out.offer(Action::BreakthroughStrategic(*nation))?;
            }
        }
        for (nation, units, _) in payers.iter().flatten() {
            for area in state.disputed() {
                if self.land_units_at(state, state.mover, area).intersects(units) {
                    for mode in Mode::ALL {
                        out.offer(Action::BreakthroughCombat(*nation, area, mode))?;
                    }
                }
            }
        }
        let dry = self.tables.in_play.filter(|goal| self.weather_at(state, goal).breakthrough);
        let goals = payers.map(|payer| {
            let Some((nation, ..)) = payer else { return Areas::EMPTY };
            if !self.rules.options.final_offensives {
                return dry;
            }
            dry.or(&self.tables.in_play.filter(|goal| self.may_offend_in_mud(state, nation, goal)))
        });
        out.rest(None, goals, |payer, goal| {
            let (nation, units, areas): (_, _, Areas) = payers[payer]?;
            let near = self.around(state, goal).and(&areas);
            let mut near = near.iter().flat_map(|area| state.at(area).and(&units));
            let reached = near.any(|unit| self.can_reach(state, unit, goal));
            reached.then_some(Action::BreakthroughMove(nation, goal))
        })
    }

    pub(crate) fn breakthrough_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        match action {
            Action::BreakthroughMove(nation, goal) => {
                self.spend(state, nation, SpecialAction::BreakthroughMove, context);
                (state.payer, state.goal) = (nation, goal);
                self.start_phase(state, Phase::BreakthroughMove, context);
            }
            Action::BreakthroughStrategic(nation) => {
                self.spend(state, nation, SpecialAction::BreakthroughStrategic, context);
                state.payer = nation;
                self.start_phase(state, Phase::BreakthroughStrategic, context);
            }
            Action::BreakthroughCombat(nation, area, mode) => {
                self.spend(state, nation, SpecialAction::BreakthroughCombat, context);
                (state.payer, state.goal) = (nation, area);
                self.start_phase(state, Phase::BreakthroughRound, context);
                let strikers = self.clients_of(state, nation);
                self.begin_battle(state, area, mode, strikers, context);
            }
            Action::Renounce => state.affairs.happened |= happened::AIRBORNE_RENOUNCED,
            _ => self.end_phase(state, context),
        }
    }

    /// Units that move into the area named.
    pub(crate) fn breakthrough_moves(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        let goal = state.goal;
        match state.pending {
            Pending::Destination(unit) => {
                out.offer(Action::Pass)?;
                let left = self.moves_of(state, unit);
                out.all([self.approaches(state, unit, goal, true, left)], |_, to| Action::Go(to))
            }
            Pending::March(unit) => {
                out.all([self.approaches(state, unit, goal, false, state.march)], |_, to| Action::Go(to))
            }
            _ => {
                out.offer(Action::Pass)?;
                let (near, units) = (self.around(state, goal), self.attached(state, state.payer));
                let ready = units.and(&state.on_map).difference(&state.marked(mark::MOVED));
                let ready = state.places.standing(&ready, |at: Area| near.contains(at));
                out.rest(None, [ready], |_, unit| {
                    let goes = self.is_distinct(state, &ready, !0, unit) && self.can_reach(state, unit, goal);
                    goes.then_some(Action::Select(unit))
                })
            }
        }
    }

    pub(crate) fn breakthrough_move_apply(
        &self,
        state: &mut State,
        action: Action,
        context: &mut impl Rolls,
    ) {
        match (state.pending, action) {
            (Pending::None, Action::Select(unit)) => {
                state.march = self.moves_of(state, unit);
                state.pending = Pending::Destination(unit);
            }
            (Pending::Destination(unit), Action::Pass) => {
                state.mark(unit, mark::MOVED);
                state.pending = Pending::None;
            }
            (Pending::Destination(unit), Action::Go(to)) if !self.goes_by_land(state, unit, to) => {
                self.go_by_sea(state, unit, to, Way::Breakthrough, context);
            }
            (Pending::Destination(unit) | Pending::March(unit), Action::Go(to)) => {
                self.march(state, unit, to, Way::Breakthrough, context);
                let arrived: Area = state.location(unit);
                state.pending = if arrived == state.goal { Pending::None } else { Pending::March(unit) };
            }
            _ => self.end_phase(state, context),
        }
    }

    /// The compulsory round in the area moved into, if it is newly disputed (play book, L311, L689).
    pub(crate) fn breakthrough_round_actions(&self, state: &State, out: &mut Vec<Action>) {
        if state.newly_disputed.contains(state.goal) {
            out.extend(Mode::ALL.map(|mode| Action::Attack(state.goal, mode)));
        }
    }
}
