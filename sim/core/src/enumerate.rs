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
    fn sums_of_dice_agree_with_their_convolution() {
        let sum = law(|dice| (0..4).map(|_| dice.die(6) as i32).sum::<i32>());
        assert!(sum.distance(&Pmf::dice(4, 6)) < 1e-12);
        assert_eq!(law(|_| 7), Pmf::point(7));
    }
}
