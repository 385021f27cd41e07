//! Playing games and keeping their rows.

use std::hint::black_box;
use std::ops::Range;
use std::time::Instant;

use sandtable_ai::{Agent, AgentSpec, Assignment, Streams, SystemKnowledge, View, Weight, play_game};
use sandtable_core::kit::{self, KitOptions, KitReport};
use sandtable_core::{Game, PlayContext, Rng64, Side, SideInfo, Sink, Turn};

use super::analysis::{self, Analysed, AnalysisRequest};
use super::board::{Map, Position};
use super::learning::{self, GameSample, KnownValue};
use super::tables::{add_game, fact_schemas, schemas};
use super::{
    AnyScenario, Batch, Contest, Extras, GameLog, Highlights, Opened, Player, ReplayRequest, Replayed, Setup,
    System, SystemInfo, TurnEnd, contest, replay, signature,
};
use crate::failure::Failure;
use crate::run::tally::Tally;
use crate::table::{Row, Rows, Schema};

/// Turns the facts of one game into rows. Each game has a recorder of its own, from [`System::recorder`].
pub trait Recorder<G: Game>: Send {
    /// A fact was reported. Recorders that use few kinds of facts should be inlined: where a fact of another kind is
    /// told, nothing is left of it then.
    fn fact(&mut self, game: &G, event: G::Event, facts: &mut Facts);

    /// Somebody is about to decide, or the game is over: for what facts alone do not tell. Asked thousands of times a
    /// game, so what looks at the position waits for a fact that calls for it.
    fn look(&mut self, game: &G, state: &G::State, facts: &mut Facts) {
        let _ = (game, state, facts);
    }

    /// A game turn has ended: fills the system's own cells of one side's row in `turns`. `state` is the first position
    /// in which somebody decides after the turn, or the last one of the game.
    fn turn_cells(&mut self, game: &G, state: &G::State, end: TurnEnd, row: &mut Row<'_>);
}

/// The tables of facts, open for rows of the game at hand.
#[derive(Debug)]
pub struct Facts {
    game: i64,
    tables: Vec<Rows>,
    /// How many rows this game has in each.
    counts: Vec<i32>,
}

impl Facts {
    /// The tables of a system without rows.
    pub fn new<S: System>(system: &S, game: &S::Game) -> Self {
        let schemas = fact_schemas(system, game);
        Facts { game: 0, tables: schemas.iter().map(Rows::new).collect(), counts: vec![0; schemas.len()] }
    }

    /// Begins a row in the table of this index in [`System::fact_tables`]; its game and number are filled already.
    #[inline]
    pub fn row(&mut self, table: usize) -> Row<'_> {
        self.counts[table] += 1;
        let mut row = self.tables[table].row();
        row.long(self.game).int(self.counts[table]);
        row
    }

    /// The rows of a table so far, as text, without their game and number: for the tests of recorders.
    #[doc(hidden)]
    pub fn texts(&self, table: usize, columns: usize) -> Vec<Vec<String>> {
        let rows = &self.tables[table];
        (0..rows.len()).map(|row| (2..2 + columns).map(|column| rows.text(row, column)).collect()).collect()
    }
}

/// Listens to the rules for a recorder.
struct Listener<'a, G, R> {
    game: &'a G,
    recorder: R,
    facts: Facts,
}

impl<G: Game, R: Recorder<G>> Sink<G::Event> for Listener<'_, G, R> {
    #[allow(clippy::inline_always)] // see `Recorder::fact`
    #[inline(always)]
    fn take(&mut self, fact: impl FnOnce() -> G::Event) {
        self.recorder.fact(self.game, fact(), &mut self.facts);
    }
}

impl<G: Game, R: Recorder<G>> Listener<'_, G, R> {
    fn look(&mut self, state: &G::State) {
        self.recorder.look(self.game, state, &mut self.facts);
    }

    fn begin_game(&mut self, index: u64, recorder: R) {
        self.recorder = recorder;
        self.facts.game = index as i64;
        self.facts.counts.fill(0);
    }
}

/// A side in the game at hand.
struct Participant<G: Game> {
    agent: Box<dyn Agent<G>>,
    rng: Rng64,
    /// Decisions in the turn at hand.
    decisions: i32,
    /// Legal actions at them together.
    choices: i32,
}

struct GamePlayer<'a, S: System> {
    opened: &'a Opened<'a, S>,
    setup: Setup,
    assignment: Assignment<'a, S::Game>,
    /// The agents as the table `games` shows them.
    names: Vec<String>,
    /// By side.
    participants: Vec<Participant<S::Game>>,
    /// The dice of the game at hand, and who listens to it.
    table: PlayContext<Rng64, Listener<'a, S::Game, S::Recorder>>,
    games: Rows,
    turns: Rows,
    decisions: Option<Rows>,
    records: Option<Rows>,
    timings: Rows,
    tally: Tally,
    legal: Vec<<S::Game as Game>::Action>,
}

impl<S: System> GamePlayer<'_, S> {
    /// Writes the rows of the turns from `first` up to, but not including, `next`.
    fn end_turns(&mut self, index: u64, first: u32, next: u32, state: &<S::Game as Game>::State) {
        let game = &self.opened.scenario.game;
        for turn in first..next {
            for (side, participant) in self.participants.iter_mut().enumerate() {
                let side = Side(side as u8);
                let mut row = self.turns.row();
                row.long(index as i64)
                    .int(turn as i32)
                    .word(side.index())
                    .int(std::mem::take(&mut participant.decisions))
                    .int(std::mem::take(&mut participant.choices));
                self.table.sink.recorder.turn_cells(game, state, TurnEnd { turn, side }, &mut row);
            }
        }
    }

    /// Whether single decisions are kept.
    fn keeps_decisions(&self) -> bool {
        self.decisions.is_some() || self.records.is_some()
    }

    /// Keeps a decision that the agent has just made.
    fn keep_decision(
        &mut self,
        index: u64,
        state: &<S::Game as Game>::State,
        side: Side,
        action: <S::Game as Game>::Action,
        (turn, number): (u32, u32),
    ) {
        let choice = self.legal.binary_search(&action).expect("agents choose legal actions") as i32;
        if let Some(records) = &mut self.records {
            records.row().long(index as i64).int(choice);
        }
        if let Some(rows) = &mut self.decisions {
            let mut row = rows.row();
            row.long(index as i64)
                .int(number as i32)
                .int(turn as i32)
                .word(side.index())
                .int(self.legal.len() as i32)
                .int(choice)
                .text(&self.opened.scenario.game.describe(state, action));
            match self.participants[side.index()].agent.figures() {
                Some(figures) => row
                    .int(figures.iterations as i32)
                    .int(figures.nodes as i32)
                    .int(figures.depth as i32)
                    .real(figures.value)
                    .real(figures.best_share),
                None => row.none().none().none().none().none(),
            };
        }
    }
}

impl<S: System> Player for GamePlayer<'_, S> {
    fn play(&mut self, index: u64) {
        let clock = Instant::now();
        let opened = self.opened;
        let game = &opened.scenario.game;
        let streams = Streams::new(self.setup.seed, index, self.participants.len());
        self.table.dice = streams.dice;
        self.table.sink.begin_game(index, opened.system.recorder(game));
        let new = self.assignment.agents().zip(streams.agents);
        for (participant, (agent, rng)) in self.participants.iter_mut().zip(new) {
            *participant = Participant { agent, rng, decisions: 0, choices: 0 };
        }
        let mut state = game.initial(&mut self.table);
        let (mut turn, mut decisions) = (game.turn_number(&state), 0);
        let keeps_decisions = self.keeps_decisions();
        self.legal.clear();
        if let Turn::Decide(_) = game.turn_of(&state) {
            game.legal_actions(&state, &mut self.legal);
        }
        while let Turn::Decide(side) = game.turn_of(&state) {
            self.table.sink.look(&state);
            let now = game.turn_number(&state);
            if now != turn {
                self.end_turns(index, turn, now, &state);
                turn = now;
            }
            let participant = &mut self.participants[side.index()];
            let view = View::new(game, &state, side, &self.legal);
            let action = participant.agent.choose(&view, &mut participant.rng);
            participant.decisions += 1;
            participant.choices += self.legal.len() as i32;
            if keeps_decisions {
                self.keep_decision(index, &state, side, action, (turn, decisions));
            }
            decisions += 1;
            game.apply_listing(&mut state, action, &mut self.table, &mut self.legal, |_| true);
        }
        self.table.sink.look(&state);
        // A last turn may have begun without anybody deciding in it.
        let last = game.turn_number(&state);
        self.end_turns(index, turn, last + 1, &state);
        let outcome = game.outcome(&state).expect("a game that is over has an outcome");
        let who = (index, self.setup.seed, &self.names[..]);
        add_game(opened, &mut self.games, who, &state, &outcome, decisions);
        self.tally.add(&outcome, last, decisions);
        self.timings.row().long(index as i64).long(clock.elapsed().as_micros() as i64);
    }

    fn take(&mut self) -> Batch {
        let mut tables = vec![self.games.take(), self.turns.take()];
        tables.extend(self.table.sink.facts.tables.iter_mut().map(Rows::take));
        tables.extend(self.decisions.as_mut().map(Rows::take));
        tables.extend(self.records.as_mut().map(Rows::take));
        tables.push(self.timings.take());
        let empty = Tally::new(self.opened.scenario.game.sides());
        Batch { tables, tally: std::mem::replace(&mut self.tally, empty) }
    }
}

impl<S: System> AnyScenario for Opened<'_, S> {
    fn id(&self) -> &str {
        &self.scenario.id
    }

    fn hash(&self) -> u64 {
        self.scenario.hash
    }

    fn system(&self) -> SystemInfo {
        self.system.info()
    }

    fn sides(&self) -> &[SideInfo] {
        self.scenario.game.sides()
    }

    fn describe(&self) -> String {
        self.system.describe(&self.scenario)
    }

    fn weights(&self) -> Vec<Weight> {
        SystemKnowledge::weights(&self.scenario.knowledge)
    }

    fn knowledge(&self) -> Vec<Knowledge> {
        let knowledge = &self.scenario.knowledge;
        let known =
            |kind, named: &sandtable_ai::Named| Knowledge { kind, name: named.name, summary: named.summary };
        let policies = knowledge.policies().iter().map(|named| known("policy", named));
        let evaluators = knowledge.evaluators().iter().map(|named| known("evaluator", named));
        let restrictions = knowledge.restrictions().iter().map(|restriction| Knowledge {
            kind: "restriction",
            name: restriction.name,
            summary: restriction.summary,
        });
        policies.chain(evaluators).chain(restrictions).collect()
    }

    fn check_agent(&self, spec: &AgentSpec) -> Result<(), Failure> {
        let knowledge = &self.scenario.knowledge;
        let built = spec.build(knowledge).and_then(|_| spec.suits(knowledge));
        built.map_err(|error| Failure::input(error.to_string()))
    }

    fn tables(&self, extras: Extras) -> Vec<Schema> {
        schemas(self, extras).in_order()
    }

    fn player<'a>(&'a self, setup: &Setup) -> Result<Box<dyn Player + 'a>, Failure> {
        let assignment = Assignment::new(&setup.agents, &self.scenario.knowledge);
        let assignment = assignment.map_err(|error| Failure::input(error.to_string()))?;
        let rng = || Rng64::stream(setup.seed, 0, 0);
        let participant = |agent| Participant { agent, rng: rng(), decisions: 0, choices: 0 };
        let participants = assignment.agents().map(participant).collect();
        let schemas = schemas(self, setup.extras);
        Ok(Box::new(GamePlayer {
            opened: self,
            names: setup.agents.iter().map(ToString::to_string).collect(),
            participants,
            assignment,
            table: PlayContext {
                dice: rng(),
                sink: Listener {
                    game: &self.scenario.game,
                    recorder: self.system.recorder(&self.scenario.game),
                    facts: Facts::new(self.system, &self.scenario.game),
                },
            },
            games: Rows::new(&schemas.games),
            turns: Rows::new(&schemas.turns),
            decisions: schemas.decisions.as_ref().map(Rows::new),
            records: schemas.records.as_ref().map(Rows::new),
            timings: Rows::new(&schemas.timings),
            tally: Tally::new(self.scenario.game.sides()),
            legal: Vec::new(),
            setup: setup.clone(),
        }))
    }

    fn contest<'a>(&'a self, agents: &[AgentSpec]) -> Result<Box<dyn Contest + 'a>, Failure> {
        contest::contest(self, agents, false)
    }

    fn contest_with_course<'a>(&'a self, agents: &[AgentSpec]) -> Result<Box<dyn Contest + 'a>, Failure> {
        contest::contest(self, agents, true)
    }

    fn map(&self) -> Option<Map> {
        self.system.map(&self.scenario.game)
    }

    fn start(&self, seed: u64) -> Position {
        let game = &self.scenario.game;
        self.system.position(game, &replay::start(self, seed))
    }

    fn alive_at_start(&self, seed: u64) -> Vec<String> {
        self.system.alive(&self.scenario.game, &replay::start(self, seed))
    }

    fn highlights(&self) -> Highlights {
        self.system.highlights()
    }

    fn replay(&self, request: &ReplayRequest, log: &mut dyn GameLog) -> Result<Replayed, Failure> {
        replay::tell(self, request, log)
    }

    fn analyse(
        &self,
        request: &AnalysisRequest,
        accept: &(dyn Fn(&Replayed) -> Result<(), Failure> + Sync),
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Analysed, Failure> {
        analysis::analyse(self, request, accept, progress)
    }

    fn known_value(&self) -> Result<KnownValue, Failure> {
        learning::known_value(self)
    }

    fn game_sample(&self, agents: &[AgentSpec], game: (u64, u64)) -> Result<GameSample, Failure> {
        learning::game_sample(self, agents, game)
    }

    fn trial(&self, games: u64) -> Result<KitReport, kit::Failure> {
        kit::run(&self.scenario.game, &KitOptions { games, deep_every: 0, ..KitOptions::default() })
    }

    fn signature(&self) -> u64 {
        signature::of(&self.scenario.game, &self.scenario.knowledge, self.system.signed())
    }

    fn play_without_tables(&self, setup: &Setup, games: Range<u64>) -> Result<(), Failure> {
        let assignment = Assignment::new(&setup.agents, &self.scenario.knowledge);
        let assignment = assignment.map_err(|error| Failure::input(error.to_string()))?;
        for game in games {
            let mut streams = Streams::new(setup.seed, game, assignment.sides());
            black_box(play_game(&self.scenario.game, assignment.agents(), &mut streams, (), &mut ()));
        }
        Ok(())
    }
}

/// A policy, evaluator or restriction that a system knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Knowledge {
    /// `policy`, `evaluator` or `restriction`.
    pub kind: &'static str,
    /// As written in agent specifications.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
}
