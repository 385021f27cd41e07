//! Nations, the three forces that give them orders, and the two teams that win and lose together (1, 2.0, 12.0).

/// Who gives orders: the Axis, the Western Allies, the Soviets. With two players the last two are one player's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Force {
    /// Germany, Italy and their allies.
    Axis,
    /// Britain, France, the USA and their allies.
    Western,
    /// The Soviet Union and its allies.
    Soviet,
}

impl Force {
    /// All three, in the order of their indices.
    pub const ALL: [Force; 3] = [Force::Axis, Force::Western, Force::Soviet];

    /// Those of a mask of [`Force::bit`]s.
    #[inline]
    pub(crate) fn of(mask: u8) -> impl Iterator<Item = Force> {
        Force::ALL.iter().copied().filter(move |force| mask & force.bit() != 0)
    }
    /// The force as an array index.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }
    /// The force as a bit of a mask of forces.
    #[inline]
    pub fn bit(self) -> u8 {
        1 << self as u8
    }
    /// The team it belongs to.
    #[inline]
    pub fn team(self) -> Team {
        if self == Force::Axis { Team::Axis } else { Team::Allies }
    }
    /// Short lower-case identifier.
    pub fn id(self) -> &'static str {
        ["axis", "western", "soviet"][self.index()]
    }
    /// Name for people.
    pub fn name(self) -> &'static str {
        ["Axis", "Western Allies", "Soviets"][self.index()]
    }
}

/// The two sides of every battle; one of them is Player 1 of the turn, the other Player 2 (3.2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Team {
    /// The Axis.
    Axis,
    /// Western Allies and Soviets.
    Allies,
}

impl Team {
    /// Both.
    pub const ALL: [Team; 2] = [Team::Axis, Team::Allies];

    /// The team as an array index.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }
    /// The opponent.
    #[inline]
    #[must_use]
    pub fn other(self) -> Team {
        if self == Team::Axis { Team::Allies } else { Team::Axis }
    }
    /// Its forces, as a mask of [`Force::bit`]s.
    #[inline]
    pub fn forces(self) -> u8 {
        if self == Team::Axis { 0b001 } else { 0b110 }
    }
}

/// How many nations there are.
pub const NATIONS: usize = 28;
/// How many of them are major powers: the first ones.
pub const MAJORS: usize = 6;

/// Whose units and areas: the majors first, then the minors (1.1, 10, 13).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Nation {
    Germany,
    Italy,
    Britain,
    France,
    Usa,
    Ussr,
    Poland,
    Finland,
    Hungary,
    Romania,
    Bulgaria,
    Yugoslavia,
    Greece,
    Turkey,
    Spain,
    Portugal,
    Belgium,
    Netherlands,
    Denmark,
    Norway,
    Sweden,
    Switzerland,
    Ireland,
    Syria,
    Iraq,
    Iran,
    /// Vichy France, once France has fallen (13).
    Vichy,
    /// The areas reserved to the Soviets by the Pact: the Baltic states, and eastern Poland once Poland is conquered.
    Sphere,
}

use Nation as N;

impl Nation {
    /// All, in the order of their indices.
    pub const ALL: [Nation; NATIONS] = [
        N::Germany,
        N::Italy,
        N::Britain,
        N::France,
        N::Usa,
        N::Ussr,
        N::Poland,
        N::Finland,
        N::Hungary,
        N::Romania,
        N::Bulgaria,
        N::Yugoslavia,
        N::Greece,
        N::Turkey,
        N::Spain,
        N::Portugal,
        N::Belgium,
        N::Netherlands,
        N::Denmark,
        N::Norway,
        N::Sweden,
        N::Switzerland,
        N::Ireland,
        N::Syria,
        N::Iraq,
        N::Iran,
        N::Vichy,
        N::Sphere,
    ];
    /// The major powers.
    pub const MAJOR: [Nation; MAJORS] = [N::Germany, N::Italy, N::Britain, N::France, N::Usa, N::Ussr];

    /// The nation as an array index.
    #[inline]
    pub fn index(self) -> usize {
        self as usize
    }
    /// The nation of an index below [`NATIONS`].
    #[inline]
    pub fn of(index: u8) -> Nation {
        Nation::ALL[index as usize]
    }
    /// The nation as a bit of a mask of nations.
    #[inline]
    pub fn bit(self) -> u32 {
        1 << self as u32
    }
    /// Whether it is a major power (1.0).
    #[inline]
    pub fn is_major(self) -> bool {
        (self as usize) < MAJORS
    }
    /// Short lower-case identifier, as in the data.
    pub fn id(self) -> &'static str {
        [
            "germany",
            "italy",
            "britain",
            "france",
            "usa",
            "ussr",
            "poland",
            "finland",
            "hungary",
            "romania",
            "bulgaria",
            "yugoslavia",
            "greece",
            "turkey",
            "spain",
            "portugal",
            "belgium",
            "netherlands",
            "denmark",
            "norway",
            "sweden",
            "switzerland",
            "ireland",
            "syria",
            "iraq",
            "iran",
            "vichy",
            "sphere",
        ][self.index()]
    }
    /// The nation with this identifier.
    pub fn by_id(id: &str) -> Option<Nation> {
        Nation::ALL.into_iter().find(|nation| nation.id() == id)
    }
    /// Name for people.
    pub fn name(self) -> &'static str {
        [
            "Germany",
            "Italy",
            "Great Britain",
            "France",
            "the USA",
            "the USSR",
            "Poland",
            "Finland",
            "Hungary",
            "Romania",
            "Bulgaria",
            "Yugoslavia",
            "Greece",
            "Turkey",
            "Spain",
            "Portugal",
            "Belgium",
            "the Netherlands",
            "Denmark",
            "Norway",
            "Sweden",
            "Switzerland",
            "Ireland",
            "Syria",
            "Iraq",
            "Iran",
            "Vichy France",
            "the Soviet sphere",
        ][self.index()]
    }
}
