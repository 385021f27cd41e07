//! `BlitzWar` on one core: copies, decisions, whole campaigns and search.
//!
//! Positions come from play: the middle of the war (turn 20) as the scripted players reach it, and as random players
//! do.

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput};
use sandtable_ai::search::Depth;
use sandtable_ai::{Streams, SystemKnowledge, UniformEvaluator, UniformPolicy, play_game};
use sandtable_ai_blitzwar::BlitzKnowledge;
use sandtable_benches::work::{Playouts, Search};
use sandtable_benches::{agents, campaign, criterion, dice, positions, random_games, reached};
use sandtable_blitzwar::{BlitzWar, State};
use sandtable_core::{Game, Turn};

/// The turn from which positions are taken.
const MIDDLE: u32 = 20;
/// Random campaigns of one measurement.
const CAMPAIGNS: u64 = 10;
/// Simulations of one search.
const SIMULATIONS: u64 = 100;

fn middle(game: &BlitzWar) -> impl Fn(&State) -> bool + '_ {
    |state| game.turn_number(state) == MIDDLE
}

/// The smallest steps, on every decision of one turn of scripted play.
fn steps(group: &mut BenchmarkGroup<'_, WallTime>, game: &BlitzWar, knowledge: &BlitzKnowledge) {
    let states = positions(game, "scripted", knowledge, middle(game));
    let count = Throughput::Elements(states.len() as u64);
    group.throughput(count.clone());
    let mut into = states[0].clone();
    group.bench_function("clone", |bench| {
        bench.iter(|| {
            for state in &states {
                into.clone_from(black_box(state));
                black_box(&into);
            }
        });
    });
    group.throughput(count.clone());
    let mut legal = Vec::new();
    group.bench_function("legal actions", |bench| {
        bench.iter(|| {
            for state in &states {
                legal.clear();
                game.legal_actions(black_box(state), &mut legal);
                black_box(&legal);
            }
        });
    });
    group.throughput(count);
    let mut context = dice(0);
    group.bench_function("determinize", |bench| {
        bench.iter(|| {
            for state in &states {
                let Turn::Decide(side) = game.turn_of(state) else { continue };
                black_box(game.determinize(state, side, &mut context.dice));
            }
        });
    });
}

/// Random play from the first turn to the end of the war.
fn random(group: &mut BenchmarkGroup<'_, WallTime>, game: &BlitzWar) {
    let mut legal = Vec::new();
    let decisions = random_games(game, CAMPAIGNS, &mut legal);
    for (name, units) in [("random campaigns", CAMPAIGNS), ("random decisions", decisions)] {
        group.throughput(Throughput::Elements(units));
        group.bench_function(name, |bench| {
            bench.iter(|| black_box(random_games(game, CAMPAIGNS, &mut legal)));
        });
    }
}

/// Whole campaigns by each policy: as agents play them, who see only what their side may, and as a rollout does.
fn policies(group: &mut BenchmarkGroup<'_, WallTime>, game: &BlitzWar, knowledge: &BlitzKnowledge) {
    group.sample_size(10).throughput(Throughput::Elements(1));
    let start = game.initial(&mut dice(0));
    for policy in knowledge.policies() {
        let spec = format!("scripted:policy={}", policy.name);
        let mut number = 0;
        group.bench_function(format!("{} campaign", policy.name), |bench| {
            bench.iter(|| {
                number += 1;
                let mut streams = Streams::new(1, number, game.sides().len());
                play_game(game, agents(game, &spec, knowledge), &mut streams, (), &mut ())
            });
        });
        let Some(policy_of_rollout) = knowledge.policy(policy.name) else { continue };
        let mut rollout =
            Playouts::new(game, start.clone(), Depth::End, policy_of_rollout, Box::new(UniformEvaluator));
        group.bench_function(format!("{} rollout of a campaign", policy.name), |bench| {
            bench.iter(|| rollout.run(1));
        });
    }
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
    group.measurement_time(Duration::from_secs(3));
    steps(&mut group, &game, &knowledge);
    random(&mut group, &game);
    policies(&mut group, &game, &knowledge);
    search(&mut group, &game, &knowledge);
}

fn main() {
    let mut criterion = criterion();
    blitzwar(&mut criterion);
    criterion.final_summary();
}
