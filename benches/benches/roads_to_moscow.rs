//! *Roads to Moscow* on one core: copies, decisions, determinizations, random and scripted games of Scenario 4.
//!
//! Positions come from play: a turn in the middle of the battle for Mozhaysk as the scripted players reach it, and as
//! random players do.

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput};
use sandtable_ai::{Streams, play_game};
use sandtable_ai_roads_to_moscow::MoscowKnowledge;
use sandtable_benches::{agents, criterion, dice, mozhaysk, positions, random_games};
use sandtable_core::{Game, Turn};
use sandtable_roads_to_moscow::{RoadsToMoscow, State};

/// The turn from which positions are taken.
const MIDDLE: u32 = 4;
/// Random games of one measurement.
const GAMES: u64 = 20;

/// The smallest steps, on every decision of one turn of play by these agents.
fn steps(
    group: &mut BenchmarkGroup<'_, WallTime>,
    game: &RoadsToMoscow,
    knowledge: &MoscowKnowledge,
    player: &str,
) {
    let states: Vec<State> = positions(game, player, knowledge, |state| game.turn_number(state) == MIDDLE);
    let name = |what: &str| format!("{what}, {player} play");
    let mut bench = |what: &str, run: &mut dyn FnMut(&State)| {
        group.throughput(Throughput::Elements(states.len() as u64));
        group.bench_function(name(what), |bench| {
            bench.iter(|| states.iter().for_each(|state| run(black_box(state))));
        });
    };
    let mut into = states[0];
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

/// Random play from the first turn to the end of the battle.
fn random(group: &mut BenchmarkGroup<'_, WallTime>, game: &RoadsToMoscow) {
    let mut legal = Vec::new();
    let decisions = random_games(game, GAMES, &mut legal);
    for (name, units) in [("random games", GAMES), ("random decisions", decisions)] {
        group.throughput(Throughput::Elements(units));
        group.bench_function(name, |bench| {
            bench.iter(|| black_box(random_games(game, GAMES, &mut legal)));
        });
    }
}

/// Whole games between scripted players.
fn scripted(group: &mut BenchmarkGroup<'_, WallTime>, game: &RoadsToMoscow, knowledge: &MoscowKnowledge) {
    group.sample_size(10).throughput(Throughput::Elements(1));
    let mut number = 0;
    group.bench_function("scripted games", |bench| {
        bench.iter(|| {
            number += 1;
            let mut streams = Streams::new(1, number, game.sides().len());
            play_game(game, agents(game, "scripted", knowledge), &mut streams, (), &mut ())
        });
    });
}

fn roads_to_moscow(criterion: &mut Criterion) {
    let game = mozhaysk();
    let knowledge = MoscowKnowledge::new(&game);
    let mut group = criterion.benchmark_group("roads-to-moscow");
    group.measurement_time(Duration::from_secs(3));
    for player in ["scripted", "random"] {
        steps(&mut group, &game, &knowledge, player);
    }
    random(&mut group, &game);
    scripted(&mut group, &game, &knowledge);
}

fn main() {
    let mut criterion = criterion();
    roads_to_moscow(&mut criterion);
    criterion.final_summary();
}
