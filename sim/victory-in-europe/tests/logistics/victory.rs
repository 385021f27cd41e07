//! Victory (9, 12.0).

use sandtable_core::{Outcome, Side};
use sandtable_victory_in_europe::nation::{Force, Nation};
use sandtable_victory_in_europe::{Phase, VictoryInEurope};

use super::*;

fn outcome(game: &VictoryInEurope, editor: &mut Editor<'_>) -> Option<Outcome> {
    let (state, _) = supply_phase(editor);
    game.outcome(&state)
}

#[test]
fn the_axis_wins_with_berlin_and_one_of_three_groups() {
    let game = open("stalingrad-1942");
    for (areas, end_reason) in [
        (["paris", "london", "cairo"], "axis_decisive_west"),
        (["leningrad", "moscow", "baku"], "axis_decisive_east"),
        (["london", "paris", "moscow"], "axis_decisive_capitals"),
    ] {
        let mut editor = set_up(&game);
        editor.clear();
        for area in areas {
            editor.control(area, Nation::Germany);
        }
        let result = outcome(&game, &mut editor).expect("a decision");
        assert_eq!((result.end_reason, result.winner), (end_reason, Some(0)));
        assert_eq!((result.utility[Side(0)], result.utility[Side(1)]), (1.0, 0.0));
        assert_eq!((result.points[Side(0)], result.points[Side(1)]), (2.0, 0.0));
        editor.control("berlin", Nation::Usa);
        assert_eq!(outcome(&game, &mut editor), None, "not without Berlin");
        // Paris is Axis in this scenario; any other area missing spoils the group.
        editor.control("berlin", Nation::Germany).control(areas[1], Nation::Britain);
        assert_eq!(outcome(&game, &mut editor), None, "not without {}", areas[1]);
    }
}

#[test]
fn the_allies_win_with_five_capitals_between_them() {
    let game = open("bagration-1944");
    let mut editor = set_up(&game);
    editor
        .clear()
        .control("paris", Nation::Britain)
        .control("rome", Nation::Usa)
        .control("berlin", Nation::Ussr);
    let result = outcome(&game, &mut editor).expect("a decision");
    assert_eq!((result.end_reason, result.winner), ("allied_decisive", Some(1)));
    assert_eq!((result.utility[Side(0)], result.utility[Side(1)]), (0.0, 1.0));
    assert_eq!((result.points[Side(0)], result.points[Side(1)]), (0.0, 2.0));
    editor.control("rome", Nation::Germany);
    assert_eq!(outcome(&game, &mut editor), None, "Rome is missing");
}

#[test]
fn with_three_players_the_ally_in_berlin_comes_first() {
    let mut rules = open("bagration-1944").rules;
    rules.options.three_players = true;
    let game = VictoryInEurope::new(rules).expect("rules that hold together");
    for (holder, points) in [(Nation::Ussr, (1.0, 2.0)), (Nation::Britain, (2.0, 1.0))] {
        let mut editor = set_up(&game);
        editor
            .clear()
            .control("paris", Nation::Britain)
            .control("rome", Nation::Usa)
            .control("berlin", holder);
        let (state, _) = supply_phase(&mut editor);
        let result = game.outcome(&state).expect("a decision");
        assert_eq!((result.points[Side(1)], result.points[Side(2)]), points);
        assert_eq!((result.utility[Side(1)], result.utility[Side(2)]), (1.0, 1.0), "one team");
        let force = if holder == Nation::Ussr { Force::Soviet } else { Force::Western };
        assert_eq!(game.winner(&state), Some(force));
    }
}

#[test]
fn berlin_decides_at_the_end() {
    let game = open("bagration-1944");
    for (holder, winner) in [(Nation::Germany, 0), (Nation::Ussr, 1)] {
        let mut editor = set_up(&game);
        editor.turn(game.rules.setup.last_turn).control("berlin", holder);
        let mut state = editor.begin(Phase::Production, Team::Allies, &mut quiet());
        assert_eq!(game.outcome(&state), None);
        place_all(&game, &mut state);
        let result = game.outcome(&state).expect("the end");
        assert_eq!(
            (state.phase, result.end_reason, result.winner),
            (Phase::Over, "berlin_1945", Some(winner))
        );
        assert_eq!((result.points[Side(winner)], result.points[Side(1 - winner)]), (1.0, 0.0));
    }
}
