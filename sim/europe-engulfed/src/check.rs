//! Invariants of a state, and its derived fields computed anew.

use sandtable_core::Index;

use crate::game::EuropeEngulfed;
use crate::ids::{Area, Nation, Team};
use crate::rules::{Standing, Terrain};
use crate::state::State;

impl EuropeEngulfed {
    /// The state with every derived field computed from the primary ones.
    pub fn recomputed(&self, state: &State) -> State {
        let mut fresh = state.clone();
        self.derive(&mut fresh);
        fresh
    }

    /// Checks the invariants of a state.
    ///
    /// # Errors
    /// Names the first that does not hold.
    pub fn check_invariants(&self, state: &State) -> Result<(), String> {
        for unit in self.unit_ids() {
            let (at, steps) = (state.location(unit), state.steps(unit));
            let name = || format!("counter {} ({})", unit.0, self.unit_name(unit));
            if at.is_on_map() {
                if steps == 0 || steps > self.max_steps(unit) {
                    return Err(format!("{} has {steps} steps", name()));
                }
                if !self.tables.in_play.contains(at) {
                    return Err(format!("{} is in {}, out of play", name(), self.area_name(at)));
                }
                let neutral = self.standing(state, self.nation(unit)) == Standing::Neutral;
                if self.team_of(state, unit).is_none() && !neutral {
                    return Err(format!("{} is on the map for nobody", name()));
                }
                if !self.is_home_zone(self.nation(unit), at) {
                    return Err(format!("{} is in {}, closed to it", name(), self.area_name(at)));
                }
            } else if steps != 0 || ![Area::POOL, Area::GONE, Area::WAITING].contains(&at) {
                return Err(format!("{} is off the map at {} with {steps} steps", name(), at.0));
            }
        }
        if self.recomputed(state) != *state {
            return Err("a derived field differs from its sources".into());
        }
        self.check_cache(state)?;
        if !state.newly_disputed.difference(&state.disputed()).is_empty() {
            return Err("an area is newly disputed and not disputed".into());
        }
        let [once, twice] = &state.reduced_forts;
        if !once.difference(&state.heavy_forts).or(&twice.difference(once)).is_empty() {
            return Err("a heavy fortification is reduced that does not stand".into());
        }
        for area in self.tables.in_play {
            self.check_area(state, area)?;
        }
        Ok(())
    }

    /// The cache holds what would be worked out now.
    fn check_cache(&self, state: &State) -> Result<(), String> {
        let fresh = self.recomputed(state);
        for nation in Nation::members(state.cache.known) {
            if self.supplied_areas(&fresh, nation) != self.supplied_areas(state, nation) {
                return Err(format!("the areas in supply of {} are out of date", nation.name()));
            }
        }
        if state.cache.unsupplied.is_some_and(|units| units != self.unsupplied_now(&fresh)) {
            return Err("the units out of supply are out of date".into());
        }
        Ok(())
    }

    fn check_area(&self, state: &State, area: Area) -> Result<(), String> {
        let name = self.area_name(area);
        if state.controller(area).is_none() {
            return Err(format!("{name} is controlled by nobody"));
        }
        for team in Team::ALL {
            let land = self.land_units_at(state, team, area).len();
            let air = self.air_units_at(state, team, area).len();
            let alone = land == 0 && state.manned(team.other()).contains(area);
            // Withdrawing units leave one by one; air units follow.
            if alone && air > 0 && !self.is_in_battle(state) {
                return Err(format!("air units of the {team:?} are alone in {name} with the enemy"));
            }
            if alone && state.held(team).contains(area) && !self.is_in_battle(state) {
                return Err(format!("{name} is not controlled by who is alone in it"));
            }
            let limits = &self.rules.stacking;
            let fortress = self.rules.areas[area.at()].terrain == Terrain::Fortress;
            let over = |units: u32, most: u8| most > 0 && units > u32::from(most);
            if fortress && (over(land, limits.fortress_land) || over(air, limits.fortress_air)) {
                return Err(format!("too many units of the {team:?} in {name}"));
            }
        }
        Ok(())
    }
}
