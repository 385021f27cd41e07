//! Where each fact comes from: the rulebook, or a reconstruction with its reason.

use toml::Value;

use crate::error::{LoadError, Problem, nearest};
use crate::tree::{Tree, path_of};

/// Facts of a file by provenance. A fact is a row of a CSV file or a table of a TOML file that states its provenance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProvenanceCount {
    /// File.
    pub file: String,
    /// Facts stated by the rulebook.
    pub rulebook: usize,
    /// Facts reconstructed, with a reason.
    pub reconstructed: usize,
}

const WORDS: [&str; 2] = ["rulebook", "reconstructed"];

/// Counts the facts of each file and checks that each states its basis: rule numbers, or a reason.
pub(crate) fn count(tree: &Tree, files: &[&str]) -> Result<Vec<ProvenanceCount>, LoadError> {
    let mut counts = Vec::new();
    for &file in files {
        let path = path_of(file);
        let mut parts = path.split('.');
        let first = parts.next().and_then(|part| tree.root.get(part));
        let value = parts.fold(first, |value, part| value.and_then(|value| value.get(part)));
        let mut count = ProvenanceCount { file: file.to_owned(), rulebook: 0, reconstructed: 0 };
        if let Some(value) = value {
            let others: Vec<String> =
                files.iter().filter(|other| **other != file).map(|other| path_of(other)).collect();
            walk(tree, &path, value, &others, &mut count)?;
        }
        counts.push(count);
    }
    Ok(counts)
}

/// Counts what lies at a path, but for what lies there from other files (`setup.units` below `setup`).
fn walk(
    tree: &Tree,
    path: &str,
    value: &Value,
    others: &[String],
    count: &mut ProvenanceCount,
) -> Result<(), LoadError> {
    if others.iter().any(|other| other == path) {
        return Ok(());
    }
    match value {
        Value::Array(items) => {
            for (at, item) in items.iter().enumerate() {
                walk(tree, &format!("{path}.{at}"), item, others, count)?;
            }
        }
        Value::Table(table) => {
            if let Some(provenance) = table.get("provenance") {
                let at = format!("{path}.provenance");
                match provenance.as_str() {
                    Some("rulebook") => count.rulebook += 1,
                    Some("reconstructed") => count.reconstructed += 1,
                    other => {
                        let value = other.unwrap_or_default().to_owned();
                        let near = nearest(&value, WORDS);
                        let what = "a provenance (rulebook, reconstructed)".into();
                        return Err(tree.error(&at, Problem::UnknownName { value, what, near }));
                    }
                }
                if table.get("basis").and_then(Value::as_str).is_none_or(|basis| basis.trim().is_empty()) {
                    let problem = Problem::Inconsistent(
                        "the fact needs a `basis`: rule numbers, or the reason of a reconstruction".into(),
                    );
                    return Err(tree.error(path, problem));
                }
            }
            for (key, value) in table {
                if value.is_table() || value.is_array() {
                    walk(tree, &format!("{path}.{key}"), value, others, count)?;
                }
            }
        }
        _ => {}
    }
    Ok(())
}
