//! Overrides: single values set by their path, from the command line or from an experiment file.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use toml::{Table, Value};

use crate::error::{LoadError, Problem, nearest};
use crate::tree::{Tree, show};

/// A value set by its path, as in `combat.modifiers.armour=2`.
///
/// The parts of a path are the keys of the data tree; elements of a list are numbered from 0. A path may stop at a
/// table that has a `value` (`options.final_check=true`).
#[derive(Clone, PartialEq, Debug)]
pub struct Override {
    /// Dotted path.
    pub path: String,
    /// New value; once applied, in the type of the value it replaces.
    pub value: Value,
    /// The value as the command line had it: text for where text is wanted.
    literal: Option<String>,
}

impl Override {
    /// From `path=value`. The value is read as TOML where it can be (`3`, `-1`, `0.5`, `true`, `["a", "b"]`), else as
    /// text.
    ///
    /// # Errors
    /// If there is no `=`, or no path before it.
    pub fn parse(text: &str) -> Result<Override, LoadError> {
        let wrong = || {
            LoadError::new(Problem::WrongType {
                found: format!("`{text}`"),
                expected: "`path=value`, as in `combat.modifiers.armour=2`".into(),
            })
        };
        let (path, literal) = text.split_once('=').ok_or_else(wrong)?;
        let (path, literal) = (path.trim(), literal.trim());
        if path.is_empty() {
            return Err(wrong());
        }
        Ok(Override::new(path, literal))
    }

    /// Sets a path to a value as the command line would have it.
    pub fn new(path: impl Into<String>, value: &str) -> Override {
        let literal = value.trim();
        let parsed = toml::from_str::<Table>(&format!("value = {literal}")).ok();
        let value = parsed
            .filter(|table| table.len() == 1)
            .and_then(|mut table| table.remove("value"))
            .unwrap_or_else(|| Value::String(literal.to_owned()));
        Override { path: path.into(), value, literal: Some(literal.into()) }
    }

    /// The value as it was written.
    pub fn text(&self) -> Cow<'_, str> {
        match &self.literal {
            Some(literal) => Cow::Borrowed(literal),
            None => Cow::Owned(self.value.to_string()),
        }
    }

    /// From a table of an experiment file. Keys may be nested or dotted: both `combat.modifiers.armour = 2` and
    /// `"combat.modifiers.armour" = 2` set the same value.
    pub fn from_table(table: &Table) -> Vec<Override> {
        fn collect(prefix: &str, table: &Table, found: &mut Vec<Override>) {
            for (key, value) in table {
                let path = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
                match value {
                    Value::Table(below) => collect(&path, below, found),
                    _ => found.push(Override { path, value: value.clone(), literal: None }),
                }
            }
        }
        let mut found = Vec::new();
        collect("", table, &mut found);
        found
    }

    /// The new value as the type of the old one.
    fn typed(&self, old: &Value, path: &str) -> Result<Value, LoadError> {
        let expected = match (old, &self.value) {
            (Value::Integer(_), Value::Integer(_))
            | (Value::Float(_), Value::Float(_))
            | (Value::Boolean(_), Value::Boolean(_)) => return Ok(self.value.clone()),
            (Value::Float(_), Value::Integer(number)) => return Ok(Value::Float(*number as f64)),
            (Value::Boolean(_), Value::String(word)) if word == "yes" || word == "no" => {
                return Ok(Value::Boolean(word == "yes"));
            }
            (Value::String(_), Value::String(_)) => return Ok(self.value.clone()),
            (Value::String(_), _) if self.literal.is_some() => {
                return Ok(Value::String(self.literal.clone().unwrap_or_default()));
            }
            (Value::Array(old), Value::Array(new)) => {
                let fits = |new: &Value| old.first().is_none_or(|old| old.same_type(new));
                match new.iter().find(|new| !fits(new)) {
                    None => return Ok(self.value.clone()),
                    Some(_) => "a list of the same kind of value",
                }
            }
            (Value::Integer(_), _) => "a whole number",
            (Value::Float(_), _) => "a number",
            (Value::Boolean(_), _) => "true or false",
            (Value::Array(_), _) => "a list, as in [\"a\", \"b\"]",
            (Value::String(_), _) => "a text",
            (Value::Datetime(_), _) => "a date",
            (Value::Table(table), _) => {
                let keys: Vec<&str> = table.keys().take(6).map(String::as_str).collect();
                let expected = format!("a path that goes on to one of its values ({})", keys.join(", "));
                return Err(LoadError::at_path(
                    path,
                    Problem::WrongType { found: "a table".into(), expected },
                ));
            }
        };
        let problem = Problem::WrongType { found: show(&self.value), expected: expected.into() };
        Err(LoadError::at_path(path, problem))
    }
}

impl fmt::Display for Override {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.path, self.text())
    }
}

impl FromStr for Override {
    type Err = String;

    /// As [`Override::parse`], with a message for the command line.
    fn from_str(text: &str) -> Result<Override, String> {
        let wrong = "expected path=value, such as combat.modifiers.air_superiority=1";
        Override::parse(text).map_err(|_| wrong.to_owned())
    }
}

/// What may stand at a path that has no value yet: the value to start from.
pub type Template = fn(&Table, &[&str]) -> Option<Value>;

/// Makes the edits, in order, and gives each the value as it was stored.
pub(crate) fn apply(tree: &mut Tree, edits: &mut [Override], template: Template) -> Result<(), LoadError> {
    for edit in edits {
        let (path, old) =
            resolve(&tree.root, &edit.path, template).ok_or_else(|| unknown(tree, &edit.path))?;
        let value = edit.typed(&old, &path)?;
        let parts: Vec<&str> = path.split('.').collect();
        edit.value = value.clone();
        store(&mut tree.root, &parts, value, template);
        tree.mark_overridden(path);
    }
    Ok(())
}

/// The full path an override means, and the value there now.
fn resolve(root: &Table, path: &str, template: Template) -> Option<(String, Value)> {
    let parts: Vec<&str> = path.split('.').collect();
    let value = look(root, &parts).cloned().or_else(|| {
        // Not there: perhaps below something that may be made.
        (1..=parts.len()).find_map(|depth| {
            let (head, tail) = parts.split_at(depth);
            let fresh = look(root, head).is_none().then(|| template(root, head))??;
            tail.iter().try_fold(fresh, |value, part| match value {
                Value::Table(mut table) => table.remove(*part),
                _ => None,
            })
        })
    })?;
    match &value {
        Value::Table(table) if table.contains_key("value") => {
            Some((format!("{path}.value"), table["value"].clone()))
        }
        _ => Some((path.to_owned(), value)),
    }
}

/// Puts a value at a path that [`resolve`] has found.
fn store(root: &mut Table, parts: &[&str], value: Value, template: Template) {
    // Templates read the tree, so missing tables are made before the walk.
    for depth in 1..parts.len() {
        if look(root, &parts[..depth]).is_none()
            && let Some(fresh) = template(root, &parts[..depth])
            && let Some(Value::Table(above)) = look_mut(root, &parts[..depth - 1])
        {
            above.insert(parts[depth - 1].to_owned(), fresh);
        }
    }
    let Some((last, above)) = parts.split_last() else { return };
    match look_mut(root, above) {
        Some(Value::Table(table)) => {
            table.insert((*last).to_owned(), value);
        }
        Some(Value::Array(items)) => {
            if let Some(item) = last.parse::<usize>().ok().and_then(|at| items.get_mut(at)) {
                *item = value;
            }
        }
        Some(_) => {}
        None => {
            root.insert((*last).to_owned(), value);
        }
    }
}

fn look<'t>(root: &'t Table, parts: &[&str]) -> Option<&'t Value> {
    let (first, rest) = parts.split_first()?;
    rest.iter().try_fold(root.get(*first)?, |value, part| match value {
        Value::Table(table) => table.get(*part),
        Value::Array(items) => items.get(part.parse::<usize>().ok()?),
        _ => None,
    })
}

fn look_mut<'t>(root: &'t mut Table, parts: &[&str]) -> Option<&'t mut Value> {
    let (first, rest) = parts.split_first()?;
    rest.iter().try_fold(root.get_mut(*first)?, |value, part| match value {
        Value::Table(table) => table.get_mut(*part),
        Value::Array(items) => items.get_mut(part.parse::<usize>().ok()?),
        _ => None,
    })
}

/// The error for a path that is not there: tries the most similar name part by part, then the most similar whole path.
fn unknown(tree: &Tree, path: &str) -> LoadError {
    let near = by_parts(&tree.root, path).or_else(|| {
        let mut paths = Vec::new();
        leaves("", &tree.root, &mut paths);
        // The last part says most about what was meant.
        let last = |path: &str| path.rsplit('.').next().unwrap_or_default().to_owned();
        let name = last(path);
        let likeness =
            |leaf: &str| strsim::jaro_winkler(path, leaf) + 2.0 * strsim::jaro_winkler(&name, &last(leaf));
        let scored = paths.into_iter().map(|leaf| (likeness(&leaf), leaf)).filter(|(score, _)| *score > 1.9);
        scored.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, leaf)| leaf)
    });
    LoadError::at_path(path, Problem::UnknownPath { near })
}

/// The key most like a name: one that contains it, else a near spelling; for a number among numbers, the closest.
fn similar_key(table: &Table, name: &str) -> Option<String> {
    let number = |key: &str| key.parse::<i64>().ok();
    if let Some(wanted) = number(name) {
        let keys = table.keys().filter_map(|key| Some((number(key)?.abs_diff(wanted), key)));
        return keys.min().map(|(_, key)| key.clone());
    }
    if let Some(key) = table.keys().find(|key| name.len() > 2 && key.contains(name)) {
        return Some(key.clone());
    }
    let key = nearest(name, table.keys().map(String::as_str))?;
    (strsim::normalized_damerau_levenshtein(name, &key) > 0.5).then_some(key)
}

fn by_parts(root: &Table, path: &str) -> Option<String> {
    let mut table = root;
    let mut found: Vec<String> = Vec::new();
    let mut parts = path.split('.').peekable();
    while let Some(part) = parts.next() {
        let key = if table.contains_key(part) { part.to_owned() } else { similar_key(table, part)? };
        let value = table.get(&key)?;
        found.push(key);
        match value {
            Value::Table(below) => table = below,
            _ => return parts.peek().is_none().then(|| found.join(".")),
        }
    }
    // The path stops at a table.
    Some(found.join("."))
}

fn leaves(prefix: &str, table: &Table, found: &mut Vec<String>) {
    for (key, value) in table {
        let path = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        match value {
            Value::Table(below) => leaves(&path, below, found),
            _ => found.push(path),
        }
    }
}
