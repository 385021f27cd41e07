//! Runs worked examples of Roads to Moscow: builds the position, plays the decisions written in words with the dice as
//! written, and compares.
//!
//! ```text
//! format    the file as it is read          words   units, hexes and markers in words
//! position  the position by name            orders  decisions in words
//! expect    what must hold after a step      battle  battles for the study of odds
//! ```

use sandtable_core::Stepwise;
use sandtable_roads_to_moscow::{Action, Event, Phase, RoadsToMoscow, Rules, State};
use sandtable_scenarios::System;
use sandtable_scenarios::example::{self, Refusal, Vocabulary};

mod battle;
mod expect;
mod format;
mod orders;
mod position;
mod words;

pub use battle::Battle;
use orders::{Order, Orders};
use words::Words;

/// Dice as written, and what happens.
type ScriptedContext = example::ScriptedContext<Examples>;

/// The words of the worked examples of Roads to Moscow.
#[derive(Clone, Copy, Debug)]
pub struct Examples;

/// Whether a phase is a step within a larger decision: what is forced in it is played unasked, and it passes by if nothing
/// is to be decided.
fn is_step(phase: Phase) -> bool {
    match phase {
        Phase::OptionalGroups
        | Phase::Reserve
        | Phase::FillingCup
        | Phase::Marker
        | Phase::Sequence
        | Phase::Movement
        | Phase::Stack
        | Phase::Declaring
        | Phase::Refusal
        | Phase::Reaction
        | Phase::NoRetreat
        | Phase::Combat
        | Phase::Recovery
        | Phase::Over => false,
        Phase::CombinePoints
        | Phase::Formation
        | Phase::Fuel
        | Phase::ArmyUnits
        | Phase::ArmyPoints
        | Phase::Engineering
        | Phase::Attackers
        | Phase::RefusalLead
        | Phase::ReactionPoints
        | Phase::NoRetreatLead
        | Phase::NoRetreatPoints => true,
        _ => phase.is_combat(),
    }
}

impl Vocabulary for Examples {
    type Rules = Rules;
    type Game = RoadsToMoscow;
    type Position = format::Position;
    type Expect = format::Expect;

    fn system() -> &'static System<Rules> {
        &crate::SYSTEM
    }

    fn game(rules: Rules) -> Result<RoadsToMoscow, String> {
        RoadsToMoscow::new(rules)
    }

    fn position(
        game: &RoadsToMoscow,
        wanted: &format::Position,
        context: &mut ScriptedContext,
    ) -> Result<State, String> {
        position::build(game, wanted, context)
    }

    fn attempt(
        game: &RoadsToMoscow,
        state: &mut State,
        phrase: &str,
        context: &mut ScriptedContext,
    ) -> Result<(), Refusal> {
        let order = Orders { words: Words { game }, state }.order(phrase).map_err(Refusal::Never)?;
        match order {
            Order::Until(phase) => example::play_until::<Examples>(
                game,
                state,
                context,
                Action::Pass,
                |state| state.phase == phase,
                |state| matches!(state.phase, Phase::Marker | Phase::Sequence),
            ),
            // A step without a choice passes by; the decision to pass is for what comes after it.
            Order::Pass if is_step(state.phase) && !game.open_actions(state).contains(&Action::Pass) => {
                Err(Refusal::NotYet("there is nothing to decline".into()))
            }
            Order::Pass => example::pass::<Examples>(game, state, Action::Pass, context),
            Order::Plan(plan) => plan
                .play(game, state, context)
                .map_err(|(_, reason)| Refusal::NotYet(format!("not legal: {reason}"))),
        }
    }

    fn is_notable(state: &State, _: Action) -> bool {
        !is_step(state.phase)
    }

    fn passes_by(state: &State) -> bool {
        is_step(state.phase)
    }

    fn check(game: &RoadsToMoscow, state: &State, expect: &format::Expect, events: &[Event]) -> Vec<String> {
        expect::check(game, state, expect, events)
    }
}
