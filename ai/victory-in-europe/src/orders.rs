//! The movement of a turn: battles are planned one after the other, then everybody else marches to where he is needed.

mod landing;
mod march;
mod offensive;
mod raid;

use sandtable_core::{Dice, Index, Rng64};
use sandtable_victory_in_europe::board::Relation;
use sandtable_victory_in_europe::rules::{Areas, Arm, BorderKind, Kind, MAX_AREAS, MAX_UNITS, Terrain};
use sandtable_victory_in_europe::state::{State, mark};
use sandtable_victory_in_europe::{Action, Force, Place, UnitId, VictoryInEurope};

pub(crate) use march::serves_in;
use offensive::Offensive;
use raid::{RAID, shares_command};

use super::assessment::{Assessment, area_of};
use super::map_tables::MapTables;

/// Most areas an army marches in a turn.
const POINTS: usize = 4;
/// Units that are asked for strategic moves in one phase.
const TRANSFERS: u8 = 10;

/// What it must bring, beyond any march, that an army is back where it stood a turn ago.
const RETURN: f32 = 5.0;

/// Who goes where in the movement at hand.
#[derive(Debug)]
pub(super) struct Orders {
    /// Turn, team and phase they are for.
    stamp: Option<(u8, u8, u8)>,
    /// Goal of each unit, and the area it comes from into a battle; [`Place::NONE`] = no order.
    goal: [Place; MAX_UNITS],
    entry: [Place; MAX_UNITS],
    /// Units in the order they go.
    queue: [UnitId; MAX_UNITS],
    queued: usize,
    /// Units that have been asked and did not move.
    asked: [bool; MAX_UNITS],
    /// Goals that have been tried.
    tried: Areas,
    /// The infantry that was meant to go ashore when a landing was decided on.
    invader: UnitId,
    transfers: u8,
    /// Where each unit stands as the movement begins, and where it stood a turn ago; [`Place::NONE`] = not known.
    stands: [Place; MAX_UNITS],
    stood: [Place; MAX_UNITS],
    /// Distances of a march, a buffer.
    far: [u8; MAX_AREAS],
}

/// What the player looks at when he gives orders.
pub(super) struct Situation<'a> {
    pub game: &'a VictoryInEurope,
    pub map_tables: &'a MapTables,
    pub assessment: &'a Assessment,
    pub state: &'a State,
    pub legal: &'a [Action],
}

impl Orders {
    pub fn new() -> Orders {
        Orders {
            stamp: None,
            goal: [Place::NONE; MAX_UNITS],
            entry: [Place::NONE; MAX_UNITS],
            queue: [UnitId::NONE; MAX_UNITS],
            queued: 0,
            asked: [false; MAX_UNITS],
            tried: Areas::EMPTY,
            invader: UnitId::NONE,
            transfers: 0,
            stands: [Place::NONE; MAX_UNITS],
            stood: [Place::NONE; MAX_UNITS],
            far: [u8::MAX; MAX_AREAS],
        }
    }

    /// Nothing that was planned matters any more.
    pub fn forget(&mut self) {
        *self = Orders::new();
    }

    fn start(&mut self, state: &State) {
        let stamp = (state.turn, state.mover as u8, state.movers);
        if self.stamp == Some(stamp) {
            return;
        }
        let (mut stands, mut stood) = (self.stands, self.stood);
        let last = self.stamp.map(|(turn, ..)| turn);
        if last != Some(state.turn) {
            let follows = last.is_some_and(|last| last + 1 == state.turn);
            stood = if follows { stands } else { [Place::NONE; MAX_UNITS] };
            stands = std::array::from_fn(|unit| state.location(UnitId::nth(unit)));
        }
        *self = Orders { stamp: Some(stamp), stands, stood, ..Orders::new() };
    }

    /// What it costs to go back to where a unit came from in the turn before: plans that are nearly as good as each other would
    /// have it march to and fro.
    pub fn undoing(&self, unit: UnitId, to: Place) -> f32 {
        if self.stood[unit.at()] == to && self.stands[unit.at()] != to { RETURN } else { 0.0 }
    }

    fn send(&mut self, unit: UnitId, goal: Place, entry: Place) {
        self.goal[unit.at()] = goal;
        self.entry[unit.at()] = entry;
        if self.queued < MAX_UNITS {
            self.queue[self.queued] = unit;
            self.queued += 1;
        }
    }

    /// A unit goes somewhere at once, on a way of its own.
    fn send_now(&mut self, (unit, goal): (UnitId, Place)) -> Action {
        self.goal[unit.at()] = goal;
        self.entry[unit.at()] = Place::NONE;
        self.asked[unit.at()] = true;
        Action::Select(unit)
    }

    /// What to do when no unit is picked: one that has orders, a new battle, a march, an invasion, a flight, a transfer,
    /// or nothing more.
    pub fn next(&mut self, situation: &Situation<'_>, rng: &mut Rng64) -> Option<Action> {
        self.start(situation.state);
        if let Some(action) = self.next_in_queue(situation.legal) {
            return Some(action);
        }
        self.queued = 0;
        // The last attack on Berlin is opened before capitals are guarded.
        let is_known = situation.assessment.left < 1.0;
        let last = is_known.then(|| self.best_offensive(situation)).flatten();
        let storms = last.is_some_and(|plan| plan.is_last_storm());
        if storms && let Some(action) = self.next_for_command(situation, (is_known, last)) {
            return Some(action);
        }
        // Who goes to a capital that lies open is not there for an attack.
        if let Some(order) = self.best_march(situation, &situation.assessment.bare) {
            return Some(self.send_now(order));
        }
        if !storms && let Some(action) = self.next_for_command(situation, (is_known, last)) {
            return Some(action);
        }
        let anywhere = &situation.map_tables.all;
        if let Some(order) = self.best_jump(situation).or_else(|| self.best_march(situation, anywhere)) {
            return Some(self.send_now(order));
        }
        if let Some(order) = self.guard_by_rail(situation) {
            return Some(self.send_now(order));
        }
        if let Some(order) = self.leader_to_front(situation) {
            return Some(self.send_now(order));
        }
        self.next_to_ask(situation).or_else(|| end_or_make_room(situation.legal, rng))
    }

    /// What command points are spent on, the best first: who follows a landing, a raid, a transfer, a landing, an attack. The best
    /// attack may be known already.
    fn next_for_command(
        &mut self,
        situation: &Situation<'_>,
        (mut is_known, last): (bool, Option<Offensive>),
    ) -> Option<Action> {
        let &Situation { game, map_tables, assessment, state, legal } = situation;
        loop {
            let landing = self.best_invasion(situation);
            let plan = if std::mem::take(&mut is_known) { last } else { self.best_offensive(situation) };
            let of_landing = landing.map_or(0.0, |landing| landing.gain);
            let of_plan = plan.map_or(0.0, |plan| plan.gain);
            let transfer = self.best_transfer(situation, of_plan.max(of_landing));
            // Who has landed is followed before bombers fly.
            let follows = transfer.is_some_and(|(unit, goal)| {
                let force = game.force(state, unit);
                force.is_some_and(|force| assessment.is_beachhead(game, map_tables, force, goal))
            });
            if let Some((gain, unit, goal)) = self.best_raid(situation)
                && gain > RAID
                && !follows
                && !shares_command(game, state, unit, plan, landing)
            {
                return Some(self.send_now((unit, goal)));
            }
            if let Some(order) = transfer {
                self.transfers += 1;
                return Some(self.send_now(order));
            }
            if let Some(landing) = landing.filter(|landing| landing.gain > of_plan) {
                return Some(self.launch(situation, landing));
            }
            let plan = plan?;
            self.tried.insert(plan.goal);
            for &(unit, entry) in &plan.units[..plan.count] {
                self.send(unit, plan.goal, entry);
            }
            if let Some(action) = self.next_in_queue(legal) {
                return Some(action);
            }
            self.queued = 0;
        }
    }

    fn next_in_queue(&mut self, legal: &[Action]) -> Option<Action> {
        for at in 0..self.queued {
            let unit = self.queue[at];
            if !self.asked[unit.at()] && legal.contains(&Action::Select(unit)) {
                self.asked[unit.at()] = true;
                return Some(Action::Select(unit));
            }
        }
        None
    }

    /// The next step of a unit with orders; nothing if it has none.
    pub fn step(
        &mut self,
        game: &VictoryInEurope,
        map_tables: &MapTables,
        state: &State,
        unit: UnitId,
        legal: &[Action],
    ) -> Option<Action> {
        self.start(state);
        let goal = self.goal[unit.at()];
        if goal == Place::NONE {
            return None;
        }
        let place = state.location(unit);
        if place == goal {
            return legal.contains(&Action::Pass).then_some(Action::Pass);
        }
        let entry = self.entry[unit.at()];
        let by_rail = legal.iter().find(|action| matches!(action, Action::Strategic(to, _) if *to == goal));
        if entry == Place::NONE
            && self.far_off(game, state, unit, goal)
            && let Some(rail) = by_rail
        {
            return Some(*rail);
        }
        // Wars are not declared by accident (10.1).
        let is_war = game.arm(unit) == Arm::Air && game.flight_is_war(state, unit, goal);
        if !is_war
            && (entry == Place::NONE
                || entry == place
                || game.arm(unit) != Arm::Army
                || game.kind(unit) == Kind::Paratroop)
            && let Some(go) = legal.iter().find(|action| matches!(action, Action::Go(to, _) if *to == goal))
        {
            return Some(*go);
        }
        if game.arm(unit) != Arm::Army {
            return None;
        }
        self.march_step(game, map_tables, state, unit, legal)
    }

    /// The next area of a march, through friendly ones, to the border of a battle or to the goal; the order is dropped if
    /// there is none.
    fn march_step(
        &mut self,
        game: &VictoryInEurope,
        map_tables: &MapTables,
        state: &State,
        unit: UnitId,
        legal: &[Action],
    ) -> Option<Action> {
        let (place, force) = (area_of(state, unit)?, game.force(state, unit)?);
        let (goal, entry) = (self.goal[unit.at()], self.entry[unit.at()]);
        let target = if entry == Place::NONE { goal } else { entry };
        let mut open = state.held[force.index()].difference(&state.disputed());
        open.insert(target);
        if entry == Place::NONE {
            // A march may take what nobody defends.
            let nation = game.nation(state, unit);
            for area in map_tables.neighbours[target.at()].difference(&open) {
                if state.is_vacant(area)
                    && game.relation(state, nation, area) == Relation::Enemy
                    && legal.contains(&Action::Go(area, 0))
                {
                    open.insert(area);
                }
            }
        }
        self.distances(map_tables, target, &open);
        let here = self.far[place.at()];
        let closer = legal
            .iter()
            .filter_map(|&action| match action {
                Action::Go(to, _) if self.far[to.at()] < here => Some((self.far[to.at()], action)),
                _ => None,
            })
            .min();
        if closer.is_none() {
            self.goal[unit.at()] = Place::NONE;
        }
        closer.map(|(_, action)| action)
    }

    /// Whether a goal cannot be marched to this turn.
    fn far_off(&self, game: &VictoryInEurope, state: &State, unit: UnitId, goal: Place) -> bool {
        let Some(force) = game.force(state, unit) else { return true };
        let reach = self.reach(game, state, force, unit);
        !reach.iter().any(|areas| areas.contains(goal))
            && !reach.iter().any(|areas| areas.intersects(game.adjacent(goal)))
    }

    /// Areas to march to a target within open ones.
    fn distances(&mut self, map_tables: &MapTables, target: Place, open: &Areas) {
        self.far = [u8::MAX; MAX_AREAS];
        self.far[target.at()] = 0;
        let (mut seen, mut edge) = (Areas::one(target), Areas::one(target));
        for far in 1..2 * POINTS as u8 {
            edge = edge.neighbours(&map_tables.neighbours).and(open).difference(&seen);
            if edge.is_empty() {
                return;
            }
            edge.iter().for_each(|area| self.far[area.at()] = far);
            seen = seen.or(&edge);
        }
    }

    /// Friendly areas an army can be in before its last step, by the points it has left there: index = points spent.
    fn reach(&self, game: &VictoryInEurope, state: &State, force: Force, unit: UnitId) -> [Areas; POINTS] {
        let mut reach = [Areas::EMPTY; POINTS];
        let Some(here) = area_of(state, unit) else { return reach };
        let winter = game.winter_at(state, here) || game.is_muddy(state, force.team(), here);
        let points = if winter {
            1
        } else {
            usize::from(game.unit_type(unit).moves + game.event_moves(state, unit)).min(POINTS)
        };
        reach[0].insert(here);
        let friendly = state.held[force.index()].difference(&state.disputed());
        let mut seen = reach[0];
        for spent in 1..points {
            for from in reach[spent - 1] {
                let stopped = from != here
                    && (game.rules.areas[from.at()].terrain == Terrain::Mountain
                        || game.winter_at(state, from));
                if stopped {
                    continue;
                }
                for to in game.adjacent(from).and(&friendly).difference(&seen) {
                    let halts = game.border(from, to).is_some_and(|(_, border)| {
                        matches!(border.kind, BorderKind::Mountain | BorderKind::Strait)
                    });
                    // Who must stop there goes no further, and cannot open a battle.
                    if !halts && !game.winter_at(state, to) {
                        reach[spent].insert(to);
                        seen.insert(to);
                    }
                }
            }
        }
        reach
    }

    fn may_move(&self, game: &VictoryInEurope, state: &State, unit: UnitId) -> bool {
        state.is_on_map(unit)
            && !state.has_mark(unit, mark::MOVED)
            && !state.has_mark(unit, mark::PINNED)
            && !self.asked[unit.at()]
            && game.unit_type(unit).moves > 0
            && game.kind(unit) != Kind::Fortress
            && game.force(state, unit).is_some_and(|force| force.bit() & state.movers != 0)
    }
}

/// The end of the movement, or, where units stand over the stacking limit, somebody who makes room.
fn end_or_make_room(legal: &[Action], rng: &mut Rng64) -> Option<Action> {
    if legal.contains(&Action::Pass) {
        return Some(Action::Pass);
    }
    let selects = || legal.iter().filter(|action| matches!(action, Action::Select(_)));
    let count = selects().count() as u32;
    (count > 0).then(|| selects().nth(rng.below(count) as usize).copied())?
}
