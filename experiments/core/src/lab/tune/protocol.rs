//! The ask-and-tell protocol: an optimiser outside asks what is seen at a point. `sandtable tune --help` documents it:
//!
//! ```text
#![doc = include_str!("help.txt")]
//! ```

use std::collections::BTreeMap;
use std::io::{BufRead, Write};

use sandtable_stats::design::{Point, Range, Value, number};
use serde::Deserialize;
use serde_json::json;

use super::{Looks, Objective, Space};
use crate::failure::Failure;

/// A line of the client.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    #[serde(default)]
    id: serde_json::Value,
    point: BTreeMap<String, f64>,
    #[serde(default = "usual_games")]
    games: u64,
    #[serde(default)]
    seed: u64,
}

fn usual_games() -> u64 {
    40
}

/// The most games of a question.
const MOST_GAMES: u64 = 10_000_000;

/// Answers questions until there are no more.
///
/// # Errors
/// If games cannot be played, or the lines not be read or written.
pub fn serve(
    objective: &mut impl Objective,
    space: &Space,
    input: impl BufRead,
    mut output: impl Write,
) -> Result<(), Failure> {
    let parameters: Vec<serde_json::Value> =
        (0..space.factors.len()).map(|factor| parameter(space, factor)).collect();
    writeln!(output, "{}", json!({ "space": parameters, "maximise": "value" }))?;
    output.flush()?;
    for line in input.lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let answer = match question(space, objective.cost(), &line) {
            Err((id, error)) => json!({ "id": id, "error": error }),
            Ok((id, point, looks)) => match objective.measure(&[(point, looks)]) {
                Ok(measures) => json!({
                    "id": id,
                    "value": measures[0].response,
                    "standard_error": measures[0].standard_error,
                    "score": measures[0].score.value,
                    "games": measures[0].games,
                }),
                // Values that do not go together are no reason to stop.
                Err(Failure::Input(error)) => json!({ "id": id, "error": error }),
                Err(other) => return Err(other),
            },
        };
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}

fn parameter(space: &Space, factor: usize) -> serde_json::Value {
    let (name, start) = (&space.factors[factor].name, number(space.start[factor]));
    match &space.factors[factor].range {
        Range::Real { low, high } => {
            json!({ "name": name, "kind": "real", "low": low, "high": high, "start": start })
        }
        Range::Integer { low, high } => {
            json!({ "name": name, "kind": "integer", "low": low, "high": high, "start": start })
        }
        Range::Categories(values) => {
            json!({ "name": name, "kind": "categorical", "values": values, "start": start })
        }
    }
}

type Unanswered = (serde_json::Value, String);

fn question(space: &Space, cost: u64, line: &str) -> Result<(serde_json::Value, Point, Looks), Unanswered> {
    let question: Question = serde_json::from_str(line).map_err(|error| {
        // The client may know its question by its name even if the rest is wrong.
        let id = serde_json::from_str::<serde_json::Value>(line)
            .ok()
            .and_then(|mut value| value.as_object_mut().and_then(|fields| fields.remove("id")));
        (id.unwrap_or_default(), error.to_string())
    })?;
    let wrong = |what: String| (question.id.clone(), what);
    if !(2 * cost..=MOST_GAMES).contains(&question.games) {
        let least = 2 * cost;
        return Err(wrong(format!(
            "games = {}: expected a number from {least} to {MOST_GAMES}",
            question.games
        )));
    }
    let mut point = space.start.clone();
    for (name, &value) in &question.point {
        let factor = space.factors.iter().position(|factor| factor.name == *name).ok_or_else(|| {
            let names = space.factors.iter().map(|factor| factor.name.as_str());
            wrong(format!("unknown parameter \"{name}\": {}", crate::failure::expected(name, names)))
        })?;
        let outside = |low: &dyn std::fmt::Display, high: &dyn std::fmt::Display, kind: &str| {
            wrong(format!("{name} = {value}: expected {kind} from {low} to {high}"))
        };
        point[factor] = match &space.factors[factor].range {
            Range::Real { low, high } if (*low..=*high).contains(&value) => Value::Real(value),
            Range::Integer { low, high }
                if value.fract() == 0.0 && (*low as f64..=*high as f64).contains(&value) =>
            {
                Value::Integer(value as i64)
            }
            Range::Categories(values)
                if value.fract() == 0.0 && (0.0..values.len() as f64).contains(&value) =>
            {
                Value::Category { category: value as usize }
            }
            Range::Real { low, high } => return Err(outside(low, high, "a number")),
            Range::Integer { low, high } => return Err(outside(low, high, "a whole number")),
            Range::Categories(values) => return Err(outside(&0, &(values.len() - 1), "an index")),
        };
    }
    Ok((question.id, point, Looks { stream: question.seed, first: 0, count: question.games / cost }))
}
