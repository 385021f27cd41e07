//! 4. Strategic Movement (5.2, 5.44): a few units of each nation go any distance through friendly country in supply.

use sandtable_core::{ActionSink, Board, Flow, IndexSet};

use crate::Rolls;
use crate::action::Action;
use crate::event::Way;
use crate::game::EuropeEngulfed;
use crate::ids::{Areas, Nation, UnitId, Units};
use crate::phase::{Pending, Phase};
use crate::state::{State, mark};

impl EuropeEngulfed {
    /// A phase begins: every nation has its moves (20.3), or in a breakthrough the payer alone.
    pub(crate) fn strategic_begins(&self, state: &mut State) {
        state.unmark_all(mark::MOVED | mark::STRATEGIC);
        for nation in Nation::ALL {
            let moves = self.rules.nations[nation.index()].strategic_moves;
            let moves_now = state.phase == Phase::Strategic || nation == state.payer;
            state.powers[nation.index()].moves = if moves_now { moves } else { 0 };
        }
    }

    /// Areas through which units of a nation move: friendly, undisputed, in supply (play book, L667); by an area that must be
    /// held down and is not (A65) no further.
    fn lines(&self, state: &State, nation: Nation) -> (Areas, Areas) {
        let team = state.mover;
        let peaceful = state.held(team).difference(&state.disputed());
        let open = peaceful.and(&self.supplied_areas(state, nation));
        let restless = self.tables.resources.iter().filter(|resource| {
            resource.home.and_then(|home| state.team(home)) != Some(team)
                && !state.manned(team).contains(resource.area)
        });
        let restless: Areas = restless.map(|resource| resource.area).collect();
        (open, open.difference(&restless))
    }

    /// Where a unit may go.
    fn strategic_goals(&self, state: &State, unit: UnitId) -> Areas {
        let nation = self.nation(unit);
        let (open, through) = self.lines(state, nation);
        let from = state.location(unit);
        let reached = self.land().fill(IndexSet::one(from), &through);
        let mut goals = reached.or(&self.land().neighbours_of(&reached)).and(&open);
        goals.remove(from);
        goals.filter(|to| self.is_open_to(nation, to) && self.has_room(state, state.mover, unit, to))
    }

    /// Units that may move: not from a disputed area, not if they stood in one in this player turn, not out of supply (5.2).
    pub(crate) fn strategic_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        out.offer(Action::Pass)?;
        if let Pending::Destination(unit) = state.pending {
            return out.all([self.strategic_goals(state, unit)], |_, to| Action::Go(to));
        }
        let mut allowed = Units::EMPTY;
        for nation in Nation::members(state.nations(state.mover)) {
            if state.power(self.patron(nation)).moves > 0 {
                allowed = allowed.or(&self.tables.of_nation[nation.index()]);
            }
        }
        let tired = mark::STRATEGIC | mark::ENGAGED | mark::UNSUPPLIED;
        let ready = allowed.filter(|unit| state.is_on_map(unit) && !state.has_mark(unit, tired));
        let mut cached: Option<(Nation, Areas)> = None;
        out.rest(None, [ready], |_, unit| {
            let nation = self.nation(unit);
            let open = match cached {
                Some((of, open)) if of == nation => open,
                _ => self.lines(state, nation).0,
            };
            cached = Some((nation, open));
            let at = state.location(unit);
            let goes = open.contains(at)
                && self.land().neighbours(at).intersects(&open)
                && self.is_distinct(state, &ready, !0, unit);
            goes.then_some(Action::Select(unit))
        })
    }

    pub(crate) fn strategic_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        match (state.pending, action) {
            (Pending::None, Action::Pass) => self.end_phase(state, context),
            (Pending::None, Action::Select(unit)) => state.pending = Pending::Destination(unit),
            (Pending::Destination(unit), Action::Pass) => {
                state.mark(unit, mark::STRATEGIC);
                state.pending = Pending::None;
            }
            (Pending::Destination(unit), Action::Go(to)) => {
                state.mark(unit, mark::STRATEGIC);
                self.enter(state, unit, to, Way::Strategic, context);
                let patron = self.patron(self.nation(unit));
                state.powers[patron.index()].moves -= 1;
                state.pending = Pending::None;
            }
            _ => {}
        }
    }
}
