//! Which parameters matter, from the responses at the points of a [`design`].
//!
//! - [`main_effects`]: the mean response at each level of each factor, for any design. Shows shapes.
//! - [`standardised_regression`]: how much each factor moves the response, in standard deviations, if the response is
//!   about linear; `r_squared` says whether it is. Cheap: a Latin hypercube of ten points a factor.
//! - [`sobol`]: the share of the variance of the response that each factor explains alone (first order) and with all
//!   its interactions (total), whatever the shape. Dear: a Saltelli design.
//!
//! A response is one number a point, such as the mean score of the games played there. Its noise counts as variance
//! that no factor explains; in Sobol's total index it counts as interaction, unless all points share the same dice.
//!
//! Literature: Saltelli et al. (2010), *Computer Physics Communications* 181, 259; Jansen (1999), ibid. 117, 35;
//! Archer, Saltelli and Sobol (1997), *Journal of Statistical Computation and Simulation* 58, 99 (the bootstrap);
//! Ishigami and Homma (1990), the test function.

use nalgebra::{DMatrix, DVector};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::design::{self, Factor, Point, Range, Value, number};
use crate::interval::{Bootstrap, Estimate, Moments};

/// The response over the range of one factor.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MainEffect {
    /// The index of the factor.
    pub factor: usize,
    /// The levels, in the order of the range; those without a point are left out.
    pub levels: Vec<Level>,
    /// The share of the variance of the response between the levels, corrected for the share that chance alone would
    /// give (ε²); 0 to 1.
    pub share: f64,
}

/// A level of a factor, or a part of its range.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Level {
    /// The level in words: a value, or the ends of a part.
    pub label: String,
    /// The middle of the level on the scale of the factor; of a category, its index.
    pub middle: f64,
    /// How many points it has.
    pub n: u64,
    /// The mean response with its interval.
    pub response: Estimate,
}

/// The mean response at each level of each factor. A range with more than `parts` values is cut into that many equal
/// parts.
///
/// `block` is how many points in a row depend on each other: 1 where all are independent, `k + 2` for `k` factors in
/// the design of [`saltelli`](crate::design::saltelli). Points of a block that agree in a factor then count as one
/// observation of it, so that the intervals do not take the same values for so many draws. `bounds` are those of the
/// response, 0 and 1 of a share; infinite where there is none.
///
/// # Errors
/// With points and responses that do not fit each other or the factors, or a response that is not finite.
pub fn main_effects(
    factors: &[Factor],
    points: &[Point],
    responses: &[f64],
    parts: usize,
    block: usize,
    bounds: (f64, f64),
) -> Result<Vec<MainEffect>, Error> {
    check(factors, points, responses)?;
    let (parts, block) = (parts.max(1), block.max(1));
    let all: Moments = responses.iter().copied().collect();
    Ok(factors
        .iter()
        .enumerate()
        .map(|(index, factor)| {
            let count = match (&factor.range, factor.count()) {
                (Range::Categories(_), Some(count)) => count,
                (_, count) => count.filter(|&count| count <= parts).unwrap_or(parts),
            };
            let mut groups = vec![Moments::default(); count];
            let mut observations = groups.clone();
            for (points, responses) in points.chunks(block).zip(responses.chunks(block)) {
                let mut seen: Vec<(Value, Moments)> = Vec::new();
                for (point, &response) in points.iter().zip(responses) {
                    let value = point[index];
                    groups[level_of(factor, value, count)].add(response);
                    match seen.iter_mut().find(|(other, _)| *other == value) {
                        Some((_, mean)) => mean.add(response),
                        None => seen.push((value, [response].into_iter().collect())),
                    }
                }
                for (value, all) in seen {
                    observations[level_of(factor, value, count)].add(all.mean);
                }
            }
            // A level whose points all came out alike is not known exactly: it borrows the spread of the others.
            let freedom: u64 = observations.iter().map(|level| level.n.saturating_sub(1)).sum();
            let pooled =
                observations.iter().map(|level| level.deviations).sum::<f64>() / freedom.max(1) as f64;
            for level in &mut observations {
                if level.n > 1 && !level.varies() {
                    level.deviations = pooled * (level.n - 1) as f64;
                }
            }
            let within: f64 = groups.iter().map(|group| group.deviations).sum();
            let used = groups.iter().filter(|group| group.n > 0).count();
            let freedom = all.n as f64 - used as f64;
            let by_chance = within / freedom * (used as f64 - 1.0);
            let share = (all.deviations - within - by_chance) / all.deviations;
            let levels = groups
                .iter()
                .zip(&observations)
                .enumerate()
                .filter(|(_, (group, _))| group.n > 0)
                .map(|(level, (group, observed))| {
                    let (label, middle) = level_name(factor, level, count);
                    Level { label, middle, n: group.n, response: observed.mean_from(bounds.0, bounds.1) }
                })
                .collect();
            MainEffect {
                factor: index,
                levels,
                share: if share.is_nan() { 0.0 } else { share.clamp(0.0, 1.0) },
            }
        })
        .collect())
}

/// In which of `count` parts of the range a value is.
fn level_of(factor: &Factor, value: Value, count: usize) -> usize {
    ((factor.share(value) * count as f64) as usize).min(count - 1)
}

/// The name and the middle of one of `count` parts of a range.
fn level_name(factor: &Factor, level: usize, count: usize) -> (String, f64) {
    let middle = factor.at((level as f64 + 0.5) / count as f64);
    let end = |level: usize| level as f64 / count as f64;
    match factor.range {
        Range::Real { .. } => {
            (format!("{}..{}", factor.at(end(level)), factor.at(end(level + 1))), number(middle))
        }
        Range::Integer { low, high } if high.abs_diff(low) as usize >= count => {
            let values = high.abs_diff(low) as f64 + 1.0;
            // A value belongs to the part that holds the middle of its share.
            let first = |level: usize| low as f64 + (end(level) * values - 0.5).ceil();
            let (first, last) = (first(level), first(level + 1) - 1.0);
            (format!("{first}..{last}"), f64::midpoint(first, last))
        }
        Range::Integer { .. } | Range::Categories(_) => (factor.label(middle), number(middle)),
    }
}

/// How much each factor moves a response that is about linear in them.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Regression {
    /// The standardised coefficients.
    pub coefficients: Vec<Coefficient>,
    /// For each factor the share of the variance that is lost without it: its coefficient squared where factors are
    /// uncorrelated; for categories that of all its levels together.
    pub shares: Vec<Estimate>,
    /// The share of the variance that all factors explain together. Below about 0.7 the coefficients tell only a part.
    pub r_squared: f64,
}

/// A standardised regression coefficient.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Coefficient {
    /// The index of the factor.
    pub factor: usize,
    /// The index of the category compared with the first one; `None` for a number.
    pub category: Option<usize>,
    /// By how many of its standard deviations the response moves when the factor does by one of its own.
    pub value: Estimate,
}

/// The standardised regression coefficients with percentile bootstrap intervals over the points. A factor that does
/// not vary has exactly zero; of a response that does not vary nothing is known.
///
/// # Errors
/// With points and responses that do not fit each other or the factors, a response that is not finite, fewer points
/// than coefficients and two more, factors that move in step with each other, or bad bootstrap settings.
pub fn standardised_regression(
    factors: &[Factor],
    points: &[Point],
    responses: &[f64],
    bootstrap: &Bootstrap,
) -> Result<Regression, Error> {
    check(factors, points, responses)?;
    bootstrap.check()?;
    // A number is a column, a factor of categories one for each but the first.
    let columns: Vec<(usize, Option<usize>)> = factors
        .iter()
        .enumerate()
        .flat_map(|(index, factor)| match &factor.range {
            Range::Categories(categories) => {
                (1..categories.len()).map(|category| (index, Some(category))).collect::<Vec<_>>()
            }
            _ => vec![(index, None)],
        })
        .collect();
    if points.len() < columns.len() + 2 {
        return Err(Error::Length {
            what: "points of a regression",
            given: points.len(),
            expected: columns.len() + 2,
        });
    }
    if !responses.iter().copied().collect::<Moments>().varies() {
        let nothing = |&(factor, category): &(usize, Option<usize>)| Coefficient {
            factor,
            category,
            value: Estimate::UNKNOWN,
        };
        return Ok(Regression {
            coefficients: columns.iter().map(nothing).collect(),
            shares: vec![Estimate::UNKNOWN.within(0.0, 1.0); factors.len()],
            r_squared: f64::NAN,
        });
    }
    let rows: Vec<Vec<f64>> = points
        .iter()
        .zip(responses)
        .map(|(point, &response)| {
            let cell = |&(factor, category): &(usize, Option<usize>)| match category {
                None => number(point[factor]),
                Some(category) => f64::from(u8::from(point[factor] == Value::Category { category })),
            };
            columns.iter().map(cell).chain([response]).collect()
        })
        .collect();
    let figures = |sample: &[usize]| -> Vec<f64> {
        let sample: Vec<&[f64]> = sample.iter().map(|&row| rows[row].as_slice()).collect();
        regress(&sample, &columns, factors.len())
            .unwrap_or_else(|| vec![f64::NAN; columns.len() + factors.len() + 1])
    };
    let all: Vec<usize> = (0..rows.len()).collect();
    let estimates = bootstrap.percentile_all(&all, figures);
    if estimates[0].value.is_nan() {
        let expected = "factors that do not move in step with each other";
        return Err(Error::setting("the design", "without full rank", expected));
    }
    let (coefficients, rest) = estimates.split_at(columns.len());
    let (shares, r_squared) = rest.split_at(factors.len());
    // What does not vary in the design has no effect by construction, and not by the luck of a sample.
    let idle: Vec<bool> = (0..factors.len())
        .map(|factor| points.iter().all(|point| point[factor] == points[0][factor]))
        .collect();
    let exact = |factor: usize, value: Estimate| {
        if idle[factor] { Estimate { value: 0.0, low: 0.0, high: 0.0 } } else { value }
    };
    Ok(Regression {
        coefficients: columns
            .iter()
            .zip(coefficients)
            .map(|(&(factor, category), &value)| Coefficient {
                factor,
                category,
                value: exact(factor, value),
            })
            .collect(),
        shares: (0..factors.len()).map(|factor| exact(factor, shares[factor].within(0.0, 1.0))).collect(),
        r_squared: r_squared[0].value,
    })
}

/// The coefficients, the factors' shares and R² of one sample of rows, the response last in each; `None` without full
/// rank.
fn regress(rows: &[&[f64]], columns: &[(usize, Option<usize>)], factors: usize) -> Option<Vec<f64>> {
    let width = columns.len() + 1;
    let mut means = vec![0.0; width];
    for row in rows {
        means.iter_mut().zip(*row).for_each(|(mean, x)| *mean += x / rows.len() as f64);
    }
    let mut products = DMatrix::<f64>::zeros(width, width);
    for row in rows {
        for i in 0..width {
            let x = row[i] - means[i];
            for j in 0..=i {
                products[(i, j)] += x * (row[j] - means[j]);
            }
        }
    }
    let last = columns.len();
    let mut figures = vec![0.0; columns.len() + factors + 1];
    // A sum of squares that is rounding only belongs to a column that does not vary.
    let varies = |i: usize| products[(i, i)] > 1e-20 * (1.0 + means[i] * means[i]) * rows.len() as f64;
    let live: Vec<usize> = (0..last).filter(|&i| varies(i)).collect();
    if live.is_empty() || !varies(last) {
        return Some(figures);
    }
    let correlation =
        |i: usize, j: usize| products[(i.max(j), i.min(j))] / (products[(i, i)] * products[(j, j)]).sqrt();
    let among = DMatrix::from_fn(live.len(), live.len(), |i, j| correlation(live[i], live[j]));
    let with_response = DVector::from_fn(live.len(), |i, _| correlation(live[i], last));
    let factorised = among.cholesky()?;
    if factorised.l_dirty().diagonal().iter().any(|&pivot| pivot < 1e-6) {
        return None;
    }
    let inverse = factorised.inverse();
    let beta = &inverse * &with_response;
    for (place, &column) in live.iter().enumerate() {
        figures[column] = beta[place];
    }
    for factor in 0..factors {
        let own: Vec<usize> = (0..live.len()).filter(|&place| columns[live[place]].0 == factor).collect();
        if own.is_empty() {
            continue;
        }
        let block = DMatrix::from_fn(own.len(), own.len(), |i, j| inverse[(own[i], own[j])]);
        let part = DVector::from_fn(own.len(), |i, _| beta[own[i]]);
        figures[last + factor] = part.dot(&block.cholesky()?.solve(&part));
    }
    figures[last + factors] = beta.dot(&with_response);
    Some(figures)
}

/// The Sobol indices of one factor: shares of the variance of the response.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sobol {
    /// What the factor explains alone.
    pub first: Estimate,
    /// What it explains alone and in interactions: what would be left if only this factor were unknown.
    pub total: Estimate,
}

/// First-order (Saltelli 2010) and total (Jansen 1999) indices of `factors` factors, from the responses at the points
/// of [`saltelli`](crate::design::saltelli) in their order, with percentile bootstrap intervals over the base points.
///
/// By chance the estimators fall a little below 0 or above 1; what is reported is within. The base points are evener
/// than random ones, so the intervals are wider rather than narrower than they need be. Without any variance nothing
/// is known of the indices.
///
/// # Errors
/// With responses that are not a whole number of base points, fewer than two of them, a response that is not finite, or
/// bad bootstrap settings.
pub fn sobol(factors: usize, responses: &[f64], bootstrap: &Bootstrap) -> Result<Vec<Sobol>, Error> {
    bootstrap.check()?;
    finite(responses)?;
    let width = factors + 2;
    let rows = responses.len() / width;
    if factors == 0 || rows < 2 || !responses.len().is_multiple_of(width) {
        let expected = rows.max(2) * width;
        return Err(Error::Length {
            what: "responses of a Saltelli design",
            given: responses.len(),
            expected,
        });
    }
    if !responses.iter().copied().collect::<Moments>().varies() {
        let unknown = Estimate::UNKNOWN.within(0.0, 1.0);
        return Ok(vec![Sobol { first: unknown, total: unknown }; factors]);
    }
    // The estimator of the first order is noisy unless the response is centred.
    let mean = responses.iter().sum::<f64>() / responses.len() as f64;
    let all: Vec<usize> = (0..rows).collect();
    let estimates = bootstrap.percentile_all(&all, |sample| {
        let mut variance = Moments::default();
        let mut figures = vec![0.0; 2 * factors];
        for &row in sample {
            let row = &responses[row * width..(row + 1) * width];
            let (a, b) = (row[0] - mean, row[width - 1] - mean);
            variance.extend([a, b]);
            for factor in 0..factors {
                let mixed = row[1 + factor] - mean;
                figures[factor] += b * (mixed - a);
                figures[factors + factor] += (a - mixed).powi(2) / 2.0;
            }
        }
        let scale = sample.len() as f64 * variance.variance();
        figures.iter().map(|figure| if scale > 0.0 { figure / scale } else { 0.0 }).collect()
    });
    let (first, total) = estimates.split_at(factors);
    let share = |estimate: &Estimate| estimate.within(0.0, 1.0);
    Ok(first
        .iter()
        .zip(total)
        .map(|(first, total)| Sobol { first: share(first), total: share(total) })
        .collect())
}

fn finite(responses: &[f64]) -> Result<(), Error> {
    responses
        .iter()
        .find(|response| !response.is_finite())
        .map_or(Ok(()), |response| Err(Error::setting("a response", response, "a finite number")))
}

fn check(factors: &[Factor], points: &[Point], responses: &[f64]) -> Result<(), Error> {
    design::check(factors)?;
    finite(responses)?;
    if responses.len() != points.len() {
        return Err(Error::Length { what: "responses", given: responses.len(), expected: points.len() });
    }
    match points.iter().find(|point| point.len() != factors.len()) {
        None => Ok(()),
        Some(point) => {
            Err(Error::Length { what: "values of a point", given: point.len(), expected: factors.len() })
        }
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use rand::RngExt;

    use super::*;
    use crate::design::{grid, latin_hypercube, saltelli};
    use crate::random::{assert_coverage, close, generator, normal};

    const ANY: (f64, f64) = (f64::NEG_INFINITY, f64::INFINITY);

    fn quick(seed: u64) -> Bootstrap {
        Bootstrap { resamples: 300, ..Bootstrap::new(seed) }
    }

    #[test]
    fn ishigami() {
        let factors: Vec<Factor> = ["x1", "x2", "x3"].map(|name| Factor::real(name, -PI, PI)).to_vec();
        let points = saltelli(&factors, 4096, 1).unwrap();
        let responses: Vec<f64> = points
            .iter()
            .map(|point| {
                let x: Vec<f64> = point.iter().map(|&value| number(value)).collect();
                x[0].sin() + 7.0 * x[1].sin().powi(2) + 0.1 * x[2].powi(4) * x[0].sin()
            })
            .collect();
        let indices = sobol(3, &responses, &quick(1)).unwrap();
        // The analytic values.
        let variance = 49.0 / 8.0 + 0.1 * PI.powi(4) / 5.0 + 0.01 * PI.powi(8) / 18.0 + 0.5;
        let one = 0.5 * (1.0 + 0.1 * PI.powi(4) / 5.0).powi(2) / variance;
        let two = 49.0 / 8.0 / variance;
        let both = 0.01 * PI.powi(8) * (1.0 / 18.0 - 1.0 / 50.0) / variance;
        close(one, 0.3139, 1e-4);
        close(both, 0.2437, 1e-4);
        for (index, (first, total)) in indices.iter().zip([(one, one + both), (two, two), (0.0, both)]) {
            close(index.first.value, first, 0.01);
            close(index.total.value, total, 0.01);
            assert!(index.first.contains(first) && index.total.contains(total), "{index:?}");
            assert!(index.first.width() < 0.15 && index.total.width() < 0.1, "{index:?}");
        }
    }

    #[test]
    fn sobol_intervals_cover() {
        // Independent base points, for which the bootstrap is meant, and the product x y of two uniform factors on ±1
        // plus x: the shares of x, y and both are 3/4, 0 and 1/4.
        let interval = |index: usize, run: u64| {
            let mut rng = generator(run);
            let mut responses = Vec::new();
            for _ in 0..300 {
                let [a, b, c, d] = std::array::from_fn(|_| 2.0 * rng.random::<f64>() - 1.0);
                responses.extend([(a, b), (c, b), (a, d), (c, d)].map(|(x, y)| x + x * y));
            }
            sobol(2, &responses, &quick(run)).unwrap()[index].first
        };
        assert_coverage(1000, 0.75, |run| interval(0, run));
        // An index of nothing is missed on one side only.
        let covered = (0..1000).filter(|&run| interval(1, run).contains(0.0)).count();
        assert!((930..=985).contains(&covered), "{covered}");
    }

    #[test]
    fn coefficients_of_a_linear_response_are_exact() {
        let factors = [
            Factor::real("x", 0.0, 10.0),
            Factor::integer("n", 1, 5),
            Factor::categories("c", ["none", "some", "much"]),
            Factor::real("idle", 3.0, 3.0),
        ];
        let points = grid(&factors, 5).unwrap();
        let effect = [0.0, 1.5, -4.0];
        let responses: Vec<f64> = points
            .iter()
            .map(|point| 2.0 * number(point[0]) - 3.0 * number(point[1]) + effect[number(point[2]) as usize])
            .collect();
        let fit = standardised_regression(&factors, &points, &responses, &quick(1)).unwrap();
        // Population variances of the grid: 12.5, 2 and those of the effects.
        let category = effect.iter().map(|e| e * e).sum::<f64>() / 3.0 - (-2.5f64 / 3.0).powi(2);
        let variance = 4.0 * 12.5 + 9.0 * 2.0 + category;
        close(fit.coefficients[0].value.value, 2.0 * (12.5 / variance).sqrt(), 1e-9);
        close(fit.coefficients[1].value.value, -3.0 * (2.0 / variance).sqrt(), 1e-9);
        let dummy = (2.0 / 9.0f64).sqrt();
        close(fit.coefficients[2].value.value, 1.5 * dummy / variance.sqrt(), 1e-9);
        close(fit.coefficients[3].value.value, -4.0 * dummy / variance.sqrt(), 1e-9);
        assert_eq!((fit.coefficients[3].factor, fit.coefficients[3].category), (2, Some(2)));
        for (share, truth) in fit.shares.iter().zip([50.0, 18.0, category, 0.0]) {
            close(share.value, truth / variance, 1e-9);
        }
        close(fit.r_squared, 1.0, 1e-9);
        close(fit.coefficients[4].value.value, 0.0, 0.0);
    }

    #[test]
    fn coefficients_of_a_noisy_response_cover() {
        let factors = [Factor::real("x", 0.0, 1.0), Factor::real("y", 0.0, 1.0)];
        // Variances 1/12, 4/12 and 1/3: shares of 1/9 and 4/9.
        assert_coverage(600, 2.0 / 3.0, |run| {
            let points = latin_hypercube(&factors, 120, 1, run).unwrap();
            let mut rng = generator(run);
            let responses: Vec<f64> = points
                .iter()
                .map(|point| {
                    number(point[0]) + 2.0 * number(point[1]) + normal(&mut rng) * (4.0f64 / 12.0).sqrt()
                })
                .collect();
            standardised_regression(&factors, &points, &responses, &quick(run)).unwrap().coefficients[1].value
        });
    }

    #[test]
    fn main_effects_show_the_shape() {
        let factors = [
            Factor::real("x", -1.0, 1.0),
            Factor::categories("c", ["a", "b"]),
            Factor::integer("n", 1, 10),
            Factor::integer("m", 1, 3),
        ];
        let points = latin_hypercube(&factors, 400, 1, 2).unwrap();
        let mut rng = generator(2);
        let responses: Vec<f64> = points
            .iter()
            .map(|point| number(point[0]).powi(2) * 3.0 + number(point[1]) + 0.1 * normal(&mut rng))
            .collect();
        let effects = main_effects(&factors, &points, &responses, 4, 1, ANY).unwrap();
        let x = &effects[0];
        assert_eq!(x.levels.len(), 4);
        assert_eq!((x.levels[0].label.as_str(), x.levels[0].middle), ("-1..-0.5", -0.75));
        assert_eq!(x.levels.iter().map(|level| level.n).sum::<u64>(), 400);
        // The mean of 3x² on the outer and inner quarters, and half of c.
        close(x.levels[0].response.value, 1.75 + 0.5, 0.2);
        close(x.levels[2].response.value, 0.25 + 0.5, 0.2);
        assert_eq!(effects[1].levels[1].label, "b");
        close(effects[1].levels[1].response.value - effects[1].levels[0].response.value, 1.0, 0.3);
        let labels =
            |effect: &MainEffect| effect.levels.iter().map(|level| level.label.clone()).collect::<Vec<_>>();
        assert_eq!(labels(&effects[2]), ["1..2", "3..5", "6..7", "8..10"]);
        assert_eq!(effects[2].levels.iter().map(|level| level.n).collect::<Vec<_>>(), [80, 120, 80, 120]);
        assert_eq!(labels(&effects[3]), ["1", "2", "3"]);
        assert!(x.share > 0.4 && effects[1].share > 0.1 && effects[2].share < 0.05, "{effects:?}");
    }

    #[test]
    fn answers_must_fit_the_questions() {
        let factors = [Factor::real("x", 0.0, 1.0), Factor::real("y", 0.0, 1.0)];
        let points = grid(&factors, 3).unwrap();
        let message = main_effects(&factors, &points, &[1.0; 8], 3, 1, ANY).unwrap_err().to_string();
        assert_eq!(message, "responses: 8 given, 9 expected");
        assert!(main_effects(&factors, &points, &[f64::NAN; 9], 3, 1, ANY).is_err());
        assert!(sobol(2, &[0.0; 9], &quick(1)).unwrap_err().to_string().contains("8 expected"));
        assert!(sobol(2, &[0.0; 4], &quick(1)).is_err());
        let nothing = sobol(2, &[1.0; 8], &quick(1)).unwrap()[0].total;
        assert!(nothing.value.is_nan() && (nothing.low, nothing.high) == (0.0, 1.0), "{nothing:?}");
        let bad = Bootstrap { level: 2.0, ..quick(1) };
        assert!(sobol(2, &[0.0; 8], &bad).is_err());
        // Two factors in step.
        let points: Vec<Point> = (0..9).map(|i| vec![Value::Real(f64::from(i) / 8.0); 2]).collect();
        let responses: Vec<f64> = (0..9).map(f64::from).collect();
        assert!(standardised_regression(&factors, &points, &responses, &quick(1)).is_err());
        assert!(standardised_regression(&factors, &points[..3], &responses[..3], &quick(1)).is_err());
        // A response that does not vary.
        let points = grid(&factors, 3).unwrap();
        let fit = standardised_regression(&factors, &points, &[0.5; 9], &quick(1)).unwrap();
        assert!(fit.coefficients[0].value.value.is_nan() && fit.shares[0].value.is_nan(), "{fit:?}");
        close(main_effects(&factors, &points, &[0.5; 9], 3, 1, ANY).unwrap()[0].share, 0.0, 0.0);
    }

    #[test]
    fn level_means_of_a_saltelli_design_are_not_surer_than_they_can_be() {
        const K: usize = 12;
        let factors: Vec<Factor> = (0..K).map(|index| Factor::real(format!("x{index}"), 0.0, 1.0)).collect();
        let response = |point: &Point| {
            let x: Vec<f64> = point.iter().map(|&value| number(value)).collect();
            x[0] + 2.0 * x[0] * x[1] + x.iter().map(|x| 6.0 * (x - 0.5).powi(2)).sum::<f64>()
        };
        // Its mean where the first factor is in the fifth from `level / 5` on.
        let truth = |level: usize| {
            let middle = (level as f64 + 0.5) / 5.0;
            let square = (middle - 0.5).powi(2) + 1.0 / 300.0;
            2.0 * middle + 6.0 * (square + (K - 1) as f64 / 12.0)
        };
        let covered = |block: usize| {
            let mut covered = Moments::default();
            for seed in 0..60 {
                let points = saltelli(&factors, 64, seed).unwrap();
                let responses: Vec<f64> = points.iter().map(response).collect();
                let effects = main_effects(&factors, &points, &responses, 5, block, ANY).unwrap();
                for (level, line) in effects[0].levels.iter().enumerate() {
                    covered.add(f64::from(u8::from(line.response.contains(truth(level)))));
                }
            }
            covered.mean
        };
        assert!(covered(K + 2) > 0.94, "{}", covered(K + 2));
        assert!(covered(1) < 0.85, "taken for independent they are too sure: {}", covered(1));
    }
}
