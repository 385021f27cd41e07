//! `BlitzWar` on one core: copies, decisions, whole campaigns and search.
//!
//! Positions come from play: the middle of the war (turn 20) as the scripted players reach it, and as random players
//! do.

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput};
use sandtable_ai::search::Depth;
use sandtable_ai::{SystemKnowledge, UniformEvaluator, UniformPolicy};
use sandtable_ai_blitzwar::BlitzKnowledge;
use sandtable_benches::work::{Playouts, Search};
use sandtable_benches::{campaign, criterion, play, reached};
use sandtable_blitzwar::{BlitzWar, State};
use sandtable_core::Game;

/// The turn from which positions are taken.
const MIDDLE: u32 = 20;
/// Random campaigns of one measurement.
const CAMPAIGNS: u64 = 10;
/// Simulations of one search.
const SIMULATIONS: u64 = 100;

fn middle(game: &BlitzWar) -> impl Fn(&State) -> bool + '_ {
    |state| game.turn_number(state) == MIDDLE
}

/// Rollouts of two turns by the default policy, and searches with them.
fn search(group: &mut BenchmarkGroup<'_, WallTime>, game: &BlitzWar, knowledge: &BlitzKnowledge) {
    let state = reached(game, "scripted", knowledge, middle(game));
    let policy = knowledge.policy(knowledge.default_rollout()).unwrap_or(Box::new(UniformPolicy));
    let evaluator = knowledge.evaluator(knowledge.default_evaluator()).unwrap_or(Box::new(UniformEvaluator));
    let mut playouts = Playouts::new(game, state.clone(), Depth::Turns(2), policy, evaluator);
    group.throughput(Throughput::Elements(SIMULATIONS));
    group.bench_function("playouts of two turns", |bench| bench.iter(|| playouts.run(SIMULATIONS)));
    for agent in ["mcts", "ismcts"] {
        let spec = format!("{agent}:iterations={SIMULATIONS},depth=2t");
        let mut search = Search::new(game, state.clone(), &spec, knowledge);
        group.bench_function(format!("{agent}:depth=2t"), |bench| bench.iter(|| search.run()));
    }
}

fn blitzwar(criterion: &mut Criterion) {
    let game = campaign();
    let knowledge = BlitzKnowledge::new(&game);
    let mut group = criterion.benchmark_group("blitzwar");
    play::everything(&mut group, &game, &knowledge, MIDDLE, CAMPAIGNS);
    search(&mut group, &game, &knowledge);
}

fn main() {
    let mut criterion = criterion();
    blitzwar(&mut criterion);
    criterion.final_summary();
}
