//! Agents against each other, in pairs of games with the same dice and teams swapped.

use sandtable_ai::AgentSpec;
use sandtable_stats::design::Point;
use sandtable_stats::optimise::Trial;
use sandtable_stats::pairs::{Outcome, PairResults};
use sandtable_stats::sprt::{Sprt, Verdict};

use super::rounds::RoundPlayer;
use super::search::PROOF;
use super::{Looks, Measure, Objective, Space};
use crate::failure::Failure;
use crate::lab::arena::Job;
use crate::lab::study::{Arm, RoundEntrants};
use crate::system::{AnyScenario, GameResult};

/// How well an agent plays with other values, against itself with the old ones.
pub struct Matches<'a> {
    /// Where it plays.
    pub scenario: &'a dyn AnyScenario,
    /// The agent as it was given.
    pub agent: AgentSpec,
    /// What may be changed: numeric options by their name, weights as `SIDE.NAME`.
    pub space: Space,
    /// The seed.
    pub seed: u64,
    /// Where its games are played.
    pub rounds: RoundPlayer<'a>,
}

/// Two agents and their pairs of games.
type Meeting = (AgentSpec, AgentSpec, Looks);

impl Matches<'_> {
    /// The agent with the values of a point.
    ///
    /// # Errors
    /// If a value is not one that the agent takes.
    pub fn spec(&self, point: &Point) -> Result<AgentSpec, Failure> {
        let bad = |error: sandtable_ai::SpecError| Failure::input(error.to_string());
        let (weights, options): (Vec<_>, Vec<_>) =
            self.space.named(point).into_iter().partition(|(name, _)| name.contains('.'));
        let mut spec = self.agent.clone();
        for (name, value) in options {
            spec = spec.with(&name, &value).map_err(bad)?;
        }
        if !weights.is_empty() {
            // Weights that the agent had been given and that are not tuned stay.
            let kept =
                self.agent.given_weights().iter().map(|(name, value)| (name.clone(), value.to_string()));
            let kept = kept.filter(|(name, _)| !weights.iter().any(|(other, _)| other == name));
            let all: Vec<(String, String)> = kept.chain(weights.clone()).collect();
            let list: Vec<String> = all.iter().map(|(name, value)| format!("{name}:{value}")).collect();
            spec = spec.with("weights", &list.join("+")).map_err(bad)?;
        }
        Ok(spec)
    }

    /// How the first agent fared in the games of each pair of each meeting: first as the first team, then as the
    /// second.
    fn play(&mut self, meetings: &[Meeting]) -> Result<Vec<Vec<[Outcome; 2]>>, Failure> {
        let sides = self.scenario.sides();
        let mut arms = Vec::new();
        let mut jobs = Vec::new();
        for (index, (one, other, looks)) in meetings.iter().enumerate() {
            for (first, second) in [(one, other), (other, one)] {
                let agents = sides.iter().map(|side| if side.team == 0 { first } else { second });
                let agents = agents.cloned().collect();
                arms.push(Arm { name: looks.purpose(), scenario: 0, agents, parameter: None });
            }
            for game in looks.first..looks.first + looks.count {
                let seed = looks.seed(self.seed);
                jobs.extend([0, 1].map(|leg| Job { assignment: 2 * index + leg, seed, game }));
            }
        }
        let results =
            self.rounds.play(&RoundEntrants { scenarios: vec![self.scenario], arms: &arms }, &jobs)?;
        let outcome = |team: u8, result: &GameResult| match result.winner {
            None => Outcome::Draw,
            Some(winner) if winner == team => Outcome::Win,
            Some(_) => Outcome::Loss,
        };
        let mut pairs = results.chunks_exact(2).map(|legs| [outcome(0, &legs[0]), outcome(1, &legs[1])]);
        Ok(meetings.iter().map(|(_, _, looks)| pairs.by_ref().take(looks.count as usize).collect()).collect())
    }

    fn results(&mut self, meetings: &[Meeting]) -> Result<Vec<PairResults>, Failure> {
        let count = |pairs: Vec<[Outcome; 2]>| {
            let mut results = PairResults::default();
            for [one, other] in pairs {
                results.add(one, other);
            }
            results
        };
        Ok(self.play(meetings)?.into_iter().map(count).collect())
    }

    /// Plays new values against the old ones until the test is decided or the games are used up. `told` hears the
    /// pairs.
    ///
    /// # Errors
    /// As [`Objective::measure`].
    pub fn prove(
        &mut self,
        point: &Point,
        sprt: &Sprt,
        games: u64,
        mut told: impl FnMut(&PairResults),
    ) -> Result<(PairResults, Verdict), Failure> {
        // The size of a batch changes no value: pairs are weighed one by one.
        const BATCH: u64 = 64;
        let (new, old) = (self.spec(point)?, self.spec(&self.space.start)?);
        let mut results = PairResults::default();
        let most = games / 2;
        while results.n() < most {
            let count = BATCH.min(most - results.n());
            let looks = Looks { stream: PROOF, first: results.n(), count };
            for [one, other] in self.play(&[(new.clone(), old.clone(), looks)])?.swap_remove(0) {
                results.add(one, other);
                let verdict = sprt.verdict(&results);
                if verdict.accepted.is_some() {
                    return Ok((results, verdict));
                }
            }
            told(&results);
        }
        Ok((results, sprt.verdict(&results)))
    }
}

impl Objective for Matches<'_> {
    fn cost(&self) -> u64 {
        2
    }

    /// The score against the old values.
    fn measure(&mut self, questions: &[(Point, Looks)]) -> Result<Vec<Measure>, Failure> {
        let old = self.spec(&self.space.start)?;
        let meetings = questions
            .iter()
            .map(|(point, looks)| Ok((self.spec(point)?, old.clone(), *looks)))
            .collect::<Result<Vec<Meeting>, Failure>>()?;
        let measure = |results: PairResults| {
            let score = results.score();
            let standard_error = results.standard_error();
            Measure { response: score.value, score, standard_error, games: results.games() }
        };
        Ok(self.results(&meetings)?.into_iter().map(measure).collect())
    }

    fn compare(&mut self, questions: &[(Trial, Looks)]) -> Result<Vec<f64>, Failure> {
        let meetings = questions
            .iter()
            .map(|(trial, looks)| Ok((self.spec(&trial.plus)?, self.spec(&trial.minus)?, *looks)))
            .collect::<Result<Vec<Meeting>, Failure>>()?;
        Ok(self.results(&meetings)?.iter().map(|results| 2.0 * results.score().value - 1.0).collect())
    }
}
