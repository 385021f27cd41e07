//! The reference games: random play and search, on one core.

use std::hint::black_box;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput};
use sandtable_ai::Plain;
use sandtable_benches::work::{Playouts, Search};
use sandtable_benches::{criterion, dice, random_games, reached};
use sandtable_core::{Game, Turn};
use sandtable_reference::{Backgammon, ConnectFour, Kuhn};

/// Simulations of one search.
const SIMULATIONS: u64 = 10_000;

/// Whole random games, as games a second and as decisions a second.
fn random_play<G: Game>(group: &mut BenchmarkGroup<'_, WallTime>, game: &G, games: u64) {
    let mut legal = Vec::new();
    let decisions = random_games(game, games, &mut legal);
    for (name, units) in [("random games", games), ("random decisions", decisions)] {
        group.throughput(Throughput::Elements(units));
        group.bench_function(name, |bench| bench.iter(|| black_box(random_games(game, games, &mut legal))));
    }
}

/// Random playouts from a position, and searches there with one random playout a simulation.
fn search<G: Game + 'static>(
    group: &mut BenchmarkGroup<'_, WallTime>,
    game: &G,
    state: &G::State,
    agents: &[&str],
    playouts: u64,
) {
    group.throughput(Throughput::Elements(playouts));
    let mut random = Playouts::random(game, state.clone());
    group.bench_function("playouts", |bench| bench.iter(|| random.run(playouts)));
    group.throughput(Throughput::Elements(SIMULATIONS));
    for agent in agents {
        let spec = format!("{agent}{}iterations={SIMULATIONS}", if agent.contains(':') { "," } else { ":" });
        let mut search = Search::new(game, state.clone(), &spec, &Plain);
        group.bench_function(*agent, |bench| bench.iter(|| search.run()));
    }
}

fn connect_four(criterion: &mut Criterion) {
    let game = ConnectFour::new();
    let mut group = criterion.benchmark_group("connect four");
    random_play(&mut group, &game, 1000);
    search(&mut group, &game, &game.initial(&mut dice(0)), &["mcts", "ismcts", "flat-mc"], 1000);
}

fn backgammon(criterion: &mut Criterion) {
    let game = Backgammon::new();
    let mut group = criterion.benchmark_group("backgammon");
    random_play(&mut group, &game, 100);
    search(&mut group, &game, &game.initial(&mut dice(0)), &["mcts", "ismcts"], 100);
    let state = reached(&game, "random", &Plain, |state| game.turn_number(state) == 20);
    group.throughput(Throughput::Elements(1));
    let mut legal = Vec::new();
    group.bench_function("legal actions, turn 20", |bench| {
        bench.iter(|| {
            legal.clear();
            game.legal_actions(black_box(&state), &mut legal);
            legal.len()
        });
    });
}

fn kuhn(criterion: &mut Criterion) {
    let game = Kuhn::new();
    let mut group = criterion.benchmark_group("kuhn");
    random_play(&mut group, &game, 1000);
    let agents = ["mcts", "ismcts", "ismcts:opponents=informed"];
    search(&mut group, &game, &game.initial(&mut dice(0)), &agents, 1000);
    let second = reached(
        &game,
        "random",
        &Plain,
        |state| matches!(game.turn_of(state), Turn::Decide(side) if side.0 == 1),
    );
    let mut search = Search::new(&game, second, &format!("ismcts:iterations={SIMULATIONS}"), &Plain);
    group.bench_function("ismcts, second player", |bench| bench.iter(|| search.run()));
}

fn main() {
    let mut criterion = criterion();
    connect_four(&mut criterion);
    backgammon(&mut criterion);
    kuhn(&mut criterion);
    criterion.final_summary();
}
