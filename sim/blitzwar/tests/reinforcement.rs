//! Cards and reinforcements (10, 11), on the real data.

mod common;

use common::{ScriptedContext, game, legal, scripted, zone};
use sandtable_blitzwar::editor::Editor;
use sandtable_blitzwar::location::Location;
use sandtable_blitzwar::{Action, BlitzWar, Country, Event, Force, Kind, Nation, Phase, State, Status};
use sandtable_core::{Game, PlayContext, Rng64};

fn sea(game: &BlitzWar, id: &str) -> Location {
    Location::of_sea(game.sea(id).unwrap_or_else(|| panic!("no sea {id}")))
}

fn begin(
    mut editor: Editor<'_>,
    turn: u8,
    phase: Phase,
    force: Force,
    faces: &[u32],
) -> (State, ScriptedContext) {
    editor.turn(turn).unwrap();
    let mut context = scripted(faces);
    let state = editor.begin(phase, force, &mut context);
    (state, context)
}

fn lost(context: &ScriptedContext, force: Force) -> u8 {
    context
        .sink
        .iter()
        .map(
            |e| if let Event::SupplyLost { force: f, units } = e { units * u8::from(*f == force) } else { 0 },
        )
        .sum()
}

/// D74, D75.
#[test]
fn three_cards_on_turn_one_then_five_to_choose_from() {
    let game = game("campaign-1939");
    let mut context = PlayContext::silent(Rng64::stream(1, 0, 0));
    let mut state = game.initial(&mut context);
    while state.phase() == Phase::Deployment {
        let actions = legal(&game, &state);
        game.apply(&mut state, actions[0], &mut context);
    }
    for _ in Force::ALL {
        for choices in [8, 7, 6] {
            assert_eq!(state.phase(), Phase::Cards);
            let actions = legal(&game, &state);
            assert_eq!(actions.len(), choices);
            game.apply(&mut state, actions[0], &mut context);
        }
    }
    assert_eq!((state.turn(), state.phase()), (1, Phase::NavalMovement));
    let mut editor = Editor::of(&game, state);
    editor.phase(Phase::OutOfSupply, Force::Soviet);
    let (state, _) = begin(editor, 2, Phase::Diplomacy, Force::Axis, &[]);
    assert_eq!(state.cards(Force::Axis), [Some(0), Some(1), Some(2), None]);
    assert_eq!(legal(&game, &state), [3, 4, 5, 6, 7].map(Action::Card));
}

#[test]
fn no_card_is_chosen_for_a_turn_after_the_last() {
    let game = game("campaign-1939");
    let (state, _) = begin(Editor::new(&game), 45, Phase::Cards, Force::Axis, &[]);
    assert_ne!(state.phase(), Phase::Cards);
}

/// D64, D65.
#[test]
fn blockade_costs_by_submarines_up_to_the_points_of_great_britain() {
    let game = game("campaign-1939");
    for (north, central, units) in [(3, 3, 5), (9, 0, 7)] {
        let mut editor = Editor::new(&game);
        editor.supply(Force::Allied, zone(&game, "london"), 20).unwrap();
        editor.ships(Nation::Ger, Kind::Submarine, sea(&game, "north_atlantic"), north).unwrap();
        if central > 0 {
            editor.ships(Nation::Ger, Kind::Submarine, sea(&game, "central_atlantic"), central).unwrap();
        }
        let (_, context) = begin(editor, 5, Phase::PowerLosses, Force::Allied, &[]);
        assert_eq!(lost(&context, Force::Allied), units);
    }
}

/// D67.
#[test]
fn a_corps_given_up_covers_three() {
    let game = game("campaign-1939");
    let mut editor = Editor::new(&game);
    editor.cards(Force::Allied, [Some(0), None, None, None]).unwrap();
    editor.ships(Nation::Ger, Kind::Submarine, sea(&game, "north_atlantic"), 4).unwrap();
    let (mut state, mut context) = begin(editor, 5, Phase::PowerLosses, Force::Allied, &[]);
    assert_eq!(state.queue(Force::Allied).loss, 4);
    let card = &game.rules.decks[1][0];
    game.apply(&mut state, Action::GiveUp(Kind::Infantry), &mut context);
    assert_eq!(
        (state.queue(Force::Allied).loss, state.queue(Force::Allied).infantry),
        (1, card.infantry - 1)
    );
    game.apply(&mut state, Action::PaySupply, &mut context);
    assert_eq!(state.queue(Force::Allied).supply, card.supply - 1);
}

/// D68.
#[test]
fn bombers_cost_three_units_and_are_spent() {
    let game = game("campaign-1939");
    for (turn, units) in [(29, 9), (36, 9), (37, 12)] {
        let mut editor = Editor::new(&game);
        editor.supply(Force::Axis, zone(&game, "berlin"), 12).unwrap();
        editor.supply(Force::Axis, zone(&game, "ruhr"), 12).unwrap();
        editor.air(Nation::Uk, Location::BOMBING_BOX, 3, true).unwrap();
        let (state, context) = begin(editor, turn, Phase::PowerLosses, Force::Axis, &[]);
        assert_eq!(lost(&context, Force::Axis), units, "turn {turn}");
        assert_eq!(state.stack(Location::BOMBING_BOX).count(), 0, "phase 3 is over");
    }
}

/// D66.
#[test]
fn lend_lease_by_the_fleets_in_excess_of_submarines() {
    let game = game("campaign-1939");
    let mut editor = Editor::new(&game);
    editor.turn(22).unwrap();
    editor.cards(Force::Allied, [Some(0), None, None, None]).unwrap();
    let norway = sea(&game, "norwegian_sea");
    editor.ships(Nation::Uk, Kind::Fleet, norway, 5).unwrap();
    editor.ships(Nation::Ger, Kind::Submarine, norway, 2).unwrap();
    editor.control(zone(&game, "minsk"), Some(Force::Axis)).unwrap();
    editor.corps(Nation::Ger, zone(&game, "minsk"), 1, 0, false).unwrap();
    let air = game
        .rules
        .counter_types
        .iter()
        .position(|t| t.nation == Nation::Ussr && t.kind == Kind::Air)
        .unwrap();
    editor.release(air as u8).unwrap();
    let (mut state, mut context) = begin(editor, 22, Phase::PowerLosses, Force::Allied, &[]);
    assert_eq!(state.phase(), Phase::LendLease);
    let (lend_air, lend_supply) = (Action::Lend(Kind::Air), Action::Lend(Kind::Supply));
    assert_eq!(legal(&game, &state), [Action::Pass, lend_air, lend_supply]);
    let mut three = state.clone();
    for _ in 0..3 {
        game.apply(&mut three, lend_supply, &mut context);
    }
    assert_ne!(three.phase(), Phase::LendLease);
    assert_eq!(three.queue(Force::Soviet).supply, 6);
    game.apply(&mut state, lend_air, &mut context);
    assert_eq!(legal(&game, &state), [Action::Pass, lend_supply]);
    game.apply(&mut state, lend_supply, &mut context);
    assert_eq!((state.queue(Force::Soviet).air, state.queue(Force::Soviet).supply), (1, 2));
}

/// D77: twelve corps three turns after the attack.
#[test]
fn the_special_reinforcements_come_once() {
    let game = game("campaign-1939");
    for (turn, corps) in [(18, 0), (19, 12), (20, 0)] {
        let mut editor = Editor::new(&game);
        editor.timers().east_attack = 16;
        let (state, _) = begin(editor, turn, Phase::PowerLosses, Force::Soviet, &[]);
        assert_eq!(state.queue(Force::Soviet).infantry, corps, "turn {turn}");
    }
}

/// D78.
#[test]
fn partisans_rise_three_seasons_after_the_surrender() {
    let game = game("campaign-1939");
    let start = |turn: u8, faces: &[u32]| {
        let mut editor = Editor::new(&game);
        editor.surrendered(Country::Yug, 15, Force::Allied);
        editor.timers().yugoslav_surrender = 15;
        for zone in *game.home(Country::Yug) {
            editor.control(zone, Some(Force::Axis)).unwrap();
        }
        editor.status(Country::Fra, Status::Surrendered);
        begin(editor, turn, Phase::Minors, Force::Allied, faces)
    };
    for (turn, die, corps) in [(20, 2, 0), (20, 3, 1), (22, 6, 2)] {
        let (mut state, mut context) = start(turn, &[die]);
        assert_eq!((context.dice.left(), context.dice.check()), (0, Ok(())));
        if corps == 0 {
            continue;
        }
        let place = zone(&game, "sarajevo");
        game.apply(
            &mut state,
            Action::Place { nation: Nation::Yug, kind: Kind::Infantry, place },
            &mut context,
        );
        assert_eq!(game.corps_in(&state, place, Force::Allied), (corps, 0));
        assert_eq!(state.controller(place), Some(Force::Allied));
    }
    let (_, context) = start(18, &[6]);
    assert_eq!(context.dice.left(), 1, "no roll on turn 18");
}

/// D80.
#[test]
fn development_frees_air_only_with_a_card_that_has_air() {
    let game = game("campaign-1939");
    for (card, air) in [(0, false), (3, true)] {
        let mut editor = Editor::new(&game);
        editor.cards(Force::Soviet, [Some(card), None, None, None]).unwrap();
        let (state, _) = begin(editor, 5, Phase::PowerLosses, Force::Soviet, &[]);
        // No Allied and no Axis card: the next decision is the Soviet release.
        assert_eq!((state.phase(), state.active()), (Phase::Placement, Force::Soviet));
        let kinds: Vec<Kind> = legal(&game, &state)
            .into_iter()
            .filter_map(|a| {
                if let Action::Release(t) = a {
                    Some(game.rules.counter_types[t as usize].kind)
                } else {
                    None
                }
            })
            .collect();
        assert!(kinds.contains(&Kind::Infantry) && kinds.contains(&Kind::Supply));
        assert_eq!(kinds.contains(&Kind::Air), air);
    }
}

/// D79.
#[test]
fn british_three_corps_counters_wait_for_1942() {
    let game = game("campaign-1939");
    for (turn, counters) in [(19, 2), (20, 1)] {
        let mut editor = Editor::new(&game);
        editor.turn(turn).unwrap();
        let at = zone(&game, "london");
        let three = editor.corps(Nation::Uk, at, 3, 0, false);
        assert_eq!(three.is_ok(), counters == 1, "turn {turn}");
    }
}

#[test]
fn british_corps_of_a_total_war_card_are_one() {
    let game = game("campaign-1939");
    let mut editor = Editor::new(&game);
    editor.activate(Country::Usa, Force::Allied);
    editor.cards(Force::Allied, [Some(8), None, None, None]).unwrap();
    let (mut state, mut context) = begin(editor, 24, Phase::PowerLosses, Force::Allied, &[]);
    assert_eq!((state.phase(), state.active()), (Phase::Placement, Force::Allied));
    let british = |state: &State| {
        legal(&game, state)
            .into_iter()
            .find(|a| matches!(a, Action::Place { nation: Nation::Uk, kind, .. } if kind.is_corps()))
    };
    let first = british(&state).expect("one British corps");
    game.apply(&mut state, first, &mut context);
    while matches!(legal(&game, &state)[0], Action::Place { kind, .. } if kind.is_corps()) {
        assert_eq!(british(&state), None);
        let action = legal(&game, &state)[0];
        game.apply(&mut state, action, &mut context);
    }
}

/// Units that a side is told to have no place for, by kind.
fn unplaced(context: &ScriptedContext, side: Force) -> Vec<(Kind, u8)> {
    let of = |event: &Event| match *event {
        Event::Unplaced { force, kind, units } if force == side => Some((kind, units)),
        _ => None,
    };
    context.sink.iter().filter_map(of).collect()
}

/// Supply of the Soviets that has come in, in half units.
fn supply_come(context: &ScriptedContext) -> u8 {
    let of = |event: &Event| match *event {
        Event::Reinforced { nation: Nation::Ussr, kind: Kind::Supply, units, .. } => units,
        _ => 0,
    };
    context.sink.iter().map(of).sum()
}

/// 11.5.
#[test]
fn what_a_card_brings_without_a_supply_zone_is_lost_and_told() {
    let game = game("campaign-1939");
    let mut editor = Editor::new(&game);
    for zone in *game.supply_zones(Force::Soviet) {
        editor.control(zone, None).unwrap();
    }
    // Two infantry corps, an armoured one, which comes as infantry, no ships, and supply.
    editor.cards(Force::Soviet, [Some(5), None, None, None]).unwrap();
    let (_, context) = begin(editor, 5, Phase::PowerLosses, Force::Soviet, &[]);
    assert_eq!(unplaced(&context, Force::Soviet), [(Kind::Infantry, 3), (Kind::Supply, 16)]);
    let (_, context) = begin(Editor::new(&game), 5, Phase::PowerLosses, Force::Soviet, &[]);
    assert_eq!(unplaced(&context, Force::Soviet), [], "no card");
}

/// 11.5.
#[test]
fn supply_for_which_the_counters_do_not_suffice_is_lost_and_told() {
    let game = game("campaign-1939");
    let mut editor = Editor::new(&game);
    editor.cards(Force::Soviet, [Some(6), None, None, None]).unwrap();
    // Counters of supply lie everywhere; those in Moscow have room for one half unit.
    let (moscow, sources) = (zone(&game, "moscow"), game.supply_zones(Force::Soviet));
    editor.supply(Force::Soviet, moscow, 3).unwrap();
    let zones = game.rules.every_zone().filter(|&zone| !sources.contains(zone));
    let spent = zones.take_while(|&zone| editor.supply(Force::Soviet, zone, 1).is_ok()).count();
    assert!(spent > 3);
    let (mut state, mut context) = begin(editor, 5, Phase::PowerLosses, Force::Soviet, &[]);
    while state.phase() == Phase::Placement {
        let actions = legal(&game, &state);
        game.apply(&mut state, actions[0], &mut context);
    }
    let lost: u8 = unplaced(&context, Force::Soviet).iter().map(|&(_, halves)| halves).sum();
    assert_eq!((supply_come(&context), lost), (1, 23), "{:?}", unplaced(&context, Force::Soviet));
}

/// 11.5, 11.10.
#[test]
fn air_for_which_nobody_leaves_a_mission_is_lost_and_told() {
    let game = game("campaign-1939");
    let mut editor = Editor::new(&game);
    editor.cards(Force::Axis, [Some(0), None, None, None]).unwrap();
    let berlin = zone(&game, "berlin");
    while editor.air(Nation::Ger, berlin, 1, true).is_ok() {}
    let (mut state, mut context) = begin(editor, 5, Phase::PowerLosses, Force::Axis, &[]);
    while state.phase() == Phase::Placement && state.active() == Force::Axis {
        let actions = legal(&game, &state);
        let spare = actions.iter().any(|action| matches!(action, Action::Discard(_)));
        assert!(unplaced(&context, Force::Axis).is_empty());
        game.apply(&mut state, actions[0], &mut context);
        if spare {
            assert_eq!(actions[0], Action::Pass);
            break;
        }
    }
    assert_eq!(unplaced(&context, Force::Axis), [(Kind::Air, 2)]);
}
