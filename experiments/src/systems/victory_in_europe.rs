//! Victory in Europe in the program: its scenarios, what its tables hold, and its stories.

mod odds;

use std::path::Path;

use sandtable_ai::victory_in_europe::VictoryBrain;
use sandtable_core::Side;
use sandtable_victory_in_europe::event::{self, Event};
use sandtable_victory_in_europe::nation::{Force, NATIONS, Nation, Team};
use sandtable_victory_in_europe::rules::{Areas, Arm, BorderKind, Standing, Terrain as Ground};
use sandtable_victory_in_europe::state::{is_area, sea};
use sandtable_victory_in_europe::{State, VictoryInEurope};

use super::data::{self, count, words};
use crate::failure::Failure;
use crate::system::board::{Link, Map, Marker, Marks, Place, Position, Site, Terrain, Texture};
use crate::system::odds::{CombatOdds, CombatRequest, WeatherOdds, WeatherRequest};
use crate::system::{
    ExampleResult, Facts, FightSource, Highlights, Override, PlainBattle, Recorder, RuleCoverage, Scenario,
    ScenarioInfo, Source, SurvivalSource, System, SystemInfo, TurnEnd,
};
use crate::table::{Column, Kind, Row, Schema};

/// The system.
#[derive(Clone, Copy, Debug)]
pub struct VictorySystem;

const ID: &str = "victory-in-europe";

const BATTLES: usize = 0;
const STANDINGS: usize = 1;
const CARDS: usize = 2;
const ROLLS: usize = 3;

/// Arms in the columns of strengths and losses, in the order of the rules.
const ARMS: [(&str, &str); 3] =
    [("army", "military units"), ("air", "air units"), ("naval", "ships and convoys")];

/// Standings of a nation as the table names them, in the order of the rules.
const STANDING: [&str; 6] = ["axis", "western", "soviet", "neutral", "defending", "gone"];

const TEAMS: [&str; 2] = ["axis", "allies"];

/// When a turn is, in words.
fn label(game: &VictoryInEurope, turn: u8) -> String {
    let calendar = &game.rules.calendar[usize::from(turn) - 1];
    let season = ["winter", "spring", "summer", "autumn"][usize::from(calendar.quarter.clamp(1, 4)) - 1];
    format!("{season} {}", calendar.year)
}

/// The forces of a side, as a mask.
fn forces_of(game: &VictoryInEurope, side: Side) -> u8 {
    match (game.rules.options.three_players, side.index()) {
        (_, 0) => Team::Axis.forces(),
        (false, _) => Team::Allies.forces(),
        (true, force) => 1 << force,
    }
}

impl System for VictorySystem {
    type Game = VictoryInEurope;
    type Brain = VictoryBrain;
    type Recorder = VictoryRecorder;

    fn info(&self) -> SystemInfo {
        SystemInfo {
            id: ID,
            name: "Victory in Europe",
            summary: "the war in Europe 1939-45 in 26 quarters: hidden blocks, cards of command and events, politics",
            part_games: 500,
        }
    }

    fn scenarios(&self) -> Vec<ScenarioInfo> {
        data::scenarios(ID)
    }

    fn recognises(&self, path: &Path) -> bool {
        data::recognises(ID, path)
    }

    fn open(
        &self,
        source: Source<'_>,
        overrides: &[Override],
    ) -> Result<Scenario<VictoryInEurope, VictoryBrain>, Failure> {
        let id = data::name_of(source);
        let loaded = data::open(ID, &id, overrides)?;
        let hash = loaded.content_hash();
        let game = VictoryInEurope::new(loaded.into_victory_in_europe()).map_err(Failure::input)?;
        let brain = VictoryBrain::new(&game);
        Ok(Scenario { id, hash, game, brain })
    }

    fn turn_columns(&self, _: &VictoryInEurope) -> Vec<Column> {
        let mut columns = vec![
            count("areas", "areas", "areas friendly to the side at the end of the turn"),
            count("victory_areas", "areas", "of these, areas that a decisive victory is made of"),
            count("factories", "steps", "factory steps in them"),
            count("resources", "points", "resource points in them"),
        ];
        for (name, what) in ARMS {
            columns.push(count(&format!("{name}_units"), "units", &format!("{what} on the map")));
            columns.push(count(&format!("{name}_steps"), "steps", &format!("steps of {what} on the map")));
        }
        for (name, what) in ARMS {
            let doc = format!("steps of {what} lost in the turn, for whatever reason");
            columns.push(count(&format!("lost_{name}"), "steps", &doc));
        }
        columns.push(count("points", "production points", "production points of the turn"));
        columns.push(count("battles", "battles", "battles in which the side attacked"));
        columns
    }

    fn fact_tables(&self, game: &VictoryInEurope) -> Vec<Schema> {
        let rules = &game.rules;
        let places = || rules.areas.iter().map(|area| &area.id).chain(rules.seas.iter().map(|sea| &sea.id));
        let nations = || words(Nation::ALL.map(Nation::id));
        let of_both = |name: &str, unit: &'static str, doc: &str| {
            [("attacker", "attacker"), ("defender", "defender")]
                .map(|(side, whose)| count(&format!("{side}_{name}"), unit, &format!("{doc} of the {whose}")))
        };
        let turn = || count("turn", "turns", "game turn");
        let mut battles = vec![
            turn(),
            Column::new("place", words(places()), "", "area or sea zone"),
            Column::new("attacker", words(TEAMS), "", "who attacks"),
            count("rounds", "rounds", "rounds fought"),
        ];
        battles.extend(of_both("units", "units", "units at the start"));
        battles.extend(of_both("steps", "steps", "steps at the start"));
        battles.extend(of_both("firepower", "", "sum over all dice rolled of the number to hit"));
        battles.extend(of_both("hits", "hits", "hits"));
        battles.extend(of_both("lost", "steps", "steps lost"));
        battles.push(Column::new("won", Kind::Flag, "", "whether the attacker won"));
        battles.push(Column::new("exploitation", Kind::Flag, "", "whether it came of an exploitation"));
        battles.push(Column::new("winter", Kind::Flag, "", "whether it was winter there"));
        vec![
            Schema { name: "battles", doc: "one row a battle, in the order fought", columns: battles },
            Schema {
                name: "standings",
                doc: "one row for every change in the standing of a nation: entries, alliances, surrenders",
                columns: vec![
                    turn(),
                    Column::new("nation", nations(), "", "the nation"),
                    Column::new("standing", words(STANDING), "", "whom it is with from now on, or gone"),
                ],
            },
            Schema {
                name: "cards",
                doc: "one row a card played",
                columns: vec![
                    turn(),
                    Column::new("force", words(Force::ALL.map(Force::id)), "", "whose hand it came from"),
                    Column::new("card", words(rules.cards.iter().map(|card| &card.id)), "", "the card"),
                    count("command", "points", "its command points"),
                    Column::new("first", Kind::Flag, "", "whether its player moved first"),
                ],
            },
            Schema {
                name: "rolls",
                doc: "one row a diplomatic roll",
                columns: vec![
                    turn(),
                    Column::new("force", words(Force::ALL.map(Force::id)), "", "who rolls"),
                    Column::new("nation", nations(), "", "for which country"),
                    count("dice", "", "sum of two dice"),
                    count("bonus", "", "sum of the modifiers"),
                    count("needed", "", "number to reach"),
                    Column::new("joined", Kind::Flag, "", "whether the country joined"),
                ],
            },
        ]
    }

    fn recorder(&self, _: &VictoryInEurope) -> VictoryRecorder {
        VictoryRecorder::default()
    }

    fn turn_label(&self, game: &VictoryInEurope, state: &State) -> String {
        format!("turn {}: {}", state.turn, label(game, state.turn))
    }

    fn narrate(&self, game: &VictoryInEurope, _: &State, event: &Event) -> Option<String> {
        game.describe_event(event)
    }

    fn map(&self, game: &VictoryInEurope) -> Option<Map> {
        let rules = &game.rules;
        let victory = victory_areas(game);
        let land = (0u8..).zip(&rules.areas).map(|(at, area)| Place {
            id: area.id.clone(),
            name: area.name.clone(),
            site: Site::Land { latitude: f64::from(area.lat), longitude: f64::from(area.lon) },
            terrain: area.terrain as usize,
            region: area.country.name().to_owned(),
            marks: Marks {
                port: rules.ports.iter().any(|port| port.area == at && !port.name.is_empty()),
                fortress: false,
                capital: rules.capitals.contains(&Some(at)),
                point: victory.has(at),
                supply: rules.alternatives.contains(&Some(at)),
            },
        });
        let sea = rules.seas.iter().enumerate().map(|(at, sea)| {
            let coasts = (0..rules.areas.len()).filter(|&area| game.coast_seas(area as u8, 0) & 1 << at != 0);
            Place {
                id: sea.id.clone(),
                name: sea.name.clone(),
                site: Site::Sea {
                    coasts: coasts.collect(),
                    middle: Some((f64::from(sea.lat), f64::from(sea.lon))),
                },
                terrain: 0,
                region: String::new(),
                marks: Marks::default(),
            }
        });
        let links = rules.borders.iter().map(|border| Link {
            a: usize::from(border.a),
            b: usize::from(border.b),
            water: border.kind == BorderKind::Strait,
            river: border.kind == BorderKind::River,
            fortified: border.kind == BorderKind::Fortified,
            road: false,
        });
        let terrains = [
            ("clear", Texture::Plain),
            ("forest", Texture::Dots),
            ("mountain", Texture::Peaks),
            ("desert", Texture::Marsh),
        ];
        debug_assert_eq!(Ground::Desert as usize, 3);
        Some(Map {
            places: land.chain(sea).collect(),
            links: links.collect(),
            terrains: terrains.map(|(name, texture)| Terrain { name: name.to_owned(), texture }).to_vec(),
            marker_key:
                "On a marker: steps of military units; a steps of aircraft, n of ships; F factory steps."
                    .to_owned(),
        })
    }

    fn position(&self, game: &VictoryInEurope, state: &State) -> Position {
        let (areas, seas) = (game.rules.areas.len(), game.rules.seas.len());
        let owner = |area: usize| {
            let held = Force::ALL.into_iter().find(|&force| state.holds(force, area as u8));
            held.map(|force| game.side_of(force))
        };
        let mut markers = Vec::new();
        for place in 0..areas + seas {
            let at = if place < areas { place as u8 } else { sea((place - areas) as u8) };
            let factory = if place < areas { state.factory(at) } else { 0 };
            for force in Force::ALL.map(Some).into_iter().chain([None]) {
                let mut steps = [0u32; 3];
                let mut names = Vec::new();
                for unit in state.stack(at).filter(|&unit| game.force(state, unit) == force) {
                    steps[game.arm(unit) as usize] += u32::from(state.steps(unit).max(1));
                    names.push(format!(
                        "{} ({})",
                        game.rules.units[usize::from(unit)].name,
                        state.steps(unit)
                    ));
                }
                let holds = force.is_some_and(|force| place < areas && state.holds(force, at));
                let factory = if holds { u32::from(factory) } else { 0 };
                let parts = [(steps[0], ""), (steps[1], "a"), (steps[2], "n"), (factory, "F")];
                let text: Vec<String> = parts
                    .iter()
                    .filter(|(steps, _)| *steps > 0)
                    .map(|(steps, letter)| format!("{steps}{letter}"))
                    .collect();
                if factory > 0 {
                    names.push(format!("a factory ({factory})"));
                }
                if !text.is_empty() {
                    let whose = force.map_or("neutral", Force::name);
                    markers.push(Marker {
                        place,
                        side: force.map(|force| game.side_of(force)),
                        text: text.join(" "),
                        words: format!("{whose}: {}", names.join(", ")),
                    });
                }
            }
        }
        Position { owners: (0..areas).map(owner).chain((0..seas).map(|_| None)).collect(), markers }
    }

    fn is_headline(&self, event: &Event) -> bool {
        matches!(
            event,
            Event::BattleEnds(_)
                | Event::Cards { .. }
                | Event::Invasion { .. }
                | Event::Over { .. }
                | Event::Production { .. }
                | Event::Roll { .. }
                | Event::Standing { .. }
                | Event::Taken { .. }
                | Event::War { .. }
        )
    }

    fn highlights(&self) -> Highlights {
        Highlights {
            over_time: &["victory_areas", "areas", "army_steps", "air_steps", "factories", "points"],
            survival: Some(SurvivalSource {
                table: "standings",
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

    fn describe(&self, scenario: &Scenario<VictoryInEurope, VictoryBrain>) -> String {
        data::describe(
            &scenario.id,
            &sandtable_scenarios::victory_in_europe::Description::of(&scenario.game.rules),
        )
    }

    fn coverage(&self) -> Option<Vec<RuleCoverage>> {
        data::coverage(ID)
    }

    fn examples(&self) -> Vec<(String, String)> {
        data::examples(ID)
    }

    fn check(&self, path: &Path, text: &str) -> Result<Vec<ExampleResult>, Failure> {
        data::check(path, text)
    }

    fn combat(&self, request: &CombatRequest<'_>) -> Result<CombatOdds, Failure> {
        odds::combat(request)
    }

    fn weather(&self, request: &WeatherRequest<'_>) -> Result<WeatherOdds, Failure> {
        odds::weather(request)
    }

    fn export(&self, scenario: &str, folder: &Path) -> Result<(), Failure> {
        data::export(scenario, folder)
    }
}

/// Areas that decisive victories are made of (9.1, 9.2).
fn victory_areas(game: &VictoryInEurope) -> Areas {
    let victory = &game.rules.victory;
    victory.axis_any.iter().fold(victory.allies_all, Areas::or)
}

/// What one side did and suffered in a turn.
#[derive(Clone, Copy, Debug, Default)]
struct Ledger {
    lost: [i32; 3],
    points: i32,
    battles: i32,
}

/// Turns facts into rows.
#[derive(Debug)]
pub struct VictoryRecorder {
    turn: u8,
    /// By force.
    open: [Ledger; 3],
    closed: [Ledger; 3],
    closed_turn: u8,
    /// The force each nation fights with, followed through the facts.
    forces: [Option<Force>; NATIONS],
}

impl Default for VictoryRecorder {
    fn default() -> Self {
        VictoryRecorder {
            turn: 0,
            open: [Ledger::default(); 3],
            closed: [Ledger::default(); 3],
            closed_turn: 0,
            forces: [None; NATIONS],
        }
    }
}

impl VictoryRecorder {
    fn force_of(&self, game: &VictoryInEurope, unit: u8) -> Option<Force> {
        self.forces[game.printed_nation(unit).index()]
    }

    fn battle(&mut self, battle: &event::Battle, facts: &mut Facts, game: &VictoryInEurope) {
        let attackers = Force::ALL.into_iter().filter(|force| force.team() == battle.attacker);
        for force in attackers {
            self.open[force.index()].battles += 1;
        }
        let areas = game.rules.areas.len();
        let place = if is_area(battle.place) {
            usize::from(battle.place)
        } else {
            areas + usize::from(battle.place - sea(0))
        };
        let mut row = facts.row(BATTLES);
        row.int(i32::from(self.turn)).word(place).word(battle.attacker.index()).int(i32::from(battle.rounds));
        for pair in [battle.units, battle.steps, battle.dice, battle.hits, battle.lost] {
            row.int(i32::from(pair[0])).int(i32::from(pair[1]));
        }
        row.flag(battle.won).flag(battle.exploitation).flag(battle.winter);
    }
}

impl Recorder<VictoryInEurope> for VictoryRecorder {
    fn begin_game(&mut self, game: &VictoryInEurope) {
        *self = VictoryRecorder::default();
        for nation in Nation::ALL {
            self.forces[nation.index()] = game.rules.setup.standing[nation.index()].force();
        }
    }

    fn fact(&mut self, game: &VictoryInEurope, event: Event, facts: &mut Facts) {
        let turn = i32::from(self.turn);
        match event {
            Event::TurnBegins { turn } => {
                self.closed = std::mem::take(&mut self.open);
                self.closed_turn = self.turn;
                self.turn = turn;
            }
            Event::Standing { nation, standing } => {
                facts.row(STANDINGS).int(turn).word(nation.index()).word(standing as usize);
                if standing == Standing::Defending {
                    self.forces[nation.index()] = Some(Force::Axis);
                } else if let Some(force) = standing.force() {
                    self.forces[nation.index()] = Some(force);
                }
            }
            Event::Cards { played, first } => {
                for force in Force::ALL {
                    let card = usize::from(played[force.index()]);
                    if let Some(sheet) = game.rules.cards.get(card) {
                        facts
                            .row(CARDS)
                            .int(turn)
                            .word(force.index())
                            .word(card)
                            .int(i32::from(sheet.command))
                            .flag(force.team() == first);
                    }
                }
            }
            Event::Roll { force, nation, dice, bonus, needed } => {
                facts
                    .row(ROLLS)
                    .int(turn)
                    .word(force.index())
                    .word(nation.index())
                    .int(i32::from(dice))
                    .int(i32::from(bonus))
                    .int(i32::from(needed))
                    .flag(dice + bonus >= needed);
            }
            Event::BattleEnds(battle) => self.battle(&battle, facts, game),
            Event::Loss { unit, steps, .. } => {
                if let Some(force) = self.force_of(game, unit) {
                    let arm: Arm = game.arm(unit);
                    self.open[force.index()].lost[arm as usize] += i32::from(steps);
                }
            }
            Event::Production { nation, points, .. } => {
                if let Some(force) = self.forces[nation.index()] {
                    self.open[force.index()].points += i32::from(points);
                }
            }
            _ => {}
        }
    }

    fn turn_cells(&mut self, game: &VictoryInEurope, state: &State, end: TurnEnd, row: &mut Row<'_>) {
        let forces = forces_of(game, end.side);
        let ledgers = if end.turn == u32::from(self.closed_turn) { &self.closed } else { &self.open };
        let mut sum = Ledger::default();
        let mut held = Areas::EMPTY;
        let (mut units, mut steps) = ([0; 3], [0; 3]);
        for force in Force::ALL.into_iter().filter(|force| force.bit() & forces != 0) {
            let ledger = &ledgers[force.index()];
            (0..3).for_each(|arm| sum.lost[arm] += ledger.lost[arm]);
            sum.points += ledger.points;
            // Both Allied forces count a battle as theirs; one player's side counts it once.
            sum.battles = sum.battles.max(ledger.battles);
            held = held.or(&state.held[force.index()]);
            for unit in game.units_of(state, force) {
                units[game.arm(unit) as usize] += 1;
                steps[game.arm(unit) as usize] += i32::from(state.steps(unit));
            }
        }
        let (mut factories, mut resources) = (0, 0);
        for area in held {
            factories += i32::from(state.factory(area));
            resources += i32::from(game.rules.areas[usize::from(area)].resource);
        }
        row.int(held.len() as i32)
            .int(held.and(&victory_areas(game)).len() as i32)
            .int(factories)
            .int(resources);
        for arm in 0..3 {
            row.int(units[arm]).int(steps[arm]);
        }
        for lost in sum.lost {
            row.int(lost);
        }
        row.int(sum.points).int(sum.battles);
    }
}
