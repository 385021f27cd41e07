//! The tables of a study of balance.

use sandtable_core::SideInfo;
use sandtable_stats::root::Method;

use super::report::Report;
use crate::lab::columns::{count, estimate, optional, real, text, three};
use crate::lab::study::GamesTable;
use crate::table::{Column, Kind, Rows, Schema};

/// The name of the table of games.
pub const GAMES: &str = "balance_games";

/// All tables, documented.
pub fn schemas(sides: &[SideInfo]) -> Vec<Schema> {
    use crate::lab::store::RecordTable;
    let games = GamesTable::new(GAMES, sides).schema().clone();
    vec![games, teams(), sides_table(), ends(), turns(), handicaps(), restrictions(), crossings(), checks()]
}

fn agent() -> Column {
    text("agent", "the agent that plays all sides")
}

fn turn(doc: &str) -> Column {
    Column::new("turn", Kind::Int, "game turns", doc)
}

fn teams() -> Schema {
    let mut columns = vec![
        agent(),
        text("team", "the side or sides that win together"),
        count("games", "games", "games played"),
        count("wins", "games", "games won"),
    ];
    columns.extend(estimate("share", "", "share of games won"));
    Schema { name: "balance_teams", doc: "one row an agent and team of a study of balance", columns }
}

fn sides_table() -> Schema {
    let mut columns = vec![agent(), text("side", "the side"), count("games", "games", "games played")];
    columns.extend(estimate("points", "points", "mean points in the game's own unit"));
    columns.push(real("points_deviation", "points", "standard deviation of the points of a game").optional());
    columns.extend(estimate("utility", "", "mean worth of the result, 0 to 1"));
    Schema { name: "balance_sides", doc: "one row an agent and side of a study of balance", columns }
}

fn ends() -> Schema {
    let columns = vec![
        agent(),
        turn("the turn in which games ended"),
        text("end_reason", "why they ended"),
        count("games", "games", "how many ended so"),
    ];
    Schema {
        name: "balance_ends",
        doc: "one row an agent, end turn and end reason of a study of balance",
        columns,
    }
}

fn turns() -> Schema {
    let mut columns =
        vec![agent(), turn("the turn that has ended"), count("games", "games", "games that lasted so long")];
    columns.extend(estimate("worth", "", "mean worth of the position to the first team, 0 to 1"));
    columns.extend(estimate("hold", "", "share of decided games in which whoever led then went on to win"));
    Schema {
        name: "balance_turns",
        doc: "one row an agent and turn of a study of balance; none where the system cannot tell who leads",
        columns,
    }
}

fn handicaps() -> Schema {
    let mut columns = vec![
        agent(),
        text("parameter", "the path of the value that was varied"),
        real("low", "", "its least value"),
        real("high", "", "its greatest value"),
        real("target", "points a game", "the score of the first team that counts as fair"),
        text(
            "status",
            "found, exhausted (all games played), above or below (the score is so over the whole range), searching",
        ),
    ];
    columns.extend(estimate(
        "value",
        "",
        "the value at which the first team scores the target; the least if there are several, see balance_crossings",
    ));
    columns.push(
        real(
            "fair",
            "",
            "a step beside it, or beside the first of several values that has one, whose games do not tell its score from the \
             target; missing if there is none",
        )
        .optional(),
    );
    columns.push(
        real(
            "nearest",
            "",
            "the step nearest to the value that `fair` is of, or to the least, fair or not; missing if there is no fair value",
        )
        .optional(),
    );
    columns.push(count("games", "games", "games that the search took"));
    columns.push(
        real(
            "misfit",
            "",
            "probability of scores so far from a logistic curve if it were one; missing if they are too few to tell",
        )
        .optional(),
    );
    columns
        .push(text("checked", "what fresh games say: agrees, contradicts, or nothing if none were played"));
    columns.extend(estimate("score_low", "points a game", "score of the first team at the least value"));
    columns.extend(estimate("score_high", "points a game", "score of the first team at the greatest value"));
    Schema { name: "balance_handicaps", doc: "one row an agent of a search for a fair handicap", columns }
}

fn crossings() -> Schema {
    let mut columns = vec![agent(), text("parameter", "the path of the value that was varied")];
    columns.extend(estimate("value", "", "a value at which the first team scores the target"));
    columns.push(real("step_below", "", "the step below it; missing where any value will do").optional());
    columns.push(real("step_above", "", "the step above it; missing where any value will do").optional());
    columns.push(text("direction", "rises or falls: the score of the first team with the value"));
    columns
        .push(text("method", "logistic (a curve that fits) or monotone (by the order of the scores alone)"));
    Schema { name: "balance_crossings", doc: "one row a fair value of a search for a handicap", columns }
}

fn checks() -> Schema {
    let mut columns = vec![
        agent(),
        text("parameter", "the path of the value that was varied"),
        real("value", "", "a value that the search has found, or a step beside it"),
        count("games", "games", "games played there with fresh dice"),
    ];
    columns.extend(estimate("score", "points a game", "score of the first team in them"));
    columns.extend(estimate("foretold", "points a game", "the same by the games of the search"));
    columns.push(text("verdict", "agrees or contradicts"));
    Schema {
        name: "balance_checks",
        doc: "one row a value at which a fair handicap was checked with fresh dice",
        columns,
    }
}

fn verdict(agrees: bool) -> &'static str {
    if agrees { "agrees" } else { "contradicts" }
}

fn restrictions() -> Schema {
    let mut columns = vec![
        text("agent", "the agent that plays all other sides, and this side when it is free"),
        text("side", "the side that is restricted"),
        text("restriction", "what it is denied"),
        text("restricted_agent", "the agent that plays it then"),
        count("pairs", "pairs", "pairs of games with the same dice: free, restricted"),
    ];
    columns.extend(estimate("free_share", "", "share of games won by the side's team when free"));
    columns.extend(estimate("restricted_share", "", "the same when restricted"));
    columns.extend(estimate("share", "", "restricted - free, interval over pairs"));
    columns.push(real("share_p", "", "p-value of no difference (McNemar)"));
    columns.extend(estimate("points", "points", "points of the side, restricted - free"));
    columns.push(real("points_p", "", "p-value of no difference (paired t)"));
    columns.push(
        real("correlation", "", "correlation of the points within a pair; missing if they do not vary")
            .optional(),
    );
    Schema {
        name: "balance_restrictions",
        doc: "one row an agent, side and restriction of a study of balance",
        columns,
    }
}

/// The tables of a report, beside that of the games.
pub fn of_report(report: &Report) -> Vec<(Schema, Rows)> {
    let schemas =
        [teams(), sides_table(), ends(), turns(), handicaps(), restrictions(), crossings(), checks()];
    let mut rows = schemas.each_ref().map(Rows::new);
    for line in &report.strengths {
        let games = line.games as i64;
        for team in &line.teams {
            let mut row = rows[0].row();
            row.text(&line.agent).text(&team.team).long(games).long(team.wins as i64);
            three(&mut row, &team.share);
        }
        for side in &line.sides {
            let mut row = rows[1].row();
            row.text(&line.agent).text(&side.side).long(games);
            three(&mut row, &side.points);
            optional(&mut row, side.points_deviation.unwrap_or(f64::NAN));
            three(&mut row, &side.utility);
        }
        for end in &line.end.counts {
            rows[2].row().text(&line.agent).int(end.turn as i32).text(&end.end_reason).long(end.games as i64);
        }
        for turn in line.course.iter().flat_map(|course| &course.turns) {
            let mut row = rows[3].row();
            row.text(&line.agent).int(turn.turn as i32).long(turn.games as i64);
            three(&mut row, &turn.worth);
            three(&mut row, &turn.hold);
        }
        if let Some(handicap) = &line.handicap {
            let status = serde_json::to_value(handicap.status).unwrap_or_default();
            let mut row = rows[4].row();
            row.text(&line.agent)
                .text(&handicap.path)
                .real(handicap.low)
                .real(handicap.high)
                .real(handicap.target)
                .text(status.as_str().unwrap_or_default());
            three(&mut row, &handicap.value);
            optional(&mut row, handicap.fair.unwrap_or(f64::NAN));
            optional(&mut row, handicap.nearest.unwrap_or(f64::NAN));
            row.long(handicap.games as i64);
            optional(&mut row, handicap.misfit.unwrap_or(f64::NAN));
            row.text(if handicap.checks.is_empty() { "nothing" } else { verdict(!handicap.disputed) });
            three(&mut row, &handicap.score_low);
            three(&mut row, &handicap.score_high);
            drop(row);
            for crossing in &handicap.crossings {
                let mut row = rows[6].row();
                row.text(&line.agent).text(&handicap.path);
                three(&mut row, &crossing.value);
                let [low, high] = crossing.between.unwrap_or([f64::NAN; 2]);
                optional(&mut row, low);
                optional(&mut row, high);
                row.text(if crossing.rising { "rises" } else { "falls" });
                row.text(match crossing.method {
                    Method::Logistic => "logistic",
                    Method::Monotone => "monotone",
                });
            }
            for check in &handicap.checks {
                let mut row = rows[7].row();
                row.text(&line.agent).text(&handicap.path).real(check.value).long(check.games as i64);
                three(&mut row, &check.score);
                three(&mut row, &check.foretold);
                row.text(verdict(check.agrees));
            }
        }
    }
    for line in &report.restrictions {
        let mut row = rows[5].row();
        row.text(&line.agent)
            .text(&line.side)
            .text(&line.restriction)
            .text(&line.restricted_agent)
            .long(line.pairs as i64);
        three(&mut row, &line.free_share);
        three(&mut row, &line.restricted_share);
        three(&mut row, &line.share);
        row.real(line.share_p);
        three(&mut row, &line.points);
        row.real(line.points_p);
        optional(&mut row, line.correlation.unwrap_or(f64::NAN));
    }
    schemas.into_iter().zip(rows).collect()
}
