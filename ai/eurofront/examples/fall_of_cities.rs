#![allow(clippy::doc_markdown)] // the name of the game is no path

//! Who holds which cities in which month, and with what strength on which front, over games of *EuroFront* between agents.
//!
//! ```text
//! cargo run --release -p sandtable-ai-eurofront --example fall_of_cities SCENARIO[:SEED] [GAMES [AXIS [COALITION]]]
//! ```
//!
//! A row for each Victory City, or in scenarios that do not count them for each major city: the games in which it is the
//! Axis's, Allied and Soviet at the beginning of a month. Then steps of units and values of headquarters on each front, and
//! how often headquarters of a value are activated, a game.

use std::process::ExitCode;

use sandtable_ai::{AgentSpec, Decision, Streams, play_game};
use sandtable_ai_eurofront::EuroKnowledge;
use sandtable_core::{Game, Hex, Side};
use sandtable_eurofront::ids::{Camp, Faction, Front, is_on_map};
use sandtable_eurofront::rules::{City, Goal, Kind};
use sandtable_eurofront::{Action, EuroFront, Phase, State};

/// Columns: every so many months.
fn columns(months: usize) -> Vec<usize> {
    let stride = months.div_ceil(16).max(1);
    (0..months).step_by(stride).chain([months]).collect()
}

/// What is counted at the beginning of a month.
#[derive(Clone)]
struct Month {
    games: u32,
    /// By city and faction.
    held: Vec<[u32; 3]>,
    /// By faction and front: steps of units, values of headquarters.
    steps: [[[u32; 2]; Front::ALL.len()]; 3],
}

fn faction_of(state: &State, hex: Hex) -> Option<usize> {
    let camp = Camp::ALL.into_iter().find(|&camp| state.owners.owns(camp, hex))?;
    Some(match camp {
        Camp::Axis => 0,
        Camp::Coalition => 1 + usize::from(state.owners.is_soviet(hex)),
    })
}

impl Month {
    fn count(&mut self, game: &EuroFront, state: &State, cities: &[(Hex, &str)]) {
        self.games += 1;
        for (held, &(hex, _)) in self.held.iter_mut().zip(cities) {
            if let Some(faction) = faction_of(state, hex) {
                held[faction] += 1;
            }
        }
        for faction in Faction::ALL {
            let own = state.standing[faction.camp().index()].and(&game.sets().of_faction[faction.index()]);
            for block in own {
                let at = state.at(block);
                if is_on_map(at) {
                    let kind = usize::from(game.brief(block).kind.is_headquarters());
                    self.steps[faction.index()][game.front(at).index()][kind] +=
                        u32::from(state.steps[block]);
                }
            }
        }
    }
}

fn run() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let scenario = arguments.first().ok_or("a scenario is missing, such as 1944")?;
    let (scenario, seed) = scenario.split_once(':').unwrap_or((scenario, "1"));
    let number = |word: &str| word.parse::<u64>().map_err(|error| error.to_string());
    let (seed, games) = (number(seed)?, number(arguments.get(1).map_or("20", String::as_str))?);
    let opened = sandtable_scenarios_eurofront::open(&format!("eurofront/{scenario}"), &[])
        .map_err(|error| error.to_string())?;
    let game = EuroFront::new(opened.into_rules())?;
    let knowledge = EuroKnowledge::new(&game);
    let by_cities = matches!(game.rules.scenario.situation.goal, Goal::VictoryCities { .. });
    let places = game.rules.map.places.iter().filter(|place| {
        let counts = if by_cities { place.victory > 0 } else { place.city == City::Major };
        counts && game.map().in_play.contains(place.hex)
    });
    let cities: Vec<(Hex, &str)> = places.map(|place| (place.hex, place.name.as_str())).collect();
    let months = game.rules.calendar.len();
    let empty = Month { games: 0, held: vec![[0; 3]; cities.len()], steps: Default::default() };
    let mut table = vec![empty; months + 1];
    let mut results = Vec::new();
    // By faction, kind (field, others) and value: activations, those of them for a Blitz.
    let mut activations = [[[[0u32; 2]; 4]; 2]; 3];
    for nth in 0..games {
        let mut players = Vec::new();
        for faction in game.factions() {
            let word = arguments.get(2 + faction.camp().index()).map_or("scripted", String::as_str);
            let agent = word.parse::<AgentSpec>().map_err(|error| error.to_string())?;
            players.push(agent.build(&knowledge).map_err(|error| error.to_string())?);
        }
        let mut month = usize::MAX;
        let mut last: Option<State> = None;
        let mut note = |decision: &Decision<'_, EuroFront>| {
            let state = decision.state;
            if usize::from(state.month) != month && state.phase >= Phase::Activation {
                month = usize::from(state.month);
                table[month].count(&game, state, &cities);
            }
            if let (Phase::Activation, Action::Activate(mode, _)) = (state.phase, decision.action) {
                let kind = usize::from(game.brief(state.subject).kind != Kind::Hq);
                let value = usize::from(state.steps[state.subject].min(3));
                let count = &mut activations[state.active.index()][kind][value];
                count[0] += 1;
                count[1] += u32::from(mode.is_blitz());
            }
            if month + 1 == months {
                last = Some(*state);
            }
        };
        let mut streams = Streams::new(seed, nth, game.sides().len());
        let outcome = play_game(&game, players, &mut streams, (), &mut note);
        if let Some(state) = last {
            table[months].count(&game, &state, &cities);
        }
        let points: Vec<String> =
            (0..game.sides().len()).map(|side| format!("{:.0}", outcome.points[Side(side as u8)])).collect();
        let winner = outcome.winner.map_or("nobody", |camp| if camp == 0 { "Axis" } else { "Coalition" });
        results.push(format!("{winner} {} ({})", outcome.end_reason, points.join(" ")));
    }
    println!("{}", results.join("; "));
    let columns = columns(months);
    let name = |month: usize| game.rules.calendar.get(month).map_or("the end", |month| &month.id[2..]);
    print!("{:16}", "");
    for &month in &columns {
        print!("{:>10}", name(month));
    }
    println!();
    for (nth, (_, city)) in cities.iter().enumerate() {
        print!("{city:16}");
        for &month in &columns {
            let [axis, allies, soviets] = table[month].held[nth];
            print!("{:>10}", format!("{axis}/{allies}/{soviets}"));
        }
        println!();
    }
    for faction in Faction::ALL {
        for front in Front::ALL {
            let of = |month: usize| table[month].steps[faction.index()][front.index()];
            if columns.iter().all(|&month| of(month) == [0; 2]) {
                continue;
            }
            print!("{:16}", format!("{} {front:?}", faction.id()).chars().take(15).collect::<String>());
            for &month in &columns {
                let games = f64::from(table[month].games.max(1));
                let [steps, command] = of(month).map(|sum| f64::from(sum) / games);
                print!("{:>10}", format!("{steps:.0}+{command:.1}"));
            }
            println!();
        }
    }
    println!("headquarters activated at a value of 0, 1, 2, 3 (for a Blitz), a game:");
    for faction in Faction::ALL {
        for (kind, name) in ["field", "supreme, theatre"].into_iter().enumerate() {
            let of_value = activations[faction.index()][kind].map(|count| {
                let [all, blitz] = count.map(|count| f64::from(count) / games as f64);
                format!("{all:.1} ({blitz:.1})")
            });
            println!("  {} {name}: {}", faction.id(), of_value.join("  "));
        }
    }
    Ok(())
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
