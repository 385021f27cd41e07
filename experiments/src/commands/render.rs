//! `sandtable render`

use std::fs;
use std::io::{Write, stdout};
use std::path::Path;

use super::replay::{Recorded, recorded_game};
use crate::cli::RenderArgs;
use crate::draw::board::Board;
use crate::draw::replay::Frames;
use crate::failure::Failure;
use crate::system::board::Map;
use crate::system::{AnyScenario, AnySystem, open};

pub(super) fn run(systems: &[Box<dyn AnySystem>], args: &RenderArgs) -> Result<(), Failure> {
    let picture = match (&args.scenario, &args.run) {
        (Some(name), None) => {
            let scenario = open(systems, name, &args.set)?;
            let board = Board::new(&map_of(scenario.as_ref())?, scenario.sides());
            board.picture(scenario.id(), "at the start", &scenario.start(1))
        }
        (None, Some(run)) => {
            let game = args.game.unwrap_or(0);
            let Recorded { scenario, mut request, title } = recorded_game(systems, run, game)?;
            let board = Board::new(&map_of(scenario.as_ref())?, scenario.sides());
            request.until = args.turn;
            let mut frames = Frames::default();
            scenario.replay(&request, &mut frames)?;
            let last = frames.list.last().ok_or_else(|| {
                Failure::input(format!("game {game} has no turn up to turn {}", args.turn.unwrap_or(0)))
            })?;
            board.picture(&title, &last.label, &last.position)
        }
        _ => return Err(Failure::input("expected a scenario, or --run with a run folder, and not both")),
    };
    match &args.out {
        Some(path) => save(path, &picture),
        None => Ok(writeln!(stdout().lock(), "{picture}")?),
    }
}

/// The map of a scenario.
pub(super) fn map_of(scenario: &dyn AnyScenario) -> Result<Map, Failure> {
    scenario.map().ok_or_else(|| {
        Failure::input(format!("{}: {} has no map that can be drawn", scenario.id(), scenario.system().name))
    })
}

/// Writes a picture or page.
pub(super) fn save(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|error| Failure::input(format!("cannot write {}: {error}", path.display())))
}
