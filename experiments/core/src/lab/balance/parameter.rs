//! A value of the scenario that can be turned.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::system::Override;

/// A numeric value of the scenario's data, and how far it may be turned.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct HandicapParameter {
    /// Where the value stands in the data, as with `--set`.
    pub path: String,
    /// The least value.
    pub low: f64,
    /// The greatest value.
    pub high: f64,
    /// The distance of two values; none if any value will do.
    pub step: Option<f64>,
}

/// The most values that are all tried before the first game.
const TRIED: u32 = 100;

impl HandicapParameter {
    /// The ends of the scale on which the parameter is turned, and whether only whole numbers of it count: steps, or
    /// values.
    pub(super) fn scale(&self) -> (f64, f64, bool) {
        match self.step {
            Some(step) => (0.0, ((self.high - self.low) / step).round(), true),
            None => (self.low, self.high, false),
        }
    }

    /// The value at a place on the scale.
    pub(super) fn value(&self, place: f64) -> f64 {
        match self.step {
            Some(step) => self.low + place * step,
            None => place,
        }
    }

    /// The place of a value on the scale, between two of them if it is no step.
    pub(super) fn place(&self, value: f64) -> f64 {
        match self.step {
            Some(step) => (value - self.low) / step,
            None => value,
        }
    }

    /// Whether two values are the same, of steps the same step: the end of a range is one that rounding may miss by a hair.
    pub(super) fn are_same(&self, a: f64, b: f64) -> bool {
        match self.step {
            Some(_) => (self.place(a) - self.place(b)).abs() < 0.5,
            None => a.to_bits() == b.to_bits(),
        }
    }

    /// The override that sets the value.
    pub(super) fn at(&self, value: f64) -> Override {
        Override::new(self.path.clone(), &value.to_string())
    }

    /// The value nearest to one that the scale may not have.
    pub(super) fn nearest(&self, value: f64) -> f64 {
        match self.step {
            Some(_) => self.value(self.place(value.clamp(self.low, self.high)).round()),
            None => value,
        }
    }

    /// Values to try before the first game: all, if they are few, else some.
    pub(super) fn samples(&self) -> Vec<f64> {
        let (low, high, whole) = self.scale();
        if whole && high <= f64::from(TRIED) {
            return (0..=high as u32).map(|place| self.value(f64::from(place))).collect();
        }
        // On the grid of a search: its first look and a place between two halves.
        [0.0, 1.0, 0.25, 0.5, 0.75, 1.0 / 256.0]
            .map(|share: f64| {
                let place = low + share * (high - low);
                self.value(if whole { place.round() } else { place })
            })
            .to_vec()
    }
}

impl FromStr for HandicapParameter {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || {
            "expected PATH=LOW..HIGH or PATH=LOW..HIGH:STEP, such as setup.axis.extra_supply=0..20".to_owned()
        };
        let (path, range) = text.split_once('=').ok_or_else(wrong)?;
        let path = path.trim();
        let (range, step) = match range.split_once(':') {
            Some((range, step)) => (range, Some(step)),
            None => (range, None),
        };
        let (low, high) = range.split_once("..").ok_or_else(wrong)?;
        if path.is_empty() {
            return Err(wrong());
        }
        let number = |text: &str| {
            let number = text.trim().parse::<f64>().ok().filter(|number| number.is_finite());
            number.ok_or_else(|| format!("bad number \"{}\": {}", text.trim(), wrong()))
        };
        let whole = ![low, high].iter().any(|end| end.contains(['.', 'e', 'E']));
        let (low, high) = (number(low)?, number(high)?);
        if low >= high {
            return Err(format!("{low} is not less than {high}: {}", wrong()));
        }
        let step = match step {
            Some(step) => {
                let step = number(step)?;
                let steps = (high - low) / step;
                if step <= 0.0 || (steps - steps.round()).abs() > 1e-9 * steps {
                    return Err(format!(
                        "bad step {step}: expected a number above 0 that goes a whole number of times into {}",
                        high - low
                    ));
                }
                Some(step)
            }
            None => whole.then_some(1.0),
        };
        Ok(HandicapParameter { path: path.to_owned(), low, high, step })
    }
}

impl fmt::Display for HandicapParameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}..{}", self.path, self.low, self.high)?;
        match self.step {
            // Whole ends say without a word that the steps are 1.
            Some(step) if (step - 1.0).abs() > f64::EPSILON => write!(f, ":{step}"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_of_whole_numbers_steps_or_anything() {
        let parameter: HandicapParameter = "setup.axis.extra_supply=0..20".parse().unwrap();
        assert_eq!(
            (parameter.path.as_str(), parameter.low, parameter.high, parameter.step),
            ("setup.axis.extra_supply", 0.0, 20.0, Some(1.0))
        );
        assert_eq!(
            (parameter.scale(), parameter.value(7.0), parameter.samples().len()),
            ((0.0, 20.0, true), 7.0, 21)
        );
        assert_eq!((parameter.nearest(7.4), parameter.nearest(99.0)), (7.0, 20.0));
        let halves: HandicapParameter = " a.b = -1 .. 3 : 0.5 ".parse().unwrap();
        assert_eq!((halves.scale(), halves.value(3.0)), ((0.0, 8.0, true), 0.5));
        assert_eq!(halves.at(0.5).to_string(), "a.b=0.5");
        let any: HandicapParameter = "a=0.5..2".parse().unwrap();
        assert_eq!((any.scale(), any.value(0.75)), ((0.5, 2.0, false), 0.75));
        for parameter in [parameter, halves, any] {
            assert_eq!(
                parameter.to_string().parse::<HandicapParameter>().map(|parsed| parsed.path),
                Ok(parameter.path.clone())
            );
        }
    }

    #[test]
    fn the_end_of_a_range_is_its_last_step() {
        let tenths: HandicapParameter = "a=0..0.3:0.1".parse().unwrap();
        let last = tenths.value(3.0);
        assert!(last.to_bits() != tenths.high.to_bits() && tenths.are_same(last, tenths.high));
        assert!(!tenths.are_same(tenths.value(2.0), tenths.high));
    }

    #[test]
    fn what_is_no_range_is_refused() {
        for text in [
            "",
            "a",
            "a=1",
            "a=1..",
            "a=..2",
            "a=2..1",
            "a=1..1",
            "=1..2",
            "a=x..2",
            "a=0..1:0.3",
            "a=0..1:0",
            "a=0..1:-1",
            "a=0..inf",
        ] {
            assert!(text.parse::<HandicapParameter>().is_err(), "{text}");
        }
    }
}
