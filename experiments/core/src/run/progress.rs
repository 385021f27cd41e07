//! What is shown while games are played.

use std::io::{IsTerminal, stderr};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressStyle};
use sandtable_stats::interval::wilson;

use super::tally::Tally;

/// How often the bar is drawn anew.
const DRAW_EVERY: Duration = Duration::from_millis(250);

/// A bar on the terminal that standard error is; nothing in pipes and files.
#[derive(Debug)]
pub struct Meter {
    bar: Option<ProgressBar>,
    unit: &'static str,
    /// What was there when the session began.
    before: u64,
    started: Instant,
    /// When the bar was last drawn; the first time it is drawn at once.
    last: Mutex<Option<Instant>>,
}

/// Where the work stands.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProgressReport {
    /// Units that are there.
    pub done: u64,
    /// Units that there will be, as far as is known.
    pub total: u64,
    /// The current estimate with its interval, in words.
    pub estimate: String,
}

impl Meter {
    /// Begins to show. `before` units (`pairs`, `games`) are there already.
    pub fn new(quiet: bool, unit: &'static str, before: u64) -> Self {
        let bar = (!quiet && stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new(1);
            let style = ProgressStyle::with_template("{bar:10} {elapsed} {wide_msg}");
            bar.set_style(style.expect("the template is fixed"));
            bar.set_message(format!("the first {unit}"));
            // A slow game must not look like a program that hangs.
            bar.enable_steady_tick(Duration::from_secs(1));
            bar
        });
        Meter { bar, unit, before, started: Instant::now(), last: Mutex::new(None) }
    }

    /// Shows where the work stands. Does nothing, and does not ask, if something was shown a moment ago.
    pub fn show(&self, report: impl FnOnce() -> ProgressReport) {
        let Some(bar) = &self.bar else { return };
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.is_some_and(|last| last.elapsed() < DRAW_EVERY) {
            return;
        }
        *last = Some(Instant::now());
        let report = report();
        bar.set_length(report.total);
        bar.set_position(report.done);
        bar.set_message(line(&report, self.unit, self.before, self.started.elapsed()));
    }

    /// Clears the bar away; returns how long the session took.
    pub fn finish(&self) -> Duration {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        self.started.elapsed()
    }
}

/// The share done, the speed and the time left; `before` units were there when the session began, `elapsed` ago.
fn line(report: &ProgressReport, unit: &str, before: u64, elapsed: Duration) -> String {
    let ProgressReport { done, total, estimate } = report;
    let share = 100.0 * *done as f64 / (*total).max(1) as f64;
    let speed = done.saturating_sub(before) as f64 / elapsed.as_secs_f64().max(1e-9);
    // Beyond a year the forecast says nothing.
    let left = (total.saturating_sub(*done) as f64 / speed.max(1e-9)).min(3.2e7);
    let left = HumanDuration(Duration::from_secs_f64(left));
    format!("{done}/{total} {unit} ({share:.0}%), {}/s, {left:#} left; {estimate}", rounded(speed))
}

/// The meter of a run, which counts the games that its threads have played.
pub struct Progress {
    meter: Meter,
    teams: Vec<String>,
    total: u64,
    tally: Mutex<Tally>,
}

impl Progress {
    /// Begins to show; `tally` is what was there before, `total` how many games there will be.
    pub fn new(quiet: bool, teams: Vec<String>, total: u64, tally: Tally) -> Self {
        Progress { meter: Meter::new(quiet, "games", tally.games), teams, total, tally: Mutex::new(tally) }
    }

    /// Counts the games of a chunk.
    pub fn add(&self, games: &Tally) {
        let mut tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        tally.merge(games);
        self.meter.show(|| ProgressReport {
            done: tally.games,
            total: self.total,
            estimate: self.estimate(&tally),
        });
    }

    /// Clears the bar away.
    pub fn finish(&self) {
        self.meter.finish();
    }

    /// Games played since the session began, and how long that took.
    pub fn session(&self) -> (u64, Duration) {
        let tally = self.tally.lock().unwrap_or_else(PoisonError::into_inner);
        (tally.games - self.meter.before, self.meter.started.elapsed())
    }

    /// How often each team wins.
    fn estimate(&self, tally: &Tally) -> String {
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
        rates.join(", ")
    }
}

/// How fast a session was, in a line; `None` if nothing was played.
pub fn speed(games: u64, seconds: f64) -> Option<String> {
    let rate = rounded(games as f64 / seconds.max(1e-9));
    (games > 0).then(|| format!("speed: {games} games in {} s, {rate} a second", rounded(seconds)))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_share_speed_and_time_left_of_this_session() {
        let report = ProgressReport { done: 400, total: 1000, estimate: "axis 60.0%".to_owned() };
        assert_eq!(
            line(&report, "games", 200, Duration::from_secs(10)),
            "400/1000 games (40%), 20.0/s, 30s left; axis 60.0%"
        );
    }
}
