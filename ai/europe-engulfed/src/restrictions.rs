//! What can be denied to a player of *Europe Engulfed*, to see what it is worth.

use sandtable_europe_engulfed::phase::{Choice, Stage};
use sandtable_europe_engulfed::rules::Branch;
use sandtable_europe_engulfed::{Action, EuropeEngulfed, Nation, Phase, State, UnitId};

use sandtable_ai::restricted::Restriction;

pub(super) const RESTRICTIONS: [Restriction<EuropeEngulfed>; 7] = [
    Restriction {
        name: "air",
        summary: "air support units stay where they are, none are built",
        denies: |game, state, _, action| {
            let air = |unit: UnitId| game.is_air(unit);
            match action {
                Action::Select(unit) => state.phase != Phase::Combat && air(unit),
                Action::Raise(kind) | Action::Convert(_, kind) => {
                    game.rules.kinds[kind.0 as usize].branch == Branch::Air
                }
                _ => false,
            }
        },
    },
    Restriction {
        name: "special-actions",
        summary: "no Special Actions",
        denies: |game, state, _, action| spends_special_action(game, state, action),
    },
    Restriction {
        name: "paratroops",
        summary: "no airborne drops",
        denies: |_, _, _, action| matches!(action, Action::Drop(..)),
    },
    Restriction {
        name: "amphibious",
        summary: "no amphibious landings",
        denies: |_, _, _, action| matches!(action, Action::Invade(..)),
    },
    Restriction {
        name: "navy",
        summary: "no invasions, no interceptions, fleets stay in their zones, none are built",
        denies: |_, _, _, action| {
            matches!(
                action,
                Action::Invade(..)
                    | Action::Intercept
                    | Action::MeetInPort
                    | Action::Transfer(..)
                    | Action::Fleet(_)
            )
        },
    },
    Restriction {
        name: "strategic-war",
        summary: "no raids, nothing bought for the strategic war",
        denies: |_, _, _, action| matches!(action, Action::Raid(..) | Action::Asset(_)),
    },
    Restriction {
        name: "assault",
        summary: "no assaults: combats are normal",
        denies: |_, _, _, action| {
            use sandtable_europe_engulfed::Mode::Assault;
            matches!(
                action,
                Action::Attack(_, Assault)
                    | Action::Counterattack(Assault)
                    | Action::BreakthroughCombat(_, _, Assault)
            )
        },
    },
];

/// Whether an action spends a Special Action, or buys one.
fn spends_special_action(game: &EuropeEngulfed, state: &State, action: Action) -> bool {
    match action {
        Action::Abandon(..)
        | Action::Withdraw
        | Action::Reinforce
        | Action::Counterattack(_)
        | Action::BreakthroughStrategic(_)
        | Action::BreakthroughCombat(..)
        | Action::BreakthroughMove(..)
        | Action::LimitedSupply(..)
        | Action::SpecialAction
        | Action::Unrestricted
        | Action::Drop(..)
        | Action::Invade(..)
        | Action::LandArmour(_)
        | Action::Repair(..)
        | Action::Beachhead(..)
        | Action::Pause => true,
        // 14.47.
        Action::Agree => matches!(state.battle.stage, Stage::Choice(Choice::CarpetBombing(_))),
        // 14.33.
        Action::DeclareWar(Nation::GreatBritain | Nation::UnitedStates, on) => {
            game.rules.options.western_wars && game.rules.politics.western_targets & on.bit() == 0
        }
        _ => false,
    }
}
