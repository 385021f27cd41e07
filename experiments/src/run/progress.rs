//! What is shown while games are played.

use std::io::{IsTerminal, stderr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use sandtable_stats::interval::wilson;

use super::tally::Tally;

/// How often a line is written where there is no terminal to draw a bar on.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// A bar on a terminal; elsewhere a line now and then, without control characters.
pub struct Progress {
    shown: Shown,
    teams: Vec<String>,
    total: u64,
    /// Games that were there when the session began.
    before: u64,
    started: Instant,
    state: Mutex<State>,
}

enum Shown {
    Nothing,
    Lines,
    Bar(ProgressBar),
}

struct State {
    tally: Tally,
    last_line: Instant,
}

impl Progress {
    /// Begins to show; `tally` is what was there before, `total` how many games there will be.
    pub fn new(quiet: bool, teams: Vec<String>, total: u64, tally: Tally) -> Self {
        let shown = if quiet {
            Shown::Nothing
        } else if stderr().is_terminal() {
            let bar = ProgressBar::new(total).with_position(tally.games);
            let style = ProgressStyle::with_template("{bar:30} {msg}").expect("the template is fixed");
            bar.set_style(style);
            bar.enable_steady_tick(Duration::from_millis(250));
            Shown::Bar(bar)
        } else {
            Shown::Lines
        };
        let started = Instant::now();
        let progress = Progress {
            shown,
            teams,
            total,
            before: tally.games,
            started,
            state: Mutex::new(State { tally, last_line: started }),
        };
        if let Shown::Bar(bar) = &progress.shown {
            bar.set_message(format!("{}/{total} games", progress.before));
        }
        progress
    }

    /// Counts the games of a chunk.
    pub fn add(&self, games: &Tally) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.tally.merge(games);
        match &self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => {
                bar.set_position(state.tally.games);
                bar.set_message(self.line(&state.tally));
            }
            Shown::Lines => {
                if state.last_line.elapsed() >= LINE_EVERY {
                    state.last_line = Instant::now();
                    eprintln!("{}", self.line(&state.tally));
                }
            }
        }
    }

    /// Clears the bar away.
    pub fn finish(&self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }

    /// Games played since the session began, and how long that took.
    pub fn session(&self) -> (u64, Duration) {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        (state.tally.games - self.before, self.started.elapsed())
    }

    fn line(&self, tally: &Tally) -> String {
        let seconds = self.started.elapsed().as_secs_f64();
        let speed = (tally.games - self.before) as f64 / seconds.max(1e-9);
        let left = (self.total - tally.games) as f64 / speed.max(1e-9);
        // Beyond a year the estimate says nothing.
        let left = HumanDuration(Duration::from_secs_f64(left.min(3.2e7)));
        let rates: Vec<String> = self
            .teams
            .iter()
            .zip(&tally.wins)
            .map(|(team, &wins)| {
                let rate = wilson(wins, tally.games);
                format!(
                    "{team} {:.1}% [{:.1}, {:.1}]",
                    100.0 * rate.value,
                    100.0 * rate.low,
                    100.0 * rate.high
                )
            })
            .collect();
        let (games, total) = (tally.games, self.total);
        format!("{games}/{total} games, {}/s, {left} left; {}", rounded(speed), rates.join(", "))
    }
}

/// A number with three digits or so.
pub fn rounded(value: f64) -> String {
    if value >= 100.0 {
        format!("{value:.0}")
    } else if value >= 1.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.3}")
    }
}
