//! Positions made by hand: worked examples, studies and tests.
//!
//! An [`Editor`] starts from the bare map of the scenario (countries and control, no units) or from a game in progress,
//! changes one thing at a time, and says what does not fit. [`Editor::finish`] gives the position as it stands,
//! [`Editor::begin`] starts a phase in it.

use sandtable_core::Index;

use sandtable_core::Context;
use sandtable_core::phases::settle;

use crate::event::Event;
use crate::game::{BlitzWar, Counters};
use crate::location::{Counter, Location, SLOTS, Sea, Zone};
use crate::nation::{Country, Force, Nation};
use crate::phase::{Pending, Phase};
use crate::rules::{DECK, Kind, Placement};
use crate::setup::Quiet;
use crate::state::{NONE, State, Status, Timers, mark};

/// What a counter has done or suffered, as far as it bears on play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// Out of supply (17.5).
    Unsupplied,
    /// Activated for attack (15.3).
    Activated,
    /// Supply for moving or attacking has been paid this turn (7).
    Paid,
    /// Transported by sea or moved strategically this turn (14.1.1, 15.2).
    Carried,
}

/// A position being edited.
#[derive(Clone)]
pub struct Editor<'a> {
    game: &'a BlitzWar,
    state: State,
}

impl<'a> Editor<'a> {
    /// The map at the start of the scenario, without units.
    pub fn new(game: &'a BlitzWar) -> Self {
        Editor { game, state: game.bare_map() }
    }
    /// A game in progress.
    pub fn of(game: &'a BlitzWar, state: State) -> Self {
        Editor { game, state }
    }
    /// The position so far.
    pub fn state(&self) -> &State {
        &self.state
    }
    /// The finished position, with everything derived computed anew, to be looked at. Nothing is played, so there may be no
    /// decision in it: a position to play on from comes of [`Editor::begin`].
    pub fn finish(mut self) -> State {
        self.game.refresh_all_corps(&mut self.state);
        if self.state.phase >= Phase::NavalMovement {
            self.game.refresh_supply(&mut self.state);
        }
        self.game.renew(&mut self.state);
        self.state
    }
    /// Starts a phase for a side in the finished position and plays on to its first decision, or to the first one after it.
    /// [`Phase::Diplomacy`] begins the turn.
    pub fn begin<T: Context<Event>>(mut self, phase: Phase, force: Force, context: &mut T) -> State {
        self.game.refresh_all_corps(&mut self.state);
        if phase == Phase::Diplomacy {
            self.game.begin_turn(&mut self.state, context);
        } else {
            self.game.start(&mut self.state, phase, force, context);
        }
        settle(self.game, &mut self.state, context);
        self.state
    }

    // ---- units ----

    fn place_exists(&self, place: Location) -> Result<(), String> {
        let known = place.at() < self.game.rules.zones.len()
            || place.sea().is_some_and(|sea| sea.at() < self.game.rules.seas.len())
            || self.state.beachhead(place).is_some()
            || place == Location::BOMBING_BOX;
        if known { Ok(()) } else { Err(format!("there is no place with code {place:?}")) }
    }

    /// Puts one counter with these corps into a place; `elite` asks for an Elite Army. Returns the counter.
    ///
    /// # Errors
    /// Says that the counter sheet has no such counter left, or that the place does not exist.
    pub fn corps(
        &mut self,
        nation: Nation,
        place: Location,
        infantry: u8,
        armour: u8,
        elite: bool,
    ) -> Result<Counter, String> {
        self.place_exists(place)?;
        let corps = (infantry, armour);
        let counter = self.game.face_for(&self.state, nation, corps, elite).ok_or_else(|| {
            format!(
                "no {}{} counter of {infantry} infantry and {armour} armour corps is left on turn {}",
                nation.name(),
                if elite { " elite" } else { "" },
                self.state.turn
            )
        })?;
        self.game.form(&mut self.state, counter, corps, place);
        Ok(counter)
    }

    /// Replaces counters of infantry and armour that stand for one force by so many corps of the same, in common counters:
    /// as many armour and fortified corps as there are now at most, infantry the rest. The first counter says where they
    /// stand and what they have done or suffered; armour is of the nation that has it now. Returns the new counters.
    ///
    /// # Errors
    /// Says that there is nothing to be replaced, or that the counter sheet does not suffice.
    pub fn replace_corps(&mut self, counters: &Counters, corps: u8) -> Result<Counters, String> {
        let (game, state) = (self.game, &self.state);
        let first = counters.first().ok_or("there are no corps to be replaced")?;
        let (place, marks) = (state.location(first), state.marks[first]);
        let (mut armour, mut fortified) = (0, 0);
        let mut armoured = game.nation(first);
        for counter in counters {
            let (_, more) = game.corps_of(state, counter);
            if more > 0 {
                armour += more;
                armoured = game.nation(counter);
            }
            fortified += u8::from(state.is_turned(counter));
        }
        let footed = game.nation(first);
        for counter in counters {
            game.retire(&mut self.state, counter);
        }
        let before = self.state.members(place);
        let fortified = fortified.min(corps);
        let armour = armour.min(corps - fortified);
        for _ in 0..fortified {
            self.fortified(footed, place)?;
        }
        for (nation, kind, total) in
            [(armoured, Kind::Armour, armour), (footed, Kind::Infantry, corps - fortified - armour)]
        {
            let face = |units: u8| if kind == Kind::Armour { (0, units) } else { (units, 0) };
            let mut left = total;
            while left > 0 {
                let fits = |units: &u8| {
                    *units <= left && game.face_for(&self.state, nation, face(*units), false).is_some()
                };
                let units = (1..=3).rev().find(fits).ok_or_else(|| {
                    format!("the counter sheet has no {} counters for {corps} corps", nation.name())
                })?;
                let (infantry, armour) = face(units);
                self.corps(nation, place, infantry, armour, false)?;
                left -= units;
            }
        }
        let fresh = self.state.members(place).difference(&before);
        for counter in fresh {
            self.state.marks[counter] = marks;
        }
        Ok(fresh)
    }

    /// Puts one fortified infantry corps into a zone.
    ///
    /// # Errors
    /// Says that no such counter is left, or that the place does not exist.
    pub fn fortified(&mut self, nation: Nation, place: Location) -> Result<(), String> {
        self.place_exists(place)?;
        self.game
            .place_units(&mut self.state, &Placement { infantry: 1, fortified: 1, ..nothing(nation, place) })
    }

    /// Puts air units into a place, at airfield or on mission.
    ///
    /// # Errors
    /// Says that no air counter is left, or that the place does not exist.
    pub fn air(
        &mut self,
        nation: Nation,
        place: Location,
        units: u8,
        on_mission: bool,
    ) -> Result<(), String> {
        self.place_exists(place)?;
        for _ in 0..units {
            let kinds = self.game.tables.sheet.types_of[nation.index()].iter();
            let counter = kinds
                .filter(|&&kind| self.game.rules.counter_types[kind as usize].kind == Kind::Air)
                .find_map(|&kind| self.game.in_pool(&self.state, kind))
                .ok_or_else(|| format!("no {} air counter is left", nation.name()))?;
            self.state.set_strength(counter, 1);
            self.state.turn_face(counter, on_mission);
            self.game.put(&mut self.state, counter, place);
        }
        Ok(())
    }

    /// Puts fleet or submarine units into a port or a sea, packed into few counters.
    ///
    /// # Errors
    /// Says that the kind is not naval, that no counter is left, or that the place does not exist.
    pub fn ships(&mut self, nation: Nation, kind: Kind, place: Location, units: u8) -> Result<(), String> {
        self.place_exists(place)?;
        let units = match kind {
            Kind::Fleet => Placement { fleet: units, ..nothing(nation, place) },
            Kind::Submarine => Placement { submarine: units, ..nothing(nation, place) },
            _ => return Err(format!("{kind:?} units are no ships")),
        };
        self.game.place_units(&mut self.state, &units)
    }

    /// Gives a side this much supply in a zone, in half units, instead of what lies there.
    ///
    /// # Errors
    /// Says that the place is no land zone, or that the counters do not suffice.
    pub fn supply(&mut self, force: Force, zone: Zone, halves: u8) -> Result<(), String> {
        if zone.at() >= self.game.rules.zones.len() {
            return Err(format!("there is no land zone with code {zone:?}"));
        }
        let nation = BlitzWar::supply_nation(force);
        for counter in self.game.sheet() {
            if self.state.location(counter) == zone
                && self.game.kind(counter) == Kind::Supply
                && self.game.nation(counter) == nation
            {
                self.game.retire(&mut self.state, counter);
            }
        }
        let rest = self.game.add_supply(&mut self.state, force, zone, halves, &mut Quiet);
        if rest == 0 {
            Ok(())
        } else {
            Err(format!("{rest} half units of {} supply find no counter", force.name()))
        }
    }

    /// Takes all counters off a place.
    ///
    /// # Errors
    /// Says that the place does not exist.
    pub fn clear(&mut self, place: Location) -> Result<(), String> {
        self.place_exists(place)?;
        while let Some(counter) = self.state.stack(place).next() {
            self.game.retire(&mut self.state, counter);
        }
        Ok(())
    }

    /// Takes all counters off the map.
    pub fn clear_all(&mut self) {
        for counter in self.game.sheet() {
            if !matches!(self.state.location(counter), Location::POOL | Location::LOCKED) {
                self.game.retire(&mut self.state, counter);
            }
        }
    }

    /// Makes one locked counter of a type (an index into the counter types) available (11.7, 11.8).
    ///
    /// # Errors
    /// Says that no counter of the type is locked.
    pub fn release(&mut self, kind: u8) -> Result<(), String> {
        let known = (kind as usize) < self.game.rules.counter_types.len();
        if known && self.game.release(&mut self.state, kind) {
            Ok(())
        } else {
            Err(format!("no counter of type {kind} is locked"))
        }
    }

    /// Opens a beachhead at a zone from a sea and returns its place; air on mission and corps may then be put into it.
    ///
    /// # Errors
    /// Says that the zone has no beach there, or that all beachheads are in use.
    pub fn beachhead(&mut self, zone: Zone, sea: Sea) -> Result<Location, String> {
        if sea.at() >= self.game.rules.seas.len() || !self.game.beaches(sea).contains(zone) {
            return Err(format!("zone {zone:?} cannot be landed on from sea {sea:?}"));
        }
        let slot = (0..SLOTS)
            .find(|&slot| self.state.slot_zone[slot] == Location::NONE)
            .ok_or_else(|| "all beachheads are in use".to_owned())?;
        self.state.slot_zone[slot] = zone;
        self.state.slot_sea[slot] = sea;
        Ok(Location::of_beachhead(slot))
    }

    /// Sets or clears a mark of a counter.
    ///
    /// # Errors
    /// Says that the counter is not on the map.
    pub fn mark(&mut self, counter: Counter, what: Mark, on: bool) -> Result<(), String> {
        self.on_map(counter)?;
        let bits = match what {
            Mark::Unsupplied => mark::UNSUPPLIED,
            Mark::Activated => mark::ACTIVE,
            Mark::Paid => mark::PAID,
            Mark::Carried => mark::NO_LAND,
        };
        if on {
            self.state.add_mark(counter, bits);
        } else {
            self.state.clear_mark(counter, bits);
        }
        Ok(())
    }

    /// Says how many zones a counter has moved this turn.
    ///
    /// # Errors
    /// Says that the counter is not on the map, or that no counter moves that far.
    pub fn moved(&mut self, counter: Counter, zones: u8) -> Result<(), String> {
        self.on_map(counter)?;
        if zones > self.game.rules.limits.armour_move.min(7) {
            return Err(format!("no counter moves {zones} zones"));
        }
        self.state.set_moved(counter, zones);
        Ok(())
    }

    fn on_map(&self, counter: Counter) -> Result<(), String> {
        let there = counter.0 < self.game.counters() && self.state.location(counter) < Location::POOL;
        if there { Ok(()) } else { Err(format!("counter {counter:?} is not on the map")) }
    }

    // ---- map, countries, calendar ----

    /// Gives a zone to a side, or to nobody.
    ///
    /// # Errors
    /// Says that there is no such zone.
    pub fn control(&mut self, zone: Zone, owner: Option<Force>) -> Result<(), String> {
        if zone.at() >= self.game.rules.zones.len() || !zone.is_zone() {
            return Err(format!("there is no land zone with code {zone:?}"));
        }
        for force in Force::ALL {
            self.state.control[force.index()].set(zone, owner == Some(force));
        }
        self.state.stale = true;
        Ok(())
    }

    /// Sets the standing of a country without touching zones or units.
    pub fn status(&mut self, country: Country, status: Status) {
        self.state.set_status(country, status);
        self.game.refresh_all_corps(&mut self.state);
    }

    /// Says on which turn a country surrendered, and on which side it had fought; sets its standing.
    pub fn surrendered(&mut self, country: Country, turn: u8, fought_for: Force) {
        let flag = if fought_for == Force::Axis { State::WAS_AXIS } else { 0 };
        self.state.surrendered[country.index()] = turn | flag;
        self.status(country, Status::Surrendered);
    }

    /// Brings a country to a side, its unclaimed zones with it.
    pub fn activate(&mut self, country: Country, force: Force) {
        self.game.activate(&mut self.state, country, Status::active(force), &mut Quiet);
    }

    /// Sets the turn.
    ///
    /// # Errors
    /// Says that the calendar has no such turn. One after the scenario's last is the last that is played.
    pub fn turn(&mut self, turn: u8) -> Result<(), String> {
        if turn == 0 || turn as usize > self.game.rules.calendar.len() {
            return Err(format!("the calendar has no turn {turn}"));
        }
        self.state.turn = turn;
        Ok(())
    }

    /// Sets phase and side in turn without starting the phase.
    pub fn phase(&mut self, phase: Phase, active: Force) {
        self.state.phase = phase;
        self.state.active = active;
        self.state.forget_friends();
        self.state.pending = Pending::None;
        self.state.tally = [0; 4];
        self.state.stale = true;
    }

    /// Sets the cards of a side for this turn and the next three, as indices into its deck.
    ///
    /// # Errors
    /// Says that a card does not exist or is used twice (10.1).
    pub fn cards(&mut self, force: Force, cards: [Option<u8>; 4]) -> Result<(), String> {
        for (slot, card) in cards.iter().enumerate() {
            let Some(card) = card else { continue };
            if *card as usize >= DECK {
                return Err(format!("{} has no card {card}", force.name()));
            }
            if cards[..slot].contains(&Some(*card)) {
                return Err(format!("{} has chosen card {card} twice", force.name()));
            }
        }
        self.state.cards[force.index()] = cards.map(|card| card.unwrap_or(NONE));
        Ok(())
    }

    /// Says that the Allies have attacked a zone this turn (16.1).
    pub fn attacked_by_allies(&mut self, zone: Zone) {
        self.state.allied_attacked.insert(zone);
    }

    /// Dates of events.
    pub fn timers(&mut self) -> &mut Timers {
        &mut self.state.timers
    }
}

/// A placement of no units.
fn nothing(nation: Nation, place: Location) -> Placement {
    Placement {
        nation,
        place,
        infantry: 0,
        armour: 0,
        air: 0,
        fleet: 0,
        submarine: 0,
        supply_halves: 0,
        fortified: 0,
        turn: 0,
    }
}
