//! Firepower, targets, hits (5.2 to 5.5, 6.3).

use sandtable_victory_in_europe::rules::Target;
use sandtable_victory_in_europe::state::mark;
use sandtable_victory_in_europe::{Action, Nation, Pending, Place, Team, UnitId};

use crate::bench::{Bench, assault, map, place, unit};

fn is_fire_of(id: &str) -> impl Fn(Pending) -> bool {
    let unit = unit(id);
    move |pending| pending == Pending::Fire(unit)
}

#[test]
fn e_01_to_e_04_a_die_a_step_and_infantry_in_a_forest_gains_one() {
    let mut editor = map();
    editor.control("minsk", Nation::Ussr);
    assault(&mut editor, Team::Axis, "minsk", &[("ger_pz_2a", 3, "brest_litovsk")], &[("su_guard_1", 4)]);
    // Armour is of class C and fires before the defending infantry of class D.
    let mut bench = Bench::new(&mut editor, &[4, 4, 2, 1, 2, 3, 6]);
    bench.shoot("ger_pz_2a", Target::Army);
    assert_eq!((bench.first_shot("ger_pz_2a"), bench.steps("su_guard_1")), ((2, 3), 3));
    bench.shoot("su_guard_1", Target::Army);
    assert_eq!(bench.first_shot("su_guard_1"), (3, 3));
    assert_eq!(bench.shots()[1].4, 3, "1, 2 and 3 hit at firepower 3");
    assert!(bench.is_off("ger_pz_2a"));
}

#[test]
fn e_02_faces_up_to_the_firepower_hit() {
    let mut editor = map();
    assault(&mut editor, Team::Axis, "kursk", &[("ger_pz_1a", 4, "orel")], &[("su_guard_1", 4)]);
    let mut bench = Bench::new(&mut editor, &[1, 2, 3, 6]);
    bench.shoot("ger_pz_1a", Target::Army);
    assert_eq!((bench.shots()[0].4, bench.steps("su_guard_1")), (2, 2));
}

#[test]
fn e_03_gibraltar_hits_ships_with_three() {
    let mut editor = map();
    editor.place("ita_bb", "gibraltar", 3).place("fort_gibraltar", "gibraltar", 3);
    editor.attack(Team::Axis, "gibraltar").first(Team::Axis);
    let mut bench = Bench::new(&mut editor, &[3, 4, 3, 6, 4, 4, 4, 6]);
    bench.finish().dice_fit();
    assert_eq!(bench.shots()[0], (unit("fort_gibraltar"), Target::Surface, 3, 3, 2));
}

#[test]
fn e_05_e_06_secondary_targets_cost_a_point_and_weak_units_have_none() {
    // Invaders are naval targets while an enemy ship lies off the coast: secondary for infantry.
    for (defender, fires) in [("gb_inf_bef", true), ("gb_inf_hg_1", false)] {
        let mut editor = map();
        assault(
            &mut editor,
            Team::Axis,
            "southampton",
            &[("ger_inf_4a", 4, "english_channel")],
            &[(defender, 2)],
        );
        editor.place("gb_ca_1", "southampton", 2).entered("ger_inf_4a", "english_channel", mark::INVADES);
        editor.state_mut().invasion.coast[0] = 1;
        let mut bench = Bench::new(&mut editor, &[6, 6, 6, 6]);
        bench.shoot("gb_ca_1", Target::Surface);
        if fires {
            bench.shoot(defender, Target::Surface);
            assert_eq!(bench.first_shot(defender), (1, 2));
        } else {
            bench.finish();
            assert!(bench.shots().iter().all(|shot| shot.0 != unit(defender)));
        }
    }
}

#[test]
fn e_07_e_08_winter_levels_firepower_and_the_forest_still_helps() {
    let mut editor = map();
    editor.turn(10).control("minsk", Nation::Ussr);
    assault(&mut editor, Team::Axis, "minsk", &[("ger_pz_2a", 3, "brest_litovsk")], &[("su_guard_1", 4)]);
    editor.place("ger_fa_me109_1", "minsk", 3);
    let mut bench = Bench::new(&mut editor, &[2; 10]);
    bench.until(is_fire_of("su_guard_1"));
    // The fighter has attacked the army, which may therefore fire at it: a secondary target.
    assert_eq!(bench.first_shot("ger_fa_me109_1"), (1, 3));
    assert_eq!(bench.first_shot("ger_pz_2a"), (1, 3));
    let fires: Vec<_> =
        bench.legal().into_iter().filter(|action| matches!(action, Action::Fire(_))).collect();
    assert_eq!(fires, [Action::Fire(Target::Air), Action::Fire(Target::Army)]);
    bench.play(Action::Fire(Target::Air));
    assert_eq!(bench.first_shot("su_guard_1"), (1, 4));
    // In clear terrain a secondary target is out of reach.
    let mut editor = map();
    editor.turn(10);
    assault(&mut editor, Team::Axis, "kursk", &[("ger_pz_2a", 3, "orel")], &[("su_guard_1", 4)]);
    editor.place("ger_fa_me109_1", "kursk", 3);
    let mut bench = Bench::new(&mut editor, &[2; 10]);
    bench.until(is_fire_of("su_guard_1"));
    assert!(!bench.legal().contains(&Action::Fire(Target::Air)));
    bench.play(Action::Fire(Target::Army));
    assert_eq!(bench.first_shot("su_guard_1"), (1, 4));
}

#[test]
fn fighters_attack_armies_at_full_strength_where_no_enemy_flies() {
    for (enemy_flies, fire) in [(false, 2), (true, 1)] {
        let mut editor = map();
        assault(&mut editor, Team::Axis, "kursk", &[("ger_pz_2a", 3, "orel")], &[("su_guard_1", 4)]);
        editor.place("ger_fa_me109_1", "kursk", 2);
        if enemy_flies {
            editor.place("su_fa_yak1_1", "kursk", 1);
        }
        let dice = if enemy_flies { 3 } else { 2 };
        let mut bench = Bench::new(&mut editor, &[6; 3][..dice]);
        if enemy_flies {
            bench.shoot("su_fa_yak1_1", Target::Air);
        }
        bench.shoot("ger_fa_me109_1", Target::Army);
        assert_eq!(bench.first_shot("ger_fa_me109_1"), (fire, 2));
        bench.dice_fit();
    }
}

#[test]
fn armies_fire_only_at_aircraft_that_attacked_them() {
    let mut editor = map();
    assault(&mut editor, Team::Axis, "kursk", &[("ger_pz_2a", 3, "orel")], &[("su_guard_1", 4)]);
    editor.place("ger_fa_me109_1", "kursk", 2).place("su_fa_yak1_1", "kursk", 1);
    let mut bench = Bench::new(&mut editor, &[6; 20]);
    bench.shoot("ger_fa_me109_1", Target::Air);
    bench.until(is_fire_of("su_guard_1"));
    assert!(!bench.legal().contains(&Action::Fire(Target::Air)), "it fought aircraft");
    bench.play(Action::Fire(Target::Army));
    bench.shoot("ger_fa_me109_1", Target::Army);
    bench.until(is_fire_of("su_guard_1"));
    assert!(bench.legal().contains(&Action::Fire(Target::Air)), "it fought the army");
}

#[test]
fn bombs_leave_a_military_unit_its_last_step() {
    let mut editor = map();
    editor.place("ger_db_stuka", "kursk", 3).place("su_guard_1", "kursk", 2).place(
        "su_ldr_zhukov",
        "kursk",
        1,
    );
    editor.attack(Team::Axis, "kursk").first(Team::Axis);
    // Three hits: the army to 1, the leader to 0, the third is lost; nothing is left to hit in the second round.
    let mut bench = Bench::new(&mut editor, &[1, 1, 1, 6]);
    bench.shoot("su_guard_1", Target::Air);
    assert_eq!((bench.steps("su_guard_1"), bench.steps("su_ldr_zhukov")), (1, 0));
    bench.finish().dice_fit();
    assert_eq!((bench.battles()[0].hits, bench.battles()[0].lost), ([3, 0], [0, 2]));
}

#[test]
fn bombers_keep_to_the_target_they_announced() {
    let mut editor = map();
    editor.place("gb_mb_wellington", "cologne", 3).place("ger_inf_1a", "cologne", 3).factory("cologne", 1);
    editor.attack(Team::Allies, "cologne").first(Team::Allies);
    let mut bench = Bench::new(&mut editor, &[6, 1, 1, 1]);
    let bomber = unit("gb_mb_wellington");
    bench.until(|pending| pending == Pending::Announce(bomber));
    assert_eq!(bench.legal(), [Action::Announce(Target::Army), Action::Announce(Target::Factory)]);
    bench.play(Action::Announce(Target::Factory)).until(|pending| pending == Pending::Fire(bomber));
    let fires: Vec<_> =
        bench.legal().into_iter().filter(|action| matches!(action, Action::Fire(_))).collect();
    assert_eq!(fires, [Action::Fire(Target::Factory)]);
    bench.play(Action::Fire(Target::Factory));
    assert_eq!(
        (bench.state.factory(place("cologne")), bench.steps("ger_inf_1a")),
        (0, 3),
        "surplus hits are lost"
    );
}

#[test]
fn hits_fall_on_the_strongest_and_the_owner_chooses_among_equals() {
    let mut editor = map();
    assault(
        &mut editor,
        Team::Axis,
        "kursk",
        &[("ger_pz_1a", 4, "orel")],
        &[("su_guard_1", 3), ("su_guard_2", 3), ("su_inf3_1", 1)],
    );
    let mut bench = Bench::new(&mut editor, &[1, 1, 6, 6]);
    bench.shoot("ger_pz_1a", Target::Army);
    assert_eq!(bench.state.pending, Pending::Hit(Team::Allies as u8));
    assert_eq!(bench.legal(), [Action::Take(unit("su_guard_1")), Action::Take(unit("su_guard_2"))]);
    bench.play(Action::Take(unit("su_guard_2")));
    // The second hit finds one strongest unit.
    let steps = ["su_guard_1", "su_guard_2", "su_inf3_1"].map(|id| bench.steps(id));
    assert_eq!(steps, [2, 2, 1]);
}

#[test]
fn e_31_a_leader_dies_of_a_hit_on_his_zero_step() {
    for (hits, dead) in [(2, false), (3, true)] {
        let mut editor = map();
        assault(&mut editor, Team::Axis, "kursk", &[("ger_pz_1a", 4, "orel")], &[("su_ldr_zhukov", 2)]);
        let faces = [vec![6; 2], vec![1; hits], vec![6; 4 - hits]].concat();
        let mut bench = Bench::new(&mut editor, &faces);
        bench.shoot("ger_pz_1a", Target::Army);
        assert_eq!((bench.is_off("su_ldr_zhukov"), bench.steps("su_ldr_zhukov")), (dead, 0));
        bench.dice_fit();
        let pool = Place::POOL;
        assert!(!dead || bench.state.location(unit("su_ldr_zhukov")) == pool, "to be built again");
    }
}

#[test]
fn e_32_e_33_double_defence_takes_two_hits_a_step() {
    let mut editor = map();
    editor.control("mariupol", Nation::Germany);
    assault(
        &mut editor,
        Team::Axis,
        "sevastopol",
        &[("ger_pz_1a", 3, "mariupol")],
        &[("fort_sevastopol", 2)],
    );
    let mut bench = Bench::new(&mut editor, &[6, 6, 1, 6, 6, 6, 6, 1, 1, 6]);
    let fort = unit("fort_sevastopol");
    bench.shoot("ger_pz_1a", Target::Army);
    assert_eq!((bench.steps("fort_sevastopol"), bench.state.has_half_hit(fort)), (2, true));
    bench.shoot("ger_pz_1a", Target::Army);
    // Two more: a whole step, and half of the next; the winner is whole again.
    bench.until(|pending| matches!(pending, Pending::Withdraw(_)));
    assert_eq!((bench.steps("fort_sevastopol"), bench.state.has_half_hit(fort)), (1, false));
    bench.dice_fit();
}

#[test]
fn infantry_defends_mountains_twice_as_hard_and_pays_when_it_retreats() {
    let mut editor = map();
    editor.control("zagreb", Nation::Germany).control("sarajevo", Nation::Germany);
    assault(&mut editor, Team::Allies, "sarajevo", &[("su_tk_t34_1", 3, "belgrade")], &[("ger_inf_1a", 3)]);
    editor.control("belgrade", Nation::Ussr);
    let mut bench = Bench::new(&mut editor, &[1, 6, 6]);
    bench.shoot("su_tk_t34_1", Target::Army);
    assert_eq!((bench.steps("ger_inf_1a"), bench.state.has_half_hit(unit("ger_inf_1a"))), (3, true));
    bench.play(Action::Retreat(Place::NONE, 0));
    // One step for the first round, one for the half hit.
    bench.until(|pending| !matches!(pending, Pending::Withdraw(_)));
    assert_eq!((bench.steps("ger_inf_1a"), bench.is_at("ger_inf_1a", "sarajevo")), (1, false));
}

#[test]
fn paratroops_are_aircraft_until_they_jump() {
    let mut editor = map();
    assault(
        &mut editor,
        Team::Axis,
        "kursk",
        &[("ger_inf_4a", 3, "orel"), ("ger_para", 2, "bryansk")],
        &[("su_tk_t34_1", 3)],
    );
    editor.place("su_fa_yak1_1", "kursk", 3).state_mut().set_jumped(unit("ger_para"), true);
    let mut bench = Bench::new(&mut editor, &[2, 6, 6, 6, 6, 6, 1, 6, 6, 6, 6]);
    bench.until(is_fire_of("su_fa_yak1_1"));
    bench.play(Action::Fire(Target::Air));
    assert_eq!(bench.steps("ger_para"), 1, "shot in the air");
    bench.shoot("su_tk_t34_1", Target::Army);
    assert_eq!(bench.steps("ger_para"), 1, "not yet on the ground");
    // With one step left it does not retreat in the first round: it has jumped and fired.
    assert_eq!((bench.first_shot("ger_para"), bench.steps("su_tk_t34_1")), ((1, 1), 2));
}

#[test]
fn e_36_lancaster_over_berlin() {
    let mut editor = map();
    editor.place("gb_hb_lancaster", "berlin", 4).factory("berlin", 2);
    editor.attack(Team::Allies, "berlin").first(Team::Allies);
    let mut bench = Bench::new(&mut editor, &[1, 2, 1, 3, 4, 6, 3, 2, 5]);
    bench.until(|pending| matches!(pending, Pending::Withdraw(_)));
    assert_eq!(bench.state.factory(place("berlin")), 0);
    let lancaster = unit("gb_hb_lancaster");
    let expected = [
        (UnitId::NONE, Target::Air, 1, 2, 1),
        (lancaster, Target::Factory, 2, 3, 1),
        (UnitId::NONE, Target::Air, 1, 1, 0),
        (lancaster, Target::Factory, 2, 3, 1),
    ];
    assert_eq!(bench.shots(), expected);
    bench.play(Action::Retreat(place("london"), 0)).finish().dice_fit();
    assert!(bench.is_at("gb_hb_lancaster", "london"));
    assert_eq!(bench.steps("gb_hb_lancaster"), 3);
    let battle = bench.battles()[0];
    assert_eq!((battle.rounds, battle.won, battle.units, battle.lost), (2, false, [1, 0], [1, 0]));
}

#[test]
fn who_attacks_mountains_has_no_double_defence() {
    let mut editor = map();
    editor.control("belgrade", Nation::Ussr).control("sarajevo", Nation::Germany);
    let attackers = [("su_guard_1", 4, "belgrade")];
    assault(&mut editor, Team::Allies, "sarajevo", &attackers, &[("ger_inf_1a", 1)]);
    let mut bench = Bench::new(&mut editor, &[1, 6, 6, 6, 6, 6, 6, 6]);
    bench.shoot("ger_inf_1a", Target::Army);
    assert_eq!((bench.steps("su_guard_1"), bench.state.has_half_hit(unit("su_guard_1"))), (3, false));
}

#[test]
fn the_second_half_goes_to_the_unit_with_the_first_not_to_a_stronger_one() {
    let hit = |stronger: &str, dice: &[u32]| {
        let mut editor = map();
        editor.control("belgrade", Nation::Ussr).control("sarajevo", Nation::Germany);
        let defenders = [("ger_inf_1a", 2), (stronger, 3)];
        assault(&mut editor, Team::Allies, "sarajevo", &[("su_tk_t34_1", 1, "belgrade")], &defenders);
        editor.state_mut().set_half_hit(unit("ger_inf_1a"), true);
        let mut bench = Bench::new(&mut editor, dice);
        // Whoever has one kind of target and cannot leave is not asked.
        if bench.shots().is_empty() {
            bench.shoot("su_tk_t34_1", Target::Army);
        }
        (bench.steps("ger_inf_1a"), bench.steps(stronger))
    };
    // infantry in mountains has Double Defence, armour has not and takes the hit as the strongest.
    assert_eq!(hit("ger_inf_8a", &[1]), (1, 3));
    // Armour fires first, and misses.
    assert_eq!(hit("ger_pz_1a", &[6, 6, 6, 1]), (2, 2));
}
