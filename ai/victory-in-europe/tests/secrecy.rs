//! No agent sees what is hidden from its side, see `sandtable_ai::kit`.

use sandtable_ai::SystemKnowledge;
use sandtable_ai::kit::{check_equal_views, check_secrecy};
use sandtable_ai_victory_in_europe::VictoryKnowledge;
use sandtable_scenarios_victory_in_europe::open;
use sandtable_victory_in_europe::VictoryInEurope;

fn game(scenario: &str) -> VictoryInEurope {
    VictoryInEurope::new(open(&format!("victory-in-europe/{scenario}"), &[]).unwrap().into_rules()).unwrap()
}

#[test]
fn only_agents_that_say_so_see_what_is_hidden() {
    for scenario in ["bagration-1944", "campaign-1939"] {
        let game = game(scenario);
        check_equal_views(scenario, &game, &VictoryKnowledge::new(&game), "1t", 1);
    }
}

/// Two players of each side follow whole games, each with its own guess of what is hidden: they choose alike.
#[test]
fn policies_know_nothing_hidden_all_game_long() {
    for scenario in ["campaign-1939", "kursk-1943"] {
        let game = game(scenario);
        let knowledge = VictoryKnowledge::new(&game);
        for policy in knowledge.policies() {
            check_secrecy(scenario, &game, &knowledge, policy.name, 500);
        }
    }
}
