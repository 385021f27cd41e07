#![allow(clippy::doc_markdown)] // the name of the game is no path

//! EuroFront in the program: its scenarios, what its tables hold, its map and its game log.

mod log;
mod map;
mod odds;
mod recorder;
mod tables;

use sandtable_ai_eurofront::EuroKnowledge;
use sandtable_core::{PerSide, Side};
use sandtable_eurofront::{EuroFront, Event, State};
use sandtable_scenarios::AnySystem as Data;
use sandtable_scenarios_eurofront::SYSTEM;

use recorder::EuroRecorder;

use sandtable_experiments::failure::Failure;
use sandtable_experiments::system::board::{Map, Position};
use sandtable_experiments::system::data;
use sandtable_experiments::system::odds::{
    CombatOdds, CombatRequest, EventOdds, EventRequest, ReactionOdds, ReactionRequest, WeatherOdds,
    WeatherRequest,
};
use sandtable_experiments::system::{
    AnySystem, FightSource, Highlights, Importance, Override, Scenario, Signed, Source, System, SystemInfo,
    phase_words,
};
use sandtable_experiments::table::{Column, Schema};

/// The systems of this crate.
pub fn systems() -> Vec<Box<dyn AnySystem>> {
    vec![Box::new(EuroSystem)]
}

/// The system.
#[derive(Clone, Copy, Debug)]
struct EuroSystem;

impl System for EuroSystem {
    type Game = EuroFront;
    type SystemKnowledge = EuroKnowledge;
    type Recorder = EuroRecorder;

    fn info(&self) -> SystemInfo {
        SystemInfo {
            id: SYSTEM.id,
            name: "EuroFront",
            summary: "Europe from 1936 to 1945 in fortnights: hexes, blocks with hidden steps, headquarters that spend \
                      themselves, seas, three factions and their diplomacy",
            part_games: 400,
        }
    }

    fn data(&self) -> Option<&'static dyn Data> {
        Some(&SYSTEM)
    }

    fn open(
        &self,
        source: Source<'_>,
        overrides: &[Override],
    ) -> Result<Scenario<EuroFront, EuroKnowledge>, Failure> {
        data::open(&SYSTEM, source, overrides, EuroFront::new, EuroKnowledge::new)
    }

    fn turn_columns(&self, _: &EuroFront) -> Vec<Column> {
        tables::turn_columns()
    }

    fn fact_tables(&self, game: &EuroFront) -> Vec<Schema> {
        tables::fact_tables(game)
    }

    fn recorder(&self, _: &EuroFront) -> EuroRecorder {
        EuroRecorder::default()
    }

    fn narrate(&self, game: &EuroFront, _: &State, event: &Event) -> Option<String> {
        log::narrate(game, *event)
    }

    fn importance(&self, _: &EuroFront, event: &Event) -> Importance {
        log::importance(*event)
    }

    fn step(&self, game: &EuroFront, event: &Event) -> Option<String> {
        log::step(game, *event)
    }

    fn highlights(&self) -> Highlights {
        Highlights {
            over_time: &[
                "level",
                "cities",
                "hexes",
                "steps",
                "command",
                "rounds",
                "unsupported",
                "lost_steps",
                "starved",
                "points_lost",
            ],
            survival: None,
            fights: Some(FightSource { table: "combats", place: "hex", noun: ("round", "rounds of combat") }),
            battle: None,
        }
    }

    fn phase(&self, _: &EuroFront, state: &State) -> String {
        phase_words(&state.phase)
    }

    fn turn_label(&self, game: &EuroFront, state: &State) -> String {
        let half = if state.fortnight == 1 { "first" } else { "second" };
        format!("{}, {half} fortnight", game.month(state).id)
    }

    fn map(&self, game: &EuroFront) -> Option<Map> {
        Some(map::map(game))
    }

    fn position(&self, game: &EuroFront, state: &State) -> Position {
        map::position(game, state)
    }

    /// By the Pacification Level: all cities that count would be certain victory.
    fn position_value(
        &self,
        scenario: &Scenario<EuroFront, EuroKnowledge>,
        state: &State,
    ) -> Option<PerSide<f32>> {
        let war = scenario.game.rules.civil_war.as_ref()?;
        let all: f32 = war.pacification.iter().map(|&(_, worth)| f32::from(worth)).sum();
        let lead = f32::from(state.civil_war.level) / (2.0 * all.max(1.0));
        let mut value = PerSide([0.0; 4]);
        value[Side(0)] = 0.5 + lead;
        value[Side(1)] = 0.5 - lead;
        Some(value)
    }

    fn signed(&self) -> Signed {
        Signed { games: 1, scripted_decisions: 100 }
    }

    fn describe(&self, scenario: &Scenario<EuroFront, EuroKnowledge>) -> String {
        data::describe(&SYSTEM, &scenario.id, &scenario.game.rules)
    }

    fn combat(&self, request: &CombatRequest<'_>) -> Result<CombatOdds, Failure> {
        odds::combat(request)
    }

    fn weather(&self, request: &WeatherRequest<'_>) -> Result<WeatherOdds, Failure> {
        odds::weather(request)
    }

    fn reactions(&self, request: &ReactionRequest<'_>) -> Result<ReactionOdds, Failure> {
        odds::reactions(request)
    }

    fn events(&self, request: &EventRequest<'_>) -> Result<EventOdds, Failure> {
        odds::events(request)
    }
}
