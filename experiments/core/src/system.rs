//! What the program needs to know of a system, and of a scenario that has been opened.
//!
//! A system is plugged in by implementing [`System`] and adding it to the list of the program. Everything else works on
//! [`AnySystem`] and [`AnyScenario`], which hide the system's types.

pub mod analysis;
pub mod board;
mod contest;
pub mod data;
pub mod learning;
pub mod odds;
mod player;
mod replay;
mod signature;
mod tables;
pub mod waste;

use std::ops::Range;
use std::path::Path;

use sandtable_ai::{AgentSpec, SpecError, SystemKnowledge, Weight};
use sandtable_core::kit::{self, KitReport};
use sandtable_core::{Game, PerSide, Side, SideInfo};
use sandtable_scenarios::{AnySystem as Data, ScenarioListing, is_scenario_folder, named_system};
use sandtable_stats::interval::{Estimate, Moments};

use crate::failure::{Failure, expected};
use crate::files;
use crate::manifest::MANIFEST;
use crate::run::tally::Tally;
use crate::table::{Column, Row, Rows, Schema};
use analysis::{Analysed, AnalysisRequest};
use board::{Map, Position};
use learning::{GameSample, KnownValue};

use odds::{
    CombatOdds, CombatRequest, EventOdds, EventRequest, InitiativeOdds, InitiativeRequest, ReactionOdds,
    ReactionRequest, WeatherOdds, WeatherRequest,
};

pub use contest::{Contest, GameResult};
pub use player::{Facts, Knowledge, Recorder};
pub use replay::{GameLog, ReplayRequest, Replayed};
pub use sandtable_scenarios::{ExampleReport, Override, RuleCoverage};
pub use signature::Signed;
pub use tables::{TIMINGS, agent_columns, score_columns};

/// A system as listed for people.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SystemInfo {
    /// Short lower-case identifier.
    pub id: &'static str,
    /// Name for people.
    pub name: &'static str,
    /// What it is, in a line.
    pub summary: &'static str,
    /// How many games between agents that do not search fill a part of the tables: a few seconds of play.
    pub part_games: u64,
}

/// A scenario as listed for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScenarioInfo {
    /// What it is called on the command line (`blitzwar/campaign-1939`).
    pub id: String,
    /// What it is, in a line.
    pub summary: String,
}

/// Where a scenario comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source<'a> {
    /// One of [`System::scenarios`], by its identifier.
    Id(&'a str),
    /// The folder of an exported and edited one.
    Path(&'a Path),
}

/// A scenario ready to be played.
#[derive(Clone, Debug)]
pub struct Scenario<G, B> {
    /// What it is called: its identifier or path.
    pub id: String,
    /// A hash of all data that the game was made of, overrides included.
    pub hash: u64,
    /// The rules with this scenario's data.
    pub game: G,
    /// What agents know about playing it.
    pub knowledge: B,
}

/// How much a fact matters in the log of a game, in rising order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Importance {
    /// Part of every move: units that go and are lost, what is spent. Told only where every move is.
    Detail,
    /// Part of the summary of a turn, as the page of a game shows it.
    Notable,
    /// What somebody tells of the whole game: capitals taken, countries falling, declarations of war, landings, great
    /// battles.
    Headline,
}

/// Which of a system's own columns and tables a report draws.
#[derive(Clone, Copy, Debug, Default)]
pub struct Highlights {
    /// Columns of table `turns` that are drawn over time, the most telling first.
    pub over_time: &'static [&'static str],
    /// Where it is written how long countries and the like survive.
    pub survival: Option<SurvivalSource>,
    /// Where it is written which places were fought over.
    pub fights: Option<FightSource>,
    /// A plain battle, whose odds are shown by the strengths of both sides.
    pub battle: Option<PlainBattle>,
}

/// A battle that shows a system's combat table at work.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlainBattle {
    /// The attacker, as `sandtable odds combat --attack` takes it.
    pub attack: &'static str,
    /// The defender, as `--defend` takes it.
    pub defend: &'static str,
    /// The game turn.
    pub turn: u8,
    /// What it is, in words.
    pub words: &'static str,
    /// Greatest strengths of attacker and defender.
    pub up_to: (u8, u8),
}

impl PlainBattle {
    /// Its table of odds.
    ///
    /// # Errors
    /// If the scenario cannot be opened or has no room for the battle.
    pub fn odds(
        &self,
        system: &dyn AnySystem,
        scenario: Source<'_>,
        overrides: &[Override],
    ) -> Result<CombatOdds, Failure> {
        system.combat(&CombatRequest {
            scenario: Some(scenario),
            overrides,
            battle: odds::BattleSource::Described(odds::Description {
                attack: &[self.attack.to_owned()],
                defend: self.defend,
                others: &[],
                position: None,
                turn: Some(self.turn),
                weather: None,
                terrain: None,
            }),
            policies: &[],
            samples: None,
            grid: Some(self.up_to),
            by_table: false,
        })
    }
}

/// A table of facts with a row for every change in the status of a country or the like, with a column `turn`.
#[derive(Clone, Copy, Debug)]
pub struct SurvivalSource {
    /// The table.
    pub table: &'static str,
    /// The column that names whose status changes.
    pub subject: &'static str,
    /// The column that holds the new status.
    pub state: &'static str,
    /// The status that ends a life.
    pub end: &'static str,
    /// Whose lives they are, in the singular and the plural (`country`, `countries`).
    pub noun: (&'static str, &'static str),
    /// How a life ends, as a verb in the past tense (`fell`) and as its participle (`fallen`).
    pub verb: (&'static str, &'static str),
    /// A name for people by the identifier in the table.
    pub name: fn(&str) -> &str,
}

/// A table of facts with a row a combat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FightSource {
    /// The table.
    pub table: &'static str,
    /// The column that holds the identifier of a place of the map.
    pub place: &'static str,
    /// What a row is, in the singular and the plural (`land combat`, `land combats`).
    pub noun: (&'static str, &'static str),
}

/// A game system with its scenarios.
pub trait System: Send + Sync + 'static {
    /// The rules.
    type Game: Game + 'static;
    /// What agents know.
    type SystemKnowledge: SystemKnowledge<Self::Game> + 'static;
    /// What turns facts into rows.
    type Recorder: Recorder<Self::Game>;

    /// Its name.
    fn info(&self) -> SystemInfo;

    /// Its data files, unless its rules are all there is.
    fn data(&self) -> Option<&'static dyn Data> {
        None
    }

    /// Its own scenarios: those of its data files.
    fn scenarios(&self) -> Vec<ScenarioInfo> {
        let listed = self.data().map(Data::scenarios).unwrap_or_default();
        let info = |listed: ScenarioListing| ScenarioInfo {
            id: listed.name,
            summary: format!("{}: {}", listed.title, listed.summary),
        };
        listed.into_iter().map(info).collect()
    }

    /// Loads a scenario and replaces values in it.
    ///
    /// # Errors
    /// [`Failure::Input`] names the file or path, the value, and what was expected.
    fn open(
        &self,
        source: Source<'_>,
        overrides: &[Override],
    ) -> Result<Scenario<Self::Game, Self::SystemKnowledge>, Failure>;

    /// The columns of table `turns` after `game`, `turn`, `side`, `decisions` and `choices`.
    fn turn_columns(&self, game: &Self::Game) -> Vec<Column> {
        let _ = game;
        Vec::new()
    }

    /// The tables of facts (`battles` and the like) without their first two columns, `game` and the number in it.
    fn fact_tables(&self, game: &Self::Game) -> Vec<Schema> {
        let _ = game;
        Vec::new()
    }

    /// A recorder, which fills [`System::turn_columns`] and [`System::fact_tables`].
    fn recorder(&self, game: &Self::Game) -> Self::Recorder;

    /// The game turn in words (`September 1939`).
    fn turn_label(&self, game: &Self::Game, state: &<Self::Game as Game>::State) -> String {
        format!("turn {}", game.turn_number(state))
    }

    /// The phase of the game turn in words (`tactical movement`), as the analysis of games groups decisions; empty if there
    /// are no phases.
    fn phase(&self, game: &Self::Game, state: &<Self::Game as Game>::State) -> String {
        let _ = (game, state);
        String::new()
    }

    /// A fact in words, for the game log; `None` if it goes without saying. `state` is the position soon after.
    fn narrate(
        &self,
        game: &Self::Game,
        state: &<Self::Game as Game>::State,
        event: &<Self::Game as Game>::Event,
    ) -> Option<String> {
        let _ = (game, state, event);
        None
    }

    /// The board, if the system has one that can be drawn.
    fn map(&self, game: &Self::Game) -> Option<Map> {
        let _ = game;
        None
    }

    /// Who and what stands on the board of [`System::map`].
    fn position(&self, game: &Self::Game, state: &<Self::Game as Game>::State) -> Position {
        let _ = (game, state);
        Position::default()
    }

    /// How much a fact that [`System::narrate`] puts into words matters to somebody who reads the game log.
    fn importance(&self, game: &Self::Game, event: &<Self::Game as Game>::Event) -> Importance {
        let _ = (game, event);
        Importance::Headline
    }

    /// What a fact begins, in a few words, if it is a step of a turn that deserves a picture of its own: the turn of a
    /// side, the activation of a formation.
    fn step(&self, game: &Self::Game, event: &<Self::Game as Game>::Event) -> Option<String> {
        let _ = (game, event);
        None
    }

    /// What a report draws of the system's own columns and tables.
    fn highlights(&self) -> Highlights {
        Highlights::default()
    }

    /// The subjects of [`Highlights::survival`] whose lives can still end: those that are there and have not fallen.
    fn alive(&self, game: &Self::Game, state: &<Self::Game as Game>::State) -> Vec<String> {
        let _ = (game, state);
        Vec::new()
    }

    /// What the position is worth to each side, 0 to 1, as the course of a game shows it; `None` if the system cannot
    /// tell.
    fn position_value(
        &self,
        scenario: &Scenario<Self::Game, Self::SystemKnowledge>,
        state: &<Self::Game as Game>::State,
    ) -> Option<PerSide<f32>> {
        let knowledge = &scenario.knowledge;
        let mut evaluator = knowledge.evaluator(knowledge.default_evaluator())?;
        Some(evaluator.evaluate(&scenario.game, state))
    }

    /// How much of each scenario goes into the signature: less than usual where games are long and slow.
    fn signed(&self) -> Signed {
        Signed::default()
    }

    /// What `sandtable describe` says about a scenario after its sides.
    fn describe(&self, scenario: &Scenario<Self::Game, Self::SystemKnowledge>) -> String;

    /// The exact odds of a battle.
    ///
    /// # Errors
    /// [`Failure::Input`] if the description does not fit, or the system has no battles.
    fn combat(&self, request: &CombatRequest<'_>) -> Result<CombatOdds, Failure> {
        let _ = request;
        Err(odds::has_none(self.info().name, "battles"))
    }

    /// The distribution of the weather of a scenario, or of the system's usual one, and of what else its calendar
    /// brings by chance.
    ///
    /// # Errors
    /// [`Failure::Input`] if the scenario cannot be opened, or the system has no weather.
    fn weather(&self, request: &WeatherRequest<'_>) -> Result<WeatherOdds, Failure> {
        let _ = request;
        Err(odds::has_none(self.info().name, "weather"))
    }

    /// The distribution of the order in which formations are drawn to act in a turn.
    ///
    /// # Errors
    /// [`Failure::Input`] if the scenario cannot be opened, or nothing of the kind is drawn in the system.
    fn initiative(&self, request: &InitiativeRequest<'_>) -> Result<InitiativeOdds, Failure> {
        let _ = request;
        Err(odds::has_none(self.info().name, "draws of formations"))
    }

    /// The distribution of who joins whom when war is declared on a nation.
    ///
    /// # Errors
    /// [`Failure::Input`] if the question does not fit, or nations do not react in the system.
    fn reactions(&self, request: &ReactionRequest<'_>) -> Result<ReactionOdds, Failure> {
        let _ = request;
        Err(odds::has_none(self.info().name, "reactions to declarations of war"))
    }

    /// The distribution of the months in which diplomatic events happen.
    ///
    /// # Errors
    /// [`Failure::Input`] if the question does not fit, or the system has no such events.
    fn events(&self, request: &EventRequest<'_>) -> Result<EventOdds, Failure> {
        let _ = request;
        Err(odds::has_none(self.info().name, "diplomatic events"))
    }
}

/// A system whose types are hidden.
pub trait AnySystem: Send + Sync {
    /// See [`System::info`].
    fn info(&self) -> SystemInfo;
    /// See [`System::data`].
    fn data(&self) -> Option<&'static dyn Data>;
    /// See [`System::scenarios`].
    fn scenarios(&self) -> Vec<ScenarioInfo>;
    /// See [`System::open`].
    ///
    /// # Errors
    /// As there.
    fn open<'a>(
        &'a self,
        source: Source<'_>,
        overrides: &[Override],
    ) -> Result<Box<dyn AnyScenario + 'a>, Failure>;
    /// See [`System::combat`].
    ///
    /// # Errors
    /// As there.
    fn combat(&self, request: &CombatRequest<'_>) -> Result<CombatOdds, Failure>;
    /// See [`System::weather`].
    ///
    /// # Errors
    /// As there.
    fn weather(&self, request: &WeatherRequest<'_>) -> Result<WeatherOdds, Failure>;
    /// See [`System::initiative`].
    ///
    /// # Errors
    /// As there.
    fn initiative(&self, request: &InitiativeRequest<'_>) -> Result<InitiativeOdds, Failure>;
    /// See [`System::reactions`].
    ///
    /// # Errors
    /// As there.
    fn reactions(&self, request: &ReactionRequest<'_>) -> Result<ReactionOdds, Failure>;
    /// See [`System::events`].
    ///
    /// # Errors
    /// As there.
    fn events(&self, request: &EventRequest<'_>) -> Result<EventOdds, Failure>;

    /// The table of rules; `None` if there is no rulebook.
    fn coverage(&self) -> Option<Vec<RuleCoverage>> {
        self.data()?.coverage().ok()
    }

    /// Its own files of worked examples: names and texts.
    fn examples(&self) -> Vec<(&'static str, &'static str)> {
        self.data().map(Data::examples).unwrap_or_default()
    }

    /// Runs the worked examples in a file.
    ///
    /// # Errors
    /// [`Failure::Input`] if the file is malformed.
    fn check(&self, path: &Path, text: &str) -> Result<Vec<ExampleReport>, Failure> {
        let path = path.display().to_string();
        let Some(data) = self.data() else {
            let name = self.info().id;
            return Err(Failure::input(format!("{path}: system {name} has no worked examples")));
        };
        Ok(data.run_examples(&path, text)?)
    }

    /// Writes a scenario's data into a folder that is empty or does not exist yet, to be edited and played by its path.
    ///
    /// # Errors
    /// [`Failure::Input`] if the system has no data files, or the folder cannot be written.
    fn export(&self, scenario: &str, folder: &Path) -> Result<(), Failure> {
        let Some(data) = self.data() else {
            return Err(Failure::input(format!(
                "{scenario} has no data files to export: its rules are all there is"
            )));
        };
        Ok(data.export(scenario, folder)?)
    }
}

impl<S: System> AnySystem for S {
    fn info(&self) -> SystemInfo {
        System::info(self)
    }

    fn data(&self) -> Option<&'static dyn Data> {
        System::data(self)
    }

    fn scenarios(&self) -> Vec<ScenarioInfo> {
        System::scenarios(self)
    }

    fn open<'a>(
        &'a self,
        source: Source<'_>,
        overrides: &[Override],
    ) -> Result<Box<dyn AnyScenario + 'a>, Failure> {
        Ok(Box::new(Opened { system: self, scenario: System::open(self, source, overrides)? }))
    }

    fn combat(&self, request: &CombatRequest<'_>) -> Result<CombatOdds, Failure> {
        System::combat(self, request)
    }

    fn weather(&self, request: &WeatherRequest<'_>) -> Result<WeatherOdds, Failure> {
        System::weather(self, request)
    }

    fn initiative(&self, request: &InitiativeRequest<'_>) -> Result<InitiativeOdds, Failure> {
        System::initiative(self, request)
    }

    fn reactions(&self, request: &ReactionRequest<'_>) -> Result<ReactionOdds, Failure> {
        System::reactions(self, request)
    }

    fn events(&self, request: &EventRequest<'_>) -> Result<EventOdds, Failure> {
        System::events(self, request)
    }
}

/// What is to be kept of each game beside its result, turns and facts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Extras {
    /// Table `decisions`: one row a decision, in words and search figures.
    pub decisions: bool,
    /// Table `records`: what was chosen, for the replay of games that cannot be played again.
    pub records: bool,
}

/// How the games of a run are played.
#[derive(Clone, PartialEq, Debug)]
pub struct Setup {
    /// The agent of each side.
    pub agents: Vec<AgentSpec>,
    /// The seed of the run.
    pub seed: u64,
    /// What is to be kept.
    pub extras: Extras,
}

impl Setup {
    /// Whether any agent's choices depend on the speed of the machine.
    pub fn is_timed(&self) -> bool {
        self.agents.iter().any(is_timed)
    }

    /// Whether any agent searches, and so takes much longer than the rules do.
    pub fn searches(&self) -> bool {
        self.agents.iter().any(|spec| !matches!(spec.agent().name, "random" | "scripted"))
    }
}

/// The agent that a person has described, files that the description names included.
///
/// # Errors
/// Names what was expected, or the file that cannot be read.
pub fn read_agent(text: &str) -> Result<AgentSpec, SpecError> {
    text.parse::<AgentSpec>()?.with_files(|path| files::read_text(path))
}

/// Whether an agent has a budget in milliseconds.
fn is_timed(spec: &AgentSpec) -> bool {
    let text = spec.to_string();
    let options = text.split_once(':').map_or("", |(_, options)| options);
    options.split(',').any(|option| option.starts_with("ms="))
}

/// A scenario that has been opened, its types hidden.
pub trait AnyScenario: Send + Sync {
    /// What it is called.
    fn id(&self) -> &str;
    /// The hash of its data.
    fn hash(&self) -> u64;
    /// Its system.
    fn system(&self) -> SystemInfo;
    /// Its sides.
    fn sides(&self) -> &[SideInfo];
    /// See [`System::describe`].
    fn describe(&self) -> String;
    /// The policies and evaluators that agents can be told to use, and the restrictions they can be put under.
    fn knowledge(&self) -> Vec<Knowledge>;
    /// The weights of policies that can be tuned, by side.
    fn weights(&self) -> Vec<Weight>;
    /// Fails if an agent asks for knowledge that this system has not, or for a search that cannot work in it.
    ///
    /// # Errors
    /// [`Failure::Input`] names it.
    fn check_agent(&self, spec: &AgentSpec) -> Result<(), Failure>;
    /// The tables of a run, `games` first.
    fn tables(&self, extras: Extras) -> Vec<Schema>;
    /// Somebody who plays games, for one thread.
    ///
    /// # Errors
    /// As [`AnyScenario::check_agent`].
    fn player<'a>(&'a self, setup: &Setup) -> Result<Box<dyn Player + 'a>, Failure>;
    /// Agents, one a side, in games of which only the results are kept; for one thread.
    ///
    /// # Errors
    /// As [`AnyScenario::check_agent`].
    fn contest<'a>(&'a self, agents: &[AgentSpec]) -> Result<Box<dyn Contest + 'a>, Failure>;
    /// See [`System::map`].
    fn map(&self) -> Option<Map>;
    /// The board at the start of the first game of a run with this seed.
    fn start(&self, seed: u64) -> Position;
    /// See [`System::alive`]: at the start of the first game of a run with this seed.
    fn alive_at_start(&self, seed: u64) -> Vec<String>;
    /// See [`System::highlights`].
    fn highlights(&self) -> Highlights;
    /// The same; the course of every game is kept too, as far as the system can tell.
    ///
    /// # Errors
    /// As [`AnyScenario::check_agent`].
    fn contest_with_course<'a>(&'a self, agents: &[AgentSpec]) -> Result<Box<dyn Contest + 'a>, Failure>;
    /// Plays a game again and tells its log.
    ///
    /// # Errors
    /// If the record does not fit the game, or the log cannot be written.
    fn replay(&self, request: &ReplayRequest, log: &mut dyn GameLog) -> Result<Replayed, Failure>;
    /// Plays a game again and says what each part of it was worth. `accept` is asked whether its end is that of the game
    /// that was played, before the long part of the work; `progress` hears of how much of that is done, and how much there is.
    ///
    /// # Errors
    /// If the record does not fit the game, or there is no policy or evaluator of a name that is asked for.
    fn analyse(
        &self,
        request: &AnalysisRequest,
        accept: &(dyn Fn(&Replayed) -> Result<(), Failure> + Sync),
        progress: &(dyn Fn(usize, usize) + Sync),
    ) -> Result<Analysed, Failure>;
    /// What the system's evaluator thinks of positions now.
    ///
    /// # Errors
    /// If its value cannot be learned.
    fn known_value(&self) -> Result<KnownValue, Failure>;
    /// Plays game `number` of a run with this seed, one agent a side, and tells what it showed to that evaluator.
    ///
    /// # Errors
    /// If its value cannot be learned, or as [`AnyScenario::check_agent`].
    fn game_sample(&self, agents: &[AgentSpec], game: (u64, u64)) -> Result<GameSample, Failure>;
    /// Plays random games and checks the invariants of the game after every decision.
    ///
    /// # Errors
    /// The first invariant that is broken, with the choices and dice that lead there.
    fn trial(&self, games: u64) -> Result<KitReport, kit::Failure>;
    /// A number that only a change of the rules' or agents' behaviour changes.
    fn signature(&self) -> u64;
    /// Plays games as a [`Player`] does, but keeps nothing: what the keeping costs is measured against this.
    ///
    /// # Errors
    /// As [`AnyScenario::check_agent`].
    fn play_without_tables(&self, setup: &Setup, games: Range<u64>) -> Result<(), Failure>;
}

/// Plays games and keeps their rows until they are taken.
pub trait Player {
    /// Plays game number `game` of the run.
    fn play(&mut self, game: u64);
    /// Takes what has been kept since the last time.
    fn take(&mut self) -> Batch;
}

/// The rows of some games, in the order of [`AnyScenario::tables`], and their results counted.
#[derive(Debug)]
pub struct Batch {
    /// Rows per table.
    pub tables: Vec<Rows>,
    /// The results.
    pub tally: Tally,
}

impl Batch {
    /// All batches as one, in their order; `None` if there are none.
    pub fn concat(batches: Vec<Batch>) -> Option<Batch> {
        let mut batches = batches.into_iter();
        let mut whole = batches.next()?;
        for (table, rows) in whole.tables.iter_mut().enumerate() {
            rows.reserve(batches.as_slice().iter().map(|batch| batch.tables[table].len()).sum());
        }
        for next in batches {
            for (rows, more) in whole.tables.iter_mut().zip(next.tables) {
                rows.append(more);
            }
            whole.tally.merge(&next.tally);
        }
        Some(whole)
    }
}

/// A scenario together with its system.
struct Opened<'a, S: System> {
    system: &'a S,
    scenario: Scenario<S::Game, S::SystemKnowledge>,
}

/// The label of each team: the identifiers of its sides, joined by `+`. Indexed by [`SideInfo::team`].
pub fn team_labels(sides: &[SideInfo]) -> Vec<String> {
    let teams = sides.iter().map(|side| usize::from(side.team) + 1).max().unwrap_or(0);
    (0..teams)
        .map(|team| {
            let members: Vec<&str> =
                sides.iter().filter(|side| usize::from(side.team) == team).map(|side| side.id).collect();
            members.join("+")
        })
        .collect()
}

/// The least and the most points a side can have.
pub fn points_range(side: &SideInfo) -> (f64, f64) {
    (f64::from(side.points.0), f64::from(side.points.1))
}

/// The mean points of a side over independent games, or pairs of games, with an interval inside what its points can be.
pub fn mean_points(points: &Moments, side: &SideInfo) -> Estimate {
    let (least, most) = points_range(side);
    points.mean_from(least, most)
}

/// The mean difference of the points of a side within pairs of games, with an interval inside what it can be.
pub fn difference_of_points(differences: &Moments, side: &SideInfo) -> Estimate {
    let (least, most) = points_range(side);
    differences.mean_from(least - most, most - least)
}

/// Finds the scenario of this name, or the system that takes the file or folder of this name.
///
/// # Errors
/// Names the nearest scenario.
pub fn open<'a>(
    systems: &'a [Box<dyn AnySystem>],
    name: &str,
    overrides: &[Override],
) -> Result<Box<dyn AnyScenario + 'a>, Failure> {
    let (system, source) = find(systems, name)?;
    system.open(source, overrides)
}

/// The system of the scenario of this name or path.
///
/// # Errors
/// Names the nearest scenario.
pub fn find<'a, 'n>(
    systems: &'a [Box<dyn AnySystem>],
    name: &'n str,
) -> Result<(&'a dyn AnySystem, Source<'n>), Failure> {
    for system in systems {
        if system.scenarios().iter().any(|scenario| scenario.id == name) {
            return Ok((system.as_ref(), Source::Id(name)));
        }
    }
    let path = Path::new(name);
    if path.exists() {
        if !is_scenario_folder(path) {
            return Err(Failure::input(if path.join(MANIFEST).exists() {
                format!(
                    "{name} is the folder of a run, not a scenario: `replay`, `report` and `render --run` take it"
                )
            } else {
                format!("{name} is not a scenario: expected a folder such as `sandtable export` writes")
            }));
        }
        let ids: Vec<&str> = systems.iter().filter_map(|system| Some(system.data()?.id())).collect();
        let id = named_system(path, &ids)?;
        let mut all = systems.iter();
        let named = all.find(|system| system.data().is_some_and(|data| data.id() == id));
        let system = named.expect("one of those with data");
        return Ok((system.as_ref(), Source::Path(path)));
    }
    let ids: Vec<String> =
        systems.iter().flat_map(|system| system.scenarios()).map(|scenario| scenario.id).collect();
    Err(Failure::input(format!(
        "unknown scenario \"{name}\", and no file or folder of that name: {}",
        expected(name, ids.iter().map(String::as_str))
    )))
}

/// The name of a phase as words: that of its variant without its fields, `TacticalMovement` as `tactical movement`.
pub fn phase_words(phase: &impl std::fmt::Debug) -> String {
    let name = format!("{phase:?}");
    let mut words = String::new();
    for letter in name.chars().take_while(|letter| letter.is_alphanumeric()) {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    words
}

/// What [`Recorder::turn_cells`] is told about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TurnEnd {
    /// The game turn that has ended.
    pub turn: u32,
    /// The side whose row it is.
    pub side: Side,
}

/// For systems without rows of their own.
impl<G: Game> Recorder<G> for () {
    fn fact(&mut self, _: &G, _: G::Event, _: &mut Facts) {}
    fn turn_cells(&mut self, _: &G, _: &G::State, _: TurnEnd, _: &mut Row<'_>) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_are_words() {
        #[derive(Debug)]
        #[expect(dead_code, reason = "the field is only there to be left out")]
        enum Phase {
            TacticalMovement,
            Combat { area: u8 },
        }
        assert_eq!(phase_words(&Phase::TacticalMovement), "tactical movement");
        assert_eq!(phase_words(&Phase::Combat { area: 3 }), "combat");
    }

    #[test]
    fn points_that_do_not_vary_are_bounded_by_what_they_can_be() {
        let side = SideInfo { id: "axis", name: "Axis", team: 0, points: (-2, 8) };
        let alike = |value: f64| std::iter::repeat_n(value, 20).collect::<Moments>();
        // As many other games may be unseen as Wilson's interval of none in twenty allows, and lie at either end.
        let unseen = 0.161_125;
        for (value, low, high) in
            [(3.0, 3.0 - 5.0 * unseen, 3.0 + 5.0 * unseen), (-2.0, -2.0, -2.0 + 10.0 * unseen)]
        {
            let mean = mean_points(&alike(value), &side);
            assert!((mean.low - low).abs() < 1e-5 && (mean.high - high).abs() < 1e-5, "{mean:?}");
        }
        let difference = difference_of_points(&alike(0.0), &side);
        assert!((difference.high - 10.0 * unseen).abs() < 1e-5, "{difference:?}");
        assert!((difference.low + 10.0 * unseen).abs() < 1e-5, "{difference:?}");
        let nothing = mean_points(&Moments::default(), &side);
        assert_eq!((nothing.low, nothing.high), (-2.0, 8.0));
    }
}
