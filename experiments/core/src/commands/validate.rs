//! `sandtable validate`

use std::io::{Write, stdout};

use crate::cli::ValidateArgs;
use crate::failure::Failure;
use crate::system::{AnySystem, open};

/// Random games that show whether the data can be played.
const TRIAL_GAMES: u64 = 3;

pub(super) fn run(systems: &[Box<dyn AnySystem>], args: &ValidateArgs) -> Result<(), Failure> {
    let scenario = open(systems, &args.scenario, &[])?;
    let report = scenario.trial(TRIAL_GAMES).map_err(|failure| {
        Failure::input(format!(
            "{} can be read, but a random game of it goes wrong: {failure}",
            args.scenario
        ))
    })?;
    writeln!(
        stdout().lock(),
        "{} is valid: {} random games of {} decisions satisfy the invariants of the game; data hash {:016x}",
        args.scenario,
        report.games,
        report.decisions,
        scenario.hash()
    )?;
    Ok(())
}
