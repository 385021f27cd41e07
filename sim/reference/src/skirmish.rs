//! Skirmish: a toy wargame on 2,000 hexes, which shows how a system stands on the kernels and how fast it can be.
//!
//! Blue comes from the west, Red from the east, each with four formations of four units. Eight turns; in each, every
//! side secretly holds one formation back, the chits of all others go into a cup, and formations act as they are
//! drawn.
//!
//! ```text
//! turn:  hold back (Blue, Red, secretly) -> draw a chit -> its formation acts -> ... until the cup is empty -> supply
//! acts:  pick a unit -> march hex by hex -> attack an enemy beside it -> the next unit
//! ```
//!
//! 1. *March*. Four points a unit, counted in halves. A hex costs one, woods and a river without a bridge one more
//!    each, a hexside with a road half a point. One unit to a hex.
//! 2. *Zones of control*. Units control the hexes around them. Who enters an enemy's zone stops; nobody goes from a
//!    hex of such a zone straight into another.
//! 3. *Combat*. Two dice, plus the attacker's steps, plus one for each other friend beside the defender (at most
//!    three), less the defender's steps, less one for each of woods, a town, an attack across an unbridged river.
//!    Eight and more: the defender loses a step; eleven and more: two. Five and less: the attacker loses one. Who
//!    destroys advances.
//! 4. *Supply*. At the end of a turn every unit needs a line of at most five hexes to a road and along it to its own
//!    edge, through hexes without enemies and out of their zones (friends negate these). Without it the unit loses a
//!    step.
//! 5. *Victory*. Three points for each of six towns, held by who entered it last, and one for each step that the
//!    enemy has lost; who has more at the end wins.

mod map;
#[cfg(test)]
mod tests;

use sandtable_core::hex::{Direction, Hex, HexBoard, HexSet, Hexsides};
use sandtable_core::units::UnitPlaces;
use sandtable_core::{
    ActionSink, Board, Context, Cup, Dice, Digest, Flow, Game, IndexSet, Outcome, PerSide, Phases, Side,
    SideInfo,
};

use map::starting_hexes;
pub use map::{LINES, PLACES, SOURCES, TOWNS};

sandtable_core::index! {
    /// A unit: Blue's 16, then Red's.
    pub struct Unit(u8);
    /// The chit of a formation: Blue's four, then Red's.
    pub struct Chit(u8);
}

/// Units of both sides.
pub const UNITS: u8 = 32;
/// Units of a formation.
const FORMATION: u8 = 4;
/// Formations of a side.
pub const FORMATIONS: u8 = 4;
/// Steps of a fresh unit.
pub const STEPS: u8 = 2;
/// Movement points of a unit, in halves.
const POINTS: u8 = 8;
/// Turns of a game.
pub const TURNS: u8 = 8;
/// Points for a town.
const TOWN_POINTS: u8 = 3;
/// Points of a side that holds every town and has destroyed every enemy unit.
const MOST_POINTS: i16 = TOWN_POINTS as i16 * TOWNS.len() as i16 + STEPS as i16 * UNITS as i16 / 2;
/// Hexes of a line of supply beside the road.
const TO_THE_ROAD: u32 = 5;

/// A set of hexes of this board.
pub type Hexes = HexSet<LINES>;
/// A set of units.
pub type Units = IndexSet<Unit, 1>;
/// A set of chits.
pub type Chits = IndexSet<Chit, 1>;

impl Unit {
    /// Whose it is.
    #[inline]
    pub fn side(self) -> Side {
        Side(u8::from(self.0 >= UNITS / 2))
    }
    /// Its formation's chit.
    #[inline]
    pub fn chit(self) -> Chit {
        Chit(self.0 / FORMATION)
    }
}

impl Chit {
    /// Whose formation it is.
    #[inline]
    pub fn side(self) -> Side {
        Side(self.0 / FORMATIONS)
    }
    /// The units of the formation.
    #[inline]
    pub fn units(self) -> Units {
        Units::from_words([0b1111 << (FORMATION * self.0)])
    }
}

/// Units of a side.
#[inline]
fn units_of(side: Side) -> Units {
    Units::from_words([0xffff << (16 * side.0)])
}

/// Chits of a side.
#[inline]
fn chits_of(side: Side) -> Chits {
    Chits::from_words([0b1111 << (4 * side.0)])
}

/// The other side.
#[inline]
fn enemy(side: Side) -> Side {
    Side(1 - side.0)
}

/// Where in the turn the game stands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Phase {
    /// A side holds a formation back.
    HoldingBack,
    /// A chit is about to be drawn.
    Drawing,
    /// The formation drawn picks its next unit.
    Picking,
    /// A unit is on the march.
    Marching(Unit),
    /// A unit may attack.
    Attacking(Unit),
    /// Supply is checked.
    Supply,
    /// The game has ended.
    Over,
}

/// One small decision.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Action {
    /// No more units of this formation, no further march, no attack.
    Pass,
    /// This formation is held back for the turn.
    HoldBack(Chit),
    /// This unit acts next.
    Pick(Unit),
    /// The unit goes one hex in this direction.
    Go(Direction),
    /// The unit attacks this one.
    Attack(Unit),
}

/// A fact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// A turn begins.
    TurnBegins {
        /// From 1.
        turn: u8,
    },
    /// A formation was drawn.
    Drawn {
        /// Its chit.
        chit: Chit,
    },
    /// A unit has gone one hex, in march or advance.
    Went {
        /// The unit.
        unit: Unit,
        /// Where it is now.
        to: Hex,
    },
    /// A town has a new holder.
    Taken {
        /// The town, as an index into [`TOWNS`].
        town: u8,
        /// Who holds it now.
        by: Side,
    },
    /// An attack was fought.
    Fought {
        /// The attacker.
        attacker: Unit,
        /// The defender.
        defender: Unit,
        /// Two dice and all that counts.
        score: i8,
    },
    /// A unit has lost steps.
    Lost {
        /// The unit.
        unit: Unit,
        /// Steps lost.
        steps: u8,
        /// Whether for want of supply.
        unsupplied: bool,
    },
}

/// A game in progress.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    places: UnitPlaces<Unit, Hex, 64, 1>,
    steps: [u8; UNITS as usize],
    /// Hexes with units, by side: derived from the two above.
    occupied: [Hexes; 2],
    cup: Cup<Chit>,
    /// The formation held back, by side.
    reserve: [Option<Chit>; 2],
    /// Who holds each town.
    towns: [Option<Side>; TOWNS.len()],
    turn: u8,
    phase: Phase,
    mover: Side,
    /// Units of the formation drawn that have not acted.
    ready: Units,
    /// Movement points left to the unit on the march, in halves.
    points: u8,
}

impl State {
    /// Where in the turn the game stands.
    pub fn phase(&self) -> Phase {
        self.phase
    }
    /// Where a unit is, if it is on the board.
    #[inline]
    pub fn place(&self, unit: Unit) -> Option<Hex> {
        self.is_alive(unit).then(|| self.places.of(unit))
    }
    /// Steps of a unit; none if it has been destroyed.
    pub fn steps(&self, unit: Unit) -> u8 {
        self.steps[unit.0 as usize]
    }
    /// Who holds a town of [`TOWNS`].
    pub fn holder(&self, town: usize) -> Option<Side> {
        self.towns[town]
    }
    /// How many towns a side holds.
    pub fn towns_of(&self, side: Side) -> u8 {
        self.towns.iter().filter(|&&holder| holder == Some(side)).count() as u8
    }

    /// Points of a side so far (5).
    pub fn points_of(&self, side: Side) -> u8 {
        let lost = STEPS * UNITS / 2 - self.steps_of(enemy(side));
        TOWN_POINTS * self.towns_of(side) + lost
    }
    /// Steps of a side's units on the board.
    pub fn steps_of(&self, side: Side) -> u8 {
        units_of(side).iter().map(|unit| self.steps(unit)).sum()
    }

    #[inline]
    fn is_alive(&self, unit: Unit) -> bool {
        self.steps[unit.0 as usize] > 0
    }

    fn alive(&self) -> Units {
        (0..UNITS).map(Unit).filter(|&unit| self.is_alive(unit)).collect()
    }

    fn occupied_by(&self, side: Side) -> Hexes {
        self.places.occupied(&self.alive().and(&units_of(side)))
    }

    /// The unit in a hex, if there is one.
    #[inline]
    fn unit_at(&self, hex: Hex) -> Option<Unit> {
        self.places.at(hex).iter().find(|&unit| self.is_alive(unit))
    }
}

/// The rules and the board.
#[derive(Clone, Debug)]
pub struct Skirmish {
    sides: [SideInfo; 2],
    /// The hexes.
    pub board: HexBoard<LINES>,
    /// Hexes of woods.
    pub woods: Hexes,
    /// Hexes of towns.
    pub town_hexes: Hexes,
    /// Hexsides that a road crosses.
    pub roads: Hexsides<LINES>,
    /// Hexsides of the river.
    pub river: Hexsides<LINES>,
}

impl Default for Skirmish {
    fn default() -> Self {
        Skirmish::new()
    }
}

impl Skirmish {
    /// The rules on their one board.
    pub fn new() -> Self {
        let board = map::board();
        Skirmish {
            sides: [
                SideInfo { id: "blue", name: "Blue", team: 0, points: (0, MOST_POINTS) },
                SideInfo { id: "red", name: "Red", team: 1, points: (0, MOST_POINTS) },
            ],
            woods: map::woods(&board),
            town_hexes: TOWNS.into_iter().collect(),
            roads: map::roads(&board),
            river: map::river(&board),
            board,
        }
    }

    // ---- 1. March, 2. Zones of control ----

    /// What it costs to go from a hex in a direction to the next, in half points.
    #[inline]
    pub fn cost(&self, from: Hex, way: Direction, to: Hex) -> u8 {
        if self.roads.contains(from, way) {
            return 1;
        }
        2 + 2 * u8::from(self.woods.contains(to)) + 2 * u8::from(self.river.contains(from, way))
    }

    /// Whether a hex lies in the zone of control of a side.
    #[inline]
    fn is_controlled(&self, state: &State, hex: Hex, by: Side) -> bool {
        self.board.neighbours(hex).any(|(_, near)| state.occupied[by.index()].contains(near))
    }

    /// The hexes into which a unit may go on, by direction.
    #[inline]
    fn march_actions(&self, state: &State, unit: Unit, out: &mut impl ActionSink<Action>) -> Flow {
        out.offer(Action::Pass)?;
        let (from, foe) = (state.places.of(unit), enemy(unit.side()));
        let leaves_zone = self.is_controlled(state, from, foe);
        if leaves_zone && state.points < POINTS {
            return Flow::Continue(());
        }
        for (way, to) in self.board.neighbours(from) {
            let free = !state.occupied[0].contains(to) && !state.occupied[1].contains(to);
            if free
                && self.cost(from, way, to) <= state.points
                && !(leaves_zone && self.is_controlled(state, to, foe))
            {
                out.offer(Action::Go(way))?;
            }
        }
        Flow::Continue(())
    }

    fn relocate<T: Context<Event>>(&self, state: &mut State, unit: Unit, to: Hex, context: &mut T) {
        let side = unit.side();
        let occupied = &mut state.occupied[side.index()];
        occupied.remove(state.places.of(unit));
        occupied.insert(to);
        state.places.put(unit, to);
        context.emit(|| Event::Went { unit, to });
        if self.town_hexes.contains(to)
            && let Some(town) = TOWNS.iter().position(|&hex| hex == to)
            && state.towns[town] != Some(side)
        {
            state.towns[town] = Some(side);
            context.emit(|| Event::Taken { town: town as u8, by: side });
        }
    }

    // ---- 3. Combat ----

    /// The enemies beside a unit.
    #[inline]
    fn targets(&self, state: &State, unit: Unit) -> Units {
        let foes = &state.occupied[enemy(unit.side()).index()];
        let beside = self.board.neighbours(state.places.of(unit)).filter(|(_, hex)| foes.contains(*hex));
        beside.filter_map(|(_, hex)| state.unit_at(hex)).collect()
    }

    /// What counts in an attack beside the dice.
    fn modifier(&self, state: &State, attacker: Unit, defender: Unit) -> i8 {
        let (from, to) = (state.places.of(attacker), state.places.of(defender));
        let friends = &state.occupied[attacker.side().index()];
        let support =
            self.board.neighbours(to).filter(|(_, hex)| friends.contains(*hex) && *hex != from).count();
        let way = self.board.direction(from, to);
        let hampered =
            way.is_some_and(|way| self.river.contains(from, way) && !self.roads.contains(from, way));
        let against = [hampered, self.woods.contains(to), self.town_hexes.contains(to)];
        state.steps(attacker) as i8 + support.min(3) as i8
            - state.steps(defender) as i8
            - against.into_iter().map(i8::from).sum::<i8>()
    }

    fn fight<T: Context<Event>>(&self, state: &mut State, attacker: Unit, defender: Unit, context: &mut T) {
        let dice = context.die(6) + context.die(6);
        let score = dice as i8 + self.modifier(state, attacker, defender);
        context.emit(|| Event::Fought { attacker, defender, score });
        match score {
            11.. => Self::lose(state, defender, 2, false, context),
            8.. => Self::lose(state, defender, 1, false, context),
            ..=5 => Self::lose(state, attacker, 1, false, context),
            _ => {}
        }
        if !state.is_alive(defender) {
            self.relocate(state, attacker, state.places.of(defender), context);
        }
    }

    fn lose<T: Context<Event>>(state: &mut State, unit: Unit, steps: u8, unsupplied: bool, context: &mut T) {
        let left = &mut state.steps[unit.0 as usize];
        let steps = steps.min(*left);
        *left -= steps;
        context.emit(|| Event::Lost { unit, steps, unsupplied });
        if *left == 0 {
            state.occupied[unit.side().index()].remove(state.places.of(unit));
            state.ready.remove(unit);
        }
    }

    // ---- 4. Supply ----

    /// The hexes from which a side's units trace a line of supply.
    pub fn supplied(&self, state: &State, side: Side) -> Hexes {
        let (own, foes) = (&state.occupied[side.index()], &state.occupied[enemy(side).index()]);
        let open =
            self.board.places().difference(&self.board.neighbours_of(foes).difference(own)).difference(foes);
        let sources = SOURCES[side.index()].into_iter().collect();
        self.board.lines_of_supply(sources, &open, &self.roads, TO_THE_ROAD, None)
    }

    fn starve<T: Context<Event>>(&self, state: &mut State, context: &mut T) {
        // Both sides are looked at before anybody starves.
        let supplied = [Side(0), Side(1)].map(|side| self.supplied(state, side));
        for unit in state.alive() {
            if !supplied[unit.side().index()].contains(state.places.of(unit)) {
                Self::lose(state, unit, 1, true, context);
            }
        }
    }

    // ---- the turn ----

    fn begin_turn<T: Context<Event>>(state: &mut State, context: &mut T) {
        let turn = state.turn;
        context.emit(|| Event::TurnBegins { turn });
        let alive = state.alive();
        let chits = (0..2 * FORMATIONS).map(Chit).filter(|chit| chit.units().intersects(&alive));
        state.cup = Cup { chits: chits.collect() };
        state.reserve = [None; 2];
        state.phase = Phase::HoldingBack;
        state.mover = Side(0);
    }

    /// The formation that a side may hold back: any but the last it has.
    fn holdable(state: &State) -> Chits {
        let chits = state.cup.chits.and(&chits_of(state.mover));
        if chits.len() > 1 { chits } else { Chits::EMPTY }
    }

    fn result(state: &State) -> Outcome {
        let points = [Side(0), Side(1)].map(|side| f32::from(state.points_of(side)));
        let (winner, utility) = match points[0].total_cmp(&points[1]) {
            std::cmp::Ordering::Less => (Some(1), 0.0),
            std::cmp::Ordering::Equal => (None, 0.5),
            std::cmp::Ordering::Greater => (Some(0), 1.0),
        };
        Outcome {
            points: PerSide([points[0], points[1], 0.0, 0.0]),
            utility: PerSide([utility, 1.0 - utility, 0.0, 0.0]),
            winner,
            end_reason: if state.turn < TURNS { "destroyed" } else { "last_turn" },
        }
    }
}

impl Phases for Skirmish {
    fn set_up<T: Context<Event>>(&self, context: &mut T) -> State {
        let mut state = State {
            places: UnitPlaces::all_in(Hex::new(0, 0)),
            steps: [STEPS; UNITS as usize],
            occupied: [Hexes::EMPTY; 2],
            cup: Cup::default(),
            reserve: [None; 2],
            towns: map::holders(),
            turn: 1,
            phase: Phase::HoldingBack,
            mover: Side(0),
            ready: Units::EMPTY,
            points: 0,
        };
        for (unit, hex) in (0..).map(Unit).zip(starting_hexes()) {
            state.places.put(unit, hex);
            state.occupied[unit.side().index()].insert(hex);
        }
        Self::begin_turn(&mut state, context);
        state
    }

    #[inline]
    fn is_over(&self, state: &State) -> bool {
        state.phase == Phase::Over
    }

    #[inline]
    fn decider(&self, state: &State) -> Side {
        state.mover
    }

    #[inline]
    fn generate<O: ActionSink<Action>>(&self, state: &State, out: &mut O) -> Flow {
        match state.phase {
            Phase::HoldingBack => out.all([Self::holdable(state)], |_, chit| Action::HoldBack(chit)),
            Phase::Picking if state.ready.is_empty() => Flow::Continue(()),
            Phase::Picking => {
                out.offer(Action::Pass)?;
                out.all([state.ready], |_, unit| Action::Pick(unit))
            }
            Phase::Marching(unit) => self.march_actions(state, unit, out),
            Phase::Attacking(unit) => {
                out.offer(Action::Pass)?;
                out.all([self.targets(state, unit)], |_, target| Action::Attack(target))
            }
            Phase::Drawing | Phase::Supply | Phase::Over => Flow::Continue(()),
        }
    }

    #[inline]
    fn play<T: Context<Event>>(&self, state: &mut State, action: Action, context: &mut T) {
        match (state.phase, action) {
            (Phase::HoldingBack, Action::HoldBack(chit)) => {
                state.cup.chits.remove(chit);
                state.reserve[state.mover.index()] = Some(chit);
                self.end_phase(state, context);
            }
            (Phase::Picking, Action::Pick(unit)) => {
                state.ready.remove(unit);
                state.points = POINTS;
                state.phase = Phase::Marching(unit);
            }
            (Phase::Marching(unit), Action::Go(way)) => {
                let from = state.places.of(unit);
                let Some(to) = self.board.neighbour(from, way) else { return };
                state.points -= self.cost(from, way, to);
                self.relocate(state, unit, to, context);
                if self.is_controlled(state, to, enemy(unit.side())) {
                    state.phase = Phase::Attacking(unit);
                }
            }
            (Phase::Marching(unit), _) => state.phase = Phase::Attacking(unit),
            (Phase::Attacking(unit), Action::Attack(target)) => {
                self.fight(state, unit, target, context);
                state.phase = Phase::Picking;
            }
            (Phase::Attacking(_), _) => state.phase = Phase::Picking,
            _ => self.end_phase(state, context),
        }
    }

    fn end_phase<T: Context<Event>>(&self, state: &mut State, context: &mut T) {
        state.phase = match state.phase {
            Phase::HoldingBack if state.mover == Side(0) => {
                state.mover = Side(1);
                Phase::HoldingBack
            }
            Phase::Marching(unit) => Phase::Attacking(unit),
            Phase::Attacking(_) => Phase::Picking,
            Phase::HoldingBack | Phase::Picking | Phase::Drawing => match state.cup.draw(context) {
                Some(chit) => {
                    context.emit(|| Event::Drawn { chit });
                    state.mover = chit.side();
                    state.ready = state.alive().and(&chit.units());
                    Phase::Picking
                }
                None => Phase::Supply,
            },
            Phase::Supply => {
                self.starve(state, context);
                let destroyed = state.occupied.iter().any(Hexes::is_empty);
                if destroyed || state.turn == TURNS {
                    Phase::Over
                } else {
                    state.turn += 1;
                    return Self::begin_turn(state, context);
                }
            }
            Phase::Over => Phase::Over,
        };
    }
}

impl Game for Skirmish {
    type State = State;
    type Action = Action;
    type Event = Event;

    sandtable_core::played_by_phases!();

    fn sides(&self) -> &[SideInfo] {
        &self.sides
    }

    fn outcome(&self, state: &State) -> Option<Outcome> {
        (state.phase == Phase::Over).then(|| Self::result(state))
    }

    /// The formation that the enemy holds back could be any of his that has not been drawn.
    fn determinize<D: Dice>(&self, state: &State, viewer: Side, dice: &mut D) -> State {
        let mut state = state.clone();
        let foe = enemy(viewer);
        if let Some(held) = state.reserve[foe.index()] {
            let unknown = state.cup.chits.and(&chits_of(foe)).or(&Chits::one(held));
            state.reserve[foe.index()] = state.cup.deal_anew(&unknown, dice).first();
        }
        state
    }

    fn observation(&self, state: &State, viewer: Side) -> u64 {
        let mut seen = state.clone();
        let foe = enemy(viewer).index();
        let held: Chits = state.reserve[foe].into_iter().collect();
        seen.cup.add(&held);
        seen.reserve[foe] = None;
        Digest::of(&(viewer, seen, state.reserve[foe].is_some()))
    }

    fn hash(&self, state: &State) -> u64 {
        Digest::of(state)
    }

    fn recomputed_hash(&self, state: &State) -> u64 {
        let mut fresh = state.clone();
        fresh.occupied = [Side(0), Side(1)].map(|side| state.occupied_by(side));
        Digest::of(&fresh)
    }

    fn check(&self, state: &State) -> Result<(), String> {
        let alive = state.alive();
        let hexes: Hexes = state.places.occupied(&alive);
        if hexes.len() != alive.len() {
            return Err("two units stand in one hex".into());
        }
        if !hexes.difference(self.board.places()).is_empty() {
            return Err("a unit stands off the board".into());
        }
        if state.points > POINTS || state.steps.iter().any(|&steps| steps > STEPS) {
            return Err("a unit has more points or steps than there are".into());
        }
        match state.reserve.iter().flatten().find(|&&chit| state.cup.chits.contains(chit)) {
            Some(chit) => Err(format!("formation {} is held back and in the cup", chit.0)),
            None => Ok(()),
        }
    }

    fn turn_number(&self, state: &State) -> u32 {
        u32::from(state.turn)
    }

    fn describe(&self, state: &State, action: Action) -> String {
        let unit =
            |unit: Unit| format!("{} {}", self.sides[unit.side().index()].name, 1 + unit.0 % (UNITS / 2));
        match (action, state.phase) {
            (Action::Pass, Phase::Picking) => "no more units of this formation".into(),
            (Action::Pass, Phase::Attacking(_)) => "no attack".into(),
            (Action::Pass, _) => "no further".into(),
            (Action::HoldBack(chit), _) => format!("hold formation {} back", 1 + chit.0 % FORMATIONS),
            (Action::Pick(picked), _) => unit(picked),
            (Action::Go(way), _) => format!("go {}", self.board.orientation().compass(way)),
            (Action::Attack(target), _) => format!("attack {}", unit(target)),
        }
    }
}
