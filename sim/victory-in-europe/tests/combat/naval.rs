//! Battles at sea and on coasts (7.3 to 7.5, 7.7), Operation Sea Lion.

use sandtable_victory_in_europe::editor::Editor;
use sandtable_victory_in_europe::rules::Target;
use sandtable_victory_in_europe::state::mark;
use sandtable_victory_in_europe::{Action, Nation, Pending, Phase, Place, Team, UnitId};

use crate::bench::{Bench, map, place, unit};

fn fire(id: &str) -> impl Fn(Pending) -> bool {
    let unit = unit(id);
    move |pending| pending == Pending::Fire(unit)
}

/// The position after both Movement Phases of the example.
fn sea_lion() -> Editor<'static> {
    let mut editor = map();
    editor.place("ger_ss_1", "english_channel", 2).place("ger_ca", "english_channel", 3);
    editor.entered("ger_ca", "brest", 0);
    editor.place("gb_bb_nelson", "english_channel", 3).entered("gb_bb_nelson", "north_sea", 0);
    editor.attack(Team::Allies, "english_channel");
    editor.place("ger_inf_4a", "southampton", 4).entered("ger_inf_4a", "english_channel", mark::INVADES);
    editor.place("ger_ldr_guderian", "southampton", 2);
    editor.entered("ger_ldr_guderian", "english_channel", mark::INVADES);
    editor.place("ger_fa_me109_1", "southampton", 3).entered("ger_fa_me109_1", "english_channel", 0);
    editor.place("gb_inf_bef", "southampton", 2).place("gb_ca_1", "southampton", 2);
    editor.place("gb_fa_spitfire_1", "southampton", 2);
    editor.entered("gb_fa_spitfire_1", "london", mark::REINFORCES);
    editor.attack(Team::Axis, "southampton").first(Team::Axis);
    editor.state_mut().invasion.coast[0] = 1;
    editor
}

#[test]
fn e_37_operation_sea_lion() {
    let channel = [
        // Round 1: the submarine hits once, the cruiser (class C, defender first) misses, the battleship hits once.
        1, 4, 5, 5, 5, 2, 3, // Round 2.
        5, 5, 1, 4, 1,
    ];
    let portsmouth = [
        // Round 1: fighter A1 at the cruiser, cruiser at the invaders, the BEF at D1.
        1, 4, 4, 4, 1, 4, // Round 2: Spitfire, fighter, BEF, leader, infantry.
        2, 4, 1, 4, 4, 4, 1, 4, 2, 4, 4,
    ];
    let faces: Vec<u32> = channel.into_iter().chain(portsmouth).collect();
    let mut bench = Bench::new(&mut sea_lion(), &faces);
    assert_eq!(bench.legal(), [Action::Fight(place("southampton")), Action::Fight(place("english_channel"))]);
    bench.play(Action::Fight(place("english_channel")));
    bench.until(|pending| matches!(pending, Pending::Withdraw(_)));
    let shots = [
        (unit("ger_ss_1"), Target::Surface, 1, 2, 1),
        (unit("ger_ca"), Target::Surface, 1, 3, 0),
        (unit("gb_bb_nelson"), Target::Surface, 2, 2, 1),
        (unit("ger_ss_1"), Target::Surface, 1, 2, 0),
        (unit("ger_ca"), Target::Surface, 1, 2, 1),
        (unit("gb_bb_nelson"), Target::Surface, 2, 1, 1),
    ];
    assert_eq!(bench.shots(), shots);
    assert_eq!((bench.steps("gb_bb_nelson"), bench.steps("ger_ca")), (1, 1));
    bench.play(Action::Retreat(place("scapa_flow"), 1));
    assert_eq!(bench.battles()[0].lost, [2, 2]);
    // Portsmouth, round 1: invaders are naval targets, the strongest is the infantry.
    bench.shoot("ger_fa_me109_1", Target::Surface);
    bench.shoot("gb_ca_1", Target::Surface);
    bench.shoot("gb_inf_bef", Target::Surface);
    assert_eq!((bench.steps("gb_ca_1"), bench.steps("ger_inf_4a")), (1, 3));
    // Round 2.
    bench.until(fire("gb_fa_spitfire_1"));
    assert!(bench.legal().contains(&Action::Fire(Target::Surface)), "it could fire at the invaders");
    bench.play(Action::Fire(Target::Air));
    bench.shoot("ger_fa_me109_1", Target::Surface);
    assert!(bench.is_off("gb_ca_1"));
    bench.shoot("gb_inf_bef", Target::Army);
    bench.shoot("ger_ldr_guderian", Target::Army);
    bench.shoot("ger_inf_4a", Target::Army);
    let shots = &bench.shots()[6..];
    let expected = [
        (unit("ger_fa_me109_1"), Target::Surface, 1, 3, 1),
        (unit("gb_ca_1"), Target::Surface, 1, 1, 0),
        (unit("gb_inf_bef"), Target::Surface, 1, 2, 1),
        (unit("gb_fa_spitfire_1"), Target::Air, 2, 2, 1),
        (unit("ger_fa_me109_1"), Target::Surface, 1, 2, 1),
        (unit("gb_inf_bef"), Target::Army, 2, 2, 0),
        (unit("ger_ldr_guderian"), Target::Army, 1, 2, 1),
        (unit("ger_inf_4a"), Target::Army, 2, 3, 1),
    ];
    assert_eq!(shots, expected);
    bench.dice_fit();
    assert!(bench.is_off("gb_inf_bef"));
    // The British fighter must leave; then the leader may exploit, towards London too.
    bench.until(|pending| pending == Pending::Regroup);
    assert!(!bench.is_at("gb_fa_spitfire_1", "southampton"));
    assert!(bench.legal().contains(&Action::Exploit));
    assert_eq!(bench.steps("ger_ldr_guderian"), 2);
    bench.play(Action::Exploit);
    assert!(bench.legal().contains(&Action::Move(unit("ger_inf_4a"), place("london"))));
}

#[test]
fn e_22_invaders_fight_one_class_lower() {
    // Soviet marines (C) land against German infantry (D): the infantry defends and fires first.
    let mut editor = map();
    editor.place("su_marines", "bulgaria", 2).entered("su_marines", "black_sea_west", mark::INVADES);
    editor.place("ger_inf_4a", "bulgaria", 3);
    editor.attack(Team::Allies, "bulgaria").first(Team::Allies);
    let coast =
        (1..=2).find(|&coast| crate::bench::game().has_port(place("bulgaria"), coast)).expect("a port");
    editor.state_mut().invasion.coast[2] = coast;
    let mut bench = Bench::new(&mut editor, &[6; 5]);
    bench.until(|pending| matches!(pending, Pending::Fire(_)));
    assert_eq!(bench.state.pending, Pending::Fire(unit("ger_inf_4a")));
    assert!(bench.shots().is_empty(), "the marines have not fired before");
    assert!(bench.legal().contains(&Action::Fire(Target::Army)), "they have landed at once");
    bench.play(Action::Fire(Target::Army)).until(fire("su_marines"));
}

#[test]
fn surface_ships_fire_at_submarines_with_one_and_carriers_at_full() {
    let mut editor = map();
    editor.place("ger_ss_1", "north_sea", 3).place("gb_bb_nelson", "north_sea", 2);
    editor.place("gb_cv_ark_royal", "north_sea", 2);
    editor.attack(Team::Allies, "north_sea").first(Team::Allies);
    let mut bench = Bench::new(&mut editor, &[6; 7]);
    bench.shoot("gb_bb_nelson", Target::Sub);
    assert_eq!((bench.first_shot("gb_cv_ark_royal").0, bench.first_shot("gb_bb_nelson").0), (2, 1));
    assert_eq!(bench.first_shot("ger_ss_1").0, 1);
}

#[test]
fn convoys_are_prey_of_submarines_at_full_and_surface_targets_of_others() {
    let mut editor = map();
    editor.place("convoy_c", "convoy_c", 3).place("ger_ss_1", "convoy_c", 2).place("ger_bb", "convoy_c", 2);
    editor.attack(Team::Axis, "convoy_c").first(Team::Axis);
    let mut bench = Bench::new(&mut editor, &[2, 3, 2, 1, 6, 6]);
    bench.until(fire("ger_ss_1"));
    let fires: Vec<_> =
        bench.legal().into_iter().filter(|action| matches!(action, Action::Fire(_))).collect();
    assert_eq!(fires, [Action::Fire(Target::Convoy)]);
    bench.play(Action::Fire(Target::Convoy));
    bench.shoot("ger_bb", Target::Surface);
    assert!(bench.is_off("convoy_c"));
    bench.finish();
    assert!(bench.battles()[0].won);
    assert!(bench.is_at("ger_ss_1", "convoy_c"), "the winner stays");
}

#[test]
fn submarines_shelter_in_their_base_and_then_hold_their_fire() {
    for (shelters, faces, left) in [(true, vec![1, 1, 6, 6], 2), (false, vec![6, 6, 6, 1, 1, 6, 6], 1)] {
        let mut editor = map();
        editor.place("ger_ss_1", "brest", 3).place("gb_ca_1", "brest", 4);
        editor.attack(Team::Allies, "brest").first(Team::Allies);
        let mut bench = Bench::new(&mut editor, &faces);
        let submarine = unit("ger_ss_1");
        bench.until(|pending| pending == Pending::Announce(submarine));
        bench.play(if shelters { Action::Shelter } else { Action::Pass });
        bench.shoot("gb_ca_1", Target::Sub);
        assert_eq!(bench.shots().iter().any(|shot| shot.0 == submarine), !shelters);
        assert_eq!(bench.steps("ger_ss_1"), left);
        bench.dice_fit();
    }
}

#[test]
fn one_ship_alone_may_attack_a_naval_base() {
    let mut editor = map();
    editor.place("ger_bb", "brest", 3).place("gb_bb_nelson", "brest", 4).place("gb_ca_1", "brest", 4);
    editor.attack(Team::Allies, "brest").first(Team::Allies);
    let mut bench = Bench::new(&mut editor, &[6; 30]);
    bench.finish();
    let shooters: Vec<UnitId> = bench.shots().iter().map(|shot| shot.0).collect();
    assert!(shooters.contains(&unit("gb_bb_nelson")) && !shooters.contains(&unit("gb_ca_1")));
}

#[test]
fn ships_fight_only_on_their_own_coast() {
    let mut editor = map();
    let hamburg = place("hamburg");
    editor.place_on(unit("ger_bb"), hamburg, 2, 3).place_on(unit("gb_bb_nelson"), hamburg, 1, 4);
    editor.place("ger_inf_1a", "hamburg", 3);
    editor.attack(Team::Allies, "hamburg").first(Team::Allies);
    let mut bench = Bench::new(&mut editor, &[6; 30]);
    bench.until(fire("gb_bb_nelson"));
    let fires: Vec<_> =
        bench.legal().into_iter().filter(|action| matches!(action, Action::Fire(_))).collect();
    assert_eq!(fires, [Action::Fire(Target::Army)], "shore bombardment alone");
    bench.play(Action::Fire(Target::Army));
    assert_eq!(bench.first_shot("gb_bb_nelson").0, 1);
    assert!(bench.shots().iter().all(|shot| shot.0 != unit("ger_bb")));
}

#[test]
fn cruisers_do_not_bombard_coasts() {
    let mut editor = map();
    editor.place("gb_ca_1", "hamburg", 4).place("ger_inf_1a", "hamburg", 3);
    editor.attack(Team::Allies, "hamburg").first(Team::Allies);
    let mut bench = Bench::new(&mut editor, &[6; 30]);
    bench.finish();
    assert!(bench.shots().iter().all(|shot| shot.0 != unit("gb_ca_1")));
}

#[test]
fn carriers_may_always_fire_at_aircraft() {
    let mut editor = map();
    editor.place("gb_cv_ark_royal", "north_sea", 2).place("gb_ca_1", "north_sea", 2);
    editor.place("ger_nb_condor", "north_sea", 3).place("gb_inf_bef", "london", 1);
    editor.attack(Team::Axis, "north_sea").first(Team::Axis);
    let mut bench = Bench::new(&mut editor, &[6; 30]);
    bench.until(fire("gb_cv_ark_royal"));
    assert!(bench.legal().contains(&Action::Fire(Target::Air)), "before it has attacked anybody");
    bench.play(Action::Fire(Target::Air)).shoot("ger_nb_condor", Target::Surface);
    bench.until(fire("gb_ca_1"));
    assert!(bench.legal().contains(&Action::Fire(Target::Air)), "it has attacked ships");
    bench.finish();
    assert!(!bench.is_at("ger_nb_condor", "north_sea") && !bench.is_off("ger_nb_condor"), "it has landed");
}

#[test]
fn after_a_battle_at_sea_the_winner_s_aircraft_land_at_once_too() {
    let mut editor = map();
    editor.place("gb_ca_1", "north_sea", 4).place("gb_nb_sunderland", "north_sea", 2);
    editor.place("ger_ca", "north_sea", 1).place("gb_inf_bef", "london", 1);
    editor.attack(Team::Axis, "north_sea").first(Team::Axis);
    let mut bench = Bench::new(&mut editor, &[1; 12]);
    bench.until(|pending| pending == Pending::Withdraw(unit("gb_nb_sunderland")));
    assert_eq!(bench.state.phase, Phase::Combat, "R-122");
    assert!(bench.legal().contains(&Action::Retreat(place("london"), 0)));
}

#[test]
fn invaders_sail_home_from_the_coast_they_came_to_without_a_port() {
    let mut editor = map();
    editor.control("el_agheila", Nation::Italy).control("tripoli", Nation::Italy);
    editor.control("benghazi", Nation::Italy).control("malta", Nation::Britain);
    editor.place("gb_inf_bef", "el_agheila", 3).entered("gb_inf_bef", "gulf_of_sirte", mark::INVADES);
    editor.place("gb_ca_1", "gulf_of_sirte", 3).place("gb_ca_2", "ionian_sea", 3);
    editor.place("ita_inf_1a", "el_agheila", 4);
    editor.attack(Team::Allies, "el_agheila").first(Team::Allies);
    editor.state_mut().invasion.coast[1] = 1;
    let mut bench = Bench::new(&mut editor, &[6; 14]);
    bench.finish().dice_fit();
    assert!(bench.is_at("gb_inf_bef", "malta"), "R-119");
}

#[test]
fn an_enemy_ship_keeps_invaders_from_landing_and_they_sail_home() {
    let mut editor = map();
    editor.place("ger_inf_4a", "southampton", 4).entered("ger_inf_4a", "english_channel", mark::INVADES);
    editor.place("gb_ca_1", "southampton", 4).place("ger_ss_1", "english_channel", 2);
    editor.attack(Team::Axis, "southampton").first(Team::Axis);
    editor.state_mut().invasion.coast[0] = 1;
    let mut bench = Bench::new(&mut editor, &[6; 8]);
    bench.until(|pending| matches!(pending, Pending::Withdraw(_)));
    assert!(bench.shots().iter().all(|shot| shot.0 == unit("gb_ca_1")), "invaders afloat do not fire");
    assert!(bench.legal().contains(&Action::Retreat(place("le_havre"), 0)));
    bench.play(Action::Retreat(place("le_havre"), 0)).finish().dice_fit();
    assert!(!bench.state.has_mark(unit("ger_inf_4a"), mark::INVADES));
    assert_eq!(bench.steps("ger_inf_4a"), 4);
}

#[test]
fn invaders_afloat_do_not_retreat_by_land() {
    let mut editor = map();
    editor.control("london", Nation::Germany).control("birmingham", Nation::Germany);
    editor.place("ger_inf_4a", "southampton", 4).entered("ger_inf_4a", "english_channel", mark::INVADES);
    editor.place("ger_inf_1a", "southampton", 3).entered("ger_inf_1a", "london", 0);
    editor.place("gb_inf_bef", "southampton", 2).place("gb_ca_1", "southampton", 1);
    editor.place("ger_ss_1", "english_channel", 2);
    editor.attack(Team::Axis, "southampton").first(Team::Axis);
    editor.state_mut().invasion.coast[0] = 1;
    // The cruiser and the army of the defender miss.
    let mut bench = Bench::new(&mut editor, &[6; 3]);
    bench.until(fire("ger_inf_1a")).play(Action::Retreat(Place::NONE, 0));
    let by_land = ways(&bench);
    assert!(by_land.contains(&place("london")) && by_land.contains(&place("birmingham")));
    bench.play(Action::Retreat(place("london"), 0)).until(fire("ger_inf_4a"));
    bench.play(Action::Retreat(Place::NONE, 0));
    let by_sea = ways(&bench);
    assert!(
        by_sea.contains(&place("le_havre")) && !by_sea.contains(&place("birmingham")),
        "not ashore (7.5)"
    );
}

#[test]
fn the_attacker_leaves_a_sea_where_an_enemy_ship_survives() {
    let mut editor = map();
    editor.place("gb_ca_1", "north_sea", 4).place("ger_bb", "north_sea", 3).entered(
        "ger_bb",
        "baltic_sea",
        0,
    );
    editor.attack(Team::Axis, "north_sea").first(Team::Axis);
    let mut bench = Bench::new(&mut editor, &[6; 14]);
    bench.until(|pending| matches!(pending, Pending::Withdraw(_)));
    assert!(bench.legal().contains(&Action::Retreat(place("hamburg"), 1)));
    bench.finish().dice_fit();
    assert!(!bench.is_at("ger_bb", "north_sea") && bench.is_at("gb_ca_1", "north_sea"));
    assert_eq!(bench.state.disputed_seas(), 0);
}

/// Where the ship that retreats, or must leave, may go; coasts left out.
fn ways(bench: &Bench) -> Vec<Place> {
    let ways = bench.legal().into_iter().filter_map(|action| match action {
        Action::Retreat(place, _) => Some(place),
        _ => None,
    });
    ways.collect()
}

#[test]
fn ships_do_not_retreat_over_a_border_the_enemy_used_even_if_he_is_sunk() {
    let mut editor = map();
    editor.place("gb_ca_1", "north_sea", 1).place("gb_bb_nelson", "north_sea", 3);
    editor.place("ger_ca", "north_sea", 1).entered("ger_ca", "skagerrak", 0);
    editor.place("ger_ss_1", "north_sea", 3).entered("ger_ss_1", "norwegian_sea", 0);
    editor.attack(Team::Axis, "north_sea").first(Team::Axis);
    // The submarine misses, the British cruiser sinks the German one.
    let mut bench = Bench::new(&mut editor, &[6, 6, 6, 1]);
    bench.shoot("ger_ss_1", Target::Surface).shoot("gb_ca_1", Target::Surface);
    assert!(bench.is_off("ger_ca"));
    bench.until(fire("gb_bb_nelson")).play(Action::Retreat(Place::NONE, 0));
    let ways = ways(&bench);
    assert!(!ways.contains(&place("skagerrak")), "its border was used (7.4)");
    assert!(!ways.contains(&place("norwegian_sea")), "nor by a roundabout way");
    assert!(ways.contains(&place("north_atlantic")) && ways.contains(&place("scapa_flow")));
}

#[test]
fn a_defender_who_has_only_moved_in_closes_no_border() {
    let mut editor = map();
    editor.place("gb_ca_1", "north_sea", 4).entered("gb_ca_1", "english_channel", 0);
    editor.place("ger_bb", "north_sea", 3).entered("ger_bb", "english_channel", 0);
    editor.attack(Team::Axis, "north_sea").first(Team::Allies);
    let mut bench = Bench::new(&mut editor, &[6; 14]);
    bench.until(|pending| matches!(pending, Pending::Withdraw(_)));
    assert!(ways(&bench).contains(&place("english_channel")), "neither attack nor reinforcement (7.4)");
    // A reinforcement closes its border.
    editor.entered("gb_ca_1", "english_channel", mark::REINFORCES).place("gb_ca_2", "north_sea", 4);
    let mut bench = Bench::new(&mut editor, &[6; 22]);
    bench.until(|pending| matches!(pending, Pending::Withdraw(_)));
    assert!(!ways(&bench).contains(&place("english_channel")));
}

#[test]
fn submarines_retreat_over_used_borders_and_through_enemy_seas() {
    let ways_of = |id: &str| {
        let mut editor = map();
        editor.place(id, "norwegian_sea", 3).place("gb_bb_kgv", "north_sea", 4);
        editor.place("gb_ca_1", "norwegian_sea", 4).entered("gb_ca_1", "north_sea", 0);
        editor.attack(Team::Allies, "norwegian_sea").first(Team::Allies);
        let mut bench = Bench::new(&mut editor, &[6; 4]);
        bench.until(fire(id)).play(Action::Retreat(Place::NONE, 0));
        ways(&bench)
    };
    let (submarine, cruiser) = (ways_of("ger_ss_1"), ways_of("ger_ca"));
    assert!(
        submarine.contains(&place("bremen_ruhr")),
        "through the North Sea, by which the enemy came (7.4)"
    );
    assert!(!submarine.contains(&place("north_sea")), "but it does not end in an enemy sea");
    assert!(!cruiser.contains(&place("bremen_ruhr")) && cruiser.contains(&place("barents_sea")));
}

#[test]
fn ships_on_another_coast_keep_nobody_from_landing() {
    let mut editor = map();
    editor.place("ger_inf_4a", "liverpool", 4).entered("ger_inf_4a", "irish_sea", mark::INVADES);
    editor.place("gb_inf_bef", "liverpool", 1).place_on(unit("gb_ca_1"), place("liverpool"), 2, 4);
    editor.attack(Team::Axis, "liverpool").first(Team::Axis);
    editor.state_mut().invasion.coast[0] = 1;
    // The army ashore misses, the invader does not.
    let mut bench = Bench::new(&mut editor, &[6, 1, 6, 6, 6]);
    bench.shoot("ger_inf_4a", Target::Army);
    assert!(bench.is_off("gb_inf_bef"), "it has landed in the first round (7.5, 7.3)");
}
