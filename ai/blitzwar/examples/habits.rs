//! What the players of *BlitzWar* do with their means: who wins how, when countries fall, what is wasted, and turn by turn
//! what each side has.
//!
//! ```text
//! cargo run --release -p sandtable-ai-blitzwar --example habits SCENARIO [GAMES [SEED [AXIS [ALLIED [SOVIET]]]]]
//! cargo run --release -p sandtable-ai-blitzwar --example habits SCENARIO -NUMBER [SEED [AXIS [ALLIED [SOVIET]]]]
//! ```
//!
//! The second form tells the moves and battles of one game, with the stacks on the map after each turn of a side.
//!
//! Figures are averages a game unless they say otherwise.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::ExitCode;

use sandtable_ai::{AgentSpec, Assignment, Decision, Streams, play_game};
use sandtable_ai_blitzwar::BlitzKnowledge;

use sandtable_blitzwar::location::{Counter, Location, Sea, Zone};
use sandtable_blitzwar::{Action, BlitzWar, Country, Event, Force, Kind, Nation, Phase, State, Status};
use sandtable_core::{Index, Sink};

/// Sums over games.
#[derive(Default)]
struct Habits {
    games: u32,
    wins: [u32; 3],
    axis_points: f64,
    /// Turns of events, one entry a game in which it came.
    dates: BTreeMap<String, Vec<u8>>,
    counts: BTreeMap<String, f64>,
    /// By turn and side: games, corps, armour, air, fleets, submarines, supply.
    means: BTreeMap<(u8, usize), [f64; 7]>,
    points: BTreeMap<u8, Vec<u8>>,
    /// Corps by turn, side and country of the zone.
    countries: BTreeMap<(u8, usize, String), f64>,
    /// Supply units left at the end of a side's turn while France stands, by side: sum and turns.
    left: [(f64, f64); 3],
    /// Ships by turn, side and sea.
    ships: BTreeMap<(u8, usize, String), f64>,
    /// Turns in which a side walked into an enemy's capital, Supply Zone or strategic point without a battle, by zone and side.
    walked: BTreeMap<(String, &'static str), Vec<u8>>,
}

impl Habits {
    fn count(&mut self, what: impl Into<String>, by: f64) {
        *self.counts.entry(what.into()).or_default() += by;
    }

    fn date(&mut self, what: impl Into<String>, turn: u8) {
        self.dates.entry(what.into()).or_default().push(turn);
    }
}

/// What is remembered within a game.
#[derive(Default)]
struct Memory {
    turn: u8,
    /// The side in turn, once it moves.
    mover: Option<Force>,
    soviet_air: bool,
    points: u8,
    /// Who holds each zone before the next event.
    holders: Vec<Option<Force>>,
}

/// Whether a zone is a capital, a Supply Zone or a strategic point.
fn is_key(game: &BlitzWar, zone: Zone) -> bool {
    let data = &game.rules.zones[zone.at()];
    data.capital || data.general_point || data.side_point.is_some() || data.supply_zone.is_some()
}

/// Capitals that matter and lie open to a side, with their holders.
fn open_capitals(game: &BlitzWar, state: &State, enemy: Force) -> Vec<(Zone, Force)> {
    let matters = |zone: &Zone| {
        let data = &game.rules.zones[zone.at()];
        data.capital && game.capital_matters(state, data.country)
    };
    let open = |holder: Force| {
        let zones = game.left_open(state, holder, enemy);
        zones.iter().filter(matters).map(move |zone| (zone, holder)).collect::<Vec<_>>()
    };
    Force::ALL.into_iter().flat_map(open).collect()
}

fn tally(game: &BlitzWar, habits: &mut Habits, state: &State) {
    let mut sums = [[0.0f64; 7]; 3];
    for counter in game.sheet() {
        if state.location(counter) >= Location::POOL {
            continue;
        }
        let Some(force) = game.force(state, counter) else { continue };
        let n = f64::from(state.strength(counter));
        let sum = &mut sums[force.index()];
        match game.kind(counter) {
            kind if kind.is_corps() => {
                sum[1] += n;
                sum[2] += f64::from(game.corps_of(state, counter).1);
                if let Some(zone) = game.rules.zones.get(state.location(counter).at())
                    && state.turn().is_multiple_of(4)
                {
                    *habits
                        .countries
                        .entry((state.turn(), force.index(), zone.country.id().to_owned()))
                        .or_default() += n;
                }
            }
            Kind::Air => sum[3] += n,
            Kind::Fleet => sum[4] += n,
            Kind::Submarine => sum[5] += n,
            _ => {}
        }
        if game.kind(counter).is_naval()
            && state.turn().is_multiple_of(4)
            && let Some(sea) = state.location(counter).sea()
            && let Some(sea) = game.rules.seas.get(sea.at())
        {
            *habits.ships.entry((state.turn(), force.index(), sea.id.clone())).or_default() += n;
        }
    }
    for force in Force::ALL {
        let sum = &mut sums[force.index()];
        sum[0] = 1.0;
        sum[6] = f64::from(game.total_stock(state, force)) / 2.0;
        let mean = habits.means.entry((state.turn(), force.index())).or_default();
        mean.iter_mut().zip(sum).for_each(|(total, value)| *total += *value);
    }
}

fn watch(game: &BlitzWar, habits: &mut Habits, memory: &mut Memory, decision: &Decision<'_, BlitzWar>) {
    let state = decision.state;
    if memory.holders.is_empty() {
        let holder = |zone| Force::ALL.into_iter().find(|&force| state.control(force).contains(zone));
        memory.holders = game.rules.every_zone().map(holder).collect();
    }
    if state.turn() != memory.turn {
        memory.turn = state.turn();
        tally(game, habits, state);
        let points = game.axis_points(state);
        habits.points.entry(state.turn()).or_default().push(points);
    }
    memory.points = game.axis_points(state);
    let mover = (state.phase() >= Phase::NavalMovement).then(|| state.active());
    if mover != memory.mover {
        if let Some(force) = mover {
            for (zone, holder) in open_capitals(game, state, force) {
                let name = &game.rules.zones[zone.at()].id;
                habits.count(
                    format!("capital without corps beside an enemy in turn: {name} of {}", holder.id()),
                    1.0,
                );
            }
        }
        if let Some(force) = memory.mover
            && state.surrender_turn(Country::Fra) == 0
        {
            let left = &mut habits.left[force.index()];
            left.0 += f64::from(game.total_stock(state, force)) / 2.0;
            left.1 += 1.0;
        }
        memory.mover = mover;
    }
    match decision.action {
        Action::Eliminate(counter) => {
            let force = Force::of(decision.side);
            let corps = f64::from(state.strength(counter));
            habits.count(format!("over the stack limit: corps of {}", force.id()), corps);
            habits.count(format!("  over the limit in {:?} ({})", state.phase(), force.id()), corps);
        }
        Action::Beachhead { .. } => {
            habits.count(format!("beachheads of {}", Force::of(decision.side).id()), 1.0);
        }
        Action::Lend(kind) => habits.count(format!("lent {kind:?}"), 1.0),
        Action::Go(place) if place.is_beachhead() => {
            habits.count(format!("counters landed by {}", Force::of(decision.side).id()), 1.0);
        }
        _ => {}
    }
}

/// Turn from which Paris changes hands in another war than that of 1940.
const LIBERATION: u8 = 20;

fn remember(game: &BlitzWar, habits: &mut Habits, memory: &mut Memory, events: &[Event]) {
    let (mut now, mut first) = (0, [true; 20]);
    let (mut opened, mut struck, mut blow) = (None, Vec::new(), 0u32);
    let mut phase = Phase::Deployment;
    let mut vichy = Status::Absent;
    let mut fought = Vec::new();
    let mut fell = false;
    // Missions over land by side, not yet followed by a battle of the side there.
    let mut missions: BTreeMap<(usize, Location), f64> = BTreeMap::new();
    for event in events {
        match *event {
            Event::TurnBegins { turn } => now = turn,
            Event::SideDone { force, .. } => {
                for (&(_, place), &units) in missions.iter().filter(|((of, _), _)| *of == force.index()) {
                    habits.count(format!("air missions of {} without a battle", force.id()), units);
                    if game.rules.zones[place.at()].vichy && force == Force::Allied {
                        habits.count("air missions over Vichy's zones without a battle", units);
                    }
                }
                missions.clear();
                fought.clear();
            }
            Event::Control { zone, force } => {
                let before = std::mem::replace(&mut memory.holders[zone.at()], force);
                if now < LIBERATION && game.capital(Country::Fra) == Some(zone) {
                    match force {
                        Some(Force::Axis) if !fell => {
                            habits.date("Paris falls first", now);
                            fell = true;
                        }
                        Some(Force::Allied) if fell => habits.count("Paris is taken back", 1.0),
                        _ => {}
                    }
                }
                if let (Some(before), Some(force)) = (before, force)
                    && before.opposes(force)
                    && is_key(game, zone)
                    && !fought.contains(&zone)
                    && phase >= Phase::NavalMovement
                {
                    let name = game.rules.zones[zone.at()].id.clone();
                    habits.walked.entry((name, force.id())).or_default().push(now);
                }
            }
            Event::AirAnswered { nation, place } => {
                let force = if camp(nation) == 0 { [1, 2] } else { [0, 0] };
                for of in force {
                    if let Some(units) = missions.get_mut(&(of, place)) {
                        *units -= 1.0;
                        break;
                    }
                }
            }
            Event::Standing { country, status } => {
                if country == Country::Vichy {
                    vichy = status;
                }
                if status == Status::Surrendered && std::mem::take(&mut first[country.index()]) {
                    habits.date(format!("{} surrenders", country.id()), now);
                }
            }
            Event::AirMission { nation, place } => {
                if nation == Nation::Ussr && !memory.soviet_air {
                    memory.soviet_air = true;
                    habits.date("first Soviet air mission", now);
                }
                habits.count(format!("air missions of {}", nation.id()), 1.0);
                if (place.at()) < game.rules.zones.len() {
                    *missions.entry((camp(nation), place)).or_default() += 1.0;
                }
                let zone = game.rules.zones.get(place.at());
                if zone.is_some_and(|zone| zone.vichy) && vichy.is_neutral() {
                    habits.count("air missions over neutral Vichy", 1.0);
                }
                if place >= Location::of_sea(Sea(0)) && place < Location::FIRST_BEACHHEAD {
                    habits.count(format!("air missions at sea of {}", nation.id()), 1.0);
                }
                if place == Location::BOMBING_BOX {
                    habits.count("bombing missions", 1.0);
                }
            }
            Event::PhaseBegins { phase: next, .. } => phase = next,
            Event::Spent { force, halves } => {
                habits.count(format!("spent by {} in {phase:?}", force.id()), f64::from(halves) / 2.0);
            }
            Event::SupplyLost { force, units } => {
                habits.count(format!("supply lost by {}", force.id()), f64::from(units));
            }
            Event::Unplaced { force, kind, units, .. } => {
                habits.count(format!("unplaced {kind:?} of {}", force.id()), f64::from(units));
                if now <= 15 {
                    habits
                        .count(format!("  unplaced {kind:?} of {} to turn 15", force.id()), f64::from(units));
                }
            }
            Event::Lost { nation, kind, units, .. } => {
                let what = match kind {
                    Kind::Supply => 0.5,
                    _ => 1.0,
                } * f64::from(units);
                habits.count(format!("lost {kind:?} of {}", nation.id()), what);
            }
            Event::NavalRound { attacker, attacker_loss, defender_loss, .. } => {
                habits.count(format!("naval rounds by {}", attacker.id()), 1.0);
                habits.count(format!("ships lost in attacks by {}", attacker.id()), f64::from(attacker_loss));
                habits.count(format!("ships sunk in attacks by {}", attacker.id()), f64::from(defender_loss));
            }
            Event::Battle(battle) => {
                fought.push(battle.zone);
                if battle.attacker == Force::Soviet || battle.defender == Force::Soviet {
                    if opened.is_none() {
                        habits.date("first battle with the Soviets", now);
                    }
                    let same = *opened.get_or_insert(now) == now;
                    if same && battle.attacker == Force::Axis && !struck.contains(&battle.zone) {
                        if struck.is_empty() {
                            habits.count("openings of the war in the East by the Axis", 1.0);
                        }
                        struck.push(battle.zone);
                        blow += u32::from(battle.attacking_infantry + battle.attacking_armour);
                    }
                }
                missions.remove(&(battle.attacker.index(), battle.zone));
                habits.count(format!("battles of {}", battle.attacker.id()), 1.0);
                habits.count(
                    format!("battles of {} under 2-1", battle.attacker.id()),
                    f64::from(u8::from(battle.column < 3)),
                );
                habits.count(
                    format!("corps lost attacking by {}", battle.attacker.id()),
                    f64::from(battle.attacker_loss),
                );
                habits.count(
                    format!("corps killed attacking by {}", battle.attacker.id()),
                    f64::from(battle.defender_loss),
                );
            }
            _ => {}
        }
    }
    habits.count("Axis corps in the turn in which it opens the war in the East", f64::from(blow));
}

/// Index of the side that a nation's air flies for, as far as the nations with air differ.
fn camp(nation: Nation) -> usize {
    match nation {
        Nation::Uk | Nation::Usa => 1,
        Nation::Ussr => 2,
        _ => 0,
    }
}

/// Means by place, a line a turn and side.
fn by_place(means: &BTreeMap<(u8, usize), [f64; 7]>, sums: &BTreeMap<(u8, usize, String), f64>) {
    let mut last = None;
    for ((turn, side, place), sum) in sums {
        if last.replace((*turn, *side)) != Some((*turn, *side)) {
            print!("\n  {turn} {}:", Force::ALL[*side].id());
        }
        print!(" {place} {:.1}", sum / means[&(*turn, *side)][0]);
    }
}

fn quantiles(mut values: Vec<u8>) -> String {
    values.sort_unstable();
    let at = |share: usize| values[(values.len() - 1) * share / 100];
    let mean = values.iter().map(|&value| f64::from(value)).sum::<f64>() / values.len() as f64;
    format!("{} / {} / {}, mean {mean:.2}", at(10), at(50), at(90))
}

fn report(habits: Habits) {
    let games = f64::from(habits.games);
    println!("{} games", habits.games);
    for (name, (wins, of)) in ["the Axis wins", "Allies and Soviets win", "drawn"]
        .into_iter()
        .zip(habits.wins.into_iter().map(|wins| (f64::from(wins), games)))
    {
        let p = wins / of;
        // Wilson.
        let z = 1.96f64;
        let centre = (p + z * z / (2.0 * of)) / (1.0 + z * z / of);
        let half = z * (p * (1.0 - p) / of + z * z / (4.0 * of * of)).sqrt() / (1.0 + z * z / of);
        println!(
            "{name}: {wins} = {:.1}% [{:.1}, {:.1}]",
            100.0 * p,
            100.0 * (centre - half),
            100.0 * (centre + half)
        );
    }
    println!("Axis points of ten: {:.2}", habits.axis_points / games);
    println!("\nturns, 10% / median / 90%:");
    for (what, turns) in habits.dates {
        println!("  {what}: {} (in {} games)", quantiles(turns.clone()), turns.len());
    }
    println!("\nwalked into without a battle, turns, 10% / median / 90%:");
    let mut walked: Vec<_> = habits.walked.into_iter().collect();
    walked.sort_by_key(|(_, turns)| std::cmp::Reverse(turns.len()));
    for ((zone, side), turns) in walked {
        println!(
            "  {zone} by {side}: {} ({:.2} a game)",
            quantiles(turns.clone()),
            turns.len() as f64 / games
        );
    }
    println!("\nsupply left at the end of a turn while France stands:");
    for force in Force::ALL {
        let (sum, turns) = habits.left[force.index()];
        println!("  {}: {:.1} ({:.1} turns a game)", force.id(), sum / turns.max(1.0), turns / games);
    }
    println!("\na game:");
    for (what, sum) in &habits.counts {
        println!("  {what}: {:.2}", sum / games);
    }
    println!("\ncorps by country:");
    by_place(&habits.means, &habits.countries);
    println!("\n\nships by sea:");
    by_place(&habits.means, &habits.ships);
    println!(
        "\nat the beginning of a turn: Axis points (10/50/90%); corps (armour), air, fleets, submarines, supply"
    );
    for (turn, points) in habits.points {
        let side = |force: usize| {
            let [n, corps, armour, air, fleets, submarines, supply] = habits.means[&(turn, force)];
            format!(
                "{:.0} ({:.0}) a{:.1} f{:.1} u{:.1} s{:.0}",
                corps / n,
                armour / n,
                air / n,
                fleets / n,
                submarines / n,
                supply / n
            )
        };
        println!(
            "  {turn}: {} | {} | {} | {} (n={})",
            quantiles(points.clone()),
            side(0),
            side(1),
            side(2),
            points.len()
        );
    }
}

/// The corps, armour among them, and air at airfields on the map.
fn stacks(game: &BlitzWar, state: &State) {
    for force in Force::ALL {
        let mut line = String::new();
        for (zone, data) in game.rules.zones.iter().enumerate() {
            let (infantry, armour) = game.corps_in(state, Zone::nth(zone), force);
            let own = |counter: Counter| game.force(state, counter) == Some(force);
            let air = state
                .stack(Zone::nth(zone))
                .filter(|&counter| game.kind(counter) == Kind::Air && own(counter))
                .count();
            let stock = game.stock(state, Zone::nth(zone), force);
            if u32::from(infantry + armour) + air as u32 + u32::from(stock) > 0 {
                let _ = write!(line, " {}", data.id);
                let parts = [(infantry, "i"), (armour, "c"), (air as u8, "a"), (stock / 2, "s")];
                parts.iter().filter(|part| part.0 > 0).for_each(|(n, what)| {
                    let _ = write!(line, " {n}{what}");
                });
                line.push(',');
            }
        }
        for (zone, data) in game.rules.zones.iter().enumerate() {
            let ships = state.stack(Zone::nth(zone)).filter(|&counter| {
                game.kind(counter).is_naval() && game.force(state, counter) == Some(force)
            });
            let ships: u8 = ships.map(|counter| state.strength(counter)).sum();
            if ships > 0 {
                let _ = write!(line, " {} {ships} ships,", data.id);
            }
        }
        for (sea, data) in game.rules.seas.iter().enumerate() {
            let ships = state.stack(Location::of_sea(Sea::nth(sea))).filter(|&counter| {
                game.kind(counter).is_naval() && game.force(state, counter) == Some(force)
            });
            let ships: u8 = ships.map(|counter| state.strength(counter)).sum();
            if ships > 0 {
                let _ = write!(line, " {} {ships},", data.id);
            }
        }
        println!("    {}:{line}", force.id());
    }
}

/// Prints battles and changes of standing as they come.
struct Teller<'a>(&'a BlitzWar);

impl Sink<Event> for Teller<'_> {
    fn take(&mut self, fact: impl FnOnce() -> Event) {
        let names = |place: Location| self.0.rules.zones.get(place.at()).map_or("-", |zone| zone.id.as_str());
        let event = fact();
        if let Event::Battle(battle) = event {
            println!(
                "    {} v {} at {} {}: {}+{} against {}+{}, {:+}, column {}, die {}: {}/{}",
                battle.attacker.id(),
                battle.defender.id(),
                names(battle.zone),
                if battle.blitz { "blitz" } else { "normal" },
                battle.attacking_infantry,
                battle.attacking_armour,
                battle.defending_infantry,
                battle.defending_armour,
                battle.modifiers.total(),
                battle.column,
                battle.die,
                battle.attacker_loss,
                battle.defender_loss
            );
        } else if let Event::Standing { country, status } = event {
            println!("    *** {} {status:?}", country.id());
        }
    }
}

fn tell(game: &BlitzWar, agents: &[AgentSpec; 3], seed: u64, number: u64) -> Result<(), String> {
    let knowledge = BlitzKnowledge::new(game);
    let mut players = Vec::new();
    for spec in agents {
        players.push(spec.build(&knowledge).map_err(|error| error.to_string())?);
    }
    let mut now = (0, Force::Soviet);
    let names = |place: Location| game.rules.zones.get(place.at()).map_or("-", |zone| zone.id.as_str());
    let mut observer = |decision: &Decision<'_, BlitzWar>| {
        let state = decision.state;
        if state.phase() >= Phase::NavalMovement && (state.turn(), state.active()) != now {
            stacks(game, state);
            now = (state.turn(), state.active());
            println!("== turn {} {} (Axis points {})", now.0, now.1.id(), game.axis_points(state));
        }
        match decision.action {
            Action::Go(place) => println!("  {:?} {:?} to {}", state.phase(), state.pending(), names(place)),
            Action::Attack(zone) => println!("  {:?}: attack on {}", state.phase(), names(zone)),
            Action::Beachhead { zone, .. } => println!("  beachhead at {}", names(zone)),
            Action::Retreat(zone) => println!("  retreat to {}", names(zone)),
            Action::Advance(_, zone) => println!("  advance to {}", names(zone)),
            Action::Eliminate(counter) => println!(
                "  {:?}: over the limit, {} of {} eliminated at {}, stock {}",
                state.phase(),
                state.strength(counter),
                Force::of(decision.side).id(),
                names(state.location(counter)),
                game.total_stock(state, Force::of(decision.side))
            ),
            Action::Select(counter) if state.phase() >= Phase::Fortification => {
                println!(
                    "  {:?}: select at {} {:?}",
                    state.phase(),
                    names(state.location(counter)),
                    game.kind(counter)
                );
            }
            Action::Place { nation, kind, place } => {
                println!("  place {kind:?} of {nation:?} at {}", names(place));
            }
            Action::NavalAttack(sea) => println!("  attack in {}", game.rules.seas[sea.at()].id),
            Action::Card(card) => {
                let side = decision.side.index();
                println!(
                    "  {} card {}",
                    Force::of(decision.side).id(),
                    game.rules.decks[side][card as usize].name
                );
            }
            _ => {}
        }
    };
    let mut streams = Streams::new(seed, number, 3);
    play_game(game, players, &mut streams, Teller(game), &mut observer);
    Ok(())
}

fn run(arguments: &[String]) -> Result<(), String> {
    let [scenario, rest @ ..] = arguments else {
        return Err("usage: habits SCENARIO [GAMES [SEED [AXIS [ALLIED [SOVIET]]]]]".to_owned());
    };
    let told = rest.first().and_then(|text| text.strip_prefix('-'));
    let number = |at: usize, default: u64| {
        rest.get(at)
            .filter(|_| at > 0 || told.is_none())
            .map_or(Ok(default), |text| text.parse().map_err(|_| format!("not a number: {text}")))
    };
    let (games, seed) = (number(0, 40)?, number(1, 1)?);
    let agent = |at: usize| {
        let text = rest.get(at).map_or("scripted", String::as_str);
        text.parse::<AgentSpec>()
            .and_then(|spec| spec.with_files(|path| std::fs::read_to_string(path)))
            .map_err(|error| error.to_string())
    };
    let agents = [agent(2)?, agent(3)?, agent(4)?];
    let scenario = sandtable_scenarios_blitzwar::open(scenario, &[]).map_err(|error| error.to_string())?;
    let game = BlitzWar::new(scenario.into_rules())?;
    if let Some(number) = told {
        return tell(&game, &agents, seed, number.parse().map_err(|_| format!("not a number: {number}"))?);
    }
    let knowledge = BlitzKnowledge::new(&game);
    let mut habits = Habits::default();
    let assignment = Assignment::new(&agents, &knowledge).map_err(|error| error.to_string())?;
    let start = std::time::Instant::now();
    for number in 0..games {
        let mut streams = Streams::new(seed, number, 3);
        let mut events = Vec::new();
        let mut memory = Memory::default();
        let mut war = (0, 0);
        let mut observer = |decision: &Decision<'_, BlitzWar>| {
            let timers = decision.state.timers();
            war = (timers.axis_soviet_war, timers.east_attack);
            watch(&game, &mut habits, &mut memory, decision);
        };
        let outcome = play_game(&game, assignment.agents(), &mut streams, &mut events, &mut observer);
        remember(&game, &mut habits, &mut memory, &events);
        habits.games += 1;
        let winner = outcome.winner.map_or(2, |winner| usize::from(winner != 0));
        habits.wins[winner] += 1;
        habits.axis_points += f64::from(outcome.points.0[0]);
        let france = events.iter().scan(0, |turn, event| {
            if let Event::TurnBegins { turn: now } = event {
                *turn = *now;
            }
            Some((*turn, *event))
        });
        let france = france
            .filter(|(_, event)| {
                matches!(event, Event::Standing { country: Country::Fra, status: Status::Surrendered })
            })
            .map(|(turn, _)| turn)
            .next();
        if war.0 != 0 {
            habits.date("war of Axis and Soviets", war.0);
            if war.1 == war.0 {
                habits.date("war of Axis and Soviets begun by the Axis", war.0);
            }
            if france.is_none_or(|turn| turn > war.0) {
                habits.date("war of Axis and Soviets with France unbeaten", war.0);
            }
        }
        if let Some(Event::TurnBegins { turn }) =
            events.iter().rev().find(|event| matches!(event, Event::TurnBegins { .. }))
        {
            habits.date("last turn", *turn);
        }
    }
    println!("{:.1} games a second", games as f64 / start.elapsed().as_secs_f64());
    report(habits);
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
