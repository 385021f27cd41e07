//! What is denied to an agent is not done.

use sandtable_ai::{
    Agent, AgentSpec, Decision, Restricted, Restriction, Streams, SystemKnowledge, View, play_game,
};
use sandtable_ai_blitzwar::BlitzKnowledge;
use sandtable_blitzwar::{Action, BlitzWar, State};
use sandtable_core::{Game, PlayContext, Side, Turn};

fn france() -> BlitzWar {
    let scenario = sandtable_scenarios_blitzwar::open("blitzwar/france-1940", &[]).unwrap();
    BlitzWar::new(scenario.into_rules()).unwrap()
}

/// Plays a game of one agent on all sides; calls `check` at every decision, with what was legal and chosen.
fn watch(game: &BlitzWar, spec: &str, number: u64, mut check: impl FnMut(&State, Side, &[Action], Action)) {
    let knowledge = BlitzKnowledge::new(game);
    let mut agents: Vec<_> =
        (0..3).map(|_| spec.parse::<AgentSpec>().unwrap().build(&knowledge).unwrap()).collect();
    let mut streams = Streams::new(3, number, 3);
    let mut context = PlayContext::silent(&mut streams.dice);
    let mut state = game.initial(&mut context);
    let mut legal = Vec::new();
    while let Turn::Decide(side) = game.turn_of(&state) {
        legal.clear();
        game.legal_actions(&state, &mut legal);
        let view = View::new(game, &state, side, &legal);
        let action = agents[side.index()].choose(&view, &mut streams.agents[side.index()]);
        check(&state, side, &legal, action);
        game.apply(&mut state, action, &mut context);
    }
}

#[test]
fn what_is_denied_is_not_done() {
    let game = france();
    let knowledge = BlitzKnowledge::new(&game);
    for restriction in knowledge.restrictions() {
        // How often an agent gave way; not every one of them comes into the position.
        let mut denied = 0;
        for agent in ["random", "scripted", "mcts:iterations=2"] {
            let spec = agent.parse::<AgentSpec>().unwrap().denied(restriction.name).unwrap().to_string();
            watch(&game, &spec, 0, |state, side, legal, action| {
                let is_denied = |action| (restriction.denies)(&game, state, side, action);
                let among = legal.iter().filter(|&&action| is_denied(action)).count();
                denied += u32::from(among > 0 && among < legal.len());
                assert!(!is_denied(action) || among == legal.len(), "{spec} did {action:?}");
                let is_forced = among == legal.len();
                assert!(!is_forced || restriction.name.ends_with("-cards"), "{spec}: forced to {action:?}");
            });
        }
        assert!(denied > 0, "{}: it never came up", restriction.name);
    }
}

#[test]
fn without_a_denied_action_play_is_the_same() {
    const NOTHING: Restriction<BlitzWar> =
        Restriction { name: "nothing", summary: "nothing", denies: |_, _, _, _| false };
    let game = france();
    let knowledge = BlitzKnowledge::new(&game);
    let build = |spec: &str| spec.parse::<AgentSpec>().unwrap().build(&knowledge).unwrap();
    let mut free = Vec::new();
    watch(&game, "scripted", 1, |_, _, _, action| free.push(action));
    let agents: Vec<Box<dyn Agent<BlitzWar>>> = (0..3)
        .map(|_| Box::new(Restricted::new(build("scripted"), vec![NOTHING])) as Box<dyn Agent<BlitzWar>>)
        .collect();
    let mut streams = Streams::new(3, 1, 3);
    let mut same = Vec::new();
    play_game(&game, agents, &mut streams, (), &mut |decision: &Decision<'_, BlitzWar>| {
        same.push(decision.action);
    });
    assert_eq!(free, same);
}
