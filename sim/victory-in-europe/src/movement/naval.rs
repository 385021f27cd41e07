//! Where ships sail (7.2, 7.4, 1.62, 13).

use super::air::LEVELS;
use super::ground::Ground;
use crate::Rolls;
use crate::action::Action;
use crate::event::{Event, LossCause};
use crate::game::{COASTS, VictoryInEurope};
use crate::nation::Nation;
use crate::rules::{Areas, Arm, Kind, Seas};
use crate::state::{State, sea, sea_of};

/// How a ship sails.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Passage {
    /// In the Movement Phase: enemy waters stop it, submarines excepted (7.2).
    Advance,
    /// Retreat or regroup: through friendly or empty seas, the first step into none of these zones; submarines through enemy
    /// seas and over all borders (7.4).
    Retreat(Seas),
    /// Strategic Movement, of ships and of those carried by sea: any distance through friendly or empty seas, oceans like
    /// any other (4.7, 7.26).
    Strategic,
}

/// What a ship can reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Voyage {
    /// Sea zones, those only passed by submarines too; not the one it starts in.
    pub seas: Seas,
    /// Areas by the coast it would lie on: index 0 = coast 1.
    pub coasts: [Areas; COASTS],
}

impl Voyage {
    /// Areas and their coasts, ascending.
    pub(crate) fn ports(&self) -> impl Iterator<Item = (u8, u8)> + use<> {
        let coasts = self.coasts;
        let all = coasts.iter().fold(Areas::EMPTY, Areas::or);
        all.iter().flat_map(move |area| {
            (1..=COASTS as u8)
                .filter(move |&coast| coasts[coast as usize - 1].has(area))
                .map(move |c| (area, c))
        })
    }
}

impl VictoryInEurope {
    /// What a ship can reach with these movement points from where it lies: zones at their entry cost (7.24), a coast for
    /// one, gates and fjords as they are now, nothing frozen. In the Movement Phase its first step is never over a border by
    /// which enemies came to its place (4.3).
    ///
    /// The coasts are all that can be reached, friendly or not, with a port or without; the zones may be full. Who asks
    /// keeps those where the ship may end: see [`VictoryInEurope::naval_withdrawals`].
    pub(crate) fn naval_reach(&self, state: &State, unit: u8, points: u8, passage: Passage) -> Voyage {
        let nation = self.nation(state, unit);
        let stealthy = self.kind(unit) == Kind::Submarine && passage != Passage::Strategic;
        let barred = match passage {
            Passage::Retreat(_) if stealthy => 0,
            Passage::Retreat(barred) => barred,
            _ => self.enemy_entries(state, unit).1,
        };
        let course = Course {
            nation,
            from: state.location(unit),
            coast: state.coast(unit),
            barred,
            stealthy,
            ship: true,
        };
        self.voyage(state, &course, points, passage)
    }

    /// The same for whoever starts from a place.
    pub(super) fn voyage(&self, state: &State, course: &Course, points: u8, passage: Passage) -> Voyage {
        let strategic = passage == Passage::Strategic;
        let points = if strategic { LEVELS - 3 } else { usize::from(points).min(LEVELS - 3) };
        let ground = self.ground(state, course.nation);
        let enemy = self.waters(state, course.nation).enemy;
        // Zones that may be entered, and those of them where the way ends.
        let mut open = self.tables.open_seas & !self.ice(state);
        let mut ends = 0;
        if !course.stealthy {
            if passage == Passage::Advance {
                ends = enemy;
            } else {
                open &= !enemy;
            }
        }
        let fjords = if course.ship { self.rules.regions.fjords.and(&ground.friendly) } else { Areas::EMPTY };
        let mut reached = Voyage::default();
        let mut seas_at: [Seas; LEVELS] = [0; LEVELS];
        let mut fjords_at = [Areas::EMPTY; LEVELS];
        let enter = |seas_at: &mut [Seas; LEVELS], spent: usize, zone: u8, extra: u8| {
            let cost = if strategic { 1 } else { self.rules.seas[zone as usize].entry + extra };
            if open & 1 << zone != 0 && spent + usize::from(cost) <= points {
                seas_at[spent + usize::from(cost)] |= 1 << zone;
            }
        };
        // The first step.
        if let Some(zone) = sea_of(course.from) {
            for (next, extra) in self.links(&ground, course.nation, zone) {
                if course.barred & 1 << next == 0 {
                    enter(&mut seas_at, 0, next, extra);
                }
            }
            self.call_at(zone, &fjords, 1, points, &mut reached, &mut fjords_at);
        } else {
            for zone in bits(self.coast_seas(course.from, course.coast) & !course.barred) {
                enter(&mut seas_at, 0, zone, 0);
            }
            if fjords.has(course.from) {
                fjords_at[1] = fjords.and(self.adjacent(course.from));
            }
        }
        // The rest, point by point.
        let mut passed = Areas::one(course.from).and(&fjords);
        for spent in 1..=points {
            for zone in bits(seas_at[spent] & !reached.seas) {
                reached.seas |= 1 << zone;
                if ends & 1 << zone != 0 {
                    continue;
                }
                for (next, extra) in self.links(&ground, course.nation, zone) {
                    enter(&mut seas_at, spent, next, extra);
                }
                self.call_at(zone, &fjords, spent + 1, points, &mut reached, &mut fjords_at);
            }
            let new = fjords_at[spent].minus(&passed);
            passed = passed.or(&new);
            for area in new.iter() {
                reached.coasts[0].insert(area);
                for zone in bits(self.coast_seas(area, 0)) {
                    enter(&mut seas_at, spent, zone, 0);
                }
                if spent < points {
                    fjords_at[spent + 1] = fjords_at[spent + 1].or(&fjords.and(self.adjacent(area)));
                }
            }
        }
        if let Some(zone) = sea_of(course.from) {
            reached.seas &= !(1 << zone);
        }
        reached
    }

    /// Coasts of a zone, reached for `spent` points.
    fn call_at(
        &self,
        zone: u8,
        fjords: &Areas,
        spent: usize,
        points: usize,
        reached: &mut Voyage,
        fjords_at: &mut [Areas; LEVELS],
    ) {
        if spent > points {
            return;
        }
        let coast = &self.tables.sea_coast[zone as usize];
        for area in coast.iter() {
            for side in self.coasts_on(area, zone) {
                reached.coasts[side as usize - 1].insert(area);
            }
        }
        fjords_at[spent] = fjords_at[spent].or(&coast.and(fjords));
    }

    /// Zones next to one for ships of a nation, and the points beyond entry that the gate between costs.
    pub(super) fn links(&self, ground: &Ground, nation: Nation, zone: u8) -> impl Iterator<Item = (u8, u8)> {
        self.tables.sea_links[zone as usize].iter().filter_map(move |&(next, gate)| match gate {
            None => Some((next, 0)),
            Some(gate) => {
                let gate = &self.rules.gates[gate as usize];
                self.is_open(ground, nation, gate).then_some((next, gate.extra))
            }
        })
    }

    /// Where a ship may retreat or regroup to (7.4): friendly ports within its movement through friendly or empty seas, and
    /// adjacent friendly or empty seas, as far as there is room. A surface ship does not leave by the zones in `barred`.
    pub(crate) fn naval_withdrawals(&self, state: &State, unit: u8, barred: Seas) -> Voyage {
        let nation = self.nation(state, unit);
        let ground = self.ground(state, nation);
        let barred = if self.kind(unit) == Kind::Submarine { 0 } else { barred };
        let mut reach = self.naval_reach(state, unit, self.unit_type(unit).moves, Passage::Retreat(barred));
        for (coast, areas) in (1..).zip(&mut reach.coasts) {
            *areas = areas
                .and(&ground.friendly)
                .iter()
                .filter(|&area| self.has_port(area, coast) && self.has_room(state, unit, area, coast))
                .collect();
        }
        let waters = self.waters(state, nation);
        let near = match sea_of(state.location(unit)) {
            Some(zone) => self.links(&ground, nation, zone).fold(0, |near, (next, _)| near | 1 << next),
            None => self.coast_seas(state.location(unit), state.coast(unit)),
        };
        reach.seas &= near & !barred & !waters.enemy & !waters.strangers;
        reach.seas = bits(reach.seas)
            .filter(|&zone| self.has_room(state, unit, sea(zone), 0))
            .fold(0, |seas, zone| seas | 1 << zone);
        reach
    }
}

/// Who starts a voyage, and where.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    pub nation: Nation,
    pub from: u8,
    /// Coast of the area; 0 = any.
    pub coast: u8,
    /// Zones the first step may not lead to.
    pub barred: Seas,
    /// Enemy waters do not stop it.
    pub stealthy: bool,
    /// A ship, which may use the fjords; else those carried by sea.
    pub ship: bool,
}

/// Members of a set of seas, ascending.
pub(crate) fn bits(mut seas: Seas) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let next = (seas != 0).then(|| seas.trailing_zeros() as u8);
        seas &= seas.wrapping_sub(1);
        next
    })
}

impl VictoryInEurope {
    /// Where a ship may go in the Movement Phase (7.2): seas and ports within its range, enemy ports only to fight; without
    /// an attack, ports that were friendly at the start within twice that.
    pub(super) fn sailings(&self, state: &State, unit: u8, out: &mut Vec<Action>) {
        let points = self.unit_type(unit).moves + self.event_moves(state, unit);
        let here = (state.location(unit), state.coast(unit));
        let ground = self.ground(state, self.nation(state, unit));
        let near = self.naval_reach(state, unit, points, Passage::Advance);
        let far = self.naval_reach(state, unit, 2 * points, Passage::Advance);
        for zone in bits(near.seas) {
            let place = sea(zone);
            let open = if self.is_battle(state, unit, place) {
                self.may_attack(state, unit, place, 0)
            } else {
                !self.strangers_at(state, unit, place)
            };
            if open && self.may_end(state, unit, place, 0) {
                out.push(Action::Go(place, 0));
            }
        }
        for (area, coast) in near.ports() {
            let open = (area, coast) != here
                && self.has_port(area, coast)
                && if ground.friendly.has(area) {
                    !self.strangers_at(state, unit, area)
                } else {
                    (ground.enemy.has(area) || ground.disputed.has(area))
                        && self.may_attack(state, unit, area, coast)
                };
            if open && self.may_end(state, unit, area, coast) {
                out.push(Action::Go(area, coast));
            }
        }
        let before = self.held_at_start(state, unit);
        for (area, coast) in far.ports() {
            if (area, coast) != here
                && self.has_port(area, coast)
                && ground.friendly.has(area)
                && before.has(area)
                && self.may_end(state, unit, area, coast)
            {
                out.push(Action::Go(area, coast));
            }
        }
    }

    /// The place by which a ship comes to its goal: the last one before it.
    pub(super) fn approach(&self, state: &State, unit: u8, to: u8, coast: u8) -> u8 {
        let from = state.location(unit);
        let nation = self.nation(state, unit);
        let ground = self.ground(state, nation);
        let around = |place: u8, coast: u8| match sea_of(place) {
            Some(zone) => self.links(&ground, nation, zone).fold(0, |near, (next, _)| near | 1 << next),
            None => self.coast_seas(place, coast),
        };
        let beside = around(to, coast);
        let next_to_start = match (sea_of(from), sea_of(to)) {
            (Some(zone), _) => beside & 1 << zone != 0,
            (None, Some(zone)) => self.coast_seas(from, state.coast(unit)) & 1 << zone != 0,
            (None, None) => false,
        };
        if next_to_start {
            return from;
        }
        let stops = if self.kind(unit) == Kind::Submarine { 0 } else { self.waters(state, nation).enemy };
        let last_step = sea_of(to).map_or(1, |zone| self.rules.seas[zone as usize].entry);
        let points = self.unit_type(unit).moves + self.event_moves(state, unit);
        [points, 2 * points]
            .into_iter()
            .find_map(|budget| {
                let reach = self.naval_reach(state, unit, budget.saturating_sub(last_step), Passage::Advance);
                bits(reach.seas & beside & !stops).next()
            })
            .map_or(from, sea)
    }

    /// Ships in a freezing sea run to the nearest friendly port and lose a step; those that find none are lost (3.43, R-70).
    /// Called when a winter turn begins.
    pub(crate) fn leave_ice(&self, state: &mut State, table: &mut impl Rolls) {
        for zone in bits(self.ice(state)) {
            for unit in 0..self.unit_count() {
                if state.location(unit) != sea(zone) || self.arm(unit) != Arm::Naval {
                    continue;
                }
                let haven = self.haven(state, unit, zone);
                let dies = self.lose_steps(state, unit, 1);
                table.tell(|| Event::Loss { unit, steps: 1, cause: LossCause::Ice });
                match haven {
                    _ if dies => {}
                    Some((area, coast)) => {
                        state.put(unit, area, coast);
                        table.tell(|| Event::Moved { unit, from: sea(zone), to: area, strategic: false });
                    }
                    None => {
                        let steps = state.steps(unit);
                        self.eliminate(state, unit);
                        table.tell(|| Event::Loss { unit, steps, cause: LossCause::Ice });
                    }
                }
            }
        }
    }

    /// The nearest friendly port with room, by zones, enemies or not.
    fn haven(&self, state: &State, unit: u8, zone: u8) -> Option<(u8, u8)> {
        let nation = self.nation(state, unit);
        let ground = self.ground(state, nation);
        let mut seen: Seas = 1 << zone;
        let mut edge = seen;
        while edge != 0 {
            let ports = bits(edge).flat_map(|zone| {
                let coast = self.tables.sea_coast[zone as usize].and(&ground.friendly);
                coast.iter().flat_map(move |area| self.coasts_on(area, zone).map(move |side| (area, side)))
            });
            let mut open = ports.filter(|&(area, coast)| {
                self.has_port(area, coast) && self.has_room(state, unit, area, coast)
            });
            if let Some(port) = open.next() {
                return Some(port);
            }
            edge = bits(edge)
                .flat_map(|zone| self.links(&ground, nation, zone).map(|(next, _)| next))
                .fold(0, |next, zone| next | 1 << zone)
                & !seen;
            seen |= edge;
        }
        None
    }
}
