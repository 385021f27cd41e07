//! Phase 6, Breakthrough (7.4): for a Special Action each, operational movement into one area, strategic movement, or a round of
//! combat, as often as the mover pays.

use sandtable_core::{Board, Index};

use crate::Rolls;
use crate::action::Action;
use crate::event::{SpecialAction, Way};
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Areas, Nation, UnitId, Units};
use crate::phase::{Mode, Pending, Phase};
use crate::state::{State, mark};

impl EuropeEngulfed {
    /// Units that use the Special Actions of a nation (A54, 10.5): its own and those attached to it.
    pub(crate) fn attached(&self, state: &State, nation: Nation) -> Units {
        let clients = Nation::members(self.tables.clients[nation.index()]);
        let mut units = Units::EMPTY;
        for client in clients.filter(|client| state.team(*client) == state.team(nation)) {
            units = units.or(&self.tables.of_nation[client.index()]);
        }
        units
    }

    /// Areas that a unit can reach with a full move (5.42; A14: it ends in the area named).
    fn reach(&self, state: &State, unit: UnitId) -> Areas {
        let moves = self.moves_of(state, unit);
        if moves == 0 || !self.may_leave(state, unit) {
            return Areas::EMPTY;
        }
        let from = state.location(unit);
        let first = self.ways(state, unit, true);
        let mut reached = first;
        if moves > 1 {
            for via in first.filter(|via| !self.must_stop(state, unit, from, via)) {
                let next = self.land().neighbours(via).filter(|to| self.may_enter(state, unit, via, to));
                reached = reached.or(&next);
            }
        }
        reached.remove(from);
        reached
    }

    /// The next areas of a unit on its way to the goal.
    fn approaches(&self, state: &State, unit: UnitId, first: bool, left: u8) -> Areas {
        let from = state.location(unit);
        self.ways(state, unit, first).filter(|via| {
            via == state.goal
                || left > 1
                    && !self.must_stop(state, unit, from, via)
                    && self.land().touch(via, state.goal)
                    && self.may_enter(state, unit, via, state.goal)
        })
    }

    /// What Special Actions may be spent on, or none.
    pub(crate) fn breakthrough_actions(&self, state: &State, out: &mut Vec<Action>) {
        out.push(Action::Pass);
        for nation in Nation::ALL {
            let power = state.power(nation);
            if power.team != Some(state.mover) || power.special_actions == 0 || self.patron(nation) != nation
            {
                continue;
            }
            let units = self.attached(state, nation).filter(|unit| state.is_on_map(unit));
            let mut goals = Areas::EMPTY;
            for unit in self.distinct(state, &units, mark::UNSUPPLIED) {
                goals = goals.or(&self.reach(state, unit));
            }
            let goals = goals.filter(|goal| self.weather_at(state, goal).breakthrough);
            out.extend(goals.iter().map(|goal| Action::BreakthroughMove(nation, goal)));
            if self.rules.nations[nation.index()].strategic_moves > 0 {
                out.push(Action::BreakthroughStrategic(nation));
            }
            for area in state.disputed() {
                if self.land_units_at(state, state.mover, area).intersects(&units) {
                    out.extend(Mode::ALL.map(|mode| Action::BreakthroughCombat(nation, area, mode)));
                }
            }
        }
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
                let strikers = self.tables.clients[nation.index()];
                self.begin_battle(state, area, mode, strikers, context);
            }
            _ => self.end_phase(state, context),
        }
    }

    /// Units that move into the area named.
    pub(crate) fn breakthrough_moves(&self, state: &State, out: &mut Vec<Action>) {
        match state.pending {
            Pending::Destination(unit) => {
                out.push(Action::Pass);
                let left = self.moves_of(state, unit);
                out.extend(self.approaches(state, unit, true, left).iter().map(Action::Go));
            }
            Pending::March(unit) => {
                out.extend(self.approaches(state, unit, false, state.march).iter().map(Action::Go));
            }
            _ => {
                let ready = self.attached(state, state.payer);
                let ready = ready.filter(|unit| state.is_on_map(unit) && !state.has_mark(unit, mark::MOVED));
                let near = self.land().within(sandtable_core::IndexSet::one(state.goal), 2);
                let near = near.or(&self.tables.links[state.goal.at()]);
                let ready = ready.filter(|unit| near.contains(state.location(unit)));
                let distinct = self.distinct(state, &ready, !0);
                let moving = distinct.filter(|unit| self.reach(state, unit).contains(state.goal));
                out.push(Action::Pass);
                out.extend(moving.iter().map(Action::Select));
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
