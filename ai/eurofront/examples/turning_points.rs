#![allow(clippy::doc_markdown)] // the name of the game is no path

//! When wars are declared, nations defeated and landings made in games of *EuroFront* between agents, a line a game.
//!
//! ```text
//! cargo run --release -p sandtable-ai-eurofront --example turning_points SCENARIO [GAMES [AXIS [ALLIES [SOVIETS]]]]
//! ```

use std::process::ExitCode;

use sandtable_ai::{AgentSpec, Decision, Streams, play_game};
use sandtable_ai_eurofront::EuroKnowledge;
use sandtable_core::{Game, Index};
use sandtable_eurofront::ids::{Camp, Faction, Front, Hexes, NationId};
use sandtable_eurofront::rules::Goal;
use sandtable_eurofront::{EuroFront, Event, Mode};

fn run() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let scenario = arguments.first().ok_or("a scenario is missing, such as 1939")?;
    let games =
        arguments.get(1).map_or(Ok(5), |word| word.parse::<u64>()).map_err(|error| error.to_string())?;
    let opened = sandtable_scenarios_eurofront::open(&format!("eurofront/{scenario}"), &[])
        .map_err(|error| error.to_string())?;
    let game = EuroFront::new(opened.into_rules())?;
    let knowledge = EuroKnowledge::new(&game);
    let west = ["france", "belgium", "holland", "germany", "denmark"].map(|name| game.land(name));
    let west = west.iter().fold(Hexes::EMPTY, Hexes::or);
    let nation = |nation: NationId| game.rules.nations[nation.at()].id.as_str();
    for number in 0..games {
        let mut players = Vec::new();
        for faction in game.factions() {
            let word = arguments.get(2 + faction as usize).or_else(|| arguments.get(2));
            let agent = word.map_or("scripted", String::as_str).parse::<AgentSpec>();
            let agent = agent.map_err(|error| error.to_string())?;
            players.push(agent.build(&knowledge).map_err(|error| error.to_string())?);
        }
        let mut streams = Streams::new(1, number, game.sides().len());
        let mut events: Vec<Event> = Vec::new();
        let mut ashore = vec![0; game.rules.calendar.len()];
        let mut last = None;
        let mut note = |decision: &Decision<'_, EuroFront>| {
            let state = decision.state;
            last = Some(*state);
            let allies =
                state.standing[Camp::Coalition.index()].and(&game.sets().of_faction[Faction::Allies.index()]);
            let there = allies.filter(|block| {
                let at = state.at(block);
                west.contains(at) && game.front(at) == Front::West
            });
            ashore[usize::from(state.month)] = there.len();
        };
        let outcome = play_game(&game, players, &mut streams, &mut events, &mut note);
        let mut month = "start";
        let (mut invasions, mut drops) = ([0; 2], [0; 2]);
        let mut active = Camp::Axis;
        let mut points: Vec<String> = Vec::new();
        for event in &events {
            match *event {
                Event::MonthBegins { month: now } => month = &game.rules.calendar[usize::from(now)].id,
                Event::TurnBegins { faction } => active = faction.camp(),
                Event::WarDeclared { by, on, .. } => {
                    points.push(format!("{month} {} on {}", by.id(), nation(on)));
                }
                Event::Defeated { nation: beaten } => {
                    points.push(format!("{month} {} beaten", nation(beaten)));
                }
                Event::Armistice { nation: of, accepted: true } => {
                    points.push(format!("{month} armistice {}", nation(of)));
                }
                Event::Activated { mode, .. } if mode.is_invasion() => invasions[active.index()] += 1,
                Event::Activated { mode: Mode::Para | Mode::BlitzPara, .. } => drops[active.index()] += 1,
                _ => {}
            }
        }
        println!(
            "{number}: {:?} {}, invasions {invasions:?}, drops {drops:?}: {}",
            outcome.winner,
            outcome.end_reason,
            points.join("; ")
        );
        println!("   Allied units in the West by month: {ashore:?}");
        let goal = game.rules.scenario.situation.goal;
        match last {
            Some(state) if goal == Goal::FallOfFrance => {
                let met = game.conditions(&state);
                let letters: String =
                    ('a'..='h').zip(met).filter(|(_, met)| *met).map(|(id, _)| id).collect();
                let steps = game.armies_wanted(&state).map(|army| {
                    let axis = state.standing[0].filter(|block| army.land.contains(state.at(block)));
                    axis.iter().map(|block| u32::from(state.steps[block])).sum::<u32>()
                });
                let allies = (0..game.rules.nations.len()).map(|at| NationId(at as u8));
                let allies: Vec<&str> = allies
                    .filter(|&id| game.faction_of(&state, id) == Some(Faction::Allies))
                    .map(nation)
                    .collect();
                println!("   Allies left: {}", allies.join(" "));
                println!("   conditions of 1940A met: {letters}; steps where b, c, d want armies: {steps:?}");
            }
            Some(state) if goal == Goal::WinterWar => {
                println!("   headquarters left and Finns lost: {}", game.winter_war_count(&state));
            }
            _ => {}
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
