//! Plays worked examples: builds the position, plays the decisions written in words with the dice as written, and
//! compares.

use std::collections::HashMap;

use sandtable_core::{Game, Phases, PlayContext, Scripted, Stepwise};
use serde::de::DeserializeOwned;

use super::ExampleReport;
use super::format::{Example, File, Position, Step, read};
use super::words::unknown;
use crate::error::{LoadError, Problem, nearest};
use crate::{Override, System};

/// Dice as written, and what happens.
pub type ScriptedContext<V> = PlayContext<Scripted, Vec<<<V as Vocabulary>::Game as Game>::Event>>;
/// A game in progress.
pub type State<V> = <<V as Vocabulary>::Game as Game>::State;
/// An example of a system.
pub(crate) type ExampleOf<V> = Example<<V as Vocabulary>::Position, <V as Vocabulary>::Expect>;
/// A file of examples of a system.
pub(crate) type FileOf<V> = File<<V as Vocabulary>::Position, <V as Vocabulary>::Expect>;

/// Why a phrase cannot be played.
pub enum Refusal {
    /// Perhaps after a forced move.
    NotYet(String),
    /// Not at all.
    Never(String),
}

/// The words in which the worked examples of a system are told: all that it gives to run them.
pub trait Vocabulary: Sized {
    /// The rules that its data say.
    type Rules: 'static;
    /// The game by these rules.
    type Game: Phases;
    /// A position as examples write it.
    type Position: Position;
    /// What must hold after a step, as examples write it.
    type Expect: DeserializeOwned + Default + Clone + PartialEq;

    /// The system whose scenarios the examples name.
    fn system() -> &'static System<Self::Rules>;
    /// The game by the rules of a scenario.
    ///
    /// # Errors
    /// If the engine refuses them.
    fn game(rules: Self::Rules) -> Result<Self::Game, String>;
    /// The position of an example.
    ///
    /// # Errors
    /// Says what means nothing, or does not fit.
    fn position(
        game: &Self::Game,
        wanted: &Self::Position,
        context: &mut ScriptedContext<Self>,
    ) -> Result<State<Self>, String>;
    /// Plays a phrase, or leaves the state as it is and says why not.
    ///
    /// # Errors
    /// Why not, and whether forced moves may change that.
    fn attempt(
        game: &Self::Game,
        state: &mut State<Self>,
        phrase: &str,
        context: &mut ScriptedContext<Self>,
    ) -> Result<(), Refusal>;
    /// Whether a forced move is worth a line of its own, and so never made unasked: the end of a phase, a battle.
    fn is_notable(state: &State<Self>, action: <Self::Game as Game>::Action) -> bool;
    /// Whether the phase at hand, if there is nothing to decide in it, is a step within a larger decision, and so ended
    /// unasked; else examples end phases themselves.
    fn passes_by(state: &State<Self>) -> bool {
        let _ = state;
        false
    }
    /// What does not hold after a step.
    fn check(
        game: &Self::Game,
        state: &State<Self>,
        expect: &Self::Expect,
        events: &[<Self::Game as Game>::Event],
    ) -> Vec<String>;
}

/// A table with dice as written.
pub fn fresh<V: Vocabulary>(dice: &[u32]) -> ScriptedContext<V> {
    PlayContext { dice: Scripted::faces(dice), sink: Vec::new() }
}

/// Plays a forced move that a player would not notice, or ends a phase without decisions that passes by; returns whether
/// there is one.
pub fn play_forced<V: Vocabulary>(
    game: &V::Game,
    state: &mut State<V>,
    context: &mut ScriptedContext<V>,
) -> bool {
    match game.forced(state) {
        Some(action) if !V::is_notable(state, action) => {
            game.apply_alone(state, action, context);
            true
        }
        None if !game.is_over(state) && V::passes_by(state) && game.open_actions(state).is_empty() => {
            game.end_idle_phase(state, context);
            true
        }
        _ => false,
    }
}

/// Declines what is to be decided, or ends the phase if that is nothing.
///
/// # Errors
/// If something must be decided first.
pub fn pass<V: Vocabulary>(
    game: &V::Game,
    state: &mut State<V>,
    pass: <V::Game as Game>::Action,
    context: &mut ScriptedContext<V>,
) -> Result<(), Refusal> {
    let open = game.open_actions(state);
    if open.is_empty() {
        game.end_idle_phase(state, context);
    } else if open.contains(&pass) {
        game.apply_alone(state, pass, context);
    } else {
        return Err(Refusal::NotYet("something must be decided first".into()));
    }
    Ok(())
}

/// Most decisions that [`play_until`] declines.
const PATIENCE: usize = 4000;

/// Declines everything until a position is reached. Where something has to be chosen and `takes_first` says so, the
/// first possibility is taken.
///
/// # Errors
/// If something else must be decided first, or the position does not come.
pub fn play_until<V: Vocabulary>(
    game: &V::Game,
    state: &mut State<V>,
    context: &mut ScriptedContext<V>,
    pass: <V::Game as Game>::Action,
    reached: impl Fn(&State<V>) -> bool,
    takes_first: impl Fn(&State<V>) -> bool,
) -> Result<(), Refusal> {
    for _ in 0..PATIENCE {
        if reached(state) {
            return Ok(());
        }
        if game.is_over(state) {
            return Err(Refusal::Never("the game ended before".into()));
        }
        let open = game.open_actions(state);
        match open.first() {
            None => game.end_idle_phase(state, context),
            Some(_) if open.contains(&pass) => game.apply_alone(state, pass, context),
            Some(&first) if open.len() == 1 || takes_first(state) => game.apply_alone(state, first, context),
            Some(&first) => {
                let action = game.describe(state, first);
                return Err(Refusal::Never(format!("this must be decided first: {action}")));
            }
        }
    }
    Err(Refusal::Never("the phase does not come".into()))
}

/// Runs the examples of a file, under a name for reports.
///
/// # Errors
/// If the file is malformed, or names a scenario that cannot be opened. An example that does not hold is no error but a
/// report.
pub fn run<V: Vocabulary>(name: &str, text: &str) -> Result<Vec<ExampleReport>, LoadError> {
    let file: FileOf<V> = read(name, text)?;
    if file.scenario.is_none() && file.example.iter().all(|example| example.scenario.is_none()) {
        return Err(LoadError::in_file(name, None, Problem::MissingKey { key: "scenario".into() }));
    }
    let mut games: HashMap<(String, Vec<String>), V::Game> = HashMap::new();
    let mut reports = Vec::new();
    for example in &file.example {
        let scenario = scenario_of::<V>(name, &file, example)?;
        let key = (scenario.to_owned(), example.position.overrides());
        if !games.contains_key(&key) {
            games.insert(key.clone(), build::<V>(name, example, scenario)?);
        }
        let failures = failures::<V>(&games[&key], example);
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
pub(crate) fn scenario_of<'f, V: Vocabulary>(
    name: &str,
    file: &'f FileOf<V>,
    example: &'f ExampleOf<V>,
) -> Result<&'f str, LoadError> {
    example.scenario.as_deref().or(file.scenario.as_deref()).ok_or_else(|| {
        LoadError::in_file(name, None, Problem::MissingKey { key: format!("scenario of {}", example.id) })
    })
}

/// The game of an example.
pub(crate) fn build<V: Vocabulary>(
    file: &str,
    example: &ExampleOf<V>,
    scenario: &str,
) -> Result<V::Game, LoadError> {
    let located = |error: LoadError| {
        let text = format!("example {}: {error}", example.id);
        LoadError::in_file(file, None, Problem::Inconsistent(text))
    };
    let sets = example.position.overrides();
    let edits: Vec<Override> =
        sets.iter().map(|set| Override::parse(set)).collect::<Result<_, _>>().map_err(located)?;
    let wrong = |text: String| located(LoadError::new(Problem::Inconsistent(text)));
    let system = V::system();
    let prefix = scenario.split('/').next().unwrap_or_default();
    let opened = system.open(scenario, &edits).map_err(|error| match *error.problem {
        Problem::UnknownScenario { .. } if nearest(prefix, [system.id]).is_none() => {
            wrong(format!("{scenario} is no scenario of {}, as others of the file", system.title))
        }
        _ => located(error),
    })?;
    V::game(opened.into_rules()).map_err(wrong)
}

/// An example of a file by its identifier, with its game.
pub(crate) fn find<'f, V: Vocabulary>(
    name: &str,
    file: &'f FileOf<V>,
    id: &str,
) -> Result<(&'f ExampleOf<V>, V::Game), LoadError> {
    let ids = file.example.iter().map(|example| example.id.as_str());
    let example = file.example.iter().find(|example| example.id == id).ok_or_else(|| {
        LoadError::in_file(name, None, Problem::Inconsistent(unknown(id, "an example of the file", ids)))
    })?;
    let scenario = scenario_of::<V>(name, file, example)?;
    Ok((example, build::<V>(name, example, scenario)?))
}

/// A position of a scenario in the words of worked examples, with its game; `amend` has the last word on what is wanted.
///
/// # Errors
/// If there is no such scenario, or the description is malformed or does not fit it.
pub fn describe_position<V: Vocabulary>(
    scenario: &str,
    overrides: &[Override],
    text: Option<&str>,
    amend: impl FnOnce(&mut V::Position),
) -> Result<(V::Game, State<V>), LoadError> {
    let wrong = |text: String| LoadError::new(Problem::Inconsistent(text));
    let mut wanted: V::Position = super::format::position_beside(text)?;
    amend(&mut wanted);
    let own = wanted.overrides();
    let own = own.iter().map(|text| Override::parse(text));
    let edits: Vec<Override> = overrides.iter().cloned().map(Ok).chain(own).collect::<Result<_, _>>()?;
    let game = V::game(V::system().open(scenario, &edits)?.into_rules()).map_err(wrong)?;
    let state = V::position(&game, &wanted, &mut fresh::<V>(&[]))
        .map_err(|error| wrong(format!("position `{}`: {error}", text.unwrap_or_default())))?;
    Game::check(&game, &state).map_err(|error| wrong(format!("position: {error}")))?;
    Ok((game, state))
}

/// Plays an example and collects what does not hold.
fn failures<V: Vocabulary>(game: &V::Game, example: &ExampleOf<V>) -> Vec<String> {
    let steps = example.steps();
    let mut context = fresh::<V>(&[]);
    let mut state = match V::position(game, &example.position, &mut context) {
        Ok(state) => state,
        Err(error) => return vec![format!("position: {error}")],
    };
    let mut found = Vec::new();
    if let Err(error) = Game::check(game, &state) {
        found.push(format!("position: {error}"));
    }
    if let Err(error) = context.dice.check() {
        found.push(format!("position: dice: {error}"));
    }
    for (number, step) in steps.iter().enumerate() {
        let at = |text: String| if steps.len() == 1 { text } else { format!("step {}: {text}", number + 1) };
        let mut context = fresh::<V>(&step.dice);
        if let Err(error) = play::<V>(game, &mut state, step, &mut context) {
            found.push(at(error));
            return found;
        }
        if let Err(error) = context.dice.check() {
            found.push(at(format!("dice: {error}")));
        }
        if context.dice.left() > 0 {
            found.push(at(format!(
                "dice: {} of {} rolls were not used",
                context.dice.left(),
                step.dice.len()
            )));
        }
        found.extend(V::check(game, &state, &step.expect, &context.sink).into_iter().map(at));
        if let Err(error) = Game::check(game, &state) {
            found.push(at(format!("the position breaks an invariant: {error}")));
        }
    }
    found
}

/// Plays the decisions of a step, then what is forced inside the phase.
///
/// # Errors
/// Names the decision that cannot be made, and why.
pub fn play<V: Vocabulary>(
    game: &V::Game,
    state: &mut State<V>,
    step: &Step<V::Expect>,
    context: &mut ScriptedContext<V>,
) -> Result<(), String> {
    for phrase in &step.orders {
        play_phrase::<V>(game, state, phrase, context).map_err(|error| format!("`{phrase}`: {error}"))?;
    }
    while play_forced::<V>(game, state, context) {}
    Ok(())
}

/// Plays a phrase, after forced moves if need be.
///
/// # Errors
/// Why it cannot be played.
pub fn play_phrase<V: Vocabulary>(
    game: &V::Game,
    state: &mut State<V>,
    phrase: &str,
    context: &mut ScriptedContext<V>,
) -> Result<(), String> {
    loop {
        match V::attempt(game, state, phrase, context) {
            Ok(()) => return Ok(()),
            Err(Refusal::Never(error)) => return Err(error),
            Err(Refusal::NotYet(error)) => {
                if !play_forced::<V>(game, state, context) {
                    return Err(error);
                }
            }
        }
    }
}
