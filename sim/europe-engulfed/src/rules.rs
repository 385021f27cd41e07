//! The data the rules are played with: map, counters, charts, set-up, options. Filled by a loader, checked and turned into
//! tables by [`crate::EuropeEngulfed::new`].
//!
//! The rule book (sections 1 to 10) is lost: what the play book (sections 11 to 23) does not show is reconstructed. Each value
//! here says where it comes from: *play book* with its place, or *reconstructed* with the ruling (`A..`) that holds it. All
//! are parameters.

use crate::ids::{Area, Areas, KindId, Nation, Nations, Sea, Team};

pub use crate::ids::{MAX_AREAS, MAX_KINDS, MAX_SEAS, MAX_UNITS};

// ---- map ----

/// Climate zone of an area (1.1, play book).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Zone {
    /// E
    #[default]
    Eastern,
    /// W
    Western,
    /// S
    Southern,
}

impl Zone {
    /// All, in the order of their indices.
    pub const ALL: [Zone; 3] = [Zone::Eastern, Zone::Western, Zone::Southern];
}

/// Terrain of an area (20.1, play book; of single areas mostly reconstructed).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Terrain {
    /// Clear, desert too.
    #[default]
    Clear,
    /// +1 to who defends.
    Rough,
    /// Every move ends on entry; rough in snow (A101).
    Swamp,
    /// +2 to who defends it; an area within a host area (6.85).
    Fortress,
    /// A box off the map (USA).
    OffMap,
}

/// An area.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct AreaData {
    /// Identifier.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// The country it belongs to, an index into [`Rules::countries`].
    pub country: u8,
    /// Climate zone; of boxes off the map any.
    pub zone: Zone,
    /// Terrain.
    pub terrain: Terrain,
    /// WERP a turn; 0 = no resource area (20.4).
    pub resource: u8,
    /// Desert: clear whatever the weather of the south by option 13.23.
    pub desert: bool,
    /// Sea zones it has a port on, a bit each.
    pub ports: u8,
    /// Infantry blocks that one invasion may land from each sea zone; 0 = no beach there (7.2, reconstructed).
    pub beaches: [u8; MAX_SEAS],
    /// The area around a fortress, from which alone it is reached by land.
    pub host: Option<Area>,
    /// The nation for which it is a source of supply while friendly (A82).
    pub source_of: Option<Nation>,
    /// The Soviets may build a heavy fortification (6.95, A63).
    pub heavy_fort: bool,
    /// Degrees north.
    pub lat: f32,
    /// Degrees east.
    pub lon: f32,
}

/// What lies between two areas (20.1 f).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum EdgeKind {
    /// No obstacle.
    #[default]
    Land,
    /// +1 to who defends against those that cross, in the first round.
    River,
    /// Likewise; a move ends (A102).
    Strait,
    /// Between a fortress and its host.
    Fortress,
}

/// Two areas that touch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// One area.
    pub a: Area,
    /// The other.
    pub b: Area,
    /// What lies between them.
    pub kind: EdgeKind,
    /// The area that the Maginot line guards on this edge (6.84).
    pub maginot: Option<Area>,
}

/// A sea zone.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct SeaZone {
    /// Identifier.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Nations whose fleets may enter it (reconstructed).
    pub open_to: Nations,
    /// Degrees north.
    pub lat: f32,
    /// Degrees east.
    pub lon: f32,
}

/// A passage between two sea zones (reconstructed, A104).
#[derive(Clone, PartialEq, Debug)]
pub struct Passage {
    /// One zone.
    pub a: Sea,
    /// The other.
    pub b: Sea,
    /// Areas of which the first team must control one.
    pub keys_first: Areas,
    /// Areas of which the second team must control one.
    pub keys_second: Areas,
}

/// What a country is (17 to 19).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum CountryKind {
    /// Of a Major Power.
    #[default]
    Major,
    /// Areas of a Major Power overseas: no home areas.
    Overseas,
    /// Of a Minor Power.
    Minor,
    /// Of a Minor Power that joins the Axis.
    AxisMinor,
    /// Occupied by the Soviets under the pact (9.25).
    PactArea,
    /// Ceded to the Soviets under the pact.
    Ceded,
}

/// A country: areas that stand and fall together.
#[derive(Clone, PartialEq, Debug)]
pub struct Country {
    /// Identifier.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Owner in 1939.
    pub owner: Nation,
    /// What it is.
    pub kind: CountryKind,
    /// The area with which a minor falls (9.6).
    pub capital: Option<Area>,
    /// Its areas are home areas of the owner: production, new units.
    pub home: bool,
}

// ---- nations and counters ----

/// What a nation is (20.3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum NationKind {
    /// A Major Power.
    Major,
    /// A Minor Power.
    #[default]
    Minor,
    /// A Minor Power that joins the Axis (19.2).
    AxisMinor,
    /// Free French, Vichy France, Baltic States.
    Special,
}

/// A nation (20.3, 20.4).
#[derive(Clone, PartialEq, Debug)]
pub struct NationData {
    /// Whose.
    pub nation: Nation,
    /// What it is.
    pub kind: NationKind,
    /// WERP a turn with all resource areas at home (20.4).
    pub base: u8,
    /// What the base loses with each home resource area; 0 = the value of the area (Soviets).
    pub area_value: u8,
    /// Units moved in a Strategic Movement Phase (20.3).
    pub strategic_moves: u8,
    /// Units that a Fleet Point keeps in supply (play book, L653).
    pub fleet_supply: u8,
    /// Most Fleet Points it has at a time (4.0, reconstructed).
    pub fleets: u8,
    /// The nation whose Special Actions, strategic moves and WERP it uses: itself, or its patron (A54, 10.5).
    pub patron: Nation,
}

/// What a counter is (20.2, 23).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
pub enum Branch {
    /// Infantry.
    #[default]
    Infantry,
    /// Moves as armour, fights as infantry.
    Cavalry,
    /// Its first step does not cost double.
    Militia,
    /// Airborne.
    Airborne,
    /// Armour.
    Armour,
    /// An air support unit (ASU): a marker, not a block.
    Air,
}

impl Branch {
    /// All, in the order of their indices.
    pub const ALL: [Branch; 6] =
        [Branch::Infantry, Branch::Cavalry, Branch::Militia, Branch::Airborne, Branch::Armour, Branch::Air];

    /// Identifier, as in the data.
    pub fn id(self) -> &'static str {
        ["inf", "cav", "mil", "abn", "arm", "asu"][self as usize]
    }
    /// Name for people.
    pub fn name(self) -> &'static str {
        ["infantry", "cavalry", "militia", "airborne", "armour", "air support"][self as usize]
    }
}

/// How a branch moves and what it costs (20.2, 23, play book).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BranchData {
    /// Areas of an operational move.
    pub moves: u8,
    /// WERP a step.
    pub step_cost: u8,
    /// The first step of a new block costs double (20.22).
    pub first_step_doubles: bool,
}

/// A kind of counter: counters of a kind differ in nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Kind {
    /// Whose.
    pub nation: Nation,
    /// Branch.
    pub branch: Branch,
    /// Elite: +1 to its dice, double cost (20.1 a, 20.21).
    pub elite: bool,
    /// Most steps; 1 for air support.
    pub max: u8,
    /// Counters there are.
    pub counters: u8,
}

/// What is bought (20.2, play book; minor purchases by option).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct Costs {
    /// Factor for steps of elite blocks (20.21).
    pub elite_factor: u8,
    pub field_fort: u8,
    pub heavy_fort: u8,
    pub fighter: u8,
    pub bomber: u8,
    pub flak: u8,
    pub submarine: u8,
    pub fleet: u8,
    pub asw: u8,
    pub special_action: u8,
    pub me262: u8,
    /// A Fleet Point a turn (4.2).
    pub maintenance: u8,
    pub port_disabled: u8,
    pub greece: u8,
    pub turkey: u8,
    pub paulus_pause: u8,
}

/// Assets of the strategic war, bought by the point or level (20.2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Asset {
    Fighter,
    Bomber,
    Flak,
    Submarine,
    Asw,
    Me262,
}

impl Asset {
    /// One point or level of it in words.
    pub fn name(self) -> &'static str {
        match self {
            Asset::Fighter => "a fighter point",
            Asset::Bomber => "a bomber point",
            Asset::Flak => "a flak level",
            Asset::Submarine => "a submarine point",
            Asset::Asw => "an ASW level",
            Asset::Me262 => "a Me-262",
        }
    }
}

// ---- rules of the phases ----

/// Bonuses to combat dice (20.1, play book).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct HitBonuses {
    /// a: elite blocks.
    pub elite: u8,
    /// b: infantry class defending in mud.
    pub mud: u8,
    /// c: armour at infantry class.
    pub armour_at_infantry: u8,
    /// d: a block with an air support unit.
    pub air_support: u8,
    /// e: defending in rough.
    pub rough: u8,
    /// f: defending against a class that crossed a river or strait.
    pub river: u8,
    /// g: behind the Maginot line.
    pub maginot: u8,
    /// h: in a fortress.
    pub fortress: u8,
    /// i: in a field or heavy fortification.
    pub fortification: u8,
    /// j: against a class that landed or dropped.
    pub landing: u8,
    /// k: against mixed Axis minors.
    pub mixed_minors: u8,
    /// l: surprise, by option 14.43.
    pub surprise: u8,
    /// German airborne that defend and make no more assaults, by option 13.33.
    pub dug_in: u8,
}

/// Movement (5.0, 7.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Movement {
    /// A unit also ends its move in an enemy area without enemy land units (reconstructed, A47: no).
    pub stop_in_empty_enemy_area: bool,
    /// Armour may not enter a swamp with enemy land units except in snow (reconstructed, A101).
    pub no_armour_into_held_swamp: bool,
    /// Least steps of an infantry-class block that enters a disputed area by breakthrough (play book, L283).
    pub breakthrough_steps: u8,
    /// Areas that an out-of-supply unit moves (reconstructed, A103).
    pub unsupplied_moves: u8,
    /// Areas of an airborne drop (play book, L667; A106).
    pub drop_range: u8,
}

/// Combat (6.0).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Combat {
    /// A die hits from this number less its bonuses (play book, L641).
    pub hit_on: u8,
    /// Dice a step in a normal combat and in an assault (play book, L687).
    pub dice_per_step: [u8; 2],
    /// A natural 1 always misses (reconstructed).
    pub one_misses: bool,
    /// A die of air combat hits from this number (play book, L325).
    pub air_hit_on: u8,
    /// Attackers without supply roll half their dice (reconstructed, A103).
    pub unsupplied_half: bool,
    /// Counterattacks a round (reconstructed, A42).
    pub counterattacks: u8,
}

/// Stacking (5.5, reconstructed, A98); 0 = no limit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stacking {
    /// Land units of a team in a fortress.
    pub fortress_land: u8,
    /// Air support units of a team in a fortress.
    pub fortress_air: u8,
    /// Land units elsewhere, by [`Terrain`], of the Soviets and of others (13.22).
    pub land: [[u8; 2]; 5],
    /// Air support units there (13.22).
    pub air: u8,
}

/// Supply (3.0).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Supply {
    /// Sea supply that a unit uses through a beachhead (play book, L91).
    pub beachhead_units: u8,
    /// Units that a port supplies; 0 = no limit (13.32).
    pub port_limit: u8,
    /// Islands whose loss costs each Mediterranean Fleet Point of a team one unit of supply: the first team's, the second's
    /// (3.33, reconstructed).
    pub islands: [Option<Area>; 2],
    /// Units supplied around the Cape, and where (reconstructed).
    pub cape: (Option<Area>, u8),
}

/// Production (4.0).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Production {
    /// New units a home area and turn (play book, L287).
    pub new_units_per_area: u8,
    /// Replacement steps of a unit outside its home areas, 0 or 1 (reconstructed, A74).
    pub replacements_abroad: u8,
    /// WERP of a conquered resource area; Soviet areas keep their value (play book, L663).
    pub conquered_value: u8,
    /// Land units that must stand in it (play book, L287; number reconstructed, A64).
    pub garrison: u8,
    /// Fighter points a turn (reconstructed, A77).
    pub fighters: u8,
    /// Bomber points a turn (reconstructed, A77).
    pub bombers: u8,
    /// Submarine points a turn (play book, derived).
    pub submarines: u8,
    /// Me-262 a turn (13.35).
    pub me262: u8,
    /// WERP that Germany may give to Italy a turn (play book, L211).
    pub italian_aid: u8,
    /// Free infantry steps of Axis minors a turn (9.15).
    pub free_minor_steps: u8,
}

/// Fleets (8.0, dice reconstructed).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Naval {
    /// Land units that a Fleet Point carries a turn (play book, L297).
    pub carried: u8,
    /// An interception succeeds from this number (A80).
    pub intercept_on: u8,
    /// A die of naval combat hits from this number.
    pub hit_on: u8,
    /// Escorts are lost before carriers.
    pub escorts_first: bool,
}

/// A kind of weather (1.1).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
pub enum Weather {
    /// Clear.
    #[default]
    Clear,
    /// Light mud.
    LightMud,
    /// Mud.
    Mud,
    /// Snow.
    Snow,
}

impl Weather {
    /// All, in the order of their indices.
    pub const ALL: [Weather; 4] = [Weather::Clear, Weather::LightMud, Weather::Mud, Weather::Snow];

    /// Identifier, as in the data.
    pub fn id(self) -> &'static str {
        ["clear", "light_mud", "mud", "snow"][self as usize]
    }
}

/// What a kind of weather does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WeatherEffect {
    /// Supporting air units of a side and round (6.63).
    pub air_support: u8,
    /// Most areas of a land move.
    pub land_moves: u8,
    /// Breakthrough operational movement is allowed.
    pub breakthrough: bool,
    /// Amphibious invasions are allowed (A107).
    pub amphibious: bool,
    /// Airborne drops are allowed (A107).
    pub airborne: bool,
    /// Infantry class that defends has the bonus of 20.1 b.
    pub infantry_bonus: bool,
    /// Attackers roll half their dice (14.32).
    pub half_dice: bool,
    /// Swamp counts as rough (13.22).
    pub swamp_is_rough: bool,
}

/// The weather of a turn, by [`Zone`].
pub type ZoneWeather = [Weather; 3];

/// Weather (1.1; the table is lost and reconstructed, A108).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WeatherRules {
    /// By bimester, January and February first: the fixed weather, or `None` where it is rolled.
    pub fixed: [Option<ZoneWeather>; 6],
    /// By bimester: the weather of each sum of two dice, 2 first.
    pub rolled: [[ZoneWeather; 11]; 6],
    /// What each kind does.
    pub effects: [WeatherEffect; 4],
    /// Soviets attack in snow without penalty in Soviet home areas (14.32).
    pub soviets_exempt: bool,
    /// Finns attack in snow without penalty (reconstructed).
    pub finns_exempt: bool,
}

/// Strategic warfare (2.0, dice reconstructed).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StrategicWar {
    /// Most submarine points.
    pub submarines: u8,
    /// Divisor of die + ASW level: five per cent of the submarines are lost for each whole.
    pub asw_divisor: u8,
    /// Highest ASW level.
    pub asw_levels: u8,
    /// Upper bound of submarine points of each column of the attack table.
    pub attack_columns: Vec<u8>,
    /// WERP lost by Britain, by die and column.
    pub attack: [Vec<u8>; 6],
    /// WERP lost for each British strategic move lost (2.13).
    pub werp_per_move: u8,
    /// Submarines lost by percentage (5, 10, 15, 20, 25) and points (from 1) (20.5).
    pub losses: [Vec<u8>; 5],
    /// A flak die hits from this number.
    pub flak_on: u8,
    /// Highest flak level.
    pub flak_levels: u8,
    /// A bomb hits from this number before and from 2.24(a).
    pub bomb_on: [u8; 2],
    /// WERP lost a hit.
    pub werp_per_hit: u8,
    /// Hits for each strategic move lost (2.25).
    pub hits_per_move: u8,
    /// Turns from which bombers (2.24 a) and escorts (2.24 b) are improved.
    pub improved: [Bimester; 2],
    /// Bomber points for one more supporting air unit in an invasion (2.27).
    pub bombers_per_support: u8,
    /// A fighter die is a hit from this number, an exchange on this one, a half-hit on this one (13.35 names them).
    pub fighter_dice: [u8; 3],
    /// Bombers for each escort before 2.24(b) (A79); from then on escorts are free.
    pub bombers_per_escort: u8,
    /// Option 13.36: submarines fire first up to this ASW level, and above it until an ASW die has shown this number.
    pub initiative: [u8; 2],
    /// Turns with one more on the submarine attack die by that option, from and to.
    pub submarine_bonus: Vec<(Bimester, Bimester)>,
    /// Where the markers of option 14.51 start, and the most that bombers step down in a raid.
    pub improvement: [u8; 2],
    /// Option 13.35: when Me-262 may be bought, from which number they hit bombers, from which number escorts hit them, and how many
    /// such hits one Me-262 takes.
    pub jets: (Bimester, [u8; 3]),
    /// The first year in which aircraft are converted (14.49).
    pub conversion_year: u16,
}

/// Two months: a year and a bimester from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Bimester {
    /// Year.
    pub year: u16,
    /// 1 = January and February, to 6.
    pub nth: u8,
}

/// Politics (9.0, dates and amounts mostly reconstructed).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Politics {
    /// The first turn after the Phoney War (9.11 b).
    pub phoney_war_ends: Bimester,
    /// Axis units in Poland and East Prussia that keep the USSR from declaring war.
    pub poland_garrison: u8,
    /// Areas of Poland, East Prussia.
    pub poland_garrison_areas: Areas,
    /// WERP of Swedish ore (9.14).
    pub swedish_ore: u8,
    /// Where each Axis minor may operate (9.15 to 9.18), by nation index; empty = everywhere.
    pub operates_in: Vec<Areas>,
    /// Where the Finns may before Leningrad is Axis (A85).
    pub finns_before_leningrad: Areas,
    /// Nations whose blocks give the enemy a bonus where they stand together (9.18).
    pub mixed: Vec<(Nation, Nation)>,
    /// When each Axis minor joins, by nation.
    pub joins: Vec<(Nation, Bimester)>,
    /// Areas occupied under the pact (9.25).
    pub pact_areas: Areas,
    /// Areas that the pact closes to Germany until its war with the USSR (17.8(1)).
    pub pact_closed: Areas,
    /// Areas of the Soviet front garrison (9.26).
    pub front_garrison: Areas,
    /// Soviet income by turn before the war with Germany, from the first turn of each entry.
    pub soviet_income: Vec<(Bimester, u8)>,
    /// Last turn of the cadre benefit (9.24 d).
    pub cadre_benefit_until: Bimester,
    /// Steps of the draft, its turns, most steps a turn (9.24 f).
    pub draft: [u8; 3],
    /// Turn of the American entry.
    pub usa_enters: Bimester,
    /// Minors on which the Western Allies may declare war (9.31).
    pub western_targets: Nations,
    /// Turn from which British land steps cost one more (9.38).
    pub british_surcharge: Bimester,
    /// Italian base while neutral and after its collapse.
    pub italian_low_base: u8,
    /// Areas of Africa.
    pub africa: Areas,
    /// Areas of Vichy (9.52).
    pub vichy: Areas,
    /// Where Vichy infantry of two steps appears.
    pub vichy_units: Vec<Area>,
    /// Minors with a Special Action of their own when they come into the war (9.64, play book).
    pub minor_special_actions: Nations,
    /// Minors whose blocks are cadres when they come into the war (19.1, play book).
    pub minor_cadres: Nations,
    /// Counters with which an Axis minor joins, where they are fewer than there are (19.2; A10): kind, how many.
    pub joining: Vec<(u8, u8)>,
    /// WERP that Great Britain may give to the USSR a turn (9.35, reconstructed).
    pub british_lend_lease: u8,
    /// The year from which the USSR may declare war on Germany whatever its garrison (play book, L59).
    pub soviet_freedom: Bimester,
    /// Minors that leave no home area empty when they come into the war (19.1, play book).
    pub minor_spread: Nations,
    /// Whose home areas Italians do not enter without option 14.34.
    pub barred_to_italy: Nations,
    /// Cities whose loss at the end of an Allied player turn ends France (play book, L341).
    pub french_cities: Areas,
    /// Italian islands: not its mainland (A86).
    pub italian_islands: Areas,
    /// The island with which Italian morale collapses (reconstructed).
    pub sicily: Option<Area>,
    /// The port of American lend-lease (A84).
    pub murmansk: Option<Area>,
    /// The area that the Finns wait for (A85).
    pub leningrad: Option<Area>,
    /// American base in 1942, in 1943, from 1944 by option 13.21.
    pub american_bases: [u8; 3],
    /// The turn in which Germany may build a sixth Special Action by option 13.31.
    pub sixth_special_action: Bimester,
    /// The year from which Sweden and Finland draw back by option 13.41.
    pub scandinavian_prudence: Bimester,
    /// The year from which Great Britain may bring Greece into the war by option 13.43.
    pub greece_from: Bimester,
    /// Special Actions a Production Phase by option 13.45: of Germany and the USA, of Great Britain and the USSR, of others; WERP
    /// lost to the strategic war that cost one of them.
    pub building_limits: [u8; 4],
    /// Special Actions that the pause in the East costs (14.41).
    pub pause_actions: u8,
    /// Powers that roll whether they join the Axis by option 14.311.
    pub candidates: Vec<Nation>,
    /// They join from this number, and are neutral for good up to that one.
    pub joining_roll: [i8; 2],
    /// How the campaigns end (10.41 to 10.47).
    pub levels: Levels,
    /// When Major Powers are conquered (10.4, reconstructed).
    pub conquest: Vec<Conquest>,
}

/// Levels of victory of the campaigns (10.41 to 10.47: names and points are play book, conditions reconstructed).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Levels {
    /// Points of a marginal, an operational and a decisive victory (14.48).
    pub points: [u8; 3],
    /// Germany conquered up to these turns: decisive, operational, marginal Allied victory; later a draw.
    pub germany_falls: [Bimester; 3],
    /// Areas of which the Axis holds one at the end for an operational victory, besides Soviet home areas.
    pub prizes: Areas,
}

/// When a Major Power is conquered, checked at the end of a player turn of the second team (10.4, reconstructed).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Conquest {
    /// Whose.
    pub nation: Nation,
    /// Areas of which the enemy controls all.
    pub all: Areas,
    /// Areas of which he controls so many at least.
    pub some: (Areas, u8),
}

/// What ends a scenario well, and for whom (10.0).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Victory {
    /// 16.1: the first team by controlling all `areas` at the end of the last turn, the second by `needed` of them.
    Areas {
        /// Areas that count.
        areas: Areas,
        /// What the second team needs.
        needed: u8,
    },
    /// Victory points at the end, and what their difference is worth (16.2).
    Points {
        /// What gives points.
        points: Vec<VictoryPoint>,
        /// Hundredths of a tournament point of the first and the second team, by what the second team has more: -4 or less first,
        /// 4 or more last.
        awards: [[u16; 2]; 9],
        /// Whether the conquest of a Major Power (10.41, 10.47) ends the game for all ten tournament points.
        conquest: bool,
    },
    /// Conquest and survival (10.41 to 10.47).
    #[default]
    Conquest,
}

/// A victory point.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct VictoryPoint {
    /// For whom.
    pub team: Team,
    /// How many.
    pub points: u8,
    /// Areas that count.
    pub areas: Areas,
    /// What is asked of them.
    pub condition: Condition,
}

/// What a victory point is given for (16.22).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Condition {
    /// Each area controlled at the end, in supply.
    Held,
    /// Each area controlled at the end (16.32).
    Controlled,
    /// All the areas controlled at the end (16.32).
    ControlledTogether,
    /// Italian morale has collapsed (16.32).
    ItalianCollapse,
    /// Each area controlled at the end, with a line of supply over land.
    HeldOverLand,
    /// Each beachhead of the enemy in the areas that was repelled (A99).
    BeachheadsRepelled,
    /// The enemy never controlled two of the areas at a time (A17).
    NeverTwo,
    /// The enemy controls none of the areas and has no land unit in them.
    Expelled,
    /// Bomb hits on Germany since the start are at most so many.
    BombHitsAtMost(u8),
    /// They are at least so many.
    BombHitsAtLeast(u8),
    /// Italian morale has not collapsed.
    ItalyStands,
    /// Italy has surrendered.
    ItalySurrendered,
}

/// Numbers of optional rules (13, 14; all play book).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct OptionalRules {
    /// WERP a turn for each restricted build (13.24).
    pub instalment: u8,
    /// Restricted builds begun before the start: whose, WERP paid for a Fleet Point and an ASW level, where a Fleet Point and which
    /// kind of counter go for it (17.54).
    pub begun: Vec<Begun>,
    /// Turns in which Germany may attack by surprise (13.34).
    pub final_offensives: Vec<Bimester>,
    /// First turn of the Yugoslav partisans, WERP a step (13.42).
    pub partisans: (Bimester, u8),
    /// German player turns of the war with the USSR before the first roll for the collapse, the number that it then needs; one less
    /// each turn (14.211, 14.212).
    pub collapse: [u8; 2],
    /// The fourth German Special Action is lost up to this number; what more or fewer Axis areas add or take, what its loss in the
    /// turn before takes (14.214).
    pub fourth: [i8; 3],
    /// How the Soviet and the American pool grow (14.22, 14.23).
    pub growth: GrowthRules,
    /// A die of those who cover a withdrawal and of those who pursue it hits from these numbers (14.44).
    pub pursuit_on: [u8; 2],
    /// Infantry steps that a hit costs which finds no armour: pursuers, those pursued (14.44).
    pub pursuit_infantry: [u8; 2],
    /// Of so many hits by infantry one falls on armour; from which year on of so many (14.45).
    pub armour_hit: (u8, u16, u8),
    /// Without the Winter War: the Soviet income of a turn; turns after the first success in snow until Soviets attack in it at home
    /// without penalty (14.32).
    pub no_winter_war: (Bimester, u8, u8),
    /// Minors that Italy may attack before it is in the war, and the area whose guard keeps it from France (14.34, 14.345).
    pub italian_targets: Nations,
    /// See `italian_targets`.
    pub italian_gate: Option<Area>,
    /// The Soviet side of the Demarcation Line (9.28, reconstructed).
    pub soviet_sphere: Areas,
    /// Air support units in naval combat (14.46).
    pub naval_air: NavalAirRules,
    /// On what terms France gives in (14.354).
    pub french: FrenchRules,
    /// The first turn in which the USSR may attack minors, and the turn from which it produces for war whatever has happened (14.321,
    /// 14.322).
    pub soviet_wars_from: Bimester,
    /// See `soviet_wars_from`.
    pub soviets_wake: Bimester,
    /// A die of carpet bombing hits from this number, and up to that one an American unit (14.47).
    pub carpet: [u8; 2],
}

/// Air support units in naval combat (14.46).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NavalAirRules {
    /// An interception at sea succeeds from this number.
    pub at_sea: u8,
    /// One in the destination port.
    pub in_port: u8,
    /// Home areas in which air units join only with so many times the enemy's fighters.
    pub guarded: Areas,
    /// See `guarded`.
    pub superiority: u8,
    /// What British and American Fleet Points that intercept the Axis hit more easily by.
    pub bonus: u8,
}

/// On what terms France gives in, and what is left of it if it fights on (14.354).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct FrenchRules {
    /// The highest modified roll with which it fights on; with which it leaves out the Levant.
    pub rolls: [i8; 2],
    /// More on the roll with fewer French blocks than so many, with Marseille; less with so many British units in France, and for each
    /// turn from the second after the trigger.
    pub few: (u8, i8),
    /// See `few`.
    pub marseille: i8,
    /// See `few`.
    pub british: (u8, i8),
    /// See `few`.
    pub late: i8,
    /// The Levant.
    pub levant: Areas,
    /// Counters that are out of the game when France fights on: kind, how many.
    pub removed: Vec<(u8, u8)>,
    /// Its second Fleet Point becomes British from this number.
    pub fleet_on: u8,
}

/// Restricted builds that a set-up has begun (17.54).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Begun {
    /// Whose.
    pub nation: Nation,
    /// WERP paid for a Fleet Point.
    pub fleet: u8,
    /// WERP paid for an ASW level.
    pub asw: u8,
    /// Where it has one Fleet Point less.
    pub sea: Sea,
    /// The kind of which it has one counter less at full strength, if there is one.
    pub kind: Option<KindId>,
}

/// How pools of Special Actions grow with the conditions that their owners have met (14.22, 14.23).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct GrowthRules {
    /// Turns of the war with Germany before the first Soviet roll.
    pub soviet_turns: u8,
    /// Turn of the first American roll.
    pub american_from: Bimester,
    /// What one and two conditions need on the die.
    pub rolls: [u8; 2],
    /// Turns of war with which the anniversary has passed.
    pub anniversary: u8,
    /// Rolls won in a row that are a condition.
    pub running: u8,
    /// Areas of the Axis so many of which the Soviets take in a player turn.
    pub areas_taken: u8,
    /// Mainland of Italy and France: where an American unit brings the third (14.223).
    pub mainland: Areas,
}

/// Optional rules (13, 14, 21; all play book), in the order of their numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct Options {
    pub us_production: bool,         // 13.21
    pub stacking: bool,              // 13.22
    pub desert_weather: bool,        // 13.23
    pub partial_builds: bool,        // 13.24
    pub sixth_special_action: bool,  // 13.31
    pub ports: bool,                 // 13.32
    pub paratroopers: bool,          // 13.33
    pub final_offensives: bool,      // 13.34
    pub me262: bool,                 // 13.35
    pub submarine_initiative: bool,  // 13.36
    pub scandinavian_prudence: bool, // 13.41
    pub partisans: bool,             // 13.42
    pub greece: bool,                // 13.43
    pub turkey: bool,                // 13.44
    pub limited_building: bool,      // 13.45
    pub overlord: bool,              // 13.46
    pub air_purchases: bool,         // 13.47
    pub german_reductions: bool,     // 14.21
    pub soviet_increases: bool,      // 14.22
    pub american_increases: bool,    // 14.23
    pub german_freedom: bool,        // 14.31
    pub no_winter_war: bool,         // 14.32
    pub random_weather: bool,        // 16.23(1)
    pub soviet_wars: bool,           // 14.321
    pub western_wars: bool,          // 14.33
    pub italian_wars: bool,          // 14.34
    pub french_terms: bool,          // 14.35
    pub paulus_pause: bool,          // 14.41
    pub winter_combat: bool,         // 14.42
    pub surprise: bool,              // 14.43
    pub pursuit: bool,               // 14.44
    pub hit_distribution: bool,      // 14.45
    pub naval_air: bool,             // 14.46
    pub carpet_bombing: bool,        // 14.47
    pub tournament_points: bool,     // 14.48
    pub three_players: bool,         // 14.48
    pub conversion: bool,            // 14.49
    pub fort_reduction: bool,        // 14.50
    pub improved_by_use: bool,       // 14.51
    pub combat_tables: bool,         // 21.0
}

// ---- set-up ----

/// A player: who he is and whose nations he leads from the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Player {
    /// Which.
    pub id: PlayerId,
    /// His team.
    pub team: Team,
    /// His nations.
    pub nations: Nations,
}

/// The players that scenarios know.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum PlayerId {
    /// The Axis.
    Axis,
    /// All Allies.
    Allied,
    /// Great Britain and the United States.
    Western,
    /// The Soviet Union.
    Soviet,
}

impl PlayerId {
    /// All, in the order of their indices.
    pub const ALL: [PlayerId; 4] = [PlayerId::Axis, PlayerId::Allied, PlayerId::Western, PlayerId::Soviet];

    /// Identifier, as in the data and on the command line.
    pub fn id(self) -> &'static str {
        ["axis", "allied", "western_allies", "soviet_union"][self as usize]
    }
    /// Name for people.
    pub fn name(self) -> &'static str {
        ["Axis", "Allies", "Western Allies", "Soviets"][self as usize]
    }
}

/// Counters of a set-up: `count` of a kind at `steps`, in `zone` as their owner likes (one area = fixed).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Placement {
    /// Kind, an index into [`Rules::kinds`].
    pub kind: u8,
    /// How many.
    pub count: u8,
    /// Steps each.
    pub steps: u8,
    /// Where.
    pub zone: Areas,
}

/// A change of the pools by date, at the start of the player turn of the counters' team.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Dated {
    /// Turn, from 1, counted from the scenario's first.
    pub turn: u8,
    /// What changes.
    pub change: PoolChange,
}

/// A change of the pools.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PoolChange {
    /// Counters of a kind come into the pool.
    Add {
        /// Kind.
        kind: u8,
        /// How many.
        count: u8,
    },
    /// Counters come onto the map at full strength, in friendly areas of a zone.
    Reinforce {
        /// Kind.
        kind: u8,
        /// How many.
        count: u8,
        /// Where.
        zone: Areas,
        /// In the first January of an earlier war of Germany and the USSR, not then (A112).
        early: bool,
    },
    /// The pool of Special Actions grows or shrinks.
    SpecialActions {
        /// Whose.
        nation: Nation,
        /// By how many.
        by: i8,
    },
    /// Fighter points come to a team.
    Fighters {
        /// Whose.
        team: Team,
        /// How many.
        points: u8,
    },
    /// Fleet Points come to a nation.
    Fleets {
        /// Whose.
        nation: Nation,
        /// Where.
        sea: Sea,
        /// How many.
        points: u8,
    },
}

/// The most counters of a nation that its player deploys in some areas (17.21, 17.61, 18.11, 18.21).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DeploymentLimit {
    /// Whose.
    pub nation: Nation,
    /// Where, together.
    pub areas: Areas,
    /// Which branches, a bit each.
    pub branches: u8,
    /// How many.
    pub most: u8,
}

/// Who surprises whom in an Initial Combat Phase (14.43).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Surprise {
    /// Whose units have the benefit.
    pub by: Nations,
    /// Whose units are surprised.
    pub on: Nations,
}

impl Surprise {
    /// Nobody surprises anybody.
    pub const NONE: Surprise = Surprise { by: 0, on: 0 };
}

/// Where politics stand at the start, and what of them is peculiar to a scenario (16 to 18).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Situation {
    /// Wars may be declared, minors join, powers surrender (9.0): not in 16.1.
    pub politics: bool,
    /// The first turn in which the first team may declare war (17.8(1)).
    pub declarations_from: u8,
    /// Germany and the USSR are at war.
    pub soviet_war: bool,
    /// The draft may be taken in the first production (9.24 f).
    pub draft: bool,
    /// The First Winter has passed (9.13).
    pub winter_passed: bool,
    /// France has fallen.
    pub france_fell: bool,
    /// Vichy France exists.
    pub vichy: bool,
    /// The USA come in by date (17.7; not in 16.3).
    pub usa: bool,
    /// Nations that come into the war at the start of the second team's player turn: turn, nation (17.8(1)).
    pub enters: Vec<(u8, Nation)>,
    /// Soviet income by turn, whether at war or not (16.33(2)); empty = [`Politics::soviet_income`] and the base.
    pub soviet_income: Vec<(Bimester, u8)>,
    /// The Soviets must declare war on Germany in this turn (16.33(1)).
    pub soviets_must_declare: Option<Bimester>,
    /// At war with Germany the USSR may declare war on all Axis minors together (16.33(1)).
    pub soviets_attack_minors: bool,
    /// The cadre benefit and the draft wait until the Axis holds a Soviet home area (16.33(3)).
    pub benefits_wait: bool,
    /// Nations whose Fleet Point of the year has been built before the start (17.8(5)).
    pub fleets_built: Nations,
    /// Who is surprised by the first team in the first turn, though nobody declares war then (17.8(1), 18.7(9)).
    pub surprise: Surprise,
    /// No unit crosses the border of this country in the first Initial Operational Movement Phase (15.4).
    pub closed_border: Option<u8>,
}

/// What is peculiar to the production of a nation in a scenario.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ScenarioNation {
    /// Whose.
    pub nation: Nation,
    /// Base income, in place of [`NationData::base`].
    pub base: Option<u8>,
    /// Value of its home resource areas, in place of [`NationData::area_value`].
    pub area_value: Option<u8>,
    /// Special Actions at the start.
    pub special_actions: u8,
    /// The pool of them.
    pub special_action_pool: u8,
    /// May build them (16.13(5)).
    pub builds_special_actions: bool,
    /// WERP more for each land step (16.13(4), 9.24 g, 9.38).
    pub surcharge: u8,
    /// Where its new units appear; empty = friendly home areas.
    pub new_units: Areas,
    /// Its sources of supply; empty = those of [`AreaData::source_of`].
    pub sources: Areas,
    /// May not enter a disputed area of its own will (16.12).
    pub defends_only: bool,
    /// May not leave this climate zone (16.12, A7).
    pub confined: Option<Zone>,
    /// Its standing at the start.
    pub standing: Standing,
}

/// How a nation stands in the war (9.0).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Standing {
    /// Neutral.
    #[default]
    Neutral,
    /// In the war.
    Belligerent,
    /// Conquered or surrendered.
    Conquered,
    /// Does not exist in this scenario.
    Absent,
}

/// The set-up of a scenario (16 to 18).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Setup {
    /// First turn.
    pub first_turn: Bimester,
    /// How many turns.
    pub turns: u8,
    /// Players in the order of sides. The first team's come first.
    pub players: Vec<Player>,
    /// The team that deploys first.
    pub deploys_first: Option<Team>,
    /// The first turn begins with the Production Phase of the team, by team (16.13(6), 17.8(2)).
    pub production_first_turn: [bool; 2],
    /// Areas in play.
    pub in_play: Areas,
    /// Who controls each area, by area.
    pub control: Vec<Nation>,
    /// Nations with what is theirs alone; those not named are absent.
    pub nations: Vec<ScenarioNation>,
    /// Counters on the map.
    pub placements: Vec<Placement>,
    /// Counters out of the game, or kept from it until a date: kind, how many. The rest of a kind is in the pool.
    pub withheld: Vec<(u8, u8)>,
    /// Least land units of a team in an area at the end of its deployment.
    pub minimum: Vec<(Team, Area, u8)>,
    /// Field fortifications on the map.
    pub field_forts: Areas,
    /// Heavy fortifications on the map.
    pub heavy_forts: Areas,
    /// Levels of the strategic war.
    pub strategic: StrategicLevels,
    /// Fleet Points: whose, where, how many.
    pub fleets: Vec<(Nation, Sea, u8)>,
    /// Changes of the pools by date.
    pub dated: Vec<Dated>,
    /// Fleets are in play.
    pub fleets_used: bool,
    /// Strategic warfare is in play.
    pub strategic_war_used: bool,
    /// Who deploys after whom: nations of a team; empty = the teams one after the other (17.0).
    pub deployments: Vec<(Team, Nations)>,
    /// Limits of deployment.
    pub limits: Vec<DeploymentLimit>,
    /// Where politics stand.
    pub situation: Situation,
    /// Weather of turns that is not rolled: turn from 1, weather (16.23(1)).
    pub weather: Vec<(u8, ZoneWeather)>,
}

/// Levels of the strategic war at the start; by team: Germany, the pool of the Western Allies (A78).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct StrategicLevels {
    pub fighters: [u8; 2],
    pub bombers: [u8; 2],
    pub flak: [u8; 2],
    pub submarines: u8,
    pub asw: u8,
}

/// All the data of a scenario.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Rules {
    /// Identifier of the scenario.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// Areas.
    pub areas: Vec<AreaData>,
    /// Which of them touch.
    pub edges: Vec<Edge>,
    /// Air Link Routes.
    pub air_links: Vec<(Area, Area)>,
    /// Sea zones.
    pub seas: Vec<SeaZone>,
    /// Passages between them.
    pub passages: Vec<Passage>,
    /// Countries.
    pub countries: Vec<Country>,
    /// Nations, in the order of [`Nation::ALL`].
    pub nations: Vec<NationData>,
    /// Branches, in the order of [`Branch::ALL`].
    pub branches: [BranchData; 6],
    /// Kinds of counters. Their counters are numbered one kind after the other.
    pub kinds: Vec<Kind>,
    /// Costs.
    pub costs: Costs,
    /// Bonuses.
    pub bonuses: HitBonuses,
    /// Movement.
    pub movement: Movement,
    /// Combat.
    pub combat: Combat,
    /// Stacking.
    pub stacking: Stacking,
    /// Supply.
    pub supply: Supply,
    /// Production.
    pub production: Production,
    /// Fleets.
    pub naval: Naval,
    /// Weather.
    pub weather: WeatherRules,
    /// Strategic warfare.
    pub strategic: StrategicWar,
    /// Politics.
    pub politics: Politics,
    /// Victory.
    pub victory: Victory,
    /// Hits by bonus (0 to 3), sum of three dice (3 first) and dozens of dice (1 first), for option 21.0.
    pub combat_table: Vec<[[u8; 10]; 16]>,
    /// Options.
    pub options: Options,
    /// Numbers of optional rules.
    pub optional: OptionalRules,
    /// Set-up.
    pub setup: Setup,
}
