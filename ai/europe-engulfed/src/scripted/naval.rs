//! Invasions (7.2) and the decisions of a naval move (8.0).

use sandtable_core::{Board, Index};
use sandtable_europe_engulfed::ids::{Area, Areas, Nation, Sea, Units};
use sandtable_europe_engulfed::phase::{FireClass, Sailing};
use sandtable_europe_engulfed::rules::Branch;
use sandtable_europe_engulfed::state::mark;
use sandtable_europe_engulfed::supply::Room;
use sandtable_europe_engulfed::{Action, State, Team};

use sandtable_ai::policy::best_action;

use super::Scripted;
use crate::battle::{Army, Ground};
use crate::outlook::{Outlook, Prospect};
use crate::rooms::Rooms;

/// Areas over which a country is surely crossed.
const ACROSS: u32 = 32;
/// The most blocks that an invasion is reckoned with.
const MOST: usize = 8;
/// Share of a landing's worth that is left once interception and a beachhead without supply are thought of.
const CAUTION: f32 = 0.7;

/// Share of the power around a beach that a landing must have to hold it.
const HOLDS: f32 = 0.8;

impl Scripted {
    /// The invasion of most worth, if one is worth its Special Action.
    pub(super) fn invasion(&self, outlook: &Outlook<'_>, legal: &[Action]) -> Option<Action> {
        let invasions = legal.iter().any(|action| matches!(action, Action::Invade(..)));
        let best = invasions.then(|| {
            let &Outlook { game, state, team, .. } = outlook;
            let held = state.held(team);
            let joined = game.land().within_open(self.survey.front.or(&state.disputed()), ACROSS, held);
            let mut rooms = Rooms::new();
            best_action(legal, |action| match action {
                Action::Invade(nation, area, sea) => {
                    let foothold = self.worth_of_foothold(outlook, (nation, sea), &joined);
                    let room = rooms.of(game, state, nation);
                    let fed = self.fed_ashore(outlook, (nation, room), (area, sea));
                    self.worth_of_invasion(outlook, (nation, area, sea), (foothold, fed))
                }
                _ => 0.0,
            })
        })?;
        best.filter(|action| matches!(action, Action::Invade(..)))
    }

    /// What it is worth to have a foothold beyond a sea, from which all fight who wait in its ports and are not joined by land to
    /// any front; nothing if a port at a front is open to them.
    fn worth_of_foothold(&self, outlook: &Outlook<'_>, (nation, sea): (Nation, Sea), joined: &Areas) -> f32 {
        let &Outlook { game, state, team, weights, .. } = outlook;
        let ports = self.map.ports[sea.at()].and(state.held(team));
        let served = game.open_among(state, nation, &ports.and(joined));
        if team == Team::First || !served.is_empty() {
            return 0.0;
        }
        let waiting = ports.difference(joined);
        weights.foothold * waiting.iter().map(|port| self.survey.army(team, port).power()).sum::<f32>()
    }

    fn worth_of_invasion(
        &self,
        outlook: &Outlook<'_>,
        (nation, area, sea): (Nation, Area, Sea),
        (foothold, fed): (f32, usize),
    ) -> f32 {
        let &Outlook { game, state, team, weights, .. } = outlook;
        let rules = &game.rules;
        let beach = rules.areas[area.at()].beaches[sea.at()];
        let most = beach.min(state.ready_points(team, sea) * rules.naval.carried);
        let most = usize::from(most).min(MOST).min(fed);
        // The strongest in the ports of the zone.
        let bound = outlook.may_leave_poland() == 0;
        let mut strongest = [0u8; MOST];
        for unit in game.attached(state, nation) {
            let at = state.location(unit);
            let ready = at.is_on_map()
                && rules.areas[at.at()].ports >> sea.at() & 1 != 0
                && game.branch(unit) == Branch::Infantry
                && !(bound && outlook.leaves_watch(at, area))
                && !state.has_mark(unit, mark::MOVED);
            if ready {
                let steps = state.steps(unit);
                if let Some(least) = strongest[..most].iter_mut().min().filter(|least| **least < steps) {
                    *least = steps;
                }
            }
        }
        let mut army = self.survey.army(team, area);
        for steps in strongest.into_iter().filter(|steps| *steps > 0) {
            army.steps[FireClass::Infantry as usize] += f32::from(steps);
            army.blocks += 1.0;
        }
        if army.land() <= 0.0 {
            return -1.0;
        }
        // Where a lost beachhead costs a point nobody lands who can be thrown back.
        if self.map.beachheads.contains(area) && army.power() < HOLDS * self.survey.threat[area.at()] {
            return -1.0;
        }
        let mut ground = Ground::of(game, state, team, area);
        ground.crossed[FireClass::Infantry as usize] = rules.bonuses.landing;
        let enemy = self.survey.army(team.other(), area);
        let mut value = self.survey.attack_value(outlook, area, None);
        value.prize += foothold;
        let Prospect { worth, won, .. } = outlook.attack(army, enemy, &ground, value);
        if won < weights.odds.max(0.4) { -1.0 } else { CAUTION * worth - weights.special }
    }

    /// Units more that ships of a zone could feed where they land: on a beachhead, or through the port they take (3.2, 5.4).
    fn fed_ashore(
        &self,
        outlook: &Outlook<'_>,
        (nation, room): (Nation, &Room),
        (area, sea): (Area, Sea),
    ) -> usize {
        let &Outlook { game, state, .. } = outlook;
        let port = self.map.ports[sea.at()].contains(area);
        let each = if port { 1 } else { game.rules.supply.beachhead_units };
        usize::from(game.room_in_zone(state, nation, room, sea) / u16::from(each.max(1)))
    }

    /// What it is worth to disable a port that the enemy takes, or is about to: something if he has ships before it (13.32).
    pub(super) fn spoil(&self, outlook: &Outlook<'_>, area: Area) -> f32 {
        let &Outlook { game, state, team, .. } = outlook;
        let on = |sea: &usize| game.rules.areas[area.at()].ports >> sea & 1 != 0;
        let ships: u8 = (0..game.rules.seas.len())
            .filter(on)
            .map(|sea| state.fleet_points(team.other(), Sea::nth(sea)))
            .sum();
        if ships > 0 { 1.0 } else { -1.0 }
    }

    /// What it is worth to repair a port (13.32): half of the steps there and next door that have no other port.
    pub(super) fn worth_of_repair(&self, outlook: &Outlook<'_>, area: Area) -> f32 {
        let &Outlook { game, state, team, .. } = outlook;
        let near = game.land().neighbours(area).or(&Areas::one(area)).and(state.held(team));
        let open =
            |area: Area| game.rules.areas[area.at()].ports != 0 && !state.disabled_ports.contains(area);
        let other = near.iter().any(open);
        let steps: f32 = near.iter().map(|area| self.survey.army(team, area).land()).sum();
        if other { 0.0 } else { 0.5 * steps }
    }

    /// Whether one more block on board would leave a coast that the enemy can land on to nobody.
    fn is_last_guard(&self, outlook: &Outlook<'_>, from: Area) -> bool {
        let &Outlook { game, state, team, .. } = outlook;
        let gone = state.crossing.cargo.filter(|unit| state.location(unit) == from);
        let left = game.land_units_at(state, team, from).difference(&gone).len();
        left <= 1 && self.survey.at_sea[from.at()] > 0.0
    }

    /// A decision of the naval move under way.
    pub(super) fn at_sea(&mut self, outlook: &Outlook<'_>, legal: &[Action]) -> Option<Action> {
        let &Outlook { game, state, team, weights, .. } = outlook;
        match state.crossing.stage {
            Sailing::None => None,
            Sailing::Embarking => {
                self.look(outlook);
                let mut rooms = Rooms::new();
                best_action(legal, |action| match action {
                    Action::Embark(unit) => {
                        let gone = state
                            .crossing
                            .cargo
                            .filter(|other| outlook.leaves_watch(state.location(other), state.crossing.to));
                        let bound = outlook.may_leave_poland() <= gone.len();
                        if bound && outlook.leaves_watch(state.location(unit), state.crossing.to) {
                            return -1.0;
                        }
                        // Nor does anybody go whom no ship feeds there.
                        let (to, zone) = (state.crossing.to, state.crossing.route.seas().last());
                        let nation = game.nation(unit);
                        let room = rooms.of(game, state, nation);
                        let fed =
                            zone.map_or(MOST, |&sea| self.fed_ashore(outlook, (nation, room), (to, sea)));
                        let full = state.crossing.cargo.len() as usize >= fed;
                        if full || self.is_last_guard(outlook, state.location(unit)) {
                            return -1.0;
                        }
                        let one = Army::one(game, state, unit);
                        one.power()
                    }
                    // Others pay for their part only where the first nation has nobody left.
                    Action::Invade(..) => -weights.special,
                    _ => 0.0,
                })
            }
            Sailing::Interception(_) => {
                let sea = state.crossing.route.seas()[usize::from(state.crossing.leg)];
                let points = Team::ALL.map(|side| f32::from(state.fleet_points(side, sea)));
                let (own, enemy) = (points[team.index()], points[team.other().index()]);
                if !game.rules.options.naval_air {
                    return Some(if own >= 0.8 * enemy { Action::Intercept } else { Action::Pass });
                }
                // In port the air units join, and he is met more often (14.46).
                let rules = &game.rules.optional.naval_air;
                let wings = Team::ALL.map(|side| game.wings(state, side).len() as f32);
                let hope = |need: u8, own: f32, enemy: f32| (7.0 - f32::from(need)) * (own - 0.8 * enemy);
                best_action(legal, |action| match action {
                    Action::Intercept => hope(rules.at_sea, own, enemy),
                    Action::MeetInPort => {
                        let with = |side: Team, points: f32| points + wings[side.index()];
                        hope(rules.in_port, with(team, own), with(team.other(), enemy))
                    }
                    _ => 0.0,
                })
            }
            // Aircraft are the cheaper half of a fleet: all join, go for what is dearer where they hit it, and are lost for ships.
            Sailing::Joining(_) => best_action(legal, |action| match action {
                Action::Fighters(count) => f32::from(count),
                _ => -1.0,
            }),
            Sailing::Dogfight(_) => {
                let chance = |hit_on: u8| (7.0 - f32::from(hit_on)) / 6.0;
                let air = f32::from(game.rules.branches[Branch::Air as usize].step_cost);
                let at_air = chance(game.rules.combat.air_hit_on) * air;
                let at_ships = chance(game.rules.naval.hit_on) * f32::from(game.rules.costs.fleet);
                let most = f32::from(state.crossing.air.joined[team.other().index()]);
                best_action(legal, |action| match action {
                    Action::Fighters(count) => f32::from(count).min(most) * (at_air - at_ships),
                    _ => -1000.0,
                })
            }
            Sailing::Sparing(_) => {
                let cheaper = f32::from(game.rules.costs.fleet)
                    - f32::from(game.rules.branches[Branch::Air as usize].step_cost);
                best_action(legal, |action| match action {
                    Action::Fighters(count) => f32::from(count) * cheaper,
                    _ => -1000.0,
                })
            }
            Sailing::Returning(_) => Some(Action::Pass),
            Sailing::Sinking => best_action(legal, |action| match action {
                Action::Take(unit) => -f32::from(state.steps(unit)),
                _ => -1000.0,
            }),
        }
    }
}

/// Own land units that will starve: the rules say whom the ships feed, and through which beachheads.
pub(crate) fn hungry(outlook: &Outlook<'_>, state: &State) -> Units {
    let &Outlook { game, team, .. } = outlook;
    let unfed = game.unsupplied(state, team);
    unfed.filter(|unit| !game.is_air(unit) && !state.has_mark(unit, mark::MOVED))
}

/// Steps of those who starve that a beachhead in an area would feed (13.32).
pub(super) fn saved(outlook: &Outlook<'_>, starving: &Units, area: Area) -> f32 {
    let &Outlook { game, state, team, .. } = outlook;
    if starving.is_empty() {
        return 0.0;
    }
    let mut after = state.clone();
    after.beachheads[team.index()].insert(area);
    after.paid_beachheads[team.index()].insert(area);
    let fed = starving.difference(&hungry(outlook, &after));
    f32::from(game.steps_of(state, &fed))
}
