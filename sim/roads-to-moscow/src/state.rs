//! A game in progress: flat, below six kibibytes, without heap.

use sandtable_core::units::UnitPlaces;
use sandtable_core::{Hex, Index};

use crate::battle::Battle;
use crate::event::SupplyStatus;
use crate::ids::{
    Air, Formations, Hexes, MAX_FORMATIONS, MAX_UNITS, Marker, Markers, Player, UnitId, Units, place,
};
use crate::phase::{Phase, Sequence};
use crate::rules::{Crt, Weather};

/// Most attacks declared at once.
pub const MAX_ATTACKS: usize = 24;

/// What may lie on a unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Mark {
    /// One of two steps is lost (3.61).
    Reduced,
    /// Disorganised (3.7).
    Disorganised,
    /// Emergency supply (6.12).
    Emergency,
    /// Unsupplied (6.12).
    Unsupplied,
    /// Artillery that has fired (12.19).
    Fired,
    /// Headquarters or leader that has spent its points (15.22).
    Spent,
    /// Low on fuel (6.44, R5).
    LowFuel,
    /// Motorised and moved with fuel in this sequence (6.43a, R67).
    Fuelled,
    /// Fuel unit being spent, for the formation revealed or the only one (6.42).
    BeingSpent,
    /// Fuel unit being spent for the other of two combined formations (6.43d).
    SpentForOther,
    /// Activated or tried once this turn: Army units, leaders, fuel (7.42).
    UsedOnce,
    /// The same, twice.
    UsedTwice,
    /// Active in this sequence: of an active formation, an activated Army unit, leader, fuel (4.23b, 7.47).
    Active,
    /// Has moved, or may move no more, in this Movement Phase (8.11).
    Moved,
    /// Has tried to react in this sequence (R7).
    Reacted,
    /// Is among the attackers of a declared attack (9.11).
    Attacking,
    /// Builds a Fortified Position where it stands (14.26).
    Digging,
    /// Retreated in this Combat Phase into the hex where it stands (11.36).
    Retreated,
    /// Has made its recovery check in this Reorganisation Phase (3.75b).
    Checked,
}

impl Mark {
    /// How many there are.
    pub const COUNT: usize = 19;
    /// Those that go when an Operations Sequence ends.
    pub const OF_SEQUENCE: [Mark; 6] =
        [Mark::Active, Mark::Moved, Mark::Fuelled, Mark::Reacted, Mark::Attacking, Mark::Retreated];
}

/// A declared attack (9.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Attack {
    /// The attackers; those that have been lost or have refused-upon advanced are taken out.
    pub attackers: Units,
    /// The hex attacked.
    pub target: Hex,
    /// The table (10.3).
    pub crt: Crt,
    /// Where it stands.
    pub stage: Stage,
    /// The defender tried to refuse and failed: no No-Retreat declaration (9.42).
    pub refusal_failed: bool,
    /// The defender has tried to refuse, or has made the No-Retreat check: it is not asked again.
    pub asked: bool,
}

/// Where a declared attack stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Stage {
    /// Attackers are being named.
    Open,
    /// Declared, still to be fought.
    Declared,
    /// Fought, or off because the defender refused.
    Done,
}

impl Attack {
    /// No attack.
    pub const NONE: Attack = Attack {
        attackers: Units::EMPTY,
        target: place::OUT,
        crt: Crt::Assault,
        stage: Stage::Done,
        refusal_failed: false,
        asked: false,
    };
}

/// A game in progress. `Copy`, so that a clone is one copy of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    // ---- where the game stands ----
    /// What is being decided.
    pub phase: Phase,
    /// Who decides.
    pub decider: Player,
    /// The active player: whose Operations Sequence it is.
    pub active: Player,
    /// The kind of the sequence.
    pub sequence: Sequence,
    /// Turn, from 1.
    pub turn: u8,
    /// Weather of the turn.
    pub weather: Weather,
    /// First Player of the turn (7.13), holder of the initiative for the next.
    pub first: Player,
    /// Initiative modifiers collected for the next turn, by player (7.12).
    pub initiative: [u8; 2],
    /// On turn 1, before the cups are filled (R10).
    pub opening: bool,
    /// Who has won, once the game is over.
    pub winner: Player,
    /// Whether by the automatic condition.
    pub automatic: bool,
    /// Victory points of each player for units and optional groups (19).
    pub points: [i16; 2],

    // ---- activation markers (4.23), of both players together ----
    /// In the game: come into play, and of a formation that lives.
    pub in_play: Markers,
    /// In the cups.
    pub cup: Markers,
    /// Kept out of the Second Player's cup this turn, unseen (7.14).
    pub left_out: Markers,
    /// Played this turn.
    pub played: Markers,
    /// Drawn by the active player and not yet played.
    pub drawn: Option<Marker>,
    /// In the activation pool, by player (7.22).
    pub pool: [Option<Marker>; 2],
    /// Formations of which the marker in the pool is known not to be, by player: revealed in attempts to combine that
    /// failed (7.33e). Public: while the player has chosen a marker and not yet shown it, what is said of the pool is said
    /// of the marker that lay there before.
    pub pool_not: [Formations; 2],
    /// Formations in Reserve (5.3).
    pub reserve: Formations,
    /// Until which turn, by formation.
    pub reserve_until: [u8; MAX_FORMATIONS],
    /// Formations active in this sequence: one, or two combined (7.3).
    pub formations: Formations,
    /// Formations of this sequence for which fuel has been decided (6.43).
    pub fuel_decided: Formations,
    /// Out-of-range Army units tried in this sequence (7.45).
    pub army_attempts: u8,
    /// Fortified Positions that units other than engineers may still start in this sequence (14.27).
    pub digs_left: u8,
    /// Formations that were activated without fuel this turn (6.43): no reaction (R5).
    pub unfuelled: Formations,
    /// Optional groups taken, a bit each (R81).
    pub groups: u8,

    // ---- air ----
    /// In the Ready box (13.11).
    pub ready: Air,
    /// In the Flown box.
    pub flown: Air,

    // ---- units ----
    /// Where each unit is: a hex, or one of [`place`].
    pub places: UnitPlaces<UnitId, Hex, MAX_UNITS, 2>,
    /// Units in a hex: derived from `places`.
    pub on_map: Units,
    /// What lies on them, by [`Mark`].
    pub marks: [Units; Mark::COUNT],

    // ---- hexes ----
    /// Hexes with combat units, by player: derived.
    pub occupied: [Hexes; 2],
    /// Hexes with a combat unit whose zone of control is not limited, by player (3.23): derived.
    pub projecting: [Hexes; 2],
    /// Hexes in a zone of control, by player, occupied ones included (3.2): derived.
    pub zoc: [Hexes; 2],
    /// Hexes the German controls; the Soviet controls all others (3.12).
    pub german: Hexes,
    /// Completed Fortified Positions, by player (14.13).
    pub positions: [Hexes; 2],
    /// No-Retreat markers (9.45).
    pub no_retreat: Hexes,
    /// Entry hexes in which a player's units may not end a phase, by player, a bit each by their number (5.21): derived.
    pub closed_entries: [u32; 2],
    /// Fortified-Line hexes whose sides are destroyed, by their number in the tables (14.36).
    pub lines_destroyed: u64,

    // ---- the stack on the move (8, 9.3) ----
    /// The units that move.
    pub moving: Units,
    /// Their movement points left, in half points.
    pub movement_left: u8,
    /// Those of them that went low on fuel as they were picked: nothing has happened if they stay (6.43c).
    pub newly_low: Units,
    /// Whether they have begun: moved, entered the map, or overrun from where they stood.
    pub under_way: bool,
    /// Whether they have come into the hex where they stand, and were not there before (9.45).
    pub has_entered: bool,
    /// Whether units have set out with them that may not overrun: those must be left behind where they begin (8.52).
    pub burdened: bool,
    /// Whether it is Reaction Movement (9.3).
    pub reacting: bool,
    /// Whether the stack must overrun or stop (8.56i).
    pub must_overrun: bool,
    /// The unit whose check is at hand: Army unit, reaction, refusal, No Retreat, recovery; else none.
    pub unit: UnitId,
    /// The hex at hand in refusal and No Retreat.
    pub hex: Hex,

    // ---- combat ----
    /// Declared attacks.
    pub attacks: [Attack; MAX_ATTACKS],
    /// How many there are.
    pub attack_count: u8,
    /// The combat at hand, with its retreats and its advance.
    pub battle: Battle,
}

const _: () = assert!(size_of::<State>() <= 6 * 1024);

impl State {
    /// Where a unit is, if in a hex.
    #[inline]
    pub fn place(&self, unit: UnitId) -> Option<Hex> {
        self.on_map.contains(unit).then(|| self.places.of(unit))
    }
    /// Where a unit is; one of [`place`] if in no hex.
    #[inline]
    pub fn at(&self, unit: UnitId) -> Hex {
        self.places.of(unit)
    }
    /// The units in a hex, leaders and fuel included.
    #[inline]
    pub fn stack(&self, hex: Hex) -> Units {
        self.places.at(hex)
    }
    /// Units with a mark.
    #[inline]
    pub fn marked(&self, mark: Mark) -> &Units {
        &self.marks[mark as usize]
    }
    /// Whether a unit has a mark.
    #[inline]
    pub fn has(&self, unit: UnitId, mark: Mark) -> bool {
        self.marks[mark as usize].contains(unit)
    }
    /// Puts a mark on a unit.
    #[inline]
    pub fn mark(&mut self, unit: UnitId, mark: Mark) {
        self.marks[mark as usize].insert(unit);
    }
    /// Takes a mark off a unit.
    #[inline]
    pub fn unmark(&mut self, unit: UnitId, mark: Mark) {
        self.marks[mark as usize].remove(unit);
    }
    /// Takes a mark off all units.
    #[inline]
    pub fn clear(&mut self, mark: Mark) {
        self.marks[mark as usize] = Units::EMPTY;
    }
    /// Supply of a unit (6.12).
    pub fn supply(&self, unit: UnitId) -> SupplyStatus {
        match () {
            () if self.has(unit, Mark::Unsupplied) => SupplyStatus::Unsupplied,
            () if self.has(unit, Mark::Emergency) => SupplyStatus::Emergency,
            () => SupplyStatus::Supplied,
        }
    }
    /// Who controls a hex (3.12).
    #[inline]
    pub fn controller(&self, hex: Hex) -> Player {
        if self.german.contains(hex) { Player::German } else { Player::Soviet }
    }
    /// Whether a hex is empty of combat units and lies in zones of control of both (3.12b).
    #[inline]
    pub fn is_contested(&self, hex: Hex) -> bool {
        self.zoc.iter().all(|zone| zone.contains(hex)) && !self.occupied.iter().any(|held| held.contains(hex))
    }
    /// The declared attacks.
    #[inline]
    pub fn attacks(&self) -> &[Attack] {
        &self.attacks[..self.attack_count as usize]
    }
    /// The declared attack on a hex that is still to be fought.
    #[inline]
    pub fn attack_on(&self, hex: Hex) -> Option<usize> {
        self.attacks().iter().position(|attack| attack.target == hex && attack.stage == Stage::Declared)
    }
    /// Whether a formation is in Reserve.
    #[inline]
    pub fn in_reserve(&self, formation: crate::ids::FormationId) -> bool {
        self.reserve.contains(formation)
    }
    /// Units anywhere in these places.
    pub fn units_at_place(&self, place: Hex) -> Units {
        self.places.at(place)
    }
}

/// The number of a place that is no hex.
#[inline]
pub fn is_hex(place: Hex) -> bool {
    place.at() < crate::ids::place::FIRST as usize
}
