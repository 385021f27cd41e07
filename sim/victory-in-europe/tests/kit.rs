//! The laws every game must keep, over random games of every scenario.

use sandtable_core::kit::{self, KitOptions};
use sandtable_victory_in_europe::VictoryInEurope;

/// Runs the kit; a failing game is left as a replay that [`kit::Replay`] reads.
fn laws_hold(scenario: &str, games: u64, three_players: bool) {
    let opened =
        sandtable_scenarios_victory_in_europe::open(scenario, &[]).unwrap_or_else(|error| panic!("{error}"));
    let mut rules = opened.into_rules();
    rules.options.three_players = three_players;
    let game = VictoryInEurope::new(rules).unwrap();
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
    laws_hold("victory-in-europe/campaign-1939", 100, false);
}

#[test]
fn shorter_scenarios_keep_the_laws() {
    for scenario in ["barbarossa-1941", "stalingrad-1942", "kursk-1943", "bagration-1944"] {
        laws_hold(&format!("victory-in-europe/{scenario}"), 20, false);
    }
}

#[test]
fn games_of_three_keep_the_laws() {
    for scenario in ["campaign-1939", "stalingrad-1942"] {
        laws_hold(&format!("victory-in-europe/{scenario}"), 20, true);
    }
}
