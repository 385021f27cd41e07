//! The Yugoslav partisans, by option (13.42): once the Axis has conquered Yugoslavia one of the Western Allies pays for a step a
//! turn, which appears on any rough ground there, among the enemy too, without a round that must be fought.

use sandtable_core::Index;

use crate::Rolls;
use crate::action::Action;
use crate::event::{Event, Purchase, Way};
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Areas, KindId, Nation, Team, UnitId, WESTERN_POWERS};
use crate::rules::Standing;
use crate::state::{State, happened, mark};

impl EuropeEngulfed {
    /// Whether a nation is that of the partisans, who have not got their capital back: always in supply, never out of its country, not
    /// to be conquered again.
    pub(crate) fn is_partisan(&self, state: &State, nation: Nation) -> bool {
        let capital = self.tables.capitals[Nation::Yugoslavia.index()];
        nation == Nation::Yugoslavia
            && state.affairs.has(happened::PARTISANS)
            && !capital.is_some_and(|capital| state.held(Team::Second).contains(capital))
    }

    /// An Allied player turn begins: with three players none of the Allies enters Yugoslavia in it if partisans stand there (13.42).
    pub(super) fn partisans_at_the_start(&self, state: &mut State) {
        let options = &self.rules.options;
        if !(options.partisans && options.three_players) {
            return;
        }
        let active = self.is_partisan(state, Nation::Yugoslavia)
            && self.tables.of_nation[Nation::Yugoslavia.index()].intersects(&state.on_map);
        state.affairs.happened &= !happened::YUGOSLAVIA_CLOSED;
        state.affairs.happened |= if active { happened::YUGOSLAVIA_CLOSED } else { 0 };
    }

    /// Whether a nation keeps out of Yugoslavia in this player turn (13.42).
    #[inline]
    pub(crate) fn is_left_to_partisans(&self, state: &State, nation: Nation) -> bool {
        state.affairs.has(happened::YUGOSLAVIA_CLOSED)
            && nation != Nation::Yugoslavia
            && state.mover == Team::Second
            && state.team(nation) == Some(Team::Second)
    }

    /// Ground on which partisans appear: none if nobody may pay for them now.
    pub(crate) fn partisan_ground(&self, state: &State) -> Areas {
        if !self.rules.options.partisans {
            return Areas::EMPTY;
        }
        let (from, cost) = self.rules.optional.partisans;
        let payer = state.payer;
        let home = &self.tables.home[Nation::Yugoslavia.index()];
        let conquered = state.affairs.has(happened::PARTISANS)
            || matches!(self.standing(state, Nation::Yugoslavia), Standing::Conquered | Standing::Absent);
        let axis = self.tables.capitals[Nation::Yugoslavia.index()]
            .is_some_and(|capital| state.held(Team::First).contains(capital));
        let open = WESTERN_POWERS.contains(&payer)
            && self.is_at_war(state, payer)
            && state.power(payer).werp >= cost
            && self.bimester(state.turn) >= from
            && !state.affairs.has(happened::PARTISANS_FED)
            && conquered
            && axis;
        // A Fleet Point in supply on the sea of their coast.
        let near = || {
            self.sea_zones().any(|sea| {
                self.tables.ports[sea.at()].intersects(home)
                    && state.fleet_points(Team::Second, sea) > 0
                    && self.has_port(state, Team::Second, sea)
            })
        };
        if open && near() { home.and(&self.tables.rough) } else { Areas::EMPTY }
    }

    /// A block of the partisans that is not on the map.
    fn partisan_of(&self, state: &State, kind: KindId) -> Option<UnitId> {
        self.counters(kind).find(|unit| !state.is_on_map(*unit))
    }

    /// Steps that may be bought for partisans: new blocks.
    pub(crate) fn partisan_blocks(&self, state: &State, out: &mut Vec<Action>) {
        let ground = self.partisan_ground(state);
        if ground.is_empty() {
            return;
        }
        for kind in (0..self.rules.kinds.len()).map(KindId::nth) {
            let data = &self.rules.kinds[kind.at()];
            if data.nation == Nation::Yugoslavia && self.partisan_of(state, kind).is_some() {
                out.extend(ground.iter().map(|area| Action::Partisans(kind, area)));
            }
        }
    }

    /// Partisans that may get their step.
    pub(crate) fn partisan_replacements(&self, state: &State, out: &mut Vec<Action>) {
        let ground = self.partisan_ground(state);
        if ground.is_empty() || !state.affairs.has(happened::PARTISANS) {
            return;
        }
        let blocks = self.tables.of_nation[Nation::Yugoslavia.index()].and(&state.on_map);
        let weak = blocks
            .filter(|unit| state.steps(unit) < self.max_steps(unit) && ground.contains(state.location(unit)));
        out.extend(self.distinct(state, &weak, 0).iter().map(Action::Replace));
    }

    /// A block of partisans appears.
    pub(crate) fn raise_partisans(
        &self,
        state: &mut State,
        kind: KindId,
        area: Area,
        context: &mut impl Rolls,
    ) {
        let Some(unit) = self.partisan_of(state, kind) else { return };
        let (nation, cost) = (state.payer, self.rules.optional.partisans.1);
        state.powers[nation.index()].werp -= cost;
        context.emit(|| Event::Bought { nation, what: Purchase::New(unit), cost });
        state.affairs.happened |= happened::PARTISANS;
        if state.team(Nation::Yugoslavia).is_none() {
            state.powers[Nation::Yugoslavia.index()].team = Some(Team::Second);
            self.set_standing(state, Nation::Yugoslavia, Standing::Belligerent, context);
        }
        state.affairs.happened |= happened::PARTISANS_FED;
        let from = state.location(unit);
        let disputed = state.is_disputed(area);
        state.steps[unit.at()] = 1;
        self.put(state, unit, area);
        if !disputed && state.is_disputed(area) {
            // Both sides show who is there, though nobody has to fight.
            for unit in state.at(area) {
                state.mark(unit, mark::REVEALED);
            }
        }
        context.emit(|| Event::Moved { unit, from, to: area, how: Way::Deployed });
        self.settle_area(state, area, context);
    }
}
