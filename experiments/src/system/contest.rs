//! Games of which only the result is kept.

use std::borrow::Cow;

use sandtable_ai::{Agent, AgentSpec, Streams, View};
use sandtable_core::{Game, MAX_SIDES, Outcome, Seat, Side, Turn};
use serde::{Deserialize, Serialize};

use super::{Opened, System};
use crate::failure::Failure;

/// How a game ended.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameResult {
    /// The winning team; none for a draw.
    pub winner: Option<u8>,
    /// Points in the game's own unit, by side.
    pub points: [f32; MAX_SIDES],
    /// Worth of the result, 0 to 1, by side.
    pub utility: [f32; MAX_SIDES],
    /// The game turn in which it ended, from 1.
    pub turns: u32,
    /// How many decisions were made.
    pub decisions: u32,
    /// Why it ended.
    pub cause: Cow<'static, str>,
}

impl GameResult {
    fn new(outcome: &Outcome, turns: u32, decisions: u32) -> Self {
        GameResult {
            winner: outcome.winner,
            points: outcome.points.0,
            utility: outcome.utility.0,
            turns,
            decisions,
            cause: Cow::Borrowed(outcome.cause),
        }
    }
}

/// Agents seated at a game, who play it again and again.
pub trait Contest {
    /// Plays game number `game` of the run with this seed: the very game that [`Player`](super::Player) plays.
    fn play(&mut self, seed: u64, game: u64) -> GameResult;
}

/// The contest of these agents, one a side.
pub(super) fn seat<'a, S: System>(
    opened: &'a Opened<'_, S>,
    agents: &[AgentSpec],
) -> Result<Box<dyn Contest + 'a>, Failure> {
    let game = &opened.scenario.game;
    assert_eq!(agents.len(), game.sides().len(), "every side has an agent");
    let agents = agents.iter().map(|spec| spec.build(&opened.scenario.brain)).collect::<Result<_, _>>();
    let agents = agents.map_err(|error| Failure::input(error.to_string()))?;
    Ok(Box::new(Seated { game, agents, legal: Vec::new() }))
}

struct Seated<'a, G: Game> {
    game: &'a G,
    agents: Vec<Box<dyn Agent<G>>>,
    legal: Vec<G::Action>,
}

impl<G: Game> Contest for Seated<'_, G> {
    fn play(&mut self, seed: u64, number: u64) -> GameResult {
        let game = self.game;
        let mut streams = Streams::new(seed, number, self.agents.len());
        for (side, agent) in self.agents.iter_mut().enumerate() {
            agent.begin_game(Side(side as u8));
        }
        let mut table = Seat::silent(&mut streams.dice);
        let mut state = game.initial(&mut table);
        let mut decisions = 0;
        self.legal.clear();
        if let Turn::Decide(_) = game.turn_of(&state) {
            game.legal_actions(&state, &mut self.legal);
        }
        while let Turn::Decide(side) = game.turn_of(&state) {
            let rng = &mut streams.agents[side.index()];
            let action = self.agents[side.index()].choose(&View::new(game, &state, side, &self.legal), rng);
            decisions += 1;
            game.apply_listing(&mut state, action, &mut table, &mut self.legal, |_| true);
        }
        let outcome = game.outcome(&state).expect("a game that is over has an outcome");
        GameResult::new(&outcome, game.turn_number(&state), decisions)
    }
}
