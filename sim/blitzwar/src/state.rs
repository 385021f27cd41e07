//! A game in progress: at most 2 KiB, flat, cloned by copying bytes.
//!
//! ```text
//! counters   place, next, strength+step flags, marks    251 x 5 bytes   one entry a counter of the sheet
//! places     head of the sorted list of counters        216 zones + 18 seas + 10 beachheads + bombing box
//! zones      control, corps, attacked, supply           bitsets of 256 bits
//! countries  status, turn of surrender                  20 x 2 bytes
//! cards, timers, reinforcements, phase, combat          about 170 bytes
//! ```
//!
//! A counter is always somewhere: in a zone, at sea, in a beachhead, in the bombing box, in the pool or locked.
//! The lists of the places are sorted by counter index, so that equal positions have equal lists. What is only kept to save
//! work ([`State::stale`], [`State::piled`] and what they speak of) may differ with the way that led to a position.

use sandtable_core::units::{Stack, UnitLists};
use sandtable_core::{Index, PerIndex};

use crate::location::{Counter, Counters, Location, MAX_COUNTERS, SLOTS, Sea, Zone, Zones};
use crate::nation::{COUNTRIES, Country, Force, Nation};
use crate::phase::{Pending, Phase};

/// No card, nothing.
pub const NONE: u8 = 255;
/// Blitz groups that are told apart (17.1): as many as [`mark::GROUP`] counts.
pub(crate) const GROUPS: usize = 15;
/// Zones in a block of [`State::piled`].
const PILE: u32 = 16;
/// Places that have a list of counters.
pub(crate) const PLACES: usize = Location::BOMBING_BOX.0 as usize + 1;

/// Standing of a country (9).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Status {
    /// At war on the Axis side.
    Axis = 0,
    /// At war on the Allied side.
    Allied = 1,
    /// At war on the Soviet side.
    Soviet = 2,
    /// Neutral.
    Neutral = 3,
    /// Neutral, but lets Axis troops pass (Romania, Turkey).
    Passage = 4,
    /// Surrendered.
    Surrendered = 5,
    /// Not in existence (Vichy before the French surrender).
    Absent = 6,
}

impl Status {
    /// The side the country fights on.
    #[inline]
    pub fn force(self) -> Option<Force> {
        match self {
            Status::Axis => Some(Force::Axis),
            Status::Allied => Some(Force::Allied),
            Status::Soviet => Some(Force::Soviet),
            _ => None,
        }
    }
    /// Active on this side.
    pub fn active(force: Force) -> Status {
        [Status::Axis, Status::Allied, Status::Soviet][force.index()]
    }
    /// Neutral, with or without passage.
    #[inline]
    pub fn is_neutral(self) -> bool {
        matches!(self, Status::Neutral | Status::Passage)
    }
}

/// Turns on which things happened (0 = not yet), and counts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Timers {
    /// First Axis attack on Belgium-Holland or France (16.3.1).
    pub west_attack: u8,
    /// Poland had surrendered to the Axis before that (R-47).
    pub poland_before_west: bool,
    /// First Axis attack on the USSR or Eastern Poland (11.7, 11.9, 16.3.1).
    pub east_attack: u8,
    /// First turn of war between Axis and USSR (9.3).
    pub axis_soviet_war: u8,
    /// First turn in which the British attacked Italians (9.6).
    pub british_italian_first: u8,
    /// Latest turn in which the British attacked only Italians (16.3.1).
    pub british_italian_last: u8,
    /// How many such turns there were.
    pub british_italian_turns: u8,
    /// French surrender (9.4).
    pub french_surrender: u8,
    /// Yugoslav surrender to the Axis (9.5).
    pub yugoslav_surrender: u8,
    /// Creation of Free France (9.4).
    pub free_france: u8,
    /// Liberation of Paris after the French surrender (9.4).
    pub paris_liberated: u8,
    /// USA at war (9.3).
    pub usa_entry: u8,
    /// Turns by which the entry of the USA is brought forward.
    pub usa_advance: u8,
    /// Germans have landed in Great Britain.
    pub britain_landed: bool,
    /// The Spanish roll has been offered.
    pub spain_asked: bool,
    /// The Turkish roll has been offered.
    pub turkey_asked: bool,
    /// Turn from which each side may choose Total War cards (10.2); 0 = not yet known.
    pub total_war: [u8; 3],
    /// The white counter of Karelia has been granted or refused (11.8).
    pub karelia_checked: bool,
    /// Axis held the points for the German defence shift at the end of its last turn (16.3.2).
    pub german_defence: bool,
}

/// Units of a power waiting for placement in the Reinforcement Phase (11.3 to 11.5).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Queue {
    /// Infantry corps.
    pub infantry: u8,
    /// Armour corps.
    pub armour: u8,
    /// Air units.
    pub air: u8,
    /// Fleet units.
    pub fleet: u8,
    /// Submarine units.
    pub submarine: u8,
    /// Supply units.
    pub supply: u8,
    /// Supply still to be lost (11.3).
    pub loss: u8,
    /// British corps still allowed from a Total War card (11.5); 255 = no limit.
    pub british: u8,
    /// Counters the Soviet player may still release (11.8).
    pub development: u8,
}

/// A land combat being built or resolved (16, 17).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Combat {
    /// Zone attacked.
    pub target: Zone,
    /// Side that defends.
    pub defender: u8,
    /// Corps the attacker still has to lose (0 or 1).
    pub attacker_due: u8,
    /// The attacker's loss is an armour corps.
    pub attacker_armour: bool,
    /// The attacker's loss comes from an Elite Army.
    pub attacker_elite: bool,
    /// Corps the defender still has to lose.
    pub defender_due: u8,
    /// One of these must be armour.
    pub defender_armour: bool,
    /// One of these must be German.
    pub defender_german: bool,
    /// Corps lost so far by the attacker.
    pub attacker_lost: u8,
    /// Corps lost so far by the defender.
    pub defender_lost: u8,
    /// Infantry advances as armour (8-1 or better).
    pub fast_infantry: bool,
    /// All attackers came across an intact fortified line.
    pub all_across_line: bool,
    /// Lowest counter that may still be withheld while the attack is built.
    pub cursor: Counter,
}

impl Combat {
    pub(crate) const NONE: Combat = Combat {
        target: Zone::NONE,
        defender: 0,
        attacker_due: 0,
        attacker_armour: false,
        attacker_elite: false,
        defender_due: 0,
        defender_armour: false,
        defender_german: false,
        attacker_lost: 0,
        defender_lost: 0,
        fast_infantry: false,
        all_across_line: false,
        cursor: Counter(0),
    };
}

/// Marks of a counter that last a turn or a combat.
pub(crate) mod mark {
    /// Transported by sea or moved strategically: no tactical move or attack this turn (14.1.1, 15.2).
    pub const NO_LAND: u16 = 1;
    /// Supply for tactical move or activation has been paid this turn (7).
    pub const PAID: u16 = 1 << 1;
    /// Activated for attack (15.3).
    pub const ACTIVE: u16 = 1 << 2;
    /// Takes part in the combat at hand.
    pub const ATTACKS: u16 = 1 << 3;
    /// Fought in the Normal Phase.
    pub const FOUGHT: u16 = 1 << 4;
    /// Out of supply (17.5).
    pub const UNSUPPLIED: u16 = 1 << 5;
    /// Made or changed by reorganisation in this phase: not reorganised again (keeps phases finite).
    pub const REORGANISED: u16 = 1 << 6;
    /// Moved as a ship, as air strategically, or by the one-zone move: not again this turn, but for the free move of 17.5.
    pub const DONE: u16 = 1 << 7;
    /// Zones advanced, two bits.
    pub const ADVANCED: u16 = 3 << 8;
    /// One zone of advance.
    pub const ADVANCED_ONE: u16 = 1 << 8;
    /// Came ashore from a beachhead this turn: its advance keeps the landing's limits (16.4).
    pub const ASHORE: u16 = 1 << 10;
    /// The last zone it advanced into bars a further one (17.3).
    pub const HALTED: u16 = 1 << 11;
    /// Blitz group, four bits; 0 = did not fight in the Blitz Phase (17.1).
    pub const GROUP: u16 = 15 << 12;
    /// Shift of the group number.
    pub const GROUP_SHIFT: u32 = 12;
}

const STRENGTH: u8 = 15;
const FACE: u8 = 16;
const MOVED_SHIFT: u32 = 5;

/// A game in progress.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct State {
    /// Where the counters are, with their lists by place (derived).
    pub(crate) places: UnitLists<Counter, Location, MAX_COUNTERS, PLACES>,
    /// Bits 0-3 units (supply: half units), bit 4 fortified or on mission, bits 5-7 zones moved.
    step: PerIndex<Counter, u8, MAX_COUNTERS>,
    pub(crate) marks: PerIndex<Counter, u16, MAX_COUNTERS>,
    /// Counters in the list of a place: all but those in the pool and the locked ones (derived).
    pub(crate) on_map: Counters,
    /// Nations whose counters are on each side, one bit a nation (derived).
    pub(crate) allies: [u32; 3],
    /// Zones each side controls.
    pub(crate) control: [Zones; 3],
    /// Zones with infantry or armour of each side (derived).
    pub(crate) corps: [Zones; 3],
    /// In phases 8a and 9a: zones attacked in this phase (16.1). Elsewhere, if `befriended`: zones where the friend of the
    /// side in turn has counters that bar them, corps apart (4; derived).
    pub(crate) attacked: Zones,
    /// Zones attacked by the Allies this turn (16.1).
    pub(crate) allied_attacked: Zones,
    /// In phase 3d: Supply Zones where the active side's reinforcements come. From phase 4 on: zones to which a depot of
    /// it has a line (derived).
    pub(crate) fuel: Zones,
    /// In phase 3d, while air waits: zones with a line of supply. From phase 4 on: of [`State::fuel`], the zones of the
    /// first of at most two networks, if it is `paired`; else none (derived).
    pub(crate) main: Zones,
    pub(crate) slot_zone: [Zone; SLOTS],
    pub(crate) slot_sea: [Sea; SLOTS],
    pub(crate) status: [Status; COUNTRIES],
    /// Turns of the last surrenders (9.2), with [`State::WAS_AXIS`]; 0 for countries that never have.
    pub(crate) surrendered: [u8; COUNTRIES],
    /// Cards of turns t, t+1, t+2, t+3 (face down but for the first, once shown); 255 = none.
    pub(crate) cards: [[u8; 4]; 3],
    /// Cards shown on turns t-1, t-2, t-3; 255 = none.
    pub(crate) shown: [[u8; 3]; 3],
    pub(crate) queue: [Queue; 3],
    pub(crate) timers: Timers,
    /// Target of each Blitz group from the first on, [`Location::NONE`] where there is none.
    pub(crate) group_target: [Zone; GROUPS],
    /// Fortified lines gone, bit i for the i-th zone that has one.
    pub(crate) broken_lines: u8,
    pub(crate) turn: u8,
    pub(crate) phase: Phase,
    /// Side whose turn (phases 4 to 9) or part of a phase (1 to 3) it is.
    pub(crate) active: Force,
    pub(crate) pending: Pending,
    pub(crate) combat: Combat,
    /// Of a phase's own use: units already done, cursor over countries. Once the game is over: end reason, points of Allies and
    /// Soviets, points of the Axis.
    pub(crate) tally: [u8; 4],
    /// Battle of Britain won this turn: the Axis may land in Great Britain (13.4.3).
    pub(crate) britain_open: bool,
    /// From phase 4 on: there are at most two networks of the active side, all with their depots on its own ground
    /// (derived).
    pub(crate) paired: bool,
    /// Half units of supply in [`State::main`] and in the rest of [`State::fuel`], at most 255 each, if `paired`; else 0
    /// (derived).
    pub(crate) stock: [u8; 2],
    /// Depots on the active side's own ground beyond the first of each network: if there are any, the owner may say which
    /// of several pays (R-16; derived with [`State::fuel`]).
    pub(crate) spare_depots: u8,
    /// The depot named to pay next, [`Location::NONE`]: the nearest does (R-16).
    pub(crate) payer: Zone,
    /// [`State::attacked`] holds zones of the friend of the side in turn; never for the Axis, nor in phases 8a and 9a.
    pub(crate) befriended: bool,
    /// Blocks of [`PILE`] zones, one bit each, where a stack may be over the limit (4): all are within it in those left
    /// out.
    pub(crate) piled: u16,
    /// Reorganisation has been declined, until a counter moves (11.10).
    pub(crate) sorted: bool,
    /// [`State::fuel`], [`State::main`], [`State::paired`] and [`State::stock`] are out of date: they are computed anew when a
    /// phase asks for them ([`Phase::asks_for_supply`]). Until then they hold what was true of an earlier position.
    pub(crate) stale: bool,
    /// The Elite Army that has attacked a zone of the Soviet Union this turn, if any (11.7).
    pub(crate) elite_east: Counter,
    /// French ports in Allied hands when Vichy was created (9.4).
    pub(crate) vichy_ports: u8,
}

const _: () = assert!(std::mem::size_of::<State>() <= 2048, "a state is at most 2 KiB");

impl State {
    /// Flag in `surrendered`: the country fought on the Axis side when it surrendered.
    pub(crate) const WAS_AXIS: u8 = 0x80;

    /// The map without counters, everything in the pool, every country absent.
    pub(crate) fn blank() -> State {
        State {
            places: UnitLists::all_in(Location::POOL),
            step: PerIndex::new([0; MAX_COUNTERS]),
            marks: PerIndex::new([0; MAX_COUNTERS]),
            on_map: Counters::EMPTY,
            allies: NO_COUNTRY_AT_WAR,
            control: [Zones::EMPTY; 3],
            corps: [Zones::EMPTY; 3],
            attacked: Zones::EMPTY,
            allied_attacked: Zones::EMPTY,
            fuel: Zones::EMPTY,
            main: Zones::EMPTY,
            slot_zone: [Zone::NONE; SLOTS],
            slot_sea: [Sea::NONE; SLOTS],
            status: [Status::Absent; COUNTRIES],
            surrendered: [0; COUNTRIES],
            cards: [[NONE; 4]; 3],
            shown: [[NONE; 3]; 3],
            queue: [Queue::default(); 3],
            timers: Timers::default(),
            group_target: [Zone::NONE; GROUPS],
            broken_lines: 0,
            turn: 1,
            phase: Phase::Deployment,
            active: Force::Axis,
            pending: Pending::None,
            combat: Combat::NONE,
            tally: [0; 4],
            britain_open: false,
            befriended: false,
            piled: u16::MAX,
            paired: false,
            stock: [0; 2],
            spare_depots: 0,
            payer: Zone::NONE,
            sorted: false,
            stale: true,
            elite_east: Counter::NONE,
            vichy_ports: 0,
        }
    }

    /// A hash of every byte of the state.
    pub(crate) fn digest(&self) -> u64 {
        sandtable_core::digest::Digest::of(self)
    }

    // ---- what agents and reports read ----

    /// Turn of the calendar, from 1.
    pub fn turn(&self) -> u8 {
        self.turn
    }
    /// Phase.
    pub fn phase(&self) -> Phase {
        self.phase
    }
    /// Decision inside the phase that is open, if any.
    pub fn pending(&self) -> Pending {
        self.pending
    }
    /// Side whose turn it is; an interrupt may let another side decide.
    pub fn active(&self) -> Force {
        self.active
    }
    /// Combat at hand; meaningful in combat phases.
    pub fn combat(&self) -> &Combat {
        &self.combat
    }
    /// Dates of events.
    pub fn timers(&self) -> &Timers {
        &self.timers
    }
    /// Standing of a country.
    #[inline]
    pub fn status(&self, country: Country) -> Status {
        self.status[country.index()]
    }
    /// Turn of a country's surrender, of the last one if it has fought again since; 0 if it never has.
    pub fn surrender_turn(&self, country: Country) -> u8 {
        self.surrendered[country.index()] & !Self::WAS_AXIS
    }
    /// Zones a side controls.
    #[inline]
    pub fn control(&self, force: Force) -> &Zones {
        &self.control[force.index()]
    }
    /// Who controls a zone; `None` for neutrals.
    #[inline]
    pub fn controller(&self, zone: Zone) -> Option<Force> {
        Force::ALL.into_iter().find(|force| self.control[force.index()].contains(zone))
    }
    /// Zones with infantry or armour of a side at war.
    #[inline]
    pub fn corps(&self, force: Force) -> &Zones {
        &self.corps[force.index()]
    }
    /// Where a counter is.
    #[inline]
    pub fn location(&self, counter: Counter) -> Location {
        self.places.of(counter)
    }
    /// Units on the counter's face (corps, ships, air units; for supply, half units).
    #[inline]
    pub fn strength(&self, counter: Counter) -> u8 {
        self.step[counter] & STRENGTH
    }
    /// Whether the counter is on its other face: fortified corps, air on mission.
    #[inline]
    pub fn is_turned(&self, counter: Counter) -> bool {
        self.step[counter] & FACE != 0
    }
    /// Zones the counter has moved this turn.
    #[inline]
    pub fn moved(&self, counter: Counter) -> u8 {
        self.step[counter] >> MOVED_SHIFT
    }
    /// Whether the counter has not moved this turn, nor is on its other face.
    #[inline]
    pub(crate) fn is_fresh(&self, counter: Counter) -> bool {
        self.step[counter] & !STRENGTH == 0
    }
    /// Whether the counter is marked out of supply (17.5).
    #[inline]
    pub fn is_unsupplied(&self, counter: Counter) -> bool {
        self.has_mark(counter, mark::UNSUPPLIED)
    }
    /// Whether the counter is activated for attack (15.3).
    #[inline]
    pub fn is_activated(&self, counter: Counter) -> bool {
        self.has_mark(counter, mark::ACTIVE)
    }
    /// Zones attacked by the Allies this turn, which the Soviets may not attack (16.1).
    #[inline]
    pub fn allied_attacked(&self) -> &Zones {
        &self.allied_attacked
    }
    /// Whether the counter has attacked in a combat of its side's latest turn (16, 17).
    #[inline]
    pub fn has_fought(&self, counter: Counter) -> bool {
        self.has_mark(counter, mark::FOUGHT | mark::GROUP)
    }
    /// Whether the counter takes part in the combat at hand.
    #[inline]
    pub fn attacks(&self, counter: Counter) -> bool {
        self.has_mark(counter, mark::ATTACKS)
    }
    /// Counters in a place, in ascending order.
    #[inline]
    pub fn stack(&self, place: Location) -> Stack<'_, Counter> {
        self.places.at(place)
    }
    /// Counters in a place as a set, for those who move them.
    pub(crate) fn members(&self, place: Location) -> Counters {
        self.stack(place).collect()
    }
    /// Whether any beachhead is in use.
    #[inline]
    pub(crate) fn has_beachheads(&self) -> bool {
        self.slot_zone != [Zone::NONE; SLOTS]
    }
    /// Zone and sea of a beachhead location, if it is in use.
    pub fn beachhead(&self, place: Location) -> Option<(Zone, Sea)> {
        let slot = place.slot()?;
        (self.slot_zone[slot] != Zone::NONE).then(|| (self.slot_zone[slot], self.slot_sea[slot]))
    }
    /// Cards of turns t to t+3 of a side. Only for those who may see them; determinized states hold guesses.
    pub fn cards(&self, force: Force) -> [Option<u8>; 4] {
        self.cards[force.index()].map(|card| (card != NONE).then_some(card))
    }
    /// Reinforcements waiting for placement.
    pub fn queue(&self, force: Force) -> &Queue {
        &self.queue[force.index()]
    }
    /// Whether the Battle of Britain has opened Great Britain to landings this turn (13.4.3).
    pub fn britain_open(&self) -> bool {
        self.britain_open
    }

    // ---- marks and steps ----

    #[inline]
    pub(crate) fn has_mark(&self, counter: Counter, mark: u16) -> bool {
        self.marks[counter] & mark != 0
    }
    #[inline]
    pub(crate) fn add_mark(&mut self, counter: Counter, mark: u16) {
        self.marks[counter] |= mark;
    }
    #[inline]
    pub(crate) fn clear_mark(&mut self, counter: Counter, mark: u16) {
        self.marks[counter] &= !mark;
    }
    #[inline]
    pub(crate) fn set_strength(&mut self, counter: Counter, strength: u8) {
        let step = &mut self.step[counter];
        *step = *step & !STRENGTH | strength;
    }
    #[inline]
    pub(crate) fn turn_face(&mut self, counter: Counter, turned: bool) {
        let step = &mut self.step[counter];
        *step = if turned { *step | FACE } else { *step & !FACE };
    }
    #[inline]
    pub(crate) fn set_moved(&mut self, counter: Counter, zones: u8) {
        let step = &mut self.step[counter];
        *step = *step & !(7 << MOVED_SHIFT) | zones << MOVED_SHIFT;
    }
    /// Strength, face and marks in one word: equal words make interchangeable counters of a type.
    #[inline]
    pub(crate) fn look(&self, counter: Counter) -> u32 {
        u32::from(self.step[counter]) << 16 | u32::from(self.marks[counter])
    }

    /// Puts a counter into a place. Does not touch derived sets but that of the counters on the map.
    #[inline]
    pub(crate) fn put(&mut self, counter: Counter, place: Location) {
        self.places.put(counter, place);
        self.on_map.set(counter, place.at() < PLACES);
    }

    // ---- what is derived ----

    /// A stack has grown and may be over the limit (4).
    #[inline]
    pub(crate) fn pile(&mut self, zone: Zone) {
        self.piled |= 1 << (u32::from(zone.0) / PILE);
    }

    /// Zones where a stack may be over the limit (4), and others beside them.
    pub(crate) fn piles(&self) -> Zones {
        let mut zones = Zones::EMPTY;
        for (nth, word) in zones.0.iter_mut().enumerate() {
            let blocks = u64::from(self.piled >> (4 * nth)) & 15;
            // Bit b goes to bit 16 b, and from there fills its block.
            *word = ((blocks | blocks << 15 | blocks << 30 | blocks << 45) & 0x0001_0001_0001_0001) * 0xffff;
        }
        zones
    }

    /// Supply has come or gone: lines must be followed anew. While reinforcements are placed they are looked for only if
    /// air waits.
    pub(crate) fn supply_moved(&mut self) {
        self.stale |= self.phase != Phase::Placement || self.queue[self.active.index()].air > 0;
    }

    /// Puts another side in turn: what is derived for the one before holds no more.
    pub(crate) fn set_active(&mut self, force: Force) {
        if self.active != force {
            self.active = force;
            self.stale = true;
            self.forget_friends();
        }
    }

    /// Counters of the friend of the side in turn may have come or gone, or another side is in turn.
    #[inline]
    pub(crate) fn forget_friends(&mut self) {
        if self.befriended {
            self.befriended = false;
            self.attacked = Zones::EMPTY;
        }
    }

    // ---- sides ----

    /// The side a nation's counters are on, `None` while neutral.
    #[inline]
    pub fn force_of(&self, nation: Nation) -> Option<Force> {
        // A nation is on one side at most.
        let [axis, allied, soviet] = self.allies.map(|nations| nations >> nation as u32 & 1);
        [None, Some(Force::Axis), Some(Force::Allied), Some(Force::Soviet)]
            [(axis | allied << 1 | (soviet << 1 | soviet)) as usize & 3]
    }

    /// Whether a nation's counters are on a side.
    #[inline]
    pub(crate) fn serves(&self, nation: Nation, force: Force) -> bool {
        self.allies[force.index()] >> nation as u32 & 1 != 0
    }

    /// Changes the standing of a country.
    pub(crate) fn set_status(&mut self, country: Country, status: Status) {
        self.status[country.index()] = status;
        self.forget_friends();
        self.refresh_allies();
    }

    /// Derives the nations of each side from the standing of the countries.
    pub(crate) fn refresh_allies(&mut self) {
        let vichy = self.status[Country::Vichy.index()];
        self.allies = NO_COUNTRY_AT_WAR;
        for nation in Nation::ALL {
            let force = match nation {
                // Common supply; American ships are at the Allies' disposal before the USA is at war (19).
                Nation::Axis | Nation::Allied | Nation::Usa => continue,
                // French counters are Vichy's or Free France's once France has surrendered (9.4).
                Nation::Fra if vichy != Status::Absent => vichy.force(),
                // Yugoslav counters of a surrendered country are partisans (9.5).
                Nation::Yug if self.status[Country::Yug.index()] == Status::Surrendered => {
                    Some(Force::Allied)
                }
                _ => self.status[nation.index()].force(),
            };
            if let Some(force) = force {
                self.allies[force.index()] |= 1 << nation as u32;
            }
        }
    }
}

/// The nations that are on a side whatever the countries do.
const NO_COUNTRY_AT_WAR: [u32; 3] =
    [1 << Nation::Axis as u32, 1 << Nation::Allied as u32 | 1 << Nation::Usa as u32, 0];
