//! The tables of a comparison.

use sandtable_core::SideInfo;

use super::report::Report;
use crate::lab::columns::{count, estimate, optional, real, text, three};
use crate::lab::store::RecordTable;
use crate::lab::study::GamesTable;
use crate::table::{Rows, Schema};

/// The name of the table of games.
pub const GAMES: &str = "compare_games";

/// All tables, documented.
pub fn schemas(sides: &[SideInfo]) -> Vec<Schema> {
    vec![GamesTable::new(GAMES, sides).schema().clone(), measures()]
}

fn measures() -> Schema {
    let mut columns = vec![
        text("measure", "what is measured: a share of games (wins, draws, end reasons) or a mean"),
        text("unit", "its unit; empty for shares"),
        count("pairs", "pairs", "pairs of games with the same dice, one of each arm"),
    ];
    columns.extend(estimate("a", "", "mean in arm A"));
    columns.extend(estimate("b", "", "mean in arm B"));
    columns.extend(estimate("difference", "", "B - A, interval over pairs"));
    columns.extend([
        real("p_value", "", "p-value of no difference: McNemar for shares, else paired t"),
        real("correlation", "", "correlation within a pair; missing if one arm does not vary").optional(),
        real(
            "relative_efficiency",
            "games",
            "independent games of each arm that tell as much as a pair; missing if the difference does not vary",
        )
        .optional(),
        real("deviation", "", "standard deviation of the difference within a pair").optional(),
        real(
            "minimum_detectable_effect",
            "",
            "smallest difference that so many pairs show with the power asked for",
        )
        .optional(),
        real("effect", "", "the difference that one wants to see").optional(),
        count("pairs_needed", "pairs", "pairs needed to see it with the power asked for").optional(),
    ]);
    Schema { name: "compare_measures", doc: "one row a measure of a comparison", columns }
}

/// The tables of a report, beside that of the games.
pub fn of_report(report: &Report) -> Vec<(Schema, Rows)> {
    let schema = measures();
    let mut rows = Rows::new(&schema);
    for line in &report.measures {
        let mut row = rows.row();
        row.text(&line.measure).text(&line.unit).long(report.pairs as i64);
        three(&mut row, &line.a);
        three(&mut row, &line.b);
        three(&mut row, &line.difference);
        row.real(line.p_value);
        for value in [
            line.correlation,
            line.relative_efficiency,
            line.deviation,
            line.minimum_detectable_effect,
            line.effect,
        ] {
            optional(&mut row, value.unwrap_or(f64::NAN));
        }
        match line.pairs_needed {
            Some(pairs) => row.long(pairs as i64),
            None => row.none(),
        };
    }
    vec![(schema, rows)]
}
