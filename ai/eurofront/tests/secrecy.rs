//! No agent sees what is hidden from its side, see `sandtable_ai::kit`.

use sandtable_ai::kit::check_equal_views;
use sandtable_ai_eurofront::EuroKnowledge;
use sandtable_eurofront::EuroFront;
use sandtable_scenarios_eurofront::open;

fn game(scenario: &str) -> EuroFront {
    EuroFront::new(open(&format!("eurofront/{scenario}"), &[]).unwrap().into_rules()).unwrap()
}

#[test]
fn only_agents_that_say_so_see_what_is_hidden() {
    for scenario in ["1936", "1939A"] {
        let game = game(scenario);
        check_equal_views(scenario, &game, &EuroKnowledge::new(&game), "1t", 1);
    }
}
