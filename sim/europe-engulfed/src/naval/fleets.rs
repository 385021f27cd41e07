//! Fleet Points at home: maintenance (4.2), building (4.6), change of zone and loss of the last port (A104).

use sandtable_core::{ActionSink, Flow, Index};

use super::routes::{ready_in, seas_of};
use crate::Rolls;
use crate::action::Action;
use crate::event::{Event, Purchase};
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Nation, Sea, Team, Units};
use crate::phase::{Pending, Phase};
use crate::state::{Crossing, Route, State, built, happened};

impl EuropeEngulfed {
    /// Fleet Points of a nation on all seas.
    pub fn fleet_of(&self, state: &State, nation: Nation) -> u8 {
        let fleet = &state.fleets[nation.index()];
        fleet.ready.iter().chain(&fleet.used).sum()
    }

    /// Whether a team has a port on a zone.
    pub(crate) fn has_port(&self, state: &State, team: Team, sea: Sea) -> bool {
        self.ports_at(state, sea).intersects(state.held(team))
    }

    /// WERP that the Fleet Points of a nation at war cost in its production: those with a friendly port on their zone (4.2; play
    /// book, L287, L667).
    pub fn maintenance(&self, state: &State, nation: Nation) -> u8 {
        if !self.is_at_war(state, nation) && !self.keeps_fleets_in_peace(state, nation) {
            return 0;
        }
        let Some(team) = state.team(nation) else { return 0 };
        let fleet = &state.fleets[nation.index()];
        let kept = self.sea_zones().filter(|sea| self.has_port(state, team, *sea));
        let points: u8 = kept.map(|sea| fleet.ready[sea.at()] + fleet.used[sea.at()]).sum();
        points.saturating_mul(self.rules.costs.maintenance)
    }

    // ---- building ----

    /// Whether a nation may build a Fleet Point on a zone: one a calendar year, where it has a friendly port at home (4.6, A76,
    /// A104); Italy none once its morale has collapsed (9.45).
    pub(crate) fn may_build_fleet(&self, state: &State, nation: Nation, sea: Sea) -> bool {
        let power = state.power(nation);
        let home =
            self.tables.home[nation.index()].and(state.held(state.mover)).difference(&state.disputed());
        let collapsed = nation == Nation::Italy && state.affairs.has(happened::ITALIAN_COLLAPSE);
        power.built & built::FLEET == 0
            && !collapsed
            && !self.has_paid(state, nation, built::FLEET)
            && self.can_pay_instalment(state, nation, built::FLEET)
            && self.fleet_of(state, nation) < self.rules.nations[nation.index()].fleets
            && self.rules.seas[sea.at()].open_to & nation.bit() != 0
            && self.ports_at(state, sea).intersects(&home)
    }

    pub(crate) fn purchases_of_fleets(&self, state: &State, out: &mut Vec<Action>) {
        let zones = self.sea_zones().filter(|sea| self.may_build_fleet(state, state.payer, *sea));
        out.extend(zones.map(Action::Fleet));
    }

    pub(crate) fn build_fleet(&self, state: &mut State, sea: Sea, context: &mut impl Rolls) {
        let nation = state.payer;
        let cost = self.instalment(state, nation, built::FLEET);
        state.powers[nation.index()].werp -= cost;
        if self.finishes(state, built::FLEET, cost) {
            state.powers[nation.index()].built |= built::FLEET;
            state.fleets[nation.index()].ready[sea.at()] += 1;
            state.cache.invalidate();
        }
        context.emit(|| Event::Bought { nation, what: Purchase::Fleet(sea), cost });
    }

    // ---- change of zone ----

    /// Changes of zone in the Strategic Movement Phase: a ready Fleet Point goes through a passage (A104); in a
    /// breakthrough only one of the payer's.
    pub(crate) fn transfers(&self, state: &State, out: &mut impl ActionSink<Action>) -> Flow {
        let team = state.mover;
        let sails = |nation: &Nation| {
            state.phase != Phase::BreakthroughStrategic || self.sponsor(state, *nation) == state.payer
        };
        let afloat = if self.rules.setup.fleets_used { ready_in(state, state.nations(team)) } else { 0 };
        if afloat == 0 {
            return Flow::Continue(());
        }
        let passages = self.open_passages(state, team);
        for nation in Nation::members(state.nations(team)).filter(sails) {
            for from in seas_of(ready_in(state, nation.bit())) {
                for to in seas_of(passages[from.at()]) {
                    if self.rules.seas[to.at()].open_to & nation.bit() != 0 {
                        out.offer(Action::Transfer(nation, from, to))?;
                    }
                }
            }
        }
        Flow::Continue(())
    }

    /// A Fleet Point sets out for another zone, where it may be intercepted.
    pub(crate) fn transfer(
        &self,
        state: &mut State,
        nation: Nation,
        from: Sea,
        to: Sea,
        context: &mut impl Rolls,
    ) {
        state.fleets[nation.index()].ready[from.at()] -= 1;
        state.cache.invalidate();
        state.crossing = Crossing {
            cargo: Units::EMPTY,
            to: Area::NONE,
            route: Route::within(to),
            transfer: Some((nation, from)),
            ..Crossing::NONE
        };
        state.pending = Pending::None;
        self.sail(state, context);
    }

    // ---- ends of turns ----

    /// The end of a player turn: Fleet Points without a friendly port on their zone are lost (A104).
    pub(crate) fn lose_homeless_fleets(&self, state: &mut State, team: Team, context: &mut impl Rolls) {
        for sea in self.sea_zones() {
            if self.has_port(state, team, sea) {
                continue;
            }
            state.cache.invalidate();
            for nation in Nation::members(state.nations(team)) {
                let fleet = &mut state.fleets[nation.index()];
                let points = fleet.ready[sea.at()] + fleet.used[sea.at()];
                (fleet.ready[sea.at()], fleet.used[sea.at()]) = (0, 0);
                for _ in 0..points {
                    context.emit(|| Event::FleetLost { nation, sea });
                }
            }
        }
    }

    /// The end of a game turn: all Fleet Points can carry again (play book, L545; A37).
    pub(crate) fn ready_fleets(state: &mut State) {
        for fleet in &mut state.fleets {
            for (ready, used) in fleet.ready.iter_mut().zip(&mut fleet.used) {
                *ready += std::mem::take(used);
            }
        }
    }
}
