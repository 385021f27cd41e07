//! What combat comes to in random games of the scenarios: every step is reached.

use std::collections::BTreeMap;

use sandtable_core::{Game, PlayContext, Rng64};
use sandtable_roads_to_moscow::{Event, Phase, RoadsToMoscow};

#[test]
fn random_games_reach_every_step_of_combat() {
    let mut seen: BTreeMap<Phase, u32> = BTreeMap::new();
    let (mut combats, mut games) = (0u32, 0);
    for scenario in ["pervyy-voin", "road-to-mtsensk", "borodino-field", "mozhaysk"] {
        let opened =
            sandtable_scenarios_roads_to_moscow::open(&format!("roads-to-moscow/{scenario}"), &[]).unwrap();
        let game = RoadsToMoscow::new(opened.into_rules()).unwrap();
        let mut legal = Vec::new();
        for number in 0..40 {
            let mut context = PlayContext { dice: Rng64::stream(7, number, 0), sink: Vec::new() };
            let mut state = game.initial(&mut context);
            let mut choice = Rng64::stream(7, number, 1);
            while let sandtable_core::Turn::Decide(_) = game.turn_of(&state) {
                *seen.entry(state.phase).or_default() += 1;
                legal.clear();
                game.legal_actions(&state, &mut legal);
                assert!(legal.len() > 1 && legal.is_sorted(), "{:?}: {legal:?}", state.phase);
                let action = legal[sandtable_core::Dice::below(&mut choice, legal.len() as u32) as usize];
                game.apply(&mut state, action, &mut context);
                if number < 5 {
                    game.check(&state).unwrap_or_else(|error| panic!("{scenario} {number}: {error}"));
                }
            }
            combats += context.sink.iter().filter(|event| matches!(event, Event::Combat { .. })).count() as u32;
            games += 1;
        }
    }
    println!("{games} games, {combats} combats, {seen:#?}");
    assert!(combats > 0);
}
