//! Reinforcement cards (10): three wait face down, a fourth is chosen each turn.
//!
//! ```text
//! slot        0           1      2      3          chosen on turn t, in phase 2
//! arrives     t           t+1    t+2    t+3        shown on arrival, in phase 3b
//! ```
//! A card shown on turn t can be chosen again from turn t+1: four consecutive cards are distinct.

use std::ops::ControlFlow::Continue;

use crate::Rolls;
use crate::action::Action;
use crate::game::BlitzWar;
use crate::nation::Force;
use crate::phase::Phase;
use crate::rules::DECK;
use crate::sequence::{Flow, Offer};
use crate::state::{NONE, State};

/// Limited War cards come first in a deck (10.1).
pub(crate) const LIMITED: u8 = 8;

impl BlitzWar {
    /// At the start of a turn the waiting cards move up, and last turn's goes to the cards shown (10.1).
    pub(crate) fn shift_cards(&self, state: &mut State) {
        if state.turn == self.rules.setup.first_turn {
            return;
        }
        for (cards, shown) in state.cards.iter_mut().zip(&mut state.shown) {
            *shown = [cards[0], shown[0], shown[1]];
            *cards = [cards[1], cards[2], cards[3], NONE];
        }
    }

    /// Whether a side could choose Total War cards on a turn (10.2).
    pub fn total_war(&self, state: &State, force: Force, turn: u8) -> bool {
        let open = state.timers.total_war[force.index()];
        open != 0 && turn >= open || force == Force::Soviet && turn >= self.rules.dates.soviet_total_war
    }

    /// How many cards, from the first of the deck, a side can choose from on a turn (10.2, R-19).
    pub(crate) fn open_deck(&self, state: &State, force: Force, turn: u8) -> u8 {
        if self.total_war(state, force, turn) { DECK as u8 } else { LIMITED }
    }

    /// The slot a side fills next, if any: three on the first turn, then the last one; none for a turn that will not be
    /// played (10.1, R-20).
    fn open_slot(&self, state: &State, force: Force) -> Option<usize> {
        let first = if state.turn == self.rules.setup.first_turn { 1 } else { 3 };
        let played = |slot: &usize| state.turn + *slot as u8 <= self.rules.setup.last_turn;
        (first..=3).take_while(played).find(|&slot| state.cards[force.index()][slot] == NONE)
    }

    /// Cards a side may choose (10.1).
    pub(crate) fn card_actions(&self, state: &State, out: &mut impl Offer) -> Flow {
        let force = state.active;
        if self.open_slot(state, force).is_some() {
            let waiting = &state.cards[force.index()];
            for card in (0..self.open_deck(state, force, state.turn)).filter(|card| !waiting.contains(card)) {
                out.offer(Action::Card(card))?;
            }
        }
        Continue(())
    }

    /// Lays a card face down (10.1).
    pub(crate) fn card_apply(&self, state: &mut State, action: Action, _table: &mut impl Rolls) {
        if let (Action::Card(card), Some(slot)) = (action, self.open_slot(state, state.active)) {
            state.cards[state.active.index()][slot] = card;
        }
    }

    /// Whether a side has shown the card of this turn (11.3).
    pub fn card_shown(&self, state: &State, force: Force) -> bool {
        state.phase > Phase::PowerLosses || state.phase == Phase::PowerLosses && force <= state.active
    }
}
