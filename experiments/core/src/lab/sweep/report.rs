//! Effects, indices and all other figures of a sweep. They depend on the games alone: no thread, no session is in them.

use std::borrow::Cow;
use std::fmt::{self, Write};

use sandtable_core::{MAX_SIDES, SideInfo};
use sandtable_stats::design::{Factor, Point, Value};
use sandtable_stats::interval::{Bootstrap, Estimate, Moments, wilson};
use sandtable_stats::sensitivity::{Level, main_effects, sobol, standardised_regression};
use serde::{Deserialize, Serialize};

use super::file::{Design, DesignKind, ScenarioFactor};
use super::manifest::{KIND, Manifest};
use super::plan::Plan;
use super::store::Store;
use crate::failure::Failure;
use crate::lab::words::{self, ends};
use crate::system::{GameResult, mean_points, points_range, team_labels};

/// Parts into which a range is cut where it has more values.
const LEVELS: usize = 5;

/// The ends of a share and of a count.
const SHARE: (f64, f64) = (0.0, 1.0);
const COUNT: (f64, f64) = (0.0, f64::INFINITY);

/// What is measured at a point.
#[derive(Clone, PartialEq, Debug)]
pub struct Measure {
    /// Its name, and that of its column.
    pub name: String,
    /// Its unit.
    pub unit: &'static str,
    /// What it says.
    pub doc: String,
    /// The ends between which it lies, infinite where nobody knows them.
    bounds: (f64, f64),
}

/// What is measured at each point: wins by team, draws, points by side, the end turn.
pub fn measures(sides: &[SideInfo]) -> Vec<Measure> {
    let mut all: Vec<Measure> = team_labels(sides)
        .into_iter()
        .map(|team| Measure {
            name: format!("wins_{}", team.replace('+', "_")),
            unit: "",
            doc: format!("share of games won by {team}"),
            bounds: SHARE,
        })
        .collect();
    let doc = "share of drawn games".to_owned();
    all.push(Measure { name: "draws".to_owned(), unit: "", doc, bounds: SHARE });
    all.extend(sides.iter().map(|side| Measure {
        name: format!("points_{}", side.id),
        unit: "points",
        doc: format!("mean points of {} in the game's own unit", side.name),
        bounds: points_range(side),
    }));
    let doc = "mean game turn in which games ended".to_owned();
    all.push(Measure { name: "turns".to_owned(), unit: "game turns", doc, bounds: COUNT });
    all
}

/// Whether a measure is a share of games.
pub fn is_share(measure: &str) -> bool {
    ["wins_", "draws"].iter().any(|kind| measure.starts_with(kind))
}

/// The games of a cell.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    /// Games.
    pub games: u64,
    wins: [u64; MAX_SIDES],
    points: [Moments; MAX_SIDES],
    turns: Moments,
}

impl Cell {
    fn add(&mut self, result: &GameResult) {
        self.games += 1;
        if let Some(team) = result.winner {
            self.wins[usize::from(team)] += 1;
        }
        for (sum, &points) in self.points.iter_mut().zip(&result.points) {
            sum.add(f64::from(points));
        }
        self.turns.add(f64::from(result.turns));
    }

    /// The [`measures`], each with its interval.
    pub fn estimates(&self, sides: &[SideInfo]) -> Vec<Estimate> {
        let teams = team_labels(sides).len();
        let draws = self.games - self.wins[..teams].iter().sum::<u64>();
        let shares = self.wins[..teams].iter().chain([&draws]).map(|&games| wilson(games, self.games));
        let points = self.points.iter().zip(sides).map(|(points, side)| mean_points(points, side));
        shares.chain(points).chain([self.turns.mean_from(0.0, f64::INFINITY)]).collect()
    }
}

/// The file `sweep.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// `sweep`.
    pub kind: Cow<'static, str>,
    /// The version of the program.
    pub sandtable_version: String,
    /// The commit it was built from.
    pub sandtable_commit: String,
    /// The scenario.
    pub scenario: String,
    /// The hash of its data, with the overrides that hold at every point.
    pub scenario_hash: String,
    /// The overrides at every point.
    pub overrides: Vec<String>,
    /// The seed.
    pub seed: u64,
    /// The design.
    pub design: Design,
    /// What varied.
    pub factors: Vec<ScenarioFactor>,
    /// The agent of each side, by agent assignment.
    pub assignments: Vec<Vec<String>>,
    /// The sides, in the order of the agents of an agent assignment.
    pub sides: Vec<String>,
    /// Points of the design.
    pub points: usize,
    /// Points of the design with values of their own.
    pub settings: usize,
    /// Games at each point, of each agent assignment.
    pub games_a_point: u64,
    /// Games played.
    pub games: u64,
    /// Whether the same experiment gives the same games: no agent has a budget in milliseconds.
    pub reproducible: bool,
    /// Main effects, by agent assignment, measure and factor.
    pub effects: Vec<EffectLine>,
    /// Sobol indices of a Saltelli design, regression coefficients of others.
    pub indices: Vec<IndexLine>,
    /// Measures that are the same at every point.
    pub constants: Vec<ConstantLine>,
    /// Why indices are missing.
    pub notes: Vec<String>,
    #[serde(skip)]
    cells: Vec<Cell>,
}

/// A measure that is the same at every point of the design: no factor can show in it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ConstantLine {
    /// The agent assignment.
    pub assignment: usize,
    /// The measure.
    pub measure: String,
    /// What it is.
    pub value: f64,
}

/// The main effect of a factor.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EffectLine {
    /// The agent assignment.
    pub assignment: usize,
    /// The measure.
    pub measure: String,
    /// The name of the factor.
    pub factor: String,
    /// The share of the variance of the measure between the levels.
    pub share: f64,
    /// The mean at each level.
    pub levels: Vec<Level>,
}

/// Which figure an index is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Index {
    /// Sobol's index of the first order.
    SobolFirst,
    /// Sobol's total index.
    SobolTotal,
    /// A standardised regression coefficient.
    Coefficient,
    /// The share of the variance that a linear model loses without the factor.
    Share,
    /// The share of the variance that a linear model explains.
    RSquared,
}

impl Index {
    /// As tables call it.
    pub fn name(self) -> &'static str {
        match self {
            Index::SobolFirst => "sobol_first",
            Index::SobolTotal => "sobol_total",
            Index::Coefficient => "coefficient",
            Index::Share => "share",
            Index::RSquared => "r_squared",
        }
    }
}

/// A sensitivity index.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct IndexLine {
    /// The agent assignment.
    pub assignment: usize,
    /// The measure.
    pub measure: String,
    /// Which figure it is.
    pub index: Index,
    /// The name of the factor; none for all together.
    pub factor: Option<String>,
    /// The value that a coefficient compares with the first one.
    pub value: Option<String>,
    /// The index.
    pub estimate: Estimate,
}

impl Report {
    /// The report of a sweep whose parts are all there.
    ///
    /// # Errors
    /// If a part is missing or damaged.
    pub fn new(
        manifest: &Manifest,
        plan: &Plan,
        store: &Store<'_>,
        sides: &[SideInfo],
    ) -> Result<Self, Failure> {
        let mut cells = vec![Cell::default(); plan.cells()];
        for part in 0..manifest.parts(plan) {
            let bytes = store.bytes(part)?.ok_or_else(|| {
                Failure::Internal(anyhow::anyhow!("part {part} of {} has vanished", store.root().display()))
            })?;
            for (job, result) in manifest.part_jobs(plan, part).zip(store.results(part, bytes)?) {
                let job = plan.job(job);
                cells[job.setting * plan.assignments() + job.assignment].add(&result);
            }
        }
        let experiment = &plan.experiment;
        let mut report = Report {
            kind: KIND.into(),
            sandtable_version: manifest.sandtable_version.clone(),
            sandtable_commit: manifest.sandtable_commit.clone(),
            scenario: experiment.scenario.clone(),
            scenario_hash: manifest.identity.scenario_hash.clone(),
            overrides: experiment.overrides.clone(),
            seed: experiment.seed,
            design: experiment.design,
            factors: experiment.factors.clone(),
            sides: sides.iter().map(|side| side.id.to_owned()).collect(),
            assignments: experiment.assignments.clone(),
            points: plan.points.len(),
            settings: plan.settings.len(),
            games_a_point: experiment.games,
            games: plan.jobs(),
            reproducible: !plan.is_timed()?,
            effects: Vec::new(),
            indices: Vec::new(),
            constants: Vec::new(),
            notes: Vec::new(),
            cells,
        };
        report.analyse(plan, sides);
        Ok(report)
    }

    /// The games of a point and agent assignment.
    pub fn cell(&self, plan: &Plan, point: usize, assignment: usize) -> &Cell {
        &self.cells[plan.setting_of[point] * plan.assignments() + assignment]
    }

    /// Main effects and indices of every measure under every agent assignment.
    fn analyse(&mut self, plan: &Plan, sides: &[SideInfo]) {
        for assignment in 0..plan.assignments() {
            let estimates: Vec<Vec<Estimate>> = (0..plan.points.len())
                .map(|point| self.cell(plan, point, assignment).estimates(sides))
                .collect();
            for (index, measure) in measures(sides).into_iter().enumerate() {
                let responses: Vec<f64> = estimates.iter().map(|all| all[index].value).collect();
                self.analyse_measure(plan, assignment, &measure, &responses);
            }
        }
    }

    /// Main effects and indices of a measure, from its value at each point.
    fn analyse_measure(&mut self, plan: &Plan, assignment: usize, measure: &Measure, responses: &[f64]) {
        let factors = plan.experiment.factors();
        let bootstrap = Bootstrap::new(plan.experiment.seed);
        let is_saltelli = plan.experiment.design.kind == DesignKind::Saltelli;
        // The points of a row of a Saltelli design share their values.
        let block = if is_saltelli { factors.len() + 2 } else { 1 };
        let name = || measure.name.clone();
        if let [value, others @ ..] = responses
            && others.iter().all(|other| other.to_bits() == value.to_bits())
        {
            self.constants.push(ConstantLine { assignment, measure: name(), value: *value });
        }
        match main_effects(&factors, &plan.points, responses, LEVELS, block, measure.bounds) {
            Ok(effects) => self.effects.extend(effects.into_iter().map(|effect| EffectLine {
                assignment,
                measure: name(),
                factor: factors[effect.factor].name.clone(),
                share: effect.share,
                levels: effect.levels,
            })),
            Err(error) => self.note(format!("no main effects: {error}")),
        }
        let line = |(index, factor, value, estimate): Figure| {
            let factor = factor.map(|factor| factors[factor].name.clone());
            IndexLine { assignment, measure: name(), index, factor, value, estimate }
        };
        let figures = if is_saltelli {
            sobol_indices(factors.len(), responses, &bootstrap)
        } else {
            regression_indices(&factors, &plan.points, responses, &bootstrap)
        };
        match figures {
            Ok(figures) => self.indices.extend(figures.into_iter().map(line)),
            Err(note) => self.note(note),
        }
    }

    /// Notes why a design cannot tell something, once: the reason is the same for all measures.
    fn note(&mut self, note: String) {
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }

    /// The index that says how much a factor matters: Sobol's total index, or its share in a linear model.
    fn weight(&self, assignment: usize, measure: &str, factor: &str) -> Option<&IndexLine> {
        self.indices.iter().find(|line| {
            line.assignment == assignment
                && line.measure == measure
                && line.factor.as_deref() == Some(factor)
                && matches!(line.index, Index::SobolTotal | Index::Share)
        })
    }

    /// The main effects on a measure, each with the index that says how much the factor matters; those that matter most
    /// are first.
    pub fn by_weight(&self, assignment: usize, measure: &str) -> Vec<(&EffectLine, Option<&IndexLine>)> {
        let mut lines: Vec<(&EffectLine, Option<&IndexLine>)> = self
            .effects
            .iter()
            .filter(|line| line.assignment == assignment && line.measure == measure)
            .map(|line| (line, self.weight(assignment, measure, &line.factor)))
            .collect();
        let size = |line: &(&EffectLine, Option<&IndexLine>)| {
            line.1.map_or(line.0.share, |index| index.estimate.value)
        };
        lines.sort_by(|a, b| size(b).total_cmp(&size(a)));
        lines
    }

    /// The value that a measure has at every point, if it is the same.
    pub fn constant(&self, assignment: usize, measure: &str) -> Option<f64> {
        let here = |line: &&ConstantLine| line.assignment == assignment && line.measure == measure;
        self.constants.iter().find(here).map(|line| line.value)
    }

    /// What [`Report::by_weight`] goes by.
    pub fn weight_name(&self) -> &'static str {
        match self.design.kind {
            DesignKind::Saltelli => "total Sobol index",
            DesignKind::Grid | DesignKind::LatinHypercube => "share in a linear model",
        }
    }

    /// The share of the variance of a measure that the linear model explains; none in a Saltelli design.
    pub fn explained(&self, assignment: usize, measure: &str) -> Option<f64> {
        let line = self.indices.iter().find(|line| {
            line.assignment == assignment && line.measure == measure && line.index == Index::RSquared
        })?;
        Some(line.estimate.value)
    }

    /// The measures that are told first: wins and points of the first team and side, and the end turn.
    pub fn main_measures(&self) -> Vec<&str> {
        let mut shown: Vec<&str> = Vec::new();
        for line in &self.effects {
            let first = ["wins_", "points_"].iter().any(|kind| {
                line.measure.starts_with(kind) && !shown.iter().any(|other| other.starts_with(kind))
            });
            if first || (line.measure == "turns" && !shown.contains(&"turns")) {
                shown.push(&line.measure);
            }
        }
        shown
    }

    fn write_measure(&self, f: &mut dyn Write, assignment: usize, measure: &str) -> fmt::Result {
        if let Some(all) = self.constant(assignment, measure) {
            return writeln!(f, "  {measure}: {all:.3} at every point, so no factor shows in it");
        }
        let what = self.weight_name();
        writeln!(f, "  {measure}: {what} and mean by level, 95% intervals over points")?;
        for (effect, index) in self.by_weight(assignment, measure) {
            let index = index.map_or_else(
                || format!("{:.2} between levels", effect.share),
                |index| format!("{:.2} {}", index.estimate.value, ends(&index.estimate, 1.0, 2, false)),
            );
            writeln!(f, "    {:<28} {index}", effect.factor)?;
            let levels: Vec<String> = effect
                .levels
                .iter()
                .map(|level| {
                    format!(
                        "{}: {:.3} {}",
                        level.label,
                        level.response.value,
                        ends(&level.response, 1.0, 3, false)
                    )
                })
                .collect();
            writeln!(f, "      {}", levels.join("; "))?;
        }
        if let Some(share) = self.explained(assignment, measure) {
            let warning = if share < 0.7 { "; the rest is curved, or noise" } else { "" };
            writeln!(f, "    the linear model explains {share:.2} of the variance{warning}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.design.kind {
            DesignKind::Grid => "grid",
            DesignKind::LatinHypercube => "Latin hypercube",
            DesignKind::Saltelli => "Saltelli design",
        };
        writeln!(
            f,
            "{}, seed {}: {kind} of {} points ({} different), {} games at each, {} in all",
            self.scenario, self.seed, self.points, self.settings, self.games_a_point, self.games
        )?;
        if !self.reproducible {
            writeln!(f, "{}", words::NOT_REPRODUCIBLE)?;
        }
        for (assignment, agents) in self.assignments.iter().enumerate() {
            writeln!(f, "agent assignment {assignment}: {}", words::assignment(&self.sides, agents))?;
            for measure in self.main_measures() {
                self.write_measure(f, assignment, measure)?;
            }
        }
        for note in &self.notes {
            writeln!(f, "{note}")?;
        }
        write!(f, "of other teams and sides: tables effects and indices")
    }
}

/// An index, the factor it is of, the category if it is of one, and its value.
type Figure = (Index, Option<usize>, Option<String>, Estimate);

/// Sobol's indices of each factor.
///
/// # Errors
/// Says why there are none.
fn sobol_indices(factors: usize, responses: &[f64], bootstrap: &Bootstrap) -> Result<Vec<Figure>, String> {
    let all = sobol(factors, responses, bootstrap).map_err(|error| format!("no Sobol indices: {error}"))?;
    let both = all.iter().enumerate().flat_map(|(factor, both)| {
        [
            (Index::SobolFirst, Some(factor), None, both.first),
            (Index::SobolTotal, Some(factor), None, both.total),
        ]
    });
    Ok(both.collect())
}

/// The coefficients of a linear model, the share of each factor in it, and how much it explains.
///
/// # Errors
/// Says why there is none.
fn regression_indices(
    factors: &[Factor],
    points: &[Point],
    responses: &[f64],
    bootstrap: &Bootstrap,
) -> Result<Vec<Figure>, String> {
    let model = standardised_regression(factors, points, responses, bootstrap)
        .map_err(|error| format!("no regression: {error}"))?;
    let coefficients = model.coefficients.iter().map(|coefficient| {
        let value = coefficient
            .category
            .map(|category| factors[coefficient.factor].label(Value::Category { category }));
        (Index::Coefficient, Some(coefficient.factor), value, coefficient.value)
    });
    let shares = model.shares.iter().enumerate();
    let shares = shares.map(|(factor, &share)| (Index::Share, Some(factor), None, share));
    let whole = Estimate { value: model.r_squared, ..Estimate::UNKNOWN };
    Ok(coefficients.chain(shares).chain([(Index::RSquared, None, None, whole)]).collect())
}
