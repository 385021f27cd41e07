//! The immutable part of the game: map, counters, calendar, charts, cards, set-up and options.
//!
//! A loader fills the public fields from data and hands them to [`crate::BlitzWar::new`], which derives the
//! tables that play needs (neighbour masks, air ranges, counter indices). Nothing here changes during play.

use sandtable_core::Index;

use crate::location::{Location, Sea, Zone};
use crate::nation::{COUNTRIES, Country, Force, Nation};

pub use crate::location::{Counters, MAX_COUNTERS, MAX_SEAS, MAX_ZONES, Seas, Zones};

/// Card faces in a side's deck: the first eight are Limited War, the others Total War (10.1).
pub const DECK: usize = 16;

/// Terrain of a whole zone (5). River, beach and fortified line are features of a side of the zone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Terrain {
    /// No effect.
    Easy,
    /// *Angosto*: no retreat on a loss difference of one.
    Narrow,
    /// Defence, no Blitz.
    Marsh,
    /// Defence, no retreat on a loss difference of one.
    Mountain,
    /// Defence, no Blitz, no retreat on a loss difference of one.
    HighMountain,
}

/// How many kinds of terrain there are.
pub const TERRAINS: usize = Terrain::HighMountain as usize + 1;

/// What a kind of terrain does (16.1, 16.3.2, 16.4, 17.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TerrainEffects {
    /// Gives the defender the terrain shift (16.3.2).
    pub defends: bool,
    /// Cannot be attacked in the Blitz Phase, and ends an advance (16.1, 16.4).
    pub bars_blitz: bool,
    /// A loss difference of one forces no retreat (17.2).
    pub holds: bool,
    /// A port on it lets nobody who has landed advance further (16.4).
    pub shuts_port: bool,
    /// Those who have landed may advance over it (16.4).
    pub open: bool,
}

/// A result of the combat table that is read otherwise by small forces (16.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Conversion {
    /// Defender's losses in the table.
    pub losses: u8,
    /// Corps of the attacker; 0 = any number.
    pub attackers: u8,
    /// Corps that the defender can lose, fortified ones twice.
    pub defenders: u8,
    /// Defender's losses instead; the attacker then loses nothing.
    pub instead: u8,
}

/// Lend-lease (11.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LendLease {
    /// Supply units that a fleet unit carries.
    pub supply_per_fleet: u8,
    /// Fleet units that an air unit takes.
    pub fleets_per_air: u8,
}

/// A land zone (5).
#[derive(Clone, PartialEq, Debug)]
pub struct LandZone {
    /// Identifier in the data.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Owner in 1939 (the zone's border colour).
    pub country: Country,
    /// Part of Eastern Poland: Soviet when Poland surrenders (9.2).
    pub eastern_poland: bool,
    /// Terrain of the zone.
    pub terrain: Terrain,
    /// Drawn as a hexagon.
    pub fortress: bool,
    /// Has a port.
    pub port: bool,
    /// A port that fleets are placed in and that takes no beachhead (11.5, 13.4.5).
    pub naval_base: bool,
    /// Capital of its country.
    pub capital: bool,
    /// Supply Zone of this side (7).
    pub supply_zone: Option<Force>,
    /// General strategic point (5).
    pub general_point: bool,
    /// Strategic point of this side (5).
    pub side_point: Option<Force>,
    /// Vichy after the French surrender (9.4).
    pub vichy: bool,
    /// Under snow in winter (6).
    pub snow: bool,
    /// Most corps allowed, where the rules set a number (4): Malta, Gibraltar, Tobruk.
    pub corps_limit: Option<u8>,
    /// No stacking limit at all (4): America.
    pub unlimited: bool,
    /// Degrees north.
    pub latitude: f32,
    /// Degrees east.
    pub longitude: f32,
}

/// A line between two land zones (5).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Link {
    /// One end.
    pub a: Zone,
    /// The other end.
    pub b: Zone,
    /// Blue dotted line: for air range and landings, not for land movement.
    pub dotted: bool,
    /// `a` defends behind a river against attacks from `b`.
    pub river_a: bool,
    /// `b` defends behind a river against attacks from `a`.
    pub river_b: bool,
    /// The end, if any, that a fortified line protects on this side (5).
    pub fortified: Option<Zone>,
}

/// Where a land zone meets a sea zone (5).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Coast {
    /// Land zone.
    pub zone: Zone,
    /// Sea zone.
    pub sea: Sea,
    /// The zone's port opens on this sea.
    pub port: bool,
    /// Can be landed on from this sea.
    pub beach: bool,
}

/// Where winter and landings treat a sea alike (6, 14.1.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Basin {
    /// Mediterranean zones: no snow.
    Mediterranean,
    /// Persian Gulf: no snow; fleets never leave it (11.4).
    Gulf,
    /// Snow in winter.
    Other,
}

/// A sea zone (5).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeaZone {
    /// Identifier in the data.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Basin.
    pub basin: Basin,
    /// Adjacent sea zones.
    pub neighbours: Seas,
    /// Neighbours behind a strait, with the land zone that controls it (12.1).
    pub straits: Vec<(Sea, Zone)>,
}

/// What a counter is made of (3).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Kind {
    /// Infantry corps.
    Infantry,
    /// Armour corps.
    Armour,
    /// One infantry corps and one or two armour corps on one white counter.
    White,
    /// German Elite Army: a white counter with rules of its own (11.7).
    Elite,
    /// Air.
    Air,
    /// Fleet.
    Fleet,
    /// Submarines.
    Submarine,
    /// Supply.
    Supply,
}

/// How many kinds there are.
pub const KINDS: usize = Kind::Supply as usize + 1;

impl Kind {
    /// Every kind, in order.
    pub const ALL: [Kind; KINDS] = [
        Kind::Infantry,
        Kind::Armour,
        Kind::White,
        Kind::Elite,
        Kind::Air,
        Kind::Fleet,
        Kind::Submarine,
        Kind::Supply,
    ];

    /// Infantry, armour or both: what fights, holds ground and counts for stacking.
    #[inline]
    pub fn is_corps(self) -> bool {
        matches!(self, Kind::Infantry | Kind::Armour | Kind::White | Kind::Elite)
    }
    /// Fleet or submarine.
    #[inline]
    pub fn is_naval(self) -> bool {
        matches!(self, Kind::Fleet | Kind::Submarine)
    }
    /// Moves and advances as armour (3).
    #[inline]
    pub fn is_mobile(self) -> bool {
        matches!(self, Kind::Armour | Kind::White | Kind::Elite)
    }
}

/// A kind of counter on the counter sheet (3).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CounterType {
    /// Identifier in the data.
    pub id: String,
    /// Whose it is.
    pub nation: Nation,
    /// What it is made of.
    pub kind: Kind,
    /// Units on the front face (corps, ships, air, supply units). White counters: 3 = one infantry and two armour.
    pub front: u8,
    /// Units on the back face; 0 if the back shows no other strength.
    pub back: u8,
    /// The back shows the corps fortified (15.1).
    pub fortifiable: bool,
    /// How many there are.
    pub count: u8,
    /// Must be released first (Soviet development 11.8, Elite Armies 11.7).
    pub locked: bool,
    /// First turn on which the third corps may be used (11.6); 0 = always.
    pub third_corps_from: u8,
}

impl CounterType {
    /// Whether its counters are formed from loose corps in certain zones only (11.10).
    pub(crate) fn is_restricted(&self) -> bool {
        self.kind == Kind::Elite
            || self.nation == Nation::Ussr && self.kind == Kind::Infantry && self.front == 3
    }

    /// Whether a face shows these infantry and armour corps, dates aside (3).
    pub(crate) fn shows(&self, (infantry, armour): (u8, u8)) -> bool {
        let total = infantry + armour;
        (total == self.front || total == self.back)
            && match self.kind {
                Kind::Infantry => armour == 0,
                Kind::Armour => infantry == 0,
                Kind::White | Kind::Elite => infantry == 1 && armour > 0,
                _ => false,
            }
    }
}

/// Weather of a turn (6).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weather {
    /// No restriction.
    Fair,
    /// No Blitz Phase anywhere.
    Mud,
    /// Snow in the zones and seas that have it.
    Snow,
}

/// A turn of the calendar (8).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CalendarTurn {
    /// Year.
    pub year: u16,
    /// `winter`, `spring`, `summer` or `autumn`.
    pub season: String,
    /// First or second turn of the season.
    pub half: u8,
    /// Weather.
    pub weather: Weather,
    /// Whether each side may attack snowed-in zones in a Blitz Phase (6); meaningful in snow turns.
    pub snow_blitz: [bool; 3],
    /// Mark 1: start of a season (11.2).
    pub mark1: bool,
    /// Mark 2: start of winter or summer (11.2).
    pub mark2: bool,
    /// Supply lost per bombing air unit, 0 before bombing is allowed (13.3).
    pub bombing: u8,
    /// The naval change is in force (12.2).
    pub late_naval: bool,
}

/// What the attacker loses by the combat table (16.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AttackerLoss {
    /// Nothing.
    None,
    /// One corps of his choice.
    One,
    /// One armour corps.
    Armour,
}

/// Column shifts (16.3), positive to the right.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shifts {
    /// A German corps attacks under one of the four conditions.
    pub german_attack: i8,
    /// British against Italians only.
    pub british_vs_italians: i8,
    /// The same in the first two turns it happens.
    pub british_vs_italians_early: i8,
    /// An armour corps attacks.
    pub armour: i8,
    /// Attacker's air superiority.
    pub attacker_air: i8,
    /// Defender out of supply.
    pub out_of_supply: i8,
    /// A German or Finnish corps defends.
    pub german_defence: i8,
    /// Only fortified corps defend.
    pub all_fortified: i8,
    /// Defender's air superiority.
    pub defender_air: i8,
    /// Terrain, counted once.
    pub terrain: i8,
    /// Fortress.
    pub fortress: i8,
    /// All attackers cross a fortified line.
    pub fortified_line: i8,
}

/// The combat charts (12.2, 16.2, 16.3).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Charts {
    /// `land[die - 1][column]`: attacker's and defender's losses; columns 1-1, 3-2, 2-1 ... 7-1.
    pub land: [[(AttackerLoss, u8); 8]; 6],
    /// Column shifts.
    pub shifts: Shifts,
    /// `naval_early[die - 1]`: units lost by attacker and defender.
    pub naval_early: [(u8, u8); 6],
    /// `naval_late[die - 1]`: units lost by the Axis and by its enemy.
    pub naval_late: [(u8, u8); 6],
    /// `battle_of_britain[die - 1]`: German and Allied air lost (13.4.3).
    pub battle_of_britain: [(u8, u8); 6],
    /// Yugoslav partisan corps by die (9.5).
    pub partisans: [u8; 6],
    /// What terrain does, by [`Terrain`].
    pub terrain: [TerrainEffects; TERRAINS],
    /// Results that change where both sides lose corps and few fight (16.2); the first that fits counts.
    pub conversions: Vec<Conversion>,
}

/// A reinforcement card (10.1).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Card {
    /// Identifier in the data.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Infantry corps.
    pub infantry: u8,
    /// Armour corps.
    pub armour: u8,
    /// Air units.
    pub air: u8,
    /// Fleet units.
    pub fleet: u8,
    /// Submarine units.
    pub submarine: u8,
    /// Supply units.
    pub supply: u8,
    /// Development (Soviet only, 11.8).
    pub development: u8,
}

/// Costs in half supply units (7).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Costs {
    /// Tactical move or activation of a counter.
    pub tactical: u8,
    /// The same for a single corps.
    pub tactical_single: u8,
    /// Naval move of a counter.
    pub naval: u8,
    /// Strategic move of a counter.
    pub strategic: u8,
    /// The same for a single corps.
    pub strategic_single: u8,
    /// Sea transport per corps.
    pub transport_corps: u8,
    /// Sea transport per supply counter.
    pub transport_supply: u8,
    /// Sea transport per air unit.
    pub transport_air: u8,
    /// Factor beyond two seas, from America, to Suez or Asian Bases.
    pub transport_far: u8,
    /// Fortifying a corps.
    pub fortify: u8,
}

impl Costs {
    /// Everything but the moves of ships.
    pub(crate) fn prices_on_land(&self) -> [u8; 8] {
        [
            self.tactical,
            self.tactical_single,
            self.strategic,
            self.strategic_single,
            self.transport_corps,
            self.transport_supply,
            self.transport_air,
            self.fortify,
        ]
    }
}

/// When a country's reinforcement comes (11.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rhythm {
    /// No reinforcement.
    Never,
    /// Every turn.
    EveryTurn,
    /// Start of a season.
    Mark1,
    /// Start of winter and summer.
    Mark2,
}

impl Rhythm {
    /// Whether it comes on a turn with these marks of the calendar.
    pub(crate) fn is_due(self, mark1: bool, mark2: bool) -> bool {
        match self {
            Rhythm::Never => false,
            Rhythm::EveryTurn => true,
            Rhythm::Mark1 => mark1,
            Rhythm::Mark2 => mark2,
        }
    }
}

/// Where a country's corps may go (9.6).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AreaOfOperations {
    /// Anywhere.
    Free,
    /// Only zones of its own country.
    Home,
    /// Its own country and enemy countries bordering it.
    Neighbours,
    /// Italian rule: its region, elsewhere two corps.
    Italian,
    /// Spanish rule: at home, but two corps may go anywhere.
    Spanish,
}

/// How a country surrenders (9.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SurrenderRule {
    /// Never.
    Never,
    /// Capital in enemy hands.
    Capital,
    /// Capital and this many more home zones in enemy hands.
    CapitalAnd(u8),
    /// All its Supply Zones in enemy hands.
    SupplyZones,
    /// Italian rule: zones of Italy occupied by at least so many corps, from a turn on.
    Occupied {
        /// Zones to be occupied.
        zones: u8,
        /// Enemy corps in them together.
        corps: u8,
        /// First turn on which it counts.
        from_turn: u8,
    },
}

/// A country's entry in the diplomatic data (9).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountryRules {
    /// How it surrenders.
    pub surrender: SurrenderRule,
    /// When its reinforcement comes.
    pub rhythm: Rhythm,
    /// Corps that come each time.
    pub corps: u8,
    /// Corps may be placed in any zone of the country, not only the capital.
    pub place_anywhere: bool,
    /// Reinforced while neutral too (Finland).
    pub while_neutral: bool,
    /// Where its corps may go.
    pub area_of_operations: AreaOfOperations,
}

/// Dates and numbers of the diplomatic rules (9 to 11, 18).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Dates {
    /// Bulgaria and Greece enter (9.3).
    pub balkan_entry: u8,
    /// Yugoslav roll (9.3).
    pub yugoslav_roll: u8,
    /// USA enters unless brought forward (9.3).
    pub usa_entry: u8,
    /// Soviet Total War cards at the latest (10.2).
    pub soviet_total_war: u8,
    /// Last turn on which a surrendered country can be active again (9.2).
    pub last_reactivation: u8,
    /// Germans may attack Greece and enter Africa from this turn at the latest (9.6).
    pub german_africa: u8,
    /// ... or so many turns after the first British attack on Italians.
    pub german_africa_delay: u8,
    /// Axis points that bring Italy and Hungary in (9.3).
    pub italy_points: u8,
    /// Axis points that keep the German defence shift (16.3.2).
    pub german_defence_points: u8,
    /// Last turn on which the German defence shift needs no points.
    pub german_defence_always: u8,
    /// Turns of winter 1942 (16.3).
    pub winter_1942: [u8; 2],
    /// Length of the western German attack window in turns (16.3.1).
    pub german_west_turns: u8,
    /// Length of the eastern German attack window in turns.
    pub german_east_turns: u8,
    /// Turns in which British attacks on Italians get the early shift.
    pub british_early_turns: u8,
    /// Turns from the attack on the USSR to the second Elite Army (11.7).
    pub second_elite_delay: u8,
    /// Turns from the attack on the USSR to the special reinforcements (11.9).
    pub special_delay: u8,
    /// Infantry corps of the special reinforcements.
    pub special_corps: u8,
    /// Turn on which Karelia brings a white counter (11.8).
    pub karelia: u8,
    /// Lend-lease through the Persian Gulf from this turn (11.4).
    pub gulf_lend_lease: u8,
    /// American reinforcements in Great Britain from this turn (11.5).
    pub usa_in_britain: u8,
    /// Axis corps allowed in Romania while it only lets them pass (9.3).
    pub romanian_passage: u8,
    /// Supply units lost when Yugoslavia joins the Axis (9.3).
    pub yugoslav_price: u8,
    /// Turns from the start of the surrender's season to the first partisan roll (9.5, R-12).
    pub partisan_delay: u8,
    /// Ports that make Vichy surrender to the Allies (9.4).
    pub vichy_ports: u8,
    /// French corps that Vichy has at its creation, by zone (9.4).
    pub vichy_garrison: Vec<(Zone, u8)>,
    /// Corps Free France gets on the turn after its creation.
    pub free_france_first: u8,
    /// Turns from the liberation of Paris to the steady Free French corps.
    pub free_france_delay: u8,
    /// Italian supply units per reinforcement (11.2).
    pub italian_supply: u8,
    /// Italian units per reinforcement.
    pub italian_units: u8,
    /// Of these, most fleet units.
    pub italian_fleet_max: u8,
    /// Air units that may bomb unanswered in a turn (13.3).
    pub bombing_max: u8,
    /// British corps per Allied Total War card (11.5).
    pub british_per_total_card: u8,
    /// Supply units covered by a given-up infantry or fleet unit (11.3).
    pub substitute_small: u8,
    /// Supply units covered by a given-up armour unit.
    pub substitute_armour: u8,
    /// Italian corps allowed outside their region; Spanish corps allowed abroad (9.6).
    pub corps_abroad: u8,
}

/// Numbers of movement, stacking and landings (4, 12 to 15).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Infantry and armour counters in a zone.
    pub stack: u8,
    /// Corps a beachhead takes.
    pub beachhead: u8,
    /// Corps a beachhead takes across a dotted line.
    pub beachhead_dotted: u8,
    /// Zones infantry moves.
    pub infantry_move: u8,
    /// Zones armour and supply move.
    pub armour_move: u8,
    /// Zones infantry may move and still attack.
    pub infantry_attack_move: u8,
    /// Zones armour may move and still attack.
    pub armour_attack_move: u8,
    /// Steps of a naval move.
    pub naval_move: u8,
    /// Land links of air range.
    pub air_range: u8,
    /// Seas a transport crosses before the price rises.
    pub transport_near: u8,
    /// Corps a side may fortify in a turn (15.1).
    pub fortify_per_turn: u8,
    /// Fleet units at sea that a corps landing from America takes (14.1.2).
    pub fleets_per_american_corps: u8,
    /// Lend-lease (11.4).
    pub lend_lease: LendLease,
}

/// Choices where the rulebook leaves room (each is a ruling with its alternative).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Two players: Allied and Soviet see each other's cards.
    pub partners_share_cards: bool,
    /// Zones of a country that only lets the Axis pass count for strategic points.
    pub passage_points: bool,
    /// A Germany without Supply Zones at the end of the last turn has surrendered.
    pub final_check: bool,
    /// The naval round ends by the defenders left after its losses, not before.
    pub naval_count_after: bool,
}

/// A row of the victory table (18).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VictoryRow {
    /// Lowest turn or point count of the row.
    pub from: u8,
    /// Highest.
    pub to: u8,
    /// Points of Allies and Soviets, of ten.
    pub allied_soviet: u8,
    /// Points of the Axis.
    pub axis: u8,
}

/// Named areas of the map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Regions {
    /// Great Britain.
    pub great_britain: Zones,
    /// Home zones of France for its surrender.
    pub france_home: Zones,
    /// Home zones of Italy for its surrender (9.2).
    pub italy_home: Zones,
    /// French North Africa (9.6).
    pub french_north_africa: Zones,
    /// Africa (9.6, 11.10).
    pub africa: Zones,
    /// British Asia (9.6).
    pub british_asia: Zones,
}

/// Zones the rules name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Landmarks {
    /// London (13.4.3).
    pub london: Zone,
    /// Paris (9.4).
    pub paris: Zone,
    /// Suez (7, 14.1.1).
    pub suez: Zone,
    /// Asian Bases (7, 14.1.1).
    pub asian_bases: Zone,
    /// America (14.1).
    pub america: Zone,
    /// Basra (11.4).
    pub basra: Zone,
    /// Stockholm (14.1.2).
    pub stockholm: Zone,
    /// Copenhagen (12.1, 14.1.2).
    pub copenhagen: Zone,
    /// Karelia (11.8).
    pub karelia: Zone,
    /// Montenegro (9.5).
    pub montenegro: Zone,
    /// Sea: North Atlantic (12.4).
    pub north_atlantic: Sea,
    /// Sea: Central Atlantic (12.4).
    pub central_atlantic: Sea,
    /// Sea: Norwegian Sea (11.4).
    pub norwegian_sea: Sea,
    /// Sea: Persian Gulf (11.4).
    pub persian_gulf: Sea,
    /// Sea: Western Mediterranean (14.1.2).
    pub western_mediterranean: Sea,
}

/// Units that stand on the map at the start, or come on a date (19).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Placement {
    /// Whose.
    pub nation: Nation,
    /// Where: a land zone, or a sea zone as [`Location::of_sea`].
    pub place: Location,
    /// Infantry corps.
    pub infantry: u8,
    /// Armour corps.
    pub armour: u8,
    /// Air units at airfield.
    pub air: u8,
    /// Fleet units.
    pub fleet: u8,
    /// Submarine units.
    pub submarine: u8,
    /// Supply in half units.
    pub supply_halves: u8,
    /// How many of the infantry corps are fortified.
    pub fortified: u8,
    /// Turn at whose start the units appear; 0 = set-up.
    pub turn: u8,
}

/// Armies that a side places freely before the first turn (19: Poland).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FreePlacement {
    /// Whose.
    pub nation: Nation,
    /// How many counters.
    pub counters: u8,
    /// Corps on each.
    pub corps: u8,
    /// Zones they may stand in.
    pub area: Zones,
}

/// Standing of a country at the start of a scenario.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CountryStart {
    /// Status.
    pub status: crate::state::Status,
    /// Turn of its surrender, 0 if it has not.
    pub surrendered: u8,
}

/// A scenario: where play starts and ends, and what is on the map (19).
#[derive(Clone, PartialEq, Debug)]
pub struct Setup {
    /// Identifier (`campaign-1939`).
    pub id: String,
    /// Name for people.
    pub name: String,
    /// First turn.
    pub first_turn: u8,
    /// Last turn.
    pub last_turn: u8,
    /// Standing of the countries.
    pub countries: [CountryStart; COUNTRIES],
    /// Zones whose control differs from their country's (after surrenders and conquests).
    pub control: Vec<(Zone, Option<Force>)>,
    /// Units on the map and later arrivals.
    pub units: Vec<Placement>,
    /// Armies placed by their player before play.
    pub free: Vec<FreePlacement>,
    /// Dates of events before the start (0 = has not happened).
    pub timers: crate::state::Timers,
    /// Counters of locked types already released: (type, how many).
    pub released: Vec<(u8, u8)>,
    /// Zones whose fortified line is gone.
    pub broken_lines: Vec<Zone>,
    /// Victory for shorter scenarios: points by Axis strategic points at the end; empty = the campaign's table.
    pub victory_by_points: Vec<VictoryRow>,
}

/// Rules, map and set-up as one immutable value.
#[derive(Clone, PartialEq, Debug)]
pub struct Rules {
    /// Land zones.
    pub zones: Vec<LandZone>,
    /// Lines between land zones.
    pub links: Vec<Link>,
    /// Coasts.
    pub coasts: Vec<Coast>,
    /// Sea zones.
    pub seas: Vec<SeaZone>,
    /// Kinds of counters. The game sorts them by nation; counters of one type have consecutive indices.
    pub counter_types: Vec<CounterType>,
    /// Calendar; index 0 is turn 1.
    pub calendar: Vec<CalendarTurn>,
    /// Combat charts.
    pub charts: Charts,
    /// Decks by side.
    pub decks: [[Card; DECK]; 3],
    /// Supply costs.
    pub costs: Costs,
    /// Countries by [`Country`].
    pub countries: [CountryRules; COUNTRIES],
    /// Dates and numbers.
    pub dates: Dates,
    /// Limits.
    pub limits: Limits,
    /// Options.
    pub options: Options,
    /// Germany surrenders on a turn of the row (18).
    pub victory_surrender: Vec<VictoryRow>,
    /// Germany unbeaten: by Axis strategic points (18).
    pub victory_points: Vec<VictoryRow>,
    /// Named areas.
    pub regions: Regions,
    /// Named zones.
    pub landmarks: Landmarks,
    /// Scenario.
    pub setup: Setup,
}

impl Rules {
    /// Every zone of the map.
    pub fn every_zone(&self) -> impl Iterator<Item = Zone> + Clone + use<> {
        (0..self.zones.len()).map(Zone::nth)
    }

    /// Every sea.
    pub fn every_sea(&self) -> impl Iterator<Item = Sea> + Clone + use<> {
        (0..self.seas.len()).map(Sea::nth)
    }
}
