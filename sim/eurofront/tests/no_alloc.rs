//! Play takes no memory from the heap once the list of actions has grown to its size.

mod common;

use common::{rules, spain};
use sandtable_core::{Game, PlayContext, Rng64, Side, play_out_random};
use sandtable_eurofront::{Action, EuroFront, State};

/// Spain has no sea lines, no diplomacy and no great powers: they are in the campaign of 1941.
#[test]
fn random_games_allocate_nothing() {
    let campaign = EuroFront::new(rules("1941")).unwrap();
    for (game, games) in [(spain(), 3), (&campaign, 1)] {
        let mut legal: Vec<Action> = Vec::with_capacity(4096);
        for number in 0..games {
            let mut context = PlayContext::silent(Rng64::stream(5, number, 0));
            let mut state = game.initial(&mut context);
            let mut decisions = 0;
            let seen = allocation_counter::measure(|| {
                decisions = play_out_random(game, &mut state, &mut context, &mut legal);
            });
            assert!(decisions > 50, "{decisions}");
            assert_eq!(seen.count_total, 0, "game {number}");
        }
    }
}

#[test]
fn determinizing_allocates_nothing() {
    let game = spain();
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
    assert!(size_of::<State>() <= 8 * 1024, "{}", size_of::<State>());
    assert!(size_of::<Action>() <= 8);
}
