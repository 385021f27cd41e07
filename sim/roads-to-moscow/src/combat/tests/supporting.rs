//! Air and artillery units committed (12, 13.2).

use super::ground::{Fight, Ground, NORTH, NORTH_EAST, NORTH_WEST, SOUTH, Scene, TARGET};
use crate::action::Action;
use crate::ids::{Air, Player, hex};
use crate::phase::{Phase, Sequence};
use crate::rules::{Crt, Kind, Terrain};
use crate::state::{Mark, State};
use sandtable_core::{Game, Phases, Rng64};

const GERMAN: Player = Player::German;
const SOVIET: Player = Player::Soviet;

// ---- air ----

fn flyers() -> Ground {
    Ground::new()
        .german("a", NORTH)
        .unit("hq", (GERMAN, "G1", Kind::Headquarters), 1008)
        .soviet("d", TARGET)
        .unit("shq", (SOVIET, "S1", Kind::Headquarters), 1012)
        .air("ju1", GERMAN, 2, 7)
        .air("ju2", GERMAN, 2, 7)
        .air("bf", GERMAN, 1, 6)
        .air("il", SOVIET, 2, 5)
        .air("i16", SOVIET, 1, 4)
}

fn aircraft(fight: &Fight<'_>) -> Vec<String> {
    let air = fight.open().into_iter().filter_map(|action| match action {
        Action::Air(air) => Some(fight.game.rules.air[usize::from(air.0)].id.clone()),
        _ => None,
    });
    air.collect()
}

#[test]
fn the_soviet_commits_first_and_nobody_more_than_two() {
    for (sequence, attackers) in [(&["G1"], "a"), (&["S1"], "d")] {
        let ground = flyers();
        let game = ground.game();
        let scene = Scene::new(&game, sequence, Sequence::Assault);
        let target = if attackers == "a" { TARGET } else { NORTH };
        let fight = scene.attack_on(target, &[attackers], Crt::Assault).play_until(&[Phase::Air], &[], &[]);
        assert_eq!(fight.state.decider, SOVIET, "13.22");
        assert_eq!(aircraft(&fight), ["il", "i16"]);
    }
    let game = flyers().game();
    let fight = Scene::assault(&game).attack(&["a"]);
    let wanted = [fight.air("il"), fight.air("i16"), fight.air("ju1"), fight.air("bf")];
    // 13.24: then the leads and the checks: the Soviet's with +1, of 5 or 4; the German's of 7 or 6.
    let leads = [fight.air("il"), fight.air("ju1")];
    let fight = fight.play(&[4, 7, 5], &[&wanted[..], &leads].concat());
    let (_, modifiers, _) = fight.read();
    assert_eq!(modifiers.air, (2 + 1) - (2 + 1), "13.25");
    assert!(fight.state.ready == Air::from_iter([fight.air_id("ju2")]), "a third is not offered");
}

#[test]
fn of_aircraft_that_are_alike_one_is_offered() {
    let game = flyers().game();
    let fight = Scene::assault(&game).attack(&["a"]);
    let wanted = [fight.air("il")];
    let fight = fight.play_until(&[Phase::AirPoints], &[], &wanted);
    drop(fight);
    let fight = Scene::assault(&game).attack(&["a"]).play_until(&[Phase::Air], &[], &[]);
    let mut fight = fight.settle(&[]);
    let context = &mut sandtable_core::PlayContext::silent(sandtable_core::Scripted::default());
    game.play(&mut fight.state, Action::Pass, context);
    assert_eq!((fight.state.decider, aircraft(&fight)), (GERMAN, vec!["ju1".to_string(), "bf".to_string()]));
    let ju1 = fight.air("ju1");
    game.play(&mut fight.state, ju1, context);
    assert_eq!(aircraft(&fight), ["ju2", "bf"]);
}

#[test]
fn a_headquarters_near_the_hex_calls_them() {
    let offered = |ground: Ground, change: fn(Scene<'_>) -> Scene<'_>| {
        let game = ground.game();
        let fight = change(Scene::assault(&game)).attack(&["a"]);
        let fight = fight.play_until(&[Phase::Losses], &[5], &[]);
        // Of both sides: did anybody have the choice?
        let mut sides = [false; 2];
        let start = change(Scene::assault(&game)).attack(&["a"]);
        let mut state = start.play_until(&[Phase::Air, Phase::Artillery, Phase::Losses], &[], &[]).state;
        while state.phase == Phase::Air {
            let fight = Fight { game: &game, state, facts: Vec::new() };
            sides[state.decider.index()] |= !aircraft(&fight).is_empty();
            game.combat_end(&mut state, &mut sandtable_core::PlayContext::silent(Rng64::stream(1, 1, 1)));
        }
        drop(fight);
        sides
    };
    assert_eq!(offered(flyers(), |scene| scene), [true, true]);
    // 13.21: within four hexes, not disorganised; spent ones will do.
    let far = |id: &str| {
        let mut ground = flyers();
        let at = ground.rules.units.iter().position(|unit| unit.id == id).unwrap();
        ground.rules.entries[at] = crate::rules::Entry::At(hex(if id == "hq" { 1005 } else { 1015 }));
        ground
    };
    assert_eq!(offered(far("hq"), |scene| scene), [false, true]);
    assert_eq!(offered(far("shq"), |scene| scene), [true, false]);
    assert_eq!(offered(flyers(), |scene| scene.mark(&["hq"], Mark::Disorganised)), [false, true]);
    assert_eq!(offered(flyers(), |scene| scene.mark(&["hq", "shq"], Mark::Spent)), [true, true]);
    // R33: an HQ of an active formation; of the formation of the defending lead, or any for a lead of the Army.
    let other = |lead: &'static str, hq: &'static str| {
        Ground::new()
            .german("a", NORTH)
            .unit("hq", (GERMAN, hq, Kind::Headquarters), 1008)
            .unit("d", (SOVIET, lead, Kind::Infantry), TARGET)
            .unit("shq", (SOVIET, "S2", Kind::Headquarters), 1012)
            .air("ju", GERMAN, 2, 7)
            .air("il", SOVIET, 2, 5)
    };
    assert_eq!(offered(other("S1", "G1"), |scene| scene), [true, false]);
    assert_eq!(offered(other("S2", "G2"), |scene| scene), [false, true]);
    assert_eq!(offered(other("army", "G1"), |scene| scene), [true, true]);
}

#[test]
fn uncoordinated_aircraft_give_nothing_and_have_flown() {
    let game = flyers().game();
    let fight = Scene::assault(&game).attack(&["a"]);
    let wanted = [fight.air("il"), fight.air("ju1")];
    // 10.41: 5 with the Soviet's +1 against 5 fails, 7 against 7 passes.
    let fight = fight.play(&[5, 7, 5], &wanted);
    assert_eq!(fight.read().1.air, -2);
    assert!(fight.state.flown == Air::from_iter([fight.air_id("il"), fight.air_id("ju1")]), "13.16");
}

#[test]
fn secret_commitments_are_hidden_until_both_are_made() {
    // 10.41, optional.
    let mut ground = flyers();
    ground.rules.options.simultaneous_cas = true;
    let game = ground.game();
    let at = |wanted: &[&str]| -> State {
        let fight = Scene::assault(&game).attack(&["a"]);
        let wanted: Vec<_> = wanted.iter().map(|unit| fight.air(unit)).collect();
        let mut state = fight.play_until(&[Phase::Air], &[], &[]).state;
        let context = &mut sandtable_core::PlayContext::silent(sandtable_core::Scripted::default());
        for action in wanted.into_iter().chain([Action::Pass]) {
            if state.decider == SOVIET {
                game.play(&mut state, action, context);
            }
        }
        // Both aircraft committed: nothing is left to choose.
        if state.decider == SOVIET {
            game.end_phase(&mut state, context);
        }
        assert_eq!((state.phase, state.decider), (Phase::Air, GERMAN));
        state
    };
    let (none, il, both) = (at(&[]), at(&["il"]), at(&["il", "i16"]));
    let seen = |state: &State, viewer: Player| Game::observation(&game, state, viewer.side());
    assert_eq!(seen(&none, GERMAN), seen(&il, GERMAN));
    assert_eq!(seen(&none, GERMAN), seen(&both, GERMAN));
    assert_ne!(seen(&none, SOVIET), seen(&il, SOVIET), "he knows his own");
    // Determinized: every set there could be, whatever it is.
    let mut found = std::collections::BTreeSet::new();
    for number in 0..200 {
        let dealt = [none, il, both].map(|state| {
            Game::determinize(&game, &state, GERMAN.side(), &mut Rng64::stream(3, number, 0)).battle.air
        });
        assert_eq!([dealt[0], dealt[0]], [dealt[1], dealt[2]]);
        found.insert(dealt[0][1].iter().map(|air| air.0).collect::<Vec<_>>());
    }
    assert_eq!(found.len(), 4, "none, either, both: {found:?}");
    // Without the rule they are open.
    let open = flyers().game();
    let state = |wanted: &[&str]| {
        let mut state = at(wanted);
        state.phase = Phase::Air;
        Game::observation(&open, &state, GERMAN.side())
    };
    assert_ne!(state(&[]), state(&["il"]));
}

// ---- artillery ----

fn gun(ground: Ground, id: &str, of: (Player, &str), at: u16) -> Ground {
    ground.unit(id, (of.0, of.1, Kind::Artillery), at)
}

/// Artillery offered to a side in a German attack of a and b on the target.
fn offered(game: &crate::RoadsToMoscow, role: Player, change: fn(Scene<'_>) -> Scene<'_>) -> Vec<String> {
    let fight = change(Scene::assault(game)).attack(&["a"]);
    let fight = fight.artillery_of(role);
    fight.named().into_iter().map(String::from).collect()
}

fn marks(scene: Scene<'_>) -> Scene<'_> {
    let scene = scene.mark(&["fired"], Mark::Fired).mark(&["shaken"], Mark::Disorganised);
    scene.mark(&["army"], Mark::Active).mark(&["bare"], Mark::Unsupplied)
}

#[test]
fn the_attackers_artillery_is_active_near_and_ready() {
    let mut ground = Ground::new().german("a", NORTH).soviet("d", TARGET);
    for (id, of, at) in [
        ("near", "G1", 1006),
        ("far", "G1", 1003),
        ("fired", "G1", 1006),
        ("shaken", "G1", 1006),
        ("other", "G2", 1007),
        ("army", "army", 1007),
        ("idle", "army", 1007),
        ("bare", "G1", 1107),
    ] {
        ground = gun(ground, id, (GERMAN, of), at);
    }
    let game = ground.game();
    // 12.13a, b, d, e; 7.48: range six counts the target's hex: 1004 would be the last.
    assert_eq!(offered(&game, GERMAN, marks), ["near", "army", "bare"]);
}

#[test]
fn range_counts_the_hex_fired_at() {
    let ground = Ground::new().german("a", NORTH).soviet("d", TARGET);
    let ground = gun(gun(ground, "six", (GERMAN, "G1"), 1004), "seven", (GERMAN, "G1"), 1003);
    assert_eq!(offered(&ground.game(), GERMAN, |scene| scene), ["six"]);
}

#[test]
fn in_an_enemy_zone_artillery_fires_at_what_is_beside_it() {
    // 12.14: both lie in the zone of Soviets; one touches the target.
    let ground = Ground::new().german("a", NORTH).soviet("d", TARGET).soviet("x", 1206);
    let ground = gun(gun(ground, "beside", (GERMAN, "G1"), NORTH_WEST), "off", (GERMAN, "G1"), 1106);
    assert_eq!(offered(&ground.game(), GERMAN, |scene| scene), ["beside"]);
}

#[test]
fn two_distant_units_support_and_any_beside_the_hex() {
    let mut ground = Ground::new().german("a", NORTH).soviet("d", TARGET);
    for (id, at) in [("g1", 1006), ("g2", 1006), ("g3", 1007), ("n1", NORTH_EAST), ("n2", NORTH_WEST)] {
        ground = gun(ground, id, (GERMAN, "G1"), at);
    }
    let game = ground.game();
    let fight = Scene::assault(&game).attack(&["a"]);
    let [g1, g2, n1, n2] = ["g1", "g2", "n1", "n2"].map(|unit| fight.unit(unit));
    let fight = fight.artillery_of(GERMAN).does(g1).does(g2);
    assert_eq!(fight.named(), ["n1", "n2"], "12.13f2");
    // One of those beside the hex needs no check: the attacker says which (12.17).
    let fight = fight.does(n1).does(n2);
    let fight = fight.play_until(&[Phase::SureArtillery], &[], &[]);
    assert_eq!(fight.named(), ["n1", "n2"]);
}

#[test]
fn the_arko_lifts_the_limit_where_it_reaches() {
    // 16.12, R78.
    let mut ground = Ground::new().german("a", NORTH).soviet("d", TARGET);
    for (id, at) in [("g1", 1006), ("g2", 1006), ("g3", 1007), ("g4", 1009)] {
        ground = gun(ground, id, (GERMAN, "G1"), if id == "g4" { 706 } else { at });
    }
    let ground = ground.unit("arko", (GERMAN, "army", Kind::Arko), 1205);
    let game = ground.game();
    let left = |change: fn(Scene<'_>) -> Scene<'_>| -> Vec<String> {
        let fight = change(Scene::assault(&game)).attack(&["a"]);
        let [g1, g2] = ["g1", "g2"].map(|unit| fight.unit(unit));
        let fight = fight.artillery_of(GERMAN).does(g1).does(g2);
        fight.named().into_iter().map(String::from).collect()
    };
    assert_eq!(left(|scene| scene.mark(&["arko"], Mark::Active)), ["g3"], "g4 is five hexes from it");
    assert!(left(|scene| scene).is_empty(), "not activated");
    assert!(left(|scene| scene.mark(&["arko"], Mark::Active).mark(&["arko"], Mark::Disorganised)).is_empty());
}

#[test]
fn the_defenders_artillery_is_of_the_leads_formation_or_the_armys_near_its_headquarters() {
    let mut ground = Ground::new()
        .german("a", NORTH)
        .soviet("d", TARGET)
        .unit("army_lead", (SOVIET, "army", Kind::Infantry), TARGET)
        .unit("hq", (SOVIET, "S1", Kind::Headquarters), 1013);
    for (id, of, at) in [
        ("own", "S1", 1014),
        ("other", "S2", 1014),
        ("army", "army", 1014),
        ("lost", "army", 1406),
        ("in", "S2", TARGET),
        ("in2", "army", TARGET),
    ] {
        ground = gun(ground, id, (SOVIET, of), at);
    }
    ground = ground
        .unit_as("attack", (SOVIET, "S1", Kind::Artillery), 1013, |unit| unit.support_attack_only = true);
    let game = ground.game();
    let with_lead = |lead: &str| -> Vec<String> {
        let fight = Scene::assault(&game).attack(&["a"]);
        let wanted = [fight.lead(lead)];
        let fight = fight.play_until(&[Phase::Artillery], &[], &wanted);
        fight.named().into_iter().map(String::from).collect()
    };
    // 12.13c; 12.23: in the hex any; A never.
    assert_eq!(with_lead("d"), ["own", "army", "in", "in2"]);
    assert_eq!(with_lead("army_lead"), ["in", "in2"], "R34");
    // One of the hex: the other defends (12.23).
    let fight = Scene::assault(&game).attack(&["a"]);
    let wanted = [fight.lead("d"), fight.unit("in")];
    let mut fight = fight.play_until(&[Phase::Artillery], &[], &wanted[..1]);
    let context = &mut sandtable_core::PlayContext::silent(sandtable_core::Scripted::default());
    game.play(&mut fight.state, wanted[1], context);
    assert!(!fight.named().contains(&"in2"));
    // It is coordinated without a check (12.17, R35): no roll but the combat's.
    let fight = fight.play(&[5], &[]);
    assert_eq!(fight.read().0[1], 4 + 4 + 1 + 3);
}

fn hungry(scene: Scene<'_>) -> Scene<'_> {
    scene.mark(&["hungry"], Mark::Emergency)
}

fn reserve(scene: Scene<'_>) -> Scene<'_> {
    hungry(scene).with(|editor| _ = editor.reserve("S1", 3))
}

#[test]
fn artillery_of_a_formation_in_reserve_supports_if_it_is_supplied() {
    // 5.32.
    let ground = Ground::new().german("a", NORTH).soviet("d", TARGET);
    let game = gun(gun(ground, "fed", (SOVIET, "S1"), 1014), "hungry", (SOVIET, "S1"), 1014).game();
    assert_eq!(offered(&game, SOVIET, hungry), ["fed", "hungry"]);
    assert_eq!(offered(&game, SOVIET, reserve), ["fed"]);
    // In the Defender hex too.
    let ground = Ground::new().german("a", NORTH).soviet("d", TARGET);
    let game = gun(gun(ground, "fed", (SOVIET, "S1"), TARGET), "hungry", (SOVIET, "S1"), TARGET).game();
    assert_eq!(offered(&game, SOVIET, hungry), ["fed", "hungry"]);
    assert_eq!(offered(&game, SOVIET, reserve), ["fed"]);
}

#[test]
fn artillery_pinned_by_the_enemy_supports_no_other_hex() {
    // 12.25: it stood in a zone when the phase began, and after every advance.
    let ground = Ground::new()
        .result("DE")
        .unit("p", (GERMAN, "G1", Kind::Armour), NORTH)
        .german("b", 1412)
        .soviet("d", TARGET)
        .soviet("e", 1413);
    let game = gun(gun(ground, "gun", (SOVIET, "S1"), 1013), "free", (SOVIET, "S1"), 1115).game();
    let scene = Scene::mobile(&game).declare(TARGET, &["p"], Crt::Mobile);
    let fight = scene.declare(1413, &["b"], Crt::Mobile).fight();
    let first = [Action::Target(hex(TARGET)), super::ground::go(TARGET), super::ground::go(SOUTH)];
    let fight = fight.play_until(&[Phase::Advance], &[5], &first[..1]);
    let fight = fight.play_until(&[Phase::Combat], &[], &first[1..]);
    // p now stands in 1011: 1012 lies in its zone, 1013 does not.
    assert!(fight.state.battle.pinned.is_empty());
    drop(fight);
    let game = {
        let ground = Ground::new()
            .result("DE")
            .unit("p", (GERMAN, "G1", Kind::Armour), NORTH)
            .german("b", 1412)
            .soviet("d", TARGET)
            .soviet("e", 1413);
        gun(gun(ground, "gun", (SOVIET, "S1"), 1012), "free", (SOVIET, "S1"), 1115).game()
    };
    let scene = Scene::mobile(&game).declare(TARGET, &["p"], Crt::Mobile);
    let fight = scene.declare(1413, &["b"], Crt::Mobile).fight();
    let fight = fight.play_until(&[Phase::Advance], &[5], &first[..1]);
    let fight = fight.play_until(&[Phase::Combat], &[], &first[1..]);
    assert_eq!(fight.state.battle.pinned, fight.set(&["gun"]));
    let fight = fight.play_until(&[Phase::Artillery], &[], &[]);
    assert_eq!(fight.named(), ["free"]);
}

#[test]
fn it_stays_pinned_when_the_enemy_is_gone() {
    // x stands beside the gun, attacks first, and is lost.
    let ground =
        Ground::new().result("A3").german("x", 1012).german("b", 1412).soviet("d", SOUTH).soviet("e", 1413);
    let game = gun(gun(ground, "gun", (SOVIET, "S1"), 1013), "free", (SOVIET, "S1"), 1115).game();
    let scene = Scene::assault(&game).declare(1011, &["x"], Crt::Assault);
    let fight = scene.declare(1413, &["b"], Crt::Assault).fight();
    let fight = fight.does(Action::Target(hex(1011))).play_until(&[Phase::Combat], &[5], &[]);
    assert_eq!(fight.at("x"), 0);
    assert!(!game.in_zoc(&fight.state, hex(1013), GERMAN));
    let fight = fight.does(Action::Target(hex(1413))).play_until(&[Phase::Artillery], &[], &[]);
    assert_eq!(fight.named(), ["free"], "12.25");
}

#[test]
fn who_took_part_has_fired_whatever_came_of_it() {
    // 12.19: an attack gun that failed, a defending one that was sure; 12.13d afterwards.
    let ground = Ground::new().german("a", NORTH).soviet("d", TARGET);
    let ground = gun(gun(ground, "g", (GERMAN, "G1"), 1006), "s", (SOVIET, "S1"), TARGET);
    let game = gun(ground, "idle", (GERMAN, "G1"), 1006).game();
    let fight = Scene::assault(&game).attack(&["a"]);
    let wanted = [fight.unit("s"), fight.unit("g")];
    let fight = fight.play(&[10, 5], &wanted);
    assert_eq!(fight.read().0, [4, 4 + 3], "10 and more: nothing");
    assert!(fight.has("g", Mark::Fired) && fight.has("s", Mark::Fired) && !fight.has("idle", Mark::Fired));
}

#[test]
fn support_that_a_swamp_brings_to_nothing_is_not_named() {
    // 3.54c, 10.25.
    let weak = |unit: &mut crate::rules::Unit| unit.support = 1;
    let ground = Ground::new()
        .german("a", NORTH)
        .soviet("d", TARGET)
        .unit_as("weak", (GERMAN, "G1", Kind::Artillery), 1006, weak)
        .unit("g", (GERMAN, "G1", Kind::Artillery), 1006);
    assert_eq!(offered(&ground.clone().game(), GERMAN, |scene| scene), ["weak", "g"]);
    let swamp = ground.hex(TARGET, |hex| hex.terrain = Terrain::Swamp).game();
    assert_eq!(offered(&swamp, GERMAN, |scene| scene), ["g"]);
}

#[test]
fn combined_formations_support_each_other_if_they_attack_from_one_hex() {
    // 7.35, in a Mobile Sequence; R58 in an Assault.
    let ground = || {
        let ground = Ground::new()
            .german("a", NORTH)
            .unit("x", (GERMAN, "G2", Kind::MotorisedInfantry), NORTH)
            .unit("y", (GERMAN, "G2", Kind::MotorisedInfantry), NORTH_EAST)
            .soviet("d", TARGET);
        gun(gun(ground, "g1", (GERMAN, "G1"), 1006), "g2", (GERMAN, "G2"), 1006)
    };
    let game = ground().game();
    let named = |sequence, attackers: &[&str]| -> Vec<String> {
        let fight = Scene::new(&game, &["G1", "G2"], sequence).attack(attackers);
        let fight = fight.artillery_of(GERMAN);
        fight.named().into_iter().map(String::from).collect()
    };
    assert_eq!(named(Sequence::Mobile, &["a", "x"]), ["g1", "g2"]);
    assert_eq!(named(Sequence::Mobile, &["a"]), ["g1"]);
    assert_eq!(named(Sequence::Mobile, &["y"]), ["g2"]);
    assert_eq!(named(Sequence::Assault, &["a"]), ["g1", "g2"]);
}
