//! The results of some games, counted.

use std::collections::BTreeMap;

use sandtable_core::{Outcome, SideInfo};
use sandtable_stats::interval::Moments;
use serde::{Deserialize, Serialize};

/// Counts and moments that can be added up, so that parts, shards and resumed runs need not be read again.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Tally {
    /// How many games.
    pub games: u64,
    /// Games won, by team.
    pub wins: Vec<u64>,
    /// Games that nobody won.
    pub draws: u64,
    /// Points, by side.
    pub points: Vec<Moments>,
    /// Utility, by side.
    pub utility: Vec<Moments>,
    /// How many games ended in each game turn.
    pub turns: BTreeMap<u32, u64>,
    /// How many games ended for each end reason.
    pub end_reasons: BTreeMap<String, u64>,
    /// Decisions in all.
    pub decisions: u64,
}

impl Tally {
    /// No games yet.
    pub fn new(sides: &[SideInfo]) -> Self {
        let teams = sides.iter().map(|side| usize::from(side.team) + 1).max().unwrap_or(0);
        Tally {
            games: 0,
            wins: vec![0; teams],
            draws: 0,
            points: vec![Moments::default(); sides.len()],
            utility: vec![Moments::default(); sides.len()],
            turns: BTreeMap::new(),
            end_reasons: BTreeMap::new(),
            decisions: 0,
        }
    }

    /// Counts a game.
    pub fn add(&mut self, outcome: &Outcome, turn: u32, decisions: u32) {
        self.games += 1;
        match outcome.winner {
            Some(team) => self.wins[usize::from(team)] += 1,
            None => self.draws += 1,
        }
        for (moments, value) in self.points.iter_mut().zip(outcome.points.0) {
            moments.add(f64::from(value));
        }
        for (moments, value) in self.utility.iter_mut().zip(outcome.utility.0) {
            moments.add(f64::from(value));
        }
        *self.turns.entry(turn).or_default() += 1;
        match self.end_reasons.get_mut(outcome.end_reason) {
            Some(count) => *count += 1,
            None => _ = self.end_reasons.insert(outcome.end_reason.to_owned(), 1),
        }
        self.decisions += u64::from(decisions);
    }

    /// Adds other games.
    pub fn merge(&mut self, other: &Tally) {
        self.games += other.games;
        self.draws += other.draws;
        self.decisions += other.decisions;
        self.wins.iter_mut().zip(&other.wins).for_each(|(mine, other)| *mine += other);
        self.points.iter_mut().zip(&other.points).for_each(|(mine, other)| mine.merge(other));
        self.utility.iter_mut().zip(&other.utility).for_each(|(mine, other)| mine.merge(other));
        for (&turn, count) in &other.turns {
            *self.turns.entry(turn).or_default() += count;
        }
        for (end_reason, count) in &other.end_reasons {
            *self.end_reasons.entry(end_reason.clone()).or_default() += count;
        }
    }
}
