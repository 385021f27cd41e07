//! Boards of areas and which of them touch, for movement, reach and supply.
//!
//! All queries work on words of a fixed size and allocate nothing.

use std::fmt;

use crate::bits::{Index, IndexSet};
use crate::board::Board;

/// The most areas a board can have: areas are bytes.
pub const MAX_AREAS: usize = 256;

/// The distance of areas that no path joins, in [`AreaBoard::distances_from`] and [`Distances`].
pub const UNREACHED: u8 = u8::MAX;

/// What is wrong with the edges of a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AreaError {
    /// More areas than the sets can hold.
    TooManyAreas {
        /// Areas asked for.
        areas: usize,
        /// Areas there is room for.
        most: usize,
    },
    /// An edge leads to an area that does not exist.
    NoSuchArea {
        /// The area.
        area: usize,
        /// Areas there are.
        areas: usize,
    },
    /// An area touches itself.
    Loop {
        /// The area.
        area: usize,
    },
    /// An edge is written in one direction alone.
    OneWay {
        /// Where it starts.
        from: usize,
        /// Where it leads, and does not come back from.
        to: usize,
    },
}

impl fmt::Display for AreaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AreaError::TooManyAreas { areas, most } => write!(f, "{areas} areas, there is room for {most}"),
            AreaError::NoSuchArea { area, areas } => {
                write!(f, "an edge leads to area {area}, the areas are 0 to {}", areas.saturating_sub(1))
            }
            AreaError::Loop { area } => write!(f, "area {area} touches itself"),
            AreaError::OneWay { from, to } => {
                write!(f, "area {from} touches {to}, but not {to} area {from}")
            }
        }
    }
}

impl std::error::Error for AreaError {}

/// A board of up to `64 * W` areas, at most [`MAX_AREAS`], which touch both ways.
///
/// ```
/// use sandtable_core::{AreaBoard, Board, IndexSet};
///
/// let line = AreaBoard::<u8, 1>::from_edges(4, [(0, 1), (1, 2), (2, 3)]).unwrap();
/// assert_eq!(line.path_length(0, 3, line.places()), Some(3));
/// assert_eq!(line.within(IndexSet::one(0), 1).iter().collect::<Vec<_>>(), [0, 1]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AreaBoard<A: Index, const W: usize> {
    areas: IndexSet<A, W>,
    neighbours: Vec<IndexSet<A, W>>,
}

impl<A: Index, const W: usize> AreaBoard<A, W> {
    /// The board of `areas` areas and these edges; an edge is written once, in either direction (twice does no harm).
    ///
    /// # Errors
    /// If there are too many areas, or an edge leads nowhere or to its own start.
    pub fn from_edges(areas: usize, edges: impl IntoIterator<Item = (A, A)>) -> Result<Self, AreaError> {
        let mut neighbours = Self::room(areas)?;
        for (a, b) in edges {
            neighbours[Self::exists(a, areas)?].insert(b);
            neighbours[Self::exists(b, areas)?].insert(a);
        }
        Self::from_neighbours(neighbours)
    }

    /// The board in which area `a` touches `neighbours[a]`.
    ///
    /// # Errors
    /// If there are too many areas, or a neighbour does not exist, is the area itself, or does not touch it in turn.
    pub fn from_neighbours(neighbours: Vec<IndexSet<A, W>>) -> Result<Self, AreaError> {
        let areas = neighbours.len();
        Self::room(areas)?;
        for (from, touching) in neighbours.iter().enumerate() {
            let here = A::nth(from);
            for to in touching {
                Self::exists(to, areas)?;
                if to == here {
                    return Err(AreaError::Loop { area: from });
                }
                if !neighbours[to.at()].contains(here) {
                    return Err(AreaError::OneWay { from, to: to.at() });
                }
            }
        }
        Ok(AreaBoard { areas: (0..areas).map(A::nth).collect(), neighbours })
    }

    fn room(areas: usize) -> Result<Vec<IndexSet<A, W>>, AreaError> {
        let most = MAX_AREAS.min(64 * W);
        if areas > most {
            Err(AreaError::TooManyAreas { areas, most })
        } else {
            Ok(vec![IndexSet::EMPTY; areas])
        }
    }

    fn exists(area: A, areas: usize) -> Result<usize, AreaError> {
        let area = area.at();
        if area < areas { Ok(area) } else { Err(AreaError::NoSuchArea { area, areas }) }
    }

    /// How many areas there are.
    pub fn len(&self) -> usize {
        self.neighbours.len()
    }

    /// Whether there are no areas.
    pub fn is_empty(&self) -> bool {
        self.neighbours.is_empty()
    }

    /// The areas that touch this one.
    #[inline]
    pub fn neighbours(&self, area: A) -> &IndexSet<A, W> {
        &self.neighbours[area.at()]
    }

    /// The areas that touch each area, as [`IndexSet::fill`] and [`IndexSet::neighbours`] take them.
    #[inline]
    pub fn all_neighbours(&self) -> &[IndexSet<A, W>] {
        &self.neighbours
    }

    /// Whether the areas touch.
    #[inline]
    pub fn touch(&self, a: A, b: A) -> bool {
        self.neighbours[a.at()].contains(b)
    }

    /// Every edge once, the smaller area first, in ascending order.
    pub fn edges(&self) -> impl Iterator<Item = (A, A)> + '_ {
        self.neighbours
            .iter()
            .enumerate()
            .flat_map(|(a, touching)| touching.iter().map(move |b| (A::nth(a), b)).filter(|(a, b)| a < b))
    }

    /// Writes the distance of every area from `start` through `open` areas to `out`, or [`UNREACHED`] (254 steps are
    /// the farthest counted). Areas beyond the length of `out` are left out.
    pub fn distances_from(&self, start: IndexSet<A, W>, open: &IndexSet<A, W>, out: &mut [u8]) {
        out.fill(UNREACHED);
        for (steps, layer) in (0..UNREACHED).zip(self.layers(start, *open)) {
            for area in layer {
                if let Some(distance) = out.get_mut(area.at()) {
                    *distance = steps;
                }
            }
        }
    }

    /// The distances between all pairs of areas, the whole map open.
    pub fn all_distances(&self) -> Distances {
        let areas = self.len();
        let mut steps = vec![UNREACHED; areas * areas];
        for (start, row) in steps.chunks_exact_mut(areas.max(1)).enumerate() {
            self.distances_from(IndexSet::one(A::nth(start)), &self.areas, row);
        }
        Distances { areas, steps }
    }
}

impl<A: Index, const W: usize> Board<W> for AreaBoard<A, W> {
    type Place = A;

    #[inline]
    fn places(&self) -> &IndexSet<A, W> {
        &self.areas
    }

    #[inline]
    fn neighbours_of(&self, set: &IndexSet<A, W>) -> IndexSet<A, W> {
        set.neighbours(&self.neighbours)
    }

    #[inline]
    fn fill(&self, start: IndexSet<A, W>, open: &IndexSet<A, W>) -> IndexSet<A, W> {
        IndexSet::fill(start, open, &self.neighbours)
    }
}

/// Distances between all pairs of areas.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Distances {
    areas: usize,
    steps: Vec<u8>,
}

impl Distances {
    /// Steps of the shortest path, or [`UNREACHED`].
    #[inline]
    pub fn between(&self, a: impl Index, b: impl Index) -> u8 {
        self.steps[a.at() * self.areas + b.at()]
    }

    /// The steps from an area to every area.
    #[inline]
    pub fn from(&self, area: impl Index) -> &[u8] {
        &self.steps[area.at() * self.areas..][..self.areas]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A board of two words with its edges.
    fn boards() -> impl Strategy<Value = (usize, Vec<(u8, u8)>)> {
        (1usize..=70).prop_flat_map(|areas| {
            let area = 0..areas as u8;
            let edge = (area.clone(), area).prop_filter("no loops", |(a, b)| a != b);
            (Just(areas), prop::collection::vec(edge, if areas == 1 { 0..=0 } else { 0..=150 }))
        })
    }

    /// All distances by relaxation (Floyd-Warshall).
    fn plain_distances(areas: usize, edges: &[(u8, u8)], open: &IndexSet<u8, 2>) -> Vec<Vec<u32>> {
        let far = u32::MAX / 2;
        let mut steps = vec![vec![far; areas]; areas];
        for &(a, b) in edges {
            for (a, b) in [(a, b), (b, a)] {
                if open.contains(b) {
                    steps[a as usize][b as usize] = 1;
                }
            }
        }
        for (a, row) in steps.iter_mut().enumerate() {
            row[a] = 0;
        }
        for via in 0..areas {
            for a in 0..areas {
                for b in 0..areas {
                    steps[a][b] = steps[a][b].min(steps[a][via] + steps[via][b]);
                }
            }
        }
        steps
            .iter_mut()
            .flatten()
            .filter(|steps| **steps >= far)
            .for_each(|steps| *steps = u32::from(UNREACHED));
        steps
    }

    proptest! {
        #[test]
        fn queries_agree_with_relaxation((areas, edges) in boards(), closed in prop::collection::vec(0u8..100, 0..20)) {
            let board = AreaBoard::<u8, 2>::from_edges(areas, edges.iter().copied()).unwrap();
            let closed: IndexSet<u8, 2> = closed.into_iter().collect();
            let open = board.places().difference(&closed);
            let steps = plain_distances(areas, &edges, &open);
            for a in 0..areas as u8 {
                let mut row = vec![0; areas];
                board.distances_from(IndexSet::one(a), &open, &mut row);
                let fill = board.fill(IndexSet::one(a), &open);
                let near = board.within_open(IndexSet::one(a), 2, &open);
                for b in 0..areas as u8 {
                    let expected = steps[a as usize][b as usize];
                    prop_assert_eq!(u32::from(row[b as usize]), expected);
                    prop_assert_eq!(fill.contains(b), expected < u32::from(UNREACHED));
                    prop_assert_eq!(near.contains(b), expected <= 2);
                    prop_assert_eq!(board.path_length(a, b, &open).unwrap_or(u32::from(UNREACHED)), expected);
                }
            }
        }

        #[test]
        fn components_part_the_set((areas, edges) in boards()) {
            let board = AreaBoard::<u8, 2>::from_edges(areas, edges.iter().copied()).unwrap();
            let distances = board.all_distances();
            let parts: Vec<IndexSet<u8, 2>> = board.components(*board.places()).collect();
            prop_assert_eq!(parts.iter().map(IndexSet::len).sum::<u32>() as usize, areas);
            for a in 0..areas as u8 {
                for b in 0..areas as u8 {
                    let together = parts.iter().any(|part| part.contains(a) && part.contains(b));
                    prop_assert_eq!(together, distances.between(a, b) != UNREACHED);
                    prop_assert_eq!(distances.between(a, b), distances.from(b)[a as usize]);
                }
            }
        }

        #[test]
        fn edges_come_back((areas, edges) in boards()) {
            let board = AreaBoard::<u8, 2>::from_edges(areas, edges.iter().copied()).unwrap();
            let mut once: Vec<_> = edges.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
            once.sort_unstable();
            once.dedup();
            prop_assert_eq!(board.edges().collect::<Vec<_>>(), once);
        }
    }

    #[test]
    fn faulty_boards_are_refused() {
        type G = AreaBoard<u8, 1>;
        assert_eq!(G::from_edges(65, []).unwrap_err(), AreaError::TooManyAreas { areas: 65, most: 64 });
        assert_eq!(G::from_edges(2, [(0, 2)]).unwrap_err(), AreaError::NoSuchArea { area: 2, areas: 2 });
        assert_eq!(G::from_edges(2, [(1, 1)]).unwrap_err(), AreaError::Loop { area: 1 });
        let one_way = G::from_neighbours(vec![IndexSet::one(1), IndexSet::EMPTY]).unwrap_err();
        assert_eq!(one_way, AreaError::OneWay { from: 0, to: 1 });
        assert_eq!(one_way.to_string(), "area 0 touches 1, but not 1 area 0");
        let astray = G::from_neighbours(vec![IndexSet::one(3)]).unwrap_err();
        assert_eq!(astray, AreaError::NoSuchArea { area: 3, areas: 1 });
        assert!(G::from_edges(0, []).unwrap().is_empty());
    }

    #[test]
    fn a_board_of_all_areas_has_room() {
        let ring = AreaBoard::<u8, 4>::from_edges(256, (0..=255u8).map(|a| (a, a.wrapping_add(1)))).unwrap();
        assert_eq!(ring.path_length(0, 128, ring.places()), Some(128));
        assert_eq!(ring.within(IndexSet::one(0), 3).len(), 7);
    }
}
