//! Who and where, as numbers: nations, teams, areas, sea zones, blocks.

use sandtable_core::IndexSet;

/// The most areas of a map, fortresses and the USA box among them.
pub const MAX_AREAS: usize = 192;
/// The most sea zones.
pub const MAX_SEAS: usize = 8;
/// The most counters: blocks and air support units.
pub const MAX_UNITS: usize = 320;
/// The most kinds of counters.
pub const MAX_KINDS: usize = 128;
/// Nations there are.
pub const NATIONS: usize = Nation::ALL.len();

sandtable_core::index! {
    /// A counter: a block, or an air support unit. Counters of one kind have consecutive numbers.
    pub struct UnitId(u16);

    /// An area, as an index into [`crate::rules::Rules::areas`], or where counters are that are not on the map.
    pub struct Area(u8);

    /// A sea zone, as an index into [`crate::rules::Rules::seas`].
    pub struct Sea(u8);

    /// A kind of counter, as an index into [`crate::rules::Rules::kinds`].
    pub struct KindId(u8);
}

/// A set of areas.
pub type Areas = IndexSet<Area, 3>;
/// A set of counters.
pub type Units = IndexSet<UnitId, 5>;
/// A set of nations, a bit each: see [`Nation::bit`].
pub type Nations = u32;

impl Area {
    /// Where counters are that may be built.
    pub const POOL: Area = Area(254);
    /// Where counters are that are out of the game, or have not come into it.
    pub const GONE: Area = Area(253);
    /// Where counters are that their owner is about to place.
    pub const WAITING: Area = Area(252);
    /// No area.
    pub const NONE: Area = Area(255);

    /// Whether it is on the map.
    #[inline]
    pub const fn is_on_map(self) -> bool {
        (self.0 as usize) < MAX_AREAS
    }
}

/// A nation: everybody who can control areas or owns counters (20.3, 19.1, 19.2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Nation {
    Germany,
    Italy,
    Finland,
    Hungary,
    Romania,
    Bulgaria,
    GreatBritain,
    UnitedStates,
    France,
    /// Enter the American pool with the USA (9.53).
    FreeFrance,
    VichyFrance,
    SovietUnion,
    Poland,
    Belgium,
    Denmark,
    Greece,
    Holland,
    Norway,
    Portugal,
    Spain,
    Sweden,
    Switzerland,
    Turkey,
    Yugoslavia,
    /// Neutral, without forces (9.25).
    BalticStates,
}

/// The powers that share the strategic war and the wars of the West: Great Britain and the USA.
pub const WESTERN_POWERS: [Nation; 2] = [Nation::GreatBritain, Nation::UnitedStates];

impl Nation {
    /// All, in the order of their indices.
    pub const ALL: [Nation; 25] = [
        Nation::Germany,
        Nation::Italy,
        Nation::Finland,
        Nation::Hungary,
        Nation::Romania,
        Nation::Bulgaria,
        Nation::GreatBritain,
        Nation::UnitedStates,
        Nation::France,
        Nation::FreeFrance,
        Nation::VichyFrance,
        Nation::SovietUnion,
        Nation::Poland,
        Nation::Belgium,
        Nation::Denmark,
        Nation::Greece,
        Nation::Holland,
        Nation::Norway,
        Nation::Portugal,
        Nation::Spain,
        Nation::Sweden,
        Nation::Switzerland,
        Nation::Turkey,
        Nation::Yugoslavia,
        Nation::BalticStates,
    ];

    /// The nation of an index.
    #[inline]
    pub fn of(index: u8) -> Nation {
        Nation::ALL[index as usize]
    }
    /// The nation as an array index.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }
    /// The nation as a bit of a mask.
    #[inline]
    pub fn bit(self) -> Nations {
        1 << self as u32
    }
    /// The nations of a mask, in the order of their indices.
    #[inline]
    pub fn members(mask: Nations) -> impl Iterator<Item = Nation> {
        let mut left = mask & ((1 << NATIONS) - 1);
        std::iter::from_fn(move || {
            let nation = *Nation::ALL.get(left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(nation)
        })
    }
    /// Identifier, as in the data.
    pub fn id(self) -> &'static str {
        [
            "germany",
            "italy",
            "finland",
            "hungary",
            "romania",
            "bulgaria",
            "great_britain",
            "united_states",
            "france",
            "free_french",
            "vichy_france",
            "soviet_union",
            "poland",
            "belgium",
            "denmark",
            "greece",
            "holland",
            "norway",
            "portugal",
            "spain",
            "sweden",
            "switzerland",
            "turkey",
            "yugoslavia",
            "baltic_states",
        ][self.index()]
    }
    /// The nation of an identifier.
    pub fn from_id(id: &str) -> Option<Nation> {
        Nation::ALL.into_iter().find(|nation| nation.id() == id)
    }
    /// Name for people.
    pub fn name(self) -> &'static str {
        [
            "Germany",
            "Italy",
            "Finland",
            "Hungary",
            "Romania",
            "Bulgaria",
            "Great Britain",
            "the United States",
            "France",
            "the Free French",
            "Vichy France",
            "the Soviet Union",
            "Poland",
            "Belgium",
            "Denmark",
            "Greece",
            "Holland",
            "Norway",
            "Portugal",
            "Spain",
            "Sweden",
            "Switzerland",
            "Turkey",
            "Yugoslavia",
            "the Baltic States",
        ][self.index()]
    }
}

/// Who wins and loses together: whose player turn comes first, and whose second (3).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Team {
    /// The Axis; in 16.1 the Western Allies.
    First,
    /// The Allies; in 16.1 the Soviets.
    Second,
}

impl Team {
    /// Both.
    pub const ALL: [Team; 2] = [Team::First, Team::Second];

    /// The team as an array index.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }
    /// The enemy.
    #[inline]
    #[must_use]
    pub fn other(self) -> Team {
        Team::ALL[1 - self.index()]
    }
}
