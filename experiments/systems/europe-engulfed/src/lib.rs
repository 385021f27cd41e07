//! Europe Engulfed in the program: its scenarios, what its tables hold, its map, and its game logs.

mod log;
mod map;
mod odds;
mod recorder;
mod tables;

use sandtable_ai_europe_engulfed::EngulfedKnowledge;
use sandtable_europe_engulfed::rules::Bimester;
use sandtable_europe_engulfed::{EuropeEngulfed, Event, State};
use sandtable_scenarios::AnySystem as Data;
use sandtable_scenarios_europe_engulfed::SYSTEM;

use recorder::EngulfedRecorder;

use sandtable_experiments::failure::Failure;
use sandtable_experiments::system::board::{Map, Position};
use sandtable_experiments::system::data;
use sandtable_experiments::system::odds::{CombatOdds, CombatRequest, WeatherOdds, WeatherRequest};
use sandtable_experiments::system::{
    AnySystem, FightSource, Highlights, Importance, Override, Scenario, Source, System, SystemInfo,
    phase_words,
};
use sandtable_experiments::table::{Column, Schema};

/// The systems of this crate.
pub fn systems() -> Vec<Box<dyn AnySystem>> {
    vec![Box::new(EngulfedSystem)]
}

/// The system.
#[derive(Clone, Copy, Debug)]
struct EngulfedSystem;

const MONTHS: [&str; 6] =
    ["January/February", "March/April", "May/June", "July/August", "September/October", "November/December"];

impl System for EngulfedSystem {
    type Game = EuropeEngulfed;
    type SystemKnowledge = EngulfedKnowledge;
    type Recorder = EngulfedRecorder;

    fn info(&self) -> SystemInfo {
        SystemInfo {
            id: SYSTEM.id,
            name: "Europe Engulfed",
            summary: "the war in Europe in turns of two months: hidden blocks, Special Actions; much of its rules is reconstructed",
            part_games: 500,
        }
    }

    fn data(&self) -> Option<&'static dyn Data> {
        Some(&SYSTEM)
    }

    fn open(
        &self,
        source: Source<'_>,
        overrides: &[Override],
    ) -> Result<Scenario<EuropeEngulfed, EngulfedKnowledge>, Failure> {
        data::open(&SYSTEM, source, overrides, EuropeEngulfed::new, EngulfedKnowledge::new)
    }

    fn turn_columns(&self, _: &EuropeEngulfed) -> Vec<Column> {
        tables::turn_columns()
    }

    fn fact_tables(&self, game: &EuropeEngulfed) -> Vec<Schema> {
        tables::fact_tables(game)
    }

    fn recorder(&self, _: &EuropeEngulfed) -> EngulfedRecorder {
        EngulfedRecorder::default()
    }

    fn phase(&self, _: &EuropeEngulfed, state: &State) -> String {
        phase_words(&state.phase)
    }

    fn turn_label(&self, game: &EuropeEngulfed, state: &State) -> String {
        let Bimester { year, nth } = game.bimester(state.turn);
        format!("turn {}: {} {year}", state.turn, MONTHS[usize::from(nth) - 1])
    }

    fn narrate(&self, game: &EuropeEngulfed, _: &State, event: &Event) -> Option<String> {
        log::narrate(game, event)
    }

    fn importance(&self, game: &EuropeEngulfed, event: &Event) -> Importance {
        log::importance(game, event)
    }

    fn map(&self, game: &EuropeEngulfed) -> Option<Map> {
        Some(map::map(game))
    }

    fn position(&self, game: &EuropeEngulfed, state: &State) -> Position {
        map::position(game, state)
    }

    fn highlights(&self) -> Highlights {
        Highlights {
            over_time: &["areas", "resource_areas", "land_steps", "armour_steps", "income"],
            fights: Some(FightSource { table: "battles", place: "area", noun: ("battle", "battles") }),
            ..Highlights::default()
        }
    }

    fn describe(&self, scenario: &Scenario<EuropeEngulfed, EngulfedKnowledge>) -> String {
        data::describe(&SYSTEM, &scenario.id, &scenario.game.rules)
    }

    fn combat(&self, request: &CombatRequest<'_>) -> Result<CombatOdds, Failure> {
        odds::combat(request)
    }

    fn weather(&self, request: &WeatherRequest<'_>) -> Result<WeatherOdds, Failure> {
        odds::weather(request)
    }
}
