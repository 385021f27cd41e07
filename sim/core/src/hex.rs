//! Boards of hexes, for wargames of up to 4,096 of them.
//!
//! A board is a number of parallel *lines* of hexes, each of up to 64 *places*; every other line is shifted forward
//! by half a hex. A set of hexes is one word a line, so a step of a whole set in one direction is a shift of its
//! words, and a fill sweeps over the lines. With pointy tops the lines are the rows of the map, with flat tops its
//! columns:
//!
//! ```text
//!  pointy tops: line 0   0 1 2 3        flat tops:    0   0
//!               line 1    0 1 2 3                       0   0      line  0 1 2 3
//!               line 2   0 1 2 3                      1   1
//!                                                       1   1      a place a number
//! ```
//!
//! All queries work on sets of a fixed size and allocate nothing.

use std::fmt;
use std::ops::Range;

use crate::bits::IndexSet;
use crate::board::Board;

crate::index! {
    /// A hex of a board: line times 64 plus place.
    pub struct Hex(u16);
}

/// Hexes in a line at most.
pub const LINE: usize = 64;
/// Lines of a board at most.
pub const MAX_LINES: usize = 64;

impl Hex {
    /// The hex at a place of a line, both from 0 and below 64.
    #[inline]
    pub const fn new(line: u8, place: u8) -> Hex {
        Hex((line as u16) << 6 | place as u16)
    }
    /// Its line.
    #[inline]
    pub const fn line(self) -> u8 {
        (self.0 >> 6) as u8
    }
    /// Its place in the line.
    #[inline]
    pub const fn place(self) -> u8 {
        (self.0 & 63) as u8
    }
}

/// A set of hexes of a board of up to `L` lines.
pub type HexSet<const L: usize> = IndexSet<Hex, L>;

/// One of the six ways out of a hex, in turn around it. The opposite way is three further.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Direction {
    /// On along the line: east with pointy tops, south with flat ones.
    Ahead,
    /// Into the next line, forward: south-east either way.
    NextAhead,
    /// Into the next line, back: south-west with pointy tops, north-east with flat ones.
    NextBack,
    /// Back along the line: west, or north.
    Back,
    /// Into the line before, back: north-west either way.
    PreviousBack,
    /// Into the line before, forward: north-east, or south-west.
    PreviousAhead,
}

impl Direction {
    /// All six, in turn.
    pub const ALL: [Direction; 6] = [
        Direction::Ahead,
        Direction::NextAhead,
        Direction::NextBack,
        Direction::Back,
        Direction::PreviousBack,
        Direction::PreviousAhead,
    ];

    /// The way back.
    #[inline]
    #[must_use]
    pub const fn opposite(self) -> Direction {
        Direction::ALL[(self as usize + 3) % 6]
    }

    /// The direction some sixths of a full turn further on.
    #[inline]
    #[must_use]
    pub const fn turned(self, sixths: usize) -> Direction {
        Direction::ALL[(self as usize + sixths) % 6]
    }
}

/// How the hexes of a map stand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Orientation {
    /// Corners point up; lines are rows, from north to south, places run from west to east.
    PointyTops,
    /// Sides lie on top; lines are columns, from west to east, places run from north to south.
    FlatTops,
}

impl Orientation {
    /// The points of the compass of a direction, such as `NE`.
    pub const fn compass(self, direction: Direction) -> &'static str {
        let names = match self {
            Orientation::PointyTops => ["E", "SE", "SW", "W", "NW", "NE"],
            Orientation::FlatTops => ["S", "SE", "NE", "N", "NW", "SW"],
        };
        names[direction as usize]
    }
}

/// What is wrong with the hexes of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HexError {
    /// More lines than there is room for, or more places in a line.
    TooLarge {
        /// Lines or places asked for.
        size: usize,
        /// Lines or places there is room for.
        most: usize,
    },
    /// A hex that is not on the board.
    OffBoard {
        /// The hex.
        hex: Hex,
    },
}

impl fmt::Display for HexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HexError::TooLarge { size, most } => {
                write!(f, "the board has {size} lines or places in a line, there is room for {most}")
            }
            HexError::OffBoard { hex } => {
                write!(f, "the hex at place {} of line {} is not on the board", hex.place(), hex.line())
            }
        }
    }
}

impl std::error::Error for HexError {}

/// The hexes there are, and which of them touch.
///
/// ```
/// use sandtable_core::Board;
/// use sandtable_core::hex::{Direction, Hex, HexBoard, HexSet, Orientation};
///
/// let board = HexBoard::<10>::rectangle(10, 12, true, Orientation::PointyTops).unwrap();
/// let (a, b) = (Hex::new(2, 3), Hex::new(5, 3));
/// assert_eq!(board.distance(a, b), 3);
/// assert_eq!(board.neighbour(a, Direction::NextAhead), Some(Hex::new(3, 3)));
/// assert_eq!(board.within(HexSet::one(a), 1).len(), 7);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HexBoard<const L: usize> {
    hexes: HexSet<L>,
    /// Lines from whose hexes steps and fills across hexsides start.
    lines: Range<usize>,
    /// For each line, 1 if it is shifted forward.
    shift: [u8; L],
    orientation: Orientation,
}

impl<const L: usize> HexBoard<L> {
    /// A board of these hexes. `odd_shifted` tells whether the lines of odd number are shifted forward by half a hex,
    /// or those of even number.
    ///
    /// # Errors
    /// If `L` is over [`MAX_LINES`] or a hex lies outside of the `L` lines.
    pub fn new(
        hexes: impl IntoIterator<Item = Hex>,
        odd_shifted: bool,
        orientation: Orientation,
    ) -> Result<Self, HexError> {
        if L > MAX_LINES {
            return Err(HexError::TooLarge { size: L, most: MAX_LINES });
        }
        let mut set = HexSet::EMPTY;
        for hex in hexes {
            if hex.line() as usize >= L {
                return Err(HexError::OffBoard { hex });
            }
            set.insert(hex);
        }
        let shift = std::array::from_fn(|line| u8::from((line % 2 == 1) == odd_shifted));
        Ok(HexBoard { hexes: set, lines: 0..L, shift, orientation })
    }

    /// The same board for games that are played on some of its lines: steps and fills across hexsides start from hexes of these
    /// alone.
    #[must_use]
    pub fn confined_to(mut self, lines: Range<usize>) -> Self {
        self.lines = lines.start..lines.end.min(L);
        self
    }

    /// A board of so many full lines of so many places.
    ///
    /// # Errors
    /// If there are more lines than `L`, or more places than [`LINE`].
    pub fn rectangle(
        lines: usize,
        places: usize,
        odd_shifted: bool,
        orientation: Orientation,
    ) -> Result<Self, HexError> {
        for (size, most) in [(lines, L), (places, LINE)] {
            if size > most {
                return Err(HexError::TooLarge { size, most });
            }
        }
        let hexes =
            (0..lines as u8).flat_map(|line| (0..places as u8).map(move |place| Hex::new(line, place)));
        Self::new(hexes, odd_shifted, orientation)
    }

    /// How the hexes stand.
    pub fn orientation(&self) -> Orientation {
        self.orientation
    }

    /// Where the centre of a hex lies, east and south of the first hex's, in units of the distance of neighbours.
    pub fn centre(&self, hex: Hex) -> (f64, f64) {
        let line = hex.line();
        let along = f64::from(hex.place()) + 0.5 * f64::from(self.shift[line as usize]);
        let across = f64::from(line) * 0.75f64.sqrt();
        match self.orientation {
            Orientation::PointyTops => (along, across),
            Orientation::FlatTops => (across, along),
        }
    }

    /// The hex next to this one in a direction, if there is one.
    #[inline]
    pub fn neighbour(&self, hex: Hex, direction: Direction) -> Option<Hex> {
        let (line, place) = (i16::from(hex.line()), i16::from(hex.place()));
        let ahead = i16::from(self.shift[hex.line() as usize]);
        let (line, place) = match direction {
            Direction::Ahead => (line, place + 1),
            Direction::NextAhead => (line + 1, place + ahead),
            Direction::NextBack => (line + 1, place + ahead - 1),
            Direction::Back => (line, place - 1),
            Direction::PreviousBack => (line - 1, place + ahead - 1),
            Direction::PreviousAhead => (line - 1, place + ahead),
        };
        let exists = (0..L as i16).contains(&line) && (0..LINE as i16).contains(&place);
        let hex = Hex::new(line as u8, place as u8);
        (exists && self.hexes.contains(hex)).then_some(hex)
    }

    /// The hexes next to one, with the direction in which each lies.
    #[inline]
    pub fn neighbours(&self, hex: Hex) -> impl Iterator<Item = (Direction, Hex)> + '_ {
        Direction::ALL.into_iter().filter_map(move |way| self.neighbour(hex, way).map(|next| (way, next)))
    }

    /// The direction from a hex to one that touches it.
    pub fn direction(&self, from: Hex, to: Hex) -> Option<Direction> {
        self.neighbours(from).find_map(|(way, next)| (next == to).then_some(way))
    }

    /// The distance of two hexes as the crow flies: how many steps it takes on a board without holes.
    #[inline]
    pub fn distance(&self, a: Hex, b: Hex) -> u32 {
        let lines = i32::from(a.line()).abs_diff(i32::from(b.line()));
        // Twice the place, so that half a hex is a whole number.
        let along = |hex: Hex| 2 * i32::from(hex.place()) + i32::from(self.shift[hex.line() as usize]);
        // Each line on the way takes half a hex of what lies along it.
        lines + along(a).abs_diff(along(b)).saturating_sub(lines) / 2
    }

    /// Each hex of the set moved one step in a direction; those that would leave the board are gone.
    #[inline]
    #[must_use]
    pub fn step(&self, set: &HexSet<L>, direction: Direction) -> HexSet<L> {
        let mut out = [0; L];
        let (words, shift) = (&set.0, &self.shift);
        match direction {
            Direction::Ahead => (0..L).for_each(|line| out[line] = words[line] << 1),
            Direction::Back => (0..L).for_each(|line| out[line] = words[line] >> 1),
            Direction::NextAhead => (1..L).for_each(|line| out[line] = words[line - 1] << shift[line - 1]),
            Direction::NextBack => {
                (1..L).for_each(|line| out[line] = words[line - 1] >> (1 - shift[line - 1]));
            }
            Direction::PreviousBack => {
                (1..L).for_each(|line| out[line - 1] = words[line] >> (1 - shift[line]));
            }
            Direction::PreviousAhead => (1..L).for_each(|line| out[line - 1] = words[line] << shift[line]),
        }
        HexSet::from_words(out).and(&self.hexes)
    }

    /// Places of the lines beside one that touch these places of it.
    #[inline]
    fn beside(&self, line: usize, word: u64) -> u64 {
        let ahead = self.shift[line];
        word << ahead | word >> (1 - ahead)
    }

    /// The hexes next to a member of the set across one of these hexsides.
    #[inline]
    #[must_use]
    pub fn across(&self, set: &HexSet<L>, sides: &Hexsides<L>) -> HexSet<L> {
        self.across_into(set, sides, &self.hexes)
    }

    /// Of the hexes next to a member of the set across one of these hexsides those that are `open`.
    #[inline]
    #[must_use]
    pub fn across_into(&self, set: &HexSet<L>, sides: &Hexsides<L>, open: &HexSet<L>) -> HexSet<L> {
        let mut out = [0; L];
        for line in self.step_across(&set.0, self.lines.clone(), sides, &mut out) {
            out[line] &= open.0[line] & self.hexes.0[line];
        }
        HexSet::from_words(out)
    }

    /// Goes from hexes of some lines across hexsides, and says to which lines. What comes out may lie off the board.
    #[inline]
    fn step_across(
        &self,
        from: &[u64; L],
        lines: Range<usize>,
        sides: &Hexsides<L>,
        out: &mut [u64; L],
    ) -> Range<usize> {
        let (mut first, mut end) = (L, 0);
        // Line by line, in one go: six steps of the whole set would write and read it six times.
        for line in lines.start..lines.end.min(L) {
            let word = from[line];
            if word == 0 {
                continue;
            }
            if end == 0 {
                first = line.saturating_sub(1);
            }
            end = (line + 2).min(L);
            let leaving = |way: Direction| word & sides.leaving[way as usize].0[line];
            let ahead = self.shift[line];
            out[line] |= leaving(Direction::Ahead) << 1 | leaving(Direction::Back) >> 1;
            if let Some(next) = out.get_mut(line + 1) {
                *next |= leaving(Direction::NextAhead) << ahead | leaving(Direction::NextBack) >> (1 - ahead);
            }
            if let Some(previous) = line.checked_sub(1) {
                out[previous] |= leaving(Direction::PreviousAhead) << ahead
                    | leaving(Direction::PreviousBack) >> (1 - ahead);
            }
        }
        first..end
    }

    /// The hexes that can be reached from `start` through `open` ones across these hexsides alone, `start` included.
    #[inline]
    #[must_use]
    pub fn fill_across(&self, start: HexSet<L>, open: &HexSet<L>, sides: &Hexsides<L>) -> HexSet<L> {
        let leaving = |way: Direction, line: usize, word| word & sides.leaving[way as usize].0[line];
        self.flood(self.lines.clone(), &start, open, leaving)
    }

    /// What is reached from `start`, in some lines, through `open` hexes. `leaving` says who of some places of a line may leave it in a
    /// direction.
    ///
    /// Sweeps over the lines, down and up again. Only places that have just been reached are gone on from, so that a line is
    /// looked at no more often than it grows.
    fn flood(
        &self,
        lines: Range<usize>,
        start: &HexSet<L>,
        open: &HexSet<L>,
        leaving: impl Fn(Direction, usize, u64) -> u64,
    ) -> HexSet<L> {
        let mut reached = start.and(&self.hexes);
        // Places from which nobody has gone on yet, and the lines with such places.
        let mut fresh = reached.0;
        let lines = lines.start..lines.end.min(L);
        let mut due = lines.fold(0, |due, line| due | u64::from(fresh[line] != 0) << line);
        let mut down = true;
        while due != 0 {
            let mut ahead_of_sweep = due;
            while ahead_of_sweep != 0 {
                let line = if down {
                    ahead_of_sweep.trailing_zeros()
                } else {
                    MAX_LINES as u32 - 1 - ahead_of_sweep.leading_zeros()
                } as usize;
                due &= !(1 << line);
                let left =
                    |line: usize, reached: &HexSet<L>| open.0[line] & self.hexes.0[line] & !reached.0[line];
                let unreached = left(line, &reached);
                let ahead = unreached & leaving(Direction::Ahead, line, u64::MAX) << 1;
                let back = unreached & leaving(Direction::Back, line, u64::MAX) >> 1;
                let new = along(fresh[line], ahead, back);
                fresh[line] = 0;
                reached.0[line] |= new;
                let shift = self.shift[line];
                if line + 1 < L {
                    let word = leaving(Direction::NextAhead, line, new) << shift
                        | leaving(Direction::NextBack, line, new) >> (1 - shift);
                    let word = word & left(line + 1, &reached);
                    reached.0[line + 1] |= word;
                    fresh[line + 1] |= word;
                    due |= u64::from(word != 0) << (line + 1);
                }
                if line > 0 {
                    let word = leaving(Direction::PreviousAhead, line, new) << shift
                        | leaving(Direction::PreviousBack, line, new) >> (1 - shift);
                    let word = word & left(line - 1, &reached);
                    reached.0[line - 1] |= word;
                    fresh[line - 1] |= word;
                    due |= u64::from(word != 0) << (line - 1);
                }
                let before = (1u64 << line) - 1;
                ahead_of_sweep = due & if down { !before } else { before };
            }
            down = !down;
        }
        reached
    }

    /// The hexes at most so many steps from a member of `start` through `open` ones across these hexsides.
    #[inline]
    #[must_use]
    pub fn within_across(
        &self,
        start: HexSet<L>,
        steps: u32,
        open: &HexSet<L>,
        sides: &Hexsides<L>,
    ) -> HexSet<L> {
        let (mut reached, mut fresh, mut lines) = (start, start.0, self.lines.clone());
        for _ in 0..steps {
            // Only from what has just been reached, and in its lines.
            let mut next = [0; L];
            lines = self.step_across(&fresh, lines, sides, &mut next);
            for line in lines.clone() {
                fresh[line] = next[line] & open.0[line] & self.hexes.0[line] & !reached.0[line];
                reached.0[line] |= fresh[line];
            }
        }
        reached
    }

    /// Hexes in supply: at most so many steps through `open` ones across `passable` hexsides (all of them, if none are
    /// given) to a hex from which paths (roads, rails) run through open hexes to a source, or to a source itself.
    #[must_use]
    pub fn lines_of_supply(
        &self,
        sources: HexSet<L>,
        open: &HexSet<L>,
        paths: &Hexsides<L>,
        steps: u32,
        passable: Option<&Hexsides<L>>,
    ) -> HexSet<L> {
        let network = self.fill_across(sources.and(open), open, paths);
        match passable {
            Some(sides) => self.within_across(network, steps, open, sides),
            None => self.within_open(network, steps, open),
        }
    }

    /// Where a unit gets from a hex with so many points, fewer than `B`. `cost` says what it costs to go from a hex
    /// in a direction to the next; `None` where it may not. Who enters a hex of `halts` goes no further.
    ///
    /// Points are whole numbers: rules that count in halves or thirds double or treble them.
    #[inline]
    pub fn reach<const B: usize>(
        &self,
        from: Hex,
        points: u8,
        halts: &HexSet<L>,
        mut cost: impl FnMut(Hex, Direction, Hex) -> Option<u8>,
    ) -> Reach<L, B> {
        debug_assert!(usize::from(points) < B, "there is no bucket for {points} points");
        let halts = halts.difference(&HexSet::one(from));
        let mut reach = Reach { spent: [HexSet::EMPTY; B] };
        let mut settled = HexSet::EMPTY;
        reach.spent[0].insert(from);
        for spent in 0..=usize::from(points).min(B - 1) {
            // A step may be free, so that a hex joins the bucket that is being emptied.
            loop {
                let fresh = reach.spent[spent].difference(&settled);
                if fresh.is_empty() {
                    break;
                }
                settled = settled.or(&fresh);
                for hex in fresh.difference(&halts) {
                    for (way, next) in self.neighbours(hex) {
                        if !settled.contains(next)
                            && let Some(price) = cost(hex, way, next)
                            && spent + usize::from(price) <= usize::from(points)
                            && let Some(bucket) = reach.spent.get_mut(spent + usize::from(price))
                        {
                            bucket.insert(next);
                        }
                    }
                }
            }
        }
        // A hex stays in the cheapest bucket alone.
        let mut cheaper = HexSet::EMPTY;
        for bucket in &mut reach.spent {
            *bucket = bucket.difference(&cheaper);
            cheaper = cheaper.or(bucket);
        }
        reach
    }
}

impl<const L: usize> Board<L> for HexBoard<L> {
    type Place = Hex;

    #[inline]
    fn places(&self) -> &HexSet<L> {
        &self.hexes
    }

    #[inline]
    fn neighbours_of(&self, set: &HexSet<L>) -> HexSet<L> {
        let mut out = [0; L];
        for line in 0..L {
            let word = set.0[line];
            out[line] |= word << 1 | word >> 1;
            let beside = self.beside(line, word);
            if line > 0 {
                out[line - 1] |= beside;
            }
            if line + 1 < L {
                out[line + 1] |= beside;
            }
        }
        HexSet::from_words(out).and(&self.hexes)
    }

    fn fill(&self, start: HexSet<L>, open: &HexSet<L>) -> HexSet<L> {
        self.flood(0..L, &start, open, |_, _, word| word)
    }

    #[inline]
    fn within_open(&self, start: HexSet<L>, steps: u32, open: &HexSet<L>) -> HexSet<L> {
        (0..steps).fold(start, |reached, _| reached.or(&self.neighbours_of(&reached).and(open)))
    }
}

/// Spreads along a line: up the places where the step to them is open `ahead`, and down where it is open `back`.
#[inline]
fn along(word: u64, ahead: u64, back: u64) -> u64 {
    // What carries in an addition runs on through ones: a carry enters each run of open places at its first hex.
    let enter = word << 1 & ahead;
    let up = enter | ahead & !ahead.wrapping_add(enter);
    // Nothing carries down: there the reach doubles with each step, until none reaches further.
    let (mut down, mut open, mut reach) = (word, back, 1);
    loop {
        let grown = down | open & down >> reach;
        if grown == down || reach == 32 {
            return up | grown;
        }
        down = grown;
        open &= open >> reach;
        reach *= 2;
    }
}

/// Where a unit gets, by the points it takes: see [`HexBoard::reach`].
#[derive(Clone, Debug)]
pub struct Reach<const L: usize, const B: usize> {
    /// The hexes that cost so many points and not fewer.
    pub spent: [HexSet<L>; B],
}

impl<const L: usize, const B: usize> Reach<L, B> {
    /// All hexes reached, the one of departure included.
    pub fn hexes(&self) -> HexSet<L> {
        self.spent.iter().fold(HexSet::EMPTY, HexSet::or)
    }

    /// The points it takes to a hex, if it is reached.
    pub fn cost(&self, hex: Hex) -> Option<u8> {
        self.spent.iter().position(|bucket| bucket.contains(hex)).map(|cost| cost as u8)
    }
}

/// Hexsides with a feature (a river, a bridge, a border, a road across them).
///
/// Each hexside is seen from both hexes, so that a feature may hold one way alone: a slope is climbed one way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hexsides<const L: usize> {
    /// By direction: the hexes that have the feature on their side in that direction.
    leaving: [HexSet<L>; 6],
}

impl<const L: usize> Default for Hexsides<L> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const L: usize> Hexsides<L> {
    /// No hexside.
    pub const EMPTY: Self = Hexsides { leaving: [HexSet::EMPTY; 6] };

    /// All hexsides between hexes of a board.
    pub fn all(board: &HexBoard<L>) -> Self {
        Hexsides { leaving: Direction::ALL.map(|way| board.step(&board.hexes, way.opposite())) }
    }

    /// Adds the side between a hex and its neighbour in a direction, seen from both.
    ///
    /// # Errors
    /// If there is no such neighbour.
    pub fn insert(&mut self, board: &HexBoard<L>, hex: Hex, direction: Direction) -> Result<(), HexError> {
        let next = board.neighbour(hex, direction).ok_or(HexError::OffBoard { hex })?;
        self.leaving[direction as usize].insert(hex);
        self.leaving[direction.opposite() as usize].insert(next);
        Ok(())
    }

    /// Adds the side of a hex in a direction, seen from this hex alone.
    pub fn insert_one_way(&mut self, hex: Hex, direction: Direction) {
        self.leaving[direction as usize].insert(hex);
    }

    /// Whether who leaves a hex in a direction crosses one of these sides.
    #[inline]
    pub fn contains(&self, hex: Hex, direction: Direction) -> bool {
        self.leaving[direction as usize].contains(hex)
    }

    /// The hexes that have one of these sides in a direction.
    #[inline]
    pub fn leaving(&self, direction: Direction) -> &HexSet<L> {
        &self.leaving[direction as usize]
    }

    /// The hexes that have one of these sides.
    pub fn hexes(&self) -> HexSet<L> {
        self.leaving.iter().fold(HexSet::EMPTY, HexSet::or)
    }

    /// Sides in either set.
    #[must_use]
    pub fn or(&self, other: &Self) -> Self {
        Hexsides { leaving: std::array::from_fn(|way| self.leaving[way].or(&other.leaving[way])) }
    }

    /// Sides in both sets.
    #[must_use]
    pub fn and(&self, other: &Self) -> Self {
        Hexsides { leaving: std::array::from_fn(|way| self.leaving[way].and(&other.leaving[way])) }
    }

    /// Sides of this set that are not in the other.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        Hexsides { leaving: std::array::from_fn(|way| self.leaving[way].difference(&other.leaving[way])) }
    }
}

#[cfg(test)]
mod tests;
