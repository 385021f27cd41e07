//! Retreats of armies, ships and aircraft, in a battle turn or at the end of a battle (5.7, 6.4, 7.4, 7.6).

use crate::Rolls;
use crate::action::Action;
use crate::event::{Event, LossCause};
use crate::game::{COASTS, VictoryInEurope};
use crate::place::{Place, UnitId};
use crate::rules::{Areas, Arm, Kind, Seas};
use crate::state::{Battle, Stage, State, mark};
use sandtable_core::Index;

/// Places a unit may go to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Exits {
    /// Areas by the coast a ship would lie on; 0 = not a ship.
    areas: [Areas; COASTS + 1],
    seas: Seas,
}

impl Exits {
    /// Areas for armies and aircraft.
    pub(super) fn to_areas(areas: Areas) -> Exits {
        Exits { areas: [areas, Areas::EMPTY, Areas::EMPTY], seas: 0 }
    }
    pub(crate) fn is_empty(&self) -> bool {
        self.seas == 0 && self.areas.iter().all(Areas::is_empty)
    }
    fn all_areas(&self) -> Areas {
        let [none, first, second] = &self.areas;
        none.or(first).or(second)
    }
    /// The places, ascending, each with the first of its coasts.
    pub(crate) fn places(self) -> impl Iterator<Item = (Place, u8)> {
        let all = self.all_areas();
        let coast =
            move |area| (0..=COASTS).find(|&coast| self.areas[coast].contains(area)).unwrap_or(0) as u8;
        all.into_iter().map(move |area| (area, coast(area))).chain(self.zones())
    }
    fn zones(self) -> impl Iterator<Item = (Place, u8)> {
        (0..32).filter(move |zone| self.seas >> zone & 1 != 0).map(|zone| (Place::sea(zone), 0))
    }
    /// All of them as retreats, ascending.
    pub(super) fn list(self, out: &mut Vec<Action>) {
        let all = self.all_areas();
        for area in all {
            let coasts = (0..=COASTS as u8).filter(|&coast| self.areas[coast as usize].contains(area));
            out.extend(coasts.map(|coast| Action::Retreat(area, coast)));
        }
        out.extend(self.zones().map(|(zone, coast)| Action::Retreat(zone, coast)));
    }
}

impl VictoryInEurope {
    /// Steps a unit loses if it leaves now: one in the first round, and half a hit becomes a whole one (5.5, 5.7).
    fn price_of_retreat(&self, state: &State, unit: UnitId) -> u8 {
        let early = state.battle.stage == Stage::Turns && state.battle.round == 1;
        u8::from(early) * self.rules.charts.retreat_cost + u8::from(state.has_half_hit(unit))
    }
    /// Whether a unit outlives the loss of so many steps.
    fn outlives(&self, state: &State, unit: UnitId, loss: u8) -> bool {
        state.steps(unit) + u8::from(self.kind(unit) == Kind::Leader) > loss
    }

    /// Where a unit of the battle may retreat to now, if it outlives it. Fortresses do not move (2.6), and invaders who have not
    /// landed leave by sea alone (7.5, R-119).
    pub(crate) fn exits(&self, state: &State, unit: UnitId) -> Exits {
        let price = self.price_of_retreat(state, unit);
        if self.kind(unit) == Kind::Fortress || !self.outlives(state, unit, price) {
            return Exits::default();
        }
        match self.arm(unit) {
            Arm::Army => {
                let stays_alive = self.outlives(state, unit, price + self.rules.charts.retreat_cost);
                let ashore = !self.is_afloat(state, unit);
                let land = if ashore { self.ways_by_land(state, unit, stays_alive) } else { Areas::EMPTY };
                Exits::to_areas(land.or(&self.ways_by_sea(state, unit)))
            }
            Arm::Air => Exits::to_areas(self.landing_areas(state, unit)),
            Arm::Naval => {
                let enemy = self.team(state, unit).other();
                self.ways_of_ships(state, unit, state.battle.used_seas[enemy.index()])
            }
        }
    }

    /// Friendly neighbours of the battle over borders that the enemy has not used, within the border limits of the round; a
    /// full one only for a unit that can go on from it (5.7).
    fn ways_by_land(&self, state: &State, unit: UnitId, may_go_on: bool) -> Areas {
        let Battle { place, used, .. } = state.battle;
        let friendly = self.ground(state, self.nation(state, unit)).friendly;
        let barred = used[self.team(state, unit).other().index()];
        let is_open = |&to: &Place| {
            barred & self.border_bit(place, to) == 0
                && self.crosses(state, unit, to)
                && (self.has_room(state, unit, to, 0)
                    || may_go_on && !self.ways_beyond(state, unit, to).is_empty())
        };
        self.adjacent(place).and(&friendly).iter().filter(is_open).collect()
    }
    /// Friendly neighbours with room of an area next to the battle.
    fn ways_beyond(&self, state: &State, unit: UnitId, area: Place) -> Areas {
        let friendly = self.ground(state, self.nation(state, unit)).friendly;
        let near = self.adjacent(area).and(&friendly);
        near.iter().filter(|&to| to != state.battle.place && self.has_room(state, unit, to, 0)).collect()
    }
    /// Whether the border limit lets a military unit leave the battle for a neighbour (4.6); leaders ignore it (5.6).
    pub(super) fn crosses(&self, state: &State, unit: UnitId, to: Place) -> bool {
        let place = state.battle.place;
        let within =
            |(border, _): (u16, _)| state.crossed[border as usize] < self.border_limit(state, place, to);
        self.kind(unit) == Kind::Leader || self.border(place, to).is_some_and(within)
    }
    fn count_way_out(&self, state: &mut State, unit: UnitId, to: Place) {
        let from = state.location(unit);
        if self.arm(unit) == Arm::Army
            && self.kind(unit) != Kind::Leader
            && from.is_area()
            && to.is_area()
            && let Some((border, _)) = self.border(from, to)
        {
            state.crossed[border as usize] += 1;
        }
    }

    /// Friendly ports that armies in a port, or invaders from the coast they came to, reach through friendly seas (7.6).
    pub(super) fn ways_by_sea(&self, state: &State, unit: UnitId) -> Areas {
        let place = state.battle.place;
        if self.kind(unit) == Kind::Fortress {
            return Areas::EMPTY;
        }
        let nation = self.nation(state, unit);
        let invaded = self.force(state, unit).map_or(0, |force| state.invasion.coast[force.index()]);
        let leaves_from = |&coast: &u8| {
            self.has_port(place, coast) || state.has_mark(unit, mark::INVADES) && coast == invaded
        };
        let start = (1..=COASTS as u8)
            .filter(leaves_from)
            .fold(0, |seas, coast| seas | self.coast_seas(place, coast));
        if start == 0 {
            return Areas::EMPTY;
        }
        let waters = self.waters(state, nation);
        let open = waters.friendly & !waters.enemy & !self.ice(state) & self.tables.seas.open;
        let ground = self.ground(state, nation);
        let (mut reached, mut new) = (0, start & open);
        let mut ports = Areas::EMPTY;
        while new != 0 {
            let zone = new.trailing_zeros() as u8;
            reached |= 1 << zone;
            new &= new - 1;
            for &(next, gate) in &self.tables.seas.links[zone as usize] {
                let passes =
                    gate.is_none_or(|gate| self.is_open(&ground, nation, &self.rules.gates[gate as usize]));
                if passes {
                    new |= 1 << next & open & !reached;
                }
            }
            let here = self.tables.coasts.sea_ports[zone as usize].and(&ground.friendly);
            let lands = here.iter().filter(|&to| {
                to != place
                    && self.coasts_on(to, zone).any(|coast| self.has_port(to, coast))
                    && self.has_room(state, unit, to, 0)
            });
            ports = lands.fold(ports, |ports, to| ports.or(&Areas::one(to)));
        }
        ports
    }

    /// Where a ship may leave the battle to, surface ships by none of the zones in `barred` (7.4).
    pub(super) fn ways_of_ships(&self, state: &State, unit: UnitId, barred: Seas) -> Exits {
        let voyage = self.naval_withdrawals(state, unit, barred);
        Exits { areas: [Areas::EMPTY, voyage.coasts[0], voyage.coasts[1]], seas: voyage.seas }
    }

    /// A unit retreats and pays for it.
    pub(super) fn retreat(
        &self,
        state: &mut State,
        unit: UnitId,
        to: Place,
        coast: u8,
        context: &mut impl Rolls,
    ) {
        let price = self.price_of_retreat(state, unit);
        self.pay_steps(state, unit, price, context);
        self.depart(state, unit, to, coast, context);
    }
    fn pay_steps(&self, state: &mut State, unit: UnitId, steps: u8, context: &mut impl Rolls) {
        for _ in 0..steps {
            self.lose(state, unit, LossCause::Retreat, context);
        }
    }
    /// A unit leaves the battle; nothing of it clings to it.
    pub(super) fn depart(
        &self,
        state: &mut State,
        unit: UnitId,
        to: Place,
        coast: u8,
        context: &mut impl Rolls,
    ) {
        let from = state.location(unit);
        self.count_way_out(state, unit, to);
        context.emit(|| Event::Moved { unit, from, to, strategic: false });
        state.put(unit, to, coast);
        state.set_half_hit(unit, false);
        state.set_jumped(unit, false);
        state.set_mark(unit, mark::KNOWN | mark::ACTED | mark::INVADES | mark::REINFORCES, false);
        state.via[unit.at()] = Place::NONE;
    }

    /// Whether a unit that has retreated stands in an overstacked area and goes on (5.7).
    pub(super) fn must_go_on(&self, state: &State, unit: UnitId) -> bool {
        let place = state.location(unit);
        self.arm(unit) == Arm::Army && !self.has_room(state, unit, place, 0)
    }
    pub(crate) fn ways_on(&self, state: &State, unit: UnitId) -> Exits {
        Exits::to_areas(self.ways_beyond(state, unit, state.location(unit)))
    }
    pub(super) fn go_on(&self, state: &mut State, unit: UnitId, to: Place, context: &mut impl Rolls) {
        self.pay_steps(state, unit, self.rules.charts.retreat_cost, context);
        let from = state.location(unit);
        context.emit(|| Event::Moved { unit, from, to, strategic: false });
        state.put(unit, to, 0);
    }

    /// The next unit that must leave at the end of the battle is asked where to; those without a way are eliminated on the
    /// way (5.7, R-19). Returns whether somebody is asked.
    pub(super) fn next_to_withdraw(&self, state: &mut State, context: &mut impl Rolls) -> bool {
        while let Some(unit) = state.stack(state.battle.place).find(|&unit| self.must_leave(state, unit)) {
            if !self.exits(state, unit).is_empty() {
                self.ask(state, crate::phase::Pending::Withdraw(unit), self.owner(state, unit));
                return true;
            }
            let steps = state.steps(unit);
            let column = state.battle.column(self.team(state, unit));
            state.battle.lost[column] += steps;
            context.emit(|| Event::Loss { unit, steps, cause: LossCause::NoRetreat });
            self.eliminate(state, unit);
        }
        false
    }
    /// Whether a unit must leave after the battle: in an area all of the loser, at sea his ships if he attacked, and
    /// all aircraft (6.22).
    fn must_leave(&self, state: &State, unit: UnitId) -> bool {
        let Battle { place, winner, attacker, .. } = state.battle;
        let lost = self.team(state, unit) != winner;
        match place.sea_zone() {
            None => lost,
            Some(_) => self.arm(unit) == Arm::Air || lost && self.team(state, unit) == attacker,
        }
    }
}
