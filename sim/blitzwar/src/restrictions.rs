//! Movement restrictions of historical diplomacy (9.6), the Romanian passage (9.3) and the Elite Armies in the USSR (11.7).

use crate::game::BlitzWar;
use crate::nation::{Country, Force, Nation};
use crate::rules::{Kind, Leash, MAX_ZONES, Zones};
use crate::state::{State, Status, mark};

impl BlitzWar {
    /// Whether the movement restrictions let a counter be in a zone (9.6). Supply is bound by none.
    pub(crate) fn may_enter(&self, state: &State, counter: u8, zone: u8) -> bool {
        let (nation, kind) = (self.nation(counter), self.kind(counter));
        if !self.nation_may_go(state, nation, kind, zone) {
            return false;
        }
        if !kind.is_corps() {
            return true;
        }
        self.leash_reaches(state, counter, zone)
            && !self.meets_other_minor(state, nation, zone)
            && self.passage_has_room(state, counter, zone)
            && self.elite_may_operate(state, counter, zone)
    }

    /// Whether the movement restrictions let a counter attack a zone: as for moving there, but units bound to their home
    /// may always attack adjacent enemies (9.6).
    pub(crate) fn may_attack(&self, state: &State, counter: u8, zone: u8) -> bool {
        let (nation, kind) = (self.nation(counter), self.kind(counter));
        self.nation_may_go(state, nation, kind, zone)
            && (self.leash(nation) != Leash::Italian || self.leash_reaches(state, counter, zone))
            && self.elite_may_operate(state, counter, zone)
    }

    fn leash(&self, nation: Nation) -> Leash {
        nation.country().map_or(Leash::Free, |country| self.rules.countries[country.index()].leash)
    }

    /// Restrictions that bind a whole nation, air included (9.6): the British out of French North Africa before the French
    /// surrender, the Germans out of Africa and Greece for a time, Italian air outside its region.
    pub(crate) fn nation_may_go(&self, state: &State, nation: Nation, kind: Kind, zone: u8) -> bool {
        let regions = &self.rules.regions;
        match nation {
            Nation::Uk => state.timers.french_surrender != 0 || !regions.french_north_africa.has(zone),
            Nation::Ger => {
                let closed = regions.africa.has(zone)
                    || self.home(Country::Gre).has(zone) && self.is_hostile(state, Force::Axis, zone);
                !closed || self.germans_go_south(state)
            }
            Nation::Ita if kind == Kind::Air => self.tables.italian_area.has(zone),
            _ => true,
        }
    }

    /// Whether Germans may attack Greece and enter Africa (9.6, R-11).
    pub(crate) fn germans_go_south(&self, state: &State) -> bool {
        let dates = &self.rules.dates;
        let first = state.timers.british_italian_first;
        state.turn >= dates.german_africa || first != 0 && state.turn >= first + dates.german_africa_delay
    }

    /// Where a counter's corps may operate by the rule of its country (9.6).
    pub(crate) fn leash_reaches(&self, state: &State, counter: u8, zone: u8) -> bool {
        let nation = self.nation(counter);
        let Some(country) = nation.country() else { return true };
        let home = self.home(country);
        match self.leash(nation) {
            Leash::Free => true,
            Leash::Home => home.has(zone),
            Leash::Neighbours => home.has(zone) || self.borders_enemy(state, country, zone),
            Leash::Italian => self.abroad_has_room(state, counter, zone, &self.tables.italian_area),
            Leash::Spanish => self.abroad_has_room(state, counter, zone, home),
        }
    }

    /// Whether a zone lies in an enemy country, or a conquered one, that borders the country (9.6).
    fn borders_enemy(&self, state: &State, country: Country, zone: u8) -> bool {
        let Some(force) = state.status(country).force() else { return false };
        // Eastern Poland is the Soviet Union's once Poland has surrendered (9.2).
        let soviet =
            self.tables.eastern_poland.has(zone) && state.status(Country::Pol) == Status::Surrendered;
        let target = if soviet { Country::Ussr } else { self.country_at(state, zone) };
        let status = state.status(target);
        let enemy = status == Status::Surrendered
            || status.force().is_some_and(|other| other.opposes(force))
            || state.controller(zone).is_some_and(|other| other.opposes(force));
        let mut land = *self.home(target);
        if target == Country::Ussr {
            land = land.or(&self.tables.eastern_poland);
        }
        enemy && self.home(country).fringe(self.adjacency()).meets(&land)
    }

    /// Whether a counter may be outside `region`, where only a few corps of its nation may operate (9.6).
    fn abroad_has_room(&self, state: &State, counter: u8, zone: u8, region: &Zones) -> bool {
        if region.has(zone) {
            return true;
        }
        let mut corps = state.strength(counter);
        for &kind in &self.tables.types_of[self.nation(counter).index()] {
            let sheet = &self.rules.counter_types[kind as usize];
            if !sheet.kind.is_corps() {
                continue;
            }
            let first = self.tables.first_of[kind as usize];
            for other in (first..first + sheet.count).filter(|&other| other != counter) {
                if Self::ground(state, other).is_some_and(|place| !region.has(place)) {
                    corps += state.strength(other);
                }
            }
        }
        corps <= self.rules.dates.corps_abroad
    }

    /// The land zone in which, or at whose beach, a counter is.
    fn ground(state: &State, counter: u8) -> Option<u8> {
        let place = state.location(counter);
        if (place as usize) < MAX_ZONES { Some(place) } else { state.beachhead(place).map(|(zone, _)| zone) }
    }

    /// Whether units of another Minor Country stand in a zone (9.6: two never share one).
    pub(crate) fn meets_other_minor(&self, state: &State, nation: Nation, zone: u8) -> bool {
        let minor = |nation: Nation| nation.country().is_some_and(Country::is_minor_country);
        minor(nation)
            && state.stack(zone).any(|other| {
                let other = self.nation(other);
                other != nation && minor(other)
            })
    }

    /// Whether the Axis corps in a Romania that only lets them pass stay within the limit (9.3).
    pub(crate) fn passage_has_room(&self, state: &State, counter: u8, zone: u8) -> bool {
        let home = self.home(Country::Rum);
        if state.status(Country::Rum) != Status::Passage
            || !home.has(zone)
            || self.force(state, counter) != Some(Force::Axis)
        {
            return true;
        }
        let mut corps = state.strength(counter);
        for place in home.and(state.corps(Force::Axis)) {
            for other in state.stack(place).filter(|&other| other != counter && self.kind(other).is_corps()) {
                if self.force(state, other) == Some(Force::Axis) {
                    corps += state.strength(other);
                }
            }
        }
        corps <= self.rules.dates.romanian_passage
    }

    /// Only one Elite Army stands in the Soviet Union or attacks a zone of it (11.7, R-58).
    pub(crate) fn elite_may_operate(&self, state: &State, counter: u8, zone: u8) -> bool {
        let home = self.home(Country::Ussr);
        if self.kind(counter) != Kind::Elite || !home.has(zone) {
            return true;
        }
        let first = self.tables.first_of[self.counter_type(counter) as usize];
        let count = self.rules.counter_types[self.counter_type(counter) as usize].count;
        !(first..first + count).any(|other| {
            let inside = Self::ground(state, other).is_some_and(|place| home.has(place));
            let target = state.combat.target;
            let attacks =
                state.has_mark(other, mark::ATTACKS) && (target as usize) < MAX_ZONES && home.has(target);
            other != counter && (inside || attacks)
        })
    }
}
