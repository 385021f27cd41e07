//! Habits of the scripted player of *Victory in Europe* that a wargamer would call silly, counted over games: capitals that an
//! enemy walks into, Italy won and lost again, when Denmark and Norway fall, whether France is landed on, how Berlin is
//! attacked, which landings stay ashore, command and points that nobody spends, and what aircraft and armies do all year.
//!
//! ```text
//! cargo run --release -p sandtable-ai-victory-in-europe --example victory_habits SCENARIO [GAMES [SEED [AXIS [ALLIES]]]]
//! ```
//!
//! Averages a game unless it says otherwise.

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;

use sandtable_ai::{AgentSpec, Decision, Streams, play_game};
use sandtable_ai_victory_in_europe::VictoryKnowledge;
use sandtable_core::{Game, Index, Rng64};
use sandtable_victory_in_europe::event::{Battle, Event};
use sandtable_victory_in_europe::rules::{Areas, Arm, Kind, MAX_SEAS, Standing};
use sandtable_victory_in_europe::state::mark;
use sandtable_victory_in_europe::{
    Force, Nation, Pending, Phase, Place, State, Team, UnitId, VictoryInEurope,
};

/// Countries from which it is not far to Germany.
const WEST: [Nation; 6] =
    [Nation::France, Nation::Belgium, Nation::Netherlands, Nation::Denmark, Nation::Norway, Nation::Germany];

/// A figure: how often, and the sum of what is averaged each time.
#[derive(Clone, Copy, Default)]
struct Figure {
    times: f64,
    sum: f64,
}

#[derive(Default)]
struct Figures(BTreeMap<String, Figure>);

impl Figures {
    fn add(&mut self, name: impl Into<String>, value: f64) {
        let figure = self.0.entry(name.into()).or_default();
        figure.times += 1.0;
        figure.sum += value;
    }
}

/// Steps of the armies of a team in some areas, but for leaders.
fn steps_in(game: &VictoryInEurope, state: &State, areas: &Areas, team: Team) -> f64 {
    let armies = areas.iter().flat_map(|area| game.units_at(state, area, team));
    let fights = |unit| game.arm(unit) == Arm::Army && game.kind(unit) != Kind::Leader;
    armies.filter(|&unit| fights(unit)).map(|unit| f64::from(state.steps(unit))).sum()
}

/// Areas from one to the nearest of some, no more than nine.
fn distance(game: &VictoryInEurope, from: Place, is_goal: impl Fn(Place) -> bool) -> usize {
    let (mut ring, mut far) = (Areas::one(from), 0);
    while far < 9 && !ring.iter().any(&is_goal) {
        ring = ring.iter().fold(ring, |ring, area| ring.or(game.adjacent(area)));
        far += 1;
    }
    far
}

/// What the owner of an area saw of its enemies when he last moved: how far away the next army was, or the next ship.
fn seen(game: &VictoryInEurope, state: &State, area: Place, enemy: Team, lands: bool) -> String {
    let coast = game.coast_seas(area, 0);
    let ships =
        |zone: u8| game.units_at(state, Place::sea(zone), enemy).any(|unit| game.arm(unit) == Arm::Naval);
    if lands {
        let before = (0..MAX_SEAS as u8).filter(|zone| coast >> zone & 1 != 0).any(ships);
        return format!("ships {} it when it could be guarded", if before { "before" } else { "not before" });
    }
    let armies = |near: Place| {
        let fights = |unit| game.arm(unit) == Arm::Army && game.kind(unit) != Kind::Fortress;
        game.units_at(state, near, enemy).any(fights)
    };
    format!("seen {} areas off", distance(game, area, armies))
}

/// What became of the Western landings: taken and held, followed up, and whether the same coast had just been lost.
fn landings(game: &VictoryInEurope, states: &[State], landed: &[(u8, Place)], figures: &mut Figures) {
    let at = |turn: u8| states.iter().find(|state| state.turn == turn);
    let holds = |turn: u8, area: Place| at(turn).is_none_or(|state| state.held[1].contains(area));
    let last = states.last().map_or(0, |state| state.turn);
    for (number, &(turn, area)) in landed.iter().enumerate() {
        let year = game.rules.calendar[turn as usize - 1].year;
        figures.add("Western landings", f64::from(turn));
        figures.add(format!("Western landings of {year}"), f64::from(turn));
        let lost_before = landed[..number].iter().any(|&(then, coast)| {
            coast == area && turn <= then + 4 && (then + 1..=turn).any(|turn| !holds(turn, area))
        });
        if lost_before {
            figures.add("Western landings on a coast lost within a year", f64::from(turn));
        }
        let armies = |turn: u8, area: Place| {
            let fights = |&unit: &UnitId| game.kind(unit).is_infantry() || game.kind(unit) == Kind::Panzer;
            at(turn).map_or(0, |state| game.units_at(state, area, Team::Allies).filter(fights).count())
        };
        let ashore = |&&(then, coast): &&(u8, Place)| {
            let near = |other: Place| other == area || game.adjacent(area).contains(other);
            then < turn && turn <= then + 4 && !near(coast) && holds(turn, coast) && armies(turn, coast) > 0
        };
        if landed[..number].iter().find(ashore).is_some() {
            figures.add("Western landings away from one of the year before that holds", f64::from(turn));
        }
        if last < turn + 2 {
            continue;
        }
        figures.add("Western landings two turns before the end or earlier", f64::from(turn));
        let fate = if !holds(turn + 1, area) {
            "thrown back in their turn"
        } else if !holds(turn + 2, area) {
            "thrown back in the turn after"
        } else {
            let far = game.adjacent(area).iter().filter(|&near| holds(turn + 2, near));
            let ashore = armies(turn + 2, area) + far.map(|near| armies(turn + 2, near)).sum::<usize>();
            figures.add("armies on and beside a coast that holds for two turns", ashore as f64);
            "that hold for two turns"
        };
        figures.add(format!("Western landings {fate}"), f64::from(turn));
    }
}

/// What a unit did in a turn.
#[derive(Clone, Copy, Default)]
struct Deeds {
    /// From where, in the Movement Phase, and whether strategically.
    left: Option<(Place, bool)>,
    fired: bool,
}

/// Aircraft that fight, change fields or stay, ships in port, and armies back where they stood.
fn turn_ends(
    game: &VictoryInEurope,
    [before, now, next]: [&State; 3],
    deeds: &BTreeMap<UnitId, Deeds>,
    figures: &mut Figures,
) {
    for unit in game.unit_ids().filter(|&unit| now.is_on_map(unit) && next.is_on_map(unit)) {
        let Some(force) = game.force(now, unit) else { continue };
        let Deeds { left, fired } = deeds.get(&unit).copied().unwrap_or_default();
        let moved = now.location(unit) != next.location(unit);
        match game.arm(unit) {
            Arm::Air => {
                let bombs = matches!(game.kind(unit), Kind::HeavyBomber | Kind::MediumBomber);
                let what = if fired {
                    "fight"
                } else if moved && left.is_some_and(|(_, strategic)| strategic) {
                    "go by Strategic Movement"
                } else if moved {
                    "change fields"
                } else {
                    "stay"
                };
                let kind = if bombs { "bombers" } else { "other aircraft" };
                figures.add(format!("turns in which {kind} of {} {what}", force.name()), 1.0);
                if !fired && moved && next.location(unit) == before.location(unit) {
                    figures
                        .add(format!("{kind} of {} back on the field of two turns ago", force.name()), 1.0);
                }
            }
            Arm::Naval if game.kind(unit) != Kind::Convoy => {
                let place = if next.location(unit).is_area() { "in port" } else { "at sea" };
                let what = if fired {
                    "fight"
                } else if moved {
                    "move"
                } else {
                    "stay"
                };
                figures.add(format!("turns in which ships of {} {what} {place}", force.name()), 1.0);
            }
            Arm::Army
                if !fired
                    && moved
                    && before.is_on_map(unit)
                    && next.location(unit) == before.location(unit) =>
            {
                figures.add(format!("armies of {} back where they stood", force.name()), 1.0);
            }
            _ => {}
        }
    }
}

/// What is hidden, and how often it comes up: redraws that find places for leaders and paratroops by chance or not, blocks seen
/// below their full steps that production makes unknown, and neutrals whose units are placed by who must not know who moves.
#[derive(Default)]
struct Fog {
    figures: Figures,
    /// Units seen below their full steps, while production is written.
    weak: Vec<UnitId>,
    placed: Option<(u8, u8)>,
}

impl Fog {
    fn look(&mut self, game: &VictoryInEurope, decision: &Decision<'_, VictoryInEurope>, dice: &mut Rng64) {
        let state = decision.state;
        if let Some(found) = game.deals_by_chance(state, game.decider(state), dice) {
            let what = if found { "found by chance" } else { "not found by chance" };
            self.figures.add(format!("hidden: redraws whose arrangement is {what}"), 1.0);
        }
        if state.phase == Phase::Production {
            let is_weak = |unit: &UnitId| {
                state.is_on_map(*unit)
                    && state.has_mark(*unit, mark::KNOWN)
                    && state.steps(*unit) < game.max_steps(*unit)
            };
            self.weak = game.unit_ids().filter(is_weak).collect();
        } else {
            for _ in self.weak.drain(..).filter(|&unit| !state.has_mark(unit, mark::KNOWN)) {
                self.figures
                    .add("hidden: blocks seen below their full steps that production makes unknown", 1.0);
            }
        }
        let Pending::Neutral { by, nation } = state.pending else { return };
        if self.placed.replace((state.turn, nation)) != Some((state.turn, nation)) {
            let enemy_moves =
                state.phase == Phase::Movement && Force::ALL[usize::from(by)].bit() & state.movers == 0;
            let what = if enemy_moves { "while their enemy moves" } else { "otherwise" };
            self.figures.add(format!("hidden: neutrals whose units a player places {what}"), 1.0);
        }
    }
}

/// Battles of a team, as its movement ends, with an aircraft of its own or without; a battle takes no more than one (6.11).
fn air_support(game: &VictoryInEurope, state: &State, team: Team, figures: &mut Figures) {
    let is_aircraft = |unit: &UnitId| game.arm(*unit) == Arm::Air;
    for area in &state.attacked[team.index()] {
        // All that have somebody there: the West and the Soviets may attack together.
        let attacks = |force: &Force| {
            game.units_at(state, area, team).any(|unit| game.force(state, unit) == Some(*force))
        };
        let forces: Vec<&str> = Force::ALL.into_iter().filter(attacks).map(Force::name).collect();
        if forces.is_empty() {
            continue;
        }
        let could = |unit: &UnitId| {
            let points = game.unit_type(*unit).moves;
            state.is_on_map(*unit)
                && state.location(*unit).is_area()
                && !state.has_mark(*unit, mark::MOVED)
                && game.air_reach(state, *unit, points).0.contains(area)
        };
        let what = if game.units_at(state, area, team).any(|unit| is_aircraft(&unit)) {
            "with an aircraft"
        } else if Force::ALL
            .into_iter()
            .filter(|force| force.team() == team)
            .any(|force| game.units_of(state, force).iter().filter(is_aircraft).any(|unit| could(&unit)))
        {
            "without an aircraft, and one in reach stays"
        } else {
            "without an aircraft, and none in reach"
        };
        figures.add(format!("battles that {} open {what}", forces.join(" and ")), 1.0);
    }
}

fn play(
    game: &VictoryInEurope,
    knowledge: &VictoryKnowledge,
    agents: &[AgentSpec; 2],
    (seed, number): (u64, u64),
    figures: &mut Figures,
) -> Result<(), String> {
    let mut players = Vec::new();
    for side in game.sides() {
        players.push(agents[side.team as usize].build(knowledge).map_err(|error| error.to_string())?);
    }
    let mut streams = Streams::new(seed, number, game.sides().len());
    let (mut events, mut states) = (Vec::new(), Vec::<State>::new());
    // The last position in which a team moved, by turn.
    let mut looks: BTreeMap<(u8, usize), State> = BTreeMap::new();
    let (mut left, mut short) = (None::<[u8; 3]>, Figures::default());
    let (mut fog, mut redraws) = (Fog::default(), Rng64::stream(seed, number, 99));
    let mut observer = |decision: &Decision<'_, VictoryInEurope>| {
        fog.look(game, decision, &mut redraws);
        if decision.state.phase == Phase::Movement {
            left = Some(decision.state.command);
        // Pins are named between the movements of both players.
        } else if decision.state.phase != Phase::Pinning
            && let Some(command) = left.take()
        {
            for force in Force::ALL {
                let points = command[force.index()];
                // What the Allies share is counted once.
                if points > 0 && decision.state.purse(force) == force {
                    short.add(format!("command {} leaves: turns, points", force.name()), f64::from(points));
                }
            }
        }
        if states.last().is_none_or(|last| last.turn != decision.state.turn) {
            states.push(decision.state.clone());
        }
        if decision.state.phase == Phase::Movement {
            looks.insert((decision.state.turn, decision.state.mover.index()), decision.state.clone());
        }
    };
    let outcome = play_game(game, players, &mut streams, &mut events, &mut observer);
    figures.add("games", 1.0);
    for ((_, team), state) in &looks {
        air_support(game, state, Team::ALL[*team], figures);
    }
    if outcome.winner == Some(0) {
        figures.add("games that the Axis wins", 1.0);
    }
    figures.add(format!("games that end by {}", outcome.end_reason), 1.0);
    let year_of = |turn: u8| game.rules.calendar[turn as usize - 1].year;
    let reaches_1944 = states.iter().any(|state| year_of(state.turn) >= 1944);
    if reaches_1944 {
        figures.add("games that reach 1944", 1.0);
    }
    let berlin = game.rules.victory.last;
    let [rome, denmark, oslo] = ["rome", "denmark", "oslo"].map(|id| game.place(id).unwrap());
    let capitals: BTreeMap<Place, Nation> = Nation::ALL
        .into_iter()
        .filter_map(|nation| Some((game.rules.capitals[nation.index()]?, nation)))
        .collect();
    // Whose an area is, followed through the facts.
    let first = &states[0];
    let mut forces = first.politics;
    let mut holder: BTreeMap<Place, Option<Force>> = game
        .areas()
        .iter()
        .map(|area| (area, Force::ALL.into_iter().find(|&force| first.holds(force, area))))
        .collect();
    let (mut turn, mut battle) = (first.turn, None::<Place>);
    let mut west = false;
    let (mut france, mut fell, mut rome_lost) = (false, BTreeSet::new(), 0u8);
    let (mut attacked_in, mut retaken_in) = (BTreeSet::new(), BTreeSet::new());
    // Where each unit stood as the turn began, and the last move.
    let mut begun: BTreeMap<UnitId, Place> = BTreeMap::new();
    let (mut phase, mut moved, mut landing) = (Phase::Cards, None::<(Place, Place)>, Place::NONE);
    let mut has_moved = BTreeSet::new();
    let (mut landed, mut deeds) = (Vec::new(), BTreeMap::<UnitId, Deeds>::new());
    for (name, figure) in short.0.into_iter().chain(fog.figures.0) {
        let sum = figures.0.entry(name).or_default();
        sum.times += figure.times;
        sum.sum += figure.sum;
    }
    for event in &events {
        let year = year_of(turn);
        match event {
            Event::TurnBegins { turn: now } => {
                let seen = |turn: u8| states.iter().find(|state| state.turn == turn);
                let three = [turn.saturating_sub(1), turn, *now].map(seen);
                if let [Some(before), Some(state), Some(next)] = three {
                    turn_ends(game, [before, state, next], &deeds, figures);
                }
                deeds.clear();
                turn = *now;
                begun.clear();
                landing = Place::NONE;
                if let Some(state) = states.iter().find(|state| state.turn == turn) {
                    forces = state.politics;
                    for (area, force) in &mut holder {
                        *force = Force::ALL.into_iter().find(|&other| state.holds(other, *area));
                    }
                }
            }
            Event::PhaseBegins { phase: now, team } => {
                phase = *now;
                if let (Phase::Movement, Some(team)) = (phase, team) {
                    has_moved.insert((turn, team.index()));
                }
            }
            Event::Fired { unit, .. } if *unit != UnitId::NONE => {
                deeds.entry(*unit).or_default().fired = true;
            }
            Event::Unspent { nation, points } => {
                figures.add(format!("points {} leaves: turns, points", nation.name()), f64::from(*points));
            }
            Event::Production { nation, points, .. } => {
                figures.add(format!("points of {}: turns, points", nation.name()), f64::from(*points));
            }
            Event::Moved { unit, from, to, strategic } => {
                if phase == Phase::Movement {
                    deeds.entry(*unit).or_default().left = Some((*from, *strategic));
                }
                moved = Some((*begun.entry(*unit).or_insert(*from), *to));
            }
            Event::BattleBegins { place, .. } => battle = Some(*place),
            Event::Taken { area, by } => {
                let own = holder.get(area).copied().flatten();
                let taker = forces.standing(*by).force();
                let hostile = own.is_some_and(|own| taker.is_some_and(|taker| taker.team() != own.team()));
                let id = &game.rules.areas[area.at()].id;
                // With the surrender of a country nobody enters.
                if let (true, Some(own), Some(taker), Some((begun, to))) = (hostile, own, taker, moved)
                    && to == *area
                    && battle != Some(to)
                    && capitals.contains_key(area)
                {
                    let (team, own, taker) = (own.team(), own.name(), taker.name());
                    let lands = landing == *area;
                    let way = if lands {
                        "from the sea".to_owned()
                    } else if phase == Phase::Combat {
                        "after a battle".to_owned()
                    } else {
                        format!("from {} areas away", distance(game, *area, |place| place == begun))
                    };
                    let last = if has_moved.contains(&(turn, team.index())) { turn } else { turn - 1 };
                    let sight = looks.get(&(last, team.index())).map_or("at the start".to_owned(), |state| {
                        seen(game, state, *area, team.other(), lands)
                    });
                    for name in [
                        format!("capital of {own} entered empty: {id} by {taker} {way}, turn"),
                        format!("capitals of {own} entered empty by {taker} {way}, turn"),
                        format!("capitals of {own} entered empty, {sight}, turn"),
                        format!("capitals of {own} entered empty by {taker}, turn"),
                    ] {
                        figures.add(name, f64::from(turn));
                    }
                }
                if *area == rome && own == Some(Force::Axis) && taker == Some(Force::Western) {
                    figures.add("Rome taken by the West, turn", f64::from(turn));
                    rome_lost += 1;
                }
                if *area == rome && own == Some(Force::Western) && taker == Some(Force::Axis) {
                    figures.add("Rome taken back, turn", f64::from(turn));
                }
                if taker == Some(Force::Axis) && (*area == denmark || *area == oslo) && fell.insert(*area) {
                    figures.add(format!("{id} falls to the Axis, turn"), f64::from(turn));
                    if year <= 1940 {
                        figures.add(format!("{id} falls to the Axis by the end of 1940"), 1.0);
                    }
                }
                if *area == berlin && own == Some(Force::Axis) {
                    let taker = taker.map_or("nobody", Force::name);
                    figures.add(format!("Berlin taken by {taker}, turn"), f64::from(turn));
                }
                holder.insert(*area, taker);
            }
            Event::Standing { nation: Nation::Italy, standing: Standing::Gone } => {
                figures.add("Italy surrenders, turn", f64::from(turn));
            }
            Event::Invasion { force, area } => {
                landing = *area;
                if *force != Force::Western {
                    continue;
                }
                landed.push((turn, *area));
                let country = game.rules.areas[area.at()].country;
                figures.add(format!("Western landings in {} {year}", country.name()), 1.0);
                if WEST.contains(&country) && year <= 1944 && !west && reaches_1944 {
                    west = true;
                    figures.add(
                        "games that reach 1944 with a landing in western Europe by its end, first turn",
                        f64::from(turn),
                    );
                }
                if game.home(Nation::France).contains(*area) && year <= 1944 && !france && reaches_1944 {
                    france = true;
                    figures.add(
                        "games that reach 1944 with a landing in France by its end, first turn",
                        f64::from(turn),
                    );
                }
            }
            Event::BattleEnds(fought) => {
                battle = None;
                if fought.place == berlin && fought.attacker == Team::Axis {
                    retaken_in.insert(turn);
                }
                if fought.place == berlin && fought.attacker == Team::Allies && fought.units[0] > 0 {
                    let Battle { units, steps, won, .. } = fought;
                    attacked_in.insert(turn);
                    figures.add("Berlin attacked, turn", f64::from(turn));
                    figures.add("Berlin attacked with so many units", f64::from(units[0]));
                    figures.add("Berlin attacked with so many steps", f64::from(steps[0]));
                    figures.add("Berlin attacked, steps that defend", f64::from(steps[1]));
                    if *won {
                        figures.add("Berlin stormed, turn", f64::from(turn));
                    }
                }
            }
            _ => {}
        }
    }
    landings(game, &states, &landed, figures);
    if rome_lost > 1 {
        figures.add("games in which Rome falls more than once", 1.0);
    }
    let ring = game.adjacent(berlin);
    let near = ring.iter().fold(*ring, |near, area| near.or(game.adjacent(area)));
    let russia = game.home(Nation::Ussr);
    let (mut was_held, mut lost) = (true, false);
    for state in &states {
        let is_held = state.held[0].contains(berlin);
        let [axis, steps] = Team::ALL.map(|team| steps_in(game, state, ring, team));
        if !is_held && was_held && !std::mem::replace(&mut lost, true) {
            let far = steps_in(game, state, russia, Team::Axis);
            figures.add("Berlin lost for the first time, steps of the Axis in Russia then", far);
        }
        was_held = is_held;
        if !is_held && axis > 0.0 && state.turn == game.rules.setup.last_turn {
            figures.add("last turns with the Axis beside a lost Berlin, its steps", axis);
            if !retaken_in.contains(&state.turn) {
                figures.add(
                    "last turns with the Axis beside a lost Berlin that it does not attack, its steps",
                    axis,
                );
            }
        }
        let is_empty = is_held && steps_in(game, state, &Areas::one(berlin), Team::Axis) == 0.0;
        if is_empty && steps_in(game, state, &near, Team::Allies) > 0.0 {
            figures.add(
                "turns that begin with an empty Berlin two areas from the Allies",
                f64::from(state.turn),
            );
        }
        if state.held[0].contains(berlin) && steps > 0.0 {
            figures.add("turns with Allies beside Berlin, their steps", steps);
            if !attacked_in.contains(&state.turn) {
                figures.add("turns with Allies beside Berlin that do not attack, their steps", steps);
            }
        }
    }
    Ok(())
}

fn run() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let scenario =
        arguments.first().ok_or("usage: victory_habits SCENARIO [GAMES [SEED [AXIS [ALLIES]]]]")?;
    let number = |at: usize, default: u64| {
        arguments
            .get(at)
            .map_or(Ok(default), |text| text.parse().map_err(|_| format!("not a number: {text}")))
    };
    let (games, seed) = (number(1, 60)?, number(2, 11)?);
    let agent = |at: usize| {
        let text = arguments.get(at).map_or("scripted", String::as_str);
        text.parse::<AgentSpec>().map_err(|error| error.to_string())
    };
    let agents = [agent(3)?, agent(4)?];
    let scenario =
        sandtable_scenarios_victory_in_europe::open(scenario, &[]).map_err(|error| error.to_string())?;
    let game = VictoryInEurope::new(scenario.into_rules())?;
    let knowledge = VictoryKnowledge::new(&game);
    let mut figures = Figures::default();
    for number in 0..games {
        play(&game, &knowledge, &agents, (seed, number), &mut figures)?;
    }
    println!("times a game   average  what");
    for (name, figure) in &figures.0 {
        println!("{:>12.2} {:>9.1}  {name}", figure.times / games as f64, figure.sum / figure.times);
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
