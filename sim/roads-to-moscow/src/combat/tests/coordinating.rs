//! Coordination checks and command points (10.4, 15.2, 16.1).

use super::ground::{Fight, Ground, NORTH, NORTH_EAST, NORTH_WEST, Scene, TARGET};
use crate::action::Action;
use crate::battle::Role::{Attacker, Defender};
use crate::ids::Player;
use crate::phase::{Phase, Sequence};
use crate::rules::{Crt, Kind, Weather};
use crate::state::Mark;

const GERMAN: Player = Player::German;
const SOVIET: Player = Player::Soviet;

fn troops() -> Ground {
    Ground::new()
        .unit("p", (GERMAN, "G1", Kind::Armour), NORTH)
        .german("a", NORTH)
        .german("b", NORTH_EAST)
        .german("c", NORTH_WEST)
        .unit("x", (GERMAN, "G2", Kind::MotorisedInfantry), NORTH)
        .unit("army", (GERMAN, "army", Kind::Engineer), NORTH)
        .soviet("d", TARGET)
}

/// The ground check of an attack of these, led by the first: `None` if none is made, else its modifier.
fn ground_check(scene: Scene<'_>, attackers: &[&str], crt: Crt) -> Option<i8> {
    let fight = scene.attack_on(TARGET, attackers, crt);
    let lead = fight.lead(attackers[0]);
    let mut fight = fight.play_until(&[Phase::AttackLead], &[], &[]);
    let context = &mut sandtable_core::PlayContext::silent(sandtable_core::Rng64::stream(1, 0, 0));
    fight.game.combat_apply(&mut fight.state, lead, context);
    fight.game.must_coordinate_ground(&fight.state).then(|| fight.game.ground_coordination(&fight.state))
}

#[test]
fn ground_coordination_is_automatic_from_one_hex_or_of_one_formation_in_assault() {
    let game = troops().game();
    let assault = || Scene::assault(&game).with(|editor| _ = editor.active("army"));
    let mobile = || Scene::mobile(&game).with(|editor| _ = editor.active("army"));
    assert_eq!(ground_check(assault(), &["p", "a"], Crt::Assault), None, "10.43d1");
    assert_eq!(ground_check(assault(), &["p", "b", "c"], Crt::Assault), None, "10.43b1");
    assert_eq!(ground_check(assault(), &["p", "x"], Crt::Assault), None, "one hex, two formations");
    assert_eq!(ground_check(assault(), &["a", "b", "army"], Crt::Assault), None, "7.47: of the active one");
    assert_eq!(ground_check(assault(), &["b", "x"], Crt::Assault), Some(1 + 2), "10.43b2");
    assert_eq!(ground_check(mobile(), &["p", "a"], Crt::Mobile), None, "one hex");
    assert_eq!(ground_check(mobile(), &["p", "b"], Crt::Mobile), Some(2 + 1), "10.43c");
    assert_eq!(ground_check(mobile(), &["p", "b", "c"], Crt::Mobile), Some(2 + 2));
    // The Assault table in a Mobile Sequence: automatic for one formation.
    assert_eq!(ground_check(mobile(), &["p", "b"], Crt::Assault), None);
    // 10.43d2: any disorganised attacker.
    let shaken = assault().mark(&["a"], Mark::Disorganised);
    assert_eq!(ground_check(shaken, &["p", "a"], Crt::Assault), Some(1));
    let rain = assault().with(|editor| _ = editor.weather(Weather::Rain));
    assert_eq!(ground_check(rain, &["b", "x"], Crt::Assault), Some(1 + 2 + 1));
}

#[test]
fn army_units_with_an_inactive_formation_are_two_formations() {
    // 7.47, 10.43b2: they belong to the active one.
    let game = troops().unit("y", (GERMAN, "G2", Kind::MotorisedInfantry), NORTH_EAST).game();
    let assault = || Scene::assault(&game).with(|editor| _ = editor.active("army"));
    assert_eq!(ground_check(assault(), &["army", "y"], Crt::Assault), Some(1 + 2));
    assert_eq!(ground_check(assault(), &["army", "a", "y"], Crt::Assault), Some(1 + 2), "G1 and G2");
    assert_eq!(ground_check(assault(), &["army", "b"], Crt::Assault), None, "G1 alone");
}

#[test]
fn a_failed_ground_check_is_worth_two() {
    let game = troops().game();
    // 6 of efficiency, +3: 3 passes, 4 fails.
    for (roll, modifier) in [(3, 0), (4, 2)] {
        let fight = Scene::mobile(&game).attack_mobile(&["p", "b"]);
        let wanted = [fight.lead("p")];
        let fight = fight.play_until(&[Phase::Losses], &[roll, 5], &wanted);
        assert_eq!(fight.read().1.uncoordinated, modifier, "10.43a {roll}");
    }
}

fn guns() -> Ground {
    troops()
        .unit("g", (GERMAN, "G1", Kind::Artillery), 1006)
        .unit("g2", (GERMAN, "G2", Kind::Artillery), 1006)
        .unit("ga", (GERMAN, "army", Kind::Artillery), 1006)
        .unit("s", (SOVIET, "S1", Kind::Artillery), 1014)
}

#[test]
fn artillery_gives_all_half_or_nothing() {
    // D06 with an efficiency of 6 in an Assault Sequence: up to 6 all of its 3, to 9 one, 10 nothing.
    let game = guns().game();
    for (roll, support) in [(6, 3), (7, 1), (9, 1), (10, 0)] {
        let fight = Scene::assault(&game).attack(&["a"]);
        let wanted = [fight.unit("g")];
        let fight = fight.play_until(&[Phase::Losses], &[roll, 5], &wanted);
        assert_eq!(fight.read().0, [4 + support, 4], "10.42c {roll}");
    }
    // A Mobile Sequence: +2 for the attacker, +1 for the defender, who checks first.
    for (rolls, strengths) in
        [([5, 4, 5], [7, 7]), ([6, 5, 5], [5, 5]), ([8, 7, 5], [5, 5]), ([9, 8, 5], [4, 4])]
    {
        let fight = Scene::mobile(&game).attack(&["a"]);
        let wanted = [fight.unit("s"), fight.unit("g")];
        let fight = fight.play_until(&[Phase::Losses], &rolls, &wanted);
        assert_eq!(fight.read().0, strengths, "7.21A note 6 {rolls:?}");
    }
}

/// The modifier of the attacker's artillery check with these supporting.
fn artillery_modifier(scene: Scene<'_>, support: &[&str]) -> i8 {
    let mut fight = scene.attack(&["a"]).play_until(&[Phase::DefenceLead, Phase::Losses], &[], &[]);
    fight.state.battle.support[0] = fight.set(support);
    fight.state.battle.role = crate::battle::Role::Attacker;
    fight.state.battle.helping = crate::ids::Units::EMPTY;
    fight.game.artillery_coordination(&fight.state)
}

#[test]
fn mixed_artillery_and_rain_make_the_check_harder() {
    let game = guns().soviet("e", TARGET).game();
    assert_eq!(artillery_modifier(Scene::assault(&game), &["g"]), 0);
    assert_eq!(artillery_modifier(Scene::mobile(&game), &["g"]), 2);
    assert_eq!(artillery_modifier(Scene::assault(&game), &["g", "g2"]), 1);
    assert_eq!(artillery_modifier(Scene::assault(&game), &["ga"]), 1);
    assert_eq!(artillery_modifier(Scene::assault(&game), &["g", "g2", "ga"]), 1);
    let rain = Scene::assault(&game).with(|editor| _ = editor.weather(Weather::Rain));
    assert_eq!(artillery_modifier(rain, &["g"]), 1);
}

#[test]
fn weather_and_mobile_sequences_make_air_coordination_harder() {
    let game = troops().soviet("e", TARGET).game();
    let modifier = |sequence, weather, role| {
        let scene = Scene::new(&game, &["G1"], sequence).with(|editor| _ = editor.weather(weather));
        let mut fight = scene.attack(&["a"]).play_until(&[Phase::DefenceLead], &[], &[]);
        fight.state.battle.role = role;
        game.air_coordination(&fight.state)
    };
    assert_eq!(modifier(Sequence::Assault, Weather::Dry, Attacker), 0);
    assert_eq!(modifier(Sequence::Assault, Weather::Overcast, Attacker), 2, "5.12");
    assert_eq!(modifier(Sequence::Assault, Weather::Rain, Attacker), 4, "5.13f");
    assert_eq!(modifier(Sequence::Mobile, Weather::Dry, Attacker), 1, "7.21A note 6");
    assert_eq!(modifier(Sequence::Mobile, Weather::Dry, Defender), 2, "and the Soviet's");
}

// ---- command points ----

fn staffed() -> Ground {
    guns()
        .unit("hq", (GERMAN, "G1", Kind::Headquarters), 1008)
        .unit("hq_b", (GERMAN, "G1", Kind::Headquarters), 1007)
        .unit("hq2", (GERMAN, "G2", Kind::Headquarters), 1008)
        .unit("far", (GERMAN, "G1", Kind::Headquarters), 1004)
        .unit("leader", (GERMAN, "", Kind::Leader), 1008)
        .unit("shq", (SOVIET, "S1", Kind::Headquarters), 1012)
        .unit("shq2", (SOVIET, "S1", Kind::Headquarters), 1013)
        .unit("sleader", (SOVIET, "", Kind::Leader), 1012)
        .air("ju", GERMAN, 2, 7)
        .air("il", SOVIET, 2, 5)
}

/// The ground check of p and b in a Mobile Sequence, at its command points.
fn at_ground_points<'a>(scene: Scene<'a>, spent: &[&str]) -> Fight<'a> {
    let fight = scene.attack_mobile(&["p", "b"]);
    let wanted = [fight.lead("p")];
    let fight = fight.play_until(&[Phase::GroundPoints], &[], &wanted);
    let mut fight = fight;
    for unit in spent {
        let action = fight.points(unit);
        assert!(fight.open().contains(&action), "{unit}: {:?}", fight.named());
        let context = &mut sandtable_core::PlayContext::silent(sandtable_core::Scripted::default());
        fight.game.combat_apply(&mut fight.state, action, context);
    }
    fight
}

#[test]
fn one_headquarters_of_the_leads_formation_in_range_and_a_leader_help() {
    let game = staffed().game();
    let fight = at_ground_points(Scene::mobile(&game), &[]);
    assert_eq!(
        fight.named(),
        ["hq", "hq_b", "leader"],
        "15.13, 15.14a; hq2 of another formation, far too far"
    );
    assert_eq!(fight.open().first(), Some(&Action::Pass));
    assert_eq!(at_ground_points(Scene::mobile(&game), &["hq"]).named(), ["leader"], "E25, 15.23b2");
    assert!(at_ground_points(Scene::mobile(&game), &["hq", "leader"]).named().is_empty());
    // 15.21: -1 a point, all at once (15.22).
    let fight = at_ground_points(Scene::mobile(&game), &["hq", "leader"]);
    assert_eq!(game.ground_coordination(&fight.state), 3 - 4);
    assert!(
        fight.has("hq", Mark::Spent) && fight.has("leader", Mark::Spent) && !fight.has("hq_b", Mark::Spent)
    );
    // Spent and disorganised ones give none (15.15).
    let scene = Scene::mobile(&game).mark(&["hq"], Mark::Spent).mark(&["hq_b"], Mark::Disorganised);
    assert_eq!(at_ground_points(scene, &[]).named(), ["leader"]);
}

#[test]
fn a_leader_helps_with_a_headquarters_of_the_formation_alone() {
    // 15.32b: stacked with hq2 of the other formation.
    let mut ground = staffed();
    let at = ground.rules.units.iter().position(|unit| unit.id == "hq").unwrap();
    ground.rules.entries[at] = crate::rules::Entry::At(crate::ids::hex(1007));
    let game = ground.game();
    assert_eq!(at_ground_points(Scene::mobile(&game), &[]).named(), ["hq", "hq_b"]);
    // To help aircraft any headquarters will do.
    let fight = Scene::mobile(&game).attack_mobile(&["p"]);
    let wanted = [fight.air("ju")];
    let fight = fight.play_until(&[Phase::AirPoints], &[], &wanted);
    assert_eq!(fight.named(), ["hq", "hq_b", "leader"]);
}

#[test]
fn an_army_lead_is_served_in_attack_and_not_in_defence() {
    // R76.
    let ground = || staffed().unit("sarmy", (SOVIET, "army", Kind::Infantry), TARGET);
    let game = ground().game();
    let scene = Scene::mobile(&game).with(|editor| _ = editor.active("army"));
    let fight = scene.attack(&["army", "b"]);
    let wanted = [fight.lead("army"), fight.lead("sarmy"), fight.air("il"), fight.air("ju")];
    let fight = fight.play_until(&[Phase::AirPoints], &[], &wanted);
    // The Soviet checks first, and nobody may help him: it is the German's turn after his roll.
    let fight = fight.play_until(&[Phase::AirPoints], &[], &[]);
    assert!(fight.named().is_empty() && fight.state.decider == SOVIET);
    let mut fight = fight;
    let context = &mut sandtable_core::PlayContext::silent(sandtable_core::Scripted::faces(&[1]));
    game.combat_end(&mut fight.state, context);
    let fight = fight.play_until(&[Phase::AirPoints], &[], &[]);
    assert_eq!((fight.named(), fight.state.decider), (vec!["hq", "hq_b", "leader"], GERMAN));
}

#[test]
fn in_an_enemy_combat_one_headquarters_helps_a_hex() {
    let game = staffed().game();
    let fight = Scene::mobile(&game).attack_mobile(&["p"]);
    let wanted = [fight.air("il"), fight.points("shq"), fight.unit("s")];
    let fight = fight.play_until(&[Phase::ArtilleryPoints], &[1], &wanted);
    assert_eq!(
        (fight.state.decider, fight.named()),
        (SOVIET, vec!["sleader"]),
        "15.23c1: the leader may still"
    );
    // The attacker's may each serve a check of their own (R76).
    let fight = Scene::mobile(&game).attack_mobile(&["p", "b"]);
    let wanted =
        [fight.lead("p"), fight.air("ju"), fight.points("hq"), fight.unit("g"), fight.points("hq_b")];
    let fight = fight.play_until(&[Phase::GroundPoints], &[1, 1], &wanted);
    assert_eq!(fight.named(), ["leader"]);
}

#[test]
fn the_arko_helps_in_artillery_coordination_beside_another() {
    // 16.11.
    let ground = |at: u16| staffed().unit("arko", (GERMAN, "army", Kind::Arko), at);
    let points = |at: u16, active: bool, spent: &[&str]| -> Vec<String> {
        let game = ground(at).game();
        let mut scene = Scene::mobile(&game);
        if active {
            scene = scene.mark(&["arko"], Mark::Active);
        }
        let fight = scene.attack_mobile(&["p", "b"]);
        let wanted: Vec<_> = [fight.lead("p"), fight.unit("g")].into_iter().collect();
        let mut fight = fight.play_until(&[Phase::ArtilleryPoints], &[], &wanted);
        let context = &mut sandtable_core::PlayContext::silent(sandtable_core::Scripted::default());
        for unit in spent {
            let action = fight.points(unit);
            game.combat_apply(&mut fight.state, action, context);
        }
        fight.named().into_iter().map(String::from).collect()
    };
    assert_eq!(points(1005, true, &[]), ["hq", "hq_b", "leader", "arko"]);
    assert_eq!(points(1005, true, &["hq"]), ["leader", "arko"], "as a second one");
    assert_eq!(points(1005, false, &["hq"]), ["leader"], "R78");
    assert_eq!(points(1315, true, &["hq"]), ["leader"], "the artillery is out of its range");
    let game = ground(1005).game();
    let scene = Scene::mobile(&game).mark(&["arko"], Mark::Active);
    assert!(!at_ground_points(scene, &[]).named().contains(&"arko"), "no other check");
}
