//! The players take no memory from the heap once they are made and the list of actions has grown to its size.

use sandtable_ai::SystemKnowledge;
use sandtable_ai_eurofront::EuroKnowledge;
use sandtable_core::{Game, PlayContext, Rng64, Turn};
use sandtable_eurofront::EuroFront;
use sandtable_scenarios_eurofront::open;

/// Plays a whole game between players of one policy; gives the decisions and the allocations.
fn play(game: &EuroFront, name: &str, number: u64) -> (u32, u64) {
    let knowledge = EuroKnowledge::new(game);
    let mut players: Vec<_> = game.sides().iter().map(|_| knowledge.policy(name).unwrap()).collect();
    let mut evaluator = knowledge.evaluator(knowledge.default_evaluator()).unwrap();
    let (mut dice, mut mind) = (Rng64::stream(5, number, 0), Rng64::stream(5, number, 1));
    let mut legal = Vec::with_capacity(8192);
    let mut state = game.initial(&mut PlayContext::silent(&mut dice));
    let mut decisions = 0;
    let seen = allocation_counter::measure(|| {
        game.legal_actions(&state, &mut legal);
        while let Turn::Decide(side) = game.turn_of(&state) {
            let action = players[side.index()].pick(game, &state, side, &legal, &mut mind);
            game.apply_listing(&mut state, action, &mut PlayContext::silent(&mut dice), &mut legal, |_| true);
            if decisions % 64 == 0 && game.outcome(&state).is_none() {
                evaluator.evaluate(game, &state);
            }
            decisions += 1;
        }
    });
    (decisions, seen.count_total)
}

#[test]
fn scripted_games_allocate_nothing() {
    let game = EuroFront::new(open("eurofront/1936", &[]).unwrap().into_rules()).unwrap();
    for name in ["scripted", "light"] {
        for number in 0..2 {
            let (decisions, allocations) = play(&game, name, number);
            assert!(decisions > 200, "{decisions} decisions");
            assert_eq!(allocations, 0, "{name}, game {number}");
        }
    }
}
