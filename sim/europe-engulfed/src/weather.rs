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

    /// The weather that a turn may have, with the chance of each roll of two dice that brings it; one entry where nothing is rolled.
    pub fn weather_of(&self, turn: u8) -> Vec<(ZoneWeather, f64)> {
        if let Some(weather) = self.fixed_weather(turn) {
            return vec![(weather, 1.0)];
        }
        let rolled = &self.rules.weather.rolled[self.bimester(turn).nth as usize - 1];
        let ways = |sum: usize| 6.0 - (sum as f64 - 7.0).abs();
        rolled.iter().enumerate().map(|(at, weather)| (*weather, ways(at + 2) / 36.0)).collect()
    }

    /// The weather of a turn in which nothing is rolled.
    fn fixed_weather(&self, turn: u8) -> Option<ZoneWeather> {
        let given = &self.rules.setup.weather;
        let given = if self.rules.options.random_weather { &[][..] } else { &given[..] };
        let set = given.iter().find(|(of, _)| *of == turn).map(|(_, weather)| *weather);
        set.or(self.rules.weather.fixed[self.bimester(turn).nth as usize - 1])
    }

    /// The weather of a turn. The German player's die is rolled first, then the Soviet player's (play book, L617; A108).
    pub(crate) fn roll_weather(&self, turn: u8, context: &mut impl Rolls) -> ZoneWeather {
        self.fixed_weather(turn).unwrap_or_else(|| {
            let sum = context.die(6) + context.die(6);
            self.rules.weather.rolled[self.bimester(turn).nth as usize - 1][sum as usize - 2]
        })
    }
}
