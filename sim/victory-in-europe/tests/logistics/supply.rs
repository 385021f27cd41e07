//! Lines of supply, attrition (8, 1.7 to 1.9, 13).

use sandtable_core::Index;
use sandtable_victory_in_europe::Place;
use sandtable_victory_in_europe::event::LossCause;
use sandtable_victory_in_europe::nation::{Force, Nation};
use sandtable_victory_in_europe::rules::Standing;
use sandtable_victory_in_europe::supply::Line;

use super::*;

/// Whether lines of a nation's units reach an area.
fn reaches(game: &VictoryInEurope, editor: &mut Editor<'_>, nation: Nation, area: &str) -> bool {
    let state = editor.finish();
    game.supplied_areas(&state, nation, Line::Supply).contains(at(game, area))
}

/// Steps lost to attrition by unit.
fn attrition(game: &VictoryInEurope, events: &[Event]) -> Vec<(String, u8)> {
    let loss = |event: &Event| match *event {
        Event::Loss { unit, steps, cause: LossCause::Attrition } => {
            Some((game.rules.units[unit.at()].id.clone(), steps))
        }
        _ => None,
    };
    events.iter().filter_map(loss).collect()
}

#[test]
fn nobody_is_out_of_supply_at_the_start() {
    for scenario in ["campaign-1939", "barbarossa-1941", "stalingrad-1942", "kursk-1943", "bagration-1944"] {
        let game = open(scenario);
        let (_, events) = supply_phase(&mut set_up(&game));
        assert_eq!(attrition(&game, &events), [], "{scenario}");
    }
}

#[test]
fn a_pocket_loses_a_step_but_its_fortress_and_its_ships_do_not() {
    let game = open("barbarossa-1941");
    let mut editor = set_up(&game);
    editor.clear().entry(Nation::Ussr, Entry::AtWar);
    editor.place("fort_sevastopol", "sevastopol", 2).place("su_ca", "sevastopol", 2);
    editor.place("su_marines", "sevastopol", 1).place("su_fa_yak1_1", "sevastopol", 2);
    editor.control("mariupol", Nation::Germany).control("novorossiysk", Nation::Germany);
    // Ships at sea on both sides of Kerch close the Black Sea.
    editor.place("ger_ca", "black_sea_west", 1).place("ger_bc", "black_sea_east", 1);
    let (state, events) = supply_phase(&mut editor);
    let mut lost = attrition(&game, &events);
    lost.sort();
    assert_eq!(lost, [("su_fa_yak1_1".into(), 1), ("su_marines".into(), 1)]);
    assert_eq!(state.location(unit(&game, "su_marines")), Place::POOL, "its last step");
    assert_eq!((steps(&game, &state, "fort_sevastopol"), steps(&game, &state, "su_ca")), (2, 2));
    assert!(game.is_supplied(&state, unit(&game, "su_ca")));
    assert!(game.is_supplied(&state, unit(&game, "fort_sevastopol")));
    assert!(!game.is_supplied(&state, unit(&game, "su_fa_yak1_1")));
    // With the eastern sea open the line runs to Batumi.
    editor.remove("ger_bc");
    let (_, events) = supply_phase(&mut editor);
    assert_eq!(attrition(&game, &events), []);
}

#[test]
fn player_one_withers_first() {
    let game = open("barbarossa-1941");
    for first in Team::ALL {
        let mut editor = set_up(&game);
        editor.clear().entry(Nation::Ussr, Entry::AtWar).first(first);
        editor.control("kazan", Nation::Germany).place("ger_inf_1a", "kazan", 2);
        editor.control("cologne", Nation::Ussr).place("su_cav", "cologne", 2);
        let (_, events) = supply_phase(&mut editor);
        let mut expected = vec![("ger_inf_1a".to_owned(), 1), ("su_cav".to_owned(), 1)];
        if first == Team::Allies {
            expected.reverse();
        }
        assert_eq!(attrition(&game, &events), expected);
    }
}

#[test]
fn the_sea_carries_lines_through_empty_and_friendly_zones() {
    let game = open("barbarossa-1941");
    let mut editor = set_up(&game);
    editor.clear();
    assert!(reaches(&game, &mut editor, Nation::Italy, "tripoli"));
    editor.place("gb_ca_1", "sicilian_strait", 1);
    assert!(reaches(&game, &mut editor, Nation::Italy, "tripoli"), "round by the Gulf of Sirte");
    editor.place("gb_ca_2", "gulf_of_sirte", 1);
    assert!(!reaches(&game, &mut editor, Nation::Italy, "tripoli"));
    editor.place("ita_ca", "gulf_of_sirte", 1).remove("gb_ca_2");
    assert!(reaches(&game, &mut editor, Nation::Italy, "tripoli"), "its own ships do not close a zone");
}

#[test]
fn a_line_by_sea_is_not_broken_by_land() {
    let game = open("barbarossa-1941");
    let mut editor = set_up(&game);
    editor.clear();
    for area in ["belgrade", "zagreb", "sarajevo", "bulgaria"] {
        editor.control(area, Nation::Britain);
    }
    assert!(reaches(&game, &mut editor, Nation::Italy, "rhodes"));
    // Over the Adriatic to Albania, by land to Athens, and no further by the Aegean (8.3).
    editor.place("gb_ca_1", "ionian_sea", 1).place("gb_ca_2", "gulf_of_sirte", 1);
    assert!(reaches(&game, &mut editor, Nation::Italy, "athens"));
    assert!(!reaches(&game, &mut editor, Nation::Italy, "rhodes"));
}

#[test]
fn enemy_straits_stop_lines() {
    let game = open("barbarossa-1941");
    let mut editor = set_up(&game);
    editor.clear();
    assert!(reaches(&game, &mut editor, Nation::Britain, "malta"));
    editor.control("gibraltar", Nation::Germany);
    assert!(!reaches(&game, &mut editor, Nation::Britain, "malta"));
    assert!(reaches(&game, &mut editor, Nation::Britain, "alexandria"), "the red port of Suez");
    assert!(!reaches(&game, &mut editor, Nation::Britain, "cyprus"), "no part of the Middle East");
    editor.control("suez", Nation::Germany).control("iraq", Nation::Germany).control("iran", Nation::Germany);
    assert!(!reaches(&game, &mut editor, Nation::Britain, "alexandria"), "no red port is left");
    // The passage of Denmark is open to its friends alone, and to all while it is neutral.
    editor.control("hamburg", Nation::Britain).control("bremen_ruhr", Nation::Britain);
    let seas = |editor: &mut Editor<'_>| reaches(&game, editor, Nation::Germany, "oslo");
    assert!(seas(&mut editor), "from the Baltic");
    editor.control("denmark", Nation::Britain);
    assert!(seas(&mut editor), "by the North Sea");
    editor
        .place("gb_ca_1", "north_sea", 1)
        .place("gb_ca_2", "norwegian_sea", 1)
        .control("oulu", Nation::Britain);
    assert!(!seas(&mut editor));
}

#[test]
fn the_kiel_canal_is_german() {
    let game = open("barbarossa-1941");
    let mut editor = set_up(&game);
    editor.clear().control("hamburg", Nation::Britain).control("danzig", Nation::Britain);
    assert!(reaches(&game, &mut editor, Nation::Britain, "hamburg"));
    assert!(!reaches(&game, &mut editor, Nation::Britain, "danzig"));
    editor.control("denmark", Nation::Britain);
    assert!(reaches(&game, &mut editor, Nation::Britain, "danzig"), "through the passage of Denmark");
}

#[test]
fn ships_of_neutrals_close_a_zone_to_supply_and_not_to_resources() {
    let game = open("barbarossa-1941");
    let mut editor = set_up(&game);
    let state = editor.clear().place("su_ca", "baltic_sea", 1).place("us_ca_1", "irish_sea", 1).finish();
    let zone = |id: &str| game.rules.seas.iter().position(|sea| sea.id == id).expect("a sea");
    let carries =
        |nation: Nation, line: Line, id: &str| game.supply_seas(&state, nation, line) >> zone(id) & 1 != 0;
    assert!(!carries(Nation::Germany, Line::Supply, "baltic_sea"), "neither friendly nor empty");
    assert!(carries(Nation::Germany, Line::Resource, "baltic_sea"));
    assert!(carries(Nation::Britain, Line::Supply, "irish_sea"), "the neutral USA is no stranger");
}

#[test]
fn the_dardanelles_serve_majors_that_hold_both_sides() {
    let game = open("barbarossa-1941");
    let mut editor = set_up(&game);
    editor.clear().control("sevastopol", Nation::Britain).entry(Nation::Ussr, Entry::AtWar);
    editor.standing(Nation::Yugoslavia, Standing::Western, Nation::Britain);
    editor.control("belgrade", Nation::Yugoslavia).control("zagreb", Nation::Yugoslavia);
    let by_sea = |editor: &mut Editor<'_>| {
        [Nation::Britain, Nation::Yugoslavia].map(|nation| reaches(&game, editor, nation, "sevastopol"))
    };
    assert_eq!(by_sea(&mut editor), [false, false], "Turkey is neutral");
    editor.control("istanbul", Nation::Britain);
    assert_eq!(by_sea(&mut editor), [false, false], "one side is neutral");
    editor.control("mysia", Nation::Britain);
    assert_eq!(by_sea(&mut editor), [true, false], "not for a minor");
}

#[test]
fn red_ports_serve_western_units_of_the_region() {
    let game = open("barbarossa-1941");
    let mut editor = set_up(&game);
    editor.clear().control("gibraltar", Nation::Germany);
    assert!(reaches(&game, &mut editor, Nation::Britain, "benghazi"), "North Africa, by Suez");
    editor.control("suez", Nation::Germany).control("palestine", Nation::Germany);
    assert!(reaches(&game, &mut editor, Nation::Britain, "iraq"), "Basra");
    editor.control("iraq", Nation::Italy).control("palestine", Nation::Britain);
    assert!(!reaches(&game, &mut editor, Nation::Italy, "iraq"), "no Axis unit draws on it");
}

#[test]
fn frozen_seas_carry_nothing() {
    let game = open("barbarossa-1941");
    let mut editor = set_up(&game);
    let gulf = 1 << game.rules.seas.iter().position(|sea| sea.id == "gulf_of_finland").expect("a gulf");
    for (turn, open) in [(9, true), (10, false), (11, false), (12, true)] {
        let state = editor.turn(turn).finish();
        let seas = game.supply_seas(&state, Nation::Germany, Line::Supply);
        assert_eq!(seas & gulf != 0, open, "turn {turn}");
    }
}

#[test]
fn the_caspian_is_for_the_soviets() {
    let game = open("stalingrad-1942");
    let mut editor = set_up(&game);
    editor.clear().control("grozny", Nation::Germany).control("astrakhan", Nation::Germany);
    editor.control("novorossiysk", Nation::Germany).place("ger_ca", "black_sea_east", 1);
    assert!(reaches(&game, &mut editor, Nation::Ussr, "baku"), "to Orenburg");
    assert!(reaches(&game, &mut editor, Nation::Ussr, "batumi"), "and on by land");
    editor.control("orenburg", Nation::Germany);
    assert!(!reaches(&game, &mut editor, Nation::Ussr, "baku"));
    editor.control("baku", Nation::Germany).control("batumi", Nation::Germany);
    for area in ["novorossiysk", "rostov", "stalingrad", "grozny", "orenburg"] {
        editor.control(area, Nation::Ussr);
    }
    assert!(reaches(&game, &mut editor, Nation::Germany, "baku"), "by the Black Sea");
    assert!(!reaches(&game, &mut editor, Nation::Germany, "astrakhan"), "not for the Axis");
}

#[test]
fn leningrad_lives_by_the_lake() {
    let game = open("stalingrad-1942");
    let mut editor = set_up(&game);
    assert!(reaches(&game, &mut editor, Nation::Ussr, "leningrad"));
    editor.control("viipuri", Nation::Ussr).control("belomorsk", Nation::Finland);
    assert!(!reaches(&game, &mut editor, Nation::Ussr, "viipuri"), "no further than Leningrad");
    editor.control("kalinin", Nation::Germany);
    assert!(!reaches(&game, &mut editor, Nation::Ussr, "leningrad"));
}

#[test]
fn allies_do_not_share_areas_with_the_soviets() {
    let game = open("stalingrad-1942");
    let mut editor = set_up(&game);
    editor.clear().control("iran", Nation::Britain).control("baku", Nation::Ussr);
    for area in ["grozny", "batumi", "astrakhan", "orenburg"] {
        editor.control(area, Nation::Germany);
    }
    assert!(!reaches(&game, &mut editor, Nation::Ussr, "baku"), "the line by Iran and Basra is not theirs");
    assert!(reaches(&game, &mut editor, Nation::Britain, "iran"));
    // Germans and Italians do share theirs.
    assert!(reaches(&game, &mut editor, Nation::Italy, "warsaw"));
}

#[test]
fn a_neutral_italy_stands_apart() {
    let game = open("campaign-1939");
    let mut editor = set_up(&game);
    assert!(!reaches(&game, &mut editor, Nation::Italy, "berlin"));
    assert!(!reaches(&game, &mut editor, Nation::Germany, "rome"));
    editor.entry(Nation::Italy, Entry::AtWar);
    assert!(reaches(&game, &mut editor, Nation::Italy, "berlin"), "then it shares the areas of Germany");
    assert!(reaches(&game, &mut editor, Nation::Italy, "tripoli"));
}

#[test]
fn minors_draw_on_their_own_capital() {
    let game = open("barbarossa-1941");
    let mut editor = set_up(&game);
    assert!(reaches(&game, &mut editor, Nation::Romania, "berlin"), "friendly areas of allies");
    editor.control("bucharest", Nation::Ussr).entry(Nation::Ussr, Entry::AtWar);
    assert!(!reaches(&game, &mut editor, Nation::Romania, "cluj"));
    assert!(reaches(&game, &mut editor, Nation::Germany, "cluj"));
}

#[test]
fn moscow_cut_from_the_urals_costs_every_unit_a_step_once() {
    let game = open("stalingrad-1942");
    let mut editor = set_up(&game);
    editor.clear();
    for area in ["kalinin", "vologda", "gorky", "tula", "smolensk"] {
        editor.control(area, Nation::Germany);
    }
    editor.place("su_inf4_1", "moscow", 4).place("fort_moscow", "moscow", 2).place("su_ca", "batumi", 2);
    editor.place("su_inf4_2", "saratov", 4).place("su_guard_1", "urals", 3).place(
        "su_inf4_3",
        "archangel",
        2,
    );
    let (state, events) = supply_phase(&mut editor);
    let mut lost = attrition(&game, &events);
    lost.sort();
    // Moscow is surrounded besides (8.6); Archangel has a line to nowhere.
    let expected = ["su_inf4_1", "su_inf4_1", "su_inf4_2", "su_inf4_3", "su_inf4_3"];
    assert_eq!(lost, expected.map(|unit| (unit.to_owned(), 1)));
    assert_eq!(steps(&game, &state, "fort_moscow"), 2);
    assert!(game.is_supplied(&state, unit(&game, "su_inf4_2")), "by the Urals");
    let (_, events) = supply_phase(&mut Editor::of(&game, state));
    assert_eq!(attrition(&game, &events), [("su_inf4_1".into(), 1)], "once, for the rest");
}

#[test]
fn the_first_fall_of_london_costs_every_unit_in_great_britain_a_step() {
    let game = open("barbarossa-1941");
    let mut editor = set_up(&game);
    editor.clear().control("london", Nation::Germany).place("ger_inf_1a", "london", 3);
    editor.place("gb_inf_bef", "liverpool", 3).place("gb_ca_1", "liverpool", 2);
    editor.place("gb_inf_8a", "alexandria", 2).place("us_inf_1a", "usa", 1);
    let (state, events) = supply_phase(&mut editor);
    let lost = attrition(&game, &events);
    assert!(lost.contains(&("gb_inf_bef".into(), 1)) && lost.contains(&("gb_ca_1".into(), 1)), "{lost:?}");
    assert!(lost.iter().all(|(unit, _)| !unit.starts_with("us_") && unit != "gb_inf_8a"));
    assert_eq!(steps(&game, &state, "gb_inf_bef"), 2, "then there is Canada");
    let (_, events) = supply_phase(&mut Editor::of(&game, state));
    assert!(!attrition(&game, &events).iter().any(|(unit, _)| unit.starts_with("gb_")), "once");
}

#[test]
fn a_surrounded_capital_starves_and_by_option_lives_by_its_port() {
    let literal = open("stalingrad-1942");
    assert!(!literal.rules.options.surrounded_port_supplied, "the text is the default (8.6)");
    let mut rules = literal.rules.clone();
    rules.options.surrounded_port_supplied = true;
    let game = VictoryInEurope::new(rules).expect("rules that hold together");
    let mut editor = set_up(&game);
    editor.clear().place("ger_inf_1a", "rome", 2).place("ita_inf_1a", "rome", 2).place(
        "ita_inf_2a",
        "venice",
        2,
    );
    for area in ["florence", "ancona", "pescara", "naples"] {
        editor.control(area, Nation::Britain);
    }
    let (_, events) = supply_phase(&mut editor);
    let lost = attrition(&game, &events);
    assert!(!lost.iter().any(|(unit, _)| unit.starts_with("ita_inf_1a")), "Anzio is open: {lost:?}");
    editor.place("gb_ca_1", "tyrrhenian_sea", 2);
    let (_, events) = supply_phase(&mut editor);
    let mut lost = attrition(&game, &events);
    lost.sort();
    let lost: Vec<_> = lost.iter().map(|(unit, _)| unit.as_str()).collect();
    assert_eq!(lost, ["ger_inf_1a", "ita_inf_1a", "ita_inf_2a"], "Venice has no line to Rome");
    let mut state = editor.finish();
    editor.remove("gb_ca_1");
    assert!(!game.is_surrounded(&editor.finish(), at(&game, "rome")));
    assert!(literal.is_surrounded(&editor.finish(), at(&game, "rome")), "by land alone");
    let (_, events) = supply_phase(&mut Editor::of(&literal, editor.finish()));
    assert!(attrition(&literal, &events).iter().any(|(unit, _)| unit.starts_with("ita_inf_1a")), "8.6");
    state.budget = sandtable_victory_in_europe::state::Budget::default();
    assert!(game.is_surrounded(&state, at(&game, "rome")));
}

#[test]
fn a_surrounded_capital_lives_by_no_port_of_its_own() {
    let mut rules = open("campaign-1939").rules;
    rules.options.surrounded_port_supplied = true;
    let game = VictoryInEurope::new(rules).expect("rules that hold together");
    let mut editor = set_up(&game);
    editor.clear().standing(Nation::Finland, Standing::Defending, Nation::Germany);
    let helsinki = at(&game, "helsinki");
    for area in game.rules.areas.iter().filter(|area| area.country == Nation::Finland) {
        editor.control(&area.id, Nation::Ussr);
    }
    editor.control("helsinki", Nation::Finland);
    assert!(game.is_surrounded(&editor.finish(), helsinki), "R-40");
}

#[test]
fn partisans_cut_lines_and_bridges_by_air_spare() {
    let game = open("kursk-1943");
    let mut editor = set_up(&game);
    editor.clear().card(Force::Soviet, "al43-7").place("ger_pz_1a", "kharkov", 2).place(
        "ger_fa_me109_1",
        "kiev",
        2,
    );
    // All roads to Kharkov lead through Kiev and Dnepropetrovsk.
    let (kiev, dnieper) = (at(&game, "kiev"), at(&game, "dnepropetrovsk"));
    for area in ["bryansk", "orel", "kursk", "stalino", "mariupol"] {
        editor.control(area, Nation::Ussr);
    }
    assert!(reaches(&game, &mut editor, Nation::Germany, "kharkov"));
    editor.state_mut().cards.named[Force::Soviet.index()] = [kiev, dnieper];
    editor.state_mut().phase = Phase::Combat;
    assert!(!reaches(&game, &mut editor, Nation::Germany, "kharkov"));
    assert!(reaches(&game, &mut editor, Nation::Germany, "kiev"), "a line may end there");
    assert!(reaches(&game, &mut editor, Nation::Romania, "bessarabia"));
    editor.control("kharkov", Nation::Germany);
    let lost = |editor: &mut Editor<'_>| {
        let (_, events) = supply_phase(editor);
        attrition(&game, &events)
    };
    assert_eq!(lost(&mut editor), [("ger_pz_1a".into(), 1)]);
    // The sea leads past them, unless it must be left through them.
    editor.control("mariupol", Nation::Germany).control("stalino", Nation::Germany);
    assert_eq!(lost(&mut editor), []);
    editor.control("mariupol", Nation::Ussr).control("stalino", Nation::Ussr);
    // An air bridge spares the units of one area.
    let game = open("stalingrad-1942");
    let mut editor = set_up(&game);
    editor.clear().control("kazan", Nation::Germany).place("ger_inf_1a", "kazan", 2);
    editor.control("penza", Nation::Germany).place("ger_inf_2a", "penza", 2);
    editor.control("gorky", Nation::Ussr).card(Force::Axis, "ax42-6");
    let kazan = at(&game, "kazan");
    editor.state_mut().cards.named[Force::Axis.index()][0] = kazan;
    let (_, events) = supply_phase(&mut editor);
    assert_eq!(attrition(&game, &events), [("ger_inf_2a".into(), 1)]);
}

#[test]
fn lines_pass_along_friendly_fjords() {
    let game = open("barbarossa-1941");
    let mut editor = set_up(&game);
    editor.clear().place("ger_ca", "norwegian_sea", 3);
    for area in ["bergen", "trondheim", "narvik"] {
        editor.control(area, Nation::Britain);
    }
    assert!(
        reaches(&game, &mut editor, Nation::Britain, "narvik"),
        "by the North Sea to Bergen, and on (1.62)"
    );
    editor.control("trondheim", Nation::Germany);
    assert!(reaches(&game, &mut editor, Nation::Britain, "bergen"));
    assert!(!reaches(&game, &mut editor, Nation::Britain, "narvik"), "all areas crossed are friendly (1.62)");
    editor.remove("ger_ca");
    assert!(reaches(&game, &mut editor, Nation::Britain, "narvik"), "over the open sea");
}

#[test]
fn a_capital_that_an_event_cuts_feeds_its_own_units_alone() {
    let game = open("kursk-1943");
    let mut editor = set_up(&game);
    editor.clear().card(Force::Soviet, "al43-7");
    for nation in [Nation::Greece, Nation::Turkey] {
        editor.standing(nation, Standing::Axis, Nation::Germany);
    }
    for area in ["bulgaria", "albania"] {
        editor.control(area, Nation::Britain);
    }
    editor.control("athens", Nation::Greece).control("belgrade", Nation::Germany);
    // No way by sea.
    for (ship, zone) in [
        ("gb_bb_nelson", "aegean_sea"),
        ("gb_bc_hood", "eastern_mediterranean"),
        ("gb_cv_ark_royal", "ionian_sea"),
        ("su_ca", "black_sea_west"),
        ("gb_ca_1", "black_sea_east"),
    ] {
        editor.place(ship, zone, 1);
    }
    editor.place("tur_inf_2a", "budapest", 1);
    let lost = |editor: &mut Editor<'_>| {
        let (_, events) = supply_phase(editor);
        attrition(&game, &events)
    };
    assert_eq!(lost(&mut editor), [], "by Istanbul, Athens and Belgrade");
    editor.state_mut().cards.named[Force::Soviet.index()][0] = at(&game, "athens");
    let turks = unit(&game, "tur_inf_2a");
    assert_eq!(lost(&mut editor), [("tur_inf_2a".into(), 1)]);
    // The lines of the Greeks, which begin in Athens, are theirs alone.
    editor.place("gre_inf", "belgrade", 1);
    let mut state = editor.finish();
    state.phase = Phase::Supply;
    assert!(!game.is_supplied(&state, turks));
    assert_eq!(lost(&mut editor), [("tur_inf_2a".into(), 1)]);
}
