//! Random playouts a second on one core: `cargo run --release -p sandtable-reference --example playouts`, of all games
//! or of those named after `--`. A busy machine shows less than a core can do: `perf stat -e task-clock` tells the
//! processor's own time.

use std::time::Instant;

use sandtable_core::{Game, PlayContext, Rng64, play_out_random};
use sandtable_reference::{Backgammon, ConnectFour, Skirmish};

fn time<G: Game>(name: &str, game: &G, games: u32) {
    let mut chosen = std::env::args().skip(1).peekable();
    if chosen.peek().is_some() && !chosen.any(|game| game == name) {
        return;
    }
    let mut context = PlayContext::silent(Rng64::stream(1, 0, 0));
    let mut actions = Vec::new();
    let mut decisions = 0;
    let start = Instant::now();
    for _ in 0..games {
        let mut state = game.initial(&mut context);
        decisions += u64::from(play_out_random(game, &mut state, &mut context, &mut actions));
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{name:<13} {:>10.0} games/s  {:>6.1} decisions a game  {:>5.1} ns a decision  {:>3} bytes of state",
        f64::from(games) / seconds,
        decisions as f64 / f64::from(games),
        seconds / decisions as f64 * 1e9,
        size_of::<G::State>(),
    );
}

fn main() {
    for _ in 0..3 {
        time("connect four", &ConnectFour::new(), 2_000_000);
        time("backgammon", &Backgammon::new(), 50_000);
        time("skirmish", &Skirmish::new(), 20_000);
    }
}
