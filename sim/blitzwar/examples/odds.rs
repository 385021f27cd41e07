//! Exact odds and played battles in a loop, for an instruction counter.
//!
//! `odds distribution|grid|rolls|battles|remembered N [skirmish]`: does it N times, for a large battle or a skirmish.

use std::hint::black_box;

use sandtable_blitzwar::odds::{Conduct, Siege};
use sandtable_core::{Dice, Rng64};
use sandtable_scenarios_blitzwar::{BattleText, Battles, Examples};

fn main() {
    let mut args = std::env::args().skip(1);
    let what = args.next().unwrap_or_else(|| "distribution".into());
    let times: u64 = args.next().and_then(|times| times.parse().ok()).unwrap_or(1);
    let (attackers, defenders): (&[&str], &str) = if args.next().is_some() {
        (&["bialystok: ger I1C2"], "minsk: ussr I2")
    } else {
        (
            &["bialystok: ger I3, ger C2, ger I1C1", "vilna: ger I3, ger C2", "brest_litovsk: ger I3"],
            "minsk: ussr I2, ussr I2, ussr C1, ussr A1 mission",
        )
    };
    let battle = Examples::describe(&BattleText {
        scenario: "blitzwar/barbarossa-1941".into(),
        attackers: attackers.iter().map(|&line| line.to_owned()).collect(),
        defenders: defenders.into(),
        turn: Some(16),
        ..BattleText::default()
    })
    .expect("the battle can be put on the map");
    let siege = Siege::new(&battle.game, &battle.state, battle.target, None, Conduct::default())
        .expect("the attack may be made");
    let mut dice = Rng64::stream(1, 0, 0);
    let mut scratch = siege.position().clone();
    let mut sampler = siege.sampler();
    for _ in 0..times {
        match what.as_str() {
            "distribution" => drop(black_box(siege.distribution())),
            "grid" => drop(black_box(siege.with_strengths(8, 5).map(|siege| siege.distribution()))),
            "rolls" => drop(black_box(battle.game.combat_result(siege.assessment(), dice.die(6) as u8))),
            "remembered" => drop(black_box(sampler.sample(&mut dice))),
            _ => drop(black_box(siege.sample(&mut scratch, &mut dice))),
        }
    }
}
