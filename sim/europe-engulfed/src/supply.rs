//! 1. Initial Supply and 7. Final Supply (3.0).

use sandtable_core::{Board, Index};

use crate::Rolls;
use crate::action::Action;
use crate::event::{Event, LossCause, SpecialAction};
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Areas, Nation, UnitId, Units};
use crate::state::{State, mark};

impl EuropeEngulfed {
    /// Areas from which a line of supply of a nation runs to a source, through friendly or disputed areas (play book, L653; A82).
    pub fn supplied_areas(&self, state: &State, nation: Nation) -> Areas {
        self.lines_of_supply(state, nation, true)
    }

    fn lines_of_supply(&self, state: &State, nation: Nation, through_disputed: bool) -> Areas {
        let Some(team) = state.team(nation) else { return Areas::EMPTY };
        let held = state.held(team);
        let disputed = state.disputed();
        let sources = self.tables.sources[nation.index()].and(held);
        let open = if through_disputed { held.or(&disputed) } else { held.difference(&disputed) };
        self.land().fill(sources, &open)
    }

    /// Whether a unit is in supply. One that was out of it and has moved since traces no line through disputed areas; it may
    /// stand in one (A103).
    pub fn is_supplied(&self, state: &State, unit: UnitId) -> bool {
        let at = state.location(unit);
        let strict = state.has_mark(unit, mark::UNSUPPLIED_MOVED);
        let lines = self.lines_of_supply(state, self.nation(unit), !strict);
        lines.contains(at) || strict && self.land().neighbours(at).intersects(&lines)
    }

    /// Units of the mover without a line.
    fn unsupplied(&self, state: &State) -> Units {
        let on_map = state.of_team[state.mover.index()].filter(|unit| state.is_on_map(unit));
        let mut lines: Option<(Nation, Areas)> = None;
        on_map.filter(|unit| {
            if state.has_mark(unit, mark::UNSUPPLIED_MOVED) {
                return !self.is_supplied(state, unit);
            }
            let nation = self.nation(unit);
            let supplied = match lines {
                Some((of, supplied)) if of == nation => supplied,
                _ => self.supplied_areas(state, nation),
            };
            lines = Some((nation, supplied));
            !supplied.contains(state.location(unit))
        })
    }

    /// Initial Supply: units without a line are marked (play book, L549, L651).
    pub(crate) fn initial_supply(&self, state: &mut State) {
        let team = state.of_team[state.mover.index()];
        for unit in team {
            state.marks[unit.at()] &= !(mark::UNSUPPLIED | mark::UNSUPPLIED_MOVED);
        }
        for unit in self.unsupplied(state) {
            state.mark(unit, mark::UNSUPPLIED);
        }
    }

    /// Unsupplied units that no Special Action has been spent on.
    fn starving(&self, state: &State) -> Units {
        self.unsupplied(state).filter(|unit| !state.has_mark(unit, mark::MOVED))
    }

    /// Limited Supply (7.9): one Special Action of the nation whose units they are, for each area (play book, L689).
    pub(crate) fn final_supply_actions(&self, state: &State, out: &mut Vec<Action>) {
        out.push(Action::Pass);
        for unit in self.starving(state) {
            let nation = self.patron(self.nation(unit));
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
                let here = self
                    .starving(state)
                    .filter(|unit| state.location(unit) == area && self.patron(self.nation(unit)) == nation);
                for unit in here {
                    state.mark(unit, mark::MOVED);
                    self.lose_step(state, unit, LossCause::Supply, context);
                }
                self.settle_area(state, area, context);
            }
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
        let supplied = state.of_team[state.mover.index()].difference(&self.unsupplied(state));
        for unit in supplied {
            state.marks[unit.at()] &= !(mark::UNSUPPLIED | mark::UNSUPPLIED_MOVED);
        }
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
            self.send(state, unit, Area::POOL);
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
