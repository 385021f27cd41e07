//! How the scripted player of *Victory in Europe* wastes what it has, and how near its campaigns come to history: landings by
//! country and year, armies that march there and back, places left empty, fleets and armies before a landing, what is
//! produced and what of it ever moves.
//!
//! ```text
//! cargo run --release -p sandtable-ai-victory-in-europe --example conduct SCENARIO [GAMES [FIRST [AXIS [ALLIES [SEED]]]]]
//! ```
//!
//! Averages a game unless it says otherwise.

#[path = "../tests/posts/mod.rs"]
mod posts;

use posts::{Danger, empty_beside_an_enemy, falls};
use sandtable_core::Index;
use std::collections::BTreeMap;
use std::process::ExitCode;

use sandtable_ai::{AgentSpec, Decision, Streams, play_game};
use sandtable_ai_victory_in_europe::{VictoryKnowledge, is_time_for_second_front};
use sandtable_core::Game;
use sandtable_victory_in_europe::event::{Event, LossCause};
use sandtable_victory_in_europe::rules::{Arm, Entry, Kind, Standing};
use sandtable_victory_in_europe::{
    Action, Force, Nation, Phase, Place, State, Team, UnitId, VictoryInEurope,
};

/// Places whose loss decides much: how often they stand empty with an enemy within two areas or off the coast.
const GUARDED: [&str; 12] = [
    "berlin",
    "rome",
    "paris",
    "london",
    "moscow",
    "leningrad",
    "baku",
    "cairo",
    "konigsberg",
    "breslau",
    "cologne",
    "stettin",
];

#[derive(Default)]
struct Sums(BTreeMap<String, f64>);

impl Sums {
    fn add(&mut self, name: impl Into<String>, value: f64) {
        *self.0.entry(name.into()).or_default() += value;
    }
}

fn ships_at(game: &VictoryInEurope, state: &State, place: Place, team: Team) -> usize {
    game.units_at(state, place, team)
        .filter(|&unit| game.arm(unit) == Arm::Naval && game.kind(unit) != Kind::Convoy)
        .count()
}

/// What is seen at the beginning of each turn.
fn look(game: &VictoryInEurope, state: &State, sums: &mut Sums) {
    let calendar = game.calendar(state);
    let year = calendar.year;
    let summer = calendar.quarter == 2 || calendar.quarter == 3;
    for id in GUARDED {
        let Some(area) = game.place(id) else { continue };
        if let Some(danger) = empty_beside_an_enemy(game, state, area) {
            sums.add(format!("turns empty beside an enemy: {id}"), 1.0);
            if danger == Danger::Next {
                sums.add(format!("turns empty next to an enemy: {id}"), 1.0);
            }
        }
    }
    if summer && (1942..=1944).contains(&year) && state.politics.standing(Nation::Usa) != Standing::Gone {
        let channel = game.place("english_channel").unwrap();
        let britain: Vec<Place> = ["london", "southampton"].iter().filter_map(|id| game.place(id)).collect();
        let armies: usize = britain
            .iter()
            .map(|&area| {
                game.units_at(state, area, Team::Allies).filter(|&unit| game.kind(unit).is_infantry()).count()
            })
            .sum();
        let ships = ships_at(game, state, channel, Team::Allies);
        sums.add(format!("{year} summer turns"), 1.0);
        sums.add(format!("{year} ships in the Channel (sum over summer turns)"), ships as f64);
        sums.add(format!("{year} infantry in London and Southampton (sum)"), armies as f64);
        sums.add(format!("{year} turns with both"), f64::from(u8::from(ships > 0 && armies > 0)));
    }
    // What stands about: steps by arm and theatre of the Western Allies in 1944.
    if year == 1944 && calendar.quarter == 2 {
        for force in Force::ALL {
            let mut steps = [0.0; 3];
            for unit in game.units_of(state, force) {
                if state.is_on_map(unit) {
                    steps[game.arm(unit) as usize] += f64::from(state.steps(unit));
                    if force == Force::Western
                        && game.arm(unit) == Arm::Army
                        && state.location(unit).is_area()
                    {
                        let area = &game.rules.areas[state.location(unit).at()];
                        sums.add(
                            format!("1944 q2 Western army steps in {}", area.country.name()),
                            f64::from(state.steps(unit)),
                        );
                    }
                }
            }
            for (arm, steps) in ["army", "air", "naval"].iter().zip(steps) {
                sums.add(format!("1944 q2 {} {arm} steps", force.name()), steps);
            }
        }
        sums.add("1944 q2 reached", 1.0);
    }
}

/// Who leaves the Channel and its ports in a turn for elsewhere, while a landing in France is still to come.
fn leaves_the_channel(game: &VictoryInEurope, [now, next]: [&State; 2], sums: &mut Sums) {
    let [channel, london, southampton] =
        ["english_channel", "london", "southampton"].map(|id| game.place(id).unwrap());
    let ships = |state: &State| ships_at(game, state, channel, Team::Allies);
    let mut left = [0u32; 2];
    for unit in game.units_of(now, Force::Western) {
        let (from, to) = (now.location(unit), next.location(unit));
        let (arm, kind) = (game.arm(unit), game.kind(unit));
        let waits = arm == Arm::Naval && from == channel && kind != Kind::Convoy;
        let is_army = kind.is_infantry() && !matches!(kind, Kind::HomeGuard | Kind::Paratroop);
        let boards = is_army && (from == london || from == southampton);
        if waits
            && to != channel
            && let Some(zone) = to.sea_zone()
        {
            left[0] += 1;
            let sea = &game.rules.seas[usize::from(zone)].id;
            sums.add(
                format!("before a landing in France: {} leaves for {sea}", game.rules.units[unit.at()].id),
                1.0,
            );
        }
        let near = to == london || to == southampton;
        if boards && to.is_area() && !near && next.held[Force::Western.index()].contains(to) {
            let britain = game.rules.areas[to.at()].country == Nation::Britain;
            left[1] += u32::from(britain);
            sums.add(
                format!("before a landing in France: armies leave for {}", game.rules.areas[to.at()].id),
                1.0,
            );
        }
    }
    for (what, left) in ["ships leave the Channel", "armies leave its ports for Britain"].iter().zip(left) {
        sums.add(format!("before a landing in France: {what}"), f64::from(left));
        sums.add(format!("before a landing in France: turns in which {what}"), f64::from(left.min(1)));
    }
    if ships(now) > 0 && ships(next) == 0 {
        sums.add("before a landing in France: turns in which the last ship leaves the Channel", 1.0);
    }
}

/// What could have been built with the points that are left.
fn left_unbuilt(game: &VictoryInEurope, decision: &Decision<'_, VictoryInEurope>, sums: &mut Sums) {
    let state = decision.state;
    let Some(major) = state.budget.major() else { return };
    let points = f64::from(state.budget.points[major.index()]);
    if points <= 0.0 {
        return;
    }
    let kinds = decision.legal.iter().filter_map(|action| match action {
        Action::Build(unit) | Action::Raise(unit, _) => Some(game.kind(*unit)),
        _ => None,
    });
    let fights = |kind: &Kind| kind.is_infantry() || matches!(kind, Kind::Panzer | Kind::Leader);
    // What fights on land before what does not.
    let could = kinds.max_by_key(|kind| (fights(kind), *kind as u8));
    let factories = decision.legal.iter().any(|action| matches!(action, Action::BuildFactory(_)));
    let could = could.map_or_else(
        || if factories { "factories" } else { "nothing" }.to_owned(),
        |kind| format!("{kind:?}").to_lowercase(),
    );
    sums.add(format!("points left {}, could build {could}", major.name()), points);
}

fn play(
    game: &VictoryInEurope,
    knowledge: &VictoryKnowledge,
    agents: &[AgentSpec; 2],
    (seed, number): (u64, u64),
    sums: &mut Sums,
) -> Result<(), String> {
    let mut players = Vec::new();
    for side in game.sides() {
        players.push(agents[side.team as usize].build(knowledge).map_err(|error| error.to_string())?);
    }
    let mut streams = Streams::new(seed, number, game.sides().len());
    let mut events = Vec::new();
    let mut seen = 0;
    let mut last_states: Vec<State> = Vec::new();
    let mut command_left = [0.0f64; 3];
    let mut before: Option<(Phase, [u8; 3], u8)> = None;
    let mut observer = |decision: &Decision<'_, VictoryInEurope>| {
        let state = decision.state;
        if state.turn != seen {
            seen = state.turn;
            last_states.push(state.clone());
        }
        if let Some((Phase::Movement, command, _)) = before
            && state.phase == Phase::Combat
        {
            for at in 0..3 {
                command_left[at] += f64::from(command[at]);
            }
        }
        before = Some((state.phase, state.command, state.turn));
        if state.phase == Phase::Production && decision.action == Action::Pass {
            left_unbuilt(game, decision, sums);
        }
    };
    let outcome = play_game(game, players, &mut streams, &mut events, &mut observer);
    for state in &last_states {
        look(game, state, sums);
    }
    for id in GUARDED {
        let [times, unfought] = game.place(id).map_or([0; 2], |area| falls(game, &events, area));
        sums.add(format!("falls: {id}"), f64::from(times));
        sums.add(format!("falls without a battle: {id}"), f64::from(unfought));
    }
    let landed_in = events.iter().scan(0, |turn, event| {
        if let Event::TurnBegins { turn: now } = event {
            *turn = *now;
        }
        let france = |area| game.home(Nation::France).contains(area);
        let lands = matches!(event, Event::Invasion { force: Force::Western, area } if france(*area));
        let is_time = || last_states.iter().any(|at| at.turn == *turn && is_time_for_second_front(at));
        Some((lands && is_time()).then_some(*turn))
    });
    let first = landed_in.flatten().next().unwrap_or(u8::MAX);
    for pair in last_states.windows(2) {
        if is_time_for_second_front(&pair[0]) && pair[0].turn < first {
            leaves_the_channel(game, [&pair[0], &pair[1]], sums);
        }
    }
    for (force, left) in Force::ALL.into_iter().zip(command_left) {
        sums.add(format!("command left {}", force.name()), left);
    }
    let turn_state = |turn: u8| last_states.iter().find(|state| state.turn == turn);
    if let Some(state) = last_states.iter().find(|state| game.calendar(state).year == 1941) {
        for id in ["denmark", "oslo", "paris", "warsaw", "belgium", "athens", "belgrade"] {
            let axis = game.place(id).is_some_and(|area| state.held[0].contains(area));
            sums.add(format!("games with {id} Axis at the beginning of 1941"), f64::from(u8::from(axis)));
        }
    }
    let paris = game.place("paris").unwrap();
    let oslo = game.place("oslo").unwrap();
    for (name, area) in [("paris", paris), ("oslo", oslo)] {
        let ever = last_states.iter().any(|state| state.held[0].contains(area));
        sums.add(format!("games with {name} Axis ever"), f64::from(u8::from(ever)));
    }
    // A state shows what the turn before has brought.
    for (name, until) in [("1941", 1940), ("1942", 1941)] {
        let reached = last_states.iter().rfind(|state| game.calendar(state).year <= until);
        let seen = last_states.iter().find(|state| game.calendar(state).year > until).or(reached);
        let Some(state) = seen.filter(|state| game.calendar(state).year >= until) else { continue };
        let fell = state.politics.standing(Nation::France) != Standing::Western;
        let at_war = state.politics.ussr == Entry::AtWar;
        sums.add(format!("games with France beaten before {name}"), f64::from(u8::from(fell)));
        sums.add(format!("games with war in the east before {name}"), f64::from(u8::from(at_war)));
    }
    let axis_won = outcome.winner == Some(0);
    sums.add(format!("{} by {}", if axis_won { "Axis wins" } else { "Allies win" }, outcome.end_reason), 1.0);
    sums.add("last turn", f64::from(seen));
    sums.add("Axis wins", f64::from(u8::from(axis_won)));
    // Facts.
    let mut turn = 0u8;
    let mut start = [None::<(u8, Place, Place)>; 192];
    let mut earlier = [None::<(u8, Place, Place)>; 192];
    let mut last_moved = [0u8; 192];
    let mut built_at = [0u8; 192];
    let mut fought = [0u8; 192];
    let mut soviet_entry = 0u8;
    let mut france_late = false;
    let mut reached_43 = false;
    for event in &events {
        let nation_force = |unit: UnitId| {
            turn_state(turn.max(1)).and_then(|state| game.force(state, unit)).map_or("nobody", Force::name)
        };
        match event {
            Event::TurnBegins { turn: now } => {
                turn = *now;
                for unit in 0..192 {
                    if let Some(this) = start[unit] {
                        earlier[unit] = Some(this);
                    }
                    start[unit] = None;
                }
                reached_43 |= game.rules.calendar[turn as usize - 1].year >= 1944;
            }
            Event::Moved { unit, from, to, strategic } => {
                let at = unit.at();
                last_moved[at] = turn;
                let first = start[at].map_or(*from, |(_, first, _)| first);
                start[at] = Some((turn, first, *to));
                if game.arm(*unit) == Arm::Army
                    && let Some((when, was, became)) = earlier[at]
                    && when + 1 == turn
                    && was == *to
                    && became == first
                    && was != became
                {
                    sums.add(format!("armies there and back {}", nation_force(*unit)), 1.0);
                    if fought[at] + 1 < turn {
                        sums.add(
                            format!("armies there and back {} without a battle", nation_force(*unit)),
                            1.0,
                        );
                    }
                }
                if *strategic && game.arm(*unit) == Arm::Army {
                    sums.add(format!("strategic moves of armies {}", nation_force(*unit)), 1.0);
                }
            }
            Event::Standing { nation: Nation::Ussr, standing: Standing::Soviet } => soviet_entry = turn,
            Event::Taken { area, by: Nation::Ussr } if soviet_entry == turn => {
                sums.add(
                    format!("taken by the Soviets in the turn of war: {}", game.rules.areas[area.at()].id),
                    1.0,
                );
                sums.add("taken by the Soviets in the turn of war", 1.0);
            }
            Event::Fired { unit, .. } if *unit != UnitId::NONE => fought[unit.at()] = turn,
            Event::Invasion { force, area } => {
                let year = game.rules.calendar[turn as usize - 1].year;
                let country = game.rules.areas[area.at()].country;
                sums.add(format!("landings {} {year} {}", force.name(), country.name()), 1.0);
                sums.add(format!("landings {}", force.name()), 1.0);
                if *force == Force::Western
                    && (1943..=1944).contains(&year)
                    && country == Nation::France
                    && game.home(Nation::France).contains(*area)
                {
                    france_late = true;
                }
            }
            Event::Built { unit, new, .. } => {
                built_at[unit.at()] = turn;
                let name = format!("{:?}", game.kind(*unit)).to_lowercase();
                let cost = f64::from(game.unit_type(*unit).cost);
                sums.add(format!("points spent {} on {name}", nation_force(*unit)), cost);
                sums.add(format!("points spent {}", nation_force(*unit)), cost);
                let _ = new;
            }
            Event::Production { nation, points, .. } => {
                let force =
                    turn_state(turn.max(1)).and_then(|state| state.politics.standing(*nation).force());
                sums.add(format!("points {}", force.map_or("nobody", Force::name)), f64::from(*points));
            }
            Event::Loss { unit, steps, cause } => {
                let own = matches!(
                    cause,
                    LossCause::Stacking | LossCause::Attrition | LossCause::Ice | LossCause::NoRetreat
                );
                if own {
                    sums.add(format!("steps lost {} by {cause:?}", nation_force(*unit)), f64::from(*steps));
                }
            }
            Event::BattleEnds(battle) => {
                sums.add(
                    format!("battles {:?} {}", battle.attacker, if battle.won { "won" } else { "lost" }),
                    1.0,
                );
            }
            _ => {}
        }
    }
    sums.add("games that reach 1944", f64::from(u8::from(reached_43)));
    sums.add(
        "games that reach 1944 with a landing in France in 1943-44",
        f64::from(u8::from(france_late && reached_43)),
    );
    // Ships and aircraft that were raised and did not move for six turns until the end.
    if let Some(state) = last_states.last() {
        for unit in game.unit_ids() {
            if state.is_on_map(unit)
                && last_moved[unit.at()] + 6 < turn
                && game.kind(unit) != Kind::Convoy
                && game.kind(unit) != Kind::Fortress
            {
                let force = game.force(state, unit).map_or("nobody", Force::name);
                sums.add(
                    format!("idle for six turns at the end {force} {:?}", game.arm(unit)),
                    f64::from(state.steps(unit)),
                );
            }
        }
    }
    Ok(())
}

fn run() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let scenario =
        arguments.first().ok_or("usage: conduct SCENARIO [GAMES [FIRST [AXIS [ALLIES [SEED]]]]]")?;
    let number = |at: usize, default: u64| {
        arguments
            .get(at)
            .map_or(Ok(default), |text| text.parse().map_err(|_| format!("not a number: {text}")))
    };
    let (games, first, seed) = (number(1, 40)?, number(2, 0)?, number(5, 1)?);
    let agent = |at: usize| {
        let text = arguments.get(at).map_or("scripted", String::as_str);
        text.parse::<AgentSpec>().map_err(|error| error.to_string())
    };
    let agents = [agent(3)?, agent(4)?];
    let scenario =
        sandtable_scenarios_victory_in_europe::open(scenario, &[]).map_err(|error| error.to_string())?;
    let game = VictoryInEurope::new(scenario.into_rules())?;
    let knowledge = VictoryKnowledge::new(&game);
    let mut sums = Sums::default();
    for number in first..first + games {
        play(&game, &knowledge, &agents, (seed, number), &mut sums)?;
    }
    for (name, sum) in &sums.0 {
        println!("{:>9.2}  {name}", sum / games as f64);
    }
    Ok(())
}

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
