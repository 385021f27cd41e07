//! `sandtable replay`

use std::io::{Write, stdout};

use super::output::{check_drawing, save_drawing};
use super::recorded::{Ending, Recorded, map_of, recorded_game};
use crate::cli::ReplayArgs;
use crate::draw::board::Board;
use crate::draw::replay::{Frames, replay_page};
use crate::failure::Failure;
use crate::system::board::Position;
use crate::system::{AnyScenario, AnySystem, GameLog, Importance, ReplayRequest, Replayed};

pub(super) fn run(systems: &[Box<dyn AnySystem>], args: &ReplayArgs) -> Result<(), Failure> {
    for path in args.html.iter().chain(&args.svg) {
        check_drawing(path)?;
    }
    let Recorded { scenario, mut request, title, ending } = recorded_game(systems, &args.run, args.game)?;
    request.until = args.until;
    if args.html.is_some() || args.svg.is_some() {
        return draw(scenario.as_ref(), &request, &title, &ending, args);
    }
    let mut out = stdout().lock();
    writeln!(out, "{title}")?;
    let replayed = scenario.replay(&request, &mut Telling { out: &mut out, all: args.all })?;
    if let Replayed::Whole { decisions, .. } = &replayed {
        writeln!(
            out,
            "{decisions} decisions{}",
            if args.all { "" } else { "; --all prints every one of them" }
        )?;
    }
    ending.check(&replayed)
}

/// The game log as text, line by line: the headlines of each turn, or every move.
struct Telling<'a> {
    out: &'a mut dyn Write,
    all: bool,
}

impl GameLog for Telling<'_> {
    fn turn(&mut self, _: u32, label: &str, _: &dyn Fn() -> Position) -> Result<(), Failure> {
        Ok(writeln!(self.out, "== {label}")?)
    }

    fn decision(&mut self, side: &str, words: &str) -> Result<(), Failure> {
        if self.all {
            writeln!(self.out, "  {side}: {words}")?;
        }
        Ok(())
    }

    fn fact(&mut self, words: &str, importance: Importance) -> Result<(), Failure> {
        if self.all {
            writeln!(self.out, "    {words}")?;
        } else if importance >= Importance::Headline {
            writeln!(self.out, "  {words}")?;
        }
        Ok(())
    }

    fn end(&mut self, result: Option<&str>, _: &dyn Fn() -> Position) -> Result<(), Failure> {
        match result {
            Some(words) => Ok(writeln!(self.out, "== the end: {words}")?),
            None => Ok(()),
        }
    }
}

/// The log as a page, its last board as a picture.
fn draw(
    scenario: &dyn AnyScenario,
    request: &ReplayRequest,
    title: &str,
    ending: &Ending,
    args: &ReplayArgs,
) -> Result<(), Failure> {
    let board = Board::new(&map_of(scenario)?, scenario.sides());
    let mut frames = Frames::default();
    ending.check(&scenario.replay(request, &mut frames)?)?;
    if let (Some(path), Some(last)) = (&args.svg, frames.list.last()) {
        save_drawing(path, &board.picture(title, &last.label, &last.position, &[]))?;
    }
    if let Some(path) = &args.html {
        save_drawing(path, &replay_page(&board, title, &frames.list)?)?;
    }
    Ok(())
}
