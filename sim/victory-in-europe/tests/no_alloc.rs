//! Play takes no memory from the heap once the list of actions has grown to its size.

use sandtable_core::{Game, PlayContext, Rng64, play_out_random};
use sandtable_victory_in_europe::{Action, VictoryInEurope};

/// Plays a game at random; gives the decisions and the allocations after the opening.
fn play(game: &VictoryInEurope, number: u64, legal: &mut Vec<Action>) -> (u32, u64) {
    let mut context = PlayContext::silent(Rng64::stream(5, number, 0));
    let mut state = game.initial(&mut context);
    let mut decisions = 0;
    let seen = allocation_counter::measure(|| {
        decisions = play_out_random(game, &mut state, &mut context, legal);
    });
    (decisions, seen.count_total)
}

#[test]
fn random_campaigns_allocate_nothing() {
    let opened = sandtable_scenarios_victory_in_europe::open("victory-in-europe/campaign-1939", &[]).unwrap();
    let game = VictoryInEurope::new(opened.into_rules()).unwrap();
    let mut legal = Vec::with_capacity(4096);
    for number in 0..3 {
        let (decisions, allocations) = play(&game, number, &mut legal);
        assert!(decisions > 1_000);
        assert_eq!(allocations, 0);
    }
}
