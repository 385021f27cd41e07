//! Facts that the rules report while a game is played. Tables, replays and reports are made of them.

use crate::nation::{Force, Nation, Team};
use crate::phase::Phase;
use crate::place::{Place, UnitId};
use crate::rules::{Standing, Target};

/// A fact.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A turn begins.
    TurnBegins {
        /// Which.
        turn: u8,
    },
    /// A phase begins.
    PhaseBegins {
        /// Which.
        phase: Phase,
        /// Whose, where it is one team's.
        team: Option<Team>,
    },
    /// Cards are revealed (3.2): of the Axis, the Allied player, the Soviet player.
    Cards {
        /// Card indices; [`crate::place::NO_INDEX`] = none.
        played: [u8; 3],
        /// Player 1.
        first: Team,
    },
    /// A unit has moved.
    Moved {
        /// Which.
        unit: UnitId,
        /// From.
        from: Place,
        /// To.
        to: Place,
        /// By Strategic Movement.
        strategic: bool,
    },
    /// A sea invasion sails (7.5).
    Invasion {
        /// Whose.
        force: Force,
        /// Area invaded.
        area: Place,
    },
    /// War is declared on a nation (10.1).
    War {
        /// By whom.
        by: Force,
        /// On whom.
        on: Nation,
    },
    /// A nation's standing changes (10).
    Standing {
        /// Whose.
        nation: Nation,
        /// New standing.
        standing: Standing,
    },
    /// A diplomatic roll (10.3).
    Roll {
        /// By whom.
        force: Force,
        /// For which country.
        nation: Nation,
        /// Sum of the dice.
        dice: u8,
        /// Modifiers.
        bonus: u8,
        /// Number to reach.
        needed: u8,
    },
    /// A battle begins (5.1).
    BattleBegins {
        /// Where.
        place: Place,
        /// Attacker.
        attacker: Team,
    },
    /// A unit fires (5.3).
    Fired {
        /// Which; [`UnitId::NONE`] = the factory's flak.
        unit: UnitId,
        /// At what.
        target: Target,
        /// Firepower, after all modifiers.
        fire: u8,
        /// Dice rolled.
        dice: u8,
        /// Hits.
        hits: u8,
    },
    /// A battle is over.
    BattleEnds(Battle),
    /// A unit loses steps, by battle, retreat, attrition or event.
    Loss {
        /// Which.
        unit: UnitId,
        /// How many.
        steps: u8,
        /// Why.
        cause: LossCause,
    },
    /// A factory loses steps.
    FactoryLoss {
        /// Where.
        area: Place,
        /// How many.
        steps: u8,
    },
    /// An area changes hands.
    Taken {
        /// Which.
        area: Place,
        /// By whom.
        by: Nation,
    },
    /// Production of a major (11.1).
    Production {
        /// Whose.
        nation: Nation,
        /// Resources, factories, points.
        resources: u8,
        /// Supplied factory steps.
        factories: u8,
        /// Points to spend.
        points: u8,
        /// Points on top that can be spent in the Urals (13) or in a Leningrad behind the Ladoga (1.9) alone.
        local: u8,
    },
    /// A major has written its production and leaves points unspent, which are lost (11.1).
    Unspent {
        /// Whose.
        nation: Nation,
        /// Points, those of the Urals and of Leningrad among them.
        points: u8,
    },
    /// A unit gains a step or enters the game.
    Built {
        /// Which.
        unit: UnitId,
        /// Where.
        place: Place,
        /// It is new.
        new: bool,
    },
    /// The game is over (9).
    Over {
        /// Why, as the outcome has it.
        end_reason: &'static str,
    },
}

/// Why steps are lost.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LossCause {
    /// Enemy fire.
    Fire,
    /// A retreat in the first round, or on from an overstacked area (5.7).
    Retreat,
    /// No way out (5.7, R-19).
    NoRetreat,
    /// Out of supply (8.6).
    Attrition,
    /// A card (3.3).
    Event,
    /// Spent by a leader (5.61).
    Blitz,
    /// Sea ice (3.43).
    Ice,
    /// The country has fallen (10.2, 10.4).
    Surrender,
    /// Over the stacking limit (4.5).
    Stacking,
    /// Steps of a lend-lease convoy, by its owner (7.71).
    GivenUp,
}

/// A battle as fought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Battle {
    /// Where.
    pub place: Place,
    /// Attacker at its start.
    pub attacker: Team,
    /// Rounds fought.
    pub rounds: u8,
    /// Units of the attacker and the defender, and their steps, at the start.
    pub units: [u8; 2],
    /// See `units`.
    pub steps: [u8; 2],
    /// Sum of firepower times dice rolled by each.
    pub dice: [u8; 2],
    /// Hits by each.
    pub hits: [u8; 2],
    /// Steps lost by each.
    pub lost: [u8; 2],
    /// The attacker has won.
    pub won: bool,
    /// It came of an exploitation (5.61).
    pub exploitation: bool,
    /// Winter at the place.
    pub winter: bool,
}
