//! The data of Victory in Europe: what the rulebook fixes of them, and that the engine takes them.

use sandtable_scenarios::{list, open};
use sandtable_victory_in_europe::VictoryInEurope;

const SCENARIOS: [&str; 5] =
    ["campaign-1939", "barbarossa-1941", "stalingrad-1942", "kursk-1943", "bagration-1944"];

#[test]
fn every_scenario_opens_and_the_engine_takes_it() {
    for id in SCENARIOS {
        let scenario =
            open(&format!("victory-in-europe/{id}"), &[]).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(scenario.system(), "victory-in-europe");
        let rules = scenario.into_victory_in_europe();
        assert_eq!(rules.setup.id, id);
        VictoryInEurope::new(rules).unwrap();
    }
    let listed = list().into_iter().find(|system| system.id == "victory-in-europe").unwrap();
    assert_eq!(listed.scenarios.len(), SCENARIOS.len());
}
