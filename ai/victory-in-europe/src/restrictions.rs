//! What can be denied to a player of *Victory in Europe*, to see what it is worth.

use sandtable_victory_in_europe::rules::{Arm, Kind};
use sandtable_victory_in_europe::{Action, Phase, UnitId, VictoryInEurope};

use sandtable_ai::restricted::Restriction;

pub(super) const RESTRICTIONS: [Restriction<VictoryInEurope>; 8] = [
    Restriction {
        name: "air",
        summary: "aircraft stay where they are",
        denies: |game, state, _, action| state.phase == Phase::Movement && picks(game, action, Arm::Air),
    },
    Restriction {
        name: "navy",
        summary: "ships stay where they are",
        denies: |game, state, _, action| state.phase == Phase::Movement && picks(game, action, Arm::Naval),
    },
    Restriction {
        name: "invasions",
        summary: "nobody lands from the sea",
        denies: |_, _, _, action| matches!(action, Action::Invade(_)),
    },
    Restriction {
        name: "strategic-movement",
        summary: "no strategic movement",
        denies: |_, _, _, action| matches!(action, Action::Strategic(..)),
    },
    Restriction {
        name: "blitz",
        summary: "leaders order no further rounds and no exploitation",
        denies: |_, _, _, action| matches!(action, Action::Extend | Action::Exploit),
    },
    Restriction {
        name: "diplomacy",
        summary: "no diplomatic rolls",
        denies: |_, _, _, action| matches!(action, Action::Roll(_)),
    },
    Restriction {
        name: "armour",
        summary: "no production for armour",
        denies: |game, _, _, action| builds(action).is_some_and(|unit| game.kind(unit) == Kind::Panzer),
    },
    Restriction {
        name: "convoys",
        summary: "no production for convoys",
        denies: |game, _, _, action| builds(action).is_some_and(|unit| game.kind(unit) == Kind::Convoy),
    },
];

/// Whether the action picks a unit of an arm to move.
fn picks(game: &VictoryInEurope, action: Action, arm: Arm) -> bool {
    matches!(action, Action::Select(unit) if game.arm(unit) == arm)
}

/// The unit an entry of the production is for.
fn builds(action: Action) -> Option<UnitId> {
    match action {
        Action::Build(unit) | Action::Raise(unit, _) => Some(unit),
        _ => None,
    }
}
