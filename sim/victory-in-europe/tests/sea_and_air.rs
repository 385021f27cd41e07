//! Movement of aircraft and ships, Strategic Movement, sea invasions (6, 7, 4.7, 8.7, 11.32, 13).

mod scene;

use sandtable_core::{Game, Index, PlayContext, Rng64};
use sandtable_victory_in_europe::editor::Editor;
use sandtable_victory_in_europe::nation::{Force, Nation, Team};
use sandtable_victory_in_europe::phase::{Pending, Phase};
use sandtable_victory_in_europe::rules::{Entry, Standing};
use sandtable_victory_in_europe::state::mark;
use sandtable_victory_in_europe::{Action, Place, VictoryInEurope};
use scene::{Scene, game};

// ---- aircraft (6.1, 6.11, 6.21) ----

#[test]
fn aircraft_attack_within_their_range_and_land_within_twice_that() {
    // E-16, with a fighter of range 2 and the bomber of range 4 of the example.
    let game = game("stalingrad-1942");
    let scene = Scene::first(&game, Team::Axis, |_| {});
    let fighter = scene.goals("ger_fa_me109_1");
    let has = |goals: &[String], place: &str| goals.iter().any(|goal| goal == place);
    assert!(has(&fighter, "leningrad") && has(&fighter, "kalinin"));
    assert!(!has(&fighter, "moscow"), "three areas away");
    assert!(has(&fighter, "dnepropetrovsk"), "four areas without an attack");
    assert!(!has(&fighter, "bordeaux"), "five");
    let bomber = scene.goals("ger_mb_he111_1");
    assert!(has(&bomber, "stalingrad") && !has(&bomber, "baku"));
    assert!(has(&bomber, "rome") && has(&bomber, "tripoli"));
}

#[test]
fn aircraft_do_not_fly_over_neutrals_nor_end_over_empty_enemies() {
    let game = game("stalingrad-1942");
    let gulf = |nation: Nation| {
        let scene = Scene::first(&game, Team::Axis, |editor| {
            editor.place("ger_fa_me109_1", "trondheim", 2);
            for area in ["stockholm", "lulea", "gothenburg"] {
                editor.control(area, nation);
            }
        });
        scene.goes("ger_fa_me109_1", "gulf_of_bothnia")
    };
    assert!(!gulf(Nation::Sweden), "over Sweden (6.1)");
    assert!(gulf(Nation::Germany));
    let raid = |unit: &str, steps: u8| {
        let scene = Scene::first(&game, Team::Axis, |editor| {
            editor.remove("su_inf4_4").factory("stalingrad", steps).place(unit, "stalino", 1);
            editor.remove("ger_fa_me109_3");
        });
        scene.goes(unit, "stalingrad")
    };
    assert!(!raid("ger_mb_he111_1", 0), "6.1");
    assert!(raid("ger_mb_he111_1", 1), "a factory is a target of medium bombers (6.3)");
    assert!(!raid("ger_fa_me109_2", 1), "not of fighters");
}

#[test]
fn aircraft_cross_straits_and_canals_over_the_areas_beside_them() {
    let game = game("stalingrad-1942");
    // What a fighter over a sea zone reaches with some points, the areas beside the strait belonging to somebody.
    let reaches = |from: &str, to: &str, sides: &[&str], owner: Nation, points: u8| {
        let mut editor = Editor::new(&game);
        editor.clear().place("ger_fa_me109_1", from, 2);
        for area in sides {
            editor.control(area, owner);
        }
        let (areas, seas) = game.air_reach(&editor.finish(), game.unit("ger_fa_me109_1").unwrap(), points);
        let to = game.place(to).unwrap();
        to.sea_zone().map_or(areas.contains(to), |zone| seas & 1 << zone != 0)
    };
    let straits: [(&str, &str, &[&str]); 6] = [
        ("skagerrak", "baltic_sea", &["denmark"]),
        ("north_sea", "baltic_sea", &["hamburg", "denmark"]),
        ("aegean_sea", "black_sea_west", &["istanbul", "mysia"]),
        ("tyrrhenian_sea", "ionian_sea", &["taranto", "sicily"]),
        ("black_sea_east", "sea_of_azov", &["sevastopol", "novorossiysk"]),
        ("western_mediterranean", "south_atlantic", &["gibraltar"]),
    ];
    for (one, other, sides) in straits {
        for (from, to) in [(one, other), (other, one)] {
            // An ocean zone takes two points to enter (7.24).
            let entry = if to == "south_atlantic" { 2 } else { 1 };
            assert!(!reaches(from, to, sides, Nation::Germany, entry), "{from} is not beside {to}");
            for owner in [Nation::Germany, Nation::Britain] {
                assert!(reaches(from, to, sides, owner, 1 + entry), "from {from} to {to} over {sides:?}");
            }
            // Round Sicily the sea is open.
            let closed = sides.contains(&"sicily") || !reaches(from, to, sides, Nation::Spain, 1 + entry);
            assert!(closed, "{sides:?} neutral (6.1)");
        }
    }
    // From Leningrad to Lille it is Gulf, Baltic, Hamburg, North Sea, Lille by the Kiel Canal: not Gulf, Baltic, North Sea.
    assert!(!reaches("leningrad", "lille", &[], Nation::Germany, 4));
    assert!(reaches("leningrad", "lille", &["leningrad"], Nation::Germany, 5));
    assert!(!reaches("leningrad", "lille", &["hamburg", "denmark", "bremen_ruhr"], Nation::Spain, 5));
}

#[test]
fn to_fly_over_a_neutral_major_is_war_with_it() {
    let game = game("campaign-1939");
    let russian = |rules: &VictoryInEurope, goal: &str| {
        let mut scene = Scene::first(rules, Team::Axis, |editor| {
            editor.clear().place("ger_mb_he111_1", "bucharest", 2).control("bucharest", Nation::Germany);
            editor.place("ger_inf_8a", "berlin", 2).place("su_inf3_1", "sevastopol", 2);
            editor.place("su_inf3_2", "kiev", 2);
        });
        if !scene.goes("ger_mb_he111_1", goal) {
            return None;
        }
        let (unit, place) = (scene.unit("ger_mb_he111_1"), scene.place(goal));
        let foretold = scene.game.flight_is_war(&scene.state, unit, place);
        scene.go("ger_mb_he111_1", goal);
        assert_eq!(scene.at("ger_mb_he111_1"), goal);
        let war = scene.state.politics.ussr == Entry::AtWar;
        assert_eq!(war, foretold, "{goal}");
        assert_eq!(war, scene.state.politics.axis_attacked_ussr);
        Some((war, scene.attacked(Team::Axis, goal)))
    };
    // By the Black Sea there is peace; behind the strait of Kerch lies a sea that Soviet areas guard.
    assert_eq!(russian(&game, "black_sea_east"), Some((false, false)));
    assert_eq!(russian(&game, "sea_of_azov"), Some((true, false)), "10.1: to overfly");
    assert_eq!(russian(&game, "kiev"), Some((true, true)), "10.1: to attack its units");
    assert_eq!(russian(&game, "black_sea_west"), Some((false, false)));
    assert_eq!(russian(&game, "berlin"), Some((true, false)), "Turkey and Hungary are closed (6.1)");
    assert_eq!(russian(&game, "smolensk"), None, "nobody is there (6.1)");
    assert_eq!(russian(&game, "stockholm"), None, "nobody flies over neutral minors (6.1)");
    let mut rules = game.rules.clone();
    rules.options.overflight_is_war = false;
    let closed = VictoryInEurope::new(rules).unwrap();
    assert_eq!(russian(&closed, "black_sea_east"), Some((false, false)));
    assert_eq!(russian(&closed, "sea_of_azov"), None, "R-99 by option");
    assert_eq!(russian(&closed, "kiev"), None);
}

#[test]
fn western_aircraft_over_a_neutral_italy_bring_it_into_the_war() {
    let game = game("campaign-1939");
    let italian = |rules: &VictoryInEurope, unit: &str, from: &str, goal: &str| {
        let mut scene = Scene::first(rules, Team::Allies, |editor| {
            editor.clear().place(unit, from, 2).place("gb_inf_bef", "london", 2);
            editor.place("ita_inf_1a", "rome", 2).place("ger_inf_1a", "berlin", 2);
        });
        scene.goes(unit, goal).then(|| {
            scene.go(unit, goal);
            let politics = &scene.state.politics;
            (
                politics.italy == Entry::AtWar,
                politics.ussr == Entry::AtWar,
                scene.attacked(Team::Allies, goal),
            )
        })
    };
    let over_rome = |rules| italian(rules, "fra_fa_ms406", "corsica", "rome");
    assert_eq!(over_rome(&game), Some((true, false, true)));
    assert_eq!(italian(&game, "fra_fa_ms406", "corsica", "tyrrhenian_sea"), Some((false, false, false)));
    // Over the areas of the Soviets the Western Allies do not fly (13-USSR).
    assert_eq!(italian(&game, "gb_fa_spitfire_1", "leningrad", "moscow"), None);
    let mut rules = game.rules.clone();
    rules.options.overflight_is_war = false;
    assert_eq!(over_rome(&VictoryInEurope::new(rules).unwrap()), None);
}

#[test]
fn an_air_raid_costs_a_command_a_patrol_nothing() {
    let game = game("stalingrad-1942");
    let mut scene = Scene::first(&game, Team::Axis, |editor| {
        editor.command([1, 5, 5]);
    });
    scene.go("ger_nb_condor", "bay_of_biscay");
    assert_eq!(scene.state.command[0], 1, "nobody is there");
    assert!(scene.goes("ger_mb_he111_1", "moscow"));
    scene.go("ger_mb_he111_1", "moscow");
    assert_eq!(scene.state.command[0], 0, "6.21");
    assert!(scene.attacked(Team::Axis, "moscow"));
    assert!(!scene.goes("ger_mb_he111_2", "tula"), "nothing is left to pay with");
    assert!(!scene.goes("ger_mb_he111_2", "moscow"), "one aircraft an area (6.11)");
}

#[test]
fn a_patrol_closes_its_zone_until_it_lands() {
    let game = game("stalingrad-1942");
    let after = |patrols: bool| {
        let mut scene = Scene::first(&game, Team::Axis, |editor| {
            editor.clear().place("ger_fa_me109_1", "le_havre", 3).place("ger_inf_8a", "berlin", 1);
            editor.place("gb_inf_bef", "southampton", 3).place("gb_ca_1", "southampton", 3);
        });
        if patrols {
            scene.go("ger_fa_me109_1", "english_channel");
        }
        scene.pass();
        assert_eq!((scene.state.phase, scene.state.mover), (Phase::Movement, Team::Allies));
        scene
    };
    assert!(after(false).transfers_to("gb_inf_bef", "belfast"));
    let mut scene = after(true);
    assert!(!scene.transfers_to("gb_inf_bef", "belfast"), "the Channel is not empty (7.1, R-35)");
    scene.go("gb_ca_1", "english_channel");
    assert_eq!(scene.state.command[1], 4, "and to enter it is an attack");
    // When it has landed the zone is open again.
    let zone = scene.place("english_channel");
    while scene.state.phase <= Phase::Landing {
        let action = scene.legal()[0];
        scene.play(action);
    }
    assert!(scene.state.stack(zone).all(|unit| game.rules.units[unit.at()].id != "ger_fa_me109_1"));
}

#[test]
fn an_army_that_enters_a_raided_city_without_defenders_takes_it() {
    let game = game("stalingrad-1942");
    let mut scene = Scene::first(&game, Team::Axis, |editor| {
        editor.remove("su_tk_t34_4").remove("su_fa_i16_2").factory("rostov", 1);
    });
    scene.go("ger_mb_he111_1", "rostov");
    assert!(scene.attacked(Team::Axis, "rostov"));
    scene.go("ger_inf_17a", "rostov");
    assert!(!scene.attacked(Team::Axis, "rostov"));
    assert_eq!(scene.controller("rostov"), Nation::Germany, "11.33");
}

// ---- ships (7.2) ----

#[test]
fn a_ship_in_gothenburg_goes_round_by_denmark() {
    // E-17: the passage counts Denmark, and is closed by an enemy there (13).
    let game = game("stalingrad-1942");
    let swedish = |denmark: Nation| {
        Scene::first(&game, Team::Axis, |editor| {
            editor.standing(Nation::Sweden, Standing::Axis, Nation::Germany);
            editor.place("ger_ca", "gothenburg", 3).control("denmark", denmark);
            editor.control("hamburg", Nation::Britain);
        })
    };
    assert!(swedish(Nation::Germany).goes("ger_ca", "baltic_sea"));
    assert!(!swedish(Nation::Britain).goes("ger_ca", "baltic_sea"));
    // A battleship of range 4 falls short by the point that Denmark costs, a cruiser of range 5 does not.
    let british = |ship: &str| {
        let scene = Scene::first(&game, Team::Allies, |editor| {
            editor.place(ship, "irish_sea", 2).control("denmark", Nation::Britain);
        });
        scene.goes(ship, "baltic_sea")
    };
    assert!(british("gb_ca_1") && !british("gb_bb_kgv"));
}

#[test]
fn the_kiel_canal_is_for_german_ships() {
    let game = game("stalingrad-1942");
    let scene = Scene::first(&game, Team::Axis, |editor| {
        editor.control("denmark", Nation::Britain).place("ita_ca", "north_sea", 2).place(
            "ger_bc",
            "north_sea",
            2,
        );
    });
    assert!(scene.goes("ger_bc", "baltic_sea") && !scene.goes("ita_ca", "baltic_sea"));
}

#[test]
fn a_strait_is_closed_while_an_enemy_holds_a_side() {
    // E-18.
    let game = game("stalingrad-1942");
    let italian = |holder: Nation| {
        let scene = Scene::first(&game, Team::Axis, |editor| {
            editor
                .place("ita_bb", "western_mediterranean", 2)
                .remove("fort_gibraltar")
                .control("gibraltar", holder);
        });
        scene.goes("ita_bb", "south_atlantic")
    };
    assert!(!italian(Nation::Britain));
    assert!(italian(Nation::Italy));
    assert!(italian(Nation::Spain), "neutral (7.23)");
    // The Dardanelles need a major that holds both sides (13).
    let turkish = |istanbul: Nation, mysia: Nation| {
        let scene = Scene::first(&game, Team::Axis, |editor| {
            editor.place("ita_ca", "aegean_sea", 2).control("istanbul", istanbul).control("mysia", mysia);
        });
        scene.goes("ita_ca", "black_sea_west")
    };
    assert!(!turkish(Nation::Turkey, Nation::Turkey) && !turkish(Nation::Italy, Nation::Turkey));
    assert!(turkish(Nation::Italy, Nation::Germany));
}

#[test]
fn a_ship_leaves_a_port_by_the_sea() {
    // E-19: from Rome to Naples, the sea between them being free or not.
    let game = game("stalingrad-1942");
    let mut scene = Scene::first(&game, Team::Axis, |editor| {
        editor.place("ita_ca", "rome", 2);
    });
    assert!(scene.goes("ita_ca", "naples"));
    scene.go("ita_ca", "naples");
    assert_eq!(scene.state.via(scene.unit("ita_ca")), scene.place("tyrrhenian_sea"));
    let scene = Scene::first(&game, Team::Axis, |editor| {
        editor.place("ita_ca", "rome", 2).place("gb_ca_2", "tyrrhenian_sea", 4);
    });
    assert!(scene.goes("ita_ca", "tyrrhenian_sea"), "it may fight there");
    assert!(!scene.goes("ita_ca", "naples") && !scene.goes("ita_ca", "ionian_sea"), "enemies stop it (7.2)");
}

#[test]
fn submarines_pass_enemies_and_oceans_cost_two() {
    let game = game("stalingrad-1942");
    let scene = Scene::first(&game, Team::Axis, |editor| {
        editor.place("gb_bb_kgv", "north_sea", 4).place("gb_bc_hood", "english_channel", 2);
    });
    assert!(scene.goes("ger_ss_1", "norwegian_sea"), "7.2");
    assert!(scene.goes("ger_ca", "north_sea") && !scene.goes("ger_ca", "norwegian_sea"));
    // From Brest: the Bay of Biscay 1, the Atlantic 2 more; Convoy C would be 5 of 4 (7.24).
    assert!(scene.goes("ger_ss_2", "central_atlantic") && !scene.goes("ger_ss_2", "convoy_c"));
}

#[test]
fn ships_enter_enemy_ports_only_to_fight_one_at_a_time() {
    let game = game("stalingrad-1942");
    let mut scene = Scene::first(&game, Team::Allies, |editor| {
        editor.place("gb_ca_1", "english_channel", 4).place("gb_bb_kgv", "english_channel", 4);
        editor.place("gb_bc_hood", "english_channel", 2);
    });
    assert!(!scene.goes("gb_bb_kgv", "le_havre"), "nobody is there (7.2)");
    assert!(scene.goes("gb_bb_kgv", "lille"), "battleships bombard (7.31)");
    assert!(!scene.goes("gb_ca_1", "lille"), "cruisers do not (2.6)");
    assert!(scene.goes("gb_ca_1", "brest"), "ships lie there");
    scene.go("gb_ca_1", "brest");
    assert!(!scene.goes("gb_bb_kgv", "brest"), "one ship attacks a base (7.33)");
    assert!(scene.attacked(Team::Allies, "brest"));
}

#[test]
fn canada_and_the_usa_cannot_be_attacked() {
    let game = game("stalingrad-1942");
    let scene = Scene::first(&game, Team::Axis, |editor| {
        editor.clear().place("ger_ss_1", "west_atlantic", 3).place("ger_bc", "west_atlantic", 3);
        editor.place("ger_nb_condor", "west_atlantic", 3);
        editor.place("gb_ca_cdn", "canada", 3).place("us_cv_ranger", "usa", 2);
        editor.place("gb_ca_1", "newfoundland", 3);
    });
    for raider in ["ger_ss_1", "ger_bc", "ger_nb_condor"] {
        for safe in ["canada", "usa"] {
            assert!(!scene.goes(raider, safe), "{raider} to {safe} (13)");
        }
    }
    assert!(scene.goes("ger_bc", "newfoundland"), "an island apart");
}

#[test]
fn ships_that_do_not_attack_sail_twice_as_far_to_a_port_friendly_at_the_start() {
    let game = game("stalingrad-1942");
    let mut scene = Scene::first(&game, Team::Allies, |editor| {
        editor.place("gb_bb_kgv", "alexandria", 4).place("gb_bb_nelson", "palestine", 3);
        editor.control("taranto", Nation::Britain).control("sicily", Nation::Britain);
        editor.remove("ita_ca").remove("ita_ss").remove("ita_fa_c202").control("syria", Nation::Italy);
    });
    // Alexandria - Eastern Mediterranean - Ionian Sea - Adriatic Sea - and on.
    assert!(scene.goes("gb_bb_kgv", "adriatic_sea"));
    assert!(!scene.goes("gb_bb_kgv", "south_atlantic"), "six points");
    assert!(scene.goes("gb_bb_kgv", "gibraltar"), "five to a port");
    assert!(!scene.goes("gb_bb_kgv", "alexandria"), "it lies there");
    // An area taken in this phase is friendly, not from the start.
    assert!(!scene.goes("gb_bb_nelson", "syria"));
    scene.transfer("gb_fa_spitfire_3", "palestine");
    assert!(!scene.goes("gb_bb_nelson", "syria"));
}

#[test]
fn ships_of_a_neutral_italy_pass_and_are_passed_but_share_no_zone() {
    let game = game("campaign-1939");
    let scene = Scene::first(&game, Team::Allies, |editor| {
        editor.place("ita_ca", "ionian_sea", 2).place("gb_ca_2", "eastern_mediterranean", 3);
    });
    assert!(!scene.goes("gb_ca_2", "ionian_sea"));
    assert!(scene.goes("gb_ca_2", "adriatic_sea"));
}

#[test]
fn a_lend_lease_convoy_of_the_neutral_usa_is_attacked_and_escorted_like_a_british_one() {
    let game = game("barbarossa-1941");
    let convoy = |editor: &mut Editor<'_>| {
        editor.clear().place("convoy_b", "convoy_b", 2).place("gb_inf_bef", "london", 3);
        editor.place("ger_ss_1", "central_atlantic", 2).place("ger_inf_1a", "berlin", 3);
    };
    let mut raid = Scene::first(&game, Team::Axis, convoy);
    assert_eq!(raid.state.politics.usa, Entry::Neutral);
    raid.go("ger_ss_1", "convoy_b");
    assert_ne!(raid.state.sea_attacked[0], 0, "7.71");
    assert_eq!(raid.state.command[0], 4, "the battle is paid");
    assert_eq!(raid.state.politics.usa, Entry::Neutral, "no declaration of war");
    let escort = Scene::first(&game, Team::Allies, |editor| {
        convoy(editor);
        editor.place("gb_ca_1", "north_atlantic", 3);
    });
    assert!(escort.goes("gb_ca_1", "convoy_b"));
}

#[test]
fn a_convoy_zone_holds_a_convoy_and_two_ships() {
    let game = game("stalingrad-1942");
    let ships = ["gb_ca_1", "gb_ca_2", "gb_bb_kgv"];
    let scene = |from: &str, to: &str| {
        let mut scene = Scene::first(&game, Team::Allies, |editor| {
            editor.clear().place("gb_inf_bef", "london", 3);
            for ship in ships {
                editor.place(ship, from, 3);
            }
        });
        scene.go(ships[0], to).go(ships[1], to);
        scene
    };
    assert!(
        !scene("central_atlantic", "convoy_c").goes(ships[2], "convoy_c"),
        "the convoy has its own place (7.7)"
    );
    assert!(
        scene("central_atlantic", "north_atlantic").goes(ships[2], "north_atlantic"),
        "three elsewhere (7.11)"
    );
    let overstacked = |ships: &[&str]| {
        let mut editor = Editor::new(&game);
        editor.clear();
        for ship in ships {
            editor.place(ship, "convoy_c", 2);
        }
        game.overstacked(&editor.finish(), game.place("convoy_c").unwrap(), Team::Allies)
    };
    assert_eq!(overstacked(&ships), Some("ships"));
    assert_eq!(overstacked(&["gb_ca_1", "gb_ca_2", "convoy_c"]), None);
}

#[test]
fn a_coastal_area_takes_one_ship_and_two_with_a_base() {
    let game = game("stalingrad-1942");
    let port = |area: &str, first: u8, other: &str, from: &str, team: Team| {
        let mut scene = Scene::first(&game, team, |editor| {
            editor.clear();
            let place = game.place(area).unwrap();
            let ship = if team == Team::Axis { "ita_ca" } else { "gb_ca_1" };
            editor.place_on(game.unit(ship).unwrap(), place, first, 3).place(other, from, 3);
            // It has moved already.
            editor.state_mut().set_mark(game.unit(ship).unwrap(), mark::MOVED, true);
        });
        let (other, area) = (scene.unit(other), scene.place(area));
        scene.play(Action::Select(other));
        [1, 2].map(|coast| scene.may(Action::Go(area, coast)))
    };
    // Athens has ports on two seas and no base: one ship on either, not on both (7.21).
    assert_eq!(port("athens", 1, "ita_bb", "ionian_sea", Team::Axis), [false, false]);
    assert_eq!(port("naples", 1, "ita_bb", "tyrrhenian_sea", Team::Axis), [false, false]);
    // Liverpool is a base, Newcastle on its other coast none: the second ship lies in the base (1.44).
    assert_eq!(port("liverpool", 2, "gb_bb_kgv", "irish_sea", Team::Allies), [true, false]);
    assert_eq!(port("liverpool", 1, "gb_bb_kgv", "irish_sea", Team::Allies), [true, true]);
    // What a test of a position says.
    let over = |coasts: &[u8]| {
        let mut editor = Editor::new(&game);
        editor.clear();
        for (ship, &coast) in ["gb_ca_1", "gb_ca_2", "gb_bb_kgv"].iter().zip(coasts) {
            editor.place_on(game.unit(ship).unwrap(), game.place("liverpool").unwrap(), coast, 3);
        }
        game.overstacked(&editor.finish(), game.place("liverpool").unwrap(), Team::Allies)
    };
    assert_eq!(
        [over(&[1, 1]), over(&[1, 2]), over(&[2, 2]), over(&[1, 1, 2])],
        [None, None, Some("ships"), Some("ships")]
    );
}

#[test]
fn nothing_sails_on_frozen_seas() {
    let game = game("stalingrad-1942");
    let german = |turn: u8| {
        let scene = Scene::first(&game, Team::Axis, |editor| {
            editor.turn(turn).place("ger_ca", "baltic_sea", 3);
        });
        scene.goes("ger_ca", "gulf_of_finland")
    };
    assert!(german(13));
    assert!(!german(14) && !german(15), "3.43");
}

#[test]
fn ships_run_from_the_ice() {
    let game = game("stalingrad-1942");
    let mut context = PlayContext { dice: Rng64::stream(1, 1, 1), sink: Vec::new() };
    let mut editor = Editor::new(&game);
    editor.turn(14).place("ger_ca", "gulf_of_bothnia", 3).place("ger_ss_1", "gulf_of_finland", 1);
    editor.place("su_ca", "white_sea", 2);
    for area in ["belomorsk", "archangel", "murmansk"] {
        editor.control(area, Nation::Germany);
    }
    let state = editor.begin_turn(&mut context);
    let at = |unit: &str| state.location(game.unit(unit).unwrap());
    assert_eq!(at("ger_ca"), game.place("helsinki").unwrap(), "3.43: the nearest friendly port");
    assert_eq!(state.steps(game.unit("ger_ca").unwrap()), 2);
    assert!(matches!(at("ger_ss_1"), Place::POOL | Place::GONE), "its last step");
    assert!(matches!(at("su_ca"), Place::POOL | Place::GONE), "no port is friendly");
}

#[test]
fn the_fjords_are_a_way_along_a_friendly_coast() {
    let game = game("stalingrad-1942");
    let norway = |bergen: Nation| {
        Scene::first(&game, Team::Axis, |editor| {
            editor
                .place("ger_bb", "narvik", 2)
                .place("gb_bb_kgv", "norwegian_sea", 4)
                .control("bergen", bergen);
        })
    };
    let scene = norway(Nation::Germany);
    for place in ["trondheim", "bergen", "north_sea"] {
        assert!(scene.goes("ger_bb", place), "{place} (1.62)");
    }
    assert!(!norway(Nation::Britain).goes("ger_bb", "north_sea"));
}

#[test]
fn player_2_leaves_a_sea_battle_not_by_the_way_the_enemy_came() {
    let game = game("stalingrad-1942");
    let mut scene = Scene::first(&game, Team::Axis, |editor| {
        editor.place("gb_bb_kgv", "north_sea", 4).place("gb_bc_hood", "north_sea", 2);
        editor.place("ger_ca", "skagerrak", 3);
    });
    scene.go("ger_ca", "north_sea");
    assert_ne!(scene.state.sea_attacked[0], 0);
    scene.pass();
    assert_eq!(scene.state.phase, Phase::Pinning);
    scene.play(Action::Pin(scene.unit("gb_bc_hood")));
    assert!(!scene.goes("gb_bb_kgv", "skagerrak") && scene.goes("gb_bb_kgv", "norwegian_sea"));
}

// ---- Strategic Movement (4.7, 6.13, 7.26, 8.7) ----

#[test]
fn armies_transfer_through_friendly_land_or_by_sea_never_both() {
    let game = game("stalingrad-1942");
    let mut scene = Scene::first(&game, Team::Axis, |editor| {
        editor.command([2, 5, 5]);
    });
    assert!(scene.transfers_to("ger_inf_8a", "kharkov") && scene.transfers_to("ger_inf_8a", "venice"));
    assert!(!scene.transfers_to("ger_inf_8a", "crete"), "Berlin is no port");
    assert!(scene.transfers_to("ita_inf_9a", "crete") && scene.transfers_to("ita_inf_9a", "sicily"));
    assert!(!scene.transfers_to("ger_inf_8a", "moscow") && !scene.transfers_to("ger_inf_8a", "lyon"));
    scene.transfer("ger_inf_8a", "kiev");
    assert_eq!(scene.state.command[0], 1);
    assert!(scene.contains("ger_inf_8a", mark::STRATEGIC) && scene.moved("ger_inf_8a"));
    scene.transfer("ger_fa_fw190", "tripoli");
    assert_eq!(scene.at("ger_fa_fw190"), "tripoli", "aircraft fly any distance (6.13)");
    assert!(scene.transfers("ger_inf_10a").is_empty(), "no command is left");
}

#[test]
fn transfers_go_to_what_was_friendly_at_the_start() {
    let game = game("stalingrad-1942");
    let mut scene = Scene::first(&game, Team::Axis, |editor| {
        editor.remove("su_tk_t34_4").remove("su_fa_i16_2").remove("su_inf4_4");
    });
    scene.go("ger_inf_17a", "rostov").pass();
    assert_eq!(scene.controller("rostov"), Nation::Germany);
    assert!(!scene.transfers_to("ger_inf_8a", "rostov"), "4.7");
    assert!(scene.transfers_to("ger_inf_8a", "stalino"));
}

#[test]
fn enemy_ships_close_the_sea_to_transfers() {
    let game = game("stalingrad-1942");
    let scene = Scene::first(&game, Team::Axis, |editor| {
        editor.place("gb_ca_1", "aegean_sea", 4).place("gb_ca_2", "ionian_sea", 4);
    });
    assert!(!scene.transfers_to("ita_inf_9a", "crete"));
    assert!(!scene.transfers_to("ita_ca", "venice"), "Taranto lies on the Ionian Sea");
    let scene = Scene::first(&game, Team::Axis, |_| {});
    assert!(scene.transfers_to("ita_inf_9a", "crete") && scene.transfers_to("ita_ca", "venice"));
}

#[test]
fn red_ports_are_reached_round_africa_for_two_and_by_the_mediterranean_for_one() {
    let game = game("stalingrad-1942");
    let price = |unit: &str, from: &str, to: &str, closed: bool| {
        let mut scene = Scene::first(&game, Team::Allies, |editor| {
            editor.clear().place(unit, from, 2).place("gb_inf_ff", "birmingham", 1).place(
                "su_inf3_1",
                "moscow",
                1,
            );
            if closed {
                editor.place("ita_ca", "western_mediterranean", 2).place("ita_bb", "sicilian_strait", 2);
            }
        });
        if !scene.transfers_to(unit, to) {
            return None;
        }
        scene.transfer(unit, to);
        Some(5 - scene.state.command[Force::Western.index()])
    };
    assert_eq!(price("gb_inf_bef", "london", "suez", false), Some(1), "8.7");
    assert_eq!(price("gb_inf_bef", "london", "suez", true), Some(2));
    assert_eq!(price("gb_inf_bef", "london", "iraq", true), Some(2));
    assert_eq!(price("gb_inf_bef", "london", "iraq", false), Some(1), "through the Canal");
    assert_eq!(price("gb_inf_bef", "london", "alexandria", true), None);
    assert_eq!(price("gb_inf_bef", "iran", "iraq", true), Some(1));
    assert_eq!(price("gb_inf_bef", "iran", "cyprus", true), Some(1), "from the Canal");
    assert_eq!(price("gb_inf_bef", "iraq", "london", true), Some(2));
    // E-28: a ship in Suez.
    assert_eq!(price("gb_bb_nelson", "suez", "scapa_flow", true), Some(2));
    let scene = Scene::first(&game, Team::Allies, |editor| {
        editor.clear().place("gb_bb_nelson", "suez", 2).place("su_inf3_1", "moscow", 1);
    });
    assert!(scene.goes("gb_bb_nelson", "eastern_mediterranean"));
    // The Axis has no way round Africa.
    let scene = Scene::first(&game, Team::Axis, |editor| {
        editor.clear().control("suez", Nation::Italy).place("ita_ca", "naples", 2).place(
            "ita_inf_1a",
            "milan",
            2,
        );
        editor.place("gb_ca_1", "tyrrhenian_sea", 3);
    });
    assert!(!scene.transfers_to("ita_ca", "suez"));
}

#[test]
fn ships_transfer_to_friendly_ports_and_to_seas_held_from_the_start() {
    let game = game("stalingrad-1942");
    let scene = Scene::first(&game, Team::Allies, |_| {});
    assert!(scene.transfers_to("gb_bb_kgv", "convoy_c"), "British ships are there (7.26)");
    assert!(scene.transfers_to("gb_bb_kgv", "gibraltar"));
    assert!(!scene.transfers_to("gb_bb_kgv", "bay_of_biscay"), "empty");
    assert!(!scene.transfers_to("gb_bb_kgv", "brest"));
}

#[test]
fn the_urals_are_closed_at_first_and_then_left_by_transfer_alone() {
    let game1939 = game("campaign-1939");
    let early = |turn: u8, entry: u8, attacked: bool| {
        let scene = Scene::first(&game1939, Team::Allies, |editor| {
            editor.turn(turn);
            if entry > 0 {
                let politics = &mut editor.entry(Nation::Ussr, Entry::AtWar).state_mut().politics;
                (politics.soviet_entry, politics.axis_attacked_ussr) = (entry, attacked);
            }
        });
        scene.may_pick("su_ldr_zhukov")
    };
    assert!(!early(1, 0, false) && !early(8, 8, true), "13");
    assert!(early(9, 8, true) && early(12, 0, false));
    assert!(!early(9, 8, false) && early(12, 8, false), "only a German declaration of war opens them (13)");
    // E-12: an event lets them go before.
    let freed = game1939.rules.cards.iter().find(|card| {
        matches!(card.effect, sandtable_victory_in_europe::rules::Effect::Urals { units, .. }
            if units.contains(&game1939.unit("su_ldr_zhukov").unwrap()))
    });
    let freed = freed.expect("the card of the example").id.clone();
    let scene = Scene::first(&game1939, Team::Allies, |editor| {
        editor.card(Force::Western, &freed).card(Force::Soviet, &freed);
    });
    assert!(scene.may_pick("su_ldr_zhukov"));

    let game = game("stalingrad-1942");
    let mut scene = Scene::first(&game, Team::Allies, |editor| {
        editor
            .control("orenburg", Nation::Germany)
            .place("ger_inf_8a", "orenburg", 2)
            .control("kuibyshev", Nation::Germany);
        editor.place("su_shock_3", "urals", 2).place("su_fa_yak1_1", "kazan", 2).remove("su_fa_yak1_3");
    });
    assert!(scene.goals("su_shock_2").is_empty());
    // Aircraft too come and go by transfer (13).
    assert!(scene.transfers_to("su_fa_yak1_1", "urals") && !scene.goes("su_fa_yak1_1", "urals"));
    assert!(scene.transfers_to("su_shock_2", "moscow") && scene.transfers_to("su_guard_2", "urals"));
    scene.state.command[2] = 1;
    assert!(!scene.transfers_to("su_shock_2", "orenburg"), "enough for the move alone (R-110)");
    scene.state.command[2] = 5;
    scene.transfer("su_shock_2", "orenburg");
    assert!(scene.attacked(Team::Allies, "orenburg"), "a transfer may attack from there (13)");
    assert_eq!(scene.state.command[2], 3, "one for the move, one for the battle");
    assert!(!scene.transfers_to("su_shock_3", "orenburg"), "border limit 1");
    scene.state.command[2] = 1;
    assert!(scene.transfers_to("su_shock_3", "kuibyshev"), "nobody is there");
    scene.state.command[2] = 3;
    scene.transfer("su_shock_3", "kuibyshev");
    assert_eq!((scene.controller("kuibyshev"), scene.state.command[2]), (Nation::Ussr, 2));
}

#[test]
fn factories_move_to_friendly_cities_a_step_a_command() {
    let game = game("stalingrad-1942");
    let mut scene = Scene::first(&game, Team::Allies, |editor| {
        editor.factory("moscow", 2).factory("gorky", 0).control("gorky", Nation::Ussr);
    });
    let (moscow, gorky, london) = (scene.place("moscow"), scene.place("gorky"), scene.place("london"));
    scene.play(Action::MoveFactory(moscow, moscow));
    assert_eq!(scene.state.pending, Pending::Factory(moscow));
    assert!(!scene.may(Action::MoveFactory(moscow, london)), "not to the Western Allies");
    scene.play(Action::MoveFactory(moscow, gorky));
    assert_eq!((scene.state.factory(moscow), scene.state.factory(gorky)), (1, 1));
    assert_eq!(scene.state.command[2], 4, "11.32");
    assert_eq!(scene.state.arrivals(gorky), 1);
    scene.play(Action::MoveFactory(moscow, moscow));
    assert!(!scene.may(Action::MoveFactory(moscow, gorky)), "one step a turn and marker");
    // The Urals have two markers.
    let urals = scene.place("urals");
    scene.play(Action::MoveFactory(moscow, urals)).play(Action::MoveFactory(gorky, gorky));
    scene.play(Action::MoveFactory(gorky, urals));
    assert_eq!((scene.state.factory(urals), scene.state.arrivals(urals)), (6, 2));
    let kazan = scene.place("kazan");
    scene.play(Action::MoveFactory(kazan, kazan));
    assert!(!scene.may(Action::MoveFactory(kazan, urals)));
    assert_eq!(
        game.account(&scene.state, Nation::Ussr).urals,
        4,
        "what has been moved does not produce (11.32)"
    );
    // Only out of countries at war.
    let game1939 = self::game("campaign-1939");
    let neutral = Scene::first(&game1939, Team::Allies, |editor| {
        editor.factory("moscow", 1).factory("gorky", 0).factory("london", 1).factory("birmingham", 0);
    });
    assert!(neutral.may(Action::MoveFactory(london, london)));
    assert!(!neutral.may(Action::MoveFactory(moscow, moscow)));
    // Not out of a battle.
    let mut scene = Scene::first(&game, Team::Axis, |editor| {
        editor.factory("moscow", 2);
    });
    scene.go("ger_pz_3a", "moscow").pass();
    scene.play(Action::Pin(scene.unit("fort_moscow")));
    assert!(scene.state.phase == Phase::Movement && !scene.may(Action::MoveFactory(moscow, moscow)));
}

// ---- sea invasions (7.5) ----

#[test]
fn operation_sea_lion() {
    // E-37, movement.
    let game = game("stalingrad-1942");
    let mut scene = Scene::first(&game, Team::Axis, |editor| {
        editor.clear().command([3, 2, 0]);
        editor.place("ger_ss_1", "english_channel", 2).place("ger_ca", "brest", 3);
        editor.place("ger_inf_7a", "le_havre", 4).place("ger_ldr_rundstedt", "le_havre", 2);
        editor.place("ger_fa_me109_1", "le_havre", 3).place("ger_inf_8a", "berlin", 2);
        editor.place("gb_inf_bef", "southampton", 2).place("gb_ca_1", "southampton", 2);
        editor.place("gb_fa_spitfire_1", "london", 2).place("gb_bb_nelson", "scapa_flow", 3);
    });
    assert!(!scene.may(Action::Invade(scene.place("lille"))), "it is German");
    scene.invade("southampton", "ger_inf_7a");
    scene.play(Action::Join(scene.unit("ger_ldr_rundstedt")));
    assert_eq!(scene.state.command[0], 1, "an invasion costs 2");
    assert!(
        scene.contains("ger_inf_7a", mark::INVADES) && scene.contains("ger_ldr_rundstedt", mark::INVADES)
    );
    assert_eq!(scene.state.via(scene.unit("ger_inf_7a")), scene.place("english_channel"));
    assert_eq!(scene.state.invasion.coast[0], 1);
    assert!(!scene.may_pick("ger_ss_1"), "the ship of the chain does not move");
    scene.go("ger_fa_me109_1", "southampton").go("ger_ca", "english_channel");
    assert_eq!(scene.state.command[0], 1, "fighter and cruiser cost nothing");
    scene.pass();
    assert_eq!(scene.state.phase, Phase::Movement, "three attackers pin both defenders");
    scene.go("gb_fa_spitfire_1", "southampton");
    assert_eq!(scene.state.command[1], 1);
    assert!(scene.contains("gb_fa_spitfire_1", mark::REINFORCES));
    scene.go("gb_bb_nelson", "english_channel");
    assert_eq!(scene.state.command[1], 0);
    let channel = scene.place("english_channel").sea_zone().unwrap();
    assert_eq!(scene.state.sea_attacked[1], 1 << channel, "the British attack in the Channel");
}

#[test]
fn an_invasion_of_an_empty_coast_takes_it_and_leaves_one_ship_bound() {
    let game = game("bagration-1944");
    let mut scene = Scene::first(&game, Team::Allies, |editor| {
        // The Soviets have an invasion of their own: they cannot pay for it here.
        editor.command([5, 5, 0]);
    });
    for closed in ["netherlands", "hamburg", "bremen_ruhr"] {
        assert!(!scene.may(Action::Invade(scene.place(closed))), "{closed} (R-34)");
    }
    assert!(!scene.may(Action::Invade(scene.place("crete"))), "no ship is there");
    scene.invade("le_havre", "us_inf_3a");
    assert!(scene.may(Action::Join(scene.unit("gb_ldr_montgomery"))));
    scene.pass();
    assert_eq!((scene.at("us_inf_3a"), scene.controller("le_havre")), ("le_havre".to_owned(), Nation::Usa));
    assert_eq!(scene.state.command[1], 3);
    let ships = ["gb_bb_nelson", "gb_ca_1", "us_bb_washington"];
    assert_eq!(ships.iter().filter(|ship| scene.may_pick(ship)).count(), 2, "R-33");
    assert!(!scene.legal().iter().any(|action| matches!(action, Action::Invade(_))), "one a turn");
}

#[test]
fn ships_of_the_chain_were_there_before_and_winter_forbids_landings() {
    let game = game("bagration-1944");
    let goal = game.place("le_havre").unwrap();
    let may = |scene: &Scene<'_>| scene.may(Action::Invade(goal));
    let mut scene = Scene::first(&game, Team::Allies, |_| {});
    assert!(may(&scene));
    scene.go("gb_bb_nelson", "irish_sea").go("us_bb_washington", "irish_sea");
    assert!(may(&scene), "one ship is left");
    scene.go("gb_ca_1", "irish_sea").go("gb_bb_kgv", "english_channel");
    assert!(!may(&scene), "the newcomer does not count (7.5)");
    for (turn, open) in [(21, true), (22, true), (23, false)] {
        let scene = Scene::first(&game, Team::Allies, |editor| {
            editor.turn(turn);
        });
        assert_eq!(may(&scene), open, "turn {turn} (3.41)");
    }
    let scene = Scene::first(&game, Team::Allies, |editor| {
        editor.command([5, 1, 5]);
    });
    assert!(!may(&scene), "two command points");
}

#[test]
fn a_land_attack_beside_an_invasion_costs_one_more() {
    let game = game("bagration-1944");
    let mut scene = Scene::first(&game, Team::Allies, |editor| {
        editor.control("le_havre", Nation::Britain).place("gb_inf_can1", "le_havre", 3);
        editor.place("gb_inf_8a", "le_havre", 3);
    });
    scene.invade("brest", "us_inf_1a").pass();
    assert_eq!(scene.state.command[1], 3);
    scene.go("gb_inf_can1", "brest");
    assert_eq!(scene.state.command[1], 2, "7.5");
    scene.go("gb_inf_8a", "brest");
    assert_eq!(scene.state.command[1], 2, "once");
    // The other way round it comes to the same.
    let mut scene = Scene::first(&game, Team::Allies, |editor| {
        editor.control("le_havre", Nation::Britain).place("gb_inf_can1", "le_havre", 3);
        editor.place("gb_inf_8a", "le_havre", 3);
    });
    scene.go("gb_inf_can1", "brest").invade("brest", "us_inf_1a").pass();
    scene.go("gb_inf_8a", "brest");
    assert_eq!(scene.state.command[1], 2);
}

#[test]
fn paratroops_and_one_ship_support_an_invasion() {
    let game = game("bagration-1944");
    let mut scene = Scene::first(&game, Team::Allies, |_| {});
    assert!(!scene.goes("us_para", "brest"), "nobody fights there yet");
    scene.invade("brest", "us_inf_1a").pass();
    scene.go("us_para", "brest").go("gb_ca_1", "brest");
    assert_eq!(scene.state.command[1], 3, "the invasion has paid for all");
    assert!(scene.state.has_jumped(scene.unit("us_para")) && !scene.contains("us_para", mark::INVADES));
    assert!(!scene.goes("gb_bb_nelson", "brest"));
}

#[test]
fn one_paratrooper_supports_an_invasion() {
    // No power has two: an edited order of battle may give them.
    let opened = sandtable_scenarios_victory_in_europe::open("victory-in-europe/bagration-1944", &[])
        .expect("a scenario");
    let mut rules = opened.into_rules();
    let find = |id: &str| rules.units.iter().position(|unit| unit.id == id).expect("a unit");
    let (para, other) = (find("us_para"), find("gb_inf_bef"));
    rules.units[other].kind = rules.units[para].kind;
    let game = VictoryInEurope::new(rules).expect("sound rules");
    let mut scene = Scene::first(&game, Team::Allies, |editor| {
        editor.place("gb_inf_bef", "southampton", 2);
    });
    scene.invade("brest", "us_inf_1a").pass();
    assert!(scene.goes("us_para", "brest") && scene.goes("gb_inf_bef", "brest"));
    scene.go("us_para", "brest");
    assert!(!scene.goes("gb_inf_bef", "brest"), "7.5");
}

#[test]
fn a_ship_comes_by_the_last_zone_of_its_way() {
    let game = game("stalingrad-1942");
    let via = |to: &str| {
        let mut scene = Scene::first(&game, Team::Allies, |editor| {
            editor.clear().place("gb_bb_nelson", "southampton", 3).place("ger_inf_8a", "berlin", 1);
        });
        scene.go("gb_bb_nelson", to);
        let nelson = scene.unit("gb_bb_nelson");
        scene.name(scene.state.via(nelson))
    };
    assert_eq!(via("english_channel"), "southampton", "next to where it sets out");
    assert_eq!(via("bay_of_biscay"), "english_channel");
    assert_eq!(via("scapa_flow"), "north_sea", "into port from a zone beside it");
}

#[test]
fn a_neutral_may_be_invaded_once_its_units_stand() {
    let game = game("campaign-1939");
    let mut scene = Scene::first(&game, Team::Axis, |editor| {
        editor.place("ger_ca", "north_sea", 2).place("ger_inf_8a", "bremen_ruhr", 2);
    });
    let bergen = scene.place("bergen");
    scene.invade("bergen", "ger_inf_8a");
    assert!(matches!(scene.state.pending, Pending::Neutral { .. }));
    scene.play(Action::Deploy(scene.unit("nor_inf"), bergen));
    assert_eq!(scene.at("ger_inf_8a"), "bergen");
    assert!(scene.contains("ger_inf_8a", mark::INVADES) && scene.attacked(Team::Axis, "bergen"));
    assert_eq!(scene.state.command[0], 3);
    assert_eq!(scene.state.politics.standing(Nation::Norway), Standing::Western);
}

#[test]
fn nobody_lands_in_the_russian_winter() {
    let game = game("stalingrad-1942");
    let sevastopol = game.place("sevastopol").unwrap();
    let may = |turn: u8| {
        let scene = Scene::first(&game, Team::Axis, |editor| {
            editor.clear().turn(turn).control("sevastopol", Nation::Ussr);
            editor.place("ita_ca", "black_sea_west", 3).place("rum_inf_1a", "bucharest", 3);
            editor.place("ger_inf_8a", "berlin", 1);
        });
        scene.may(Action::Invade(sevastopol))
    };
    assert!(may(13) && !may(14), "the fourth quarter is winter there, not at Constanta (3.41)");
}

#[test]
fn western_allies_and_soviets_invade_once_each() {
    let game = game("stalingrad-1942");
    let mut scene = Scene::first(&game, Team::Allies, |editor| {
        editor.clear().place("gb_ca_1", "english_channel", 3).place("su_ca", "black_sea_east", 2);
        editor.place("gb_inf_bef", "southampton", 3).place("gb_inf_8a", "southampton", 3);
        editor.place("su_marines", "novorossiysk", 2).place("su_inf3_1", "novorossiysk", 2);
        editor.place("ger_inf_8a", "berlin", 1);
    });
    let [brest, le_havre, sevastopol] = ["brest", "le_havre", "sevastopol"].map(|id| scene.place(id));
    assert!([brest, le_havre, sevastopol].iter().all(|&area| scene.may(Action::Invade(area))));
    scene.invade("le_havre", "gb_inf_bef");
    if scene.may(Action::Pass) && !scene.may(Action::Invade(sevastopol)) {
        scene.pass();
    }
    assert!(!scene.may(Action::Invade(brest)), "one a turn (7.5)");
    assert!(scene.may(Action::Invade(sevastopol)), "the Soviets have their own");
    scene.invade("sevastopol", "su_marines");
    assert_eq!((scene.state.command[1], scene.state.command[2]), (3, 3));
}

#[test]
fn an_event_makes_the_invasion_cheaper() {
    let game = game("bagration-1944");
    let mut scene = Scene::first(&game, Team::Allies, |editor| {
        editor.command([5, 1, 0]).card(Force::Western, "al44-1");
    });
    scene.invade("le_havre", "us_inf_3a");
    assert_eq!(scene.state.command[1], 0);
}

#[test]
fn each_ally_lands_his_own_aircraft() {
    let game = game("stalingrad-1942");
    let mut editor = Editor::new(&game);
    editor.clear().place("ger_inf_8a", "berlin", 1);
    editor.place("gb_fa_spitfire_1", "english_channel", 2).place("su_fa_i16_2", "black_sea_east", 2);
    let mut context = PlayContext { dice: Rng64::stream(1, 1, 1), sink: Vec::new() };
    let mut state = editor.begin(Phase::Landing, Team::Allies, &mut context);
    let mut asked = Vec::new();
    let mut legal = Vec::new();
    while let Pending::Land(unit) = state.pending {
        assert_eq!(Some(game.decider(&state)), game.force(&state, unit));
        asked.push(game.decider(&state));
        legal.clear();
        game.legal_actions(&state, &mut legal);
        assert!(!legal.contains(&Action::Pass), "nobody stays at sea (6.22)");
        game.apply(&mut state, legal[0], &mut context);
    }
    asked.sort_unstable();
    assert_eq!(asked, [Force::Western, Force::Soviet]);
}
