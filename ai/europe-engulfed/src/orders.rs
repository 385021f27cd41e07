//! The orders of a movement phase: which areas are attacked with whom, where the others march (5.1).

use std::sync::Arc;

use sandtable_core::{Board, Index};
use sandtable_europe_engulfed::ids::{Area, Areas, MAX_AREAS, MAX_UNITS, Units};
use sandtable_europe_engulfed::rules::Branch;
use sandtable_europe_engulfed::state::mark;
use sandtable_europe_engulfed::supply::Room;
use sandtable_europe_engulfed::{Action, EuropeEngulfed, Nation, State, Team, UnitId};

use super::battle::{Army, Ground, class_of, crossing_bonus};
use super::map_tables::MapTables;
use super::outlook::Outlook;
use super::rooms::{Rooms, STARVES, feeds};
use super::scripted::hungry;
use super::survey::{Role, Survey};

/// Probability of clearing an area beyond which no more units are sent.
const SENT_ENOUGH: f32 = 0.97;
/// Power that nobody minds.
pub(super) const SLACK: f32 = 0.1;
/// Least probability of surviving for which those who starve break out at any odds.
const LEAST_SURVIVAL: f32 = 0.5;
/// Share of the steps saved from starving that counts.
const RESCUED: f32 = 0.7;
/// Air support units that are worth having in one battle.
const AIR_IN_BATTLE: f32 = 3.0;

/// A unit and where it goes.
#[derive(Clone, Copy, Debug)]
struct Order {
    unit: UnitId,
    to: Area,
}

/// Orders of the phase at hand, carried out one after the other.
#[derive(Debug)]
pub(super) struct Orders {
    map: Arc<MapTables>,
    list: Vec<Order>,
    next: usize,
    /// The unit picked and where it goes.
    active: Option<Order>,
    reach: Box<[Areas; MAX_UNITS]>,
    /// Steps that are still to be kept in each area, power that is there and has no orders.
    spare: [f32; MAX_AREAS],
    rooms: Rooms,
    /// Land units that nobody feeds, and that no attack so far would save.
    pocket: Units,
    /// Land units that may still leave where the USSR is watched.
    watchers: u32,
    /// Areas to be fought over, with what is at stake.
    fights: Vec<(Area, f32)>,
    /// What the attacks on Soviet home areas are worth together.
    worth_in_the_east: f32,
}

impl Orders {
    pub fn new(map: Arc<MapTables>) -> Orders {
        Orders {
            map,
            list: Vec::with_capacity(MAX_UNITS),
            next: 0,
            active: None,
            reach: Box::new([Areas::EMPTY; MAX_UNITS]),
            spare: [0.0; MAX_AREAS],
            rooms: Rooms::new(),
            pocket: Units::EMPTY,
            watchers: u32::MAX,
            fights: Vec::with_capacity(MAX_AREAS),
            worth_in_the_east: 0.0,
        }
    }

    pub fn forget(&mut self) {
        self.list.clear();
        self.next = 0;
        self.active = None;
    }

    // ---- making them ----

    /// Makes the orders of an operational movement.
    pub fn plan(&mut self, outlook: &Outlook<'_>, survey: &Survey) {
        self.forget();
        self.fights.clear();
        self.worth_in_the_east = 0.0;
        self.watchers = outlook.may_leave_poland();
        let &Outlook { game, state, weights, team, .. } = outlook;
        let movers = movers(game, state, team);
        self.find_reach(game, state, &movers);
        self.rooms = Rooms::new();
        self.pocket = hungry(outlook, state);
        for area in game.areas() {
            let power = survey.armies[team.index()][area.at()].power();
            self.spare[area.at()] = power - survey.guard(&self.map, area, weights);
        }
        for unit in self.pocket {
            self.room(game, state, unit);
            // Who starves guards nothing.
            let area = state.location(unit);
            self.spare[area.at()] = survey.armies[team.index()][area.at()].power();
        }
        let mut free = movers;
        self.occupy(outlook, &mut free);
        stay(outlook, survey, &mut free);
        self.attack_together(outlook, survey, &mut free);
        while let Some((target, sent)) = self.best_attack(outlook, survey, &free) {
            for unit in sent {
                self.order(outlook, unit, target);
            }
            free = free.difference(&sent);
        }
        for area in state.disputed() {
            if self.fights.iter().all(|fight| fight.0 != area) {
                self.fights.push((area, survey.prize[area.at()]));
            }
        }
        self.march(outlook, survey, &free);
        self.send_air(outlook, survey, &free);
    }

    /// The Soviets move into what the pact has given them (9.25): it puts the enemy further from home. The weakest goes, from where most
    /// can be spared.
    fn occupy(&mut self, outlook: &Outlook<'_>, free: &mut Units) {
        let &Outlook { game, state, .. } = outlook;
        if !outlook.is_soviet_peace() {
            return;
        }
        let claimed = state.held(Team::First).or(state.held(Team::Second));
        for area in game.rules.politics.pact_areas.difference(&claimed) {
            let goes = |unit: &UnitId| {
                game.nation(*unit) == Nation::SovietUnion
                    && !game.is_air(*unit)
                    && self.reach[unit.at()].contains(area)
            };
            let rank = |unit: &UnitId| {
                let one = Army::one(game, state, *unit);
                one.power() - self.spare[state.location(*unit).at()]
            };
            let best = free.iter().filter(goes).min_by(|one, other| rank(one).total_cmp(&rank(other)));
            if let Some(unit) = best {
                self.order(outlook, unit, area);
                free.remove(unit);
            }
        }
    }

    fn order(&mut self, outlook: &Outlook<'_>, unit: UnitId, to: Area) {
        let &Outlook { game, state, .. } = outlook;
        let one = Army::one(game, state, unit);
        self.spare[state.location(unit).at()] -= one.power();
        if outlook.leaves_watch(state.location(unit), to) {
            self.watchers = self.watchers.saturating_sub(1);
        }
        self.list.push(Order { unit, to });
    }

    fn find_reach(&mut self, game: &EuropeEngulfed, state: &State, movers: &Units) {
        let mut last: Option<UnitId> = None;
        for unit in *movers {
            // Counters of a kind stand together in the numbering, and mostly on the map.
            let same = last.filter(|last| {
                game.kind_of(*last) == game.kind_of(unit)
                    && state.location(*last) == state.location(unit)
                    && state.marks(*last) == state.marks(unit)
            });
            self.reach[unit.at()] = match same {
                Some(last) => self.reach[last.at()],
                None => reach(game, state, unit),
            };
            last = Some(unit);
        }
    }

    /// Where units of a unit's nation are fed.
    fn room(&mut self, game: &EuropeEngulfed, state: &State, unit: UnitId) -> &mut Room {
        self.rooms.of(game, state, game.nation(unit))
    }

    /// Units that starve whom an attack saves: those who make it to an area next to fed country, and who is connected by it, for lines run
    /// through areas that are fought over (A82, A103).
    fn saved(&self, outlook: &Outlook<'_>, target: Area, sent: &Units) -> Units {
        let &Outlook { game, state, team, .. } = outlook;
        let Some(one) = self.pocket.first() else { return Units::EMPTY };
        let Some(room) = self.rooms.known(game.nation(one)) else { return Units::EMPTY };
        let near = game.land().neighbours(target);
        if !near.and(state.held(team)).iter().any(|area| room.feeds(area)) {
            return Units::EMPTY;
        }
        let unfed = state.held(team).or(&state.disputed()).filter(|area| !room.feeds(area));
        let joined = game.land().fill(Areas::one(target), &unfed.or(&Areas::one(target)));
        self.pocket.filter(|unit| sent.contains(unit) || joined.contains(state.location(unit)))
    }

    /// The attack of most worth with units that have no orders yet, and who makes it.
    fn best_attack(&mut self, outlook: &Outlook<'_>, survey: &Survey, free: &Units) -> Option<(Area, Units)> {
        let &Outlook { game, state, weights, team, .. } = outlook;
        let mut targets = Areas::EMPTY;
        for unit in *free {
            targets = targets.or(&self.reach[unit.at()]);
        }
        // What nobody of ours holds, neutral ground that has come open too.
        let hostile = game.areas().difference(state.held(team)).or(&state.disputed());
        let taken: Areas = self.fights.iter().map(|fight| fight.0).collect();
        let targets = targets.and(&hostile).difference(&taken);
        let mut best: Option<(f32, Area, Units)> = None;
        for target in targets {
            let Some((worth, sent)) = self.attack_on(outlook, survey, free, target) else { continue };
            if worth > weights.gain && best.as_ref().is_none_or(|(known, ..)| worth > *known) {
                best = Some((worth, target, sent));
            }
        }
        let (worth, target, sent) = best?;
        let saved = self.saved(outlook, target, &sent);
        self.pocket = self.pocket.difference(&saved);
        if is_soviet(game, target) {
            self.worth_in_the_east += worth;
        }
        self.fights.push((target, survey.prize[target.at()]));
        Some((target, sent))
    }

    /// Where several areas are missing for the victory in the last turn all of them are needed: whoever can goes where it stands worst.
    fn attack_together(&mut self, outlook: &Outlook<'_>, survey: &Survey, free: &mut Units) {
        let missing = *survey.missing();
        if missing.len() < 2 {
            return;
        }
        let team = outlook.team;
        // Areas that get no more.
        let mut done = Areas::EMPTY;
        loop {
            let mut worst: Option<(f32, Area)> = None;
            for target in missing.difference(&done) {
                let (army, ground) = self.assault(outlook, survey, target);
                let enemy = survey.defender(team.other(), target, 0);
                let value = survey.attack_value(outlook, target, None);
                let won =
                    if army.land() > 0.0 { outlook.attack(army, enemy, &ground, value).won } else { 0.0 };
                if won >= SENT_ENOUGH {
                    done.insert(target);
                } else if worst.is_none_or(|(known, _)| won < known) {
                    worst = Some((won, target));
                }
            }
            let Some((_, target)) = worst else { break };
            let spare = self.spare_for(outlook, survey, target);
            match self.next_to_join(outlook, survey, free, (target, &spare, self.watchers)) {
                Some((unit, _)) => {
                    self.order(outlook, unit, target);
                    free.remove(unit);
                }
                None => done.insert(target),
            }
        }
        for target in missing {
            if self.list.iter().any(|order| order.to == target) {
                self.fights.push((target, survey.prize[target.at()]));
            }
        }
    }

    /// Who is in an area and who has been sent there, and how it is fought for.
    fn assault(&self, outlook: &Outlook<'_>, survey: &Survey, target: Area) -> (Army, Ground) {
        let &Outlook { game, state, team, .. } = outlook;
        let mut army = survey.army(team, target);
        let mut ground = Ground::of(game, state, team, target);
        for order in self.list.iter().filter(|order| order.to == target) {
            join(outlook, order.unit, target, (&mut army, &mut ground));
        }
        (army, ground)
    }

    /// Power that areas can spare for an attack: who is attacked threatens nobody; who might join him still does.
    fn spare_for(&self, outlook: &Outlook<'_>, survey: &Survey, target: Area) -> [f32; MAX_AREAS] {
        let &Outlook { game, weights, team, .. } = outlook;
        let mut spare = self.spare;
        let attacked = survey.army(team.other(), target).power();
        for near in *game.land().neighbours(target) {
            spare[near.at()] += survey.released(&self.map, near, weights, attacked);
        }
        spare
    }

    /// Who joins an attack next: those next to it first and strong ones first, of those whom their areas can spare.
    fn next_to_join(
        &self,
        outlook: &Outlook<'_>,
        survey: &Survey,
        free: &Units,
        (target, spare, watchers): (Area, &[f32; MAX_AREAS], u32),
    ) -> Option<(UnitId, Army)> {
        let &Outlook { game, state, team, .. } = outlook;
        let defended = survey.army(team.other(), target).land() > 0.0;
        let mut joins: Option<(f32, UnitId, Army)> = None;
        for unit in *free {
            let from = state.location(unit);
            if game.is_air(unit) || !self.reach[unit.at()].contains(target) || from == target {
                continue;
            }
            let one = Army::one(game, state, unit);
            // Whoever takes empty ground is not missed, but where somebody stays to the end or watches a coast that is worth more.
            let watches = survey.is_coast_watched(&self.map, from)
                && self.map.worth[from.at()] > self.map.worth[target.at()];
            let bound = defended || survey.is_kept(from) || watches;
            if bound && spare[from.at()] < one.power() - SLACK
                || watchers == 0 && outlook.leaves_watch(from, target)
            {
                continue;
            }
            // Who crosses a river is the last to be asked; an empty area is taken by the weakest.
            let crossing = if game.crossing(from, target) == 0 { 1.0 } else { 0.5 };
            let rank = if defended { crossing * one.power() } else { 1.0 / one.power() };
            let rank = rank + 0.05 * spare[from.at()];
            if joins.as_ref().is_none_or(|(known, ..)| rank > *known) {
                joins = Some((rank, unit, one));
            }
        }
        joins.map(|(_, unit, one)| (unit, one))
    }

    /// The best attack on an area: units join until it is as good as won.
    fn attack_on(
        &self,
        outlook: &Outlook<'_>,
        survey: &Survey,
        free: &Units,
        target: Area,
    ) -> Option<(f32, Units)> {
        let &Outlook { game, state, weights, team, .. } = outlook;
        let value = survey.attack_value(outlook, target, None);
        let there = survey.armies[team.index()][target.at()];
        // The enemy spends nothing on what he has left empty.
        let manned = |fight: &&(Area, f32)| survey.army(team.other(), fight.0).land() > 0.0;
        let battles = self.fights.iter().filter(manned).count() as u32;
        let enemy = survey.defender(team.other(), target, battles);
        let mut ground = Ground::of(game, state, team, target);
        let mut army = there;
        let mut sent = Units::EMPTY;
        let mut spare = self.spare_for(outlook, survey, target);
        let mut watchers = self.watchers;
        let now = outlook.attack(army, enemy, &ground, value).worth;
        let before = if there.land() > 0.0 { now.max(0.0) } else { 0.0 };
        // The best of those who go one after the other: each could do something else.
        let mut best: Option<(f32, Units)> = None;
        let mut power = 0.0;
        let air = self.air_for(outlook, free, target);
        loop {
            let left = free.difference(&sent);
            let next = self.next_to_join(outlook, survey, &left, (target, &spare, watchers));
            let Some((unit, one)) = next else { break };
            let from = state.location(unit);
            sent.insert(unit);
            spare[from.at()] -= one.power();
            watchers = watchers.saturating_sub(u32::from(outlook.leaves_watch(from, target)));
            join(outlook, unit, target, (&mut army, &mut ground));
            let supported = Army { air: there.air + air, ..army };
            let prospect = outlook.attack(supported, enemy, &ground, value);
            power += one.power();
            let mut saved = f32::from(game.steps_of(state, &self.saved(outlook, target, &sent)));
            if saved > 0.0 {
                let survives = prospect.first.survival_probability();
                saved *= if survives < LEAST_SURVIVAL { 0.0 } else { survives };
            }
            let gain = prospect.worth - before - weights.commit * power + RESCUED * outlook.loss() * saved;
            let odds = survey.least_odds(target, weights);
            if (prospect.won >= odds || saved > 0.0) && best.as_ref().is_none_or(|(known, _)| gain > *known) {
                best = Some((gain, sent));
            }
            if prospect.won >= SENT_ENOUGH {
                break;
            }
        }
        best
    }

    /// Whether the Axis rests in the East (14.41): the First Winter would take more than the attacks at hand and the Special
    /// Actions are worth.
    pub fn rests(&self, outlook: &Outlook<'_>) -> bool {
        let &Outlook { game, state, weights, team, .. } = outlook;
        let freezing = |unit: UnitId| {
            game.branch(unit) != Branch::Armour
                && game.nation(unit) != Nation::Finland
                && state.steps(unit) > 1
        };
        let soviet = game.areas().filter(|area| is_soviet(game, area));
        let frozen: u32 =
            soviet.iter().map(|area| game.land_units_at(state, team, area).filter(freezing).len()).sum();
        let price = f32::from(game.rules.politics.pause_actions) * weights.special;
        outlook.loss() * frozen as f32 > self.worth_in_the_east + price
    }

    /// Air units that could support an attack.
    fn air_for(&self, outlook: &Outlook<'_>, free: &Units, target: Area) -> f32 {
        let &Outlook { game, .. } = outlook;
        let near = game.land().neighbours(target);
        let can = free.iter().filter(|unit| game.is_air(*unit)).filter(|unit| {
            self.reach[unit.at()].intersects(near) || near.contains(outlook.state.location(*unit))
        });
        (can.count() as f32).min(AIR_IN_BATTLE)
    }

    /// Who has no part in an attack goes where power is wanted.
    fn march(&mut self, outlook: &Outlook<'_>, survey: &Survey, free: &Units) {
        let &Outlook { game, state, weights, team, .. } = outlook;
        let mut power = survey.armies[team.index()].map(|army| army.power());
        let wanted = |power: &[f32; MAX_AREAS], area: Area, role: Role| {
            if survey.posts.contains(area) {
                survey.drawn(area, power[area.at()], role)
            } else {
                survey.pull[area.at()]
            }
        };
        for unit in *free {
            if game.is_air(unit) {
                continue;
            }
            let from = state.location(unit);
            let one = Army::one(game, state, unit).power();
            let own = self.reach[unit.at()].and(state.held(team));
            let bound = self.watchers == 0;
            let starves = self.pocket.contains(unit);
            let room = *self.room(game, state, unit);
            let fed = |to: Area| feeds(&room, if starves { None } else { Some(from) }, to);
            let own = own.filter(|to| !(bound && outlook.leaves_watch(from, to)) && fed(to));
            let kept = starves || survey.lets_go(outlook, from, (power[from.at()], one));
            if self.spare[from.at()] < one - SLACK || !kept {
                continue;
            }
            // What it does where it is: it would be missed.
            power[from.at()] -= one;
            let role = Role::of(game.branch(unit));
            let missed = if starves { -STARVES } else { wanted(&power, from, role) };
            let best = best_of(own, |area| wanted(&power, area, role));
            let least = if starves { missed } else { missed + weights.march * (1.0 + missed.abs()) };
            let best = best.filter(|best| best.1 > least);
            if let Some((to, _)) = best {
                power[to.at()] += one;
                if starves || room.is_by_land(from) {
                    self.room(game, state, unit).take(to);
                }
                self.order(outlook, unit, to);
            } else {
                power[from.at()] += one;
            }
        }
    }

    /// Air units go to the battles, the dearest first, or to the front.
    fn send_air(&mut self, outlook: &Outlook<'_>, survey: &Survey, free: &Units) {
        let &Outlook { game, state, team, .. } = outlook;
        self.fights.sort_by(|a, b| b.1.total_cmp(&a.1));
        let mut there = [0.0f32; MAX_AREAS];
        for area in game.areas() {
            there[area.at()] = survey.armies[team.index()][area.at()].air;
        }
        // Who has orders is gone.
        let mut staying = survey.armies[team.index()].map(|army| army.land());
        for order in &self.list {
            let steps = f32::from(state.steps(order.unit));
            staying[state.location(order.unit).at()] -= steps;
            staying[order.to.at()] += steps;
        }
        for unit in *free {
            if !game.is_air(unit) {
                continue;
            }
            let from = state.location(unit);
            let near = |area: Area| {
                from == area || self.reach[unit.at()].contains(area) || self.close(game, state, unit, area)
            };
            let here = self.fights.iter().any(|fight| fight.0 == from) && there[from.at()] <= AIR_IN_BATTLE;
            if here {
                continue;
            }
            let fight = self
                .fights
                .iter()
                .map(|fight| fight.0)
                .find(|area| near(*area) && there[area.at()] < AIR_IN_BATTLE);
            let to = fight.or_else(|| {
                let room = *self.room(game, state, unit);
                let own = self.reach[unit.at()].and(state.held(team)).difference(&state.disputed());
                let own = own.filter(|to| feeds(&room, Some(from), to));
                let wish = |area: Area, there: f32| survey.airfield(area, staying[area.at()], there);
                let best = best_of(own, |area| wish(area, there[area.at()]))?;
                (best.1 > 1.2 * wish(from, there[from.at()] - 1.0)).then_some(best.0)
            });
            if let Some(to) = to.filter(|to| *to != from) {
                there[from.at()] -= 1.0;
                there[to.at()] += 1.0;
                self.list.push(Order { unit, to });
            }
        }
    }

    /// Whether an area that is not open to air units yet will be within reach when land units have come.
    fn close(&self, game: &EuropeEngulfed, state: &State, unit: UnitId, area: Area) -> bool {
        let from = state.location(unit);
        let near = game.land().neighbours(area);
        let two = game.moves_of(state, unit) > 1 && self.reach[unit.at()].intersects(near);
        near.contains(from) || two || self.map.links[from.at()].contains(area)
    }

    // ---- carrying them out ----

    /// The next unit to pick; nothing if all orders are carried out.
    pub fn pick(&mut self, game: &EuropeEngulfed, state: &State, legal: &[Action]) -> Option<Action> {
        while self.next < self.list.len() {
            let order = self.list[self.next];
            self.next += 1;
            let alike = |unit: UnitId| {
                game.kind_of(unit) == game.kind_of(order.unit)
                    && state.location(unit) == state.location(order.unit)
                    && state.steps(unit) == state.steps(order.unit)
                    && state.marks(unit) == state.marks(order.unit)
            };
            let found = legal.iter().find_map(|action| match action {
                Action::Select(unit) if alike(*unit) => Some(*unit),
                _ => None,
            });
            if let Some(unit) = found {
                self.active = Some(Order { unit, to: order.to });
                return Some(Action::Select(unit));
            }
        }
        None
    }

    /// The next area of a unit on its way, or a stop.
    pub fn step(
        &self,
        game: &EuropeEngulfed,
        state: &State,
        unit: UnitId,
        legal: &[Action],
    ) -> Option<Action> {
        let to = self.active.filter(|order| order.unit == unit)?.to;
        let go = |area: Area| legal.contains(&Action::Go(area)).then_some(Action::Go(area));
        let from = state.location(unit);
        // Who is there stays, though it could march on.
        if from == to {
            return None;
        }
        go(to).or_else(|| {
            let near = game.land().neighbours(to);
            legal.iter().copied().find(|action| match action {
                Action::Go(via) => near.contains(*via) && !game.must_stop(state, unit, from, *via),
                _ => false,
            })
        })
    }
}

/// A unit joins an attack from where it is.
fn join(outlook: &Outlook<'_>, unit: UnitId, target: Area, (army, ground): (&mut Army, &mut Ground)) {
    let &Outlook { game, state, .. } = outlook;
    army.add(game, state, unit);
    let crossed = &mut ground.crossed[class_of(game, unit) as usize];
    *crossed = (*crossed).max(crossing_bonus(game, game.crossing(state.location(unit), target)));
}

/// Who is in a battle worth fighting stays in it: as many as make it as good as won, the strongest first, of equals infantry.
fn stay(outlook: &Outlook<'_>, survey: &Survey, free: &mut Units) {
    let &Outlook { game, state, weights, team, .. } = outlook;
    let mut battles = 0;
    for area in state.disputed() {
        let there = game.land_units_at(state, team, area);
        if there.is_empty() || survey.army(team.other(), area).land() <= 0.0 {
            continue;
        }
        let enemy = survey.defender(team.other(), area, battles);
        battles += 1;
        let ground = Ground::of(game, state, team, area);
        let value = survey.attack_value(outlook, area, None);
        let all = survey.army(team, area);
        let prospect = outlook.attack(all, enemy, &ground, value);
        if prospect.worth <= weights.gain || prospect.won < survey.least_odds(area, weights) {
            continue;
        }
        let mut army = Army { air: all.air, ..Army::of(game, state, &there.difference(free)) };
        let mut left = there.and(free);
        while outlook.attack(army, enemy, &ground, value).won < SENT_ENOUGH {
            let rank = |unit: &UnitId| (state.steps(*unit), game.branch(*unit) != Branch::Armour);
            let Some(unit) = left.iter().max_by_key(rank) else { break };
            army.add(game, state, unit);
            left.remove(unit);
            free.remove(unit);
        }
    }
}

/// Whether an area is of the Soviet homeland.
fn is_soviet(game: &EuropeEngulfed, area: Area) -> bool {
    game.country_of(area).owner == Nation::SovietUnion
}

/// The area of most worth, with its worth; the first of equals.
pub(super) fn best_of(areas: Areas, worth: impl Fn(Area) -> f32) -> Option<(Area, f32)> {
    let mut best: Option<(Area, f32)> = None;
    for area in areas {
        let worth = worth(area);
        if best.is_none_or(|(_, known)| worth > known) {
            best = Some((area, worth));
        }
    }
    best
}

/// Counters of a team that may still move.
fn movers(game: &EuropeEngulfed, state: &State, team: Team) -> Units {
    let units = game.unit_ids().filter(|unit| {
        game.team_of(state, *unit) == Some(team)
            && state.is_on_map(*unit)
            && !state.has_mark(*unit, mark::MOVED)
            && game.may_leave(state, *unit)
    });
    units.collect()
}

/// Areas that a unit may reach, at most two apart.
fn reach(game: &EuropeEngulfed, state: &State, unit: UnitId) -> Areas {
    let moves = game.moves_of(state, unit);
    if moves == 0 {
        return Areas::EMPTY;
    }
    let from = state.location(unit);
    let first = game.ways(state, unit, true);
    let mut reached = first;
    if moves > 1 {
        for via in first {
            if game.must_stop(state, unit, from, via) {
                continue;
            }
            let next = game.land().neighbours(via).filter(|to| game.may_enter(state, unit, via, to));
            reached = reached.or(&next);
        }
        reached.remove(from);
    }
    reached
}
