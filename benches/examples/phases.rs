//! Where the time of random `BlitzWar` campaigns goes: for each phase, its decisions, how wide they are, and the time of
//! `legal_actions` and `apply` (which includes what follows, up to the next decision).
//!
//! ```text
//! cargo run --release -p sandtable-benches --example phases [CAMPAIGNS]
//! ```

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use sandtable_benches::{campaign, dice};
use sandtable_core::{Dice, Game, Turn};

#[derive(Default)]
struct Phase {
    decisions: u64,
    actions: u64,
    generating: Duration,
    applying: Duration,
}

fn main() -> ExitCode {
    let campaigns = match std::env::args().nth(1).map_or(Ok(20), |text| text.parse::<u64>()) {
        Ok(campaigns) => campaigns,
        Err(error) => {
            eprintln!("the number of campaigns: {error}");
            return ExitCode::from(2);
        }
    };
    let game = campaign();
    let mut phases: BTreeMap<String, Phase> = BTreeMap::new();
    let mut legal = Vec::new();
    for number in 0..campaigns {
        let mut table = dice(number);
        let mut state = game.initial(&mut table);
        while let Turn::Decide(_) = game.turn_of(&state) {
            let name = format!("{:?}", state.phase());
            legal.clear();
            let start = Instant::now();
            game.legal_actions(&state, &mut legal);
            let generated = Instant::now();
            let action = legal[table.below(legal.len() as u32) as usize];
            game.apply(&mut state, action, &mut table);
            let applied = Instant::now();
            let phase = phases.entry(name).or_default();
            phase.decisions += 1;
            phase.actions += legal.len() as u64;
            phase.generating += generated - start;
            phase.applying += applied - generated;
        }
    }
    let total: Duration = phases.values().map(|phase| phase.generating + phase.applying).sum();
    println!("phase                     decisions  actions   legal_actions        apply    share");
    println!("                         a campaign     each         ns each      ns each  of time");
    for (name, phase) in &phases {
        let each = |time: Duration| time.as_nanos() as f64 / phase.decisions as f64;
        println!(
            "{name:<25} {:>10.1} {:>8.1} {:>15.0} {:>12.0} {:>7.1}%",
            phase.decisions as f64 / campaigns as f64,
            phase.actions as f64 / phase.decisions as f64,
            each(phase.generating),
            each(phase.applying),
            100.0 * (phase.generating + phase.applying).as_secs_f64() / total.as_secs_f64(),
        );
    }
    ExitCode::SUCCESS
}
