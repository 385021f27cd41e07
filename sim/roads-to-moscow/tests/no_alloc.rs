//! Play takes no memory from the heap once the list of actions has grown to its size.

mod common;

use common::{SCENARIOS, game};
use sandtable_core::{Game, PlayContext, Rng64, Side, play_out_random};
use sandtable_roads_to_moscow::{Action, RoadsToMoscow, State};

/// Plays a game at random; gives the decisions and the allocations after the opening.
fn play(game: &RoadsToMoscow, number: u64, legal: &mut Vec<Action>) -> (u32, u64) {
    let mut context = PlayContext::silent(Rng64::stream(5, number, 0));
    let mut state = game.initial(&mut context);
    let mut decisions = 0;
    let seen = allocation_counter::measure(|| {
        decisions = play_out_random(game, &mut state, &mut context, legal);
    });
    (decisions, seen.count_total)
}

#[test]
fn random_games_allocate_nothing() {
    for name in SCENARIOS {
        let game = game(name);
        let mut legal = Vec::with_capacity(4096);
        for number in 0..4 {
            let (decisions, allocations) = play(&game, number, &mut legal);
            assert!(decisions > 50, "{name}");
            assert_eq!(allocations, 0, "{name}, game {number}");
        }
    }
}

#[test]
fn determinizing_allocates_nothing() {
    let game = game("mozhaysk");
    let mut dice = Rng64::stream(1, 0, 0);
    let state = game.initial(&mut PlayContext::silent(Rng64::stream(2, 0, 0)));
    let seen = allocation_counter::measure(|| {
        for side in [Side(0), Side(1)] {
            let _: State = game.determinize(&state, side, &mut dice);
        }
    });
    assert_eq!(seen.count_total, 0);
}

#[test]
fn a_state_is_small() {
    assert!(size_of::<State>() <= 6 * 1024, "{}", size_of::<State>());
    assert!(size_of::<Action>() <= 8);
}
