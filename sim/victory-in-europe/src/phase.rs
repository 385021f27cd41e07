//! The sequence of play as an enumeration: six phases a turn (GT, chart of the turn), and the decisions inside them.

use crate::place::{Place, UnitId};

/// Where in the turn the game stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Phase {
    /// Before the first turn: free deployment (scenario notes), one exchange at a time.
    Deployment,
    /// 1. Cards: every player lays one face down (3.2).
    Cards,
    /// 2. Movement of the mover (4), Player 1 first.
    Movement,
    /// 2. Player 2 says which of his units are pinned (4.3).
    Pinning,
    /// 2. Battles are named for events, after all movement (3.3).
    NamingBattles,
    /// 3. Combat: battles are chosen one by one and fought (5, 6, 7).
    Combat,
    /// 3. Air units land (6.22).
    Landing,
    /// 4. Supply: attrition, surrenders of majors, victory (8, 9).
    Supply,
    /// 5. Diplomacy: surrenders of minors, rolls, Poland (10).
    Diplomacy,
    /// 6. Production: written by each player in secret, then placed (11).
    Production,
    /// The game has ended (9).
    Over,
}

/// A decision that is open inside a phase.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pending {
    /// The phase's own list of decisions.
    None,
    /// A unit has been picked in the Movement Phase: where does it go, how, or does it stay?
    Destination(UnitId),
    /// An army is on the march and may go on or stop; `State::march` counts the movement points left (4.2).
    March(UnitId),
    /// A step of the factory of an area is moved (11.32): where to?
    Factory(Place),
    /// A sea invasion has been declared (7.5): which units join it? The coastal area it goes to.
    Invasion(Place),
    /// A neutral has been attacked; its units are placed by the player named (10.2): the force, and the nation, as indices.
    Neutral {
        /// Who places.
        by: u8,
        /// Whose units.
        nation: u8,
    },
    /// A battle is on: what does the unit whose turn it is do (5.2, 5.4)?
    Fire(UnitId),
    /// A bomber announces its target for the round (6.3).
    Announce(UnitId),
    /// A hit falls on one of several equally strong units: which? The owner's team, as an index (5.4).
    Hit(u8),
    /// A unit must leave (end of battle, 5.7, 6.4, 7.4): where to?
    Withdraw(UnitId),
    /// It may go on from an overstacked area for a step (5.7).
    GoOn(UnitId),
    /// The attacking leader may order another round (5.61).
    Extend(UnitId),
    /// The winner may regroup (5.8) or exploit (5.61).
    Regroup,
    /// The leader's exploitation is on: which units go where (5.61)?
    Exploit(UnitId),
    /// A step is lost to an event and several units are equally strong: which (3.3)? The owner's team, as an index.
    Loss(u8),
    /// An air unit lands (6.22).
    Land(UnitId),
    /// Units over the stacking limit after movement: which goes back? The area (4.5).
    Excess(Place),
}

impl Pending {
    /// The unit a decision is about, if it is about one.
    pub fn unit(self) -> Option<UnitId> {
        match self {
            Pending::Destination(unit)
            | Pending::March(unit)
            | Pending::Fire(unit)
            | Pending::Announce(unit)
            | Pending::Withdraw(unit)
            | Pending::GoOn(unit)
            | Pending::Extend(unit)
            | Pending::Exploit(unit)
            | Pending::Land(unit) => Some(unit),
            _ => None,
        }
    }
    /// The same decision about another unit.
    #[must_use]
    pub fn with_unit(self, unit: UnitId) -> Pending {
        match self {
            Pending::Destination(_) => Pending::Destination(unit),
            Pending::March(_) => Pending::March(unit),
            Pending::Fire(_) => Pending::Fire(unit),
            Pending::Announce(_) => Pending::Announce(unit),
            Pending::Withdraw(_) => Pending::Withdraw(unit),
            Pending::GoOn(_) => Pending::GoOn(unit),
            Pending::Extend(_) => Pending::Extend(unit),
            Pending::Exploit(_) => Pending::Exploit(unit),
            Pending::Land(_) => Pending::Land(unit),
            other => other,
        }
    }
}
