//! Play takes no memory from the heap once the list of actions has grown to its size.

use sandtable_blitzwar::{Action, BlitzWar};
use sandtable_core::{Game, PlayContext, Rng64, play_out_random};

/// Plays games at random; gives the decisions.
fn play(game: &BlitzWar, games: u64, legal: &mut Vec<Action>) -> u32 {
    (0..games)
        .map(|number| {
            let mut context = PlayContext::silent(Rng64::stream(5, number, 0));
            let mut state = game.initial(&mut context);
            play_out_random(game, &mut state, &mut context, legal)
        })
        .sum()
}

#[test]
fn random_campaigns_allocate_nothing() {
    let opened = sandtable_scenarios_blitzwar::open("blitzwar/campaign-1939", &[]).unwrap();
    let game = BlitzWar::new(opened.into_rules()).unwrap();
    let mut legal = Vec::with_capacity(4096);
    let mut decisions = 0;
    let seen = allocation_counter::measure(|| decisions = play(&game, 3, &mut legal));
    assert!(decisions > 10_000);
    assert_eq!(seen.count_total, 0);
}
