//! The rules as a value: data, the tables derived from it, and questions that need no state.

use sandtable_core::{AreaBoard, Index, SideInfo};

use crate::ids::{Area, Areas, KindId, Nation, Team, UnitId};
use crate::rules::{Branch, Kind, Options, Rules, Victory, WeatherEffect, Zone};
use crate::state::State;
use crate::tables::Tables;

/// Europe Engulfed: data and derived tables. Immutable; shared by all games in progress.
#[derive(Clone, Debug)]
pub struct EuropeEngulfed {
    /// The data it was built from.
    pub rules: Rules,
    pub(crate) tables: Box<Tables>,
    pub(crate) sides: Vec<SideInfo>,
}

impl EuropeEngulfed {
    /// Derives the tables of play from data.
    ///
    /// # Errors
    /// Says which part of the data is out of the engine's bounds or refers to something that is not there.
    pub fn new(rules: Rules) -> Result<EuropeEngulfed, String> {
        if let Some(what) = unbuilt(&rules) {
            return Err(format!("{what} cannot be played yet"));
        }
        let tables = Box::new(Tables::derive(&rules)?);
        let points = (0, crate::victory::MOST_POINTS);
        let sides = rules.setup.players.iter().map(|player| SideInfo {
            id: player.id.id(),
            name: player.id.name(),
            team: player.team as u8,
            points,
        });
        let sides = sides.collect();
        Ok(EuropeEngulfed { rules, tables, sides })
    }

    // ---- counters ----

    /// All counters.
    pub fn unit_ids(&self) -> impl DoubleEndedIterator<Item = UnitId> + use<> {
        (0..self.tables.counters).map(UnitId::nth)
    }
    /// The counters of a kind.
    pub fn counters(&self, kind: KindId) -> impl DoubleEndedIterator<Item = UnitId> + use<> {
        (self.tables.first_of[kind.at()]..self.tables.first_of[kind.at() + 1]).map(UnitId)
    }
    /// The kind of a counter.
    #[inline]
    pub fn kind_of(&self, unit: UnitId) -> KindId {
        self.tables.kind_of[unit.at()]
    }
    /// What counters of its kind are.
    #[inline]
    pub fn kind(&self, unit: UnitId) -> &Kind {
        &self.rules.kinds[self.kind_of(unit).at()]
    }
    /// Whose it is.
    #[inline]
    pub fn nation(&self, unit: UnitId) -> Nation {
        self.tables.nation_of[unit.at()]
    }
    /// Most steps.
    #[inline]
    pub fn max_steps(&self, unit: UnitId) -> u8 {
        self.tables.max[unit.at()]
    }
    /// Branch.
    #[inline]
    pub fn branch(&self, unit: UnitId) -> Branch {
        self.kind(unit).branch
    }
    /// Whether it is an air support unit.
    #[inline]
    pub fn is_air(&self, unit: UnitId) -> bool {
        self.tables.air_units.contains(unit)
    }
    /// The nation whose Special Actions, strategic moves and WERP a nation uses.
    #[inline]
    pub fn patron(&self, nation: Nation) -> Nation {
        self.tables.patron[nation.index()]
    }

    // ---- map ----

    /// Areas in play.
    #[inline]
    pub fn areas(&self) -> Areas {
        self.tables.in_play
    }
    /// The areas as a board.
    #[inline]
    pub fn land(&self) -> &AreaBoard<Area, 3> {
        &self.tables.land
    }
    /// Area by identifier.
    pub fn area(&self, id: &str) -> Option<Area> {
        self.rules.areas.iter().position(|area| area.id == id).map(Area::nth)
    }
    /// Name of an area, for people.
    pub fn area_name(&self, area: Area) -> &str {
        match area {
            Area::POOL => "the pool",
            _ => self.rules.areas.get(area.at()).map_or("nowhere", |area| &area.name),
        }
    }
    /// Climate zone of an area.
    #[inline]
    pub fn zone(&self, area: Area) -> Zone {
        self.rules.areas[area.at()].zone
    }
    /// What the weather of the turn does in an area.
    #[inline]
    pub fn weather_at(&self, state: &State, area: Area) -> &WeatherEffect {
        let weather = state.weather[self.zone(area) as usize];
        &self.rules.weather.effects[weather as usize]
    }
    /// The player who leads a nation, as a side.
    #[inline]
    pub(crate) fn player(&self, nation: Nation) -> u8 {
        self.tables.player[nation.index()]
    }
    /// The first player of a team.
    pub(crate) fn leader(&self, team: Team) -> u8 {
        self.rules.setup.players.iter().position(|player| player.team == team).unwrap_or(0) as u8
    }
}

/// What the data ask for and the rules do not have yet.
fn unbuilt(rules: &Rules) -> Option<&'static str> {
    let setup = &rules.setup;
    match () {
        () if setup.fleets_used || !setup.fleets.is_empty() => Some("a scenario with fleets (8.0)"),
        () if setup.strategic_war_used => Some("strategic warfare (2.0)"),
        () if !matches!(rules.victory, Victory::Areas { .. }) => Some("victory by points or conquest (10.0)"),
        () if rules.options != Options::default() => Some("an optional rule (13, 14, 21)"),
        () => None,
    }
}
