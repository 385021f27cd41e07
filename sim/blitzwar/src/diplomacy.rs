//! Diplomacy (9): surrenders and activations at the start of a turn, and what follows when a country is attacked.

use std::ops::ControlFlow::Continue;

use sandtable_core::Board;

use crate::Rolls;
use crate::action::Action;
use crate::event::Event;
use crate::game::BlitzWar;
use crate::location::Zone;
use crate::nation::{Country, Force, Nation};
use crate::phase::{Pending, Phase};
use crate::rules::{Kind, SurrenderRule, Zones};
use crate::sequence::{Flow, Offer};
use crate::state::{State, Status};

/// Faces of the diplomatic die.
const FACES: u32 = 6;

impl BlitzWar {
    // ---- the Diplomatic Phase ----

    /// Phase 1 (9.1): the cards move up, dated units arrive, then surrenders, then activations.
    pub(crate) fn diplomacy_begin(&self, state: &mut State, context: &mut impl Rolls) {
        self.shift_cards(state);
        self.arrivals(state, context);
        self.note_march_into_finland(state);
        for country in Country::ALL {
            let Some(force) = state.status(country).force() else { continue };
            if country != Country::Vichy && self.is_beaten(state, country, force) {
                if country == Country::Ger {
                    return self.germany_surrenders(state, context);
                }
                self.surrender(state, country, force, context);
            }
        }
        self.free_france(state, context);
        self.reactivations(state, context);
        self.dated_activations(state, context);
        Self::next_question(state);
    }

    /// The Spanish and Turkish rolls (9.3).
    #[allow(clippy::unused_self)] // the generators of all phases have one shape
    pub(crate) fn diplomacy_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        if matches!(state.pending, Pending::SpanishRoll | Pending::TurkishRoll) {
            out.offer(Action::Pass)?;
            out.offer(Action::Roll)?;
        }
        Continue(())
    }

    /// Plays a diplomatic roll or its refusal (9.3).
    pub(crate) fn diplomacy_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let (country, status) = match state.pending {
            Pending::SpanishRoll => (Country::Sp, Status::Axis),
            _ => (Country::Tur, Status::Passage),
        };
        if action == Action::Roll && Self::diplomatic_die(country, context) == FACES as u8 {
            self.activate(state, country, status, context);
            state.timers.usa_advance += 1;
            self.usa_entry(state, context);
        }
        Self::next_question(state);
    }

    fn diplomatic_die(country: Country, context: &mut impl Rolls) -> u8 {
        let die = context.die(FACES) as u8;
        context.emit(|| Event::DiplomaticRoll { country, die });
        die
    }

    /// Opens the roll that a surrender of this turn allows, each once a game (9.3).
    fn next_question(state: &mut State) {
        let turn = state.turn;
        let greece_fell = state.status(Country::Gre) == Status::Surrendered
            && state.surrendered[Country::Gre.index()] == turn;
        state.pending = if !state.timers.spain_asked
            && state.timers.french_surrender == turn
            && state.status(Country::Sp).is_neutral()
        {
            state.timers.spain_asked = true;
            Pending::SpanishRoll
        } else if !state.timers.turkey_asked && greece_fell && state.status(Country::Tur) == Status::Neutral {
            state.timers.turkey_asked = true;
            Pending::TurkishRoll
        } else {
            Pending::None
        };
    }

    // ---- standing ----

    /// Changes the standing of a country and reports it.
    pub(crate) fn set_status(state: &mut State, country: Country, status: Status, context: &mut impl Rolls) {
        state.set_status(country, status);
        state.stale = true;
        context.emit(|| Event::Standing { country, status });
    }

    /// A country comes to a side, or opens its borders: zones nobody controls become its side's (9.1).
    pub(crate) fn activate(
        &self,
        state: &mut State,
        country: Country,
        status: Status,
        context: &mut impl Rolls,
    ) {
        let opened = state.status(country) == Status::Passage;
        Self::set_status(state, country, status, context);
        if let Some(force) = status.force() {
            if opened && force != Force::Axis {
                self.cut_passage(state, country, context);
            }
            for zone in *self.home(country) {
                if state.controller(zone).is_none() && self.country_at(state, zone) == country {
                    self.set_control(state, zone, Some(force), context);
                    self.adopt_supply(state, zone, force, context);
                }
            }
        }
        self.refresh_all_corps(state);
    }

    /// A country that let the Axis pass turns against it: Axis corps keep the zones they stand in, other Axis counters
    /// leave for the nearest Axis zone (9.1, R-72).
    fn cut_passage(&self, state: &mut State, country: Country, context: &mut impl Rolls) {
        for zone in *self.home(country) {
            let hosts = state.stack(zone).any(|counter| {
                self.kind(counter).is_corps() && self.nation(counter).country() == Some(country)
            });
            if state.controller(zone).is_none() && !hosts && self.corps_in(state, zone, Force::Axis) != (0, 0)
            {
                self.set_control(state, zone, Some(Force::Axis), context);
            }
        }
        for zone in *self.home(country) {
            if state.controller(zone).is_none() {
                let refuge = *state.control(Force::Axis);
                self.evict(state, zone, Force::Axis, &refuge, context);
            }
        }
    }

    /// Supply that lay in a neutral zone (the Italian stock of 19) serves the side the country came to.
    fn adopt_supply(&self, state: &mut State, zone: Zone, force: Force, context: &mut impl Rolls) {
        let mut halves = 0;
        while let Some(counter) = state.stack(zone).find(|&counter| {
            self.kind(counter) == Kind::Supply && self.nation(counter) != Self::supply_nation(force)
        }) {
            halves += state.strength(counter);
            self.retire(state, counter);
        }
        if halves > 0 {
            self.add_supply(state, force, zone, halves, context);
        }
    }

    /// Zones that count for a country's surrender (9.2, R-13).
    fn counted_home(&self, country: Country) -> &Zones {
        match country {
            Country::Fra => &self.rules.regions.france_home,
            Country::Ita => &self.rules.regions.italy_home,
            _ => self.home(country),
        }
    }

    /// Whether the conditions of surrender hold for a country that fights, or fought, on a side (9.2).
    pub fn is_beaten(&self, state: &State, country: Country, force: Force) -> bool {
        let mut enemy = Zones::EMPTY;
        for other in Force::ALL {
            if other.opposes(force) {
                enemy = enemy.or(state.control(other));
            }
        }
        let capital = self.capital(country).is_some_and(|zone| enemy.contains(zone));
        let taken = || self.counted_home(country).and(&enemy);
        match self.rules.countries[country.index()].surrender {
            SurrenderRule::Never => false,
            SurrenderRule::Capital => capital,
            SurrenderRule::CapitalAnd(more) => capital && taken().len() > u32::from(more),
            SurrenderRule::SupplyZones => {
                let sources = self.supply_zones(force);
                !sources.is_empty() && sources.difference(&enemy).is_empty()
            }
            SurrenderRule::Occupied { zones, corps, from_turn } => {
                let taken = taken();
                let strength: u32 = taken
                    .iter()
                    .map(|zone| {
                        let corps = |other: Force| {
                            let (infantry, armour) = self.corps_in(state, zone, other);
                            u32::from(infantry + armour)
                        };
                        Force::ALL.into_iter().filter(|other| other.opposes(force)).map(corps).sum::<u32>()
                    })
                    .sum();
                state.turn >= from_turn && taken.len() >= u32::from(zones) && strength >= u32::from(corps)
            }
        }
    }

    /// Whether it matters, while sides move, who holds the capital of a country: while it fights, and once it has surrendered as long as
    /// it may fight again in a turn to come (9.2); for France, whose liberation brings corps, always (9.4).
    pub fn capital_matters(&self, state: &State, country: Country) -> bool {
        match state.status(country) {
            Status::Surrendered => country == Country::Fra || state.turn < self.rules.dates.last_reactivation,
            status => status.force().is_some(),
        }
    }

    /// A country surrenders (9.2): its units are eliminated; what the victors do not hold goes to the Axis or stays with it.
    fn surrender(&self, state: &mut State, country: Country, force: Force, context: &mut impl Rolls) {
        if let Some(nation) = Nation::ALL.into_iter().find(|nation| nation.country() == Some(country)) {
            self.disband(state, nation, context);
        }
        let divided = country == Country::Pol && Self::poland_is_divided(state);
        state.surrendered[country.index()] =
            state.turn | if force == Force::Axis { State::WAS_AXIS } else { 0 };
        Self::set_status(state, country, Status::Surrendered, context);
        if force != Force::Axis {
            let east = match country {
                Country::Pol | Country::Ussr => self.tables.zones.eastern_poland,
                _ => Zones::EMPTY,
            };
            // The zones of Vichy are emptied and become neutral (9.4).
            let vichy = if country == Country::Fra { self.tables.zones.vichy } else { Zones::EMPTY };
            for zone in self.home(country).or(&east).difference(&vichy) {
                if divided && east.contains(zone) {
                    self.cede_to_soviets(state, zone, context);
                } else if state.controller(zone) == Some(force) {
                    self.fall(state, zone, context);
                }
            }
        }
        match country {
            Country::Fra => self.create_vichy(state, context),
            Country::Yug if force != Force::Axis => state.timers.yugoslav_surrender = state.turn,
            _ => {}
        }
        self.refresh_all_corps(state);
    }

    /// Eliminates all units of a nation on the map (9.2).
    fn disband(&self, state: &mut State, nation: Nation, context: &mut impl Rolls) {
        for counter in self.tables.sheet.of_nation[nation.index()].and(&state.on_map) {
            self.eliminate(state, counter, context);
        }
    }

    /// A zone of a country that surrendered to the Axis comes under its control unless enemy corps hold it (9.2). Air and
    /// supply left there are lost and ships put to sea, as when a zone is entered (15.3).
    fn fall(&self, state: &mut State, zone: Zone, context: &mut impl Rolls) {
        if [Force::Allied, Force::Soviet].iter().any(|&enemy| self.corps_in(state, zone, enemy) != (0, 0)) {
            return;
        }
        for counter in state.members(zone) {
            let mission = self.kind(counter) == Kind::Air && state.is_turned(counter);
            if !mission && !self.kind(counter).is_naval() {
                self.eliminate(state, counter, context);
            }
        }
        self.ships_to_sea(state, zone, context);
        self.set_control(state, zone, Some(Force::Axis), context);
    }

    /// Whether the surrender of Poland gives its east to the Soviets: the first one does, unless they are at war with the
    /// Axis by then (9.2, R-108).
    fn poland_is_divided(state: &State) -> bool {
        state.surrender_turn(Country::Pol) == 0 && state.timers.axis_soviet_war == 0
    }

    /// Eastern Poland becomes Soviet when Poland is divided; Axis units go to the nearest Axis zone (9.2, R-07).
    fn cede_to_soviets(&self, state: &mut State, zone: Zone, context: &mut impl Rolls) {
        let refuge = state.control(Force::Axis).difference(&self.tables.zones.eastern_poland);
        self.evict(state, zone, Force::Axis, &refuge, context);
        if self.corps_in(state, zone, Force::Allied) == (0, 0) {
            let own = *state.control(Force::Allied);
            self.evict(state, zone, Force::Allied, &own.difference(self.home(Country::Pol)), context);
        }
        self.set_control(state, zone, Some(Force::Soviet), context);
    }

    /// Moves a side's units out of a zone to the nearest zone of `refuge` by land; where there is none they are lost.
    /// Ships put to sea, air on mission stays.
    fn evict(&self, state: &mut State, zone: Zone, force: Force, refuge: &Zones, context: &mut impl Rolls) {
        let mut seen = Zones::one(zone);
        let mut ring = seen;
        let goal = loop {
            let found = ring.and(refuge).difference(&Zones::one(zone));
            if let Some(goal) = found.iter().min_by_key(|&to| state.stack(to).count()) {
                break Some(goal);
            }
            ring = self.land().neighbours_of(&ring).difference(&seen);
            if ring.is_empty() {
                break None;
            }
            seen = seen.or(&ring);
        };
        for counter in state.members(zone) {
            let kind = self.kind(counter);
            let stays = kind.is_naval() || kind == Kind::Air && state.is_turned(counter);
            if !stays && self.force(state, counter) == Some(force) {
                match goal {
                    Some(goal) => self.relocate(state, counter, goal, context),
                    None => self.eliminate(state, counter, context),
                }
            }
        }
        self.ships_to_sea(state, zone, context);
    }

    // ---- France (9.4) ----

    /// The French surrender (9.3, 9.4): Vichy is created, Italy and Hungary join the Axis, Romania lets it pass, the first
    /// Elite Army is formed (11.7).
    fn create_vichy(&self, state: &mut State, context: &mut impl Rolls) {
        state.timers.french_surrender = state.turn;
        let vichy = self.tables.zones.vichy;
        let occupied = self.home(Country::Fra).difference(&vichy);
        for zone in vichy {
            let axis = *state.control(Force::Axis);
            let near = axis.and(&occupied);
            // Where no land leads to Occupied France, any Axis zone serves.
            let cut_off = !self.mainland(zone).intersects(&near);
            let refuge = if cut_off { axis.difference(&vichy) } else { near };
            self.evict(state, zone, Force::Axis, &refuge, context);
            let allied = state.control(Force::Allied).difference(&vichy);
            self.evict(state, zone, Force::Allied, &allied, context);
            self.set_control(state, zone, None, context);
        }
        state.vichy_ports = self.allied_ports_in_france(state);
        for &(zone, corps) in &self.rules.dates.vichy_garrison {
            for _ in 0..corps {
                self.add_corps(state, Nation::Fra, Kind::Infantry, zone, context);
            }
        }
        Self::set_status(state, Country::Vichy, Status::Neutral, context);
        for ally in [Country::Ita, Country::Hun] {
            if state.status(ally) == Status::Neutral {
                self.activate(state, ally, Status::Axis, context);
            }
        }
        if state.status(Country::Rum) == Status::Neutral {
            self.activate(state, Country::Rum, Status::Passage, context);
        }
        self.release_elite(state);
    }

    /// Every zone that hangs together with a zone by land.
    fn mainland(&self, zone: Zone) -> Zones {
        self.land().fill(Zones::one(zone), self.land().places())
    }

    fn allied_ports_in_france(&self, state: &State) -> u8 {
        self.home(Country::Fra).and(&self.tables.zones.ports).and(state.control(Force::Allied)).len() as u8
    }

    /// Vichy surrenders to the Allies when they hold three ports in it or in Occupied France, not counting what they held
    /// when it was created: Free France is created, the Axis keeps what has not been retaken (9.4). A Vichy that the Axis drove to the Allied side keeps its units.
    fn free_france(&self, state: &mut State, context: &mut impl Rolls) {
        let status = state.status(Country::Vichy);
        if state.timers.free_france != 0 || matches!(status, Status::Absent | Status::Surrendered) {
            return;
        }
        if self.allied_ports_in_france(state) < state.vichy_ports + self.rules.dates.vichy_ports {
            return;
        }
        if status != Status::Allied {
            self.disband(state, Nation::Fra, context);
        }
        state.timers.free_france = state.turn;
        self.activate(state, Country::Vichy, Status::Allied, context);
    }

    // ---- activations (9.3) ----

    /// A surrendered country fights again if its conditions have ceased to hold before 1943 (9.2); France never (9.4).
    fn reactivations(&self, state: &mut State, context: &mut impl Rolls) {
        if state.turn > self.rules.dates.last_reactivation {
            return;
        }
        for country in Country::ALL {
            let fell = state.surrendered[country.index()];
            if state.status(country) != Status::Surrendered
                || matches!(country, Country::Fra | Country::Vichy)
                || fell & !State::WAS_AXIS == state.turn
            {
                continue;
            }
            let force = match country {
                _ if fell & State::WAS_AXIS != 0 => Force::Axis,
                Country::Ussr => Force::Soviet,
                _ => Force::Allied,
            };
            if !self.is_beaten(state, country, force) {
                self.activate(state, country, Status::active(force), context);
            }
        }
    }

    /// Activations by date and by events (9.3), and the units they release (11.7, 11.8).
    fn dated_activations(&self, state: &mut State, context: &mut impl Rolls) {
        let dates = &self.rules.dates;
        let (turn, timers) = (state.turn, state.timers);
        let neutral = |state: &State, country: Country| state.status(country) == Status::Neutral;
        let waiting = [Country::Ita, Country::Hun].into_iter().any(|country| neutral(state, country));
        if waiting && self.axis_points(state) >= dates.italy_points {
            for ally in [Country::Ita, Country::Hun] {
                if neutral(state, ally) {
                    self.activate(state, ally, Status::Axis, context);
                }
            }
        }
        if turn >= dates.balkan_entry {
            if neutral(state, Country::Bul) {
                self.activate(state, Country::Bul, Status::Axis, context);
            }
            if neutral(state, Country::Gre) {
                self.activate(state, Country::Gre, Status::Allied, context);
            }
        }
        if turn == dates.yugoslav_roll
            && neutral(state, Country::Yug)
            && Self::diplomatic_die(Country::Yug, context) == FACES as u8
        {
            self.activate(state, Country::Yug, Status::Axis, context);
            self.forfeit(state, Force::Axis, 2 * u16::from(dates.yugoslav_price));
        }
        if timers.axis_soviet_war != 0
            && turn > timers.axis_soviet_war
            && state.status(Country::Rum).is_neutral()
        {
            self.activate(state, Country::Rum, Status::Axis, context);
        }
        self.usa_entry(state, context);
        if timers.east_attack != 0 && turn == timers.east_attack + dates.second_elite_delay {
            self.release_elite(state);
        }
        if turn == dates.karelia && !timers.karelia_checked {
            state.timers.karelia_checked = true;
            if state.control(Force::Soviet).contains(self.rules.landmarks.karelia) {
                self.release_first(state, Nation::Ussr, Kind::White);
            }
        }
    }

    /// The USA enters on its date, brought forward by events (9.3, R-08); Total War begins for both alliances (10.2).
    fn usa_entry(&self, state: &mut State, context: &mut impl Rolls) {
        let due = self.rules.dates.usa_entry.saturating_sub(state.timers.usa_advance);
        if state.turn >= due && state.status(Country::Usa).is_neutral() {
            self.bring_in_usa(state, context);
        }
    }

    fn bring_in_usa(&self, state: &mut State, context: &mut impl Rolls) {
        state.timers.usa_entry = state.turn;
        self.activate(state, Country::Usa, Status::Allied, context);
        for force in [Force::Axis, Force::Allied] {
            Self::open_total_war(state, force, state.turn);
        }
    }

    /// Total War cards of a side may be chosen from this turn on, if not from an earlier one (10.2).
    fn open_total_war(state: &mut State, force: Force, turn: u8) {
        let open = &mut state.timers.total_war[force.index()];
        if *open == 0 || *open > turn {
            *open = turn;
        }
    }

    fn release_elite(&self, state: &mut State) {
        self.release_first(state, Nation::Ger, Kind::Elite);
    }

    /// Makes a locked counter of a kind available (11.7, 11.8).
    fn release_first(&self, state: &mut State, nation: Nation, kind: Kind) -> bool {
        self.tables.sheet.types_of[nation.index()]
            .iter()
            .any(|&index| self.rules.counter_types[index as usize].kind == kind && self.release(state, index))
    }

    // ---- attacks on countries (9.3) ----

    /// Whether entering or attacking a zone would be an act against somebody: it belongs neither to the side, nor to its
    /// friend, nor to a country that lets the side pass.
    pub(crate) fn is_hostile(&self, state: &State, force: Force, zone: Zone) -> bool {
        !(state.control[force.index()].contains(zone)
            || force.friend().is_some_and(|friend| state.control[friend.index()].contains(zone))
            || force == Force::Axis
                && state.controller(zone).is_none()
                && state.status(self.country_at(state, zone)) == Status::Passage)
    }

    /// Everything that follows when a side attacks or moves into a zone, by land or air (9.3): a neutral joins the other
    /// side at once, dates of first attacks are noted, and what depends on them happens. Does nothing if the zone
    /// is the side's own or nothing is left to happen. `german` says that Germans attack.
    pub(crate) fn provoke(
        &self,
        state: &mut State,
        attacker: Force,
        zone: Zone,
        german: bool,
        context: &mut impl Rolls,
    ) {
        // Troops pass through a country that lets them; to fight its corps is to attack it.
        if !self.is_hostile(state, attacker, zone) && !self.neutral_corps(state).contains(zone) {
            return;
        }
        let country = self.country_at(state, zone);
        let local = self.is_local_war(state, zone, country);
        let against_germans = self.nation_stands(state, zone, Nation::Ger);
        let owner = state.controller(zone);
        let status = state.status(country);
        if status.is_neutral() && (owner.is_none() || country == Country::Usa) {
            if country == Country::Usa {
                self.bring_in_usa(state, context);
            } else {
                let joins = if attacker == Force::Axis { Status::Allied } else { Status::Axis };
                self.activate(state, country, joins, context);
            }
        }
        let turn = state.turn;
        match attacker {
            Force::Axis => {
                self.note_west_attack(state, zone, country);
                if country == Country::Fin && status.is_neutral() {
                    Self::open_total_war(state, Force::Soviet, turn + 1);
                }
                let combat = matches!(state.phase, Phase::Blitz | Phase::Normal);
                let fights = combat && state.corps(Force::Soviet).contains(zone);
                let enters = owner == Some(Force::Soviet);
                if (fights || enters) && (german || !local) {
                    // To move into what the Soviets hold abroad is war with them, not an attack on the USSR.
                    let soil = country == Country::Ussr || self.tables.zones.eastern_poland.contains(zone);
                    if state.timers.east_attack == 0 && (fights || soil) {
                        state.timers.east_attack = turn;
                        Self::open_total_war(state, Force::Soviet, turn + 1);
                        if state.status(Country::Yug).is_neutral() {
                            self.activate(state, Country::Yug, Status::Allied, context);
                        }
                    }
                    self.axis_soviet_war(state, context);
                }
            }
            Force::Soviet => {
                let western_poland =
                    country == Country::Pol && !self.tables.zones.eastern_poland.contains(zone);
                if western_poland || against_germans || matches!(country, Country::Ger | Country::Rum) {
                    Self::open_total_war(state, Force::Axis, turn + 1);
                }
                if against_germans || owner == Some(Force::Axis) && !local {
                    self.axis_soviet_war(state, context);
                }
            }
            Force::Allied => {}
        }
    }

    /// The Winter War and its like: fighting with the Soviets in the home of a minor country that joined the Axis because
    /// it was attacked is not yet war between Germany and the USSR, unless Germans stand there or attack. Romania, Hungary and
    /// Bulgaria are allies of Germany by plan: an attack on them is war.
    fn is_local_war(&self, state: &State, zone: Zone, country: Country) -> bool {
        state.timers.axis_soviet_war == 0
            && state.status(country) == Status::Axis
            && country.is_minor_country()
            && !matches!(country, Country::Rum | Country::Hun | Country::Bul)
            && !self.nation_stands(state, zone, Nation::Ger)
    }

    fn nation_stands(&self, state: &State, zone: Zone, nation: Nation) -> bool {
        state.stack(zone).any(|counter| self.nation(counter) == nation && self.kind(counter).is_corps())
    }

    /// First Axis attack on Belgium-Holland or France, their zones or their corps (16.3.1, R-46, R-47).
    fn note_west_attack(&self, state: &mut State, zone: Zone, country: Country) {
        if state.timers.west_attack == 0
            && (matches!(country, Country::Be | Country::Fra)
                || country != Country::Vichy
                    && [Nation::Fra, Nation::Be]
                        .iter()
                        .any(|&nation| self.nation_stands(state, zone, nation)))
        {
            state.timers.west_attack = state.turn;
            state.timers.poland_before_west = state.status(Country::Pol) == Status::Surrendered;
        }
    }

    /// War between the Axis and the USSR begins: Finland joins the Axis (9.3).
    fn axis_soviet_war(&self, state: &mut State, context: &mut impl Rolls) {
        if state.timers.axis_soviet_war == 0 {
            state.timers.axis_soviet_war = state.turn;
            // Soviet air at sea now counts (12.3).
            state.stale = true;
            if state.status(Country::Fin).is_neutral() {
                self.activate(state, Country::Fin, Status::Axis, context);
            }
        }
    }

    /// Axis corps other than Finnish in Finland since last turn open the Soviet Total War cards now (10.2).
    fn note_march_into_finland(&self, state: &mut State) {
        let war = state.timers.total_war[Force::Soviet.index()];
        if war != 0 && war <= state.turn {
            return;
        }
        let guests = self.home(Country::Fin).and(state.corps(Force::Axis)).iter().any(|zone| {
            state.stack(zone).any(|counter| {
                self.kind(counter).is_corps()
                    && self.nation(counter) != Nation::Fin
                    && self.force(state, counter) == Some(Force::Axis)
            })
        });
        if guests {
            Self::open_total_war(state, Force::Soviet, state.turn);
        }
    }
}
