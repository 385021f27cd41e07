//! Fuel of the German in the scenarios that say so (6.4, 16.2).

use sandtable_core::{ActionSink, Flow, Index};

use crate::Rolls;
use crate::action::Action;
use crate::event::Event;
use crate::game::RoadsToMoscow;
use crate::ids::{FormationId, Formations, Hexes, Player, UnitId, Units, place};
use crate::rules::Weather;
use crate::state::{Mark, State, is_hex};

impl RoadsToMoscow {
    /// A2a: fuel units received, by the Fuel Supply Table; they must enter this turn or are lost (6.41).
    pub(crate) fn receive_fuel(&self, state: &mut State, context: &mut impl Rolls) {
        let table = &self.rules.fuel;
        if !table.in_force {
            return;
        }
        let roll = context.die(10) as u8;
        let units = self.fuel_received(state.turn, state.weather, roll);
        let out = state.places.at(place::OUT).and(&self.sets().fuel);
        for unit in out.iter().take(usize::from(units)) {
            state.places.put(unit, place::AWAITING);
        }
        context.emit(|| Event::FuelReceived { units, roll });
    }

    /// Fuel units that a d10 means on a turn (6.41).
    pub fn fuel_received(&self, turn: u8, weather: Weather, roll: u8) -> u8 {
        let table = &self.rules.fuel;
        let modifier = if weather == Weather::Rain { table.rain_drm } else { 0 };
        let number = roll as i8 + modifier;
        let units = table.results.iter().find(|&&(most, _)| number <= most).or(table.results.last());
        let extra = if table.extra_from > 0 && turn >= table.extra_from { table.extra } else { 0 };
        units.map_or(0, |&(_, units)| units) + extra
    }

    /// Fuel that has not entered by the end of the turn is lost (6.41).
    pub(crate) fn lose_unused_fuel(&self, state: &mut State) {
        for unit in state.places.at(place::AWAITING).and(&self.sets().fuel) {
            state.places.put(unit, place::OUT);
        }
    }

    /// Whether the active player's units need fuel.
    fn needs_fuel(&self, state: &State) -> bool {
        self.rules.fuel.in_force && state.active == Player::German
    }

    // ---- O4: fuel for the formations (6.43a, R66) ----

    pub(crate) fn begin_fuel(&self, state: &mut State) {
        state.fuel_decided = Formations::EMPTY;
        state.phase = crate::phase::Phase::Fuel;
    }

    /// The formation whose fuel is decided: each is decided separately.
    fn fuel_formation(&self, state: &State) -> Option<FormationId> {
        state.formations.difference(&state.fuel_decided).first()
    }

    pub(crate) fn fuel_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        let Some(formation) = self.fuel_formation(state) else { return Flow::Continue(()) };
        let motorised = self.units_in(formation).difference(&self.sets().foot);
        if !self.needs_fuel(state) || motorised.is_empty() {
            return Flow::Continue(());
        }
        let there = state.on_map.or(&state.places.at(place::AWAITING));
        let unspent = self
            .sets()
            .fuel
            .and(&there)
            .difference(state.marked(Mark::BeingSpent))
            .difference(state.marked(Mark::SpentForOther));
        out.rest(Some(Action::Pass), [unspent], |_, unit| Some(Action::Unit(unit)))
    }

    pub(crate) fn fuel_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let Action::Unit(unit) = action else { return self.end_fuel(state) };
        let mark = Self::spent_mark(state, self.fuel_formation(state));
        state.mark(unit, mark);
        // 6.42: it may not move.
        state.unmark(unit, Mark::Active);
        context.emit(|| Event::FuelSpent { unit });
    }

    /// Which mark tells the fuel of a formation of this sequence: the first, or the other of two combined.
    fn spent_mark(state: &State, formation: Option<FormationId>) -> Mark {
        if formation == state.formations.first() { Mark::BeingSpent } else { Mark::SpentForOther }
    }

    pub(crate) fn end_fuel(&self, state: &mut State) {
        if let Some(formation) = self.fuel_formation(state) {
            state.fuel_decided.insert(formation);
            if self.needs_fuel(state) {
                let spent = !state.marked(Self::spent_mark(state, Some(formation))).is_empty();
                let motorised = !self.units_in(formation).difference(&self.sets().foot).is_empty();
                // R5: the marker lies with the marker of its activation until it goes back; a later one with fuel
                // replaces it.
                state.unfuelled.set(formation, motorised && !spent);
            }
        }
        if self.fuel_formation(state).is_none() {
            self.begin_army_units(state);
        }
    }

    // ---- as units begin to move ----

    /// A unit begins to move: with fuel, or low on it (6.43a-c, R67). Called as it is picked; an older mark of low fuel
    /// goes when it sets out (R5).
    pub(crate) fn fuel_up(&self, state: &mut State, unit: UnitId) {
        let sets = self.sets();
        if !self.needs_fuel(state)
            || state.reacting
            || sets.foot.contains(unit)
            || sets.fuel.contains(unit)
            || state.has(unit, Mark::Fuelled)
        {
            return;
        }
        if self.traces_to_fuel(state, unit) {
            state.mark(unit, Mark::Fuelled);
        } else if !state.has(unit, Mark::Unsupplied) && !state.has(unit, Mark::LowFuel) {
            state.mark(unit, Mark::LowFuel);
            state.newly_low.insert(unit);
        }
    }

    /// Whether a unit traces a route to a fuel unit that is being spent for it (R67). Army units share the fuel of the
    /// formation that activates them (6.43e).
    fn traces_to_fuel(&self, state: &State, unit: UnitId) -> bool {
        let fuel = match self.formation(unit) {
            Some(formation) => *state.marked(Self::spent_mark(state, Some(formation))),
            None => state.marked(Mark::BeingSpent).or(state.marked(Mark::SpentForOther)),
        };
        if fuel.is_empty() {
            return false;
        }
        let sources =
            fuel.iter().fold(Hexes::EMPTY, |sources, unit| sources.or(&self.standing_or_entry(state, unit)));
        let area = self.hexes_supplied_from(state, Player::German, false, &sources);
        self.standing_or_entry(state, unit).intersects(&area.or(&sources))
    }

    /// The hex a unit stands in; of one off the map its entry hexes that the enemy does not hold (6.45).
    fn standing_or_entry(&self, state: &State, unit: UnitId) -> Hexes {
        if is_hex(state.at(unit)) {
            return Hexes::one(state.at(unit));
        }
        let enemy = &state.occupied[self.player(unit).enemy().index()];
        self.entry_hexes(unit).filter(|&hex| !enemy.contains(hex)).collect()
    }

    /// A unit's entry hexes.
    pub(crate) fn entry_hexes(&self, unit: UnitId) -> impl Iterator<Item = sandtable_core::Hex> {
        let bits = self.sets().entries[unit.at()];
        self.map()
            .entries
            .iter()
            .enumerate()
            .filter_map(move |(at, &hex)| (bits >> at & 1 != 0).then_some(hex))
    }

    /// The stack stays where it is: nothing has begun (6.43c).
    pub(crate) fn unfuel(&self, state: &mut State, units: &Units) {
        for unit in units {
            state.unmark(unit, Mark::Fuelled);
            if state.newly_low.contains(unit) {
                state.unmark(unit, Mark::LowFuel);
            }
        }
    }

    /// The Movement Phase is complete: fuel spent is gone, free to be received again (6.42).
    pub(crate) fn use_up_fuel(&self, state: &mut State, context: &mut impl Rolls) {
        let spent = state.marked(Mark::BeingSpent).or(state.marked(Mark::SpentForOther));
        for unit in spent {
            self.take_off(state, unit, place::OUT, context);
        }
    }
}
