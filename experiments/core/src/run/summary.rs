//! What is said about a run when it is over.

use std::collections::BTreeMap;
use std::fmt::{self, Write};
use std::path::Path;

use sandtable_core::SideInfo;
use sandtable_stats::interval::{Estimate, Moments, quantile, wilson};
use serde::Serialize;

use super::manifest::Manifest;
use super::tally::Tally;
use crate::system::{mean_points, team_labels};

/// The results of a run. It depends on the games alone: no speed, no thread, no session is in it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Summary {
    /// The scenario.
    pub scenario: String,
    /// The seed.
    pub seed: u64,
    /// The share, if it is not the whole run.
    pub shard: Option<String>,
    /// The agent of each side.
    pub agents: BTreeMap<String, String>,
    /// How many games.
    pub games: u64,
    /// Games won by each team, with the rate.
    pub wins: Vec<Rate>,
    /// Games that nobody won.
    pub draws: Rate,
    /// Points by side.
    pub points: Vec<Mean>,
    /// Utility by side.
    pub utility: Vec<Mean>,
    /// The game turn of the end.
    pub turns: Spread,
    /// Games by end reason.
    pub end_reasons: BTreeMap<String, u64>,
    /// Mean number of decisions a game.
    pub decisions_per_game: f64,
}

/// How often something came about, with the 95% Wilson interval.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Rate {
    /// Of what.
    pub name: String,
    /// In how many games.
    pub games: u64,
    /// Of all games; none if there are none.
    pub rate: Option<f64>,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// A mean with its 95% interval: Student's of points, Wilson's of a worth from 0 to 1.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Mean {
    /// Of what.
    pub name: String,
    /// The mean; none without games.
    pub mean: Option<f64>,
    /// The lower end of the interval; none without games.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// The standard deviation of a single game.
    pub deviation: Option<f64>,
}

/// The spread of a whole number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Spread {
    /// The least.
    pub min: Option<u32>,
    /// A quarter is not above it.
    pub lower_quartile: Option<u32>,
    /// A half is not above it.
    pub median: Option<u32>,
    /// Three quarters are not above it.
    pub upper_quartile: Option<u32>,
    /// The greatest.
    pub max: Option<u32>,
}

impl Rate {
    fn new(name: &str, games: u64, all: u64) -> Self {
        let Estimate { value, low, high } = wilson(games, all);
        Rate { name: name.to_owned(), games, rate: finite(value), low, high }
    }
}

impl Mean {
    fn new(name: &str, moments: &Moments, estimate: &Estimate) -> Self {
        let Estimate { value, low, high } = *estimate;
        Mean {
            name: name.to_owned(),
            mean: finite(value),
            low: finite(low),
            high: finite(high),
            deviation: finite(moments.deviation()),
        }
    }
}

/// The number, unless it is infinite or none.
pub(crate) fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value)
}

impl Summary {
    /// The results of all games of a run.
    pub fn new(manifest: &Manifest, sides: &[SideInfo], tally: &Tally) -> Self {
        let means = |all: &[Moments], estimate: fn(&Moments, &SideInfo) -> Estimate| {
            let mean = |(side, moments): (&SideInfo, &Moments)| {
                Mean::new(side.id, moments, &estimate(moments, side))
            };
            sides.iter().zip(all).map(mean).collect()
        };
        let at = |q| quantile(&tally.turns, q);
        Summary {
            scenario: manifest.identity.scenario.clone(),
            seed: manifest.identity.seed,
            shard: manifest.shard.map(|shard| shard.to_string()),
            agents: manifest.identity.agents.clone(),
            games: tally.games,
            wins: team_labels(sides)
                .iter()
                .zip(&tally.wins)
                .map(|(team, &wins)| Rate::new(team, wins, tally.games))
                .collect(),
            draws: Rate::new("draw", tally.draws, tally.games),
            points: means(&tally.points, mean_points),
            utility: means(&tally.utility, |utility, _| utility.mean_on(0.0, 1.0)),
            turns: Spread {
                min: at(0.0),
                lower_quartile: at(0.25),
                median: at(0.5),
                upper_quartile: at(0.75),
                max: at(1.0),
            },
            end_reasons: tally.end_reasons.clone(),
            decisions_per_game: tally.decisions as f64 / tally.games.max(1) as f64,
        }
    }

    /// What shows more of a run, where the tables are and how they are loaded.
    pub fn where_to_look(folder: &Path, format: &str) -> String {
        let folder = folder.display();
        format!(
            "a page of it: sandtable report {folder}; a game: sandtable replay {folder} --game 0\n\
             tables in {folder}; in Python: polars.{}(\"{folder}/games/*.{format}\")",
            if format == "csv" { "read_csv" } else { "read_parquet" }
        )
    }
}

/// The same as a page of text.
impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shard = self.shard.as_ref().map_or_else(String::new, |shard| format!(", shard {shard}"));
        writeln!(f, "{}, seed {}{shard}: {} games", self.scenario, self.seed, self.games)?;
        let mut lines = String::new();
        for (side, agent) in &self.agents {
            writeln!(lines, "  {side}: {agent}")?;
        }
        writeln!(lines, "result (95% intervals)")?;
        for rate in self.wins.iter().chain((self.draws.games > 0).then_some(&self.draws)) {
            let percent = |value: f64| 100.0 * value;
            writeln!(
                lines,
                "  {:<16} {:>5.1}%  [{:.1}, {:.1}]  {} games",
                rate.name,
                percent(rate.rate.unwrap_or(0.0)),
                percent(rate.low),
                percent(rate.high),
                rate.games
            )?;
        }
        writeln!(lines, "points")?;
        for mean in &self.points {
            write!(lines, "  {:<16} {:>6.2}", mean.name, mean.mean.unwrap_or(0.0))?;
            if let (Some(low), Some(high)) = (mean.low, mean.high) {
                write!(lines, "  [{low:.2}, {high:.2}]")?;
            }
            if let Some(deviation) = mean.deviation {
                write!(lines, "  standard deviation {deviation:.2}")?;
            }
            writeln!(lines)?;
        }
        if let Spread {
            min: Some(min),
            lower_quartile: Some(lower),
            median: Some(median),
            upper_quartile: Some(upper),
            max: Some(max),
        } = self.turns
        {
            writeln!(
                lines,
                "length: median {median} turns, half of the games {lower} to {upper}, all {min} to {max}"
            )?;
        }
        writeln!(lines, "decisions: {:.1} a game", self.decisions_per_game)?;
        let mut end_reasons: Vec<_> = self.end_reasons.iter().collect();
        end_reasons.sort_by_key(|&(end_reason, &games)| (std::cmp::Reverse(games), end_reason));
        let end_reasons: Vec<String> =
            end_reasons.iter().map(|(end_reason, games)| format!("{end_reason} {games}")).collect();
        write!(lines, "ended by: {}", end_reasons.join(", "))?;
        f.write_str(&lines)
    }
}
