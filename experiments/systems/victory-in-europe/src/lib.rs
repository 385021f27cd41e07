//! Victory in Europe in the program: its scenarios, what its tables hold, and its game logs.

mod map;
mod odds;
mod recorder;
mod tables;

use sandtable_ai_victory_in_europe::VictoryKnowledge;
use sandtable_scenarios::AnySystem as Data;
use sandtable_scenarios_victory_in_europe::SYSTEM;
use sandtable_victory_in_europe::event::Event;
use sandtable_victory_in_europe::nation::Nation;
use sandtable_victory_in_europe::rules::{Areas, Standing};
use sandtable_victory_in_europe::{Place, State, VictoryInEurope};

use recorder::VictoryRecorder;

use sandtable_experiments::failure::Failure;
use sandtable_experiments::system::board::{Map, Position};
use sandtable_experiments::system::data;
use sandtable_experiments::system::odds::{CombatOdds, CombatRequest, WeatherOdds, WeatherRequest};
use sandtable_experiments::system::{
    AnySystem, FightSource, Highlights, Importance, Override, PlainBattle, Scenario, Source, SurvivalSource,
    System, SystemInfo, phase_words,
};
use sandtable_experiments::table::{Column, Schema};

/// The systems of this crate.
pub fn systems() -> Vec<Box<dyn AnySystem>> {
    vec![Box::new(VictorySystem)]
}

/// The system.
#[derive(Clone, Copy, Debug)]
struct VictorySystem;

/// Steps lost by both sides from which on a battle is a headline: some ten battles of a campaign between scripted players.
const GREAT_BATTLE: u8 = 8;

/// When a turn is, in words.
fn label(game: &VictoryInEurope, turn: u8) -> String {
    let calendar = &game.rules.calendar[usize::from(turn) - 1];
    let season = ["winter", "spring", "summer", "autumn"][usize::from(calendar.quarter.clamp(1, 4)) - 1];
    format!("{season} {}", calendar.year)
}

impl System for VictorySystem {
    type Game = VictoryInEurope;
    type SystemKnowledge = VictoryKnowledge;
    type Recorder = VictoryRecorder;

    fn info(&self) -> SystemInfo {
        SystemInfo {
            id: SYSTEM.id,
            name: "Victory in Europe",
            summary: "the war in Europe 1939-45 in 26 quarters: hidden blocks, cards of command and events, politics",
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
    ) -> Result<Scenario<VictoryInEurope, VictoryKnowledge>, Failure> {
        data::open(&SYSTEM, source, overrides, VictoryInEurope::new, VictoryKnowledge::new)
    }

    fn turn_columns(&self, _: &VictoryInEurope) -> Vec<Column> {
        tables::turn_columns()
    }

    fn fact_tables(&self, game: &VictoryInEurope) -> Vec<Schema> {
        tables::fact_tables(game)
    }

    fn recorder(&self, game: &VictoryInEurope) -> VictoryRecorder {
        VictoryRecorder::new(game)
    }

    fn phase(&self, _: &VictoryInEurope, state: &State) -> String {
        phase_words(&state.phase)
    }

    fn turn_label(&self, game: &VictoryInEurope, state: &State) -> String {
        format!("turn {}: {}", state.turn, label(game, state.turn))
    }

    fn narrate(&self, game: &VictoryInEurope, _: &State, event: &Event) -> Option<String> {
        game.describe_event(event)
    }

    fn map(&self, game: &VictoryInEurope) -> Option<Map> {
        Some(map::map(game))
    }

    fn position(&self, game: &VictoryInEurope, state: &State) -> Position {
        map::position(game, state)
    }

    fn importance(&self, game: &VictoryInEurope, event: &Event) -> Importance {
        let is_prize =
            |area: Place| game.rules.capitals.contains(&Some(area)) || victory_areas(game).contains(area);
        match *event {
            Event::Invasion { .. } | Event::Standing { .. } | Event::War { .. } => Importance::Headline,
            Event::Taken { area, .. } if is_prize(area) => Importance::Headline,
            Event::BattleEnds(battle) if battle.lost[0] + battle.lost[1] >= GREAT_BATTLE => {
                Importance::Headline
            }
            Event::BattleEnds(_)
            | Event::Cards { .. }
            | Event::Over { .. }
            | Event::Production { .. }
            | Event::Roll { .. }
            | Event::Taken { .. } => Importance::Notable,
            _ => Importance::Detail,
        }
    }

    fn highlights(&self) -> Highlights {
        Highlights {
            over_time: &["victory_areas", "areas", "army_steps", "air_steps", "factories", "points"],
            survival: Some(SurvivalSource {
                table: "country_status",
                subject: "nation",
                state: "standing",
                end: "gone",
                noun: ("country", "countries"),
                verb: ("fell", "fallen"),
                name: |id| Nation::by_id(id).map_or(id, |nation| nation.name()),
            }),
            fights: Some(FightSource { table: "battles", place: "place", noun: ("battle", "battles") }),
            battle: Some(PlainBattle {
                attack: "paris: ger_pz_1a 4, ger_inf_2a 4, ger_inf_4a 4",
                defend: "lille: gb_inf_bef 3, gb_inf_8a 3, gb_inf_can1 3",
                turn: 5,
                words: "German armour and infantry attacks British infantry in the clear in summer, two rounds, nobody leaves; \
                        the steps are spread over up to three units a side",
                up_to: (12, 9),
            }),
        }
    }

    fn alive(&self, _: &VictoryInEurope, state: &State) -> Vec<String> {
        let lives = |nation: &Nation| state.politics.standing(*nation) != Standing::Gone;
        Nation::ALL.into_iter().filter(lives).map(|nation| nation.id().to_owned()).collect()
    }

    fn describe(&self, scenario: &Scenario<VictoryInEurope, VictoryKnowledge>) -> String {
        data::describe(&SYSTEM, &scenario.id, &scenario.game.rules)
    }

    fn combat(&self, request: &CombatRequest<'_>) -> Result<CombatOdds, Failure> {
        odds::combat(request)
    }

    fn weather(&self, request: &WeatherRequest<'_>) -> Result<WeatherOdds, Failure> {
        odds::weather(request)
    }
}

/// Areas that decisive victories are made of (9.1, 9.2).
fn victory_areas(game: &VictoryInEurope) -> Areas {
    let victory = &game.rules.victory;
    victory.axis_any.iter().fold(victory.allies_all, Areas::or)
}
