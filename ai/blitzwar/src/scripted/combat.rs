//! Attacks, losses, retreats and advances.

use sandtable_blitzwar::game::Counters;
use sandtable_blitzwar::location::{Counter, Location, Zone};
use sandtable_blitzwar::rules::Zones;
use sandtable_blitzwar::{Action, BlitzWar, Force, Kind, Nation, State};
use sandtable_core::Index;

use super::{Scripted, best_by, finds_room, is_full, land_counters};
use crate::board::{EVEN_FIGHT, LAST_STAND, left_to_soviets};

/// Share of the worth of a zone that weighs against advancing with its last counter.
const LAST_GUARD: f32 = 0.6;

/// Corps that go into a zone next to the enemy, where there are so many.
const STAND: u8 = 6;

/// Enemy corps beside a zone for each own one in it, from which it is lost.
const LOST_FIGHT: f32 = 3.0;

/// Share of a spearhead that is reckoned lost where it cannot hold.
const SPEARHEAD: f32 = 0.5;

/// What the capital of a country that is being conquered is worth to those in it against the counter-attack that takes it back,
/// in corps.
const CAPITAL_KEPT: f32 = 8.0;

/// What it is worth to get off a beachhead.
const ASHORE: f32 = 5.0;

impl Scripted {
    /// Counters of the side in turn that would attack a zone.
    pub(super) fn attackers_of(game: &BlitzWar, state: &State, force: Force, zone: Zone) -> Counters {
        let mut set = Counters::EMPTY;
        for place in *game.adjacent(zone) {
            if state.corps(force).contains(place) {
                for counter in state.stack(place) {
                    if game.kind(counter).is_corps()
                        && state.is_activated(counter)
                        && game.force(state, counter) == Some(force)
                    {
                        set.insert(counter);
                    }
                }
            }
        }
        for slot in Location::beachheads() {
            if state.beachhead(slot).is_some_and(|(at, _)| at == zone) {
                for counter in state.stack(slot) {
                    if game.kind(counter).is_corps() && game.force(state, counter) == Some(force) {
                        set.insert(counter);
                    }
                }
            }
        }
        set
    }

    pub(super) fn attack(&self, game: &BlitzWar, state: &State, force: Force, legal: &[Action]) -> Action {
        let board = &self.plan.board;
        best_by(legal, |action| match action {
            Action::Attack(zone) => {
                let set = Self::attackers_of(game, state, force, zone);
                let assessment = game.assess(state, zone, &set);
                if left_to_soviets(game, state, force, zone, &assessment) {
                    return -1.0;
                }
                let index = assessment.index();
                let odds = self.map_tables.at(index);
                let defenders = f32::from(assessment.defenders.0 + assessment.defenders.1).max(1.0);
                let killed = odds.defender.min(defenders + f32::from(assessment.fortified));
                let taken = if killed >= defenders { 0.85 } else { 0.5 * odds.beaten };
                let wanted = if board.foes.contains(zone) { 0.0 } else { -10.0 };
                wanted + killed - 1.1 * odds.attacker + taken * (0.4 + board.prize[zone.at()])
                    - if index < 2 { 0.8 } else { 0.1 }
            }
            Action::Advance(_, zone) if is_full(game, state, zone) => -1.0,
            Action::Advance(..) => 3.0,
            Action::Pass => 0.0,
            _ => f32::MIN,
        })
    }

    /// Keeps back what is not needed here and has another target.
    pub(super) fn withhold(&self, game: &BlitzWar, state: &State, legal: &[Action]) -> Action {
        let target = state.combat().target;
        let set = game.attackers(state);
        for &action in legal {
            if let Action::Withhold(counter) = action {
                let meant = self.plan.target.of(counter);
                let elsewhere =
                    meant.is_some_and(|meant| meant != target && self.plan.board.foes.contains(meant));
                let place = state.location(counter);
                let idle = place.is_zone()
                    && meant != Some(target)
                    && game
                        .adjacent(place)
                        .and(&self.plan.board.foes)
                        .difference(&Zones::one(target))
                        .is_empty();
                let enough = if elsewhere { 5 } else { 8 };
                let mut fewer = set;
                fewer.remove(counter);
                if !idle && game.assess(state, target, &fewer).index() >= enough {
                    return action;
                }
            }
        }
        if legal.contains(&Action::Resolve) { Action::Resolve } else { legal[0] }
    }

    /// The loss that hurts least.
    pub(super) fn cheapest(game: &BlitzWar, state: &State, legal: &[Action]) -> Action {
        best_by(legal, |action| match action {
            Action::Lose(counter, kind) => {
                if state.is_turned(counter) {
                    return 1.0;
                }
                let own = match game.nation(counter) {
                    Nation::Ger | Nation::Usa | Nation::Ussr | Nation::Uk => -1.0,
                    _ => -0.7,
                };
                let armour = if kind == Kind::Armour { -1.0 } else { 0.0 };
                own + armour - 0.05 * f32::from(state.strength(counter))
            }
            Action::Eliminate(counter) => {
                let armour = f32::from(game.corps_of(state, counter).1);
                -f32::from(state.strength(counter)) - armour
            }
            _ => f32::MIN,
        })
    }

    pub(super) fn retreat(&self, game: &BlitzWar, state: &State, force: Force, legal: &[Action]) -> Action {
        let combat = state.combat();
        let here = combat.target;
        let corps = game.corps_in(state, here, force);
        let left = corps.0 + corps.1;
        let mut leaving = 0;
        for counter in state.stack(here) {
            leaving += u8::from(game.kind(counter).is_corps());
        }
        best_by(legal, |action| match action {
            Action::Hold => {
                let worth = self.map_tables.worth[here.at()];
                let stand = self.plan.board.side_weights[force.index()].stand;
                let plain = if left >= 3 || worth >= 2.0 {
                    worth - 1.2 + 0.15 * f32::from(left)
                } else {
                    worth - 2.6
                };
                plain + stand
            }
            Action::Retreat(zone) => {
                let mut there = 0;
                for counter in state.stack(zone) {
                    there += u8::from(game.kind(counter).is_corps());
                }
                let crowd = (there + leaving).saturating_sub(game.rules.limits.stack);
                let exposed = foes_beside(game, state, force, zone);
                let home = game.own_area(state, force).contains(zone)
                    || force.friend().is_some_and(|friend| state.control(friend).contains(zone));
                let neighbour = if force == Force::Axis { Force::Soviet } else { Force::Axis };
                let peace = state.timers().axis_soviet_war == 0 && state.control(neighbour).contains(zone);
                let away = if peace && force != Force::Allied { 20.0 } else { f32::from(u8::from(!home)) };
                -away + 0.3 + 0.1 * self.map_tables.worth[zone.at()] - 1.0 * f32::from(crowd) - 0.05 * exposed
            }
            _ => f32::MIN,
        })
    }

    pub(super) fn advance(&self, game: &BlitzWar, state: &State, legal: &[Action]) -> Action {
        best_by(legal, |action| match action {
            Action::Advance(counter, zone) if self.may_advance(game, state, counter, zone) => {
                self.ground_gained(game, state, counter, zone, legal) - self.ground_left(game, state, counter)
            }
            Action::Advance(..) => -1.0,
            Action::Pass => 0.0,
            _ => f32::MIN,
        })
    }

    /// Whether an advance makes sense: there is room, and from the zone just won it goes on only to take more.
    fn may_advance(&self, game: &BlitzWar, state: &State, counter: Counter, zone: Zone) -> bool {
        let board = &self.plan.board;
        let fresh = !game.own_area(state, board.force).contains(zone);
        finds_room(game, state, zone, state.strength(counter))
            && board.open.or(&board.hostile).contains(zone)
            && (state.location(counter) != state.combat().target || fresh && board.prize[zone.at()] > 0.0)
    }

    /// What a counter gains by advancing to a zone.
    pub(super) fn ground_gained(
        &self,
        game: &BlitzWar,
        state: &State,
        counter: Counter,
        zone: Zone,
        legal: &[Action],
    ) -> f32 {
        let board = &self.plan.board;
        let force = board.force;
        let corps = state.strength(counter);
        let held = strength_at(game, state, force, zone);
        let there = land_counters(game, state, zone);
        let armour = if game.corps_of(state, counter).1 > 0 { 0.1 } else { 0.0 };
        let mut score = board.hold(&self.map_tables, zone, held + corps)
            - board.hold(&self.map_tables, zone, held)
            + armour
            + board.crowding(game, there, corps);
        if !game.own_area(state, force).contains(zone) {
            let room = game.rules.limits.stack.saturating_sub(there);
            let stands = held_after_counter_attack(
                game,
                state,
                force,
                zone,
                held + followers(state, legal, zone, room),
            );
            score += (1.0 + board.prize[zone.at()]) * stands - SPEARHEAD * (1.0 - stands) * f32::from(corps);
        }
        // A spearhead alone is cut off: enough go in to stand a counter-attack.
        if held < STAND && game.adjacent(zone).intersects(&game.foes(state, force)) {
            score += 1.0;
        }
        score
    }

    /// Whether a zone is the capital of a country that is being conquered: without it no such country surrenders (9.2).
    fn conquered_capital(&self, game: &BlitzWar, zone: Zone) -> bool {
        let country = game.rules.zones[zone.at()].country;
        game.capital(country) == Some(zone) && self.plan.aims.is_some_and(|aims| aims.conquers(country))
    }

    /// What a counter gives up by leaving its zone, or its beachhead, for an advance.
    pub(super) fn ground_left(&self, game: &BlitzWar, state: &State, counter: Counter) -> f32 {
        let board = &self.plan.board;
        let from = state.location(counter);
        if !from.is_zone() {
            return -ASHORE;
        }
        let left = strength_at(game, state, board.force, from);
        let mut given_up = board.hold(&self.map_tables, from, left)
            - board.hold(&self.map_tables, from, left - state.strength(counter));
        if board.last_stand.contains(from) {
            given_up += LAST_STAND;
        }
        // Who goes on from it thins it.
        if self.conquered_capital(game, from) {
            let kept = |corps: u8| held_after_counter_attack(game, state, board.force, from, corps);
            given_up += CAPITAL_KEPT * (kept(left) - kept(left - state.strength(counter)));
        }
        if land_counters(game, state, from) > 1 {
            return given_up;
        }
        // Leave someone at a front that is still open.
        let open_front = game.adjacent(from).intersects(&game.foes(state, board.force));
        let open = if open_front { 1.2 + LAST_GUARD * self.map_tables.worth[from.at()] } else { 0.0 };
        // A capital won since the plan was made, which still counts it as a prize, is not left to whoever comes next.
        let won = if game.rules.zones[from.at()].capital { board.prize[from.at()] } else { 0.0 };
        given_up + open.max(board.key[from.at()]) + won
    }
}

/// Corps of a side in a zone.
fn strength_at(game: &BlitzWar, state: &State, force: Force, zone: Zone) -> u8 {
    let (infantry, armour) = game.corps_in(state, zone, force);
    infantry + armour
}

/// Corps that could still advance to a zone with room for so many counters: the largest go.
fn followers(state: &State, legal: &[Action], zone: Zone, room: u8) -> u8 {
    let mut largest = [0u8; 3];
    for action in legal {
        if let Action::Advance(counter, to) = *action
            && to == zone
        {
            let mut corps = state.strength(counter);
            for place in largest.iter_mut().take(usize::from(room)) {
                if corps > *place {
                    std::mem::swap(&mut corps, place);
                }
            }
        }
    }
    largest.iter().sum()
}

/// How likely so many corps hold a zone just taken through the enemy's next turn: 1 up to [`EVEN_FIGHT`] corps beside it for
/// each of theirs, 0 from [`LOST_FIGHT`] on; nobody holds nothing.
fn held_after_counter_attack(game: &BlitzWar, state: &State, force: Force, zone: Zone, corps: u8) -> f32 {
    if corps == 0 {
        return 0.0;
    }
    let mut enemies = 0;
    for place in game.adjacent(zone).and(&game.foes(state, force)) {
        for counter in state.stack(place) {
            if game.kind(counter).is_corps()
                && game.force(state, counter).is_some_and(|owner| at_war(state, owner, force))
            {
                enemies += state.strength(counter);
            }
        }
    }
    let ratio = f32::from(enemies) / f32::from(corps);
    ((LOST_FIGHT - ratio) / (LOST_FIGHT - EVEN_FIGHT)).clamp(0.0, 1.0)
}

/// Whether two sides fight each other.
fn at_war(state: &State, one: Force, other: Force) -> bool {
    let east = one == Force::Soviet || other == Force::Soviet;
    one.opposes(other) && (!east || state.timers().axis_soviet_war != 0)
}

/// Zones with corps of others next to a zone.
fn foes_beside(game: &BlitzWar, state: &State, force: Force, zone: Zone) -> f32 {
    game.adjacent(zone).and(&game.foes(state, force)).len() as f32
}
