//! What the state remembers of a combat, a retreat and an advance. The rules are in [`crate::combat`].

use sandtable_core::Hex;

use crate::ids::{Air, Player, UnitId, Units, place};
use crate::rules::{CombatResult, Crt};

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

/// The combat at hand. By player where there are two: German, Soviet.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Battle {
    /// Why.
    pub occasion: Occasion,
    /// Index of the declared attack.
    pub attack: u8,
    /// The Defender hex.
    pub target: Hex,
    /// Units that bear the attack's marker, or overrun. Those lost or retreated stay in it.
    pub attackers: Units,
    /// The Defender's combat units in the hex when combat began, without those that retreated into it (11.36).
    pub defenders: Units,
    /// The table.
    pub crt: Crt,
    /// The lead units.
    pub lead: [UnitId; 2],
    /// Air units committed.
    pub air: [Air; 2],
    /// Whether their coordination succeeded.
    pub air_coordinated: [bool; 2],
    /// Whether the player has closed the list that is being made: air units, artillery.
    pub closed: [bool; 2],
    /// Supporting artillery.
    pub support: [Units; 2],
    /// The supporting artillery that is coordinated by itself (12.17).
    pub automatic: [UnitId; 2],
    /// The lead of the check at hand: of air units by its number, of artillery.
    pub check_lead: u8,
    /// Support strength after coordination, before the cap.
    pub support_strength: [u16; 2],
    /// Headquarters and leaders that have spent points in this combat.
    pub points: Units,
    /// Points that count for the check at hand.
    pub check_points: u8,
    /// Whether ground coordination failed.
    pub ground_failed: bool,
    /// The result read.
    pub result: CombatResult,
    /// Steps still to be lost.
    pub due: [u8; 2],
    /// Whether the attacker must lose an armour step first (11.23).
    pub attrition: bool,
    /// Whether the defender stays in spite of an R (11.4).
    pub stays: bool,
}

impl Battle {
    /// No combat.
    pub const NONE: Battle = Battle {
        occasion: Occasion::None,
        attack: 0,
        target: place::OUT,
        attackers: Units::EMPTY,
        defenders: Units::EMPTY,
        crt: Crt::Assault,
        lead: [UnitId::NONE; 2],
        air: [Air::EMPTY; 2],
        air_coordinated: [false; 2],
        closed: [false; 2],
        support: [Units::EMPTY; 2],
        automatic: [UnitId::NONE; 2],
        check_lead: 0,
        support_strength: [0; 2],
        points: Units::EMPTY,
        check_points: 0,
        ground_failed: false,
        result: CombatResult {
            attacker: crate::rules::Loss { steps: 0, retreat: false, disorganised: false, eliminated: false },
            defender: crate::rules::Loss { steps: 0, retreat: false, disorganised: false, eliminated: false },
            red: false,
        },
        due: [0; 2],
        attrition: false,
        stays: false,
    };
}

/// A retreat at hand (11.3, 11.5).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Retreat {
    /// Why.
    pub occasion: Occasion,
    /// Whose units retreat.
    pub player: Player,
    /// The hex they retreat from: the Defender hex (11.33).
    pub away_from: Hex,
    /// Units still to retreat.
    pub due: Units,
    /// The group on its way.
    pub group: Units,
    /// The hex the group began in.
    pub start: Hex,
    /// The first hex of its path, once entered.
    pub through: Hex,
    /// Hexes gone.
    pub gone: u8,
    /// Whether it passed a vacant enemy zone of control (11.5).
    pub past_enemy: bool,
    /// Whether a rocket makes its Special Retreat (16.3).
    pub special: bool,
}

impl Retreat {
    /// No retreat.
    pub const NONE: Retreat = Retreat {
        occasion: Occasion::None,
        player: Player::German,
        away_from: place::OUT,
        due: Units::EMPTY,
        group: Units::EMPTY,
        start: place::OUT,
        through: place::OUT,
        gone: 0,
        past_enemy: false,
        special: false,
    };
}

/// An advance at hand (11.6).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Advance {
    /// Why.
    pub occasion: Occasion,
    /// Units that may still advance.
    pub due: Units,
    /// The hex that was vacated.
    pub into: Hex,
    /// The table of the combat: on the Mobile one red boxes go two hexes (11.61b); so they do after a refusal (R23).
    pub two_hexes: bool,
    /// The unit that goes on from the vacated hex.
    pub unit: UnitId,
    /// Whether a unit has ended two hexes from its start (11.61c).
    pub was_two: bool,
}

impl Advance {
    /// No advance.
    pub const NONE: Advance = Advance {
        occasion: Occasion::None,
        due: Units::EMPTY,
        into: place::OUT,
        two_hexes: false,
        unit: UnitId::NONE,
        was_two: false,
    };
}
