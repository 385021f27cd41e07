//! Supply: sources, lines, costs and payment (7), and maritime superiority, which cuts lines at sea (12.3).

use sandtable_core::Index;

use crate::Rolls;
use crate::action::Action;
use crate::event::Event;
use crate::game::{BlitzWar, Counters};
use crate::location::{Counter, Location, SLOTS, Sea, Zone, seas};
use crate::nation::{Country, Force, Nation};
use crate::phase::{Pending, Phase};
use crate::rules::{Kind, Seas, Zones};
use crate::sequence::{Flow, Offer};
use crate::state::{State, Status};

/// Zones and seas that hang together by lines of supply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Network {
    /// Land zones.
    pub zones: Zones,
    /// Seas the lines run through.
    pub seas: Seas,
}

/// Who pays for the land counters of the active side, zone by zone (7). What has been found out is kept: one till serves a
/// whole list of decisions.
pub(crate) struct Till<'a> {
    game: &'a BlitzWar,
    state: &'a State,
    depots: Option<Zones>,
    /// Networks asked about where [`State::main`] does not tell, with the half units they hold.
    networks: [Option<(Zones, u8)>; 3],
    /// Half units in all depots.
    total: Option<u8>,
    /// Depots and their neighbours.
    about: Option<Zones>,
}

impl<'a> Till<'a> {
    #[inline]
    pub(crate) fn new(game: &'a BlitzWar, state: &'a State) -> Till<'a> {
        Till { game, state, depots: None, networks: [None; 3], total: None, about: None }
    }

    /// Whether the side can pay this many half units for a land counter standing in a zone.
    #[inline]
    pub(crate) fn pays(&mut self, counter: Counter, zone: Zone, halves: u8) -> bool {
        let need = self.game.need(counter, halves);
        need <= self.reach(zone) || self.pays_at_home(counter, zone, need)
    }

    /// Zones outside of which nothing can be paid for a land counter.
    pub(crate) fn payable(&mut self) -> Zones {
        let (game, state) = (self.game, self.state);
        if game.tables.free {
            return game.tables.zones.everywhere;
        }
        let mut zones = state.fuel;
        if zones.is_empty() {
            return zones;
        }
        if state.active != Force::Axis {
            zones = zones.or(&self.about());
        }
        let mut fed = state.allies[state.active.index()] & game.tables.countries.supplied_at_home;
        while fed != 0 {
            let nation = Nation::ALL[fed.trailing_zeros() as usize];
            zones = zones.or(game.home_with_supply(state, nation).unwrap_or(&Zones::EMPTY));
            fed &= fed - 1;
        }
        zones
    }

    /// The depots that pay: those of the zone's own network; else, where the only line runs through the friend's zones,
    /// those in the same or an adjacent zone; else, for units supplied at home, any. Empty if there are none.
    fn depots_for(&mut self, counter: Counter, zone: Zone, halves: u8) -> Zones {
        let need = self.game.need(counter, halves);
        if need <= self.reach(zone) {
            self.depots_near(zone)
        } else if self.pays_at_home(counter, zone, need) {
            self.depots()
        } else {
            Zones::EMPTY
        }
    }

    /// Half units within reach of a zone, whoever stands there.
    #[inline]
    fn reach(&mut self, zone: Zone) -> u8 {
        let state = self.state;
        if !state.fuel.contains(zone) {
            return if state.active == Force::Axis { 0 } else { self.beside(zone) };
        }
        if !state.paired || state.stale {
            let own = self.network(zone);
            return if own > 0 || state.active == Force::Axis { own } else { self.beside(zone) };
        }
        state.stock[usize::from(!state.main.contains(zone))]
    }

    /// Half units in and next to a zone to which no own depot has a line.
    fn beside(&mut self, zone: Zone) -> u8 {
        if !self.about().contains(zone) {
            return 0;
        }
        let near = self.depots_near(zone);
        self.stock(&near)
    }

    /// Depots and their neighbours.
    fn about(&mut self) -> Zones {
        let depots = self.depots();
        *self.about.get_or_insert_with(|| depots.or(&depots.neighbours(&self.game.tables.links.adjacent.0)))
    }

    /// Half units in the network of a zone with fuel.
    fn network(&mut self, zone: Zone) -> u8 {
        if let Some((_, stock)) = self.networks.iter().flatten().find(|(zones, _)| zones.contains(zone)) {
            return *stock;
        }
        let (game, state) = (self.game, self.state);
        let zones = game.network_of(state, zone);
        let stock = self.depots().and(&zones);
        let stock = self.stock(&stock);
        // From a depot on the friend's ground lines lead away, but not to it: what is found there holds for it alone.
        let room = self.networks.iter_mut().find(|network| network.is_none());
        if let Some(room) = room.filter(|_| game.line_area(state, state.active).contains(zone)) {
            *room = Some((zones, stock));
        }
        stock
    }

    /// The depots a zone can draw on whoever stands there.
    fn depots_near(&mut self, zone: Zone) -> Zones {
        let (game, state) = (self.game, self.state);
        let own = if state.fuel.contains(zone) {
            game.network_of(state, zone).and(&self.depots())
        } else {
            Zones::EMPTY
        };
        let Some(friend) = state.active.friend() else { return own };
        if !own.is_empty() {
            return own;
        }
        let mut near = *game.adjacent(zone);
        near.insert(zone);
        let near = near.and(&self.depots());
        // A line from a depot next to it may enter it if either of the friends holds it.
        let held = near.contains(zone)
            || state.control[friend.index()].contains(zone)
            || game.line_area(state, state.active).contains(zone);
        if held { near } else { Zones::EMPTY }
    }

    fn pays_at_home(&mut self, counter: Counter, zone: Zone, need: u8) -> bool {
        self.game.home_supply(self.state, counter, zone) && need <= self.total()
    }

    fn depots(&mut self) -> Zones {
        *self.depots.get_or_insert_with(|| self.game.depots(self.state, self.state.active))
    }

    fn total(&mut self) -> u8 {
        let depots = self.depots();
        if let Some(total) = self.total {
            return total;
        }
        *self.total.insert(self.stock(&depots))
    }

    fn stock(&self, depots: &Zones) -> u8 {
        self.game.sum_stock(self.state, depots).min(u16::from(u8::MAX)) as u8
    }

    /// Whether these are the depots of the network a zone belongs to.
    fn is_network(&mut self, zone: Zone, depots: &Zones) -> bool {
        self.state.fuel.contains(zone) && self.depots_near(zone) == *depots
    }
}

/// Beachheads that serve lines of supply as ports do, each on one sea (7).
struct Landings {
    zone: [Zone; SLOTS],
    sea: [Sea; SLOTS],
    count: usize,
}

impl Landings {
    fn pairs(&self) -> impl Iterator<Item = (Zone, Sea)> {
        self.zone.into_iter().zip(self.sea).take(self.count)
    }
    /// Seas of those at these zones.
    fn seas_of(&self, zones: &Zones) -> Seas {
        if self.count == 0 {
            return 0;
        }
        self.pairs().filter(|&(zone, _)| zones.contains(zone)).fold(0, |mask, (_, sea)| mask | sea.mask())
    }
    /// Zones of those on these seas.
    fn zones_of(&self, seas: Seas) -> Zones {
        if self.count == 0 {
            return Zones::EMPTY;
        }
        self.pairs().filter(|&(_, sea)| sea.is_in(seas)).map(|(zone, _)| zone).collect()
    }
}

/// The lines of supply of a side (7): over land through an area, and from port to port through seas that have a port of
/// the area and no enemy superiority, or to a beachhead. Suez and Asian Bases have no line by sea.
struct Lines<'a> {
    game: &'a BlitzWar,
    state: &'a State,
    force: Force,
    area: Zones,
    ports: Zones,
    landings: Landings,
    /// Seas of which is known whether they may run through them, and those that they may.
    asked: Seas,
    waters: Seas,
}

impl<'a> Lines<'a> {
    fn new(game: &'a BlitzWar, state: &'a State, force: Force, area: Zones) -> Lines<'a> {
        let marks = &game.rules.landmarks;
        let mut ports = area.and(&game.tables.zones.ports);
        ports.remove(marks.suez);
        ports.remove(marks.asian_bases);
        let landings = game.landings(state, force, &area);
        Lines { game, state, force, area, ports, landings, asked: 0, waters: 0 }
    }

    /// Of these seas, those with a port of the area that the enemy does not rule.
    fn open(&mut self, among: Seas) -> Seas {
        for sea in seas(among & !self.asked) {
            let open = self.game.tables.coasts.sea_ports[sea.at()].intersects(&self.ports)
                && !self.game.is_barred(self.state, sea, self.force);
            self.waters |= if open { sea.mask() } else { 0 };
        }
        self.asked |= among;
        among & self.waters
    }

    /// Everything joined to `start`.
    fn from(&mut self, start: Zones) -> Network {
        let (area, tables) = (self.area, &self.game.tables);
        let mut net = Network { zones: start, seas: 0 };
        // Lines lead away from a depot outside the area, but not by sea.
        let mut frontier = start.and(&area);
        let outside = start.difference(&area);
        if !outside.is_empty() {
            frontier = frontier.or(&outside.neighbours(&tables.links.adjacent.0).and(&area));
        }
        let mut left = area;
        while !frontier.is_empty() {
            let harbours = tables.ground.over_land(frontier, &area, &mut left, &tables.links.adjacent);
            let come = area.difference(&left);
            frontier = Zones::EMPTY;
            let embark = harbours | self.landings.seas_of(&come);
            if embark & !net.seas != 0 {
                let passage = tables.waters.passage(&area, true);
                let before = net.seas;
                let mut fresh = self.open(embark & !before);
                while fresh != 0 {
                    net.seas |= fresh;
                    fresh = self.open(tables.waters.within(passage, fresh, 1) & !net.seas);
                }
                let crossed = net.seas & !before;
                let ports = tables.waters.ports_of(crossed).and(&self.ports);
                frontier = ports.or(&self.landings.zones_of(crossed)).and(&left);
            }
        }
        net.zones = net.zones.or(&area.difference(&left));
        net
    }
}

impl BlitzWar {
    /// Zones that a side may use as its own: those it controls, and for the Axis those of countries that let it pass
    /// (9.3, R-57).
    #[inline]
    pub fn own_area(&self, state: &State, force: Force) -> Zones {
        let area = state.control[force.index()];
        if force == Force::Axis { area.or(&self.hosts(state)) } else { area }
    }

    /// Zones of the countries that let the Axis pass (9.3).
    #[inline]
    pub(crate) fn hosts(&self, state: &State) -> Zones {
        let mut zones = Zones::EMPTY;
        for country in [Country::Rum, Country::Tur] {
            if state.status(country) == Status::Passage {
                zones = zones.or(self.home(country));
            }
        }
        zones
    }

    /// Zones a line of supply of the side may run through: its own, and neutral Sweden for the Axis (7).
    pub(crate) fn line_area(&self, state: &State, force: Force) -> Zones {
        let mut area = self.own_area(state, force);
        if force == Force::Axis && state.status(Country::Swe).is_neutral() {
            area = area.or(self.home(Country::Swe));
        }
        area
    }

    /// Which side, the Axis or its enemies, has maritime superiority in a sea (12.3). Submarines and beachheads do not
    /// count; Allied and Soviet units count together once both are at war with the Axis, before that the Soviets do not
    /// count.
    pub fn maritime_superiority(&self, state: &State, sea: Sea) -> Option<Force> {
        self.superiority_without(state, sea, Counter::NONE)
    }

    /// The same as if one counter were not there.
    pub(crate) fn superiority_without(&self, state: &State, sea: Sea, absent: Counter) -> Option<Force> {
        let (mut fleet, mut air) = ([false; 2], [false; 2]);
        let [axis, allied, soviet] = state.allies;
        let camps = [axis, allied | if state.timers.axis_soviet_war == 0 { 0 } else { soviet }];
        for counter in state.stack(Location::of_sea(sea)) {
            let kind = self.kind(counter);
            if counter == absent || kind == Kind::Submarine {
                continue;
            }
            let here = camps.map(|nations| nations >> self.nation(counter) as u32 & 1 != 0);
            let side = match kind {
                Kind::Fleet => &mut fleet,
                Kind::Air => &mut air,
                _ => continue,
            };
            *side = [side[0] | here[0], side[1] | here[1]];
        }
        for (camp, force) in [(0, Force::Axis), (1, Force::Allied)] {
            let enemy = 1 - camp;
            let alone = (fleet[camp] || air[camp]) && !fleet[enemy] && !air[enemy];
            let both = fleet[camp] && air[camp] && !(fleet[enemy] && air[enemy]);
            if alone || both {
                return Some(force);
            }
        }
        None
    }

    /// Whether an enemy of the side has maritime superiority in a sea.
    pub(crate) fn is_barred(&self, state: &State, sea: Sea, force: Force) -> bool {
        !state.places.is_empty(Location::of_sea(sea))
            && self.maritime_superiority(state, sea).is_some_and(|holder| self.at_war(state, holder, force))
    }

    /// Everything joined to `start` by lines of supply through `area` (7).
    pub fn network(&self, state: &State, force: Force, start: Zones, area: &Zones) -> Network {
        Lines::new(self, state, force, *area).from(start)
    }

    /// Beachheads with air through which the side's lines come ashore in zones of the area.
    fn landings(&self, state: &State, force: Force, area: &Zones) -> Landings {
        let mut landings = Landings { zone: [Location::NONE; SLOTS], sea: [Sea(0); SLOTS], count: 0 };
        for slot in 0..SLOTS {
            let (zone, place) = (state.slot_zone[slot], Location::of_beachhead(slot));
            if zone != Location::NONE
                && area.contains(zone)
                && self.beachhead_force(state, place) == Some(force)
                && self.beachhead_size(state, place) > 0
            {
                landings.zone[landings.count] = zone;
                landings.sea[landings.count] = state.slot_sea[slot];
                landings.count += 1;
            }
        }
        landings
    }

    /// Montenegro is no port for transport where partisans alone hold it, and no other zone (9.5).
    pub(crate) fn drop_partisan_port(&self, state: &State, ports: &mut Zones) {
        let port = self.rules.landmarks.montenegro;
        let allies = |counter: Counter| {
            self.kind(counter).is_corps()
                && self.nation(counter) != Nation::Yug
                && self.force(state, counter) == Some(Force::Allied)
        };
        if state.status(Country::Yug) == Status::Surrendered
            && state.control[Force::Allied.index()].contains(port)
            && !state.stack(port).any(allies)
        {
            let held = self.home(Country::Yug).and(&state.control[Force::Allied.index()]);
            if held.len() < 2 {
                ports.remove(port);
            }
        }
    }

    /// Zones with supply counters that the side can use: not those in zones of neutrals, which the set-up knows (19,
    ///
    pub fn depots(&self, state: &State, force: Force) -> Zones {
        Self::zones_of(state, &self.supply_counters(state, force)).and(&self.depot_area(state, force))
    }

    /// Supply counters of a side.
    pub(crate) fn supply_counters(&self, state: &State, force: Force) -> Counters {
        let nation = Self::supply_nation(force);
        self.of_kind(Kind::Supply).and(&self.tables.sheet.of_nation[nation.index()]).and(&state.on_map)
    }

    /// Zones where supply counters of a side serve as depots.
    fn depot_area(&self, state: &State, force: Force) -> Zones {
        let area = self.own_area(state, force);
        force.friend().map_or(area, |friend| area.or(&state.control[friend.index()]))
    }

    /// Half units of supply in a zone.
    pub fn stock(&self, state: &State, zone: Zone, force: Force) -> u8 {
        let nation = Self::supply_nation(force);
        state
            .stack(zone)
            .filter(|&counter| self.kind(counter) == Kind::Supply && self.nation(counter) == nation)
            .map(|counter| state.strength(counter))
            .sum()
    }

    /// Half units of supply a side has on the map.
    pub fn total_stock(&self, state: &State, force: Force) -> u16 {
        self.depots(state, force).iter().map(|zone| u16::from(self.stock(state, zone, force))).sum()
    }

    /// Zones (and seas) with a line of supply to a source of the side (7). `defensive` lines of Allies and Soviets also
    /// run through the friend's zones.
    pub fn supplied(&self, state: &State, force: Force, defensive: bool) -> Network {
        let mut area = self.line_area(state, force);
        // What is known of the lines from depots need not be found again.
        let known = state.phase >= Phase::NavalMovement && force == state.active && !state.stale;
        let depots = if known { state.fuel } else { self.depots(state, force) };
        let sources = self.supply_zones(force).and(&state.control[force.index()]).or(&depots);
        if defensive && let Some(friend) = force.friend() {
            area = area.or(&state.control[friend.index()]);
        }
        self.network(state, force, sources, &area)
    }

    /// Recomputes for the placement of reinforcements (11.5) the Supply Zones where the active side's come, into
    /// [`State::fuel`], and where it has a line of supply, if air waits, into [`State::main`].
    pub(crate) fn refresh_sources(&self, state: &mut State) {
        let force = state.active;
        state.stale = false;
        state.paired = false;
        state.stock = [0; 2];
        state.spare_depots = 0;
        state.fuel = self.own_sources(state, force);
        let air = state.queue[force.index()].air > 0;
        state.main = if air { self.supplied(state, force, false).zones } else { Zones::EMPTY };
    }

    /// Recomputes where the active side can pay; called before a decision of a phase that [`Phase::asks_for_supply`], if
    /// something has changed it.
    pub(crate) fn refresh_supply(&self, state: &mut State) {
        state.stale = false;
        state.fuel = Zones::EMPTY;
        state.main = Zones::EMPTY;
        let force = state.active;
        let depots = self.depots(state, force);
        let area = self.line_area(state, force);
        let mut lines = Lines::new(self, state, force, area);
        let (mut fuel, mut first, mut count) = (Zones::EMPTY, Zones::EMPTY, 0);
        let mut networks = 0;
        let mut left = depots;
        // Those on own ground first: lines between them run both ways.
        while let Some(zone) = left.and(&area).first().or_else(|| left.first()) {
            let net = lines.from(Zones::one(zone)).zones;
            if count == 0 {
                first = net;
            }
            networks += u8::from(area.contains(zone));
            fuel = fuel.or(&net);
            left = left.difference(&net);
            count += 1;
        }
        state.fuel = fuel;
        state.spare_depots = depots.and(&area).len() as u8 - networks;
        // From a depot on the friend's ground lines lead away, but not to it: networks may overlap.
        state.paired = count <= 2 && depots.difference(&area).is_empty();
        if state.paired {
            // The first is the one with the lowest zone, so that equal positions are equal bytes.
            let ordered = fuel.first().is_none_or(|zone| first.contains(zone));
            state.main = if ordered { first } else { fuel.difference(&first) };
        }
        state.stock = [0; 2];
        if state.paired {
            for zone in depots {
                let nth = usize::from(!state.main.contains(zone));
                state.stock[nth] = state.stock[nth].saturating_add(self.stock(state, zone, force));
            }
        }
    }

    // ---- who pays (R-16) ----

    /// One candidate, to stand before those that are paid for, if the owner may first say which depot pays: where two could
    /// and none has been named.
    #[inline]
    pub(crate) fn depot_choice(&self, state: &State) -> Counters {
        let open = state.spare_depots > 0 && state.payer == Location::NONE && !self.tables.free;
        if open { Counters::one(Counter(0)) } else { Counters::EMPTY }
    }

    /// Depots that can be named: those that share a network with another.
    pub(crate) fn depot_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        let own = self.depots(state, state.active).and(&self.line_area(state, state.active));
        let (mut shared, mut left) = (Zones::EMPTY, own);
        while let Some(zone) = left.first() {
            let together = self.network_of(state, zone).and(&own);
            if together.len() > 1 {
                shared = shared.or(&together);
            }
            left = left.difference(&together);
        }
        out.all([shared], |_, zone| Action::PayFrom(zone))
    }

    /// Names the depot that pays next.
    pub(crate) fn name_depot(state: &mut State, action: Action) {
        state.pending = Pending::None;
        if let Action::PayFrom(zone) = action {
            state.payer = zone;
        }
    }

    /// The zones of the active side's network to which a zone with fuel belongs.
    pub(crate) fn network_of(&self, state: &State, zone: Zone) -> Zones {
        if !state.paired || state.stale {
            let area = self.line_area(state, state.active);
            return self.network(state, state.active, Zones::one(zone), &area).zones;
        }
        if state.main.contains(zone) { state.main } else { state.fuel.difference(&state.main) }
    }

    /// Where units of a Minor Country, of Vichy and of Free France are supplied without a line (7, 9.4).
    fn home_with_supply(&self, state: &State, nation: Nation) -> Option<&Zones> {
        let country = nation.country()?;
        let at_home = match country {
            Country::Fra => state.status(Country::Vichy) != Status::Absent,
            _ => country.is_minor_country(),
        };
        at_home.then(|| self.home(country))
    }

    /// Whether a counter in a zone is supplied without a line (7, 9.4).
    pub(crate) fn home_supply(&self, state: &State, counter: Counter, zone: Zone) -> bool {
        self.home_with_supply(state, self.nation(counter)).is_some_and(|home| home.contains(zone))
    }

    /// Whether the active side can pay this many half units for a land counter standing in a zone (7).
    pub(crate) fn can_pay(&self, state: &State, counter: Counter, zone: Zone, halves: u8) -> bool {
        Till::new(self, state).pays(counter, zone, halves)
    }

    pub(crate) fn sum_stock(&self, state: &State, depots: &Zones) -> u16 {
        depots.iter().map(|zone| u16::from(self.stock(state, zone, state.active))).sum()
    }

    /// A supply counter may pay for itself, but something must be left to move.
    #[inline]
    fn need(&self, counter: Counter, halves: u8) -> u8 {
        halves + u8::from(self.kind(counter) == Kind::Supply)
    }

    /// Pays for a land counter of the active side.
    pub(crate) fn pay(
        &self,
        state: &mut State,
        counter: Counter,
        zone: Zone,
        halves: u8,
        context: &mut impl Rolls,
    ) {
        let nth = usize::from(!state.main.contains(zone));
        // Networks told apart lie on own ground.
        let told = state.paired && !state.stale && state.fuel.contains(zone);
        let (depots, firm) = if told && self.need(counter, halves) <= state.stock[nth] {
            (self.network_of(state, zone).and(&self.depot_area(state, state.active)), true)
        } else {
            let mut till = Till::new(self, state);
            let depots = till.depots_for(counter, zone, halves);
            let own = till.is_network(zone, &depots);
            (depots, own && (told || depots.difference(&self.line_area(state, state.active)).is_empty()))
        };
        let (paid, emptied) = self.pay_sparing(state, &depots, zone, halves, counter, context);
        state.payer = Location::NONE;
        // A network of own ground reaches as far as before while it holds anything.
        let left = if told && firm && state.stock[nth] < u8::MAX {
            state.stock[nth] - paid
        } else {
            self.sum_stock(state, &depots).min(u16::from(u8::MAX)) as u8
        };
        if !firm || left == 0 && !state.paired {
            state.stale = true;
        } else if !state.stale {
            // The last depot of a network was not one beyond the first.
            state.spare_depots -= emptied - u8::from(left == 0);
        }
        if firm && state.paired {
            state.stock[nth] = left;
            if left == 0 {
                Self::close_network(state, nth);
            }
        }
    }

    /// Forgets one of at most two networks, which holds nothing any more.
    fn close_network(state: &mut State, nth: usize) {
        let rest = state.fuel.difference(&state.main);
        state.main = if nth == 0 { rest } else { state.main };
        state.fuel = state.main;
        state.stock = [state.stock[1 - nth], 0];
    }

    /// Pays from depots in these zones: first the one that has been named, then the nearest to `zone`, and the smallest
    /// counters first; a supply counter that is itself to move (`spared`) pays last and keeps its identity. Returns
    /// the half units paid, and how many zones hold no supply any more.
    fn pay_sparing(
        &self,
        state: &mut State,
        depots: &Zones,
        zone: Zone,
        halves: u8,
        spared: Counter,
        context: &mut impl Rolls,
    ) -> (u8, u8) {
        let force = state.active;
        let (mut due, mut emptied) = (halves, 0);
        let distance = &self.tables.links.distance[zone.at()];
        while due > 0 {
            // Counters on the map are in zones that are on it: none comes as late as this.
            let mut nearest = u64::MAX;
            self.supply_counters(state, force).iter().for_each(|counter| {
                let place = state.location(counter);
                let pays = depots.contains(place) && counter != spared;
                // By shifts: bytes written one by one would hold up their load as a word.
                let named = u8::from(place != state.payer);
                let order = [named, distance[place], place.0, state.strength(counter), counter.0];
                let order = order.into_iter().fold(0, |order, byte| order << 8 | u64::from(byte));
                nearest = nearest.min(if pays { order } else { u64::MAX });
            });
            if nearest == u64::MAX {
                break;
            }
            let counter = Counter(nearest.to_be_bytes()[7]);
            let (part, place) = (state.strength(counter).min(due), state.location(counter));
            self.drain_counter(state, counter, part);
            due -= part;
            emptied += u8::from(self.stock(state, place, force) == 0);
        }
        if due > 0 && spared != Counter::NONE && self.kind(spared) == Kind::Supply {
            let left = state.strength(spared).saturating_sub(due).max(1);
            due -= due.min(state.strength(spared) - left);
            state.set_strength(spared, left);
        }
        context.emit(|| Event::Spent { force, halves: halves - due });
        (halves - due, emptied)
    }

    fn smallest_supply(&self, state: &State, zone: Zone, force: Force, spared: Counter) -> Option<Counter> {
        let nation = Self::supply_nation(force);
        state
            .stack(zone)
            .filter(|&counter| {
                counter != spared && self.kind(counter) == Kind::Supply && self.nation(counter) == nation
            })
            .min_by_key(|&counter| state.strength(counter))
    }

    /// Takes supply off the map anywhere, poorest depots first (11.3, 9.3); returns the half units taken.
    pub(crate) fn forfeit(&self, state: &mut State, force: Force, halves: u16) -> u16 {
        let mut due = halves;
        while due > 0 {
            let depots = self.depots(state, force);
            let Some(depot) = depots.iter().min_by_key(|&zone| self.stock(state, zone, force)) else { break };
            let Some(counter) = self.smallest_supply(state, depot, force, Counter::NONE) else { break };
            let part = u16::from(state.strength(counter)).min(due);
            self.drain_counter(state, counter, part as u8);
            due -= part;
            state.stale = true;
        }
        halves - due
    }
}
