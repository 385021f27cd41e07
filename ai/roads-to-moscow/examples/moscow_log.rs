//! The course of games of *Roads to Moscow* between two agents: who wins, turn by turn who holds what; or the log of a
//! single game.
//!
//! ```text
//! cargo run --release -p sandtable-ai-roads-to-moscow --example moscow_log SCENARIO [GAMES [GERMAN [SOVIET]]]
//! cargo run --release -p sandtable-ai-roads-to-moscow --example moscow_log SCENARIO log NUMBER [GERMAN [SOVIET]]
//! ```

use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Instant;

use sandtable_ai::{AgentSpec, Decision, Streams, play_game};
use sandtable_ai_roads_to_moscow::MoscowKnowledge;
use sandtable_core::{Game, Index, Outcome};
use sandtable_roads_to_moscow::event::{Event, SupplyStatus};
use sandtable_roads_to_moscow::ids::{hex_number, place};
use sandtable_roads_to_moscow::state::is_hex;
use sandtable_roads_to_moscow::{Player, RoadsToMoscow, State, UnitId};

/// One game: its outcome, and what the observer and the sink have noted.
fn play(
    game: &RoadsToMoscow,
    knowledge: &MoscowKnowledge,
    agents: &[AgentSpec; 2],
    number: u64,
    note: &mut impl FnMut(&State),
) -> Result<(Outcome, Vec<Event>), String> {
    let mut players = Vec::new();
    for agent in agents {
        players.push(agent.build(knowledge).map_err(|error| error.to_string())?);
    }
    let mut streams = Streams::new(1, number, game.sides().len());
    let mut events = Vec::new();
    let mut observer = |decision: &Decision<'_, RoadsToMoscow>| note(decision.state);
    let outcome = play_game(game, players, &mut streams, &mut events, &mut observer);
    Ok((outcome, events))
}

/// What is known of a turn, summed over games.
#[derive(Default)]
struct Turn {
    games: f64,
    score: f64,
    held: Vec<f64>,
    units: [f64; 2],
    events: BTreeMap<&'static str, f64>,
}

fn tally(turns: &mut BTreeMap<u8, Turn>, game: &RoadsToMoscow, state: &State) {
    let aims = &game.rules.scenario.objectives;
    let turn = turns.entry(state.turn).or_default();
    turn.games += 1.0;
    turn.held.resize(aims.len(), 0.0);
    turn.score += f64::from(game.score(state));
    for (at, &(hex, _)) in aims.iter().enumerate() {
        turn.held[at] += f64::from(state.controller(hex) == game.rules.scenario.attacker);
    }
    for player in Player::ALL {
        let there = game.units_of(player).and(&game.sets().combat).and(&state.on_map);
        turn.units[player.index()] += f64::from(there.len());
    }
}

fn remember(turns: &mut BTreeMap<u8, Turn>, game: &RoadsToMoscow, events: &[Event]) {
    let mut now = 0;
    let mut overrun = false;
    for event in events {
        let text = match *event {
            Event::TurnBegins { turn, .. } => {
                now = turn;
                continue;
            }
            Event::Passed { player: Player::German, .. } => "German passes",
            Event::Passed { player: Player::Soviet, .. } => "Soviet passes",
            Event::Combined { success: true, .. } => "combined",
            Event::Combined { .. } => "not combined",
            Event::Activated { sequence, .. } => {
                if sequence == sandtable_roads_to_moscow::Sequence::Mobile {
                    "mobile"
                } else {
                    "assault"
                }
            }
            Event::CombatBegins { overrun: is, .. } => {
                overrun = is;
                continue;
            }
            Event::Combat { strengths: [a, d], result, .. } => {
                let turn = turns.entry(now).or_default();
                if overrun {
                    *turn.events.entry("overruns").or_default() += 1.0;
                }
                if result.defender.retreat || result.defender.eliminated {
                    *turn.events.entry("cleared").or_default() += 1.0;
                }
                if a < d {
                    "attacks below 1-1"
                } else if a < 3 * d {
                    "attacks below 3-1"
                } else {
                    "attacks at 3-1 and more"
                }
            }
            Event::Eliminated { unit, .. } => {
                if game.player(unit) == Player::German {
                    "German units lost"
                } else {
                    "Soviet units lost"
                }
            }
            Event::Refused { success: true, .. } => "refusals",
            Event::NoRetreatDeclared { success: true, .. } => "no retreat",
            Event::PositionBuilt { .. } => "positions built",
            Event::FuelSpent { .. } => "fuel spent",
            Event::Supply { status: SupplyStatus::Unsupplied, unit } => {
                if game.player(unit) == Player::German { "German unsupplied" } else { "Soviet unsupplied" }
            }
            Event::AirCommitted { .. } => "air missions",
            Event::Supports { .. } => "guns fired",
            Event::Moved { reaction: true, .. } => "reaction steps",
            _ => continue,
        };
        *turns.entry(now).or_default().events.entry(text).or_default() += 1.0;
    }
}

fn report(game: &RoadsToMoscow, turns: &BTreeMap<u8, Turn>) {
    let aims = &game.rules.scenario.objectives;
    for (number, turn) in turns.iter().filter(|(number, _)| **number > 0) {
        let calendar = &game.rules.calendar[*number as usize - 1];
        let of = turn.games.max(1.0);
        let held: Vec<String> = aims
            .iter()
            .zip(&turn.held)
            .map(|(&(hex, points), held)| format!("{}({points}) {:.0}", hex_number(hex), 100.0 * held / of))
            .collect();
        println!(
            "{} ({number}): score {:.1}, units German {:.1} Soviet {:.1}",
            calendar.name,
            turn.score / of,
            turn.units[0] / of,
            turn.units[1] / of
        );
        println!("   the attacker holds, %: {}", held.join(", "));
        let events: Vec<String> =
            turn.events.iter().map(|(text, count)| format!("{text} {:.1}", count / of)).collect();
        println!("   a game: {}", events.join("; "));
    }
}

fn units(game: &RoadsToMoscow, units: impl Iterator<Item = UnitId>) -> String {
    units.map(|unit| game.unit(unit).designation.clone()).collect::<Vec<_>>().join(" ")
}

/// The log of a game: marches joined, combats in one line.
fn tell(game: &RoadsToMoscow, events: &[Event], pictures: &[String]) {
    let mut march: Option<(UnitId, String)> = None;
    for event in events {
        if let Event::Moved { unit, to, .. } = *event {
            match &mut march {
                Some((known, path)) if *known == unit => {
                    path.push(' ');
                    path.push_str(&hex_number(to).to_string());
                }
                _ => {
                    if let Some((_, path)) = march.take() {
                        println!("    {path}");
                    }
                    march = Some((unit, format!("{} -> {}", game.unit(unit).designation, hex_number(to))));
                }
            }
            continue;
        }
        if let Some((_, path)) = march.take() {
            println!("    {path}");
        }
        match *event {
            Event::TurnBegins { turn, weather, .. } => {
                println!("\n== {} {weather:?} ==", game.rules.calendar[turn as usize - 1].name);
                print!("{}", pictures.get(turn as usize - 1).map_or("", String::as_str));
            }
            Event::Activated { formation, sequence } => {
                println!("  * {} {sequence:?}", game.rules.formations[formation.at()].name);
            }
            Event::Passed { player, marker } => {
                let formation = game.formation_of(marker);
                println!("  * {player:?} passes ({})", game.rules.formations[formation.at()].id);
            }
            Event::CombatBegins { target, attackers, defenders, crt, overrun } => println!(
                "    {} {} {crt:?}: {} against {}",
                if overrun { "OVERRUN" } else { "ATTACK" },
                hex_number(target),
                units(game, attackers.iter()),
                units(game, defenders.iter())
            ),
            Event::Combat { strengths, modifier, roll, result, .. } => {
                println!("      {}-{} {modifier:+} roll {roll}: {result}", strengths[0], strengths[1]);
            }
            Event::Controlled { at, by }
                if game.rules.scenario.objectives.iter().any(|&(hex, _)| hex == at) =>
            {
                println!("    !!! {by:?} takes {}", hex_number(at));
            }
            Event::Controlled { .. } | Event::Checked { .. } | Event::Drawn { .. } => {}
            Event::TurnEnds { score, .. } => println!("  score {score}"),
            Event::Eliminated { unit, at, cause } => {
                println!("      {} gone at {} ({cause:?})", game.unit(unit).designation, hex_number(at));
            }
            Event::Lost { unit, cause } => {
                println!("      {} loses a step ({cause:?})", game.unit(unit).designation);
            }
            Event::Retreated { unit, from, to } => println!(
                "      {} back {} -> {}",
                game.unit(unit).designation,
                hex_number(from),
                hex_number(to)
            ),
            Event::Advanced { unit, to, .. } => {
                println!("      {} on to {}", game.unit(unit).designation, hex_number(to));
            }
            Event::Entered { unit, at } => {
                println!("    {} enters {}", game.unit(unit).designation, hex_number(at));
            }
            Event::Supply { unit, status } => println!("    {} {status:?}", game.unit(unit).designation),
            Event::Supports { unit, .. } => println!("      {} fires", game.unit(unit).designation),
            Event::Digging { unit, at } => {
                println!("    {} digs at {}", game.unit(unit).designation, hex_number(at));
            }
            ref other => println!("    {other:?}"),
        }
    }
}

/// Where everybody stands.
fn picture(game: &RoadsToMoscow, state: &State) -> String {
    use std::fmt::Write as _;
    let mut text = String::new();
    for player in Player::ALL {
        let _ = writeln!(text, "  -- {player:?}");
        for hex in sandtable_core::Board::places(game.board()) {
            let here = state.stack(hex).and(game.units_of(player));
            if !here.is_empty() {
                let _ = writeln!(text, "     {}: {}", hex_number(hex), units(game, here.iter()));
            }
        }
        let lost = game.units_of(player).iter().filter(|&unit| state.at(unit) == place::ELIMINATED);
        let _ = writeln!(text, "     lost: {}", units(game, lost));
        let out = game
            .units_of(player)
            .iter()
            .filter(|&unit| !is_hex(state.at(unit)) && state.at(unit) != place::ELIMINATED);
        let _ = writeln!(text, "     off the map: {}", units(game, out));
    }
    text
}

fn run(arguments: &[String]) -> Result<(), String> {
    let [scenario, rest @ ..] = arguments else {
        return Err("usage: moscow_log SCENARIO [GAMES|log NUMBER [GERMAN [SOVIET]]]".to_owned());
    };
    let number = |at: usize, default: u64| {
        rest.get(at).map_or(Ok(default), |text| text.parse().map_err(|_| format!("not a number: {text}")))
    };
    let is_story = rest.first().is_some_and(|text| text == "log");
    let specs = 1 + usize::from(is_story);
    let agent = |at: usize| {
        let text = rest.get(at).map_or("scripted", String::as_str);
        text.parse::<AgentSpec>().map_err(|error| error.to_string())
    };
    let agents = [agent(specs)?, agent(specs + 1)?];
    let scenario = sandtable_scenarios_roads_to_moscow::open(&format!("roads-to-moscow/{scenario}"), &[])
        .map_err(|error| error.to_string())?;
    let game = RoadsToMoscow::new(scenario.into_rules())?;
    let knowledge = MoscowKnowledge::new(&game);
    if is_story {
        let mut pictures = Vec::new();
        let (outcome, events) = play(&game, &knowledge, &agents, number(1, 0)?, &mut |state| {
            if usize::from(state.turn) > pictures.len() {
                pictures.push(picture(&game, state));
            }
        })?;
        tell(&game, &events, &pictures);
        println!("{:?} wins", Player::of(sandtable_core::Side(outcome.winner.unwrap_or(0))));
        return Ok(());
    }
    let games = number(0, 40)?;
    let mut turns = BTreeMap::new();
    let (mut wins, mut scores, mut decisions) = (0, 0.0, 0u64);
    let (mut automatic, mut ends) = (0u64, 0.0);
    let mut finals = Vec::new();
    let clock = Instant::now();
    for number in 0..games {
        let mut seen = 0;
        let (outcome, events) = play(&game, &knowledge, &agents, number, &mut |state| {
            decisions += 1;
            if state.turn != seen {
                seen = state.turn;
                tally(&mut turns, &game, state);
            }
        })?;
        remember(&mut turns, &game, &events);
        automatic += u64::from(outcome.end_reason == "automatic_victory");
        ends += f64::from(seen);
        wins += u64::from(outcome.winner == Some(0));
        finals.push(outcome.points[game.rules.scenario.attacker.side()]);
        scores += f64::from(outcome.points[game.rules.scenario.attacker.side()]);
    }
    finals.sort_by(f32::total_cmp);
    let at = |share: usize| finals.get(finals.len() * share / 100).copied().unwrap_or(0.0);
    let spread = [10, 30, 50, 70, 90].map(at);
    let seconds = clock.elapsed().as_secs_f64();
    report(&game, &turns);
    let half = turns.get(&(game.rules.calendar.len() as u8 / 2)).map_or(0.0, |turn| turn.score / turn.games);
    println!(
        "the German wins {wins} of {games}, {automatic} automatic; end {:.1}, score at  half time {half:.1}; score {:.1} of {} {spread:?}; {:.1} games a second, {:.0} decisions a game",
        ends / games as f64,
        scores / games as f64,
        game.rules.scenario.threshold,
        games as f64 / seconds,
        decisions as f64 / games as f64
    );
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
