//! What a board of areas and a board of hexes both tell: the places there are, which touch, and how far it is.

use crate::bits::{Index, IndexSet};

/// A map of numbered places, some of which touch.
///
/// `W` is the number of words of its sets. Places are areas ([`crate::AreaBoard`]) or hexes ([`crate::HexBoard`]).
/// All queries work on sets of a fixed size and allocate nothing.
pub trait Board<const W: usize> {
    /// A place of the board.
    type Place: Index;

    /// All places.
    fn places(&self) -> &IndexSet<Self::Place, W>;

    /// The places that touch a member of the set (members themselves only if they touch another).
    #[must_use]
    fn neighbours_of(&self, set: &IndexSet<Self::Place, W>) -> IndexSet<Self::Place, W>;

    /// The places that can be reached from `start` through `open` ones, `start` included whether open or not.
    #[must_use]
    fn fill(
        &self,
        start: IndexSet<Self::Place, W>,
        open: &IndexSet<Self::Place, W>,
    ) -> IndexSet<Self::Place, W>;

    /// The places at most so many steps from a member of `start` through `open` ones, `start` included whether open
    /// or not.
    #[inline]
    #[must_use]
    fn within_open(
        &self,
        start: IndexSet<Self::Place, W>,
        steps: u32,
        open: &IndexSet<Self::Place, W>,
    ) -> IndexSet<Self::Place, W> {
        let mut reached = start;
        for layer in self.layers(start, *open).take(steps as usize + 1) {
            reached = reached.or(&layer);
        }
        reached
    }

    /// The places at most so many steps from a member of `start`, the whole board open.
    #[inline]
    #[must_use]
    fn within(&self, start: IndexSet<Self::Place, W>, steps: u32) -> IndexSet<Self::Place, W> {
        self.within_open(start, steps, self.places())
    }

    /// The places at exactly 0, 1, 2, ... steps from `start` through `open` ones, as long as there are any.
    #[inline]
    fn layers(&self, start: IndexSet<Self::Place, W>, open: IndexSet<Self::Place, W>) -> Layers<'_, Self, W> {
        Layers { board: self, frontier: start, unreached: open.difference(&start) }
    }

    /// Steps of the shortest path between two places whose places after `from` are all `open`.
    #[inline]
    fn path_length(
        &self,
        from: Self::Place,
        to: Self::Place,
        open: &IndexSet<Self::Place, W>,
    ) -> Option<u32> {
        self.layers(IndexSet::one(from), *open).position(|layer| layer.contains(to)).map(|steps| steps as u32)
    }

    /// The connected parts of a set, the one with the smallest place first.
    #[inline]
    fn components(&self, places: IndexSet<Self::Place, W>) -> Components<'_, Self, W> {
        Components { board: self, left: places }
    }
}

/// The places at 0, 1, 2, ... steps: see [`Board::layers`].
#[derive(Clone, Debug)]
pub struct Layers<'a, B: Board<W> + ?Sized, const W: usize> {
    board: &'a B,
    frontier: IndexSet<B::Place, W>,
    unreached: IndexSet<B::Place, W>,
}

impl<B: Board<W> + ?Sized, const W: usize> Iterator for Layers<'_, B, W> {
    type Item = IndexSet<B::Place, W>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.frontier.is_empty() {
            return None;
        }
        let layer = self.frontier;
        self.frontier = self.board.neighbours_of(&layer).and(&self.unreached);
        self.unreached = self.unreached.difference(&self.frontier);
        Some(layer)
    }
}

/// The connected parts of a set: see [`Board::components`].
#[derive(Clone, Debug)]
pub struct Components<'a, B: Board<W> + ?Sized, const W: usize> {
    board: &'a B,
    left: IndexSet<B::Place, W>,
}

impl<B: Board<W> + ?Sized, const W: usize> Iterator for Components<'_, B, W> {
    type Item = IndexSet<B::Place, W>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let part = self.board.fill(IndexSet::one(self.left.first()?), &self.left);
        self.left = self.left.difference(&part);
        Some(part)
    }
}
