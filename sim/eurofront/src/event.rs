//! Facts reported while actions are applied.

use sandtable_core::Hex;

use crate::ids::{Account, BlockId, Camp, EventId, Faction, NationId};
use crate::phase::Mode;
use crate::rules::Weather;

/// Why a unit lost a step, or was lost.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Cause {
    /// Hit in combat (7.33).
    Combat,
    /// Hit in pursuit (6.52).
    Pursuit,
    /// Attrition of an unsupplied unit (10.6).
    Attrition,
    /// A headquarters has exercised command (5.5).
    Command,
    /// A static unit of no strength, alone in a battle (2.27).
    NoStrength,
    /// Intervention has ended (1936 rule 6).
    Intervention,
    /// Has entered a front it is not used to (6.73).
    Acclimatisation,
    /// A fort unit that was moved (2.28).
    Moved,
    /// Its maintenance could not be paid (21.372).
    Maintenance,
    /// Its owner has disbanded it (11.84).
    Disbanding,
    /// Its nation was defeated, surrendered or made peace (16.7 to 16.9), or it capitulated in battle (7.7).
    Defeat,
    /// Intercepted at sea (15.72).
    Interception,
    /// A repulsed or scattered drop (14.41, 14.5).
    Drop,
}

impl Cause {
    /// All causes, in order.
    pub const ALL: [Cause; 13] = [
        Cause::Combat,
        Cause::Pursuit,
        Cause::Attrition,
        Cause::Command,
        Cause::NoStrength,
        Cause::Intervention,
        Cause::Acclimatisation,
        Cause::Moved,
        Cause::Maintenance,
        Cause::Disbanding,
        Cause::Defeat,
        Cause::Interception,
        Cause::Drop,
    ];

    /// Identifier, as tables name it.
    pub const fn id(self) -> &'static str {
        match self {
            Cause::Combat => "combat",
            Cause::Pursuit => "pursuit",
            Cause::Attrition => "attrition",
            Cause::Command => "command",
            Cause::NoStrength => "no_strength",
            Cause::Intervention => "intervention",
            Cause::Acclimatisation => "acclimatisation",
            Cause::Moved => "moved",
            Cause::Maintenance => "maintenance",
            Cause::Disbanding => "disbanding",
            Cause::Defeat => "defeat",
            Cause::Interception => "interception",
            Cause::Drop => "drop",
        }
    }
}

/// Whose fire it is (7.2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Volley {
    /// The airstrike.
    Air,
    /// The passive side's.
    Defensive,
    /// The active side's.
    Offensive,
    /// Pursuit of a rearguard.
    Pursuit,
}

/// A fact.
#[derive(Clone, Copy, PartialEq, Debug)]
#[allow(missing_docs)]
pub enum Event {
    /// A month begins: index into the calendar.
    MonthBegins {
        month: u8,
    },
    /// A fortnight begins, 1 or 2, with the weather of West and East Front.
    FortnightBegins {
        fortnight: u8,
        weather: [Weather; 2],
    },
    /// A faction's player turn begins.
    TurnBegins {
        faction: Faction,
    },
    /// Recognition is claimed: the level, and the sums of both sides' two dice (1936 rule 9).
    Recognition {
        by: Camp,
        level: u8,
        rolls: [u8; 2],
        granted: bool,
    },
    /// Rolls on the end of intervention (1936 rule 6).
    Intervention {
        rolls: [u8; 2],
        ended: bool,
    },
    /// French aid: the die and the points a month from now on (1936 rule 3).
    FrenchAid {
        roll: u8,
        points: u8,
    },
    /// A railhead is placed (1936 rule 3).
    Railhead {
        by: Camp,
        at: Hex,
    },
    /// The blockade is run: roll, and on how much it succeeds (1936 rule 5).
    Blockade {
        by: Camp,
        at: Hex,
        roll: u8,
        up_to: u8,
    },
    /// Points at hand in a production.
    Income {
        camp: Camp,
        account: Account,
        points: i16,
        /// Those of them that came in with it.
        received: i16,
    },
    /// The home account gives a front so many points a month from now on (11.5).
    Allotted {
        account: Account,
        points: i16,
    },
    /// Points go from an account to another, where they arrive next month (11.6).
    Transferred {
        from: Account,
        to: Account,
        points: i16,
    },
    /// A step was bought, or came for nothing.
    Built {
        block: BlockId,
        steps: u8,
    },
    /// A cadre or a reinforcement has been placed.
    Arrived {
        block: BlockId,
        at: Hex,
    },
    /// A garrison has been placed (1936 rule 2).
    Garrison {
        camp: Camp,
        at: Hex,
    },
    /// An enemy unit has entered a garrison's hex.
    GarrisonLost {
        camp: Camp,
        at: Hex,
    },
    /// Points left over: kept, or lost since others were spent (11.2).
    Leftover {
        account: Account,
        points: i16,
        kept: bool,
    },
    Activated {
        block: BlockId,
        mode: Mode,
        at: Hex,
    },
    Deactivated {
        block: BlockId,
    },
    Moved {
        block: BlockId,
        from: Hex,
        to: Hex,
    },
    MovedByRail {
        block: BlockId,
        from: Hex,
        to: Hex,
    },
    /// Has gone by sea: a naval move, an invasion, an evacuation (15.3, 15.5), with the dice of interception that await it.
    Sailed {
        block: BlockId,
        from: Hex,
        to: Hex,
        dice: u8,
    },
    /// Has been dropped from the air (14.2).
    Dropped {
        block: BlockId,
        from: Hex,
        to: Hex,
    },
    /// A voyage is intercepted (15.72): dice, hits, and whether the unit turns back.
    Intercepted {
        block: BlockId,
        dice: u8,
        hits: u8,
        turned_back: bool,
    },
    /// Naval supply of a port or beachhead is intercepted (15.73).
    SupplyIntercepted {
        at: Hex,
        dice: u8,
        cut: bool,
    },
    /// A storm strikes a basin (12.5).
    Storm {
        basin: crate::rules::Basin,
    },
    /// A beachhead is placed (15.62).
    BeachheadPlaced {
        block: BlockId,
        at: Hex,
    },
    /// A beachhead is withdrawn, or lost (15.62, 15.6).
    BeachheadGone {
        block: BlockId,
        at: Hex,
        lost: bool,
    },
    /// Naval supremacy changes (15.8).
    Supremacy {
        camp: Option<Camp>,
    },
    /// A battle begins (7.11).
    BattleBegins {
        at: Hex,
        defender: Camp,
    },
    /// A battle is over: one side is left, or nobody.
    BattleEnds {
        at: Hex,
        winner: Option<Camp>,
    },
    /// A round of combat begins (7.2).
    Round {
        at: Hex,
        active: Camp,
        supported: bool,
        assault: bool,
    },
    /// Dice, hits, repulses of a volley (7.3).
    Fired {
        volley: Volley,
        at: Hex,
        dice: u8,
        hits: u8,
        repulses: u8,
    },
    Repulsed {
        block: BlockId,
        to: Hex,
    },
    StepLost {
        block: BlockId,
        cause: Cause,
        left: u8,
    },
    Eliminated {
        block: BlockId,
        cause: Cause,
    },
    /// Supply status has changed (10.5).
    Supply {
        block: BlockId,
        supplied: bool,
    },
    /// War is declared (16.4); by treason or not (16.41).
    WarDeclared {
        by: Faction,
        on: NationId,
        treason: bool,
    },
    /// A neutral may react to a new belligerent: it does on this number or less (16.51).
    Reaction {
        to: NationId,
        of: NationId,
        roll: u8,
        up_to: u8,
    },
    /// A nation joins a faction (16.3).
    Joined {
        nation: NationId,
        faction: Faction,
    },
    /// A nation cooperates with a faction (16.2).
    Cooperates {
        nation: NationId,
        faction: Faction,
    },
    /// Points of a new belligerent's peace production (16.32).
    PeaceProduction {
        nation: NationId,
        points: i16,
    },
    /// A diplomatic event is tried: the die, 0 if none is rolled, and on how much it happens (16.6).
    Diplomacy {
        event: EventId,
        roll: u8,
        up_to: u8,
        happens: bool,
    },
    /// A nation is demoralised (16.71).
    Demoralised {
        nation: NationId,
    },
    /// The Allies stand by France, or not: the die, and the British forces in France (20.45).
    Solidarity {
        roll: u8,
        forces: u8,
        holds: bool,
    },
    /// An armistice is offered, and accepted or not (16.72).
    Armistice {
        nation: NationId,
        accepted: bool,
    },
    /// A revolt is tried: die, and below how much it breaks out (16.731); 0 without a roll.
    Uprising {
        nation: NationId,
        roll: u8,
        below: u8,
        happens: bool,
    },
    /// A demoralised nation is asked to surrender: die, and its War Weariness (16.8).
    Surrender {
        nation: NationId,
        roll: u8,
        weariness: u8,
        happens: bool,
    },
    /// A nation is defeated (16.9).
    Defeated {
        nation: NationId,
    },
    /// A faction has conquered a defeated nation (16.92).
    Conquered {
        nation: NationId,
        by: Faction,
    },
    GameOver {
        winner: Option<Camp>,
    },
}
