//! Positions and expectations as they are written.

use std::collections::BTreeMap;

use serde::Deserialize;

use sandtable_scenarios::example::format::{self, Illegal, Lists, Names};

#[derive(Deserialize, Clone, Default, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Position {
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
    pub countries: Names,
    pub control: Lists,
    pub dates: BTreeMap<String, toml::Value>,
    pub cards: Lists,
    pub release: Vec<String>,
    pub clear: Vec<String>,
    pub units: Vec<String>,
}

impl format::Position for Position {
    /// Those written, and the weather of the turn.
    fn overrides(&self) -> Vec<String> {
        let weather = self
            .weather
            .iter()
            .filter_map(|weather| self.turn.map(|turn| format!("calendar.{turn}.weather={weather}")));
        self.set.iter().cloned().chain(weather).collect()
    }

    fn fault(&self) -> Option<&'static str> {
        (self.weather.is_some() && self.turn.is_none()).then_some("sets weather but no turn")
    }
}

#[derive(Deserialize, Clone, Default, PartialEq, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Expect {
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
    pub countries: Names,
    pub dates: BTreeMap<String, toml::Value>,
    /// Holder of superiority in land zones and seas.
    pub superiority: Names,
    /// Supply still to be lost, by side.
    pub loss: BTreeMap<String, u8>,
    /// Units waiting for placement, by side: the same letters as units.
    pub waiting: Names,
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

#[derive(Deserialize, Clone, Default, PartialEq, Debug)]
#[serde(deny_unknown_fields, default)]
#[allow(clippy::struct_field_names)] // the names of the file format
pub struct Weighed {
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
