//! Logistic regression: how the chance of winning depends on what is seen.
//!
//! The log of the odds is a constant and a sum of features, each times its weight. The weights maximise the likelihood less a
//! ridge on the standardised weights, by Newton's method; a weight whose sign is known stays on its side of zero.
//!
//! Literature: Hastie, Tibshirani, Friedman (2009), *The Elements of Statistical Learning*, 4.4; le Cessie and van Houwelingen
//! (1992), *Applied Statistics* 41, on the ridge.

use nalgebra::{DMatrix, DVector};

use crate::error::Error;
use crate::interval::Moments;

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
    /// Fits observations: a row of features each, and how often it came, 0 to 1. `signs` is 1 for a feature whose weight may not be
    /// negative, -1 for one whose weight may not be positive, 0 for the others. `ridge` is the strength of the prior that
    /// standardised weights are small, in observations; it keeps weights finite where features tell winners from losers
    /// without a fault.
    ///
    /// # Errors
    /// If there are no observations, rows are not as long as `signs`, shares are not from 0 to 1, something is not finite, or the
    /// ridge is not positive.
    pub fn fit(rows: &[Vec<f64>], shares: &[f64], signs: &[i8], ridge: f64) -> Result<Logistic, Error> {
        if !(ridge > 0.0 && ridge.is_finite()) {
            return Err(Error::setting("the ridge", ridge, "a positive number of observations"));
        }
        if rows.is_empty() || rows.len() != shares.len() {
            let (given, expected) = (shares.len(), rows.len().max(1));
            return Err(Error::Length { what: "observations", given, expected });
        }
        for (row, &share) in rows.iter().zip(shares) {
            if row.len() != signs.len() {
                return Err(Error::Length { what: "features", given: row.len(), expected: signs.len() });
            }
            if let Some(x) = row.iter().find(|x| !x.is_finite()) {
                return Err(Error::setting("a feature", x, "a finite number"));
            }
            if !(0.0..=1.0).contains(&share) {
                return Err(Error::setting("a share", share, "a number from 0 to 1"));
            }
        }
        let moments: Vec<Moments> =
            (0..signs.len()).map(|feature| rows.iter().map(|row| row[feature]).collect()).collect();
        let scale: Vec<f64> = moments.iter().map(Moments::deviation).collect();
        let mean = |feature: usize| moments[feature].mean().value;
        let mut live: Vec<usize> = (0..signs.len()).filter(|&feature| moments[feature].varies()).collect();
        let fitted = loop {
            // The last column is the constant.
            let width = live.len() + 1;
            let x = DMatrix::from_fn(rows.len(), width, |row, column| {
                live.get(column).map_or(1.0, |&feature| (rows[row][feature] - mean(feature)) / scale[feature])
            });
            let fitted = maximise(&x, shares, ridge);
            // Of weights on the wrong side of zero the one that is farthest from it goes.
            let wrong = |place: &usize| -fitted[*place] * f64::from(signs[live[*place]]);
            let worst = (0..live.len())
                .filter(|place| wrong(place) > 0.0)
                .max_by(|one, other| wrong(one).total_cmp(&wrong(other)));
            match worst {
                Some(worst) => drop(live.remove(worst)),
                None => break fitted,
            }
        };
        let mut weights = vec![0.0; signs.len()];
        let mut constant = fitted[live.len()];
        for (place, &feature) in live.iter().enumerate() {
            weights[feature] = fitted[place] / scale[feature];
            constant -= weights[feature] * mean(feature);
        }
        Ok(Logistic { constant, weights })
    }

    /// The chance where the features are these.
    pub fn chance(&self, row: &[f64]) -> f64 {
        let logit = row.iter().zip(&self.weights).fold(self.constant, |sum, (x, weight)| sum + x * weight);
        1.0 / (1.0 + (-logit).exp())
    }
}

/// ln(1 + exp(x)) without overflow.
fn softplus(x: f64) -> f64 {
    x.max(0.0) + (-x.abs()).exp().ln_1p()
}

/// The coefficients of the columns, of which the last is the constant and has no ridge.
fn maximise(x: &DMatrix<f64>, shares: &[f64], ridge: f64) -> DVector<f64> {
    let width = x.ncols();
    let prior = |column: usize| if column + 1 < width { ridge } else { 0.0 };
    let likelihood = |beta: &DVector<f64>| -> f64 {
        let fit: f64 =
            (x * beta).iter().zip(shares).map(|(&logit, &share)| share * logit - softplus(logit)).sum();
        fit - (0..width).map(|column| 0.5 * prior(column) * beta[column] * beta[column]).sum::<f64>()
    };
    let mut beta = DVector::zeros(width);
    let mut reached = likelihood(&beta);
    for _ in 0..STEPS {
        let chances = (x * &beta).map(|logit| 1.0 / (1.0 + (-logit).exp()));
        let mut slope = DVector::zeros(width);
        let mut curve = DMatrix::zeros(width, width);
        for (row, (&chance, &share)) in chances.iter().zip(shares).enumerate() {
            let weight = chance * (1.0 - chance);
            for i in 0..width {
                slope[i] += (share - chance) * x[(row, i)];
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

    /// Games in which the chance is logistic in the first two of four features; the last does not vary.
    fn games(n: usize, seed: u64) -> (Vec<Vec<f64>>, Vec<f64>) {
        let mut rng = generator(seed);
        (0..n)
            .map(|_| {
                let row = vec![normal(&mut rng), 100.0 + 10.0 * normal(&mut rng), normal(&mut rng), 5.0];
                let chance = 1.0 / (1.0 + (-(20.5 + 1.5 * row[0] - 0.2 * row[1])).exp());
                let won = f64::from(u8::from(rng.random::<f64>() < chance));
                (row, won)
            })
            .unzip()
    }

    #[test]
    fn one_feature_of_two_values_fits_the_shares_of_each() {
        // Three of four where the feature is 2, one of five where it is -1.
        let rows: Vec<Vec<f64>> = [2.0; 4].into_iter().chain([-1.0; 5]).map(|x| vec![x]).collect();
        let shares = [1.0, 1.0, 1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0];
        let fit = Logistic::fit(&rows, &shares, &[0], 1e-9).unwrap();
        assert!((fit.chance(&[2.0]) - 0.75).abs() < 1e-6, "{fit:?}");
        assert!((fit.chance(&[-1.0]) - 0.2).abs() < 1e-6, "{fit:?}");
    }

    #[test]
    fn the_weights_of_simulated_games_are_found() {
        let (rows, shares) = games(20_000, 1);
        let fit = Logistic::fit(&rows, &shares, &[0; 4], 1.0).unwrap();
        // Standard errors are about 0.03, 0.004 and 0.02.
        for (feature, truth, error) in [(0, 1.5, 0.1), (1, -0.2, 0.012), (2, 0.0, 0.06), (3, 0.0, 0.0)] {
            assert!((fit.weights[feature] - truth).abs() <= error, "{feature}: {fit:?}");
        }
        assert!((fit.constant - 20.5).abs() < 1.2, "{fit:?}");
    }

    #[test]
    fn a_weight_keeps_to_its_side_of_zero_and_the_others_make_up_for_it() {
        let (rows, shares) = games(4_000, 2);
        let free = Logistic::fit(&rows, &shares, &[1, 0, 0, 0], 1.0).unwrap();
        assert!(free.weights[0] > 1.0 && free.weights[1] < -0.1, "{free:?}");
        let held = Logistic::fit(&rows, &shares, &[1, 1, 0, 0], 1.0).unwrap();
        assert_eq!(held.weights[1], 0.0);
        // The mean chance still is that of the games.
        let mean = rows.iter().map(|row| held.chance(row)).sum::<f64>() / 4_000.0;
        assert!((mean - shares.iter().sum::<f64>() / 4_000.0).abs() < 1e-6);
    }

    #[test]
    fn winners_told_from_losers_without_a_fault_get_finite_weights() {
        let rows: Vec<Vec<f64>> = (0..20).map(|x| vec![f64::from(x)]).collect();
        let shares: Vec<f64> = (0..20).map(|x| f64::from(u8::from(x > 9))).collect();
        let fit = Logistic::fit(&rows, &shares, &[0], 0.1).unwrap();
        assert!(fit.weights[0] > 0.5 && fit.weights[0] < 10.0, "{fit:?}");
        let all = Logistic::fit(&rows, &[1.0; 20], &[0], 0.1).unwrap();
        assert!(all.constant.is_finite() && all.chance(&[3.0]) > 0.99, "{all:?}");
    }

    #[test]
    fn what_cannot_be_fitted_is_refused() {
        let refuse = |rows: &[Vec<f64>], shares: &[f64], ridge: f64| {
            Logistic::fit(rows, shares, &[0], ridge).unwrap_err().to_string()
        };
        assert_eq!(refuse(&[], &[], 1.0), "observations: 0 given, 1 expected");
        assert_eq!(refuse(&[vec![1.0]], &[0.0, 1.0], 1.0), "observations: 2 given, 1 expected");
        assert_eq!(refuse(&[vec![]], &[0.0], 1.0), "features: 0 given, 1 expected");
        assert_eq!(refuse(&[vec![f64::NAN]], &[0.0], 1.0), "a feature is NaN; expected a finite number");
        assert_eq!(refuse(&[vec![1.0]], &[2.0], 1.0), "a share is 2; expected a number from 0 to 1");
        assert_eq!(
            refuse(&[vec![1.0]], &[1.0], 0.0),
            "the ridge is 0; expected a positive number of observations"
        );
    }
}
