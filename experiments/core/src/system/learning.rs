//! What a game shows to somebody who wants to learn what positions are worth.

use sandtable_ai::{
    AgentSpec, Assignment, Decision, Evaluator, Feature, Streams, SystemKnowledge, play_game,
};
use sandtable_core::{Game, Side};

use super::{Opened, System};
use crate::failure::Failure;

/// The value of positions that an evaluator has now.
#[derive(Clone, PartialEq, Debug)]
pub struct KnownValue {
    /// The name of the evaluator.
    pub evaluator: &'static str,
    /// Which value it is: scenarios of the same one can share what is learned.
    pub id: &'static str,
    /// What it looks at.
    pub features: &'static [Feature],
    /// The constant and the weights of the features, in logits.
    pub weights: Vec<(&'static str, f32)>,
}

/// A position that came up in a game.
#[derive(Clone, PartialEq, Debug)]
pub struct PositionSample {
    /// Its features.
    pub features: Vec<f32>,
    /// What the evaluator predicts now, 0 to 1.
    pub predicted: f32,
}

/// A game, as it looked from the side that is valued.
#[derive(Clone, PartialEq, Debug)]
pub struct GameSample {
    /// The first position of each game turn in which somebody decided, but for the turn in which the game began: set-ups tell
    /// nothing.
    pub positions: Vec<PositionSample>,
    /// What the result was worth to the side, 0 to 1.
    pub utility: f32,
}

/// The evaluator of the system, if its value can be learned.
fn evaluator<S: System>(opened: &Opened<'_, S>) -> Result<Box<dyn Evaluator<S::Game>>, Failure> {
    let knowledge = &opened.scenario.knowledge;
    let none = || {
        let id = &opened.scenario.id;
        Failure::input(format!("{id}: this system has no evaluator whose value can be learned"))
    };
    let name = SystemKnowledge::default_evaluator(knowledge);
    let mut evaluator = SystemKnowledge::evaluator(knowledge, name).ok_or_else(none)?;
    evaluator.value().ok_or_else(none)?;
    Ok(evaluator)
}

pub(super) fn known_value<S: System>(opened: &Opened<'_, S>) -> Result<KnownValue, Failure> {
    let mut evaluator = evaluator(opened)?;
    let value = evaluator.value().expect("it has one");
    Ok(KnownValue {
        evaluator: SystemKnowledge::default_evaluator(&opened.scenario.knowledge),
        id: value.id(),
        features: value.features(),
        weights: value.weights().collect(),
    })
}

pub(super) fn game_sample<S: System>(
    opened: &Opened<'_, S>,
    agents: &[AgentSpec],
    (seed, number): (u64, u64),
) -> Result<GameSample, Failure> {
    let game = &opened.scenario.game;
    let assignment = Assignment::new(agents, &opened.scenario.knowledge);
    let assignment = assignment.map_err(|error| Failure::input(error.to_string()))?;
    let mut evaluator = evaluator(opened)?;
    let (mut turn, mut positions, mut valued) = (None, Vec::new(), Side(0));
    let mut note = |decision: &Decision<'_, S::Game>| {
        let now = game.turn_number(decision.state);
        let begins = turn.replace(now).is_some_and(|turn| turn != now);
        if begins {
            let mut features = Vec::new();
            valued = evaluator.features(game, decision.state, &mut features).unwrap_or(valued);
            let predicted = evaluator.evaluate(game, decision.state)[valued];
            positions.push(PositionSample { features, predicted });
        }
    };
    let mut streams = Streams::new(seed, number, assignment.sides());
    let outcome = play_game(game, assignment.agents(), &mut streams, (), &mut note);
    Ok(GameSample { positions, utility: outcome.utility[valued] })
}
