//! Who stands where and who controls what (play book L633; A46 to A48, A66).

use sandtable_core::Index;

use crate::Rolls;
use crate::event::{Event, LossCause};
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Areas, NATIONS, Nation, Team, UnitId, Units};
use crate::state::State;

impl EuropeEngulfed {
    /// The team of a counter, while its nation is in the war.
    #[inline]
    pub fn team_of(&self, state: &State, unit: UnitId) -> Option<Team> {
        state.team(self.nation(unit))
    }
    /// Land units of a team in an area.
    #[inline]
    pub fn land_units_at(&self, state: &State, team: Team, area: Area) -> Units {
        state.of_team_at(team, area).and(&self.tables.land_units)
    }
    /// Air support units of a team in an area.
    #[inline]
    pub fn air_units_at(&self, state: &State, team: Team, area: Area) -> Units {
        state.of_team_at(team, area).and(&self.tables.air_units)
    }
    /// The steps of counters.
    pub fn steps_of(&self, state: &State, units: &Units) -> u16 {
        units.iter().map(|unit| u16::from(state.steps(unit))).sum()
    }

    /// Puts a counter into an area of the map.
    pub(crate) fn put(&self, state: &mut State, unit: UnitId, area: Area) {
        let from = state.location(unit);
        state.places.put(unit, area);
        state.on_map.insert(unit);
        self.count_anew(state, from);
        self.count_anew(state, area);
    }
    /// Takes a counter from the map.
    pub(crate) fn send(&self, state: &mut State, unit: UnitId, to: Area) {
        let from = state.location(unit);
        state.places.put(unit, to);
        state.steps[unit.at()] = 0;
        state.set_marks(unit, 0);
        state.on_map.set(unit, to.is_on_map());
        self.count_anew(state, from);
    }
    /// Whether a team has land units in an area.
    fn count_anew(&self, state: &mut State, area: Area) {
        state.cache.unsupplied = None;
        if area.is_on_map() {
            let here = state.at(area);
            let land = here.and(&self.tables.land_units);
            for (at, units) in self.kept_apart(state).into_iter().enumerate() {
                state.apart[at].set(area, here.intersects(&units));
            }
            let disputed = state.is_disputed(area);
            for team in Team::ALL {
                let manned = land.intersects(&state.of_team[team.index()]);
                state.manned[team.index()].set(area, manned);
            }
            if state.is_disputed(area) != disputed {
                state.cache.invalidate();
            }
        }
    }

    /// Works out everything derived.
    pub(crate) fn derive(&self, state: &mut State) {
        state.cache.invalidate();
        state.on_map = self.unit_ids().filter(|unit| state.location(*unit).is_on_map()).collect();
        (state.of_team, state.partners) = ([Units::EMPTY; 2], [0; 2]);
        for nation in Nation::ALL {
            if let Some(team) = state.team(nation) {
                state.partners[team.index()] |= nation.bit();
                let units = &mut state.of_team[team.index()];
                *units = units.or(&self.tables.of_nation[nation.index()]);
            }
        }
        self.derive_politics(state);
        state.lands = [Areas::EMPTY; NATIONS];
        for area in self.tables.in_play {
            if let Some(nation) = state.controller(area) {
                state.lands[nation.index()].insert(area);
            }
        }
        state.held = state.partners.map(|nations| state.lands_of(nations));
        let land = self.tables.land_units.and(&state.on_map);
        state.manned = state.of_team.map(|units| state.places.occupied(&units.and(&land)));
        state.apart = self.kept_apart(state).map(|units| state.places.occupied(&units.and(&state.on_map)));
    }

    /// An area passes to a nation: fortifications of the enemy are lost, never taken over (A62, A63); those of a partner stand.
    pub(crate) fn take(&self, state: &mut State, area: Area, by: Nation, context: &mut impl Rolls) {
        let Some(team) = state.team(by) else { return };
        let ours = state.held(team).contains(area);
        if state.held(team.other()).contains(area) {
            self.fort_falls(state, area, team.other());
        }
        state.set_controller(area, by);
        state.held[team.index()].insert(area);
        state.held[team.other().index()].remove(area);
        if !ours {
            state.field_forts.remove(area);
            self.raze(state, area);
        }
        self.note_objectives(state);
        self.note_fall(state, area, team);
        context.emit(|| Event::Taken { area, by });
    }

    /// A heavy fortification is gone.
    fn raze(&self, state: &mut State, area: Area) {
        state.heavy_forts.remove(area);
        state.reduced_forts.iter_mut().for_each(|forts| forts.remove(area));
    }

    /// By option a heavy fortification falls in three rounds, whoever has begun them, after which Axis land units remain in its area
    /// (14.50, A145).
    pub(crate) fn reduce_fort(&self, state: &mut State, area: Area) {
        if !self.rules.options.fort_reduction || !state.heavy_forts.contains(area) {
            return;
        }
        let [once, twice] = &mut state.reduced_forts;
        if twice.contains(area) {
            self.raze(state, area);
        } else if once.contains(area) {
            twice.insert(area);
        } else {
            once.insert(area);
        }
    }

    /// What follows when land units of a team are in an area alone: enemy air support units there are lost (play book, L71;
    /// A48), the area is theirs (A46, A47).
    pub(crate) fn settle_area(&self, state: &mut State, area: Area, context: &mut impl Rolls) {
        for team in Team::ALL {
            let enemy = team.other();
            if !state.manned(team).contains(area) || state.manned(enemy).contains(area) {
                continue;
            }
            state.newly_disputed.remove(area);
            for unit in self.air_units_at(state, enemy, area) {
                context.emit(|| Event::Loss { unit, area, cause: LossCause::Overrun });
                let to = self.grave(state, unit, LossCause::Overrun);
                self.send(state, unit, to);
            }
            if !state.held(team).contains(area) {
                let by = self.conqueror(state, team, area);
                self.take(state, area, by, context);
            }
        }
    }

    /// Whether an area is in the hands of who owns its country: nobody has conquered it (A65, A70).
    pub(crate) fn is_its_owners(&self, state: &State, area: Area) -> bool {
        state.controller(area) == Some(self.country_of(area).owner)
    }

    /// The nation an area falls to: whoever has most steps in it (A66), or its patron.
    pub(crate) fn conqueror(&self, state: &State, team: Team, area: Area) -> Nation {
        let mut steps = [0u16; NATIONS];
        for unit in self.land_units_at(state, team, area) {
            let nation = self.nation(unit);
            let by =
                if self.is_exile(state, nation) { self.host(state) } else { self.sponsor(state, nation) };
            steps[by.index()] += u16::from(state.steps(unit));
        }
        // The first of equals.
        Nation::ALL.into_iter().rev().max_by_key(|nation| steps[nation.index()]).unwrap_or(Nation::Germany)
    }
}
