//! The board: the same for both sides, turned by half a circle.

use sandtable_core::hex::{Direction, Hex, HexBoard, Hexsides, Orientation};
use sandtable_core::{Board, Side};

use super::Hexes;

/// Rows, from north to south.
pub const LINES: usize = 40;
/// Hexes of a row, from west to east.
pub const PLACES: usize = 50;

/// The rows along which roads run from edge to edge.
const ROADS: [u8; 2] = [10, 29];
/// The hexes of a row through which roads join them.
const LANES: [u8; 2] = [17, 32];
/// The last hex of a row before the river.
const WEST_BANK: u8 = 24;

/// Towns: the crossroads of the west, those of the east, and one on each bank.
pub const TOWNS: [Hex; 6] = [
    Hex::new(ROADS[0], LANES[0]),
    Hex::new(ROADS[1], LANES[0]),
    Hex::new(ROADS[0], LANES[1]),
    Hex::new(ROADS[1], LANES[1]),
    Hex::new(20, WEST_BANK),
    Hex::new(19, WEST_BANK + 1),
];

/// Where supply comes from, by side.
pub const SOURCES: [[Hex; 2]; 2] = [
    [Hex::new(ROADS[0], 0), Hex::new(ROADS[1], 0)],
    [Hex::new(ROADS[0], PLACES as u8 - 1), Hex::new(ROADS[1], PLACES as u8 - 1)],
];

/// The hex that lies to one side as this one does to the other.
pub(super) fn turned(hex: Hex) -> Hex {
    Hex::new(LINES as u8 - 1 - hex.line(), PLACES as u8 - 1 - hex.place())
}

pub(super) fn board() -> HexBoard<LINES> {
    HexBoard::rectangle(LINES, PLACES, true, Orientation::PointyTops).expect("the board has room")
}

/// Who holds each town at the start: the one nearer to it but for those on the banks.
pub(super) fn holders() -> [Option<Side>; TOWNS.len()] {
    [Some(Side(0)), Some(Side(0)), Some(Side(1)), Some(Side(1)), None, None]
}

/// Where the units stand at the start: formations one beside the other, a march from the river.
pub(super) fn starting_hexes() -> impl Iterator<Item = Hex> {
    let blue = (0..16u8).map(|unit| Hex::new(5 + 2 * unit - unit % 2, 19 + 2 * (unit % 2)));
    blue.clone().chain(blue.map(turned))
}

/// Woods, strewn by a fixed pattern, not where towns and roads are.
pub(super) fn woods(board: &HexBoard<LINES>) -> Hexes {
    let dense = |hex: Hex| {
        let mut z = u64::from(hex.0 / 3).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 29)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (z >> 40).is_multiple_of(4)
    };
    let paths = roads(board).hexes();
    let west = board.places().filter(|hex| hex.place() <= WEST_BANK && dense(hex) && !paths.contains(hex));
    let woods: Hexes =
        west.iter().chain(west.iter().map(turned)).filter(|hex| !paths.contains(*hex)).collect();
    woods.difference(&TOWNS.into_iter().collect())
}

/// Two roads from edge to edge, joined by two lanes.
pub(super) fn roads(board: &HexBoard<LINES>) -> Hexsides<LINES> {
    let mut roads = Hexsides::EMPTY;
    let mut add = |hex: Hex, way: Direction| {
        if board.neighbour(hex, way).is_some() {
            let _ = roads.insert(board, hex, way);
        }
    };
    for line in ROADS {
        (0..PLACES as u8).for_each(|place| add(Hex::new(line, place), Direction::Ahead));
    }
    // Rows of odd number are shifted, so a lane winds between two hexes' middles.
    for line in ROADS[0]..ROADS[1] {
        let hex = Hex::new(line, LANES[0]);
        let way = if line % 2 == 0 { Direction::NextAhead } else { Direction::NextBack };
        add(hex, way);
        add(turned(hex), way.opposite());
    }
    roads
}

/// The river between the banks.
pub(super) fn river(board: &HexBoard<LINES>) -> Hexsides<LINES> {
    let mut river = Hexsides::EMPTY;
    for hex in board.places().iter().filter(|hex| hex.place() == WEST_BANK) {
        for (way, to) in board.neighbours(hex).filter(|(_, to)| to.place() > WEST_BANK) {
            debug_assert_ne!(hex, to);
            let _ = river.insert(board, hex, way);
        }
    }
    river
}
