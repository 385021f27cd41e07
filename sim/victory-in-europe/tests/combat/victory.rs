//! Regroup, exploitation, landing, and what falls with an area (5.61, 5.8, 6.22, 11.33).

use sandtable_victory_in_europe::rules::{Entry, Standing};
use sandtable_victory_in_europe::{Action, Nation, Pending, Phase, Place, Team};

use crate::bench::{Bench, assault, map, place, unit};

/// Guderian and an army attack a step of Soviet infantry at Kursk and beat it with their first die.
fn breakthrough(editor: &mut sandtable_victory_in_europe::editor::Editor<'_>, leader: u8) {
    editor.control("orel", Nation::Germany);
    let attackers = [("ger_pz_1a", 4, "orel"), ("ger_ldr_guderian", leader, "orel")];
    assault(editor, Team::Axis, "kursk", &attackers, &[("su_inf3_1", 1)]);
}

#[test]
fn the_winner_regroups_to_friendly_and_empty_areas() {
    let mut editor = map();
    breakthrough(&mut editor, 0);
    editor.place("su_guard_1", "voronezh", 4);
    let mut bench = Bench::new(&mut editor, &[1, 6, 6, 6]);
    bench.until(|pending| pending == Pending::Regroup);
    let tanks = unit("ger_pz_1a");
    let goals: Vec<Place> = bench
        .legal()
        .into_iter()
        .filter_map(|action| match action {
            Action::Move(unit, to) if unit == tanks => Some(to),
            _ => None,
        })
        .collect();
    let mut expected = ["bryansk", "orel", "kharkov"].map(place);
    expected.sort_unstable();
    assert_eq!(goals, expected, "not where the enemy stands");
    assert!(!bench.legal().contains(&Action::Exploit), "a leader at step zero");
    bench.play(Action::Move(tanks, place("kharkov")));
    assert_eq!(bench.state.controller(place("kharkov")), Nation::Germany);
    assert_eq!(bench.state.controller(place("kursk")), Nation::Germany);
}

#[test]
fn factories_fall_with_their_area() {
    let mut editor = map();
    breakthrough(&mut editor, 0);
    editor.factory("kursk", 1);
    let mut bench = Bench::new(&mut editor, &[1, 6, 6, 6]);
    bench.finish();
    assert_eq!(bench.state.factory(place("kursk")), 0);
}

#[test]
fn e_27_a_leader_exploits_two_victories() {
    let mut editor = map();
    breakthrough(&mut editor, 2);
    editor.place("su_inf3_2", "voronezh", 1).place("su_inf3_3", "tula", 1).place("su_inf3_4", "penza", 1);
    let faces = [[1, 6, 6, 6].as_slice(), &[1, 6, 6, 6], &[1, 6, 6, 6]].concat();
    let mut bench = Bench::new(&mut editor, &faces);
    let (tanks, leader) = (unit("ger_pz_1a"), unit("ger_ldr_guderian"));
    bench.until(|pending| pending == Pending::Regroup).play(Action::Exploit);
    assert_eq!(bench.steps("ger_ldr_guderian"), 1);
    assert_eq!(bench.state.pending, Pending::Exploit(leader));
    assert!(bench.legal().contains(&Action::Move(tanks, place("kharkov"))), "empty");
    bench.play(Action::Move(tanks, place("voronezh"))).play(Action::Move(leader, place("voronezh")));
    bench.until(|pending| pending == Pending::Regroup);
    let battle = bench.battles()[1];
    assert!(battle.exploitation && battle.won && battle.rounds == 1);
    bench.play(Action::Exploit);
    assert_eq!(bench.steps("ger_ldr_guderian"), 0);
    bench.play(Action::Move(tanks, place("penza"))).play(Action::Move(leader, place("penza")));
    bench.until(|pending| pending == Pending::Regroup);
    assert!(!bench.legal().contains(&Action::Exploit));
    bench.finish().dice_fit();
    assert_eq!(bench.state.controller(place("penza")), Nation::Germany);
}

#[test]
fn an_exploitation_starts_one_new_battle_of_one_round_that_blitz_extends() {
    let mut editor = map();
    breakthrough(&mut editor, 2);
    editor.place("ger_inf_4a", "kursk", 4).entered("ger_inf_4a", "bryansk", 0);
    editor.place("su_guard_1", "voronezh", 4).place("su_guard_2", "kharkov", 4);
    let mut bench = Bench::new(&mut editor, &[1; 60]);
    bench.until(|pending| pending == Pending::Regroup).play(Action::Exploit);
    let (first, leader) = (unit("ger_inf_4a"), unit("ger_ldr_guderian"));
    bench.play(Action::Move(first, place("voronezh")));
    let second_battle = Action::Move(unit("ger_pz_1a"), place("kharkov"));
    assert!(!bench.legal().contains(&second_battle), "one new battle");
    bench.play(Action::Move(leader, place("voronezh")));
    bench.until(|pending| matches!(pending, Pending::Fire(_)));
    assert_eq!((bench.state.battle.round, bench.state.battle.exploitation), (1, true));
}

#[test]
fn two_blitz_actions_a_leader_and_turn() {
    // One extra round and one exploitation: no more, whatever steps he has left.
    let mut editor = map();
    editor.control("orel", Nation::Germany);
    let attackers = [("ger_pz_1a", 4, "orel"), ("ger_ldr_guderian", 2, "orel")];
    assault(&mut editor, Team::Axis, "kursk", &attackers, &[("su_inf3_1", 3)]);
    let leader = unit("ger_ldr_guderian");
    let faces = [[6; 4 + 2 + 3].as_slice(), &[6; 4 + 2 + 3], &[1; 4]].concat();
    let mut bench = Bench::new(&mut editor, &faces);
    bench.until(|pending| pending == Pending::Extend(leader)).play(Action::Extend);
    bench.until(|pending| pending == Pending::Regroup).play(Action::Exploit);
    assert_eq!(bench.steps("ger_ldr_guderian"), 0);
}

#[test]
fn a_victorious_defender_exploits_too() {
    let mut editor = map();
    editor.control("orel", Nation::Germany);
    let defenders = [("su_guard_1", 4), ("su_ldr_zhukov", 2)];
    assault(&mut editor, Team::Axis, "kursk", &[("ger_inf_4a", 1, "orel")], &defenders);
    let mut bench = Bench::new(&mut editor, &[1, 6]);
    bench.until(|pending| pending == Pending::Regroup);
    assert!(bench.legal().contains(&Action::Exploit));
    bench.play(Action::Exploit).play(Action::Move(unit("su_guard_1"), place("orel"))).finish();
    assert_eq!(bench.state.controller(place("orel")), Nation::Ussr, "empty, taken on the way");
}

#[test]
fn exploiting_units_reinforce_a_disputed_area_in_its_second_round() {
    let mut editor = map();
    breakthrough(&mut editor, 2);
    assault(&mut editor, Team::Axis, "voronezh", &[("ger_inf_4a", 4, "orel")], &[("su_guard_1", 4)]);
    let mut bench = Bench::new(&mut editor, &[[1, 6, 6, 6].as_slice(), &[6; 60]].concat());
    bench.play(Action::Fight(place("kursk"))).until(|pending| pending == Pending::Regroup);
    let tanks = unit("ger_pz_1a");
    bench.play(Action::Exploit).play(Action::Move(tanks, place("voronezh")));
    bench.until(|pending| matches!(pending, Pending::Fire(_)));
    assert_eq!((bench.state.battle.place, bench.state.battle.round), (place("voronezh"), 1));
    let shooters = |bench: &Bench| bench.shots()[1..].iter().any(|shot| shot.0 == tanks);
    bench.until(|pending| pending == Pending::Fire(tanks));
    assert_eq!(bench.state.battle.round, 2);
    assert!(!shooters(&bench));
    bench.finish();
    assert!(bench.state.disputed().is_empty() && shooters(&bench));
    assert!(!bench.battles()[1].exploitation);
}

#[test]
fn exploiting_attackers_find_a_battle_that_lasts_until_they_arrive() {
    // Over the strait alone it would last one round (1.7).
    let mut editor = map();
    editor.control("istanbul", Nation::Germany).control("mysia", Nation::Britain);
    editor.control("bulgaria", Nation::Britain);
    let defenders = [("ger_pz_1a", 4), ("ger_ldr_guderian", 2)];
    assault(&mut editor, Team::Allies, "istanbul", &[("gb_inf_bef", 1, "bulgaria")], &defenders);
    assault(&mut editor, Team::Axis, "mysia", &[("ger_inf_4a", 4, "istanbul")], &[("gb_inf_8a", 3)]);
    let mut bench = Bench::new(&mut editor, &[[1, 6, 6, 6].as_slice(), &[6; 40]].concat());
    bench.play(Action::Fight(place("istanbul"))).until(|pending| pending == Pending::Regroup);
    let tanks = unit("ger_pz_1a");
    bench.play(Action::Exploit).play(Action::Move(tanks, place("mysia")));
    bench.until(|pending| pending == Pending::Fire(tanks));
    assert!(bench.is_on(), "R-121");
    assert_eq!((bench.state.battle.place, bench.state.battle.round), (place("mysia"), 2));
}

#[test]
fn an_exploitation_that_has_started_a_battle_declares_no_war() {
    let mut editor = map();
    editor.control("bulgaria", Nation::Britain).control("athens", Nation::Britain);
    let attackers =
        [("ger_pz_1a", 4, "bucharest"), ("ger_inf_4a", 4, "belgrade"), ("ger_ldr_guderian", 2, "bucharest")];
    assault(&mut editor, Team::Axis, "bulgaria", &attackers, &[("gb_inf_bef", 1)]);
    editor.place("gb_inf_8a", "athens", 3);
    let mut bench = Bench::new(&mut editor, &[1; 60]);
    bench.until(|pending| pending == Pending::Regroup).play(Action::Exploit);
    let war = Action::Move(unit("ger_pz_1a"), place("istanbul"));
    assert!(bench.legal().contains(&war), "a new battle (10.1)");
    bench.play(Action::Move(unit("ger_inf_4a"), place("athens")));
    assert!(!bench.legal().contains(&war), "one new battle (5.61)");
}

#[test]
fn the_soviets_take_what_the_pact_leaves_them_in_an_exploitation_too() {
    let mut editor = map();
    editor.entry(Nation::Ussr, Entry::Neutral).standing(
        Nation::Romania,
        Standing::Defending,
        Nation::Germany,
    );
    editor.standing(Nation::Sphere, Standing::Neutral, Nation::Sphere);
    editor.control("bessarabia", Nation::Romania).control("lvov", Nation::Sphere);
    let attackers = [("su_guard_1", 4, "kiev"), ("su_ldr_zhukov", 2, "kiev")];
    assault(&mut editor, Team::Allies, "bessarabia", &attackers, &[("rum_inf_1a", 1)]);
    let mut bench = Bench::new(&mut editor, &[1; 20]);
    bench.until(|pending| pending == Pending::Regroup).play(Action::Exploit);
    bench.play(Action::Move(unit("su_guard_1"), place("lvov")));
    assert_eq!(bench.state.controller(place("lvov")), Nation::Ussr, "13");
    assert_eq!(bench.state.politics.ussr, Entry::Neutral);
}

#[test]
fn western_units_and_soviets_exploit_into_no_battle_of_the_others() {
    let british = ["gb_inf_bef", "gb_ldr_montgomery", "gb_inf_8a"];
    let soviets = ["su_guard_1", "su_ldr_zhukov", "su_guard_2"];
    for (winners, others, shared) in [
        (british, soviets, false),
        (soviets, british, false),
        (soviets, soviets, true),
        (british, british, true),
    ] {
        let mut editor = map();
        let [army, leader, _] = winners;
        let home = if winners == british { Nation::Britain } else { Nation::Ussr };
        editor.control("orel", home).control("kursk", Nation::Germany).control("voronezh", Nation::Germany);
        assault(
            &mut editor,
            Team::Allies,
            "kursk",
            &[(army, 3, "orel"), (leader, 2, "orel")],
            &[("ger_inf_1a", 1)],
        );
        assault(&mut editor, Team::Allies, "voronezh", &[(others[2], 3, "tula")], &[("ger_inf_4a", 4)]);
        let mut bench = Bench::new(&mut editor, &[[1, 1, 1, 1, 1].as_slice(), &[6; 60]].concat());
        bench.play(Action::Fight(place("kursk"))).until(|pending| pending == Pending::Regroup);
        bench.play(Action::Exploit);
        let joins = bench.legal().contains(&Action::Move(unit(army), place("voronezh")));
        assert_eq!(joins, shared, "{army} beside {} (R-43)", others[2]);
    }
}

#[test]
fn outlasting_a_raid_is_no_victory() {
    let mut editor = map();
    editor.place("ger_mb_he111_1", "kursk", 3).place("su_guard_1", "kursk", 4).place(
        "su_ldr_zhukov",
        "kursk",
        2,
    );
    editor.attack(Team::Axis, "kursk").first(Team::Axis);
    let mut bench = Bench::new(&mut editor, &[6; 40]);
    bench.until(|pending| pending == Pending::Regroup);
    assert!(!bench.is_on());
}

#[test]
fn aircraft_land_where_their_side_has_room() {
    let mut editor = map();
    breakthrough(&mut editor, 0);
    // One has fought and may stay in the conquered area or fly on; one flies over the sea and must land.
    editor.place("ger_fa_me109_1", "kursk", 3).place("ger_nb_condor", "north_sea", 3);
    let mut bench = Bench::new(&mut editor, &[1, 6, 6, 1, 6, 6, 6]);
    let (fighter, bomber) = (unit("ger_fa_me109_1"), unit("ger_nb_condor"));
    bench.until(|pending| pending == Pending::Land(fighter));
    assert_eq!(bench.state.phase, Phase::Landing);
    assert!(bench.legal().contains(&Action::Pass));
    assert!(bench.legal().contains(&Action::Retreat(place("orel"), 0)));
    assert!(!bench.legal().contains(&Action::Retreat(place("voronezh"), 0)), "enemy");
    bench.play(Action::Pass).until(|pending| pending == Pending::Land(bomber));
    assert!(!bench.legal().contains(&Action::Pass));
    assert!(
        bench.legal().iter().all(|action| matches!(action, Action::Retreat(to, 0) if *to != Place::NONE))
    );
    bench.play(Action::Retreat(place("hamburg"), 0)).finish();
    assert!(bench.is_at("ger_nb_condor", "hamburg") && bench.is_at("ger_fa_me109_1", "kursk"));
}

#[test]
fn the_winner_sails_to_friendly_ports_over_friendly_seas() {
    let goals = |ship: bool| {
        let mut editor = map();
        editor.control("brest", Nation::Britain);
        if ship {
            editor.place("gb_ca_1", "english_channel", 3);
        }
        let attackers = [("gb_inf_bef", 3, "brest")];
        assault(&mut editor, Team::Allies, "le_havre", &attackers, &[("ger_inf_1a", 1)]);
        let mut bench = Bench::new(&mut editor, &[6, 1, 6, 6]);
        bench.until(|pending| pending == Pending::Regroup);
        bench.legal()
    };
    let home = Action::Move(unit("gb_inf_bef"), place("southampton"));
    assert!(goals(true).contains(&home), "7.6");
    assert!(!goals(false).contains(&home), "an empty sea is not friendly");
}

#[test]
fn an_exploitation_takes_empty_areas_beside_its_battle() {
    let mut editor = map();
    breakthrough(&mut editor, 2);
    editor.place("ger_inf_4a", "kursk", 4).entered("ger_inf_4a", "bryansk", 0);
    editor.place("su_guard_1", "voronezh", 4);
    let mut bench = Bench::new(&mut editor, &[1; 60]);
    bench.until(|pending| pending == Pending::Regroup).play(Action::Exploit);
    bench.play(Action::Move(unit("ger_inf_4a"), place("voronezh")));
    bench.play(Action::Move(unit("ger_pz_1a"), place("kharkov")));
    assert_eq!(bench.state.controller(place("kharkov")), Nation::Germany, "one or more areas (5.61)");
}
