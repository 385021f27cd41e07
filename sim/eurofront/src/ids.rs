//! What has a number: factions, fronts, hexes and areas, blocks, nations, seas, events; and the sets of them.

use sandtable_core::{Hex, HexSet, IndexSet, PerIndex};

/// Lines of the board: rows of hexes from north to south, and one more for the map-edge areas.
pub const LINES: usize = 40;
/// The line that holds the map-edge areas (18.0): they are places as hexes are, but touch nothing on the board.
pub const AREA_LINE: u8 = 39;
/// Most map-edge areas.
pub const MAX_AREAS: usize = 64;
/// Most blocks of a scenario, of all factions.
pub const MAX_BLOCKS: usize = 512;
/// Words of a set of blocks.
pub const BLOCK_WORDS: usize = MAX_BLOCKS / 64;
/// Most nations.
pub const MAX_NATIONS: usize = 32;
/// Most lands.
pub const MAX_LANDS: usize = 64;
/// Most sea areas.
pub const MAX_SEAS: usize = 64;
/// Most diplomatic events.
pub const MAX_EVENTS: usize = 52;

sandtable_core::index! {
    /// A block, as an index into [`crate::Rules::blocks`].
    pub struct BlockId(u16);
    /// A nation, as an index into [`crate::Rules::nations`].
    pub struct NationId(u8);
    /// A land: a country of 1939, or a part of one that may change hands apart from it, as an index into
    /// [`crate::tables::NationTables::lands`].
    pub struct LandId(u8);
    /// A sea area (15.1), as an index into [`crate::rules::Map::seas`].
    pub struct SeaId(u8);
    /// A diplomatic event (16.6), as an index into [`crate::Rules::events`].
    pub struct EventId(u8);
}

impl BlockId {
    /// No block.
    pub const NONE: BlockId = BlockId(u16::MAX);
    /// Whether there is none.
    #[inline]
    pub fn is_none(self) -> bool {
        self == BlockId::NONE
    }
}

/// A set of places: hexes of the board and areas.
pub type Hexes = HexSet<LINES>;
impl NationId {
    /// No nation: a free city.
    pub const NONE: NationId = NationId(u8::MAX);
    /// Whether there is none.
    #[inline]
    pub fn is_none(self) -> bool {
        self == NationId::NONE
    }
}

/// A set of blocks.
pub type Blocks = IndexSet<BlockId, BLOCK_WORDS>;
/// A set of nations.
pub type Nations = IndexSet<NationId, 1>;
/// A set of sea areas.
pub type Seas = IndexSet<SeaId, 1>;
/// A set of diplomatic events.
pub type Events = IndexSet<EventId, 1>;
/// A value for every block.
pub type PerBlock<T> = PerIndex<BlockId, T, MAX_BLOCKS>;

/// The hex of a column and a row of the map, both from 0.
#[inline]
pub const fn hex(column: u8, row: u8) -> Hex {
    Hex::new(row, column)
}

/// The map-edge area of a number, in the order of [`crate::rules::Map::areas`].
#[inline]
pub const fn area(number: u8) -> Hex {
    Hex::new(AREA_LINE, number)
}

/// Whether a place is a hex or an area, and not one of [`place`].
#[inline]
pub const fn is_on_map(hex: Hex) -> bool {
    hex.0 < place::FIRST
}

/// Where blocks are that are on no map: places beyond every board.
pub mod place {
    use sandtable_core::Hex;

    /// Not in the scenario, or its condition has not come about.
    pub const OUT: Hex = Hex(0xfff0);
    /// A reinforcement that has not come yet (11.8).
    pub const AWAITING: Hex = Hex(0xfff1);
    /// Eliminated; may be rebuilt as a cadre (11.72).
    pub const ELIMINATED: Hex = Hex(0xfff2);
    /// Removed from the game for good (16.91; 1936 rule 6).
    pub const REMOVED: Hex = Hex(0xfff3);
    /// On the card of neutrals: comes when its nation goes to war (16.1, 16.31).
    pub const AT_HOME: Hex = Hex(0xfff6);
    /// A beachhead in preparation (15.61).
    pub const PREPARING: Hex = Hex(0xfff4);
    /// A beachhead that is ready (15.61).
    pub const READY: Hex = Hex(0xfff5);
    /// Smallest number of such a place.
    pub const FIRST: u16 = 0xfff0;
}

/// One of the three factions (Introduction). In the scenario of 1936 the Nationalists stand for the Axis, the Republicans
/// for the Allies: so are their blocks coloured.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Faction {
    /// Axis.
    Axis,
    /// Allies.
    Allies,
    /// Soviets.
    Soviets,
}

impl Faction {
    /// All three.
    pub const ALL: [Faction; 3] = [Faction::Axis, Faction::Allies, Faction::Soviets];
    /// As an array index.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
    /// The camp to which it belongs.
    #[inline]
    pub const fn camp(self) -> Camp {
        match self {
            Faction::Axis => Camp::Axis,
            Faction::Allies | Faction::Soviets => Camp::Coalition,
        }
    }
    /// Identifier, as in the data.
    pub const fn id(self) -> &'static str {
        match self {
            Faction::Axis => "axis",
            Faction::Allies => "allies",
            Faction::Soviets => "soviets",
        }
    }
}

/// One of the two camps that fight each other: control, zones of control and battles know no more (8.0).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Camp {
    /// The Axis; the Nationalists in 1936.
    Axis,
    /// Allies and Soviets; the Republicans in 1936.
    Coalition,
}

impl Camp {
    /// Both.
    pub const ALL: [Camp; 2] = [Camp::Axis, Camp::Coalition];
    /// The other.
    #[inline]
    #[must_use]
    pub const fn enemy(self) -> Camp {
        match self {
            Camp::Axis => Camp::Coalition,
            Camp::Coalition => Camp::Axis,
        }
    }
    /// As an array index.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// Whose production points: each account is saved or spent apart from the others (11.2, 11.34). The first two are those of
/// Nationalists and Republicans in 1936.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Account {
    /// The Axis, West Front.
    AxisWest,
    /// The Allies, West Front.
    AlliesWest,
    /// The Soviets, wherever they build.
    Soviets,
    /// The Axis, East Front.
    AxisEast,
    /// The Axis, Mediterranean Front.
    AxisMediterranean,
    /// The Allies, Mediterranean Front.
    AlliesMediterranean,
    /// Isolated nations of the Axis (20.64).
    AxisIsolated,
    /// Isolated nations of the Allies.
    AlliesIsolated,
}

impl Account {
    /// How many there are.
    pub const COUNT: usize = 8;
    /// All, in the order of their numbers.
    pub const ALL: [Account; Account::COUNT] = [
        Account::AxisWest,
        Account::AlliesWest,
        Account::Soviets,
        Account::AxisEast,
        Account::AxisMediterranean,
        Account::AlliesMediterranean,
        Account::AxisIsolated,
        Account::AlliesIsolated,
    ];
    /// Whose.
    #[inline]
    pub const fn faction(self) -> Faction {
        match self {
            Account::AxisWest | Account::AxisEast | Account::AxisMediterranean | Account::AxisIsolated => {
                Faction::Axis
            }
            Account::AlliesWest | Account::AlliesMediterranean | Account::AlliesIsolated => Faction::Allies,
            Account::Soviets => Faction::Soviets,
        }
    }
    /// The accounts of a faction.
    pub fn all_of(faction: Faction) -> impl Iterator<Item = Account> {
        Account::ALL.into_iter().filter(move |account| account.faction() == faction)
    }
    /// The home account of a faction: it receives base production (11.31).
    #[inline]
    pub const fn home(faction: Faction) -> Account {
        match faction {
            Faction::Axis => Account::AxisWest,
            Faction::Allies => Account::AlliesWest,
            Faction::Soviets => Account::Soviets,
        }
    }
    /// The account of a faction's isolated nations (20.64).
    #[inline]
    pub const fn isolated(faction: Faction) -> Option<Account> {
        match faction {
            Faction::Axis => Some(Account::AxisIsolated),
            Faction::Allies => Some(Account::AlliesIsolated),
            Faction::Soviets => None,
        }
    }
    /// Who pays for a front (11.3): the North has no account of its own, Allies and Soviets one each, but for the
    /// Mediterranean Front of the Allies.
    #[inline]
    pub const fn of(faction: Faction, front: Front) -> Account {
        match (faction, front) {
            (Faction::Axis, Front::East) => Account::AxisEast,
            (Faction::Axis, Front::Mediterranean) => Account::AxisMediterranean,
            (Faction::Allies, Front::Mediterranean) => Account::AlliesMediterranean,
            _ => Account::home(faction),
        }
    }
    /// As an array index.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
    /// Identifier, as in the data.
    pub const fn id(self) -> &'static str {
        match self {
            Account::AxisWest => "axis_west",
            Account::AlliesWest => "allies_west",
            Account::Soviets => "soviets",
            Account::AxisEast => "axis_east",
            Account::AxisMediterranean => "axis_mediterranean",
            Account::AlliesMediterranean => "allies_mediterranean",
            Account::AxisIsolated => "axis_isolated",
            Account::AlliesIsolated => "allies_isolated",
        }
    }
}

/// One of the four fronts (1.12).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Front {
    /// West Front.
    West,
    /// East Front.
    East,
    /// Mediterranean Front.
    Mediterranean,
    /// North Front.
    North,
}

impl Front {
    /// All four.
    pub const ALL: [Front; 4] = [Front::West, Front::East, Front::Mediterranean, Front::North];
    /// As an array index.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
    /// Identifier, as in the data.
    pub const fn id(self) -> &'static str {
        match self {
            Front::West => "WF",
            Front::East => "EF",
            Front::Mediterranean => "MF",
            Front::North => "NF",
        }
    }
}
