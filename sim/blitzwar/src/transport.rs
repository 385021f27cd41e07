//! Sea transport (14): from port to port, to beachheads and back.
//!
//! Rulings: who pays R-102, how often R-103, landings from America R-104, room in a beachhead R-77, Suez and Asian Bases
//!

use sandtable_core::Index;

use crate::Rolls;
use crate::action::Action;
use crate::game::{BlitzWar, Counters};
use crate::location::{Counter, Location, Locations, Sea, Zone};
use crate::nation::{Force, Nation};
use crate::phase::Pending;
use crate::restrictions::Permits;
use crate::rules::{Kind, Seas, Weather, Zones};
use crate::sequence::{Flow, Offer};
use crate::state::{State, mark};
use crate::supply::Till;

/// Ports a transport can reach from a port, by price (7, 14.1.1).
#[derive(Clone, Copy)]
struct Routes {
    near: Zones,
    far: Zones,
}

impl BlitzWar {
    /// Legal actions of the Sea Transport Phase (14), reorganisation included.
    pub(crate) fn transport_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        match state.pending {
            Pending::Destination(counter) => self.voyage_actions(state, counter, out),
            _ => self.embark_actions(state, out),
        }
    }

    /// Where a counter that has been picked can be carried.
    fn voyage_actions(&self, state: &State, counter: Counter, out: &mut impl Offer) -> Flow {
        let ports = self.transport_ports(state);
        let routes = self.routes_from(state, state.location(counter), &ports);
        let mut till = Till::new(self, state);
        out.ways(self.destinations(state, counter, &routes, &mut till))
    }

    /// Which counters can be carried.
    fn embark_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        if out.counts() && self.is_worth_reorganising(state) {
            return out.at_least_two();
        }
        let departures = self.departures(state);
        let ports = departures.and(&self.own_ground(state));
        let mut till = Till::new(self, state);
        let mut permits = Permits::new(self, state);
        let mut asked: Option<(Location, Routes)> = None;
        let payable = departures.and(&till.payable());
        let ready = self.at_the_quay(state, &payable);
        let mut goes = |counter: Counter| {
            if !self.is_ready_to_embark(state, counter) {
                return false;
            }
            let (from, kind) = (state.location(counter), self.kind(counter));
            let embarks = from.is_zone();
            // The far price is no lower than the near one.
            if embarks && !till.pays(counter, from, self.fare(state, counter, false)) {
                return false;
            }
            let next = if embarks { self.ports_next_to(from, &ports) } else { Zones::EMPTY };
            let near = match kind {
                _ if next.is_empty() => next,
                Kind::Air => self.air_bases(state, counter, &next),
                Kind::Supply => next,
                _ => permits.within(counter, &next),
            };
            let mut far = || {
                let routes = match asked {
                    Some((place, routes)) if place == from => routes,
                    _ => asked.insert((from, self.routes_from(state, from, &ports))).1,
                };
                !self.destinations(state, counter, &routes, &mut till).is_empty()
            };
            (!near.is_empty() || far()) && !self.has_identical_before(state, counter)
        };
        out.rest(
            Some(Action::Pass),
            [self.depot_choice(state), Counters::one(Counter(0)), ready],
            |set, counter| match set {
                0 => ready.iter().any(&mut goes).then_some(Action::ChooseDepot),
                1 => self.is_worth_reorganising(state).then_some(Action::Reorganise),
                _ => goes(counter).then_some(Action::Select(counter)),
            },
        )
    }

    /// Own counters in these ports and in beachheads.
    fn at_the_quay(&self, state: &State, ports: &Zones) -> Counters {
        let quays = ports.or(&Location::BEACHHEADS);
        let own = self.counters_of(state, state.active).difference(&self.tables.sheet.ships);
        own.filter(|counter| quays.contains(state.location(counter)))
    }

    /// Whether a counter in a port, or a corps in a beachhead, has not been carried this turn (14.1).
    #[inline]
    fn is_ready_to_embark(&self, state: &State, counter: Counter) -> bool {
        if state.location(counter).is_zone() {
            !state.is_turned(counter) && !state.has_mark(counter, mark::NO_LAND)
        } else {
            self.kind(counter).is_corps() && !state.has_mark(counter, mark::ACTIVE)
        }
    }

    /// Ports reached from a port or a beachhead.
    fn routes_from(&self, state: &State, from: Location, ports: &Zones) -> Routes {
        if from.is_zone() { self.routes(state, from, ports) } else { self.routes_ashore(state, from, ports) }
    }

    /// Of these ports, those on the seas of a port itself, at the near price whatever else (14.1.1).
    fn ports_next_to(&self, from: Location, ports: &Zones) -> Zones {
        if from == self.rules.landmarks.america {
            return Zones::EMPTY;
        }
        self.tables.coasts.next_ports[from].and(ports)
    }

    /// Plays an action of the Sea Transport Phase (14).
    pub(crate) fn transport_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        match (action, state.pending) {
            (Action::Pass, _) => self.end_phase(state, context),
            (Action::Select(counter), _) => state.pending = Pending::Destination(counter),
            (Action::Reorganise, _) => state.pending = Pending::Reorganisation,
            (Action::Go(place), Pending::Destination(counter)) => {
                state.sorted = false;
                let from = state.location(counter);
                let embarks = from.is_zone();
                let lands = !place.is_zone();
                let far = if lands {
                    from == self.rules.landmarks.america
                } else {
                    self.is_far(state, from, place)
                };
                let price = self.fare(state, counter, far);
                self.pay(state, counter, if embarks { from } else { place }, price, context);
                if lands
                    && far
                    && let Some((_, sea)) = state.beachhead(place)
                {
                    state.tally[self.convoy(sea)] += state.strength(counter);
                }
                if let Some((zone, _)) = state.beachhead(place) {
                    self.note_landing(state, counter, zone);
                }
                self.relocate(state, counter, place, context);
                // Corps in a beachhead are activated without cost (14.1.2); in a port they may do no more (14.1.1).
                state.add_mark(counter, if lands { mark::ACTIVE } else { mark::NO_LAND });
                state.pending = Pending::None;
            }
            _ => {}
        }
    }

    /// Half units a transport costs (7).
    pub fn fare(&self, state: &State, counter: Counter, far: bool) -> u8 {
        let costs = &self.rules.costs;
        let near = match self.kind(counter) {
            Kind::Supply => costs.transport_supply,
            Kind::Air => costs.transport_air,
            _ => state.strength(counter).saturating_mul(costs.transport_corps),
        };
        if far { near.saturating_mul(costs.transport_far) } else { near }
    }

    /// Ports from which counters may embark (14.1.1): all but a Montenegro that partisans alone hold (9.5).
    fn departures(&self, state: &State) -> Zones {
        let mut ports = self.tables.zones.ports;
        if state.active == Force::Allied {
            self.drop_partisan_port(state, &mut ports);
        }
        ports
    }

    /// Controlled ports where counters of the side in turn may arrive (14.1.1).
    pub(crate) fn transport_ports(&self, state: &State) -> Zones {
        self.departures(state).and(&self.own_ground(state))
    }

    /// Ports reached from a port: through how many seas, which straits, or round the Cape (14.1.1, 12.1, R-27, R-66).
    fn routes(&self, state: &State, from: Location, ports: &Zones) -> Routes {
        let marks = &self.rules.landmarks;
        let area = self.own_area(state, state.active);
        let waters = &self.tables.waters;
        let all = waters.joined(waters.passage(&area, true), self.port_seas(from));
        let mut near = waters.ports_of(self.close_seas(&area, from));
        let mut far = waters.ports_of(all);
        let mut asia = Zones::one(marks.suez);
        asia.insert(marks.asian_bases);
        if state.active == Force::Allied {
            far = far.or(if asia.contains(from) { ports } else { &asia });
        }
        if from == marks.america {
            near = Zones::EMPTY;
        }
        far = far.difference(&near).or(&near.and(&asia));
        near = near.difference(&asia);
        let (mut near, mut far) = (near.and(ports), far.and(ports));
        near.remove(from);
        far.remove(from);
        Routes { near, far }
    }

    /// Seas that a port opens on, and those within the near price.
    fn close_seas(&self, area: &Zones, from: Location) -> Seas {
        let waters = &self.tables.waters;
        match self.rules.limits.transport_near as usize {
            0 => 0,
            most => waters.within(waters.passage(area, true), self.port_seas(from), most - 1),
        }
    }

    /// Whether transport to a port, from a port or a beachhead, has the far price (7, 14.1.1).
    fn is_far(&self, state: &State, from: Location, to: Location) -> bool {
        let marks = &self.rules.landmarks;
        if from == marks.america || to == marks.suez || to == marks.asian_bases {
            return true;
        }
        from.is_zone() && self.close_seas(&self.own_area(state, state.active), from) & self.port_seas(to) == 0
    }

    /// Ports of its sea to which corps may leave a beachhead (14.1.2).
    fn routes_ashore(&self, state: &State, place: Location, ports: &Zones) -> Routes {
        let marks = &self.rules.landmarks;
        let Some((_, sea)) = state.beachhead(place) else {
            return Routes { near: Zones::EMPTY, far: Zones::EMPTY };
        };
        let mut near = self.tables.coasts.sea_ports[sea.at()].and(ports);
        let mut far = Zones::EMPTY;
        for zone in [marks.suez, marks.asian_bases] {
            if near.contains(zone) {
                near.remove(zone);
                far.insert(zone);
            }
        }
        Routes { near, far }
    }

    /// Locations a counter can be transported to.
    fn destinations(
        &self,
        state: &State,
        counter: Counter,
        routes: &Routes,
        till: &mut Till<'_>,
    ) -> Locations {
        let from = state.location(counter);
        let corps = self.kind(counter).is_corps();
        let embarks = from.is_zone();
        let price = [false, true].map(|far| self.fare(state, counter, far));
        let mut targets = Zones::EMPTY;
        let mut paid = [false; 2];
        for (far, ports) in [&routes.near, &routes.far].into_iter().enumerate() {
            if embarks {
                // Landings pay these prices too: the near one, or the far one from America.
                paid[far] = till.pays(counter, from, price[far]);
                if paid[far] {
                    targets = targets.or(ports);
                }
            } else {
                for port in *ports {
                    if till.pays(counter, port, price[far]) {
                        targets.insert(port);
                    }
                }
            }
            if embarks && !paid[far] {
                break; // the far price is no lower
            }
        }
        if self.kind(counter) == Kind::Air {
            targets = self.air_bases(state, counter, &targets);
        }
        if corps && !targets.is_empty() {
            targets = Permits::new(self, state).within(counter, &targets);
        }
        let far = usize::from(from == self.rules.landmarks.america);
        if corps && embarks && paid[far] && state.has_beachheads() {
            for place in Location::beachheads() {
                if self.may_land(state, counter, place) {
                    targets.insert(place);
                }
            }
        }
        targets
    }

    /// Entry of the tally that counts corps landed from America in a sea.
    fn convoy(&self, sea: Sea) -> usize {
        let marks = &self.rules.landmarks;
        [marks.north_atlantic, marks.central_atlantic, marks.western_mediterranean]
            .iter()
            .position(|&landing| landing == sea)
            .unwrap_or(3)
    }

    /// Whether a corps counter in a port can be transported to a beachhead, price aside (14.1.2).
    pub(crate) fn may_land(&self, state: &State, counter: Counter, place: Location) -> bool {
        if state.places.is_empty(place) || self.beachhead_force(state, place) != Some(state.active) {
            return false;
        }
        let Some((zone, sea)) = state.beachhead(place) else { return false };
        let air = self.beachhead_size(state, place);
        if air == 0 {
            return false;
        }
        let marks = &self.rules.landmarks;
        let limits = &self.rules.limits;
        let (from, corps) = (state.location(counter), state.strength(counter));
        // Winter (6): only where no snow lies.
        if self.weather(state) == Weather::Snow && sea.is_in(self.tables.coasts.snow_seas) {
            return false;
        }
        let area = self.own_area(state, state.active);
        let american = from == marks.america;
        let western = marks.western_mediterranean;
        let across = american && sea == western && {
            let waters = &self.tables.waters;
            let next = waters.within(waters.passage(&area, true), marks.central_atlantic.mask(), 1);
            western.is_in(next)
        };
        if !sea.is_in(self.port_seas(from)) && !across {
            return false;
        }
        if from == marks.stockholm && !area.contains(marks.copenhagen) {
            return false;
        }
        if american {
            let fleets: u8 = state
                .stack(Location::of_sea(sea))
                .filter(|&ship| {
                    self.kind(ship) == Kind::Fleet && self.force(state, ship) == Some(state.active)
                })
                .map(|ship| state.strength(ship))
                .sum();
            let each = limits.fleets_per_american_corps;
            if fleets < (state.tally[self.convoy(sea)] + corps) * each {
                return false;
            }
        }
        if state.active == Force::Axis
            && self.rules.regions.great_britain.contains(zone)
            && !state.britain_open
        {
            return false;
        }
        let each = if self.tables.links.dotted[from].contains(zone) {
            limits.beachhead_dotted
        } else {
            limits.beachhead
        };
        // Only what landed this turn fills it; corps that wait from earlier turns do not.
        let landed: u8 = state
            .stack(place)
            .filter(|&other| self.kind(other).is_corps() && state.is_activated(other))
            .map(|other| state.strength(other))
            .sum();
        landed + corps <= each * air && self.may_enter(state, counter, zone)
    }

    /// A German landing in Great Britain brings the USA in a turn earlier; transport to a beachhead is the landing (9.3,
    /// 14.1.2).
    fn note_landing(&self, state: &mut State, counter: Counter, zone: Zone) {
        let british = self.rules.regions.great_britain.contains(zone);
        if british && self.nation(counter) == Nation::Ger && !state.timers.britain_landed {
            state.timers.britain_landed = true;
            state.timers.usa_advance += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::*;
    use crate::phase::Phase;

    fn apply(game: &BlitzWar, state: &mut State, action: Action) {
        assert!(legal(game, state).contains(&action), "{action:?} is not legal");
        game.transport_apply(state, action, &mut scripted(&[]));
        game.refresh_supply(state);
        game.check_invariants(state).unwrap();
    }

    /// Opens a beachhead of one air unit and gives its place.
    fn beachhead(game: &BlitzWar, state: &mut State, nation: Nation, zone: Zone, sea: Sea) -> Location {
        let place = Location::beachheads().find(|&place| state.places.is_empty(place)).unwrap();
        state.slot_zone[place.at() - Location::FIRST_BEACHHEAD.at()] = zone;
        state.slot_sea[place.at() - Location::FIRST_BEACHHEAD.at()] = sea;
        let air = put(game, state, nation, Kind::Air, 1, place);
        state.turn_face(air, true);
        place
    }

    #[test]
    fn an_american_army_costs_double() {
        let game = game();
        let mut state = position(&game, 30, Phase::SeaTransport, Force::Allied);
        let army = put(&game, &mut state, Nation::Usa, Kind::Infantry, 3, AMERICA);
        put(&game, &mut state, Nation::Allied, Kind::Supply, 11, LONDON);
        put(&game, &mut state, Nation::Allied, Kind::Supply, 2, AMERICA);
        apply(&game, &mut state, Action::Select(army));
        apply(&game, &mut state, Action::Go(PLYMOUTH));
        // Six supply units: the one in America first, five of the five and a half in London.
        assert_eq!((state.location(army), game.total_stock(&state, Force::Allied)), (PLYMOUTH, 1));
        assert!(state.has_mark(army, mark::NO_LAND));
        assert!(!legal(&game, &state).contains(&Action::Select(army)));
    }

    #[test]
    fn air_over_two_seas_costs_a_half_over_three_one() {
        let game = game();
        let mut state = position(&game, 30, Phase::SeaTransport, Force::Allied);
        put(&game, &mut state, Nation::Allied, Kind::Supply, 12, PLYMOUTH);
        for (to, spent) in [(GIBRALTAR, 1), (ALGIERS, 2)] {
            let air = put(&game, &mut state, Nation::Uk, Kind::Air, 1, PLYMOUTH);
            let before = game.total_stock(&state, Force::Allied);
            apply(&game, &mut state, Action::Select(air));
            apply(&game, &mut state, Action::Go(to));
            assert_eq!(before - game.total_stock(&state, Force::Allied), spent);
        }
    }

    #[test]
    fn superiority_does_not_stop_transport_and_supply_keeps_its_amount_if_another_pays() {
        let game = game();
        let mut state = position(&game, 13, Phase::SeaTransport, Force::Axis);
        give(&mut state, ALGIERS, Force::Axis);
        let cargo = put(&game, &mut state, Nation::Axis, Kind::Supply, 8, NAPLES);
        let british = put(&game, &mut state, Nation::Uk, Kind::Air, 1, Location::of_sea(WESTERN_MED));
        state.turn_face(british, true);
        game.refresh_supply(&mut state);
        assert_eq!(game.maritime_superiority(&state, WESTERN_MED), Some(Force::Allied));
        let mut alone = state.clone();
        apply(&game, &mut alone, Action::Select(cargo));
        apply(&game, &mut alone, Action::Go(ALGIERS));
        assert_eq!((alone.location(cargo), alone.strength(cargo)), (ALGIERS, 6), "it pays for itself");
        put(&game, &mut state, Nation::Axis, Kind::Supply, 2, NAPLES);
        apply(&game, &mut state, Action::Select(cargo));
        apply(&game, &mut state, Action::Go(ALGIERS));
        assert_eq!((state.location(cargo), state.strength(cargo)), (ALGIERS, 8));
        assert_eq!(game.stock(&state, NAPLES, Force::Axis), 0);
    }

    #[test]
    fn suez_is_far_and_the_allies_reach_it_round_the_cape() {
        let game = game();
        let mut state = position(&game, 13, Phase::SeaTransport, Force::Allied);
        let ports = game.transport_ports(&state);
        // Gibraltar lost: no path into the Mediterranean.
        give(&mut state, GIBRALTAR, Force::Axis);
        let routes = game.routes(&state, PLYMOUTH, &ports);
        assert!(routes.far.contains(SUEZ) && routes.far.contains(ASIAN_BASES));
        assert!(!routes.near.contains(ALEXANDRIA) && !routes.far.contains(ALEXANDRIA));
        let routes = game.routes(&state, SUEZ, &ports);
        assert!(
            routes.near.contains(ALEXANDRIA)
                && routes.far.contains(PLYMOUTH)
                && !routes.near.contains(PLYMOUTH)
        );
        let routes = game.routes(&state, ALEXANDRIA, &ports);
        assert!(routes.far.contains(SUEZ) && !routes.near.contains(SUEZ));
        let routes = game.routes(&state, ASIAN_BASES, &ports);
        assert!(routes.near.contains(BASRA));
        state.active = Force::Axis;
        assert!(!game.routes(&state, NAPLES, &ports).far.contains(ASIAN_BASES), "the Cape is Allied");
    }

    #[test]
    fn landings_respect_snow_capacity_and_the_port() {
        let game = game();
        for (turn, snow) in [(35, false), (36, true)] {
            let mut state = position(&game, turn, Phase::SeaTransport, Force::Allied);
            put(&game, &mut state, Nation::Allied, Kind::Supply, 12, LONDON);
            put(&game, &mut state, Nation::Allied, Kind::Supply, 12, ALGIERS);
            for zone in [CALAIS, NAPLES] {
                give(&mut state, zone, Force::Axis);
            }
            let channel = beachhead(&game, &mut state, Nation::Uk, CALAIS, NORTH_SEA);
            let south = beachhead(&game, &mut state, Nation::Uk, NAPLES, WESTERN_MED);
            let london = put(&game, &mut state, Nation::Uk, Kind::Infantry, 2, LONDON);
            let plymouth = put(&game, &mut state, Nation::Uk, Kind::Infantry, 2, PLYMOUTH);
            let algiers = put(&game, &mut state, Nation::Uk, Kind::Infantry, 2, ALGIERS);
            assert_eq!(destinations(&game, &state, london).contains(&channel), !snow);
            assert!(!destinations(&game, &state, plymouth).contains(&channel), "not a port of the sea");
            assert!(destinations(&game, &state, algiers).contains(&south), "the Mediterranean has no snow");
            if !snow {
                apply(&game, &mut state, Action::Select(london));
                apply(&game, &mut state, Action::Go(channel));
                assert!(state.is_activated(london));
                // Across the dotted line a third corps finds room, a fourth does not.
                let two = put(&game, &mut state, Nation::Uk, Kind::Infantry, 2, LONDON);
                let one = put(&game, &mut state, Nation::Usa, Kind::Infantry, 1, LONDON);
                assert!(!destinations(&game, &state, two).contains(&channel));
                assert!(destinations(&game, &state, one).contains(&channel));
            }
        }
    }

    #[test]
    fn landings_from_america_need_a_fleet_unit_each() {
        let game = game();
        let mut state = position(&game, 30, Phase::SeaTransport, Force::Allied);
        put(&game, &mut state, Nation::Allied, Kind::Supply, 12, AMERICA);
        put(&game, &mut state, Nation::Allied, Kind::Supply, 12, AMERICA);
        give(&mut state, ALGIERS, Force::Axis);
        let place = beachhead(&game, &mut state, Nation::Uk, ALGIERS, WESTERN_MED);
        let first = put(&game, &mut state, Nation::Usa, Kind::Infantry, 1, AMERICA);
        let second = put(&game, &mut state, Nation::Usa, Kind::Infantry, 1, AMERICA);
        assert!(!destinations(&game, &state, first).contains(&place));
        put(&game, &mut state, Nation::Uk, Kind::Fleet, 1, Location::of_sea(WESTERN_MED));
        let mut closed = state.clone();
        give(&mut closed, GIBRALTAR, Force::Axis);
        assert!(!destinations(&game, &closed, first).contains(&place), "the strait");
        apply(&game, &mut state, Action::Select(first));
        apply(&game, &mut state, Action::Go(place));
        assert!(!destinations(&game, &state, second).contains(&place), "the fleet unit is used");
    }

    #[test]
    fn corps_leave_a_beachhead_for_a_port_of_its_sea() {
        let game = game();
        let mut state = position(&game, 30, Phase::SeaTransport, Force::Allied);
        put(&game, &mut state, Nation::Allied, Kind::Supply, 12, LONDON);
        give(&mut state, CALAIS, Force::Axis);
        let place = beachhead(&game, &mut state, Nation::Uk, CALAIS, NORTH_SEA);
        let corps = put(&game, &mut state, Nation::Uk, Kind::Infantry, 2, place);
        assert_eq!(destinations(&game, &state, corps), [LONDON]);
        apply(&game, &mut state, Action::Select(corps));
        apply(&game, &mut state, Action::Go(LONDON));
        assert_eq!((state.location(corps), game.total_stock(&state, Force::Allied)), (LONDON, 8));
        assert!(state.has_mark(corps, mark::NO_LAND));
    }

    #[test]
    fn great_britain_is_open_to_the_axis_after_the_battle_only() {
        let game = game();
        let mut state = position(&game, 8, Phase::SeaTransport, Force::Axis);
        put(&game, &mut state, Nation::Axis, Kind::Supply, 12, HAMBURG);
        let place = beachhead(&game, &mut state, Nation::Ger, LONDON, NORTH_SEA);
        let corps = put(&game, &mut state, Nation::Ger, Kind::Infantry, 2, HAMBURG);
        assert!(!destinations(&game, &state, corps).contains(&place));
        state.britain_open = true;
        assert!(destinations(&game, &state, corps).contains(&place));
    }
}
