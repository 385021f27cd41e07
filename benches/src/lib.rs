//! What the benchmarks share: positions that play reaches, the work that is timed on them, what is measured of every
//! wargame ([`play`]), and paired measurement.
//!
//! * `benches/reference.rs`: throughput of the reference games and of search in them.
//! * `benches/blitzwar.rs`: copies, decisions, whole campaigns and search in `BlitzWar`.
//! * `benches/victory_in_europe.rs`: copies, decisions, determinizations and random campaigns in *Victory in Europe*.
//! * `benches/roads_to_moscow.rs`: the same of *Roads to Moscow*, and scripted games.
//! * `benches/eurofront.rs`: the same of `EuroFront`: of 1936, and random play of 1941.
//! * `benches/europe_engulfed.rs`: the same of *Europe Engulfed*, in random play.
//! * `benches/search_overhead.rs`: simulations a second of tree search against the playouts inside it, interleaved.
//! * `examples/pace.rs`: the pace of random play, phase by phase.
//! * `examples/search_speed.rs`: the rates of search agents, and plain rollouts beside them.
//! * `examples/peer.rs`: this side of the comparison in `peers/`.
//! * `scripts/`: figures of whole processes.

use std::time::Duration;

use criterion::Criterion;
use sandtable_ai::{Agent, AgentSpec, Decision, Streams, SystemKnowledge, play_game};
use sandtable_blitzwar::BlitzWar;
use sandtable_core::{Game, PlayContext, Rng64, play_out_random};
use sandtable_eurofront::EuroFront;
use sandtable_europe_engulfed::EuropeEngulfed;
use sandtable_roads_to_moscow::RoadsToMoscow;
use sandtable_victory_in_europe::VictoryInEurope;

pub mod paired;
pub mod play;
pub mod work;

/// Short measurements: a benchmark takes about three seconds.
pub fn criterion() -> Criterion {
    Criterion::default()
        .sample_size(20)
        .warm_up_time(Duration::from_millis(500))
        .measurement_time(Duration::from_secs(2))
        .configure_from_args()
}

/// The dice of game number `game`, with nobody listening.
pub fn dice(game: u64) -> PlayContext<Rng64> {
    PlayContext::silent(Rng64::stream(1, game, 0))
}

/// The campaign of `BlitzWar`.
///
/// # Panics
/// If its data are damaged.
pub fn campaign() -> BlitzWar {
    let scenario =
        sandtable_scenarios_blitzwar::open("blitzwar/campaign-1939", &[]).expect("an embedded scenario");
    BlitzWar::new(scenario.into_rules()).expect("checked rules")
}

/// The campaign of *Victory in Europe*.
///
/// # Panics
/// If its data are damaged.
pub fn campaign_in_europe() -> VictoryInEurope {
    let scenario = sandtable_scenarios_victory_in_europe::open("victory-in-europe/campaign-1939", &[])
        .expect("an embedded scenario");
    VictoryInEurope::new(scenario.into_rules()).expect("checked rules")
}

/// The battle for Mozhaysk, the largest scenario of *Roads to Moscow*.
///
/// # Panics
/// If its data are damaged.
pub fn mozhaysk() -> RoadsToMoscow {
    let scenario = sandtable_scenarios_roads_to_moscow::open("roads-to-moscow/mozhaysk", &[])
        .expect("an embedded scenario");
    RoadsToMoscow::new(scenario.into_rules()).expect("checked rules")
}

/// A scenario of `EuroFront`.
///
/// # Panics
/// If there is none of this name, or its data are damaged.
pub fn eurofront(name: &str) -> EuroFront {
    let scenario = sandtable_scenarios_eurofront::open(name, &[]).expect("an embedded scenario");
    EuroFront::new(scenario.into_rules()).expect("checked rules")
}

/// A scenario of *Europe Engulfed*.
///
/// # Panics
/// If there is none of this name, or its data are damaged.
pub fn europe_engulfed(name: &str) -> EuropeEngulfed {
    let scenario = sandtable_scenarios_europe_engulfed::open(name, &[]).expect("an embedded scenario");
    EuropeEngulfed::new(scenario.into_rules()).expect("checked rules")
}

/// The first position that `wanted` accepts, over games 0, 1, 2... in which the agent of `spec` plays all sides.
///
/// # Panics
/// If the specification is wrong.
pub fn reached<G: Game + 'static>(
    game: &G,
    spec: &str,
    knowledge: &dyn SystemKnowledge<G>,
    wanted: impl Fn(&G::State) -> bool,
) -> G::State {
    positions(game, spec, knowledge, wanted).swap_remove(0)
}

/// All positions of one game that `wanted` accepts; the game is the first, as in [`reached`], that has any.
///
/// # Panics
/// If the specification is wrong.
pub fn positions<G: Game + 'static>(
    game: &G,
    spec: &str,
    knowledge: &dyn SystemKnowledge<G>,
    wanted: impl Fn(&G::State) -> bool,
) -> Vec<G::State> {
    let mut found = Vec::new();
    for number in 0.. {
        let mut streams = Streams::new(1, number, game.sides().len());
        play_game(game, agents(game, spec, knowledge), &mut streams, (), &mut |decision: &Decision<
            '_,
            G,
        >| {
            if wanted(decision.state) {
                found.push(decision.state.clone());
            }
        });
        if !found.is_empty() {
            break;
        }
    }
    found
}

/// One agent of `spec` for each side.
///
/// # Panics
/// If the specification is wrong.
pub fn agents<G: Game + 'static>(
    game: &G,
    spec: &str,
    knowledge: &dyn SystemKnowledge<G>,
) -> Vec<Box<dyn Agent<G>>> {
    let spec: AgentSpec = spec.parse().expect("a good specification");
    game.sides().iter().map(|_| spec.build(knowledge).expect("a good specification")).collect()
}

/// Plays games 0 to `games` at random and returns their decisions.
pub fn random_games<G: Game>(game: &G, games: u64, legal: &mut Vec<G::Action>) -> u64 {
    (0..games)
        .map(|number| {
            let mut context = dice(number);
            let mut state = game.initial(&mut context);
            u64::from(play_out_random(game, &mut state, &mut context, legal))
        })
        .sum()
}
