//! Declarations of war, entries, surrenders, diplomatic rolls (10, 13).

mod common;

use common::{game, game_of_three, legal, place, rules, sampled, scripted, unit};
use sandtable_core::{Game, Index, play_out_random};
use sandtable_victory_in_europe::editor::Editor;
use sandtable_victory_in_europe::place::NO_INDEX;
use sandtable_victory_in_europe::rules::{Entry, Standing};
use sandtable_victory_in_europe::{
    Action, Event, Force, Nation, Pending, Phase, Place, State, Team, VictoryInEurope,
};

/// A campaign position in the Movement Phase of a team.
fn moving(game: &VictoryInEurope, team: Team) -> Editor<'_> {
    let mut editor = Editor::new(game);
    let state = editor.state_mut();
    (state.phase, state.mover, state.movers, state.active) =
        (Phase::Movement, team, team.forces(), team.forces());
    editor
}

/// The same with no march to go on after a placement.
fn after_movement(mut state: State) -> State {
    state.phase = Phase::Diplomacy;
    state.politics.rolled = true;
    state
}

fn may(game: &VictoryInEurope, state: &State, nation: Nation, area: &str) -> bool {
    game.may_declare_war(state, nation, place(game, area))
}

fn standing(state: &State, nation: Nation) -> Standing {
    state.politics.standing(nation)
}

fn controller(game: &VictoryInEurope, state: &State, area: &str) -> Nation {
    state.controller(place(game, area))
}

fn sound(game: &VictoryInEurope, state: &State) {
    assert_eq!(game.recomputed(state), *state);
    game.check_invariants(state).unwrap();
}

// ---- declarations of war ----

#[test]
fn who_may_attack_whom_in_1939() {
    use Nation::{Britain, Germany, Italy, Usa, Ussr};
    let game = game("campaign-1939");
    let state = moving(&game, Team::Axis).finish();
    for (nation, area, allowed) in [
        (Germany, "denmark", true),
        (Britain, "oslo", true),
        (Ussr, "helsinki", true),
        (Ussr, "ankara", true),
        // The Pact: reserved to the Soviets; a German entry is war with them, the Western Allies stay out.
        (Ussr, "riga", true),
        (Germany, "riga", true),
        (Britain, "riga", false),
        (Ussr, "bessarabia", true),
        (Ussr, "vilna", true),
        (Ussr, "warsaw", false),
        // Each other's territory is war; the Urals are closed to the Axis.
        (Germany, "moscow", true),
        (Ussr, "berlin", true),
        (Germany, "urals", false),
        // R-43, the USA, a neutral Italy.
        (Britain, "minsk", false),
        (Ussr, "london", false),
        (Germany, "usa", false),
        (Usa, "ireland", false),
        (Italy, "athens", false),
        (Germany, "rome", false),
        (Britain, "tripoli", true),
    ] {
        assert_eq!(may(&game, &state, nation, area), allowed, "{} to {area}", nation.name());
    }
    // Eastern Poland is open to the Soviets where nobody stands.
    let state = moving(&game, Team::Axis).place("pol_inf_2a", "vilna", 2).finish();
    assert!(!may(&game, &state, Nation::Ussr, "vilna"));
}

#[test]
fn a_neutral_attacked_by_the_axis_joins_the_western_allies() {
    let game = game("campaign-1939");
    let mut context = scripted(&[]);
    let mut editor = moving(&game, Team::Axis);
    let state = editor.declare_war(Nation::Germany, "oslo", &mut context).finish();
    assert_eq!(
        (standing(&state, Nation::Norway), state.politics.patron(Nation::Norway)),
        (Standing::Western, Nation::Britain)
    );
    assert!(state.holds(Force::Western, place(&game, "narvik")));
    assert!(context.sink.contains(&Event::War { by: Force::Axis, on: Nation::Norway }));
    // Its army is placed by the Allied player, anywhere in the country.
    assert_eq!(state.pending, Pending::Neutral { by: 1, nation: Nation::Norway as u8 });
    assert_eq!(game.decider(&state), Force::Western);
    let army = unit(&game, "nor_inf");
    let mut listed = vec![Action::Pass];
    let mut areas: Vec<_> = ["oslo", "bergen", "trondheim", "narvik"].map(|id| place(&game, id)).to_vec();
    areas.sort_unstable();
    listed.extend(areas.into_iter().map(|area| Action::Deploy(army, area)));
    assert_eq!(legal(&game, &state), listed);
    sound(&game, &state);
}

#[test]
fn a_country_of_one_area_is_not_asked_about() {
    let game = game("campaign-1939");
    let mut editor = moving(&game, Team::Axis);
    let state = editor.declare_war(Nation::Germany, "denmark", &mut scripted(&[])).finish();
    let army = unit(&game, "den_inf");
    assert_eq!(state.pending, Pending::None);
    assert_eq!((state.location(army), state.steps(army)), (place(&game, "denmark"), 1));
    assert_eq!(state.active, Team::Axis.forces());
}

#[test]
fn a_neutral_attacked_by_the_western_allies_joins_the_axis() {
    let game = game("campaign-1939");
    let mut editor = moving(&game, Team::Allies);
    let mut state = after_movement(editor.declare_war(Nation::Britain, "oslo", &mut scripted(&[])).finish());
    assert_eq!(standing(&state, Nation::Norway), Standing::Axis);
    assert_eq!(state.politics.patron(Nation::Norway), Nation::Germany);
    assert_eq!(game.decider(&state), Force::Axis);
    game.apply(&mut state, Action::Pass, &mut sampled(1));
    let army = unit(&game, "nor_inf");
    let home = game.rules.units[army.at()].home;
    assert_eq!(home, Some((place(&game, "oslo"), 1)));
    assert_eq!(Some((state.location(army), state.steps(army))), home, "passing: its home");
}

#[test]
fn e29_a_soviet_attack_on_a_neutral_is_no_war_with_germany() {
    let game = game("campaign-1939");
    let mut editor = moving(&game, Team::Allies);
    let state = editor.declare_war(Nation::Ussr, "cluj", &mut scripted(&[])).finish();
    assert_eq!(standing(&state, Nation::Romania), Standing::Defending);
    assert_eq!(state.politics.ussr, Entry::Neutral);
    assert_eq!(game.decider(&state), Force::Axis, "the Axis runs its units");
    assert_eq!(state.politics.claims(Team::Axis), Nation::Romania.bit());
    assert!(!state.holds(Force::Axis, place(&game, "bucharest")), "but is no ally");
    let (romania, ussr) = (game.bloc(&state, Nation::Romania), game.bloc(&state, Nation::Ussr));
    assert!(game.at_war(&state, romania, ussr));
    // The units are placed one by one, within stacking.
    let mut state = after_movement(state);
    let bucharest = place(&game, "bucharest");
    for id in ["rum_inf_1a", "rum_inf_3a", "rum_inf_4a"] {
        assert!(matches!(state.pending, Pending::Neutral { .. }));
        assert!(legal(&game, &state).contains(&Action::Deploy(unit(&game, id), bucharest)));
        game.apply(&mut state, Action::Deploy(unit(&game, id), bucharest), &mut sampled(1));
    }
    assert_eq!(state.pending, Pending::None);
    assert_eq!(state.stack(bucharest).count(), 3);

    // An attack on an allied Romania is war.
    let mut editor = moving(&game, Team::Allies);
    editor.standing(Nation::Romania, Standing::Axis, Nation::Germany);
    let state = editor.declare_war(Nation::Ussr, "cluj", &mut scripted(&[])).finish();
    assert_eq!((state.politics.ussr, state.politics.soviet_entry), (Entry::AtWar, 1));
}

#[test]
fn once_at_war_a_neutral_attacked_by_the_soviets_joins_the_axis_at_once() {
    let game = game("campaign-1939");
    let mut editor = moving(&game, Team::Allies);
    editor.entry(Nation::Ussr, Entry::AtWar);
    let state = editor.declare_war(Nation::Ussr, "ankara", &mut scripted(&[])).finish();
    assert_eq!(standing(&state, Nation::Turkey), Standing::Axis);
}

#[test]
fn the_pact_leaves_land_to_the_soviets_without_war() {
    let game = game("campaign-1939");
    for area in ["riga", "bessarabia", "vilna"] {
        let mut editor = moving(&game, Team::Allies);
        let before = editor.finish();
        let mut context = scripted(&[]);
        let after = editor.declare_war(Nation::Ussr, area, &mut context).finish();
        assert_eq!(after, before, "{area}");
        assert!(context.sink.is_empty());
    }
}

#[test]
fn a_german_entry_of_the_soviet_sphere_is_war() {
    let game = game("campaign-1939");
    let mut editor = moving(&game, Team::Axis);
    let mut context = scripted(&[]);
    let state = editor.declare_war(Nation::Germany, "riga", &mut context).finish();
    assert_eq!(state.politics.ussr, Entry::AtWar);
    assert!(state.politics.axis_attacked_ussr);
    assert!(context.sink.contains(&Event::War { by: Force::Axis, on: Nation::Ussr }));
    assert!(state.holds(Force::Soviet, place(&game, "lithuania")), "the sphere is Soviet now");
    assert!(!state.politics.splits_command(1) && state.politics.splits_command(2));
    sound(&game, &state);
    // Their own attack leaves the Urals closed.
    let mut editor = moving(&game, Team::Allies);
    editor.clear();
    let state = editor.declare_war(Nation::Ussr, "konigsberg", &mut context).finish();
    assert!(state.politics.ussr == Entry::AtWar && !state.politics.axis_attacked_ussr);
}

#[test]
fn the_german_war_makes_allies_of_those_the_soviets_attacked() {
    let game = game("campaign-1939");
    let mut editor = moving(&game, Team::Axis);
    editor.standing(Nation::Finland, Standing::Defending, Nation::Germany);
    editor.state_mut().politics.axis_claims = Nation::Finland.bit();
    editor.place("fin_inf_1a", "helsinki", 2);
    let state = editor.declare_war(Nation::Germany, "minsk", &mut scripted(&[])).finish();
    assert_eq!(standing(&state, Nation::Finland), Standing::Axis);
    assert_eq!((state.pending, state.politics.axis_claims), (Pending::None, 0));
    assert_eq!(
        state.location(unit(&game, "fin_inf_2a")),
        Place::POOL,
        "who fights already is not placed again"
    );
}

#[test]
fn war_catches_fleets_in_the_same_sea() {
    let game = game("campaign-1939");
    let mut editor = moving(&game, Team::Axis);
    editor.place("su_ca", "baltic_sea", 2).place("ger_ca", "baltic_sea", 2).place("gb_ca_1", "north_sea", 2);
    let state = editor.declare_war(Nation::Germany, "minsk", &mut scripted(&[])).finish();
    let zone = place(&game, "baltic_sea").sea_zone().unwrap();
    assert_eq!(state.sea_attacked, [1 << zone, 0]);
}

#[test]
fn an_attack_on_a_neutral_italy_brings_it_in() {
    let game = game("campaign-1939");
    let mut editor = moving(&game, Team::Allies);
    editor.standing(Nation::Hungary, Standing::Axis, Nation::Italy);
    let before = editor.finish();
    assert!(!before.holds(Force::Axis, place(&game, "rome")));
    assert!(!before.holds(Force::Axis, place(&game, "budapest")), "Italy's friends wait with it (R-46)");
    let state = editor.declare_war(Nation::Britain, "tripoli", &mut scripted(&[])).finish();
    assert_eq!(state.politics.italy, Entry::AtWar);
    assert!(
        state.holds(Force::Axis, place(&game, "rome")) && state.holds(Force::Axis, place(&game, "budapest"))
    );
    sound(&game, &state);
}

// ---- the calendar ----

#[test]
fn the_usa_mobilises_and_enters() {
    let game = game("campaign-1939");
    let usa = place(&game, "usa");
    let state = Editor::new(&game).turn(6).begin_turn(&mut sampled(1));
    assert!(!state.politics.usa_mobilised && state.is_vacant(usa) && state.factory(usa) == 0);
    let state = Editor::of(&game, state).turn(7).begin_turn(&mut sampled(1));
    assert!(state.politics.usa_mobilised);
    assert_eq!((state.stack(usa).count(), state.factory(usa)), (6, 4));
    assert_eq!(state.politics.usa, Entry::Neutral);
    sound(&game, &state);
    let state = Editor::of(&game, state).turn(10).begin_turn(&mut sampled(1));
    assert_eq!(state.politics.usa, Entry::Neutral);
    let state = Editor::of(&game, state).turn(11).begin_turn(&mut sampled(1));
    assert_eq!(state.politics.usa, Entry::AtWar);
    assert!(state.holds(Force::Western, usa));
}

#[test]
fn late_entry_of_the_usa() {
    let late =
        [sandtable_scenarios_victory_in_europe::Override::parse("options.late_usa_entry=true").unwrap()];
    let rules = sandtable_scenarios_victory_in_europe::open("victory-in-europe/stalingrad-1942", &late)
        .unwrap()
        .into_rules();
    let game = VictoryInEurope::new(rules).unwrap();
    let state = Editor::new(&game).finish();
    assert_eq!(state.politics.usa, Entry::Neutral);
    assert_eq!(game.resistance(&state, Force::Western, Nation::Usa), 7);
    let state = Editor::new(&game).turn(14).begin_turn(&mut sampled(1));
    assert_eq!(state.politics.usa, Entry::Neutral);
    let state = Editor::new(&game).turn(15).begin_turn(&mut sampled(1));
    assert_eq!(state.politics.usa, Entry::AtWar);
}

#[test]
fn units_of_the_neutral_usa_abroad_stand_among_the_british() {
    let late =
        [sandtable_scenarios_victory_in_europe::Override::parse("options.late_usa_entry=true").unwrap()];
    let opened =
        sandtable_scenarios_victory_in_europe::open("victory-in-europe/stalingrad-1942", &late).unwrap();
    let game = VictoryInEurope::new(opened.into_rules()).unwrap();
    let (bomber, cruiser) = (unit(&game, "us_hb_b17"), unit(&game, "us_ca_1"));
    let southampton = place(&game, "southampton");
    let state = Editor::new(&game).finish();
    assert_eq!(state.location(bomber), southampton);
    assert!(game.is_supplied(&state, bomber), "by British areas (R-155)");
    let mut editor = Editor::new(&game);
    let team = Team::Allies;
    let mut state = editor.command([5, 5, 5]).first(team).begin(Phase::Movement, team, &mut sampled(1));
    let moves = legal(&game, &state);
    assert!(!moves.contains(&Action::Select(bomber)) && !moves.contains(&Action::Select(cruiser)), "13");
    let army = unit(&game, "gb_inf_bef");
    game.apply(&mut state, Action::Select(army), &mut sampled(1));
    assert!(legal(&game, &state).contains(&Action::Go(southampton, 0)), "they close no area to the British");
    assert_eq!(game.bloc_of(&state, bomber), game.bloc_of(&state, army));
    let home = place(&game, "usa");
    let at_home = game.unit_ids();
    for unit in at_home.filter(|&unit| state.location(unit) == home) {
        assert_ne!(
            game.bloc_of(&state, unit),
            game.bloc_of(&state, bomber),
            "not at home: it cannot be attacked"
        );
    }
}

#[test]
fn a_new_turn_clears_what_lasts_for_one() {
    use sandtable_victory_in_europe::state::mark;
    let game = game("campaign-1939");
    let mut editor = Editor::new(&game);
    let (army, berlin) = (unit(&game, "ger_inf_8a"), place(&game, "berlin"));
    {
        let state = editor.state_mut();
        state.turn = 2;
        state.set_mark(army, mark::KNOWN | mark::MOVED | mark::PINNED, true);
        state.set_half_hit(army, true);
        state.set_arrivals(berlin, 1);
        state.captured.insert(berlin);
        state.cards.laid[0] = 3;
        state.cards.named[0][0] = berlin;
        state.cards.taken[0] = 2;
        state.politics.refused = 4;
    }
    let state = editor.begin_turn(&mut sampled(1));
    assert!(state.has_mark(army, mark::KNOWN) && !state.has_mark(army, mark::MOVED));
    assert!(!state.has_mark(army, mark::PINNED) && !state.has_half_hit(army));
    assert!(state.arrivals(berlin) == 0 && state.captured.is_empty());
    assert_eq!(
        (state.cards.laid, state.cards.named, state.cards.taken),
        ([NO_INDEX; 3], [[Place::NONE; 2]; 3], [0; 3])
    );
    assert_eq!(state.politics.refused, NO_INDEX);
}

// ---- falls ----

/// The campaign with Paris in German hands.
fn paris_taken(game: &VictoryInEurope) -> Editor<'_> {
    let mut editor = Editor::new(game);
    editor.turn(5).control("paris", Nation::Germany);
    for french in ["fra_inf_7a", "fra_fa_ms406"] {
        editor.remove(french);
    }
    editor.place("ger_inf_1a", "paris", 2);
    editor
}

#[test]
fn france_falls_and_vichy_is_made() {
    let game = game("campaign-1939");
    let mut editor = paris_taken(&game);
    editor.place("gb_inf_bef", "brest", 2).place("convoy_d", "convoy_d", 3).factory("bordeaux", 0);
    editor.place("pol_inf_1a", "bordeaux", 1).factory("lyon", 1).control("lille", Nation::Germany);
    editor.control("sardinia", Nation::France);
    let state = editor.check_politics(&mut scripted(&[])).finish();
    assert_eq!(
        (standing(&state, Nation::France), standing(&state, Nation::Vichy)),
        (Standing::Gone, Standing::Neutral)
    );
    assert_eq!(state.politics.french_fall, 5);
    // Units leave; the free forces join the British pool, the convoy sails on a step weaker.
    assert_eq!(state.location(unit(&game, "fra_inf_2a")), Place::GONE);
    assert_eq!(state.location(unit(&game, "fra_bb")), Place::GONE);
    for free in ["gb_inf_ff", "gb_ca_ff"] {
        let free = unit(&game, free);
        assert_eq!((state.location(free), game.nation(&state, free)), (Place::POOL, Nation::Britain));
    }
    let convoy = unit(&game, "convoy_d");
    assert_eq!((state.steps(convoy), game.nation(&state, convoy)), (2, Nation::Britain));
    let vichy = unit(&game, "fra_inf_1a");
    assert_eq!((state.location(vichy), game.nation(&state, vichy)), (Place::POOL, Nation::Vichy));
    // Areas: Germany's but for Vichy's and occupied ones.
    assert_eq!(controller(&game, &state, "nancy"), Nation::Germany);
    assert_eq!(controller(&game, &state, "brest"), Nation::Britain);
    assert_eq!(controller(&game, &state, "bordeaux"), Nation::Britain, "a Pole fights for Britain");
    assert_eq!(controller(&game, &state, "sardinia"), Nation::Britain, "no part of France (R-150)");
    for area in ["lyon", "marseille", "montpellier", "corsica", "tunis", "algiers", "oran", "morocco"] {
        assert_eq!(controller(&game, &state, area), Nation::Vichy, "{area}");
    }
    assert_eq!(state.factory(place(&game, "lyon")), 0);
    // The fall of Paris brings Italy in.
    assert_eq!(state.politics.italy, Entry::AtWar);
    sound(&game, &state);
}

#[test]
fn france_holds_while_paris_does() {
    let game = game("campaign-1939");
    let before = Editor::new(&game).finish();
    let after = Editor::new(&game).check_politics(&mut scripted(&[])).finish();
    assert_eq!(before, after);
}

#[test]
fn vichy_joins_the_other_side_in_its_fixed_places() {
    let game = game("campaign-1939");
    for (attacker, joined) in [(Nation::Germany, Standing::Western), (Nation::Britain, Standing::Axis)] {
        let mut editor = paris_taken(&game);
        editor.check_politics(&mut scripted(&[]));
        let state = editor.declare_war(attacker, "algiers", &mut scripted(&[])).finish();
        assert_eq!((standing(&state, Nation::Vichy), state.pending), (joined, Pending::None));
        for (id, area, steps) in [
            ("fra_inf_1a", "lyon", 3),
            ("fra_ca", "marseille", 2),
            ("fra_inf_alg", "algiers", 2),
            ("fra_inf_tun", "tunis", 2),
        ] {
            let unit = unit(&game, id);
            assert_eq!((state.location(unit), state.steps(unit)), (place(&game, area), steps), "{id}");
        }
        sound(&game, &state);
    }
}

#[test]
fn who_stands_in_vichy_when_it_changes_sides() {
    let game = game("campaign-1939");
    let mut editor = paris_taken(&game);
    editor.place("gb_inf_bef", "algiers", 2).place("gb_ca_1", "marseille", 2);
    editor.place("ger_inf_2a", "lyon", 2).check_politics(&mut scripted(&[]));
    let state = editor.declare_war(Nation::Britain, "tunis", &mut scripted(&[])).finish();
    assert_eq!(standing(&state, Nation::Vichy), Standing::Axis);
    assert_eq!(controller(&game, &state, "algiers"), Nation::Britain, "an army holds its area");
    assert_eq!(state.location(unit(&game, "gb_ca_1")), Place::POOL, "a ship alone is interned");
    assert_eq!(state.location(unit(&game, "ger_inf_2a")), place(&game, "lyon"));
    assert_eq!(state.location(unit(&game, "fra_inf_1a")), place(&game, "lyon"));
    sound(&game, &state);
}

#[test]
fn syria_is_no_business_of_vichy() {
    let game = game("campaign-1939");
    let mut editor = paris_taken(&game);
    editor.check_politics(&mut scripted(&[]));
    let state = editor.declare_war(Nation::Britain, "syria", &mut scripted(&[])).finish();
    assert_eq!(standing(&state, Nation::Vichy), Standing::Neutral);
    assert_eq!(standing(&state, Nation::Syria), Standing::Axis);
}

#[test]
fn units_left_in_vichy_after_the_next_turn_drive_it_to_the_enemy() {
    let game = game("campaign-1939");
    for (army, joined, owner) in
        [("gb_inf_bef", Standing::Axis, Nation::Britain), ("ger_inf_2a", Standing::Western, Nation::Germany)]
    {
        let mut editor = paris_taken(&game);
        editor.place(army, "algiers", 2).check_politics(&mut scripted(&[]));
        let state = editor.turn(6).begin_turn(&mut sampled(1));
        assert_eq!(standing(&state, Nation::Vichy), Standing::Neutral, "there is a turn to leave in");
        let state = Editor::of(&game, state).turn(7).begin_turn(&mut sampled(1));
        assert_eq!(standing(&state, Nation::Vichy), joined);
        assert_eq!(controller(&game, &state, "algiers"), owner);
        assert_ne!(state.location(unit(&game, "fra_inf_alg")), place(&game, "algiers"));
        sound(&game, &state);
    }
    // Nobody there, nothing happens.
    let mut editor = paris_taken(&game);
    editor.check_politics(&mut scripted(&[]));
    let state = editor.turn(7).begin_turn(&mut sampled(1));
    assert_eq!(standing(&state, Nation::Vichy), Standing::Neutral);
}

#[test]
fn the_allies_in_paris_end_a_neutral_vichy() {
    let game = game("barbarossa-1941");
    for (vichy, ends) in [(Standing::Neutral, true), (Standing::Axis, false)] {
        let mut editor = Editor::new(&game);
        editor.control("paris", Nation::Britain).standing(Nation::Vichy, vichy, Nation::Germany);
        let state = editor.begin(Phase::Diplomacy, Team::Axis, &mut sampled(1));
        assert_eq!(standing(&state, Nation::Vichy) == Standing::Gone, ends);
        assert_eq!(controller(&game, &state, "algiers") == Nation::Britain, ends);
    }
}

#[test]
fn italy_enters_when_a_capital_falls() {
    let game = game("campaign-1939");
    for capital in ["london", "moscow"] {
        let mut editor = Editor::new(&game);
        editor.control(capital, Nation::Germany);
        let state = editor.check_politics(&mut scripted(&[])).finish();
        assert_eq!(state.politics.italy, Entry::AtWar, "{capital}");
    }
}

#[test]
fn italy_surrenders_with_rome_or_libya_and_a_neighbour() {
    let game = game("kursk-1943");
    let fallen = |lost: &[&str]| {
        let mut editor = Editor::new(&game);
        for area in ["tripoli", "el_agheila", "benghazi"] {
            editor.control(area, Nation::Italy);
        }
        for area in lost {
            editor.control(area, Nation::Usa);
        }
        editor.check_politics(&mut scripted(&[])).finish().politics.italy == Entry::Surrendered
    };
    let libya = ["tripoli", "el_agheila", "benghazi"];
    assert!(fallen(&["rome"]));
    assert!(!fallen(&libya) && !fallen(&["naples"]));
    assert!(fallen(&[&libya[..], &["naples"]].concat()));
    assert!(!fallen(&[&libya[..2], &["naples"]].concat()));
}

#[test]
fn what_the_surrender_of_italy_leaves() {
    let game = game("kursk-1943");
    let mut editor = Editor::new(&game);
    editor.control("rome", Nation::Usa).place("ger_inf_1a", "milan", 2).factory("milan", 1);
    editor.standing(Nation::Bulgaria, Standing::Axis, Nation::Italy);
    for unit in ["ita_inf_8a", "ita_inf_2a"] {
        editor.remove(unit);
    }
    let before = editor.finish();
    assert_eq!(controller(&game, &before, "venice"), Nation::Italy);
    let state = editor.check_politics(&mut scripted(&[])).finish();
    assert_eq!(standing(&state, Nation::Italy), Standing::Gone);
    assert_eq!(controller(&game, &state, "milan"), Nation::Germany, "occupied by the Axis");
    assert_eq!(controller(&game, &state, "sardinia"), Nation::Usa);
    assert_eq!(state.factory(place(&game, "milan")), 0);
    assert_eq!(state.politics.patron(Nation::Bulgaria), Nation::Germany);
    for unit in game.unit_ids() {
        assert!(game.printed_nation(unit) != Nation::Italy || state.location(unit) == Place::GONE);
    }
    assert!(state.captured.contains(place(&game, "sardinia")), "its resources count from the next turn");
    sound(&game, &state);
}

#[test]
fn poland_is_divided() {
    let game = game("campaign-1939");
    let mut editor = Editor::new(&game);
    editor.clear().control("warsaw", Nation::Germany).control("vilna", Nation::Ussr);
    editor.place("pol_inf_1a", "danzig", 2).place("pol_inf_2a", "lvov", 2).place("su_inf3_1", "vilna", 1);
    let mut context = sampled(1);
    let state = editor.begin(Phase::Diplomacy, Team::Axis, &mut context);
    assert_eq!(standing(&state, Nation::Poland), Standing::Gone);
    let free = unit(&game, "pol_inf_1a");
    assert_eq!((state.location(free), game.nation(&state, free)), (Place::POOL, Nation::Britain));
    assert_eq!(state.location(unit(&game, "pol_inf_2a")), Place::GONE);
    for area in ["danzig", "poznan", "cracow", "warsaw"] {
        assert_eq!(controller(&game, &state, area), Nation::Germany, "{area}");
    }
    assert_eq!(controller(&game, &state, "vilna"), Nation::Ussr);
    for area in ["lvov", "brest_litovsk"] {
        assert_eq!(controller(&game, &state, area), Nation::Sphere, "{area}");
    }
    assert!(may(&game, &state, Nation::Ussr, "lvov") && !may(&game, &state, Nation::Britain, "lvov"));
    sound(&game, &state);
    // The partition ends with the Pact.
    let mut editor = Editor::new(&game);
    editor.clear().control("warsaw", Nation::Germany).control("vilna", Nation::Ussr);
    editor.entry(Nation::Ussr, Entry::AtWar).standing(Nation::Sphere, Standing::Soviet, Nation::Ussr);
    editor.place("su_inf3_1", "vilna", 1);
    let state = editor.begin(Phase::Diplomacy, Team::Axis, &mut sampled(1));
    assert_eq!(controller(&game, &state, "lvov"), Nation::Germany);
    assert_eq!(controller(&game, &state, "vilna"), Nation::Ussr);
    sound(&game, &state);
}

#[test]
fn minors_surrender_with_their_capital() {
    let game = game("bagration-1944");
    let mut editor = Editor::new(&game);
    editor.clear().control("bucharest", Nation::Ussr).place("rum_inf_1a", "cluj", 2);
    editor.place("ger_inf_1a", "bessarabia", 2);
    let state = editor.begin(Phase::Diplomacy, Team::Axis, &mut sampled(1));
    assert_eq!(standing(&state, Nation::Romania), Standing::Gone);
    assert_eq!(state.location(unit(&game, "rum_inf_1a")), Place::GONE);
    assert_eq!(state.location(unit(&game, "rum_inf_3a")), Place::GONE, "in the pool or not");
    assert_eq!(controller(&game, &state, "cluj"), Nation::Ussr);
    assert_eq!(controller(&game, &state, "bessarabia"), Nation::Germany, "the enemy sits there");
    assert_eq!(standing(&state, Nation::Hungary), Standing::Axis);
}

#[test]
fn a_minor_conquered_by_the_soviets_alone() {
    let game = game("campaign-1939");
    let mut editor = Editor::new(&game);
    editor.standing(Nation::Finland, Standing::Defending, Nation::Germany).control("helsinki", Nation::Ussr);
    editor.place("su_inf3_2", "helsinki", 1).place("fin_inf_2a", "oulu", 2);
    let state = editor.begin(Phase::Diplomacy, Team::Axis, &mut sampled(1));
    assert_eq!(standing(&state, Nation::Finland), Standing::Gone);
    assert_eq!(controller(&game, &state, "oulu"), Nation::Ussr);
    assert_eq!(state.politics.ussr, Entry::Neutral);
}

#[test]
fn conquests_of_player_one_surrender_first() {
    let game = game("campaign-1939");
    for (first, order) in [
        (Team::Axis, [Nation::Yugoslavia, Nation::Finland]),
        (Team::Allies, [Nation::Finland, Nation::Yugoslavia]),
    ] {
        let mut editor = Editor::new(&game);
        editor
            .standing(Nation::Finland, Standing::Defending, Nation::Germany)
            .control("helsinki", Nation::Ussr);
        editor.standing(Nation::Yugoslavia, Standing::Western, Nation::Britain);
        editor.control("belgrade", Nation::Germany).first(first);
        let mut context = sampled(1);
        editor.begin(Phase::Diplomacy, first, &mut context);
        let gone = context.sink.iter().filter_map(|event| match event {
            Event::Standing { nation, standing: Standing::Gone } => Some(*nation),
            _ => None,
        });
        assert_eq!(gone.collect::<Vec<_>>(), order, "10.2");
    }
}

#[test]
fn the_western_allies_may_attack_a_neutral_that_fights_the_soviets() {
    let game = game("campaign-1939");
    let mut editor = moving(&game, Team::Allies);
    editor.standing(Nation::Finland, Standing::Defending, Nation::Germany).place("fin_inf_1a", "helsinki", 2);
    assert!(may(&game, &editor.finish(), Nation::Britain, "oulu"));
    let state = editor.declare_war(Nation::Britain, "oulu", &mut scripted(&[])).finish();
    assert_eq!(standing(&state, Nation::Finland), Standing::Axis, "its attacker has an enemy (10.2)");
    assert_eq!(state.politics.ussr, Entry::Neutral);
}

#[test]
fn a_neutral_that_fights_alone_conquers_for_itself() {
    let game = game("campaign-1939");
    let mut editor = Editor::new(&game);
    editor.standing(Nation::Finland, Standing::Defending, Nation::Germany);
    editor.standing(Nation::Sweden, Standing::Soviet, Nation::Ussr).control("stockholm", Nation::Finland);
    editor.place("fin_inf_1a", "stockholm", 2);
    let state = editor.begin(Phase::Diplomacy, Team::Axis, &mut sampled(1));
    assert_eq!(standing(&state, Nation::Sweden), Standing::Gone);
    assert_eq!(controller(&game, &state, "lulea"), Nation::Finland, "not Germany's, which is at peace");
    sound(&game, &state);
}

// ---- diplomacy ----

/// The Diplomacy Phase of a team with a card laid open.
fn talks(game: &VictoryInEurope, team: Team, card: (Force, &str), edit: impl FnOnce(&mut Editor)) -> State {
    let mut editor = Editor::new(game);
    editor.card(card.0, card.1);
    edit(&mut editor);
    editor.begin(Phase::Diplomacy, team, &mut sampled(1))
}

const GERMAN: (Force, &str) = (Force::Axis, "ax39-1");
const ITALIAN: (Force, &str) = (Force::Axis, "ax40-8");
const BLUE: (Force, &str) = (Force::Western, "al39-1");
const RED: (Force, &str) = (Force::Soviet, "al39-4");

fn rolls(game: &VictoryInEurope, state: &State) -> Vec<Nation> {
    legal(game, state)
        .into_iter()
        .filter_map(|action| match action {
            Action::Roll(nation) => Some(Nation::of(nation)),
            _ => None,
        })
        .collect()
}

#[test]
fn who_may_be_rolled_for() {
    use Nation::{Belgium, Finland, Italy, Poland, Sphere, Sweden, Usa, Vichy};
    let game = game("campaign-1939");
    let axis = rolls(&game, &talks(&game, Team::Axis, GERMAN, |_| {}));
    assert!(axis.contains(&Belgium) && axis.contains(&Italy) && axis.contains(&Finland));
    let western = rolls(&game, &talks(&game, Team::Allies, BLUE, |_| {}));
    assert!(western.contains(&Belgium) && !western.contains(&Italy) && !western.contains(&Usa));
    let soviet = rolls(&game, &talks(&game, Team::Allies, RED, |_| {}));
    assert!(!soviet.contains(&Belgium) && soviet.contains(&Sweden));
    for listed in [axis, western, soviet] {
        assert!(![Usa, Poland, Sphere, Vichy].iter().any(|nation| listed.contains(nation)));
    }
    // The USA: in 1941 alone, by the Western Allies alone.
    let in_1941 = |editor: &mut Editor| {
        editor.turn(7);
    };
    assert!(rolls(&game, &talks(&game, Team::Allies, BLUE, in_1941)).contains(&Usa));
    assert!(!rolls(&game, &talks(&game, Team::Allies, RED, in_1941)).contains(&Usa));
    // All rolls end when it is at war.
    let mut over = Editor::new(&game);
    over.card(BLUE.0, BLUE.1).entry(Usa, Entry::AtWar).first(Team::Allies);
    let state = over.begin(Phase::Diplomacy, Team::Allies, &mut sampled(1));
    assert_ne!(state.phase, Phase::Diplomacy);
}

#[test]
fn modifiers_of_a_roll() {
    use Nation::{Belgium, Britain, Germany, Italy, Portugal, Romania, Spain, Ussr};
    let game = game("campaign-1939");
    let state = talks(&game, Team::Axis, GERMAN, |editor| {
        editor.clear();
    });
    let bonus = |state: &State, roller, nation| game.roll_bonus(state, roller, nation);
    // Proximity: a friendly neighbour, or a friendly sea.
    assert_eq!(bonus(&state, Germany, Belgium), 1);
    assert_eq!(bonus(&state, Germany, Spain), 0);
    assert_eq!(bonus(&state, Britain, Belgium), 1, "France is friendly to Britain");
    assert_eq!((bonus(&state, Britain, Spain), bonus(&state, Ussr, Spain)), (1, 0));
    assert_eq!(bonus(&state, Germany, Portugal), 0);
    let at_sea = Editor::of(&game, state.clone()).place("ger_ss_1", "bay_of_biscay", 1).finish();
    assert_eq!(bonus(&at_sea, Germany, Spain), 1);
    // Italy is won for Germany; Italians are near their own neighbours.
    assert_eq!((bonus(&state, Germany, Italy), bonus(&state, Italy, Italy)), (1, 1));
    assert_eq!((bonus(&state, Italy, Nation::Greece), bonus(&state, Germany, Nation::Greece)), (1, 0));
    // Refusal: for Player 2, of the country that refused Player 1.
    let mut refused = state.clone();
    refused.politics.refused = Belgium as u8;
    assert_eq!(bonus(&refused, Germany, Belgium), 1, "not for Player 1");
    refused.first = Team::Allies;
    assert_eq!((bonus(&refused, Germany, Belgium), bonus(&refused, Germany, Nation::Denmark)), (2, 1));
    // Claims, Portugal's example, the event.
    let mut claims = state.clone();
    claims.politics.axis_claims = Romania.bit();
    assert_eq!(bonus(&claims, Germany, Romania), bonus(&state, Germany, Romania) + 2);
    assert_eq!(bonus(&claims, Britain, Romania), bonus(&state, Britain, Romania));
    let mut example = state.clone();
    example.politics.portugal_joined = true;
    assert_eq!((bonus(&example, Germany, Spain), bonus(&example, Britain, Spain)), (2, 1));
    let event = talks(&game, Team::Axis, (Force::Axis, "ax40-7"), |editor| {
        editor.clear();
    });
    assert_eq!((bonus(&event, Italy, Spain), bonus(&event, Britain, Spain)), (2, 1));
    let steel = talks(&game, Team::Axis, (Force::Axis, "ax39-6"), |editor| {
        editor.clear();
    });
    assert_eq!((bonus(&steel, Italy, Spain), bonus(&steel, Italy, Italy)), (0, 2));
    // Romania after the occupation of Bessarabia.
    assert_eq!(game.resistance(&state, Force::Axis, Romania), 6);
    let robbed = Editor::of(&game, state).control("bessarabia", Ussr).finish();
    assert_eq!(
        Force::ALL.map(|force| game.resistance(&robbed, force, Romania)),
        [5, 10, 11],
        "for the Axis alone"
    );
}

#[test]
fn a_roll_that_reaches_the_number_wins_an_ally() {
    let game = game("campaign-1939");
    let roll = |dice: [u32; 2]| {
        let mut state = talks(&game, Team::Axis, GERMAN, |editor| {
            editor.clear();
        });
        let mut context = scripted(&dice);
        game.apply(&mut state, Action::Roll(Nation::Bulgaria as u8), &mut context);
        let fact = context.sink.iter().find(|fact| matches!(fact, Event::Roll { .. })).cloned();
        (state, fact)
    };
    // Bulgaria 7 for the Axis.
    let (state, fact) = roll([3, 4]);
    assert_eq!(
        fact,
        Some(Event::Roll { force: Force::Axis, nation: Nation::Bulgaria, dice: 7, bonus: 0, needed: 7 })
    );
    assert_eq!(
        (standing(&state, Nation::Bulgaria), state.politics.patron(Nation::Bulgaria)),
        (Standing::Axis, Nation::Germany)
    );
    let army = unit(&game, "bul_inf");
    assert_eq!((state.location(army), state.steps(army)), (place(&game, "bulgaria"), 3));
    assert!(!state.captured.contains(place(&game, "bulgaria")), "resources count at once");
    let (state, _) = roll([3, 3]);
    assert_eq!(standing(&state, Nation::Bulgaria), Standing::Neutral);
    assert_eq!(state.politics.refused, Nation::Bulgaria as u8);
    assert_eq!(state.mover, Team::Allies, "one roll a turn");
}

#[test]
fn the_new_ally_is_placed_by_its_friend() {
    let game = game("campaign-1939");
    let mut state = talks(&game, Team::Axis, GERMAN, |editor| {
        editor.clear();
    });
    let mut context = scripted(&[6, 6]);
    game.apply(&mut state, Action::Roll(Nation::Hungary as u8), &mut context);
    assert_eq!(state.pending, Pending::Neutral { by: 0, nation: Nation::Hungary as u8 });
    let first = unit(&game, "hun_inf_1a");
    let debrecen = place(&game, "debrecen");
    game.apply(&mut state, Action::Deploy(first, debrecen), &mut context);
    assert_eq!(state.location(first), debrecen);
    game.apply(&mut state, Action::Deploy(unit(&game, "hun_inf_2a"), debrecen), &mut context);
    assert_eq!(state.stack(debrecen).count(), 2);
    assert!(!matches!(state.pending, Pending::Neutral { .. }));
}

#[test]
fn the_colour_says_for_whom() {
    let game = game("campaign-1939");
    let won = |team, card, nation: Nation| {
        let mut state = talks(&game, team, card, |editor| {
            editor.clear();
        });
        game.apply(&mut state, Action::Roll(nation as u8), &mut scripted(&[6, 6, 1, 1]));
        (standing(&state, nation), state.politics.patron(nation), state)
    };
    let (standing_of, patron, state) = won(Team::Axis, ITALIAN, Nation::Bulgaria);
    assert_eq!((standing_of, patron), (Standing::Axis, Nation::Italy));
    assert!(!state.holds(Force::Axis, place(&game, "bulgaria")), "inactive while Italy is neutral");
    let (standing_of, patron, _) = won(Team::Allies, BLUE, Nation::Bulgaria);
    assert_eq!((standing_of, patron), (Standing::Western, Nation::Britain));
    let (standing_of, patron, _) = won(Team::Allies, RED, Nation::Bulgaria);
    assert_eq!((standing_of, patron), (Standing::Soviet, Nation::Ussr));
    let mut state = talks(&game, Team::Axis, ITALIAN, |editor| {
        editor.clear().entry(Nation::Italy, Entry::Surrendered);
    });
    game.apply(&mut state, Action::Roll(Nation::Bulgaria as u8), &mut scripted(&[6, 6, 1, 1]));
    assert_eq!(state.politics.patron(Nation::Bulgaria), Nation::Germany, "once Italy has surrendered");
    let (_, _, state) = won(Team::Axis, GERMAN, Nation::Italy);
    assert_eq!(state.politics.italy, Entry::AtWar);
    let (_, _, state) = won(Team::Allies, BLUE, Nation::Portugal);
    assert!(state.politics.portugal_joined);
    let (_, _, state) = won(Team::Allies, BLUE, Nation::Ireland);
    assert!(!state.politics.portugal_joined);
}

#[test]
fn the_usa_enters_by_a_roll() {
    let game = game("campaign-1939");
    let mut state = talks(&game, Team::Allies, BLUE, |editor| {
        editor.turn(8);
        editor.state_mut().politics.usa_mobilised = true;
    });
    game.apply(&mut state, Action::Roll(Nation::Usa as u8), &mut scripted(&[6, 6]));
    assert_eq!(state.politics.usa, Entry::AtWar);
    assert!(state.holds(Force::Western, place(&game, "usa")));
    let mut editor = Editor::of(&game, state);
    editor.first(Team::Allies).card(GERMAN.0, GERMAN.1);
    let second = editor.begin(Phase::Diplomacy, Team::Axis, &mut sampled(1));
    assert!(second.phase != Phase::Diplomacy || rolls(&game, &second).is_empty(), "rolls end at once");
}

#[test]
fn a_neutral_the_soviets_attack_can_still_be_won() {
    let game = game("campaign-1939");
    let attacked = |editor: &mut Editor| {
        editor.clear().standing(Nation::Finland, Standing::Defending, Nation::Germany);
        editor.place("fin_inf_1a", "helsinki", 2).state_mut().politics.axis_claims = Nation::Finland.bit();
    };
    let mut state = talks(&game, Team::Axis, GERMAN, attacked);
    assert_eq!(game.roll_bonus(&state, Nation::Germany, Nation::Finland), 2);
    game.apply(&mut state, Action::Roll(Nation::Finland as u8), &mut scripted(&[3, 3, 1, 1]));
    assert_eq!(standing(&state, Nation::Finland), Standing::Axis, "6 + 2 of 8");
    assert_eq!(state.politics.ussr, Entry::Neutral);
    assert!(!rolls(&game, &talks(&game, Team::Allies, RED, attacked)).contains(&Nation::Finland));
}

#[test]
fn the_literal_reading_of_the_soviet_attack() {
    let mut rules = rules("campaign-1939");
    rules.options.attacked_stays_neutral = false;
    let game = VictoryInEurope::new(rules).unwrap();
    let state = talks(&game, Team::Axis, GERMAN, |editor| {
        editor.clear().standing(Nation::Finland, Standing::Defending, Nation::Germany);
    });
    assert_eq!(standing(&state, Nation::Finland), Standing::Axis);
}

#[test]
fn the_soviets_may_ally_with_poland_from_1940() {
    let game = game("campaign-1939");
    let quiet = |editor: &mut Editor| {
        editor.clear().place("pol_inf_1a", "warsaw", 2);
    };
    assert!(!legal(&game, &talks(&game, Team::Allies, BLUE, quiet)).contains(&Action::AllyPoland));
    let in_1940 = |editor: &mut Editor| {
        quiet(editor);
        editor.place("pol_inf_2a", "tunis", 2);
        editor.turn(3).control("danzig", Nation::Germany);
    };
    let mut state = talks(&game, Team::Allies, BLUE, in_1940);
    game.apply(&mut state, Action::AllyPoland, &mut scripted(&[]));
    assert_eq!(
        (standing(&state, Nation::Poland), state.politics.patron(Nation::Poland)),
        (Standing::Soviet, Nation::Ussr)
    );
    assert_eq!((state.politics.ussr, state.politics.soviet_entry), (Entry::AtWar, 3));
    assert!(!state.politics.axis_attacked_ussr, "the Urals stay closed (13)");
    assert!(state.holds(Force::Soviet, place(&game, "warsaw")));
    assert!(!state.holds(Force::Soviet, place(&game, "danzig")));
    assert_eq!(state.location(unit(&game, "pol_inf_1a")), place(&game, "warsaw"));
    assert_eq!(
        state.location(unit(&game, "pol_inf_2a")),
        Place::POOL,
        "no Soviet ally among the French (R-43)"
    );
    assert!(!rolls(&game, &state).is_empty(), "this is not the Allied roll");
    // Not while a Western unit stands among Poles.
    let mixed = |editor: &mut Editor| {
        in_1940(editor);
        editor.place("gb_fa_spitfire_1", "warsaw", 2);
    };
    assert!(!legal(&game, &talks(&game, Team::Allies, BLUE, mixed)).contains(&Action::AllyPoland));
}

#[test]
fn with_three_players_the_colour_rolls_and_the_other_does_not() {
    let game = game_of_three("campaign-1939");
    let state = talks(&game, Team::Allies, RED, |editor| {
        editor.first(Team::Allies);
    });
    assert_eq!((game.decider(&state), state.phase), (Force::Soviet, Phase::Diplomacy));
    let mut state = state;
    game.apply(&mut state, Action::Pass, &mut scripted(&[]));
    assert_eq!((state.phase, state.mover), (Phase::Diplomacy, Team::Axis), "the Western player has no roll");
}

#[test]
fn a_position_after_the_last_turn_is_the_last() {
    let mut rules = rules("stalingrad-1942");
    rules.setup.last_turn = rules.setup.first_turn + 1;
    let late = rules.setup.last_turn + 1;
    let game = VictoryInEurope::new(rules).unwrap();
    let mut context = sampled(1);
    let mut editor = Editor::of(&game, game.initial(&mut context));
    editor.turn(late);
    let mut state = editor.finish();
    play_out_random(&game, &mut state, &mut context, &mut Vec::new());
    assert_eq!((state.phase, state.turn), (Phase::Over, late));
}
