//! The rules as a value: data, the tables derived from it, and questions about map and blocks.

use sandtable_core::{Direction, Hex, HexBoard, Index, SideInfo};

use crate::ids::{BlockId, Blocks, Camp, Faction, Front, LINES};
use crate::rules::{Block, Month, Rules, Terrain, TerrainEffect, Weather, WeatherEffect};
use crate::state::State;
use crate::tables::{BlockTables, Brief, CivilWarTables, MapTables, Tables};

/// EuroFront: data and derived tables. Immutable; shared by all games in progress.
#[derive(Clone, Debug)]
pub struct EuroFront {
    /// The data it was built from.
    pub rules: Rules,
    pub(crate) tables: Box<Tables>,
    pub(crate) sides: Vec<SideInfo>,
}

impl EuroFront {
    /// Derives the tables of play from data.
    ///
    /// # Errors
    /// Says which part of the data is out of the engine's bounds, refers to something that is not there, or asks for
    /// rules that are not built yet.
    pub fn new(rules: Rules) -> Result<EuroFront, String> {
        let tables = Box::new(Tables::derive(&rules)?);
        let points = crate::victory::bounds_of_points(&rules);
        let players = rules.scenario.players.iter();
        let sides = players
            .map(|player| SideInfo {
                id: player.id(),
                name: player.name(),
                team: EuroFront::team(&rules, player.faction()),
                points,
            })
            .collect();
        let game = EuroFront { rules, tables, sides };
        game.check_set_up()?;
        Ok(game)
    }

    // ---- blocks ----

    /// A block's data.
    #[inline]
    pub fn block(&self, block: BlockId) -> &Block {
        &self.rules.blocks[block.at()]
    }
    /// What play asks of it most.
    #[inline]
    pub fn brief(&self, block: BlockId) -> &Brief {
        &self.tables.blocks.briefs[block.at()]
    }
    /// The camp it fights in.
    #[inline]
    pub fn camp(&self, block: BlockId) -> Camp {
        self.brief(block).camp
    }
    /// Sets of blocks by what they are.
    #[inline]
    pub fn sets(&self) -> &BlockTables {
        &self.tables.blocks
    }
    /// Blocks of a camp.
    #[inline]
    pub fn blocks_of(&self, camp: Camp) -> &Blocks {
        &self.tables.blocks.of[camp.index()]
    }
    /// All blocks.
    pub fn block_ids(&self) -> impl DoubleEndedIterator<Item = BlockId> + use<> {
        (0..self.rules.blocks.len() as u16).map(BlockId)
    }

    // ---- map ----

    /// Geometry and contents.
    #[inline]
    pub fn map(&self) -> &MapTables {
        &self.tables.map
    }
    /// The hexes of the map.
    #[inline]
    pub fn board(&self) -> &HexBoard<LINES> {
        &self.tables.map.board
    }
    /// Whether this is the scenario of 1936, whose special rules alter control, supply and production.
    #[inline]
    pub fn is_civil_war(&self) -> bool {
        self.rules.civil_war.is_some()
    }
    /// What is derived from the special rules of 1936.
    #[inline]
    pub fn civil_war_tables(&self) -> &CivilWarTables {
        &self.tables.civil_war
    }
    /// Terrain of a place.
    #[inline]
    pub fn terrain(&self, hex: Hex) -> Terrain {
        self.tables.map.terrain[hex.at()]
    }
    /// What its terrain does.
    #[inline]
    pub fn terrain_effect(&self, hex: Hex) -> &TerrainEffect {
        &self.rules.terrain[self.terrain(hex) as usize]
    }
    /// Whether a block stands in the territory of its nation.
    #[inline]
    pub(crate) fn is_at_home(&self, state: &State, block: BlockId) -> bool {
        self.owner_nation(state, state.at(block)) == self.brief(block).nation
    }
    /// Front of a place.
    #[inline]
    pub fn front(&self, hex: Hex) -> Front {
        self.tables.map.front[hex.at()]
    }
    /// The hex next to one, if it is in play and can be reached by land.
    #[inline]
    pub(crate) fn beyond(&self, hex: Hex, way: Direction) -> Option<Hex> {
        let next = self.board().neighbour(hex, way)?;
        (self.map().land.contains(hex, way) && self.map().in_play.contains(next)).then_some(next)
    }
    /// The hexside of a hex in a direction.
    ///
    /// # Panics
    /// If there is no hex beyond.
    #[inline]
    pub(crate) fn crossing(&self, hex: Hex, way: Direction) -> crate::state::Crossing {
        let next = self.board().neighbour(hex, way).expect("a hexside between two hexes");
        crate::state::Crossing::new(hex, way, next)
    }

    // ---- calendar ----

    /// The month.
    #[inline]
    pub fn month(&self, state: &State) -> &Month {
        &self.rules.calendar[state.month as usize]
    }
    /// Weather in a hex or area (12.13, 12.14).
    #[inline]
    pub fn weather(&self, state: &State, hex: Hex) -> Weather {
        match self.front(hex) {
            Front::West => state.weather[0],
            Front::East => state.weather[1],
            Front::Mediterranean => Weather::Dry,
            Front::North => state.weather[usize::from(hex.line() == crate::ids::AREA_LINE)], // 21.42
        }
    }
    /// What it does there.
    #[inline]
    pub fn weather_effect(&self, state: &State, hex: Hex) -> &WeatherEffect {
        &self.rules.weather[self.weather(state, hex) as usize]
    }
    /// Whether a faction has a player turn.
    pub fn is_played(&self, faction: Faction) -> bool {
        self.factions().any(|other| other == faction)
    }
    /// Factions that have a player turn.
    pub fn factions(&self) -> impl Iterator<Item = Faction> + '_ {
        self.rules.scenario.players.iter().map(|player| player.faction())
    }
}
