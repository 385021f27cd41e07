//! The data the rules are played with: map, counters, charts, set-up, victory, options. Filled by a loader, checked and
//! turned into tables by [`crate::RoadsToMoscow::new`].
//!
//! Movement points are counted in **half points** wherever a field says so (3.57): roads cost a half.

use sandtable_core::Hex;

use crate::ids::{AirId, FormationId, Marker, Player, UnitId};

/// Weather of a turn (5.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Weather {
    /// Dry.
    #[default]
    Dry,
    /// Overcast: harms air coordination alone (5.12).
    Overcast,
    /// Rain (5.13).
    Rain,
}

/// Natural terrain of a hex (8.31); settlements lie in clear hexes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Terrain {
    /// Clear.
    #[default]
    Clear,
    /// Rough.
    Rough,
    /// Swamp.
    Swamp,
}

/// Settlement of a hex (8.33).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Settlement {
    /// None.
    #[default]
    None,
    /// Town (Pueblo).
    Town,
    /// Village (Villa).
    Village,
    /// Hamlet (Aldea).
    Hamlet,
}

/// A hex of the map.
#[derive(Clone, PartialEq, Debug)]
pub struct HexData {
    /// Which.
    pub hex: Hex,
    /// Natural terrain.
    pub terrain: Terrain,
    /// Whether there are woods in it as well (8.35).
    pub woods: bool,
    /// Settlement.
    pub settlement: Settlement,
    /// Name of what lies in it, for people; may be empty.
    pub name: String,
}

/// Water on a hexside (8.36).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Water {
    /// None.
    #[default]
    None,
    /// Stream.
    Stream,
    /// River.
    River,
}

/// Paths that cross a hexside (8.33, 8.34).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Paths {
    /// Primary road.
    pub primary: bool,
    /// Secondary road.
    pub secondary: bool,
    /// Track.
    pub track: bool,
    /// Railway.
    pub railway: bool,
}

/// A hexside that carries something. Each is listed once.
#[derive(Clone, PartialEq, Debug)]
pub struct SideData {
    /// One hex.
    pub a: Hex,
    /// The other.
    pub b: Hex,
    /// Water.
    pub water: Water,
    /// Name of the water, for people; may be empty.
    pub water_name: String,
    /// Whether a bridge leads over it: it works for the whole hexside (8.36b, R69).
    pub bridge: bool,
    /// The hex on the high side of a slope: going into it costs more (8.37).
    pub slope_up_into: Option<Hex>,
    /// The hex to which this side of a Fortified Line belongs (14.1, R72).
    pub fort_protects: Option<Hex>,
    /// Paths across it.
    pub paths: Paths,
    /// Names of the paths, for people.
    pub path_names: Vec<String>,
}

/// The map.
#[derive(Clone, PartialEq, Debug)]
pub struct MapSheet {
    /// Identifier, such as `mozhaysk`.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Whether column 01 is the easternmost.
    pub from_east: bool,
    /// All hexes of the sheet; those outside of the scenario's columns are left out by the engine (11.37, R55).
    pub hexes: Vec<HexData>,
    /// Hexsides that carry something.
    pub sides: Vec<SideData>,
}

/// A price by weather and class, in half points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Price {
    /// Dry and Overcast, on foot.
    pub dry_foot: u8,
    /// Dry and Overcast, motorised.
    pub dry_motorised: u8,
    /// Rain, on foot.
    pub rain_foot: u8,
    /// Rain, motorised.
    pub rain_motorised: u8,
}

impl Price {
    /// The price for a class in a weather.
    #[inline]
    pub const fn of(&self, motorised: bool, rain: bool) -> u8 {
        match (rain, motorised) {
            (false, false) => self.dry_foot,
            (false, true) => self.dry_motorised,
            (true, false) => self.rain_foot,
            (true, true) => self.rain_motorised,
        }
    }
}

/// Terrain Effects Chart (17.2). Prices in half points.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct TerrainChart {
    pub clear: Price,
    pub rough: Price,
    pub swamp: Price,
    /// Added by woods (8.35a).
    pub woods: Price,
    pub primary: Price,
    pub secondary: Price,
    /// Track into a clear hex when it is not raining (8.33), in half points.
    pub track_clear: u8,
    /// Track into any other hex, or into a clear one with an enemy Fortified Position.
    pub track_other: u8,
    /// Railway when it is not raining, if cheaper (8.34).
    pub railway: u8,
    /// Added by an unbridged stream (8.36a).
    pub stream: Price,
    /// Added by a slope, upward (8.37).
    pub slope_up: u8,
    /// Added by an active enemy Fortified Line (8.37, 14.11).
    pub fort_line: u8,
    /// Added by an enemy Fortified Position (8.31c, 14.11).
    pub fortified_position: u8,
    /// Added by an enemy zone of control (8.21).
    pub zoc_entry: u8,
    /// Added by an overrun (8.54a).
    pub overrun: u8,
    /// Combat modifiers of hex terrain; only the greatest counts (10.22a, R88).
    pub rough_drm: i8,
    pub woods_drm: i8,
    pub town_drm: i8,
    pub village_drm: i8,
    pub hamlet_drm: i8,
    /// Combat modifiers of hexsides, if all non-artillery attackers attack across that kind (10.22b).
    pub stream_drm: i8,
    pub river_drm: i8,
    pub slope_drm: i8,
    pub fort_line_drm: i8,
    /// Combat modifier of a Fortified Position (14.12c).
    pub fortified_position_drm: i8,
}

/// What one side suffers by a Combat Results Table (11.11).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Loss {
    /// Steps lost by the whole force.
    pub steps: u8,
    /// R: all retreat.
    pub retreat: bool,
    /// d: all units of the side are disorganised.
    pub disorganised: bool,
    /// E: all are eliminated.
    pub eliminated: bool,
}

/// A cell of a Combat Results Table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CombatResult {
    /// What the attackers suffer.
    pub attacker: Loss,
    /// What the defenders suffer.
    pub defender: Loss,
    /// Printed in red: special losses (11.2).
    pub red: bool,
}

/// Columns that a Combat Results Table may have.
pub const MAX_ODDS: usize = 12;
/// Rows: 0 and less, 1 to 10, 11 and more.
pub const CRT_ROWS: usize = 12;

/// A Combat Results Table (17.1).
#[derive(Clone, PartialEq, Debug)]
pub struct ResultsTable {
    /// Odds of the columns, attack and defence, ascending: `(1, 4)`, ... `(7, 1)`.
    pub odds: Vec<(u8, u8)>,
    /// Cells by row, each with a cell per column.
    pub rows: Vec<Vec<CombatResult>>,
    /// What happens without a roll below the first column (10.53a).
    pub below: CombatResult,
}

/// Which Combat Results Table (10.3).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Crt {
    /// Assault.
    Assault,
    /// Mobile.
    Mobile,
}

/// Modifiers of the Combat Coordination Table (10.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct Coordination {
    pub cas_overcast: i8,
    pub cas_rain: i8,
    /// In a Mobile Sequence, and in an overrun.
    pub cas_mobile: i8,
    pub cas_soviet: i8,
    pub artillery_mobile_attacker: i8,
    pub artillery_mobile_defender: i8,
    pub artillery_rain: i8,
    /// Supporting artillery of more than one formation, or any of the Army.
    pub artillery_mixed: i8,
    pub ground_mobile: i8,
    /// For each hex attacked from beyond the first.
    pub ground_each_hex: i8,
    /// For each formation beyond the first.
    pub ground_each_formation: i8,
    pub ground_disorganised: i8,
    pub ground_rain: i8,
    /// For each Command Point, of any check (15.21).
    pub each_point: i8,
}

/// A turn of the scenario (Turn Record Track).
#[derive(Clone, PartialEq, Debug)]
pub struct CalendarTurn {
    /// Name, such as `16AM`.
    pub name: String,
    /// Greatest d10 for Dry; greater is Overcast (5.11b).
    pub dry_up_to: u8,
    /// Greatest d10 for Overcast; greater is Rain.
    pub overcast_up_to: u8,
    /// The historical weather (5.11d).
    pub historical: Weather,
    /// A "W" turn (5.14).
    pub winter: bool,
}

/// Type of a unit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Kind {
    Reconnaissance,
    ArmouredCar,
    Armour,
    MotorcycleInfantry,
    BicycleInfantry,
    MotorisedInfantry,
    Infantry,
    /// Infantry of the NKVD: No Retreat by itself (9.44).
    InfantryNkvd,
    MotorisedEngineer,
    Engineer,
    Cavalry,
    AntiAircraft,
    HeavyAntiAircraft,
    AntiTank,
    Artillery,
    RocketArtillery,
    Headquarters,
    /// The German artillery headquarters (16.1).
    Arko,
    Leader,
    Fuel,
}

impl Kind {
    /// All kinds, in the order of their numbers.
    pub const ALL: [Kind; 20] = [
        Kind::Reconnaissance,
        Kind::ArmouredCar,
        Kind::Armour,
        Kind::MotorcycleInfantry,
        Kind::BicycleInfantry,
        Kind::MotorisedInfantry,
        Kind::Infantry,
        Kind::InfantryNkvd,
        Kind::MotorisedEngineer,
        Kind::Engineer,
        Kind::Cavalry,
        Kind::AntiAircraft,
        Kind::HeavyAntiAircraft,
        Kind::AntiTank,
        Kind::Artillery,
        Kind::RocketArtillery,
        Kind::Headquarters,
        Kind::Arko,
        Kind::Leader,
        Kind::Fuel,
    ];
    /// Identifier, as in the data.
    pub const fn id(self) -> &'static str {
        match self {
            Kind::Reconnaissance => "reconnaissance",
            Kind::ArmouredCar => "armoured_car",
            Kind::Armour => "armour",
            Kind::MotorcycleInfantry => "motorcycle_infantry",
            Kind::BicycleInfantry => "bicycle_infantry",
            Kind::MotorisedInfantry => "motorised_infantry",
            Kind::Infantry => "infantry",
            Kind::InfantryNkvd => "infantry_nkvd",
            Kind::MotorisedEngineer => "motorised_engineer",
            Kind::Engineer => "engineer",
            Kind::Cavalry => "cavalry",
            Kind::AntiAircraft => "antiaircraft",
            Kind::HeavyAntiAircraft => "heavy_antiaircraft",
            Kind::AntiTank => "antitank",
            Kind::Artillery => "artillery",
            Kind::RocketArtillery => "rocket_artillery",
            Kind::Headquarters => "hq",
            Kind::Arko => "hq_arko",
            Kind::Leader => "leader",
            Kind::Fuel => "fuel",
        }
    }
}

/// What a type of unit may do (list of unit types).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct KindTraits {
    /// A combat unit, rather than a leader or fuel (3.14g).
    pub combat: bool,
    /// May build Fortified Positions (14.23).
    pub digs: bool,
    /// The same in winter (14.24).
    pub digs_in_winter: bool,
    /// Makes combined arms with armour (10.61f).
    pub combined_arms: bool,
    /// Gives the modifier of engineers (10.61h).
    pub engineer: bool,
    /// One of these must be among those that overrun (8.52).
    pub leads_overrun: bool,
    /// One of these must attack for the Mobile CRT (10.33, R43).
    pub enables_mobile: bool,
    /// May cross a river without a bridge (8.36c).
    pub crosses_river: bool,
    /// Projects its zone of control over a river at a bridge alone (3.26).
    pub zoc_needs_bridge: bool,
    /// May retreat through a vacant enemy zone of control (11.54).
    pub retreats_through_zoc: bool,
    /// Advances although its movement allowance is in an orange circle (11.61e).
    pub orange_advances: bool,
}

/// How a unit moves (3.14).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum MoveClass {
    /// Not motorised.
    #[default]
    Foot,
    /// Motorised, allowance in an orange circle.
    Orange,
    /// Motorised, allowance in a red box.
    Red,
}

/// To what a unit belongs (4.2).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Belongs {
    /// To a formation.
    Formation(FormationId),
    /// To the Army: a white box (7.4).
    Army,
    /// To nobody: leaders and fuel units.
    Nobody,
}

/// A face of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Face {
    /// Efficiency rating (3.4).
    pub efficiency: u8,
    /// Offensive strength.
    pub offence: u8,
    /// Defensive strength.
    pub defence: u8,
    /// Movement allowance, in whole points.
    pub movement: u8,
}

/// A ground unit.
#[derive(Clone, PartialEq, Debug)]
pub struct Unit {
    /// Identifier.
    pub id: String,
    /// Designation on the counter.
    pub designation: String,
    /// Whose.
    pub player: Player,
    /// To what it belongs.
    pub belongs: Belongs,
    /// Type.
    pub kind: Kind,
    /// Size as printed: I, II, III.
    pub size: String,
    /// Steps of a fresh unit: 0 (non-combat) to 2 (3.6).
    pub steps: u8,
    /// Stacking points (3.3).
    pub stacking: u8,
    /// The full face.
    pub full: Face,
    /// The reduced face; as the full one if there is none.
    pub reduced: Face,
    /// Support strength of artillery (12.0).
    pub support: u8,
    /// Range of artillery in hexes, the target's counted; 0 = no artillery.
    pub range: u8,
    /// "A": supports attacks alone.
    pub support_attack_only: bool,
    /// How it moves.
    pub class: MoveClass,
    /// A vehicle silhouette (3.14c).
    pub vehicle: bool,
    /// Red offence: armoured (3.14d).
    pub armoured: bool,
    /// Red defence: causes Armour Attrition, cancels combined arms (11.23, 10.61f).
    pub red_defence: bool,
    /// A yellow band: limited zone of control (3.23).
    pub limited_zoc: bool,
    /// Command points of a headquarters or leader (15.2).
    pub command: u8,
    /// The event of the victory point list that its end is (17): points for the enemy if it is eliminated.
    pub elimination_points: u8,
    /// Points for the enemy for each step it loses.
    pub step_points: u8,
}

/// A formation (4.2).
#[derive(Clone, PartialEq, Debug)]
pub struct Formation {
    /// Identifier, such as `10Pz`.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Whose.
    pub player: Player,
    /// Combination value (7.33).
    pub combination: u8,
    /// The marker "Activate any Formation" (4.25), which is no formation of its own.
    pub any: bool,
}

/// An activation marker of the scenario (4.23).
#[derive(Clone, PartialEq, Debug)]
pub struct MarkerData {
    /// Whose formation.
    pub formation: FormationId,
    /// Turn on which it comes into play, from 1; 0 = with its optional group.
    pub turn: u8,
}

/// An air unit (13).
#[derive(Clone, PartialEq, Debug)]
pub struct AirUnit {
    /// Identifier.
    pub id: String,
    /// Type, for people.
    pub name: String,
    /// Whose.
    pub player: Player,
    /// Size of the modifier (13.25).
    pub cas: u8,
    /// Efficiency rating.
    pub efficiency: u8,
    /// Turn on which it comes, from 1 (5.24).
    pub turn: u8,
}

/// Where a unit begins or enters.
#[derive(Clone, PartialEq, Debug)]
pub enum Entry {
    /// Placed in a hex.
    At(Hex),
    /// A reinforcement: from a turn on, by any of these hexes (5.2).
    From {
        /// The turn, from 1.
        turn: u8,
        /// The hexes.
        hexes: Vec<Hex>,
    },
    /// Of an optional group, by its index: the same once it has been taken (R81).
    Optional {
        /// Index into [`Rules::groups`].
        group: u8,
        /// The hexes.
        hexes: Vec<Hex>,
    },
    /// Received by the Fuel Supply Table (6.4), by any of these hexes.
    Fuel {
        /// The hexes.
        hexes: Vec<Hex>,
    },
    /// Not in the scenario.
    Never,
}

/// An optional group of reinforcements (R81).
#[derive(Clone, PartialEq, Debug)]
pub struct OptionalGroup {
    /// Identifier.
    pub id: String,
    /// Whose.
    pub player: Player,
    /// From which turn on it may be taken, from 1.
    pub turn: u8,
    /// Victory points for the opponent.
    pub cost: u8,
    /// Its units.
    pub units: Vec<UnitId>,
    /// Its markers.
    pub markers: Vec<Marker>,
}

/// Fuel (6.4).
#[derive(Clone, PartialEq, Debug, Default)]
pub struct FuelTable {
    /// Whether the rule is in force.
    pub in_force: bool,
    /// Added to the d10 in Rain.
    pub rain_drm: i8,
    /// Units received up to each result, ascending: `(2, 0)`, `(5, 1)`, ...
    pub results: Vec<(i8, u8)>,
    /// From this turn on, from 1 ...
    pub extra_from: u8,
    /// ... so many units more.
    pub extra: u8,
}

/// The rule of retreat direction 19.44e.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RetreatDirection {
    /// Whose retreats.
    pub player: Player,
    /// Until this turn ends, from 1.
    pub until: u8,
    /// Units in columns of this number and greater.
    pub from_column: u8,
    /// End no farther from this hex than they began.
    pub towards: Hex,
}

/// The scenario.
#[derive(Clone, PartialEq, Debug)]
pub struct Scenario {
    /// Identifier.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Who attacks and must reach the threshold (19).
    pub attacker: Player,
    /// First and last column in play, printed numbers (11.37).
    pub columns: (u8, u8),
    /// Supply sources, by player (6.31).
    pub sources: [Vec<Hex>; 2],
    /// Hexes the German controls at the start before units and their zones are looked at.
    pub german_hexes: Vec<Hex>,
    /// Completed Fortified Positions at the start, of the Soviets.
    pub soviet_positions: Vec<Hex>,
    /// Objectives and their points.
    pub objectives: Vec<(Hex, u8)>,
    /// Points the attacker needs at the end.
    pub threshold: i16,
    /// Who attacks wins at once if he controls all of these in a Victory Determination Phase ...
    pub automatic: Vec<Hex>,
    /// ... of this turn or an earlier one, from 1; 0 = no automatic victory.
    pub automatic_until: u8,
    /// 19.44e, if in force.
    pub retreat_direction: Option<RetreatDirection>,
    /// Entry hexes whose protection is waived (19.44g).
    pub waived_entries: Vec<Hex>,
    /// Who has the initiative on the first turn (7.11).
    pub first: Player,
}

/// Numbers of the rules, each with the rule it stands in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// Stacking points in a hex (3.32).
    pub stacking: u8,
    /// Least efficiency (3.44).
    pub least_efficiency: u8,
    /// Loss of efficiency when disorganised (3.72b).
    pub disorganised_efficiency: u8,
    /// When unsupplied (6.14).
    pub unsupplied_efficiency: u8,
    /// When low on fuel (6.44b).
    pub low_fuel_efficiency: u8,
    /// Loss of movement when disorganised, in half points (3.72a).
    pub disorganised_movement: u8,
    /// When unsupplied and on foot, in half points (6.14).
    pub unsupplied_foot_movement: u8,
    /// In winter, in half points (5.14b).
    pub winter_movement: u8,
    /// Command range in hexes (15.14a, 13.21, 12.13c).
    pub command_range: u8,
    /// Army units that a formation may try to activate out of range (7.45).
    pub army_attempts: u8,
    /// The Second Player's markers beyond the First Player's (7.14).
    pub second_player_extra: u8,
    /// d10 and combination value to combine (7.33d).
    pub combine: u8,
    /// Turns in reserve (5.31).
    pub reserve_turns: u8,
    /// Supply line in hexes (6.21).
    pub supply_line: u8,
    /// The same in Rain, or through Swamp (5.13b, 6.21).
    pub supply_line_short: u8,
    /// Net modifier of combat at most (10.62).
    pub drm_limit: i8,
    /// Combined arms (10.61f).
    pub combined_arms_drm: i8,
    /// Engineers (10.61h).
    pub engineer_drm: i8,
    /// Failed ground coordination (10.43a).
    pub ground_failed_drm: i8,
    /// No Retreat (9.46a).
    pub no_retreat_drm: i8,
    /// Air units of a side in a combat (13.24).
    pub air_units: u8,
    /// The German's in an overrun (8.56d).
    pub overrun_air_units: u8,
    /// Non-adjacent artillery of a side in a combat (12.13f2).
    pub artillery_units: u8,
    /// Final number from which failed artillery does nothing (10.42c).
    pub artillery_none_at: u8,
    /// Steps needed to declare No Retreat (9.42).
    pub no_retreat_steps: u8,
    /// Further hexes of a rocket's Special Retreat (16.32).
    pub rocket_hexes: u8,
    /// Reaction: hexes to a hex under Declared Attack (R7); 0 = no limit.
    pub reaction_range: u8,
    /// For each Pass of the opponent last turn (7.12b).
    pub pass_initiative: u8,
    /// For each two-hex advance last turn (7.12c).
    pub advance_initiative: u8,
}

/// Optional rules and rulings that may be switched (18).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// 5.11d: the historical weather.
    pub historical_weather: bool,
    /// 10.41: both sides commit their aircraft before either sees the other's.
    pub simultaneous_cas: bool,
    /// R16: the Second Player may put fewer markers into his cup than he could.
    pub free_cup: bool,
}

/// All data of a scenario.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Rules {
    pub scenario: Scenario,
    pub map: MapSheet,
    pub terrain: TerrainChart,
    /// By [`Crt`].
    pub results: [ResultsTable; 2],
    pub coordination: Coordination,
    /// Turns of the scenario, first to last.
    pub calendar: Vec<CalendarTurn>,
    /// By [`Kind`].
    pub kinds: [KindTraits; 20],
    pub formations: Vec<Formation>,
    pub markers: Vec<MarkerData>,
    pub units: Vec<Unit>,
    pub air: Vec<AirUnit>,
    /// By unit.
    pub entries: Vec<Entry>,
    pub groups: Vec<OptionalGroup>,
    pub fuel: FuelTable,
    pub numbers: Numbers,
    pub options: Options,
}

impl Rules {
    /// Unit by identifier.
    pub fn unit(&self, id: &str) -> Option<UnitId> {
        self.units.iter().position(|unit| unit.id == id).map(|at| UnitId(at as u8))
    }
    /// Formation by identifier.
    pub fn formation(&self, id: &str) -> Option<FormationId> {
        self.formations.iter().position(|formation| formation.id == id).map(|at| FormationId(at as u8))
    }
    /// Air unit by identifier.
    pub fn air_unit(&self, id: &str) -> Option<AirId> {
        self.air.iter().position(|unit| unit.id == id).map(|at| AirId(at as u8))
    }
}
