//! An example file as it is written: what the systems share.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;
use toml::{Table, Value};

use crate::error::{LoadError, Problem, nearest};

/// Sides, nations or places with lists of names.
pub type Lists = BTreeMap<String, Vec<String>>;
/// Whole numbers by name.
pub type Numbers = BTreeMap<String, i32>;
/// Words by name.
pub type Names = BTreeMap<String, String>;

/// The position of an example, in the words of a system. What all positions of a file share is written once, at its
/// head: single values of an example replace it, lists are added to it.
pub trait Position: DeserializeOwned + Default + Clone {
    /// Overrides of the scenario.
    fn overrides(&self) -> Vec<String>;
    /// What the position lacks to mean something.
    fn fault(&self) -> Option<&'static str> {
        None
    }
}

/// A position on top of what the positions of its file share.
fn over(shared: &mut Table, own: Table) {
    for (key, value) in own {
        match (shared.get_mut(&key), value) {
            (Some(Value::Table(below)), Value::Table(value)) => over(below, value),
            (Some(Value::Array(all)), Value::Array(items)) => all.extend(items),
            (_, value) => {
                shared.insert(key, value);
            }
        }
    }
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields, bound = "P: DeserializeOwned + Default, E: DeserializeOwned + Default")]
pub(crate) struct File<P, E> {
    pub scenario: Option<String>,
    /// What all positions of the file share.
    #[serde(default, rename = "position")]
    _position: P,
    #[serde(default)]
    pub example: Vec<Example<P, E>>,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields, bound = "P: DeserializeOwned + Default, E: DeserializeOwned + Default")]
pub(crate) struct Example<P, E> {
    pub id: String,
    pub title: String,
    pub rules: Vec<String>,
    pub provenance: String,
    #[serde(rename = "note")]
    _note: Option<String>,
    pub scenario: Option<String>,
    #[serde(default)]
    pub position: P,
    #[serde(default, rename = "do")]
    orders: Vec<String>,
    #[serde(default)]
    dice: Vec<u32>,
    #[serde(default)]
    expect: E,
    #[serde(default)]
    step: Vec<Step<E>>,
}

impl<P, E: Clone + Default + PartialEq> Example<P, E> {
    /// Its steps: what stands in the example itself first, unless that says nothing.
    pub fn steps(&self) -> Vec<Step<E>> {
        let own = Step { orders: self.orders.clone(), dice: self.dice.clone(), expect: self.expect.clone() };
        let silent = own.orders.is_empty() && own.dice.is_empty() && own.expect == E::default();
        (!silent).then_some(own).into_iter().chain(self.step.iter().cloned()).collect()
    }
}

/// Decisions, the dice rolled in them, and what holds after them.
#[derive(Deserialize, Clone, Default, Debug)]
#[serde(deny_unknown_fields, default, bound = "E: DeserializeOwned + Default")]
pub struct Step<E> {
    /// Decisions in words.
    #[serde(rename = "do")]
    pub orders: Vec<String>,
    /// Faces in the order in which they are rolled; all must be used.
    pub dice: Vec<u32>,
    /// What must hold.
    pub expect: E,
}

/// A decision that must not be legal, and why.
#[derive(Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub struct Illegal {
    /// In words.
    #[serde(rename = "do")]
    pub order: String,
    /// Part of the reason.
    pub because: String,
}

/// Reads TOML; errors name the line, and for a key that means nothing the nearest that does.
pub(crate) fn parse<T: DeserializeOwned>(name: &str, text: &str) -> Result<T, LoadError> {
    toml::from_str(text).map_err(|error| {
        let line = error.span().map(|span| 1 + text[..span.start].matches('\n').count() as u32);
        LoadError::in_file(name, line, Problem::Syntax(with_suggestion(error.message().trim())))
    })
}

/// More of a position, written as TOML beside a description; nothing is the empty position.
///
/// # Errors
/// If it is malformed or has an unknown key.
pub fn position_beside<P: Position>(text: Option<&str>) -> Result<P, LoadError> {
    let Some(text) = text else { return Ok(P::default()) };
    toml::from_str(text).map_err(|error| {
        let fault = with_suggestion(error.message().trim());
        LoadError::new(Problem::Inconsistent(format!("position `{text}`: {fault}")))
    })
}

/// A message about an unknown key with the key that was meant instead of the list of all.
fn with_suggestion(message: &str) -> String {
    let Some((start, known)) = message.split_once(", expected ") else { return message.to_owned() };
    let quoted =
        |text: &str| -> Vec<String> { text.split('`').skip(1).step_by(2).map(str::to_owned).collect() };
    let near = match (start.strip_prefix("unknown field "), quoted(start).first()) {
        (Some(_), Some(key)) => nearest(key, quoted(known).iter().map(String::as_str)),
        _ => None,
    };
    near.map_or_else(|| message.to_owned(), |near| format!("{start}; did you mean `{near}`?"))
}

/// Reads a file.
pub(crate) fn read<P: Position, E: DeserializeOwned + Default + Clone + PartialEq>(
    name: &str,
    text: &str,
) -> Result<File<P, E>, LoadError> {
    let mut file: File<P, E> = parse(name, text)?;
    // Positions are laid one over the other as they are written: what a system's position consists of is its own
    // affair.
    let written: Table = parse(name, text)?;
    let position =
        |table: &Table| table.get("position").and_then(Value::as_table).cloned().unwrap_or_default();
    let examples = written.get("example").and_then(Value::as_array).into_iter().flatten();
    for (example, own) in file.example.iter_mut().zip(examples) {
        let mut whole = position(&written);
        over(&mut whole, own.as_table().map(position).unwrap_or_default());
        example.position = Value::Table(whole).try_into().map_err(|error: toml::de::Error| {
            LoadError::in_file(name, None, Problem::Inconsistent(error.message().trim().to_owned()))
        })?;
    }
    for (at, example) in file.example.iter().enumerate() {
        let wrong = |text: String| Err(LoadError::in_file(name, None, Problem::Inconsistent(text)));
        if file.example[..at].iter().any(|other| other.id == example.id) {
            return wrong(format!("the example `{}` stands there twice", example.id));
        }
        if example.steps().is_empty() {
            return wrong(format!("the example `{}` does and expects nothing", example.id));
        }
        if let Some(fault) = example.position.fault() {
            return wrong(format!("the example `{}` {fault}", example.id));
        }
    }
    Ok(file)
}
