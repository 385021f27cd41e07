//! The tables of tuning.

use sandtable_stats::design::{Point, number};

use super::report::Report;
use crate::lab::columns::{count, estimate, real, text, three};
use crate::table::{Column, Kind, Rows, Schema};

/// The name of the table of the search.
pub const COURSE: &str = "tune_course";

/// Where the runs stood.
#[derive(Clone, PartialEq, Debug)]
pub struct Step {
    /// Games of all runs so far.
    pub games: u64,
    /// The best setting of each run, by its own guess.
    pub bests: Vec<Point>,
}

/// All tables, documented.
pub fn schemas() -> Vec<Schema> {
    vec![course_schema(), candidates(), values()]
}

/// The table of the search, [`COURSE`].
pub fn course_schema() -> Schema {
    let columns = vec![
        count("games", "games", "games that all runs have played so far"),
        count("run", "", "the number of the run, from 0"),
        text("name", "the number that is tuned"),
        real("value", "", "its value in the setting that the run takes for the best by now"),
    ];
    Schema { name: COURSE, doc: "the search: one row a step, run and number of tuning", columns }
}

fn candidates() -> Schema {
    let mut columns = vec![
        Column::new("rank", Kind::Int, "", "1 for the best setting in the play-off"),
        count("run", "", "the run that found it, from 0; missing for the old values").optional(),
        count("games", "games", "games in the play-off"),
    ];
    columns.extend(estimate("score", "points a game", "mean score in the play-off"));
    Schema { name: "tune_candidates", doc: "the play-off: one row a setting of tuning", columns }
}

fn values() -> Schema {
    let columns = vec![
        Column::new("rank", Kind::Int, "", "the rank of the setting in table `tune_candidates`"),
        text("name", "the number that is tuned"),
        real("value", "", "its value in this setting"),
    ];
    Schema { name: "tune_values", doc: "one row a setting of the play-off and number of tuning", columns }
}

/// The tables of a report, and of the search before it.
pub fn of_report(report: &Report, steps: &[Step]) -> Vec<(Schema, Rows)> {
    let schemas = [course_schema(), candidates(), values()];
    let mut rows = schemas.each_ref().map(Rows::new);
    for Step { games, bests } in steps {
        for (run, best) in bests.iter().enumerate() {
            for (factor, &value) in report.space.factors.iter().zip(best) {
                rows[0].row().long(*games as i64).long(run as i64).text(&factor.name).real(number(value));
            }
        }
    }
    for (line, rank) in report.candidates.iter().zip(1..) {
        let mut row = rows[1].row();
        row.int(rank);
        match line.run {
            Some(run) => row.long(run as i64),
            None => row.none(),
        };
        row.long(line.measure.games as i64);
        three(&mut row, &line.measure.score);
        drop(row);
        for factor in &report.space.factors {
            let value = line.values.get(&factor.name).and_then(|value| value.parse::<f64>().ok());
            rows[2].row().int(rank).text(&factor.name).real(value.unwrap_or_default());
        }
    }
    schemas.into_iter().zip(rows).collect()
}
