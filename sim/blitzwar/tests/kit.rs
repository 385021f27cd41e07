//! The invariants every game must keep, over random games of every scenario.

use sandtable_scenarios::kit::check_invariants;
use sandtable_scenarios_blitzwar::Examples;

#[test]
fn campaign_keeps_the_invariants() {
    check_invariants::<Examples>("blitzwar/campaign-1939", &[], 200);
}

#[test]
fn shorter_scenarios_keep_the_invariants() {
    for scenario in ["blitzwar/france-1940", "blitzwar/barbarossa-1941", "blitzwar/turning-point-1943"] {
        check_invariants::<Examples>(scenario, &[], 20);
    }
}
