//! Odds of a battle: the exact distribution of what a round and its counterattack lead to, from the rules' own combat code (6.0).
//!
//! Nothing of the rules is written again here: the battle is opened and carried on by the functions that play the game, with dice
//! that fall in every way there is. What the rules leave to the players is laid down by a [`Conduct`]. Positions are walked from
//! fire to fire, and equal ones are merged before they are walked on.
//!
//! Conducts bring nobody and withdraw nobody: reinforcements (7.6) are put into the area beforehand.

use std::collections::HashMap;

use sandtable_core::enumerate::EveryRoll;
use sandtable_core::{Digest, PlayContext, Pmf, Stepwise};

use crate::Rolls;
use crate::action::Action;
use crate::game::EuropeEngulfed;
use crate::ids::{Area, Nations, Team, UnitId};
use crate::phase::{FireClass, Mode, Stage};
use crate::state::State;

/// What a team does where the rules leave it a choice inside a battle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Plan {
    /// Air units it sends into air combat, at most (6.6).
    pub fighters: u8,
    /// It counterattacks in this mode if it can (7.7).
    pub counterattack: Option<Mode>,
}

/// What both teams do, by [`Team::index`].
///
/// Armour is supported before infantry, blocks of more steps first; armour and blocks with most bonuses fire first; hits fall on
/// blocks that are neither elite nor supported, and of those on the one with most steps.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Conduct {
    /// By team.
    pub plans: [Plan; 2],
}

/// What a battle leads to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BattleResult {
    /// Land steps lost, by team.
    pub lost: [u16; 2],
    /// Air units lost, by team.
    pub air_lost: [u16; 2],
    /// The area is the attacker's alone.
    pub won: bool,
}

impl EuropeEngulfed {
    /// The distribution of the results of a battle of the mover in an area, in a position before it is named.
    pub fn odds(&self, state: &State, area: Area, mode: Mode, conduct: Conduct) -> Pmf<BattleResult> {
        let mut walk = Walk::default();
        walk.spread(1.0, |context| {
            let mut next = state.clone();
            self.begin_battle(&mut next, area, mode, Nations::MAX, context);
            self.carry_on(&mut next, conduct, context);
            next
        });
        let mut results = Vec::new();
        while !walk.open.is_empty() {
            let mut next = Walk::default();
            for (position, probability) in std::mem::take(&mut walk.open) {
                if position.battle.stage == Stage::None {
                    results.push((self.result_of_battle(state, &position, area), probability));
                    continue;
                }
                next.spread(probability, |context| {
                    let mut after = position.clone();
                    self.conducted(&mut after, conduct, context);
                    self.carry_on(&mut after, conduct, context);
                    after
                });
            }
            walk = next;
        }
        Pmf::weighted(results)
    }

    /// Plays a battle on by a conduct to its end, from a decision inside it: what [`EuropeEngulfed::odds`] weighs, sampled.
    pub fn fight_by<T: sandtable_core::Context<crate::Event>>(
        &self,
        state: &mut State,
        area: Area,
        mode: Mode,
        conduct: Conduct,
        context: &mut T,
    ) -> BattleResult {
        let before = state.clone();
        self.begin_battle(state, area, mode, Nations::MAX, context);
        while state.battle.stage != Stage::None {
            self.conducted(state, conduct, context);
        }
        self.result_of_battle(&before, state, area)
    }

    /// Plays on to the next fire, or the end of the battle.
    fn carry_on(&self, state: &mut State, conduct: Conduct, context: &mut impl Rolls) {
        loop {
            match state.battle.stage {
                Stage::None => return,
                Stage::Fire(team) if self.groups_left(state, team) => return,
                _ => self.conducted(state, conduct, context),
            }
        }
    }

    /// Plays one decision as a conduct has it, or ends a stage without one.
    fn conducted(&self, state: &mut State, conduct: Conduct, context: &mut impl Rolls) {
        let open = self.open_actions(state);
        match self.choice(state, &open, conduct) {
            Some(action) => self.battle_apply(state, action, context),
            None => self.end_stage(state, context),
        }
    }

    fn choice(&self, state: &State, open: &[Action], conduct: Conduct) -> Option<Action> {
        let plan = |team: Team| &conduct.plans[team.index()];
        match state.battle.stage {
            Stage::AirSplit(team) => {
                let most = open.len().saturating_sub(1) as u8;
                Some(Action::Fighters(plan(team).fighters.min(most)))
            }
            Stage::Support(_) => {
                open.iter().copied().max_by_key(|action| unit_of(*action).map(|unit| self.worth(state, unit)))
            }
            Stage::Fire(_) => open.last().copied(),
            Stage::Loss(_) => open
                .iter()
                .copied()
                .min_by_key(|action| unit_of(*action).map(|unit| self.dearness(state, unit))),
            Stage::Counterattack(nation) => {
                let mode = state.team(nation).and_then(|team| plan(team).counterattack);
                Some(mode.map_or(Action::Pass, Action::Counterattack))
            }
            _ => open.first().copied(),
        }
    }

    /// Dice that an air unit helps: of armour before infantry.
    fn worth(&self, state: &State, unit: UnitId) -> (bool, u8) {
        (self.tables.classes[FireClass::Armour as usize].contains(unit), state.steps(unit))
    }

    /// What a step of a block is worth to its owner.
    fn dearness(&self, state: &State, unit: UnitId) -> (bool, bool, u8) {
        let supported = state.has_mark(unit, crate::state::mark::SUPPORTED);
        (self.tables.elite.contains(unit), supported, 8 - state.steps(unit))
    }

    fn result_of_battle(&self, before: &State, after: &State, area: Area) -> BattleResult {
        let count = |state: &State, team: Team, air: bool| -> u16 {
            let units = if air { &self.tables.air_units } else { &self.tables.land_units };
            let units = state.of_team[team.index()].and(units);
            units.iter().map(|unit| u16::from(state.steps(unit))).sum()
        };
        let lost = |team: Team, air: bool| count(before, team, air) - count(after, team, air);
        BattleResult {
            lost: Team::ALL.map(|team| lost(team, false)),
            air_lost: Team::ALL.map(|team| lost(team, true)),
            won: !after.manned(before.mover.other()).contains(area)
                && after.manned(before.mover).contains(area),
        }
    }
}

fn unit_of(action: Action) -> Option<UnitId> {
    match action {
        Action::Support(unit) | Action::Take(unit) => Some(unit),
        _ => None,
    }
}

/// Positions with their probabilities, equal ones once, in the order in which they were found.
#[derive(Default)]
struct Walk {
    open: Vec<(State, f64)>,
    at: HashMap<u64, Vec<usize>>,
}

impl Walk {
    /// Adds every position that `play` leads to.
    fn spread(&mut self, probability: f64, mut play: impl FnMut(&mut PlayContext<EveryRoll>) -> State) {
        let mut context = PlayContext::silent(EveryRoll::new());
        loop {
            let position = play(&mut context);
            self.add(position, probability * context.dice.probability());
            if !context.dice.advance() {
                return;
            }
        }
    }

    fn add(&mut self, position: State, probability: f64) {
        let same = self.at.entry(Digest::of(&position)).or_default();
        if let Some(&at) = same.iter().find(|&&at| self.open[at].0 == position) {
            self.open[at].1 += probability;
        } else {
            same.push(self.open.len());
            self.open.push((position, probability));
        }
    }
}
