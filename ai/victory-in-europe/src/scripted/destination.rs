//! Where a unit without orders goes: armies on the march, aircraft, ships, and who boards a landing.

use sandtable_core::Index;
use sandtable_victory_in_europe::rules::{Arm, Kind, Target};
use sandtable_victory_in_europe::{Action, Force, Pending, Place, State, Team, UnitId, VictoryInEurope};

use super::{REBASE, Scripted};
use crate::assessment::{EVACUATION, area_of, fire, is_guest};
use crate::orders::serves_in;
use crate::weights::MEDITERRANEAN;

/// Share of the worth of a landing for which a first and a second ship wait before the coast.
const STATION: f32 = 0.3;
const SECOND: f32 = 0.08;
/// Worth of a ship that guards the sea before own coasts, and the stake from which on they are worth it.
const SEA_GUARD: f32 = 0.8;
const GUARDED_COAST: f32 = 6.0;
/// Worth of the step that an aircraft loses where it has no line of supply.
const UNFED: f32 = 1.5;
/// Degrees of latitude around a battle within which airfields are left to the aircraft that fight there.
const RECOVERY: f32 = 5.0;

impl Scripted {
    /// What a goal is worth to a unit without orders, against staying.
    pub(super) fn destination(
        &self,
        game: &VictoryInEurope,
        state: &State,
        force: Force,
        unit: UnitId,
        here: Place,
        action: Action,
    ) -> f32 {
        let marches = matches!(state.pending, Pending::March(_));
        let (to, price) = match action {
            // Who has been sent and finds no room does not turn back.
            Action::Go(to, _) => (to, if marches { 0.8 } else { 0.05 }),
            Action::Strategic(to, _) => (to, if game.arm(unit) == Arm::Army { 3.0 } else { 6.0 }),
            _ => (here, 0.0),
        };
        let stays = to == here;
        if stays && here.is_area() && is_guest(game, state, unit, here) {
            return -EVACUATION;
        }
        match game.arm(unit) {
            Arm::Army => self.army_destination(game, state, force, unit, (here, to), action, price),
            // Wars are not declared by accident (10.1).
            Arm::Air if matches!(action, Action::Go(..)) && game.flight_is_war(state, unit, to) => -1e3,
            Arm::Air => self.flight(game, state, force, unit, (here, to)) + if stays { REBASE } else { 0.0 },
            Arm::Naval => self.voyage(game, state, force, unit, to) - if stays { 0.0 } else { 0.15 + price },
        }
    }

    /// What a goal is worth to an army without orders.
    #[expect(clippy::too_many_arguments, reason = "a decision and what it is about")]
    fn army_destination(
        &self,
        game: &VictoryInEurope,
        state: &State,
        force: Force,
        unit: UnitId,
        (here, to): (Place, Place),
        action: Action,
        price: f32,
    ) -> f32 {
        let stays = to == here;
        if !to.is_area() {
            return -5.0;
        }
        if !stays && self.assessment.is_full(game, unit, to) {
            return -6.0;
        }
        let power = self.assessment.block(game, state, unit).power().max(0.1);
        if state.held[force.index()].contains(to) && !state.disputed().contains(to) {
            let there = self.assessment.own[to.at()] - if stays { power } else { 0.0 };
            let in_vain = matches!(action, Action::Strategic(..))
                && (self.assessment.is_hopeless(to, power)
                    || self.assessment.strays(game, state, unit, (here, to))
                    || !serves_in(game, state, unit, to));
            let price = if in_vain { 100.0 } else { price + self.orders.undoing(unit, to) };
            return self.assessment.post(force, to, there.max(0.0), power) - price;
        }
        if self.assessment.hostile[force.index()].contains(to) && !self.assessment.foes.contains(to) {
            self.assessment.prize(force, to) * 0.5 - price
        } else if stays {
            0.0
        } else {
            // A battle that nobody planned.
            -3.0
        }
    }

    /// What it is worth that a unit joins an invasion.
    pub(super) fn boarding(&self, game: &VictoryInEurope, state: &State, unit: UnitId) -> f32 {
        let Some(from) = area_of(state, unit) else { return 0.0 };
        let power = self.assessment.block(game, state, unit).power();
        let there = self.assessment.own[from.at()];
        let leaves =
            self.assessment.cover(from, there) - self.assessment.cover(from, (there - power).max(0.0));
        1.0 + 3.0 * power - leaves
    }

    /// What it is worth to an aircraft to be at a place.
    fn flight(
        &self,
        game: &VictoryInEurope,
        state: &State,
        force: Force,
        unit: UnitId,
        (here, to): (Place, Place),
    ) -> f32 {
        let stays = to == here;
        let steps = f32::from(state.steps(unit));
        if let Some(zone) = to.sea_zone() {
            let fights = state.disputed_seas() >> zone & 1 != 0;
            let naval = f32::from(fire(game, unit, Target::Surface));
            return if fights { steps * naval * 0.3 } else { -2.0 };
        }
        let team = force.team();
        if state.held[force.index()].contains(to) && !state.disputed().contains(to) {
            let taken = !stays && self.is_spoken_for(game, state, unit, to);
            return self.airfield(game, force, to) - if taken { 1.0 } else { 0.0 };
        }
        if stays {
            return 0.0;
        }
        let army = f32::from(fire(game, unit, Target::Army));
        let air = f32::from(fire(game, unit, Target::Air));
        if state.attacked[team.index()].contains(to) {
            // Those who land have no other fire behind them.
            let landed = state.invasion.done[force.index()] == to;
            return 4.0 + steps * army.max(air * 0.5) + if landed { 2.0 } else { 0.0 };
        }
        if state.disputed().contains(to) {
            return 2.0 + steps * army.max(air * 0.5) * 0.5 + 0.1 * self.assessment.worth[to.at()];
        }
        // Who raids is back in the evening; command that is not spent by then is lost (3.2).
        let raid = self.assessment.raid(game, state, unit, to);
        raid + if raid > 0.0 && here.is_area() { self.airfield(game, force, here) } else { 0.0 }
    }

    /// Whether aircraft that fight near a field may have to land there: each field takes one (6.11), and who finds none is lost.
    fn is_spoken_for(&self, game: &VictoryInEurope, state: &State, unit: UnitId, field: Place) -> bool {
        let disputed = state.disputed();
        let aloft = |other: UnitId| {
            other != unit && game.arm(other) == Arm::Air && game.team(state, other) == game.team(state, unit)
        };
        disputed.iter().any(|area| {
            let (here, there) = (&game.rules.areas[field.at()], &game.rules.areas[area.at()]);
            let (north, east) = (here.lat - there.lat, 0.65 * (here.lon - there.lon));
            north * north + east * east < RECOVERY * RECOVERY && state.stack(area).any(aloft)
        })
    }

    /// What it is worth to base an aircraft in a friendly area: near the front, behind an army.
    pub(super) fn airfield(&self, game: &VictoryInEurope, force: Force, area: Place) -> f32 {
        let at = area.at();
        let guarded = if self.assessment.own_units[at] > 0 { 0.6 } else { 0.0 };
        let near = 0.06 * self.assessment.nearness(game, force, area);
        let risk = (self.assessment.threat[at] - self.assessment.own[at]).clamp(0.0, 2.0) * 0.4;
        // Who has no line there loses a step each turn (8.2).
        let starves = if self.assessment.is_supplied(force, area) { 0.0 } else { UNFED };
        guarded + near - risk - starves
    }

    /// What it is worth to a ship to be at a place.
    pub(super) fn voyage(
        &self,
        game: &VictoryInEurope,
        state: &State,
        force: Force,
        unit: UnitId,
        to: Place,
    ) -> f32 {
        let team = force.team();
        let Some(zone) = to.sea_zone() else {
            // Ships fire at the shore where troops land.
            let supports = state.attacked[team.index()].contains(to) && game.has_army(state, to, team);
            return if supports {
                0.5 * f32::from(state.steps(unit)) * f32::from(fire(game, unit, Target::Army))
            } else {
                0.0
            };
        };
        let at = |team: Team| game.units_at(state, to, team).filter(move |&other| other != unit);
        let is_convoy = |other: &UnitId| game.kind(*other) == Kind::Convoy;
        let hunts = game.kind(unit) == Kind::Submarine;
        let enemies = at(team.other()).count() as f32;
        let friends = at(team).filter(|other| !is_convoy(other)).count() as f32;
        let steps = f32::from(state.steps(unit));
        if enemies > 0.0 {
            let convoy =
                at(team.other()).find(is_convoy).map_or(0.0, |convoy| f32::from(state.steps(convoy)));
            let prey = if hunts { 1.2 * convoy.min(0.6 * steps) } else { 0.0 };
            let escorts = enemies - f32::from(u8::from(convoy > 0.0));
            let fires = f32::from(fire(game, unit, Target::Surface).max(fire(game, unit, Target::Sub)));
            let duel =
                if escorts > 0.0 { 0.25 * steps * fires * (1.0 + friends) - 1.4 * escorts } else { 0.3 };
            return prey + duel;
        }
        if hunts {
            return -0.5;
        }
        // A convoy wants an escort.
        let convoy = at(team).find(is_convoy).map_or(0.0, |convoy| f32::from(state.steps(convoy)));
        let escort = if convoy > 0.0 { (0.6 + 0.4 * convoy) / (1.0 + friends) } else { 0.0 };
        // Who means to land keeps a ship before the coast: it must be there when the turn begins (7.5).
        let landings = &self.assessment.landings[force.index()];
        let worth = landings[usize::from(zone)];
        let here = state.location(unit).sea_zone().map_or(0.0, |here| landings[usize::from(here)]);
        let keeps = self.assessment.keeps_waiting(force, [here, worth]);
        let is_there = state.location(unit) == to;
        let landing = worth
            * if keeps && !is_there {
                0.0
            } else if friends < 1.0 {
                STATION
            } else if friends < 2.0 || keeps {
                SECOND
            } else {
                0.0
            };
        // A fleet at sea before its own coasts costs who would land a battle first (7.5).
        let coasts = self.map_tables.shores[zone as usize].and(&state.held[force.index()]);
        let guards = force == Force::Axis
            && friends < 1.0
            && coasts.iter().any(|area| {
                self.map_tables.theatre[area.at()] == MEDITERRANEAN
                    && self.assessment.stake[area.at()] >= GUARDED_COAST
            });
        escort + landing + if guards { SEA_GUARD } else { 0.0 } - 0.3
    }
}
