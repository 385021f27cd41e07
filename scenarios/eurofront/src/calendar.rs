//! Months, seasons, weather (3.3, 11.31, 12.1, 13.23).

use sandtable_eurofront::rules::{AlliedAir, Fire, Month, MonthWeather, Storm, Weather};

use super::blocks::FIRES;
use super::map::BASINS;
use sandtable_scenarios::LoadError;
use sandtable_scenarios::tree::{Node, Whole};

/// Weather by its names in the data.
pub(super) const WEATHERS: [(&str, Weather); 3] =
    [("dry", Weather::Dry), ("mud", Weather::Mud), ("snow", Weather::Snow)];

/// First and last year that a set-up may name.
const YEARS: (u16, u16) = (1936, 1945);

/// The months of the scenario.
pub(super) struct Calendar {
    pub months: Vec<Month>,
}

/// A month of a year, from January 1936.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Date {
    year: u16,
    month: u8,
}

impl Date {
    pub fn read(node: &Node<'_>) -> Result<Date, LoadError> {
        let text = node.text()?;
        let parts = text.split_once('-').filter(|(year, month)| year.len() == 4 && month.len() == 2);
        let date = parts
            .and_then(|(year, month)| Some(Date { year: year.parse().ok()?, month: month.parse().ok()? }));
        date.filter(|date| (YEARS.0..=YEARS.1).contains(&date.year) && (1..=12).contains(&date.month))
            .ok_or_else(|| {
                let text = format!(
                    "a month is a year from {} to {} and its number, as in 1936-07",
                    YEARS.0, YEARS.1
                );
                node.inconsistent(text)
            })
    }

    fn id(self) -> String {
        format!("{}-{:02}", self.year, self.month)
    }

    fn next(self) -> Date {
        if self.month == 12 {
            Date { year: self.year + 1, month: 1 }
        } else {
            Date { month: self.month + 1, ..self }
        }
    }

    /// Summer from June, winter from December (3.3).
    fn season(self) -> String {
        let (letter, year) = match self.month {
            6..=11 => ('S', self.year),
            12 => ('W', self.year),
            _ => ('W', self.year - 1),
        };
        format!("{letter}{:02}", year % 100)
    }
}

impl Calendar {
    /// The number of a month in the scenario, if it comes after the first.
    pub fn later(&self, date: Date) -> Option<u8> {
        self.months.iter().skip(1).position(|month| month.id == date.id()).map(|at| at as u8 + 1)
    }

    /// Whether a month is over, or has begun, when the scenario begins.
    pub fn is_past(&self, date: Date) -> bool {
        date.id() <= self.months[0].id
    }

    /// The number of a month in the scenario, from 0.
    pub fn number(&self, node: &Node<'_>) -> Result<u8, LoadError> {
        let date = Date::read(node)?;
        self.months.iter().position(|month| month.id == date.id()).map(|at| at as u8).ok_or_else(|| {
            let (first, last) = (&self.months[0].id, &self.months[self.months.len() - 1].id);
            let text = format!("{} is not among the months of the scenario, {first} to {last}", date.id());
            node.inconsistent(text)
        })
    }
}

/// Reads the months of the scenario.
pub(super) fn read(whole: Whole<'_>) -> Result<Calendar, LoadError> {
    let setup = whole.at("setup")?;
    let (first, last) = (Date::read(&setup.get("first_month")?)?, Date::read(&setup.get("last_month")?)?);
    if last < first {
        let text = format!("the scenario ends before its first month, {}", first.id());
        return Err(setup.get("last_month")?.inconsistent(text));
    }
    let fortnights = setup.get("first_fortnights")?.byte(1..=2)?;
    let (weather, seasons) = (whole.at("weather")?, whole.at("seasons")?);
    for row in weather.members()? {
        month_weather(&row)?;
    }
    for row in seasons.members()? {
        base_production(&row)?;
        seasonal_air(&row)?;
    }
    let fixed_air = setup.find("air")?.map(|node| fixed_air(&node)).transpose()?;
    let mut months: Vec<Month> = Vec::new();
    let mut date = first;
    while date <= last {
        let season = date.season();
        let row = seasons.find(&season)?;
        let (mut base, mut air) = ([0; 3], [[Fire::None; 4]; 3]);
        if let Some(row) = &row {
            (base, air) = (base_production(row)?, seasonal_air(row)?);
        } else if fixed_air.is_none() {
            let text = format!("seasons.csv has no season {season}, and the set-up no [air] of its own");
            return Err(setup.get("first_month")?.inconsistent(text));
        }
        months.push(Month {
            id: date.id(),
            opens_season: months.last().is_some_and(|month| month.season != season),
            season,
            fortnights: if date == first { fortnights } else { 2 },
            weather: month_weather(&weather.get(&format!("{:02}", date.month))?)?,
            base,
            air: fixed_air.unwrap_or(air),
            allied_air: row.as_ref().map_or(Ok(AlliedAir::Normal), allied_air)?,
        });
        date = date.next();
    }
    Ok(Calendar { months })
}

/// Weather of a month in the West and in the East.
fn month_weather(row: &Node<'_>) -> Result<[MonthWeather; 2], LoadError> {
    let front = |odd: &str, even: &str, storms: &str| -> Result<MonthWeather, LoadError> {
        let weather = MonthWeather {
            odd: row.get(odd)?.choose("a weather", &WEATHERS)?,
            even: row.get(even)?.choose("a weather", &WEATHERS)?,
            storms: row.get(storms)?.flag()?,
        };
        if weather.is_variable() && !weather.storms {
            return Err(row.get(storms)?.inconsistent("a month that is rolled for may have storms (12.5)"));
        }
        Ok(weather)
    };
    Ok([front("west_odd", "west_even", "west_storms")?, front("east_odd", "east_even", "east_storms")?])
}

fn base_production(row: &Node<'_>) -> Result<[i16; 3], LoadError> {
    let [axis, allies, soviets] = ["base_axis", "base_allies", "base_soviets"]
        .map(|key| row.get(key)?.integer(-99..=99).map(|points| points as i16));
    Ok([axis?, allies?, soviets?])
}

/// Air firepower by faction and front: the Axis has its own for the West, the East and the extreme fronts (13.23).
fn seasonal_air(row: &Node<'_>) -> Result<[[Fire; 4]; 3], LoadError> {
    let fire = |key: &str| row.get(key)?.choose("fire", &FIRES);
    allied_air(row)?;
    let (west, east, extreme) = (fire("air_axis_west")?, fire("air_axis_east")?, fire("air_axis_extreme")?);
    Ok([[west, east, extreme, extreme], [fire("air_allies")?; 4], [fire("air_soviets")?; 4]])
}

/// How far Allied air power goes (13.3).
fn allied_air(row: &Node<'_>) -> Result<AlliedAir, LoadError> {
    let stages =
        [("none", AlliedAir::Normal), ("extended", AlliedAir::Extended), ("supremacy", AlliedAir::Supremacy)];
    row.get("allied_air")?.choose("a stage of Allied air power", &stages)
}

/// Air firepower that a set-up fixes for all its months.
fn fixed_air(node: &Node<'_>) -> Result<[[Fire; 4]; 3], LoadError> {
    node.only(&["axis", "allies", "soviets"])?;
    let [axis, allies, soviets] =
        ["axis", "allies", "soviets"].map(|key| node.get(key)?.choose("fire", &FIRES));
    Ok([[axis?; 4], [allies?; 4], [soviets?; 4]])
}

/// Basins that storms strike (12.5).
pub(super) fn storms(whole: Whole<'_>) -> Result<Vec<Storm>, LoadError> {
    let mut storms = Vec::new();
    for row in whole.at("storms")?.members()? {
        let front = row.get("front")?.choose("the front that is rolled for", &[("WF", 0), ("EF", 1)])?;
        let sum = row.get("sum")?.byte(2..=12)?;
        if sum % 2 == 0 {
            return Err(row.get("sum")?.inconsistent("odd sums alone bring storms (12.5)"));
        }
        storms.push((front, sum, row.get("basin")?.choose("a basin", &BASINS)?));
    }
    Ok(storms)
}
