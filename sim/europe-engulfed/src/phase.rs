//! The sequence of play as an enumeration (23.0, play book), and the decisions inside its phases.

use crate::ids::{KindId, Nation, Team, UnitId};

/// Where in the turn the game stands. Each player turn runs from [`Phase::Reinforcement`] to [`Phase::FinalSupply`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Phase {
    /// Before the first turn: the teams deploy.
    Deployment,
    /// Counters that come by date are placed (A94, A109).
    Reinforcement,
    /// Strategic warfare (2.0): raids on the producers of the mover, submarines.
    StrategicWar,
    /// Production (4.0), one nation after the other.
    Production,
    /// Declarations of war (9.0), at the start of the Initial Operational Movement.
    Declarations,
    /// Powers that have come into the war place their blocks (9.6).
    Mobilization,
    /// The Axis may accept the French armistice (9.52).
    Armistice,
    /// Initial Operational Movement (5.1).
    Operational,
    /// Initial Strategic Movement (5.2).
    Strategic,
    /// Initial Combat (6.0).
    Combat,
    /// Breakthrough: the next of the phases that Special Actions pay, or none (7.4).
    Breakthrough,
    /// Operational movement into the area named (5.42).
    BreakthroughMove,
    /// The round in that area, if it is newly disputed: it costs no further Special Action.
    BreakthroughRound,
    /// Another Strategic Movement Phase (5.44).
    BreakthroughStrategic,
    /// Final Supply: Limited Supply (7.9), elimination (3.5).
    FinalSupply,
    /// The enemy shifts Soviet units to the front as the pact has it (9.26).
    FrontGarrison,
    /// French Fleet Points that have become British are placed (14.354).
    FrenchFleets,
    /// The game has ended (10.0).
    Over,
}

/// A decision that is open inside a phase. Those of a battle are [`crate::state::Stage`]s.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Pending {
    /// The phase's own list of decisions.
    #[default]
    None,
    /// A unit has been picked: where does it go, or does it stay?
    Destination(UnitId),
    /// A unit is on the way and may go on or stop; `State::march` counts what is left of its move.
    March(UnitId),
    /// A new counter of this kind is being built: where does it come in (4.5)? It is paid for as it does.
    Raise(KindId),
    /// Aircraft have become an air support unit of this kind: where does it come in (14.49)?
    Converted(KindId),
}

impl Pending {
    /// The unit a decision is about, if it is about one.
    pub fn unit(self) -> Option<UnitId> {
        match self {
            Pending::Destination(unit) | Pending::March(unit) => Some(unit),
            _ => None,
        }
    }
}

/// The decision of a naval move that is open (8.0).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Sailing {
    /// Nobody is at sea.
    #[default]
    None,
    /// Blocks of an invasion go on board (7.2).
    Embarking,
    /// This team may intercept in the zone at hand (8.2).
    Interception(Team),
    /// The mover names what goes down with its ships.
    Sinking,
    /// This team says how many of its air units join the combat in a port (14.46).
    Joining(Team),
    /// And how many of them fight the enemy's air units.
    Dogfight(Team),
    /// This team says how many air units are lost in place of Fleet Points.
    Sparing(Team),
    /// Its air units stay, or cross an air link.
    Returning(Team),
}

/// How a round of combat is fought (6.0, play book L273, L687).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
pub enum Mode {
    /// A die a step.
    #[default]
    Normal,
    /// Two dice a step, on both sides.
    Assault,
}

impl Mode {
    /// Both.
    pub const ALL: [Mode; 2] = [Mode::Normal, Mode::Assault];
}

/// What a block counts as when it fires and is fired at (6.0).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
pub enum FireClass {
    /// Infantry, cavalry, militia, airborne.
    #[default]
    Infantry,
    /// Armour.
    Armour,
}

impl FireClass {
    /// The other.
    #[must_use]
    pub fn other(self) -> FireClass {
        if self == FireClass::Infantry { FireClass::Armour } else { FireClass::Infantry }
    }
}

/// The decision of a battle that is open (6.0; the order of the responses is ruling A43).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Stage {
    /// No battle is being fought.
    #[default]
    None,
    /// This nation may withdraw before combat (7.51).
    Withdraw(Nation),
    /// Its units leave, one by one.
    Leaving(Nation),
    /// This nation may reinforce (7.6), again and again.
    Reinforce(Nation),
    /// Its units come, from each area one.
    Arriving(Nation),
    /// This team says how many of its air units are in air combat; the enemy does not see it (6.6).
    AirSplit(Team),
    /// This team takes out air units of one of several nations (A58).
    AirLoss(Team),
    /// This team puts a supporting air unit on a block (A55).
    Support(Team),
    /// This team says which of its groups fires next.
    Fire(Team),
    /// This team takes a hit.
    Loss(Team),
    /// This nation may counterattack (7.7).
    Counterattack(Nation),
    /// Its reinforcements come (A42).
    CounterArriving(Nation),
    /// A decision of an optional rule.
    Choice(Choice),
}

/// Decisions that optional rules put into a battle, each of one team.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Choice {
    /// Whether the attacker's armour fights infantry too (14.45).
    Risk(Team),
    /// Whether the attack is a final offensive (13.34).
    FinalOffensive(Team),
    /// Whether the area is bombed first (14.47).
    CarpetBombing(Team),
    /// Which American unit was bombed (14.47).
    Misses(Team),
    /// Whether a withdrawal is pursued (14.44).
    Pursuit(Team),
    /// How many armour blocks cover the withdrawal, or pursue it (14.44).
    Commitment(Team),
}

impl Choice {
    /// Who decides.
    pub fn team(self) -> Team {
        match self {
            Choice::Risk(team)
            | Choice::FinalOffensive(team)
            | Choice::CarpetBombing(team)
            | Choice::Misses(team)
            | Choice::Pursuit(team)
            | Choice::Commitment(team) => team,
        }
    }
}
