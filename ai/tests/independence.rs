//! No game, line or position weighs on another: every kind of agent in every scenario, see `sandtable_ai::kit`.

mod common;

use common::{Farmer, Harvest};
use sandtable_ai::blitzwar::BlitzBrain;
use sandtable_ai::victory_in_europe::VictoryBrain;
use sandtable_ai::{Brain, Plain, agents, kit};
use sandtable_blitzwar::BlitzWar;
use sandtable_core::Game;
use sandtable_reference::{Backgammon, ConnectFour, Kuhn};
use sandtable_scenarios::{AnySystem, Scenario, System};
use sandtable_victory_in_europe::VictoryInEurope;

/// Each kind of agent, with whatever it may remember: turns' budgets, trees kept between decisions, trees by side, plans.
const PLAIN: [&str; 5] = [
    "random",
    "flat-mc:iterations=12,per=turn,depth=8",
    "mcts:iterations=12,depth=8",
    "ismcts:iterations=12,per=turn,depth=8",
    "ismcts:iterations=12,opponents=informed,depth=8",
];
const WITH_POLICIES: [&str; 3] = [
    "scripted",
    "flat-mc:iterations=8,depth=8,rollout=scripted",
    "mcts:iterations=8,depth=8,rollout=scripted,over=actions",
];
const WITH_PLANS: [&str; 2] =
    ["mcts:iterations=20,depth=30", "ismcts:iterations=20,depth=30,opponents=informed,per=turn"];

fn check<G: Game + 'static, B: Brain<G>>(
    name: &str,
    game: &G,
    brain: impl Fn() -> B,
    specs: &[&str],
    decisions: u32,
) {
    for spec in specs {
        let checked = kit::check_agent(game, &brain, &spec.parse().unwrap(), decisions);
        assert_eq!(checked, Ok(()), "{name}");
    }
    let brain = brain();
    assert_eq!(kit::check_policies(game, &brain), Ok(()), "{name}");
    assert_eq!(kit::check_guides(game, &brain), Ok(()), "{name}");
}

#[test]
fn every_kind_of_agent_is_checked() {
    for kind in agents() {
        let specs = PLAIN.iter().chain(&WITH_POLICIES);
        assert!(specs.into_iter().any(|spec| spec.split(':').next() == Some(kind.name)), "{}", kind.name);
    }
}

#[test]
fn games_of_the_reference_games_do_not_depend_on_each_other() {
    check("connect four", &ConnectFour::new(), || Plain, &PLAIN, 60);
    check("backgammon", &Backgammon::new(), || Plain, &PLAIN, 60);
    check("Kuhn poker", &Kuhn::new(), || Plain, &PLAIN, 60);
    check("harvest", &Harvest::new(), || Farmer, &PLAIN, 60);
    check(
        "harvest",
        &Harvest::new(),
        || Farmer,
        &["scripted", "mcts:iterations=30,rollout=scripted,guide=gain"],
        60,
    );
}

/// The scenarios of a system, by name.
fn scenarios<R>(system: &System<R>) -> Vec<Scenario<R>> {
    system.scenarios().iter().map(|scenario| system.open(&scenario.name, &[]).unwrap()).collect()
}

#[test]
fn games_of_blitzwar_do_not_depend_on_each_other() {
    for scenario in scenarios(&sandtable_scenarios_blitzwar::SYSTEM) {
        let name = scenario.name().to_owned();
        let game = BlitzWar::new(scenario.into_rules()).unwrap();
        let specs = [&PLAIN[..], &WITH_POLICIES, &WITH_PLANS, &["scripted:policy=light,deny=air"]].concat();
        check(&name, &game, || BlitzBrain::new(&game), &specs, 50);
    }
}

#[test]
fn games_of_victory_in_europe_do_not_depend_on_each_other() {
    for scenario in scenarios(&sandtable_scenarios_victory_in_europe::SYSTEM) {
        let name = scenario.name().to_owned();
        let game = VictoryInEurope::new(scenario.into_rules()).unwrap();
        let specs = [&PLAIN[..], &WITH_POLICIES, &WITH_PLANS, &["scripted:deny=air"]].concat();
        check(&name, &game, || VictoryBrain::new(&game), &specs, 50);
    }
}
