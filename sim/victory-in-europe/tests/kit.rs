//! The invariants every game must keep, over random games of every scenario.

use sandtable_scenarios::kit::check_invariants;
use sandtable_scenarios_victory_in_europe::Examples;

#[test]
fn campaign_keeps_the_invariants() {
    check_invariants::<Examples>("victory-in-europe/campaign-1939", &[], 100);
}

#[test]
fn shorter_scenarios_keep_the_invariants() {
    for scenario in ["barbarossa-1941", "stalingrad-1942", "kursk-1943", "bagration-1944"] {
        check_invariants::<Examples>(&format!("victory-in-europe/{scenario}"), &[], 20);
    }
}

#[test]
fn games_of_three_keep_the_invariants() {
    for scenario in ["campaign-1939", "stalingrad-1942"] {
        let scenario = format!("victory-in-europe/{scenario}");
        check_invariants::<Examples>(&scenario, &["options.three_players=true"], 20);
    }
}
