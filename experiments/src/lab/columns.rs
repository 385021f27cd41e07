//! Columns that the tables of the lab have in common, and how their cells are filled and read back.

use sandtable_core::{MAX_SIDES, SideInfo};
use sandtable_stats::interval::Estimate;

use crate::system::{GameResult, team_labels};
use crate::table::{Column, Kind, Row};

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

/// The columns of who played each side.
pub(super) fn agents(sides: &[SideInfo]) -> impl Iterator<Item = Column> {
    sides
        .iter()
        .map(|side| text(format!("agent_{}", side.id), format!("the agent that played {}", side.name)))
}

/// The columns of how a game ended.
pub(super) fn result(sides: &[SideInfo]) -> Vec<Column> {
    let teams = team_labels(sides).into();
    let mut columns = vec![
        Column::new("winner", Kind::Word(teams), "", "the side or sides that won; missing for a draw")
            .optional(),
    ];
    for side in sides {
        let doc = format!("points of {} in the game's own unit", side.name);
        columns.push(Column::new(format!("points_{}", side.id), Kind::Real, "points", doc));
    }
    for side in sides {
        let doc = format!("worth of the result to {}: 0 worst, 1 best, a draw one half", side.name);
        columns.push(Column::new(format!("utility_{}", side.id), Kind::Real, "", doc));
    }
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
    row.int(result.turns as i32).text(&result.cause).int(result.decisions as i32);
}

pub(super) fn number<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| format!("bad number \"{text}\""))
}

/// The result in the cells of [`result`] and those after them.
pub(super) fn parse_result(cells: &[String], sides: usize, teams: &[String]) -> Result<GameResult, String> {
    let winner = &cells[0];
    let winner = if winner.is_empty() {
        None
    } else {
        let team = teams.iter().position(|team| team == winner);
        Some(team.ok_or_else(|| format!("unknown winner \"{winner}\""))? as u8)
    };
    let values = |from: usize| {
        let mut values = [0.0f32; MAX_SIDES];
        for (value, cell) in values.iter_mut().zip(&cells[from..from + sides]) {
            // Written as the same number in double precision.
            *value = number::<f64>(cell)? as f32;
        }
        Ok::<_, String>(values)
    };
    let rest = 1 + 2 * sides;
    Ok(GameResult {
        winner,
        points: values(1)?,
        utility: values(1 + sides)?,
        turns: number(&cells[rest])?,
        cause: cells[rest + 1].clone().into(),
        decisions: number(&cells[rest + 2])?,
        course: Vec::new(),
    })
}
