//! The experiment as its author writes it.
//!
//! ```toml
#![doc = include_str!("example.toml")]
//! ```

use std::collections::BTreeMap;
use std::path::Path;

use sandtable_ai::AgentSpec;
use sandtable_stats::design::{Factor, Range};
use serde::{Deserialize, Serialize};

use crate::failure::{Failure, expected};
use crate::files;
use crate::system::{AnyScenario, AnySystem, Override, open, read_agent};
use crate::table::partition;

/// The column by whose value the table of games is cut.
pub const SCENARIO: &str = "scenario";

/// What a sweep is to find out. With the data of the scenario and the version of the program it fixes every game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Experiment {
    /// The scenario, by identifier or path.
    pub scenario: String,
    /// Overrides at every point, `path=value`.
    pub overrides: Vec<String>,
    /// The seed of the games and of the design.
    pub seed: u64,
    /// How many games are played at each point by each agent assignment.
    pub games: u64,
    /// The agent assignments: the agent of each side.
    pub assignments: Vec<Vec<String>>,
    /// How points are chosen.
    pub design: Design,
    /// What varies.
    pub factors: Vec<ScenarioFactor>,
}

/// How points are chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Design {
    /// The method.
    pub kind: DesignKind,
    /// Of a grid, the most levels of each range; of a Latin hypercube, the points; of a Saltelli design, the base
    /// points.
    pub points: usize,
}

/// A method to choose points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DesignKind {
    /// All combinations of levels.
    Grid,
    /// Points that cover the range of every factor evenly.
    LatinHypercube,
    /// The points that Sobol indices need.
    Saltelli,
}

/// A value of the scenario's data that varies.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ScenarioFactor {
    /// Where the value stands, as with `--set`.
    pub path: String,
    /// Its values, under the name of its column.
    #[serde(flatten)]
    pub factor: Factor,
}

/// The file. Unknown keys are refused.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    scenario: String,
    #[serde(default = "one")]
    seed: u64,
    games: u64,
    agents: Vec<AssignmentEntry>,
    #[serde(default)]
    set: toml::Table,
    design: Design,
    factor: Vec<FactorEntry>,
}

fn one() -> u64 {
    1
}

/// One agent for all sides, or an agent a side.
#[derive(Deserialize)]
#[serde(untagged, expecting = "expected an agent, or a table of an agent for each side")]
enum AssignmentEntry {
    All(String),
    BySide(BTreeMap<String, String>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FactorEntry {
    path: String,
    name: Option<String>,
    values: Option<Vec<toml::Value>>,
    range: Option<(f64, f64)>,
    #[serde(default)]
    whole: bool,
}

/// The most games at a point.
const MOST_GAMES: u64 = 1_000_000_000;

impl Experiment {
    /// Reads a file and checks all that does not need the values' effect on the scenario; opens the scenario itself.
    ///
    /// # Errors
    /// Names the file, the key, the value, and what was expected.
    pub fn read<'a>(
        systems: &'a [Box<dyn AnySystem>],
        path: &Path,
    ) -> Result<(Self, Box<dyn AnyScenario + 'a>), Failure> {
        let place = path.display().to_string();
        let text = files::read_text(path)
            .map_err(|error| Failure::input(format!("{place}: cannot read the experiment: {error}")))?;
        let file: File = toml::from_str(&text)
            .map_err(|error| Failure::input(format!("{place}: {}", error.to_string().trim_end())))?;
        file.resolve(systems).map_err(|failure| failure.within(&place))
    }

    /// The overrides at every point.
    ///
    /// # Errors
    /// If the manifest was edited by hand.
    pub fn parsed_overrides(&self) -> Result<Vec<Override>, Failure> {
        let damaged = |error: String| Failure::input(format!("manifest.json is damaged: {error}"));
        self.overrides.iter().map(|text| text.parse().map_err(damaged)).collect()
    }

    /// The agent assignments.
    ///
    /// # Errors
    /// If the manifest was edited by hand.
    pub fn specs(&self) -> Result<Vec<Vec<AgentSpec>>, Failure> {
        let parse = |text: &String| {
            text.parse().map_err(|error| Failure::input(format!("manifest.json is damaged: {error}")))
        };
        self.assignments.iter().map(|agents| agents.iter().map(parse).collect()).collect()
    }

    /// The factors by themselves.
    pub fn factors(&self) -> Vec<Factor> {
        self.factors.iter().map(|parameter| parameter.factor.clone()).collect()
    }
}

impl File {
    fn resolve<'a>(
        self,
        systems: &'a [Box<dyn AnySystem>],
    ) -> Result<(Experiment, Box<dyn AnyScenario + 'a>), Failure> {
        if !(1..=MOST_GAMES).contains(&self.games) {
            return Err(Failure::input(format!(
                "games = {}: expected a number from 1 to {MOST_GAMES}",
                self.games
            )));
        }
        if self.design.points == 0 {
            return Err(Failure::input("design.points = 0: expected a number of at least 1"));
        }
        if self.agents.is_empty() {
            return Err(Failure::input(
                "agents = []: expected at least one agent assignment, such as \"scripted\"",
            ));
        }
        if self.factor.is_empty() {
            return Err(Failure::input("there is no [[factor]]: expected at least one"));
        }
        let overrides: Vec<String> =
            Override::from_table(&self.set).iter().map(ToString::to_string).collect();
        let parsed: Result<Vec<Override>, String> = overrides.iter().map(|text| text.parse()).collect();
        let parsed = parsed.map_err(|error| Failure::input(format!("[set]: {error}")))?;
        let scenario = open(systems, &self.scenario, &[])
            .map_err(|failure| failure.within(&format!("scenario = \"{}\"", self.scenario)))?;
        let scenario = if parsed.is_empty() {
            scenario
        } else {
            open(systems, &self.scenario, &parsed).map_err(|failure| failure.within("[set]"))?
        };
        let id = scenario.id().to_owned();
        partition::check(SCENARIO, &id)
            .map_err(|what| Failure::input(format!("scenario = \"{}\": {what}", self.scenario)))?;
        let assignments = self.agents.iter().enumerate().map(|(index, entry)| {
            let place = format!("agents, assignment {}", index + 1);
            assignment(entry, scenario.as_ref()).map_err(|failure| failure.within(&place))
        });
        let assignments = assignments.collect::<Result<Vec<_>, _>>()?;
        let mut factors: Vec<ScenarioFactor> = Vec::new();
        for (index, entry) in self.factor.into_iter().enumerate() {
            let place = format!("[[factor]] {}, path = \"{}\"", index + 1, entry.path);
            let parameter =
                entry.parameter().map_err(|message| Failure::input(format!("{place}: {message}")))?;
            if let Some(other) = factors
                .iter()
                .position(|other| other.path == parameter.path || other.factor.name == parameter.factor.name)
            {
                return Err(Failure::input(format!(
                    "{place}: [[factor]] {} has the same path or name",
                    other + 1
                )));
            }
            factors.push(parameter);
        }
        let experiment = Experiment {
            scenario: id,
            overrides,
            seed: self.seed,
            games: self.games,
            assignments,
            design: self.design,
            factors,
        };
        Ok((experiment, scenario))
    }
}

/// The agent of each side, in canonical form.
fn assignment(entry: &AssignmentEntry, scenario: &dyn AnyScenario) -> Result<Vec<String>, Failure> {
    let sides = scenario.sides();
    if let AssignmentEntry::BySide(agents) = entry
        && let Some(id) = agents.keys().find(|id| !sides.iter().any(|side| side.id == id.as_str()))
    {
        let ids = sides.iter().map(|side| side.id);
        return Err(Failure::input(format!("unknown side \"{id}\": {}", expected(id, ids))));
    }
    let agents = sides.iter().map(|side| {
        let text = match entry {
            AssignmentEntry::All(text) => text,
            AssignmentEntry::BySide(agents) => {
                agents.get(side.id).ok_or_else(|| Failure::input(format!("side {} has no agent", side.id)))?
            }
        };
        let spec = read_agent(text).map_err(|error| Failure::input(format!("\"{text}\": {error}")))?;
        scenario.check_agent(&spec).map_err(|failure| failure.within(&format!("\"{text}\"")))?;
        Ok(spec.to_string())
    });
    agents.collect()
}

/// A value as it is set and shown: text without its quotes.
fn literal(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

impl FactorEntry {
    fn parameter(self) -> Result<ScenarioFactor, String> {
        // A path that no command line could set.
        let _: Override = format!("{}=0", self.path).parse()?;
        let name = match self.name {
            None => self.path.replace(['.', '-'], "_"),
            Some(name) => {
                let fits =
                    |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
                if name.is_empty() || !name.chars().all(fits) {
                    return Err(format!("name = \"{name}\": expected lower-case letters, digits and _"));
                }
                name
            }
        };
        let range = match (self.values, self.range) {
            (Some(values), None) => {
                let values: Vec<String> = values.iter().map(literal).collect();
                if let Some(twice) =
                    values.iter().enumerate().find(|(index, value)| values[..*index].contains(value))
                {
                    return Err(format!("values: {} is there twice", twice.1));
                }
                if self.whole {
                    return Err("whole = true: it is for a range, and values are what they are".to_owned());
                }
                Range::Categories(values)
            }
            (None, Some((low, high))) if self.whole => {
                // As far as a float tells whole numbers apart.
                let fits = |end: f64| end.fract() == 0.0 && end.abs() < 9e15;
                if !fits(low) || !fits(high) {
                    return Err(format!("range = [{low}, {high}]: expected whole numbers, as whole = true"));
                }
                Range::Integer { low: low as i64, high: high as i64 }
            }
            (None, Some((low, high))) => Range::Real { low, high },
            _ => return Err("expected either values = [..] or range = [low, high]".to_owned()),
        };
        let factor = Factor { name, range };
        factor.check().map_err(|error| error.to_string())?;
        Ok(ScenarioFactor { path: self.path, factor })
    }
}
