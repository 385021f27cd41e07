//! Whether the data agree with themselves and with the limits of the game.

use sandtable_victory_in_europe::Rules;
use sandtable_victory_in_europe::VictoryInEurope;

use crate::error::{LoadError, Problem};
use crate::tree::Whole;

pub(super) fn check(_whole: Whole<'_>, rules: &Rules) -> Result<(), LoadError> {
    VictoryInEurope::new(rules.clone()).map_err(|text| LoadError::new(Problem::Inconsistent(text)))?;
    Ok(())
}
