//! Runs worked examples of EuroFront: builds the position, plays the decisions written in words with the dice as written,
//! and compares.
//!
//! ```text
//! format    the file as it is read          words   blocks, places, sides and phases in words
//! position  the position by name            orders  decisions in words
//! expect    what must hold after a step     battle  battles for the study of odds
//! relations nations and diplomacy
//! ```

use sandtable_eurofront::{Action, EuroFront, Event, Phase, Rules, State};
use sandtable_scenarios::System;
use sandtable_scenarios::example::{self, Refusal, Vocabulary};

mod battle;
mod expect;
mod format;
mod orders;
mod position;
mod relations;
mod words;

pub use battle::{Battle, with_airstrike};

/// Dice as written, and what happens.
type ScriptedContext = example::ScriptedContext<Examples>;

/// The words of the worked examples of EuroFront.
#[derive(Clone, Copy, Debug)]
pub struct Examples;

impl Vocabulary for Examples {
    type Rules = Rules;
    type Game = EuroFront;
    type Position = format::Position;
    type Expect = format::Expect;

    fn system() -> &'static System<Rules> {
        &crate::SYSTEM
    }

    fn game(rules: Rules) -> Result<EuroFront, String> {
        EuroFront::new(rules)
    }

    fn position(
        game: &EuroFront,
        wanted: &format::Position,
        context: &mut ScriptedContext,
    ) -> Result<State, String> {
        position::build(game, wanted, context)
    }

    fn attempt(
        game: &EuroFront,
        state: &mut State,
        phrase: &str,
        context: &mut ScriptedContext,
    ) -> Result<(), Refusal> {
        orders::play(game, state, phrase, context)
    }

    /// Steps within a larger decision are played unasked: where a unit goes that can go to one place alone, which of one.
    fn is_notable(state: &State, _: Action) -> bool {
        !matches!(
            state.phase,
            Phase::Destination | Phase::Withdrawal | Phase::Losses | Phase::CadrePlace | Phase::FrenchLoss
        )
    }

    /// A production in which nothing (more) arrives goes on unasked.
    fn passes_by(state: &State) -> bool {
        state.phase == Phase::Arrival
    }

    fn check(game: &EuroFront, state: &State, expect: &format::Expect, events: &[Event]) -> Vec<String> {
        expect::check(game, state, expect, events)
    }
}
