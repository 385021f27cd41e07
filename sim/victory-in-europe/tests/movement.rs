//! Movement: armies on the march, border limits, stacking, battles and their cost, pinning, war on neutrals (4, 10.1, 13).

mod scene;

use sandtable_core::Game;
use sandtable_core::Index;
use sandtable_victory_in_europe::editor::Editor;
use sandtable_victory_in_europe::nation::{Force, Nation, Team};
use sandtable_victory_in_europe::phase::{Pending, Phase};
use sandtable_victory_in_europe::rules::{Entry, Standing};
use sandtable_victory_in_europe::state::mark;
use sandtable_victory_in_europe::{Action, Event, Place, UnitId};
use scene::{Scene, game};

// ---- marches (4.1, 4.2, 1.1) ----

#[test]
fn an_army_marches_area_by_area_and_takes_what_is_empty() {
    let game = game("stalingrad-1942");
    let mut scene = Scene::first(&game, Team::Axis, |editor| {
        editor.control("kuibyshev", Nation::Ussr).place("ger_pz_1a", "voronezh", 4);
        for unit in ["su_ldr_rokossovsky", "su_tk_t34_1", "su_tk_t34_2", "su_inf4_2"] {
            editor.remove(unit);
        }
        editor.control("voronezh", Nation::Germany).factory("saratov", 2).control("saratov", Nation::Ussr);
    });
    scene.go("ger_pz_1a", "saratov");
    assert_eq!(scene.controller("saratov"), Nation::Germany, "an empty area changes hands at once (4.1)");
    assert_eq!(scene.state.factory(scene.place("saratov")), 0, "a factory alone with an army falls (11.33)");
    assert!(scene.state.captured.contains(scene.place("saratov")));
    assert!(scene.marches_on());
    scene.on("kuibyshev").on("orenburg");
    assert_eq!(scene.controller("kuibyshev"), Nation::Germany, "passing through takes it too (4.1)");
    assert!(!scene.marches_on(), "three points are three areas (R-11)");
    assert_eq!(scene.state.command[0], 5, "empty areas cost no command (R-05)");
    assert_eq!(scene.state.via(scene.unit("ger_pz_1a")), scene.place("kuibyshev"));
    assert!(!scene.may_pick("ger_pz_1a"));
}

#[test]
fn mountains_stop_everybody_forests_who_is_no_friend_straits_after_crossing() {
    let game = game("stalingrad-1942");
    let start = |unit: &str, from: &str, to: &str, nation: Nation| {
        let mut scene = Scene::first(&game, Team::Axis, |editor| {
            editor.clear().place(unit, from, 3).place("ger_inf_1a", "berlin", 1).place(
                "ger_inf_2a",
                "berlin",
                1,
            );
            editor.control(to, nation);
        });
        scene.go(unit, to);
        scene.marches_on()
    };
    assert!(start("ger_pz_2a", "poznan", "cracow", Nation::Germany));
    assert!(!start("ger_pz_2a", "leipzig", "prague", Nation::Germany), "a mountain border stops (1.13)");
    assert!(!start("ger_pz_2a", "bordeaux", "bilbao", Nation::Germany), "so does a mountain area");
    assert!(
        start("ger_pz_2a", "lvov", "brest_litovsk", Nation::Germany),
        "a friendly forest does not (1.12)"
    );
    assert!(!start("ger_pz_2a", "lvov", "brest_litovsk", Nation::Ussr), "another's does (R-09)");
    assert!(!start("ger_pz_2a", "novorossiysk", "sevastopol", Nation::Germany), "a strait does (1.7)");
}

#[test]
fn alpine_borders_are_closed_to_armies_and_the_urals_to_marches() {
    let game = game("stalingrad-1942");
    let scene = Scene::first(&game, Team::Axis, |editor| {
        editor.control("lyon", Nation::Germany).place("ger_inf_1a", "lyon", 2);
    });
    assert!(!scene.goes("ger_inf_1a", "milan"), "R-10");
    assert!(scene.goes("ger_inf_1a", "paris"));
    let scene = Scene::first(&game, Team::Axis, |editor| {
        editor.control("orenburg", Nation::Germany).place("ger_inf_1a", "orenburg", 2);
    });
    assert!(!scene.goals("ger_inf_1a").is_empty() && !scene.goes("ger_inf_1a", "urals"));
}

#[test]
fn in_winter_armies_move_one_area_and_enter_the_winter_with_their_first_step() {
    let game = game("stalingrad-1942");
    // The last quarter of the year is winter in the Soviet Union alone (3.4).
    let mut scene = Scene::first(&game, Team::Axis, |editor| {
        editor.turn(14).place("ger_pz_ss", "lvov", 1).place("ger_inf_8a", "warsaw", 2);
        editor.place("ger_pz_4a", "orel", 3);
    });
    scene.go("ger_pz_4a", "bryansk");
    assert!(!scene.marches_on(), "one area in winter (3.41)");
    scene.go("ger_pz_ss", "warsaw");
    assert!(scene.marches_on());
    scene.pass().go("ger_inf_8a", "lvov");
    assert!(scene.marches_on());
    assert!(!scene.may(Action::Go(scene.place("kiev"), 0)), "the winter begins at Kiev");
    assert!(scene.may(Action::Go(scene.place("cracow"), 0)));
}

#[test]
fn the_dniester_does_not_freeze() {
    // E-21 and 3.44.
    let game = game("stalingrad-1942");
    let scene = Scene::first(&game, Team::Axis, |editor| {
        editor.turn(14);
    });
    let limit = |a: &str, b: &str| game.border_limit(&scene.state, scene.place(a), scene.place(b));
    assert_eq!(limit("dnepropetrovsk", "bessarabia"), 1);
    assert_eq!(limit("kharkov", "stalino"), 2, "a Russian river does");
    let summer = Scene::first(&game, Team::Axis, |_| {});
    assert_eq!(game.border_limit(&summer.state, scene.place("kharkov"), scene.place("stalino")), 1);
}

// ---- battles (3.2, 4.6) ----

#[test]
fn a_battle_costs_one_command_however_many_join_and_stops_them() {
    let game = game("stalingrad-1942");
    let mut scene = Scene::first(&game, Team::Axis, |editor| {
        editor.command([1, 5, 5]);
    });
    scene.go("ger_pz_2a", "voronezh");
    assert!(!scene.marches_on(), "a battle stops (4.2)");
    assert_eq!(scene.state.command[0], 0);
    assert!(scene.attacked(Team::Axis, "voronezh"));
    assert_eq!(scene.controller("voronezh"), Nation::Ussr, "control waits for the battle");
    assert!(scene.goes("ger_pz_4a", "voronezh"), "the battle is paid (3.2)");
    assert!(!scene.goes("ger_pz_4a", "tula"), "there is nothing left for another");
    scene.go("ger_pz_4a", "voronezh");
    assert_eq!(scene.state.command[0], 0);
}

#[test]
fn border_limits_hold_into_battles_for_all_but_leaders() {
    let game = game("stalingrad-1942");
    let mut scene = Scene::first(&game, Team::Axis, |editor| {
        editor.place("ger_ldr_rundstedt", "kharkov", 2);
    });
    // Kharkov and Morosovsk are parted by a river: one unit (1.3). Kursk and Voronezh by nothing: two.
    scene.go("ger_pz_1a", "morosovsk");
    assert!(!scene.goes("ger_inf_6a", "morosovsk"), "4.6");
    assert!(scene.goes("ger_ldr_rundstedt", "morosovsk"), "leaders ignore limits (5.6)");
    scene.go("ger_pz_2a", "voronezh").go("ger_ldr_guderian", "voronezh").go("hun_inf_2a", "voronezh");
    assert_eq!(scene.state.location(scene.unit("hun_inf_2a")), scene.place("voronezh"));
    // Outside battles any number crosses.
    let mut scene = Scene::first(&game, Team::Axis, |editor| {
        editor.clear().place("ger_inf_6a", "kharkov", 4).place("ger_inf_17a", "kharkov", 4);
        editor.place("ger_inf_1a", "berlin", 1).place("ger_inf_2a", "berlin", 1);
    });
    scene.go("ger_inf_6a", "stalino").pass().go("ger_inf_17a", "stalino");
    assert_eq!(scene.at("ger_inf_17a"), "stalino");
}

// ---- stacking (4.5) ----

#[test]
fn stacking_counts_after_all_movement() {
    // E-15 and 4.5: three armies, a leader and an aircraft in clear terrain.
    let game = game("stalingrad-1942");
    let mut scene = Scene::first(&game, Team::Axis, |_| {});
    // Kharkov is full: a fourth army may come while another can still leave.
    scene.go("ger_inf_17a", "kharkov");
    assert!(scene.marches_on(), "a friendly area does not stop it");
    scene.pass();
    assert!(!scene.may(Action::Pass), "the phase cannot end while somebody can make room");
    let mut state = scene.state.clone();
    let six = scene.unit("ger_inf_6a");
    game.apply(&mut state, Action::Select(six), &mut scene.context);
    let mut legal = Vec::new();
    game.legal_actions(&state, &mut legal);
    assert!(!legal.contains(&Action::Pass), "who is too many does not stay");
    scene.go("ger_inf_6a", "kursk");
    assert_eq!(game.overstacked(&scene.state, scene.place("kharkov"), Team::Axis), None);
    scene.pass();
    assert!(scene.may(Action::Pass));
    // Once those who were there have moved or stayed, nobody comes.
    scene.stay("ita_inf_8a").stay("ger_pz_1a");
    assert!(!scene.goes("ger_inf_2a", "kharkov"));
    assert!(scene.goes("ger_ldr_guderian", "kharkov"), "a leader does not stack (2.6)");
}

#[test]
fn an_army_passes_through_a_full_area() {
    let game = game("stalingrad-1942");
    let mut scene = Scene::first(&game, Team::Axis, |editor| {
        editor.place("ger_inf_7a", "kiev", 3);
    });
    scene.stay("ger_inf_6a").stay("ita_inf_8a").stay("ger_pz_1a");
    scene.go("ger_inf_7a", "kharkov");
    assert!(scene.marches_on() && !scene.may(Action::Pass), "it goes on, there is no room");
    scene.on("bryansk");
    assert_eq!(scene.at("ger_inf_7a"), "bryansk");
}

#[test]
fn what_is_too_many_at_the_end_is_given_up() {
    let game = game("stalingrad-1942");
    let mut scene = Scene::first(&game, Team::Allies, |editor| {
        editor.clear().command([0, 2, 0]);
        editor.place("gb_inf_bef", "cyprus", 3).place("gb_inf_8a", "cyprus", 2);
        editor.place("gb_inf_anzac", "palestine", 2).place("gb_inf_ff", "palestine", 1);
        editor.place("gb_inf_can1", "alexandria", 2).place("su_inf3_1", "moscow", 1);
    });
    // The third army comes while the others could still go; then the command for that is spent.
    scene.transfer("gb_inf_anzac", "cyprus").transfer("gb_inf_can1", "palestine");
    scene.stay("gb_inf_ff");
    let over = |scene: &Scene<'_>| game.overstacked(&scene.state, scene.place("cyprus"), Team::Allies);
    assert!(over(&scene).is_some());
    scene.pass();
    assert_eq!(scene.state.location(scene.unit("gb_inf_anzac")), Place::POOL, "who came is given up (4.5)");
    assert_eq!(over(&scene), None);
    assert_eq!(scene.at("gb_inf_bef"), "cyprus");
}

// ---- Player 2: pinning, leaving, reinforcing (4.3, 4.4) ----

#[test]
fn attackers_pin_as_many_as_they_are() {
    // E-34: two units attack three.
    let game = game("stalingrad-1942");
    let mut scene = Scene::first(&game, Team::Axis, |editor| {
        editor.remove("su_ldr_rokossovsky");
    });
    scene.go("ger_pz_2a", "voronezh").go("ger_pz_4a", "voronezh").pass();
    assert_eq!(scene.state.phase, Phase::Pinning);
    let tanks = scene.unit("su_tk_t34_1");
    let army = scene.unit("su_inf4_2");
    assert_eq!(scene.legal().len(), 3);
    scene.play(Action::Pin(tanks)).play(Action::Pin(army));
    assert_eq!((scene.state.phase, scene.state.mover), (Phase::Movement, Team::Allies));
    assert!(!scene.may_pick("su_tk_t34_1") && !scene.may_pick("su_inf4_2"));
    let goals = scene.goals("su_tk_t34_2");
    assert!(goals.contains(&"penza".to_owned()));
    for closed in ["kursk", "orel"] {
        assert!(!goals.contains(&closed.to_owned()), "the attackers came from {closed} (4.3)");
    }
    assert!(scene.transfers_to("su_tk_t34_2", "gorky"), "the free may move strategically (4.3)");
}

#[test]
fn attackers_who_are_more_pin_all_without_a_question() {
    let game = game("stalingrad-1942");
    let mut scene = Scene::first(&game, Team::Axis, |_| {});
    scene.go("ger_inf_17a", "rostov").go("ger_fa_me109_3", "rostov").go("rum_inf_4a", "rostov").pass();
    assert_eq!((scene.state.phase, scene.state.mover), (Phase::Movement, Team::Allies));
    assert!(scene.contains("su_tk_t34_4", mark::PINNED) && scene.contains("su_fa_i16_2", mark::PINNED));
}

#[test]
fn reinforcing_a_battle_costs_a_command_once_and_comes_late() {
    let game = game("stalingrad-1942");
    let mut scene = Scene::first(&game, Team::Axis, |editor| {
        editor.remove("su_fa_i16_2");
    });
    scene.go("ger_inf_17a", "rostov").pass();
    let before = scene.state.command;
    assert!(scene.goes("su_inf4_4", "rostov"));
    scene.go("su_inf4_4", "rostov");
    assert_eq!(scene.state.command[2], before[2] - 1, "4.4");
    assert!(scene.contains("su_inf4_4", mark::REINFORCES));
    scene.go("su_ldr_rokossovsky", "morosovsk");
    scene.pass().go("su_tk_t34_3", "rostov");
    assert_eq!(scene.state.command[2], before[2] - 1, "a battle is paid once");
    assert!(scene.contains("su_tk_t34_3", mark::REINFORCES));
    assert!(scene.attacked(Team::Axis, "rostov") && !scene.attacked(Team::Allies, "rostov"));
    // A battle of its own is an attack.
    scene.go("su_guard_2", "smolensk");
    assert!(scene.attacked(Team::Allies, "smolensk") && !scene.contains("su_guard_2", mark::REINFORCES));
    assert_eq!(scene.state.command[2], before[2] - 2);
}

#[test]
fn without_command_nobody_reinforces() {
    let game = game("stalingrad-1942");
    let mut scene = Scene::first(&game, Team::Axis, |editor| {
        editor.command([5, 5, 0]).remove("su_fa_i16_2");
    });
    scene.go("ger_inf_17a", "rostov").pass();
    assert!(scene.goes("su_inf4_4", "astrakhan"));
    assert!(!scene.goes("su_inf4_4", "rostov"));
}

#[test]
fn leaving_a_battle_keeps_border_limits() {
    let game = game("stalingrad-1942");
    let mut scene = Scene::first(&game, Team::Axis, |editor| {
        editor.remove("su_ldr_rokossovsky").place("ger_inf_9a", "penza", 3).control("penza", Nation::Germany);
        // Three Soviet armies at Kazan, one attacker: two are free; the Volga to Gorky takes one.
        editor.place("su_tk_t34_1", "kazan", 2).place("su_tk_t34_2", "kazan", 2).place(
            "su_inf4_2",
            "kazan",
            4,
        );
    });
    scene.go("ger_inf_9a", "kazan").pass();
    scene.play(Action::Pin(scene.unit("su_inf4_2")));
    scene.go("su_tk_t34_1", "gorky");
    assert!(!scene.goes("su_tk_t34_2", "gorky"), "4.6");
    assert!(!scene.goes("su_tk_t34_2", "penza"), "the attacker came that way");
}

#[test]
fn transfers_out_of_a_battle_keep_border_limits() {
    let game = game("stalingrad-1942");
    let mut scene = Scene::first(&game, Team::Axis, |editor| {
        editor.place("ger_inf_9a", "penza", 3).control("penza", Nation::Germany);
        editor.place("su_tk_t34_1", "kazan", 2).place("su_tk_t34_2", "kazan", 2);
        editor.place("su_inf4_2", "kazan", 4).place("su_para", "kazan", 2);
    });
    scene.go("ger_inf_9a", "kazan").pass();
    scene.play(Action::Pin(scene.unit("su_inf4_2")));
    // Rivers lead to Gorky and to Kuibyshev: one unit each; the attacker came from Penza.
    scene.transfer("su_tk_t34_1", "moscow");
    assert!(!scene.goes("su_tk_t34_2", "gorky") && scene.goes("su_tk_t34_2", "kuibyshev"), "4.6");
    scene.transfer("su_tk_t34_2", "moscow");
    assert!(!scene.transfers_to("su_para", "moscow") && !scene.transfers_to("su_para", "stalingrad"));
    assert!(scene.transfers_to("su_para", "urals"), "over a border of its own");
}

#[test]
fn aircraft_close_no_border() {
    let game = game("stalingrad-1942");
    let mut scene = Scene::first(&game, Team::Axis, |editor| {
        editor.clear().place("su_inf4_2", "voronezh", 3).place("su_inf4_1", "voronezh", 3);
        editor.place("ger_fa_me109_1", "kursk", 3).place("ger_inf_2a", "kursk", 3);
    });
    scene.go("ger_fa_me109_1", "voronezh").pass();
    scene.play(Action::Pin(scene.unit("su_inf4_1")));
    assert!(scene.goes("su_inf4_2", "kursk"), "the raider used no border (4.3)");
}

#[test]
fn units_of_neutrals_are_no_team_s() {
    // Vichy's units stand on the map of 1941.
    let game = game("barbarossa-1941");
    let state = Editor::new(&game).finish();
    let lyon = game.place("lyon").unwrap();
    assert_eq!(state.stack(lyon).count(), 1);
    for team in Team::ALL {
        assert!(!game.is_present(&state, lyon, team) && !game.has_army(&state, lyon, team), "{team:?}");
    }
}

// ---- paratroops (2.6) ----

#[test]
fn paratroops_join_a_battle_that_an_army_fights() {
    let game = game("bagration-1944");
    let mut scene = Scene::first(&game, Team::Axis, |editor| {
        editor.clear().control("athens", Nation::Germany).control("crete", Nation::Britain);
        editor.place("ger_para", "kharkov", 2).place("ger_inf_6a", "kharkov", 3).place(
            "ger_pz_1a",
            "kharkov",
            3,
        );
        editor
            .control("kharkov", Nation::Germany)
            .control("stalino", Nation::Ussr)
            .control("morosovsk", Nation::Ussr);
        editor.place("su_inf4_1", "stalino", 3).place("ger_inf_1a", "berlin", 1);
    });
    assert!(scene.goes("ger_para", "stalino"), "it may march like infantry");
    scene.go("ger_pz_1a", "stalino");
    assert!(!scene.goes("ger_inf_6a", "stalino"), "the river takes one unit");
    assert!(scene.goes("ger_para", "stalino"), "a jump ignores the border");
    scene.go("ger_para", "stalino");
    let para = scene.unit("ger_para");
    assert!(scene.state.has_jumped(para) && scene.moved("ger_para"));
    assert_eq!(scene.state.command[0], 4, "the battle is paid");
}

#[test]
fn paratroops_jump_two_areas_over_enemies_but_not_alone() {
    let game = game("bagration-1944");
    let mut scene = Scene::first(&game, Team::Axis, |editor| {
        editor.clear();
        for area in ["kiev", "kharkov", "stalino"] {
            editor.control(area, Nation::Ussr);
        }
        editor.control("lvov", Nation::Germany).control("bryansk", Nation::Germany);
        editor.place("ger_para", "lvov", 2).place("ger_inf_6a", "bryansk", 3).place(
            "ger_inf_1a",
            "berlin",
            1,
        );
        editor.place("su_inf4_1", "kiev", 3).place("su_inf4_2", "kharkov", 3);
        editor.place("ger_mb_he111_1", "minsk", 2);
    });
    assert!(!scene.goes("ger_para", "kharkov"), "nobody fights there");
    scene.go("ger_mb_he111_1", "kharkov");
    assert!(!scene.goes("ger_para", "kharkov"), "an air raid has no army");
    scene.go("ger_inf_6a", "kharkov");
    assert!(scene.goes("ger_para", "kharkov"), "over Kiev");
    scene.go("ger_para", "kharkov");
    assert!(scene.state.has_jumped(scene.unit("ger_para")));
}

#[test]
fn paratroops_jump_one_area_into_the_winter_and_into_mud() {
    let game = game("stalingrad-1942");
    // From Lvov, where neither reaches, to battles at Kiev, next to it over a border that is full, and at Kharkov, beyond.
    let goals = |edit: &dyn Fn(&mut Editor<'_>)| {
        let mut scene = Scene::first(&game, Team::Axis, |editor| {
            editor.clear().control("kiev", Nation::Ussr).control("kharkov", Nation::Ussr);
            editor.place("su_inf4_1", "kiev", 3).place("su_inf4_2", "kharkov", 3);
            editor.control("kursk", Nation::Germany).place("ger_inf_6a", "kursk", 3);
            editor.control("lvov", Nation::Germany).place("ger_para", "lvov", 2);
            editor.place("ger_inf_7a", "lvov", 3).place("ger_inf_8a", "lvov", 2);
            edit(editor);
        });
        scene.go("ger_inf_6a", "kharkov").go("ger_inf_7a", "kiev").go("ger_inf_8a", "kiev");
        ["kiev", "kharkov"].map(|goal| scene.goes("ger_para", goal))
    };
    assert_eq!(goals(&|_| {}), [true, true]);
    let winter = |editor: &mut Editor<'_>| {
        editor.turn(14);
    };
    assert_eq!(goals(&winter), [true, false], "3.41");
    let mud = |editor: &mut Editor<'_>| {
        editor.card(Force::Soviet, "al41-5");
    };
    assert_eq!(goals(&mud), [true, false], "3.3");
}

// ---- war on neutrals, who may go where (10.1, 10.2, 13) ----

#[test]
fn an_attacked_neutral_is_placed_by_the_opponent_before_the_attacker_enters() {
    let game = game("campaign-1939");
    let mut scene = Scene::first(&game, Team::Axis, |editor| {
        editor.command([3, 3, 3]).place("ger_pz_1a", "belgrade", 3).control("belgrade", Nation::Germany);
        editor.control("zagreb", Nation::Yugoslavia).control("sarajevo", Nation::Yugoslavia);
    });
    scene.go("ger_pz_1a", "zagreb");
    assert!(matches!(scene.state.pending, Pending::Neutral { .. }));
    assert_eq!(game.decider(&scene.state), Force::Western, "the opponent places them (10.2)");
    let yugoslav = scene.unit("yug_inf_1a");
    scene.play(Action::Deploy(yugoslav, scene.place("zagreb")));
    while matches!(scene.state.pending, Pending::Neutral { .. }) {
        let second = scene.unit("yug_inf_2a");
        scene.play(Action::Deploy(second, scene.place("sarajevo")));
    }
    assert_eq!(scene.at("ger_pz_1a"), "zagreb", "then the attacker enters");
    assert!(scene.attacked(Team::Axis, "zagreb"));
    assert_eq!(scene.state.command[0], 2);
    assert_eq!(game.decider(&scene.state), Force::Axis);
    assert_eq!(scene.state.politics.standing(Nation::Yugoslavia), Standing::Western);
}

#[test]
fn no_command_no_war_on_those_who_will_defend_themselves() {
    let game = game("campaign-1939");
    let scene = Scene::first(&game, Team::Axis, |editor| {
        editor.command([0, 3, 3]);
    });
    let neutral = |goal: &String| ["denmark", "belgium", "netherlands"].contains(&goal.as_str());
    for unit in game.unit_ids().map(|unit| game.rules.units[unit.at()].id.clone()) {
        assert!(!scene.goals(&unit).iter().any(neutral), "{unit}");
    }
}

#[test]
fn a_neutral_italy_attacks_nobody_and_hosts_no_germans() {
    let game = game("campaign-1939");
    let scene = Scene::first(&game, Team::Axis, |editor| {
        editor.place("ger_inf_1a", "vienna", 3).place("ita_inf_1a", "milan", 3).place(
            "ita_inf_2a",
            "tripoli",
            3,
        );
    });
    assert!(!scene.goes("ger_inf_1a", "venice"), "R-81");
    assert!(!scene.goes("ita_inf_1a", "marseille"), "13");
    assert!(!scene.goes("ita_inf_2a", "tunis"), "13");
    assert!(scene.goes("ita_inf_1a", "venice"));
    assert_eq!(scene.state.politics.italy, Entry::Neutral);
}

#[test]
fn the_neutral_usa_does_not_move() {
    let game = game("campaign-1939");
    let scene = Scene::first(&game, Team::Allies, |editor| {
        editor.turn(8).place("us_inf_1a", "usa", 2).place("us_ca_1", "usa", 2);
    });
    assert!(!scene.may_pick("us_inf_1a") && !scene.may_pick("us_ca_1"));
    let scene = Scene::first(&game, Team::Allies, |editor| {
        editor.turn(8).place("us_inf_1a", "usa", 2).entry(Nation::Usa, Entry::AtWar);
    });
    assert!(scene.may_pick("us_inf_1a"));
}

#[test]
fn the_soviets_take_what_the_pact_leaves_them_and_share_no_area_with_the_west() {
    let game = game("campaign-1939");
    let mut scene = Scene::first(&game, Team::Allies, |editor| {
        editor.clear().place("su_inf3_1", "leningrad", 3).place("su_inf3_2", "kiev", 3);
        editor.place("pol_inf_1a", "lvov", 3).place("gb_inf_bef", "london", 3);
    });
    assert!(!scene.goes("su_inf3_2", "lvov"), "Poles stand there (R-43)");
    scene.go("su_inf3_1", "riga");
    assert_eq!(scene.controller("riga"), Nation::Ussr);
    assert_eq!(scene.state.command, [5, 5, 5]);
    let scene = Scene::first(&game, Team::Allies, |editor| {
        editor.place("gb_inf_bef", "iran", 3).control("iran", Nation::Britain);
        editor.standing(Nation::Iran, Standing::Gone, Nation::Britain);
    });
    assert!(!scene.goes("gb_inf_bef", "baku"), "R-43");
}

#[test]
fn a_neutral_that_fights_the_soviets_conquers_for_itself() {
    let game = game("campaign-1939");
    let mut scene = Scene::first(&game, Team::Axis, |editor| {
        editor.clear().place("fin_inf_1a", "viipuri", 3).place("ger_inf_1a", "berlin", 3);
        editor.standing(Nation::Finland, Standing::Defending, Nation::Germany);
    });
    scene.go("fin_inf_1a", "leningrad");
    assert_eq!(scene.controller("leningrad"), Nation::Finland);
    assert_eq!(scene.state.politics.ussr, Entry::Neutral);
    assert!(!scene.state.holds(Force::Axis, scene.place("leningrad")), "Germany is at peace (13)");
}

#[test]
fn war_is_declared_on_those_who_stand_in_the_way() {
    let game = game("barbarossa-1941");
    let mut scene = Scene::first(&game, Team::Axis, |editor| {
        editor.place("ger_pz_1a", "warsaw", 3);
    });
    assert!(scene.goes("ger_pz_1a", "brest_litovsk"));
    scene.go("ger_pz_1a", "brest_litovsk");
    assert_eq!(scene.state.politics.ussr, Entry::AtWar);
    assert!(scene.attacked(Team::Axis, "brest_litovsk"));
}

// ---- the phase ----

#[test]
fn a_block_that_moves_is_unknown_again() {
    let game = game("stalingrad-1942");
    let mut scene = Scene::first(&game, Team::Axis, |editor| {
        let unit = UnitId(0);
        editor.state_mut().set_mark(unit, mark::KNOWN, true);
    });
    let first = game.rules.units[0].id.clone();
    assert!(scene.contains(&first, mark::KNOWN));
    let goal = scene.goals(&first)[0].clone();
    scene.go(&first, &goal);
    assert!(!scene.contains(&first, mark::KNOWN), "R-63");
    let mut rules = game.rules.clone();
    rules.options.blocks_stay_known = false;
    let other = sandtable_victory_in_europe::VictoryInEurope::new(rules).unwrap();
    let scene = Scene::first(&other, Team::Axis, |editor| {
        editor.state_mut().set_mark(UnitId(0), mark::KNOWN, true);
    });
    assert!(!scene.contains(&first, mark::KNOWN), "or as soon as the next turn moves");
}

#[test]
fn fortresses_and_convoys_stand() {
    let game = game("stalingrad-1942");
    let scene = Scene::first(&game, Team::Allies, |_| {});
    for unit in ["fort_moscow", "fort_malta", "convoy_c"] {
        assert!(!scene.may_pick(unit), "{unit}");
    }
}

/// Random Movement Phases end, keep the invariants, and leave no place overstacked.
#[test]
fn random_movement_ends_within_the_limits() {
    use sandtable_core::Dice;
    for scenario in ["campaign-1939", "barbarossa-1941", "stalingrad-1942", "kursk-1943", "bagration-1944"] {
        let game = game(scenario);
        for seed in 0..4 {
            let first = if seed % 2 == 0 { Team::Axis } else { Team::Allies };
            let mut dice = sandtable_core::Rng64::stream(7, seed, 0);
            let mut scene = Scene::first(&game, first, |_| {});
            let mut decisions = 0;
            let moving = |phase| matches!(phase, Phase::Movement | Phase::Pinning);
            while moving(scene.state.phase) {
                let legal = scene.legal();
                assert!(legal.len() > 1 && legal.is_sorted(), "{:?}", scene.state.pending);
                assert!(legal.windows(2).all(|pair| pair[0] != pair[1]));
                let action = legal[dice.below(legal.len() as u32) as usize];
                // The phase is not cut short: armies are to be moved.
                if action == Action::Pass && scene.state.pending == Pending::None && dice.below(10) > 0 {
                    continue;
                }
                scene.play(action);
                if moving(scene.state.phase) {
                    game.check_invariants(&scene.state).unwrap();
                }
                decisions += 1;
                assert!(decisions < 3000);
            }
            assert!(scene.context.sink.iter().any(|event| matches!(event, Event::Moved { .. })));
            let gone = |unit: &UnitId| scene.state.location(*unit) == Place::GONE;
            assert!(game.unit_ids().filter(gone).count() < 120);
            let seas = (0..game.rules.seas.len() as u8).map(Place::sea);
            for place in game.areas().iter().chain(seas) {
                for team in Team::ALL {
                    assert_eq!(game.overstacked(&scene.state, place, team), None, "{scenario} {place:?}");
                }
            }
        }
    }
}

// ---- events (3.3) ----

#[test]
fn events_move_panzers_further_and_mud_holds_them() {
    let game = game("stalingrad-1942");
    let third_step = |card: Option<&str>, turn: u8| {
        let mut scene = Scene::first(&game, Team::Axis, |editor| {
            editor.turn(turn).place("ger_pz_ss", "warsaw", 1);
            if let Some(card) = card {
                editor.card(Force::Axis, card);
            }
        });
        scene.go("ger_pz_ss", "poznan");
        for place in ["berlin", "leipzig"] {
            if !scene.marches_on() {
                return false;
            }
            scene.on(place);
        }
        scene.marches_on()
    };
    assert!(!third_step(None, 12), "three areas");
    assert!(third_step(Some("ax42-1"), 12), "four");
    assert!(!third_step(Some("ax42-1"), 15), "not in winter");
    let mut scene = Scene::first(&game, Team::Axis, |editor| {
        editor.card(Force::Soviet, "al41-5").place("ger_pz_ss", "lvov", 1);
    });
    scene.go("ger_pz_4a", "bryansk");
    assert!(!scene.marches_on(), "mud in Russia");
    scene.go("ger_pz_ss", "kiev");
    assert!(!scene.marches_on(), "who comes into it stops");
}

#[test]
fn free_transfers_of_an_event_are_used_first() {
    let game = game("stalingrad-1942");
    let mut scene = Scene::first(&game, Team::Axis, |editor| {
        editor.command([1, 5, 5]).card(Force::Axis, "ax41-1");
    });
    scene.transfer("ger_inf_8a", "kiev").transfer("ger_inf_7a", "berlin");
    assert_eq!(scene.state.command[0], 1);
    scene.transfer("ger_inf_1a", "warsaw");
    assert_eq!(scene.state.command[0], 0);
    assert!(scene.transfers("ger_inf_10a").is_empty());
}

#[test]
fn the_soviets_occupy_what_the_pact_leaves_them_without_command() {
    // Units of Poland and Romania in the pool defend none of it (13, R-05).
    let game = game("campaign-1939");
    let scene = Scene::new(&game, Team::Axis, Team::Allies, |editor| {
        editor.clear().turn(4).command([0, 0, 0]);
        editor.place("su_inf3_1", "leningrad", 3).place("su_inf3_2", "minsk", 3);
        editor.place("su_inf3_3", "dnepropetrovsk", 2);
    });
    assert!(scene.goes("su_inf3_2", "brest_litovsk"));
    assert!(scene.goes("su_inf3_3", "bessarabia"));
    assert!(!scene.goes("su_inf3_1", "viipuri"), "Finland is defended: that is a battle");
}
