//! Air support units in naval combat, by option (14.46): the interceptor tries at sea, or in the destination port, where he succeeds more
//! often and the air units of both sides join, each as a Fleet Point.
//!
//! ```text
//!  who joins, the interceptor first        Joining      how many of his air units
//!  where both have some                    Dogfight     how many fight the others, the rest the fleet
//!  fleets and air units fire at once
//!  who is hit                              Sparing      how many air units are lost instead of Fleet Points
//!  survivors                               Returning    stay, or cross an air link
//! ```

use sandtable_core::Index;

use crate::Rolls;
use crate::action::Action;
use crate::event::{Event, LossCause, Way};
use crate::game::EuropeEngulfed;
use crate::ids::{Areas, Nation, Sea, Team, UnitId, Units, WESTERN_POWERS};
use crate::phase::Sailing;
use crate::state::{AirAtSea, State, mark};

impl EuropeEngulfed {
    /// Whether the naval move can be met in the port where it ends: that is on the zone at hand.
    pub(super) fn may_meet_in_port(&self, state: &State) -> bool {
        let crossing = &state.crossing;
        self.rules.options.naval_air
            && crossing.transfer.is_none()
            && self.rules.areas[crossing.to.at()].ports >> self.zone_at_hand(state).at() & 1 != 0
    }

    /// What an interception needs on the die.
    pub(super) fn interception_needs(&self, in_port: bool) -> u8 {
        let rules = &self.rules.optional.naval_air;
        match (self.rules.options.naval_air, in_port) {
            (false, _) => self.rules.naval.intercept_on,
            (true, false) => rules.at_sea,
            (true, true) => rules.in_port,
        }
    }

    /// Teams in the order in which they decide: the interceptor first.
    fn in_turn(state: &State) -> [Team; 2] {
        [state.mover.other(), state.mover]
    }

    /// Air units of a team in the port that may join: in England and France with three times the enemy's fighters alone, and not
    /// after a naval combat of the same player turn (A139).
    pub fn wings(&self, state: &State, team: Team) -> Units {
        let (to, rules) = (state.crossing.to, &self.rules.optional.naval_air);
        let fighters = |team: Team| u16::from(state.strategic.fighters[team.index()]);
        // Any against none is more than three to one; none are no superiority.
        let [own, enemy] = [team, team.other()].map(fighters);
        let superior = own > 0 && own >= u16::from(rules.superiority) * enemy;
        if rules.guarded.contains(to) && !superior {
            return Units::EMPTY;
        }
        let here = self.air_units_at(state, team, to).difference(&state.crossing.cargo);
        here.difference(&state.marked(mark::UNSUPPLIED | mark::FLOWN))
    }

    /// The interceptor has found the move in its port.
    pub(super) fn meet_in_port(&self, state: &mut State, context: &mut impl Rolls) {
        state.crossing.air = AirAtSea::NONE;
        self.ask_to_join(state, None, context);
    }

    fn ask_to_join(&self, state: &mut State, after: Option<Team>, context: &mut impl Rolls) {
        let mut teams = Self::in_turn(state).into_iter().skip(usize::from(after.is_some()));
        if after == Some(state.mover) {
            return self.ask_to_dogfight(state, context);
        }
        match teams.find(|team| !self.wings(state, *team).is_empty()) {
            Some(team) => state.crossing.stage = Sailing::Joining(team),
            None => self.ask_to_dogfight(state, context),
        }
    }

    fn ask_to_dogfight(&self, state: &mut State, context: &mut impl Rolls) {
        if state.crossing.air.joined.contains(&0) {
            return self.fight_in_port(state, context);
        }
        state.crossing.stage = Sailing::Dogfight(Self::in_turn(state)[0]);
    }

    /// Decisions about air units.
    pub(super) fn wing_actions(&self, state: &State, out: &mut Vec<Action>) {
        let air = &state.crossing.air;
        match state.crossing.stage {
            Sailing::Joining(team) => {
                out.extend((0..=self.wings(state, team).len() as u8).map(Action::Fighters));
            }
            Sailing::Dogfight(team) => out.extend((0..=air.joined[team.index()]).map(Action::Fighters)),
            Sailing::Sparing(team) => {
                let [least, most] = self.wings_for_ships(state, team);
                out.extend((least..=most).map(Action::Fighters));
            }
            Sailing::Returning(team) => {
                out.push(Action::Pass);
                out.extend(self.far_shores(state, team).iter().map(Action::Go));
            }
            _ => {}
        }
    }

    pub(super) fn wing_apply(&self, state: &mut State, action: Action, context: &mut impl Rolls) {
        match (state.crossing.stage, action) {
            (Sailing::Joining(team), Action::Fighters(count)) => {
                state.crossing.air.joined[team.index()] = count;
                self.ask_to_join(state, Some(team), context);
            }
            (Sailing::Dogfight(team), Action::Fighters(count)) => {
                state.crossing.air.dogfight[team.index()] = count;
                if team == state.mover {
                    self.fight_in_the_air(state, context);
                } else {
                    state.crossing.stage = Sailing::Dogfight(state.mover);
                }
            }
            (Sailing::Sparing(team), Action::Fighters(count)) => {
                self.lose_wings(state, team, count, LossCause::Sunk, context);
                state.crossing.air.sunk[team.index()] -= count;
                self.ask_to_spare(state, Some(team), context);
            }
            (Sailing::Returning(team), Action::Go(to)) => {
                if let Some(unit) = self.next_wing(state, team) {
                    let from = state.location(unit);
                    self.put(state, unit, to);
                    state.mark(unit, mark::FLOWN);
                    state.crossing.air.joined[team.index()] -= 1;
                    context.emit(|| Event::Moved { unit, from, to, how: Way::Operational });
                }
                self.ask_to_return(state, Some(team), context);
            }
            (Sailing::Returning(team), _) => {
                self.stay(state, team);
                self.ask_to_return(state, Some(team), context);
            }
            _ => self.ask_to_return(state, None, context),
        }
    }

    /// Air units that fight each other do so first (as over land, 6.6).
    fn fight_in_the_air(&self, state: &mut State, context: &mut impl Rolls) {
        let fighters = state.crossing.air.dogfight;
        let mut hits = [0; 2];
        for team in Self::in_turn(state) {
            let dice = fighters[team.index()];
            let most = u32::from(self.rules.combat.air_hit_on) - 1;
            let there = state.crossing.air.joined[team.other().index()];
            hits[team.index()] = (dice - context.hits(u32::from(dice), 6, most) as u8).min(there);
        }
        if fighters != [0; 2] {
            context.emit(|| Event::AirCombat { fighters, hits });
        }
        for team in Team::ALL {
            self.lose_wings(state, team, hits[team.other().index()], LossCause::AirCombat, context);
        }
        self.fight_in_port(state, context);
    }

    /// Air units of a team that attack the fleet.
    fn attackers(state: &State, team: Team) -> u8 {
        let air = &state.crossing.air;
        air.joined[team.index()].saturating_sub(air.dogfight[team.index()])
    }

    fn fight_in_port(&self, state: &mut State, context: &mut impl Rolls) {
        let wings = Team::ALL.map(|team| Self::attackers(state, team));
        let sunk = self.exchange_fire(state, wings, context);
        state.crossing.air.sunk = sunk;
        self.ask_to_spare(state, None, context);
    }

    /// Fleet Points whose dice hit more easily: British and American ones that intercept the Axis.
    pub(super) fn aimed_points(&self, state: &State, team: Team, sea: Sea) -> u8 {
        if !self.rules.options.naval_air || team != Team::Second || state.mover != Team::First {
            return 0;
        }
        let points = |nation: Nation| {
            let fleet = &state.fleets[nation.index()];
            if self.is_at_war(state, nation) { fleet.ready[sea.at()] + fleet.used[sea.at()] } else { 0 }
        };
        WESTERN_POWERS.map(points).iter().sum()
    }

    /// The least and most air units of a team that are lost in place of Fleet Points.
    fn wings_for_ships(&self, state: &State, team: Team) -> [u8; 2] {
        let sunk = state.crossing.air.sunk[team.index()];
        let points = state.fleet_points(team, self.zone_at_hand(state));
        let most = sunk.min(Self::attackers(state, team));
        [sunk.saturating_sub(points).min(most), most]
    }

    fn ask_to_spare(&self, state: &mut State, after: Option<Team>, context: &mut impl Rolls) {
        if after != Some(state.mover) {
            let mut teams = Self::in_turn(state).into_iter().skip(usize::from(after.is_some()));
            if let Some(team) = teams.find(|team| self.wings_for_ships(state, *team)[1] > 0) {
                state.crossing.stage = Sailing::Sparing(team);
                return;
            }
        }
        self.ask_to_return(state, None, context);
    }

    /// Where an air unit that has joined may go instead of staying: across an air link.
    fn far_shores(&self, state: &State, team: Team) -> Areas {
        let to = state.crossing.to;
        match self.next_wing(state, team) {
            Some(unit) => self.enterable_among(state, unit, to, &self.tables.links[to.at()]),
            None => Areas::EMPTY,
        }
    }

    fn next_wing(&self, state: &State, team: Team) -> Option<UnitId> {
        let left = state.crossing.air.joined[team.index()] > 0;
        self.wings(state, team).first().filter(|_| left)
    }

    /// Those of a team that have joined stay: in a dispute they do not fight in the Combat Phase.
    fn stay(&self, state: &mut State, team: Team) {
        while let Some(unit) = self.next_wing(state, team) {
            state.mark(unit, mark::FLOWN);
            state.crossing.air.joined[team.index()] -= 1;
        }
        state.crossing.air.joined[team.index()] = 0;
    }

    fn ask_to_return(&self, state: &mut State, after: Option<Team>, context: &mut impl Rolls) {
        for team in Self::in_turn(state) {
            if after == Some(state.mover) && team != state.mover {
                continue;
            }
            if !self.far_shores(state, team).is_empty() {
                state.crossing.stage = Sailing::Returning(team);
                return;
            }
            self.stay(state, team);
        }
        let sunk = state.crossing.air.sunk;
        self.suffer(state, sunk, context);
    }

    /// Air units of a team are lost: of the nation that has most there.
    fn lose_wings(
        &self,
        state: &mut State,
        team: Team,
        count: u8,
        cause: LossCause,
        context: &mut impl Rolls,
    ) {
        for _ in 0..count {
            let wings = self.wings(state, team);
            let of = |unit: UnitId| wings.and(&self.tables.of_nation[self.nation(unit).index()]).len();
            let Some(unit) = wings.iter().max_by_key(|unit| (of(*unit), std::cmp::Reverse(*unit))) else {
                return;
            };
            self.eliminate(state, unit, cause, context);
            let air = &mut state.crossing.air;
            air.joined[team.index()] = air.joined[team.index()].saturating_sub(1);
            if cause == LossCause::AirCombat {
                air.dogfight[team.index()] = air.dogfight[team.index()].saturating_sub(1);
            }
        }
    }
}
