//! Hands, decks and what events have used (3), as a part of the state.

use crate::nation::Force;
use crate::place::{NO_INDEX, Place};

/// Cards of a hand.
pub const HAND: usize = 4;

/// Hands and decks. The two Allied players of a three-player game have a hand each; else the Western one is for both.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Hands {
    /// Cards in hand, ascending, then [`NO_INDEX`]; by force. A card that is laid has left it.
    pub hand: [[u8; HAND]; 3],
    /// The card laid this turn by each force; [`NO_INDEX`] = none. Hidden until revealed, open for the rest of the turn.
    pub laid: [u8; 3],
    /// Cards that have been played or set aside face up, as bits.
    pub spent: u128,
    /// Cards in hands that an event has shown to the other team (PEEK), as bits.
    pub seen: u128,
    /// Whether the naming for the event of the card is over; by the force whose event it is (3.3).
    pub used: [bool; 3],
    /// Areas or sea zones named for the events of this turn (3.3); by the force whose event it is.
    pub named: [[Place; 2]; 3],
    /// How much of an event that is used bit by bit has been used (free moves, steps, losses); by the force whose event it
    /// is.
    pub taken: [u8; 3],
}

impl Default for Hands {
    fn default() -> Self {
        Hands {
            hand: [[NO_INDEX; HAND]; 3],
            laid: [NO_INDEX; 3],
            spent: 0,
            seen: 0,
            used: [false; 3],
            named: [[Place::NONE; 2]; 3],
            taken: [0; 3],
        }
    }
}

impl Hands {
    /// Cards a force holds.
    pub fn count(&self, force: Force) -> usize {
        self.hand[force.index()].iter().filter(|&&card| card != NO_INDEX).count()
    }
    pub(crate) fn take(&mut self, force: Force, card: u8) {
        let hand = &mut self.hand[force.index()];
        if let Some(slot) = hand.iter_mut().find(|slot| **slot == card) {
            *slot = NO_INDEX;
        }
        hand.sort_unstable();
    }
}
