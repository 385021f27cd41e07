//! The worked examples hold, and would say so if they did not.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use sandtable_scenarios::{embedded_examples, rules_coverage, run_example_text};

#[test]
fn every_worked_example_holds() {
    let mut failures = Vec::new();
    for (file, text) in embedded_examples("blitzwar") {
        match run_example_text(file, text) {
            Ok(reports) => failures.extend(reports.iter().filter(|report| !report.passed).map(|report| {
                format!("{file}, {} ({}):\n    {}", report.id, report.title, report.failures.join("\n    "))
            })),
            Err(error) => failures.push(error.to_string()),
        }
    }
    assert!(failures.is_empty(), "{} examples fail\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn identifiers_are_unique_and_rules_exist() {
    let known: Vec<String> = rules_coverage("blitzwar").unwrap().into_iter().map(|rule| rule.rule).collect();
    let mut seen = BTreeSet::new();
    for (file, text) in embedded_examples("blitzwar") {
        for report in run_example_text(file, text).unwrap() {
            assert!(seen.insert(report.id.clone()), "{file}: {} stands there twice", report.id);
            for rule in &report.rules {
                assert!(known.contains(rule), "{file}, {}: there is no rule {rule}", report.id);
            }
            let known = report.provenance == "derived" || report.provenance.starts_with("rulebook ");
            assert!(known, "{file}, {}: provenance `{}`", report.id, report.provenance);
        }
    }
    assert!(seen.contains("A1") && seen.len() > 90, "{} examples", seen.len());
}

/// A system whose rules are all to be implemented and proven.
struct Covered {
    system: &'static str,
    /// Folders of its code.
    folders: [&'static str; 2],
    /// Rules of description, or of what no test can tell apart, that have no proof.
    unproven: &'static [&'static str],
}

const COVERED: [Covered; 2] = [
    Covered { system: "blitzwar", folders: ["blitzwar/src", "src/blitzwar"], unproven: &[] },
    Covered {
        system: "victory-in-europe",
        folders: ["victory-in-europe/src", "src/victory_in_europe"],
        unproven: &[],
    },
];

/// Where a rule lives and what proves it must be there.
#[test]
fn every_rule_names_code_that_exists_and_proof_that_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let sources =
        sources(&[root.join("../sim"), root.join("src"), root.join("tests"), root.join("../ai/src")]);
    let faults: Vec<String> = COVERED.iter().flat_map(|covered| faults_of(covered, &sources)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// What is wrong with the coverage of a system.
fn faults_of(covered: &Covered, sources: &[(PathBuf, String)]) -> Vec<String> {
    let mut proofs: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (file, text) in embedded_examples(covered.system) {
        for report in run_example_text(file, text).unwrap() {
            proofs.insert(report.id, report.rules);
        }
    }
    let mut faults = Vec::new();
    for rule in rules_coverage(covered.system).unwrap() {
        let name = &format!("{}, {}", covered.system, rule.rule);
        if !rule.is_implemented() {
            faults.push(format!("{name}: no code"));
        }
        if rule.is_proven() == covered.unproven.contains(&rule.rule.as_str()) {
            faults.push(format!("{name}: no proof, or proof of what is said to have none"));
        }
        for code in &rule.code {
            let (module, item) = code.rsplit_once("::").unwrap_or((code, ""));
            let file = format!("{}.rs", module.replace("::", "/"));
            let found = sources.iter().any(|(path, text)| {
                let here = covered.folders.iter().any(|folder| path.ends_with(Path::new(folder).join(&file)));
                here && (item.is_empty() || defines(text, item))
            });
            if !found {
                faults.push(format!("{name}: there is no `{code}`"));
            }
        }
        for example in &rule.examples {
            match proofs.get(example) {
                None => faults.push(format!("{name}: there is no example `{example}`")),
                Some(rules) if !rules.contains(&rule.rule) => {
                    faults.push(format!("{name}: example `{example}` is about {}", rules.join(", ")));
                }
                Some(_) => {}
            }
        }
        for test in &rule.tests {
            if !sources.iter().any(|(_, text)| text.contains(&format!("fn {test}("))) {
                faults.push(format!("{name}: there is no test `{test}`"));
            }
        }
    }
    faults
}

/// Whether a source defines a function, type or constant.
fn defines(text: &str, item: &str) -> bool {
    ["fn", "struct", "enum", "const", "mod"].iter().any(|word| {
        [' ', '(', '<', ':', '{', ';'].iter().any(|end| text.contains(&format!("{word} {item}{end}")))
    })
}

fn sources(folders: &[PathBuf]) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for folder in folders {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                found.extend(sources(&[path]));
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                found.push((path.clone(), fs::read_to_string(&path).unwrap()));
            }
        }
    }
    found
}

const SMALL: &str = r#"
scenario = "blitzwar/barbarossa-1941"

[[example]]
id = "X"
title = "A Blitz"
rules = ["16.2"]
provenance = "derived"
position = { turn = 25, side = "axis", phase = "blitz", control = { axis = ["bialystok"] }, dates = { east_attack = 15, axis_soviet_war = 15 }, units = ["bialystok: ger I1C2 activated", "minsk: ussr I2"] }
do = ["attack minsk"]
dice = [4]
expect.battle = { odds = "3-2", column = "2-1", result = "0/1" }
expect.units = ["minsk: ussr I1"]
expect.illegal = [{ do = "attack vitebsk", because = "no enemy corps are there" }]
"#;

/// What a changed example says.
fn failure(from: &str, to: &str) -> String {
    assert!(SMALL.contains(from));
    let reports = run_example_text("small.toml", &SMALL.replace(from, to)).unwrap();
    assert!(!reports[0].passed, "`{to}` should fail");
    reports[0].failures.join("\n")
}

#[test]
fn an_example_that_does_not_hold_says_what_was_expected_and_found() {
    assert!(run_example_text("small.toml", SMALL).unwrap()[0].passed);
    for (from, to, message) in [
        ("minsk: ussr I1\"]", "minsk: ussr I2\"]", "units: minsk: expected ussr I2, found ussr I1"),
        ("result = \"0/1\"", "result = \"1/1\"", "battle, result: expected 1/1, found 0/1"),
        ("column = \"2-1\"", "column = \"3-1\"", "battle, column: expected 3-1, found 2-1"),
        ("dice = [4]", "dice = [4, 5]", "dice: 1 of 2 rolls were not used"),
        ("dice = [4]", "dice = []", "dice: roll 1 was asked for but not written"),
        ("dice = [4]", "dice = [7]", "dice: roll 1 is 7, on a die of 6 faces"),
        (
            "because = \"no enemy corps are there\"",
            "because = \"snow\"",
            "`attack vitebsk`: expected to be illegal because `snow`, found `no enemy corps are there`",
        ),
        (
            "do = [\"attack minsk\"]",
            "do = [\"attack vitebsk\"]",
            "`attack vitebsk`: not legal: no enemy corps are there",
        ),
        ("do = [\"attack minsk\"]", "do = [\"attack minks\"]", "did you mean `minsk`?"),
        ("do = [\"attack minsk\"]", "do = [\"atack minsk\"]", "did you mean `attack`?"),
        ("ger I1C2 activated", "ger I9", "no German counter"),
    ] {
        let found = failure(from, to);
        assert!(found.contains(message), "{to}: {found}");
    }
}

#[test]
fn a_malformed_file_is_an_error_with_its_line() {
    for (from, to, message) in [
        ("title =", "titel =", "small.toml:6: unknown field `titel`"),
        ("dice = [4]", "dice = [4", "small.toml:"),
        ("barbarossa-1941", "barbarosa-1941", "did you mean `blitzwar/barbarossa-1941`?"),
    ] {
        let error = run_example_text("small.toml", &SMALL.replace(from, to)).unwrap_err().to_string();
        assert!(error.contains(message), "{to}: {error}");
    }
}
