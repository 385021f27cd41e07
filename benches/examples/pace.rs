//! The pace of random play on one core, and where its time goes: for each phase, its decisions, how wide they are, and
//! the time of `legal_actions` and `apply` (which includes what follows, up to the next decision).
//!
//! ```text
//! cargo run --release -p sandtable-benches --example pace [SYSTEM] [CAMPAIGNS] [brief]
//! ```
//!
//! `SYSTEM` is `blitzwar` or `victory-in-europe`. With `brief` the phases are left out: the pace alone, for profilers.

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use sandtable_benches::{campaign, campaign_in_europe, dice, random_games};
use sandtable_core::{Dice, Game, Turn};

#[derive(Default)]
struct Phase {
    decisions: u64,
    actions: u64,
    generating: Duration,
    applying: Duration,
}

/// Plays `campaigns` random games and prints their pace.
fn pace<G: Game>(game: &G, campaigns: u64) {
    let start = Instant::now();
    let decisions = random_games(game, campaigns, &mut Vec::new());
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "{:.0} campaigns/s, {:.3} million decisions/s, {:.2} decisions a campaign, state {} bytes",
        campaigns as f64 / seconds,
        decisions as f64 / seconds / 1e6,
        decisions as f64 / campaigns as f64,
        size_of::<G::State>()
    );
}

/// Plays them again by lists, with a clock around every call, and prints the shares of the phases.
fn phases<G: Game>(game: &G, campaigns: u64, name: impl Fn(&G::State) -> String) {
    let mut phases: BTreeMap<String, Phase> = BTreeMap::new();
    let mut legal = Vec::new();
    for number in 0..campaigns {
        let mut context = dice(number);
        let mut state = game.initial(&mut context);
        while let Turn::Decide(_) = game.turn_of(&state) {
            let name = name(&state);
            legal.clear();
            let start = Instant::now();
            game.legal_actions(&state, &mut legal);
            let generated = Instant::now();
            let action = legal[context.below(legal.len() as u32) as usize];
            game.apply(&mut state, action, &mut context);
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
}

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let system = arguments.next().unwrap_or_else(|| "blitzwar".into());
    let campaigns = match arguments.next().map_or(Ok(20), |text| text.parse::<u64>()) {
        Ok(campaigns) => campaigns,
        Err(error) => {
            eprintln!("the number of campaigns: {error}");
            return ExitCode::from(2);
        }
    };
    let brief = arguments.next().is_some();
    match system.as_str() {
        "blitzwar" => {
            let game = campaign();
            pace(&game, campaigns);
            if !brief {
                phases(&game, campaigns, |state| format!("{:?}", state.phase()));
            }
        }
        "victory-in-europe" => {
            let game = campaign_in_europe();
            pace(&game, campaigns);
            if !brief {
                phases(&game, campaigns, |state| format!("{:?}", state.phase));
            }
        }
        other => {
            eprintln!("{other:?} is not a system: blitzwar or victory-in-europe");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
