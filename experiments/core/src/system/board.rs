//! What a picture of a board is made of: places with coordinates, and who and what stands there.

use sandtable_core::Side;

/// The board of a scenario: what does not change during a game.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Map {
    /// Places, land and sea.
    pub places: Vec<Place>,
    /// Lines between places of land.
    pub links: Vec<Link>,
    /// Kinds of terrain, by [`Place::terrain`].
    pub terrains: Vec<Terrain>,
    /// What the text on a marker means, in a sentence for people.
    pub marker_key: String,
    /// What of [`Position::layers`] there is to show.
    pub layers: Vec<LayerName>,
}

/// What a layer is called.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LayerName {
    /// Short lower-case name, as `--show` takes it (`zoc`).
    pub id: &'static str,
    /// Name for people (`zones of control`).
    pub name: &'static str,
}

/// A place of the board.
#[derive(Clone, PartialEq, Debug)]
pub struct Place {
    /// Identifier in the scenario's data and in tables.
    pub id: String,
    /// Name for people.
    pub name: String,
    /// Where it is.
    pub site: Site,
    /// Index of its terrain in [`Map::terrains`].
    pub terrain: usize,
    /// The country or province it belongs to; a heavier line is drawn where two regions meet.
    pub region: String,
    /// What is marked on it.
    pub marks: Marks,
}

/// Where a place is.
#[derive(Clone, PartialEq, Debug)]
pub enum Site {
    /// Land, at a latitude and longitude in degrees north and east.
    Land {
        /// Degrees north.
        latitude: f64,
        /// Degrees east.
        longitude: f64,
    },
    /// A hex of a regular board, by its centre, in units of the distance of neighbours.
    Hex {
        /// To the east.
        east: f64,
        /// To the south.
        south: f64,
        /// Whether a side of it lies on top, rather than a corner.
        flat_top: bool,
    },
    /// A sea between coasts.
    Sea {
        /// The indices of the land places on it.
        coasts: Vec<usize>,
        /// Degrees north and east of its middle, if known; else it is found between the coasts.
        middle: Option<(f64, f64)>,
    },
}

/// What is marked on a place of land.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Marks {
    /// A port.
    pub port: bool,
    /// A fortress.
    pub fortress: bool,
    /// The capital of its region.
    pub capital: bool,
    /// Counts for victory.
    pub point: bool,
    /// A source of supply.
    pub supply: bool,
    /// Whose source of supply it is, if it is one side's.
    pub supplies: Option<Side>,
    /// How many points it counts; 0 if all count alike.
    pub worth: u8,
    /// What stands on it; drawn on hexes.
    pub settlement: Option<Settlement>,
}

/// How large a settlement is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Settlement {
    /// A few houses.
    Hamlet,
    /// A village.
    Village,
    /// A town or city.
    Town,
}

impl Settlement {
    /// Its name for people.
    pub fn name(self) -> &'static str {
        ["hamlet", "village", "town"][self as usize]
    }
}

/// A line between two places of land.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Link {
    /// One end.
    pub a: usize,
    /// The other end.
    pub b: usize,
    /// Across water: the places do not touch.
    pub water: bool,
    /// A river lies between.
    pub river: bool,
    /// A fortified line lies between.
    pub fortified: bool,
    /// A stream lies between; drawn on hexes, as all that follows.
    pub stream: bool,
    /// The river or stream is bridged.
    pub bridge: bool,
    /// Which end stands higher, if a slope lies between.
    pub upper: Option<usize>,
    /// The end that the fortified line protects; of no place, it protects both.
    pub sheltered: Option<usize>,
    /// What runs from middle to middle.
    pub ways: Ways,
}

/// What runs from the middle of one place to that of the next.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ways {
    /// A primary road.
    pub primary: bool,
    /// A secondary road, or a road where there is one kind.
    pub secondary: bool,
    /// A track.
    pub track: bool,
    /// A railway.
    pub railway: bool,
}

impl Ways {
    /// Whether there is any.
    pub fn any(self) -> bool {
        self != Ways::default()
    }
}

/// A kind of terrain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terrain {
    /// Name for people.
    pub name: String,
    /// How it looks.
    pub texture: Texture,
}

/// How a kind of terrain looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Texture {
    /// Nothing is drawn.
    Plain,
    /// Dots.
    Dots,
    /// Short level strokes.
    Marsh,
    /// Trees.
    Woods,
    /// Open peaks.
    Hills,
    /// Filled peaks.
    Peaks,
    /// Trees on open peaks.
    WoodedHills,
    /// Trees on short level strokes.
    WoodedMarsh,
}

/// Who and what stands on a board at a moment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Position {
    /// Who holds each place of [`Map::places`].
    pub owners: Vec<Option<Side>>,
    /// The units, in the order in which they are drawn; several markers of one place stand one under the other.
    pub markers: Vec<Marker>,
    /// Field works and the like.
    pub signs: Vec<Sign>,
    /// Places whose fortified lines are destroyed.
    pub razed: Vec<usize>,
    /// What is shown on demand: places by [`Map::layers`] and side.
    pub layers: Vec<Layer>,
}

/// Units of one side in one place.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Marker {
    /// The place.
    pub place: usize,
    /// Whose they are; nobody's are neutral.
    pub side: Option<Side>,
    /// A few characters (`4+2`). Under counters, what a stack of them comes to.
    pub text: String,
    /// The same in words, unit by unit where they are few.
    pub words: String,
    /// The counters, the uppermost first; drawn on hexes in place of the text.
    pub counters: Vec<Counter>,
}

/// A counter of a wargame.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Counter {
    /// The type of unit.
    pub symbol: UnitSymbol,
    /// Size, as counters print it: I a company, II a battalion, III a regiment, X a brigade, XX a division.
    pub size: &'static str,
    /// Designation (`I/69`).
    pub name: String,
    /// Strengths of the face shown (`6-5-6`).
    pub values: String,
    /// Steps left, and steps at full strength.
    pub steps: (u8, u8),
    /// The colour of its formation, as an index that begins again where colours end; none is white.
    pub formation: Option<usize>,
    /// Letters for the states it is in (`D` disorganised).
    pub states: String,
}

/// What is drawn in the box of a counter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum UnitSymbol {
    /// Infantry on foot.
    Infantry,
    /// Infantry of the security troops.
    SecurityInfantry,
    /// Infantry in lorries.
    MotorisedInfantry,
    /// Infantry on motorcycles.
    Motorcycles,
    /// Infantry on bicycles.
    Bicycles,
    /// Horsemen.
    Cavalry,
    /// Reconnaissance units.
    Reconnaissance,
    /// Armoured cars.
    ArmouredCars,
    /// Tanks and assault guns.
    Armour,
    /// Engineers on foot.
    Engineers,
    /// Engineers in lorries.
    MotorisedEngineers,
    /// Guns.
    Artillery,
    /// Rocket launchers.
    Rockets,
    /// Anti-tank guns.
    AntiTank,
    /// Light anti-aircraft guns.
    AntiAircraft,
    /// Heavy anti-aircraft guns.
    HeavyAntiAircraft,
    /// A headquarters.
    Headquarters,
    /// A headquarters of artillery.
    ArtilleryHeadquarters,
    /// A leader.
    Leader,
    /// Supplies and fuel.
    Supplies,
}

/// Something on a place that is no unit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sign {
    /// The place.
    pub place: usize,
    /// Whose it is.
    pub side: Side,
    /// What it is.
    pub kind: SignKind,
}

/// What a [`Sign`] is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum SignKind {
    /// A fortified position.
    Fortified,
    /// A fortified position under construction.
    Digging,
    /// Units that will not retreat.
    NoRetreat,
}

impl SignKind {
    /// All kinds.
    pub const ALL: [SignKind; 3] = [SignKind::Fortified, SignKind::Digging, SignKind::NoRetreat];

    /// Its name for people.
    pub fn name(self) -> &'static str {
        ["fortified position", "position under construction", "no retreat"][self as usize]
    }
}

/// Places of a side that are shown on demand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layer {
    /// One of [`Map::layers`].
    pub id: &'static str,
    /// The side.
    pub side: Side,
    /// The places.
    pub places: Vec<usize>,
}
