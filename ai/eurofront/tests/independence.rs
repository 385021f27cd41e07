//! No game, line or position weighs on another: every kind of agent in every scenario, see `sandtable_ai::kit`.

use sandtable_ai::kit::{AGENTS, AGENTS_WITH_PLANS, AGENTS_WITH_POLICIES, check_independence};
use sandtable_ai_eurofront::EuroKnowledge;
use sandtable_eurofront::EuroFront;
use sandtable_scenarios_eurofront::open;

#[test]
fn games_of_eurofront_do_not_depend_on_each_other() {
    let game = EuroFront::new(open("eurofront/1936", &[]).unwrap().into_rules()).unwrap();
    let specs = [&AGENTS[..], &AGENTS_WITH_POLICIES, &AGENTS_WITH_PLANS, &["scripted:deny=air"]].concat();
    check_independence("eurofront/1936", &game, || EuroKnowledge::new(&game), &specs, 50);
}
