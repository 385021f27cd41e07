//! What is built.

use sandtable_core::Index;
use sandtable_victory_in_europe::rules::{Arm, Kind, Target};
use sandtable_victory_in_europe::{Action, Force, Nation, Place, State, UnitId, VictoryInEurope};

use super::Scripted;
use crate::assessment::{fire, is_box};

/// Power of a step of the infantry that is built where a landing sets out.
const LANDING_STEP: f32 = 0.33;
/// Worth a point of the step with which a leader can order his first Blitz (5.61).
const LEADER_FIRST: f32 = 1.8;
/// Worth of the first step of a new unit against one of a unit that fights already.
const FIRST_STEP: f32 = 0.85;
/// Worth of a step that is paid with points which count in one place alone, against any other.
const LOCAL: f32 = 3.0;

impl Scripted {
    /// What an entry in the production is worth a point.
    pub(super) fn production(&self, game: &VictoryInEurope, state: &State, action: Action) -> f32 {
        let Some(major) = state.budget.major() else { return 0.0 };
        let force = state.politics.standing(major).force().unwrap_or(Force::Axis);
        let weights = &self.assessment.weights[force.index()];
        let last = game.rules.setup.last_turn;
        let left = f32::from(last.saturating_sub(state.turn));
        match action {
            Action::Build(unit) => {
                let place = state.location(unit);
                local(game, state, place) * self.step(game, state, force, unit, place, false)
            }
            Action::Raise(unit, place) => {
                local(game, state, place) * self.step(game, state, force, unit, place, true)
            }
            Action::BuildFactory(area) => {
                let safe = self.assessment.threat[area.at()] <= self.assessment.own[area.at()] + 0.1;
                let doomed = major == Nation::France;
                if !safe || doomed || left <= 7.0 {
                    0.0
                } else if force == Force::Axis {
                    weights.factories * 0.25 * left.min(16.0)
                } else {
                    // What no unit takes is lost otherwise.
                    weights.factories * 0.02 * left.min(16.0)
                }
            }
            _ => 0.0,
        }
    }

    /// Worth a point of a step for a unit at a place.
    fn step(
        &self,
        game: &VictoryInEurope,
        state: &State,
        force: Force,
        unit: UnitId,
        place: Place,
        new: bool,
    ) -> f32 {
        let weights = &self.assessment.weights[force.index()];
        let sheet = game.unit_type(unit);
        let cost = f32::from(sheet.cost).max(1.0);
        let kind = game.kind(unit);
        let first = if new { FIRST_STEP } else { 1.0 };
        match game.arm(unit) {
            _ if kind == Kind::Convoy && carries_in_vain(game, state, place) => 0.0,
            _ if kind == Kind::Convoy => weights.convoys * 2.4,
            Arm::Army if kind == Kind::Leader => {
                if new {
                    1.2
                } else {
                    LEADER_FIRST - 0.4 * f32::from(state.steps(unit))
                }
            }
            Arm::Army => {
                let army = f32::from(fire(game, unit, Target::Army));
                let mobile = 1.0 + 0.12 * f32::from(sheet.moves);
                // Early classes fire first; what a block may grow to counts where few find room.
                let early =
                    1.0 + 0.08 * (3.0 - f32::from(sheet.class)) + 0.05 * f32::from(game.max_steps(unit));
                let factor = if kind == Kind::Panzer { weights.armour } else { 1.0 };
                factor * first * army.max(0.4) * mobile * early / cost.powf(0.75)
                    + self.wanted_at(game, force, unit, place, new)
            }
            // Where aircraft wait for a way to the front, no more are built.
            Arm::Air if self.waits_with_others(game, state, unit, place) => 0.0,
            Arm::Air => {
                let army = f32::from(fire(game, unit, Target::Army));
                let bombs = f32::from(fire(game, unit, Target::Factory));
                let worth = army.max(bombs * 1.3).max(f32::from(fire(game, unit, Target::Air)) * 0.9);
                weights.air * first * (0.9 * worth / cost.powf(0.75))
                    + 0.5 * self.wanted_at(game, force, unit, place, new)
            }
            Arm::Naval => {
                let sea = f32::from(fire(game, unit, Target::Surface));
                let wanted = if force == Force::Western { 0.5 } else { 0.25 };
                weights.navy * first * wanted * sea / cost
            }
        }
    }

    /// Whether an aircraft is or would be one of several behind the front, in a box of any number of units.
    fn waits_with_others(&self, game: &VictoryInEurope, state: &State, unit: UnitId, place: Place) -> bool {
        let others = |other: &UnitId| *other != unit && game.arm(*other) == Arm::Air;
        place.is_area() && is_box(game, place) && state.stack(place).any(|other| others(&other))
    }

    /// How much a step is wanted at a place: where guards are too weak, where troops are drawn, and where they wait to be
    /// shipped, for who is to be shipped goes at full strength.
    fn wanted_at(&self, game: &VictoryInEurope, force: Force, unit: UnitId, place: Place, new: bool) -> f32 {
        if !place.is_area() {
            return 0.0;
        }
        let at = place.at();
        let exposed = (self.assessment.threat[at] - self.assessment.own[at]).clamp(0.0, 2.0);
        let waits = if new || !game.kind(unit).is_infantry() {
            0.0
        } else {
            self.assessment.embarkation(force, place, self.assessment.own[at], LANDING_STEP)
        };
        0.3 * exposed + 0.02 * self.assessment.pull[force.index()][at].min(40.0) + waits
    }
}

/// Factor on the worth of what is paid with points that count nowhere else: those of the Urals, and of a Leningrad that
/// lives by the lake (13, 1.9).
fn local(game: &VictoryInEurope, state: &State, place: Place) -> f32 {
    let (budget, places) = (&state.budget, &game.rules.places);
    let has_own = place == places.urals && budget.urals > 0
        || place == places.leningrad && budget.leningrad > 0 && !budget.lines.contains(place);
    if budget.major() == Some(Nation::Ussr) && has_own { LOCAL } else { 1.0 }
}

/// Whether what a convoy carries finds no use: lend-lease for Britain, which leaves points unspent, or resources for a
/// major whose factories have enough (7.71, 7.72, 11.1). Britain writes before the USA.
fn carries_in_vain(game: &VictoryInEurope, state: &State, place: Place) -> bool {
    let (zone, places) = (place.sea_zone(), &game.rules.places);
    if zone == Some(places.convoy_a) {
        false
    } else if zone == Some(places.convoy_b) {
        state.budget.points[Nation::Britain.index()] > 0
    } else {
        state.budget.growth[0] > 0
    }
}
