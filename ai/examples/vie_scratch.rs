use sandtable_ai::victory_in_europe::VictoryBrain;
use sandtable_ai::{AgentSpec, Streams, play_game};
use sandtable_core::Game;
use sandtable_victory_in_europe::{Event, Nation, VictoryInEurope};
use std::collections::BTreeMap;
use std::time::Instant;

fn main() {
    let a: Vec<String> = std::env::args().skip(1).collect();
    let (axis, allied, n) = (&a[1], &a[2], a[3].parse::<u64>().unwrap());
    let trace = a.get(4).is_some_and(|t| t == "trace");
    let seed0 = a.get(5).map_or(0, |s| s.parse::<u64>().unwrap());
    let scenario = sandtable_scenarios::open(&format!("victory-in-europe/{}", a[0]), &[]).unwrap();
    let game = VictoryInEurope::new(scenario.into_victory_in_europe()).unwrap();
    let brain = VictoryBrain::new(&game);
    let start = Instant::now();
    let mut causes: BTreeMap<(Option<u8>, &str), u32> = BTreeMap::new();
    let mut falls: BTreeMap<(&str, u8), u32> = BTreeMap::new();
    let mut decisions = 0u64;
    for g in seed0..seed0 + n {
        let mut agents: Vec<_> = game
            .sides()
            .iter()
            .map(|s| {
                let spec: AgentSpec =
                    if s.team == 0 { axis.parse().unwrap() } else { allied.parse().unwrap() };
                spec.build(&brain).unwrap()
            })
            .collect();
        let mut streams = Streams::new(1, g, game.sides().len());
        let mut turn = 0u8;
        let mut seen: Vec<(&str, u8)> = Vec::new();
        let mut sink = |e: Event| {
            match &e {
                Event::TurnBegins { turn: t } => turn = *t,
                Event::Taken { area, by } => {
                    let id = game.rules.areas[*area as usize].id.as_str();
                    if [
                        "warsaw",
                        "paris",
                        "london",
                        "moscow",
                        "berlin",
                        "rome",
                        "leningrad",
                        "baku",
                        "cairo",
                        "kiev",
                    ]
                    .contains(&id)
                    {
                        let axis = matches!(
                            by,
                            Nation::Germany
                                | Nation::Italy
                                | Nation::Romania
                                | Nation::Hungary
                                | Nation::Finland
                        );
                        seen.push((
                            if axis {
                                Box::leak(format!("axis:{id}").into_boxed_str())
                            } else {
                                Box::leak(format!("all:{id}").into_boxed_str())
                            },
                            turn,
                        ));
                    }
                }
                _ => {}
            }
            if trace {
                if let Some(t) = game.describe_event(&e) {
                    println!("t{turn}: {t}");
                }
            }
        };
        let outcome = {
            let mut obs = |_: &sandtable_ai::Decision<'_, VictoryInEurope>| decisions += 1;
            play_game(&game, &mut agents, &mut streams, Fn2(&mut sink), &mut obs)
        };
        *causes.entry((outcome.winner, outcome.cause)).or_default() += 1;
        let mut done: Vec<&str> = Vec::new();
        for (id, t) in seen {
            if !done.contains(&id) {
                done.push(id);
                *falls.entry((id, t)).or_default() += 1;
            }
        }
    }
    let s = start.elapsed().as_secs_f64();
    println!(
        "{} {axis} vs {allied}: n {n}: {causes:?}; {:.2} games/s, {} decisions/game",
        a[0],
        n as f64 / s,
        decisions / n
    );
    let mut by: BTreeMap<&str, Vec<(u8, u32)>> = BTreeMap::new();
    for ((id, t), c) in falls {
        by.entry(id).or_default().push((t, c));
    }
    for (id, v) in by {
        println!("   first {id}: {} games, {v:?}", v.iter().map(|x| x.1).sum::<u32>());
    }
}
struct Fn2<'a, F: FnMut(Event)>(&'a mut F);
impl<F: FnMut(Event)> sandtable_core::Sink<Event> for Fn2<'_, F> {
    fn take(&mut self, e: impl FnOnce() -> Event) {
        (self.0)(e())
    }
}
