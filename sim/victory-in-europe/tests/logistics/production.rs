//! Production: counting, writing, placing (11, 7.7, 13).

use sandtable_core::Index;
use sandtable_victory_in_europe::Place;
use sandtable_victory_in_europe::nation::{Force, Nation};
use sandtable_victory_in_europe::production::Account;
use sandtable_victory_in_europe::rules::Standing;
use sandtable_victory_in_europe::state::mark;

use super::*;

fn account(game: &VictoryInEurope, editor: &mut Editor<'_>, major: Nation) -> Account {
    let state = editor.finish();
    game.account(&state, major)
}

/// Places where a unit may enter, by identifier.
fn entrances(game: &VictoryInEurope, state: &State, id: &str) -> Vec<String> {
    let wanted = unit(game, id);
    let place = |action| match action {
        Action::Raise(unit, place) if unit == wanted => Some(match place.sea_zone() {
            Some(zone) => game.rules.seas[zone as usize].id.clone(),
            None => game.rules.areas[place.at()].id.clone(),
        }),
        _ => None,
    };
    legal(game, state).into_iter().filter_map(place).collect()
}

fn may_build(game: &VictoryInEurope, state: &State, id: &str) -> bool {
    legal(game, state).contains(&Action::Build(unit(game, id)))
}

// ---- counting ----

#[test]
fn germany_starts_with_ten_factories_and_eleven_resources() {
    // E-24
    let game = open("campaign-1939");
    let mut editor = set_up(&game);
    let german = account(&game, &mut editor, Nation::Germany);
    assert_eq!((german.factories, german.resources, german.points), (10, 11, 10));
    assert_eq!(german.growth[0], 1, "one step more matches the resources");
    editor.entry(Nation::Ussr, Entry::AtWar);
    assert_eq!(account(&game, &mut editor, Nation::Germany).resources, 10, "Soviet deliveries end");
    editor.entry(Nation::Ussr, Entry::Neutral);
    let italian = account(&game, &mut editor, Nation::Italy);
    assert_eq!((italian.factories, italian.resources, italian.points), (2, 4, 2));
    let french = account(&game, &mut editor, Nation::France);
    // Four, and convoy D.
    assert_eq!((french.resources, french.factories), (5, 4));
}

#[test]
fn factories_of_the_scenarios_work() {
    // E-40 to E-45, E-47, E-48
    let expected = [
        ("barbarossa-1941", [15, 3, 8, 0, 5, 12]),
        ("stalingrad-1942", [18, 3, 9, 0, 8, 13]),
        ("kursk-1943", [14, 3, 9, 0, 12, 16]),
        ("bagration-1944", [10, 0, 11, 0, 12, 16]),
    ];
    for (scenario, factories) in expected {
        let game = open(scenario);
        let mut editor = set_up(&game);
        for (major, steps) in Nation::MAJOR.into_iter().zip(factories) {
            let account = account(&game, &mut editor, major);
            let working = account.factories + account.leningrad + account.urals;
            assert_eq!(working, steps, "{scenario}: {}", major.name());
            assert!(account.resources + account.urals >= account.factories, "{scenario}: {}", major.name());
        }
    }
}

#[test]
fn britain_lives_on_canada_and_convoy_c() {
    // E-23, E-46
    for (scenario, resources) in
        [("barbarossa-1941", 8), ("stalingrad-1942", 9), ("kursk-1943", 9), ("bagration-1944", 11)]
    {
        let game = open(scenario);
        assert_eq!(account(&game, &mut set_up(&game), Nation::Britain).resources, resources, "{scenario}");
    }
    let game = open("barbarossa-1941");
    let mut editor = set_up(&game);
    editor.place("convoy_c", "convoy_c", 1);
    let before = [Nation::Britain, Nation::Germany].map(|major| account(&game, &mut editor, major));
    assert_eq!(before[0].resources, 7);
    assert_eq!(before[0].points, 7, "of eight factories");
    editor.remove("convoy_c");
    let after = [Nation::Britain, Nation::Germany].map(|major| account(&game, &mut editor, major));
    assert_eq!(after[0].resources, 6);
    assert_eq!(after[1], before[1], "the Axis gains nothing");
    // A convoy counts only if a line runs to London, or to Canada.
    editor.place("convoy_c", "convoy_c", 4);
    assert_eq!(account(&game, &mut editor, Nation::Britain).resources, 10);
    for (ship, zone) in
        [("ger_ca", "central_atlantic"), ("ger_bc", "south_atlantic"), ("ger_ss_1", "west_atlantic")]
    {
        editor.place(ship, zone, 1);
    }
    editor.place("ger_ss_2", "convoy_b", 1).place("ger_ss_3", "convoy_d", 1);
    let cut = account(&game, &mut editor, Nation::Britain);
    assert_eq!(cut.resources, 4 + 2, "Canada's own reach Canada");
}

#[test]
fn conquered_resources_wait_a_turn_those_of_allies_do_not() {
    // E-30
    let game = open("barbarossa-1941");
    let mut editor = set_up(&game);
    let before = account(&game, &mut editor, Nation::Germany).resources;
    let kursk = at(&game, "stalino");
    editor
        .entry(Nation::Ussr, Entry::AtWar)
        .control("lvov", Nation::Germany)
        .control("kiev", Nation::Germany);
    editor.control("dnepropetrovsk", Nation::Germany).control("stalino", Nation::Germany);
    editor.state_mut().captured.insert(kursk);
    let after = account(&game, &mut editor, Nation::Germany).resources;
    // The Soviet import ends, two of Dnepropetrovsk come in, two of Stalino next turn.
    assert_eq!(after, before - 1 + 2);
    editor.state_mut().captured.remove(kursk);
    assert_eq!(account(&game, &mut editor, Nation::Germany).resources, after + 2);
    // By diplomacy at once.
    let spanish = ["madrid", "granada", "barcelona", "valencia", "bilbao", "la_coruna", "majorca"];
    for area in spanish {
        editor.control(area, Nation::Spain);
    }
    editor.standing(Nation::Spain, Standing::Axis, Nation::Italy);
    assert_eq!(account(&game, &mut editor, Nation::Germany).resources, after + 2, "an ally of Italy");
    editor.standing(Nation::Spain, Standing::Axis, Nation::Germany);
    assert_eq!(account(&game, &mut editor, Nation::Germany).resources, after + 4);
}

#[test]
fn treaties_bring_oil_ore_and_algeria_to_germany() {
    let game = open("campaign-1939");
    let mut editor = set_up(&game);
    let full = account(&game, &mut editor, Nation::Germany).resources;
    let of = |change: &dyn Fn(&mut Editor<'_>)| {
        let mut editor = set_up(&game);
        change(&mut editor);
        account(&game, &mut editor, Nation::Germany).resources
    };
    // Romania: two, as a neutral and as an ally, none as an enemy or occupied.
    let romania = |standing: Standing, patron: Nation| {
        move |editor: &mut Editor<'_>| {
            editor.standing(Nation::Romania, standing, patron);
        }
    };
    assert_eq!(of(&romania(Standing::Axis, Nation::Germany)), full);
    assert_eq!(of(&romania(Standing::Western, Nation::Britain)), full - 2);
    assert_eq!(
        of(&|editor| {
            editor.control("bucharest", Nation::Ussr);
        }),
        full - 2
    );
    // Algeria: none while it is French, one as part of a neutral Vichy.
    let vichy = |editor: &mut Editor<'_>| {
        editor.standing(Nation::France, Standing::Gone, Nation::France);
        editor.standing(Nation::Vichy, Standing::Neutral, Nation::Vichy);
        for area in ["lyon", "marseille", "montpellier", "corsica", "tunis", "algiers", "oran", "morocco"] {
            editor.control(area, Nation::Vichy);
        }
        for area in ["paris", "le_havre", "lille", "brest", "bordeaux", "nancy"] {
            editor.control(area, Nation::Germany);
        }
    };
    assert_eq!(of(&vichy), full + 1 + 3, "Nancy's two and Lille's one besides");
    let blocked = |editor: &mut Editor<'_>| {
        vichy(editor);
        editor.place("gb_ca_1", "western_mediterranean", 1).place("gb_ca_2", "sicilian_strait", 1);
        editor.place("gb_ca_cdn", "south_atlantic", 1).control("tripoli", Nation::Britain);
    };
    assert_eq!(of(&blocked), full + 1 + 3 - 1);
}

#[test]
fn gallivare_ore_goes_by_the_baltic_and_in_winter_by_narvik() {
    let game = open("barbarossa-1941");
    let ore = |turn: u8, change: &dyn Fn(&mut Editor<'_>)| {
        let mut editor = set_up(&game);
        editor.turn(turn);
        change(&mut editor);
        let with = account(&game, &mut editor, Nation::Germany).resources;
        editor.control("lulea", Nation::Ussr);
        with - account(&game, &mut editor, Nation::Germany).resources
    };
    let (summer, winter) = (9, 11);
    assert_eq!(ore(summer, &|_| {}), 2);
    assert_eq!(
        ore(summer, &|editor| {
            editor.place("su_ca", "baltic_sea", 1);
        }),
        2,
        "at peace"
    );
    let soviet_ship = |editor: &mut Editor<'_>| {
        editor.entry(Nation::Ussr, Entry::AtWar).place("su_ca", "baltic_sea", 1);
    };
    assert_eq!(ore(summer, &soviet_ship), 0);
    assert_eq!(ore(winter, &soviet_ship), 2, "over Norway");
    assert_eq!(
        ore(summer, &|editor| {
            editor.control("bergen", Nation::Britain);
        }),
        2
    );
    assert_eq!(
        ore(winter, &|editor| {
            editor.control("bergen", Nation::Britain);
        }),
        0
    );
    assert_eq!(
        ore(winter, &|editor| {
            editor.control("denmark", Nation::Britain);
        }),
        0
    );
    // British ships off Narvik are passed by the fjords; in the North Sea they are not.
    assert_eq!(
        ore(winter, &|editor| {
            editor.place("gb_ca_1", "norwegian_sea", 1);
        }),
        2
    );
    assert_eq!(
        ore(winter, &|editor| {
            editor.place("gb_ca_1", "north_sea", 1);
        }),
        0
    );
}

#[test]
fn oil_of_iran_and_iraq_serves_the_axis_alone() {
    let game = open("stalingrad-1942");
    let mut editor = set_up(&game);
    let british = account(&game, &mut editor, Nation::Britain).resources;
    editor.clear().control("iraq", Nation::Germany).control("syria", Nation::Germany);
    editor.place("convoy_c", "convoy_c", british - 6);
    let german = account(&game, &mut editor, Nation::Germany).resources;
    assert_eq!(account(&game, &mut editor, Nation::Britain).resources, british, "it never counted");
    editor.control("iraq", Nation::Britain);
    assert_eq!(account(&game, &mut editor, Nation::Germany).resources, german - 2);
}

#[test]
fn factories_out_of_supply_do_not_produce_nor_those_moved_this_turn() {
    let game = open("stalingrad-1942");
    let mut editor = set_up(&game);
    let before = account(&game, &mut editor, Nation::Germany);
    editor.clear();
    for area in ["berlin", "leipzig"] {
        assert_eq!(editor.finish().controller(at(&game, area)), Nation::Germany);
    }
    let vienna = at(&game, "vienna");
    editor.state_mut().set_arrivals(vienna, 1);
    assert_eq!(account(&game, &mut editor, Nation::Germany).factories, before.factories - 1);
    editor.state_mut().set_arrivals(vienna, 0);
    // Bavaria cut off from Berlin.
    let around: Vec<Place> = game.adjacent(at(&game, "munich")).iter().collect();
    for area in around {
        let id = game.rules.areas[area.at()].id.clone();
        if game.rules.areas[area.at()].country != Nation::Switzerland {
            editor.control(&id, Nation::Usa);
        }
    }
    let cut = account(&game, &mut editor, Nation::Germany);
    assert!(cut.factories <= before.factories - 2, "Munich's two at least");
    assert_eq!(editor.finish().factory(at(&game, "munich")), 2, "they suffer no loss");
}

#[test]
fn lend_lease_comes_on_top_where_it_arrives() {
    let game = open("stalingrad-1942");
    let mut editor = set_up(&game);
    editor
        .clear()
        .place("convoy_a", "convoy_a", 1)
        .place("convoy_b", "convoy_b", 2)
        .place("convoy_c", "convoy_c", 2);
    let aid = |editor: &mut Editor<'_>| {
        [Nation::Britain, Nation::Ussr].map(|major| account(&game, editor, major).aid)
    };
    assert_eq!(aid(&mut editor), [2, 1 + 1], "B; A and the railway of Iran");
    let american = account(&game, &mut editor, Nation::Usa);
    assert_eq!(american.resources, 16 - 3, "a resource a step");
    let british = account(&game, &mut editor, Nation::Britain);
    assert_eq!(british.points, british.factories.min(british.resources) + 2);
    // Without a resource to spare Iran carries nothing.
    editor.factory("usa", 13);
    assert_eq!(aid(&mut editor), [2, 1]);
    editor.factory("usa", 8).control("iran", Nation::Iran);
    assert_eq!(aid(&mut editor), [2, 1]);
    editor.control("iran", Nation::Britain).control("moscow", Nation::Germany);
    assert_eq!(aid(&mut editor), [2, 1], "to the Urals, but Iran's to Moscow alone");
    editor.control("moscow", Nation::Ussr);
    // Murmansk lost, Archangel serves until the White Sea freezes.
    editor.control("murmansk", Nation::Germany);
    assert_eq!(aid(&mut editor), [2, 1 + 1]);
    editor.turn(15);
    assert_eq!(aid(&mut editor), [2, 1]);
    editor.turn(13).place("ger_bb", "norwegian_sea", 1);
    assert_eq!(aid(&mut editor), [2, 1], "only Iran's");
    // B reaches Canada while a line runs there.
    editor.place("ger_ss_1", "west_atlantic", 1).place("ger_ss_2", "north_atlantic", 1);
    editor.place("ger_ca", "central_atlantic", 1);
    assert_eq!(aid(&mut editor)[0], 0);
    editor.entry(Nation::Ussr, Entry::Neutral);
    assert_eq!(aid(&mut editor)[1], 0, "both must be at war");
}

#[test]
fn a_handicap_gives_points_to_the_first_major_of_a_force() {
    let plain = open("stalingrad-1942");
    let mut rules = plain.rules.clone();
    for (extra, points) in rules.setup.handicap.iter_mut().zip([1, 2, 3]) {
        extra.production = points;
    }
    let game = VictoryInEurope::new(rules).expect("rules that hold together");
    let points =
        |game: &VictoryInEurope| Nation::MAJOR.map(|major| account(game, &mut set_up(game), major).points);
    let (with, without) = (points(&game), points(&plain));
    let gains: Vec<u8> = with.iter().zip(without).map(|(with, without)| with - without).collect();
    assert_eq!(gains, [1, 0, 2, 0, 0, 3], "Germany, Britain, the USSR");
}

#[test]
fn the_urals_and_leningrad_keep_their_own_points() {
    let game = open("stalingrad-1942");
    let mut editor = set_up(&game);
    let soviet = account(&game, &mut editor, Nation::Ussr);
    assert_eq!(soviet.urals, 4);
    assert_eq!(soviet.leningrad, editor.finish().factory(at(&game, "leningrad")), "by the lake");
    assert_eq!(soviet.growth[1], 4, "two factories of four in the Urals");
    editor.factory("urals", 8);
    assert_eq!(account(&game, &mut editor, Nation::Ussr).urals, 8);
    editor.control("novgorod", Nation::Ussr);
    let open = account(&game, &mut editor, Nation::Ussr);
    assert_eq!(open.leningrad, 0);
    assert_eq!(open.factories, soviet.factories + soviet.leningrad);
    // Leningrad lives on what the others leave.
    editor.control("novgorod", Nation::Germany).control("baku", Nation::Germany);
    for area in ["grozny", "stalino", "tula", "gorky", "kazan", "kuibyshev"] {
        editor.control(area, Nation::Germany);
    }
    let poor = account(&game, &mut editor, Nation::Ussr);
    assert!(poor.resources < poor.factories + soviet.leningrad, "{poor:?}");
    assert_eq!(poor.leningrad, poor.resources.saturating_sub(poor.factories), "{poor:?}");
}

#[test]
fn a_resource_without_a_way_to_the_capital_does_not_count() {
    let game = open("stalingrad-1942");
    let mut editor = set_up(&game);
    editor.clear().control("belomorsk", Nation::Germany);
    let by_sea = account(&game, &mut editor, Nation::Ussr).resources;
    editor.place("ger_ss_1", "barents_sea", 1);
    assert_eq!(account(&game, &mut editor, Nation::Ussr).resources, by_sea - 1, "Murmansk's (1.5)");
}

// ---- writing ----

#[test]
fn majors_write_one_after_the_other_and_lose_what_they_leave() {
    let game = open("stalingrad-1942");
    let mut editor = set_up(&game);
    let mut state = writing(&game, &mut editor, Team::Axis, Nation::Germany);
    let points = state.budget.points[0];
    assert_eq!(points, account(&game, &mut editor, Nation::Germany).points);
    assert_eq!(state.budget.points[1], 0, "Italy has not counted yet");
    play(&game, &mut state, &[Action::Subsidy, Action::Pass]);
    assert_eq!(state.budget.major(), Some(Nation::Italy));
    assert_eq!(state.budget.points[0], 0);
    let italian = account(&game, &mut editor, Nation::Italy).points;
    assert_eq!(state.budget.points[1], italian + 2, "with Germany's two");
    play(&game, &mut state, &[Action::Pass]);
    assert_eq!(state.mover, Team::Allies);
    assert_eq!(state.budget.major(), Some(Nation::Britain));
    assert_eq!(state.budget.points[1], 0);
    let order: Vec<_> = std::iter::from_fn(|| {
        let major = state.budget.major()?;
        play(&game, &mut state, &[Action::Pass]);
        (state.phase == Phase::Production).then_some(major)
    })
    .collect();
    assert!(order.starts_with(&[Nation::Britain, Nation::Usa]), "France is gone: {order:?}");
}

#[test]
fn italy_gets_its_points_at_war_and_over_a_line_only() {
    let game = open("stalingrad-1942");
    let subsidy = |editor: &mut Editor<'_>| {
        legal(&game, &writing(&game, editor, Team::Axis, Nation::Germany)).contains(&Action::Subsidy)
    };
    let mut editor = set_up(&game);
    assert!(subsidy(&mut editor));
    editor.entry(Nation::Italy, Entry::Neutral);
    assert!(!subsidy(&mut editor));
    editor.entry(Nation::Italy, Entry::AtWar).clear();
    for area in ["florence", "ancona", "pescara", "naples"] {
        editor.control(area, Nation::Britain);
    }
    editor.place("gb_ca_1", "tyrrhenian_sea", 1).place("ger_inf_1a", "berlin", 1);
    assert!(!subsidy(&mut editor));
}

#[test]
fn a_step_costs_what_the_type_says_and_one_a_unit() {
    let game = open("stalingrad-1942");
    let mut editor = set_up(&game);
    editor.clear().place("ger_pz_1a", "berlin", 1).place("ger_inf_1a", "berlin", 3).place(
        "ger_inf_2a",
        "kazan",
        1,
    );
    editor.place("ger_ldr_manstein", "berlin", 0);
    let mut state = writing(&game, &mut editor, Team::Axis, Nation::Germany);
    let points = state.budget.points[0];
    assert!(!may_build(&game, &state, "ger_inf_1a"), "at full strength");
    assert!(!may_build(&game, &state, "ger_inf_2a"), "out of supply");
    let panzer = unit(&game, "ger_pz_1a");
    play(&game, &mut state, &[Action::Build(panzer)]);
    assert_eq!(state.budget.points[0], points - 2);
    assert!(!may_build(&game, &state, "ger_pz_1a"), "one step a turn");
    assert_eq!(steps(&game, &state, "ger_pz_1a"), 1, "nothing is seen until all have written");
    play(&game, &mut state, &[Action::Build(unit(&game, "ger_ldr_manstein"))]);
    assert_eq!(state.budget.points[0], points - 4);
    place_all(&game, &mut state);
    assert_eq!(steps(&game, &state, "ger_pz_1a"), 2);
    assert_eq!(steps(&game, &state, "ger_ldr_manstein"), 1);
    assert!(!state.has_mark(panzer, mark::BUILT));
}

#[test]
fn nothing_is_listed_that_cannot_be_paid() {
    let game = open("stalingrad-1942");
    let mut editor = set_up(&game);
    let mut state = writing(&game, &mut editor, Team::Axis, Nation::Germany);
    let (panzer, infantry) = (unit(&game, "ger_pz_1a"), unit(&game, "ger_inf_8a"));
    state.budget.points[0] = 1;
    let actions = legal(&game, &state);
    assert!(actions.contains(&Action::Build(infantry)) && !actions.contains(&Action::Build(panzer)));
    assert!(!actions.iter().any(|action| matches!(action, Action::BuildFactory(_) | Action::Subsidy)));
    state.budget.points[0] = 0;
    assert_eq!(legal(&game, &state), [Action::Pass]);
}

#[test]
fn new_units_enter_at_home_factories_with_one_step() {
    let game = open("stalingrad-1942");
    let mut editor = set_up(&game);
    editor.clear().place("ger_inf_1a", "berlin", 3).place("ger_inf_2a", "berlin", 3).place(
        "ger_inf_3a",
        "berlin",
        3,
    );
    editor.place("ger_fa_me109_1", "vienna", 1);
    editor.control("munich", Nation::Usa);
    let mut state = writing(&game, &mut editor, Team::Axis, Nation::Germany);
    let places = entrances(&game, &state, "ger_pz_2a");
    assert!(places.contains(&"cologne".to_owned()) && places.contains(&"vienna".to_owned()), "{places:?}");
    for closed in ["berlin", "munich", "leipzig", "paris"] {
        assert!(!places.contains(&closed.to_owned()), "{closed}");
    }
    let air = entrances(&game, &state, "ger_db_stuka");
    assert!(air.contains(&"berlin".to_owned()) && !air.contains(&"vienna".to_owned()), "one air unit");
    // Room taken by what is written counts.
    let prague = at(&game, "prague");
    let three = ["ger_pz_2a", "ger_inf_4a", "ger_inf_6a"].map(|id| Action::Raise(unit(&game, id), prague));
    play(&game, &mut state, &three);
    assert!(!entrances(&game, &state, "ger_inf_8a").contains(&"prague".to_owned()));
    place_all(&game, &mut state);
    assert_eq!((state.location(unit(&game, "ger_pz_2a")), steps(&game, &state, "ger_pz_2a")), (prague, 1));
    assert_eq!(game.check(&state), Ok(()));
}

#[test]
fn counters_come_of_age_and_alike_ones_are_listed_once() {
    let game = open("barbarossa-1941");
    let mut editor = set_up(&game);
    editor.clear();
    let state = writing(&game, &mut editor, Team::Axis, Nation::Germany);
    assert_eq!(entrances(&game, &state, "ger_inf_19a"), [""; 0], "of 1943");
    assert_eq!(entrances(&game, &state, "ger_fa_fw190"), [""; 0], "of 1942, or alike");
    assert!(!entrances(&game, &state, "ger_inf_2a").is_empty());
    assert_eq!(entrances(&game, &state, "ger_inf_4a"), [""; 0], "as the 2nd");
    editor.turn(19);
    let state = writing(&game, &mut editor, Team::Axis, Nation::Germany);
    assert!(!entrances(&game, &state, "ger_inf_1a").is_empty());
}

#[test]
fn leaders_enter_with_their_zero_step() {
    let game = open("stalingrad-1942");
    let mut editor = set_up(&game);
    editor.remove("ger_ldr_guderian");
    let mut state = writing(&game, &mut editor, Team::Axis, Nation::Germany);
    let points = state.budget.points[0];
    let leader = unit(&game, "ger_ldr_guderian");
    play(&game, &mut state, &[Action::Raise(leader, at(&game, "berlin"))]);
    assert_eq!(state.budget.points[0], points - 2);
    place_all(&game, &mut state);
    assert_eq!((state.location(leader), state.steps(leader)), (at(&game, "berlin"), 0));
    assert_eq!(game.check(&state), Ok(()));
}

#[test]
fn british_units_begin_in_great_britain_canadian_ones_in_canada() {
    let game = open("stalingrad-1942");
    let mut editor = set_up(&game);
    editor.clear();
    let mut state = writing(&game, &mut editor, Team::Allies, Nation::Britain);
    assert_eq!(entrances(&game, &state, "gb_inf_can1"), ["canada"]);
    let places = entrances(&game, &state, "gb_inf_bef");
    assert!(places.contains(&"london".to_owned()) && !places.contains(&"canada".to_owned()), "{places:?}");
    // Free forces: the Poles and the French serve Britain once their nations have fallen.
    assert!(!entrances(&game, &state, "pol_inf_1a").is_empty());
    assert!(!entrances(&game, &state, "gb_inf_ff").is_empty());
    // A cruiser needs a naval base with a factory: Glasgow's, in this scenario.
    assert_eq!(entrances(&game, &state, "gb_ca_1"), ["glasgow"]);
    assert_eq!(entrances(&game, &state, "gb_ca_cdn"), ["canada"]);
    let glasgow = at(&game, "glasgow");
    play(&game, &mut state, &[Action::Raise(unit(&game, "gb_ca_1"), glasgow)]);
    place_all(&game, &mut state);
    let cruiser = unit(&game, "gb_ca_1");
    assert_eq!((state.location(cruiser), state.coast(cruiser), state.steps(cruiser)), (glasgow, 1, 1));
    // Before the fall of France its free forces wait.
    let game = open("campaign-1939");
    let mut editor = set_up(&game);
    editor.clear().remove("gb_inf_ff").turn(4);
    for major in [Nation::Britain, Nation::France] {
        let state = writing(&game, &mut editor, Team::Allies, major);
        assert_eq!(entrances(&game, &state, "gb_inf_ff"), [""; 0]);
        let has_room = !entrances(&game, &state, "fra_inf_2a").is_empty();
        assert_eq!(has_room, major == Nation::France);
    }
}

#[test]
fn ships_gain_steps_in_supplied_bases() {
    let game = open("stalingrad-1942");
    let mut editor = set_up(&game);
    editor.clear().place("ger_ca", "hamburg", 1).place("ger_bc", "stettin", 1).place(
        "ger_ss_1",
        "north_sea",
        1,
    );
    let mut state = writing(&game, &mut editor, Team::Axis, Nation::Germany);
    assert!(may_build(&game, &state, "ger_ca"));
    assert!(!may_build(&game, &state, "ger_bc"), "no base");
    assert!(!may_build(&game, &state, "ger_ss_1"), "at sea");
    // Hamburg takes two ships, one of which is there (7.21, 1.44).
    let hamburg = at(&game, "hamburg");
    let boats = ["ger_ss_2", "ger_ss_3"].map(|id| unit(&game, id));
    assert!(state.budget.points[0] >= 4);
    play(&game, &mut state, &[Action::Raise(boats[0], hamburg)]);
    assert!(!legal(&game, &state).contains(&Action::Raise(boats[1], hamburg)));
    place_all(&game, &mut state);
    assert_eq!((state.location(boats[0]), state.coast(boats[0])), (hamburg, 1));
    assert_eq!(game.check(&state), Ok(()));
}

#[test]
fn convoys_are_built_in_their_zones() {
    let game = open("stalingrad-1942");
    let mut editor = set_up(&game);
    editor.clear().place("convoy_c", "convoy_c", 2);
    let mut state = writing(&game, &mut editor, Team::Allies, Nation::Britain);
    let points = state.budget.points[Nation::Britain.index()];
    play(&game, &mut state, &[Action::Build(unit(&game, "convoy_c"))]);
    assert_eq!(state.budget.points[Nation::Britain.index()], points - 1);
    assert_eq!(entrances(&game, &state, "convoy_d"), ["convoy_d"], "the French one, after their fall");
    while state.budget.major() != Some(Nation::Usa) {
        game.apply(&mut state, Action::Pass, &mut quiet());
    }
    let (a, b) = (unit(&game, "convoy_a"), unit(&game, "convoy_b"));
    play(
        &game,
        &mut state,
        &[Action::Raise(a, at(&game, "convoy_a")), Action::Raise(b, at(&game, "convoy_b"))],
    );
    place_all(&game, &mut state);
    assert_eq!(["convoy_a", "convoy_b", "convoy_c"].map(|id| steps(&game, &state, id)), [1, 1, 3]);
    // An enemy in the zone keeps it closed.
    editor.place("ger_ss_1", "convoy_b", 1);
    let state = writing(&game, &mut editor, Team::Allies, Nation::Usa);
    assert_eq!(entrances(&game, &state, "convoy_b"), [""; 0]);
    assert_eq!(entrances(&game, &state, "convoy_a"), ["convoy_a"]);
    // A only when both are at war; B before.
    editor.remove("ger_ss_1").entry(Nation::Ussr, Entry::Neutral);
    let state = writing(&game, &mut editor, Team::Allies, Nation::Usa);
    assert_eq!(entrances(&game, &state, "convoy_a"), [""; 0]);
    assert_eq!(entrances(&game, &state, "convoy_b"), ["convoy_b"]);
}

#[test]
fn the_usa_may_give_up_convoys_for_its_factories() {
    let game = open("kursk-1943");
    let mut editor = set_up(&game);
    let tied = [steps(&game, &editor.finish(), "convoy_a"), steps(&game, &editor.finish(), "convoy_b")];
    assert_eq!(tied, [1, 3]);
    // Sixteen at home and Algeria's: thirteen are free, for twelve factories.
    let usa = |state: &State| legal(&game, state).iter().any(|action| matches!(action, Action::CutConvoy(_)));
    assert!(!usa(&writing(&game, &mut editor, Team::Allies, Nation::Usa)), "nothing is short");
    editor.factory("usa", 13);
    let mut state = writing(&game, &mut editor, Team::Allies, Nation::Usa);
    let b = unit(&game, "convoy_b");
    let soviet = account(&game, &mut editor, Nation::Ussr).aid;
    play(&game, &mut state, &[Action::CutConvoy(b), Action::CutConvoy(unit(&game, "convoy_a"))]);
    assert!(!legal(&game, &state).contains(&Action::CutConvoy(unit(&game, "convoy_a"))), "there is one step");
    assert!(
        !legal(&game, &state).iter().any(|action| matches!(action, Action::BuildFactory(_))),
        "next turn"
    );
    play(&game, &mut state, &[Action::Pass]);
    assert_eq!(game.account(&state, Nation::Ussr).aid, soviet, "what has sailed arrives");
    place_all(&game, &mut state);
    assert_eq!([steps(&game, &state, "convoy_a"), steps(&game, &state, "convoy_b")], [0, 2]);
    assert_eq!(game.account(&state, Nation::Usa).resources, 14 + 1, "with Algeria's");
}

#[test]
fn minors_are_paid_by_their_major_and_begin_in_their_capital() {
    let game = open("stalingrad-1942");
    let mut editor = set_up(&game);
    editor.remove("hun_inf_1a").place("rum_inf_1a", "kazan", 1).place("fin_inf_2a", "helsinki", 1);
    let mut state = writing(&game, &mut editor, Team::Axis, Nation::Germany);
    assert_eq!(entrances(&game, &state, "hun_inf_1a"), ["budapest"]);
    assert!(may_build(&game, &state, "fin_inf_2a"));
    assert!(!may_build(&game, &state, "rum_inf_1a"), "no line from Berlin");
    assert_eq!(entrances(&game, &state, "spa_inf_1a"), [""; 0], "a neutral");
    let points = state.budget.points[0];
    play(&game, &mut state, &[Action::Raise(unit(&game, "hun_inf_1a"), at(&game, "budapest"))]);
    assert_eq!(state.budget.points[0], points - 1);
    place_all(&game, &mut state);
    assert_eq!(steps(&game, &state, "hun_inf_1a"), 1);
    editor.control("budapest", Nation::Ussr);
    let state = writing(&game, &mut editor, Team::Axis, Nation::Germany);
    assert_eq!(entrances(&game, &state, "hun_inf_1a"), [""; 0]);
}

#[test]
fn a_minors_unit_needs_the_lines_of_its_own_capital_and_of_its_major() {
    let game = open("stalingrad-1942");
    let grows = |cut: &[&str]| {
        let mut editor = set_up(&game);
        editor.place("rum_inf_1a", "budapest", 1).place("hun_inf_1a", "budapest", 1);
        editor.place("ger_inf_1a", "budapest", 1).place("su_ca", "black_sea_west", 1);
        for area in cut {
            editor.control(area, Nation::Ussr);
        }
        let state = writing(&game, &mut editor, Team::Axis, Nation::Germany);
        ["rum_inf_1a", "hun_inf_1a", "ger_inf_1a"].map(|id| may_build(&game, &state, id))
    };
    assert_eq!(grows(&[]), [true; 3]);
    // The capital of Romania is lost, or cut off; Budapest has its line to Berlin.
    assert_eq!(grows(&["bucharest"]), [false, true, true], "8.1, 11.4");
    let around = at(&game, "bucharest");
    let around: Vec<&str> =
        game.supply_adjacent(around).iter().map(|area| game.rules.areas[area.at()].id.as_str()).collect();
    assert_eq!(grows(&around), [false, true, true]);
    // Budapest is a Hungarian's own capital, but has no line to Berlin.
    let budapest = game.supply_adjacent(at(&game, "budapest"));
    let around: Vec<&str> = budapest.iter().map(|area| game.rules.areas[area.at()].id.as_str()).collect();
    assert_eq!(grows(&around), [false; 3], "11.5");
}

#[test]
fn factories_grow_a_step_a_turn_within_city_and_resources() {
    // E-24, E-25
    let game = open("campaign-1939");
    let mut editor = set_up(&game);
    editor.factory("vienna", 2).factory("berlin", 2);
    let mut state = writing(&game, &mut editor, Team::Axis, Nation::Germany);
    let grows = |state: &State| -> Vec<String> {
        let area = |action| match action {
            Action::BuildFactory(area) => Some(game.rules.areas[area.at()].id.clone()),
            _ => None,
        };
        legal(&game, state).into_iter().filter_map(area).collect()
    };
    assert!(grows(&state).contains(&"bremen_ruhr".to_owned()), "from two to three");
    assert!(!grows(&state).contains(&"vienna".to_owned()), "at the value of the city");
    let bremen = at(&game, "bremen_ruhr");
    let points = state.budget.points[0];
    play(&game, &mut state, &[Action::BuildFactory(bremen)]);
    assert_eq!(state.budget.points[0], points - 4);
    assert_eq!(state.factory(bremen), 2, "placed with the rest");
    assert_eq!(grows(&state), [""; 0], "ten factories of eleven resources take one");
    place_all(&game, &mut state);
    assert_eq!(state.factory(bremen), 3);
    assert!(state.arrivals(bremen) == 0);
    // With resources to spare it is one step a marker and turn, and none on what has been moved.
    for area in ["cracow", "belgrade", "lille", "nancy", "bilbao", "paris"] {
        editor.control(area, Nation::Germany);
    }
    editor.control("poznan", Nation::Germany).control("zagreb", Nation::Germany).factory("paris", 1);
    let hamburg = at(&game, "hamburg");
    editor.state_mut().set_arrivals(hamburg, 1);
    let mut state = writing(&game, &mut editor, Team::Axis, Nation::Germany);
    assert!(!grows(&state).contains(&"hamburg".to_owned()));
    assert!(!grows(&state).contains(&"paris".to_owned()), "not at home");
    play(&game, &mut state, &[Action::BuildFactory(bremen)]);
    assert!(!grows(&state).is_empty() && !grows(&state).contains(&"bremen_ruhr".to_owned()));
}

#[test]
fn the_urals_build_for_themselves() {
    let game = open("stalingrad-1942");
    let mut editor = set_up(&game);
    editor.clear().place("su_guard_1", "urals", 1).place("su_guard_2", "moscow", 1);
    let mut state = writing(&game, &mut editor, Team::Allies, Nation::Ussr);
    let ussr = Nation::Ussr.index();
    let points = state.budget.points[ussr];
    let urals = at(&game, "urals");
    assert_eq!(state.budget.urals, 4);
    play(&game, &mut state, &[Action::Build(unit(&game, "su_guard_1"))]);
    assert_eq!((state.budget.urals, state.budget.points[ussr]), (3, points), "from its own points");
    play(&game, &mut state, &[Action::Build(unit(&game, "su_guard_2"))]);
    assert_eq!((state.budget.urals, state.budget.points[ussr]), (3, points - 1));
    // Its points alone raise units there, and nowhere else.
    state.budget.points[ussr] = 0;
    for action in legal(&game, &state) {
        let there = match action {
            Action::Raise(_, area) => area == urals,
            Action::Build(unit) => state.location(unit) == urals,
            _ => action == Action::Pass,
        };
        assert!(there, "{action:?}");
    }
    // Points of the west top up.
    state.budget.points[ussr] = 2;
    state.budget.urals = 1;
    play(&game, &mut state, &[Action::Raise(unit(&game, "su_tk_t34_1"), urals)]);
    assert_eq!((state.budget.urals, state.budget.points[ussr]), (0, 1));
    // Two markers: two steps a turn.
    state.budget.points[ussr] = 12;
    play(&game, &mut state, &[Action::BuildFactory(urals), Action::BuildFactory(urals)]);
    assert!(!legal(&game, &state).contains(&Action::BuildFactory(urals)));
    place_all(&game, &mut state);
    assert_eq!(state.factory(urals), 6);
}

#[test]
fn leningrad_by_the_lake_adds_steps_to_its_own_units() {
    let game = open("stalingrad-1942");
    let mut editor = set_up(&game);
    editor
        .clear()
        .place("su_inf4_1", "leningrad", 1)
        .place("su_inf4_2", "leningrad", 1)
        .factory("leningrad", 1);
    let mut state = writing(&game, &mut editor, Team::Allies, Nation::Ussr);
    let points = state.budget.points[Nation::Ussr.index()];
    assert_eq!(state.budget.leningrad, 1);
    assert!(!entrances(&game, &state, "su_inf3_1").contains(&"leningrad".to_owned()), "no new units");
    assert!(!legal(&game, &state).contains(&Action::BuildFactory(at(&game, "leningrad"))));
    play(&game, &mut state, &[Action::Build(unit(&game, "su_inf4_1"))]);
    assert_eq!((state.budget.leningrad, state.budget.points[Nation::Ussr.index()]), (0, points));
    assert!(!may_build(&game, &state, "su_inf4_2"), "nothing comes over the lake");
    editor.control("novgorod", Nation::Ussr);
    let state = writing(&game, &mut editor, Team::Allies, Nation::Ussr);
    assert!(entrances(&game, &state, "su_inf3_1").contains(&"leningrad".to_owned()));
}

#[test]
fn steps_overseas_cost_more() {
    let game = open("stalingrad-1942");
    let mut editor = set_up(&game);
    editor.clear().place("ger_dak", "tripoli", 1).place("gb_inf_8a", "alexandria", 1).place(
        "gb_ca_2",
        "alexandria",
        1,
    );
    let cost = |editor: &mut Editor<'_>, team: Team, major: Nation, id: &str| {
        let mut state = writing(&game, editor, team, major);
        let before = state.budget.points[major.index()];
        play(&game, &mut state, &[Action::Build(unit(&game, id))]);
        before - state.budget.points[major.index()]
    };
    assert_eq!(cost(&mut editor, Team::Axis, Nation::Germany, "ger_dak"), 2 + 1, "Malta is British");
    editor.control("malta", Nation::Italy);
    assert_eq!(cost(&mut editor, Team::Axis, Nation::Germany, "ger_dak"), 2);
    // By sea from London at the usual price, by Suez for one more.
    assert_eq!(cost(&mut editor, Team::Allies, Nation::Britain, "gb_inf_8a"), 1);
    assert_eq!(cost(&mut editor, Team::Allies, Nation::Britain, "gb_ca_2"), 2);
    editor.control("gibraltar", Nation::Germany);
    assert_eq!(cost(&mut editor, Team::Allies, Nation::Britain, "gb_inf_8a"), 1 + 1);
    assert_eq!(cost(&mut editor, Team::Allies, Nation::Britain, "gb_ca_2"), 2 + 1);
}

#[test]
fn a_neutral_italy_arms_without_paying_for_malta() {
    let game = open("campaign-1939");
    let mut editor = set_up(&game);
    let mut state = writing(&game, &mut editor, Team::Axis, Nation::Italy);
    let before = state.budget.points[Nation::Italy.index()];
    play(&game, &mut state, &[Action::Build(unit(&game, "ita_inf_5a"))]);
    assert_eq!(before - state.budget.points[Nation::Italy.index()], 1);
}

#[test]
fn the_usa_arms_from_its_mobilisation_within_eight_factories() {
    let game = open("campaign-1939");
    let mut editor = set_up(&game);
    let mut state = editor.begin(Phase::Production, Team::Allies, &mut quiet());
    while state.phase == Phase::Production {
        assert_ne!(state.budget.major(), Some(Nation::Usa));
        game.apply(&mut state, Action::Pass, &mut quiet());
    }
    editor.turn(7).factory("usa", 7).state_mut().politics.usa_mobilised = true;
    let mut state = writing(&game, &mut editor, Team::Allies, Nation::Usa);
    let usa = at(&game, "usa");
    play(&game, &mut state, &[Action::BuildFactory(usa)]);
    state.budget.points[Nation::Usa.index()] = 9;
    assert!(!legal(&game, &state).contains(&Action::BuildFactory(usa)), "the eighth is the last");
    assert_eq!(entrances(&game, &state, "us_inf_1a"), ["usa"]);
    assert_eq!(entrances(&game, &state, "us_inf_7a"), [""; 0], "of 1942");
}

#[test]
fn three_players_write_apart() {
    let mut rules = open("stalingrad-1942").rules;
    rules.options.three_players = true;
    let game = VictoryInEurope::new(rules).expect("rules that hold together");
    let mut editor = set_up(&game);
    let mut state = editor.begin(Phase::Production, Team::Allies, &mut quiet());
    let mut order = Vec::new();
    while let Some(major) = state.budget.major() {
        order.push((Force::ALL[state.movers.trailing_zeros() as usize], major));
        game.apply(&mut state, Action::Pass, &mut quiet());
        if state.phase != Phase::Production {
            break;
        }
    }
    assert!(order.contains(&(Force::Western, Nation::Usa)) && order.contains(&(Force::Soviet, Nation::Ussr)));
    assert!(!order.contains(&(Force::Western, Nation::Ussr)));
}

#[test]
fn what_is_written_stays_within_the_limits_at_random() {
    use sandtable_core::Dice;
    for scenario in ["campaign-1939", "barbarossa-1941", "stalingrad-1942", "kursk-1943", "bagration-1944"] {
        let game = open(scenario);
        let mut lots = Rng64::stream(11, 0, 0);
        for _ in 0..10 {
            let mut state = set_up(&game).begin(Phase::Production, Team::Axis, &mut quiet());
            while state.phase == Phase::Production {
                let actions = legal(&game, &state);
                let action = actions[lots.below(actions.len() as u32) as usize];
                game.apply(&mut state, action, &mut quiet());
            }
            assert_eq!(game.check(&state), Ok(()), "{scenario}");
        }
    }
}

#[test]
fn events_give_points_and_steps_on_top() {
    let game = open("campaign-1939");
    let mut editor = set_up(&game);
    editor.card(Force::Axis, "ax39-5").place("ger_inf_1a", "cologne", 1).place("ger_inf_3a", "konigsberg", 2);
    editor.place("ger_pz_1a", "breslau", 1);
    let mut state = writing(&game, &mut editor, Team::Axis, Nation::Germany);
    let points = state.budget.points[0];
    let [first, third] = ["ger_inf_1a", "ger_inf_3a"].map(|id| unit(&game, id));
    // Mobilisation: two infantry steps free, one a unit, besides the step of production.
    play(&game, &mut state, &[Action::Build(first)]);
    assert_eq!(state.budget.points[0], points);
    play(&game, &mut state, &[Action::Build(first)]);
    assert_eq!(state.budget.points[0], points - 1);
    assert!(!legal(&game, &state).contains(&Action::Build(first)), "one free and one paid");
    state.budget.points[0] = 0;
    assert!(!may_build(&game, &state, "ger_pz_1a"), "no infantry");
    play(&game, &mut state, &[Action::Build(third)]);
    assert_eq!(state.budget.major(), Some(Nation::Italy), "two were free, and nothing is left to write");
    place_all(&game, &mut state);
    assert_eq!((state.steps(first), state.steps(third)), (3, 3));
    // Points.
    let game = open("stalingrad-1942");
    let mut editor = set_up(&game);
    let before = account(&game, &mut editor, Nation::Germany);
    editor.card(Force::Axis, "ax42-5");
    editor.state_mut().phase = Phase::Production;
    let after = account(&game, &mut editor, Nation::Germany);
    assert_eq!((after.points, after.aid), (before.points + 3, before.aid + 3));
}

#[test]
fn hungarian_oil_reaches_germany_with_its_alliance() {
    let game = open("campaign-1939");
    let mut editor = set_up(&game);
    let before = account(&game, &mut editor, Nation::Germany).resources;
    assert_eq!(game.rules.areas[at(&game, "budapest").at()].resource, 1);
    editor.standing(Nation::Hungary, Standing::Axis, Nation::Germany);
    assert_eq!(account(&game, &mut editor, Nation::Germany).resources, before + 1, "13");
    editor.standing(Nation::Hungary, Standing::Axis, Nation::Italy);
    assert_eq!(account(&game, &mut editor, Nation::Germany).resources, before);
}

#[test]
fn every_marker_of_the_usa_takes_a_step_a_turn() {
    let game = open("stalingrad-1942");
    let mut editor = set_up(&game);
    editor.clear().factory("usa", 8).state_mut().politics.usa = Entry::AtWar;
    let usa = at(&game, "usa");
    let mut state = writing(&game, &mut editor, Team::Allies, Nation::Usa);
    state.budget.points[Nation::Usa.index()] = 40;
    for _ in 0..4 {
        play(&game, &mut state, &[Action::BuildFactory(usa)]);
    }
    assert!(!legal(&game, &state).contains(&Action::BuildFactory(usa)), "four markers (11.31)");
}
