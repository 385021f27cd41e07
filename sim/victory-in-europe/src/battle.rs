//! Combat: battles on land and at sea, one at a time, in rounds of classes A to E (5, 6.2, 6.3, 7.3), retreats, regroup,
//! exploitation, and the landing of aircraft.
//!
//! ```text
//! losses of events -> Fight(place): raids of Player 1 first, then in his order
//!   begin_battle -> round: Announce... -> turns by class, defender first: Fire / Retreat -> Hit...
//!                -> end of round: area taken? roles change? another round (Extend)?
//!                -> Withdraw... -> Regroup or Exploit (a new battle follows at once) -> next battle
//! landing: Land...
//! ```
//!
//! `advance` carries a battle from one decision to the next. Within a class the units of a side act in the order of their
//! indices, and units that must leave do so in that order too.

mod fire;
mod landing;
mod retreat;
mod victory;

use crate::Rolls;
use crate::action::Action;
use crate::event::{self, Event};
use crate::game::VictoryInEurope;
use crate::nation::{Force, Team};
use crate::phase::Pending;
use crate::place::{Place, UnitId};
use crate::rules::{Arm, BorderKind, Kind, Units};
use crate::state::{Battle, SHELTER, Stage};
use crate::state::{State, mark};
use sandtable_core::Index;

use fire::Turn;

impl VictoryInEurope {
    // ---- the phase ----

    /// The Combat Phase begins: losses of events, then the list of battles (3.3, 5.1).
    pub(crate) fn combat_begins(&self, state: &mut State, context: &mut impl Rolls) {
        state.battle = Battle::default();
        self.event_losses(state, context);
    }

    pub(crate) fn combat_actions(&self, state: &State, out: &mut Vec<Action>) {
        match state.pending {
            Pending::Loss(_) => self.event_loss_actions(state, out),
            Pending::Neutral { .. } => self.neutral_actions(state, out),
            Pending::Announce(unit) => self.announcements(state, unit, out),
            Pending::Fire(unit) => self.battle_turn(state, unit, out),
            Pending::Hit(_) => {
                self.bearers(state).for_each(|unit| out.push(Action::Take(unit)));
            }
            Pending::Withdraw(unit) => self.exits(state, unit).list(out),
            Pending::GoOn(unit) => self.ways_on(state, unit).list(out),
            Pending::Extend(_) => out.extend([Action::Pass, Action::Extend]),
            Pending::Regroup => self.regroupings(state, out),
            Pending::Exploit(_) => self.exploitations(state, out),
            _ => self.battles_due(state, out),
        }
    }

    /// The battles that may be fought next: raids of Player 1 before all others (6.21, 7.31), in ascending order.
    fn battles_due(&self, state: &State, out: &mut Vec<Action>) {
        let start = out.len();
        let first = state.first;
        let mut list = |raids: bool| {
            let areas = if raids { state.attacked[first.index()] } else { state.disputed() };
            let seas = if raids { state.sea_attacked[first.index()] } else { state.disputed_seas() };
            let places = areas.iter().chain((0..32).filter(|sea| seas >> sea & 1 != 0).map(Place::sea));
            let due = places.filter(|&place| !raids || self.is_raid(state, place, first));
            out.extend(due.map(Action::Fight));
            out.len() > start
        };
        if !list(true) {
            list(false);
        }
    }

    /// Whether a team attacks a place with aircraft alone, or an area with ships and aircraft alone (6.21, 7.31).
    fn is_raid(&self, state: &State, place: Place, team: Team) -> bool {
        let raids = |unit| match self.arm(unit) {
            Arm::Air => true,
            Arm::Naval => place.is_area(),
            Arm::Army => false,
        };
        self.units_at(state, place, team).all(raids)
    }

    pub(crate) fn combat_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        if self.carry_out(state, action, context) {
            self.advance(state, context);
        }
    }

    /// Applies a decision; returns whether a battle goes on by itself from there.
    pub(crate) fn carry_out(&self, state: &mut State, action: Action, context: &mut impl Rolls) -> bool {
        match (state.pending, action) {
            (Pending::Loss(_), _) => {
                self.event_loss_apply(state, action, context);
                if state.pending == Pending::None {
                    state.active = state.movers;
                }
                return false;
            }
            (Pending::Neutral { .. }, _) => {
                self.neutral_apply(state, action, context);
                if matches!(state.pending, Pending::Neutral { .. }) {
                    return false;
                }
                self.enter_neutral(state, context);
            }
            (Pending::None, Action::Fight(place)) => self.open_battle(state, place, context),
            (Pending::Announce(unit), _) => {
                match action {
                    Action::Announce(target) => state.battle.set_aim(unit, target as u8 + 1),
                    Action::Shelter => state.battle.set_aim(unit, SHELTER),
                    _ => {}
                }
                state.set_mark(unit, mark::ACTED, true);
            }
            (Pending::Fire(unit), Action::Fire(target)) => {
                state.set_mark(unit, mark::ACTED, true);
                self.fire(state, unit, target, context);
            }
            (Pending::Fire(unit), Action::Retreat(..)) => {
                self.ask(state, Pending::Withdraw(unit), self.owner(state, unit));
                return false;
            }
            (Pending::Fire(unit), _) => {
                state.set_mark(unit, mark::ACTED, true);
                if state.battle.aim(unit) != SHELTER {
                    state.battle.set_aim(unit, 0);
                }
            }
            (Pending::Hit(_), Action::Take(unit)) => self.take_hit(state, unit, context),
            (Pending::Withdraw(unit), Action::Retreat(to, coast)) => {
                self.retreat(state, unit, to, coast, context);
                if self.must_go_on(state, unit) {
                    self.ask(state, Pending::GoOn(unit), self.owner(state, unit));
                    return false;
                }
            }
            (Pending::GoOn(unit), Action::Retreat(to, _)) => self.go_on(state, unit, to, context),
            (Pending::Extend(leader), Action::Extend) => {
                self.lead(state, leader, context);
                state.battle.extra += 1;
                self.begin_round(state);
            }
            (Pending::Extend(_), _) => self.finish(state, false),
            (Pending::Regroup, Action::Exploit) => self.begin_exploitation(state, context),
            (Pending::Regroup, Action::Move(unit, to)) => self.regroup(state, unit, to, context),
            (Pending::Exploit(_), Action::Move(unit, to)) => {
                self.exploit(state, unit, to, context);
                if matches!(state.pending, Pending::Neutral { .. }) {
                    return false;
                }
            }
            (Pending::Regroup | Pending::Exploit(_), _) => {
                self.leave_battle(state, context);
                return false;
            }
            _ => return false,
        }
        true
    }

    // ---- one battle ----

    /// Units of a team that take part in the round: all but reinforcements on their way (4.4).
    pub(crate) fn fighters(&self, state: &State, team: Team) -> impl Iterator<Item = UnitId> {
        self.units_at(state, state.battle.place, team).filter(|&unit| !state.has_mark(unit, mark::REINFORCES))
    }
    fn awaits_reinforcements(&self, state: &State, team: Team) -> bool {
        self.units_at(state, state.battle.place, team).any(|unit| state.has_mark(unit, mark::REINFORCES))
    }
    /// Whether an invader of the battle at hand is not yet ashore (7.5).
    pub fn is_afloat(&self, state: &State, unit: UnitId) -> bool {
        state.has_mark(unit, mark::INVADES)
            && self.force(state, unit).is_none_or(|force| state.battle.landed & force.bit() == 0)
    }
    /// Whether a team has a military unit ashore in the battle.
    pub(crate) fn holds_ground(&self, state: &State, team: Team) -> bool {
        self.fighters(state, team).any(|unit| self.arm(unit) == Arm::Army && !self.is_afloat(state, unit))
    }
    pub(crate) fn has_ships(&self, state: &State, team: Team) -> bool {
        self.fighters(state, team).any(|unit| self.arm(unit) == Arm::Naval)
    }
    /// The force that commands a unit in battle.
    fn owner(&self, state: &State, unit: UnitId) -> Force {
        self.force(state, unit).unwrap_or(Force::Western)
    }
    /// The team that an area belongs to while it is fought for: that of its controller's units.
    fn team_of_area(&self, state: &State, area: Place) -> Team {
        match state.politics.standing(state.controller(area)) {
            crate::rules::Standing::Defending => Team::Axis,
            standing => standing.force().map_or(Team::Allies, Force::team),
        }
    }
    fn ask(&self, state: &mut State, pending: Pending, force: Force) {
        state.pending = pending;
        state.active = force.bit();
    }

    /// Starts the battle at a place and plays it to its first decision (5.1).
    fn begin_battle(&self, state: &mut State, place: Place, context: &mut impl Rolls) {
        self.open_battle(state, place, context);
        self.advance(state, context);
    }

    /// Starts the battle at a place (5.1). The attacker is the team for which the place is in `attacked` or `sea_attacked`.
    pub(crate) fn open_battle(&self, state: &mut State, place: Place, context: &mut impl Rolls) {
        let allies = match place.sea_zone() {
            Some(sea) => state.sea_attacked[Team::Allies.index()] >> sea & 1 != 0,
            None => state.attacked[Team::Allies.index()].contains(place),
        };
        let attacker = if allies { Team::Allies } else { Team::Axis };
        let exploitation = state.battle.goal == place && state.battle.new_goal;
        state.battle = Battle {
            place,
            attacker,
            opener: attacker,
            exploitation,
            led: state.battle.led,
            ..Battle::default()
        };
        context.emit(|| Event::BattleBegins { place, attacker });
        for team in Team::ALL {
            let column = state.battle.column(team);
            let (mut units, mut steps, mut armies, mut used, mut used_seas) = (0, 0, false, 0, 0);
            for unit in self.units_at(state, place, team) {
                units += 1;
                steps += state.steps(unit);
                armies |= self.arm(unit) == Arm::Army;
                let via = state.via(unit);
                let comes = team == attacker || state.has_mark(unit, mark::REINFORCES);
                if !comes || self.arm(unit) == Arm::Air || state.has_jumped(unit) {
                    continue;
                }
                match via.sea_zone() {
                    Some(zone) => used_seas |= 1 << zone,
                    None if self.arm(unit) == Arm::Army && place.is_area() => {
                        used |= self.border_bit(place, via);
                    }
                    None => {}
                }
            }
            let battle = &mut state.battle;
            (battle.units[column], battle.steps[column]) = (units, steps);
            let team = team.index();
            (battle.armies[team], battle.used[team], battle.used_seas[team]) = (armies, used, used_seas);
        }
        state.battle.rounds = self.rounds_due(state);
        self.begin_round(state);
    }

    /// A border of an area as a bit of [`Battle::used`].
    fn border_bit(&self, area: Place, neighbour: Place) -> u16 {
        let list = &self.tables.land.borders[area.at()];
        list.iter().position(|&(to, _)| to == neighbour).map_or(0, |at| 1 << at)
    }

    /// Rounds of the battle (5.1): fewer if all attacking armies crossed straits (1.7, R-87), more by events (3.3). Attackers
    /// on their way from an exploitation fight a round at least.
    fn rounds_due(&self, state: &State) -> u8 {
        let battle = &state.battle;
        if battle.exploitation {
            return self.rules.charts.exploitation_rounds;
        }
        let place = battle.place;
        let charts = &self.rules.charts;
        let over_strait = |unit: UnitId| {
            self.border(place, state.via(unit)).is_some_and(|(_, border)| border.kind == BorderKind::Strait)
        };
        let mut armies = self
            .units_at(state, place, battle.attacker)
            .filter(|&unit| self.arm(unit) == Arm::Army)
            .peekable();
        let strait = place.is_area() && armies.peek().is_some() && armies.all(over_strait);
        let rounds = if strait { charts.strait_rounds } else { charts.rounds };
        let least = if self.awaits_reinforcements(state, battle.attacker) { 2 } else { 1 };
        rounds.max(least) + self.event_rounds(state, place)
    }

    fn begin_round(&self, state: &mut State) {
        let place = state.battle.place;
        state.battle.round += 1;
        let arrives = state.battle.round > 1;
        let mut next = state.places.first(place);
        while let Some(unit) = next {
            next = state.places.next(unit);
            state.set_mark(unit, mark::ACTED, false);
            if arrives {
                state.set_mark(unit, mark::REINFORCES, false);
            }
            if !state.has_mark(unit, mark::REINFORCES) {
                state.set_mark(unit, mark::KNOWN, true);
            }
        }
        self.open_borders(state);
        let battle = &mut state.battle;
        battle.aims = [Units::EMPTY; 3];
        battle.flak_fired = false;
        battle.stage = Stage::Announcing;
        self.land_invaders(state);
    }

    /// Border limits of retreats count anew (5.7).
    fn open_borders(&self, state: &mut State) {
        if state.battle.place.is_area() {
            for &(_, border) in &self.tables.land.borders[state.battle.place.at()] {
                state.crossed[border as usize] = 0;
            }
        }
    }

    /// Invaders go ashore at once where no enemy ship lies on their coast (7.5, R-32).
    fn land_invaders(&self, state: &mut State) {
        if !state.battle.place.is_area() {
            return;
        }
        for force in Force::ALL {
            let coast = state.invasion.coast[force.index()];
            let barred = self
                .fighters(state, force.team().other())
                .any(|unit| self.arm(unit) == Arm::Naval && state.coast(unit) == coast);
            if !barred {
                state.battle.landed |= force.bit();
            }
        }
    }

    /// Carries the battle on to the next decision, or to its end.
    fn advance(&self, state: &mut State, context: &mut impl Rolls) {
        while !self.proceed(state, context) {}
    }

    /// One step of the battle, in which dice are rolled once at most; returns whether somebody is asked, or the battle is over.
    pub(crate) fn proceed(&self, state: &mut State, context: &mut impl Rolls) -> bool {
        state.pending = Pending::None;
        if state.battle.hits > 0 {
            return self.hits_fall(state, context);
        }
        match state.battle.stage {
            Stage::Announcing => {
                if self.next_announcement(state) {
                    return true;
                }
                self.clear_acted(state);
                state.battle.stage = Stage::Turns;
            }
            Stage::Turns => {
                self.land_invaders(state);
                match self.next_turn(state) {
                    Turn::Unit(unit) => {
                        // Paratroops jump in their first battle turn (2.6).
                        state.set_jumped(unit, false);
                        self.ask(state, Pending::Fire(unit), self.owner(state, unit));
                        return true;
                    }
                    Turn::Flak => self.fire_flak(state, context),
                    Turn::Over => self.end_round(state, context),
                }
            }
            Stage::Extending => match self.leader_of(state, state.battle.attacker) {
                Some(leader) => {
                    self.ask(state, Pending::Extend(leader), self.owner(state, leader));
                    return true;
                }
                None => self.finish(state, false),
            },
            Stage::Withdrawing => {
                if self.next_to_withdraw(state, context) {
                    return true;
                }
                self.conclude(state, context);
            }
            Stage::Regrouping => {
                let Some(unit) = self.first_to_regroup(state) else {
                    self.leave_battle(state, context);
                    return true;
                };
                self.ask(state, Pending::Regroup, self.owner(state, unit));
                return true;
            }
            Stage::Exploiting => {
                let leader = state.battle.leader;
                self.ask(state, Pending::Exploit(leader), self.owner(state, leader));
                return true;
            }
        }
        state.battle.place == Place::NONE
    }

    fn clear_acted(&self, state: &mut State) {
        let mut next = state.places.first(state.battle.place);
        while let Some(unit) = next {
            state.set_mark(unit, mark::ACTED, false);
            next = state.places.next(unit);
        }
    }

    /// The end of a round (5.2): an area whose defenders are gone is taken; the battle ends, goes on, or is extended.
    fn end_round(&self, state: &mut State, context: &mut impl Rolls) {
        let Battle { place, attacker, round, rounds, extra, .. } = state.battle;
        let defender = attacker.other();
        let more_defenders = self.awaits_reinforcements(state, defender);
        if place.is_area() && self.holds_ground(state, attacker) && !self.holds_ground(state, defender) {
            self.take_ground(state, attacker, context);
            if !more_defenders {
                return self.finish(state, true);
            }
            // The defender's reinforcements find the attacker in possession: the roles change (5.2, R-86).
            state.battle.attacker = defender;
            state.battle.rounds = rounds.max(round + 1);
            return self.begin_round(state);
        }
        let attackers = self.fighters(state, attacker).next().is_some();
        let defenders =
            self.fighters(state, defender).next().is_some() || self.bombs_factory(state, attacker);
        let more_attackers = self.awaits_reinforcements(state, attacker);
        let goes_on = (attackers || more_attackers) && (defenders || more_defenders || more_attackers);
        if goes_on && round < rounds + extra {
            self.begin_round(state);
        } else if goes_on && defenders {
            state.battle.stage = Stage::Extending;
        } else {
            self.finish(state, false);
        }
    }

    /// A leader of a team in the battle who may use Blitz (5.61).
    fn leader_of(&self, state: &State, team: Team) -> Option<UnitId> {
        self.fighters(state, team).find(|&unit| {
            self.kind(unit) == Kind::Leader
                && state.steps(unit) > 0
                && state.battle.times_led(unit) < self.rules.charts.blitz_uses
        })
    }

    /// A leader spends a step on Blitz (5.61).
    fn lead(&self, state: &mut State, leader: UnitId, context: &mut impl Rolls) {
        state.battle.count_lead(leader);
        self.lose(state, leader, event::LossCause::Blitz, context);
    }

    /// A unit of the battle loses a step; returns whether it is eliminated.
    fn lose(
        &self,
        state: &mut State,
        unit: UnitId,
        cause: event::LossCause,
        context: &mut impl Rolls,
    ) -> bool {
        let column = state.battle.column(self.team(state, unit));
        // A leader's zero step is none.
        state.battle.lost[column] += u8::from(state.steps(unit) > 0);
        self.lose_steps(state, unit, 1, cause, context)
    }

    /// The team takes the area of the battle (4.1).
    fn take_ground(&self, state: &mut State, team: Team, context: &mut impl Rolls) {
        let holder = self
            .fighters(state, team)
            .find(|&unit| self.arm(unit) == Arm::Army && !self.is_afloat(state, unit));
        if let Some(unit) = holder {
            self.take_area(state, state.battle.place, self.nation(state, unit), context);
        }
    }

    /// The last round is over: half hits of the winner vanish (5.5), the loser leaves.
    fn finish(&self, state: &mut State, won: bool) {
        let place = state.battle.place;
        let attacker = state.battle.attacker;
        let won = won || place.sea_zone().is_some() && self.wins_sea(state, attacker);
        let winner = if won { attacker } else { attacker.other() };
        let mut next = state.places.first(place);
        while let Some(unit) = next {
            next = state.places.next(unit);
            state.set_mark(unit, mark::REINFORCES | mark::ACTED, false);
            if self.team(state, unit) == winner {
                state.set_half_hit(unit, false);
            }
        }
        state.battle.winner = winner;
        state.battle.stage = Stage::Withdrawing;
        self.open_borders(state);
    }

    /// Whether a team's ships alone are left in the sea of the battle (R-18).
    fn wins_sea(&self, state: &State, team: Team) -> bool {
        self.has_ships(state, team) && !self.has_ships(state, team.other())
    }
}
