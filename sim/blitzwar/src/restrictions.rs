//! Movement restrictions of historical diplomacy (9.6), the Romanian passage (9.3) and the Elite Armies in the USSR (11.7).

use std::cell::OnceCell;

use sandtable_core::Board;

use crate::game::{BlitzWar, Counters};
use crate::location::{Counter, Zone};
use crate::nation::{COUNTRIES, Country, Force, Nation};
use crate::rules::{AreaOfOperations, Kind, Zones};
use crate::state::{State, Status};

/// Where the counters of a position may go (9.6), asked counter by counter: what holds for a whole nation is learnt once
/// for a run of its counters.
pub(crate) struct Permits<'a> {
    game: &'a BlitzWar,
    state: &'a State,
    /// Whom the fields below are about.
    nation: Option<Nation>,
    /// Its corps are under limits besides zones closed to all of them.
    limited: bool,
    /// Zones open to the nation.
    whole: Zones,
    /// Zones open to its corps, other minors apart.
    corps: Zones,
    /// Whether it may not share zones with other nations of its kind.
    minor: bool,
    /// The region outside which a limited number of corps may be, and how many are.
    abroad: Option<(Zones, u8)>,
    /// Axis corps in a Romania that only lets them pass, if the nation's are limited.
    guests: Option<u8>,
    /// The same for any Axis nation, once it is known.
    axis_guests: OnceCell<Option<u8>>,
}

impl<'a> Permits<'a> {
    #[inline]
    pub(crate) fn new(game: &'a BlitzWar, state: &'a State) -> Permits<'a> {
        Permits {
            game,
            state,
            nation: None,
            limited: false,
            whole: Zones::EMPTY,
            corps: Zones::EMPTY,
            minor: false,
            abroad: None,
            guests: None,
            axis_guests: OnceCell::new(),
        }
    }

    fn learn(&mut self, nation: Nation) {
        let (game, state) = (self.game, self.state);
        self.nation = Some(nation);
        self.whole = game.nation_zones(state, nation, Kind::Infantry);
        self.corps = self.whole;
        self.minor = false;
        self.abroad = None;
        if let Some(country) = nation.country() {
            let home = game.home(country);
            let region = match game.area_of_operations(nation) {
                AreaOfOperations::Free => None,
                AreaOfOperations::Home => {
                    self.corps = self.corps.and(home);
                    None
                }
                AreaOfOperations::Neighbours => {
                    self.corps = self.corps.and(&home.or(&game.enemy_neighbours(state, country)));
                    None
                }
                AreaOfOperations::Italian => Some(game.tables.zones.italian_area),
                AreaOfOperations::Spanish => Some(*home),
            };
            self.abroad = region.map(|region| (region, game.corps_outside(state, nation, &region)));
            self.minor = country.is_minor_country();
        }
        self.guests = None;
        if state.serves(nation, Force::Axis) {
            self.guests = *self.axis_guests.get_or_init(|| game.guests_in_romania(state));
        }
        self.limited = self.minor || self.abroad.is_some() || self.guests.is_some();
    }

    /// Of these zones, those a counter may be in.
    #[inline]
    pub(crate) fn within(&mut self, counter: Counter, zones: &Zones) -> Zones {
        let nation = self.game.nation(counter);
        if self.nation.is_none()
            && self.game.kind(counter) != Kind::Elite
            && self.game.roams(self.state, nation)
        {
            return *zones;
        }
        if self.nation != Some(nation) {
            self.learn(nation);
        }
        let kind = self.game.kind(counter);
        if self.limited || !kind.is_corps() || kind == Kind::Elite {
            return self.within_limits(counter, zones);
        }
        zones.and(&self.corps)
    }

    fn within_limits(&self, counter: Counter, zones: &Zones) -> Zones {
        let (game, state) = (self.game, self.state);
        let (nation, kind) = (game.nation(counter), game.kind(counter));
        if !kind.is_corps() {
            let area = if kind == Kind::Air && nation == Nation::Ita {
                &game.tables.zones.italian_area
            } else {
                &self.whole
            };
            return zones.and(area);
        }
        let mut zones = self.limit(counter, zones.and(&self.corps), true);
        if self.minor {
            // Units of two Minor Countries never share a zone.
            for zone in zones {
                if !state.places.is_empty(zone) && game.meets_other_minor(state, nation, zone) {
                    zones.remove(zone);
                }
            }
        }
        zones
    }

    /// Of these zones, those a corps counter may attack: units bound to their home may always attack adjacent enemies.
    #[inline]
    pub(crate) fn targets(&mut self, counter: Counter, zones: &Zones) -> Zones {
        let nation = self.game.nation(counter);
        if self.nation != Some(nation) {
            self.learn(nation);
        }
        let zones = zones.and(&self.whole);
        let limited = self.limited || self.game.kind(counter) == Kind::Elite;
        if limited && !zones.is_empty() { self.limit(counter, zones, false) } else { zones }
    }

    /// Whether a corps counter may attack a zone: as [`Self::targets`].
    #[inline]
    pub(crate) fn may_attack(&mut self, counter: Counter, zone: Zone) -> bool {
        let nation = self.game.nation(counter);
        if self.nation != Some(nation) {
            self.learn(nation);
        }
        let bound = self.abroad.is_some() || self.game.kind(counter) == Kind::Elite;
        self.whole.contains(zone) && (!bound || !self.limit(counter, Zones::one(zone), false).is_empty())
    }

    /// Of these zones, those that the limits leave to a corps counter which do not hold for its whole nation, for going
    /// there or for attacking.
    fn limit(&self, counter: Counter, mut zones: Zones, goes: bool) -> Zones {
        let (game, state) = (self.game, self.state);
        let (nation, kind) = (game.nation(counter), game.kind(counter));
        let dates = &game.rules.dates;
        if let Some((region, others)) = &self.abroad
            && (goes || game.area_of_operations(nation) == AreaOfOperations::Italian)
        {
            let counted = BlitzWar::ground(state, counter).is_some_and(|zone| !region.contains(zone));
            if others + if counted { 0 } else { state.strength(counter) } > dates.corps_abroad {
                zones = zones.and(region);
            }
        }
        if let Some(guests) = self.guests
            && goes
        {
            let home = game.home(Country::Rum);
            let counted = state.location(counter).is_zone() && home.contains(state.location(counter));
            if guests + if counted { 0 } else { state.strength(counter) } > dates.romanian_passage {
                zones = zones.difference(home);
            }
        }
        if kind == Kind::Elite && game.other_elite_operates(state, counter) {
            zones = zones.difference(game.home(Country::Ussr));
        }
        zones
    }
}

impl BlitzWar {
    /// Whether the movement restrictions let a counter be in a zone (9.6). Supply is bound by none.
    pub(crate) fn may_enter(&self, state: &State, counter: Counter, zone: Zone) -> bool {
        !Permits::new(self, state).within(counter, &Zones::one(zone)).is_empty()
    }

    /// Zones that a side leaves open to an enemy at war with it: in its control, without corps of its own or its friend's, and beside
    /// corps of the enemy that may be there (9.6).
    pub fn left_open(&self, state: &State, holder: Force, enemy: Force) -> Zones {
        if !self.at_war(state, holder, enemy) {
            return Zones::EMPTY;
        }
        let friend = holder.friend().map_or(Zones::EMPTY, |friend| *state.corps(friend));
        let empty = state.control(holder).difference(state.corps(holder)).difference(&friend);
        let reached = empty.and(&self.land().neighbours_of(state.corps(enemy)));
        reached.filter(|zone| self.may_walk_into(state, enemy, zone))
    }

    /// Whether a corps of a side beside a zone may be in it by the movement restrictions (9.6).
    fn may_walk_into(&self, state: &State, force: Force, zone: Zone) -> bool {
        let mut permits = Permits::new(self, state);
        let mut beside = self.adjacent(zone).and(state.corps(force)).iter();
        beside.any(|near| {
            state.stack(near).any(|counter| {
                self.kind(counter).is_corps()
                    && self.force(state, counter) == Some(force)
                    && !permits.within(counter, &Zones::one(zone)).is_empty()
            })
        })
    }

    /// Whether the movement restrictions let a counter attack a zone: as for moving there, but units bound to their home
    /// may always attack adjacent enemies (9.6).
    pub(crate) fn may_attack(&self, state: &State, counter: Counter, zone: Zone) -> bool {
        Permits::new(self, state).may_attack(counter, zone)
    }

    /// Whether the counters of a nation, Elite Armies apart, are under no restriction now (9.6).
    fn roams(&self, state: &State, nation: Nation) -> bool {
        let bound = match nation {
            Nation::Uk => state.timers.french_surrender == 0,
            Nation::Ger => !self.germans_go_south(state),
            // Its air keeps to a region whatever its corps may do.
            Nation::Ita => true,
            _ => false,
        };
        let guest = state.status(Country::Rum) == Status::Passage && state.serves(nation, Force::Axis);
        self.tables.countries.operates_anywhere >> nation as u32 & 1 != 0 && !bound && !guest
    }

    fn area_of_operations(&self, nation: Nation) -> AreaOfOperations {
        nation.country().map_or(AreaOfOperations::Free, |country| {
            self.rules.countries[country.index()].area_of_operations
        })
    }

    /// Zones that restrictions binding a whole nation, air included, leave open (9.6): the British out of French North
    /// Africa before the French surrender, the Germans out of Africa and Greece for a time, Italian air outside its
    /// region.
    pub(crate) fn nation_zones(&self, state: &State, nation: Nation, kind: Kind) -> Zones {
        let regions = &self.rules.regions;
        match nation {
            Nation::Uk if state.timers.french_surrender == 0 => {
                self.tables.zones.everywhere.difference(&regions.french_north_africa)
            }
            Nation::Ger if !self.germans_go_south(state) => {
                let greece = self.home(Country::Gre).iter();
                let closed = greece.filter(|&zone| self.is_hostile(state, Force::Axis, zone)).collect();
                self.tables.zones.everywhere.difference(&regions.africa).difference(&closed)
            }
            Nation::Ita if kind == Kind::Air => self.tables.zones.italian_area,
            _ => self.tables.zones.everywhere,
        }
    }

    /// Whether [`Self::nation_zones`] has a zone.
    pub(crate) fn nation_may_go(&self, state: &State, nation: Nation, kind: Kind, zone: Zone) -> bool {
        self.nation_zones(state, nation, kind).contains(zone)
    }

    /// Whether Germans may attack Greece and enter Africa (9.6, R-11).
    pub(crate) fn germans_go_south(&self, state: &State) -> bool {
        let dates = &self.rules.dates;
        let first = state.timers.british_italian_first;
        state.turn >= dates.german_africa || first != 0 && state.turn >= first + dates.german_africa_delay
    }

    /// Zones of enemy countries, and of conquered ones, that border the country (9.6).
    fn enemy_neighbours(&self, state: &State, country: Country) -> Zones {
        let Some(force) = state.status(country).force() else { return Zones::EMPTY };
        let mut enemy = Zones::EMPTY;
        for other in Force::ALL.into_iter().filter(|other| other.opposes(force)) {
            enemy = enemy.or(&state.control[other.index()]);
        }
        // Eastern Poland is the Soviet Union's once Poland has surrendered (9.2); Vichy zones are France's before Vichy.
        let east = &self.tables.zones.eastern_poland;
        let soviet = state.status(Country::Pol) == Status::Surrendered;
        let split = state.status(Country::Vichy) != Status::Absent;
        let mut zones = Zones::EMPTY;
        let mut borders = self.tables.countries.borders[country.index()] & ((1 << COUNTRIES) - 1);
        while borders != 0 {
            let target = Country::ALL[borders.trailing_zeros() as usize];
            borders &= borders - 1;
            let mut land = *self.home(target);
            match target {
                Country::Vichy if !split => continue,
                Country::Vichy => {}
                Country::Ussr if soviet => land = land.or(east),
                _ => {
                    if soviet {
                        land = land.difference(east);
                    }
                    if split {
                        land = land.difference(&self.tables.zones.vichy);
                    }
                }
            }
            let status = state.status(target);
            let hostile =
                status == Status::Surrendered || status.force().is_some_and(|other| other.opposes(force));
            zones = zones.or(&if hostile { land } else { land.and(&enemy) });
        }
        zones
    }

    /// Corps of a nation outside a region.
    fn corps_outside(&self, state: &State, nation: Nation, region: &Zones) -> u8 {
        let corps =
            self.tables.sheet.corps.and(&self.tables.sheet.of_nation[nation.index()]).and(&state.on_map);
        let outside =
            |&counter: &Counter| Self::ground(state, counter).is_some_and(|zone| !region.contains(zone));
        corps.iter().filter(outside).map(|counter| state.strength(counter)).sum()
    }

    /// Of counters each of which may attack a zone, those that may do so together: one Elite Army against the Soviet
    /// Union, the strongest (11.7, R-58), and Italians outside their region within their number, in the order of the
    /// sheet (9.6).
    pub(crate) fn joint_limits(&self, state: &State, target: Zone, mut able: Counters) -> Counters {
        if self.home(Country::Ussr).contains(target) {
            let elites = able.and(self.of_kind(Kind::Elite));
            if !elites.is_empty() && elites.len() > 1 {
                let first = elites.iter().min_by_key(|&counter| (u8::MAX - state.strength(counter), counter));
                able = able.difference(&elites);
                if let Some(counter) = first {
                    able.insert(counter);
                }
            }
        }
        if state.active == Force::Axis && !self.tables.zones.italian_area.contains(target) {
            let italians = able.and(&self.tables.sheet.of_nation[Nation::Ita.index()]);
            let mut abroad = None;
            for counter in italians {
                let here = Self::ground(state, counter)
                    .is_some_and(|zone| self.tables.zones.italian_area.contains(zone));
                let abroad = abroad.get_or_insert_with(|| {
                    self.corps_outside(state, Nation::Ita, &self.tables.zones.italian_area)
                });
                if here {
                    if *abroad + state.strength(counter) > self.rules.dates.corps_abroad {
                        able.remove(counter);
                    } else {
                        *abroad += state.strength(counter);
                    }
                }
            }
        }
        able
    }

    /// The land zone in which, or at whose beach, a counter is.
    fn ground(state: &State, counter: Counter) -> Option<Zone> {
        let place = state.location(counter);
        if place.is_zone() { Some(place) } else { state.beachhead(place).map(|(zone, _)| zone) }
    }

    /// Whether units of another Minor Country stand in a zone (9.6: two never share one).
    pub(crate) fn meets_other_minor(&self, state: &State, nation: Nation, zone: Zone) -> bool {
        nation.country().is_some_and(Country::is_minor_country)
            && state
                .stack(zone)
                .any(|other| self.tables.countries.minors.contains(other) && self.nation(other) != nation)
    }

    /// Axis corps in a Romania that only lets them pass (9.3); `None` if it does more, or less.
    pub(crate) fn guests_in_romania(&self, state: &State) -> Option<u8> {
        if state.status(Country::Rum) != Status::Passage {
            return None;
        }
        let mut corps = 0;
        for zone in self.home(Country::Rum).and(state.corps(Force::Axis)) {
            let (infantry, armour) = self.corps_in(state, zone, Force::Axis);
            corps += infantry + armour;
        }
        Some(corps)
    }

    /// Whether another Elite Army stands in the Soviet Union or has attacked a zone of it this turn: only one does (11.7, R-58).
    /// Of those that could attack together [`joint_limits`](Self::joint_limits) takes one.
    pub(crate) fn other_elite_operates(&self, state: &State, counter: Counter) -> bool {
        let engaged = state.elite_east;
        if engaged != Counter::NONE && engaged != counter && state.on_map.contains(engaged) {
            return true;
        }
        let home = self.home(Country::Ussr);
        let elites: Counters = self.tables.sheet.of_type[self.counter_type(counter)].and(&state.on_map);
        elites
            .iter()
            .filter(|&other| other != counter)
            .any(|other| Self::ground(state, other).is_some_and(|place| home.contains(place)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::*;
    use crate::phase::Phase;

    #[test]
    fn italian_air_keeps_to_its_region_whatever_italian_corps_may_do() {
        // The fixture binds no country's corps; it has no Italian counters.
        let mut rules = game().rules;
        for kind in [Kind::Air, Kind::Infantry] {
            let mut sheet = rules.counter_types.iter().find(|sheet| sheet.kind == kind).unwrap().clone();
            (sheet.nation, sheet.front) = (Nation::Ita, 1);
            rules.counter_types.push(sheet);
        }
        let game = BlitzWar::new(rules).unwrap();
        let mut state = position(&game, 13, Phase::StrategicAir, Force::Axis);
        let air = put(&game, &mut state, Nation::Ita, Kind::Air, 1, NAPLES);
        let corps = put(&game, &mut state, Nation::Ita, Kind::Infantry, 1, NAPLES);
        assert_eq!([HAMBURG, ALGIERS].map(|zone| game.may_enter(&state, corps, zone)), [true, true]);
        assert_eq!([HAMBURG, ALGIERS].map(|zone| game.may_enter(&state, air, zone)), [false, true]);
    }
}
