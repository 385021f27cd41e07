//! `sandtable analyse`: that its sums add up, that it finds what was planted, and what it refuses.

mod study;

use std::fs;
use std::path::Path;

use serde_json::Value;
use study::{Scratch, refused, succeed};

/// A run of the reference games between two agents.
fn run(scratch: &Scratch, name: &str, game: &str, games: &str, agents: [&str; 2]) -> String {
    let out = scratch.text(name);
    let [first, second] = agents;
    succeed(&["play", game, "--games", games, "--side", first, "--side", second, "--out", &out]);
    out
}

/// The analyses of all games that a command says.
fn analyses(arguments: &[&str]) -> Vec<Value> {
    serde_json::from_str(&succeed(&[&["analyse"], arguments, &["--json", "--quiet"]].concat())).unwrap()
}

fn value(estimate: &Value) -> f64 {
    estimate["value"].as_f64().unwrap()
}

/// What a side gave away in a game, by the better lines that were found.
fn given_away(game: &Value, side: u64) -> f64 {
    let segments = game["segments"].as_array().unwrap().iter();
    let own = segments.filter(|segment| segment["side"] == side);
    own.filter_map(|segment| segment["choice"]["lead"]["value"].as_f64()).sum()
}

#[test]
fn luck_and_skill_add_up_to_the_result() {
    let scratch = Scratch::new();
    let games =
        run(&scratch, "games", "reference/backgammon", "3", ["white=flat-mc:iterations=20", "black=random"]);
    let options = [&games[..], "--games", "0..3", "--budget", "iterations=16", "--alternatives", "2"];
    let all = analyses(&options);
    assert_eq!(all.len(), 3);
    for game in &all {
        let mut lucky = false;
        for side in game["sides"].as_array().unwrap() {
            let parts = ["start", "luck", "own", "others", "drift"].map(|part| value(&side[part]));
            let end = side["end"].as_f64().unwrap();
            assert!((parts.iter().sum::<f64>() - end).abs() < 1e-6, "{side}");
            lucky |= parts[1].abs() > 1e-3;
        }
        assert!(lucky, "dice fell in {game}");
        let segments = game["segments"].as_array().unwrap();
        for pair in segments.windows(2) {
            assert_eq!(
                pair[0]["after"], pair[1]["before"],
                "the end of one segment is the beginning of the next"
            );
        }
    }
    // However many threads there are, and whichever games are asked for.
    assert_eq!(all, analyses(&[&options[..], &["--threads", "1"]].concat()));
    assert_eq!(
        all[1..2],
        analyses(&[&games, "--game", "1", "--budget", "iterations=16", "--alternatives", "2"])[..]
    );
}

#[test]
fn no_value_depends_on_which_thread_did_what_before() {
    // The scripted player of BlitzWar draws dates for a whole game; rollouts are cut some turns ahead.
    let scratch = Scratch::new();
    let out = scratch.text("games");
    succeed(&["play", study::FRANCE, "--games", "1", "--agents", "scripted", "--out", &out]);
    for budget in ["iterations=16", "iterations=16,rollout=scripted,depth=1t"] {
        let of = |threads: &str| analyses(&[&out, "--budget", budget, "--threads", threads]);
        let one = of("1");
        assert_eq!(one, of("3"), "{budget}");
        for side in one[0]["sides"].as_array().unwrap() {
            let parts = ["start", "luck", "own", "others", "drift"].map(|part| value(&side[part]));
            assert!((parts.iter().sum::<f64>() - side["end"].as_f64().unwrap()).abs() < 1e-6, "{side}");
            assert!(parts[4] != 0.0, "each turn looks further ahead than the last: {side}");
        }
    }
}

#[test]
fn plans_and_operations_are_named_and_the_usual_play_shows_no_skill() {
    let scratch = Scratch::new();
    let out = scratch.text("games");
    succeed(&[
        "play",
        "victory-in-europe/bagration-1944",
        "--games",
        "1",
        "--agents",
        "scripted",
        "--out",
        &out,
    ]);
    let options = [&out[..], "--budget", "iterations=16,depth=1t"];
    let with = |operations: &str| analyses(&[&options[..], &["--operations", operations]].concat());
    let all = with("4");
    let segments = all[0]["segments"].as_array().unwrap();
    let choices: Vec<&Value> =
        segments.iter().map(|segment| &segment["choice"]).filter(|choice| !choice.is_null()).collect();
    let led = choices.iter().filter(|choice| !choice["lead"].is_null());
    assert!(led.clone().count() > 0 && led.clone().all(|choice| choice["plan"] != ""), "{choices:?}");
    assert!(led.clone().any(|choice| choice["objective"].is_string()), "{choices:?}");
    let none = with("0");
    let segments = none[0]["segments"].as_array().unwrap();
    assert!(segments.iter().all(|segment| segment["choice"]["objective"].is_null()));
    // Nobody else but dice and the evaluator changes values where all go the usual way.
    let decisions: u64 = segments.iter().map(|segment| segment["decisions"].as_u64().unwrap()).sum();
    assert!(segments.len() as u64 * 3 < decisions, "{} segments of {decisions} decisions", segments.len());
    for side in all[0]["sides"].as_array().unwrap() {
        let parts = ["start", "luck", "own", "others", "drift"].map(|part| value(&side[part]));
        assert!((parts.iter().sum::<f64>() - side["end"].as_f64().unwrap()).abs() < 1e-6, "{side}");
        assert!(parts[2].abs() < 0.05 && parts[1] != 0.0, "{side}");
    }
    let summary = succeed(&[&["analyse"], &options[..], &["--summary", "--quiet"]].concat());
    assert!(summary.contains("an operation") && summary.contains("operation against"), "{summary}");
}

#[test]
fn without_dice_there_is_no_luck_and_the_weaker_player_gives_more_away() {
    let scratch = Scratch::new();
    let agents = ["first=mcts:iterations=400", "second=random"];
    let games = run(&scratch, "games", "reference/connect-four", "6", agents);
    let all = analyses(&[&games, "--games", "0..6", "--budget", "iterations=32"]);
    for game in &all {
        assert!(game["sides"].as_array().unwrap().iter().all(|side| value(&side["luck"]) == 0.0), "{game}");
    }
    let [strong, weak] = [0, 1].map(|side| all.iter().map(|game| given_away(game, side)).sum::<f64>());
    assert!(weak > 2.0 * strong.max(0.0) + 0.5, "{weak} by random, {strong} by the search");
    let summary =
        succeed(&["analyse", &games, "--games", "0..6", "--budget", "iterations=32", "--summary", "--quiet"]);
    assert!(summary.contains("what was given away a game") && summary.contains("accuracy"), "{summary}");
    let told = succeed(&["analyse", &games, "--game", "0", "--budget", "iterations=64", "--quiet"]);
    assert!(told.contains("decisive turn: ") && told.contains("skill of others"), "{told}");
}

#[test]
fn a_folder_keeps_what_was_analysed_and_takes_no_other() {
    let scratch = Scratch::new();
    let games = run(&scratch, "games", "reference/kuhn", "8", ["first=random", "second=random"]);
    let out = scratch.text("analysis");
    let kept = |range: &str, seed: &str| {
        [
            "analyse",
            &games,
            "--games",
            range,
            "--budget",
            "iterations=16",
            "--seed",
            seed,
            "--out",
            &out,
            "--quiet",
            "--format",
            "csv",
        ]
        .map(str::to_owned)
    };
    let words = |range: &str, seed: &str| kept(range, seed).to_vec();
    let call = |range: &str, seed: &str| {
        let words = words(range, seed);
        succeed(&words.iter().map(String::as_str).collect::<Vec<_>>())
    };
    call("0..3", "1");
    let first = Path::new(&out).join("games/game-00000001.json");
    let (text, written) =
        (fs::read_to_string(&first).unwrap(), fs::metadata(&first).unwrap().modified().unwrap());
    call("1..6", "1");
    assert_eq!(fs::metadata(&first).unwrap().modified().unwrap(), written, "it was analysed again");
    let table = fs::read_to_string(Path::new(&out).join("analysis.csv")).unwrap();
    let numbers: Vec<&str> = table.lines().skip(1).map(|line| line.split(',').next().unwrap()).collect();
    assert!((0..6).all(|game: u64| numbers.contains(&&*game.to_string())), "{table}");
    // Ended half-way, it is as if it had never been stopped.
    fs::remove_file(&first).unwrap();
    call("0..6", "1");
    assert_eq!(fs::read_to_string(&first).unwrap(), text);
    let other = words("0..6", "2");
    refused(
        &other.iter().map(String::as_str).collect::<Vec<_>>(),
        &["--out", "of --seed 1 and not 2", "expected a new folder"],
    );
    let second = fs::read_to_string(Path::new(&out).join("games/game-00000002.json")).unwrap();
    fs::write(&first, second).unwrap();
    let again = words("0..6", "1");
    let again: Vec<&str> = again.iter().map(String::as_str).collect();
    refused(&again, &["game-00000001.json is damaged", "it is game 2 and not 1"]);
    fs::write(&first, "{").unwrap();
    refused(&again, &["game-00000001.json is damaged"]);
}

#[test]
fn mistakes_are_named() {
    let scratch = Scratch::new();
    let games = run(&scratch, "games", "reference/kuhn", "2", ["first=random", "second=random"]);
    for (words, expected) in [
        (&["--game", "2"][..], &["--game 2", "games 0 to 1"][..]),
        (&["--games", "1..5"], &["--games 1..5", "games 0 to 1"]),
        (&["--games", "5..1"], &["expected two numbers such as 0..20"]),
        (&["--budget", "iterations=15"], &["--budget iterations=15", "16 to 100000"]),
        (&["--budget", "ms=20"], &["--budget ms=20", "unknown option \"ms\"", "rollout"]),
        (&["--budget", "rollout=clever"], &["unknown policy \"clever\""]),
        (&["--budget", "depth=40"], &["--budget depth=40", "depth=2t"]),
        (&["--alternatives", "0"], &["--alternatives"]),
        (&["--html", "page.html", "--summary"], &["--summary"]),
        (&["--html", "page.html"], &["no map"]),
    ] {
        refused(&[&["analyse", &games, "--quiet"], words].concat(), expected);
    }
    refused(&["analyse", &scratch.text("nowhere")], &["there is no such folder"]);
}

#[test]
fn a_page_shows_the_course_the_board_and_the_blunders() {
    let scratch = Scratch::new();
    let out = scratch.text("games");
    let page = scratch.text("analysis.html");
    // One side plays at random, and so gives much away.
    succeed(&[
        "play",
        "roads-to-moscow/pervyy-voin",
        "--games",
        "1",
        "--side",
        "german=scripted",
        "--side",
        "soviet=random",
        "--out",
        &out,
    ]);
    let told = succeed(&["analyse", &out, "--budget", "iterations=16", "--html", &page, "--quiet"]);
    let html = fs::read_to_string(&page).unwrap();
    for part in ["id=\"course\"", "data-frame=\"0\"", "class=\"luck\"", "<h2>Blunders</h2>", "id=\"board\""] {
        assert!(html.contains(part), "no {part}");
    }
    assert!(told.contains("own skill"), "{told}");
}
