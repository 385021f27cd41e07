//! Where the games of tuning are played: in the folder of a study, which finds them there when it is taken up again,
//! or nowhere for an optimiser outside.

use std::cell::RefCell;

use crate::failure::Failure;
use crate::lab::arena::{Arena, Job};
use crate::lab::progress::{Progress, ProgressReport};
use crate::lab::study::{ResultSink, RoundEntrants, Study};
use crate::system::GameResult;

/// Plays games, and keeps them if it has a folder.
pub struct RoundPlayer<'a> {
    /// The threads.
    arena: &'a Arena<'a>,
    /// What is shown meanwhile.
    display: &'a RefCell<Display>,
    /// The folder; none to keep nothing.
    study: Option<Study>,
    /// What somebody reads who has stopped the program.
    go_on: String,
}

/// What is shown while games are played.
#[derive(Debug)]
pub struct Display {
    /// The bar.
    pub progress: Progress,
    /// How many games there will be at most.
    pub total: u64,
    /// The current estimate, in words.
    pub estimate: String,
}

/// The results of a round.
struct Round {
    results: Vec<GameResult>,
    progress_report: ProgressReport,
}

impl ResultSink for Round {
    fn take(&mut self, _: &Job, result: &GameResult) -> Result<(), Failure> {
        self.results.push(result.clone());
        self.progress_report.done += 1;
        Ok(())
    }

    fn progress_report(&self) -> ProgressReport {
        self.progress_report.clone()
    }
}

impl<'a> RoundPlayer<'a> {
    /// Plays in this folder.
    pub fn new(arena: &'a Arena<'a>, display: &'a RefCell<Display>, study: Study, go_on: String) -> Self {
        RoundPlayer { arena, display, study: Some(study), go_on }
    }

    /// Plays and keeps nothing.
    pub fn without_folder(arena: &'a Arena<'a>, display: &'a RefCell<Display>) -> Self {
        RoundPlayer { arena, display, study: None, go_on: String::new() }
    }

    /// Plays the games, or finds them in the folder; their results in the order of the list.
    ///
    /// # Errors
    /// As [`Arena::serve`], or [`Failure::Interrupted`].
    pub fn play(&mut self, entrants: &RoundEntrants<'_>, jobs: &[Job]) -> Result<Vec<GameResult>, Failure> {
        let Some(study) = &mut self.study else {
            let results = self.arena.play(&entrants.assignments(), jobs)?;
            return if results.len() == jobs.len() {
                Ok(results)
            } else {
                Err(Failure::Interrupted("stopped".to_owned()))
            };
        };
        let display = &mut *self.display.borrow_mut();
        let progress_report =
            ProgressReport { done: study.games(), total: display.total, estimate: display.estimate.clone() };
        let mut round = Round { results: Vec::with_capacity(jobs.len()), progress_report };
        if study.round(self.arena, entrants, jobs, &mut round, &mut display.progress)? {
            return Ok(round.results);
        }
        Err(Failure::Interrupted(format!(
            "stopped after {} of at most {} games; {}",
            study.games(),
            display.total,
            self.go_on
        )))
    }

    /// The folder, with all its games in parts.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn close(self) -> Result<Option<Study>, Failure> {
        let mut study = self.study;
        if let Some(study) = &mut study {
            study.close()?;
        }
        Ok(study)
    }
}
