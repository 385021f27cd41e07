//! What no worked example tells of the sea: storms by the dice of the weather, the secret of beachheads, the paths of
//! ships.

mod common;

use common::{rules, scripted};
use sandtable_core::{Game, Side};
use sandtable_eurofront::editor::Editor;
use sandtable_eurofront::ids::{SeaId, place};
use sandtable_eurofront::rules::Weather;
use sandtable_eurofront::{EuroFront, Event, State};

fn norway() -> EuroFront {
    EuroFront::new(rules("1939B")).expect("rules")
}

fn europe() -> EuroFront {
    EuroFront::new(rules("1943")).expect("rules")
}

fn names(game: &EuroFront, state: &State) -> Vec<String> {
    let name = |sea: SeaId| game.rules.map.seas[usize::from(sea.0)].id.clone();
    state.sea.storms.iter().map(name).collect()
}

/// April 1940: in the East it is muddy, and an odd sum of 5 or 9 strikes the Arctic (12.5).
#[test]
fn an_odd_sum_brings_a_storm_over_its_basin() {
    let game = norway();
    for (dice, struck) in [([2, 3], true), ([4, 5], true), ([2, 4], false), ([1, 2], false)] {
        let mut context = scripted(&dice);
        let mut editor = Editor::new(&game);
        let state = editor.date(1, 1).fortnight(&mut context);
        assert_eq!(state.weather, [Weather::Dry, Weather::Mud]);
        let stormy = names(&game, &state).contains(&"barents_sea".to_owned());
        assert_eq!(stormy, struck, "{dice:?}: {:?}", names(&game, &state));
        let storms = context.sink.iter().filter(|event| matches!(event, Event::Storm { .. })).count();
        assert_eq!(storms, usize::from(dice.iter().sum::<u32>() % 2 == 1), "{dice:?}");
    }
}

/// In the dry nobody throws for storms: June 1940 uses no dice.
#[test]
fn dry_months_have_no_storms() {
    let game = norway();
    let mut context = scripted(&[]);
    let mut editor = Editor::new(&game);
    let state = editor.date(3, 2).fortnight(&mut context);
    assert!(state.sea.storms.is_empty());
}

/// Which of two beachheads is ready is the Allies' secret (15.61).
#[test]
fn the_axis_does_not_see_which_beachhead_is_ready() {
    let game = europe();
    let state = |ready: &str, preparing: &str| {
        let mut editor = Editor::new(&game);
        editor.clear();
        for (id, to) in [(ready, place::READY), (preparing, place::PREPARING)] {
            let block = game.rules.block(id).expect("block");
            editor.beachhead(block, to, false);
        }
        editor.finish()
    };
    let (one, other) = (state("bh_us_6", "bh_uk_1"), state("bh_uk_1", "bh_us_6"));
    let side = |id: &str| {
        let at = game.sides().iter().position(|side| side.id == id).expect("side");
        Side(at as u8)
    };
    assert_ne!(one, other);
    assert_eq!(game.observation(&one, side("axis")), game.observation(&other, side("axis")));
    assert_ne!(game.observation(&one, side("allies")), game.observation(&other, side("allies")));
}
