//! `sandtable schema`

use std::io::{Write, stdout};

use serde_json::{Value, json};

use super::odds;
use crate::cli::SchemaArgs;
use crate::failure::{Failure, expected};
use crate::lab::{balance, compare, sweep, tournament, tune};
use crate::system::{AnyScenario, AnySystem, Extras, open};
use crate::table::{Column, Kind, Schema};

/// A table, and who writes it.
struct Entry {
    /// The command.
    command: &'static str,
    /// The scenario whose sides and words are in the columns; none if they do not depend on it.
    scenario: Option<String>,
    /// The systems whose games bring it; none if all do.
    systems: Vec<&'static str>,
    schema: Schema,
}

pub(super) fn run(systems: &[Box<dyn AnySystem>], args: &SchemaArgs) -> Result<(), Failure> {
    let (tables, in_full) = match (&args.name, &args.table) {
        (None, _) => (catalogue(systems)?, false),
        (Some(name), None) => named(systems, name)?,
        (Some(scenario), Some(table)) => {
            let scenario = open(systems, scenario, &[])?;
            (vec![find(tables_of(scenario.as_ref()), table)?], true)
        }
    };
    let mut out = stdout().lock();
    if args.json {
        let all: Vec<Value> = tables.iter().map(as_json).collect();
        writeln!(out, "{}", serde_json::to_string_pretty(&all).map_err(anyhow::Error::from)?)?;
    } else if in_full {
        for table in &tables {
            write_table(&mut out, table, args.table.is_none() && tables.len() == 1)?;
        }
    } else {
        let mut command = "";
        for table in &tables {
            if table.command != command {
                command = table.command;
                writeln!(out, "sandtable {command}")?;
            }
            let only = match &table.systems[..] {
                [] => String::new(),
                systems => format!(" ({})", systems.join(", ")),
            };
            writeln!(out, "  {:<21} {}{only}", table.schema.name, table.schema.doc)?;
        }
    }
    Ok(())
}

/// The table of this name, or else all tables of the scenario of this name.
fn named(systems: &[Box<dyn AnySystem>], name: &str) -> Result<(Vec<Entry>, bool), Failure> {
    let mut all = catalogue(systems)?;
    if let Some(at) = all.iter().position(|table| table.schema.name == name) {
        return Ok((vec![all.swap_remove(at)], true));
    }
    match open(systems, name, &[]) {
        Ok(scenario) => Ok((tables_of(scenario.as_ref()), true)),
        // What looks like a scenario was meant to be one.
        Err(failure) if name.contains('/') || std::path::Path::new(name).exists() => Err(failure),
        Err(_) => {
            let names = all.iter().map(|table| table.schema.name);
            Err(Failure::input(format!("unknown table or scenario \"{name}\": {}", expected(name, names))))
        }
    }
}

fn find(mut tables: Vec<Entry>, name: &str) -> Result<Entry, Failure> {
    if let Some(at) = tables.iter().position(|table| table.schema.name == name) {
        return Ok(tables.swap_remove(at));
    }
    let names = tables.iter().map(|table| table.schema.name);
    Err(Failure::input(format!("unknown table \"{name}\": {}", expected(name, names))))
}

/// All tables of all commands, each once: with the columns of the first scenario that has it.
fn catalogue(systems: &[Box<dyn AnySystem>]) -> Result<Vec<Entry>, Failure> {
    let mut all: Vec<Entry> = Vec::new();
    for system in systems {
        let Some(first) = system.scenarios().into_iter().next() else { continue };
        let scenario = open(systems, &first.id, &[])?;
        let id = system.info().id;
        for mut table in tables_of(scenario.as_ref()) {
            if let Some(known) = all.iter_mut().find(|known| known.schema.name == table.schema.name) {
                known.systems.push(id);
                continue;
            }
            table.systems.push(id);
            // Beside the others of its command.
            let after = all.iter().rposition(|known| known.command == table.command);
            all.insert(after.map_or(all.len(), |after| after + 1), table);
        }
    }
    for table in &mut all {
        if table.systems.len() == systems.len() {
            table.systems.clear();
        }
    }
    Ok(all)
}

/// The tables of all commands, as they are in a scenario.
fn tables_of(scenario: &dyn AnyScenario) -> Vec<Entry> {
    let sides = scenario.sides();
    let own = Some(scenario.id().to_owned());
    let of = |command: &'static str, scenario: &Option<String>, schemas: Vec<Schema>| {
        let entry = |schema| Entry { command, scenario: scenario.clone(), systems: Vec::new(), schema };
        schemas.into_iter().map(entry).collect::<Vec<Entry>>()
    };
    [
        of("play", &own, scenario.tables(Extras { decisions: true, records: true })),
        of("tournament", &own, tournament::tables::schemas(sides)),
        of("balance", &own, balance::tables::schemas(sides)),
        of("compare", &own, compare::tables::schemas(sides)),
        of("sweep", &own, sweep::tables::schemas(sides)),
        of("tune", &own, tune::schemas(sides)),
        of("odds combat", &None, odds::battle_schemas()),
        of("odds weather", &None, vec![odds::weather_schema(&[], &[]), odds::draws_schema()]),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn write_table(out: &mut impl Write, table: &Entry, with_note: bool) -> Result<(), Failure> {
    let Entry { command, scenario, schema, .. } = table;
    writeln!(out, "{}: {}; written by sandtable {command}", schema.name, schema.doc)?;
    for Column { name, kind, unit, doc, optional, partition } in &schema.columns {
        let unit = if unit.is_empty() { String::new() } else { format!(" [{unit}]") };
        let missing = if *optional { ", may be missing" } else { "" };
        let path = if *partition { ", in the path" } else { "" };
        writeln!(out, "  {name:<20} {}{missing}{path}{unit}: {doc}", kind.name())?;
    }
    if let (true, Some(scenario)) = (with_note, scenario) {
        let name = schema.name;
        writeln!(
            out,
            "(of {scenario}; with the sides of another scenario: sandtable schema SCENARIO {name})"
        )?;
    }
    Ok(())
}

fn as_json(table: &Entry) -> Value {
    let column = |column: &Column| {
        let mut fields = json!({
            "name": column.name,
            "type": column.kind.name(),
            "unit": column.unit,
            "doc": column.doc,
            "optional": column.optional,
            "partition": column.partition,
        });
        if let Kind::Word(words) = &column.kind
            && !words.is_empty()
        {
            fields["values"] = json!(words[..]);
        }
        fields
    };
    json!({
        "table": table.schema.name,
        "command": table.command,
        "scenario": table.scenario,
        "doc": table.schema.doc,
        "columns": table.schema.columns.iter().map(column).collect::<Vec<_>>(),
    })
}
