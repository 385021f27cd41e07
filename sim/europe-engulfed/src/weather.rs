//! The weather of a turn (1.1): fixed by the calendar, by the scenario, or rolled with two dice (A108).

use crate::Rolls;
use crate::game::EuropeEngulfed;
use crate::rules::{Bimester, ZoneWeather};

impl EuropeEngulfed {
    /// The bimester of a turn of the scenario.
    pub fn bimester(&self, turn: u8) -> Bimester {
        let first = self.rules.setup.first_turn;
        let months = u16::from(first.nth.saturating_sub(1)) + u16::from(turn.saturating_sub(1));
        Bimester { year: first.year + months / 6, nth: (months % 6) as u8 + 1 }
    }

    /// The weather of a turn. The German player's die is rolled first, then the Soviet player's (play book, L617; A108).
    pub(crate) fn roll_weather(&self, turn: u8, context: &mut impl Rolls) -> ZoneWeather {
        if let Some((_, weather)) = self.rules.setup.weather.iter().find(|(of, _)| *of == turn) {
            return *weather;
        }
        let month = self.bimester(turn).nth as usize - 1;
        self.rules.weather.fixed[month].unwrap_or_else(|| {
            let sum = context.die(6) + context.die(6);
            self.rules.weather.rolled[month][sum as usize - 2]
        })
    }
}
