//! Sea invasions (7.5, R-33, R-34): an infantry and a leader come by sea; aircraft, a ship and paratroops join them by their own
//! moves.

use super::land::Step;
use super::naval::bits;
use crate::Rolls;
use crate::action::Action;
use crate::event::Event;
use crate::game::{COASTS, VictoryInEurope};
use crate::nation::{Force, Nation};
use crate::phase::Pending;
use crate::place::{NO_INDEX, Place, UnitId};
use crate::rules::{Areas, Arm, Kind, MAX_SEAS, Seas, Units};
use crate::state::{State, Waiting, mark};

/// The way of an invasion: its zones, the last of them, and the coast it comes to.
#[derive(Clone, Copy, Debug)]
struct Chain {
    zones: Seas,
    last: u8,
    coast: u8,
}

impl VictoryInEurope {
    /// Coastal areas that may be invaded. Troops of one nation that set out on the same seas can land in the same areas.
    pub(super) fn invasion_goals(&self, state: &State, movable: &Units) -> Areas {
        const ASKED: usize = 16;
        let mut goals = Areas::EMPTY;
        if state.seas_before[state.mover.index()] == 0 || self.calendar(state).winter {
            return goals;
        }
        for force in Force::of(state.movers) {
            let zones = self.invasion_zones(state, force);
            if zones == 0 {
                continue;
            }
            let (mut asked, mut count) = ([(Nation::Germany, 0); ASKED], 0);
            let troops = movable.and(&self.tables.units.invaders).and(&state.roster.forces[force.index()]);
            for unit in troops {
                let place = state.location(unit);
                if !self.tables.coasts.ports.contains(place)
                    || self.coast_seas(place, 0) & zones == 0
                    || self.winter_at(state, place)
                {
                    continue;
                }
                let start = (self.nation(state, unit), self.port_seas(state, unit) & zones);
                if start.1 == 0 || asked[..count].contains(&start) {
                    continue;
                }
                if count < ASKED {
                    asked[count] = start;
                    count += 1;
                }
                goals = goals.or(&self.landings(state, unit, zones));
            }
        }
        goals
    }

    /// Who joins the invasion being put together: an infantry first, then a leader or nobody.
    pub(super) fn invasion_actions(&self, state: &State, out: &mut Vec<Action>) {
        let goal = state.invasion.goal;
        if let Some(force) = self.landed(state) {
            out.push(Action::Pass);
            out.extend(self.leaders_to_join(state, force).map(Action::Join));
            return;
        }
        let before = out.len();
        for force in Force::ALL {
            let zones = self.invasion_zones(state, force);
            if zones != 0 {
                let goes = |unit: &UnitId| self.landings(state, *unit, zones).contains(goal);
                out.extend(self.invaders(state, force).filter(goes).map(Action::Join));
            }
        }
        if out.len() == before {
            // Only in determinizations where other troops stand for those in the ports.
            out.push(Action::Pass);
        }
    }

    pub(super) fn invasion_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        match action {
            Action::Join(unit) if self.kind(unit) == Kind::Leader => {
                let at = self.commander(state, unit).index();
                let (goal, coast, chain) =
                    (state.invasion.goal, state.invasion.coast[at], state.invasion.chain[at]);
                let last = chain & self.coast_seas(goal, coast);
                self.come_ashore(state, unit, last.trailing_zeros() as u8, context);
            }
            Action::Join(unit) => {
                let (bearings, goal) = (self.bearings(state, unit), state.invasion.goal);
                state.invasion.waiting = Waiting { unit, goal };
                if self.entry_kind(state, &bearings, goal) == Some(Step::War) {
                    self.declare_war(state, bearings.nation, goal, context);
                }
                if !matches!(state.pending, Pending::Neutral { .. }) {
                    self.cross_after_war(state, context);
                }
            }
            _ => {
                state.invasion.goal = Place::NONE;
                self.settle_down(state);
            }
        }
    }

    /// The infantry of an invasion lands, or waits off the shore for its battle; the chain of ships is held (7.5).
    pub(super) fn land_from_sea(&self, state: &mut State, unit: UnitId, context: &mut impl Rolls) {
        let (force, goal) = (self.commander(state, unit), state.invasion.goal);
        let zones = self.invasion_zones(state, force);
        let Some(chain) = self.chain(state, unit, goal, zones) else {
            state.invasion.goal = Place::NONE;
            return self.settle_down(state);
        };
        for zone in bits(chain.zones) {
            if let Some(holder) = self.holder(state, force, zone) {
                state.set_mark(holder, mark::MOVED, true);
            }
        }
        state.spend_command(force, self.invasion_price(state, force));
        context.emit(|| Event::Invasion { force, area: goal });
        let at = force.index();
        state.invasion.done[at] = goal;
        state.invasion.coast[at] = chain.coast;
        state.invasion.chain[at] = chain.zones;
        // A land attack that came first has paid for itself.
        state.invasion.joined[at] = self.has_army(state, goal, force.team());
        if self.is_disputed(state, goal) || self.enemies_at(state, unit, goal) {
            state.attacked[force.team().index()].insert(goal);
        }
        self.come_ashore(state, unit, chain.last, context);
        state.pending = Pending::Invasion(goal);
    }

    /// A unit of the invasion arrives from a zone.
    fn come_ashore(&self, state: &mut State, unit: UnitId, zone: u8, context: &mut impl Rolls) {
        let goal = state.invasion.goal;
        self.relocate(state, unit, goal, 0, Place::sea(zone), context);
        if self.is_disputed(state, goal) {
            state.set_mark(unit, mark::INVADES, true);
        } else {
            self.take_area(state, goal, self.nation(state, unit), context);
        }
    }

    /// The force whose infantry has joined the invasion being put together.
    fn landed(&self, state: &State) -> Option<Force> {
        let goal = state.invasion.goal;
        Force::ALL
            .into_iter()
            .find(|force| force.bit() & state.movers != 0 && state.invasion.done[force.index()] == goal)
    }

    /// Command points of an invasion of a force, an event deducted.
    fn invasion_price(&self, state: &State, force: Force) -> u8 {
        self.rules.charts.invasion_cm.saturating_sub(self.invasion_discount(state, force))
    }

    /// Zones through which a force may invade now: held by its ships at the start and now, one of them not moved; none if it
    /// may not invade at all: once a turn, for command points, not in winter (3.41).
    fn invasion_zones(&self, state: &State, force: Force) -> Seas {
        let held = state.seas_before[force.team().index()] & !state.disputed_seas();
        if held == 0
            || force.bit() & state.movers == 0
            || state.invasion.done[force.index()] != Place::NONE
            || self.calendar(state).winter
            || state.command_of(force) < self.invasion_price(state, force)
        {
            return 0;
        }
        let ships = self.tables.units.of_arm[Arm::Naval as usize].and(&state.roster.forces[force.index()]);
        let ready =
            ships.and(&state.roster.at_sea).iter().filter(|&ship| state.via(ship) == Place::NONE).collect();
        held & !self.ice(state) & state.seas_with(&ready)
    }

    /// The ship that holds a zone for an invasion: one that has not come in this turn, first of those that have been left
    /// where they are.
    fn holder(&self, state: &State, force: Force, zone: u8) -> Option<UnitId> {
        let there = || {
            state.stack(Place::sea(zone)).filter(|&unit| {
                self.arm(unit) == Arm::Naval
                    && self.force(state, unit) == Some(force)
                    && state.via(unit) == Place::NONE
            })
        };
        there().find(|&unit| !self.may_be_picked(state, unit)).or_else(|| there().next())
    }

    /// Infantry of a force that could invade from where it stands: a friendly port, no winter.
    fn invaders(&self, state: &State, force: Force) -> impl Iterator<Item = UnitId> {
        self.unit_ids().filter(move |&unit| {
            let kind = self.kind(unit);
            kind.is_infantry() && kind != Kind::Paratroop && self.may_embark(state, force, unit)
        })
    }

    fn may_embark(&self, state: &State, force: Force, unit: UnitId) -> bool {
        self.may_be_picked(state, unit)
            && self.force(state, unit) == Some(force)
            && !self.winter_at(state, state.location(unit))
            && self.port_seas(state, unit) != 0
    }

    /// Seas on which the friendly port opens in which an army stands.
    fn port_seas(&self, state: &State, unit: UnitId) -> Seas {
        let area = state.location(unit);
        let own = self.bloc_of(state, unit);
        if state.disputed().contains(area) || self.bloc(state, state.controller(area)) != own {
            return 0;
        }
        (1..=COASTS as u8)
            .filter(|&coast| self.has_port(area, coast))
            .fold(0, |seas, coast| seas | self.coast_seas(area, coast))
    }

    /// Areas an infantry could land in through these zones.
    fn landings(&self, state: &State, unit: UnitId, zones: Seas) -> Areas {
        let bearings = self.bearings(state, unit);
        let (nation, ground) = (bearings.nation, &bearings.ground);
        let mut seen = self.port_seas(state, unit) & zones;
        let mut edge = seen;
        let mut coast = Areas::EMPTY;
        while edge != 0 {
            for zone in bits(edge) {
                coast = coast.or(&self.tables.coasts.of_sea[zone as usize]);
            }
            edge = bits(edge)
                .flat_map(|zone| self.links(ground, nation, zone).map(|(next, _)| next))
                .fold(0, |next, zone| next | 1 << zone)
                & zones
                & !seen;
            seen |= edge;
        }
        let team = self.commander(state, unit).team();
        let mut shore = coast.and(&self.tables.areas.invadable).difference(&ground.friendly);
        if self.calendar(state).winter_east {
            shore = shore.difference(&self.tables.areas.eastern);
        }
        // Where nobody is an enemy's area is taken.
        let empty =
            shore.and(&ground.enemy).difference(&self.tables.areas.safe).difference(&state.roster.occupied);
        let rest: Areas = shore
            .difference(&empty)
            .iter()
            .filter(|&area| {
                !self.winter_at(state, area)
                    && (!ground.disputed.contains(area) || self.has_attacked(state, team, area))
                    && matches!(
                        self.entry_kind(state, &bearings, area),
                        Some(Step::Battle | Step::Taking | Step::War)
                    )
                    && self.may_end(state, unit, area, 0)
            })
            .collect();
        empty.or(&rest)
    }

    /// The shortest way of an infantry through these zones to an area.
    fn chain(&self, state: &State, unit: UnitId, goal: Place, zones: Seas) -> Option<Chain> {
        let nation = self.nation(state, unit);
        let ground = self.ground(state, nation);
        let shore = self.coast_seas(goal, 0);
        let mut before = [NO_INDEX; MAX_SEAS];
        let mut seen = self.port_seas(state, unit) & zones;
        let mut edge = seen;
        while edge & shore == 0 && edge != 0 {
            let mut next_edge = 0;
            for zone in bits(edge) {
                for (next, _) in self.links(&ground, nation, zone) {
                    if zones & !seen & 1 << next != 0 {
                        seen |= 1 << next;
                        next_edge |= 1 << next;
                        before[next as usize] = zone;
                    }
                }
            }
            edge = next_edge;
        }
        let last = bits(edge & shore).next()?;
        let coast = self.coasts_on(goal, last).next()?;
        let mut zones = 0;
        let mut zone = last;
        while zone != NO_INDEX {
            zones |= 1 << zone;
            zone = before[zone as usize];
        }
        Some(Chain { zones, last, coast })
    }

    /// Leaders that may join a landed infantry: from a friendly port on one of its zones.
    fn leaders_to_join(&self, state: &State, force: Force) -> impl Iterator<Item = UnitId> {
        let (goal, chain) = (state.invasion.goal, state.invasion.chain[force.index()]);
        self.unit_ids().filter(move |&unit| {
            self.kind(unit) == Kind::Leader
                && self.may_embark(state, force, unit)
                && self.port_seas(state, unit) & chain != 0
                && !self.strangers_at(state, unit, goal)
                && self.may_end(state, unit, goal, 0)
        })
    }
}
