//! No game, line or position weighs on another: every kind of agent in every scenario, see `sandtable_ai::kit`.

use sandtable_ai::kit::{AGENTS, AGENTS_WITH_PLANS, AGENTS_WITH_POLICIES, check_independence};
use sandtable_ai_europe_engulfed::EngulfedKnowledge;
use sandtable_europe_engulfed::EuropeEngulfed;
use sandtable_scenarios_europe_engulfed::{AnySystem, SYSTEM, open};

#[test]
fn games_of_europe_engulfed_do_not_depend_on_each_other() {
    for scenario in SYSTEM.scenarios() {
        let game = EuropeEngulfed::new(open(&scenario.name, &[]).unwrap().into_rules()).unwrap();
        let specs = [&AGENTS[..], &AGENTS_WITH_POLICIES, &AGENTS_WITH_PLANS, &["scripted:deny=air"]].concat();
        check_independence(&scenario.name, &game, || EngulfedKnowledge::new(&game), &specs, 50);
    }
}
