//! Roads to Moscow in the program: its scenarios, what its tables hold, and its stories.

mod map;

use sandtable_ai_roads_to_moscow::MoscowKnowledge;
use sandtable_roads_to_moscow::{RoadsToMoscow, State};
use sandtable_scenarios::AnySystem as Data;
use sandtable_scenarios_roads_to_moscow::SYSTEM;

use super::data;
use crate::failure::Failure;
use crate::system::board::{Map, Position};
use crate::system::{Override, Scenario, Source, System, SystemInfo};

/// The systems of this file.
pub(super) fn systems() -> Vec<Box<dyn crate::system::AnySystem>> {
    vec![Box::new(RoadsSystem)]
}

/// The system.
#[derive(Clone, Copy, Debug)]
struct RoadsSystem;

impl System for RoadsSystem {
    type Game = RoadsToMoscow;
    type SystemKnowledge = MoscowKnowledge;
    type Recorder = ();

    fn info(&self) -> SystemInfo {
        SystemInfo {
            id: SYSTEM.id,
            name: "Roads to Moscow",
            summary: "Mtsensk and Mozhaysk in October 1941 in half-day turns: hexes, formations drawn from a cup, artillery",
            part_games: 100,
        }
    }

    fn data(&self) -> Option<&'static dyn Data> {
        Some(&SYSTEM)
    }

    fn open(
        &self,
        source: Source<'_>,
        overrides: &[Override],
    ) -> Result<Scenario<RoadsToMoscow, MoscowKnowledge>, Failure> {
        data::open(&SYSTEM, source, overrides, RoadsToMoscow::new, MoscowKnowledge::new)
    }

    fn recorder(&self, _: &RoadsToMoscow) {}

    fn turn_label(&self, game: &RoadsToMoscow, state: &State) -> String {
        format!("turn {}: {}", state.turn, game.calendar(state).name)
    }

    fn map(&self, game: &RoadsToMoscow) -> Option<Map> {
        Some(map::map(game))
    }

    fn position(&self, game: &RoadsToMoscow, state: &State) -> Position {
        map::position(game, state)
    }

    fn describe(&self, scenario: &Scenario<RoadsToMoscow, MoscowKnowledge>) -> String {
        data::describe(&SYSTEM, &scenario.id, &scenario.game.rules)
    }
}
