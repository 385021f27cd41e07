//! `sandtable check`

use std::io::{Write, stdout};

use serde::Deserialize;

use crate::cli::CheckArgs;
use crate::failure::Failure;
use crate::files;
use crate::system::{AnySystem, find};

/// Where a file of worked examples names scenarios: for all its examples, or for each.
#[derive(Deserialize)]
struct Head {
    scenario: Option<String>,
    #[serde(default)]
    example: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    scenario: Option<String>,
}

pub(super) fn run(systems: &[Box<dyn AnySystem>], args: &CheckArgs) -> Result<(), Failure> {
    let mut out = stdout().lock();
    let (mut right, mut wrong) = (0, 0);
    let mut files = Vec::new();
    for path in &args.files {
        let text = files::read_text(path)
            .map_err(|error| Failure::input(format!("cannot read {}: {error}", path.display())))?;
        files.push((path.clone(), text));
    }
    if files.is_empty() {
        let own = systems.iter().flat_map(|system| system.examples());
        files.extend(own.map(|(name, text)| (name.into(), text.to_owned())));
    }
    for (path, text) in &files {
        let shown = path.display();
        let head: Head = toml::from_str(text).map_err(|error| Failure::input(format!("{shown}: {error}")))?;
        let named = head.scenario.or_else(|| head.example.into_iter().find_map(|entry| entry.scenario));
        let scenario = named.ok_or_else(|| {
            Failure::input(format!(
                "{shown}: no scenario is named: expected scenario = \"blitzwar/campaign-1939\" or the like"
            ))
        })?;
        let (system, _) = find(systems, &scenario)
            .map_err(|failure| Failure::input(format!("{shown}: scenario: {failure}")))?;
        for result in system.check(path, text)? {
            if result.passed {
                right += 1;
            } else {
                wrong += 1;
                writeln!(out, "{shown}: {}: {}", result.id, result.title)?;
                for fault in &result.failures {
                    writeln!(out, "    {fault}")?;
                }
            }
        }
    }
    writeln!(out, "{right} examples hold, {wrong} do not")?;
    if wrong > 0 {
        return Err(Failure::input(format!("{wrong} of {} worked examples do not hold", right + wrong)));
    }
    Ok(())
}
