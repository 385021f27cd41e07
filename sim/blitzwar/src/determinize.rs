//! Hidden information: the cards that wait face down (10.1). Everything else lies open.

use sandtable_core::Dice;

use crate::game::BlitzWar;
use crate::nation::Force;
use crate::rules::DECK;
use crate::state::{NONE, State};

/// Stands for a card that lies face down.
const FACE_DOWN: u8 = NONE - 1;

impl BlitzWar {
    /// Whether a side's face-down cards are hidden from the viewer.
    fn hides_from(&self, owner: Force, viewer: Force) -> bool {
        owner != viewer && !(self.rules.options.partners_share_cards && owner.friend() == Some(viewer))
    }

    /// Slots of a side whose cards the viewer cannot see.
    fn hidden_slots(&self, state: &State, owner: Force, viewer: Force) -> std::ops::Range<usize> {
        let first =
            if self.hides_from(owner, viewer) { usize::from(self.card_shown(state, owner)) } else { 4 };
        first..4
    }

    /// The state with the cards hidden from the viewer drawn anew, uniformly from the sequences that are possible by what
    /// everybody knows: cards shown, which slots are filled, and which decks were open when they were (10.1, 10.2).
    pub(crate) fn redraw_hidden(&self, state: &State, viewer: Force, dice: &mut impl Dice) -> State {
        let mut determinization = state.clone();
        for owner in Force::ALL {
            for slot in self.hidden_slots(state, owner, viewer) {
                if state.cards[owner.index()][slot] == NONE {
                    continue;
                }
                // The three cards before this one: shown on earlier turns, or in the slots already drawn.
                let before = |back: usize| {
                    if slot >= back {
                        determinization.cards[owner.index()][slot - back]
                    } else {
                        determinization.shown[owner.index()][back - slot - 1]
                    }
                };
                let taken = [before(1), before(2), before(3)];
                let chosen_on = (state.turn + slot as u8).saturating_sub(3).max(self.rules.setup.first_turn);
                let deck = self.open_deck(state, owner, chosen_on);
                let mut legal = [0; DECK];
                let mut count = 0;
                for card in (0..deck).filter(|card| !taken.contains(card)) {
                    legal[count] = card;
                    count += 1;
                }
                // The number of legal cards does not depend on which came before, so this is uniform over sequences.
                determinization.cards[owner.index()][slot] = legal[dice.below(count as u32) as usize];
            }
        }
        determinization
    }

    /// A hash of everything the viewer can see: the state with the cards hidden from the viewer turned over.
    pub(crate) fn observation_hash(&self, state: &State, viewer: Force) -> u64 {
        let mut seen = state.clone();
        for owner in Force::ALL {
            for slot in self.hidden_slots(state, owner, viewer) {
                let card = &mut seen.cards[owner.index()][slot];
                if *card != NONE {
                    *card = FACE_DOWN;
                }
            }
        }
        seen.digest()
    }
}
