//! The tables of a sweep.

use sandtable_core::SideInfo;
use sandtable_stats::design::{Factor, Range as Values, Value};
use sandtable_stats::interval::Estimate;

use super::games;
use super::manifest::KIND;
use super::plan::Plan;
use super::report::{Report, measures};
use super::store::Store;
use crate::failure::Failure;
use crate::files::write_atomically;
use crate::lab::columns::{count, estimate, named, optional, real, text, three};
use crate::system::agent_columns;
use crate::table::write::write;
use crate::table::{Column, Kind, Rows, Schema};

/// All tables, documented; with the factors of a sweep, or of an example.
pub fn schemas(sides: &[SideInfo]) -> Vec<Schema> {
    let factors = [Factor::real("factor", 0.0, 1.0)];
    vec![games::schema(sides), points(&factors, sides), effects(), indices()]
}

/// How the values of a factor are kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    Whole,
    Number,
    Text,
}

impl Shape {
    fn of(factor: &Factor) -> Shape {
        match &factor.range {
            Values::Integer { .. } => Shape::Whole,
            Values::Real { .. } => Shape::Number,
            Values::Categories(words) if words.iter().all(|word| word.parse::<i64>().is_ok()) => Shape::Whole,
            Values::Categories(words) if words.iter().all(|word| is_number(word)) => Shape::Number,
            Values::Categories(_) => Shape::Text,
        }
    }
}

/// Whether a word is a plain number; `nan` and `inf` are words.
fn is_number(word: &str) -> bool {
    word.parse::<f64>().is_ok_and(f64::is_finite)
}

fn points(factors: &[Factor], sides: &[SideInfo]) -> Schema {
    let mut columns = vec![
        count("point", "", "the number of the design point, from 0"),
        count("assignment", "", "the number of the agent assignment, from 0"),
    ];
    for factor in factors {
        let kind = match Shape::of(factor) {
            Shape::Whole => Kind::Long,
            Shape::Number => Kind::Real,
            Shape::Text => Kind::Text,
        };
        columns.push(Column::new(
            factor.name.clone(),
            kind,
            "",
            "the value of a factor; each factor has a column, under its own name",
        ));
    }
    columns.extend(agent_columns(sides));
    columns.push(count("games", "games", "games played; points with equal values share theirs"));
    for measure in measures(sides) {
        columns.extend(estimate(&measure.name, measure.unit, &measure.doc));
    }
    Schema { name: "points", doc: "one row a design point and agent assignment of a sweep", columns }
}

fn effects() -> Schema {
    let mut columns = vec![
        count("assignment", "", "the number of the agent assignment, from 0"),
        text("measure", "the measure, as a column of table `points` is called"),
        text("factor", "the factor, under its name"),
        text("level", "the value, or the ends of a part of the range"),
        real(
            "middle",
            "",
            "the middle of the level on the factor's scale; of a value without order, its number",
        ),
        count("points", "points", "design points at this level"),
    ];
    columns.extend(estimate("response", "", "mean of the measure over these points"));
    columns.push(real("share", "", "share of the measure's variance between the factor's levels, 0 to 1"));
    Schema {
        name: "effects",
        doc: "main effects: one row an agent assignment, measure, factor and level of a sweep",
        columns,
    }
}

fn indices() -> Schema {
    let mut columns = vec![
        count("assignment", "", "the number of the agent assignment, from 0"),
        text("measure", "the measure, as a column of table `points` is called"),
        text(
            "index",
            "sobol_first: share of the variance that the factor explains alone; sobol_total: with its interactions; \
             coefficient: standardised regression coefficient; share: share of the variance that a linear model loses without \
             the factor; r_squared: share that it explains with all factors",
        ),
        text("factor", "the factor, under its name; missing for all together").optional(),
        text("value", "of a coefficient of values without order: the value compared with the first one")
            .optional(),
    ];
    columns.extend(estimate("estimate", "", "the index, with a bootstrap interval over design points"));
    Schema {
        name: "indices",
        doc: "sensitivity indices: one row an agent assignment, measure, index and factor of a sweep",
        columns,
    }
}

/// The names that a factor's column must not have.
pub fn reserved(sides: &[SideInfo]) -> Vec<String> {
    points(&[], sides).columns.into_iter().map(|column| column.name).collect()
}

/// Writes the report into the folder: the tables beside `sweep_games`, and `sweep.json`.
///
/// # Errors
/// If a file cannot be written.
pub fn publish(report: &Report, store: &Store<'_>) -> Result<(), Failure> {
    for (schema, rows) in of_report(report, store.plan(), store.sides()) {
        let path = store.root().join(schema.name).with_extension(store.format().extension());
        write_atomically(&path, |out| write(store.format(), &schema, rows, out))?;
    }
    let text = serde_json::to_string_pretty(report).map_err(anyhow::Error::from)?;
    let path = store.root().join(KIND).with_extension("json");
    write_atomically(&path, |out| Ok(writeln!(out, "{text}")?))?;
    Ok(())
}

/// The tables of a report, beside `sweep_games`.
fn of_report(report: &Report, plan: &Plan, sides: &[SideInfo]) -> Vec<(Schema, Rows)> {
    let factors = plan.experiment.factors();
    let (points, effects, indices) = (points(&factors, sides), effects(), indices());
    let mut rows = Rows::new(&points);
    for (index, point) in plan.points.iter().enumerate() {
        for (assignment, agents) in plan.experiment.assignments.iter().enumerate() {
            let mut row = rows.row();
            row.long(index as i64).long(assignment as i64);
            for (factor, &value) in factors.iter().zip(point) {
                let label = factor.label(value);
                match (Shape::of(factor), value) {
                    (Shape::Whole, Value::Integer(value)) => row.long(value),
                    (Shape::Whole, _) => row.long(label.parse().unwrap_or_default()),
                    (Shape::Number, Value::Real(value)) => row.real(value),
                    (Shape::Number, _) => row.real(label.parse::<f64>().unwrap_or_default()),
                    (Shape::Text, _) => row.text(&label),
                };
            }
            for agent in agents {
                row.text(agent);
            }
            let cell = report.cell(plan, index, assignment);
            row.long(cell.games as i64);
            for estimate in cell.estimates(sides) {
                three(&mut row, &estimate);
            }
        }
    }
    let mut all = vec![(points, rows)];

    let mut rows = Rows::new(&effects);
    for line in &report.effects {
        for level in &line.levels {
            let mut row = rows.row();
            row.long(line.assignment as i64).text(&line.measure).text(&line.factor).text(&level.label);
            row.real(level.middle).long(level.n as i64);
            three(&mut row, &level.response);
            row.real(line.share);
        }
    }
    all.push((effects, rows));

    let mut rows = Rows::new(&indices);
    for line in &report.indices {
        let mut row = rows.row();
        row.long(line.assignment as i64).text(&line.measure).text(line.index.name());
        named(&mut row, line.factor.as_deref());
        named(&mut row, line.value.as_deref());
        let Estimate { value, low, high } = line.estimate;
        for value in [value, low, high] {
            optional(&mut row, value);
        }
    }
    all.push((indices, rows));
    all
}
