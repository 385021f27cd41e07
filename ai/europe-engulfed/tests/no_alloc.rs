//! The players take no memory from the heap once they are made and the list of actions has grown to its size.

use sandtable_ai::kit::measure_policy;
use sandtable_ai_europe_engulfed::EngulfedKnowledge;
use sandtable_europe_engulfed::EuropeEngulfed;
use sandtable_scenarios_europe_engulfed::open;

#[test]
fn scripted_games_allocate_nothing() {
    for (id, name) in [
        ("patton-1945", "scripted"),
        ("tournament-1942", "light"),
        ("campaign-1941", "scripted"),
        ("campaign-1939", "light"),
    ] {
        let game =
            EuropeEngulfed::new(open(&format!("europe-engulfed/{id}"), &[]).unwrap().into_rules()).unwrap();
        let knowledge = EngulfedKnowledge::new(&game);
        let (decisions, seen) =
            measure_policy(&game, &knowledge, name, 0, |play| allocation_counter::measure(play));
        assert!(decisions > 200, "{decisions} decisions");
        assert_eq!(seen.count_total, 0, "{id}, {name}");
    }
}
