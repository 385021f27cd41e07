//! Decisions that optional rules put into a battle: before it the use of armour (14.45), a final offensive (13.34), carpet bombing
//! (14.47); in a withdrawal the pursuit (14.44).

use crate::Rolls;
use crate::action::Action;
use crate::event::{LossCause, SpecialAction};
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Nation, Team, UnitId, Units};
use crate::phase::{Choice, FireClass, Phase, Stage};
use crate::politics::is_western;
use crate::rules::Weather;
use crate::state::{State, UNDECIDED, happened, mark};

impl EuropeEngulfed {
    // ---- before the battle ----

    /// Asks what optional rules let be decided before the battle, from the nth decision on; then the defender answers.
    pub(super) fn ask_choices(&self, state: &mut State, from: usize, context: &mut impl Rolls) {
        let team = state.battle.attacker;
        let choices = [Choice::Risk(team), Choice::FinalOffensive(team), Choice::CarpetBombing(team)];
        if let Some(choice) =
            choices.into_iter().skip(from).find(|choice| self.is_choice_open(state, *choice))
        {
            // Mud lets Germany break through for its offensive alone (13.34).
            let only = state.phase == Phase::BreakthroughRound
                && state.battle.first
                && !self.weather_at(state, state.battle.area).breakthrough;
            if choice == Choice::FinalOffensive(team) && only {
                return self.choose(state, choice, context);
            }
            state.battle.stage = Stage::Choice(choice);
            return;
        }
        if state.battle.offensive {
            // Nobody withdraws or reinforces (13.34).
            return self.reveal(state, context);
        }
        self.ask_to_withdraw(state, None, context);
    }

    fn is_choice_open(&self, state: &State, choice: Choice) -> bool {
        let (options, area) = (&self.rules.options, state.battle.area);
        match choice {
            Choice::Risk(team) => {
                options.hit_distribution && self.blocks(state, team).intersects(&self.tables.armour)
            }
            Choice::FinalOffensive(team) => {
                let germans = &self.tables.of_nation[Nation::Germany.index()];
                options.final_offensives
                    && team == Team::First
                    && self.rules.optional.final_offensives.contains(&self.bimester(state.turn))
                    && self.fighting(state, team, self.blocks(state, team)).intersects(germans)
                    && self.offensive_front(state, area).is_some_and(|front| !state.affairs.has(front))
            }
            Choice::CarpetBombing(team) => {
                let here = state.at(area).and(&self.tables.land_units);
                let there = |nation: Nation| here.intersects(&self.tables.of_nation[nation.index()]);
                options.carpet_bombing
                    && team == Team::Second
                    && state.phase == Phase::Combat
                    && !state.battle.first
                    && !state.affairs.has(happened::CARPET_BOMBING)
                    && state.power(Nation::UnitedStates).special_actions > 0
                    && self.tables.home[Nation::France.index()].contains(area)
                    && state.weather[self.zone(area) as usize] == Weather::Clear
                    && there(Nation::UnitedStates)
                    && there(Nation::Germany)
            }
            _ => false,
        }
    }

    /// The front, as what happened on it, on which a final offensive into an area would be made: Soviets or Western Allies
    /// defend (13.34).
    pub fn offensive_front(&self, state: &State, area: Area) -> Option<u64> {
        let enemies = self.land_units_at(state, Team::Second, area);
        let mut nations = enemies.iter().map(|unit| self.nation(unit));
        nations.find_map(|nation| match nation {
            Nation::SovietUnion => Some(happened::OFFENSIVE_IN_THE_EAST),
            nation if is_western(nation) => Some(happened::OFFENSIVE_IN_THE_WEST),
            _ => None,
        })
    }

    /// Whether Germany may break through into an area in mud, for a final offensive that it has not made yet (13.34).
    pub(crate) fn may_offend_in_mud(&self, state: &State, nation: Nation, area: Area) -> bool {
        if !self.rules.options.final_offensives
            || nation != Nation::Germany
            || self.rules.optional.final_offensives.first() != Some(&self.bimester(state.turn))
            || state.weather[self.zone(area) as usize] != Weather::Mud
            || !state.manned(Team::Second).contains(area)
            || state.is_disputed(area)
        {
            return false;
        }
        let enemies = self.land_units_at(state, Team::Second, area);
        let soviet = enemies.intersects(&self.tables.of_nation[Nation::SovietUnion.index()]);
        let western = enemies.intersects(&self.tables.western);
        soviet && !state.affairs.has(happened::OFFENSIVE_IN_THE_EAST)
            || western && !state.affairs.has(happened::OFFENSIVE_IN_THE_WEST)
    }

    // ---- decisions ----

    pub(super) fn choices(&self, state: &State, choice: Choice, out: &mut Vec<Action>) {
        match choice {
            Choice::Misses(_) => {
                let americans = self.bombed_by_mistake(state);
                out.extend(self.distinct(state, &americans, 0).iter().map(Action::Take));
            }
            Choice::Commitment(team) => {
                out.extend((0..=self.committable(state, team).len() as u8).map(Action::Fighters));
            }
            _ => out.extend([Action::Pass, Action::Agree]),
        }
    }

    /// A decision is taken.
    pub(super) fn choose(&self, state: &mut State, choice: Choice, context: &mut impl Rolls) {
        match choice {
            Choice::Risk(_) => self.ask_choices(state, 1, context),
            Choice::FinalOffensive(_) => {
                state.affairs.happened |= self.offensive_front(state, state.battle.area).unwrap_or(0);
                state.battle.offensive = true;
                self.ask_choices(state, 2, context);
            }
            Choice::CarpetBombing(_) => self.bomb(state, context),
            Choice::Pursuit(team) => {
                state.battle.fighters = [UNDECIDED; 2];
                state.battle.stage = Stage::Choice(Choice::Commitment(team.other()));
            }
            Choice::Misses(_) | Choice::Commitment(_) => {}
        }
    }

    /// A decision is declined, or nothing is left of it.
    pub(super) fn decline(&self, state: &mut State, choice: Choice, context: &mut impl Rolls) {
        match choice {
            Choice::Risk(_) => {
                state.battle.risks = false;
                self.ask_choices(state, 1, context);
            }
            Choice::FinalOffensive(_) => self.ask_choices(state, 2, context),
            Choice::CarpetBombing(_) | Choice::Misses(_) => self.ask_choices(state, 3, context),
            Choice::Pursuit(_) => self.leave(state, context),
            Choice::Commitment(_) => self.commit(state, choice.team(), 0, context),
        }
    }

    // ---- carpet bombing ----

    fn bombed_by_mistake(&self, state: &State) -> Units {
        let americans = &self.tables.of_nation[Nation::UnitedStates.index()];
        self.blocks(state, Team::Second).and(americans)
    }

    /// A die for each German armour block: those hit lose a step and do not fire in this battle. With a low number the bombs fall
    /// on one American block too (14.47).
    fn bomb(&self, state: &mut State, context: &mut impl Rolls) {
        self.spend(state, Nation::UnitedStates, SpecialAction::CarpetBombing, context);
        state.affairs.happened |= happened::CARPET_BOMBING;
        // Nobody chooses among what he does not see.
        for unit in state.at(state.battle.area) {
            state.mark(unit, mark::REVEALED);
        }
        let [hit, missed] = self.rules.optional.carpet;
        let germans = &self.tables.of_nation[Nation::Germany.index()];
        let armour = self.blocks(state, Team::First).and(&self.tables.armour).and(germans);
        let mut short = false;
        for unit in armour {
            let die = context.die(6);
            short |= die <= u32::from(missed);
            if die >= u32::from(hit) {
                self.silence(state, unit, context);
            }
        }
        if self.blocks(state, Team::First).is_empty() {
            return self.end_battle(state, context);
        }
        if short {
            state.battle.stage = Stage::Choice(Choice::Misses(Team::First));
        } else {
            self.ask_choices(state, 3, context);
        }
    }

    /// The American block is named.
    pub(super) fn bomb_by_mistake(&self, state: &mut State, unit: UnitId, context: &mut impl Rolls) {
        self.silence(state, unit, context);
        if self.blocks(state, Team::Second).is_empty() {
            return self.end_battle(state, context);
        }
        self.ask_choices(state, 3, context);
    }

    fn silence(&self, state: &mut State, unit: UnitId, context: &mut impl Rolls) {
        state.mark(unit, mark::SILENCED);
        self.lose_step(state, unit, LossCause::Fire, context);
    }

    // ---- pursuit ----

    /// A nation withdraws from a newly disputed area: the attacker may pursue it (14.44).
    pub(super) fn ask_to_pursue(&self, state: &mut State, nation: Nation) {
        state.battle.leaving = Some(nation);
        state.battle.stage = if self.rules.options.pursuit && state.battle.first {
            Stage::Choice(Choice::Pursuit(state.battle.attacker))
        } else {
            Stage::Leaving(nation)
        };
    }

    /// Units of a team in a pursuit: of the defender those that withdraw.
    fn in_pursuit(&self, state: &State, team: Team) -> Units {
        let here = state.of_team_at(team, state.battle.area);
        match state.battle.leaving {
            Some(nation) if team != state.battle.attacker => here.and(&self.attached(state, nation)),
            _ => self.fighting(state, team, here),
        }
    }

    fn committable(&self, state: &State, team: Team) -> Units {
        self.in_pursuit(state, team).and(&self.tables.armour)
    }

    /// A team says how many armour blocks it commits, the defender first.
    pub(super) fn commit(&self, state: &mut State, team: Team, count: u8, context: &mut impl Rolls) {
        state.battle.fighters[team.index()] = count;
        if team != state.battle.attacker {
            state.battle.stage = Stage::Choice(Choice::Commitment(team.other()));
            return;
        }
        let committed = Team::ALL.map(|team| self.strongest(state, team));
        for unit in committed[0].or(&committed[1]) {
            state.mark(unit, mark::REVEALED);
        }
        for fires in [team.other(), team] {
            self.fire_in_pursuit(state, fires, &committed, context);
        }
        self.leave(state, context);
    }

    /// The armour that a team commits: its strongest blocks.
    fn strongest(&self, state: &State, team: Team) -> Units {
        let (mut left, mut chosen) = (self.committable(state, team), Units::EMPTY);
        for _ in 0..state.battle.fighters[team.index()] {
            let Some(unit) = left.iter().max_by_key(|unit| (state.steps(*unit), std::cmp::Reverse(*unit)))
            else {
                break;
            };
            left.remove(unit);
            chosen.insert(unit);
        }
        chosen
    }

    /// A die for each armour block committed and each air support unit. A hit costs a step of the enemy's armour committed, or
    /// steps of his infantry; the strongest first.
    fn fire_in_pursuit(
        &self,
        state: &mut State,
        team: Team,
        committed: &[Units; 2],
        context: &mut impl Rolls,
    ) {
        let pursues = usize::from(team == state.battle.attacker);
        let limit = u32::from(self.weather_at(state, state.battle.area).air_support);
        let air = self.in_pursuit(state, team).and(&self.usable_air(state, team)).len().min(limit);
        let armour = committed[team.index()].and(&state.on_map).len();
        let need = u32::from(self.rules.optional.pursuit_on[pursues]);
        let dice = air + armour;
        let hits = dice - context.hits(dice, 6, need - 1);
        // Those hit are the others.
        let infantry_steps = self.rules.optional.pursuit_infantry[pursues];
        let enemy = team.other();
        for _ in 0..hits {
            let armour = committed[enemy.index()].and(&state.on_map);
            let (targets, steps) = if armour.is_empty() {
                let class = &self.tables.classes[FireClass::Infantry as usize];
                (self.in_pursuit(state, enemy).and(class), infantry_steps)
            } else {
                (armour, 1)
            };
            for _ in 0..steps {
                let left = targets.and(&state.on_map);
                let target = left.iter().max_by_key(|unit| (state.steps(*unit), std::cmp::Reverse(*unit)));
                if let Some(unit) = target {
                    self.lose_step(state, unit, LossCause::Fire, context);
                    state.battle.lost[enemy.index()] += 1;
                }
            }
        }
    }

    /// The withdrawal goes on with those who are left.
    fn leave(&self, state: &mut State, context: &mut impl Rolls) {
        let Some(nation) = state.battle.leaving else { return };
        if self.defenders_of(state, nation).is_empty() {
            self.has_withdrawn(state, nation, context);
        } else {
            state.battle.stage = Stage::Leaving(nation);
        }
    }
}
