//! Losses, Armour Attrition, No Retreat, red results, disorganisation (11.1 to 11.4, 13.17, 15.34).

use super::ground::{Fight, Ground, NORTH, NORTH_EAST, SOUTH, Scene, TARGET, go};
use crate::event::{Cause, Event};
use crate::ids::Player;
use crate::phase::Phase;
use crate::rules::Kind;
use crate::state::Mark;

const GERMAN: Player = Player::German;
const SOVIET: Player = Player::Soviet;

fn pairs(result: &str) -> Ground {
    Ground::new().result(result).german("a", NORTH).german("b", NORTH).soviet("d", TARGET).soviet("e", TARGET)
}

/// Fights to the first retreat or advance, without a choice but these leads.
fn fight<'a>(scene: Scene<'a>, attackers: &[&str], rolls: &[u32], leads: [&str; 2]) -> Fight<'a> {
    let fight = scene.attack(attackers);
    let wanted = leads.map(|unit| fight.lead(unit));
    fight.play_until(&[Phase::Retreat, Phase::SpecialRetreat, Phase::Advance], rolls, &wanted)
}

#[test]
fn the_lead_loses_first_then_whom_the_owner_wants() {
    let game = pairs("A2/D1").game();
    let done = fight(Scene::assault(&game), &["a", "b"], &[5], ["b", "e"]);
    assert_eq!((done.steps("d"), done.steps("e")), (2, 1));
    let start = Scene::assault(&game).attack(&["a", "b"]);
    let wanted = [start.lead("b"), start.lead("d"), start.unit("b"), start.unit("a")];
    let done = start.play_until(&[Phase::Advance], &[5], &wanted);
    assert_eq!((done.steps("a"), done.steps("b")), (1, 1), "11.22, then his choice");
    // After the first step there is a choice.
    let start = Scene::assault(&game).attack(&["a", "b"]);
    let wanted = [start.lead("b"), start.lead("d"), start.unit("d")];
    let mut done = start.play_until(&[Phase::Losses], &[5], &wanted[..2]);
    assert_eq!(done.named(), ["d"]);
    done = done.play_until(&[Phase::NoRetreatLoss], &[], &[done_unit(&game, "d"), done_unit(&game, "b")]);
    assert_eq!((done.steps("a"), done.steps("b")), (1, 1));
}

fn done_unit(game: &crate::RoadsToMoscow, unit: &str) -> crate::Action {
    crate::Action::Unit(game.rules.unit(unit).unwrap())
}

#[test]
fn the_defender_loses_before_the_attacker() {
    let game = pairs("A1/D1").game();
    let done = fight(Scene::assault(&game), &["a", "b"], &[5], ["a", "d"]);
    let lost: Vec<_> = done
        .facts
        .iter()
        .filter_map(|fact| match fact {
            Event::Lost { unit, cause } => Some((game.unit_name(*unit), *cause)),
            _ => None,
        })
        .collect();
    assert_eq!(lost, [("d", Cause::Combat), ("a", Cause::Combat)]);
}

#[test]
fn a_two_step_unit_flips_and_a_one_step_unit_goes() {
    let game = pairs("D2").game();
    let done = fight(Scene::assault(&game), &["a"], &[5], ["a", "d"]);
    assert!(done.steps("d") + done.steps("e") == 2 && done.steps("d") < 2);
    let ground =
        Ground::new().result("D1").german("a", NORTH).unit("at", (SOVIET, "S1", Kind::Headquarters), TARGET);
    let game = ground.game();
    let done = Scene::assault(&game).attack(&["a"]).play_until(&[Phase::Advance], &[5], &[]);
    assert_eq!(done.at("at"), 0);
}

#[test]
fn who_cannot_lose_so_many_spares_the_other_a_step() {
    // D11: A1/D3R against two steps.
    let one = |result: &str| {
        Ground::new().result(result).german("a", NORTH).soviet("d", TARGET).soviet("far", 1019)
    };
    let game = one("A1/D3R").game();
    let done = fight(Scene::assault(&game), &["a"], &[5], ["a", "d"]);
    assert_eq!((done.steps("a"), done.at("d")), (2, 0));
    let game = one("A1/D2R").game();
    let done = fight(Scene::assault(&game), &["a"], &[5], ["a", "d"]);
    assert_eq!((done.steps("a"), done.at("d")), (1, 0), "two of two is all that was asked");
    // The attacker: A3 against his two steps.
    let game = one("A3/D1").game();
    let done = Scene::assault(&game).attack(&["a"]).play(&[5], &[]);
    assert_eq!((done.at("a"), done.steps("d")), (0, 2));
}

#[test]
fn all_are_eliminated_by_an_e() {
    let game = pairs("DE").unit("gun", (SOVIET, "S1", Kind::Artillery), TARGET).game();
    let done = fight(Scene::assault(&game), &["a", "b"], &[5], ["a", "d"]);
    assert_eq!([done.at("d"), done.at("e"), done.at("gun")], [0; 3]);
    assert_eq!(done.steps("a") + done.steps("b"), 4);
}

// ---- Armour Attrition (11.23) ----

fn tanks(result: &str) -> Ground {
    Ground::new()
        .result(result)
        .german("a", NORTH)
        .unit("p", (GERMAN, "G1", Kind::Armour), NORTH)
        .unit("q", (GERMAN, "G1", Kind::Armour), NORTH_EAST)
        .soviet("d", TARGET)
        .unit_as("at", (SOVIET, "S1", Kind::AntiTank), TARGET, |unit| {
            (unit.steps, unit.reduced) = (1, unit.full);
        })
}

#[test]
fn attrition_takes_armour_first_lead_or_not() {
    let game = tanks("A1/D1*").game();
    let start = Scene::assault(&game).attack(&["a", "p"]);
    let wanted = [start.lead("a"), start.lead("d")];
    let done = start.play_until(&[Phase::Advance], &[5], &wanted);
    assert_eq!((done.steps("a"), done.steps("p")), (2, 1));
    assert_eq!((done.at("at"), done.steps("d")), (0, 2), "11.23b: what made it liable");
    // R30: several armoured attackers, his choice.
    let start = Scene::assault(&game).attack(&["a", "p", "q"]);
    let wanted = [start.lead("a"), start.lead("d"), start.unit("at")];
    let done = start.play_until(&[Phase::Losses], &[5], &wanted[..2]);
    assert_eq!(done.named(), ["at"]);
    let done = done.settle(&[]);
    assert_eq!(done.named(), ["p", "q"]);
    // Not red: the leads.
    let game = tanks("A1/D1").game();
    let start = Scene::assault(&game).attack(&["a", "p"]);
    let wanted = [start.lead("a"), start.lead("d")];
    let done = start.play_until(&[Phase::Advance], &[5], &wanted);
    assert_eq!([done.steps("a"), done.steps("p"), done.steps("at"), done.steps("d")], [1, 2, 1, 1]);
}

#[test]
fn attrition_costs_a_step_where_the_table_asks_none() {
    let game = tanks("DR*").soviet("far", 1012).game();
    let start = Scene::assault(&game).attack(&["a", "p"]);
    let wanted = [start.lead("a"), start.lead("d")];
    let done = start.play_until(&[Phase::Retreat], &[5], &wanted);
    assert_eq!((done.steps("a"), done.steps("p")), (2, 1));
    assert!(done.facts.iter().any(|fact| matches!(fact, Event::Lost { cause: Cause::Attrition, .. })));
}

#[test]
fn attrition_needs_armour_against_armour_or_red_defence() {
    let plain = |kind: Kind| {
        let ground = Ground::new().result("DR*").german("a", NORTH);
        ground.unit("p", (GERMAN, "G1", Kind::Armour), NORTH).unit("d", (SOVIET, "S1", kind), TARGET)
    };
    for (kind, attackers, left) in [
        (Kind::Infantry, ["a", "p"].as_slice(), 2),
        (Kind::Armour, &["a", "p"], 1),
        (Kind::HeavyAntiAircraft, &["a", "p"], 1),
        (Kind::Armour, &["a"], 2),
    ] {
        let game = plain(kind).game();
        let start = Scene::assault(&game).attack(attackers);
        let wanted: Vec<_> = (attackers.len() > 1).then(|| start.lead("a")).into_iter().collect();
        let done = start.play_until(&[Phase::Retreat], &[5], &wanted);
        assert_eq!(done.steps("p"), left, "{kind:?} {attackers:?}");
        assert_eq!(done.steps("a"), 2);
    }
}

#[test]
fn after_the_first_armour_step_the_attacker_chooses() {
    let game = tanks("A2*").game();
    let start = Scene::assault(&game).attack(&["a", "p"]);
    let wanted = [start.lead("a"), start.lead("d"), start.unit("p")];
    let done = start.play_until(&[Phase::Losses], &[5], &wanted[..2]);
    assert_eq!(done.named(), Vec::<&str>::new(), "the defender loses nothing");
    let done = done.settle(&[]);
    assert_eq!((done.steps("p"), done.named()), (1, vec!["a", "p"]));
}

#[test]
fn attrition_goes_on_to_the_rest_of_the_defender() {
    // D26: D2R in red, AT of one step and infantry of two.
    let game = tanks("D2R*").game();
    let start = Scene::assault(&game).attack(&["p"]);
    let wanted = [start.lead("d")];
    let done = start.play_until(&[Phase::Retreat], &[5], &wanted);
    assert_eq!((done.at("at"), done.steps("d"), done.steps("p")), (0, 1, 1));
}

#[test]
fn reduced_losses_do_not_cancel_attrition() {
    // D11, second case: A1/D3R in red; the defender has two steps of armour.
    let ground = Ground::new().result("A1/D3R*").unit("p", (GERMAN, "G1", Kind::Armour), NORTH).unit(
        "d",
        (SOVIET, "S1", Kind::Armour),
        TARGET,
    );
    let game = ground.game();
    let done = Scene::assault(&game).attack(&["p"]).play_until(&[Phase::Advance], &[5], &[]);
    assert_eq!((done.steps("p"), done.at("d")), (1, 0));
}

// ---- No Retreat (11.4) ----

fn firm(scene: Scene<'_>) -> Scene<'_> {
    scene.with(|editor| _ = editor.no_retreat(TARGET, true))
}

#[test]
fn who_does_not_retreat_loses_a_step_more() {
    // D12: D1R against a marked hex of four steps: the lead loses both.
    let game = pairs("D1R").game();
    let done = fight(firm(Scene::assault(&game)), &["a"], &[5], ["a", "d"]);
    assert_eq!((done.at("d"), done.steps("e"), done.at("e")), (0, 2, TARGET));
    assert!(!done.state.no_retreat.contains(crate::ids::hex(TARGET)), "11.42c");
    // Without an R one step, and the marker stays (R25).
    let game = pairs("D1").game();
    let done = fight(firm(Scene::assault(&game)), &["a"], &[5], ["a", "d"]);
    assert_eq!([done.steps("d"), done.steps("e")], [1, 2]);
    assert!(done.state.no_retreat.contains(crate::ids::hex(TARGET)));
}

#[test]
fn the_step_falls_on_the_most_efficient_once_the_lead_is_gone() {
    let ground = Ground::new()
        .result("D2R")
        .german("a", NORTH)
        .soviet("d", TARGET)
        .unit_as("e", (SOVIET, "S1", Kind::Infantry), TARGET, |unit| unit.full.efficiency = 4)
        .unit_as("f", (SOVIET, "S1", Kind::Infantry), TARGET, |unit| unit.full.efficiency = 7)
        .unit_as("g", (SOVIET, "S1", Kind::Infantry), TARGET, |unit| unit.full.efficiency = 7);
    let game = ground.game();
    let start = firm(Scene::assault(&game)).attack(&["a"]);
    let wanted = [start.lead("d"), start.unit("d"), start.unit("d")];
    let done = start.play_until(&[Phase::NoRetreatLoss], &[5], &wanted);
    assert_eq!(done.named(), ["f", "g"], "11.42b");
    // The lead first, if it lives.
    let start = firm(Scene::assault(&game)).attack(&["a"]);
    let wanted = [start.lead("d"), start.unit("d"), start.unit("e")];
    let done = start.play_until(&[Phase::NoRetreatLoss], &[5], &wanted);
    assert_eq!(done.named(), ["d"]);
}

#[test]
fn the_step_counts_for_reduced_losses() {
    // A1/D1R against a marked unit of one step: it cannot lose two, so the attacker loses none.
    let game = Ground::new()
        .result("A1/D1R")
        .german("a", NORTH)
        .unit("hq", (SOVIET, "S1", Kind::Headquarters), TARGET)
        .game();
    let done = firm(Scene::assault(&game)).attack(&["a"]).play_until(&[Phase::Advance], &[5], &[]);
    assert_eq!((done.steps("a"), done.at("hq")), (2, 0));
    let done = Scene::assault(&game).attack(&["a"]).play_until(&[Phase::Advance], &[5], &[]);
    assert_eq!((done.steps("a"), done.at("hq")), (1, 0));
    // The attacker's A3 with two steps spares the defender one: of D0 and the step for the R none is left.
    let game = pairs("A3/DR").game();
    let done = fight(firm(Scene::assault(&game)), &["a"], &[5], ["a", "d"]);
    assert_eq!((done.at("a"), done.steps("d"), done.at("d")), (0, 2, TARGET));
}

// ---- red results: aircraft and leaders ----

#[test]
fn aircraft_check_on_a_red_result() {
    let ground = |result: &str| {
        pairs(result)
            .unit("hq", (GERMAN, "G1", Kind::Headquarters), 1008)
            .unit("shq", (SOVIET, "S1", Kind::Headquarters), 1012)
            .air("ju", GERMAN, 2, 7)
            .air("il", SOVIET, 2, 5)
    };
    for (result, rolls, lost) in [
        ("-", vec![1, 1, 5], [false, false]),
        ("-*", vec![1, 1, 5, 5, 7], [false, false]),
        ("-*", vec![1, 1, 5, 6, 8], [true, true]), // 13.17: the Soviet's first
        ("-*", vec![6, 1, 5, 8], [false, true]),   // R94: uncoordinated aircraft are gone already
    ] {
        let game = ground(result).game();
        let start = Scene::assault(&game).attack(&["a", "b"]);
        let wanted = [start.lead("a"), start.lead("d"), start.air("il"), start.air("ju")];
        let done = start.play(&rolls, &wanted);
        let (il, ju) = (done.air_id("il"), done.air_id("ju"));
        assert_eq!([il, ju].map(|air| !done.state.flown.contains(air)), lost, "{result} {rolls:?}");
        assert!(done.state.ready.is_empty(), "13.16");
    }
}

#[test]
fn aircraft_check_before_losses_are_taken() {
    // R108.
    let game =
        pairs("D3*").unit("hq", (GERMAN, "G1", Kind::Headquarters), 1008).air("ju", GERMAN, 2, 7).game();
    let start = Scene::assault(&game).attack(&["a", "b"]);
    let wanted = [start.lead("a"), start.lead("d"), start.air("ju")];
    let fight = start.play_until(&[Phase::Losses], &[1, 5, 8], &wanted);
    assert_eq!(fight.state.phase, Phase::Losses, "the owner chooses who bears the second step");
    assert!(!fight.state.ready.contains(fight.air_id("ju")));
}

#[test]
fn a_leader_whose_points_helped_checks_on_a_red_result() {
    let ground = |at: u16| {
        let ground =
            Ground::new().result("-*").german("a", NORTH).german("b", NORTH_EAST).soviet("d", TARGET);
        ground
            .unit("x", (GERMAN, "G2", Kind::MotorisedInfantry), NORTH)
            .unit("hq", (GERMAN, "G1", Kind::Headquarters), at)
            .unit("leader", (GERMAN, "", Kind::Leader), at)
    };
    // Two formations: the ground check; 6 of efficiency; two points of the leader.
    for (at, rolls, survives) in [
        (NORTH, vec![5, 5, 5], true),
        (NORTH, vec![5, 5, 6], false),
        (1008, vec![5, 5], true), // in no attacking hex
    ] {
        let game = ground(at).game();
        let start = Scene::assault(&game).attack(&["a", "b", "x"]);
        let wanted = [start.lead("a"), start.points("leader")];
        let done = start.play(&rolls, &wanted);
        assert_eq!(done.at("leader") != 0, survives, "{at} {rolls:?}");
    }
    // Points not spent: no check.
    let game = ground(NORTH).game();
    let start = Scene::assault(&game).attack(&["a", "b", "x"]);
    let wanted = [start.lead("a")];
    assert_ne!(start.play(&[5, 5], &wanted).at("leader"), 0);
}

// ---- disorganisation ----

#[test]
fn a_d_disorganises_the_whole_side() {
    let ground = |result: &str| {
        pairs(result)
            .unit("gun", (GERMAN, "G1", Kind::Artillery), NORTH)
            .unit("far", (GERMAN, "G1", Kind::Artillery), 1006)
            .unit("leader", (SOVIET, "", Kind::Leader), TARGET)
    };
    let game = ground("D1Rd").game();
    let done = fight(Scene::assault(&game), &["a", "b"], &[5], ["a", "d"]);
    for (unit, disorganised) in [("d", true), ("e", true), ("a", false), ("leader", false)] {
        assert_eq!(done.has(unit, Mark::Disorganised), disorganised, "{unit}");
    }
    // 12.16: attacking artillery beside the hex, not that from afar.
    let game = ground("A1Rd").game();
    let start = Scene::assault(&game).attack(&["a", "b"]);
    let wanted = [start.lead("a"), start.lead("d"), start.unit("gun"), start.unit("far")];
    let done = start.play_until(&[Phase::Retreat], &[1, 5], &wanted);
    for (unit, disorganised) in [("a", true), ("b", true), ("gun", true), ("far", false), ("d", false)] {
        assert_eq!(done.has(unit, Mark::Disorganised), disorganised, "{unit}");
    }
    // R25: who stays is disorganised too.
    let game = ground("D1Rd").game();
    let done = fight(firm(Scene::assault(&game)), &["a", "b"], &[5], ["a", "d"]);
    assert!(done.has("e", Mark::Disorganised) && done.at("e") == TARGET);
}

// ---- who came late (11.36) ----

#[test]
fn late_comers_add_nothing_and_lose_what_is_left() {
    let ground = |result: &str| {
        Ground::new().result(result).german("a", NORTH).soviet("d", TARGET).soviet("late", TARGET)
    };
    let game = ground("A1/D3").game();
    let done = Scene::assault(&game).mark(&["late"], Mark::Retreated).attack(&["a"]).play_until(
        &[Phase::Advance],
        &[5],
        &[],
    );
    let (strengths, ..) = done.read();
    assert_eq!(strengths, [4, 4]);
    assert_eq!(
        (done.at("d"), done.steps("late"), done.steps("a")),
        (0, 1, 1),
        "three of the four steps there are"
    );
    let game = ground("D1R").game();
    let done = Scene::assault(&game).mark(&["late"], Mark::Retreated).attack(&["a"]);
    let done = done.play(&[5], &[go(SOUTH)]);
    assert_eq!((done.steps("d"), done.steps("late")), (1, 2));
    assert!(done.at("d") != TARGET && done.at("late") != TARGET, "they retreat with the others");
}

#[test]
fn late_comers_retreat_where_all_others_are_eliminated() {
    // 11.36, R106.
    let game =
        Ground::new().result("DE").german("a", NORTH).soviet("d", TARGET).soviet("late", TARGET).game();
    let done = Scene::assault(&game).mark(&["late"], Mark::Retreated).attack(&["a"]);
    let done = done.play(&[5], &[go(SOUTH)]);
    assert_eq!((done.at("d"), done.steps("late")), (0, 2));
    assert!(done.at("late") != TARGET && done.at("late") != 0);
}

#[test]
fn artillery_in_the_defender_hex_has_fired() {
    // 12.24: used or not; elsewhere only what took part.
    let game = pairs("-")
        .unit("gun", (SOVIET, "S1", Kind::Artillery), TARGET)
        .unit("far", (SOVIET, "S1", Kind::Artillery), 1013)
        .game();
    let done = Scene::assault(&game).attack(&["a", "b"]).play(&[5], &[]);
    assert!(done.has("gun", Mark::Fired) && !done.has("far", Mark::Fired));
}
