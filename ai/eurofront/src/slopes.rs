//! Values that reach on over land, less of them a hex further on: how ground draws from afar, seats of command behind others.
//!
//! Sweeps go over the map, down and up again. In each a place takes the most of what those beside it pass on, if that is more
//! than it has; those before it have taken theirs already. What comes from other lines, and from the place behind in its own,
//! is the same in whatever order the places of a line are asked, so it is worked out for whole lines at once; only what goes
//! along the line goes from place to place. Lines beside which nothing has changed since they were last gone over are left out.
//!
//! ```text
//!  line before        a   b          as this sweep has left it
//!  line             c → X   d        c: as this sweep has left it, d: as it was
//!  line behind        e   f          as it was
//! ```
//!
//! A step that cannot be made takes off everything: what is added to a value is 0 where one can, and minus infinity where not.

use sandtable_core::{Direction, Hex, Index};
use sandtable_eurofront::EuroFront;
use sandtable_eurofront::ids::{Hexes, LINES};
use sandtable_eurofront::tables::PLACES;

use super::map_tables::{Field, Places, field};

/// Places of a line.
const LINE: usize = 64;
/// Room before the first place and behind the last: neighbours outside of the board are read and add nothing.
const MARGIN: usize = LINE + 8;
/// Sweeps at most.
const SWEEPS: usize = 4;

/// A field with a margin.
type Wide = [f32; PLACES + 2 * MARGIN];

/// Which places lie beside which, by land and by the routes of areas.
#[derive(Clone, Debug)]
pub(super) struct Slopes {
    /// Places in play.
    places: Hexes,
    /// What a step takes off that leads into a place from its neighbour in a direction.
    steps: [Field; Direction::ALL.len()],
    /// How far behind a place its neighbour in a direction is numbered, by line.
    offsets: [[i16; Direction::ALL.len()]; LINES],
    /// Places to which routes lead, in ascending order, and those at their other ends.
    routes: Vec<(Hex, Hex)>,
    routed: Hexes,
    /// Lines in which routes lead from place to place.
    joined: u64,
    /// For every line the lines that a change in it may change, itself among them.
    near: [u64; LINES],
}

impl Slopes {
    /// Slopes over some places; `routes` are pairs of a place and one from which something reaches it along a route.
    pub fn new(game: &EuroFront, places: &Hexes, mut routes: Vec<(Hex, Hex)>) -> Slopes {
        routes.sort_unstable();
        let mut steps = Direction::ALL.map(|_| field(f32::NEG_INFINITY));
        for hex in *places {
            for (way, next) in game.board().neighbours(hex) {
                if game.map().land.contains(hex, way) && places.contains(next) {
                    steps[way as usize][hex.at()] = 0.0;
                }
            }
        }
        let mut offsets = [[0; Direction::ALL.len()]; LINES];
        for hex in *places {
            for (way, next) in game.board().neighbours(hex) {
                offsets[usize::from(hex.line())][way as usize] = next.0 as i16 - hex.0 as i16;
            }
        }
        let routed = routes.iter().map(|&(hex, _)| hex).collect();
        let within = routes.iter().filter(|(hex, far)| hex.line() == far.line());
        let joined = within.fold(0, |all, (hex, _)| all | 1 << hex.line());
        let in_play = (0..LINES).fold(0, |all, line| all | u64::from(places.0[line] != 0) << line);
        let near = std::array::from_fn(|line| {
            let beside = routes.iter().filter(|(_, far)| usize::from(far.line()) == line);
            let over_routes = beside.fold(0, |all, (hex, _)| all | 1 << hex.line());
            ((1 << line) | (1 << line >> 1) | (1 << line << 1) | over_routes) & in_play
        });
        Slopes { places: *places, steps, offsets, routes, routed, joined, near }
    }

    /// Lets a field reach on: a place passes on what `less` leaves of its value. What is `fixed` stays as it is.
    pub fn reach_on(&self, field: &mut Places, fixed: &Hexes, less: impl Fn(f32) -> f32 + Copy) {
        let mut wide: Wide = [f32::NEG_INFINITY; PLACES + 2 * MARGIN];
        wide[MARGIN..MARGIN + PLACES].copy_from_slice(field);
        // Lines beside which something has changed since they were last gone over.
        let mut due = (0..LINES).fold(0, |due, line| due | u64::from(self.places.0[line] != 0) << line);
        for sweep in 0..SWEEPS {
            let mut left = due;
            while left != 0 {
                let line = if sweep % 2 == 0 { left.trailing_zeros() } else { left.ilog2() };
                left &= !(1 << line);
                due &= !(1 << line);
                let changed = if sweep % 2 == 0 {
                    self.go_over::<false>(&mut wide, line as usize, fixed, less)
                } else {
                    self.go_over::<true>(&mut wide, line as usize, fixed, less)
                };
                if changed {
                    let near = self.near[line as usize];
                    due |= near;
                    // Those that the sweep comes to yet.
                    let passed = if sweep % 2 == 0 { (2u64 << line) - 1 } else { u64::MAX << line };
                    left |= near & !passed;
                }
            }
        }
        field.copy_from_slice(&wide[MARGIN..MARGIN + PLACES]);
    }

    /// Goes over a line in a sweep down over the map, or up; whether anything has changed.
    #[inline]
    fn go_over<const UP: bool>(
        &self,
        wide: &mut Wide,
        line: usize,
        fixed: &Hexes,
        less: impl Fn(f32) -> f32 + Copy,
    ) -> bool {
        let before = if UP { Direction::Ahead } else { Direction::Back };
        let (places, fixed) = (self.places.0[line], fixed.0[line]);
        let first = line * LINE;
        let at = MARGIN + first;
        // What comes to its places but along the line, and what they have: in one loop that is done for several places at a time.
        let ways: [Direction; Direction::ALL.len() - 1] =
            std::array::from_fn(|nth| Direction::ALL[nth + usize::from(nth >= before as usize)]);
        let beside = ways.map(|way| {
            let from = (at as i32 + i32::from(self.offsets[line][way as usize])) as usize;
            (line_of(wide, from), line_of(&self.steps[way as usize][..], first))
        });
        let mut has = [0.0; LINE];
        let had = line_of(wide, at);
        for (place, has) in has.iter_mut().enumerate() {
            let mut most = had[place];
            for (values, steps) in beside {
                let passed = values[place] + steps[place];
                most = if passed > most { passed } else { most };
            }
            let passed = less(most);
            *has = if passed > had[place] { passed } else { had[place] };
        }
        for place in each(fixed & places) {
            has[place] = wide[at + place];
        }
        let along = line_of(&self.steps[before as usize][..], first);
        let routed = self.routed.0[line] & !fixed;
        if self.joined >> line & 1 == 0 {
            for place in each(routed) {
                has[place] = has[place].max(less(self.over_routes(wide, &has, first, place)));
            }
            pass_along::<UP>(&mut has, along, !fixed, less);
        } else {
            // Along the line and the routes within it.
            let mut last = f32::NEG_INFINITY;
            for nth in 0..LINE {
                let place = if UP { LINE - 1 - nth } else { nth };
                if routed >> place & 1 != 0 {
                    has[place] = has[place].max(less(self.over_routes(wide, &has, first, place)));
                }
                let passed = less(last + along[place]);
                let grows = passed > has[place] && fixed >> place & 1 == 0;
                last = if grows { passed } else { has[place] };
                has[place] = last;
            }
        }
        // Values only grow.
        let had = line_of_mut(wide, at);
        let grown = has.iter().zip(&*had).map(|(has, had)| u32::from(has > had)).sum::<u32>();
        *had = has;
        grown > 0
    }

    /// The most of what is at the other ends of routes to a place of a line that has these values.
    #[cold]
    fn over_routes(&self, wide: &Wide, line: &[f32; LINE], first: usize, place: usize) -> f32 {
        let here = self.routes.partition_point(|(near, _)| near.at() < first + place);
        let ends = self.routes[here..].iter().take_while(|(near, _)| near.at() == first + place);
        let value = |far: Hex| match far.at().checked_sub(first) {
            Some(beside) if beside < LINE => line[beside],
            _ => wide[MARGIN + far.at()],
        };
        ends.map(|&(_, far)| value(far)).fold(f32::NEG_INFINITY, f32::max)
    }
}

/// The places of a line, from the first.
fn line_of(field: &[f32], first: usize) -> &[f32; LINE] {
    field[first..].first_chunk().expect("a field has whole lines")
}

/// The same to be changed.
fn line_of_mut(field: &mut [f32], first: usize) -> &mut [f32; LINE] {
    field[first..].first_chunk_mut().expect("a field has whole lines")
}

/// Lets the values of a line reach on along it, to its open places. Most places have at once what comes to them.
#[inline]
fn pass_along<const UP: bool>(
    has: &mut [f32; LINE],
    along: &[f32; LINE],
    open: u64,
    less: impl Fn(f32) -> f32,
) {
    // Places that take something from the one before as it is now.
    let mut takes = [0u8; LINE];
    let (ahead, behind) = (&has[1..], &has[..LINE - 1]);
    let (from, here) = if UP { (ahead, behind) } else { (behind, ahead) };
    let (along_here, takes_here) =
        if UP { (&along[..LINE - 1], &mut takes[..LINE - 1]) } else { (&along[1..], &mut takes[1..]) };
    for (((takes, from), here), along) in takes_here.iter_mut().zip(from).zip(here).zip(along_here) {
        *takes = u8::from(less(from + along) > *here);
    }
    let mut left = word_of(&takes) & open;
    while left != 0 {
        let mut place = if UP { left.ilog2() } else { left.trailing_zeros() } as usize;
        // What grows passes on more than it did.
        loop {
            left &= !(1 << place);
            let from = if UP { place + 1 } else { place - 1 };
            let passed = less(has[from] + along[place]);
            if open >> place & 1 == 0 || passed <= has[place] {
                break;
            }
            has[place] = passed;
            let end = if UP { place == 0 } else { place == LINE - 1 };
            if end {
                break;
            }
            place = if UP { place - 1 } else { place + 1 };
        }
    }
}

/// The word of a line of bits, a byte each.
fn word_of(bits: &[u8; LINE]) -> u64 {
    // A product brings the bits of eight bytes into the highest one.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let bytes = bits.as_chunks::<8>().0.iter().enumerate();
    bytes.fold(0, |word, (nth, eight)| {
        word | (u64::from_le_bytes(*eight).wrapping_mul(GATHER) >> 56) << (8 * nth)
    })
}

/// The places of a word.
fn each(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = word.trailing_zeros() as usize;
        (word != 0).then(|| {
            word &= word - 1;
            place
        })
    })
}

#[cfg(test)]
mod tests {
    use sandtable_core::{Dice, Hex, Index, Rng64};
    use sandtable_eurofront::EuroFront;
    use sandtable_eurofront::ids::Hexes;

    use super::Slopes;
    use crate::map_tables::{MapTables, Places, field};
    use crate::testing::game;

    /// Place by place, in the order of the sweeps.
    fn plainly(
        game: &EuroFront,
        tables: &MapTables,
        field: &mut Places,
        fixed: &Hexes,
        less: impl Fn(f32) -> f32,
    ) {
        let in_play = game.map().in_play;
        for sweep in 0..super::SWEEPS {
            let mut places: Vec<Hex> = in_play.iter().collect();
            if sweep % 2 == 1 {
                places.reverse();
            }
            for hex in places.into_iter().filter(|&hex| !fixed.contains(hex)) {
                let land = game.board().across(&Hexes::one(hex), &game.map().land).and(&in_play);
                let routes = tables.routes.iter().filter_map(|route| route.beyond(hex));
                let beside = land.iter().chain(routes.filter(|&far| in_play.contains(far)));
                let most = beside.map(|next| field[next.at()]).fold(field[hex.at()], f32::max);
                field[hex.at()] = field[hex.at()].max(less(most));
            }
        }
    }

    #[test]
    fn whole_lines_are_as_place_by_place() {
        for scenario in ["1936", "1939A", "1940A", "1941"] {
            let game = game(scenario);
            let tables = MapTables::new(&game);
            let mut dice = Rng64::stream(3, 1, 4);
            for _ in 0..20 {
                let mut start = field(0.0);
                let mut fixed = Hexes::EMPTY;
                for hex in game.map().in_play {
                    if dice.below(12) == 0 {
                        start[hex.at()] = dice.below(1000) as f32 / 7.0;
                    }
                    if dice.below(5) == 0 {
                        fixed.insert(hex);
                    }
                }
                let slopes: &Slopes = &tables.slopes;
                for (fixed, fades) in [(Hexes::EMPTY, true), (fixed, false)] {
                    let less = |value: f32| if fades { 0.87 * value } else { value - 5.0 };
                    let (mut lines, mut places) = (start.clone(), start.clone());
                    slopes.reach_on(&mut lines, &fixed, less);
                    plainly(&game, &tables, &mut places, &fixed, less);
                    assert_eq!(lines[..], places[..], "{scenario}");
                }
            }
        }
    }
}
