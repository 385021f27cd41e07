//! The position and the expectations of an example as they are written.

use sandtable_scenarios::example::format::{Illegal, Lists, Names, Numbers, Position as Written};
use serde::Deserialize;

/// A position: the set-up of the scenario, or what is said of it.
#[derive(Deserialize, Clone, Default, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Position {
    /// Overrides of the scenario.
    pub set: Vec<String>,
    /// Turn, from 1.
    pub turn: Option<u8>,
    /// Whose player turn it is: `first`, `second`.
    pub team: Option<String>,
    /// The phase that begins.
    pub phase: Option<String>,
    /// Weather of all zones.
    pub weather: Option<String>,
    /// Whether the counters of the set-up stay on the map.
    pub keep_units: bool,
    /// `area: unit, unit`.
    pub units: Vec<String>,
    /// Areas by the power that controls them.
    pub control: Lists,
    /// Areas whose first round has not been fought.
    pub newly_disputed: Vec<String>,
    /// Areas with field fortifications.
    pub field_forts: Vec<String>,
    /// Areas with heavy fortifications.
    pub heavy_forts: Vec<String>,
    /// Areas whose ports are disabled (13.32).
    pub disabled_ports: Vec<String>,
    /// Special Actions in hand by power.
    pub actions: Numbers,
    /// Fleet Points: `power sea ready`, `power sea ready used N`.
    pub fleets: Vec<String>,
    /// Beachheads by team.
    pub beachheads: Lists,
    /// How powers stand in the war, where it is not as in the set-up: `neutral`, `belligerent`, `conquered`, `absent`.
    pub standing: Names,
    /// What has happened: see the README.
    pub happened: Vec<String>,
    /// Assets of the strategic war: `axis_fighter`, `allied_bomber`, `submarine`, `asw`, ...
    pub assets: Numbers,
}

impl Written for Position {
    fn overrides(&self) -> Vec<String> {
        self.set.clone()
    }
}

/// What must hold after a step.
#[derive(Deserialize, Clone, Default, PartialEq, Debug)]
#[serde(deny_unknown_fields, default)]
pub struct Expect {
    /// Phase.
    pub phase: Option<String>,
    /// Turn, from 1.
    pub turn: Option<i32>,
    /// All that stands in an area: `area: unit, unit`.
    pub units: Vec<String>,
    /// All that lies face up in an area: `area: unit, unit`; `area:` = nothing does.
    pub revealed: Vec<String>,
    /// Areas by the power that controls them.
    pub control: Lists,
    /// Areas with units of both sides, all of them.
    pub disputed: Option<Vec<String>>,
    /// What was fired in the step: `first arm at inf: 24 dice need 4, 12 hits`.
    pub fired: Option<Vec<String>>,
    /// Fighters and aircraft shot down, of the first and the second team: `3 2, shot down 1 0`.
    pub air_combat: Option<String>,
    /// WERP by power at the start of its production.
    pub income: Numbers,
    /// WERP left by power.
    pub werp: Numbers,
    /// Special Actions in hand by power.
    pub actions: Numbers,
    /// Areas with field fortifications, all of them.
    pub field_forts: Option<Vec<String>>,
    /// Areas with heavy fortifications, all of them.
    pub heavy_forts: Option<Vec<String>>,
    /// Areas whose ports are disabled, all of them.
    pub disabled_ports: Option<Vec<String>>,
    /// Weather by zone: east, west, south.
    pub weather: Names,
    /// Fleet Points of a power in a zone: `power sea ready`, `power sea ready used N`.
    pub fleets: Vec<String>,
    /// Naval combats of the step: `atlantic: 3 against 1, sunk 0 1`, of the first and the second team.
    pub naval: Option<Vec<String>>,
    /// Beachheads by team, all of the team.
    pub beachheads: Lists,
    /// Victory points by team as things stand.
    pub points: Numbers,
    /// How powers stand in the war.
    pub standing: Names,
    /// What has happened, by name; `not ...` = it has not.
    pub happened: Vec<String>,
    /// Assets of the strategic war, named as in a position, with `bomb_hits`, `werp_lost`, `axis_moves_lost`, `allied_moves_lost` too.
    pub assets: Numbers,
    /// Who has won: `first`, `second`, `nobody`; why.
    pub winner: Option<String>,
    /// The reason of the end.
    pub end_reason: Option<String>,
    /// Decisions that must be legal.
    pub legal: Vec<String>,
    /// Decisions that must not be, and why.
    pub illegal: Vec<Illegal>,
}
