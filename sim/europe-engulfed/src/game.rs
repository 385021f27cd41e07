//! The rules as a value: data, the tables derived from it, and questions that need no state.

use sandtable_core::{AreaBoard, Index, SideInfo};

use crate::ids::{Area, Areas, KindId, Nation, Sea, Team, UnitId};
use crate::rules::{Branch, Country, Kind, PlayerId, Rules, Weather, WeatherEffect, Zone};
use crate::state::State;
use crate::tables::{NO_PLAYER, Tables};

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
        let tables = Box::new(Tables::derive(&rules)?);
        let most = rules.politics.levels.points.into_iter().max().unwrap_or(0);
        let least = if rules.options.tournament_points { -i16::from(most) } else { 0 };
        let points = (least, crate::victory::MOST_POINTS);
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

    /// The nation whose Special Actions, strategic moves and WERP a nation uses as things stand: one that fights on the other side
    /// than its patron has none but itself (14.31); France in exile uses American Special Actions, no British ones (14.354); who has
    /// joined a side of its own will uses German or British ones (14.33, 13.43).
    #[inline]
    pub fn sponsor(&self, state: &State, nation: Nation) -> Nation {
        if state.affairs.adopted & nation.bit() != 0 {
            return if state.team(nation) == Some(Team::First) {
                Nation::Germany
            } else {
                Nation::GreatBritain
            };
        }
        if self.is_exile(state, nation) && self.is_at_war(state, Nation::UnitedStates) {
            return Nation::UnitedStates;
        }
        let patron = self.patron(nation);
        if patron == nation || state.team(patron) == state.team(nation) { patron } else { nation }
    }

    // ---- map ----

    /// Areas in play.
    #[inline]
    pub fn areas(&self) -> Areas {
        self.tables.in_play
    }
    /// The country an area belongs to.
    #[inline]
    pub fn country_of(&self, area: Area) -> &Country {
        &self.rules.countries[usize::from(self.rules.areas[area.at()].country)]
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
    /// Name of a sea zone, for people.
    pub fn sea_name(&self, sea: Sea) -> &str {
        &self.rules.seas[sea.at()].name
    }
    /// Climate zone of an area.
    #[inline]
    pub fn zone(&self, area: Area) -> Zone {
        self.rules.areas[area.at()].zone
    }
    /// What the weather of the turn does in an area.
    #[inline]
    pub fn weather_at(&self, state: &State, area: Area) -> &WeatherEffect {
        let mut weather = state.weather[self.zone(area) as usize];
        if self.rules.options.desert_weather && self.rules.areas[area.at()].desert {
            weather = Weather::Clear;
        }
        &self.rules.weather.effects[weather as usize]
    }
    /// The player who leads a nation, as a side: a minor that has been attacked is led by the enemy of the attacker, of two Allied
    /// players by the Soviet one (A36).
    #[inline]
    pub(crate) fn player(&self, state: &State, nation: Nation) -> u8 {
        match self.tables.player[nation.index()] {
            NO_PLAYER => {
                let team = state.team(nation).unwrap_or(state.mover);
                self.player_of_minors(team).unwrap_or_else(|| self.leader(team))
            }
            player => player,
        }
    }
    /// The Soviet player, where two lead the Allies.
    fn player_of_minors(&self, team: Team) -> Option<u8> {
        let mut players = self.rules.setup.players.iter();
        let at = players.position(|player| player.team == team && player.id == PlayerId::Soviet);
        at.map(|at| at as u8)
    }
    /// The first player of a team.
    pub(crate) fn leader(&self, team: Team) -> u8 {
        self.rules.setup.players.iter().position(|player| player.team == team).unwrap_or(0) as u8
    }
}
