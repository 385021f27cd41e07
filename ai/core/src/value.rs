//! Values of positions that were learned: the chance that a side wins as a logistic function of features.
//!
//! What is learned stands in a file: a table `[value]` with the `constant` and a weight in logits for each feature by its name, and
//! a table `[run]` that says which games it was learned from. `sandtable learn` writes such files; agents take them as
//! `value=FILE.toml`, and the one that a system ships is part of its crate.

use std::collections::BTreeMap;
use std::fmt;

use sandtable_core::{MAX_SIDES, PerSide, Side, SideInfo};

/// The name under which the constant stands among the weights.
pub const CONSTANT: &str = "constant";

/// Something about a position that says who will win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Feature {
    /// As written in files of values.
    pub name: &'static str,
    /// What it measures and in which unit, from the side that is valued, in a line.
    pub summary: &'static str,
    /// 1 if more of it cannot be bad for that side, -1 if it cannot be good, 0 if it may be either: learning keeps to it.
    pub sign: i8,
}

/// The chance of a side to win: 1 / (1 + exp(-sum)), where the sum is a constant and each feature times its weight.
#[derive(Clone, PartialEq, Debug)]
pub struct LogisticValue {
    id: &'static str,
    features: &'static [Feature],
    constant: f32,
    weights: Box<[f32]>,
}

/// Why weights do not fit the features.
#[derive(Clone, PartialEq, Debug)]
pub enum ValueError {
    /// It is no file of values, and why.
    File(String),
    /// There is no feature of this name.
    Unknown(String),
    /// The constant or a feature has no weight.
    Missing(&'static str),
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ValueError::File(why) => f.write_str(why),
            ValueError::Unknown(name) => write!(f, "there is no feature {name}"),
            ValueError::Missing(name) => write!(f, "{name} has no weight"),
        }
    }
}

impl LogisticValue {
    /// The value that a system ships. Values of the same `id` (`europe-engulfed/conquest`) share their weights.
    ///
    /// # Panics
    /// If the file does not fit the features: it is part of the program.
    pub fn shipped(id: &'static str, features: &'static [Feature], file: &str) -> Self {
        let mut value =
            LogisticValue { id, features, constant: 0.0, weights: vec![0.0; features.len()].into() };
        let fits = weights_of_file(file).and_then(|weights| value.set(&weights));
        assert!(fits.is_ok(), "{}", fits.err().map(|error| error.to_string()).unwrap_or_default());
        value
    }

    /// Which value it is.
    pub fn id(&self) -> &'static str {
        self.id
    }

    /// What it looks at.
    pub fn features(&self) -> &'static [Feature] {
        self.features
    }

    /// The constant and the weights, by name.
    pub fn weights(&self) -> impl Iterator<Item = (&'static str, f32)> {
        let names = self.features.iter().map(|feature| feature.name);
        [(CONSTANT, self.constant)].into_iter().chain(names.zip(self.weights.iter().copied()))
    }

    /// Other weights, by name: one for each feature, and the constant.
    ///
    /// # Errors
    /// If a name is unknown or missing; nothing is changed then.
    pub fn set(&mut self, weights: &[(String, f32)]) -> Result<(), ValueError> {
        let known = |name: &str| name == CONSTANT || self.features.iter().any(|feature| feature.name == name);
        if let Some((other, _)) = weights.iter().find(|(name, _)| !known(name)) {
            return Err(ValueError::Unknown(other.clone()));
        }
        let of = |name: &'static str| {
            weights
                .iter()
                .find(|(other, _)| other == name)
                .map(|weight| weight.1)
                .ok_or(ValueError::Missing(name))
        };
        let constant = of(CONSTANT)?;
        let weights = self.features.iter().map(|feature| of(feature.name)).collect::<Result<Vec<_>, _>>()?;
        (self.constant, self.weights) = (constant, weights.into());
        Ok(())
    }

    /// The chance, 0 to 1, where the features are these.
    ///
    /// # Panics
    /// In debug builds, if there are not as many as weights.
    pub fn chance(&self, features: &[f32]) -> f32 {
        debug_assert_eq!(features.len(), self.weights.len());
        let logit = features
            .iter()
            .zip(&self.weights)
            .fold(self.constant, |sum, (feature, weight)| sum + feature * weight);
        1.0 / (1.0 + (-logit).exp())
    }

    /// The utility to each side, where the features are these from the side of `valued`: its team has the chance, the others have
    /// what is left.
    pub fn worth(&self, sides: &[SideInfo], valued: Side, features: &[f32]) -> PerSide<f32> {
        let chance = self.chance(features);
        let mut worth = PerSide([1.0 - chance; MAX_SIDES]);
        for (worth, side) in worth.0.iter_mut().zip(sides) {
            if side.team == sides[valued.index()].team {
                *worth = chance;
            }
        }
        worth
    }
}

/// The weights in a file of values.
///
/// # Errors
/// Says why it is none.
pub fn weights_of_file(text: &str) -> Result<Vec<(String, f32)>, ValueError> {
    const EXPECTED: &str = "expected a table [value] with a number for the constant and for each feature";
    let file: toml::Table =
        toml::from_str(text).map_err(|error| ValueError::File(error.message().to_owned()))?;
    let value = file.get("value").ok_or_else(|| ValueError::File(EXPECTED.to_owned()))?;
    let weights: BTreeMap<String, f32> =
        value.clone().try_into().map_err(|_| ValueError::File(EXPECTED.to_owned()))?;
    match weights.iter().find(|(_, weight)| !weight.is_finite()) {
        Some((name, weight)) => Err(ValueError::File(format!("{name} = {weight}: expected a finite number"))),
        None => Ok(weights.into_iter().collect()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FEATURES: &[Feature] = &[
        Feature { name: "ground", summary: "areas held", sign: 1 },
        Feature { name: "left", summary: "share of the turns to come", sign: 0 },
    ];
    const FILE: &str = "[run]\ngames = 3\n[value]\nconstant = -1\nground = 0.5\nleft = 2\n";

    #[test]
    fn chances_are_logistic() {
        let value = LogisticValue::shipped("test", FEATURES, FILE);
        assert!((value.chance(&[2.0, 0.0]) - 0.5).abs() < 1e-6);
        let chance = value.chance(&[4.0, 1.0]);
        assert!((chance - 0.952_574).abs() < 1e-6, "1 / (1 + exp(-3)), and not {chance}");
    }

    #[test]
    fn files_that_do_not_fit_say_why_and_change_nothing() {
        let usual = LogisticValue::shipped("test", FEATURES, FILE);
        for (from, to, why) in [
            ("left", "lefty", "there is no feature lefty"),
            ("left = 2\n", "", "left has no weight"),
            ("constant = -1\n", "", "constant has no weight"),
            (
                "left = 2",
                "left = \"2\"",
                "expected a table [value] with a number for the constant and for each feature",
            ),
            ("left = 2", "left = inf", "left = inf: expected a finite number"),
            (
                "[value]",
                "[values]",
                "expected a table [value] with a number for the constant and for each feature",
            ),
        ] {
            let mut value = usual.clone();
            let error =
                weights_of_file(&FILE.replace(from, to)).and_then(|weights| value.set(&weights)).unwrap_err();
            assert_eq!(error.to_string(), why);
            assert_eq!(value, usual);
        }
        assert!(matches!(weights_of_file("[value"), Err(ValueError::File(_))));
    }
}
