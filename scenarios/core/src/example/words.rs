//! Names by their likeness, and comparisons.

use std::fmt::Display;

use super::format::Illegal;
use crate::error::nearest;

/// Names that a message lists when none of them is near to what was given.
const FEW: usize = 12;

/// The message for a name that is not known: the nearest, or all if they are few.
pub fn unknown<'a>(name: &str, what: &str, names: impl IntoIterator<Item = &'a str>) -> String {
    let names: Vec<&str> = names.into_iter().collect();
    match nearest(name, names.iter().copied()) {
        Some(near) => format!("`{name}` is not {what}; did you mean `{near}`?"),
        None if names.is_empty() || names.len() > FEW => format!("`{name}` is not {what}"),
        None => format!("`{name}` is not {what}: expected {}", names.join(", ")),
    }
}

/// The value of a name.
///
/// # Errors
/// Names the nearest, if it is none of them.
pub fn named<T>(name: &str, what: &str, list: impl Iterator<Item = (String, T)>) -> Result<T, String> {
    let mut names = Vec::new();
    for (known, value) in list {
        if known == name {
            return Ok(value);
        }
        names.push(known);
    }
    Err(unknown(name, what, names.iter().map(String::as_str)))
}

/// A line `place: unit, unit`.
///
/// # Errors
/// If there is no colon.
pub fn split_line(line: &str) -> Result<(&str, Vec<&str>), String> {
    let (place, units) =
        line.split_once(':').ok_or_else(|| format!("`{line}`: `place: unit, unit` is expected"))?;
    Ok((place.trim(), units.split(',').map(str::trim).filter(|unit| !unit.is_empty()).collect()))
}

/// Names as a list for people.
pub fn listed(names: &[String]) -> String {
    if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
}

/// Compares and collects what differs.
#[derive(Default)]
pub struct Findings {
    /// A line each.
    pub list: Vec<String>,
}

impl Findings {
    /// Compares a value with what was expected.
    pub fn same<T: PartialEq + Display>(&mut self, what: &str, expected: &T, found: &T) {
        if expected != found {
            self.list.push(format!("{what}: expected {expected}, found {found}"));
        }
    }
    /// Takes the value of a reading, or notes its error.
    pub fn take<T>(&mut self, read: Result<T, String>) -> Option<T> {
        read.map_err(|error| self.list.push(error)).ok()
    }
    /// Compares what is said of decisions with `fault`, which gives the reason why one is not legal.
    pub fn decisions(
        &mut self,
        legal: &[String],
        illegal: &[Illegal],
        fault: impl Fn(&str) -> Result<Option<String>, String>,
    ) {
        for phrase in legal {
            match fault(phrase) {
                Ok(None) => {}
                Ok(Some(reason)) => {
                    self.list.push(format!("`{phrase}`: expected to be legal, but {reason}"));
                }
                Err(error) => self.list.push(format!("`{phrase}`: {error}")),
            }
        }
        for Illegal { order: phrase, because } in illegal {
            match fault(phrase) {
                Ok(Some(reason)) if reason.contains(because.as_str()) && !because.is_empty() => {}
                Ok(Some(reason)) => self.list.push(format!(
                    "`{phrase}`: expected to be illegal because `{because}`, found `{reason}`"
                )),
                Ok(None) => self.list.push(format!("`{phrase}`: expected to be illegal, but it is legal")),
                Err(error) => self.list.push(format!("`{phrase}`: {error}")),
            }
        }
    }
}
