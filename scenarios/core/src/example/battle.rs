//! Battles for the study of odds: taken from worked examples, or described in their words.

use super::format::{Position, Step, read};
use super::runner::{ExampleOf, FileOf, ScriptedContext, State, Vocabulary, find, fresh, play, play_phrase};
use crate::Override;
use crate::error::{LoadError, Problem};

/// A battle in words, as worked examples say them (`examples/README.md` of each system).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct BattleText {
    /// Scenario whose map, units and dates are used.
    pub scenario: String,
    /// Values of the scenario that are replaced.
    pub overrides: Vec<Override>,
    /// Attackers by the place they come from, `place: unit, unit`.
    pub attackers: Vec<String>,
    /// Defenders, `place: unit, unit`, at the place of the battle.
    pub defenders: String,
    /// Other units on the map, `place: unit, unit`.
    pub others: Vec<String>,
    /// More of the position: keys of an example's `position`, as TOML.
    pub position: Option<String>,
    /// Turn, if not the scenario's first.
    pub turn: Option<u8>,
    /// Weather, if not the calendar's.
    pub weather: Option<String>,
    /// Terrain of the place of the battle, if not the map's.
    pub terrain: Option<String>,
}

impl BattleText {
    /// The position beside the units, in the words of a system; nothing is the empty position.
    ///
    /// # Errors
    /// If it is malformed or has an unknown key.
    pub fn position<P: Position>(&self) -> Result<P, LoadError> {
        super::format::position_beside(self.position.as_deref())
    }

    /// The values of the scenario that are replaced: those of the text, and those of its position.
    ///
    /// # Errors
    /// If one of the latter is no `path=value`.
    pub fn edits(&self, position: &impl Position) -> Result<Vec<Override>, LoadError> {
        let own = position.overrides();
        let own = own.iter().map(|text| Override::parse(text));
        self.overrides.iter().cloned().map(Ok).chain(own).collect()
    }

    /// What the battle is called.
    pub fn title(&self) -> String {
        format!("{} against {}", self.attackers.join("; "), self.defenders)
    }
}

/// What is wrong with the description of a battle.
pub fn wrong(text: impl Into<String>) -> LoadError {
    LoadError::new(Problem::Inconsistent(text.into()))
}

/// A vocabulary that can tell of battles.
pub trait Battles: Vocabulary {
    /// A battle that can be fought: the position just before it, and which it is.
    type Battle;
    /// What it is called in the system.
    const NOUN: &'static str = "battle";

    /// Puts a described battle on the map.
    ///
    /// # Errors
    /// If the words mean nothing, the units do not fit, or the scenario cannot be opened.
    fn describe(text: &BattleText) -> Result<Self::Battle, LoadError>;
    /// Whether a decision in words begins a battle.
    fn is_battle(phrase: &str) -> bool;
    /// Battles that an expectation weighs without fighting them, as decisions in words. They count where a step decides
    /// nothing, so that the position before it is theirs.
    fn weighed(expect: &Self::Expect) -> Vec<String> {
        let _ = expect;
        Vec::new()
    }
    /// Stops before the battle that a decision begins. What is forced before it is played if `table` is given.
    ///
    /// # Errors
    /// If the decision means no battle.
    fn halt(
        game: &Self::Game,
        state: State<Self>,
        phrase: &str,
        title: String,
        context: Option<&mut ScriptedContext<Self>>,
    ) -> Result<Self::Battle, String>;
}

/// The decisions of a step that begin battles, or weigh them.
fn battles_of<B: Battles>(step: &Step<B::Expect>) -> usize {
    if step.orders.is_empty() {
        B::weighed(&step.expect).len()
    } else {
        step.orders.iter().filter(|phrase| B::is_battle(phrase)).count()
    }
}

/// The worked examples of a file that have battles, by identifier, and how many.
///
/// # Errors
/// If the file is malformed.
pub fn battles_in<B: Battles>(name: &str, text: &str) -> Result<Vec<(String, usize)>, LoadError> {
    let file: FileOf<B> = read(name, text)?;
    let battles = |example: &ExampleOf<B>| -> usize { example.steps().iter().map(battles_of::<B>).sum() };
    let counts = file.example.iter().map(|example| (example.id.clone(), battles(example)));
    Ok(counts.filter(|(_, battles)| *battles > 0).collect())
}

/// Takes the `nth` battle (from 1) of a worked example, with what comes before it played as written.
///
/// # Errors
/// If the file is malformed, has no such example or battle, or does not hold so far.
pub fn example_battle<B: Battles>(
    name: &str,
    text: &str,
    id: &str,
    nth: usize,
) -> Result<B::Battle, LoadError> {
    let file: FileOf<B> = read(name, text)?;
    let (example, game) = find::<B>(name, &file, id)?;
    let fault = |error: String| {
        LoadError::in_file(name, None, Problem::Inconsistent(format!("example {id}: {error}")))
    };
    let title = format!("{id}: {}", example.title);
    let mut state = B::position(&game, &example.position, &mut fresh::<B>(&[])).map_err(fault)?;
    let mut seen = 0;
    for step in example.steps() {
        if step.orders.is_empty() {
            for phrase in B::weighed(&step.expect) {
                seen += 1;
                if seen == nth {
                    return B::halt(&game, state, &phrase, title, None).map_err(fault);
                }
            }
        }
        let context = &mut fresh::<B>(&step.dice);
        for phrase in &step.orders {
            if B::is_battle(phrase) {
                seen += 1;
                if seen == nth {
                    return B::halt(&game, state, phrase, title, Some(context)).map_err(fault);
                }
            }
            play_phrase::<B>(&game, &mut state, phrase, context)
                .map_err(|error| fault(format!("`{phrase}`: {error}")))?;
        }
        let nothing = Step { orders: Vec::new(), ..step.clone() };
        play::<B>(&game, &mut state, &nothing, context).map_err(fault)?;
    }
    let noun = B::NOUN;
    Err(fault(match seen {
        0 => format!("it has no {noun}"),
        1 => format!("it has no {noun} {nth}, only one"),
        seen => format!("it has no {noun} {nth}, only {seen}"),
    }))
}
