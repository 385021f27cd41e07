//! No game, line or position weighs on another: every kind of agent on the reference games, see `sandtable_ai::kit`.

mod common;

use common::{Farmer, Harvest};
use sandtable_ai::kit::{AGENTS, AGENTS_WITH_POLICIES, check_independence};
use sandtable_ai::{Plain, agents};
use sandtable_reference::{Backgammon, ConnectFour, Kuhn, Skirmish};

#[test]
fn every_kind_of_agent_is_checked() {
    for kind in agents() {
        let specs = AGENTS.iter().chain(&AGENTS_WITH_POLICIES);
        assert!(specs.into_iter().any(|spec| spec.split(':').next() == Some(kind.name)), "{}", kind.name);
    }
}

#[test]
fn games_of_the_reference_games_do_not_depend_on_each_other() {
    check_independence("connect four", &ConnectFour::new(), || Plain, &AGENTS, 60);
    check_independence("backgammon", &Backgammon::new(), || Plain, &AGENTS, 60);
    check_independence("Kuhn poker", &Kuhn::new(), || Plain, &AGENTS, 60);
    check_independence("skirmish", &Skirmish::new(), || Plain, &AGENTS, 60);
    check_independence("harvest", &Harvest::new(), || Farmer, &AGENTS, 60);
    let scripted = ["scripted", "mcts:iterations=30,rollout=scripted,evaluator=gain"];
    check_independence("harvest", &Harvest::new(), || Farmer, &scripted, 60);
}
