//! The course of games of *Victory in Europe* between two agents: who wins how, and turn by turn who holds what, has what
//! and loses what; or the log of a single game.
//!
//! ```text
//! cargo run --release -p sandtable-ai-victory-in-europe --example course SCENARIO [GAMES [AXIS [ALLIES]]]
//! cargo run --release -p sandtable-ai-victory-in-europe --example course SCENARIO log NUMBER [AXIS [ALLIES]]
//! ```
//!
//! Of each turn, at its beginning: the share of games still played; the share of those in which the Axis holds each of the
//! aims of both teams; steps of armies on the map, production points of the turn before, averages; and events of the turn
//! before in how many of 100 games.

use std::collections::BTreeMap;
use std::process::ExitCode;

use sandtable_ai::{AgentSpec, Decision, Streams, play_game};
use sandtable_ai_victory_in_europe::VictoryKnowledge;
use sandtable_core::{Game, Outcome};
use sandtable_victory_in_europe::event::Event;
use sandtable_victory_in_europe::rules::Arm;
use sandtable_victory_in_europe::{Nation, Place, State, VictoryInEurope};

/// Nations whose armies and points are shown.
const SHOWN: [Nation; 6] = Nation::MAJOR;

/// One game: its outcome, and what the observer and the sink have noted.
fn play(
    game: &VictoryInEurope,
    knowledge: &VictoryKnowledge,
    agents: &[AgentSpec; 2],
    number: u64,
    note: &mut impl FnMut(&State),
) -> Result<(Outcome, Vec<Event>), String> {
    let mut players = Vec::new();
    for side in game.sides() {
        players.push(agents[side.team as usize].build(knowledge).map_err(|error| error.to_string())?);
    }
    let mut streams = Streams::new(1, number, game.sides().len());
    let mut events = Vec::new();
    let mut observer = |decision: &Decision<'_, VictoryInEurope>| note(decision.state);
    let outcome = play_game(game, players, &mut streams, &mut events, &mut observer);
    Ok((outcome, events))
}

/// What is known of a turn, summed over games.
#[derive(Default)]
struct Turn {
    games: f64,
    held: BTreeMap<Place, f64>,
    steps: BTreeMap<usize, f64>,
    points: BTreeMap<usize, f64>,
    events: BTreeMap<String, f64>,
}

fn tally(turns: &mut BTreeMap<u8, Turn>, game: &VictoryInEurope, aims: &[Place], state: &State) {
    let turn = turns.entry(state.turn).or_default();
    turn.games += 1.0;
    for &aim in aims {
        *turn.held.entry(aim).or_default() += f64::from(state.held[0].contains(aim));
    }
    for unit in game.unit_ids() {
        if state.is_on_map(unit) && game.arm(unit) == Arm::Army {
            let nation = game.nation(state, unit).index();
            *turn.steps.entry(nation).or_default() += f64::from(state.steps(unit));
        }
    }
}

fn remember(turns: &mut BTreeMap<u8, Turn>, game: &VictoryInEurope, events: &[Event]) {
    let mut now = 0;
    for event in events {
        if let Event::TurnBegins { turn } = event {
            now = *turn;
        }
        let turn = turns.entry(now).or_default();
        let text = match event {
            Event::Production { nation, points, .. } => {
                *turn.points.entry(nation.index()).or_default() += f64::from(*points);
                continue;
            }
            Event::Invasion { .. } | Event::War { .. } | Event::Standing { .. } => game.describe_event(event),
            Event::BattleEnds(battle) => {
                Some(format!("{:?} attack {}", battle.attacker, if battle.won { "won" } else { "lost" }))
            }
            Event::FactoryLoss { area, .. } => {
                Some(format!("factory of {} hit or taken", game.place_name(*area)))
            }
            _ => None,
        };
        if let Some(text) = text {
            *turn.events.entry(text).or_default() += 1.0;
        }
    }
}

fn report(game: &VictoryInEurope, turns: &BTreeMap<u8, Turn>, aims: &[Place], games: f64) {
    // What happens before the first turn, the deployment, belongs to no turn.
    for (number, turn) in turns.iter().filter(|(number, _)| **number > 0) {
        let calendar = &game.rules.calendar[*number as usize - 1];
        let of = turn.games.max(1.0);
        let share = |sum: &f64| 100.0 * sum / of;
        let held: Vec<String> = aims
            .iter()
            .map(|aim| format!("{} {:.0}", game.place_name(*aim), turn.held.get(aim).map_or(0.0, share)))
            .collect();
        let force: Vec<String> = SHOWN
            .iter()
            .map(|nation| {
                let of_nation =
                    |sums: &BTreeMap<usize, f64>| sums.get(&nation.index()).map_or(0.0, |sum| sum / of);
                format!("{} {:.0}/{:.1}", nation.id(), of_nation(&turn.steps), of_nation(&turn.points))
            })
            .collect();
        println!("{} q{}: {:.0}% still playing", calendar.year, calendar.quarter, 100.0 * turn.games / games);
        println!("  the Axis holds, %: {}", held.join(", "));
        println!("  steps/points: {}", force.join(", "));
        let mut events: Vec<_> = turn.events.iter().filter(|(_, count)| **count >= 0.05 * games).collect();
        events.sort_by(|a, b| b.1.total_cmp(a.1));
        let events: Vec<String> =
            events.iter().take(14).map(|(text, count)| format!("{text} {:.0}", share(count))).collect();
        println!("  a hundred games: {}", events.join("; "));
    }
}

fn run(arguments: &[String]) -> Result<(), String> {
    let [scenario, rest @ ..] = arguments else {
        return Err("usage: course SCENARIO [GAMES|log NUMBER [AXIS [ALLIES]]]".to_owned());
    };
    let number = |at: usize, default: u64| {
        rest.get(at).map_or(Ok(default), |text| text.parse().map_err(|_| format!("not a number: {text}")))
    };
    let is_story = rest.first().is_some_and(|text| text == "log");
    let specs = 1 + usize::from(is_story);
    let agent = |at: usize| {
        let text = rest.get(at).map_or("scripted", String::as_str);
        text.parse::<AgentSpec>()
            .and_then(|spec| spec.with_files(|path| std::fs::read_to_string(path)))
            .map_err(|error| error.to_string())
    };
    let agents = [agent(specs)?, agent(specs + 1)?];
    let scenario =
        sandtable_scenarios_victory_in_europe::open(scenario, &[]).map_err(|error| error.to_string())?;
    let game = VictoryInEurope::new(scenario.into_rules())?;
    let knowledge = VictoryKnowledge::new(&game);
    if is_story {
        let (_, events) = play(&game, &knowledge, &agents, number(1, 0)?, &mut |_| {})?;
        for event in &events {
            match event {
                Event::TurnBegins { turn } => {
                    let calendar = &game.rules.calendar[*turn as usize - 1];
                    println!("\n== {} quarter {} ==", calendar.year, calendar.quarter);
                }
                Event::PhaseBegins { phase, team } => println!("-- {phase:?} {team:?}"),
                event => game.describe_event(event).iter().for_each(|text| println!("  {text}")),
            }
        }
        return Ok(());
    }
    let games = number(0, 40)?;
    let victory = &game.rules.victory;
    let aims = victory.axis_any.iter().fold(victory.allies_all, sandtable_core::IndexSet::or);
    let aims: Vec<Place> = aims.iter().collect();
    let mut turns = BTreeMap::new();
    let mut endings: BTreeMap<String, u64> = BTreeMap::new();
    let mut wins = 0;
    for number in 0..games {
        let mut seen = 0;
        let (outcome, events) = play(&game, &knowledge, &agents, number, &mut |state| {
            if state.turn != seen {
                seen = state.turn;
                tally(&mut turns, &game, &aims, state);
            }
        })?;
        remember(&mut turns, &game, &events);
        let winner = if outcome.winner == Some(0) { "Axis" } else { "Allies" };
        wins += u64::from(outcome.winner == Some(0));
        *endings.entry(format!("{winner} by {}", outcome.end_reason)).or_default() += 1;
    }
    report(&game, &turns, &aims, games as f64);
    println!("the Axis wins {wins} of {games}: {endings:?}");
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
