//! Advance after combat (11.6).

use super::ground::{Fight, Ground, NORTH, NORTH_EAST, NORTH_WEST, SOUTH, SOUTH_EAST, Scene, TARGET, go};
use crate::action::Action;
use crate::ids::{Player, hex};
use crate::phase::{Phase, Sequence};
use crate::rules::{Crt, Entry, Kind, Water};
use crate::state::Mark;

const GERMAN: Player = Player::German;
const SOVIET: Player = Player::Soviet;

fn ground() -> Ground {
    Ground::new()
        .result("DE")
        .unit("p", (GERMAN, "G1", Kind::Armour), NORTH)
        .german("a", NORTH)
        .unit("i", (GERMAN, "G1", Kind::Infantry), NORTH_EAST)
        .soviet("d", TARGET)
}

/// The attackers stand before their advance.
fn won<'a>(scene: Scene<'a>, attackers: &[&str], crt: Crt, lead: &str) -> Fight<'a> {
    let fight = scene.attack_on(TARGET, attackers, crt);
    let wanted = [fight.lead(lead)];
    // From two hexes: ground coordination.
    let rolls: &[u32] = if attackers.contains(&"i") { &[1, 5] } else { &[5] };
    let wanted: &[Action] = if attackers.len() > 1 { &wanted } else { &[] };
    fight.play_until(&[Phase::Advance], rolls, wanted)
}

#[test]
fn red_boxes_go_two_hexes_on_the_mobile_table_all_others_one() {
    let game = ground().game();
    let fight = won(Scene::mobile(&game), &["p", "i"], Crt::Mobile, "p");
    assert_eq!((fight.open(), fight.state.decider), (vec![Action::Pass, go(TARGET)], GERMAN));
    let fight = fight.play(&[], &[go(TARGET), go(SOUTH), go(TARGET)]);
    assert_eq!([fight.at("p"), fight.at("i")], [SOUTH, TARGET]);
    assert_eq!(fight.state.initiative, [1, 0], "7.12c, 11.61c");
    // On the Assault table one (11.61a).
    let fight =
        won(Scene::assault(&game), &["p", "a"], Crt::Assault, "p").play(&[], &[go(TARGET), go(TARGET)]);
    assert_eq!([fight.at("p"), fight.at("a")], [TARGET, TARGET]);
    assert_eq!(fight.state.initiative, [0, 0]);
    // Nobody need advance (11.62), and who is disorganised goes one (11.61b).
    let fight = won(Scene::mobile(&game), &["p"], Crt::Mobile, "p").play(&[], &[]);
    assert_eq!(fight.at("p"), NORTH);
    let mut fight = won(Scene::mobile(&game), &["p"], Crt::Mobile, "p");
    let p = fight.id("p");
    fight.state.mark(p, Mark::Disorganised);
    let fight = fight.does(go(TARGET));
    assert_eq!(fight.at("p"), TARGET);
    assert!(fight.state.battle.walker.is_none(), "11.61b: no farther");
}

#[test]
fn who_has_retreated_does_not_advance() {
    // The rockets leave the hex, the attacker slips sideways and still touches it.
    let game = Ground::new()
        .result("AR")
        .german("a", NORTH)
        .unit("r", (SOVIET, "S1", Kind::RocketArtillery), TARGET)
        .unit("friend", (GERMAN, "G1", Kind::Infantry), NORTH_EAST)
        .game();
    let fight = Scene::assault(&game).attack(&["a"]).play_until(&[Phase::Advance], &[5], &[go(NORTH_EAST)]);
    assert_eq!(fight.at("a"), NORTH_EAST);
    assert_ne!(fight.at("r"), TARGET);
    assert!(fight.open().is_empty());
}

#[test]
fn two_hexes_count_only_if_they_lead_two_away() {
    let game = ground().game();
    let fight = won(Scene::mobile(&game), &["p"], Crt::Mobile, "p").play(&[], &[go(TARGET), go(NORTH_WEST)]);
    assert_eq!((fight.at("p"), fight.state.initiative), (NORTH_WEST, [0, 0]));
}

#[test]
fn one_combat_gives_one_initiative_modifier() {
    let game = ground().game();
    let fight = won(Scene::mobile(&game), &["p", "a"], Crt::Mobile, "p");
    let fight = fight.play(&[], &[go(TARGET), go(SOUTH), go(TARGET), go(SOUTH)]);
    assert_eq!((fight.at("a"), fight.state.initiative), (SOUTH, [1, 0]));
}

#[test]
fn guns_in_orange_circles_stay() {
    let ground = || {
        ground()
            .unit_as("at", (GERMAN, "G1", Kind::AntiTank), NORTH, |unit| unit.stacking = 1)
            .unit_as("aa", (GERMAN, "G1", Kind::AntiAircraft), NORTH, |unit| unit.stacking = 1)
            .unit_as("o", (GERMAN, "G1", Kind::MotorisedEngineer), NORTH, |unit| {
                unit.class = crate::rules::MoveClass::Orange;
            })
            .unit_as("gun", (GERMAN, "G1", Kind::Artillery), NORTH, |unit| unit.stacking = 1)
    };
    let game = ground().game();
    let fight = Scene::mobile(&game).attack_mobile(&["p", "at", "aa", "o"]);
    let wanted = [fight.lead("p"), fight.unit("gun")];
    let fight = fight.play_until(&[Phase::Advance], &[5], &wanted);
    let fight = fight.play(&[], &[go(TARGET), go(TARGET)]);
    let at = ["p", "at", "aa", "o", "gun"].map(|unit| fight.at(unit));
    assert_eq!(at, [TARGET, NORTH, NORTH, TARGET, NORTH], "11.61e and its note, R29");
}

#[test]
fn zones_do_not_stop_an_advance_enemies_do() {
    // 11.64: SOUTH lies in the zone of e; e itself stands in 1012's neighbour SOUTH_EAST.
    let game = ground().soviet("e", SOUTH_EAST).game();
    let fight = won(Scene::mobile(&game), &["p"], Crt::Mobile, "p").play_until(&[Phase::Retreat], &[], &[]);
    drop(fight);
    let fight = won(Scene::mobile(&game), &["p"], Crt::Mobile, "p").play(&[], &[go(TARGET), go(SOUTH)]);
    assert_eq!(fight.at("p"), SOUTH);
    let mut fight = won(Scene::mobile(&game), &["p"], Crt::Mobile, "p");
    let context = &mut sandtable_core::PlayContext::silent(sandtable_core::Scripted::default());
    game.combat_apply(&mut fight.state, go(TARGET), context);
    assert!(!fight.ways().contains(&SOUTH_EAST) && fight.ways().contains(&SOUTH));
}

#[test]
fn stacking_is_judged_at_the_end_of_the_advance() {
    let mut ground = ground();
    for unit in ["p1", "p2", "p3"] {
        ground = ground.unit(unit, (GERMAN, "G1", Kind::Infantry), NORTH_EAST);
    }
    let game = ground.game();
    let fight = Scene::mobile(&game).attack_mobile(&["p", "i", "p1", "p2", "p3"]);
    let wanted = [fight.lead("p"), go(TARGET), go(SOUTH)];
    let on = [go(TARGET), go(TARGET), go(TARGET), go(TARGET)];
    let fight = fight.play(&[1, 5], &[&wanted[..], &on].concat());
    assert_eq!(["i", "p1", "p2", "p3"].map(|unit| fight.at(unit)), [TARGET; 4], "eight points");
    // With p in it there is room for three more.
    let fight = Scene::mobile(&game).attack_mobile(&["p", "i", "p1", "p2", "p3"]);
    let wanted = [fight.lead("p")];
    let mut fight = fight.play_until(&[Phase::Advance], &[1, 5], &wanted).does(go(TARGET)).does(Action::Pass);
    for _ in 0..3 {
        fight = fight.does(go(TARGET));
    }
    assert!(fight.state.battle.walker.is_none(), "11.65: p3 is not even asked");
}

#[test]
fn no_advance_ends_in_a_full_hex_beyond() {
    let mut ground = ground();
    for unit in ["f1", "f2", "f3", "f4"] {
        ground = ground.unit(unit, (GERMAN, "G1", Kind::Infantry), SOUTH);
    }
    let game = ground.game();
    let fight = won(Scene::mobile(&game), &["p"], Crt::Mobile, "p").does(go(TARGET));
    assert!(!fight.ways().contains(&SOUTH) && fight.ways().contains(&SOUTH_EAST), "11.65");
}

#[test]
fn rivers_stop_who_cannot_cross_them() {
    let river = |from: u16, to: u16| ground().side(from, to, |side| side.water = Water::River);
    let game = river(TARGET, SOUTH).game();
    let mut fight = won(Scene::mobile(&game), &["p"], Crt::Mobile, "p");
    let context = &mut sandtable_core::PlayContext::silent(sandtable_core::Scripted::default());
    game.combat_apply(&mut fight.state, go(TARGET), context);
    assert!(!fight.ways().contains(&SOUTH), "8.36c: vehicles");
    let fight = Scene::mobile(&game).attack_mobile(&["p", "a"]);
    let wanted = [fight.lead("p"), Action::Pass, go(TARGET), go(SOUTH)];
    let fight = fight.play(&[5], &wanted);
    assert_eq!((fight.at("a"), fight.at("p")), (SOUTH, NORTH), "others may");
    let game = river(NORTH_EAST, TARGET).game();
    let fight = Scene::assault(&game).attack(&["i"]).play(&[5], &[go(TARGET)]);
    assert_eq!(fight.at("i"), TARGET);
}

#[test]
fn inactive_participants_of_an_assault_advance() {
    let game = ground().unit("x", (GERMAN, "G2", Kind::Infantry), NORTH_WEST).game();
    let fight = Scene::new(&game, &["G1"], Sequence::Assault).attack(&["a", "x"]);
    // Two formations: the ground check.
    let fight = fight.play(&[1, 5], &[go(TARGET), go(TARGET)]);
    assert_eq!([fight.at("a"), fight.at("x"), fight.at("p")], [TARGET, TARGET, NORTH], "9.11b, 11.63");
}

#[test]
fn leaders_advance_with_the_troops_of_their_hex() {
    let game = ground().unit("leader", (GERMAN, "", Kind::Leader), NORTH).game();
    let fight = won(Scene::mobile(&game), &["p"], Crt::Mobile, "p");
    let fight = fight.play(&[], &[go(TARGET), go(SOUTH), go(SOUTH)]);
    assert_eq!(fight.at("leader"), SOUTH);
    let fight = won(Scene::mobile(&game), &["p"], Crt::Mobile, "p").play(&[], &[go(TARGET), go(SOUTH)]);
    assert_eq!(fight.at("leader"), NORTH, "he need not");
    let fight = won(Scene::mobile(&game), &["p"], Crt::Mobile, "p").play(&[], &[]);
    assert_eq!(fight.at("leader"), NORTH, "nor can he alone");
}

#[test]
fn nobody_advances_while_the_hex_is_held_or_after_retreating() {
    for result in ["D1", "A1R", "A1/D1"] {
        let game = ground().result(result).game();
        let fight = Scene::mobile(&game).attack_mobile(&["p"]).play(&[5], &[]);
        assert!(fight.at("p") != TARGET, "{result}");
        assert!(fight.state.initiative == [0, 0]);
    }
}

#[test]
fn no_advance_ends_in_a_protected_entry_hex() {
    let mut ground = ground().soviet("later", TARGET);
    let last = ground.rules.entries.len() - 1;
    ground.rules.entries[last] = Entry::From { turn: 3, hexes: vec![hex(TARGET)] };
    let game = ground.game();
    let fight = Scene::assault(&game).attack(&["a"]).play(&[5], &[]);
    assert_eq!(fight.at("a"), NORTH, "5.21, R92");
    let fight = won(Scene::mobile(&game), &["p"], Crt::Mobile, "p").play(&[], &[go(TARGET), go(SOUTH)]);
    assert_eq!(fight.at("p"), SOUTH, "through it");
}

#[test]
fn a_no_retreat_marker_goes_where_attackers_advance_to() {
    // 9.45, of whichever side: it would serve those who come in.
    let game = ground().game();
    let scene = || {
        Scene::mobile(&game).with(|editor| _ = editor.no_retreat(SOUTH, true).no_retreat(NORTH_WEST, true))
    };
    let fight = won(scene(), &["p"], Crt::Mobile, "p").play(&[], &[go(TARGET), go(SOUTH)]);
    assert_eq!(fight.at("p"), SOUTH);
    let left: Vec<_> = fight.state.no_retreat.iter().collect();
    assert_eq!(left, [hex(NORTH_WEST)]);
    // Who stays where he is has not come in.
    let stays = Scene::mobile(&game).with(|editor| _ = editor.no_retreat(NORTH, true));
    assert!(won(stays, &["p"], Crt::Mobile, "p").play(&[], &[]).state.no_retreat.contains(hex(NORTH)));
}
