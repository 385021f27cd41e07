//! `sandtable replay`

use std::fs;
use std::io::{Write, stdout};
use std::path::Path;

use anyhow::Context;
use sandtable_core::SideInfo;

use super::output::{check_drawing, save_drawing};
use crate::cli::ReplayArgs;
use crate::draw::board::Board;
use crate::draw::replay::{Frames, replay_page};
use crate::failure::Failure;
use crate::run::folder::{table_file, verified_receipt};
use crate::run::manifest::{Identity, Manifest};
use crate::system::board::Position;
use crate::system::{AnyScenario, AnySystem, Chronicle, ReplayRequest, Story, open};
use crate::table::read::read;

pub(super) fn run(systems: &[Box<dyn AnySystem>], args: &ReplayArgs) -> Result<(), Failure> {
    for path in args.html.iter().chain(&args.svg) {
        check_drawing(path)?;
    }
    let Recorded { scenario, mut request, title } = recorded_game(systems, &args.run, args.game)?;
    request.until = args.until;
    if args.html.is_some() || args.svg.is_some() {
        return draw(scenario.as_ref(), &request, &title, args);
    }
    let mut out = stdout().lock();
    writeln!(out, "{title}")?;
    if let Story::Whole(decisions) = scenario.replay(&request, &mut Telling(&mut out))? {
        writeln!(out, "{decisions} decisions")?;
    }
    Ok(())
}

/// A game of a run that can be played again.
pub(super) struct Recorded<'a> {
    /// Its scenario.
    pub scenario: Box<dyn AnyScenario + 'a>,
    /// The whole game.
    pub request: ReplayRequest,
    /// Which game it is, in words.
    pub title: String,
}

/// Finds a game of a run.
pub(super) fn recorded_game<'a>(
    systems: &'a [Box<dyn AnySystem>],
    run: &Path,
    game: u64,
) -> Result<Recorded<'a>, Failure> {
    let manifest = Manifest::read(run)?;
    let identity = &manifest.identity;
    if game >= identity.games {
        return Err(Failure::input(format!(
            "--game {game}: the run in {} has games 0 to {}",
            run.display(),
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
            run.display()
        )));
    }
    let choices = if setup.extras.records {
        Some(recorded(run, game, identity, scenario.sides())?)
    } else {
        // Without a record the agents choose again, and the same.
        None
    };
    let title = format!("{}, seed {}, game {game}", identity.scenario, identity.seed);
    let request = ReplayRequest { seed: identity.seed, game, agents: setup.agents, choices, until: None };
    Ok(Recorded { scenario, request, title })
}

/// The story as text, line by line.
struct Telling<'a>(&'a mut dyn Write);

impl Chronicle for Telling<'_> {
    fn turn(&mut self, _: u32, label: &str, _: &dyn Fn() -> Position) -> Result<(), Failure> {
        Ok(writeln!(self.0, "== {label}")?)
    }

    fn decision(&mut self, side: &str, words: &str) -> Result<(), Failure> {
        Ok(writeln!(self.0, "  {side}: {words}")?)
    }

    fn fact(&mut self, words: &str, _: bool) -> Result<(), Failure> {
        Ok(writeln!(self.0, "    {words}")?)
    }

    fn end(&mut self, result: Option<&str>, _: &dyn Fn() -> Position) -> Result<(), Failure> {
        match result {
            Some(words) => Ok(writeln!(self.0, "== the end: {words}")?),
            None => Ok(()),
        }
    }
}

/// The story as a page, its last board as a picture.
fn draw(
    scenario: &dyn AnyScenario,
    request: &ReplayRequest,
    title: &str,
    args: &ReplayArgs,
) -> Result<(), Failure> {
    let board = Board::new(&super::render::map_of(scenario)?, scenario.sides());
    let mut frames = Frames::default();
    scenario.replay(request, &mut frames)?;
    if let (Some(path), Some(last)) = (&args.svg, frames.list.last()) {
        save_drawing(path, &board.picture(title, &last.label, &last.position))?;
    }
    if let Some(path) = &args.html {
        save_drawing(path, &replay_page(&board, title, &frames.list)?)?;
    }
    Ok(())
}

/// The recorded choices of the game.
fn recorded(run: &Path, game: u64, identity: &Identity, sides: &[SideInfo]) -> Result<Vec<usize>, Failure> {
    let format = identity.table_format()?;
    let part = game / identity.part_games;
    if verified_receipt(run, part, identity, sides)?.is_none() {
        return Err(Failure::input(format!(
            "game {game} is not in this folder: there is no part {part} in {}",
            run.display()
        )));
    }
    let path = run.join(table_file("records", part, format));
    let bytes = fs::read(&path).map_err(|error| Failure::file("read", &path, &error))?;
    let damaged = |error: anyhow::Error| Failure::input(format!("{} is damaged: {error:#}", path.display()));
    let table = read(format, bytes).map_err(damaged)?;
    let column = |name| table.column(name).with_context(|| format!("no column {name}")).map_err(damaged);
    let game = game.to_string();
    column("game")?
        .zip(column("choice")?)
        .filter(|(number, _)| *number == game)
        .map(|(_, choice)| choice.parse::<usize>().map_err(|error| damaged(error.into())))
        .collect()
}
