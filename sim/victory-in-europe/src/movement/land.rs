//! Armies on the march, area by area, and paratroops in the air (4.1, 4.2, 4.6, 3.41, 2.6).

use super::menu::Places;
use super::outlook::{Bearings, Outlook};
use crate::Rolls;
use crate::board::Relation;
use crate::game::VictoryInEurope;
use crate::phase::Pending;
use crate::place::{Place, UnitId};
use crate::rules::{Areas, Arm, BorderKind, Kind, Standing};
use crate::state::{State, Waiting, mark};
use sandtable_core::Index;

/// What entering an area is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Step {
    /// Into a friendly area.
    Friendly,
    /// Into an area of others that nobody defends: it changes hands (4.1).
    Taking,
    /// Into a battle.
    Battle,
    /// Into a neutral area: war is declared first (10.2).
    War,
}

/// Most units a border's counter tells apart.
const COUNTED: u8 = 15;

impl VictoryInEurope {
    /// Movement points of an army: one area in winter (3.41) and in mud.
    pub(super) fn army_points(&self, state: &State, unit: UnitId) -> u8 {
        if self.arm(unit) != Arm::Army {
            return 0;
        }
        let place = state.location(unit);
        if self.winter_at(state, place) || self.is_muddy(state, self.team(state, unit), place) {
            return self.unit_type(unit).moves.min(1);
        }
        self.unit_type(unit).moves + self.event_moves(state, unit)
    }

    /// What it is for an army to go from one area to a neighbour: `None` = it may not. `first` = it has not moved yet: a
    /// winter region is entered with the first step alone (3.41).
    pub(super) fn step(
        &self,
        state: &State,
        bearings: &Bearings,
        from: Place,
        to: Place,
        first: bool,
    ) -> Option<Step> {
        if !self.adjacent(from).contains(to) || !first && self.winter_at(state, to) {
            return None;
        }
        let step = self.entry(state, bearings, to)?;
        self.border_is_free(state, bearings.unit, from, to, step).then_some(step)
    }

    /// What it is for an army to come into an area, over whatever border, if its force can pay for a battle there.
    pub(super) fn entry(&self, state: &State, bearings: &Bearings, to: Place) -> Option<Step> {
        let step = self.entry_kind(state, bearings, to)?;
        let unit = bearings.unit;
        let pays = match step {
            Step::Friendly | Step::Taking => true,
            Step::Battle => self.battle_price(state, unit, to).is_some(),
            Step::War => {
                state.command_of(self.commander(state, unit)) >= self.rules.charts.battle_cm
                    || !self.will_be_defended(state, to)
                    || self.occupies_freely(state, bearings.nation, to)
            }
        };
        pays.then_some(step)
    }

    /// The same, whatever it costs.
    pub(super) fn entry_kind(&self, state: &State, bearings: &Bearings, to: Place) -> Option<Step> {
        let ground = &bearings.ground;
        if bearings.strangers_in(state, to) && !self.stands_guard(state, to) {
            return None;
        }
        if ground.friendly.contains(to) {
            return Some(Step::Friendly);
        }
        if self.rules.areas[to.at()].safe {
            return None;
        }
        if ground.enemy.contains(to)
            || ground.disputed.contains(to) && self.concerns(state, bearings.unit, to)
        {
            return Some(if self.is_contested(state, bearings, to) { Step::Battle } else { Step::Taking });
        }
        (!ground.disputed.contains(to) && self.may_declare_war(state, bearings.nation, to))
            .then_some(Step::War)
    }

    /// Whether all units at an area are of its controller's side, which has forces in the field: a declaration of war makes
    /// enemies of them with their area (10.1, 13).
    fn stands_guard(&self, state: &State, area: Place) -> bool {
        let holder = state.controller(area);
        let bloc = self.bloc(state, holder);
        state.politics.standing(holder) != Standing::Neutral
            && state.stack(area).all(|unit| self.bloc_of(state, unit) == bloc)
    }

    /// Whether the battle at a disputed area is one of a unit's own war.
    pub(crate) fn concerns(&self, state: &State, unit: UnitId, area: Place) -> bool {
        let own = self.bloc_of(state, unit);
        let its = self.bloc(state, state.controller(area));
        own == its || self.at_war(state, own, its)
    }

    /// Whether enemy units are at an area that an army enters, or friends to be reinforced: a factory alone defends nothing
    /// (4.3, 11.33).
    fn is_contested(&self, state: &State, bearings: &Bearings, area: Place) -> bool {
        let team = self.team(state, bearings.unit);
        bearings.enemies_at(state, area) || self.has_attacked(state, team.other(), area)
    }

    /// Whether units stand in a neutral area or will be placed in its country.
    fn will_be_defended(&self, state: &State, area: Place) -> bool {
        let nation = state.controller(area);
        !state.is_vacant(area)
            || !nation.is_major()
                && self.tables.units.of_nation[nation.index()]
                    .iter()
                    .any(|unit| state.location(unit) == Place::POOL)
    }

    /// Whether a border takes one more unit: limits hold into and out of battles (4.6), not for leaders (5.6); nobody leaves
    /// a battle over a border the enemy came by (4.3).
    pub(super) fn border_is_free(
        &self,
        state: &State,
        unit: UnitId,
        from: Place,
        to: Place,
        step: Step,
    ) -> bool {
        let leaves = state.disputed().contains(from);
        if leaves && self.enemy_entries(state, unit).0.contains(to) {
            return false;
        }
        if !leaves && step != Step::Battle || self.kind(unit) == Kind::Leader {
            return true;
        }
        let limit = self.border_limit(state, from, to);
        limit >= COUNTED || self.crossings(state, from, to) < limit
    }

    /// Units that have crossed a border in this direction, into or out of a battle, in this phase.
    fn crossings(&self, state: &State, from: Place, to: Place) -> u8 {
        self.border(from, to).map_or(0, |(index, border)| {
            let both = state.crossed[index as usize];
            if border.a == from { both & COUNTED } else { both >> 4 }
        })
    }

    pub(super) fn count_crossing(&self, state: &mut State, unit: UnitId, from: Place, to: Place) {
        if self.kind(unit) == Kind::Leader {
            return;
        }
        let Some((index, border)) = self.border(from, to) else { return };
        let shift = if border.a == from { 0 } else { 4 };
        let both = &mut state.crossed[index as usize];
        if *both >> shift & COUNTED < COUNTED {
            *both += 1 << shift;
        }
    }

    /// Whether an army that goes over a border into an area must stop there (4.2, 1.12, 1.13, 1.7, 3.41).
    fn stops(&self, state: &State, unit: UnitId, from: Place, to: Place, step: Step) -> bool {
        let tables = &self.tables;
        matches!(step, Step::Battle | Step::War)
            || tables.areas.mountains.contains(to)
            || tables.areas.forests.contains(to) && step != Step::Friendly
            || self
                .border(from, to)
                .is_some_and(|(_, border)| matches!(border.kind, BorderKind::Mountain | BorderKind::Strait))
            || self.winter_at(state, to)
            || self.is_muddy(state, self.team(state, unit), to)
    }

    /// The next areas of an army. Empty ones of friends and enemies and other friendly ones with room are open at once, unless
    /// it leaves a battle or marches on in winter.
    pub(super) fn marches_on(&self, state: &State, outlook: &Outlook, goals: &mut Places) {
        if state.march == 0 {
            return;
        }
        let unit = outlook.unit;
        let from = state.location(unit);
        let first = !state.has_mark(unit, mark::MOVED);
        let calendar = self.calendar(state);
        let plain = (first || !calendar.winter && !calendar.winter_east) && !state.disputed().contains(from);
        let ground = &outlook.ground;
        let mut near = *self.adjacent(from);
        if plain {
            let free = ground.friendly.or(&ground.enemy.difference(&self.tables.areas.safe));
            let empty = near.and(&free).difference(&state.roster.occupied);
            *goals = goals.or(&empty);
            near = near.difference(&empty);
        }
        for to in near {
            let easy = plain && ground.friendly.contains(to);
            let open = easy && !outlook.strangers_in(state, to) && !self.is_full(state, outlook, to)
                || self.can_march(state, outlook, from, to, state.march, first);
            if open {
                goals.insert(to);
            }
        }
    }

    /// Whether an army may go to a neighbour and end there, or further on.
    fn can_march(
        &self,
        state: &State,
        outlook: &Outlook,
        from: Place,
        to: Place,
        points: u8,
        first: bool,
    ) -> bool {
        if points == 0 {
            return false;
        }
        let full = self.is_full(state, outlook, to);
        if full && points == 1 {
            return false;
        }
        let Some(step) = self.step(state, outlook, from, to, first) else { return false };
        if !full {
            return true;
        }
        !self.stops(state, outlook.unit, from, to, step)
            && self
                .adjacent(to)
                .iter()
                .any(|next| next != from && self.can_march(state, outlook, to, next, points - 1, false))
    }

    /// An army takes a step of its march, or jumps.
    pub(super) fn march(&self, state: &mut State, unit: UnitId, to: Place, context: &mut impl Rolls) {
        if matches!(state.pending, Pending::Destination(_)) && self.can_jump(state, unit, to) {
            return self.jump(state, unit, to, context);
        }
        let nation = self.nation(state, unit);
        let from = state.location(unit);
        let first = !state.has_mark(unit, mark::MOVED);
        let step = if self.relation(state, nation, to) == Relation::Friendly {
            Some(Step::Friendly)
        } else {
            self.step(state, &self.bearings(state, unit), from, to, first)
        };
        match step {
            Some(Step::War) => {
                state.invasion.waiting = Waiting { unit, goal: to };
                self.declare_war(state, nation, to, context);
                if !matches!(state.pending, Pending::Neutral { .. }) {
                    self.cross_after_war(state, context);
                }
            }
            Some(step) => {
                let stops = self.stops(state, unit, from, to, step);
                self.step_over(state, unit, to, step, context);
                state.march = state.march.saturating_sub(1);
                if stops || state.march == 0 {
                    self.settle_down(state);
                } else {
                    state.pending = Pending::March(unit);
                }
            }
            None => {}
        }
    }

    fn step_over(&self, state: &mut State, unit: UnitId, to: Place, step: Step, context: &mut impl Rolls) {
        let from = state.location(unit);
        if step == Step::Battle || state.disputed().contains(from) {
            self.count_crossing(state, unit, from, to);
        }
        self.arrive(state, unit, to, step, from, context);
    }

    /// An army comes into an area: it joins the battle there, or the area changes hands.
    pub(super) fn arrive(
        &self,
        state: &mut State,
        unit: UnitId,
        to: Place,
        step: Step,
        via: Place,
        context: &mut impl Rolls,
    ) {
        if step == Step::Battle {
            self.commit(state, unit, to);
        }
        self.relocate(state, unit, to, 0, via, context);
        if step == Step::Taking {
            // A raid on its factory is over: the factory falls.
            for attacked in &mut state.attacked {
                attacked.remove(to);
            }
            self.take_area(state, to, self.nation(state, unit), context);
        }
    }

    /// War has been declared on a neutral and its units stand: whoever waits at the border crosses it, if he still can and
    /// will (10.2: the attack is optional).
    pub(super) fn cross_after_war(&self, state: &mut State, context: &mut impl Rolls) {
        let Waiting { unit, goal: to } = state.invasion.waiting;
        if unit == UnitId::NONE {
            return;
        }
        state.invasion.waiting = Waiting::NONE;
        if state.invasion.goal != Place::NONE {
            return self.land_from_sea(state, unit, context);
        }
        let bearings = self.bearings(state, unit);
        let from = state.location(unit);
        let first = !state.has_mark(unit, mark::MOVED);
        let step = match self.step(state, &bearings, from, to, first) {
            // Areas reserved to the Soviets have no army and no voice.
            Some(Step::War) if state.is_vacant(to) => Some(Step::Taking),
            other => other,
        };
        match step {
            Some(step) if step != Step::War => {
                self.step_over(state, unit, to, step, context);
                let goes_on =
                    step == Step::Taking && !self.stops(state, unit, from, to, step) && state.march > 1;
                state.march = state.march.saturating_sub(1);
                if goes_on {
                    state.pending = Pending::March(unit);
                } else {
                    self.settle_down(state);
                }
            }
            _ if first => state.pending = Pending::Destination(unit),
            _ => state.pending = Pending::March(unit),
        }
    }

    /// Battles that a paratrooper can jump into: within its range by air, over borders and enemies, where another military
    /// unit of its side fights (2.6).
    pub(super) fn jumps(&self, state: &State, unit: UnitId, goals: &mut Places) {
        if self.kind(unit) != Kind::Paratroop || state.disputed().is_empty() {
            return;
        }
        for area in self.jump_reach(state, unit).and(&state.disputed()) {
            if self.is_jump_goal(state, unit, area) {
                goals.insert(area);
            }
        }
    }

    fn can_jump(&self, state: &State, unit: UnitId, area: Place) -> bool {
        self.kind(unit) == Kind::Paratroop
            && self.is_jump_goal(state, unit, area)
            && self.jump_reach(state, unit).contains(area)
    }

    /// Areas within a paratrooper's range: one area, and two if neither is in winter or in mud, which take one area of any
    /// army that comes there (3.41).
    fn jump_reach(&self, state: &State, unit: UnitId) -> Areas {
        let (near, _) = self.air_reach(state, unit, state.march.min(1));
        if state.march < 2 {
            return near;
        }
        let team = self.team(state, unit);
        let dry = |&area: &Place| !self.winter_at(state, area) && !self.is_muddy(state, team, area);
        let skies = self.skies(state, unit).iter().filter(dry).collect();
        near.or(&self.air_reach_through(state, unit, state.march, &skies).0)
    }

    fn is_jump_goal(&self, state: &State, unit: UnitId, area: Place) -> bool {
        let team = self.team(state, unit);
        let invaded = state.invasion.done[self.commander(state, unit).index()] == area;
        let mut support = self.units_at(state, area, team).filter(|&other| self.arm(other) == Arm::Army);
        area != state.location(unit)
            && state.disputed().contains(area)
            && support.any(|other| !state.has_jumped(other))
            // One paratrooper a sea invasion (7.5).
            && !(invaded && self.units_at(state, area, team).any(|other| state.has_jumped(other)))
            && !self.strangers_at(state, unit, area)
            && self.battle_price(state, unit, area).is_some()
    }

    fn jump(&self, state: &mut State, unit: UnitId, to: Place, context: &mut impl Rolls) {
        let from = state.location(unit);
        self.arrive(state, unit, to, Step::Battle, from, context);
        state.set_jumped(unit, true);
        self.settle_down(state);
    }
}
