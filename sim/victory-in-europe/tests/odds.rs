//! Exact odds of battles against hand-worked laws and against the game played with dice.

mod common;

use std::collections::BTreeMap;
use std::time::Instant;

use sandtable_core::{Pmf, Rng64};
use sandtable_victory_in_europe::editor::Editor;
use sandtable_victory_in_europe::odds::{Conduct, Engagement, Outcome, Stand};
use sandtable_victory_in_europe::rules::Entry;
use sandtable_victory_in_europe::{Nation, State, Team, VictoryInEurope};

fn map(game: &VictoryInEurope) -> Editor<'_> {
    let mut editor = Editor::new(game);
    editor.clear().turn(9).entry(Nation::Ussr, Entry::AtWar);
    for area in ["brest_litovsk", "minsk", "bryansk", "orel"] {
        editor.control(area, Nation::Germany);
    }
    for area in 0..game.rules.areas.len() as u8 {
        editor.state_mut().set_factory(area, 0);
    }
    editor
}
#[test]
fn speed() {
    let game = common::game("barbarossa-1941");
    let mut editor = map(&game);
    for (id, steps, from) in [("ger_pz_1a", 4, "orel"), ("ger_inf_4a", 4, "orel"), ("ger_inf_2a", 4, "bryansk"), ("ger_ldr_guderian", 2, "bryansk")] {
        editor.place(id, "kursk", steps).entered(id, from, 0);
    }
    for (id, steps) in [("su_guard_1", 4), ("su_guard_2", 4), ("su_inf3_1", 3)] {
        editor.place(id, "kursk", steps);
    }
    editor.attack(Team::Axis, "kursk").first(Team::Axis);
    let state = editor.finish();
    let conduct = Conduct { blitz: 2, ..Conduct::default() };
    let battle = Engagement::new(&game, &state, game.place("kursk").unwrap(), conduct).unwrap();
    let now = Instant::now();
    let law = battle.law();
    println!("{:?}", now.elapsed());
    for law in law.rounds.iter().chain([&law.whole]) {
        println!("{} outcomes, sum {}", law.support(), law.iter().map(|m| m.1).sum::<f64>());
    }
    let now = Instant::now();
    let mut dice = Rng64::stream(1,1,1);
    let mut scratch = state.clone();
    let mut rounds = Vec::new();
    let n = 20000;
    let mut c = BTreeMap::new();
    for _ in 0..n { *c.entry(battle.sample(&mut scratch, &mut dice, &mut rounds)).or_insert(0u32) += 1; }
    println!("sample {:?}", now.elapsed() / n);
    let mut chi = 0.0; let mut k = 0;
    for (o, p) in law.whole.iter() { let e = p * f64::from(n); if e > 5.0 { k += 1; chi += (f64::from(*c.get(o).unwrap_or(&0)) - e).powi(2) / e; } }
    println!("chi {chi} of {k}");
    for o in c.keys() { assert!(law.whole.probability(o) > 0.0); }
}
