//! Cups of chits, from which the next to act is drawn.

use crate::bits::{Index, IndexSet};
use crate::context::Dice;

/// A cup of up to 64 different chits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cup<I: Index> {
    /// The chits in it.
    pub chits: IndexSet<I, 1>,
}

impl<I: Index> Default for Cup<I> {
    fn default() -> Self {
        Cup { chits: IndexSet::EMPTY }
    }
}

impl<I: Index> Cup<I> {
    /// Puts chits into the cup; one that is in it already stays there once.
    pub fn add(&mut self, chits: &IndexSet<I, 1>) {
        self.chits = self.chits.or(chits);
    }

    /// Draws a chit, each with the same probability, and takes it out; `None` from an empty cup.
    pub fn draw<D: Dice>(&mut self, dice: &mut D) -> Option<I> {
        if self.chits.is_empty() {
            return None;
        }
        let drawn = self.chits.nth(dice.below(self.chits.len()))?;
        self.chits.remove(drawn);
        Some(drawn)
    }

    /// Exchanges who is in the cup for who could be there as well, for a side that cannot tell which of `unknown` are
    /// in and which are kept out of it: as many of them as before, drawn at random. Returns those kept out.
    pub fn deal_anew<D: Dice>(&mut self, unknown: &IndexSet<I, 1>, dice: &mut D) -> IndexSet<I, 1> {
        let inside = self.chits.and(unknown).len();
        let mut pool = Cup { chits: *unknown };
        self.chits = self.chits.difference(unknown);
        for _ in 0..inside {
            if let Some(chit) = pool.draw(dice) {
                self.chits.insert(chit);
            }
        }
        pool.chits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::{Rng64, Scripted};
    use proptest::prelude::*;

    #[test]
    fn every_chit_is_drawn_once_in_the_order_of_the_dice() {
        let mut cup = Cup::default();
        cup.add(&IndexSet::from_iter([3u8, 9, 40]));
        let mut dice = Scripted::new(vec![1, 1, 0]);
        let drawn: Vec<_> = (0..4).map_while(|_| cup.draw(&mut dice)).collect();
        assert_eq!((drawn, dice.check(), dice.left()), (vec![9, 40, 3], Ok(()), 0));
        assert_eq!(cup.draw(&mut dice), None);
    }

    proptest! {
        #[test]
        fn a_cup_dealt_anew_holds_as_many(inside in any::<u64>(), unknown in any::<u64>(), seed in any::<u64>()) {
            let known = inside & !unknown;
            let unknown: IndexSet<u8, 1> = IndexSet::from_words([unknown]);
            let mut cup = Cup { chits: IndexSet::from_words([inside]) };
            let out = cup.deal_anew(&unknown, &mut Rng64::stream(seed, 0, 0));
            prop_assert_eq!(cup.chits.difference(&unknown).0, [known]);
            prop_assert_eq!(cup.chits.and(&unknown).or(&out), unknown);
            prop_assert_eq!(cup.chits.len(), inside.count_ones());
            prop_assert!(!cup.chits.intersects(&out));
        }
    }
}
