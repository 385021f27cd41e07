//! Runs worked examples of `BlitzWar`: builds the position, plays the decisions written in words with the dice as
//! written, and compares.
//!
//! ```text
//! format    the file as it is read          words   units, places and decisions in words
//! position  the position by name            expect  what must hold after a step
//! battle    an attack, for the study of odds
//! ```

use sandtable_blitzwar::{Action, BlitzWar, Event, Force, Pending, Phase, State};
use sandtable_core::Game;

use crate::Scenario;
use crate::example::runner::{self, Refusal, System};

pub(super) mod battle;
mod expect;
mod format;
mod position;
mod words;

use words::{Order, Words, next_withheld};

/// Dice as written, and what happens.
type Table = runner::Table<Kit>;

/// Most decisions that `until` may decline.
const PATIENCE: usize = 2000;

/// What the runner needs of `BlitzWar`.
pub(crate) struct Kit;

impl System for Kit {
    type Game = BlitzWar;
    type Position = format::Position;
    type Expect = format::Expect;

    fn game(scenario: Scenario) -> Result<BlitzWar, String> {
        if scenario.system() != "blitzwar" {
            return Err(format!("{} is no scenario of BlitzWar, as others of the file", scenario.name()));
        }
        BlitzWar::new(scenario.into_blitzwar())
    }

    fn position(game: &BlitzWar, wanted: &format::Position, table: &mut Table) -> Result<State, String> {
        position::build(game, wanted, table)
    }

    fn attempt(game: &BlitzWar, state: &mut State, phrase: &str, table: &mut Table) -> Result<(), Refusal> {
        attempt(game, state, phrase, table)
    }

    fn play_forced(game: &BlitzWar, state: &mut State, table: &mut Table) -> bool {
        play_forced(game, state, table)
    }

    fn check(game: &BlitzWar, state: &State, expect: &format::Expect, events: &[Event]) -> Vec<String> {
        expect::check(game, state, expect, events)
    }
}

/// Plays a forced move that a player would not notice: not the end of a phase, nor an attack.
fn play_forced(game: &BlitzWar, state: &mut State, table: &mut Table) -> bool {
    match game.forced(state) {
        None | Some(Action::Pass | Action::Attack(_) | Action::Resolve) => false,
        Some(action) => {
            game.apply_alone(state, action, table);
            true
        }
    }
}

fn attempt(game: &BlitzWar, state: &mut State, phrase: &str, table: &mut Table) -> Result<(), Refusal> {
    match (Words { game, state }).order(phrase).map_err(Refusal::NotYet)? {
        Order::Until(phase, side) => play_until(game, state, phase, side, table).map_err(Refusal::Never),
        Order::EndPhase => {
            Order::EndPhase.open(game, state, table);
            let mut legal = Vec::new();
            game.legal_actions(state, &mut legal);
            if legal.is_empty() {
                game.end_idle_phase(state, table);
                return Ok(());
            }
            if legal.contains(&Action::Pass) {
                game.apply_alone(state, Action::Pass, table);
                return Ok(());
            }
            Err(Refusal::NotYet("something must be decided first".to_owned()))
        }
        order => match order.fault(game, state).map_err(Refusal::Never)? {
            None => {
                order.open(game, state, table);
                carry_out(game, state, &order, table);
                Ok(())
            }
            Some(reason) => Err(Refusal::NotYet(format!("not legal: {reason}"))),
        },
    }
}

/// Plays a legal order.
fn carry_out(game: &BlitzWar, state: &mut State, order: &Order, table: &mut Table) {
    let legal = |state: &State| {
        let mut legal = Vec::new();
        game.legal_actions(state, &mut legal);
        legal
    };
    match order {
        Order::OneOf(actions) => {
            let open = legal(state);
            if let Some(&action) = actions.iter().find(|action| open.contains(action)) {
                game.apply_alone(state, action, table);
            }
        }
        Order::Send { counters, stops } => {
            let Some(&counter) = counters.iter().find(|&&counter| order.sends(game, state, counter)) else {
                return;
            };
            game.apply_alone(state, Action::Select(counter), table);
            for &stop in stops {
                game.apply_alone(state, Action::Go(stop), table);
            }
            if matches!(state.pending(), Pending::March(_)) {
                game.apply_alone(state, Action::Pass, table);
            }
        }
        Order::Attack { target, only } => {
            game.apply_alone(state, Action::Attack(*target), table);
            if let Some(group) = only {
                while let Some(action) = next_withheld(game, state, group) {
                    game.apply_alone(state, action, table);
                }
            }
            game.apply_alone(state, Action::Resolve, table);
        }
        Order::Until(..) | Order::EndPhase => {}
    }
}

/// Declines everything up to a phase; where something has to be chosen in phases 1 to 3, the first possibility is taken.
fn play_until(
    game: &BlitzWar,
    state: &mut State,
    phase: Phase,
    side: Option<Force>,
    table: &mut Table,
) -> Result<(), String> {
    let mut legal = Vec::new();
    for _ in 0..PATIENCE {
        if state.phase() == phase && side.is_none_or(|side| side == state.active()) {
            return Ok(());
        }
        if state.phase() == Phase::Over {
            return Err("the game ended before".into());
        }
        legal.clear();
        game.legal_actions(state, &mut legal);
        match legal.first() {
            None => game.end_idle_phase(state, table),
            Some(_) if legal.contains(&Action::Pass) => game.apply_alone(state, Action::Pass, table),
            Some(&first) if legal.len() == 1 || state.phase() < Phase::NavalMovement => {
                game.apply_alone(state, first, table);
            }
            Some(&first) => {
                return Err(format!("this must be decided first: {}", game.describe(state, first)));
            }
        }
    }
    Err("the phase does not come".into())
}
