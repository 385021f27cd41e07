//! *Europe Engulfed* on one core, as the other wargames are measured: the campaign of 1939.

use sandtable_ai_europe_engulfed::EngulfedKnowledge;
use sandtable_benches::{criterion, europe_engulfed, play};

/// The turn from which positions are taken: March and April 1942.
const MIDDLE: u32 = 16;
/// Random campaigns of one measurement.
const CAMPAIGNS: u64 = 10;

fn main() {
    let mut criterion = criterion();
    let game = europe_engulfed("europe-engulfed/campaign-1939");
    let knowledge = EngulfedKnowledge::new(&game);
    let mut group = criterion.benchmark_group("europe-engulfed");
    play::everything(&mut group, &game, &knowledge, MIDDLE, CAMPAIGNS);
    group.finish();
    criterion.final_summary();
}
