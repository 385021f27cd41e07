//! Games of which only the result is kept.

use std::borrow::Cow;

use sandtable_ai::{Agent, AgentSpec, Assignment, Streams, View};
use sandtable_core::{Game, MAX_SIDES, Outcome, PlayContext, Turn};
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
    pub end_reason: Cow<'static, str>,
    /// The worth of the position to the first team after each game turn, in ten-thousandths, the last being that of the
    /// result; empty unless it was asked for and the system can tell.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub course: Vec<u16>,
}

impl GameResult {
    fn new(outcome: &Outcome, turns: u32, decisions: u32) -> Self {
        GameResult {
            winner: outcome.winner,
            points: outcome.points.0,
            utility: outcome.utility.0,
            turns,
            decisions,
            end_reason: Cow::Borrowed(outcome.end_reason),
            course: Vec::new(),
        }
    }
}

/// Games between the same specifications of agents. Each game has agents of its own.
pub trait Contest {
    /// Plays game number `game` of the run with this seed: the very game that [`Player`](super::Player) plays.
    fn play(&mut self, seed: u64, game: u64) -> GameResult;
}

/// The contest of these agents, one a side; with the course of each game if asked.
pub(super) fn contest<'a, S: System>(
    opened: &'a Opened<'_, S>,
    agents: &[AgentSpec],
    with_course: bool,
) -> Result<Box<dyn Contest + 'a>, Failure> {
    let game = &opened.scenario.game;
    assert_eq!(agents.len(), game.sides().len(), "every side has an agent");
    let assignment = Assignment::new(agents, &opened.scenario.knowledge);
    let assignment = assignment.map_err(|error| Failure::input(error.to_string()))?;
    Ok(Box::new(Seated { opened, assignment, agents: Vec::new(), legal: Vec::new(), with_course }))
}

struct Seated<'a, S: System> {
    opened: &'a Opened<'a, S>,
    assignment: Assignment<'a, S::Game>,
    /// Those of the game at hand.
    agents: Vec<Box<dyn Agent<S::Game>>>,
    legal: Vec<<S::Game as Game>::Action>,
    with_course: bool,
}

/// A worth from 0 to 1 in ten-thousandths.
fn ten_thousandths(worth: f32) -> u16 {
    (worth.clamp(0.0, 1.0) * 10_000.0).round() as u16
}

impl<S: System> Seated<'_, S> {
    /// Notes the worth of the position after each of the turns that have ended.
    fn note(&self, turns: u32, state: &<S::Game as Game>::State, course: &mut Vec<u16>) {
        if let Some(worth) = self.opened.system.position_value(&self.opened.scenario, state) {
            course.extend((0..turns).map(|_| ten_thousandths(worth.0[first_side(self.opened)])));
        }
    }
}

/// A side of the first team.
fn first_side<S: System>(opened: &Opened<'_, S>) -> usize {
    opened.scenario.game.sides().iter().position(|side| side.team == 0).unwrap_or(0)
}

impl<S: System> Contest for Seated<'_, S> {
    fn play(&mut self, seed: u64, number: u64) -> GameResult {
        let game = &self.opened.scenario.game;
        let mut streams = Streams::new(seed, number, self.assignment.sides());
        self.agents.clear();
        self.agents.extend(self.assignment.agents());
        let mut context = PlayContext::silent(&mut streams.dice);
        let mut state = game.initial(&mut context);
        let (mut turn, mut decisions) = (game.turn_number(&state), 0);
        let mut course = Vec::new();
        self.legal.clear();
        if let Turn::Decide(_) = game.turn_of(&state) {
            game.legal_actions(&state, &mut self.legal);
        }
        while let Turn::Decide(side) = game.turn_of(&state) {
            let now = game.turn_number(&state);
            if self.with_course && now != turn {
                self.note(now - turn, &state, &mut course);
            }
            turn = now;
            let rng = &mut streams.agents[side.index()];
            let action = self.agents[side.index()].choose(&View::new(game, &state, side, &self.legal), rng);
            decisions += 1;
            game.apply_listing(&mut state, action, &mut context, &mut self.legal, |_| true);
        }
        let outcome = game.outcome(&state).expect("a game that is over has an outcome");
        let last = game.turn_number(&state);
        if self.with_course && self.opened.system.position_value(&self.opened.scenario, &state).is_some() {
            // Turns that passed without a decision count as the result does.
            let worth = ten_thousandths(outcome.utility.0[first_side(self.opened)]);
            course.extend((turn..=last).map(|_| worth));
        }
        GameResult { course, ..GameResult::new(&outcome, last, decisions) }
    }
}
