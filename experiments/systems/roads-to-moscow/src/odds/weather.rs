//! Odds of the weather of Roads to Moscow, and of its fuel.

use sandtable_core::weather::Weather;
use sandtable_roads_to_moscow::RoadsToMoscow;
use sandtable_roads_to_moscow::rules::Weather as Sky;
use sandtable_scenarios_roads_to_moscow::SYSTEM;

use super::super::tables::WEATHERS;
use super::USUAL;
use sandtable_experiments::failure::Failure;
use sandtable_experiments::system::data::name_of;
use sandtable_experiments::system::odds::{
    DrawDistribution, DrawOdds, WeatherOdds, WeatherRequest, WeatherTurn,
};

/// A d10.
const FACES: std::ops::RangeInclusive<u8> = 1..=10;

pub(in super::super) fn weather(request: &WeatherRequest<'_>) -> Result<WeatherOdds, Failure> {
    if let Some(policy) = request.policies.first() {
        return Err(Failure::input(format!(
            "unknown policy \"{}\": nobody chooses anything in the weather of Roads to Moscow",
            policy.path
        )));
    }
    let scenario = request.scenario.map_or_else(|| USUAL.to_owned(), name_of);
    let loaded = SYSTEM.open(&scenario, request.overrides)?;
    let game = RoadsToMoscow::new(loaded.into_rules()).map_err(Failure::input)?;
    let calendar = &game.rules.calendar;
    let numbers = || 1..=calendar.len() as u8;
    let historical = game.rules.options.historical_weather;
    let distribution = if historical {
        let kinds: Vec<usize> = calendar.iter().map(|turn| turn.historical as usize).collect();
        Weather::fixed(WEATHERS.len(), &kinds)
    } else {
        let chances = |turn: u8| {
            let mut chances = vec![0.0; WEATHERS.len()];
            FACES.for_each(|roll| chances[game.weather_of(turn, roll) as usize] += 0.1);
            chances
        };
        Weather::rolled(numbers().map(chances).collect())
    };
    let distribution = distribution.map_err(Failure::input)?;
    let turns = numbers().zip(calendar).map(|(number, turn)| WeatherTurn {
        number: u32::from(number),
        label: if turn.winter { format!("{}, winter", turn.name) } else { turn.name.clone() },
        season: format!(
            "{} October 1941",
            turn.name.trim_end_matches(|letter: char| !letter.is_ascii_digit())
        ),
    });
    let source = if historical {
        "the weather is the historical one of each turn (5.11d): every answer is certain"
    } else {
        "a d10 against the boxes of the turn, for the whole map and turn (5.11); winter is certain (5.14)"
    };
    let draws = game.rules.fuel.in_force.then(|| fuel(&game, &distribution));
    Ok(WeatherOdds {
        scenario,
        source: source.to_owned(),
        kinds: WEATHERS.map(str::to_owned).to_vec(),
        turns: turns.collect(),
        fronts: vec![("the map".to_owned(), distribution)],
        draws,
    })
}

/// Fuel units received (6.41): a d10 on the Fuel Supply Table, in the weather of the turn.
fn fuel(game: &RoadsToMoscow, weather: &Weather) -> DrawOdds {
    let skies = [Sky::Dry, Sky::Overcast, Sky::Rain];
    let distributions = (0..weather.turns()).map(|turn| {
        let mut chances: Vec<f64> = Vec::new();
        for (sky, p) in skies.into_iter().zip(weather.at(turn)) {
            for roll in FACES {
                let units = usize::from(game.fuel_received(turn as u8 + 1, sky, roll));
                chances.resize(chances.len().max(units + 1), 0.0);
                chances[units] += 0.1 * p;
            }
        }
        DrawDistribution {
            turn,
            subject: "German".to_owned(),
            question: "fuel units received".to_owned(),
            mean: Some(chances.iter().enumerate().map(|(units, p)| units as f64 * p).sum()),
            outcomes: chances.iter().enumerate().map(|(units, p)| (units.to_string(), *p)).collect(),
        }
    });
    DrawOdds {
        source: "the German rolls for fuel each turn, worse in Rain (6.41)".to_owned(),
        distributions: distributions.collect(),
    }
}
