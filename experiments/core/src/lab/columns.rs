//! Columns that the tables of the lab have in common, and how their cells are filled and read back.

use anyhow::{Context, bail};
use sandtable_core::{MAX_SIDES, SideInfo};
use sandtable_stats::interval::Estimate;

use crate::system::{GameResult, agent_columns, score_columns, team_labels};
use crate::table::{Column, Frame, Kind, Row};

pub(super) fn text(name: impl Into<String>, doc: impl Into<String>) -> Column {
    Column::new(name, Kind::Text, "", doc)
}

pub(super) fn count(name: &str, unit: &'static str, doc: &str) -> Column {
    Column::new(name, Kind::Long, unit, doc)
}

pub(super) fn real(name: &str, unit: &'static str, doc: &str) -> Column {
    Column::new(name, Kind::Real, unit, doc)
}

/// Three columns of an estimate: `name`, `name_low`, `name_high`.
pub(super) fn estimate(name: &str, unit: &'static str, doc: &str) -> [Column; 3] {
    [
        real(name, unit, doc).optional(),
        real(&format!("{name}_low"), unit, "lower end of its 95% interval; missing if unbounded").optional(),
        real(&format!("{name}_high"), unit, "upper end of its 95% interval; missing if unbounded").optional(),
    ]
}

/// A number that is nothing (`null` in JSON) where it is not finite.
pub(super) fn or_nan<'de, D: serde::Deserializer<'de>>(data: D) -> Result<f64, D::Error> {
    Ok(<Option<f64> as serde::Deserialize>::deserialize(data)?.unwrap_or(f64::NAN))
}

pub(super) fn optional(row: &mut Row<'_>, value: f64) {
    if value.is_finite() {
        row.real(value)
    } else {
        row.none()
    };
}

/// The cells of [`estimate`].
pub(super) fn three(row: &mut Row<'_>, estimate: &Estimate) {
    for value in [estimate.value, estimate.low, estimate.high] {
        optional(row, value);
    }
}

pub(super) fn named(row: &mut Row<'_>, name: Option<&str>) {
    match name {
        Some(name) => row.text(name),
        None => row.none(),
    };
}

/// The columns of how a game ended.
pub(super) fn result(sides: &[SideInfo]) -> Vec<Column> {
    let mut columns = score_columns(sides);
    columns.extend([
        Column::new("turns", Kind::Int, "game turns", "the game turn in which the game ended, from 1"),
        text("end_reason", "why the game ended"),
        Column::new("decisions", Kind::Int, "decisions", "how many decisions were made"),
    ]);
    columns
}

/// The cells of [`result`].
pub(super) fn add_result(row: &mut Row<'_>, result: &GameResult, sides: usize) {
    match result.winner {
        Some(team) => row.word(usize::from(team)),
        None => row.none(),
    };
    for &value in result.points[..sides].iter().chain(&result.utility[..sides]) {
        row.real(value);
    }
    row.int(result.turns as i32).text(&result.end_reason).int(result.decisions as i32);
}

/// The agents in the columns of [`agent_columns`]: for each row, that of each side.
pub(super) fn read_agents(frame: &Frame, sides: &[SideInfo]) -> anyhow::Result<Vec<Vec<String>>> {
    let mut rows = vec![Vec::with_capacity(sides.len()); frame.len()];
    for column in agent_columns(sides) {
        for (row, agent) in rows.iter_mut().zip(frame.texts(&column.name)?) {
            row.push(agent.to_owned());
        }
    }
    Ok(rows)
}

/// The results in the columns of [`result`], without their course.
pub(super) fn read_results(frame: &Frame, sides: &[SideInfo]) -> anyhow::Result<Vec<GameResult>> {
    let names: Vec<String> = result(sides).into_iter().map(|column| column.name).collect();
    let (winner, names) = names.split_first().context("a result has a winner")?;
    let (points, names) = names.split_at(sides.len());
    let (utility, names) = names.split_at(sides.len());
    let [turns, end_reason, decisions] = names else { bail!("a result has other columns") };

    let teams = team_labels(sides);
    let team = |name: Option<&str>| {
        let known = |name| teams.iter().position(|team| team == name).map(|team| team as u8);
        name.map(|name| known(name).with_context(|| format!("unknown winner \"{name}\""))).transpose()
    };
    let winners = frame.optional_texts(winner)?.map(team).collect::<anyhow::Result<Vec<_>>>()?;
    let ends = frame.numbers(turns)?.into_iter().zip(frame.numbers(decisions)?).zip(frame.texts(end_reason)?);
    let mut results: Vec<GameResult> = winners
        .into_iter()
        .zip(ends)
        .map(|(winner, ((turns, decisions), end_reason))| GameResult {
            winner,
            points: [0.0; MAX_SIDES],
            utility: [0.0; MAX_SIDES],
            turns,
            end_reason: end_reason.to_owned().into(),
            decisions,
            course: Vec::new(),
        })
        .collect();
    for side in 0..sides.len() {
        // Written as the same number in double precision.
        for (result, value) in results.iter_mut().zip(frame.reals(&points[side])?) {
            result.points[side] = value as f32;
        }
        for (result, value) in results.iter_mut().zip(frame.reals(&utility[side])?) {
            result.utility[side] = value as f32;
        }
    }
    Ok(results)
}
