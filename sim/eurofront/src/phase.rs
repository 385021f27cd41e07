//! The sequence of play as an enumeration (4.0): every point at which somebody may have to decide.
//!
//! Weather, turn order, pursuit, dice of combat, attrition and the end of the game need no decision and happen between
//! the phases ([`crate::sequence`]).

/// What is being decided. Rule numbers in brackets; those of 1936 are the special rules of that scenario.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Phase {
    // M1 Production (11.0), at the start of a month. First what everybody sees ...
    /// Who leads may claim foreign recognition (1936 rule 9).
    Recognition,
    /// Where the railheads of French aid are placed (1936 rule 3).
    FrenchRailhead,
    /// Which railhead of French aid goes (1936 rule 3).
    FrenchLoss,
    /// The port of Soviet aid (1936 rules 3, 5).
    SovietPort,
    /// The port of Axis aid; passed over, it comes to Lisbon (1936 rules 3, 5).
    AxisPort,
    /// How much a front is allotted (11.5).
    Allotment,
    /// Whether a block of points goes to another front (11.6).
    Transfer,
    // ... then what is decided unseen, camp by camp, and comes about when both have decided (11.2).
    /// Where a reinforcement arrives (11.8).
    Arrival,
    /// What is built (11.7).
    Building,
    /// Where a cadre is placed (11.72).
    CadrePlace,

    // M2 Diplomacy (4.12)
    /// Which diplomatic event a side tries (16.6).
    Diplomacy,
    /// Which nation an event concerns (16.6: ME, MR).
    EventNation,
    /// Which unit an event sets free, or brings (16.6: XR, SR).
    EventUnit,

    // New belligerents, in whatever phase they come (16.3)
    /// What a new belligerent builds with its peace production (16.32).
    Raising,
    /// Where its units deploy (16.31).
    Deployment,

    // T1 Command (4.31)
    /// On whom war is declared (16.4).
    Declaration,
    /// What a headquarters does, and where it deploys (5.2).
    Activation,

    // T2 Movement (4.32), T4 Blitz Movement (4.34)
    /// Which unit moves next (6.1).
    Movement,
    /// Where it goes.
    Destination,
    /// Where a rearguard that has survived pursuit goes (6.51).
    Withdrawal,
    /// Whether a headquarters mobilises and where it goes, or stays to support combat (5.5).
    Mobilisation,

    // T3 Combat (4.33), T5 Blitz Combat (4.35)
    /// The airstrike of a headquarters (7.13).
    Airstrike,
    /// Whether a battle is active (7.14).
    ActiveBattle,
    /// Which of several units takes a hit, or is repulsed (7.33, 7.61).
    Losses,

    // T6 Supply (4.36)
    /// Whether a beachhead is placed in the hex of its unit, or withdrawn (15.62).
    Beachhead,

    // T7 Politics (4.37)
    /// Whether an armistice is offered: the French by the Allies, the Finnish by the Axis (16.72).
    ArmisticeOffer,
    /// Whether it is accepted (16.72).
    ArmisticeAnswer,
    /// Where an army of resistance rises (16.73).
    Uprising,
    /// Which unit of a nation that surrenders deserts to the other side (16.84).
    Desertion,

    /// The game has ended.
    Over,
}

impl Phase {
    /// Whether the choices of the phase are made unseen by the enemy (11.2).
    #[inline]
    pub const fn is_secret(self) -> bool {
        matches!(self, Phase::Arrival | Phase::Building | Phase::CadrePlace)
    }
}

/// How a headquarters is activated (5.2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Mode {
    /// Activated.
    Normal,
    /// Activated for a Blitz (5.6).
    Blitz,
    /// To send one unit over the sea (15.51).
    Invasion,
    /// To send a unit over the sea in both Movement Phases (15.512).
    BlitzInvasion,
    /// To drop one unit of paratroops (14.21).
    Para,
    /// To drop a unit of paratroops in both Movement Phases (14.21).
    BlitzPara,
}

impl Mode {
    /// Whether it is one of the modes of a Blitz (5.6, 14.21, 15.512).
    #[inline]
    pub const fn is_blitz(self) -> bool {
        matches!(self, Mode::Blitz | Mode::BlitzInvasion | Mode::BlitzPara)
    }
    /// Whether the headquarters sends one unit by sea.
    #[inline]
    pub const fn is_invasion(self) -> bool {
        matches!(self, Mode::Invasion | Mode::BlitzInvasion)
    }
    /// Whether it drops one unit from the air.
    #[inline]
    pub(crate) const fn is_para(self) -> bool {
        matches!(self, Mode::Para | Mode::BlitzPara)
    }
}

/// What it costs to bring a reinforcement forward by a month (11.82).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Haste {
    /// The production points of its cadre.
    Paid,
    /// A step of its strength.
    Weak,
}

/// Which way a naval move takes, if there are several (15.3): the mover names the sea areas.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum SeaWay {
    /// The one through the fewest sea areas; of those the one with the least interception.
    Shortest,
    /// The one with the least interception; of those the shortest.
    Safest,
}
