//! How a game feels: when it is decided, how often the lead changes, how often a loser comes back.
//!
//! A game is a series of *leads*, one a turn: how far the first side is ahead of the second, in points, or in
//! probability of winning less ½. Positive means the first side leads. A lead within `level` of 0 counts as level, so
//! that noise is no drama. Turns are counted from 0 in the series.
//!
//! Definitions:
//! - a **lead change** is a turn at which the other side leads than at the last turn that was not level;
//! - the **decisive turn** is the first turn from which on the eventual winner leads to the end: the turn after the
//!   last at which the loser led or the game was level. If the winner does not lead even at the last turn, it is the
//!   number of turns: the game was open to the end. A drawn game has none;
//! - a **comeback** is a win by a side that at some turn trailed by at least a stated `deficit`;
//! - the **drama** is the largest deficit that the winner overcame;
//! - the **hold** of a turn is how often whoever leads at that turn goes on to win.
//!
//! Literature: Browne (2008), *Automatic Generation and Evaluation of Recombination Games* (drama, lead change,
//! uncertainty); Althöfer (2003), *Computer-aided game inventing*.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::interval::{Estimate, Moments, quantile, wilson};

/// Who won.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Winner {
    /// The first side.
    First,
    /// The second side.
    Second,
    /// Nobody.
    Nobody,
}

/// The shape of one game.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Shape {
    /// How many turns it had.
    pub turns: u32,
    /// How often the lead changed.
    pub lead_changes: u32,
    /// The turn from which on the winner led to the end; `None` in a drawn game.
    pub decisive_turn: Option<u32>,
    /// The largest deficit that the winner overcame; 0 if it never trailed, or in a drawn game.
    pub drama: f64,
}

/// The sign of a lead, with everything within `level` of 0 taken for 0.
fn sign(lead: f64, level: f64) -> i8 {
    if lead > level {
        1
    } else if lead < -level {
        -1
    } else {
        0
    }
}

/// The shape of a game from its leads turn by turn.
pub fn shape(leads: &[f64], winner: Winner, level: f64) -> Shape {
    let mut leader = 0;
    let mut lead_changes = 0;
    for &lead in leads {
        let now = sign(lead, level);
        if now != 0 {
            lead_changes += u32::from(leader == -now);
            leader = now;
        }
    }
    let towards = match winner {
        Winner::First => 1.0,
        Winner::Second => -1.0,
        Winner::Nobody => 0.0,
    };
    let decisive_turn = (winner != Winner::Nobody).then(|| {
        let open = leads.iter().rposition(|&lead| sign(lead * towards, level) <= 0);
        open.map_or(0, |turn| turn as u32 + 1)
    });
    let drama = leads.iter().map(|lead| -lead * towards).fold(0.0, f64::max);
    Shape { turns: leads.len() as u32, lead_changes, decisive_turn, drama }
}

/// The shapes of many games; adds and merges.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Shapes {
    level: f64,
    deficit: f64,
    games: u64,
    decided: u64,
    comebacks: u64,
    lead_changes: BTreeMap<u32, u64>,
    change_moments: Moments,
    decisive_turn: BTreeMap<u32, u64>,
    decisive_turn_share: Moments,
    drama: Moments,
    /// By turn: how often a leader won, and how many decided games had a leader.
    holds: Vec<(u64, u64)>,
}

/// The figures of many games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Summary {
    /// How many games.
    pub games: u64,
    /// How many had a winner.
    pub decided: u64,
    /// The mean number of lead changes.
    pub lead_changes: Estimate,
    /// The share of games in which the lead never changed.
    pub no_lead_change: Estimate,
    /// The quartiles of the decisive turn of decided games, in turns.
    pub decisive_turn: Option<[u32; 3]>,
    /// The mean decisive turn as a share of the game's length.
    pub decisive_turn_share: Estimate,
    /// The share of decided games won by a side that had trailed by the deficit.
    pub comebacks: Estimate,
    /// The mean of the largest deficit that the winner overcame.
    pub drama: Estimate,
    /// By turn, how often whoever leads goes on to win.
    pub holds: Vec<Estimate>,
}

impl Shapes {
    /// Shapes with this much of a lead for level, and this much of a deficit for a comeback.
    pub fn new(level: f64, deficit: f64) -> Self {
        Shapes {
            level,
            deficit,
            games: 0,
            decided: 0,
            comebacks: 0,
            lead_changes: BTreeMap::new(),
            change_moments: Moments::default(),
            decisive_turn: BTreeMap::new(),
            decisive_turn_share: Moments::default(),
            drama: Moments::default(),
            holds: Vec::new(),
        }
    }

    /// Adds a game from its leads turn by turn.
    pub fn add(&mut self, leads: &[f64], winner: Winner) {
        let shape = shape(leads, winner, self.level);
        self.games += 1;
        *self.lead_changes.entry(shape.lead_changes).or_default() += 1;
        self.change_moments.add(f64::from(shape.lead_changes));
        let Some(decisive_turn) = shape.decisive_turn else { return };
        self.decided += 1;
        *self.decisive_turn.entry(decisive_turn).or_default() += 1;
        if shape.turns > 0 {
            self.decisive_turn_share.add(f64::from(decisive_turn) / f64::from(shape.turns));
        }
        self.drama.add(shape.drama);
        self.comebacks += u64::from(shape.drama > 0.0 && shape.drama >= self.deficit);
        if self.holds.len() < leads.len() {
            self.holds.resize(leads.len(), (0, 0));
        }
        let won = if winner == Winner::First { 1 } else { -1 };
        for (&lead, (held, led)) in leads.iter().zip(&mut self.holds) {
            let leader = sign(lead, self.level);
            *held += u64::from(leader == won);
            *led += u64::from(leader != 0);
        }
    }

    /// Adds games that were counted with the same settings.
    pub fn merge(&mut self, other: &Shapes) {
        self.games += other.games;
        self.decided += other.decided;
        self.comebacks += other.comebacks;
        for (mine, theirs) in
            [(&mut self.lead_changes, &other.lead_changes), (&mut self.decisive_turn, &other.decisive_turn)]
        {
            for (&value, &count) in theirs {
                *mine.entry(value).or_default() += count;
            }
        }
        self.change_moments.merge(&other.change_moments);
        self.decisive_turn_share.merge(&other.decisive_turn_share);
        self.drama.merge(&other.drama);
        if self.holds.len() < other.holds.len() {
            self.holds.resize(other.holds.len(), (0, 0));
        }
        for (mine, theirs) in self.holds.iter_mut().zip(&other.holds) {
            mine.0 += theirs.0;
            mine.1 += theirs.1;
        }
    }

    /// How many games had each number of lead changes.
    pub fn lead_changes(&self) -> &BTreeMap<u32, u64> {
        &self.lead_changes
    }

    /// How many decided games had their decisive turn at each turn.
    pub fn decisive_turn(&self) -> &BTreeMap<u32, u64> {
        &self.decisive_turn
    }

    /// The figures.
    pub fn summary(&self) -> Summary {
        let quartiles = [0.25, 0.5, 0.75].map(|q| quantile(&self.decisive_turn, q));
        Summary {
            games: self.games,
            decided: self.decided,
            lead_changes: self.change_moments.mean_from(0.0, f64::INFINITY),
            no_lead_change: wilson(self.lead_changes.get(&0).copied().unwrap_or(0), self.games),
            decisive_turn: match quartiles {
                [Some(low), Some(middle), Some(high)] => Some([low, middle, high]),
                _ => None,
            },
            decisive_turn_share: self.decisive_turn_share.mean_on(0.0, 1.0),
            comebacks: wilson(self.comebacks, self.decided),
            drama: self.drama.mean_from(0.0, f64::INFINITY),
            holds: self.holds.iter().map(|&(held, led)| wilson(held, led)).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{close, generator, normal};

    #[test]
    fn a_game_has_its_shape() {
        let leads = [0.0, 2.0, 0.5, -1.0, -3.0, 0.2, 1.5, 4.0];
        let game = shape(&leads, Winner::First, 0.3);
        assert_eq!(game, Shape { turns: 8, lead_changes: 2, decisive_turn: Some(6), drama: 3.0 });
        // At level 0 the turn with 0.2 is a lead already.
        assert_eq!(shape(&leads, Winner::First, 0.0).decisive_turn, Some(5));
        // The other side won at the end, against the score.
        let upset = shape(&leads, Winner::Second, 0.3);
        assert_eq!((upset.decisive_turn, upset.drama), (Some(8), 4.0));
        assert_eq!(shape(&leads, Winner::Nobody, 0.3).decisive_turn, None);
        // A walk-over; a game that is level throughout; no turns at all.
        assert_eq!(shape(&[1.0, 2.0], Winner::First, 0.0).decisive_turn, Some(0));
        assert_eq!(shape(&[0.0, 0.0], Winner::Second, 0.0).decisive_turn, Some(2));
        let empty = shape(&[], Winner::First, 0.0);
        assert_eq!((empty.decisive_turn, empty.lead_changes, empty.drama), (Some(0), 0, 0.0));
        // Level turns between two leads of one side are no change.
        assert_eq!(shape(&[1.0, 0.0, 1.0, 0.0, -1.0], Winner::Second, 0.0).lead_changes, 1);
    }

    #[test]
    fn games_are_summed_up() {
        let mut shapes = Shapes::new(0.0, 2.0);
        shapes.add(&[1.0, -1.0, 3.0], Winner::First);
        shapes.add(&[-2.0, 1.0], Winner::First);
        shapes.add(&[1.0, 1.0, 0.0], Winner::Nobody);
        let mut other = Shapes::new(0.0, 2.0);
        other.add(&[1.0, -1.0, -1.0, -5.0], Winner::Second);
        shapes.merge(&other);
        let summary = shapes.summary();
        assert_eq!((summary.games, summary.decided), (4, 3));
        close(summary.lead_changes.value, 1.0, 1e-12);
        close(summary.no_lead_change.value, 0.25, 1e-12);
        close(summary.comebacks.value, 1.0 / 3.0, 1e-12);
        assert_eq!(summary.decisive_turn, Some([1, 1, 2]));
        close(summary.decisive_turn_share.value, (2.0 / 3.0 + 0.5 + 0.25) / 3.0, 1e-12);
        close(summary.drama.value, 4.0 / 3.0, 1e-12);
        // Leaders of the first turn: won, lost, lost (the drawn game does not count).
        let holds: Vec<f64> = summary.holds.iter().map(|hold| hold.value).collect();
        assert_eq!(holds[1..], [2.0 / 3.0, 1.0, 1.0]);
        close(holds[0], 1.0 / 3.0, 1e-12);
        assert_eq!((shapes.lead_changes()[&1], shapes.decisive_turn()[&1]), (2, 2));
        let none = Shapes::new(0.0, 1.0).summary();
        assert!(none.decisive_turn.is_none() && none.comebacks.value.is_nan() && none.holds.is_empty());
    }

    #[test]
    fn holds_of_a_random_walk_follow_the_arcsine_distribution() {
        // A walk decided by its sign at turn 40: after half of it the leader wins with probability 3/4 (the two
        // halves are independent: 1/2 + asin(sqrt(1/2)) / π), and lead changes are as frequent as the walk crosses
        // zero.
        let mut shapes = Shapes::new(0.0, 0.0);
        let mut rng = generator(3);
        for _ in 0..20_000 {
            let mut place = 0.0;
            let leads: Vec<f64> = (0..40)
                .map(|_| {
                    place += normal(&mut rng);
                    place
                })
                .collect();
            shapes.add(&leads, if place > 0.0 { Winner::First } else { Winner::Second });
        }
        let summary = shapes.summary();
        close(summary.holds[19].value, 0.75, 0.01);
        close(summary.holds[39].value, 1.0, 0.0);
        // The sign changes at turn k with probability acos(sqrt(k / (k + 1))) / π.
        let changes: f64 = (1..40).map(|k| (f64::from(k) / f64::from(k + 1)).sqrt().acos()).sum();
        close(summary.lead_changes.value, changes / std::f64::consts::PI, 0.05);
    }
}
