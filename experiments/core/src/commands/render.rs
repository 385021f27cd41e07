//! `sandtable render`

use std::io::{Write, stdout};

use anyhow::Context;

use super::output::{check_drawing, save_drawing};
use super::recorded::{Recorded, map_of, recorded_game};
use crate::cli::RenderArgs;
use crate::draw::board::Board;
use crate::draw::replay::Frames;
use crate::failure::Failure;
use crate::system::{AnySystem, Replayed, open};

pub(super) fn run(systems: &[Box<dyn AnySystem>], args: &RenderArgs) -> Result<(), Failure> {
    if let Some(path) = &args.out {
        check_drawing(path)?;
    }
    let picture = match (&args.scenario, &args.run) {
        (Some(name), None) => {
            let scenario = open(systems, name, &args.set)?;
            let board = Board::new(&map_of(scenario.as_ref())?, scenario.sides());
            board.check_layers(&args.show)?;
            board.picture(scenario.id(), "at the start", &scenario.start(1), &args.show)
        }
        (None, Some(run)) => {
            let game = args.game.unwrap_or(0);
            let Recorded { scenario, mut request, title, ending } = recorded_game(systems, run, game)?;
            let board = Board::new(&map_of(scenario.as_ref())?, scenario.sides());
            board.check_layers(&args.show)?;
            request.until = args.turn;
            let mut frames = Frames::default();
            let replayed = scenario.replay(&request, &mut frames)?;
            ending.check(&replayed)?;
            let last = frames.list.last().context("a game has a start")?;
            if let (Some(turn), Replayed::Whole { .. }) = (args.turn, &replayed)
                && turn > frames.last_turn
            {
                return Err(Failure::input(format!(
                    "--turn {turn}: expected a turn of game {game}, {} at most",
                    frames.last_turn
                )));
            }
            board.picture(&title, &last.label, &last.position, &args.show)
        }
        _ => return Err(Failure::input("expected a scenario, or --run with a run folder, and not both")),
    };
    match &args.out {
        Some(path) => save_drawing(path, &picture),
        None => Ok(writeln!(stdout().lock(), "{picture}")?),
    }
}
