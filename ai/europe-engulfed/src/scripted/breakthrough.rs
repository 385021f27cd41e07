//! What Special Actions are spent on in the Breakthrough Phases (7.4).

use sandtable_core::Index;
use sandtable_europe_engulfed::ids::{Area, MAX_AREAS, Nation, Units};
use sandtable_europe_engulfed::{Action, Pending, UnitId};

use sandtable_ai::policy::best_action;

use super::Scripted;
use crate::battle::{Army, Ground, class_of, crossing_bonus};
use crate::outlook::Outlook;

/// Probability of clearing an area beyond which no more units follow.
const FOLLOWED_ENOUGH: f32 = 0.85;
/// Share of the worth of a Special Action that is left in the last turn: what is in hand at its end is lost.
const LAST_PRICE: f32 = 0.3;

impl Scripted {
    pub(super) fn breakthrough(&self, outlook: &Outlook<'_>, legal: &[Action]) -> Option<Action> {
        let price = Scripted::price_of_breakthrough(outlook);
        best_action(legal, |action| match action {
            Action::BreakthroughCombat(nation, area, mode) => {
                self.worth_of_round(outlook, (Some(nation), area, mode)) - price
            }
            Action::BreakthroughMove(nation, goal) => self.worth_of_move(outlook, nation, goal) - price,
            Action::BreakthroughStrategic(_) => -1.0,
            _ => 0.0,
        })
    }

    /// Worth of the Special Action that a breakthrough costs.
    fn price_of_breakthrough(outlook: &Outlook<'_>) -> f32 {
        if outlook.turns_left() == 0 { LAST_PRICE * outlook.weights.special } else { outlook.weights.special }
    }

    /// Units of a nation that may follow into an area.
    fn followers(outlook: &Outlook<'_>, nation: Nation, goal: Area) -> Units {
        let &Outlook { game, state, team, .. } = outlook;
        let attached = game.attached(state, nation);
        let mut units = Units::EMPTY;
        for area in *game.land().neighbours(goal) {
            for unit in game.land_units_at(state, team, area).and(&attached) {
                let able = game.moves_of(state, unit) > 0
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
        // The movement brings a round, but where there is a battle already.
        let actions = state.power(nation).special_actions;
        let rounds = actions.saturating_sub(u8::from(state.is_disputed(goal)));
        if rounds == 0 {
            return -1.0;
        }
        let mut army = Scripted::strikers(outlook, Some(nation), goal);
        let (here, before) = (army, army.land());
        // Who is there has crossed nothing, who follows may.
        let fought = Ground::of(game, state, team, goal);
        let mut ground = fought;
        let present = self.survey.army(team, goal);
        // They follow one after the other, the strongest first: each leaves less where it comes from.
        let mut followers = Scripted::followers(outlook, nation, goal);
        let (mut all, mut held) = (present, present.land() > 0.0);
        let mut gone = [Army::default(); MAX_AREAS];
        let mut watchers = outlook.may_leave_poland();
        while let Some(unit) = strongest(outlook, &followers) {
            followers.remove(unit);
            let from = state.location(unit);
            let watched = outlook.leaves_watch(from, goal);
            if watched && watchers == 0 || self.follow(outlook, unit, held, &gone[from.at()]) <= 0.0 {
                continue;
            }
            if held && self.is_cleared(outlook, &all, (goal, rounds)) {
                break;
            }
            held = true;
            watchers = watchers.saturating_sub(u32::from(watched));
            gone[from.at()].add(game, state, unit);
            all.add(game, state, unit);
            army.add(game, state, unit);
            let crossed = &mut ground.crossed[class_of(game, unit) as usize];
            *crossed = (*crossed).max(crossing_bonus(game, game.crossing(from, goal)));
        }
        if army.land() <= before {
            return -1.0;
        }
        // Who is there already, of other nations too, may be as good as enough: then nobody would follow.
        if present.land() > 0.0 && self.is_cleared(outlook, &present, (goal, rounds)) {
            return -1.0;
        }
        let enemy = self.survey.defender(team.other(), goal, 0);
        let value = self.survey.attack_value(outlook, goal, Some(rounds));
        let prospect = outlook.attack(army, enemy, &ground, value);
        if prospect.won < self.survey.least_odds(goal, weights) {
            return -1.0;
        }
        if !state.is_disputed(goal) {
            return prospect.worth;
        }
        // Where there is a battle already the movement brings no round: that is one more Special Action.
        let value = self.survey.attack_value(outlook, goal, Some(actions));
        let already = outlook.attack(here, enemy, &fought, value).worth;
        prospect.worth - already.max(0.0) - Scripted::price_of_breakthrough(outlook)
    }

    /// Units follow until the area is as good as won.
    pub(super) fn breakthrough_move(&mut self, outlook: &Outlook<'_>, legal: &[Action]) -> Option<Action> {
        let &Outlook { state, team, .. } = outlook;
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
        let held = army.land() > 0.0;
        let rounds = u8::from(state.newly_disputed.contains(goal)) + state.power(state.payer).special_actions;
        if held && self.is_cleared(outlook, &army, (goal, rounds)) {
            return Some(Action::Pass);
        }
        let bound = outlook.may_leave_poland() == 0;
        best_action(legal, |action| match action {
            Action::Select(unit) if bound && outlook.leaves_watch(state.location(unit), goal) => -1.0,
            Action::Select(unit) => self.follow(outlook, unit, held, &Army::default()),
            _ => 0.0,
        })
    }

    /// Whether an area is as good as cleared by an army that is there, in so many rounds.
    fn is_cleared(&self, outlook: &Outlook<'_>, army: &Army, (area, rounds): (Area, u8)) -> bool {
        let &Outlook { game, state, team, .. } = outlook;
        let enemy = self.survey.defender(team.other(), area, 0);
        let value = self.survey.attack_value(outlook, area, Some(rounds));
        let ground = Ground::of(game, state, team, area);
        outlook.attack(*army, enemy, &ground, value).won > FOLLOWED_ENOUGH
    }

    /// How much it is worth that a unit follows into the area moved into, whether somebody is there already, when others have gone from
    /// where it is.
    fn follow(&self, outlook: &Outlook<'_>, unit: UnitId, held: bool, gone: &Army) -> f32 {
        let &Outlook { game, state, team, .. } = outlook;
        let from = state.location(unit);
        if game.is_air(unit) {
            return if held { 0.5 } else { -1.0 };
        }
        let there = self.survey.army(team, from);
        let is_last = there.blocks - gone.blocks < 1.5;
        // The last who holds to the end does not follow.
        if is_last && self.survey.is_kept(from) {
            return -1.0;
        }
        let one = Army::one(game, state, unit).power();
        let bared = is_last && self.survey.threat[from.at()] > 1.0
            || !self.survey.lets_go(outlook, from, (there.power() - gone.power(), one));
        if bared && held { -1.0 } else { one }
    }
}

/// The strongest of some units, the first of equals.
fn strongest(outlook: &Outlook<'_>, units: &Units) -> Option<UnitId> {
    let mut best: Option<(f32, UnitId)> = None;
    for unit in *units {
        let power = Army::one(outlook.game, outlook.state, unit).power();
        if best.is_none_or(|(known, _)| power > known) {
            best = Some((power, unit));
        }
    }
    best.map(|(_, unit)| unit)
}
