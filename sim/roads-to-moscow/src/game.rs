//! The rules as a value: data, the tables derived from it, and questions that need no state.

use sandtable_core::{Direction, Hex, HexBoard, Index, SideInfo};

use crate::ids::{COLUMNS, FormationId, MAX_FORMATIONS, Marker, Player, UnitId, Units};
use crate::rules::{CalendarTurn, Kind, Rules, Unit};
use crate::state::State;
use crate::tables::{Brief, MapTables, MarkerTables, SideInfo as HexsideInfo, Tables, UnitTables};

/// Roads to Moscow: data and derived tables. Immutable; shared by all games in progress.
#[derive(Clone, Debug)]
pub struct RoadsToMoscow {
    /// The data it was built from.
    pub rules: Rules,
    pub(crate) tables: Box<Tables>,
    pub(crate) sides: [SideInfo; 2],
}

impl RoadsToMoscow {
    /// Derives the tables of play from data.
    ///
    /// # Errors
    /// Says which part of the data is out of the engine's bounds or refers to something that is not there.
    pub fn new(rules: Rules) -> Result<RoadsToMoscow, String> {
        let tables = Box::new(Tables::derive(&rules)?);
        let points = crate::victory::bounds_of_points(&rules);
        let sides = Player::ALL.map(|player| SideInfo {
            id: player.id(),
            name: player.name(),
            team: player as u8,
            points,
        });
        let game = RoadsToMoscow { rules, tables, sides };
        game.check_set_up()?;
        Ok(game)
    }

    // ---- units ----

    /// A unit's data.
    #[inline]
    pub fn unit(&self, unit: UnitId) -> &Unit {
        &self.rules.units[unit.at()]
    }
    /// What play asks of it most.
    #[inline]
    pub fn brief(&self, unit: UnitId) -> &Brief {
        &self.tables.units.briefs[unit.at()]
    }
    /// Whose it is.
    #[inline]
    pub fn player(&self, unit: UnitId) -> Player {
        self.brief(unit).player
    }
    /// Its type.
    #[inline]
    pub fn kind(&self, unit: UnitId) -> Kind {
        self.rules.units[unit.at()].kind
    }
    /// Its formation; `None` for Army units, leaders and fuel.
    #[inline]
    pub fn formation(&self, unit: UnitId) -> Option<FormationId> {
        let formation = self.brief(unit).formation;
        (usize::from(formation) < MAX_FORMATIONS).then_some(FormationId(formation))
    }
    /// Units of a player.
    #[inline]
    pub fn units_of(&self, player: Player) -> &Units {
        &self.tables.units.of[player.index()]
    }
    /// Units of a formation.
    #[inline]
    pub fn units_in(&self, formation: FormationId) -> &Units {
        &self.tables.units.of_formation[formation.at()]
    }
    /// Sets of units by what they are.
    #[inline]
    pub fn sets(&self) -> &UnitTables {
        &self.tables.units
    }
    /// All units.
    pub fn unit_ids(&self) -> impl DoubleEndedIterator<Item = UnitId> + use<> {
        (0..self.rules.units.len() as u8).map(UnitId)
    }
    /// The formation of a marker.
    #[inline]
    pub fn formation_of(&self, marker: Marker) -> FormationId {
        self.rules.markers[marker.at()].formation
    }
    /// Sets of markers and formations.
    #[inline]
    pub fn marker_sets(&self) -> &MarkerTables {
        &self.tables.markers
    }

    // ---- map ----

    /// Geometry and prices.
    #[inline]
    pub fn map(&self) -> &MapTables {
        &self.tables.map
    }
    /// The hexes in play.
    #[inline]
    pub fn board(&self) -> &HexBoard<COLUMNS> {
        &self.tables.map.board
    }
    /// The neighbour in a direction; [`crate::ids::place::OUT`] if there is none.
    #[inline]
    pub fn neighbour(&self, hex: Hex, way: Direction) -> Hex {
        self.tables.map.neighbours[hex.at()][way as usize]
    }
    /// What a side carries, seen from a hex.
    #[inline]
    pub fn side(&self, hex: Hex, way: Direction) -> &HexsideInfo {
        &self.tables.map.sides[hex.at()][way as usize]
    }
    /// Distance in hexes.
    #[inline]
    pub fn distance(&self, a: Hex, b: Hex) -> u32 {
        self.tables.map.board.distance(a, b)
    }
    /// Whether a side is a Fortified Line side that is not destroyed, whichever hex it protects (14.1).
    #[inline]
    pub fn is_active_line(&self, state: &State, hex: Hex, way: Direction) -> bool {
        let line = self.side(hex, way).line;
        line != crate::tables::NO_LINE && state.lines_destroyed >> line & 1 == 0
    }
    /// Calendar entry of the turn.
    #[inline]
    pub fn calendar(&self, state: &State) -> &CalendarTurn {
        &self.rules.calendar[state.turn as usize - 1]
    }
}
