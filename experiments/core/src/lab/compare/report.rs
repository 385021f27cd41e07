//! The differences that a comparison has found. They depend on the games alone.

use std::borrow::Cow;
use std::fmt::{self, Write};

use sandtable_stats::interval::{Estimate, Moments};
use sandtable_stats::power::{Paired, PairedCounts, paired_rates, pairs_needed, smallest_effect};
use serde::{Deserialize, Serialize};

use super::{ArmQuestion, Comparison, Effect, KIND};
use crate::build_info;
use crate::failure::{Failure, expected};
use crate::lab::words::{
    NOT_REPRODUCIBLE, assignment, ends, more, percent, percent_more, plain, probability, with_sets,
};
use crate::run::summary::finite;
use crate::system::points_range;
use crate::terminal;

/// The level of all tests.
const ALPHA: f64 = 0.05;

/// The effect on shares that is planned for if nobody names one.
const SHARE: f64 = 0.05;

/// The file `comparison.json`.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Report {
    /// `comparison`.
    pub kind: Cow<'static, str>,
    /// The version of the program.
    pub sandtable_version: Cow<'static, str>,
    /// The commit it was built from.
    pub sandtable_commit: Cow<'static, str>,
    /// The seed.
    pub seed: u64,
    /// The arm that is compared with.
    pub a: ArmQuestion,
    /// The arm that is compared.
    pub b: ArmQuestion,
    /// The sides, in the order of the agents of an arm.
    pub sides: Vec<String>,
    /// Whether the same command gives the same games: no agent has a budget in milliseconds.
    pub reproducible: bool,
    /// Pairs of games.
    pub pairs: u64,
    /// The probability with which an effect is to be seen.
    pub power: f64,
    /// The measures.
    pub measures: Vec<MeasureLine>,
}

/// A measure in both arms.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MeasureLine {
    /// Its name.
    pub measure: String,
    /// Its unit; empty for shares.
    pub unit: Cow<'static, str>,
    /// The mean in A.
    pub a: Estimate,
    /// The mean in B.
    pub b: Estimate,
    /// B - A, over pairs.
    pub difference: Estimate,
    /// The probability of such a difference if there were none: `McNemar`'s test of shares, else the paired t test.
    pub p_value: f64,
    /// The correlation of the two games of a pair; none if an arm does not vary.
    pub correlation: Option<f64>,
    /// The arms in which the measure is the same in every game.
    pub constant: Vec<Cow<'static, str>>,
    /// How many independent games of each arm tell as much as one pair; none if the difference does not vary.
    #[serde(alias = "gain")]
    pub relative_efficiency: Option<f64>,
    /// The standard deviation of the difference within a pair.
    pub deviation: Option<f64>,
    /// The minimum detectable effect: the smallest difference that so many pairs show with the power asked for.
    #[serde(alias = "visible")]
    pub minimum_detectable_effect: Option<f64>,
    /// The difference that one wants to see.
    pub effect: Option<f64>,
    /// The pairs needed to see it with the power asked for.
    pub pairs_needed: Option<u64>,
}

/// The ends of a score and of a count.
const UNIT: (f64, f64) = (0.0, 1.0);
const COUNT: (f64, f64) = (0.0, f64::INFINITY);

/// A measure before the arithmetic.
struct Measure {
    name: String,
    unit: &'static str,
    paired: Paired,
    /// For shares.
    counts: Option<PairedCounts>,
    /// The ends between which a mean lies; infinite where nobody knows them.
    bounds: (f64, f64),
}

/// Zeros and ones as numbers.
fn moments(n: u64, sum: f64, squares: f64) -> Moments {
    let mean = sum / n as f64;
    Moments { n, mean, deviations: squares - sum * mean }
}

fn of_counts(counts: PairedCounts) -> Paired {
    let n = counts.n();
    let [both, first, second] = [counts.both, counts.first, counts.second].map(|count| count as f64);
    Paired {
        first: moments(n, both + first, both + first),
        second: moments(n, both + second, both + second),
        difference: moments(n, second - first, second + first),
    }
}

fn measures(comparison: &Comparison) -> Vec<Measure> {
    let share = |name: String, counts: PairedCounts| Measure {
        name,
        unit: "",
        paired: of_counts(counts),
        counts: Some(counts),
        bounds: UNIT,
    };
    let mean = |name: String, unit: &'static str, bounds: (f64, f64), paired: &Paired| Measure {
        name,
        unit,
        paired: *paired,
        counts: None,
        bounds,
    };
    let mut all = Vec::new();
    for (team, counts) in comparison.teams.iter().zip(&comparison.wins) {
        all.push(share(format!("wins_{team}"), *counts));
    }
    all.push(share("draws".to_owned(), comparison.draws));
    all.push(mean(format!("score_{}", comparison.teams[0]), "points a game", UNIT, &comparison.score));
    for (side, info) in comparison.sides.iter().enumerate() {
        let bounds = points_range(info);
        all.push(mean(format!("points_{}", info.id), "points", bounds, &comparison.points[side]));
    }
    for (side, info) in comparison.sides.iter().enumerate() {
        all.push(mean(format!("utility_{}", info.id), "", UNIT, &comparison.utility[side]));
    }
    all.push(mean("turns".to_owned(), "game turns", COUNT, &comparison.turns));
    all.push(mean("decisions".to_owned(), "decisions", COUNT, &comparison.decisions));
    if comparison.lead_changes.first.n > 0 {
        all.push(mean("lead_changes".to_owned(), "a game", COUNT, &comparison.lead_changes));
    }
    for (end_reason, &[both, first, second]) in &comparison.end_reasons {
        let neither = comparison.pairs - both - first - second;
        all.push(share(format!("end_{end_reason}"), PairedCounts { both, first, second, neither }));
    }
    all
}

impl Measure {
    /// The size of the effect asked for: the last one named that fits.
    fn effect(&self, effects: &[Effect]) -> Option<f64> {
        let fits = |effect: &&Effect| match &effect.measure {
            None => self.counts.is_some() || self.name.starts_with("score_"),
            Some(name) => {
                *name == self.name
                    || self.name.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('_'))
            }
        };
        effects.iter().rev().find(fits).map(|effect| effect.size)
    }

    fn mean(&self, arm: &Moments) -> Estimate {
        let (low, high) = self.bounds;
        if self.bounds == UNIT { arm.mean_on(low, high) } else { arm.mean_from(low, high) }
    }

    fn difference(&self) -> Estimate {
        let difference = &self.paired.difference;
        let (low, high) = self.bounds;
        let span = high - low;
        if self.bounds == UNIT { difference.mean_on(-span, span) } else { difference.mean_from(-span, span) }
    }

    fn line(&self, effects: &[Effect], power: f64) -> MeasureLine {
        let paired = &self.paired;
        let rates = self.counts.map(|counts| paired_rates(&counts));
        let deviation = paired.difference.deviation();
        let effect = self.effect(effects);
        MeasureLine {
            measure: self.name.clone(),
            unit: self.unit.into(),
            a: rates.map_or_else(|| self.mean(&paired.first), |rates| rates.first),
            b: rates.map_or_else(|| self.mean(&paired.second), |rates| rates.second),
            difference: rates.map_or_else(|| self.difference(), |rates| rates.difference),
            p_value: rates.map_or_else(|| paired.p_value(), |rates| rates.p_value),
            correlation: finite(paired.correlation()),
            constant: [("A", &paired.first), ("B", &paired.second)]
                .into_iter()
                .filter(|(_, arm)| !arm.varies())
                .map(|(name, _)| name.into())
                .collect(),
            relative_efficiency: finite(paired.gain()),
            deviation: finite(deviation),
            minimum_detectable_effect: smallest_effect(paired.difference.n, deviation, ALPHA, power).ok(),
            effect,
            // Pairs that never differed tell nothing about how many it would take.
            pairs_needed: effect
                .filter(|_| deviation > 0.0)
                .and_then(|effect| pairs_needed(effect, deviation, ALPHA, power).ok()),
        }
    }
}

impl Report {
    /// The differences, with the pairs needed to see these effects.
    ///
    /// # Errors
    /// If an effect is on a measure that there is not; the nearest is named.
    pub fn new(comparison: &Comparison, effects: &[Effect], power: f64) -> Result<Self, Failure> {
        let measures = measures(comparison);
        check_effects(comparison, effects)?;
        let mut wanted = vec![Effect { measure: None, size: SHARE }];
        wanted.extend_from_slice(effects);
        Ok(Report {
            kind: KIND.into(),
            sandtable_version: build_info::version().into(),
            sandtable_commit: build_info::commit().into(),
            seed: comparison.seed,
            a: comparison.question.a.clone(),
            b: comparison.question.b.clone(),
            sides: comparison.sides.iter().map(|side| side.id.to_owned()).collect(),
            reproducible: !comparison.timed,
            pairs: comparison.pairs,
            power,
            measures: measures.iter().map(|measure| measure.line(&wanted, power)).collect(),
        })
    }
}

/// Fails if an effect is on a measure that there cannot be. Causes of the end are known only when they occur.
///
/// # Errors
/// Names the nearest.
pub fn check_effects(comparison: &Comparison, effects: &[Effect]) -> Result<(), Failure> {
    let mut names: Vec<String> = ["wins", "score", "points", "utility", "end"].map(str::to_owned).to_vec();
    names.extend(measures(comparison).into_iter().map(|measure| measure.name));
    names.push("lead_changes".to_owned());
    for name in effects.iter().filter_map(|effect| effect.measure.as_ref()) {
        if !names.contains(name) && !name.starts_with("end_") {
            let expected = expected(name, names.iter().map(String::as_str));
            return Err(Failure::input(format!("--effect {name}=..: unknown measure: {expected}")));
        }
    }
    Ok(())
}

fn arm(letter: char, arm: &ArmQuestion, sides: &[String]) -> String {
    format!("{letter}: {}, {}", with_sets(&arm.scenario.id, &arm.overrides), assignment(sides, &arm.agents))
}

/// The verdict and a table.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut page = String::new();
        writeln!(page, "{}\n", self.verdict())?;
        writeln!(page, "{}\n{}", arm('A', &self.a, &self.sides), arm('B', &self.b, &self.sides))?;
        writeln!(
            page,
            "{} pairs of games with the same dice, seed {}; 95% intervals",
            self.pairs, self.seed
        )?;
        if !self.reproducible {
            writeln!(page, "{NOT_REPRODUCIBLE}")?;
        }
        // The utility of a result follows from its points; it is in the tables.
        let lines = self.measures.iter().filter(|line| !line.measure.starts_with("utility_"));
        let rows: Vec<[String; 8]> = lines.map(MeasureLine::cells).collect();
        let head = ["measure", "A", "B", "B - A", "p", "correlation", "MDE", "pairs needed"];
        write!(page, "{}", terminal::table(&head, rows))?;
        write!(
            page,
            "p: McNemar for shares, else paired t. MDE: minimum detectable effect of {} pairs at {} power; pairs needed: for the \
             effect named, at that power (--effect, --power)",
            self.pairs,
            share_of_power(self.power)
        )?;
        f.write_str(&page)
    }
}

/// `80%`.
pub fn share_of_power(power: f64) -> String {
    format!("{}%", (1000.0 * power).round() / 10.0)
}

impl Report {
    /// What the change did to the share of games that the first team wins, and whether the games show it: the
    /// question that stands before the games are played, so that it is not picked among the measures by what they
    /// show.
    pub fn verdict(&self) -> String {
        let Some(line) = self.measures.first() else { return "No measure.".to_owned() };
        let team = line.measure.strip_prefix("wins_").unwrap_or(&line.measure);
        let subject = self.change();
        let from = format!("from {:.1}% to {:.1}%", 100.0 * line.a.value, 100.0 * line.b.value);
        let Some(detectable) = line.minimum_detectable_effect.filter(|size| *size > 0.0) else {
            return if line.difference.value == 0.0 {
                format!(
                    "Nothing is shown: {team} wins the same games with {subject} as without, {} of {} pairs.",
                    percent(&line.a),
                    self.pairs
                )
            } else {
                format!(
                    "{subject} decides every pair: {team} goes {from} of the games, {} pairs.",
                    self.pairs
                )
            };
        };
        let size = format!(
            "{:+.1} percentage points {}",
            100.0 * line.difference.value,
            ends(&line.difference, 100.0, 1, true)
        );
        // With a few pairs the interval and the test may disagree: shown is what both say.
        if line.difference.contains(0.0) || line.p_value >= 0.05 {
            format!(
                "Not shown that {subject} changes how often {team} wins: {size}, {from}, {}. {} pairs have {} power to show \
                 {:.1} points or more.",
                probability(line.p_value),
                self.pairs,
                share_of_power(self.power),
                100.0 * detectable
            )
        } else {
            let verb = if line.difference.value > 0.0 { "raises" } else { "lowers" };
            format!(
                "Shown: {subject} {verb} how often {team} wins by {size}, {from} ({}, {} pairs).",
                probability(line.p_value),
                self.pairs
            )
        }
    }

    /// What B has that A has not, if values alone differ; else `B`.
    fn change(&self) -> String {
        let (a, b) = (&self.a, &self.b);
        let added: Vec<&str> =
            b.overrides.iter().filter(|set| !a.overrides.contains(set)).map(String::as_str).collect();
        let is_kept = a.overrides.iter().all(|set| b.overrides.contains(set));
        if a.scenario.id == b.scenario.id && a.agents == b.agents && is_kept && !added.is_empty() {
            added.join(", ")
        } else {
            "B".to_owned()
        }
    }
}

impl MeasureLine {
    /// Whether it is a share of games or of points, and not an amount.
    pub fn is_share(&self) -> bool {
        self.unit.is_empty() || self.measure.starts_with("score_")
    }

    /// Why there is no correlation, if there is none.
    pub fn uncorrelated(&self) -> Option<String> {
        match &self.constant[..] {
            [] => None,
            [arm] => Some(format!("{arm} is constant")),
            _ => Some("both constant".to_owned()),
        }
    }

    /// An amount without its interval.
    pub fn size(&self, value: f64) -> String {
        let decimals = if self.is_large() { 0 } else { 3 };
        if self.is_share() { format!("{:.1}%", 100.0 * value) } else { format!("{value:.decimals$}") }
    }

    /// Whether decimals of the amounts say nothing.
    fn is_large(&self) -> bool {
        self.a.value.abs().max(self.b.value.abs()) >= 100.0
    }

    /// The row of the measure in the report: name, A, B, B - A, p, correlation, minimum detectable effect, pairs
    /// needed.
    pub fn cells(&self) -> [String; 8] {
        let (a, b, difference) = if self.is_share() {
            (percent(&self.a), percent(&self.b), percent_more(&self.difference))
        } else {
            let decimals = if self.is_large() { 0 } else { 2 };
            (plain(&self.a, decimals), plain(&self.b, decimals), more(&self.difference, decimals))
        };
        let none = || "-".to_owned();
        let correlation = match (self.correlation, self.uncorrelated()) {
            (Some(correlation), _) => format!("{correlation:.2}"),
            (None, why) => why.unwrap_or_else(none),
        };
        let Some(detectable) = self.minimum_detectable_effect.filter(|size| *size > 0.0) else {
            let difference = if self.difference.value == 0.0 {
                "the same in every pair".to_owned()
            } else {
                format!("{difference} in every pair")
            };
            return [self.measure.clone(), a, b, difference, none(), correlation, none(), none()];
        };
        let needed = match (self.effect, self.pairs_needed) {
            (Some(effect), Some(pairs)) => format!("{pairs} for {}", self.size(effect)),
            _ => none(),
        };
        let p = probability(self.p_value);
        let p = p.strip_prefix("p = ").or_else(|| p.strip_prefix("p ")).unwrap_or(&p).to_owned();
        [self.measure.clone(), a, b, difference, p, correlation, self.size(detectable), needed]
    }
}
