//! The order of battles, rounds, reinforcements, Blitz combat (5.1, 5.2, 4.4, 1.7, 5.61, 6.21).

use sandtable_victory_in_europe::rules::Target;
use sandtable_victory_in_europe::state::mark;
use sandtable_victory_in_europe::{Action, Nation, Pending, Place, Team, UnitId};

use crate::bench::{Bench, assault, map, place, unit};

fn fire(id: &str) -> impl Fn(Pending) -> bool {
    let unit = unit(id);
    move |pending| pending == Pending::Fire(unit)
}

#[test]
fn raids_of_player_one_come_first() {
    let mut editor = map();
    assault(&mut editor, Team::Axis, "kursk", &[("ger_pz_2a", 3, "orel")], &[("su_guard_1", 4)]);
    assault(&mut editor, Team::Axis, "kharkov", &[("ger_pz_3a", 3, "kiev")], &[("su_guard_2", 4)]);
    editor.place("ger_db_stuka", "stalino", 3).place("su_guard_3", "stalino", 4);
    editor.place("ger_mb_he111_1", "rostov", 3).place("su_guard_4", "rostov", 4);
    editor.attack(Team::Axis, "stalino").attack(Team::Axis, "rostov");
    let mut bench = Bench::new(&mut editor, &[6; 200]);
    let fights = |ids: [&str; 2]| ids.map(|id| Action::Fight(place(id))).to_vec();
    let mut raids = fights(["stalino", "rostov"]);
    raids.sort();
    assert_eq!(bench.legal(), raids);
    bench.play(Action::Fight(place("rostov"))).until(|pending| pending == Pending::None);
    let mut others = fights(["kursk", "kharkov"]);
    others.sort();
    assert_eq!(bench.legal(), others, "one raid was left and was fought");
    bench.finish();
    assert!(bench.state.disputed().is_empty());
    assert_eq!(bench.battles().len(), 4);
}

#[test]
fn two_rounds_then_the_attacker_leaves() {
    let mut editor = map();
    assault(&mut editor, Team::Axis, "kursk", &[("ger_pz_2a", 3, "orel")], &[("su_guard_1", 4)]);
    editor.control("bryansk", Nation::Ussr);
    let mut bench = Bench::new(&mut editor, &[6; 14]);
    bench.finish().dice_fit();
    assert!(bench.is_at("ger_pz_2a", "orel") && bench.is_at("su_guard_1", "kursk"));
    assert_eq!((bench.battles()[0].rounds, bench.battles()[0].won), (2, false));
    assert_eq!(bench.battles()[0].lost, [0, 0], "a retreat at the end is free");
}

#[test]
fn an_attack_over_straits_alone_has_one_round() {
    for (second, rounds) in [(None, 1), (Some("rostov"), 2)] {
        let mut editor = map();
        editor.control("sevastopol", Nation::Germany).control("rostov", Nation::Germany);
        let attackers = [("ger_inf_4a", 3, "sevastopol")];
        assault(&mut editor, Team::Axis, "novorossiysk", &attackers, &[("su_inf3_1", 3)]);
        if let Some(from) = second {
            editor.place("ger_inf_1a", "novorossiysk", 3).entered("ger_inf_1a", from, 0);
        }
        let mut bench = Bench::new(&mut editor, &[6; 40]);
        bench.finish();
        assert_eq!(bench.battles()[0].rounds, rounds);
    }
}

#[test]
fn reinforcements_fight_from_the_second_round() {
    let mut editor = map();
    assault(
        &mut editor,
        Team::Axis,
        "kursk",
        &[("ger_inf_4a", 4, "orel")],
        &[("su_guard_1", 4), ("su_tk_t34_1", 3)],
    );
    editor.entered("su_tk_t34_1", "voronezh", mark::REINFORCES);
    let mut bench = Bench::new(&mut editor, &[6; 50]);
    bench.until(fire("su_guard_1"));
    assert!(!bench.state.has_mark(unit("su_tk_t34_1"), mark::KNOWN), "unseen");
    assert!(bench.state.has_mark(unit("su_guard_1"), mark::KNOWN));
    bench.play(Action::Fire(Target::Army)).shoot("ger_inf_4a", Target::Army);
    bench.until(fire("su_tk_t34_1"));
    assert!(bench.state.has_mark(unit("su_tk_t34_1"), mark::KNOWN));
    assert_eq!(bench.state.battle.round, 2);
}

#[test]
fn e_35_who_clears_the_area_first_defends_it_against_reinforcements() {
    let mut editor = map();
    let defenders = [("su_inf3_1", 1), ("su_guard_1", 4)];
    assault(
        &mut editor,
        Team::Axis,
        "kursk",
        &[("ger_pz_1a", 4, "orel"), ("ger_inf_4a", 4, "orel")],
        &defenders,
    );
    editor.entered("su_guard_1", "voronezh", mark::REINFORCES).control("orel", Nation::Germany);
    // Round 1: the tanks kill the line infantry. Round 2: the Germans are defenders now, in class D too.
    let faces = [[1, 6, 6, 6].as_slice(), &[6; 4], &[6; 4], &[6; 4]].concat();
    let mut bench = Bench::new(&mut editor, &faces);
    bench.finish();
    let order: Vec<UnitId> = bench.shots().iter().map(|shot| shot.0).collect();
    let expected = ["ger_pz_1a", "ger_pz_1a", "ger_inf_4a", "su_guard_1"].map(unit);
    assert_eq!(order, expected);
    bench.dice_fit();
    let battle = bench.battles()[0];
    assert!(battle.won && battle.attacker == Team::Axis);
    assert!(!bench.is_at("su_guard_1", "kursk"), "the reinforcement has retreated");
    assert_eq!(bench.state.controller(place("kursk")), Nation::Germany);
    assert!(
        bench.state.captured.contains(place("kursk")),
        "E-30: conquered resources count from the next turn"
    );
}

#[test]
fn reinforcements_attack_once_after_a_lost_strait() {
    // the attack over the strait wins in its only round; the reinforcement attacks in one more.
    let mut editor = map();
    editor.control("sevastopol", Nation::Germany);
    let defenders = [("su_inf3_1", 1), ("su_guard_1", 4)];
    assault(&mut editor, Team::Axis, "novorossiysk", &[("ger_pz_1a", 4, "sevastopol")], &defenders);
    editor.entered("su_guard_1", "grozny", mark::REINFORCES);
    let faces = [[1, 6, 6, 6].as_slice(), &[6; 4], &[6; 4]].concat();
    let mut bench = Bench::new(&mut editor, &faces);
    bench.finish().dice_fit();
    assert_eq!((bench.battles()[0].rounds, bench.battles()[0].won), (2, true));
}

#[test]
fn the_defender_may_win_back_what_fell_in_the_first_round() {
    let mut editor = map();
    let defenders = [("su_inf3_1", 1), ("su_guard_1", 4), ("su_guard_2", 4)];
    assault(&mut editor, Team::Axis, "kursk", &[("ger_pz_1a", 1, "orel")], &defenders);
    editor.entered("su_guard_1", "voronezh", mark::REINFORCES);
    editor.entered("su_guard_2", "voronezh", mark::REINFORCES);
    let mut bench = Bench::new(&mut editor, &[1, 6, 1, 6, 6, 6]);
    bench.finish().dice_fit();
    assert!(bench.is_off("ger_pz_1a"));
    assert_eq!(bench.state.controller(place("kursk")), Nation::Ussr);
    assert!(!bench.battles()[0].won);
}

#[test]
fn e_26_leaders_add_rounds_as_long_as_they_have_steps() {
    let mut editor = map();
    let attackers = [("ger_inf_4a", 4, "orel"), ("ger_ldr_guderian", 2, "orel")];
    assault(&mut editor, Team::Axis, "kursk", &attackers, &[("su_guard_1", 4)]);
    editor.control("orel", Nation::Germany);
    let mut bench = Bench::new(&mut editor, &[6; 80]);
    let leader = unit("ger_ldr_guderian");
    for (left, round) in [(1, 3), (0, 4)] {
        bench.until(|pending| pending == Pending::Extend(leader));
        assert_eq!(bench.legal(), [Action::Pass, Action::Extend]);
        bench.play(Action::Extend);
        assert_eq!((bench.steps("ger_ldr_guderian"), bench.state.battle.round), (left, round));
    }
    bench.finish();
    assert_eq!(bench.battles()[0].rounds, 4, "at step zero he orders nothing");
    assert_eq!(bench.battles()[0].lost, [2, 0]);
}

#[test]
fn the_defenders_leader_extends_nothing() {
    let mut editor = map();
    let defenders = [("su_guard_1", 4), ("su_ldr_zhukov", 2)];
    assault(&mut editor, Team::Axis, "kursk", &[("ger_inf_4a", 4, "orel")], &defenders);
    let mut bench = Bench::new(&mut editor, &[6; 80]);
    bench.until(|pending| matches!(pending, Pending::Extend(_)));
    assert!(!bench.is_on());
}

#[test]
fn an_area_with_aircraft_alone_falls_after_the_first_round() {
    let mut editor = map();
    assault(&mut editor, Team::Axis, "kursk", &[("ger_inf_4a", 4, "orel")], &[("su_fa_yak1_1", 3)]);
    let mut bench = Bench::new(&mut editor, &[6; 7]);
    bench.finish().dice_fit();
    assert_eq!(bench.battles()[0].rounds, 1);
    assert_eq!(bench.state.controller(place("kursk")), Nation::Germany);
    assert!(!bench.is_at("su_fa_yak1_1", "kursk") && !bench.is_off("su_fa_yak1_1"));
}

#[test]
fn battleships_paratroops_and_fortresses_are_lost_for_good() {
    let lands = |id: &str| {
        let mut editor = map();
        assault(&mut editor, Team::Axis, "kursk", &[("ger_pz_1a", 4, "orel")], &[(id, 1)]);
        Bench::new(&mut editor, &[1; 40]).finish().state.location(unit(id))
    };
    assert_eq!(["su_para", "fort_moscow"].map(lands), [Place::GONE; 2]);
    assert_eq!(["su_inf3_1", "su_guard_1"].map(lands), [Place::POOL; 2], "others are built again (2.2)");
    let sinks = |id: &str| {
        let mut editor = map();
        editor.place("ger_bb", "north_sea", 3).place(id, "north_sea", 1);
        editor.attack(Team::Axis, "north_sea").first(Team::Axis);
        Bench::new(&mut editor, &[1; 40]).finish().state.location(unit(id))
    };
    assert_eq!(["gb_bb_nelson", "gb_bc_hood", "gb_ca_1"].map(sinks), [Place::GONE, Place::POOL, Place::POOL]);
}

#[test]
fn battles_of_ships_at_sea_are_no_raids() {
    let mut editor = map();
    assault(&mut editor, Team::Axis, "kursk", &[("ger_pz_2a", 3, "orel")], &[("su_guard_1", 4)]);
    editor.place("ger_bb", "north_sea", 3).place("gb_ca_1", "north_sea", 3).attack(Team::Axis, "north_sea");
    let bench = Bench::new(&mut editor, &[6; 60]);
    let mut both = ["kursk", "north_sea"].map(|id| Action::Fight(place(id)));
    both.sort();
    assert_eq!(bench.legal(), both, "a naval raid is a bombardment of a coast (7.31)");
}
