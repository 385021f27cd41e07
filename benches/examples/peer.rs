//! This side of the comparisons in `benches/peers`: does one kind of work for a while and prints `units decisions
//! turns seconds`: games, simulations or determinizations, decisions and game turns in the games, and processor time.
//!
//! ```text
//! peer GAME WORK SECONDS [SIMULATIONS]
//! ```
//!
//! | game | work |
//! |---|---|
//! | `connect_four`, `backgammon` | `playouts`, `mcts` |
//! | `blitzwar` | `playouts`, `scripted`, `light` |
//! | `victory_in_europe` | `playouts`, `determinizations_scripted`, `determinizations_random` |
//!
//! In the wargames a playout is the whole 1939 campaign; `light` is a rollout of it by the light policy, `worlds_*`
//! are determinizations drawn for the side to decide on every decision of one turn of such play.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::Duration;

use sandtable_ai::search::Depth;
use sandtable_ai::{Plain, Streams, SystemKnowledge, UniformEvaluator, play_game};
use sandtable_ai_blitzwar::BlitzKnowledge;
use sandtable_ai_victory_in_europe::VictoryKnowledge;
use sandtable_benches::paired::now;
use sandtable_benches::work::{Playouts, Search};
use sandtable_benches::{agents, campaign, campaign_in_europe, dice, positions};
use sandtable_blitzwar::BlitzWar;
use sandtable_core::{Game, PlayContext, Rng64, Turn, play_out_random};
use sandtable_reference::{Backgammon, ConnectFour};
use sandtable_victory_in_europe::VictoryInEurope;

/// Random games between two looks at the clock: of the small games, and of campaigns.
const GAMES: u64 = 500;
const CAMPAIGNS: u64 = 5;
/// The turn whose decisions determinizations are drawn for, as in `benches/victory_in_europe.rs`.
const MIDDLE: u32 = 10;

#[derive(Default)]
struct Done {
    units: u64,
    decisions: u64,
    turns: u64,
    time: Duration,
}

/// Does batches of work until the time is up. A batch adds what it did.
fn repeat(least: Duration, mut batch: impl FnMut(&mut Done)) -> Done {
    let (start, mut done) = (now(), Done::default());
    while done.time < least {
        batch(&mut done);
        done.time = now().saturating_sub(start);
    }
    done
}

/// Whole random games, each from its own opening.
fn playouts<G: Game>(game: &G, least: Duration, games: u64) -> Done {
    let mut context = PlayContext::silent(Rng64::stream(1, 0, 0));
    let mut legal = Vec::new();
    repeat(least, |done| {
        for _ in 0..games {
            let mut state = game.initial(&mut context);
            done.decisions += u64::from(play_out_random(game, &mut state, &mut context, &mut legal));
            done.turns += u64::from(game.turn_number(&state));
        }
        done.units += games;
    })
}

/// Searches with one random playout a simulation, each with an empty tree from its own opening.
fn mcts<G: Game + 'static>(game: &G, least: Duration, simulations: u32) -> Done {
    let mut context = PlayContext::silent(Rng64::stream(1, 0, 0));
    // Utilities run from 0 to 1 here and from -1 to 1 there, where the same exploration is 1.0.
    let spec = format!("mcts:iterations={simulations},rule=ucb1,c=0.5");
    let mut search = Search::new(game, game.initial(&mut context), &spec, &Plain);
    repeat(least, |done| {
        search.set(game.initial(&mut context));
        done.units += search.run();
    })
}

fn small<G: Game + 'static>(game: &G, work: &str, least: Duration, simulations: u32) -> Option<Done> {
    match work {
        "playouts" => Some(playouts(game, least, GAMES)),
        "mcts" => Some(mcts(game, least, simulations)),
        _ => None,
    }
}

/// Campaigns by agents who see what their side may, as `sandtable play` plays them.
fn scripted(game: &BlitzWar, least: Duration) -> Done {
    let knowledge = BlitzKnowledge::new(game);
    repeat(least, |done| {
        done.units += 1;
        let mut streams = Streams::new(1, done.units, game.sides().len());
        play_game(game, agents(game, "scripted", &knowledge), &mut streams, (), &mut ());
    })
}

/// Rollouts of the campaign by the light policy.
fn light(game: &BlitzWar, least: Duration) -> Option<Done> {
    let policy = BlitzKnowledge::new(game).policy("light")?;
    let start = game.initial(&mut dice(0));
    let mut rollout = Playouts::new(game, start, Depth::End, policy, Box::new(UniformEvaluator));
    Some(repeat(least, |done| {
        rollout.run(1);
        done.units += 1;
    }))
}

fn determinizations(game: &VictoryInEurope, least: Duration, player: &str) -> Done {
    let knowledge = VictoryKnowledge::new(game);
    let states = positions(game, player, &knowledge, |state| game.turn_number(state) == MIDDLE);
    let mut context = dice(0);
    repeat(least, |done| {
        for state in &states {
            if let Turn::Decide(side) = game.turn_of(state) {
                black_box(game.determinize(black_box(state), side, &mut context.dice));
                done.units += 1;
            }
        }
    })
}

fn run(arguments: &[String]) -> Option<Done> {
    let (game, work, seconds, simulations) = match arguments {
        [game, work, seconds] => (game, work, seconds, 10_000),
        [game, work, seconds, simulations] => (game, work, seconds, simulations.parse().ok()?),
        _ => return None,
    };
    let least = Duration::try_from_secs_f64(seconds.parse().ok()?).ok()?;
    match (game.as_str(), work.as_str()) {
        ("connect_four", work) => small(&ConnectFour::new(), work, least, simulations),
        ("backgammon", work) => small(&Backgammon::new(), work, least, simulations),
        ("blitzwar", "playouts") => Some(playouts(&campaign(), least, CAMPAIGNS)),
        ("blitzwar", "scripted") => Some(scripted(&campaign(), least)),
        ("blitzwar", "light") => light(&campaign(), least),
        ("victory_in_europe", "playouts") => Some(playouts(&campaign_in_europe(), least, CAMPAIGNS)),
        ("victory_in_europe", "determinizations_scripted") => {
            Some(determinizations(&campaign_in_europe(), least, "scripted"))
        }
        ("victory_in_europe", "determinizations_random") => {
            Some(determinizations(&campaign_in_europe(), least, "random"))
        }
        _ => None,
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(Done { units, decisions, turns, time }) = run(&arguments) else {
        eprintln!(
            "usage: peer GAME WORK SECONDS [SIMULATIONS]\n  connect_four, backgammon: playouts, mcts\n  blitzwar: playouts, \
             scripted, light\n  victory_in_europe: playouts, determinizations_scripted, determinizations_random"
        );
        return ExitCode::from(2);
    };
    println!("{units} {decisions} {turns} {}", time.as_secs_f64());
    ExitCode::SUCCESS
}
