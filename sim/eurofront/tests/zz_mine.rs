//! Debug.
mod common;
use common::rules;
use sandtable_core::kit::Replay;
use sandtable_core::{Game, Rng64, Side};
use sandtable_eurofront::EuroFront;
#[test]
fn replayed() {
    let Ok(path) = std::env::var("REPLAY") else { return };
    let text = std::fs::read_to_string(path).unwrap();
    let game = EuroFront::new(rules(&std::env::var("NAME").unwrap())).unwrap();
    let replay: Replay = text.parse().unwrap_or_else(|error| panic!("{error}"));
    let state = replay.play(&game, |_, _| ()).unwrap();
    let list = |state: &sandtable_eurofront::State| {
        let mut legal = Vec::new();
        game.legal_actions(state, &mut legal);
        legal
    };
    let legal = list(&state);
    println!("{:?} {:?} active {:?} subject {:?}", state.phase, state.decider, state.active, state.subject);
    for side in 0..2 {
        for seed in 0..20 {
            let drawn = game.determinize(&state, Side(side), &mut Rng64::stream(seed, 0, 0));
            let other = list(&drawn);
            if other != legal {
                for action in legal.iter().filter(|action| !other.contains(action)) {
                    println!("side {side}: gone {action:?} {}", game.describe(&state, *action));
                }
                for action in other.iter().filter(|action| !legal.contains(action)) {
                    println!("side {side}: new {action:?} {}", game.describe(&drawn, *action));
                }
                break;
            }
        }
    }
}
