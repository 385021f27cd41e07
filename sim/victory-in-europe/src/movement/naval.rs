//! Where ships sail (7.2, 7.4, 1.62, 13).

use super::air::{Arrivals, MOST_POINTS};
use super::ground::Ground;
use super::menu::Berths;
use super::outlook::Outlook;
use crate::Rolls;
use crate::event::{Event, LossCause};
use crate::game::{COASTS, VictoryInEurope};
use crate::nation::Nation;
use crate::place::{Place, UnitId};
use crate::rules::{Areas, Arm, Kind, Seas};
use crate::state::State;

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

/// How far a voyage gets, point by point.
struct Search<'a> {
    game: &'a VictoryInEurope,
    ground: &'a Ground,
    course: &'a Course,
    /// Points there are at most.
    points: usize,
    /// Zones that may be entered.
    open: Seas,
    /// Zones where the way ends (7.2).
    ends: Seas,
    /// Fjords that may be used (1.62).
    fjords: Areas,
    /// Fjords behind it.
    passed: Areas,
    /// Fjords entered with the next point.
    next_fjords: Areas,
    arrivals: Arrivals,
    run: Run,
}

impl<'a> Search<'a> {
    /// Enemy waters are closed, or end an advance (7.2); to submarines they are like any other.
    #[inline]
    fn new(
        game: &'a VictoryInEurope,
        state: &State,
        ground: &'a Ground,
        course: &'a Course,
        points: usize,
    ) -> Self {
        let open = game.tables.seas.open & !game.ice(state);
        let (open, ends) = match course.passage {
            _ if course.stealthy => (open, 0),
            Passage::Advance => (open, course.enemy),
            _ => (open & !course.enemy, 0),
        };
        let fjords = game.open_fjords(ground, course);
        Search {
            game,
            ground,
            course,
            points,
            open,
            ends,
            fjords,
            passed: Areas::one(course.from).and(&fjords),
            next_fjords: Areas::EMPTY,
            arrivals: Arrivals::NONE,
            run: Run::default(),
        }
    }

    /// The first step, which leads into no barred zone (4.3, 7.4).
    #[inline]
    fn set_out(&mut self) {
        let (tables, course) = (&self.game.tables, self.course);
        if let Some(zone) = course.from.sea_zone() {
            self.enter(0, tables.seas.near[zone as usize] & !course.barred);
            self.enter_by_gates(0, zone, course.barred);
            self.run.left = 1 << zone;
            self.next_fjords = tables.coasts.of_sea[zone as usize].and(&self.fjords);
        } else {
            self.enter(0, self.game.coast_seas(course.from, course.coast) & !course.barred);
            if self.fjords.contains(course.from) {
                self.next_fjords = self.fjords.and(self.game.adjacent(course.from));
            }
        }
    }

    /// Whether no more is reached with so many points or more.
    #[inline]
    fn is_over(&self, spent: usize) -> bool {
        self.arrivals.are_over(spent) && self.next_fjords.is_empty()
    }

    /// What is reached with so many points and was not with fewer: zones and fjords.
    #[inline]
    fn arrive(&mut self, spent: usize) -> (Seas, Areas) {
        let zones = self.arrivals.at(spent) & !self.run.seas;
        self.run.seas |= zones;
        let fjords = self.next_fjords.difference(&self.passed);
        self.run.fjords = self.run.fjords.or(&fjords);
        (zones, fjords)
    }

    /// Goes on from zones and fjords that were reached with so many points.
    #[inline]
    fn go_on(&mut self, spent: usize, zones: Seas, fjords: &Areas) {
        let tables = &self.game.tables;
        let zones = zones & !self.ends;
        self.run.left |= zones;
        let mut next = bits(zones).fold(0, |next, zone| next | tables.seas.near[zone as usize]);
        for zone in bits(zones & tables.seas.gated) {
            self.enter_by_gates(spent, zone, self.run.seas);
        }
        if !self.fjords.is_empty() {
            self.passed = self.passed.or(fjords);
            let shores = bits(zones).map(|zone| tables.coasts.of_sea[zone as usize].and(&self.fjords));
            self.next_fjords = shores.fold(Areas::EMPTY, |next, shore| next.or(&shore));
            for area in *fjords {
                next |= self.game.coast_seas(area, 0);
                self.next_fjords = self.next_fjords.or(&self.fjords.and(self.game.adjacent(area)));
            }
        }
        self.enter(spent, next);
    }

    /// Enters zones through open water, each at its cost (7.24).
    #[inline]
    fn enter(&mut self, spent: usize, zones: Seas) {
        for &(entry, of_entry) in &self.game.tables.seas.by_entry {
            self.arrivals.add(spent + usize::from(entry), zones & self.open & of_entry);
        }
    }

    /// Enters zones behind the gates of one, but for the closed ones, if the gates are open and the points are enough (7.23).
    #[inline]
    fn enter_by_gates(&mut self, spent: usize, zone: u8, closed: Seas) {
        let game = self.game;
        for &(next, gate) in &game.tables.seas.gates[zone as usize] {
            let gate = &game.rules.gates[gate as usize];
            let cost = spent + usize::from(game.rules.seas[next as usize].entry + gate.extra);
            if self.open & !closed & 1 << next != 0
                && cost <= self.points
                && game.is_open(self.ground, self.course.nation, gate)
            {
                self.arrivals.add(cost, 1 << next);
            }
        }
    }
}

impl VictoryInEurope {
    /// What a ship can reach with these movement points from where it lies: zones at their entry cost (7.24), a coast for
    /// one, gates and fjords as they are now, nothing frozen. In the Movement Phase its first step is never over a border by
    /// which enemies came to its place (4.3).
    ///
    /// The coasts are all that can be reached, friendly or not, with a port or without; the zones may be full. Who asks
    /// keeps those where the ship may end: see [`VictoryInEurope::naval_withdrawals`].
    pub(crate) fn naval_reach(&self, state: &State, unit: UnitId, points: u8, passage: Passage) -> Voyage {
        let ground = self.ground(state, self.nation(state, unit));
        self.voyages(state, &ground, &self.course(state, unit, passage), [points, points])[0]
    }

    /// How a ship starts.
    pub(super) fn course(&self, state: &State, unit: UnitId, passage: Passage) -> Course {
        let stealthy = self.kind(unit) == Kind::Submarine && passage != Passage::Strategic;
        let barred = match passage {
            Passage::Retreat(_) if stealthy => 0,
            Passage::Retreat(barred) => barred,
            _ => self.enemy_entries(state, unit).1,
        };
        let nation = self.nation(state, unit);
        Course {
            nation,
            enemy: self.enemy_waters(state, nation),
            from: state.location(unit),
            coast: state.coast(unit),
            barred,
            stealthy,
            ship: true,
            passage,
        }
    }

    /// What whoever starts from a place reaches with the first of two budgets of movement points, and with the second, which
    /// is not less.
    fn voyages(&self, state: &State, ground: &Ground, course: &Course, points: [u8; 2]) -> [Voyage; 2] {
        let mut coasts = [Areas::EMPTY; COASTS];
        let mut touched = 0;
        self.runs(state, ground, course, points, |_| false).map(|run| {
            for zone in bits(run.left & !touched) {
                for (coast, side) in coasts.iter_mut().zip(&self.tables.coasts.sea_sides[zone as usize]) {
                    *coast = coast.or(side);
                }
            }
            touched = run.left;
            coasts[0] = coasts[0].or(&run.fjords);
            Voyage { seas: run.seas, coasts }
        })
    }

    /// How far whoever starts from a place gets at sea with each of two budgets, as in [`VictoryInEurope::voyages`]; with the
    /// second no further than with the first if the zones of that are `enough`.
    fn runs(
        &self,
        state: &State,
        ground: &Ground,
        course: &Course,
        points: [u8; 2],
        enough: impl Fn(Seas) -> bool,
    ) -> [Run; 2] {
        let [near, far] = points.map(|points| usize::from(points).min(MOST_POINTS));
        let mut search = Search::new(self, state, ground, course, far);
        search.set_out();
        let mut within = None;
        for spent in 1..=far {
            if search.is_over(spent) {
                break;
            }
            // With the last point it comes to zones, or to the coasts of those it has left before.
            let left = search.run.left;
            let (zones, fjords) = search.arrive(spent);
            if spent == far {
                break;
            }
            search.go_on(spent, zones, &fjords);
            if spent == near {
                let reached = Run { left, ..search.run };
                within = Some(reached);
                if enough(search.run.seas) {
                    search.run = reached;
                    break;
                }
            }
        }
        let run = search.run;
        let within = within.unwrap_or(run);
        let mut both =
            [(near, within), (far, run)].map(|(points, run)| if points > 0 { run } else { Run::default() });
        if let Some(zone) = course.from.sea_zone() {
            for run in &mut both {
                run.seas &= !(1 << zone);
            }
        }
        both
    }

    /// The fjords that a ship may use: those that are friendly (1.62).
    fn open_fjords(&self, ground: &Ground, course: &Course) -> Areas {
        if course.ship { self.rules.regions.fjords.and(&ground.friendly) } else { Areas::EMPTY }
    }

    /// What whoever starts from a place reaches by Strategic Movement, over any distance.
    pub(super) fn passage(&self, state: &State, ground: &Ground, course: &Course) -> Voyage {
        let tables = &self.tables;
        let open = tables.seas.open & !self.ice(state) & !course.enemy;
        let fjords = self.open_fjords(ground, course);
        let near = |zone: u8| {
            let gates = tables.seas.gates[zone as usize]
                .iter()
                .filter(|&&(_, gate)| self.is_open(ground, course.nation, &self.rules.gates[gate as usize]));
            gates.fold(tables.seas.near[zone as usize], |near, &(next, _)| near | 1 << next)
        };
        let mut reached = Voyage::default();
        let mut passed = Areas::one(course.from).and(&fjords);
        let mut new_fjords = Areas::EMPTY;
        let mut new;
        if let Some(zone) = course.from.sea_zone() {
            new = near(zone) & !course.barred & open;
            reached.coasts = tables.coasts.sea_sides[zone as usize];
            new_fjords = tables.coasts.of_sea[zone as usize].and(&fjords);
        } else {
            new = self.coast_seas(course.from, course.coast) & !course.barred & open;
            if fjords.contains(course.from) {
                new_fjords = fjords.and(self.adjacent(course.from));
            }
        }
        while new != 0 || !new_fjords.is_empty() {
            reached.seas |= new;
            let mut next = 0;
            let mut next_fjords = Areas::EMPTY;
            for zone in bits(new) {
                next |= near(zone);
                for (coast, side) in reached.coasts.iter_mut().zip(&tables.coasts.sea_sides[zone as usize]) {
                    *coast = coast.or(side);
                }
                next_fjords = next_fjords.or(&tables.coasts.of_sea[zone as usize].and(&fjords));
            }
            passed = passed.or(&new_fjords);
            for area in new_fjords {
                reached.coasts[0].insert(area);
                next |= self.coast_seas(area, 0);
                next_fjords = next_fjords.or(&fjords.and(self.adjacent(area)));
            }
            new = next & open & !reached.seas;
            new_fjords = next_fjords.difference(&passed);
        }
        if let Some(zone) = course.from.sea_zone() {
            reached.seas &= !(1 << zone);
        }
        reached
    }

    /// Zones next to one for ships of a nation, and the points beyond entry that the gate between costs.
    pub(super) fn links(&self, ground: &Ground, nation: Nation, zone: u8) -> impl Iterator<Item = (u8, u8)> {
        self.tables.seas.links[zone as usize].iter().filter_map(move |&(next, gate)| match gate {
            None => Some((next, 0)),
            Some(gate) => {
                let gate = &self.rules.gates[gate as usize];
                self.is_open(ground, nation, gate).then_some((next, gate.extra))
            }
        })
    }

    /// Where a ship may retreat or regroup to (7.4): friendly ports within its movement through friendly or empty seas, and
    /// adjacent friendly or empty seas, as far as there is room. A surface ship does not leave by the zones in `barred`.
    pub(crate) fn naval_withdrawals(&self, state: &State, unit: UnitId, barred: Seas) -> Voyage {
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
        let near = match state.location(unit).sea_zone() {
            Some(zone) => self.links(&ground, nation, zone).fold(0, |near, (next, _)| near | 1 << next),
            None => self.coast_seas(state.location(unit), state.coast(unit)),
        };
        reach.seas &= near & !barred & !waters.enemy & !waters.strangers;
        reach.seas = bits(reach.seas)
            .filter(|&zone| self.has_room(state, unit, Place::sea(zone), 0))
            .fold(0, |seas, zone| seas | 1 << zone);
        reach
    }
}

/// How far some movement points lead at sea.
#[derive(Clone, Copy, Default)]
struct Run {
    /// Zones that are reached.
    seas: Seas,
    /// Zones that can be left again for one of their coasts.
    left: Seas,
    /// Fjords on the way.
    fjords: Areas,
}

/// Who starts a voyage, and where.
#[derive(Clone, Copy, Debug)]
pub(super) struct Course {
    pub nation: Nation,
    /// Zones with enemies.
    pub enemy: Seas,
    pub from: Place,
    /// Coast of the area; 0 = any.
    pub coast: u8,
    /// Zones the first step may not lead to.
    pub barred: Seas,
    /// Enemy waters do not stop it.
    pub stealthy: bool,
    /// A ship, which may use the fjords; else those carried by sea.
    pub ship: bool,
    pub passage: Passage,
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
    pub(super) fn sailings(&self, state: &State, outlook: &Outlook, goals: &mut Berths) {
        let unit = outlook.unit;
        let points = self.unit_type(unit).moves + self.event_moves(state, unit);
        let ground = &outlook.ground;
        let course = self.course(state, unit, Passage::Advance);
        let [near, far] = self.voyages(state, ground, &course, [points, 2 * points]);
        goals[0] = goals[0].or(&self.seas_to_enter(state, outlook, near.seas));
        let friendly = ground.friendly.and(&self.held_at_start_by(state, outlook.nation));
        let hostile = ground.enemy.or(&ground.disputed).and(&outlook.affordable).and(&Self::targets(state));
        for (at, goals) in goals[1..].iter_mut().enumerate() {
            let coast = at as u8 + 1;
            let open = self.tables.coasts.ports_by_coast[at].difference(&outlook.full[at + 1]);
            let near = near.coasts[at].and(&open);
            let mut ports = far.coasts[at].and(&open).and(&friendly);
            for area in near.and(&ground.friendly).difference(&ports) {
                if !outlook.strangers_at(state, area) {
                    ports.insert(area);
                }
            }
            for area in near.and(&hostile) {
                if self.may_attack(state, outlook, area, coast) {
                    ports.insert(area);
                }
            }
            if course.coast == coast {
                ports.remove(course.from);
            }
            *goals = goals.or(&ports);
        }
    }

    /// The place by which a ship comes to its goal: the last one before it, on a shortest way.
    pub(super) fn approach(&self, state: &State, unit: UnitId, to: Place, coast: u8) -> Place {
        let from = state.location(unit);
        let nation = self.nation(state, unit);
        let ground = self.ground(state, nation);
        let around = |place: Place, coast: u8| match place.sea_zone() {
            Some(zone) => self.links(&ground, nation, zone).fold(0, |near, (next, _)| near | 1 << next),
            None => self.coast_seas(place, coast),
        };
        let beside = around(to, coast);
        let next_to_start = match (from.sea_zone(), to.sea_zone()) {
            (Some(zone), _) => beside & 1 << zone != 0,
            (None, Some(zone)) => self.coast_seas(from, state.coast(unit)) & 1 << zone != 0,
            (None, None) => false,
        };
        if next_to_start {
            return from;
        }
        let last_step = to.sea_zone().map_or(1, |zone| self.rules.seas[zone as usize].entry);
        let points = self.unit_type(unit).moves + self.event_moves(state, unit);
        let course = self.course(state, unit, Passage::Advance);
        let stops = if course.stealthy { 0 } else { course.enemy };
        let doors = |budgets: [u8; 2]| {
            let by = beside & !stops;
            self.runs(state, &ground, &course, budgets, |seas| seas & by != 0).map(|run| run.seas & by)
        };
        let budgets = [points, 2 * points].map(|budget| budget.saturating_sub(last_step));
        let [near, far] = doors(budgets);
        let mut last = if near == 0 { far } else { near };
        // Of several it is one on the shortest way.
        if last & last.saturating_sub(1) != 0 {
            last =
                (0..budgets[1]).map(|budget| doors([budget, budget])[0]).find(|&by| by != 0).unwrap_or(last);
        }
        bits(last).next().map_or(from, Place::sea)
    }

    /// Ships in a freezing sea run to the nearest friendly port and lose a step; those that find none are lost (3.43, R-70).
    /// Called when a winter turn begins.
    pub(crate) fn leave_ice(&self, state: &mut State, context: &mut impl Rolls) {
        for zone in bits(self.ice(state)) {
            for unit in self.unit_ids() {
                if state.location(unit) != Place::sea(zone) || self.arm(unit) != Arm::Naval {
                    continue;
                }
                let haven = self.haven(state, unit, zone);
                let dies = self.lose_steps(state, unit, self.rules.charts.ice_cost, LossCause::Ice, context);
                match haven {
                    _ if dies => {}
                    Some((area, coast)) => {
                        state.put(unit, area, coast);
                        context.emit(|| Event::Moved {
                            unit,
                            from: Place::sea(zone),
                            to: area,
                            strategic: false,
                        });
                    }
                    None => {
                        let steps = state.steps(unit);
                        self.eliminate(state, unit);
                        context.emit(|| Event::Loss { unit, steps, cause: LossCause::Ice });
                    }
                }
            }
        }
    }

    /// The nearest friendly port with room, by zones, enemies or not.
    fn haven(&self, state: &State, unit: UnitId, zone: u8) -> Option<(Place, u8)> {
        let nation = self.nation(state, unit);
        let ground = self.ground(state, nation);
        let mut seen: Seas = 1 << zone;
        let mut edge = seen;
        while edge != 0 {
            let ports = bits(edge).flat_map(|zone| {
                let coast = self.tables.coasts.of_sea[zone as usize].and(&ground.friendly);
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
