//! One-line descriptions of agents: `mcts:iterations=2000,rollout=scripted,depth=2t`.
//!
//! A name, then options `key=value` separated by commas after a colon. [`agents`] lists all names and options.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use sandtable_core::Game;

use crate::agent::Agent;
use crate::analysis::{AnalysisOptions, Analyst};
use crate::budget::{Budget, Per};
use crate::flat::{Allocation, FlatMonteCarlo};
use crate::plans::{PlanOptions, PlanSearch};
use crate::policy::{Evaluator, Named, Policy, Portfolio, SystemKnowledge, UniformEvaluator, UniformPolicy};
use crate::restricted::Restricted;
use crate::search::{Depth, Determinizations, Rule, SearchOptions, TreeSearch, Widening};
use crate::simple::{PolicyAgent, RandomAgent};
use crate::value::{self, CONSTANT, ValueError};

/// A kind of agent, as listed for people.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AgentInfo {
    /// As written in specifications.
    pub name: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
    /// What can be set.
    pub options: &'static [OptionInfo],
}

/// An option of an agent, as listed for people.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OptionInfo {
    /// As written in specifications.
    pub name: &'static str,
    /// What can be given.
    pub values: Values,
    /// What holds when it is not given, in words or as a value.
    pub default: &'static str,
    /// What it does, in a line.
    pub summary: &'static str,
}

/// What values an option takes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Values {
    /// A whole number from the first to the second.
    Count(u32, u32),
    /// A number from the first to the second.
    Number(f32, f32),
    /// A number from the first to the second, or this word.
    NumberOr(f32, f32, &'static str),
    /// One of these words.
    Word(&'static [&'static str]),
    /// `end`, a number of decisions (`40`), or of game turns (`2t`).
    Depth,
    /// A policy of the system, or `random`.
    Policy,
    /// An evaluator of the system, or `uniform`.
    Evaluator,
    /// Restrictions of the system, joined by `+`.
    Restrictions,
    /// Weights as `SIDE.NAME:VALUE` joined by `+`, or the path of a file of such weights, which ends in `.toml`.
    Weights,
    /// A learned value: the path of a file of it, which ends in `.toml`, or its numbers as `FEATURE:WEIGHT` joined by `+`.
    Value,
}

impl fmt::Display for Values {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Values::Count(low, high) => write!(f, "a whole number from {low} to {high}"),
            Values::Number(low, high) => write!(f, "a number from {low} to {high}"),
            Values::NumberOr(low, high, word) => write!(f, "{word}, or a number from {low} to {high}"),
            Values::Word(words) => f.write_str(&words.join(" or ")),
            Values::Depth => {
                f.write_str("end, a number of decisions (such as 40) or of game turns (such as 2t)")
            }
            Values::Policy => f.write_str("a policy of the system, or random"),
            Values::Evaluator => f.write_str("an evaluator of the system, or uniform"),
            Values::Restrictions => f.write_str("restrictions of the system, joined by +"),
            Values::Weights => f.write_str(
                "a file of weights ending in .toml, or weights such as axis.kill:1.4+axis.prize:0.9",
            ),
            Values::Value => f.write_str(
                "a file of a learned value ending in .toml, or a weight of each feature such as constant:0.1+ground:2",
            ),
        }
    }
}

/// The value of an option.
#[derive(Clone, PartialEq, Debug)]
enum Value {
    Count(u32),
    Number(f32),
    Word(String),
    Depth(Depth),
    Weights(Vec<(String, f32)>),
    /// A file of weights that has not been read: [`AgentSpec::with_files`].
    WeightFile(PathBuf),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Count(count) => write!(f, "{count}"),
            Value::Number(number) => write!(f, "{number}"),
            Value::Word(word) => f.write_str(word),
            Value::Weights(weights) => weights.iter().enumerate().try_for_each(|(index, (name, weight))| {
                write!(f, "{}{name}:{weight}", if index == 0 { "" } else { "+" })
            }),
            Value::WeightFile(path) => write!(f, "{}", path.display()),
            Value::Depth(Depth::End) => f.write_str("end"),
            Value::Depth(Depth::Decisions(decisions)) => write!(f, "{decisions}"),
            Value::Depth(Depth::Turns(turns)) => write!(f, "{turns}t"),
        }
    }
}

impl Values {
    fn parse(self, text: &str) -> Option<Value> {
        let number = |low: f32, high: f32| {
            text.parse().ok().filter(|number| (low..=high).contains(number)).map(Value::Number)
        };
        match self {
            Values::Count(low, high) => {
                text.parse().ok().filter(|count| (low..=high).contains(count)).map(Value::Count)
            }
            Values::Number(low, high) => number(low, high),
            Values::NumberOr(_, _, word) if text == word => Some(Value::Word(text.to_owned())),
            Values::NumberOr(low, high, _) => number(low, high),
            Values::Word(words) => words.contains(&text).then(|| Value::Word(text.to_owned())),
            Values::Depth if text == "end" => Some(Value::Depth(Depth::End)),
            Values::Depth => match text.strip_suffix('t') {
                Some(turns) => {
                    let turns = turns.parse().ok().filter(|&turns| turns > 0)?;
                    Some(Value::Depth(Depth::Turns(turns)))
                }
                None => text.parse().ok().map(|decisions| Value::Depth(Depth::Decisions(decisions))),
            },
            Values::Weights | Values::Value
                if Path::new(text).extension().is_some_and(|ending| ending == "toml") =>
            {
                Some(Value::WeightFile(text.into()))
            }
            Values::Weights => weights(text, |name| name.contains('.')).map(Value::Weights),
            Values::Value => weights(text, |name| !name.contains('.')).map(Value::Weights),
            Values::Policy | Values::Evaluator | Values::Restrictions => {
                let joins = self == Values::Restrictions;
                let word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_' || (joins && c == '+');
                (!text.is_empty() && text.chars().all(word)).then(|| Value::Word(text.to_owned()))
            }
        }
    }
}

/// Weights as a specification writes them, in ascending order of their names.
fn weights(text: &str, is_name: impl Fn(&str) -> bool) -> Option<Vec<(String, f32)>> {
    let one = |part: &str| {
        let (name, weight) = part.split_once(':')?;
        is_name(name).then_some(())?;
        Some((name.trim().to_owned(), weight.trim().parse().ok()?))
    };
    in_order(text.split('+').map(one).collect::<Option<_>>()?)
}

/// Weights as a file has them, by side, in ascending order of their names.
fn weights_of_file(text: &str) -> Option<Vec<(String, f32)>> {
    let file: BTreeMap<String, BTreeMap<String, f32>> = toml::from_str(text).ok()?;
    let of_side = |(side, weights): (String, BTreeMap<String, f32>)| {
        weights.into_iter().map(move |(name, value)| (format!("{side}.{name}"), value))
    };
    in_order(file.into_iter().flat_map(of_side).collect())
}

/// Weights in ascending order of their names; `None` if there are none, or one stands there twice or is no number.
fn in_order(mut weights: Vec<(String, f32)>) -> Option<Vec<(String, f32)>> {
    weights.sort_by(|a, b| a.0.cmp(&b.0));
    let twice = weights.windows(2).any(|pair| pair[0].0 == pair[1].0);
    (!weights.is_empty() && !twice && weights.iter().all(|weight| weight.1.is_finite())).then_some(weights)
}

const ITERATIONS: OptionInfo = OptionInfo {
    name: "iterations",
    values: Values::Count(1, 1_000_000_000),
    default: "1000, or no limit if ms is given",
    summary: "simulations",
};
const MS: OptionInfo = OptionInfo {
    name: "ms",
    values: Values::Count(1, 86_400_000),
    default: "no limit",
    summary: "milliseconds; games then depend on the speed of the machine",
};
const PER: OptionInfo = OptionInfo {
    name: "per",
    values: Values::Word(&["decision", "turn"]),
    default: "decision",
    summary: "what the budget is for: each decision, or all decisions of a game turn together",
};
const ROLLOUT: OptionInfo = OptionInfo {
    name: "rollout",
    values: Values::Policy,
    default: "the system's choice, random if it has none; the usual plan in a search over plans",
    summary: "the policy that plays on from a new node, or for the other sides while a plan is studied",
};
const EVALUATOR: OptionInfo = OptionInfo {
    name: "evaluator",
    values: Values::Evaluator,
    default: "the system's choice, uniform if it has none",
    summary: "weighs actions and values positions where a rollout is cut short",
};
const VALUE: OptionInfo = OptionInfo {
    name: "value",
    values: Values::Value,
    default: "the one that comes with the system",
    summary: "other weights for what the evaluator looks at in a position, such as `sandtable learn` writes",
};
const DEPTH: OptionInfo = OptionInfo {
    name: "depth",
    values: Values::Depth,
    default: "the system's choice, end if it has none",
    summary: "where rollouts are cut short: after so many of their decisions, or so many game turns after now",
};
const OVER: OptionInfo = OptionInfo {
    name: "over",
    values: Values::Word(&["plans", "actions"]),
    default: "plans, if the system has some",
    summary: "what is searched: whole plans, at the moments when plans are made, or a tree of single actions, which is refused \
              with its options (rule, c, fpu, widening, breadth, reuse, nodes) in systems that have plans",
};
const TRUST: OptionInfo = OptionInfo {
    name: "trust",
    values: Values::Number(0.0, 10.0),
    default: "0",
    summary: "with plans, how many standard errors a lead must exceed to leave the plan in force, in simulations that did not \
              choose who leads (half of the budget is kept for them, at least four pairs); 0: the higher mean of all wins, so that \
              among plans of equal worth chance decides",
};
const OPERATIONS: OptionInfo = OptionInfo {
    name: "operations",
    values: Values::Count(0, 64),
    default: "4",
    summary: "with plans, how many objectives of operations are tried besides, the most promising first: the usual plan goes \
              for each before all else",
};
const VARIATIONS: OptionInfo = OptionInfo {
    name: "variations",
    values: Values::Count(0, 256),
    default: "16",
    summary: "with plans, how many variations of the usual plan, weights changed by chance, are tried besides at most: as many as \
              half of the budget has eight simulations for",
};
const CROSSINGS: OptionInfo = OptionInfo {
    name: "crossings",
    values: Values::Word(&["on", "off"]),
    default: "on",
    summary: "with plans, whether those that lead after the first round go for the objectives that do, where the budget allows it",
};
const EXPLORATION: OptionInfo = OptionInfo {
    name: "c",
    values: Values::Number(0.0, 100.0),
    default: "0.5",
    summary: "the exploration constant, for utilities from 0 to 1",
};
const RULE: OptionInfo = OptionInfo {
    name: "rule",
    values: Values::Word(&["ucb1", "puct"]),
    default: "ucb1",
    summary: "how actions are selected; puct explores in proportion to the evaluator's weights",
};
const FIRST_PLAY: OptionInfo = OptionInfo {
    name: "fpu",
    values: Values::NumberOr(-1.0, 1.0, "all"),
    default: "all with ucb1, 0.1 with puct",
    summary: "an untried action counts as its node's mean less this; all: each is tried once, best weights first",
};
const WIDENING: OptionInfo = OptionInfo {
    name: "widening",
    values: Values::NumberOr(0.0, 1.0, "off"),
    default: "off",
    summary: "exponent of progressive widening: breadth * visits^widening actions are open, best weights first",
};
const BREADTH: OptionInfo = OptionInfo {
    name: "breadth",
    values: Values::Number(1.0, 65_535.0),
    default: "2",
    summary: "with widening, how many actions are open at first",
};
const REUSE: OptionInfo = OptionInfo {
    name: "reuse",
    values: Values::Word(&["on", "off"]),
    default: "on",
    summary: "keep the tree below the chosen action when the next decision follows from it directly",
};
const NODES: OptionInfo = OptionInfo {
    name: "nodes",
    values: Values::Count(1, 100_000_000),
    default: "4000000",
    summary: "the tree stops growing at so many nodes, room for more children included (36 bytes and an action each)",
};
const OPPONENTS: OptionInfo = OptionInfo {
    name: "opponents",
    values: Values::Word(&["shared", "informed"]),
    default: "shared",
    summary: "shared: one tree; informed: a tree for each side by what it knows, for games with few secrets; with plans, \
              shared opponents play the usual one, informed ones choose too",
};
const CHEAT: OptionInfo = OptionInfo {
    name: "cheat",
    values: Values::Word(&["off", "on"]),
    default: "off",
    summary: "on: sees the true state, all that is hidden included; no fair player, but shows what hiding is worth",
};

const DENY: OptionInfo = OptionInfo {
    name: "deny",
    values: Values::Restrictions,
    default: "nothing",
    summary: "what the agent does without while anything else is legal, such as air or air+navy",
};

const WEIGHTS: OptionInfo = OptionInfo {
    name: "weights",
    values: Values::Weights,
    default: "those found by hand",
    summary: "numbers in the policy's judgement, by side, such as `sandtable tune` writes",
};

const AGENTS: &[AgentInfo] = &[
    AgentInfo {
        name: "random",
        summary: "plays every legal action with the same probability",
        options: &[DENY],
    },
    AgentInfo {
        name: "scripted",
        summary: "plays by the system's rules of thumb, without search",
        options: &[
            OptionInfo {
                name: "policy",
                values: Values::Policy,
                default: "scripted",
                summary: "which of the system's policies to play",
            },
            DENY,
            WEIGHTS,
        ],
    },
    AgentInfo {
        name: "flat-mc",
        summary: "flat Monte Carlo: rollouts after each legal action, no tree",
        options: &[
            ITERATIONS,
            MS,
            PER,
            ROLLOUT,
            EVALUATOR,
            VALUE,
            DEPTH,
            OptionInfo {
                name: "allocation",
                values: Values::Word(&["halving", "ucb1", "even"]),
                default: "halving",
                summary: "how simulations are dealt out to the actions",
            },
            EXPLORATION,
            DENY,
        ],
    },
    AgentInfo {
        name: "mcts",
        summary: "Monte Carlo tree search, open-loop in chance; plans in one determinization drawn for its side",
        options: &[
            ITERATIONS,
            MS,
            PER,
            ROLLOUT,
            EVALUATOR,
            VALUE,
            DEPTH,
            OVER,
            TRUST,
            OPERATIONS,
            VARIATIONS,
            CROSSINGS,
            RULE,
            EXPLORATION,
            FIRST_PLAY,
            WIDENING,
            BREADTH,
            REUSE,
            NODES,
            CHEAT,
            DENY,
        ],
    },
    AgentInfo {
        name: "ismcts",
        summary: "information-set Monte Carlo tree search: a new determinization for each simulation",
        options: &[
            ITERATIONS,
            MS,
            PER,
            ROLLOUT,
            EVALUATOR,
            VALUE,
            DEPTH,
            OVER,
            TRUST,
            OPERATIONS,
            VARIATIONS,
            CROSSINGS,
            RULE,
            EXPLORATION,
            FIRST_PLAY,
            WIDENING,
            BREADTH,
            REUSE,
            NODES,
            OPPONENTS,
            CHEAT,
            DENY,
        ],
    },
];

/// All kinds of agents.
pub fn agents() -> &'static [AgentInfo] {
    AGENTS
}

/// What is wrong with a specification.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpecError(String);

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SpecError {}

/// `unknown WHAT "x": expected a, b or c; did you mean "b"?`
fn unknown<'a>(
    what: &str,
    given: &str,
    names: impl Iterator<Item = &'a str> + Clone,
    context: &str,
) -> SpecError {
    let all: Vec<&str> = names.clone().collect();
    let expected = match all.split_last() {
        None => "there are none".to_owned(),
        Some((last, [])) => format!("expected {last}"),
        Some((last, rest)) => format!("expected {} or {last}", rest.join(", ")),
    };
    let nearest = names
        .map(|name| (strsim::damerau_levenshtein(given, name), name))
        .min()
        .filter(|&(distance, name)| distance <= 1 + name.len() / 3)
        .map_or_else(String::new, |(_, name)| format!("; did you mean \"{name}\"?"));
    SpecError(format!("unknown {what} \"{given}\"{context}: {expected}{nearest}"))
}

/// A description of an agent.
///
/// Parsed with [`str::parse`]; written back in canonical form: the options that were given, in the order of
/// [`agents`]. Parsing reads no file: whoever takes descriptions from people follows it by [`AgentSpec::with_files`],
/// after which the description holds all that it depends on.
#[derive(Clone, PartialEq, Debug)]
pub struct AgentSpec {
    agent: &'static AgentInfo,
    given: Vec<(&'static OptionInfo, Value)>,
}

impl FromStr for AgentSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let (name, options) = match text.split_once(':') {
            Some((name, options)) => (name.trim(), Some(options)),
            None => (text.trim(), None),
        };
        let agent = AGENTS
            .iter()
            .find(|agent| agent.name == name)
            .ok_or_else(|| unknown("agent", name, AGENTS.iter().map(|agent| agent.name), ""))?;
        let mut given: Vec<(&'static OptionInfo, Value)> = Vec::new();
        for part in options.into_iter().flat_map(|options| options.split(',')) {
            let (key, value) = part
                .split_once('=')
                .map_or((part.trim(), None), |(key, value)| (key.trim(), Some(value.trim())));
            let option = agent.options.iter().find(|option| option.name == key).ok_or_else(|| {
                unknown(
                    "option",
                    key,
                    agent.options.iter().map(|option| option.name),
                    &format!(" of agent {name}"),
                )
            })?;
            let Some(value) = value else {
                return Err(SpecError(format!(
                    "option \"{key}\" of agent {name} has no value: expected {key}= and {}",
                    option.values
                )));
            };
            let parsed = option.values.parse(value).ok_or_else(|| {
                let message = format!(
                    "bad value \"{value}\" for option {key} of agent {name}: expected {}",
                    option.values
                );
                let nearest = match option.values {
                    Values::Word(words) => words
                        .iter()
                        .map(|word| (strsim::damerau_levenshtein(value, word), *word))
                        .min()
                        .filter(|&(distance, word)| distance <= 1 + word.len() / 3),
                    _ => None,
                };
                match nearest {
                    Some((_, word)) => SpecError(format!("{message}; did you mean \"{word}\"?")),
                    None => SpecError(message),
                }
            })?;
            if given.iter().any(|(other, _)| other.name == key) {
                return Err(SpecError(format!("option {key} of agent {name} is given twice")));
            }
            given.push((option, parsed));
        }
        let place = |option: &OptionInfo| agent.options.iter().position(|other| other.name == option.name);
        given.sort_by_key(|(option, _)| place(option));
        Ok(AgentSpec { agent, given })
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.agent.name)?;
        for (index, (option, value)) in self.given.iter().enumerate() {
            write!(f, "{}{}={value}", if index == 0 { ':' } else { ',' }, option.name)?;
        }
        Ok(())
    }
}

impl AgentSpec {
    /// The kind of agent.
    pub fn agent(&self) -> &'static AgentInfo {
        self.agent
    }

    /// The same agent with the files that it names replaced by what they say. `read` gives the text of a file.
    ///
    /// # Errors
    /// Names the file that cannot be read or does not hold what the option takes.
    pub fn with_files(mut self, read: impl Fn(&Path) -> io::Result<String>) -> Result<AgentSpec, SpecError> {
        for (option, value) in &mut self.given {
            if let Value::WeightFile(path) = value {
                let shown = path.display();
                let (what, is_value) = (option.name, matches!(option.values, Values::Value));
                let text = read(path).map_err(|error| {
                    SpecError(format!("cannot read {shown}, the file of option {what}: {error}"))
                })?;
                let weights = if is_value {
                    value::weights_of_file(&text).map_err(|error| {
                        SpecError(format!("the file {shown} holds no learned value: {error}"))
                    })?
                } else {
                    weights_of_file(&text).ok_or_else(|| {
                        SpecError(format!(
                            "the file {shown} holds no weights: expected a table a side, such as [axis], with lines such \
                             as kill = 1.4"
                        ))
                    })?
                };
                *value = Value::Weights(weights);
            }
        }
        Ok(self)
    }

    /// The same agent with an option set, or set to another value.
    ///
    /// # Errors
    /// If the agent has no such option, or it does not take the value.
    pub fn with(&self, option: &str, value: &str) -> Result<AgentSpec, SpecError> {
        let one: AgentSpec = format!("{}:{option}={value}", self.agent.name).parse()?;
        let kept = self.given.iter().filter(|(other, _)| other.name != option).cloned();
        let mut given: Vec<_> = kept.chain(one.given).collect();
        let place =
            |option: &OptionInfo| self.agent.options.iter().position(|other| other.name == option.name);
        given.sort_by_key(|(option, _)| place(option));
        Ok(AgentSpec { agent: self.agent, given })
    }

    /// The number that is given for an option.
    pub fn given_number(&self, option: &str) -> Option<f64> {
        match self.value(option)? {
            Value::Count(count) => Some(f64::from(*count)),
            Value::Number(number) => Some(f64::from(*number)),
            _ => None,
        }
    }

    /// The weights that are given, as `SIDE.NAME` and value.
    pub fn given_weights(&self) -> &[(String, f32)] {
        match self.value(WEIGHTS.name) {
            Some(Value::Weights(weights)) => weights,
            _ => &[],
        }
    }

    fn value(&self, name: &str) -> Option<&Value> {
        self.given.iter().find(|(option, _)| option.name == name).map(|(_, value)| value)
    }

    fn count(&self, name: &str) -> Option<u32> {
        match self.value(name)? {
            Value::Count(count) => Some(*count),
            _ => None,
        }
    }

    fn number(&self, name: &str) -> Option<f32> {
        match self.value(name)? {
            Value::Number(number) => Some(*number),
            _ => None,
        }
    }

    fn word(&self, name: &str) -> Option<&str> {
        match self.value(name)? {
            Value::Word(word) => Some(word),
            _ => None,
        }
    }

    fn depth(&self, default: Depth) -> Depth {
        match self.value(DEPTH.name) {
            Some(Value::Depth(depth)) => *depth,
            _ => default,
        }
    }

    /// The first option given that only a tree of actions has.
    fn tree_option(&self) -> Option<&'static str> {
        let of_trees = [RULE, EXPLORATION, FIRST_PLAY, WIDENING, BREADTH, REUSE, NODES];
        self.given
            .iter()
            .map(|(option, _)| option.name)
            .find(|name| of_trees.iter().any(|tree| tree.name == *name))
    }

    /// The plans to search over, if it is plans.
    fn portfolio<G: Game>(
        &self,
        knowledge: &dyn SystemKnowledge<G>,
    ) -> Result<Option<Portfolio<G>>, SpecError> {
        let asked = self.word(OVER.name);
        let wrong = |why: &str| Err(SpecError(format!("agent \"{self}\" cannot search over plans: {why}")));
        match (asked, self.tree_option()) {
            (Some("actions"), _) => Ok(None),
            (Some(_), Some(option)) => wrong(&format!("option {option} is for a tree of actions")),
            (None, Some(_)) => Ok(None),
            (Some(_), None) => match knowledge.portfolio() {
                None => wrong("the system has none"),
                some => Ok(some),
            },
            (None, None) => Ok(knowledge.portfolio()),
        }
    }

    /// Whether its rollouts are cut after a number of decisions, not of game turns.
    pub fn counts_decisions(&self) -> bool {
        matches!(self.depth(Depth::End), Depth::Decisions(_))
    }

    /// Whether the agent can play a system well enough to be asked for it. It can be built all the same.
    ///
    /// # Errors
    /// If it searches a tree of single actions where whole plans can be searched: turns are hundreds of actions there, and a tree over
    /// them does not see past its first few (it lost every game of such a system).
    pub fn suits<G: Game>(&self, knowledge: &dyn SystemKnowledge<G>) -> Result<(), SpecError> {
        let asked = (self.word(OVER.name) == Some("actions")).then_some("over=actions");
        let Some(option) = asked.or(self.tree_option()) else { return Ok(()) };
        if knowledge.portfolio().is_none() {
            return Ok(());
        }
        Err(SpecError(format!(
            "agent \"{self}\": {option} asks for a tree of single actions, and a turn of this system is hundreds of them: such a \
             tree does not see past the first few and loses to every other player. Leave it out to search over whole plans"
        )))
    }

    /// Whether the agent's choices depend on the speed of the machine: it has a budget in milliseconds.
    pub fn is_timed(&self) -> bool {
        self.value(MS.name).is_some()
    }

    /// Whether the agent sees the true state, all that is hidden from its side included. Its description then says `cheat=on`, and so does
    /// whatever names the agent.
    pub fn cheats(&self) -> bool {
        self.word(CHEAT.name) == Some("on")
    }

    /// The names of the options that are given.
    pub fn given(&self) -> impl Iterator<Item = &'static str> {
        self.given.iter().map(|(option, _)| option.name)
    }

    fn budget(&self) -> Budget {
        let time = self.count(MS.name).map(|ms| Duration::from_millis(u64::from(ms)));
        let iterations = self.count(ITERATIONS.name).or(time.is_none().then_some(1000));
        let per = if self.word(PER.name) == Some("turn") { Per::Turn } else { Per::Decision };
        Budget::new(iterations, time, per)
    }

    fn policy<G: Game>(
        &self,
        name: &str,
        knowledge: &dyn SystemKnowledge<G>,
    ) -> Result<Box<dyn Policy<G>>, SpecError> {
        if name == "random" {
            return Ok(Box::new(UniformPolicy));
        }
        named(knowledge.policies(), name, |name| knowledge.policy(name)).ok_or_else(|| {
            unknown("policy", name, names("random", knowledge.policies()), &format!(" in agent \"{self}\""))
        })
    }

    fn weighted<G: Game>(
        &self,
        name: &str,
        weights: &[(String, f32)],
        knowledge: &dyn SystemKnowledge<G>,
    ) -> Result<Box<dyn Policy<G>>, SpecError> {
        // A policy that is not there is named as such.
        self.policy(name, knowledge)?;
        let known: Vec<String> =
            knowledge.weights().iter().map(|weight| format!("{}.{}", weight.side, weight.name)).collect();
        if let Some((other, _)) = weights.iter().find(|(name, _)| !known.contains(name)) {
            let names = known.iter().map(String::as_str);
            return Err(unknown("weight", other, names, &format!(" in agent \"{self}\"")));
        }
        knowledge
            .weighted_policy(name, weights)
            .ok_or_else(|| SpecError(format!("policy {name} has no weights, in agent \"{self}\"")))
    }

    fn evaluator<G: Game>(
        &self,
        knowledge: &dyn SystemKnowledge<G>,
    ) -> Result<Box<dyn Evaluator<G>>, SpecError> {
        let name = self.word(EVALUATOR.name).unwrap_or(knowledge.default_evaluator());
        let mut evaluator: Box<dyn Evaluator<G>> = if name == "uniform" {
            Box::new(UniformEvaluator)
        } else {
            named(knowledge.evaluators(), name, |name| knowledge.evaluator(name)).ok_or_else(|| {
                let known = names("uniform", knowledge.evaluators());
                unknown("evaluator", name, known, &format!(" in agent \"{self}\""))
            })?
        };
        if let Some(weights) = self.numbers(&VALUE)? {
            let value = evaluator.value().ok_or_else(|| {
                SpecError(format!("evaluator {name} has no learned value to be set, in agent \"{self}\""))
            })?;
            let features = value.features();
            value.set(weights).map_err(|error| match error {
                ValueError::Unknown(other) => {
                    let known = [CONSTANT].into_iter().chain(features.iter().map(|feature| feature.name));
                    unknown("feature", &other, known, &format!(" of evaluator {name} in agent \"{self}\""))
                }
                error => SpecError(format!("the value of evaluator {name}: {error}, in agent \"{self}\"")),
            })?;
        }
        Ok(evaluator)
    }

    /// The numbers that are given for an option that takes a file of them.
    fn numbers(&self, option: &OptionInfo) -> Result<Option<&[(String, f32)]>, SpecError> {
        match self.value(option.name) {
            Some(Value::Weights(weights)) => Ok(Some(weights)),
            Some(Value::WeightFile(path)) => Err(SpecError(format!(
                "the file {} of option {} has not been read",
                path.display(),
                option.name
            ))),
            _ => Ok(None),
        }
    }

    fn determinizations(&self) -> Determinizations {
        match (self.agent.name, self.word(OPPONENTS.name)) {
            _ if self.cheats() => Determinizations::Seen,
            ("ismcts", Some("informed")) => Determinizations::Informed,
            ("ismcts", _) => Determinizations::Shared,
            _ => Determinizations::One,
        }
    }

    fn search_options(&self, depth: Depth) -> SearchOptions {
        let rule = if self.word(RULE.name) == Some("puct") { Rule::Puct } else { Rule::Ucb1 };
        SearchOptions {
            determinizations: self.determinizations(),
            rule,
            exploration: self.number(EXPLORATION.name).unwrap_or(DEFAULT_EXPLORATION),
            first_play: match (self.value(FIRST_PLAY.name), rule) {
                (Some(Value::Number(reduction)), _) => Some(*reduction),
                (Some(_), _) | (None, Rule::Ucb1) => None,
                (None, Rule::Puct) => Some(0.1),
            },
            widening: self
                .number(WIDENING.name)
                .map(|exponent| Widening { breadth: self.number(BREADTH.name).unwrap_or(2.0), exponent }),
            depth: self.depth(depth),
            reuse: self.word(REUSE.name) != Some("off"),
            max_nodes: self.count(NODES.name).unwrap_or(4_000_000),
        }
    }

    /// The agent, with the knowledge of `knowledge`.
    ///
    /// # Errors
    /// If the knowledge has no policy, evaluator or restriction of a name that is asked for.
    pub fn build<G: Game + 'static>(
        &self,
        knowledge: &dyn SystemKnowledge<G>,
    ) -> Result<Box<dyn Agent<G>>, SpecError> {
        let agent = self.build_free(knowledge)?;
        let Some(denied) = self.word(DENY.name) else { return Ok(agent) };
        let restrictions: Result<Vec<_>, _> = denied
            .split('+')
            .map(|name| {
                let known = knowledge.restrictions();
                known.iter().find(|restriction| restriction.name == name).copied().ok_or_else(|| {
                    let names = known.iter().map(|restriction| restriction.name);
                    unknown("restriction", name, names, &format!(" in agent \"{self}\""))
                })
            })
            .collect();
        Ok(Box::new(Restricted::new(agent, restrictions?)))
    }

    /// The same agent, denied this restriction too; several are joined by `+`.
    ///
    /// # Errors
    /// If it is not written as names are.
    pub fn denied(&self, name: &str) -> Result<AgentSpec, SpecError> {
        let mut spec = self.clone();
        let names = self.word(DENY.name).map_or_else(|| name.to_owned(), |before| format!("{before}+{name}"));
        let value = DENY.values.parse(&names);
        let value = value
            .ok_or_else(|| SpecError(format!("bad restriction \"{name}\": expected {}", DENY.values)))?;
        spec.given.retain(|(option, _)| option.name != DENY.name);
        spec.given.push((&DENY, value));
        Ok(spec)
    }

    /// An analyst whose rollouts are those of this agent: how many, by which policy (the system's first plan unless one is
    /// named), how deep, and valued by which evaluator. `alternatives` and `operations` are as in [`AnalysisOptions`].
    ///
    /// # Errors
    /// As [`AgentSpec::build`].
    pub fn analyst<G: Game + 'static>(
        &self,
        knowledge: &dyn SystemKnowledge<G>,
        (alternatives, operations): (usize, usize),
    ) -> Result<Analyst<G>, SpecError> {
        let portfolio = knowledge.portfolio();
        let usual = match (self.word(ROLLOUT.name), &portfolio) {
            (None, Some(_)) => None,
            (name, _) => Some(self.policy(name.unwrap_or(knowledge.default_rollout()), knowledge)?),
        };
        let options = AnalysisOptions {
            rollouts: self.iterations().unwrap_or(DEFAULT_ROLLOUTS),
            depth: self.depth(knowledge.default_depth()),
            alternatives,
            operations,
        };
        Ok(Analyst::new(options, usual, portfolio, self.evaluator(knowledge)?))
    }

    /// Whether it says who plays rollouts.
    pub fn names_rollout(&self) -> bool {
        self.word(ROLLOUT.name).is_some()
    }

    /// Whether it is the scripted player as the system has it: no other policy, weights or restrictions.
    pub fn is_plain_scripted(&self) -> bool {
        self.agent.name == "scripted"
            && self.given.iter().all(|(option, _)| option.name == "policy")
            && self.word("policy").is_none_or(|policy| policy == "scripted")
    }

    /// How many simulations a decision has; `None` for agents that do not search or have another budget.
    pub fn iterations(&self) -> Option<u32> {
        self.count(ITERATIONS.name)
    }

    /// The agent without its restrictions.
    fn build_free<G: Game + 'static>(
        &self,
        knowledge: &dyn SystemKnowledge<G>,
    ) -> Result<Box<dyn Agent<G>>, SpecError> {
        if self.agent.name == "random" {
            return Ok(Box::new(RandomAgent));
        }
        if self.agent.name == "scripted" {
            let name = self.word("policy").unwrap_or("scripted");
            let policy = match self.numbers(&WEIGHTS)? {
                Some(weights) => self.weighted(name, weights, knowledge)?,
                None => self.policy(name, knowledge)?,
            };
            return Ok(Box::new(PolicyAgent::new(policy)));
        }
        let policy =
            self.policy(self.word(ROLLOUT.name).unwrap_or(knowledge.default_rollout()), knowledge)?;
        let evaluator = self.evaluator(knowledge)?;
        let depth = self.depth(knowledge.default_depth());
        if self.agent.name == "flat-mc" {
            let allocation = match self.word("allocation") {
                Some("ucb1") => {
                    Allocation::Ucb1(f64::from(self.number(EXPLORATION.name).unwrap_or(DEFAULT_EXPLORATION)))
                }
                Some("even") => Allocation::Even,
                _ => Allocation::Halving,
            };
            return Ok(Box::new(FlatMonteCarlo::new(self.budget(), allocation, depth, policy, evaluator)));
        }
        if let Some(portfolio) = self.portfolio(knowledge)? {
            let options = PlanOptions {
                determinizations: self.determinizations(),
                depth,
                trust: self.number(TRUST.name).unwrap_or(0.0),
                operations: self.count(OPERATIONS.name).unwrap_or(DEFAULT_OPERATIONS) as usize,
                variations: self.count(VARIATIONS.name).unwrap_or(DEFAULT_VARIATIONS) as usize,
                crossings: self.word(CROSSINGS.name) != Some("off"),
            };
            let policy = self.value(ROLLOUT.name).map(|_| policy);
            return Ok(Box::new(PlanSearch::new(options, self.budget(), portfolio, policy, evaluator)));
        }
        Ok(Box::new(TreeSearch::new(self.search_options(depth), self.budget(), policy, evaluator)))
    }
}

const DEFAULT_EXPLORATION: f32 = 0.5;
/// Of a search over plans, with an objective each.
const DEFAULT_OPERATIONS: u32 = 4;
/// Of the usual plan.
const DEFAULT_VARIATIONS: u32 = 16;
/// Of an analysis, for each value.
const DEFAULT_ROLLOUTS: u32 = 64;

fn names<'a>(first: &'a str, rest: &'a [Named]) -> impl Iterator<Item = &'a str> + Clone {
    std::iter::once(first).chain(rest.iter().map(|named| named.name))
}

fn named<T>(known: &[Named], name: &str, make: impl FnOnce(&str) -> Option<T>) -> Option<T> {
    known.iter().find(|known| known.name == name).and_then(|known| make(known.name))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        text.parse::<AgentSpec>().unwrap_err().to_string()
    }

    #[test]
    fn specifications_are_written_back_in_canonical_form() {
        for (given, canonical) in [
            ("random", "random"),
            ("scripted:policy=light", "scripted:policy=light"),
            (
                "mcts:depth=2t,rollout=scripted,iterations=02000",
                "mcts:iterations=2000,rollout=scripted,depth=2t",
            ),
            (" mcts : c=1.50 , ms=20 ", "mcts:ms=20,c=1.5"),
            ("ismcts:opponents=informed,fpu=all,depth=40", "ismcts:depth=40,fpu=all,opponents=informed"),
            ("flat-mc:allocation=ucb1,depth=end,per=turn", "flat-mc:per=turn,depth=end,allocation=ucb1"),
            ("scripted:deny=navy+air, policy=light", "scripted:policy=light,deny=navy+air"),
            ("scripted:weights=axis.prize:0.50+axis.kill:2", "scripted:weights=axis.kill:2+axis.prize:0.5"),
            ("mcts:widening=off,rule=puct,fpu=-0.25", "mcts:rule=puct,fpu=-0.25,widening=off"),
        ] {
            let spec: AgentSpec = given.parse().unwrap();
            assert_eq!(spec.to_string(), canonical);
            assert_eq!(canonical.parse::<AgentSpec>().unwrap(), spec);
        }
    }

    #[test]
    fn errors_name_the_value_what_was_expected_and_the_nearest_name() {
        assert_eq!(
            error("mtcs"),
            "unknown agent \"mtcs\": expected random, scripted, flat-mc, mcts or ismcts; did you mean \"mcts\"?"
        );
        assert_eq!(
            error("zork"),
            "unknown agent \"zork\": expected random, scripted, flat-mc, mcts or ismcts"
        );
        assert_eq!(
            error("scripted:polcy=x"),
            "unknown option \"polcy\" of agent scripted: expected policy, deny or weights; did you mean \"policy\"?"
        );
        assert_eq!(
            error("random:iterations=5"),
            "unknown option \"iterations\" of agent random: expected deny"
        );
        assert_eq!(
            error("mcts:iterations=many"),
            "bad value \"many\" for option iterations of agent mcts: expected a whole number from 1 to 1000000000"
        );
        assert_eq!(
            error("mcts:rule=puctt"),
            "bad value \"puctt\" for option rule of agent mcts: expected ucb1 or puct; did you mean \"puct\"?"
        );
        assert_eq!(
            error("mcts:depth=two"),
            "bad value \"two\" for option depth of agent mcts: expected end, a number of decisions (such as 40) or \
             of game turns (such as 2t)"
        );
        assert_eq!(
            error("mcts:iterations"),
            "option \"iterations\" of agent mcts has no value: expected iterations= and a whole number from 1 to \
             1000000000"
        );
        assert_eq!(error("mcts:ms=1,ms=2"), "option ms of agent mcts is given twice");
    }

    #[test]
    fn nonsense_is_refused_without_panic() {
        for text in [
            "",
            ":",
            "mcts:",
            "mcts:,",
            "mcts:=",
            "mcts:=1",
            "mcts:c=nan",
            "mcts:c=-1",
            "mcts:c=inf",
            "mcts:depth=0t",
            "mcts:depth=-1",
            "mcts:depth=t",
            "mcts:iterations=0",
            "mcts:iterations=99999999999",
            "mcts:rollout=",
            "mcts:rollout=a b",
            "mcts:fpu=x",
            "mcts:opponents=informed",
            "mcts:breadth=0.5",
            "random:deny=",
            "random:rollout=air+navy",
            "scripted:weights=",
            "scripted:weights=axis.kill",
            "scripted:weights=axis.kill:x",
            "scripted:weights=kill:1",
            "scripted:weights=axis.kill:1+axis.kill:2",
            "scripted:weights=axis.kill:inf",
        ] {
            assert!(text.parse::<AgentSpec>().is_err(), "{text:?} was taken");
        }
    }

    #[test]
    fn files_of_weights_are_read_in_a_step_of_their_own() {
        let spec: AgentSpec = "scripted:weights=runs/best.toml".parse().unwrap();
        assert_eq!(spec.to_string(), "scripted:weights=runs/best.toml");
        let unread = spec.build::<sandtable_reference::Kuhn>(&crate::Plain).err().unwrap().to_string();
        assert_eq!(unread, "the file runs/best.toml of option weights has not been read");
        let with = |text: &'static str| {
            spec.clone().with_files(|path| {
                assert_eq!(path, Path::new("runs/best.toml"));
                Ok(text.to_owned())
            })
        };
        let read = with("[axis]\nkill = 2\n[allied]\nprize = 0.5").unwrap();
        assert_eq!(read.to_string(), "scripted:weights=allied.prize:0.5+axis.kill:2");
        assert_eq!(read, read.to_string().parse().unwrap());
        for text in ["", "kill = 2", "[axis]", "[axis]\nkill = nan", "[axis]\nkill = \"much\"", "[["] {
            let error = with(text).unwrap_err().to_string();
            assert!(
                error.starts_with("the file runs/best.toml holds no weights: expected"),
                "{text}: {error}"
            );
        }
        let missing = spec.clone().with_files(|_| Err(io::Error::from(io::ErrorKind::NotFound)));
        let error = missing.unwrap_err().to_string();
        assert!(error.starts_with("cannot read runs/best.toml, the file of option weights: "), "{error}");
    }

    #[test]
    fn options_are_listed_with_defaults_and_summaries() {
        for agent in agents() {
            for option in agent.options {
                assert!(!option.default.is_empty() && !option.summary.is_empty());
                assert_eq!(agent.options.iter().filter(|other| other.name == option.name).count(), 1);
            }
        }
    }

    #[test]
    fn a_budget_in_milliseconds_makes_an_agent_timed() {
        for (text, timed) in
            [("mcts:ms=20,iterations=9", true), ("mcts:iterations=9", false), ("random", false)]
        {
            assert_eq!(text.parse::<AgentSpec>().unwrap().is_timed(), timed, "{text}");
        }
    }

    #[test]
    fn options_reach_the_search() {
        let spec: AgentSpec =
            "ismcts:rule=puct,c=1.25,fpu=0.3,widening=0.5,breadth=4,depth=3t,reuse=off,nodes=77,opponents=informed"
                .parse()
                .unwrap();
        assert_eq!(
            spec.search_options(Depth::End),
            SearchOptions {
                determinizations: Determinizations::Informed,
                rule: Rule::Puct,
                exploration: 1.25,
                first_play: Some(0.3),
                widening: Some(Widening { breadth: 4.0, exponent: 0.5 }),
                depth: Depth::Turns(3),
                reuse: false,
                max_nodes: 77,
            }
        );
        let plain = "mcts".parse::<AgentSpec>().unwrap().search_options(Depth::End);
        assert_eq!(
            (plain.determinizations, plain.rule, plain.first_play),
            (Determinizations::One, Rule::Ucb1, None)
        );
        let puct = "mcts:rule=puct".parse::<AgentSpec>().unwrap().search_options(Depth::End);
        assert_eq!(puct.first_play, Some(0.1));
    }
}
