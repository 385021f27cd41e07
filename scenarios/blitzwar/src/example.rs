//! Runs worked examples of `BlitzWar`: builds the position, plays the decisions written in words with the dice as
//! written, and compares.
//!
//! ```text
//! format    the file as it is read          words   units, places and decisions in words
//! position  the position by name            expect  what must hold after a step
//! battle    an attack, for the study of odds
//! ```

use sandtable_blitzwar::rules::Rules;
use sandtable_blitzwar::{Action, BlitzWar, Event, Pending, Phase, State};
use sandtable_core::Stepwise;
use sandtable_scenarios::System;
use sandtable_scenarios::example::{self, Refusal, Vocabulary};

mod battle;
mod expect;
mod format;
mod position;
mod words;

use words::{Order, Words, next_withheld};

pub use battle::Battle;

/// Dice as written, and what happens.
type ScriptedContext = example::ScriptedContext<Examples>;

/// The words of the worked examples of `BlitzWar`.
#[derive(Clone, Copy, Debug)]
pub struct Examples;

impl Vocabulary for Examples {
    type Rules = Rules;
    type Game = BlitzWar;
    type Position = format::Position;
    type Expect = format::Expect;

    fn system() -> &'static System<Rules> {
        &crate::SYSTEM
    }

    fn game(rules: Rules) -> Result<BlitzWar, String> {
        BlitzWar::new(rules)
    }

    fn position(
        game: &BlitzWar,
        wanted: &format::Position,
        context: &mut ScriptedContext,
    ) -> Result<State, String> {
        position::build(game, wanted, context)
    }

    fn attempt(
        game: &BlitzWar,
        state: &mut State,
        phrase: &str,
        context: &mut ScriptedContext,
    ) -> Result<(), Refusal> {
        attempt(game, state, phrase, context)
    }

    /// The end of a phase, or an attack.
    fn is_notable(_: &State, action: Action) -> bool {
        matches!(action, Action::Pass | Action::Attack(_) | Action::Resolve)
    }

    fn check(game: &BlitzWar, state: &State, expect: &format::Expect, events: &[Event]) -> Vec<String> {
        expect::check(game, state, expect, events)
    }
}

fn attempt(
    game: &BlitzWar,
    state: &mut State,
    phrase: &str,
    context: &mut ScriptedContext,
) -> Result<(), Refusal> {
    match (Words { game, state }).order(phrase).map_err(Refusal::NotYet)? {
        Order::Until(phase, side) => example::play_until::<Examples>(
            game,
            state,
            context,
            Action::Pass,
            |state| state.phase() == phase && side.is_none_or(|side| side == state.active()),
            // What has to be chosen in phases 1 to 3.
            |state| state.phase() < Phase::NavalMovement,
        ),
        Order::EndPhase => {
            Order::EndPhase.open(game, state, context);
            example::pass::<Examples>(game, state, Action::Pass, context)
        }
        order => match order.fault(game, state).map_err(Refusal::Never)? {
            None => {
                order.open(game, state, context);
                carry_out(game, state, &order, context);
                Ok(())
            }
            Some(reason) => Err(Refusal::NotYet(format!("not legal: {reason}"))),
        },
    }
}

/// Plays a legal order.
fn carry_out(game: &BlitzWar, state: &mut State, order: &Order, context: &mut ScriptedContext) {
    match order {
        Order::OneOf(actions) => {
            let open = game.open_actions(state);
            if let Some(&action) = actions.iter().find(|action| open.contains(action)) {
                game.apply_alone(state, action, context);
            }
        }
        Order::Send { counters, stops } => {
            let Some(&counter) = counters.iter().find(|&&counter| order.sends(game, state, counter)) else {
                return;
            };
            game.apply_alone(state, Action::Select(counter), context);
            for &stop in stops {
                game.apply_alone(state, Action::Go(stop), context);
            }
            if matches!(state.pending(), Pending::March(_)) {
                game.apply_alone(state, Action::Pass, context);
            }
        }
        Order::Attack { target, only } => {
            game.apply_alone(state, Action::Attack(*target), context);
            if let Some(group) = only {
                while let Some(action) = next_withheld(game, state, group) {
                    game.apply_alone(state, action, context);
                }
            }
            game.apply_alone(state, Action::Resolve, context);
        }
        Order::Until(..) | Order::EndPhase => {}
    }
}
