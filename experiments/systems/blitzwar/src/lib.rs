//! BlitzWar in the program: its scenarios, what its tables hold, and its game logs.

mod map;
mod odds;
mod recorder;
mod tables;

use sandtable_ai_blitzwar::BlitzKnowledge;
use sandtable_blitzwar::location::Zone;
use sandtable_blitzwar::{Battle, BlitzWar, Country, Event, Force, State, Status};
use sandtable_core::Index as _;
use sandtable_scenarios::AnySystem as Data;
use sandtable_scenarios_blitzwar::SYSTEM;

use recorder::BlitzRecorder;

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
    vec![Box::new(BlitzWarSystem)]
}

/// The system.
#[derive(Clone, Copy, Debug)]
struct BlitzWarSystem;

/// Corps on both sides from which on a battle is a headline: some twenty battles of a campaign between scripted players.
const GREAT_BATTLE: u8 = 16;

impl System for BlitzWarSystem {
    type Game = BlitzWar;
    type SystemKnowledge = BlitzKnowledge;
    type Recorder = BlitzRecorder;

    fn info(&self) -> SystemInfo {
        SystemInfo {
            id: SYSTEM.id,
            name: "BlitzWar",
            summary: "the war in Europe 1939-45 in 47 turns of six weeks: area movement, supply, production cards",
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
    ) -> Result<Scenario<BlitzWar, BlitzKnowledge>, Failure> {
        data::open(&SYSTEM, source, overrides, BlitzWar::new, BlitzKnowledge::new)
    }

    fn turn_columns(&self, _: &BlitzWar) -> Vec<Column> {
        tables::turn_columns()
    }

    fn fact_tables(&self, game: &BlitzWar) -> Vec<Schema> {
        tables::fact_tables(game)
    }

    fn recorder(&self, game: &BlitzWar) -> BlitzRecorder {
        BlitzRecorder::new(game)
    }

    fn phase(&self, _: &BlitzWar, state: &State) -> String {
        phase_words(&state.phase())
    }

    fn turn_label(&self, game: &BlitzWar, state: &State) -> String {
        format!("turn {}: {}", state.turn(), odds::when(&game.rules.calendar[state.turn() as usize - 1]))
    }

    fn narrate(&self, game: &BlitzWar, state: &State, event: &Event) -> Option<String> {
        game.describe_event(state, event)
    }

    fn map(&self, game: &BlitzWar) -> Option<Map> {
        Some(map::map(game))
    }

    fn position(&self, game: &BlitzWar, state: &State) -> Position {
        map::position(game, state)
    }

    fn importance(&self, game: &BlitzWar, event: &Event) -> Importance {
        let is_prize =
            |zone: Zone| game.rules.zones[zone.at()].capital || game.strategic_points().contains(zone);
        match *event {
            Event::Standing { .. } => Importance::Headline,
            Event::Control { zone, force: Some(_) } if is_prize(zone) => Importance::Headline,
            Event::Battle(battle) if corps_engaged(&battle) >= GREAT_BATTLE => Importance::Headline,
            // A landing.
            Event::Moved { counter, to, .. } if game.kind(counter).is_corps() && to.is_beachhead() => {
                Importance::Headline
            }
            // The score, once a turn.
            Event::SideDone { force: Force::Soviet, .. } => Importance::Headline,
            Event::Battle(_)
            | Event::BritainRound { .. }
            | Event::CardShown { .. }
            | Event::Control { .. }
            | Event::DiplomaticRoll { .. }
            | Event::NavalRound { .. }
            | Event::SideDone { .. } => Importance::Notable,
            _ => Importance::Detail,
        }
    }

    fn highlights(&self) -> Highlights {
        Highlights {
            over_time: &["strategic_points", "zones", "infantry", "armour", "air", "supply"],
            survival: Some(SurvivalSource {
                table: "country_status",
                subject: "country",
                state: "status",
                end: "surrendered",
                noun: ("country", "countries"),
                verb: ("surrendered", "surrendered"),
                name: |id| {
                    Country::ALL
                        .iter()
                        .find(|country| country.id() == id)
                        .map_or(id, |country| country.name())
                },
            }),
            fights: Some(FightSource {
                table: "battles",
                place: "zone",
                noun: ("land combat", "land combats"),
            }),
            battle: Some(PlainBattle {
                attack: "brest_litovsk: ger I1",
                defend: "minsk: ussr I1",
                turn: 17,
                words: "German infantry attacks Soviet infantry in the clear in fair weather, both in supply, and attacks again \
                        where the rules allow it",
                up_to: (12, 6),
            }),
        }
    }

    fn alive(&self, _: &BlitzWar, state: &State) -> Vec<String> {
        let lives =
            |country: &Country| !matches!(state.status(*country), Status::Surrendered | Status::Absent);
        Country::ALL.into_iter().filter(lives).map(|country| country.id().to_owned()).collect()
    }

    fn describe(&self, scenario: &Scenario<BlitzWar, BlitzKnowledge>) -> String {
        data::describe(&SYSTEM, &scenario.id, &scenario.game.rules)
    }

    fn combat(&self, request: &CombatRequest<'_>) -> Result<CombatOdds, Failure> {
        odds::combat(request)
    }

    fn weather(&self, request: &WeatherRequest<'_>) -> Result<WeatherOdds, Failure> {
        odds::weather(request)
    }
}

fn corps_engaged(battle: &Battle) -> u8 {
    battle.attacking_infantry + battle.attacking_armour + battle.defending_infantry + battle.defending_armour
}
