//! Search in Roads to Moscow beats the player it starts from.

use sandtable_ai::{AgentSpec, Streams, play_game};
use sandtable_ai_roads_to_moscow::MoscowKnowledge;
use sandtable_core::Game;
use sandtable_roads_to_moscow::RoadsToMoscow;

/// Scores of a search with a small budget against the scripted player: sides swapped, dice shared within each pair of games.
fn scores(scenario: &str, search: &str, pairs: u64) -> Vec<f64> {
    let name = format!("roads-to-moscow/{scenario}");
    let opened = sandtable_scenarios_roads_to_moscow::open(&name, &[]).unwrap();
    let game = RoadsToMoscow::new(opened.into_rules()).unwrap();
    let knowledge = MoscowKnowledge::new(&game);
    let pair = |number: u64| {
        let won = |team: u8| {
            let agents: Vec<_> = game
                .sides()
                .iter()
                .map(|side| if side.team == team { search } else { "scripted" })
                .map(|spec| spec.parse::<AgentSpec>().unwrap().build(&knowledge).unwrap())
                .collect();
            let outcome = play_game(&game, agents, &mut Streams::new(2, number, 2), (), &mut ());
            f64::from(u8::from(outcome.winner == Some(team)))
        };
        f64::midpoint(won(0), won(1))
    };
    (0..pairs).map(pair).collect()
}

/// So few games show no more than that the search is worth its time; the seeds are fixed.
#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn search_beats_the_scripted_player_at_pervyy_voin() {
    let scores = scores("pervyy-voin", "ismcts:iterations=64", 16);
    let mean = scores.iter().sum::<f64>() / scores.len() as f64;
    assert!(mean > 0.5, "{mean:.3}: {scores:?}");
}
