//! The cards by force and year (3.1), as bits.

use crate::nation::Force;
use crate::rules::{Card, Rules};

/// Whose the cards are, and when they come.
#[derive(Clone, Debug)]
pub(crate) struct Decks {
    /// Cards by force.
    pub of_force: [u128; 3],
    /// The decks of each turn's year by team.
    pub by_turn: Vec<[u128; 2]>,
}

impl Decks {
    pub(super) fn derive(rules: &Rules) -> Decks {
        let cards_where = |is: &dyn Fn(&Card) -> bool| {
            let cards = rules.cards.iter().enumerate().filter(|(_, card)| is(card));
            cards.fold(0u128, |set, (card, _)| set | 1 << card)
        };
        let of_force = Force::ALL.map(|force| cards_where(&|card| card.colour.force() == force));
        let by_turn = rules.calendar.iter().map(|turn| {
            let of_year = cards_where(&|card| card.year == turn.year);
            [of_year & of_force[0], of_year & (of_force[1] | of_force[2])]
        });
        Decks { by_turn: by_turn.collect(), of_force }
    }
}
