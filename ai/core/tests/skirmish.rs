//! All searches on a wargame of 2,000 hexes with a cup and a secret.

mod common;

use common::{agent, pairs, wilson};
use sandtable_ai::View;
use sandtable_core::{Game, PlayContext, Rng64, Side, Turn};
use sandtable_reference::Skirmish;
use sandtable_reference::skirmish::{Action, Chit, FORMATIONS, Phase, State};

/// Plays pairs of games with shared dice and swapped sides, and asks that the whole interval lie above one half.
fn beats_random_play(spec: &str, games: u32) {
    let score = pairs(&Skirmish::new(), spec, "random", games / 2, 1);
    let (low, high) = wilson(score, games);
    println!("{spec} scores {score} of {games}: 95% interval {low:.3} to {high:.3}");
    assert!(low > 0.5, "{spec} scores {score} of {games}: 95% interval {low:.3} to {high:.3}");
}

#[test]
#[cfg_attr(debug_assertions, ignore = "minutes without optimisation: test with --release")]
fn every_search_beats_random_play() {
    for spec in [
        "flat-mc:iterations=40,depth=1t",
        "mcts:iterations=60,depth=1t",
        "ismcts:iterations=60,depth=1t",
        "ismcts:iterations=60,depth=1t,opponents=informed",
    ] {
        beats_random_play(spec, 16);
    }
}

/// The position in which Red decides after Blue held this formation back, Red this one, and the cup gave what it may
/// give whichever Blue holds.
fn after(held: Chit, red: Chit, seed: u64) -> Option<State> {
    let game = Skirmish::new();
    let mut context = PlayContext::silent(Rng64::stream(seed, 0, 0));
    let mut state = game.initial(&mut context);
    game.apply(&mut state, Action::HoldBack(held), &mut context);
    game.apply(&mut state, Action::HoldBack(red), &mut context);
    let reds = game.turn_of(&state) == Turn::Decide(Side(1)) && state.phase() == Phase::Picking;
    reds.then_some(state)
}

#[test]
fn the_formation_held_back_changes_nothing() {
    let game = Skirmish::new();
    let specs = [
        "flat-mc:iterations=40,depth=1t",
        "mcts:iterations=40,depth=1t",
        "ismcts:iterations=40,depth=1t",
        "ismcts:iterations=40,depth=1t,opponents=informed",
    ];
    let mut compared = 0;
    for seed in 0..4 {
        let positions = (0..FORMATIONS).filter_map(|chit| after(Chit(chit), Chit(FORMATIONS), seed));
        let positions: Vec<State> = positions.collect();
        let seen = |state: &State| game.observation(state, Side(1));
        for pair in positions.windows(2).filter(|pair| seen(&pair[0]) == seen(&pair[1])) {
            assert_ne!(pair[0], pair[1], "the secrets differ");
            for spec in specs {
                let choices = [&pair[0], &pair[1]].map(|state| {
                    let mut legal = Vec::new();
                    game.legal_actions(state, &mut legal);
                    let mut agent = agent::<Skirmish>(spec);
                    let mut rng = Rng64::stream(seed, 0, 1);
                    let choice = agent.choose(&View::new(&game, state, Side(1), &legal), &mut rng);
                    let figures = agent.figures().map(|figures| (figures.nodes, figures.value.to_bits()));
                    (choice, figures)
                });
                assert_eq!(choices[0], choices[1], "{spec}, seed {seed}");
                compared += 1;
            }
        }
    }
    assert!(compared >= 8, "{compared} pairs of positions that look alike");
}
