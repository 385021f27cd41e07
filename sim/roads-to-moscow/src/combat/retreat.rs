//! Retreats after combat, in overruns and refusals (11.3, 11.5, 8.56g, 9.22).
//!
//! Units go one at a time, hex by hex. All that leave one hex go before the next hex's; then leaders and fuel that stood with
//! them follow where they will, and those that took the same way through an enemy zone of control are checked as one group.
//!
//! What a unit may do is found from the routes it has, the best kind of which is alone allowed: those free of enemy zones of
//! control with room at their end; those through one vacant hex in such a zone, for who may (11.51 to 11.54); those whose end
//! is full, where units are eliminated (11.34). Who has none is eliminated.

use sandtable_core::hex::Direction;
use sandtable_core::{ActionSink, Context, Flow, Side};

use super::{AttackStatus, Kind, NOBODY, Role, Stage};
use crate::action::Action;
use crate::event::Event;
use crate::game::RoadsToMoscow;
use crate::state::State;
use crate::{Hex, Unit, Units};

/// Routes free of enemy zones of control, with room at the end.
const FREE: u8 = 0;
/// Routes through a vacant hex in an enemy zone of control.
const THROUGH: u8 = 2;
/// Routes whose end is full.
const FULL: u8 = 4;
/// Beside each: it ends farther from home than 19.44e wishes.
const FAR: u8 = 1;
/// No route.
const NONE: u8 = u8::MAX;

/// At most six hexes, in ascending order.
#[derive(Clone, Copy, Default)]
pub(super) struct Ways {
    hexes: [Hex; 6],
    count: usize,
}

impl Ways {
    pub(super) fn add(&mut self, hex: Hex) {
        if self.as_slice().contains(&hex) {
            return;
        }
        let at = self.as_slice().partition_point(|&other| other < hex);
        self.hexes.copy_within(at..self.count, at + 1);
        self.hexes[at] = hex;
        self.count += 1;
    }
    /// Adds a hex if there are not six others yet.
    pub(super) fn add_if_room(&mut self, hex: Hex) {
        if self.count < 6 {
            self.add(hex);
        }
    }
    pub(super) fn as_slice(&self) -> &[Hex] {
        &self.hexes[..self.count]
    }
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }
}

/// A route that a unit could take: its first hex, its end (the same for a retreat of one hex), and its kind.
struct Route {
    first: Hex,
    end: Hex,
    kind: u8,
}

impl RoadsToMoscow {
    // ---- routes (11.3, 11.5) ----

    /// Whether a hex is vacant and in an enemy zone of control: friends in it, but for the unit itself, negate the zone (11.35,
    /// 11.52).
    pub(super) fn is_hot(&self, state: &State, hex: Hex, side: Side, but: Unit) -> bool {
        let mut friends = self.combat_units_at(state, hex, side);
        if but != NOBODY {
            friends.remove(but);
        }
        friends.is_empty() && self.in_zoc(state, hex, self.enemy_of(side))
    }

    /// Whether a retreating unit can go from a hex to the next, away from the Defender hex (11.37, 8.36c, R26, R27).
    pub(super) fn can_fall_back(&self, state: &State, side: Side, from: Hex, to: Hex, target: Hex) -> bool {
        let board = self.board();
        !self.is_unbridged_river(from, to)
            && board.distance(to, target) >= board.distance(from, target)
            && self.is_in_play(to)
            && self.combat_units_at(state, to, self.enemy_of(side)).is_empty()
    }

    /// Whether a unit fits into a hex (3.32); where it stands already it does not count twice.
    pub(super) fn has_room(&self, state: &State, hex: Hex, unit: Unit) -> bool {
        let mut there = self.combat_units_at(state, hex, self.side_of(unit));
        there.remove(unit);
        let points: u8 = there.iter().map(|other| self.stacking_points(other)).sum();
        points + self.stacking_points(unit) <= self.rules().combat.stacking
    }

    /// Shows each route of a unit from the hex where its retreat starts, away from the Defender hex; `passes_zones` tells
    /// whether it may go through a vacant hex in an enemy zone of control.
    fn each_route(
        &self,
        state: &State,
        unit: Unit,
        (start, target): (Hex, Hex),
        (least, most): (u8, u8),
        passes_zones: bool,
        mut show: impl FnMut(Route),
    ) {
        let (board, side) = (self.board(), self.side_of(unit));
        let kind = |end: Hex, first_is_hot: bool| -> Option<u8> {
            if self.is_hot(state, end, side, unit) || self.is_closed_entry(state, side, end) {
                return None;
            }
            let kind = match (first_is_hot, self.has_room(state, end, unit)) {
                (false, true) => FREE,
                (true, true) if passes_zones => THROUGH,
                (false, false) => FULL,
                _ => return None,
            };
            Some(kind + if self.is_far_from_home(state, side, start, end) { FAR } else { 0 })
        };
        for (_, first) in board.neighbours(start) {
            if !self.can_fall_back(state, side, start, first, target) {
                continue;
            }
            let hot = self.is_hot(state, first, side, unit);
            if least <= 1
                && !hot
                && let Some(kind) = kind(first, false)
            {
                show(Route { first, end: first, kind });
            }
            if most < 2 || hot && !passes_zones {
                continue;
            }
            for (_, end) in board.neighbours(first) {
                if board.distance(start, end) == 2
                    && self.can_fall_back(state, side, first, end, target)
                    && let Some(kind) = kind(end, hot)
                {
                    show(Route { first, end, kind });
                }
            }
        }
    }

    /// Whether units could leave a hex two hexes without entering a vacant hex in an enemy zone of control (R22).
    pub fn can_refuse_combat(&self, state: &State, hex: Hex, side: Side) -> bool {
        let Some(unit) = self.combat_units_at(state, hex, side).first() else { return false };
        let mut way = false;
        let distance = self.rules().combat.retreat_mobile;
        self.each_route(state, unit, (hex, hex), distance, false, |_| way = true);
        way
    }

    /// Shows each route of a unit in the combat at hand.
    fn each_own_route(&self, state: &State, unit: Unit, start: Hex, show: impl FnMut(Route)) {
        let battle = &state.combat.battle;
        let passes_zones = self.may_retreat_through_zoc(unit) && battle.kind != Kind::Refusal;
        let distance = self.retreat_distance(battle);
        self.each_route(state, unit, (start, battle.target), distance, passes_zones, show);
    }

    /// The best kind of route a unit has.
    fn best_route(&self, state: &State, unit: Unit, start: Hex) -> u8 {
        let mut best = NONE;
        self.each_own_route(state, unit, start, |route| best = best.min(route.kind));
        best
    }

    // ---- decisions ----

    /// Where the unit at hand may go on; `Pass`: it stops where it is.
    pub(super) fn retreat_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        let battle = &state.combat.battle;
        let unit = battle.walker;
        if unit == NOBODY {
            return Flow::Continue(());
        }
        if !self.is_combat_unit(unit) {
            return battle_ways(&self.refuges(state), out);
        }
        let (mut ways, mut may_stop) = (Ways::default(), false);
        self.each_own_route(state, unit, battle.start, |route| {
            if route.kind != battle.route {
                return;
            }
            match battle.walked {
                0 => ways.add(route.first),
                _ if route.first != battle.via => {}
                _ if route.end == battle.via => may_stop = true,
                _ => ways.add(route.end),
            }
        });
        if may_stop {
            out.offer(Action::Pass)?;
        }
        battle_ways(&ways, out)
    }

    /// Where leaders and fuel may follow units that have retreated from their hex.
    fn refuges(&self, state: &State) -> Ways {
        let mut ways = Ways::default();
        for unit in state.combat.battle.moved {
            ways.add_if_room(state.hex(unit));
        }
        ways
    }

    // ---- the retreat ----

    /// A side's retreat begins, if it must retreat: whoever is in the force, with those that came late (11.36). Rockets go
    /// their own way (16.32).
    pub(super) fn begin_retreat<T: Context<Event>>(&self, state: &mut State, role: Role, context: &mut T) {
        let side = self.side_in(&state.combat.battle, role);
        let force = self.force(state, role);
        let battle = &state.combat.battle;
        let toll = match role {
            Role::Attacker => battle.result.attacker,
            Role::Defender => battle.result.defender,
        };
        let retreats = match (battle.kind, role) {
            (Kind::Refusal, Role::Defender) => true,
            (Kind::Overrun, Role::Attacker) => false, // 8.57
            (_, Role::Defender) => toll.retreats && !battle.firm,
            _ => toll.retreats,
        };
        let late = if role == Role::Defender { battle.late } else { Units::EMPTY };
        let mut moving = if retreats { force.or(&late) } else { Units::EMPTY };
        if toll.eliminated {
            moving = moving.or(&late);
        }
        // 16.31, R36
        let mut rockets = match battle.kind {
            Kind::Attack => {
                let supporting = if role == Role::Attacker { battle.support[0] } else { Units::EMPTY };
                force.or(&late).or(&supporting)
            }
            _ => moving,
        };
        rockets = rockets.filter(|unit| self.is_special_rocket(unit) && self.is_on_map(state, unit));
        moving = moving.difference(&rockets).filter(|unit| self.is_on_map(state, unit));
        let battle = &mut state.combat.battle;
        battle.rockets = battle.rockets.or(&rockets);
        battle.moving = moving;
        battle.moved = Units::EMPTY;
        battle.role = role;
        battle.stage = Stage::Retreat;
        battle.asked = if battle.kind == Kind::Overrun { battle.attacker } else { side };
        battle.walker = NOBODY;
        if let Some(first) = moving.first() {
            battle.start = state.places_of(first);
        }
        self.next_to_retreat(state, context);
    }

    /// Takes the next unit that has a way, from the same hex if there is any left, and eliminates those that have none; at the
    /// end the other side's turn comes.
    pub(super) fn next_to_retreat<T: Context<Event>>(&self, state: &mut State, context: &mut T) {
        loop {
            let battle = &state.combat.battle;
            let (start, side) = (battle.start, self.side_in(battle, battle.role));
            if let Some(unit) = battle.moving.iter().find(|&unit| state.hex(unit) == start) {
                state.combat.battle.moving.remove(unit);
                let route = self.best_route(state, unit, start);
                if route == NONE {
                    self.perish(state, unit, context);
                    continue;
                }
                let battle = &mut state.combat.battle;
                (battle.walker, battle.walked, battle.route) = (unit, 0, route);
                battle.stage = Stage::Retreat;
                return;
            }
            if let Some(unit) = self.follower(state, side) {
                let battle = &mut state.combat.battle;
                (battle.walker, battle.walked) = (unit, 0);
                battle.stage = Stage::Retreat;
                return;
            }
            if self.next_group(state) {
                return;
            }
            self.routed(state);
            let battle = &mut state.combat.battle;
            (battle.moved, battle.walker) = (Units::EMPTY, NOBODY);
            if let Some(next) = battle.moving.first() {
                battle.start = state.places_of(next);
                continue;
            }
            return self.retreat_ends(state, context);
        }
    }

    /// A leader or fuel unit left without troops in the hex at hand, if any of these have got away (15.33, 16.22).
    fn follower(&self, state: &State, side: Side) -> Option<Unit> {
        let battle = &state.combat.battle;
        if battle.moved.is_empty() || !self.combat_units_at(state, battle.start, side).is_empty() {
            return None;
        }
        let stays = |unit: Unit| battle.kind == Kind::Overrun && self.is_fuel(unit);
        self.others_at(state, battle.start, side).iter().find(|&unit| !stays(unit))
    }

    /// Units that an overrun has driven off are disorganised, their artillery has fired (8.56g).
    fn routed(&self, state: &mut State) {
        let battle = state.combat.battle;
        if battle.kind != Kind::Overrun || battle.role != Role::Defender {
            return;
        }
        for unit in battle.moved {
            self.disorganise(state, unit);
            if self.is_artillery(unit) {
                state.set_fired(unit, true);
            }
        }
    }

    /// The unit at hand goes one hex, or stops.
    pub(super) fn walk_back<T: Context<Event>>(&self, state: &mut State, to: Option<Hex>, context: &mut T) {
        let battle = state.combat.battle;
        let (unit, side) = (battle.walker, self.side_in(&battle, battle.role));
        if let Some(to) = to {
            if battle.walked == 0 && self.is_combat_unit(unit) {
                let hot = self.is_hot(state, to, side, unit);
                if hot && let Some(way) = self.board().direction(battle.start, to) {
                    state.combat.battle.through[way as usize].insert(unit);
                }
            }
            self.relocate(state, unit, to, context);
            let (_, most) = self.retreat_distance(&battle);
            let battle = &mut state.combat.battle;
            battle.via = to;
            battle.walked += 1;
            if self.is_combat_unit(unit) && battle.walked < most {
                return;
            }
        }
        self.stops(state, unit, context);
    }

    /// A unit has come to the end of its retreat.
    pub(super) fn stops<T: Context<Event>>(&self, state: &mut State, unit: Unit, context: &mut T) {
        let hex = state.hex(unit);
        let from = state.combat.battle.start;
        context.emit(|| Event::Retreated { unit, from, to: hex });
        if self.is_combat_unit(unit) {
            state.combat.battle.moved.insert(unit);
            self.joins_defence(state, unit);
        }
        state.combat.battle.walker = NOBODY;
        if !self.excess(state).is_empty() {
            let battle = &mut state.combat.battle;
            battle.stage = Stage::Excess;
            battle.via = hex;
            return;
        }
        self.next_to_retreat(state, context);
    }

    /// A unit that ends its retreat in a Defender hex whose combat is still to come only suffers it (11.36).
    pub(super) fn joins_defence(&self, state: &mut State, unit: Unit) {
        let hex = state.hex(unit);
        let attacked = state.combat.declared().iter().any(|attack| {
            attack.status == AttackStatus::Declared && attack.target == hex
        });
        if attacked && self.side_of(unit) != state.combat.battle.attacker {
            state.combat.late.insert(unit);
        }
    }

    /// Retreating units of which one must go, if the hex last entered holds too much (11.34).
    pub(super) fn excess(&self, state: &State) -> Units {
        let battle = &state.combat.battle;
        let side = self.side_in(battle, battle.role);
        let hex = battle.via;
        let there = self.combat_units_at(state, hex, side);
        let points: u8 = there.iter().map(|unit| self.stacking_points(unit)).sum();
        if points <= self.rules().combat.stacking {
            return Units::EMPTY;
        }
        battle.moved.filter(|unit| there.contains(unit) && self.stacking_points(unit) > 0)
    }

    // ---- through enemy zones of control (11.56) ----

    /// Takes up the next group that has gone one way through an enemy zone of control.
    fn next_group(&self, state: &mut State) -> bool {
        let battle = state.combat.battle;
        let side = self.side_in(&battle, battle.role);
        for (way, units) in battle.through.iter().enumerate() {
            let Some(first) = units.first() else { continue };
            let hex = state.hex(first);
            let group = units.filter(|unit| state.hex(unit) == hex);
            let via = self.board().neighbour(battle.start, Direction::ALL[way]).unwrap_or(battle.start);
            let pursued =
                group.iter().any(|unit| self.is_red_box(unit)) && self.red_box_in_zoc(state, via, self.enemy_of(side));
            let battle = &mut state.combat.battle;
            battle.through[way] = units.difference(&group);
            battle.group = group;
            battle.stage = if pursued { Stage::Pursuit } else { Stage::GroupLead };
            battle.asked = side;
            return true;
        }
        false
    }

    /// Units of the group that may be its lead: one of each efficiency and strength.
    pub(super) fn group_leads(&self, state: &State) -> Units {
        state.combat.battle.group
    }

    /// The group is checked by its lead, who loses a step if it fails (11.56b, c).
    pub(super) fn check_group<T: Context<Event>>(&self, state: &mut State, lead: Unit, context: &mut T) {
        if !self.check_er(state, lead, 0, context) {
            self.bear_step(state, lead, context);
        }
        self.group_done(state, context);
    }

    /// The group has been dealt with.
    pub(super) fn group_done<T: Context<Event>>(&self, state: &mut State, context: &mut T) {
        let battle = &mut state.combat.battle;
        battle.group = Units::EMPTY;
        if battle.kind == Kind::Overrun {
            battle.asked = battle.attacker;
        }
        self.next_to_retreat(state, context);
    }
}

/// Offers hexes to retreat to.
pub(super) fn battle_ways(ways: &Ways, out: &mut impl ActionSink<Action>) -> Flow {
    ways.as_slice().iter().try_for_each(|&hex| out.offer(Action::Retreat(hex)))
}
