//! Runs worked examples of Victory in Europe: builds the position, plays the decisions written in words with the dice
//! as written, and compares.
//!
//! ```text
//! format    the file as it is read          words   units and places in words
//! position  the position by name            orders  decisions in words
//! expect    what must hold after a step     battle  a battle, for the study of odds
//! ```

use sandtable_core::Game;
use sandtable_victory_in_europe::nation::Team;
use sandtable_victory_in_europe::phase::{Pending, Phase};
use sandtable_victory_in_europe::{Action, Event, State, VictoryInEurope};

use crate::Scenario;
use crate::example::runner::{self, Refusal, System};

mod battle;
mod expect;
mod format;
mod orders;
mod position;
mod words;

pub use battle::{Battle, BattleText, battles_in, described_battle, example_battle};
pub use position::read_units;

use orders::{Order, Orders, choose, legal};
use words::Words;

/// Dice as written, and what happens.
type Table = runner::Table<Kit>;

/// Most decisions that `until` may decline.
const PATIENCE: usize = 4000;

/// What the runner needs of Victory in Europe.
pub(crate) struct Kit;

impl System for Kit {
    type Game = VictoryInEurope;
    type Position = format::Position;
    type Expect = format::Expect;

    fn game(scenario: Scenario) -> Result<VictoryInEurope, String> {
        if scenario.system() != "victory-in-europe" {
            let name = scenario.name();
            return Err(format!("{name} is no scenario of Victory in Europe, as others of the file"));
        }
        VictoryInEurope::new(scenario.into_victory_in_europe())
    }

    fn position(
        game: &VictoryInEurope,
        wanted: &format::Position,
        table: &mut Table,
    ) -> Result<State, String> {
        position::build(game, wanted, table)
    }

    fn attempt(
        game: &VictoryInEurope,
        state: &mut State,
        phrase: &str,
        table: &mut Table,
    ) -> Result<(), Refusal> {
        let order = Orders { words: Words { game }, state }.order(phrase).map_err(Refusal::NotYet)?;
        match order {
            Order::Until(phase, team) => play_until(game, state, phase, team, table).map_err(Refusal::Never),
            Order::Pass => {
                let open = legal(game, state);
                if open.is_empty() {
                    game.end_idle_phase(state, table);
                } else if open.contains(&Action::Pass) {
                    game.apply_alone(state, Action::Pass, table);
                } else {
                    return Err(Refusal::NotYet("something must be decided first".into()));
                }
                Ok(())
            }
            Order::Plans(plans) => match choose(game, state, &plans) {
                Ok(plan) => {
                    plan.play(game, state, table);
                    Ok(())
                }
                Err(reason) => Err(Refusal::NotYet(format!("not legal: {reason}"))),
            },
        }
    }

    fn play_forced(game: &VictoryInEurope, state: &mut State, table: &mut Table) -> bool {
        play_forced(game, state, table)
    }

    fn check(
        game: &VictoryInEurope,
        state: &State,
        expect: &format::Expect,
        events: &[Event],
    ) -> Vec<String> {
        expect::check(game, state, expect, events)
    }
}

/// Plays a forced move that a player would not notice: not the end of a phase, nor the choice of a battle.
fn play_forced(game: &VictoryInEurope, state: &mut State, table: &mut Table) -> bool {
    match game.forced(state) {
        None | Some(Action::Fight(_)) => false,
        Some(Action::Pass) if state.pending == Pending::None => false,
        Some(action) => {
            game.apply_alone(state, action, table);
            true
        }
    }
}

/// Declines everything up to a phase; the first card of the hand is laid.
fn play_until(
    game: &VictoryInEurope,
    state: &mut State,
    phase: Phase,
    team: Option<Team>,
    table: &mut Table,
) -> Result<(), String> {
    for _ in 0..PATIENCE {
        if state.phase == phase && team.is_none_or(|team| team == state.mover) {
            return Ok(());
        }
        if state.phase == Phase::Over {
            return Err("the game ended before".into());
        }
        let open = legal(game, state);
        match open.first() {
            None => game.end_idle_phase(state, table),
            Some(_) if open.contains(&Action::Pass) => game.apply_alone(state, Action::Pass, table),
            Some(&first) if open.len() == 1 || state.phase == Phase::Cards => {
                game.apply_alone(state, first, table);
            }
            Some(&first) => {
                return Err(format!("this must be decided first: {}", game.describe(state, first)));
            }
        }
    }
    Err("the phase does not come".into())
}
