//! Odds of battles, of the weather, of draws and of diplomacy, as systems answer for them.

use std::collections::BTreeMap;

use sandtable_core::Pmf;
use sandtable_core::weather::Weather;

use super::{Override, Source};
use crate::failure::Failure;

/// A question about a battle.
#[derive(Clone, Debug)]
pub struct CombatRequest<'a> {
    /// The scenario; `None` is the system's usual one. A battle from an example is fought in the example's.
    pub scenario: Option<Source<'a>>,
    /// Values of the scenario that are replaced.
    pub overrides: &'a [Override],
    /// The battle.
    pub battle: BattleSource<'a>,
    /// What the sides do where the rules leave them a choice: key=value.
    pub policies: &'a [Override],
    /// Battles to be sampled beside the exact answer, and their seed.
    pub samples: Option<(u64, u64)>,
    /// Greatest attacking and defending strength of a table of odds.
    pub grid: Option<(u8, u8)>,
    /// Whether the battle is to be fought in every cell of its combat table.
    pub by_table: bool,
}

/// Where a battle comes from.
#[derive(Clone, Debug)]
pub enum BattleSource<'a> {
    /// It is described in the words of worked examples.
    Described(Description<'a>),
    /// It is an attack of a worked example.
    Example {
        /// Name and text of the file; `None` is any that comes with the system.
        file: Option<(String, String)>,
        /// The example.
        id: String,
        /// Which of its attacks, from 1.
        nth: usize,
    },
}

/// A battle in words.
#[derive(Clone, Debug)]
pub struct Description<'a> {
    /// Attackers, `place: unit, unit`.
    pub attack: &'a [String],
    /// Defenders, `place: unit, unit`.
    pub defend: &'a str,
    /// Other units, `place: unit, unit`.
    pub others: &'a [String],
    /// More of the position, as the system's worked examples write it.
    pub position: Option<&'a str>,
    /// Game turn.
    pub turn: Option<u8>,
    /// Weather.
    pub weather: Option<&'a str>,
    /// Terrain of the place attacked.
    pub terrain: Option<&'a str>,
}

/// How a battle goes.
#[derive(Clone, PartialEq, Debug)]
pub struct CombatOdds {
    /// What the battle is called.
    pub title: String,
    /// What was made of the description: label and text.
    pub facts: Vec<(&'static str, String)>,
    /// The unit in which losses are counted.
    pub unit: &'static str,
    /// What the system calls an advance ([`BattleOutcome::advance`]), as in `the attacker may advance`.
    pub advance: &'static str,
    /// What it calls fighting on ([`BattleOutcome::again`]), as in `a further attack is made`; empty if there is no such
    /// thing.
    pub again: &'static str,
    /// The distribution after each round, and last after the whole battle.
    pub stages: Vec<Stage>,
    /// The table of odds, if it was asked for.
    pub grid: Vec<GridCell>,
    /// The battle at all odds and modifiers of its combat table, odds by odds, if it was asked for and there is one.
    pub table: Vec<TableCell>,
}

/// The battle at some odds and a net modifier.
#[derive(Clone, PartialEq, Debug)]
pub struct TableCell {
    /// The column of the combat table (`3-1`).
    pub odds: String,
    /// The net modifier of the die.
    pub modifier: i8,
    /// The distribution of the whole battle.
    pub whole: Stage,
}

/// The distribution of a battle at one moment.
#[derive(Clone, PartialEq, Debug)]
pub struct Stage {
    /// Short lower-case name.
    pub name: String,
    /// What it is called, as in `After the first round`.
    pub title: String,
    /// What can have come out, with probabilities that sum to 1.
    pub outcomes: Vec<BattleOutcome>,
    /// How many battles were sampled.
    pub samples: u64,
}

/// Losses in words: how many of each kind.
pub fn losses_in_words(parts: &[(u8, &str)]) -> String {
    let words: Vec<String> =
        parts.iter().filter(|part| part.0 > 0).map(|(n, kind)| format!("{n} {kind}")).collect();
    if words.is_empty() { "none".to_owned() } else { words.join(" + ") }
}

/// What can come out of a battle.
#[derive(Clone, PartialEq, Debug)]
pub struct BattleOutcome {
    /// Units lost by the attacker, counted as the battle counts them.
    pub attacker_lost: u32,
    /// Units lost by the defender.
    pub defender_lost: u32,
    /// All losses of the attacker in words.
    pub attacker_units: String,
    /// All losses of the defender in words.
    pub defender_units: String,
    /// How the place attacked ends.
    pub end: End,
    /// Whether the attacker may advance.
    pub advance: bool,
    /// What became of fighting on: `none` (not asked), `barred`, `declined`, `chosen` or `compulsory`.
    pub again: &'static str,
    /// The probability.
    pub probability: f64,
    /// How many samples came out so.
    pub seen: u64,
}

/// How the place attacked ends.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum End {
    /// Defenders hold it.
    Held,
    /// They have retreated.
    Retreated,
    /// None of them is left.
    Eliminated,
}

impl End {
    /// All ends, in order.
    pub const ALL: [End; 3] = [End::Held, End::Retreated, End::Eliminated];

    /// The end as tables name it.
    pub fn id(self) -> &'static str {
        ["held", "retreated", "eliminated"][self as usize]
    }
}

/// One cell of a table of odds.
#[derive(Clone, PartialEq, Debug)]
pub struct GridCell {
    /// Attacking strength.
    pub attackers: u8,
    /// Defending strength.
    pub defenders: u8,
    /// The battle, or why it cannot be fought.
    pub result: Result<GridResult, String>,
}

/// A battle of a table of odds.
#[derive(Clone, PartialEq, Debug)]
pub struct GridResult {
    /// What is read in the combat table in the first round, if the system has one.
    pub reading: Option<Reading>,
    /// The distribution of the whole battle.
    pub whole: Stage,
}

/// A table of odds, up to these strengths of attacker and defender.
pub fn grid(most: Option<(u8, u8)>, result: impl Fn(u8, u8) -> Result<GridResult, String>) -> Vec<GridCell> {
    let (most_attackers, most_defenders) = most.unwrap_or_default();
    let strengths = (1..=most_attackers)
        .flat_map(|attackers| (1..=most_defenders).map(move |defenders| (attackers, defenders)));
    strengths
        .map(|(attackers, defenders)| GridCell { attackers, defenders, result: result(attackers, defenders) })
        .collect()
}

/// How a combat table is read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reading {
    /// Odds before modifiers.
    pub odds: String,
    /// Sum of the modifiers.
    pub modifiers: i32,
    /// The column.
    pub column: String,
}

/// Name and title of the last stage.
pub const WHOLE: (&str, &str) = ("whole_battle", "After the whole battle");

impl Stage {
    /// The distribution of a battle at one moment, as the rules tell it. `tell` puts an outcome into words, with its
    /// probability and how often it is among the `samples` that `seen` counts.
    pub fn of<O: Ord>(
        (name, title): (&str, &str),
        distribution: &Pmf<O>,
        (seen, samples): (&BTreeMap<O, u64>, u64),
        tell: impl Fn(&O, f64, u64) -> BattleOutcome,
    ) -> Stage {
        let told = distribution.iter().map(|(outcome, probability)| {
            tell(outcome, probability, seen.get(outcome).copied().unwrap_or(0))
        });
        Stage { name: name.to_owned(), title: title.to_owned(), outcomes: told.collect(), samples }
    }
    /// The probability of a condition.
    pub fn chance(&self, holds: impl Fn(&BattleOutcome) -> bool) -> f64 {
        let masses = self.outcomes.iter().filter(|outcome| holds(outcome)).map(|outcome| outcome.probability);
        masses.fold(0.0, |sum, mass| sum + mass)
    }
    /// How many samples meet a condition.
    pub fn seen(&self, holds: impl Fn(&BattleOutcome) -> bool) -> u64 {
        self.outcomes.iter().filter(|outcome| holds(outcome)).map(|outcome| outcome.seen).sum()
    }
    /// The mean of a number.
    pub fn mean(&self, number: impl Fn(&BattleOutcome) -> u32) -> f64 {
        self.outcomes.iter().fold(0.0, |sum, outcome| sum + f64::from(number(outcome)) * outcome.probability)
    }
}

/// A question about the weather, and whatever else the calendar of a scenario brings by chance.
#[derive(Clone, Copy, Debug)]
pub struct WeatherRequest<'a> {
    /// The scenario; `None` is the system's usual one.
    pub scenario: Option<Source<'a>>,
    /// Values of the scenario that are replaced.
    pub overrides: &'a [Override],
    /// What the sides do where the rules leave them a choice: key=value.
    pub policies: &'a [Override],
}

/// The distribution of the weather of a scenario.
#[derive(Clone, PartialEq, Debug)]
pub struct WeatherOdds {
    /// The scenario.
    pub scenario: String,
    /// Where the weather comes from, in a sentence.
    pub source: String,
    /// Kinds of weather, the fairest first.
    pub kinds: Vec<String>,
    /// The turns.
    pub turns: Vec<WeatherTurn>,
    /// The distribution of each front or region that has weather of its own.
    pub fronts: Vec<(String, Weather)>,
    /// The distribution of what else is drawn by the calendar, such as cards.
    pub draws: Option<DrawOdds>,
}

/// The distribution of what is drawn: cards, chits, reinforcements.
#[derive(Clone, PartialEq, Debug)]
pub struct DrawOdds {
    /// What is drawn and how, in a sentence.
    pub source: String,
    /// The answers, turn by turn.
    pub distributions: Vec<DrawDistribution>,
}

/// One answer about what is drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct DrawDistribution {
    /// The turn it is about, as an index into [`WeatherOdds::turns`].
    pub turn: usize,
    /// Whose draw it is, or what is compared.
    pub subject: String,
    /// What is asked, as in `best command in hand`.
    pub question: String,
    /// What can come out and how probable it is. Where several of them can come out together they do not sum to 1.
    pub outcomes: Vec<(String, f64)>,
    /// The mean, of a distribution of numbers.
    pub mean: Option<f64>,
}

/// A turn of the calendar.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WeatherTurn {
    /// Its number.
    pub number: u32,
    /// When it is.
    pub label: String,
    /// Its season.
    pub season: String,
}

/// A question about the order in which formations are drawn to act.
#[derive(Clone, Copy, Debug)]
pub struct InitiativeRequest<'a> {
    /// The scenario; `None` is the system's usual one.
    pub scenario: Option<Source<'a>>,
    /// Values of the scenario that are replaced.
    pub overrides: &'a [Override],
    /// What the sides do where the rules leave them a choice, and what came before: key=value.
    pub policies: &'a [Override],
    /// The game turn; `None` is the first with nothing special about it.
    pub turn: Option<u8>,
    /// Turns to be sampled beside the exact answer, and their seed.
    pub samples: Option<(u64, u64)>,
}

/// In which order formations are drawn.
#[derive(Clone, PartialEq, Debug)]
pub struct InitiativeOdds {
    /// What is asked about.
    pub title: String,
    /// What was made of the question: label and text.
    pub facts: Vec<(&'static str, String)>,
    /// The formations, side by side.
    pub draws: Vec<DrawOrder>,
    /// How many turns were sampled.
    pub samples: u64,
}

/// When a formation is drawn first.
#[derive(Clone, PartialEq, Debug)]
pub struct DrawOrder {
    /// The formation as tables name it.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// The side as tables name it.
    pub side: &'static str,
    /// How many markers it has.
    pub markers: u8,
    /// The probability that its first marker comes first, second ... of all draws of the turn; what is missing to 1 is
    /// that it is not drawn at all.
    pub chances: Vec<f64>,
    /// How many samples came out so.
    pub seen: Vec<u64>,
    /// The probability that it is drawn before each formation of [`InitiativeOdds::draws`]; one not drawn comes last.
    pub before: Vec<f64>,
    /// How many samples came out so.
    pub seen_before: Vec<u64>,
}

/// A question about the reactions of other nations to a declaration of war.
#[derive(Clone, Copy, Debug)]
pub struct ReactionRequest<'a> {
    /// The scenario; `None` is the system's usual one.
    pub scenario: Option<Source<'a>>,
    /// Values of the scenario that are replaced.
    pub overrides: &'a [Override],
    /// What differs from the set-up, as the system's worked examples write a position.
    pub position: Option<&'a str>,
    /// The side that declares war.
    pub by: &'a str,
    /// The nation on which it does.
    pub on: &'a str,
    /// Chains of reactions to be sampled beside the exact answer, and their seed.
    pub samples: Option<(u64, u64)>,
}

/// Who joins whom after a declaration of war.
#[derive(Clone, PartialEq, Debug)]
pub struct ReactionOdds {
    /// What is asked about.
    pub title: String,
    /// What was made of the question: label and text.
    pub facts: Vec<(&'static str, String)>,
    /// All that can come of it, with probabilities that sum to 1, the most probable first.
    pub outcomes: Vec<ReactionOutcome>,
    /// How many chains were sampled.
    pub samples: u64,
}

/// One end of a chain of reactions.
#[derive(Clone, PartialEq, Debug)]
pub struct ReactionOutcome {
    /// Nations that join a side, and the side, both as tables name them.
    pub joined: Vec<(String, &'static str)>,
    /// The probability.
    pub probability: f64,
    /// How many samples came out so.
    pub seen: u64,
}

/// A question about diplomatic events.
#[derive(Clone, Copy, Debug)]
pub struct EventRequest<'a> {
    /// The scenario; `None` is the system's usual one.
    pub scenario: Option<Source<'a>>,
    /// Values of the scenario that are replaced.
    pub overrides: &'a [Override],
    /// What differs from the set-up, as the system's worked examples write a position.
    pub position: Option<&'a str>,
    /// Which events the sides try: key=value. Without any, each possible event is looked at by itself.
    pub policies: &'a [Override],
    /// For how many months; without it, for half a year or what is left of the calendar.
    pub months: Option<usize>,
    /// Courses of events to be sampled beside the exact answer, and their seed.
    pub samples: Option<(u64, u64)>,
}

/// When events happen.
#[derive(Clone, PartialEq, Debug)]
pub struct EventOdds {
    /// What is asked about.
    pub title: String,
    /// What was made of the question: label and text.
    pub facts: Vec<(&'static str, String)>,
    /// The months, as dates.
    pub months: Vec<String>,
    /// The events.
    pub events: Vec<EventChance>,
    /// How many courses were sampled.
    pub samples: u64,
}

/// When one event happens.
#[derive(Clone, PartialEq, Debug)]
pub struct EventChance {
    /// The event as tables name it.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// The side that tries it, as tables name it.
    pub side: &'static str,
    /// The probability that it has happened by the end of each month of [`EventOdds::months`].
    pub by_month: Vec<f64>,
    /// How many samples came out so.
    pub seen: Vec<u64>,
}

/// The answer of a system that has nothing of the kind.
pub(super) fn has_none(system: &str, what: &str) -> Failure {
    Failure::input(format!("{system} has no {what}: there are no odds to tell"))
}
