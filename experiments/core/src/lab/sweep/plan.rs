//! What is played where: points, settings, cells, jobs and parts.
//!
//! - A *point* of the design gives every factor a value. Points with the same values are one *setting*: it is played
//!   once.
//! - A *cell* is a setting and an agent assignment; cells are numbered setting by setting.
//! - A *job* is a game of a cell; jobs are numbered cell by cell. A *part* is so many jobs in their order, and the unit
//!   that shards deal out.
//! - A *stage* is what was asked for at a time: a sweep begins with one, and has another each time that more games are
//!   added at each point. The jobs of a stage follow those of the stages before.

use std::collections::HashMap;
use std::ops::Range;

use rayon::prelude::*;
use sandtable_core::Digest;
use sandtable_stats::design::{self, Point, Value};

use super::file::{DesignKind, Experiment};
use crate::failure::Failure;
use crate::system::{AnyScenario, AnySystem, Extras, Override, Setup, open};

/// Latin hypercubes of which the evenest is taken.
const TRIES: usize = 50;
/// Parts that a sweep has at least, if it has as many games: so much can be lost by a kill, and dealt out to shards.
const PARTS: u64 = 128;
/// Games in a part at most where agents search.
const SEARCHED_PART_GAMES: u64 = 16;

/// An experiment and its design.
#[derive(Clone, Debug)]
pub struct Plan {
    /// What is to be found out.
    pub experiment: Experiment,
    /// The points of the design, in its order.
    pub points: Vec<Point>,
    /// The setting of each point.
    pub setting_of: Vec<usize>,
    /// The first point of each setting.
    pub settings: Vec<usize>,
    /// How many games there are at each point at the end of each stage.
    pub stages: Vec<u64>,
}

/// A game of a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Job {
    /// The setting.
    pub setting: usize,
    /// The agent assignment.
    pub assignment: usize,
    /// The number of the game.
    pub game: u64,
}

impl Plan {
    /// The design of an experiment.
    ///
    /// # Errors
    /// If the design cannot be made: too many points or factors.
    pub fn new(experiment: Experiment) -> Result<Self, Failure> {
        let factors = experiment.factors();
        let seed = Digest::of(&("sweep", experiment.seed));
        let count = experiment.design.points;
        let points = match experiment.design.kind {
            DesignKind::Grid => design::grid(&factors, count),
            DesignKind::LatinHypercube => design::latin_hypercube(&factors, count, TRIES, seed),
            DesignKind::Saltelli => design::saltelli(&factors, count, seed),
        };
        let points = points.map_err(|error| Failure::input(format!("[design]: {error}")))?;
        let mut known: HashMap<Vec<u64>, usize> = HashMap::new();
        let mut settings = Vec::new();
        let mut setting_of = Vec::with_capacity(points.len());
        for (index, point) in points.iter().enumerate() {
            let setting =
                *known.entry(point.iter().map(|&value| bits(value)).collect()).or_insert_with(|| {
                    settings.push(index);
                    settings.len() - 1
                });
            setting_of.push(setting);
        }
        let stages = vec![experiment.games];
        let plan = Plan { experiment, points, setting_of, settings, stages };
        let jobs = plan.cells() as u128 * u128::from(plan.experiment.games);
        if jobs > 1 << 40 {
            return Err(Failure::input(format!("[design]: {jobs} games: expected at most {}", 1u64 << 40)));
        }
        Ok(plan)
    }

    /// How many agent assignments there are.
    pub fn assignments(&self) -> usize {
        self.experiment.assignments.len()
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.settings.len() * self.assignments()
    }

    /// How many jobs there are.
    pub fn jobs(&self) -> u64 {
        self.cells() as u64 * self.experiment.games
    }

    /// The same design of an experiment to which games have been added. The stages ascend to the number of the
    /// experiment.
    #[must_use]
    pub fn in_stages(self, stages: Vec<u64>) -> Self {
        Plan { stages, ..self }
    }

    /// The games of each cell that a stage adds, by their numbers; stages are counted from 0.
    fn stage_games(&self, stage: usize) -> Range<u64> {
        let start = stage.checked_sub(1).map_or(0, |before| self.stages[before]);
        start..self.stages[stage]
    }

    /// The jobs of each stage.
    pub fn stage_jobs(&self) -> impl Iterator<Item = Range<u64>> {
        let cells = self.cells() as u64;
        (0..self.stages.len()).map(move |stage| {
            let games = self.stage_games(stage);
            games.start * cells..games.end * cells
        })
    }

    /// A job by its number.
    pub fn job(&self, number: u64) -> Job {
        let stage = self.stage_jobs().position(|jobs| jobs.contains(&number)).unwrap_or(0);
        let games = self.stage_games(stage);
        let count = games.end - games.start;
        let place = number - games.start * self.cells() as u64;
        let (cell, game) = ((place / count) as usize, games.start + place % count);
        Job { setting: cell / self.assignments(), assignment: cell % self.assignments(), game }
    }

    /// How many games fill a part. It depends on the experiment alone.
    ///
    /// # Errors
    /// If the manifest was edited by hand.
    pub fn part_games(&self, scenario: &dyn AnyScenario) -> Result<u64, Failure> {
        let most = if self.searches()? { SEARCHED_PART_GAMES } else { scenario.system().part_games };
        Ok(self.jobs().div_ceil(PARTS).clamp(1, most))
    }

    fn setup(&self) -> Result<Setup, Failure> {
        let agents = self.experiment.specs()?.into_iter().flatten().collect();
        Ok(Setup { agents, seed: self.experiment.seed, extras: Extras::default() })
    }

    /// Whether any agent searches, and so takes much longer than the rules do.
    ///
    /// # Errors
    /// If the manifest was edited by hand.
    pub fn searches(&self) -> Result<bool, Failure> {
        Ok(self.setup()?.searches())
    }

    /// Whether any agent's choices depend on the speed of the machine.
    ///
    /// # Errors
    /// If the manifest was edited by hand.
    pub fn is_timed(&self) -> Result<bool, Failure> {
        Ok(self.setup()?.is_timed())
    }

    /// The override that gives a factor its value.
    fn set(&self, factor: usize, value: Value) -> Override {
        let parameter = &self.experiment.factors[factor];
        Override::new(parameter.path.clone(), &parameter.factor.label(value))
    }

    /// The overrides of a setting: those of the experiment, then its factors'.
    ///
    /// # Errors
    /// If the manifest was edited by hand.
    pub fn overrides(&self, setting: usize) -> Result<Vec<Override>, Failure> {
        let mut overrides = self.experiment.parsed_overrides()?;
        let point = &self.points[self.settings[setting]];
        overrides.extend(point.iter().enumerate().map(|(factor, &value)| self.set(factor, value)));
        Ok(overrides)
    }

    /// Opens the scenario of a setting.
    ///
    /// # Errors
    /// If the scenario does not take the values.
    pub fn open<'a>(
        &self,
        systems: &'a [Box<dyn AnySystem>],
        setting: usize,
    ) -> Result<Box<dyn AnyScenario + 'a>, Failure> {
        open(systems, &self.experiment.scenario, &self.overrides(setting)?)
    }

    /// Opens the scenario of every setting once, on all threads of the pool at hand, so that no value is refused in
    /// mid-run.
    ///
    /// # Errors
    /// Names the factor and the value that the scenario does not take, or the values that it does not take together.
    pub fn check(&self, systems: &[Box<dyn AnySystem>]) -> Result<(), Failure> {
        let fixed = self.experiment.parsed_overrides()?;
        let alone = |factor: usize, value: Value| {
            let set = self.set(factor, value);
            let place = format!("[[factor]] {}, path = \"{}\", value {}", factor + 1, set.path, set.text());
            let overrides: Vec<Override> = fixed.iter().cloned().chain([set]).collect();
            open(systems, &self.experiment.scenario, &overrides)
                .map(|_| ())
                .map_err(|failure| failure.within(&place))
        };
        // The ends of each range are the likeliest to be refused, and cheap to try.
        for (index, parameter) in self.experiment.factors.iter().enumerate() {
            let levels = parameter.factor.levels(2);
            levels.into_iter().try_for_each(|value| alone(index, value))?;
        }
        let refused = (0..self.settings.len())
            .into_par_iter()
            .find_map_first(|setting| self.open(systems, setting).err().map(|failure| (setting, failure)));
        let Some((setting, failure)) = refused else { return Ok(()) };
        let point = &self.points[self.settings[setting]];
        for (index, &value) in point.iter().enumerate() {
            alone(index, value)?;
        }
        let values: Vec<String> =
            point.iter().enumerate().map(|(factor, &value)| self.set(factor, value).to_string()).collect();
        Err(failure.within(&format!("[[factor]]: {} together", values.join(", "))))
    }
}

/// What tells values apart.
fn bits(value: Value) -> u64 {
    match value {
        Value::Integer(value) => value as u64,
        Value::Real(value) => value.to_bits(),
        Value::Category { category } => category as u64,
    }
}

#[cfg(test)]
mod tests {
    use sandtable_stats::design::Factor;

    use super::super::file::{Design, ScenarioFactor};
    use super::*;

    fn plan(kind: DesignKind, points: usize) -> Plan {
        let parameter = |factor: Factor| ScenarioFactor { path: factor.name.clone(), factor };
        Plan::new(Experiment {
            scenario: String::new(),
            overrides: Vec::new(),
            seed: 1,
            games: 5,
            assignments: vec![vec!["random".to_owned()]; 2],
            design: Design { kind, points },
            factors: vec![
                parameter(Factor::integer("a", 0, 1)),
                parameter(Factor::categories("b", ["x", "y"])),
            ],
        })
        .unwrap()
    }

    #[test]
    fn equal_points_are_one_setting() {
        let plan = plan(DesignKind::Saltelli, 16);
        assert_eq!((plan.points.len(), plan.settings.len()), (16 * 4, 4));
        for (point, &setting) in plan.points.iter().zip(&plan.setting_of) {
            assert_eq!(*point, plan.points[plan.settings[setting]]);
        }
        assert_eq!(plan.cells(), 8);
        assert_eq!(plan.jobs(), 40);
    }

    #[test]
    fn jobs_go_cell_by_cell() {
        let plan = plan(DesignKind::Grid, 2);
        assert_eq!(plan.settings, [0, 1, 2, 3]);
        assert_eq!(plan.job(0), Job { setting: 0, assignment: 0, game: 0 });
        assert_eq!(plan.job(9), Job { setting: 0, assignment: 1, game: 4 });
        assert_eq!(plan.job(39), Job { setting: 3, assignment: 1, game: 4 });
        let overrides = plan.overrides(3).unwrap();
        assert_eq!(overrides.iter().map(ToString::to_string).collect::<Vec<_>>(), ["a=1", "b=y"]);
    }

    #[test]
    fn games_that_are_added_come_last() {
        let mut more = plan(DesignKind::Grid, 2);
        more.experiment.games = 8;
        let more = more.in_stages(vec![5, 8]);
        assert_eq!(more.jobs(), 64);
        assert_eq!(more.job(39), Job { setting: 3, assignment: 1, game: 4 });
        assert_eq!(more.job(40), Job { setting: 0, assignment: 0, game: 5 });
        assert_eq!(more.job(44), Job { setting: 0, assignment: 1, game: 6 });
        assert_eq!(more.job(63), Job { setting: 3, assignment: 1, game: 7 });
        let mut all: Vec<_> = (0..64).map(|number| more.job(number)).collect();
        all.sort_by_key(|job| (job.setting, job.assignment, job.game));
        all.dedup();
        assert_eq!(all.len(), 64, "each game once");
    }

    #[test]
    fn a_design_that_is_too_large_is_refused() {
        let mut experiment = plan(DesignKind::Grid, 2).experiment;
        experiment.design = Design { kind: DesignKind::Saltelli, points: 1 };
        let message = Plan::new(experiment.clone()).unwrap_err().to_string();
        assert!(message.contains("[design]") && message.contains("from 2 to 65536"), "{message}");
        experiment.design = Design { kind: DesignKind::LatinHypercube, points: 10_000_001 };
        assert!(Plan::new(experiment).is_err());
    }
}
