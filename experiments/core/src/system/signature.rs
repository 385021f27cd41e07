//! One number for the behaviour of a scenario and of the agents that play it.

use std::hash::{Hash, Hasher};

use sandtable_ai::{AgentSpec, Assignment, Streams, SystemKnowledge, View};
use sandtable_core::{Digest, Game, PlayContext, Turn};

/// How much of a scenario is signed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signed {
    /// Games played by each agent assignment.
    pub games: u64,
    /// After how many decisions a game of scripted players is broken off.
    pub scripted_decisions: u32,
}

impl Default for Signed {
    fn default() -> Self {
        Signed { games: 4, scripted_decisions: u32::MAX }
    }
}

/// Who plays, and after how many decisions a game is broken off, [`Signed::scripted_decisions`] apart.
const ASSIGNMENTS: [(&str, u32); 4] = [
    ("random", u32::MAX),
    ("scripted", u32::MAX),
    ("mcts:iterations=50,rollout=random,depth=40", 24),
    ("ismcts:iterations=50,rollout=random,depth=40", 24),
];

/// The digest of every position, choice and result of a few games at a fixed seed: whole ones played at random and,
/// where the system knows how, by its script; the beginnings of others played by tree search.
pub(super) fn of<G: Game + 'static>(game: &G, knowledge: &dyn SystemKnowledge<G>, signed: Signed) -> u64 {
    let mut digest = Digest::default();
    for (text, limit) in ASSIGNMENTS {
        let spec: AgentSpec = text.parse().expect("the specification is fixed");
        let specs = vec![spec; game.sides().len()];
        // A system without a script has nothing to sign there.
        let Ok(assignment) = Assignment::new(&specs, knowledge) else { continue };
        let limit = if text == "scripted" { signed.scripted_decisions } else { limit };
        for number in 0..signed.games {
            sign_game(game, &assignment, number, limit, &mut digest);
        }
    }
    digest.finish()
}

fn sign_game<G: Game + 'static>(
    game: &G,
    assignment: &Assignment<'_, G>,
    number: u64,
    limit: u32,
    digest: &mut Digest,
) {
    let mut streams = Streams::new(1, number, assignment.sides());
    let mut agents: Vec<_> = assignment.agents().collect();
    let mut context = PlayContext::silent(&mut streams.dice);
    let mut state = game.initial(&mut context);
    let mut legal = Vec::new();
    for _ in 0..limit {
        game.hash(&state).hash(digest);
        let Turn::Decide(side) = game.turn_of(&state) else { break };
        legal.clear();
        game.legal_actions(&state, &mut legal);
        let view = View::new(game, &state, side, &legal);
        let action = agents[side.index()].choose(&view, &mut streams.agents[side.index()]);
        legal.binary_search(&action).expect("agents choose legal actions").hash(digest);
        game.apply(&mut state, action, &mut context);
    }
    if let Some(outcome) = game.outcome(&state) {
        (outcome.winner, outcome.end_reason).hash(digest);
        outcome.points.0.iter().chain(&outcome.utility.0).for_each(|value| value.to_bits().hash(digest));
    }
}
