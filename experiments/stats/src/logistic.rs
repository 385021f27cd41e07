//! Logistic regression: how the chance of winning depends on what is seen.
//!
//! The log of the odds is a constant and a sum of features, each times its weight. The weights maximise the likelihood less a
//! ridge on the standardised weights, by Newton's method; a weight whose sign is known stays on its side of zero (active set:
//! a weight on the wrong side is left out, and taken in again where the likelihood would gain by it on the right side).
//!
//! Literature: Hastie, Tibshirani, Friedman (2009), *The Elements of Statistical Learning*, 4.4; le Cessie and van Houwelingen
//! (1992), *Applied Statistics* 41, on the ridge.

use nalgebra::{DMatrix, DVector};

use crate::error::Error;
use crate::interval::Moments;

/// Something that came or did not.
#[derive(Clone, PartialEq, Debug)]
pub struct Observation {
    /// What was seen of it.
    pub features: Vec<f64>,
    /// How often it came, 0 to 1.
    pub share: f64,
    /// For how many it counts, more than 0.
    pub weight: f64,
}

/// What was fitted: the log of the odds is the constant and each feature times its weight.
#[derive(Clone, PartialEq, Debug)]
pub struct Logistic {
    /// The constant.
    pub constant: f64,
    /// The weights, by feature; 0 of a feature that does not vary.
    pub weights: Vec<f64>,
}

/// Where Newton's method ends, if it has not converged before.
const STEPS: usize = 100;
/// A step of no more than this in every standardised weight is none.
const STILL: f64 = 1e-8;

impl Logistic {
    /// Fits observations. `signs` is 1 for a feature whose weight may not be negative, -1 for one whose weight may not be
    /// positive, 0 for the others. `ridge` is the strength of the prior that standardised weights are small, in observations; it
    /// keeps weights finite where features tell winners from losers without a fault.
    ///
    /// # Errors
    /// If there are no observations, one has not as many features as `signs`, its share is not from 0 to 1, something is not
    /// finite, or a weight or the ridge is not positive.
    pub fn fit(observations: &[Observation], signs: &[i8], ridge: f64) -> Result<Logistic, Error> {
        if !(ridge > 0.0 && ridge.is_finite()) {
            return Err(Error::setting("the ridge", ridge, "a positive number of observations"));
        }
        if observations.is_empty() {
            return Err(Error::Length { what: "observations", given: 0, expected: 1 });
        }
        for Observation { features, share, weight } in observations {
            if features.len() != signs.len() {
                return Err(Error::Length { what: "features", given: features.len(), expected: signs.len() });
            }
            if let Some(x) = features.iter().find(|x| !x.is_finite()) {
                return Err(Error::setting("a feature", x, "a finite number"));
            }
            if !(0.0..=1.0).contains(share) {
                return Err(Error::setting("a share", share, "a number from 0 to 1"));
            }
            if !(*weight > 0.0 && weight.is_finite()) {
                return Err(Error::setting("a weight", weight, "a positive number"));
            }
        }
        let moments: Vec<Moments> = (0..signs.len())
            .map(|feature| observations.iter().map(|seen| seen.features[feature]).collect())
            .collect();
        let scale: Vec<f64> = moments.iter().map(Moments::deviation).collect();
        let mean: Vec<f64> = moments.iter().map(|moments| moments.mean().value).collect();
        let standardised = |row: usize, feature: usize| {
            (observations[row].features[feature] - mean[feature]) / scale[feature]
        };
        let varying: Vec<usize> = (0..signs.len()).filter(|&feature| moments[feature].varies()).collect();
        let mut live = varying.clone();
        let mut looks = 0;
        let fitted = loop {
            // The last column is the constant.
            let x = DMatrix::from_fn(observations.len(), live.len() + 1, |row, column| {
                live.get(column).map_or(1.0, |&feature| standardised(row, feature))
            });
            let fitted = maximise(&x, observations, ridge);
            // Of weights on the wrong side of zero the one that is farthest from it goes.
            let wrong = |place: &usize| -fitted[*place] * f64::from(signs[live[*place]]);
            let worst = (0..live.len())
                .filter(|place| wrong(place) > 0.0)
                .max_by(|one, other| wrong(one).total_cmp(&wrong(other)));
            if let Some(worst) = worst {
                live.remove(worst);
                continue;
            }
            // Of those that are out the one comes in again by which most would be gained on its side of zero.
            let misses: Vec<f64> = (&x * &fitted)
                .iter()
                .zip(observations)
                .map(|(&logit, seen)| seen.weight * (seen.share - sigmoid(logit)))
                .collect();
            let slope = |feature: usize| -> f64 {
                let along: f64 =
                    misses.iter().enumerate().map(|(row, miss)| miss * standardised(row, feature)).sum();
                along * f64::from(signs[feature])
            };
            let best = varying
                .iter()
                .filter(|feature| !live.contains(feature))
                .map(|&feature| (slope(feature), feature))
                .filter(|(slope, _)| *slope > STILL * observations.len() as f64)
                .max_by(|one, other| one.0.total_cmp(&other.0));
            looks += 1;
            match best {
                Some((_, feature)) if looks <= 2 * signs.len() => live.push(feature),
                _ => break fitted,
            }
        };
        let mut weights = vec![0.0; signs.len()];
        let mut constant = fitted[live.len()];
        for (place, &feature) in live.iter().enumerate() {
            weights[feature] = fitted[place] / scale[feature];
            constant -= weights[feature] * mean[feature];
        }
        Ok(Logistic { constant, weights })
    }

    /// The chance where the features are these.
    pub fn chance(&self, row: &[f64]) -> f64 {
        sigmoid(row.iter().zip(&self.weights).fold(self.constant, |sum, (x, weight)| sum + x * weight))
    }
}

fn sigmoid(logit: f64) -> f64 {
    1.0 / (1.0 + (-logit).exp())
}

/// ln(1 + exp(x)) without overflow.
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// The coefficients of the columns, of which the last is the constant and has no ridge.
fn maximise(x: &DMatrix<f64>, observations: &[Observation], ridge: f64) -> DVector<f64> {
    let width = x.ncols();
    let prior = |column: usize| if column + 1 < width { ridge } else { 0.0 };
    let likelihood = |beta: &DVector<f64>| -> f64 {
        let fit: f64 = (x * beta)
            .iter()
            .zip(observations)
            .map(|(&logit, seen)| seen.weight * (seen.share * logit - softplus(logit)))
            .sum();
        fit - (0..width).map(|column| 0.5 * prior(column) * beta[column] * beta[column]).sum::<f64>()
    };
    let mut beta = DVector::zeros(width);
    let mut reached = likelihood(&beta);
    for _ in 0..STEPS {
        let chances = (x * &beta).map(sigmoid);
        let mut slope = DVector::zeros(width);
        let mut curve = DMatrix::zeros(width, width);
        for (row, (&chance, seen)) in chances.iter().zip(observations).enumerate() {
            let weight = seen.weight * chance * (1.0 - chance);
            for i in 0..width {
                slope[i] += seen.weight * (seen.share - chance) * x[(row, i)];
                for j in 0..=i {
                    curve[(i, j)] += weight * x[(row, i)] * x[(row, j)];
                }
            }
        }
        for i in 0..width {
            slope[i] -= prior(i) * beta[i];
            // So little a ridge on the constant only where all chances are 0 or 1 and nothing else holds it.
            curve[(i, i)] += prior(i).max(1e-9);
            for j in 0..i {
                curve[(j, i)] = curve[(i, j)];
            }
        }
        let Some(factorised) = curve.cholesky() else { break };
        let mut step = factorised.solve(&slope);
        // A step too far is halved.
        let next = loop {
            let next = &beta + &step;
            let there = likelihood(&next);
            if there >= reached {
                reached = there;
                break next;
            }
            if step.amax() <= STILL {
                return beta;
            }
            step *= 0.5;
        };
        beta = next;
        if step.amax() <= STILL {
            break;
        }
    }
    beta
}

#[cfg(test)]
mod tests {
    use rand::RngExt;

    use super::*;
    use crate::random::{generator, normal};

    fn seen(features: &[f64], share: f64) -> Observation {
        Observation { features: features.to_vec(), share, weight: 1.0 }
    }

    /// Games in which the chance is logistic in the first two of four features; the last does not vary.
    fn games(n: usize, seed: u64) -> Vec<Observation> {
        let mut rng = generator(seed);
        (0..n)
            .map(|_| {
                let row = [normal(&mut rng), 100.0 + 10.0 * normal(&mut rng), normal(&mut rng), 5.0];
                let chance = sigmoid(20.5 + 1.5 * row[0] - 0.2 * row[1]);
                seen(&row, f64::from(u8::from(rng.random::<f64>() < chance)))
            })
            .collect()
    }

    /// Three of four came where the feature is 2, one of five where it is -1.
    fn two_values() -> Vec<Observation> {
        let shares = [1.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0];
        [2.0; 4].into_iter().chain([-1.0; 5]).zip(shares).map(|(x, share)| seen(&[x], share)).collect()
    }

    #[test]
    fn one_feature_of_two_values_fits_the_shares_of_each() {
        let fit = Logistic::fit(&two_values(), &[0], 1e-9).unwrap();
        assert!((fit.chance(&[2.0]) - 0.75).abs() < 1e-6, "{fit:?}");
        assert!((fit.chance(&[-1.0]) - 0.2).abs() < 1e-6, "{fit:?}");
    }

    #[test]
    fn an_observation_counts_for_its_weight() {
        let mut observations = two_values();
        // The one that did not come counts for three: three of six.
        observations[3].weight = 3.0;
        let fit = Logistic::fit(&observations, &[0], 1e-9).unwrap();
        assert!((fit.chance(&[2.0]) - 0.5).abs() < 1e-6, "{fit:?}");
    }

    #[test]
    fn the_weights_of_simulated_games_are_found() {
        let fit = Logistic::fit(&games(20_000, 1), &[0; 4], 1.0).unwrap();
        // Standard errors are about 0.03, 0.004 and 0.02.
        for (feature, truth, error) in [(0, 1.5, 0.1), (1, -0.2, 0.012), (2, 0.0, 0.06), (3, 0.0, 0.0)] {
            assert!((fit.weights[feature] - truth).abs() <= error, "{feature}: {fit:?}");
        }
        assert!((fit.constant - 20.5).abs() < 1.2, "{fit:?}");
    }

    #[test]
    fn a_weight_keeps_to_its_side_of_zero_and_the_others_make_up_for_it() {
        let observations = games(4_000, 2);
        let free = Logistic::fit(&observations, &[1, 0, 0, 0], 1.0).unwrap();
        assert!(free.weights[0] > 1.0 && free.weights[1] < -0.1, "{free:?}");
        let held = Logistic::fit(&observations, &[1, 1, 0, 0], 1.0).unwrap();
        assert_eq!(held.weights[1], 0.0);
        // The mean chance still is that of the games.
        let mean = observations.iter().map(|seen| held.chance(&seen.features)).sum::<f64>() / 4_000.0;
        let won = observations.iter().map(|seen| seen.share).sum::<f64>() / 4_000.0;
        assert!((mean - won).abs() < 1e-6);
    }

    #[test]
    fn a_weight_that_was_left_out_comes_in_again_once_another_one_is_out() {
        // Features that move together: what one gives up the others take over, and may be driven over zero and back.
        for seed in 0..60 {
            let mut rng = generator(seed);
            let mix: Vec<[f64; 4]> = (0..4).map(|_| [(); 4].map(|()| normal(&mut rng))).collect();
            let truth = [(); 4].map(|()| normal(&mut rng));
            let signs = [(); 4].map(|()| if rng.random::<bool>() { 1 } else { -1 });
            let observations: Vec<Observation> = (0..300)
                .map(|_| {
                    let draws = [(); 4].map(|()| normal(&mut rng));
                    let of = |weights: &[f64; 4], values: &[f64; 4]| -> f64 {
                        weights.iter().zip(values).map(|(weight, value)| weight * value).sum()
                    };
                    let row = [0, 1, 2, 3].map(|feature| of(&mix[feature], &draws));
                    seen(&row, f64::from(u8::from(rng.random::<f64>() < sigmoid(of(&truth, &row)))))
                })
                .collect();
            let fit = Logistic::fit(&observations, &signs, 1e-6).unwrap();
            for (feature, &sign) in signs.iter().enumerate() {
                let weight = fit.weights[feature] * f64::from(sign);
                assert!(weight >= 0.0, "{seed}: {fit:?}");
                let slope: f64 = observations
                    .iter()
                    .map(|seen| (seen.share - fit.chance(&seen.features)) * seen.features[feature])
                    .sum();
                // At zero nothing is gained by a weight on the right side.
                assert!(weight > 0.0 || slope * f64::from(sign) < 0.01, "{seed} {feature}: {slope} {fit:?}");
            }
        }
    }

    #[test]
    fn winners_told_from_losers_without_a_fault_get_finite_weights() {
        let of = |share: fn(i32) -> bool| -> Vec<Observation> {
            (0..20).map(|x| seen(&[f64::from(x)], f64::from(u8::from(share(x))))).collect()
        };
        let fit = Logistic::fit(&of(|x| x > 9), &[0], 0.1).unwrap();
        assert!(fit.weights[0] > 0.5 && fit.weights[0] < 10.0, "{fit:?}");
        let all = Logistic::fit(&of(|_| true), &[0], 0.1).unwrap();
        assert!(all.constant.is_finite() && all.chance(&[3.0]) > 0.99, "{all:?}");
    }

    #[test]
    fn what_cannot_be_fitted_is_refused() {
        let refuse = |observations: &[Observation], ridge: f64| {
            Logistic::fit(observations, &[0], ridge).unwrap_err().to_string()
        };
        assert_eq!(refuse(&[], 1.0), "observations: 0 given, 1 expected");
        assert_eq!(refuse(&[seen(&[], 0.0)], 1.0), "features: 0 given, 1 expected");
        assert_eq!(refuse(&[seen(&[f64::NAN], 0.0)], 1.0), "a feature is NaN; expected a finite number");
        assert_eq!(refuse(&[seen(&[1.0], 2.0)], 1.0), "a share is 2; expected a number from 0 to 1");
        let weightless = Observation { weight: 0.0, ..seen(&[1.0], 1.0) };
        assert_eq!(refuse(&[weightless], 1.0), "a weight is 0; expected a positive number");
        assert_eq!(
            refuse(&[seen(&[1.0], 1.0)], 0.0),
            "the ridge is 0; expected a positive number of observations"
        );
    }
}
