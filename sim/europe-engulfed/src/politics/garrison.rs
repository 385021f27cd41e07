//! The Soviet front garrison (9.26): until the war with Germany all Soviet air support units and at least half the land units stay in
//! the areas that the pact has given them. What is missing at the end of the Allied player turn the enemy shifts there (A131).

use crate::Rolls;
use crate::action::Action;
use crate::event::{Event, Way};
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Areas, Nation, Team, UnitId, Units};
use crate::state::{State, happened};

impl EuropeEngulfed {
    /// Soviet units on the map.
    fn soviets(&self, state: &State) -> Units {
        self.tables.of_nation[Nation::SovietUnion.index()].and(&state.on_map)
    }

    /// Areas in which the garrison stands: those of the front that the Soviets have moved into.
    fn garrison_areas(&self, state: &State) -> Areas {
        self.rules.politics.front_garrison.and(&state.lands_of(Nation::SovietUnion.bit()))
    }

    /// Units of which some still have to go to the front: air support units first, then land units.
    fn missing_at_the_front(&self, state: &State) -> Units {
        let front = self.garrison_areas(state);
        let bound = self.rules.setup.situation.politics
            && state.affairs.soviet_war == 0
            && state.affairs.has(happened::WARSAW_FELL)
            && state.team(Nation::SovietUnion) == Some(Team::Second);
        if !bound || front.is_empty() {
            return Units::EMPTY;
        }
        let soviets = self.soviets(state);
        let there = state.places.standing(&soviets, |at: Area| front.contains(at));
        let away = soviets.difference(&there);
        let air = away.and(&self.tables.air_units);
        if air.iter().any(|unit| self.post_at_the_front(state, unit).is_some()) {
            return air;
        }
        let land = |units: &Units| units.and(&self.tables.land_units);
        if 2 * land(&there).len() < land(&soviets).len() { land(&away) } else { Units::EMPTY }
    }

    /// Where a unit is shifted to: the area of the front with the fewest Soviet units.
    fn post_at_the_front(&self, state: &State, unit: UnitId) -> Option<Area> {
        let soviets = self.soviets(state);
        let front = self.garrison_areas(state).filter(|area| self.has_room(state, Team::Second, unit, area));
        front.iter().min_by_key(|area| state.at(*area).and(&soviets).len())
    }

    /// Whether the enemy has Soviet units to shift.
    pub(crate) fn owes_garrison(&self, state: &State) -> bool {
        state.mover == Team::Second
            && self
                .missing_at_the_front(state)
                .iter()
                .any(|unit| self.post_at_the_front(state, unit).is_some())
    }

    /// Areas from which a unit is taken: the enemy does not see which.
    pub(crate) fn garrison_actions(&self, state: &State, out: &mut Vec<Action>) {
        if !self.owes_garrison(state) {
            return;
        }
        let from: Areas = state.places.occupied(&self.missing_at_the_front(state));
        out.push(Action::Pass);
        out.extend(from.iter().map(Action::Go));
    }

    /// The weakest unit there goes to the front.
    pub(crate) fn garrison_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let Action::Go(from) = action else { return self.end_phase(state, context) };
        let there = self.missing_at_the_front(state).and(&state.at(from));
        let weakest = there.iter().min_by_key(|unit| (state.steps(*unit), *unit));
        let Some((unit, to)) = weakest.and_then(|unit| Some((unit, self.post_at_the_front(state, unit)?)))
        else {
            return self.end_phase(state, context);
        };
        self.put(state, unit, to);
        context.emit(|| Event::Moved { unit, from, to, how: Way::Garrison });
    }
}
