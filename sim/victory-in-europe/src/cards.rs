//! 1. Cards: decks, hands, the simultaneous choice, who is Player 1, command points (3.0 to 3.2, 3.31, 12.0).

use crate::Rolls;
use crate::action::Action;
use crate::event::Event;
use crate::game::VictoryInEurope;
use crate::nation::{Force, Team};
use crate::phase::Phase;
use crate::place::NO_INDEX;
use crate::rules::{Areas, Card, Effect};
use crate::state::{Battle, Budget, HAND, Hands, Invasion, State};

/// The cards of a set of bits, ascending.
pub(crate) fn cards_in(mut bits: u128) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let card = (bits != 0).then(|| bits.trailing_zeros() as u8);
        bits &= bits.wrapping_sub(1);
        card
    })
}

impl VictoryInEurope {
    /// What begins a turn before cards are laid: marks of the last turn are cleared, politics and ice of the calendar, then
    /// the year's deck and hands (3.1).
    pub(crate) fn open_turn(&self, state: &mut State, context: &mut impl Rolls) {
        self.clear_turn(state);
        self.open_politics(state, context);
        self.leave_ice(state, context);
        self.deal(state, context);
    }

    /// Everything that lasts for one turn is cleared here: marks but that of a known block, ways of entry, half hits, jumps,
    /// captures, invasions, the battle, the budget, laid cards with their events, command, refusals, busy factories.
    fn clear_turn(&self, state: &mut State) {
        state.clear_units();
        for area in self.tables.areas.sites {
            state.set_arrivals(area, 0);
        }
        state.captured = Areas::EMPTY;
        state.attacked = [Areas::EMPTY; 2];
        state.sea_attacked = [0; 2];
        state.crossed.fill(0);
        state.march = 0;
        state.invasion = Invasion::default();
        state.battle = Battle::default();
        state.budget = Budget::default();
        state.command = [0; 3];
        state.politics.refused = NO_INDEX;
        state.politics.rolled = false;
        let fresh = Hands::default();
        let cards = &mut state.cards;
        (cards.laid, cards.used, cards.named, cards.taken) =
            (fresh.laid, fresh.used, fresh.named, fresh.taken);
    }

    /// A new year's cards, or those of a scenario's start, are drawn (3.1, 12.0).
    fn deal(&self, state: &mut State, context: &mut impl Rolls) {
        if self.cards_drawn(state.turn) == 0 {
            return;
        }
        state.cards.hand = [[NO_INDEX; HAND]; 3];
        for team in Team::ALL {
            self.draw_for(state, team, context);
        }
    }

    /// Cards that each team draws before a turn (3.1).
    pub(crate) fn cards_drawn(&self, turn: u8) -> u8 {
        let setup = &self.rules.setup;
        if turn == setup.first_turn { setup.hand } else { self.rules.calendar[turn as usize - 1].draw }
    }

    /// A team draws its cards of a year, or those of a scenario's start.
    pub(crate) fn draw_for(&self, state: &mut State, team: Team, context: &mut impl Rolls) {
        let setup = &self.rules.setup;
        let count = self.cards_drawn(state.turn);
        let players = match team {
            Team::Axis => [(Force::Axis, count), (Force::Axis, 0)],
            Team::Allies => {
                let (western, soviet) = match () {
                    () if !self.rules.options.three_players => (count, 0),
                    () if state.turn == setup.first_turn => setup.hands_of_three,
                    () => (count - count / 2, count / 2),
                };
                [(Force::Western, western), (Force::Soviet, soviet)]
            }
        };
        self.draw(state, players, context);
    }

    /// Draws cards of one deck for its two players. They trade as they wish (12.0): each gets his own colour first.
    fn draw(&self, state: &mut State, players: [(Force, u8); 2], context: &mut impl Rolls) {
        let mut deck = [NO_INDEX; 32];
        let mut size = 0;
        for card in cards_in(self.year_deck(state, players[0].0.team())).take(deck.len()) {
            deck[size] = card;
            size += 1;
        }
        let most = HAND as u8;
        let drawn = ((players[0].1.min(most) + players[1].1.min(most)) as usize).min(size);
        for at in 0..drawn {
            let other = at + context.below((size - at) as u32) as usize;
            deck.swap(at, other);
        }
        let cards = &mut deck[..drawn];
        let second = players[1].0;
        cards.sort_unstable_by_key(|&card| (self.rules.cards[card as usize].colour.force() == second, card));
        let cut = drawn.min(players[0].1.min(most) as usize);
        for (cards, (force, _)) in [&cards[..cut], &cards[cut..]].into_iter().zip(players) {
            let hand = &mut state.cards.hand[force.index()];
            for (slot, &card) in hand.iter_mut().zip(cards) {
                *slot = card;
            }
            hand.sort_unstable();
        }
    }

    /// With three players, the Allied force that leads (12.0): it lays the team's card, and when it lies open its colour says
    /// who moves first. They lay cards in turn: whoever holds more, the Western player of equals. With two players it does
    /// not matter.
    pub(crate) fn leading_force(&self, state: &State) -> Force {
        let cards = &state.cards;
        match self.team_card(state, Team::Allies) {
            Some((force, _)) if self.is_face_down(state, force) => force,
            Some((_, card)) => card.colour.force(),
            None if cards.count(Force::Soviet) > cards.count(Force::Western) => Force::Soviet,
            None => Force::Western,
        }
    }

    /// The card a team has laid this turn, and the force that laid it.
    #[inline]
    fn team_card(&self, state: &State, team: Team) -> Option<(Force, &Card)> {
        let laid = &state.cards.laid;
        let force = match team {
            Team::Axis => Force::Axis,
            Team::Allies if laid[Force::Western.index()] != NO_INDEX => Force::Western,
            Team::Allies => Force::Soviet,
        };
        Some((force, self.rules.cards.get(laid[force.index()] as usize)?))
    }

    /// Whether the card a force has laid is not revealed yet.
    #[inline]
    fn is_face_down(&self, state: &State, force: Force) -> bool {
        let card = state.cards.laid[force.index()];
        state.phase == Phase::Cards && card != NO_INDEX && state.cards.spent & 1 << card == 0
    }

    /// The card of a team that lies open, if it has one: its colour says whose the event and the diplomatic roll are (3.31).
    #[inline]
    pub(crate) fn open_card(&self, state: &State, team: Team) -> Option<&Card> {
        let (force, card) = self.team_card(state, team)?;
        (!self.is_face_down(state, force)).then_some(card)
    }

    /// The cards of a team's deck this year (3.1), as bits: Western and Soviet forces share one.
    pub(crate) fn year_deck(&self, state: &State, team: Team) -> u128 {
        self.tables.cards.by_turn[state.turn as usize - 1][team.index()]
    }

    /// Any card of the hand; none if a partner has laid one for the team (12.0).
    pub(crate) fn card_actions(&self, state: &State, out: &mut Vec<Action>) {
        if self.team_card(state, state.mover).is_none() {
            let hand = &state.cards.hand[self.decider(state).index()];
            out.extend(hand.iter().filter(|&&card| card != NO_INDEX).map(|&card| Action::Card(card)));
        }
    }

    pub(crate) fn card_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        if let Action::Card(card) = action {
            let force = self.decider(state);
            state.cards.laid[force.index()] = card;
            state.cards.take(force, card);
        }
        self.end_phase(state, context);
    }

    /// Both cards are shown: Player 1, command points (3.2), and what the card itself shows (PEEK). Called while the phase is
    /// still [`Phase::Cards`].
    pub(crate) fn reveal_cards(&self, state: &mut State, context: &mut impl Rolls) {
        self.count_command(state);
        for card in state.cards.laid.into_iter().filter(|&card| card != NO_INDEX) {
            state.cards.spent |= 1 << card;
        }
        for team in [state.first, state.second()] {
            if let Some((_, Card { effect: Effect::Peek { cards }, .. })) = self.team_card(state, team) {
                self.peek(state, team.other(), *cards, context);
            }
        }
        let (played, first) = (state.cards.laid, state.first);
        context.emit(|| Event::Cards { played, first });
    }

    /// Player 1 and command points, by the cards that have been laid (3.2).
    pub(crate) fn count_command(&self, state: &mut State) {
        let command = Team::ALL.map(|team| self.team_card(state, team).map_or(0, |(_, card)| card.command));
        // Ties go to the Axis.
        state.first = if command[1] > command[0] { Team::Allies } else { Team::Axis };
        state.command = [command[0], command[1], 0];
        if state.politics.splits_command(state.turn)
            && let Some((_, card)) = self.team_card(state, Team::Allies)
        {
            // Shared equally; the odd point is the colour's (3.2, 3.31).
            let half = command[1] / 2;
            let owner = card.colour.force();
            let partner = if owner == Force::Soviet { Force::Western } else { Force::Soviet };
            state.command[owner.index()] = command[1] - half;
            state.command[partner.index()] = half;
        }
        for force in Force::ALL {
            let purse = state.purse(force).index();
            state.command[purse] += self.rules.setup.handicap[force.index()].command;
        }
    }

    /// Shows cards of a team's hands at random to the other team.
    fn peek(&self, state: &mut State, team: Team, cards: u8, context: &mut impl Rolls) {
        let mut unseen = [NO_INDEX; 2 * HAND];
        let mut count = 0;
        for force in Force::ALL.into_iter().filter(|force| force.team() == team) {
            for card in state.cards.hand[force.index()].into_iter().filter(|&card| card != NO_INDEX) {
                unseen[count] = card;
                count += 1;
            }
        }
        for _ in 0..(cards as usize).min(count) {
            let at = context.below(count as u32) as usize;
            state.cards.seen |= 1 << unseen[at];
            count -= 1;
            unseen[at] = unseen[count];
        }
    }
}
