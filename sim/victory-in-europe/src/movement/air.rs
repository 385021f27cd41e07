//! Where aircraft fly (6.1, 6.21, 7.24).

use super::naval::bits;
use crate::action::Action;
use crate::game::VictoryInEurope;
use crate::rules::{Areas, Seas};
use crate::state::{State, sea, sea_of};

/// More movement points than anybody has, plus the dearest step.
pub(super) const LEVELS: usize = 40;

impl VictoryInEurope {
    /// Areas and sea zones an aircraft can fly to with these movement points, over everything but neutral areas (6.1), two
    /// points for an ocean zone (7.24); its own place is among them. Whether it may end there is another question: landings
    /// and retreats go to those of the areas that are friendly ([`crate::board::Relation`]) and have room
    /// ([`VictoryInEurope::has_room`]).
    pub(crate) fn air_reach(&self, state: &State, unit: u8, points: u8) -> (Areas, Seas) {
        self.air_reach_through(state, unit, points, &self.skies(state, unit))
    }

    /// The same, over these areas and the sea alone.
    pub(super) fn air_reach_through(
        &self,
        state: &State,
        unit: u8,
        points: u8,
        skies: &Areas,
    ) -> (Areas, Seas) {
        let tables = &self.tables;
        let points = usize::from(points).min(LEVELS - 3);
        let from = state.location(unit);
        let mut areas_at = [Areas::EMPTY; LEVELS];
        let mut seas_at: [Seas; LEVELS] = [0; LEVELS];
        match sea_of(from) {
            Some(zone) => seas_at[0] = 1 << zone,
            None => areas_at[0].insert(from),
        }
        let (mut areas, mut seas) = (Areas::EMPTY, 0);
        for spent in 0..=points {
            let new = areas_at[spent].minus(&areas);
            areas = areas.or(&new);
            let mut next_areas = new.fringe(&tables.air_adjacent);
            let mut near_seas = new.iter().fold(0, |near, area| near | self.coast_seas(area, 0));
            let mut new_seas = seas_at[spent] & !seas;
            seas |= new_seas;
            while new_seas != 0 {
                let zone = new_seas.trailing_zeros() as usize;
                new_seas &= new_seas - 1;
                next_areas = next_areas.or(&tables.sea_coast[zone]);
                near_seas |= tables.sea_links[zone].iter().fold(0, |near, &(to, _)| near | 1 << to);
            }
            areas_at[spent + 1] = areas_at[spent + 1].or(&next_areas.and(skies));
            near_seas &= tables.open_seas & !seas;
            while near_seas != 0 {
                let zone = near_seas.trailing_zeros() as usize;
                near_seas &= near_seas - 1;
                seas_at[spent + usize::from(self.rules.seas[zone].entry)] |= 1 << zone;
            }
        }
        (areas, seas)
    }

    /// Areas a unit's aircraft may be over: none that is neutral (6.1), no enemy box at the edge of the map, and the Urals
    /// by Strategic Movement alone (13).
    pub(super) fn skies(&self, state: &State, unit: u8) -> Areas {
        let ground = self.ground(state, self.nation(state, unit));
        let mut skies = ground.friendly.or(&ground.enemy.minus(&self.safe_areas())).or(&ground.disputed);
        skies.remove(self.rules.places.urals);
        skies
    }

    /// Boxes that cannot be attacked (13: Canada, USA).
    pub(super) fn safe_areas(&self) -> Areas {
        self.tables.all_areas.iter().filter(|&area| self.rules.areas[area as usize].safe).collect()
    }
}

impl VictoryInEurope {
    /// Where an aircraft may go in the Movement Phase: to a battle or over the sea within its range, to a friendly area within
    /// twice that (6.1).
    pub(super) fn flights(&self, state: &State, unit: u8, out: &mut Vec<Action>) {
        let points = self.unit_type(unit).moves + self.event_moves(state, unit);
        let from = state.location(unit);
        let nation = self.nation(state, unit);
        let ground = self.ground(state, nation);
        let (near, seas) = self.air_reach(state, unit, points);
        let (far, _) = self.air_reach(state, unit, 2 * points);
        for area in far.and(&ground.friendly) {
            if area != from && self.may_end(state, unit, area, 0) {
                out.push(Action::Go(area, 0));
            }
        }
        for area in near.minus(&ground.friendly) {
            if area != from && self.may_attack(state, unit, area, 0) && self.may_end(state, unit, area, 0) {
                out.push(Action::Go(area, 0));
            }
        }
        for zone in bits(seas) {
            let place = sea(zone);
            let open = if self.is_battle(state, unit, place) {
                self.may_attack(state, unit, place, 0)
            } else {
                !self.strangers_at(state, unit, place)
            };
            if open && self.may_end(state, unit, place, 0) {
                out.push(Action::Go(place, 0));
            }
        }
    }
}
