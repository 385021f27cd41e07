//! Strategic Movement by land, sea and air, round Africa and out of the Urals, and factories on rails (4.7, 6.13, 7.26, 8.7,
//! 11.32, 13).

use super::land::Step;
use super::naval::{Course, Passage, bits};
use crate::Rolls;
use crate::action::Action;
use crate::game::{COASTS, VictoryInEurope};
use crate::nation::{Force, Nation};
use crate::rules::{Areas, Arm, Entry, Seas};
use crate::state::{NONE, State, is_area, mark, sea};

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

impl VictoryInEurope {
    /// Whether units in the Urals may not move yet: until the turn after Germany's declaration of war, or 1942 (13).
    pub(super) fn urals_are_closed(&self, state: &State) -> bool {
        let politics = &state.politics;
        let attacked = politics.axis_attacked_ussr && state.turn > politics.soviet_entry;
        self.calendar(state).year < self.rules.charts.urals_open_year && !attacked
    }

    /// Whether a force can pay for a Strategic Move of a unit ([`NONE`]: of a factory step).
    pub(super) fn can_move_strategically(&self, state: &State, force: Force, unit: u8) -> bool {
        self.free_moves(state, force, unit) > 0 || state.command_of(force) >= self.rules.charts.strategic_cm
    }

    /// Areas that were friendly to a unit at the start of the phase (4.7). Blocs that stand apart win and lose nothing in
    /// a phase.
    pub(super) fn held_at_start(&self, state: &State, unit: u8) -> Areas {
        self.held_at_start_by(state, self.nation(state, unit))
    }

    fn held_at_start_by(&self, state: &State, nation: Nation) -> Areas {
        match self.bloc(state, nation).force() {
            Some(force) => state.held_before[force.index()],
            None => self.tables.all_areas,
        }
    }

    /// Strategic moves of a picked unit.
    pub(super) fn strategic_goals(&self, state: &State, unit: u8, out: &mut Vec<Action>) {
        let force = self.commander(state, unit);
        if !self.can_move_strategically(state, force, unit) {
            return;
        }
        let goals = self.transfers(state, unit);
        let affordable = self.transfer_price(state, unit, true) <= state.command_of(force);
        let (far, far_ports) =
            if affordable { (goals.far, goals.far_ports) } else { (Areas::EMPTY, [Areas::EMPTY; COASTS]) };
        for area in goals.areas.or(&far) {
            if self.may_end(state, unit, area, 0) {
                out.push(Action::Strategic(area, 0));
            }
        }
        for (coast, (near, far)) in (1..).zip(goals.ports.iter().zip(&far_ports)) {
            for area in near.or(far) {
                if self.may_end(state, unit, area, coast) {
                    out.push(Action::Strategic(area, coast));
                }
            }
        }
        for zone in bits(goals.seas) {
            if self.may_end(state, unit, sea(zone), 0) {
                out.push(Action::Strategic(sea(zone), 0));
            }
        }
        self.sorties_from_urals(state, unit, out);
    }

    /// Command points of a strategic move, an event's free move deducted; round Africa, the dearer one.
    fn transfer_price(&self, state: &State, unit: u8, far: bool) -> u8 {
        let charts = &self.rules.charts;
        let price = if far { charts.red_port_cm } else { charts.strategic_cm };
        if self.free_moves(state, self.commander(state, unit), unit) > 0 {
            price.saturating_sub(charts.strategic_cm)
        } else {
            price
        }
    }

    fn transfers(&self, state: &State, unit: u8) -> Transfers {
        let nation = self.nation(state, unit);
        let ground = self.ground(state, nation);
        let here = state.location(unit);
        let goals = ground.friendly.and(&self.held_at_start_by(state, nation));
        let mut transfers = Transfers::default();
        match self.arm(unit) {
            Arm::Air => transfers.areas = goals,
            Arm::Army => {
                transfers.areas = self.rail(state, unit, &ground.friendly).and(&goals);
                if ground.friendly.has(here) && self.has_any_port(here) {
                    let course =
                        Course { nation, from: here, coast: 0, barred: 0, ship: false, stealthy: false };
                    let (near, far) = self.by_sea(state, &course, &goals);
                    transfers.areas = transfers.areas.or(&union(&near));
                    transfers.far = union(&far);
                }
            }
            Arm::Naval => {
                let course = Course {
                    nation,
                    from: here,
                    coast: state.coast(unit),
                    barred: self.enemy_entries(state, unit).1,
                    ship: true,
                    stealthy: false,
                };
                (transfers.ports, transfers.far_ports) = self.by_sea(state, &course, &goals);
                let waters = self.waters(state, nation);
                let own = state.seas_before[self.team(state, unit).index()] & waters.friendly;
                let reach = self.voyage(state, &course, 0, Passage::Strategic);
                transfers.seas = reach.seas & own & !waters.strangers;
            }
        }
        // Nobody moves to where he is, ships not even to another coast of it.
        if is_area(here) {
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
    fn rail(&self, state: &State, unit: u8, friendly: &Areas) -> Areas {
        let near = &self.tables.supply_adjacent;
        let urals = self.rules.places.urals;
        let mut open = *friendly;
        open.remove(urals);
        let first = self.ways_out(state, unit, friendly);
        let mut reached = Areas::flood(first.and(&open), &open, near);
        if first.has(urals) || reached.meets(&near[urals as usize]) && friendly.has(urals) {
            reached.insert(urals);
        }
        reached
    }

    /// Friendly neighbours by which an army may begin a transfer by land: out of a battle not over borders the enemy came by,
    /// and within the border limits (4.3, 4.6).
    fn ways_out(&self, state: &State, unit: u8, friendly: &Areas) -> Areas {
        let here = state.location(unit);
        let is_free = |&next: &u8| self.border_is_free(state, unit, here, next, Step::Friendly);
        self.tables.supply_adjacent[here as usize].and(friendly).iter().filter(is_free).collect()
    }

    /// An army that leaves a battle by rail counts at the border it crosses first: the first from which its goal is reached
    /// (4.6).
    fn count_departure(&self, state: &mut State, unit: u8, to: u8) {
        let here = state.location(unit);
        if self.arm(unit) != Arm::Army || !state.disputed().has(here) {
            return;
        }
        let friendly = self.ground(state, self.nation(state, unit)).friendly;
        let mut open = friendly;
        open.remove(self.rules.places.urals);
        let leads_there = |&next: &u8| {
            next == to
                || open.has(next)
                    && Areas::flood(Areas::one(next), &open, &self.tables.supply_adjacent).has(to)
        };
        let first = self.ways_out(state, unit, &friendly).iter().find(leads_there);
        if let Some(first) = first {
            self.count_crossing(state, unit, here, first);
        }
    }

    fn has_any_port(&self, area: u8) -> bool {
        (1..=COASTS as u8).any(|coast| self.has_port(area, coast))
    }

    /// Ports reached from a port or a sea zone by sea, by coast; and those reached round Africa alone (8.7, 13 on Suez).
    fn by_sea(&self, state: &State, course: &Course, goals: &Areas) -> ([Areas; COASTS], [Areas; COASTS]) {
        let at_ports = |areas: &Areas, coast: u8| -> Areas {
            areas.and(goals).iter().filter(|&area| self.has_port(area, coast)).collect()
        };
        let sail = |course: &Course| {
            let reach = self.voyage(state, course, 0, Passage::Strategic);
            [at_ports(&reach.coasts[0], 1), at_ports(&reach.coasts[1], 2)]
        };
        let mut near = sail(course);
        let mut far = [Areas::EMPTY; COASTS];
        if self.bloc(state, course.nation).force() != Some(Force::Western) {
            return (near, far);
        }
        let (red, suez) = (self.red_ports(), self.rules.places.suez);
        let starts_red = is_area(course.from) && union(&red).has(course.from);
        // Through the Canal, if Suez is friendly; from one red port to another.
        if starts_red || near[0].has(suez) {
            for (near, red) in near.iter_mut().zip(&red) {
                *near = near.or(&red.and(goals));
            }
        }
        if starts_red && goals.has(suez) {
            let from_suez = sail(&Course { from: suez, coast: 0, ..*course });
            for (near, more) in near.iter_mut().zip(&from_suez) {
                *near = near.or(more);
            }
        }
        // Round Africa: every friendly port on an open sea, or every red one.
        for coast in 1..=COASTS as u8 {
            let at = coast as usize - 1;
            far[at] = if starts_red {
                at_ports(&self.tables.ports, coast)
                    .iter()
                    .filter(|&area| self.coast_seas(area, coast) & self.tables.open_seas != 0)
                    .collect()
            } else {
                red[at].and(goals)
            };
            far[at] = far[at].minus(&near[at]);
        }
        (near, far)
    }

    /// Red ports by coast (1.45).
    fn red_ports(&self) -> [Areas; COASTS] {
        let mut red = [Areas::EMPTY; COASTS];
        for port in self.rules.ports.iter().filter(|port| port.red) {
            red[port.coast as usize - 1].insert(port.area);
        }
        red
    }

    /// Adjacent areas that a unit may attack from the Urals by Strategic Movement (13).
    fn sorties_from_urals(&self, state: &State, unit: u8, out: &mut Vec<Action>) {
        let urals = self.rules.places.urals;
        if state.location(unit) != urals || self.arm(unit) != Arm::Army {
            return;
        }
        for area in self.tables.supply_adjacent[urals as usize] {
            if self.sortie(state, unit, area).is_some() && self.may_end(state, unit, area, 0) {
                out.push(Action::Strategic(area, 0));
            }
        }
    }

    /// What such an attack is, if it is allowed and can be paid: the move and the battle.
    fn sortie(&self, state: &State, unit: u8, area: u8) -> Option<Step> {
        let ground = self.ground(state, self.nation(state, unit));
        let step = self.entry(state, &ground, unit, area)?;
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
        unit: u8,
        to: u8,
        coast: u8,
        table: &mut impl Rolls,
    ) {
        let force = self.commander(state, unit);
        let from = state.location(unit);
        let goals = self.transfers(state, unit);
        let near = goals.areas.has(to) && coast == 0
            || coast > 0 && goals.ports[coast as usize - 1].has(to)
            || !is_area(to);
        let far = !near && (goals.far.has(to) || coast > 0 && goals.far_ports[coast as usize - 1].has(to));
        let step = if near || far { None } else { self.sortie(state, unit, to) };
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
            self.arrive(state, unit, to, step, from, table);
        } else {
            self.count_departure(state, unit, to);
            self.relocate(state, unit, to, coast, from, table);
        }
        self.settle_down(state);
    }

    // ---- factories (11.32) ----

    /// Areas from which a factory step may be moved: picking one opens the choice of where to.
    pub(super) fn movable_factories(&self, state: &State, out: &mut Vec<Action>) {
        for force in Force::ALL {
            if force.bit() & state.movers == 0 || !self.can_move_strategically(state, force, NONE) {
                continue;
            }
            let sites = self.open_sites(state, force);
            for area in state.held[force.index()].and(&self.tables.sites) {
                let elsewhere = sites.minus(&Areas::one(area));
                if self.may_leave(state, area) && !elsewhere.is_empty() {
                    out.push(Action::MoveFactory(area, area));
                }
            }
        }
    }

    /// Whether a factory step may leave its area: its country is a major at war, and no battle is around it.
    fn may_leave(&self, state: &State, area: u8) -> bool {
        let owner = state.controller(area);
        state.factory(area) > 0
            && owner.is_major()
            && (owner != Nation::Ussr || state.politics.ussr == Entry::AtWar)
            && !state.disputed().has(area)
    }

    /// Friendly major cities with room for a step, and with a marker that none has come to in this turn.
    fn open_sites(&self, state: &State, force: Force) -> Areas {
        let friendly = state.held[force.index()].and(&state.held_before[force.index()]);
        friendly
            .and(&self.tables.sites)
            .minus(&state.disputed())
            .iter()
            .filter(|&area| {
                let site = &self.rules.areas[area as usize];
                state.factory(area) < site.city && state.arrivals(area) < site.markers
            })
            .collect()
    }

    pub(super) fn factory_goals(&self, state: &State, from: u8, out: &mut Vec<Action>) {
        let Some(force) = self.bloc(state, state.controller(from)).force() else { return };
        let sites = self.open_sites(state, force).minus(&Areas::one(from));
        out.extend(sites.iter().map(|to| Action::MoveFactory(from, to)));
    }

    pub(super) fn move_factory(&self, state: &mut State, from: u8, to: u8) {
        let Some(force) = self.bloc(state, state.controller(from)).force() else { return };
        if self.free_moves(state, force, NONE) > 0 {
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
