//! Retreats after combat, in overruns and refusals (11.3, 11.5, 8.56g, 9.22).
//!
//! Units go one at a time, hex by hex. All that leave one hex go before the next hex's; then leaders and fuel that stood with
//! them follow where they will, and those that took the same way through an enemy zone of control are checked as one group.
//!
//! What a unit may do is found from the routes it has, of which the best kind alone is allowed: those free of enemy zones with
//! room at their end; those through one vacant enemy zone, for who may (11.51 to 11.54); those whose end is full, where units
//! are eliminated (11.34, R89). Who has none is eliminated.

use sandtable_core::{ActionSink, Direction, Flow, Hex};

use crate::Rolls;
use crate::action::Action;
use crate::battle::{Occasion, Role};
use crate::event::{Cause, Check, Event};
use crate::game::RoadsToMoscow;
use crate::ids::{Hexes, Player, UnitId, Units};
use crate::phase::Phase;
use crate::rules::{Crt, Water};
use crate::state::{Mark, State, is_hex};

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

/// A route that a unit could take: its first hex, its end (the same for a retreat of one hex), and its kind.
struct Route {
    first: Hex,
    end: Hex,
    kind: u8,
}

/// The way that retreats are measured by.
#[derive(Clone, Copy)]
struct Terms {
    /// Where the unit starts.
    start: Hex,
    /// The Defender hex.
    target: Hex,
    /// Hexes, least and most (11.31).
    distance: (u8, u8),
    /// Whether the unit may go through a vacant enemy zone (11.53, 11.54).
    passes_zones: bool,
}

impl RoadsToMoscow {
    // ---- routes (11.3, 11.5) ----

    /// Whether a hex is vacant and in an enemy zone: friends in it, but for the unit itself, negate the zone (11.35, 11.52).
    pub(super) fn is_hot(&self, state: &State, hex: Hex, player: Player, but: UnitId) -> bool {
        if !self.in_zoc(state, hex, player.enemy()) {
            return false;
        }
        !state.occupied[player.index()].contains(hex)
            || state.at(but) == hex && self.combat_units(state, hex, player) == Units::one(but)
    }

    /// Whether a retreat can lead from a hex to the next, away from the Defender hex (11.37, 8.36c, R26, R27).
    pub(super) fn can_fall_back(
        &self,
        state: &State,
        player: Player,
        from: Hex,
        way: Direction,
        target: Hex,
    ) -> bool {
        let to = self.neighbour(from, way);
        is_hex(to)
            && self.side(from, way).unbridged() != Water::River
            && !state.occupied[player.enemy().index()].contains(to)
            && self.distance(to, target) >= self.distance(from, target)
    }

    /// Whether a unit fits into a hex (3.32).
    pub(super) fn has_room(&self, state: &State, hex: Hex, unit: UnitId) -> bool {
        let there = state.stack(hex).and(self.units_of(self.player(unit)));
        self.stacking(&there.or(&Units::one(unit))) <= self.rules.numbers.stacking
    }

    /// 19.44e: whether an end lies farther from home than the start, for who must mind it.
    fn is_far(&self, state: &State, player: Player, start: Hex, end: Hex) -> bool {
        self.rules.scenario.retreat_direction.is_some_and(|rule| {
            rule.player == player
                && state.turn <= rule.until
                && start.line() + 1 >= rule.from_column
                && self.distance(end, rule.towards) > self.distance(start, rule.towards)
        })
    }

    /// Shows each route of a unit.
    fn each_route(&self, state: &State, unit: UnitId, terms: Terms, mut show: impl FnMut(Route)) {
        let Terms { start, target, distance: (least, most), passes_zones } = terms;
        let player = self.player(unit);
        let kind = |end: Hex, first_is_hot: bool| -> Option<u8> {
            if self.is_hot(state, end, player, unit) || self.is_protected(state, end, player) {
                return None;
            }
            let kind = match (first_is_hot, self.has_room(state, end, unit)) {
                (false, true) => FREE,
                (true, true) => THROUGH,
                (false, false) => FULL,
                (true, false) => return None,
            };
            Some(kind + if self.is_far(state, player, start, end) { FAR } else { 0 })
        };
        for way in Direction::ALL {
            if !self.can_fall_back(state, player, start, way, target) {
                continue;
            }
            let first = self.neighbour(start, way);
            let hot = self.is_hot(state, first, player, unit);
            if least == 1
                && !hot
                && let Some(kind) = kind(first, false)
            {
                show(Route { first, end: first, kind });
            }
            if most < 2 || hot && !passes_zones {
                continue;
            }
            for way in Direction::ALL {
                let end = self.neighbour(first, way);
                if is_hex(end)
                    && self.distance(start, end) == 2
                    && self.can_fall_back(state, player, first, way, target)
                    && let Some(kind) = kind(end, hot)
                {
                    show(Route { first, end, kind });
                }
            }
        }
    }

    /// Hexes of the retreat at hand, least and most (11.31).
    fn retreat_distance(state: &State) -> (u8, u8) {
        match (state.battle.occasion, state.battle.crt) {
            (Occasion::Declared, Crt::Assault) => (1, 2),
            _ => (2, 2),
        }
    }

    /// Shows each route of a unit in the retreat at hand.
    fn each_own_route(&self, state: &State, unit: UnitId, show: impl FnMut(Route)) {
        let terms = Terms {
            start: state.battle.start,
            target: state.battle.target,
            distance: Self::retreat_distance(state),
            passes_zones: self.sets().retreats_through_zoc.contains(unit)
                && state.battle.occasion != Occasion::Refusal,
        };
        self.each_route(state, unit, terms, show);
    }

    /// Whether all units of a hex could retreat as a refusal asks: two hexes, none a vacant enemy zone (R22).
    pub(crate) fn could_refuse(&self, state: &State, units: &Units, from: Hex) -> bool {
        let terms = Terms { start: from, target: from, distance: (2, 2), passes_zones: false };
        units.and(&self.sets().combat).iter().all(|unit| {
            let mut way = false;
            self.each_route(state, unit, terms, |route| way |= route.kind < FULL);
            way
        })
    }

    // ---- decisions ----

    /// Where the unit at hand may go on; Pass: it stops where it is.
    pub(super) fn retreat_actions(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        let battle = &state.battle;
        let unit = battle.walker;
        if unit.is_none() {
            return Flow::Continue(());
        }
        let (mut ways, mut may_stop) = (Hexes::EMPTY, false);
        if self.sets().combat.contains(unit) {
            self.each_own_route(state, unit, |route| {
                if route.kind != battle.route {
                    return;
                }
                match battle.gone {
                    0 => ways.insert(route.first),
                    _ if route.first != battle.via => {}
                    _ if route.end == battle.via => may_stop = true,
                    _ => ways.insert(route.end),
                }
            });
        } else {
            // Leaders and fuel follow who has retreated from their hex (15.33, 16.22).
            ways = battle.moved.iter().map(|other| state.at(other)).collect();
        }
        if may_stop {
            out.offer(Action::Pass)?;
        }
        out.all([ways], |_, hex| Action::Go(hex))
    }

    // ---- the retreat ----

    /// Units of a hex retreat because they refuse combat (9.23a): two hexes, no vacant zone of control (R22).
    pub(crate) fn begin_refusal_retreat(
        &self,
        state: &mut State,
        units: &Units,
        from: Hex,
        context: &mut impl Rolls,
    ) {
        let Some(attack) = state.attack_on(from).map(|at| state.attacks[at]) else {
            return self.refusal_over(state);
        };
        state.battle = crate::battle::Battle {
            occasion: Occasion::Refusal,
            target: from,
            crt: attack.crt,
            attackers: attack.attackers,
            defenders: units.and(&self.sets().combat),
            ..crate::battle::Battle::NONE
        };
        self.begin_retreat(state, Role::Defender, context);
    }

    /// A side's retreat begins, if it must retreat: whoever is in its force, and who came late (11.36). Rockets go their own way
    /// (16.32).
    pub(super) fn begin_retreat(&self, state: &mut State, role: Role, context: &mut impl Rolls) {
        let force = self.force(state, role);
        let battle = &state.battle;
        let (loss, late) = match role {
            Role::Attacker => (battle.result.attacker, Units::EMPTY),
            Role::Defender => (battle.result.defender, battle.late),
        };
        let retreats = match (battle.occasion, role) {
            (Occasion::Refusal, _) => true,
            (Occasion::Overrun, Role::Attacker) => false, // 8.57
            (_, Role::Defender) => loss.retreat && !battle.stays,
            _ => loss.retreat,
        };
        let mut moving = if retreats { force.or(&late) } else { Units::EMPTY };
        if loss.eliminated {
            moving = moving.or(&late); // they lose no steps (11.36), but the hex is lost
        }
        // 16.31, R36: who supports an attack, or is in a hex of the combat; in an overrun who must retreat.
        let rockets = match (battle.occasion, role) {
            (Occasion::Declared, Role::Attacker) => force.or(&battle.support[0]),
            (Occasion::Declared, Role::Defender) => force.or(&late),
            _ => moving,
        };
        let rockets = rockets.and(&self.sets().rockets).and(self.units_of(Player::Soviet)).and(&state.on_map);
        moving = moving.difference(&rockets);
        let battle = &mut state.battle;
        battle.rockets = battle.rockets.or(&rockets);
        battle.moving = moving;
        battle.moved = Units::EMPTY;
        battle.role = role;
        battle.walker = UnitId::NONE;
        if let Some(first) = moving.first() {
            battle.start = state.places.of(first);
        }
        self.next_to_retreat(state, context);
    }

    /// Who moves the units that retreat: their owner, in an overrun the attacker (8.56g).
    fn retreat_decider(&self, state: &State) -> Player {
        match state.battle.occasion {
            Occasion::Overrun => state.active,
            _ => self.combatant(state, state.battle.role),
        }
    }

    fn set_walker(&self, state: &mut State, unit: UnitId, route: u8) {
        let battle = &mut state.battle;
        (battle.walker, battle.gone, battle.route) = (unit, 0, route);
        state.phase = Phase::Retreat;
        state.decider = self.retreat_decider(state);
    }

    /// Takes the next unit that has a way, from the same hex if there is any left, and eliminates those that have none; at the
    /// end the other side's turn comes.
    pub(super) fn next_to_retreat(&self, state: &mut State, context: &mut impl Rolls) {
        loop {
            let start = state.battle.start;
            let next = state.battle.moving.iter().find(|&unit| state.at(unit) == start);
            if let Some(unit) = next {
                state.battle.moving.remove(unit);
                let mut best = NONE;
                self.each_own_route(state, unit, |route| best = best.min(route.kind));
                if best == NONE {
                    self.perish(state, unit, Cause::Retreat, context);
                    continue;
                }
                return self.set_walker(state, unit, best);
            }
            if let Some(unit) = self.follower(state) {
                return self.set_walker(state, unit, NONE);
            }
            if self.next_group(state) {
                return;
            }
            let moved = state.battle.moved;
            self.rout(state, &moved, context);
            let battle = &mut state.battle;
            (battle.moved, battle.walker) = (Units::EMPTY, UnitId::NONE);
            let Some(next) = battle.moving.first() else { return self.retreat_ends(state, context) };
            battle.start = state.places.of(next);
        }
    }

    /// A leader or fuel unit left without troops in the hex at hand, if any of these have got away (15.33); fuel stays in an
    /// overrun (16.22).
    fn follower(&self, state: &State) -> Option<UnitId> {
        let (battle, sets) = (&state.battle, self.sets());
        let player = self.combatant(state, battle.role);
        if battle.moved.is_empty() || state.occupied[player.index()].contains(battle.start) {
            return None;
        }
        let helpers = state.stack(battle.start).and(self.units_of(player)).difference(&sets.combat);
        let stay = if battle.occasion == Occasion::Overrun { sets.fuel } else { Units::EMPTY };
        helpers.difference(&stay).first()
    }

    /// Units that an overrun has driven off are disorganised, their artillery has fired (8.56g).
    pub(super) fn rout(&self, state: &mut State, units: &Units, context: &mut impl Rolls) {
        if state.battle.occasion == Occasion::Overrun {
            self.disorganise(state, units, context);
            for unit in units.and(&self.sets().artillery) {
                state.mark(unit, Mark::Fired);
            }
        }
    }

    /// The unit at hand goes one hex, or stops.
    pub(super) fn walk_back(&self, state: &mut State, to: Option<Hex>, context: &mut impl Rolls) {
        let unit = state.battle.walker;
        let player = self.player(unit);
        if let Some(to) = to {
            let first = state.battle.gone == 0 && self.sets().combat.contains(unit);
            let from = state.at(unit);
            if first
                && self.is_hot(state, to, player, unit)
                && let Some(way) = self.board().direction(from, to)
            {
                state.battle.through[way as usize].insert(unit);
            }
            self.put(state, unit, to, context);
            state.battle.via = to;
            state.battle.gone += 1;
            if first {
                return; // whether it goes on is asked next
            }
        }
        self.stop_retreat(state, unit, context);
    }

    /// The unit at hand has come to the end of its retreat.
    pub(super) fn stop_retreat(&self, state: &mut State, unit: UnitId, context: &mut impl Rolls) {
        let (from, to) = (state.battle.start, state.at(unit));
        context.emit(|| Event::Retreated { unit, from, to });
        if self.sets().combat.contains(unit) {
            state.battle.moved.insert(unit);
        }
        self.stands_anew(state, unit, to);
        state.battle.walker = UnitId::NONE;
        state.battle.via = to;
        if self.excess(state).is_empty() {
            return self.next_to_retreat(state, context);
        }
        state.phase = Phase::Excess;
        state.decider = self.combatant(state, state.battle.role); // the owner
    }

    /// A unit stands in a hex after its retreat. In a Defender hex whose combat is still to come it only suffers that (11.36); a
    /// No-Retreat marker goes, since the unit has entered and stays (9.45).
    pub(super) fn stands_anew(&self, state: &mut State, unit: UnitId, hex: Hex) {
        let defends = self.player(unit) != state.active && self.sets().combat.contains(unit);
        if defends && state.attack_on(hex).is_some_and(|_| hex != state.battle.target) {
            state.mark(unit, Mark::Retreated);
        }
        state.no_retreat.remove(hex);
    }

    /// Retreating units of which one must go, if the hex last entered holds too much (11.34).
    pub(super) fn excess(&self, state: &State) -> Units {
        let battle = &state.battle;
        let there = state.stack(battle.via).and(self.units_of(self.combatant(state, battle.role)));
        if self.stacking(&there) <= self.rules.numbers.stacking {
            return Units::EMPTY;
        }
        battle.moved.and(&there).filter(|unit| self.unit(unit).stacking > 0)
    }

    // ---- through enemy zones of control (11.56) ----

    /// Takes up the next group that has gone one way through an enemy zone of control.
    fn next_group(&self, state: &mut State) -> bool {
        let player = self.combatant(state, state.battle.role);
        for way in Direction::ALL {
            let units = state.battle.through[way as usize];
            let Some(first) = units.first() else { continue };
            let end = state.at(first);
            let group = units.filter(|unit| state.at(unit) == end);
            let via = self.neighbour(state.battle.start, way);
            let pursued =
                group.intersects(&self.sets().red) && self.red_boxes_project(state, via, player.enemy());
            state.battle.through[way as usize] = units.difference(&group);
            state.battle.group = group;
            state.phase = if pursued { Phase::MotorisedAdvantage } else { Phase::GroupLead };
            state.decider = player;
            return true;
        }
        false
    }

    /// Whether red-box units of a player project their zone of control into a hex (11.56d).
    fn red_boxes_project(&self, state: &State, hex: Hex, player: Player) -> bool {
        let red = self.sets().red.and(&self.sets().combat).and(self.units_of(player));
        self.projecting_into(state, hex, player).any(|from| {
            let open_river =
                self.board().direction(from, hex).is_some_and(|way| self.side(from, way).is_open_river());
            let here = state.stack(from).and(&red);
            !here.is_empty() && (!open_river || here.intersects(&self.sets().river_zoc))
        })
    }

    /// The group is checked by its lead, without command points; the lead loses a step if it fails (11.56b, c).
    pub(super) fn check_group(&self, state: &mut State, lead: UnitId, context: &mut impl Rolls) {
        if !self.check_efficiency(state, Check::Retreat, lead, 0, context) {
            self.bear(state, lead, Cause::Retreat, context);
        }
        state.battle.group = Units::EMPTY;
        self.next_to_retreat(state, context);
    }
}
