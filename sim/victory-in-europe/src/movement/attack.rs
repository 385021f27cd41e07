//! Battles that movement opens: what they cost, and what may be attacked (3.2, 4.4, 6.21, 7.31).

use super::menu::{Places, of_seas};
use super::naval::bits;
use super::outlook::Outlook;
use crate::game::VictoryInEurope;
use crate::nation::Team;
use crate::place::{Place, UnitId};
use crate::rules::{Arm, Kind, Seas, Target};
use crate::state::{State, mark};
use sandtable_core::Index;

/// Any ship: which kind it is cannot be seen.
const SHIPS: u8 = 1 << Target::Surface as u8 | 1 << Target::Sub as u8 | 1 << Target::Convoy as u8;

impl VictoryInEurope {
    /// Whether enemies of a unit are at a place, or a battle is due there.
    pub(super) fn is_battle(&self, state: &State, unit: UnitId, place: Place) -> bool {
        if self.is_disputed(state, place) {
            return true;
        }
        if self.enemies_at(state, unit, place) {
            return true;
        }
        // Bombers over a factory that nobody guards (11.33).
        self.arm(unit) == Arm::Air
            && place.is_area()
            && state.factory(place) > 0
            && self.at_war(state, self.bloc_of(state, unit), self.bloc(state, state.controller(place)))
    }

    /// Whether a battle is due at a place.
    pub(super) fn is_disputed(&self, state: &State, place: Place) -> bool {
        match place.sea_zone() {
            Some(zone) => state.disputed_seas() & 1 << zone != 0,
            None => state.disputed().contains(place),
        }
    }

    /// Whether a team has attacked at a place.
    pub(super) fn has_attacked(&self, state: &State, team: Team, place: Place) -> bool {
        match place.sea_zone() {
            Some(zone) => state.sea_attacked[team.index()] & 1 << zone != 0,
            None => state.attacked[team.index()].contains(place),
        }
    }

    /// Whether units that a unit is at war with are at a place.
    pub(super) fn enemies_at(&self, state: &State, unit: UnitId, place: Place) -> bool {
        if state.is_vacant(place) {
            return false;
        }
        let own = self.bloc_of(state, unit);
        state.stack(place).any(|other| self.at_war(state, own, self.bloc_of(state, other)))
    }

    /// Whether units that are neither friends nor enemies of a unit are at a place, which it may then not share (R-43,
    /// R-81, 13 on Italy's ships). Western Allies and Soviets share no area, ever.
    pub(crate) fn strangers_at(&self, state: &State, unit: UnitId, place: Place) -> bool {
        if state.is_vacant(place) {
            return false;
        }
        let own = self.bloc_of(state, unit);
        state.stack(place).any(|other| {
            let bloc = self.bloc_of(state, other);
            bloc != own
                && !self.at_war(state, own, bloc)
                && (place.is_area() || !self.are_allied(state, own.force(), bloc.force()))
        })
    }

    /// Command points that joining the battle at a place costs a unit; `None` = more than its force has. A battle is paid
    /// once (3.2), by Player 2 also where he only reinforces (4.4); a land attack beside an invasion is paid on top (7.5).
    pub(super) fn battle_price(&self, state: &State, unit: UnitId, place: Place) -> Option<u8> {
        let charts = &self.rules.charts;
        let force = self.commander(state, unit);
        let team = force.team();
        let price = if self.has_attacked(state, team, place) {
            let at = force.index();
            let lands_beside = self.arm(unit) == Arm::Army
                && self.kind(unit) != Kind::Paratroop
                && state.invasion.done[at] == place
                && !state.invasion.joined[at];
            if lands_beside { charts.invasion_land_cm } else { 0 }
        } else if self.has_attacked(state, team.other(), place) && self.has_reinforced(state, place) {
            0
        } else {
            charts.battle_cm
        };
        (state.command_of(force) >= price).then_some(price)
    }

    fn has_reinforced(&self, state: &State, place: Place) -> bool {
        match place.sea_zone() {
            Some(zone) => state.invasion.reinforced_seas & 1 << zone != 0,
            None => state.invasion.reinforced.contains(place),
        }
    }

    /// A unit joins the battle at a place, or opens it, just before it goes there: command points, and whether it comes
    /// as a reinforcement (4.4).
    pub(super) fn commit(&self, state: &mut State, unit: UnitId, place: Place) {
        let force = self.commander(state, unit);
        let team = force.team();
        let price = self.battle_price(state, unit, place).unwrap_or(0);
        state.spend_command(force, price);
        let zone = place.sea_zone();
        if self.has_attacked(state, team, place) {
            let at = force.index();
            if self.arm(unit) == Arm::Army
                && self.kind(unit) != Kind::Paratroop
                && state.invasion.done[at] == place
            {
                state.invasion.joined[at] = true;
            }
        } else if self.has_attacked(state, team.other(), place) {
            state.set_mark(unit, mark::REINFORCES, true);
            match zone {
                Some(zone) => state.invasion.reinforced_seas |= 1 << zone,
                None => state.invasion.reinforced.insert(place),
            }
        } else {
            match zone {
                Some(zone) => state.sea_attacked[team.index()] |= 1 << zone,
                None => state.attacked[team.index()].insert(place),
            }
        }
    }

    /// What a unit would find to fire at, as [`Target::bit`]s: the kinds of enemy units at a place that can be told apart
    /// from outside, ships on one coast alone for ships (7.3), and the factory.
    fn targets_at(&self, state: &State, outlook: &Outlook, place: Place, coast: u8) -> u8 {
        let unit = outlook.unit;
        let mut targets = 0;
        for other in self.units_at(state, place, self.team(state, unit).other()) {
            targets |= match self.arm(other) {
                Arm::Army => Target::Army.bit(),
                Arm::Air => Target::Air.bit(),
                Arm::Naval if self.arm(unit) == Arm::Naval && state.coast(other) != coast => 0,
                Arm::Naval => SHIPS,
            };
        }
        if place.is_area()
            && state.factory(place) > 0
            && self.at_war(state, outlook.bloc, self.bloc(state, state.controller(place)))
        {
            targets |= Target::Factory.bit();
        }
        targets
    }

    /// Whether a ship or an aircraft may go to fight at a place, on a coast: there is something it can fire at, or an army of
    /// its side to support (6.21, 7.2, 7.31), and the command points suffice. Canada and the USA cannot be attacked (13).
    pub(super) fn may_attack(&self, state: &State, outlook: &Outlook, place: Place, coast: u8) -> bool {
        if place.is_area() && self.rules.areas[place.at()].safe
            || !outlook.affordable.contains(place)
            || state.is_vacant(place) && (!place.is_area() || state.factory(place) == 0)
            || outlook.strangers_at(state, place)
        {
            return false;
        }
        let unit = outlook.unit;
        let kind = self.unit_type(unit);
        let fires = (kind.primary | kind.secondary) & self.targets_at(state, outlook, place, coast) != 0;
        let supports = || {
            self.is_disputed(state, place)
                && self.has_army(state, place, self.team(state, unit))
                && kind.kind != Kind::Submarine
        };
        fires || supports()
    }

    /// Whether an aircraft would find units to fire at in an area of a neutral major, once it is at war with it (10.1).
    pub(super) fn finds_targets(&self, state: &State, outlook: &Outlook, area: Place) -> bool {
        let kind = self.unit_type(outlook.unit);
        !state.is_vacant(area)
            && (kind.primary | kind.secondary) & self.targets_at(state, outlook, area, 0) != 0
    }

    /// Places where there is anything to attack at all: units, or a factory.
    pub(super) fn targets(state: &State) -> Places {
        state.roster.occupied.or(&state.roster.factories)
    }

    /// Those of some sea zones that a ship or an aircraft may go to: to fight where a battle is due or enemies are, else where
    /// nobody is with whom it may not share them.
    pub(super) fn seas_to_enter(&self, state: &State, outlook: &Outlook, zones: Seas) -> Places {
        let contested = zones & (state.disputed_seas() | state.seas_with(&outlook.enemies));
        let calm = zones & !contested & !state.seas_with(&outlook.strangers_at_sea);
        let attacked = bits(contested).filter(|&zone| self.may_attack(state, outlook, Place::sea(zone), 0));
        of_seas(attacked.fold(calm, |open, zone| open | 1 << zone)).difference(&outlook.full[0])
    }
}
