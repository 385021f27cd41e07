//! Strategic Movement by land, sea and air, round Africa and out of the Urals, and factories on rails (4.7, 6.13, 7.26, 8.7,
//! 11.32, 13).

use super::ground::Ground;
use super::land::Step;
use super::menu::{Berths, Places, of_seas};
use super::naval::{Course, Passage, Voyage};
use super::outlook::Outlook;
use crate::Rolls;
use crate::action::Action;
use crate::game::{COASTS, VictoryInEurope};
use crate::nation::{Force, Nation};
use crate::place::{Place, UnitId};
use crate::rules::{Areas, Arm, Entry, Seas};
use crate::state::{State, mark};
use sandtable_core::{Board, Index};

/// Goals of Strategic Movement.
#[derive(Clone, Copy, Default)]
struct Transfers {
    /// Areas, for armies and aircraft.
    areas: Areas,
    /// Ports, for ships, by coast.
    ports: [Areas; COASTS],
    /// Sea zones, for ships.
    seas: Seas,
    /// Areas that cost the price of the way round Africa (8.7).
    far: Areas,
    /// The same for ships, by coast.
    far_ports: [Areas; COASTS],
}

impl Transfers {
    /// Areas for armies and aircraft, at either price.
    fn ashore(&self) -> Areas {
        self.areas.or(&self.far)
    }

    fn has_far(&self) -> bool {
        !self.far.is_empty() || self.far_ports.iter().any(|ports| !ports.is_empty())
    }
}

impl VictoryInEurope {
    /// Whether units in the Urals may not move yet: until the turn after Germany's declaration of war, or 1942 (13).
    pub(super) fn urals_are_closed(&self, state: &State) -> bool {
        let politics = &state.politics;
        let attacked = politics.axis_attacked_ussr && state.turn > politics.soviet_entry;
        self.calendar(state).year < self.rules.charts.urals_open_year && !attacked
    }

    /// Whether a force can pay for a Strategic Move of a unit ([`UnitId::NONE`]: of a factory step).
    #[inline]
    pub(super) fn can_move_strategically(&self, state: &State, force: Force, unit: UnitId) -> bool {
        state.command_of(force) >= self.rules.charts.strategic_cm
            || self.grants_moves(state, force) && self.free_moves(state, force, unit) > 0
    }

    /// Areas that were friendly to a nation at the start of the phase (4.7). Blocs that stand apart win and lose nothing in
    /// a phase.
    pub(super) fn held_at_start_by(&self, state: &State, nation: Nation) -> Areas {
        match self.bloc(state, nation).force() {
            Some(force) => state.held_before[force.index()],
            None => self.tables.areas.all,
        }
    }

    /// Strategic moves of a picked unit.
    pub(super) fn strategic_goals(&self, state: &State, outlook: &Outlook, transfers: &mut Berths) {
        let unit = outlook.unit;
        let Some(goals) = self.affordable_transfers(state, unit, &outlook.ground) else { return };
        let [ashore, coasts @ ..] = transfers;
        *ashore = goals.ashore().or(&of_seas(goals.seas));
        *coasts = goals.ports;
        for (ports, far) in coasts.iter_mut().zip(&goals.far_ports) {
            *ports = ports.or(far);
        }
        for (transfers, full) in transfers.iter_mut().zip(&outlook.full) {
            *transfers = transfers.difference(full);
        }
        if self.arm(unit) == Arm::Army {
            for area in transfers[0].and(&state.roster.occupied) {
                transfers[0].set(area, !self.is_full(state, outlook, area));
            }
        }
        self.sorties_from_urals(state, outlook, &mut transfers[0]);
    }

    /// Areas that an army could go to by Strategic Movement with the command there is, whether they have room for it or not (4.7).
    pub fn strategic_reach(&self, state: &State, unit: UnitId) -> Areas {
        let ground = self.ground(state, self.nation(state, unit));
        let goals = self.affordable_transfers(state, unit, &ground);
        goals.map_or(Areas::EMPTY, |goals| goals.ashore())
    }

    /// Where a unit could go by Strategic Movement with the command there is: round Africa only if that is paid for (4.7).
    fn affordable_transfers(&self, state: &State, unit: UnitId, ground: &Ground) -> Option<Transfers> {
        let force = self.commander(state, unit);
        if !self.can_move_strategically(state, force, unit) {
            return None;
        }
        let mut goals = self.transfers(state, unit, ground);
        if goals.has_far() && self.transfer_price(state, unit, true) > state.command_of(force) {
            (goals.far, goals.far_ports) = (Areas::EMPTY, [Areas::EMPTY; COASTS]);
        }
        Some(goals)
    }

    /// Command points of a strategic move, an event's free move deducted; round Africa, the dearer one.
    fn transfer_price(&self, state: &State, unit: UnitId, far: bool) -> u8 {
        let charts = &self.rules.charts;
        let price = if far { charts.red_port_cm } else { charts.strategic_cm };
        if self.free_moves(state, self.commander(state, unit), unit) > 0 {
            price.saturating_sub(charts.strategic_cm)
        } else {
            price
        }
    }

    fn transfers(&self, state: &State, unit: UnitId, ground: &Ground) -> Transfers {
        let nation = self.nation(state, unit);
        let here = state.location(unit);
        let goals = ground.friendly.and(&self.held_at_start_by(state, nation));
        let mut transfers = Transfers::default();
        match self.arm(unit) {
            Arm::Air => transfers.areas = goals,
            Arm::Army => {
                transfers.areas = self.rail(state, unit, &ground.friendly).and(&goals);
                if ground.friendly.contains(here) && self.tables.coasts.ports.contains(here) {
                    let course = Course {
                        nation,
                        enemy: self.enemy_waters(state, nation),
                        from: here,
                        coast: 0,
                        barred: 0,
                        ship: false,
                        stealthy: false,
                        passage: Passage::Strategic,
                    };
                    let reach = self.passage(state, ground, &course);
                    let (near, far) = self.by_sea(state, ground, &course, &reach, &goals);
                    transfers.areas = transfers.areas.or(&union(&near));
                    transfers.far = union(&far);
                }
            }
            Arm::Naval => {
                let course = self.course(state, unit, Passage::Strategic);
                let waters = self.waters(state, nation);
                let reach = self.passage(state, ground, &course);
                (transfers.ports, transfers.far_ports) = self.by_sea(state, ground, &course, &reach, &goals);
                let own = state.seas_before[self.team(state, unit).index()] & waters.friendly;
                transfers.seas = reach.seas & own & !waters.strangers;
            }
        }
        // Nobody moves to where he is, ships not even to another coast of it.
        if here.is_area() {
            transfers.areas.remove(here);
            transfers.far.remove(here);
            for ports in transfers.ports.iter_mut().chain(&mut transfers.far_ports) {
                ports.remove(here);
            }
        }
        transfers
    }

    /// Areas an army reaches by land through friendly ones (4.7), not through the Urals, which are entered and left one by one
    /// (13).
    fn rail(&self, state: &State, unit: UnitId, friendly: &Areas) -> Areas {
        let near = &self.tables.land.supply;
        let urals = self.rules.places.urals;
        let mut open = *friendly;
        open.remove(urals);
        let first = self.ways_out(state, unit, friendly);
        let mut reached = near.fill(first.and(&open), &open);
        if first.contains(urals) || reached.intersects(near.neighbours(urals)) && friendly.contains(urals) {
            reached.insert(urals);
        }
        reached
    }

    /// Friendly neighbours by which an army may begin a transfer by land: out of a battle not over borders the enemy came by,
    /// and within the border limits (4.3, 4.6).
    fn ways_out(&self, state: &State, unit: UnitId, friendly: &Areas) -> Areas {
        let here = state.location(unit);
        let is_free = |&next: &Place| self.border_is_free(state, unit, here, next, Step::Friendly);
        self.supply_adjacent(here).and(friendly).iter().filter(is_free).collect()
    }

    /// An army that leaves a battle by rail counts at the border it crosses first: the first from which its goal is reached
    /// (4.6).
    fn count_departure(&self, state: &mut State, unit: UnitId, to: Place) {
        let here = state.location(unit);
        if self.arm(unit) != Arm::Army || !state.disputed().contains(here) {
            return;
        }
        let friendly = self.ground(state, self.nation(state, unit)).friendly;
        let mut open = friendly;
        open.remove(self.rules.places.urals);
        let leads_there = |&next: &Place| {
            next == to
                || open.contains(next) && self.tables.land.supply.fill(Areas::one(next), &open).contains(to)
        };
        let first = self.ways_out(state, unit, &friendly).iter().find(leads_there);
        if let Some(first) = first {
            self.count_crossing(state, unit, here, first);
        }
    }

    /// Ports reached from a port or a sea zone by sea, by coast; and those reached round Africa alone (8.7, 13 on Suez).
    /// `reach` = what is reached by sea alone.
    fn by_sea(
        &self,
        state: &State,
        ground: &Ground,
        course: &Course,
        reach: &Voyage,
        goals: &Areas,
    ) -> ([Areas; COASTS], [Areas; COASTS]) {
        let tables = &self.tables;
        let at_ports = |reach: &Voyage| {
            let mut ports = reach.coasts;
            for (ports, all) in ports.iter_mut().zip(&tables.coasts.ports_by_coast) {
                *ports = ports.and(all).and(goals);
            }
            ports
        };
        let mut near = at_ports(reach);
        let mut far = [Areas::EMPTY; COASTS];
        if self.bloc(state, course.nation).force() != Some(Force::Western) {
            return (near, far);
        }
        let (red, suez) = (&tables.coasts.red_by_coast, self.rules.places.suez);
        let starts_red = course.from.is_area() && tables.coasts.red_ports.contains(course.from);
        // Through the Canal, if Suez is friendly; from one red port to another.
        if starts_red || near[0].contains(suez) {
            for (near, red) in near.iter_mut().zip(red) {
                *near = near.or(&red.and(goals));
            }
        }
        if starts_red && goals.contains(suez) {
            let from_suez = Course { from: suez, coast: 0, ..*course };
            let reach = self.passage(state, ground, &from_suez);
            for (near, more) in near.iter_mut().zip(&at_ports(&reach)) {
                *near = near.or(more);
            }
        }
        // Round Africa: every friendly port on an open sea, or every red one.
        for coast in 1..=COASTS as u8 {
            let at = coast as usize - 1;
            far[at] = if starts_red {
                let ports = tables.coasts.ports_by_coast[at].and(goals);
                ports.iter().filter(|&area| self.coast_seas(area, coast) & tables.seas.open != 0).collect()
            } else {
                red[at].and(goals)
            };
            far[at] = far[at].difference(&near[at]);
        }
        (near, far)
    }

    /// Adjacent areas that a unit may attack from the Urals by Strategic Movement (13).
    fn sorties_from_urals(&self, state: &State, outlook: &Outlook, goals: &mut Places) {
        let (unit, urals) = (outlook.unit, self.rules.places.urals);
        if state.location(unit) != urals || self.arm(unit) != Arm::Army {
            return;
        }
        for area in self.supply_adjacent(urals) {
            if !self.is_full(state, outlook, area) && self.sortie(state, unit, area).is_some() {
                goals.insert(area);
            }
        }
    }

    /// What such an attack is, if it is allowed and can be paid: the move and the battle.
    fn sortie(&self, state: &State, unit: UnitId, area: Place) -> Option<Step> {
        let step = self.entry(state, &self.bearings(state, unit), area)?;
        let battle = match step {
            Step::Battle => self.battle_price(state, unit, area)?,
            Step::Taking => 0,
            Step::Friendly | Step::War => return None,
        };
        let total = battle + self.transfer_price(state, unit, false);
        (total <= state.command_of(self.commander(state, unit))
            && self.border_is_free(state, unit, self.rules.places.urals, area, step))
        .then_some(step)
    }

    /// A picked unit moves strategically.
    pub(super) fn move_strategically(
        &self,
        state: &mut State,
        unit: UnitId,
        to: Place,
        coast: u8,
        context: &mut impl Rolls,
    ) {
        let force = self.commander(state, unit);
        let from = state.location(unit);
        let (mut far, mut step) = (false, None);
        // Elsewhere there is but one way to go there.
        let red_ports = &self.tables.coasts.red_ports;
        if from == self.rules.places.urals
            || from.is_area() && red_ports.contains(from)
            || red_ports.contains(to)
        {
            let ground = self.ground(state, self.nation(state, unit));
            let goals = self.transfers(state, unit, &ground);
            let near = goals.areas.contains(to) && coast == 0
                || coast > 0 && goals.ports[coast as usize - 1].contains(to)
                || !to.is_area();
            far = !near
                && (goals.far.contains(to) || coast > 0 && goals.far_ports[coast as usize - 1].contains(to));
            step = if near || far { None } else { self.sortie(state, unit, to) };
        }
        let price = self.transfer_price(state, unit, far);
        if self.free_moves(state, force, unit) > 0 {
            self.use_free_move(state, force);
        }
        state.spend_command(force, price);
        state.set_mark(unit, mark::STRATEGIC, true);
        if let Some(step) = step {
            if step == Step::Battle {
                self.count_crossing(state, unit, from, to);
            }
            self.arrive(state, unit, to, step, from, context);
        } else {
            self.count_departure(state, unit, to);
            self.relocate(state, unit, to, coast, from, context);
        }
        self.settle_down(state);
    }

    // ---- factories (11.32) ----

    /// Areas from which a factory step may be moved: picking one opens the choice of where to.
    pub(super) fn movable_factories(&self, state: &State) -> Areas {
        let mut movable = Areas::EMPTY;
        for force in Force::of(state.movers) {
            if !self.can_move_strategically(state, force, UnitId::NONE) {
                continue;
            }
            let leaving = self.loose_factories(state, force);
            if leaving.is_empty() {
                continue;
            }
            let open = self.open_sites(state, force);
            movable = movable.or(&match open.len() {
                0 => Areas::EMPTY,
                // A step does not move to where it is.
                1 => leaving.difference(&open),
                _ => leaving,
            });
        }
        movable
    }

    /// Friendly areas that factory steps may leave: their country is a major at war, and no battle is around them.
    fn loose_factories(&self, state: &State, force: Force) -> Areas {
        let roster = &state.roster;
        let of_majors = roster.factories.and(&roster.of_majors);
        let loose = state.held[force.index()].and(&of_majors).difference(&state.disputed());
        if force != Force::Soviet || state.politics.ussr == Entry::AtWar {
            return loose;
        }
        loose.iter().filter(|&area| state.controller(area) != Nation::Ussr).collect()
    }

    /// Friendly major cities with room for a step, and with a marker that none has come to in this turn.
    fn open_sites(&self, state: &State, force: Force) -> Areas {
        let friendly = state.held[force.index()].and(&state.held_before[force.index()]);
        friendly
            .and(&self.tables.areas.sites)
            .difference(&state.disputed())
            .iter()
            .filter(|&area| {
                let site = &self.rules.areas[area.at()];
                state.factory(area) < site.city && state.arrivals(area) < site.markers
            })
            .collect()
    }

    pub(super) fn factory_goals(&self, state: &State, from: Place, out: &mut Vec<Action>) {
        let Some(force) = self.bloc(state, state.controller(from)).force() else { return };
        let sites = self.open_sites(state, force).difference(&Areas::one(from));
        out.extend(sites.iter().map(|to| Action::MoveFactory(from, to)));
    }

    pub(super) fn move_factory(&self, state: &mut State, from: Place, to: Place) {
        let Some(force) = self.bloc(state, state.controller(from)).force() else { return };
        if self.free_moves(state, force, UnitId::NONE) > 0 {
            self.use_free_move(state, force);
        } else {
            state.spend_command(force, self.rules.charts.strategic_cm);
        }
        state.set_factory(from, state.factory(from) - 1);
        state.set_factory(to, state.factory(to) + 1);
        state.set_arrivals(to, state.arrivals(to) + 1);
        self.settle_down(state);
    }
}

/// All coasts together.
fn union(coasts: &[Areas; COASTS]) -> Areas {
    coasts.iter().fold(Areas::EMPTY, Areas::or)
}
