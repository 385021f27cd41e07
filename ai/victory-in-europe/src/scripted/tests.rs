//! Habits that the player once had, one position each.

use sandtable_victory_in_europe::editor::Editor;
use sandtable_victory_in_europe::{Force, Nation, Phase, State, UnitId, VictoryInEurope};

use super::*;

fn game(scenario: &str) -> VictoryInEurope {
    let name = format!("victory-in-europe/{scenario}");
    let scenario = sandtable_scenarios_victory_in_europe::open(&name, &[]).unwrap();
    VictoryInEurope::new(scenario.into_rules()).unwrap()
}

/// The player of a force, who has looked at a position.
fn player(game: &VictoryInEurope, state: &State, force: Force) -> Scripted {
    let mut player = Scripted::new(Arc::new(MapTables::new(game)), &Weights::all());
    player.assessment.refresh(game, &player.map_tables, state, force);
    player
}

#[test]
fn ground_far_away_is_worth_little_while_berlin_is_in_danger() {
    let game = game("kursk-1943");
    let far = game.place("stalingrad").unwrap();
    let worth = |soviets_at: &str| {
        let mut editor = Editor::new(&game);
        editor.control(soviets_at, Nation::Ussr).place("su_tk_t34_1", soviets_at, 3);
        let state = editor.reveal().finish();
        player(&game, &state, Force::Axis).assessment.prize(Force::Axis, far)
    };
    let (calm, endangered) = (worth("voronezh"), worth("breslau"));
    assert!(calm > 0.0 && endangered < 0.4 * calm, "{endangered} of {calm}");
}

#[test]
fn walls_alone_do_not_hold_leningrad() {
    let game = game("stalingrad-1942");
    let leningrad = game.place("leningrad").unwrap();
    let stays = |armies: &[&str]| {
        let mut editor = Editor::new(&game);
        editor.clear().place("fin_inf_1a", "viipuri", 3).place("fort_leningrad", "leningrad", 3);
        for army in armies {
            editor.place(army, "leningrad", 3);
        }
        let state = editor.finish();
        let player = player(&game, &state, Force::Soviet);
        player.assessment.holds_alone(&player.map_tables, leningrad)
    };
    assert!(stays(&["su_inf3_1"]), "the last army beside the fortress");
    assert!(!stays(&["su_inf3_1", "su_inf3_2"]), "one of two may go");
}

#[test]
fn aircraft_keep_away_from_fields_without_supply() {
    let game = game("kursk-1943");
    let paris = game.place("paris").unwrap();
    // Paris in British hands, with a port behind it or without.
    let field = |is_fed: bool| {
        let mut editor = Editor::new(&game);
        for area in ["paris", "le_havre", "lille"] {
            for unit in game.unit_ids() {
                if Some(editor.state().location(unit)) == game.place(area) {
                    let id = game.rules.units[unit.at()].id.clone();
                    editor.remove(&id);
                }
            }
        }
        editor.control("paris", Nation::Britain);
        if is_fed {
            editor.control("le_havre", Nation::Britain);
        }
        let state = editor.reveal().finish();
        let player = player(&game, &state, Force::Western);
        assert_eq!(player.assessment.is_supplied(Force::Western, paris), is_fed);
        player.airfield(&game, Force::Western, paris)
    };
    let (fed, starving) = (field(true), field(false));
    assert!(starving < fed - 1.0, "{starving} against {fed}");
}

#[test]
fn convoys_carry_nothing_that_finds_no_use() {
    let game = game("kursk-1943");
    let convoy = |id: &str| -> UnitId { game.unit(id).unwrap() };
    let worth = |major: Nation, id: &str, britain_left: u8, room: u8| {
        let mut editor = Editor::new(&game);
        editor
            .place("convoy_a", "convoy_a", 1)
            .place("convoy_b", "convoy_b", 1)
            .place("convoy_c", "convoy_c", 1);
        let mut state = editor.finish();
        state.phase = Phase::Production;
        state.budget.major = major as u8;
        state.budget.points[Nation::Britain.index()] = britain_left;
        state.budget.growth[0] = room;
        let player = player(&game, &state, Force::Western);
        player.production(&game, &state, Action::Build(convoy(id)))
    };
    assert!(worth(Nation::Usa, "convoy_b", 0, 0) > 0.0);
    assert!(worth(Nation::Usa, "convoy_b", 2, 0) <= 0.0, "Britain has points to spare");
    assert!(worth(Nation::Usa, "convoy_a", 2, 5) > 0.0, "the Soviets have not");
    assert!(worth(Nation::Britain, "convoy_c", 0, 0) > 0.0);
    assert!(worth(Nation::Britain, "convoy_c", 0, 3) <= 0.0, "the factories have enough");
}
