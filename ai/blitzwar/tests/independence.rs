//! No game, line or position weighs on another: every kind of agent in every scenario, see `sandtable_ai::kit`.

use sandtable_ai::SystemKnowledge;
use sandtable_ai::kit::{AGENTS, AGENTS_WITH_PLANS, AGENTS_WITH_POLICIES, check_independence, check_proofs};
use sandtable_ai_blitzwar::BlitzKnowledge;
use sandtable_blitzwar::BlitzWar;
use sandtable_scenarios_blitzwar::{AnySystem, SYSTEM, open};

#[test]
fn games_of_blitzwar_do_not_depend_on_each_other() {
    for scenario in SYSTEM.scenarios() {
        let game = BlitzWar::new(open(&scenario.name, &[]).unwrap().into_rules()).unwrap();
        let specs =
            [&AGENTS[..], &AGENTS_WITH_POLICIES, &AGENTS_WITH_PLANS, &["scripted:policy=light,deny=air"]]
                .concat();
        check_independence(&scenario.name, &game, || BlitzKnowledge::new(&game), &specs, 50);
    }
}

#[test]
fn the_weights_that_were_proven_ship() {
    let game = BlitzWar::new(open("blitzwar/campaign-1939", &[]).unwrap().into_rules()).unwrap();
    check_proofs(include_str!("../proof.toml"), &BlitzKnowledge::new(&game).weights()).unwrap();
}
