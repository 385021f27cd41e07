//! Set-up of the scenarios (19), deployment, and hidden information, on the real data.

mod common;

use common::{game, legal, play_until, zone};
use sandtable_blitzwar::editor::Editor;
use sandtable_blitzwar::location::Location;
use sandtable_blitzwar::rules::Weather;
use sandtable_blitzwar::{Action, Country, Event, Force, Kind, Phase, Status};
use sandtable_core::{Game, PlayContext, Rng64, Side, play_out_random};

const SCENARIOS: [&str; 4] = ["campaign-1939", "france-1940", "barbarossa-1941", "turning-point-1943"];

#[test]
fn every_unit_of_every_scenario_has_a_counter_and_room() {
    for name in SCENARIOS {
        let game = game(name);
        assert_eq!(game.check_setup(), Ok(()), "{name}");
        let state = game.initial(&mut PlayContext::silent(Rng64::stream(1, 0, 0)));
        assert_eq!(game.check(&state), Ok(()), "{name}");
    }
}

#[test]
fn the_campaign_opens_with_six_polish_armies_to_place() {
    let game = game("campaign-1939");
    let mut context = PlayContext::silent(Rng64::stream(1, 0, 0));
    let mut state = game.initial(&mut context);
    assert_eq!(state.phase(), Phase::Deployment);
    assert_eq!(state.controller(zone(&game, "lvov")), Some(Force::Allied));
    assert_eq!(state.controller(zone(&game, "rome")), None);
    let (infantry, armour) = game.corps_in(&state, zone(&game, "nancy"), Force::Allied);
    assert_eq!((infantry, armour), (6, 0));
    assert_eq!(state.stack(zone(&game, "koszalin")).count(), 2, "a white counter and one corps (19)");
    let gibraltar = state.stack(zone(&game, "gibraltar")).next().unwrap();
    assert!(state.is_turned(gibraltar));
    let warsaw = zone(&game, "warsaw");
    for placed in 0..6 {
        assert_eq!(game.turn_of(&state), sandtable_core::Turn::Decide(Side(1)));
        let actions = legal(&game, &state);
        // Three counters fill a zone (4).
        assert_eq!(actions.contains(&Action::Deploy(warsaw)), placed < 3);
        let action = if placed < 3 { Action::Deploy(warsaw) } else { actions[0] };
        game.apply(&mut state, action, &mut context);
    }
    assert_eq!(state.phase(), Phase::Cards);
    assert_eq!(game.corps_in(&state, warsaw, Force::Allied), (6, 0));
}

#[test]
fn a_position_after_the_last_turn_is_the_last() {
    let game = game("barbarossa-1941");
    let mut context = PlayContext::silent(Rng64::stream(1, 0, 0));
    let mut editor = Editor::of(&game, game.initial(&mut context));
    let last = game.rules.setup.last_turn;
    editor.turn(last + 3).unwrap();
    let mut state = editor.begin(Phase::NavalMovement, Force::Soviet, &mut context);
    play_until(&game, &mut state, 1, |_| false);
    assert_eq!((state.phase(), state.turn()), (Phase::Over, last + 3));
}

#[test]
fn restricted_counters_wait_at_the_start() {
    let game = game("campaign-1939");
    let state = game.initial(&mut PlayContext::silent(Rng64::stream(1, 0, 0)));
    let locked = |kind: Kind| {
        game.sheet().filter(|&c| game.kind(c) == kind && state.location(c) == Location::LOCKED).count()
    };
    // 8 infantry and 4 white armies, 6 air, 3 supply counters; 2 Elite Armies (11.7, 11.8).
    assert_eq!(
        [Kind::Infantry, Kind::White, Kind::Air, Kind::Supply, Kind::Elite].map(locked),
        [8, 4, 6, 3, 2]
    );
}

#[test]
fn the_usa_fleet_is_the_allies_before_the_usa_is_at_war() {
    let game = game("campaign-1939");
    let america = zone(&game, "america");
    let mut editor = sandtable_blitzwar::editor::Editor::new(&game);
    editor.turn(18).unwrap();
    let mut context = common::scripted(&[]);
    let state = editor.begin(Phase::Diplomacy, Force::Axis, &mut context);
    assert_eq!(state.status(Country::Usa), Status::Neutral);
    let fleet = state.stack(america).next().expect("a fleet");
    assert_eq!((game.kind(fleet), state.strength(fleet)), (Kind::Fleet, 2));
    assert_eq!(game.force(&state, fleet), Some(Force::Allied));
    assert_eq!(state.controller(america), None, "neutral until its country is at war (R-82)");
}

/// After the cards of turn 1 and a few more turns.
fn in_progress(game: &sandtable_blitzwar::BlitzWar, turn: u8, phase: Phase) -> sandtable_blitzwar::State {
    let mut state = game.initial(&mut PlayContext::silent(Rng64::stream(3, 0, 2)));
    play_until(game, &mut state, 5, |state| state.turn() >= turn && state.phase() >= phase);
    state
}

#[test]
fn redrawn_cards_depend_on_nothing_hidden_and_keep_what_is_seen() {
    let game = game("campaign-1939");
    for (turn, phase) in [(1, Phase::NavalMovement), (4, Phase::Cards), (5, Phase::TacticalMovement)] {
        let state = in_progress(&game, turn, phase);
        for viewer in [Side(0), Side(1), Side(2)] {
            let seen = game.observation(&state, viewer);
            let determinizations: Vec<_> =
                (0..20).map(|n| game.determinize(&state, viewer, &mut Rng64::stream(7, n, 0))).collect();
            for (n, determinization) in determinizations.iter().enumerate() {
                assert_eq!(game.observation(determinization, viewer), seen);
                assert_eq!(game.check(determinization), Ok(()));
                assert_eq!(determinization.cards(Force::of(viewer)), state.cards(Force::of(viewer)));
                // From another determinization that looks the same, the same dice give the same state.
                let again = game.determinize(
                    &determinizations[(n + 1) % 20],
                    viewer,
                    &mut Rng64::stream(7, n as u64, 0),
                );
                assert_eq!(game.hash(&again), game.hash(determinization));
            }
            assert!(
                determinizations
                    .iter()
                    .any(|determinization| game.hash(determinization) != game.hash(&state)),
                "something is hidden"
            );
        }
    }
}

/// Ruling R-43: three players hide their cards from each other, two players, of whom one runs both sides, do not.
#[test]
fn friends_see_each_others_cards_if_the_option_says_so() {
    let mut rules = game("campaign-1939").rules;
    for shared in [false, true] {
        rules.options.partners_share_cards = shared;
        let game = sandtable_blitzwar::BlitzWar::new(rules.clone()).unwrap();
        let state = in_progress(&game, 4, Phase::Cards);
        for (viewer, friend) in [(Force::Allied, Force::Soviet), (Force::Soviet, Force::Allied)] {
            let guesses =
                (0..20).map(|n| game.determinize(&state, viewer.side(), &mut Rng64::stream(7, n, 0)));
            let (mut friends, mut foes) = (0, 0);
            for guess in guesses {
                friends += u32::from(guess.cards(friend) != state.cards(friend));
                foes += u32::from(guess.cards(Force::Axis) != state.cards(Force::Axis));
            }
            assert_eq!((friends == 0, foes == 0), (shared, false), "{viewer:?}, shared {shared}");
        }
    }
}

#[test]
fn hidden_cards_are_drawn_uniformly() {
    let game = game("campaign-1939");
    let state = in_progress(&game, 1, Phase::NavalMovement);
    let mut counts = [0u32; 8];
    let mut dice = Rng64::stream(11, 0, 0);
    for _ in 0..8000 {
        let determinization = game.determinize(&state, Side(0), &mut dice);
        let cards = determinization.cards(Force::Allied);
        counts[cards[2].unwrap() as usize] += 1;
        assert!(cards[1] != cards[2] && cards[2] != cards[3] && cards[1] != cards[3]);
    }
    let chi2: f64 = counts.iter().map(|&c| (f64::from(c) - 1e3).powi(2) / 1e3).sum();
    assert!(chi2 < 24.3, "chi-square {chi2} at 7 degrees of freedom");
}

#[test]
fn a_turn_goes_through_the_phases_in_the_order_of_the_rulebook() {
    use Force::{Allied, Axis, Soviet};
    use Phase::*;
    const SIDES: [Force; 3] = [Axis, Allied, Soviet];
    let expected = |first: bool, mud: bool| {
        let mut phases = vec![(Diplomacy, Axis)];
        phases.extend(SIDES.map(|side| (Cards, side)));
        if !first {
            for phase in [Minors, PowerLosses] {
                phases.extend(SIDES.map(|side| (phase, side)));
            }
            phases.push((LendLease, Allied));
            for phase in [Placement, Reorganisation] {
                phases.extend(SIDES.map(|side| (phase, side)));
            }
        }
        for side in SIDES {
            let mut own = vec![NavalMovement, NavalCombat];
            match side {
                Axis => own.push(BattleOfBritain),
                Allied => own.push(Bombing),
                Soviet => {}
            }
            own.extend([TacticalAir, Beachheads, StrategicAir, SeaTransport]);
            own.extend([Fortification, StrategicMovement, TacticalMovement]);
            if !mud {
                own.extend([Blitz, BlitzMove]);
            }
            own.extend([Normal, NormalMove, OutOfSupply, LateAir]);
            phases.extend(own.into_iter().map(|phase| (phase, side)));
        }
        phases
    };
    let game = game("campaign-1939");
    let mut context = PlayContext { dice: Rng64::stream(1, 0, 0), sink: Vec::new() };
    let mut state = game.initial(&mut context);
    play_out_random(&game, &mut state, &mut context, &mut Vec::new());
    let mut turns: Vec<(u8, Vec<(Phase, Force)>)> = Vec::new();
    for event in &context.sink {
        match *event {
            Event::TurnBegins { turn } => turns.push((turn, Vec::new())),
            Event::PhaseBegins { phase, force } if !turns.is_empty() => {
                turns.last_mut().unwrap().1.push((phase, force));
            }
            _ => {}
        }
    }
    let mut kinds = [0; 2];
    for (turn, phases) in &turns[..turns.len() - 1] {
        let mud = game.rules.calendar[usize::from(*turn) - 1].weather == Weather::Mud;
        assert_eq!(*phases, expected(*turn == 1, mud), "turn {turn}");
        kinds[usize::from(mud)] += 1;
    }
    assert!(kinds.iter().all(|&turns| turns > 0), "{kinds:?}");
}
