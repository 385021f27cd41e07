//! What is measured of every wargame: the smallest steps on positions that play reaches, and whole games.

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Throughput};
use sandtable_ai::{Streams, SystemKnowledge, play_game};
use sandtable_core::{Game, Turn};

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

/// Random play from the first turn to the end, `games` of them a measurement: games a second, and decisions. A game is
/// called `what`, in the plural.
pub fn random<G: Game>(group: &mut BenchmarkGroup<'_, WallTime>, game: &G, what: &str, games: u64) {
    let mut legal = Vec::new();
    let decisions = random_games(game, games, &mut legal);
    for (name, units) in [(what, games), ("decisions", decisions)] {
        group.throughput(Throughput::Elements(units));
        group.bench_function(format!("random {name}"), |bench| {
            bench.iter(|| black_box(random_games(game, games, &mut legal)));
        });
    }
}

/// Whole games of agents of `spec`, who see only what their side may.
///
/// # Panics
/// If the specification is wrong.
pub fn games<G: Game + 'static>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    game: &G,
    knowledge: &dyn SystemKnowledge<G>,
    spec: &str,
    name: &str,
) {
    group.sample_size(10).throughput(Throughput::Elements(1));
    let mut number = 0;
    group.bench_function(name, |bench| {
        bench.iter(|| {
            number += 1;
            let mut streams = Streams::new(1, number, game.sides().len());
            play_game(game, agents(game, spec, knowledge), &mut streams, (), &mut ())
        });
    });
}
