//! An example file as it is written: what the systems share.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::error::{LoadError, Problem, nearest};

/// Sides, nations or places with lists of names.
pub(crate) type Lists = BTreeMap<String, Vec<String>>;

/// The position of an example, in the words of a system.
pub(crate) trait Position: DeserializeOwned + Default + Clone {
    /// This position on top of what the file's positions share: single values replace, lists are added.
    fn over(self, shared: &Self) -> Self;
    /// Overrides of the scenario.
    fn overrides(&self) -> Vec<String>;
    /// What the position lacks to mean something.
    fn fault(&self) -> Option<&'static str> {
        None
    }
}

/// Lists on top of lists.
pub(crate) fn add_lists(shared: &Lists, own: Lists) -> Lists {
    let mut all = shared.clone();
    for (key, list) in own {
        all.entry(key).or_default().extend(list);
    }
    all
}

/// A list on top of a list.
pub(crate) fn add_list(shared: &[String], own: Vec<String>) -> Vec<String> {
    shared.iter().cloned().chain(own).collect()
}

/// Values by key on top of others.
pub(crate) fn add_values<T: Clone>(
    shared: &BTreeMap<String, T>,
    own: BTreeMap<String, T>,
) -> BTreeMap<String, T> {
    let mut all = shared.clone();
    all.extend(own);
    all
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields, bound = "P: DeserializeOwned + Default, E: DeserializeOwned + Default")]
pub(crate) struct File<P, E> {
    pub scenario: Option<String>,
    /// What all positions of the file share.
    #[serde(default)]
    position: P,
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

#[derive(Deserialize, Clone, Default, Debug)]
#[serde(deny_unknown_fields, default, bound = "E: DeserializeOwned + Default")]
pub(crate) struct Step<E> {
    #[serde(rename = "do")]
    pub orders: Vec<String>,
    pub dice: Vec<u32>,
    pub expect: E,
}

/// A decision that must not be legal, and why.
#[derive(Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub(crate) struct Illegal {
    #[serde(rename = "do")]
    pub order: String,
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
pub(crate) fn position_beside<P: Position>(text: Option<&str>) -> Result<P, LoadError> {
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
    for example in &mut file.example {
        example.position = std::mem::take(&mut example.position).over(&file.position);
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
