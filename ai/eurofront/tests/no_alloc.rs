//! The players take no memory from the heap once they are made and the list of actions has grown to its size.

use sandtable_ai::kit::measure_policy;
use sandtable_ai_eurofront::EuroKnowledge;
use sandtable_eurofront::EuroFront;
use sandtable_scenarios_eurofront::open;

#[test]
fn scripted_games_allocate_nothing() {
    for (id, name, games) in [
        ("eurofront/1936", "scripted", 2),
        ("eurofront/1936", "light", 2),
        ("eurofront/1940A", "scripted", 1),
        ("eurofront/1940A", "light", 1),
        ("eurofront/1941", "light", 1),
        ("eurofront/1944", "scripted", 1),
    ] {
        let game = EuroFront::new(open(id, &[]).unwrap().into_rules()).unwrap();
        let knowledge = EuroKnowledge::new(&game);
        for number in 0..games {
            let (decisions, seen) =
                measure_policy(&game, &knowledge, name, number, |play| allocation_counter::measure(play));
            assert!(decisions > 200, "{decisions} decisions");
            assert_eq!(seen.count_total, 0, "{id}, {name}, game {number}");
        }
    }
}
