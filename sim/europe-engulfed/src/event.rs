//! Facts that the rules report while a game is played. Tables, replays and reports are made of them.

use crate::ids::{Area, Nation, Sea, Team, UnitId};
use crate::phase::{FireClass, Mode, Phase};
use crate::rules::{Asset, Standing, ZoneWeather};

/// A fact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A turn begins, with this weather.
    TurnBegins {
        /// Which, from 1.
        turn: u8,
        /// By climate zone.
        weather: ZoneWeather,
    },
    /// A phase begins.
    PhaseBegins {
        /// Which.
        phase: Phase,
        /// Whose player turn it is.
        team: Team,
    },
    /// A counter has moved; from off the map if it is deployed.
    Moved {
        /// Which.
        unit: UnitId,
        /// From.
        from: Area,
        /// To.
        to: Area,
        /// How.
        how: Way,
    },
    /// An area changes hands.
    Taken {
        /// Which.
        area: Area,
        /// By whom.
        by: Nation,
    },
    /// A Special Action is spent.
    Spent {
        /// Whose.
        nation: Nation,
        /// On what.
        on: SpecialAction,
    },
    /// A battle begins.
    BattleBegins {
        /// Where.
        area: Area,
        /// Who attacks.
        attacker: Team,
        /// How.
        mode: Mode,
        /// It is the first round of a newly disputed area.
        first: bool,
    },
    /// Air combat: by team, air units in it and enemies shot down.
    AirCombat {
        /// Air units.
        fighters: [u8; 2],
        /// Hits.
        hits: [u8; 2],
    },
    /// A group fires.
    Fired {
        /// Whose.
        team: Team,
        /// With what.
        class: FireClass,
        /// At what.
        at: FireClass,
        /// Dice.
        dice: u16,
        /// Number needed.
        need: u8,
        /// Hits.
        hits: u16,
    },
    /// A counter loses a step.
    Loss {
        /// Which.
        unit: UnitId,
        /// Where.
        area: Area,
        /// Why.
        cause: LossCause,
    },
    /// A battle is over.
    BattleEnds(BattleSummary),
    /// Income of a nation (4.1).
    Income {
        /// Whose.
        nation: Nation,
        /// WERP.
        werp: u8,
    },
    /// Something is bought.
    Bought {
        /// By whom.
        nation: Nation,
        /// What.
        what: Purchase,
        /// WERP.
        cost: u8,
    },
    /// A nation leaves WERP unspent, which are lost (4.0).
    Unspent {
        /// Whose.
        nation: Nation,
        /// WERP.
        werp: u8,
    },
    /// A naval move is met in a zone (8.2): Fleet Points by team, and how many of them are sunk.
    NavalCombat {
        /// Where.
        sea: Sea,
        /// Fleet Points.
        fleets: [u8; 2],
        /// Sunk.
        sunk: [u8; 2],
    },
    /// A Fleet Point changes zone.
    FleetMoved {
        /// Whose.
        nation: Nation,
        /// From.
        from: Sea,
        /// To.
        to: Sea,
    },
    /// A Fleet Point is lost.
    FleetLost {
        /// Whose.
        nation: Nation,
        /// Where.
        sea: Sea,
    },
    /// A beachhead is placed or removed (22.0).
    Beachhead {
        /// Whose.
        team: Team,
        /// Where.
        area: Area,
        /// Placed, or removed.
        placed: bool,
    },
    /// Submarines attack (2.1).
    Submarines {
        /// Points before.
        points: u8,
        /// Points sunk.
        sunk: u8,
        /// WERP that Great Britain loses.
        werp: u8,
    },
    /// A raid is flown (2.2).
    Raid {
        /// By whom.
        by: Team,
        /// Bombers, escorts, interceptors.
        sent: [u8; 3],
        /// Those lost, likewise.
        lost: [u8; 3],
        /// Bomb hits.
        hits: u8,
    },
    /// WERP are given, or come by lend-lease (4.0, 9.34, 9.35).
    Given {
        /// By whom.
        by: Nation,
        /// To whom.
        to: Nation,
        /// How many arrive.
        werp: u8,
    },
    /// War is declared (9.0).
    WarDeclared {
        /// By whom.
        by: Nation,
        /// On whom.
        on: Nation,
    },
    /// A nation enters the war, is conquered, surrenders (9.0).
    StandingChanged {
        /// Which.
        nation: Nation,
        /// How it stands now.
        standing: Standing,
    },
    /// The game is over (10.0).
    Over {
        /// Why, as the outcome has it.
        end_reason: &'static str,
    },
}

/// How a counter moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Way {
    /// Deployed, or placed by date.
    Deployed,
    /// Operational movement (5.1).
    Operational,
    /// Strategic movement (5.2).
    Strategic,
    /// Breakthrough movement (5.42).
    Breakthrough,
    /// Over the sea, from port to port (5.3).
    Sea,
    /// An amphibious invasion (7.2).
    Invasion,
    /// An airborne drop (7.3).
    Drop,
    /// Withdrawal before combat (7.51).
    Withdrawal,
    /// Reinforcement of a battle (7.6, 7.7).
    Reinforcement,
    /// Shifted by the enemy to the Soviet front garrison (9.26).
    Garrison,
}

/// What a Special Action is spent on (7.0).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum SpecialAction {
    Airborne,
    BreakthroughMove,
    BreakthroughStrategic,
    BreakthroughCombat,
    Withdrawal,
    Abandonment,
    Reinforcement,
    Counterattack,
    Replacements,
    LimitedSupply,
    Amphibious,
    War,
    Pause,
    Overlord,
    CarpetBombing,
    Repair,
    Beachhead,
}

/// Why a step is lost.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LossCause {
    /// Enemy fire.
    Fire,
    /// Air combat.
    AirCombat,
    /// Air units alone with enemy land units (play book, L71).
    Overrun,
    /// No supply (3.5).
    Supply,
    /// Sunk at sea (8.0).
    Sunk,
    /// The First Winter (9.13).
    Winter,
    /// Vichy blocks do not fight Americans (9.5).
    Yielded,
}

/// What is bought (20.2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Purchase {
    /// A step, the first of a counter.
    New(UnitId),
    /// A further step.
    Step(UnitId),
    /// A field fortification.
    FieldFort(Area),
    /// A heavy fortification.
    HeavyFort(Area),
    /// A Special Action.
    SpecialAction,
    /// A minor comes into the war (13.43, 13.44).
    Ally(Nation),
    /// The pause in the East (14.41).
    Pause,
    /// A Fleet Point.
    Fleet(Sea),
    /// A port is disabled (13.32).
    PortDisabled(Area),
    /// The Fleet Points there are, for the turn (4.2).
    Maintenance,
    /// A point or level of the strategic war.
    Asset(Asset),
}

/// A battle as fought: one round and its counterattack.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BattleSummary {
    /// Where.
    pub area: Area,
    /// Attacker of the round.
    pub attacker: Team,
    /// How.
    pub mode: Mode,
    /// It was the first round of a newly disputed area.
    pub first: bool,
    /// A round was fought: the defender did not withdraw before it.
    pub fought: bool,
    /// Land steps by team when blocks were revealed.
    pub steps: [u16; 2],
    /// Land steps lost by team.
    pub lost: [u16; 2],
    /// A counterattack was made.
    pub counterattacked: bool,
    /// The area is the attacker's alone.
    pub won: bool,
}
