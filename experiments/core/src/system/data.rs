//! What systems with data files have in common: opening and describing their scenarios, battles and policies of odds.

use std::fmt::Write;
use std::path::{Component, Path, PathBuf};

use sandtable_scenarios::example::battle::{BattleText, Battles, battles_in, example_battle};
use sandtable_scenarios::{AnySystem, System};

use crate::failure::{Failure, expected, nearest};
use crate::system::odds::{BattleSource, CombatRequest};
use crate::system::{Override, Scenario, Source};
use crate::table::{Column, Kind};

/// The kind of a column that holds one of these words.
pub fn words<T: AsRef<str>>(list: impl IntoIterator<Item = T>) -> Kind {
    Kind::Word(list.into_iter().map(|word| word.as_ref().to_owned()).collect())
}

/// A column of whole numbers.
pub fn count(name: &str, unit: &'static str, doc: &str) -> Column {
    Column::new(name, Kind::Int, unit, doc)
}

/// The name that the loader takes, and by which tables know the scenario.
///
/// A path is written in one way only, so that one scenario is not two in the tables: `copy`, `./copy` and `copy/` are
/// `./copy`. The beginning keeps readers of Hive's folders from taking a folder called `1940` for a number.
pub fn name_of(source: Source<'_>) -> String {
    match source {
        Source::Id(id) => id.to_owned(),
        Source::Path(path) => {
            let tidy: PathBuf = path.components().filter(|part| *part != Component::CurDir).collect();
            let is_below = matches!(tidy.components().next(), None | Some(Component::Normal(_)));
            if is_below { Path::new(".").join(tidy) } else { tidy }.display().to_string()
        }
    }
}

/// Opens a scenario: `game` makes the game of its rules, `knowledge` what agents know of it.
///
/// # Errors
/// [`Failure::Input`] if there is no such scenario, if its data or an override are wrong, or if `game` refuses its rules.
pub fn open<R, G, B>(
    system: &System<R>,
    source: Source<'_>,
    overrides: &[Override],
    game: impl Fn(R) -> Result<G, String>,
    knowledge: impl Fn(&G) -> B,
) -> Result<Scenario<G, B>, Failure> {
    let id = name_of(source);
    let loaded = system.open(&id, overrides)?;
    let hash = loaded.content_hash();
    let game = game(loaded.into_rules()).map_err(Failure::input)?;
    let knowledge = knowledge(&game);
    Ok(Scenario { id, hash, game, knowledge })
}

/// A scenario in figures, with the provenance of its facts.
pub fn describe<R>(system: &System<R>, name: &str, rules: &R) -> String {
    let mut text = (system.describe)(rules);
    // Writing to a string does not fail.
    if let Ok(counts) = system.provenance_counts(name) {
        let _ = writeln!(text, "\nProvenance of the facts");
        for count in counts {
            let (file, known, made) = (&count.file, count.rulebook, count.reconstructed);
            let _ = writeln!(text, "  {file:<20} {known:>5} rulebook {made:>5} reconstructed");
        }
    }
    text
}

/// The battle that is asked about, in the scenario `usual` if none is named. `amend` has the last word on a battle
/// that is described.
///
/// # Errors
/// [`Failure::Input`] if there is no such scenario or worked example, if the description does not fit the scenario, or if
/// `amend` fails.
pub fn battle<B: Battles>(
    request: &CombatRequest<'_>,
    usual: &str,
    amend: impl FnOnce(&mut BattleText) -> Result<(), Failure>,
) -> Result<B::Battle, Failure> {
    match &request.battle {
        BattleSource::Described(text) => {
            let mut text = BattleText {
                scenario: request.scenario.map_or_else(|| usual.to_owned(), name_of),
                overrides: request.overrides.to_vec(),
                attackers: text.attack.to_vec(),
                defenders: text.defend.to_owned(),
                others: text.others.to_vec(),
                position: text.position.map(str::to_owned),
                turn: text.turn,
                weather: text.weather.map(str::to_owned),
                terrain: text.terrain.map(str::to_owned),
            };
            amend(&mut text)?;
            Ok(B::describe(&text)?)
        }
        BattleSource::Example { file: Some((name, text)), id, nth } => {
            Ok(example_battle::<B>(name, text, id, *nth)?)
        }
        BattleSource::Example { file: None, id, nth } => {
            let mut ids = Vec::new();
            for (name, text) in B::system().examples() {
                let known = battles_in::<B>(name, text)?;
                if known.iter().any(|(other, _)| other == id) {
                    return Ok(example_battle::<B>(name, text, id, *nth)?);
                }
                ids.extend(known.into_iter().map(|(id, _)| id));
            }
            let near = nearest(id, ids.iter().map(String::as_str));
            let near = near.map_or(String::new(), |near| format!("; did you mean \"{near}\"?"));
            Err(Failure::input(format!("no worked example \"{id}\" with a battle{near}")))
        }
    }
}

/// A policy of a name that there is not; `given` is the part of its key that is wrong.
pub fn unknown_policy<'a>(
    policy: &Override,
    given: &str,
    names: impl IntoIterator<Item = &'a str> + Clone,
) -> Failure {
    Failure::input(format!("unknown policy \"{}\": {}", policy.path, expected(given, names)))
}

/// A policy of a value that it does not take: `names` says which it does.
pub fn wrong_policy(policy: &Override, names: &str) -> Failure {
    Failure::input(format!("policy {}=\"{}\": {names}", policy.path, policy.text()))
}

/// Which of these words a policy is set to, counted from 0.
///
/// # Errors
/// [`Failure::Input`] with the words, if it is none of them.
pub fn policy_value<'a>(
    policy: &Override,
    values: impl IntoIterator<Item = &'a str> + Clone,
) -> Result<usize, Failure> {
    let text = policy.text();
    let at = values.clone().into_iter().position(|known| known == text);
    at.ok_or_else(|| wrong_policy(policy, &expected(&text, values)))
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
