mod common;
use sandtable_core::{Game, PlayContext, Rng64, Turn, context::Dice};
use sandtable_eurofront::{EuroFront, Phase};
use std::collections::BTreeMap;
#[test]
fn probe() {
    let names = std::env::var("PROBE").unwrap_or("1940".into());
    let games: u64 = std::env::var("GAMES").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    for name in names.split(',') {
        let rules = sandtable_scenarios_eurofront::open(&format!("eurofront/{name}"), &[]).unwrap_or_else(|e| panic!("{name}: {e}")).into_rules();
        let game = EuroFront::new(rules).unwrap_or_else(|e| panic!("{name}: {e}"));
        for seed in 0..games {
            let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| one(&game, name, seed)));
            if result.is_err() { println!("!!! {name} seed {seed}"); }
        }
    }
}
fn one(game: &EuroFront, name: &str, seed: u64) {
            let mut context = PlayContext { dice: Rng64::stream(seed, 1, 0), sink: Vec::new() };
            let mut dice = Rng64::stream(seed, 2, 0);
            let start = std::time::Instant::now();
            let mut state = game.initial(&mut context);
            let mut phases: BTreeMap<String, u32> = BTreeMap::new();
            let mut legal = Vec::new();
            let mut n = 0u64;
            let mut events: BTreeMap<String, u32> = BTreeMap::new();
            while game.turn_of(&state) != Turn::Over {
                legal.clear();
                game.legal_actions(&state, &mut legal);
                *phases.entry(format!("{:?}", state.phase)).or_default() += 1;
                let action = legal[dice.below(legal.len() as u32) as usize];
                game.apply(&mut state, action, &mut context);
                n += 1;
                for e in context.sink.drain(..) {
                    let text = format!("{e:?}");
                    let head = text.split([' ', '(']).next().unwrap_or("").to_string();
                    if std::env::var("LOUD").is_ok() && matches!(head.as_str(), "WarDeclared" | "Reaction" | "Joined" | "Cooperates" | "Diplomacy" | "Demoralised" | "Solidarity" | "Armistice" | "Uprising" | "Surrender" | "Defeated" | "Conquered" | "GameOver") {
                        println!("{} {}: {text}", game.month(&state).id, state.fortnight);
                    }
                    *events.entry(head).or_default() += 1;
                }
                if n % 97 == 0 { if let Err(e) = game.check(&state) { panic!("{name} seed {seed} at {n}: {e} in {:?}", state.phase); } }
                assert!(n < 3_000_000, "{name}: too long, {:?} {}", state.phase, game.month(&state).id);
            }
            let _ = Phase::Over;
            println!("{name} seed {seed}: {n} decisions, {:?}, {:?} {}", start.elapsed(), state.ending, game.month(&state).id);
            println!("   {phases:?}\n   {events:?}");
}

#[test]
fn kit_all() {
    use sandtable_core::kit::{KitOptions, run};
    let names = std::env::var("KIT").unwrap_or_default();
    for name in names.split(',').filter(|name| !name.is_empty()) {
        let rules = sandtable_scenarios_eurofront::open(&format!("eurofront/{name}"), &[]).unwrap_or_else(|e| panic!("{name}: {e}")).into_rules();
        let game = EuroFront::new(rules).unwrap_or_else(|e| panic!("{name}: {e}"));
        let options = KitOptions { games: 2, deep_every: 61, max_children: 8, ..KitOptions::default() };
        match run(&game, &options) { Ok(report) => println!("KIT {name} {report:?}"), Err(failure) => println!("KIT {name} FAILED {failure}") }
    }
}
