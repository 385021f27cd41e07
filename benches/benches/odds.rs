//! Odds of the battles of both systems on one core: exact distributions, tables of them, single rolls, and whole
//! battles played.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use sandtable_benches::criterion;
use sandtable_blitzwar::odds::{Conduct, Siege};
use sandtable_core::{Dice, Rng64};
use sandtable_scenarios_blitzwar::{Battle, BattleText, Battles, Examples};
use sandtable_scenarios_victory_in_europe as blocks;
use sandtable_victory_in_europe::odds;

/// Battles of one measurement.
const BATTLES: u64 = 1000;
/// Rolls of one measurement.
const ROLLS: u64 = 100_000;
/// The strengths of a table of odds: attackers and defenders.
const GRID: (u8, u8) = (12, 8);

/// Battles of two phases, from a skirmish to three stacks against one with all that shifts columns.
fn battles() -> Vec<(&'static str, Battle)> {
    let describe = |attackers: &[&str], defenders: &str| {
        Examples::describe(&BattleText {
            scenario: "blitzwar/barbarossa-1941".into(),
            attackers: attackers.iter().map(|&line| line.to_owned()).collect(),
            defenders: defenders.to_owned(),
            turn: Some(16),
            ..BattleText::default()
        })
        .expect("the battle can be put on the map")
    };
    vec![
        ("skirmish", describe(&["bialystok: ger I1C2"], "minsk: ussr I2")),
        (
            "large battle",
            describe(
                &["bialystok: ger I3, ger C2, ger I1C1", "vilna: ger I3, ger C2", "brest_litovsk: ger I3"],
                "minsk: ussr I2, ussr I2, ussr C1, ussr A1 mission",
            ),
        ),
    ]
}

fn main() {
    let mut criterion: Criterion = criterion();
    blitzwar(&mut criterion);
    victory_in_europe(&mut criterion);
    criterion.final_summary();
}

fn blitzwar(criterion: &mut Criterion) {
    for (name, battle) in battles() {
        let siege = Siege::new(&battle.game, &battle.state, battle.target, None, Conduct::default())
            .expect("the attack may be made");
        let mut group = criterion.benchmark_group(format!("odds, {name}"));
        group.throughput(Throughput::Elements(1));
        group.bench_function("exact distribution of both phases", |bench| {
            bench.iter(|| black_box(siege.distribution()));
        });
        group.throughput(Throughput::Elements(u64::from(GRID.0) * u64::from(GRID.1)));
        group.bench_function("table of exact distributions", |bench| {
            bench.iter(|| {
                for attackers in 1..=GRID.0 {
                    for defenders in 1..=GRID.1 {
                        let _ = black_box(
                            siege.with_strengths(attackers, defenders).map(|siege| siege.distribution()),
                        );
                    }
                }
            });
        });
        group.throughput(Throughput::Elements(ROLLS));
        group.bench_function("single rolls", |bench| {
            let mut dice = Rng64::stream(1, 0, 0);
            bench.iter(|| {
                for _ in 0..ROLLS {
                    black_box(battle.game.combat_result(siege.assessment(), dice.die(6) as u8));
                }
            });
        });
        group.throughput(Throughput::Elements(BATTLES));
        group.bench_function("whole battles played", |bench| {
            let mut dice = Rng64::stream(1, 0, 0);
            let mut scratch = siege.position().clone();
            bench.iter(|| {
                for _ in 0..BATTLES {
                    black_box(siege.sample(&mut scratch, &mut dice));
                }
            });
        });
        group.bench_function("whole battles, falls of the dice remembered", |bench| {
            let mut dice = Rng64::stream(1, 0, 0);
            let mut sampler = siege.sampler();
            bench.iter(|| {
                for _ in 0..BATTLES {
                    black_box(sampler.sample(&mut dice));
                }
            });
        });
        group.finish();
    }
}

// ---- Victory in Europe ----

/// Battles of two rounds: three armies and a leader who may order two more against three armies, and a landing with
/// ships and aircraft on both sides.
fn battles_of_blocks() -> Vec<(&'static str, blocks::Battle, odds::Conduct)> {
    let describe = |attackers: &[&str], defenders: &str| {
        blocks::Examples::describe(&blocks::BattleText {
            scenario: "victory-in-europe/stalingrad-1942".into(),
            attackers: attackers.iter().map(|&line| line.to_owned()).collect(),
            defenders: defenders.to_owned(),
            ..blocks::BattleText::default()
        })
        .expect("the battle can be put on the map")
    };
    let armies = ["orel: ger_pz_1a 4, ger_inf_4a 4, ger_ldr_manstein 2", "bryansk: ger_inf_2a 4"];
    let plain = describe(&armies, "kursk: su_guard_1 4, su_guard_2 4, su_inf3_1 3");
    let landing = describe(
        &["english_channel: ger_inf_4a 4, ger_ldr_guderian 2", "le_havre: ger_fa_me109_1 3"],
        "southampton: gb_inf_bef 2, gb_ca_1 2, gb_fa_spitfire_1 2 reinforces",
    );
    vec![
        ("blocks, armies and a leader", plain.clone(), odds::Conduct::default()),
        ("blocks, with two rounds of a Blitz", plain, odds::Conduct { blitz: 2, ..odds::Conduct::default() }),
        ("blocks, a landing", landing, odds::Conduct::default()),
    ]
}

fn victory_in_europe(criterion: &mut Criterion) {
    for (name, battle, conduct) in battles_of_blocks() {
        let engagement = odds::Engagement::new(&battle.game, &battle.state, battle.place, conduct)
            .expect("the battle may be fought");
        let mut group = criterion.benchmark_group(format!("odds, {name}"));
        group.throughput(Throughput::Elements(1));
        group.bench_function("exact distribution of all rounds", |bench| {
            bench.iter(|| black_box(engagement.distribution()));
        });
        group.throughput(Throughput::Elements(BATTLES));
        group.bench_function("whole battles played", |bench| {
            let mut dice = Rng64::stream(1, 0, 0);
            let (mut scratch, mut rounds) = (engagement.position().clone(), Vec::new());
            bench.iter(|| {
                for _ in 0..BATTLES {
                    black_box(engagement.sample(&mut scratch, &mut dice, &mut rounds));
                }
            });
        });
        group.finish();
    }
}
