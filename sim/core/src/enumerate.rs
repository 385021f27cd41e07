//! Dice that fall in every way there is, one way after the other: the exact distribution of anything the rules make
//! of dice.
//!
//! ```
//! use sandtable_core::Dice;
//! use sandtable_core::enumerate::distribution;
//!
//! // A six is rolled again, once.
//! let total = distribution(|dice| {
//!     let first = dice.die(6);
//!     if first == 6 { first + dice.die(6) } else { first }
//! });
//! assert!((total.probability(&5) - 1.0 / 6.0).abs() < 1e-12);
//! assert!((total.probability(&12) - 1.0 / 36.0).abs() < 1e-12);
//! ```

use crate::context::Dice;
use crate::pmf::Pmf;

/// Dice that take all their ways to fall in turn. What is rolled may depend on earlier rolls: the ways form a tree,
/// which is walked from leaf to leaf by playing again from the start with other rolls.
#[derive(Clone, Debug, Default)]
pub struct EveryRoll {
    /// The rolls of the way at hand.
    rolls: Vec<Roll>,
    next: usize,
}

/// A roll and what it shows.
#[derive(Clone, Copy, Debug)]
struct Roll {
    shown: u32,
    /// How many things it can show.
    ways: u32,
    /// Of dice of which only the hits matter: the probability that one of them hits. `None`: all ways are alike.
    hit: Option<f64>,
}

impl Roll {
    fn probability(&self) -> f64 {
        let Some(hit) = self.hit else { return 1.0 / f64::from(self.ways) };
        let (dice, hits) = (self.ways - 1, self.shown);
        let ways = (1..=hits).fold(1.0, |ways, k| ways * f64::from(dice - hits + k) / f64::from(k));
        ways * hit.powi(hits as i32) * (1.0 - hit).powi((dice - hits) as i32)
    }
}

impl EveryRoll {
    /// Dice on their first way: every roll shows its lowest face.
    pub fn new() -> Self {
        EveryRoll::default()
    }

    /// The probability of the rolls made on the way at hand.
    pub fn probability(&self) -> f64 {
        self.rolls[..self.next].iter().map(Roll::probability).product()
    }

    /// Turns to the next way, which begins with the first roll again; `false` when there is none left, and the dice are
    /// as new.
    pub fn advance(&mut self) -> bool {
        self.rolls.truncate(self.next);
        self.next = 0;
        while let Some(roll) = self.rolls.last_mut() {
            roll.shown += 1;
            if roll.shown < roll.ways {
                return true;
            }
            self.rolls.pop();
        }
        false
    }
}

impl EveryRoll {
    fn roll(&mut self, ways: u32, hit: Option<f64>) -> u32 {
        if self.next == self.rolls.len() {
            self.rolls.push(Roll { shown: 0, ways, hit });
        }
        let roll = self.rolls[self.next];
        debug_assert_eq!((roll.ways, roll.hit), (ways, hit), "the same rolls led to another die");
        self.next += 1;
        roll.shown
    }
}

impl Dice for EveryRoll {
    fn below(&mut self, n: u32) -> u32 {
        self.roll(n, None)
    }

    /// One way for every number of hits, by the binomial distribution.
    fn hits(&mut self, dice: u32, faces: u32, most: u32) -> u32 {
        match most {
            0 => 0,
            _ if most >= faces => dice,
            _ if dice == 0 => 0,
            _ => self.roll(dice + 1, Some(f64::from(most) / f64::from(faces))),
        }
    }
}

/// The exact distribution of what `play` makes of its dice. Apart from them `play` must do the same each time.
pub fn distribution<T: Ord>(mut play: impl FnMut(&mut EveryRoll) -> T) -> Pmf<T> {
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

/// What came of dice, remembered by what they showed: a play in which nothing but its dice is left to chance need be
/// played only once for each fall of them.
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
        use crate::context::Rng64;
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
    fn hits_come_by_the_binomial_distribution() {
        for (dice, faces, most) in
            [(4, 6, 2), (3, 6, 5), (1, 6, 1), (5, 6, 0), (2, 6, 6), (2, 6, 9), (0, 6, 3)]
        {
            let hits = distribution(|every| every.hits(dice, faces, most));
            let one_by_one =
                distribution(|every| (0..dice).filter(|_| every.die(faces) <= most).count() as u32);
            assert!(hits.distance(&one_by_one) < 1e-12, "{dice} dice of {faces}, {most} or less: {hits:?}");
        }
        // In a way with other rolls, before and after.
        let sum = distribution(|every| every.below(2) + 10 * every.hits(2, 6, 3) + 100 * every.below(2));
        assert!((sum.probability(&121) - 1.0 / 16.0).abs() < 1e-12 && sum.support() == 12);
    }

    #[test]
    fn sums_of_dice_agree_with_their_convolution() {
        let sum = distribution(|dice| (0..4).map(|_| dice.die(6) as i32).sum::<i32>());
        assert!(sum.distance(&Pmf::dice(4, 6)) < 1e-12);
        assert_eq!(distribution(|_| 7), Pmf::point(7));
    }
}
