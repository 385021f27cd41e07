//! No game, line or position weighs on another: every kind of agent in every scenario, see `sandtable_ai::kit`.

use sandtable_ai::SystemKnowledge;
use sandtable_ai::kit::{AGENTS, AGENTS_WITH_PLANS, AGENTS_WITH_POLICIES, check_independence, check_proofs};
use sandtable_ai_victory_in_europe::VictoryKnowledge;
use sandtable_scenarios_victory_in_europe::{AnySystem, SYSTEM, open};
use sandtable_victory_in_europe::VictoryInEurope;

#[test]
fn games_of_victory_in_europe_do_not_depend_on_each_other() {
    for scenario in SYSTEM.scenarios() {
        let game = VictoryInEurope::new(open(&scenario.name, &[]).unwrap().into_rules()).unwrap();
        let specs = [&AGENTS[..], &AGENTS_WITH_POLICIES, &AGENTS_WITH_PLANS, &["scripted:deny=air"]].concat();
        check_independence(&scenario.name, &game, || VictoryKnowledge::new(&game), &specs, 50);
    }
}

#[test]
fn the_weights_that_were_proven_ship() {
    let game =
        VictoryInEurope::new(open("victory-in-europe/campaign-1939", &[]).unwrap().into_rules()).unwrap();
    check_proofs(include_str!("../proof.toml"), &VictoryKnowledge::new(&game).weights()).unwrap();
}
