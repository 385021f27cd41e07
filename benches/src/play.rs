//! What is measured of every wargame: the smallest steps on positions that play reaches, and whole games.

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Throughput};
use sandtable_ai::search::Depth;
use sandtable_ai::{Streams, SystemKnowledge, UniformEvaluator, play_game};
use sandtable_core::{Game, Turn};

use crate::work::Playouts;
use crate::{agents, dice, positions, random_games};

/// The smallest steps, each on all decisions of one turn of a game played by the agent of `spec`.
///
/// # Panics
/// If the specification is wrong.
pub fn steps<G: Game + 'static>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    game: &G,
    knowledge: &dyn SystemKnowledge<G>,
    spec: &str,
    turn: u32,
) {
    let states = positions(game, spec, knowledge, |state| game.turn_number(state) == turn);
    let mut bench = |what: &str, run: &mut dyn FnMut(&G::State)| {
        group.throughput(Throughput::Elements(states.len() as u64));
        group.bench_function(format!("{what}, {spec} play"), |bench| {
            bench.iter(|| states.iter().for_each(|state| run(black_box(state))));
        });
    };
    let mut into = states[0].clone();
    bench("clone", &mut |state| {
        into.clone_from(state);
        black_box(&into);
    });
    bench("hash", &mut |state| {
        black_box(game.hash(state));
    });
    let mut legal = Vec::new();
    bench("legal actions", &mut |state| {
        legal.clear();
        game.legal_actions(state, &mut legal);
        black_box(&legal);
    });
    let mut context = dice(0);
    let (mut buffer, mut chosen) = (Vec::new(), 0);
    // Every decision, each time another action of it.
    bench("clone, apply and list", &mut |state| {
        legal.clear();
        game.legal_actions(state, &mut legal);
        chosen += 1;
        into.clone_from(state);
        game.apply_listing(&mut into, legal[chosen % legal.len()], &mut context, &mut buffer, |_| true);
        black_box((&into, &buffer));
    });
    bench("determinize", &mut |state| {
        if let Turn::Decide(side) = game.turn_of(state) {
            black_box(game.determinize(state, side, &mut context.dice));
        }
    });
    bench("observation", &mut |state| {
        if let Turn::Decide(side) = game.turn_of(state) {
            black_box(game.observation(state, side));
        }
    });
}

/// Random play from the first turn to the end, `games` of them a measurement: games a second, and decisions.
pub fn random<G: Game>(group: &mut BenchmarkGroup<'_, WallTime>, game: &G, games: u64) {
    let mut legal = Vec::new();
    let decisions = random_games(game, games, &mut legal);
    for (name, units) in [("games", games), ("decisions", decisions)] {
        group.throughput(Throughput::Elements(units));
        group.bench_function(format!("random {name}"), |bench| {
            bench.iter(|| black_box(random_games(game, games, &mut legal)));
        });
    }
}

/// Whole games by each policy that the system knows: as agents play them, who see only what their side may
/// (`scripted games`), and as a rollout does (`scripted rollouts`).
///
/// # Panics
/// If a policy is listed that there is not.
pub fn policies<G: Game + 'static>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    game: &G,
    knowledge: &dyn SystemKnowledge<G>,
) {
    group.sample_size(10).throughput(Throughput::Elements(1));
    let start = game.initial(&mut dice(0));
    for policy in knowledge.policies() {
        let spec = format!("scripted:policy={}", policy.name);
        let mut number = 0;
        group.bench_function(format!("{} games", policy.name), |bench| {
            bench.iter(|| {
                number += 1;
                let mut streams = Streams::new(1, number, game.sides().len());
                play_game(game, agents(game, &spec, knowledge), &mut streams, (), &mut ())
            });
        });
        let policy_of_rollout = knowledge.policy(policy.name).expect("a policy that is listed");
        let mut rollout =
            Playouts::new(game, start.clone(), Depth::End, policy_of_rollout, Box::new(UniformEvaluator));
        group.bench_function(format!("{} rollouts", policy.name), |bench| bench.iter(|| rollout.run(1)));
    }
}

/// All of these, on the positions of game turn `middle` and over `random_games` random games a measurement.
pub fn everything<G: Game + 'static>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    game: &G,
    knowledge: &dyn SystemKnowledge<G>,
    middle: u32,
    random_games: u64,
) {
    group.measurement_time(Duration::from_secs(3));
    for player in ["scripted", "random"] {
        steps(group, game, knowledge, player, middle);
    }
    random(group, game, random_games);
    policies(group, game, knowledge);
}
