//! Balance: how fair is a scenario, between agents of several strengths, and what would make it so?
//!
//! All games of a study share one series of dice: game *n* of every arm has the dice of game *n* under the seed, so
//! that arms can be compared pair by pair. The arms are
//!
//! - each *strength*: one agent on all sides;
//! - for every restriction and side, the same with this side denied something: what it loses is what the thing is
//!   worth;
//! - for a *handicap*, the same with a parameter of the scenario turned, by values and dice of their own, to find
//!   those at which the first team scores the target; and then at what was found, with dice that the search has not
//!   seen, to check it.
//!
//! * [`report`]: the figures. [`tables`]: the same as tables.

mod parameter;
pub mod report;
pub mod tables;
pub(crate) mod tally;

use std::collections::BTreeMap;

use sandtable_ai::AgentSpec;
use sandtable_core::{Digest, SideInfo};
use sandtable_stats::interval::Estimate;
use sandtable_stats::pairs::{GameResults, Outcome};
use sandtable_stats::root::{Goal, Root, RootFinder, Status};
use serde::{Deserialize, Serialize};

use super::arena::Job;
use super::progress::ProgressReport;
use super::study::{self, Arm, Entrants, Plan, ResultSink};
use super::tournament::manifest::ScenarioEntry;
use super::words::{percent, plain};
use crate::failure::{Failure, expected};
use crate::system::{AnyScenario, AnySystem, GameResult, Override, open, read_agent, team_labels};

pub use parameter::HandicapParameter;
pub(super) use tally::LEVEL;
use tally::{Measures, RestrictedTally, Tally};

/// What the manifest of such a study says it is.
pub const KIND: &str = "balance";

/// What a study of balance asks.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Question {
    /// The scenario, with its overrides.
    pub scenario: ScenarioEntry,
    /// The overrides, `path=value`.
    pub overrides: Vec<String>,
    /// The strengths: agents, each of which plays all sides.
    pub agents: Vec<String>,
    /// Games of each arm.
    pub games: u64,
    /// The handicap that is to be found.
    pub handicap: Option<Handicap>,
    /// What each side is to be denied in turn.
    pub restrictions: Vec<String>,
}

impl study::Question for Question {
    const KIND: &'static str = KIND;

    fn games(&mut self) -> Option<&mut u64> {
        Some(&mut self.games)
    }
}

/// A handicap that is to be found.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Handicap {
    /// What can be turned, and how far.
    pub parameter: HandicapParameter,
    /// The score of the first team that counts as fair.
    pub target: f64,
    /// The width of the interval that is enough; 0 to play all games.
    pub width: f64,
    /// How many games the search may take, for each strength; a fifth of them check what the others have found.
    pub games: u64,
}

/// Restrictions that every system has: another agent plays the side.
const AGENTS_INSTEAD: [(&str, &str); 2] = [
    ("greedy", "looks no further than the position after each action, as far as the system can value it"),
    ("one-turn", "plans no further than the end of the next turn"),
];

/// Simulations of the agents of [`AGENTS_INSTEAD`] where the strength has none of its own.
const SIMULATIONS: u32 = 100;

/// The restrictions that can be named for a scenario, and what they are.
pub fn restrictions(scenario: &dyn AnyScenario) -> Vec<(&'static str, &'static str)> {
    let known = scenario.knowledge();
    let own =
        known.iter().filter(|known| known.kind == "restriction").map(|known| (known.name, known.summary));
    own.chain(AGENTS_INSTEAD).collect()
}

/// The names given as restrictions, each once; `all` names all.
///
/// # Errors
/// Names the one that is not known, and the nearest.
pub fn named_restrictions(scenario: &dyn AnyScenario, given: &[String]) -> Result<Vec<String>, Failure> {
    let known = restrictions(scenario);
    let mut names: Vec<String> = Vec::new();
    for name in given {
        if name != "all" && !known.iter().any(|(known, _)| known == name) {
            let names = known.iter().map(|(name, _)| *name).chain(["all"]);
            return Err(Failure::input(format!(
                "--restrict {name}: unknown restriction of {}: {}",
                scenario.id(),
                expected(name, names)
            )));
        }
        for (known, _) in known.iter().filter(|(known, _)| name == "all" || known == name) {
            if !names.iter().any(|name| name == known) {
                names.push((*known).to_owned());
            }
        }
    }
    Ok(names)
}

/// The agent that plays instead of `spec` under a restriction.
fn under(spec: &AgentSpec, restriction: &str) -> Result<AgentSpec, Failure> {
    let simulations = spec.iterations().unwrap_or(SIMULATIONS);
    let agent = match restriction {
        "greedy" => format!("flat-mc:iterations={simulations},depth=0").parse(),
        "one-turn" => format!("mcts:iterations={simulations},depth=1t").parse(),
        name => spec.denied(name),
    };
    agent.map_err(|error| Failure::input(format!("--restrict {restriction}: {error}")))
}

/// The strengths of a study that names none: chance, and the best that comes without waiting.
pub fn ladder(scenario: &dyn AnyScenario) -> Vec<String> {
    let knows = |text: &str| text.parse().is_ok_and(|spec| scenario.check_agent(&spec).is_ok());
    let better = if knows("scripted") { "scripted" } else { "mcts:iterations=50" };
    vec!["random".to_owned(), better.to_owned()]
}

/// What a game is for.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Purpose {
    Strength(usize),
    Restricted(usize),
    Handicap { strength: usize, value: f64 },
    Check { strength: usize, check: usize },
}

/// The search for a handicap by one strength.
#[derive(Clone, Debug)]
struct Search {
    finder: RootFinder,
    /// The arm of each value, by its bits.
    arms: BTreeMap<u64, usize>,
    /// Games asked for.
    asked: u64,
    /// The games of the first team at all values together, by outcome.
    outcomes: GameResults,
    /// What was found, played again; nothing before the search has ended.
    checks: Option<Vec<Check>>,
}

impl Search {
    /// A search that has not begun; a part of the games of the handicap is kept for the checks.
    fn new(handicap: &Handicap) -> Result<Search, Failure> {
        let Handicap { parameter, target, width, games } = handicap;
        let (low, high, whole) = parameter.scale();
        let goal = Goal { width: width / parameter.step.unwrap_or(1.0), budget: games - games / CHECKED };
        let finder = RootFinder::new(low, high, whole, *target, goal)
            .map_err(|error| Failure::input(format!("--handicap {parameter}: {error}")))?;
        Ok(Search { finder, arms: BTreeMap::new(), asked: 0, outcomes: GameResults::default(), checks: None })
    }
}

/// Games at a value that a search has found, or beside it, with dice of their own.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Check {
    /// The number of the crossing.
    crossing: usize,
    /// The value, on the scale of the search.
    place: f64,
    /// What the search says that the first team scores there.
    foretold: Estimate,
    /// The fresh games by outcome.
    outcomes: GameResults,
}

/// Of how many games of a search one is kept to check what the others have found.
const CHECKED: u64 = 5;

/// The study at work.
pub struct Balance<'s> {
    systems: &'s [Box<dyn AnySystem>],
    question: Question,
    seed: u64,
    sides: Vec<SideInfo>,
    specs: Vec<AgentSpec>,
    /// By arm.
    purposes: Vec<Purpose>,
    /// How many arms play a fixed number of games.
    fixed: usize,
    /// Whether these games have been asked for.
    begun: bool,
    strengths: Vec<Tally>,
    restricted: Vec<RestrictedTally>,
    /// Each strength's last game, which those of the restricted arms are compared with.
    last: Vec<Option<Measures>>,
    searches: Vec<Search>,
    done: u64,
}

/// The agents of a question, each once.
fn agents(question: &Question, scenario: &dyn AnyScenario) -> Result<Vec<AgentSpec>, Failure> {
    let mut specs: Vec<AgentSpec> = Vec::new();
    for text in &question.agents {
        let refused = |failure: Failure| failure.within(&format!("--agent {text}"));
        let spec = read_agent(text).map_err(|error| refused(Failure::input(format!("{error}"))))?;
        scenario.check_agent(&spec).map_err(refused)?;
        if specs.contains(&spec) {
            return Err(Failure::input(format!("--agent {text}: {spec} is given twice")));
        }
        specs.push(spec);
    }
    Ok(specs)
}

impl<'s> Balance<'s> {
    /// The study, and who plays in it. The parameter of a handicap is not tried here, see [`check_parameter`].
    ///
    /// # Errors
    /// If an agent, restriction or range does not fit the scenario.
    pub fn new(
        systems: &'s [Box<dyn AnySystem>],
        question: Question,
        seed: u64,
    ) -> Result<(Self, Entrants<'s>), Failure> {
        let overrides = parse_overrides(&question.overrides)?;
        let scenario = open(systems, &question.scenario.id, &overrides)?;
        let sides = scenario.sides().to_vec();
        let specs = agents(&question, scenario.as_ref())?;
        let mut entrants = Entrants::default();
        let mut purposes = Vec::new();
        let mut restricted = Vec::new();
        for (strength, spec) in specs.iter().enumerate() {
            let agents = vec![spec.clone(); sides.len()];
            entrants.arms.push(Arm { name: spec.to_string(), scenario: 0, agents, parameter: None });
            purposes.push(Purpose::Strength(strength));
        }
        for (strength, spec) in specs.iter().enumerate() {
            for name in &question.restrictions {
                for (side, info) in sides.iter().enumerate() {
                    let mut agents = vec![spec.clone(); sides.len()];
                    agents[side] = under(spec, name)?;
                    scenario
                        .check_agent(&agents[side])
                        .map_err(|failure| failure.within(&format!("--restrict {name}")))?;
                    let arm = format!("{spec}, {} {name}", info.id);
                    let agent = agents[side].to_string();
                    entrants.arms.push(Arm { name: arm, scenario: 0, agents, parameter: None });
                    purposes.push(Purpose::Restricted(restricted.len()));
                    restricted.push(RestrictedTally::new(strength, side, name.clone(), agent));
                }
            }
        }
        let search = question.handicap.as_ref().map(Search::new).transpose()?;
        let searches = search.map_or_else(Vec::new, |search| vec![search; specs.len()]);
        entrants.scenarios.push(scenario);
        let balance = Balance {
            systems,
            seed,
            fixed: purposes.len(),
            purposes,
            begun: false,
            strengths: vec![Tally::new(sides.len(), team_labels(&sides).len()); specs.len()],
            last: vec![None; specs.len()],
            restricted,
            searches,
            sides,
            specs,
            question,
            done: 0,
        };
        Ok((balance, entrants))
    }

    /// The sides of the scenario.
    pub fn sides(&self) -> &[SideInfo] {
        &self.sides
    }

    fn root(&self, strength: usize) -> Option<Root> {
        let parameter = &self.question.handicap.as_ref()?.parameter;
        let mut root = self.searches.get(strength)?.finder.root();
        root.value = root.value.map(|value| parameter.value(value));
        for crossing in &mut root.crossings {
            crossing.value = crossing.value.map(|value| parameter.value(value));
        }
        Some(root)
    }

    /// The arm in which a strength plays with the parameter at a value, which is made if there is none yet.
    fn arm_of(&mut self, entrants: &mut Entrants<'s>, strength: usize, place: f64) -> Result<usize, Failure> {
        if let Some(&arm) = self.searches[strength].arms.get(&place.to_bits()) {
            return Ok(arm);
        }
        let Some(Handicap { parameter, .. }) = &self.question.handicap else { return Ok(0) };
        let name = format!("{}, {}", self.specs[strength], parameter.path);
        let arm = self.turned(entrants, strength, place, name)?;
        self.purposes.push(Purpose::Handicap { strength, value: place });
        self.searches[strength].arms.insert(place.to_bits(), arm);
        Ok(arm)
    }

    /// A new arm in which a strength plays with the parameter at a value.
    fn turned(
        &self,
        entrants: &mut Entrants<'s>,
        strength: usize,
        place: f64,
        name: String,
    ) -> Result<usize, Failure> {
        let Some(Handicap { parameter, .. }) = &self.question.handicap else { return Ok(0) };
        let value = parameter.value(place);
        let id = &self.question.scenario.id;
        let is_there = |arm: &&Arm| arm.parameter == Some(value);
        let scenario = if let Some(arm) = entrants.arms.iter().find(is_there) {
            arm.scenario
        } else {
            let mut overrides = parse_overrides(&self.question.overrides)?;
            overrides.push(parameter.at(value));
            entrants.scenarios.push(open(self.systems, id, &overrides)?);
            entrants.scenarios.len() - 1
        };
        let agents = vec![self.specs[strength].clone(); self.sides.len()];
        entrants.arms.push(Arm { name, scenario, agents, parameter: Some(value) });
        Ok(entrants.arms.len() - 1)
    }

    /// The games that check what a search has found: at the value, or at the two on either side of it where there are
    /// steps.
    fn check(&mut self, entrants: &mut Entrants<'s>, strength: usize) -> Result<Vec<Job>, Failure> {
        let Some(Handicap { parameter, games, .. }) = self.question.handicap.clone() else {
            return Ok(Vec::new());
        };
        let finder = &self.searches[strength].finder;
        let root = finder.root();
        let mut checks = Vec::new();
        if !matches!(root.status, Status::Above | Status::Below) {
            for (crossing, at) in root.crossings.iter().enumerate() {
                let value = at.value.value;
                let places =
                    if parameter.step.is_some() { vec![value.floor(), value.ceil()] } else { vec![value] };
                for place in places {
                    if checks.iter().all(|check: &Check| check.place.to_bits() != place.to_bits()) {
                        let foretold = if parameter.step.is_some() {
                            finder.score_at(place)
                        } else {
                            finder.score_about(at)
                        };
                        checks.push(Check { crossing, place, foretold, outcomes: GameResults::default() });
                    }
                }
            }
        }
        let each = games / CHECKED / checks.len().max(1) as u64;
        let seed = Digest::of(&("handicap, fresh dice", self.seed));
        let mut jobs = Vec::new();
        for (number, check) in checks.iter().enumerate() {
            let name = format!("{}, {}{FRESH}", self.specs[strength], parameter.path);
            let assignment = self.turned(entrants, strength, check.place, name)?;
            self.purposes.push(Purpose::Check { strength, check: number });
            jobs.extend((0..each).map(|game| Job { assignment, seed, game }));
        }
        self.searches[strength].checks = Some(if each > 0 { checks } else { Vec::new() });
        Ok(jobs)
    }
}

/// What the arm of such games is called, beside the agent and the parameter.
pub(crate) const FRESH: &str = ", fresh dice";

/// How a game ended for the first team.
fn outcome(result: &GameResult) -> Outcome {
    match result.winner {
        None => Outcome::Draw,
        Some(0) => Outcome::Win,
        Some(_) => Outcome::Loss,
    }
}

fn parse_overrides(texts: &[String]) -> Result<Vec<Override>, Failure> {
    let parse =
        |text: &String| text.parse().map_err(|error| Failure::input(format!("--set {text}: {error}")));
    texts.iter().map(parse).collect()
}

/// Fails unless the parameter is a number of the scenario, which can be opened at its values as far as they can all
/// be tried.
///
/// # Errors
/// Names the value at which it cannot be opened, and why.
pub fn check_parameter(
    systems: &[Box<dyn AnySystem>],
    scenario: &str,
    overrides: &[Override],
    parameter: &HandicapParameter,
) -> Result<(), Failure> {
    let open_with = |set: Override| open(systems, scenario, &[overrides, &[set]].concat());
    for value in parameter.samples() {
        open_with(parameter.at(value)).map_err(|failure| {
            let hint = if parameter.step.is_some() { "" } else { " (for steps, write LOW..HIGH:STEP)" };
            failure.within(&format!("--handicap {parameter}, at {value}{hint}"))
        })?;
    }
    // What takes a word as well as a number is a text.
    if open_with(Override::new(parameter.path.clone(), "word")).is_ok() {
        return Err(Failure::input(format!(
            "--handicap {parameter}: {} is a text; expected a number",
            parameter.path
        )));
    }
    Ok(())
}

/// Games of a search between two looks at its results: few enough that it does not go far astray, and enough for all
/// threads.
fn batch(games: u64) -> usize {
    (games / 40).clamp(8, 64) as usize
}

impl<'s> Plan<'s> for Balance<'s> {
    /// First the searches, whose games depend on those before, then what they found with fresh dice, then the others,
    /// to which more can be added.
    fn next(&mut self, entrants: &mut Entrants<'s>) -> Result<Vec<Job>, Failure> {
        let seed = Digest::of(&("handicap", self.seed));
        let mut jobs = Vec::new();
        for strength in 0..self.searches.len() {
            let Some(handicap) = &self.question.handicap else { break };
            let values = self.searches[strength].finder.ask(batch(handicap.games));
            for value in values {
                let assignment = self.arm_of(entrants, strength, value)?;
                let search = &mut self.searches[strength];
                jobs.push(Job { assignment, seed, game: search.asked });
                search.asked += 1;
            }
        }
        if jobs.is_empty() {
            for strength in 0..self.searches.len() {
                if self.searches[strength].checks.is_none() {
                    jobs.extend(self.check(entrants, strength)?);
                }
            }
        }
        if jobs.is_empty() && !std::mem::replace(&mut self.begun, true) {
            let (arms, seed) = (0..self.fixed, self.seed);
            let of_number = |game| arms.clone().map(move |assignment| Job { assignment, seed, game });
            jobs = (0..self.question.games).flat_map(of_number).collect();
        }
        Ok(jobs)
    }
}

impl ResultSink for Balance<'_> {
    fn take(&mut self, job: &Job, result: &GameResult) -> Result<(), Failure> {
        self.done += 1;
        match self.purposes[job.assignment] {
            Purpose::Strength(strength) => {
                self.last[strength] = Some(Measures::of(result));
                self.strengths[strength].add(result);
            }
            Purpose::Restricted(place) => {
                let tally = &mut self.restricted[place];
                if let Some(free) = &self.last[tally.strength] {
                    tally.add(free, &Measures::of(result), self.sides[tally.side].team);
                }
            }
            Purpose::Handicap { strength, value } => {
                let outcome = outcome(result);
                let search = &mut self.searches[strength];
                search.outcomes.add(outcome);
                search
                    .finder
                    .tell(value, outcome.score())
                    .map_err(|error| Failure::Internal(anyhow::anyhow!("{error}")))?;
            }
            Purpose::Check { strength, check } => {
                if let Some(check) = self.searches[strength].checks.iter_mut().flatten().nth(check) {
                    check.outcomes.add(outcome(result));
                }
            }
        }
        Ok(())
    }

    fn progress_report(&self) -> ProgressReport {
        let fixed = self.question.games * self.fixed as u64;
        let searched: u64 = self
            .searches
            .iter()
            .zip(0..)
            .map(|(search, strength)| match self.root(strength).map(|root| root.status) {
                Some(Status::Searching) | None => {
                    self.question.handicap.as_ref().map_or(0, |handicap| handicap.games)
                }
                Some(_) => {
                    let kept = self.question.handicap.as_ref().map_or(0, |handicap| handicap.games / CHECKED);
                    let checked = search
                        .checks
                        .as_ref()
                        .map_or(kept, |checks| checks.len() as u64 * (kept / checks.len().max(1) as u64));
                    search.finder.units() + checked
                }
            })
            .sum();
        let team = team_labels(&self.sides).swap_remove(0);
        let estimate = if self.begun || self.searches.is_empty() {
            let strengths = self
                .specs
                .iter()
                .zip(&self.strengths)
                .map(|(spec, tally)| format!("{spec}: {team} wins {}", percent(&tally.share(0))));
            strengths.collect::<Vec<_>>().join(", ")
        } else {
            let strengths = self.specs.iter().enumerate().filter_map(|(strength, spec)| {
                let root = self.root(strength)?;
                let all: Vec<String> =
                    root.crossings.iter().map(|crossing| plain(&crossing.value, 2)).collect();
                let found = if all.is_empty() { "nowhere yet".to_owned() } else { all.join(" and ") };
                Some(format!("{spec}: fair at {found}"))
            });
            strengths.collect::<Vec<_>>().join(", ")
        };
        ProgressReport { done: self.done, total: fixed + searched, estimate }
    }
}
