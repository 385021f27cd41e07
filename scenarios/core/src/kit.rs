//! What the data, the loader and the worked examples of every system must keep, for their tests. Each check panics with
//! what it found; a system's test is a call with its own cases.
//!
//! ```text
//! check_scenarios, check_invariants                                      every scenario opens, and games of it keep the invariants
//! check_export, check_mutations, check_overrides    any data, any edit: loaded, or refused in words
//! check_faults, check_values, check_paths                           a table of cases, each with what the message says
//! check_content                                                     what plays alike has the same content
//! check_examples, check_damage, check_malformed                     worked examples hold, and would say if they did not
//! check_coverage, check_facts, check_rulings             rules name code and proofs, facts rules, rulings rules and proofs
//! ```
//!
//! [`example_tests`](crate::example_tests) and [`loader_tests`](crate::loader_tests) are the tests that need nothing but
//! numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use sandtable_core::kit::{self, KitOptions};
use sandtable_core::{Dice, Game, PlayContext, Rng64};

use crate::example::Vocabulary;
use crate::files::read_text;
use crate::{AnySystem, ExampleReport, LoadError, Override, Problem, RuleCoverage, Scenario, SourceFile};

/// A fresh folder below the system's one for temporary files, removed with this.
#[derive(Debug)]
pub struct Scratch(pub PathBuf);

impl Scratch {
    /// The folder's path; nothing is there yet.
    pub fn new(name: &str) -> Scratch {
        let name = format!("sandtable-scenarios-{}-{}", name.replace('/', "-"), std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        Scratch(path)
    }
    /// The path as the loader takes it.
    pub fn name(&self) -> &str {
        self.0.to_str().expect("a path in UTF-8")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A scenario with overrides.
///
/// # Errors
/// As [`System::open`](crate::System::open).
pub fn with<V: Vocabulary>(scenario: &str, edits: &[&str]) -> Result<Scenario<V::Rules>, LoadError> {
    let edits: Result<Vec<Override>, LoadError> = edits.iter().map(|edit| Override::parse(edit)).collect();
    V::system().open(scenario, &edits?)
}

/// What is wrong with a scenario with an override.
#[track_caller]
pub fn message<V: Vocabulary>(scenario: &str, edit: &str) -> String {
    match with::<V>(scenario, &[edit]) {
        Ok(_) => panic!("{edit} was taken"),
        Err(error) => error.to_string(),
    }
}

/// The files of a scenario, as an export writes them.
#[track_caller]
pub fn files<V: Vocabulary>(scenario: &str) -> Vec<SourceFile> {
    with::<V>(scenario, &[]).unwrap_or_else(|error| panic!("{error}")).files
}

/// The files of a scenario with the first occurrence of a text replaced in one of them.
#[track_caller]
pub fn edited<V: Vocabulary>(scenario: &str, file: &str, from: &str, to: &str) -> Vec<SourceFile> {
    let mut files = files::<V>(scenario);
    let file = files.iter_mut().find(|it| it.name == file).unwrap_or_else(|| panic!("no file {file}"));
    assert!(file.text.contains(from), "{}: {from}", file.name);
    file.text = file.text.replacen(from, to, 1);
    files
}

/// What is wrong with files.
#[track_caller]
pub fn fault_of<V: Vocabulary>(files: Vec<SourceFile>) -> String {
    match V::system().load("edited", files, &[]) {
        Ok(_) => panic!("the files were taken"),
        Err(error) => error.to_string(),
    }
}

/// Every embedded scenario opens by its name, says what it is, and the engine plays it.
#[track_caller]
pub fn check_scenarios<V: Vocabulary>(names: &[&str]) {
    let system = V::system();
    let listed = system.scenarios();
    let known: Vec<&str> = listed.iter().map(|listing| listing.name.as_str()).collect();
    let names: Vec<String> = names.iter().map(|name| format!("{}/{name}", system.id)).collect();
    assert_eq!(known, names);
    for listing in &listed {
        let scenario =
            with::<V>(&listing.name, &[]).unwrap_or_else(|error| panic!("{}: {error}", listing.name));
        assert_eq!((scenario.system(), scenario.name()), (system.id, listing.name.as_str()));
        assert!(!listing.title.is_empty() && !listing.summary.is_empty());
        assert!((system.describe)(scenario.rules()).starts_with(&listing.title), "{}", listing.name);
        let game = V::game(scenario.into_rules()).unwrap_or_else(|error| panic!("{}: {error}", listing.name));
        let start = game.initial(&mut PlayContext::silent(Rng64::stream(1939, 0, 0)));
        game.check(&start).unwrap_or_else(|error| panic!("{}: {error}", listing.name));
    }
    let misspelt = known[0].replacen(char::is_alphabetic, "", 1);
    for name in [misspelt.as_str(), known[0].rsplit('/').next().unwrap_or_default()] {
        let Err(error) = with::<V>(name, &[]) else { panic!("{name} was taken") };
        assert!(error.to_string().ends_with(&format!("did you mean `{}`?", known[0])), "{error}");
    }
}

/// Random games of a scenario with overrides keep the invariants of [`sandtable_core::kit`]. A game that does not is
/// left as a replay beside other temporary files.
#[track_caller]
pub fn check_invariants<V: Vocabulary>(scenario: &str, edits: &[&str], games: u64) {
    let rules = with::<V>(scenario, edits).unwrap_or_else(|error| panic!("{error}")).into_rules();
    let game = V::game(rules).unwrap_or_else(|error| panic!("{scenario}: {error}"));
    let options = KitOptions {
        games,
        seed: 1939,
        deep_every: 97,
        max_children: 24,
        max_decisions: 60_000,
        ..KitOptions::default()
    };
    match kit::run(&game, &options) {
        Ok(report) => println!("{scenario}: {report:?}"),
        Err(failure) => {
            let file = std::env::temp_dir().join(format!("{}.replay", scenario.replace('/', "-")));
            let kept = fs::write(&file, failure.replay.to_string());
            let place = kept.map_or_else(|error| error.to_string(), |()| file.display().to_string());
            panic!("{scenario}: {failure}\nreplay in {place}");
        }
    }
}

/// An exported scenario opens with the same content, overrides included; nothing is written over what is there.
#[track_caller]
pub fn check_export<V: Vocabulary>(name: &str, edits: &[&str])
where
    V::Rules: PartialEq + std::fmt::Debug,
{
    let system = V::system();
    let scratch = Scratch::new(&format!("export-{name}"));
    let scenario = with::<V>(name, edits).unwrap_or_else(|error| panic!("{error}"));
    scenario.export(&scratch.0).unwrap_or_else(|error| panic!("{error}"));
    let again = system.open(scratch.name(), &[]).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(again.content_hash(), scenario.content_hash());
    assert_eq!(again.rules(), scenario.rules());
    assert_eq!(again.provenance_counts(), scenario.provenance_counts());
    assert_eq!(again.system(), system.id);
    let plain = with::<V>(name, &[]).unwrap_or_else(|error| panic!("{error}"));
    assert_ne!(scenario.content_hash(), plain.content_hash());
    let files = |folder: &Path| -> BTreeMap<PathBuf, String> {
        let texts = all_files(folder).into_iter();
        texts.map(|path| (path.clone(), read_text(&path).unwrap_or_default())).collect()
    };
    let before = files(&scratch.0);
    let Err(error) = plain.export(&scratch.0) else { panic!("an export over another") };
    assert_eq!(*error.problem, Problem::NotEmpty);
    assert_eq!(files(&scratch.0), before);
}

/// The content of a scenario is another one after edits of its files that change play, `(file, from, to)`, and after
/// overrides, but not after edits of what does not; no two scenarios of a system have the same.
#[track_caller]
pub fn check_content<V: Vocabulary>(
    scenario: &str,
    alike: &[(&str, &str, &str)],
    unlike: &[(&str, &str, &str)],
    overrides: &[&str],
) {
    let system = V::system();
    let opened = |name: &str, edits: &[&str]| {
        with::<V>(name, edits).unwrap_or_else(|error| panic!("{error}")).content_hash()
    };
    let edited = |&(file, from, to): &(&str, &str, &str)| {
        let files = edited::<V>(scenario, file, from, to);
        system.load("edited", files, &[]).unwrap_or_else(|error| panic!("{error}")).content_hash()
    };
    let plain = opened(scenario, &[]);
    for edit in alike {
        assert_eq!(edited(edit), plain, "{edit:?}");
    }
    for edit in unlike {
        assert_ne!(edited(edit), plain, "{edit:?}");
    }
    for edit in overrides {
        assert_ne!(opened(scenario, &[edit]), plain, "{edit}");
    }
    let all: BTreeSet<u64> = system.scenarios().iter().map(|listing| opened(&listing.name, &[])).collect();
    assert_eq!(all.len(), system.scenarios().len(), "two scenarios have the same content");
}

/// Files with one text replaced by another are refused by a message that names the file and says what is expected:
/// `(file, from, to, expected)`.
#[track_caller]
pub fn check_faults<V: Vocabulary>(scenario: &str, cases: &[(&str, &str, &str, &str)]) {
    for (file, from, to, expected) in cases {
        let message = fault_of::<V>(edited::<V>(scenario, file, from, to));
        assert!(message.contains(expected), "{from} -> {to}: {message}");
        assert!(message.starts_with(file), "{from} -> {to}: {message}");
    }
}

/// Overrides are refused by a message that says what is expected: `(edit, expected)`.
#[track_caller]
pub fn check_values<V: Vocabulary>(scenario: &str, cases: &[(&str, &str)]) {
    for (edit, expected) in cases {
        let message = message::<V>(scenario, edit);
        assert!(message.contains(expected), "{edit}: {message}");
    }
}

/// A path that does not exist is refused with the nearest: `(edit, nearest)`.
#[track_caller]
pub fn check_paths<V: Vocabulary>(scenario: &str, cases: &[(&str, &str)]) {
    for (edit, nearest) in cases {
        let Err(error) = with::<V>(scenario, &[edit]) else { panic!("{edit} was taken") };
        let expected = Problem::UnknownPath { near: Some((*nearest).to_owned()) };
        assert_eq!(*error.problem, expected, "{edit}");
    }
}

/// Files that were damaged at random load or say why not; what loads can be described, and the engine takes it.
#[track_caller]
pub fn check_mutations<V: Vocabulary>(scenario: &str, cases: u64) {
    let system = V::system();
    let (original, mut taken) = (files::<V>(scenario), 0);
    for case in 0..cases {
        let mut dice = Rng64::stream(1939, case, 0);
        let mut files = original.clone();
        let count = files.len() as u32;
        let text = &mut files[dice.below(count) as usize].text;
        for _ in 0..=dice.below(3) {
            let number = match dice.below(2) {
                0 => i64::from(dice.below(303)) - 3,
                _ => i64::from(dice.below(u32::MAX)) << dice.below(32),
            };
            mutate(text, dice.below(6) as u8, dice.below(u32::MAX) as usize, number);
        }
        match system.load("damaged", files, &[]) {
            Ok(scenario) => {
                taken += 1;
                assert!(!(system.describe)(scenario.rules()).is_empty(), "case {case}");
                let game = V::game(scenario.into_rules());
                assert!(game.is_ok(), "case {case}: {}", game.err().unwrap_or_default());
            }
            Err(error) => assert!(!error.to_string().is_empty(), "case {case}"),
        }
    }
    // Otherwise the damage would be too great to find anything.
    assert!(0 < taken && taken < cases, "{taken} of {cases} damaged scenarios were taken");
}

/// An override of any path and value is made or refused.
pub fn check_overrides<V: Vocabulary>(scenario: &str, cases: u64) {
    const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz_.0123456789-";
    let paths: Vec<String> =
        files::<V>(scenario).iter().map(|file| crate::tree::path_of(&file.name)).collect();
    for case in 0..cases {
        let mut dice = Rng64::stream(1940, case, 0);
        let mut path = String::new();
        if dice.below(2) == 0 {
            path.clone_from(&paths[dice.below(paths.len() as u32) as usize]);
        }
        for _ in 0..dice.below(20) {
            path.push(char::from(LETTERS[dice.below(LETTERS.len() as u32) as usize]));
        }
        let value: String = (0..dice.below(12)).filter_map(|_| char::from_u32(dice.below(0x3000))).collect();
        if let Err(error) = with::<V>(scenario, &[&format!("{path}={value}")]) {
            assert!(!error.to_string().is_empty());
        }
    }
}

/// The tests of a loader that need nothing but a scenario: overrides that its export keeps, how often its files are damaged at
/// random, and how many overrides are tried.
#[macro_export]
macro_rules! loader_tests {
    ($vocabulary:ty, $scenario:expr, export: $edits:expr, damages: $damages:expr, overrides: $overrides:expr) => {
        #[test]
        fn an_exported_scenario_opens_with_the_same_content() {
            $crate::kit::check_export::<$vocabulary>($scenario, &$edits);
        }

        #[test]
        fn damaged_files_load_or_say_why_not() {
            $crate::kit::check_mutations::<$vocabulary>($scenario, $damages);
        }

        #[test]
        fn any_override_is_made_or_refused() {
            $crate::kit::check_overrides::<$vocabulary>($scenario, $overrides);
        }
    };
}

/// The tests of a system's worked examples that need nothing but how many there are at least, and what came of them:
/// `reports()`.
#[macro_export]
macro_rules! example_tests {
    ($vocabulary:ty, more_than: $more_than:expr) => {
        /// What came of the examples, run once.
        fn reports() -> &'static [$crate::ExampleReport] {
            static REPORTS: ::std::sync::OnceLock<Vec<$crate::ExampleReport>> = ::std::sync::OnceLock::new();
            REPORTS.get_or_init($crate::kit::reports::<$vocabulary>)
        }

        #[test]
        fn every_worked_example_holds() {
            $crate::kit::check_examples::<$vocabulary>(reports(), $more_than);
        }

        #[test]
        fn every_rule_names_code_that_exists_and_proof_that_exists() {
            $crate::kit::check_coverage::<$vocabulary>(env!("CARGO_MANIFEST_DIR"), reports());
        }

        #[test]
        fn the_example_of_the_readme_holds() {
            $crate::kit::check_readme::<$vocabulary>(env!("CARGO_MANIFEST_DIR"));
        }
    };
}

/// What came of all embedded examples.
#[track_caller]
pub fn reports<V: Vocabulary>() -> Vec<ExampleReport> {
    let system = V::system();
    let run = |(file, text)| system.run_examples(file, text).unwrap_or_else(|error| panic!("{error}"));
    system.examples().into_iter().flat_map(run).collect()
}

/// Every worked example holds, stands once, proves rules that exist and says where it comes from; there are more than
/// `more_than`.
#[track_caller]
pub fn check_examples<V: Vocabulary>(reports: &[ExampleReport], more_than: usize) {
    let rules = V::system().coverage().unwrap_or_else(|error| panic!("{error}"));
    let mut faults = Vec::new();
    let mut seen = BTreeSet::new();
    for report in reports {
        let at = format!("{}, {} ({})", report.file, report.id, report.title);
        if !report.passed {
            faults.push(format!("{at}:\n    {}", report.failures.join("\n    ")));
        }
        if !seen.insert(&report.id) {
            faults.push(format!("{at} stands there twice"));
        }
        for rule in report.rules.iter().filter(|rule| !rules.iter().any(|known| known.rule == **rule)) {
            faults.push(format!("{at}: there is no rule {rule}"));
        }
        if report.provenance != "derived" && !report.provenance.starts_with("rulebook ") {
            faults.push(format!("{at}: provenance `{}`", report.provenance));
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
    assert!(seen.len() > more_than, "{} examples", seen.len());
}

/// A file of one example holds; with one text replaced by another it does not, and says so: `(from, to, message)`.
#[track_caller]
pub fn check_damage<V: Vocabulary>(example: &str, cases: &[(&str, &str, &str)]) {
    let run = |text: &str| {
        let reports = V::system().run_examples("small.toml", text).unwrap_or_else(|error| panic!("{error}"));
        reports.into_iter().next().expect("an example")
    };
    let report = run(example);
    assert!(report.passed, "{}", report.failures.join("\n"));
    for (from, to, message) in cases {
        assert!(example.contains(from), "{from}");
        let report = run(&example.replace(from, to));
        assert!(!report.passed, "`{to}` should fail");
        let found = report.failures.join("\n");
        assert!(found.contains(message), "{to}: {found}");
    }
}

/// A file of examples with one text replaced by another is refused: `(from, to, message)`.
#[track_caller]
pub fn check_malformed<V: Vocabulary>(example: &str, cases: &[(&str, &str, &str)]) {
    for (from, to, message) in cases {
        assert!(example.contains(from), "{from}");
        let Err(error) = V::system().run_examples("small.toml", &example.replace(from, to)) else {
            panic!("`{to}` was taken")
        };
        assert!(error.to_string().contains(message), "{to}: {error}");
    }
}

/// The example in the `examples/README.md` of a system's crate holds.
#[track_caller]
pub fn check_readme<V: Vocabulary>(manifest_dir: &str) {
    let path = Path::new(manifest_dir).join("examples/README.md");
    let text = read_text(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let block = text.split("```toml").nth(1).and_then(|rest| rest.split("```").next()).expect("an example");
    check_damage::<V>(block, &[]);
}

/// Every numbered rule names code, examples and tests that exist, and at least one of the latter. Code is looked for in
/// `src` of the system's crates under `sim` and `scenarios`, tests in all of them and under `ai`.
#[track_caller]
pub fn check_coverage<V: Vocabulary>(manifest_dir: &str, reports: &[ExampleReport]) {
    let system = V::system();
    let sources = read_sources(manifest_dir, &["sim", "scenarios"]);
    let knowledge = read_sources(manifest_dir, &["ai"]);
    let code = Path::new(system.id).join("src");
    let proofs: BTreeMap<&str, &[String]> =
        reports.iter().map(|report| (report.id.as_str(), report.rules.as_slice())).collect();
    let mut faults = Vec::new();
    for rule in system.coverage().unwrap_or_else(|error| panic!("{error}")) {
        let name = &rule.rule;
        if !rule.is_implemented() {
            faults.push(format!("{name}: no code"));
        }
        if !rule.is_proven() {
            faults.push(format!("{name}: no proof"));
        }
        for place in &rule.code {
            let (module, item) = place.rsplit_once("::").unwrap_or((place, ""));
            let file = code.join(format!("{}.rs", module.replace("::", "/")));
            let here = |(path, text): &(PathBuf, String)| {
                path.ends_with(&file) && (item.is_empty() || defines(text, item))
            };
            if !sources.iter().any(here) {
                faults.push(format!("{name}: there is no `{place}`"));
            }
        }
        for example in &rule.examples {
            match proofs.get(example.as_str()) {
                None => faults.push(format!("{name}: there is no example `{example}`")),
                Some(rules) if !rules.contains(&rule.rule) => {
                    faults.push(format!("{name}: example `{example}` is about {}", rules.join(", ")));
                }
                Some(_) => {}
            }
        }
        for test in &rule.tests {
            if !has_test(sources.iter().chain(&knowledge), test) {
                faults.push(format!("{name}: there is no test `{test}`"));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Every ruling of `rulings.toml` names a rule that exists, stands in the basis of one where the catalogue has bases,
/// and names examples or tests that exist as what would fail if it were played otherwise; nothing else is called a ruling in a basis.
#[track_caller]
pub fn check_rulings<V: Vocabulary>(manifest_dir: &str, reports: &[ExampleReport]) {
    let rulings = V::system().rulings().unwrap_or_else(|error| panic!("{error}"));
    let rules = V::system().coverage().unwrap_or_else(|error| panic!("{error}"));
    let bases: BTreeMap<&str, Vec<&str>> =
        rules.iter().map(|rule| (rule.rule.as_str(), rulings_of(rule))).collect();
    let has_bases = rules.iter().any(|rule| rule.provenance.is_some());
    let sources = read_sources(manifest_dir, &["sim", "scenarios", "ai"]);
    let mut faults = Vec::new();
    if rulings.is_empty() {
        faults.push("there are no rulings".to_owned());
    }
    for ruling in &rulings {
        let id = &ruling.id;
        let said = [&ruling.question, &ruling.ruling, &ruling.reason].map(String::is_empty);
        let said = said.into_iter().chain([ruling.proofs.is_empty()]);
        for (key, missing) in ["question", "ruling", "reason", "proof"].into_iter().zip(said) {
            if missing {
                faults.push(format!("{id}: no {key}"));
            }
        }
        let stands = |rule: &String| {
            bases.get(rule.as_str()).is_some_and(|basis| !has_bases || basis.contains(&id.as_str()))
        };
        if !ruling.rules.iter().any(stands) {
            faults
                .push(format!("{id}: no rule, or no basis of one, of {} names it", ruling.rules.join(", ")));
        }
        for proof in &ruling.proofs {
            let example = reports.iter().any(|report| report.id == *proof);
            if !example && !has_test(&sources, proof) {
                faults.push(format!("{id}: there is no example and no test `{proof}`"));
            }
        }
    }
    for (rule, basis) in &bases {
        for id in basis.iter().filter(|id| rulings.iter().all(|ruling| ruling.id != **id)) {
            faults.push(format!("{rule}: there is no ruling `{id}`"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The rulings on which a rule stands: what follows `ruling` or `rulings` in its basis.
fn rulings_of(rule: &RuleCoverage) -> Vec<&str> {
    let basis = rule.provenance.as_ref().map_or("", |(_, basis)| basis.as_str());
    let named = basis
        .split("; ")
        .filter_map(|part| part.strip_prefix("rulings ").or_else(|| part.strip_prefix("ruling ")));
    named.flat_map(str::split_whitespace).collect()
}

/// Facts of CSV files that come from the rulebook name rules that exist, or else identifiers of `rulings.toml` if
/// `rulings`; there are more than `more_than`.
#[track_caller]
pub fn check_facts<V: Vocabulary>(rulings: bool, more_than: usize) {
    let system = V::system();
    let rules = system.coverage().unwrap_or_else(|error| panic!("{error}"));
    let rules: BTreeSet<&str> = rules.iter().map(|rule| rule.rule.as_str()).collect();
    let mut checked = 0;
    for listing in system.scenarios() {
        let files = files::<V>(&listing.name);
        let known: toml::Table = files
            .iter()
            .find(|file| rulings && file.name == "rulings.toml")
            .and_then(|file| toml::from_str(&file.text).ok())
            .unwrap_or_default();
        for spec in system.files.iter().filter(|spec| spec.sheet.is_some_and(|sheet| sheet.facts)) {
            let file = files.iter().find(|file| file.name == spec.name).expect("a file of the scenario");
            let mut reader = csv::ReaderBuilder::new().comment(Some(b'#')).from_reader(file.text.as_bytes());
            let head = reader.headers().expect("a head").clone();
            let column = |name: &str| head.iter().position(|known| known == name).expect("a column");
            let (provenance, basis) = (column("provenance"), column("basis"));
            for record in reader.records() {
                let record = record.expect("a row");
                if &record[provenance] == "rulebook" {
                    for rule in record[basis].split("; ") {
                        let exists = rules.contains(rule) || known.contains_key(rule);
                        assert!(exists, "{}, {}: `{rule}`", listing.name, file.name);
                        checked += 1;
                    }
                }
            }
        }
    }
    assert!(checked > more_than, "{checked} facts were checked");
}

/// Whether a source defines a function, type or constant.
fn defines(text: &str, item: &str) -> bool {
    ["fn", "struct", "enum", "const", "mod"].iter().any(|word| {
        [' ', '(', '<', ':', '{', ';'].iter().any(|end| text.contains(&format!("{word} {item}{end}")))
    })
}

/// The Rust sources below some folders of the workspace.
fn read_sources(manifest_dir: &str, rooms: &[&str]) -> Vec<(PathBuf, String)> {
    let root = Path::new(manifest_dir).join("../..");
    let files = rooms.iter().flat_map(|room| all_files(&root.join(room)));
    let files = files.filter(|path| path.extension().is_some_and(|ending| ending == "rs"));
    files.map(|path| (path.clone(), read_text(&path).unwrap_or_default())).collect()
}

/// Whether a test of a name stands in some sources: a function with the attribute, not another one of its name.
fn has_test<'a>(sources: impl IntoIterator<Item = &'a (PathBuf, String)>, name: &str) -> bool {
    let head = format!("fn {name}(");
    let is_test = |before: &str| {
        let lines = before.lines().rev().map(str::trim).skip_while(|line| line.is_empty());
        lines.take_while(|line| line.starts_with("#[")).any(|line| line == "#[test]")
    };
    sources.into_iter().any(|(_, text)| text.match_indices(&head).any(|(at, _)| is_test(&text[..at])))
}

/// All files below a folder.
fn all_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() { found.extend(all_files(&path)) } else { found.push(path) }
    }
    found.sort();
    found
}

/// A change to a text: kind, where, what.
fn mutate(text: &mut String, kind: u8, place: usize, number: i64) {
    if text.is_empty() {
        return;
    }
    let lines: Vec<&str> = text.lines().collect();
    match kind {
        0 => {
            let skip = place % lines.len();
            let kept: Vec<&str> =
                lines.iter().enumerate().filter(|(at, _)| *at != skip).map(|(_, line)| *line).collect();
            *text = kept.join("\n");
        }
        1 => {
            let twice = lines[place % lines.len()];
            *text = format!("{text}{twice}\n");
        }
        2 => {
            let cut = (0..=place % text.len()).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
            text.truncate(cut);
        }
        _ => {
            // Replaces a word by another word of the file, or by a number.
            let separators = |c: char| !(c.is_alphanumeric() || c == '_' || c == '-' || c == '.');
            let words: Vec<(usize, &str)> = text
                .split(separators)
                .filter(|word| !word.is_empty())
                .map(|word| (word.as_ptr() as usize - text.as_ptr() as usize, word))
                .collect();
            if words.is_empty() {
                return;
            }
            let (at, word) = words[place % words.len()];
            let other = match kind {
                3 => words[number.unsigned_abs() as usize % words.len()].1.to_owned(),
                4 => number.to_string(),
                _ => String::new(),
            };
            let range = at..at + word.len();
            text.replace_range(range, &other);
        }
    }
}
