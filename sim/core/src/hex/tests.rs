//! Boards of hexes against geometry and plain searches.

use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

use super::*;

const LINES: usize = 7;
type Map = HexBoard<LINES>;
type Set = HexSet<LINES>;
type Sides = Hexsides<LINES>;

/// Boards with holes, some of them as long as lines can be, with random sets of hexes and of hexsides.
#[derive(Clone, Debug)]
struct Case {
    board: Map,
    start: Set,
    open: Set,
    /// Symmetric, and seen from one hex alone.
    sides: Sides,
    slopes: Sides,
    prices: Vec<u8>,
}

fn cases() -> impl Strategy<Value = Case> {
    let hexes = prop::collection::btree_set((0..LINES as u8, prop_oneof![0u8..9, 55u8..64]), 1..100);
    let orientation = prop_oneof![Just(Orientation::PointyTops), Just(Orientation::FlatTops)];
    (hexes, any::<bool>(), orientation, prop::collection::vec(any::<u32>(), 128)).prop_map(
        |(hexes, odd, orientation, noise)| {
            let hexes: Vec<Hex> = hexes.into_iter().map(|(line, place)| Hex::new(line, place)).collect();
            let board = Map::new(hexes.iter().copied(), odd, orientation).unwrap();
            let noise = |hex: Hex, salt: u32| noise[(hex.0 as usize + 17 * salt as usize) % 128] >> salt;
            let (mut sides, mut slopes) = (Sides::EMPTY, Sides::EMPTY);
            for &hex in &hexes {
                for (way, _) in board.neighbours(hex) {
                    if noise(hex, way as u32) % 4 == 0 {
                        sides.insert(&board, hex, way).unwrap();
                    }
                    if noise(hex, 6 + way as u32) % 3 != 0 {
                        slopes.insert_one_way(hex, way);
                    }
                }
            }
            Case {
                start: hexes.iter().copied().filter(|&hex| noise(hex, 13) % 12 == 0).collect(),
                open: hexes.iter().copied().filter(|&hex| noise(hex, 14) % 4 != 0).collect(),
                prices: (0..128).map(|at| (noise(Hex(at), 15) % 4) as u8).collect(),
                board,
                sides,
                slopes,
            }
        },
    )
}

/// Whether two hexes touch, by the distance of their centres.
fn touch(board: &Map, one: Hex, other: Hex) -> bool {
    let (from, to) = (board.centre(one), board.centre(other));
    ((from.0 - to.0).hypot(from.1 - to.1) - 1.0).abs() < 1e-9
}

/// All pairs of hexes that touch.
fn pairs(board: &Map) -> Vec<(Hex, Hex)> {
    let hexes: Vec<Hex> = board.places().iter().collect();
    let touching = |&a: &Hex| hexes.iter().filter(move |&&b| touch(board, a, b)).map(move |&b| (a, b));
    hexes.iter().flat_map(touching).collect()
}

/// Fewest steps from the start to each hex by relaxation, over pairs that may be gone.
fn steps(board: &Map, start: Set, may: impl Fn(Hex, Hex) -> bool) -> BTreeMap<Hex, u32> {
    let mut steps: BTreeMap<Hex, u32> = start.iter().map(|hex| (hex, 0)).collect();
    let pairs: Vec<_> = pairs(board).into_iter().filter(|&(a, b)| may(a, b)).collect();
    loop {
        let before = steps.clone();
        for &(a, b) in &pairs {
            if let Some(&from) = steps.get(&a) {
                let to = steps.entry(b).or_insert(u32::MAX);
                *to = (*to).min(from + 1);
            }
        }
        if before == steps {
            return steps;
        }
    }
}

fn keys(steps: &BTreeMap<Hex, u32>, most: u32) -> Set {
    steps.iter().filter(|&(_, &steps)| steps <= most).map(|(&hex, _)| hex).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn neighbours_are_those_whose_centres_lie_a_step_apart(case in cases()) {
        let Case { board, start, .. } = case;
        let found: BTreeSet<_> =
            board.places().iter().flat_map(|hex| board.neighbours(hex).map(move |(_, next)| (hex, next))).collect();
        prop_assert_eq!(&found, &pairs(&board).into_iter().collect());
        let neighbours: Set = found.iter().filter(|(hex, _)| start.contains(*hex)).map(|&(_, next)| next).collect();
        prop_assert_eq!(board.neighbours_of(&start), neighbours);
        for way in Direction::ALL {
            let stepped: Set = start.iter().filter_map(|hex| board.neighbour(hex, way)).collect();
            prop_assert_eq!(board.step(&start, way), stepped);
        }
        for (a, b) in found {
            let way = board.direction(a, b).unwrap();
            prop_assert_eq!(board.neighbour(b, way.opposite()), Some(a));
            let ((x, y), (u, v)) = (board.centre(a), board.centre(b));
            let compass = board.orientation().compass(way);
            let is = |letter| compass.contains(letter);
            prop_assert_eq!((is('E'), is('W')), (u - x > 0.1, x - u > 0.1), "{}", compass);
            prop_assert_eq!((is('S'), is('N')), (v - y > 0.1, y - v > 0.1), "{}", compass);
        }
    }

    #[test]
    fn distances_are_the_fewest_steps(odd: bool, line in 0u8..7, place in 0u8..12) {
        let board = Map::rectangle(LINES, 12, odd, Orientation::FlatTops).unwrap();
        let from = Hex::new(line, place);
        for (hex, steps) in steps(&board, Set::one(from), |_, _| true) {
            prop_assert_eq!(board.distance(from, hex), steps);
        }
    }

    #[test]
    fn fills_reach_what_steps_reach(case in cases()) {
        let Case { board, start, open, sides, slopes, .. } = case;
        let start = start.and(board.places());
        let plain = steps(&board, start, |_, b| open.contains(b));
        prop_assert_eq!(board.fill(start, &open), keys(&plain, u32::MAX));
        for most in 0..4 {
            prop_assert_eq!(board.within_open(start, most, &open), keys(&plain, most));
        }
        for sides in [sides, slopes, Sides::all(&board).difference(&sides)] {
            let crossing = |a, b| open.contains(b) && sides.contains(a, board.direction(a, b).unwrap());
            let across = steps(&board, start, crossing);
            prop_assert_eq!(board.fill_across(start, &open, &sides), keys(&across, u32::MAX));
            for most in 0..5 {
                prop_assert_eq!(board.within_across(start, most, &open, &sides), keys(&across, most));
            }
            prop_assert_eq!(board.across_into(&start, &sides, &open), board.across(&start, &sides).and(&open));
            let lines = 2..5;
            let within = start.filter(|hex| lines.contains(&usize::from(hex.line())));
            let confined = board.clone().confined_to(lines.clone());
            prop_assert_eq!(confined.across(&start, &sides), board.across(&within, &sides));
            // Of a game within these lines nothing is different.
            let field = open.filter(|hex| lines.contains(&usize::from(hex.line())));
            prop_assert_eq!(confined.fill_across(within, &field, &sides), board.fill_across(within, &field, &sides));
            prop_assert_eq!(
                confined.within_across(within, 3, &field, &sides),
                board.within_across(within, 3, &field, &sides)
            );
        }
    }

    #[test]
    fn lines_of_supply_are_some_hexes_to_a_road_and_then_along_it(case in cases(), most in 0u32..4) {
        let Case { board, start, open, sides: roads, slopes, .. } = case;
        let crosses = |sides: &Sides, a, b| sides.contains(a, board.direction(a, b).unwrap());
        let sources = start.and(&open);
        let network = keys(&steps(&board, sources, |a, b| open.contains(b) && crosses(&roads, a, b)), u32::MAX);
        let near = keys(&steps(&board, network, |a, b| open.contains(b) && crosses(&slopes, a, b)), most);
        prop_assert_eq!(board.lines_of_supply(start, &open, &roads, most, Some(&slopes)), near);
        let all = board.lines_of_supply(start, &open, &roads, most, Some(&Sides::all(&board)));
        prop_assert_eq!(board.lines_of_supply(start, &open, &roads, most, None), all);
    }

    #[test]
    fn units_reach_what_the_cheapest_ways_cost(case in cases(), points in 0u8..9, nth in 0u32..100) {
        let Case { board, start: halts, slopes, prices, .. } = case;
        let from = board.places().nth(nth % board.places().len()).unwrap();
        let price = |a: Hex, way: Direction, b: Hex| {
            slopes.contains(a, way).then_some(prices[(b.0 as usize + 31 * way as usize) % 128])
        };
        let mut costs: BTreeMap<Hex, u8> = [(from, 0)].into();
        loop {
            let before = costs.clone();
            for (a, b) in pairs(&board) {
                let goes_on = a == from || !halts.contains(a);
                if let Some(&spent) = costs.get(&a)
                    && goes_on
                    && let Some(price) = price(a, board.direction(a, b).unwrap(), b)
                    && spent + price <= points
                {
                    let least = costs.entry(b).or_insert(u8::MAX);
                    *least = (*least).min(spent + price);
                }
            }
            if before == costs {
                break;
            }
        }
        let reach = board.reach::<9>(from, points, &halts, price);
        prop_assert_eq!(reach.hexes(), costs.keys().copied().collect());
        for hex in board.places().iter() {
            prop_assert_eq!(reach.cost(hex), costs.get(&hex).copied());
        }
        prop_assert_eq!(reach.spent.iter().map(Set::len).sum::<u32>() as usize, costs.len(), "each hex once");
    }

    #[test]
    fn hexsides_are_seen_from_both_hexes(case in cases()) {
        let Case { board, sides, .. } = case;
        for hex in board.places().iter() {
            for (way, next) in board.neighbours(hex) {
                prop_assert_eq!(sides.contains(hex, way), sides.contains(next, way.opposite()));
                prop_assert_eq!(Sides::all(&board).difference(&sides).contains(hex, way), !sides.contains(hex, way));
            }
        }
        prop_assert_eq!(sides.or(&Sides::all(&board)), Sides::all(&board));
        prop_assert_eq!(sides.and(&Sides::EMPTY), Sides::EMPTY);
    }
}

#[test]
fn faulty_boards_are_refused() {
    let shape = Orientation::PointyTops;
    let high = HexBoard::<4>::rectangle(5, 3, true, shape).unwrap_err();
    assert_eq!(high, HexError::TooLarge { size: 5, most: 4 });
    let wide = HexBoard::<4>::rectangle(3, 65, true, shape).unwrap_err();
    assert_eq!(wide, HexError::TooLarge { size: 65, most: LINE });
    let astray = HexBoard::<4>::new([Hex::new(4, 0)], true, shape).unwrap_err();
    assert_eq!(astray.to_string(), "the hex at place 0 of line 4 is not on the board");
    let board = HexBoard::<4>::rectangle(2, 2, true, shape).unwrap();
    let edge = Hexsides::EMPTY.clone().insert(&board, Hex::new(0, 0), Direction::Back);
    assert_eq!(edge, Err(HexError::OffBoard { hex: Hex::new(0, 0) }));
}

#[test]
fn a_full_board_has_4096_hexes() {
    let board = HexBoard::<64>::rectangle(64, 64, true, Orientation::PointyTops).unwrap();
    let corner = Hex::new(0, 0);
    assert_eq!(board.places().len(), 4096);
    assert_eq!(board.fill(HexSet::one(corner), board.places()), *board.places());
    assert_eq!(board.distance(corner, Hex::new(63, 63)), 95);
    assert_eq!(board.within(HexSet::one(Hex::new(30, 30)), 2).len(), 19);
}

#[test]
fn a_line_is_filled_both_ways_up_to_a_gap() {
    let board = HexBoard::<64>::rectangle(64, 64, true, Orientation::PointyTops).unwrap();
    let places = |from: u8, to: u8| -> HexSet<64> { (from..to).map(|place| Hex::new(9, place)).collect() };
    let along_it = Hexsides { leaving: [*board.places(); 6] };
    for start in [0, 1, 20, 31, 32, 33, 62, 63] {
        for gap in (0..64).filter(|&gap| gap != start) {
            let open = places(0, gap).or(&places(gap + 1, 64));
            let reached = if gap < start { places(gap + 1, 64) } else { places(0, gap) };
            let start = HexSet::one(Hex::new(9, start));
            assert_eq!(board.fill(start, &open), reached, "{gap}");
            assert_eq!(board.fill_across(start, &open, &along_it), reached, "{gap}");
        }
    }
}
