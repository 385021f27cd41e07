//! What a tree costs: simulations a second of a search over playouts a second from the same position, interleaved.
//!
//! A simulation is a copy of the root, the path down the tree, a playout from the new node to the end, and backing up
//! its worth. A playout is the copy, the same play from the root itself, and the worth. Information-set search draws a
//! determinization for each simulation besides.

use std::time::Duration;

use sandtable_ai::search::Depth;
use sandtable_ai::{Plain, SystemKnowledge, UniformEvaluator, UniformPolicy};
use sandtable_ai_blitzwar::BlitzKnowledge;
use sandtable_ai_victory_in_europe::VictoryKnowledge;
use sandtable_benches::paired::compare;
use sandtable_benches::work::{Playouts, Search};
use sandtable_benches::{campaign, campaign_in_europe, dice, reached};
use sandtable_core::Game;
use sandtable_reference::{Backgammon, ConnectFour, Kuhn};

const ROUNDS: usize = 7;
const TURN: Duration = Duration::from_millis(150);

fn case<G: Game + 'static>(
    name: &str,
    game: &G,
    state: &G::State,
    spec: &str,
    knowledge: &dyn SystemKnowledge<G>,
    mut playouts: Playouts<'_, G>,
) {
    let mut search = Search::new(game, state.clone(), spec, knowledge);
    // As many playouts between two looks at the clock as simulations: where a playout takes a quarter of a microsecond,
    // a look takes as long as many of them.
    let batch = search.run();
    let comparison = compare(ROUNDS, TURN, &mut || search.run(), &mut || {
        playouts.run(batch);
        batch
    });
    let [low, middle, high] = comparison.ratio;
    println!(
        "{:<56} {:>11.0} {:>11.0}   {middle:.2} ({low:.2} to {high:.2})",
        format!("{name}, {spec}"),
        comparison.first,
        comparison.second
    );
}

fn random<G: Game + 'static>(name: &str, game: &G, state: &G::State, spec: &str) {
    case(name, game, state, spec, &Plain, Playouts::random(game, state.clone()));
}

fn reference() {
    let connect_four = ConnectFour::new();
    let start = connect_four.initial(&mut dice(0));
    let middle = reached(&connect_four, "random", &Plain, |state| connect_four.turn_number(state) == 3);
    for spec in ["mcts:iterations=1000", "mcts:iterations=10000", "ismcts:iterations=10000"] {
        random("connect four", &connect_four, &start, spec);
    }
    random("connect four, turn 3", &connect_four, &middle, "mcts:iterations=10000");
    let backgammon = Backgammon::new();
    let start = backgammon.initial(&mut dice(0));
    let middle = reached(&backgammon, "random", &Plain, |state| backgammon.turn_number(state) == 20);
    for spec in ["mcts:iterations=1000", "mcts:iterations=10000", "ismcts:iterations=10000"] {
        random("backgammon", &backgammon, &start, spec);
    }
    random("backgammon, turn 20", &backgammon, &middle, "mcts:iterations=10000");
    let kuhn = Kuhn::new();
    random("kuhn", &kuhn, &kuhn.initial(&mut dice(0)), "ismcts:iterations=10000");
}

/// A turn of a war, as the scripted players reach it; rollouts by the default policy, two game turns long.
fn war<G: Game + 'static>(name: &str, game: &G, knowledge: &dyn SystemKnowledge<G>, turn: u32) {
    let state = reached(game, "scripted", knowledge, |state| game.turn_number(state) >= turn);
    for agent in ["mcts", "ismcts"] {
        let policy = knowledge.policy(knowledge.default_rollout()).unwrap_or(Box::new(UniformPolicy));
        let evaluator =
            knowledge.evaluator(knowledge.default_evaluator()).unwrap_or(Box::new(UniformEvaluator));
        let playouts = Playouts::new(game, state.clone(), Depth::Turns(2), policy, evaluator);
        let spec = format!("{agent}:over=actions,iterations=200,depth=2t");
        case(&format!("{name}, turn {turn}"), game, &state, &spec, knowledge, playouts);
    }
}

fn main() {
    println!("{:<56} {:>11} {:>11}   ratio (range of {ROUNDS} rounds)", "", "simulations", "playouts /s");
    reference();
    let blitzwar = campaign();
    war("blitzwar", &blitzwar, &BlitzKnowledge::new(&blitzwar), 20);
    let europe = campaign_in_europe();
    war("victory in europe", &europe, &VictoryKnowledge::new(&europe), 10);
}
