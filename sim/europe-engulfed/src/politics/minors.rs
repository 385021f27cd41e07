//! Minor Powers (9.6): they deploy their forces at home when they come into the war, and surrender with their capital.

use sandtable_core::Index;

use crate::Rolls;
use crate::action::Action;
use crate::event::{Event, Way};
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Areas, KindId, Nation, Team, UnitId};
use crate::phase::Phase;
use crate::rules::{NationKind, Standing};
use crate::state::State;

impl EuropeEngulfed {
    /// The forces of a minor wait to be placed at home (19.1, 19.2), by the enemy of who has attacked it (A91). Who joins a side of
    /// its own will has no Special Action of its own (14.311, 14.33; 13.43).
    pub(crate) fn mobilize(&self, state: &mut State, nation: Nation, of_its_own_will: bool) {
        let politics = &self.rules.politics;
        let joins = self.rules.nations[nation.index()].kind == NationKind::AxisMinor;
        for kind in (0..self.rules.kinds.len()).map(KindId::nth) {
            if self.rules.kinds[kind.at()].nation != nation {
                continue;
            }
            let fewer = politics.joining.iter().find(|(of, _)| joins && *of == kind.0);
            let count = fewer.map_or(usize::MAX, |(_, count)| usize::from(*count));
            for unit in self.counters(kind).take(count) {
                if state.location(unit) == Area::POOL {
                    state.places.put(unit, Area::WAITING);
                }
            }
        }
        if politics.minor_special_actions & nation.bit() != 0 && !joins && !of_its_own_will {
            let power = &mut state.powers[nation.index()];
            (power.special_actions, power.special_action_pool) = (1, 1);
        }
        if of_its_own_will && !joins {
            state.affairs.adopted |= nation.bit();
        }
        state.affairs.mobilizing |= nation.bit();
    }

    /// An Axis minor joins (9.15).
    pub(crate) fn join_axis(&self, state: &mut State, nation: Nation, context: &mut impl Rolls) {
        state.powers[nation.index()].team = Some(Team::First);
        state.affairs.joined |= nation.bit();
        self.mobilize(state, nation, true);
        self.set_standing(state, nation, Standing::Belligerent, context);
    }

    /// The block that is placed next.
    fn mobilized(&self, state: &State) -> Option<UnitId> {
        let waiting = state.at(Area::WAITING);
        let mut nations = Nation::members(state.affairs.mobilizing);
        nations.find_map(|nation| waiting.and(&self.tables.of_nation[nation.index()]).first())
    }

    /// Home areas that are still the minor's own. Some minors leave none of them empty (19.1).
    fn posts(&self, state: &State, unit: UnitId) -> Areas {
        let nation = self.nation(unit);
        let Some(team) = state.team(nation) else { return Areas::EMPTY };
        let home = self.tables.home[nation.index()]
            .filter(|area| state.controller(area) == Some(nation) && self.has_room(state, team, unit, area));
        let land = self.tables.of_nation[nation.index()].and(&self.tables.land_units);
        let empty = home.filter(|area| !state.at(area).intersects(&land));
        let left = state.at(Area::WAITING).and(&land).len();
        let spread = self.rules.politics.minor_spread & nation.bit() != 0 && left <= empty.len();
        if spread && !empty.is_empty() { empty } else { home }
    }

    pub(crate) fn mobilization_actions(&self, state: &State, out: &mut Vec<Action>) {
        if let Some(unit) = self.mobilized(state) {
            out.extend(self.posts(state, unit).iter().map(Action::Go));
        }
    }

    pub(crate) fn mobilization_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        let (Some(unit), Action::Go(area)) = (self.mobilized(state), action) else { return };
        let cadre = self.rules.politics.minor_cadres & self.nation(unit).bit() != 0;
        state.steps[unit.at()] = if cadre { 1 } else { self.max_steps(unit) };
        self.put(state, unit, area);
        context.emit(|| Event::Moved { unit, from: Area::WAITING, to: area, how: Way::Deployed });
    }

    /// Who places the blocks at hand.
    pub(crate) fn mobilization_decider(&self, state: &State) -> u8 {
        let nation = self.mobilized(state).map(|unit| self.nation(unit));
        nation.map_or_else(|| self.leader(state.mover), |nation| self.player(state, nation))
    }

    /// Blocks without a place go to the pool, and the turn goes on.
    pub(crate) fn mobilization_ends(&self, state: &mut State, context: &mut impl Rolls) {
        while let Some(unit) = self.mobilized(state) {
            state.places.put(unit, Area::POOL);
        }
        state.affairs.mobilizing = 0;
        let next = state.affairs.resume;
        self.start_phase(state, next, context);
    }

    /// Minors whose capital is in enemy hands at the end of a combat phase surrender (play book, L287, L301; A91).
    pub(crate) fn surrenders(&self, state: &mut State, context: &mut impl Rolls) {
        if !self.rules.setup.situation.politics {
            return;
        }
        for nation in Nation::ALL {
            let kind = self.rules.nations[nation.index()].kind;
            let minor = matches!(kind, NationKind::Minor | NationKind::AxisMinor);
            let (Some(team), Some(capital)) = (state.team(nation), self.tables.capitals[nation.index()])
            else {
                continue;
            };
            // Partisans have no capital (13.42).
            let minor = minor && !self.is_partisan(state, nation);
            if minor && self.is_at_war(state, nation) && state.held(team.other()).contains(capital) {
                let by = state.controller(capital).unwrap_or(nation);
                self.falls(state, nation, by, context);
            }
        }
    }

    /// A nation leaves the war for good: its units, fleets and Special Actions are out of the game.
    pub(crate) fn leaves_the_war(&self, state: &mut State, nation: Nation, context: &mut impl Rolls) {
        for unit in self.tables.of_nation[nation.index()] {
            if state.is_on_map(unit) || state.location(unit) == Area::WAITING {
                self.send(state, unit, Area::GONE);
            }
        }
        let power = &mut state.powers[nation.index()];
        (power.special_actions, power.special_action_pool, power.team) = (0, 0, None);
        state.affairs.adopted &= !nation.bit();
        self.scuttle(state, nation);
        self.set_standing(state, nation, Standing::Conquered, context);
    }

    /// What is still a nation's own passes on: to friends or enemies who stand there alone, else to a new owner, if there is
    /// one.
    pub(crate) fn passes_on(
        &self,
        state: &mut State,
        nation: Nation,
        friends: Team,
        to: impl Fn(Area) -> Option<Nation>,
        context: &mut impl Rolls,
    ) {
        for area in self.tables.in_play.filter(|area| state.controller(area) == Some(nation)) {
            let there =
                [friends, friends.other()].into_iter().find(|team| state.manned(*team).contains(area));
            let owner = match there {
                Some(team) => Some(self.conqueror(state, team, area)),
                None => to(area),
            };
            if let Some(owner) = owner {
                self.bequeath(state, area, friends, owner, context);
            }
        }
        for area in self.tables.in_play {
            self.settle_area(state, area, context);
        }
    }

    /// An area of a nation that has left the war passes to another: a field fortification stands if this is of the same team, else it
    /// goes and nobody disables the port (A137).
    pub(super) fn bequeath(
        &self,
        state: &mut State,
        area: Area,
        friends: Team,
        to: Nation,
        context: &mut impl Rolls,
    ) {
        let stands = state.field_forts.contains(area) && state.team(to) == Some(friends);
        self.hand_over(state, area, to, context);
        if stands {
            state.field_forts.insert(area);
        }
    }

    /// An area passes to a nation that may be neutral.
    pub(crate) fn hand_over(&self, state: &mut State, area: Area, to: Nation, context: &mut impl Rolls) {
        if state.team(to).is_some() {
            return self.take(state, area, to, context);
        }
        state.set_controller(area, to);
        for held in &mut state.held {
            held.remove(area);
        }
        context.emit(|| Event::Taken { area, by: to });
    }

    /// A minor surrenders to a conqueror. Lvov and Brest-Litovsk, where nobody stands in them, stay open to the Soviets (A92).
    fn falls(&self, state: &mut State, nation: Nation, by: Nation, context: &mut impl Rolls) {
        let Some(team) = state.team(nation) else { return };
        self.end_italian_war(state, nation);
        self.end_war_on_minor(state, nation);
        self.leaves_the_war(state, nation, context);
        let pact = if state.affairs.soviet_war == 0 { self.rules.politics.pact_areas } else { Areas::EMPTY };
        self.passes_on(state, nation, team, |area| (!pact.contains(area)).then_some(by), context);
    }

    /// Its Fleet Points go down.
    pub(crate) fn scuttle(&self, state: &mut State, nation: Nation) {
        state.fleets[nation.index()] = crate::state::Fleet::default();
        state.cache.invalidate();
    }

    /// Whether a phase of placing forces has to come before another; it then follows.
    pub(crate) fn after_mobilization(&self, state: &mut State, next: Phase, context: &mut impl Rolls) {
        if state.affairs.mobilizing == 0 {
            return self.start_phase(state, next, context);
        }
        state.affairs.resume = next;
        self.start_phase(state, Phase::Mobilization, context);
    }
}
