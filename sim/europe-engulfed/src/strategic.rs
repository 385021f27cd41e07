//! 4. Strategic Movement (5.2, 5.44): a few units of each nation go any distance through friendly country in supply.

use sandtable_core::{Board, IndexSet};

use crate::Rolls;
use crate::action::Action;
use crate::event::Way;
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Areas, Nation, UnitId, Units};
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
    fn strategic_units(&self, state: &State) -> Units {
        let disputed = state.disputed();
        let ready = state.of_team[state.mover.index()].filter(|unit| {
            let at = state.location(unit);
            at.is_on_map()
                && state.power(self.patron(self.nation(unit))).moves > 0
                && !state.has_mark(unit, mark::STRATEGIC | mark::ENGAGED | mark::UNSUPPLIED)
                && !disputed.contains(at)
        });
        let mut cached: Option<(Nation, Areas)> = None;
        self.distinct(state, &ready, !0).filter(|unit| {
            let nation = self.nation(unit);
            let open = match cached {
                Some((of, open)) if of == nation => open,
                _ => self.lines(state, nation).0,
            };
            cached = Some((nation, open));
            let at: Area = state.location(unit);
            open.contains(at) && self.land().neighbours(at).intersects(&open)
        })
    }

    pub(crate) fn strategic_actions(&self, state: &State, out: &mut Vec<Action>) {
        out.push(Action::Pass);
        if let Pending::Destination(unit) = state.pending {
            out.extend(self.strategic_goals(state, unit).iter().map(Action::Go));
        } else {
            out.extend(self.strategic_units(state).iter().map(Action::Select));
        }
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
