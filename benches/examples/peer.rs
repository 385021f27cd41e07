//! This side of `benches/peers/openspiel.py`: does one kind of work for a while and prints
//! `units decisions turns seconds`: games or simulations, decisions and game turns in the games, and processor time.
//!
//! ```text
//! peer connect_four|backgammon playouts|mcts SECONDS [SIMULATIONS]
//! ```

use std::process::ExitCode;
use std::time::Duration;

use sandtable_ai::Plain;
use sandtable_benches::paired::now;
use sandtable_benches::work::Search;
use sandtable_core::{Game, Rng64, Seat, play_out_random};
use sandtable_reference::{Backgammon, ConnectFour};

/// Random games between two looks at the clock.
const BATCH: u64 = 500;

struct Done {
    units: u64,
    decisions: u64,
    turns: u64,
    time: Duration,
}

/// Whole random games, each from its own opening.
fn playouts<G: Game>(game: &G, least: Duration) -> Done {
    let mut table = Seat::silent(Rng64::stream(1, 0, 0));
    let mut legal = Vec::new();
    let (start, mut units, mut decisions, mut turns) = (now(), 0, 0, 0);
    loop {
        for _ in 0..BATCH {
            let mut state = game.initial(&mut table);
            decisions += u64::from(play_out_random(game, &mut state, &mut table, &mut legal));
            turns += u64::from(game.turn_number(&state));
        }
        units += BATCH;
        let time = now().saturating_sub(start);
        if time >= least {
            return Done { units, decisions, turns, time };
        }
    }
}

/// Searches with one random playout a simulation, each with an empty tree from its own opening.
fn mcts<G: Game + 'static>(game: &G, least: Duration, simulations: u32) -> Done {
    let mut table = Seat::silent(Rng64::stream(1, 0, 0));
    // Utilities run from 0 to 1 here and from -1 to 1 there, where the same exploration is 1.0.
    let spec = format!("mcts:iterations={simulations},rule=ucb1,c=0.5");
    let mut search = Search::new(game, game.initial(&mut table), &spec, &Plain);
    let (start, mut units) = (now(), 0);
    loop {
        units += search.run();
        let time = now().saturating_sub(start);
        if time >= least {
            return Done { units, decisions: 0, turns: 0, time };
        }
        search.set(game.initial(&mut table));
    }
}

fn work<G: Game + 'static>(game: &G, kind: &str, least: Duration, simulations: u32) -> Option<Done> {
    match kind {
        "playouts" => Some(playouts(game, least)),
        "mcts" => Some(mcts(game, least, simulations)),
        _ => None,
    }
}

fn run(arguments: &[String]) -> Option<Done> {
    let (game, kind, seconds, simulations) = match arguments {
        [game, kind, seconds] => (game, kind, seconds, 10_000),
        [game, kind, seconds, simulations] => (game, kind, seconds, simulations.parse().ok()?),
        _ => return None,
    };
    let least = Duration::try_from_secs_f64(seconds.parse().ok()?).ok()?;
    match game.as_str() {
        "connect_four" => work(&ConnectFour::new(), kind, least, simulations),
        "backgammon" => work(&Backgammon::new(), kind, least, simulations),
        _ => None,
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(Done { units, decisions, turns, time }) = run(&arguments) else {
        eprintln!("usage: peer connect_four|backgammon playouts|mcts SECONDS [SIMULATIONS]");
        return ExitCode::from(2);
    };
    println!("{units} {decisions} {turns} {}", time.as_secs_f64());
    ExitCode::SUCCESS
}
