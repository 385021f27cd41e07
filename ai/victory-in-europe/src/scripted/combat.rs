//! What units do in battle: whom they fire at, when they retreat.

use sandtable_core::Index;
use sandtable_victory_in_europe::rules::{Arm, Target};
use sandtable_victory_in_europe::{Action, Force, Pending, State, Team, UnitId, VictoryInEurope};

use sandtable_ai::policy::best_action;

use super::{Scripted, weakest};
use crate::assessment::fire;
use crate::odds::expect;
use crate::pursuit::Pursuit;

/// What the step of a leader is worth that a further round costs.
const LEADER_STEP: f32 = 2.0;

impl Scripted {
    pub(super) fn combat(
        &mut self,
        game: &VictoryInEurope,
        state: &State,
        force: Force,
        legal: &[Action],
    ) -> Option<Action> {
        self.assessment.refresh(game, &self.map_tables, state, force);
        match state.pending {
            Pending::None => best_action(legal, |action| match action {
                Action::Fight(place) if place.is_area() => 1.0 + self.assessment.worth[place.at()],
                _ => 0.0,
            }),
            Pending::Announce(unit) | Pending::Fire(unit) => {
                if let Some(retreat) = legal.iter().find(|action| matches!(action, Action::Retreat(..)))
                    && self.is_lost(game, state, unit)
                {
                    return Some(*retreat);
                }
                best_action(legal, |action| match action {
                    Action::Fire(target) | Action::Announce(target) => {
                        1.0 + self.aim(game, state, unit, target)
                    }
                    Action::Shelter => 1.5,
                    Action::Retreat(..) => -1.0,
                    _ => 0.0,
                })
            }
            Pending::Hit(_) | Pending::Loss(_) => weakest(game, state, legal),
            Pending::Withdraw(unit) | Pending::GoOn(unit) => {
                let own = game.force(state, unit).unwrap_or(force);
                let power = self.assessment.block(game, state, unit).power();
                best_action(legal, |action| match action {
                    Action::Retreat(to, _) if to.is_area() => {
                        2.0 + self.assessment.post(own, to, self.assessment.own[to.at()], power)
                    }
                    Action::Retreat(..) => 1.0,
                    _ => 0.0,
                })
            }
            Pending::Extend(_) => {
                let gain = self.further_round(game, state, force);
                best_action(legal, |action| if action == Action::Extend { gain } else { 0.0 })
            }
            Pending::Regroup | Pending::Exploit(_) => {
                let own = if state.movers & force.bit() != 0 { force } else { game.decider(state) };
                let (map_tables, assessment) = (&self.map_tables, &self.assessment);
                Pursuit { game, map_tables, assessment, state, force: own }.choose(legal)
            }
            Pending::Neutral { .. } => legal.first().copied(),
            _ => None,
        }
    }

    /// What a further round of the battle brings that a leader orders, less his step (5.61): it is fought for what it wears down too.
    pub(super) fn further_round(&self, game: &VictoryInEurope, state: &State, force: Force) -> f32 {
        let (place, attacker) = (state.battle.place, state.battle.attacker);
        // Who is still afloat neither fires nor takes ground (7.5).
        let fights = |unit: &UnitId| !game.is_afloat(state, *unit);
        let attackers = game.units_at(state, place, attacker).filter(fights);
        let attack = self.assessment.battle_side(game, state, (place, false), attackers);
        let defence = self.assessment.defenders(game, state, place, attacker.other());
        let odds = expect(&attack, &defence, 1);
        let weights = &self.assessment.weights[force.index()];
        odds.win * self.assessment.prize(force, place) + weights.kill * odds.defender_loses
            - weights.loss * self.assessment.scarcity[force.index()] * odds.attacker_loses
            - LEADER_STEP
    }

    /// Whether a unit had better leave the battle while it can.
    fn is_lost(&self, game: &VictoryInEurope, state: &State, unit: UnitId) -> bool {
        let battle = &state.battle;
        let team = game.team(state, unit);
        if !battle.place.is_area() || game.arm(unit) == Arm::Naval {
            return false;
        }
        let side = |team: Team| {
            let units = game.units_at(state, battle.place, team).filter(|unit| !game.is_afloat(state, *unit));
            self.assessment.battle_side(game, state, (battle.place, team != battle.attacker), units)
        };
        let (own, enemy) = (side(team), side(team.other()));
        if game.arm(unit) == Arm::Air {
            return battle.round > 1 && f32::from(state.steps(unit)) <= 1.0 && enemy.power() > 2.0;
        }
        let attacks = team == battle.attacker;
        if battle.round < 2 {
            // The first retreat costs a step: only where all would be lost.
            return !attacks
                && !self.map_tables.vital.contains(battle.place)
                && state.steps(unit) > 2
                && enemy.power() > 1.2 * own.endurance;
        }
        let stand = self.assessment.weights[game.force(state, unit).map_or(0, Force::index)].stand;
        if attacks {
            return own.endurance + stand < 0.5 * enemy.endurance
                && own.endurance + stand < enemy.power() + 0.5;
        }
        !self.map_tables.vital.contains(battle.place)
            && enemy.power() >= 0.8 * own.endurance + stand
            && enemy.endurance > own.power()
    }

    /// What fire at a kind of target is worth.
    fn aim(&self, game: &VictoryInEurope, state: &State, unit: UnitId, target: Target) -> f32 {
        let place = state.battle.place;
        let team = game.team(state, unit);
        let hits = f32::from(state.steps(unit)) * f32::from(fire(game, unit, target)).max(0.3) / 6.0;
        let armies = place.is_area() && game.has_army(state, place, team);
        let worth = match target {
            Target::Army if armies => 1.6,
            Target::Army => 1.0,
            Target::Air => 1.7,
            Target::Factory if armies => 0.4,
            Target::Factory => 3.0,
            Target::Surface => 1.8,
            Target::Sub => 1.3,
            Target::Convoy => 2.0,
        };
        hits * worth
    }
}
