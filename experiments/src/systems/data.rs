//! What systems with data files have in common: opening, listing, describing and exporting their scenarios.

use std::path::{Component, Path, PathBuf};

use sandtable_scenarios::LoadError;

use crate::failure::{Failure, nearest};
use crate::files;
use crate::system::{ExampleResult, Override, RuleCoverage, ScenarioInfo, Source};
use crate::table::{Column, Kind};

/// The kind of a column that holds one of these words.
pub(super) fn words<T: AsRef<str>>(list: impl IntoIterator<Item = T>) -> Kind {
    Kind::Word(list.into_iter().map(|word| word.as_ref().to_owned()).collect())
}

/// A column of whole numbers.
pub(super) fn count(name: &str, unit: &'static str, doc: &str) -> Column {
    Column::new(name, Kind::Int, unit, doc)
}

/// A loader's complaint as the program's.
#[allow(clippy::needless_pass_by_value)] // taken by `map_err`
pub(super) fn refused(error: LoadError) -> Failure {
    Failure::input(error.to_string())
}

/// The name that the loader takes, and by which tables know the scenario.
///
/// A path is written in one way only, so that one scenario is not two in the tables: `copy`, `./copy` and `copy/` are `./copy`.
/// The beginning keeps readers of Hive's folders from taking a folder called `1940` for a number.
pub(super) fn name_of(source: Source<'_>) -> String {
    match source {
        Source::Id(id) => id.to_owned(),
        Source::Path(path) => {
            let tidy: PathBuf = path.components().filter(|part| *part != Component::CurDir).collect();
            let is_below = matches!(tidy.components().next(), None | Some(Component::Normal(_)));
            if is_below { Path::new(".").join(tidy) } else { tidy }.display().to_string()
        }
    }
}

/// Overrides as the loader takes them.
pub(super) fn edits(overrides: &[Override]) -> Result<Vec<sandtable_scenarios::Override>, Failure> {
    let parse = |edit: &Override| sandtable_scenarios::Override::parse(&edit.to_string());
    overrides.iter().map(parse).collect::<Result<_, _>>().map_err(refused)
}

/// Opens a scenario of a system.
pub(super) fn open(
    system: &str,
    name: &str,
    overrides: &[Override],
) -> Result<sandtable_scenarios::Scenario, Failure> {
    let loaded = sandtable_scenarios::open(name, &edits(overrides)?).map_err(refused)?;
    if loaded.system() == system {
        Ok(loaded)
    } else {
        Err(Failure::input(format!("{name} is a scenario of {}, not of {system}", loaded.system())))
    }
}

/// The battle of a worked example, of a file or of those that come with a system: `known` lists the examples of a file
/// with the number of their battles, `set_up` opens the one that is asked for.
pub(super) fn battle_of_example<B>(
    system: &str,
    file: Option<&(String, String)>,
    id: &str,
    known: impl Fn(&str, &str) -> Result<Vec<(String, usize)>, LoadError>,
    set_up: impl Fn(&str, &str) -> Result<B, LoadError>,
) -> Result<B, Failure> {
    if let Some((name, text)) = file {
        return set_up(name, text).map_err(refused);
    }
    let mut ids = Vec::new();
    for (name, text) in sandtable_scenarios::embedded_examples(system) {
        let known = known(name, text).map_err(refused)?;
        if known.iter().any(|(other, _)| other == id) {
            return set_up(name, text).map_err(refused);
        }
        ids.extend(known.into_iter().map(|(id, _)| id));
    }
    let near = nearest(id, ids.iter().map(String::as_str));
    let near = near.map_or(String::new(), |near| format!("; did you mean \"{near}\"?"));
    Err(Failure::input(format!("no worked example \"{id}\" with a battle{near}")))
}

/// The file that makes a folder a scenario.
const SETUP: &str = "setup.toml";

/// The scenarios of a system.
pub(super) fn scenarios(system: &str) -> Vec<ScenarioInfo> {
    sandtable_scenarios::list()
        .into_iter()
        .filter(|listed| listed.id == system)
        .flat_map(|listed| listed.scenarios)
        .map(|scenario| ScenarioInfo {
            id: scenario.name,
            summary: format!("{}: {}", scenario.title, scenario.summary),
        })
        .collect()
}

/// Whether a folder holds a scenario of a system. A folder whose set-up cannot be read or names no system that there is
/// belongs to all, so that the loader can say what is wrong.
pub(super) fn recognises(system: &str, path: &Path) -> bool {
    let Ok(text) = files::read_text_within(path, SETUP) else {
        return path.join(SETUP).symlink_metadata().is_ok();
    };
    let named = toml::from_str::<toml::Table>(&text).ok();
    let named = named.as_ref().and_then(|table| table.get("system")).and_then(toml::Value::as_str);
    let known = |id: &str| sandtable_scenarios::list().iter().any(|listed| listed.id == id);
    named.is_none_or(|id| id == system || !known(id))
}

/// A scenario in figures, with the provenance of its facts.
pub(super) fn describe(name: &str, figures: &impl std::fmt::Display) -> String {
    use std::fmt::Write;
    let mut text = figures.to_string();
    // Writing to a string does not fail.
    if let Ok(source) = sandtable_scenarios::open(name, &[]) {
        let _ = writeln!(text, "\nProvenance of the facts");
        for count in source.provenance_counts() {
            let (file, known, made) = (&count.file, count.rulebook, count.reconstructed);
            let _ = writeln!(text, "  {file:<20} {known:>5} rulebook {made:>5} reconstructed");
        }
    }
    text
}

/// The table of rules.
pub(super) fn coverage(system: &str) -> Option<Vec<RuleCoverage>> {
    let rows = sandtable_scenarios::rules_coverage(system).ok()?;
    let rows = rows.into_iter().map(|row| RuleCoverage {
        rule: row.rule,
        title: row.title,
        code: row.code.join(" "),
        proofs: row.examples.into_iter().chain(row.tests).collect(),
    });
    Some(rows.collect())
}

/// The worked examples of a system: names and texts.
pub(super) fn examples(system: &str) -> Vec<(String, String)> {
    let files = sandtable_scenarios::embedded_examples(system);
    files.into_iter().map(|(name, text)| (name.to_owned(), text.to_owned())).collect()
}

/// Runs a file of worked examples.
pub(super) fn check(path: &Path, text: &str) -> Result<Vec<ExampleResult>, Failure> {
    let reports =
        sandtable_scenarios::run_example_text(&path.display().to_string(), text).map_err(refused)?;
    let result = |report: sandtable_scenarios::ExampleReport| ExampleResult {
        name: format!("{}: {}", report.id, report.title),
        faults: report.failures,
    };
    Ok(reports.into_iter().map(result).collect())
}

/// Writes a scenario as a folder.
pub(super) fn export(scenario: &str, folder: &Path) -> Result<(), Failure> {
    let opened = sandtable_scenarios::open(scenario, &[]).map_err(refused)?;
    sandtable_scenarios::export(&opened, folder).map_err(refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_has_one_name() {
        let name = |path: &str| name_of(Source::Path(Path::new(path)));
        for path in ["1940", "./1940", "1940/", "././1940/."] {
            assert_eq!(name(path), "./1940");
        }
        assert_eq!(name("a//b/./c"), "./a/b/c");
        assert_eq!((name("../a"), name("/a/./b")), ("../a".to_owned(), "/a/b".to_owned()));
        assert_eq!(name("."), "./");
        assert_eq!(name_of(Source::Id("blitzwar/france-1940")), "blitzwar/france-1940");
    }
}
