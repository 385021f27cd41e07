//! `sandtable odds`

mod diplomacy;

pub(super) use diplomacy::{event_schema, reaction_schemas};

use std::fmt::Write as _;
use std::io::{Write, stdout};
use std::ops::Range;
use std::path::Path;

use sandtable_core::Pmf;
use sandtable_core::weather::Weather;
use sandtable_stats::interval::{Estimate, Moments, wilson};
use serde_json::{Value, json};

use super::output::{aligned, check_new, save, table};
use crate::cli::{
    CombatArgs, InitiativeArgs, InitiativeTable, OddsCommand, OddsFormat, OddsOutput, WeatherArgs,
    WeatherTable,
};
use crate::failure::{Failure, expected};
use crate::files;
use crate::system::odds::{
    BattleOutcome, BattleSource, CombatOdds, CombatRequest, Description, DrawOdds, DrawOrder, End, GridCell,
    GridResult, InitiativeOdds, InitiativeRequest, Stage, TableCell, WeatherOdds, WeatherRequest,
    WeatherTurn,
};
use crate::system::{AnySystem, Override, Source, find};
use crate::table::write::write as write_table;
use crate::table::{Column, Format, Kind, Row, Rows, Schema};

pub(super) fn run(systems: &[Box<dyn AnySystem>], command: &OddsCommand) -> Result<(), Failure> {
    match command {
        OddsCommand::Combat(args) => combat(systems, args),
        OddsCommand::Weather(args) => weather(systems, args),
        OddsCommand::Initiative(args) => initiative(systems, args),
        OddsCommand::Reactions(args) => diplomacy::reactions(systems, args),
        OddsCommand::Events(args) => diplomacy::events(systems, args),
    }
}

/// The system of this name, or the system and scenario.
fn named<'a, 'n>(
    systems: &'a [Box<dyn AnySystem>],
    name: &'n str,
) -> Result<(&'a dyn AnySystem, Option<Source<'n>>), Failure> {
    if let Some(system) = systems.iter().find(|system| system.info().id == name) {
        return Ok((system.as_ref(), None));
    }
    match find(systems, name) {
        Ok((system, source)) => Ok((system, Some(source))),
        Err(_) if !Path::new(name).exists() => {
            let mut names: Vec<String> = systems.iter().map(|system| system.info().id.to_owned()).collect();
            let scenarios = systems.iter().flat_map(|system| system.scenarios()).map(|scenario| scenario.id);
            names.extend(scenarios);
            names.sort_unstable();
            names.dedup();
            Err(Failure::input(format!(
                "unknown system or scenario \"{name}\": {}",
                expected(name, names.iter().map(String::as_str))
            )))
        }
        Err(failure) => Err(failure),
    }
}

/// What is shown: text, a table, and JSON.
struct Answer {
    text: String,
    schema: Schema,
    rows: Rows,
    json: Value,
}

impl Answer {
    fn show(self, output: &OddsOutput) -> Result<(), Failure> {
        let mut bytes = Vec::new();
        match (output.json, output.format) {
            (true, _) => {
                let text = serde_json::to_string_pretty(&self.json).map_err(anyhow::Error::from)?;
                writeln!(bytes, "{text}")?;
            }
            (_, OddsFormat::Text) => bytes = self.text.into_bytes(),
            (_, OddsFormat::Csv) => write_table(Format::Csv, &self.schema, self.rows, &mut bytes)?,
            (_, OddsFormat::Parquet) => {
                write_table(Format::Parquet, &self.schema, self.rows, &mut bytes)?;
            }
        }
        let Some(path) = &output.out else {
            stdout().lock().write_all(&bytes)?;
            return Ok(());
        };
        check_new("--out", path)?;
        save(path, &bytes)
    }
}

/// Refuses Parquet on the terminal, and a file that exists, before any work is done.
fn check(output: &OddsOutput) -> Result<(), Failure> {
    if output.format == OddsFormat::Parquet && output.out.is_none() {
        return Err(Failure::input("--format parquet is not for the terminal: expected --out FILE"));
    }
    output.out.as_deref().map_or(Ok(()), |path| check_new("--out", path))
}

/// That no policy is set twice: of two values one would be lost.
fn check_policies(policies: &[Override]) -> Result<(), Failure> {
    for (at, policy) in policies.iter().enumerate() {
        if let Some(before) = policies[..at].iter().find(|before| before.path == policy.path) {
            return Err(Failure::input(format!(
                "--policy {}={} after {}={}: expected each policy once",
                policy.path,
                policy.text(),
                before.path,
                before.text()
            )));
        }
    }
    Ok(())
}

// ---- battles ----

fn combat(systems: &[Box<dyn AnySystem>], args: &CombatArgs) -> Result<(), Failure> {
    check(&args.output)?;
    check_policies(&args.policies)?;
    let (system, scenario) = named(systems, &args.system)?;
    let battle = match (&args.example, &args.defend) {
        (Some(example), _) => source_of(example, usize::from(args.nth))?,
        (None, defend) => BattleSource::Described(Description {
            attack: &args.attack,
            defend: defend.as_deref().unwrap_or_default(),
            others: &args.units,
            position: args.position.as_deref(),
            turn: args.turn,
            weather: args.weather.as_deref(),
            terrain: args.terrain.as_deref(),
        }),
    };
    let odds = system.combat(&CombatRequest {
        scenario,
        overrides: &args.set,
        battle,
        policies: &args.policies,
        samples: args.samples.map(|samples| (samples, args.seed)),
        grid: args.grid,
        by_table: args.by_table,
    })?;
    if args.by_table && odds.table.is_empty() {
        let name = system.info().name;
        return Err(Failure::input(format!(
            "--by-table: the battles of {name} have no die that is modified"
        )));
    }
    match () {
        () if args.by_table => by_table_answer(&odds),
        () if args.grid.is_some() => grid_answer(&odds),
        () => battle_answer(&odds),
    }
    .show(&args.output)
}

/// The battle of `ID` or `FILE#ID`.
fn source_of(example: &str, nth: usize) -> Result<BattleSource<'static>, Failure> {
    let (file, id) = match example.rsplit_once('#') {
        None => (None, example),
        Some((path, id)) => {
            let text = files::read_text(path)
                .map_err(|error| Failure::input(format!("--example: cannot read {path}: {error}")))?;
            (Some((path.to_owned(), text)), id)
        }
    };
    Ok(BattleSource::Example { file, id: id.to_owned(), nth })
}

/// A figure of a battle, exact and sampled.
struct Figure {
    name: &'static str,
    label: String,
    exact: f64,
    sampled: Option<Estimate>,
    /// A probability, else a mean.
    share: bool,
}

fn figures(odds: &CombatOdds, stage: &Stage) -> Vec<Figure> {
    let share = |name, label: &str, holds: &dyn Fn(&BattleOutcome) -> bool| Figure {
        name,
        label: label.to_owned(),
        exact: stage.chance(holds),
        sampled: (stage.samples > 0).then(|| wilson(stage.seen(holds), stage.samples)),
        share: true,
    };
    let mean = |name, label: &str, number: &dyn Fn(&BattleOutcome) -> u32| {
        let n = stage.samples as f64;
        let sum = |power: i32| -> f64 {
            let part = |outcome: &BattleOutcome| f64::from(number(outcome)).powi(power) * outcome.seen as f64;
            stage.outcomes.iter().map(part).sum()
        };
        let deviations = (sum(2) - sum(1).powi(2) / n.max(1.0)).max(0.0);
        let moments = Moments { n: stage.samples, mean: sum(1) / n.max(1.0), deviations };
        Figure {
            name,
            label: label.to_owned(),
            exact: stage.mean(number),
            sampled: (stage.samples > 1).then(|| moments.mean_from(0.0, f64::INFINITY)),
            share: false,
        }
    };
    vec![
        share("cleared", "the place is cleared", &|outcome| outcome.end != End::Held),
        share("eliminated", "  all defenders eliminated", &|outcome| outcome.end == End::Eliminated),
        share("retreated", "  the defender retreats", &|outcome| outcome.end == End::Retreated),
        share("advance", odds.advance, &|outcome| outcome.advance),
        share("again", odds.again, &|outcome| matches!(outcome.again, "chosen" | "compulsory")),
        mean("attacker_loss", "expected loss of the attacker", &|outcome| outcome.attacker_lost),
        mean("defender_loss", "expected loss of the defender", &|outcome| outcome.defender_lost),
    ]
}

fn battle_answer(odds: &CombatOdds) -> Answer {
    let schema = battle_schema(odds.unit, &odds.stages);
    let mut rows = Rows::new(&schema);
    for (number, stage) in odds.stages.iter().enumerate() {
        for outcome in &stage.outcomes {
            let mut row = rows.row();
            row.word(number)
                .int(outcome.attacker_lost as i32)
                .int(outcome.defender_lost as i32)
                .text(&outcome.attacker_units)
                .text(&outcome.defender_units)
                .word(outcome.end as usize)
                .flag(outcome.advance)
                .text(outcome.again)
                .real(outcome.probability);
            if stage.samples > 0 {
                let rate = wilson(outcome.seen, stage.samples);
                row.real(rate.value).real(rate.low).real(rate.high);
            } else {
                row.none().none().none();
            }
        }
    }
    Answer { text: battle_text(odds), json: battle_json(odds), schema, rows }
}

/// The tables of `odds combat`, documented. Strength and losses are in a unit of the system's own.
pub(super) fn battle_schemas() -> Vec<Schema> {
    vec![battle_schema("", &[]), grid_schema(""), by_table_schema("")]
}

fn battle_schema(unit: &'static str, stages: &[Stage]) -> Schema {
    let stages: Vec<String> = stages.iter().map(|stage| stage.name.clone()).collect();
    let real = |name: &str, doc: &str| Column::new(name, Kind::Real, "", doc);
    Schema {
        name: "battle_odds",
        doc: "one row for each outcome of a battle at each stage",
        columns: vec![
            Column::new(
                "stage",
                Kind::Word(stages.into()),
                "",
                "after which round, or after the whole battle",
            ),
            Column::new("attacker_lost", Kind::Int, unit, "lost by the attacker, in the system's own unit"),
            Column::new("defender_lost", Kind::Int, unit, "lost by the defender, in the same unit"),
            Column::new("attacker_units", Kind::Text, "", "all losses of the attacker"),
            Column::new("defender_units", Kind::Text, "", "all losses of the defender"),
            Column::new(
                "end",
                Kind::Word(End::ALL.map(|end| end.id().to_owned()).into()),
                "",
                "how the place attacked ends",
            ),
            Column::new(
                "advance",
                Kind::Flag,
                "",
                "whether the attacker may advance, or as the system calls it",
            ),
            Column::new(
                "again",
                Kind::Text,
                "",
                "what became of fighting on: none (not asked), barred, declined, chosen, compulsory",
            ),
            real("probability", "exact probability"),
            real("sampled", "share of the samples").optional(),
            real("sampled_low", "lower end of its 95% interval").optional(),
            real("sampled_high", "upper end of its 95% interval").optional(),
        ],
    }
}

/// What a question is about, a line each.
fn facts(facts: &[(&'static str, String)]) -> String {
    aligned(facts.iter().map(|(label, fact)| [(*label).to_owned(), fact.clone()]))
}

/// The same by label.
fn facts_json(facts: &[(&'static str, String)]) -> Value {
    Value::Object(facts.iter().map(|(label, fact)| ((*label).to_owned(), json!(fact))).collect())
}

fn percent(p: f64) -> String {
    // What is left of a sum may be a rounding below nothing.
    format!("{:.2}%", (100.0 * p).max(0.0))
}

/// Writing to a string does not fail.
fn battle_text(odds: &CombatOdds) -> String {
    let mut text = format!("{}\n{}", odds.title, facts(&odds.facts));
    for (at, stage) in odds.stages.iter().enumerate() {
        let same = at > 0 && odds.stages[at - 1].outcomes == stage.outcomes;
        let title = &stage.title;
        if same {
            let _ = writeln!(text, "\n{title}: the same, nothing more is lost");
            continue;
        }
        let sampled = if stage.samples > 0 { format!(", {} samples", stage.samples) } else { String::new() };
        let _ = writeln!(
            text,
            "\n{title}{sampled}: losses in {}, attacker by line, defender by column",
            odds.unit
        );
        let most = |number: fn(&BattleOutcome) -> u32| stage.outcomes.iter().map(number).max().unwrap_or(0);
        let (lines, columns) = (most(|outcome| outcome.attacker_lost), most(|outcome| outcome.defender_lost));
        let losses = |attacker: u32| {
            let both = move |defender: u32| {
                let p = stage
                    .chance(|outcome| (outcome.attacker_lost, outcome.defender_lost) == (attacker, defender));
                if p > 0.0 { percent(p) } else { "-".to_owned() }
            };
            let any = stage.chance(|outcome| outcome.attacker_lost == attacker);
            [attacker.to_string()].into_iter().chain((0..=columns).map(both)).chain([percent(any)])
        };
        let defenders = (0..=columns).map(|defender| defender.to_string());
        let header: Vec<String> =
            [String::new()].into_iter().chain(defenders).chain(["any".to_owned()]).collect();
        text += &table(&header, (0..=lines).map(|attacker| losses(attacker).collect::<Vec<_>>()));
        let shown = figures(odds, stage);
        let asked = at + 1 == odds.stages.len() && !odds.again.is_empty();
        let shown = shown.iter().filter(|figure| figure.name != "again" || asked);
        text += &aligned(shown.map(|figure| {
            let show = |value: f64| if figure.share { percent(value) } else { format!("{value:.4}") };
            let sampled = figure.sampled.as_ref().map_or_else(String::new, |rate| {
                format!("sampled {} (95%: {} to {})", show(rate.value), show(rate.low), show(rate.high))
            });
            [figure.label.clone(), show(figure.exact), sampled]
        }));
    }
    text
}

fn battle_json(odds: &CombatOdds) -> Value {
    let estimate = |rate: Estimate| json!({ "value": rate.value, "low": rate.low, "high": rate.high });
    let stage = |stage: &Stage| {
        let figures: serde_json::Map<String, Value> = figures(odds, stage)
            .into_iter()
            .map(|figure| {
                let value = json!({ "exact": figure.exact, "sampled": figure.sampled.map(estimate) });
                (figure.name.to_owned(), value)
            })
            .collect();
        let outcome = |outcome: &BattleOutcome| {
            json!({
                "attacker_lost": outcome.attacker_lost,
                "defender_lost": outcome.defender_lost,
                "attacker_units": outcome.attacker_units,
                "defender_units": outcome.defender_units,
                "end": outcome.end.id(),
                "advance": outcome.advance,
                "again": outcome.again,
                "probability": outcome.probability,
                "seen": (stage.samples > 0).then_some(outcome.seen),
            })
        };
        let outcomes: Vec<Value> = stage.outcomes.iter().map(outcome).collect();
        json!({ "stage": stage.name, "title": stage.title, "samples": stage.samples, "figures": figures, "outcomes": outcomes })
    };
    json!({
        "battle": odds.title,
        "facts": facts_json(&odds.facts),
        "unit": odds.unit,
        "stages": odds.stages.iter().map(stage).collect::<Vec<_>>(),
    })
}

// ---- tables of odds ----

/// What a table of odds says of each battle; losses are in the system's own unit.
fn outcome_columns(unit: &'static str) -> [Column; 6] {
    let real = |name: &str, unit: &'static str, doc: &str| Column::new(name, Kind::Real, unit, doc);
    [
        real("cleared", "", "probability that the place is cleared"),
        real("eliminated", "", "probability that all defenders are eliminated"),
        real("retreated", "", "probability that the defender retreats"),
        real("advance", "", "probability that the attacker may advance"),
        real("attacker_loss", unit, "expected loss of the attacker"),
        real("defender_loss", unit, "expected loss of the defender"),
    ]
}

/// Fills the [`outcome_columns`] of a battle.
fn fill_outcome(odds: &CombatOdds, battle: &Stage, row: &mut Row<'_>, json: &mut Value) {
    let figures = figures(odds, battle);
    for column in outcome_columns(odds.unit) {
        let exact = figures.iter().find(|figure| figure.name == column.name).map_or(0.0, |f| f.exact);
        row.real(exact);
        json[column.name.as_str()] = json!(exact);
    }
}

fn grid_schema(unit: &'static str) -> Schema {
    let text = |name: &str, doc: &str| Column::new(name, Kind::Text, "", doc).optional();
    Schema {
        name: "odds_grid",
        doc: "one row for each pair of strengths",
        columns: [
            Column::new("attackers", Kind::Int, unit, "attacking strength, in the system's own unit"),
            Column::new("defenders", Kind::Int, unit, "defending strength, in the same unit"),
            text("fault", "why the attack cannot be made; the columns after it are then empty"),
            text("odds", "odds before modifiers, in the first round; empty without a combat table"),
            Column::new("modifiers", Kind::Int, "", "sum of the modifiers, in the first round; likewise")
                .optional(),
            text("column", "column of the combat table, in the first round; likewise"),
        ]
        .into_iter()
        .chain(outcome_columns(unit).map(Column::optional))
        .collect(),
    }
}

fn grid_answer(odds: &CombatOdds) -> Answer {
    let schema = grid_schema(odds.unit);
    let mut rows = Rows::new(&schema);
    let mut cells = Vec::new();
    for cell in &odds.grid {
        let mut row = rows.row();
        row.int(i32::from(cell.attackers)).int(i32::from(cell.defenders));
        let mut json = json!({ "attackers": cell.attackers, "defenders": cell.defenders });
        match &cell.result {
            Err(fault) => {
                row.text(fault);
                for _ in 3..schema.columns.len() {
                    row.none();
                }
                json["fault"] = json!(fault);
            }
            Ok(result) => {
                row.none();
                if let Some(reading) = &result.reading {
                    row.text(&reading.odds).int(reading.modifiers).text(&reading.column);
                    json["odds"] = json!(reading.odds);
                    json["modifiers"] = json!(reading.modifiers);
                    json["column"] = json!(reading.column);
                } else {
                    row.none().none().none();
                }
                fill_outcome(odds, &result.whole, &mut row, &mut json);
            }
        }
        cells.push(json);
    }
    Answer { text: grid_text(odds), json: json!({ "battle": odds.title, "cells": cells }), schema, rows }
}

/// A part of the text of odds by modifiers: what it shows, and how.
type TableView<'a> = (&'a str, fn(&Stage) -> String);

/// A part of the grid's text: what it shows, and how.
type GridView<'a> = (&'a str, fn(&GridResult) -> String);

fn grid_text(odds: &CombatOdds) -> String {
    let mut text = format!("{}\n{}", odds.title, facts(&odds.facts));
    let views: [GridView<'_>; 3] = [
        ("Column of the first round (odds before modifiers)", |result| {
            let reading = result.reading.as_ref();
            reading.map_or_else(String::new, |reading| format!("{} ({})", reading.column, reading.odds))
        }),
        ("Probability that the place is cleared, in the whole battle", |result| {
            percent(result.whole.chance(|outcome| outcome.end != End::Held))
        }),
        ("Expected losses of attacker / defender, in the whole battle", |result| {
            let attacker = result.whole.mean(|outcome| outcome.attacker_lost);
            format!("{attacker:.2} / {:.2}", result.whole.mean(|outcome| outcome.defender_lost))
        }),
    ];
    let is_read = |cell: &GridCell| cell.result.as_ref().is_ok_and(|result| result.reading.is_some());
    let skipped = usize::from(!odds.grid.iter().any(is_read));
    let last = odds.grid.last().map_or((0, 0), |cell| (cell.attackers, cell.defenders));
    for (title, view) in views.into_iter().skip(skipped) {
        let _ = writeln!(text, "\n{title}: attackers by line, defenders by column; - is no attack");
        let header: Vec<String> =
            [String::new()].into_iter().chain((1..=last.1).map(|defenders| defenders.to_string())).collect();
        let lines = odds.grid.chunks(usize::from(last.1).max(1)).map(|line| {
            let shown = |cell: &GridCell| cell.result.as_ref().map_or_else(|_| "-".to_owned(), view);
            [line[0].attackers.to_string()].into_iter().chain(line.iter().map(shown)).collect::<Vec<_>>()
        });
        text += &table(&header, lines);
    }
    text
}

// ---- weather ----

fn weather(systems: &[Box<dyn AnySystem>], args: &WeatherArgs) -> Result<(), Failure> {
    check(&args.output)?;
    check_policies(&args.policies)?;
    let (system, source) = named(systems, &args.system)?;
    let request = WeatherRequest { scenario: source, overrides: &args.set, policies: &args.policies };
    let odds = system.weather(&request)?;
    if args.table == WeatherTable::Draws && odds.draws.is_none() {
        let name = system.info().name;
        return Err(Failure::input(format!("--table draws: nothing is drawn in {name}; expected weather")));
    }
    let such: Vec<bool> = if args.kind.is_empty() {
        (0..odds.kinds.len()).map(|kind| kind == 0).collect()
    } else {
        let mut such = vec![false; odds.kinds.len()];
        for kind in &args.kind {
            let at = odds.kinds.iter().position(|known| known == kind).ok_or_else(|| {
                let names = odds.kinds.iter().map(String::as_str);
                Failure::input(format!("--kind \"{kind}\": {}", expected(kind, names)))
            })?;
            such[at] = true;
        }
        such
    };
    let number = |turn: Option<u32>, flag: &str, other: usize| match turn {
        None => Ok(other),
        Some(turn) => odds.turns.iter().position(|known| known.number == turn).ok_or_else(|| {
            let (first, last) = (odds.turns[0].number, odds.turns[odds.turns.len() - 1].number);
            Failure::input(format!("{flag} {turn}: expected a turn of the scenario, {first} to {last}"))
        }),
    };
    let from = number(args.from, "--from", 0)?;
    let to = number(args.to, "--to", odds.turns.len() - 1)?;
    if to < from {
        return Err(Failure::input("--to is before --from: expected the later turn"));
    }
    let mut answer = weather_answer(&odds, &such, from..to + 1, args.at_least);
    if let Some(draws) = &odds.draws {
        let drawn = draws_answer(&odds, draws, from..to + 1);
        answer.text.push_str(&drawn.text);
        answer.json["draws"] = drawn.json;
        if args.table == WeatherTable::Draws {
            (answer.schema, answer.rows) = (drawn.schema, drawn.rows);
        }
    }
    answer.show(&args.output)
}

/// Consecutive turns of the same season.
fn seasons(odds: &WeatherOdds, turns: &Range<usize>) -> Vec<(String, Range<usize>)> {
    let mut seasons: Vec<(String, Range<usize>)> = Vec::new();
    for turn in turns.clone() {
        let season = &odds.turns[turn].season;
        match seasons.last_mut() {
            Some((name, run)) if name == season => run.end = turn + 1,
            _ => seasons.push((season.clone(), turn..turn + 1)),
        }
    }
    seasons
}

fn distribution_text(distribution: &Pmf<u32>) -> String {
    let parts: Vec<String> =
        distribution.iter().map(|(number, p)| format!("{number}: {}", percent(p))).collect();
    parts.join(", ")
}

fn distribution_json(distribution: &Pmf<u32>) -> Value {
    distribution.iter().map(|(number, p)| json!({ "turns": number, "probability": p })).collect()
}

/// The table of `odds weather` over these fronts and kinds of weather.
pub(super) fn weather_schema(fronts: &[String], kinds: &[String]) -> Schema {
    Schema {
        name: "weather_odds",
        doc: "one row for each front, turn and kind of weather",
        columns: vec![
            Column::new("front", Kind::Word(fronts.into()), "", "front or region"),
            Column::new("turn", Kind::Int, "turns", "game turn"),
            Column::new("date", Kind::Text, "", "when the turn is"),
            Column::new("season", Kind::Text, "", "season of the turn"),
            Column::new("weather", Kind::Word(kinds.into()), "", "kind of weather"),
            Column::new("probability", Kind::Real, "", "probability of this weather on the turn"),
        ],
    }
}

fn weather_answer(odds: &WeatherOdds, such: &[bool], turns: Range<usize>, at_least: Option<u32>) -> Answer {
    let fronts: Vec<String> = odds.fronts.iter().map(|front| front.0.clone()).collect();
    let schema = weather_schema(&fronts, &odds.kinds);
    let mut rows = Rows::new(&schema);
    let asked = WeatherAsked { odds, such, turns, at_least };
    let mut text = format!("{}: {}\n", odds.scenario, odds.source);
    let mut fronts = Vec::new();
    for (front, (name, distribution)) in odds.fronts.iter().enumerate() {
        let by_turn = asked.by_turn(name, distribution, front, &mut text, &mut rows);
        let by_season = asked.by_season(name, distribution, &mut text);
        let counts = asked.counts(name, distribution, &mut text);
        let runs = asked.runs(distribution, &mut text);
        fronts.push(json!({
            "front": name,
            "certain": distribution.is_certain(),
            "by_turn": by_turn,
            "by_season": by_season,
            "asked": counts.asked,
            "count": counts.count,
            "longest_run": counts.longest_run,
            "runs": runs,
        }));
    }
    let json = json!({
        "scenario": odds.scenario,
        "source": odds.source,
        "kinds": odds.kinds,
        "fronts": fronts,
    });
    Answer { text, schema, rows, json }
}

/// What is asked of the weather; each part of the answer writes its text and gives its JSON.
struct WeatherAsked<'a> {
    odds: &'a WeatherOdds,
    /// Which kinds count.
    such: &'a [bool],
    turns: Range<usize>,
    /// How many turns of them are hoped for.
    at_least: Option<u32>,
}

/// How often the weather asked for comes, as JSON.
struct WeatherCounts {
    asked: Value,
    count: Value,
    longest_run: Value,
}

impl WeatherAsked<'_> {
    /// Heads of the columns: the first ones, and a column a kind.
    fn header(&self, first: &[&str]) -> Vec<String> {
        let first = first.iter().map(|&word| word.to_owned());
        first.chain(self.odds.kinds.iter().cloned()).collect()
    }

    /// The probability of each kind, turn by turn; also the rows of the table.
    fn by_turn(
        &self,
        name: &str,
        distribution: &Weather,
        front: usize,
        text: &mut String,
        rows: &mut Rows,
    ) -> Vec<Value> {
        let _ = writeln!(text, "\nBy turn, {name}");
        let mut lines = Vec::new();
        let mut by_turn = Vec::new();
        for turn in self.turns.clone() {
            let WeatherTurn { number, label, season } = &self.odds.turns[turn];
            let at = distribution.at(turn);
            for (kind, p) in at.iter().enumerate() {
                rows.row().word(front).int(*number as i32).text(label).text(season).word(kind).real(*p);
            }
            let mut line = vec![number.to_string(), label.clone()];
            line.extend(at.iter().map(|&p| percent(p)));
            lines.push(line);
            by_turn.push(json!({ "turn": number, "date": label, "season": season, "probability": at }));
        }
        *text += &table(&self.header(&["turn", "date"]), lines);
        by_turn
    }

    /// Expected turns of each kind, season by season.
    fn by_season(&self, name: &str, distribution: &Weather, text: &mut String) -> Vec<Value> {
        let _ = writeln!(text, "\nBy season, {name}: expected turns");
        let mut lines = Vec::new();
        let mut by_season = Vec::new();
        for (season, run) in seasons(self.odds, &self.turns) {
            let mean = |kind: usize| distribution.count(|other| other == kind, run.clone()).mean();
            let means: Vec<f64> = (0..self.odds.kinds.len()).map(mean).collect();
            let shown = means.iter().map(|mean| format!("{mean:.2}"));
            lines.push([season.clone()].into_iter().chain(shown).collect::<Vec<_>>());
            by_season.push(json!({ "season": season, "turns": run.len(), "expected": means }));
        }
        *text += &table(&self.header(&["season"]), lines);
        by_season
    }

    /// How many turns there are of the kinds that count, and how many in a row.
    fn counts(&self, name: &str, distribution: &Weather, text: &mut String) -> WeatherCounts {
        let wanted = |kind: usize| self.such[kind];
        let kinds: Vec<&str> = (self.odds.kinds.iter().zip(self.such))
            .filter(|(_, such)| **such)
            .map(|(kind, _)| kind.as_str())
            .collect();
        let kinds = kinds.join(" or ");
        let count = distribution.count(wanted, self.turns.clone());
        let longest = distribution.longest_run(wanted, self.turns.clone());
        let (first, last) =
            (self.odds.turns[self.turns.start].number, self.odds.turns[self.turns.end - 1].number);
        let _ = writeln!(text, "\nTurns of {kinds} weather from turn {first} to turn {last}, {name}");
        let mut lines = vec![
            ["how many".to_owned(), distribution_text(&count)],
            ["longest run".to_owned(), distribution_text(&longest)],
        ];
        let at_least = self.at_least;
        let chance = at_least.map(|k| count.chance(|&count| count >= k));
        if let (Some(k), Some(p)) = (at_least, chance) {
            lines.push([format!("at least {k}"), percent(p)]);
        }
        *text += &aligned(lines);
        WeatherCounts {
            asked: json!({ "weather": kinds, "from": first, "to": last, "at_least": at_least, "probability": chance }),
            count: distribution_json(&count),
            longest_run: distribution_json(&longest),
        }
    }

    /// How long a run of the kinds that count lasts, by the turn on which it begins.
    fn runs(&self, distribution: &Weather, text: &mut String) -> Vec<Value> {
        let mut runs = Vec::new();
        let mut lines = Vec::new();
        let _ = writeln!(text, "  run beginning on turn");
        for turn in self.turns.clone() {
            let run = distribution.run_from(|kind| self.such[kind], turn);
            // A turn in the middle of a run that is certain begins none.
            let begins = turn == 0
                || !distribution.at(turn - 1).iter().zip(self.such).all(|(p, such)| *such || *p <= 0.0);
            if begins && run.chance(|&length| length > 0) > 0.0 {
                let number = self.odds.turns[turn].number;
                lines.push([number.to_string(), distribution_text(&run)]);
                runs.push(json!({ "turn": number, "length": distribution_json(&run) }));
            }
        }
        *text += &aligned(lines);
        runs
    }
}

// ---- draws ----

/// The table of `odds weather --table draws`.
pub(super) fn draws_schema() -> Schema {
    let text = |name: &str, doc: &str| Column::new(name, Kind::Text, "", doc);
    Schema {
        name: "draw_odds",
        doc: "one row for each thing that can come out of a draw of cards or the like",
        columns: vec![
            Column::new("turn", Kind::Int, "turns", "game turn"),
            text("date", "when the turn is"),
            text("subject", "whose draw it is, or what is compared"),
            text("question", "what is asked"),
            text("outcome", "what can come out"),
            Column::new("probability", Kind::Real, "", "exact probability"),
        ],
    }
}

fn draws_answer(odds: &WeatherOdds, draws: &DrawOdds, turns: Range<usize>) -> Answer {
    let schema = draws_schema();
    let mut rows = Rows::new(&schema);
    let mut text = format!("\nDraws: {}\n", draws.source);
    let mut distributions = Vec::new();
    let mut lines: Vec<(usize, [String; 3])> = Vec::new();
    for distribution in draws.distributions.iter().filter(|distribution| turns.contains(&distribution.turn)) {
        let WeatherTurn { number, label, .. } = &odds.turns[distribution.turn];
        let parts: Vec<String> =
            distribution.outcomes.iter().map(|(outcome, p)| format!("{outcome}: {}", percent(*p))).collect();
        let mean = distribution.mean.map_or_else(String::new, |mean| format!("; mean {mean:.2}"));
        let line = [
            distribution.subject.clone(),
            distribution.question.clone(),
            format!("{}{mean}", parts.join(", ")),
        ];
        lines.push((distribution.turn, line));
        for (outcome, p) in &distribution.outcomes {
            let mut row = rows.row();
            row.int(*number as i32)
                .text(label)
                .text(&distribution.subject)
                .text(&distribution.question)
                .text(outcome)
                .real(*p);
        }
        let outcomes: Vec<Value> = distribution
            .outcomes
            .iter()
            .map(|(outcome, p)| json!({ "outcome": outcome, "probability": p }))
            .collect();
        distributions.push(json!({
            "turn": number,
            "date": label,
            "subject": distribution.subject,
            "question": distribution.question,
            "mean": distribution.mean,
            "outcomes": outcomes,
        }));
    }
    for lines in lines.chunk_by(|one, other| one.0 == other.0) {
        let WeatherTurn { number, label, .. } = &odds.turns[lines[0].0];
        let _ = writeln!(text, "\nDraws, turn {number}, {label}");
        text += &aligned(lines.iter().map(|(_, line)| line.clone()));
    }
    Answer { text, schema, rows, json: json!({ "source": draws.source, "distributions": distributions }) }
}

// ---- odds by modifiers ----

fn by_table_schema(unit: &'static str) -> Schema {
    Schema {
        name: "odds_by_table",
        doc: "one row for each column of the combat table and net modifier of the die",
        columns: [
            Column::new("odds", Kind::Text, "", "column of the combat table"),
            Column::new("modifier", Kind::Int, "", "net modifier of the die"),
        ]
        .into_iter()
        .chain(outcome_columns(unit))
        .collect(),
    }
}

fn by_table_answer(odds: &CombatOdds) -> Answer {
    let schema = by_table_schema(odds.unit);
    let mut rows = Rows::new(&schema);
    let mut cells = Vec::new();
    for cell in &odds.table {
        let mut row = rows.row();
        row.text(&cell.odds).int(i32::from(cell.modifier));
        let mut json = json!({ "odds": cell.odds, "modifier": cell.modifier });
        fill_outcome(odds, &cell.whole, &mut row, &mut json);
        cells.push(json);
    }
    let json = json!({ "battle": odds.title, "cells": cells });
    Answer { text: by_table_text(odds), json, schema, rows }
}

fn by_table_text(odds: &CombatOdds) -> String {
    let mut text = format!("{}\n{}", odds.title, facts(&odds.facts));
    let views: [TableView<'_>; 2] = [
        ("Probability that the place is cleared", |whole| {
            format!("{:.1}%", 100.0 * whole.chance(|outcome| outcome.end != End::Held))
        }),
        ("Expected losses of attacker / defender", |whole| {
            let attacker = whole.mean(|outcome| outcome.attacker_lost);
            format!("{attacker:.2} / {:.2}", whole.mean(|outcome| outcome.defender_lost))
        }),
    ];
    let lines: Vec<&[TableCell]> = odds.table.chunk_by(|one, other| one.odds == other.odds).collect();
    for (title, view) in views {
        let _ = writeln!(text, "\n{title}: odds by line, net modifier of the die by column");
        let modifiers = lines.first().into_iter().flat_map(|line| line.iter());
        let header: Vec<String> =
            [String::new()].into_iter().chain(modifiers.map(|cell| format!("{:+}", cell.modifier))).collect();
        text += &table(
            &header,
            lines.iter().map(|line| {
                let cells = line.iter().map(|cell| view(&cell.whole));
                [line[0].odds.clone()].into_iter().chain(cells).collect::<Vec<_>>()
            }),
        );
    }
    text
}

// ---- initiative ----

fn initiative(systems: &[Box<dyn AnySystem>], args: &InitiativeArgs) -> Result<(), Failure> {
    check(&args.output)?;
    check_policies(&args.policies)?;
    let (system, scenario) = named(systems, &args.system)?;
    let odds = system.initiative(&InitiativeRequest {
        scenario,
        overrides: &args.set,
        policies: &args.policies,
        turn: args.turn,
        samples: args.samples.map(|samples| (samples, args.seed)),
    })?;
    let (schema, rows) = match args.table {
        InitiativeTable::Order => order_table(&odds),
        InitiativeTable::Before => before_table(&odds),
    };
    Answer { text: initiative_text(&odds), json: initiative_json(&odds), schema, rows }.show(&args.output)
}

/// The tables of `odds initiative`, documented.
pub(super) fn initiative_schemas() -> Vec<Schema> {
    let text = |name: &str, doc: &str| Column::new(name, Kind::Text, "", doc);
    let mut order = vec![
        text("side", "whose formation"),
        text("formation", "the formation"),
        Column::new(
            "draw",
            Kind::Int,
            "",
            "the number of the draw among all of the turn, from 1; 0: not drawn",
        ),
    ];
    order.extend(chance_columns("probability that its first marker is drawn then"));
    let mut before = vec![text("formation", "the formation"), text("other", "another one")];
    before.extend(chance_columns(
        "probability that the formation is drawn first of the two; one not drawn comes last",
    ));
    vec![
        Schema { name: "draw_order", doc: "one row for each formation and draw of the turn", columns: order },
        Schema { name: "drawn_before", doc: "one row for each pair of formations", columns: before },
    ]
}

/// The columns of an exact probability and of what was sampled.
fn chance_columns(doc: &str) -> [Column; 4] {
    [
        Column::new("probability", Kind::Real, "", doc),
        Column::new("sampled", Kind::Real, "", "share of the samples").optional(),
        Column::new("sampled_low", Kind::Real, "", "lower end of its 95% interval").optional(),
        Column::new("sampled_high", Kind::Real, "", "upper end of its 95% interval").optional(),
    ]
}

/// Fills the cells of an exact probability and of what was sampled.
fn chance_cells(row: &mut crate::table::Row<'_>, exact: f64, seen: u64, samples: u64) {
    row.real(exact);
    if samples > 0 {
        let rate = wilson(seen, samples);
        row.real(rate.value).real(rate.low).real(rate.high);
    } else {
        row.none().none().none();
    }
}

/// An exact probability in percent, with the share of the samples in brackets.
fn chance_text(exact: f64, seen: u64, samples: u64) -> String {
    match (exact > 0.0, samples) {
        (false, _) if seen == 0 => "-".to_owned(),
        (_, 0) => format!("{:.1}%", 100.0 * exact),
        (_, samples) => format!("{:.1}% ({:.1}%)", 100.0 * exact, 100.0 * wilson(seen, samples).value),
    }
}

/// An exact probability, and what was sampled.
fn chance_json(exact: f64, seen: u64, samples: u64) -> Value {
    let sampled = (samples > 0).then(|| {
        let rate = wilson(seen, samples);
        json!({ "value": rate.value, "low": rate.low, "high": rate.high })
    });
    json!({ "exact": exact, "sampled": sampled })
}

fn not_drawn(draw: &DrawOrder, samples: u64) -> (f64, u64) {
    let never = (1.0 - draw.chances.iter().sum::<f64>()).max(0.0);
    // Rounding is no chance.
    (if never < 1e-9 { 0.0 } else { never }, samples - draw.seen.iter().sum::<u64>().min(samples))
}

fn order_table(odds: &InitiativeOdds) -> (Schema, Rows) {
    let schema = initiative_schemas().swap_remove(0);
    let mut rows = Rows::new(&schema);
    for draw in &odds.draws {
        let mut add = |number: usize, exact: f64, seen: u64| {
            let mut row = rows.row();
            row.text(draw.side).text(&draw.id).int(number as i32);
            chance_cells(&mut row, exact, seen, odds.samples);
        };
        for (at, (exact, seen)) in draw.chances.iter().zip(&draw.seen).enumerate() {
            add(at + 1, *exact, *seen);
        }
        let (exact, seen) = not_drawn(draw, odds.samples);
        add(0, exact, seen);
    }
    (schema, rows)
}

fn before_table(odds: &InitiativeOdds) -> (Schema, Rows) {
    let schema = initiative_schemas().swap_remove(1);
    let mut rows = Rows::new(&schema);
    for (at, draw) in odds.draws.iter().enumerate() {
        for (other, next) in odds.draws.iter().enumerate().filter(|(other, _)| *other != at) {
            let mut row = rows.row();
            row.text(&draw.id).text(&next.id);
            chance_cells(&mut row, draw.before[other], draw.seen_before[other], odds.samples);
        }
    }
    (schema, rows)
}

fn initiative_text(odds: &InitiativeOdds) -> String {
    let mut text = format!("{}\n{}", odds.title, facts(&odds.facts));
    let sampled = if odds.samples > 0 { format!(", {} turns sampled", odds.samples) } else { String::new() };
    let cell = |exact: f64, seen: u64| chance_text(exact, seen, odds.samples);
    let draws = odds.draws.first().map_or(0, |draw| draw.chances.len());
    let _ =
        writeln!(text, "\nWhen the first marker of each formation is drawn, by number of the draw{sampled}");
    let mut header = vec!["formation".to_owned(), "side".to_owned(), "markers".to_owned()];
    header.extend((1..=draws).map(|number| number.to_string()));
    header.push("never".to_owned());
    text += &table(
        &header,
        odds.draws.iter().map(|draw| {
            let mut line = vec![draw.id.clone(), draw.side.to_owned(), draw.markers.to_string()];
            line.extend(draw.chances.iter().zip(&draw.seen).map(|(exact, seen)| cell(*exact, *seen)));
            let (exact, seen) = not_drawn(draw, odds.samples);
            line.push(cell(exact, seen));
            line
        }),
    );
    let _ = writeln!(text, "\nWhich is drawn before which: the line before the column{sampled}");
    let mut header = vec![String::new()];
    header.extend(odds.draws.iter().map(|draw| draw.id.clone()));
    text += &table(
        &header,
        odds.draws.iter().enumerate().map(|(at, draw)| {
            let chances = draw.before.iter().zip(&draw.seen_before).enumerate();
            let cells = chances.map(
                |(other, (exact, seen))| {
                    if other == at { String::new() } else { cell(*exact, *seen) }
                },
            );
            [draw.id.clone()].into_iter().chain(cells).collect::<Vec<_>>()
        }),
    );
    text
}

fn initiative_json(odds: &InitiativeOdds) -> Value {
    let chance = |exact: f64, seen: u64| chance_json(exact, seen, odds.samples);
    let formation = |draw: &DrawOrder| {
        let (never, never_seen) = not_drawn(draw, odds.samples);
        let chances: Vec<Value> =
            draw.chances.iter().zip(&draw.seen).map(|(exact, seen)| chance(*exact, *seen)).collect();
        let before: serde_json::Map<String, Value> = odds
            .draws
            .iter()
            .zip(draw.before.iter().zip(&draw.seen_before))
            .filter(|(other, _)| other.id != draw.id)
            .map(|(other, (exact, seen))| (other.id.clone(), chance(*exact, *seen)))
            .collect();
        json!({
            "formation": draw.id,
            "name": draw.name,
            "side": draw.side,
            "markers": draw.markers,
            "draws": chances,
            "never": chance(never, never_seen),
            "before": before,
        })
    };
    json!({
        "title": odds.title,
        "facts": facts_json(&odds.facts),
        "samples": odds.samples,
        "formations": odds.draws.iter().map(formation).collect::<Vec<_>>(),
    })
}
