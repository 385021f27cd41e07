//! Cards, command, events, the opening position and free deployment (3, 12.0, 14).

mod common;

use common::{SCENARIOS, card, game, game_of_three, legal, place, rules, sampled, scripted, unit};
use sandtable_core::{Dice, Game, Index, PlayContext, Rng64, Side, Turn};
use sandtable_victory_in_europe::draws::{Draws, Order};
use sandtable_victory_in_europe::editor::Editor;
use sandtable_victory_in_europe::place::NO_INDEX;
use sandtable_victory_in_europe::rules::{Effect, Entry, Standing, Target};
use sandtable_victory_in_europe::state::HAND;
use sandtable_victory_in_europe::{
    Action, Event, Force, Nation, Pending, Phase, Place, State, Team, UnitId, VictoryInEurope,
};

/// A state in which the Axis lays one card and the Allies another, played to the decision after their reveal.
fn lay(game: &VictoryInEurope, edit: impl FnOnce(&mut Editor), axis: &str, allied: &str) -> State {
    let mut editor = Editor::new(game);
    edit(&mut editor);
    let (axis, allied) = (card(game, axis), card(game, allied));
    let cards = &mut editor.state_mut().cards;
    let other = |year_card: u8| if year_card == 0 { 1 } else { year_card - 1 };
    cards.hand[0] = sorted([axis, other(axis)]);
    cards.hand[1] = sorted([allied, other(allied)]);
    let mut context = sampled(1);
    let mut state = editor.begin(Phase::Cards, Team::Axis, &mut context);
    game.apply(&mut state, Action::Card(axis), &mut context);
    assert_eq!(state.cards.laid[1], NO_INDEX);
    game.apply(&mut state, Action::Card(allied), &mut context);
    state
}

fn sorted(cards: [u8; 2]) -> [u8; HAND] {
    let mut hand = [cards[0], cards[1], NO_INDEX, NO_INDEX];
    hand.sort_unstable();
    hand
}

#[test]
fn every_set_up_keeps_the_invariants() {
    for name in SCENARIOS {
        let game = game(name);
        let state = Editor::new(&game).finish();
        game.check_invariants(&state).unwrap_or_else(|error| panic!("{name}: {error}"));
        for &(unit, place, coast, steps) in &game.rules.setup.units {
            assert_eq!(
                (state.location(unit), state.coast(unit), state.steps(unit)),
                (place, coast, steps),
                "{name}"
            );
        }
        let factories: u32 = game.rules.setup.factories.iter().map(|&(_, steps)| u32::from(steps)).sum();
        let there: u32 = game.areas().iter().map(|area| u32::from(state.factory(area))).sum();
        assert!(factories > 0 && factories == there, "{name}");
        assert!(
            game.rules
                .setup
                .gone
                .iter()
                .all(|&unit| !state.is_on_map(unit) && state.location(unit) != Place::POOL)
        );
    }
}

/// A scenario with its set-up as it is written.
fn deployed(scenario: &str, three_players: bool) -> VictoryInEurope {
    let mut rules = rules(scenario);
    (rules.options.free_deployment, rules.options.three_players) = (false, three_players);
    VictoryInEurope::new(rules).expect("rules")
}

#[test]
fn hands_by_scenario() {
    for (name, hand) in SCENARIOS.into_iter().zip([2, 3, 3, 2, 3]) {
        let game = deployed(name, false);
        let state = game.initial(&mut sampled(3));
        assert_eq!(state.phase, Phase::Cards);
        assert_eq!(Force::ALL.map(|force| state.cards.count(force)), [hand, hand, 0], "{name}");
        let year = game.calendar(&state).year;
        for force in [Force::Axis, Force::Western] {
            for &held in state.cards.hand[force.index()].iter().filter(|&&held| held != NO_INDEX) {
                let sheet = &game.rules.cards[held as usize];
                assert_eq!((sheet.year, sheet.colour.force().team()), (year, force.team()));
            }
        }
        assert_eq!(legal(&game, &state).len(), hand);
    }
}

#[test]
fn hands_of_three_players() {
    for (name, hands) in SCENARIOS.into_iter().zip([[1, 1], [1, 2], [1, 2], [1, 1], [2, 1]]) {
        let game = deployed(name, true);
        let state = game.initial(&mut sampled(5));
        let count = |force| state.cards.count(force);
        assert_eq!([count(Force::Western), count(Force::Soviet)], hands, "{name}");
    }
}

#[test]
fn a_full_year_deals_four_cards_and_two_each_of_three() {
    for (game, hands) in [(game("campaign-1939"), [4, 4, 0]), (game_of_three("campaign-1939"), [4, 2, 2])] {
        let state = Editor::new(&game).turn(3).begin_turn(&mut sampled(8));
        assert_eq!(Force::ALL.map(|force| state.cards.count(force)), hands);
        let later = Editor::of(&game, state.clone()).turn(4).begin_turn(&mut sampled(8));
        assert_eq!(later.cards.hand, state.cards.hand, "a spring turn deals nothing");
    }
}

#[test]
fn three_players_trade_for_their_own_colour() {
    let game = game_of_three("campaign-1939");
    for seed in 0..20 {
        let state = Editor::new(&game).turn(3).begin_turn(&mut sampled(seed));
        let foreign = |force: Force| {
            state.cards.hand[force.index()]
                .iter()
                .filter(|&&held| held != NO_INDEX && game.rules.cards[held as usize].colour.force() != force)
                .count()
        };
        // Only one of them can be left with a card of the other's colour.
        assert!(foreign(Force::Western) == 0 || foreign(Force::Soviet) == 0);
    }
}

#[test]
fn three_players_lay_in_turn_and_the_colour_leads() {
    let game = game_of_three("barbarossa-1941");
    let mut context = sampled(2);
    let mut state = game.initial(&mut context);
    let mut layers = Vec::new();
    let mut choice = Rng64::stream(7, 0, 0);
    while state.turn < 11 && game.turn_of(&state) != Turn::Over {
        let actions = legal(&game, &state);
        if state.phase == Phase::Cards && state.mover == Team::Allies {
            layers.push(game.decider(&state));
        }
        // The last card of a hand is forced and not asked for.
        if state.phase == Phase::Movement && state.mover == Team::Allies && state.cards.laid[2] != NO_INDEX {
            let colour = game.rules.cards[state.cards.laid[2] as usize].colour;
            assert!(state.movers == colour.force().bit() || state.movers == 0b110 & !colour.force().bit());
        }
        game.apply(&mut state, actions[choice.below(actions.len() as u32) as usize], &mut context);
    }
    assert_eq!(layers, [Force::Soviet], "two Soviet cards against one: the Soviets lay first");
    assert_eq!(state.cards.spent.count_ones(), 6);
}

#[test]
fn e09_before_the_split_command_is_one_purse() {
    let game = game("campaign-1939");
    // "Winter War" is red, 3 command points.
    let state = lay(&game, |_| {}, "ax39-1", "al39-2");
    assert_eq!(state.command, [4, 3, 0]);
    assert_eq!((state.command_of(Force::Western), state.command_of(Force::Soviet)), (3, 3));
}

#[test]
fn e10_after_the_soviet_entry_it_is_split() {
    let game = game("campaign-1939");
    let at_war = |editor: &mut Editor| {
        editor.entry(Nation::Ussr, Entry::AtWar);
    };
    let state = lay(&game, at_war, "ax39-1", "al39-2");
    assert_eq!(state.command, [4, 1, 2], "red 3: Soviets 2, Allies 1");
    assert_eq!((state.command_of(Force::Western), state.command_of(Force::Soviet)), (1, 2));
    let state = lay(&game, at_war, "ax39-1", "al39-1");
    assert_eq!(state.command, [4, 2, 2]);
    // In the turn of the entry itself it is not yet.
    let entered_now = |editor: &mut Editor| {
        editor.entry(Nation::Ussr, Entry::AtWar);
        editor.state_mut().politics.soviet_entry = 1;
    };
    assert_eq!(lay(&game, entered_now, "ax39-1", "al39-2").command, [4, 3, 0]);
}

#[test]
fn a_point_beyond_the_cards_is_in_the_common_purse_before_the_split() {
    //
    let mut rules = rules("campaign-1939");
    rules.setup.handicap[Force::Western.index()].command = 1;
    let game = VictoryInEurope::new(rules).expect("rules");
    assert_eq!(lay(&game, |_| {}, "ax39-1", "al39-2").command, [4, 4, 0]);
}

#[test]
fn e11_ties_go_to_the_axis() {
    let game = game("campaign-1939");
    for (axis, allied, first) in [
        ("ax39-2", "al39-2", Team::Axis),
        ("ax39-6", "al39-2", Team::Allies),
        ("ax39-1", "al39-2", Team::Axis),
    ] {
        assert_eq!(lay(&game, |_| {}, axis, allied).first, first, "{axis} {allied}");
    }
}

#[test]
fn laid_cards_are_hidden_until_both_lie() {
    let game = game("campaign-1939");
    let mut context = sampled(4);
    let state = game.initial(&mut context);
    let cards = legal(&game, &state);
    let (mut one, mut other) = (state.clone(), state);
    game.apply(&mut one, cards[0], &mut context);
    game.apply(&mut other, cards[1], &mut context);
    assert_ne!(one.cards.laid, other.cards.laid);
    assert_eq!(game.observation(&one, Side(1)), game.observation(&other, Side(1)));
    assert_eq!(one.cards.count(Force::Axis), 1, "a laid card has left the hand");
    assert_eq!(one.cards.spent, 0);
}

#[test]
fn all_cards_of_a_year_are_played_in_four_turns() {
    let game = game("stalingrad-1942");
    let mut context = sampled(11);
    let mut state = game.initial(&mut context);
    let mut choice = Rng64::stream(12, 0, 0);
    while state.turn < 15 && game.turn_of(&state) != Turn::Over {
        let actions = legal(&game, &state);
        game.apply(&mut state, actions[choice.below(actions.len() as u32) as usize], &mut context);
    }
    let shown: Vec<_> = context
        .sink
        .iter()
        .filter_map(|fact| match fact {
            Event::Cards { played, .. } => Some(*played),
            _ => None,
        })
        .collect();
    assert_eq!(shown.len(), 3);
    assert!(
        shown.iter().all(|played| played[0] != NO_INDEX && played[1] != NO_INDEX && played[2] == NO_INDEX)
    );
    assert_eq!(state.cards.spent.count_ones(), 6);
    assert_eq!(state.cards.laid, [NO_INDEX; 3]);
    assert_eq!(Force::ALL.map(|force| state.cards.count(force)), [4, 4, 0]);
}

// ---- events ----

/// A position of the scenario with the map cleared, cards laid open, in the naming of battles.
fn naming<'a>(game: &'a VictoryInEurope, axis: &str, allied: (Force, &str)) -> Editor<'a> {
    let mut editor = Editor::new(game);
    editor.clear().card(Force::Axis, axis).card(allied.0, allied.1).first(Team::Axis);
    editor.state_mut().phase = Phase::NamingBattles;
    editor
}

fn attack(editor: &mut Editor, game: &VictoryInEurope, team: Team, area: &str) {
    let area = place(game, area);
    editor.state_mut().attacked[team.index()].insert(area);
}

#[test]
fn e13_minors_gain_with_a_major_and_named_nations_alone() {
    let game = game("barbarossa-1941");
    // "Infantry assault": Axis infantry +1 in one battle.
    let mut editor = naming(&game, "ax41-3", (Force::Western, "al41-7"));
    editor.turn(8).place("hun_inf_1a", "kiev", 2).place("hun_inf_2a", "kiev", 2);
    attack(&mut editor, &game, Team::Axis, "kiev");
    let mut context = scripted(&[]);
    let alone = editor.begin(Phase::NamingBattles, Team::Axis, &mut context);
    assert!(alone.phase != Phase::NamingBattles, "Hungarians alone gain nothing: nothing to name");
    editor.place("ger_inf_1a", "kiev", 2).place("ger_pz_1a", "kiev", 2);
    let mut state = editor.begin(Phase::NamingBattles, Team::Axis, &mut context);
    let kiev = place(&game, "kiev");
    assert_eq!(legal(&game, &state), [Action::Pass, Action::Name(kiev)]);
    let bonus = |state: &State, id: &str| {
        game.event_firepower(state, kiev, unit(&game, id), Team::Axis, false, Target::Army)
    };
    assert_eq!(bonus(&state, "ger_inf_1a"), 0, "not yet named");
    state.cards.named[0][0] = kiev;
    assert_eq!(
        ["hun_inf_1a", "hun_inf_2a", "ger_inf_1a", "ger_pz_1a"].map(|id| bonus(&state, id)),
        [1, 1, 1, 0]
    );
    let elsewhere = place(&game, "minsk");
    let german = unit(&game, "ger_inf_1a");
    assert_eq!(game.event_firepower(&state, elsewhere, german, Team::Axis, false, Target::Army), 0);
    // A German card does not help Italians.
    let mut editor = Editor::of(&game, state);
    editor.place("ita_inf_8a", "kiev", 2);
    assert_eq!(bonus(&editor.finish(), "ita_inf_8a"), 0);
}

#[test]
fn e13_an_event_of_one_country_helps_that_country_alone() {
    let game = game("bagration-1944");
    // "Pursuit": US armies +1 movement.
    let mut editor = Editor::new(&game);
    editor.clear().turn(24).card(Force::Western, "al45-7");
    editor.place("us_inf_1a", "paris", 2).place("gb_inf_bef", "paris", 2).place("us_fa_p51", "paris", 2);
    editor.state_mut().phase = Phase::Movement;
    let state = editor.finish();
    assert_eq!(
        ["us_inf_1a", "gb_inf_bef", "us_fa_p51"].map(|id| game.event_moves(&state, unit(&game, id))),
        [1, 0, 0]
    );
    // Not in winter.
    let state = editor.turn(23).finish();
    assert_eq!(game.event_moves(&state, unit(&game, "us_inf_1a")), 0);
}

#[test]
fn e14_player_one_names_first_and_player_two_may_name_the_same() {
    let game = game("barbarossa-1941");
    // "Cauldron battle" and "Crusader": a round more; the second for a battle with British units.
    let mut editor = naming(&game, "ax41-2", (Force::Western, "al41-1"));
    for (ours, theirs, at) in [("ger_inf_1a", "su_inf4_1", "minsk"), ("ger_dak", "gb_inf_8a", "benghazi")] {
        editor.place(ours, at, 2).place(theirs, at, 2);
        attack(&mut editor, &game, Team::Axis, at);
    }
    let mut context = sampled(1);
    let mut state = editor.begin(Phase::NamingBattles, Team::Axis, &mut context);
    let (minsk, benghazi) = (place(&game, "minsk"), place(&game, "benghazi"));
    let mut both = [Action::Name(minsk), Action::Name(benghazi)];
    both.sort_unstable();
    assert_eq!(legal(&game, &state), [Action::Pass, both[0], both[1]]);
    assert_eq!(game.decider(&state), Force::Axis);
    game.apply(&mut state, Action::Name(benghazi), &mut context);
    assert_eq!((state.phase, state.mover), (Phase::NamingBattles, Team::Allies));
    assert_eq!(legal(&game, &state), [Action::Pass, Action::Name(benghazi)], "no British unit at Minsk");
    assert_eq!([minsk, benghazi].map(|at| game.event_rounds(&state, at)), [0, 1]);
    let mut named = state.clone();
    named.cards.named[1][0] = benghazi;
    assert_eq!(game.event_rounds(&named, benghazi), 2);
}

#[test]
fn naming_may_be_declined() {
    let game = game("barbarossa-1941");
    let mut editor = naming(&game, "ax41-2", (Force::Western, "al41-7"));
    editor.place("ger_inf_1a", "minsk", 2).place("su_inf4_1", "minsk", 2);
    attack(&mut editor, &game, Team::Axis, "minsk");
    let mut context = sampled(1);
    let mut state = editor.begin(Phase::NamingBattles, Team::Axis, &mut context);
    game.apply(&mut state, Action::Pass, &mut context);
    assert_ne!(state.phase, Phase::NamingBattles);
    assert_eq!(state.cards.named[0], [Place::NONE; 2]);
}

#[test]
fn defence_terrain_target_and_flak() {
    // "Gustav Line": Axis infantry +1, defending.
    let game = game("bagration-1944");
    let mut editor = naming(&game, "ax44-3", (Force::Western, "al44-3"));
    editor.place("ger_inf_1a", "rome", 2).place("us_inf_1a", "rome", 2).place("ger_inf_2a", "naples", 2);
    editor.place("gb_inf_bef", "naples", 2);
    attack(&mut editor, &game, Team::Allies, "rome");
    attack(&mut editor, &game, Team::Axis, "naples");
    let state = editor.begin(Phase::NamingBattles, Team::Axis, &mut scripted(&[]));
    let rome = place(&game, "rome");
    assert_eq!(legal(&game, &state), [Action::Pass, Action::Name(rome)], "only where the Axis defends");
    let mut state = state;
    state.cards.named[0][0] = rome;
    let german = unit(&game, "ger_inf_1a");
    let bonus = |defending| game.event_firepower(&state, rome, german, Team::Axis, defending, Target::Army);
    assert_eq!((bonus(true), bonus(false)), (1, 0));

    // "Alpine redoubt": in mountains alone.
    let mut editor = naming(&game, "ax45-7", (Force::Western, "al44-3"));
    editor.place("ger_inf_1a", "rome", 2).place("ger_inf_2a", "florence", 2);
    editor.state_mut().cards.named[0] = [rome, place(&game, "florence")];
    let state = editor.finish();
    let bonus = |id: &str, at: &str| {
        game.event_firepower(&state, place(&game, at), unit(&game, id), Team::Axis, true, Target::Army)
    };
    assert_eq!((bonus("ger_inf_1a", "rome"), bonus("ger_inf_2a", "florence")), (0, 1));

    // "Escort groups": against submarines alone. "Night fighters": flak too.
    let mut editor = naming(&game, "ax43-6", (Force::Western, "al43-6"));
    let berlin = place(&game, "berlin");
    editor.place("gb_ca_1", "convoy_c", 2).place("ger_fa_me109_1", "berlin", 2);
    let zone = place(&game, "convoy_c");
    editor.state_mut().cards.named = [[berlin, Place::NONE], [zone, Place::NONE], [Place::NONE; 2]];
    let state = editor.finish();
    let cruiser =
        |target| game.event_firepower(&state, zone, unit(&game, "gb_ca_1"), Team::Allies, false, target);
    assert_eq!((cruiser(Target::Sub), cruiser(Target::Surface)), (1, 0));
    let fighter = unit(&game, "ger_fa_me109_1");
    let air = |unit, team| game.event_firepower(&state, berlin, unit, team, true, Target::Air);
    assert_eq!(
        (air(fighter, Team::Axis), air(UnitId::NONE, Team::Axis), air(UnitId::NONE, Team::Allies)),
        (1, 1, 0)
    );
}

#[test]
fn e12_siberian_troops_leave_the_urals() {
    let game = game("barbarossa-1941");
    let mut editor = Editor::new(&game);
    editor.card(Force::Soviet, "al41-6");
    editor.state_mut().phase = Phase::Movement;
    let mut state = editor.finish();
    let (shock, zhukov, other) =
        (unit(&game, "su_shock_1"), unit(&game, "su_ldr_zhukov"), unit(&game, "su_inf4_1"));
    assert_eq!([shock, zhukov, other].map(|unit| game.may_leave_urals(&state, unit)), [true, true, false]);
    assert_eq!([shock, zhukov, other].map(|unit| game.free_moves(&state, Force::Soviet, unit)), [2, 2, 0]);
    state.cards.taken[2] = 1;
    assert_eq!(game.free_moves(&state, Force::Soviet, zhukov), 1);
    state.phase = Phase::Cards;
    assert!(!game.may_leave_urals(&state, shock), "a card that lies face down does nothing");
}

#[test]
fn movement_events() {
    let game = game("barbarossa-1941");
    let with = |force: Force, id: &str| {
        let mut editor = Editor::new(&game);
        editor.card(force, id);
        editor.state_mut().phase = Phase::Movement;
        editor.finish()
    };
    let (smolensk, berlin) = (place(&game, "smolensk"), place(&game, "berlin"));
    let mud = with(Force::Soviet, "al41-5");
    assert!(game.is_muddy(&mud, Team::Axis, smolensk));
    assert!(!game.is_muddy(&mud, Team::Axis, berlin) && !game.is_muddy(&mud, Team::Allies, smolensk));
    let free = with(Force::Axis, "ax41-1");
    let german = unit(&game, "ger_pz_1a");
    assert_eq!(game.free_moves(&free, Force::Axis, german), 2);
    assert_eq!(game.free_moves(&free, Force::Axis, UnitId::NONE), 0, "of units, not of factories");
    assert_eq!(game.free_moves(&free, Force::Axis, unit(&game, "ita_inf_1a")), 0, "a German event");
    assert_eq!(game.free_moves(&free, Force::Soviet, unit(&game, "su_inf4_1")), 0);
    let factories = with(Force::Soviet, "al42-8");
    assert_eq!(game.free_moves(&factories, Force::Soviet, UnitId::NONE), 2);
    let panzer = with(Force::Axis, "ax42-1");
    assert_eq!(
        (game.event_moves(&panzer, german), game.event_moves(&panzer, unit(&game, "ger_inf_1a"))),
        (1, 0)
    );
    let torch = with(Force::Western, "al42-1");
    assert_eq!(Force::ALL.map(|force| game.invasion_discount(&torch, force)), [0, 1, 0]);
}

#[test]
fn losses_fall_on_the_strongest_and_the_owner_breaks_ties() {
    let game = game("barbarossa-1941");
    // "Frogmen at Alexandria": one step of a capital ship at Alexandria, in the Eastern Mediterranean, or Gibraltar.
    let mut editor = Editor::new(&game);
    editor.clear().card(Force::Axis, "ax41-7").first(Team::Axis);
    editor.place("gb_bb_nelson", "alexandria", 3).place("gb_bb_kgv", "eastern_mediterranean", 3);
    editor.place("gb_bc_hood", "gibraltar", 2).place("gb_cv_ark_royal", "scapa_flow", 3);
    editor.state_mut().phase = Phase::Combat;
    editor.state_mut().movers = 1;
    let mut context = scripted(&[]);
    let state = editor.lose_to_events(&mut context).finish();
    assert_eq!((state.pending, game.decider(&state)), (Pending::Loss(1), Force::Western));
    let (nelson, kgv) = (unit(&game, "gb_bb_nelson"), unit(&game, "gb_bb_kgv"));
    // With a clear strongest ship there is nothing to ask.
    editor = Editor::of(&game, editor.state().clone());
    editor.place("gb_bb_kgv", "eastern_mediterranean", 4);
    let state = editor.lose_to_events(&mut context).finish();
    assert_eq!((state.pending, state.active), (Pending::None, 1));
    assert_eq!([nelson, kgv].map(|unit| state.steps(unit)), [3, 3]);
    assert_eq!(context.sink.len(), 1);
    // It happens once.
    let again = Editor::of(&game, state.clone()).lose_to_events(&mut context).finish();
    assert_eq!(again, state);
}

#[test]
fn last_steps_of_armies_and_convoys_are_safe_from_events() {
    let game = game("barbarossa-1941");
    let lost = |axis: &str, allied: (Force, &str), unit_id: &str, at: &str, steps: u8| {
        let mut editor = Editor::new(&game);
        editor.clear().card(Force::Axis, axis).card(allied.0, allied.1).place(unit_id, at, steps);
        editor.entry(Nation::Ussr, Entry::AtWar);
        editor.state_mut().phase = Phase::Combat;
        let state = editor.lose_to_events(&mut scripted(&[])).finish();
        steps - state.steps(unit(&game, unit_id))
    };
    let quiet = (Force::Western, "al41-7");
    // "Happy Time": a convoy; "Scorched earth": a panzer in Soviet home territory.
    assert_eq!(lost("ax41-6", quiet, "convoy_c", "convoy_c", 2), 1);
    assert_eq!(lost("ax41-6", quiet, "convoy_c", "convoy_c", 1), 0);
    let scorched = (Force::Soviet, "al41-2");
    assert_eq!(lost("ax41-4", scorched, "ger_pz_1a", "minsk", 2), 1);
    assert_eq!(lost("ax41-4", scorched, "ger_pz_1a", "minsk", 1), 0);
    assert_eq!(lost("ax41-4", scorched, "ger_pz_1a", "warsaw", 2), 0);
    // A ship may sink.
    assert_eq!(lost("ax41-7", quiet, "gb_bb_nelson", "gibraltar", 1), 1);
}

#[test]
fn events_cost_those_at_war_alone() {
    let lost = |scenario: &str, card: (Force, &str), enters: Option<Nation>, unit_id: &str, at: &str| {
        let game = game(scenario);
        let mut editor = Editor::new(&game);
        editor.clear().card(card.0, card.1).place(unit_id, at, 2);
        if let Some(nation) = enters {
            editor.entry(nation, Entry::AtWar);
        }
        editor.state_mut().phase = Phase::Combat;
        let state = editor.lose_to_events(&mut scripted(&[])).finish();
        2 - state.steps(unit(&game, unit_id))
    };
    // "Taranto raid", and Italy neutral or not.
    let taranto = |enters| lost("campaign-1939", (Force::Western, "al40-2"), enters, "ita_bb", "taranto");
    assert_eq!((taranto(None), taranto(Some(Nation::Italy))), (0, 1));
    // "Frogmen at Alexandria": a neutral Italy sends none.
    let frogmen =
        |enters| lost("campaign-1939", (Force::Axis, "ax41-7"), enters, "gb_bb_nelson", "alexandria");
    assert_eq!((frogmen(None), frogmen(Some(Nation::Italy))), (0, 1));
    let surrendered = {
        let game = game("stalingrad-1942");
        let mut editor = Editor::new(&game);
        editor.clear().card(Force::Axis, "ax41-7").place("gb_bb_nelson", "alexandria", 2);
        editor.entry(Nation::Italy, Entry::Surrendered).standing(
            Nation::Italy,
            Standing::Gone,
            Nation::Britain,
        );
        editor.state_mut().phase = Phase::Combat;
        2 - editor.lose_to_events(&mut scripted(&[])).finish().steps(unit(&game, "gb_bb_nelson"))
    };
    assert_eq!(surrendered, 0, "nor does one that has given up");
    // "Scorched earth", before the German war and in it.
    let scorched = |enters| lost("barbarossa-1941", (Force::Soviet, "al41-2"), enters, "ger_pz_1a", "minsk");
    assert_eq!((scorched(None), scorched(Some(Nation::Ussr))), (0, 1));
}

#[test]
fn v_weapons_hit_the_factory_of_london() {
    let game = game("bagration-1944");
    let mut editor = Editor::new(&game);
    editor.card(Force::Axis, "ax44-5").factory("london", 2);
    editor.state_mut().phase = Phase::Combat;
    let state = editor.lose_to_events(&mut scripted(&[])).finish();
    assert_eq!(state.factory(place(&game, "london")), 1);
}

#[test]
fn supply_events_name_areas() {
    let game = game("bagration-1944");
    // "Partisans": an area of the East without enemy armies through which no supply passes.
    let mut editor = Editor::new(&game);
    editor.clear().card(Force::Axis, "ax44-2").card(Force::Soviet, "al44-8").first(Team::Allies);
    editor.place("ger_inf_1a", "riga", 2);
    let mut context = sampled(1);
    let mut state = editor.begin(Phase::NamingBattles, Team::Allies, &mut context);
    let names = |state: &State| {
        legal(&game, state)
            .into_iter()
            .map(|action| match action {
                Action::Name(area) => game.rules.areas[area.at()].id.clone(),
                other => format!("{other:?}"),
            })
            .collect::<Vec<_>>()
    };
    let listed = names(&state);
    assert!(listed.contains(&"lithuania".into()) && listed.contains(&"belgrade".into()));
    assert!(!listed.contains(&"riga".into()), "an army stands there");
    assert!(!listed.contains(&"warsaw".into()) && !listed.contains(&"moscow".into()));
    let lithuania = place(&game, "lithuania");
    let after = {
        state.cards.named[2][0] = lithuania;
        state
    };
    assert!(game.cut_areas(&after, Team::Axis).contains(lithuania));
    assert!(game.cut_areas(&after, Team::Allies).is_empty());
    let guarded = Editor::of(&game, after).place("ger_inf_2a", "lithuania", 2).finish();
    assert!(game.cut_areas(&guarded, Team::Axis).is_empty());

    // "Fortress order": units in named areas are spared.
    let mut editor = Editor::new(&game);
    editor.clear().card(Force::Axis, "ax44-6").place("ger_inf_1a", "riga", 2);
    editor.place("ger_inf_2a", "warsaw", 2).place("ita_inf_1a", "riga", 1);
    editor.state_mut().phase = Phase::Supply;
    editor.state_mut().cards.named[0][0] = place(&game, "riga");
    let state = editor.finish();
    assert_eq!(["ger_inf_1a", "ger_inf_2a"].map(|id| game.is_spared(&state, unit(&game, id))), [true, false]);
}

#[test]
fn production_events() {
    let game = game("barbarossa-1941");
    let with = |force: Force, id: &str| {
        let mut editor = Editor::new(&game);
        editor.card(force, id);
        editor.state_mut().phase = Phase::Production;
        editor.finish()
    };
    let speer = with(Force::Axis, "ax42-5");
    assert_eq!(Nation::MAJOR.map(|nation| game.event_points(&speer, nation)), [3, 0, 0, 0, 0, 0]);
    let arsenal = with(Force::Western, "al43-8");
    assert_eq!(Nation::MAJOR.map(|nation| game.event_points(&arsenal, nation)), [0, 0, 0, 0, 3, 0]);
    let mut reform = with(Force::Soviet, "al41-8");
    let (infantry, tank) = (unit(&game, "su_inf4_1"), unit(&game, "su_tk_t34_1"));
    assert_eq!((game.free_steps(&reform, infantry), game.free_steps(&reform, tank)), (4, 0));
    reform.cards.taken[2] = 3;
    assert_eq!(game.free_steps(&reform, infantry), 1);
    let in_the_pool = game
        .unit_ids()
        .find(|&unit| reform.location(unit) == Place::POOL && game.nation(&reform, unit) == Nation::Ussr)
        .expect("a unit to build");
    assert_eq!(game.free_steps(&reform, in_the_pool), 0);
    // "Volkssturm": at home.
    let mut editor = Editor::new(&game);
    editor.card(Force::Axis, "ax44-8").place("ger_inf_1a", "berlin", 1).place("ger_inf_2a", "warsaw", 1);
    editor.state_mut().phase = Phase::Production;
    let state = editor.finish();
    assert_eq!(["ger_inf_1a", "ger_inf_2a"].map(|id| game.free_steps(&state, unit(&game, id))), [4, 0]);
}

#[test]
fn the_africa_corps_lands_at_tripoli() {
    let game = game("barbarossa-1941");
    let dak = unit(&game, "ger_dak");
    let after = |edit: &dyn Fn(&mut Editor)| {
        let mut editor = Editor::new(&game);
        editor.card(Force::Axis, "ax41-5").remove("ger_dak");
        edit(&mut editor);
        editor.state_mut().phase = Phase::Production;
        let state = editor.deploy_by_events(&mut scripted(&[])).finish();
        (state.location(dak), state.steps(dak))
    };
    let tripoli = place(&game, "tripoli");
    assert_eq!(after(&|_| {}), (tripoli, 1));
    assert_eq!(
        after(&|editor| {
            editor.control("tripoli", Nation::Britain);
        }),
        (Place::POOL, 0)
    );
    assert_eq!(
        after(&|editor| {
            editor.place("ger_dak", "berlin", 1);
        }),
        (place(&game, "berlin"), 2)
    );
    assert_eq!(
        after(&|editor| {
            editor.control("cairo", Nation::Germany).place("ger_dak", "cairo", 1);
        }),
        (place(&game, "cairo"), 1),
        "out of supply"
    );
    let crowded = |editor: &mut Editor| {
        for italian in ["ita_inf_1a", "ita_inf_2a"] {
            editor.place(italian, "tripoli", 1);
        }
    };
    assert_eq!(after(&crowded), (Place::POOL, 0), "no room in a desert for a third");
    assert_eq!(
        after(&|editor| {
            editor.discard("ger_dak");
        })
        .1,
        0
    );
}

#[test]
fn ultra_shows_a_card() {
    let game = game("stalingrad-1942");
    let state = lay(
        &game,
        |editor| {
            editor.turn(12);
        },
        "ax42-2",
        "al42-7",
    );
    assert_eq!(state.cards.seen.count_ones(), 1);
    let shown = state.cards.seen.trailing_zeros() as u8;
    assert_eq!(shown, card(&game, "ax42-2") - 1, "the card left in the hand");
}

#[test]
fn every_effect_of_the_deck_is_used_by_a_card() {
    let rules = rules("campaign-1939");
    let kinds: std::collections::HashSet<_> =
        rules.cards.iter().map(|card| std::mem::discriminant::<Effect>(&card.effect)).collect();
    assert_eq!(kinds.len(), 15);
}

// ---- free deployment ----

#[test]
fn free_deployment_keeps_the_numbers_of_every_place() {
    let mut rules = rules("barbarossa-1941");
    (rules.setup.free_deployment, rules.options.free_deployment) = (true, true);
    let game = VictoryInEurope::new(rules).expect("rules");
    let mut context = sampled(3);
    let mut state = game.initial(&mut context);
    assert_eq!((state.phase, state.mover), (Phase::Deployment, Team::Axis));
    let count = |state: &State| {
        (0..sandtable_victory_in_europe::place::PLACES)
            .map(Place::nth)
            .map(|place| {
                let mut kinds: Vec<_> =
                    state.stack(place).map(|unit| (game.nation(state, unit), game.arm(unit) as u8)).collect();
                kinds.sort_unstable();
                kinds
            })
            .collect::<Vec<_>>()
    };
    let before = count(&state);
    let first = state.clone();
    let mut choice = Rng64::stream(5, 0, 0);
    let mut exchanges = 0;
    while state.phase == Phase::Deployment {
        let actions = legal(&game, &state);
        assert_eq!(actions[0], Action::Pass);
        // Anything but passing while there is something.
        let pick = 1 + choice.below(actions.len() as u32 - 1) as usize;
        let Action::Exchange(a, b) = actions[pick] else { panic!("{:?}", actions[pick]) };
        assert_eq!((game.nation(&state, a), game.arm(a)), (game.nation(&state, b), game.arm(b)));
        game.apply(&mut state, actions[pick], &mut context);
        game.check_invariants(&state).unwrap();
        exchanges += 1;
        assert!(exchanges < 200, "exchanges end");
    }
    assert!(exchanges > 20, "{exchanges}");
    assert_eq!(count(&state), before);
    assert_ne!(state, first);
    assert_eq!((state.phase, state.turn), (Phase::Cards, 8));
    // Passing ends it for each team.
    let mut state = first;
    game.apply(&mut state, Action::Pass, &mut context);
    assert_eq!((state.phase, state.mover), (Phase::Deployment, Team::Allies));
    game.apply(&mut state, Action::Pass, &mut context);
    assert_eq!(state.phase, Phase::Cards);
}

#[test]
fn players_deploy_freely_where_the_notes_of_the_scenario_say_so() {
    for scenario in SCENARIOS {
        let noted = scenario != "campaign-1939";
        let phase = if noted { Phase::Deployment } else { Phase::Cards };
        assert_eq!(game(scenario).initial(&mut sampled(1)).phase, phase, "{scenario}");
        let mut rules = rules(scenario);
        assert_eq!(rules.setup.free_deployment, noted);
        rules.options.free_deployment = false;
        let fixed = VictoryInEurope::new(rules).expect("rules");
        assert_eq!(fixed.initial(&mut sampled(1)).phase, Phase::Cards, "{scenario}");
    }
}

#[test]
fn the_allies_deploy_first_in_1939() {
    let mut rules = rules("campaign-1939");
    (rules.setup.free_deployment, rules.options.free_deployment) = (true, true);
    let game = VictoryInEurope::new(rules).expect("rules");
    let mut context = sampled(3);
    let mut state = game.initial(&mut context);
    assert_eq!((state.phase, state.mover), (Phase::Deployment, Team::Allies), "DEP");
    let poles = ["pol_inf_1a", "pol_inf_2a"].map(|id| unit(&game, id));
    let places = poles.map(|pole| state.location(pole));
    game.apply(&mut state, Action::Exchange(poles[0], poles[1]), &mut context);
    assert_eq!(poles.map(|pole| state.location(pole)), [places[1], places[0]]);
    game.apply(&mut state, Action::Pass, &mut context);
    assert_eq!((state.phase, state.mover), (Phase::Deployment, Team::Axis));
    game.apply(&mut state, Action::Pass, &mut context);
    assert_eq!((state.phase, state.turn), (Phase::Cards, 1));
}

// ---- handicaps ----

#[test]
fn a_handicap_gives_command_and_says_nothing_of_player_one() {
    let with = |command: [u8; 3]| {
        let mut rules = rules("stalingrad-1942");
        for (extra, command) in rules.setup.handicap.iter_mut().zip(command) {
            extra.command = command;
        }
        VictoryInEurope::new(rules).expect("rules")
    };
    let (handicapped, plain) = (with([1, 2, 3]), with([0; 3]));
    let [a, b] = [&handicapped, &plain].map(|game| lay(game, |_| {}, "ax42-1", "al42-2"));
    assert_eq!([0, 1, 2].map(|force| a.command[force] - b.command[force]), [1, 2, 3]);
    assert_eq!(a.first, b.first);
    // Before the split the Soviet ones are in the common purse (3.2).
    let mut rules = common::rules("campaign-1939");
    (rules.setup.handicap[1].command, rules.setup.handicap[2].command) = (1, 2);
    let early = lay(&VictoryInEurope::new(rules).expect("rules"), |_| {}, "ax39-1", "al39-1");
    assert_eq!(early.command[1..], [4 + 3, 0]);
}

// ---- the distribution of the cards ----

fn choose(n: usize, k: usize) -> f64 {
    if k > n { 0.0 } else { (0..k).fold(1.0, |ways, at| ways * (n - at) as f64 / (at + 1) as f64) }
}

#[test]
fn hands_are_drawn_by_the_hypergeometric_distribution() {
    let game = game("campaign-1939");
    let draws = Draws::new(&game);
    let shapes: Vec<_> = draws.deals.iter().map(|deal| (deal.first, deal.turns, deal.year)).collect();
    assert_eq!(shapes[..2], [(1, 2, 1939), (3, 4, 1940)]);
    assert_eq!(shapes.len(), 7);
    for deal in &draws.deals {
        for team in Team::ALL {
            let deck = &deal.decks[team.index()];
            let hand = usize::from(deal.turns);
            let hands = &deal.hands[team.index()];
            assert_eq!(hands.support(), choose(deck.len(), hand).round() as usize, "{}", deal.year);
            for &card in deck {
                let drawn = hands.chance(|hand| hand.contains(&card));
                assert!((drawn - hand as f64 / deck.len() as f64).abs() < 1e-12);
            }
            let best = draws.best(deal, team);
            for value in 0..=6 {
                let small = deck.iter().filter(|&&card| draws.command(card) <= value).count();
                let at_most = choose(small, hand) / choose(deck.len(), hand);
                assert!((best.cumulative(&value) - at_most).abs() < 1e-12, "{} {value}", deal.year);
            }
            let of_year: u32 = deck.iter().map(|&card| u32::from(draws.command(card))).sum();
            let mean = f64::from(of_year) * hand as f64 / deck.len() as f64;
            assert!((draws.total(deal, team).mean() - mean).abs() < 1e-9);
            let big = draws.count(deal, team, |card| draws.command(card) >= 4);
            assert!((big.chance(|&count| count > 0) - best.chance(|&best| best >= 4)).abs() < 1e-12);
        }
    }
}

#[test]
fn cards_are_laid_in_the_order_of_the_plan() {
    let game = game("barbarossa-1941");
    let draws = Draws::new(&game);
    let deal = &draws.deals[0];
    assert_eq!((deal.first, deal.turns, deal.year), (8, 3, 1941));
    for team in Team::ALL {
        let deck = &deal.decks[team.index()];
        for order in [Order::Highest, Order::Lowest, Order::Random] {
            let mut before = f64::from(if order == Order::Lowest { 0u8 } else { 9 });
            for turn in 0..3 {
                let laid = draws.laid(deal, team, order, turn);
                assert!((laid.iter().map(|mass| mass.1).sum::<f64>() - 1.0).abs() < 1e-12);
                let mean = laid.expectation(|card| f64::from(draws.command(card.unwrap())));
                match order {
                    Order::Highest => assert!(mean < before),
                    Order::Lowest => assert!(mean > before),
                    Order::Random => {
                        assert!(laid.iter().all(|mass| (mass.1 - 1.0 / deck.len() as f64).abs() < 1e-12));
                    }
                }
                before = mean;
                for &card in deck {
                    // Who holds a card and does not lay it holds it still.
                    let held = draws.held(deal, team, order, card, turn);
                    let next = draws.held(deal, team, order, card, turn + 1);
                    assert!((held - next - laid.probability(&Some(card))).abs() < 1e-12);
                }
            }
            assert!((draws.laid(deal, team, order, 3).probability(&None) - 1.0).abs() < 1e-12);
        }
    }
}

#[test]
fn player_1_has_the_higher_command_and_the_axis_ties() {
    let game = game("campaign-1939");
    let draws = Draws::new(&game);
    let orders = [Order::Highest, Order::Lowest, Order::Random];
    for deal in &draws.deals[..2] {
        for order in orders.into_iter().flat_map(|axis| orders.map(|allies| [axis, allies])) {
            let mut mean = 0.0;
            for turn in 0..deal.turns {
                let [axis, allies] = Team::ALL.map(|team| {
                    let laid = draws.laid(deal, team, order[team.index()], turn);
                    laid.map(|card| draws.command(card.unwrap()))
                });
                let first = axis.join(&allies, |axis, allies| axis >= allies).probability(&true);
                assert!((draws.axis_first(deal, order, turn) - first).abs() < 1e-12);
                mean += first;
            }
            assert!((draws.turns_first(deal, order).mean() - mean).abs() < 1e-9, "{} {order:?}", deal.year);
        }
    }
}

#[test]
fn games_deal_hands_by_the_distribution() {
    let mut rules = rules("kursk-1943");
    rules.options.free_deployment = false;
    let game = VictoryInEurope::new(rules).unwrap();
    let draws = Draws::new(&game);
    let deal = &draws.deals[0];
    let games = 4000;
    let mut seen = [std::collections::BTreeMap::new(), std::collections::BTreeMap::new()];
    for seed in 0..games {
        let state = game.initial(&mut PlayContext::silent(Rng64::stream(5, seed, 0)));
        for (team, force) in [(0, Force::Axis), (1, Force::Western)] {
            let hand: Vec<u8> =
                state.cards.hand[force.index()].into_iter().filter(|&card| card != NO_INDEX).collect();
            *seen[team].entry(hand).or_insert(0.0) += 1.0;
        }
    }
    for (hands, seen) in deal.hands.iter().zip(&seen) {
        let chi2: f64 = hands
            .iter()
            .map(|(hand, p)| (seen.get(hand).copied().unwrap_or(0.0), p * games as f64))
            .map(|(seen, expected)| (seen - expected).powi(2) / expected)
            .sum();
        let free = (hands.support() - 1) as f64;
        let most = free * (1.0 - 2.0 / (9.0 * free) + 4.0 * (2.0 / (9.0 * free)).sqrt()).powi(3);
        assert!(chi2 < most, "chi-square {chi2} at {free}");
    }
}
