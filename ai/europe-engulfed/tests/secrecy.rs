//! No agent sees what is hidden from its side, see `sandtable_ai::kit`.

use sandtable_ai::SystemKnowledge;
use sandtable_ai::kit::{check_equal_views, check_secrecy};
use sandtable_ai_europe_engulfed::EngulfedKnowledge;
use sandtable_europe_engulfed::EuropeEngulfed;
use sandtable_scenarios_europe_engulfed::open;

fn game(scenario: &str) -> EuropeEngulfed {
    EuropeEngulfed::new(open(&format!("europe-engulfed/{scenario}"), &[]).unwrap().into_rules()).unwrap()
}

#[test]
fn only_agents_that_say_so_see_what_is_hidden() {
    for scenario in ["patton-1945", "tournament-1942"] {
        let game = game(scenario);
        check_equal_views(scenario, &game, &EngulfedKnowledge::new(&game), "1t", 1);
    }
}

/// Two players of each side follow whole games, each with its own guess of what is hidden: they choose alike.
#[test]
fn policies_know_nothing_hidden_all_game_long() {
    for scenario in ["patton-1945", "tournament-1942", "european-war-1939", "campaign-1941", "campaign-1939"]
    {
        let game = game(scenario);
        let knowledge = EngulfedKnowledge::new(&game);
        for policy in knowledge.policies() {
            // The shortest of these games, of 1939, has 411 decisions.
            check_secrecy(scenario, &game, &knowledge, policy.name, 400);
        }
    }
}
