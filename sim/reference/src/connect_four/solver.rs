//! Perfect play: alpha-beta over bitboards with a transposition table.
//!
//! The method is the usual one for this game: null-window searches that halve the range of scores, moves that lose at
//! once left out, the others ordered by the threats they make, positions keyed by `mover + all`.

use super::{BOARD, BOTTOM, CELLS, COLUMN, COLUMNS, Drop, ROWS, STRIDE, State, Status};

/// Scores are discs left to the winner when the game ends, plus one: 1 wins with the last disc, a draw is 0.
const MIN_SCORE: i32 = -(CELLS as i32) / 2 + 3;
const MAX_SCORE: i32 = (CELLS as i32 + 1) / 2 - 3;

const KEY_BITS: u32 = 56;

/// Columns from the centre out.
const CENTRE_FIRST: [u8; COLUMNS as usize] = [3, 2, 4, 1, 5, 0, 6];

/// A solver and what it has learned, good for any number of positions.
///
/// In a release build positions with eight discs or more take about a second at most; the first few discs take minutes.
///
/// ```
/// use sandtable_reference::connect_four::{Solver, State};
///
/// // The first player has three in the bottom row, open at both ends; the second player moves.
/// let mut solver = Solver::new(20);
/// assert_eq!(solver.value(&State::after("44556").unwrap()), -1);
/// ```
pub struct Solver {
    /// Key in the low 56 bits, bound above them: 1.. an upper bound, then the lower bounds. 0 is empty.
    table: Vec<u64>,
    shift: u32,
    positions: u64,
}

impl Solver {
    /// A solver with a transposition table of `2^bits` entries of 8 bytes; 20 to 24 are good values.
    ///
    /// # Panics
    /// If `bits` is not in 1..=32.
    pub fn new(bits: u32) -> Self {
        assert!((1..=32).contains(&bits), "a table of 2^{bits} entries");
        Solver { table: vec![0; 1 << bits], shift: 64 - bits, positions: 0 }
    }

    /// Positions searched so far.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// The score under perfect play, seen from the side that moves next: 0 is a draw, `n > 0` a win with the `n`-th
    /// disc from its last, `n < 0` a loss to such a win. A finished game has the score of its result.
    pub fn score(&mut self, state: &State) -> i32 {
        match state.status {
            Status::Won => return (state.plies() as i32 - 1) / 2 - CELLS as i32 / 2,
            Status::Drawn => return 0,
            Status::Running => {}
        }
        let node = Node::from(state);
        if node.can_win() {
            return (CELLS as i32 + 1 - node.plies) / 2;
        }
        let (mut least, mut most) = (-(CELLS as i32 - node.plies) / 2, (CELLS as i32 + 1 - node.plies) / 2);
        while least < most {
            let mut middle = least + (most - least) / 2;
            if middle <= 0 && least / 2 < middle {
                middle = least / 2;
            } else if middle >= 0 && most / 2 > middle {
                middle = most / 2;
            }
            let found = self.search(node, middle, middle + 1);
            if found <= middle {
                most = found;
            } else {
                least = found;
            }
        }
        least
    }

    /// The result under perfect play for the side that moves next: 1 a win, 0 a draw, -1 a loss.
    pub fn value(&mut self, state: &State) -> i32 {
        match state.status {
            Status::Won => -1,
            Status::Drawn => 0,
            Status::Running => {
                let node = Node::from(state);
                if node.can_win() { 1 } else { self.search(node, -1, 1).signum() }
            }
        }
    }

    /// The score of every open column for the side that moves, 0 to 6 from the left; `None` where the column is full
    /// or the game is over.
    pub fn scores(&mut self, state: &State) -> [Option<i32>; COLUMNS as usize] {
        self.columns(state, |solver, next| -solver.score(next))
    }

    /// The columns that keep the result of perfect play (not necessarily the fastest win), in ascending order.
    pub fn best(&mut self, state: &State) -> Vec<Drop> {
        let values = self.columns(state, |solver, next| -solver.value(next));
        let best = values.iter().copied().flatten().max();
        (0..COLUMNS as u8).filter(|&c| best.is_some() && values[c as usize] == best).map(Drop).collect()
    }

    fn columns(
        &mut self,
        state: &State,
        mut score: impl FnMut(&mut Self, &State) -> i32,
    ) -> [Option<i32>; COLUMNS as usize] {
        let mut scores = [None; COLUMNS as usize];
        for column in 0..COLUMNS as u8 {
            if state.status == Status::Running && state.open(column) {
                let mut next = *state;
                next.drop(column);
                scores[column as usize] = Some(score(self, &next));
            }
        }
        scores
    }

    /// The score, exact within the window and a bound beyond it. The mover must not be able to win at once.
    fn search(&mut self, node: Node, mut alpha: i32, mut beta: i32) -> i32 {
        self.positions += 1;
        let moves = node.safe_moves();
        let left = CELLS as i32 - node.plies;
        if moves == 0 {
            return -left / 2;
        }
        if left <= 2 {
            return 0;
        }
        alpha = alpha.max(-(left - 2) / 2);
        beta = beta.min((left - 1) / 2);
        if alpha >= beta {
            return beta.max(alpha);
        }
        let key = node.key();
        let slot = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize;
        let entry = self.table[slot];
        if entry & ((1 << KEY_BITS) - 1) == key {
            let bound = (entry >> KEY_BITS) as i32;
            if bound > MAX_SCORE - MIN_SCORE + 1 {
                alpha = alpha.max(bound + 2 * MIN_SCORE - MAX_SCORE - 2);
            } else if bound > 0 {
                beta = beta.min(bound + MIN_SCORE - 1);
            }
            if alpha >= beta {
                return if bound > MAX_SCORE - MIN_SCORE + 1 { alpha } else { beta };
            }
        }

        let mut order = [(0, 0); COLUMNS as usize];
        let mut count = 0;
        for column in CENTRE_FIRST {
            let cell = moves & COLUMN[column as usize];
            if cell == 0 {
                continue;
            }
            let threats = node.threats_after(cell);
            let mut place = count;
            while place > 0 && order[place - 1].0 < threats {
                order[place] = order[place - 1];
                place -= 1;
            }
            order[place] = (threats, cell);
            count += 1;
        }
        for &(_, cell) in &order[..count] {
            let score = -self.search(node.child(cell), -beta, -alpha);
            if score >= beta {
                self.table[slot] = key | ((score + MAX_SCORE - 2 * MIN_SCORE + 2) as u64) << KEY_BITS;
                return score;
            }
            alpha = alpha.max(score);
        }
        self.table[slot] = key | ((alpha - MIN_SCORE + 1) as u64) << KEY_BITS;
        alpha
    }
}

#[derive(Clone, Copy)]
struct Node {
    mover: u64,
    all: u64,
    plies: i32,
}

impl From<&State> for Node {
    fn from(state: &State) -> Self {
        Node { mover: state.mover, all: state.all, plies: state.plies() as i32 }
    }
}

impl Node {
    /// Distinct for distinct positions: the sum sets one bit above each column's discs.
    fn key(self) -> u64 {
        self.mover + self.all
    }

    fn child(self, cell: u64) -> Self {
        Node { mover: self.mover ^ self.all, all: self.all | cell, plies: self.plies + 1 }
    }

    /// The lowest empty cell of every column that has one.
    fn landings(self) -> u64 {
        (self.all + BOTTOM) & BOARD
    }

    fn can_win(self) -> bool {
        self.landings() & completions(self.mover, self.all) != 0
    }

    /// Moves after which the other side cannot win at once.
    fn safe_moves(self) -> u64 {
        let threats = completions(self.mover ^ self.all, self.all);
        let mut landings = self.landings();
        let forced = landings & threats;
        if forced != 0 {
            if forced & (forced - 1) != 0 {
                return 0;
            }
            landings = forced;
        }
        landings & !(threats >> 1)
    }

    fn threats_after(self, cell: u64) -> u32 {
        completions(self.mover | cell, self.all).count_ones()
    }
}

/// Empty cells that would complete a line of four of `discs`.
fn completions(discs: u64, all: u64) -> u64 {
    let mut cells = (discs << 1) & (discs << 2) & (discs << 3);
    for step in [STRIDE - 1, STRIDE, STRIDE + 1] {
        let above = (discs << step) & (discs << (2 * step));
        cells |= above & (discs << (3 * step));
        cells |= above & (discs >> step);
        let below = (discs >> step) & (discs >> (2 * step));
        cells |= below & (discs << step);
        cells |= below & (discs >> (3 * step));
    }
    cells & (BOARD ^ all)
}

const _: () = assert!(ROWS + 1 == STRIDE && STRIDE * COLUMNS <= KEY_BITS);
