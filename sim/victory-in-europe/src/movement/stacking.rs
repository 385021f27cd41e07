//! How many units may be where (4.5, 6.11, 7.11).

use crate::Rolls;
use crate::action::Action;
use crate::event::{Event, LossCause};
use crate::game::VictoryInEurope;
use crate::place::{Place, UnitId};
use crate::state::{State, mark};
use crate::tables::Peers;
use sandtable_core::Index;

/// What limits units of a kind at a place.
enum Limits {
    /// Nothing.
    None,
    /// So many of a team.
    Of(u8),
    /// Ships in port: so many on their coast, and in the area.
    Port { coast: u8, area: u8 },
}

impl VictoryInEurope {
    /// What limits units like this one at a place (4.5, 6.11, 7.11, 7.21).
    fn limits(&self, state: &State, unit: UnitId, place: Place, coast: u8) -> Limits {
        let bounded = self.is_bounded(place);
        match self.tables.units.peers_of[unit.at()] {
            Peers::Paratroops => Limits::None,
            _ if !bounded => Limits::None,
            Peers::Leaders | Peers::Convoys | Peers::Aircraft => Limits::Of(1),
            Peers::Armies if place.is_area() => Limits::Of(self.tables.limit[place.at()]),
            Peers::Armies => Limits::Of(0),
            Peers::Ships if !place.is_area() => Limits::Of(self.tables.limit[place.at()]),
            Peers::Ships => {
                // Two ships in a friendly base (1.44); one alone may attack it (7.33).
                let friendly = self.bloc(state, state.controller(place)) == self.bloc_of(state, unit);
                let (on_coast, area) = if friendly {
                    self.moorings(place, coast)
                } else {
                    (self.rules.charts.coast_stack, self.rules.charts.coast_stack)
                };
                Limits::Port { coast: on_coast, area }
            }
        }
    }
    /// Ships of a team that a coast of a friendly area takes, and all its coasts together: two with a naval base, but no more
    /// than one where the base is not (7.21, 1.44, R-154).
    pub(crate) fn moorings(&self, area: Place, coast: u8) -> (u8, u8) {
        let charts = &self.rules.charts;
        let stack = |base: bool| if base { charts.base_stack } else { charts.coast_stack };
        (stack(self.has_base(area, coast)), stack(self.tables.coasts.bases.contains(area)))
    }
    /// Other units of its team at a place that count against the same limit, all of them or those on a coast.
    pub(super) fn companions(
        &self,
        state: &State,
        unit: UnitId,
        place: Place,
        coast: Option<u8>,
    ) -> impl Iterator<Item = UnitId> {
        let (peers_of, team) = (&self.tables.units.peers_of, self.team(state, unit));
        state.stack(place).filter(move |&other| {
            peers_of[other.at()] == peers_of[unit.at()]
                && other != unit
                && state.commands(team, other)
                && coast.is_none_or(|coast| state.coast(other) == coast)
        })
    }
    /// Whether a unit finds room at a place, on a coast (0 but for ships in an area): landings, retreats and regroups end
    /// only there. The unit itself does not count if it is there already. Paratroops always find room (2.6).
    pub(crate) fn has_room(&self, state: &State, unit: UnitId, place: Place, coast: u8) -> bool {
        // Whose the others are matters only where there are enough of them.
        let others = state.crowd(place) - u8::from(state.location(unit) == place);
        if others == 0 && place.is_area() {
            return true;
        }
        let fits = |coast: Option<u8>, limit: u8| {
            others < limit || self.companions(state, unit, place, coast).count() < usize::from(limit)
        };
        match self.limits(state, unit, place, coast) {
            Limits::None => true,
            Limits::Of(limit) => fits(None, limit),
            Limits::Port { coast: on_coast, area } => fits(Some(coast), on_coast) && fits(None, area),
        }
    }
    /// Whether a unit may end its move at a place: there is room, or as many units as are too many have not moved yet and can
    /// still go (4.5: stacking counts after all movement).
    pub(super) fn may_end(&self, state: &State, unit: UnitId, place: Place, coast: u8) -> bool {
        if self.has_room(state, unit, place, coast) {
            return true;
        }
        let fits = |coast: Option<u8>, limit: u8| {
            let others = self.companions(state, unit, place, coast);
            others.filter(|&other| !self.may_be_picked(state, other)).count() < usize::from(limit)
        };
        match self.limits(state, unit, place, coast) {
            Limits::None => true,
            Limits::Of(limit) => fits(None, limit),
            Limits::Port { coast: on_coast, area } => fits(Some(coast), on_coast) && fits(None, area),
        }
    }

    /// Whether a unit stands at a place entered over its limit in this phase, and is one of those that are too many.
    pub(super) fn is_in_excess(&self, state: &State, unit: UnitId) -> bool {
        let place = state.location(unit);
        state.invasion.squeezed.contains(place) && !self.has_room(state, unit, place, state.coast(unit))
    }

    /// The first place where the mover has too many units.
    pub(super) fn crowded_place(&self, state: &State) -> Option<Place> {
        state.invasion.squeezed.iter().find(|&place| {
            self.units_at(state, place, state.mover).any(|unit| self.is_in_excess(state, unit))
        })
    }

    /// Units of which one is given up: those that came in this phase, if any of the kind that is too many did.
    pub(super) fn excess_actions(&self, state: &State, place: Place, out: &mut Vec<Action>) {
        let surplus = || {
            self.units_at(state, place, state.mover).filter(|&unit| {
                self.is_in_excess(state, unit)
                    && self.force(state, unit).is_some_and(|force| force.bit() & state.movers != 0)
            })
        };
        let came = |&unit: &UnitId| state.has_mark(unit, mark::MOVED) && state.via(unit) != Place::NONE;
        out.extend(surplus().filter(came).map(Action::Take));
        if out.is_empty() {
            out.extend(surplus().map(Action::Take));
        }
    }

    /// A unit over the limit is lost (4.5).
    pub(super) fn give_up(&self, state: &mut State, unit: UnitId, context: &mut impl Rolls) {
        let steps = state.steps(unit);
        self.eliminate(state, unit);
        context.emit(|| Event::Loss { unit, steps, cause: LossCause::Stacking });
    }
}
