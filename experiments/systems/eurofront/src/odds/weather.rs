//! Odds of the weather of EuroFront, fortnight by fortnight, and of its storms (12.1, 12.5).

use std::collections::BTreeMap;

use sandtable_core::weather::Weather as Distribution;
use sandtable_eurofront::EuroFront;
use sandtable_eurofront::rules::{Basin, Month, MonthWeather, Weather};
use sandtable_scenarios_eurofront::SYSTEM;

use super::super::tables::WEATHERS;
use sandtable_experiments::failure::Failure;
use sandtable_experiments::system::data::name_of;
use sandtable_experiments::system::odds::{
    DrawDistribution, DrawOdds, WeatherOdds, WeatherRequest, WeatherTurn,
};

/// The scenario of a calendar that names none: the longest there is.
const USUAL: &str = "eurofront/1939";
/// Fronts that roll weather, by the rules' numbers.
const FRONTS: [&str; 2] = ["West Front", "East Front"];

/// A fortnight of the calendar.
struct Fortnight<'a> {
    month: &'a Month,
    /// 1 or 2.
    half: u8,
}

pub(in super::super) fn weather(request: &WeatherRequest<'_>) -> Result<WeatherOdds, Failure> {
    if let Some(policy) = request.policies.first() {
        return Err(Failure::input(format!(
            "unknown policy \"{}\": nobody chooses anything in the weather of EuroFront",
            policy.path
        )));
    }
    let scenario = request.scenario.map_or_else(|| USUAL.to_owned(), name_of);
    let loaded = SYSTEM.open(&scenario, request.overrides)?;
    let game = EuroFront::new(loaded.into_rules()).map_err(Failure::input)?;
    let fortnights: Vec<Fortnight<'_>> = game
        .rules
        .calendar
        .iter()
        .flat_map(|month| (3 - month.fortnights..=2).map(move |half| Fortnight { month, half }))
        .collect();
    let mut fronts = Vec::new();
    for (front, name) in FRONTS.into_iter().enumerate() {
        if front == 0 || game.has_eastern_weather() {
            let distribution = distribution(&game, &fortnights, front).map_err(Failure::input)?;
            fronts.push((name.to_owned(), distribution));
        }
    }
    let turns = (1u32..).zip(&fortnights).map(|(number, fortnight)| WeatherTurn {
        number,
        label: format!(
            "{}, {} fortnight",
            fortnight.month.id,
            if fortnight.half == 1 { "first" } else { "second" }
        ),
        season: fortnight.month.season.clone(),
    });
    let balance = game.rules.options.weather_balance;
    let source = if balance {
        "two dice a fortnight and front in variable months, odd or even; the second fortnight of a month has the opposite \
         weather (12.1, option)"
    } else {
        "two dice a fortnight and front in variable months, odd or even (12.1)"
    };
    let draws = game.rules.scenario.naval.then(|| storms(&game, &fortnights, fronts.len()));
    Ok(WeatherOdds {
        scenario,
        source: source.to_owned(),
        kinds: WEATHERS.map(str::to_owned).to_vec(),
        turns: turns.collect(),
        fronts,
        draws,
    })
}

/// All sums of two dice, each as often as it falls in 36.
fn sums() -> impl Iterator<Item = u32> {
    (1..=6).flat_map(|a| (1..=6).map(move |b| a + b))
}

fn distribution(
    game: &EuroFront,
    fortnights: &[Fortnight<'_>],
    front: usize,
) -> Result<Distribution, String> {
    let rolled = |month: MonthWeather| {
        let mut ways = [0; WEATHERS.len()];
        sums().for_each(|sum| ways[month.of_sum(sum) as usize] += 1);
        ways.map(|ways| f64::from(ways) / 36.0).to_vec()
    };
    let of = |fortnight: &Fortnight<'_>| fortnight.month.weather[front];
    let first = fortnights.first().map(|fortnight| rolled(of(fortnight)));
    let mut moves = Vec::new();
    for fortnight in fortnights.iter().skip(1) {
        let month = of(fortnight);
        let opposite = game.rules.options.weather_balance && fortnight.half == 2 && month.is_variable();
        moves.push(Weather::ALL.map(|before| {
            if !opposite {
                return rolled(month);
            }
            let mut certain = vec![0.0; WEATHERS.len()];
            certain[month.opposite(before) as usize] = 1.0;
            certain
        }));
    }
    Distribution::chain(first.unwrap_or_default(), moves.into_iter().map(Vec::from).collect())
}

/// The chance that a storm strikes each basin, fortnight by fortnight. Both fronts may bring one.
fn storms(game: &EuroFront, fortnights: &[Fortnight<'_>], fronts: usize) -> DrawOdds {
    let mut distributions = Vec::new();
    for (turn, fortnight) in fortnights.iter().enumerate() {
        let mut calm: BTreeMap<&'static str, f64> = BTreeMap::new();
        for (front, month) in fortnight.month.weather.iter().take(fronts).enumerate() {
            // The second fortnight does not roll where it has the opposite weather of the first.
            let rolls = !(game.rules.options.weather_balance && fortnight.half == 2 && month.is_variable());
            if !(month.storms && rolls) {
                continue;
            }
            let mut chances: BTreeMap<&'static str, f64> = BTreeMap::new();
            for sum in sums() {
                if let Some(basin) = game.storm_of(front, month.of_sum(sum), sum) {
                    *chances.entry(basin_name(basin)).or_default() += 1.0 / 36.0;
                }
            }
            for (basin, chance) in chances {
                *calm.entry(basin).or_insert(1.0) *= 1.0 - chance;
            }
        }
        if !calm.is_empty() {
            distributions.push(DrawDistribution {
                turn,
                subject: "the seas".to_owned(),
                question: "storm".to_owned(),
                mean: None,
                outcomes: calm.into_iter().map(|(basin, calm)| (basin.to_owned(), 1.0 - calm)).collect(),
            });
        }
    }
    DrawOdds {
        source: "odd sums of the dice for the weather bring storms in mud and snow (12.5)".to_owned(),
        distributions,
    }
}

pub(in super::super) fn basin_name(basin: Basin) -> &'static str {
    match basin {
        Basin::Atlantic => "Atlantic",
        Basin::Mediterranean => "Mediterranean",
        Basin::WestBaltic => "West Baltic",
        Basin::EastBaltic => "East Baltic",
        Basin::BlackSea => "Black Sea",
        Basin::Arctic => "Arctic",
        Basin::Caspian => "Caspian Sea",
        Basin::Indian => "Indian Ocean",
    }
}
