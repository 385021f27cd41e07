//! The map as a unit that is about to move finds it, worked out once for all its goals.

use super::ground::Ground;
use super::menu::{Berths, Places, of_seas};
use crate::board::Bloc;
use crate::game::VictoryInEurope;
use crate::nation::Nation;
use crate::place::{PLACES, Place, UnitId};
use crate::rules::{Arm, Units};
use crate::state::State;
use crate::tables::Peers;
use sandtable_core::Index;
use std::cell::OnceCell;

/// Who is what to a unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bearings {
    pub unit: UnitId,
    pub nation: Nation,
    pub bloc: Bloc,
    pub ground: Ground,
    /// Units it is at war with.
    pub enemies: Units,
    /// Units that are neither friends nor enemies ([`VictoryInEurope::strangers_at`]).
    pub strangers: Units,
}

impl Bearings {
    /// Whether one of its enemies is at a place.
    pub(super) fn enemies_at(&self, state: &State, place: Place) -> bool {
        state.stack(place).any(|other| self.enemies.contains(other))
    }
    /// Whether strangers are in an area, which it may then not share.
    pub(super) fn strangers_in(&self, state: &State, area: Place) -> bool {
        !self.strangers.is_empty() && state.stack(area).any(|other| self.strangers.contains(other))
    }
}

/// What a unit finds.
#[derive(Debug)]
pub(super) struct Outlook {
    pub bearings: Bearings,
    /// For ships and aircraft, the strangers that count at sea.
    pub strangers_at_sea: Units,
    /// For them, the places where they can pay for the battle ([`VictoryInEurope::battle_price`]).
    pub affordable: Places,
    /// [`VictoryInEurope::staying`], if anybody had to ask.
    pub staying: OnceCell<Units>,
    /// For them, the places where they may not end their move ([`VictoryInEurope::may_end`]), by coast.
    pub full: Berths,
}

impl std::ops::Deref for Outlook {
    type Target = Bearings;
    fn deref(&self) -> &Bearings {
        &self.bearings
    }
}

impl Outlook {
    /// Whether strangers are at a place, which it may then not share.
    pub(super) fn strangers_at(&self, state: &State, place: Place) -> bool {
        let strangers = if place.is_area() { &self.strangers } else { &self.strangers_at_sea };
        state.stack(place).any(|other| strangers.contains(other))
    }
}

impl VictoryInEurope {
    #[inline]
    pub(super) fn bearings(&self, state: &State, unit: UnitId) -> Bearings {
        let nation = self.nation(state, unit);
        let bloc = self.bloc_of(state, unit);
        let enemies = self.enemies_of(state, bloc);
        Bearings {
            unit,
            nation,
            bloc,
            ground: self.ground(state, nation),
            enemies,
            strangers: self.strangers(state, bloc, &enemies),
        }
    }

    #[inline]
    pub(super) fn outlook(&self, state: &State, unit: UnitId) -> Outlook {
        let mut outlook = Outlook {
            bearings: self.bearings(state, unit),
            strangers_at_sea: Units::EMPTY,
            affordable: Places::EMPTY,
            staying: OnceCell::new(),
            full: [Places::EMPTY; 3],
        };
        if self.arm(unit) != Arm::Army {
            outlook.strangers_at_sea = self.at_sea(state, outlook.bloc, outlook.strangers);
            outlook.affordable = self.affordable(state, unit);
            outlook.full = self.full_places(state, unit, outlook.bloc, &self.staying(state, unit));
        }
        outlook
    }

    /// Units that count against the same stacking limit as a unit and have moved or cannot.
    pub(super) fn staying(&self, state: &State, unit: UnitId) -> Units {
        let peers = &self.tables.units.peers[self.tables.units.peers_of[unit.at()] as usize];
        let team = state.commanded_by(self.team(state, unit)).and(&state.roster.on_map).and(peers);
        let mut staying = team.difference(&self.movable(state));
        staying.remove(unit);
        staying
    }

    /// Whether an army may not end its move in an area.
    #[inline]
    pub(super) fn is_full(&self, state: &State, outlook: &Outlook, area: Place) -> bool {
        let limit = match self.tables.units.peers_of[outlook.unit.at()] {
            Peers::Paratroops => return false,
            Peers::Armies => self.tables.limit[area.at()],
            _ => 1,
        };
        state.crowd(area) >= limit && self.is_bounded(area) && self.is_packed(state, outlook, area, limit)
    }

    /// The same where enough units are to fill it, if they count and have moved or cannot.
    fn is_packed(&self, state: &State, outlook: &Outlook, area: Place, limit: u8) -> bool {
        let limit = usize::from(limit);
        if outlook.staying.get().is_none() && self.companions(state, outlook.unit, area, None).count() < limit
        {
            return false;
        }
        let staying = outlook.staying.get_or_init(|| self.staying(state, outlook.unit));
        state.stack(area).filter(|&other| staying.contains(other)).count() >= limit
    }

    /// Whether a place has limits of stacking at all.
    pub(super) fn is_bounded(&self, place: Place) -> bool {
        self.tables.limit[place.at()] != 99
    }

    fn affordable(&self, state: &State, unit: UnitId) -> Places {
        let force = self.commander(state, unit);
        if state.command_of(force) >= self.rules.charts.battle_cm {
            return Places::from_words([u64::MAX; 3]);
        }
        let (own, enemy) = (force.team().index(), force.team().other().index());
        let areas = state.attacked[own].or(&state.attacked[enemy].and(&state.invasion.reinforced));
        let zones = state.sea_attacked[own] | state.sea_attacked[enemy] & state.invasion.reinforced_seas;
        areas.or(&of_seas(zones))
    }

    /// Places where a ship or an aircraft may not end its move, by coast: as many units of its team as they take are `staying`
    /// there (4.5).
    pub(super) fn full_places(&self, state: &State, unit: UnitId, own: Bloc, staying: &Units) -> Berths {
        let tables = &self.tables;
        let charts = &self.rules.charts;
        let mut full = [Places::EMPTY; 3];
        match tables.units.peers_of[unit.at()] {
            Peers::Ships => {
                let mut counts = [[0; PLACES]; 3];
                for other in staying {
                    counts[state.coast(other) as usize][state.location(other).at()] += 1;
                }
                for place in staying.iter().map(|other| state.location(other)) {
                    let [at_sea, one, two] = [0, 1, 2].map(|coast: usize| counts[coast][place.at()]);
                    if !place.is_area() {
                        full[0].set(place, at_sea >= tables.limit[place.at()]);
                        continue;
                    }
                    let friendly = self.bloc(state, state.controller(place)) == own;
                    for (coast, there) in [(1, one), (2, two)] {
                        let (on_coast, in_area) = if friendly {
                            self.moorings(place, coast)
                        } else {
                            (charts.coast_stack, charts.coast_stack)
                        };
                        let none_left = there >= on_coast || one + two >= in_area;
                        full[coast as usize].set(place, none_left && self.is_bounded(place));
                    }
                }
            }
            // One a place.
            _ => {
                for other in staying {
                    let place = state.location(other);
                    full[0].set(place, self.is_bounded(place));
                }
            }
        }
        full
    }
}
