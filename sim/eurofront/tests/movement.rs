//! Control (8.0), command (5.0) and movement (6.0), rule by rule.

mod common;

use common::{at, block, legal, play, play_alone, rules, scripted, spain, spain_with};
use sandtable_core::Direction::{Ahead, Back, NextBack, PreviousAhead};
use sandtable_core::{Game, Hex, PlayContext, RandomDraw, Rng64, Turn};
use sandtable_eurofront::ids::{hex, place};
use sandtable_eurofront::rules::Weather;
use sandtable_eurofront::{Action, Camp, EuroFront, Faction, Mark, Mode, Phase, State};

/// The plain between the Duero and the Ebro: clear hexes that touch each other without rivers.
const BURGOS: Hex = hex(9, 20);
const VITORIA: Hex = hex(10, 20);
const PAMPLONA: Hex = hex(11, 20);
const ARANDA: Hex = hex(9, 21);

/// Plays actions of which each must be legal.
fn play_all(state: &mut State, actions: &[Action]) {
    let mut context = scripted(&[]);
    for &action in actions {
        play(state, action, &mut context);
    }
    assert_eq!(context.dice.check(), Ok(()));
}

#[test]
fn control_follows_units_zones_and_loyalty() {
    let state = spain_with(&[("sn_inf_1", "Burgos", 2), ("sr_inf_1", "Zaragoza", 2)]).finish();
    let [own, enemy] = state.friendly;
    assert!(own.contains(BURGOS) && own.contains(VITORIA), "occupied, and in an undisputed zone");
    assert!(enemy.contains(at("Zaragoza")), "occupied, though loyal to the enemy");
    assert!(enemy.contains(at("Barcelona")) && own.contains(at("Seville")), "loyal and without a zone");
    // Zaragoza W1 is next to Zaragoza across the Ebro: no zone reaches over the river (8.2).
    assert!(!enemy.contains(hex(10, 21)), "no zone across a river");
    assert!(!own.contains(hex(7, 23)) && !enemy.contains(hex(7, 23)), "nobody's");
    assert!(
        spain().open_to(&state, Camp::Axis).contains(hex(7, 23)),
        "what nobody controls is open (1936 rule 1)"
    );
}

#[test]
fn hexes_in_both_zones_are_disputed() {
    let state = spain_with(&[("sn_inf_1", "Burgos", 2), ("sr_inf_1", "Pamplona", 2)]).finish();
    assert!(state.disputed.contains(VITORIA));
    assert!(!spain().open_to(&state, Camp::Axis).contains(VITORIA), "no rail, no deployment");
    assert!(spain().traceable(&state, Camp::Axis).contains(VITORIA), "but command and supply lines");
}

#[test]
fn unsupplied_and_engaged_units_have_no_zone() {
    let mut editor = spain_with(&[("sn_inf_1", "Burgos", 2)]);
    editor.mark(block("sn_inf_1"), Mark::Unsupplied, true);
    assert!(!editor.finish().friendly[0].contains(ARANDA));
    let mut editor = spain_with(&[("sn_inf_1", "Burgos", 2), ("sr_inf_1", "Burgos", 2)]);
    editor.defends(BURGOS, Camp::Coalition);
    let state = editor.finish();
    assert!(!state.friendly[0].contains(ARANDA) && !state.friendly[1].contains(ARANDA));
    assert!(state.friendly[1].contains(BURGOS), "the original defender controls the battle (7.12)");
}

/// Counted all at once or place by place, also where fewer may stand than the terrain allows (1.45).
#[test]
fn full_hexes_are_those_in_which_as_many_stand_as_may() {
    let game = EuroFront::new(rules("1941")).unwrap();
    let mut buffer = Vec::new();
    let (mut full, mut narrow) = (0, 0);
    // Few come where it is narrow.
    let mut seed = 0;
    while seed < 2 || narrow == 0 && seed < 100 {
        let mut context = PlayContext::silent(Rng64::stream(seed, 0, 0));
        let mut state = game.initial(&mut context);
        while game.turn_of(&state) != Turn::Over {
            let action = game.sample_action(&state, RandomDraw::new(&mut context), &mut buffer);
            game.apply(&mut state, action, &mut context);
            for camp in Camp::ALL {
                let counted = game.full_hexes(&state, camp);
                for hex in state.occupied[camp.index()] {
                    let limit = game.stacking_limit(&state, hex);
                    let is_full = state.stack(hex, camp).len() >= u32::from(limit);
                    assert_eq!(counted.contains(hex), is_full, "{hex:?}");
                    full += u32::from(is_full);
                    narrow += u32::from(is_full && limit < game.terrain_effect(hex).stacking);
                }
                assert!(counted.difference(&state.occupied[camp.index()]).is_empty());
            }
        }
        seed += 1;
    }
    assert!(full > 100 && narrow > 0, "{full} {narrow}");
}

#[test]
fn garrisons_control_and_go_when_the_enemy_enters() {
    let mut editor = spain_with(&[("sn_hq_1", "Burgos", 2), ("sn_inf_1", "Burgos", 2)]);
    editor.garrison(ARANDA, Camp::Coalition);
    let mut state = editor.turn_of(Faction::Axis, &mut scripted(&[]));
    assert!(state.friendly[1].contains(ARANDA), "a garrison controls its hex (1936 rule 2)");
    let inf = block("sn_inf_1");
    play_all(&mut state, &[Action::Activate(Mode::Normal, BURGOS), Action::Unit(inf)]);
    assert!(legal(spain(), &state).contains(&Action::Go(ARANDA)), "it is no unit: nobody engages it");
    play_all(&mut state, &[Action::Go(ARANDA)]);
    assert!(!state.owners.owns(Camp::Coalition, ARANDA), "an enemy unit has entered (1936 rule 2)");
}

#[test]
fn a_headquarters_commands_as_far_as_its_value() {
    let far = hex(11, 20);
    let mut editor =
        spain_with(&[("sn_hq_1", "Burgos", 1), ("sn_inf_1", "Burgos", 2), ("sn_inf_2", "Pamplona", 2)]);
    let mut state = editor.turn_of(Faction::Axis, &mut scripted(&[]));
    play_all(&mut state, &[Action::Activate(Mode::Normal, BURGOS)]);
    let open = legal(spain(), &state);
    assert!(open.contains(&Action::Unit(block("sn_inf_1"))));
    assert!(!open.contains(&Action::Unit(block("sn_inf_2"))), "two hexes away, radius 1 (5.31)");
    assert_eq!(state.at(block("sn_inf_2")), far);
}

#[test]
fn mud_disrupts_and_forbids_deployment() {
    let mut editor = spain_with(&[("sn_hq_1", "Burgos", 2), ("sn_inf_1", "Burgos", 2)]);
    editor.weather([Weather::Mud; 2]);
    let state = editor.turn_of(Faction::Axis, &mut scripted(&[]));
    assert_eq!(spain().command_value(&state, block("sn_hq_1")), 1);
    let open = legal(spain(), &state);
    assert_eq!(
        open,
        [Action::Pass, Action::Activate(Mode::Normal, BURGOS), Action::Activate(Mode::Blitz, BURGOS)],
        "5.21, 12.31"
    );
}

#[test]
fn theatre_headquarters_order_one_move_for_each_value_and_do_not_blitz() {
    let mut editor = spain_with(&[
        ("sn_thq_jdn", "Burgos", 2),
        ("sn_static_5", "Seville", 1),
        ("sn_static_6", "Cadiz", 1),
        ("sn_inf_1", "Vigo", 1),
    ]);
    let mut state = editor.turn_of(Faction::Axis, &mut scripted(&[]));
    assert!(!legal(spain(), &state).iter().any(|action| matches!(action, Action::Activate(Mode::Blitz, _))));
    play_all(&mut state, &[Action::Activate(Mode::Normal, BURGOS)]);
    play_all(&mut state, &[Action::Unit(block("sn_static_5")), Action::Go(hex(6, 24))]);
    play_all(&mut state, &[Action::Unit(block("sn_static_6")), Action::Go(hex(5, 25))]);
    assert_eq!(state.phase, Phase::Mobilisation, "two Supreme Moves of value II, and no more (5.8)");
}

#[test]
fn static_units_move_by_supreme_order_alone() {
    let mut editor =
        spain_with(&[("sn_hq_1", "Burgos", 3), ("sn_static_5", "Burgos", 1), ("sn_inf_1", "Burgos", 1)]);
    let mut state = editor.turn_of(Faction::Axis, &mut scripted(&[]));
    play_all(&mut state, &[Action::Activate(Mode::Normal, BURGOS)]);
    let open = legal(spain(), &state);
    assert!(open.contains(&Action::Unit(block("sn_inf_1"))));
    assert!(!open.contains(&Action::Unit(block("sn_static_5"))), "2.27");
}

#[test]
fn two_units_cross_a_clear_hexside_and_one_any_other() {
    let mut editor = spain_with(&[
        ("sn_hq_1", "Burgos", 2),
        ("sn_inf_1", "Burgos", 1),
        ("sn_inf_2", "Burgos", 1),
        ("sn_inf_3", "Burgos", 1),
        ("sr_inf_1", "Vitoria", 3),
    ]);
    let mut state = editor.turn_of(Faction::Axis, &mut scripted(&[]));
    play_all(&mut state, &[Action::Activate(Mode::Normal, BURGOS)]);
    for id in ["sn_inf_1", "sn_inf_2"] {
        play_all(&mut state, &[Action::Unit(block(id)), Action::Engage(VITORIA, Ahead)]);
    }
    assert_eq!(spain().why_illegal(&state, Action::Unit(block("sn_inf_3"))), None);
    play_all(&mut state, &[Action::Unit(block("sn_inf_3"))]);
    assert!(!legal(spain(), &state).contains(&Action::Engage(VITORIA, Ahead)), "6.33");
    assert!(
        legal(spain(), &state).contains(&Action::Engage(VITORIA, PreviousAhead)),
        "another hexside is free"
    );
}

#[test]
fn who_leaves_a_battle_goes_to_a_controlled_hex_and_engages_nobody() {
    let mut editor = spain_with(&[
        ("sn_hq_1", "Pamplona", 2),
        ("sn_inf_1", "Vitoria", 1),
        ("sn_inf_2", "Vitoria", 1),
        ("sr_inf_1", "Vitoria", 2),
        ("sr_inf_2", "Burgos", 2),
    ]);
    editor.defends(VITORIA, Camp::Coalition);
    let mut state = editor.turn_of(Faction::Axis, &mut scripted(&[]));
    play_all(&mut state, &[Action::Activate(Mode::Normal, PAMPLONA), Action::Unit(block("sn_inf_1"))]);
    let open = legal(spain(), &state);
    assert!(open.iter().all(|action| matches!(action, Action::Disengage(..))), "{open:?}");
    assert!(open.contains(&Action::Disengage(Ahead, PAMPLONA)));
    assert!(
        !open.iter().any(|action| matches!(action, Action::Disengage(Back, _))),
        "the enemy stands there (6.32)"
    );
    assert!(
        !open.iter().any(|action| matches!(action, Action::Disengage(NextBack, _))),
        "the enemy's zone reaches it (6.32)"
    );
    play_all(&mut state, &[Action::Disengage(Ahead, PAMPLONA)]);
    let open = legal(spain(), &state);
    assert!(open.contains(&Action::Rearguard(block("sn_inf_2"))), "the last one is a rearguard (6.51)");
    assert!(!open.contains(&Action::Unit(block("sn_inf_2"))));
}

#[test]
fn a_rearguard_waits_and_takes_pursuit_fire() {
    let mut editor = spain_with(&[
        ("sn_hq_1", "Pamplona", 2),
        ("sn_inf_1", "Vitoria", 2),
        ("sn_inf_2", "Pamplona", 2),
        ("sr_inf_1", "Vitoria", 3),
        ("sr_hq_1", "Vitoria", 2),
    ]);
    editor.defends(VITORIA, Camp::Coalition);
    let mut state = editor.turn_of(Faction::Axis, &mut scripted(&[]));
    play_all(
        &mut state,
        &[
            Action::Activate(Mode::Normal, PAMPLONA),
            Action::Rearguard(block("sn_inf_1")),
            Action::Unit(block("sn_inf_2")),
        ],
    );
    // All other moves are made first.
    play_alone(&mut state, Action::Go(at("Bilbao")), &mut scripted(&[]));
    assert_eq!(state.at(block("sn_inf_1")), VITORIA);
    // Three dice of infantry as fast as the rearguard, single fire (6.52); headquarters do not fire.
    let mut context = scripted(&[5, 6, 1]);
    play_alone(&mut state, Action::Pass, &mut context);
    assert_eq!((context.dice.left(), context.dice.check()), (0, Ok(())));
    assert_eq!(state.steps[block("sn_inf_1")], 1);
    assert_eq!(state.phase, Phase::Withdrawal);
    play_alone(&mut state, Action::Disengage(Ahead, PAMPLONA), &mut scripted(&[]));
    assert!(!state.is_battle(VITORIA));
}

#[test]
fn faster_pursuers_fire_double_and_slower_ones_not_at_all() {
    for (pursuer, rearguard, faces, left) in
        [("sr_arm_pavlov", "sn_inf_1", &[5u32][..], 1), ("sr_inf_1", "sn_mec_bs", &[][..], 2)]
    {
        let mut editor =
            spain_with(&[("sn_hq_1", "Pamplona", 2), (rearguard, "Vitoria", 2), (pursuer, "Vitoria", 1)]);
        editor.defends(VITORIA, Camp::Coalition);
        let mut state = editor.turn_of(Faction::Axis, &mut scripted(&[]));
        play_all(&mut state, &[Action::Activate(Mode::Normal, PAMPLONA)]);
        let mut context = scripted(faces);
        play(&mut state, Action::Rearguard(block(rearguard)), &mut context);
        assert_eq!((context.dice.left(), context.dice.check()), (0, Ok(())), "{pursuer}");
        assert_eq!(state.steps[block(rearguard)], left, "{pursuer}");
    }
}

#[test]
fn mountains_stop_and_stacking_limits() {
    let mut editor = spain_with(&[
        ("sn_hq_1", "Bilbao", 3),
        ("sn_mec_bs", "Santander", 1),
        ("sn_inf_1", "Leon", 1),
        ("sn_inf_2", "Leon", 1),
    ]);
    let mut state = editor.turn_of(Faction::Axis, &mut scripted(&[]));
    play_all(&mut state, &[Action::Activate(Mode::Normal, at("Bilbao")), Action::Unit(block("sn_mec_bs"))]);
    let open = legal(spain(), &state);
    assert!(!open.contains(&Action::Go(at("Leon"))), "two units stand in the mountains already (6.21)");
    assert!(open.contains(&Action::Go(BURGOS)));
}

#[test]
fn a_strait_is_crossed_from_beside_it_and_ends_the_move() {
    let tangiers = hex(5, 27);
    let mut editor =
        spain_with(&[("sn_thq_jdn", "Seville", 2), ("sp_sfl", "Cadiz", 2), ("sn_mec_bs", "Seville", 1)]);
    editor.place(block("sn_inf_1"), tangiers, 2);
    let mut state = editor.turn_of(Faction::Axis, &mut scripted(&[]));
    play_all(&mut state, &[Action::Activate(Mode::Normal, at("Seville")), Action::Unit(block("sn_inf_1"))]);
    let open = legal(spain(), &state);
    assert!(open.contains(&Action::Go(at("Cadiz"))), "{open:?}");
    assert!(!open.contains(&Action::Go(at("Seville"))), "who crosses a strait stops (1.371)");
    play_all(&mut state, &[Action::Go(at("Cadiz")), Action::Unit(block("sn_mec_bs"))]);
    let open = legal(spain(), &state);
    assert!(!open.contains(&Action::Go(tangiers)), "who does not start beside it does not cross it (1.371)");
}

#[test]
fn a_strait_is_engaged_over_from_beside_it_alone() {
    let tangiers = hex(5, 27);
    let mut editor =
        spain_with(&[("sn_hq_1", "Seville", 2), ("sn_mec_bs", "Seville", 1), ("sn_inf_2", "Cadiz", 1)]);
    editor.place(block("sr_inf_1"), tangiers, 1);
    let mut state = editor.turn_of(Faction::Axis, &mut scripted(&[]));
    play_all(&mut state, &[Action::Activate(Mode::Normal, at("Seville")), Action::Unit(block("sn_mec_bs"))]);
    let engages = |state: &State| {
        legal(spain(), state)
            .iter()
            .any(|action| matches!(action, Action::Engage(hex, _) if *hex == tangiers))
    };
    assert!(!engages(&state), "it would have to start beside the strait (1.371)");
    play_all(&mut state, &[Action::Go(hex(6, 24)), Action::Unit(block("sn_inf_2"))]);
    assert!(engages(&state));
}

#[test]
fn rail_moves_stay_on_friendly_railways() {
    let mut editor = spain_with(&[("sn_thq_jdn", "Seville", 2), ("sn_inf_1", "Seville", 2)]);
    let mut state = editor.turn_of(Faction::Axis, &mut scripted(&[]));
    play_all(&mut state, &[Action::Activate(Mode::Normal, at("Seville")), Action::Unit(block("sn_inf_1"))]);
    let open = legal(spain(), &state);
    let rail: Vec<_> = open.iter().filter(|action| matches!(action, Action::Rail(_))).collect();
    assert!(rail.contains(&&Action::Rail(at("Cadiz"))), "{rail:?}");
    assert!(
        !rail.contains(&&Action::Rail(at("Madrid"))) && !rail.contains(&&Action::Rail(at("Lisbon"))),
        "{rail:?}"
    );
    let go = rail[0].to_owned();
    play_all(&mut state, &[go]);
    assert!(state.has(block("sn_inf_1"), Mark::Strategic));
    assert_eq!(spain().orders_left(&state, block("sn_thq_jdn")), 1, "a Supreme Move (9.21)");
}

#[test]
fn units_leave_a_battle_by_rail_unless_they_are_the_last() {
    let mut editor = spain_with(&[
        ("sn_thq_jdn", "Burgos", 3),
        ("sn_inf_1", "Vitoria", 2),
        ("sn_inf_2", "Vitoria", 2),
        ("sr_inf_1", "Vitoria", 2),
    ]);
    editor.defends(VITORIA, Camp::Axis);
    let mut state = editor.turn_of(Faction::Axis, &mut scripted(&[]));
    play_all(&mut state, &[Action::Activate(Mode::Normal, BURGOS), Action::Unit(block("sn_inf_1"))]);
    let open = legal(spain(), &state);
    assert!(open.contains(&Action::Rail(hex(7, 20))), "three hexes along the railway (9.22): {open:?}");
    play_all(&mut state, &[Action::Rail(hex(7, 20))]);
    assert_eq!(state.crossings(state.crossing[block("sn_inf_1")]), 1, "it counts for the hexside (6.33)");
    let open = legal(spain(), &state);
    assert!(open.contains(&Action::Rearguard(block("sn_inf_2"))), "the last one retreats by land: {open:?}");
    assert!(!open.contains(&Action::Unit(block("sn_inf_2"))), "and not by rail (9.22)");
    // In a battle that the enemy controls the railway does not reach them.
    let mut editor = spain_with(&[
        ("sn_thq_jdn", "Burgos", 3),
        ("sn_inf_1", "Vitoria", 2),
        ("sn_inf_2", "Vitoria", 2),
        ("sr_inf_1", "Vitoria", 2),
    ]);
    editor.defends(VITORIA, Camp::Coalition);
    let mut state = editor.turn_of(Faction::Axis, &mut scripted(&[]));
    play_all(&mut state, &[Action::Activate(Mode::Normal, BURGOS), Action::Unit(block("sn_inf_1"))]);
    assert!(!legal(spain(), &state).iter().any(|action| matches!(action, Action::Rail(_))));
}

#[test]
fn a_mobilised_headquarters_pays_and_moves() {
    let mut editor = spain_with(&[("sn_hq_1", "Burgos", 2), ("sn_inf_1", "Burgos", 2)]);
    let mut state = editor.turn_of(Faction::Axis, &mut scripted(&[]));
    play_all(&mut state, &[Action::Activate(Mode::Normal, BURGOS), Action::Pass]);
    assert_eq!(state.phase, Phase::Mobilisation);
    play_alone(&mut state, Action::Go(PAMPLONA), &mut scripted(&[]));
    assert_eq!((state.at(block("sn_hq_1")), state.steps[block("sn_hq_1")]), (PAMPLONA, 1));
    assert!(!state.has(block("sn_hq_1"), Mark::Active));
}

#[test]
fn a_headquarters_that_deploys_out_of_a_battle_as_the_last_is_pursued() {
    let mut editor =
        spain_with(&[("sn_hq_1", "Vitoria", 3), ("sr_inf_1", "Vitoria", 2), ("sn_inf_1", "Pamplona", 1)]);
    editor.defends(VITORIA, Camp::Coalition);
    let mut state = editor.turn_of(Faction::Axis, &mut scripted(&[]));
    let mut context = scripted(&[6, 1]);
    play_alone(&mut state, Action::Activate(Mode::Normal, PAMPLONA), &mut context);
    assert_eq!((context.dice.left(), context.dice.check()), (0, Ok(())), "two dice at once (5.21)");
    assert_eq!((state.at(block("sn_hq_1")), state.steps[block("sn_hq_1")]), (PAMPLONA, 2));
}

#[test]
fn what_stands_too_many_loses_a_step_in_the_enemys_supply_phase() {
    let mut editor = spain_with(&[
        ("sn_hq_1", "Astorga", 1),
        ("sn_inf_1", "Leon", 2),
        ("sn_inf_2", "Leon", 3),
        ("sr_inf_1", "Madrid", 1),
    ]);
    let mut state = editor.turn_of(Faction::Axis, &mut scripted(&[]));
    play_alone(&mut state, Action::Activate(Mode::Normal, at("Leon")), &mut scripted(&[]));
    assert!(state.crowded[0], "three in the mountains (5.21)");
    // The Republicans' player turn ends without anything being done in it.
    state.active = Faction::Allies;
    (state.phase, state.cursor) = (Phase::Activation, 99);
    state.marks = [sandtable_eurofront::ids::Blocks::EMPTY; Mark::COUNT];
    sandtable_core::Stepwise::end_idle_phase(spain(), &mut state, &mut scripted(&[]));
    assert_eq!(state.steps[block("sn_inf_2")], 2, "the largest, though Leon is loyal (6.22)");
    assert_eq!(state.steps[block("sn_inf_1")], 2);
}

#[test]
fn a_headquarters_of_value_zero_is_destroyed_when_it_deactivates() {
    let mut editor = spain_with(&[("sn_hq_1", "Burgos", 0), ("sn_inf_1", "Burgos", 2)]);
    let mut state = editor.turn_of(Faction::Axis, &mut scripted(&[]));
    play_all(&mut state, &[Action::Activate(Mode::Normal, BURGOS)]);
    assert!(legal(spain(), &state).contains(&Action::Unit(block("sn_inf_1"))), "it commands its own hex");
    play_all(&mut state, &[Action::Pass]);
    play_alone(&mut state, Action::Go(BURGOS), &mut scripted(&[]));
    assert_eq!(state.at(block("sn_hq_1")), place::ELIMINATED, "5.31");
}
