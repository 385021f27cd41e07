//! What the Soviets owe until their war with Germany: at the front all air support units and at least half the land units, in the areas
//! that the pact has given them (9.26); by option a land unit in each area of minors they have conquered (14.321). What is missing at
//! the end of the Allied player turn the enemy shifts there (A131, A132).

use crate::Rolls;
use crate::action::Action;
use crate::event::{Event, Way};
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Areas, Nation, Team, UnitId, Units};
use crate::state::{State, happened};

/// Units of which some still have to go, and where.
#[derive(Clone, Copy)]
struct Debt {
    from: Units,
    to: Areas,
}

impl EuropeEngulfed {
    /// Soviet units on the map.
    fn soviets(&self, state: &State) -> Units {
        self.tables.of_nation[Nation::SovietUnion.index()].and(&state.on_map)
    }

    /// Areas in which the garrison stands: those of the front that the Soviets have moved into.
    fn garrison_areas(&self, state: &State) -> Areas {
        if !state.affairs.has(happened::WARSAW_FELL) {
            return Areas::EMPTY;
        }
        self.rules.politics.front_garrison.and(&state.lands_of(Nation::SovietUnion.bit()))
    }

    /// What is owed: air support units to the front first, then land units, then garrisons of conquests.
    fn debt(&self, state: &State) -> Option<Debt> {
        let bound = self.rules.setup.situation.politics
            && state.affairs.soviet_war == 0
            && state.team(Nation::SovietUnion) == Some(Team::Second);
        if !bound {
            return None;
        }
        let (front, conquests) = (self.garrison_areas(state), self.conquests_to_guard(state));
        if front.is_empty() && conquests.is_empty() {
            return None;
        }
        let soviets = self.soviets(state);
        let land = soviets.and(&self.tables.land_units);
        let there = state.places.standing(&soviets, |at: Area| front.contains(at));
        let at_front = land.and(&there);
        let guarded = |at: Area| conquests.contains(at) && self.lone_guard(state, at);
        let guards = state.places.standing(&land, guarded);
        let vacant = conquests.filter(|area| !state.at(area).intersects(&land));
        // Of those at the front only who is more than half.
        let spare = 2 * at_front.len() >= land.len() + 2;
        let away = land.difference(&guards);
        let free = if spare || front.is_empty() { away } else { away.difference(&at_front) };
        let debts = [
            Debt { from: soviets.and(&self.tables.air_units).difference(&there), to: front },
            Debt { from: away.difference(&there), to: front },
            Debt { from: free, to: vacant },
        ];
        let owed = [true, 2 * at_front.len() < land.len(), true];
        let mut open = debts.into_iter().zip(owed).filter(|(_, owed)| *owed).map(|(debt, _)| debt);
        open.find(|debt| debt.from.iter().any(|unit| self.post_of(state, unit, &debt.to).is_some()))
    }

    /// Where a unit is shifted to: the area with the fewest Soviet units.
    fn post_of(&self, state: &State, unit: UnitId, areas: &Areas) -> Option<Area> {
        let soviets = self.soviets(state);
        let open = areas.filter(|area| self.has_room(state, Team::Second, unit, area));
        open.iter().min_by_key(|area| state.at(*area).and(&soviets).len())
    }

    /// Whether the enemy has Soviet units to shift.
    pub(crate) fn owes_garrison(&self, state: &State) -> bool {
        state.mover == Team::Second && self.debt(state).is_some()
    }

    /// Areas from which a unit is taken: the enemy does not see which.
    pub(crate) fn garrison_actions(&self, state: &State, out: &mut Vec<Action>) {
        let Some(debt) = self.debt(state).filter(|_| state.mover == Team::Second) else { return };
        let from: Areas = state.places.occupied(&debt.from);
        out.push(Action::Pass);
        out.extend(from.iter().map(Action::Go));
    }

    /// The weakest unit there goes where it is owed.
    pub(crate) fn garrison_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let Action::Go(from) = action else { return self.end_phase(state, context) };
        let shifted = self.debt(state).and_then(|debt| {
            let there = debt.from.and(&state.at(from));
            let unit = there.iter().min_by_key(|unit| (state.steps(*unit), *unit))?;
            Some((unit, self.post_of(state, unit, &debt.to)?))
        });
        let Some((unit, to)) = shifted else { return self.end_phase(state, context) };
        self.put(state, unit, to);
        context.emit(|| Event::Moved { unit, from, to, how: Way::Garrison });
    }
}
