//! Connect four: seven columns, six rows, four in a row win.
//!
//! A board is two words of one bit a cell, column by column from the bottom, with an empty seventh row above each
//! column so that lines do not run over the edge:
//!
//! ```text
//!   6 13 20 27 34 41 48   always empty
//!   5 12 19 26 33 40 47
//!   4 11 18 25 32 39 46
//!   3 10 17 24 31 38 45
//!   2  9 16 23 30 37 44
//!   1  8 15 22 29 36 43
//!   0  7 14 21 28 35 42
//! ```
//!
//! Every disc is an action, the last open column included, so plies and discs count alike.
//!
//! ```
//! use sandtable_core::{Game, Rng64, PlayContext, play_out_random};
//! use sandtable_reference::ConnectFour;
//!
//! let game = ConnectFour::new();
//! let mut context = PlayContext::silent(Rng64::stream(1, 0, 0));
//! let mut state = game.initial(&mut context);
//! let plies = play_out_random(&game, &mut state, &mut context, &mut Vec::new());
//! assert!((7..=42).contains(&plies));
//! assert!(game.outcome(&state).is_some());
//! ```

mod solver;

pub use solver::Solver;

use sandtable_core::{Context, Dice, Digest, Game, Outcome, PerSide, Side, SideInfo, Turn};

/// Columns of the board.
pub const COLUMNS: u32 = 7;
/// Rows of the board.
pub const ROWS: u32 = 6;
/// Cells of the board, and so the most plies of a game.
pub const CELLS: u32 = COLUMNS * ROWS;

/// Bits of a column in a board word.
const STRIDE: u32 = ROWS + 1;

/// The lowest cell of every column.
const BOTTOM: u64 = {
    let mut cells = 0;
    let mut column = 0;
    while column < COLUMNS {
        cells |= 1 << (column * STRIDE);
        column += 1;
    }
    cells
};

/// All cells.
const BOARD: u64 = BOTTOM * ((1 << ROWS) - 1);

/// The highest cell of every column.
const TOP: u64 = BOTTOM << (ROWS - 1);

/// A disc dropped into a column, 0 to 6 from the left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Drop(pub u8);

/// Facts of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A disc came to rest.
    Dropped {
        /// Whose disc.
        side: Side,
        /// Column, 0 to 6.
        column: u8,
        /// Row, 0 to 5 from the bottom.
        row: u8,
    },
}

/// As wide as the plies, so that a position has no gaps and is copied in words.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u32)]
enum Status {
    Running,
    Won,
    Drawn,
}

/// A position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    /// Discs of the side that moves next.
    mover: u64,
    /// Discs of both sides.
    all: u64,
    plies: u32,
    /// Cached: what the boards say.
    status: Status,
}

const _: () = assert!(size_of::<State>() == 24);

/// Whether the cells hold four in a row.
#[inline]
fn four_in_a_row(cells: u64) -> bool {
    let vertical = cells & (cells >> 1);
    let horizontal = cells & (cells >> STRIDE);
    let falling = cells & (cells >> (STRIDE - 1));
    let rising = cells & (cells >> (STRIDE + 1));
    (vertical & (vertical >> 2))
        | (horizontal & (horizontal >> (2 * STRIDE)))
        | (falling & (falling >> (2 * (STRIDE - 1))))
        | (rising & (rising >> (2 * (STRIDE + 1))))
        != 0
}

impl State {
    /// The empty board.
    pub const EMPTY: Self = State { mover: 0, all: 0, plies: 0, status: Status::Running };

    /// The position after discs in these columns, written 1 to 7 from the left as the literature does.
    ///
    /// # Errors
    /// Names the first disc that is no column, does not fit, or follows the end of the game.
    pub fn after(columns: &str) -> Result<Self, String> {
        let mut state = State::EMPTY;
        for (i, letter) in columns.chars().enumerate() {
            let ply = i + 1;
            let column = match letter.to_digit(10) {
                Some(digit @ 1..=COLUMNS) => digit as u8 - 1,
                _ => return Err(format!("ply {ply}: `{letter}` is not a column from 1 to {COLUMNS}")),
            };
            if state.status != Status::Running {
                return Err(format!("ply {ply}: the game is already over"));
            }
            if !state.open(column) {
                return Err(format!("ply {ply}: column {letter} is full"));
            }
            state.drop(column);
        }
        Ok(state)
    }

    /// The side that moves next (or would, were the game not over).
    #[inline]
    pub fn mover(&self) -> Side {
        Side((self.plies & 1) as u8)
    }

    /// Discs on the board.
    #[inline]
    pub fn plies(&self) -> u32 {
        self.plies
    }

    /// Whether the column has room, 0 to 6 from the left.
    #[inline]
    pub fn open(&self, column: u8) -> bool {
        self.all >> (u32::from(column) * STRIDE + ROWS - 1) & 1 == 0
    }

    /// Who has a disc in this cell; columns and rows count from 0 at the lower left.
    pub fn disc(&self, column: u8, row: u8) -> Option<Side> {
        let cell = 1 << (u32::from(column) * STRIDE + u32::from(row));
        (self.all & cell != 0)
            .then(|| if self.mover & cell != 0 { self.mover() } else { Side(1 - self.mover().0) })
    }

    #[inline]
    fn drop(&mut self, column: u8) {
        let cell = (self.all + (1 << (u32::from(column) * STRIDE))) & !self.all & COLUMN[column as usize];
        let dropper = self.mover | cell;
        self.mover ^= self.all;
        self.all |= cell;
        self.plies += 1;
        self.status = if four_in_a_row(dropper) {
            Status::Won
        } else if self.plies == CELLS {
            Status::Drawn
        } else {
            Status::Running
        };
    }

    fn recomputed_status(&self) -> Status {
        if four_in_a_row(self.mover ^ self.all) {
            Status::Won
        } else if self.all == BOARD {
            Status::Drawn
        } else {
            Status::Running
        }
    }
}

/// The cells of every column.
const COLUMN: [u64; COLUMNS as usize] = {
    let mut cells = [0; COLUMNS as usize];
    let mut column = 0;
    while column < COLUMNS {
        cells[column as usize] = ((1 << ROWS) - 1) << (column * STRIDE);
        column += 1;
    }
    cells
};

const ALL_COLUMNS: [Drop; COLUMNS as usize] = [Drop(0), Drop(1), Drop(2), Drop(3), Drop(4), Drop(5), Drop(6)];

/// The rules.
#[derive(Clone, Debug)]
pub struct ConnectFour {
    sides: [SideInfo; 2],
}

impl Default for ConnectFour {
    fn default() -> Self {
        ConnectFour::new()
    }
}

impl ConnectFour {
    /// The rules of the standard board.
    pub fn new() -> Self {
        ConnectFour {
            sides: [
                SideInfo { id: "first", name: "First", team: 0, points: (0, 1) },
                SideInfo { id: "second", name: "Second", team: 1, points: (0, 1) },
            ],
        }
    }
}

impl Game for ConnectFour {
    type State = State;
    type Action = Drop;
    type Event = Event;

    fn sides(&self) -> &[SideInfo] {
        &self.sides
    }

    fn initial<T: Context<Event>>(&self, _: &mut T) -> State {
        State::EMPTY
    }

    #[inline]
    fn turn_of(&self, state: &State) -> Turn {
        if state.status == Status::Running { Turn::Decide(state.mover()) } else { Turn::Over }
    }

    #[inline]
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let winner = match state.status {
            Status::Running => return None,
            Status::Won => Some(Side(1 - state.mover().0)),
            Status::Drawn => None,
        };
        let mut points = PerSide::default();
        let mut utility = PerSide([0.5, 0.5, 0.0, 0.0]);
        if let Some(winner) = winner {
            points[winner] = 1.0;
            utility = points;
        }
        let end_reason = if winner.is_some() { "four_in_a_row" } else { "board_full" };
        Some(Outcome { points, utility, winner: winner.map(|side| side.0), end_reason })
    }

    #[inline]
    fn legal_actions(&self, state: &State, out: &mut Vec<Drop>) {
        if state.all & TOP == 0 {
            out.extend_from_slice(&ALL_COLUMNS);
            return;
        }
        let mut open = [Drop(0); COLUMNS as usize];
        let mut count = 0;
        for column in 0..COLUMNS as u8 {
            open[count] = Drop(column);
            count += usize::from(state.open(column));
            // `count` stays below 7: one column at least is full.
        }
        out.extend_from_slice(&open[..count]);
    }

    #[inline]
    fn apply<T: Context<Event>>(&self, state: &mut State, action: Drop, context: &mut T) {
        debug_assert!(
            state.status == Status::Running && u32::from(action.0) < COLUMNS && state.open(action.0),
            "illegal: {action:?}"
        );
        context.emit(|| Event::Dropped {
            side: state.mover(),
            column: action.0,
            row: (state.all & COLUMN[action.0 as usize]).count_ones() as u8,
        });
        state.drop(action.0);
    }

    fn has_hidden_information(&self) -> bool {
        false
    }

    fn legal_by_history(&self) -> bool {
        true
    }

    fn determinize<D: Dice>(&self, state: &State, _: Side, _: &mut D) -> State {
        *state
    }

    fn observation(&self, state: &State, _: Side) -> u64 {
        self.hash(state)
    }

    fn hash(&self, state: &State) -> u64 {
        Digest::of(state)
    }

    fn recomputed_hash(&self, state: &State) -> u64 {
        self.hash(&State { status: state.recomputed_status(), plies: state.all.count_ones(), ..*state })
    }

    fn check(&self, state: &State) -> Result<(), String> {
        if state.all & !BOARD != 0 || state.mover & !state.all != 0 {
            return Err("a disc is off the board".into());
        }
        if state.all & !(state.all << 1) & !BOTTOM != 0 {
            return Err("a disc floats above an empty cell".into());
        }
        let (mover, other) = (state.mover.count_ones(), (state.all ^ state.mover).count_ones());
        if other != mover + (state.plies & 1) {
            return Err(format!("{mover} discs of the mover, {other} of the other side"));
        }
        if four_in_a_row(state.mover) {
            return Err("the game went on after four in a row".into());
        }
        Ok(())
    }

    /// Pairs of plies, from 1.
    fn turn_number(&self, state: &State) -> u32 {
        1 + state.plies() / 2
    }

    fn describe(&self, _: &State, action: Drop) -> String {
        format!("drop a disc into column {}", action.0 + 1)
    }
}

#[cfg(test)]
mod tests;
