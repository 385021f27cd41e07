//! 4. Strategic Movement (5.2, 5.44): a few units of each nation go any distance through friendly country in supply.

use sandtable_core::{ActionSink, Board, Flow, IndexSet};

use crate::Rolls;
use crate::action::Action;
use crate::event::Way;
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Areas, Nation, UnitId, Units};
use crate::phase::{Pending, Phase};
use crate::state::{Route, State, mark};

impl EuropeEngulfed {
    /// A phase begins: every nation has its moves (20.3), or in a breakthrough the payer alone.
    pub(crate) fn strategic_begins(&self, state: &mut State) {
        state.unmark_all(mark::MOVED | mark::STRATEGIC);
        for nation in Nation::ALL {
            let moves = self.strategic_moves(state, nation);
            let moves_now = state.phase == Phase::Strategic || nation == state.payer;
            state.powers[nation.index()].moves = if moves_now { moves } else { 0 };
        }
    }

    /// Strategic moves of a nation in a phase (20.3): bombs cost Germany some, submarines and bombs Great Britain (2.13, 2.25).
    fn strategic_moves(&self, state: &State, nation: Nation) -> u8 {
        let moves = self.rules.nations[nation.index()].strategic_moves;
        let lost = match nation {
            Nation::Germany | Nation::GreatBritain if self.rules.setup.strategic_war_used => {
                state.team(nation).map_or(0, |team| state.strategic.moves_lost[team.index()])
            }
            _ => 0,
        };
        moves.saturating_sub(lost)
    }

    /// Areas through which units of a nation move: friendly, undisputed, in supply (play book, L667); by an area that must be
    /// held down and is not (A65) no further.
    fn lines(&self, state: &State, nation: Nation) -> (Areas, Areas) {
        let team = state.mover;
        let peaceful = self.friendly(state, nation).difference(&state.disputed());
        let open = peaceful.and(&self.supplied_areas(state, nation));
        let home = Nation::members(state.nations(team))
            .fold(Areas::EMPTY, |all, nation| all.or(&self.tables.home_resources[nation.index()]));
        let conquered = self.tables.resource_areas.difference(&home);
        let restless =
            conquered.difference(state.manned(team)).filter(|area| !self.is_its_owners(state, area));
        (open, open.difference(&restless))
    }

    /// Areas of the pact in which the Soviets' strategic movement may end, until their war with Germany (9.25, A90).
    fn pact_areas_by_rail(&self, state: &State, nation: Nation) -> Areas {
        let soviet = nation == Nation::SovietUnion && state.affairs.soviet_war == 0;
        if soviet { self.pact_areas(state, nation) } else { Areas::EMPTY }
    }

    /// Areas that a unit reaches by land alone.
    fn goals_by_land(&self, state: &State, nation: Nation, from: Area) -> Areas {
        let (open, through) = self.lines(state, nation);
        let reached = self.land().fill(IndexSet::one(from), &through);
        let open = open.or(&self.pact_areas_by_rail(state, nation));
        reached.or(&self.land().neighbours_of(&reached)).and(&open)
    }

    /// Areas that a unit reaches over land, then the sea, then land: with a ready Fleet Point in each zone (play book, L667).
    fn goals_by_sea(
        &self,
        state: &State,
        nation: Nation,
        open: &Areas,
        through: &Areas,
        from: Area,
    ) -> Areas {
        let usable = self.seas_with_transport(state, self.sponsor(state, nation));
        if usable == 0 {
            return Areas::EMPTY;
        }
        let embarked = self.land().fill(IndexSet::one(from), through).and(open);
        let seas = self.seas_of_harbours(state, state.mover, &embarked);
        let seas = self.seas_reached(state, state.mover, seas, usable);
        let harbours = self.harbours_on(state, state.mover, seas).and(open);
        // Through a harbour that must be held down and is not, nobody goes on.
        let inland = self.land().fill(harbours.and(through), through);
        inland.or(&self.land().neighbours_of(&inland)).or(&harbours).and(open)
    }

    /// The zones that a unit crosses on its way to an area.
    fn route_of_strategic_move(&self, state: &State, nation: Nation, from: Area, to: Area) -> Route {
        let (open, through) = self.lines(state, nation);
        let embarked = self.land().fill(IndexSet::one(from), &through).and(&open);
        // Back from the goal: the ports it is reached from.
        let landed = self.land().fill(IndexSet::one(to), &through).and(&open);
        let usable = self.seas_with_transport(state, self.sponsor(state, nation));
        let [from, to] = [&embarked, &landed].map(|areas| self.seas_of_harbours(state, state.mover, areas));
        self.route(state, state.mover, from, to, usable)
    }

    /// Where a unit may go.
    fn strategic_goals(&self, state: &State, unit: UnitId) -> Areas {
        let nation = self.nation(unit);
        let (open, through) = self.lines(state, nation);
        let from = state.location(unit);
        let reached = self.land().fill(IndexSet::one(from), &through);
        // What the pact gives is entered as friendly areas are (A90).
        let ends = open.or(&self.pact_areas_by_rail(state, nation));
        let mut goals = reached.or(&self.land().neighbours_of(&reached)).and(&ends);
        goals = goals.or(&self.goals_by_sea(state, nation, &open, &through, from));
        goals.remove(from);
        let goals = self.open_among(state, nation, &goals);
        self.roomy_among(state, state.mover, unit, goals, &Units::EMPTY)
    }

    /// Units that may move: not from a disputed area, not if they stood in one in this player turn, not out of supply (5.2).
    pub(crate) fn strategic_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        out.offer(Action::Pass)?;
        if let Pending::Destination(unit) = state.pending {
            return out.all([self.strategic_goals(state, unit)], |_, to| Action::Go(to));
        }
        self.transfers(state, out)?;
        let mut allowed = Units::EMPTY;
        for nation in Nation::members(state.nations(state.mover)) {
            if state.power(self.sponsor(state, nation)).moves > 0 {
                allowed = allowed.or(&self.tables.of_nation[nation.index()]);
            }
        }
        let tired = mark::STRATEGIC | mark::ENGAGED | mark::UNSUPPLIED;
        let ready = allowed.and(&state.on_map).difference(&state.marked(tired));
        let mut cached: Option<(Nation, (Areas, Areas))> = None;
        out.rest(None, [ready], |_, unit| {
            let nation = self.nation(unit);
            let lines = match cached {
                Some((of, lines)) if of == nation => lines,
                _ => self.lines(state, nation),
            };
            cached = Some((nation, lines));
            let at = state.location(unit);
            let (open, through) = &lines;
            let sails = || self.goals_by_sea(state, nation, open, through, at).len() > 1;
            let near = self.land().neighbours(at);
            let pact = || near.intersects(&self.pact_areas_by_rail(state, nation));
            let goes = open.contains(at)
                && (near.intersects(open) || sails() || pact())
                && self.is_distinct(state, &ready, !0, unit);
            goes.then_some(Action::Select(unit))
        })
    }

    pub(crate) fn strategic_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        match (state.pending, action) {
            (Pending::None, Action::Pass) => self.end_phase(state, context),
            (Pending::None, Action::Transfer(nation, from, to)) => {
                self.transfer(state, nation, from, to, context);
            }
            (Pending::None, Action::Select(unit)) => state.pending = Pending::Destination(unit),
            (Pending::Destination(unit), Action::Pass) => {
                state.mark(unit, mark::STRATEGIC);
                state.pending = Pending::None;
            }
            (Pending::Destination(unit), Action::Go(to)) => {
                state.mark(unit, mark::STRATEGIC);
                let (nation, from) = (self.nation(unit), state.location(unit));
                state.powers[self.sponsor(state, nation).index()].moves -= 1;
                state.pending = Pending::None;
                if self.goals_by_land(state, nation, from).contains(to) {
                    self.enter(state, unit, to, Way::Strategic, context);
                } else {
                    let route = self.route_of_strategic_move(state, nation, from, to);
                    self.sail_to(state, unit, to, route, Way::Strategic, context);
                }
            }
            _ => {}
        }
    }
}
