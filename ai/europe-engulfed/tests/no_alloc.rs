//! The players take no memory from the heap once they are made and the list of actions has grown to its size.

use sandtable_ai::kit::measure_policy;
use sandtable_ai_europe_engulfed::EngulfedKnowledge;
use sandtable_europe_engulfed::EuropeEngulfed;
use sandtable_scenarios_europe_engulfed::{Override, open};

/// A scripted player plays a game of a scenario to its end.
fn check(id: &str, name: &str, overrides: &[Override]) {
    let game =
        EuropeEngulfed::new(open(&format!("europe-engulfed/{id}"), overrides).unwrap().into_rules()).unwrap();
    let knowledge = EngulfedKnowledge::new(&game);
    let (decisions, seen) =
        measure_policy(&game, &knowledge, name, 0, |play| allocation_counter::measure(play));
    assert!(decisions > 200, "{decisions} decisions");
    assert_eq!(seen.count_total, 0, "{id}, {name}, {} options", overrides.len());
}

#[test]
fn scripted_games_allocate_nothing() {
    for (id, name) in [
        ("patton-1945", "scripted"),
        ("tournament-1942", "light"),
        ("campaign-1941", "scripted"),
        ("campaign-1939", "light"),
        ("european-war-1939", "scripted"),
    ] {
        check(id, name, &[]);
    }
}

/// Every optional rule at once.
#[test]
fn games_with_all_options_allocate_nothing() {
    let file = include_str!("../../../scenarios/europe-engulfed/options.toml");
    let names = file.lines().filter_map(|line| line.strip_prefix('[')?.strip_suffix(']'));
    let all: Vec<Override> = names.map(|name| Override::new(format!("options.{name}"), "true")).collect();
    assert!(all.len() > 40, "{} options", all.len());
    for (id, name) in [("campaign-1939", "scripted"), ("campaign-1941", "light")] {
        check(id, name, &all);
    }
}
