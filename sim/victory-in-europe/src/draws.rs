//! The distribution of the cards: hands, command, and who is Player 1, from the rules' own drawing and revealing (3.0 to 3.2).
//!
//! The deck of a year is drawn from once, before its first turn or at a scenario's start, and a card of the hand is laid
//! each turn. With three players the Allied hands are taken together: the two trade as they wish (12.0).

use sandtable_core::enumerate::distribution;
use sandtable_core::{PlayContext, Pmf, Scripted};

use crate::cards::cards_in;
use crate::game::VictoryInEurope;
use crate::nation::{Force, Team};
use crate::phase::Phase;
use crate::place::NO_INDEX;
use crate::state::State;

/// A hand of cards, ascending.
pub type Hand = Vec<u8>;

/// In which order a team lays its cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// The highest command first; of equals the first of the deck.
    #[default]
    Highest,
    /// The lowest command first; of equals the last of the deck.
    Lowest,
    /// Any card of the hand alike.
    Random,
}

/// The turns for which cards are drawn at once.
#[derive(Clone, PartialEq, Debug)]
pub struct Deal {
    /// First turn.
    pub first: u8,
    /// How many turns are played with the cards.
    pub turns: u8,
    /// Year of the decks.
    pub year: u16,
    /// Cards of the year, by team.
    pub decks: [Vec<u8>; 2],
    /// The distribution of the hands, by team.
    pub hands: [Pmf<Hand>; 2],
}

/// The distributions of the cards of a scenario.
#[derive(Clone, Debug)]
pub struct Draws<'a> {
    game: &'a VictoryInEurope,
    /// One for each time that cards are drawn, in order.
    pub deals: Vec<Deal>,
}

impl<'a> Draws<'a> {
    /// Draws every hand there is.
    pub fn new(game: &'a VictoryInEurope) -> Self {
        let setup = &game.rules.setup;
        let drawn: Vec<u8> =
            (setup.first_turn..=setup.last_turn).filter(|&turn| game.cards_drawn(turn) > 0).collect();
        let ends = drawn.iter().skip(1).copied().chain([setup.last_turn + 1]);
        let mut state = game.position();
        let deals = drawn.iter().zip(ends).map(|(&first, end)| {
            state.turn = first;
            Deal {
                first,
                turns: end - first,
                year: game.calendar(&state).year,
                decks: Team::ALL.map(|team| cards_in(game.year_deck(&state, team)).collect()),
                hands: Team::ALL.map(|team| hands(game, &state, team)),
            }
        });
        let deals = deals.collect();
        Draws { game, deals }
    }

    /// Command points of a card.
    pub fn command(&self, card: u8) -> u8 {
        self.game.rules.cards[card as usize].command
    }

    /// The distribution of the greatest command in a hand when it is drawn.
    pub fn best(&self, deal: &Deal, team: Team) -> Pmf<u8> {
        deal.hands[team.index()].map(|hand| hand.iter().map(|&card| self.command(card)).max().unwrap_or(0))
    }
    /// The distribution of the command of a hand together.
    pub fn total(&self, deal: &Deal, team: Team) -> Pmf<u8> {
        deal.hands[team.index()].map(|hand| hand.iter().map(|&card| self.command(card)).sum())
    }
    /// The distribution of how many cards of a hand meet a condition.
    pub fn count(&self, deal: &Deal, team: Team, such: impl Fn(u8) -> bool) -> Pmf<u8> {
        deal.hands[team.index()].map(|hand| hand.iter().filter(|&&card| such(card)).count() as u8)
    }

    /// The probability that a card is in hand before so many cards of it have been laid, and is still there when the next is
    /// chosen.
    pub fn held(&self, deal: &Deal, team: Team, order: Order, card: u8, laid: u8) -> f64 {
        deal.hands[team.index()].expectation(|hand| match order {
            _ if !hand.contains(&card) => 0.0,
            Order::Random => 1.0 - f64::from(laid.min(hand.len() as u8)) / hand.len() as f64,
            _ => f64::from(u8::from(self.rank(hand, order, card) >= usize::from(laid))),
        })
    }

    /// How many cards of a hand are laid before this one, at an order that is none at random.
    fn rank(&self, hand: &Hand, order: Order, card: u8) -> usize {
        let key = |card: u8| {
            let command = self.command(card);
            if order == Order::Highest { (u8::MAX - command, card) } else { (command, u8::MAX - card) }
        };
        hand.iter().filter(|&&other| key(other) < key(card)).count()
    }

    /// The distribution of the card that a team lays after so many others of its hand; no card if the hand is used up.
    pub fn laid(&self, deal: &Deal, team: Team, order: Order, before: u8) -> Pmf<Option<u8>> {
        deal.hands[team.index()].then(|hand| {
            let left = hand.len().saturating_sub(usize::from(before));
            if left == 0 {
                return Pmf::point(None);
            }
            let chance = |card: u8| match order {
                Order::Random => 1.0,
                _ => f64::from(u8::from(self.rank(hand, order, card) == usize::from(before))),
            };
            Pmf::weighted(hand.iter().map(|&card| (Some(card), chance(card))))
        })
    }

    /// Who is Player 1 if these cards are laid (3.2), by the rules.
    pub fn first(&self, deal: &Deal, cards: [Option<u8>; 2]) -> Team {
        let mut state = self.game.position();
        state.turn = deal.first;
        state.phase = Phase::Cards;
        for (team, card) in Team::ALL.into_iter().zip(cards) {
            let force = if team == Team::Axis { Force::Axis } else { Force::Western };
            state.cards.laid[force.index()] = card.unwrap_or(NO_INDEX);
        }
        self.game.reveal_cards(&mut state, &mut PlayContext::silent(Scripted::default()));
        state.first
    }

    /// The probability that the Axis is Player 1 after so many turns of a deal.
    pub fn axis_first(&self, deal: &Deal, orders: [Order; 2], before: u8) -> f64 {
        let [axis, allies] = Team::ALL.map(|team| self.laid(deal, team, orders[team.index()], before));
        let both = axis.join(&allies, |&axis, &allies| (axis, allies));
        both.chance(|&(axis, allies)| self.first(deal, [axis, allies]) == Team::Axis)
    }

    /// The distribution of how many turns of a deal the Axis is Player 1.
    pub fn turns_first(&self, deal: &Deal, orders: [Order; 2]) -> Pmf<u8> {
        let width = deal.decks.iter().map(Vec::len).max().unwrap_or(0) + 1;
        // Who is first, by the places of both cards in their decks; the last place is no card.
        let card = |team: Team, at: usize| deal.decks[team.index()].get(at).copied();
        let table: Vec<bool> = (0..width * width)
            .map(|cell| {
                let cards = [card(Team::Axis, cell / width), card(Team::Allies, cell % width)];
                self.first(deal, cards) == Team::Axis
            })
            .collect();
        let place = |team: Team, card: Option<u8>| {
            let deck = &deal.decks[team.index()];
            card.and_then(|card| deck.iter().position(|&other| other == card)).unwrap_or(width - 1)
        };
        let sequences = |team: Team| {
            deal.hands[team.index()].then(|hand| {
                let order = orders[team.index()];
                let all = self.sequences(hand, order);
                Pmf::uniform(all.into_iter().map(|cards| {
                    let mut places: Vec<usize> =
                        cards.into_iter().map(|card| place(team, Some(card))).collect();
                    places.resize(usize::from(deal.turns), width - 1);
                    places
                }))
            })
        };
        let [axis, allies] = Team::ALL.map(sequences);
        let mut masses = vec![0.0; usize::from(deal.turns) + 1];
        for (axis, p) in axis.iter() {
            for (allies, q) in allies.iter() {
                let turns = axis.iter().zip(allies).filter(|&(&axis, &allies)| table[axis * width + allies]);
                masses[turns.count()] += p * q;
            }
        }
        Pmf::weighted((0..).zip(masses))
    }

    /// The orders in which a hand may be laid, all alike.
    fn sequences(&self, hand: &Hand, order: Order) -> Vec<Hand> {
        if order == Order::Random {
            return permutations(hand);
        }
        let mut cards = hand.clone();
        cards.sort_by_key(|&card| self.rank(hand, order, card));
        vec![cards]
    }
}

fn permutations(cards: &[u8]) -> Vec<Vec<u8>> {
    if cards.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for at in 0..cards.len() {
        let mut rest = cards.to_vec();
        let first = rest.remove(at);
        all.extend(permutations(&rest).into_iter().map(|more| [&[first], &more[..]].concat()));
    }
    all
}

/// The distribution of a team's hand, drawn in every way there is.
fn hands(game: &VictoryInEurope, state: &State, team: Team) -> Pmf<Hand> {
    let mut scratch = state.clone();
    distribution(|dice| {
        scratch.cards = state.cards;
        game.draw_for(&mut scratch, team, &mut PlayContext::silent(dice));
        let forces = Force::ALL.into_iter().filter(|force| force.team() == team);
        let mut hand: Hand = forces
            .flat_map(|force| scratch.cards.hand[force.index()])
            .filter(|&card| card != NO_INDEX)
            .collect();
        hand.sort_unstable();
        hand
    })
}
