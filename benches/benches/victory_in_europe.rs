//! *Victory in Europe* on one core: copies, decisions, determinizations drawn anew, and whole campaigns.
//!
//! Positions come from play: a turn in the middle of the war as the scripted players reach it, and as random players
//! do.

use sandtable_ai_victory_in_europe::VictoryKnowledge;
use sandtable_benches::{campaign_in_europe, criterion, play};

/// The turn from which positions are taken.
const MIDDLE: u32 = 10;
/// Random campaigns of one measurement.
const CAMPAIGNS: u64 = 10;

fn main() {
    let mut criterion = criterion();
    let game = campaign_in_europe();
    let knowledge = VictoryKnowledge::new(&game);
    let mut group = criterion.benchmark_group("victory-in-europe");
    play::everything(&mut group, &game, &knowledge, MIDDLE, CAMPAIGNS);
    group.finish();
    criterion.final_summary();
}
