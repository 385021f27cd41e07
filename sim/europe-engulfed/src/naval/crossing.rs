//! A naval move (8.0), zone by zone: the enemy may intercept once with all his Fleet Points (8.2, A80), a round of naval combat is
//! fought, what goes down with its ships is named; those left arrive.
//!
//! All Fleet Points of the mover's team in a zone escort what crosses it.

use sandtable_core::Index;

use crate::Rolls;
use crate::action::Action;
use crate::event::{Event, LossCause, Way};
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Nation, Sea, Team, UnitId, Units};
use crate::phase::{Pending, Sailing};
use crate::state::{Crossing, Route, State};

impl EuropeEngulfed {
    /// Whether a naval move is under way.
    #[inline]
    pub(crate) fn is_at_sea(&self, state: &State) -> bool {
        state.crossing.stage != Sailing::None
    }

    /// The player who decides in a naval move.
    pub(crate) fn crossing_decider(&self, state: &State) -> u8 {
        match state.crossing.stage {
            Sailing::Interception(team) => {
                let sea = self.zone_at_hand(state);
                let mut owners = Nation::members(state.nations(team)).filter(|nation| {
                    let fleet = &state.fleets[nation.index()];
                    fleet.ready[sea.at()] + fleet.used[sea.at()] > 0
                });
                owners.next().map_or_else(|| self.leader(team), |nation| self.player(state, nation))
            }
            Sailing::Joining(team)
            | Sailing::Dogfight(team)
            | Sailing::Sparing(team)
            | Sailing::Returning(team) => self.leader(team),
            _ => self.leader(state.mover),
        }
    }

    pub(super) fn zone_at_hand(&self, state: &State) -> Sea {
        state.crossing.route.seas()[state.crossing.leg as usize]
    }

    pub(crate) fn crossing_actions(&self, state: &State, out: &mut Vec<Action>) {
        match state.crossing.stage {
            Sailing::None => {}
            Sailing::Embarking => self.embarkations(state, out),
            Sailing::Interception(_) => {
                out.extend([Action::Pass, Action::Intercept]);
                if self.may_meet_in_port(state) {
                    out.push(Action::MeetInPort);
                }
            }
            Sailing::Sinking => {
                out.extend(self.distinct(state, &state.crossing.cargo, !0).iter().map(Action::Take));
            }
            _ => self.wing_actions(state, out),
        }
    }

    pub(crate) fn crossing_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        match (state.crossing.stage, action) {
            (Sailing::Embarking, Action::Invade(nation, area, sea)) => {
                self.invade(state, nation, area, sea, context);
            }
            (Sailing::Embarking, Action::Embark(unit)) => self.embark(state, unit),
            (Sailing::Embarking, Action::Overlord) => self.declare_overlord(state),
            (Sailing::Embarking, Action::LandArmour(nation)) => self.pay_for_armour(state, nation, context),
            (Sailing::Embarking, _) if state.crossing.cargo.is_empty() => Self::end_crossing(state),
            (Sailing::Embarking, _) => self.sail(state, context),
            (Sailing::Interception(_), Action::Intercept) => self.intercept(state, false, context),
            (Sailing::Interception(_), Action::MeetInPort) => self.intercept(state, true, context),
            (
                Sailing::Joining(_) | Sailing::Dogfight(_) | Sailing::Sparing(_) | Sailing::Returning(_),
                action,
            ) => self.wing_apply(state, action, context),
            (Sailing::Sinking, Action::Take(unit)) => {
                self.sink(state, unit, context);
                self.go_down(state, context);
            }
            _ => self.next_leg(state, context),
        }
    }

    /// The unit that moves sails to a port, on ships of whoever's Special Actions it uses.
    pub(crate) fn go_by_sea(
        &self,
        state: &mut State,
        unit: UnitId,
        to: Area,
        how: Way,
        context: &mut impl Rolls,
    ) {
        let sponsor = self.sponsor(state, self.nation(unit));
        let route = self.route_between(state, sponsor, state.location(unit), to);
        state.pending = Pending::None;
        self.sail_to(state, unit, to, route, how, context);
    }

    /// A unit sails to a port.
    pub(crate) fn sail_to(
        &self,
        state: &mut State,
        unit: UnitId,
        to: Area,
        route: Route,
        how: Way,
        context: &mut impl Rolls,
    ) {
        let mut cargo = Units::EMPTY;
        cargo.insert(unit);
        state.crossing = Crossing { cargo, to, how, route, ..Crossing::NONE };
        self.sail(state, context);
    }

    /// Ships leave port.
    pub(crate) fn sail(&self, state: &mut State, context: &mut impl Rolls) {
        state.crossing.leg = 0;
        self.enter_zone(state, context);
    }

    /// A zone is entered: enemies there may intercept.
    fn enter_zone(&self, state: &mut State, context: &mut impl Rolls) {
        let enemy = state.mover.other();
        // Neutral ships pass.
        let sails = state.crossing.transfer.map(|(nation, _)| nation);
        let sails = sails.or_else(|| state.crossing.cargo.first().map(|unit| self.nation(unit)));
        let neutral = sails.is_some_and(|nation| !self.is_at_war(state, nation));
        if !neutral && state.fleet_points(enemy, self.zone_at_hand(state)) > 0 {
            state.crossing.stage = Sailing::Interception(enemy);
        } else {
            self.next_leg(state, context);
        }
    }

    fn next_leg(&self, state: &mut State, context: &mut impl Rolls) {
        state.crossing.leg += 1;
        if (state.crossing.leg as usize) < state.crossing.route.seas().len() {
            self.enter_zone(state, context);
        } else {
            self.arrive_by_sea(state, context);
        }
    }

    /// The enemy tries to intercept, and fights if he succeeds: a die a Fleet Point on both sides at once (A80).
    fn intercept(&self, state: &mut State, in_port: bool, context: &mut impl Rolls) {
        if context.die(6) < u32::from(self.interception_needs(in_port)) {
            return self.next_leg(state, context);
        }
        if in_port {
            return self.meet_in_port(state, context);
        }
        let sunk = self.exchange_fire(state, [0; 2], context);
        self.suffer(state, sunk, context);
    }

    /// Fleets fire, with so many air units of each team beside them: what is lost of each.
    pub(super) fn exchange_fire(&self, state: &State, wings: [u8; 2], context: &mut impl Rolls) -> [u8; 2] {
        let naval = &self.rules.naval;
        let (team, sea) = (state.mover, self.zone_at_hand(state));
        let transfer = state.crossing.transfer.is_some();
        let mut fleets = Team::ALL.map(|team| state.fleet_points(team, sea));
        fleets[team.index()] += u8::from(transfer);
        let most = u32::from(naval.hit_on) - 1;
        let mut sunk = [0; 2];
        for at in Team::ALL {
            fleets[at.index()] += wings[at.index()];
        }
        for firing in [team, team.other()] {
            let aimed = self.aimed_points(state, firing, sea);
            let plain = fleets[firing.index()] - aimed;
            let easier = most.saturating_sub(u32::from(self.rules.optional.naval_air.bonus));
            let missed = context.hits(u32::from(plain), 6, most) + context.hits(u32::from(aimed), 6, easier);
            let hits = fleets[firing.index()] - missed as u8;
            sunk[firing.other().index()] = hits.min(fleets[firing.other().index()]);
        }
        context.emit(|| Event::NavalCombat { sea, fleets, sunk });
        sunk
    }

    /// Fleet Points are lost, and what they carry.
    pub(super) fn suffer(&self, state: &mut State, sunk: [u8; 2], context: &mut impl Rolls) {
        let (team, sea) = (state.mover, self.zone_at_hand(state));
        let (naval, transfer) = (&self.rules.naval, state.crossing.transfer.is_some());
        self.lose_points(state, team.other(), sea, sunk[team.other().index()], context);
        let own = state.fleet_points(team, sea);
        let lost = sunk[team.index()];
        if transfer {
            self.lose_points(state, team, sea, lost.min(own), context);
            if lost > own {
                let (nation, _) = state.crossing.transfer.expect("a fleet changes zone");
                context.emit(|| Event::FleetLost { nation, sea });
                return Self::end_crossing(state);
            }
            return self.next_leg(state, context);
        }
        // Escorts go down before carriers, or after them.
        let carriers = self.carriers(state);
        let carriers_lost = if naval.escorts_first {
            lost.saturating_sub(own.saturating_sub(carriers))
        } else {
            lost.min(carriers)
        };
        self.lose_points(state, team, sea, lost, context);
        let on_board = state.crossing.cargo.len() as u8;
        state.crossing.sinking = carriers_lost.saturating_mul(naval.carried).min(on_board);
        self.go_down(state, context);
    }

    /// Fleet Points that carry the cargo in each zone.
    fn carriers(&self, state: &State) -> u8 {
        (state.crossing.cargo.len() as u8).div_ceil(self.rules.naval.carried)
    }

    /// What goes down with its ships, as far as there is no choice.
    fn go_down(&self, state: &mut State, context: &mut impl Rolls) {
        let cargo = state.crossing.cargo;
        if u32::from(state.crossing.sinking) >= cargo.len() {
            for unit in cargo {
                self.sink(state, unit, context);
            }
        }
        if state.crossing.cargo.is_empty() {
            Self::end_crossing(state);
        } else if state.crossing.sinking == 0 {
            self.next_leg(state, context);
        } else {
            state.crossing.stage = Sailing::Sinking;
        }
    }

    fn sink(&self, state: &mut State, unit: UnitId, context: &mut impl Rolls) {
        let from = state.location(unit);
        state.crossing.cargo.remove(unit);
        state.crossing.sinking = state.crossing.sinking.saturating_sub(1);
        self.eliminate(state, unit, LossCause::Sunk, context);
        self.settle_area(state, from, context);
    }

    /// Fleet Points of a team in the war are sunk: those that can carry nobody any more first, of the nation that has most of them.
    pub(crate) fn lose_points(
        &self,
        state: &mut State,
        team: Team,
        sea: Sea,
        count: u8,
        context: &mut impl Rolls,
    ) {
        for _ in 0..count {
            let nations = state.nations(team);
            let most = |of: &dyn Fn(Nation) -> u8| {
                Nation::members(nations)
                    .filter(|nation| self.is_at_war(state, *nation))
                    .max_by_key(|nation| (of(*nation), std::cmp::Reverse(*nation)))
                    .filter(|nation| of(*nation) > 0)
            };
            let used = most(&|nation| state.fleets[nation.index()].used[sea.at()]);
            let ready = most(&|nation| state.fleets[nation.index()].ready[sea.at()]);
            let Some(nation) = used.or(ready) else { return };
            let fleet = &mut state.fleets[nation.index()];
            let points = if used.is_some() { &mut fleet.used } else { &mut fleet.ready };
            points[sea.at()] -= 1;
            state.cache.invalidate();
            context.emit(|| Event::FleetLost { nation, sea });
        }
    }

    /// Ready Fleet Points carry: those of a nation first, then those of partners that carry for it.
    pub(crate) fn use_points(&self, state: &mut State, first: Nation, sea: Sea, count: u8) {
        let Some(team) = state.team(first) else { return };
        let mut left = count;
        for nation in [first].into_iter().chain(Nation::members(state.nations(team))) {
            if !state.carries_for(nation, first) {
                continue;
            }
            let fleet = &mut state.fleets[nation.index()];
            let taken = left.min(fleet.ready[sea.at()]);
            fleet.ready[sea.at()] -= taken;
            fleet.used[sea.at()] += taken;
            left -= taken;
        }
        debug_assert_eq!(left, 0, "a Fleet Point for each unit");
    }

    /// Who is left arrives; the carriers have carried (play book, L545).
    fn arrive_by_sea(&self, state: &mut State, context: &mut impl Rolls) {
        let crossing = state.crossing;
        let carriers = self.carriers(state);
        Self::end_crossing(state);
        if let Some((nation, from)) = crossing.transfer {
            let to = crossing.route.seas()[0];
            state.fleets[nation.index()].used[to.at()] += 1;
            state.cache.invalidate();
            context.emit(|| Event::FleetMoved { nation, from, to });
            return;
        }
        let Some(first) = crossing.cargo.first() else { return };
        let owner = self.sponsor(state, self.nation(first));
        for sea in crossing.route.seas() {
            self.use_points(state, owner, *sea, carriers);
        }
        // Those with most steps are ashore first: what falls is theirs (A66).
        let mut left = crossing.cargo;
        while !left.is_empty() {
            let steps =
                |nation: Nation| self.steps_of(state, &left.and(&self.tables.of_nation[nation.index()]));
            let next =
                Nation::ALL.into_iter().max_by_key(|nation| (steps(*nation), std::cmp::Reverse(*nation)));
            let units = left.and(&self.tables.of_nation[next.unwrap_or(owner).index()]);
            left = left.difference(&units);
            for unit in units {
                self.enter(state, unit, crossing.to, crossing.how, context);
            }
        }
        if crossing.how == Way::Invasion {
            let americans = &self.tables.of_nation[Nation::UnitedStates.index()];
            if self.rules.options.american_increases && crossing.cargo.intersects(americans) {
                state.affairs.counts.americans[0].insert(crossing.to);
            }
            state.invaded.insert(crossing.to);
        }
    }

    /// A naval move is over.
    pub(crate) fn end_crossing(state: &mut State) {
        state.crossing = Crossing::NONE;
    }
}
