//! No agent sees what is hidden from its side, see `sandtable_ai::kit`.

use sandtable_ai::SystemKnowledge;
use sandtable_ai::kit::{check_equal_views, check_secrecy};
use sandtable_ai_roads_to_moscow::MoscowKnowledge;
use sandtable_roads_to_moscow::RoadsToMoscow;
use sandtable_scenarios_roads_to_moscow::open;

fn game(scenario: &str) -> RoadsToMoscow {
    RoadsToMoscow::new(open(&format!("roads-to-moscow/{scenario}"), &[]).unwrap().into_rules()).unwrap()
}

#[test]
fn only_agents_that_say_so_see_what_is_hidden() {
    for scenario in ["mozhaysk", "pervyy-voin"] {
        let game = game(scenario);
        check_equal_views(scenario, &game, &MoscowKnowledge::new(&game), "1t", 1);
    }
}

/// Two players of each side follow whole games, each with its own guess of what is hidden: they choose alike.
#[test]
fn policies_know_nothing_hidden_all_game_long() {
    for scenario in ["borodino-field", "mozhaysk", "pervyy-voin", "road-to-mtsensk"] {
        let game = game(scenario);
        let knowledge = MoscowKnowledge::new(&game);
        for policy in knowledge.policies() {
            check_secrecy(scenario, &game, &knowledge, policy.name, 300);
        }
    }
}
