//! The movement of a turn: battles are planned one after the other, then everybody else marches to where he is needed.

use sandtable_core::{Dice, Index, Rng64};
use sandtable_victory_in_europe::board::Relation;
use sandtable_victory_in_europe::rules::{
    Areas, Arm, BorderKind, Kind, MAX_AREAS, MAX_UNITS, Target, Terrain,
};
use sandtable_victory_in_europe::state::{State, mark};
use sandtable_victory_in_europe::{Action, Force, Nation, Place, UnitId, VictoryInEurope};

use super::assessment::{Assessment, EVACUATION, RELIEF_LANDING, area_of, fire, is_guest, is_reserved};
use super::map_tables::MapTables;
use super::odds::{Block, Host, expect};
use super::strategy;

/// Most areas an army marches in a turn.
const POINTS: usize = 4;
/// Most units that are weighed for one battle.
const CANDIDATES: usize = 24;
/// Factor on the least probability of victory where the war is decided.
const BOLD: f32 = 0.65;
/// Places that are compared for each Strategic Movement.
const WANTED: usize = 4;
/// Least gain of a raid.
const RAID: f32 = 1.5;
/// Share of the further round of a leader that is counted on, and of the reserve next to a battle.
const LEADER_ROUND: f32 = 0.4;
const RESERVE: f32 = 0.4;
/// What a leader must gain, beyond any march, to leave the army that he is with: two ports whose worth changes from turn to
/// turn would have him commute between them.
const LEADER_STAYS: f32 = 2.0;
/// Steps an army needs to land where it is met.
const ASHORE: u8 = 3;
/// Units that are asked for strategic moves in one phase.
const TRANSFERS: u8 = 10;

/// A unit that could join a battle.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Candidate {
    unit: UnitId,
    /// The neighbour of the battle over whose border it comes.
    entry: Place,
    block: Block,
    /// What its old place loses.
    leaves: f32,
}

/// A battle that is worth opening.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Offensive {
    goal: Place,
    gain: f32,
    units: [(UnitId, Place); CANDIDATES],
    count: usize,
}

/// Who goes where in the movement at hand.
#[derive(Debug)]
pub(super) struct Orders {
    /// Turn, team and phase they are for.
    stamp: Option<(u8, u8, u8)>,
    /// Goal of each unit, and the area it comes from into a battle; [`NONE`] = no order.
    goal: [Place; MAX_UNITS],
    entry: [Place; MAX_UNITS],
    /// Units in the order they go.
    queue: [UnitId; MAX_UNITS],
    queued: usize,
    /// Units that have been asked and did not move.
    asked: [bool; MAX_UNITS],
    /// Goals that have been tried.
    tried: Areas,
    transfers: u8,
    /// Distances of a march, a buffer.
    far: [u8; MAX_AREAS],
}

/// What the player looks at when he gives orders.
pub(super) struct Scene<'a> {
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
            transfers: 0,
            far: [u8::MAX; MAX_AREAS],
        }
    }

    /// Nothing that was planned matters any more.
    pub fn forget(&mut self) {
        *self = Orders::new();
    }

    fn start(&mut self, state: &State) {
        let stamp = (state.turn, state.mover as u8, state.movers);
        if self.stamp != Some(stamp) {
            *self = Orders { stamp: Some(stamp), ..Orders::new() };
        }
    }

    fn send(&mut self, unit: UnitId, goal: Place, entry: Place) {
        self.goal[unit.at()] = goal;
        self.entry[unit.at()] = entry;
        if self.queued < MAX_UNITS {
            self.queue[self.queued] = unit;
            self.queued += 1;
        }
    }

    /// What to do when no unit is picked: one that has orders, a new battle, a march, an invasion, a flight, a transfer,
    /// or nothing more.
    pub fn next(&mut self, scene: &Scene<'_>, rng: &mut Rng64) -> Option<Action> {
        let &Scene { game, state, legal, .. } = scene;
        self.start(state);
        if let Some(action) = self.next_in_queue(legal) {
            return Some(action);
        }
        self.queued = 0;
        loop {
            let landing = self.best_invasion(scene);
            let plan = self.best_offensive(scene);
            let raid = self.best_raid(scene);
            let others = plan.map_or(0.0, |plan| plan.gain).max(landing.map_or(0.0, |landing| landing.0));
            if let Some((gain, unit, goal)) = raid
                && !shares_command(game, state, unit, plan, landing)
                && gain > RAID
            {
                self.goal[unit.at()] = goal;
                self.entry[unit.at()] = Place::NONE;
                self.asked[unit.at()] = true;
                return Some(Action::Select(unit));
            }
            let gain = others;
            if let Some((unit, goal)) = self.best_transfer(scene, gain) {
                self.goal[unit.at()] = goal;
                self.entry[unit.at()] = Place::NONE;
                self.asked[unit.at()] = true;
                self.transfers += 1;
                return Some(Action::Select(unit));
            }
            let gain = plan.map_or(0.0, |plan| plan.gain);
            if let Some((_, area, _)) = landing.filter(|landing| landing.0 > gain) {
                self.tried.insert(area);
                return Some(Action::Invade(area));
            }
            let Some(plan) = plan else { break };
            self.tried.insert(plan.goal);
            for &(unit, entry) in &plan.units[..plan.count] {
                self.send(unit, plan.goal, entry);
            }
            if let Some(action) = self.next_in_queue(legal) {
                return Some(action);
            }
            self.queued = 0;
        }
        if let Some((unit, goal)) = self.best_jump(scene) {
            self.goal[unit.at()] = goal;
            self.entry[unit.at()] = Place::NONE;
            self.asked[unit.at()] = true;
            return Some(Action::Select(unit));
        }
        if let Some((unit, goal)) = self.best_march(scene) {
            self.goal[unit.at()] = goal;
            self.entry[unit.at()] = Place::NONE;
            self.asked[unit.at()] = true;
            return Some(Action::Select(unit));
        }
        if let Some(action) = self.next_to_ask(scene) {
            return Some(action);
        }
        if legal.contains(&Action::Pass) {
            return Some(Action::Pass);
        }
        // Somebody must make room.
        let selects = || legal.iter().filter(|action| matches!(action, Action::Select(_)));
        let count = selects().count() as u32;
        (count > 0).then(|| selects().nth(rng.below(count) as usize).copied())?
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
        let place = area_of(state, unit)?;
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
        // Through friendly areas to the border, or to the goal.
        let target = if entry == Place::NONE { goal } else { entry };
        let force = game.force(state, unit)?;
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

    fn best_offensive(&self, scene: &Scene<'_>) -> Option<Offensive> {
        let &Scene { game, assessment, state, .. } = scene;
        let mut most: Option<Offensive> = None;
        for force in Force::ALL.into_iter().filter(|force| force.bit() & state.movers != 0) {
            if state.command_of(force) < game.rules.charts.battle_cm {
                continue;
            }
            let mut reaches = [(UnitId::NONE, [Areas::EMPTY; POINTS]); 96];
            let mut count = 0;
            for unit in game.unit_ids() {
                if count < reaches.len()
                    && game.force(state, unit) == Some(force)
                    && game.arm(unit) == Arm::Army
                    && self.may_move(game, state, unit)
                    && area_of(state, unit).is_some_and(|area| !state.disputed().contains(area))
                {
                    reaches[count] = (unit, self.reach(game, state, force, unit));
                    count += 1;
                }
            }
            {
                let pressed = state.attacked[force.team().other().index()].and(&state.held[force.index()]);
                for goal in pressed.difference(&self.tried) {
                    if let Some(plan) = self.relief(scene, force, goal, &reaches[..count])
                        && most.is_none_or(|most| plan.gain > most.gain)
                    {
                        most = Some(plan);
                    }
                }
            }
            let goals =
                assessment.hostile[force.index()].difference(&state.disputed()).difference(&self.tried);
            for goal in goals {
                let enemy = state.held_by(force.team().other()).contains(goal);
                let defended = assessment.foes.contains(goal) || !enemy && !is_open(game, state, force, goal);
                if !defended {
                    continue;
                }
                if let Some(plan) = self.plan(scene, force, goal, &reaches[..count])
                    && most.is_none_or(|most| plan.gain > most.gain)
                {
                    most = Some(plan);
                }
            }
        }
        most
    }

    /// The best way to attack an area, if it is worth it.
    fn plan(
        &self,
        scene: &Scene<'_>,
        force: Force,
        goal: Place,
        reaches: &[(UnitId, [Areas; POINTS])],
    ) -> Option<Offensive> {
        let &Scene { game, map_tables, assessment, state, .. } = scene;
        let near = map_tables.neighbours[goal.at()];
        let mut candidates = [None::<Candidate>; CANDIDATES];
        let mut count = 0;
        let winter = game.winter_at(state, goal);
        for (unit, reach) in reaches {
            let Some(entry) = reach.iter().find_map(|areas| areas.and(&near).first()) else { continue };
            let from = state.location(*unit);
            if winter && from != entry
                || count == CANDIDATES
                || assessment.holds_alone(map_tables, from) && game.kind(*unit) != Kind::Leader
            {
                continue;
            }
            let mut block = assessment.block(game, state, *unit);
            if winter {
                block.fire = block.fire.min(1.0);
            }
            let there = assessment.own[from.at()];
            let power = block.power();
            let leaves = assessment.cover(from, there) - assessment.cover(from, (there - power).max(0.0));
            candidates[count] = Some(Candidate { unit: *unit, entry, block, leaves });
            count += 1;
        }
        let candidates = &mut candidates[..count];
        let worth = |candidate: &Option<Candidate>| {
            candidate.map_or(0.0, |candidate| candidate.block.power() - 0.1 * candidate.leaves)
        };
        // Equal ones stay in the order of their units.
        let unit = |candidate: &Option<Candidate>| candidate.map_or(UnitId::NONE, |candidate| candidate.unit);
        candidates.sort_unstable_by(|a, b| worth(b).total_cmp(&worth(a)).then(unit(a).cmp(&unit(b))));
        let team = force.team();
        let mut defence = assessment.defenders(game, state, goal, team.other());
        let is_neutral = !state.held_by(team.other()).contains(goal);
        if is_neutral && defence.units == 0 {
            defence = assessment.levy(game, state, goal);
        }
        if let Some(reserve) = reserve(scene, force, goal) {
            defence.add_army(reserve, 1.0);
        }
        let stack = game.rules.areas[goal.at()].stack;
        let mut used = [0u8; 16];
        let list = |entry: Place| near.iter().position(|area| area == entry).unwrap_or(0) % 16;
        let mut host = Host::default();
        let mut leaves = 0.0;
        let mut plan = Offensive {
            goal,
            gain: f32::NEG_INFINITY,
            units: [(UnitId::NONE, Place::NONE); CANDIDATES],
            count: 0,
        };
        let mut straits = true;
        let mut rounds = game.rules.charts.rounds;
        let mut odds = expect(&host, &defence, rounds);
        let mut armies = 0;
        for candidate in candidates.iter().flatten() {
            if game.kind(candidate.unit) == Kind::Leader || candidate.block.steps < 1.0 {
                continue;
            }
            let slot = list(candidate.entry);
            let border = game.border_limit(state, candidate.entry, goal);
            if armies >= stack || used[slot] >= border || odds.win > 0.93 {
                continue;
            }
            used[slot] += 1;
            armies += 1;
            straits &= game
                .border(candidate.entry, goal)
                .is_some_and(|(_, border)| border.kind == BorderKind::Strait);
            host.add_army(candidate.block, 1.0);
            // With each one that goes those who stay are weaker.
            let from = state.location(candidate.unit);
            let gone: f32 = plan.units[..plan.count]
                .iter()
                .filter(|(unit, _)| state.location(*unit) == from)
                .map(|(unit, _)| assessment.block(game, state, *unit).power())
                .sum();
            let there = assessment.own[from.at()] - gone;
            let power = assessment.block(game, state, candidate.unit).power();
            leaves += assessment.cover(from, there) - assessment.cover(from, (there - power).max(0.0));
            plan.units[plan.count] = (candidate.unit, candidate.entry);
            plan.count += 1;
            odds = expect(&host, &defence, rounds);
        }
        if plan.count == 0 {
            return None;
        }
        if straits {
            rounds = game.rules.charts.strait_rounds;
        }
        let mut is_led = false;
        let leader = candidates
            .iter()
            .flatten()
            .find(|candidate| game.kind(candidate.unit) == Kind::Leader && candidate.block.steps >= 1.0);
        if let Some(leader) = leader
            && plan.count < CANDIDATES
        {
            plan.units[plan.count] = (leader.unit, leader.entry);
            plan.count += 1;
            is_led = true;
        }
        if let Some((unit, block)) = self.support(scene, force, goal, winter)
            && plan.count < CANDIDATES
        {
            plan.units[plan.count] = (unit, Place::NONE);
            plan.count += 1;
            host.add_support(block);
        }
        odds = expect(&host, &defence, rounds);
        if is_led {
            // He orders a further round only where it pays.
            odds.win += LEADER_ROUND * (expect(&host, &defence, rounds + 1).win - odds.win);
        }
        let style = &assessment.styles[force.index()];
        plan.gain = odds.win * assessment.prize(force, goal) + style.kill * odds.defender_loses
            - style.loss * assessment.scarcity[force.index()] * odds.attacker_loses
                / assessment.confidence[force.index()]
            - style.expose * leaves * (1.0 - 0.5 * odds.win);
        // What decides the war is worth more than one attempt.
        let least = style.odds * if map_tables.vital.contains(goal) { BOLD } else { 1.0 };
        (odds.win >= least && plan.gain >= style.gain).then_some(plan)
    }

    /// Reinforcements for an area under attack, if they are worth it (4.4).
    fn relief(
        &self,
        scene: &Scene<'_>,
        force: Force,
        goal: Place,
        reaches: &[(UnitId, [Areas; POINTS])],
    ) -> Option<Offensive> {
        let &Scene { game, map_tables, assessment, state, .. } = scene;
        let near = map_tables.neighbours[goal.at()];
        let team = force.team();
        let attack = assessment.defenders(game, state, goal, team.other());
        let mut defence = assessment.defenders(game, state, goal, team);
        let rounds = game.rules.charts.rounds + 1;
        let before = expect(&attack, &defence, rounds);
        let mut room = game.rules.areas[goal.at()].stack.saturating_sub(assessment.own_units[goal.at()]);
        let mut plan = Offensive {
            goal,
            gain: f32::NEG_INFINITY,
            units: [(UnitId::NONE, Place::NONE); CANDIDATES],
            count: 0,
        };
        let mut used = [0u8; 16];
        let mut leaves = 0.0;
        for (unit, reach) in reaches {
            let Some(entry) = reach.iter().find_map(|areas| areas.and(&near).first()) else { continue };
            let block = assessment.block(game, state, *unit);
            let slot = near.iter().position(|area| area == entry).unwrap_or(0) % 16;
            let fills = game.kind(*unit) != Kind::Leader;
            if !fills
                || room == 0
                || block.steps < 2.0
                || used[slot] >= game.border_limit(state, entry, goal)
                || plan.count == CANDIDATES
            {
                continue;
            }
            let from = state.location(*unit).at();
            let there = assessment.own[from];
            let left = assessment.cover(Place::nth(from), there)
                - assessment.cover(Place::nth(from), (there - block.power()).max(0.0));
            if left > 0.5 * assessment.worth[goal.at()] {
                continue;
            }
            leaves += left;
            used[slot] += 1;
            room -= 1;
            defence.add_army(block, 1.0);
            plan.units[plan.count] = (*unit, entry);
            plan.count += 1;
        }
        if plan.count == 0 {
            return None;
        }
        let after = expect(&attack, &defence, rounds);
        let style = &assessment.styles[force.index()];
        plan.gain = (before.win - after.win) * (assessment.held(goal) + 5.0)
            + style.kill * (after.attacker_loses - before.attacker_loses)
            - style.loss * (after.defender_loses - before.defender_loses)
            - 0.5 * leaves;
        (plan.gain >= style.gain).then_some(plan)
    }

    /// The best aircraft that can help in a battle.
    fn support(&self, scene: &Scene<'_>, force: Force, goal: Place, winter: bool) -> Option<(UnitId, Block)> {
        let &Scene { game, assessment, state, .. } = scene;
        let mut most: Option<(UnitId, Block)> = None;
        for unit in game.unit_ids() {
            if game.arm(unit) != Arm::Air
                || game.force(state, unit) != Some(force)
                || !self.may_move(game, state, unit)
            {
                continue;
            }
            let Some(from) = area_of(state, unit) else { continue };
            let reach = usize::from(game.unit_type(unit).moves);
            let mut seen = Areas::one(from);
            for _ in 0..reach {
                seen = seen.or(&fringe(game, &seen, assessment.way[force.index()]));
            }
            let mut block = assessment.block(game, state, unit);
            if winter {
                block.fire = block.fire.min(1.0);
            }
            if seen.contains(goal)
                && most.is_none_or(|(_, best)| block.power() > best.power())
                && block.power() > 0.0
            {
                most = Some((unit, block));
            }
        }
        most
    }

    /// The raid on a factory that brings most, of any bomber.
    fn best_raid(&self, scene: &Scene<'_>) -> Option<(f32, UnitId, Place)> {
        let &Scene { game, assessment, state, legal, .. } = scene;
        let mut most: Option<(f32, UnitId, Place)> = None;
        for &action in legal {
            let Action::Select(unit) = action else { continue };
            let bombs = fire(game, unit, Target::Factory);
            if game.arm(unit) != Arm::Air || self.asked[unit.at()] || bombs == 0 {
                continue;
            }
            let Some(force) = game.force(state, unit) else { continue };
            if area_of(state, unit).is_none() || state.command_of(force) < game.rules.charts.battle_cm {
                continue;
            }
            let (reach, _) = game.air_reach(state, unit, game.unit_type(unit).moves);
            for goal in reach.and(&assessment.hostile[force.index()]).difference(&state.disputed()) {
                if state.factory(goal) == 0 || assessment.relieves && force == Force::Western {
                    continue;
                }
                let gain = assessment.raid(game, state, unit, goal);
                if gain > most.map_or(0.5, |most| most.0) {
                    most = Some((gain, unit, goal));
                }
            }
        }
        most
    }

    /// The infantry that could best go ashore, and what it leaves bare.
    fn best_invader(&self, scene: &Scene<'_>, force: Force, goal: Place) -> Option<(UnitId, f32)> {
        let &Scene { game, map_tables, assessment, state, .. } = scene;
        let seas = assessment.own_seas;
        let before = game.coast_seas(goal, 0) & seas;
        // Ports on the sea before the coast, or one sea further.
        let chain = (0..map_tables.links.len()).filter(|&zone| before >> zone & 1 != 0);
        let chain = chain.fold(before, |chain, zone| chain | map_tables.links[zone]) & seas;
        let ports = (0..map_tables.ports.len()).filter(|&zone| chain >> zone & 1 != 0);
        let ports = ports.fold(Areas::EMPTY, |ports, zone| ports.or(&map_tables.ports[zone]));
        let mut most: Option<(f32, UnitId, f32)> = None;
        for from in ports.and(&state.held[force.index()]) {
            if assessment.holds_alone(map_tables, from) {
                continue;
            }
            for unit in state.stack(from).filter(|&unit| game.kind(unit).is_infantry()) {
                if !self.may_move(game, state, unit)
                    || game.kind(unit) == Kind::Paratroop
                    || state.steps(unit) < ASHORE.min(game.max_steps(unit)) && !assessment.is_bare(goal)
                {
                    continue;
                }
                let there = assessment.own[from.at()];
                let power = assessment.block(game, state, unit).power();
                let leaves = assessment.cover(from, there) - assessment.cover(from, (there - power).max(0.0));
                let worth = 3.0 * power - leaves;
                if most.is_none_or(|most| worth > most.0) {
                    most = Some((worth, unit, leaves));
                }
            }
        }
        most.map(|(_, unit, leaves)| (unit, leaves))
    }

    /// The best landing on a coast, what it brings, and who makes it.
    fn best_invasion(&self, scene: &Scene<'_>) -> Option<(f32, Place, Force)> {
        let &Scene { game, assessment, state, legal, .. } = scene;
        let mut most: Option<(f32, Place, Force)> = None;
        for &action in legal {
            let Action::Invade(area) = action else { continue };
            if self.tried.contains(area) {
                continue;
            }
            let Some(force) = Force::ALL.into_iter().find(|force| {
                force.bit() & state.movers != 0 && assessment.hostile[force.index()].contains(area)
            }) else {
                continue;
            };
            let Some((unit, leaves)) = self.best_invader(scene, force, area) else {
                continue;
            };
            let (win, lost) = self.landing_odds(scene, force, area, unit);
            let counter: f32 =
                game.adjacent(area).iter().map(|near| assessment.foe[near.at()]).sum::<f32>() * 0.6;
            let style = &assessment.styles[force.index()];
            let gain = win * assessment.beachhead(game, force, area)
                - 1.5 * counter.min(6.0)
                - 0.5 * lost
                - leaves
                - style.landing
                + if assessment.relieves { RELIEF_LANDING * assessment.room(game, force, area) } else { 0.0 };
            if win > strategy::landing_odds(state, force) && gain > most.map_or(0.0, |most| most.0) {
                most = Some((gain, area, force));
            }
        }
        most
    }

    /// Probability that a landing takes its goal, and the steps it is expected to cost: an infantry, with the leader, the
    /// paratroops, the aircraft and the ship that can join it (7.5).
    fn landing_odds(&self, scene: &Scene<'_>, force: Force, goal: Place, unit: UnitId) -> (f32, f32) {
        let &Scene { game, map_tables, assessment, state, .. } = scene;
        let mut defence = assessment.defenders(game, state, goal, force.team().other());
        if !state.held_by(force.team().other()).contains(goal) && defence.units == 0 {
            defence = assessment.levy(game, state, goal);
        }
        if defence.steps == 0.0 {
            return (1.0, 0.0);
        }
        let mut host = Host::default();
        let mut rounds = game.rules.charts.rounds;
        let later = |block: Block| Block { class: block.class + 1.0, ..block };
        host.add_army(later(assessment.block(game, state, unit)), 1.0);
        let from = area_of(state, unit);
        let aboard = |other: &UnitId| {
            game.kind(*other) == Kind::Leader
                && state.steps(*other) > 0
                && game.force(state, *other) == Some(force)
                && self.may_move(game, state, *other)
        };
        if let Some(leader) = from.and_then(|from| state.stack(from).find(aboard)) {
            host.add_army(later(assessment.block(game, state, leader)), 1.0);
            rounds += 1;
        }
        if let Some(jumper) = game.units_of(state, force).iter().find(|&jumper| {
            self.may_move(game, state, jumper) && may_jump(game, map_tables, state, jumper, goal)
        }) {
            host.add_army(assessment.block(game, state, jumper), 1.0);
        }
        if let Some((_, block)) = self.support(scene, force, goal, false) {
            host.add_support(block);
        }
        let ship = game
            .units_of(state, force)
            .iter()
            .filter(|&ship| {
                game.arm(ship) == Arm::Naval
                    && state
                        .location(ship)
                        .sea_zone()
                        .is_some_and(|zone| map_tables.shores[zone as usize].contains(goal))
            })
            .map(|ship| assessment.block(game, state, ship))
            .filter(|block| block.fire > 0.0)
            .max_by(|a, b| a.power().total_cmp(&b.power()));
        if let Some(block) = ship {
            host.add_support(block);
        }
        let outlook = expect(&host, &defence, rounds);
        (outlook.win, outlook.attacker_loses)
    }

    /// Paratroops that can join a battle that has been opened.
    fn best_jump(&self, scene: &Scene<'_>) -> Option<(UnitId, Place)> {
        let &Scene { game, map_tables, assessment, state, legal } = scene;
        let mut most = (0.0, None);
        for &action in legal {
            let Action::Select(unit) = action else { continue };
            if game.kind(unit) != Kind::Paratroop || self.asked[unit.at()] || state.steps(unit) < 2 {
                continue;
            }
            let Some(force) = game.force(state, unit) else { continue };
            for goal in state.attacked[force.team().index()].and(&assessment.hostile[force.index()]) {
                let worth = assessment.worth[goal.at()];
                if worth > most.0 && may_jump(game, map_tables, state, unit, goal) {
                    most = (worth, Some((unit, goal)));
                }
            }
        }
        most.1
    }

    /// The Strategic Movement of an army that brings more than `least`: to where its force is most in want of it.
    fn best_transfer(&self, scene: &Scene<'_>, least: f32) -> Option<(UnitId, Place)> {
        let &Scene { game, map_tables, assessment, state, legal } = scene;
        if self.transfers >= TRANSFERS {
            return None;
        }
        let mut most = (least, None);
        let wanted = Force::ALL.map(|force| wanted_places(scene, force));
        for &action in legal {
            let Action::Select(unit) = action else { continue };
            if game.arm(unit) != Arm::Army || self.asked[unit.at()] || state.steps(unit) < 2 {
                continue;
            }
            let (Some(force), Some(here)) = (game.force(state, unit), area_of(state, unit)) else { continue };
            if matches!(game.kind(unit), Kind::Leader | Kind::Paratroop)
                || state.disputed().contains(here)
                || assessment.holds_alone(map_tables, here)
            {
                continue;
            }
            let power = assessment.block(game, state, unit).power();
            let there = (assessment.own[here.at()] - power).max(0.0);
            // Who faces the enemy is not sent to guard the rear.
            let at_front = map_tables.neighbours[here.at()]
                .and(&assessment.hostile[force.index()])
                .intersects(&assessment.foes);
            let stays = assessment.post(force, here, there, power) + assessment.styles[force.index()].command;
            for goal in wanted[force.index()].into_iter().flatten() {
                if goal == here
                    || at_front && !assessment.keys.contains(goal)
                    || assessment.is_hopeless(goal, power)
                    || !serves_in(game, state, unit, goal)
                {
                    continue;
                }
                let gain = assessment.post(force, goal, assessment.own[goal.at()], power) - stays;
                if gain > most.0 {
                    most = (gain, Some((unit, goal)));
                }
            }
        }
        most.1
    }

    /// The march that brings most, of any unit.
    fn best_march(&self, scene: &Scene<'_>) -> Option<(UnitId, Place)> {
        let &Scene { game, map_tables, assessment, state, legal } = scene;
        let mut most = (0.0, None);
        for &action in legal {
            let Action::Select(unit) = action else { continue };
            if game.arm(unit) != Arm::Army || self.asked[unit.at()] {
                continue;
            }
            let (Some(force), Some(here)) = (game.force(state, unit), area_of(state, unit)) else { continue };
            let is_leader = matches!(game.kind(unit), Kind::Leader | Kind::Paratroop);
            if state.disputed().contains(here) || !is_leader && assessment.holds_alone(map_tables, here) {
                continue;
            }
            let power = assessment.block(game, state, unit).power().max(0.1);
            let there = (assessment.own[here.at()] - power).max(0.0);
            let company = is_leader && assessment.own_units[here.at()] > 0;
            let now = if is_guest(game, state, unit, here) {
                -EVACUATION
            } else {
                assessment.post(force, here, there, power)
                    + assessment.styles[force.index()].march
                    + if company { LEADER_STAYS } else { 0.0 }
            };
            let reach = self.reach(game, state, force, unit);
            let hostile = &assessment.hostile[force.index()];
            let last = reach.iter().rposition(|areas| !areas.is_empty()).unwrap_or(0);
            let mut seen = Areas::one(here);
            let points = usize::from(game.unit_type(unit).moves).min(POINTS);
            for (spent, areas) in reach.iter().enumerate().take(last + 1) {
                for from in *areas {
                    for to in map_tables.neighbours[from.at()].difference(&seen) {
                        if spent >= points {
                            continue;
                        }
                        seen.insert(to);
                        let gain = if state.held[force.index()].contains(to) && !state.disputed().contains(to)
                        {
                            let full = assessment.own_units[to.at()] >= game.rules.areas[to.at()].stack;
                            if full && !is_leader {
                                continue;
                            }
                            let lonely = is_leader && assessment.own_units[to.at()] == 0;
                            assessment.post(force, to, assessment.own[to.at()], power)
                                - if lonely { 2.0 } else { 0.0 }
                        } else if hostile.contains(to)
                            && !assessment.foes.contains(to)
                            && !is_leader
                            && (state.held_by(force.team().other()).contains(to)
                                || is_open(game, state, force, to))
                        {
                            let risk: f32 = map_tables.neighbours[to.at()]
                                .iter()
                                .map(|near| assessment.foe[near.at()])
                                .sum();
                            // Who stands alone before strong enemies is lost, and the ground again.
                            let fear =
                                assessment.styles[force.index()].fear / assessment.confidence[force.index()];
                            let ratio = fear * risk / (power + 0.3);
                            let lost = ratio * ratio / (ratio * ratio + 1.5);
                            let steps = f32::from(state.steps(unit));
                            let style = &assessment.styles[force.index()];
                            let already = style.prize
                                * assessment.drive(force)
                                * assessment.pull[force.index()][here.at()];
                            (assessment.prize(force, to) - already + assessment.post(force, to, 0.0, power))
                                * (1.0 - 0.6 * lost)
                                - 1.2 * lost * steps
                        } else {
                            continue;
                        };
                        if gain - now > most.0 {
                            most = (gain - now, Some((unit, to)));
                        }
                    }
                }
            }
        }
        most.1
    }

    /// Units that are asked one by one whether they want to go anywhere: aircraft, ships, and with command points left
    /// the strongest of those far from where they are wanted.
    fn next_to_ask(&mut self, scene: &Scene<'_>) -> Option<Action> {
        let &Scene { game, map_tables, assessment, state, legal } = scene;
        let mut most = (0.0, None);
        // The most that any own area draws, by force.
        let tops = Force::ALL.map(|force| {
            let held = state.held[force.index()].difference(&state.disputed());
            held.iter().map(|area| assessment.pull[force.index()][area.at()]).fold(0.0, f32::max)
        });
        for &action in legal {
            let Action::Select(unit) = action else { continue };
            if self.asked[unit.at()] {
                continue;
            }
            let Some(force) = game.force(state, unit) else { continue };
            let worth = match game.arm(unit) {
                Arm::Air => 10.0 + assessment.block(game, state, unit).power(),
                Arm::Naval => 5.0,
                Arm::Army => {
                    if state.command_of(force) == 0 || self.transfers >= TRANSFERS {
                        continue;
                    }
                    let Some(here) = area_of(state, unit) else { continue };
                    if assessment.holds_alone(map_tables, here) {
                        continue;
                    }
                    let power = assessment.block(game, state, unit).power();
                    let at = force.index();
                    let there = assessment.own[here.at()];
                    let drawn = tops[at] - assessment.pull[at][here.at()];
                    let leaves =
                        assessment.cover(here, there) - assessment.cover(here, (there - power).max(0.0));
                    assessment.styles[at].pull * power * drawn - leaves - 0.3
                }
            };
            if worth > most.0 {
                most = (worth, Some(unit));
            }
        }
        let unit = most.1?;
        self.asked[unit.at()] = true;
        if game.arm(unit) == Arm::Army {
            self.transfers += 1;
        }
        Some(Action::Select(unit))
    }
}

/// Where a full army of a force is wanted most, among the places that Strategic Movement reaches (4.7): the best first.
fn wanted_places(scene: &Scene<'_>, force: Force) -> [Option<Place>; WANTED] {
    let &Scene { game, assessment, state, .. } = scene;
    let mut wanted = [None::<(f32, Place)>; WANTED];
    if force.bit() & state.movers != 0 && state.command_of(force) > 0 {
        let at = force.index();
        for area in state.held[at].and(&state.held_before[at]).difference(&state.disputed()) {
            if assessment.own_units[area.at()] >= game.rules.areas[area.at()].stack {
                continue;
            }
            let worth = assessment.post(force, area, assessment.own[area.at()], 1.0);
            let better = |other: &Option<(f32, Place)>| other.is_none_or(|(most, _)| worth > most);
            if let Some(rank) = wanted.iter().position(better) {
                wanted[rank..].rotate_right(1);
                wanted[rank] = Some((worth, area));
            }
        }
    }
    wanted.map(|place| place.map(|(_, area)| area))
}

/// Whether an army may be sent to a place by its nation's lights: minors, which live by their own capital (8.1), and Italy
/// fight in or next to their own country.
pub(super) fn serves_in(game: &VictoryInEurope, state: &State, unit: UnitId, goal: Place) -> bool {
    let nation = game.nation(state, unit);
    let home = game.home(nation).or(game.country(nation));
    nation.is_major() && nation != Nation::Italy
        || home.contains(goal)
        || game.adjacent(goal).intersects(&home)
}

/// What the defender of an area is expected to bring up after the attack has been seen: only who moves second can (4.4).
fn reserve(scene: &Scene<'_>, force: Force, goal: Place) -> Option<Block> {
    let &Scene { game, map_tables, assessment, state, .. } = scene;
    let team = force.team();
    if state.first != team || assessment.foe_units[goal.at()] >= game.rules.areas[goal.at()].stack {
        return None;
    }
    let free = map_tables.neighbours[goal.at()].difference(&state.attacked[team.index()]);
    let most = free
        .iter()
        .filter(|&area| assessment.foe_units[area.at()] > 1 && game.border_limit(state, area, goal) > 0)
        .map(|area| assessment.foe[area.at()] / f32::from(assessment.foe_units[area.at()]))
        .fold(0.0, f32::max);
    // He has not the command for all his battles.
    let steps = RESERVE * 3.0 * most;
    (steps > 0.0).then_some(Block { steps, fire: 2.0, class: 3.0 })
}

/// Whether a raid would take a command point from a plan or a landing.
fn shares_command(
    game: &VictoryInEurope,
    state: &State,
    unit: UnitId,
    plan: Option<Offensive>,
    landing: Option<(f32, Place, Force)>,
) -> bool {
    let raider = game.force(state, unit);
    let lands = landing.is_some_and(|(_, _, force)| Some(force) == raider);
    let attacks = plan.is_some_and(|plan| {
        plan.units[..plan.count].iter().any(|&(other, _)| game.force(state, other) == raider)
    });
    lands || attacks
}

/// Whether paratroops may reach a battle: over one place at most (2.6).
fn may_jump(
    game: &VictoryInEurope,
    map_tables: &MapTables,
    state: &State,
    unit: UnitId,
    goal: Place,
) -> bool {
    let Some(from) = area_of(state, unit).filter(|_| game.kind(unit) == Kind::Paratroop) else {
        return false;
    };
    let near = &map_tables.neighbours[from.at()];
    near.contains(goal)
        || near.intersects(&map_tables.neighbours[goal.at()])
        || game.coast_seas(from, 0) & game.coast_seas(goal, 0) != 0
}

/// Whether a neutral area has nobody who would defend it.
fn is_open(game: &VictoryInEurope, state: &State, force: Force, area: Place) -> bool {
    state.controller(area) == Nation::Sphere || is_reserved(game, state, force, area)
}

/// Neighbours of a set within another.
fn fringe(game: &VictoryInEurope, set: &Areas, within: Areas) -> Areas {
    set.iter().fold(Areas::EMPTY, |near, area| near.or(game.adjacent(area))).and(&within)
}
