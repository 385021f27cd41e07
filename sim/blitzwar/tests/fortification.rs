//! Fortified corps are turned back at any time (15.1), and the owner says which depot pays (7, R-16).

mod common;

use common::{game, legal, scripted, zone};
use sandtable_blitzwar::editor::Editor;
use sandtable_blitzwar::{Action, Force, Kind, Nation, Pending, Phase, State};
use sandtable_core::{Game, Stepwise};

/// Phases that a side plays in its own turn (8).
const OWN_TURN: [Phase; 16] = [
    Phase::NavalMovement,
    Phase::NavalCombat,
    Phase::Bombing,
    Phase::BattleOfBritain,
    Phase::TacticalAir,
    Phase::Beachheads,
    Phase::StrategicAir,
    Phase::SeaTransport,
    Phase::Fortification,
    Phase::StrategicMovement,
    Phase::TacticalMovement,
    Phase::Blitz,
    Phase::BlitzMove,
    Phase::Normal,
    Phase::NormalMove,
    Phase::OutOfSupply,
];

#[test]
fn a_fortified_corps_is_turned_back_in_every_phase_of_its_turn() {
    let game = game("campaign-1939");
    for (force, nation, place) in [(Force::Axis, Nation::Ger, "berlin"), (Force::Allied, Nation::Uk, "malta")]
    {
        for phase in OWN_TURN.into_iter().chain([Phase::Reorganisation, Phase::LateAir]) {
            let at = zone(&game, place);
            let mut editor = Editor::new(&game);
            editor.turn(7).unwrap();
            editor.fortified(nation, at).unwrap();
            editor.phase(phase, force);
            let mut state = editor.finish();
            let corps = state.stack(at).next().unwrap();
            let mut context = scripted(&[]);
            if legal(&game, &state).contains(&Action::Reorganise) {
                game.apply_alone(&mut state, Action::Reorganise, &mut context);
            }
            let open = legal(&game, &state);
            assert_eq!(open, [Action::Pass, Action::Unfortify(corps)], "{phase:?} {force:?}");
            game.apply_alone(&mut state, Action::Unfortify(corps), &mut context);
            assert!(!state.is_turned(corps), "{phase:?} {force:?}");
            assert_eq!((state.phase(), state.pending()), (phase, Pending::None));
            assert!(!legal(&game, &state).contains(&Action::Unfortify(corps)));
        }
        // In the enemy's turn losses and retreats turn it back.
        let mut editor = Editor::new(&game);
        editor.turn(7).unwrap();
        editor.fortified(nation, zone(&game, place)).unwrap();
        editor.phase(Phase::Normal, Force::Soviet);
        assert_eq!(legal(&game, &editor.finish()), []);
    }
}

#[test]
fn the_owner_names_the_depot_that_pays() {
    let game = game("campaign-1939");
    let (near, far) = (zone(&game, "berlin"), zone(&game, "ruhr"));
    let start = || {
        let mut editor = Editor::new(&game);
        editor.turn(7).unwrap();
        editor.supply(Force::Axis, near, 8).unwrap();
        editor.supply(Force::Axis, far, 8).unwrap();
        let corps = editor.corps(Nation::Ger, near, 2, 0, false).unwrap();
        editor.phase(Phase::TacticalMovement, Force::Axis);
        (editor.finish(), corps)
    };
    let stocks = |state: &State| [near, far].map(|zone| game.stock(state, zone, Force::Axis));
    for named in [None, Some(near), Some(far)] {
        let (mut state, corps) = start();
        let mut context = scripted(&[]);
        if let Some(depot) = named {
            game.apply_alone(&mut state, Action::ChooseDepot, &mut context);
            assert_eq!(
                legal(&game, &state),
                [near.min(far), near.max(far)].map(Action::PayFrom),
                "depots of one network"
            );
            game.apply_alone(&mut state, Action::PayFrom(depot), &mut context);
            assert!(!legal(&game, &state).contains(&Action::ChooseDepot), "named once for a payment");
        }
        game.apply_alone(&mut state, Action::Select(corps), &mut context);
        game.apply_alone(&mut state, Action::Go(zone(&game, "breslau")), &mut context);
        let expected = if named == Some(far) { [8, 6] } else { [6, 8] };
        assert_eq!(stocks(&state), expected, "{named:?}");
        assert_eq!(game.check(&state), Ok(()));
    }
    // One depot, no choice.
    let mut editor = Editor::of(&game, start().0);
    editor.supply(Force::Axis, far, 0).unwrap();
    assert!(!legal(&game, &editor.finish()).contains(&Action::ChooseDepot));
    // Nothing to pay for, nothing to choose.
    let (mut state, corps) = start();
    let mut editor = Editor::of(&game, state.clone());
    editor.mark(corps, sandtable_blitzwar::editor::Mark::Carried, true).unwrap();
    state = editor.finish();
    assert!(legal(&game, &state).contains(&Action::ChooseDepot), "supply may move");
    let mut editor = Editor::of(&game, state);
    for counter in game.sheet() {
        if game.kind(counter) == Kind::Supply && editor.state().location(counter).is_zone() {
            editor.mark(counter, sandtable_blitzwar::editor::Mark::Carried, true).unwrap();
        }
    }
    assert!(!legal(&game, &editor.finish()).contains(&Action::ChooseDepot));
}
