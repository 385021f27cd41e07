//! The laws every game must keep, over random games of every scenario.

use sandtable_scenarios::kit::check_laws;
use sandtable_scenarios_blitzwar::Examples;

#[test]
fn campaign_keeps_the_laws() {
    check_laws::<Examples>("blitzwar/campaign-1939", &[], 200);
}

#[test]
fn shorter_scenarios_keep_the_laws() {
    for scenario in ["blitzwar/france-1940", "blitzwar/barbarossa-1941", "blitzwar/turning-point-1943"] {
        check_laws::<Examples>(scenario, &[], 20);
    }
}
