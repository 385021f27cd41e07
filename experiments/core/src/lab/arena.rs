//! Numbered games on many threads: who plays, which game, and how it ended. Nothing else is kept.
//!
//! A game is fixed by its scenario, its agents by side, a seed and a number; so results do not depend on the number of
//! threads or on the order in which games are played. [`Arena::play`] plays a list of games. [`Arena::serve`] asks a
//! [`JobSource`] for work as long as there is any, which may depend on the results so far:
//!
//! ```text
//! JobSource::next ──▶ ticket and jobs ──▶ a thread plays them ──▶ JobSource::done (one thread at a time)
//!      ▲                                                          │
//!      └──────────────────────────────────────────────────────────┘
//! ```

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rayon::{ThreadPool, ThreadPoolBuilder};
use sandtable_ai::AgentSpec;

use crate::failure::{Failure, panic_message};
use crate::system::{AnyScenario, Contest, GameResult};

/// Who plays what.
#[derive(Clone)]
pub struct AgentAssignment<'a> {
    /// The scenario.
    pub scenario: &'a dyn AnyScenario,
    /// The agent of each side.
    pub agents: Vec<AgentSpec>,
}

/// One game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Job {
    /// Who plays: the index of an agent assignment.
    pub assignment: usize,
    /// The seed.
    pub seed: u64,
    /// The number of the game under this seed.
    pub game: u64,
}

/// What a thread is to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next<T> {
    /// Play these games and hand their results in with the ticket.
    Play(T, Vec<Job>),
    /// Ask again when somebody has handed something in.
    Wait,
    /// Nothing is left to be handed out.
    Over,
}

/// Hands out games and takes their results. Only one thread at a time is at the source.
pub trait JobSource: Send {
    /// What tells the source which games came back.
    type Ticket: Send;

    /// The next games. [`Next::Wait`] is for sources that have handed out games and need their results first.
    fn next(&mut self) -> Next<Self::Ticket>;

    /// Takes the results, in the order of the jobs.
    ///
    /// # Errors
    /// Ends the work: no more games are begun.
    fn done(&mut self, ticket: Self::Ticket, results: Vec<GameResult>) -> Result<(), Failure>;
}

/// Some threads that play.
#[derive(Debug)]
pub struct Arena<'a> {
    pool: ThreadPool,
    stop: &'a AtomicBool,
    with_course: bool,
}

/// Games that a thread takes from a list at a time, at most.
const CHUNK: usize = 16;

impl<'a> Arena<'a> {
    /// An arena of so many threads. Once `stop` is set, games that have been begun are finished and no more are begun.
    ///
    /// # Errors
    /// If the machine has no more threads.
    pub fn new(threads: usize, stop: &'a AtomicBool) -> Result<Self, Failure> {
        let pool = ThreadPoolBuilder::new().num_threads(threads.max(1)).build();
        Ok(Arena { pool: pool.map_err(anyhow::Error::from)?, stop, with_course: false })
    }

    /// The same arena, which also keeps the course of every game as far as the system can tell.
    #[must_use]
    pub fn with_course(self) -> Self {
        Arena { with_course: true, ..self }
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Does something else on these threads.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        self.pool.install(work)
    }

    /// Plays the games and returns their results in the order of the list. If the arena was stopped, the list of
    /// results is shorter: those of the games at the end are missing.
    ///
    /// # Errors
    /// If an agent cannot be built, or a game breaks the contract of its rules.
    pub fn play(
        &self,
        assignments: &[AgentAssignment<'_>],
        jobs: &[Job],
    ) -> Result<Vec<GameResult>, Failure> {
        // Short lists are cut finer, so that all threads have work.
        let chunk = (jobs.len() / (4 * self.pool.current_num_threads())).clamp(1, CHUNK);
        let mut list = List { jobs, chunk, next: 0, results: vec![None; jobs.len()] };
        self.serve(assignments, &mut list)?;
        Ok(list.results.into_iter().map_while(|result| result).collect())
    }

    /// Plays what the source hands out until nothing is left or the arena is stopped. All games that were handed out
    /// are handed in before it returns, unless it fails.
    ///
    /// # Errors
    /// As [`Arena::play`] and [`JobSource::done`]; the first one that came up.
    pub fn serve<D: JobSource>(
        &self,
        assignments: &[AgentAssignment<'_>],
        source: &mut D,
    ) -> Result<(), Failure> {
        let hall = Hall {
            assignments,
            stop: self.stop,
            with_course: self.with_course,
            counter: Mutex::new(Counter { source, failure: None }),
            moved: Condvar::new(),
        };
        self.pool.broadcast(|_| hall.work());
        let counter = hall.counter.into_inner().unwrap_or_else(PoisonError::into_inner);
        counter.failure.map_or(Ok(()), Err)
    }
}

/// A list of games, chunk by chunk.
struct List<'a> {
    jobs: &'a [Job],
    chunk: usize,
    next: usize,
    results: Vec<Option<GameResult>>,
}

impl JobSource for List<'_> {
    type Ticket = usize;

    fn next(&mut self) -> Next<usize> {
        let start = self.next;
        if start == self.jobs.len() {
            return Next::Over;
        }
        self.next = (start + self.chunk).min(self.jobs.len());
        Next::Play(start, self.jobs[start..self.next].to_vec())
    }

    fn done(&mut self, start: usize, results: Vec<GameResult>) -> Result<(), Failure> {
        for (place, result) in self.results[start..].iter_mut().zip(results) {
            *place = Some(result);
        }
        Ok(())
    }
}

/// Where the threads meet.
struct Hall<'a, D> {
    assignments: &'a [AgentAssignment<'a>],
    stop: &'a AtomicBool,
    with_course: bool,
    counter: Mutex<Counter<'a, D>>,
    /// Something was handed in, or failed.
    moved: Condvar,
}

struct Counter<'a, D> {
    source: &'a mut D,
    failure: Option<Failure>,
}

impl<'a, D: JobSource> Hall<'a, D> {
    fn counter(&self) -> MutexGuard<'_, Counter<'a, D>> {
        self.counter.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a thread does.
    fn work(&self) {
        while let Some((ticket, jobs)) = self.take() {
            let played = self.play(&jobs);
            let mut counter = self.counter();
            let done = played.and_then(|results| counter.source.done(ticket, results));
            if let Err(failure) = done {
                counter.failure.get_or_insert(failure);
            }
            drop(counter);
            self.moved.notify_all();
        }
    }

    fn take(&self) -> Option<(D::Ticket, Vec<Job>)> {
        let mut counter = self.counter();
        loop {
            if counter.failure.is_some() || self.stop.load(Ordering::Relaxed) {
                return None;
            }
            match counter.source.next() {
                Next::Play(ticket, jobs) => return Some((ticket, jobs)),
                Next::Over => return None,
                Next::Wait => {
                    let waited = self.moved.wait_timeout(counter, Duration::from_millis(100));
                    counter = waited.unwrap_or_else(PoisonError::into_inner).0;
                }
            }
        }
    }

    /// Agents are made anew for every ticket: those of a search hold on to the memory of their largest tree.
    fn play(&self, jobs: &[Job]) -> Result<Vec<GameResult>, Failure> {
        let mut opened: Vec<(usize, Box<dyn Contest + '_>)> = Vec::new();
        let mut results = Vec::with_capacity(jobs.len());
        for &Job { assignment, seed, game } in jobs {
            let AgentAssignment { scenario, agents } = &self.assignments[assignment];
            let place = if let Some(place) = opened.iter().position(|opened| opened.0 == assignment) {
                place
            } else {
                let contest = if self.with_course {
                    scenario.contest_with_course(agents)?
                } else {
                    scenario.contest(agents)?
                };
                opened.push((assignment, contest));
                opened.len() - 1
            };
            let contest = &mut opened[place].1;
            // A panic is a fault of the rules or of an agent. The agents are not used again after it.
            let result = catch_unwind(AssertUnwindSafe(|| contest.play(seed, game))).map_err(|panic| {
                let agents: Vec<String> = agents.iter().map(ToString::to_string).collect();
                Failure::Internal(anyhow::anyhow!(
                    "game {game} of seed {seed} in {} between {} failed: {}; please report it",
                    scenario.id(),
                    agents.join(" and "),
                    panic_message(panic.as_ref())
                ))
            })?;
            results.push(result);
        }
        Ok(results)
    }
}
