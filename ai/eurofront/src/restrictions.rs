//! What can be denied to a player of *EuroFront*, to see what it is worth.

use sandtable_ai::restricted::Restriction;
use sandtable_eurofront::rules::Kind;
use sandtable_eurofront::{Action, EuroFront, Phase};

pub(super) const RESTRICTIONS: [Restriction<EuroFront>; 6] = [
    Restriction {
        name: "air",
        summary: "headquarters make no airstrikes",
        denies: |_, _, _, action| matches!(action, Action::Strike(_)),
    },
    Restriction {
        name: "blitz",
        summary: "no headquarters is activated for a Blitz",
        denies: |_, _, _, action| matches!(action, Action::Activate(mode, _) if mode.is_blitz()),
    },
    Restriction {
        name: "rail",
        summary: "no strategic moves by rail",
        denies: |_, _, _, action| matches!(action, Action::Rail(_)),
    },
    Restriction {
        name: "garrisons",
        summary: "no garrisons are bought",
        denies: |_, _, _, action| matches!(action, Action::Garrison(_)),
    },
    Restriction {
        name: "field-headquarters",
        summary: "field headquarters stay inactive",
        denies: |game, state, _, action| {
            matches!(action, Action::Activate(..)) && game.brief(state.subject).kind == Kind::Hq
        },
    },
    Restriction {
        name: "supreme-moves",
        summary: "supreme and theatre headquarters stay inactive",
        denies: |game, state, _, action| {
            state.phase == Phase::Activation
                && matches!(action, Action::Activate(..))
                && game.brief(state.subject).kind != Kind::Hq
        },
    },
];
