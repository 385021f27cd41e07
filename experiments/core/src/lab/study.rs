//! Studies: games in a fixed order, in which what is played next may depend on all results before.
//!
//! A [`Plan`] asks for games round by round and is handed their results in the order in which it asked for them,
//! whichever thread brought them in. Together with the manifest this fixes every game: a study that was stopped asks
//! for the same games again and finds their results in its folder. To one that asks for a fixed number of games last
//! of all, more can be added later.
//!
//! ```text
//! Plan::next ──▶ a round of games ──▶ arena ──▶ journal, parts ──▶ Plan::take, one by one in their order
//!      ▲                                                                  │
//!      └──────────────────────────────────────────────────────────────────┘
//! ```

use std::collections::{BTreeMap, VecDeque};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use sandtable_ai::AgentSpec;
use sandtable_core::SideInfo;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::arena::{AgentAssignment, Arena, Job, JobSource, Next};
use super::columns::{self, add_result, count, read_agents, read_results, text};
use super::progress::{Progress, ProgressReport};
use super::store::{Lock, PartStore, RecordTable};
use crate::failure::Failure;
use crate::manifest::{self, Work, first_difference};
use crate::system::{AnyScenario, GameResult, Setup, agent_columns};
use crate::table::{Column, Frame, Kind, Rows, Schema};

/// Who plays what in some of a study's games.
#[derive(Clone, PartialEq, Debug)]
pub struct Arm {
    /// What the arm is called in the table of games.
    pub name: String,
    /// Which of the scenarios.
    pub scenario: usize,
    /// The agent of each side.
    pub agents: Vec<AgentSpec>,
    /// The value of the parameter that is being turned.
    pub parameter: Option<f64>,
}

/// All that is played in a study; a plan may add to it.
#[derive(Default)]
pub struct Entrants<'s> {
    /// The scenarios, all with the same sides.
    pub scenarios: Vec<Box<dyn AnyScenario + 's>>,
    /// The arms, to which [`Job::assignment`] points.
    pub arms: Vec<Arm>,
}

impl Entrants<'_> {
    /// Those who are there now.
    pub fn current(&self) -> RoundEntrants<'_> {
        RoundEntrants { scenarios: self.scenarios.iter().map(AsRef::as_ref).collect(), arms: &self.arms }
    }

    /// How the games of an arm are played.
    pub fn setup(&self, arm: usize) -> Setup {
        self.arms[arm].setup()
    }
}

impl Arm {
    fn setup(&self) -> Setup {
        Setup { agents: self.agents.clone(), seed: 0, extras: crate::system::Extras::default() }
    }
}

/// Who plays in a round of games.
#[derive(Clone)]
pub struct RoundEntrants<'c> {
    /// The scenarios to which [`Arm::scenario`] points.
    pub scenarios: Vec<&'c dyn AnyScenario>,
    /// The arms to which [`Job::assignment`] points.
    pub arms: &'c [Arm],
}

impl RoundEntrants<'_> {
    /// The same for the arena.
    pub fn assignments(&self) -> Vec<AgentAssignment<'_>> {
        let assigned = |arm: &Arm| AgentAssignment {
            scenario: self.scenarios[arm.scenario],
            agents: arm.agents.clone(),
        };
        self.arms.iter().map(assigned).collect()
    }
}

/// Who is told the results of a study's games.
pub trait ResultSink: Send {
    /// Takes the result of the next game in their order.
    ///
    /// # Errors
    /// If it cannot be made use of.
    fn take(&mut self, job: &Job, result: &GameResult) -> Result<(), Failure>;

    /// Where the study stands.
    fn progress_report(&self) -> ProgressReport;
}

/// What a study wants to know.
pub trait Plan<'s>: ResultSink {
    /// The games that follow those handed in so far; none when all is known.
    ///
    /// # Errors
    /// If a scenario that is needed now cannot be opened.
    fn next(&mut self, entrants: &mut Entrants<'s>) -> Result<Vec<Job>, Failure>;
}

/// What a study asks, as its manifest keeps it.
pub trait Question: Clone + PartialEq + Serialize + DeserializeOwned {
    /// What the manifest of such a study says it is.
    const KIND: &'static str;

    /// How many games each arm plays, if more can be added once they are played without changing any of those before.
    fn games(&mut self) -> Option<&mut u64>;
}

/// A game of a study, as it is stored.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct GameRecord {
    /// Its place in the order of the study's games, from 0.
    pub number: u64,
    /// Who played what: see [`Arm::name`].
    pub arm: String,
    /// The scenario.
    pub scenario: String,
    /// See [`Arm::parameter`].
    pub parameter: Option<f64>,
    /// The seed.
    pub seed: u64,
    /// The number of the game under this seed.
    pub game: u64,
    /// The agent of each side.
    pub agents: Vec<String>,
    /// How it ended.
    pub result: GameResult,
}

/// The table of a study's games.
#[derive(Clone, Debug)]
pub struct GamesTable {
    schema: Schema,
    sides: Vec<SideInfo>,
}

impl GamesTable {
    /// A table of this name.
    pub fn new(name: &'static str, sides: &[SideInfo]) -> Self {
        let mut columns = vec![
            count("number", "", "the place of the game in the order of the study, from 0"),
            text("arm", "which of the study's questions the game is for"),
            text("scenario", "the scenario"),
            Column::new(
                "parameter",
                Kind::Real,
                "",
                "the value of the parameter that is varied; missing elsewhere",
            )
            .optional(),
            Column::new(
                "seed",
                Kind::Unsigned,
                "",
                "`sandtable play` with this seed, these agents and values plays this game under the number `game`",
            ),
            count(
                "game",
                "",
                "the number of the game under this seed; games of the same number share their dice",
            ),
        ];
        columns.extend(agent_columns(sides));
        columns.extend(columns::result(sides));
        columns.push(
            text(
                "course",
                "the worth of the position to the first team after each turn, in ten-thousandths, the last being that of \
                 the result; missing where the system cannot tell",
            )
            .optional(),
        );
        let schema = Schema { name, doc: "one row a game, in the order of the study", columns };
        GamesTable { schema, sides: sides.to_vec() }
    }
}

impl RecordTable for GamesTable {
    type Record = GameRecord;

    fn schema(&self) -> &Schema {
        &self.schema
    }

    fn add(&self, rows: &mut Rows, record: &GameRecord) {
        let mut row = rows.row();
        row.long(record.number as i64).text(&record.arm).text(&record.scenario);
        match record.parameter {
            Some(value) => row.real(value),
            None => row.none(),
        };
        row.unsigned(record.seed).long(record.game as i64);
        for agent in &record.agents {
            row.text(agent);
        }
        add_result(&mut row, &record.result, self.sides.len());
        if record.result.course.is_empty() {
            row.none();
        } else {
            let worths: Vec<String> = record.result.course.iter().map(u16::to_string).collect();
            row.text(&worths.join(" "));
        }
    }

    fn parse(&self, frame: &Frame) -> anyhow::Result<Vec<GameRecord>> {
        let [number, arm, scenario, parameter, seed, game, .., course] = &self.schema.columns[..] else {
            bail!("a table of games has other columns");
        };
        let mut agents = read_agents(frame, &self.sides)?.into_iter();
        let mut results = read_results(frame, &self.sides)?.into_iter();
        let (mut arms, mut scenarios) = (frame.texts(&arm.name)?, frame.texts(&scenario.name)?);
        let mut parameters = frame.optional_reals(&parameter.name)?;
        let mut seeds = frame.unsigned(&seed.name)?;
        let mut courses = frame.optional_texts(&course.name)?;
        let numbers = frame.numbers(&number.name)?.into_iter().zip(frame.numbers(&game.name)?);
        let record = |(number, game)| {
            let course = courses.next()?.unwrap_or_default().split_whitespace().map(str::parse);
            Some(GameRecord {
                number,
                arm: arms.next()?.to_owned(),
                scenario: scenarios.next()?.to_owned(),
                parameter: parameters.next()?,
                seed: seeds.next()?,
                game,
                agents: agents.next()?,
                result: GameResult { course: course.collect::<Result<_, _>>().ok()?, ..results.next()? },
            })
        };
        numbers.map(record).map(|record| record.context("bad course of a game")).collect()
    }
}

/// The manifest of a study.
pub type Manifest<Q> = manifest::Manifest<Asked<Q>>;

/// What is played in a study: `question` is what it wants to know.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Asked<Q> {
    /// The seed.
    pub seed: u64,
    /// What is asked.
    pub question: Q,
}

impl<Q: Question> Work for Asked<Q> {
    const KIND: &'static str = Q::KIND;
}

impl<Q: Question> Manifest<Q> {
    /// Asks for so many games of each arm.
    ///
    /// # Errors
    /// If there are more already, or the study is one to which no games can be added.
    fn extend(&mut self, games: u64, folder: &Path) -> Result<(), Failure> {
        let kind = self.kind.clone();
        let place = format!("--out {}", folder.display());
        match self.identity.question.games() {
            Some(there) if games < *there => Err(Failure::input(format!(
                "{place}: the {kind} there is one of {there} games an arm, which is more than {games}: games can be added but not \
                 taken away; leave out --games to go on with it, or use another --out"
            ))),
            Some(there) => {
                *there = games;
                Ok(())
            }
            None => Err(Failure::input(format!("{place}: no games can be added to a {kind}"))),
        }
    }

    /// Fails unless the other manifest asks for the same, but for the number of games to which more can be added.
    fn same_as(&mut self, other: &mut Self, folder: &Path) -> Result<(), Failure> {
        if let (Some(mine), Some(theirs)) = (self.identity.question.games(), other.identity.question.games())
        {
            *mine = *theirs;
        }
        let asked = |manifest: &Self| {
            let mut value = serde_json::to_value(&manifest.identity.question).unwrap_or_default();
            value["seed"] = manifest.identity.seed.into();
            value["format"] = manifest.format.clone().into();
            value
        };
        let Some((name, here, there)) = first_difference(&asked(self), &asked(other)) else { return Ok(()) };
        let alone = self.identity.question.games().is_some();
        let go_on = if alone { "leave out all but --out to go on with it, or " } else { "" };
        Err(Failure::input(format!(
            "--out {}: the {} there has another {}: {there} and not {here}; {go_on}use another --out",
            folder.display(),
            self.kind,
            name.replace('_', " "),
        )))
    }
}

/// The folder of a new study, or of one to go on with, locked, and its manifest. `asked` is what the command line
/// asks for, which may be nothing but to go on, with more games of each arm if `games` says so; `new` names a new
/// folder if none is given.
///
/// # Errors
/// If there is something else in the folder or another study than that which was asked for.
pub fn enter<Q: Question>(
    out: Option<&Path>,
    asked: Option<Manifest<Q>>,
    games: Option<u64>,
    new: impl FnOnce() -> Result<PathBuf, Failure>,
) -> Result<(Lock, Manifest<Q>), Failure> {
    let kind = Q::KIND;
    match (out, asked) {
        (Some(out), asked) if Manifest::<Q>::is_in(out) => {
            // Whoever goes on with a study holds its folder from before the manifest is read.
            let lock = Lock::existing(out, kind)?;
            let mut there = Manifest::<Q>::read_to_go_on(out)?;
            if let Some(mut asked) = asked {
                asked.same_as(&mut there, out)?;
            }
            if let Some(games) = games {
                there.extend(games, out)?;
            }
            Ok((lock, there))
        }
        (Some(out), Some(asked)) => Ok((Lock::new(out, kind)?, asked)),
        (None, Some(asked)) => Ok((Lock::new(&new()?, kind)?, asked)),
        (Some(out), None) => Err(Failure::input(format!(
            "--out {}: there is no {kind} to go on with; name a scenario to begin one",
            out.display()
        ))),
        (None, None) => {
            Err(Failure::input(format!("name a scenario, or the folder of a {kind} to go on with by --out")))
        }
    }
}

/// A study's folder, and what was played before this session.
#[derive(Debug)]
pub struct Study {
    store: PartStore<GamesTable>,
    /// In parts, in their order.
    stored: VecDeque<GameRecord>,
    /// In the journal.
    noted: BTreeMap<u64, GameRecord>,
    /// How many games were there when the session began.
    before: u64,
    /// How many games have been handed to the sink.
    told: u64,
    /// How many more have been played, and wait for one before them.
    waiting: u64,
}

impl Study {
    /// Opens the locked folder and writes the manifest into it.
    ///
    /// # Errors
    /// If a file is damaged or cannot be written.
    pub fn open<Q: Question>(lock: Lock, manifest: &Manifest<Q>, table: GamesTable) -> Result<Self, Failure> {
        let mut stored = VecDeque::new();
        let restore = |record: GameRecord| {
            if record.number != stored.len() as u64 {
                return Err(format!("game {} follows {} others", record.number, stored.len()));
            }
            stored.push_back(record);
            Ok(())
        };
        let format = manifest.table_format()?;
        let (store, journal) =
            PartStore::open(lock, format, table, restore, |root| Ok(manifest.write(root)?))?;
        let first = stored.len() as u64;
        let noted: BTreeMap<u64, GameRecord> = journal
            .into_iter()
            .filter(|record| record.number >= first)
            .map(|record| (record.number, record))
            .collect();
        let before = first + noted.len() as u64;
        Ok(Study { store, stored, noted, before, told: 0, waiting: 0 })
    }

    /// How many games were there when the session began.
    pub fn before(&self) -> u64 {
        self.before
    }

    /// How many games are there now, of those that have been asked for.
    pub fn games(&self) -> u64 {
        self.told + self.waiting
    }

    /// Where it is.
    pub fn root(&self) -> &Path {
        self.store.root()
    }

    /// Writes the report: the tables beside that of the games, and the file `KIND.json`.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn publish(
        &self,
        kind: &str,
        report: &impl Serialize,
        tables: Vec<(Schema, Rows)>,
    ) -> Result<(), Failure> {
        self.store.publish(kind, report, tables)
    }

    /// Plays until the plan is content or the arena is stopped; returns whether the plan is content.
    ///
    /// # Errors
    /// As [`Arena::serve`] and [`Plan`]; what has been played is kept.
    pub fn play<'s>(
        &mut self,
        arena: &Arena<'_>,
        entrants: &mut Entrants<'s>,
        plan: &mut impl Plan<'s>,
        progress: &mut Progress,
    ) -> Result<bool, Failure> {
        loop {
            let jobs = plan.next(entrants)?;
            if jobs.is_empty() {
                self.close()?;
                return Ok(true);
            }
            if !self.round(arena, &entrants.current(), &jobs, plan, progress)? {
                return Ok(false);
            }
        }
    }

    /// Plays the next games of the study, as far as they are not there, and tells the sink all results in their order.
    /// Returns whether all have been played: not if the arena was stopped.
    ///
    /// # Errors
    /// As [`Arena::serve`] and [`ResultSink`]; what has been played is kept.
    pub fn round(
        &mut self,
        arena: &Arena<'_>,
        entrants: &RoundEntrants<'_>,
        jobs: &[Job],
        sink: &mut impl ResultSink,
        progress: &mut Progress,
    ) -> Result<bool, Failure> {
        // Short rounds are cut finer, so that all threads have work.
        let chunk = (jobs.len() / (4 * arena.threads())).clamp(1, CHUNK);
        let chunks = entrants.arms.iter().map(|arm| if arm.setup().searches() { 1 } else { chunk }).collect();
        let first = self.told;
        let mut round = Round {
            study: self,
            sink,
            entrants,
            jobs,
            chunks,
            first,
            front: 0,
            issue: 0,
            waiting: BTreeMap::new(),
            progress,
        };
        round.restore()?;
        let played = arena.serve(&entrants.assignments(), &mut round);
        let Round { front, waiting, .. } = round;
        self.told += front as u64;
        self.waiting = waiting.len() as u64;
        if played.is_err() || front < jobs.len() {
            self.store.close_part(waiting.values())?;
            played?;
            return Ok(false);
        }
        Ok(true)
    }

    /// Writes what is in no part yet.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn close(&mut self) -> Result<(), Failure> {
        self.store.close_part(std::iter::empty())
    }
}

/// Games that a thread takes at a time where games are quick. With search it takes one.
const CHUNK: usize = 16;

/// Games of one round.
struct Round<'r, A> {
    study: &'r mut Study,
    sink: &'r mut A,
    entrants: &'r RoundEntrants<'r>,
    jobs: &'r [Job],
    /// How many games of an arm a thread takes at a time.
    chunks: Vec<usize>,
    /// The number of the round's first game.
    first: u64,
    /// The first game that the sink has not been told.
    front: usize,
    /// The first game that was not handed out.
    issue: usize,
    /// Games that wait for one before them, by number.
    waiting: BTreeMap<u64, GameRecord>,
    progress: &'r mut Progress,
}

impl<A: ResultSink> Round<'_, A> {
    /// Takes what was played in earlier sessions.
    fn restore(&mut self) -> Result<(), Failure> {
        while self.front < self.jobs.len()
            && let Some(record) = self.study.stored.pop_front()
        {
            self.check(self.front, &record)?;
            self.sink.take(&self.jobs[self.front], &record.result)?;
            self.front += 1;
        }
        let end = self.first + self.jobs.len() as u64;
        let later = self.study.noted.split_off(&end);
        for (number, record) in std::mem::replace(&mut self.study.noted, later) {
            self.check((number - self.first) as usize, &record)?;
            self.waiting.insert(number, record);
        }
        self.advance()
    }

    /// Fails unless the record is of this game of the round.
    fn check(&self, place: usize, record: &GameRecord) -> Result<(), Failure> {
        let expected = self.record(place, record.result.clone());
        if expected == *record {
            return Ok(());
        }
        Err(Failure::input(format!(
            "{}: game {} is of another study ({}, game {} of seed {})",
            self.study.root().display(),
            record.number,
            record.arm,
            record.game,
            record.seed
        )))
    }

    fn record(&self, place: usize, result: GameResult) -> GameRecord {
        let Job { assignment, seed, game } = self.jobs[place];
        let arm = &self.entrants.arms[assignment];
        let scenario = self.entrants.scenarios[arm.scenario].id();
        GameRecord {
            number: self.first + place as u64,
            arm: arm.name.clone(),
            scenario: scenario.to_owned(),
            parameter: arm.parameter,
            seed,
            game,
            agents: arm.agents.iter().map(ToString::to_string).collect(),
            result,
        }
    }

    /// Tells the sink what is at the front.
    fn advance(&mut self) -> Result<(), Failure> {
        while let Some(record) = self.waiting.remove(&(self.first + self.front as u64)) {
            self.sink.take(&self.jobs[self.front], &record.result)?;
            self.study.store.put(&record);
            self.front += 1;
        }
        self.issue = self.issue.max(self.front);
        if self.study.store.is_full() { self.study.store.close_part(self.waiting.values()) } else { Ok(()) }
    }
}

impl<A: ResultSink> JobSource for Round<'_, A> {
    type Ticket = Vec<usize>;

    fn next(&mut self) -> Next<Vec<usize>> {
        let mut places = Vec::new();
        while let Some(job) = self.jobs.get(self.issue) {
            let missing = !self.waiting.contains_key(&(self.first + self.issue as u64));
            // What is slow goes alone.
            if missing && places.len() >= self.chunks[job.assignment] {
                break;
            }
            if missing {
                places.push(self.issue);
            }
            self.issue += 1;
        }
        if places.is_empty() {
            return Next::Over;
        }
        // Arm by arm, so that agents are opened once.
        places.sort_by_key(|&place| (self.jobs[place].assignment, place));
        let jobs = places.iter().map(|&place| self.jobs[place]).collect();
        Next::Play(places, jobs)
    }

    fn done(&mut self, places: Vec<usize>, results: Vec<GameResult>) -> Result<(), Failure> {
        let records: Vec<GameRecord> =
            places.into_iter().zip(results).map(|(place, result)| self.record(place, result)).collect();
        self.study.store.note(&records)?;
        self.waiting.extend(records.into_iter().map(|record| (record.number, record)));
        self.advance()?;
        let sink = &self.sink;
        self.progress.show(|| sink.progress_report());
        Ok(())
    }
}
