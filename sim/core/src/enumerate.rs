//! Dice that fall in every way there is, one way after the other: the exact law of anything the rules make of dice.
//!
//! ```
//! use sandtable_core::Dice;
//! use sandtable_core::enumerate::law;
//!
//! // A six is rolled again, once.
//! let total = law(|dice| {
//!     let first = dice.die(6);
//!     if first == 6 { first + dice.die(6) } else { first }
//! });
//! assert!((total.probability(&5) - 1.0 / 6.0).abs() < 1e-12);
//! assert!((total.probability(&12) - 1.0 / 36.0).abs() < 1e-12);
//! ```

use crate::pmf::Pmf;
use crate::table::Dice;

/// Dice that take all their ways to fall in turn. What is rolled may depend on earlier rolls: the ways form a tree, which
/// is walked from leaf to leaf by playing again from the start with other rolls.
#[derive(Clone, Debug, Default)]
pub struct EveryRoll {
    /// What each roll of the way at hand shows, and of how many faces.
    rolls: Vec<(u32, u32)>,
    next: usize,
}

impl EveryRoll {
    /// Dice on their first way: every roll shows its lowest face.
    pub fn new() -> Self {
        EveryRoll::default()
    }

    /// The probability of the rolls made on the way at hand.
    pub fn probability(&self) -> f64 {
        self.rolls[..self.next].iter().map(|&(_, faces)| 1.0 / f64::from(faces)).product()
    }

    /// Turns to the next way, which begins with the first roll again; `false` when there is none left, and the dice are
    /// as new.
    pub fn advance(&mut self) -> bool {
        self.rolls.truncate(self.next);
        self.next = 0;
        while let Some((shown, faces)) = self.rolls.last_mut() {
            *shown += 1;
            if *shown < *faces {
                return true;
            }
            self.rolls.pop();
        }
        false
    }
}

impl Dice for EveryRoll {
    fn below(&mut self, n: u32) -> u32 {
        if self.next == self.rolls.len() {
            self.rolls.push((0, n));
        }
        let (shown, faces) = self.rolls[self.next];
        debug_assert_eq!(faces, n, "the same rolls led to another die");
        self.next += 1;
        shown
    }
}

/// The exact law of what `play` makes of its dice. Apart from them `play` must do the same each time.
pub fn law<T: Ord>(mut play: impl FnMut(&mut EveryRoll) -> T) -> Pmf<T> {
    let mut dice = EveryRoll::new();
    let mut masses = Vec::new();
    loop {
        let outcome = play(&mut dice);
        masses.push((outcome, dice.probability()));
        if !dice.advance() {
            return Pmf::weighted(masses);
        }
    }
}

/// What came of dice, remembered by what they showed: a play in which nothing but its dice is left to chance need be played
/// only once for each fall of them.
#[derive(Clone, Debug)]
pub struct Remembered<T> {
    /// The tree of all falls seen; the root comes first, the ways of a roll stand side by side.
    nodes: Vec<Node<T>>,
    /// What the dice have shown so far in the play at hand.
    shown: Vec<u32>,
}

#[derive(Clone, Debug)]
enum Node<T> {
    Unknown,
    /// A roll of so many faces; the node after its lowest face.
    Roll(u32, usize),
    End(T),
}

/// Dice that repeat what has been shown, go on with others, and note down all.
#[derive(Debug)]
pub struct Continued<'a, D> {
    shown: &'a [u32],
    more: &'a mut D,
    noted: Vec<(u32, u32)>,
}

impl<D: Dice> Dice for Continued<'_, D> {
    fn below(&mut self, n: u32) -> u32 {
        let shown = match self.shown.get(self.noted.len()) {
            Some(&shown) => shown,
            None => self.more.below(n),
        };
        self.noted.push((shown, n));
        shown
    }
}

impl<T> Default for Remembered<T> {
    fn default() -> Self {
        Remembered { nodes: vec![Node::Unknown], shown: Vec::new() }
    }
}

impl<T> Remembered<T> {
    /// Nothing is remembered yet.
    pub fn new() -> Self {
        Remembered::default()
    }

    /// What comes of the dice, by `play` if they have not fallen so before. It rolls them in the same order either way.
    #[inline]
    pub fn sample<D: Dice>(&mut self, dice: &mut D, play: impl FnOnce(&mut Continued<'_, D>) -> T) -> &T {
        let mut at = 0;
        self.shown.clear();
        while let Node::Roll(faces, ways) = self.nodes[at] {
            let shown = dice.below(faces);
            self.shown.push(shown);
            at = ways + shown as usize;
        }
        if matches!(self.nodes[at], Node::Unknown) {
            at = self.learn(at, dice, play);
        }
        match &self.nodes[at] {
            Node::End(outcome) => outcome,
            _ => unreachable!("a fall that has been played has its outcome"),
        }
    }

    /// Plays what is not known beyond a node; gives the node of the outcome.
    #[cold]
    fn learn<D: Dice>(
        &mut self,
        from: usize,
        dice: &mut D,
        play: impl FnOnce(&mut Continued<'_, D>) -> T,
    ) -> usize {
        let mut continued = Continued { shown: &self.shown, more: dice, noted: Vec::new() };
        let outcome = play(&mut continued);
        let mut at = from;
        for &(shown, faces) in &continued.noted[self.shown.len()..] {
            let ways = self.nodes.len();
            self.nodes.extend((0..faces).map(|_| Node::Unknown));
            self.nodes[at] = Node::Roll(faces, ways);
            at = ways + shown as usize;
        }
        self.nodes[at] = Node::End(outcome);
        at
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_comes_once_with_its_probability() {
        // A die of two faces says how many dice of three follow.
        let mut dice = EveryRoll::new();
        let mut ways = Vec::new();
        loop {
            let more = dice.below(2);
            let rest: Vec<u32> = (0..more).map(|_| dice.below(3)).collect();
            ways.push((more, rest, dice.probability()));
            if !dice.advance() {
                break;
            }
        }
        let sixth = 0.5 / 3.0;
        assert_eq!(ways, [(0, vec![], 0.5), (1, vec![0], sixth), (1, vec![1], sixth), (1, vec![2], sixth)]);
        assert_eq!(dice.below(2), 0, "the dice are as new");
    }

    #[test]
    fn what_is_remembered_is_what_would_be_played() {
        use crate::table::Rng64;
        // How many dice are rolled depends on the first.
        let play = |dice: &mut dyn FnMut(u32) -> u32| {
            let more = dice(4);
            (0..more).fold(more, |sum, _| sum * 10 + dice(6))
        };
        let (mut known, mut played) = (Remembered::new(), 0);
        let (mut remembered, mut fresh) = (Rng64::stream(1, 0, 0), Rng64::stream(1, 0, 0));
        for _ in 0..5000 {
            let outcome = *known.sample(&mut remembered, |dice| {
                played += 1;
                play(&mut |faces| dice.below(faces))
            });
            assert_eq!(outcome, play(&mut |faces| fresh.below(faces)));
        }
        assert_eq!(played, 1 + 6 + 36 + 216, "each fall is played once");
    }

    #[test]
    fn sums_of_dice_agree_with_their_convolution() {
        let sum = law(|dice| (0..4).map(|_| dice.die(6) as i32).sum::<i32>());
        assert!(sum.distance(&Pmf::dice(4, 6)) < 1e-12);
        assert_eq!(law(|_| 7), Pmf::point(7));
    }
}
