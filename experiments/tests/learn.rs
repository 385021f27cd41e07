//! `sandtable learn`: that what it writes is what agents take, that threads change nothing, what it refuses, and that the values
//! that come with the systems predict results.

mod study;

use std::fs;

use serde_json::Value;
use study::{FRANCE, Scratch, file, refused, succeed};

/// What was learned, as JSON.
fn learn(arguments: &[&str]) -> Value {
    serde_json::from_str(&succeed(&[&["learn"], arguments, &["--json"]].concat())).unwrap()
}

#[test]
fn agents_take_what_was_learned() {
    let scratch = Scratch::new();
    let path = scratch.text("value.toml");
    let text = succeed(&["learn", FRANCE, "--games", "20", "--quiet", "--out", &path]);
    assert!(text.contains("4 games were held out"), "{text}");
    let written = fs::read_to_string(&path).unwrap();
    for part in [
        "games = 20",
        "scenarios = [\"blitzwar/france-1940\"]",
        "agents = [\"scripted\"]",
        "[value]",
        "constant = ",
    ] {
        assert!(written.contains(part), "{part} is not in: {written}");
    }
    let out = scratch.text("run");
    let agent = format!("axis=flat-mc:iterations=2,depth=1t,value={path}");
    succeed(&["play", FRANCE, "--games", "1", "--side", &agent, "--agents", "random", "--out", &out]);
    // The run knows the numbers, not the name of a file that may change.
    let manifest = fs::read_to_string(scratch.path("run/manifest.json")).unwrap();
    assert!(manifest.contains("\"axis\": \"flat-mc:iterations=2,value=air:"), "{manifest}");
    fs::write(&path, written.replace("seized = ", "siezed = ")).unwrap();
    refused(
        &["play", FRANCE, "--side", &agent, "--agents", "random", "--out", &scratch.text("other")],
        &["unknown feature \"siezed\" of evaluator blitzwar", "did you mean \"seized\"?"],
    );
    let uniform = "axis=flat-mc:evaluator=uniform,value=constant:1";
    refused(
        &["play", FRANCE, "--side", uniform, "--agents", "random", "--out", &scratch.text("other")],
        &["evaluator uniform has no learned value to be set"],
    );
}

#[test]
fn the_value_changes_what_a_search_thinks() {
    let scratch = Scratch::new();
    let decisions = |name: &str, constant: &str| {
        let out = scratch.text(name);
        let by_left = |name: &str| [0, 10, 25, 50, 100].map(|left| format!("{name}_{left}:0")).join("+");
        let others = format!(
            "air:0+axis_supply:0+enemy_supply:0+seized:0+{}+{}+{}+time_10:0+time_25:0+time_50:0+time_100:0",
            by_left("lead"),
            by_left("corps"),
            by_left("danger")
        );
        let agent = format!("flat-mc:iterations=2,depth=1,value=constant:{constant}+{others}");
        let options = ["--games", "1", "--decisions", "--format", "csv"];
        succeed(&[&["play", FRANCE, "--agents", &agent, "--out", &out], &options[..]].concat());
        file(scratch.path(&format!("{name}/decisions/part-00000.csv")))
    };
    // A value of exp(9) to one for the Axis, and of one to exp(9).
    for (name, constant, high) in [("won", "9", true), ("lost", "-9", false)] {
        let table = decisions(name, constant);
        let (sides, values) = (table.column("side").unwrap(), table.column("value").unwrap());
        let mut own = sides.zip(values).filter(|(side, value)| *side == "axis" && !value.is_empty());
        let first: f64 = own.next().unwrap().1.parse().unwrap();
        assert_eq!(first > 0.99, high, "{first}");
        assert_eq!(first < 0.01, !high, "{first}");
    }
}

#[test]
fn threads_change_nothing_and_the_seed_does() {
    let once = |options: &[&str]| {
        learn(&[&[FRANCE, "--games", "10", "--agent", "random", "--agent", "scripted"], options].concat())
    };
    let one = once(&["--seed", "4", "--threads", "1"]);
    assert_eq!(one, once(&["--seed", "4", "--threads", "2"]));
    assert_ne!(one["weights"], once(&["--seed", "5"])["weights"]);
}

#[test]
fn what_cannot_be_learned_is_refused() {
    let learn = |arguments: &[&str], words: &[&str]| refused(&[&["learn"], arguments].concat(), words);
    learn(&["reference/backgammon"], &["reference/backgammon", "no evaluator whose value can be learned"]);
    learn(&[FRANCE, "roads-to-moscow/mozhaysk"], &["do not share a value"]);
    learn(&[FRANCE, "--games", "4"], &["--games 4", "expected at least 5"]);
    learn(&[FRANCE, "--out", "value.csv"], &["--out value.csv", "ends in .toml"]);
    learn(&[FRANCE, "--out", "/nowhere/value.toml"], &["--out /nowhere/value.toml", "a folder that exists"]);
    learn(&["europe-engulfed/patton-1945", "europe-engulfed/campaign-1939"], &["do not share a value"]);
    learn(&[FRANCE, "--agent", "scriptd"], &["--agent scriptd", "did you mean \"scripted\"?"]);
    learn(&["blitzwar/france"], &["unknown scenario"]);
    learn(&[FRANCE, FRANCE], &[FRANCE, "given already"]);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn the_values_that_come_with_the_systems_predict_results() {
    let error = |learned: &Value, of: &str| learned[of]["value"].as_f64().unwrap();
    for (scenarios, games) in [
        (&["blitzwar/campaign-1939", "blitzwar/turning-point-1943"][..], "60"),
        (&["blitzwar/france-1940", "blitzwar/barbarossa-1941"], "60"),
        (&["victory-in-europe/campaign-1939", "victory-in-europe/stalingrad-1942"], "40"),
        (&["roads-to-moscow/pervyy-voin", "roads-to-moscow/mozhaysk"], "60"),
        (&["eurofront/1936"], "60"),
        // A fifth of the games is held out: of sixty the mean of twelve says little where both sides win as often.
        (&["europe-engulfed/campaign-1939", "europe-engulfed/campaign-1941"], "120"),
    ] {
        let learned = learn(&[scenarios, &["--games", games, "--seed", "12"]].concat());
        let (now, of_mean) = (error(&learned, "brier_now"), error(&learned, "brier_of_mean"));
        assert!(now < 0.97 * of_mean, "{scenarios:?}: Brier score {now:.4}, of the mean alone {of_mean:.4}");
    }
}
