//! What can be denied to a player of *Roads to Moscow*, to see what it is worth.

use sandtable_ai::restricted::Restriction;
use sandtable_roads_to_moscow::{Action, Phase, RoadsToMoscow, State, UnitId};

pub(super) const RESTRICTIONS: [Restriction<RoadsToMoscow>; 6] = [
    Restriction {
        name: "air",
        summary: "aircraft fly no missions",
        denies: |_, state, _, action| state.phase == Phase::Air && matches!(action, Action::Air(_)),
    },
    Restriction {
        name: "artillery-support",
        summary: "artillery supports neither attack nor defence",
        denies: |_, state, _, action| state.phase == Phase::Artillery && matches!(action, Action::Unit(_)),
    },
    Restriction {
        name: "armour",
        summary: "armoured units neither move nor attack",
        denies: |game, state, _, action| {
            let picks = |unit: UnitId| game.sets().armoured.contains(unit);
            match action {
                Action::Unit(unit) => is_move(state) && picks(unit),
                Action::Join(unit) => picks(unit),
                _ => false,
            }
        },
    },
    Restriction {
        name: "overrun",
        summary: "no overruns",
        denies: |_, _, _, action| matches!(action, Action::Overrun(_)),
    },
    Restriction {
        name: "reserve",
        summary: "no formation goes into Reserve",
        denies: |_, state, _, action| state.phase == Phase::Reserve && matches!(action, Action::Formation(_)),
    },
    Restriction {
        name: "fortified-positions",
        summary: "nobody digs",
        denies: |_, state, _, action| state.phase == Phase::Engineering && matches!(action, Action::Unit(_)),
    },
];

/// Whether a unit is picked to move or to attack.
fn is_move(state: &State) -> bool {
    matches!(state.phase, Phase::Movement | Phase::Attackers | Phase::Reaction)
}
