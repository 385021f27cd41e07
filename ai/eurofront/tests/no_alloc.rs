//! The players take no memory from the heap once they are made and the list of actions has grown to its size.

use sandtable_ai::kit::measure_policy;
use sandtable_ai_eurofront::EuroKnowledge;
use sandtable_eurofront::EuroFront;
use sandtable_scenarios_eurofront::open;

#[test]
fn scripted_games_allocate_nothing() {
    let game = EuroFront::new(open("eurofront/1936", &[]).unwrap().into_rules()).unwrap();
    let knowledge = EuroKnowledge::new(&game);
    for name in ["scripted", "light"] {
        for number in 0..2 {
            let (decisions, seen) =
                measure_policy(&game, &knowledge, name, number, |play| allocation_counter::measure(play));
            assert!(decisions > 200, "{decisions} decisions");
            assert_eq!(seen.count_total, 0, "{name}, game {number}");
        }
    }
}
