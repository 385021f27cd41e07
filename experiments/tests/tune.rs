//! `sandtable tune` as its users run it: what it finds, what it says, and the protocol for optimisers outside.

mod study;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::Duration;

use sandtable::lab::tune::GAMES;
use sandtable_stats::pairs::PairResults;
use sandtable_stats::sprt::Sprt;
use serde_json::{Value, json};
use study::{FRANCE, Scratch, games, interrupt, refused, sandtable, succeed};

fn report(folder: &str) -> Value {
    study::report(folder, "tune")
}

/// Arm, seed and number of each game, in the order in which they were asked for.
fn played(folder: &str) -> Vec<(String, String, u64)> {
    let table = games(folder, GAMES);
    let cells = |name: &str| table.column(name).unwrap().map(str::to_owned).collect::<Vec<_>>();
    let numbers = cells("game").into_iter().map(|game| game.parse().unwrap());
    cells("arm")
        .into_iter()
        .zip(cells("seed"))
        .zip(numbers)
        .map(|((arm, seed), game)| (arm, seed, game))
        .collect()
}

/// The numbers of the games of an arm.
fn numbers_of(played: &[(String, String, u64)], arm: &str) -> Vec<u64> {
    played.iter().filter(|(own, _, _)| own == arm).map(|(_, _, game)| *game).collect()
}

/// What more simulations are worth is known: they play better.
fn simulations(out: &str, more: &str) -> Vec<String> {
    let text = "tune flat-mc:iterations=4 --scenario reference/connect-four --option iterations=2..60 --out";
    let words = text.split_whitespace().chain([out]).chain(more.split_whitespace());
    words.map(str::to_owned).collect()
}

fn strs(args: &[String]) -> Vec<&str> {
    args.iter().map(String::as_str).collect()
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
    // The proof ends with the pair that decides it, long before its games are used up.
    let counts = report["proof"]["pairs"].as_array().unwrap();
    let counts: Vec<u64> = counts.iter().map(|count| count.as_u64().unwrap()).collect();
    let results = PairResults { counts: counts.try_into().unwrap() };
    let sprt: Sprt = "0,20,0.05,0.05".parse().unwrap();
    let verdict = sprt.verdict(&results);
    assert!(results.games() < 500 && (verdict.llr - report["proof"]["llr"].as_f64().unwrap()).abs() < 1e-9);
    assert!(verdict.llr >= verdict.upper && verdict.llr < verdict.upper + 0.5, "{verdict:?}");
    assert_eq!(report["proof"]["expected_pairs"], Value::Null);
}

#[test]
fn the_slope_is_followed_upwards_and_all_dice_are_fresh() {
    let scratch = Scratch::new();
    let out = scratch.text("out");
    // No so small gain can be shown by so few games, so the proof uses up its own.
    let more = "--budget 3000 --runs 3 --method spsa --sprt 0,1,0.01,0.01";
    let page = succeed(&strs(&simulations(&out, more)));
    let report = report(&out);
    for line in report["candidates"].as_array().unwrap() {
        let found: u32 = line["values"]["iterations"].as_str().unwrap().parse().unwrap();
        assert!(if line["run"].is_null() { found == 4 } else { found > 10 }, "{line}");
    }
    let proof = &report["proof"];
    let pairs: u64 = proof["pairs"].as_array().unwrap().iter().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!((pairs, &proof["accepted"]), (300, &Value::Null), "half of the games that are left");
    assert!(
        proof["expected_pairs"].as_f64().unwrap() > 300.0 && page.contains("more pairs expected"),
        "{page}"
    );
    let played = played(&out);
    assert!(played.len() <= 3000);
    // 37 iterations of 8 pairs for each run; 75 pairs for each of four candidates; the proof.
    for (arm, count) in [("run 0", 37 * 8), ("run 1", 37 * 8), ("run 2", 37 * 8), ("proof", 300)] {
        let mut numbers = numbers_of(&played, arm);
        numbers.sort_unstable();
        let twice: Vec<u64> = (0..count).flat_map(|game| [game, game]).collect();
        assert_eq!(numbers, twice, "{arm}: every number on both sides and never again");
    }
    assert_eq!(numbers_of(&played, "play-off").len(), 75 * 2 * 4);
    let mut seeds: Vec<(&str, &str)> =
        played.iter().map(|(arm, seed, _)| (arm.as_str(), seed.as_str())).collect();
    seeds.sort_unstable();
    seeds.dedup();
    assert_eq!(seeds.len(), 5, "one for each arm");
    seeds.sort_unstable_by_key(|(_, seed)| *seed);
    seeds.dedup_by_key(|(_, seed)| *seed);
    assert_eq!(seeds.len(), 5, "and another one for each");
}

#[test]
fn killed_tuning_goes_on_to_the_same_end() {
    let scratch = Scratch::new();
    let (killed, whole) = (scratch.text("killed"), scratch.text("whole"));
    let with = |out: &str| simulations(out, "--budget 2000 --runs 2 --threads 2 --quiet");
    succeed(&strs(&with(&whole)));
    let noted = || {
        let journal = Path::new(&killed).join("journal");
        fs::read_to_string(journal).map_or(0, |text| text.lines().count())
    };
    let mut kills = 0;
    for more in [1, 300, 900] {
        let before = noted();
        let mut child = sandtable(&strs(&with(&killed))).stderr(Stdio::null()).spawn().unwrap();
        while noted() < before + more && child.try_wait().unwrap().is_none() {
            sleep(Duration::from_millis(1));
        }
        if child.try_wait().unwrap().is_none() {
            child.kill().unwrap();
            kills += 1;
        }
        child.wait().unwrap();
        assert!(noted() >= before, "what was finished is not lost");
    }
    assert!(kills >= 2, "tuning is long enough to be killed");
    succeed(&strs(&with(&killed)));
    study::assert_same(&killed, &whole, "tune", GAMES);
    let best = |out: &str| fs::read(Path::new(out).join("best.toml")).unwrap();
    assert_eq!(best(&killed), best(&whole));
    // Another question is not put to the same folder, and once there is an answer nothing is played again.
    let other = simulations(&killed, "--budget 2001 --runs 2 --quiet");
    refused(&strs(&other), &["another budget", "use another --out"]);
    fs::remove_file(Path::new(&killed).join("tune.json")).unwrap();
    succeed(&strs(&with(&killed)));
    study::assert_same(&killed, &whole, "tune", GAMES);
}

#[test]
fn an_interrupt_says_how_to_go_on() {
    let scratch = Scratch::new();
    let out = scratch.text("out");
    let message = interrupt(&strs(&simulations(&out, "--budget 1000000 --quiet")), &out);
    assert!(message.contains("of at most 1000000 games; go on with the same command and --out"), "{message}");
    let scenario = scratch.text("scenario");
    let text = "tune scenario blitzwar/france-1940 --parameter combat.modifiers.german_attack=-4..4 --target axis=0.5 \
                --budget 1000000 --quiet --out";
    let message = interrupt(&text.split_whitespace().chain([&*scenario]).collect::<Vec<_>>(), &scenario);
    assert!(message.contains("of at most 1000000 games; go on with the same command and --out"), "{message}");
}

#[test]
fn weights_are_written_as_data_that_an_agent_reads() {
    let scratch = Scratch::new();
    let out = scratch.text("out");
    let tune = ["tune", "scripted", "--scenario", FRANCE, "--side", "axis", "--budget", "120", "--runs", "2"];
    let page = succeed(&[&tune[..], &["--batch", "2", "--out", &out]].concat());
    assert!(page.contains("19 numbers") && page.contains("play-off") && page.contains("gain"), "{page}");
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
    // Below 3 the Axis never wins, at 8 it scores about a half.
    let text = "tune scenario blitzwar/france-1940 --parameter combat.modifiers.german_attack=1..8 \
                --target axis=0.5 --agents scripted --budget 500 --runs 2 --method ntbea --batch 4";
    let mut args: Vec<&str> = text.split_whitespace().collect();
    args.extend(["--out", &out]);
    let page = succeed(&args);
    assert!(page.contains("the target is") && page.contains("combat.modifiers.german_attack"), "{page}");
    let report = report(&out);
    let miss = |which: &str| (report["proof"][which]["value"].as_f64().unwrap() - 0.5).abs();
    assert!(miss("after") <= miss("before") + 0.1, "{report}");
    assert_eq!(report["proof"]["games"], 50);
    // What is as large as possible is the squared distance from the target, less what chance adds to it, as a
    // negative number.
    let table = games(&out, GAMES);
    let name = "combat.modifiers.german_attack";
    for line in report["candidates"].as_array().unwrap() {
        let arm = format!("play-off: {name}={}", line["values"][name].as_str().unwrap());
        let rows = table.column("arm").unwrap().zip(table.column("winner").unwrap());
        // Two runs may have the same answer, and then the same games.
        let count = line["measure"]["games"].as_u64().unwrap() as usize;
        let of_arm = rows.filter(|(own, _)| *own == arm).take(count);
        let scores: Vec<f64> = of_arm
            .map(|(_, winner)| if winner.is_empty() { 0.5 } else { f64::from(u8::from(winner == "axis")) })
            .collect();
        let n = scores.len() as f64;
        let mean = scores.iter().sum::<f64>() / n;
        let variance = scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / (n - 1.0);
        let response = line["measure"]["response"].as_f64().unwrap();
        assert!((response - (variance / n - (mean - 0.5).powi(2))).abs() < 1e-9, "{line}: {mean} {n}");
    }
    let best = fs::read_to_string(Path::new(&out).join("best.toml")).unwrap();
    let value = report["best"]["combat.modifiers.german_attack"].as_str().unwrap();
    assert!(best.contains(&format!("\"combat.modifiers.german_attack\" = {value}")), "{best}");
}

#[test]
fn a_scenario_is_moved_the_right_way_along_a_slope() {
    let scratch = Scratch::new();
    // The Axis scores the more the higher it is; the runs begin at 3, from where both ends can be told apart.
    for (target, sign) in [("axis=0", -1.0), ("axis=1", 1.0)] {
        let out = scratch.text(target);
        let text = "tune scenario blitzwar/barbarossa-1941 --parameter combat.modifiers.german_attack=-1..6 --quiet \
                    --agents scripted --budget 1800 --runs 2 --method spsa --batch 9 --target";
        succeed(&text.split_whitespace().chain([target, "--out", &out]).collect::<Vec<_>>());
        let report = report(&out);
        let runs = report["candidates"].as_array().unwrap().iter().filter(|line| !line["run"].is_null());
        let moved = runs.map(|line| {
            line["values"]["combat.modifiers.german_attack"].as_str().unwrap().parse::<f64>().unwrap() - 3.0
        });
        assert!(sign * moved.sum::<f64>() > 0.0, "{target}: {report}");
    }
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
    bad(&["scenario", FRANCE, "--target", "axis=0.5"], &["add --parameter"]);
    let parameter = ["--parameter", "combat.modifiers.armour=0..3"];
    bad(&[&["scenario", FRANCE], &parameter[..]].concat(), &["add --target"]);
    bad(
        &[&["scenario", FRANCE, "--target", "axsi=0.5"], &parameter[..]].concat(),
        &["did you mean \"axis\"?"],
    );
    bad(&[&["scenario", FRANCE, "--target", "axis=2"], &parameter[..]].concat(), &["a score from 0 to 1"]);
    let half = ["scenario", FRANCE, "--target", "axis=0.5", "--parameter"];
    bad(&[&half[..], &["combat.modifiers.armor=0..3"]].concat(), &["combat.modifiers.armor", "armour"]);
    bad(&[&half[..], &["combat.modifiers.armour=0.0..3.0"]].concat(), &["value", "whole number"]);
    let full = scratch.text("full");
    fs::create_dir(&full).unwrap();
    fs::write(Path::new(&full).join("letter.txt"), "dear").unwrap();
    refused(&["tune", "scripted", "--scenario", FRANCE, "--out", &full], &["--out", "neither empty nor"]);
}
