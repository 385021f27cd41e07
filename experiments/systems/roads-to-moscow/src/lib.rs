//! Roads to Moscow in the program: its scenarios, what its tables hold, and its game logs.

mod log;
mod map;
mod odds;
mod recorder;
mod roads;
mod tables;

use sandtable_ai_roads_to_moscow::MoscowKnowledge;
use sandtable_roads_to_moscow::{Event, RoadsToMoscow, State};
use sandtable_scenarios::AnySystem as Data;
use sandtable_scenarios_roads_to_moscow::SYSTEM;

use recorder::RoadsRecorder;

use sandtable_experiments::failure::Failure;
use sandtable_experiments::system::board::{Map, Position};
use sandtable_experiments::system::data;
use sandtable_experiments::system::odds::{
    CombatOdds, CombatRequest, InitiativeOdds, InitiativeRequest, WeatherOdds, WeatherRequest,
};
use sandtable_experiments::system::{
    AnySystem, FightSource, Highlights, Importance, Override, Scenario, Source, SurvivalSource, System,
    SystemInfo, phase_words,
};
use sandtable_experiments::table::{Column, Schema};

/// The systems of this crate.
pub fn systems() -> Vec<Box<dyn AnySystem>> {
    vec![Box::new(RoadsSystem)]
}

/// The system.
#[derive(Clone, Copy, Debug)]
struct RoadsSystem;

impl System for RoadsSystem {
    type Game = RoadsToMoscow;
    type SystemKnowledge = MoscowKnowledge;
    type Recorder = RoadsRecorder;

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

    fn turn_columns(&self, _: &RoadsToMoscow) -> Vec<Column> {
        tables::turn_columns()
    }

    fn fact_tables(&self, game: &RoadsToMoscow) -> Vec<Schema> {
        tables::fact_tables(game)
    }

    fn recorder(&self, game: &RoadsToMoscow) -> RoadsRecorder {
        RoadsRecorder::new(game)
    }

    fn narrate(&self, game: &RoadsToMoscow, _: &State, event: &Event) -> Option<String> {
        log::narrate(game, event)
    }

    fn importance(&self, game: &RoadsToMoscow, event: &Event) -> Importance {
        log::importance(game, event)
    }

    fn step(&self, game: &RoadsToMoscow, event: &Event) -> Option<String> {
        log::step(game, event)
    }

    fn highlights(&self) -> Highlights {
        Highlights {
            over_time: &[
                "score",
                "objectives",
                "reach",
                "steps",
                "armour",
                "hexes_moved",
                "attacks",
                "cleared",
                "unsupplied_own",
                "unsupplied_cut",
                "unfired_artillery",
                "idle_formations",
                "low_odds",
            ],
            survival: Some(SurvivalSource {
                table: "objectives",
                subject: "objective",
                state: "holder",
                end: "attacker",
                noun: ("objective", "objectives"),
                verb: ("fell", "fallen"),
                name: |id| id,
            }),
            fights: Some(FightSource { table: "combats", place: "target", noun: ("combat", "combats") }),
            battle: None,
        }
    }

    fn alive(&self, game: &RoadsToMoscow, state: &State) -> Vec<String> {
        let scenario = &game.rules.scenario;
        let defended = |at: &usize| state.controller(scenario.objectives[*at].0) != scenario.attacker;
        (0..scenario.objectives.len()).filter(defended).map(|at| tables::objective(&game.rules, at)).collect()
    }

    fn phase(&self, _: &RoadsToMoscow, state: &State) -> String {
        phase_words(&state.phase)
    }

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

    fn combat(&self, request: &CombatRequest<'_>) -> Result<CombatOdds, Failure> {
        odds::combat(request)
    }

    fn weather(&self, request: &WeatherRequest<'_>) -> Result<WeatherOdds, Failure> {
        odds::weather(request)
    }

    fn initiative(&self, request: &InitiativeRequest<'_>) -> Result<InitiativeOdds, Failure> {
        odds::initiative(request)
    }
}
