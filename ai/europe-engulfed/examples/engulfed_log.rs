//! How two agents conduct themselves in a scenario of *Europe Engulfed*: who wins, what is lost, bought, spent and left over.
//!
//! ```text
//! cargo run --release -p sandtable-ai-europe-engulfed --example engulfed_log SCENARIO [GAMES [FIRST [SECOND]]]
//! cargo run --release -p sandtable-ai-europe-engulfed --example engulfed_log SCENARIO log NUMBER [FIRST [SECOND]]
//! ```
//!
//! `FIRST` and `SECOND` are agents of the first and the second team, `scripted` unless said otherwise. `GAMES` is a number or a
//! range as `8..16`, with `@101` after it of the seed 101 and not 1. Words with `=` are overrides, as `options.me262=true`. Averages a game.

use std::collections::BTreeMap;
use std::process::ExitCode;

use sandtable_ai::{AgentSpec, Decision, Streams, play_game};
use sandtable_ai_europe_engulfed::EngulfedKnowledge;
use sandtable_core::{Game, Outcome, Turn};
use sandtable_europe_engulfed::event::{Event, LossCause, Purchase};
use sandtable_europe_engulfed::rules::{Condition, Victory};
use sandtable_europe_engulfed::{Action, EuropeEngulfed, Nation, State, Team};
use sandtable_scenarios_europe_engulfed::Override;

/// One game between agents by team.
fn play(
    game: &EuropeEngulfed,
    knowledge: &EngulfedKnowledge,
    agents: &[AgentSpec; 2],
    (seed, number): (u64, u64),
    note: &mut impl FnMut(&Decision<'_, EuropeEngulfed>),
) -> Result<(Outcome, Vec<Event>), String> {
    let mut players = Vec::new();
    for side in game.sides() {
        players.push(agents[side.team as usize].build(knowledge).map_err(|error| error.to_string())?);
    }
    let mut streams = Streams::new(seed, number, game.sides().len());
    let mut events = Vec::new();
    let mut observer = |decision: &Decision<'_, EuropeEngulfed>| note(decision);
    let outcome = play_game(game, players, &mut streams, &mut events, &mut observer);
    Ok((outcome, events))
}

fn tally(game: &EuropeEngulfed, state: &State, events: &[Event], counts: &mut BTreeMap<String, f64>) {
    let team = |nation| state.team(nation).unwrap_or(Team::First) as usize + 1;
    let mut add = |name: String, by: f64| *counts.entry(name).or_default() += by;
    let mut year = 0;
    for event in events {
        match *event {
            Event::TurnBegins { turn, .. } => year = game.bimester(turn).year,
            Event::Loss { unit, cause, .. } => {
                let side = team(game.nation(unit));
                let what = if game.is_air(unit) { "air units" } else { "steps" };
                if let (LossCause::Supply, Event::Loss { area, .. }) = (cause, *event) {
                    let (of, place) = (game.nation(unit).name(), game.area_name(area));
                    add(format!("{what} of {of} starved in {place}, team {side}"), 1.0);
                    add(format!("{what} of {of} starved, team {side}"), 1.0);
                }
                let cause = match cause {
                    LossCause::Fire => "fire",
                    LossCause::AirCombat => "air combat",
                    LossCause::Overrun => "overrun",
                    LossCause::Supply => "supply",
                    LossCause::Sunk => "ships sunk",
                    LossCause::Winter => "winter",
                    LossCause::Yielded => "yielding",
                };
                add(format!("{what} lost to {cause}, team {side}"), 1.0);
            }
            Event::Unspent { nation, werp } => {
                add(format!("WERP unspent, team {}", team(nation)), f64::from(werp));
                add(format!("WERP unspent of {}", nation.name()), f64::from(werp));
            }
            Event::Income { nation, werp } => {
                add(format!("WERP earned, team {}", team(nation)), f64::from(werp));
            }
            Event::Spent { nation, on } => add(format!("Special Action {on:?}, team {}", team(nation)), 1.0),
            Event::Bought { nation, what, cost } => {
                let what = match what {
                    Purchase::New(unit) if game.is_air(unit) => "air unit",
                    Purchase::New(_) => "new block",
                    Purchase::Step(_) => "step",
                    Purchase::FieldFort(_) => "field fortification",
                    Purchase::HeavyFort(_) => "heavy fortification",
                    Purchase::SpecialAction => "Special Action",
                    Purchase::Fleet(_) => "Fleet Point",
                    Purchase::Maintenance => "maintenance",
                    Purchase::Asset(asset) => asset.name().trim_start_matches("a "),
                    Purchase::Ally(_) => "ally",
                    Purchase::Pause => "pause in the East",
                    Purchase::PortDisabled(_) => "port disabled",
                };
                add(format!("bought: {what}, team {}", team(nation)), 1.0);
                add(format!("WERP of {} for: {what}", nation.name()), f64::from(cost));
            }
            Event::WarDeclared { by, on } => {
                add(format!("{year} war of {} on {}", by.name(), on.name()), 1.0);
            }
            Event::StandingChanged { nation, standing } => {
                add(format!("{year} {} {standing:?}", nation.name()), 1.0);
            }
            Event::Taken { by, .. } => add(format!("areas taken, team {}", team(by)), 1.0),
            Event::BattleEnds(battle) => {
                let side = battle.attacker as usize + 1;
                add(format!("rounds fought, team {side}"), 1.0);
                if battle.won {
                    add(format!("rounds won, team {side}"), 1.0);
                }
            }
            _ => {}
        }
    }
}

/// What counts at the end: victory points, bomb hits, who has what they are given for (16.22).
fn aims(game: &EuropeEngulfed, state: &State, counts: &mut BTreeMap<String, f64>) {
    let Victory::Points { points, .. } = &game.rules.victory else { return };
    let mut add = |name: String, by: f64| *counts.entry(name).or_default() += by;
    for team in Team::ALL {
        add(format!("0 victory points, team {}", team as usize + 1), f64::from(game.points_of(state, team)));
    }
    add("0 bomb hits".to_owned(), f64::from(state.strategic.bomb_hits));
    for point in points.iter().filter(|point| point.condition == Condition::Held || point.areas.len() <= 4) {
        for area in point.areas.and(state.held(point.team)) {
            let (team, name) = (point.team as usize + 1, game.area_name(area));
            add(format!("0 {name} at the end, team {team}"), 1.0);
        }
    }
}

/// Who stands where, and what each power has.
fn situation(game: &EuropeEngulfed, state: &State) {
    println!("---- {} {:?} {:?}", state.turn, game.bimester(state.turn), state.mover);
    for team in Team::ALL {
        let mut words = Vec::new();
        for area in game.areas() {
            let units = game.land_units_at(state, team, area);
            let air = game.air_units_at(state, team, area).len();
            if !units.is_empty() || air > 0 {
                let armour = units
                    .filter(|unit| game.branch(unit) == sandtable_europe_engulfed::rules::Branch::Armour);
                words.push(format!(
                    "{} {}/{}{}{}",
                    game.area_name(area),
                    units.len(),
                    game.steps_of(state, &units),
                    if armour.is_empty() {
                        String::new()
                    } else {
                        format!("a{}", game.steps_of(state, &armour))
                    },
                    if air > 0 { format!("+{air}") } else { String::new() }
                ));
            }
        }
        println!("  {team:?}: {}", words.join(", "));
    }
    for nation in Nation::ALL {
        let power = state.power(nation);
        if power.team.is_some() && (power.special_actions > 0 || game.income(state, nation) > 0) {
            println!(
                "  {}: {} Special Actions, income {}",
                nation.name(),
                power.special_actions,
                game.income(state, nation)
            );
        }
    }
}

/// What stands before `@`, and the seed after it, 1 unless said otherwise.
fn seeded(word: &str) -> Result<(&str, u64), String> {
    let (span, seed) = word.split_once('@').unwrap_or((word, "1"));
    Ok((span, seed.parse().map_err(|_| format!("not a seed: {seed}"))?))
}

fn run() -> Result<(), String> {
    let (overrides, words): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        .partition(|word| word.split_once('=').is_some_and(|(path, _)| path.contains('.')));
    let overrides = overrides.iter().map(|word| Override::parse(word)).collect::<Result<Vec<_>, _>>();
    let overrides = overrides.map_err(|error| error.to_string())?;
    let word = |at: usize| words.get(at).map(String::as_str);
    let scenario = word(0).ok_or("which scenario?")?;
    let opened =
        sandtable_scenarios_europe_engulfed::open(scenario, &overrides).map_err(|error| error.to_string())?;
    let game = EuropeEngulfed::new(opened.into_rules())?;
    let knowledge = EngulfedKnowledge::new(&game);
    let log = word(1) == Some("log");
    let first_agent = if log { 3 } else { 2 };
    let agent =
        |at: usize| word(at).unwrap_or("scripted").parse::<AgentSpec>().map_err(|error| error.to_string());
    let agents = [agent(first_agent)?, agent(first_agent + 1)?];
    if log {
        let mut before = None;
        let (number, seed) = seeded(word(2).unwrap_or("0"))?;
        let number = number.parse().map_err(|_| format!("not a number: {number}"))?;
        let (outcome, _) = play(&game, &knowledge, &agents, (seed, number), &mut |decision| {
            let now = Some((decision.state.turn, decision.state.mover));
            if now != before {
                before = now;
                situation(&game, decision.state);
            }
            if decision.legal.len() > 1 {
                let (state, words) = (decision.state, game.describe(decision.state, decision.action));
                println!("{} {:?} {:?} {}", state.turn, state.phase, state.mover, words);
            }
        })?;
        println!("{outcome:?}");
        return Ok(());
    }
    let (span, seed) = seeded(word(1).unwrap_or("100"))?;
    let (from, to) = span.split_once("..").unwrap_or(("0", span));
    let [from, to] = [from, to].map(|end| end.parse::<u64>().map_err(|_| format!("not a number: {end}")));
    let (from, to) = (from?, to?);
    let mut counts = BTreeMap::new();
    let mut last = None;
    for number in from..to {
        let mut supported = [0.0; 2];
        let (outcome, events) = play(&game, &knowledge, &agents, (seed, number), &mut |decision| {
            last = Some(decision.state.clone());
            if let (Action::Support(_), Turn::Decide(side)) = (decision.action, game.turn_of(decision.state))
            {
                supported[game.sides()[side.0 as usize].team as usize] += 1.0;
            }
        })?;
        for (team, blocks) in supported.into_iter().enumerate() {
            *counts.entry(format!("blocks supported from the air, team {}", team + 1)).or_default() += blocks;
        }
        *counts.entry(format!("0 {}", outcome.end_reason)).or_default() += 1.0;
        *counts.entry("0 turns".to_owned()).or_default() +=
            f64::from(last.as_ref().map_or(0, |state| state.turn));
        let winner = outcome.winner.map_or("nobody", |team| ["first team", "second team"][team as usize]);
        *counts.entry(format!("0 {winner} wins")).or_default() += 1.0;
        let year = last.as_ref().map_or(0, |state| game.bimester(state.turn).year);
        *counts.entry(format!("0 {winner} wins in {year}")).or_default() += 1.0;
        *counts.entry("0 points of side 1".to_owned()).or_default() += f64::from(outcome.points.0[0]);
        if let Some(state) = &last {
            aims(&game, state, &mut counts);
            tally(&game, state, &events, &mut counts);
        }
    }
    for (name, count) in counts {
        println!("{:8.2}  {name}", count / to.saturating_sub(from) as f64);
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("{fault}");
            ExitCode::from(2)
        }
    }
}
