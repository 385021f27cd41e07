//! Pools of Special Actions that follow the war and not the calendar, by option (14.2): Germany loses two (14.21), the USSR and
//! the USA gain two each by what their generals learn (14.22, 14.23).

use crate::Rolls;
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Nation, Team};
use crate::rules::Bimester;
use crate::state::{Battle, State, condition, happened, mark};

/// Powers whose pools grow: the index of each in [`crate::state::Counts::growth`], and what it has for good.
const GROWING: [(Nation, u64, u64); 2] = [
    (Nation::SovietUnion, happened::SOVIET_SECOND, happened::SOVIET_THIRD),
    (Nation::UnitedStates, happened::AMERICAN_SECOND, happened::AMERICAN_THIRD),
];

impl EuropeEngulfed {
    /// Whether the war and not the calendar changes the pool of a nation (14.2).
    pub(crate) fn pool_follows_war(&self, nation: Nation) -> bool {
        let options = &self.rules.options;
        match nation {
            Nation::Germany => options.german_reductions,
            Nation::SovietUnion => options.soviet_increases,
            Nation::UnitedStates => options.american_increases,
            _ => false,
        }
    }

    /// Whether any of the pools does.
    fn pools_follow_war(&self) -> bool {
        let options = &self.rules.options;
        options.german_reductions || options.soviet_increases || options.american_increases
    }

    /// A turn begins: areas are counted (14.213, 14.214, 14.223).
    pub(crate) fn count_areas(&self, state: &mut State) {
        if !self.pools_follow_war() {
            return;
        }
        let axis = state.held(Team::First).len() as u8;
        let soviet = state.lands[Nation::SovietUnion.index()].len() as u8;
        let counts = &mut state.affairs.counts;
        counts.axis_areas = [axis, counts.axis_areas[0]];
        if self.bimester(state.turn).nth == 3 {
            counts.soviet_areas = (soviet, state.affairs.soviet_war > 0);
        }
    }

    /// A player turn begins: what the Axis holds with land units (14.221), and nobody has landed or fought yet.
    pub(crate) fn count_posts(&self, state: &mut State) {
        if !self.pools_follow_war() {
            return;
        }
        let posts = state.held(Team::First).and(state.manned(Team::First));
        let counts = &mut state.affairs.counts;
        (counts.posts, counts.posts_taken) = (posts, 0);
        counts.americans = Default::default();
    }

    /// The production of a nation begins: dice for its Special Actions.
    pub(crate) fn roll_for_special_actions(
        &self,
        state: &mut State,
        nation: Nation,
        context: &mut impl Rolls,
    ) {
        if !self.pool_follows_war(nation) {
            return;
        }
        if let Some(which) = GROWING.iter().position(|(owner, ..)| *owner == nation) {
            return self.roll_for_second(state, which, context);
        }
        self.roll_for_collapse(state, context);
        self.roll_for_fourth(state, context);
    }

    /// Germany loses a Special Action for good if the USSR has not been conquered two German player turns after the war began: on a
    /// six, each turn on one less, at last without a die (14.211, 14.212).
    fn roll_for_collapse(&self, state: &mut State, context: &mut impl Rolls) {
        let affairs = &state.affairs;
        let [turns, need] = self.rules.optional.collapse;
        // The German player turn of a war that the USSR has declared is the next one.
        let first = affairs.soviet_war + turns + u8::from(!affairs.has(happened::GERMANY_ATTACKED));
        if affairs.soviet_war == 0 || affairs.has(happened::COLLAPSE) || state.turn < first {
            return;
        }
        let need = need.saturating_sub(state.turn - first);
        if need <= 1 || context.die(6) >= u32::from(need) {
            state.affairs.happened |= happened::COLLAPSE;
            let pool = &mut state.powers[Nation::Germany.index()].special_action_pool;
            *pool = pool.saturating_sub(1);
        }
    }

    /// Whether Germany may build its fourth Special Action in this turn (14.214).
    fn roll_for_fourth(&self, state: &mut State, context: &mut impl Rolls) {
        if !state.affairs.has(happened::FOURTH_AT_RISK) {
            return;
        }
        let [lost, areas, before] = self.rules.optional.fourth;
        let [now, then] = state.affairs.counts.axis_areas;
        let mut die = context.die(6) as i8 + areas * (now.cmp(&then) as i8);
        if state.affairs.has(happened::NO_FOURTH) {
            die -= before;
        }
        state.affairs.happened &= !happened::NO_FOURTH;
        if die <= lost {
            state.affairs.happened |= happened::NO_FOURTH;
        }
    }

    /// The USSR or the USA roll for a second Special Action, the more surely the more they have learnt; with three conditions they
    /// have it for good (14.222, 14.232).
    fn roll_for_second(&self, state: &mut State, which: usize, context: &mut impl Rolls) {
        let (nation, second, _) = GROWING[which];
        let rules = &self.rules.optional.growth;
        let now = self.bimester(state.turn);
        let (begun, since) = if nation == Nation::SovietUnion {
            let war = state.affairs.soviet_war;
            (war > 0 && state.turn >= war + rules.soviet_turns, state.turn.saturating_sub(war))
        } else {
            (now >= rules.american_from, turns_between(self.rules.politics.usa_enters, now))
        };
        if state.affairs.has(second) {
            return;
        }
        let growth = &mut state.affairs.counts.growth[which];
        growth.right = false;
        if begun && since >= rules.anniversary {
            growth.conditions |= condition::ANNIVERSARY;
        }
        let met = growth.conditions.count_ones() as usize;
        if !begun || met == 0 {
            growth.running = 0;
            return;
        }
        if met > rules.rolls.len() {
            state.affairs.happened |= second;
            state.powers[nation.index()].special_action_pool += 1;
            return;
        }
        growth.right = context.die(6) >= u32::from(rules.rolls[met - 1]);
        growth.running = if growth.right { growth.running + 1 } else { 0 };
        if growth.running >= rules.running {
            growth.conditions |= condition::RUNNING;
        }
    }

    /// The pool of a nation as far as this turn alone gives or takes (14.214, 14.222, 14.232).
    pub(crate) fn pool_of_the_turn(&self, state: &State, nation: Nation, pool: u8) -> u8 {
        if !self.pool_follows_war(nation) {
            return pool;
        }
        match GROWING.iter().position(|(owner, ..)| *owner == nation) {
            Some(which) => pool + u8::from(state.affairs.counts.growth[which].right),
            None if state.affairs.has(happened::NO_FOURTH) => pool.min(3),
            None => pool,
        }
    }

    /// A battle is over: two areas in a player turn that the Axis held and the Soviets have won are a condition (14.221 b).
    pub(crate) fn note_conquest(&self, state: &mut State, area: Area) {
        let soviet = state.controller(area) == Some(Nation::SovietUnion);
        let counts = &mut state.affairs.counts;
        if !soviet || state.mover != Team::Second || !counts.posts.contains(area) {
            return;
        }
        counts.posts.remove(area);
        counts.posts_taken += 1;
        if counts.posts_taken >= self.rules.optional.growth.areas_taken {
            counts.growth[0].conditions |= condition::BATTLE;
        }
    }

    /// A battle begins: whether Americans fight in it without British units (14.231 c).
    pub(crate) fn note_americans(&self, state: &mut State) {
        if !self.rules.options.american_increases {
            return;
        }
        let here = state.at(state.battle.area).and(&self.tables.land_units);
        let there = |nation: Nation| here.intersects(&self.tables.of_nation[nation.index()]);
        state.affairs.counts.americans_alone =
            there(Nation::UnitedStates) && !there(Nation::GreatBritain) && !there(Nation::VichyFrance);
    }

    /// A battle ends, its marks still there: Soviets have crossed a river into an Axis area and hold on (14.221 a); Americans have
    /// fought alone (14.231 c).
    pub(crate) fn note_battle(&self, state: &mut State, battle: &Battle) {
        if !self.pools_follow_war() {
            return;
        }
        let here = self.land_units_at(state, Team::Second, battle.area);
        let soviets = here.and(&self.tables.of_nation[Nation::SovietUnion.index()]);
        let crossed = soviets.intersects(&state.marked(mark::CROSSED));
        let counts = &mut state.affairs.counts;
        let attacks = battle.attacker == Team::Second && battle.first;
        if attacks && crossed && counts.posts.contains(battle.area) {
            counts.growth[0].conditions |= condition::ASSAULT;
        }
        if std::mem::take(&mut counts.americans_alone) {
            counts.americans[1].insert(battle.area);
        }
    }

    /// Whether American land units stand in an area.
    fn has_americans(&self, state: &State, area: Area) -> bool {
        let americans = self.tables.of_nation[Nation::UnitedStates.index()].and(&self.tables.land_units);
        state.at(area).intersects(&americans)
    }

    /// The Initial Combat Phase ends: an American landing that has survived it (14.231 a).
    pub(crate) fn note_landings(&self, state: &mut State) {
        if state.affairs.counts.americans[0].iter().any(|area| self.has_americans(state, area)) {
            state.affairs.counts.growth[1].conditions |= condition::ASSAULT;
        }
    }

    /// A player turn ends: Americans who have fought alone and are still there (14.231 c), or who stand on the mainland at the end of
    /// an Axis player turn (14.223); Soviet areas at the end of September and October (14.213, 14.223).
    pub(crate) fn note_conditions_at_the_end(&self, state: &mut State) {
        if !self.pools_follow_war() {
            return;
        }
        if state.affairs.counts.americans[1].iter().any(|area| self.has_americans(state, area)) {
            state.affairs.counts.growth[1].conditions |= condition::BATTLE;
        }
        if state.mover == Team::First {
            let mut mainland = self.rules.optional.growth.mainland.iter();
            if mainland.any(|area| self.has_americans(state, area)) {
                self.gain_third(state, 1);
            }
            return;
        }
        let (before, at_war) = state.affairs.counts.soviet_areas;
        let more = state.lands[Nation::SovietUnion.index()].len() > u32::from(before);
        if self.bimester(state.turn).nth == 5 && before > 0 && more {
            if at_war && self.rules.options.german_reductions {
                state.affairs.happened |= happened::FOURTH_AT_RISK;
            }
            self.gain_third(state, 0);
        }
    }

    /// A third Special Action for who has the second for good (14.223).
    fn gain_third(&self, state: &mut State, which: usize) {
        let (nation, second, third) = GROWING[which];
        if self.pool_follows_war(nation) && state.affairs.has(second) && !state.affairs.has(third) {
            state.affairs.happened |= third;
            state.powers[nation.index()].special_action_pool += 1;
        }
    }
}

/// Turns from one bimester to a later one.
fn turns_between(from: Bimester, to: Bimester) -> u8 {
    let turns = |at: Bimester| i32::from(at.year) * 6 + i32::from(at.nth);
    (turns(to) - turns(from)).clamp(0, 255) as u8
}
