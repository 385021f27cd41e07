//! `sandtable tune` as its users run it: what it finds, what it says, and the protocol for optimisers outside.

mod study;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};
use study::{Scratch, refused, sandtable, succeed};

const FRANCE: &str = "blitzwar/france-1940";

fn report(folder: &str) -> Value {
    serde_json::from_slice(&fs::read(Path::new(folder).join("tune.json")).unwrap()).unwrap()
}

#[test]
fn more_simulations_are_found_to_be_better_and_proven() {
    let scratch = Scratch::new();
    let (one, two) = (scratch.text("one"), scratch.text("two"));
    // That more simulations play better is known.
    let args = |out: &'static str| {
        move |folder: &str, threads: &str| {
            let text = "tune flat-mc:iterations=4 --scenario reference/connect-four --option iterations=2..60 \
                        --budget 3000 --runs 3 --method ntbea";
            let mut args: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
            args.extend(["--threads", threads, "--out", folder, out].map(str::to_owned));
            args
        }
    };
    let call = |args: Vec<String>| succeed(&args.iter().map(String::as_str).collect::<Vec<_>>());
    let page = call(args("--json")(&one, "1"));
    assert_eq!(serde_json::from_str::<Value>(&page).unwrap()["tune"], report(&one));
    call(args("--quiet")(&two, "3"));
    assert_eq!(report(&one), report(&two), "threads change no value");
    let report = report(&one);
    let found: u32 = report["best"]["iterations"].as_str().unwrap().parse().unwrap();
    assert!(found > 20, "{found}");
    assert_eq!(report["proof"]["gain"], true, "{report}");
    assert_eq!(report["proof"]["accepted"], "H1");
    assert!(fs::read_to_string(Path::new(&one).join("best.toml")).unwrap().contains("gain shown"));
}

#[test]
fn weights_are_written_as_data_that_an_agent_reads() {
    let scratch = Scratch::new();
    let out = scratch.text("out");
    let tune = ["tune", "scripted", "--scenario", FRANCE, "--side", "axis", "--budget", "120", "--runs", "2"];
    let page = succeed(&[&tune[..], &["--batch", "2", "--out", &out]].concat());
    assert!(page.contains("17 numbers") && page.contains("play-off") && page.contains("gain"), "{page}");
    let report = report(&out);
    // So few games cannot show a gain, and it says so.
    assert_ne!(report["proof"]["gain"], true);
    assert!(page.contains("no gain"), "{page}");
    let best = Path::new(&out).join("best.toml");
    let text = fs::read_to_string(&best).unwrap();
    assert!(text.contains("[axis]") && text.contains("kill = ") && !text.contains("[allied]"), "{text}");
    // The file plays the very games of its values, and other ones than the old values.
    let games = |agent: &str, name: &str| {
        let out = scratch.text(name);
        let args =
            ["play", FRANCE, "--agents", agent, "--games", "6", "--format", "csv", "--quiet", "--out", &out];
        succeed(&args);
        fs::read(Path::new(&out).join("games/part-00000.csv")).unwrap()
    };
    let best_values =
        report["candidates"].as_array().unwrap().iter().find(|line| !line["run"].is_null()).unwrap();
    let inline: Vec<String> = best_values["values"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, value)| format!("{name}:{}", value.as_str().unwrap()))
        .collect();
    let tables: String = inline.iter().fold("[axis]\n".to_owned(), |text, entry| {
        text + &entry.trim_start_matches("axis.").replace(':', " = ") + "\n"
    });
    let file = scratch.text("weights.toml");
    fs::write(&file, tables).unwrap();
    let from_file = games(&format!("scripted:weights={file}"), "file");
    assert_eq!(from_file, games(&format!("scripted:weights={}", inline.join("+")), "inline"));
    assert_ne!(from_file, games("scripted", "plain"));
    games(&format!("scripted:weights={}", best.display()), "best");
    refused(&["play", FRANCE, "--agents", "scripted:weights=axis.kil:1"], &["unknown weight", "axis.kill"]);
}

#[test]
fn a_scenario_is_moved_to_its_target() {
    let scratch = Scratch::new();
    let out = scratch.text("out");
    let text = "tune scenario blitzwar/france-1940 --knob combat.modifiers.german_attack=-4..4 \
                --target axis=0.5 --agents scripted --budget 500 --runs 2 --method ntbea --batch 4";
    let mut args: Vec<&str> = text.split_whitespace().collect();
    args.extend(["--out", &out]);
    let page = succeed(&args);
    assert!(page.contains("the target is") && page.contains("combat.modifiers.german_attack"), "{page}");
    let report = report(&out);
    let miss = |which: &str| (report["proof"][which]["value"].as_f64().unwrap() - 0.5).abs();
    assert!(miss("after") <= miss("before") + 0.1, "{report}");
    assert_eq!(report["proof"]["games"], 50);
    let best = fs::read_to_string(Path::new(&out).join("best.toml")).unwrap();
    let value = report["best"]["combat.modifiers.german_attack"].as_str().unwrap();
    assert!(best.contains(&format!("\"combat.modifiers.german_attack\" = {value}")), "{best}");
}

#[test]
fn an_optimiser_outside_asks_and_is_told() {
    let text = "tune mcts:iterations=30 --scenario reference/connect-four --option c=0.1..3 --option iterations=2..90 \
                --ask-tell --threads 2";
    let mut program = sandtable(&text.split_whitespace().collect::<Vec<_>>())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = program.stdin.take().unwrap();
    let mut lines = BufReader::new(program.stdout.take().unwrap()).lines();
    let mut next = || serde_json::from_str::<Value>(&lines.next().unwrap().unwrap()).unwrap();
    let space = next();
    assert_eq!(space["maximise"], "value");
    assert_eq!(
        space["space"],
        json!([
            { "name": "c", "kind": "real", "low": 0.1, "high": 3.0, "start": 0.5 },
            { "name": "iterations", "kind": "integer", "low": 2, "high": 90, "start": 30.0 },
        ])
    );
    let mut ask = |question: &str| {
        writeln!(input, "{question}").unwrap();
        next()
    };
    // Against itself an agent scores a half, with the same dice in both games of a pair exactly.
    let same = ask(r#"{"id": 1, "point": {}, "games": 20}"#);
    assert_eq!((&same["id"], &same["games"]), (&json!(1), &json!(20)));
    assert_eq!(same["value"], 0.5);
    let weak = ask(r#"{"id": "weak", "point": {"iterations": 2}, "games": 60}"#);
    let strong = ask(r#"{"id": "strong", "point": {"iterations": 90, "c": 0.5}, "games": 60}"#);
    assert_eq!(strong["id"], "strong");
    let value = |answer: &Value| answer["value"].as_f64().unwrap();
    assert!(value(&weak) < 0.5 && value(&strong) > 0.5, "{weak} {strong}");
    assert!(value(&strong) - value(&weak) > 0.3);
    assert!(strong["standard_error"].as_f64().unwrap() > 0.0);
    // The same question has the same answer, other dice have another.
    assert_eq!(ask(r#"{"id": "weak", "point": {"iterations": 2}, "games": 60}"#), weak);
    for (question, word) in [
        ("nonsense", "expected"),
        (r#"{"id": 7, "point": {"d": 1}}"#, "unknown parameter"),
        (r#"{"id": 7, "point": {"c": 9}}"#, "from 0.1 to 3"),
        (r#"{"id": 7, "point": {"iterations": 2.5}}"#, "a whole number"),
        (r#"{"id": 7, "point": {}, "games": 1}"#, "games = 1"),
        (r#"{"id": 7, "points": {}}"#, "points"),
    ] {
        let answer = ask(question);
        assert!(answer["error"].as_str().unwrap().contains(word), "{question}: {answer}");
        assert_eq!(answer["id"], if question == "nonsense" { Value::Null } else { json!(7) });
    }
    drop(input);
    assert!(program.wait().unwrap().success());
}

#[test]
fn bad_input_is_named_and_damages_nothing() {
    let scratch = Scratch::new();
    let out = scratch.text("out");
    let bad = |args: &[&str], words: &[&str]| {
        refused(&[&["tune"], args, &["--out", &out]].concat(), words);
        assert!(!Path::new(&out).exists(), "{args:?}");
    };
    let four = ["--scenario", "reference/connect-four"];
    bad(&["scriptd", "--scenario", FRANCE], &["scriptd", "did you mean \"scripted\"?"]);
    bad(&["scripted"], &["add --scenario"]);
    bad(&[&["mcts"], &four[..]].concat(), &["no weights to tune", "--option"]);
    bad(&[&["mcts", "--option", "d=0..1"], &four[..]].concat(), &["--option d", "iterations"]);
    bad(&[&["mcts", "--option", "c=1"], &four[..]].concat(), &["NAME=LOW..HIGH"]);
    bad(&[&["mcts", "--option", "c=3..1"], &four[..]].concat(), &["the lower first"]);
    bad(&[&["mcts", "--option", "c=0..999"], &four[..]].concat(), &["999", "option c"]);
    bad(&["scripted", "--scenario", FRANCE, "--side", "axsi"], &["--side axsi", "did you mean \"axis\"?"]);
    bad(&["scripted", "--scenario", FRANCE, "--weight", "axis.kil"], &["--weight axis.kil", "axis.kill"]);
    bad(&["scripted", "--scenario", FRANCE, "--budget", "10"], &["--budget 10", "expected at least"]);
    bad(&["scenario", FRANCE, "--target", "axis=0.5"], &["add --knob"]);
    let knob = ["--knob", "combat.modifiers.armour=0..3"];
    bad(&[&["scenario", FRANCE], &knob[..]].concat(), &["add --target"]);
    bad(&[&["scenario", FRANCE, "--target", "axsi=0.5"], &knob[..]].concat(), &["did you mean \"axis\"?"]);
    bad(&[&["scenario", FRANCE, "--target", "axis=2"], &knob[..]].concat(), &["a score from 0 to 1"]);
    let half = ["scenario", FRANCE, "--target", "axis=0.5", "--knob"];
    bad(&[&half[..], &["combat.modifiers.armor=0..3"]].concat(), &["combat.modifiers.armor", "armour"]);
    bad(&[&half[..], &["combat.modifiers.armour=0.0..3.0"]].concat(), &["value", "whole number"]);
    let full = scratch.text("full");
    fs::create_dir(&full).unwrap();
    fs::write(Path::new(&full).join("letter.txt"), "dear").unwrap();
    refused(&["tune", "scripted", "--scenario", FRANCE, "--out", &full], &["--out", "not empty"]);
}
