//! The data the rules are played with: map, units, cards, charts, set-up, options. Filled by a loader, checked and turned
//! into tables by [`crate::VictoryInEurope::new`].

use sandtable_core::IndexSet;

use crate::nation::{Force, NATIONS, Nation, Team};
use crate::place::{Place, UnitId};

pub use crate::place::{MAX_AREAS, MAX_SEAS};

/// The most unit counters.
pub const MAX_UNITS: usize = 192;
/// The most land borders.
pub const MAX_BORDERS: usize = 320;
/// The most cards.
pub const MAX_CARDS: usize = 128;

/// A set of areas, or of areas and sea zones.
pub type Areas = IndexSet<Place, 3>;
/// A set of units.
pub type Units = IndexSet<UnitId, 3>;
/// A set of sea zones, a bit each.
pub type Seas = u32;

/// Terrain of an area (1.1).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Terrain {
    /// 1.11
    #[default]
    Clear,
    /// 1.12: stops who is not a friend; defending infantry +1.
    Forest,
    /// 1.13: stops everybody; defending infantry has Double Defence.
    Mountain,
    /// 1.14
    Desert,
}

/// Terrain of a border (1.1, 1.2, 1.3, 1.7).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum BorderKind {
    /// No obstacle.
    #[default]
    Clear,
    /// Forest or marsh.
    Forest,
    /// Mountains: stop after crossing.
    Mountain,
    /// Desert.
    Desert,
    /// River.
    River,
    /// Fortified line.
    Fortified,
    /// Strait: stop after crossing, one round of battle.
    Strait,
    /// Closed to armies, open to aircraft.
    Alpine,
    /// To and from the Urals: Strategic Movement only (13).
    Urals,
}

/// An area.
#[derive(Clone, PartialEq, Debug)]
pub struct Area {
    /// Identifier.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Owner in 1939.
    pub country: Nation,
    /// Whose home territory it is (1.16).
    pub home: Option<Nation>,
    /// Terrain.
    pub terrain: Terrain,
    /// Military units a player may have in it (4.5); 99 = no limit.
    pub stack: u8,
    /// Whether it can be invaded from the sea (7.5).
    pub invadable: bool,
    /// An island of 1.15: one unit.
    pub small_island: bool,
    /// A box at the edge of the map that cannot be attacked (Canada, USA).
    pub safe: bool,
    /// Degrees north.
    pub lat: f32,
    /// Degrees east.
    pub lon: f32,
    /// Greatest sum of factory steps (1.42); 0 = no major city.
    pub city: u8,
    /// Factory markers at most (11.31).
    pub markers: u8,
    /// Name of the city, if any.
    pub city_name: String,
    /// Resource points by use (1.5).
    pub resource: u8,
    /// Who may use them.
    pub resource_use: ResourceUse,
}

/// Who may use a resource (13).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ResourceUse {
    /// Everybody.
    #[default]
    Any,
    /// The Axis alone (Iran, Iraq).
    Axis,
    /// Factories in the same area alone (Urals).
    Local,
}

/// A land border.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Border {
    /// One area.
    pub a: Place,
    /// The other.
    pub b: Place,
    /// Terrain.
    pub kind: BorderKind,
    /// Units that may enter or leave a battle over it (4.6).
    pub limit: u8,
    /// The same when Russian rivers are frozen (3.44).
    pub limit_frozen: u8,
}

/// A kind of sea zone.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum SeaKind {
    /// Ordinary.
    #[default]
    Sea,
    /// Atlantic: two points to enter (7.24).
    Ocean,
    /// A Convoy Zone: the same, and a place for a convoy (1.61).
    Convoy,
    /// Carries supply only: Caspian Sea, Lake Ladoga (13, 1.9).
    SupplyOnly,
}

/// A sea zone.
#[derive(Clone, PartialEq, Debug)]
pub struct Sea {
    /// Identifier.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Kind.
    pub kind: SeaKind,
    /// Movement points to enter (7.24).
    pub entry: u8,
    /// Frozen in winter turns (3.43).
    pub freezes: bool,
    /// Degrees north.
    pub lat: f32,
    /// Degrees east.
    pub lon: f32,
}

/// When a link between two seas is open (1.7, 7.23, 13).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GateRule {
    /// No side is enemy-controlled.
    NoEnemy,
    /// A major power controls every side (Dardanelles).
    MajorHoldsAll,
    /// Every side is friendly, and the ship German (Kiel Canal).
    GermanFriendly,
}

/// A strait or canal between two seas.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gate {
    /// Identifier.
    pub id: String,
    /// Areas that open or close it.
    pub sides: Vec<Place>,
    /// When it is open.
    pub rule: GateRule,
    /// Movement points it costs beyond the sea entered.
    pub extra: u8,
}

/// A link between two seas.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeaLink {
    /// One sea.
    pub a: u8,
    /// The other.
    pub b: u8,
    /// The gate on it, an index into [`Rules::gates`].
    pub gate: Option<u8>,
}

/// A port, or a coast without one (1.43, 1.44, 1.45, 7.22).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Port {
    /// Its area.
    pub area: Place,
    /// Coast of the area, from 1; an area has one coast or two (7.22).
    pub coast: u8,
    /// Name; empty = a coast without a port.
    pub name: String,
    /// Seas it opens on.
    pub seas: Seas,
    /// Naval base (1.44).
    pub base: bool,
    /// Red port of the Middle East (1.45).
    pub red: bool,
}

/// What a unit fires at (5.4).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Target {
    /// Aircraft.
    Air,
    /// Military units.
    Army,
    /// Surface ships, and landing troops.
    Surface,
    /// Submarines.
    Sub,
    /// A convoy, for submarines.
    Convoy,
    /// A factory, for bombers.
    Factory,
}

impl Target {
    /// All, in the order of their bits.
    pub const ALL: [Target; 6] =
        [Target::Air, Target::Army, Target::Surface, Target::Sub, Target::Convoy, Target::Factory];

    /// The target as a bit of a mask.
    #[inline]
    pub fn bit(self) -> u8 {
        1 << self as u8
    }
    /// Name for people.
    pub fn name(self) -> &'static str {
        ["aircraft", "armies", "surface ships", "submarines", "the convoy", "the factory"][self as usize]
    }
}

/// Land, air, sea.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Arm {
    /// A military unit (1.17): armies, leaders, fortresses.
    #[default]
    Army,
    /// Aircraft.
    Air,
    /// Ships and convoys.
    Naval,
}

/// What kind of unit it is, as far as rules ask (2.6).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Kind {
    Fighter,
    HeavyBomber,
    MediumBomber,
    NavalBomber,
    DiveBomber,
    Carrier,
    Submarine,
    Battleship,
    Battlecruiser,
    Cruiser,
    Convoy,
    Leader,
    Panzer,
    Cavalry,
    #[default]
    Infantry,
    HomeGuard,
    Guards,
    Shock,
    Marines,
    Paratroop,
    Fortress,
}

impl Kind {
    /// All, in the order of their indices.
    pub const ALL: [Kind; 21] = [
        Kind::Fighter,
        Kind::HeavyBomber,
        Kind::MediumBomber,
        Kind::NavalBomber,
        Kind::DiveBomber,
        Kind::Carrier,
        Kind::Submarine,
        Kind::Battleship,
        Kind::Battlecruiser,
        Kind::Cruiser,
        Kind::Convoy,
        Kind::Leader,
        Kind::Panzer,
        Kind::Cavalry,
        Kind::Infantry,
        Kind::HomeGuard,
        Kind::Guards,
        Kind::Shock,
        Kind::Marines,
        Kind::Paratroop,
        Kind::Fortress,
    ];

    /// Identifier, as in the data.
    pub fn id(self) -> &'static str {
        [
            "fighter",
            "heavy_bomber",
            "medium_bomber",
            "naval_bomber",
            "dive_bomber",
            "carrier",
            "submarine",
            "battleship",
            "battlecruiser",
            "cruiser",
            "convoy",
            "leader",
            "panzer",
            "cavalry",
            "infantry",
            "home_guard",
            "guards",
            "shock",
            "marines",
            "paratroop",
            "fortress",
        ][self as usize]
    }
    /// Whether it fights as infantry (2.6).
    pub fn is_infantry(self) -> bool {
        matches!(
            self,
            Kind::Infantry | Kind::HomeGuard | Kind::Guards | Kind::Shock | Kind::Marines | Kind::Paratroop
        )
    }
    /// The kind as a bit of a mask.
    pub fn bit(self) -> u32 {
        1 << self as u32
    }
}

/// A type of unit: what its counters have in common (2.3 to 2.6).
#[derive(Clone, PartialEq, Debug)]
pub struct UnitType {
    /// Identifier.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Kind.
    pub kind: Kind,
    /// Land, air or sea.
    pub arm: Arm,
    /// Battle turn: 0 = A to 3 = D (5.2).
    pub class: u8,
    /// Firepower against a primary target (5.3).
    pub fire: u8,
    /// Primary targets, as [`Target::bit`]s (5.4). For fighters, armies are primary only where no enemy aircraft is.
    pub primary: u8,
    /// Secondary targets (5.4).
    pub secondary: u8,
    /// Firepower that differs by target, in the order of [`Target::ALL`]; 0 = no difference.
    pub special: [u8; 6],
    /// Areas a turn (2.4).
    pub moves: u8,
    /// Production points a step (2.5).
    pub cost: u8,
    /// Whether it may be built again once eliminated (2.2).
    pub rebuildable: bool,
}

/// A counter.
#[derive(Clone, PartialEq, Debug)]
pub struct Unit {
    /// Identifier.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Whose it is.
    pub nation: Nation,
    /// Its type, an index into [`Rules::unit_types`].
    pub kind: u8,
    /// Most steps.
    pub steps: u8,
    /// Year from which it may be built (2.1).
    pub year: u16,
    /// Where a minor's unit deploys by default, and with how many steps (10.2).
    pub home: Option<(Place, u8)>,
    /// Firepower that differs for this counter alone, as [`UnitType::special`] (fortresses of Gibraltar and Malta).
    pub special: [u8; 6],
    /// Where its first step must be built, if not at any home factory (13: Canada).
    pub first_step: Option<Place>,
    /// Joins the pool of this nation when its own falls (11.42), instead of leaving the game.
    pub free_for: Option<Nation>,
}

/// The colour of a card (3.31).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Colour {
    /// Black.
    German,
    /// Green.
    Italian,
    /// Blue.
    Allied,
    /// Red.
    Soviet,
}

impl Colour {
    /// The force whose card it is.
    pub fn force(self) -> Force {
        match self {
            Colour::German | Colour::Italian => Force::Axis,
            Colour::Allied => Force::Western,
            Colour::Soviet => Force::Soviet,
        }
    }
}

/// A restriction of an event to units: what kinds, whose.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Scope {
    /// Kinds, as [`Kind::bit`]s; 0 = all.
    pub kinds: u32,
    /// These nations alone, as [`Nation::bit`]s; 0 = the side of the card's colour (3.3).
    pub nations: u32,
}

impl Scope {
    /// All kinds of units of a nation, or of the side of the card's colour.
    pub fn of(nation: Option<Nation>) -> Scope {
        Scope { kinds: 0, nations: nation.map_or(0, Nation::bit) }
    }
}

/// Where an event works.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Where {
    /// Everywhere.
    #[default]
    Anywhere,
    /// Own home territory.
    Home,
    /// A region.
    Region(Areas),
    /// A sea zone.
    Sea(u8),
    /// Areas and sea zones.
    RegionAndSeas(Areas, Seas),
}

/// What a card's event does (3.3). The codes are those of the data.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Effect {
    /// FP: firepower in named battles.
    Firepower {
        /// Whose, which.
        scope: Scope,
        /// Factories too (flak).
        flak: bool,
        /// How much.
        bonus: u8,
        /// In how many battles.
        battles: u8,
        /// For the defender alone.
        defending: bool,
        /// In this terrain alone.
        terrain: Option<Terrain>,
        /// Against this target alone.
        target: Option<Target>,
    },
    /// ROUND: a named battle lasts one round longer.
    Round {
        /// Only a battle in which units of this nation attack or defend.
        nation: Option<Nation>,
    },
    /// LOSS: the enemy loses steps at the start of combat.
    Loss {
        /// Of which kinds; `factory` = of factories.
        scope: Scope,
        /// Factories instead of units.
        factory: bool,
        /// How many.
        steps: u8,
        /// Where.
        place: Where,
    },
    /// STEPS: steps gained in production.
    Steps {
        /// Which units.
        scope: Scope,
        /// How many.
        steps: u8,
        /// Where.
        place: Where,
    },
    /// DEPLOY: a unit appears, or gains a step if it is there already.
    Deploy {
        /// The unit.
        unit: UnitId,
        /// The area.
        area: Place,
    },
    /// PP: production points.
    Points {
        /// For whom.
        nation: Nation,
        /// How many.
        points: u8,
    },
    /// DIPLO: bonus to the roll.
    Diplomacy {
        /// For this country alone; `None` = any.
        nation: Option<Nation>,
        /// How much.
        bonus: u8,
    },
    /// SM: free strategic moves.
    Strategic {
        /// Of factory steps instead of units.
        factory: bool,
        /// Of this nation's units alone.
        nation: Option<Nation>,
        /// How many.
        moves: u8,
    },
    /// MOVE: more movement points.
    Move {
        /// Which units.
        scope: Scope,
        /// How much.
        bonus: u8,
    },
    /// INVADE: a cheaper invasion.
    Invade {
        /// By how much.
        discount: u8,
    },
    /// MUD: enemy armies move one area at most.
    Mud {
        /// Where.
        place: Where,
    },
    /// URALS: units may leave the Urals at once.
    Urals {
        /// Which.
        units: [UnitId; 4],
        /// Free strategic moves.
        free: u8,
    },
    /// SUPPLY: areas whose units skip attrition.
    Supply {
        /// How many.
        areas: u8,
        /// Units of this nation alone.
        nation: Option<Nation>,
    },
    /// CUT: areas through which no enemy supply passes.
    Cut {
        /// How many.
        areas: u8,
        /// Where.
        place: Where,
    },
    /// PEEK: see cards of the enemy's hand.
    Peek {
        /// How many.
        cards: u8,
    },
}

/// A card (3.0).
#[derive(Clone, PartialEq, Debug)]
pub struct Card {
    /// Identifier.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Colour.
    pub colour: Colour,
    /// Year of its deck.
    pub year: u16,
    /// Command points.
    pub command: u8,
    /// Event.
    pub effect: Effect,
}

/// A turn of the calendar (3.1, 3.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CalendarTurn {
    /// Year.
    pub year: u16,
    /// Quarter, 1 to 4.
    pub quarter: u8,
    /// Cards each player draws before it (3.1); 0 = none.
    pub draw: u8,
    /// Winter everywhere.
    pub winter: bool,
    /// Winter in the Soviet Union and Finland.
    pub winter_east: bool,
}

/// Numbers to reach on two dice, by force; 0 = no roll (10.3).
pub type Resistance = [u8; 3];

/// Chart values that are no table of their own; names say which rule.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Charts {
    /// Command points of a battle (3.2).
    pub battle_cm: u8,
    /// Of a Strategic Move (4.7).
    pub strategic_cm: u8,
    /// Of a sea invasion (7.5).
    pub invasion_cm: u8,
    /// Of a land attack added to it (7.5).
    pub invasion_land_cm: u8,
    /// Of a Strategic Move to or from a red port round Africa (8.7).
    pub red_port_cm: u8,
    /// Points of a convoy step (7.7).
    pub convoy_cost: u8,
    /// Points of a leader's zero step (2.6).
    pub leader_zero_cost: u8,
    /// Points of a factory step (11.31).
    pub factory_cost: u8,
    /// More for a step built with supply from a red port (8.7).
    pub red_port_surcharge: u8,
    /// More for the Axis in Africa and the Middle East while Malta is enemy (8.7).
    pub malta_surcharge: u8,
    /// Points Germany may give Italy (13).
    pub subsidy: u8,
    /// Ships in a sea zone (7.11).
    pub sea_stack: u8,
    /// Ships on a coast, in a friendly naval base (7.11, 1.44).
    pub coast_stack: u8,
    pub base_stack: u8,
    /// Rounds of a battle (5.1), of an attack over straits alone (1.7).
    pub rounds: u8,
    pub strait_rounds: u8,
    /// Firepower in winter at primary and secondary targets (3.42).
    pub winter_primary: u8,
    pub winter_secondary: u8,
    /// Firepower of a factory's flak (11.33).
    pub flak: u8,
    /// Bonuses of the diplomatic roll (10.3, 10.2, 13).
    pub proximity: u8,
    pub refusal: u8,
    pub attacked: u8,
    pub spain_portugal: u8,
    /// Number for Romania after the occupation of Bessarabia (13).
    pub romania_bessarabia: u8,
    /// Year from which units may leave the Urals in any case (13).
    pub urals_open_year: u16,
    /// Factory steps the USA may have before it is at war (13).
    pub neutral_usa_factories: u8,
    /// Firepower that infantry gains where it defends a forest (1.12, 5.31).
    pub forest_bonus: u8,
    /// Blitz actions of a leader in a turn (5.61); at most 3.
    pub blitz_uses: u8,
    /// Rounds of a battle that an exploitation starts (5.61).
    pub exploitation_rounds: u8,
    /// Steps lost by a retreat in the first round, and by going on from an overstacked area (5.7).
    pub retreat_cost: u8,
    /// Steps lost by a unit without supply (8.6).
    pub attrition: u8,
    /// Steps lost by a ship that leaves a freezing sea (3.43).
    pub ice_cost: u8,
    /// Steps lost by the convoy of a nation that surrenders (7.72).
    pub exile_cost: u8,
    /// Turns from the fall of France to the one at whose beginning nobody may stand in Vichy (13).
    pub evacuation_turns: u8,
}

/// Resources that reach Germany by treaty (13).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Import {
    /// From whom.
    pub from: Nation,
    /// The area they lie in; `None` = off the map.
    pub area: Option<Place>,
    /// How many.
    pub value: u8,
}

/// Named groups of areas that rules speak of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[allow(missing_docs)]
pub struct Regions {
    pub middle_east: Areas,
    pub north_africa: Areas,
    pub libya: Areas,
    pub great_britain: Areas,
    pub vichy: Areas,
    pub eastern_poland: Areas,
    pub western_poland: Areas,
    pub baltic: Areas,
    pub bessarabia: Areas,
    /// Chain of fjords (1.62), as a set; neighbours in it are joined for ships.
    pub fjords: Areas,
}

/// Areas that rules name one by one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Places {
    pub rome: Place,
    pub london: Place,
    pub paris: Place,
    pub moscow: Place,
    pub leningrad: Place,
    pub urals: Place,
    pub usa: Place,
    pub kalinin: Place,
    pub malta: Place,
    pub suez: Place,
    pub lulea: Place,
    pub narvik: Place,
    pub murmansk: Place,
    pub archangel: Place,
    /// Convoy zone A, as a sea zone; B and the Caspian Sea likewise.
    pub convoy_a: u8,
    pub convoy_b: u8,
    pub caspian_sea: u8,
}

/// Victory (9).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Victory {
    /// The Axis must hold this area.
    pub axis_needs: Place,
    /// And all of one of these groups.
    pub axis_any: Vec<Areas>,
    /// The Allies must hold all of these between them.
    pub allies_all: Areas,
    /// Who holds this area at the end wins.
    pub last: Place,
}

/// How far a power is in the war.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Entry {
    /// Neutral.
    #[default]
    Neutral,
    /// At war.
    AtWar,
    /// Out of it.
    Surrendered,
}

/// Standing of a nation (10).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[repr(u8)]
pub enum Standing {
    /// With the Axis (a neutral Italy too; see [`crate::State::italy`]).
    Axis = 0,
    /// With the Western Allies (neutral USA too).
    Western = 1,
    /// With the Soviets.
    Soviet = 2,
    /// Neutral.
    #[default]
    Neutral = 3,
    /// Neutral, attacked by the Soviets before Germany is at war with them: the Axis runs its units (10.2, R-88).
    Defending = 4,
    /// Conquered, surrendered, or not in existence.
    Gone = 5,
}

impl Standing {
    /// The force it fights with.
    #[inline]
    pub fn force(self) -> Option<Force> {
        match self {
            Standing::Axis => Some(Force::Axis),
            Standing::Western => Some(Force::Western),
            Standing::Soviet => Some(Force::Soviet),
            _ => None,
        }
    }
    /// With this force.
    pub fn with(force: Force) -> Standing {
        [Standing::Axis, Standing::Western, Standing::Soviet][force.index()]
    }
}

/// A scenario's start (14).
#[derive(Clone, PartialEq, Debug)]
pub struct Setup {
    /// Identifier.
    pub id: String,
    /// Name for people.
    pub title: String,
    /// First and last turn, from 1.
    pub first_turn: u8,
    /// Last turn.
    pub last_turn: u8,
    /// Cards drawn at the start.
    pub hand: u8,
    /// Cards of the Allied and the Soviet player when there are three.
    pub hands_of_three: (u8, u8),
    /// Who controls each area.
    pub control: Vec<Nation>,
    /// Standing of every nation.
    pub standing: [Standing; NATIONS],
    /// The major a minor's resources count for.
    pub patron: [Nation; NATIONS],
    /// Italy, the USSR and the USA.
    pub italy: Entry,
    /// See [`Setup::italy`].
    pub ussr: Entry,
    /// See [`Setup::italy`].
    pub usa: Entry,
    /// Units on the map: unit, place (see [`crate::place::Place::sea`]), coast, steps. All others are in the pool.
    pub units: Vec<(UnitId, Place, u8, u8)>,
    /// Units that are out of the game.
    pub gone: Vec<UnitId>,
    /// Factory steps by area.
    pub factories: Vec<(Place, u8)>,
    /// Whether units may be exchanged before the first turn, and who begins.
    pub free_deployment: bool,
    /// See [`Setup::free_deployment`].
    pub deploys_first: Team,
    /// Units and factory steps that appear when the USA mobilises.
    pub mobilisation: Vec<(UnitId, u8)>,
    /// Factory steps of that moment.
    pub mobilisation_factory: u8,
    /// The turn it happens; 0 = it has.
    pub mobilisation_turn: u8,
    /// The turn the USA enters at the latest.
    pub usa_entry_turn: u8,
    /// Number for the roll that brings the USA in, and the turns in which it may be rolled, first and last.
    pub usa_roll: (u8, u8, u8),
    /// What a force has beyond the rules, for studies of balance.
    pub handicap: [Handicap; 3],
}

/// What a force has beyond the rules, turn by turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Handicap {
    /// Production points of its first major: Germany, Britain, the USSR.
    pub production: u8,
    /// Command points, which do not count for who is Player 1.
    pub command: u8,
}

/// Readings of unclear rules and variants that a designer may switch.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub struct Options {
    /// Three players (12.0).
    pub three_players: bool,
    /// Units may be exchanged before the first turn.
    pub free_deployment: bool,
    /// The USA's entry is not automatic in 1942 (note of the 1942 scenario).
    pub late_usa_entry: bool,
    /// north Germany cannot be invaded.
    pub north_germany_closed: bool,
    /// a surrounded capital with sea supply does not suffer.
    pub surrounded_port_supplied: bool,
    /// blocks seen in battle stay known until they move.
    pub blocks_stay_known: bool,
    /// a neutral attacked by the Soviets does not join the Axis at once.
    pub attacked_stays_neutral: bool,
    /// 10.1: aircraft may fly over areas of a neutral major, which declares war on it; else they are closed.
    pub overflight_is_war: bool,
}

/// All data of a scenario.
#[derive(Clone, PartialEq, Debug)]
#[allow(missing_docs)]
pub struct Rules {
    pub areas: Vec<Area>,
    pub borders: Vec<Border>,
    pub seas: Vec<Sea>,
    pub sea_links: Vec<SeaLink>,
    pub gates: Vec<Gate>,
    pub ports: Vec<Port>,
    pub regions: Regions,
    pub places: Places,
    pub unit_types: Vec<UnitType>,
    pub units: Vec<Unit>,
    pub cards: Vec<Card>,
    pub calendar: Vec<CalendarTurn>,
    /// Capital of each nation.
    pub capitals: [Option<Place>; NATIONS],
    /// Other sources of supply of each nation, in order (1.8).
    pub alternatives: [Option<Place>; NATIONS],
    /// By nation (10.3).
    pub resistance: [Resistance; NATIONS],
    pub imports: Vec<Import>,
    pub charts: Charts,
    pub victory: Victory,
    pub setup: Setup,
    pub options: Options,
}
