//! Reinforcements (11): of the minors by the calendar, of the powers by their cards.
//!
//! Scratch of the phases in `State::tally`:
//!
//! ```text
//! 3a minors       [0] country at hand   [1] units left   [2] Italian fleets taken   [3] Italian kind to place, +1
//! 3c lend-lease   [0] fleets in the Norwegian Sea   [1] in the Persian Gulf   [2] supply has been lent   [3] stopped
//! 3d placement    [0] releases declined   [1] air on mission is kept
//! ```

use std::ops::ControlFlow::{self, Continue};

use crate::Rolls;
use crate::action::Action;
use crate::event::Event;
use crate::game::{BlitzWar, Counters};
use crate::location::{Location, Sea};
use crate::nation::{COUNTRIES, Country, Force, Nation};
use crate::phase::Phase;
use crate::rules::{Kind, Zones};
use crate::sequence::{ActionSink, Flow, Offer, PassFirst};
use crate::state::{NONE, Queue, State, Status};

/// Kinds an Italian reinforcement is chosen from (11.2).
const ITALIAN: [Kind; 4] = [Kind::Infantry, Kind::Armour, Kind::Air, Kind::Fleet];
/// Order in which a power's units are placed: armour first, as it may turn into infantry (11.5).
const PLACEMENT: [Kind; 6] =
    [Kind::Armour, Kind::Infantry, Kind::Air, Kind::Fleet, Kind::Submarine, Kind::Supply];
/// Half supply units placed by one decision.
const BATCH: u8 = 4;

impl Queue {
    /// Whether units of a kind wait.
    #[inline]
    fn waits(&self, kind: Kind) -> bool {
        0 < match kind {
            Kind::Armour => self.armour,
            Kind::Air => self.air,
            Kind::Fleet => self.fleet,
            Kind::Submarine => self.submarine,
            Kind::Supply => self.supply,
            _ => self.infantry,
        }
    }

    /// Units of a kind that wait (supply in units).
    fn units(&mut self, kind: Kind) -> &mut u8 {
        match kind {
            Kind::Armour => &mut self.armour,
            Kind::Air => &mut self.air,
            Kind::Fleet => &mut self.fleet,
            Kind::Submarine => &mut self.submarine,
            Kind::Supply => &mut self.supply,
            _ => &mut self.infantry,
        }
    }
}

impl BlitzWar {
    // ---- 3a: minors (11.2) ----

    pub(crate) fn minors_begin(&self, state: &mut State, context: &mut impl Rolls) {
        self.next_minor(state, 0, context);
    }

    /// Goes through the countries from `start` on, brings what needs no decision, and stops at the first that does.
    fn next_minor(&self, state: &mut State, start: usize, context: &mut impl Rolls) {
        let calendar = self.calendar(state);
        let marks = usize::from(calendar.mark1) | usize::from(calendar.mark2) << 1;
        let mut left = self.tables.countries.minors_due[marks] & !0 << start;
        while left != 0 {
            let index = left.trailing_zeros();
            left &= left - 1;
            let country = Country::ALL[index as usize];
            let units = self.minor_units(state, country, context);
            if units == 0 {
                continue;
            }
            state.tally = [index as u8, units, 0, 0];
            if country == Country::Ita {
                self.italian_supply(state, context);
            }
            self.deliver(state, country, context);
            if state.tally[1] > 0 {
                return;
            }
        }
        state.tally = [COUNTRIES as u8, 0, 0, 0];
    }

    /// Units that a country brings the side in turn this turn; rolls for the partisans (9.5, 11.2).
    fn minor_units(&self, state: &State, country: Country, context: &mut impl Rolls) -> u8 {
        let (force, turn, dates) = (state.active, state.turn, &self.rules.dates);
        let (status, calendar) = (state.status(country), self.calendar(state));
        if country == Country::Vichy {
            let (created, freed) = (state.timers.free_france, state.timers.paris_liberated);
            if created == 0 || force != Force::Allied {
                return 0;
            }
            let first = if turn == created + 1 { dates.free_france_first } else { 0 };
            let steady = freed != 0 && turn >= freed + dates.free_france_delay;
            return first + if steady { self.rules.countries[country.index()].corps } else { 0 };
        }
        if country == Country::Yug && status == Status::Surrendered {
            let fell = state.timers.yugoslav_surrender;
            // Seasons are counted, not turns: from the first turn of the season of the surrender (R-12).
            if force != Force::Allied
                || fell == 0
                || !calendar.mark1
                || turn < (fell & !1) + dates.partisan_delay
            {
                return 0;
            }
            let die = context.die(6) as u8;
            context.emit(|| Event::DiplomaticRoll { country, die });
            return self.rules.charts.partisans[die as usize - 1];
        }
        let rules = &self.rules.countries[country.index()];
        let here = match status.force() {
            Some(owner) => owner == force,
            // Finland before its entry: the Axis player, its later ally, places (11.2).
            None => rules.while_neutral && status.is_neutral() && force == Force::Axis,
        };
        let due = rules.rhythm.is_due(calendar.mark1, calendar.mark2);
        match (here && due, country) {
            (false, _) => 0,
            (true, Country::Ita) => dates.italian_units,
            (true, _) => rules.corps,
        }
    }

    /// Zones where the corps of the country at hand may come (9.4, 9.5, 11.2, R-21).
    fn minor_zones(&self, state: &State, country: Country) -> Zones {
        let force = state.active;
        if country == Country::Yug && state.status(country) == Status::Surrendered {
            return self
                .home(country)
                .iter()
                .filter(|&zone| {
                    !self.meets_other_minor(state, Nation::Yug, zone)
                        && !state.stack(zone).any(|counter| {
                            let mission = self.kind(counter) == Kind::Air && state.is_turned(counter);
                            !mission && self.force(state, counter).is_some_and(|other| other != force)
                        })
                })
                .collect();
        }
        let own = match country {
            Country::Vichy => self.home(Country::Fra).and(state.control(force)),
            _ if state.status(country).is_neutral() => {
                let others = Force::ALL.into_iter().filter(|&other| other != force);
                others.fold(*self.home(country), |zones, other| zones.difference(state.control(other)))
            }
            _ => self.home(country).and(state.control(force)),
        };
        let nation = Self::nation_of(country);
        let mut zones = own.difference(&self.friend_zones(state, force));
        if !self.rules.countries[country.index()].place_anywhere {
            zones = self
                .capital(country)
                .filter(|&zone| zones.contains(zone))
                .map(Zones::one)
                .unwrap_or_default();
        }
        zones.filter(|zone| !self.meets_other_minor(state, nation, zone))
    }

    /// Whose counters a minor's corps are; Free French corps are French.
    fn nation_of(country: Country) -> Nation {
        Nation::ALL.into_iter().find(|nation| nation.country() == Some(country)).unwrap_or(Nation::Fra)
    }

    /// Corps that have nowhere to go are lost (R-21).
    fn deliver(&self, state: &mut State, country: Country, _table: &mut impl Rolls) {
        if state.tally[1] == 0 {
            return;
        }
        let stuck = if country == Country::Ita {
            state.tally[3] == 0 && !ITALIAN.iter().any(|&kind| self.italian_choice(state, kind))
        } else {
            let zones = self.minor_zones(state, country);
            !self.any_roomy(state, Self::nation_of(country), Kind::Infantry, zones)
        };
        if stuck {
            state.tally[1] = 0;
        }
    }

    /// The Italian supply comes to the capital, if that is free (11.2, R-21).
    fn italian_supply(&self, state: &mut State, context: &mut impl Rolls) {
        let Some(capital) = self.capital(Country::Ita) else { return };
        let force = state.active;
        if state.control(force).contains(capital) {
            self.add_supply(state, force, capital, 2 * self.rules.dates.italian_supply, context);
        }
    }

    /// Where an Italian unit of a kind may be placed (11.2) if there is a counter for it: corps in the capital, fleet in any
    /// Italian port, air in any controlled and supplied zone of its region (9.6).
    fn italian_places(&self, state: &State, kind: Kind) -> Zones {
        let force = state.active;
        let own = state.control(force).difference(&self.friend_zones(state, force));
        match kind {
            Kind::Fleet => own.and(self.home(Country::Ita)).and(&self.tables.zones.ports),
            Kind::Air => {
                self.supplied(state, force, false).zones.and(&own).and(&self.tables.zones.italian_area)
            }
            _ => own.and(&self.capital(Country::Ita).map(Zones::one).unwrap_or_default()),
        }
    }

    fn italian_choice(&self, state: &State, kind: Kind) -> bool {
        // Where supply comes from it need not be followed to.
        let sources = self.own_sources(state, state.active).and(&self.tables.zones.italian_area);
        let plain = kind == Kind::Air && !sources.is_empty() && self.has_counter(state, Nation::Ita, kind);
        plain
            || (kind != Kind::Fleet || state.tally[2] < self.rules.dates.italian_fleet_max)
                && self.any_roomy(state, Nation::Ita, kind, self.italian_places(state, kind))
    }

    /// Those of the places for which the counter sheet has room for one more unit (3).
    fn roomy(&self, state: &State, nation: Nation, kind: Kind, places: Zones) -> Zones {
        if places.is_empty() || self.has_counter(state, nation, kind) {
            return places;
        }
        places.filter(|place| self.has_room(state, nation, kind, place))
    }

    /// Whether any of the places is [`Self::roomy`].
    fn any_roomy(&self, state: &State, nation: Nation, kind: Kind, places: Zones) -> bool {
        !places.is_empty()
            && (self.has_counter(state, nation, kind)
                || places.iter().any(|place| self.has_room(state, nation, kind, place)))
    }

    /// Whether the pool has a counter for a single unit that can be placed anywhere.
    fn has_counter(&self, state: &State, nation: Nation, kind: Kind) -> bool {
        let single = &self.tables.sheet.single[nation.index()][kind as usize];
        single.difference(&state.on_map).iter().any(|counter| state.location(counter) == Location::POOL)
    }

    /// Whether a place can take one more unit when there is no such counter.
    fn has_room(&self, state: &State, nation: Nation, kind: Kind, place: Location) -> bool {
        if kind.is_corps() {
            self.can_add_corps(state, nation, kind, place)
        } else {
            self.has_gap(state, nation, kind, place)
        }
    }

    /// Whether a counter of a kind other than corps stands in the place and is not full.
    fn has_gap(&self, state: &State, nation: Nation, kind: Kind, place: Location) -> bool {
        let scale = if kind == Kind::Supply { 2 } else { 1 };
        state.stack(place).any(|counter| {
            let sheet = &self.rules.counter_types[self.counter_type(counter) as usize];
            self.nation(counter) == nation
                && sheet.kind == kind
                && state.strength(counter) < scale * sheet.front
        })
    }

    /// Offers the placement of the next unit of a kind, as one of a nation in these zones of its own, where the counter sheet
    /// has room for it. Tells whether there is any.
    fn offer_places<const N: usize>(
        &self,
        state: &State,
        kind: Kind,
        nations: [Nation; N],
        places: [Zones; N],
        out: &mut impl Offer,
    ) -> ControlFlow<(), bool> {
        let mut sure = [false; N];
        for nth in 0..N {
            sure[nth] = places[nth].is_empty() || self.has_counter(state, nations[nth], kind);
        }
        if sure == [true; N] {
            out.all(places, |nth, place| Action::Place { nation: nations[nth], kind, place })?;
            return Continue(places.iter().any(|zones| !zones.is_empty()));
        }
        let mut any = false;
        out.rest(None, places, |nth, place| {
            let nation = nations[nth];
            let open = sure[nth] || self.has_room(state, nation, kind, place);
            any |= open;
            open.then_some(Action::Place { nation, kind, place })
        })?;
        Continue(any)
    }

    fn minor_at_hand(state: &State) -> Option<Country> {
        Country::ALL.get(state.tally[0] as usize).copied().filter(|_| state.tally[1] > 0)
    }

    /// Reinforcements of minors that need a choice (11.2).
    pub(crate) fn minor_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        let Some(country) = Self::minor_at_hand(state) else { return Continue(()) };
        if country != Country::Ita {
            let (nation, zones) = (Self::nation_of(country), self.minor_zones(state, country));
            self.offer_places(state, Kind::Infantry, [nation], [zones], out)?;
        } else if state.tally[3] == 0 {
            for kind in ITALIAN.into_iter().filter(|&kind| self.italian_choice(state, kind)) {
                out.offer(Action::Italian(kind))?;
            }
        } else {
            let kind = ITALIAN[state.tally[3] as usize - 1];
            let places = self.italian_places(state, kind);
            self.offer_places(state, kind, [Nation::Ita], [places], out)?;
        }
        Continue(())
    }

    /// Places a unit of a minor (11.2).
    pub(crate) fn minor_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let Some(country) = Self::minor_at_hand(state) else { return };
        match action {
            Action::Italian(kind) => {
                let index = ITALIAN.iter().position(|&other| other == kind).unwrap_or(0);
                state.tally[3] = index as u8 + 1;
            }
            Action::Place { nation, kind, place } => {
                let partisans = country == Country::Yug && state.status(country) == Status::Surrendered;
                // The partisans of one roll rise in one zone, which is theirs (9.5).
                let count = if partisans { state.tally[1] } else { 1 };
                for _ in 0..count {
                    self.add_one(state, nation, kind, place, context);
                }
                if partisans {
                    self.set_control(state, place, Some(Force::Allied), context);
                }
                state.tally[1] -= count;
                state.tally[2] += u8::from(country == Country::Ita && kind == Kind::Fleet);
                state.tally[3] = 0;
                self.deliver(state, country, context);
                if state.tally[1] == 0 {
                    self.next_minor(state, country.index() + 1, context);
                }
            }
            _ => {}
        }
    }

    fn add_one(
        &self,
        state: &mut State,
        nation: Nation,
        kind: Kind,
        place: Location,
        context: &mut impl Rolls,
    ) -> bool {
        if kind.is_corps() {
            self.add_corps(state, nation, kind, place, context)
        } else {
            self.add_unit(state, nation, kind, place, context)
        }
    }

    // ---- 3b: cards and losses of supply (11.3) ----

    /// Shows the card of the turn, adds the special reinforcements (11.9) and counts the losses of supply (11.3).
    pub(crate) fn losses_begin(&self, state: &mut State, context: &mut impl Rolls) {
        let force = state.active;
        let mut queue = Queue { british: NONE, ..Queue::default() };
        let defeated = force == Force::Soviet && state.status(Country::Ussr) != Status::Soviet;
        let card = state.cards[force.index()][0];
        if card != NONE {
            context.emit(|| Event::CardShown { force, card });
        }
        if !defeated {
            if let Some(units) = self.rules.decks[force.index()].get(card as usize) {
                queue.infantry = units.infantry;
                queue.armour = units.armour;
                queue.air = units.air;
                queue.fleet = units.fleet;
                queue.submarine = units.submarine;
                queue.supply = units.supply;
                queue.development = units.development;
                if force == Force::Allied && card >= crate::cards::LIMITED {
                    queue.british = self.rules.dates.british_per_total_card;
                }
            }
            let dates = &self.rules.dates;
            let attacked = state.timers.east_attack;
            if force == Force::Soviet && attacked != 0 && state.turn == attacked + dates.special_delay {
                queue.infantry += dates.special_corps;
            }
        }
        queue.loss = self.supply_loss(state, force);
        state.queue[force.index()] = queue;
    }

    /// The bombers are spent when the Reinforcement Phase of all sides has ended (13.3).
    pub(crate) fn spend_bombers(&self, state: &mut State, context: &mut impl Rolls) {
        while let Some(counter) = state.stack(Location::BOMBING_BOX).next() {
            self.eliminate(state, counter, context);
        }
    }

    /// Supply units a side loses: a unit for each of its side points in enemy hands, the Allies to the blockade (12.4), the
    /// Axis to the bombers of last turn at that turn's rate (13.3).
    fn supply_loss(&self, state: &State, force: Force) -> u8 {
        let enemy = Force::ALL
            .into_iter()
            .filter(|other| other.opposes(force))
            .fold(Zones::EMPTY, |zones, other| zones.or(state.control(other)));
        let points = self.side_points(force).and(&enemy).len() as u8;
        points
            + match force {
                Force::Allied => self.blockade(state),
                Force::Axis => {
                    let bombers = state.stack(Location::BOMBING_BOX).count() as u8;
                    let last_turn = (state.turn as usize).saturating_sub(2);
                    bombers * self.rules.calendar[last_turn].bombing
                }
                Force::Soviet => 0,
            }
    }

    /// How the loss is paid: supply, or units of this turn instead (11.3).
    #[allow(clippy::unused_self)] // the generators of all phases have one shape
    pub(crate) fn loss_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        let mut queue = state.queue[state.active.index()];
        if queue.loss > 0 {
            out.offer(Action::PaySupply)?;
            for kind in [Kind::Infantry, Kind::Armour, Kind::Fleet] {
                if *queue.units(kind) > 0 {
                    out.offer(Action::GiveUp(kind))?;
                }
            }
        }
        Continue(())
    }

    /// Pays from the supply of the card, then from stock, and forgets the rest (R-23); or gives up a unit (11.3).
    pub(crate) fn loss_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let force = state.active;
        let queue = &mut state.queue[force.index()];
        match action {
            Action::PaySupply => {
                let fresh = queue.loss.min(queue.supply);
                queue.supply -= fresh;
                let rest = std::mem::take(&mut queue.loss) - fresh;
                let stock = self.forfeit(state, force, 2 * u16::from(rest)).div_ceil(2) as u8;
                if fresh + stock > 0 {
                    context.emit(|| Event::SupplyLost { force, units: fresh + stock });
                }
            }
            Action::GiveUp(kind) => {
                *queue.units(kind) -= 1;
                let dates = &self.rules.dates;
                let worth =
                    if kind == Kind::Armour { dates.substitute_armour } else { dates.substitute_small };
                queue.loss = queue.loss.saturating_sub(worth);
            }
            _ => {}
        }
    }

    // ---- 3c: lend-lease (11.4) ----

    /// Counts the fleets that can carry: with Germans in the USSR, Allied fleet in the Norwegian Sea in excess of Axis
    /// submarines under Allied superiority, and fleet in the Persian Gulf with Basra from 1942 (11.4).
    pub(crate) fn lend_lease_begin(&self, state: &mut State, _table: &mut impl Rolls) {
        let germans = self.home(Country::Ussr).and(state.corps(Force::Axis)).iter().any(|zone| {
            state
                .stack(zone)
                .any(|counter| self.nation(counter) == Nation::Ger && self.kind(counter).is_corps())
        });
        if !germans || state.status(Country::Ussr) != Status::Soviet {
            return;
        }
        let marks = &self.rules.landmarks;
        let count = |sea: Sea, kind: Kind, force: Force| -> u8 {
            state
                .stack(Location::of_sea(sea))
                .filter(|&counter| self.kind(counter) == kind && self.force(state, counter) == Some(force))
                .map(|counter| state.strength(counter))
                .sum()
        };
        let north = if self.maritime_superiority(state, marks.norwegian_sea) == Some(Force::Allied) {
            count(marks.norwegian_sea, Kind::Fleet, Force::Allied).saturating_sub(count(
                marks.norwegian_sea,
                Kind::Submarine,
                Force::Axis,
            ))
        } else {
            0
        };
        let open = state.turn >= self.rules.dates.gulf_lend_lease
            && state.control(Force::Allied).contains(marks.basra);
        let gulf = if open { count(marks.persian_gulf, Kind::Fleet, Force::Allied) } else { 0 };
        state.tally = [north, gulf, 0, 0];
    }

    /// What may still be lent: air first, then supply, so that equal transfers are offered once (11.4).
    pub(crate) fn lend_lease_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        let mut out = PassFirst::new(out, Action::Pass);
        let [north, gulf, lent_supply, stopped] = state.tally;
        let queue = &state.queue[Force::Allied.index()];
        if stopped != 0 {
            return Continue(());
        }
        if queue.air > 0
            && lent_supply == 0
            && north.max(gulf) >= self.rules.limits.lend_lease.fleets_per_air
            && self.soviet_air_room(state)
        {
            out.offer(Action::Lend(Kind::Air))?;
        }
        if queue.supply > 0 && north + gulf > 0 {
            out.offer(Action::Lend(Kind::Supply))?;
        }
        Continue(())
    }

    /// Whether the Soviets have a counter for one more air unit than they await (3).
    fn soviet_air_room(&self, state: &State) -> bool {
        let free: usize = self.tables.sheet.types_of[Nation::Ussr.index()]
            .iter()
            .filter(|&&kind| self.rules.counter_types[kind as usize].kind == Kind::Air)
            .map(|&kind| {
                self.tables.sheet.of_type[kind]
                    .iter()
                    .filter(|&c| state.location(c) == Location::POOL)
                    .count()
            })
            .sum();
        free > state.queue[Force::Soviet.index()].air as usize
    }

    /// Hands supply or air over to the Soviets (11.4).
    pub(crate) fn lend_lease_apply(&self, state: &mut State, action: Action, _table: &mut impl Rolls) {
        let Action::Lend(kind) = action else {
            state.tally[3] = 1;
            return;
        };
        let lend_lease = self.rules.limits.lend_lease;
        let (fleets, units) = if kind == Kind::Air {
            (lend_lease.fleets_per_air, 1)
        } else {
            state.tally[2] = 1;
            (1, lend_lease.supply_per_fleet.min(state.queue[Force::Allied.index()].supply))
        };
        // The route with fleets enough and, for supply, an odd one, so that pairs stay together for air.
        let sea = (0..2)
            .filter(|&sea| state.tally[sea] >= fleets)
            .max_by_key(|&sea| (state.tally[sea] % 2 == fleets % 2, state.tally[sea]));
        let Some(sea) = sea else { return };
        state.tally[sea] -= fleets;
        *state.queue[Force::Allied.index()].units(kind) -= units;
        *state.queue[Force::Soviet.index()].units(kind) += units;
    }

    // ---- 3d: placement (11.5) ----

    /// Releases open to the Soviet player by development (11.8): air only with a card that has air.
    fn releasable(&self, state: &State, mut each: impl FnMut(u8) -> Flow) -> Flow {
        let force = state.active.index();
        if state.queue[force].development == 0 {
            return Continue(());
        }
        let card = self.rules.decks[force].get(state.cards[force][0] as usize);
        let card_has_air = card.is_some_and(|card| card.air > 0);
        for &kind in &self.tables.sheet.types_of[Nation::Ussr.index()] {
            let air = self.rules.counter_types[kind as usize].kind == Kind::Air;
            if (!air || card_has_air) && self.locked(state, kind).is_some() {
                each(kind)?;
            }
        }
        Continue(())
    }

    /// Nations as whose units those of a kind on the cards of a side come.
    fn bringers(force: Force, kind: Kind) -> &'static [Nation] {
        match (force, kind) {
            (Force::Axis, Kind::Supply) => &[Nation::Axis],
            (Force::Allied, Kind::Supply) => &[Nation::Allied],
            _ => Self::powers(force),
        }
    }

    /// Supply Zones that a side controls, without the friend's units in them (7, 11.5).
    pub(crate) fn own_sources(&self, state: &State, force: Force) -> Zones {
        self.supply_zones(force).and(state.control(force)).difference(&self.friend_zones(state, force))
    }

    /// Zones where a side's units of a kind may come as a nation's (11.5, 11.6). With `sure`, only what is plain without
    /// following lines of supply. The side's [`Self::own_sources`] are kept for the next nation.
    fn unit_places(
        &self,
        state: &State,
        nation: Nation,
        kind: Kind,
        sure: bool,
        sources: &mut Option<Zones>,
    ) -> Zones {
        let (force, marks) = (state.active, &self.rules.landmarks);
        let known = state.phase == Phase::Placement && !state.stale;
        let mut own_sources = || match sources {
            Some(sources) => *sources,
            None => *sources.insert(if known { state.fuel } else { self.own_sources(state, force) }),
        };
        let queue = &state.queue[force.index()];
        let zones = match kind {
            Kind::Fleet | Kind::Submarine => {
                let own = state.control(force).and(&self.tables.zones.naval_bases);
                nation.country().map_or(Zones::EMPTY, |country| match country {
                    // American ships come in America and, later, Great Britain.
                    Country::Usa => own,
                    _ => own.and(self.home(country)),
                })
            }
            Kind::Air if sure => own_sources().and(&self.nation_zones(state, nation, kind)),
            Kind::Air => self
                .lines(state)
                .and(&self.own_area(state, force))
                .difference(&self.friend_zones(state, force))
                .and(&self.nation_zones(state, nation, kind)),
            Kind::Supply => own_sources(),
            _ if nation == Nation::Uk && queue.british == 0 => Zones::EMPTY,
            _ => own_sources(),
        };
        if nation != Nation::Usa {
            return zones;
        }
        if state.status(Country::Usa) != Status::Allied {
            return Zones::EMPTY;
        }
        let mut open = Zones::one(marks.america);
        if state.turn >= self.rules.dates.usa_in_britain {
            open = open.or(&self.rules.regions.great_britain);
        }
        zones.and(&open)
    }

    /// Zones with a line of supply of the side in turn.
    fn lines(&self, state: &State) -> Zones {
        if state.stale { self.supplied(state, state.active, false).zones } else { state.main }
    }

    /// The kind placed next, by the order of placement.
    #[inline]
    fn next_kind(queue: &Queue) -> Option<Kind> {
        PLACEMENT.into_iter().find(|&kind| queue.waits(kind))
    }

    /// Air on mission that its owner may take off because the air unit to be placed next has a place but no counter (11.10,
    /// 13.4, R-83). Bombers are not free before the phase ends (13.3).
    fn spare_missions(&self, state: &State, kind: Kind) -> Counters {
        if kind != Kind::Air || state.tally[1] != 0 {
            return Counters::EMPTY;
        }
        let own = self.of_kind(Kind::Air).and(&self.counters_of(state, state.active));
        let sources = &mut None;
        Self::powers(state.active)
            .iter()
            .filter(|&&nation| !self.unit_places(state, nation, kind, false, sources).is_empty())
            .fold(Counters::EMPTY, |set, &nation| set.or(&self.tables.sheet.of_nation[nation.index()]))
            .and(&own)
            .iter()
            .filter(|&counter| state.is_turned(counter) && state.location(counter) != Location::BOMBING_BOX)
            .collect()
    }

    /// Nations whose units the cards of a side bring.
    fn powers(force: Force) -> &'static [Nation] {
        match force {
            Force::Axis => &[Nation::Ger],
            Force::Allied => &[Nation::Uk, Nation::Usa],
            Force::Soviet => &[Nation::Ussr],
        }
    }

    /// What becomes of the units of the kind to be placed next when nothing can be decided about them: armour without a
    /// counter comes as infantry; other units without a counter or a place are lost (11.5). Tells whether there were any.
    pub(crate) fn drop_unplaceable(state: &mut State, context: &mut impl Rolls) -> bool {
        let force = state.active;
        let queue = &mut state.queue[force.index()];
        let Some(kind) = Self::next_kind(queue) else { return false };
        let units = std::mem::take(queue.units(kind));
        if kind == Kind::Armour {
            queue.infantry += units;
        } else {
            let units = if kind == Kind::Supply { 2 * units } else { units };
            context.emit(|| Event::Unplaced { force, kind, units });
        }
        // Lines are looked for only while air waits.
        state.stale |= kind == Kind::Air;
        true
    }

    /// Releases by development, then units one by one, supply by twos (11.5, 11.8).
    pub(crate) fn placement_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        if state.tally[0] == 0 {
            let mut any = PassFirst::new(out, Action::Pass);
            let mut released = false;
            self.releasable(state, |kind| {
                released = true;
                any.offer(Action::Release(kind))
            })?;
            if released {
                return Continue(());
            }
        }
        let Some(kind) = Self::next_kind(&state.queue[state.active.index()]) else { return Continue(()) };
        let bringers = Self::bringers(state.active, kind);
        if kind == Kind::Air && out.counts() {
            let sources = &mut None;
            let sure = bringers.iter().map(|&nation| {
                self.roomy(state, nation, kind, self.unit_places(state, nation, kind, true, sources)).len()
            });
            if sure.sum::<u32>() > 1 {
                return out.at_least_two();
            }
        }
        let mut sources = None;
        let mut places = |nation: Nation| self.unit_places(state, nation, kind, false, &mut sources);
        let any = match *bringers {
            [one] => {
                let zones = [places(one)];
                self.offer_places(state, kind, [one], zones, out)?
            }
            [first, second] => {
                let zones = [places(first), places(second)];
                self.offer_places(state, kind, [first, second], zones, out)?
            }
            _ => false,
        };
        if any {
            return Continue(());
        }
        let mut out = PassFirst::new(out, Action::Pass);
        for counter in self.spare_missions(state, kind) {
            if !self.has_identical_before(state, counter) {
                out.offer(Action::Discard(counter))?;
            }
        }
        Continue(())
    }

    /// Carries out a release (11.8) or a placement (11.5).
    pub(crate) fn placement_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let force = state.active;
        match action {
            Action::Pass => {
                let open = |_| Flow::Break(());
                let releases = state.tally[0] == 0 && self.releasable(state, open).is_break();
                state.tally[usize::from(!releases)] = 1;
                // Air that nobody on mission makes room for is lost.
                if !releases {
                    Self::drop_unplaceable(state, context);
                }
            }
            Action::Discard(counter) => self.eliminate(state, counter, context),
            Action::Release(kind) => {
                self.release(state, kind);
                state.queue[force.index()].development -= 1;
            }
            Action::Place { kind: Kind::Supply, place, .. } => {
                let supply = &mut state.queue[force.index()].supply;
                let units = (*supply).min(BATCH / 2);
                *supply -= units;
                let units = self.add_supply(state, force, place, 2 * units, context);
                if units > 0 {
                    context.emit(|| Event::Unplaced { force, kind: Kind::Supply, units });
                }
            }
            Action::Place { nation, kind, place } => {
                debug_assert!(place.is_zone());
                self.add_one(state, nation, kind, place, context);
                let queue = &mut state.queue[force.index()];
                *queue.units(kind) -= 1;
                // Lines are looked for only while air waits.
                state.stale |= kind == Kind::Air && queue.air == 0;
                if nation == Nation::Uk && kind.is_corps() && queue.british != NONE {
                    queue.british -= 1;
                }
            }
            _ => {}
        }
    }
}
