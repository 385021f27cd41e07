//! Runs worked examples of `BlitzWar`: builds the position, plays the decisions written in words with the dice as
//! written, and compares.
//!
//! ```text
//! format    the file as it is read          words   units, places and decisions in words
//! position  the position by name            expect  what must hold after a step
//! battle    an attack, for the study of odds
//! ```

use std::collections::HashMap;

use sandtable_blitzwar::{Action, BlitzWar, Event, Force, Pending, Phase, State};
use sandtable_core::{Game, Scripted, Seat};

use crate::error::{LoadError, Problem};
use crate::example::ExampleReport;
use crate::{Override, open};

pub(super) mod battle;
mod expect;
mod format;
mod position;
mod words;

use format::{Example, Step};
use words::{Order, Words, next_withheld};

/// Dice as written, and what happens.
type Table = Seat<Scripted, Vec<Event>>;

/// Most decisions that `until` may decline.
const PATIENCE: usize = 2000;

/// Runs the examples of a file.
pub(crate) fn run(name: &str, text: &str) -> Result<Vec<ExampleReport>, LoadError> {
    let file = format::read(name, text)?;
    let mut games: HashMap<(String, Vec<String>), BlitzWar> = HashMap::new();
    let mut reports = Vec::new();
    for example in &file.example {
        let scenario = example.scenario.as_ref().or(file.scenario.as_ref()).ok_or_else(|| {
            LoadError::in_file(name, None, Problem::MissingKey { key: format!("scenario of {}", example.id) })
        })?;
        let key = (scenario.clone(), example.position.overrides());
        if !games.contains_key(&key) {
            games.insert(key.clone(), build(name, example, &key)?);
        }
        let failures = failures(&games[&key], example);
        reports.push(ExampleReport {
            file: name.into(),
            id: example.id.clone(),
            title: example.title.clone(),
            rules: example.rules.clone(),
            provenance: example.provenance.clone(),
            passed: failures.is_empty(),
            failures,
        });
    }
    Ok(reports)
}

fn build(
    file: &str,
    example: &Example,
    (scenario, sets): &(String, Vec<String>),
) -> Result<BlitzWar, LoadError> {
    let located = |error: LoadError| {
        let text = format!("example {}: {error}", example.id);
        LoadError::in_file(file, None, Problem::Inconsistent(text))
    };
    let edits: Vec<Override> =
        sets.iter().map(|set| Override::parse(set)).collect::<Result<_, _>>().map_err(located)?;
    let rules = open(scenario, &edits).map_err(located)?.into_blitzwar();
    BlitzWar::new(rules).map_err(|error| located(LoadError::new(Problem::Inconsistent(error))))
}

/// Plays an example and collects what does not hold.
fn failures(game: &BlitzWar, example: &Example) -> Vec<String> {
    let steps = example.steps();
    let mut table = fresh(&[]);
    let mut state = match position::build(game, &example.position, &mut table) {
        Ok(state) => state,
        Err(error) => return vec![format!("position: {error}")],
    };
    let mut found = Vec::new();
    if let Err(error) = game.check(&state) {
        found.push(format!("position: {error}"));
    }
    for (number, step) in steps.iter().enumerate() {
        let at = |text: String| if steps.len() == 1 { text } else { format!("step {}: {text}", number + 1) };
        let mut table = fresh(&step.dice);
        if let Err(error) = play(game, &mut state, step, &mut table) {
            found.push(at(error));
            return found;
        }
        if let Err(error) = table.dice.check() {
            found.push(at(format!("dice: {error}")));
        }
        if table.dice.left() > 0 {
            found.push(at(format!("dice: {} of {} rolls were not used", table.dice.left(), step.dice.len())));
        }
        found.extend(expect::check(game, &state, &step.expect, &table.sink).into_iter().map(at));
        if let Err(error) = game.check(&state) {
            found.push(at(format!("the position breaks an invariant: {error}")));
        }
    }
    found
}

fn fresh(dice: &[u32]) -> Table {
    Seat { dice: Scripted::faces(dice), sink: Vec::new() }
}

/// Plays the decisions of a step, then what is forced inside the phase.
fn play(game: &BlitzWar, state: &mut State, step: &Step, table: &mut Table) -> Result<(), String> {
    for phrase in &step.orders {
        play_phrase(game, state, phrase, table).map_err(|error| format!("`{phrase}`: {error}"))?;
    }
    while play_forced(game, state, table) {}
    Ok(())
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

fn play_phrase(game: &BlitzWar, state: &mut State, phrase: &str, table: &mut Table) -> Result<(), String> {
    loop {
        let read = Words { game, state }.order(phrase);
        let fault = match read {
            Ok(Order::Until(phase, side)) => return play_until(game, state, phase, side, table),
            Ok(Order::EndPhase) => {
                if let Some(opening) = Order::EndPhase.opening(game, state) {
                    game.apply_alone(state, opening, table);
                }
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
                "something must be decided first".to_owned()
            }
            Ok(order) => match order.fault(game, state)? {
                None => {
                    if let Some(opening) = order.opening(game, state) {
                        game.apply_alone(state, opening, table);
                    }
                    carry_out(game, state, &order, table);
                    return Ok(());
                }
                Some(reason) => format!("not legal: {reason}"),
            },
            Err(error) => error,
        };
        if !play_forced(game, state, table) {
            return Err(fault);
        }
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
