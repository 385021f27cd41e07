//! Habits that the player once had, one position each.

use sandtable_core::{Game, Index, PlayContext};
use sandtable_victory_in_europe::editor::Editor;
use sandtable_victory_in_europe::event::Event;
use sandtable_victory_in_europe::rules::{Entry, Standing};
use sandtable_victory_in_europe::state::mark;
use sandtable_victory_in_europe::{Place, Team};

use super::*;

fn game(scenario: &str) -> VictoryInEurope {
    let name = format!("victory-in-europe/{scenario}");
    let scenario = sandtable_scenarios_victory_in_europe::open(&name, &[]).unwrap();
    VictoryInEurope::new(scenario.into_rules()).unwrap()
}

/// The player of a force, who has looked at a position.
fn player(game: &VictoryInEurope, state: &State, force: Force) -> Scripted {
    let mut player = Scripted::new(Arc::new(MapTables::new(game)), &Weights::all());
    player.assessment.refresh(game, &player.map_tables, state, force);
    player
}

#[test]
fn ground_far_away_is_worth_little_while_berlin_is_in_danger() {
    let game = game("kursk-1943");
    let far = game.place("stalingrad").unwrap();
    let worth = |soviets_at: &str| {
        let mut editor = Editor::new(&game);
        editor.control(soviets_at, Nation::Ussr).place("su_tk_t34_1", soviets_at, 3);
        let state = editor.reveal().finish();
        player(&game, &state, Force::Axis).assessment.prize(Force::Axis, far)
    };
    let (calm, endangered) = (worth("voronezh"), worth("breslau"));
    assert!(calm > 0.0 && endangered < 0.4 * calm, "{endangered} of {calm}");
}

#[test]
fn walls_alone_do_not_hold_leningrad() {
    let game = game("stalingrad-1942");
    let leningrad = game.place("leningrad").unwrap();
    let stays = |armies: &[&str]| {
        let mut editor = Editor::new(&game);
        editor.clear().place("fin_inf_1a", "viipuri", 3).place("fort_leningrad", "leningrad", 3);
        for army in armies {
            editor.place(army, "leningrad", 3);
        }
        let state = editor.finish();
        let player = player(&game, &state, Force::Soviet);
        player.assessment.holds_alone(&player.map_tables, leningrad)
    };
    assert!(stays(&["su_inf3_1"]), "the last army beside the fortress");
    assert!(!stays(&["su_inf3_1", "su_inf3_2"]), "one of two may go");
}

#[test]
fn aircraft_keep_away_from_fields_without_supply() {
    let game = game("kursk-1943");
    let paris = game.place("paris").unwrap();
    // Paris in British hands, with a port behind it or without.
    let field = |is_fed: bool| {
        let mut editor = Editor::new(&game);
        for area in ["paris", "le_havre", "lille"] {
            for unit in game.unit_ids() {
                if Some(editor.state().location(unit)) == game.place(area) {
                    let id = game.rules.units[unit.at()].id.clone();
                    editor.remove(&id);
                }
            }
        }
        editor.control("paris", Nation::Britain);
        if is_fed {
            editor.control("le_havre", Nation::Britain);
        }
        let state = editor.reveal().finish();
        let player = player(&game, &state, Force::Western);
        assert_eq!(player.assessment.is_supplied(Force::Western, paris), is_fed);
        player.airfield(&game, Force::Western, paris)
    };
    let (fed, starving) = (field(true), field(false));
    assert!(starving < fed - 1.0, "{starving} against {fed}");
}

#[test]
fn convoys_carry_nothing_that_finds_no_use() {
    let game = game("kursk-1943");
    let convoy = |id: &str| -> UnitId { game.unit(id).unwrap() };
    let worth = |major: Nation, id: &str, britain_left: u8, room: u8| {
        let mut editor = Editor::new(&game);
        editor
            .place("convoy_a", "convoy_a", 1)
            .place("convoy_b", "convoy_b", 1)
            .place("convoy_c", "convoy_c", 1);
        let mut state = editor.finish();
        state.phase = Phase::Production;
        state.budget.major = major as u8;
        state.budget.points[Nation::Britain.index()] = britain_left;
        state.budget.growth[0] = room;
        let player = player(&game, &state, Force::Western);
        player.production(&game, &state, Action::Build(convoy(id)))
    };
    assert!(worth(Nation::Usa, "convoy_b", 0, 0) > 0.0);
    assert!(worth(Nation::Usa, "convoy_b", 2, 0) <= 0.0, "Britain has points to spare");
    assert!(worth(Nation::Usa, "convoy_a", 2, 5) > 0.0, "the Soviets have not");
    assert!(worth(Nation::Britain, "convoy_c", 0, 0) > 0.0);
    assert!(worth(Nation::Britain, "convoy_c", 0, 3) <= 0.0, "the factories have enough");
}

/// All that the player of a team does in a movement that begins from an edited set-up.
fn movement(game: &VictoryInEurope, team: Team, edit: impl FnOnce(&mut Editor<'_>)) -> (State, Vec<Event>) {
    let mut context = PlayContext { dice: Rng64::stream(1, 1, 1), sink: Vec::new() };
    let mut editor = Editor::new(game);
    editor.command([5, 5, 5]).first(team);
    edit(&mut editor);
    let mut state = editor.begin(Phase::Movement, team, &mut context);
    let mut player = Scripted::new(Arc::new(MapTables::new(game)), &Weights::all());
    let (mut legal, mut rng) = (Vec::new(), Rng64::stream(2, 1, 1));
    while state.phase == Phase::Movement && state.mover == team {
        legal.clear();
        game.legal_actions(&state, &mut legal);
        let action = player.pick(game, &state, Side(0), &legal, &mut rng);
        game.apply(&mut state, action, &mut context);
    }
    (state, context.sink)
}

/// Where a unit went to in a movement, and whether strategically, if it went anywhere.
fn last_move(game: &VictoryInEurope, events: &[Event], id: &str) -> Option<(Place, bool)> {
    let wanted = game.unit(id).unwrap();
    events.iter().rev().find_map(|event| match event {
        Event::Moved { unit, to, strategic, .. } if *unit == wanted => Some((*to, *strategic)),
        _ => None,
    })
}

/// What the Allies do in the summer of 1943 with these units alone, before a coast of which all but Lille is held.
fn before_a_landing(game: &VictoryInEurope, units: &[(&str, &str, u8)]) -> Vec<Event> {
    let coast = ["ger_inf_1a", "ger_inf_3a", "ger_inf_8a", "ger_inf_14a"];
    let coast = coast.into_iter().zip(["le_havre", "brest", "belgium", "denmark"]);
    let edit = |editor: &mut Editor<'_>| {
        editor.clear().turn(18);
        for &(unit, place, steps) in units {
            editor.place(unit, place, steps);
        }
        for (unit, place) in coast {
            editor.place(unit, place, 3);
        }
        editor.reveal().command([5, 5, 5]);
    };
    movement(game, Team::Allies, edit).1
}

#[test]
fn who_is_counted_on_comes_to_a_landing() {
    let game = game("kursk-1943");
    let events = before_a_landing(
        &game,
        &[
            ("us_inf_3a", "london", 3),
            ("us_ldr_patton", "london", 2),
            ("gb_bb_kgv", "english_channel", 4),
            ("gb_bb_nelson", "english_channel", 4),
            ("gb_fa_spitfire_1", "london", 3),
            ("gb_inf_hg_1", "london", 3),
            ("ger_inf_7a", "lille", 2),
        ],
    );
    let landing = events.iter().find_map(|event| match event {
        Event::Invasion { area, .. } => Some(*area),
        _ => None,
    });
    let coast = landing.expect("a landing");
    let goes = |id: &str| last_move(&game, &events, id) == Some((coast, false));
    assert!(goes("us_inf_3a"), "the army at full strength, not the Home Guard");
    assert!(goes("gb_fa_spitfire_1"), "the fighter");
    assert!(goes("gb_bb_kgv") != goes("gb_bb_nelson"), "one battleship; the other holds the sea");
}

/// Whether the Allies land in an area with these units alone.
fn land_at(game: &VictoryInEurope, area: &str, units: &[(&str, &str, u8)]) -> bool {
    let goal = game.place(area).unwrap();
    let lands = |event: &Event| matches!(event, Event::Invasion { area, .. } if *area == goal);
    before_a_landing(game, units).iter().any(lands)
}

#[test]
fn nobody_lands_under_the_guns_of_a_battleship() {
    let game = game("kursk-1943");
    let army = [("us_inf_3a", "london", 3), ("gb_bb_kgv", "english_channel", 4)];
    assert!(land_at(&game, "lille", &army), "nobody is there");
    let barred = [army[0], army[1], ("ger_bb", "lille", 3)];
    assert!(!land_at(&game, "lille", &barred), "who wants to go ashore must sink it first");
}

#[test]
fn who_lands_reckons_with_aircraft_from_beyond_the_sea() {
    let game = game("kursk-1943");
    let fleet = [("us_inf_3a", "london", 3), ("gb_bb_kgv", "english_channel", 4), ("ger_inf_7a", "lille", 3)];
    let fighter = ("gb_fa_spitfire_1", "london", 3);
    let lands = |units: &[(&str, &str, u8)]| {
        before_a_landing(&game, units).iter().any(|event| matches!(event, Event::Invasion { .. }))
    };
    assert!(!lands(&fleet), "one army against one");
    let covered: Vec<_> = fleet.into_iter().chain([fighter]).collect();
    assert!(lands(&covered), "with a fighter it is won");
    let fields = [
        ("ger_fa_fw190", "lille", 1),
        ("ger_fa_me109_1", "le_havre", 1),
        ("ger_fa_me109_2", "brest", 1),
        ("ger_fa_me109_3", "belgium", 1),
        ("ita_fa_c202", "denmark", 1),
    ];
    let contested: Vec<_> = covered.into_iter().chain(fields).collect();
    assert!(!lands(&contested), "the fighter is kept busy");
}

#[test]
fn the_ground_helps_those_who_hold_it_alone() {
    let game = game("kursk-1943");
    let state = Editor::new(&game).clear().place("gb_inf_8a", "athens", 3).finish();
    let (athens, army) = (game.place("athens").unwrap(), game.unit("gb_inf_8a"));
    let player = player(&game, &state, Force::Western);
    let endurance = |defends: bool| {
        player.assessment.battle_side(&game, &state, (athens, defends), army.into_iter()).endurance
    };
    let [attacks, defends] = [false, true].map(endurance);
    assert!(defends > 1.9 * attacks, "in mountains {defends} against {attacks}");
}

#[test]
fn which_ship_of_the_enemy_is_a_submarine_is_told_by_its_face() {
    let game = game("kursk-1943");
    let boat = game.unit("ger_ss_1").unwrap();
    let state = Editor::new(&game).clear().place("ger_ss_1", "brest", 2).finish();
    let seen = |force| player(&game, &state, force).assessment.is_submarine(&game, &state, boat);
    assert!(seen(Force::Axis) && !seen(Force::Western));
}

#[test]
fn who_lands_reckons_with_armies_that_stand_behind_the_coast() {
    // Before the time for a second front, which is owed whatever it costs.
    let game = game("stalingrad-1942");
    let le_havre = game.place("le_havre").unwrap();
    let lands = |behind: &[(&str, u8)]| {
        let (_, events) = movement(&game, Team::Allies, |editor| {
            editor.clear().turn(13).place("gb_inf_8a", "southampton", 3).place(
                "gb_bb_kgv",
                "english_channel",
                4,
            );
            let coast = [("ger_inf_1a", "brest"), ("ger_inf_3a", "lille"), ("ger_inf_7a", "belgium")];
            for (unit, area) in coast {
                editor.place(unit, area, 2);
            }
            for &(unit, steps) in behind {
                editor.place(unit, "paris", steps);
            }
        });
        let lands = |event: &Event| matches!(event, Event::Invasion { area, .. } if *area == le_havre);
        events.iter().any(lands)
    };
    assert!(lands(&[]));
    let armour = [("ger_pz_2a", 3), ("ger_pz_3a", 3), ("ger_pz_4a", 3)];
    assert!(!lands(&armour), "it would be driven back into the sea");
}

#[test]
fn a_beachhead_is_followed_before_another_coast_is_landed_on_and_bombers_fly() {
    let game = game("kursk-1943");
    let brest = game.place("brest").unwrap();
    let (_, events) = movement(&game, Team::Allies, |editor| {
        editor.clear().turn(18).command([5, 2, 0]).control("brest", Nation::Usa);
        for (unit, area, steps) in [
            ("us_inf_1a", "brest", 2),
            ("us_inf_3a", "london", 3),
            ("us_inf_7a", "southampton", 3),
            ("gb_hb_lancaster", "london", 4),
            ("gb_bb_kgv", "english_channel", 4),
            ("gb_bb_nelson", "north_sea", 4),
            ("ger_inf_1a", "bordeaux", 3),
            ("ger_inf_3a", "le_havre", 3),
            ("ger_inf_7a", "lille", 3),
            ("ger_inf_8a", "belgium", 3),
            ("ger_inf_14a", "denmark", 3),
            ("su_guard_1", "moscow", 4),
            ("su_guard_2", "moscow", 4),
            ("su_guard_3", "tula", 4),
            ("su_guard_4", "tula", 4),
        ] {
            editor.place(unit, area, steps);
        }
        editor.factory("cologne", 2);
    });
    let follows = |id: &str| last_move(&game, &events, id) == Some((brest, true));
    assert!(follows("us_inf_3a") && follows("us_inf_7a"));
}

#[test]
fn a_leader_orders_a_round_that_wears_down_who_is_not_beaten_yet() {
    let game = game("bagration-1944");
    let further = |attackers: &[&str], garrison: u8| {
        let mut editor = Editor::new(&game);
        editor.clear().turn(24);
        for unit in attackers {
            editor.place(unit, "warsaw", 3);
        }
        for unit in ["ger_inf_1a", "ger_inf_2a"] {
            editor.place(unit, "warsaw", garrison);
        }
        let mut state = editor.reveal().finish();
        state.battle.place = game.place("warsaw").unwrap();
        state.battle.attacker = Team::Allies;
        player(&game, &state, Force::Soviet).further_round(&game, &state, Force::Soviet)
    };
    let tanks = ["su_tk_t34_1", "su_tk_t34_2", "su_tk_t34_3"];
    assert!(further(&tanks, 3) > 0.0, "six steps do not fall in a round, but three do");
    assert!(further(&tanks[..1], 3) < 0.0, "one against two is beaten off");
}

#[test]
fn no_leader_orders_a_round_for_invaders_who_cannot_go_ashore() {
    let game = game("kursk-1943");
    let further = |is_afloat: bool| {
        let mut editor = Editor::new(&game);
        editor.clear().turn(18).place("us_inf_3a", "lille", 3).place("ger_inf_7a", "lille", 1);
        let mut state = editor.reveal().finish();
        state.battle.place = game.place("lille").unwrap();
        state.battle.attacker = Team::Allies;
        state.set_mark(game.unit("us_inf_3a").unwrap(), mark::INVADES, is_afloat);
        player(&game, &state, Force::Western).further_round(&game, &state, Force::Western)
    };
    let (ashore, afloat) = (further(false), further(true));
    assert!(ashore > 0.0 && afloat < 0.0, "{ashore} and {afloat}");
}

#[test]
fn colonies_are_not_worth_to_germany_what_norway_is() {
    let game = game("campaign-1939");
    let mut editor = Editor::new(&game);
    editor.standing(Nation::Poland, Standing::Gone, Nation::Germany);
    editor.control("denmark", Nation::Germany).turn(5);
    let state = editor.finish();
    let player = player(&game, &state, Force::Axis);
    let worth = |id: &str| {
        let area = game.place(id).unwrap();
        player.assessment.beachhead(&game, &state, Force::Axis, area)
    };
    assert!(worth("corsica") < 0.3 * worth("oslo"), "{} against {}", worth("corsica"), worth("oslo"));
}

#[test]
fn the_front_gives_up_no_army_to_guard_a_coast() {
    let game = game("barbarossa-1941");
    let (_, events) = movement(&game, Team::Axis, |editor| {
        editor.entry(Nation::Ussr, Entry::AtWar).turn(9);
        for army in ["ger_inf_3a", "ger_inf_15a", "ger_inf_7a", "ger_inf_1a", "ger_inf_14a"] {
            editor.remove(army);
        }
        editor.place("gb_bb_kgv", "english_channel", 4).place("gb_bb_nelson", "bay_of_biscay", 4);
    });
    for army in ["ger_pz_2a", "ger_pz_3a", "ger_inf_9a", "ger_inf_16a", "ger_inf_18a", "ger_pz_4a"] {
        let gone = last_move(&game, &events, army).filter(|(_, strategic)| *strategic);
        assert_eq!(gone, None, "{army}");
    }
}

#[test]
fn italy_guards_itself_while_france_fights() {
    let game = game("campaign-1939");
    let italy = game.home(Nation::Italy);
    let to_italy = |france_stands: bool| {
        let mut editor = Editor::new(&game);
        editor.standing(Nation::Poland, Standing::Gone, Nation::Germany).turn(5);
        editor.entry(Nation::Italy, Entry::AtWar);
        editor.standing(Nation::Italy, Standing::Axis, Nation::Germany);
        if !france_stands {
            editor.standing(Nation::France, Standing::Gone, Nation::Germany);
        }
        let state = editor.place("ger_pz_2a", "vienna", 3).finish();
        let player = player(&game, &state, Force::Axis);
        let unit = game.unit("ger_pz_2a").unwrap();
        let way = (game.place("vienna").unwrap(), game.place("venice").unwrap());
        assert!(italy.contains(way.1));
        player.assessment.strays(&game, &state, unit, way)
    };
    assert!(to_italy(true));
    assert!(!to_italy(false));
}

#[test]
fn points_of_the_urals_are_spent_in_the_urals() {
    let game = game("barbarossa-1941");
    let worth = |place: &str, local: u8| {
        let mut editor = Editor::new(&game);
        editor.entry(Nation::Ussr, Entry::AtWar);
        let mut state = editor.finish();
        state.phase = Phase::Production;
        state.budget.major = Nation::Ussr as u8;
        state.budget.points[Nation::Ussr.index()] = 7;
        state.budget.urals = local;
        let player = player(&game, &state, Force::Soviet);
        let unit = game.unit("su_tk_t34_2").unwrap();
        player.production(&game, &state, Action::Raise(unit, game.place(place).unwrap()))
    };
    assert!(worth("urals", 4) > worth("kharkov", 4), "while they last");
    assert!(worth("urals", 0) < worth("kharkov", 0), "near the front otherwise");
}

#[test]
fn the_way_to_a_besieged_place_is_worth_opening() {
    let game = game("kursk-1943");
    let novgorod = game.place("novgorod").unwrap();
    let prize = |joined: bool| {
        let mut editor = Editor::new(&game);
        if joined {
            editor.remove("fin_inf_1a").control("viipuri", Nation::Ussr);
        }
        let state = editor.finish();
        player(&game, &state, Force::Soviet).assessment.prize(Force::Soviet, novgorod)
    };
    assert!(prize(false) > prize(true) + 3.0, "{} against {}", prize(false), prize(true));
}

#[test]
fn a_bomber_that_could_fly_for_points_that_are_lost_otherwise_does_not_stay() {
    let game = game("kursk-1943");
    let (cologne, london) = (game.place("cologne").unwrap(), game.place("london").unwrap());
    let lancaster = game.unit("gb_hb_lancaster").unwrap();
    let mut context = PlayContext::silent(Rng64::stream(1, 1, 1));
    let mut editor = Editor::new(&game);
    editor.command([5, 5, 5]).place("gb_hb_lancaster", "london", 4).factory("cologne", 2);
    let mut state = editor.begin(Phase::Movement, Team::Allies, &mut context);
    state.pending = Pending::Destination(lancaster);
    let player = player(&game, &state, Force::Western);
    assert!(player.assessment.raid(&game, &state, lancaster, cologne) > 0.5, "it pays");
    let worth = |action| player.destination(&game, &state, Force::Western, lancaster, london, action);
    assert!(worth(Action::Go(cologne, 0)) > worth(Action::Pass));
}

#[test]
fn armour_does_not_march_away_to_guard_a_coast() {
    let game = game("bagration-1944");
    let (_, events) = movement(&game, Team::Axis, |editor| {
        editor.turn(20).place("ger_pz_2a", "zagreb", 3).remove("ger_inf_12a");
        editor.place("gb_bb_kgv", "aegean_sea", 4);
        editor.control("crete", Nation::Britain).place("gb_inf_8a", "crete", 3);
    });
    let gone = last_move(&game, &events, "ger_pz_2a").map(|(to, _)| to);
    assert_ne!(gone, game.place("athens"));
}

#[test]
fn leader_and_paratroops_cross_the_ocean_to_a_landing() {
    let game = game("kursk-1943");
    let events = before_a_landing(
        &game,
        &[
            ("us_ldr_patton", "usa", 2),
            ("us_para", "usa", 2),
            ("us_inf_3a", "london", 3),
            ("gb_bb_kgv", "english_channel", 4),
            ("ger_inf_7a", "lille", 3),
        ],
    );
    let london = game.place("london").unwrap();
    for id in ["us_ldr_patton", "us_para"] {
        assert_eq!(last_move(&game, &events, id), Some((london, true)), "{id}");
    }
}

#[test]
fn who_waits_for_the_second_front_keeps_its_ports_and_its_sea() {
    let game = game("bagration-1944");
    let [channel, london, southampton] =
        ["english_channel", "london", "southampton"].map(|id| game.place(id).unwrap());
    let mut waiting = Vec::new();
    // The Axis has moved first, and has an army on every coast of the Channel, with aircraft; the command is spent elsewhere.
    let (state, _) = movement(&game, Team::Allies, |editor| {
        editor.first(Team::Axis).turn(20);
        for (unit, coast, steps) in [
            ("ger_inf_11a", "le_havre", 3),
            ("ger_fa_fw190", "le_havre", 3),
            ("ger_fa_me109_2", "lille", 3),
            ("ger_ldr_rundstedt", "lille", 2),
            ("ger_mb_he111_2", "brest", 2),
        ] {
            editor.place(unit, coast, steps);
        }
        editor.command([0, 0, 0]);
        let state = editor.state();
        let boards = |unit: &UnitId| {
            let place = state.location(*unit);
            game.kind(*unit).is_infantry() && (place == london || place == southampton)
                || game.team(state, *unit) == Team::Allies && place == channel
        };
        waiting = game.unit_ids().filter(boards).map(|unit| (unit, state.location(unit))).collect();
    });
    let at_sea = waiting.iter().filter(|(_, from)| *from == channel).count();
    assert!(at_sea >= 3 && waiting.len() - at_sea >= 3, "three ships and three armies");
    for (unit, from) in waiting {
        let to = state.location(unit);
        let stays = to == from || from != channel && (to == london || to == southampton);
        assert!(stays, "{} goes to {to:?}", game.rules.units[unit.at()].id);
    }
}

#[test]
fn germany_lands_in_norway_in_the_spring_of_denmark() {
    let game = game("campaign-1939");
    let (oslo, mut context) = (game.place("oslo").unwrap(), PlayContext::silent(Rng64::stream(1, 1, 1)));
    let weserubung = |editor: &mut Editor<'_>| {
        for unit in game.unit_ids().filter(|&unit| game.printed_nation(unit) == Nation::Poland) {
            editor.remove(&game.rules.units[unit.at()].id);
        }
        editor.turn(4).standing(Nation::Poland, Standing::Gone, Nation::Germany);
        editor.place("ger_bc", "skagerrak", 2);
    };
    let (_, events) = movement(&game, Team::Axis, |editor| {
        weserubung(editor);
        editor.place("ger_ca", "north_sea", 2);
        for (army, area) in [("ger_inf_4a", "hamburg"), ("ger_inf_7a", "hamburg"), ("ger_inf_10a", "hamburg")]
        {
            editor.place(army, area, 4);
        }
        for (army, area) in
            [("ger_inf_2a", "bremen_ruhr"), ("ger_inf_6a", "bremen_ruhr"), ("ger_inf_9a", "cologne")]
        {
            editor.place(army, area, 4);
        }
    });
    let lands = |event: &Event| matches!(event, Event::Invasion { area, .. } if *area == oslo);
    assert!(events.iter().any(lands), "from Germany, by two seas");
    // Before that the second ship goes to the sea on the way.
    let mut editor = Editor::new(&game);
    weserubung(&mut editor);
    editor.place("ger_ca", "bremen_ruhr", 2).turn(3);
    let state = editor.begin(Phase::Movement, Team::Axis, &mut context);
    let (player, cruiser) = (player(&game, &state, Force::Axis), game.unit("ger_ca").unwrap());
    let worth = |sea: &str| player.voyage(&game, &state, Force::Axis, cruiser, game.place(sea).unwrap());
    assert!(worth("north_sea") > worth("skagerrak"));
}

#[test]
fn armour_does_not_wait_for_the_soviets_while_france_fights() {
    let game = game("campaign-1939");
    let (_, events) = movement(&game, Team::Axis, |editor| {
        editor.clear().turn(2).standing(Nation::Poland, Standing::Gone, Nation::Germany);
        editor.control("cracow", Nation::Germany).control("lvov", Nation::Ussr);
        editor.place("su_inf3_1", "lvov", 3).place("ger_pz_1a", "cracow", 3);
        editor.place("fra_inf_1a", "paris", 3).place("ger_inf_1a", "cologne", 3).place(
            "ger_inf_8a",
            "berlin",
            3,
        );
    });
    let west = last_move(&game, &events, "ger_pz_1a").map(|(to, _)| game.rules.areas[to.at()].lon);
    let cracow = game.rules.areas[game.place("cracow").unwrap().at()].lon;
    assert!(west.is_some_and(|lon| lon < cracow), "from {cracow} to {west:?}");
    let threat_in = |turn: u8, france_stands: bool, area: &str| {
        let mut editor = Editor::new(&game);
        editor.clear().turn(turn).standing(Nation::Poland, Standing::Gone, Nation::Germany);
        editor.control("lvov", Nation::Ussr).control("cracow", Nation::Germany).place(
            "su_inf3_4",
            "lithuania",
            3,
        );
        for army in ["su_inf3_1", "su_inf3_2", "su_inf3_3"] {
            editor.place(army, "lvov", 3);
        }
        if !france_stands {
            editor.standing(Nation::France, Standing::Gone, Nation::Germany);
        }
        let state = editor.finish();
        player(&game, &state, Force::Axis).assessment.threat[game.place(area).unwrap().at()]
    };
    let threat = |france_stands: bool, area: &str| threat_in(7, france_stands, area);
    let (trusted, feared) = (threat(true, "cracow"), threat(false, "cracow"));
    assert!(trusted < 0.1 && feared > 0.5, "{trusted} against {feared}");
    assert!(threat(true, "konigsberg") > 0.0, "what is dear keeps its guard");
    // In the winter before the spring of 1942 the Soviets are feared as any enemy, whether France stands or not.
    let (worn, alone) = (threat_in(11, true, "cracow"), threat_in(11, false, "cracow"));
    assert!(worn > 1.5 * feared && worn >= alone, "{worn} and {alone} against {feared}");
    assert!(threat_in(10, true, "cracow") < 0.1, "not before");
}

#[test]
fn an_army_does_not_go_back_to_where_it_stood_a_turn_ago_for_little() {
    let game = game("campaign-1939");
    let [milan, venice, rome] = ["milan", "venice", "rome"].map(|id| game.place(id).unwrap());
    let army = game.unit("ita_inf_2a").unwrap();
    let mut player = player(&game, &Editor::new(&game).finish(), Force::Axis);
    // Looks at a turn in which the army stands in an area.
    let mut looks = |turn: u8, area: &str| {
        let mut editor = Editor::new(&game);
        let state = editor.turn(turn).place("ita_inf_2a", area, 3).begin(
            Phase::Movement,
            Team::Axis,
            &mut PlayContext::silent(Rng64::stream(1, 1, 1)),
        );
        let mut legal = Vec::new();
        game.legal_actions(&state, &mut legal);
        player.pick(&game, &state, Side(0), &legal, &mut Rng64::stream(2, 1, 1));
        [milan, venice, rome].map(|to| player.orders.undoing(army, to) > 3.0)
    };
    assert_eq!(looks(3, "milan"), [false; 3], "nothing is known of the turn before");
    assert_eq!(looks(4, "venice"), [true, false, false]);
    assert_eq!(looks(5, "venice"), [false; 3], "it has stood there for a turn");
    assert_eq!(looks(9, "milan"), [false; 3], "long ago");
}

#[test]
fn french_armies_are_not_shipped_to_britain_while_france_fights() {
    let game = game("campaign-1939");
    let serves = |unit: &str, to: &str, france_stands: bool| {
        let mut editor = Editor::new(&game);
        if !france_stands {
            editor.standing(Nation::France, Standing::Gone, Nation::Germany);
        }
        let state = editor.turn(4).finish();
        crate::orders::serves_in(&game, &state, game.unit(unit).unwrap(), game.place(to).unwrap())
    };
    assert!(serves("fra_inf_1a", "lille", true) && serves("fra_inf_1a", "belgium", true));
    assert!(!serves("fra_inf_1a", "london", true) && !serves("fra_inf_1a", "oslo", true));
    assert!(serves("gb_inf_bef", "paris", true), "Britain fights where it is needed");
    // When France has fallen, the Free French fight for Britain, the others for Vichy.
    assert!(!serves("gb_inf_ff", "oslo", true) && serves("gb_inf_ff", "oslo", false));
    assert!(!serves("fra_inf_1a", "oslo", false));
}

/// Where an army goes in the winter of 1940 of a player who saw it in an area the turn before, if it goes anywhere.
fn goes_after(game: &VictoryInEurope, team: Team, id: &str, stood: Option<&str>) -> Option<(Place, bool)> {
    let mut player = Scripted::new(Arc::new(MapTables::new(game)), &Weights::all());
    let (mut legal, mut rng) = (Vec::new(), Rng64::stream(2, 1, 1));
    let mut context = PlayContext { dice: Rng64::stream(1, 1, 1), sink: Vec::new() };
    let begin = |turn: u8, area: Option<&str>| {
        let mut editor = Editor::new(game);
        editor.command([5, 5, 5]).first(team).turn(turn);
        if let Some(area) = area {
            let steps = editor.state().steps(game.unit(id).unwrap());
            editor.place(id, area, steps);
        }
        editor.begin(Phase::Movement, team, &mut PlayContext::silent(Rng64::stream(1, 1, 1)))
    };
    if stood.is_some() {
        let state = begin(2, stood);
        game.legal_actions(&state, &mut legal);
        player.pick(game, &state, Side(0), &legal, &mut rng);
    }
    let mut state = begin(3, None);
    rng = Rng64::stream(2, 1, 1);
    while state.phase == Phase::Movement && state.mover == team {
        legal.clear();
        game.legal_actions(&state, &mut legal);
        let action = player.pick(game, &state, Side(0), &legal, &mut rng);
        game.apply(&mut state, action, &mut context);
    }
    last_move(game, &context.sink, id)
}

#[test]
fn a_march_or_a_strategic_movement_back_is_made_for_much_alone() {
    let game = game("campaign-1939");
    for (team, army, to, strategic) in
        [(Team::Axis, "ger_inf_7a", "prague", false), (Team::Allies, "fra_inf_1a", "lyon", true)]
    {
        assert_eq!(goes_after(&game, team, army, None), Some((game.place(to).unwrap(), strategic)), "{army}");
        assert_eq!(goes_after(&game, team, army, Some(to)), None, "{army} back to {to}");
    }
    let ruhr = Some((game.place("bremen_ruhr").unwrap(), false));
    assert_eq!(goes_after(&game, Team::Axis, "ger_inf_12a", Some("bremen_ruhr")), ruhr, "for much it goes");
}

#[test]
fn germany_turns_east_once_france_is_beaten_and_waits_for_nothing() {
    let game = game("campaign-1939");
    let lvov = game.place("lvov").unwrap();
    // The price of command, what draws to the east, and the share of the least odds at a goal.
    let look = |france: Standing, ussr: Entry, goal: &str| {
        let mut editor = Editor::new(&game);
        editor.turn(8).standing(Nation::Poland, Standing::Gone, Nation::Germany).entry(Nation::Ussr, ussr);
        editor.control("cracow", Nation::Germany).control("lvov", Nation::Ussr);
        editor.standing(Nation::France, france, Nation::Germany);
        let state = editor.finish();
        let assessment = player(&game, &state, Force::Axis).assessment;
        let caution = assessment.caution(Force::Axis, game.place(goal).unwrap());
        [assessment.command_price(Force::Axis), assessment.pull[0][lvov.at()], caution]
    };
    let west = look(Standing::Western, Entry::Neutral, "paris");
    let east = look(Standing::Gone, Entry::Neutral, "lvov");
    let war = look(Standing::Gone, Entry::AtWar, "lvov");
    let both = format!("{west:?}, {east:?}, {war:?}");
    assert!(west[0] < 0.5 * war[0] && east[0] < 0.5 * war[0], "armies go by rail: {both}");
    assert!(east[1] > 1.5 * war[1], "to the east: {both}");
    assert!(west[2] < 0.7 * war[2] && east[2] < 0.4 * war[2], "and attack at worse odds: {both}");
    for (france, aside) in [(Standing::Western, "marseille"), (Standing::Gone, "cairo")] {
        assert_eq!(look(france, Entry::Neutral, aside)[2].to_bits(), war[2].to_bits(), "but not at {aside}");
    }
}

#[test]
fn a_leader_behind_the_front_goes_there_with_command_to_spare() {
    let game = game("kursk-1943");
    let goes = |from: &str, command: u8| {
        let (state, events) = movement(&game, Team::Axis, |editor| {
            editor.place("ger_ldr_guderian", from, 2).command([command, 5, 5]);
        });
        let soviets = state.held[Force::Soviet.index()];
        last_move(&game, &events, "ger_ldr_guderian")
            .map(|(to, strategic)| (strategic, game.adjacent(to).intersects(&soviets)))
    };
    assert_eq!(goes("munich", 30), Some((true, true)));
    assert_ne!(goes("munich", 1), Some((true, true)), "battles come first");
}

#[test]
fn the_army_of_a_minor_goes_home_when_its_capital_lies_open() {
    let game = game("bagration-1944");
    let goes = |soviets_at: &str| {
        let (_, events) = movement(&game, Team::Axis, |editor| {
            editor.clear().turn(22).place("bul_inf", "athens", 3).place("gb_bb_kgv", "aegean_sea", 4);
            editor.control("crete", Nation::Britain).place("gb_inf_8a", "crete", 3);
            editor.control(soviets_at, Nation::Ussr).place("su_guard_1", soviets_at, 4);
        });
        last_move(&game, &events, "bul_inf").map(|(to, _)| to)
    };
    assert_eq!(goes("kiev"), None, "it guards the coast");
    assert_eq!(goes("bucharest"), game.place("bulgaria"));
}

/// The armies that attack Berlin in the movement of the Allies of 1945, from where, with so much command of the Soviets.
fn at_berlin(
    game: &VictoryInEurope,
    (turn, command): (u8, u8),
    units: &[(&str, &str, u8)],
) -> Vec<(String, Place)> {
    let berlin = game.place("berlin").unwrap();
    let (_, events) = movement(game, Team::Allies, |editor| {
        editor.clear().turn(turn).command([5, 5, command]);
        for area in ["breslau", "poznan", "warsaw"] {
            editor.control(area, Nation::Ussr);
        }
        for army in ["ger_inf_1a", "ger_inf_2a", "ger_inf_3a"] {
            editor.place(army, "berlin", 3);
        }
        for &(unit, area, steps) in units {
            editor.place(unit, area, steps);
        }
        editor.reveal();
    });
    let attacks = events.iter().filter_map(|event| match event {
        Event::Moved { unit, from, to, .. } if *to == berlin => {
            Some((game.rules.units[unit.at()].id.clone(), *from))
        }
        _ => None,
    });
    attacks.collect()
}

#[test]
fn who_has_lost_berlin_comes_back_for_it_in_the_last_turn() {
    let game = game("bagration-1944");
    let berlin = game.place("berlin").unwrap();
    let comes = |turn: u8| {
        let (_, events) = movement(&game, Team::Axis, |editor| {
            editor.clear().turn(turn).control("berlin", Nation::Ussr);
            for (unit, area) in
                [("su_guard_1", "berlin"), ("su_guard_2", "berlin"), ("ger_inf_1a", "leipzig")]
            {
                editor.place(unit, area, 3);
            }
        });
        last_move(&game, &events, "ger_inf_1a").is_some_and(|(to, _)| to == berlin)
    };
    assert!(comes(26));
    assert!(!comes(24), "one army against two");
}

/// Berlin fell in 12 of 180 games to who came after its armies had left it to win a battle elsewhere.
#[test]
fn in_the_last_turn_nobody_leaves_berlin_and_who_can_comes() {
    let game = game("kursk-1943");
    let berlin = game.place("berlin").unwrap();
    let moves = |turn: u8| {
        let (_, events) = movement(&game, Team::Axis, |editor| {
            editor.clear().turn(turn);
            for area in ["danzig", "poznan", "breslau"] {
                editor.control(area, Nation::Ussr);
            }
            let axis = ["ger_inf_1a", "ger_pz_2a"].map(|army| (army, "berlin", 3));
            let soviets = [
                ("su_tk_t34_1", "danzig", 1),
                ("su_guard_1", "poznan", 4),
                ("su_guard_2", "breslau", 4),
                ("su_tk_t34_2", "breslau", 3),
            ];
            for (unit, area, steps) in axis.into_iter().chain(soviets).chain([("ger_inf_8a", "hamburg", 3)]) {
                editor.place(unit, area, steps);
            }
            editor.reveal();
        });
        let count = |is: fn([Place; 2], Place) -> bool| {
            let of =
                |event: &&Event| matches!(event, Event::Moved { from, to, .. } if is([*from, *to], berlin));
            events.iter().filter(of).count()
        };
        [count(|[from, _], berlin| from == berlin), count(|[_, to], berlin| to == berlin)]
    };
    assert_eq!(moves(26), [0, 1]);
    assert!(moves(24)[0] > 0, "the tanks in Danzig are destroyed");
}

#[test]
fn berlin_is_worn_down_over_every_border() {
    // A point of command more than the set-up gives: the way round costs as much.
    let scenario = sandtable_scenarios_victory_in_europe::open(
        "victory-in-europe/bagration-1944",
        &["setup.soviet.extra_command=1".parse().unwrap()],
    );
    let game = VictoryInEurope::new(scenario.unwrap().into_rules()).unwrap();
    let tanks = ["su_tk_t34_1", "su_tk_t34_2", "su_tk_t34_3"];
    // All stand behind the same border, which two of them may cross; the way round leads over a river.
    let attack = at_berlin(&game, (24, 5), &tanks.map(|tank| (tank, "breslau", 3)));
    let from = |area: &str| attack.iter().filter(|(_, from)| Some(*from) == game.place(area)).count();
    assert_eq!((from("breslau"), from("poznan")), (2, 1), "{attack:?}");
    // A single army wears nobody down, but in the last turn nothing is saved.
    let alone = [("su_tk_t34_1", "poznan", 3)];
    assert_eq!(at_berlin(&game, (24, 5), &alone), []);
    assert_eq!(at_berlin(&game, (26, 5), &alone).len(), 1);
    // Nor is the last command spent on a battle that would be won.
    let elsewhere = [alone[0], ("su_guard_1", "warsaw", 4), ("ger_inf_4a", "konigsberg", 1)];
    assert_eq!(at_berlin(&game, (26, 1), &elsewhere).len(), 1);
    // Nor does who could attack guard Warsaw, into which somebody may walk.
    let open = [alone[0], ("ger_inf_4a", "konigsberg", 3)];
    assert_eq!(at_berlin(&game, (26, 1), &open).len(), 1);
}
