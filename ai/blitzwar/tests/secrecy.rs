//! No agent sees what is hidden from its side, see `sandtable_ai::kit`.

use sandtable_ai::SystemKnowledge;
use sandtable_ai::kit::{check_equal_views, check_secrecy};
use sandtable_ai_blitzwar::BlitzKnowledge;
use sandtable_blitzwar::BlitzWar;
use sandtable_scenarios_blitzwar::{AnySystem, SYSTEM, open};

fn game(scenario: &str) -> BlitzWar {
    BlitzWar::new(open(scenario, &[]).unwrap().into_rules()).unwrap()
}

/// The cards of the others lie face down (10.1): every agent plays alike whatever they are.
#[test]
fn only_agents_that_say_so_see_hidden_cards() {
    for scenario in SYSTEM.scenarios() {
        let game = game(&scenario.name);
        check_equal_views(&scenario.name, &game, &BlitzKnowledge::new(&game), "2t", 1);
    }
}

/// Two players of each side follow whole games, each with its own guess of the cards: they choose alike.
#[test]
fn policies_know_nothing_of_hidden_cards_all_game_long() {
    for scenario in SYSTEM.scenarios() {
        let game = game(&scenario.name);
        let knowledge = BlitzKnowledge::new(&game);
        for policy in knowledge.policies() {
            check_secrecy(&scenario.name, &game, &knowledge, policy.name, 100);
        }
    }
}
