//! *Roads to Moscow* on one core: copies, decisions, determinizations, random and scripted games of Scenario 4.
//!
//! Positions come from play: a turn in the middle of the battle for Mozhaysk as the scripted players reach it, and as
//! random players do.

use sandtable_ai_roads_to_moscow::MoscowKnowledge;
use sandtable_benches::{criterion, mozhaysk, play};

/// The turn from which positions are taken.
const MIDDLE: u32 = 4;
/// Random games of one measurement.
const GAMES: u64 = 20;

fn main() {
    let mut criterion = criterion();
    let game = mozhaysk();
    let knowledge = MoscowKnowledge::new(&game);
    let mut group = criterion.benchmark_group("roads-to-moscow");
    play::everything(&mut group, &game, &knowledge, MIDDLE, GAMES);
    group.finish();
    criterion.final_summary();
}
