//! Invariants of a state, and its derived fields computed anew.

use crate::game::VictoryInEurope;
use crate::nation::Team;
use crate::phase::Phase;
use crate::place::Place;
use crate::rules::{Arm, Kind};
use crate::state::{Roster, State};
use sandtable_core::Index;

impl VictoryInEurope {
    /// The state with every derived field computed from the primary ones.
    pub fn recomputed(&self, state: &State) -> State {
        let mut fresh = state.clone();
        fresh.roster = Roster { islands: self.tables.areas.isolated, ..Roster::EMPTY };
        fresh.places.list_anew();
        for unit in self.unit_ids() {
            if state.is_on_map(unit) {
                fresh.roster.place(unit, state.location(unit));
            }
            fresh.set_marks(unit, state.mark[unit.at()]);
        }
        for area in self.tables.areas.all {
            fresh.set_factory(area, state.factory(area));
        }
        self.renew_held(&mut fresh);
        fresh
    }

    /// Checks the invariants of a state.
    ///
    /// # Errors
    /// Names the first that does not hold.
    pub fn check_invariants(&self, state: &State) -> Result<(), String> {
        self.check_units(state)?;
        self.check_factories(state)?;
        if self.recomputed(state) != *state {
            return Err("a derived field differs from its sources".into());
        }
        // Between the phases that move units, every place keeps its limits (4.5) and nobody stands with an enemy.
        if matches!(state.phase, Phase::Cards | Phase::Diplomacy | Phase::Production) {
            let (areas, seas) = (self.rules.areas.len(), self.rules.seas.len() as u8);
            for place in (0..areas).map(Place::nth).chain((0..seas).map(Place::sea)) {
                self.check_place(state, place)?;
            }
        }
        Ok(())
    }

    fn check_units(&self, state: &State) -> Result<(), String> {
        for unit in self.unit_ids() {
            let name = &self.rules.units[unit.at()].id;
            let place = state.location(unit);
            if !place.is_on_map() && place != Place::POOL && place != Place::GONE {
                return Err(format!("{name} is nowhere: {}", place.0));
            }
            if place.is_on_map() {
                let steps = state.steps(unit);
                if steps > self.max_steps(unit) || steps == 0 && self.kind(unit) != Kind::Leader {
                    return Err(format!("{name} has {steps} steps"));
                }
                if place.is_area() == (self.arm(unit) == Arm::Naval)
                    && state.coast(unit) == 0
                    && place.is_area()
                {
                    return Err(format!("{name} lies in {} on no coast", self.place_name(place)));
                }
                if !place.is_area() && self.arm(unit) == Arm::Army {
                    return Err(format!("{name} is at sea"));
                }
            } else if state.steps(unit) != 0 {
                return Err(format!("{name} is off the map with {} steps", state.steps(unit)));
            }
        }
        Ok(())
    }

    fn check_factories(&self, state: &State) -> Result<(), String> {
        for area in self.tables.areas.all {
            let (steps, most) = (state.factory(area), self.rules.areas[area.at()].city);
            if steps > most {
                return Err(format!("{} has a factory of {steps} steps, of {most}", self.place_name(area)));
            }
        }
        Ok(())
    }

    /// Stacking of each team, and no enemies together (4.1, 4.5, 6.11, 7.11).
    fn check_place(&self, state: &State, place: Place) -> Result<(), String> {
        for team in Team::ALL {
            if let Some(what) = self.overstacked(state, place, team) {
                return Err(format!("too many {what} of the {team:?} at {}", self.place_name(place)));
            }
        }
        let forces = state.stack(place).filter_map(|unit| self.force(state, unit));
        let mask = forces.fold(0, |mask, force| mask | force.bit());
        if place.is_area() && mask & (mask - u8::from(mask != 0)) != 0 {
            return Err(format!("forces {mask:03b} stand together at {}", self.place_name(place)));
        }
        Ok(())
    }

    /// What a team has too much of at a place, if anything: by terrain for military units, then leaders, aircraft, ships.
    pub fn overstacked(&self, state: &State, place: Place, team: Team) -> Option<&'static str> {
        let (mut armies, mut leaders, mut air, mut convoys) = (0, 0, 0, 0);
        let mut ships = [0; 3];
        for unit in self.units_at(state, place, team) {
            match (self.arm(unit), self.kind(unit)) {
                (_, Kind::Leader) => leaders += 1,
                (_, Kind::Paratroop) => {}
                (_, Kind::Convoy) => convoys += 1,
                (Arm::Army, _) => armies += 1,
                (Arm::Air, _) => air += 1,
                (Arm::Naval, _) => ships[state.coast(unit) as usize] += 1,
            }
        }
        if !place.is_area() {
            return match () {
                () if convoys > 1 => Some("convoys"),
                () if ships[0] > self.tables.limit[place.at()] => Some("ships"),
                () if air > 1 => Some("aircraft"),
                () => None,
            };
        }
        let area = &self.rules.areas[place.at()];
        let boundless = area.stack == 99;
        let ships_over = (1..=2).any(|coast| {
            let (on_coast, in_area) = self.moorings(place, coast);
            ships[coast as usize] > on_coast || ships.iter().sum::<u8>() > in_area
        });
        match () {
            () if boundless => None,
            () if armies > area.stack => Some("military units"),
            () if leaders > 1 => Some("leaders"),
            () if air > 1 => Some("aircraft"),
            () if ships_over => Some("ships"),
            () => None,
        }
    }
}
