//! `sandtable export`

use std::io::{Write, stdout};

use super::require_empty;
use crate::cli::ExportArgs;
use crate::failure::{Failure, expected};
use crate::system::AnySystem;

pub(super) fn run(systems: &[Box<dyn AnySystem>], args: &ExportArgs) -> Result<(), Failure> {
    let name = args.scenario.as_str();
    let ids: Vec<Vec<String>> = systems
        .iter()
        .map(|system| system.scenarios().into_iter().map(|scenario| scenario.id).collect())
        .collect();
    let place = ids.iter().position(|ids| ids.iter().any(|id| id == name)).ok_or_else(|| {
        let ids = ids.iter().flatten().map(String::as_str);
        Failure::input(format!("unknown scenario \"{name}\": {}", expected(name, ids)))
    })?;
    require_empty(&args.folder)?;
    systems[place].export(name, &args.folder)?;
    let folder = args.folder.display();
    writeln!(stdout().lock(), "{name} is in {folder}; edit it and play it with: sandtable play {folder}")?;
    Ok(())
}
