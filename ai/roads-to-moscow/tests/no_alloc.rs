//! The players take no memory from the heap once they are made and the list of actions has grown to its size.

use sandtable_ai::kit::measure_policy;
use sandtable_ai_roads_to_moscow::MoscowKnowledge;
use sandtable_roads_to_moscow::RoadsToMoscow;
use sandtable_scenarios_roads_to_moscow::{AnySystem, SYSTEM, open};

#[test]
fn scripted_games_allocate_nothing() {
    for scenario in SYSTEM.scenarios() {
        let game = RoadsToMoscow::new(open(&scenario.name, &[]).unwrap().into_rules()).unwrap();
        let knowledge = MoscowKnowledge::new(&game);
        for name in ["scripted", "light"] {
            for number in 0..2 {
                let (decisions, seen) =
                    measure_policy(&game, &knowledge, name, number, |play| allocation_counter::measure(play));
                assert!(decisions > 200, "{}: {decisions} decisions", scenario.name);
                assert_eq!(seen.count_total, 0, "{}, {name}, game {number}", scenario.name);
            }
        }
    }
}
