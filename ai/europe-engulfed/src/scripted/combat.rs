//! Which battles are fought in which mode, and the decisions inside them (6.0, 7.5 to 7.7).

use sandtable_core::Index;
use sandtable_europe_engulfed::ids::Area;
use sandtable_europe_engulfed::phase::{FireClass, Mode, Stage};
use sandtable_europe_engulfed::rules::Branch;
use sandtable_europe_engulfed::state::mark;
use sandtable_europe_engulfed::{Action, EuropeEngulfed, Nation, State, Team, UnitId};

use sandtable_ai::policy::best_action;

use super::Scripted;
use crate::battle::{Army, Expectation, Ground, class_of, crossing_bonus, round};
use crate::outlook::{AttackValue, Outlook, REGAIN};

/// What is crossed in an area by the attackers that are there, by class; where the viewer does not see their class, for both.
fn crossed(game: &EuropeEngulfed, state: &State, attacker: Team, viewer: Team, area: Area) -> [u8; 2] {
    let mut most = [0; 2];
    for unit in game.land_units_at(state, attacker, area) {
        let value = crossing_bonus(game, state.marks(unit));
        // Who has landed and is not shown is infantry.
        let known = attacker == viewer || state.has_mark(unit, mark::REVEALED | mark::LANDED);
        for (class, most) in most.iter_mut().enumerate() {
            if !known || class == class_of(game, unit) as usize {
                *most = (*most).max(value);
            }
        }
    }
    most
}

impl Scripted {
    /// Who attacks of the own team in an area: those of the nation that pays, if one does, and not who only defends (16.12).
    pub(super) fn strikers(outlook: &Outlook<'_>, payer: Option<Nation>, area: Area) -> Army {
        let &Outlook { game, state, team, .. } = outlook;
        let units = state.of_team_at(team, area).filter(|unit| !game.defends_only(game.nation(unit)));
        let paid = payer.map(|nation| game.attached(state, nation));
        Army::of(game, state, &paid.map_or(units, |paid| units.and(&paid)))
    }

    /// What a round of the attacker in an area is expected to bring as things stand.
    fn expected(
        &self,
        outlook: &Outlook<'_>,
        attacker: Team,
        (payer, area, mode): (Option<Nation>, Area, Mode),
    ) -> Expectation {
        let &Outlook { game, state, team: viewer, .. } = outlook;
        let mut armies = [attacker, attacker.other()].map(|team| self.survey.army(team, area));
        if viewer == attacker {
            armies[0] = Scripted::strikers(outlook, payer, area);
            // A breakthrough, with or without movement, meets whom the enemy can bring.
            if payer.is_some() {
                armies[1] = self.survey.defender(attacker.other(), area, 0);
            }
        }
        let mut ground = Ground::of(game, state, attacker, area);
        let battle = &state.battle;
        let first = if battle.area == area { battle.first } else { state.newly_disputed.contains(area) };
        if first {
            ground.crossed = crossed(game, state, attacker, viewer, area);
        }
        round(game, armies[0], armies[1], &ground, mode)
    }

    /// What a round in an area is worth to the attacker.
    pub(super) fn worth_of_round(
        &self,
        outlook: &Outlook<'_>,
        (payer, area, mode): (Option<Nation>, Area, Mode),
    ) -> f32 {
        let expected = self.expected(outlook, outlook.team, (payer, area, mode));
        let worth = outlook.worth(&expected, self.survey.prize[area.at()]);
        if !self.survey.is_missing(area) {
            return worth;
        }
        // What is missing for the victory is fought for round after round, as long as who pays can.
        let paid = payer.map(|payer| outlook.state.power(payer).special_actions);
        let value = self.survey.attack_value(outlook, area, paid);
        if value.rounds <= 1 {
            return worth;
        }
        let ground = Ground::of(outlook.game, outlook.state, outlook.team, area);
        let [attacker, defender] = expected.left;
        let later = AttackValue { rounds: value.rounds - 1, ..value };
        worth + value.prize * (1.0 - expected.won) * outlook.attack(attacker, defender, &ground, later).won
    }

    /// Worth of a Special Action that is spent on the own side of a battle: the last in hand is kept for ground that decides the game while
    /// the enemy stands before that. Breakthroughs are exempt: in the own turn what they take may be worth it.
    fn price(&self, outlook: &Outlook<'_>, payer: Nation, area: Area) -> f32 {
        let &Outlook { game, state, weights, .. } = outlook;
        let threatened =
            self.map.decisive.and(&self.survey.front).filter(|at| game.country_of(at).owner == payer);
        let last = state.power(payer).special_actions == 1;
        if last && !threatened.is_empty() && !self.map.decisive.contains(area) {
            weights.last * weights.special
        } else {
            weights.special
        }
    }

    /// The battle of most worth, or none.
    pub(super) fn next_battle(&self, outlook: &Outlook<'_>, legal: &[Action]) -> Option<Action> {
        best_action(legal, |action| match action {
            Action::Attack(area, mode) => self.worth_of_round(outlook, (None, area, mode)),
            // Whether airborne drop again is thought of when it produces.
            Action::Renounce => f32::MIN,
            _ => 0.0,
        })
    }

    pub(super) fn in_battle(&mut self, outlook: &Outlook<'_>, legal: &[Action]) -> Option<Action> {
        let &Outlook { game, state, team, weights, .. } = outlook;
        match state.battle.stage {
            Stage::None => None,
            Stage::Withdraw(payer) => {
                self.look(outlook);
                let area = state.battle.area;
                let expected = self.expected(outlook, team.other(), (None, area, state.battle.mode));
                let own = self.survey.army(team, area).land();
                let stake = REGAIN * self.survey.stake[area.at()];
                // He who stays loses the steps, the area with them, but hurts the enemy.
                let toll = expected.toll(weights.dear);
                let stays = outlook.kill() * toll[0] - outlook.loss() * toll[1] - stake * expected.won;
                let doomed = if expected.won > 0.5 { own - expected.lost[1] } else { 0.0 };
                let leaves = -stake - self.price(outlook, payer, area);
                Some(if leaves > stays - doomed { Action::Withdraw } else { Action::Pass })
            }
            Stage::Leaving(_) => {
                self.look(outlook);
                best_action(legal, |action| match action {
                    Action::Go(area) => self.posting(outlook, Branch::Infantry, area),
                    _ => -1000.0,
                })
            }
            Stage::Reinforce(payer) => {
                self.look(outlook);
                let area = state.battle.area;
                let expected = self.expected(outlook, team.other(), (None, area, state.battle.mode));
                let saved = self.survey.stake[area.at()] * expected.won * REGAIN;
                Some(if saved > self.price(outlook, payer, area) { Action::Reinforce } else { Action::Pass })
            }
            Stage::Arriving(_) | Stage::CounterArriving(_) => {
                self.look(outlook);
                let here = self.survey.prize[state.battle.area.at()];
                best_action(legal, |action| match action {
                    Action::Select(unit) => {
                        let from = state.location(unit);
                        let one = Army::one(game, state, unit);
                        let last = self.survey.armies[team.index()][from.at()].blocks < 1.5;
                        let bared = last && self.survey.front.contains(from) && !game.is_air(unit);
                        let missed = if bared { self.survey.prize[from.at()] } else { 0.0 };
                        one.power().max(0.5) + 0.1 * here - missed
                    }
                    _ => 0.0,
                })
            }
            Stage::AirSplit(_) => {
                let own = legal.len().saturating_sub(1) as u8;
                Some(Action::Fighters(own.div_ceil(2)))
            }
            Stage::AirLoss(_) => legal.first().copied(),
            Stage::Choice(choice) => self.answer(outlook, choice, legal),
            Stage::Support(_) => best_action(legal, |action| match action {
                Action::Support(unit) => {
                    f32::from(state.steps(unit))
                        + if class_of(game, unit) == FireClass::Armour { 1.0 } else { 0.0 }
                }
                _ => -1.0,
            }),
            // Armour first, and those with most bonuses.
            Stage::Fire(_) => legal.last().copied(),
            Stage::Loss(_) => best_action(legal, |action| match action {
                Action::Take(unit) => -dearness(game, state, unit),
                _ => -1000.0,
            }),
            Stage::Counterattack(nation) => {
                self.look(outlook);
                let area = state.battle.area;
                best_action(legal, |action| match action {
                    Action::Counterattack(mode) => {
                        let own = Scripted::strikers(outlook, Some(nation), area);
                        let armies = [own, self.survey.army(team.other(), area)];
                        let ground = Ground { bonus: 0, ..Ground::of(game, state, team, area) };
                        let expected = round(game, armies[0], armies[1], &ground, mode);
                        outlook.worth(&expected, self.survey.prize[area.at()])
                            - self.price(outlook, nation, area)
                    }
                    _ => 0.0,
                })
            }
        }
    }
}

/// What a step of a block is worth to its owner: a cadre is dearer, its block goes with it.
pub(super) fn dearness(game: &EuropeEngulfed, state: &State, unit: UnitId) -> f32 {
    let cost = f32::from(game.step_cost(game.kind_of(unit), state.steps(unit) == 1));
    cost + if state.has_mark(unit, mark::SUPPORTED) { 0.5 } else { 0.0 } - 0.05 * f32::from(state.steps(unit))
}
