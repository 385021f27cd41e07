//! `sandtable man`

use std::fs;
use std::io::{Write, stdout};

use clap::CommandFactory;

use crate::cli::{Cli, ManArgs};
use crate::failure::Failure;

/// Writes `sandtable.1` and a page for each command, such as `sandtable-odds-combat.1`. Pages that are there are
/// written anew.
pub(super) fn run(args: &ManArgs) -> Result<(), Failure> {
    let folder = &args.folder;
    fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(Cli::command(), folder))
        .map_err(|error| Failure::unwritable(folder, &error).within(&folder.display().to_string()))?;
    writeln!(stdout().lock(), "manual pages in {}; read one: man {0}/sandtable.1", folder.display())?;
    Ok(())
}
