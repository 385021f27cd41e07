//! `EuroFront` on one core: the Spanish Civil War as the other wargames are measured, and games of the campaign of
//! 1941.

use sandtable_ai_eurofront::EuroKnowledge;
use sandtable_benches::{criterion, eurofront, play};

/// The turn from which positions are taken.
const MIDDLE: u32 = 20;
/// Random games of one measurement.
const GAMES: u64 = 10;

fn main() {
    let mut criterion = criterion();
    let game = eurofront("eurofront/1936");
    let mut group = criterion.benchmark_group("eurofront");
    play::everything(&mut group, &game, &EuroKnowledge::new(&game), MIDDLE, GAMES);
    group.finish();
    let game = eurofront("eurofront/1941");
    let mut group = criterion.benchmark_group("eurofront 1941");
    let knowledge = EuroKnowledge::new(&game);
    play::steps(&mut group, &game, &knowledge, "random", MIDDLE);
    play::random(&mut group, &game, GAMES);
    play::policies(&mut group, &game, &knowledge);
    group.finish();
    criterion.final_summary();
}
