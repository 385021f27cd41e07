//! The rules as a value: data, the tables derived from it, and geography questions that need no state.

use sandtable_core::{AreaBoard, Index, SideInfo};

use crate::nation::{Force, Nation};
use crate::place::{Place, UnitId};
use crate::rules::{Areas, Arm, Border, CalendarTurn, Kind, Rules, Seas, UnitType};
use crate::state::State;
use crate::tables::Tables;

/// Coasts an area may have (7.22).
pub const COASTS: usize = 2;

/// Victory in Europe: data and derived tables. Immutable; shared by all games in progress.
#[derive(Clone, Debug)]
pub struct VictoryInEurope {
    /// The data it was built from.
    pub rules: Rules,
    pub(crate) tables: Box<Tables>,
    pub(crate) sides: Vec<SideInfo>,
}

impl VictoryInEurope {
    /// Derives the tables of play from data.
    ///
    /// # Errors
    /// Says which part of the data is out of the engine's bounds or refers to something that is not there.
    pub fn new(rules: Rules) -> Result<VictoryInEurope, String> {
        let tables = Box::new(Tables::derive(&rules)?);
        let points = (0, crate::victory::MOST_POINTS);
        let sides = if rules.options.three_players {
            vec![
                SideInfo { id: "axis", name: "Axis", team: 0, points },
                SideInfo { id: "allied", name: "Western Allies", team: 1, points },
                SideInfo { id: "soviet", name: "Soviets", team: 1, points },
            ]
        } else {
            vec![
                SideInfo { id: "axis", name: "Axis", team: 0, points },
                SideInfo { id: "allied", name: "Allies", team: 1, points },
            ]
        };
        Ok(VictoryInEurope { rules, tables, sides })
    }

    /// The side that plays a force.
    #[inline]
    pub fn side_of(&self, force: Force) -> sandtable_core::Side {
        let side = force as u8;
        sandtable_core::Side(if self.rules.options.three_players { side } else { side.min(1) })
    }

    // ---- units ----

    /// What kind of unit it is.
    #[inline]
    pub fn kind(&self, unit: UnitId) -> Kind {
        self.tables.units.kind_of[unit.at()]
    }
    /// Land, air or sea.
    #[inline]
    pub fn arm(&self, unit: UnitId) -> Arm {
        self.tables.units.arm_of[unit.at()]
    }
    /// Whose unit it is. Free forces change nation: see [`VictoryInEurope::nation`].
    #[inline]
    pub fn printed_nation(&self, unit: UnitId) -> Nation {
        self.tables.units.nation_of[unit.at()]
    }
    /// Most steps.
    #[inline]
    pub fn max_steps(&self, unit: UnitId) -> u8 {
        self.tables.units.max_steps[unit.at()]
    }
    /// Its type.
    #[inline]
    pub fn unit_type(&self, unit: UnitId) -> &UnitType {
        &self.rules.unit_types[self.rules.units[unit.at()].kind as usize]
    }
    /// All counters.
    #[inline]
    pub fn unit_ids(&self) -> impl DoubleEndedIterator<Item = UnitId> + use<> {
        (0..self.rules.units.len() as u8).map(UnitId)
    }
    /// Unit by identifier.
    pub fn unit(&self, id: &str) -> Option<UnitId> {
        self.rules.units.iter().position(|unit| unit.id == id).map(UnitId::nth)
    }

    // ---- map ----

    /// All areas.
    #[inline]
    pub fn areas(&self) -> Areas {
        self.tables.areas.all
    }
    /// The areas as a board, with the borders that armies may cross (no alpine ones, no Urals).
    #[inline]
    pub fn land(&self) -> &AreaBoard<Place, 3> {
        &self.tables.land.march
    }
    /// Land neighbours that armies may march to.
    #[inline]
    pub fn adjacent(&self, area: Place) -> &Areas {
        self.tables.land.march.neighbours(area)
    }
    /// Neighbours by land for lines of supply: by the Urals too (8.1, 13).
    #[inline]
    pub fn supply_adjacent(&self, area: Place) -> &Areas {
        self.tables.land.supply.neighbours(area)
    }
    /// The border between two areas, if they touch.
    #[inline]
    pub fn border(&self, a: Place, b: Place) -> Option<(u16, &Border)> {
        let list = &self.tables.land.borders[a.at()];
        let &(_, index) = list.iter().find(|&&(to, _)| to == b)?;
        Some((index, &self.rules.borders[index as usize]))
    }
    /// Units that may enter or leave a battle over the border between two areas (4.6), as the rivers are now (3.44).
    pub fn border_limit(&self, state: &State, a: Place, b: Place) -> u8 {
        let calendar = self.calendar(state);
        self.border(a, b).map_or(0, |(_, border)| {
            if calendar.winter || calendar.winter_east { border.limit_frozen } else { border.limit }
        })
    }
    /// Seas on a coast of an area, or on all of them for coast 0.
    #[inline]
    pub fn coast_seas(&self, area: Place, coast: u8) -> Seas {
        let seas = &self.tables.coasts.seas[area.at()];
        if coast == 0 { seas[0] | seas[1] } else { seas[coast as usize - 1] }
    }
    /// Coasts of an area that touch a sea, by number.
    pub fn coasts_on(&self, area: Place, sea: u8) -> impl Iterator<Item = u8> {
        let seas = self.tables.coasts.seas[area.at()];
        (1..=COASTS as u8).filter(move |&coast| seas[coast as usize - 1] & 1 << sea != 0)
    }
    /// Whether a coast has a port.
    #[inline]
    pub fn has_port(&self, area: Place, coast: u8) -> bool {
        coast > 0 && self.tables.coasts.has_port[area.at()][coast as usize - 1]
    }
    /// Whether a coast has a naval base (1.44).
    #[inline]
    pub fn has_base(&self, area: Place, coast: u8) -> bool {
        coast > 0 && self.tables.coasts.has_base[area.at()][coast as usize - 1]
    }
    /// Home territory of a nation (1.16).
    #[inline]
    pub fn home(&self, nation: Nation) -> &Areas {
        &self.tables.areas.home[nation.index()]
    }
    /// Areas a nation owned in 1939.
    #[inline]
    pub fn country(&self, nation: Nation) -> &Areas {
        &self.tables.areas.country[nation.index()]
    }
    /// Calendar entry of the turn.
    #[inline]
    pub fn calendar(&self, state: &State) -> &CalendarTurn {
        &self.rules.calendar[state.turn as usize - 1]
    }
    /// Whether it is winter at a place (3.4): an area or a sea zone.
    pub fn winter_at(&self, state: &State, place: Place) -> bool {
        let calendar = self.calendar(state);
        calendar.winter
            || calendar.winter_east && place.is_area() && self.tables.areas.eastern.contains(place)
    }
    /// Seas frozen now (3.43).
    pub fn ice(&self, state: &State) -> Seas {
        let calendar = self.calendar(state);
        if calendar.winter || calendar.winter_east { self.tables.seas.ice } else { 0 }
    }
    /// Name of a place, for people.
    pub fn place_name(&self, place: Place) -> &str {
        match place.sea_zone() {
            Some(sea) => &self.rules.seas[sea as usize].name,
            None if place.is_area() => &self.rules.areas[place.at()].name,
            None => "the pool",
        }
    }
    /// Place by identifier: an area or a sea zone.
    pub fn place(&self, id: &str) -> Option<Place> {
        let area = self.rules.areas.iter().position(|area| area.id == id).map(Place::nth);
        area.or_else(|| self.rules.seas.iter().position(|sea| sea.id == id).map(|at| Place::sea(at as u8)))
    }
}
