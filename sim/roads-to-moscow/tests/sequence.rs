//! Rules of an Operations Sequence that a worked example tells badly: who may attack with whom, and what an overrun leaves
//! open.

mod common;

use common::{legal, mozhaysk, mtsensk, scripted, unit};
use sandtable_core::{Board, Direction, Game, Hex};
use sandtable_roads_to_moscow::editor::Editor;
use sandtable_roads_to_moscow::ids::{Player, Units, hex_number};
use sandtable_roads_to_moscow::rules::Water;
use sandtable_roads_to_moscow::{Action, Mark, Phase, RoadsToMoscow, Sequence};

/// A hex in the open whose surroundings two hexes deep are open too: clear, no water, no slope, no line.
fn open_country(game: &RoadsToMoscow) -> Hex {
    let plain = |hex: Hex| {
        game.map().clear.contains(hex)
            && !game.map().entry_hexes.contains(hex)
            && Direction::ALL.into_iter().all(|way| {
                let side = game.side(hex, way);
                side.water == Water::None && !side.uphill
            })
            && !game.map().beside_line.contains(hex)
            && !game.map().towns.contains(hex)
    };
    let around = |hex: Hex| -> Vec<Hex> { game.board().neighbours(hex).map(|(_, next)| next).collect() };
    game.board()
        .places()
        .iter()
        .find(|&hex| {
            around(hex).len() == 6
                && plain(hex)
                && around(hex).into_iter().all(plain)
                && around(hex).into_iter().flat_map(around).all(plain)
        })
        .expect("open country")
}

#[test]
fn inactive_formations_join_in_assault_alone_and_neither_reserves_nor_army_units_do() {
    let game = mozhaysk();
    let target = open_country(game);
    let beside = |way| hex_number(game.neighbour(target, way));
    let attackers = |sequence, reserve: Option<&str>| {
        let mut editor = Editor::new(game);
        editor.clear();
        editor
            .place("s_32_I_17", hex_number(target))
            .place("g_ssr_k", beside(Direction::Ahead))
            .place("g_10pz_I_69", beside(Direction::Ahead))
            .place("g_flak_m", beside(Direction::Back));
        editor.activate(&["SSR"], sequence);
        if let Some(formation) = reserve {
            editor.reserve(formation, 9);
        }
        game.possible_attackers(&editor.finish(), target)
    };
    let [own, inactive] = ["g_ssr_k", "g_10pz_I_69"].map(|id| unit(game, id));
    let both: Units = [own, inactive].into_iter().collect();
    assert_eq!(attackers(Sequence::Mobile, None), Units::one(own), "9.11a");
    assert_eq!(attackers(Sequence::Assault, None), both, "9.11b, but no Army unit (7.48)");
    assert_eq!(attackers(Sequence::Assault, Some("10Pz")), Units::one(own), "5.32");
}

#[test]
fn after_an_overrun_into_an_enemy_zone_it_overruns_or_stops() {
    let game = mozhaysk();
    let target = open_country(game);
    let from = game.neighbour(target, Direction::Ahead);
    let behind = game.neighbour(game.neighbour(target, Direction::Back), Direction::Back);
    for zone in [false, true] {
        let mut editor = Editor::new(game);
        editor.clear();
        editor
            .place("g_10pz_I_7", hex_number(from))
            .place("g_10pz_II_7", hex_number(from))
            .place("s_32_hq", hex_number(target));
        if zone {
            // Beside the target, so that its zone takes it in.
            editor.place("s_32_I_17", hex_number(game.neighbour(target, Direction::Back)));
        } else {
            editor.place("s_32_I_17", hex_number(behind));
        }
        editor.activate(&["10Pz"], Sequence::Mobile);
        let mut state = editor.finish();
        let mut context = scripted(&[1]);
        for action in [
            Action::Unit(unit(game, "g_10pz_I_7")),
            Action::Join(unit(game, "g_10pz_II_7")),
            Action::Overrun(target),
        ] {
            assert!(legal(game, &state).contains(&action), "{action:?} of {:?}", legal(game, &state));
            game.apply(&mut state, action, &mut context);
        }
        while state.phase != Phase::Stack {
            // Leads: whoever comes first.
            let lead = legal(game, &state)[0];
            game.apply(&mut state, lead, &mut context);
        }
        context.dice.check().expect("one roll");
        assert_eq!(state.at(unit(game, "g_10pz_I_7")), target, "the hex is cleared, and entered (8.56h)");
        assert!(!state.occupied[Player::Soviet.index()].contains(target));
        let onward = legal(game, &state).iter().any(|action| matches!(action, Action::Go(_)));
        assert_eq!(onward, !zone, "8.56i");
    }
}

#[test]
fn low_fuel_goes_as_a_unit_sets_out_with_fuel_not_as_it_is_picked() {
    // 6.43c, R5: who does not move is neither fuelled nor made low.
    let game = mtsensk();
    let infantry = unit(game, "g_4pz_I_35");
    let picked = |low: bool, spent: bool| {
        let mut editor = Editor::new(game);
        editor.clear();
        editor.place("g_4pz_I_35", 433).place("g_4pz_II_35", 433).place("g_fuel_1", 433).mark(
            "g_4pz_I_35",
            Mark::LowFuel,
            low,
        );
        editor.activate(&["4Pz"], Sequence::Mobile).mark("g_fuel_1", Mark::BeingSpent, spent);
        let mut state = editor.finish();
        game.apply(&mut state, Action::Unit(infantry), &mut scripted(&[]));
        state
    };
    let marks = |state: &sandtable_roads_to_moscow::State| {
        [Mark::LowFuel, Mark::Fuelled].map(|mark| state.has(infantry, mark))
    };
    for (low, spent) in [(true, true), (true, false), (false, true), (false, false)] {
        let (mut stays, mut goes) = (picked(low, spent), picked(low, spent));
        assert_eq!(stays.movement_left, if spent { 12 } else { 6 }, "{low} {spent}");
        game.apply(&mut stays, Action::Pass, &mut scripted(&[]));
        assert_eq!(marks(&stays), [low, false], "it stays: {low} {spent}");
        let step = legal(game, &goes).into_iter().find(|action| matches!(action, Action::Go(_)));
        game.apply(&mut goes, step.expect("a way"), &mut scripted(&[]));
        assert_eq!(marks(&goes), [!spent, spent], "it goes: {low} {spent}");
    }
}
