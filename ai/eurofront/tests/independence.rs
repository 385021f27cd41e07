#![allow(clippy::doc_markdown)] // the name of the game is no path

//! No game weighs on another in any scenario, in a cheap form: whole games of the short ones, some decisions from the middle of a
//! campaign. 1936 has the whole of the kit, see `eurofront.rs`.

use sandtable_ai::kit::{check_agent, check_agents, middle};
use sandtable_ai_eurofront::EuroKnowledge;
use sandtable_eurofront::EuroFront;
use sandtable_scenarios_eurofront::{AnySystem, SYSTEM, open};

/// Scenarios of some turns.
const SHORT: [&str; 3] = ["/1939A", "/1939B", "/1940A"];

#[test]
#[cfg_attr(debug_assertions, ignore = "takes minutes without optimisation")]
fn games_of_no_scenario_depend_on_each_other() {
    for scenario in SYSTEM.scenarios() {
        let game = EuroFront::new(open(&scenario.name, &[]).unwrap().into_rules()).unwrap();
        let (knowledge, specs) =
            (|| EuroKnowledge::new(&game), ["scripted", "ismcts:iterations=8,depth=8,per=turn"]);
        if SHORT.iter().any(|short| scenario.name.ends_with(short)) {
            check_agents(&scenario.name, &game, knowledge, &specs, 20);
            continue;
        }
        let middle = middle(&game, &knowledge());
        for spec in specs {
            let checked = check_agent(&game, knowledge, &spec.parse().unwrap(), &middle, 20);
            assert_eq!(checked, Ok(()), "{}", scenario.name);
        }
    }
}
