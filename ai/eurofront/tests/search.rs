//! Search in EuroFront beats the player it starts from.

use sandtable_ai::{AgentSpec, Streams, play_game};
use sandtable_ai_eurofront::EuroKnowledge;
use sandtable_core::{Game, Side};
use sandtable_eurofront::EuroFront;

/// Utilities of a search with a small budget against the scripted player: sides swapped, dice shared within each pair of games.
fn scores(scenario: &str, search: &str, pairs: u64) -> Vec<f64> {
    let opened = sandtable_scenarios_eurofront::open(&format!("eurofront/{scenario}"), &[]).unwrap();
    let game = EuroFront::new(opened.into_rules()).unwrap();
    let knowledge = EuroKnowledge::new(&game);
    let pair = |number: u64| {
        let utility = |own: u8| {
            let agents: Vec<_> = (0..game.sides().len() as u8)
                .map(|side| if side == own { search } else { "scripted" })
                .map(|spec| spec.parse::<AgentSpec>().unwrap().build(&knowledge).unwrap())
                .collect();
            let outcome = play_game(&game, agents, &mut Streams::new(2, number, 2), (), &mut ());
            f64::from(outcome.utility[Side(own)])
        };
        f64::midpoint(utility(0), utility(1))
    };
    (0..pairs).map(pair).collect()
}

/// So few games show no more than that the search is worth its time; the seeds are fixed.
#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn search_beats_the_scripted_player_in_1936() {
    let scores = scores("1936", "ismcts:iterations=48", 8);
    let mean = scores.iter().sum::<f64>() / scores.len() as f64;
    assert!(mean > 0.5, "{mean:.3}: {scores:?}");
}
