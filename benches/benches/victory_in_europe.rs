//! *Victory in Europe* on one core: copies, decisions, determinizations drawn anew, and whole campaigns.
//!
//! Positions come from play: a turn in the middle of the war as the scripted players reach it, and as random players
//! do.

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput};
use sandtable_ai_victory_in_europe::VictoryKnowledge;
use sandtable_benches::{campaign_in_europe, criterion, dice, positions, random_games};
use sandtable_core::{Game, Turn};
use sandtable_victory_in_europe::{State, VictoryInEurope};

/// The turn from which positions are taken.
const MIDDLE: u32 = 10;
/// Random campaigns of one measurement.
const CAMPAIGNS: u64 = 10;

/// The smallest steps, on every decision of one turn of play by these agents.
fn steps(
    group: &mut BenchmarkGroup<'_, WallTime>,
    game: &VictoryInEurope,
    knowledge: &VictoryKnowledge,
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

/// Random play from the first turn to the end of the war.
fn random(group: &mut BenchmarkGroup<'_, WallTime>, game: &VictoryInEurope) {
    let mut legal = Vec::new();
    let decisions = random_games(game, CAMPAIGNS, &mut legal);
    for (name, units) in [("random campaigns", CAMPAIGNS), ("random decisions", decisions)] {
        group.throughput(Throughput::Elements(units));
        group.bench_function(name, |bench| {
            bench.iter(|| black_box(random_games(game, CAMPAIGNS, &mut legal)));
        });
    }
}

fn victory_in_europe(criterion: &mut Criterion) {
    let game = campaign_in_europe();
    let knowledge = VictoryKnowledge::new(&game);
    let mut group = criterion.benchmark_group("victory-in-europe");
    group.measurement_time(Duration::from_secs(3));
    for player in ["scripted", "random"] {
        steps(&mut group, &game, &knowledge, player);
    }
    random(&mut group, &game);
}

fn main() {
    let mut criterion = criterion();
    victory_in_europe(&mut criterion);
    criterion.final_summary();
}
