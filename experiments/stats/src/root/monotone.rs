//! Where a score crosses a target, of which no more is known than that it rises or falls in pieces.
//!
//! The likelihood of scores that only rise has its greatest value at the means of neighbours pooled wherever they
//! fall. Held to cross the target at a place, it is less by so much; the interval is all places at which it is not
//! much less. That needs no shape and no width to smooth over.
//!
//! Literature: Ayer et al. (1955), *Annals of Mathematical Statistics* 26, 641 (pooling); Banerjee and Wellner
//! (2001), *Annals of Statistics* 29, 1699 (the interval; their 95% bound for many places with few games each, 2.3,
//! is below that of few places with many games, 3.84, of which a little more is used).

use crate::interval::{Estimate, normal_reach};

/// The scores at one value of the parameter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub x: f64,
    pub n: f64,
    pub mean: f64,
}

/// Part of the range on which the score goes one way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Piece {
    pub from: usize,
    pub to: usize,
    pub rising: bool,
}

/// By how much twice the likelihood, a game's dispersion taken for 1, must gain by a turn of the score before the
/// turn is believed: luck alone brings as much in fewer than one search in a hundred.
const TURN: f64 = 16.0;

/// The level that is asked of the likelihood for an interval of 95%: that the play goes where the crossing seemed to
/// be costs about one search in a hundred.
const ASKED: f64 = 0.96;

/// The likelihood of so many games with this mean at an expected score.
fn likelihood(n: f64, mean: f64, score: f64) -> f64 {
    let part = |seen: f64, expected: f64| if seen == 0.0 { 0.0 } else { seen * expected.max(1e-12).ln() };
    n * (part(mean, score) + part(1.0 - mean, 1.0 - score))
}

/// Means of places in order, pooled until they do not fall: blocks of weight, mean and number of places.
#[derive(Default)]
struct Pool {
    blocks: Vec<(f64, f64, usize)>,
    likelihood: f64,
}

impl Pool {
    fn add(&mut self, place: &Place) {
        let mut block = (place.n, place.mean, 1);
        while let Some(&(n, mean, places)) = self.blocks.last() {
            if mean < block.1 {
                break;
            }
            self.likelihood -= likelihood(n, mean, mean);
            self.blocks.pop();
            let sum = n + block.0;
            block = (sum, (n * mean + block.0 * block.1) / sum, places + block.2);
        }
        self.likelihood += likelihood(block.0, block.1, block.1);
        self.blocks.push(block);
    }

    fn of<'p>(places: impl Iterator<Item = &'p Place>) -> Self {
        let mut pool = Pool::default();
        places.for_each(|place| pool.add(place));
        pool
    }

    /// The expected score at every place.
    fn scores(&self) -> impl Iterator<Item = f64> + '_ {
        self.blocks.iter().flat_map(|&(_, mean, places)| std::iter::repeat_n(mean, places))
    }

    /// The likelihood where no score may be above, or below, a bound: pooled means beyond it come to lie on it.
    fn bounded(&self, bound: f64, above: bool) -> f64 {
        let held = |mean: f64| if above { mean.max(bound) } else { mean.min(bound) };
        self.blocks.iter().map(|&(n, mean, _)| likelihood(n, mean, held(mean))).sum()
    }
}

/// The score with losses for wins: what falls rises.
fn turned(places: &[Place], rising: bool) -> Vec<Place> {
    places
        .iter()
        .map(|place| Place { mean: if rising { place.mean } else { 1.0 - place.mean }, ..*place })
        .collect()
}

/// The likelihood of the first 0, 1, 2, .. places, if the score only rises there.
fn prefixes(places: &[Place]) -> Vec<f64> {
    let mut pool = Pool::default();
    let mut all = vec![0.0];
    all.extend(places.iter().map(|place| {
        pool.add(place);
        pool.likelihood
    }));
    all
}

/// The pieces of which the places are made: one, unless the score turns beyond doubt.
pub(super) fn pieces(places: &[Place], dispersion: f64) -> Vec<Piece> {
    let mut done = Vec::new();
    let mut open = vec![(0, places.len())];
    while let Some((from, to)) = open.pop() {
        let part = &places[from..to];
        let last = part.len();
        let upward = prefixes(part);
        let falling = turned(part, false);
        let downward = prefixes(&falling);
        // Backwards what falls rises.
        let backwards = |places: &[Place]| {
            let reversed: Vec<Place> = places.iter().rev().copied().collect();
            prefixes(&reversed)
        };
        let (up_from_end, down_from_end) = (backwards(part), backwards(&falling));
        let whole = upward[last].max(downward[last]);
        let turn = (1..last)
            .map(|at| {
                let peak = upward[at] + up_from_end[last - at];
                let valley = downward[at] + down_from_end[last - at];
                (peak.max(valley), at)
            })
            .fold((f64::NEG_INFINITY, 0), |best, next| if next.0 > best.0 { next } else { best });
        if 2.0 * (turn.0 - whole) > TURN * dispersion {
            open.push((from + turn.1, to));
            open.push((from, from + turn.1));
        } else {
            done.push(Piece { from, to, rising: upward[last] >= downward[last] });
        }
    }
    done
}

/// The places of a piece, and what is asked of them.
pub(super) struct Monotone<'p> {
    all: &'p [Place],
    piece: Piece,
    /// The places of the piece, rising.
    places: Vec<Place>,
    target: f64,
    dispersion: f64,
    /// The distance of neighbouring values where scores between them are taken to lie on a line.
    step: Option<f64>,
    free: f64,
    scores: Vec<f64>,
}

impl<'p> Monotone<'p> {
    pub fn new(all: &'p [Place], piece: Piece, target: f64, dispersion: f64, step: Option<f64>) -> Self {
        let places = turned(&all[piece.from..piece.to], piece.rising);
        let target = if piece.rising { target } else { 1.0 - target };
        let pool = Pool::of(places.iter());
        let (free, scores) = (pool.likelihood, pool.scores().collect());
        Monotone { all, piece, places, target, dispersion, step, free, scores }
    }

    /// The expected score at a value, on lines between the places.
    pub fn score(&self, x: f64) -> f64 {
        let after = self.places.partition_point(|place| place.x <= x);
        let rising = match (after.checked_sub(1), self.places.get(after)) {
            (Some(before), Some(next)) => {
                let share = (x - self.places[before].x) / (next.x - self.places[before].x);
                self.scores[before] + share * (self.scores[after] - self.scores[before])
            }
            (Some(before), None) => self.scores[before],
            (None, _) => self.scores[0],
        };
        if self.piece.rising { rising } else { 1.0 - rising }
    }

    /// Where the scores cross the target; none if they do not. Where they are pooled, that is where the pooled ones
    /// do; between neighbours on whole numbers that are on either side of it, their own, which places farther away
    /// cannot bend.
    pub fn crossing(&self) -> Option<f64> {
        let value = self.pooled_crossing()?;
        Some(self.neighbours(value).map_or(value, |(before, after)| {
            before.x + (self.target - before.mean) / (after.mean - before.mean) * (after.x - before.x)
        }))
    }

    /// The neighbours on either side of a value where scores between them are on a line, if their own scores are on
    /// either side of the target.
    fn neighbours(&self, value: f64) -> Option<(&Place, &Place)> {
        let after = self.places.partition_point(|place| place.x < value);
        let (before, after) = (self.places.get(after.checked_sub(1)?)?, self.places.get(after)?);
        let adjacent = self.step.is_some_and(|step| after.x - before.x < 1.5 * step);
        (adjacent && before.mean < self.target && after.mean > self.target).then_some((before, after))
    }

    fn pooled_crossing(&self) -> Option<f64> {
        let after = self.scores.iter().position(|&score| score >= self.target)?;
        if self.scores[after] == self.target {
            let last = self.scores.iter().rposition(|&score| score == self.target)?;
            return Some(f64::midpoint(self.places[after].x, self.places[last].x));
        }
        let before = after.checked_sub(1)?;
        let share = (self.target - self.scores[before]) / (self.scores[after] - self.scores[before]);
        Some(self.places[before].x + share * (self.places[after].x - self.places[before].x))
    }

    /// By how much twice the likelihood falls if the target is crossed at `x`, in units of the dispersion.
    fn fall(&self, x: f64) -> f64 {
        let from = self.places.partition_point(|place| place.x < x);
        let to = self.places.partition_point(|place| place.x <= x);
        let (left, right) = (&self.places[..from], &self.places[to..]);
        let held = match (self.step, left.split_last(), right.split_first()) {
            (Some(step), Some((before, left)), Some((after, right)))
                if from == to && after.x - before.x < 1.5 * step =>
            {
                self.on_a_line(x, (left, before), (after, right))
            }
            _ => {
                let at: f64 = self.places[from..to]
                    .iter()
                    .map(|place| likelihood(place.n, place.mean, self.target))
                    .sum();
                Pool::of(left.iter()).bounded(self.target, false)
                    + Pool::of(right.iter()).bounded(self.target, true)
                    + at
            }
        };
        2.0 * (self.free - held) / self.dispersion
    }

    /// The likelihood where the scores of two neighbours are on a line that crosses the target at `x` between them.
    fn on_a_line(&self, x: f64, below: (&[Place], &Place), above: (&Place, &[Place])) -> f64 {
        let ((left, before), (after, right)) = (below, above);
        let share = (x - before.x) / (after.x - before.x);
        let (left, right) = (Pool::of(left.iter()), Pool::of(right.iter()));
        // The one score fixes the other.
        let other = |score: f64| ((self.target - (1.0 - share) * score) / share).clamp(self.target, 1.0);
        let at = |score: f64| {
            let other = other(score);
            left.bounded(score, false)
                + likelihood(before.n, before.mean, score)
                + likelihood(after.n, after.mean, other)
                + right.bounded(other, true)
        };
        // A concave function of the score: the golden section.
        let (mut low, mut high) = (((self.target - share) / (1.0 - share)).max(0.0), self.target);
        let ratio = (5f64.sqrt() - 1.0) / 2.0;
        let (mut one, mut two) = (high - ratio * (high - low), low + ratio * (high - low));
        let (mut at_one, mut at_two) = (at(one), at(two));
        for _ in 0..40 {
            if at_one < at_two {
                (low, one, at_one) = (one, two, at_two);
                two = low + ratio * (high - low);
                at_two = at(two);
            } else {
                (high, two, at_two) = (two, one, at_one);
                one = high - ratio * (high - low);
                at_one = at(one);
            }
        }
        at_one.max(at_two).max(at(self.target))
    }

    /// The crossing with its interval: all places at which a crossing makes the games not much less likely. An end is
    /// infinite where the score need not cross within the range; where it turns, the end is the turn.
    pub fn interval(&self, value: f64) -> Estimate {
        let bound = normal_reach(ASKED).powi(2);
        let end = |side: f64| {
            if let Some((before, after)) = self.neighbours(value) {
                // If a neighbour alone tells that its score is not the target, the two of them tell all.
                let (own, last) = if side < 0.0 { (before, before.x) } else { (after, after.x) };
                let far = likelihood(own.n, own.mean, own.mean) - likelihood(own.n, own.mean, self.target);
                if 2.0 * far / self.dispersion > bound {
                    return Self::edge(value, last, |x| self.fall_between(x, before, after) > bound);
                }
            }
            // The places on that side, from the crossing outwards, and what is between.
            let mut stops: Vec<f64> = self.places.iter().map(|place| place.x).collect();
            stops.retain(|&x| (x - value) * side > 0.0);
            if side < 0.0 {
                stops.reverse();
            }
            let mut inside = value;
            for stop in stops {
                let probe = if self.step.is_some() { stop } else { f64::midpoint(inside, stop) };
                if self.fall(probe) > bound {
                    // Where scores between places are not known, all that is between two places is inside or outside
                    // together.
                    let known = self.step.is_some();
                    return if known { Self::edge(inside, probe, |x| self.fall(x) > bound) } else { inside };
                }
                inside = stop;
            }
            // Beyond the last place: held to lie there altogether.
            if self.step.is_none() && self.fall(inside + side * 1e-9 * (1.0 + inside.abs())) > bound {
                return inside;
            }
            let beyond = if side < 0.0 { self.piece.from.checked_sub(1) } else { Some(self.piece.to) };
            beyond.and_then(|at| self.all.get(at)).map_or(side * f64::INFINITY, |turn| turn.x)
        };
        Estimate { value, low: end(-1.0), high: end(1.0) }
    }

    /// By how much twice the likelihood of two neighbours falls if the line between their scores crosses the target
    /// at `x`.
    fn fall_between(&self, x: f64, before: &Place, after: &Place) -> f64 {
        let own = |place: &Place| likelihood(place.n, place.mean, place.mean);
        let held = self.on_a_line(x, (&[], before), (after, &[]));
        2.0 * (own(before) + own(after) - held) / self.dispersion
    }

    /// The end of the interval between a value inside and one outside.
    fn edge(mut inside: f64, mut outside: f64, is_outside: impl Fn(f64) -> bool) -> f64 {
        for _ in 0..24 {
            let middle = f64::midpoint(inside, outside);
            if is_outside(middle) {
                outside = middle;
            } else {
                inside = middle;
            }
        }
        outside
    }

    /// By how much twice the likelihood falls, at least, if the target is crossed anywhere in the piece.
    pub fn doubt(&self) -> f64 {
        match (self.crossing(), self.places.first(), self.places.last()) {
            (None, Some(first), Some(last)) => self.fall(first.x).min(self.fall(last.x)),
            _ => 0.0,
        }
    }

    /// The likelihood of the piece.
    pub fn likelihood(&self) -> f64 {
        self.free
    }
}
