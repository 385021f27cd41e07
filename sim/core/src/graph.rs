//! Areas and which of them touch: maps of zones and hexes, for movement, reach and supply.
//!
//! All queries work on words of a fixed size and allocate nothing.

use std::fmt;

use crate::bits::AreaSet;

/// The most areas a graph can have: areas are bytes.
pub const MAX_AREAS: usize = 256;

/// The distance of areas that no path joins, in [`AreaGraph::distances_from`] and [`Distances`].
pub const UNREACHED: u8 = u8::MAX;

/// What is wrong with the edges of a graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GraphError {
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
        area: u8,
        /// Areas there are.
        areas: usize,
    },
    /// An area touches itself.
    Loop {
        /// The area.
        area: u8,
    },
    /// An edge is written in one direction alone.
    OneWay {
        /// Where it starts.
        from: u8,
        /// Where it leads, and does not come back from.
        to: u8,
    },
}

impl fmt::Display for GraphError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GraphError::TooManyAreas { areas, most } => write!(f, "{areas} areas, there is room for {most}"),
            GraphError::NoSuchArea { area, areas } => {
                write!(f, "an edge leads to area {area}, the areas are 0 to {}", areas.saturating_sub(1))
            }
            GraphError::Loop { area } => write!(f, "area {area} touches itself"),
            GraphError::OneWay { from, to } => {
                write!(f, "area {from} touches {to}, but not {to} area {from}")
            }
        }
    }
}

impl std::error::Error for GraphError {}

/// An undirected graph of up to `64 * W` areas, at most [`MAX_AREAS`].
///
/// ```
/// use sandtable_core::{AreaGraph, AreaSet};
///
/// let line = AreaGraph::<1>::from_edges(4, [(0, 1), (1, 2), (2, 3)]).unwrap();
/// assert_eq!(line.distance(0, 3, &line.areas()), Some(3));
/// assert_eq!(line.within(AreaSet::one(0), 1).iter().collect::<Vec<_>>(), [0, 1]);
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AreaGraph<const W: usize> {
    neighbours: Vec<AreaSet<W>>,
}

impl<const W: usize> AreaGraph<W> {
    /// The graph of `areas` areas and these edges; an edge is written once, in either direction (twice does no harm).
    ///
    /// # Errors
    /// If there are too many areas, or an edge leads nowhere or to its own start.
    pub fn from_edges(areas: usize, edges: impl IntoIterator<Item = (u8, u8)>) -> Result<Self, GraphError> {
        let mut neighbours = Self::room(areas)?;
        for (a, b) in edges {
            neighbours[Self::exists(a, areas)?].insert(b);
            neighbours[Self::exists(b, areas)?].insert(a);
        }
        Self::from_neighbours(neighbours)
    }

    /// The graph in which area `a` touches `neighbours[a]`.
    ///
    /// # Errors
    /// If there are too many areas, or a neighbour does not exist, is the area itself, or does not touch it in turn.
    pub fn from_neighbours(neighbours: Vec<AreaSet<W>>) -> Result<Self, GraphError> {
        let areas = neighbours.len();
        Self::room(areas)?;
        for (from, touching) in neighbours.iter().enumerate() {
            let from = from as u8;
            for to in touching {
                Self::exists(to, areas)?;
                if to == from {
                    return Err(GraphError::Loop { area: from });
                }
                if !neighbours[to as usize].contains(from) {
                    return Err(GraphError::OneWay { from, to });
                }
            }
        }
        Ok(AreaGraph { neighbours })
    }

    fn room(areas: usize) -> Result<Vec<AreaSet<W>>, GraphError> {
        let most = MAX_AREAS.min(64 * W);
        if areas > most {
            Err(GraphError::TooManyAreas { areas, most })
        } else {
            Ok(vec![AreaSet::EMPTY; areas])
        }
    }

    fn exists(area: u8, areas: usize) -> Result<usize, GraphError> {
        if usize::from(area) < areas { Ok(area.into()) } else { Err(GraphError::NoSuchArea { area, areas }) }
    }

    /// How many areas there are.
    pub fn len(&self) -> usize {
        self.neighbours.len()
    }

    /// Whether there are no areas.
    pub fn is_empty(&self) -> bool {
        self.neighbours.is_empty()
    }

    /// All areas.
    pub fn areas(&self) -> AreaSet<W> {
        (0..self.len()).map(|area| area as u8).collect()
    }

    /// The areas that touch this one.
    #[inline]
    pub fn neighbours(&self, area: u8) -> &AreaSet<W> {
        &self.neighbours[area as usize]
    }

    /// The areas that touch each area, as [`AreaSet::flood`] and [`AreaSet::neighbours`] take them.
    #[inline]
    pub fn all_neighbours(&self) -> &[AreaSet<W>] {
        &self.neighbours
    }

    /// Whether the areas touch.
    #[inline]
    pub fn touch(&self, a: u8, b: u8) -> bool {
        self.neighbours[a as usize].contains(b)
    }

    /// Every edge once, the smaller area first, in ascending order.
    pub fn edges(&self) -> impl Iterator<Item = (u8, u8)> + '_ {
        self.neighbours
            .iter()
            .enumerate()
            .flat_map(|(a, touching)| touching.iter().map(move |b| (a as u8, b)).filter(|(a, b)| a < b))
    }

    /// The areas that can be reached from `start` through `open` areas, `start` included whether open or not.
    #[inline]
    #[must_use]
    pub fn flood(&self, start: AreaSet<W>, open: &AreaSet<W>) -> AreaSet<W> {
        AreaSet::flood(start, open, &self.neighbours)
    }

    /// The areas at most `steps` from a member of `start`, `start` included.
    #[inline]
    #[must_use]
    pub fn within(&self, start: AreaSet<W>, steps: u32) -> AreaSet<W> {
        self.within_open(start, steps, &self.areas())
    }

    /// The areas at most `steps` from a member of `start` through `open` areas, `start` included whether open or not.
    #[inline]
    #[must_use]
    pub fn within_open(&self, start: AreaSet<W>, steps: u32, open: &AreaSet<W>) -> AreaSet<W> {
        let mut reached = start;
        for layer in self.layers(start, *open).take(steps as usize + 1) {
            reached = reached.or(&layer);
        }
        reached
    }

    /// The areas at exactly 0, 1, 2, ... steps from `start` through `open` areas, as long as there are any.
    #[inline]
    pub fn layers(&self, start: AreaSet<W>, open: AreaSet<W>) -> Layers<'_, W> {
        Layers { graph: self, frontier: start, unreached: open.difference(&start) }
    }

    /// Steps of the shortest path between two areas whose areas after `from` are all `open`.
    #[inline]
    pub fn distance(&self, from: u8, to: u8, open: &AreaSet<W>) -> Option<u32> {
        self.layers(AreaSet::one(from), *open).position(|layer| layer.contains(to)).map(|steps| steps as u32)
    }

    /// Writes the distance of every area from `start` through `open` areas to `out`, or [`UNREACHED`] (254 steps are the
    /// farthest counted). Areas beyond the length of `out` are left out.
    pub fn distances_from(&self, start: AreaSet<W>, open: &AreaSet<W>, out: &mut [u8]) {
        out.fill(UNREACHED);
        for (steps, layer) in (0..UNREACHED).zip(self.layers(start, *open)) {
            for area in layer {
                if let Some(distance) = out.get_mut(area as usize) {
                    *distance = steps;
                }
            }
        }
    }

    /// The distances between all pairs of areas, the whole map open.
    pub fn all_distances(&self) -> Distances {
        let areas = self.len();
        let mut context = vec![UNREACHED; areas * areas];
        for (start, row) in context.chunks_exact_mut(areas.max(1)).enumerate() {
            self.distances_from(AreaSet::one(start as u8), &self.areas(), row);
        }
        Distances { areas, context }
    }

    /// The connected parts of `areas`, the one with the smallest area first.
    #[inline]
    pub fn components(&self, areas: AreaSet<W>) -> Components<'_, W> {
        Components { graph: self, left: areas }
    }
}

/// The areas at 0, 1, 2, ... steps: see [`AreaGraph::layers`].
#[derive(Clone, Debug)]
pub struct Layers<'a, const W: usize> {
    graph: &'a AreaGraph<W>,
    frontier: AreaSet<W>,
    unreached: AreaSet<W>,
}

impl<const W: usize> Iterator for Layers<'_, W> {
    type Item = AreaSet<W>;

    #[inline]
    fn next(&mut self) -> Option<AreaSet<W>> {
        if self.frontier.is_empty() {
            return None;
        }
        let layer = self.frontier;
        self.frontier = layer.neighbours(&self.graph.neighbours).and(&self.unreached);
        self.unreached = self.unreached.difference(&self.frontier);
        Some(layer)
    }
}

/// The connected parts of a set: see [`AreaGraph::components`].
#[derive(Clone, Debug)]
pub struct Components<'a, const W: usize> {
    graph: &'a AreaGraph<W>,
    left: AreaSet<W>,
}

impl<const W: usize> Iterator for Components<'_, W> {
    type Item = AreaSet<W>;

    #[inline]
    fn next(&mut self) -> Option<AreaSet<W>> {
        let part = self.graph.flood(AreaSet::one(self.left.first()?), &self.left);
        self.left = self.left.difference(&part);
        Some(part)
    }
}

/// Distances between all pairs of areas.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Distances {
    areas: usize,
    context: Vec<u8>,
}

impl Distances {
    /// Steps of the shortest path, or [`UNREACHED`].
    #[inline]
    pub fn between(&self, a: u8, b: u8) -> u8 {
        self.context[a as usize * self.areas + b as usize]
    }

    /// The steps from an area to every area.
    #[inline]
    pub fn from(&self, area: u8) -> &[u8] {
        &self.context[area as usize * self.areas..][..self.areas]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A graph of two words with its edges.
    fn graphs() -> impl Strategy<Value = (usize, Vec<(u8, u8)>)> {
        (1usize..=70).prop_flat_map(|areas| {
            let area = 0..areas as u8;
            let edge = (area.clone(), area).prop_filter("no loops", |(a, b)| a != b);
            (Just(areas), prop::collection::vec(edge, if areas == 1 { 0..=0 } else { 0..=150 }))
        })
    }

    /// All distances by relaxation (Floyd-Warshall).
    fn plain_distances(areas: usize, edges: &[(u8, u8)], open: &AreaSet<2>) -> Vec<Vec<u32>> {
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
        fn queries_agree_with_relaxation((areas, edges) in graphs(), closed in prop::collection::vec(0u8..100, 0..20)) {
            let graph = AreaGraph::<2>::from_edges(areas, edges.iter().copied()).unwrap();
            let closed: AreaSet<2> = closed.into_iter().collect();
            let open = graph.areas().difference(&closed);
            let steps = plain_distances(areas, &edges, &open);
            for a in 0..areas as u8 {
                let mut row = vec![0; areas];
                graph.distances_from(AreaSet::one(a), &open, &mut row);
                let flood = graph.flood(AreaSet::one(a), &open);
                let near = graph.within_open(AreaSet::one(a), 2, &open);
                for b in 0..areas as u8 {
                    let expected = steps[a as usize][b as usize];
                    prop_assert_eq!(u32::from(row[b as usize]), expected);
                    prop_assert_eq!(flood.contains(b), expected < u32::from(UNREACHED));
                    prop_assert_eq!(near.contains(b), expected <= 2);
                    prop_assert_eq!(graph.distance(a, b, &open).unwrap_or(u32::from(UNREACHED)), expected);
                }
            }
        }

        #[test]
        fn components_part_the_set((areas, edges) in graphs()) {
            let graph = AreaGraph::<2>::from_edges(areas, edges.iter().copied()).unwrap();
            let distances = graph.all_distances();
            let parts: Vec<AreaSet<2>> = graph.components(graph.areas()).collect();
            prop_assert_eq!(parts.iter().map(AreaSet::len).sum::<u32>() as usize, areas);
            for a in 0..areas as u8 {
                for b in 0..areas as u8 {
                    let together = parts.iter().any(|part| part.contains(a) && part.contains(b));
                    prop_assert_eq!(together, distances.between(a, b) != UNREACHED);
                    prop_assert_eq!(distances.between(a, b), distances.from(b)[a as usize]);
                }
            }
        }

        #[test]
        fn edges_come_back((areas, edges) in graphs()) {
            let graph = AreaGraph::<2>::from_edges(areas, edges.iter().copied()).unwrap();
            let mut once: Vec<_> = edges.iter().map(|&(a, b)| (a.min(b), a.max(b))).collect();
            once.sort_unstable();
            once.dedup();
            prop_assert_eq!(graph.edges().collect::<Vec<_>>(), once);
        }
    }

    #[test]
    fn faulty_graphs_are_refused() {
        type G = AreaGraph<1>;
        assert_eq!(G::from_edges(65, []).unwrap_err(), GraphError::TooManyAreas { areas: 65, most: 64 });
        assert_eq!(G::from_edges(2, [(0, 2)]).unwrap_err(), GraphError::NoSuchArea { area: 2, areas: 2 });
        assert_eq!(G::from_edges(2, [(1, 1)]).unwrap_err(), GraphError::Loop { area: 1 });
        let one_way = G::from_neighbours(vec![AreaSet::one(1), AreaSet::EMPTY]).unwrap_err();
        assert_eq!(one_way, GraphError::OneWay { from: 0, to: 1 });
        assert_eq!(one_way.to_string(), "area 0 touches 1, but not 1 area 0");
        let astray = G::from_neighbours(vec![AreaSet::one(3)]).unwrap_err();
        assert_eq!(astray, GraphError::NoSuchArea { area: 3, areas: 1 });
        assert!(G::from_edges(0, []).unwrap().is_empty());
    }

    #[test]
    fn a_graph_of_all_areas_has_room() {
        let ring = AreaGraph::<4>::from_edges(256, (0..=255u8).map(|a| (a, a.wrapping_add(1)))).unwrap();
        assert_eq!(ring.distance(0, 128, &ring.areas()), Some(128));
        assert_eq!(ring.within(AreaSet::one(0), 3).len(), 7);
    }
}
