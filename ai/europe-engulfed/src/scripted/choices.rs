//! Decisions that optional rules put into a battle (13.34, 14.44, 14.45, 14.47), each by what it is expected to bring and cost.

use sandtable_europe_engulfed::phase::{Choice, Mode};
use sandtable_europe_engulfed::rules::Branch;
use sandtable_europe_engulfed::{Action, Team};

use sandtable_ai::policy::best_action;

use super::Scripted;
use super::combat::dearness;
use crate::battle::{FACES, chance};
use crate::outlook::Outlook;

/// Steps of an armour block.
const BLOCK: f32 = 3.5;

/// One side of a pursuit: armour blocks that may be committed, steps of infantry, aircraft that fire.
#[derive(Clone, Copy, Debug)]
struct Column {
    armour: f32,
    infantry: f32,
    air: f32,
}

impl Scripted {
    /// The answer to a decision of an optional rule.
    pub(super) fn answer(
        &mut self,
        outlook: &Outlook<'_>,
        choice: Choice,
        legal: &[Action],
    ) -> Option<Action> {
        self.look(outlook);
        let agrees = match choice {
            Choice::Misses(_) => {
                return best_action(legal, |action| match action {
                    Action::Take(unit) => dearness(outlook.game, outlook.state, unit),
                    _ => -1000.0,
                });
            }
            Choice::Commitment(_) => {
                return best_action(legal, |action| match action {
                    Action::Fighters(count) => self.pursuit(outlook, f32::from(count)),
                    _ => -1000.0,
                });
            }
            Choice::Pursuit(_) => self.pursuit(outlook, self.column(outlook, outlook.team).armour) > 0.0,
            Choice::Risk(_) => self.risk(outlook) > 0.0,
            Choice::FinalOffensive(_) => self.is_best_offensive(outlook),
            Choice::CarpetBombing(_) => self.carpet(outlook) > 0.0,
        };
        Some(if agrees { Action::Agree } else { Action::Pass })
    }

    /// Armour, infantry and aircraft of a team in the battle, as far as can be seen.
    fn column(&self, outlook: &Outlook<'_>, team: Team) -> Column {
        let &Outlook { game, state, .. } = outlook;
        let area = state.battle.area;
        let army = self.survey.army(team, area);
        let own = || {
            game.land_units_at(state, team, area).iter().filter(|unit| game.branch(*unit) == Branch::Armour)
        };
        let armour = if team == outlook.team { own().count() as f32 } else { army.steps[1] / BLOCK };
        let most = f32::from(game.weather_at(state, area).air_support);
        Column { armour, infantry: army.steps[0], air: army.air.min(most) }
    }

    /// What a pursuit is worth to the own side if it commits so many armour blocks, and the enemy all of his: each hit costs a step
    /// of armour committed, or several of infantry.
    fn pursuit(&self, outlook: &Outlook<'_>, committed: f32) -> f32 {
        let &Outlook { game, state, team, weights, .. } = outlook;
        let rules = &game.rules.optional;
        let own = Column { armour: committed, ..self.column(outlook, team) };
        let foe = self.column(outlook, team.other());
        let pursues = team == state.battle.attacker;
        let role = |own: bool| usize::from(own == pursues);
        let hits = |column: Column, own: bool| {
            let chance = (7.0 - f32::from(rules.pursuit_on[role(own)])) / FACES;
            chance * (column.air + column.armour)
        };
        // A hit never costs more than there is.
        let cost = |at: Column, hits: f32, by_own: bool| {
            if at.armour > 0.0 {
                weights.dear * hits.min(BLOCK * at.armour)
            } else {
                (hits * f32::from(rules.pursuit_infantry[role(by_own)])).min(at.infantry)
            }
        };
        outlook.kill() * cost(foe, hits(own, true), true)
            - outlook.loss() * cost(own, hits(foe, false), false)
    }

    /// What it is worth that armour fights infantry too: its fire that finds no armour, against the hits of infantry that fall on
    /// it, one for so many (14.45).
    fn risk(&self, outlook: &Outlook<'_>) -> f32 {
        let &Outlook { game, state, team, weights, .. } = outlook;
        let battle = &state.battle;
        let [own, foe] = [team, team.other()].map(|team| self.survey.army(team, battle.area));
        let dice = f32::from(game.rules.combat.dice_per_step[battle.mode as usize]);
        let chance = |bonus: u8| chance(game, f32::from(bonus));
        let at_armour = own.steps[1] * dice * chance(0);
        let at_infantry = own.steps[1] * dice * chance(game.rules.bonuses.armour_at_infantry);
        // With armour before it the armour fires at that first either way.
        let spare =
            if foe.steps[1] <= 0.0 { 1.0 } else { (1.0 - foe.steps[1] / at_armour.max(0.01)).max(0.0) };
        let gained = (at_infantry * spare).min(foe.steps[0]);
        let bonus = game.defender_bonus(state, team.other(), battle.area);
        let struck = foe.steps[0] * dice * chance(bonus) / f32::from(game.hits_per_armour(state));
        let most = if game.is_fortified(state, battle.area) { own.steps[1] / BLOCK } else { 1.0 };
        // What does not fall on armour falls on infantry, if there is any.
        let spared = if own.steps[0] > 0.0 { 1.0 } else { 0.0 };
        outlook.kill() * gained - outlook.loss() * (weights.dear - spared).max(0.0) * struck.min(most)
    }

    /// Whether no battle that is still open on the front is worth more: a final offensive is made once on each (13.34).
    fn is_best_offensive(&self, outlook: &Outlook<'_>) -> bool {
        let &Outlook { game, state, .. } = outlook;
        let (area, mode) = (state.battle.area, state.battle.mode);
        let here = self.worth_of_round(outlook, (None, area, mode));
        let front = game.offensive_front(state, area);
        let open = state.disputed().difference(&state.fought);
        let mut rivals =
            open.iter().filter(|&other| other != area && game.offensive_front(state, other) == front);
        here > 0.0
            && rivals.all(|rival| {
                Mode::ALL.iter().all(|&mode| self.worth_of_round(outlook, (None, rival, mode)) <= here)
            })
    }

    /// What carpet bombing is worth (14.47): steps and the fire of the enemy's armour, most of it German, against a step and the fire
    /// of an American block and the Special Action.
    fn carpet(&self, outlook: &Outlook<'_>) -> f32 {
        let &Outlook { game, state, team, weights, .. } = outlook;
        let [hit, short] = game.rules.optional.carpet.map(f32::from);
        let blocks = self.survey.army(team.other(), state.battle.area).steps[1] / BLOCK;
        let fire = BLOCK / FACES;
        let struck = blocks * (7.0 - hit) / FACES;
        let missed = 1.0 - (1.0 - short / FACES).powf(blocks);
        outlook.kill() * weights.dear * struck + outlook.loss() * struck * fire
            - missed * (outlook.loss() + outlook.kill() * fire)
            - weights.special
    }
}
