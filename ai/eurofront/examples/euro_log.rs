#![allow(clippy::doc_markdown)] // the name of the game is no path

//! The course of games of *EuroFront* between agents: who wins, how the score goes, what is wasted; or the log of a single
//! game.
//!
//! ```text
//! cargo run --release -p sandtable-ai-eurofront --example euro_log SCENARIO[@MONTHS][:SEED] [GAMES [AXIS [COALITION]]]
//! cargo run --release -p sandtable-ai-eurofront --example euro_log SCENARIO[:SEED] log NUMBER [AXIS [COALITION]]
//! ```
//!
//! SCENARIO is an id, or the path of an edited copy; PATH=VALUE anywhere replaces a value of its data.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::Instant;

use sandtable_ai::{AgentSpec, Decision, Streams, play_game};
use sandtable_ai_eurofront::EuroKnowledge;
use sandtable_core::{Game, Hex, Outcome, Side};
use sandtable_eurofront::event::Cause;
use sandtable_eurofront::ids::{Camp, Faction, NationId, is_on_map};
use sandtable_eurofront::rules::Goal;
use sandtable_eurofront::{EuroFront, Event, Phase, State};
use sandtable_scenarios_eurofront::Override;

/// One game: its outcome and its facts; the observer sees every decision.
fn play(
    game: &EuroFront,
    knowledge: &EuroKnowledge,
    agents: &[AgentSpec; 2],
    (seed, number): (u64, u64),
    note: &mut impl FnMut(&Decision<'_, EuroFront>),
) -> Result<(Outcome, Vec<Event>), String> {
    let mut players = Vec::new();
    for faction in game.factions() {
        let agent = &agents[faction.camp().index()];
        players.push(agent.build(knowledge).map_err(|error| error.to_string())?);
    }
    let mut streams = Streams::new(seed, number, game.sides().len());
    let mut events = Vec::new();
    let outcome = play_game(game, players, &mut streams, &mut events, note);
    Ok((outcome, events))
}

/// Sums of one camp over games.
#[derive(Default)]
struct Tally(BTreeMap<&'static str, f64>);

impl Tally {
    fn add(&mut self, what: &'static str, amount: f64) {
        *self.0.entry(what).or_default() += amount;
    }
}

fn tally(game: &EuroFront, events: &[Event], tallies: &mut [Tally; 2]) {
    let mut active = Camp::Axis;
    for event in events {
        match *event {
            Event::TurnBegins { faction } => active = faction.camp(),
            Event::Activated { block, mode, .. } => {
                let tally = &mut tallies[active.index()];
                tally.add("activations", 1.0);
                tally.add("of these Blitz", f64::from(u8::from(mode.is_blitz())));
                let field = game.brief(block).kind == sandtable_eurofront::rules::Kind::Hq;
                tally.add("of these field headquarters", f64::from(u8::from(field)));
            }
            Event::Round { supported, .. } => {
                let tally = &mut tallies[active.index()];
                tally.add("rounds", 1.0);
                tally.add("rounds unsupported", f64::from(u8::from(!supported)));
            }
            Event::BattleBegins { .. } => tallies[active.index()].add("battles begun", 1.0),
            Event::BattleEnds { winner: Some(camp), .. } => tallies[camp.index()].add("battles won", 1.0),
            Event::StepLost { block, cause, .. } | Event::Eliminated { block, cause } => {
                let camp = game.camp(block);
                let headquarters = game.brief(block).kind.is_headquarters();
                let tally = &mut tallies[camp.index()];
                let gone = matches!(event, Event::Eliminated { .. });
                match cause {
                    Cause::Combat | Cause::Pursuit => {
                        let own = active == camp;
                        tally.add(if own { "steps lost attacking" } else { "steps lost defending" }, 1.0);
                    }
                    Cause::Attrition => tally.add("steps starved", 1.0),
                    Cause::Command => tally.add("steps of command spent", 1.0),
                    _ => {}
                }
                if gone && headquarters {
                    let spent = cause == Cause::Command;
                    tally
                        .add(if spent { "headquarters spent to the last" } else { "headquarters lost" }, 1.0);
                }
                if gone && !headquarters {
                    tally.add("units lost", 1.0);
                }
            }
            Event::Income { camp, points, .. } => {
                tallies[camp.index()].add("points at hand", f64::from(points));
            }
            Event::Leftover { account, points, kept: false } => {
                tallies[account.faction().camp().index()].add("points unspent", f64::from(points));
            }
            Event::Garrison { camp, .. } => tallies[camp.index()].add("garrisons", 1.0),
            Event::Built { block, .. } => {
                let headquarters = game.brief(block).kind.is_headquarters();
                let what = if headquarters { "command steps built" } else { "steps built" };
                tallies[game.camp(block).index()].add(what, 1.0);
            }
            Event::Moved { block, .. } => tallies[game.camp(block).index()].add("moves", 1.0),
            Event::MovedByRail { block, .. } => tallies[game.camp(block).index()].add("rail moves", 1.0),
            Event::Recognition { by, .. } => tallies[by.index()].add("claims", 1.0),
            _ => {}
        }
    }
}

fn course(game: &EuroFront, agents: &[AgentSpec; 2], seed: u64, games: u64) -> Result<(), String> {
    let knowledge = EuroKnowledge::new(game);
    let mut tallies = [Tally::default(), Tally::default()];
    let mut wins = [0u64; 2];
    let mut utility = [0.0; 2];
    let mut ends: BTreeMap<&'static str, u64> = BTreeMap::new();
    let mut levels: BTreeMap<u8, (f64, f64)> = BTreeMap::new();
    let mut production: BTreeMap<u8, [f64; 3]> = BTreeMap::new();
    let mut taken: BTreeMap<(u8, &str), u64> = BTreeMap::new();
    let last_month = game.rules.calendar.len() as u8 - 1;
    let names = [
        "minsk",
        "riga",
        "kiev",
        "smolensk",
        "odessa",
        "leningrad",
        "dnepropetrovsk",
        "kharkov",
        "sevastopol",
        "moscow",
        "rostov",
        "stalingrad",
        "baku",
        "gorki",
        "tobruk",
        "alexandria",
        "rome",
        "paris",
        "bucharest",
        "ploesti",
        "athens",
        "belgrade",
        "tripoli",
        "narvik",
        "oslo",
        "rotterdam",
        "brest",
        "le_havre",
        "helsinki",
        "istanbul",
        "warsaw",
        "berlin",
    ];
    let places: Vec<(&str, Hex)> =
        names.iter().filter_map(|name| game.rules.place(name).map(|hex| (*name, hex))).collect();
    let start = Instant::now();
    let mut decisions = 0u64;
    let mut met = [0u64; 8];
    let mut times: BTreeMap<String, (u64, f64)> = BTreeMap::new();
    let mut last = Instant::now();
    for number in 0..games {
        let mut month = u8::MAX;
        let mut conditions = None;
        let mut note = |decision: &Decision<'_, EuroFront>| {
            decisions += 1;
            let state = decision.state;
            conditions = (state.month == last_month).then(|| game.conditions(state));
            let entry = times.entry(format!("{:?}", state.phase)).or_default();
            entry.0 += 1;
            entry.1 += last.elapsed().as_secs_f64();
            last = Instant::now();
            if state.month != month && state.phase >= Phase::Activation {
                month = state.month;
                let entry = levels.entry(month).or_default();
                entry.0 += 1.0;
                if !game.is_civil_war() {
                    let sums = production.entry(month).or_default();
                    for faction in Faction::ALL {
                        sums[faction as usize] += f64::from(game.monthly_production(state, faction));
                    }
                    if matches!(month, 3 | 4 | 6 | 12 | 18 | 30) {
                        for &(name, hex) in &places {
                            *taken.entry((month, name)).or_default() +=
                                u64::from(state.owners.owns(Camp::Axis, hex));
                        }
                    }
                }
                entry.1 += if game.is_civil_war() {
                    f64::from(state.civil_war.level)
                } else {
                    let places = game.rules.map.places.iter();
                    places.filter(|place| state.owners.owns(Camp::Axis, place.hex)).count() as f64
                };
            }
        };
        let (outcome, events) = play(game, &knowledge, agents, (seed, number), &mut note)?;
        if let Some(winner) = outcome.winner {
            wins[usize::from(winner)] += 1;
        }
        utility[0] += f64::from(outcome.utility[Side(0)]);
        utility[1] += f64::from(outcome.utility[Side(1)]);
        *ends.entry(outcome.end_reason).or_default() += 1;
        for (count, is_met) in met.iter_mut().zip(conditions.unwrap_or_default()) {
            *count += u64::from(is_met);
        }
        tally(game, &events, &mut tallies);
    }
    let all = games as f64;
    println!(
        "{games} games, {decisions} decisions, {:.2} s: {wins:?} won, mean utility {:.3} {:.3}, ends {ends:?}",
        start.elapsed().as_secs_f64(),
        utility[0] / all,
        utility[1] / all
    );
    if game.rules.scenario.situation.goal == Goal::FallOfFrance {
        println!("conditions a to h met at the end: {met:?}");
    }
    let line: Vec<String> =
        levels.iter().map(|(month, (count, sum))| format!("{month}:{:.1}", sum / count)).collect();
    println!("level, or places of the Axis, by month: {}", line.join(" "));
    for (month, sums) in production.iter().filter(|(month, _)| *month % 6 == 0 || **month == last_month) {
        let count = levels[month].0;
        let coalition = (sums[1] + sums[2]) / count;
        let axis = sums[0] / count;
        println!(
            "production, month {month} ({count} games): {axis:.0} to {:.0} + {:.0}: {:.3}",
            sums[1] / count,
            sums[2] / count,
            axis / coalition
        );
    }
    for month in [3, 4, 6, 12, 18, 30] {
        let words: Vec<String> = places
            .iter()
            .filter_map(|(name, _)| taken.get(&(month, *name)).map(|count| format!("{name} {count}")))
            .collect();
        println!("held by the Axis in month {month}: {}", words.join(", "));
    }
    for (phase, (count, seconds)) in &times {
        println!("  {:>8.1} decisions, {:>8.2} ms a game: {phase}", *count as f64 / all, 1e3 * seconds / all);
    }
    for camp in Camp::ALL {
        println!("{camp:?}, a game:");
        for (what, sum) in &tallies[camp.index()].0 {
            println!("  {:>8.2} {what}", sum / all);
        }
    }
    Ok(())
}

/// Where all units stand, by hex.
fn positions(game: &EuroFront, state: &State) -> String {
    let mut text = String::new();
    for camp in Camp::ALL {
        let mut places: BTreeMap<u16, Vec<String>> = BTreeMap::new();
        for block in state.standing[camp.index()] {
            let at = state.at(block);
            if is_on_map(at) {
                let data = game.brief(block);
                let unsupplied =
                    if state.has(block, sandtable_eurofront::Mark::Unsupplied) { "!" } else { "" };
                let word = format!("{}{}{unsupplied}", data.kind.id(), state.steps[block]);
                places.entry(at.0).or_default().push(word);
            }
        }
        let words: Vec<String> = places
            .iter()
            .map(|(&hex, units)| format!("{} {}", game.hex_name(sandtable_core::Hex(hex)), units.join("+")))
            .collect();
        let _ = writeln!(text, "    {camp:?}: {}", words.join(", "));
    }
    text
}

fn log(game: &EuroFront, agents: &[AgentSpec; 2], seed: u64, number: u64) -> Result<(), String> {
    let knowledge = EuroKnowledge::new(game);
    let mut moment = (u8::MAX, 0, 0);
    let mut held = sandtable_eurofront::ids::Hexes::EMPTY;
    let mut nations = String::new();
    let mut note = |decision: &Decision<'_, EuroFront>| {
        let state = decision.state;
        if moment != (state.month, state.fortnight, state.turn) {
            nations.clear();
            for (at, data) in game.rules.nations.iter().enumerate() {
                if let Some(faction) = game.faction_of(state, NationId(at as u8)) {
                    let _ = write!(nations, "{} {faction:?}, ", data.id);
                }
            }
        }
        let now = (state.month, state.fortnight, state.turn);
        if now != moment {
            moment = now;
            println!(
                "== {} {} {:?}, {}, points {:?}, level {}",
                game.rules.calendar[usize::from(state.month)].id,
                state.fortnight,
                state.active,
                state.weather[0].id(),
                state.points,
                state.civil_war.level
            );
            print!("{}", positions(game, state));
            for place in &game.rules.map.places {
                let axis = state.owners.owns(Camp::Axis, place.hex);
                if axis != held.contains(place.hex) {
                    println!("  -- {} {} the Axis", place.name, if axis { "falls to" } else { "is lost to" });
                }
            }
            held = state.owners.of(Camp::Axis);
        }
        if decision.legal.len() > 1 {
            println!("  {:?}: {}", state.decider, game.describe(state, decision.action));
        }
    };
    let (outcome, events) = play(game, &knowledge, agents, (seed, number), &mut note)?;
    let mut when = 0;
    for event in &events {
        match *event {
            Event::TurnBegins { .. } => when += 1,
            Event::Eliminated { block, cause } if game.brief(block).kind.is_headquarters() => {
                println!("lost in turn {when}: {} ({cause:?})", game.block(block).name);
            }
            Event::BattleBegins { .. }
            | Event::Round { .. }
            | Event::Fired { .. }
            | Event::Repulsed { .. }
            | Event::Intercepted { .. }
            | Event::Eliminated { .. }
            | Event::Defeated { .. }
            | Event::WarDeclared { .. }
            | Event::Joined { .. }
            | Event::Diplomacy { .. }
            | Event::BattleEnds { .. } => println!("turn {when}: {event:?}"),
            _ => {}
        }
    }
    println!("nations at the end: {nations}");
    println!("{outcome:?}; {} facts", events.len());
    Ok(())
}

fn run() -> Result<(), String> {
    let is_override = |word: &String| word.split_once('=').is_some_and(|(path, _)| !path.contains(':'));
    let (overrides, arguments): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(is_override);
    let overrides: Result<Vec<Override>, _> = overrides.iter().map(|text| Override::parse(text)).collect();
    let overrides = overrides.map_err(|error| error.to_string())?;
    let scenario = arguments.first().ok_or("a scenario is missing, such as 1936")?;
    let (scenario, seed) = scenario.split_once(':').unwrap_or((scenario, "1"));
    let seed = seed.parse::<u64>().map_err(|error| error.to_string())?;
    let (scenario, months) = scenario.split_once('@').unwrap_or((scenario, "999"));
    let name = if scenario.contains('/') { scenario.to_owned() } else { format!("eurofront/{scenario}") };
    let opened = sandtable_scenarios_eurofront::open(&name, &overrides).map_err(|error| error.to_string())?;
    let mut rules = opened.into_rules();
    rules.calendar.truncate(months.parse().map_err(|error: std::num::ParseIntError| error.to_string())?);
    let game = EuroFront::new(rules)?;
    let number = |at: usize, usual: u64| arguments.get(at).map_or(Ok(usual), |word| word.parse::<u64>());
    let is_log = arguments.get(1).is_some_and(|word| word == "log");
    let first = if is_log { 3 } else { 2 };
    let agent = |at: usize| -> Result<AgentSpec, String> {
        let word = arguments.get(at).map_or("scripted", String::as_str);
        word.parse::<AgentSpec>().map_err(|error| error.to_string())
    };
    let agents = [agent(first)?, agent(first + 1)?];
    let error = |error: std::num::ParseIntError| error.to_string();
    if is_log {
        log(&game, &agents, seed, number(2, 0).map_err(error)?)
    } else {
        course(&game, &agents, seed, number(1, 20).map_err(error)?)
    }
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
