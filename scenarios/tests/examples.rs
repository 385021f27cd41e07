//! The worked examples hold, and would say so if they did not.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use sandtable_scenarios::{ExampleReport, embedded_examples, rules_coverage, run_example_text};

/// Systems, and fewer examples than each has.
const SYSTEMS: [(&str, usize); 2] = [("blitzwar", 90), ("victory-in-europe", 150)];

/// What came of the examples of a system, run once.
fn reports(system: &str) -> &'static [ExampleReport] {
    static REPORTS: [OnceLock<Vec<ExampleReport>>; 2] = [const { OnceLock::new() }; 2];
    let at = SYSTEMS.iter().position(|(known, _)| *known == system).unwrap();
    REPORTS[at].get_or_init(|| {
        let files = embedded_examples(system).into_iter();
        files
            .flat_map(|(file, text)| run_example_text(file, text).unwrap_or_else(|error| panic!("{error}")))
            .collect()
    })
}

#[test]
fn every_worked_example_holds() {
    let mut failures = Vec::new();
    for (system, _) in SYSTEMS {
        failures.extend(reports(system).iter().filter(|report| !report.passed).map(|report| {
            let what = report.failures.join("\n    ");
            format!("{system}, {}, {} ({}):\n    {what}", report.file, report.id, report.title)
        }));
    }
    assert!(failures.is_empty(), "{} examples fail\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn identifiers_are_unique_and_rules_exist() {
    for (system, count) in SYSTEMS {
        let rules = rules_coverage(system).unwrap();
        let mut seen = BTreeSet::new();
        for report in reports(system) {
            let at = format!("{system}, {}, {}", report.file, report.id);
            assert!(seen.insert(report.id.clone()), "{at} stands there twice");
            for rule in &report.rules {
                assert!(rules.iter().any(|known| known.rule == *rule), "{at}: there is no rule {rule}");
            }
            let known = report.provenance == "derived" || report.provenance.starts_with("rulebook ");
            assert!(known, "{at}: provenance `{}`", report.provenance);
        }
        assert!(seen.len() > count, "{system}: {} examples", seen.len());
    }
}

/// The examples of the specification are there, by number.
#[test]
fn every_example_of_the_rulebook_is_worked() {
    let has = |system: &str, id: &str| reports(system).iter().any(|report| report.id == id);
    // There is no twentieth.
    for number in (1..=37).filter(|&number| number != 20) {
        let id = format!("E-{number:02}");
        assert!(has("victory-in-europe", &id), "{id}");
    }
    assert!(has("blitzwar", "A1"));
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
    let proofs: BTreeMap<&str, &[String]> =
        reports(covered.system).iter().map(|report| (report.id.as_str(), report.rules.as_slice())).collect();
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
            match proofs.get(example.as_str()) {
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
            "`attack vitebsk`: expected to be illegal because `snow`, found `no enemy corps are there (16.1)`",
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
        ("title =", "titel =", "small.toml:6: unknown field `titel`; did you mean `title`?"),
        ("dice = [4]", "dice = [4", "small.toml:"),
        ("barbarossa-1941", "barbarosa-1941", "did you mean `blitzwar/barbarossa-1941`?"),
    ] {
        let error = run_example_text("small.toml", &SMALL.replace(from, to)).unwrap_err().to_string();
        assert!(error.contains(message), "{to}: {error}");
    }
}

const SMALL_VIE: &str = r#"
scenario = "victory-in-europe/stalingrad-1942"

[[example]]
id = "X"
title = "A battle"
rules = ["5.3"]
provenance = "derived"
position = { turn = 13, first = "axis", phase = "combat", units = ["voronezh: ger_pz_2a 3 came from kursk, ussr infantry 4"], attacks = { axis = ["voronezh"] } }
do = ["fight voronezh", "fire army with ger_pz_2a"]
dice = [2, 3, 6]
expect.units = ["voronezh: ger panzer 3, su_inf4_1 3"]
expect.fired = [{ unit = "ger_pz_2a", at = "army", fire = 2, dice = 3, hits = 1 }]
expect.illegal = [{ do = "fire air", because = "nothing to fire at" }]
"#;

/// What a changed example says.
fn failure_vie(from: &str, to: &str) -> String {
    assert!(SMALL_VIE.contains(from), "{from}");
    let reports = run_example_text("small.toml", &SMALL_VIE.replace(from, to)).unwrap();
    assert!(!reports[0].passed, "`{to}` should fail");
    reports[0].failures.join("\n")
}

#[test]
fn a_damaged_example_of_victory_in_europe_says_what_was_expected_and_found() {
    let reports = run_example_text("small.toml", SMALL_VIE).unwrap();
    assert!(reports[0].passed, "{}", reports[0].failures.join("\n"));
    for (from, to, message) in [
        ("[2, 3, 6]", "[2, 3]", "dice: roll 3 was asked for but not written"),
        ("[2, 3, 6]", "[2, 3, 7]", "dice: roll 3 is 7, on a die of 6 faces"),
        ("[2, 3, 6]", "[2, 3, 6, 1]", "dice: 1 of 4 rolls were not used"),
        ("su_inf4_1 3\"]", "su_inf4_1 4\"]", "voronezh: expected ger panzer 3, su_inf4_1 4, found"),
        ("su_inf4_1 3\"]", "su_inf4_1 3, su_para 1\"]", "voronezh: expected"),
        ("hits = 1", "hits = 2", "shot 1 (ger_pz_2a), hits: expected 2, found 1"),
        ("at = \"army\"", "at = \"air\"", "shot 1 (ger_pz_2a), target: expected aircraft, found armies"),
        (
            "because = \"nothing to fire at\"",
            "because = \"winter\"",
            "`fire air`: expected to be illegal because `winter`, found `nothing to fire at`",
        ),
        ("do = \"fire air\"", "do = \"fire army\"", "`fire army`: expected to be illegal, but it is legal"),
        ("fire army with ger_pz_2a", "fire air with ger_pz_2a", "not legal: nothing to fire at"),
        ("fire army with ger_pz_2a", "fire army with ger_pz_1a", "there is no ger_pz_1a"),
        ("\"fight voronezh\"", "\"fihgt voronezh\"", "did you mean `fight`?"),
        ("\"fight voronezh\"", "\"fight voronesh\"", "did you mean `voronezh`?"),
        ("ussr infantry 4", "ussr infntry 4", "did you mean `infantry`?"),
        ("ussr infantry 4", "ger_pz_2b 4", "did you mean `ger_pz_2a`?"),
        ("ussr infantry 4", "ussr infantry 5", "no infantry of 5 steps of the USSR is left"),
        ("ger_pz_2a 3 came", "ger_pz_2a 4 came", "it has 1 to 3 steps"),
        ("phase = \"combat\"", "phase = \"combatt\"", "did you mean `combat`?"),
    ] {
        let found = failure_vie(from, to);
        assert!(found.contains(message), "{to}: {found}");
    }
}

#[test]
fn a_malformed_file_of_victory_in_europe_is_an_error_with_its_line() {
    for (from, to, message) in [
        ("expect.fired", "expect.fried", "small.toml:13: unknown field `fried`; did you mean `fired`?"),
        ("turn = 13", "trun = 13", "unknown field `trun`; did you mean `turn`?"),
        ("stalingrad-1942", "stalingrad-1924", "did you mean `victory-in-europe/stalingrad-1942`?"),
        ("victory-in-europe/", "victory-in-eurpoe/", "did you mean `victory-in-europe/stalingrad-1942`?"),
        ("scenario = \"victory-in-europe/stalingrad-1942\"", "", "`scenario` is missing"),
        ("turn = 13", "set = [\"charts.battle_cn=2\"], turn = 13", "did you mean `charts.battle_cm`?"),
    ] {
        let error = run_example_text("small.toml", &SMALL_VIE.replace(from, to)).unwrap_err().to_string();
        assert!(error.contains(message), "{to}: {error}");
    }
}

/// An example sees a rule that is broken: here the numbers it reads.
#[test]
fn an_example_fails_where_a_rule_is_changed() {
    for (set, message) in [
        ("unit_types.panzer.fire=3", "firepower: expected 2, found 3"),
        ("unit_types.panzer.class=D", "it is the turn of su_inf4_1"),
        ("areas.voronezh.terrain=mountain", "voronezh: expected"),
    ] {
        let to = format!("set = [\"{set}\"], turn = 13");
        let found = failure_vie("turn = 13", &to);
        assert!(found.contains(message), "{set}: {found}");
    }
}

#[test]
fn battles_are_taken_from_examples_and_words() {
    use sandtable_scenarios::victory_in_europe::example::{
        BattleText, battles_in, described_battle, example_battle,
    };
    assert_eq!(battles_in("small.toml", SMALL_VIE).unwrap(), [("X".to_owned(), 1)]);
    let battle = example_battle("small.toml", SMALL_VIE, "X", 1).unwrap();
    assert_eq!(battle.game.place_name(battle.place), "Voronezh");
    let error = example_battle("small.toml", SMALL_VIE, "X", 2).err().unwrap().to_string();
    assert!(error.contains("it has no battle 2, only one"), "{error}");
    let error = example_battle("small.toml", SMALL_VIE, "Y", 1).err().unwrap().to_string();
    assert!(error.contains("`Y` is not an example of the file"), "{error}");

    // The same in words: the position is that of the example.
    let text = BattleText {
        scenario: "victory-in-europe/stalingrad-1942".into(),
        attackers: vec!["kursk: ger_pz_2a 3".into()],
        defenders: "voronezh: ussr infantry 4".into(),
        turn: Some(13),
        ..BattleText::default()
    };
    let described = described_battle(&text).unwrap();
    let look = |battle: &sandtable_scenarios::victory_in_europe::example::Battle| {
        let stack = battle.state.stack(battle.place);
        stack.map(|unit| (unit, battle.state.steps(unit), battle.state.via(unit))).collect::<Vec<_>>()
    };
    assert_eq!(look(&described), look(&battle));
    assert_eq!(described.attacker, battle.attacker);
    // Invaders come from a sea zone, ships and aircraft from where they start.
    let landing = BattleText {
        attackers: vec![
            "english_channel: ger_inf_4a 3, ger_ldr_manstein 2".into(),
            "brest: ger_ca 3".into(),
            "le_havre: ger_fa_fw190 2".into(),
        ],
        defenders: "southampton: gb_inf_bef 2, gb_ca_1 2".into(),
        ..text.clone()
    };
    let landing = described_battle(&landing).unwrap();
    let unit = |id: &str| landing.game.unit(id).unwrap();
    let invades = sandtable_victory_in_europe::state::mark::INVADES;
    assert!(landing.state.has_mark(unit("ger_inf_4a"), invades));
    assert!(!landing.state.has_mark(unit("ger_fa_fw190"), invades));
    for (attackers, defenders, message) in [
        ("kursk: spa_inf_1a 2", "voronezh: ussr infantry 4", "Spain is on no side here"),
        ("kursk: ger_pz_2a 3", "voronezh: ger_inf_2a 2", "fight on the same side"),
        ("kursk: ger_pz_2a 3", "voronezh:", "nobody defends voronezh"),
        ("kursk", "voronezh: ussr infantry 4", "`place: unit, unit` is expected"),
    ] {
        let text =
            BattleText { attackers: vec![attackers.into()], defenders: defenders.into(), ..text.clone() };
        let error = described_battle(&text).err().unwrap().to_string();
        assert!(error.contains(message), "{attackers} {defenders}: {error}");
    }
}

#[test]
fn the_examples_of_the_readmes_hold() {
    for (system, _) in SYSTEMS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(system).join("examples/README.md");
        let text = fs::read_to_string(path).unwrap();
        let block = text.split("```toml").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
        for report in run_example_text("README.md", block).unwrap() {
            assert!(report.passed, "{system}: {}", report.failures.join("\n"));
        }
    }
}
