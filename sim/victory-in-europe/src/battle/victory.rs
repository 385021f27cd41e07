//! After a battle: the winner regroups, or his leader exploits (5.61, 5.8, 7.4, 7.6).

use super::retreat::Exits;
use crate::Rolls;
use crate::action::Action;
use crate::event::{self, Event};
use crate::game::VictoryInEurope;
use crate::phase::Pending;
use crate::place::{Place, UnitId};
use crate::rules::{Areas, Arm, Kind};
use crate::state::{Battle, Stage, State, mark};
use sandtable_core::Index;

impl VictoryInEurope {
    /// The losers have left: the place is disputed no more, the battle is reported, the winner may regroup.
    pub(super) fn conclude(&self, state: &mut State, context: &mut impl Rolls) {
        let Battle { place, winner, opener, attacker, armies, .. } = state.battle;
        for team in 0..2 {
            match place.sea_zone() {
                Some(sea) => state.sea_attacked[team] &= !(1 << sea),
                None => state.attacked[team].remove(place),
            }
        }
        let mut next = state.places.first(place);
        while let Some(unit) = next {
            next = state.places.next(unit);
            state.set_mark(unit, mark::INVADES, false);
            state.set_jumped(unit, false);
            // Aircraft that have fought may land elsewhere (6.22).
            state.set_mark(unit, mark::ACTED, self.arm(unit) == Arm::Air);
            if !self.rules.options.blocks_stay_known {
                state.set_mark(unit, mark::KNOWN, false);
            }
        }
        let won = winner == opener
            && match place.sea_zone() {
                Some(_) => self.has_ships(state, opener),
                None => self.holds_ground(state, opener),
            };
        let winter = self.winter_at(state, place);
        let battle = &state.battle;
        context.emit(|| {
            Event::BattleEnds(event::Battle {
                place,
                attacker: opener,
                rounds: battle.round,
                units: battle.units,
                steps: battle.steps,
                dice: battle.dice,
                hits: battle.scored,
                lost: battle.lost,
                won,
                exploitation: battle.exploitation,
                winter,
            })
        });
        // Who has only outlasted a raid by aircraft and ships does not regroup.
        let beaten = winner == attacker || !place.is_area() || armies[winner.other().index()];
        state.battle.next = if beaten { UnitId(0) } else { UnitId::NONE };
        state.battle.stage = Stage::Regrouping;
        self.open_borders(state);
    }

    // ---- regroup (5.8) ----

    /// Units of the winner that may still choose.
    fn victors(&self, state: &State) -> impl Iterator<Item = UnitId> {
        let Battle { place, winner, next, .. } = state.battle;
        self.units_at(state, place, winner).filter(move |&unit| unit >= next)
    }
    /// A unit of the winner that has a choice after the battle, if any.
    pub(super) fn first_to_regroup(&self, state: &State) -> Option<UnitId> {
        self.victors(state)
            .find(|&unit| !self.ways_to_regroup(state, unit).is_empty())
            .or_else(|| self.exploiting_leader(state))
    }
    pub(super) fn regroupings(&self, state: &State, out: &mut Vec<Action>) {
        out.push(Action::Pass);
        if self.exploiting_leader(state).is_some() {
            out.push(Action::Exploit);
        }
        for unit in self.victors(state) {
            let ways = self.ways_to_regroup(state, unit).places();
            out.extend(ways.map(|(to, _)| Action::Move(unit, to)));
        }
    }
    /// Armies: friendly or empty neighbours within the border limits, and friendly ports over friendly seas; ships: as in a
    /// retreat.
    fn ways_to_regroup(&self, state: &State, unit: UnitId) -> Exits {
        let place = state.battle.place;
        match self.arm(unit) {
            Arm::Army if self.kind(unit) != Kind::Fortress => {
                let ground = self.ground(state, self.nation(state, unit));
                let empty = ground.enemy.iter().filter(|&to| self.is_empty_enemy(state, to)).collect();
                let near = self.adjacent(place).and(&ground.friendly.or(&empty));
                let ways: Areas = near
                    .iter()
                    .filter(|&to| self.crosses(state, unit, to) && self.has_room(state, unit, to, 0))
                    .collect();
                Exits::to_areas(ways.or(&self.ways_by_sea(state, unit)))
            }
            Arm::Naval => self.ways_of_ships(state, unit, 0),
            _ => Exits::default(),
        }
    }
    fn is_empty_enemy(&self, state: &State, area: Place) -> bool {
        state.is_vacant(area) && !self.rules.areas[area.at()].safe
    }
    pub(super) fn regroup(&self, state: &mut State, unit: UnitId, to: Place, context: &mut impl Rolls) {
        let way = self.ways_to_regroup(state, unit).places().find(|&(place, _)| place == to);
        let Some((_, coast)) = way else { return };
        self.depart(state, unit, to, coast, context);
        if self.arm(unit) == Arm::Army {
            self.take_area(state, to, self.nation(state, unit), context);
        }
        state.battle.next = UnitId(unit.0 + 1);
    }

    // ---- exploitation (5.61) ----

    /// The leader who may open an exploitation: before anybody regroups, and if somebody can go anywhere.
    pub(crate) fn exploiting_leader(&self, state: &State) -> Option<UnitId> {
        let Battle { next, place, winner, .. } = state.battle;
        if next != UnitId(0) || !place.is_area() {
            return None;
        }
        let leader = self.leader_of(state, winner)?;
        self.victors(state).any(|unit| !self.ways_to_exploit(state, unit).is_empty()).then_some(leader)
    }
    pub(super) fn begin_exploitation(&self, state: &mut State, context: &mut impl Rolls) {
        if let Some(leader) = self.exploiting_leader(state) {
            self.lead(state, leader, context);
            state.battle.leader = leader;
            state.battle.stage = Stage::Exploiting;
        }
    }
    pub(super) fn exploitations(&self, state: &State, out: &mut Vec<Action>) {
        out.push(Action::Pass);
        for unit in self.victors(state) {
            let ways = self.ways_to_exploit(state, unit);
            out.extend(ways.iter().map(|to| Action::Move(unit, to)));
        }
    }
    /// Neighbours that a victorious unit may enter: friendly or empty ones, those of one new battle or one disputed area
    /// where its own force fights, and neutral ones on which war may be declared (10.1).
    fn ways_to_exploit(&self, state: &State, unit: UnitId) -> Areas {
        let Battle { place, goal, winner, .. } = state.battle;
        if self.arm(unit) != Arm::Army || self.kind(unit) == Kind::Fortress {
            return Areas::EMPTY;
        }
        let nation = self.nation(state, unit);
        let ground = self.ground(state, nation);
        let may_enter = |&to: &Place| {
            let is_goal = goal == Place::NONE || goal == to;
            let allowed = if ground.friendly.contains(to) {
                true
            } else if ground.enemy.contains(to) {
                !self.rules.areas[to.at()].safe && (is_goal || state.is_vacant(to))
            } else if ground.disputed.contains(to) {
                is_goal
                    && self.is_present(state, to, winner)
                    && self.concerns(state, unit, to)
                    && !self.strangers_at(state, unit, to)
            } else {
                goal == Place::NONE && self.may_declare_war(state, nation, to)
            };
            allowed && self.crosses(state, unit, to) && self.has_room(state, unit, to, 0)
        };
        self.adjacent(place).iter().filter(may_enter).collect()
    }
    /// A unit moves in the exploitation; entering a neutral area declares war first.
    pub(super) fn exploit(&self, state: &mut State, unit: UnitId, to: Place, context: &mut impl Rolls) {
        state.battle.next = UnitId(unit.0 + 1);
        let nation = self.nation(state, unit);
        let ground = self.ground(state, nation);
        if ground.friendly.contains(to) || ground.enemy.contains(to) || ground.disputed.contains(to) {
            return self.advance_into(state, unit, to, context);
        }
        state.battle.entering = (unit, to);
        state.pending = Pending::None;
        self.declare_war(state, nation, to, context);
        if !matches!(state.pending, Pending::Neutral { .. }) {
            self.enter_neutral(state, context);
        }
    }
    /// War is declared and the neutral's units are placed: the unit goes in.
    pub(super) fn enter_neutral(&self, state: &mut State, context: &mut impl Rolls) {
        let (unit, to) = std::mem::replace(&mut state.battle.entering, (UnitId::NONE, Place::NONE));
        if self.ways_to_exploit(state, unit).contains(to) {
            self.advance_into(state, unit, to, context);
        }
    }
    fn advance_into(&self, state: &mut State, unit: UnitId, to: Place, context: &mut impl Rolls) {
        let from = state.location(unit);
        let nation = self.nation(state, unit);
        let winner = state.battle.winner;
        let ground = self.ground(state, nation);
        self.depart(state, unit, to, 0, context);
        state.via[unit.at()] = from;
        if ground.disputed.contains(to) {
            let started_it = state.battle.goal == to && state.battle.new_goal;
            state.set_mark(unit, mark::REINFORCES, !started_it);
            state.battle.goal = to;
        } else if ground.enemy.contains(to) && self.is_present(state, to, winner.other()) {
            (state.battle.goal, state.battle.new_goal) = (to, true);
            state.attacked[winner.index()].insert(to);
        } else {
            // An empty area, or one that the Pact leaves to the Soviets (13).
            self.take_area(state, to, nation, context);
        }
    }

    /// Nothing is left to do at the place: the battle of the exploitation follows at once, or the next one is chosen.
    pub(super) fn leave_battle(&self, state: &mut State, context: &mut impl Rolls) {
        let Battle { goal, led, .. } = state.battle;
        if goal == Place::NONE {
            state.battle = Battle { led, ..Battle::default() };
            state.pending = Pending::None;
            state.active = state.movers;
        } else {
            self.begin_battle(state, goal, context);
        }
    }
}
