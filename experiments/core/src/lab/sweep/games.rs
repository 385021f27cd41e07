//! Table `sweep_games`.

use std::ops::Range;

use anyhow::{bail, ensure};
use sandtable_core::SideInfo;

use super::file::SCENARIO;
use super::plan::Plan;
use crate::lab::columns::{self, add_result, count, read_results, text};
use crate::system::GameResult;
use crate::table::{Column, Frame, Rows, Schema};

/// Its columns.
pub(super) fn schema(sides: &[SideInfo]) -> Schema {
    let mut columns = vec![text(SCENARIO, "the scenario, before the point's values are set").partition()];
    columns.extend(point());
    columns.push(count(
        "game",
        "",
        "the number of the game, from 0; games of the same number have the same dice at all points, and `sandtable play` \
         with the sweep's seed and the point's values plays them under this number",
    ));
    columns.extend(columns::result(sides));
    Schema { name: "sweep_games", doc: "one row a game of a sweep", columns }
}

fn point() -> [Column; 2] {
    [
        count("point", "", "the number of the design point, from 0; of points with equal values the first"),
        count("assignment", "", "the number of the agent assignment, from 0"),
    ]
}

/// Table `sweep_games`: rows from games, and games from rows.
#[derive(Clone, Debug)]
pub struct GamesTable {
    /// Its columns.
    pub schema: Schema,
    sides: Vec<SideInfo>,
}

impl GamesTable {
    /// The table of a sweep among these sides.
    pub fn new(sides: &[SideInfo]) -> Self {
        GamesTable { schema: schema(sides), sides: sides.to_vec() }
    }

    /// The sides.
    pub fn sides(&self) -> &[SideInfo] {
        &self.sides
    }

    /// Adds the row of a game.
    pub fn add(&self, rows: &mut Rows, plan: &Plan, number: u64, result: &GameResult) {
        let job = plan.job(number);
        let mut row = rows.row();
        row.text(&plan.experiment.scenario)
            .long(plan.settings[job.setting] as i64)
            .long(job.assignment as i64)
            .long(job.game as i64);
        add_result(&mut row, result, self.sides.len());
    }

    /// The games in a table that was read back, which are to be those of these jobs.
    ///
    /// # Errors
    /// Names what does not fit the sweep.
    pub fn parse(&self, frame: &Frame, plan: &Plan, jobs: Range<u64>) -> anyhow::Result<Vec<GameResult>> {
        ensure!(frame.len() as u64 == jobs.end - jobs.start, "it has {} games", frame.len());
        let [scenario, point, assignment, game, ..] = &self.schema.columns[..] else {
            bail!("a table of games has other columns");
        };
        if let Some(other) = frame.texts(&scenario.name)?.find(|other| *other != plan.experiment.scenario) {
            bail!("it holds a game of {other}");
        }
        let there = frame.numbers::<usize>(&point.name)?.into_iter();
        let there =
            there.zip(frame.numbers::<usize>(&assignment.name)?).zip(frame.numbers::<u64>(&game.name)?);
        for (((point, assignment), game), expected) in there.zip(jobs) {
            let job = plan.job(expected);
            let fits = (point, assignment, game) == (plan.settings[job.setting], job.assignment, job.game);
            ensure!(fits, "it holds game {game} of point {point}, which belongs elsewhere");
        }
        read_results(frame, &self.sides)
    }
}
