//! Set-up (19): countries, control and units of a scenario, and the armies that a player places before the first turn.

use sandtable_core::Index;

use std::ops::ControlFlow::Continue;

use sandtable_core::{Context, Dice};

use crate::Rolls;
use crate::action::Action;
use crate::counters::Corps;
use crate::event::Event;
use crate::game::BlitzWar;
use crate::location::{Counter, Location};
use crate::nation::{Country, Force, Nation};
use crate::phase::Phase;
use crate::rules::{Kind, Placement, Zones};
use crate::sequence::{Flow, Offer};
use crate::state::{State, Status};

/// A table for set-up, where nothing is rolled and nothing is news.
pub(crate) struct Quiet;

impl Dice for Quiet {
    fn below(&mut self, _n: u32) -> u32 {
        0
    }
}

impl Context<Event> for Quiet {
    fn emit(&mut self, _fact: impl FnOnce() -> Event) {}
}

/// Rank of set-up units that are served first.
const FIRST_CLAIM: u8 = 12;

impl BlitzWar {
    /// The opening position (19): units placed, before Deployment or, without it, turn 1.
    pub(crate) fn starting_state(&self) -> State {
        self.set_up().0
    }

    /// Checks that the units of the scenario fit the counter sheet and the stacking limit.
    ///
    /// # Errors
    /// Names the first unit for which there is no counter, or the zone over the limit.
    pub fn check_setup(&self) -> Result<(), String> {
        let (state, misfit) = self.set_up();
        if let Some(misfit) = misfit {
            return Err(misfit);
        }
        let crowded = self.rules.every_zone().find(|&zone| self.is_overstacked(&state, zone));
        crowded.map_or(Ok(()), |zone| {
            Err(format!("{} is over the stacking limit", self.rules.zones[zone.at()].name))
        })
    }

    /// Map and units before Deployment (19), and the first unit that found no counter.
    fn set_up(&self) -> (State, Option<String>) {
        let mut state = self.bare_map();
        let mut misfit = None;
        // Fortified corps need counters of their own kind, and large stacks large ones: they come first.
        let claim = |units: &Placement| {
            if units.fortified > 0 {
                FIRST_CLAIM
            } else {
                (units.infantry + units.armour).min(FIRST_CLAIM - 1)
            }
        };
        let present = |units: &&Placement| units.turn < self.rules.setup.first_turn;
        for rank in (0..=FIRST_CLAIM).rev() {
            for units in self.rules.setup.units.iter().filter(present).filter(|units| claim(units) == rank) {
                if let Err(error) = self.place_units(&mut state, units) {
                    misfit.get_or_insert(error);
                }
            }
        }
        if let Some(first) = self.rules.setup.free.first() {
            state.set_active(state.force_of(first.nation).unwrap_or(Force::Axis));
        }
        self.refresh_all_corps(&mut state);
        (state, misfit)
    }

    /// The map at the start of the scenario without units: standing of countries, control, locked counters, dates.
    pub(crate) fn bare_map(&self) -> State {
        let setup = &self.rules.setup;
        let mut state = State::blank();
        state.turn = setup.first_turn;
        state.phase = Phase::Deployment;
        state.timers = setup.timers;
        for country in Country::ALL {
            let start = setup.countries[country.index()];
            state.set_status(country, start.status);
            state.surrendered[country.index()] = start.surrendered;
        }
        for zone in self.rules.every_zone() {
            let country = self.country_at(&state, zone);
            let owner = match state.status(country) {
                // Eastern Poland is Soviet once Poland has surrendered, all else the Axis took (9.2).
                Status::Surrendered
                    if country == Country::Pol && self.tables.zones.eastern_poland.contains(zone) =>
                {
                    Some(Force::Soviet)
                }
                Status::Surrendered => Some(Force::Axis),
                status => status.force(),
            };
            if let Some(force) = owner {
                state.control[force.index()].insert(zone);
            }
        }
        for &(zone, owner) in &setup.control {
            for force in Force::ALL {
                state.control[force.index()].set(zone, owner == Some(force));
            }
        }
        for country in Country::ALL {
            if state.status(country) == Status::Surrendered
                && let Some(capital) = self.capital(country)
                && state.controller(capital) != Some(Force::Axis)
            {
                state.surrendered[country.index()] |= State::WAS_AXIS;
            }
        }
        for (index, _) in self.rules.counter_types.iter().enumerate().filter(|(_, sheet)| sheet.locked) {
            for counter in self.tables.sheet.of_type[index as u8] {
                state.put(counter, Location::LOCKED);
            }
        }
        for &(kind, count) in &setup.released {
            for _ in 0..count {
                self.release(&mut state, kind);
            }
        }
        for &zone in &setup.broken_lines {
            state.broken_lines |= self.line_bit(zone).unwrap_or(0);
        }
        state
    }

    /// Makes one locked counter of a type available (11.7, 11.8); says whether there was one.
    pub(crate) fn release(&self, state: &mut State, kind: u8) -> bool {
        let counter = self.locked(state, kind);
        if let Some(counter) = counter {
            state.put(counter, Location::POOL);
        }
        counter.is_some()
    }

    /// Units that come on the date of this turn (19).
    pub(crate) fn arrivals(&self, state: &mut State, context: &mut impl Rolls) {
        let turn = state.turn;
        for units in self.rules.setup.units.iter().filter(|units| units.turn == turn) {
            for (kind, count) in
                [(Kind::Air, units.air), (Kind::Fleet, units.fleet), (Kind::Submarine, units.submarine)]
            {
                for _ in 0..count {
                    self.add_unit(state, units.nation, kind, units.place, context);
                }
            }
            for (kind, count) in [(Kind::Infantry, units.infantry), (Kind::Armour, units.armour)] {
                for _ in 0..count {
                    self.add_corps(state, units.nation, kind, units.place, context);
                }
            }
            if units.supply_halves > 0 {
                let force = Self::supply_side(state, units.nation);
                self.add_supply(state, force, units.place, units.supply_halves, context);
            }
        }
    }

    /// Whose supply stands with a nation's units: Italian stock is Axis stock before Italy's entry too (19).
    fn supply_side(state: &State, nation: Nation) -> Force {
        match nation {
            Nation::Ita | Nation::Axis => Force::Axis,
            Nation::Ussr => Force::Soviet,
            _ => state.force_of(nation).unwrap_or(Force::Allied),
        }
    }

    /// Puts units of the set-up into a place, packed into few counters (19).
    pub(crate) fn place_units(&self, state: &mut State, units: &Placement) -> Result<(), String> {
        let (nation, place) = (units.nation, units.place);
        let none = |state: &State, what: &str| {
            format!("no {} counter is left for {what} at {}", nation.name(), self.place_name(state, place))
        };
        for _ in 0..units.fortified {
            let free = self.tables.sheet.types_of[nation.index()].iter().find_map(|&kind| {
                let sheet = &self.rules.counter_types[kind as usize];
                (sheet.fortifiable && sheet.front == 1).then(|| self.in_pool(state, kind)).flatten()
            });
            let Some(counter) = free else { return Err(none(state, "a fortified corps")) };
            self.form(state, counter, (1, 0), place);
            state.turn_face(counter, true);
        }
        let corps = (units.infantry.saturating_sub(units.fortified), units.armour);
        let total = corps.0 + corps.1;
        if total > 0 && !(1..=total).any(|counters| self.pack(state, nation, corps, place, counters, 0)) {
            return Err(none(state, "a corps"));
        }
        for (kind, count, name) in [
            (Kind::Air, units.air, "air"),
            (Kind::Fleet, units.fleet, "a fleet"),
            (Kind::Submarine, units.submarine, "submarines"),
        ] {
            for _ in 0..count {
                if !self.add_unit(state, nation, kind, place, &mut Quiet) {
                    return Err(none(state, name));
                }
            }
        }
        if units.supply_halves > 0 {
            let force = Self::supply_side(state, nation);
            if self.add_supply(state, force, place, units.supply_halves, &mut Quiet) > 0 {
                return Err(none(state, "supply"));
            }
        }
        Ok(())
    }

    /// A pool counter that shows exactly these corps, wherever it is formed; Elite Armies only when asked for.
    pub(crate) fn face_for(
        &self,
        state: &State,
        nation: Nation,
        corps: Corps,
        elite: bool,
    ) -> Option<Counter> {
        self.tables.sheet.types_of[nation.index()]
            .iter()
            .filter(|&&kind| {
                let sheet = &self.rules.counter_types[kind as usize];
                (sheet.kind == Kind::Elite) == elite && self.shows(state, kind, corps)
            })
            .filter_map(|&kind| {
                let sheet = &self.rules.counter_types[kind as usize];
                let total = corps.0 + corps.1;
                let largest =
                    if state.turn < sheet.third_corps_from { sheet.front.min(2) } else { sheet.front };
                // Counters that show less too, or can be fortified, are kept for that.
                let waste = ((1..total).contains(&sheet.back), sheet.fortifiable, largest - total);
                self.in_pool(state, kind).map(|counter| (waste, counter))
            })
            .min()
            .map(|(_, counter)| counter)
    }

    /// Puts corps into a place on so many counters, from the given face on; says whether it can be done (3, 19).
    fn pack(
        &self,
        state: &mut State,
        nation: Nation,
        corps: Corps,
        place: Location,
        counters: u8,
        from: usize,
    ) -> bool {
        const FACES: [Corps; 8] = [(3, 0), (0, 3), (1, 2), (2, 0), (0, 2), (1, 1), (1, 0), (0, 1)];
        if corps == (0, 0) {
            return true;
        }
        if corps.0 + corps.1 > 3 * counters {
            return false;
        }
        for (index, face) in FACES.into_iter().enumerate().skip(from) {
            if face.0 <= corps.0
                && face.1 <= corps.1
                && let Some(counter) = self.face_for(state, nation, face, false)
            {
                self.form(state, counter, face, place);
                let rest = (corps.0 - face.0, corps.1 - face.1);
                if self.pack(state, nation, rest, place, counters - 1, index) {
                    return true;
                }
                self.retire(state, counter);
            }
        }
        false
    }

    // ---- Deployment ----

    /// Zones of the free placement's area that take another army (4, 19).
    fn deployment_zones(&self, state: &State) -> Zones {
        let mut zones = Zones::EMPTY;
        let Some(free) = self.rules.setup.free.get(state.tally[0] as usize) else { return zones };
        if self.face_for(state, free.nation, (free.corps, 0), false).is_none() {
            return zones;
        }
        for zone in free.area {
            let counters = state.stack(zone).filter(|&counter| self.kind(counter).is_corps()).count();
            let data = &self.rules.zones[zone.at()];
            let corps: u8 = self.corps_in(state, zone, state.active).0;
            let fits = data.corps_limit.is_none_or(|limit| corps + free.corps <= limit);
            if data.unlimited || counters < self.rules.limits.stack as usize && fits {
                zones.insert(zone);
            }
        }
        zones
    }

    /// Where the next army may be placed (19).
    pub(crate) fn deployment_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        for zone in self.deployment_zones(state) {
            out.offer(Action::Deploy(zone))?;
        }
        Continue(())
    }

    /// Places the next army (19).
    pub(crate) fn deployment_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let Action::Deploy(zone) = action else { return };
        let free = &self.rules.setup.free[state.tally[0] as usize];
        if let Some(counter) = self.face_for(state, free.nation, (free.corps, 0), false) {
            self.form(state, counter, (free.corps, 0), zone);
            context.emit(|| Event::Reinforced {
                nation: free.nation,
                kind: Kind::Infantry,
                units: free.corps,
                place: zone,
            });
        }
        state.tally[1] += 1;
        if state.tally[1] >= free.counters {
            state.tally = [state.tally[0] + 1, 0, 0, 0];
            if let Some(next) = self.rules.setup.free.get(state.tally[0] as usize) {
                state.set_active(state.force_of(next.nation).unwrap_or(Force::Axis));
            }
        }
    }
}
