//! Where random play spends its decisions and its time: `cargo run --release --example pace -- [SCENARIO] [GAMES]
//! [brief]`. With a third argument the speed alone, for profilers.

use std::collections::BTreeMap;
use std::time::Instant;

use sandtable_core::{Dice, Game, Rng64, Seat, Turn};
use sandtable_victory_in_europe::VictoryInEurope;

fn main() {
    let scenario = std::env::args().nth(1).unwrap_or_else(|| "victory-in-europe/campaign-1939".into());
    let games: u64 = std::env::args().nth(2).map_or(100, |games| games.parse().expect("a number of games"));
    let opened = sandtable_scenarios::open(&scenario, &[]).expect("a scenario");
    let game = VictoryInEurope::new(opened.into_victory_in_europe()).expect("valid rules");
    let mut legal = Vec::new();

    let start = Instant::now();
    let mut decisions = 0u64;
    for number in 0..games {
        let mut table = Seat::silent(Rng64::stream(1, number, 0));
        let mut state = game.initial(&mut table);
        decisions += u64::from(sandtable_core::play_out_random(&game, &mut state, &mut table, &mut legal));
    }
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{:.0} games/s, {:.2} million decisions/s, {:.0} decisions a game, state {} bytes",
        games as f64 / seconds,
        decisions as f64 / seconds / 1e6,
        decisions as f64 / games as f64,
        std::mem::size_of::<sandtable_victory_in_europe::State>()
    );

    if std::env::args().nth(3).is_some() {
        return;
    }

    // The same again with a clock around every call: shares, not speeds.
    let mut shares: BTreeMap<String, (u64, u64, u64, u64)> = BTreeMap::new();
    for number in 0..games.min(20) {
        let mut table = Seat::silent(Rng64::stream(1, number, 0));
        let mut state = game.initial(&mut table);
        while let Turn::Decide(_) = game.turn_of(&state) {
            let pending = format!("{:?}", state.pending);
            let key = format!("{:?} {}", state.phase, pending.split(['(', ' ']).next().unwrap_or(""));
            let before = Instant::now();
            legal.clear();
            game.legal_actions(&state, &mut legal);
            let middle = Instant::now();
            let action = legal[table.below(legal.len() as u32) as usize];
            game.apply(&mut state, action, &mut table);
            let entry = shares.entry(key).or_default();
            entry.0 += 1;
            entry.1 += legal.len() as u64;
            entry.2 += (middle - before).as_nanos() as u64;
            entry.3 += middle.elapsed().as_nanos() as u64;
        }
    }
    let total: u64 = shares.values().map(|entry| entry.2 + entry.3).sum();
    let mut rows: Vec<_> = shares.into_iter().collect();
    rows.sort_by_key(|(_, entry)| std::cmp::Reverse(entry.2 + entry.3));
    println!(
        "{:<34} {:>9} {:>7} {:>8} {:>8} {:>6}",
        "phase", "decisions", "width", "list ns", "play ns", "share"
    );
    for (phase, (count, width, list, play)) in rows {
        println!(
            "{phase:<34} {count:>9} {:>7.1} {:>8} {:>8} {:>5.1}%",
            width as f64 / count as f64,
            list / count,
            play / count,
            100.0 * (list + play) as f64 / total as f64
        );
    }
}
