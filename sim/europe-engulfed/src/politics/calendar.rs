//! What comes by date, and what is checked at the end of a turn (9.0).

use crate::Rolls;
use crate::event::{Event, LossCause};
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Areas, Nation, Team, UnitId};
use crate::rules::Standing;
use crate::state::{State, happened};

use super::is_western;
use sandtable_core::Board;

impl EuropeEngulfed {
    /// A turn begins: the USA come in (17.7), Axis minors join (reconstructed dates).
    pub(crate) fn politics_of_the_turn(&self, state: &mut State, context: &mut impl Rolls) {
        let situation = &self.rules.setup.situation;
        if !situation.politics {
            return;
        }
        let now = self.bimester(state.turn);
        let politics = &self.rules.politics;
        if situation.usa && now >= politics.usa_enters {
            for nation in [Nation::UnitedStates, Nation::FreeFrance] {
                // There are no Free French while France fights.
                let fallen = state.affairs.has(happened::FALL_OF_FRANCE);
                let exile = state.affairs.has(happened::FRANCE_IN_EXILE);
                let france = nation == Nation::FreeFrance && (!fallen || exile);
                if self.standing(state, nation) == Standing::Absent && !france {
                    state.powers[nation.index()].team = Some(Team::Second);
                    self.set_standing(state, nation, Standing::Belligerent, context);
                }
            }
        }
        if self.rules.options.western_wars
            && state.affairs.has(happened::PORTUGAL_ATTACKED)
            && self.standing(state, Nation::Spain) == Standing::Neutral
        {
            self.join_axis(state, Nation::Spain, context);
        }
        if self.rules.options.german_freedom {
            return self.roll_for_joining(state, context);
        }
        for &(nation, date) in &politics.joins {
            if now >= date
                && self.standing(state, nation) == Standing::Neutral
                && state.team(nation).is_none()
            {
                self.join_axis(state, nation, context);
            }
        }
    }

    /// By option 14.311 five powers roll after the fall of France whether they join the Axis: one die each turn, until they join or
    /// are neutral for good.
    fn roll_for_joining(&self, state: &mut State, context: &mut impl Rolls) {
        if !state.affairs.has(happened::FALL_OF_FRANCE) {
            return;
        }
        let politics = &self.rules.politics;
        let [joins, never] = politics.joining_roll;
        let before = state.affairs;
        for &nation in &politics.candidates {
            let open = self.standing(state, nation) == Standing::Neutral
                && state.team(nation).is_none()
                && state.affairs.never_joins & nation.bit() == 0;
            if !open {
                continue;
            }
            let neighbour = Nation::members(before.joined).any(|other| self.share_a_border(nation, other));
            let mut roll = context.die(6) as i8;
            roll += i8::from(neighbour);
            let attacked =
                self.has_attacked_neutral(state) || state.affairs.has(happened::AXIS_MINORS_ATTACKED);
            roll += 2 * i8::from(attacked);
            roll -= i8::from(state.affairs.has(happened::WAR_ON_SWEDEN_OR_SPAIN));
            roll -= 2 * i8::from(state.affairs.has(happened::WAR_ON_CANDIDATE));
            roll -= 2 * i8::from(nation == Nation::Yugoslavia);
            if roll >= joins {
                self.join_axis(state, nation, context);
            } else if roll <= never {
                state.affairs.never_joins |= nation.bit();
            }
        }
    }

    /// Whether two nations have home areas that touch.
    fn share_a_border(&self, one: Nation, other: Nation) -> bool {
        let beside = self.land().neighbours_of(&self.tables.home[one.index()]);
        beside.intersects(&self.tables.home[other.index()])
    }

    /// By option 13.41 Sweden sells no more and Finland leaves the war once the Western Allies have Paris and the Soviets all their home
    /// resources at the start of an Axis Production Phase late enough.
    pub(crate) fn scandinavian_prudence(&self, state: &mut State, context: &mut impl Rolls) {
        let late = self.bimester(state.turn) >= self.rules.politics.scandinavian_prudence;
        if !self.rules.options.scandinavian_prudence || !late || state.mover != Team::First {
            return;
        }
        let paris = self.tables.capitals[Nation::France.index()].and_then(|paris| state.controller(paris));
        let soviet = state.lands_of(Nation::SovietUnion.bit());
        let mut resources = self.tables.resources.iter().filter(|one| one.home == Some(Nation::SovietUnion));
        if !paris.is_some_and(is_western) || !resources.all(|one| soviet.contains(one.area)) {
            return;
        }
        state.affairs.happened |= happened::NO_ORE;
        if self.is_at_war(state, Nation::Finland) && state.team(Nation::Finland) == Some(Team::First) {
            self.leaves_the_war(state, Nation::Finland, context);
            self.passes_on(state, Nation::Finland, Team::First, |_| Some(Nation::SovietUnion), context);
        }
    }

    /// A player turn begins: Italy comes in once Paris or France has fallen (9.42, reconstructed); France and Great Britain at
    /// the start of the Allied player turn of September and October 1939 (17.8(1)); the Soviets when they must (16.33(1));
    /// whether Yugoslavia is left to its partisans (13.42); the First Winter.
    pub(crate) fn politics_of_the_player_turn(&self, state: &mut State, context: &mut impl Rolls) {
        let situation = &self.rules.setup.situation;
        if !situation.politics {
            return;
        }
        let neutral = |state: &State, nation: Nation| {
            self.standing(state, nation) == Standing::Neutral && state.team(nation).is_some()
        };
        match state.mover {
            Team::First => {
                let paris = self.tables.capitals[Nation::France.index()];
                let paris_fell = paris.is_some_and(|paris| state.held(Team::First).contains(paris));
                let fallen = paris_fell || state.affairs.has(happened::FALL_OF_FRANCE);
                if neutral(state, Nation::Italy) && fallen {
                    context.emit(|| Event::WarDeclared { by: Nation::Italy, on: Nation::GreatBritain });
                    self.set_standing(state, Nation::Italy, Standing::Belligerent, context);
                    self.italian_conquests_pass(state, context);
                }
            }
            Team::Second => {
                for &(turn, nation) in &situation.enters {
                    if turn == state.turn && neutral(state, nation) {
                        context.emit(|| Event::WarDeclared { by: nation, on: Nation::Germany });
                        self.set_standing(state, nation, Standing::Belligerent, context);
                    }
                }
                let now = self.bimester(state.turn);
                let must = situation.soviets_must_declare.is_some_and(|date| now >= date);
                if must && state.affairs.soviet_war == 0 && neutral(state, Nation::SovietUnion) {
                    self.declare_war(state, Nation::SovietUnion, Nation::Germany, context);
                }
                self.rouse_soviets(state);
                self.partisans_at_the_start(state);
                self.first_winter(state, context);
            }
        }
    }

    /// Whether it is the first January and February of the war in the USSR (9.13), and Germany has not paused for it (14.41). A war
    /// that the USSR begins in January has its First Winter a year later (A119).
    pub(crate) fn is_first_winter(&self, state: &State) -> bool {
        let affairs = &state.affairs;
        let at_war = affairs.soviet_war > 0
            && (affairs.has(happened::GERMANY_ATTACKED) || affairs.soviet_war < state.turn);
        let passed = happened::FIRST_WINTER | happened::PAUSE;
        self.bimester(state.turn).nth == 1 && at_war && !affairs.has(passed)
    }

    /// The First Winter (9.13): every Axis land unit in Soviet home areas loses a step, but for cadres, armour and Finns
    /// (reconstructed from 14.42). By option 14.42 it strikes in combat alone, until the end of the turn.
    fn first_winter(&self, state: &mut State, context: &mut impl Rolls) {
        if !self.is_first_winter(state) || self.rules.options.winter_combat {
            return;
        }
        state.affairs.happened |= happened::FIRST_WINTER;
        let soviet = self.tables.home[Nation::SovietUnion.index()];
        let units = state.of_team[Team::First.index()].and(&self.tables.land_units).and(&state.on_map);
        for unit in units.difference(&self.tables.armour) {
            if soviet.contains(state.location(unit)) {
                self.lose_to_winter(state, unit, context);
            }
        }
    }

    /// A unit freezes: a step, but for cadres and Finns.
    pub(crate) fn lose_to_winter(&self, state: &mut State, unit: UnitId, context: &mut impl Rolls) {
        if state.steps(unit) > 1 && self.nation(unit) != Nation::Finland {
            self.lose_step(state, unit, LossCause::Winter, context);
        }
    }

    /// The end of a player turn of the second team.
    pub(crate) fn politics_of_the_turn_end(&self, state: &mut State, context: &mut impl Rolls) {
        if !self.rules.setup.situation.politics {
            return;
        }
        if self.rules.options.winter_combat && self.is_first_winter(state) {
            state.affairs.happened |= happened::FIRST_WINTER;
        }
        let oslo = self.tables.capitals[Nation::Norway.index()];
        let norway_lost = oslo.and_then(|oslo| state.controller(oslo)).is_some_and(is_western);
        if norway_lost || self.standing(state, Nation::Sweden) != Standing::Neutral {
            state.affairs.happened |= happened::NO_ORE;
        }
        self.conquest_of_france(state, context);
        self.end_of_vichy(state, context);
        self.italy_falters(state, context);
    }

    /// Italian morale collapses when no Axis land unit is left in Africa, or Sicily is lost (16.2; reconstructed): the fleet is
    /// neutralized. From the next check on Italy surrenders with an area of its mainland (A86).
    fn italy_falters(&self, state: &mut State, context: &mut impl Rolls) {
        if !self.is_at_war(state, Nation::Italy) {
            return;
        }
        let politics = &self.rules.politics;
        let lost = |areas: Areas| areas.intersects(state.held(Team::Second));
        if !state.affairs.has(happened::ITALIAN_COLLAPSE) {
            // Vichy's blocks hold nothing for Italy.
            let axis = state.of_team[Team::First.index()].and(&self.tables.land_units);
            let axis = axis.difference(&self.tables.of_nation[Nation::VichyFrance.index()]);
            let africa_lost = !politics.africa.iter().any(|area| state.at(area).intersects(&axis));
            let sicily_lost = politics.sicily.is_some_and(|sicily| state.held(Team::Second).contains(sicily));
            if africa_lost || sicily_lost {
                state.affairs.happened |= happened::ITALIAN_COLLAPSE;
                self.scuttle(state, Nation::Italy);
            }
            return;
        }
        let mainland = self.tables.home[Nation::Italy.index()].difference(&politics.italian_islands);
        if lost(mainland) {
            self.leaves_the_war(state, Nation::Italy, context);
            // What it has conquered is Germany's, as its WERP were (A66).
            let owner = |area: Area| {
                let own = self.country_of(area).owner == Nation::Italy;
                Some(if own { Nation::GreatBritain } else { Nation::Germany })
            };
            self.passes_on(state, Nation::Italy, Team::First, owner, context);
        }
    }

    /// Whether a Major Power is conquered (10.4, reconstructed).
    pub fn is_conquered(&self, state: &State, nation: Nation) -> bool {
        let Some(team) = state.team(nation) else {
            return self.standing(state, nation) == Standing::Conquered;
        };
        let enemy = state.held(team.other());
        let mut rules = self.rules.politics.conquest.iter().filter(|rule| rule.nation == nation);
        rules.any(|rule| {
            let some = rule.some.0.and(enemy).len();
            rule.all.difference(enemy).is_empty() && some >= u32::from(rule.some.1)
        })
    }
}
