//! Victory in Europe in the program: its scenarios, what its tables hold, and its stories.

mod odds;

use sandtable_ai_victory_in_europe::VictoryKnowledge;
use sandtable_core::Side;
use sandtable_core::{Board as _, Index as _};
use sandtable_scenarios::AnySystem as Data;
use sandtable_scenarios_victory_in_europe::SYSTEM;
use sandtable_victory_in_europe::board::Bloc;
use sandtable_victory_in_europe::event::{self, Event, LossCause};
use sandtable_victory_in_europe::nation::{Force, NATIONS, Nation, Team};
use sandtable_victory_in_europe::phase::Phase;
use sandtable_victory_in_europe::rules::{Areas, Arm, BorderKind, Kind as Unit, Standing, Terrain as Ground};
use sandtable_victory_in_europe::{Place, State, UnitId, VictoryInEurope};

use super::data::{self, count, words};
use crate::failure::Failure;
use crate::system::board::{self, Link, Map, Marker, Marks, Position, Site, Terrain, Texture};
use crate::system::odds::{CombatOdds, CombatRequest, WeatherOdds, WeatherRequest};
use crate::system::waste::{self, Case, Entry, Tracker, Waste};
use crate::system::{
    Facts, FightSource, Highlights, Importance, Override, PlainBattle, Recorder, Scenario, Source,
    SurvivalSource, System, SystemInfo, TurnEnd,
};
use crate::table::{Column, Kind, Row, Schema};

/// The systems of this file.
pub(super) fn systems() -> Vec<Box<dyn crate::system::AnySystem>> {
    vec![Box::new(VictorySystem)]
}

/// The system.
#[derive(Clone, Copy, Debug)]
struct VictorySystem;

/// Steps lost by both sides from which on a battle is a headline: some ten battles of a campaign between scripted players.
const GREAT_BATTLE: u8 = 8;

const BATTLES: usize = 0;
const STANDINGS: usize = 1;
const CARDS: usize = 2;
const ROLLS: usize = 3;
const WASTE: usize = 4;

/// What waste is called here. A turn is a quarter.
const WASTE_TERMS: waste::Terms = waste::Terms {
    strength: "steps",
    units: "units",
    places: "areas",
    funds: "production points",
    stacking: "steps of units given up over the stacking limit (4.5) after the side's own movement",
    unsupplied: "steps lost to attrition (8.6)",
    unspent: "production points left when the side has written its production",
    unspent_lost: "of these, lost for good: all of them (11.1)",
    sources: "sources of supply (capitals and their alternatives, 8.1, 1.8) of countries on the side in the hands",
    points: "areas that a decisive victory is made of (9.1, 9.2), in the hands",
    guarded: "a source of supply, a capital, an area of decisive victory, a factory or a port",
    idle_after: 2,
};

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
        columns.push(count(
            "points",
            "production points",
            "production points of the turn (11.1), those that the Urals (13) and Leningrad (1.9) have for themselves among them",
        ));
        columns.push(count("battles", "battles", "battles in which the side attacked"));
        columns.extend(waste::columns(&WASTE_TERMS));
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
                name: "country_status",
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
            waste::schema(
                "force",
                words(Force::ALL.map(Force::id)),
                words(rules.units.iter().map(|unit| &unit.id)),
                words(places()),
            ),
        ]
    }

    fn recorder(&self, game: &VictoryInEurope) -> VictoryRecorder {
        VictoryRecorder::new(game)
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
        let land = (0..).map(Place).zip(&rules.areas).map(|(at, area)| board::Place {
            id: area.id.clone(),
            name: area.name.clone(),
            site: Site::Land { latitude: f64::from(area.lat), longitude: f64::from(area.lon) },
            terrain: area.terrain as usize,
            region: area.country.name().to_owned(),
            marks: Marks {
                port: rules.ports.iter().any(|port| port.area == at && !port.name.is_empty()),
                fortress: false,
                capital: rules.capitals.contains(&Some(at)),
                point: victory.contains(at),
                supply: rules.alternatives.contains(&Some(at)),
            },
        });
        let sea = rules.seas.iter().enumerate().map(|(at, sea)| {
            let coasts = game.areas().iter().filter(|&area| game.coast_seas(area, 0) & 1 << at != 0);
            board::Place {
                id: sea.id.clone(),
                name: sea.name.clone(),
                site: Site::Sea {
                    coasts: coasts.map(Place::at).collect(),
                    middle: Some((f64::from(sea.lat), f64::from(sea.lon))),
                },
                terrain: 0,
                region: String::new(),
                marks: Marks::default(),
            }
        });
        let links = rules.borders.iter().map(|border| Link {
            a: border.a.at(),
            b: border.b.at(),
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
            let held = Force::ALL.into_iter().find(|&force| state.holds(force, Place::nth(area)));
            held.map(|force| game.side_of(force))
        };
        let mut markers = Vec::new();
        for place in 0..areas + seas {
            let at = if place < areas { Place::nth(place) } else { Place::sea((place - areas) as u8) };
            let factory = if place < areas { state.factory(at) } else { 0 };
            for force in Force::ALL.map(Some).into_iter().chain([None]) {
                let mut steps = [0u32; 3];
                let mut names = Vec::new();
                for unit in state.stack(at).filter(|&unit| game.force(state, unit) == force) {
                    steps[game.arm(unit) as usize] += u32::from(state.steps(unit).max(1));
                    names.push(format!("{} ({})", game.rules.units[unit.at()].name, state.steps(unit)));
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

/// What one side did and suffered in a turn.
#[derive(Clone, Copy, Debug, Default)]
struct TurnTally {
    lost: [i32; 3],
    points: i32,
    battles: i32,
    waste: Waste,
}

/// Areas that are worth an army.
#[derive(Clone, Copy, Debug, Default)]
struct Valued {
    /// Of any country (8.1).
    capitals: Areas,
    /// Other sources of any country (1.8).
    alternatives: Areas,
    /// Of decisive victories.
    victory: Areas,
    ports: Areas,
}

impl Valued {
    fn of(game: &VictoryInEurope) -> Valued {
        let rules = &game.rules;
        Valued {
            capitals: rules.capitals.into_iter().flatten().collect(),
            alternatives: rules.alternatives.into_iter().flatten().collect(),
            victory: victory_areas(game),
            ports: rules.ports.iter().map(|port| port.area).collect(),
        }
    }
}

/// Turns facts into rows.
#[derive(Debug)]
pub struct VictoryRecorder {
    turn: u8,
    /// By force.
    open: [TurnTally; 3],
    closed: [TurnTally; 3],
    closed_turn: u8,
    /// The force each nation fights with, followed through the facts.
    forces: [Option<Force>; NATIONS],
    /// Turns in which each team last began and ended its Movement Phase.
    begun: [u8; 2],
    ended: [u8; 2],
    tracker: Tracker<UnitId, Place>,
    valued: Valued,
}

impl Default for VictoryRecorder {
    fn default() -> Self {
        VictoryRecorder {
            turn: 0,
            open: [TurnTally::default(); 3],
            closed: [TurnTally::default(); 3],
            closed_turn: 0,
            forces: [None; NATIONS],
            begun: [0; 2],
            ended: [0; 2],
            tracker: Tracker::default(),
            valued: Valued::default(),
        }
    }
}

/// Index of a place among the words of places: areas first, then seas. `None` off the map.
fn place_word(game: &VictoryInEurope, place: Place) -> Option<usize> {
    let areas = game.rules.areas.len();
    match place.sea_zone() {
        Some(zone) => Some(areas + usize::from(zone)),
        None => Some(place.at()).filter(|&area| area < areas),
    }
}

/// Forces at war with one.
fn enemies(game: &VictoryInEurope, state: &State, force: Force) -> impl Iterator<Item = Force> {
    let at_war = move |&other: &Force| game.at_war(state, Bloc::of(force), Bloc::of(other));
    Force::ALL.into_iter().filter(at_war)
}

/// Areas with armies of a force, fortresses apart.
fn armies(game: &VictoryInEurope, state: &State, force: Force) -> Areas {
    let marches = |&unit: &UnitId| game.arm(unit) == Arm::Army && game.kind(unit) != Unit::Fortress;
    let places = game.units_of(state, force).into_iter().filter(marches).map(|unit| state.location(unit));
    places.filter(|&place| place.is_area()).collect()
}

impl VictoryRecorder {
    fn new(game: &VictoryInEurope) -> VictoryRecorder {
        VictoryRecorder {
            valued: Valued::of(game),
            forces: game.rules.setup.standing.map(Standing::force),
            ..VictoryRecorder::default()
        }
    }

    /// The tally of a turn that is not over, or has just ended.
    fn tally(&mut self, turn: u8, force: usize) -> &mut TurnTally {
        let tallies = if turn == self.closed_turn { &mut self.closed } else { &mut self.open };
        &mut tallies[force]
    }

    /// Counts a case of waste and tells of it.
    fn waste(&mut self, entry: Entry, facts: &mut Facts) {
        self.tally(entry.turn, entry.side).waste.count(entry.case, entry.amount);
        entry.write(WASTE, facts);
    }

    /// A phase begins. A team has moved when the other one pins, or, if it was the second to move, when battles are named;
    /// with three players an Allied phase begins twice.
    fn phase(&mut self, phase: Phase, team: Team) {
        let (turn, other) = (self.turn, team.other());
        match phase {
            Phase::Movement if self.begun[team.index()] != turn => {
                self.begun[team.index()] = turn;
                self.tracker.side_begins(team.index(), turn);
            }
            Phase::Pinning | Phase::NamingBattles if self.ended[other.index()] != turn => {
                self.ended[other.index()] = turn;
                self.tracker.side_ends(other.index(), turn);
            }
            _ => {}
        }
    }

    /// Looks at the positions between the movements of teams.
    #[inline(never)]
    fn survey(&mut self, game: &VictoryInEurope, state: &State, facts: &mut Facts) {
        let (ended, begun) = self.tracker.take_due();
        for team in [Team::Axis, Team::Allies] {
            if ended[team.index()] != 0 {
                for force in Force::ALL.into_iter().filter(|force| force.team() == team) {
                    self.movement_ends(game, state, force, ended[team.index()], facts);
                }
            }
        }
        for team in [Team::Axis, Team::Allies] {
            if begun[team.index()] != 0 {
                self.movement_begins(game, state, team, begun[team.index()], facts);
            }
        }
    }

    /// A team begins to move: which of its units have supply, and what its enemies have left open to it.
    fn movement_begins(
        &mut self,
        game: &VictoryInEurope,
        state: &State,
        team: Team,
        turn: u8,
        facts: &mut Facts,
    ) {
        for force in Force::ALL.into_iter().filter(|force| force.team() == team) {
            let unsupplied = game.unsupplied(state, force);
            for unit in game.units_of(state, force) {
                self.tracker.begins(unit, state.location(unit), !unsupplied.contains(unit), turn);
            }
        }
        for force in Force::ALL.into_iter().filter(|force| force.team() != team) {
            let hostile = enemies(game, state, force)
                .fold(Areas::EMPTY, |all, enemy| all.or(&armies(game, state, enemy)));
            self.open_places(game, state, force, &hostile, turn, facts);
        }
    }

    /// Areas of a force that are open to enemy armies.
    fn open_places(
        &mut self,
        game: &VictoryInEurope,
        state: &State,
        force: Force,
        armies: &Areas,
        turn: u8,
        facts: &mut Facts,
    ) {
        let reach = game.land().neighbours_of(armies);
        let near = state.held[force.index()].and(&reach);
        let open = near.filter(|area| !game.has_army(state, area, force.team()));
        if open.is_empty() {
            return;
        }
        let rules = &game.rules;
        let with = |nation: &Nation| state.politics.standing(*nation).force() == Some(force);
        let own = Nation::ALL.into_iter().filter(with).map(Nation::index);
        let sources = own.flat_map(|nation| [rules.capitals[nation], rules.alternatives[nation]]);
        for (case, areas) in [
            (Case::OpenSources, sources.flatten().collect()),
            (Case::OpenCapitals, self.valued.capitals),
            (Case::OpenPoints, self.valued.victory),
        ] {
            for area in open.and(&areas) {
                let (side, place) = (force.index(), place_word(game, area));
                self.waste(Entry { turn, side, case, place, unit: None, amount: 1 }, facts);
            }
        }
    }

    /// A force has ended its moves: which of its units are idle or back where they came from.
    fn movement_ends(
        &mut self,
        game: &VictoryInEurope,
        state: &State,
        force: Force,
        turn: u8,
        facts: &mut Facts,
    ) {
        let opposed = Force::ALL.into_iter().filter(|other| other.team() != force.team());
        let hostile = opposed.fold(Areas::EMPTY, |all, other| {
            all.or(&state.held[other.index()]).or(&armies(game, state, other))
        });
        let front = hostile.or(&game.land().neighbours_of(&hostile));
        let valued = self.valued;
        let factories = state.held[force.index()].filter(|area| state.factory(area) > 0);
        let sources = valued.capitals.or(&valued.alternatives);
        let mut unguarded = sources.or(&valued.victory).or(&valued.ports).or(&factories);
        for unit in game.units_of(state, force) {
            let (place, kind) = (state.location(unit), game.kind(unit));
            if kind == Unit::Fortress {
                continue;
            }
            let (case, busy) = match game.arm(unit) {
                Arm::Air => (Case::IdleAir, false),
                Arm::Naval => (Case::IdleShips, !place.is_area()),
                Arm::Army if place.is_area() => {
                    let guards = unguarded.contains(place);
                    unguarded.remove(place);
                    (Case::IdleArmies, front.contains(place) || guards)
                }
                Arm::Army => (Case::IdleArmies, true),
            };
            let finding = self.tracker.ends(unit, place, busy, turn);
            let (place, unit) = (place_word(game, place), Some(unit.at()));
            let entry = Entry { turn, side: force.index(), case, place, unit, amount: 1 };
            if finding.idle_turns == WASTE_TERMS.idle_after {
                self.waste(entry, facts);
            } else if finding.idle_turns > WASTE_TERMS.idle_after {
                self.tally(turn, force.index()).waste.count(case, 1);
            }
            if finding.undone && case == Case::IdleArmies {
                self.waste(Entry { case: Case::MovesUndone, ..entry }, facts);
            }
        }
    }

    /// Steps are lost over the stacking limit or for want of supply.
    fn wasted_steps(
        &mut self,
        game: &VictoryInEurope,
        unit: UnitId,
        steps: u8,
        case: Case,
        facts: &mut Facts,
    ) {
        if let Some(force) = self.force_of(game, unit) {
            let place = place_word(game, self.tracker.place(unit));
            let (turn, side, unit) = (self.turn, force.index(), Some(unit.at()));
            self.waste(Entry { turn, side, case, place, unit, amount: i32::from(steps) }, facts);
        }
    }

    fn force_of(&self, game: &VictoryInEurope, unit: UnitId) -> Option<Force> {
        self.forces[game.printed_nation(unit).index()]
    }

    fn battle(&mut self, battle: &event::Battle, facts: &mut Facts, game: &VictoryInEurope) {
        let attackers = Force::ALL.into_iter().filter(|force| force.team() == battle.attacker);
        for force in attackers {
            self.open[force.index()].battles += 1;
        }
        let place = place_word(game, battle.place).expect("a battle is fought on the map");
        let mut row = facts.row(BATTLES);
        row.int(i32::from(self.turn)).word(place).word(battle.attacker.index()).int(i32::from(battle.rounds));
        for pair in [battle.units, battle.steps, battle.dice, battle.hits, battle.lost] {
            row.int(i32::from(pair[0])).int(i32::from(pair[1]));
        }
        row.flag(battle.won).flag(battle.exploitation).flag(battle.winter);
    }
}

impl Recorder<VictoryInEurope> for VictoryRecorder {
    #[inline]
    fn look(&mut self, game: &VictoryInEurope, state: &State, facts: &mut Facts) {
        if self.tracker.is_due() {
            self.survey(game, state, facts);
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
            Event::Loss { unit, steps, cause } => {
                if let Some(force) = self.force_of(game, unit) {
                    let arm: Arm = game.arm(unit);
                    self.open[force.index()].lost[arm as usize] += i32::from(steps);
                }
                match cause {
                    LossCause::Stacking => self.wasted_steps(game, unit, steps, Case::LostStacking, facts),
                    LossCause::Attrition => {
                        let own = self.tracker.has_left_supply(unit);
                        let case = if own { Case::UnsuppliedOwn } else { Case::UnsuppliedCut };
                        self.wasted_steps(game, unit, steps, case, facts);
                    }
                    _ => {}
                }
            }
            Event::PhaseBegins { phase, team: Some(team) } => self.phase(phase, team),
            Event::Moved { unit, to, .. } => self.tracker.moved(unit, to, self.turn),
            Event::BattleBegins { place, .. } => self.tracker.fights_at(place, self.turn),
            Event::Fired { unit, .. } if unit != UnitId::NONE => self.tracker.fights(unit, self.turn),
            Event::Taken { area, .. } => self.tracker.changes_hands(area, self.turn),
            Event::Unspent { nation, points } => {
                if let Some(force) = self.forces[nation.index()] {
                    let waste = &mut self.open[force.index()].waste;
                    waste.unspent += f64::from(points);
                    waste.unspent_lost += f64::from(points);
                }
            }
            Event::Production { nation, points, local, .. } => {
                if let Some(force) = self.forces[nation.index()] {
                    self.open[force.index()].points += i32::from(points) + i32::from(local);
                }
            }
            _ => {}
        }
    }

    fn turn_cells(&mut self, game: &VictoryInEurope, state: &State, end: TurnEnd, row: &mut Row<'_>) {
        let forces = forces_of(game, end.side);
        let tallies = if end.turn == u32::from(self.closed_turn) { &self.closed } else { &self.open };
        let mut sum = TurnTally::default();
        let mut held = Areas::EMPTY;
        let (mut units, mut steps) = ([0; 3], [0; 3]);
        for force in Force::ALL.into_iter().filter(|force| force.bit() & forces != 0) {
            let tally = &tallies[force.index()];
            (0..3).for_each(|arm| sum.lost[arm] += tally.lost[arm]);
            sum.points += tally.points;
            // Both Allied forces count a battle as theirs; one player's side counts it once.
            sum.battles = sum.battles.max(tally.battles);
            sum.waste.add(&tally.waste);
            held = held.or(&state.held[force.index()]);
            for unit in game.units_of(state, force) {
                units[game.arm(unit) as usize] += 1;
                steps[game.arm(unit) as usize] += i32::from(state.steps(unit));
            }
        }
        let (mut factories, mut resources) = (0, 0);
        for area in held {
            factories += i32::from(state.factory(area));
            resources += i32::from(game.rules.areas[area.at()].resource);
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
        sum.waste.cells(row);
    }
}

#[cfg(test)]
mod tests {
    use sandtable_core::{Game, PlayContext, Rng64, Sink};
    use sandtable_victory_in_europe::editor::Editor;
    use sandtable_victory_in_europe::rules::{Entry as InTheWar, Target};

    use super::*;

    fn open(id: &str) -> VictoryInEurope {
        VictorySystem.open(Source::Id(id), &[]).unwrap().game
    }

    /// A recorder that is shown positions made by hand.
    struct Follower<'a> {
        game: &'a VictoryInEurope,
        recorder: VictoryRecorder,
        facts: Facts,
    }

    impl Sink<Event> for Follower<'_> {
        fn take(&mut self, fact: impl FnOnce() -> Event) {
            self.recorder.fact(self.game, fact(), &mut self.facts);
        }
    }

    impl<'a> Follower<'a> {
        fn new(game: &'a VictoryInEurope) -> Follower<'a> {
            let recorder = VictorySystem.recorder(game);
            Follower { game, recorder, facts: Facts::new(&VictorySystem, game) }
        }

        fn look(&mut self, state: &State) {
            self.recorder.look(self.game, state, &mut self.facts);
        }

        fn turn(&mut self, turn: u8) {
            self.take(|| Event::TurnBegins { turn });
        }

        fn phase(&mut self, phase: Phase, team: Team, state: &State) {
            self.take(|| Event::PhaseBegins { phase, team: Some(team) });
            self.look(state);
        }

        /// The Axis has moved first, in a position.
        fn axis_ends(&mut self, state: &State) {
            self.phase(Phase::Pinning, Team::Allies, state);
        }

        fn count(&self, force: Force, case: Case) -> i32 {
            self.recorder.open[force.index()].waste.counts[case as usize]
        }
    }

    /// The map with these units at full strength and no others.
    fn position(game: &VictoryInEurope, units: &[(&str, &str)]) -> State {
        let mut editor = Editor::new(game);
        editor.clear();
        for &(unit, place) in units {
            let steps = game.max_steps(game.unit(unit).unwrap());
            editor.place(unit, place, steps);
        }
        editor.finish()
    }

    #[test]
    fn places_are_open_to_an_enemy_beside_them() {
        let game = open("victory-in-europe/stalingrad-1942");
        let soviet = |team: Team, units: &[(&str, &str)], edit: &dyn Fn(&mut Editor<'_>)| {
            let mut editor = Editor::of(&game, position(&game, units));
            edit(&mut editor);
            let state = editor.finish();
            let mut follower = Follower::new(&game);
            follower.turn(13);
            follower.phase(Phase::Movement, team, &state);
            [Case::OpenSources, Case::OpenCapitals, Case::OpenPoints]
                .map(|case| follower.count(Force::Soviet, case))
        };
        // Moscow; the Urals, into which no army marches; Leningrad; a capital of somebody else's.
        let beside = |area: &'static str| [("ger_inf_6a", area)];
        for (area, open) in
            [("smolensk", [1; 3]), ("orenburg", [0; 3]), ("novgorod", [0, 0, 1]), ("cracow", [0, 1, 0])]
        {
            let held = |editor: &mut Editor<'_>| {
                for own in ["moscow", "urals", "leningrad", "warsaw"] {
                    editor.control(own, Nation::Ussr);
                }
                editor.control(area, Nation::Germany);
            };
            assert_eq!(soviet(Team::Axis, &beside(area), &held), open, "{area}");
        }
        let taken = |editor: &mut Editor<'_>| {
            editor.control("smolensk", Nation::Germany);
        };
        let peace = |editor: &mut Editor<'_>| {
            taken(editor);
            editor.entry(Nation::Ussr, InTheWar::Neutral);
        };
        assert_eq!(soviet(Team::Allies, &beside("smolensk"), &taken), [0; 3], "its own move");
        assert_eq!(soviet(Team::Axis, &beside("berlin"), &taken), [0; 3], "far away");
        assert_eq!(soviet(Team::Axis, &[("ger_fa_me109_1", "smolensk")], &taken), [0; 3], "aircraft");
        assert_eq!(soviet(Team::Axis, &beside("smolensk"), &peace), [0; 3], "at peace");
        for (guard, open) in [("su_inf3_1", [0; 3]), ("gb_inf_8a", [0; 3]), ("su_fa_i16_1", [1; 3])] {
            let units = [("ger_inf_6a", "smolensk"), (guard, "moscow")];
            assert_eq!(soviet(Team::Axis, &units, &taken), open, "{guard} in Moscow");
        }
    }

    /// Armies, aircraft and ships that the Axis has idle after each of five turns in a position; in each, a fact may be told
    /// first.
    fn idle(
        game: &VictoryInEurope,
        units: &[(&str, &str)],
        fact: impl Fn(u8) -> Option<Event>,
    ) -> Vec<[i32; 3]> {
        let state = position(game, units);
        let mut follower = Follower::new(game);
        (13..18)
            .map(|turn| {
                follower.turn(turn);
                if let Some(fact) = fact(turn) {
                    follower.take(|| fact);
                }
                follower.axis_ends(&state);
                [Case::IdleArmies, Case::IdleAir, Case::IdleShips]
                    .map(|case| follower.count(Force::Axis, case))
            })
            .collect()
    }

    #[test]
    fn units_without_a_task_for_half_a_year_are_idle() {
        let game = open("victory-in-europe/stalingrad-1942");
        // One guards Berlin and one is beside it; one is in the country. One ship is at sea.
        let units = [
            ("ger_inf_6a", "berlin"),
            ("ger_inf_4a", "berlin"),
            ("ger_inf_2a", "leipzig"),
            ("ger_fa_me109_1", "berlin"),
            ("ger_bb", "hamburg"),
            ("ita_bb", "baltic_sea"),
        ];
        let (none, all) = ([0; 3], [2, 1, 1]);
        assert_eq!(idle(&game, &units, |_| None), [none, none, all, all, all]);
    }

    #[test]
    fn a_move_or_a_fight_is_a_task() {
        let game = open("victory-in-europe/stalingrad-1942");
        let (leipzig, berlin) = (game.place("leipzig").unwrap(), game.place("berlin").unwrap());
        let unit = game.unit("ger_fa_me109_1").unwrap();
        let air = [("ger_fa_me109_1", "leipzig")];
        let battle = |place| Event::BattleBegins { place, attacker: Team::Allies };
        for (fact, ends) in [
            (Event::Moved { unit, from: leipzig, to: leipzig, strategic: false }, 0),
            (Event::Fired { unit, target: Target::Air, fire: 1, dice: 1, hits: 0 }, 0),
            (battle(leipzig), 0),
            (battle(berlin), 1),
        ] {
            let told = idle(&game, &air, |turn| (turn == 15).then(|| fact.clone()));
            assert_eq!([told[2], told[4]], [[0, ends, 0], [0, 1, 0]], "{fact:?}");
        }
    }

    #[test]
    fn an_army_beside_an_enemy_or_alone_in_a_place_of_worth_has_a_task() {
        let game = open("victory-in-europe/stalingrad-1942");
        let armies = |units: &[(&str, &str)]| idle(&game, units, |_| None)[2][0];
        let one = |area: &'static str| ("ger_inf_6a", area);
        assert_eq!(armies(&[one("leipzig")]), 1);
        assert_eq!(armies(&[one("leipzig"), ("su_inf3_1", "munich")]), 0, "an enemy army beside it");
        assert_eq!(armies(&[one("leipzig"), ("su_fa_i16_1", "munich")]), 1, "enemy aircraft beside it");
        assert_eq!(armies(&[one("smolensk")]), 0, "beside the enemy's ground");
        // A capital, a factory, a port, and nothing of these.
        for (area, idle) in [("prague", 0), ("warsaw", 0), ("cologne", 0), ("stettin", 0), ("breslau", 1)] {
            assert_eq!(armies(&[one(area)]), idle, "{area}");
        }
    }

    #[test]
    fn an_army_that_is_back_after_two_turns_has_undone_its_move() {
        let game = open("victory-in-europe/stalingrad-1942");
        let undone = |unit: &str, fact: Option<Event>| {
            let mut follower = Follower::new(&game);
            for (turn, area) in [(13, "leipzig"), (14, "munich"), (15, "leipzig")] {
                follower.turn(turn);
                if turn == 15
                    && let Some(fact) = fact.clone()
                {
                    follower.take(|| fact);
                }
                follower.axis_ends(&position(&game, &[(unit, area)]));
            }
            follower.count(Force::Axis, Case::MovesUndone)
        };
        let taken = |area: &str| Event::Taken { area: game.place(area).unwrap(), by: Nation::Germany };
        assert_eq!(undone("ger_inf_6a", None), 1);
        assert_eq!(undone("ger_inf_6a", Some(taken("munich"))), 0);
        assert_eq!(undone("ger_inf_6a", Some(taken("berlin"))), 1);
        assert_eq!(undone("ger_fa_me109_1", None), 0, "aircraft come and go");
    }

    #[test]
    fn steps_are_lost_to_attrition_by_an_own_move_or_a_cut_and_to_stacking() {
        let game = open("victory-in-europe/stalingrad-1942");
        let unit = game.unit("ger_inf_6a").unwrap();
        let lost = |from: &str, to: &str, cause: LossCause| {
            let mut follower = Follower::new(&game);
            follower.turn(13);
            follower.phase(Phase::Movement, Team::Axis, &position(&game, &[("ger_inf_6a", from)]));
            follower.axis_ends(&position(&game, &[("ger_inf_6a", to)]));
            follower.take(|| Event::Loss { unit, steps: 2, cause });
            // The row says where the unit was.
            if let [row] = &follower.facts.texts(WASTE, 6)[..] {
                assert_eq!([&*row[0], &*row[1]], ["13", "axis"]);
                assert_eq!([&*row[3], &*row[4], &*row[5]], [to, "ger_inf_6a", "2"]);
            }
            [Case::UnsuppliedOwn, Case::UnsuppliedCut, Case::LostStacking]
                .map(|case| follower.count(Force::Axis, case))
        };
        assert_eq!(lost("berlin", "moscow", LossCause::Attrition), [2, 0, 0], "it went there");
        assert_eq!(lost("berlin", "berlin", LossCause::Attrition), [0, 2, 0], "it stood still");
        assert_eq!(lost("gorky", "moscow", LossCause::Attrition), [0, 2, 0], "it had no supply to lose");
        assert_eq!(lost("berlin", "leipzig", LossCause::Stacking), [0, 0, 2]);
        assert_eq!(lost("berlin", "leipzig", LossCause::Fire), [0; 3]);
    }

    #[test]
    fn each_team_begins_and_ends_its_moves_once_a_turn() {
        let game = open("victory-in-europe/stalingrad-1942");
        let mut follower = Follower::new(&game);
        // With three players the Allied phase begins for each of the two; the Axis moves second.
        let phases = [
            (Phase::Movement, Team::Allies, [0, 13], [0, 0]),
            (Phase::Movement, Team::Allies, [0, 0], [0, 0]),
            (Phase::Pinning, Team::Axis, [0, 0], [0, 13]),
            (Phase::Movement, Team::Axis, [13, 0], [0, 0]),
            (Phase::NamingBattles, Team::Allies, [0, 0], [13, 0]),
            (Phase::NamingBattles, Team::Allies, [0, 0], [0, 0]),
            (Phase::NamingBattles, Team::Axis, [0, 0], [0, 0]),
            (Phase::Combat, Team::Allies, [0, 0], [0, 0]),
        ];
        follower.turn(13);
        for (phase, team, begun, ended) in phases {
            follower.take(|| Event::PhaseBegins { phase, team: Some(team) });
            let due = follower.recorder.tracker.take_due();
            assert_eq!((&due.0[..2], &due.1[..2]), (&ended[..], &begun[..]), "{phase:?} {team:?}");
        }
    }

    #[test]
    fn what_a_major_produces_and_does_not_spend_is_told() {
        let game = open("victory-in-europe/stalingrad-1942");
        for (team, force) in [(Team::Axis, Force::Axis), (Team::Allies, Force::Soviet)] {
            let mut follower = Follower::new(&game);
            follower.turn(13);
            let mut table = PlayContext { dice: Rng64::stream(7, 0, 0), sink: follower };
            let mut state = Editor::new(&game).begin(Phase::Production, team, &mut table);
            let (mut legal, mut due, mut local) = (Vec::new(), [0; 3], [0; 2]);
            while state.phase == Phase::Production && state.mover == team {
                let (budget, major) = (&state.budget, state.budget.major().unwrap());
                let whose = state.politics.standing(major).force().unwrap();
                local = [local[0] + budget.urals, local[1] + budget.leningrad];
                due[whose.index()] += budget.points[major.index()] + budget.urals + budget.leningrad;
                legal.clear();
                game.legal_actions(&state, &mut legal);
                let pass =
                    legal.iter().find(|action| matches!(action, sandtable_victory_in_europe::Action::Pass));
                game.apply(&mut state, *pass.unwrap(), &mut table);
            }
            // The turn is over when the second team has placed its production.
            let TurnTally { waste, points: produced, .. } = *table.sink.recorder.tally(13, force.index());
            let points = f64::from(due[force.index()]);
            assert!(points > 0.0, "{force:?}");
            assert_eq!(produced, i32::from(due[force.index()]), "{force:?}");
            // The Urals and Leningrad have points of their own.
            assert_eq!(local.map(|points| points > 0), [force == Force::Soviet; 2], "{force:?} {local:?}");
            assert!((waste.unspent - points).abs() < 1e-9, "{force:?}: {} of {points}", waste.unspent);
            assert!((waste.unspent_lost - points).abs() < 1e-9);
        }
    }
}
