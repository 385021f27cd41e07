//! `sandtable replay`

use std::fs;
use std::io::{Write, stdout};

use anyhow::Context;

use crate::cli::ReplayArgs;
use crate::failure::Failure;
use crate::run::folder::table_file;
use crate::run::manifest::{Identity, Manifest};
use crate::system::{AnySystem, ReplayRequest, Story, open};
use crate::table::read::read;

pub(super) fn run(systems: &[Box<dyn AnySystem>], args: &ReplayArgs) -> Result<(), Failure> {
    let manifest = Manifest::read(&args.run)?;
    let identity = &manifest.identity;
    if args.game >= identity.games {
        return Err(Failure::input(format!(
            "--game {}: the run in {} has games 0 to {}",
            args.game,
            args.run.display(),
            identity.games - 1
        )));
    }
    let overrides = identity.parsed_overrides()?;
    let scenario = open(systems, &identity.scenario, &overrides)?;
    let setup = identity.setup(scenario.as_ref())?;
    let format = identity.table_format()?;
    let now =
        Identity::new(scenario.as_ref(), &overrides, &setup, (identity.games, identity.part_games), format);
    if let Some((what, now, then)) = now.difference(identity) {
        return Err(Failure::input(format!(
            "the run in {} cannot be told again: {what} was {then} then and is {now} now",
            args.run.display()
        )));
    }
    let choices = if setup.extras.records {
        Some(recorded(args, identity)?)
    } else {
        // Without a record the agents choose again, and the same.
        None
    };
    let request = ReplayRequest {
        seed: identity.seed,
        game: args.game,
        agents: setup.agents,
        choices,
        until: args.until,
    };
    let mut out = stdout().lock();
    writeln!(out, "{}, seed {}, game {}", identity.scenario, identity.seed, args.game)?;
    if let Story::Whole(decisions) = scenario.replay(&request, &mut out)? {
        writeln!(out, "{decisions} decisions")?;
    }
    Ok(())
}

/// The recorded choices of the game.
fn recorded(args: &ReplayArgs, identity: &Identity) -> Result<Vec<usize>, Failure> {
    let format = identity.table_format()?;
    let path = args.run.join(table_file("records", args.game / identity.part_games, format));
    let bytes = fs::read(&path).map_err(|error| {
        Failure::input(format!(
            "game {} is not in this folder: cannot read {}: {error}",
            args.game,
            path.display()
        ))
    })?;
    let damaged = |error: anyhow::Error| Failure::input(format!("{} is damaged: {error:#}", path.display()));
    let table = read(format, bytes).map_err(damaged)?;
    let column = |name| table.column(name).with_context(|| format!("no column {name}")).map_err(damaged);
    let game = args.game.to_string();
    column("game")?
        .zip(column("choice")?)
        .filter(|(number, _)| *number == game)
        .map(|(_, choice)| choice.parse::<usize>().map_err(|error| damaged(error.into())))
        .collect()
}
