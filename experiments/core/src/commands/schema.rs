//! `sandtable schema`

use std::io::{Write, stdout};

use sandtable_core::SideInfo;
use serde_json::{Value, json};

use super::odds;
use super::output;
use crate::cli::SchemaArgs;
use crate::failure::{Failure, expected};
use crate::lab::{analysis, balance, compare, sweep, tournament, tune};
use crate::system::{AnyScenario, AnySystem, Extras, open};
use crate::table::{Column, Kind, Schema};

/// A table, and who writes it.
struct Entry {
    /// The command.
    command: &'static str,
    /// The scenario whose sides and words are in the columns; none if they do not depend on it.
    scenario: Option<String>,
    /// The systems whose games bring it; none if all do, or if only one was asked for.
    systems: Vec<&'static str>,
    schema: Schema,
}

impl Entry {
    /// The systems in words.
    fn only(&self) -> String {
        match &self.systems[..] {
            [] => String::new(),
            systems => format!(" ({})", systems.join(", ")),
        }
    }
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
        let of_one_name = tables.windows(2).all(|pair| pair[0].schema.name == pair[1].schema.name);
        for table in &tables {
            write_table(&mut out, table, args.table.is_none() && of_one_name)?;
        }
    } else {
        for tables in tables.chunk_by(|one, other| one.command == other.command) {
            writeln!(out, "sandtable {}", tables[0].command)?;
            let line = |table: &Entry| {
                [table.schema.name.to_owned(), format!("{}{}", table.schema.doc, table.only())]
            };
            write!(out, "{}", output::aligned(tables.iter().map(line)))?;
        }
    }
    Ok(())
}

/// The table of this name, or else all tables of the scenario of this name.
fn named(systems: &[Box<dyn AnySystem>], name: &str) -> Result<(Vec<Entry>, bool), Failure> {
    let (found, all): (Vec<Entry>, Vec<Entry>) =
        catalogue(systems)?.into_iter().partition(|table| table.schema.name == name);
    if !found.is_empty() {
        return Ok((found, true));
    }
    match open(systems, name, &[]) {
        Ok(scenario) => Ok((tables_of(scenario.as_ref()), true)),
        // What looks like a scenario was meant to be one.
        Err(failure) if name.contains('/') || std::path::Path::new(name).exists() => Err(failure),
        Err(_) => {
            // Several systems may each have a table of one name.
            let mut names: Vec<&str> = Vec::new();
            for table in &all {
                if !names.contains(&table.schema.name) {
                    names.push(table.schema.name);
                }
            }
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

/// All tables of all commands: each once, with the columns of the first scenario that has it, or once for each of the
/// systems that mean different things by its name.
fn catalogue(systems: &[Box<dyn AnySystem>]) -> Result<Vec<Entry>, Failure> {
    let mut all: Vec<(Vec<Shape>, Entry)> = Vec::new();
    for system in systems {
        let Some(first) = system.scenarios().into_iter().next() else { continue };
        let scenario = open(systems, &first.id, &[])?;
        let id = system.info().id;
        for mut table in tables_of(scenario.as_ref()) {
            let shape = shape_of(&table.schema, scenario.sides());
            let same = |known: &&mut (Vec<Shape>, Entry)| {
                known.1.schema.name == table.schema.name && known.0 == shape
            };
            if let Some((_, known)) = all.iter_mut().find(same) {
                known.systems.push(id);
                continue;
            }
            table.systems.push(id);
            // Beside others of its name, or else of its command.
            let of_name = all.iter().rposition(|(_, known)| known.schema.name == table.schema.name);
            let of_command = || all.iter().rposition(|(_, known)| known.command == table.command);
            let after = of_name.or_else(of_command);
            all.insert(after.map_or(all.len(), |after| after + 1), (shape, table));
        }
    }
    let mut all: Vec<Entry> = all.into_iter().map(|(_, table)| table).collect();
    for table in &mut all {
        if table.systems.len() == systems.len() {
            table.systems.clear();
        }
    }
    Ok(all)
}

/// A column as it is in all scenarios of its kind: name, type, unit, and whether values may be missing.
type Shape = (String, &'static str, &'static str, bool);

/// The columns of a table, those that are there for each side once.
fn shape_of(schema: &Schema, sides: &[SideInfo]) -> Vec<Shape> {
    let mut shape: Vec<Shape> = Vec::new();
    for column in &schema.columns {
        let side = sides.iter().find_map(|side| column.name.strip_suffix(side.id)?.strip_suffix('_'));
        let name = side.map_or_else(|| column.name.clone(), |stem| format!("{stem}_SIDE"));
        let column = (name, column.kind.name(), column.unit, column.optional);
        if !shape.contains(&column) {
            shape.push(column);
        }
    }
    shape
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
        of("analyse", &own, vec![analysis::schema(sides)]),
        of("odds combat", &None, odds::battle_schemas()),
        of("odds weather", &None, vec![odds::weather_schema(&[], &[]), odds::draws_schema()]),
        of("odds initiative", &None, odds::initiative_schemas()),
        of("odds reactions", &None, odds::reaction_schemas().into()),
        of("odds events", &None, vec![odds::event_schema()]),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn write_table(out: &mut impl Write, table: &Entry, with_note: bool) -> Result<(), Failure> {
    let Entry { command, scenario, schema, .. } = table;
    let only = table.only();
    writeln!(out, "{}: {}; written by sandtable {command}{only}", schema.name, schema.doc)?;
    let line = |Column { name, kind, unit, doc, optional, partition }: &Column| {
        let missing = if *optional { ", may be missing" } else { "" };
        let path = if *partition { ", in the path" } else { "" };
        [name.clone(), format!("{}{missing}{path}", kind.name()), (*unit).to_owned(), doc.clone()]
    };
    write!(
        out,
        "{}",
        output::table(&["column", "type", "unit", "meaning"], schema.columns.iter().map(line))
    )?;
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
        "systems": table.systems,
        "doc": table.schema.doc,
        "columns": table.schema.columns.iter().map(column).collect::<Vec<_>>(),
    })
}
