//! Search among dice.

mod common;

use common::{pairs, wilson};
use sandtable_reference::Backgammon;

/// Plays pairs of games with shared dice and swapped sides, and asks that the whole interval lie above one half.
fn beats(a: &str, b: &str, games: u32) {
    let score = pairs(&Backgammon::new(), a, b, games / 2, 1);
    let (low, high) = wilson(score, games);
    println!("{a} scores {score} of {games} against {b}: 95% interval {low:.3} to {high:.3}");
    assert!(low > 0.5, "{a} scores {score} of {games} against {b}: 95% interval {low:.3} to {high:.3}");
}

#[test]
fn tree_search_beats_random_play() {
    beats("mcts:iterations=50", "random", 40);
}

#[test]
fn flat_search_beats_random_play() {
    beats("flat-mc:iterations=50", "random", 40);
}

#[test]
#[cfg_attr(debug_assertions, ignore = "minutes without optimisation: test with --release")]
fn tree_search_beats_flat_search_with_equal_simulations() {
    beats("mcts:iterations=200", "flat-mc:iterations=200", 300);
}
