//! 1. Cards: decks, hands, the simultaneous choice, who is Player 1, command points (3.0 to 3.2, 3.31, 12.0).

use crate::Rolls;
use crate::action::Action;
use crate::game::VictoryInEurope;
use crate::nation::Force;
use crate::state::{NONE, State};

/// Cards of a hand.
pub const HAND: usize = 4;

/// Hands and decks. The two Allied players of a three-player game have a hand each; else the Western one is for both.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Hands {
    /// Cards in hand, ascending, then [`NONE`]; by force.
    pub hand: [[u8; HAND]; 3],
    /// The card laid this turn by each force; [`NONE`] = none. Hidden until revealed.
    pub laid: [u8; 3],
    /// Cards that have been played or set aside face up, as bits.
    pub spent: u128,
    /// Whether the event of the card laid has been used, or can no longer be; by force.
    pub used: [bool; 3],
    /// Areas or sea zones named for the events of this turn (3.3); by force.
    pub named: [[u8; 2]; 3],
    /// What is left of an event that is used bit by bit (free moves, steps); by force.
    pub left: [u8; 3],
}

impl Default for Hands {
    fn default() -> Self {
        Hands {
            hand: [[NONE; HAND]; 3],
            laid: [NONE; 3],
            spent: 0,
            used: [false; 3],
            named: [[NONE; 2]; 3],
            left: [0; 3],
        }
    }
}

impl VictoryInEurope {
    /// What begins a turn before cards are laid: the year's deck and hands (3.1), and the automatic events of
    /// [`crate::politics`] (mobilisation and entry of the USA) and of the ice (3.43).
    pub(crate) fn open_turn(&self, state: &mut State, table: &mut impl Rolls) {
        let _ = (state, table);
    }
    /// With three players, the Allied force that leads this turn (12.0); with two it does not matter.
    pub(crate) fn leading_force(&self, state: &State) -> Force {
        let _ = state;
        Force::Western
    }
    /// The cards of a force's deck this year (3.1): Western and Soviet forces share one.
    pub(crate) fn year_deck(&self, state: &State, force: Force) -> impl Iterator<Item = u8> {
        let year = self.calendar(state).year;
        let team = force.team();
        let cards = (0u8..).zip(&self.rules.cards);
        cards
            .filter(move |(_, card)| card.year == year && card.colour.force().team() == team)
            .map(|(at, _)| at)
    }
    pub(crate) fn card_actions(&self, state: &State, out: &mut Vec<Action>) {
        let _ = (state, out);
    }
    pub(crate) fn card_apply(&self, state: &mut State, action: Action, table: &mut impl Rolls) {
        let _ = (state, action, table);
    }
    /// Both cards are shown: Player 1, command points (3.2).
    pub(crate) fn reveal_cards(&self, state: &mut State, table: &mut impl Rolls) {
        let _ = (state, table);
    }
}
