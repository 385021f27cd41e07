//! Search over plans makes the scripted player stronger.

use sandtable_ai::{AgentSpec, Streams, play_game};
use sandtable_ai_blitzwar::BlitzKnowledge;
use sandtable_blitzwar::BlitzWar;
use sandtable_core::{Game, SideInfo};

/// With a small budget a search beats the player it starts from. Barbarossa, sides swapped and dice shared within each
/// pair of games. Measured by the share of the ten victory points and over pairs: who is the Axis decides many games, so
/// that the winner alone says little.
#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn search_beats_the_scripted_blitzwar_player() {
    const PAIRS: u64 = 12;
    let scenario = sandtable_scenarios_blitzwar::open("blitzwar/barbarossa-1941", &[]).unwrap();
    let game = BlitzWar::new(scenario.into_rules()).unwrap();
    let knowledge = BlitzKnowledge::new(&game);
    let specs = ["mcts:iterations=60", "scripted"].map(|spec| spec.parse::<AgentSpec>().unwrap());
    let pair = |number: u64| {
        let score = |team: u8| {
            let agent = |side: &SideInfo| {
                specs[usize::from(side.team != team)].build::<BlitzWar>(&knowledge).unwrap()
            };
            let agents: Vec<_> = game.sides().iter().map(agent).collect();
            let outcome = play_game(&game, agents, &mut Streams::new(11, number, 3), (), &mut ());
            f64::from(outcome.utility.0[usize::from(team)])
        };
        f64::midpoint(score(0), score(1))
    };
    let scores: Vec<f64> = (0..PAIRS).map(pair).collect();
    let n = PAIRS as f64;
    let mean = scores.iter().sum::<f64>() / n;
    let variance = scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let half = 1.96 * (variance / n).sqrt();
    println!("score {mean:.3} +- {half:.3} in {PAIRS} pairs");
    assert!(mean - half > 0.5, "{mean:.3} +- {half:.3}: {scores:?}");
}
