//! How long a search may think.

use std::time::{Duration, Instant};

/// What a budget is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Per {
    /// Every decision has the whole budget.
    Decision,
    /// All decisions of one agent in one game turn share it: each takes a part of what is left (of iterations rounded
    /// up, of time down), so that the early decisions, which shape the turn, get most and the budget is never
    /// overdrawn. Where actions are searched the part is a quarter; where plans are, it is one of as many as the side
    /// chooses in a turn: all, if it chooses once.
    Turn,
}

/// A limit on the simulations, the time, or both (whichever ends first).
#[derive(Clone, Debug)]
pub struct Budget {
    iterations: Option<u32>,
    time: Option<Duration>,
    per: Per,
    turn: u32,
    left: Allotment,
}

/// The part of a budget that one decision may use.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Allotment {
    /// Simulations; `u32::MAX` if only time limits them.
    pub iterations: u32,
    /// Time, if it is limited.
    pub time: Option<Duration>,
}

/// Where actions are searched, each decision takes one of so many parts of what is left of a turn's budget.
pub(crate) const ACTION_PARTS: u32 = 4;
/// The largest batch of simulations between two looks at the clock.
const MAX_BATCH: u32 = 256;
/// A batch that took less than this is followed by one twice as large.
const SHORT_BATCH: Duration = Duration::from_micros(250);

impl Budget {
    /// A budget; with neither limit, it is one simulation.
    pub fn new(iterations: Option<u32>, time: Option<Duration>, per: Per) -> Self {
        let nothing = Allotment { iterations: 0, time: None };
        let budget = Budget { iterations, time, per, turn: 0, left: nothing };
        Budget { left: budget.whole(), ..budget }
    }

    fn whole(&self) -> Allotment {
        let unlimited = if self.time.is_some() { u32::MAX } else { 1 };
        Allotment { iterations: self.iterations.unwrap_or(unlimited), time: self.time }
    }

    /// What a decision in this game turn may use: everything, or of a turn's budget one of `parts` equal parts of
    /// what is left.
    pub fn allot(&mut self, turn: u32, parts: u32) -> Allotment {
        if self.per == Per::Decision {
            return self.whole();
        }
        if self.turn != turn {
            self.turn = turn;
            self.left = self.whole();
        }
        let Allotment { iterations, time } = self.left;
        Allotment {
            iterations: if iterations == u32::MAX { u32::MAX } else { iterations.div_ceil(parts) },
            time: time.map(|time| time / parts),
        }
    }

    /// Books what a decision has used.
    pub fn spend(&mut self, used: Spent) {
        self.left = self.left.after(used);
    }
}

/// What a decision has used. The time is only taken where time is limited.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Spent {
    /// Simulations.
    pub iterations: u32,
    /// Time.
    pub time: Duration,
}

impl Spent {
    /// Adds up.
    pub fn add(&mut self, other: Spent) {
        self.iterations += other.iterations;
        self.time += other.time;
    }
}

impl Allotment {
    /// What is left when this much has been used.
    #[must_use]
    pub fn after(self, used: Spent) -> Self {
        Allotment {
            iterations: match self.iterations {
                u32::MAX => u32::MAX,
                iterations => iterations.saturating_sub(used.iterations),
            },
            time: self.time.map(|time| time.saturating_sub(used.time)),
        }
    }

    /// One of `parts` equal parts, rounded down but at least one simulation.
    #[must_use]
    pub fn part(self, parts: u32) -> Self {
        Allotment {
            iterations: if self.iterations == u32::MAX { u32::MAX } else { (self.iterations / parts).max(1) },
            time: self.time.map(|time| time / parts),
        }
    }

    /// Calls `simulate` as often as allowed. The clock is only read where time is limited.
    pub fn run(self, mut simulate: impl FnMut()) -> Spent {
        let clock = self.time.map(|limit| (limit, Instant::now()));
        let (mut done, mut time) = (0, Duration::ZERO);
        let mut batch = if clock.is_some() { 1 } else { u32::MAX };
        while done < self.iterations && clock.is_none_or(|(limit, _)| time < limit) {
            let size = batch.min(self.iterations - done);
            // The one place where a simulation is called, so that it need not be a call.
            (0..size).for_each(|_| simulate());
            done += size;
            if let Some((_, start)) = clock {
                let now = start.elapsed();
                if now.saturating_sub(time) < SHORT_BATCH {
                    batch = (batch * 2).min(MAX_BATCH);
                }
                time = now;
            }
        }
        Spent { iterations: done, time }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_decision_has_the_whole_budget_every_time() {
        let mut budget = Budget::new(Some(100), None, Per::Decision);
        for _ in 0..3 {
            let mut calls = 0;
            let spent = budget.allot(1, ACTION_PARTS).run(|| calls += 1);
            assert_eq!((calls, spent.iterations), (100, 100));
            budget.spend(spent);
        }
    }

    #[test]
    fn a_turn_shares_its_budget_and_never_overdraws_it() {
        let mut budget = Budget::new(Some(100), None, Per::Turn);
        let spent: Vec<u32> = (0..40)
            .map(|_| {
                let spent = budget.allot(1, ACTION_PARTS).run(|| ());
                budget.spend(spent);
                spent.iterations
            })
            .collect();
        assert_eq!(spent[..4], [25, 19, 14, 11]);
        assert_eq!(spent.iter().sum::<u32>(), 100);
        assert_eq!(spent[39], 0);
        assert_eq!(budget.allot(2, ACTION_PARTS).iterations, 25);
        assert_eq!(budget.allot(2, 1).iterations, 100);
    }

    #[test]
    fn time_ends_a_search_and_so_do_iterations_beside_it() {
        let budget = |iterations, ms| Budget::new(iterations, Some(Duration::from_millis(ms)), Per::Decision);
        assert_eq!(budget(Some(10), 600_000).allot(1, 1).run(|| ()).iterations, 10);
        let spent = budget(None, 5).allot(1, 1).run(|| ());
        assert!(spent.iterations > 0 && spent.time >= Duration::from_millis(5), "{spent:?}");
        assert_eq!(budget(None, 0).allot(1, 1).run(|| ()).iterations, 0);
    }
}
