//! Where aircraft fly (6.1, 6.21, 7.24).

use super::ground::Ground;
use super::menu::Berths;
use super::naval::bits;
use super::outlook::Outlook;
use crate::game::VictoryInEurope;
use crate::rules::{Areas, Seas};
use crate::state::{State, is_area, sea_of};

/// More movement points than anybody has, plus the dearest step.
pub(super) const LEVELS: usize = 40;

impl VictoryInEurope {
    /// Areas and sea zones an aircraft can fly to with these movement points, over everything but neutral areas (6.1), two
    /// points for an ocean zone (7.24); its own place is among them. Whether it may end there is another question: landings
    /// and retreats go to those of the areas that are friendly ([`crate::board::Relation`]) and have room
    /// ([`VictoryInEurope::has_room`]).
    pub fn air_reach(&self, state: &State, unit: u8, points: u8) -> (Areas, Seas) {
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
        let (near, _) = self.air_reaches(state.location(unit), points, points, skies);
        near
    }

    /// The same from a place with some movement points, and the areas within more of them.
    fn air_reaches(&self, from: u8, near: u8, far: u8, skies: &Areas) -> ((Areas, Seas), Areas) {
        let tables = &self.tables;
        let (near, far) = (usize::from(near).min(LEVELS - 3), usize::from(far).min(LEVELS - 3));
        let mut next_areas = Areas::EMPTY;
        let mut seas_at: [Seas; LEVELS] = [0; LEVELS];
        match sea_of(from) {
            Some(zone) => seas_at[0] = 1 << zone,
            None => next_areas.insert(from),
        }
        let (mut areas, mut seas) = (Areas::EMPTY, 0);
        let mut within = (areas, seas);
        for spent in 0..=far {
            let new = next_areas.minus(&areas);
            areas = areas.or(&new);
            let new_seas = seas_at[spent] & !seas;
            seas |= new_seas;
            if spent == near {
                within = (areas, seas);
            }
            next_areas = new.fringe(&tables.air_adjacent);
            let shores = new.and(&tables.coastal);
            let mut near_seas = shores.iter().fold(0, |near, area| near | self.coast_seas(area, 0));
            for zone in bits(new_seas) {
                next_areas = next_areas.or(&tables.sea_coast[zone as usize]);
                near_seas |= tables.sea_near[zone as usize];
                near_seas |= tables.sea_gates[zone as usize].iter().fold(0, |near, &(to, _)| near | 1 << to);
            }
            next_areas = next_areas.and(skies);
            near_seas &= tables.open_seas & !seas;
            for &(entry, zones) in &tables.by_entry {
                seas_at[spent + usize::from(entry)] |= near_seas & zones;
            }
        }
        (within, areas)
    }

    /// Areas a unit's aircraft may be over: none that is neutral (6.1), no enemy box at the edge of the map, and the Urals
    /// by Strategic Movement alone (13).
    pub(super) fn skies(&self, state: &State, unit: u8) -> Areas {
        self.skies_over(&self.ground(state, self.nation(state, unit)))
    }

    fn skies_over(&self, ground: &Ground) -> Areas {
        let mut skies = ground.friendly.or(&ground.enemy.minus(&self.tables.safe)).or(&ground.disputed);
        skies.remove(self.rules.places.urals);
        skies
    }
}

impl VictoryInEurope {
    /// Where an aircraft may go in the Movement Phase: to a battle or over the sea within its range, to a friendly area within
    /// twice that (6.1).
    pub(super) fn flights(&self, state: &State, outlook: &Outlook, goals: &mut Berths) {
        let unit = outlook.unit;
        let points = self.unit_type(unit).moves + self.event_moves(state, unit);
        let from = state.location(unit);
        let ground = &outlook.ground;
        let ((near, seas), far) = self.air_reaches(from, points, 2 * points, &self.skies_over(ground));
        let full = &outlook.full[0];
        let mut open = far.and(&ground.friendly).minus(full);
        for area in near.and(&outlook.affordable).minus(&ground.friendly).minus(full) {
            if self.may_attack(state, outlook, area, 0) {
                open.insert(area);
            }
        }
        if is_area(from) {
            open.remove(from);
        }
        goals[0] = goals[0].or(&open).or(&self.seas_to_enter(state, outlook, seas));
    }
}
