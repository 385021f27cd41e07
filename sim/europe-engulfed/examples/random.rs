//! Random games of a scenario: how long they are, how they end, how fast they are played.
//!
//! `cargo run --release -p sandtable-europe-engulfed --example random -- europe-engulfed/patton-1945 1000`

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::Instant;

use sandtable_core::{Game, PlayContext, Rng64, play_out_random};
use sandtable_europe_engulfed::{EuropeEngulfed, State};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let scenario = arguments.next().unwrap_or_else(|| "europe-engulfed/patton-1945".into());
    let games: u64 = arguments.next().and_then(|number| number.parse().ok()).unwrap_or(100);
    let rules = sandtable_scenarios_europe_engulfed::open(&scenario, &[]).expect("a scenario").into_rules();
    let game = EuropeEngulfed::new(rules).expect("sound data");
    let (mut legal, mut decisions, mut ends) = (Vec::new(), 0u64, BTreeMap::new());
    let start = Instant::now();
    let mut last = None;
    for number in 0..games {
        let mut context = PlayContext::silent(Rng64::stream(1, number, 0));
        let mut state = game.initial(&mut context);
        decisions += u64::from(play_out_random(&game, &mut state, &mut context, &mut legal));
        let end = game.outcome(&state).expect("a finished game").end_reason;
        *ends.entry(end).or_insert(0u64) += 1;
        last = Some(state);
    }
    let seconds = start.elapsed().as_secs_f64();
    println!("{scenario}: {games} random games, seed 1, {ends:?}");
    println!("{} decisions a game", decisions / games.max(1));
    println!(
        "{:.0} decisions a second, {:.1} games a second",
        decisions as f64 / seconds,
        games as f64 / seconds
    );
    if let Some(state) = last {
        let start = Instant::now();
        for _ in 0..100_000 {
            black_box(black_box(&state).clone());
        }
        let nanoseconds = start.elapsed().as_secs_f64() * 1e4;
        println!("a state of {} bytes, cloned in {nanoseconds:.0} ns", size_of::<State>());
    }
}
