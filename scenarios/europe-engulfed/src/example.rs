//! Runs worked examples of Europe Engulfed: builds the position, plays the decisions written in words with the dice as
//! written, and compares.
//!
//! ```text
//! format    the file as it is read          words   units and places in words
//! position  the position by name            orders  decisions in words
//! expect    what must hold after a step
//! ```

mod expect;
mod format;
mod orders;
mod position;
mod words;

use sandtable_core::Stepwise;
use sandtable_europe_engulfed::phase::Stage;
use sandtable_europe_engulfed::{Action, EuropeEngulfed, Event, Pending, Rules, State};
use sandtable_scenarios::System;
use sandtable_scenarios::example::{self, Refusal, Vocabulary};

use orders::Order;
use words::Words;

/// Dice as written, and what happens.
type ScriptedContext = example::ScriptedContext<Examples>;

/// The words of the worked examples of Europe Engulfed.
#[derive(Clone, Copy, Debug)]
pub struct Examples;

impl Vocabulary for Examples {
    type Rules = Rules;
    type Game = EuropeEngulfed;
    type Position = format::Position;
    type Expect = format::Expect;

    fn system() -> &'static System<Rules> {
        &crate::SYSTEM
    }

    fn game(rules: Rules) -> Result<EuropeEngulfed, String> {
        EuropeEngulfed::new(rules)
    }

    fn position(
        game: &EuropeEngulfed,
        wanted: &format::Position,
        context: &mut ScriptedContext,
    ) -> Result<State, String> {
        position::build(game, wanted, context)
    }

    fn attempt(
        game: &EuropeEngulfed,
        state: &mut State,
        phrase: &str,
        context: &mut ScriptedContext,
    ) -> Result<(), Refusal> {
        let words = Words { game };
        match orders::order(words, state, phrase).map_err(Refusal::NotYet)? {
            Order::Pass => example::pass::<Examples>(game, state, Action::Pass, context),
            Order::Until(phase, team) => example::play_until::<Examples>(
                game,
                state,
                context,
                Action::Pass,
                |state| state.phase == phase && team.is_none_or(|team| team == state.mover),
                |_| false,
            ),
            Order::Actions(actions) => {
                let before = state.clone();
                for action in actions {
                    if !game.open_actions(state).contains(&action) {
                        let reason = game.why_illegal(state, action).unwrap_or_default();
                        *state = before;
                        return Err(Refusal::NotYet(format!("not legal: {reason}")));
                    }
                    game.apply_alone(state, action, context);
                }
                // A march that nobody continues ends.
                if matches!(state.pending, Pending::March(_))
                    && game.open_actions(state).contains(&Action::Pass)
                {
                    game.apply_alone(state, Action::Pass, context);
                }
                Ok(())
            }
        }
    }

    /// The end of a phase, a battle, and what fires.
    fn is_notable(_: &State, action: Action) -> bool {
        matches!(action, Action::Attack(..) | Action::Fire(_) | Action::Pass)
    }

    /// Stages of a battle with nothing to decide.
    fn passes_by(state: &State) -> bool {
        state.battle.stage != Stage::None
    }

    fn check(game: &EuropeEngulfed, state: &State, expect: &format::Expect, events: &[Event]) -> Vec<String> {
        expect::check(game, state, expect, events)
    }
}
