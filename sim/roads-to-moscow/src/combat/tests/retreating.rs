//! Retreats, also past the enemy, of rockets and in refusals (11.3, 11.5, 16.3, 9.2).

use super::ground::{
    Fight, Ground, NORTH, NORTH_EAST, NORTH_WEST, SOUTH, SOUTH_EAST, SOUTH_WEST, Scene, TARGET, go,
};
use crate::event::{Check, Event};
use crate::ids::{Player, hex};
use crate::phase::{Phase, Sequence};
use crate::rules::{Crt, Entry, Kind, RetreatDirection, Water};
use crate::state::Mark;

const GERMAN: Player = Player::German;
const SOVIET: Player = Player::Soviet;

/// A German north of the target, a Soviet in it.
fn plain(result: &str) -> Ground {
    Ground::new().result(result).unit("a", (GERMAN, "G1", Kind::Armour), NORTH).soviet("d", TARGET)
}

/// Fights on a table up to the first retreat.
fn until_retreat<'a>(scene: Scene<'a>, attackers: &[&str], crt: Crt) -> Fight<'a> {
    let rolls: &[u32] = &[5];
    scene.attack_on(TARGET, attackers, crt).play_until(&[Phase::Retreat], rolls, &[])
}

#[test]
fn a_mobile_retreat_has_two_hexes_an_assault_one_or_two() {
    let game = plain("DR").game();
    let fight = until_retreat(Scene::mobile(&game), &["a"], Crt::Mobile);
    assert_eq!(fight.state.decider, SOVIET);
    assert_eq!(fight.ways(), [SOUTH_WEST, SOUTH, SOUTH_EAST], "out of the zone of control");
    let fight = fight.play_until(&[Phase::Advance], &[], &[go(SOUTH), go(1012)]);
    assert_eq!(fight.at("d"), 1012);
    let fight = until_retreat(Scene::mobile(&game), &["a"], Crt::Mobile).play_until(
        &[Phase::Advance],
        &[],
        &[go(SOUTH)],
    );
    assert_eq!(game.distance(fight.state.at(fight.id("d")), hex(TARGET)), 2, "11.33: two hexes away");
    let fight = until_retreat(Scene::assault(&game), &["a"], Crt::Assault).play_until(
        &[Phase::Advance],
        &[],
        &[go(SOUTH)],
    );
    assert_eq!(fight.at("d"), SOUTH, "11.31b: one if he likes");
    let fight = until_retreat(Scene::assault(&game), &["a"], Crt::Assault);
    let fight = fight.play_until(&[Phase::Advance], &[], &[go(SOUTH), go(1111)]);
    assert_eq!(fight.at("d"), 1111);
}

#[test]
fn second_hexes_lie_two_from_the_defender_hex() {
    let game = plain("DR").game();
    let fight = until_retreat(Scene::mobile(&game), &["a"], Crt::Mobile);
    let open = |first| {
        let fight = until_retreat(Scene::mobile(&game), &["a"], Crt::Mobile);
        let mut state = fight.state;
        game.combat_apply(
            &mut state,
            go(first),
            &mut sandtable_core::PlayContext::silent(sandtable_core::Scripted::default()),
        );
        Fight { state, ..fight }.ways()
    };
    drop(fight);
    assert_eq!(open(SOUTH), [911, 1012, 1111]);
    assert_eq!(open(SOUTH_EAST), [1111, 1210, 1211]);
}

#[test]
fn units_of_a_stack_may_part() {
    let game = plain("DR").soviet("e", TARGET).game();
    let fight = until_retreat(Scene::mobile(&game), &["a"], Crt::Mobile);
    let fight = fight.play_until(&[Phase::Advance], &[], &[go(SOUTH), go(1012), go(SOUTH_EAST), go(1210)]);
    assert_eq!((fight.at("d"), fight.at("e")), (1012, 1210));
}

#[test]
fn attackers_retreat_from_where_they_stood() {
    let game = plain("A1R").german("b", NORTH_EAST).game();
    let start = Scene::assault(&game).attack(&["a", "b"]);
    let wanted = [start.lead("a")];
    let fight = start.play_until(&[Phase::Retreat], &[5], &wanted);
    assert_eq!(fight.state.decider, GERMAN);
    // R26: no nearer to the Defender hex; 909 lies in the Soviet's zone, in 1109 stands a friend.
    assert_eq!(fight.ways(), [908, 1008, 1108, NORTH_EAST]);
    let fight = fight.play(&[], &[go(1008), crate::Action::Pass, go(1209)]);
    assert_eq!([fight.at("a"), fight.at("b")], [1008, 1209]);
    assert_eq!(fight.at("d"), TARGET, "11.61f: the defender stays");
}

#[test]
fn artillery_beside_the_hex_retreats_with_the_attackers() {
    // 12.16, R85.
    let game = plain("AR")
        .unit("gun", (GERMAN, "G1", Kind::Artillery), NORTH)
        .unit("far", (GERMAN, "G1", Kind::Artillery), 1007)
        .unit("idle", (GERMAN, "G1", Kind::Artillery), NORTH)
        .game();
    let start = Scene::assault(&game).attack(&["a"]);
    let wanted = [start.unit("gun"), start.unit("far"), start.lead("far")];
    let fight = start.play(&[1, 5], &wanted);
    assert_ne!(fight.at("gun"), NORTH);
    assert_eq!([fight.at("far"), fight.at("idle")], [1007, NORTH]);
}

#[test]
fn nobody_ends_in_a_zone_unless_friends_are_there() {
    // Germans at 1012 and 911 make zones of everything in the south but what a friend holds.
    let ground = || plain("DR").german("x", 1012).german("y", 811);
    let game = ground().soviet("friend", SOUTH_EAST).game();
    let fight = until_retreat(Scene::assault(&game), &["a"], Crt::Assault);
    assert_eq!(fight.ways(), [SOUTH_EAST], "11.35, 11.52: through and into it");
    let fight = fight.play_until(&[Phase::Advance], &[], &[go(SOUTH_EAST)]);
    assert_eq!(fight.at("d"), SOUTH_EAST);
    assert!(!fight.facts.iter().any(|fact| matches!(fact, Event::Checked { check: Check::Retreat, .. })));
}

/// Zones all around the target, ways out beyond them.
fn ringed(kind: Kind) -> Ground {
    Ground::new()
        .result("DR")
        .unit("a", (GERMAN, "G1", Kind::Armour), NORTH)
        .unit("b", (GERMAN, "G1", Kind::Infantry), SOUTH_WEST)
        .unit("c", (GERMAN, "G1", Kind::Infantry), SOUTH)
        .unit("d", (SOVIET, "S1", kind), TARGET)
}

#[test]
fn past_the_enemy_if_there_is_no_other_way() {
    // 1110 lies in the zone of c, 1109 in that of a; beyond, 1210 and 1209 lie in none.
    let game = ringed(Kind::Infantry).game();
    let fight = until_retreat(Scene::mobile(&game), &["a"], Crt::Mobile);
    assert_eq!(fight.ways(), [NORTH_WEST, NORTH_EAST, SOUTH_EAST]);
    let fight = fight.play_until(&[Phase::Advance], &[7], &[go(SOUTH_EAST), go(1210)]);
    assert_eq!((fight.at("d"), fight.steps("d")), (1210, 1), "11.56c: 7 against 6 fails");
    let fight = until_retreat(Scene::mobile(&game), &["a"], Crt::Mobile);
    let fight = fight.play_until(&[Phase::Advance], &[6], &[go(SOUTH_EAST), go(1210)]);
    assert_eq!(fight.steps("d"), 2);
    // On the Assault table too two hexes (11.56a).
    let fight = until_retreat(Scene::assault(&game), &["a"], Crt::Assault);
    let fight = fight.play_until(&[Phase::Advance], &[6], &[go(SOUTH_EAST), go(1210)]);
    assert_eq!(fight.at("d"), 1210);
}

#[test]
fn disorganisation_weighs_on_the_check() {
    // The note of 11.56b: DRd, 6 less 2.
    let mut ground = ringed(Kind::Infantry);
    ground = ground.result("DRd");
    let game = ground.game();
    let fight = until_retreat(Scene::assault(&game), &["a"], Crt::Assault);
    let fight = fight.play_until(&[Phase::Advance], &[5], &[go(SOUTH_EAST)]);
    assert_eq!(fight.steps("d"), 1);
}

#[test]
fn guns_do_not_get_past_the_enemy() {
    for kind in [Kind::AntiTank, Kind::AntiAircraft, Kind::HeavyAntiAircraft, Kind::Artillery] {
        let game = ringed(kind).soviet("e", TARGET).game();
        let fight = Scene::mobile(&game).attack_mobile(&["a"]);
        let wanted = [fight.lead("e"), go(SOUTH_EAST), go(1210)];
        let fight = fight.play_until(&[Phase::Advance], &[5, 6], &wanted);
        assert_eq!((fight.at("d"), fight.at("e"), fight.steps("e")), (0, 1210, 2), "11.54 {kind:?}");
    }
}

#[test]
fn motorised_enemies_take_a_step_of_motorised_units() {
    // 11.56d: armour of a projects into 1109.
    let game = ringed(Kind::MotorisedInfantry).game();
    let fight = until_retreat(Scene::mobile(&game), &["a"], Crt::Mobile);
    let fight = fight.play_until(&[Phase::Advance], &[5], &[go(NORTH_EAST), go(1209)]);
    assert_eq!((fight.at("d"), fight.steps("d")), (1209, 1), "R49: the step, then the check, passed with 5");
    // Infantry of c projects into 1110: no automatic loss.
    let fight = until_retreat(Scene::mobile(&game), &["a"], Crt::Mobile);
    let fight = fight.play_until(&[Phase::Advance], &[6], &[go(SOUTH_EAST), go(1210)]);
    assert_eq!(fight.steps("d"), 2);
    // Who is not motorised is only checked.
    let game = ringed(Kind::Infantry).game();
    let fight = until_retreat(Scene::mobile(&game), &["a"], Crt::Mobile);
    let fight = fight.play_until(&[Phase::Advance], &[6], &[go(NORTH_EAST), go(1209)]);
    assert_eq!(fight.steps("d"), 2);
}

#[test]
fn a_group_is_checked_once_by_its_lead() {
    let game = ringed(Kind::Infantry).soviet("e", TARGET).game();
    let fight = Scene::mobile(&game).attack_mobile(&["a"]);
    let wanted = [fight.lead("d"), go(SOUTH_EAST), go(1210), go(SOUTH_EAST), go(1210)];
    let fight = fight.play_until(&[Phase::GroupLead], &[5], &wanted);
    assert_eq!((fight.named(), fight.state.decider), (vec!["d", "e"], SOVIET));
    let lead = [fight.lead("e")];
    let fight = fight.play_until(&[Phase::Advance], &[7], &lead);
    assert_eq!((fight.steps("d"), fight.steps("e")), (2, 1));
    // Two ways: two checks.
    let fight = Scene::mobile(&game).attack_mobile(&["a"]);
    let wanted = [fight.lead("d"), go(SOUTH_EAST), go(1210), go(NORTH_EAST), go(1209)];
    let fight = fight.play_until(&[Phase::Advance], &[5, 7, 7], &wanted);
    assert_eq!((fight.steps("d"), fight.steps("e")), (1, 1));
}

#[test]
fn without_a_way_units_are_eliminated() {
    let game = ringed(Kind::Infantry).german("x", 1209).german("y", 1211).german("z", 808).game();
    let fight = Scene::mobile(&game).attack_mobile(&["a"]).play_until(&[Phase::Advance], &[5], &[]);
    assert_eq!(fight.at("d"), 0, "11.55: every way ends in a zone");
    // Enemies all around.
    let ring = [NORTH, NORTH_EAST, SOUTH_EAST, SOUTH, SOUTH_WEST, NORTH_WEST];
    let mut ground = Ground::new().result("DR").soviet("d", TARGET);
    for (nth, at) in ring.into_iter().enumerate() {
        ground = ground.unit(["a", "b", "c", "e", "f", "g"][nth], (GERMAN, "G1", Kind::Armour), at);
    }
    let game = ground.game();
    let fight = Scene::assault(&game).attack(&["a"]).play_until(&[Phase::Advance], &[5], &[]);
    assert_eq!(fight.at("d"), 0, "11.37");
}

#[test]
fn rivers_bar_retreats_unless_there_is_a_bridge() {
    let river = |bridge| {
        let side =
            move |side: &mut crate::rules::SideData| (side.water, side.bridge) = (Water::River, bridge);
        plain("DR").side(TARGET, SOUTH, side)
    };
    let game = river(false).game();
    assert_eq!(until_retreat(Scene::mobile(&game), &["a"], Crt::Mobile).ways(), [SOUTH_WEST, SOUTH_EAST]);
    let game = river(true).game();
    assert_eq!(
        until_retreat(Scene::mobile(&game), &["a"], Crt::Mobile).ways(),
        [SOUTH_WEST, SOUTH, SOUTH_EAST],
        "R27"
    );
}

#[test]
fn the_edge_of_the_map_is_an_end() {
    // A Soviet at the western edge, attacked from the east.
    let ground = Ground::new().result("DR").unit("a", (GERMAN, "G1", Kind::Armour), 205).soviet("d", 105);
    let game = ground.game();
    let fight = Scene::mobile(&game).attack_on(105, &["a"], Crt::Mobile);
    let fight = fight.play_until(&[Phase::Retreat], &[5], &[]);
    assert_eq!(fight.ways(), [106], "11.37: 104 lies in a zone, the rest off the map");
}

#[test]
fn who_overfills_a_hex_is_eliminated() {
    let mut ground = Ground::new().result("DR").unit("a", (GERMAN, "G1", Kind::Armour), NORTH);
    ground = ground.german("x", SOUTH_WEST).german("y", 1211);
    // Guns cannot get past the enemy instead.
    for unit in ["d", "e"] {
        ground = ground.unit(unit, (SOVIET, "S1", Kind::AntiTank), TARGET);
    }
    for unit in ["p0", "p1", "p2", "p3"] {
        ground = ground.soviet(unit, SOUTH_EAST);
    }
    for unit in ["q0", "q1", "q2", "q3"] {
        ground = ground.soviet(unit, 1210);
    }
    let game = ground.game();
    let fight = until_retreat(Scene::assault(&game), &["a"], Crt::Assault);
    // Both hexes with friends are full: eight points and two are ten. 1111 lies in a zone.
    let fight = fight.play_until(&[Phase::Excess], &[], &[]);
    assert_eq!(fight.state.decider, SOVIET);
    assert_eq!(fight.named(), ["d"], "11.34: retreating units go, not those that were there");
    let fight = fight.play_until(&[Phase::Advance], &[], &[]);
    assert_eq!([fight.at("d"), fight.at("e")], [0, 0]);
    assert_eq!(fight.at("p0"), SOUTH_EAST);
}

#[test]
fn a_hex_with_room_comes_before_a_full_one() {
    let mut ground = plain("DR");
    for unit in ["p0", "p1", "p2", "p3"] {
        ground = ground.soviet(unit, SOUTH);
    }
    let game = ground.game();
    let fight = until_retreat(Scene::assault(&game), &["a"], Crt::Assault);
    let fight = fight.play_until(&[Phase::Advance], &[], &[go(SOUTH)]);
    assert!(![0, SOUTH].contains(&fight.at("d")), "R89: through it, not into it: {}", fight.at("d"));
}

#[test]
fn a_retreat_into_a_hex_still_to_be_fought_for_counts_as_late() {
    let ground = || plain("D1R").soviet("e", SOUTH_EAST).unit("b", (GERMAN, "G1", Kind::Armour), 1209);
    let game = ground().game();
    let scene = Scene::assault(&game).declare(TARGET, &["a"], Crt::Assault);
    let fight = scene.declare(SOUTH_EAST, &["b"], Crt::Assault).with(|_| ()).fight();
    let first = crate::Action::Target(hex(TARGET));
    let fight = fight.play_until(&[Phase::Advance], &[5], &[first, go(SOUTH_EAST)]);
    assert!(fight.has("d", Mark::Retreated) && fight.at("d") == SOUTH_EAST);
    let fight = fight.play_until(&[Phase::Combat], &[], &[]);
    let fight = fight.play(&[5], &[]);
    let strengths: Vec<_> = fight
        .facts
        .iter()
        .filter_map(|fact| match fact {
            Event::Combat { strengths, .. } => Some(strengths[1]),
            _ => None,
        })
        .collect();
    assert_eq!(strengths, [4, 4], "11.36: it adds nothing");
    assert_eq!((fight.steps("d"), fight.steps("e")), (1, 1), "each lost the step of its own combat");
    assert!(fight.at("d") != SOUTH_EAST && fight.at("e") != SOUTH_EAST);
}

#[test]
fn a_no_retreat_marker_goes_when_a_unit_comes_in() {
    // 9.45.
    let game = plain("DR").soviet("e", SOUTH).game();
    let scene = Scene::assault(&game).with(|editor| _ = editor.no_retreat(SOUTH, true));
    let fight = until_retreat(scene, &["a"], Crt::Assault).play_until(&[Phase::Advance], &[], &[go(SOUTH)]);
    assert_eq!(fight.at("d"), SOUTH);
    assert!(!fight.state.no_retreat.contains(hex(SOUTH)));
    // An attacker too may retreat to where one lies.
    let game = plain("AR").unit("friend", (GERMAN, "G1", Kind::Infantry), 1008).game();
    let scene = Scene::assault(&game).with(|editor| _ = editor.no_retreat(1008, true));
    let fight = until_retreat(scene, &["a"], Crt::Assault).play(&[], &[go(1008)]);
    assert_eq!(fight.at("a"), 1008);
    assert!(!fight.state.no_retreat.contains(hex(1008)));
}

/// Leads that may declare No Retreat in the target.
fn no_retreat_leads(scene: Scene<'_>) -> Vec<String> {
    let mut scene = scene.declare(TARGET, &["a"], Crt::Assault);
    let player = scene.editor.state().active;
    let context = &mut sandtable_core::PlayContext::silent(sandtable_core::Scripted::default());
    let state = scene.editor.start(Phase::NoRetreat, player, context);
    let fight = Fight { game: scene.game, state, facts: Vec::new() };
    let declare = crate::Action::Target(hex(TARGET));
    if !fight.open().contains(&declare) {
        return Vec::new();
    }
    fight.does(declare).named().into_iter().map(String::from).collect()
}

#[test]
fn who_retreated_into_a_hex_counts_for_no_retreat_and_does_not_lead_it() {
    // 11.36, R111: one step of its own defender, two of who has come.
    let game = plain("-").soviet("late", TARGET).game();
    let scene = || {
        Scene::assault(&game)
            .mark(&["d"], Mark::Reduced)
            .with(|editor| _ = editor.position(TARGET, SOVIET, true))
    };
    assert_eq!(no_retreat_leads(scene()), ["d", "late"]);
    assert_eq!(no_retreat_leads(scene().mark(&["late"], Mark::Retreated)), ["d"]);
    assert_eq!(
        no_retreat_leads(scene().mark(&["d", "late"], Mark::Retreated)),
        [""; 0],
        "nobody is left to lead"
    );
}

#[test]
fn a_headquarters_lets_its_own_formation_declare_no_retreat() {
    // 9.42.
    let ground = || plain("-").unit("x", (SOVIET, "S2", Kind::Infantry), TARGET);
    let leads = |ground: Ground| no_retreat_leads(Scene::assault(&ground.game()));
    assert!(leads(ground()).is_empty());
    assert_eq!(leads(ground().unit("hq", (SOVIET, "S2", Kind::Headquarters), TARGET)), ["x"]);
    assert_eq!(leads(ground().unit("leader", (SOVIET, "", Kind::Leader), TARGET)), ["d", "x"]);
    // Units of the Army have none of their own: a leader or works let them.
    let army = || plain("-").unit("army", (SOVIET, "army", Kind::Infantry), TARGET);
    assert_eq!(leads(army().unit("hq", (SOVIET, "S1", Kind::Headquarters), TARGET)), ["d"]);
    assert_eq!(leads(army().unit("leader", (SOVIET, "", Kind::Leader), TARGET)), ["d", "army"]);
}

#[test]
fn an_arko_makes_no_declaration_of_no_retreat_sure() {
    // 9.44, 16.11, R111.
    let game = Ground::new()
        .unit("a", (SOVIET, "S1", Kind::Armour), NORTH)
        .german("d", TARGET)
        .german("e", TARGET)
        .unit("arko", (GERMAN, "army", Kind::Arko), TARGET)
        .game();
    let scene = || Scene::new(&game, &["S1"], Sequence::Assault);
    assert!(no_retreat_leads(scene()).is_empty());
    let dug_in = scene().with(|editor| _ = editor.position(TARGET, GERMAN, true));
    let mut scene = dug_in.declare(TARGET, &["a"], Crt::Assault);
    let context = &mut sandtable_core::PlayContext::silent(sandtable_core::Scripted::faces(&[7]));
    let state = scene.editor.start(Phase::NoRetreat, SOVIET, context);
    let fight = Fight { game: &game, state, facts: Vec::new() };
    let fight = fight.does(crate::Action::Target(hex(TARGET)));
    let lead = fight.lead("d");
    let fight = fight.does(lead);
    assert_eq!(fight.state.phase, Phase::NoRetreatPoints, "6 must be rolled for");
}

#[test]
fn retreats_lead_home_while_19_44e_lasts() {
    let mut ground = plain("DR");
    ground.rules.scenario.retreat_direction =
        Some(RetreatDirection { player: SOVIET, until: 1, from_column: 5, towards: hex(1410) });
    let game = ground.game();
    let fight = until_retreat(Scene::mobile(&game), &["a"], Crt::Mobile);
    assert_eq!(fight.ways(), [SOUTH, SOUTH_EAST], "11.33: no farther from 1410");
    let later = Scene::mobile(&game).with(|editor| _ = editor.turn(2));
    assert_eq!(until_retreat(later, &["a"], Crt::Mobile).ways(), [SOUTH_WEST, SOUTH, SOUTH_EAST]);
}

#[test]
fn no_retreat_ends_in_a_protected_entry_hex() {
    // R92: Germans may still enter by 1011.
    let mut ground = plain("DR").german("late", NORTH);
    let last = ground.rules.entries.len() - 1;
    ground.rules.entries[last] = Entry::From { turn: 3, hexes: vec![hex(SOUTH)] };
    let game = ground.game();
    let fight = until_retreat(Scene::assault(&game), &["a"], Crt::Assault);
    let fight = fight.play_until(&[Phase::Advance], &[], &[go(SOUTH)]);
    assert_ne!(fight.at("d"), SOUTH, "through it, but on");
}

#[test]
fn leaders_and_fuel_follow_the_troops() {
    let ground = || plain("DR").unit("leader", (SOVIET, "", Kind::Leader), TARGET);
    let game = ground().game();
    let fight = until_retreat(Scene::assault(&game), &["a"], Crt::Assault);
    let fight = fight.play_until(&[Phase::Advance], &[], &[go(SOUTH)]);
    assert_eq!((fight.at("d"), fight.at("leader")), (SOUTH, SOUTH), "15.33");
    // Without troops it stays, and is lost when the attacker enters (15.34a).
    let game = ground().result("DE").game();
    let fight = Scene::assault(&game).attack(&["a"]).play(&[5], &[go(TARGET)]);
    assert_eq!((fight.at("leader"), fight.at("a")), (0, TARGET));
}

// ---- refusal (9.22) ----

fn refusing() -> Ground {
    Ground::new()
        .unit("a", (GERMAN, "G1", Kind::Armour), NORTH)
        .german("b", NORTH)
        .unit("d", (SOVIET, "S1", Kind::Cavalry), TARGET)
        .unit("e", (SOVIET, "S1", Kind::MotorisedInfantry), TARGET)
}

/// Declares, and plays the refusal.
fn refuse<'a>(game: &'a crate::RoadsToMoscow, rolls: &[u32], wanted: &[crate::Action]) -> Fight<'a> {
    use sandtable_core::{Phases, PlayContext, Scripted};
    let scene = Scene::assault(game).declare(TARGET, &["a", "b"], Crt::Assault);
    let mut editor = scene.editor;
    let mut context = PlayContext { dice: Scripted::faces(rolls), sink: Vec::new() };
    let mut state = editor.start(Phase::Refusal, GERMAN, &mut context);
    let mut wanted = wanted.iter().peekable();
    while state.phase <= Phase::RefusalLead || state.battle.occasion == crate::battle::Occasion::Refusal {
        let mut open = Vec::new();
        let _ = game.generate(&state, &mut open);
        let action = wanted.next_if(|action| open.contains(action)).or(open.first());
        match action {
            Some(action) => game.play(&mut state, *action, &mut context),
            None => game.end_phase(&mut state, &mut context),
        }
    }
    context.dice.check().unwrap();
    assert_eq!(context.dice.left(), 0);
    assert_eq!(wanted.next(), None);
    game.check_invariants(&state).unwrap();
    Fight { game, state, facts: context.sink }
}

#[test]
fn who_refuses_retreats_two_hexes_and_the_attackers_follow() {
    let game = refusing().game();
    let lead = crate::Action::Lead(game.rules.unit("d").unwrap());
    let steps = [crate::Action::Target(hex(TARGET)), lead, go(SOUTH), go(1012), go(SOUTH), go(1012)];
    let on = [go(TARGET), go(SOUTH), go(TARGET)];
    let fight = refuse(&game, &[6], &[&steps[..], &on].concat());
    assert_eq!([fight.at("d"), fight.at("e")], [1012, 1012]);
    assert_eq!(
        [fight.at("a"), fight.at("b")],
        [SOUTH, TARGET],
        "9.23b: red boxes two, on whatever table (R23)"
    );
    assert!(fight.state.attacks().iter().all(|attack| attack.stage == crate::state::Stage::Done), "9.23c");
    assert_eq!(fight.state.initiative, [0, 0], "9.23b: no two-hex advance");
    assert_eq!(fight.state.attack_on(hex(TARGET)), None);
}

#[test]
fn a_failed_refusal_changes_nothing() {
    let game = refusing().game();
    let lead = crate::Action::Lead(game.rules.unit("d").unwrap());
    let fight = refuse(&game, &[7], &[crate::Action::Target(hex(TARGET)), lead]);
    assert_eq!([fight.at("d"), fight.at("e")], [TARGET, TARGET]);
    assert!(fight.state.attack_on(hex(TARGET)).is_some());
}

#[test]
fn who_is_ringed_by_zones_cannot_refuse() {
    // R22, D22: friends in a ring hex open it.
    let ring = || refusing().german("x", SOUTH).german("y", SOUTH_WEST);
    let could = |game: &crate::RoadsToMoscow| {
        let state = Scene::assault(game).editor.finish();
        let units = game.combat_units(&state, hex(TARGET), SOVIET);
        game.could_refuse(&state, &units, hex(TARGET))
    };
    assert!(could(&refusing().game()));
    assert!(!could(&ring().game()));
    assert!(could(&ring().soviet("friend", SOUTH_EAST).game()));
}

// ---- rockets (16.3) ----

fn rockets(result: &str) -> Ground {
    Ground::new().result(result).german("g", TARGET).soviet("s", SOUTH_EAST).unit(
        "r",
        (SOVIET, "S1", Kind::RocketArtillery),
        1212,
    )
}

fn soviet_assault(game: &crate::RoadsToMoscow) -> Scene<'_> {
    Scene::new(game, &["S1"], Sequence::Assault)
}

#[test]
fn rockets_that_support_an_attack_go_six_hexes_towards_their_source() {
    // The source is 2010.
    let game = rockets("-").game();
    let start = soviet_assault(&game).attack(&["s"]);
    let wanted = [start.unit("r")];
    let fight = start.play_until(&[Phase::SpecialRetreat], &[1, 5], &wanted);
    assert_eq!(fight.state.decider, SOVIET);
    assert!(!fight.ways().is_empty());
    for way in fight.ways() {
        assert!(game.distance(hex(way), hex(2010)) < game.distance(hex(1212), hex(2010)), "16.33 {way}");
    }
    let fight = fight.play(&[], &[]);
    let rocket = fight.state.at(fight.id("r"));
    assert_eq!(game.distance(rocket, hex(1212)), 6, "16.32");
    assert_eq!(game.distance(rocket, hex(2010)), 2);
    assert!(fight.has("r", Mark::Fired));
    // Unused they stay; and so do those of the German.
    let fight = soviet_assault(&game).attack(&["s"]).play(&[5], &[]);
    assert_eq!(fight.at("r"), 1212);
}

#[test]
fn rockets_in_a_defender_hex_leave_it_whatever_happens() {
    let ground = |result: &str| {
        Ground::new().result(result).unit("a", (GERMAN, "G1", Kind::Armour), NORTH).soviet("d", TARGET).unit(
            "r",
            (SOVIET, "S1", Kind::RocketArtillery),
            TARGET,
        )
    };
    let game = ground("-").game();
    let fight = Scene::assault(&game).attack(&["a"]).play(&[5], &[]);
    assert_eq!(fight.at("d"), TARGET, "16.32: others are not affected");
    assert_eq!(game.distance(fight.state.at(fight.id("r")), hex(TARGET)), 6);
    // With an R the Special Retreat replaces the retreat; a No-Retreat marker does not hold them.
    let game = ground("DR").game();
    let scene = Scene::assault(&game).with(|editor| _ = editor.no_retreat(TARGET, true));
    let fight = scene.attack(&["a"]).play(&[5], &[]);
    assert_eq!((fight.at("d"), fight.steps("d")), (TARGET, 1));
    assert_eq!(game.distance(fight.state.at(fight.id("r")), hex(TARGET)), 6);
    // German rockets have no such rule.
    let game = Ground::new()
        .unit("a", (SOVIET, "S1", Kind::Armour), NORTH)
        .german("d", TARGET)
        .unit("r", (GERMAN, "G1", Kind::RocketArtillery), TARGET)
        .game();
    let fight = soviet_assault(&game).attack(&["a"]).play(&[5], &[]);
    assert_eq!(fight.at("r"), TARGET);
}

#[test]
fn of_sources_equally_near_the_owner_of_the_rockets_chooses() {
    // 16.33, R37: 2008 and 2016 lie eight hexes from 1212.
    let (one, other) = (hex(2008), hex(2016));
    let mut ground = rockets("-");
    ground.rules.scenario.sources[1] = vec![one, other];
    let game = ground.game();
    let flight = |wanted: u16| {
        let start = soviet_assault(&game).attack(&["s"]);
        let support = [start.unit("r")];
        start.play_until(&[Phase::SpecialRetreat], &[1, 5], &support).does(go(wanted))
    };
    let start = soviet_assault(&game).attack(&["s"]);
    let support = [start.unit("r")];
    let ways = start.play_until(&[Phase::SpecialRetreat], &[1, 5], &support).ways();
    assert_eq!(ways, [1311, 1312], "one towards each");
    for (way, source) in [(1311, one), (1312, other)] {
        // The choice binds: every hex comes nearer to the same source.
        let mut fight = flight(way);
        while fight.state.phase == Phase::SpecialRetreat {
            let from = game.distance(fight.state.at(fight.id("r")), source);
            let ways = fight.ways();
            assert!(
                !ways.is_empty() && ways.iter().all(|&way| game.distance(hex(way), source) < from),
                "{ways:?}"
            );
            fight = fight.does(go(ways[0]));
        }
        assert_eq!(game.distance(fight.state.at(fight.id("r")), source), 2, "16.32");
    }
}

#[test]
fn rockets_never_come_nearer_to_the_fight() {
    // Their source lies behind the hex attacked: they go another way.
    let mut ground = rockets("-");
    ground.rules.scenario.sources[1] = vec![hex(801)];
    let game = ground.game();
    let start = soviet_assault(&game).attack(&["s"]);
    let wanted = [start.unit("r")];
    let fight = start.play(&[1, 5], &wanted);
    let rocket = fight.state.at(fight.id("r"));
    assert_eq!(game.distance(rocket, hex(1212)), 6);
    assert!(game.distance(rocket, hex(TARGET)) >= game.distance(hex(1212), hex(TARGET)), "16.32, R26");
}

/// Rockets in 1212 with a ring of German zones, so that they can go `hexes` and no farther, and no source left.
fn ringed_rockets(hexes: u32) -> Ground {
    let mut ground = rockets("-").unit("g0", (GERMAN, "G1", Kind::Infantry), 2010);
    let game = ground.clone().game();
    let ring = sandtable_core::Board::places(game.board())
        .iter()
        .filter(|&at| game.distance(at, hex(1212)) == hexes + 2 && game.distance(at, hex(TARGET)) > 0);
    for (nth, at) in ring.enumerate() {
        let number = crate::ids::hex_number(at);
        ground = ground.unit(&format!("ring{nth}"), (GERMAN, "G1", Kind::Infantry), number);
    }
    ground
}

#[test]
fn rockets_need_two_hexes_and_take_what_more_there_is() {
    for (hexes, at_end) in [(3, Some(3)), (2, Some(2)), (1, None)] {
        let game = ringed_rockets(hexes).game();
        let start = soviet_assault(&game).attack(&["s"]);
        let wanted = [start.unit("r")];
        let fight = start.play(&[1, 5], &wanted);
        let distance = fight.state.place(fight.id("r")).map(|at| game.distance(at, hex(1212)));
        assert_eq!(distance, at_end, "D16, 16.35: {hexes}");
    }
}

#[test]
fn rockets_without_two_hexes_are_eliminated() {
    // D16. In the corner 2010 of the map, behind zones: the only hex that is not hot is 2011.
    let game = rockets("-")
        .unit("x", (GERMAN, "G1", Kind::Infantry), 1213)
        .unit("y", (GERMAN, "G1", Kind::Infantry), 1310)
        .unit("z", (GERMAN, "G1", Kind::Infantry), 1112)
        .game();
    let start = soviet_assault(&game).attack(&["s"]);
    // In a zone of control artillery supports adjacent hexes alone (12.14): put it on the attack by hand.
    let mut fight = start.play_until(&[Phase::SureArtillery], &[], &[]);
    let rocket = fight.id("r");
    fight.state.battle.support[0].insert(rocket);
    let fight = fight.play(&[1, 5], &[]);
    assert_eq!(fight.at("r"), 0, "16.35");
}

#[test]
fn rockets_stop_where_they_can_go_no_farther() {
    // A wall of zones across the way to the source four hexes off; with every hex nearer to it only three can be gone.
    let mut ground = rockets("-");
    for (nth, row) in (1..=19).step_by(2).enumerate() {
        let id = ["w0", "w1", "w2", "w3", "w4", "w5", "w6", "w7", "w8", "w9"][nth];
        ground = ground.unit(id, (GERMAN, "G1", Kind::Infantry), 1700 + row);
    }
    let game = ground.game();
    let start = soviet_assault(&game).attack(&["s"]);
    let wanted = [start.unit("r")];
    let fight = start.play(&[1, 5], &wanted);
    assert_eq!(
        game.distance(fight.state.at(fight.id("r")), hex(1212)),
        3,
        "16.35: less than four more is no loss"
    );
}
