//! A game in progress: flat, below eight kibibytes, without heap.

use sandtable_core::units::UnitPlaces;
use sandtable_core::{Direction, Hex, PerIndex};

use crate::ids::{
    Account, BLOCK_WORDS, BlockId, Blocks, Camp, Faction, Hexes, MAX_BLOCKS, Nations, PerBlock, Seas,
};
use crate::nations::DiplomacyState;
use crate::phase::Phase;
use crate::rules::Weather;

/// Most headquarters of a scenario, of all factions.
pub const MAX_HEADQUARTERS: usize = 44;

/// What may lie on a block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Mark {
    /// Unsupplied since the last check (10.5).
    Unsupplied,
    /// Face up (7.14, 5.2).
    Revealed,
    /// A headquarters that is activated (5.2).
    Active,
    /// An activated headquarters that has chosen Blitz (5.6).
    Blitz,
    /// A headquarters that has deactivated in this player turn (5.5).
    Deactivated,
    /// Has moved in this Movement Phase (6.1).
    Moved,
    /// Has moved strategically in this player turn (6.62).
    Strategic,
    /// Has entered the battle in which it stands in this Movement Phase (6.4).
    Entered,
    /// Waits in its battle as the rearguard of a retreat (6.51). In combat: [`Mark::REPULSED`].
    Rearguard,
    /// Has invaded or was dropped in this player turn: controls nothing and moves no more (15.56, 14.3).
    Dispersed,
    /// Production: is to receive a step, or to be placed where [`State::crossing`] says, when both camps have decided. In a
    /// fortnight: [`Mark::STARVED_THIS_FORTNIGHT`].
    Ordered,
    /// Has been acclimatised to the front on which it is, or began there (6.73). Of an eliminated block: [`Mark::FALLEN`].
    Acclimatised,
    /// An Axis unit that has lost a step to attrition since the last Axis player turn (10.6).
    Starved,
}

impl Mark {
    /// How many there are.
    pub const COUNT: usize = 13;
    /// An Axis unit that has lost a step to attrition in this fortnight (10.6): nothing is ordered then.
    pub const STARVED_THIS_FORTNIGHT: Mark = Mark::Ordered;
    /// A unit that this volley has repulsed (7.61): no rearguard waits any more then.
    pub const REPULSED: Mark = Mark::Rearguard;
    /// A British block eliminated in France or Belgium, until it is rebuilt (B64): off the map nobody is acclimatised.
    pub const FALLEN: Mark = Mark::Acclimatised;
    /// An eliminated block that belongs to an extreme front and has fallen elsewhere: it is not rebuilt there (21.373, 21.462).
    pub const FALLEN_ABROAD: Mark = Mark::Unsupplied;
    /// An eliminated block of a nation that has surrendered without a desertion: it may be built in the capital (16.84). Off the
    /// map nobody is face up.
    pub const EQUIVALENT: Mark = Mark::Revealed;
    /// A unit of the active faction that has moved in the first Movement Phase of a turn in which headquarters invade or drop
    /// (15.51, 14.21): who starves does so in the enemy's turns.
    pub const MOVED_FIRST: Mark = Mark::Starved;
    /// Those that go when a Movement Phase begins.
    pub const OF_MOVEMENT: [Mark; 3] = [Mark::Moved, Mark::Entered, Mark::Rearguard];
    /// Those that go when a player turn ends.
    pub const OF_TURN: [Mark; 6] =
        [Mark::Active, Mark::Blitz, Mark::Deactivated, Mark::Moved, Mark::Strategic, Mark::Entered];
}

/// Set in a [`Crossing`] that is a place at the other end of a voyage, and of a flight: hexsides are smaller.
const BY_SEA: u16 = 0x4000;
const BY_AIR: u16 = 0x8000;

/// A hexside, the same from both of its hexes; or none. Or how else a unit came to where it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Crossing(pub u16);

impl Crossing {
    /// No hexside.
    pub const NONE: Crossing = Crossing(u16::MAX);
    /// The side of a hex in a direction; `next` is the hex beyond.
    #[inline]
    pub const fn new(hex: Hex, way: Direction, next: Hex) -> Crossing {
        match way {
            Direction::Ahead | Direction::NextAhead | Direction::NextBack => {
                Crossing(hex.0 << 2 | way as u16)
            }
            _ => Crossing(next.0 << 2 | way.opposite() as u16),
        }
    }
    /// Smallest number that is no hexside.
    const FIRST_ROUTE: u16 = 0xf000;
    /// A route of the map's edge, by its number (18.37).
    #[inline]
    pub const fn route(number: u8) -> Crossing {
        Crossing(Crossing::FIRST_ROUTE | number as u16)
    }
    /// No hexside: the unit has come by sea from a port, or from the hex of an evacuation (15.3, 15.5).
    #[inline]
    pub const fn by_sea(from: Hex) -> Crossing {
        Crossing(BY_SEA | from.0)
    }
    /// No hexside: the unit was dropped, and started in this hex (14.22).
    #[inline]
    pub(crate) const fn by_air(from: Hex) -> Crossing {
        Crossing(BY_AIR | from.0)
    }
    /// Where a unit that has come by sea started.
    #[inline]
    pub const fn embarked(self) -> Option<Hex> {
        if self.0 & (BY_SEA | BY_AIR) == BY_SEA { Some(Hex(self.0 & !BY_SEA)) } else { None }
    }
    /// Where a unit that was dropped started.
    #[inline]
    pub(crate) const fn took_off(self) -> Option<Hex> {
        if self.0 & (BY_SEA | BY_AIR) == BY_AIR { Some(Hex(self.0 & !BY_AIR)) } else { None }
    }
    /// The hex from which it is one of the first three directions, and that direction.
    #[inline]
    pub const fn end(self) -> Option<(Hex, Direction)> {
        if self.0 & (BY_SEA | BY_AIR) != 0 {
            return None;
        }
        Some((Hex(self.0 >> 2), Direction::ALL[(self.0 & 3) as usize]))
    }
}

/// The stages of a round of combat (7.2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Stage {
    /// The airstrike.
    Air,
    /// The passive side fires.
    Defence,
    /// The active side fires.
    Offence,
    /// The round is over.
    Done,
}

/// The battle being fought.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Battle {
    /// Where; [`Hex`] 0 if none.
    pub hex: Hex,
    /// The next volley.
    pub stage: Stage,
    /// Hits that have not been taken yet.
    pub hits: u8,
    /// Repulses that have not been carried out yet.
    pub repulses: u8,
    /// Who takes them.
    pub target: Camp,
    /// The passive unit that has taken part of a step (7.35).
    pub partial_on: BlockId,
    /// Hits it has taken towards its step.
    pub partial: u8,
    /// All that started it assault, and those who have not been repulsed are to be acclimatised yet (7.6, 21.351).
    pub assault: bool,
}

impl Battle {
    /// No battle.
    pub const NONE: Battle = Battle {
        hex: Hex(0),
        stage: Stage::Done,
        hits: 0,
        repulses: 0,
        target: Camp::Axis,
        partial_on: BlockId::NONE,
        partial: 0,
        assault: false,
    };
}

/// What only the Spanish Civil War keeps (1936 rules 3 to 9).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CivilWarState {
    /// French aid a month; as many railheads of it may be placed.
    pub french_aid: u8,
    /// Railheads of French aid; [`crate::ids::place::OUT`] where there is none.
    pub french: [Hex; 2],
    /// The railhead of Soviet aid, if it has come this month.
    pub soviet: Hex,
    /// The railhead of Axis aid in a Nationalist port, if it has come there this month.
    pub axis: Hex,
    /// Points of Axis aid this month.
    pub axis_aid: u8,
    /// Recognition has been claimed in this season.
    pub claimed: bool,
    /// Intervention has ended (rule 6).
    pub intervention_ended: bool,
    /// Pacification level when it was last counted: Nationalist less Republican cities.
    pub level: i8,
}

/// Words of the counts of uses of ports, two bits each.
pub const PORT_WORDS: usize = 6;
/// Most ports of the map.
pub const MAX_PORTS: usize = PORT_WORDS * 32;
/// Most voyages of a Movement Phase through enemy seas that are kept until they are rolled for.
pub const MAX_VOYAGES: usize = 14;
/// Most invaded hexes that are kept for a second wave.
pub const MAX_LANDINGS: usize = 12;

/// A unit that has gone through enemy seas in this Movement Phase (15.72).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Voyage {
    /// The unit; [`BlockId::NONE`]: no voyage.
    pub block: BlockId,
    /// Dice of the enemy's interception, by the naval balance as the enemy sees it there.
    pub dice: [u8; 3],
    /// An invasion or evacuation, not a naval move.
    pub invasion: bool,
}

impl Voyage {
    /// No voyage.
    pub const NONE: Voyage = Voyage { block: BlockId::NONE, dice: [0; 3], invasion: false };
}

/// What is going on at sea (15).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SeaState {
    /// Sea areas under storm in this fortnight (12.5).
    pub storms: Seas,
    /// Sea areas that a faction controls (15.2), when the phase began.
    pub controlled: [Seas; 3],
    /// Who has naval supremacy, of Axis and Allies (15.8).
    pub supremacy: Option<Camp>,
    /// In this player turn the Axis has naval supremacy on the Northern Route (21.493).
    pub weser: bool,
    /// Headquarters activated for an invasion, by number: bits (15.51).
    pub invaders: u64,
    /// Headquarters activated for a drop, by number: bits (14.21).
    pub droppers: u64,
    /// Uses of ports in this player turn, by number of the port: two bits each (15.32).
    pub port_uses: [u64; PORT_WORDS],
    /// Voyages of this Movement Phase through enemy seas.
    pub voyages: [Voyage; MAX_VOYAGES],
    /// Hexes invaded in the first Movement Phase of this player turn, and those that headquarters have named for a second wave,
    /// with their number above the hex's twelve bits; hex 0: none (15.541).
    pub landings: [Hex; MAX_LANDINGS],
    /// Ports whose sea lines through enemy seas have not been cut in this Supply Phase, by number: bits (15.73).
    pub passed: [u64; MAX_PORTS / 64],
    /// Whether supply of a camp was thrown for when it was last checked (15.73).
    pub contested: [bool; 2],
    /// Beachheads, by number, whose unit stands where it has landed: bits (15.62).
    pub landed: u16,
    /// Beachheads, by number, that are disrupted: bits (15.64).
    pub disrupted: u16,
}

impl SeaState {
    /// Nothing at sea.
    pub const NONE: SeaState = SeaState {
        storms: Seas::EMPTY,
        controlled: [Seas::EMPTY; 3],
        supremacy: None,
        weser: false,
        invaders: 0,
        droppers: 0,
        port_uses: [0; PORT_WORDS],
        voyages: [Voyage::NONE; MAX_VOYAGES],
        landings: [Hex(0); MAX_LANDINGS],
        passed: [0; MAX_PORTS / 64],
        contested: [false; 2],
        landed: 0,
        disrupted: 0,
    };
}

/// How the game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Ending {
    /// It goes on.
    None,
    /// A side has been recognised (1936 rule 9).
    Recognition(Camp),
    /// Nobody has been recognised in time (1936 rule 9).
    Stalemate,
    /// A camp has won to a degree (19.2, 19.3).
    Victory(Camp, Degree),
    /// One of three rivals has won (19.51).
    Rival(Faction),
    /// Nobody has won (19.4).
    Draw,
}

/// How great a victory is (19.2, 19.3).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Degree {
    Marginal,
    Minor,
    Major,
    Decisive,
}

impl Degree {
    /// Identifier.
    pub const fn id(self) -> &'static str {
        match self {
            Degree::Marginal => "marginal victory",
            Degree::Minor => "minor victory",
            Degree::Major => "major victory",
            Degree::Decisive => "decisive victory",
        }
    }
}

/// Who owns each place: the Axis, the Allies, the Soviets or nobody, in two bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Owners {
    /// Of the Axis, or of the Soviets.
    axis_or_soviet: Hexes,
    /// Of the Allies, or of the Soviets.
    coalition: Hexes,
}

impl Owners {
    /// Nobody owns anything.
    pub const NONE: Owners = Owners { axis_or_soviet: Hexes::EMPTY, coalition: Hexes::EMPTY };
    /// What a camp owns.
    #[inline]
    pub fn of(&self, camp: Camp) -> Hexes {
        match camp {
            Camp::Axis => self.axis_or_soviet.difference(&self.coalition),
            Camp::Coalition => self.coalition,
        }
    }
    /// What the camps own in a line of the board.
    #[inline]
    pub fn line(&self, line: usize) -> [u64; 2] {
        [self.axis_or_soviet.0[line] & !self.coalition.0[line], self.coalition.0[line]]
    }
    /// Of the Coalition's land that of the Soviets, in whose production it counts (20.53).
    #[inline]
    pub fn soviet(&self) -> Hexes {
        self.axis_or_soviet.and(&self.coalition)
    }
    /// What anybody owns: what is not neutral (16.1).
    #[inline]
    pub fn all(&self) -> Hexes {
        self.axis_or_soviet.or(&self.coalition)
    }
    /// Whether a camp owns a place.
    #[inline]
    pub fn owns(&self, camp: Camp, place: Hex) -> bool {
        self.coalition.contains(place) == (camp == Camp::Coalition)
            && (camp == Camp::Coalition || self.axis_or_soviet.contains(place))
    }
    /// Whether the Soviets own a place.
    #[inline]
    pub fn is_soviet(&self, place: Hex) -> bool {
        self.axis_or_soviet.contains(place) && self.coalition.contains(place)
    }
    /// From now on a faction owns places, or nobody.
    pub fn give(&mut self, places: &Hexes, to: Option<Faction>) {
        let set = |owned: &mut Hexes, on: bool| {
            *owned = if on { owned.or(places) } else { owned.difference(places) };
        };
        set(&mut self.axis_or_soviet, matches!(to, Some(Faction::Axis | Faction::Soviets)));
        set(&mut self.coalition, matches!(to, Some(Faction::Allies | Faction::Soviets)));
    }
}

/// A game in progress.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    // ---- calendar (4.0) ----
    /// The phase.
    pub phase: Phase,
    /// The month, as an index into the calendar.
    pub month: u8,
    /// The fortnight, 1 or 2.
    pub fortnight: u8,
    /// Whose player turn it is, as an index into the order of this fortnight.
    pub turn: u8,
    /// Factions in the order of their player turns (4.22).
    pub order: [Faction; 3],
    /// The active faction: whose player turn it is; in a production the faction that decides.
    pub active: Faction,
    /// Who decides.
    pub decider: Faction,
    /// Blitz Movement or Blitz Combat (4.34, 4.35).
    pub blitz: bool,
    /// Weather of the West and of the East Front.
    pub weather: [Weather; 2],
    /// How the game has ended.
    pub ending: Ending,
    // ---- the decision at hand ----
    /// The block the phase is about, if it is about one.
    pub subject: BlockId,
    /// Where a phase that goes through a list has come: number of a headquarters, a hex, an item of production.
    pub cursor: u16,

    // ---- blocks ----
    /// Where every block is.
    pub places: UnitPlaces<BlockId, Hex, MAX_BLOCKS, BLOCK_WORDS>,
    /// Steps of every block: combat or command value. Of Tito, once he was disbanded, the month from which on a season must
    /// have begun before he may come again, counted from 1 (16.732).
    pub steps: PerBlock<u8>,
    /// The hexside by which a block has entered or left a battle in this Movement Phase (6.33). In a production: the
    /// hex in which it is to be placed.
    pub crossing: PerBlock<Crossing>,
    /// What lies on them, by [`Mark`].
    pub marks: [Blocks; Mark::COUNT],
    /// Supreme Moves ordered in this player turn, by number of the headquarters (5.7, 5.8).
    pub orders: [u8; MAX_HEADQUARTERS],
    /// Battles to be struck, by number of the headquarters; hex 0: none (7.13).
    pub strikes: [Hex; MAX_HEADQUARTERS],
    /// Blocks on the map, by camp. Derived from `places`.
    pub standing: [Blocks; 2],

    // ---- map ----
    /// Hexes with blocks of a camp. Derived from `places`.
    pub occupied: [Hexes; 2],
    /// Whether a camp may have more blocks in a hex than may stand there: a headquarters has deployed, or a unit was
    /// repulsed, into a full one (5.21, 6.22).
    pub crowded: [bool; 2],
    /// Battles of which the Coalition is the original defender (7.12).
    pub coalition_defends: Hexes,
    /// Battles begun in this Movement Phase (7.11); none between player turns. Production: [`State::by_cape`].
    pub new_battles: Hexes,
    /// Combat: active battles still to be fought. Production: in 1936 hexes for which garrisons have been bought, else those
    /// that lines reach by land alone (11.731).
    pub marked: Hexes,
    /// Nothing that control follows from has changed since it was worked out: it need not be worked out again.
    pub control_holds: bool,
    /// By camp: nothing that its supply follows from has changed since it was checked.
    pub supply_holds: [bool; 2],
    /// Hexes controlled by a camp when this phase began (8.1).
    pub friendly: [Hexes; 2],
    /// Hexes disputed when this phase began (8.33).
    pub disputed: Hexes,
    /// Hexes that the active camp's field headquarters command or support (5.3); in a production those it supplies. Fixed
    /// for the phase.
    pub commanded: Hexes,
    /// The railways of the camp that moves, builds or is checked, connected to its origin (9.12), fixed for the phase.
    pub network: Hexes,
    /// What a camp holds without a unit there: in 1936 hexes with garrisons (1936 rule 2); else land it owns, also out of
    /// play, until a unit or a zone of control of the other takes it (8.34). What nobody owns is neutral (16.1).
    pub owners: Owners,

    // ---- battles, production, scenario ----
    /// The battle being fought.
    pub battle: Battle,
    /// Production points at hand, by [`Account`].
    pub points: [i16; Account::COUNT],
    /// Points with which the production began, by account: what the enemy knows of them until it is over.
    pub funds: [i16; Account::COUNT],
    /// Whether any have been spent in this production, by account (11.2).
    pub spent: [bool; Account::COUNT],
    /// Points that home accounts give to others every month, by account (11.5).
    pub allotted: [i16; Account::COUNT],
    /// Points under way from other fronts, which arrive in the next production, by account (11.6); besides, 256 times those of
    /// them that come from the Mediterranean Front, which may be lost (11.62).
    pub transferred: [i16; Account::COUNT],
    /// Nations of the faction that produces which have an account of their own (20.64).
    pub isolated: Nations,
    /// The faction that produces lacks oil: its headquarters are dearer (11.735, 11.736).
    pub short_of_oil: bool,
    /// Months in which a front has been active, that of its activation included, by front: 0 for one that is not (1.12).
    pub active_months: [u8; 4],
    /// Naval power (15).
    pub sea: SeaState,
    /// What only 1936 keeps.
    pub civil_war: CivilWarState,
    /// Where the nations stand (16).
    pub diplomacy: DiplomacyState,
}

const _: () = assert!(size_of::<State>() <= 8 * 1024);

impl State {
    /// The camp whose player turn it is.
    #[inline]
    pub fn camp(&self) -> Camp {
        self.active.camp()
    }
    /// Where a block is.
    #[inline]
    pub fn at(&self, block: BlockId) -> Hex {
        self.places.of(block)
    }
    /// Whether a block carries a mark.
    #[inline]
    pub fn has(&self, block: BlockId, mark: Mark) -> bool {
        self.marks[mark as usize].contains(block)
    }
    /// The blocks that carry a mark.
    #[inline]
    pub fn marked(&self, mark: Mark) -> &Blocks {
        &self.marks[mark as usize]
    }
    /// Puts a mark on a block or takes it off.
    #[inline]
    pub fn mark(&mut self, block: BlockId, mark: Mark, on: bool) {
        self.marks[mark as usize].set(block, on);
    }
    /// Blocks of a camp in a place.
    #[inline]
    pub fn stack(&self, hex: Hex, camp: Camp) -> Blocks {
        self.places.among(&self.standing[camp.index()], hex)
    }
    /// Garrisons of a camp (1936 rule 2): in that scenario all that it owns.
    #[inline]
    pub fn garrisons(&self, camp: Camp) -> Hexes {
        self.owners.of(camp)
    }
    /// In a production: hexes outside of the Mediterranean Front that the faction which produces supplies round the Cape alone
    /// (21.381).
    #[inline]
    pub(crate) fn by_cape(&self) -> Hexes {
        if self.phase.is_secret() { self.new_battles } else { Hexes::EMPTY }
    }
    /// Whether a front is active (1.12).
    #[inline]
    pub(crate) fn is_active(&self, front: crate::ids::Front) -> bool {
        self.active_months[front.index()] > 0
    }
    /// Whether blocks of both camps stand in a hex (7.11).
    #[inline]
    pub fn is_battle(&self, hex: Hex) -> bool {
        self.occupied[0].contains(hex) && self.occupied[1].contains(hex)
    }
    /// The battles.
    #[inline]
    pub fn battles(&self) -> Hexes {
        self.occupied[0].and(&self.occupied[1])
    }
    /// Battles of which a camp is the original defender (7.12).
    #[inline]
    pub fn defended(&self, camp: Camp) -> Hexes {
        match camp {
            Camp::Axis => self.battles().difference(&self.coalition_defends),
            Camp::Coalition => self.battles().and(&self.coalition_defends),
        }
    }
    /// The original defender of a battle (7.12).
    #[inline]
    pub fn original_defender(&self, hex: Hex) -> Camp {
        if self.coalition_defends.contains(hex) { Camp::Coalition } else { Camp::Axis }
    }
    /// How many blocks have used a hexside in this Movement Phase (6.33).
    #[inline]
    pub fn crossings(&self, side: Crossing) -> u8 {
        self.crossing.0.iter().map(|&other| u8::from(other == side)).sum()
    }
    /// How an eliminated block has fallen matters no more: it comes back, or is out for good.
    pub(crate) fn forget_fall(&mut self, block: BlockId) {
        self.mark(block, Mark::FALLEN_ABROAD, false);
        self.mark(block, Mark::EQUIVALENT, false);
    }
    /// Takes these marks off all blocks.
    pub fn clear(&mut self, marks: &[Mark]) {
        for &mark in marks {
            self.marks[mark as usize] = Blocks::EMPTY;
        }
    }
    /// No hexside has been used, or no hex ordered.
    pub(crate) fn clear_crossings(&mut self) {
        self.crossing = PerIndex::new([Crossing::NONE; MAX_BLOCKS]);
    }
    /// No hexside has been used, or no hex ordered, but by blocks with this mark.
    pub(crate) fn clear_crossings_but(&mut self, mark: Mark) {
        let kept = *self.marked(mark);
        if kept.is_empty() {
            return self.clear_crossings();
        }
        let before = self.crossing;
        self.clear_crossings();
        for block in kept {
            self.crossing[block] = before[block];
        }
    }
    /// Puts a block into a place; who stands where is brought up to date. Marks and battles are the caller's.
    pub fn put(&mut self, block: BlockId, camp: Camp, to: Hex) {
        let from = self.at(block);
        let side = camp.index();
        self.board_changes();
        self.places.put(block, to);
        if crate::ids::is_on_map(from) && self.stack(from, camp).is_empty() {
            self.occupied[side].remove(from);
        }
        self.standing[side].set(block, crate::ids::is_on_map(to));
        if crate::ids::is_on_map(to) {
            self.occupied[side].insert(to);
        }
    }
    /// Something changes from which control and supply follow: who stands where, owners, original defenders, supply.
    #[inline]
    pub(crate) fn board_changes(&mut self) {
        self.control_holds = false;
        self.supply_holds = [false; 2];
    }
}
