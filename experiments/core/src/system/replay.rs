//! The log of a game that is played again.

use sandtable_ai::{Agent, AgentSpec, Assignment, Streams, View};
use sandtable_core::{Game, PlayContext, Rng64, Turn};

use super::board::Position;
use super::tables::row_of_game;
use super::{Importance, Opened, System, team_labels};
use crate::failure::Failure;

/// Which game is told, and how it is found again.
#[derive(Clone, PartialEq, Debug)]
pub struct ReplayRequest {
    /// The seed of the run.
    pub seed: u64,
    /// The number of the game.
    pub game: u64,
    /// The agent of each side.
    pub agents: Vec<AgentSpec>,
    /// The recorded choices, if the agents would not choose the same again.
    pub choices: Option<Vec<usize>>,
    /// The last game turn to tell.
    pub until: Option<u32>,
}

/// How much was told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Replayed {
    /// The whole game.
    Whole {
        /// How many decisions were made.
        decisions: u32,
        /// The row of table `games` that the game has now: the name of each column and its cell as text.
        row: Vec<(String, String)>,
    },
    /// The game goes on after the turn that was asked for.
    Stopped,
}

/// Takes down the log of a game.
pub trait GameLog {
    /// A game turn begins; `position` draws up the board at this moment.
    ///
    /// # Errors
    /// If it cannot be written.
    fn turn(&mut self, turn: u32, label: &str, position: &dyn Fn() -> Position) -> Result<(), Failure>;
    /// A step of the turn begins ([`System::step`]); `position` draws up the board at this moment.
    ///
    /// # Errors
    /// If it cannot be written.
    fn step(&mut self, label: &str, position: &dyn Fn() -> Position) -> Result<(), Failure> {
        let _ = (label, position);
        Ok(())
    }
    /// A side has made a decision.
    ///
    /// # Errors
    /// If it cannot be written.
    fn decision(&mut self, side: &str, words: &str) -> Result<(), Failure>;
    /// Something has happened, in words.
    ///
    /// # Errors
    /// If it cannot be written.
    fn fact(&mut self, words: &str, importance: Importance) -> Result<(), Failure>;
    /// The telling is over: with the result in words, or without if it stops before the end of the game.
    ///
    /// # Errors
    /// If it cannot be written.
    fn end(&mut self, result: Option<&str>, position: &dyn Fn() -> Position) -> Result<(), Failure>;
}

/// The start of the first game of a run with this seed.
pub(super) fn start<S: System>(opened: &Opened<'_, S>, seed: u64) -> <S::Game as Game>::State {
    let game = &opened.scenario.game;
    let mut streams = Streams::new(seed, 0, game.sides().len());
    game.initial(&mut PlayContext { dice: &mut streams.dice, sink: () })
}

/// Who decides in a game that is played again: the record of it, or else the agents.
pub(super) struct Players<'a, S: System> {
    opened: &'a Opened<'a, S>,
    request: &'a ReplayRequest,
    agents: Vec<Box<dyn Agent<S::Game>>>,
    decisions: usize,
}

impl<'a, S: System> Players<'a, S> {
    pub(super) fn new(opened: &'a Opened<'a, S>, request: &'a ReplayRequest) -> Result<Self, Failure> {
        let assignment = Assignment::new(&request.agents, &opened.scenario.knowledge);
        let assignment = assignment.map_err(|error| Failure::input(error.to_string()))?;
        let agents = assignment.agents().collect();
        Ok(Players { opened, request, agents, decisions: 0 })
    }

    /// What was chosen here.
    pub(super) fn choose(
        &mut self,
        view: &View<'_, S::Game>,
        streams: &mut [Rng64],
    ) -> Result<<S::Game as Game>::Action, Failure> {
        let (number, side) = (self.decisions, view.side().index());
        self.decisions += 1;
        let Some(choices) = &self.request.choices else {
            return Ok(self.agents[side].choose(view, &mut streams[side]));
        };
        choices.get(number).and_then(|&choice| view.legal().get(choice)).copied().ok_or_else(|| {
            Failure::input(format!(
                "the record of game {} does not fit the game: at decision {number} there are {} legal actions",
                self.request.game,
                view.legal().len()
            ))
        })
    }

    /// How the game ended.
    pub(super) fn end(&self, state: &<S::Game as Game>::State) -> Replayed {
        let decisions = self.decisions as u32;
        let names: Vec<String> = self.request.agents.iter().map(ToString::to_string).collect();
        let who = (self.request.game, self.request.seed, &names[..]);
        let outcome = self.opened.scenario.game.outcome(state);
        let row = outcome.map(|outcome| row_of_game(self.opened, who, state, &outcome, decisions));
        Replayed::Whole { decisions, row: row.unwrap_or_default() }
    }
}

pub(super) fn tell<S: System>(
    opened: &Opened<'_, S>,
    request: &ReplayRequest,
    log: &mut dyn GameLog,
) -> Result<Replayed, Failure> {
    let game = &opened.scenario.game;
    let sides = game.sides();
    let mut players = Players::new(opened, request)?;
    let mut streams = Streams::new(request.seed, request.game, sides.len());
    let mut context = PlayContext { dice: &mut streams.dice, sink: Vec::new() };
    let mut state = game.initial(&mut context);
    let (mut told_turn, mut legal) = (None, Vec::new());
    loop {
        for event in context.sink.drain(..) {
            if let Some(label) = opened.system.step(game, &event) {
                log.step(&label, &|| opened.system.position(game, &state))?;
            }
            if let Some(words) = opened.system.narrate(game, &state, &event) {
                log.fact(&words, opened.system.importance(game, &event))?;
            }
        }
        let Turn::Decide(side) = game.turn_of(&state) else { break };
        let turn = game.turn_number(&state);
        if told_turn != Some(turn) {
            if request.until.is_some_and(|until| turn > until) {
                log.end(None, &|| opened.system.position(game, &state))?;
                return Ok(Replayed::Stopped);
            }
            let label = opened.system.turn_label(game, &state);
            log.turn(turn, &label, &|| opened.system.position(game, &state))?;
            told_turn = Some(turn);
        }
        legal.clear();
        game.legal_actions(&state, &mut legal);
        let action = players.choose(&View::new(game, &state, side, &legal), &mut streams.agents)?;
        log.decision(sides[side.index()].name, &game.describe(&state, action))?;
        game.apply(&mut state, action, &mut context);
    }
    if let Some(outcome) = game.outcome(&state) {
        let winner = match outcome.winner {
            Some(team) => format!("{} won", team_labels(sides)[usize::from(team)]),
            None => "a draw".to_owned(),
        };
        let points: Vec<String> = sides
            .iter()
            .zip(outcome.points.0)
            .map(|(side, points)| format!("{} {points}", side.name))
            .collect();
        let words = format!("{winner} ({}); points: {}", outcome.end_reason, points.join(", "));
        log.end(Some(&words), &|| opened.system.position(game, &state))?;
    }
    Ok(players.end(&state))
}
