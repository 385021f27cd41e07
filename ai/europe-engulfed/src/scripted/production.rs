//! What is bought: most for its price where it is needed (4.0).

use sandtable_core::Index;
use sandtable_europe_engulfed::ids::{Area, KindId};
use sandtable_europe_engulfed::rules::{Asset, Branch};
use sandtable_europe_engulfed::{Action, Nation, Pending, Team, UnitId};

use sandtable_ai::policy::best_action;

use super::Scripted;
use crate::outlook::Outlook;
use crate::weights::Weights;

/// Share of the worth of armour to who has to land first.
const AFTER_LANDING: f32 = 0.5;

/// Worth of a WERP spent on a Fleet Point, of one given to a partner who lacks WERP, and to one who has enough, in steps of infantry.
const FLEET: f32 = 0.2;
const GIVEN: f32 = 0.7;
const GIVEN_TO_SPARE: f32 = 0.1;

/// Share of a fortification at the front that one behind it is worth.
const BEHIND: f32 = 0.02;

/// What a heavy fortification is worth against a field fortification, which falls after a round, where it stands for many (6.9): a
/// judgement.
const HEAVY_FORT: f32 = 4.0;

/// What is free comes before what is bought, by its worth.
const FREE: f32 = 10.0;

/// Worth of a step by branch, in steps of infantry.
fn step_worth(branch: Branch, weights: &Weights) -> f32 {
    match branch {
        Branch::Infantry | Branch::Militia => 1.0,
        Branch::Cavalry => 1.1,
        Branch::Airborne => 1.2,
        Branch::Armour => 2.1 * weights.armour,
        Branch::Air => 4.0 * weights.air,
    }
}

/// Worth of a step of a kind of counters.
fn of_kind(outlook: &Outlook<'_>, kind: KindId) -> f32 {
    let data = &outlook.game.rules.kinds[kind.at()];
    let worth = step_worth(data.branch, outlook.weights) * if data.elite { 1.8 } else { 1.0 };
    if data.branch == Branch::Armour && lands_first(outlook) { AFTER_LANDING * worth } else { worth }
}

/// Whether the payer comes over the sea and has armour enough: infantry alone lands on beaches (7.2).
fn lands_first(outlook: &Outlook<'_>) -> bool {
    let &Outlook { game, state, .. } = outlook;
    if !matches!(state.payer, Nation::GreatBritain | Nation::UnitedStates) || !game.rules.setup.fleets_used {
        return false;
    }
    let own = game.attached(state, state.payer).filter(|unit| state.is_on_map(unit) && !game.is_air(unit));
    let armour = own.filter(|unit| game.branch(unit) == Branch::Armour);
    3 * armour.len() >= own.len()
}

/// Whether a partner who is still to produce has less, once its fleets are paid for, than the steps cost that its army lacks. What the
/// United States lend by the dice is not counted.
fn lacks_werp(outlook: &Outlook<'_>, nation: Nation) -> bool {
    let &Outlook { game, state, .. } = outlook;
    let army = game.attached(state, nation).filter(|unit| state.is_on_map(unit) && !game.is_air(unit));
    let lacks = |unit: UnitId| {
        let missing = game.kind(unit).max - state.steps(unit);
        u32::from(missing) * u32::from(game.step_cost(game.kind_of(unit), false))
    };
    let has = u32::from(state.power(nation).gifts) + u32::from(game.income(state, nation));
    let has = has.saturating_sub(u32::from(game.maintenance(state, nation)));
    army.into_iter().map(lacks).sum::<u32>() > has
}

/// Worth for each WERP of the price.
fn per(worth: f32, price: u8) -> f32 {
    if price == 0 { FREE + worth } else { worth / f32::from(price) }
}

impl Scripted {
    pub(super) fn production(&mut self, outlook: &Outlook<'_>, legal: &[Action]) -> Option<Action> {
        self.look(outlook);
        let state = outlook.state;
        if let Pending::Raise(kind) | Pending::Converted(kind) = state.pending {
            let branch = outlook.game.rules.kinds[kind.at()].branch;
            return best_action(legal, |action| match action {
                Action::Go(area) => self.posting(outlook, branch, area),
                _ => -1000.0,
            });
        }
        let (none, all) = (Action::Pass, |action| self.per_werp(outlook, action));
        // Replacements abroad are freed, and the rear is fortified, when nothing else is worth its price.
        let is_last = |action| match action {
            Action::Unrestricted => true,
            Action::FieldFort(area) | Action::HeavyFort(area) => !self.survey.front.contains(area),
            _ => false,
        };
        let bought = best_action(legal, |action| if is_last(action) { -1.0 } else { all(action) });
        if bought == Some(none) { best_action(legal, all) } else { bought }
    }

    /// Worth of a purchase for each WERP.
    fn per_werp(&self, outlook: &Outlook<'_>, action: Action) -> f32 {
        let &Outlook { game, state, team, weights, .. } = outlook;
        let costs = &game.rules.costs;
        match action {
            Action::SpecialAction => {
                // The next is spent later than those in hand.
                let in_hand = i32::from(state.power(state.payer).special_actions);
                weights.stock * weights.later.powi(in_hand) / f32::from(costs.special_action)
            }
            Action::Replace(unit) => {
                let kind = game.kind_of(unit);
                let worth = of_kind(outlook, kind);
                let place = if self.survey.front.contains(state.location(unit)) { 1.2 } else { 1.0 };
                per(place * worth, game.price(state, kind, false))
            }
            Action::Raise(kind) => {
                // A block of many steps takes many more cheaply.
                let room = 0.1 * f32::from(game.rules.kinds[kind.at()].max);
                per(of_kind(outlook, kind) + room, game.price(state, kind, true))
            }
            Action::FieldFort(area) => self.fort(outlook, area) / f32::from(costs.field_fort),
            Action::HeavyFort(area) => HEAVY_FORT * self.fort(outlook, area) / f32::from(costs.heavy_fort),
            // What is left is lost: better a Special Action than many steps.
            Action::Unrestricted => 0.5 * f32::from(state.power(state.payer).werp) - weights.special,
            Action::Asset(asset) => weights.assets * self.asset_worth(asset, team),
            Action::Fleet(_) => FLEET,
            Action::Give(nation) => {
                let worth = if lacks_werp(outlook, nation) { GIVEN } else { GIVEN_TO_SPARE };
                per(worth, game.gift_cost(state, nation))
            }
            // A port at the front that the enemy comes for in strength (13.32).
            Action::Demolish(area) => {
                let own = self.survey.army(team, area).power();
                let lost = self.survey.front.contains(area) && self.survey.is_lost(area, own);
                if lost { self.spoil(outlook, area) / f32::from(costs.port_disabled) } else { -1.0 }
            }
            Action::Draft => 1.0,
            // Airborne land here with invasions alone: who gives up drops has them cheaper and firmer (13.33).
            Action::Renounce => FREE,
            Action::Convert(asset, kind) => {
                let cost = if asset == Asset::Fighter { costs.fighter } else { costs.bomber };
                let given = [(Asset::Fighter, costs.fighter), (asset, cost)];
                let given = given.map(|(asset, cost)| f32::from(cost) * self.asset_worth(asset, team));
                let gain = of_kind(outlook, kind) - weights.assets * (given[0] + given[1]);
                if gain > 0.0 { per(gain, 0) } else { -1.0 }
            }
            _ => 0.0,
        }
    }

    /// A fortification helps every die of the defenders, if the enemy comes; behind the front it is better than WERP that are lost.
    fn fort(&self, outlook: &Outlook<'_>, area: Area) -> f32 {
        let &Outlook { state, team, weights, .. } = outlook;
        let fortified = state.field_forts.or(&state.heavy_forts);
        if !self.survey.posts.contains(area) || fortified.contains(area) {
            return 0.0;
        }
        let own = self.survey.armies[team.index()][area.at()];
        let threat = self.survey.threat[area.at()];
        let comes = (threat / (own.power() + 1.0)).min(1.5) / 1.5;
        let comes = if self.survey.front.contains(area) { comes } else { BEHIND };
        weights.forts * comes * (own.land() / 3.0 + 0.1 * self.survey.prize[area.at()])
    }

    /// Worth of a WERP spent on an asset of the strategic war.
    fn asset_worth(&self, asset: Asset, team: Team) -> f32 {
        match (asset, team) {
            (Asset::Bomber, Team::Second) if self.map.bombing => 3.0,
            (Asset::Fighter, Team::First) if self.map.bombing => 2.0,
            (Asset::Submarine, _) => 1.1,
            (Asset::Bomber, Team::Second) | (Asset::Fighter, Team::First) => 0.6,
            (Asset::Asw, _) => 0.5,
            (Asset::Me262, _) => 0.7,
            _ => 0.15,
        }
    }
}
