//! Facts that the rules report while a game is played. Tables, replays and reports are made of them.

use crate::location::{Counter, Location, Sea, Zone};
use crate::nation::{Country, Force, Nation};
use crate::phase::Phase;
use crate::rules::Kind;
use crate::state::Status;

/// Column shifts of one land combat, one field a modifier (16.3).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Modifiers {
    /// German attack.
    pub german_attack: i8,
    /// British against Italians.
    pub british_vs_italians: i8,
    /// Armour.
    pub armour: i8,
    /// Attacker's air superiority.
    pub attacker_air: i8,
    /// Defender out of supply.
    pub out_of_supply: i8,
    /// German or Finnish defence.
    pub german_defence: i8,
    /// Only fortified corps defend.
    pub all_fortified: i8,
    /// Defender's air superiority.
    pub defender_air: i8,
    /// Terrain, river or beachhead.
    pub terrain: i8,
    /// Fortress.
    pub fortress: i8,
    /// Fortified line.
    pub fortified_line: i8,
}

impl Modifiers {
    /// Sum of all shifts.
    pub fn total(&self) -> i8 {
        self.german_attack
            + self.british_vs_italians
            + self.armour
            + self.attacker_air
            + self.out_of_supply
            + self.german_defence
            + self.all_fortified
            + self.defender_air
            + self.terrain
            + self.fortress
            + self.fortified_line
    }
}

/// A land combat as fought (16, 17), reported after its losses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Battle {
    /// Zone attacked.
    pub zone: Zone,
    /// Fought in the Blitz Phase, else in the Normal Phase.
    pub blitz: bool,
    /// Attacking side.
    pub attacker: Force,
    /// Defending side.
    pub defender: Force,
    /// Attacking infantry corps.
    pub attacking_infantry: u8,
    /// Attacking armour corps.
    pub attacking_armour: u8,
    /// Defending infantry corps.
    pub defending_infantry: u8,
    /// Defending armour corps.
    pub defending_armour: u8,
    /// Of the defenders, fortified corps.
    pub fortified: u8,
    /// Index of the rounded odds on the ladder: 0 = 2-3, 1 = 1-1, 2 = 3-2, n+1 = n-1.
    pub odds: i8,
    /// Shifts.
    pub modifiers: Modifiers,
    /// Column read, 1 (1-1) to 8 (7-1).
    pub column: u8,
    /// Die.
    pub die: u8,
    /// Corps lost by the attacker by the table, after conversion.
    pub attacker_loss: u8,
    /// The attacker's loss is armour.
    pub attacker_armour_loss: bool,
    /// Corps lost by the defender by the table, after conversion.
    pub defender_loss: u8,
}

/// A fact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A turn begins.
    TurnBegins {
        /// Turn.
        turn: u8,
    },
    /// A side's turn is over.
    SideDone {
        /// Side.
        force: Force,
        /// Turn.
        turn: u8,
        /// Strategic points the Axis controls.
        axis_points: u8,
    },
    /// A phase begins for a side.
    PhaseBegins {
        /// Phase.
        phase: Phase,
        /// Side in turn.
        force: Force,
    },
    /// A country's standing changes (9).
    Standing {
        /// Country.
        country: Country,
        /// Standing now.
        status: Status,
    },
    /// A diplomatic or partisan die was rolled (9.3, 9.5).
    DiplomaticRoll {
        /// Country it is about.
        country: Country,
        /// Die.
        die: u8,
    },
    /// A card was shown (11.3).
    CardShown {
        /// Side.
        force: Force,
        /// Card index in the side's deck.
        card: u8,
    },
    /// Supply was lost to blockade, bombing and lost side points (11.3).
    SupplyLost {
        /// Side.
        force: Force,
        /// Units of supply.
        units: u8,
    },
    /// A unit came as a reinforcement.
    Reinforced {
        /// Nation.
        nation: Nation,
        /// Kind.
        kind: Kind,
        /// Units; supply in half units.
        units: u8,
        /// Where.
        place: Location,
    },
    /// Units were lost for whatever reason.
    Lost {
        /// Nation.
        nation: Nation,
        /// Kind (infantry or armour for corps).
        kind: Kind,
        /// Units; supply in half units.
        units: u8,
        /// Where.
        place: Location,
        /// They were marked out of supply (17.5).
        unsupplied: bool,
    },
    /// A stack is over the limit at the end of a phase, and its owner gives up what is lost next (4).
    Overstacked {
        /// Owner.
        force: Force,
        /// Corps given up.
        corps: u8,
        /// Zone.
        zone: Zone,
    },
    /// Units of the card have found no place or no counter, and are lost (11.5).
    Unplaced {
        /// Side.
        force: Force,
        /// Kind.
        kind: Kind,
        /// Units; supply in half units.
        units: u8,
    },
    /// Supply was spent (7), in half units.
    Spent {
        /// Side.
        force: Force,
        /// Half units.
        halves: u8,
    },
    /// A counter went somewhere.
    Moved {
        /// Counter.
        counter: Counter,
        /// From.
        from: Location,
        /// To.
        to: Location,
    },
    /// What stands on a counter goes on, whole or in part, on one from the pool, where it is (3, 11.10).
    Exchanged {
        /// The counter it stood on.
        counter: Counter,
        /// The one from the pool.
        into: Counter,
    },
    /// What stands on a counter joins another one in its place (11.10).
    Combined {
        /// The counter it stood on.
        counter: Counter,
        /// The one that holds both.
        into: Counter,
    },
    /// A zone changed control; `None` = neutral.
    Control {
        /// Zone.
        zone: Zone,
        /// Side now in control.
        force: Option<Force>,
    },
    /// One round of naval combat (12.2).
    NavalRound {
        /// Sea.
        sea: Sea,
        /// Attacking side.
        attacker: Force,
        /// Die.
        die: u8,
        /// Units lost by the attacker.
        attacker_loss: u8,
        /// Units lost by the defender.
        defender_loss: u8,
    },
    /// Air went on mission (13.4): to a land zone, sea or the bombing box.
    AirMission {
        /// Nation of the unit.
        nation: Nation,
        /// Where.
        place: Location,
    },
    /// Air was answered; both units are gone (13.2).
    AirAnswered {
        /// Nation of the answering unit.
        nation: Nation,
        /// Where.
        place: Location,
    },
    /// A round of the Battle of Britain (13.4.3).
    BritainRound {
        /// Die.
        die: u8,
    },
    /// A land combat.
    Battle(Battle),
    /// Defenders retreated (17.2).
    Retreated {
        /// From.
        from: Location,
        /// To.
        to: Location,
    },
    /// The game is over.
    GameOver {
        /// Points of Allies and Soviets, of ten.
        allied_soviet: u8,
        /// Points of the Axis, of ten.
        axis: u8,
    },
}
