//! Scripted players of one strength, in scenarios that are meant to be balanced: which side wins how many of the games that are
//! decided. `benches/README.md` has the figures of more games.

mod study;

use sandtable_stats::interval::wilson_at;
use study::{Scratch, report, succeed};

/// What a scenario may be off without its being found by a game of chance: of 13 scenarios one in a hundred at the edge fails.
const LEVEL: f64 = 0.99;

/// Of so many games of a scenario, those that each team wins.
#[track_caller]
fn wins(scenario: &str, games: u64) -> [u64; 2] {
    let scratch = Scratch::new();
    let (out, count) = (scratch.text("run"), games.to_string());
    let args = ["balance", scenario, "--agent", "scripted", "--games", &count, "--seed", "15"];
    succeed(&[&args[..], &["--quiet", "--out", &out]].concat());
    let strength = &report(&out, "balance")["strengths"][0];
    let wins = [0, 1].map(|team| strength["teams"][team]["wins"].as_u64().unwrap());
    println!("{scenario}: {} to {} of {games}", wins[0], wins[1]);
    assert!(wins != [0; 2], "{scenario}: no game of {games} is decided");
    wins
}

/// A side wins 30 to 70% of the games that are decided.
#[track_caller]
fn assert_balanced(scenarios: &[(&str, u64)]) {
    for &(scenario, games) in scenarios {
        let [first, other] = wins(scenario, games);
        // Of the games themselves: an interval would let a scenario pass in which a side wins 79 of 100.
        let share = first as f64 / (first + other) as f64;
        assert!((0.3..=0.7).contains(&share), "{scenario}: {first} to {other} of {games} games");
    }
}

/// Few games, of which many are draws or which take long, cannot prove that a side wins more than 70% of the games that are
/// decided: the 99% interval meets 30 to 70%.
#[track_caller]
fn assert_not_lopsided(scenarios: &[(&str, u64)]) {
    for &(scenario, games) in scenarios {
        let [first, other] = wins(scenario, games);
        let share = wilson_at(first, first + other, LEVEL);
        assert!(
            share.low <= 0.7 && share.high >= 0.3,
            "{scenario}: {first} to {other} of {games} games, {share:?}"
        );
    }
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn no_side_of_blitzwar_is_sure_to_win() {
    assert_balanced(&[
        ("blitzwar/campaign-1939", 400),
        ("blitzwar/france-1940", 400),
        ("blitzwar/barbarossa-1941", 400),
        ("blitzwar/turning-point-1943", 400),
    ]);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn no_side_of_victory_in_europe_is_sure_to_win() {
    assert_balanced(&[
        ("victory-in-europe/campaign-1939", 200),
        ("victory-in-europe/barbarossa-1941", 200),
        ("victory-in-europe/stalingrad-1942", 200),
        ("victory-in-europe/kursk-1943", 200),
        ("victory-in-europe/bagration-1944", 200),
    ]);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn no_side_of_roads_to_moscow_is_sure_to_win() {
    assert_not_lopsided(&[
        ("roads-to-moscow/pervyy-voin", 60),
        ("roads-to-moscow/road-to-mtsensk", 60),
        ("roads-to-moscow/borodino-field", 60),
        ("roads-to-moscow/mozhaysk", 60),
    ]);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn no_side_of_europe_engulfed_is_sure_to_win() {
    assert_not_lopsided(&[
        ("europe-engulfed/patton-1945", 60),
        ("europe-engulfed/tournament-1942", 60),
        ("europe-engulfed/european-war-1939", 60),
        ("europe-engulfed/campaign-1941", 60),
        ("europe-engulfed/campaign-1939", 60),
    ]);
}

/// The short scenarios; the campaigns take minutes, and 1939 has another question.
#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn no_side_of_eurofront_is_sure_to_win() {
    assert_not_lopsided(&[
        ("eurofront/1936", 60),
        ("eurofront/1939A", 60),
        ("eurofront/1939B", 60),
        ("eurofront/1940A", 60),
    ]);
}
