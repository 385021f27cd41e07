//! Designed experiments: at which points to play.
//!
//! A [`Factor`] is a parameter with its range. A design is a list of points, one [`Value`] a factor:
//! - [`grid`] crosses levels of all factors: for two or three factors, or to draw a picture;
//! - [`latin_hypercube`] spreads any number of points so that each factor's range is covered evenly: for regression and
//!   main effects of many factors;
//! - [`saltelli`] makes the points that Sobol indices need: `n (k + 2)` of them for `k` factors.
//!
//! The same seed gives the same points. What is done with the answers is in [`sensitivity`](crate::sensitivity).
//!
//! Literature: `McKay`, Beckman and Conover (1979), *Technometrics* 21, 239; Johnson et al. (1990), *Journal of
//! Statistical Planning and Inference* 26, 131 (maximin); Saltelli et al. (2010), *Computer Physics Communications*
//! 181, 259; Joe and Kuo (2008), *SIAM Journal on Scientific Computing* 30, 2635; Burley (2020), *Journal of Computer
//! Graphics Techniques* 9(4) (Owen scrambling).

use std::fmt;

use rand::RngExt;
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::random::generator;

/// The values that a factor may take.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Range {
    /// Any number from `low` to `high`.
    Real {
        /// The least.
        low: f64,
        /// The greatest.
        high: f64,
    },
    /// The whole numbers from `low` to `high`, both included.
    Integer {
        /// The least.
        low: i64,
        /// The greatest.
        high: i64,
    },
    /// One of these, without order.
    Categories(Vec<String>),
}

/// A parameter of an experiment.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Factor {
    /// Its name, such as the path of an override.
    pub name: String,
    /// Its range.
    pub range: Range,
}

/// The value of a factor at a point.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// A whole number.
    Integer(i64),
    /// A number.
    Real(f64),
    /// The index of a category.
    Category {
        /// The index in the factor's list.
        category: usize,
    },
}

/// One value a factor, in the order of the factors.
pub type Point = Vec<Value>;

/// More points than this are a mistake.
const LARGEST: usize = 10_000_000;

impl Factor {
    /// A factor of any number from `low` to `high`.
    pub fn real(name: impl Into<String>, low: f64, high: f64) -> Self {
        Factor { name: name.into(), range: Range::Real { low, high } }
    }

    /// A factor of whole numbers from `low` to `high`.
    pub fn integer(name: impl Into<String>, low: i64, high: i64) -> Self {
        Factor { name: name.into(), range: Range::Integer { low, high } }
    }

    /// A factor of categories.
    pub fn categories(
        name: impl Into<String>,
        categories: impl IntoIterator<Item = impl Into<String>>,
    ) -> Self {
        let categories = categories.into_iter().map(Into::into).collect();
        Factor { name: name.into(), range: Range::Categories(categories) }
    }

    /// Checks that the range holds a value.
    ///
    /// # Errors
    /// With ends that are not finite or not in order, or without categories.
    pub fn check(&self) -> Result<(), Error> {
        let (value, expected) = match &self.range {
            Range::Real { low, high } if low.is_finite() && high.is_finite() && low <= high => return Ok(()),
            // As many whole numbers as a float can tell apart.
            Range::Integer { low, high } if low <= high && high.abs_diff(*low) < 1 << 53 => return Ok(()),
            Range::Categories(categories) if !categories.is_empty() => return Ok(()),
            Range::Real { low, high } => (format!("{low}..{high}"), "two finite numbers, the lower first"),
            Range::Integer { low, high } => (format!("{low}..{high}"), "two whole numbers, the lower first"),
            Range::Categories(_) => ("empty".to_owned(), "at least one category"),
        };
        Err(Error::setting(format!("the range of {}", self.name), value, expected))
    }

    /// How many values there are; `None` for a continuous range.
    pub fn count(&self) -> Option<usize> {
        match &self.range {
            Range::Real { .. } => None,
            Range::Integer { low, high } => Some(high.abs_diff(*low) as usize + 1),
            Range::Categories(categories) => Some(categories.len()),
        }
    }

    /// The value at a share `u` of the range, from 0 to 1; values that can be counted have equal shares.
    pub fn at(&self, u: f64) -> Value {
        let u = u.clamp(0.0, 1.0);
        let index = |count: usize| ((u * count as f64) as usize).min(count - 1);
        match &self.range {
            Range::Real { low, high } => Value::Real((low + u * (high - low)).clamp(*low, *high)),
            Range::Integer { low, high } => {
                Value::Integer(low + index(high.abs_diff(*low) as usize + 1) as i64)
            }
            Range::Categories(categories) => Value::Category { category: index(categories.len()) },
        }
    }

    /// The share of the range at which a value stands: the middle of its share where values can be counted, and ½ for a
    /// range without extent.
    pub fn share(&self, value: Value) -> f64 {
        let middle = |index: f64, count: usize| (index + 0.5) / count as f64;
        match (&self.range, value) {
            (Range::Real { low, high }, value) => {
                let share = (number(value) - low) / (high - low);
                if share.is_nan() { 0.5 } else { share.clamp(0.0, 1.0) }
            }
            (Range::Integer { low, high }, value) => {
                middle(number(value) - *low as f64, high.abs_diff(*low) as usize + 1).clamp(0.0, 1.0)
            }
            (Range::Categories(categories), value) => middle(number(value), categories.len()).clamp(0.0, 1.0),
        }
    }

    /// Evenly spaced values from one end of the range to the other, at most `most` of an ordered range; all categories.
    pub fn levels(&self, most: usize) -> Vec<Value> {
        let most = most.max(1);
        let share = |index: usize, of: usize| if of == 1 { 0.5 } else { index as f64 / (of - 1) as f64 };
        match &self.range {
            Range::Real { low, high } => {
                let of = if low == high { 1 } else { most };
                (0..of).map(|index| self.at(share(index, of))).collect()
            }
            Range::Integer { low, high } => {
                let steps = high.abs_diff(*low) as usize;
                let of = most.min(steps + 1);
                (0..of)
                    .map(|index| Value::Integer(low + (share(index, of) * steps as f64).round() as i64))
                    .collect()
            }
            Range::Categories(categories) => {
                (0..categories.len()).map(|category| Value::Category { category }).collect()
            }
        }
    }

    /// The value in words: a number, or the name of the category.
    pub fn label(&self, value: Value) -> String {
        match (&self.range, value) {
            (Range::Categories(categories), Value::Category { category }) => {
                categories.get(category).cloned().unwrap_or_else(|| category.to_string())
            }
            (_, value) => value.to_string(),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Integer(value) => value.fmt(f),
            Value::Real(value) => value.fmt(f),
            Value::Category { category } => category.fmt(f),
        }
    }
}

/// The value as a number; of a category, its index.
pub fn number(value: Value) -> f64 {
    match value {
        Value::Integer(value) => value as f64,
        Value::Real(value) => value,
        Value::Category { category } => category as f64,
    }
}

pub(crate) fn check(factors: &[Factor]) -> Result<(), Error> {
    if factors.is_empty() {
        return Err(Error::setting("the number of factors", 0, "at least 1"));
    }
    factors.iter().try_for_each(Factor::check)
}

/// All combinations of levels: at most `most` of each ordered factor, all categories. The last factor changes fastest.
///
/// # Errors
/// Without factors, with a bad range, or with more than ten million points.
pub fn grid(factors: &[Factor], most: usize) -> Result<Vec<Point>, Error> {
    check(factors)?;
    let mut size = 1usize;
    for factor in factors {
        // Counted before they are made.
        let levels = factor.count().map_or(most.max(1), |count| match factor.range {
            Range::Categories(_) => count,
            _ => count.min(most.max(1)),
        });
        size = size.saturating_mul(levels);
    }
    if size > LARGEST {
        return Err(Error::setting("the size of the grid", size, "at most 10000000 points"));
    }
    let mut points: Vec<Point> = vec![Vec::new()];
    for factor in factors {
        let levels = factor.levels(most);
        points = points
            .into_iter()
            .flat_map(|point| {
                levels.iter().map(move |&level| point.iter().copied().chain([level]).collect::<Point>())
            })
            .collect();
    }
    Ok(points)
}

/// A Latin hypercube of `n` points: the range of every factor is cut into `n` equal shares and each is used once. Of
/// `tries` random ones, that whose closest two points are farthest apart. Above 2,000 points, where that choice no
/// longer matters, the first.
///
/// # Errors
/// Without factors or points, with more than ten million points, or with a bad range.
pub fn latin_hypercube(factors: &[Factor], n: usize, tries: usize, seed: u64) -> Result<Vec<Point>, Error> {
    const COMPARED: usize = 2000;
    check(factors)?;
    if n == 0 || n > LARGEST {
        return Err(Error::setting("the number of points", n, "from 1 to 10000000"));
    }
    let mut rng = generator(seed);
    let mut best: Option<(f64, Vec<Vec<f64>>)> = None;
    for _ in 0..if n > COMPARED { 1 } else { tries.max(1) } {
        let columns: Vec<Vec<f64>> = factors
            .iter()
            .map(|_| {
                let mut shares: Vec<usize> = (0..n).collect();
                shares.shuffle(&mut rng);
                shares.iter().map(|&share| (share as f64 + rng.random::<f64>()) / n as f64).collect()
            })
            .collect();
        let distance = if n > COMPARED { 0.0 } else { least_distance(&columns, n) };
        if best.as_ref().is_none_or(|(least, _)| distance > *least) {
            best = Some((distance, columns));
        }
    }
    let columns = best.map(|(_, columns)| columns).unwrap_or_default();
    Ok((0..n)
        .map(|row| factors.iter().zip(&columns).map(|(factor, column)| factor.at(column[row])).collect())
        .collect())
}

/// The squared distance of the closest two points.
fn least_distance(columns: &[Vec<f64>], n: usize) -> f64 {
    let mut least = f64::INFINITY;
    for a in 0..n {
        for b in 0..a {
            let distance: f64 = columns.iter().map(|column| (column[a] - column[b]).powi(2)).sum();
            least = least.min(distance);
        }
    }
    least
}

/// The points for Sobol indices from `n` base points: for each, the point A, then for every factor A with that factor's
/// value taken from B, then B. The responses go in this order to [`sobol`](crate::sensitivity::sobol).
///
/// A and B are the two halves of a Sobol sequence (direction numbers of Joe and Kuo), scrambled by the seed. It is most
/// even when `n` is a power of two.
///
/// # Errors
/// Without factors or with more than 128, with `n` not from 2 to 65,536, with more than ten million points, or with a
/// bad range.
pub fn saltelli(factors: &[Factor], n: usize, seed: u64) -> Result<Vec<Point>, Error> {
    check(factors)?;
    let k = factors.len();
    let most = sobol_burley::NUM_DIMENSIONS as usize / 2;
    if k > most {
        return Err(Error::setting("the number of factors", k, format!("at most {most}")));
    }
    if !(2..=65_536).contains(&n) {
        return Err(Error::setting("the number of base points", n, "from 2 to 65536"));
    }
    if n * (k + 2) > LARGEST {
        return Err(Error::setting("the number of points", n * (k + 2), "at most 10000000"));
    }
    // Both halves of the seed matter.
    let scramble = generator(seed).random::<u32>();
    let value = |row: usize, factor: usize, half: usize| {
        let u = sobol_burley::sample(row as u32, (half * k + factor) as u32, scramble);
        factors[factor].at(f64::from(u))
    };
    let mut points = Vec::with_capacity(n * (k + 2));
    for row in 0..n {
        let a: Point = (0..k).map(|factor| value(row, factor, 0)).collect();
        let b: Point = (0..k).map(|factor| value(row, factor, 1)).collect();
        points.push(a.clone());
        for factor in 0..k {
            let mut mixed = a.clone();
            mixed[factor] = b[factor];
            points.push(mixed);
        }
        points.push(b);
    }
    Ok(points)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::random::close;

    fn factors() -> Vec<Factor> {
        vec![
            Factor::real("supply", 0.5, 2.0),
            Factor::integer("corps", 3, 7),
            Factor::categories("weather", ["fair", "mud"]),
        ]
    }

    #[test]
    fn a_grid_crosses_everything() {
        let points = grid(&factors(), 3).unwrap();
        assert_eq!(points.len(), 3 * 3 * 2);
        assert_eq!(points[0], [Value::Real(0.5), Value::Integer(3), Value::Category { category: 0 }]);
        assert_eq!(points[1][2], Value::Category { category: 1 });
        assert_eq!(points[17], [Value::Real(2.0), Value::Integer(7), Value::Category { category: 1 }]);
        assert_eq!(points[8][0], Value::Real(1.25));
        // Fewer values than levels.
        assert_eq!(Factor::integer("n", 1, 2).levels(9), [Value::Integer(1), Value::Integer(2)]);
        assert_eq!(Factor::real("x", 4.0, 4.0).levels(9), [Value::Real(4.0)]);
        assert_eq!(Factor::real("x", 4.0, 6.0).levels(1), [Value::Real(5.0)]);
        let many = vec![Factor::integer("n", 0, i64::from(u32::MAX)); 3];
        assert!(grid(&many, usize::MAX).unwrap_err().to_string().contains("10000000"));
    }

    #[test]
    fn shares_and_values_are_inverse() {
        for factor in factors() {
            for step in 0..=20 {
                let value = factor.at(f64::from(step) / 20.0);
                assert_eq!(factor.at(factor.share(value)), value);
            }
        }
        assert_eq!(factors()[2].label(Value::Category { category: 1 }), "mud");
        assert_eq!(factors()[0].label(Value::Real(0.5)), "0.5");
        close(Factor::real("x", 1.0, 1.0).share(Value::Real(1.0)), 0.5, 0.0);
    }

    #[test]
    fn a_latin_hypercube_uses_every_share_once() {
        let points = latin_hypercube(&factors(), 40, 10, 3).unwrap();
        let mut shares: Vec<usize> =
            points.iter().map(|point| (factors()[0].share(point[0]) * 40.0) as usize).collect();
        shares.sort_unstable();
        assert_eq!(shares, (0..40).collect::<Vec<_>>());
        let mut corps = BTreeMap::new();
        for point in &points {
            *corps.entry(number(point[1]) as i64).or_insert(0) += 1;
        }
        assert_eq!(corps, (3..=7).map(|value| (value, 8)).collect());
        assert_eq!(points, latin_hypercube(&factors(), 40, 10, 3).unwrap());
        assert_ne!(points, latin_hypercube(&factors(), 40, 10, 4).unwrap());
    }

    #[test]
    fn the_best_hypercube_of_many_is_farther_apart() {
        let factors = vec![Factor::real("x", 0.0, 1.0); 2];
        let least = |tries| {
            let points = latin_hypercube(&factors, 20, tries, 5).unwrap();
            let columns: Vec<Vec<f64>> =
                (0..2).map(|column| points.iter().map(|point| number(point[column])).collect()).collect();
            least_distance(&columns, 20)
        };
        assert!(least(200) > 2.0 * least(1), "{} {}", least(200), least(1));
    }

    #[test]
    fn saltelli_mixes_two_even_samples() {
        let factors = vec![Factor::real("x", 0.0, 1.0); 12];
        let points = saltelli(&factors, 256, 7).unwrap();
        assert_eq!(points.len(), 256 * 14);
        for row in points.chunks(14) {
            for factor in 0..12 {
                for other in 0..12 {
                    let source = if other == factor { &row[13] } else { &row[0] };
                    assert_eq!(row[1 + factor][other], source[other]);
                }
            }
        }
        // Each of the 24 columns is a one-dimensional net: every 256th of the range holds one point.
        for (block, column) in [(0, 0), (0, 11), (13, 0), (13, 11)] {
            let mut shares: Vec<usize> =
                points.chunks(14).map(|row| (number(row[block][column]) * 256.0) as usize).collect();
            shares.sort_unstable();
            assert_eq!(shares, (0..256).collect::<Vec<_>>());
        }
        assert_ne!(points, saltelli(&factors, 256, 8).unwrap());
        assert_ne!(points, saltelli(&factors, 256, 7 + (1 << 40)).unwrap());
    }

    #[test]
    fn bad_designs_are_refused() {
        assert!(grid(&[], 3).is_err());
        let message = grid(&[Factor::real("fuel", 2.0, 1.0)], 3).unwrap_err().to_string();
        assert_eq!(message, "the range of fuel is 2..1; expected two finite numbers, the lower first");
        assert!(latin_hypercube(&factors(), 0, 1, 1).is_err());
        assert!(latin_hypercube(&[Factor::integer("n", 2, 1)], 5, 1, 1).is_err());
        assert!(saltelli(&[Factor::categories("c", [] as [&str; 0])], 8, 1).is_err());
        assert!(saltelli(&factors(), 1, 1).is_err());
        assert!(saltelli(&vec![Factor::real("x", 0.0, 1.0); 129], 8, 1).is_err());
    }

    #[test]
    fn factors_are_data() {
        let text = serde_json::to_string(&factors()).unwrap();
        assert_eq!(serde_json::from_str::<Vec<Factor>>(&text).unwrap(), factors());
        let point = &grid(&factors(), 2).unwrap()[3];
        let text = serde_json::to_string(point).unwrap();
        assert_eq!(text, r#"[0.5,7,{"category":1}]"#);
        assert_eq!(&serde_json::from_str::<Point>(&text).unwrap(), point);
        assert_eq!(serde_json::from_str::<Value>("2.0").unwrap(), Value::Real(2.0));
    }
}
