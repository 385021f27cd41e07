//! Retreats and forced withdrawals (5.7, 6.4, 7.4, 7.6).

use sandtable_victory_in_europe::rules::Target;
use sandtable_victory_in_europe::state::mark;
use sandtable_victory_in_europe::{Action, Nation, Pending, Place, Team};

use crate::bench::{Bench, assault, map, place, unit};

fn fire(id: &str) -> impl Fn(Pending) -> bool {
    let unit = unit(id);
    move |pending| pending == Pending::Fire(unit)
}

#[test]
fn a_retreat_in_the_first_round_costs_a_step_and_none_over_the_enemys_border() {
    let mut editor = map();
    assault(&mut editor, Team::Axis, "kursk", &[("ger_inf_4a", 4, "orel")], &[("su_guard_1", 4)]);
    let mut bench = Bench::new(&mut editor, &[6; 20]);
    bench.until(fire("su_guard_1")).play(Action::Retreat(Place::NONE, 0));
    let mut ways = ["kharkov", "voronezh"].map(|id| Action::Retreat(place(id), 0));
    ways.sort();
    assert_eq!(bench.legal(), ways);
    bench.play(Action::Retreat(place("voronezh"), 0)).finish();
    assert_eq!(bench.steps("su_guard_1"), 3);
    assert!(bench.is_at("su_guard_1", "voronezh"));
    assert!(!bench.state.has_mark(unit("su_guard_1"), mark::KNOWN), "unknown again");
    assert!(bench.battles()[0].won);
}

#[test]
fn a_retreat_in_the_second_round_is_free() {
    let mut editor = map();
    assault(&mut editor, Team::Axis, "kursk", &[("ger_inf_4a", 4, "orel")], &[("su_guard_1", 4)]);
    let mut bench = Bench::new(&mut editor, &[6; 20]);
    bench.shoot("su_guard_1", Target::Army);
    bench.until(fire("su_guard_1")).play(Action::Retreat(Place::NONE, 0));
    bench.play(Action::Retreat(place("voronezh"), 0)).finish();
    assert_eq!(bench.steps("su_guard_1"), 4);
}

#[test]
fn who_would_die_of_it_does_not_retreat_in_the_first_round() {
    let mut editor = map();
    let defenders = [("su_guard_1", 1), ("su_ldr_zhukov", 1)];
    assault(&mut editor, Team::Axis, "kursk", &[("ger_inf_4a", 4, "orel")], &defenders);
    let mut bench = Bench::new(&mut editor, &[6; 20]);
    bench.until(fire("su_ldr_zhukov"));
    assert!(bench.legal().contains(&Action::Retreat(Place::NONE, 0)), "a leader has a zero step");
    bench.play(Action::Fire(Target::Army));
    assert_eq!(bench.shots()[1].0, unit("su_guard_1"), "the army had to fire");
    bench.until(fire("su_guard_1"));
    assert_eq!(bench.state.battle.round, 2);
    assert!(bench.legal().contains(&Action::Retreat(Place::NONE, 0)));
}

#[test]
fn the_border_limit_counts_retreats_of_a_round_and_leaders_ignore_it() {
    let mut editor = map();
    // Minsk: forests and rivers, one unit a border. Everything but Smolensk is German.
    editor.control("minsk", Nation::Ussr);
    for area in ["bryansk", "kiev", "vilna", "brest_litovsk"] {
        editor.control(area, Nation::Germany);
    }
    let defenders = [("su_guard_1", 4), ("su_guard_2", 4), ("su_ldr_zhukov", 2)];
    assault(&mut editor, Team::Axis, "minsk", &[("ger_inf_4a", 4, "brest_litovsk")], &defenders);
    let mut bench = Bench::new(&mut editor, &[6; 60]);
    // A single way is taken at once; the leader, of class C, goes first.
    bench.until(fire("su_ldr_zhukov")).play(Action::Retreat(Place::NONE, 0));
    assert!(bench.is_at("su_ldr_zhukov", "smolensk"));
    bench.until(fire("su_guard_1")).play(Action::Retreat(Place::NONE, 0));
    assert!(bench.is_at("su_guard_1", "smolensk"));
    // The other army must fire; in the next round there is a new limit.
    bench.until(|pending| pending != Pending::Fire(unit("ger_inf_4a")));
    assert_eq!((bench.shots()[0].0, bench.state.battle.round), (unit("su_guard_2"), 2));
    bench.until(fire("su_guard_2"));
    assert!(bench.legal().contains(&Action::Retreat(Place::NONE, 0)));
}

#[test]
fn a_leader_may_leave_where_the_border_limit_is_used_up() {
    let mut editor = map();
    editor.control("minsk", Nation::Ussr);
    for area in ["bryansk", "kiev", "vilna", "brest_litovsk"] {
        editor.control(area, Nation::Germany);
    }
    let defenders = [("su_tk_t34_1", 3), ("su_ldr_zhukov", 2)];
    assault(&mut editor, Team::Axis, "minsk", &[("ger_inf_4a", 4, "brest_litovsk")], &defenders);
    let mut bench = Bench::new(&mut editor, &[6; 60]);
    // One army may cross in a round; tanks and leaders fire in the same class.
    bench.until(fire("su_tk_t34_1")).play(Action::Retreat(Place::NONE, 0));
    assert!(bench.is_at("su_tk_t34_1", "smolensk"));
    bench.until(fire("su_ldr_zhukov"));
    assert_eq!(bench.state.battle.round, 1);
    assert!(bench.legal().contains(&Action::Retreat(Place::NONE, 0)), "5.6");
}

#[test]
fn fortresses_hold_to_the_end() {
    let mut editor = map();
    editor.control("tula", Nation::Germany);
    let attackers = [("ger_pz_1a", 4, "tula"), ("ger_pz_2a", 3, "tula")];
    assault(&mut editor, Team::Axis, "moscow", &attackers, &[("fort_moscow", 3), ("su_inf3_1", 3)]);
    let mut bench = Bench::new(&mut editor, &[6; 40]);
    bench.until(fire("su_inf3_1"));
    assert!(bench.legal().contains(&Action::Retreat(Place::NONE, 0)), "the army may leave");
    bench.until(fire("fort_moscow"));
    assert!(!bench.is_on(), "the fortress has no choice but to fire (2.6)");
    assert_eq!(bench.shots().iter().filter(|shot| shot.0 == unit("fort_moscow")).count(), 2);
    assert!(bench.is_at("fort_moscow", "moscow") && !bench.is_at("ger_pz_1a", "moscow"));
}

#[test]
fn units_without_a_way_out_are_lost() {
    let mut editor = map();
    editor.control("orel", Nation::Ussr).control("bryansk", Nation::Ussr);
    assault(&mut editor, Team::Axis, "kursk", &[("ger_inf_4a", 4, "orel")], &[("su_guard_1", 4)]);
    // Nothing German touches Kursk.
    let mut bench = Bench::new(&mut editor, &[6; 16]);
    bench.finish().dice_fit();
    assert!(bench.is_off("ger_inf_4a"));
    assert_eq!(bench.battles()[0].lost, [4, 0]);
}

#[test]
fn who_overstacks_goes_on_for_a_step() {
    let mut editor = map();
    editor.control("orel", Nation::Germany).control("bryansk", Nation::Germany);
    for id in ["ger_inf_1a", "ger_inf_2a", "ger_inf_3a"] {
        editor.place(id, "orel", 3);
    }
    for id in ["ger_inf_6a", "ger_inf_7a", "ger_inf_8a"] {
        editor.place(id, "bryansk", 3);
    }
    assault(&mut editor, Team::Axis, "kursk", &[("ger_inf_4a", 4, "orel")], &[("su_guard_1", 4)]);
    editor.control("tula", Nation::Germany);
    let mut bench = Bench::new(&mut editor, &[6; 16]);
    bench.until(|pending| matches!(pending, Pending::Withdraw(_)));
    bench.finish();
    // Both neighbours are full; beyond Orel lies Tula.
    assert!(bench.is_at("ger_inf_4a", "tula"));
    assert_eq!(bench.steps("ger_inf_4a"), 3);
}

#[test]
fn armies_in_a_port_sail_away_over_friendly_seas_alone() {
    for (held, away) in [(true, true), (false, false)] {
        let mut editor = map();
        assault(&mut editor, Team::Axis, "alexandria", &[("ger_dak", 3, "benghazi")], &[("gb_inf_8a", 3)]);
        for area in ["cairo", "suez"] {
            editor.control(area, Nation::Italy);
        }
        if held {
            editor.place("gb_bb_kgv", "eastern_mediterranean", 3);
        }
        let mut bench = Bench::new(&mut editor, &[6; 20]);
        bench.until(fire("gb_inf_8a"));
        assert_eq!(bench.legal().contains(&Action::Retreat(Place::NONE, 0)), away);
        if away {
            bench.play(Action::Retreat(Place::NONE, 0));
            assert!(bench.legal().contains(&Action::Retreat(place("cyprus"), 0)));
            assert!(!bench.legal().contains(&Action::Retreat(place("malta"), 0)), "beyond seas of nobody");
        }
    }
}

#[test]
fn raiders_fly_home_or_die() {
    let mut editor = map();
    editor.control("orel", Nation::Ussr).control("bryansk", Nation::Ussr);
    editor.place("ger_db_stuka", "kursk", 3).place("su_guard_1", "kursk", 4);
    editor.attack(Team::Axis, "kursk").first(Team::Axis);
    let mut bench = Bench::new(&mut editor, &[6; 30]);
    bench.finish();
    assert!(bench.is_off("ger_db_stuka"), "nothing German within one area");
    let mut editor = map();
    editor.place("ger_db_stuka", "kursk", 3).place("su_guard_1", "kursk", 4);
    editor.control("bryansk", Nation::Ussr);
    editor.attack(Team::Axis, "kursk").first(Team::Axis);
    let mut bench = Bench::new(&mut editor, &[6; 30]);
    bench.finish();
    assert!(bench.is_at("ger_db_stuka", "orel"));
}

#[test]
fn a_leader_retreats_over_a_border_that_is_full() {
    let mut editor = map();
    editor.control("minsk", Nation::Ussr);
    for area in ["bryansk", "kiev", "vilna", "brest_litovsk"] {
        editor.control(area, Nation::Germany);
    }
    let defenders = [("su_shock_1", 3), ("su_ldr_zhukov", 2), ("su_marines", 2)];
    assault(&mut editor, Team::Axis, "minsk", &[("ger_inf_4a", 4, "brest_litovsk")], &defenders);
    let mut bench = Bench::new(&mut editor, &[6; 40]);
    bench.until(fire("su_shock_1")).play(Action::Retreat(Place::NONE, 0));
    bench.until(fire("su_ldr_zhukov")).play(Action::Retreat(Place::NONE, 0));
    assert!(bench.is_at("su_shock_1", "smolensk") && bench.is_at("su_ldr_zhukov", "smolensk"), "5.6");
    assert_eq!(bench.state.battle.round, 1);
    assert!(bench.is_at("su_marines", "minsk"), "the border takes one army a round (4.6)");
}
