//! The Soviet Union's own wars, by option (14.321, 14.322): before its war with Germany it may attack minors beside its units, one at a
//! time, and garrisons what it has conquered. It pays for it with lend-lease, and Germany may surprise it meanwhile. In the European
//! War it may attack the Axis minors together (16.33).

use sandtable_core::Board;

use crate::Rolls;
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Areas, Nation, Nations, Team};
use crate::rules::{NationKind, Standing};
use crate::state::{State, happened};

impl EuropeEngulfed {
    /// Whether the USSR may declare war on a neutral minor: one a turn, beside Soviet land units, while it is at war with nobody
    /// (14.321).
    pub(super) fn may_soviets_attack(&self, state: &State, on: Nation) -> bool {
        let wars = &state.affairs.counts.soviets;
        let kind = self.rules.nations[on.index()].kind;
        let soviet = Nation::SovietUnion;
        self.rules.options.soviet_wars
            && self.rules.setup.situation.politics
            && state.mover == Team::Second
            && state.team(soviet) == Some(Team::Second)
            && state.affairs.soviet_war == 0
            && self.bimester(state.turn) >= self.rules.optional.soviet_wars_from
            && wars.victim.is_none()
            && matches!(kind, NationKind::Minor | NationKind::AxisMinor)
            && self.standing(state, on) == Standing::Neutral
            && state.team(on).is_none()
            && state.affairs.mobilizing & on.bit() == 0
            && self.is_beside_soviets(state, on)
    }

    /// Axis minors that are still neutral, as a group, if the USSR may declare war on it: where the scenario says so, once it is at war
    /// with Germany (16.33(1)). The group is named by its first member.
    pub(super) fn may_soviets_attack_group(&self, state: &State, on: Nation) -> bool {
        self.rules.setup.situation.soviets_attack_minors
            && state.mover == Team::Second
            && state.team(Nation::SovietUnion) == Some(Team::Second)
            && state.affairs.soviet_war > 0
            && Nation::members(self.neutral_axis_minors(state)).next() == Some(on)
    }

    /// Axis minors that have not joined: on whom the USSR at war with Germany declares war together, where it may (16.33(1)).
    pub fn neutral_axis_minors(&self, state: &State) -> Nations {
        let minors = Nation::ALL.into_iter().filter(|nation| {
            self.rules.nations[nation.index()].kind == NationKind::AxisMinor
                && self.standing(state, *nation) == Standing::Neutral
                && state.team(*nation).is_none()
        });
        minors.fold(0, |mask, nation| mask | nation.bit())
    }

    /// They all join the Axis (16.33(1)), surprised by the USSR (14.43).
    pub(super) fn begin_war_on_group(&self, state: &mut State, context: &mut impl Rolls) {
        let group = self.neutral_axis_minors(state);
        state.affairs.surprise.on |= group;
        state.affairs.happened |= happened::AXIS_MINORS_ATTACKED;
        for nation in Nation::members(group) {
            self.join_axis(state, nation, context);
        }
    }

    /// Whether Soviet land units stand next to the land of a nation.
    fn is_beside_soviets(&self, state: &State, nation: Nation) -> bool {
        let soviets = self.tables.of_nation[Nation::SovietUnion.index()].and(&self.tables.land_units);
        let there: Areas = state.places.occupied(&soviets.and(&state.on_map));
        self.land().neighbours_of(&there).intersects(&state.lands_of(nation.bit()))
    }

    /// A war of the USSR with a minor begins.
    pub(super) fn begin_war_on_minor(&self, state: &mut State, on: Nation) {
        let wars = &mut state.affairs.counts.soviets;
        (wars.victim, wars.declared) = (Some(on), state.turn);
    }

    /// A minor has fallen to the USSR: its areas want a garrison from the end of the next turn on (14.321).
    pub(super) fn end_war_on_minor(&self, state: &mut State, nation: Nation) {
        let turn = state.turn;
        let wars = &mut state.affairs.counts.soviets;
        if wars.victim == Some(nation) {
            wars.victim = None;
            wars.conquered |= nation.bit();
            (wars.last, wars.fell) = (Some(nation), turn);
        }
    }

    /// Home areas of conquered minors in which the USSR owes a land unit, until its war with Germany (14.321).
    pub(super) fn conquests_to_guard(&self, state: &State) -> Areas {
        let wars = &state.affairs.counts.soviets;
        if wars.conquered == 0 || state.affairs.soviet_war > 0 {
            return Areas::EMPTY;
        }
        let due = Nation::members(wars.conquered)
            .filter(|nation| wars.last != Some(*nation) || state.turn > wars.fell);
        let lands = due.fold(Areas::EMPTY, |all, nation| all.or(&self.tables.home[nation.index()]));
        lands.and(&state.lands_of(Nation::SovietUnion.bit()))
    }

    /// Whether Germany that attacks now finds the USSR at war with a minor, or in the first Axis player turn after its conquest
    /// (14.322).
    pub(super) fn are_soviets_distracted(&self, state: &State) -> bool {
        let wars = &state.affairs.counts.soviets;
        wars.victim.is_some() || wars.last.is_some() && state.turn == wars.fell + 1
    }

    /// An Allied player turn begins: the Axis that controls a Soviet home area has roused the USSR (14.322).
    pub(super) fn rouse_soviets(&self, state: &mut State) {
        let home = &self.tables.home[Nation::SovietUnion.index()];
        if state.affairs.has(happened::SOVIETS_CAUGHT) && home.intersects(state.held(Team::First)) {
            state.affairs.happened |= happened::USSR_ENTERED;
            self.open_draft(state);
        }
    }

    /// Whether the cadre benefit and the draft wait for the Axis to hold a Soviet home area (16.33(3); 14.322).
    pub(crate) fn do_benefits_wait(&self, state: &State) -> bool {
        let waits = self.rules.setup.situation.benefits_wait || state.affairs.has(happened::SOVIETS_CAUGHT);
        waits && !state.affairs.has(happened::USSR_ENTERED)
    }

    /// Whether the USSR at war still has its income of peace: caught at war with a minor, until the Axis holds a Soviet home area
    /// or a date (14.322).
    pub(crate) fn is_income_of_peace(&self, state: &State) -> bool {
        state.affairs.soviet_war == 0
            || state.affairs.has(happened::SOVIETS_CAUGHT)
                && self.do_benefits_wait(state)
                && self.bimester(state.turn) < self.rules.optional.soviets_wake
    }

    /// Whether the USSR has attacked a neutral (14.311, 14.322).
    pub(crate) fn has_attacked_neutral(&self, state: &State) -> bool {
        state.affairs.counts.soviets.declared > 0
    }

    /// Whether a Soviet land unit stands alone in an area: its garrison.
    pub(super) fn lone_guard(&self, state: &State, area: Area) -> bool {
        let soviets = self.tables.of_nation[Nation::SovietUnion.index()].and(&self.tables.land_units);
        state.at(area).and(&soviets).len() == 1
    }
}
