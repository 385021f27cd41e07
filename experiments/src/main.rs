//! The `sandtable` program.

use std::io::{Write, stderr};
use std::process::ExitCode;

use sandtable::cli::Cli;
use sandtable::failure::Failure;
use sandtable::{build_info, commands, systems};

fn main() -> ExitCode {
    build_info::built_from(env!("SANDTABLE_COMMIT"));
    let cli = match Cli::read() {
        Ok(cli) => cli,
        Err(error) => {
            return match error.print().map_err(Failure::from) {
                Err(failure) if !matches!(failure, Failure::ClosedPipe) => {
                    // If this cannot be written either, nobody is there to read it.
                    let _ = writeln!(stderr(), "{failure}");
                    ExitCode::from(failure.exit_code())
                }
                _ => ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2)),
            };
        }
    };
    match commands::run(&cli, &systems::all()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if !matches!(failure, Failure::ClosedPipe) {
                eprintln!("{failure}");
            }
            ExitCode::from(failure.exit_code())
        }
    }
}
