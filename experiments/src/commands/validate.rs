//! `sandtable validate`

use std::io::{Write, stdout};

use crate::cli::ValidateArgs;
use crate::failure::Failure;
use crate::system::{AnySystem, open};

pub(super) fn run(systems: &[Box<dyn AnySystem>], args: &ValidateArgs) -> Result<(), Failure> {
    let scenario = open(systems, &args.scenario, &[])?;
    writeln!(stdout().lock(), "{} is valid; data hash {:016x}", args.scenario, scenario.hash())?;
    Ok(())
}
