//! Aircraft land (6.1, 6.22): those at sea and over areas that are not friendly must, those that have fought may.

use crate::Rolls;
use crate::action::Action;
use crate::board::Relation;
use crate::event::{Event, LossCause};
use crate::game::VictoryInEurope;
use crate::phase::Pending;
use crate::place::UnitId;
use crate::rules::{Areas, Arm};
use crate::state::{Battle, State, mark};

impl VictoryInEurope {
    pub(crate) fn landing_begins(&self, state: &mut State, context: &mut impl Rolls) {
        state.battle = Battle::default();
        self.next_to_land(state, context);
    }
    pub(crate) fn landing_actions(&self, state: &State, out: &mut Vec<Action>) {
        if let Pending::Land(unit) = state.pending {
            let areas = self.landing_areas(state, unit);
            // With no place to land it is lost; that is only asked in determinizations where another aircraft stands for the one asked.
            if self.may_stay(state, unit) || areas.is_empty() {
                out.push(Action::Pass);
            }
            out.extend(areas.iter().map(|area| Action::Retreat(area, 0)));
        }
    }
    pub(crate) fn landing_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        if let Pending::Land(unit) = state.pending {
            match action {
                Action::Retreat(to, _) => self.depart(state, unit, to, 0, context),
                _ => state.set_mark(unit, mark::ACTED, false),
            }
        }
        self.next_to_land(state, context);
    }

    /// Asks the owner of the next aircraft that must or may land; those that cannot are lost.
    fn next_to_land(&self, state: &mut State, context: &mut impl Rolls) {
        state.pending = Pending::None;
        state.active = state.movers;
        for unit in self.tables.units.of_arm[Arm::Air as usize] {
            let Some(force) = self.force(state, unit).filter(|force| force.bit() & state.movers != 0) else {
                continue;
            };
            if !state.is_on_map(unit) {
                continue;
            }
            let stays = self.may_stay(state, unit);
            if stays && !state.has_mark(unit, mark::ACTED) {
                continue;
            }
            if self.can_land(state, unit) {
                return self.ask(state, Pending::Land(unit), force);
            }
            if stays {
                state.set_mark(unit, mark::ACTED, false);
            } else {
                let steps = state.steps(unit);
                context.emit(|| Event::Loss { unit, steps, cause: LossCause::NoRetreat });
                self.eliminate(state, unit);
            }
        }
    }
    fn may_stay(&self, state: &State, unit: UnitId) -> bool {
        let place = state.location(unit);
        place.is_area()
            && self.relation(state, self.nation(state, unit), place) == Relation::Friendly
            && self.has_room(state, unit, place, 0)
    }
    /// Whether an aircraft has anywhere to land. Most find an empty friendly area next to theirs.
    fn can_land(&self, state: &State, unit: UnitId) -> bool {
        let friendly = self.ground(state, self.nation(state, unit)).friendly;
        let mut near = self.tables.air_near.neighbours(state.location(unit)).and(&friendly);
        near.remove(self.rules.places.urals);
        self.unit_type(unit).moves > 0 && !near.difference(&state.roster.occupied).is_empty()
            || !self.landing_areas(state, unit).is_empty()
    }
    /// Friendly areas with room within an aircraft's movement, other than its own place (6.4, 6.22).
    pub(super) fn landing_areas(&self, state: &State, unit: UnitId) -> Areas {
        let (reach, _) = self.air_reach(state, unit, self.unit_type(unit).moves);
        let friendly = self.ground(state, self.nation(state, unit)).friendly;
        let mut aircraft = self.tables.units.of_arm[Arm::Air as usize].and(&state.roster.on_map);
        aircraft = aircraft.and(&self.units_of_team(state, self.team(state, unit)));
        // Where another one stands there is room only if there is no limit (6.11).
        let taken: Areas =
            aircraft.iter().map(|unit| state.location(unit)).filter(|&at| at.is_area()).collect();
        let mut open = reach.and(&friendly);
        for area in open.and(&taken) {
            open.set(area, self.has_room(state, unit, area, 0));
        }
        let here = state.location(unit);
        if here.is_area() {
            open.remove(here);
        }
        open
    }
}
