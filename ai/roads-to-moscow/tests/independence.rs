//! No game, line or position weighs on another: every kind of agent in every scenario, see `sandtable_ai::kit`.

use sandtable_ai::kit::{AGENTS, AGENTS_WITH_PLANS, AGENTS_WITH_POLICIES, check_independence};
use sandtable_ai_roads_to_moscow::MoscowKnowledge;
use sandtable_roads_to_moscow::RoadsToMoscow;
use sandtable_scenarios_roads_to_moscow::{AnySystem, SYSTEM, open};

#[test]
fn games_of_roads_to_moscow_do_not_depend_on_each_other() {
    for scenario in SYSTEM.scenarios() {
        let game = RoadsToMoscow::new(open(&scenario.name, &[]).unwrap().into_rules()).unwrap();
        let specs = [&AGENTS[..], &AGENTS_WITH_POLICIES, &AGENTS_WITH_PLANS, &["scripted:deny=air"]].concat();
        check_independence(&scenario.name, &game, || MoscowKnowledge::new(&game), &specs, 50);
    }
}
