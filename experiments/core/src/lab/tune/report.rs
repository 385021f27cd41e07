//! What tuning found, and whether it is a gain.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::fmt::Write as _;

use sandtable_stats::interval::Estimate;
use sandtable_stats::pairs::PairResults;
use sandtable_stats::sprt::{Hypothesis, Sprt, Verdict};
use serde::{Deserialize, Serialize};

use super::search::{Budget, Candidate, Method};
use super::{Measure, Space};
use crate::lab::columns::or_nan;
use crate::lab::words::{elo as elo_words, percent};

/// The file `tune.json`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// `tune`.
    pub kind: Cow<'static, str>,
    /// The version of the program.
    pub sandtable_version: Cow<'static, str>,
    /// The commit it was built from.
    pub sandtable_commit: Cow<'static, str>,
    /// What was tuned: an agent, or `scenario`.
    pub tuned: String,
    /// The scenario.
    pub scenario: String,
    /// The hash of its data before tuning.
    pub scenario_hash: String,
    /// The overrides at every point.
    pub overrides: Vec<String>,
    /// The seed.
    pub seed: u64,
    /// The optimiser.
    pub method: Method,
    /// How much was to be played.
    pub budget: Budget,
    /// What could be changed.
    pub space: Space,
    /// The settings in the play-off, the best first.
    pub candidates: Vec<CandidateLine>,
    /// The values found, by name; the old ones if none was better.
    pub best: BTreeMap<String, String>,
    /// Whether there is a gain.
    pub proof: Proof,
}

/// A setting in the play-off.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CandidateLine {
    /// The run that found it; none for the old values.
    pub run: Option<u64>,
    /// Its values, by name.
    pub values: BTreeMap<String, String>,
    /// What was seen.
    pub measure: Measure,
}

/// Whether there is a gain.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "proof")]
pub enum Proof {
    /// The old values won the play-off: there is nothing to prove.
    NothingBetter,
    /// The new values against the old ones.
    Match {
        /// `elo0,elo1,alpha,beta`.
        sprt: String,
        /// The log-likelihood ratio.
        #[serde(deserialize_with = "or_nan")]
        llr: f64,
        /// What was accepted, `H0` or `H1`; none if the games were used up before.
        accepted: Option<String>,
        /// How many more pairs the test would be expected to take; none where it is decided, or there are no pairs.
        expected_pairs: Option<f64>,
        /// Whether a gain is shown.
        gain: bool,
        /// Pairs by the points of the new values: 0, ½, 1, 1½, 2.
        pairs: [u64; 5],
        /// The score of the new values.
        score: Estimate,
        /// The same as an Elo difference.
        elo: Estimate,
    },
    /// Fresh games with the old and the new values of a scenario.
    Fairness {
        /// The side whose team's score it is.
        side: String,
        /// What the score is to be.
        target: f64,
        /// The score before.
        before: Estimate,
        /// The score now.
        after: Estimate,
        /// Games for each.
        games: u64,
        /// Whether the interval now holds the target.
        reached: bool,
    },
}

impl Proof {
    /// What a match says.
    pub fn of_match(sprt: &Sprt, results: &PairResults, verdict: &Verdict) -> Self {
        Proof::Match {
            sprt: sprt.to_string(),
            llr: verdict.llr,
            accepted: verdict.accepted.map(|accepted| format!("{accepted:?}")),
            expected_pairs: sprt.expected_remaining(results).filter(|_| verdict.accepted.is_none()),
            gain: verdict.accepted == Some(Hypothesis::H1),
            pairs: results.counts,
            score: results.score(),
            elo: results.elo(),
        }
    }
}

impl Report {
    /// The lines of the play-off.
    pub fn lines(space: &Space, candidates: &[Candidate]) -> Vec<CandidateLine> {
        let line = |candidate: &Candidate| CandidateLine {
            run: candidate.run,
            values: space.named(&candidate.point).into_iter().collect(),
            measure: candidate.measure,
        };
        candidates.iter().map(line).collect()
    }

    /// The values found as a file: weights as `scripted:weights=FILE` reads them, a scenario's values as the table
    /// `[set]` of an experiment, options in a comment.
    pub fn best_file(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ =
            writeln!(text, "# {} in {}, seed {}: {}", self.tuned, self.scenario, self.seed, self.verdict());
        if self.tuned == "scenario" {
            let _ = writeln!(text, "[set]");
            for (path, value) in &self.best {
                let _ = writeln!(text, "{path:?} = {value}");
            }
            return text;
        }
        let mut side = "";
        for (name, value) in &self.best {
            match name.split_once('.') {
                None => _ = writeln!(text, "# option {name}={value}"),
                Some((owner, weight)) => {
                    if owner != side {
                        let _ = writeln!(text, "\n[{owner}]");
                        side = owner;
                    }
                    let _ = writeln!(text, "{weight} = {value}");
                }
            }
        }
        text
    }

    /// In a sentence, whether there is a gain.
    pub fn verdict(&self) -> String {
        match &self.proof {
            Proof::NothingBetter => "no gain: the old values won the play-off".to_owned(),
            Proof::Match { gain: true, elo, sprt, .. } => {
                format!("gain shown: {} Elo, H1 of the test {sprt} accepted{EARLY}", elo_words(elo))
            }
            Proof::Match { accepted: Some(_), elo, sprt, .. } => {
                format!("no gain: {} Elo, H0 of the test {sprt} accepted{EARLY}", elo_words(elo))
            }
            Proof::Match { elo, sprt, llr, expected_pairs, .. } => format!(
                "no gain shown: {} Elo, the games were used up before the test {sprt} was decided (LLR {llr:.2}{})",
                elo_words(elo),
                expected_pairs
                    .map_or_else(String::new, |pairs| format!(", about {pairs:.0} more pairs expected"))
            ),
            Proof::Fairness { side, target, before, after, games, reached } => format!(
                "{}: {side} scores {} now and {} before in {games} fresh games each; the target is {:.1}%",
                if *reached { "the target is within the interval" } else { "the target is not reached" },
                percent(after),
                percent(before),
                100.0 * target
            ),
        }
    }
}

/// What is said of a match that a test has ended.
const EARLY: &str = "; the match stopped there, so that its score and Elo are biased away from even";

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} in {}, seed {}: {} numbers, {} games at most, {} runs",
            self.tuned,
            self.scenario,
            self.seed,
            self.space.factors.len(),
            self.budget.games,
            self.budget.runs
        )?;
        writeln!(f, "play-off")?;
        let start = if self.tuned == "scenario" { "middle" } else { "old values" };
        for line in &self.candidates {
            let who = line.run.map_or(start.to_owned(), |run| format!("run {run}"));
            let Measure { score, games, .. } = line.measure;
            writeln!(f, "  {who:<10} scores {} in {games} games", percent(&score))?;
        }
        let old: BTreeMap<String, String> = self.space.named(&self.space.start).into_iter().collect();
        for (name, value) in self.best.iter().filter(|&(name, value)| old.get(name) != Some(value)) {
            writeln!(f, "  {name:<28} {} -> {value}", old.get(name).map_or("", String::as_str))?;
        }
        write!(f, "{}", self.verdict())
    }
}
