//! Decisions in words.

use sandtable_core::{Hex, Index};

use crate::action::Action;
use crate::game::RoadsToMoscow;
use crate::ids::{FormationId, Marker, UnitId, Units, hex_number};
use crate::phase::Phase;
use crate::rules::Crt;
use crate::state::{State, is_hex};

impl RoadsToMoscow {
    /// What a unit is called.
    pub fn unit_name(&self, unit: UnitId) -> &str {
        if unit.is_none() { "nobody" } else { &self.unit(unit).id }
    }
    /// What a formation is called.
    pub fn formation_name(&self, formation: FormationId) -> &str {
        &self.rules.formations[formation.at()].id
    }
    /// What a marker is called.
    pub fn marker_name(&self, marker: Marker) -> &str {
        self.formation_name(self.formation_of(marker))
    }
    /// Units by name.
    pub fn unit_names(&self, units: &Units) -> String {
        let names: Vec<&str> = units.iter().map(|unit| self.unit_name(unit)).collect();
        if names.is_empty() { "nobody".into() } else { names.join(", ") }
    }
    /// A hex by number, and what lies there.
    pub fn hex_name(&self, hex: Hex) -> String {
        if !is_hex(hex) {
            return "off the map".into();
        }
        let number = format!("{:04}", hex_number(hex));
        let named = self.rules.map.hexes.iter().find(|data| data.hex == hex && !data.name.is_empty());
        named.map_or(number.clone(), |data| format!("{number} ({})", data.name))
    }

    /// The action in words, as a player would say it.
    pub(crate) fn describe_action(&self, state: &State, action: Action) -> String {
        match action {
            Action::Pass => self.describe_pass(state).into(),
            Action::Mobile => "Mobile Sequence".into(),
            Action::Assault => "Assault Sequence".into(),
            Action::Group(at) => format!("take optional group {}", self.rules.groups[at as usize].id),
            Action::Formation(formation) if state.phase == Phase::Reserve => {
                format!("put {} into Reserve", self.formation_name(formation))
            }
            Action::Formation(formation) => format!("activate {}", self.formation_name(formation)),
            Action::LeaveOut(marker) => format!("leave {} out of the cup", self.marker_name(marker)),
            Action::Marker(marker) => format!("play {}", self.marker_name(marker)),
            Action::Combine(marker) => format!("combine, revealing {}", self.marker_name(marker)),
            Action::Points(unit, leader) if leader.is_none() => {
                format!("spend the points of {}", self.unit_name(unit))
            }
            Action::Points(unit, leader) => {
                format!("spend the points of {} and {}", self.unit_name(unit), self.unit_name(leader))
            }
            Action::Unit(unit) => self.describe_unit(state, unit),
            Action::Lead(unit) => format!("lead {}", self.unit_name(unit)),
            Action::Air(unit) if state.phase == Phase::AirLead => {
                format!("lead {}", self.rules.air[unit.at()].id)
            }
            Action::Air(unit) => format!("commit {}", self.rules.air[unit.at()].id),
            Action::Join(unit) => format!("with {}", self.unit_name(unit)),
            Action::Drop(unit) => format!("leave {} behind", self.unit_name(unit)),
            Action::Go(hex) => format!("go to {}", self.hex_name(hex)),
            Action::Overrun(hex) => format!("overrun {}", self.hex_name(hex)),
            Action::Target(hex) => self.describe_target(state, hex),
            Action::Declare(Crt::Assault) => "attack on the Assault table".into(),
            Action::Declare(Crt::Mobile) => "attack on the Mobile table".into(),
        }
    }

    fn describe_pass(&self, state: &State) -> &'static str {
        match state.phase {
            Phase::OptionalGroups => "no optional group",
            Phase::Reserve => "nobody else into Reserve",
            Phase::FillingCup => "the cup is full",
            Phase::Sequence => "Pass",
            Phase::Fuel => "no more fuel",
            Phase::ArmyUnits => "no more Army units",
            Phase::Engineering => "no more positions",
            Phase::Movement => "no more movement",
            Phase::Stack => "stop",
            Phase::Declaring => "no more attacks",
            Phase::Refusal => "no refusal",
            Phase::Reaction => "no more reactions",
            Phase::NoRetreat => "no more No Retreat",
            Phase::CombinePoints
            | Phase::ArmyPoints
            | Phase::ReactionPoints
            | Phase::NoRetreatPoints
            | Phase::AirPoints
            | Phase::ArtilleryPoints
            | Phase::GroundPoints
            | Phase::Recovery => "no command points",
            Phase::Air => "no more aircraft",
            Phase::Artillery => "no more artillery",
            Phase::Advance => "no further advance",
            Phase::Retreat => "no farther",
            _ => "no more",
        }
    }

    fn describe_unit(&self, state: &State, unit: UnitId) -> String {
        let name = self.unit_name(unit);
        match state.phase {
            Phase::Fuel => format!("spend {name}"),
            Phase::ArmyUnits => format!("activate {name}"),
            Phase::Engineering => format!("{name} digs"),
            Phase::Movement => format!("move {name}"),
            Phase::Attackers => format!("{name} attacks"),
            Phase::Reaction => format!("{name} reacts"),
            Phase::Artillery => format!("{name} supports"),
            Phase::SureArtillery => format!("{name} is coordinated without a check"),
            Phase::Losses | Phase::NoRetreatLoss | Phase::MotorisedAdvantage | Phase::FailedOverrun => {
                format!("{name} loses a step")
            }
            Phase::Excess => format!("{name} is eliminated"),
            _ => name.into(),
        }
    }

    fn describe_target(&self, state: &State, hex: Hex) -> String {
        let name = self.hex_name(hex);
        match state.phase {
            Phase::Declaring => format!("attack {name}"),
            Phase::Refusal => format!("{name} refuses combat"),
            Phase::Engineering => format!("remove the position in {name}"),
            Phase::NoRetreat if state.no_retreat.contains(hex) => format!("take No Retreat off {name}"),
            Phase::NoRetreat => format!("no retreat from {name}"),
            Phase::Combat => format!("fight for {name}"),
            _ => name,
        }
    }
}
