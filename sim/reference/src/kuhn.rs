//! Kuhn poker: three cards, one chip, all there is to bluffing.
//!
//! Each side antes a chip and is dealt one of jack, queen and king. The first passes or bets a chip; facing a bet a
//! side passes (folds) or bets (calls); after two passes or a call the higher card takes the pot.
//!
//! ```text
//!              first
//!          pass/   \bet
//!        second     second
//!     pass/ \bet  pass/ \bet
//!     show   first  +1   show
//!     1    pass/ \bet    2
//!           -1   show
//!                2
//! ```
//!
//! [`Policy`] holds behaviour strategies, with their exact value and exploitability; [`Policy::equilibrium`] is the
//! known family of equilibria. All of it walks the tree of the rules themselves.

use sandtable_core::{
    Context, Dice, Digest, Game, Outcome, PerSide, PlayContext, Scripted, Side, SideInfo, Turn,
};

/// The value of the game to the first side, in chips a hand.
pub const VALUE: f64 = -1.0 / 18.0;

/// A card, in ascending rank.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum Card {
    Jack,
    Queen,
    King,
}

impl Card {
    /// The deck, in ascending rank.
    pub const ALL: [Card; 3] = [Card::Jack, Card::Queen, Card::King];

    /// The card as an array index, 0 to 2 in ascending rank.
    pub fn index(self) -> usize {
        self as usize
    }
}

/// A decision.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Move {
    /// Checks, or folds to a bet.
    Pass,
    /// Bets, or calls a bet.
    Bet,
}

/// What has been done so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// The first side opens.
    Opening,
    /// The second side answers a pass.
    Passed,
    /// The second side answers a bet.
    Bet,
    /// The first side answers a bet after its own pass.
    PassedBet,
    /// Both passed: the cards are shown for one chip.
    ShowdownForOne,
    /// A bet was called: the cards are shown for two chips.
    ShowdownForTwo,
    /// The first side folded.
    FirstFolded,
    /// The second side folded.
    SecondFolded,
}

impl Node {
    /// The nodes where a side decides, as indexed by [`Policy::bet`].
    pub const DECISIONS: [Node; 4] = [Node::Opening, Node::Passed, Node::Bet, Node::PassedBet];

    fn after(self, choice: Move) -> Node {
        match (self, choice) {
            (Node::Opening, Move::Pass) => Node::Passed,
            (Node::Opening, Move::Bet) => Node::Bet,
            (Node::Passed, Move::Pass) => Node::ShowdownForOne,
            (Node::Passed, Move::Bet) => Node::PassedBet,
            (Node::Bet, Move::Pass) => Node::SecondFolded,
            (Node::PassedBet, Move::Pass) => Node::FirstFolded,
            (Node::Bet | Node::PassedBet, Move::Bet) => Node::ShowdownForTwo,
            (over, _) => over,
        }
    }

    fn is_showdown(self) -> bool {
        matches!(self, Node::ShowdownForOne | Node::ShowdownForTwo)
    }
}

/// A hand in progress.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct State {
    cards: [Card; 2],
    node: Node,
}

impl State {
    /// A hand that starts with these cards.
    ///
    /// # Errors
    /// If both sides were to hold the same card.
    pub fn dealt(first: Card, second: Card) -> Result<Self, String> {
        if first == second {
            return Err(format!("there is one {first:?} in the deck"));
        }
        Ok(State { cards: [first, second], node: Node::Opening })
    }

    /// The card a side holds. Agents must not ask for the other side's.
    pub fn card(&self, side: Side) -> Card {
        self.cards[side.index()]
    }

    /// What has been done so far.
    pub fn node(&self) -> Node {
        self.node
    }

    /// Chips won or lost by the first side, once the hand is over.
    fn chips(self) -> Option<f32> {
        let showdown = if self.cards[0] > self.cards[1] { 1.0 } else { -1.0 };
        match self.node {
            Node::ShowdownForOne => Some(showdown),
            Node::ShowdownForTwo => Some(2.0 * showdown),
            Node::FirstFolded => Some(-1.0),
            Node::SecondFolded => Some(1.0),
            Node::Opening | Node::Passed | Node::Bet | Node::PassedBet => None,
        }
    }
}

/// Facts of a hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A side passed or bet.
    Chose {
        /// Which side.
        side: Side,
        /// What it did.
        choice: Move,
    },
    /// The cards were shown.
    Shown {
        /// The first side's card and the second's.
        cards: [Card; 2],
    },
}

/// The rules.
#[derive(Clone, Debug)]
pub struct Kuhn {
    sides: [SideInfo; 2],
}

impl Default for Kuhn {
    fn default() -> Self {
        Kuhn::new()
    }
}

impl Kuhn {
    /// The rules of the game.
    pub fn new() -> Self {
        Kuhn {
            sides: [
                SideInfo { id: "first", name: "First", team: 0, points: (-2, 2) },
                SideInfo { id: "second", name: "Second", team: 1, points: (-2, 2) },
            ],
        }
    }
}

impl Game for Kuhn {
    type State = State;
    type Action = Move;
    type Event = Event;

    fn sides(&self) -> &[SideInfo] {
        &self.sides
    }

    /// Rolls a die of three for the first side's card and one of two for the second's, counted in ascending rank among
    /// the cards left.
    fn initial<T: Context<Event>>(&self, context: &mut T) -> State {
        let first = Card::ALL[context.below(3) as usize];
        State { cards: [first, draw_other(first, context)], node: Node::Opening }
    }

    #[inline]
    fn turn_of(&self, state: &State) -> Turn {
        match state.node {
            Node::Opening | Node::PassedBet => Turn::Decide(Side(0)),
            Node::Passed | Node::Bet => Turn::Decide(Side(1)),
            _ => Turn::Over,
        }
    }

    /// Points are chips; the utility is their place between -2 and 2.
    fn outcome(&self, state: &State) -> Option<Outcome> {
        let chips = state.chips()?;
        let utility = |chips: f32| (chips + 2.0) / 4.0;
        Some(Outcome {
            points: PerSide([chips, -chips, 0.0, 0.0]),
            utility: PerSide([utility(chips), utility(-chips), 0.0, 0.0]),
            winner: Some(u8::from(chips < 0.0)),
            end_reason: if state.node.is_showdown() { "showdown" } else { "fold" },
        })
    }

    #[inline]
    fn legal_actions(&self, _: &State, out: &mut Vec<Move>) {
        out.extend_from_slice(&[Move::Pass, Move::Bet]);
    }

    #[inline]
    fn apply<T: Context<Event>>(&self, state: &mut State, action: Move, context: &mut T) {
        debug_assert!(self.turn_of(state) != Turn::Over, "the hand is over");
        if let Turn::Decide(side) = self.turn_of(state) {
            context.emit(|| Event::Chose { side, choice: action });
        }
        state.node = state.node.after(action);
        if state.node.is_showdown() {
            context.emit(|| Event::Shown { cards: state.cards });
        }
    }

    fn legal_by_history(&self) -> bool {
        true
    }

    #[inline]
    fn determinize<D: Dice>(&self, state: &State, viewer: Side, dice: &mut D) -> State {
        if state.node.is_showdown() {
            return *state;
        }
        let own = state.card(viewer);
        let other = draw_other(own, dice);
        State { cards: if viewer == Side(0) { [own, other] } else { [other, own] }, node: state.node }
    }

    fn observation(&self, state: &State, viewer: Side) -> u64 {
        let other = state.node.is_showdown().then(|| state.cards[1 - viewer.index()]);
        Digest::of(&(viewer, state.card(viewer), state.node, other))
    }

    fn hash(&self, state: &State) -> u64 {
        Digest::of(state)
    }

    fn recomputed_hash(&self, state: &State) -> u64 {
        self.hash(state)
    }

    fn check(&self, state: &State) -> Result<(), String> {
        State::dealt(state.cards[0], state.cards[1]).map(|_| ())
    }

    /// A hand is one turn.
    fn turn_number(&self, _: &State) -> u32 {
        1
    }

    fn describe(&self, state: &State, action: Move) -> String {
        match (state.node, action) {
            (Node::Bet | Node::PassedBet, Move::Pass) => "fold",
            (Node::Bet | Node::PassedBet, Move::Bet) => "call",
            (_, Move::Pass) => "pass",
            (_, Move::Bet) => "bet",
        }
        .into()
    }
}

/// One of the two cards that are not `seen`.
fn draw_other<D: Dice>(seen: Card, dice: &mut D) -> Card {
    let drawn = dice.below(2) as usize;
    Card::ALL[drawn + usize::from(drawn >= seen.index())]
}

/// A behaviour strategy for both sides.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Policy {
    /// The probability of [`Move::Bet`], by [`Card::index`] and place of the node in [`Node::DECISIONS`].
    pub bet: [[f64; 4]; 3],
}

impl Policy {
    /// Bets or passes evenly.
    pub const UNIFORM: Policy = Policy { bet: [[0.5; 4]; 3] };

    /// The equilibrium in which the first side bets its jack with probability `alpha`. The first side's equilibria are
    /// exactly these; the second side has this one alone.
    ///
    /// # Errors
    /// If `alpha` is not in `0.0..=1/3`.
    pub fn equilibrium(alpha: f64) -> Result<Self, String> {
        const THIRD: f64 = 1.0 / 3.0;
        if !(0.0..=THIRD).contains(&alpha) {
            return Err(format!("alpha is {alpha}, not between 0 and 1/3"));
        }
        Ok(Policy {
            bet: [
                [alpha, THIRD, 0.0, 0.0],
                [0.0, 0.0, THIRD, (alpha + THIRD).min(1.0)],
                [3.0 * alpha, 1.0, 1.0, 1.0],
            ],
        })
    }

    /// The probability of betting with this card at this node; 0 when the hand is over.
    pub fn bet_probability(&self, card: Card, node: Node) -> f64 {
        let place = Node::DECISIONS.iter().position(|&decision| decision == node);
        place.map_or(0.0, |place| self.bet[card.index()][place])
    }

    /// The policy's choice at this state, for the side that decides there.
    pub fn choose<D: Dice>(&self, state: &State, dice: &mut D) -> Move {
        const GRAIN: u32 = 1 << 24;
        let side = matches!(state.node, Node::Passed | Node::Bet);
        let bet = self.bet_probability(state.cards[usize::from(side)], state.node);
        if f64::from(dice.below(GRAIN)) < bet * f64::from(GRAIN) { Move::Bet } else { Move::Pass }
    }

    /// The policy that plays the first side as `self` does and the second as `second` does.
    #[must_use]
    pub fn against(&self, second: &Policy) -> Policy {
        let mut both = *self;
        for (row, other) in both.bet.iter_mut().zip(&second.bet) {
            row[1] = other[1];
            row[2] = other[2];
        }
        both
    }

    /// What the first side wins a hand, in chips, if both play this policy: exact, over all deals and choices.
    pub fn value(&self) -> f64 {
        let game = Kuhn::new();
        let mut sum = 0.0;
        for first in 0..3 {
            for second in 0..2 {
                let state = game.initial(&mut PlayContext::silent(Scripted::new(vec![first, second])));
                sum += self.value_from(&game, state);
            }
        }
        sum / 6.0
    }

    fn value_from(&self, game: &Kuhn, state: State) -> f64 {
        let side = match game.turn_of(&state) {
            Turn::Decide(side) => side,
            Turn::Over => {
                return game.outcome(&state).map_or(0.0, |outcome| f64::from(outcome.points[Side(0)]));
            }
        };
        let bet = self.bet_probability(state.card(side), state.node);
        let mut context = PlayContext::silent(Scripted::default());
        [(Move::Pass, 1.0 - bet), (Move::Bet, bet)]
            .into_iter()
            .filter(|&(_, weight)| weight > 0.0)
            .map(|(choice, weight)| {
                let mut next = state;
                game.apply(&mut next, choice, &mut context);
                weight * self.value_from(game, next)
            })
            .sum()
    }

    /// The best `side` can win against this policy, in chips a hand, and how: the greatest value over all 64 pure
    /// strategies of that side.
    pub fn best_response(&self, side: Side) -> (f64, Policy) {
        let places = if side == Side(0) { [0, 3] } else { [1, 2] };
        let mut best = (f64::NEG_INFINITY, *self);
        for pure in 0..64u32 {
            let mut policy = *self;
            for (i, row) in policy.bet.iter_mut().enumerate() {
                for (j, &place) in places.iter().enumerate() {
                    row[place] = f64::from(pure >> (2 * i + j) & 1);
                }
            }
            let value = if side == Side(0) { policy.value() } else { -policy.value() };
            if value > best.0 {
                best = (value, policy);
            }
        }
        best
    }

    /// What this policy loses to best play, in chips a hand, averaged over the two sides: 0 at an equilibrium.
    pub fn exploitability(&self) -> f64 {
        f64::midpoint(self.best_response(Side(0)).0, self.best_response(Side(1)).0)
    }
}

#[cfg(test)]
mod tests {
    use super::Card::{Jack, King, Queen};
    use super::Move::{Bet, Pass};
    use super::*;
    use sandtable_core::Rng64;
    use sandtable_core::kit::{KitOptions, run};

    fn close(a: f64, b: f64) -> bool {
        (a - b).abs() < 1e-12
    }

    #[test]
    fn keeps_the_invariants() {
        let report = run(&Kuhn::new(), &KitOptions { games: 2_000, ..KitOptions::default() }).unwrap();
        assert_eq!((report.shortest, report.longest, report.widest), (2, 3, 2));
    }

    #[test]
    fn every_ending_pays_what_the_rules_say() {
        let game = Kuhn::new();
        let play = |first, second, moves: &[Move]| {
            let mut state = State::dealt(first, second).unwrap();
            let mut context = PlayContext::silent(Scripted::default());
            for &choice in moves {
                game.apply(&mut state, choice, &mut context);
            }
            game.outcome(&state).map(|outcome| (outcome.points[Side(0)], outcome.utility[Side(0)]))
        };
        assert_eq!(play(King, Queen, &[Pass, Pass]), Some((1.0, 0.75)));
        assert_eq!(play(Jack, Queen, &[Pass, Pass]), Some((-1.0, 0.25)));
        assert_eq!(play(Jack, King, &[Bet, Pass]), Some((1.0, 0.75)));
        assert_eq!(play(Jack, King, &[Bet, Bet]), Some((-2.0, 0.0)));
        assert_eq!(play(King, Jack, &[Bet, Bet]), Some((2.0, 1.0)));
        assert_eq!(play(King, Jack, &[Pass, Bet, Pass]), Some((-1.0, 0.25)));
        assert_eq!(play(King, Jack, &[Pass, Bet, Bet]), Some((2.0, 1.0)));
        assert_eq!(play(King, Jack, &[Pass, Bet]), None);
        assert!(State::dealt(King, King).is_err());
    }

    #[test]
    fn equilibria_have_the_known_value_and_cannot_be_exploited() {
        for alpha in [0.0, 0.1, 0.2, 1.0 / 3.0] {
            let policy = Policy::equilibrium(alpha).unwrap();
            assert!(close(policy.value(), VALUE), "alpha {alpha}: {}", policy.value());
            assert!(close(policy.exploitability(), 0.0), "alpha {alpha}: {}", policy.exploitability());
            assert!(close(policy.best_response(Side(0)).0, VALUE));
            assert!(close(policy.best_response(Side(1)).0, -VALUE));
        }
        assert!(Policy::equilibrium(0.34).is_err() && Policy::equilibrium(-0.01).is_err());
    }

    #[test]
    fn departures_from_equilibrium_are_exploited() {
        for card in 0..3 {
            for place in 0..4 {
                let mut policy = Policy::equilibrium(0.2).unwrap();
                let bet = &mut policy.bet[card][place];
                *bet = if *bet > 0.5 { *bet - 0.3 } else { *bet + 0.3 };
                assert!(policy.exploitability() > 1e-3, "card {card}, place {place}");
            }
        }
        // Always betting is beaten by calling with the king, and with the queen at even odds.
        let bets = Policy { bet: [[1.0; 4]; 3] };
        assert!(close(bets.best_response(Side(1)).0, 1.0 / 3.0), "{}", bets.best_response(Side(1)).0);
    }

    #[test]
    fn sampled_hands_agree_with_the_exact_value() {
        let game = Kuhn::new();
        let policy = Policy::UNIFORM.against(&Policy::equilibrium(0.0).unwrap());
        let hands = 200_000;
        let mut dice = Rng64::stream(3, 0, 0);
        let (mut sum, mut squares) = (0.0, 0.0);
        for _ in 0..hands {
            let mut context = PlayContext::silent(&mut dice);
            let mut state = game.initial(&mut context);
            while game.turn_of(&state) != Turn::Over {
                let choice = policy.choose(&state, &mut context);
                game.apply(&mut state, choice, &mut context);
            }
            let chips = f64::from(game.outcome(&state).unwrap().points[Side(0)]);
            sum += chips;
            squares += chips * chips;
        }
        let mean = sum / f64::from(hands);
        let error = ((squares / f64::from(hands) - mean * mean) / f64::from(hands)).sqrt();
        assert!((mean - policy.value()).abs() < 4.0 * error, "{mean}, exactly {}", policy.value());
    }

    #[test]
    fn the_redrawn_card_is_uniform_over_the_unseen_ones() {
        let game = Kuhn::new();
        let state = State::dealt(Card::Queen, Card::King).unwrap();
        let mut dice = Rng64::stream(4, 0, 0);
        let jacks = (0..10_000)
            .filter(|_| game.determinize(&state, Side(0), &mut dice).card(Side(1)) == Card::Jack)
            .count();
        assert!((4_800..5_200).contains(&jacks), "{jacks} of 10,000");
    }
}
