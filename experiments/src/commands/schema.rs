//! `sandtable schema`

use std::io::{Write, stdout};

use crate::cli::SchemaArgs;
use crate::failure::{Failure, expected};
use crate::lab::{balance, compare, sweep, tournament};
use crate::system::{AnySystem, Extras, open};

pub(super) fn run(systems: &[Box<dyn AnySystem>], args: &SchemaArgs) -> Result<(), Failure> {
    let scenario = open(systems, &args.scenario, &[])?;
    let mut tables = scenario.tables(Extras { decisions: true, records: true });
    tables.extend(tournament::tables::schemas(scenario.sides()));
    tables.extend(balance::tables::schemas(scenario.sides()));
    tables.extend(compare::tables::schemas(scenario.sides()));
    tables.extend(sweep::tables::schemas(scenario.sides()));
    let wanted = |name: &str| args.table.as_deref().is_none_or(|table| table == name);
    if let Some(table) =
        args.table.as_deref().filter(|table| !tables.iter().any(|known| known.name == *table))
    {
        let names = tables.iter().map(|table| table.name);
        return Err(Failure::input(format!("unknown table \"{table}\": {}", expected(table, names))));
    }
    let mut out = stdout().lock();
    for table in tables.iter().filter(|table| wanted(table.name)) {
        writeln!(out, "{}: {}", table.name, table.doc)?;
        for column in &table.columns {
            let unit = if column.unit.is_empty() { String::new() } else { format!(" [{}]", column.unit) };
            let optional = if column.optional { ", may be missing" } else { "" };
            writeln!(out, "  {:<20} {}{optional}{unit}: {}", column.name, column.kind.name(), column.doc)?;
        }
    }
    Ok(())
}
