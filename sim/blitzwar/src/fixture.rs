//! A small map with the named zones of the rules, for unit tests of the naval, air and transport phases.

use sandtable_core::{PlayContext, Scripted};

use crate::event::Event;
use crate::game::BlitzWar;
use crate::location::{Counter, Location, Sea, Zone};
use crate::nation::{COUNTRIES, Country, Force, Nation};
use crate::phase::{Pending, Phase};
use crate::rules::*;
use crate::state::{State, Status};

pub(crate) const RUHR: Zone = Location(0);
pub(crate) const HAMBURG: Zone = Location(1);
pub(crate) const COPENHAGEN: Zone = Location(3);
pub(crate) const LONDON: Zone = Location(4);
pub(crate) const PLYMOUTH: Zone = Location(5);
pub(crate) const CALAIS: Zone = Location(6);
pub(crate) const GIBRALTAR: Zone = Location(7);
pub(crate) const CASABLANCA: Zone = Location(8);
pub(crate) const ALGIERS: Zone = Location(9);
pub(crate) const NAPLES: Zone = Location(10);
pub(crate) const SUEZ: Zone = Location(11);
pub(crate) const ALEXANDRIA: Zone = Location(12);
pub(crate) const AMERICA: Zone = Location(13);
pub(crate) const ASIAN_BASES: Zone = Location(14);
pub(crate) const BASRA: Zone = Location(15);
pub(crate) const MOSCOW: Zone = Location(16);

pub(crate) const NORTH_ATLANTIC: Sea = Sea(0);
pub(crate) const CENTRAL_ATLANTIC: Sea = Sea(1);
pub(crate) const NORTH_SEA: Sea = Sea(2);
pub(crate) const WESTERN_MED: Sea = Sea(3);
pub(crate) const BALTIC: Sea = Sea(4);
pub(crate) const NORWEGIAN_SEA: Sea = Sea(5);
pub(crate) const EASTERN_MED: Sea = Sea(6);
const GULF: Sea = Sea(7);

/// Dice that fall as written and a list of facts.
pub(crate) type ScriptedContext = PlayContext<Scripted, Vec<Event>>;

pub(crate) fn scripted(faces: &[u32]) -> ScriptedContext {
    PlayContext { dice: Scripted::faces(faces), sink: Vec::new() }
}

/// (name, country, features: p port, b naval base, s snow, S Supply Zone, * side point).
const ZONES: [(&str, Country, &str); 18] = [
    ("Ruhr", Country::Ger, "sS"),
    ("Hamburg", Country::Ger, "pbs"),
    ("Rostock", Country::Ger, "ps"),
    ("Copenhagen", Country::Den, "ps"),
    ("London", Country::Uk, "psS*"),
    ("Plymouth", Country::Uk, "pbs*"),
    ("Calais", Country::Fra, "ps"),
    ("Gibraltar", Country::Uk, "ps"),
    ("Casablanca", Country::Fra, "p"),
    ("Algiers", Country::Fra, "p"),
    ("Naples", Country::Ita, "ps"),
    ("Suez", Country::Uk, "p"),
    ("Alexandria", Country::Uk, "p"),
    ("America", Country::Usa, "pS"),
    ("Asian Bases", Country::Uk, "pS"),
    ("Basra", Country::Uk, "p"),
    ("Moscow", Country::Ussr, "sS"),
    ("Warsaw", Country::Pol, "s"),
];

/// Land lines; the last is dotted.
const LINKS: [(Zone, Zone, bool); 8] = [
    (Location(0), Location(1), false),
    (Location(1), Location(2), false),
    (Location(0), Location(17), false),
    (Location(17), Location(16), false),
    (Location(4), Location(5), false),
    (Location(0), Location(6), false),
    (Location(11), Location(12), false),
    (Location(6), Location(4), true),
];

/// Zone and sea; every coast has port and beach.
const COASTS: [(Zone, Sea); 18] = [
    (HAMBURG, NORTH_SEA),
    (Location(2), BALTIC),
    (COPENHAGEN, NORTH_SEA),
    (COPENHAGEN, BALTIC),
    (LONDON, NORTH_SEA),
    (PLYMOUTH, NORTH_ATLANTIC),
    (CALAIS, NORTH_SEA),
    (GIBRALTAR, CENTRAL_ATLANTIC),
    (GIBRALTAR, WESTERN_MED),
    (CASABLANCA, CENTRAL_ATLANTIC),
    (ALGIERS, WESTERN_MED),
    (NAPLES, WESTERN_MED),
    (SUEZ, EASTERN_MED),
    (ALEXANDRIA, EASTERN_MED),
    (AMERICA, NORTH_ATLANTIC),
    (AMERICA, CENTRAL_ATLANTIC),
    (ASIAN_BASES, GULF),
    (BASRA, GULF),
];

/// Name, basin, neighbours and straits.
type SeaRow = (&'static str, Basin, Seas, &'static [(Sea, Zone)]);

const SEAS: [SeaRow; 8] = [
    ("North Atlantic", Basin::Other, 0b10_0110, &[]),
    ("Central Atlantic", Basin::Other, 0b1001, &[(WESTERN_MED, GIBRALTAR)]),
    ("North Sea", Basin::Other, 0b1_0001, &[(BALTIC, COPENHAGEN)]),
    ("Western Mediterranean", Basin::Mediterranean, 0b100_0010, &[(CENTRAL_ATLANTIC, GIBRALTAR)]),
    ("Baltic Sea", Basin::Other, 0b100, &[(NORTH_SEA, COPENHAGEN)]),
    ("Norwegian Sea", Basin::Other, 0b1, &[]),
    ("Eastern Mediterranean", Basin::Mediterranean, 0b1000, &[]),
    ("Persian Gulf", Basin::Gulf, 0, &[]),
];

const SHEET: [(Nation, Kind, u8, u8, u8); 15] = [
    (Nation::Ger, Kind::Infantry, 3, 2, 3),
    (Nation::Ger, Kind::Infantry, 1, 0, 3),
    (Nation::Ger, Kind::Air, 1, 0, 8),
    (Nation::Ger, Kind::Fleet, 2, 1, 3),
    (Nation::Ger, Kind::Submarine, 3, 2, 4),
    (Nation::Axis, Kind::Supply, 6, 5, 4),
    (Nation::Ita, Kind::Air, 1, 0, 2),
    (Nation::Uk, Kind::Infantry, 2, 1, 4),
    (Nation::Uk, Kind::Air, 1, 0, 6),
    (Nation::Uk, Kind::Fleet, 2, 1, 4),
    (Nation::Usa, Kind::Infantry, 3, 2, 3),
    (Nation::Usa, Kind::Infantry, 1, 0, 3),
    (Nation::Allied, Kind::Supply, 6, 5, 5),
    (Nation::Ussr, Kind::Air, 1, 0, 3),
    (Nation::Ussr, Kind::Infantry, 2, 1, 3),
];

fn has(features: &str, feature: char) -> bool {
    features.contains(feature)
}

fn zone(&(name, country, features): &(&str, Country, &str)) -> LandZone {
    let force = match country {
        Country::Ger | Country::Ita => Force::Axis,
        Country::Ussr => Force::Soviet,
        _ => Force::Allied,
    };
    LandZone {
        id: name.to_lowercase().replace(' ', "_"),
        name: name.into(),
        country,
        eastern_poland: false,
        terrain: Terrain::Easy,
        fortress: false,
        port: has(features, 'p'),
        naval_base: has(features, 'b'),
        capital: false,
        supply_zone: has(features, 'S').then_some(force),
        general_point: false,
        side_point: has(features, '*').then_some(force),
        vichy: false,
        snow: has(features, 's'),
        corps_limit: None,
        unlimited: false,
        latitude: 0.0,
        longitude: 0.0,
    }
}

fn calendar() -> Vec<CalendarTurn> {
    (1..=47u8)
        .map(|turn| CalendarTurn {
            year: 1939 + (u16::from(turn) + 4) / 8,
            season: "season".into(),
            half: 2 - turn % 2,
            weather: if matches!(turn, 12 | 13 | 20 | 21 | 36 | 37) { Weather::Snow } else { Weather::Fair },
            snow_blitz: [false; 3],
            mark1: false,
            mark2: false,
            bombing: if turn >= 28 { 3 } else { 0 },
            late_naval: turn >= 32,
        })
        .collect()
}

fn links() -> Vec<Link> {
    LINKS
        .iter()
        .map(|&(a, b, dotted)| Link { a, b, dotted, river_a: false, river_b: false, fortified: None })
        .collect()
}

fn seas() -> Vec<SeaZone> {
    SEAS.iter()
        .map(|&(name, basin, neighbours, straits)| SeaZone {
            id: name.to_lowercase().replace(' ', "_"),
            name: name.into(),
            basin,
            neighbours,
            straits: straits.to_vec(),
        })
        .collect()
}

fn counter_types() -> Vec<CounterType> {
    SHEET
        .iter()
        .enumerate()
        .map(|(index, &(nation, kind, front, back, count))| CounterType {
            id: format!("{}_{index}", nation.id()),
            nation,
            kind,
            front,
            back,
            fortifiable: nation == Nation::Ger && front == 1,
            count,
            locked: false,
            third_corps_from: 0,
        })
        .collect()
}

fn shifts() -> Shifts {
    Shifts {
        german_attack: 1,
        british_vs_italians: 1,
        british_vs_italians_early: 2,
        armour: 1,
        attacker_air: 2,
        out_of_supply: 2,
        german_defence: -1,
        all_fortified: -1,
        defender_air: -2,
        terrain: -1,
        fortress: -1,
        fortified_line: -2,
    }
}

/// No losses on land.
fn charts() -> Charts {
    Charts {
        land: [[(AttackerLoss::None, 0); 8]; 6],
        shifts: shifts(),
        naval_early: [(1, 0), (0, 0), (1, 1), (1, 1), (1, 1), (0, 1)],
        naval_late: [(1, 1), (1, 1), (1, 1), (1, 1), (1, 1), (1, 0)],
        battle_of_britain: [(2, 1), (2, 1), (2, 1), (1, 1), (1, 1), (1, 1)],
        partisans: [0, 0, 1, 1, 1, 2],
        terrain: [
            TerrainEffects { defends: false, bars_blitz: false, holds: false, shuts_port: false, open: true },
            TerrainEffects { defends: false, bars_blitz: false, holds: true, shuts_port: false, open: false },
            TerrainEffects { defends: true, bars_blitz: true, holds: false, shuts_port: false, open: false },
            TerrainEffects { defends: true, bars_blitz: false, holds: true, shuts_port: true, open: false },
            TerrainEffects { defends: true, bars_blitz: true, holds: true, shuts_port: true, open: false },
        ],
        conversions: Vec::new(),
    }
}

fn costs() -> Costs {
    Costs {
        tactical: 2,
        tactical_single: 1,
        naval: 2,
        strategic: 4,
        strategic_single: 2,
        transport_corps: 2,
        transport_supply: 2,
        transport_air: 1,
        transport_far: 2,
        fortify: 4,
    }
}

/// A country to which nothing happens by itself.
fn country_rules() -> CountryRules {
    CountryRules {
        surrender: SurrenderRule::Never,
        rhythm: Rhythm::Never,
        corps: 0,
        place_anywhere: false,
        while_neutral: false,
        area_of_operations: AreaOfOperations::Free,
    }
}

fn dates() -> Dates {
    Dates {
        balkan_entry: 12,
        yugoslav_roll: 14,
        usa_entry: 20,
        soviet_total_war: 24,
        last_reactivation: 27,
        german_africa: 13,
        german_africa_delay: 2,
        italy_points: 20,
        german_defence_points: 20,
        german_defence_always: 19,
        winter_1942: [20, 21],
        german_west_turns: 3,
        german_east_turns: 5,
        british_early_turns: 2,
        second_elite_delay: 6,
        special_delay: 3,
        special_corps: 12,
        karelia: 20,
        gulf_lend_lease: 20,
        usa_in_britain: 36,
        romanian_passage: 3,
        yugoslav_price: 6,
        partisan_delay: 6,
        vichy_ports: 3,
        vichy_garrison: Vec::new(),
        free_france_first: 2,
        free_france_delay: 3,
        italian_supply: 4,
        italian_units: 2,
        italian_fleet_max: 1,
        bombing_max: 3,
        british_per_total_card: 1,
        substitute_small: 3,
        substitute_armour: 5,
        corps_abroad: 2,
    }
}

fn limits() -> Limits {
    Limits {
        stack: 3,
        beachhead: 2,
        beachhead_dotted: 3,
        infantry_move: 3,
        armour_move: 5,
        infantry_attack_move: 1,
        armour_attack_move: 3,
        naval_move: 4,
        air_range: 3,
        transport_near: 2,
        fortify_per_turn: 1,
        fleets_per_american_corps: 1,
        lend_lease: LendLease { supply_per_fleet: 2, fleets_per_air: 2 },
    }
}

fn regions() -> Regions {
    Regions {
        great_britain: [LONDON, PLYMOUTH].into_iter().collect(),
        africa: [CASABLANCA, ALGIERS, SUEZ, ALEXANDRIA].into_iter().collect(),
        french_north_africa: [CASABLANCA, ALGIERS].into_iter().collect(),
        ..Regions::default()
    }
}

/// Zones that the map lacks are nowhere.
fn landmarks() -> Landmarks {
    Landmarks {
        london: LONDON,
        paris: CALAIS,
        suez: SUEZ,
        asian_bases: ASIAN_BASES,
        america: AMERICA,
        basra: BASRA,
        stockholm: Location::NONE,
        copenhagen: COPENHAGEN,
        karelia: Location::NONE,
        montenegro: Location::NONE,
        north_atlantic: NORTH_ATLANTIC,
        central_atlantic: CENTRAL_ATLANTIC,
        norwegian_sea: NORWEGIAN_SEA,
        persian_gulf: GULF,
        western_mediterranean: WESTERN_MED,
    }
}

/// All turns, nobody at war, nothing on the map.
fn setup() -> Setup {
    Setup {
        id: "fixture".into(),
        name: "Fixture".into(),
        first_turn: 1,
        last_turn: 47,
        countries: [CountryStart { status: Status::Neutral, surrendered: 0 }; COUNTRIES],
        control: Vec::new(),
        units: Vec::new(),
        free: Vec::new(),
        timers: crate::state::Timers::default(),
        released: Vec::new(),
        broken_lines: Vec::new(),
        victory_by_points: Vec::new(),
    }
}

/// The rules on the small map.
pub(crate) fn game() -> BlitzWar {
    let rules = Rules {
        zones: ZONES.iter().map(zone).collect(),
        links: links(),
        coasts: COASTS.iter().map(|&(zone, sea)| Coast { zone, sea, port: true, beach: true }).collect(),
        seas: seas(),
        counter_types: counter_types(),
        calendar: calendar(),
        charts: charts(),
        decks: Default::default(),
        costs: costs(),
        countries: std::array::from_fn::<_, COUNTRIES, _>(|_| country_rules()),
        dates: dates(),
        limits: limits(),
        options: Options {
            partners_share_cards: false,
            passage_points: false,
            final_check: false,
            naval_count_after: false,
        },
        victory_surrender: Vec::new(),
        victory_points: Vec::new(),
        regions: regions(),
        landmarks: landmarks(),
        setup: setup(),
    };
    BlitzWar::new(rules).expect("the fixture is sound")
}

/// Everybody at war, nothing on the map, in a phase of a side.
pub(crate) fn position(game: &BlitzWar, turn: u8, phase: Phase, active: Force) -> State {
    let mut state = State::blank();
    state.status = [Status::Neutral; COUNTRIES];
    state.status[Country::Vichy.index()] = Status::Absent;
    for (country, status) in [
        (Country::Ger, Status::Axis),
        (Country::Ita, Status::Axis),
        (Country::Uk, Status::Allied),
        (Country::Usa, Status::Allied),
        (Country::Fra, Status::Allied),
        (Country::Ussr, Status::Soviet),
    ] {
        state.set_status(country, status);
        let force = status.force().expect("at war");
        state.control[force.index()] = state.control[force.index()].or(game.home(country));
    }
    state.timers.axis_soviet_war = 1;
    state.timers.french_surrender = 1;
    (state.turn, state.phase, state.active) = (turn, phase, active);
    state
}

/// Gives a zone to a side.
pub(crate) fn give(state: &mut State, zone: Zone, force: Force) {
    for other in Force::ALL {
        state.control[other.index()].set(zone, other == force);
    }
}

/// Puts a counter on the map.
pub(crate) fn put(
    game: &BlitzWar,
    state: &mut State,
    nation: Nation,
    kind: Kind,
    units: u8,
    place: Location,
) -> Counter {
    let counter = game
        .sheet()
        .find(|&counter| {
            let sheet = &game.rules.counter_types[game.counter_type(counter) as usize];
            let fits = if kind == Kind::Supply {
                2 * sheet.front >= units
            } else {
                [sheet.front, sheet.back].contains(&units)
            };
            game.nation(counter) == nation
                && sheet.kind == kind
                && state.location(counter) == Location::POOL
                && (fits || kind == Kind::Submarine && units <= sheet.front)
        })
        .expect("a free counter");
    state.set_strength(counter, units);
    game.put(state, counter, place);
    game.refresh_supply(state);
    counter
}

/// Legal actions.
pub(crate) fn legal(game: &BlitzWar, state: &State) -> Vec<crate::Action> {
    let mut actions = Vec::new();
    let _ = game.generate(state, &mut actions);
    assert!(actions.windows(2).all(|pair| pair[0] < pair[1]), "not ascending: {actions:?}");
    actions
}

/// The destinations of a counter.
pub(crate) fn destinations(game: &BlitzWar, state: &State, counter: Counter) -> Vec<Location> {
    let mut state = state.clone();
    state.pending = Pending::Destination(counter);
    let go = |action| if let crate::Action::Go(place) = action { place } else { panic!("{action:?}") };
    legal(game, &state).into_iter().map(go).collect()
}
