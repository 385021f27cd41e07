//! Stacks over the limit (4) and what is told of their losses, on the real data.

mod common;

use common::{ScriptedContext, game, scripted, zone};
use sandtable_blitzwar::editor::{Editor, Mark};
use sandtable_blitzwar::{BlitzWar, Event, Force, Kind, Nation, Phase};

/// What is told first when Reorganisation ends with these infantry corps of a nation in a zone, one counter each. Of equal
/// counters one is given up without a decision.
fn give_up(game: &BlitzWar, nation: Nation, at: &str, corps: &[u8], unsupplied: bool) -> Vec<Event> {
    let mut editor = Editor::new(game);
    for &infantry in corps {
        let counter = editor.corps(nation, zone(game, at), infantry, 0, false).unwrap();
        editor.mark(counter, Mark::Unsupplied, unsupplied).unwrap();
    }
    let mut context: ScriptedContext = scripted(&[]);
    editor.begin(Phase::Reorganisation, Force::Soviet, &mut context);
    let of = |event: &Event| matches!(event, Event::Overstacked { .. } | Event::Lost { .. });
    context.sink.into_iter().filter(of).take(2).collect()
}

/// What is told when a German counter in a zone is given up for so many corps.
fn told(game: &BlitzWar, at: &str, units: u8, unsupplied: bool) -> [Event; 2] {
    let (nation, kind, place) = (Nation::Ger, Kind::Infantry, zone(game, at));
    let given = Event::Overstacked { force: Force::Axis, corps: units, zone: place };
    [given, Event::Lost { nation, kind, units, place, unsupplied }]
}

/// 4.
#[test]
fn a_side_is_told_to_give_up_a_counter_before_it_is_lost() {
    let game = game("barbarossa-1941");
    for unsupplied in [false, true] {
        let events = give_up(&game, Nation::Ger, "leipzig", &[2; 4], unsupplied);
        assert_eq!(events, told(&game, "leipzig", 2, unsupplied));
    }
}

/// 4.
#[test]
fn where_the_limit_counts_corps_one_is_given_up_at_a_time() {
    let game = game("barbarossa-1941");
    for unsupplied in [false, true] {
        let events = give_up(&game, Nation::Ger, "tobruk", &[2; 2], unsupplied);
        assert_eq!(events, told(&game, "tobruk", 1, unsupplied));
    }
}
