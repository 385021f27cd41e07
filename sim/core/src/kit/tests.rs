//! The kit passes a sound game and finds each way in which the same game can be broken.

use super::*;
use crate::context::{Context, RandomDraw};
use crate::digest::Digest;
use crate::game::{PerSide, SideInfo};

/// What is wrong with a [`Race`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Flaw {
    None,
    TwinIds,
    PanicsOnThree,
    NeverEnds,
    DeadEnd,
    Unordered,
    Fickle,
    CloneForgets,
    SharesParent,
    StaleCache,
    Overflows,
    TurnsBack,
    EarlyOutcome,
    NoOutcome,
    WildUtility,
    WildPoints,
    LoserPreferred,
    OwnDice,
    ShowsRedraw,
    DrawsNoCard,
    SwapsTurn,
    SaysOpen,
    SaysCardsDoNotMatter,
    SaysDiceDoNotMatter,
    SaysTurnedCardDoesNotMatter,
    SaysEarlyDieDoesNotMatter,
    Peeks,
    Speechless,
    ListsOnlyOne,
    DrawsUnevenly,
    DrawsElse,
}

/// Two sides move a counter by one to three steps and a coin; who reaches the goal wins. Each holds a hidden card,
/// which decides between the shortest steps.
struct Race {
    flaw: Flaw,
    sides: [SideInfo; 2],
    calls: std::sync::atomic::AtomicU32,
    shared: std::sync::Arc<std::sync::atomic::AtomicU32>,
}

const GOAL: u32 = 20;

#[derive(Debug, Default)]
struct Position {
    place: u32,
    doubled: u32,
    moves: u32,
    cards: [u32; 2],
    mover: u8,
    forgotten: u32,
    shared: Option<std::sync::Arc<std::sync::atomic::AtomicU32>>,
}

impl Clone for Position {
    fn clone(&self) -> Self {
        Position { forgotten: 0, shared: self.shared.clone(), ..*self }
    }
}

impl Race {
    fn new(flaw: Flaw) -> Self {
        let side = |id, team| SideInfo { id, name: "Runner", team, points: (0, 1) };
        Race {
            flaw,
            sides: [side("white", 0), side(if flaw == Flaw::TwinIds { "white" } else { "black" }, 1)],
            calls: 0.into(),
            shared: std::sync::Arc::default(),
        }
    }

    fn calls(&self) -> u32 {
        self.calls.fetch_add(1, std::sync::atomic::Ordering::Relaxed)
    }
}

impl Game for Race {
    type State = Position;
    type Action = u32;
    type Event = ();

    fn sides(&self) -> &[SideInfo] {
        &self.sides
    }

    fn initial<T: Context<()>>(&self, context: &mut T) -> Position {
        let shared = (self.flaw == Flaw::SharesParent).then(|| self.shared.clone());
        Position { cards: [context.below(4), context.below(4)], shared, ..Position::default() }
    }

    fn turn_of(&self, state: &Position) -> Turn {
        if state.place >= GOAL { Turn::Over } else { Turn::Decide(Side(state.mover)) }
    }

    fn outcome(&self, state: &Position) -> Option<Outcome> {
        if self.flaw == Flaw::NoOutcome || (state.place < GOAL && self.flaw != Flaw::EarlyOutcome) {
            return None;
        }
        let winner = 1 - state.mover;
        let (mut points, mut utility) = (PerSide::default(), PerSide::default());
        points[Side(winner)] = if self.flaw == Flaw::WildPoints { 2.0 } else { 1.0 };
        utility[Side(winner)] = if self.flaw == Flaw::WildUtility { 1.5 } else { 1.0 };
        let winner = if self.flaw == Flaw::LoserPreferred { state.mover } else { winner };
        Some(Outcome { points, utility, winner: Some(winner), end_reason: "goal" })
    }

    fn legal_actions(&self, state: &Position, out: &mut Vec<u32>) {
        match self.flaw {
            Flaw::DeadEnd if state.place == 7 => {}
            Flaw::Unordered => out.extend([1, 3, 2]),
            Flaw::Fickle => out.extend([1, 2 + self.calls() % 7]),
            Flaw::SaysDiceDoNotMatter => out.extend([1, 2, 3]),
            // A card that lies face down for both until the third move.
            Flaw::SaysTurnedCardDoesNotMatter => {
                out.extend([1, 2, 3 + u32::from(state.moves > 1 && state.cards[0] == 0)]);
            }
            // A die that falls with the first move.
            Flaw::SaysEarlyDieDoesNotMatter => {
                out.extend([1, 2, 3 + u32::from(state.moves > 2 && state.cards[1] == 0)]);
            }
            _ => out.extend([1, 2, 3 + u32::from(state.cards[state.mover as usize] == 0)]),
        }
    }

    fn apply<T: Context<()>>(&self, state: &mut Position, action: u32, context: &mut T) {
        assert!(self.flaw != Flaw::PanicsOnThree || state.place != 3, "three is too much");
        let coin = match self.flaw {
            Flaw::OwnDice => self.calls() % 2,
            Flaw::SaysCardsDoNotMatter | Flaw::SaysTurnedCardDoesNotMatter => 0,
            Flaw::SaysEarlyDieDoesNotMatter => {
                if state.moves == 0 {
                    state.cards[1] = context.below(4);
                }
                0
            }
            _ => context.below(2),
        };
        state.place += if self.flaw == Flaw::NeverEnds { 0 } else { action + coin };
        if self.flaw != Flaw::StaleCache || action != 2 {
            state.doubled = 2 * state.place;
        }
        if self.flaw == Flaw::CloneForgets {
            state.forgotten += 1;
        }
        if let Some(shared) = &state.shared {
            shared.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
        state.moves += 1;
        state.mover = 1 - state.mover;
    }

    fn sample_action(&self, state: &Position, mut draw: RandomDraw, buffer: &mut Vec<u32>) -> u32 {
        buffer.clear();
        self.legal_actions(state, buffer);
        let many = buffer.len() as u32;
        match self.flaw {
            Flaw::DrawsUnevenly => buffer[draw.below(many + 1).min(many - 1) as usize],
            Flaw::DrawsElse => buffer[(many - 1 - draw.below(many)) as usize],
            _ => buffer[draw.below(many) as usize],
        }
    }

    fn apply_sampling<T: Context<()>>(
        &self,
        state: &mut Position,
        action: u32,
        context: &mut T,
        draw: RandomDraw,
        buffer: &mut Vec<u32>,
    ) -> Option<u32> {
        self.apply(state, action, context);
        let even = Race { sides: self.sides.clone(), ..Race::new(Flaw::None) };
        let honest = if self.flaw == Flaw::DrawsElse { &even } else { self };
        (self.turn_of(state) != Turn::Over).then(|| honest.sample_action(state, draw, buffer))
    }

    fn apply_listing<T: Context<()>>(
        &self,
        state: &mut Position,
        action: u32,
        context: &mut T,
        legal: &mut Vec<u32>,
        wanted: impl Fn(&Position) -> bool,
    ) {
        self.apply(state, action, context);
        legal.clear();
        if self.turn_of(state) != Turn::Over && wanted(state) {
            self.legal_actions(state, legal);
        }
        if self.flaw == Flaw::ListsOnlyOne {
            legal.truncate(1);
        }
    }

    fn has_hidden_information(&self) -> bool {
        self.flaw != Flaw::SaysOpen
    }

    fn legal_by_history(&self) -> bool {
        matches!(
            self.flaw,
            Flaw::SaysCardsDoNotMatter
                | Flaw::SaysDiceDoNotMatter
                | Flaw::SaysTurnedCardDoesNotMatter
                | Flaw::SaysEarlyDieDoesNotMatter
        )
    }

    fn determinize<D: Dice>(&self, state: &Position, viewer: Side, dice: &mut D) -> Position {
        let mut determinization = state.clone();
        let drawn = dice.below(4);
        match self.flaw {
            Flaw::SaysTurnedCardDoesNotMatter if state.moves > 1 => return determinization,
            Flaw::SaysTurnedCardDoesNotMatter => {
                determinization.cards[0] = drawn;
                return determinization;
            }
            Flaw::SaysEarlyDieDoesNotMatter => return determinization,
            _ => {}
        }
        let hidden = &mut determinization.cards[1 - viewer.index()];
        *hidden = if self.flaw == Flaw::Peeks { (*hidden + drawn) % 4 } else { drawn };
        match self.flaw {
            Flaw::DrawsNoCard => determinization.cards[1 - viewer.index()] = 4,
            Flaw::ShowsRedraw => determinization.cards[viewer.index()] ^= 1,
            Flaw::SwapsTurn => determinization.mover = 1 - determinization.mover,
            _ => {}
        }
        determinization
    }

    fn observation(&self, state: &Position, viewer: Side) -> u64 {
        match self.flaw {
            Flaw::SaysTurnedCardDoesNotMatter => {
                Digest::of(&(state.place, state.moves, (state.moves > 1).then_some(state.cards[0])))
            }
            Flaw::SaysEarlyDieDoesNotMatter => self.hash(state),
            _ => Digest::of(&(state.place, state.moves, state.cards[viewer.index()])),
        }
    }

    fn hash(&self, state: &Position) -> u64 {
        let shared = state.shared.as_ref().map(|s| s.load(std::sync::atomic::Ordering::Relaxed));
        Digest::of(&(
            state.place,
            state.doubled,
            state.moves,
            state.cards,
            (state.mover, state.forgotten, shared),
        ))
    }

    fn recomputed_hash(&self, state: &Position) -> u64 {
        let forgotten = state.forgotten;
        self.hash(&Position { doubled: 2 * state.place, forgotten, ..state.clone() })
    }

    fn check(&self, state: &Position) -> Result<(), String> {
        if self.flaw == Flaw::Overflows && state.place > GOAL {
            return Err(format!("place {} is beyond the goal", state.place));
        }
        if state.cards.iter().any(|&card| card > 3) {
            return Err("no such card".into());
        }
        Ok(())
    }

    fn turn_number(&self, state: &Position) -> u32 {
        if self.flaw == Flaw::TurnsBack { 10 - state.moves.min(9) } else { 1 + state.moves / 2 }
    }

    fn describe(&self, _: &Position, action: u32) -> String {
        if self.flaw == Flaw::Speechless && action == 3 { " ".into() } else { format!("run {action}") }
    }
}

fn try_out(flaw: Flaw) -> Result<KitReport, Failure> {
    run(
        &Race::new(flaw),
        &KitOptions { games: 50, max_decisions: 100, determinization_decisions: 0, ..KitOptions::default() },
    )
}

#[test]
fn a_sound_game_passes() {
    let report = try_out(Flaw::None).unwrap();
    assert_eq!(report.games, 50);
    assert_eq!(report.wins.iter().sum::<u64>() + report.draws, 50);
    assert!(report.shortest >= 4 && report.longest <= 20 && report.widest == 3);
    assert_eq!(report.offered, 3 * report.decisions);
    assert_eq!(report.children, report.offered);
    assert_eq!(report.determinizations, 2 * (report.decisions + report.games));
}

#[test]
fn every_flaw_is_found() {
    for (flaw, invariant) in [
        (Flaw::TwinIds, Invariant::Sides),
        (Flaw::PanicsOnThree, Invariant::NoPanic),
        (Flaw::NeverEnds, Invariant::Ends),
        (Flaw::DeadEnd, Invariant::NoDeadEnd),
        (Flaw::Unordered, Invariant::Ascending),
        (Flaw::Fickle, Invariant::Repeatable),
        (Flaw::ListsOnlyOne, Invariant::Listing),
        (Flaw::DrawsUnevenly, Invariant::Drawing),
        (Flaw::DrawsElse, Invariant::Drawing),
        (Flaw::CloneForgets, Invariant::CloneHash),
        (Flaw::SharesParent, Invariant::ParentUnchanged),
        (Flaw::StaleCache, Invariant::RecomputedHash),
        (Flaw::Overflows, Invariant::Invariants),
        (Flaw::TurnsBack, Invariant::TurnNumber),
        (Flaw::EarlyOutcome, Invariant::Outcome),
        (Flaw::NoOutcome, Invariant::Outcome),
        (Flaw::WildUtility, Invariant::Outcome),
        (Flaw::WildPoints, Invariant::Outcome),
        (Flaw::LoserPreferred, Invariant::Outcome),
        (Flaw::ShowsRedraw, Invariant::Determinize),
        (Flaw::DrawsNoCard, Invariant::Determinize),
        (Flaw::SwapsTurn, Invariant::Determinize),
        (Flaw::SaysOpen, Invariant::Determinize),
        (Flaw::SaysCardsDoNotMatter, Invariant::ByHistory),
        (Flaw::SaysDiceDoNotMatter, Invariant::ByHistory),
        (Flaw::SaysTurnedCardDoesNotMatter, Invariant::ByHistory),
        (Flaw::SaysEarlyDieDoesNotMatter, Invariant::ByHistory),
        (Flaw::Peeks, Invariant::NoPeeking),
        (Flaw::Speechless, Invariant::Described),
    ] {
        assert_eq!(try_out(flaw).expect_err(&format!("{flaw:?} passed")).invariant, invariant, "{flaw:?}");
    }
}

#[test]
fn chance_that_is_not_the_tables_breaks_the_replay() {
    // Without costly checks between, the hidden counter runs on and the replay goes elsewhere.
    let options = KitOptions { games: 50, deep_every: 0, ..KitOptions::default() };
    assert_eq!(run(&Race::new(Flaw::OwnDice), &options).unwrap_err().invariant, Invariant::Replay);
}

#[test]
fn redrawn_determinizations_are_played_on() {
    // The costly checks of the opening alone find the fault some moves later.
    let options = KitOptions { games: 1, determinization_decisions: 20, ..KitOptions::default() };
    let failure = run(&Race::new(Flaw::Overflows), &options).unwrap_err();
    assert_eq!((failure.invariant, failure.replay.choices.len()), (Invariant::Invariants, 0));
    assert!(failure.what.contains("in a determinization redrawn for"), "{}", failure.what);
}

#[test]
fn the_hook_sees_every_position_and_can_object() {
    let game = Race::new(Flaw::None);
    let options = KitOptions { games: 5, ..KitOptions::default() };
    let (mut running, mut over) = (0, 0);
    let report = for_each_position(&game, &options, |_, legal| {
        *(if legal.is_empty() { &mut over } else { &mut running }) += 1;
        Ok(())
    })
    .unwrap();
    assert_eq!((running, over), (report.decisions, 5));

    let failure =
        for_each_position(
            &game,
            &options,
            |state, _| {
                if state.place > 10 { Err("too far".into()) } else { Ok(()) }
            },
        )
        .unwrap_err();
    assert_eq!((failure.invariant, failure.what.as_str()), (Invariant::Hook, "too far"));
}

#[test]
fn a_failure_is_a_replay_that_leads_to_the_fault() {
    let failure = try_out(Flaw::Overflows).unwrap_err();
    let replay: Replay = failure.replay.to_string().parse().unwrap();
    assert_eq!(replay, failure.replay);
    let mut positions = 0;
    let end = replay.play(&Race::new(Flaw::None), |_, _| positions += 1).unwrap();
    assert!(end.place > GOAL);
    assert_eq!(positions, replay.choices.len());

    let panic = try_out(Flaw::PanicsOnThree).unwrap_err();
    assert!(panic.what.contains("three is too much"));
    let mut last = 0;
    let cut_short = panic.replay.play(&Race::new(Flaw::None), |state, _| last = state.place);
    assert!(cut_short.is_err(), "the fault came before the roll of the last action");
    assert_eq!(last, 3, "the last choice is the one that panics");
}

#[test]
fn replays_that_do_not_fit_are_refused() {
    let game = Race::new(Flaw::None);
    let play = |choices: &[u32], rolls: &[u32]| {
        Replay { choices: choices.into(), rolls: rolls.into(), ..Replay::default() }.play(&game, |_, _| ())
    };
    assert!(play(&[0], &[1, 1, 0]).is_ok());
    assert_eq!(play(&[3], &[1, 1, 0]).unwrap_err(), "decision 1 takes action 3 of the 3 there are");
    assert_eq!(play(&[0], &[1, 1]).unwrap_err(), "roll 3 was asked for but not written");
    assert_eq!(play(&[0], &[1, 1, 0, 0]).unwrap_err(), "1 of 4 rolls are left over");
    for bad in ["", "sandtable kit replay 1\nseed x", "sandtable kit replay 1\nseed 1\nchoices 1"] {
        assert!(bad.parse::<Replay>().is_err(), "{bad:?}");
    }
}
