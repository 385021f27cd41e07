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
        // Where nobody could spend what came no more is needed; in the East it could not be raised again before June (11.5).
        let idle = account.front() == Front::Mediterranean && state.points[account.index()] >= KEPT / 2;
        let share = if idle { 0.0 } else { share(brief, account) };
        let need = f32::from(all) * share - f32::from(income[account.index()]);
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
        // Home has just received its income when this is decided, and will spend it.
        let needs = |account: Account| {
            account == Account::home(from.faction()) || f32::from(state.points[account.index()]) < 0.3 * rich
        };
        if let Some(account) = poor
            && share(brief, account) > share(brief, from)
            && needs(account)
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

#[cfg(test)]
mod tests {
    use sandtable_eurofront::Action;
    use sandtable_eurofront::editor::Editor;
    use sandtable_eurofront::ids::Account;

    use crate::testing::{game, seen};

    /// A hundred points and more were lost there in a campaign.
    #[test]
    fn what_lies_idle_in_the_south_is_not_added_to_and_goes_home() {
        let game = game("1939");
        let [tripoli, suez, berlin] = ["tripoli", "suez", "berlin"].map(|id| game.rules.place(id).unwrap());
        let block = |id: &str| game.rules.block(id).unwrap();
        let with = |points: i16| {
            let mut editor = Editor::new(&game);
            editor.clear().place(block("it_inf_1"), tripoli, 3).place(block("uk_inf_10"), suez, 3);
            editor.place(block("de_inf_1"), berlin, 4).place(block("de_inf_2"), berlin, 4);
            editor.place(block("de_inf_4"), berlin, 4).place(block("de_inf_5"), berlin, 4);
            editor.account(Account::AxisMediterranean, points).account(Account::AxisWest, 77);
            let mut state = editor.finish();
            state.allotted[Account::AxisMediterranean.index()] = 10;
            state
        };
        let allots = |points: i16| {
            let mut state = with(points);
            state.cursor = 2;
            assert_eq!(game.allotted_account(&state), Account::AxisMediterranean);
            let legal = [Action::Pass, Action::Allot(5), Action::Allot(15)];
            seen(&game, &state, |brief, player| player.allot(brief, &legal))
        };
        assert_eq!([allots(0), allots(40)], [Action::Allot(15), Action::Allot(5)]);
        let mut state = with(40);
        state.cursor = Account::AxisMediterranean as u16 + 1;
        let home = Action::Transfer(Account::AxisWest);
        let sent = seen(&game, &state, |brief, player| player.transfer(brief, &[Action::Pass, home]));
        assert_eq!(sent, home);
    }
}
