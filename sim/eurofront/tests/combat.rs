//! Combat (7.0): who fires when and how well, losses, assaults, support, Blitz.

mod common;

use common::{at, block, legal, play, play_alone, scripted, spain, spain_with};
use sandtable_core::{Hex, PlayContext, Scripted};
use sandtable_eurofront::event::Volley;
use sandtable_eurofront::ids::{hex, place};
use sandtable_eurofront::rules::{Fire, Weather};
use sandtable_eurofront::{Action, Camp, Event, Faction, Mark, Mode, Phase, State};

const BURGOS: Hex = hex(9, 20);
const VITORIA: Hex = hex(10, 20);

type FightContext = PlayContext<Scripted, Vec<Event>>;

/// Dice, hits and repulses of every volley so far.
fn volleys(context: &FightContext) -> Vec<(Volley, u8, u8, u8)> {
    let fired = |event: &Event| match *event {
        Event::Fired { volley, dice, hits, repulses, .. } => Some((volley, dice, hits, repulses)),
        _ => None,
    };
    context.sink.iter().filter_map(fired).collect()
}

fn used_up(context: &FightContext) {
    assert_eq!((context.dice.left(), context.dice.check()), (0, Ok(())));
}

/// Nationalists attack Vitoria from Burgos with their headquarters in support; combat is about to be fought.
fn attack_on_vitoria(attackers: &[(&str, u8)], defenders: &[(&str, u8)], supported: bool) -> State {
    let mut editor = spain_with(&[("sn_hq_1", if supported { "Burgos" } else { "Cadiz" }, 2)]);
    for &(id, steps) in attackers {
        editor.place(block(id), VITORIA, steps);
    }
    for &(id, steps) in defenders {
        editor.place(block(id), VITORIA, steps);
    }
    for &(id, _) in attackers {
        editor.entered_from(block(id), BURGOS);
    }
    editor.mark(block("sn_hq_1"), Mark::Active, true);
    editor.finish()
}

/// Fights it with these dice, without an airstrike where one is asked for, up to the next decision but one that is none of
/// combat.
fn fight(state: &State, faces: &[u32]) -> (State, FightContext) {
    let mut context = scripted(faces);
    let mut editor = sandtable_eurofront::editor::Editor::of(spain(), *state);
    let mut state = editor.combat_of_alone(Faction::Axis);
    loop {
        let open = legal(spain(), &state);
        match state.phase {
            Phase::Airstrike if !open.is_empty() => play_alone(&mut state, Action::Pass, &mut context),
            Phase::Airstrike => {
                sandtable_core::Stepwise::end_idle_phase(spain(), &mut state, &mut context);
            }
            _ => return (state, context),
        }
    }
}

#[test]
fn the_passive_side_fires_first_and_takes_single_hits_in_clear_terrain_if_supported() {
    let state = attack_on_vitoria(&[("sn_inf_1", 3)], &[("sr_inf_1", 2)], true);
    // Two dice of the defender: one hit. Two dice of what is left of the attacker: one hit.
    let (state, context) = fight(&state, &[6, 1, 6, 1]);
    assert_eq!(volleys(&context), [(Volley::Defensive, 2, 1, 0), (Volley::Offensive, 2, 1, 0)]);
    assert_eq!((state.steps[block("sn_inf_1")], state.steps[block("sr_inf_1")]), (2, 1));
    used_up(&context);
}

#[test]
fn an_unsupported_attack_needs_a_hit_more_for_a_step() {
    let state = attack_on_vitoria(&[("sn_inf_1", 3)], &[("sr_inf_1", 2)], false);
    let (state, context) = fight(&state, &[1, 1, 6, 6, 6]);
    assert_eq!(state.steps[block("sr_inf_1")], 1, "three hits: one step, the rest vanishes (7.4)");
    used_up(&context);
}

#[test]
fn a_major_city_doubles_fire_and_defence() {
    let madrid = at("Madrid");
    let mut editor =
        spain_with(&[("sn_hq_1", "Segovia", 2), ("sn_inf_1", "Madrid", 3), ("sr_inf_1", "Madrid", 2)]);
    editor.entered_from(block("sn_inf_1"), hex(8, 21)).mark(block("sn_hq_1"), Mark::Active, true);
    let state = editor.finish();
    assert_eq!(spain().firepower(&state, block("sr_inf_1"), true), Fire::Double, "7.32");
    assert_eq!(spain().firepower(&state, block("sn_inf_1"), false), Fire::Single);
    let (state, context) = fight(&state, &[5, 4, 6, 6]);
    assert_eq!(
        (state.steps[block("sn_inf_1")], state.steps[block("sr_inf_1")]),
        (2, 1),
        "two hits a step (1.41)"
    );
    assert!(state.is_battle(madrid));
    used_up(&context);
}

#[test]
fn mud_halves_hits_and_makes_attackers_fire_single() {
    let mut state = attack_on_vitoria(&[("sn_inf_1", 1)], &[("sr_inf_1", 2)], true);
    state.weather = [Weather::Mud; 2];
    let mut editor = spain_with(&[("sr_arm_pavlov", "Vitoria", 2)]);
    editor.weather([Weather::Mud; 2]);
    let muddy = editor.finish();
    assert_eq!(spain().firepower(&muddy, block("sr_arm_pavlov"), false), Fire::Single, "12.33");
    assert_eq!(spain().firepower(&muddy, block("sr_arm_pavlov"), true), Fire::Double);
    let (state, context) = fight(&state, &[1, 1, 6]);
    assert_eq!(state.steps[block("sr_inf_1")], 2, "one hit of two (12.33)");
    used_up(&context);
}

#[test]
fn the_strongest_takes_the_hit_and_its_owner_chooses_among_unlike() {
    let state = attack_on_vitoria(&[("sn_inf_1", 2), ("sn_mec_bs", 2)], &[("sr_inf_1", 1)], true);
    let (mut state, mut context) = fight(&state, &[6, 1, 1, 1]);
    assert_eq!(state.phase, Phase::Losses);
    assert_eq!(state.decider, Faction::Axis, "the owner (7.33)");
    let open = legal(spain(), &state);
    assert_eq!(open.len(), 2);
    play_alone(&mut state, Action::Unit(block("sn_mec_bs")), &mut context);
    assert_eq!((state.steps[block("sn_inf_1")], state.steps[block("sn_mec_bs")]), (2, 1));
    used_up(&context);
}

#[test]
fn an_assault_over_a_river_may_be_repulsed() {
    // Zaragoza lies beyond the Ebro from Soria.
    let (zaragoza, soria) = (at("Zaragoza"), hex(10, 21));
    let mut editor = spain_with(&[
        ("sn_hq_1", "Soria", 2),
        ("sn_inf_1", "Zaragoza", 2),
        ("sn_inf_2", "Zaragoza", 1),
        ("sr_inf_1", "Zaragoza", 3),
    ]);
    for id in ["sn_inf_1", "sn_inf_2"] {
        editor.entered_from(block(id), soria);
    }
    editor.mark(block("sn_hq_1"), Mark::Active, true);
    let state = editor.finish();
    // Three dice: one repulse (1 or 2), which sends back the weakest; one hit on the strongest that is left (7.61).
    let (state, context) = fight(&state, &[2, 3, 6, 1]);
    assert_eq!(volleys(&context)[0], (Volley::Defensive, 3, 1, 1));
    assert_eq!(state.at(block("sn_inf_2")), soria);
    assert_eq!((state.steps[block("sn_inf_1")], state.steps[block("sn_inf_2")]), (1, 1));
    assert!(state.is_battle(zaragoza));
    used_up(&context);
}

#[test]
fn who_enters_beside_the_river_spoils_the_assault() {
    let mut editor = spain_with(&[
        ("sn_hq_1", "Soria", 2),
        ("sn_inf_1", "Zaragoza", 2),
        ("sn_inf_2", "Zaragoza", 1),
        ("sr_inf_1", "Zaragoza", 2),
    ]);
    editor.entered_from(block("sn_inf_1"), hex(10, 21)).entered_from(block("sn_inf_2"), hex(12, 22));
    editor.mark(block("sn_hq_1"), Mark::Active, true);
    let state = editor.finish();
    let over = |state: &State| spain().repulse_up_to(state, at("Zaragoza"));
    let mut all_over = state;
    assert_eq!(over(&state), 0, "one that starts the battle does not come over the river (7.62)");
    all_over.crossing[block("sn_inf_2")] = state.crossing[block("sn_inf_1")];
    all_over.active = Faction::Axis;
    assert_eq!(over(&all_over), 2);
    all_over.weather = [Weather::Mud; 2];
    assert_eq!(over(&all_over), 3, "12.6");
    all_over.weather = [Weather::Snow; 2];
    assert_eq!(over(&all_over), 0, "frozen (12.6)");
}

#[test]
fn hits_beyond_fall_on_the_repulsed() {
    let mut editor =
        spain_with(&[("sn_hq_1", "Soria", 2), ("sn_inf_1", "Zaragoza", 2), ("sr_inf_1", "Zaragoza", 3)]);
    editor.entered_from(block("sn_inf_1"), hex(10, 21)).mark(block("sn_hq_1"), Mark::Active, true);
    let (state, context) = fight(&editor.finish(), &[1, 6, 3]);
    assert_eq!((state.at(block("sn_inf_1")), state.steps[block("sn_inf_1")]), (hex(10, 21), 1), "7.61");
    assert!(state.marked(Mark::REPULSED).is_empty(), "combat is over");
    assert!(!state.is_battle(at("Zaragoza")), "nobody holds on");
    used_up(&context);
}

#[test]
fn partial_hits_of_the_airstrike_run_on_and_stay_with_their_unit() {
    let hill = hex(10, 21);
    let mut editor = spain_with(&[
        ("sn_hq_1", "Burgos", 2),
        ("sn_inf_1", "Soria", 1),
        ("sr_inf_1", "Soria", 2),
        ("sr_inf_2", "Soria", 2),
    ]);
    editor.entered_from(block("sn_inf_1"), hex(9, 21)).mark(block("sn_hq_1"), Mark::Active, true);
    let mut state = editor.combat_of(Faction::Axis, &mut scripted(&[]));
    assert_eq!(state.phase, Phase::Airstrike);
    // The airstrike of value II fires double: one hit of two on one infantry; four dice of the defenders; one die of ours.
    let mut context = scripted(&[5, 1, 1, 1, 1, 1, 6]);
    play_alone(&mut state, Action::Strike(hill), &mut context);
    sandtable_core::Stepwise::end_idle_phase(spain(), &mut state, &mut context);
    assert_eq!(
        state.steps[block("sr_inf_1")] + state.steps[block("sr_inf_2")],
        3,
        "5 and 6 make a step (13.24)"
    );
    assert_eq!(volleys(&context)[0], (Volley::Air, 2, 1, 0));
    used_up(&context);
}

#[test]
fn the_original_defender_turns_his_blocks_round_and_the_attacker_does_not() {
    let state = attack_on_vitoria(&[("sn_inf_1", 2)], &[("sr_inf_1", 2)], true);
    let (state, _) = fight(&state, &[1, 1, 1, 1]);
    assert!(
        state.has(block("sn_inf_1"), Mark::Revealed) && !state.has(block("sr_inf_1"), Mark::Revealed),
        "7.12"
    );
}

#[test]
fn old_battles_are_fought_if_the_active_side_wants() {
    let mut editor =
        spain_with(&[("sn_hq_1", "Burgos", 2), ("sn_inf_1", "Vitoria", 2), ("sr_inf_1", "Vitoria", 2)]);
    editor.defends(VITORIA, Camp::Coalition);
    let mut state = editor.turn_of(Faction::Axis, &mut scripted(&[]));
    let mut context = scripted(&[]);
    play(&mut state, Action::Activate(Mode::Normal, BURGOS), &mut context);
    play(&mut state, Action::Pass, &mut context); // no more moves
    play(&mut state, Action::Pass, &mut context); // the headquarters supports
    play(&mut state, Action::Pass, &mut context); // without an airstrike
    assert_eq!((state.phase, legal(spain(), &state)), (Phase::ActiveBattle, vec![Action::Pass, Action::Yes]));
    // A counterattack: the defender of the hex is active, so the other fires first (7.23).
    let mut editor =
        spain_with(&[("sr_hq_1", "Pamplona", 2), ("sn_inf_1", "Vitoria", 2), ("sr_inf_1", "Vitoria", 2)]);
    editor.defends(VITORIA, Camp::Coalition);
    let mut state = editor.turn_of(Faction::Allies, &mut scripted(&[]));
    play(&mut state, Action::Activate(Mode::Normal, at("Pamplona")), &mut context);
    for _ in 0..3 {
        play(&mut state, Action::Pass, &mut context);
    }
    let mut context = scripted(&[6, 6, 1]);
    play_alone(&mut state, Action::Yes, &mut context);
    // Both dice hit the active infantry; it is gone before it fires.
    assert_eq!(state.at(block("sr_inf_1")), place::ELIMINATED);
    assert_eq!(volleys(&context), [(Volley::Defensive, 2, 2, 0)]);
}

#[test]
fn a_static_unit_of_no_strength_does_not_hold_a_hex_alone() {
    let state = attack_on_vitoria(&[("sn_inf_1", 2)], &[("sr_static_5", 0)], true);
    let (state, context) = fight(&state, &[]);
    assert_eq!(state.at(block("sr_static_5")), place::ELIMINATED, "2.27");
    used_up(&context);
}

#[test]
fn a_blitz_costs_two_steps_and_moves_twice() {
    let mut editor = spain_with(&[("sn_hq_1", "Burgos", 3), ("sn_inf_1", "Burgos", 2)]);
    let mut state = editor.turn_of(Faction::Axis, &mut scripted(&[]));
    let mut context = scripted(&[]);
    let inf = block("sn_inf_1");
    play(&mut state, Action::Activate(Mode::Blitz, BURGOS), &mut context);
    play(&mut state, Action::Unit(inf), &mut context);
    play(&mut state, Action::Go(VITORIA), &mut context);
    assert!(state.blitz, "no battles: Blitz Movement follows (4.34)");
    assert_eq!(state.steps[block("sn_hq_1")], 2, "5.6");
    assert!(legal(spain(), &state).contains(&Action::Unit(inf)), "it moves again");
    play(&mut state, Action::Unit(inf), &mut context);
    play(&mut state, Action::Go(hex(11, 20)), &mut context);
    assert_eq!(state.phase, Phase::Mobilisation, "after Blitz Movement it may mobilise (5.6)");
    play_alone(&mut state, Action::Go(BURGOS), &mut context);
    assert_eq!(state.steps[block("sn_hq_1")], 1);
}
