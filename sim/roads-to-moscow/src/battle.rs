//! What the state remembers of the combat at hand, its retreats and its advance. The rules are in [`crate::combat`].

use sandtable_core::Hex;

use crate::ids::{Air, AirId, Player, UnitId, Units, place};
use crate::rules::{CombatResult, Crt, Loss};

/// Why units fight, retreat or advance: tells what follows when it is over.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Occasion {
    /// Nothing is under way.
    #[default]
    None,
    /// A declared attack (10).
    Declared,
    /// An overrun (8.5).
    Overrun,
    /// A refusal of combat (9.2): retreat and advance alone.
    Refusal,
}

/// Which part a player has in a combat.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
pub enum Role {
    /// The active player (10.0).
    #[default]
    Attacker,
    /// The other.
    Defender,
}

impl Role {
    /// Both, the attacker first.
    pub const ALL: [Role; 2] = [Role::Attacker, Role::Defender];
    /// As an array index.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// How artillery was coordinated (10.42c).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Fire {
    /// Full support.
    #[default]
    Full,
    /// Half of it.
    Half,
    /// None.
    None,
}

/// The combat at hand. Arrays of two are by [`Role`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Battle {
    /// Why.
    pub occasion: Occasion,
    /// The part of the player whom the step is about.
    pub role: Role,
    /// The Defender hex.
    pub target: Hex,
    /// The table.
    pub crt: Crt,
    /// Units that bear the attack's marker, or overrun. Those eliminated are taken out.
    pub attackers: Units,
    /// The Defender's combat units in the hex when combat began, without those that retreated into it (11.36). Those
    /// eliminated are taken out.
    pub defenders: Units,
    /// Those that retreated into it (11.36). Those eliminated are taken out.
    pub late: Units,
    /// The Defender's artillery that has stood in an enemy zone in this Combat Phase (12.25). It outlasts the combat.
    pub pinned: Units,

    /// Lead units.
    pub lead: [UnitId; 2],
    /// Air units committed; after their check those that are coordinated.
    pub air: [Air; 2],
    /// Lead of the air units.
    pub air_lead: [AirId; 2],
    /// Supporting artillery.
    pub support: [Units; 2],
    /// The supporting artillery that is coordinated by itself (12.17).
    pub sure: [UnitId; 2],
    /// Lead of the artillery.
    pub artillery_lead: [UnitId; 2],
    /// How the artillery was coordinated.
    pub fire: [Fire; 2],
    /// Whether ground coordination failed.
    pub ground_failed: bool,
    /// Headquarters and leaders whose points count for the check at hand.
    pub helping: Units,
    /// The Defender's that have spent points in this combat (15.23c1).
    pub helped: Units,
    /// Leaders whose points went into a coordination check (15.34b).
    pub leaders: Units,

    /// The result read.
    pub result: CombatResult,
    /// Steps still to be lost.
    pub due: [u8; 2],
    /// Whether the first step has been lost.
    pub begun: [bool; 2],
    /// Whether Armour Attrition applies (11.23).
    pub attrition: bool,
    /// Whether the defenders stay in spite of an R (11.4) ...
    pub stays: bool,
    /// ... and the step still due for it.
    pub stays_due: u8,

    /// Units still to retreat, or that may still advance.
    pub moving: Units,
    /// The one on its way.
    pub walker: UnitId,
    /// The hex those at hand began in.
    pub start: Hex,
    /// The first hex of the walker's path, once entered.
    pub via: Hex,
    /// Hexes it has gone.
    pub gone: u8,
    /// Hexes that its Special Retreat will have (16.3).
    pub length: u8,
    /// How good its routes are: see [`crate::combat`].
    pub route: u8,
    /// Units that have gone from `start`.
    pub moved: Units,
    /// Units that went from `start` through a vacant enemy zone of control, by direction (11.5).
    pub through: [Units; 6],
    /// The group of these that is being checked; leaders and fuel that have been asked to advance.
    pub group: Units,
    /// Rockets that must make their Special Retreat (16.3).
    pub rockets: Units,
    /// Whether somebody has advanced two hexes (7.12c).
    pub far: bool,
}

impl Battle {
    /// No combat.
    pub const NONE: Battle = Battle {
        occasion: Occasion::None,
        role: Role::Attacker,
        target: place::OUT,
        crt: Crt::Assault,
        attackers: Units::EMPTY,
        defenders: Units::EMPTY,
        late: Units::EMPTY,
        pinned: Units::EMPTY,
        lead: [UnitId::NONE; 2],
        air: [Air::EMPTY; 2],
        air_lead: [AirId(u8::MAX); 2],
        support: [Units::EMPTY; 2],
        sure: [UnitId::NONE; 2],
        artillery_lead: [UnitId::NONE; 2],
        fire: [Fire::Full; 2],
        ground_failed: false,
        helping: Units::EMPTY,
        helped: Units::EMPTY,
        leaders: Units::EMPTY,
        result: CombatResult { attacker: Loss::NONE, defender: Loss::NONE, red: false },
        due: [0; 2],
        begun: [false; 2],
        attrition: false,
        stays: false,
        stays_due: 0,
        moving: Units::EMPTY,
        walker: UnitId::NONE,
        start: place::OUT,
        via: place::OUT,
        gone: 0,
        length: 0,
        route: 0,
        moved: Units::EMPTY,
        through: [Units::EMPTY; 6],
        group: Units::EMPTY,
        rockets: Units::EMPTY,
        far: false,
    };

    /// The player of a part, if this one is active.
    #[inline]
    pub fn player(role: Role, active: Player) -> Player {
        match role {
            Role::Attacker => active,
            Role::Defender => active.enemy(),
        }
    }
}
