//! Accounts (11.5, 11.6): what home gives the fronts each month, and what goes from one account to another.

use sandtable_eurofront::Action;
use sandtable_eurofront::ids::{Account, Faction, Front};

use super::plan::Brief;
use super::scripted::Scripted;

/// Points that a home account keeps for itself before it sends any away, others half of it: half of what is sent is lost on
/// the way (11.61).
const KEPT: i16 = 60;
/// Months from September 1939 from which the Allies need all they have for their own landings.
const LENT_UNTIL: i16 = 40;
/// Weight of an enemy unit on a front against an own one, for what the front needs.
const OF_ENEMY: f32 = 1.5;

impl Scripted {
    /// How much a front is allotted: by its share of the units that fight there.
    pub(super) fn allot(&self, brief: &Brief<'_>, legal: &[Action]) -> Action {
        let (game, state) = (brief.game, brief.state);
        let account = game.allotted_account(state);
        let faction = account.faction();
        let income = game.monthly_income(state, faction);
        let all: i16 = Account::all_of(faction).map(|account| income[account.index()]).sum();
        let need = f32::from(all) * share(brief, account) - f32::from(income[account.index()]);
        let now = f32::from(state.allotted[account.index()]);
        let mut best = (Action::Pass, (need - now).abs());
        for &action in legal {
            let Action::Allot(points) = action else { continue };
            let off = (need - f32::from(points)).abs();
            if off < best.1 - 0.5 {
                best = (action, off);
            }
        }
        best.0
    }

    /// Whether points go to another account: what lies idle, where more is needed.
    pub(super) fn transfer(&self, brief: &Brief<'_>, legal: &[Action]) -> Action {
        let (game, state) = (brief.game, brief.state);
        let from = game.sending_account(state);
        let kept = if from == Account::home(from.faction()) { KEPT } else { KEPT / 2 };
        if state.points[from.index()] < kept {
            return Action::Pass;
        }
        let to = |account: Account| legal.contains(&Action::Transfer(account)).then_some(account);
        let own = Account::all_of(from.faction()).filter_map(to);
        let rich = f32::from(state.points[from.index()]);
        let poor = own.max_by(|a, b| share(brief, *a).total_cmp(&share(brief, *b)));
        if let Some(account) = poor
            && share(brief, account) > share(brief, from)
            && f32::from(state.points[account.index()]) < 0.3 * rich
        {
            return Action::Transfer(account);
        }
        let lends = from.faction() == Faction::Allies && game.months_since_war(state) < LENT_UNTIL;
        match to(Account::Soviets) {
            Some(account) if lends => Action::Transfer(account),
            _ => Action::Pass,
        }
    }
}

/// Share of the war of a faction that an account pays for: by units of both sides on its front.
fn share(brief: &Brief<'_>, account: Account) -> f32 {
    let (game, state) = (brief.game, brief.state);
    let faction = account.faction();
    let camp = faction.camp();
    let own = state.standing[camp.index()].and(&game.sets().of_faction[faction.index()]);
    let weight = |front: Front| {
        let land = &game.map().of_front[front.index()];
        let enemies: u32 = state.occupied[camp.enemy().index()]
            .and(land)
            .difference(&game.closed_to(state, faction))
            .iter()
            .map(|hex| state.stack(hex, camp.enemy()).len())
            .sum();
        let ours = own.iter().filter(|&block| land.contains(state.at(block))).count();
        OF_ENEMY * enemies as f32 + ours as f32
    };
    let all: f32 = Account::all_of(faction)
        .filter(|other| game.is_kept(state, *other))
        .map(|other| weight(other.front()))
        .sum();
    weight(account.front()) / all.max(1.0)
}
