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
    /// A road runs from middle to middle.
    pub road: bool,
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
}

/// Who and what stands on a board at a moment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Position {
    /// Who holds each place of [`Map::places`].
    pub owners: Vec<Option<Side>>,
    /// The units, in the order in which they are drawn; several markers of one place stand one under the other.
    pub markers: Vec<Marker>,
}

/// Units of one side in one place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Marker {
    /// The place.
    pub place: usize,
    /// Whose they are; nobody's are neutral.
    pub side: Option<Side>,
    /// A few characters (`4+2`).
    pub text: String,
    /// The same in words.
    pub words: String,
}
