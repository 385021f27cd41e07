//! `sandtable completions`

use std::io::{Write, stdout};

use clap::CommandFactory;

use crate::cli::{Cli, CompletionsArgs};
use crate::failure::Failure;

pub(super) fn run(args: &CompletionsArgs) -> Result<(), Failure> {
    // Into memory first: the generator panics where its output is closed, such as by `head`.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "sandtable", &mut script);
    Ok(stdout().lock().write_all(&script)?)
}
