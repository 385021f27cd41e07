//! Naval rules (12) on the map of the campaign.

use sandtable_blitzwar::editor::Editor;
use sandtable_blitzwar::location::Location;
use sandtable_blitzwar::{Action, BlitzWar, Event, Force, Kind, Nation, Phase, State};
use sandtable_core::{Game, PlayContext, Scripted};

fn campaign() -> BlitzWar {
    let rules =
        sandtable_scenarios_blitzwar::open("blitzwar/campaign-1939", &[]).expect("embedded").into_rules();
    BlitzWar::new(rules).expect("sound")
}

fn units(game: &BlitzWar, state: &State, place: Location, nation: Nation) -> u8 {
    state
        .stack(place)
        .filter(|&counter| game.nation(counter) == nation)
        .map(|counter| state.strength(counter))
        .sum()
}

/// German and British naval units left in the North Sea after a fight that the Axis starts.
fn north_sea(turn: u8, ships: [(Nation, Kind, u8); 3], faces: &[u32]) -> (u8, u8, Vec<Event>) {
    let game = campaign();
    let sea = game.sea("north_sea").unwrap();
    let mut editor = Editor::new(&game);
    editor.turn(turn).unwrap();
    for (nation, kind, units) in ships {
        if units > 0 {
            editor.ships(nation, kind, Location::of_sea(sea), units).unwrap();
        }
    }
    let mut context = PlayContext { dice: Scripted::faces(faces), sink: Vec::new() };
    let mut state = editor.begin(Phase::NavalCombat, Force::Axis, &mut context);
    game.apply(&mut state, Action::NavalAttack(sea), &mut context);
    assert_eq!((context.dice.left(), context.dice.check()), (0, Ok(())));
    game.check(&state).unwrap();
    let left = (
        units(&game, &state, Location::of_sea(sea), Nation::Ger),
        units(&game, &state, Location::of_sea(sea), Nation::Uk),
    );
    (left.0, left.1, context.sink)
}

#[test]
fn a_die_that_reaches_the_defenders_ends_the_fight() {
    let ships =
        [(Nation::Ger, Kind::Fleet, 2), (Nation::Ger, Kind::Submarine, 0), (Nation::Uk, Kind::Fleet, 2)];
    let (german, british, _) = north_sea(20, ships, &[2]);
    assert_eq!((german, british), (2, 2));
    let ships =
        [(Nation::Ger, Kind::Fleet, 4), (Nation::Ger, Kind::Submarine, 0), (Nation::Uk, Kind::Fleet, 4)];
    let (german, british, events) = north_sea(20, ships, &[3, 3]);
    assert_eq!((german, british), (2, 2));
    assert_eq!(events.iter().filter(|event| matches!(event, Event::NavalRound { .. })).count(), 2);
}

#[test]
fn from_summer_1943_a_six_costs_the_axis_and_the_fleet_goes_first() {
    let ships =
        [(Nation::Ger, Kind::Fleet, 1), (Nation::Ger, Kind::Submarine, 2), (Nation::Uk, Kind::Fleet, 2)];
    let (german, british, events) = north_sea(32, ships, &[6]);
    assert_eq!((german, british), (2, 2));
    assert!(
        events
            .iter()
            .any(|event| matches!(event, Event::Lost { kind: Kind::Fleet, nation: Nation::Ger, .. }))
    );
}

#[test]
fn a_naval_move_has_four_steps_and_costs_one() {
    let game = campaign();
    let at = |id| game.zone(id).unwrap();
    let sea = |id| Location::of_sea(game.sea(id).unwrap());
    let mut editor = Editor::new(&game);
    editor.ships(Nation::Ger, Kind::Submarine, at("hamburg"), 2).unwrap();
    editor.supply(Force::Axis, at("berlin"), 4).unwrap();
    let mut context = PlayContext { dice: Scripted::default(), sink: Vec::new() };
    let mut state = editor.begin(Phase::NavalMovement, Force::Axis, &mut context);
    let mut actions = Vec::new();
    game.legal_actions(&state, &mut actions);
    let [Action::Pass, select @ Action::Select(boat)] = actions[..] else { panic!("{actions:?}") };
    game.apply(&mut state, select, &mut context);
    actions.clear();
    game.legal_actions(&state, &mut actions);
    // Hamburg - North Sea - English Channel - Bay of Biscay - Central Atlantic: four steps; Casablanca would be a fifth.
    for (place, legal) in [
        (sea("central_atlantic"), true),
        (sea("barents_sea"), true),
        (sea("western_mediterranean"), false),
        (at("casablanca"), false),
        (at("danzig"), false),
        (at("rostock"), true),
    ] {
        assert_eq!(actions.contains(&Action::Go(place)), legal, "{}", game.place_name(&state, place));
    }
    game.apply(&mut state, Action::Go(sea("central_atlantic")), &mut context);
    assert_eq!(state.location(boat), sea("central_atlantic"));
    assert_eq!(game.total_stock(&state, Force::Axis), 2);
}
