//! What the commands that play studies have in common.

use std::fmt::Display;
use std::io::Write;

use serde::Serialize;

use super::play;
use crate::cli::StudyArgs;
use crate::failure::Failure;
use crate::lab::arena::Arena;
use crate::lab::progress::Progress;
use crate::lab::store::Lock;
use crate::lab::study::{Entrants, GamesTable, Manifest, Plan, Question, Study};
use crate::lab::tournament::manifest::ScenarioEntry;
use crate::run::progress::speed;
use crate::system::AnyScenario;

/// A session of a study.
pub(super) struct Session<'a, Q> {
    /// The command, which goes on with the study.
    pub command: &'static str,
    pub lock: Lock,
    pub manifest: &'a Manifest<Q>,
    pub table: GamesTable,
    pub args: &'a StudyArgs,
}

/// A study that is complete.
pub(super) struct Ended {
    pub study: Study,
    games: u64,
    seconds: f64,
}

impl<Q: Question> Session<'_, Q> {
    /// Plays to the end.
    ///
    /// # Errors
    /// [`Failure::Interrupted`] if it was stopped before, another if the folder cannot be opened or written, or a game fails.
    pub fn play<'s>(self, entrants: &mut Entrants<'s>, plan: &mut impl Plan<'s>) -> Result<Ended, Failure> {
        let args = self.args;
        let mut study = Study::open(self.lock, self.manifest, self.table)?;
        // Ctrl-C must not end the program between two games without a word.
        let stop = play::stop_on_interrupt()?;
        let arena = Arena::new(play::threads(args.lab.threads), &stop)?.with_course();
        let mut progress = Progress::new(args.lab.quiet || args.lab.json, "games", study.before());
        let complete = study.play(&arena, entrants, plan, &mut progress)?;
        let elapsed = progress.finish();
        let games = study.games();
        if !complete {
            return Err(Failure::Interrupted(format!(
                "stopped after {games} of {} games; go on with: sandtable {} --out {}",
                plan.progress_report().total,
                self.command,
                study.root().display()
            )));
        }
        let games = games.saturating_sub(study.before());
        Ok(Ended { study, games, seconds: elapsed.as_secs_f64() })
    }
}

impl Ended {
    /// Prints the report as the arguments ask for it.
    ///
    /// # Errors
    /// If the report or the output cannot be written.
    pub fn print(
        &self,
        args: &StudyArgs,
        report: &(impl Serialize + Display),
        out: &mut impl Write,
    ) -> Result<(), Failure> {
        let folder = self.study.root();
        if args.lab.json {
            let value = serde_json::json!({
                "folder": folder.display().to_string(),
                "session": { "games": self.games, "seconds": self.seconds },
                "report": report,
            });
            writeln!(out, "{}", serde_json::to_string_pretty(&value).map_err(anyhow::Error::from)?)?;
        } else if !args.lab.quiet {
            writeln!(out, "{report}")?;
            if let Some(speed) = speed(self.games, self.seconds) {
                writeln!(out, "{speed}")?;
            }
            writeln!(
                out,
                "tables and the figures as JSON in {0}; a page of it: sandtable report {0}",
                folder.display()
            )?;
        }
        Ok(())
    }
}

/// Fails unless a scenario is what it was when the study began.
pub(super) fn check_scenario(then: &ScenarioEntry, now: &dyn AnyScenario) -> Result<(), Failure> {
    let now = ScenarioEntry::of(now);
    if now == *then {
        return Ok(());
    }
    Err(Failure::input(format!(
        "scenario {}: its data have changed since the study began (hash {} then, {} now): results of different scenarios \
         are not put together; use another --out",
        then.id, then.hash, now.hash
    )))
}

/// Fails if a study is to go on and the command line asks for something else too.
pub(super) fn refuse_flags(common: &StudyArgs, others: &[(&str, bool)]) -> Result<(), Failure> {
    let common = [("seed", common.seed.is_some()), ("format", common.lab.format.is_some())];
    match common.iter().chain(others).find(|(_, given)| *given) {
        Some((flag, _)) => Err(Failure::input(format!(
            "--{flag}: name the scenario too; without one, a study goes on as it was begun, but for more --games"
        ))),
        None => Ok(()),
    }
}
