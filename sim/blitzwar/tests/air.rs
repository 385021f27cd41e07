//! Air rules (13) on the map of the campaign.

use sandtable_blitzwar::editor::Editor;
use sandtable_blitzwar::location::Location;

use sandtable_blitzwar::{Action, BlitzWar, Country, Event, Force, Kind, Nation, Pending, Phase, State};
use sandtable_core::{Game, PlayContext, Scripted};

fn campaign() -> BlitzWar {
    let rules =
        sandtable_scenarios_blitzwar::open("blitzwar/campaign-1939", &[]).expect("embedded").into_rules();
    BlitzWar::new(rules).expect("sound")
}

fn scripted(faces: &[u32]) -> PlayContext<Scripted, Vec<Event>> {
    PlayContext { dice: Scripted::faces(faces), sink: Vec::new() }
}

fn legal(game: &BlitzWar, state: &State) -> Vec<Action> {
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    actions
}

/// Air units of a nation on the map.
fn air(game: &BlitzWar, state: &State, nation: Nation) -> usize {
    game.sheet()
        .filter(|&counter| {
            game.nation(counter) == nation && game.kind(counter) == Kind::Air && state.strength(counter) > 0
        })
        .count()
}

#[test]
fn three_unanswered_units_bomb_and_no_more() {
    let game = campaign();
    let mut editor = Editor::new(&game);
    editor.turn(28).unwrap();
    editor.air(Nation::Uk, game.zone("london").unwrap(), 6, false).unwrap();
    editor.air(Nation::Ger, game.zone("berlin").unwrap(), 2, false).unwrap();
    let mut context = scripted(&[]);
    let mut state = editor.begin(Phase::Bombing, Force::Allied, &mut context);
    for placed in 0..5 {
        let Some(&bomb @ Action::Bomb(_)) = legal(&game, &state).get(1) else { panic!("unit {placed}") };
        game.apply(&mut state, bomb, &mut context);
        if placed < 2 {
            assert_eq!(game.decider(&state), Force::Axis);
            let answer = legal(&game, &state)[1];
            game.apply(&mut state, answer, &mut context);
        }
    }
    assert_eq!(state.stack(Location::BOMBING_BOX).count(), 3);
    assert_ne!(state.phase(), Phase::Bombing, "the sixth unit may not bomb");
    assert_eq!((air(&game, &state, Nation::Uk), air(&game, &state, Nation::Ger)), (4, 0));
    game.check(&state).unwrap();
}

#[test]
fn the_battle_of_britain() {
    for (germans, faces, left) in [(4, &[1u32, 5][..], (1, 0)), (3, &[2][..], (1, 1))] {
        let game = campaign();
        let calais = game.zone("calais").unwrap();
        let mut editor = Editor::new(&game);
        editor.turn(8).unwrap();
        editor.control(calais, Some(Force::Axis)).unwrap();
        editor.air(Nation::Ger, calais, germans, false).unwrap();
        editor.air(Nation::Uk, game.zone("plymouth").unwrap(), 2, false).unwrap();
        let mut context = scripted(faces);
        let mut state = editor.begin(Phase::BattleOfBritain, Force::Axis, &mut context);
        for _ in faces {
            assert_eq!(legal(&game, &state), [Action::Pass, Action::Dogfight]);
            game.apply(&mut state, Action::Dogfight, &mut context);
        }
        assert_eq!((air(&game, &state, Nation::Ger), air(&game, &state, Nation::Uk)), left);
        assert_eq!(state.phase(), Phase::TacticalAir, "no further round");
        assert_eq!(state.britain_open(), left.1 == 0);
    }
}

#[test]
fn no_air_over_moscow_in_winter() {
    for (turn, winter) in [(19, false), (20, true)] {
        let game = campaign();
        let at = |id| game.zone(id).unwrap();
        let mut editor = Editor::new(&game);
        editor.turn(turn).unwrap();
        editor.timers().axis_soviet_war = 15;
        editor.control(at("smolensk"), Some(Force::Axis)).unwrap();
        editor.air(Nation::Ger, at("smolensk"), 1, false).unwrap();
        editor.air(Nation::Ger, at("hamburg"), 1, false).unwrap();
        let state = editor.begin(Phase::TacticalAir, Force::Axis, &mut scripted(&[]));
        let mut over_moscow = false;
        let mut over_sea = false;
        for select in legal(&game, &state).into_iter().filter(|action| matches!(action, Action::Select(_))) {
            let mut next = state.clone();
            game.apply(&mut next, select, &mut scripted(&[]));
            over_moscow |= legal(&game, &next).contains(&Action::Go(at("moscow")));
            over_sea |=
                legal(&game, &next).contains(&Action::Go(Location::of_sea(game.sea("north_sea").unwrap())));
        }
        assert_eq!(over_moscow, !winter);
        assert!(over_sea || legal(&game, &state).is_empty());
    }
}

#[test]
fn the_air_over_mechili_is_answered_once() {
    let game = campaign();
    let at = |id| game.zone(id).unwrap();
    let mut editor = Editor::new(&game);
    editor.turn(12).unwrap();
    editor.activate(Country::Ita, Force::Axis);
    for zone in ["mechili", "derna", "gazala"] {
        editor.control(at(zone), Some(Force::Allied)).unwrap();
    }
    editor.air(Nation::Ger, at("sirte"), 2, false).unwrap();
    editor.air(Nation::Uk, at("derna"), 1, false).unwrap();
    let mut context = scripted(&[]);
    let mut state = editor.begin(Phase::TacticalAir, Force::Axis, &mut context);
    for answered in [true, false] {
        let select = legal(&game, &state)[1];
        game.apply(&mut state, select, &mut context);
        game.apply(&mut state, Action::Go(at("mechili")), &mut context);
        assert_eq!(matches!(state.pending(), Pending::Response { responder: 1, .. }), answered);
        if answered {
            let answer = legal(&game, &state)[1];
            game.apply(&mut state, answer, &mut context);
        }
    }
    assert_eq!((air(&game, &state, Nation::Ger), air(&game, &state, Nation::Uk)), (1, 0));
    assert_eq!(game.air_superiority(&state, at("mechili")), Some(Force::Axis));
}
