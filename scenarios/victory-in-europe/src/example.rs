//! Runs worked examples of Victory in Europe: builds the position, plays the decisions written in words with the dice
//! as written, and compares.
//!
//! ```text
//! format    the file as it is read          words   units and places in words
//! position  the position by name            orders  decisions in words
//! expect    what must hold after a step     battle  a battle, for the study of odds
//! ```

use sandtable_scenarios::System;
use sandtable_scenarios::example::{self, Refusal, Vocabulary};
use sandtable_victory_in_europe::phase::{Pending, Phase};
use sandtable_victory_in_europe::{Action, Event, Rules, State, VictoryInEurope};

mod battle;
mod expect;
mod format;
mod orders;
mod position;
mod words;

pub use battle::Battle;
pub use position::read_units;

use orders::{Order, Orders, choose};
use words::Words;

/// Dice as written, and what happens.
type ScriptedContext = example::ScriptedContext<Examples>;

/// The words of the worked examples of Victory in Europe.
#[derive(Clone, Copy, Debug)]
pub struct Examples;

impl Vocabulary for Examples {
    type Rules = Rules;
    type Game = VictoryInEurope;
    type Position = format::Position;
    type Expect = format::Expect;

    fn system() -> &'static System<Rules> {
        &crate::SYSTEM
    }

    fn game(rules: Rules) -> Result<VictoryInEurope, String> {
        VictoryInEurope::new(rules)
    }

    fn position(
        game: &VictoryInEurope,
        wanted: &format::Position,
        context: &mut ScriptedContext,
    ) -> Result<State, String> {
        position::build(game, wanted, context)
    }

    fn attempt(
        game: &VictoryInEurope,
        state: &mut State,
        phrase: &str,
        context: &mut ScriptedContext,
    ) -> Result<(), Refusal> {
        let order = Orders { words: Words { game }, state }.order(phrase).map_err(Refusal::NotYet)?;
        match order {
            Order::Until(phase, team) => example::play_until::<Examples>(
                game,
                state,
                context,
                Action::Pass,
                |state| state.phase == phase && team.is_none_or(|team| team == state.mover),
                // The first card of the hand is laid.
                |state| state.phase == Phase::Cards,
            ),
            Order::Pass => example::pass::<Examples>(game, state, Action::Pass, context),
            Order::Plans(plans) => match choose(game, state, &plans) {
                Ok(plan) => {
                    plan.play(game, state, context);
                    Ok(())
                }
                Err(reason) => Err(Refusal::NotYet(format!("not legal: {reason}"))),
            },
        }
    }

    /// The end of a phase, or the choice of a battle.
    fn is_notable(state: &State, action: Action) -> bool {
        matches!(action, Action::Fight(_)) || action == Action::Pass && state.pending == Pending::None
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
