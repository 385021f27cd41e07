//! The commands, one module each.

mod analyse;
mod balance;
mod bench;
mod check;
mod compare;
mod completions;
mod describe;
mod export;
mod learn;
mod list;
mod man;
mod merge;
mod odds;
mod output;
mod play;
mod recorded;
mod render;
mod replay;
mod report;
mod rules;
mod schema;
mod study;
mod sweep;
mod tournament;
mod tune;
mod validate;

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::cli::{Cli, Command};
use crate::failure::{Failure, Full};
use crate::manifest::MANIFEST;
use crate::system::AnySystem;

/// Does what the command line says, with these systems.
///
/// # Errors
/// As [`Failure`] tells.
pub fn run(cli: &Cli, systems: &[Box<dyn AnySystem>]) -> Result<(), Failure> {
    obey(&cli.command, systems).map_err(|failure| match failure {
        Failure::Full(full) => Failure::Full(Full { go_on: go_on(&cli.command, &full), ..full }),
        other => other,
    })
}

/// How to go on with the work in the folder of a file for which there was no room; none if the command leaves nothing
/// to go on with.
fn go_on(command: &Command, full: &Full) -> Option<String> {
    let root =
        full.file.as_ref()?.ancestors().skip(1).find(|folder| folder.join(MANIFEST).exists())?.display();
    match command {
        Command::Play(_) => Some(format!("go on with: sandtable play --resume --out {root}")),
        Command::Tournament(_) => Some(format!("go on with: sandtable tournament --out {root}")),
        Command::Analyse(_) => Some(format!("go on with the same command and --out {root}")),
        Command::Balance(_) => Some(format!("go on with: sandtable balance --out {root}")),
        Command::Compare(_) => Some(format!("go on with: sandtable compare --out {root}")),
        Command::Sweep(_) | Command::Tune(_) => Some(format!("go on with the same command and --out {root}")),
        _ => None,
    }
}

fn obey(command: &Command, systems: &[Box<dyn AnySystem>]) -> Result<(), Failure> {
    match command {
        Command::List(args) => list::run(systems, args),
        Command::Describe(args) => describe::run(systems, args),
        Command::Play(args) => play::run(systems, args),
        Command::Tournament(args) => tournament::run(systems, args),
        Command::Balance(args) => balance::run(systems, args),
        Command::Compare(args) => compare::run(systems, args),
        Command::Sweep(args) => sweep::run(systems, args),
        Command::Tune(args) => tune::run(systems, args),
        Command::Learn(args) => learn::run(systems, args),
        Command::Merge(args) => merge::run(systems, args),
        Command::Render(args) => render::run(systems, args),
        Command::Report(args) => report::run(systems, args),
        Command::Analyse(args) => analyse::run(systems, args),
        Command::Replay(args) => replay::run(systems, args),
        Command::Check(args) => check::run(systems, args),
        Command::Rules(args) => rules::run(systems, args),
        Command::Export(args) => export::run(systems, args),
        Command::Validate(args) => validate::run(systems, args),
        Command::Odds(command) => odds::run(systems, command),
        Command::Schema(args) => schema::run(systems, args),
        Command::Bench(args) => bench::run(systems, args),
        Command::Completions(args) => completions::run(args),
        Command::Man(args) => man::run(args),
    }
}

/// Fails unless the folder is empty or does not exist.
fn require_empty(folder: &Path) -> Result<(), Failure> {
    let refuse =
        |what: &str| Failure::input(format!("{}: {what}; expected a new or empty folder", folder.display()));
    match fs::read_dir(folder) {
        Ok(mut entries) => match entries.next() {
            None => Ok(()),
            Some(_) => Err(refuse("the folder is not empty")),
        },
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(refuse(&error.to_string())),
    }
}
