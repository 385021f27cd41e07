//! What the defender answers for Special Actions: withdrawal before combat (7.51), reinforcement (7.6), counterattack (7.7).

use sandtable_core::Index;

use crate::Rolls;
use crate::action::Action;
use crate::event::{LossCause, SpecialAction, Way};
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Areas, Nation, Team, UnitId, Units};
use crate::phase::{Mode, Stage};
use crate::state::{State, mark};

impl EuropeEngulfed {
    // ---- withdrawal: all nations decide before any reinforces (A43) ----

    pub(super) fn ask_to_withdraw(&self, state: &mut State, after: Option<Nation>, context: &mut impl Rolls) {
        match self.next_defender(state, after, |nation| self.can_withdraw(state, nation)) {
            Some(nation) => state.battle.stage = Stage::Withdraw(nation),
            None if self.blocks(state, state.battle.attacker.other()).is_empty() => {
                // Nobody is left: the attackers take the area, no round is fought (A46).
                self.end_battle(state, context);
            }
            None => self.ask_to_reinforce(state, None, context),
        }
    }

    /// Where a unit may withdraw to: by land, or a land unit by sea, a ready Fleet Point each, unless those without a way by land
    /// need them all (play book, L331; A45).
    fn exits(&self, state: &State, unit: UnitId) -> Areas {
        let by_land = self.exits_by_land(state, unit);
        if self.is_air(unit) || !by_land.is_empty() && !self.ships_to_spare(state, unit) {
            return by_land;
        }
        by_land.or(&self.exits_by_sea(state, unit))
    }

    /// Friendly ports on a zone of the battle's own port, with a ready Fleet Point there: nobody intercepts (A45).
    fn exits_by_sea(&self, state: &State, unit: UnitId) -> Areas {
        let team = state.battle.attacker.other();
        let from = state.battle.area;
        if !state.held(team).contains(from) {
            return Areas::EMPTY;
        }
        let owner = self.sponsor(state, self.nation(unit));
        let ready = self.seas_with(|sea| {
            self.harbours_at(state, team, sea).contains(from) && state.ready_for(owner, sea) > 0
        });
        let ports = self.harbours_on(state, team, ready).and(state.held(team)).difference(&state.disputed());
        let open = self.open_among(state, self.nation(unit), &ports);
        self.roomy_among(state, team, unit, open, &Units::EMPTY)
    }

    /// Fleet Points that can take land units of a nation out of the battle, to a port on their zone (A45).
    fn ships_at_hand(&self, state: &State, nation: Nation) -> u32 {
        let (team, from) = (state.battle.attacker.other(), state.battle.area);
        let havens = self.friendly(state, nation).and(state.held(team)).difference(&state.disputed());
        let near = self.sea_zones().filter(|sea| {
            let ports = self.harbours_at(state, team, *sea);
            ports.contains(from) && ports.intersects(&havens)
        });
        near.map(|sea| u32::from(state.ready_for(nation, sea))).sum()
    }

    /// Land units of a nation in the battle that can leave by sea alone.
    fn without_land_exit(&self, state: &State, nation: Nation) -> u32 {
        let land = self.defenders_of(state, nation).and(&self.tables.land_units);
        land.filter(|unit| self.exits_by_land(state, unit).is_empty()).len()
    }

    fn ships_to_spare(&self, state: &State, unit: UnitId) -> bool {
        let payer = self.sponsor(state, self.nation(unit));
        self.rules.setup.fleets_used
            && self.ships_at_hand(state, payer) > self.without_land_exit(state, payer)
    }

    /// Friendly, undisputed areas next to the battle; air units by a link too (A45).
    fn exits_by_land(&self, state: &State, unit: UnitId) -> Areas {
        let team = state.battle.attacker.other();
        let from = state.battle.area;
        let mut near = *self.land().neighbours(from);
        if self.is_air(unit) {
            near = near.or(&self.tables.links[from.at()]);
        }
        let near = near.and(state.held(team)).difference(&state.disputed());
        let open = self.open_among(state, self.nation(unit), &near);
        let open = open.filter(|to| self.is_air(unit) || !self.is_strait_shut(state, team, from, to));
        self.roomy_among(state, team, unit, open, &Units::EMPTY)
    }

    /// Whether a nation can pull all its land units out (A45: all or none).
    pub(super) fn can_withdraw(&self, state: &State, nation: Nation) -> bool {
        let land = self.defenders_of(state, nation).and(&self.tables.land_units);
        state.power(nation).special_actions > 0
            && !land.is_empty()
            && land.iter().all(|unit| !self.exits(state, unit).is_empty())
            && (!self.rules.setup.fleets_used
                || self.without_land_exit(state, nation) <= self.ships_at_hand(state, nation))
    }

    pub(super) fn withdraw(&self, state: &mut State, nation: Nation, context: &mut impl Rolls) {
        self.spend(state, nation, SpecialAction::Withdrawal, context);
        self.ask_to_pursue(state, nation);
    }

    /// The next unit that leaves: air units before the land units that cover them (A45).
    fn next_to_leave(&self, state: &State, nation: Nation) -> Option<UnitId> {
        let units = self.defenders_of(state, nation);
        units.and(&self.tables.air_units).first().or_else(|| units.first())
    }

    /// The exits of the next unit that leaves.
    pub(super) fn departing(&self, state: &State, nation: Nation, out: &mut Vec<Action>) {
        if let Some(unit) = self.next_to_leave(state, nation) {
            out.extend(self.exits(state, unit).iter().map(Action::Go));
        }
    }

    pub(super) fn leave_battle(&self, state: &mut State, nation: Nation, to: Area, context: &mut impl Rolls) {
        if let Some(unit) = self.next_to_leave(state, nation) {
            if !self.exits_by_land(state, unit).contains(to) {
                let from = state.battle.area;
                let sea = self.sea_zones().find(|sea| {
                    let ports = self.harbours_at(state, state.battle.attacker.other(), *sea);
                    ports.contains(from) && ports.contains(to) && state.ready_for(nation, *sea) > 0
                });
                if let Some(sea) = sea {
                    self.use_points(state, nation, sea, 1);
                }
            }
            let freezes = state.battle.attacker == Team::Second && self.is_freezing(state, state.battle.area);
            self.enter(state, unit, to, Way::Withdrawal, context);
            state.unmark(unit, mark::REVEALED | mark::SILENCED);
            if freezes && !self.is_air(unit) {
                // 14.42 d.
                self.lose_to_winter(state, unit, context);
            }
        }
        if self.defenders_of(state, nation).is_empty() {
            self.has_withdrawn(state, nation, context);
        }
    }

    /// The nation has left. Units without an exit are lost (A45: air units without one, land units crowded out).
    pub(super) fn has_withdrawn(&self, state: &mut State, nation: Nation, context: &mut impl Rolls) {
        for unit in self.defenders_of(state, nation) {
            self.eliminate(state, unit, LossCause::Overrun, context);
        }
        self.ask_to_withdraw(state, Some(nation), context);
    }

    // ---- reinforcement ----

    pub(super) fn ask_to_reinforce(
        &self,
        state: &mut State,
        after: Option<Nation>,
        context: &mut impl Rolls,
    ) {
        match self.next_defender(state, after, |nation| self.can_reinforce(state, nation)) {
            Some(nation) => state.battle.stage = Stage::Reinforce(nation),
            None => self.reveal(state, context),
        }
    }

    /// Whether a nation has a Special Action and somebody to bring.
    pub(super) fn can_reinforce(&self, state: &State, nation: Nation) -> bool {
        // Once in the player turn of Overlord (13.46 b).
        if self.is_overlord_turn(state) && state.affairs.counts.overlord.reinforced {
            return false;
        }
        state.power(nation).special_actions > 0
            && !self.reinforcements_from(state, nation, Areas::EMPTY).is_empty()
    }

    /// Units that may still come for the Special Action at hand: from each adjacent friendly, undisputed area one land unit and
    /// any number of air units (play book, L271, L315; A44).
    pub(super) fn reinforcements(&self, state: &State, nation: Nation) -> Units {
        // Nobody comes to a counterattack on the beach of Overlord (13.46 b).
        let counters = matches!(state.battle.stage, Stage::CounterArriving(_));
        let overlord = state.affairs.counts.overlord.area == state.battle.area;
        if counters && overlord && self.is_overlord_turn(state) {
            return Units::EMPTY;
        }
        self.reinforcements_from(state, nation, state.battle.drawn)
    }

    fn reinforcements_from(&self, state: &State, nation: Nation, drawn: Areas) -> Units {
        let team = state.battle.attacker.other();
        let here = state.battle.area;
        let near = self.land().neighbours(here).and(state.held(team)).difference(&state.disputed());
        let mut units = Units::EMPTY;
        for area in near {
            units = units.or(&state.at(area));
        }
        units.and(&self.attached(state, nation)).filter(|unit| {
            (self.is_air(unit) || !drawn.contains(state.location(unit)))
                && !self.defends_only(self.nation(unit))
                && self.is_open_to(state, self.nation(unit), here)
                && (self.is_air(unit)
                    || !self.is_mired(state, unit, here)
                        && !self.is_strait_shut(state, team, state.location(unit), here))
                && self.has_room(state, team, unit, here)
        })
    }

    pub(super) fn reinforce(&self, state: &mut State, nation: Nation, context: &mut impl Rolls) {
        self.spend(state, nation, SpecialAction::Reinforcement, context);
        if self.is_overlord_turn(state) {
            state.affairs.counts.overlord.reinforced = true;
        }
        state.battle.drawn = Areas::EMPTY;
        state.battle.stage = Stage::Arriving(nation);
    }

    pub(super) fn arrive(&self, state: &mut State, nation: Nation, unit: UnitId, context: &mut impl Rolls) {
        let from = state.location(unit);
        if !self.is_air(unit) {
            state.battle.drawn.insert(from);
        }
        let stage = state.battle.stage;
        let marks = state.marks(unit);
        self.enter(state, unit, state.battle.area, Way::Reinforcement, context);
        // It has not used up a move of its own, and no bonus is against it.
        state.set_marks(unit, marks);
        if self.reinforcements(state, nation).is_empty() {
            state.battle.stage = stage;
            self.end_stage(state, context);
        }
    }

    /// Reinforcement may be repeated (A43).
    pub(super) fn has_reinforced(&self, state: &mut State, nation: Nation, context: &mut impl Rolls) {
        if self.can_reinforce(state, nation) {
            state.battle.stage = Stage::Reinforce(nation);
        } else {
            self.ask_to_reinforce(state, Some(nation), context);
        }
    }

    // ---- counterattack ----

    pub(super) fn ask_to_counterattack(
        &self,
        state: &mut State,
        after: Option<Nation>,
        context: &mut impl Rolls,
    ) {
        let battle = state.battle;
        let open = battle.counterattacks < self.rules.combat.counterattacks
            && state.manned(battle.attacker).contains(battle.area);
        let can = |nation: Nation| {
            let land = self.defenders_of(state, nation).and(&self.tables.land_units);
            open && state.power(nation).special_actions > 0 && !land.is_empty()
        };
        match self.next_defender(state, after, can) {
            Some(nation) => state.battle.stage = Stage::Counterattack(nation),
            None => self.end_battle(state, context),
        }
    }

    /// A nation attacks back at once, with the reinforcements of 7.6 and the mode it likes; those of its player take part (A42).
    pub(super) fn counterattack(
        &self,
        state: &mut State,
        nation: Nation,
        mode: Mode,
        context: &mut impl Rolls,
    ) {
        self.spend(state, nation, SpecialAction::Counterattack, context);
        let team = state.battle.attacker.other();
        let player = self.player(state, nation);
        let strikers =
            Nation::members(state.nations(team)).filter(|other| self.player(state, *other) == player);
        let strikers = strikers.fold(0, |mask, other| mask | other.bit());
        state.unmark_these(&state.at(state.battle.area), mark::SUPPORTED);
        let battle = &mut state.battle;
        battle.counterattacks += 1;
        (battle.striker, battle.strikers, battle.mode) = (team, strikers, mode);
        battle.drawn = Areas::EMPTY;
        battle.stage = Stage::CounterArriving(nation);
    }
}
