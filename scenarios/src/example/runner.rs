//! Plays worked examples: builds the position, plays the decisions written in words with the dice as written, and
//! compares.

use std::collections::HashMap;

use sandtable_core::{Game, Scripted, Seat};
use serde::de::DeserializeOwned;

use super::ExampleReport;
use super::format::{Example, File, Position, Step, read};
use super::words::unknown;
use crate::error::{LoadError, Problem};
use crate::{Override, Scenario, open};

/// Dice as written, and what happens.
pub(crate) type Table<K> = Seat<Scripted, Vec<<<K as System>::Game as Game>::Event>>;
/// A game in progress.
pub(crate) type State<K> = <<K as System>::Game as Game>::State;
/// An example of a system.
pub(crate) type ExampleOf<K> = Example<<K as System>::Position, <K as System>::Expect>;
/// A file of examples of a system.
pub(crate) type FileOf<K> = File<<K as System>::Position, <K as System>::Expect>;

/// Why a phrase cannot be played.
pub(crate) enum Refusal {
    /// Perhaps after a forced move.
    NotYet(String),
    /// Not at all.
    Never(String),
}

/// What a system gives to run its worked examples.
pub(crate) trait System {
    type Game: Game;
    type Position: Position;
    type Expect: DeserializeOwned + Default + Clone + PartialEq;

    /// The game of a scenario.
    fn game(scenario: Scenario) -> Result<Self::Game, String>;
    /// The position of an example.
    fn position(
        game: &Self::Game,
        wanted: &Self::Position,
        table: &mut Table<Self>,
    ) -> Result<State<Self>, String>;
    /// Plays a phrase, or leaves the state as it is and says why not.
    fn attempt(
        game: &Self::Game,
        state: &mut State<Self>,
        phrase: &str,
        table: &mut Table<Self>,
    ) -> Result<(), Refusal>;
    /// Plays a forced move that a player would not notice; returns whether there is one.
    fn play_forced(game: &Self::Game, state: &mut State<Self>, table: &mut Table<Self>) -> bool;
    /// What does not hold after a step.
    fn check(
        game: &Self::Game,
        state: &State<Self>,
        expect: &Self::Expect,
        events: &[<Self::Game as Game>::Event],
    ) -> Vec<String>;
}

/// A table with dice as written.
pub(crate) fn fresh<K: System + ?Sized>(dice: &[u32]) -> Table<K> {
    Seat { dice: Scripted::faces(dice), sink: Vec::new() }
}

/// Runs the examples of a file.
pub(crate) fn run<K: System>(name: &str, text: &str) -> Result<Vec<ExampleReport>, LoadError> {
    let file: FileOf<K> = read(name, text)?;
    let mut games: HashMap<(String, Vec<String>), K::Game> = HashMap::new();
    let mut reports = Vec::new();
    for example in &file.example {
        let scenario = scenario_of::<K>(name, &file, example)?;
        let key = (scenario.to_owned(), example.position.overrides());
        if !games.contains_key(&key) {
            games.insert(key.clone(), build::<K>(name, example, scenario)?);
        }
        let failures = failures::<K>(&games[&key], example);
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

/// The scenario of an example.
pub(crate) fn scenario_of<'f, K: System>(
    name: &str,
    file: &'f FileOf<K>,
    example: &'f ExampleOf<K>,
) -> Result<&'f str, LoadError> {
    example.scenario.as_deref().or(file.scenario.as_deref()).ok_or_else(|| {
        LoadError::in_file(name, None, Problem::MissingKey { key: format!("scenario of {}", example.id) })
    })
}

/// The game of an example.
pub(crate) fn build<K: System>(
    file: &str,
    example: &ExampleOf<K>,
    scenario: &str,
) -> Result<K::Game, LoadError> {
    let located = |error: LoadError| {
        let text = format!("example {}: {error}", example.id);
        LoadError::in_file(file, None, Problem::Inconsistent(text))
    };
    let sets = example.position.overrides();
    let edits: Vec<Override> =
        sets.iter().map(|set| Override::parse(set)).collect::<Result<_, _>>().map_err(located)?;
    let scenario = open(scenario, &edits).map_err(located)?;
    K::game(scenario).map_err(|error| located(LoadError::new(Problem::Inconsistent(error))))
}

/// An example of a file by its identifier, with its game.
pub(crate) fn find<'f, K: System>(
    name: &str,
    file: &'f FileOf<K>,
    id: &str,
) -> Result<(&'f ExampleOf<K>, K::Game), LoadError> {
    let ids = file.example.iter().map(|example| example.id.as_str());
    let example = file.example.iter().find(|example| example.id == id).ok_or_else(|| {
        LoadError::in_file(name, None, Problem::Inconsistent(unknown(id, "an example of the file", ids)))
    })?;
    let scenario = scenario_of::<K>(name, file, example)?;
    Ok((example, build::<K>(name, example, scenario)?))
}

/// Plays an example and collects what does not hold.
fn failures<K: System>(game: &K::Game, example: &ExampleOf<K>) -> Vec<String> {
    let steps = example.steps();
    let mut table = fresh::<K>(&[]);
    let mut state = match K::position(game, &example.position, &mut table) {
        Ok(state) => state,
        Err(error) => return vec![format!("position: {error}")],
    };
    let mut found = Vec::new();
    if let Err(error) = game.check(&state) {
        found.push(format!("position: {error}"));
    }
    if let Err(error) = table.dice.check() {
        found.push(format!("position: dice: {error}"));
    }
    for (number, step) in steps.iter().enumerate() {
        let at = |text: String| if steps.len() == 1 { text } else { format!("step {}: {text}", number + 1) };
        let mut table = fresh::<K>(&step.dice);
        if let Err(error) = play::<K>(game, &mut state, step, &mut table) {
            found.push(at(error));
            return found;
        }
        if let Err(error) = table.dice.check() {
            found.push(at(format!("dice: {error}")));
        }
        if table.dice.left() > 0 {
            found.push(at(format!("dice: {} of {} rolls were not used", table.dice.left(), step.dice.len())));
        }
        found.extend(K::check(game, &state, &step.expect, &table.sink).into_iter().map(at));
        if let Err(error) = game.check(&state) {
            found.push(at(format!("the position breaks an invariant: {error}")));
        }
    }
    found
}

/// Plays the decisions of a step, then what is forced inside the phase.
pub(crate) fn play<K: System>(
    game: &K::Game,
    state: &mut State<K>,
    step: &Step<K::Expect>,
    table: &mut Table<K>,
) -> Result<(), String> {
    for phrase in &step.orders {
        play_phrase::<K>(game, state, phrase, table).map_err(|error| format!("`{phrase}`: {error}"))?;
    }
    while K::play_forced(game, state, table) {}
    Ok(())
}

/// Plays a phrase, after forced moves if need be.
pub(crate) fn play_phrase<K: System>(
    game: &K::Game,
    state: &mut State<K>,
    phrase: &str,
    table: &mut Table<K>,
) -> Result<(), String> {
    loop {
        match K::attempt(game, state, phrase, table) {
            Ok(()) => return Ok(()),
            Err(Refusal::Never(error)) => return Err(error),
            Err(Refusal::NotYet(error)) => {
                if !K::play_forced(game, state, table) {
                    return Err(error);
                }
            }
        }
    }
}
