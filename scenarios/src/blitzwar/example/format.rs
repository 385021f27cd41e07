//! An example file as it is written.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::error::{LoadError, Problem};

/// Sides or places with lists of names.
pub(super) type Lists = BTreeMap<String, Vec<String>>;

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    pub scenario: Option<String>,
    /// What all positions of the file share.
    #[serde(default)]
    position: Position,
    #[serde(default)]
    pub example: Vec<Example>,
}

#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Example {
    pub id: String,
    pub title: String,
    pub rules: Vec<String>,
    pub provenance: String,
    #[serde(rename = "note")]
    _note: Option<String>,
    pub scenario: Option<String>,
    #[serde(default)]
    pub position: Position,
    #[serde(default, rename = "do")]
    orders: Vec<String>,
    #[serde(default)]
    dice: Vec<u32>,
    #[serde(default)]
    expect: Expect,
    #[serde(default)]
    step: Vec<Step>,
}

impl Example {
    /// Its steps: what stands in the example itself first, unless that says nothing.
    pub fn steps(&self) -> Vec<Step> {
        let own = Step { orders: self.orders.clone(), dice: self.dice.clone(), expect: self.expect.clone() };
        let silent = own.orders.is_empty() && own.dice.is_empty() && own.expect == Expect::default();
        (!silent).then_some(own).into_iter().chain(self.step.iter().cloned()).collect()
    }
}

#[derive(Deserialize, Clone, Default, Debug)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Position {
    /// Values of the scenario by path.
    pub set: Vec<String>,
    /// Units of the set-up stay on the map.
    pub keep_units: bool,
    pub turn: Option<u8>,
    pub weather: Option<String>,
    pub phase: Option<String>,
    pub side: Option<String>,
    /// The phase is begun by the rules, with all that happens at its beginning.
    pub begin: bool,
    pub countries: BTreeMap<String, String>,
    pub control: Lists,
    pub dates: BTreeMap<String, toml::Value>,
    pub cards: Lists,
    pub release: Vec<String>,
    pub clear: Vec<String>,
    pub units: Vec<String>,
}

impl Position {
    /// This position on top of what the file's positions share: single values replace, lists are added.
    fn over(self, shared: &Position) -> Position {
        fn lists(shared: &Lists, own: Lists) -> Lists {
            let mut all = shared.clone();
            for (key, list) in own {
                all.entry(key).or_default().extend(list);
            }
            all
        }
        let list = |shared: &Vec<String>, own: Vec<String>| shared.iter().cloned().chain(own).collect();
        let mut countries = shared.countries.clone();
        countries.extend(self.countries);
        let mut dates = shared.dates.clone();
        dates.extend(self.dates);
        Position {
            set: list(&shared.set, self.set),
            keep_units: self.keep_units || shared.keep_units,
            turn: self.turn.or(shared.turn),
            weather: self.weather.or_else(|| shared.weather.clone()),
            phase: self.phase.or_else(|| shared.phase.clone()),
            side: self.side.or_else(|| shared.side.clone()),
            begin: self.begin || shared.begin,
            countries,
            control: lists(&shared.control, self.control),
            dates,
            cards: lists(&shared.cards, self.cards),
            release: list(&shared.release, self.release),
            clear: list(&shared.clear, self.clear),
            units: list(&shared.units, self.units),
        }
    }

    /// Overrides of the scenario: those written, and the weather of the turn.
    pub fn overrides(&self) -> Vec<String> {
        let weather = self
            .weather
            .iter()
            .filter_map(|weather| self.turn.map(|turn| format!("calendar.{turn}.weather={weather}")));
        self.set.iter().cloned().chain(weather).collect()
    }
}

#[derive(Deserialize, Clone, Default, Debug)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Step {
    #[serde(rename = "do")]
    pub orders: Vec<String>,
    pub dice: Vec<u32>,
    pub expect: Expect,
}

#[derive(Deserialize, Clone, Default, PartialEq, Debug)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Expect {
    /// Exact content of places.
    pub units: Vec<String>,
    /// All units lost in the step.
    pub lost: Option<Vec<String>>,
    /// Supply units spent in the step.
    pub spent: Option<f64>,
    pub control: Lists,
    /// Zones with a line of supply, and without one, by side.
    pub supplied: Lists,
    pub cut_off: Lists,
    pub countries: BTreeMap<String, String>,
    pub dates: BTreeMap<String, toml::Value>,
    /// Holder of superiority in land zones and seas.
    pub superiority: BTreeMap<String, String>,
    /// Supply still to be lost, by side.
    pub loss: BTreeMap<String, u8>,
    /// Units waiting for placement, by side: the same letters as units.
    pub waiting: BTreeMap<String, String>,
    pub points: Option<u8>,
    pub score: Option<BTreeMap<String, u8>>,
    pub turn: Option<u8>,
    pub phase: Option<String>,
    pub side: Option<String>,
    pub decides: Option<String>,
    /// Decisions that are open, passing not counted.
    pub choices: Option<usize>,
    pub legal: Vec<String>,
    pub illegal: Vec<Illegal>,
    /// The last battle of the step.
    pub battle: Option<Weighed>,
    /// Attacks that are weighed but not made.
    pub odds: Vec<Weighed>,
}

#[derive(Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields)]
pub(super) struct Illegal {
    #[serde(rename = "do")]
    pub order: String,
    pub because: String,
}

#[derive(Deserialize, Clone, Default, PartialEq, Debug)]
#[serde(deny_unknown_fields, default)]
#[allow(clippy::struct_field_names)] // the names of the file format
pub(super) struct Weighed {
    /// Which attack is weighed.
    pub attack: Option<String>,
    pub attackers: Option<u8>,
    pub defenders: Option<u8>,
    pub odds: Option<String>,
    /// All shifts that are not nought.
    pub shifts: Option<BTreeMap<String, i8>>,
    /// Sum of the shifts.
    pub total: Option<i8>,
    pub column: Option<String>,
    /// Result after conversion, as the table writes it.
    pub result: Option<String>,
    /// The Axis may waive the German defence shift.
    pub may_waive: Option<bool>,
}

/// Reads a file.
pub(super) fn read(name: &str, text: &str) -> Result<File, LoadError> {
    let mut file: File = toml::from_str(text).map_err(|error| {
        let line = error.span().map(|span| 1 + text[..span.start].matches('\n').count() as u32);
        LoadError::in_file(name, line, Problem::Syntax(error.message().trim().to_owned()))
    })?;
    for example in &mut file.example {
        example.position = std::mem::take(&mut example.position).over(&file.position);
    }
    for (at, example) in file.example.iter().enumerate() {
        let wrong = |text: String| Err(LoadError::in_file(name, None, Problem::Inconsistent(text)));
        if file.example[..at].iter().any(|other| other.id == example.id) {
            return wrong(format!("the example `{}` stands there twice", example.id));
        }
        if example.steps().is_empty() {
            return wrong(format!("the example `{}` does and expects nothing", example.id));
        }
        if example.position.weather.is_some() && example.position.turn.is_none() {
            return wrong(format!("the example `{}` sets weather but no turn", example.id));
        }
    }
    Ok(file)
}
