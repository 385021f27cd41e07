//! The games of an arm, counted.

use std::collections::BTreeMap;

use sandtable_core::MAX_SIDES;
use sandtable_stats::interval::{Estimate, Moments, wilson};
use sandtable_stats::pairs::{GameResults, Outcome};
use sandtable_stats::power::{Paired, PairedCounts};
use sandtable_stats::shape::{Shapes, Winner};

use super::outcome;
use crate::system::GameResult;

/// A position worth this much more or less than one half counts as level.
pub(in crate::lab) const LEVEL: f64 = 0.02;
/// A winner to whom the position was once worth this much less than one half has come back.
pub(super) const DEFICIT: f64 = 0.1;

/// What is compared of two games with the same dice.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Measures {
    pub winner: Option<u8>,
    pub points: [f32; MAX_SIDES],
}

impl Measures {
    pub fn of(result: &GameResult) -> Self {
        Measures { winner: result.winner, points: result.points }
    }
}

/// The games of one strength.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    pub games: u64,
    /// By team.
    pub wins: Vec<u64>,
    pub draws: u64,
    /// The games of the first team by outcome.
    pub outcomes: GameResults,
    /// By side.
    pub points: Vec<Moments>,
    /// By side.
    pub utility: Vec<Moments>,
    pub decisions: Moments,
    /// Games by the turn in which they ended.
    pub turns: BTreeMap<u32, u64>,
    /// Games by that turn and the end reason.
    pub ends: BTreeMap<(u32, String), u64>,
    pub shapes: Shapes,
    /// The worth to the first team after each turn, from `first_turn` on, of the games that lasted so long.
    pub worth: Vec<Moments>,
    pub first_turn: u32,
}

impl Tally {
    pub fn new(sides: usize, teams: usize) -> Self {
        Tally {
            games: 0,
            wins: vec![0; teams],
            draws: 0,
            outcomes: GameResults::default(),
            points: vec![Moments::default(); sides],
            utility: vec![Moments::default(); sides],
            decisions: Moments::default(),
            turns: BTreeMap::new(),
            ends: BTreeMap::new(),
            shapes: Shapes::new(LEVEL, DEFICIT),
            worth: Vec::new(),
            first_turn: 1,
        }
    }

    pub fn add(&mut self, result: &GameResult) {
        self.games += 1;
        let outcome = outcome(result);
        let winner = match outcome {
            Outcome::Draw => Winner::Nobody,
            Outcome::Win => Winner::First,
            Outcome::Loss => Winner::Second,
        };
        match result.winner {
            Some(team) => self.wins[usize::from(team)] += 1,
            None => self.draws += 1,
        }
        self.outcomes.add(outcome);
        for (moments, &value) in self.points.iter_mut().zip(&result.points) {
            moments.add(f64::from(value));
        }
        for (moments, &value) in self.utility.iter_mut().zip(&result.utility) {
            moments.add(f64::from(value));
        }
        self.decisions.add(f64::from(result.decisions));
        *self.turns.entry(result.turns).or_default() += 1;
        *self.ends.entry((result.turns, result.end_reason.clone().into_owned())).or_default() += 1;
        if result.course.is_empty() {
            return;
        }
        self.first_turn = (result.turns + 1).saturating_sub(result.course.len() as u32);
        let worths = result.course.iter().map(|&worth| f64::from(worth) / 10_000.0);
        let leads: Vec<f64> = worths.clone().map(|worth| worth - 0.5).collect();
        self.shapes.add(&leads, winner);
        if self.worth.len() < leads.len() {
            self.worth.resize(leads.len(), Moments::default());
        }
        for (moments, worth) in self.worth.iter_mut().zip(worths) {
            moments.add(worth);
        }
    }

    /// How often a team won.
    pub fn share(&self, team: usize) -> Estimate {
        wilson(self.wins[team], self.games)
    }
}

/// The games in which a side is denied something, beside those in which it is not.
#[derive(Clone, Debug)]
pub(super) struct RestrictedTally {
    pub strength: usize,
    pub side: usize,
    pub restriction: String,
    /// Who plays the side.
    pub agent: String,
    /// Wins of the side's team: free, then restricted.
    pub wins: PairedCounts,
    /// Score of the side's team.
    pub score: Paired,
    /// Points of the side.
    pub points: Paired,
}

impl RestrictedTally {
    pub fn new(strength: usize, side: usize, restriction: String, agent: String) -> Self {
        RestrictedTally {
            strength,
            side,
            restriction,
            agent,
            wins: PairedCounts::default(),
            score: Paired::default(),
            points: Paired::default(),
        }
    }

    pub fn add(&mut self, free: &Measures, restricted: &Measures, team: u8) {
        let score = |measures: &Measures| match measures.winner {
            Some(winner) => f64::from(u8::from(winner == team)),
            None => 0.5,
        };
        self.wins.add(free.winner == Some(team), restricted.winner == Some(team));
        self.score.add(score(free), score(restricted));
        self.points.add(f64::from(free.points[self.side]), f64::from(restricted.points[self.side]));
    }
}
