//! The sequence of play as an enumeration (8): nine phases with their subphases, in the order of the rulebook.

use crate::location::{Counter, Location, Zone};

/// Where in the turn the game stands. Phases 1 to 3 are played by all sides before the next one starts; phases 4 to 9
/// by one side after the other.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Phase {
    /// Before the first turn: free placement of armies (19).
    Deployment,
    /// 1. Surrenders and activations (9). Decisions: the Spanish and Turkish rolls.
    Diplomacy,
    /// 2. Each side chooses its card (10).
    Cards,
    /// 3a. Reinforcements of minors (11.2).
    Minors,
    /// 3b. Powers: cards shown, losses of supply (11.3).
    PowerLosses,
    /// 3c. Lend-lease (11.4).
    LendLease,
    /// 3d. Placement (11.5).
    Placement,
    /// 3e. Reorganisation (11.10).
    Reorganisation,
    /// 4a. Naval movement (12.1).
    NavalMovement,
    /// 4b. Naval combat (12.2).
    NavalCombat,
    /// 5a. Strategic bombing (13.3).
    Bombing,
    /// 5b. Battle of Britain (13.4.3), before all other tactical use.
    BattleOfBritain,
    /// 5b. Tactical use of air (13.4).
    TacticalAir,
    /// 5b. Air at sea becomes beachheads (13.4.5).
    Beachheads,
    /// 5c. Strategic air movement (13.5).
    StrategicAir,
    /// 6. Sea transport (14).
    SeaTransport,
    /// 7a. Fortification (15.1).
    Fortification,
    /// 7b. Strategic movement (15.2).
    StrategicMovement,
    /// 7c. Tactical movement and activation (15.3).
    TacticalMovement,
    /// 8a, 8b. Blitz combat and advance (16).
    Blitz,
    /// 8c. One-zone tactical move (16.5).
    BlitzMove,
    /// 9a to 9c. Normal combat, retreat, advance (17).
    Normal,
    /// 9d. One-zone tactical move (17.4).
    NormalMove,
    /// 9e. Units out of supply (17.5).
    OutOfSupply,
    /// Strategic air movement put off to the end of the turn (13.5).
    LateAir,
    /// The game has ended (18).
    Over,
}

impl Phase {
    /// Whether what is done in the phase is paid from depots (7).
    pub(crate) fn asks_for_supply(self) -> bool {
        matches!(
            self,
            Phase::NavalMovement
                | Phase::SeaTransport
                | Phase::Fortification
                | Phase::StrategicMovement
                | Phase::TacticalMovement
                | Phase::BlitzMove
                | Phase::NormalMove
        )
    }
}

/// A decision that is open inside a phase. Everything that interrupts the side in turn is here too.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pending {
    /// The phase's own list of decisions.
    None,
    /// Axis: roll for Spain (9.3)?
    SpanishRoll,
    /// Axis: roll for Turkey (9.3)?
    TurkishRoll,
    /// One exchange of counters is to be chosen (11.10).
    Reorganisation,
    /// The depot that pays next is to be named (7, R-16).
    Depot,
    /// A counter has been picked and needs a destination (naval, air, transport, strategic move, air reinforcement).
    Destination(Counter),
    /// A counter is on the march and may go on or stop (15.3).
    March(Counter),
    /// `responder` may answer the air unit just used (13.2): the counter, and where it went.
    Response {
        /// Air unit used.
        counter: Counter,
        /// Target: land zone, sea or bombing box.
        target: Location,
        /// Side that is asked, as an index.
        responder: u8,
    },
    /// The attack is being built (16.1).
    Attack,
    /// The Axis says whether it uses the German defence shift (16.3.2).
    GermanDefence,
    /// The attacker chooses his loss (16.2).
    AttackerLoss,
    /// The defender chooses his losses (16.2).
    DefenderLoss,
    /// The defender retreats or cancels (17.2).
    Retreat,
    /// The defender, having cancelled, loses one more corps (17.2).
    CancelLoss,
    /// The attacker advances (16.4, 17.3).
    Advance,
    /// `owner` (index) eliminates counters over the stacking limit at the end of a phase (4).
    Excess {
        /// Side that must eliminate, as an index.
        owner: u8,
        /// Zone over the limit.
        zone: Zone,
    },
}
