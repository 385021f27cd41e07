//! The laws every game must keep, over random games of every scenario.

use sandtable_blitzwar::BlitzWar;
use sandtable_core::kit::{self, KitOptions};

/// Runs the kit; a failing game is left as a replay that [`kit::Replay`] reads.
fn laws_hold(scenario: &str, games: u64) {
    let opened = sandtable_scenarios_blitzwar::open(scenario, &[]).unwrap_or_else(|error| panic!("{error}"));
    let game = BlitzWar::new(opened.into_rules()).unwrap();
    let options = KitOptions {
        games,
        seed: 1939,
        deep_every: 97,
        max_children: 24,
        max_decisions: 60_000,
        ..Default::default()
    };
    match kit::run(&game, &options) {
        Ok(report) => println!("{scenario}: {report:?}"),
        Err(failure) => {
            let file = std::env::temp_dir().join(format!("{}.replay", scenario.replace('/', "-")));
            std::fs::write(&file, failure.replay.to_string()).unwrap();
            panic!("{scenario}: {failure}\nreplay in {}", file.display());
        }
    }
}

#[test]
fn campaign_keeps_the_laws() {
    laws_hold("blitzwar/campaign-1939", 200);
}

#[test]
fn shorter_scenarios_keep_the_laws() {
    for scenario in ["blitzwar/france-1940", "blitzwar/barbarossa-1941", "blitzwar/turning-point-1943"] {
        laws_hold(scenario, 20);
    }
}
