//! The data the rules are played with: map, blocks, charts, calendar, set-up, options. Filled by a loader, checked and
//! turned into tables by [`crate::EuroFront::new`].
//!
//! Distances are hexes, production points are whole, strengths are steps. Identifiers are those of the data.

use sandtable_core::Hex;

use crate::ids::{BlockId, EventId, Faction, Front, NationId, SeaId};

mod naval;
mod situation;

pub use naval::{Interception, Naval, NavalBalance, NavalRoute};
pub use situation::{ArmyRequirement, Condition, Fact, Goal, Situation};

// ---- map (1) ----

/// Terrain of a hex or area (1.3).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Terrain {
    #[default]
    Clear,
    Forest,
    Hill,
    Swamp,
    Mountain,
    Tundra,
    Desert,
    /// Impassable (1.351).
    SandSea,
    /// Impassable (1.352).
    Depression,
    /// Impassable (1.36).
    Lake,
    /// A sea hex: naval movement alone (1.37).
    Sea,
}

impl Terrain {
    /// How many there are.
    pub const COUNT: usize = 11;
    /// All, in the order of their numbers.
    pub const ALL: [Terrain; Terrain::COUNT] = [
        Terrain::Clear,
        Terrain::Forest,
        Terrain::Hill,
        Terrain::Swamp,
        Terrain::Mountain,
        Terrain::Tundra,
        Terrain::Desert,
        Terrain::SandSea,
        Terrain::Depression,
        Terrain::Lake,
        Terrain::Sea,
    ];
    /// Identifier, as in the data.
    pub const fn id(self) -> &'static str {
        match self {
            Terrain::Clear => "clear",
            Terrain::Forest => "forest",
            Terrain::Hill => "hill",
            Terrain::Swamp => "swamp",
            Terrain::Mountain => "mountain",
            Terrain::Tundra => "tundra",
            Terrain::Desert => "desert",
            Terrain::SandSea => "sand_sea",
            Terrain::Depression => "depression",
            Terrain::Lake => "lake",
            Terrain::Sea => "sea",
        }
    }
}

/// What a hex of a terrain does (terrain chart, 1.3, 6.21).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TerrainEffect {
    /// No unit may enter by land.
    pub impassable: bool,
    /// Who enters must stop, cavalry excepted (1.33, 1.34).
    pub stop: bool,
    /// Hits that a passive unit takes for each step lost (7.34): 1, or 2 in adverse terrain.
    pub defence: u8,
    /// Units of a side that may end their move there (6.21).
    pub stacking: u8,
    /// The active side's fire is single fire at most (1.33).
    pub single_fire: bool,
    /// May be invaded from the sea (15.52).
    pub sea_invasion: bool,
    /// Paratroops may drop there (14.22).
    pub paradrop: bool,
}

/// A fortress in a hex (1.45).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Fortress {
    /// None.
    #[default]
    None,
    /// A minor fortress: Tobruk (1.451, 7.51).
    Minor,
    /// A fortress (7.5).
    Full,
}

/// A port (1.44, 15.32).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Port {
    /// None.
    #[default]
    None,
    /// Minor: one entry or exit a player turn.
    Minor,
    /// Major: two.
    Major,
}

/// What kind of settlement a place is (1.4).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
pub enum City {
    /// None: a hex, a base, a feature.
    #[default]
    None,
    /// A town: names a hex (1.43). In 1936 it is loyal to a side.
    Town,
    /// A minor city (1.42).
    Minor,
    /// A major city (1.41): defends at double fire and double defence.
    Major,
    /// A major city without benefit to its defenders: Rome (1.41).
    Open,
}

/// A hex.
#[derive(Clone, PartialEq, Debug)]
pub struct HexData {
    /// Which: [`crate::ids::hex`] of column and row.
    pub hex: Hex,
    /// Unique rule name, such as `Paris NE1`.
    pub name: String,
    /// Terrain.
    pub terrain: Terrain,
    /// Front; of sea hexes `None`.
    pub front: Option<Front>,
    /// The nation in whose territory it lay in 1939, if it is a nation of the game.
    pub nation: Option<NationId>,
    /// The country of 1939, as in the data (also those that are no nations, such as `Spanish Morocco`); empty at sea.
    pub country: String,
    /// Its country is home territory of its nation, no colony (16.6).
    pub home: bool,
    /// What changes hands as a whole (`bessarabia`, `east_poland`); empty if none.
    pub territory: String,
    /// The sea area of a sea hex.
    pub sea: Option<SeaId>,
    /// The sea areas a land hex borders.
    pub coast: Vec<SeaId>,
    /// A fortress.
    pub fortress: Fortress,
    /// A shoal: no invasion (1.372).
    pub shoal: bool,
}

/// What a hexside carries (1.3). One side may carry several.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum SideKind {
    River,
    Strait,
    SuezCanal,
    Alpine,
    Lake,
    Sea,
    /// The railway crosses the sea, nothing else does (9.11).
    RailCauseway,
    /// The railway crosses by ferry: a rail move stops (9.11).
    RailFerry,
}

impl SideKind {
    /// Identifier, as in the data.
    pub const fn id(self) -> &'static str {
        match self {
            SideKind::River => "river",
            SideKind::Strait => "strait",
            SideKind::SuezCanal => "suez_canal",
            SideKind::Alpine => "alpine",
            SideKind::Lake => "lake",
            SideKind::Sea => "sea",
            SideKind::RailCauseway => "rail_causeway",
            SideKind::RailFerry => "rail_ferry",
        }
    }
}

/// Something on a hexside.
#[derive(Clone, PartialEq, Debug)]
pub struct SideData {
    /// One hex.
    pub a: Hex,
    /// The other.
    pub b: Hex,
    /// What.
    pub kind: SideKind,
    /// Name, for people; may be empty.
    pub name: String,
}

/// A named place on the map: city, town, port, base, fortress. Several may lie in one hex.
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    /// Identifier, such as `barcelona`.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Hex, or area.
    pub hex: Hex,
    /// Kind of settlement.
    pub city: City,
    /// Port.
    pub port: Port,
    /// The seas its port lies at (15.1).
    pub port_seas: Vec<SeaId>,
    /// A base: supplies one unit (1.452, 10.71).
    pub base: bool,
    /// Fortified port of the North Front (20.16).
    pub fortified_port: bool,
    /// Production points of the city, a month (11.32).
    pub points: u8,
    /// Production points of its resources, a month; the Axis has them double (11.33).
    pub resources: u8,
    /// Victory city of 1944 (19.5): its points, 0 if none.
    pub victory: u8,
    /// The faction whose supply comes from here (10.2).
    pub origin: Option<Faction>,
}

/// A map-edge area (18.0): a district (circle) or a region (square).
#[derive(Clone, PartialEq, Debug)]
pub struct Area {
    /// Identifier.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// The zone it lies in (`arctic`, `east`, `south`).
    pub zone: String,
    /// A region rather than a district (18.1).
    pub region: bool,
    /// Terrain: counts in combat and stacking alone (18.1).
    pub terrain: Terrain,
    /// Front.
    pub front: Front,
    /// The nation it belonged to in 1939.
    pub nation: Option<NationId>,
    /// The country of 1939, as in the data.
    pub country: String,
    /// Its country is home territory of its nation, no colony (16.6).
    pub home: bool,
}

/// What runs along a route of the map edge (18.3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum RouteKind {
    /// Rail: also a road.
    Rail,
    /// Road.
    Road,
    /// A strait (18.1).
    Strait,
}

/// A route between areas, or between an area and a hex (18.3).
#[derive(Clone, PartialEq, Debug)]
pub struct Route {
    /// One end: hex or area.
    pub a: Hex,
    /// The other.
    pub b: Hex,
    /// What it is.
    pub kind: RouteKind,
    /// Length in hexes: short 2, long 5 (9.13).
    pub length: u8,
}

/// A group of sea areas that storms strike together (12.5).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Basin {
    Atlantic,
    Mediterranean,
    WestBaltic,
    EastBaltic,
    BlackSea,
    Arctic,
    Caspian,
    Indian,
}

/// A sea area (15.1).
#[derive(Clone, PartialEq, Debug)]
pub struct Sea {
    /// Identifier.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Basin.
    pub basin: Basin,
    /// Interception value (15.7).
    pub interception: u8,
    /// The naval base whose owner controls it (15.2): hex or area; `None` where it has none.
    pub base: Option<Hex>,
    /// Who controls it always (15.1).
    pub always: Option<Faction>,
    /// Closed in snow (15.1).
    pub freezes: bool,
    /// Sea areas it joins, and the strait between, as the hexes at its banks (none: open water).
    pub links: Vec<(SeaId, Vec<Hex>)>,
}

/// The map.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Map {
    /// All hexes, of land and sea.
    pub hexes: Vec<HexData>,
    /// What hexsides carry.
    pub sides: Vec<SideData>,
    /// Railways: pairs of neighbouring hexes (1.6).
    pub rails: Vec<(Hex, Hex)>,
    /// Roads of the Mediterranean Front: pairs of neighbouring hexes (1.61). Railways there are roads too.
    pub roads: Vec<(Hex, Hex)>,
    /// Named places.
    pub places: Vec<Place>,
    /// Hexes with cities and towns loyal to the Nationalists (Axis) and to the Republic (Allies) in the Civil War: volunteers come
    /// forward in such cities (17.7).
    pub loyal: Vec<(Hex, Faction)>,
    /// Map-edge areas, by number.
    pub areas: Vec<Area>,
    /// Areas that border a sea hex, with it: between the two a radius counts one hex (18.2).
    pub shores: Vec<(Hex, Hex)>,
    /// Routes of the map edge.
    pub routes: Vec<Route>,
    /// Sea areas, by number.
    pub seas: Vec<Sea>,
}

// ---- nations, diplomacy (16, 20) ----

/// Rank of a nation: who may command it, how it is defeated (16.9).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Rank {
    Great,
    Major,
    Minor,
}

/// Where a nation stands (16.0).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Status {
    /// Neutral (16.1).
    Neutral,
    /// Neutral and cooperating with the Axis (16.2).
    CooperatesWithAxis,
    /// Neutral and cooperating with the Allies (16.2).
    CooperatesWithAllies,
    /// At war on the side of a faction (16.3).
    Belligerent(Faction),
    /// Defeated or surrendered (16.8, 16.9).
    Defeated,
    /// No nation of this scenario.
    Absent,
}

/// A nation.
#[derive(Clone, PartialEq, Debug)]
pub struct Nation {
    /// Identifier, such as `spain_nat`.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Rank.
    pub rank: Rank,
    /// Its capital: hex or area.
    pub capital: Option<Hex>,
    /// Status at the start of the scenario.
    pub status: Status,
    /// The side on whose card of neutrals it is kept (20.17); `None`: on neither.
    pub lean: Option<crate::ids::Camp>,
    /// It builds up an army while it is neutral (16.32).
    pub peace: bool,
    /// It is defeated as a major power, when capital and army are lost (16.9).
    pub stubborn: bool,
    /// The place in which its fort deploys (20.72, 20.91).
    pub fort: Option<Hex>,
    /// Soldiers that use skis at home (2.23): speed in snow.
    pub ski: bool,
    /// Motorised infantry: British and US (2.23).
    pub motorised: bool,
    /// Its headquarters are not disrupted by snow (12.42).
    pub winter_headquarters: bool,
    /// Fire of its infantry at home (20.8, 20.9): Finns, Swedes, Turks, and the French (20.41).
    pub home_fire: Option<Firepower>,
}

/// How many of 1 to 6 make a diplomatic event happen.
#[derive(Clone, PartialEq, Debug)]
pub enum EventRoll {
    /// Without a roll.
    Always,
    /// On 1 to this number.
    UpTo(u8),
    /// The die is compared with a count of the data: its name, and whether equal suffices.
    Count(String, bool),
}

/// A line of a diplomatic event: precondition and roll. Preconditions and effects are kept as the data words them until the
/// rules of diplomacy are built.
#[derive(Clone, PartialEq, Debug)]
pub struct EventLine {
    /// The precondition, an expression over the predicates of the data.
    pub when: String,
    /// The roll.
    pub roll: EventRoll,
}

/// A diplomatic event (16.6).
#[derive(Clone, PartialEq, Debug)]
pub struct DiplomaticEvent {
    /// Identifier of two letters, such as `PP`.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Whose.
    pub side: Faction,
    /// How often it may happen; 0 = as long as its precondition holds.
    pub times: u8,
    /// Its lines, one of which must hold.
    pub lines: Vec<EventLine>,
    /// What it does, as in `join(italy, axis)`; what needs decisions or more than these words stands in the rules.
    pub does: Vec<String>,
}

/// A link of the table of reaction alliances (16.5).
#[derive(Clone, PartialEq, Debug)]
pub struct Reaction {
    /// The new belligerent.
    pub belligerent: NationId,
    /// The neutral that may react.
    pub neutral: NationId,
    /// Greatest die on which it reacts, before and after the defeat of France; 0 = never.
    pub up_to: [u8; 2],
    /// The faction it joins whoever is concerned, if fixed.
    pub joins: Option<Faction>,
    /// A condition of the data (`R`, `N`, `X`); empty if none.
    pub condition: String,
}

// ---- blocks (2) ----

/// Type of a unit (2.2).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Kind {
    Armour,
    Mech,
    Infantry,
    Mountain,
    Cavalry,
    Shock,
    Static,
    Fort,
    Amphibious,
    Para,
    /// A field headquarters (5.1).
    Hq,
    /// A supreme headquarters (5.7).
    SupremeHq,
    /// A theatre headquarters (5.8).
    TheatreHq,
    /// A beachhead (15.6): no unit.
    Beachhead,
}

impl Kind {
    /// How many there are.
    pub const COUNT: usize = 14;
    /// All, in the order of their numbers.
    pub const ALL: [Kind; Kind::COUNT] = [
        Kind::Armour,
        Kind::Mech,
        Kind::Infantry,
        Kind::Mountain,
        Kind::Cavalry,
        Kind::Shock,
        Kind::Static,
        Kind::Fort,
        Kind::Amphibious,
        Kind::Para,
        Kind::Hq,
        Kind::SupremeHq,
        Kind::TheatreHq,
        Kind::Beachhead,
    ];
    /// Identifier, as in the data.
    pub const fn id(self) -> &'static str {
        match self {
            Kind::Armour => "armour",
            Kind::Mech => "mech",
            Kind::Infantry => "infantry",
            Kind::Mountain => "mountain",
            Kind::Cavalry => "cavalry",
            Kind::Shock => "shock",
            Kind::Static => "static",
            Kind::Fort => "fort",
            Kind::Amphibious => "amphibious",
            Kind::Para => "para",
            Kind::Hq => "hq",
            Kind::SupremeHq => "shq",
            Kind::TheatreHq => "thq",
            Kind::Beachhead => "beachhead",
        }
    }
    /// Whether it is a headquarters of any sort.
    #[inline]
    pub const fn is_headquarters(self) -> bool {
        matches!(self, Kind::Hq | Kind::SupremeHq | Kind::TheatreHq)
    }
}

/// Firepower (7.3): the least die that hits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
pub enum Fire {
    /// Does not fire.
    #[default]
    None,
    /// Single fire: 6.
    Single,
    /// Double fire: 5 and 6.
    Double,
    /// Triple fire: 4 to 6.
    Triple,
    /// Quadruple fire: 3 to 6.
    Quadruple,
}

/// Weather (12.0).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Weather {
    #[default]
    Dry,
    Mud,
    Snow,
}

impl Weather {
    /// All of them.
    pub const ALL: [Weather; 3] = [Weather::Dry, Weather::Mud, Weather::Snow];

    /// Identifier, as in the data.
    pub const fn id(self) -> &'static str {
        match self {
            Weather::Dry => "dry",
            Weather::Mud => "mud",
            Weather::Snow => "snow",
        }
    }
}

/// Fire of a unit as the active and as the passive side (7.12).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Firepower {
    /// When its side is active.
    pub offence: Fire,
    /// When its side is passive.
    pub defence: Fire,
}

/// Production points for a step, and for a cadre (11.7).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Cost {
    /// For a step.
    pub step: u8,
    /// For a cadre.
    pub cadre: u8,
}

/// What a type of unit can do (chart of units).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct KindData {
    /// Hexes a movement phase, by [`Weather`].
    pub speed: [u8; 3],
    /// Hexes a movement phase of motorised nations, British and US, by [`Weather`].
    pub motorised_speed: [u8; 3],
    /// Fire.
    pub fire: Firepower,
    /// Fire in desert (2.21, 2.22).
    pub desert_fire: Firepower,
    /// Fire in mountains (2.24).
    pub mountain_fire: Firepower,
    /// Its lowest step: 0 for static units and headquarters, else 1.
    pub least: u8,
    /// Terrain does not stop it (2.25).
    pub ignores_stop: bool,
    /// Moves by order of a supreme or theatre headquarters alone (2.27, 2.28).
    pub supreme_only: bool,
    /// Moves by rail or sea alone (2.28).
    pub strategic_only: bool,
    /// Hits per step as a supplied passive unit, whatever the terrain; 0 = by terrain (2.28).
    pub defence: u8,
    /// May invade (15.52).
    pub invades: bool,
    /// May invade where the enemy stands (15.53).
    pub assaults_by_sea: bool,
    /// Costs: Axis, Allied, Soviet, extreme fronts (11.7).
    pub costs: [Option<Cost>; 4],
}

/// A unit that fires or moves unlike its type (2.33, 2.34, 21.36).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
pub enum Quality {
    /// As its type.
    #[default]
    Regular,
    /// SS (2.33).
    Ss,
    /// Afrika Korps (21.36), and other elite units.
    Elite,
    /// Siege artillery (2.34).
    Siege,
    /// Soviet guards: no effect on the rules.
    Guards,
}

/// Relation of a unit to the Mediterranean or the North Front (2.8).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
pub enum Acclimatised {
    /// Not at all.
    #[default]
    Alien,
    /// E: expeditionary.
    Expeditionary(Front),
    /// V: veteran.
    Veteran(Front),
    /// R: resident.
    Resident(Front),
}

/// A block.
#[derive(Clone, PartialEq, Debug)]
pub struct Block {
    /// Identifier, such as `sn_inf_1`.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Whose.
    pub faction: Faction,
    /// Its nation.
    pub nation: NationId,
    /// Type.
    pub kind: Kind,
    /// Quality.
    pub quality: Quality,
    /// Full strength in steps, 1 to 4; command value of a headquarters, 1 to 3.
    pub full: u8,
    /// Relation to the extreme fronts.
    pub acclimatised: Acclimatised,
    /// Normal fronts of an Axis headquarters (5.33); empty: all.
    pub fronts: Vec<Front>,
    /// A foreign unit of 1936: goes when intervention ends (1936 rule 6).
    pub foreign: bool,
    /// Has its own cost, such as the International Brigade (1936 rule 7).
    pub cost: Option<Cost>,
}

// ---- charts ----

/// What limits a hexside (6.33).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SideLimits {
    /// Units a movement phase through a clear hexside.
    pub clear: u8,
    /// Through any other.
    pub other: u8,
    /// Through any in mud.
    pub mud: u8,
}

/// What weather does (12.3, 12.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WeatherEffect {
    /// Every hex stops who enters it, cavalry excepted.
    pub stop: bool,
    /// Hits for a step of a passive unit at least.
    pub defence: u8,
    /// Active fire is single fire at most.
    pub single_fire: bool,
    /// Headquarters are disrupted.
    pub disrupts: bool,
    /// Headquarters may not deploy.
    pub no_deployment: bool,
    /// Greatest die that repulses an assault across a river; 0 = none (12.6).
    pub river_repulse: u8,
    /// Swamp counts as forest in all but stacking.
    pub swamp_as_forest: bool,
}

/// Repulses and pursuit (7.6, 6.52).
#[derive(Clone, PartialEq, Debug)]
pub struct Combat {
    /// Least die that hits, by [`Fire`].
    pub hits_from: [u8; 5],
    /// Pursuit by who is faster, as fast, slower than the rearguard (6.52).
    pub pursuit: [Fire; 3],
    /// Added to the hits per step where the active side is unsupported (7.4).
    pub unsupported: u8,
    /// Most hits per step.
    pub most: u8,
    /// Hits per step of the original defender of a fortress (7.5).
    pub fortress: u8,
    /// Of a minor fortress (7.51).
    pub minor_fortress: u8,
    /// Fire of the largest defender of a fortress.
    pub fortress_fire: Fire,
    /// Least fire of the largest defender of a minor fortress.
    pub minor_fortress_fire: Fire,
    /// Hits per step in a major city (1.41).
    pub city: u8,
    /// Least fire of defenders of a major city (7.32).
    pub city_fire: Fire,
    /// Greatest die that repulses an assault from the air, and against a fortress (14.41).
    pub air_repulse: [u8; 2],
    /// From the sea: amphibious units and others, by who has naval supremacy: defender, nobody, attacker (15.53).
    pub naval_repulse: [[u8; 3]; 2],
}

/// Weather of a month on a front (12.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MonthWeather {
    /// On an odd sum of two dice; also where nothing is rolled.
    pub odd: Weather,
    /// On an even sum.
    pub even: Weather,
    /// Odd sums may bring a storm (12.5).
    pub storms: bool,
}

impl MonthWeather {
    /// Whether the two dice decide the weather.
    #[inline]
    pub fn is_variable(self) -> bool {
        self.odd != self.even
    }
    /// The weather that a sum of two dice brings.
    #[inline]
    pub fn of_sum(self, sum: u32) -> Weather {
        if sum.is_multiple_of(2) { self.even } else { self.odd }
    }
    /// The opposite of the weather of the first fortnight, for the second (12.1, option).
    #[inline]
    pub fn opposite(self, before: Weather) -> Weather {
        if before == self.odd { self.even } else { self.odd }
    }
}

/// A month of the scenario (3.3, 11.31, 12.1, 13.23).
#[derive(Clone, PartialEq, Debug)]
pub struct Month {
    /// Name, such as `1936-07`.
    pub id: String,
    /// Season, such as `S36`.
    pub season: String,
    /// The first month of a season (3.3).
    pub opens_season: bool,
    /// Fortnights played: 2, in the first month of some scenarios 1.
    pub fortnights: u8,
    /// Weather of the West and of the East Front.
    pub weather: [MonthWeather; 2],
    /// Base production, by faction (11.31).
    pub base: [i16; 3],
    /// Air firepower, by faction, on fronts WF, EF, MF, NF (13.23).
    pub air: [[Fire; 4]; 3],
    /// How far Allied air power goes in the West and the Mediterranean (13.3).
    pub allied_air: AlliedAir,
}

/// Allied air power in the West and the Mediterranean (13.3).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
pub enum AlliedAir {
    /// As that of others.
    #[default]
    Normal,
    /// Of extended range, with strategic bombing (13.31).
    Extended,
    /// Air supremacy (13.32).
    Supremacy,
}

/// A storm by the sum of the dice (12.5): front (0 West, 1 East), sum, basin.
pub type Storm = (u8, u8, Basin);

// ---- scenario (22) ----

/// A player: a faction and what it is called in the scenario.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Player {
    /// Axis.
    Axis,
    /// Allies.
    Allies,
    /// Soviets.
    Soviets,
    /// The Nationalists of 1936, who play as the Axis.
    Nationalists,
    /// The Republicans of 1936, who play as the Allies.
    Republicans,
}

impl Player {
    /// The faction.
    pub const fn faction(self) -> Faction {
        match self {
            Player::Axis | Player::Nationalists => Faction::Axis,
            Player::Allies | Player::Republicans => Faction::Allies,
            Player::Soviets => Faction::Soviets,
        }
    }
    /// Identifier.
    pub const fn id(self) -> &'static str {
        match self {
            Player::Axis => "axis",
            Player::Allies => "allies",
            Player::Soviets => "soviets",
            Player::Nationalists => "nationalists",
            Player::Republicans => "republicans",
        }
    }
    /// Name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Player::Axis => "Axis",
            Player::Allies => "Allies",
            Player::Soviets => "Soviets",
            Player::Nationalists => "Nationalists",
            Player::Republicans => "Republicans",
        }
    }
}

/// Where a block begins.
#[derive(Clone, PartialEq, Debug)]
pub enum Entry {
    /// In a hex or area, with so many steps.
    At(Hex, u8),
    /// In a loyal city that its owner chooses before the game, or in one of Spanish Morocco (1936, free set-up).
    Free {
        /// Its steps.
        steps: u8,
        /// It begins in Spanish Morocco.
        in_morocco: bool,
    },
    /// In a place thrown for on the militia table of its faction (1936, semi-historical), with so many steps.
    Militia(u8),
    /// Eliminated at the start: may be rebuilt (22.1).
    Pool,
    /// A beachhead that is at hand at the start: ready, or in preparation (15.61).
    Beachhead {
        /// It is ready.
        ready: bool,
    },
    /// A reinforcement (11.8).
    Reinforcement {
        /// The month, as an index into [`Rules::calendar`].
        month: u8,
        /// Its steps; of a beachhead 1 if it comes ready, 0 if in preparation.
        steps: u8,
        /// Where it may arrive.
        arrival: Arrival,
    },
    /// Comes with so many steps when its nation goes to war (16.31).
    WithNation(u8),
    /// Comes with so many steps upon a condition (11.8).
    Upon(Condition, u8),
    /// Not in the scenario.
    Never,
}

/// Where a reinforcement may arrive.
#[derive(Clone, PartialEq, Debug)]
pub enum Arrival {
    /// In the places of its nation (11.81); in 1936 where cadres may (1936 rule 7).
    Cities,
    /// In any friendly port, or in these hexes as well (1936: `*`, and `†` Albacete).
    Ports(Vec<Hex>),
}

/// The scenario.
#[derive(Clone, PartialEq, Debug)]
pub struct Scenario {
    /// Identifier, such as `1936`.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Who plays, in the order of the kernel's sides.
    pub players: Vec<Player>,
    /// Order of the player turns if it never changes (1936); else by 4.22.
    pub fixed_order: Option<Vec<Faction>>,
    /// Hexes and areas that units may enter; none given: all of land.
    pub in_play: Vec<Hex>,
    /// The set-up of every block, by block.
    pub entries: Vec<Entry>,
    /// Who holds a hex or area at the start, where control persists (8.34).
    pub owners: Vec<(Hex, Faction)>,
    /// Fronts that are active at the start (1.12).
    pub active_fronts: Vec<Front>,
    /// Production points saved or at hand at the start, by faction.
    pub points: [i16; 3],
    /// Naval power is in play (15.0).
    pub naval: bool,
    /// Diplomacy is in play (16.0).
    pub diplomacy: bool,
    /// Relations, production, what has happened, what decides the scenario.
    pub situation: Situation,
}

/// The special rules of the Spanish Civil War (1936 rules 1 to 9).
#[derive(Clone, PartialEq, Debug)]
pub struct CivilWar {
    /// Hexes with cities and towns loyal to a faction (rule 1). A hex may be in the list for both: then nobody's loyalty
    /// counts for control.
    pub loyal: Vec<(Hex, Faction)>,
    /// Cities that count for the pacification level, with what they count (rule 9).
    pub pacification: Vec<(Hex, u8)>,
    /// Capitals, of Axis and Allies: Lisbon and Madrid.
    pub capitals: [Hex; 2],
    /// Hexes outside of the area of play through which a faction traces rail and supply.
    pub rear: [Vec<Hex>; 2],
    /// Hexes of the French border with a railhead of French aid: Bayonne and Perpignan.
    pub border_railheads: Vec<Hex>,
    /// The militia table: by faction, six regions of six hexes, with a number for each place so that two places of one
    /// hex differ (rule of the semi-historical game).
    pub militia: [[[(Hex, u8); 6]; 6]; 2],
    /// French aid at the start, a month (rule 3).
    pub french_aid: u8,
    /// Most French aid.
    pub french_most: u8,
    /// French aid by the die: an amount, no change, or one less (rule 3).
    pub french_table: [FrenchAid; 6],
    /// Soviet aid a month.
    pub soviet_aid: u8,
    /// Axis aid a month: from Portugal, which is not blockaded, and by sea.
    pub axis_aid: [u8; 2],
    /// Aid that the Nationalists lose if the blockade stops their external supply (rule 5).
    pub axis_blockaded: u8,
    /// What the Nationalists receive after the end of intervention (rule 6).
    pub axis_aid_after: u8,
    /// First month of the blockade (rule 5): index into the calendar.
    pub blockade_from: u8,
    /// Ports that count for the blockade, with what they count: those of European Spain, Barcelona twice.
    pub blockade_ports: Vec<(Hex, u8)>,
    /// First month in which intervention may end (rule 6).
    pub intervention_ends_from: u8,
    /// First month in which recognition may be claimed (rule 9).
    pub recognition_from: u8,
    /// Costs, by [`Kind`] (rule 7); none: may not be built.
    pub costs: [Option<Cost>; Kind::COUNT],
    /// Cost of a headquarters with double supply.
    pub double_supply: Cost,
    /// Cost of a garrison.
    pub garrison: u8,
    /// Points of a theatre headquarters' free step a month: steps (rule 7).
    pub free_theatre_steps: u8,
}

/// A line of the table of French aid (1936 rule 3).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FrenchAid {
    /// So many points, and as many railheads.
    Points(u8),
    /// As last month.
    Unchanged,
    /// One point and one railhead less.
    Less,
}

/// Numbers of the rules, each with the rule it stands in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// Hexes of a supply line (10.4).
    pub supply_line: u8,
    /// Hexes of a supply line in the Desert Zone (10.4).
    pub desert_supply_line: u8,
    /// Blocks that stand on Malta and at Gibraltar before the Second Front (1.45).
    pub narrow_stacking: u8,
    /// Hexes of a rail move (9.21).
    pub rail_move: u8,
    /// Supreme Moves of a supreme headquarters for each command value (5.71).
    pub supreme_moves: u8,
    /// Of a theatre headquarters (5.8).
    pub theatre_moves: u8,
    /// Air range of a supreme headquarters for each command value (5.75).
    pub supreme_air_range: u8,
    /// Steps of a unit bought in a production (11.71).
    pub steps_a_production: u8,
    /// Blocks that arrive in a major city, and elsewhere, in a production (11.81).
    pub arrivals: [u8; 2],
}

/// Optional rules and rulings that may be switched.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The second fortnight of a variable month has the opposite weather of the first (12.1).
    pub weather_balance: bool,
    /// Nobody invades hexes in mud from the sea, as if they were swamp (12.3, 1.33).
    pub mud_blocks_invasion: bool,
    /// All paratroops of a side are confined to the ground once one of them is eliminated (14.7, optional).
    pub paras_grounded_by_loss: bool,
}

/// All data of a scenario.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Rules {
    pub scenario: Scenario,
    /// Present in the scenario of 1936 alone.
    pub civil_war: Option<CivilWar>,
    pub map: Map,
    /// By [`Terrain`].
    pub terrain: [TerrainEffect; Terrain::COUNT],
    pub side_limits: SideLimits,
    /// By [`Weather`].
    pub weather: [WeatherEffect; 3],
    pub storms: Vec<Storm>,
    /// Months of the scenario, first to last.
    pub calendar: Vec<Month>,
    pub nations: Vec<Nation>,
    pub reactions: Vec<Reaction>,
    pub events: Vec<DiplomaticEvent>,
    /// By [`Kind`].
    pub kinds: [KindData; Kind::COUNT],
    pub blocks: Vec<Block>,
    pub combat: Combat,
    /// Naval power (15).
    pub naval: Naval,
    pub numbers: Numbers,
    pub options: Options,
}

impl Rules {
    /// Block by identifier.
    pub fn block(&self, id: &str) -> Option<BlockId> {
        self.blocks.iter().position(|block| block.id == id).map(|at| BlockId(at as u16))
    }
    /// Nation by identifier.
    pub fn nation(&self, id: &str) -> Option<NationId> {
        self.nations.iter().position(|nation| nation.id == id).map(|at| NationId(at as u8))
    }
    /// Sea area by identifier.
    pub fn sea(&self, id: &str) -> Option<SeaId> {
        self.map.seas.iter().position(|sea| sea.id == id).map(|at| SeaId(at as u8))
    }
    /// Diplomatic event by identifier.
    pub fn event(&self, id: &str) -> Option<EventId> {
        self.events.iter().position(|event| event.id == id).map(|at| EventId(at as u8))
    }
    /// Hex or area by the identifier or name of a place, the rule name of a hex, or the identifier of an area.
    pub fn place(&self, name: &str) -> Option<Hex> {
        let map = &self.map;
        let of_place = map.places.iter().find(|place| place.id == name || place.name == name);
        let of_hex = || map.hexes.iter().find(|hex| hex.name == name).map(|hex| hex.hex);
        let of_area = || {
            let found = map.areas.iter().position(|area| area.id == name || area.name == name);
            found.map(|at| crate::ids::area(at as u8))
        };
        of_place.map(|place| place.hex).or_else(of_hex).or_else(of_area)
    }
}
