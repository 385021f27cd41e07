//! BlitzWar in the program: its scenarios, what its tables hold, and its stories.

mod odds;

use sandtable_ai_blitzwar::BlitzKnowledge;
use sandtable_blitzwar::location::{Counter, Location, Sea, Zone};
use sandtable_blitzwar::nation::NATIONS;
use sandtable_blitzwar::phase::Phase;
use sandtable_blitzwar::rules::{LandZone, Terrain as Ground, Zones};
use sandtable_blitzwar::{Battle, BlitzWar, Country, Event, Force, Kind as Unit, Nation, State, Status};
use sandtable_core::{Board as _, Index as _};
use sandtable_scenarios::AnySystem as Data;
use sandtable_scenarios_blitzwar::SYSTEM;

use super::data::{self, count, words};
use crate::failure::Failure;
use crate::system::board::{Link, Map, Marker, Marks, Place, Position, Site, Terrain, Texture};
use crate::system::odds::{CombatOdds, CombatRequest, WeatherOdds, WeatherRequest};
use crate::system::waste::{self, Case, Entry, Tracker, Waste};
use crate::system::{
    Facts, FightSource, Highlights, Importance, Override, PlainBattle, Recorder, Scenario, Source,
    SurvivalSource, System, SystemInfo, TurnEnd,
};
use crate::table::{Column, Kind, Row, Schema};

/// The systems of this file.
pub(super) fn systems() -> Vec<Box<dyn crate::system::AnySystem>> {
    vec![Box::new(BlitzWarSystem)]
}

/// The system.
#[derive(Clone, Copy, Debug)]
struct BlitzWarSystem;

/// Kinds of units in the columns of strengths and losses, see [`place_of`].
const KINDS: usize = 5;

/// Corps on both sides from which on a battle is a headline: some twenty battles of a campaign between scripted players.
const GREAT_BATTLE: u8 = 16;

const BATTLES: usize = 0;
const STANDINGS: usize = 1;
const WASTE: usize = 2;

/// What waste is called here. A turn is six weeks.
const WASTE_TERMS: waste::Terms = waste::Terms {
    strength: "corps",
    units: "counters",
    places: "zones",
    funds: "supply units",
    stacking: "corps given up over the stacking limit (4) after the side's own placement, transport or movement",
    unsupplied: "corps out of supply (17.5) at the end of the side's turn",
    unspent: "supply units on the map at the end of the side's turn: what its turn could have spent more",
    unspent_lost: "supply units of the side's card that found no place or no counter and are lost (11.5)",
    sources: "Supply Zones and depots",
    points: "strategic points of any kind",
    guarded: "a Supply Zone, a capital, a strategic point or a port",
    idle_after: 4,
};

/// Standings of a country as the table names them, in the order of the rules.
const STATUS: [&str; 7] = ["axis", "allied", "soviet", "neutral", "passage", "surrendered", "absent"];

/// Names of the odds by ladder index; column `c` of the combat table is entry `c`.
const ODDS: [&str; 9] = ["2-3", "1-1", "3-2", "2-1", "3-1", "4-1", "5-1", "6-1", "7-1"];

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
        let mut columns = vec![
            count(
                "axis_points",
                "strategic points",
                "strategic points of any kind under Axis control at the end of the side's turn",
            ),
            count(
                "strategic_points",
                "strategic points",
                "strategic points of any kind under the side's control",
            ),
            count("zones", "zones", "land zones under the side's control"),
            count("infantry", "corps", "infantry corps on the map"),
            count("armour", "corps", "armour corps on the map"),
            count("air", "units", "air units on the map"),
            count("fleet", "units", "fleet units on the map"),
            count("submarines", "units", "submarine units on the map"),
            Column::new("supply", Kind::Real, "supply units", "supply units on the map"),
        ];
        for (name, unit, what) in [
            ("infantry", "corps", "infantry corps"),
            ("armour", "corps", "armour corps"),
            ("air", "units", "air units"),
            ("fleet", "units", "fleet units"),
            ("submarines", "units", "submarine units"),
        ] {
            columns.push(count(
                &format!("lost_{name}"),
                unit,
                &format!("{what} lost in the turn, for whatever reason"),
            ));
        }
        columns.push(Column::new(
            "supply_spent",
            Kind::Real,
            "supply units",
            "supply units spent on actions",
        ));
        columns.push(count(
            "supply_lost",
            "supply units",
            "supply units due to blockade, bombing and side points in enemy hands",
        ));
        columns.push(count("battles", "combats", "land combats in which the side attacked"));
        columns.extend(waste::columns(&WASTE_TERMS));
        columns.push(count(
            "lost_unsupplied",
            "corps",
            "corps lost while they were marked out of supply, for whatever reason",
        ));
        columns.push(count(
            "unplaced",
            "units",
            "corps, ships and air units of the side's cards that found no place or no counter and are lost (11.5)",
        ));
        columns.push(Column::new(
            "lost_supply",
            Kind::Real,
            "supply units",
            "supply units lost on the map, with the zone they lay in",
        ));
        columns
    }

    fn fact_tables(&self, game: &BlitzWar) -> Vec<Schema> {
        let sides = || words(Force::ALL.map(Force::id));
        let shift = |name: &str, doc: &str| {
            Column::new(
                format!("shift_{name}"),
                Kind::Int,
                "columns",
                format!("{doc}; to the right is positive"),
            )
        };
        vec![
            Schema {
                name: "battles",
                doc: "one row a land combat, in the order fought",
                columns: vec![
                    count("turn", "turns", "game turn"),
                    Column::new("phase", words(["blitz", "normal"]), "", "phase of combat"),
                    Column::new(
                        "zone",
                        words(game.rules.zones.iter().map(|zone| &zone.id)),
                        "",
                        "zone attacked",
                    ),
                    Column::new("attacker", sides(), "", "side that attacks"),
                    Column::new("defender", sides(), "", "side that defends"),
                    count("attacking_infantry", "corps", "attacking infantry corps"),
                    count("attacking_armour", "corps", "attacking armour corps"),
                    count("defending_infantry", "corps", "defending infantry corps"),
                    count("defending_armour", "corps", "defending armour corps"),
                    count("fortified", "corps", "of the defenders, fortified corps"),
                    count(
                        "odds_index",
                        "columns",
                        "odds before shifts as steps of the ladder: 0 is 2-3, 1 is 1-1, 2 is 3-2, n+1 is n-1",
                    ),
                    shift("german_attack", "German attack bonus"),
                    shift("british_vs_italians", "British against Italians only"),
                    shift("armour", "armour in the attack"),
                    shift("attacker_air", "air superiority of the attacker"),
                    shift("out_of_supply", "defender out of supply"),
                    shift("german_defence", "German or Finnish corps in defence"),
                    shift("all_fortified", "only fortified corps in defence"),
                    shift("defender_air", "air superiority of the defender"),
                    shift("terrain", "terrain, river or beachhead"),
                    shift("fortress", "fortress"),
                    shift("fortified_line", "attack across a fortified line only"),
                    Column::new("column", words(ODDS), "", "column of the combat table that was read"),
                    count("die", "", "the die, 1 to 6"),
                    count("attacker_loss", "corps", "corps lost by the attacker by the table"),
                    Column::new("attacker_loss_armour", Kind::Flag, "", "whether that loss is armour"),
                    count("defender_loss", "corps", "corps lost by the defender by the table"),
                ],
            },
            Schema {
                name: "country_status",
                doc: "one row for every change in the standing of a country: entries, surrenders, free passage",
                columns: vec![
                    count("turn", "turns", "game turn"),
                    Column::new("country", words(Country::ALL.map(Country::id)), "", "the country"),
                    Column::new(
                        "status",
                        words(STATUS),
                        "",
                        "its standing from now on: the side it fights on, or neutral, passage, surrendered, absent",
                    ),
                ],
            },
            waste::schema(
                "side",
                sides(),
                words(game.rules.counter_types.iter().map(|sheet| &sheet.id)),
                words(
                    game.rules
                        .zones
                        .iter()
                        .map(|zone| &zone.id)
                        .chain(game.rules.seas.iter().map(|sea| &sea.id)),
                ),
            ),
        ]
    }

    fn recorder(&self, game: &BlitzWar) -> BlitzRecorder {
        BlitzRecorder::new(game)
    }

    fn turn_label(&self, game: &BlitzWar, state: &State) -> String {
        format!("turn {}: {}", state.turn(), odds::when(&game.rules.calendar[state.turn() as usize - 1]))
    }

    fn narrate(&self, game: &BlitzWar, state: &State, event: &Event) -> Option<String> {
        game.describe_event(state, event)
    }

    fn map(&self, game: &BlitzWar) -> Option<Map> {
        let rules = &game.rules;
        let points = game.strategic_points();
        let land =
            rules.zones.iter().enumerate().map(|(at, zone)| place(zone, points.contains(Location::nth(at))));
        let sea = rules.seas.iter().enumerate().map(|(at, sea)| Place {
            id: sea.id.clone(),
            name: sea.name.clone(),
            site: Site::Sea {
                coasts: game.sea_coast(Sea::nth(at)).iter().map(Location::at).collect(),
                middle: None,
            },
            terrain: 0,
            region: String::new(),
            marks: Marks::default(),
        });
        let links = rules.links.iter().map(|link| Link {
            a: link.a.at(),
            b: link.b.at(),
            water: link.dotted,
            river: link.river_a || link.river_b,
            fortified: link.fortified.is_some(),
            road: false,
        });
        let terrains = [
            ("open", Texture::Plain),
            ("narrow", Texture::Dots),
            ("marsh", Texture::Marsh),
            ("mountain", Texture::Hills),
            ("high mountain", Texture::Peaks),
        ];
        Some(Map {
            places: land.chain(sea).collect(),
            links: links.collect(),
            terrains: terrains.map(|(name, texture)| Terrain { name: name.to_owned(), texture }).to_vec(),
            marker_key: "On a marker: infantry+armour corps; a air, f fleet, s submarine units; u supply units; in brackets on a beach."
                .to_owned(),
        })
    }

    fn position(&self, game: &BlitzWar, state: &State) -> Position {
        let (zones, seas) = (game.rules.zones.len(), game.rules.seas.len());
        let owners = (0..zones).map(|zone| state.controller(Location::nth(zone)).map(Force::side));
        let mut markers = Vec::new();
        for place in 0..zones + seas {
            let location =
                if place < zones { Location::nth(place) } else { Location::of_sea(Sea::nth(place - zones)) };
            for force in Force::ALL.map(Some).into_iter().chain([None]) {
                markers.extend(Strength::of(game, state, location, force).marker(place, force));
            }
        }
        for location in Location::beachheads() {
            let Some((zone, _)) = state.beachhead(location) else { continue };
            for force in Force::ALL {
                let ashore = Strength::of(game, state, location, Some(force));
                markers.extend(ashore.marker(zone.at(), Some(force)).map(|marker| Marker {
                    text: format!("({})", marker.text),
                    words: format!("{}, on the beach", marker.words),
                    ..marker
                }));
            }
        }
        Position { owners: owners.chain((0..seas).map(|_| None)).collect(), markers }
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

/// A land zone as it is drawn.
fn place(zone: &LandZone, point: bool) -> Place {
    Place {
        id: zone.id.clone(),
        name: zone.name.clone(),
        site: Site::Land { latitude: f64::from(zone.latitude), longitude: f64::from(zone.longitude) },
        terrain: match zone.terrain {
            Ground::Easy => 0,
            Ground::Narrow => 1,
            Ground::Marsh => 2,
            Ground::Mountain => 3,
            Ground::HighMountain => 4,
        },
        region: zone.country.name().to_owned(),
        marks: Marks {
            port: zone.port,
            fortress: zone.fortress,
            capital: zone.capital,
            point,
            supply: zone.supply_zone.is_some(),
        },
    }
}

/// What one side has in a place: corps and units, supply in half units.
#[derive(Clone, Copy, Debug, Default)]
struct Strength {
    infantry: u32,
    armour: u32,
    air: u32,
    fleet: u32,
    submarines: u32,
    supply_halves: u32,
}

impl Strength {
    fn of(game: &BlitzWar, state: &State, location: Location, force: Option<Force>) -> Strength {
        let mut sum = Strength::default();
        for counter in state.stack(location) {
            if game.force(state, counter) != force {
                continue;
            }
            let units = u32::from(state.strength(counter));
            match game.kind(counter) {
                Unit::Air => sum.air += units,
                Unit::Fleet => sum.fleet += units,
                Unit::Submarine => sum.submarines += units,
                Unit::Supply => sum.supply_halves += units,
                Unit::Infantry | Unit::Armour | Unit::White | Unit::Elite => {
                    let (infantry, armour) = game.corps_of(state, counter);
                    sum.infantry += u32::from(infantry);
                    sum.armour += u32::from(armour);
                }
            }
        }
        sum
    }

    fn marker(self, place: usize, force: Option<Force>) -> Option<Marker> {
        let corps = match (self.infantry, self.armour) {
            (0, 0) => String::new(),
            (infantry, 0) => infantry.to_string(),
            (infantry, armour) => format!("{infantry}+{armour}"),
        };
        let supply = f64::from(self.supply_halves) / 2.0;
        let others = [
            (f64::from(self.air), "a", "air"),
            (f64::from(self.fleet), "f", "fleet"),
            (f64::from(self.submarines), "s", "submarine"),
            (supply, "u", "supply"),
        ];
        let there = others.iter().filter(|(units, ..)| *units > 0.0);
        let short: Vec<String> = std::iter::once(corps)
            .filter(|corps| !corps.is_empty())
            .chain(there.clone().map(|(units, letter, _)| format!("{units}{letter}")))
            .collect();
        let corps = [(self.infantry, "infantry"), (self.armour, "armour")];
        let words: Vec<String> = corps
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, kind)| format!("{count} {kind} corps"))
            .chain(there.map(|(units, _, kind)| format!("{units} {kind} units")))
            .collect();
        let whose = force.map_or("neutral", Force::name);
        (!short.is_empty()).then(|| Marker {
            place,
            side: force.map(Force::side),
            text: short.join(" "),
            words: format!("{whose}: {}", words.join(", ")),
        })
    }
}

/// What one side did and suffered in a turn.
#[derive(Clone, Copy, Debug, Default)]
struct TurnTally {
    lost: [i32; KINDS],
    spent_halves: i32,
    supply_lost: i32,
    battles: i32,
    axis_points: i32,
    waste: Waste,
    lost_unsupplied: i32,
    unplaced: i32,
    lost_supply_halves: i32,
}

/// Zones that are worth an army.
#[derive(Clone, Copy, Debug, Default)]
struct Valued {
    /// Of any country.
    capitals: Zones,
    /// General ones and those of any side.
    points: Zones,
    /// Supply Zones by side.
    sources: [Zones; 3],
    ports: Zones,
}

impl Valued {
    fn of(game: &BlitzWar) -> Valued {
        let zones = game.rules.every_zone();
        Valued {
            capitals: zones.filter(|&zone| game.rules.zones[zone.at()].capital).collect(),
            points: game.strategic_points(),
            sources: Force::ALL.map(|force| *game.supply_zones(force)),
            ports: *game.ports(),
        }
    }

    /// Zones in which an army of a side has a task though no enemy is near.
    fn guarded(&self, force: Force) -> Zones {
        self.capitals.or(&self.points).or(&self.sources[force.index()]).or(&self.ports)
    }
}

/// Turns facts into rows of `turns` and `battles`.
#[derive(Debug, Default)]
pub struct BlitzRecorder {
    turn: u8,
    open: [TurnTally; 3],
    closed: [TurnTally; 3],
    closed_turn: u8,
    /// Units on the map, by nation: counted once a game and then followed through the facts, which is far less work
    /// than counting them every turn.
    units: [[i32; KINDS]; NATIONS],
    counted: bool,
    /// The same by side, at the end of turn `summed_turn`.
    strength: [[i32; KINDS]; 3],
    summed_turn: u32,
    /// Side of each nation's counters, followed through the game's the status of countries.
    sides: Vec<Option<Force>>,
    /// Phase, and the side whose it is.
    phase: Option<(Phase, Force)>,
    tracker: Tracker<Counter, Location>,
    valued: Valued,
}

/// Units on the map by nation and [`place_of`].
fn units_on_map(game: &BlitzWar, state: &State) -> [[i32; KINDS]; NATIONS] {
    let mut units = [[0; KINDS]; NATIONS];
    let on_map = |&counter: &Counter| !matches!(state.location(counter), Location::POOL | Location::LOCKED);
    for counter in game.sheet().filter(on_map) {
        let (infantry, armour) = game.corps_of(state, counter);
        let units = &mut units[game.nation(counter).index()];
        units[0] += i32::from(infantry);
        units[1] += i32::from(armour);
        if let Some(place @ 2..) = place_of(game.kind(counter)) {
            units[place] += i32::from(state.strength(counter));
        }
    }
    units
}

/// Place of a kind of unit in the columns of strengths and losses.
fn place_of(kind: Unit) -> Option<usize> {
    match kind {
        Unit::Infantry => Some(0),
        Unit::Armour | Unit::White | Unit::Elite => Some(1),
        Unit::Air => Some(2),
        Unit::Fleet => Some(3),
        Unit::Submarine => Some(4),
        Unit::Supply => None,
    }
}

impl BlitzRecorder {
    fn new(game: &BlitzWar) -> BlitzRecorder {
        let (sides, valued) = (game.starting_sides(), Valued::of(game));
        BlitzRecorder { sides, valued, ..BlitzRecorder::default() }
    }

    /// Sums up the units of each side's nations.
    fn sum_units(&mut self, game: &BlitzWar, state: &State) {
        if !self.counted {
            self.counted = true;
            self.units = units_on_map(game, state);
        }
        self.strength = Default::default();
        for (nation, units) in Nation::ALL.into_iter().zip(&self.units) {
            if let Some(force) = state.force_of(nation) {
                let strength = &mut self.strength[force.index()];
                strength.iter_mut().zip(units).for_each(|(sum, units)| *sum += units);
            }
        }
    }

    /// The tally of a turn that is not over, or has just ended.
    fn tally(&mut self, turn: u8, force: Force) -> &mut TurnTally {
        let tallies = if turn == self.closed_turn { &mut self.closed } else { &mut self.open };
        &mut tallies[force.index()]
    }

    /// Counts a case of waste and tells of it.
    fn waste(&mut self, game: &BlitzWar, entry: Entry, facts: &mut Facts) {
        self.tally(entry.turn, Force::ALL[entry.side]).waste.count(entry.case, entry.amount);
        debug_assert!(entry.place.is_none_or(|place| place < game.rules.zones.len() + game.rules.seas.len()));
        entry.write(WASTE, facts);
    }

    /// A stack over the limit gives up corps (4): waste if its side has filled it, by placement in the Reinforcement Phase
    /// or in its own turn.
    #[inline(never)]
    fn overstacked(&mut self, game: &BlitzWar, force: Force, corps: u8, zone: Zone, facts: &mut Facts) {
        let own = match self.phase {
            Some((Phase::Diplomacy, _)) | None => false,
            Some((Phase::Reorganisation, _)) => true,
            Some((_, active)) => active == force,
        };
        if own {
            let (case, place, amount) = (Case::LostStacking, Some(zone.at()), i32::from(corps));
            let side = force.index();
            self.waste(game, Entry { turn: self.turn, side, case, place, unit: None, amount }, facts);
        }
    }

    /// A phase begins. The Naval Phase is the first of a side's turn (8).
    #[inline(never)]
    fn phase(&mut self, phase: Phase, force: Force) {
        self.phase = Some((phase, force));
        if phase == Phase::NavalMovement {
            self.tracker.side_begins(force.index(), self.turn);
        }
    }

    /// Looks at the positions between the turns of sides.
    #[inline(never)]
    fn survey(&mut self, game: &BlitzWar, state: &State, facts: &mut Facts) {
        let (ended, begun) = self.tracker.take_due();
        for force in Force::ALL {
            if ended[force.index()] != 0 {
                self.side_ends(game, state, force, ended[force.index()], facts);
            }
        }
        for force in Force::ALL {
            if begun[force.index()] != 0 {
                self.side_begins(game, state, force, begun[force.index()], facts);
            }
        }
    }

    /// A side begins its turn: which of its corps have supply, and what its enemies have left open to it.
    fn side_begins(&mut self, game: &BlitzWar, state: &State, force: Force, turn: u8, facts: &mut Facts) {
        let own = game.counters_of(state, force);
        let unsupplied = if state.active() == force {
            game.unsupplied(state)
        } else {
            own.filter(|counter| state.is_unsupplied(counter))
        };
        for counter in own {
            self.tracker.begins(counter, state.location(counter), !unsupplied.contains(counter), turn);
        }
        let reach = game.land().neighbours_of(state.corps(force));
        for enemy in Force::ALL.into_iter().filter(|&enemy| game.at_war(state, enemy, force)) {
            let friend = enemy.friend().map_or(Zones::EMPTY, |friend| *state.corps(friend));
            let empty = state.control(enemy).difference(state.corps(enemy)).difference(&friend).and(&reach);
            if empty.is_empty() {
                continue;
            }
            let sources = self.valued.sources[enemy.index()].or(&game.depots(state, enemy));
            for (case, zones) in [
                (Case::OpenSources, sources),
                (Case::OpenCapitals, self.valued.capitals),
                (Case::OpenPoints, self.valued.points),
            ] {
                for zone in empty.and(&zones) {
                    let (side, place) = (enemy.index(), Some(zone.at()));
                    self.waste(game, Entry { turn, side, case, place, unit: None, amount: 1 }, facts);
                }
            }
        }
    }

    /// A side ends its turn: which of its units are out of supply, idle or back where they came from.
    fn side_ends(&mut self, game: &BlitzWar, state: &State, force: Force, turn: u8, facts: &mut Facts) {
        let zones = game.rules.zones.len();
        self.tally(turn, force).waste.unspent = f64::from(game.total_stock(state, force)) / 2.0;
        let enemies = Force::ALL.into_iter().filter(|&enemy| enemy.opposes(force));
        let hostile =
            enemies.fold(Zones::EMPTY, |all, enemy| all.or(state.control(enemy)).or(state.corps(enemy)));
        let front = game.land().neighbours_of(&hostile);
        let mut unguarded = self.valued.guarded(force);
        for counter in game.counters_of(state, force) {
            let (kind, location) = (game.kind(counter), state.location(counter));
            let (ashore, army) = (location.at() < zones, kind.is_corps());
            let case = match kind {
                Unit::Supply => continue,
                Unit::Air => Case::IdleAir,
                Unit::Fleet | Unit::Submarine => Case::IdleShips,
                _ => Case::IdleArmies,
            };
            let mut busy = !ashore;
            if army && ashore {
                if state.has_fought(counter) {
                    self.tracker.fights(counter, turn);
                }
                busy = front.contains(location) || unguarded.contains(location);
                unguarded.remove(location);
            }
            let finding = self.tracker.ends(counter, location, busy, turn);
            let place = if ashore { Some(location.at()) } else { location.sea().map(|sea| zones + sea.at()) };
            let unit = Some(usize::from(game.counter_type(counter)));
            let entry = Entry { turn, side: force.index(), case, place, unit, amount: 1 };
            if finding.idle_turns == WASTE_TERMS.idle_after {
                self.waste(game, entry, facts);
            } else if finding.idle_turns > WASTE_TERMS.idle_after {
                self.tally(turn, force).waste.count(case, 1);
            }
            if !army {
                continue;
            }
            if finding.undone {
                self.waste(game, Entry { case: Case::MovesUndone, ..entry }, facts);
            }
            if state.is_unsupplied(counter) {
                let own = self.tracker.has_left_supply(counter);
                let case = if own { Case::UnsuppliedOwn } else { Case::UnsuppliedCut };
                let amount = i32::from(state.strength(counter));
                self.waste(game, Entry { case, amount, ..entry }, facts);
            }
        }
    }

    #[inline(never)]
    fn note_status(&mut self, country: Country, status: Status, facts: &mut Facts) {
        facts.row(STANDINGS).int(i32::from(self.turn)).word(country.index()).word(status as usize);
        if let Some(side) = self.sides.get_mut(country.index()) {
            // The losses of a country that surrenders are its last side's.
            *side = status.force().or(*side);
        }
    }

    #[inline(never)]
    fn battle(&mut self, battle: &Battle, facts: &mut Facts) {
        self.open[battle.attacker.index()].battles += 1;
        self.tracker.fights_at(battle.zone, self.turn);
        let shifts = &battle.modifiers;
        let mut row = facts.row(BATTLES);
        row.int(i32::from(self.turn))
            .word(usize::from(!battle.blitz))
            .word(battle.zone.at())
            .word(battle.attacker.index())
            .word(battle.defender.index());
        for corps in [
            battle.attacking_infantry,
            battle.attacking_armour,
            battle.defending_infantry,
            battle.defending_armour,
            battle.fortified,
        ] {
            row.int(i32::from(corps));
        }
        row.int(i32::from(battle.odds));
        for shift in [
            shifts.german_attack,
            shifts.british_vs_italians,
            shifts.armour,
            shifts.attacker_air,
            shifts.out_of_supply,
            shifts.german_defence,
            shifts.all_fortified,
            shifts.defender_air,
            shifts.terrain,
            shifts.fortress,
            shifts.fortified_line,
        ] {
            row.int(i32::from(shift));
        }
        row.word(usize::from(battle.column))
            .int(i32::from(battle.die))
            .int(i32::from(battle.attacker_loss))
            .flag(battle.attacker_armour_loss)
            .int(i32::from(battle.defender_loss));
    }
}

impl Recorder<BlitzWar> for BlitzRecorder {
    #[inline]
    fn look(&mut self, game: &BlitzWar, state: &State, facts: &mut Facts) {
        if self.tracker.is_due() {
            self.survey(game, state, facts);
        }
    }

    #[allow(clippy::inline_always)] // most of the thousands of facts of a game go into no table
    #[inline(always)]
    fn fact(&mut self, game: &BlitzWar, event: Event, facts: &mut Facts) {
        match event {
            Event::TurnBegins { turn } => {
                self.closed = std::mem::take(&mut self.open);
                self.closed_turn = self.turn;
                self.turn = turn;
            }
            Event::SideDone { force, axis_points, turn } => {
                self.open[force.index()].axis_points = i32::from(axis_points);
                self.tracker.side_ends(force.index(), turn);
            }
            Event::PhaseBegins { phase, force } => self.phase(phase, force),
            Event::Moved { counter, to, .. } => self.tracker.moved(counter, to, self.turn),
            Event::Exchanged { counter, into } => self.tracker.goes_on(counter, into),
            Event::Combined { counter, into } => self.tracker.joins(counter, into),
            Event::Control { zone, .. } => self.tracker.changes_hands(zone, self.turn),
            Event::Overstacked { force, corps, zone } => self.overstacked(game, force, corps, zone, facts),
            Event::Unplaced { force, kind: Unit::Supply, units } => {
                self.open[force.index()].waste.unspent_lost += f64::from(units) / 2.0;
            }
            Event::Unplaced { force, units, .. } => self.open[force.index()].unplaced += i32::from(units),
            Event::Standing { country, status } => self.note_status(country, status, facts),
            Event::Reinforced { nation, kind, units, .. } => {
                if let Some(place) = place_of(kind) {
                    self.units[nation.index()][place] += i32::from(units);
                }
            }
            Event::Lost { nation, kind, units, unsupplied, .. } => {
                if let Some(place) = place_of(kind) {
                    self.units[nation.index()][place] -= i32::from(units);
                    if let Some(force) = self.sides[nation.index()] {
                        let tally = &mut self.open[force.index()];
                        tally.lost[place] += i32::from(units);
                        tally.lost_unsupplied += if unsupplied { i32::from(units) } else { 0 };
                    }
                } else if let Some(force) = self.sides[nation.index()] {
                    self.open[force.index()].lost_supply_halves += i32::from(units);
                }
            }
            Event::Spent { force, halves } => self.open[force.index()].spent_halves += i32::from(halves),
            Event::SupplyLost { force, units } => self.open[force.index()].supply_lost += i32::from(units),
            Event::Battle(battle) => self.battle(&battle, facts),
            _ => {}
        }
    }

    fn turn_cells(&mut self, game: &BlitzWar, state: &State, end: TurnEnd, row: &mut Row<'_>) {
        if self.summed_turn != end.turn {
            self.summed_turn = end.turn;
            self.sum_units(game, state);
        }
        let force = Force::of(end.side);
        let tallies = if end.turn == u32::from(self.closed_turn) { &self.closed } else { &self.open };
        let tally = &tallies[force.index()];
        let held = state.control(force);
        row.int(tally.axis_points).int(game.strategic_points().and(held).len() as i32).int(held.len() as i32);
        for units in self.strength[force.index()] {
            row.int(units);
        }
        row.real(f64::from(game.total_stock(state, force)) / 2.0);
        for lost in tally.lost {
            row.int(lost);
        }
        row.real(f64::from(tally.spent_halves) / 2.0).int(tally.supply_lost).int(tally.battles);
        tally.waste.cells(row);
        row.int(tally.lost_unsupplied).int(tally.unplaced).real(f64::from(tally.lost_supply_halves) / 2.0);
    }
}

#[cfg(test)]
mod tests {
    use sandtable_blitzwar::editor::{Editor, Mark};
    use sandtable_blitzwar::event::Modifiers;
    use sandtable_core::{Dice, Game, PlayContext, Rng64, Sink, Turn};

    use super::*;
    use crate::table::Rows;

    /// Hands facts to a recorder.
    struct Follower<'a> {
        game: &'a BlitzWar,
        recorder: BlitzRecorder,
        facts: Facts,
    }

    impl Sink<Event> for Follower<'_> {
        fn take(&mut self, fact: impl FnOnce() -> Event) {
            self.recorder.fact(self.game, fact(), &mut self.facts);
        }
    }

    #[test]
    fn units_followed_through_the_facts_are_those_on_the_map() {
        let id = "blitzwar/campaign-1939";
        let game = BlitzWarSystem.open(Source::Id(id), &[]).unwrap().game;
        let mut legal = Vec::new();
        for number in 0..6 {
            let recorder = BlitzRecorder::new(&game);
            let facts = Facts::new(&BlitzWarSystem, &game);
            let sink = Follower { game: &game, recorder, facts };
            let mut table = PlayContext { dice: Rng64::stream(7, number, 0), sink };
            let mut state = game.initial(&mut table);
            let mut turn = 0;
            while let Turn::Decide(_) = game.turn_of(&state) {
                let recorder = &mut table.sink.recorder;
                if game.turn_number(&state) != turn {
                    turn = game.turn_number(&state);
                    recorder.sum_units(&game, &state);
                    for force in Force::ALL {
                        let counted = game.strength_by_kind(&state, force).map(i32::from);
                        assert_eq!(recorder.strength[force.index()], counted, "{force:?} in turn {turn}");
                    }
                }
                legal.clear();
                game.legal_actions(&state, &mut legal);
                let choice = table.below(legal.len() as u32) as usize;
                game.apply(&mut state, legal[choice], &mut table);
            }
            assert!(turn > 20, "game {number} ended in turn {turn}");
        }
    }

    fn open(id: &str) -> BlitzWar {
        BlitzWarSystem.open(Source::Id(id), &[]).unwrap().game
    }

    impl<'a> Follower<'a> {
        fn new(game: &'a BlitzWar) -> Follower<'a> {
            let recorder = BlitzWarSystem.recorder(game);
            Follower { game, recorder, facts: Facts::new(&BlitzWarSystem, game) }
        }

        fn look(&mut self, state: &State) {
            self.recorder.look(self.game, state, &mut self.facts);
        }

        /// Begins a turn.
        fn turn(&mut self, turn: u8) {
            self.take(|| Event::TurnBegins { turn });
        }

        /// A side begins its turn in a position.
        fn begins(&mut self, force: Force, state: &State) {
            self.take(|| Event::PhaseBegins { phase: Phase::NavalMovement, force });
            self.look(state);
        }

        /// A side has ended its turn in a position.
        fn ends(&mut self, force: Force, state: &State) {
            let turn = self.recorder.turn;
            self.take(|| Event::SideDone { force, turn, axis_points: 0 });
            self.look(state);
        }

        /// What a side has wasted in the turn at hand.
        fn count(&self, force: Force, case: Case) -> i32 {
            self.recorder.open[force.index()].waste.counts[case as usize]
        }
    }

    /// The map with these infantry corps, one counter each, Axis and Soviets at war; the Axis is in turn.
    fn position(game: &BlitzWar, corps: &[(Nation, &str, u8)], edit: impl FnOnce(&mut Editor<'_>)) -> State {
        let mut editor = Editor::new(game);
        editor.timers().axis_soviet_war = 1;
        editor.phase(Phase::NavalMovement, Force::Axis);
        for &(nation, zone, infantry) in corps {
            editor.corps(nation, game.zone(zone).unwrap(), infantry, 0, false).unwrap();
        }
        edit(&mut editor);
        editor.finish()
    }

    const OPEN: [Case; 3] = [Case::OpenSources, Case::OpenCapitals, Case::OpenPoints];

    #[test]
    fn places_are_open_to_an_enemy_beside_them() {
        let game = open("blitzwar/barbarossa-1941");
        let soviet = |force: Force, corps: &[(Nation, &str, u8)], edit: &dyn Fn(&mut Editor<'_>)| {
            let state = position(&game, corps, |editor| {
                for own in ["sofia", "stalingrad", "kharkov"] {
                    editor.control(game.zone(own).unwrap(), Some(Force::Soviet)).unwrap();
                }
                for taken in ["mozhaisk", "astrakhan", "voronezh", "craiova"] {
                    editor.control(game.zone(taken).unwrap(), Some(Force::Axis)).unwrap();
                }
                edit(editor);
            });
            let mut follower = Follower::new(&game);
            follower.turn(17);
            follower.begins(force, &state);
            OPEN.map(|case| follower.count(Force::Soviet, case))
        };
        let as_is = |_: &mut Editor<'_>| ();
        let beside = |zone: &'static str| [(Nation::Ger, zone, 1)];
        // Moscow; Stalingrad, no capital; Kharkov, a strategic point alone; Sofia, a capital alone.
        for (zone, open) in
            [("mozhaisk", [1; 3]), ("astrakhan", [1, 0, 1]), ("voronezh", [0, 0, 1]), ("craiova", [0, 1, 0])]
        {
            assert_eq!(soviet(Force::Axis, &beside(zone), &as_is), open, "{zone}");
        }
        let moscow = beside("mozhaisk");
        assert_eq!(soviet(Force::Soviet, &moscow, &as_is), [0; 3], "its own turn");
        assert_eq!(soviet(Force::Axis, &beside("leipzig"), &as_is), [0; 3], "far away");
        for guard in [Nation::Ussr, Nation::Uk] {
            assert_eq!(soviet(Force::Axis, &[moscow[0], (guard, "moscow", 1)], &as_is), [0; 3], "{guard:?}");
        }
        let peace = |editor: &mut Editor<'_>| editor.timers().axis_soviet_war = 0;
        assert_eq!(soviet(Force::Axis, &moscow, &peace), [0; 3], "at peace");
        // A depot is a source of supply wherever it lies.
        let depot = |editor: &mut Editor<'_>| {
            editor.supply(Force::Soviet, game.zone("kalinin").unwrap(), 4).unwrap();
        };
        assert_eq!(soviet(Force::Axis, &moscow, &depot), [2, 1, 1]);
    }

    /// Armies, aircraft and ships that the Axis has idle after each of seven turns in a position; in the fifth a fact may be
    /// told first.
    fn idle(game: &BlitzWar, state: &State, fact: Option<Event>) -> Vec<[i32; 3]> {
        let mut follower = Follower::new(game);
        (17..24)
            .map(|turn| {
                follower.turn(turn);
                if let Some(fact) = fact
                    && turn == 21
                {
                    follower.take(|| fact);
                }
                follower.ends(Force::Axis, state);
                [Case::IdleArmies, Case::IdleAir, Case::IdleShips]
                    .map(|case| follower.count(Force::Axis, case))
            })
            .collect()
    }

    #[test]
    fn units_without_a_task_for_half_a_year_are_idle() {
        let game = open("blitzwar/barbarossa-1941");
        // One guards Berlin and one is beside it; one is in the country, one at the front. One ship is at sea.
        let corps = [
            (Nation::Ger, "berlin", 1),
            (Nation::Ger, "berlin", 2),
            (Nation::Ger, "leipzig", 1),
            (Nation::Ger, "mozhaisk", 1),
        ];
        let state = position(&game, &corps, |editor| {
            editor.ships(Nation::Ger, Unit::Fleet, game.zone("hamburg").unwrap(), 1).unwrap();
            editor
                .ships(Nation::Ger, Unit::Submarine, Location::of_sea(game.sea("north_sea").unwrap()), 1)
                .unwrap();
            editor.air(Nation::Ger, game.zone("berlin").unwrap(), 1, false).unwrap();
        });
        let (none, all) = ([0; 3], [2, 1, 1]);
        assert_eq!(idle(&game, &state, None), [none, none, none, none, all, all, all]);
    }

    #[test]
    fn a_move_or_a_fight_is_a_task() {
        let game = open("blitzwar/barbarossa-1941");
        let leipzig = game.zone("leipzig").unwrap();
        let state = position(&game, &[(Nation::Ger, "leipzig", 1)], |_| ());
        let counter = game.counters_of(&state, Force::Axis).first().unwrap();
        let battle = |zone: Zone| {
            Event::Battle(Battle {
                zone,
                blitz: false,
                attacker: Force::Soviet,
                defender: Force::Axis,
                attacking_infantry: 1,
                attacking_armour: 0,
                defending_infantry: 1,
                defending_armour: 0,
                fortified: 0,
                odds: 1,
                modifiers: Modifiers::default(),
                column: 1,
                die: 3,
                attacker_loss: 0,
                attacker_armour_loss: false,
                defender_loss: 0,
            })
        };
        for (fact, ends) in [
            (Event::Moved { counter, from: leipzig, to: leipzig }, 0),
            (battle(leipzig), 0),
            (battle(game.zone("munich").unwrap()), 1),
        ] {
            let told = idle(&game, &state, Some(fact));
            assert_eq!([told[4][0], told[5][0]], [ends, ends], "{fact:?}");
        }
    }

    #[test]
    fn an_army_beside_an_enemy_or_alone_in_a_place_of_worth_has_a_task() {
        let game = open("blitzwar/barbarossa-1941");
        let armies = |corps: &[(Nation, &str, u8)]| idle(&game, &position(&game, corps, |_| ()), None)[4][0];
        let one = |zone: &'static str| (Nation::Ger, zone, 1);
        assert_eq!(armies(&[one("leipzig")]), 1);
        assert_eq!(armies(&[one("leipzig"), (Nation::Ussr, "munich", 1)]), 0, "an enemy army beside it");
        assert_eq!(armies(&[one("minsk")]), 0, "beside the enemy's ground");
        // Capitals, a Supply Zone, strategic points, a port, and nothing of these.
        for (zone, idle) in [("bucharest", 0), ("sofia", 0), ("prague", 0), ("rostock", 0), ("linz", 1)] {
            assert_eq!(armies(&[one(zone)]), idle, "{zone}");
        }
    }

    #[test]
    fn an_army_that_is_back_after_two_turns_has_undone_its_move() {
        let game = open("blitzwar/barbarossa-1941");
        let at = |zone: &str| position(&game, &[(Nation::Ger, zone, 1)], |_| ());
        let undone = |fact: Option<Event>| {
            let mut follower = Follower::new(&game);
            for (turn, zone) in [(17, "leipzig"), (18, "hannover"), (19, "leipzig")] {
                follower.turn(turn);
                if turn == 19
                    && let Some(fact) = fact
                {
                    follower.take(|| fact);
                }
                follower.ends(Force::Axis, &at(zone));
            }
            follower.count(Force::Axis, Case::MovesUndone)
        };
        let taken = |zone: &str| Event::Control { zone: game.zone(zone).unwrap(), force: Some(Force::Axis) };
        assert_eq!(undone(None), 1);
        assert_eq!(undone(Some(taken("hannover"))), 0);
        assert_eq!(undone(Some(taken("munich"))), 1);
        // Aircraft come and go.
        let mut follower = Follower::new(&game);
        for (turn, zone) in [(17, "leipzig"), (18, "hannover"), (19, "leipzig")] {
            follower.turn(turn);
            let zone = game.zone(zone).unwrap();
            follower.ends(
                Force::Axis,
                &position(&game, &[], |editor| {
                    editor.air(Nation::Ger, zone, 1, false).unwrap();
                }),
            );
        }
        assert_eq!(follower.count(Force::Axis, Case::MovesUndone), 0);
    }

    #[test]
    fn a_counter_that_is_exchanged_or_joined_goes_on() {
        let game = open("blitzwar/barbarossa-1941");
        let german = |infantry: u8, armour: u8, zone: &str| {
            let mut editor = Editor::new(&game);
            let corps = editor.corps(Nation::Ger, game.zone(zone).unwrap(), infantry, armour, false).unwrap();
            (corps, editor.finish())
        };
        // An infantry counter and a white one, both in the country.
        let (old, before) = german(2, 0, "leipzig");
        let (new, after) = german(1, 1, "leipzig");
        assert_ne!(old, new);
        let idle = |fact: Option<Event>| {
            let mut follower = Follower::new(&game);
            for turn in 17..22 {
                follower.turn(turn);
                if turn == 21
                    && let Some(fact) = fact
                {
                    follower.take(|| fact);
                }
                follower.ends(Force::Axis, if turn < 21 { &before } else { &after });
            }
            follower.count(Force::Axis, Case::IdleArmies)
        };
        assert_eq!(idle(Some(Event::Exchanged { counter: old, into: new })), 1);
        assert_eq!(idle(None), 0, "another counter");
        // There and back, on another counter.
        let undone = |exchanged: bool| {
            let mut follower = Follower::new(&game);
            for (turn, state) in [(17, before.clone()), (18, german(2, 0, "hannover").1), (19, after.clone())]
            {
                follower.turn(turn);
                if exchanged && turn == 19 {
                    follower.take(|| Event::Exchanged { counter: old, into: new });
                }
                follower.ends(Force::Axis, &state);
            }
            follower.count(Force::Axis, Case::MovesUndone)
        };
        assert_eq!([undone(true), undone(false)], [1, 0]);
        // Two counters stand idle; the second one moves or fights, and joins the first.
        let joined = |fact: Option<Event>| {
            let mut follower = Follower::new(&game);
            for turn in 17..22 {
                follower.turn(turn);
                if turn == 21 {
                    if let Some(fact) = fact {
                        follower.take(|| fact);
                    }
                    follower.take(|| Event::Combined { counter: new, into: old });
                }
                follower.ends(Force::Axis, &before);
            }
            follower.count(Force::Axis, Case::IdleArmies)
        };
        let leipzig = game.zone("leipzig").unwrap();
        assert_eq!(joined(None), 1);
        assert_eq!(joined(Some(Event::Moved { counter: new, from: leipzig, to: leipzig })), 0);
    }

    #[test]
    fn rows_of_waste_say_what_where_and_how_much() {
        let game = open("blitzwar/barbarossa-1941");
        let mut follower = Follower::new(&game);
        follower.turn(17);
        follower.take(|| Event::PhaseBegins { phase: Phase::TacticalMovement, force: Force::Axis });
        let tobruk = game.zone("tobruk").unwrap();
        follower.take(|| Event::Overstacked { force: Force::Axis, corps: 1, zone: tobruk });
        let state = position(&game, &[(Nation::Ger, "berlin", 2)], |_| ());
        follower.begins(Force::Axis, &state);
        let end = position(&game, &[], |editor| {
            let corps = editor.corps(Nation::Ger, game.zone("gorki").unwrap(), 2, 0, false).unwrap();
            editor.mark(corps, Mark::Unsupplied, true).unwrap();
        });
        follower.ends(Force::Axis, &end);
        let taken = position(&game, &[(Nation::Ger, "mozhaisk", 1)], |editor| {
            editor.control(game.zone("moscow").unwrap(), Some(Force::Soviet)).unwrap();
            editor.control(game.zone("mozhaisk").unwrap(), Some(Force::Axis)).unwrap();
        });
        follower.turn(18);
        follower.begins(Force::Axis, &taken);
        let rows: Vec<String> = follower.facts.texts(WASTE, 6).into_iter().map(|row| row.join(" ")).collect();
        let infantry = end_type(&game, &end);
        assert_eq!(
            rows,
            [
                "17 axis lost_stacking tobruk  1".to_owned(),
                format!("17 axis unsupplied_own gorki {infantry} 2"),
                "18 soviet open_sources moscow  1".to_owned(),
                "18 soviet open_capitals moscow  1".to_owned(),
                "18 soviet open_points moscow  1".to_owned(),
            ]
        );
    }

    /// The type of the one Axis counter on the map.
    fn end_type(game: &BlitzWar, state: &State) -> String {
        let counter = game.counters_of(state, Force::Axis).first().unwrap();
        game.rules.counter_types[usize::from(game.counter_type(counter))].id.clone()
    }

    #[test]
    fn a_corps_that_attacked_has_undone_nothing() {
        let game = open("blitzwar/barbarossa-1941");
        let corps = |state: &State, fought: bool| {
            let ashore = |counter: &Counter| {
                game.kind(*counter).is_corps() && state.location(*counter).at() < game.rules.zones.len()
            };
            let mut own = game.counters_of(state, Force::Axis).iter().filter(ashore);
            own.find(|&counter| state.has_fought(counter) == fought)
        };
        // Random play up to a decision of the Soviets after an Axis attack.
        let mut legal = Vec::new();
        let attacked = (0..100).find_map(|number| {
            let mut table = PlayContext::silent(Rng64::stream(7, number, 0));
            let mut state = game.initial(&mut table);
            while let Turn::Decide(_) = game.turn_of(&state) {
                if state.active() == Force::Soviet && corps(&state, true).is_some() {
                    return Some(state);
                }
                legal.clear();
                game.legal_actions(&state, &mut legal);
                let choice = table.below(legal.len() as u32) as usize;
                game.apply(&mut state, legal[choice], &mut table);
            }
            None
        });
        let state = attacked.expect("an attack in a hundred games");
        for (fought, undone) in [(true, 0), (false, 1)] {
            let counter = corps(&state, fought).unwrap();
            let (place, elsewhere) = (state.location(counter), game.zone("madrid").unwrap());
            let mut follower = Follower::new(&game);
            follower.recorder.tracker.ends(counter, place, false, 17);
            follower.recorder.tracker.ends(counter, elsewhere, false, 18);
            follower.turn(19);
            follower.ends(Force::Axis, &state);
            assert_eq!(follower.count(Force::Axis, Case::MovesUndone), undone);
        }
    }

    #[test]
    fn corps_out_of_supply_went_there_or_were_cut_off() {
        let game = open("blitzwar/barbarossa-1941");
        let lost = |from: &str, to: &str| {
            let mut follower = Follower::new(&game);
            follower.turn(17);
            follower.begins(Force::Axis, &position(&game, &[(Nation::Ger, from, 2)], |_| ()));
            let end = position(&game, &[], |editor| {
                let corps = editor.corps(Nation::Ger, game.zone(to).unwrap(), 2, 0, false).unwrap();
                editor.mark(corps, Mark::Unsupplied, true).unwrap();
            });
            follower.ends(Force::Axis, &end);
            [Case::UnsuppliedOwn, Case::UnsuppliedCut].map(|case| follower.count(Force::Axis, case))
        };
        assert_eq!(lost("berlin", "gorki"), [2, 0], "from supply into the enemy's country");
        assert_eq!(lost("berlin", "berlin"), [0, 2], "it stood still");
        assert_eq!(lost("moscow", "gorki"), [0, 2], "it had no supply to lose");
    }

    /// Plays on from a position of the Axis with four corps in Leipzig, giving up what is asked for first, until a side
    /// begins its turn; gives what the Axis has lost to the limit.
    fn overstacked(game: &BlitzWar, phase: Phase, force: Force) -> i32 {
        let mut editor = Editor::new(game);
        for _ in 0..4 {
            editor.corps(Nation::Ger, game.zone("leipzig").unwrap(), 2, 0, false).unwrap();
        }
        let mut follower = Follower::new(game);
        follower.turn(17);
        let mut table = PlayContext { dice: Rng64::stream(7, 0, 0), sink: follower };
        let mut state = editor.begin(phase, force, &mut table);
        let mut legal = Vec::new();
        while state.phase() <= Phase::Reorganisation {
            legal.clear();
            game.legal_actions(&state, &mut legal);
            game.apply(&mut state, legal[0], &mut table);
        }
        table.sink.count(Force::Axis, Case::LostStacking)
    }

    #[test]
    fn stacks_over_the_limit_are_waste_if_their_own_side_has_made_them() {
        let game = open("blitzwar/barbarossa-1941");
        assert_eq!(overstacked(&game, Phase::Reorganisation, Force::Soviet), 2);
        assert_eq!(overstacked(&game, Phase::Diplomacy, Force::Axis), 0);
        // In a side's turn only its own stacks are its own fault: enemies that retreat may fill theirs.
        let mut follower = Follower::new(&game);
        follower.turn(17);
        follower.take(|| Event::PhaseBegins { phase: Phase::TacticalMovement, force: Force::Axis });
        for (force, corps) in [(Force::Axis, 2), (Force::Soviet, 3)] {
            follower.take(|| Event::Overstacked { force, corps, zone: game.zone("minsk").unwrap() });
        }
        assert_eq!(Force::ALL.map(|force| follower.count(force, Case::LostStacking)), [2, 0, 0]);
    }

    #[test]
    fn lost_supply_and_what_finds_no_place_are_counted() {
        let game = open("blitzwar/barbarossa-1941");
        let mut follower = Follower::new(&game);
        follower.turn(17);
        let place = game.zone("leipzig").unwrap();
        let lost =
            |kind, units, unsupplied| Event::Lost { nation: Nation::Axis, kind, units, place, unsupplied };
        follower.take(|| lost(Unit::Supply, 3, false));
        follower.take(|| Event::Unplaced { force: Force::Axis, kind: Unit::Supply, units: 4 });
        follower.take(|| Event::Unplaced { force: Force::Axis, kind: Unit::Air, units: 3 });
        for unsupplied in [false, true] {
            follower.take(|| Event::Lost {
                nation: Nation::Ger,
                kind: Unit::Infantry,
                units: 2,
                place,
                unsupplied,
            });
        }
        let state = position(&game, &[], |editor| editor.supply(Force::Axis, place, 9).unwrap());
        follower.ends(Force::Axis, &state);
        let schema = Schema { name: "turns", doc: "", columns: BlitzWarSystem.turn_columns(&game) };
        let mut rows = Rows::new(&schema);
        let end = TurnEnd { turn: 17, side: Force::Axis.side() };
        follower.recorder.turn_cells(&game, &state, end, &mut rows.row());
        let cell = |name: &str| {
            let at = schema.columns.iter().position(|column| column.name == name).unwrap();
            rows.text(0, at)
        };
        let names =
            ["unspent", "unspent_lost", "lost_unsupplied", "unplaced", "lost_supply", "lost_infantry"];
        assert_eq!(names.map(cell), ["4.5", "2", "2", "3", "1.5", "4"]);
    }
}
