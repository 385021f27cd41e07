use sandtable_blitzwar::{BlitzWar, Country, Event, Force, Kind, State, Status};
use sandtable_core::{Game, Outcome, Rng64, Seat, Turn};

use super::BlitzBrain;
use crate::policy::{Brain, Policy, UniformPolicy};

fn campaign() -> BlitzWar {
    let overrides: Vec<_> = std::env::var("BLITZ_SET")
        .unwrap_or_default()
        .split(';')
        .filter(|text| !text.is_empty())
        .map(|text| sandtable_scenarios::Override::parse(text).unwrap())
        .collect();
    let scenario = sandtable_scenarios::open("blitzwar/campaign-1939", &overrides).unwrap();
    BlitzWar::new(scenario.into_blitzwar()).unwrap()
}

/// What happened in a game.
#[derive(Clone, Debug, Default)]
struct Story {
    decisions: u32,
    poland: u8,
    france: u8,
    italy: u8,
    barbarossa: u8,
    usa: u8,
    free_france: u8,
    end: u8,
    points: Vec<u8>,
    corps: Vec<[u8; 3]>,
    stock: Vec<[u8; 3]>,
    battles: [[u32; 9]; 3],
    phases: [u32; 32],
    axis: f32,
    winner: Option<u8>,
}

/// Plays a campaign with a policy a side; the observer sees every state and event.
fn play(
    game: &BlitzWar,
    policies: &mut [Box<dyn Policy<BlitzWar>>; 3],
    seed: u64,
    mut watch: impl FnMut(&State, &[Event]),
) -> (Outcome, Story) {
    let mut dice = Rng64::stream(seed, 0, 0);
    let mut minds = [1, 2, 3].map(|stream| Rng64::stream(seed, 0, stream));
    let mut events: Vec<Event> = Vec::new();
    let mut state = game.initial(&mut Seat { dice: &mut dice, sink: &mut events });
    let mut legal = Vec::new();
    let mut story = Story::default();
    for policy in policies.iter_mut() {
        policy.begin_line();
    }
    while let Turn::Decide(side) = game.turn_of(&state) {
        legal.clear();
        game.legal_actions(&state, &mut legal);
        let at = side.index();
        let phase = state.phase();
        let action = policies[at].pick(game, &state, side, &legal, &mut minds[at]);
        events.clear();
        game.apply(&mut state, action, &mut Seat { dice: &mut dice, sink: &mut events });
        story.decisions += 1;
        story.phases[phase as usize] += 1;
        watch(&state, &events);
        for event in &events {
            match event {
                Event::Standing { country: Country::Pol, status: Status::Surrendered } => {
                    if story.poland == 0 {
                        story.poland = state.turn();
                    }
                }
                Event::Standing { country: Country::Fra, status: Status::Surrendered } => {
                    if story.france == 0 {
                        story.france = state.turn();
                    }
                }
                Event::Standing { country: Country::Ita, status: Status::Surrendered } => {
                    if story.italy == 0 {
                        story.italy = state.turn();
                    }
                }
                Event::SideDone { force: Force::Soviet, axis_points, .. } => {
                    story.points.push(*axis_points);
                    story.corps.push(Force::ALL.map(|force| {
                        let (infantry, armour, _, _) = corps_and_air(game, &state, force);
                        (infantry + armour) as u8
                    }));
                    story.stock.push(Force::ALL.map(|force| (game.total_stock(&state, force) / 2) as u8));
                }
                Event::Battle(battle) => {
                    story.battles[battle.attacker.index()][battle.column as usize] += 1;
                }
                _ => {}
            }
        }
    }
    story.barbarossa = state.timers().axis_soviet_war;
    story.usa = state.timers().usa_entry;
    story.free_france = state.timers().free_france;
    story.end = state.turn();
    let outcome = game.outcome(&state).unwrap();
    story.axis = outcome.points.0[0];
    story.winner = outcome.winner;
    (outcome, story)
}

fn corps_and_air(game: &BlitzWar, state: &State, force: Force) -> (u32, u32, u32, u32) {
    let mut sum = (0, 0, 0, 0);
    for counter in 0..game.counters() {
        if state.location(counter) < sandtable_blitzwar::state::POOL
            && game.force(state, counter) == Some(force)
        {
            let n = u32::from(state.strength(counter));
            match game.kind(counter) {
                kind if kind.is_corps() => {
                    let (infantry, armour) = game.corps_of(state, counter);
                    sum.0 += u32::from(infantry);
                    sum.1 += u32::from(armour);
                }
                Kind::Air => sum.2 += n,
                Kind::Fleet | Kind::Submarine => sum.3 += n,
                _ => {}
            }
        }
    }
    sum
}

fn of(brain: &BlitzBrain, name: &str) -> Box<dyn Policy<BlitzWar>> {
    brain.policy(name).unwrap_or_else(|| Box::new(UniformPolicy))
}

fn env(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// `cargo test --release -p sandtable-ai story -- --ignored --nocapture`
#[test]
#[ignore = "prints the story of one campaign"]
fn story() {
    let game = campaign();
    let brain = BlitzBrain::new(&game);
    let mut policies = ["scripted"; 3].map(|name| of(&brain, name));
    let name =
        |place: u8| game.rules.zones.get(place as usize).map_or("-", |zone| zone.id.as_str()).to_owned();
    let verbose = env("BLITZ_VERBOSE", 0) > 0;
    let from = env("BLITZ_FROM", 1) as u8;
    let to = env("BLITZ_TO", 47) as u8;
    let mut taken: Vec<String> = Vec::new();
    let (mut battles, mut lost) = ([0u32; 3], [0u32; 3]);
    let mut spent = [0u32; 3];
    let (_, story) = play(&game, &mut policies, env("BLITZ_SEED", 1), |state, events| {
        for event in events {
            match *event {
                Event::Standing { country, status } => taken.push(format!("*{} {status:?}*", country.id())),
                Event::Control { zone, force } => {
                    taken.push(format!("{}->{}", name(zone), force.map_or("neutral", |f| &f.id()[..2])));
                }
                Event::Battle(b) => {
                    battles[b.attacker.index()] += 1;
                    lost[b.attacker.index()] += u32::from(b.attacker_loss);
                    lost[b.defender.index()] += u32::from(b.defender_loss);
                    if verbose && (from..=to).contains(&state.turn()) {
                        println!(
                            "   {} attacks {} {}: {}+{} v {}+{} col {} ({:+}) die {} -> {}/{}",
                            b.attacker.id(),
                            name(b.zone),
                            if b.blitz { "blitz" } else { "normal" },
                            b.attacking_infantry,
                            b.attacking_armour,
                            b.defending_infantry,
                            b.defending_armour,
                            b.column,
                            b.modifiers.total(),
                            b.die,
                            b.attacker_loss,
                            b.defender_loss
                        );
                    }
                }
                Event::Moved { counter, from: a, to: b }
                    if verbose && (from..=to).contains(&state.turn()) && game.kind(counter).is_corps() =>
                {
                    println!(
                        "   {} {} {}: {} -> {}",
                        game.nation(counter).id(),
                        state.strength(counter),
                        if game.kind(counter).is_mobile() { "C" } else { "I" },
                        game.place_name(state, a),
                        game.place_name(state, b)
                    );
                }
                Event::Spent { force, halves } => spent[force.index()] += u32::from(halves),
                Event::SideDone { force, turn, axis_points } if force == Force::Soviet => {
                    if (from..=to).contains(&turn) {
                        print!("T{turn} pts {axis_points}");
                        for force in Force::ALL {
                            let (i, c, a, n) = corps_and_air(&game, state, force);
                            print!(
                                " | {} I{i} C{c} A{a} N{n} S{} spent {} att {} lost {}",
                                &force.id()[..2],
                                game.total_stock(state, force) / 2,
                                spent[force.index()] / 2,
                                battles[force.index()],
                                lost[force.index()]
                            );
                        }
                        println!("\n     {}", taken.join(" "));
                    }
                    taken.clear();
                    battles = [0; 3];
                    lost = [0; 3];
                    spent = [0; 3];
                }
                _ => {}
            }
        }
    });
    println!("{story:?}");
}

/// `BLITZ_GAMES=200 cargo test --release -p sandtable-ai spread -- --ignored --nocapture`
#[test]
#[ignore = "prints distributions over many campaigns"]
fn spread() {
    let game = campaign();
    let brain = BlitzBrain::new(&game);
    let sides = std::env::var("BLITZ_SIDES").unwrap_or_else(|_| "scripted,scripted,scripted".into());
    let names: Vec<&str> = sides.split(',').collect();
    let games = env("BLITZ_GAMES", 100);
    let first = env("BLITZ_SEED", 1);
    let start = std::time::Instant::now();
    let stories: Vec<Story> = (0..games)
        .map(|seed| {
            let mut policies = [names[0], names[1], names[2]].map(|name| of(&brain, name));
            play(&game, &mut policies, first + seed, |_, _| ()).1
        })
        .collect();
    let seconds = start.elapsed().as_secs_f64();
    let n = stories.len() as f64;
    let decisions: u32 = stories.iter().map(|s| s.decisions).sum();
    println!("{games} games, {:.1} a second, {:.0} decisions a game", n / seconds, f64::from(decisions) / n);
    let share = |what: &str, test: &dyn Fn(&Story) -> bool| {
        println!("{what}: {:.0}%", 100.0 * stories.iter().filter(|s| test(s)).count() as f64 / n);
    };
    share("axis wins", &|s| s.winner == Some(0));
    share("draw", &|s| s.winner.is_none());
    share("poland by 11", &|s| s.poland != 0 && s.poland <= 11);
    share("france by 19", &|s| s.france != 0 && s.france <= 19);
    share("italy falls", &|s| s.italy != 0);
    share("reaches 28", &|s| s.end >= 28);
    let spread = |what: &str, get: &dyn Fn(&Story) -> u8| {
        let mut counts = std::collections::BTreeMap::new();
        for s in &stories {
            *counts.entry(get(s)).or_insert(0) += 1;
        }
        println!("{what}: {counts:?}");
    };
    spread("poland", &|s| s.poland);
    spread("france", &|s| s.france);
    spread("italy", &|s| s.italy);
    spread("barbarossa", &|s| s.barbarossa);
    spread("usa", &|s| s.usa);
    spread("free france", &|s| s.free_france);
    spread("end", &|s| s.end);
    spread("axis points of ten", &|s| s.axis as u8);
    for force in Force::ALL {
        let mut sum = [0u32; 9];
        for s in &stories {
            for (total, column) in sum.iter_mut().zip(s.battles[force.index()]) {
                *total += column;
            }
        }
        println!(
            "battles of {} by column, a game: {:?}",
            force.id(),
            sum.map(|n| (f64::from(n) / n_games(&stories)) as u32)
        );
    }
    let mut phases = [0u32; 32];
    for s in &stories {
        for (total, phase) in phases.iter_mut().zip(s.phases) {
            *total += phase;
        }
    }
    println!("decisions by phase: {:?}", phases.map(|n| (f64::from(n) / n_games(&stories)) as u32));
    for turn in [3, 5, 7, 9, 11, 15, 19, 23, 27, 31, 35, 39, 43, 47] {
        let mut at: Vec<u8> = stories.iter().filter_map(|s| s.points.get(turn - 1).copied()).collect();
        at.sort_unstable();
        if !at.is_empty() {
            let q = |p: usize| at[(at.len() - 1) * p / 100];
            let mean = |get: &dyn Fn(&Story) -> Option<[u8; 3]>| {
                let rows: Vec<[u8; 3]> = stories.iter().filter_map(get).collect();
                [0, 1, 2].map(|side| {
                    rows.iter().map(|row| u32::from(row[side])).sum::<u32>() / rows.len().max(1) as u32
                })
            };
            let (corps, stock) =
                (mean(&|s| s.corps.get(turn - 1).copied()), mean(&|s| s.stock.get(turn - 1).copied()));
            println!(
                "after turn {turn}: points {} / {} / {} (n={}), corps {corps:?}, supply {stock:?}",
                q(10),
                q(50),
                q(90),
                at.len()
            );
        }
    }
}

fn n_games(stories: &[Story]) -> f64 {
    stories.len() as f64
}
