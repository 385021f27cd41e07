//! Positions and expectations as they are written.

use std::collections::BTreeMap;

use serde::Deserialize;

use sandtable_scenarios::example::format::{self, Illegal, Lists, Names, Numbers};

/// Movement Points by name.
pub type Points = BTreeMap<String, f64>;

/// The position of an example; each key is explained in `examples/README.md`.
#[derive(Deserialize, Clone, Default, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Position {
    /// Values of the scenario by path.
    pub set: Vec<String>,
    /// Units of the set-up stay where they are.
    pub keep_units: bool,
    /// Hexes to be emptied, with `keep_units`.
    pub clear: Vec<String>,
    pub turn: Option<String>,
    pub weather: Option<String>,
    /// Lines `hex: unit, unit`.
    pub units: Vec<String>,
    /// Hexes by side.
    pub control: Lists,
    /// Hexes with a completed Fortified Position, by its owner.
    pub fortified: Lists,
    /// Hexes without the Fortified Position of the set-up.
    pub bare: Vec<String>,
    /// Hexes whose Fortified Line is destroyed.
    pub destroyed_lines: Vec<String>,
    /// Hexes with a marker of No Retreat.
    pub no_retreat: Vec<String>,
    /// Hexes in which a refusal has failed in this sequence.
    pub refusal_failed: Vec<String>,
    /// Who had the initiative on the turn before.
    pub initiative: Option<String>,
    pub initiative_drm: Numbers,
    /// Activation Markers by side.
    pub available: Lists,
    pub cup: Lists,
    pub activated: Lists,
    /// With the turn on which they come back: `10Pz 16AM`.
    pub reserve: Lists,
    pub pool: Names,
    pub drawn: Names,
    /// Optional groups taken.
    pub groups: Vec<String>,
    /// Air units that have flown, and that are lost.
    pub flown: Vec<String>,
    pub air_lost: Vec<String>,
    /// Victory Points for units so far, by side.
    pub ledger: Numbers,
    /// Who acts, with which formations, in which kind of sequence.
    pub side: Option<String>,
    pub active: Vec<String>,
    pub sequence: Option<String>,
    /// Fuel units being spent for the first active formation.
    pub fuel_spent: Vec<String>,
    /// Declared Attacks: `hex mobile: unit, unit`.
    pub attacks: Vec<String>,
    pub phase: Option<String>,
}

impl format::Position for Position {
    fn overrides(&self) -> Vec<String> {
        self.set.clone()
    }
}

/// What must hold after a step; each key is explained in `examples/README.md`.
#[derive(Deserialize, Clone, Default, PartialEq, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Expect {
    /// Exact content of hexes.
    pub units: Vec<String>,
    /// Part of the content of hexes.
    pub among: Vec<String>,
    pub eliminated: Vec<String>,
    /// Units that are not in the game, and fuel that is still to be received.
    pub out: Vec<String>,
    /// Units that are still to come.
    pub waiting: Vec<String>,
    pub control: Lists,
    pub contested: Vec<String>,
    pub zoc: Lists,
    pub no_zoc: Lists,
    /// Stacking points of hexes.
    pub stacking: Numbers,
    /// Movement Points from where a unit stands to a hex beside it: `unit hex`.
    pub costs: Points,
    /// Movement allowances in the phase at hand.
    pub allowance: Points,
    /// Movement Points left.
    pub left: Points,
    /// Efficiency Ratings.
    pub ratings: Numbers,
    /// Supply status of units.
    pub status: Names,
    /// Hexes from which units with motors can trace a route, and from which not, by side.
    pub supplied: Lists,
    pub cut_off: Lists,
    /// Odds by strengths and table: `8:3 assault`.
    pub odds: Names,
    /// Results by table, odds and modified roll: `assault 2-1 4`, `mobile below`.
    pub results: Names,
    /// Attacks that might be declared.
    pub weigh: Vec<Weighed>,
    /// The last combat that was resolved in the step.
    pub combat: Option<Report>,
    /// Weather, fuel by roll: `6AM 5`, `6`.
    pub weathers: Names,
    pub fuel: Numbers,
    pub fortified: Option<Lists>,
    /// Positions under construction.
    pub digging: Option<Vec<String>>,
    pub destroyed_lines: Vec<String>,
    pub standing_lines: Vec<String>,
    pub no_retreat: Option<Vec<String>>,
    pub first: Option<String>,
    pub initiative_drm: Numbers,
    pub available: Lists,
    pub cup: Lists,
    pub activated: Lists,
    pub left_out: Lists,
    pub reserve: Lists,
    /// `none` for an empty pool.
    pub pool: Names,
    pub active: Option<Vec<String>>,
    pub ready: Vec<String>,
    pub flown: Vec<String>,
    pub air_lost: Vec<String>,
    /// Victory Points for units and groups so far, by side.
    pub ledger: Numbers,
    /// Score of the scenario's attacker.
    pub score: Option<i32>,
    /// Efficiency checks of units in the step, in order.
    pub checks: Option<Vec<Check>>,
    pub turn: Option<String>,
    pub weather: Option<String>,
    pub phase: Option<String>,
    /// Who decides.
    pub decides: Option<String>,
    /// Decisions that are open, passing not counted.
    pub choices: Option<usize>,
    pub legal: Vec<String>,
    pub illegal: Vec<Illegal>,
    pub winner: Option<String>,
    pub end_reason: Option<String>,
}

/// An attack that might be declared.
#[derive(Deserialize, Clone, Default, PartialEq, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Weighed {
    pub at: String,
    pub with: Vec<String>,
    pub attack: Option<u16>,
    pub defence: Option<u16>,
    pub odds: Option<String>,
}

/// An efficiency check of a unit.
#[derive(Deserialize, Clone, Default, PartialEq, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Check {
    pub unit: String,
    pub modifier: Option<i8>,
    pub rating: Option<u8>,
    pub passed: Option<bool>,
}

/// A combat as fought.
#[derive(Deserialize, Clone, Default, PartialEq, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Report {
    pub at: Option<String>,
    pub crt: Option<String>,
    pub attack: Option<u16>,
    pub defence: Option<u16>,
    /// Column, or `below`.
    pub odds: Option<String>,
    /// Net modifier.
    pub drm: Option<i8>,
    /// Modifiers one by one.
    pub modifiers: Numbers,
    pub roll: Option<u8>,
    pub result: Option<String>,
}
