//! What is shown while the lab works.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};

use crate::run::progress::rounded;

/// How often a line is written where there is no terminal to draw a bar on.
const LINE_EVERY: Duration = Duration::from_secs(10);
/// How often a bar is drawn anew.
const DRAW_EVERY: Duration = Duration::from_millis(250);

/// A bar on a terminal; elsewhere a line now and then, without control characters. It goes to standard error.
#[derive(Debug)]
pub struct Progress {
    shown: Shown,
    unit: &'static str,
    /// What was there when the session began.
    before: u64,
    started: Instant,
    last: Instant,
}

/// Where the work stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standing {
    /// Units that are there.
    pub done: u64,
    /// Units that there will be, as far as is known.
    pub total: u64,
    /// The current estimate with its interval, in words.
    pub estimate: String,
}

#[derive(Debug)]
enum Shown {
    Nothing,
    Lines,
    Bar(ProgressBar),
}

impl Progress {
    /// Begins to show. `before` units (`pairs`, `games`) are there already.
    pub fn new(quiet: bool, unit: &'static str, before: u64) -> Self {
        let shown = if quiet {
            Shown::Nothing
        } else if stderr().is_terminal() {
            let bar = ProgressBar::new(1);
            let style = ProgressStyle::with_template("{bar:30} {msg}").expect("the template is fixed");
            bar.set_style(style);
            Shown::Bar(bar)
        } else {
            Shown::Lines
        };
        let started = Instant::now();
        Progress { shown, unit, before, started, last: started }
    }

    /// Shows where the work stands. Does nothing, and does not ask, if something was shown a moment ago.
    pub fn show(&mut self, standing: impl FnOnce() -> Standing) {
        let every = match self.shown {
            Shown::Nothing => return,
            Shown::Lines => LINE_EVERY,
            Shown::Bar(_) => DRAW_EVERY,
        };
        if self.last.elapsed() < every {
            return;
        }
        self.last = Instant::now();
        let Standing { done, total, estimate } = standing();
        let speed = done.saturating_sub(self.before) as f64 / self.started.elapsed().as_secs_f64().max(1e-9);
        // Beyond a year the forecast says nothing.
        let left = (total.saturating_sub(done) as f64 / speed.max(1e-9)).min(3.2e7);
        let line = format!(
            "{done}/{total} {}, {}/s, {} left; {}",
            self.unit,
            rounded(speed),
            HumanDuration(Duration::from_secs_f64(left)),
            estimate
        );
        match &self.shown {
            Shown::Nothing => {}
            Shown::Lines => eprintln!("{line}"),
            Shown::Bar(bar) => {
                bar.set_length(total);
                bar.set_position(done);
                bar.set_message(line);
            }
        }
    }

    /// Clears the bar away; returns how long the session took.
    pub fn finish(&self) -> Duration {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
        self.started.elapsed()
    }
}
