//! Backgammon without the doubling cube: one game, scored 1 for a win, 2 for a gammon, 3 for a backgammon.
//!
//! An action moves one checker with one die. The rules roll, pass a turn that has no legal play, and play what is
//! forced, so that every decision offers at least two actions.
//!
//! Each side sees its own checkers on points 24 down to 1, with 25 for the bar and 0 for those borne off; point `p`
//! of one side is point `25 - p` of the other. Beside the counts a side keeps two words of one bit a point, where it
//! has a checker (`occupied`) and where it has two or more (`made`). The sources a die can be played from are then a
//! shift and an intersection of words:
//!
//! ```text
//! open    = points the other side has not made
//! sources = occupied & (open << die)
//! ```
//!
//! Both dice must be played if that is possible, the higher one if either but not both can be. This asks for lookahead
//! only where a single checker could be in the way, because a play by one checker never takes one away from another.
//! For the same reason doubles need no lookahead: every order of play gets equally far.

use sandtable_core::{Context, Dice, Digest, Game, Outcome, PerSide, Side, SideInfo, Turn};

/// Checkers of a side.
pub const CHECKERS: u8 = 15;
/// Where hit checkers wait, as a point.
pub const BAR: u8 = 25;
/// Where checkers are borne off to, as a point.
pub const OFF: u8 = 0;

/// Turns (of either side) after which a game is a draw. Random games last a few hundred; the bound keeps a game finite
/// whatever the dice.
pub const MAX_TURNS: u16 = 50_000;

/// Ties of the opening roll after which the first side begins, whatever the dice.
const MAX_TIES: u32 = 100;

/// Points 1 to 24.
const BOARD: u32 = (1 << 25) - 2;
/// Points beyond the home board, the bar included.
const OUTSIDE: u32 = (1 << 26) - (1 << 7);

/// One checker moved by one die.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Play {
    /// The die used, 1 to 6.
    pub die: u8,
    /// Where the checker starts, 1 to 24 or [`BAR`], as its side counts.
    pub from: u8,
}

/// Facts of a game. Points are counted as the acting side does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A side rolled for its turn.
    Rolled {
        /// Which side.
        side: Side,
        /// The dice, the lower first.
        dice: [u8; 2],
    },
    /// A checker moved.
    Moved {
        /// Whose checker.
        side: Side,
        /// The point it left, or [`BAR`].
        from: u8,
        /// The point it reached, or [`OFF`].
        to: u8,
        /// Whether it hit a blot.
        hit: bool,
    },
    /// The rest of a roll could not be played.
    Stuck {
        /// Which side.
        side: Side,
    },
}

/// The checkers of one side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Checkers {
    count: [u8; 26],
    /// Cached: points (and bar) with a checker.
    occupied: u32,
    /// Cached: points with two checkers or more; the bar too, which is in nobody's way.
    made: u32,
}

impl Checkers {
    fn new(count: [u8; 26]) -> Self {
        let mut checkers = Checkers { count, occupied: 0, made: 0 };
        for point in 1..=BAR {
            checkers.occupied |= u32::from(count[point as usize] > 0) << point;
            checkers.made |= u32::from(count[point as usize] > 1) << point;
        }
        checkers
    }

    #[inline]
    fn take(&mut self, point: u8) {
        let count = &mut self.count[point as usize];
        *count -= 1;
        self.occupied &= !(u32::from(*count == 0) << point);
        self.made &= !(u32::from(*count == 1) << point);
    }

    #[inline]
    fn put(&mut self, point: u8) {
        let count = &mut self.count[point as usize];
        *count += 1;
        self.occupied |= 1 << point;
        self.made |= u32::from(*count > 1) << point;
    }

    /// The points, as the other side counts them, that are not made.
    #[inline]
    fn open_to_other(&self) -> u32 {
        !(self.made.reverse_bits() >> 6) & BOARD
    }

    /// Where a checker can be played from with this die.
    #[inline]
    fn sources(&self, open: u32, die: u8) -> u32 {
        if self.occupied >> BAR != 0 {
            return (open << die) & (1 << BAR);
        }
        let moves = self.occupied & (open << die);
        if self.occupied & OUTSIDE != 0 {
            return moves;
        }
        let exact = self.occupied & (1 << die);
        // A die beyond the highest checker bears that one off.
        let highest = (1u32 << 31).checked_shr(self.occupied.leading_zeros()).unwrap_or(0);
        moves | exact | if highest < 1 << die { highest } else { 0 }
    }
}

/// A position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    checkers: [Checkers; 2],
    /// Cached: where each of `dice` can be played from.
    sources: [u32; 2],
    turn: u16,
    /// What is left of the roll: two dice, the lower first, or one that is played `left` times.
    dice: [u8; 2],
    left: u8,
    mover: u8,
    over: bool,
}

const _: () = assert!(size_of::<State>() == 88);

const OPENING: [u8; 26] = {
    let mut count = [0; 26];
    count[24] = 2;
    count[13] = 5;
    count[8] = 3;
    count[6] = 5;
    count
};

impl State {
    /// A position in which `mover` has rolled `dice` and decides. Each side's checkers are given as (point, how many),
    /// as that side counts, with [`BAR`]; those not on the board or the bar are borne off. A roll that leaves no choice
    /// is played, as in a game.
    ///
    /// # Errors
    /// If a side has more than fifteen checkers or none left, a point does not exist or is held by both sides, or a die
    /// does not exist.
    pub fn set_up<T: Context<Event>>(
        sides: [&[(u8, u8)]; 2],
        mover: Side,
        dice: [u8; 2],
        context: &mut T,
    ) -> Result<Self, String> {
        let mut checkers = [Checkers::new([0; 26]); 2];
        for (side, places) in sides.into_iter().enumerate() {
            let mut count = [0; 26];
            let mut left = CHECKERS;
            for &(point, many) in places {
                if !(1..=BAR).contains(&point) {
                    return Err(format!("side {side}: there is no point {point}"));
                }
                left = left.checked_sub(many).ok_or_else(|| format!("side {side}: more than 15 checkers"))?;
                count[point as usize] += many;
            }
            if left == CHECKERS {
                return Err(format!("side {side} has no checkers left"));
            }
            count[OFF as usize] = left;
            checkers[side] = Checkers::new(count);
        }
        if mover.0 > 1 || dice.iter().any(|die| !(1..=6).contains(die)) {
            return Err(format!("side {} cannot roll {dice:?}", mover.0));
        }
        let mut state =
            State { checkers, sources: [0; 2], turn: 1, dice: [0; 2], left: 0, mover: mover.0, over: false };
        check_places(&state)?;
        state.begin(dice, context);
        state.go_on(context);
        Ok(state)
    }

    /// How many checkers a side has on a point (as it counts), on the [`BAR`] or [`OFF`] the board.
    pub fn checkers(&self, side: Side, point: u8) -> u8 {
        self.checkers[side.index()].count[point as usize]
    }

    /// Pips a side still has to move.
    pub fn pips(&self, side: Side) -> u32 {
        let count = &self.checkers[side.index()].count;
        (1..=BAR).map(|point| u32::from(point) * u32::from(count[point as usize])).sum()
    }

    /// The dice still to be played, the lower first; a double is listed once for each play left.
    pub fn dice_left(&self) -> Vec<u8> {
        if self.dice[1] != 0 { self.dice.to_vec() } else { vec![self.dice[0]; self.left as usize] }
    }

    /// Starts the mover's turn with this roll.
    #[inline]
    fn begin<T: Context<Event>>(&mut self, dice: [u8; 2], context: &mut T) {
        let [low, high] = [dice[0].min(dice[1]), dice[0].max(dice[1])];
        context.emit(|| Event::Rolled { side: Side(self.mover), dice: [low, high] });
        let own = &self.checkers[self.mover as usize];
        let open = self.checkers[1 - self.mover as usize].open_to_other();
        if low == high {
            self.dice = [low, 0];
            self.left = 4;
            self.sources = [own.sources(open, low), 0];
        } else {
            self.dice = [low, high];
            self.left = 2;
            self.sources = both_dice(own, open, [low, high]);
        }
    }

    /// Moves the checker and finds where the rest of the roll can be played from.
    #[inline]
    fn play<T: Context<Event>>(&mut self, play: Play, context: &mut T) {
        let to = play.from.saturating_sub(play.die);
        let [own, other] = {
            let [first, second] = &mut self.checkers;
            if self.mover == 0 { [first, second] } else { [second, first] }
        };
        own.take(play.from);
        let mut hit = false;
        if to == OFF {
            own.count[OFF as usize] += 1;
            self.over = own.count[OFF as usize] == CHECKERS;
        } else {
            own.put(to);
            hit = other.occupied >> (25 - to) & 1 != 0;
            if hit {
                other.take(25 - to);
                other.put(BAR);
            }
        }
        context.emit(|| Event::Moved { side: Side(self.mover), from: play.from, to, hit });
        if self.dice[1] != 0 {
            self.dice = [self.dice[0] ^ self.dice[1] ^ play.die, 0];
        }
        self.left -= 1;
        let rest =
            if self.left == 0 || self.over { 0 } else { own.sources(other.open_to_other(), self.dice[0]) };
        self.sources = [rest, 0];
    }

    /// Plays what is forced, ends turns and rolls, up to a choice or the end.
    #[inline]
    fn go_on<T: Context<Event>>(&mut self, context: &mut T) {
        while !self.over {
            let [low, high] = self.sources;
            if low | high == 0 {
                if self.left > 0 {
                    context.emit(|| Event::Stuck { side: Side(self.mover) });
                }
                if self.turn == MAX_TURNS {
                    self.over = true;
                    break;
                }
                self.turn += 1;
                self.mover ^= 1;
                let dice = [context.die(6) as u8, context.die(6) as u8];
                self.begin(dice, context);
            } else if low & low.wrapping_sub(1) == 0
                && high & high.wrapping_sub(1) == 0
                && (low == 0 || high == 0)
            {
                let (die, sources) = if low != 0 { (self.dice[0], low) } else { (self.dice[1], high) };
                self.play(Play { die, from: sources.trailing_zeros() as u8 }, context);
            } else {
                break;
            }
        }
        if self.over {
            self.sources = [0; 2];
            self.dice = [0; 2];
            self.left = 0;
        }
    }

    fn recomputed(&self) -> Self {
        let mut fresh =
            State { checkers: self.checkers.map(|checkers| Checkers::new(checkers.count)), ..*self };
        let own = &fresh.checkers[self.mover as usize];
        let open = fresh.checkers[1 - self.mover as usize].open_to_other();
        fresh.sources = match (self.over, self.dice) {
            (true, _) => [0; 2],
            (false, [die, 0]) => [own.sources(open, die), 0],
            (false, dice) => looked_ahead(own, open, dice),
        };
        fresh
    }
}

/// The sources of two different dice, under the duty to play both if possible, else the higher.
#[inline]
fn both_dice(own: &Checkers, open: u32, dice: [u8; 2]) -> [u32; 2] {
    let low = own.sources(open, dice[0]);
    let high = own.sources(open, dice[1]);
    // A die with sources for two checkers can be played whichever checker the other die moves.
    let ample = |sources: u32| sources & sources.wrapping_sub(1) != 0 || sources & own.made != 0;
    if ample(low) && ample(high) { [low, high] } else { looked_ahead(own, open, dice) }
}

/// As [`both_dice`], by trying every first play.
#[cold]
#[inline(never)]
fn looked_ahead(own: &Checkers, open: u32, dice: [u8; 2]) -> [u32; 2] {
    let sources = dice.map(|die| own.sources(open, die));
    let mut both = [0; 2];
    for first in 0..2 {
        let mut left = sources[first];
        while left != 0 {
            let from = left.trailing_zeros() as u8;
            left &= left - 1;
            let mut after = *own;
            after.take(from);
            let to = from.saturating_sub(dice[first]);
            if to != OFF {
                after.put(to);
            }
            if after.sources(open, dice[1 - first]) != 0 {
                both[first] |= 1 << from;
            }
        }
    }
    match (both, sources) {
        ([0, 0], [low, 0]) => [low, 0],
        ([0, 0], [_, high]) => [0, high],
        _ => both,
    }
}

fn check_places(state: &State) -> Result<(), String> {
    for point in 1..BAR {
        if state.checkers(Side(0), point) > 0 && state.checkers(Side(1), BAR - point) > 0 {
            return Err(format!("both sides are on point {point} of the first"));
        }
    }
    Ok(())
}

/// The rules.
#[derive(Clone, Debug)]
pub struct Backgammon {
    sides: [SideInfo; 2],
}

impl Default for Backgammon {
    fn default() -> Self {
        Backgammon::new()
    }
}

impl Backgammon {
    /// The rules of a single game.
    pub fn new() -> Self {
        Backgammon {
            sides: [
                SideInfo { id: "white", name: "White", team: 0, points: (-3, 3) },
                SideInfo { id: "black", name: "Black", team: 1, points: (-3, 3) },
            ],
        }
    }
}

impl Game for Backgammon {
    type State = State;
    type Action = Play;
    type Event = Event;

    fn sides(&self) -> &[SideInfo] {
        &self.sides
    }

    /// Both sides roll a die, white first, again while they tie; the higher begins and plays both dice.
    fn initial<T: Context<Event>>(&self, context: &mut T) -> State {
        let mut dice = [context.die(6) as u8, context.die(6) as u8];
        let mut ties = 0;
        while dice[0] == dice[1] && ties < MAX_TIES {
            dice = [context.die(6) as u8, context.die(6) as u8];
            ties += 1;
        }
        let mut state = State {
            checkers: [Checkers::new(OPENING); 2],
            sources: [0; 2],
            turn: 1,
            dice: [0; 2],
            left: 0,
            mover: u8::from(dice[0] < dice[1]),
            over: false,
        };
        state.begin(dice, context);
        state.go_on(context);
        state
    }

    #[inline]
    fn turn_of(&self, state: &State) -> Turn {
        if state.over { Turn::Over } else { Turn::Decide(Side(state.mover)) }
    }

    /// Points: 1 to the winner, 2 if the loser has borne off nothing (gammon), 3 if moreover the loser has a checker on
    /// the bar or in the winner's home board (backgammon). The utility is 1 for a win of any size.
    fn outcome(&self, state: &State) -> Option<Outcome> {
        if !state.over {
            return None;
        }
        let winner = Side(state.mover);
        if state.checkers(winner, OFF) < CHECKERS {
            let utility = PerSide([0.5, 0.5, 0.0, 0.0]);
            return Some(Outcome {
                points: PerSide::default(),
                utility,
                winner: None,
                end_reason: "turn_limit",
            });
        }
        let loser = &state.checkers[1 - winner.index()];
        // The winner's points 1 to 6 are the loser's 24 to 19.
        let (worth, end_reason) = if loser.count[OFF as usize] > 0 {
            (1.0, "win")
        } else if loser.occupied >> 19 == 0 {
            (2.0, "gammon")
        } else {
            (3.0, "backgammon")
        };
        let (mut points, mut utility) = (PerSide([-worth, -worth, 0.0, 0.0]), PerSide::default());
        points[winner] = worth;
        utility[winner] = 1.0;
        Some(Outcome { points, utility, winner: Some(winner.0), end_reason })
    }

    #[inline]
    fn legal_actions(&self, state: &State, out: &mut Vec<Play>) {
        for (die, sources) in state.dice.into_iter().zip(state.sources) {
            let mut left = sources;
            while left != 0 {
                out.push(Play { die, from: left.trailing_zeros() as u8 });
                left &= left - 1;
            }
        }
    }

    #[inline]
    fn apply<T: Context<Event>>(&self, state: &mut State, action: Play, context: &mut T) {
        debug_assert!(
            !state.over
                && action.die != 0
                && (0..2).any(|i| state.dice[i] == action.die && state.sources[i] >> action.from & 1 != 0),
            "illegal: {action:?}"
        );
        state.play(action, context);
        state.go_on(context);
    }

    fn has_hidden_information(&self) -> bool {
        false
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
        self.hash(&state.recomputed())
    }

    fn check(&self, state: &State) -> Result<(), String> {
        for (side, checkers) in self.sides.iter().zip(&state.checkers) {
            let sum: u32 = checkers.count.iter().map(|&count| u32::from(count)).sum();
            if sum != u32::from(CHECKERS) {
                return Err(format!("{} has {sum} checkers", side.id));
            }
        }
        check_places(state)?;
        let choices = state.sources[0].count_ones() + state.sources[1].count_ones();
        if !state.over && choices < 2 {
            return Err(format!("a decision with {choices} actions"));
        }
        let done = [0, 1].map(|side| state.checkers(Side(side), OFF) == CHECKERS);
        if done[1 - state.mover as usize] || (done[state.mover as usize] && !state.over) {
            return Err("the game went on after the last checker was borne off".into());
        }
        Ok(())
    }

    /// Turns of either side, from 1; passed turns count.
    fn turn_number(&self, state: &State) -> u32 {
        u32::from(state.turn)
    }

    fn describe(&self, _: &State, action: Play) -> String {
        let from = if action.from == BAR { "bar".into() } else { action.from.to_string() };
        let to =
            if action.from <= action.die { "off".into() } else { (action.from - action.die).to_string() };
        format!("{from}/{to} with the {}", action.die)
    }
}

#[cfg(test)]
mod tests;
