//! Strengths, odds, modifiers, the choice of leads (10.2 to 10.6).

use super::ground::{Fight, Ground, NORTH, NORTH_EAST, NORTH_WEST, SOUTH, Scene, TARGET};
use crate::action::Action;
use crate::battle::Fire;
use crate::combat::Modifiers;
use crate::ids::{Player, UnitId, hex};
use crate::phase::{Phase, Sequence};
use crate::rules::{Kind, Settlement, Terrain, Water};
use crate::state::Mark;

const GERMAN: Player = Player::German;
const SOVIET: Player = Player::Soviet;

/// Attack strength of all Germans beside the target.
fn attack(ground: Ground, marks: &[(&str, Mark)]) -> u16 {
    let game = ground.game();
    let mut scene = Scene::assault(&game);
    for (unit, mark) in marks {
        scene = scene.mark(&[unit], *mark);
    }
    let state = scene.editor.finish();
    let attackers = game.possible_attackers(&state, hex(TARGET));
    game.attack_strength(&state, &attackers, hex(TARGET))
}

fn three() -> Ground {
    let weak = |unit: &mut crate::rules::Unit| unit.full.offence = 3;
    Ground::new()
        .german("a", NORTH)
        .unit_as("b", (GERMAN, "G1", Kind::MotorisedInfantry), NORTH_EAST, weak)
        .unit_as("c", (GERMAN, "G1", Kind::MotorisedInfantry), SOUTH, weak)
        .soviet("d", TARGET)
}

fn river(ground: Ground, from: u16, bridge: bool) -> Ground {
    ground.side(from, TARGET, |side| (side.water, side.bridge) = (Water::River, bridge))
}

#[test]
fn offences_are_halved_group_by_group() {
    assert_eq!(attack(three(), &[]), 4 + 3 + 3);
    // 3.53, 3.54b: those unsupplied together, then rounded down.
    assert_eq!(attack(three(), &[("b", Mark::Unsupplied)]), 4 + 3 + 1);
    assert_eq!(attack(three(), &[("b", Mark::Unsupplied), ("c", Mark::Unsupplied)]), 4 + 3);
    // 6.12: Emergency supply is no halving.
    assert_eq!(attack(three(), &[("b", Mark::Emergency)]), 10);
    // 10.24: across a River, bridge or not; 3.56: the unsupplied first, then the River.
    assert_eq!(attack(river(three(), NORTH_EAST, true), &[]), 4 + 3 + 1);
    assert_eq!(attack(river(river(three(), NORTH_EAST, false), SOUTH, true), &[]), 4 + 3);
    assert_eq!(attack(river(three(), NORTH, false), &[("a", Mark::Unsupplied)]), 6 + 1);
    assert_eq!(attack(river(three(), NORTH_EAST, false), &[("b", Mark::Unsupplied)]), 7);
}

/// Final strengths with this artillery supporting: ids, and whether it needs no check.
fn final_strengths(ground: Ground, support: &[(&str, bool)], fire: Fire) -> [u16; 2] {
    let game = ground.game();
    let mut fight = Scene::assault(&game).attack(&["a"]).play_until(&[Phase::AttackLead], &[], &[]);
    fight.state.battle.attackers = fight.set(&["a"]);
    for (unit, sure) in support {
        let id = fight.id(unit);
        let at = usize::from(game.player(id) == SOVIET);
        fight.state.battle.support[at].insert(id);
        if *sure {
            fight.state.battle.sure[at] = id;
        }
    }
    fight.state.battle.fire = [fire; 2];
    fight.game.final_strengths(&fight.state)
}

fn with_guns() -> Ground {
    let gun = |id: &'static str, of, at| move |ground: Ground| ground.unit(id, of, at);
    let ground = Ground::new().german("a", NORTH).german("b", NORTH).soviet("d", TARGET);
    let ground = gun("g1", (GERMAN, "G1", Kind::Artillery), NORTH)(ground);
    let ground = gun("g2", (GERMAN, "G1", Kind::Artillery), 1007)(ground);
    let ground = gun("s1", (SOVIET, "S1", Kind::Artillery), TARGET)(ground);
    gun("s2", (SOVIET, "S1", Kind::Artillery), 1013)(ground)
}

#[test]
fn support_is_added_up_to_the_own_strength() {
    // One German of 4; a gun gives 3. A Soviet of 4 and a gun with a defence of 1 beside it.
    assert_eq!(final_strengths(with_guns(), &[], Fire::Full), [4, 5]);
    assert_eq!(final_strengths(with_guns(), &[("g1", false)], Fire::Full), [7, 5]);
    // 12.13f1: no more than the strength that is no artillery's.
    assert_eq!(final_strengths(with_guns(), &[("g1", false), ("g2", false)], Fire::Full), [8, 5]);
    // 12.23: support replaces the defence of the gun in the hex; 12.13f1 again.
    assert_eq!(final_strengths(with_guns(), &[("s1", true)], Fire::Full), [4, 7]);
    assert_eq!(final_strengths(with_guns(), &[("s1", true), ("s2", false)], Fire::Full), [4, 8]);
    // 10.42c, 3.54a: halves of each unit, rounded down; 12.17: the sure one stays full.
    assert_eq!(final_strengths(with_guns(), &[("g1", false), ("g2", false)], Fire::Half), [4 + 1 + 1, 5]);
    assert_eq!(final_strengths(with_guns(), &[("g1", true), ("g2", false)], Fire::Half), [4 + 3 + 1, 5]);
    assert_eq!(final_strengths(with_guns(), &[("g1", true), ("g2", false)], Fire::None), [4 + 3, 5]);
    // 10.25: Swamp halves support of both; 3.52: and failed coordination again.
    let swamp = || with_guns().hex(TARGET, |hex| hex.terrain = Terrain::Swamp);
    assert_eq!(final_strengths(swamp(), &[("g1", true), ("s1", true)], Fire::Full), [4 + 1, 4 + 1]);
    assert_eq!(final_strengths(swamp(), &[("g2", false)], Fire::Half), [4, 5]);
}

#[test]
fn artillery_alone_defends_with_its_defence() {
    // 12.21, 12.22, and no strength to cap support by.
    let ground = Ground::new()
        .german("a", NORTH)
        .unit("s1", (SOVIET, "S1", Kind::Artillery), TARGET)
        .unit("s2", (SOVIET, "S1", Kind::Artillery), TARGET)
        .unit("far", (SOVIET, "S1", Kind::Artillery), 1013);
    let game = ground.clone().game();
    let fight = Scene::assault(&game).attack(&["a"]).play_until(&[Phase::Artillery], &[], &[]);
    assert_eq!(fight.named(), ["far"]);
    assert_eq!(final_strengths(ground, &[("far", false)], Fire::Full), [4, 2]);
}

// ---- modifiers (10.61) ----

fn modifiers(fight: Fight<'_>) -> (Modifiers, i8) {
    let fight = fight.play_until(&[Phase::Losses], &[5], &[]);
    let (_, modifiers, net) = fight.read();
    (modifiers, net)
}

fn assault(ground: Ground, attackers: &[&str]) -> Modifiers {
    let game = ground.game();
    modifiers(Scene::assault(&game).attack(attackers)).0
}

fn pair() -> Ground {
    Ground::new().german("a", NORTH).german("b", NORTH_EAST).soviet("d", TARGET)
}

#[test]
fn only_the_best_terrain_of_the_hex_counts() {
    let of = |change: fn(&mut crate::rules::HexData)| assault(pair().hex(TARGET, change), &["a"]).terrain;
    assert_eq!(of(|_| ()), 0);
    assert_eq!(of(|hex| hex.woods = true), 1);
    assert_eq!(of(|hex| (hex.woods, hex.terrain) = (true, Terrain::Rough)), 1, "10.22a: not both");
    assert_eq!(of(|hex| hex.settlement = Settlement::Town), 2);
    assert_eq!(of(|hex| hex.settlement = Settlement::Village), 1);
    assert_eq!(of(|hex| hex.settlement = Settlement::Hamlet), 0);
    assert_eq!(of(|hex| hex.terrain = Terrain::Swamp), 0);
    // 10.21: where the attackers stand does not matter.
    assert_eq!(assault(pair().hex(NORTH, |hex| hex.woods = true), &["a"]).terrain, 0);
}

#[test]
fn sides_count_if_all_attack_across_them() {
    let stream = |ground: Ground, from| ground.side(from, TARGET, |side| side.water = Water::Stream);
    assert_eq!(assault(stream(pair(), NORTH), &["a"]).stream, 1);
    assert_eq!(assault(stream(pair(), NORTH), &["a", "b"]).stream, 0);
    assert_eq!(assault(stream(stream(pair(), NORTH), NORTH_EAST), &["a", "b"]).stream, 1);
    // Cumulative with a slope; only uphill.
    let both = pair().side(NORTH, TARGET, |side| {
        (side.water, side.slope_up_into) = (Water::Stream, Some(hex(TARGET)));
    });
    let read = assault(both, &["a"]);
    assert_eq!((read.stream, read.slope), (1, 1));
    let down = pair().side(NORTH, TARGET, |side| side.slope_up_into = Some(hex(NORTH)));
    assert_eq!(assault(down, &["a"]).slope, 0);
    let (uphill, other) =
        (pair().side(NORTH, TARGET, |side| side.slope_up_into = Some(hex(TARGET))), ["a", "b"]);
    assert_eq!(assault(uphill, &other).slope, 0);
}

fn line(ground: Ground, from: u16) -> Ground {
    ground.side(from, TARGET, |side| side.fort_protects = Some(hex(TARGET)))
}

#[test]
fn a_line_and_a_position_are_not_added() {
    let position = |scene: Scene<'_>| modifiers(scene.attack(&["a"])).0.works;
    let game = pair().game();
    assert_eq!(position(Scene::assault(&game)), 0);
    assert_eq!(position(Scene::assault(&game).with(|editor| _ = editor.position(TARGET, SOVIET, true))), 1);
    let game = line(pair(), NORTH).game();
    assert_eq!(position(Scene::assault(&game)), 2);
    assert_eq!(
        position(Scene::assault(&game).with(|editor| _ = editor.position(TARGET, SOVIET, true))),
        2,
        "R24"
    );
    assert_eq!(position(Scene::assault(&game).with(|editor| _ = editor.destroy_line(TARGET))), 0, "14.36");
    // 14.12c: wholly behind it.
    assert_eq!(assault(line(pair(), NORTH), &["a", "b"]).works, 0);
    assert_eq!(assault(line(line(pair(), NORTH), NORTH_EAST), &["a", "b"]).works, 2);
    // R72: the German gets nothing from a line.
    let reversed =
        line(Ground::new().unit("a", (SOVIET, "S1", Kind::Infantry), NORTH).german("d", TARGET), NORTH);
    let game = reversed.game();
    assert_eq!(position(Scene::new(&game, &["S1"], Sequence::Assault)), 0);
}

#[test]
fn the_leads_efficiency_counts_as_it_is() {
    // E18: 5 against 7 is +2.
    let ground = |attacker: u8, defender: u8| {
        Ground::new()
            .unit_as("a", (GERMAN, "G1", Kind::MotorisedInfantry), NORTH, |unit| {
                unit.full.efficiency = attacker;
            })
            .unit_as("d", (SOVIET, "S1", Kind::Infantry), TARGET, |unit| unit.full.efficiency = defender)
    };
    assert_eq!(assault(ground(5, 7), &["a"]).efficiency, 2);
    assert_eq!(assault(ground(7, 6), &["a"]).efficiency, -1);
    let game = ground(6, 6).game();
    let scene = Scene::assault(&game).mark(&["d"], Mark::Disorganised).mark(&["d"], Mark::Unsupplied);
    assert_eq!(modifiers(scene.attack(&["a"])).0.efficiency, -3);
}

#[test]
fn a_no_retreat_marker_is_worth_one() {
    let game = pair().game();
    let scene = Scene::assault(&game).with(|editor| _ = editor.no_retreat(TARGET, true));
    assert_eq!(modifiers(scene.attack(&["a"])).0.no_retreat, 1);
    assert_eq!(modifiers(Scene::assault(&game).attack(&["a"])).0.no_retreat, 0);
}

fn armoured() -> Ground {
    pair().unit("p", (GERMAN, "G1", Kind::Armour), NORTH)
}

#[test]
fn armour_and_its_partners_combine() {
    assert_eq!(assault(armoured(), &["p", "a"]).combined_arms, -1);
    assert_eq!(assault(armoured(), &["p", "b"]).combined_arms, -1, "from any hex");
    assert_eq!(assault(armoured(), &["a", "b"]).combined_arms, 0, "no armour");
    let foot = armoured().unit("i", (GERMAN, "G1", Kind::Infantry), NORTH);
    assert_eq!(assault(foot, &["p", "i"]).combined_arms, 0, "no partner");
    let guns = armoured().unit("at", (SOVIET, "S1", Kind::AntiTank), TARGET);
    assert_eq!(assault(guns, &["p", "a"]).combined_arms, 0, "red defence in the hex");
    let town = armoured().hex(TARGET, |hex| hex.settlement = Settlement::Town);
    assert_eq!(assault(town, &["p", "a"]).combined_arms, 0, "a town");
    assert_eq!(assault(line(armoured(), NORTH), &["p", "a"]).combined_arms, 0, "behind a line");
    assert_eq!(assault(river(armoured(), NORTH, true), &["p", "b"]).combined_arms, 0, "over a bridged river");
    assert_eq!(assault(river(armoured(), NORTH, true), &["p", "a", "b"]).combined_arms, 0);
    let game = armoured().game();
    let read = |scene: Scene<'_>| modifiers(scene.attack(&["p", "a"])).0.combined_arms;
    assert_eq!(read(Scene::assault(&game).with(|editor| _ = editor.position(TARGET, SOVIET, true))), 0);
    let game = armoured().unit("hq", (GERMAN, "G1", Kind::Headquarters), NORTH).game();
    // 3.72h; the check for disorganised attackers is passed with a 1.
    let scene = Scene::assault(&game).mark(&["a"], Mark::Disorganised);
    let fight = scene.attack(&["p", "a"]);
    let wanted = [fight.lead("p")];
    let fight = fight.play_until(&[Phase::Losses], &[1, 5], &wanted);
    assert_eq!(fight.read().1.combined_arms, 0);
}

#[test]
fn engineers_count_once_against_towns_and_works() {
    let engineers = || {
        pair()
            .unit("e", (GERMAN, "G1", Kind::MotorisedEngineer), NORTH)
            .unit("f", (GERMAN, "G1", Kind::Engineer), NORTH)
            .unit("se", (SOVIET, "S1", Kind::Engineer), TARGET)
    };
    let town = |ground: Ground| ground.hex(TARGET, |hex| hex.settlement = Settlement::Town);
    assert_eq!(assault(town(engineers()), &["a", "e", "f"]).engineers, -1);
    assert_eq!(assault(town(engineers()), &["a"]).engineers, 0, "the defender's do nothing");
    assert_eq!(assault(line(engineers(), NORTH), &["a", "f"]).engineers, -1);
    assert_eq!(assault(engineers(), &["a", "e"]).engineers, 0, "open ground");
    let game = engineers().game();
    let scene = Scene::assault(&game).with(|editor| _ = editor.position(TARGET, SOVIET, true));
    assert_eq!(modifiers(scene.attack(&["a", "e"])).0.engineers, -1);
    let scene = Scene::assault(&game)
        .mark(&["e"], Mark::Disorganised)
        .with(|editor| _ = editor.position(TARGET, SOVIET, true));
    let fight = scene.attack(&["a", "e"]);
    let wanted = [fight.lead("a")];
    let fight = fight.play_until(&[Phase::Losses], &[1, 5], &wanted);
    assert_eq!(fight.read().1.engineers, 0, "disorganised");
}

#[test]
fn the_net_modifier_is_limited() {
    // E28, D09: woods +1, stream +1, slope +1, position +1, efficiency +4: +8 counts as +5.
    let ground = |attacker: u8, defender: u8| {
        Ground::new()
            .unit_as("a", (GERMAN, "G1", Kind::MotorisedInfantry), NORTH, |unit| {
                unit.full.efficiency = attacker;
            })
            .unit_as("d", (SOVIET, "S1", Kind::Infantry), TARGET, |unit| unit.full.efficiency = defender)
            .hex(TARGET, |hex| hex.woods = true)
            .side(NORTH, TARGET, |side| (side.water, side.slope_up_into) = (Water::Stream, Some(hex(TARGET))))
    };
    let game = ground(2, 6).game();
    let scene = Scene::assault(&game).with(|editor| _ = editor.position(TARGET, SOVIET, true));
    let (read, net) = modifiers(scene.attack(&["a"]));
    assert_eq!((read.sum(), net), (8, 5));
    let game = ground(10, 1).game();
    let (read, net) = modifiers(Scene::assault(&game).attack(&["a"]));
    assert_eq!((read.sum(), net), (-6, -5));
}

// ---- odds (10.53) ----

#[test]
fn odds_below_the_table_are_not_rolled() {
    // Attack of 4 against 4 that a reaction has made 20: A2Rd, without a die.
    let heavy = |unit: &mut crate::rules::Unit| unit.full.defence = 20;
    let ground = Ground::new().unit("a", (GERMAN, "G1", Kind::MotorisedInfantry), NORTH).unit_as(
        "d",
        (SOVIET, "S1", Kind::Infantry),
        TARGET,
        heavy,
    );
    let game = ground.game();
    let fight = Scene::assault(&game).attack(&["a"]).play_until(&[Phase::Retreat], &[], &[]);
    assert_eq!(fight.steps("a"), 0, "two steps");
    assert!(fight.facts.iter().any(|fact| matches!(
        fact,
        crate::Event::Combat { column: None, roll: 0, result, .. } if result.to_string() == "A2Rd"
    )));
}

#[test]
fn an_attack_without_strength_is_called_off() {
    // 3.54c: one point, halved across the River.
    let weak = |unit: &mut crate::rules::Unit| unit.full.offence = 1;
    let ground = river(Ground::new(), NORTH, true)
        .unit_as("a", (GERMAN, "G1", Kind::MotorisedInfantry), NORTH, weak)
        .soviet("d", TARGET);
    let game = ground.game();
    let fight = Scene::assault(&game).attack(&["a"]).play(&[], &[]);
    assert_eq!(fight.state.phase, Phase::Combat);
    assert!(fight.open().is_empty());
    assert!(!fight.facts.iter().any(|fact| matches!(fact, crate::Event::Combat { .. })));
}

// ---- leads (3.43c, 10.17, 10.44, 15.12) ----

#[test]
fn leads_are_active_and_no_headquarters() {
    let ground = pair()
        .unit("x", (GERMAN, "G2", Kind::MotorisedInfantry), NORTH)
        .unit("army", (GERMAN, "army", Kind::Engineer), NORTH)
        .soviet("e", TARGET)
        .unit("gun", (SOVIET, "S1", Kind::Artillery), TARGET)
        .unit("hq", (SOVIET, "S1", Kind::Headquarters), TARGET)
        .unit_as("staff", (GERMAN, "G1", Kind::Headquarters), NORTH, |unit| unit.full.offence = 1);
    let game = ground.game();
    let fight = Scene::assault(&game)
        .with(|editor| _ = editor.active("army"))
        .attack(&["a", "b", "x", "army", "staff"])
        .play_until(&[Phase::AttackLead], &[], &[]);
    assert_eq!(
        fight.named(),
        ["a", "b", "army"],
        "inactive formations join an Assault, but never lead; 15.12"
    );
    let fight = fight.play_until(&[Phase::DefenceLead], &[], &[]);
    assert_eq!(fight.named(), ["d", "e"]);
    // Headquarters alone.
    let game = Ground::new().german("a", NORTH).unit("hq", (SOVIET, "S1", Kind::Headquarters), TARGET).game();
    let fight = Scene::assault(&game).attack(&["a"]).play_until(&[Phase::Losses], &[5], &[]);
    assert_eq!(fight.state.battle.lead[1], fight.id("hq"));
}

#[test]
fn attacks_are_fought_in_any_order_and_once() {
    let ground = pair().soviet("e", 910).german("c", NORTH_WEST);
    let game = ground.game();
    let scene = Scene::assault(&game).declare(TARGET, &["a"], crate::rules::Crt::Assault);
    let fight = scene.declare(910, &["c"], crate::rules::Crt::Assault).fight();
    let targets = [910, TARGET].map(|number| Action::Target(hex(number)));
    assert_eq!(fight.open(), targets);
    let fight = fight.play(&[5, 5], &[targets[1], targets[0]]);
    assert_eq!(fight.open(), []);
    assert_eq!(fight.state.battle.lead, [UnitId::NONE; 2]);
}

#[test]
fn who_defends_digs_no_longer() {
    // 14.33, R75.
    let game = pair().game();
    let fight = Scene::assault(&game).mark(&["d"], Mark::Digging).attack(&["a"]);
    assert!(fight.has("d", Mark::Digging));
    assert!(!fight.play(&[5], &[]).has("d", Mark::Digging));
}
