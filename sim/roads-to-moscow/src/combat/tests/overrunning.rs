//! The fight of an overrun (8.56, 8.57, R73).

use super::ground::{Ground, NORTH, NORTH_EAST, SOUTH, SOUTH_EAST, SOUTH_WEST, Scene, TARGET, go};
use crate::ids::{Player, hex};
use crate::phase::{Phase, Sequence};
use crate::rules::Kind;
use crate::state::Mark;

const GERMAN: Player = Player::German;
const SOVIET: Player = Player::Soviet;

fn ground(result: &str) -> Ground {
    Ground::new().result(result).unit("p", (GERMAN, "G1", Kind::Armour), NORTH).soviet("d", TARGET)
}

#[test]
fn the_attacker_leads_the_retreat_and_enters() {
    let game = ground("DR").game();
    let fight = Scene::mobile(&game).overrun(&["p"]).play_until(&[Phase::Retreat], &[5], &[]);
    assert_eq!(fight.state.decider, GERMAN, "8.56g");
    assert_eq!(fight.ways(), [SOUTH_WEST, SOUTH, SOUTH_EAST]);
    let fight = fight.play(&[], &[go(SOUTH), go(1012)]);
    assert_eq!((fight.at("d"), fight.at("p")), (1012, TARGET), "8.56h");
    assert!(fight.has("d", Mark::Disorganised));
    assert_eq!(fight.state.initiative, [0, 0], "R73");
}

#[test]
fn who_does_not_clear_the_hex_loses_a_step() {
    for (result, steps, rolls) in
        [("-", 1, [5]), ("A1", 0, [5]), ("D1", 1, [5]), ("A1R", 0, [5]), ("AR", 1, [5])]
    {
        let game = ground(result).game();
        let fight = Scene::mobile(&game).overrun(&["p"]).play(&rolls, &[]);
        assert_eq!(fight.steps("p"), steps, "8.57 {result}");
        assert_eq!(fight.at("d"), TARGET);
        assert!(steps == 0 || fight.at("p") == NORTH, "it stays: a retreat of the attacker is ignored");
    }
    // Its owner's choice.
    let game = ground("-").german("a", NORTH).game();
    let fight = Scene::mobile(&game).overrun(&["p", "a"]);
    let wanted = [fight.lead("p"), fight.unit("a")];
    let fight = fight.play(&[5], &wanted);
    assert_eq!((fight.steps("p"), fight.steps("a")), (2, 1));
}

#[test]
fn artillery_of_the_hex_supports_in_full_without_a_check() {
    let ground = ground("-")
        .unit("gun", (SOVIET, "S1", Kind::Artillery), TARGET)
        .unit("gun2", (SOVIET, "S1", Kind::Artillery), TARGET)
        .unit("far", (SOVIET, "S1", Kind::Artillery), 1013)
        .unit("own", (GERMAN, "G1", Kind::Artillery), NORTH);
    let game = ground.game();
    let fight = Scene::mobile(&game).overrun(&["p"]).play_until(&[Phase::Artillery], &[], &[]);
    assert_eq!(fight.named(), ["gun", "gun2"], "8.56c: none from elsewhere");
    let wanted = [fight.unit("gun2")];
    let fight = fight.play(&[5], &wanted);
    assert_eq!(fight.read().0, [4, 4 + 1 + 3], "one supports, the other defends");
    assert!(
        fight.has("gun2", Mark::Fired) && !fight.has("gun", Mark::Fired) && !fight.has("own", Mark::Fired)
    );
}

#[test]
fn artillery_driven_off_has_fired() {
    let game = ground("DR").unit("gun", (SOVIET, "S1", Kind::Artillery), TARGET).game();
    let fight = Scene::mobile(&game).overrun(&["p"]).play(&[5], &[]);
    assert!(fight.has("gun", Mark::Fired) && fight.has("gun", Mark::Disorganised));
}

#[test]
fn the_german_has_one_air_unit_the_soviet_none() {
    let with_air = |ground: Ground| {
        ground
            .unit("hq", (GERMAN, "G1", Kind::Headquarters), 1008)
            .unit("shq", (SOVIET, "S1", Kind::Headquarters), 1012)
            .air("ju", GERMAN, 2, 7)
            .air("bf", GERMAN, 1, 7)
            .air("il", SOVIET, 2, 5)
    };
    let game = with_air(ground("-")).game();
    let fight = Scene::mobile(&game).overrun(&["p"]);
    let wanted = [fight.air("ju")];
    // 13.26b: no defensive aircraft. R73: no command points. The check with +1 of 10.41: 6 and 1 pass against 7.
    let fight = fight.play(&[6, 5], &wanted);
    assert_eq!(fight.read().1.air, -2, "8.56d");
    let fight = Scene::mobile(&game).overrun(&["p"]);
    let fight = fight.play(&[7, 5], &wanted);
    assert_eq!(fight.read().1.air, 0);
    assert!(fight.state.flown.contains(fight.air_id("ju")), "R73: it has flown");
    // The Soviet's own overrun.
    let game =
        with_air(Ground::new().unit("t", (SOVIET, "S1", Kind::Armour), NORTH).german("g", TARGET)).game();
    let fight = Scene::new(&game, &["S1"], Sequence::Mobile).overrun(&["t"]);
    let mut fight = fight.play_until(&[Phase::Air], &[], &[]);
    while fight.state.phase == Phase::Air {
        assert!(fight.open().is_empty());
        game.combat_end(
            &mut fight.state,
            &mut sandtable_core::PlayContext::silent(sandtable_core::Scripted::default()),
        );
    }
}

#[test]
fn there_is_no_ground_coordination_and_no_marker_counts() {
    let game = ground("DR").german("a", NORTH).game();
    let scene = Scene::mobile(&game).with(|editor| _ = editor.no_retreat(TARGET, true));
    let fight = scene.overrun(&["p", "a"]);
    let wanted = [fight.lead("a")];
    let fight = fight.play(&[5], &wanted);
    let (_, modifiers, _) = fight.read();
    assert_eq!(
        (modifiers.uncoordinated, modifiers.no_retreat, modifiers.combined_arms),
        (0, 0, -1),
        "8.56a, e"
    );
    assert!(fight.at("d") != TARGET && fight.at("p") == TARGET);
    assert!(!fight.state.no_retreat.contains(hex(TARGET)));
}

#[test]
fn red_results_take_armour_in_overruns_too() {
    // R50: attrition, and the step of 8.57.
    let game = Ground::new()
        .result("-*")
        .unit("p", (GERMAN, "G1", Kind::Armour), NORTH)
        .unit("d", (SOVIET, "S1", Kind::Armour), TARGET)
        .game();
    let fight = Scene::mobile(&game).overrun(&["p"]).play(&[5], &[]);
    assert_eq!(fight.at("p"), 0);
}

#[test]
fn rockets_in_the_hex_fly_only_if_they_must_retreat() {
    // R36.
    let ground = |result: &str| ground(result).unit("r", (SOVIET, "S1", Kind::RocketArtillery), TARGET);
    let game = ground("DR").game();
    let fight = Scene::mobile(&game).overrun(&["p"]).play_until(&[Phase::SpecialRetreat], &[5], &[]);
    assert_eq!(fight.state.decider, GERMAN, "8.56g");
    let fight = fight.play(&[], &[]);
    assert_eq!(game.distance(fight.state.at(fight.id("r")), hex(TARGET)), 6);
    assert!(fight.has("r", Mark::Disorganised));
    let game = ground("D1").game();
    let fight = Scene::mobile(&game).overrun(&["p"]).play(&[5], &[]);
    assert_eq!(fight.at("r"), TARGET);
}

#[test]
fn fuel_is_left_behind_leaders_get_away() {
    let game = Ground::new()
        .result("DR")
        .unit("t", (SOVIET, "S1", Kind::Armour), NORTH)
        .german("g", TARGET)
        .unit("fuel", (GERMAN, "", Kind::Fuel), TARGET)
        .unit("leader", (GERMAN, "", Kind::Leader), TARGET)
        .game();
    let fight = Scene::new(&game, &["S1"], Sequence::Mobile).overrun(&["t"]).play(&[5], &[]);
    assert_eq!(fight.at("fuel"), 0, "16.22");
    assert_eq!(fight.at("leader"), fight.at("g"));
    assert!(!fight.has("leader", Mark::Disorganised), "15.33");
}

#[test]
fn a_way_past_the_enemy_is_taken_only_if_there_is_no_other() {
    // 11.52, 11.53: the attacker too must choose the way through the fewest zones.
    let game = ground("DR").german("x", SOUTH_WEST).game();
    let fight = Scene::mobile(&game).overrun(&["p"]).play_until(&[Phase::Retreat], &[5], &[]);
    assert_eq!(fight.ways(), [SOUTH_EAST]);
    let _ = NORTH_EAST;
}

#[test]
fn who_slips_past_the_enemy_checks_before_the_overrun_disorganises_him() {
    // R104: 5 passes against 6, and would fail against 4. b and c ring the hex beside p.
    let game = ground("DR").german("b", SOUTH_WEST).german("c", SOUTH).game();
    let fight = Scene::mobile(&game).overrun(&["p"]).play_until(&[Phase::Retreat], &[5], &[]);
    let fight = fight.play(&[5], &[go(SOUTH_EAST), go(1210)]);
    assert_eq!((fight.at("d"), fight.steps("d")), (1210, 2));
    assert!(fight.has("d", Mark::Disorganised));
}

#[test]
fn leaders_and_fuel_do_not_go_on_without_troops() {
    // 8.15, 8.56h: the last armour dies with the defender.
    let game = Ground::new()
        .result("A1/DE")
        .unit_as("p", (GERMAN, "G1", Kind::Armour), NORTH, |unit| unit.steps = 1)
        .unit("leader", (GERMAN, "", Kind::Leader), NORTH)
        .soviet("d", TARGET)
        .game();
    let fight = Scene::mobile(&game).overrun(&["p", "leader"]).play(&[5], &[]);
    assert_eq!((fight.at("p"), fight.at("d")), (0, 0));
    assert_eq!(fight.at("leader"), NORTH);
}
