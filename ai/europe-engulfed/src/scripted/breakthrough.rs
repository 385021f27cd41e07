//! What Special Actions are spent on in the Breakthrough Phases (7.4).

use sandtable_core::Index;
use sandtable_europe_engulfed::ids::{Area, Nation, Units};
use sandtable_europe_engulfed::{Action, Pending, UnitId};

use sandtable_ai::policy::best_action;

use super::Scripted;
use crate::battle::{Army, Ground, class_of, crossing_bonus};
use crate::outlook::{AttackValue, Outlook};

/// Probability of clearing an area beyond which no more units follow.
const FOLLOWED_ENOUGH: f32 = 0.85;

impl Scripted {
    pub(super) fn breakthrough(&self, outlook: &Outlook<'_>, legal: &[Action]) -> Option<Action> {
        // The last chance: what is in hand at the end is lost.
        let price = if outlook.turns_left() == 0 { 0.3 } else { 1.0 } * outlook.weights.special;
        best_action(legal, |action| match action {
            Action::BreakthroughCombat(nation, area, mode) => {
                self.worth_of_round(outlook, (Some(nation), area, mode)) - price
            }
            Action::BreakthroughMove(nation, goal) => self.worth_of_move(outlook, nation, goal) - price,
            Action::BreakthroughStrategic(_) => -1.0,
            _ => 0.0,
        })
    }

    /// Units of a nation near enough to an area that their absence is bearable.
    fn followers(outlook: &Outlook<'_>, nation: Nation, goal: Area) -> Units {
        let &Outlook { game, state, team, .. } = outlook;
        let near = *game.land().neighbours(goal);
        let attached = game.attached(state, nation);
        let mut units = Units::EMPTY;
        let bound = outlook.may_leave_poland() == 0;
        for area in near {
            let there = game.land_units_at(state, team, area).and(&attached);
            for unit in there {
                let able = !(bound && outlook.leaves_watch(area, goal))
                    && game.moves_of(state, unit) > 0
                    && game.may_leave(state, unit)
                    && game.may_enter(state, unit, area, goal);
                if able {
                    units.insert(unit);
                }
            }
        }
        units
    }

    /// What an operational movement into an area with its round brings.
    fn worth_of_move(&self, outlook: &Outlook<'_>, nation: Nation, goal: Area) -> f32 {
        let &Outlook { game, state, team, weights, .. } = outlook;
        let hostile = state.held(team.other()).contains(goal) || state.is_disputed(goal);
        if !hostile {
            return -1.0;
        }
        let followers = Scripted::followers(outlook, nation, goal);
        let mut army = Scripted::strikers(outlook, Some(nation), goal);
        let (here, before) = (army, army.land());
        // Who is there has crossed nothing, who follows may.
        let fought = Ground::of(game, state, team, goal);
        let mut ground = fought;
        let present = self.survey.army(team, goal);
        let mut held = present.land() > 0.0;
        for unit in followers {
            let from = state.location(unit);
            if self.follow(outlook, (unit, goal), held) <= 0.0 {
                continue;
            }
            // Where nobody stands yet one goes whoever is missed.
            held |= self.follow(outlook, (unit, goal), true) <= 0.0;
            army.add(game, state, unit);
            let crossed = &mut ground.crossed[class_of(game, unit) as usize];
            *crossed = (*crossed).max(crossing_bonus(game, game.crossing(from, goal)));
        }
        if army.land() <= before {
            return -1.0;
        }
        let enemy = self.survey.defender(team.other(), goal, 0);
        let value = self.survey.attack_value(outlook, goal);
        // Who is there already, of other nations too, may be as good as enough: then nobody would follow.
        if present.land() > 0.0 && outlook.attack(present, enemy, &fought, value).won > FOLLOWED_ENOUGH {
            return -1.0;
        }
        let prospect = outlook.attack(army, enemy, &ground, value);
        if prospect.won < self.survey.least_odds(goal, weights) {
            return -1.0;
        }
        if !state.is_disputed(goal) {
            return prospect.worth;
        }
        // Where there is a battle already the movement brings no round: that is one more Special Action.
        if state.power(nation).special_actions < 2 {
            return -1.0;
        }
        let already = outlook.attack(here, enemy, &fought, value).worth;
        prospect.worth - already.max(0.0) - weights.special
    }

    /// Units follow until the area is as good as won.
    pub(super) fn breakthrough_move(&mut self, outlook: &Outlook<'_>, legal: &[Action]) -> Option<Action> {
        let &Outlook { game, state, team, .. } = outlook;
        if let Pending::Destination(_) | Pending::March(_) = state.pending {
            return best_action(legal, |action| match action {
                Action::Go(area) if area == state.goal => 2.0,
                Action::Go(_) => 1.0,
                _ => 0.0,
            });
        }
        self.look(outlook);
        let goal = state.goal;
        let army = self.survey.army(team, goal);
        let enemy = self.survey.defender(team.other(), goal, 0);
        let ground = Ground::of(game, state, team, goal);
        let value = AttackValue { around: 0.0, ..self.survey.attack_value(outlook, goal) };
        if army.land() > 0.0 && outlook.attack(army, enemy, &ground, value).won > FOLLOWED_ENOUGH {
            return Some(Action::Pass);
        }
        best_action(legal, |action| match action {
            Action::Select(unit) => self.follow(outlook, (unit, goal), army.land() > 0.0),
            _ => 0.0,
        })
    }

    /// How much it is worth that a unit follows into the area moved into, whether somebody is there already.
    fn follow(&self, outlook: &Outlook<'_>, (unit, goal): (UnitId, Area), held: bool) -> f32 {
        let &Outlook { game, state, team, .. } = outlook;
        let from = state.location(unit);
        if outlook.may_leave_poland() == 0 && outlook.leaves_watch(from, goal) {
            return -1.0;
        }
        if game.is_air(unit) {
            return if held { 0.5 } else { -1.0 };
        }
        // The last who holds to the end does not follow.
        if self.survey.is_last(team, from) {
            return -1.0;
        }
        let there = self.survey.armies[team.index()][from.at()];
        let mut one = Army::default();
        one.add(game, state, unit);
        let bared = there.blocks < 1.5 && self.survey.threat[from.at()] > 1.0
            || !self.survey.lets_go(outlook, from, (there.power(), one.power()));
        if bared && held { -1.0 } else { one.power() }
    }
}
